//! Warnings about parts of a model that have no effect, or whose effect is probably not intended.
//!
//! These are variables, record fields, parameters and functions that make no difference, startstates that leave
//! variables undefined, and loops over scalarsets whose order may matter. Whether a rule can ever fire is not decided
//! here: that needs an instance.

#![allow(clippy::wildcard_enum_match_arm, reason = "it looks for one kind among many")]

use std::collections::BTreeSet;

use fields::Fields;

use crate::diagnostics::{Code, Diagnostic};
use crate::order::{Cause, ordered};
use crate::program::uses::{Uses, parameters};
use crate::program::{
    Binary, Expression, ExpressionKind, Program, Property, PropertyKind, Span, TypeKind, Unary, VarId,
};

mod fields;
mod observe;

pub use observe::observations;

/// Returns all such warnings, in text order.
#[must_use]
pub fn lint(program: &Program) -> Vec<Diagnostic> {
    let uses = Uses::of(program);
    let mut findings = Vec::new();
    let fields = Fields::of(program);
    let mut told = BTreeSet::new();
    for global in &program.globals {
        if let Some(finding) = unused_variable(program, &uses, *global) {
            findings.push(finding);
            continue;
        }
        let variable = &program.variables[global.index()];
        let has_values = program.arbitrary.contains(global);
        let mut lacks = |fault: LintFault| {
            if !(has_values && matches!(fault, LintFault::NeverWritten { .. })) {
                findings.push(fault.at(variable.span));
            }
        };
        fields.each_lack(variable.ty, &variable.name, &mut told, &mut lacks);
    }
    for parameter in parameters(program) {
        if !uses.read.contains(&parameter) {
            let variable = &program.variables[parameter.index()];
            let fault = LintFault::UnusedParameter { name: variable.name.clone() };
            findings.push(fault.at(variable.span));
        }
    }
    for (position, function) in program.functions.iter().enumerate() {
        if !uses.called.iter().any(|id| id.index() == position) {
            findings.push(LintFault::UnusedFunction { name: function.name.clone() }.at(function.span));
        }
    }
    for startstate in &program.startstates {
        let written = uses.written_by(program, &startstate.body);
        let left: Vec<&str> = program
            .globals
            .iter()
            // If nothing writes the variable, another warning says so already.
            .filter(|global| !written.contains(global) && uses.read.contains(global) && uses.written.contains(global))
            .map(|global| program.variables[global.index()].name.as_str())
            .collect();
        if !left.is_empty() {
            let names = left.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            findings.push(LintFault::LeftUndefined { names }.at(head(startstate.span)));
        }
    }
    for (ty, (cause, span)) in ordered(program) {
        let known = &program.types[ty.index()];
        // A range has an order, and all tools agree on it.
        if let TypeKind::Scalarset(_) = known.kind {
            let name = known.name.clone().unwrap_or_else(|| "scalarset".to_owned());
            findings.push(LintFault::OrderMatters { name, cause }.at(span));
        }
    }
    findings.sort_by_key(|finding| finding.labels.first().map(|label| label.span));
    findings
}

/// Returns the program with one `cover` added for the premise of each invariant, and the invariant of each cover, by
/// position.
///
/// An invariant whose premise holds in no state says nothing: `A -> B` where `A` is always false, and likewise `!(A &
/// B)`.
#[must_use]
pub fn with_premises(program: &Program) -> (Program, Vec<usize>) {
    let mut extended = program.clone();
    let mut invariants = Vec::new();
    for (position, property) in program.properties.iter().enumerate() {
        if property.kind != PropertyKind::Invariant {
            continue;
        }
        for condition in premises(&property.condition) {
            let cover = Property { kind: PropertyKind::Cover, condition, ..property.clone() };
            extended.properties.push(cover);
            invariants.push(position);
        }
    }
    (extended, invariants)
}

/// Returns the premises of a condition, which must hold for some values of its variables for the rest to matter.
fn premises(condition: &Expression) -> Vec<Expression> {
    match &condition.kind {
        ExpressionKind::Forall(binder, inner) => premises(inner)
            .into_iter()
            .map(|premise| {
                let kind = ExpressionKind::Exists(binder.clone(), Box::new(premise));
                Expression { kind, ..condition.clone() }
            })
            .collect(),
        ExpressionKind::Binary(Binary::And, left, right) => [premises(left), premises(right)].concat(),
        ExpressionKind::Binary(Binary::Implies, premise, _) => vec![(**premise).clone()],
        ExpressionKind::Unary(Unary::Not, inner) => match &inner.kind {
            ExpressionKind::Binary(Binary::And, premise, _) => vec![(**premise).clone()],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// A part of the model that has no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum LintFault {
    #[error("`{name}` is never read")]
    NeverRead { name: String },
    #[error("`{name}` is never written, so it stays undefined")]
    NeverWritten { name: String },
    #[error("the parameter `{name}` is never used")]
    UnusedParameter { name: String },
    #[error("`{name}` is never called")]
    UnusedFunction { name: String },
    #[error("this startstate leaves {names} undefined")]
    LeftUndefined { names: String },
    #[error("the elements of `{name}` have no order, and {cause}")]
    OrderMatters { name: String, cause: Cause },
}

impl LintFault {
    fn code(&self) -> Code {
        match self {
            Self::NeverRead { .. } => Code::NeverRead,
            Self::NeverWritten { .. } => Code::NeverWritten,
            Self::UnusedParameter { .. } => Code::UnusedParameter,
            Self::UnusedFunction { .. } => Code::UnusedFunction,
            Self::LeftUndefined { .. } => Code::LeftUndefined,
            Self::OrderMatters { .. } => Code::OrderMatters,
        }
    }

    fn at(&self, span: Span) -> Diagnostic {
        Diagnostic::warning(self.code().text(), span, self.to_string())
    }
}

/// Returns the keyword at the start of a startstate.
fn head(span: Span) -> Span {
    Span { start: span.start, end: span.end.min(span.start.saturating_add(10)) }
}

fn unused_variable(program: &Program, uses: &Uses, global: VarId) -> Option<Diagnostic> {
    let variable = &program.variables[global.index()];
    let name = variable.name.clone();
    let fault = match (uses.read.contains(&global), uses.written.contains(&global)) {
        (true, true) => return None,
        (false, _) => LintFault::NeverRead { name },
        (true, false) if program.arbitrary.contains(&global) => return None,
        (true, false) => {
            let help = format!("if it may have any value, `--arbitrary {name}` says so");
            return Some(LintFault::NeverWritten { name }.at(variable.span).with_help(help));
        }
    };
    Some(fault.at(variable.span))
}
