//! The equations that follow from a guard.
//!
//! An equation follows from the same equation in the guard, or from the value of its read. This module must not use
//! invariants.

use std::collections::BTreeSet;

use system::System;

use super::symbolic::{Condition, Datum, Element, Equation, Outcome, equation};

/// What holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    equations: BTreeSet<Equation>,
    /// Elements that are different, both ways around.
    different: BTreeSet<(Element, Element)>,
}

impl Facts {
    /// The equations among the conjuncts of a condition.
    pub(crate) fn of(condition: &Condition) -> Self {
        let mut facts = Self::default();
        facts.assume(condition);
        facts
    }

    /// Adds the equations among the conjuncts of a condition, and that elements differ.
    pub(crate) fn assume(&mut self, condition: &Condition) {
        for part in condition.conjuncts() {
            match part {
                Condition::Equation(equation) => {
                    self.equations.insert(equation.clone());
                }
                Condition::Same(one, false, other) => {
                    self.different.insert((one.clone(), other.clone()));
                    self.different.insert((other.clone(), one.clone()));
                }
                Condition::Same(..)
                | Condition::Known(_)
                | Condition::All(_)
                | Condition::Any(_)
                | Condition::Each(..) => {}
            }
        }
    }

    /// Whether two values are different for sure.
    fn differ(&self, one: &Datum, other: &Datum) -> bool {
        let told = match (one, other) {
            (Datum::Index(one), Datum::Index(other)) => self.different.contains(&(one.clone(), other.clone())),
            _ => false,
        };
        told || differ(one, other)
    }

    /// The truth of an equation, where it follows.
    pub(crate) fn decide(&self, wanted: &Equation) -> Option<bool> {
        let opposite = Equation { equal: !wanted.equal, ..wanted.clone() };
        if self.equations.contains(wanted) {
            return Some(true);
        }
        if self.equations.contains(&opposite) {
            return Some(false);
        }
        if matches!(wanted.right, Datum::Read(..)) {
            return None;
        }
        // The read has a known value that differs from the wanted one for sure.
        let known =
            self.equations.iter().find(|fact| fact.equal && fact.left == wanted.left && is_value(&fact.right))?;
        self.differ(&known.right, &wanted.right).then_some(!wanted.equal)
    }

    /// A condition, as far as it does not follow.
    pub(crate) fn simplify(&self, condition: &Condition) -> Condition {
        match condition {
            Condition::Equation(equation) => match self.decide(equation) {
                Some(truth) => Condition::Known(truth),
                None => condition.clone(),
            },
            Condition::All(parts) => Condition::all(parts.iter().map(|part| self.simplify(part)).collect()),
            Condition::Any(parts) => Condition::any(parts.iter().map(|part| self.simplify(part)).collect()),
            Condition::Known(_) | Condition::Same(..) | Condition::Each(..) => condition.clone(),
        }
    }

    /// A value, with conditions as far as they do not follow.
    pub(crate) fn simplify_outcome(&self, system: &System, outcome: &Outcome) -> Outcome {
        match outcome {
            Outcome::Keep | Outcome::Datum(_) | Outcome::Arbitrary => outcome.clone(),
            Outcome::If(condition, yes, no) => match self.simplify(condition) {
                Condition::Known(true) => self.simplify_outcome(system, yes),
                Condition::Known(false) => self.simplify_outcome(system, no),
                open @ (Condition::Equation(_)
                | Condition::Same(..)
                | Condition::All(_)
                | Condition::Any(_)
                | Condition::Each(..)) => {
                    let mut in_yes = self.clone();
                    in_yes.assume(&open);
                    let mut in_no = self.clone();
                    in_no.assume(&negation(system, &open));
                    let yes = in_yes.simplify_outcome(system, yes);
                    let no = in_no.simplify_outcome(system, no);
                    if yes == no { yes } else { Outcome::If(open, Box::new(yes), Box::new(no)) }
                }
            },
        }
    }
}

/// The negation of a condition without quantifiers; `true` where there is a quantifier.
pub(crate) fn negation(system: &System, condition: &Condition) -> Condition {
    match condition {
        Condition::Known(truth) => Condition::Known(!truth),
        Condition::Equation(e) => equation(system, e.left.clone(), !e.equal, e.right.clone()),
        Condition::Same(one, equal, other) => Condition::Same(one.clone(), !equal, other.clone()),
        Condition::All(parts) => Condition::any(parts.iter().map(|part| negation(system, part)).collect()),
        Condition::Any(parts) => Condition::all(parts.iter().map(|part| negation(system, part)).collect()),
        Condition::Each(..) => Condition::Known(true),
    }
}

fn is_value(datum: &Datum) -> bool {
    !matches!(datum, Datum::Read(..))
}

/// Whether two values are different for sure.
fn differ(one: &Datum, other: &Datum) -> bool {
    match (one, other) {
        (Datum::Constant(one), Datum::Constant(other)) => one != other,
        (Datum::Constant(_), Datum::Index(_)) | (Datum::Index(_), Datum::Constant(_)) => true,
        (Datum::Index(one), Datum::Index(other)) => match (one, other) {
            (Element::Other(..), _) | (_, Element::Other(..)) | (Element::Named(_), Element::Named(_)) => one != other,
            (Element::Shown(_) | Element::Generic, _) | (_, Element::Shown(_) | Element::Generic) => false,
        },
        (Datum::Read(..) | Datum::Zero, _) | (_, Datum::Read(..) | Datum::Zero) => false,
    }
}

#[cfg(test)]
mod tests {
    use system::{NamedId, VariableId};

    use super::*;

    #[test]
    fn a_pointer_to_an_element_that_differs_from_home_is_no_pointer_to_home() {
        let (home, node) = (Element::Named(NamedId(0)), Element::Shown("j".to_owned()));
        let peer = Datum::Read(VariableId(0), Vec::new());
        let is = |element: &Element| Equation { left: peer.clone(), equal: true, right: Datum::Index(element.clone()) };
        let mut facts = Facts::of(&Condition::Equation(is(&node)));
        assert_eq!(facts.decide(&is(&home)), None);
        facts.assume(&Condition::Same(home.clone(), false, node));
        assert_eq!(facts.decide(&is(&home)), Some(false));
        assert_eq!(facts.decide(&Equation { equal: false, ..is(&home) }), Some(true));
    }
}
