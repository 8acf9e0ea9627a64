//! Ground rules: what a rule does with certain elements as parameters.
//!
//! Formulas, values and updates become tests and assignments over numbered scalars. Quantifiers are expanded, decided
//! parts are folded, and assignments that change nothing are omitted. Undefined scalars are equal to nothing; see the
//! parent module.

use system::{Comparison, Formula, IndexTypeId, Literal, Term, Update, Value, VariableId};

use super::finite::{Code, FiniteSystem, OracleState};

/// A term: a value or a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Code(Code),
    Scalar(usize),
    Zero,
}

/// One side of a bound: a number that the state decides, or a known one as if it were a code, which it need not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Scalar(usize),
    Known(i64),
}

impl Number {
    /// Returns the code, or `None` if the number is undefined.
    fn code(self, state: &[Code]) -> Option<i64> {
        match self {
            Self::Scalar(scalar) => (state[scalar] != 0).then(|| i64::from(state[scalar])),
            Self::Known(code) => Some(code),
        }
    }
}

/// A formula over scalars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    True,
    False,
    /// The scalar has the value.
    Has(usize, Code),
    /// The scalar does not have the value.
    Lacks(usize, Code),
    /// The scalars have the same value.
    Same(usize, usize),
    /// The first number is at most the second plus a number, and both are defined.
    AtMost(Number, Number, i64),
    Not(Box<Test>),
    All(Box<[Test]>),
    Any(Box<[Test]>),
}

/// The value assigned to a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Assigned {
    Code(Code),
    Scalar(usize),
    /// A number plus a number, if that is in the range.
    Sum(Number, i64, (Code, Code)),
    If(Test, Box<Assigned>, Box<Assigned>),
}

/// The effect of a rule: scalars and the values assigned to them, all evaluated in the state before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect(Box<[(usize, Assigned)]>);

impl Test {
    pub(super) fn holds(&self, state: &[Code]) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Has(scalar, code) => state[*scalar] == *code,
            Self::Lacks(scalar, code) => state[*scalar] != *code,
            Self::Same(left, right) => state[*left] != 0 && state[*left] == state[*right],
            Self::AtMost(left, right, sum) => {
                let codes = left.code(state).zip(right.code(state));
                codes.is_some_and(|(left, right)| left <= right + sum)
            }
            Self::Not(inner) => !inner.holds(state),
            Self::All(parts) => parts.iter().all(|part| part.holds(state)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(state)),
        }
    }

    /// Returns whether the test holds, or `None` if that depends on the value of an undefined scalar.
    pub(super) fn truth(&self, state: &[Code]) -> Option<bool> {
        match self {
            Self::True => Some(true),
            Self::False => Some(false),
            Self::Has(scalar, code) => (state[*scalar] != 0).then(|| state[*scalar] == *code),
            Self::Lacks(scalar, code) => (state[*scalar] != 0).then(|| state[*scalar] != *code),
            Self::Same(left, right) if left == right => Some(true),
            Self::Same(left, right) => (state[*left] != 0 && state[*right] != 0).then(|| state[*left] == state[*right]),
            Self::AtMost(left, right, sum) => {
                left.code(state).zip(right.code(state)).map(|(left, right)| left <= right + sum)
            }
            Self::Not(inner) => inner.truth(state).map(|truth| !truth),
            Self::All(parts) => decided(parts, state, false),
            Self::Any(parts) => decided(parts, state, true),
        }
    }

    /// Returns an undefined scalar on whose value it depends whether the test holds, if there is one.
    pub(super) fn needed(&self, state: &[Code]) -> Option<usize> {
        if self.truth(state).is_some() {
            return None;
        }
        let undefined = |scalar: &usize| (state[*scalar] == 0).then_some(*scalar);
        let number = |number: &Number| match number {
            Number::Scalar(scalar) => undefined(scalar),
            Number::Known(_) => None,
        };
        match self {
            Self::True | Self::False => None,
            Self::Has(scalar, _) | Self::Lacks(scalar, _) => undefined(scalar),
            Self::Same(left, right) => undefined(left).or_else(|| undefined(right)),
            Self::AtMost(left, right, _) => number(left).or_else(|| number(right)),
            Self::Not(inner) => inner.needed(state),
            Self::All(parts) | Self::Any(parts) => parts.iter().find_map(|part| part.needed(state)),
        }
    }

    /// Returns the state with values for undefined scalars with which the test holds, if it requires exactly these
    /// values. Each is a possible value of the scalar: this is how a rule follows an undefined pointer to any element.
    pub(super) fn pinned(&self, state: &[Code]) -> Option<OracleState> {
        let parts = if let Self::All(parts) = self { parts } else { std::slice::from_ref(self) };
        let mut pinned: Option<OracleState> = None;
        for part in parts {
            let Self::Has(scalar, code) = part else { continue };
            let now = pinned.as_ref().map_or(state[*scalar], |pinned| pinned[*scalar]);
            if now == 0 {
                pinned.get_or_insert_with(|| state.into())[*scalar] = *code;
            } else if now != *code {
                return None;
            }
        }
        pinned.filter(|pinned| self.holds(pinned))
    }

    fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Has(scalar, code) => Self::Lacks(scalar, code),
            Self::Lacks(scalar, code) => Self::Has(scalar, code),
            Self::AtMost(left, right, sum) => Self::AtMost(right, left, -sum - 1),
            Self::Not(inner) => *inner,
            other @ (Self::Same(..) | Self::All(_) | Self::Any(_)) => Self::Not(Box::new(other)),
        }
    }

    pub(super) fn all(parts: impl Iterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::True => {}
                Self::False => return Self::False,
                Self::All(inner) => kept.extend(inner),
                other @ (Self::Has(..)
                | Self::Lacks(..)
                | Self::Same(..)
                | Self::AtMost(..)
                | Self::Not(_)
                | Self::Any(_)) => kept.push(other),
            }
        }
        match kept.len() {
            0 => Self::True,
            1 => kept.swap_remove(0),
            _ => {
                // Comparisons with values are the cheapest and rule out most states.
                kept.sort_by_key(|part| match part {
                    Self::Has(..) => 0,
                    Self::Lacks(..) | Self::Same(..) | Self::AtMost(..) => 1,
                    Self::True | Self::False | Self::Not(_) | Self::All(_) | Self::Any(_) => 2,
                });
                Self::All(kept.into())
            }
        }
    }

    fn any(parts: impl Iterator<Item = Self>) -> Self {
        Self::all(parts.map(Self::negated)).into_any()
    }

    /// Returns the negation of a conjunction of negations.
    fn into_any(self) -> Self {
        if let Self::All(parts) = self {
            Self::Any(parts.into_vec().into_iter().map(Self::negated).collect())
        } else {
            self.negated()
        }
    }
}

/// Returns whether one of the parts has the truth value `decides`, or `None` if that depends on undefined scalars.
fn decided(parts: &[Test], state: &[Code], decides: bool) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part.truth(state) {
            Some(truth) if truth == decides => return Some(decides),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(!decides)
}

impl Assigned {
    /// Returns an undefined scalar on whose value the assigned value depends, unless it is copied.
    fn needed(&self, state: &[Code]) -> Option<usize> {
        match self {
            Self::Code(_) | Self::Scalar(_) | Self::Sum(..) => None,
            Self::If(test, yes, no) => match test.truth(state) {
                Some(true) => yes.needed(state),
                Some(false) => no.needed(state),
                None => test.needed(state),
            },
        }
    }

    /// Returns the value, or `None` for a number that is out of range.
    fn value(&self, state: &[Code]) -> Option<Code> {
        match self {
            Self::Code(code) => Some(*code),
            Self::Scalar(scalar) => Some(state[*scalar]),
            Self::Sum(number, sum, (low, high)) => match number.code(state) {
                None => Some(0),
                Some(code) => Code::try_from(code + sum).ok().filter(|code| (low..=high).contains(&code)),
            },
            Self::If(test, yes, no) => if test.holds(state) { yes } else { no }.value(state),
        }
    }
}

impl Effect {
    /// Returns an undefined scalar on whose value the effect depends, unless it is copied.
    pub(super) fn needed(&self, state: &[Code]) -> Option<usize> {
        self.0.iter().find_map(|(_, assigned)| assigned.needed(state))
    }

    /// Assigns the values in `next`, which is a copy of `state`. Returns whether all are in their ranges; where one is not,
    /// the instance has no such step.
    #[must_use]
    pub(super) fn apply(&self, state: &[Code], next: &mut [Code]) -> bool {
        self.0.iter().all(|(scalar, assigned)| match assigned.value(state) {
            Some(code) => {
                next[*scalar] = code;
                true
            }
            None => false,
        })
    }
}

/// Grounds the parts of one rule or startstate.
pub(super) struct Grounder<'m, 'a> {
    pub(super) machine: &'m FiniteSystem<'a>,
    pub(super) types: &'m [IndexTypeId],
    /// The element of each variable of the scope.
    pub(super) environment: Vec<u8>,
    /// The codes of the numbers that the rule chooses.
    pub(super) chosen: &'m [(VariableId, Code)],
}

impl Grounder<'_, '_> {
    fn operand(&self, term: &Term) -> Operand {
        match term {
            Term::Constant(constant) => Operand::Code(self.machine.constant(*constant)),
            Term::Index(index) => {
                let (ty, element) = self.machine.index(index, &self.environment, self.types);
                Operand::Code(self.machine.element(ty, element))
            }
            Term::Zero => Operand::Zero,
            Term::Read(variable, arguments) => {
                if let Some((_, code)) = self.chosen.iter().find(|(own, _)| own == variable) {
                    return Operand::Code(*code);
                }
                let elements = arguments.iter().map(|term| self.machine.index(term, &self.environment, self.types).1);
                let Some((of, position, by)) = self.machine.repeats(*variable) else {
                    return Operand::Scalar(self.machine.scalar(*variable, elements));
                };
                // It is not stored. Where there is nothing that it repeats, it is undefined.
                let mut elements: Vec<u8> = elements.collect();
                match self.machine.moved(of, position, elements[position], by) {
                    Some(moved) => {
                        elements[position] = moved;
                        Operand::Scalar(self.machine.scalar(of, elements.into_iter()))
                    }
                    None => Operand::Code(0),
                }
            }
        }
    }

    fn number(&self, term: &Term) -> Number {
        match self.operand(term) {
            Operand::Code(code) => Number::Known(i64::from(code)),
            Operand::Scalar(scalar) => Number::Scalar(scalar),
            Operand::Zero => Number::Known(self.machine.zero()),
        }
    }

    fn at_most(&self, left: &Term, right: &Term, sum: i64) -> Test {
        match (self.number(left), self.number(right)) {
            (Number::Known(left), Number::Known(right)) if left <= right + sum => Test::True,
            (Number::Known(_), Number::Known(_)) => Test::False,
            (left, right) => Test::AtMost(left, right, sum),
        }
    }

    pub(super) fn test(&mut self, formula: &Formula) -> Test {
        match formula {
            Formula::True => Test::True,
            Formula::False => Test::False,
            Formula::Equal(left, right) => match (self.operand(left), self.operand(right)) {
                (Operand::Code(a), Operand::Code(b)) if a == b => Test::True,
                (Operand::Code(_), Operand::Code(_)) => Test::False,
                (Operand::Scalar(scalar), Operand::Code(code)) | (Operand::Code(code), Operand::Scalar(scalar)) => {
                    Test::Has(scalar, code)
                }
                (Operand::Scalar(a), Operand::Scalar(b)) => Test::Same(a, b),
                (Operand::Zero, _) | (_, Operand::Zero) => unreachable!("numbers are compared by bounds"),
            },
            Formula::AtMost(left, right, sum) => self.at_most(left, right, *sum),
            Formula::Not(inner) => self.test(inner).negated(),
            Formula::And(parts) => Test::all(parts.iter().map(|part| self.test(part))),
            Formula::Or(parts) => Test::any(parts.iter().map(|part| self.test(part))),
            Formula::Forall(variable, body) => {
                let size = self.machine.size(self.types[variable.index()]);
                Test::all((0..size).map(|element| {
                    self.environment[variable.index()] = element;
                    self.test(body)
                }))
            }
            Formula::Exists(variable, body) => {
                let size = self.machine.size(self.types[variable.index()]);
                Test::any((0..size).map(|element| {
                    self.environment[variable.index()] = element;
                    self.test(body)
                }))
            }
        }
    }

    /// Returns the test for a conjunction of literals. Literals about undefined scalars do not hold.
    pub(super) fn conjunction(&mut self, literals: &[Literal]) -> Test {
        let tests: Vec<Test> = literals.iter().map(|literal| self.literal(literal)).collect();
        Test::all(tests.into_iter())
    }

    /// Returns the test for a disjunction of literals. Literals about undefined scalars do not hold.
    pub(super) fn disjunction(&mut self, literals: &[Literal]) -> Test {
        let tests: Vec<Test> = literals.iter().map(|literal| self.literal(literal)).collect();
        Test::any(tests.into_iter())
    }

    fn literal(&mut self, literal: &Literal) -> Test {
        match literal.comparison {
            Comparison::AtMost(sum) => return self.at_most(&literal.left, &literal.right, sum),
            Comparison::AtLeast(sum) => return self.at_most(&literal.right, &literal.left, -sum),
            Comparison::Equal | Comparison::Different => {}
        }
        let defined = |operand| match operand {
            Operand::Code(_) | Operand::Zero => Test::True,
            Operand::Scalar(scalar) => Test::Lacks(scalar, 0),
        };
        let (left, right) = (self.operand(&literal.left), self.operand(&literal.right));
        let equal = self.test(&Formula::Equal(literal.left.clone(), literal.right.clone()));
        let truth = if literal.comparison.is_equal() { equal } else { equal.negated() };
        Test::all([defined(left), defined(right), truth].into_iter())
    }

    /// Returns the value that is assigned to a variable, whose numbers, if it is one, have these codes.
    fn assigned(&mut self, value: &Value, range: Option<(Code, Code)>) -> Assigned {
        match (value, range) {
            (Value::Arbitrary, _) => Assigned::Code(0),
            (Value::Sum(term, sum), Some(range)) => Assigned::Sum(self.number(term), *sum, range),
            (Value::Term(term), Some(range)) => Assigned::Sum(self.number(term), 0, range),
            (Value::Sum(..), None) => unreachable!("the system is well-formed"),
            (Value::Term(term), None) => match self.operand(term) {
                Operand::Code(code) => Assigned::Code(code),
                Operand::Scalar(scalar) => Assigned::Scalar(scalar),
                Operand::Zero => unreachable!("the system is well-formed"),
            },
            (Value::If(condition, yes, no), _) => match self.test(condition) {
                Test::True => self.assigned(yes, range),
                Test::False => self.assigned(no, range),
                test @ (Test::Has(..)
                | Test::Lacks(..)
                | Test::Same(..)
                | Test::AtMost(..)
                | Test::Not(_)
                | Test::All(_)
                | Test::Any(_)) => {
                    let (yes, no) = (self.assigned(yes, range), self.assigned(no, range));
                    if yes == no { yes } else { Assigned::If(test, Box::new(yes), Box::new(no)) }
                }
            },
        }
    }

    pub(super) fn effect(&mut self, updates: &[Update]) -> Effect {
        let machine = self.machine;
        let mut found = Vec::new();
        for update in updates.iter().filter(|update| machine.repeats(update.variable).is_none()) {
            for (scalar, elements) in machine.scalars_of(update.variable) {
                for (bound, element) in update.arguments.iter().zip(elements) {
                    self.environment[bound.index()] = *element;
                }
                let range = machine.range_of(update.variable);
                let assigned = self.assigned(&update.value, range);
                let same = range.map(|range| Assigned::Sum(Number::Scalar(scalar), 0, range));
                if assigned != Assigned::Scalar(scalar) && Some(&assigned) != same.as_ref() {
                    found.push((scalar, assigned));
                }
            }
        }
        Effect(found.into())
    }
}
