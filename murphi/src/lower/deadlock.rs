//! Deadlock freedom as a property: in every state, some rule can fire.
//!
//! This module finds the states in which none can, for a property like any other. A rule that records the violation of a
//! property does not count. All cases of a Murphi rule together have its guard. The property is about sizes with an
//! element of every type that has one whatever the constants are: without elements, a ruleset has no rules. With [`Deadlock::Stuttering`], only a rule
//! that changes the state counts. A case does not count if its guard is about an element that a loop in the body chooses. An
//! update does not count if it may change nothing: if it stores an arbitrary value, or depends on an element that a loop
//! chooses, since an instance chooses a certain one. A multiset is the same in whatever slots its elements are: it changes
//! for certain if its number of elements does.

use std::collections::BTreeSet;

use super::logic::{and, at_most, equal, mentions, not, or};
use super::monitors::Violation;
use super::normal::{shift, shifted};
use super::universe::{Slot, Universe, position};
use system::front_end::Deadlock;
use system::{
    ConstantId, FALSE, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, NO_SOURCE, Role, Rule, System,
    TRUE, Term, Update, Value,
};

/// The index types whose elements have to do with deadlocks.
pub(super) struct Types {
    /// Those with an element, whatever the constants are.
    pub(super) inhabited: BTreeSet<IndexTypeId>,
    /// Those whose elements are slots of multisets.
    pub(super) slots: BTreeSet<IndexTypeId>,
}

/// Returns the states in which no rule can fire.
pub(super) fn stuck(universe: &mut Universe, system: &System, types: &Types, deadlock: Deadlock) -> Violation {
    let mut scope: Vec<IndexVariable> = Vec::new();
    let mut parts = Vec::new();
    for &index_type in &types.inhabited {
        let some = IndexVariableId(position(scope.len()));
        scope.push(IndexVariable { name: String::new(), index_type, role: Role::Bound });
        parts.push(Formula::Exists(some, Box::new(Formula::True)));
    }
    // All cases of a rule together have its guard, so that one of them can fire; which one depends on what is chosen.
    let counts = |rule: &&Rule| deadlock == Deadlock::Stuck || !asks_for_chosen(rule);
    for rule in system.rules.iter().filter(|rule| rule.source != NO_SOURCE).filter(counts) {
        let offset = scope.len();
        universe.scope.clone_from(&rule.scope);
        let fires = match deadlock {
            Deadlock::Stuck => rule.guard.clone(),
            Deadlock::Stuttering => and([rule.guard.clone(), changes(universe, rule, &types.slots)]),
        };
        scope.extend(rule.scope.iter().cloned());
        let parameters = (0..rule.parameters as usize).rev().map(|at| shift(IndexVariableId(position(at)), offset));
        parts.push(not(parameters.fold(shifted(&fires, offset), exists)));
    }
    Violation { scope, free: Vec::new(), bad: and(parts) }
}

/// Returns `exists variable. body`. What the body says about all elements stays outside where it does not depend on the
/// variable: the negation would have an `exists` below a `forall`.
fn exists(body: Formula, variable: IndexVariableId) -> Formula {
    let parts = match body {
        Formula::And(parts) => parts,
        other => vec![other],
    };
    let is_outside = |part: &Formula| part.has_quantifier() && !mentions(part, IndexTerm::Variable(variable));
    let (outside, inside): (Vec<Formula>, Vec<Formula>) = parts.into_iter().partition(is_outside);
    and(outside.into_iter().chain([Formula::Exists(variable, Box::new(and(inside)))]))
}

/// Returns the condition under which a rule changes the state for certain.
fn changes(universe: &Universe, rule: &Rule, slots: &BTreeSet<IndexTypeId>) -> Formula {
    or(rule.updates.iter().filter(|update| !is_chosen(rule, update)).map(|Update { variable, arguments, value }| {
        let old = Term::Read(*variable, arguments.iter().copied().map(IndexTerm::Variable).collect());
        let slot = arguments.iter().find(|slot| slots.contains(&rule.scope[slot.index()].index_type));
        let differs = match (slot, universe.cells[variable.index()].slot) {
            (None, _) => differs(universe, value, &old),
            (Some(slot), Slot::Used) => differs_in_number(universe, value, &old, *slot),
            // Two slots may exchange what is in them.
            (Some(_), Slot::Content | Slot::None) => Formula::False,
        };
        arguments.iter().rev().fold(differs, |inner, argument| Formula::Exists(*argument, Box::new(inner)))
    }))
}

/// Returns a condition under which a multiset gets more elements or fewer, given which slots have one: an element is added in
/// this slot and none is removed in any, or the other way round.
fn differs_in_number(universe: &Universe, used: &Value, old: &Term, slot: IndexVariableId) -> Formula {
    let (Some(added), Some(removed)) = (becomes(used, old, TRUE), becomes(used, old, FALSE)) else {
        return Formula::False;
    };
    let was = |truth| equal(universe, old, &Term::Constant(truth));
    let slot = IndexTerm::Variable(slot);
    or([
        and([added.clone(), was(FALSE), not(in_any(&removed, slot))]),
        and([removed, was(TRUE), not(in_any(&added, slot))]),
    ])
}

/// Returns the condition under which a value is this constant, if it always is a truth value or the old value.
fn becomes(value: &Value, old: &Term, truth: ConstantId) -> Option<Formula> {
    match value {
        Value::Term(Term::Constant(own @ (TRUE | FALSE))) => {
            Some(if *own == truth { Formula::True } else { Formula::False })
        }
        Value::Term(term) if term == old => Some(Formula::False),
        Value::Term(_) | Value::Sum(..) | Value::Arbitrary => None,
        Value::If(condition, yes, no) => Some(or([
            and([condition.clone(), becomes(yes, old, truth)?]),
            and([not(condition.clone()), becomes(no, old, truth)?]),
        ])),
    }
}

/// Returns a condition without this element that holds wherever a condition without quantifiers holds for some element.
fn in_any(condition: &Formula, element: IndexTerm) -> Formula {
    match condition {
        Formula::And(parts) => and(parts.iter().map(|part| in_any(part, element))),
        Formula::Or(parts) => or(parts.iter().map(|part| in_any(part, element))),
        other if mentions(other, element) => Formula::True,
        other => other.clone(),
    }
}

/// Returns whether a guard is about an element that a loop chooses: for which one it holds says nothing about the one that an
/// instance chooses.
fn asks_for_chosen(rule: &Rule) -> bool {
    let mut asks = false;
    rule.guard.visit_terms(&mut |term| {
        asks |= term.elements().iter().any(|element| match element {
            IndexTerm::Variable(variable) => rule.scope[variable.index()].role == Role::Choice,
            IndexTerm::Named(_) => false,
        });
    });
    asks
}

/// Returns whether an update depends on an element that a loop or a condition chooses.
fn is_chosen(rule: &Rule, update: &Update) -> bool {
    let mut chosen = false;
    update.value.visit_terms(&mut |term| {
        chosen |= term.elements().iter().any(|element| match element {
            IndexTerm::Variable(variable) => match rule.scope[variable.index()].role {
                Role::Choice | Role::Witness => true,
                Role::Parameter | Role::Target | Role::Bound => false,
            },
            IndexTerm::Named(_) => false,
        });
    });
    chosen
}

fn differs(universe: &Universe, value: &Value, old: &Term) -> Formula {
    match value {
        Value::Term(term) if universe.is_number(old) => not(same_number(term, 0, old)),
        Value::Term(term) => not(equal(universe, term, old)),
        Value::Sum(term, sum) => not(same_number(term, *sum, old)),
        Value::Arbitrary => Formula::False,
        Value::If(condition, yes, no) => or([
            and([condition.clone(), differs(universe, yes, old)]),
            and([not(condition.clone()), differs(universe, no, old)]),
        ]),
    }
}

/// Returns the condition that a number plus another one is the old number.
fn same_number(term: &Term, sum: i64, old: &Term) -> Formula {
    and([at_most(term, old, -sum), at_most(old, term, sum)])
}
