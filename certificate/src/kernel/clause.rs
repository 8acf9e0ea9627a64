//! Formulas over symbols, in negation normal form.

use system::{Formula, IndexVariable};

use super::fault::Refusal;
use super::ground::{Environment, Equation, Ground, Shape, type_in, with};

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
        let (shape, positive) = ground.shape(formula, positive, environment)?;
        let all = |parts: &[Formula]| -> Result<Vec<Self>, Refusal> {
            parts.iter().map(|part| Self::of(ground, scope, part, positive, environment)).collect()
        };
        Ok(match shape {
            Shape::Fact(equation) => Self::Fact(equation),
            Shape::All(parts) => Self::All(all(parts)?),
            Shape::Any(parts) => Self::Any(all(parts)?),
            Shape::Each(variable, body) => {
                let instance = |symbol| Self::of(ground, scope, body, positive, &with(environment, variable, symbol));
                let symbols = ground.symbols_of(type_in(scope, variable)?).into_iter();
                Self::All(symbols.map(instance).collect::<Result<_, _>>()?)
            }
            Shape::Some(..) => Self::Fact(Equation::True),
        })
    }

    /// The truth, part by part, given what is known about facts; `None` if it is open.
    pub(crate) fn truth(&self, knows: &dyn Fn(&Equation) -> Option<bool>) -> Option<bool> {
        let (parts, decisive) = match self {
            Self::Fact(equation) => return knows(equation),
            Self::All(parts) => (parts, false),
            Self::Any(parts) => (parts, true),
        };
        let mut result = Some(!decisive);
        for part in parts {
            match part.truth(knows) {
                Some(truth) if truth == decisive => return Some(decisive),
                None => result = None,
                Some(_) => {}
            }
        }
        result
    }
}
