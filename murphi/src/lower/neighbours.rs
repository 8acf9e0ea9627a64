//! Elements of an ordered index type that are given by the rank of the element for which a loop runs.
//!
//! An iteration of `for k : PLACE do q[k] := q[k + 1]` reads `q` at another element, which depends on `k`: its *neighbour*. During
//! the iteration the neighbour is a variable of its own. After the loop no variable is left of it: the system has a state variable
//! for what `q` is at the neighbour of each element (see [`system::System::repeats`]), and an axiom says so. Each rule that
//! writes `q` makes it arbitrary, which the axiom then determines.
//!
//! Which state variables are needed is known after all rules are lowered. If there are new ones, lowering starts again.

use super::logic::{and, at_most, choose, equal, mentions, not, or, substitute_value};
use super::loops::Loop;
use super::reason::Reason;
use super::sums::number;
use super::symbolic::{Followed, SymbolicMachine};
use super::universe::Universe;
use system::{Formula, IndexTerm, IndexTypeId, IndexVariableId, Role, Term, Value, VariableId};

/// A state variable, the position of an argument, and the difference of the ranks at which the variable is read.
pub(super) type Repeat = (VariableId, u32, i64);

/// The element with the rank of another one plus a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbour {
    pub(super) variable: IndexVariableId,
    pub(super) of: IndexVariableId,
    pub(super) by: i64,
}

impl Universe {
    /// Returns the condition that an element of an ordered type has this rank.
    pub(super) fn has_rank(&self, element: IndexTerm, (term, sum): &(Term, i64)) -> Formula {
        let Some(rank) = self.ranks.get(&self.type_of(element)) else { return Formula::False };
        let own = Term::Read(*rank, vec![element]);
        and([at_most(&own, term, *sum), at_most(term, &own, -sum)])
    }

    fn rank_of(&self, element: IndexTerm) -> Option<Term> {
        self.ranks.get(&self.type_of(element)).map(|rank| Term::Read(*rank, vec![element]))
    }

    /// Returns the condition that no element of an ordered type has this rank, if both limits of the ranks are known.
    fn is_outside(&self, index_type: IndexTypeId, (term, sum): &(Term, i64)) -> Option<Formula> {
        let limits = self.limits_of(*self.ranks.get(&index_type)?);
        let ((low, least), (high, greatest)) = (limits.low?, limits.high?);
        Some(or([at_most(term, &low, least - sum - 1), at_most(&high, term, sum - greatest - 1)]))
    }
}

impl<O: Clone> SymbolicMachine<'_, O> {
    /// Follows a rank below a quantifier by a further bound variable.
    pub(super) fn ranked_below_quantifier(&mut self, index_type: IndexTypeId, rank: &(Term, i64)) -> IndexTerm {
        let outside = self.universe.is_outside(index_type, rank);
        if let Some(outside) = &outside {
            self.error(outside.clone());
        }
        let target = self.universe.index_variable("", index_type, Role::Bound);
        let points = self.universe.has_rank(IndexTerm::Variable(target), rank);
        // Where there is no such element, the path that needs it is not taken.
        let idle = and([outside.unwrap_or(Formula::True), not(self.path.formula())]);
        self.pending.push(Followed { target, points, idle });
        self.binders.push(target);
        IndexTerm::Variable(target)
    }

    /// Returns the neighbour of the element for which a loop runs, if the rank is that of one.
    ///
    /// # Errors
    /// Returns an error if it is not known which ranks there are.
    pub(super) fn ranked_in_loop(
        &mut self,
        index_type: IndexTypeId,
        rank: &(Term, i64),
    ) -> Result<Option<IndexTerm>, Reason> {
        let (Term::Read(own, elements), by) = rank else { return Ok(None) };
        let [of @ IndexTerm::Variable(variable)] = elements[..] else { return Ok(None) };
        let is_loop = self.quantified == 0 && self.binders.contains(&variable);
        if !is_loop || self.universe.ranks.get(&index_type) != Some(own) || self.universe.type_of(of) != index_type {
            return Ok(None);
        }
        let Some(outside) = self.universe.is_outside(index_type, rank) else { return Err(Reason::AnyNumber) };
        self.error(outside);
        Ok(Some(IndexTerm::Variable(self.neighbour(variable, *by))))
    }

    /// Returns whether all numbers from one to another are ranks of elements of an ordered type, if there are any.
    ///
    /// # Errors
    /// Returns an error if one is no number, or has too many cases.
    pub(super) fn are_ranks(&mut self, over: IndexTypeId, (first, last): &(Value, Value)) -> Result<bool, Reason> {
        let limits = self.universe.ranks.get(&over).map(|rank| self.universe.limits_of(*rank)).unwrap_or_default();
        let (Some((low, least)), Some((high, greatest))) = (limits.low, limits.high) else { return Ok(false) };
        let (firsts, lasts) = (self.sums(first)?, self.sums(last)?);
        let limits_of = |m: &Self, term: &Term| match term {
            Term::Read(cell, _) => m.universe.limits_of(*cell),
            Term::Constant(_) | Term::Index(_) | Term::Zero => super::universe::Limits::default(),
        };
        let from = firsts.iter().all(|(_, term, sum)| {
            let own = [Some((term.clone(), 0)), limits_of(self, term).low];
            own.into_iter().flatten().any(|(term, more)| at_most(&low, &term, more + sum - least) == Formula::True)
        });
        let to = lasts.iter().all(|(_, term, sum)| {
            let own = [Some((term.clone(), 0)), limits_of(self, term).high];
            own.into_iter().flatten().any(|(term, more)| at_most(&term, &high, greatest - sum - more) == Formula::True)
        });
        Ok(from && to)
    }

    /// Returns the neighbour of an element.
    fn neighbour(&mut self, of: IndexVariableId, by: i64) -> IndexVariableId {
        if let Some(known) = self.neighbours.iter().find(|known| known.of == of && known.by == by) {
            return known.variable;
        }
        let index_type = self.universe.scope[of.index()].index_type;
        let variable = self.universe.index_variable("", index_type, Role::Bound);
        self.neighbours.push(Neighbour { variable, of, by });
        variable
    }

    /// Returns the neighbours of the element of a loop.
    pub(super) fn neighbours_of(&self, work: &Loop) -> Vec<Neighbour> {
        self.neighbours.iter().filter(|own| own.of == work.variable).copied().collect()
    }

    /// Returns the element of a loop and its neighbours, each with the difference of the ranks.
    pub(super) fn own_elements(&self, work: &Loop) -> Vec<(IndexTerm, i64)> {
        let neighbours = self.neighbours_of(work).into_iter().map(|own| (IndexTerm::Variable(own.variable), own.by));
        std::iter::once((IndexTerm::Variable(work.variable), 0)).chain(neighbours).collect()
    }

    /// Returns new variables for the neighbours of the element of another iteration.
    pub(super) fn other_neighbours(&mut self, work: &Loop) -> Vec<(IndexVariableId, IndexVariableId, i64)> {
        let own = self.neighbours_of(work);
        let mut other =
            |own: Neighbour| (own.variable, self.universe.index_variable("", work.index_type, Role::Bound), own.by);
        own.into_iter().map(&mut other).collect()
    }

    /// Binds the neighbours of the element of a loop in a condition of an iteration.
    pub(super) fn with_neighbours(&self, work: &Loop, condition: Formula) -> Formula {
        self.neighbours_of(work).into_iter().fold(condition, |inner, Neighbour { variable, of, by }| {
            let element = IndexTerm::Variable(variable);
            let Some(rank) = self.universe.rank_of(IndexTerm::Variable(of)) else { return inner };
            if !mentions(&inner, element) {
                return inner;
            }
            Formula::Exists(variable, Box::new(and([self.universe.has_rank(element, &(rank, by)), inner])))
        })
    }

    /// Returns the value that an iteration leaves at an argument whose rank is greater by a number than that of its own element,
    /// the condition that there is such an iteration, and the neighbours of the argument in the value.
    ///
    /// # Errors
    /// Returns an error if it is not known which ranks there are.
    pub(super) fn at_argument(
        &mut self,
        work: &Loop,
        value: &Value,
        (argument, by): (IndexVariableId, i64),
    ) -> Result<(Value, Formula, Vec<Neighbour>), Reason> {
        let mut elements: Vec<(IndexVariableId, i64)> =
            self.neighbours_of(work).into_iter().map(|own| (own.variable, own.by)).collect();
        elements.push((work.variable, 0));
        let mut moved = Vec::new();
        let mut neighbours = Vec::new();
        for (element, own) in elements {
            let new = if own == by {
                argument
            } else {
                let variable = self.universe.index_variable("", work.index_type, Role::Bound);
                neighbours.push(Neighbour { variable, of: argument, by: own - by });
                variable
            };
            moved.push((element, new));
        }
        let value = substitute_value(self.universe, value, &|v| {
            IndexTerm::Variable(moved.iter().find(|(own, _)| *own == v).map_or(v, |(_, new)| *new))
        });
        let exists = match self.universe.rank_of(IndexTerm::Variable(argument)) {
            Some(_) if by == 0 => Formula::True,
            Some(rank) => not(self.universe.is_outside(work.index_type, &(rank, -by)).ok_or(Reason::AnyNumber)?),
            None => Formula::True,
        };
        Ok((value, exists, neighbours))
    }

    /// Returns a value without neighbours: what is read at them is read from the state variables that repeat it.
    ///
    /// # Errors
    /// Returns an error if something else depends on which element a neighbour is.
    pub(super) fn without_neighbours(&mut self, value: &Value, neighbours: &[Neighbour]) -> Result<Value, Reason> {
        if neighbours.is_empty() {
            return Ok(value.clone());
        }
        Ok(match value {
            Value::Arbitrary => Value::Arbitrary,
            Value::Term(term) => self.repeated(term, 0, neighbours)?,
            Value::Sum(term, sum) => self.repeated(term, *sum, neighbours)?,
            Value::If(condition, yes, no) => choose(
                self.condition_without(condition, neighbours)?,
                self.without_neighbours(yes, neighbours)?,
                self.without_neighbours(no, neighbours)?,
            ),
        })
    }

    fn condition_without(&mut self, condition: &Formula, neighbours: &[Neighbour]) -> Result<Formula, Reason> {
        let all = |m: &mut Self, parts: &[Formula]| -> Result<Vec<Formula>, Reason> {
            parts.iter().map(|part| m.condition_without(part, neighbours)).collect()
        };
        Ok(match condition {
            Formula::True | Formula::False => condition.clone(),
            Formula::Not(inner) => not(self.condition_without(inner, neighbours)?),
            Formula::And(parts) => and(all(self, parts)?),
            Formula::Or(parts) => or(all(self, parts)?),
            Formula::Forall(variable, inner) => {
                Formula::Forall(*variable, Box::new(self.condition_without(inner, neighbours)?))
            }
            Formula::Exists(variable, inner) => {
                Formula::Exists(*variable, Box::new(self.condition_without(inner, neighbours)?))
            }
            Formula::AtMost(left, right, sum) => {
                let (left, less) = self.number_without(left, neighbours)?;
                let (right, more) = self.number_without(right, neighbours)?;
                at_most(&left, &right, sum + more - less)
            }
            Formula::Equal(Term::Index(one), Term::Index(other)) => {
                let [own, to] = [*one, *other].map(|element| self.rank_without(element, neighbours));
                if own.is_none() && to.is_none() {
                    return Ok(condition.clone());
                }
                let rank = |element| self.universe.rank_of(element).map(|rank| (rank, 0));
                let (Some((left, less)), Some((right, more))) =
                    (own.or_else(|| rank(*one)), to.or_else(|| rank(*other)))
                else {
                    return Err(Reason::AnyNumber);
                };
                and([at_most(&left, &right, more - less), at_most(&right, &left, less - more)])
            }
            Formula::Equal(left, right) => {
                let (left, right) = (self.repeated(left, 0, neighbours)?, self.repeated(right, 0, neighbours)?);
                let (Value::Term(left), Value::Term(right)) = (&left, &right) else { return Err(Reason::AnyNumber) };
                equal(self.universe, left, right)
            }
        })
    }

    /// Returns the rank of a neighbour by that of the element whose neighbour it is.
    fn rank_without(&self, element: IndexTerm, neighbours: &[Neighbour]) -> Option<(Term, i64)> {
        let own = neighbours.iter().find(|own| element == IndexTerm::Variable(own.variable))?;
        Some((self.universe.rank_of(IndexTerm::Variable(own.of))?, own.by))
    }

    fn number_without(&mut self, term: &Term, neighbours: &[Neighbour]) -> Result<(Term, i64), Reason> {
        match self.repeated(term, 0, neighbours)? {
            Value::Term(term) => Ok((term, 0)),
            Value::Sum(term, sum) => Ok((term, sum)),
            Value::Arbitrary | Value::If(..) => Err(Reason::AnyNumber),
        }
    }

    /// Returns a term plus a number without neighbours.
    fn repeated(&mut self, term: &Term, sum: i64, neighbours: &[Neighbour]) -> Result<Value, Reason> {
        let is_neighbour =
            |element: &IndexTerm| neighbours.iter().any(|own| *element == IndexTerm::Variable(own.variable));
        let at: Vec<usize> =
            (0..).zip(term.elements()).filter(|(_, own)| is_neighbour(own)).map(|(at, _)| at).collect();
        let (Term::Read(cell, arguments), [position]) = (term, &at[..]) else {
            return if at.is_empty() { Ok(number(term.clone(), sum)) } else { Err(Reason::AnyNumber) };
        };
        let found = neighbours.iter().find(|own| arguments[*position] == IndexTerm::Variable(own.variable));
        let Some(Neighbour { of, by, .. }) = found.copied() else { return Err(Reason::AnyNumber) };
        if self.universe.ranks.values().any(|rank| rank == cell) {
            return Ok(number(Term::Read(*cell, vec![IndexTerm::Variable(of)]), sum + by));
        }
        let position = *position;
        let wanted = super::universe::position(position);
        let (base, by) = match self.universe.repeats.iter().find(|(_, own)| *own == cell) {
            None => (*cell, by),
            Some(((base, at, more), _)) if *at == wanted && by + more != 0 => (*base, by + more),
            Some(_) => return Err(Reason::AnyNumber),
        };
        if self.is_placeholder(base) || self.universe.is_parameter(base) || self.universe.chosen.contains(&base) {
            return Err(Reason::AnyNumber);
        }
        let mut moved = arguments.clone();
        moved[position] = IndexTerm::Variable(of);
        match self.universe.repeats.get(&(base, wanted, by)) {
            Some(repeat) => Ok(number(Term::Read(*repeat, moved), sum)),
            None => {
                // Lowering starts again with it.
                self.universe.missing.insert((base, wanted, by));
                Ok(Value::Arbitrary)
            }
        }
    }
}
