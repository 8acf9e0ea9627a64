//! Formulas over symbols, in negation normal form.

use system::{Formula, IndexVariable};

use super::closure::Known;
use super::fault::Refusal;
use super::ground::{Environment, Equation, Ground, type_in, with};

/// A formula over symbols, in negation normal form, with its quantifiers instantiated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Decided, or a fact.
    Fact(Equation),
    /// A conjunction.
    All(Vec<Clause>),
    /// A disjunction.
    Any(Vec<Clause>),
}

impl Clause {
    /// The clause of a formula, or of its negation, which implies it. A `forall`, or the negation of an `exists`, is
    /// the conjunction of its instances over all symbols of its type. What says that an element exists is left out.
    pub(crate) fn of(
        ground: Ground<'_>,
        scope: &[IndexVariable],
        formula: &Formula,
        positive: bool,
        environment: &Environment,
    ) -> Result<Self, Refusal> {
        let each = |parts: &[Formula]| -> Result<Vec<Self>, Refusal> {
            parts.iter().map(|part| Self::of(ground, scope, part, positive, environment)).collect()
        };
        match (formula, positive) {
            (Formula::True, true) | (Formula::False, false) => Ok(Self::Fact(Equation::True)),
            (Formula::True, false) | (Formula::False, true) => Ok(Self::Fact(Equation::False)),
            (Formula::Equal(left, right), _) => {
                let (left, right) = (ground.term(left, environment)?, ground.term(right, environment)?);
                Ok(Self::Fact(ground.equation(left, positive, right)))
            }
            (Formula::AtMost(left, right, sum), _) => {
                let (left, right) = (ground.term(left, environment)?, ground.term(right, environment)?);
                Ok(Self::Fact(ground.at_most(left, right, *sum, positive)))
            }
            (Formula::Not(inner), _) => Self::of(ground, scope, inner, !positive, environment),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => each(parts).map(Self::All),
            (Formula::And(parts), false) | (Formula::Or(parts), true) => each(parts).map(Self::Any),
            (Formula::Forall(variable, body), true) | (Formula::Exists(variable, body), false) => {
                let instance =
                    |symbol| Self::of(ground, scope, body, positive, &with(environment, variable.index(), symbol));
                let symbols = ground.symbols_of(type_in(scope, *variable)?).into_iter();
                symbols.map(instance).collect::<Result<_, _>>().map(Self::All)
            }
            (Formula::Forall(..), false) | (Formula::Exists(..), true) => Ok(Self::Fact(Equation::True)),
        }
    }

    /// The truth, part by part, given what is known about facts.
    pub(crate) fn truth(&self, knows: &dyn Fn(&Equation) -> Known) -> Known {
        let (parts, decisive, neutral) = match self {
            Self::Fact(equation) => return knows(equation),
            Self::All(parts) => (parts, Known::False, Known::True),
            Self::Any(parts) => (parts, Known::True, Known::False),
        };
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
}
