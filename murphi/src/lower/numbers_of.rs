//! The number of elements of a multiset that is a set, as a value.
//!
//! For each set over one index type whose elements are counted, the system has a state variable for the number of those
//! in it, which every rule keeps up to date. During a run, the number in what a set has become is that number plus
//! what the run has changed: a value that differs from another one at a few elements only has as many elements as that
//! one, plus the new ones, minus those that are gone.

use std::collections::BTreeSet;

use super::logic::{Facts, and, choose, equal, mentions, not, simplify, simplify_value, substitute_value};
use super::places::{Node, Place};
use super::reason::Reason;
use super::sums::number;
use super::symbolic::SymbolicMachine;
use super::universe::Universe;
use super::values::either;
use system::{ConstantId, FALSE, Formula, IndexTerm, IndexTypeId, IndexVariableId, TRUE, Term, Value, VariableId};

impl<O: Clone> SymbolicMachine<'_, O> {
    /// Returns the number of elements of a set that are of these index types or among these constants.
    ///
    /// # Errors
    /// Returns an error if no value expresses it.
    pub(super) fn number_in_set(
        &mut self,
        set: &Place,
        (index_types, constants): (&[IndexTypeId], &[ConstantId]),
    ) -> Result<Value, Reason> {
        let mut value: Option<Value> = None;
        for spot in set.0.iter().rev() {
            let Node::Array { by_type, by_constant } = &*spot.node else { continue };
            let mut own = Value::Term(Term::Zero);
            for (_, slot) in by_type.iter().filter(|(index_type, _)| index_types.contains(index_type)) {
                let Node::Slot { used, .. } = &**slot else { return Err(Reason::Multiset) };
                let more = self.number_held(*used, &spot.arguments).ok_or(Reason::Multiset)?;
                own = self.sum(&own, &more, false)?;
            }
            for (_, slot) in by_constant.iter().filter(|(constant, _)| constants.contains(constant)) {
                let Node::Slot { used, .. } = &**slot else { return Err(Reason::Multiset) };
                let held = self.read(*used, &spot.arguments);
                let is_in = is_true(self.universe, &held).ok_or(Reason::Multiset)?;
                let more = choose(is_in, number(Term::Zero, 1), Value::Term(Term::Zero));
                own = self.sum(&own, &more, false)?;
            }
            value = Some(match value {
                None => own,
                Some(rest) => choose(spot.condition.clone(), own, rest),
            });
        }
        Ok(value.unwrap_or(Value::Arbitrary))
    }

    /// Stores the numbers of elements of the sets that the run has changed.
    ///
    /// # Errors
    /// Returns an error if no value expresses one of them.
    pub(super) fn keep_numbers(&mut self) -> Result<(), Reason> {
        for (set, count) in self.universe.counts.clone() {
            if self.store.contains_key(&set) {
                let number = self.number_held(set, &[]).ok_or(Reason::ChangesMany)?;
                self.store.insert(count, number);
            }
        }
        Ok(())
    }

    /// Returns whether it is known on the current path that a set does not have an element.
    pub(super) fn is_absent(&mut self, slot: &Place) -> bool {
        slot.used().0.iter().all(|spot| {
            let Node::Scalar(cell) = &*spot.node else { return false };
            self.under(&spot.condition, true, |m| {
                // What the path says may be simpler for this element.
                let mut known = m.everywhere.with(m.universe, &spot.condition, true);
                let path = simplify(m.universe, &mut known, &m.path.formula());
                let mut facts = known.with(m.universe, &path, true);
                let held = m.read(*cell, &spot.arguments);
                let is_in = is_true(m.universe, &held).map(|is_in| simplify(m.universe, &mut facts, &is_in));
                facts.is_contradictory() || is_in == Some(Formula::False)
            })
        })
    }

    /// Returns for how many last arguments a boolean cell is true, if a value expresses it.
    fn number_held(&mut self, cell: VariableId, first: &[IndexTerm]) -> Option<Value> {
        let held = self.held(cell);
        let formals = self.formals(cell);
        let (&over, others) = formals.split_last()?;
        if others.len() != first.len() {
            return None;
        }
        let replace = |v| others.iter().position(|&own| own == v).map_or(IndexTerm::Variable(v), |at| first[at]);
        let held = substitute_value(self.universe, &held, &replace);
        let number = number_of(self.universe, &held, over)?;
        Some(simplify_value(self.universe, &mut self.facts, &number))
    }
}

/// Returns for how many elements a value is true.
fn number_of(universe: &Universe, value: &Value, over: IndexVariableId) -> Option<Value> {
    let own = IndexTerm::Variable(over);
    match value {
        Value::Term(Term::Constant(FALSE)) => Some(Value::Term(Term::Zero)),
        Value::Term(Term::Read(cell, arguments)) if *arguments == [own] => {
            universe.counts.get(cell).map(|count| Value::Term(Term::Read(*count, Vec::new())))
        }
        Value::Term(_) | Value::Sum(..) | Value::Arbitrary => None,
        Value::If(condition, yes, no) => {
            let mut special = BTreeSet::new();
            condition.visit_equations(&mut |left, right| {
                special.extend(other_element(own, left, right).or(other_element(own, right, left)));
            });
            // What holds for all elements but the special ones.
            let elsewhere = simplify(universe, &mut Facts::default(), &without_element(condition, own));
            if mentions(&elsewhere, own) || special.contains(&own) {
                return None;
            }
            let others = choose(elsewhere.clone(), (**yes).clone(), (**no).clone());
            let of = |side: &Value| number_of(universe, side, over);
            let mut number = match elsewhere {
                Formula::True => of(yes)?,
                Formula::False => of(no)?,
                elsewhere => choose(elsewhere, of(yes)?, of(no)?),
            };
            let special: Vec<IndexTerm> = special.into_iter().collect();
            for (position, &element) in special.iter().enumerate() {
                let at = |value: &Value| {
                    let here = |v| if v == over { element } else { IndexTerm::Variable(v) };
                    is_true(universe, &substitute_value(universe, value, &here))
                };
                let (after, before) = (at(value)?, at(&others)?);
                // An earlier one may be the same element.
                let is_other =
                    |earlier: &IndexTerm| not(equal(universe, &Term::Index(*earlier), &Term::Index(element)));
                let is_first = and(special[..position].iter().map(is_other));
                let new = and([is_first.clone(), after.clone(), not(before.clone())]);
                let gone = and([is_first, before, not(after)]);
                number = moved_if(&gone, -1, moved_if(&new, 1, number));
            }
            Some(number)
        }
    }
}

/// Returns the element that an equation of two terms says is this one.
fn other_element(own: IndexTerm, left: &Term, right: &Term) -> Option<IndexTerm> {
    match (left, right) {
        (Term::Index(left), Term::Index(right)) if *left == own => Some(*right),
        _ => None,
    }
}

/// Returns the formula for an element that differs from those that it is compared with.
fn without_element(formula: &Formula, own: IndexTerm) -> Formula {
    match formula {
        Formula::Equal(left, right)
            if other_element(own, left, right).or(other_element(own, right, left)).is_some() =>
        {
            Formula::False
        }
        Formula::Not(inner) => not(without_element(inner, own)),
        Formula::And(parts) => and(parts.iter().map(|part| without_element(part, own))),
        Formula::Or(parts) => super::logic::or(parts.iter().map(|part| without_element(part, own))),
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Forall(..)
        | Formula::Exists(..) => formula.clone(),
    }
}

/// Returns the condition that a boolean value is true, unless it is undefined.
fn is_true(universe: &Universe, value: &Value) -> Option<Formula> {
    match value {
        Value::Term(Term::Constant(constant)) => Some(if *constant == TRUE { Formula::True } else { Formula::False }),
        Value::Term(read @ Term::Read(..)) => Some(equal(universe, read, &Term::Constant(TRUE))),
        Value::If(condition, yes, no) => Some(either(condition, is_true(universe, yes)?, is_true(universe, no)?)),
        Value::Term(Term::Index(_) | Term::Zero) | Value::Sum(..) | Value::Arbitrary => None,
    }
}

/// Returns a number that is changed by another one if a condition holds.
fn moved_if(condition: &Formula, by: i64, value: Value) -> Value {
    if *condition == Formula::False {
        return value;
    }
    choose(condition.clone(), moved(&value, by), value)
}

fn moved(value: &Value, by: i64) -> Value {
    match value {
        Value::Term(term) => number(term.clone(), by),
        Value::Sum(term, sum) => number(term.clone(), sum + by),
        Value::Arbitrary => Value::Arbitrary,
        Value::If(condition, yes, no) => choose(condition.clone(), moved(yes, by), moved(no, by)),
    }
}
