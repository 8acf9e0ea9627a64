//! Warnings about parts of a model that have no effect, or whose effect is probably not intended.
//!
//! These are variables, record fields, parameters and functions that make no difference, startstates that leave
//! variables undefined, and loops over scalarsets whose order may matter. Whether a rule can ever fire is not decided
//! here: that needs an instance.

#![allow(clippy::wildcard_enum_match_arm, reason = "it looks for one kind among many")]

use std::collections::{BTreeMap, BTreeSet};

use fields::Fields;

use crate::diagnostics::{Code, Diagnostic};
use crate::order::{Cause, ordered};
use crate::program::walk::{each_in_statements, each_statement};
use crate::program::{
    Around, Binary, Binder, Expression, ExpressionKind, FunctionId, Program, Property, PropertyKind, Span, Statement,
    StatementKind, TypeKind, Unary, VarId, VariableKind,
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
        let mut lacks = |fault: LintFault| findings.push(fault.at(variable.span));
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
        (true, false) => LintFault::NeverWritten { name },
    };
    Some(fault.at(variable.span))
}

/// Returns the ruleset parameters of the rules, each listed once.
fn parameters(program: &Program) -> BTreeSet<VarId> {
    let parameter = |part: &Around| match part {
        Around::Parameter(Binder { variable, .. }) => Some(*variable),
        Around::Alias(..) | Around::Choose(..) => None,
    };
    around(program).filter_map(parameter).collect()
}

/// Returns the parameters, aliases and choices around rules, startstates and properties.
fn around(program: &Program) -> impl Iterator<Item = &Around> {
    let rules = program.rules.iter().map(|rule| &rule.around);
    let startstates = program.startstates.iter().map(|startstate| &startstate.around);
    let properties = program.properties.iter().map(|property| &property.around);
    rules.chain(startstates).chain(properties).flatten()
}

/// The variables read and written, and the functions called, anywhere in the program.
#[derive(Debug, Default)]
struct Uses {
    read: BTreeSet<VarId>,
    written: BTreeSet<VarId>,
    called: BTreeSet<FunctionId>,
    /// The place that each alias is part of.
    aliases: BTreeMap<VarId, VarId>,
    /// The state variables that each function writes, directly or through calls.
    effects: Vec<BTreeSet<VarId>>,
}

impl Uses {
    fn of(program: &Program) -> Self {
        let mut uses = Self::default();
        uses.find_aliases(program);
        program.each_expression(&mut |expression| {
            if let ExpressionKind::Call(id, _) = expression.kind {
                uses.called.insert(id);
            }
        });
        let bodies: Vec<&[Statement]> = program.bodies().collect();
        for body in &bodies {
            each_statement(body, &mut |statement| uses.statement(program, statement));
        }
        for place in outside_of_bodies(program) {
            uses.reads(place);
        }
        uses.effects = vec![BTreeSet::new(); program.functions.len()];
        loop {
            let next: Vec<BTreeSet<VarId>> =
                program.functions.iter().map(|function| uses.written_by(program, &function.body)).collect();
            if next == uses.effects {
                return uses;
            }
            uses.effects = next;
        }
    }

    fn find_aliases(&mut self, program: &Program) {
        let mut note = |alias: VarId, place: &Expression| {
            if let Some(root) = place.root() {
                self.aliases.insert(alias, root);
            }
        };
        for body in program.bodies() {
            each_statement(body, &mut |statement| {
                if let StatementKind::Alias(alias, place, _) = &statement.kind {
                    note(*alias, place);
                }
            });
        }
        for around in program.rules.iter().flat_map(|rule| &rule.around) {
            if let Around::Alias(alias, place) = around {
                note(*alias, place);
            }
        }
    }

    /// Returns the variable that an alias is part of, followed through aliases of aliases.
    fn original(&self, mut variable: VarId) -> VarId {
        while let Some(behind) = self.aliases.get(&variable) {
            variable = *behind;
        }
        variable
    }

    fn reads(&mut self, expression: &Expression) {
        expression.each(&mut |inner| {
            if let ExpressionKind::Variable(variable) = inner.kind {
                let original = self.original(variable);
                self.read.extend([variable, original]);
            }
        });
    }

    /// A target is written; its indices are read.
    fn writes(&mut self, place: &Expression) {
        if let Some(root) = place.root() {
            let original = self.original(root);
            self.written.insert(original);
        }
        let mut place = place;
        loop {
            match &place.kind {
                ExpressionKind::Element(inner, index) => {
                    self.reads(index);
                    place = inner;
                }
                ExpressionKind::Field(inner, _) => place = inner,
                _ => return,
            }
        }
    }

    fn statement(&mut self, program: &Program, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) | StatementKind::MultisetAdd(value, place) => {
                self.writes(place);
                self.reads(value);
            }
            StatementKind::Clear(place) | StatementKind::Undefine(place) => self.writes(place),
            // Whether the aliased place is read is decided where the alias is used.
            StatementKind::Alias(_, place, _) => {
                if place.root().is_none() {
                    self.reads(place);
                } else {
                    place.each(&mut |inner| {
                        if let ExpressionKind::Element(_, index) = &inner.kind {
                            self.reads(index);
                        }
                    });
                }
            }
            StatementKind::Call(id, arguments) => {
                self.called.insert(*id);
                self.arguments(program, *id, arguments);
            }
            StatementKind::MultisetRemove(..) | StatementKind::MultisetRemoveIf(..) => {
                statement.own_expressions().into_iter().for_each(|place| {
                    self.writes(place);
                    self.reads(place);
                });
            }
            _ => statement.own_expressions().into_iter().for_each(|expression| self.reads(expression)),
        }
        for expression in statement.own_expressions() {
            expression.each(&mut |inner| {
                if let ExpressionKind::Call(id, arguments) = &inner.kind {
                    self.arguments(program, *id, arguments);
                }
            });
        }
    }

    /// An argument for a `var` parameter may be both read and written.
    fn arguments(&mut self, program: &Program, function: FunctionId, arguments: &[Expression]) {
        for (parameter, argument) in program.functions[function.index()].parameters.iter().zip(arguments) {
            self.reads(argument);
            if program.variables[parameter.index()].kind == VariableKind::Reference {
                self.writes(argument);
            }
        }
    }

    /// Returns the variables that statements write, directly or through calls.
    fn written_by(&self, program: &Program, body: &[Statement]) -> BTreeSet<VarId> {
        let mut written = BTreeSet::new();
        let mut target = |place: &Expression| written.extend(place.root().map(|root| self.original(root)));
        let mut called = BTreeSet::new();
        let mut call = |id: FunctionId, arguments: &[Expression], target: &mut dyn FnMut(&Expression)| {
            called.insert(id);
            for (parameter, argument) in program.functions[id.index()].parameters.iter().zip(arguments) {
                if program.variables[parameter.index()].kind == VariableKind::Reference {
                    target(argument);
                }
            }
        };
        each_statement(body, &mut |statement| match &statement.kind {
            StatementKind::Assign(place, _)
            | StatementKind::MultisetAdd(_, place)
            | StatementKind::Clear(place)
            | StatementKind::Undefine(place) => target(place),
            StatementKind::Call(id, arguments) => call(*id, arguments, &mut target),
            _ => {}
        });
        each_in_statements(body, &mut |expression| {
            if let ExpressionKind::Call(id, arguments) = &expression.kind {
                call(*id, arguments, &mut target);
            }
        });
        for id in called {
            written.extend(self.effects.get(id.index()).into_iter().flatten());
        }
        written
    }
}

/// Returns the expressions in guards, properties and the groups around rules, except for places that aliases stand for.
fn outside_of_bodies(program: &Program) -> Vec<&Expression> {
    let mut found: Vec<&Expression> = program.rules.iter().map(|rule| &rule.guard).collect();
    found.extend(program.properties.iter().map(|property| &property.condition));
    for part in around(program) {
        match part {
            Around::Alias(_, place) => place.each(&mut |inner| {
                if let ExpressionKind::Element(_, index) = &inner.kind {
                    found.push(index);
                }
            }),
            Around::Choose(_, place) => found.push(place),
            Around::Parameter(_) => {}
        }
    }
    found
}
