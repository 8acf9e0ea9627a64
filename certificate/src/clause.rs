//! Formulas over symbols.
//!
//! In: a formula of a rule and the symbols of its index variables. Out: the same in negation normal form, with its equations
//! in normal form, and its truth as far as the truth of its facts is known. What becomes of a quantifier is for the
//! caller to say. It must not know where facts come from.

use protocol::system::{Formula, IndexVariableId};

use crate::closure::Known;
use crate::ground::{Environment, Ground, Made};
use crate::obligations::Refusal;

/// A formula over symbols, in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause<'a> {
    /// Decided, or a fact.
    Fact(Made),
    /// A conjunction.
    All(Vec<Clause<'a>>),
    /// A disjunction.
    Any(Vec<Clause<'a>>),
    /// A quantified formula that has not been instantiated.
    Forall(Universal<'a>),
}

/// `forall variable. body`, a part of a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Universal<'a> {
    /// The bound variable, from the scope of the rule.
    pub variable: IndexVariableId,
    /// What holds for all elements.
    pub body: &'a Formula,
}

/// What becomes of a quantified formula.
pub(crate) type Quantifier<'q, 'a> = &'q dyn Fn(Universal<'a>, &Environment) -> Result<Clause<'a>, Refusal>;

impl<'a> Clause<'a> {
    /// The clause of a formula, or of its negation.
    pub(crate) fn of(
        ground: Ground<'_>,
        formula: &'a Formula,
        positive: bool,
        environment: &Environment,
        quantifier: Quantifier<'_, 'a>,
    ) -> Result<Self, Refusal> {
        let each = |parts: &'a [Formula]| -> Result<Vec<Self>, Refusal> {
            parts.iter().map(|part| Self::of(ground, part, positive, environment, quantifier)).collect()
        };
        match (formula, positive) {
            (Formula::True, true) | (Formula::False, false) => Ok(Self::Fact(Made::True)),
            (Formula::True, false) | (Formula::False, true) => Ok(Self::Fact(Made::False)),
            (Formula::Equal(left, right), _) => {
                let (left, right) = (ground.term(left, environment)?, ground.term(right, environment)?);
                Ok(Self::Fact(ground.equation(left, positive, right)))
            }
            (Formula::Not(inner), _) => Self::of(ground, inner, !positive, environment, quantifier),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => each(parts).map(Self::All),
            (Formula::And(parts), false) | (Formula::Or(parts), true) => each(parts).map(Self::Any),
            (Formula::Forall(variable, body), true) => quantifier(Universal { variable: *variable, body }, environment),
            (Formula::Forall(..), false) | (Formula::Exists(..), _) => {
                Err(Refusal::Malformed("an existential quantifier in a guard or condition"))
            }
        }
    }

    /// The truth, part by part, where `knows` says what is known about facts.
    pub(crate) fn truth(&self, knows: &dyn Fn(&Made) -> Known) -> Known {
        match self {
            Self::Fact(made) => knows(made),
            Self::All(parts) => truth_of_all(parts, Known::False, Known::True, knows),
            Self::Any(parts) => truth_of_all(parts, Known::True, Known::False, knows),
            Self::Forall(_) => Known::Open,
        }
    }
}

fn truth_of_all(parts: &[Clause<'_>], decisive: Known, neutral: Known, knows: &dyn Fn(&Made) -> Known) -> Known {
    let mut result = neutral;
    for part in parts {
        match part.truth(knows) {
            truth if truth == decisive => return decisive,
            Known::Open => result = Known::Open,
            Known::True | Known::False => {}
        }
    }
    result
}
