//! Warnings about what is allowed, but probably not intended.

use std::collections::BTreeSet;

use super::Elaborator;
use super::fault::TypeFault;
use crate::diagnostics::Severity;
use crate::program::{Around, Binder, Expression, ExpressionKind, Span, Startstate, Statement, StatementKind, VarId};

impl Elaborator<'_> {
    /// Returns warnings about the whole model, and the error that it has no startstate. Returns nothing if there are
    /// errors already, since what could not be read is then missing.
    pub(super) fn warn(&mut self) {
        if self.findings.iter().any(|finding| finding.severity == Severity::Error) {
            return;
        }
        if self.program.startstates.is_empty() {
            self.error(&TypeFault::NoStartstate, Span::default());
        }
        if self.program.rules.is_empty() {
            self.error(&TypeFault::NoRules, Span::default());
        }
        let found: Vec<VarId> = self.program.startstates.iter().flat_map(parameters_as_indices).collect();
        for parameter in found.into_iter().collect::<BTreeSet<_>>() {
            let declaration = &self.program.variables[parameter.index()];
            let (fault, span) =
                (TypeFault::StartstatePerValue { parameter: declaration.name.clone() }, declaration.span);
            self.error(&fault, span);
        }
    }
}

/// Returns the ruleset parameters with which a startstate indexes an array, setting no other elements of it.
pub(crate) fn parameters_as_indices(startstate: &Startstate) -> Vec<VarId> {
    let parameters = startstate.around.iter().filter_map(|around| match around {
        Around::Parameter(Binder { variable, .. }) => Some(*variable),
        Around::Alias(..) | Around::Choose(..) => None,
    });
    let targets = targets(&startstate.body);
    parameters
        .filter(|parameter| {
            targets.iter().any(|place| {
                indexed_by(place, *parameter)
                    && targets.iter().all(|other| other.root() != place.root() || indexed_by(other, *parameter))
            })
        })
        .collect()
}

/// Returns the places that statements set, in order, except those that a procedure may set.
fn targets(body: &[Statement]) -> Vec<&Expression> {
    let mut places = Vec::new();
    for statement in body {
        statement.each(&mut |inner| match &inner.kind {
            StatementKind::Assign(place, _) | StatementKind::Clear(place) | StatementKind::Undefine(place) => {
                places.push(place);
            }
            _ => {}
        });
    }
    places
}

fn indexed_by(place: &Expression, parameter: VarId) -> bool {
    let mut place = place;
    loop {
        match &place.kind {
            ExpressionKind::Element(inner, index) => {
                if matches!(index.kind, ExpressionKind::Variable(variable) if variable == parameter) {
                    return true;
                }
                place = inner;
            }
            ExpressionKind::Field(inner, _) => place = inner,
            _ => return false,
        }
    }
}
