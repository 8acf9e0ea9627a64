//! Operations on symbolic values: comparison, truth, and arithmetic by cases.
//!
//! They take values over the state before the step, and return formulas without quantifiers, and values. Using an
//! undefined value is an error of the path; values with infinitely many cases are not used in computations. If the
//! steps have run out, so that the statement will be refused anyway, these operations return early with an arbitrary
//! result.

use std::collections::BTreeMap;

use super::logic::{and, choose, equal, not, or, simplify, simplify_value};
use super::places::undefined_value;
use super::reason::Reason;
use super::symbolic::{SymbolicMachine, Target};
use super::universe::{UNSET, Universe};
use system::{ConstantId, FALSE, Formula, SortId, TRUE, Term, Value, VariableId};

/// The largest number of cases of one operand.
const MOST_CASES: usize = 1024;
/// If two reads share more values than this, their equation is not split into these values.
const MOST_SHARED: usize = 16;
/// The largest number of pairs of cases.
const MOST_PAIRS: usize = 4096;

impl<O: Clone> SymbolicMachine<'_, O> {
    /// Returns the condition that two values are equal. An undefined value is an error.
    pub(super) fn equality(&mut self, left: &Value, right: &Value) -> Formula {
        if self.universe.is_exhausted() {
            return Formula::False;
        }
        match (left, right) {
            (Value::Arbitrary, _) | (_, Value::Arbitrary) => {
                self.error(Formula::True);
                Formula::False
            }
            (Value::If(condition, yes, no), other) | (other, Value::If(condition, yes, no)) => {
                let if_yes = self.under(condition, true, |m| m.equality(yes, other));
                let if_no = self.under(condition, false, |m| m.equality(no, other));
                either(condition, if_yes, if_no)
            }
            (Value::Sum(..), _) | (_, Value::Sum(..)) => self.same_number(left, right),
            (Value::Term(one), Value::Term(other)) => {
                self.looked_at(left);
                self.looked_at(right);
                let one = self.universe.as_element(one, &self.universe.index_types_of(other));
                let other = self.universe.as_element(other, &self.universe.index_types_of(&one));
                if self.are_numbers(&one, &other) {
                    return self.same_number(&Value::Term(one), &Value::Term(other));
                }
                let (left, right) = (one, other);
                let equation = self.shared_value(&left, &right);
                let equation = equation.unwrap_or_else(|| equal(self.universe, &left, &right));
                simplify(self.universe, &mut self.facts, &equation)
            }
        }
    }

    /// Returns the condition that two reads of different finite sorts are equal, as one of the values that the sorts
    /// share. With the equation alone, the reader of a proof would have to rule out the other values.
    fn shared_value(&self, left: &Term, right: &Term) -> Option<Formula> {
        let (Term::Read(one, _), Term::Read(other, _)) = (left, right) else { return None };
        let (one, other) = (self.universe.sort_of(*one), self.universe.sort_of(*other));
        let is = |term: &Term, constant| equal(self.universe, term, &Term::Constant(constant));
        let shared = one.constants.iter().filter(|constant| other.constants.contains(constant));
        let shared: Vec<ConstantId> =
            shared.copied().filter(|&constant| Some(constant) != self.universe.undefined).collect();
        let differ = one.is_finite() && other.is_finite() && one.constants != other.constants;
        let known = [left, right].iter().any(|term| self.facts.value_of(term).is_some());
        (differ && !known && shared.len() <= MOST_SHARED)
            .then(|| or(shared.iter().map(|&constant| and([is(left, constant), is(right, constant)]))))
    }

    /// Returns the condition that a boolean value is true. An undefined value is an error.
    pub(super) fn truth(&mut self, value: &Value) -> Formula {
        if self.universe.is_exhausted() {
            return Formula::False;
        }
        match value {
            Value::Arbitrary => {
                self.error(Formula::True);
                Formula::False
            }
            Value::If(condition, yes, no) => {
                let if_yes = self.under(condition, true, |m| m.truth(yes));
                let if_no = self.under(condition, false, |m| m.truth(no));
                either(condition, if_yes, if_no)
            }
            Value::Term(_) if self.undefined_leaf(value) => Formula::False,
            Value::Term(Term::Constant(constant)) if *constant == TRUE => Formula::True,
            Value::Term(Term::Constant(_) | Term::Index(_) | Term::Zero) | Value::Sum(..) => Formula::False,
            Value::Term(read) => {
                let equation = equal(self.universe, read, &Term::Constant(TRUE));
                simplify(self.universe, &mut self.facts, &equation)
            }
        }
    }

    /// Records the error of using an undefined value; returns whether it is certainly undefined.
    fn undefined_leaf(&mut self, value: &Value) -> bool {
        self.looked_at(value);
        matches!((value, self.universe.undefined), (Value::Term(Term::Constant(c)), Some(u)) if *c == u)
    }

    /// Returns the constants that a value can be, each with its condition; the conditions exclude each other.
    ///
    /// # Errors
    /// Returns an error if the value may be an element of an index type, or has too many cases.
    pub(super) fn cases(&mut self, value: &Value) -> Result<Vec<(Formula, ConstantId)>, Reason> {
        let mut cases: BTreeMap<ConstantId, Formula> = BTreeMap::new();
        for (condition, term, sum) in self.leaves(value) {
            for (extra, constant) in self.constants_of(&condition, &term, sum)? {
                if !self.universe.spend_on(&condition) {
                    return Ok(Vec::new());
                }
                let whole = and([condition.clone(), extra]);
                let known = cases.remove(&constant).unwrap_or(Formula::False);
                cases.insert(constant, or([known, whole]));
            }
        }
        if cases.len() > MOST_CASES {
            return Err(Reason::TooManyCases { cases: cases.len() });
        }
        let cases = cases
            .into_iter()
            .map(|(constant, condition)| (simplify(self.universe, &mut self.facts, &condition), constant));
        Ok(cases.filter(|(condition, _)| *condition != Formula::False).collect())
    }

    /// Returns the constants that a term plus a number can be.
    pub(super) fn constants_of(
        &mut self,
        condition: &Formula,
        term: &Term,
        sum: i64,
    ) -> Result<Vec<(Formula, ConstantId)>, Reason> {
        match term {
            Term::Zero => Ok(vec![(Formula::True, self.universe.integer(sum))]),
            Term::Read(..) if self.universe.is_number(term) => Err(Reason::AnyNumber),
            Term::Constant(constant) => Ok(vec![(Formula::True, *constant)]),
            Term::Index(index) => Err(Reason::IndexAsNumber {
                index_type: self.universe.index_types[self.universe.type_of(*index).index()].name.clone(),
            }),
            Term::Read(cell, _) => {
                let sort = self.universe.sort_of(*cell).clone();
                if let Some(index_type) = sort.index_types.first() {
                    return Err(Reason::IndexAsNumber {
                        index_type: self.universe.index_types[index_type.index()].name.clone(),
                    });
                }
                if sort.constants.len() > MOST_CASES {
                    return Err(Reason::TooManyCases { cases: sort.constants.len() });
                }
                let facts = self.facts.with(self.universe, condition, true);
                let mut cases = Vec::new();
                // If it is undefined, the run had an error already.
                let undefined = self.universe.undefined;
                for &constant in sort.constants.iter().filter(|&&constant| Some(constant) != undefined) {
                    match facts.decide(self.universe, term, &Term::Constant(constant)) {
                        Some(false) => {}
                        Some(true) => return Ok(vec![(Formula::True, constant)]),
                        None => cases.push((equal(self.universe, term, &Term::Constant(constant)), constant)),
                    }
                }
                Ok(cases)
            }
        }
    }

    /// Returns the leaves of a value, each with the condition that leads to it and with what is added to the term. An
    /// undefined leaf is an error.
    pub(super) fn leaves(&mut self, value: &Value) -> Vec<(Formula, Term, i64)> {
        if self.universe.is_exhausted() {
            return Vec::new();
        }
        match value {
            Value::Arbitrary => {
                self.error(Formula::True);
                Vec::new()
            }
            Value::Term(term) => {
                if self.undefined_leaf(value) {
                    return Vec::new();
                }
                vec![(Formula::True, term.clone(), 0)]
            }
            Value::Sum(term, sum) => {
                self.looked_at(value);
                vec![(Formula::True, term.clone(), *sum)]
            }
            Value::If(condition, yes, no) => {
                let mut all = Vec::new();
                for (truth, branch) in [(true, yes), (false, no)] {
                    let inner = self.under(condition, truth, |m| m.leaves(branch));
                    let own = if truth { condition.clone() } else { not(condition.clone()) };
                    for (inner, term, sum) in inner {
                        // A value with many leaves has long conditions at each of them.
                        if !self.universe.spend_on(&inner) {
                            return Vec::new();
                        }
                        all.push((and([own.clone(), inner]), term, sum));
                    }
                }
                all
            }
        }
    }

    /// Builds the value that is each constant under its condition.
    pub(super) fn value_of_cases(&mut self, cases: Vec<(Formula, ConstantId)>) -> Value {
        let mut merged: BTreeMap<ConstantId, Formula> = BTreeMap::new();
        for (condition, constant) in cases {
            let known = merged.remove(&constant).unwrap_or(Formula::False);
            merged.insert(constant, or([known, condition]));
        }
        let mut value: Option<Value> = None;
        for (constant, condition) in merged.into_iter().rev() {
            let own = Value::Term(Term::Constant(constant));
            value = Some(match value {
                None => own,
                Some(rest) => choose(condition, own, rest),
            });
        }
        let value = value.unwrap_or(Value::Arbitrary);
        simplify_value(self.universe, &mut self.facts, &value)
    }

    /// Applies an operation on integers by cases; if it returns `None`, the path has an error.
    ///
    /// # Errors
    /// Returns an error if an operand is not a finite number.
    pub(super) fn arithmetic(
        &mut self,
        left: &Value,
        right: &Value,
        operation: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<Value, Reason> {
        let mut cases = Vec::new();
        for (condition, result) in self.pairs(left, right, operation)? {
            match result {
                Some(number) => {
                    let constant = self.universe.integer(number);
                    cases.push((condition, constant));
                }
                None => self.error(condition),
            }
        }
        Ok(self.value_of_cases(cases))
    }

    /// Compares integers by cases.
    ///
    /// # Errors
    /// Returns an error if an operand is not a finite number.
    pub(super) fn comparison(
        &mut self,
        left: &Value,
        right: &Value,
        holds: impl Fn(i64, i64) -> bool,
    ) -> Result<Formula, Reason> {
        let pairs = self.pairs(left, right, |a, b| Some(holds(a, b)))?;
        let holding = pairs.into_iter().filter(|(_, result)| *result == Some(true)).map(|(condition, _)| condition);
        let formula = or(holding);
        Ok(simplify(self.universe, &mut self.facts, &formula))
    }

    /// Returns the result for each pair of numbers that two values can be.
    fn pairs<T>(
        &mut self,
        left: &Value,
        right: &Value,
        operation: impl Fn(i64, i64) -> Option<T>,
    ) -> Result<Vec<(Formula, Option<T>)>, Reason> {
        let (left, right) = (self.cases(left)?, self.cases(right)?);
        if left.len() * right.len() > MOST_PAIRS {
            return Err(Reason::TooManyCases { cases: left.len() * right.len() });
        }
        let mut results = Vec::new();
        for (left_condition, a) in &left {
            for (right_condition, b) in &right {
                let (a, b) = (self.number(*a)?, self.number(*b)?);
                let condition = and([left_condition.clone(), right_condition.clone()]);
                let condition = simplify(self.universe, &mut self.facts, &condition);
                if condition != Formula::False {
                    results.push((condition, operation(a, b)));
                }
            }
        }
        Ok(results)
    }

    pub(super) fn number(&self, constant: ConstantId) -> Result<i64, Reason> {
        self.universe
            .integers
            .get(&constant)
            .copied()
            .ok_or_else(|| Reason::NoNumber { constant: self.universe.constants[constant.index()].name.clone() })
    }

    /// Returns the value as it can be stored in a cell of a sort: if it is outside of the sort, the path has an error.
    ///
    /// # Errors
    /// Returns an error if the contents of a read must be determined, and depend on the iteration of a loop or have too
    /// many cases.
    pub(super) fn fitted(&mut self, value: &Value, sort: SortId) -> Result<Value, Reason> {
        if self.universe.is_exhausted() {
            return Ok(Value::Arbitrary);
        }
        match value {
            Value::Arbitrary => Ok(Value::Arbitrary),
            Value::Term(_) | Value::Sum(..) if self.universe.sorts[sort.index()].numbers.is_some() => {
                self.fitted_number(value, sort)
            }
            Value::If(condition, yes, no) => {
                let yes = self.under(condition, true, |m| m.fitted(yes, sort))?;
                let no = self.under(condition, false, |m| m.fitted(no, sort))?;
                Ok(choose(condition.clone(), yes, no))
            }
            Value::Sum(..) => self.element_or_constant(value, sort, false),
            Value::Term(term) if self.is_other_number(term, sort) => {
                let loosely = self.copies_undefined(value);
                self.element_or_constant(value, sort, loosely)
            }
            Value::Term(Term::Read(cell, _)) => {
                let Value::Term(read) = value else { return Ok(value.clone()) };
                self.fitted_read(read, *cell, sort)
            }
            Value::Term(term @ (Term::Constant(_) | Term::Index(_) | Term::Zero)) => Ok(self.fitted_value(term, sort)),
        }
    }

    pub(super) fn fitted_value(&mut self, term: &Term, sort: SortId) -> Value {
        let sort = self.universe.sorts[sort.index()].clone();
        if let Term::Constant(constant) = term
            && self.universe.undefined == Some(*constant)
            && !sort.constants.contains(constant)
        {
            // Whoever copies it back would find a value.
            self.universe.set_apart();
            return Value::Arbitrary;
        }
        let term = self.universe.as_element(term, &sort.index_types);
        if !self.universe.may_be_in(&term, &sort) {
            self.universe.meet_sort(&term, &sort);
            self.error(Formula::True);
            return Value::Arbitrary;
        }
        Value::Term(term)
    }

    /// Handles a read of a sort with more values than the cell has: its contents are split into cases, so that the
    /// value stays in the cell's sort in every state.
    fn fitted_read(&mut self, read: &Term, cell: VariableId, sort: SortId) -> Result<Value, Reason> {
        let own = self.universe.sort_of(cell).clone();
        let wanted = self.universe.sorts[sort.index()].clone();
        let constants_fit = own.constants.iter().all(|constant| wanted.constants.contains(constant));
        if constants_fit && own.index_types.iter().all(|index_type| wanted.index_types.contains(index_type)) {
            return Ok(Value::Term(read.clone()));
        }
        self.universe.meet_sort(read, &wanted);
        let known = self.facts.value_of(read).filter(|known| !matches!(known, Term::Read(..)));
        if let Some(known) = known {
            return Ok(self.fitted_value(&known.clone(), sort));
        }
        let loosely = self.copies_undefined(&Value::Term(read.clone()));
        if own.is_finite() {
            let copied = self.universe.undefined.filter(|undefined| own.constants.contains(undefined));
            let cases = self.constants_of(&Formula::True, read, 0)?;
            let mut fitting = Vec::new();
            for (condition, constant) in cases {
                match wanted.constants.contains(&constant) {
                    true => fitting.push((condition, constant)),
                    false if loosely => {}
                    false => self.error(condition),
                }
            }
            if loosely {
                let fits = |rest, (condition, constant)| choose(condition, Value::Term(Term::Constant(constant)), rest);
                let value = fitting.into_iter().fold(Value::Arbitrary, fits);
                return Ok(simplify_value(self.universe, &mut self.facts, &value));
            }
            let value = self.value_of_cases(fitting);
            return Ok(match copied {
                None => value,
                Some(undefined) => {
                    let is = equal(self.universe, read, &Term::Constant(undefined));
                    choose(is, undefined_value(self.universe, sort), value)
                }
            });
        }
        let mut whole: Option<Value> = None;
        for (condition, target) in self.target(read, &|_, constant| loosely || wanted.constants.contains(&constant))? {
            let term = match target {
                Target::Element(element) => Term::Index(element),
                Target::Constant(constant) => Term::Constant(constant),
            };
            let own = if loosely && !self.universe.may_be_in(&term, &wanted) {
                Value::Arbitrary
            } else {
                self.under(&condition, true, |m| m.fitted_value(&term, sort))
            };
            whole = Some(match whole {
                None => own,
                Some(rest) => choose(condition, own, rest),
            });
        }
        Ok(whole.unwrap_or(Value::Arbitrary))
    }

    /// Returns whether a value may be the copy of an undefined one where that is not a value. Then it is no error if it does
    /// not fit into the place to which it is copied.
    pub(super) fn copies_undefined(&mut self, value: &Value) -> bool {
        let Value::Term(Term::Read(cell, _)) = value else { return false };
        let tracked = self.universe.undefined.filter(|own| self.universe.sort_of(*cell).constants.contains(own));
        if tracked.is_some() || self.universe.is_parameter(*cell) {
            return false;
        }
        if self.is_placeholder(*cell) {
            return self.universe.cells[cell.index()].unset;
        }
        let repeated = self.universe.repeated_by(*cell);
        self.universe.copies.may_be_undefined(repeated)
    }

    /// Returns what a value points to, by cases; pointers are followed, to constants where possible.
    ///
    /// # Errors
    /// Returns an error if a pointer depends on the iteration of a loop.
    pub(super) fn targets(
        &mut self,
        value: &Value,
        followed: &impl Fn(&Universe, ConstantId) -> bool,
    ) -> Result<Vec<(Formula, Target)>, Reason> {
        let mut targets = Vec::new();
        for (condition, term, sum) in self.leaves(value) {
            match &term {
                Term::Zero => targets.push((condition, Target::Constant(self.universe.integer(sum)))),
                // Where an array is indexed by elements, the number was replaced by one.
                Term::Read(..) if self.universe.is_number(&term) => return Err(Reason::AnyNumber),
                Term::Constant(constant) => {
                    targets.push((condition, Target::Constant(*constant)));
                }
                Term::Index(index) => targets.push((condition, Target::Element(*index))),
                Term::Read(cell, _) if self.universe.sort_of(*cell).is_finite() => {
                    for (extra, constant) in self.constants_of(&condition, &term, 0)? {
                        targets.push((and([condition.clone(), extra]), Target::Constant(constant)));
                    }
                }
                Term::Read(..) => {
                    for (extra, target) in self.under(&condition, true, |m| m.target(&term, followed))? {
                        targets.push((and([condition.clone(), extra]), target));
                    }
                }
            }
        }
        Ok(targets)
    }

    /// Returns the condition that a value is a constant, which may be the one for the undefined value.
    pub(super) fn holds_constant(&mut self, value: &Value, constant: ConstantId) -> Formula {
        if self.universe.is_exhausted() {
            return Formula::False;
        }
        match value {
            // If a value is undefined without the constant, `isundefined` is not used on it.
            Value::Arbitrary => Formula::True,
            Value::If(condition, yes, no) => {
                let if_yes = self.under(condition, true, |m| m.holds_constant(yes, constant));
                let if_no = self.under(condition, false, |m| m.holds_constant(no, constant));
                either(condition, if_yes, if_no)
            }
            Value::Term(term) => {
                let equation = equal(self.universe, term, &Term::Constant(constant));
                simplify(self.universe, &mut self.facts, &equation)
            }
            // The undefined value is no number.
            Value::Sum(..) => Formula::False,
        }
    }

    /// Records that looking at a value is an error if it is undefined.
    pub(super) fn looked_at(&mut self, value: &Value) {
        let (Value::Term(term) | Value::Sum(term, _)) = value else { return };
        if let Some(undefined) = self.universe.undefined {
            let is_undefined = equal(self.universe, term, &Term::Constant(undefined));
            self.error(is_undefined);
        }
        if matches!(term, Term::Read(cell, _) if self.universe.cells[cell.index()].unset) {
            let is_undefined = equal(self.universe, term, &Term::Constant(UNSET));
            self.error(is_undefined);
        }
    }

    /// Records that using a value is an error if it is undefined.
    pub(super) fn used(&mut self, value: &Value) {
        match value {
            Value::Arbitrary => self.error(Formula::True),
            Value::If(condition, yes, no) => {
                self.under(condition, true, |m| m.used(yes));
                self.under(condition, false, |m| m.used(no));
            }
            Value::Term(_) | Value::Sum(..) => self.looked_at(value),
        }
    }

    /// Builds a boolean value from a condition without quantifiers.
    pub(super) fn boolean(&self, condition: Formula) -> Value {
        match condition {
            Formula::Equal(read @ Term::Read(..), Term::Constant(TRUE)) if self.is_boolean(&read) => Value::Term(read),
            other => choose(other, Value::Term(Term::Constant(TRUE)), Value::Term(Term::Constant(FALSE))),
        }
    }

    fn is_boolean(&self, read: &Term) -> bool {
        matches!(read, Term::Read(cell, _) if self.universe.sort_of(*cell).constants == [FALSE, TRUE]
            && self.universe.sort_of(*cell).is_finite())
    }

    /// Returns the sort of a cell.
    pub(super) fn sort_id(&self, cell: VariableId) -> SortId {
        self.universe.cells[cell.index()].sort
    }
}

/// `condition & yes | !condition & no`.
pub(super) fn either(condition: &Formula, yes: Formula, no: Formula) -> Formula {
    match (yes, no) {
        (yes, no) if yes == no => yes,
        (Formula::True, no) => or([condition.clone(), no]),
        (Formula::False, no) => and([not(condition.clone()), no]),
        (yes, Formula::True) => or([not(condition.clone()), yes]),
        (yes, Formula::False) => and([condition.clone(), yes]),
        (yes, no) => or([and([condition.clone(), yes]), and([not(condition.clone()), no])]),
    }
}
