//! Guards that say that something exists for all elements.
//!
//! A guard such as `forall i do exists j do shares[i][j] end end` needs a witness for each element, which no parameter can
//! be. The system gets a boolean variable instead, an array over the variables that are free in the formula, and the
//! axiom that the formula holds where the variable is set. The guard asks for the variable. It is arbitrary at the start,
//! and arbitrary again after each rule that writes what the formula reads. So an execution of the model is one of the
//! system, in which the variable is set exactly where the formula holds; and in any execution of the system that satisfies
//! the axiom, a rule fires only where its guard holds. Nothing is approximated.

use std::collections::BTreeSet;

use super::logic::{and, mentions, not, or};
use super::model::Model;
use super::monitors::{Violation, free_name};
use super::normal::{Purpose, has_exists};
use super::properties::{Negated, negated};
use super::reason::{Reason, Refusal};
use super::universe::{Universe, position};
use super::{Note, NoteKind};
use system::{
    Axiom, FALSE, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Origin, PathStep, Role, System,
    TRUE, Term, Transition, Update, Value, Variable, VariableId,
};

/// Replaces each `forall` with an `exists` below it in the guards of rules.
///
/// # Errors
/// Returns an error if no cubes express the negation of one.
pub(super) fn replace_in_guards(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
) -> Result<(), Refusal> {
    for at in 0..system.rules.len() {
        if !alternates(&system.rules[at].guard) {
            continue;
        }
        let rule = &model.program.rules[system.rules[at].source as usize];
        let span = rule.guard.span;
        let (name, guard) = (system.rules[at].name.clone(), system.rules[at].guard.clone());
        let states = Violation { scope: system.rules[at].scope.clone(), free: Vec::new(), bad: guard };
        let guard =
            replaced(model, universe, system, (&name, &model.program.origin(span)), &states).map_err(|reason| {
                match reason {
                    Reason::NotUniversal => Refusal { reason: Reason::ExistsBelowForall, span },
                    reason => Refusal { reason, span },
                }
            })?;
        system.rules[at].transition.guard = guard;
    }
    Ok(())
}

/// Returns the formula about some states with a variable in place of each `forall` with an `exists` below it, and adds
/// these variables with their axioms and updates.
///
/// # Errors
/// Returns an error if no cubes express the negation of one; the system is then unchanged.
pub(super) fn replaced(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    (name, origin): (&str, &Origin),
    Violation { scope, bad: formula, .. }: &Violation,
) -> Result<Formula, Reason> {
    let mut found = Vec::new();
    alternations(formula, &mut found);
    let before = (system.variables.len(), system.axioms.len());
    let mut known: Vec<(Formula, VariableId)> = Vec::new();
    for part in found {
        if known.iter().any(|(own, _)| *own == part) {
            continue;
        }
        match declare(model, universe, system, (name, origin), (scope, &part)) {
            Ok(variable) => known.push((part, variable)),
            Err(reason) => {
                system.variables.truncate(before.0);
                system.axioms.truncate(before.1);
                universe.state_variables = before.0;
                universe.cells.truncate(before.0);
                return Err(reason);
            }
        }
    }
    for (part, variable) in &known {
        forget_where_it_may_change(system, part, *variable);
        if let Some(PathStep::Holds(own)) = system.variables[variable.index()].path.first() {
            let kind = NoteKind::Alternation { rule: name.to_owned(), variable: own.clone() };
            model.notes.push(Note { kind, origin: origin.clone() });
        }
    }
    for at in before.1..system.axioms.len() {
        system.axioms[at].immutable = system.is_immutable(&system.axioms[at].formula);
    }
    Ok(with_variables(formula, &known))
}

/// Returns the same formula, in which quantifiers are only around what mentions their variables. A guard in which no `exists` is below
/// a `forall` any more needs no variable for it, and the checker has fewer cases otherwise.
pub(super) fn narrowed(universe: &Universe, formula: &Formula) -> Formula {
    within(universe, formula, &mut Vec::new())
}

/// The types are those of the variables that quantifiers around the formula bind: each has an element.
fn within(universe: &Universe, formula: &Formula, bound: &mut Vec<IndexTypeId>) -> Formula {
    match formula {
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) | Formula::Not(_) => formula.clone(),
        Formula::And(parts) => and(parts.iter().map(|part| within(universe, part, bound))),
        Formula::Or(parts) => or(parts.iter().map(|part| within(universe, part, bound))),
        Formula::Forall(variable, inner) | Formula::Exists(variable, inner) => {
            let index_type = universe.type_of(IndexTerm::Variable(*variable));
            let is_inhabited = bound.contains(&index_type) || universe.is_inhabited(index_type);
            bound.push(index_type);
            let inner = within(universe, inner, bound);
            bound.pop();
            let is_universal = matches!(formula, Formula::Forall(..));
            around(Quantifier { is_universal, variable: *variable, is_inhabited }, inner)
        }
    }
}

/// A quantifier over a type, and whether it is known that the type has an element.
#[derive(Clone, Copy)]
struct Quantifier {
    is_universal: bool,
    variable: IndexVariableId,
    is_inhabited: bool,
}

/// Returns the formula with the quantifier around what mentions its variable.
fn around(own: Quantifier, inner: Formula) -> Formula {
    let is_about = |part: &Formula| mentions(part, IndexTerm::Variable(own.variable));
    let bind = |inner: Formula| {
        let inner = Box::new(inner);
        if own.is_universal { Formula::Forall(own.variable, inner) } else { Formula::Exists(own.variable, inner) }
    };
    // What does not mention the variable holds or not, if the type has an element.
    let each = |part: Formula| match (is_about(&part), own.is_inhabited) {
        (true, _) => around(own, part),
        (false, true) => part,
        (false, false) => bind(part),
    };
    match (inner, own.is_universal) {
        // Each part for itself: what a `forall` says of a conjunction, and an `exists` of a disjunction.
        (Formula::And(parts), true) => and(parts.into_iter().map(each)),
        (Formula::Or(parts), false) => or(parts.into_iter().map(each)),
        // The other parts are the same for all elements, and hold or not even if there is none.
        (Formula::Or(parts), true) => {
            let (mut about, rest): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_about);
            let about = if about.len() == 1 { around(own, about.remove(0)) } else { bind(or(about)) };
            or(std::iter::once(about).chain(rest))
        }
        (Formula::And(parts), false) => {
            let (mut about, rest): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_about);
            let about = if about.len() == 1 { around(own, about.remove(0)) } else { bind(and(about)) };
            and(std::iter::once(about).chain(rest))
        }
        (
            inner @ (Formula::True
            | Formula::False
            | Formula::Equal(..)
            | Formula::AtMost(..)
            | Formula::Not(_)
            | Formula::Forall(..)
            | Formula::Exists(..)),
            _,
        ) => {
            if own.is_inhabited && !is_about(&inner) {
                inner
            } else {
                bind(inner)
            }
        }
    }
}

/// Adds the variable for a formula, with its axiom.
fn declare(
    model: &Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    (of, origin): (&str, &Origin),
    (scope, formula): (&[IndexVariable], &Formula),
) -> Result<VariableId, Reason> {
    let variable = VariableId(position(system.variables.len()));
    let name = free_name(model, system, of, "holds");
    let free = free(formula);
    let arguments: Vec<IndexTypeId> = free.iter().map(|own| scope[own.index()].index_type).collect();
    let sort = universe.sort("boolean", Vec::new(), vec![FALSE, TRUE]);
    system.sorts.clone_from(&universe.sorts);
    let steps = (0..position(arguments.len())).map(PathStep::Argument);
    system.variables.push(Variable {
        name: format!("{name}{}", "[]".repeat(arguments.len())),
        arguments: arguments.clone(),
        sort,
        path: [PathStep::Holds(name.clone())].into_iter().chain(steps).collect(),
        origin: origin.clone(),
    });
    universe.cells.truncate(universe.state_variables);
    universe.cell(sort, arguments);
    universe.state_variables += 1;
    let bad = and([is_set(variable, &free), not(formula.clone())]);
    let Negated { scope, formula, bad } =
        negated(universe, system, &[Violation { scope: scope.to_vec(), free, bad }], Purpose::Axiom)?;
    let name = format!("{name} only where it holds");
    system.axioms.push(Axiom { name, scope, formula, bad, immutable: false, origin: origin.clone() });
    Ok(variable)
}

/// Lets the variable have any value at the start, and wherever something has changed that its formula reads.
fn forget_where_it_may_change(system: &mut System, formula: &Formula, variable: VariableId) {
    let mut read = BTreeSet::new();
    formula.visit_terms(&mut |term| {
        if let Term::Read(own, _) = term {
            read.insert(*own);
        }
    });
    let arguments = system.variables[variable.index()].arguments.clone();
    for start in &mut system.startstates {
        forget(&mut start.transition, variable, &arguments);
    }
    for rule in &mut system.rules {
        if rule.updates.iter().any(|update| read.contains(&update.variable)) {
            forget(&mut rule.transition, variable, &arguments);
        }
    }
}

/// Lets a variable have any value after the transition.
fn forget(transition: &mut Transition, variable: VariableId, arguments: &[IndexTypeId]) {
    let first = transition.scope.len();
    for &index_type in arguments {
        let is_taken = |name: &String| transition.scope.iter().any(|own| own.name == *name);
        let name = (1..).map(|number| format!("any{number}")).find(|name| !is_taken(name));
        let name = name.expect("the names that are taken are finitely many");
        transition.scope.push(IndexVariable { name, index_type, role: Role::Bound });
    }
    let arguments = (first..transition.scope.len()).map(|at| IndexVariableId(position(at))).collect();
    transition.updates.push(Update { variable, arguments, value: Value::Arbitrary });
}

/// Returns whether there is a `forall` with an `exists` below it.
pub(super) fn alternates(formula: &Formula) -> bool {
    let mut found = Vec::new();
    alternations(formula, &mut found);
    !found.is_empty()
}

/// Adds each outermost `forall` with an `exists` below it.
fn alternations(formula: &Formula, found: &mut Vec<Formula>) {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| alternations(part, found)),
        Formula::Forall(..) if has_exists(formula) => found.push(formula.clone()),
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Not(_)
        | Formula::Forall(..)
        | Formula::Exists(..) => {}
    }
}

/// Returns the formula with the variables in place of their formulas.
fn with_variables(formula: &Formula, known: &[(Formula, VariableId)]) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(|part| with_variables(part, known)).collect();
    match formula {
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Forall(..) => {
            let own = known.iter().find(|(own, _)| own == formula);
            own.map_or_else(|| formula.clone(), |(_, variable)| is_set(*variable, &free(formula)))
        }
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Not(_)
        | Formula::Exists(..) => formula.clone(),
    }
}

/// Returns the variables that the formula does not bind.
fn free(formula: &Formula) -> Vec<IndexVariableId> {
    let (mut bound, mut used) = (BTreeSet::new(), BTreeSet::new());
    formula.visit(&mut |part| {
        if let Formula::Forall(variable, _) | Formula::Exists(variable, _) = part {
            bound.insert(*variable);
        }
    });
    formula.visit_terms(&mut |term| {
        used.extend(term.elements().iter().filter_map(|element| match element {
            IndexTerm::Variable(variable) => Some(*variable),
            IndexTerm::Named(_) => None,
        }));
    });
    used.difference(&bound).copied().collect()
}

fn is_set(variable: VariableId, elements: &[IndexVariableId]) -> Formula {
    let elements = elements.iter().copied().map(IndexTerm::Variable).collect();
    Formula::Equal(Term::Read(variable, elements), Term::Constant(TRUE))
}
