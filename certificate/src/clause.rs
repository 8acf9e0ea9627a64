//! Formulas over symbols.
//!
//! In: a formula of a rule and the symbols of its index variables. Out: the same in negation normal form, with its equations
//! in normal form and its quantifiers instantiated, and its truth as far as the truth of its facts is known. It must not
//! know where facts come from.

use system::{Formula, IndexVariable};

use crate::closure::Known;
use crate::fault::Refusal;
use crate::ground::{Environment, Ground, Made, with};

/// A formula over symbols, in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Decided, or a fact.
    Fact(Made),
    /// A conjunction.
    All(Vec<Clause>),
    /// A disjunction.
    Any(Vec<Clause>),
}

impl Clause {
    /// The clause of a formula, or of its negation. A `forall` is the conjunction of its instances over all symbols of
    /// its type.
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
            (Formula::True, true) | (Formula::False, false) => Ok(Self::Fact(Made::True)),
            (Formula::True, false) | (Formula::False, true) => Ok(Self::Fact(Made::False)),
            (Formula::Equal(left, right), _) => {
                let (left, right) = (ground.term(left, environment)?, ground.term(right, environment)?);
                Ok(Self::Fact(ground.equation(left, positive, right)))
            }
            (Formula::Not(inner), _) => Self::of(ground, scope, inner, !positive, environment),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => each(parts).map(Self::All),
            (Formula::And(parts), false) | (Formula::Or(parts), true) => each(parts).map(Self::Any),
            (Formula::Forall(variable, body), true) => {
                let bound = scope.get(variable.index()).ok_or(Refusal::Malformed("a quantifier binds no variable"))?;
                let instance = |symbol| {
                    let environment = with(environment, variable.index(), symbol);
                    Self::of(ground, scope, body, true, &environment)
                };
                ground.symbols_of(bound.index_type).into_iter().map(instance).collect::<Result<_, _>>().map(Self::All)
            }
            (Formula::Forall(..), false) | (Formula::Exists(..), _) => Err(EXISTS),
        }
    }

    /// The truth, part by part, where `knows` says what is known about facts.
    pub(crate) fn truth(&self, knows: &dyn Fn(&Made) -> Known) -> Known {
        let (parts, decisive, neutral) = match self {
            Self::Fact(made) => return knows(made),
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

/// What the lowering turns into parameters does not occur.
pub(crate) const EXISTS: Refusal = Refusal::Malformed("an existential quantifier in a guard or condition");
