//! Properties as formulas without universal quantifiers, each for all values of its variables.
//!
//! This module splits a property's formula into such parts, negates a part, and enumerates the ways in which the
//! elements can be those of a cube. Existential quantifiers stay in the parts.

use system::{Formula, IndexTerm, IndexTypeId, IndexVariableId, Term};

use super::super::ground::Place;

/// The variables of a part of a property, and its body.
pub(in super::super) type Part = (Vec<IndexVariableId>, Formula);

/// Splits a formula into parts without quantifiers that together, for all values of their variables, are equivalent to
/// it.
pub(in super::super) fn parts(formula: &Formula) -> Vec<Part> {
    match formula {
        Formula::And(_) => formula.conjuncts().into_iter().flat_map(parts).collect(),
        Formula::Forall(variable, body) => {
            let mut parts = parts(body);
            parts.iter_mut().for_each(|(bound, _)| bound.insert(0, *variable));
            parts
        }
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Not(_)
        | Formula::Or(_)
        | Formula::Exists(..) => {
            let mut bound = Vec::new();
            let body = without_quantifiers(formula, true, &mut bound);
            vec![(bound, body)]
        }
    }
}

/// The numbers of the parts of each conjunct of a formula, from 1. The formula follows conjunct by conjunct: no method has to
/// find the parts of one among those of all.
pub(in super::super) fn groups(formula: &Formula) -> Vec<Vec<usize>> {
    // A formula that is true has a part, but no conjunct.
    let conjuncts = if matches!(formula, Formula::And(_)) { formula.conjuncts() } else { vec![formula] };
    let mut next = 1;
    let group = |conjunct| {
        let first = next;
        next += parts(conjunct).len();
        (first..next).collect()
    };
    conjuncts.into_iter().map(group).collect()
}

/// Removes the quantifiers that are universal in a formula; `positive` says whether it is under an even number of
/// negations.
fn without_quantifiers(formula: &Formula, positive: bool, bound: &mut Vec<IndexVariableId>) -> Formula {
    let mut all = |parts: &[Formula]| parts.iter().map(|part| without_quantifiers(part, positive, bound)).collect();
    match formula {
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Not(inner) => Formula::Not(Box::new(without_quantifiers(inner, !positive, bound))),
        Formula::Forall(variable, body) if positive => {
            bound.push(*variable);
            without_quantifiers(body, positive, bound)
        }
        Formula::Exists(variable, body) if !positive => {
            bound.push(*variable);
            without_quantifiers(body, positive, bound)
        }
        // The negation says something of all elements.
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Forall(..)
        | Formula::Exists(..) => formula.clone(),
    }
}

/// The variables that a formula binds.
pub(in super::super) fn quantified(formula: &Formula) -> Vec<IndexVariableId> {
    let mut bound = Vec::new();
    formula.visit(&mut |part| {
        if let Formula::Forall(variable, _) | Formula::Exists(variable, _) = part {
            bound.push(*variable);
        }
    });
    bound
}

/// Negates a formula, with negations at the equations and bounds only. The variables are renumbered from 0; they must include all
/// that occur.
pub(super) fn negation(formula: &Formula, variables: &[IndexVariableId]) -> Formula {
    Numbered { variables }.formula(formula, false)
}

struct Numbered<'a> {
    variables: &'a [IndexVariableId],
}

impl Numbered<'_> {
    /// A formula, or its negation.
    fn formula(&self, formula: &Formula, positive: bool) -> Formula {
        let all = |parts: &[Formula]| parts.iter().map(|part| self.formula(part, positive)).collect();
        match formula {
            Formula::True if positive => Formula::True,
            Formula::False if !positive => Formula::True,
            Formula::True | Formula::False => Formula::False,
            Formula::Equal(left, right) => {
                let equation = Formula::Equal(self.term(left), self.term(right));
                if positive { equation } else { Formula::Not(Box::new(equation)) }
            }
            Formula::AtMost(left, right, sum) => {
                let bound = Formula::AtMost(self.term(left), self.term(right), *sum);
                if positive { bound } else { Formula::Not(Box::new(bound)) }
            }
            Formula::Not(inner) => self.formula(inner, !positive),
            Formula::And(parts) if positive => Formula::And(all(parts)),
            Formula::Or(parts) if !positive => Formula::And(all(parts)),
            Formula::And(parts) | Formula::Or(parts) => Formula::Or(all(parts)),
            Formula::Forall(variable, body) if positive => Formula::Forall(self.id(*variable), self.boxed(body, true)),
            Formula::Exists(variable, body) if !positive => {
                Formula::Forall(self.id(*variable), self.boxed(body, false))
            }
            Formula::Forall(variable, body) | Formula::Exists(variable, body) => {
                Formula::Exists(self.id(*variable), self.boxed(body, positive))
            }
        }
    }

    fn boxed(&self, formula: &Formula, positive: bool) -> Box<Formula> {
        Box::new(self.formula(formula, positive))
    }

    fn term(&self, term: &Term) -> Term {
        term.substituted(&|variable| IndexTerm::Variable(self.id(variable)))
    }

    fn id(&self, variable: IndexVariableId) -> IndexVariableId {
        let mut places = (0_u32..).map(IndexVariableId).zip(self.variables);
        places.find(|(_, bound)| **bound == variable).map_or(variable, |(place, _)| place)
    }
}

/// All ways to choose different elements for variables of the given types.
pub(super) fn choices(types: &[IndexTypeId], elements: &[IndexTypeId]) -> Vec<Vec<Place>> {
    types.iter().fold(vec![Vec::new()], |choices, kind| {
        let extended = choices.iter().flat_map(|choice: &Vec<Place>| {
            let fitting = elements.iter().enumerate();
            let fitting = fitting.filter(move |(place, other)| *other == kind && !choice.contains(place));
            fitting.map(move |(place, _)| choice.iter().copied().chain([place]).collect())
        });
        extended.collect()
    })
}
