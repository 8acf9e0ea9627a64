//! What a proof about the lowered system covers, besides its properties: see [`system::Claim`].

use super::multisets::room_checks;
use super::statements::Assertion;
use crate::diagnostics::Diagnostic;
use crate::program::walk::each_statement;
use crate::program::{Program, Property, PropertyKind, Span, StatementKind};
use system::{AssumedAxiom, Assumption, Axiom, LeftOut};

/// A statement of the model.
pub(super) struct Stated<'p> {
    kind: &'static str,
    name: Option<&'p str>,
    span: Span,
}

/// Returns a property of the model.
pub(super) fn stated(property: &Property) -> Stated<'_> {
    let kind = match property.kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assume => "assume",
        PropertyKind::Cover => "cover",
        PropertyKind::Liveness => "liveness",
    };
    Stated::new(kind, property.name.as_deref(), property.span)
}

/// Returns an assertion of the model.
pub(super) fn asserted(assertion: &Assertion) -> Stated<'_> {
    let kind = if assertion.error { "error" } else { "assert" };
    Stated::new(kind, Some(&assertion.message).filter(|text| !text.is_empty()).map(String::as_str), assertion.span)
}

impl<'p> Stated<'p> {
    pub(super) fn new(kind: &'static str, name: Option<&'p str>, span: Span) -> Self {
        Self { kind, name, span }
    }

    /// Describes that it was refused for this reason.
    pub(super) fn left_out(&self, program: &Program, why: &Diagnostic) -> LeftOut {
        let origin = program.origin(self.span);
        LeftOut {
            kind: self.kind.to_owned(),
            name: self.name.map_or_else(|| format!("{} at line {}", self.kind, origin.line), str::to_owned),
            code: why.code.to_owned(),
            reason: why.message.clone(),
            origin,
        }
    }
}

/// Returns the `assume` statements of the rules and of the functions that they call, and the assertions that a multiset has
/// room, which hold in the runs that a proof is about.
pub(super) fn assumptions(program: &Program) -> Vec<Assumption> {
    let (mut spans, checks) = (Vec::new(), room_checks(program));
    for body in program.bodies() {
        each_statement(body, &mut |statement| {
            let assumes = match &statement.kind {
                StatementKind::Assume(_) => true,
                StatementKind::Assert(..) => checks.contains(&statement.span),
                _ => false,
            };
            if assumes {
                spans.push(statement.span);
            }
        });
    }
    spans.sort_unstable();
    spans.into_iter().map(|span| Assumption { origin: program.origin(span), axiom: None }).collect()
}

/// Returns what the claim says of an axiom.
pub(super) fn assumed(axiom: &Axiom) -> Assumption {
    let Axiom { name, immutable, origin, .. } = axiom;
    let axiom = AssumedAxiom { name: name.clone(), immutable: *immutable };
    Assumption { origin: origin.clone(), axiom: Some(axiom) }
}
