//! Operations on numbers that may be any integer, and on elements of ordered index types, which compare as their ranks do.
//!
//! Such a number is a term plus a constant. In place of an element that is given by its rank, as `i + 1` is, the run
//! continues with an element that has this rank.

use super::logic::{and, at_most, choose, not, or, simplify, simplify_value};
use super::reason::Reason;
use super::symbolic::{SymbolicMachine, Target};
use system::{ConstantId, Formula, IndexTerm, IndexTypeId, NUMBER_LIMIT, Role, SortId, Term, Value, VariableId};

/// An element that was given by its rank, or none if there is none.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    index_type: IndexTypeId,
    /// The rank, as a term plus a number.
    rank: (Term, i64),
    element: Option<IndexTerm>,
}

/// A side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// One way in which a number may be given: under this condition, it is the term plus the number.
pub(super) type Sum = (Formula, Term, i64);

impl<O: Clone> SymbolicMachine<'_, O> {
    /// Returns a number as terms plus numbers, by cases where it is read from a finite range or a pointer.
    ///
    /// # Errors
    /// Returns an error if it is no number, or has too many cases.
    pub(super) fn sums(&mut self, value: &Value) -> Result<Vec<Sum>, Reason> {
        let mut sums = Vec::new();
        for (condition, term, sum) in self.leaves(value) {
            if let Some((term, sum)) = self.universe.as_sum(&term, sum) {
                sums.push((condition, term, sum));
            } else if self.universe.has_ranks(&self.universe.index_types_of(&term)) {
                for (extra, target) in self.under(&condition, true, |m| m.target(&term, &|_, _| true))? {
                    let condition = and([condition.clone(), extra]);
                    let (term, own) = self.number_of(target)?;
                    sums.push((condition, term, own + sum));
                }
            } else {
                for (extra, constant) in self.constants_of(&condition, &term, sum)? {
                    sums.push((and([condition.clone(), extra]), Term::Zero, self.number(constant)?));
                }
            }
        }
        Ok(sums)
    }

    fn number_of(&self, target: Target) -> Result<(Term, i64), Reason> {
        let term = match target {
            Target::Element(element) => Term::Index(element),
            Target::Constant(constant) => Term::Constant(constant),
        };
        self.universe.as_sum(&term, 0).ok_or(Reason::AnyNumber)
    }

    /// Returns whether a value may be a number that may be any integer, or an element that has a rank.
    pub(super) fn has_numbers(&self, value: &Value) -> bool {
        match value {
            Value::Sum(..) => true,
            Value::Term(term) => {
                self.universe.is_number(term) || self.universe.has_ranks(&self.universe.index_types_of(term))
            }
            Value::Arbitrary => false,
            Value::If(_, yes, no) => self.has_numbers(yes) || self.has_numbers(no),
        }
    }

    /// Returns whether two terms are compared as numbers: one may be any integer, or one is an element and the other is
    /// none of the same type.
    pub(super) fn are_numbers(&self, one: &Term, other: &Term) -> bool {
        if self.universe.is_number(one) || self.universe.is_number(other) {
            return true;
        }
        let (of_one, of_other) = (self.universe.index_types_of(one), self.universe.index_types_of(other));
        let apart = !of_one.iter().any(|index_type| of_other.contains(index_type));
        apart
            && [(&of_one, other), (&of_other, one)]
                .into_iter()
                .any(|(types, term)| self.universe.has_ranks(types) && self.may_be_number(term))
    }

    /// Returns whether a term may be a number.
    fn may_be_number(&self, term: &Term) -> bool {
        let is_integer = |constant: &ConstantId| self.universe.integers.contains_key(constant);
        match term {
            Term::Constant(constant) => is_integer(constant),
            Term::Zero => true,
            Term::Index(_) => self.universe.has_ranks(&self.universe.index_types_of(term)),
            Term::Read(cell, _) => {
                let sort = self.universe.sort_of(*cell);
                sort.numbers.is_some()
                    || self.universe.has_ranks(&sort.index_types)
                    || sort.constants.iter().any(is_integer)
            }
        }
    }

    /// Returns whether a term is a number that a sort holds in another form: an integer in place of an element, or a
    /// number that may be any in place of one of a few.
    pub(super) fn is_other_number(&self, term: &Term, sort: SortId) -> bool {
        let sort = &self.universe.sorts[sort.index()];
        let own = self.universe.index_types_of(term);
        if self.universe.is_number(term) {
            return true;
        }
        let is_apart = !own.iter().any(|index_type| sort.index_types.contains(index_type));
        let integers = sort.constants.iter().any(|constant| self.universe.integers.contains_key(constant));
        let as_element = self.universe.as_element(term, &sort.index_types);
        let is_known = matches!(as_element, Term::Index(_)) && matches!(term, Term::Constant(_));
        is_apart
            && !is_known
            && self.may_be_number(term)
            && (self.universe.has_ranks(&sort.index_types) || (self.universe.has_ranks(&own) && integers))
    }

    /// Adds or subtracts numbers.
    ///
    /// # Errors
    /// Returns an error if the result is not a number plus a constant.
    pub(super) fn sum(&mut self, left: &Value, right: &Value, subtract: bool) -> Result<Value, Reason> {
        let (left, right) = (self.sums(left)?, self.sums(right)?);
        let mut results = Vec::new();
        for (left_condition, left, a) in &left {
            for (right_condition, right, b) in &right {
                let (term, sum) = match (left, right, subtract) {
                    (term, Term::Zero, false) | (Term::Zero, term, false) => (term, a.checked_add(*b)),
                    (term, Term::Zero, true) => (term, a.checked_sub(*b)),
                    (one, other, true) if one == other => (&Term::Zero, a.checked_sub(*b)),
                    (Term::Read(..) | Term::Zero | Term::Constant(_) | Term::Index(_), _, _) => {
                        return Err(Reason::AnyNumber);
                    }
                };
                let sum = sum.filter(|sum| sum.abs() <= NUMBER_LIMIT).ok_or(Reason::AnyNumber)?;
                let condition = and([left_condition.clone(), right_condition.clone()]);
                results.push((condition, number(term.clone(), sum)));
            }
        }
        Ok(self.chosen(results))
    }

    /// Returns the remainder by a number, if the dividend is known not to be negative or greater than the divisor: then it
    /// is the dividend, or 0 if both are equal.
    ///
    /// # Errors
    /// Returns an error if that is not known.
    pub(super) fn remainder(&mut self, left: &Value, right: &Value) -> Result<Value, Reason> {
        let (dividends, divisors) = (self.sums(left)?, self.sums(right)?);
        let [(_, divisor, more)] = &divisors[..] else { return Err(Reason::AnyNumber) };
        let mut results = Vec::new();
        for (condition, term, sum) in dividends {
            let Term::Read(cell, _) = term else { return Err(Reason::AnyNumber) };
            let limits = self.universe.limits_of(cell);
            let is_positive = matches!(limits.low, Some((Term::Zero, low)) if low + sum >= 0);
            let is_below = limits.high.is_some_and(|(high, last)| high == *divisor && last + sum <= *more);
            if !is_positive || !is_below {
                return Err(Reason::AnyNumber);
            }
            let is_divisor = at_most(divisor, &term, sum - more);
            results.push((and([condition.clone(), is_divisor.clone()]), Value::Term(Term::Zero)));
            results.push((and([condition, not(is_divisor)]), number(term, sum)));
        }
        Ok(self.chosen(results))
    }

    /// Builds the value that is each of these under its condition. The conditions exclude each other, and one holds
    /// unless the run had an error.
    fn chosen(&mut self, results: Vec<(Formula, Value)>) -> Value {
        let mut value: Option<Value> = None;
        for (condition, own) in results.into_iter().rev() {
            value = Some(match value {
                None => own,
                Some(rest) => choose(condition, own, rest),
            });
        }
        let value = value.unwrap_or(Value::Arbitrary);
        simplify_value(self.universe, &mut self.facts, &value)
    }

    /// Returns the condition that the first value plus a number is at most the second, if they are numbers.
    ///
    /// # Errors
    /// Returns an error if one is no number, or has too many cases.
    pub(super) fn at_most(&mut self, left: &Value, right: &Value, plus: i64) -> Result<Formula, Reason> {
        let (left, right) = (self.sums(left)?, self.sums(right)?);
        let mut any = Vec::new();
        for (left_condition, left, a) in &left {
            for (right_condition, right, b) in &right {
                let difference = b.checked_sub(*a).and_then(|sum| sum.checked_sub(plus));
                let difference = difference.filter(|sum| sum.abs() <= NUMBER_LIMIT).ok_or(Reason::AnyNumber)?;
                any.push(and([left_condition.clone(), right_condition.clone(), at_most(left, right, difference)]));
            }
        }
        Ok(simplify(self.universe, &mut self.facts, &or(any)))
    }

    /// Returns the condition that the first value plus a number is at most the second, if the first (or if that is `right`,
    /// the second) counts twice and the other one is made of constants.
    ///
    /// # Errors
    /// Returns an error if one is no number, or has too many cases.
    pub(super) fn at_most_doubled(
        &mut self,
        (left, right): (&Value, &Value),
        plus: i64,
        doubled: Side,
    ) -> Result<Formula, Reason> {
        let (left, right) = (self.sums(left)?, self.sums(right)?);
        let mut any = Vec::new();
        for (left_condition, left, a) in &left {
            for (right_condition, right, b) in &right {
                let holds = match doubled {
                    // 2 * (left + a) + plus <= right + b
                    Side::Left => {
                        let (half, more) = self.half(right, b.checked_sub(plus).ok_or(Reason::AnyNumber)?)?;
                        at_most(left, &half, more - a)
                    }
                    // left + a + plus <= 2 * (right + b)
                    Side::Right => {
                        let up = a.checked_add(plus).and_then(|sum| sum.checked_add(1));
                        let (half, more) = self.half(left, up.ok_or(Reason::AnyNumber)?)?;
                        at_most(&half, right, b - more)
                    }
                };
                any.push(and([left_condition.clone(), right_condition.clone(), holds]));
            }
        }
        Ok(simplify(self.universe, &mut self.facts, &or(any)))
    }

    /// Returns half of a number, rounded down, as a term plus a number, if it is a constant plus a number.
    fn half(&self, term: &Term, sum: i64) -> Result<(Term, i64), Reason> {
        let (even, odd) = (sum.div_euclid(2), usize::from(sum.rem_euclid(2) == 1));
        if sum.abs() > NUMBER_LIMIT {
            return Err(Reason::AnyNumber);
        }
        match term {
            Term::Zero => Ok((Term::Zero, even)),
            Term::Read(cell, _) => {
                let halves = self.universe.halves.get(cell).ok_or(Reason::AnyNumber)?;
                Ok((Term::Read(halves[odd], Vec::new()), even))
            }
            Term::Constant(_) | Term::Index(_) => Err(Reason::AnyNumber),
        }
    }

    /// Returns half of a value that is made of constants, rounded down.
    ///
    /// # Errors
    /// Returns an error if it may be negative, so that Murphi rounds it up, or if it is not made of constants.
    pub(super) fn halved(&mut self, value: &Value) -> Result<Value, Reason> {
        let mut results = Vec::new();
        for (condition, term, sum) in self.sums(value)? {
            let least = match &term {
                Term::Zero => sum,
                Term::Read(cell, _) => {
                    let least = self.universe.sorts[self.universe.cells[cell.index()].sort.index()].numbers;
                    least.map_or(-1, |numbers| numbers.low.saturating_add(sum))
                }
                Term::Constant(_) | Term::Index(_) => -1,
            };
            if least < 0 {
                return Err(Reason::AnyNumber);
            }
            let (term, sum) = self.half(&term, sum)?;
            results.push((condition, number(term, sum)));
        }
        Ok(self.chosen(results))
    }

    /// Returns the condition that two values without conditions are the same number.
    pub(super) fn same_number(&mut self, left: &Value, right: &Value) -> Formula {
        self.looked_at(left);
        self.looked_at(right);
        match (self.at_most(left, right, 0), self.at_most(right, left, 0)) {
            (Ok(below), Ok(above)) => and([below, above]),
            // What cannot be compared is refused at its place.
            (Err(_), _) | (_, Err(_)) => {
                self.universe.set_apart();
                Formula::False
            }
        }
    }

    /// Returns a value without conditions as it can be stored in a cell of a sort of numbers. It is an error if it is
    /// outside of the limits of the sort, as far as these are known.
    pub(super) fn fitted_number(&mut self, value: &Value, sort: SortId) -> Result<Value, Reason> {
        if matches!((value, self.universe.undefined), (Value::Term(Term::Constant(c)), Some(u)) if *c == u) {
            self.universe.set_apart();
            return Ok(Value::Arbitrary);
        }
        if let Value::Term(Term::Read(cell, _)) = value
            && self.sort_id(*cell) == sort
        {
            // It is within the limits already. An undefined value is copied.
            return Ok(value.clone());
        }
        let mut limits = self.universe.limits.get(&sort).cloned().unwrap_or_default();
        if self.universe.reads_nothing {
            // A startstate that leaves a limit which is read has no state; letting it have one only adds states.
            limits.only_known();
        }
        let loosely = self.copies_undefined(value);
        let mut results = Vec::new();
        for (condition, term, sum) in self.sums(value)? {
            let too_small = limits.low.as_ref().map(|(low, plus)| at_most(&term, low, plus - sum - 1));
            let too_large = limits.high.as_ref().map(|(high, plus)| at_most(high, &term, sum - plus - 1));
            let outside = or(too_small.into_iter().chain(too_large));
            if loosely {
                results.push((condition, choose(outside, Value::Arbitrary, number(term, sum))));
            } else {
                self.under(&condition, true, |m| m.error(outside));
                results.push((condition, number(term, sum)));
            }
        }
        Ok(self.chosen(results))
    }

    /// Returns a number as a value of a sort with elements or few numbers: the element that has this rank, or the constant.
    /// It is an error if there is none.
    pub(super) fn element_or_constant(&mut self, value: &Value, sort: SortId, loosely: bool) -> Result<Value, Reason> {
        self.looked_at(value);
        let wanted = self.universe.sorts[sort.index()].clone();
        let ordered = wanted.index_types.iter().copied().find(|own| self.universe.ranks.contains_key(own));
        let mut results = Vec::new();
        for (condition, term, sum) in self.sums(value)? {
            let mut outside = vec![Formula::True];
            for &constant in &wanted.constants {
                let Some(&integer) = self.universe.integers.get(&constant) else { continue };
                let is = and([at_most(&term, &Term::Zero, integer - sum), at_most(&Term::Zero, &term, sum - integer)]);
                outside.push(not(is.clone()));
                results.push((and([condition.clone(), is]), Value::Term(Term::Constant(constant))));
            }
            let outside = and([condition.clone(), and(outside)]);
            let outside = simplify(self.universe, &mut self.facts, &outside);
            if outside == Formula::False {
                continue;
            }
            let element = match ordered {
                Some(index_type) => self.under(&outside, true, |m| m.ranked(index_type, term, sum, loosely))?,
                None => None,
            };
            match element {
                Some(element) => results.push((outside, Value::Term(Term::Index(element)))),
                None if loosely => results.push((outside, Value::Arbitrary)),
                None => self.error(outside),
            }
        }
        Ok(self.chosen(results))
    }

    /// Returns the element of an ordered index type that has a rank, if the run continues where there is one. If it need not
    /// exist, the run continues without one, too, whatever there is.
    fn ranked(
        &mut self,
        index_type: IndexTypeId,
        term: Term,
        sum: i64,
        loosely: bool,
    ) -> Result<Option<IndexTerm>, Reason> {
        let rank = self.universe.ranks[&index_type];
        match &term {
            Term::Read(cell, elements) if *cell == rank && sum == 0 => return Ok(elements.first().copied()),
            Term::Zero => {
                if let Some(named) = self.universe.element_of_number(sum, &[index_type]) {
                    return Ok(Some(IndexTerm::Named(named)));
                }
            }
            Term::Read(..) | Term::Constant(_) | Term::Index(_) => {}
        }
        let wanted = (term, sum);
        let is_known = |known: &&Ranked| known.index_type == index_type && known.rank == wanted;
        if let Some(known) = self.ranked.iter().find(is_known) {
            return Ok(known.element);
        }
        if self.dry > 0 {
            return Ok(Some(IndexTerm::Variable(self.universe.index_variable("", index_type, Role::Bound))));
        }
        if self.universe.reads_nothing {
            return Err(Reason::AnyNumber);
        }
        if self.quantified > 0 || self.closed {
            // An element that a number gives has a name, or one more quantifier for each use.
            if wanted.0 == Term::Zero {
                return Err(Reason::AnyNumber);
            }
            return Ok(Some(self.ranked_below_quantifier(index_type, &wanted)));
        }
        if let Some(neighbour) = self.ranked_in_loop(index_type, &wanted)? {
            return Ok(Some(neighbour));
        }
        self.independent(&at_most(&wanted.0, &Term::Zero, sum))?;
        let element = if (self.path.is_true() && !loosely) || self.fork(2) == 0 {
            let own = IndexTerm::Variable(self.universe.index_variable("", index_type, Role::Target));
            let own_rank = Term::Read(rank, vec![own]);
            self.assume(and([at_most(&own_rank, &wanted.0, sum), at_most(&wanted.0, &own_rank, -sum)]));
            Some(own)
        } else {
            // The path that needs the element is not taken.
            self.labels.push("no such element".to_owned());
            None
        };
        self.ranked.push(Ranked { index_type, rank: wanted, element });
        Ok(element)
    }

    /// Returns the value of an index, with elements in place of numbers if the array has such elements.
    pub(super) fn as_index(
        &mut self,
        index: &Value,
        index_types: &[IndexTypeId],
        constants: &[ConstantId],
    ) -> Result<Value, Reason> {
        if !self.has_numbers(index) && !self.universe.has_ranks(index_types) {
            return Ok(index.clone());
        }
        match index {
            Value::Arbitrary => Ok(Value::Arbitrary),
            Value::If(condition, yes, no) => {
                let yes = self.under(condition, true, |m| m.as_index(yes, index_types, constants))?;
                let no = self.under(condition, false, |m| m.as_index(no, index_types, constants))?;
                Ok(choose(condition.clone(), yes, no))
            }
            Value::Term(_) | Value::Sum(..) => {
                let sort = self.universe.sort("", index_types.to_vec(), constants.to_vec());
                let is_other = match index {
                    Value::Term(term) => self.is_other_number(term, sort),
                    Value::Sum(..) | Value::Arbitrary | Value::If(..) => true,
                };
                if is_other { self.element_or_constant(index, sort, false) } else { Ok(index.clone()) }
            }
        }
    }

    /// Returns a new value of a number that the rule chooses, within the limits of its sort as far as these are known.
    pub(super) fn choice(&mut self, choice: VariableId) -> Value {
        let term = Term::Read(choice, Vec::new());
        let limits = self.universe.limits_of(choice);
        if let Some((low, plus)) = limits.low {
            self.assume(at_most(&low, &term, -plus));
        }
        if let Some((high, plus)) = limits.high {
            self.assume(at_most(&term, &high, plus));
        }
        self.choices.insert(choice);
        Value::Term(term)
    }
}

/// Builds the value of a term plus a number.
pub(super) fn number(term: Term, sum: i64) -> Value {
    if sum == 0 { Value::Term(term) } else { Value::Sum(term, sum) }
}
