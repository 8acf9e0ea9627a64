//! Loops that compute a maximum or a minimum.
//!
//! A loop as `for j : NODE do if num[j] > m then m := num[j]; end; end` leaves the greatest number in `m`, in whatever
//! order the iterations run. The run has two cases: no element has a greater number than `m` has before the loop, or `m`
//! gets the number of some element such that no other one has a greater number.

use super::logic::{Facts, and, at_most, not, or, same_up_to_bound, simplify, substitute, substitute_value};
use super::loops::{Entry, Loop, value_at_most};
use super::reason::Reason;
use super::sums::number;
use super::symbolic::SymbolicMachine;
use system::{Formula, IndexTerm, IndexVariableId, Role, Term, Value, VariableId};

/// How a loop changes a number: an element for which the condition holds offers a number, and the greatest or least one
/// stays.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    pub(super) condition: Formula,
    pub(super) term: Term,
    sum: i64,
    greatest: bool,
}

/// Which element offered the number that stayed, if one did; for a question that a run has met already.
#[derive(Clone, Debug)]
pub(super) struct Extreme {
    question: Formula,
    witness: Option<IndexVariableId>,
}

impl<O: Clone> SymbolicMachine<'_, O> {
    /// Returns how an iteration changes a cell, if the loop computes a maximum or minimum of numbers in it.
    pub(super) fn fold(&mut self, cell: VariableId, entry: &Entry) -> Option<Fold> {
        if !self.formals(cell).is_empty() || self.universe.sort_of(cell).numbers.is_none() {
            return None;
        }
        let own = Term::Read(entry.placeholder, Vec::new());
        let is_own = |value: &Value| *value == Value::Term(own.clone());
        let (condition, offered) = match &entry.left {
            Value::If(condition, yes, no) if is_own(no) => (condition.clone(), &**yes),
            Value::If(condition, yes, no) if is_own(yes) => (not(condition.clone()), &**no),
            Value::If(..) | Value::Term(_) | Value::Sum(..) | Value::Arbitrary => return None,
        };
        let (term, sum) = match offered {
            Value::Term(term) => (term.clone(), 0),
            Value::Sum(term, sum) => (term.clone(), *sum),
            Value::If(..) | Value::Arbitrary => return None,
        };
        if term == own || !self.universe.is_number(&term) {
            return None;
        }
        let parts = match condition {
            Formula::And(parts) => parts,
            other => vec![other],
        };
        let greater = [at_most(&own, &term, sum - 1), at_most(&own, &term, sum)];
        let less = [at_most(&term, &own, -sum - 1), at_most(&term, &own, -sum)];
        let (compares, others): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| greater.contains(part) || less.contains(part));
        let [compares] = &compares[..] else { return None };
        let mut reads_itself = false;
        others.iter().for_each(|other| other.visit_terms(&mut |term| reads_itself |= *term == own));
        (!reads_itself).then(|| Fold { condition: and(others), term, sum, greatest: greater.contains(compares) })
    }

    /// Computes the result of the loop.
    ///
    /// # Errors
    /// Returns an error if the result depends on the iteration of a loop around this one.
    pub(super) fn folded(&mut self, work: &Loop, fold: &Fold, entry: &Entry) -> Result<Value, Reason> {
        let own = IndexTerm::Variable(work.variable);
        let offered = match self.resolved_value(work, &number(fold.term.clone(), fold.sum))? {
            offered @ (Value::Term(_) | Value::Sum(..)) => offered,
            Value::If(..) | Value::Arbitrary => return Err(Reason::LoopCarried),
        };
        let inside = self.inside(work, own);
        let offers = self.resolved(work, &and([inside, fold.condition.clone()]))?;
        let stays = |one: &Value, other: &Value| {
            if fold.greatest { value_at_most(one, other, 0) } else { value_at_most(other, one, 0) }
        };
        let changes = and([offers.clone(), not(stays(&offered, &entry.held))]);
        let Some(witness) = self.extreme(work, &changes, &offers, &offered, &stays)? else {
            return Ok(entry.held.clone());
        };
        Ok(substitute_value(self.universe, &offered, &|v| {
            IndexTerm::Variable(if v == work.variable { witness } else { v })
        }))
    }

    /// Decides which element offers the number that stays, if any changes it.
    fn extreme(
        &mut self,
        work: &Loop,
        changes: &Formula,
        offers: &Formula,
        offered: &Value,
        stays: &impl Fn(&Value, &Value) -> Formula,
    ) -> Result<Option<IndexVariableId>, Reason> {
        let name = self.universe.scope[work.variable.index()].name.clone();
        let other = self.universe.index_variable(&name, work.index_type, Role::Bound);
        let to = |variable: IndexVariableId, new: IndexVariableId| {
            IndexTerm::Variable(if variable == work.variable { new } else { variable })
        };
        // Each element offers a number that the one of `work.variable` is at least as good as.
        let others = substitute(self.universe, offers, &|v| to(v, other));
        let of_other = substitute_value(self.universe, offered, &|v| to(v, other));
        let best = Formula::Forall(other, Box::new(or([not(others), stays(&of_other, offered)])));
        let question = Formula::Exists(work.variable, Box::new(and([changes.clone(), best.clone()])));
        let known = self.extremes.iter().find(|known| same_up_to_bound(self.universe, &known.question, &question));
        if let Some(known) = known {
            return Ok(known.witness);
        }
        if changes.has_quantifier() {
            return Err(Reason::LoopCarried);
        }
        self.independent(&question)?;
        let witness = if self.fork(2) == 0 {
            let witness = self.universe.index_variable(&name, work.index_type, Role::Target);
            let holds = substitute(self.universe, changes, &|v| to(v, witness));
            self.assume(holds);
            let best = substitute(self.universe, &best, &|v| to(v, witness));
            let best = simplify(self.universe, &mut Facts::default(), &best);
            self.assume(best);
            self.labels.push(format!("some {name}"));
            Some(witness)
        } else {
            let none = Formula::Forall(work.variable, Box::new(not(changes.clone())));
            let none = simplify(self.universe, &mut Facts::default(), &none);
            self.assume(none);
            self.labels.push(format!("no {name}"));
            None
        };
        self.extremes.push(Extreme { question, witness });
        Ok(witness)
    }
}
