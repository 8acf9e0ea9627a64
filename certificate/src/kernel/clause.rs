//! Formulas over symbols, in negation normal form.

use system::{Comparison, Formula, IndexTypeId, IndexVariable, IndexVariableId};

use super::fault::Refusal;
use super::ground::{Environment, Equation, Ground, UNBOUND};
use super::proof::Symbol;

/// A formula over symbols, in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause<'a> {
    /// Decided, or a fact.
    Fact(Equation),
    /// A conjunction.
    All(Vec<Self>),
    /// A disjunction.
    Any(Vec<Self>),
    /// For each element, the body holds.
    Each(Body<'a>),
    /// For some element, the body holds.
    Some(Body<'a>),
}

/// A formula, or its negation, below a quantifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body<'a> {
    scope: &'a [IndexVariable],
    variable: IndexVariableId,
    formula: &'a Formula,
    positive: bool,
    environment: Environment,
}

impl<'a> Clause<'a> {
    /// The clause of a formula, or of its negation. The environment has the symbols of its free variables.
    ///
    /// # Errors
    /// If the environment has no symbol for a variable of a comparison.
    pub fn of(
        ground: Ground<'_>,
        scope: &'a [IndexVariable],
        formula: &'a Formula,
        positive: bool,
        environment: &Environment,
    ) -> Result<Self, Refusal> {
        let compared = |left, comparison: Comparison, right| {
            let comparison = if positive { comparison } else { comparison.negated() };
            Ok(Self::Fact(ground.compared((left, comparison, right), environment)?))
        };
        let all = |parts: &'a [Formula]| -> Result<_, Refusal> {
            parts.iter().map(|part| Self::of(ground, scope, part, positive, environment)).collect()
        };
        let body = |variable: &IndexVariableId, formula| {
            let environment = environment.clone();
            Body { scope, variable: *variable, formula, positive, environment }
        };
        match (formula, positive) {
            (Formula::True, _) => Ok(Self::Fact(Equation::decided(positive))),
            (Formula::False, _) => Ok(Self::Fact(Equation::decided(!positive))),
            (Formula::Equal(left, right), _) => compared(left, Comparison::Equal, right),
            (Formula::AtMost(left, right, sum), _) => compared(left, Comparison::AtMost(*sum), right),
            (Formula::Not(inner), _) => Self::of(ground, scope, inner, !positive, environment),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => all(parts).map(Self::All),
            (Formula::And(parts), false) | (Formula::Or(parts), true) => all(parts).map(Self::Any),
            (Formula::Forall(variable, formula), true) | (Formula::Exists(variable, formula), false) => {
                Ok(Self::Each(body(variable, formula)))
            }
            (Formula::Forall(variable, formula), false) | (Formula::Exists(variable, formula), true) => {
                Ok(Self::Some(body(variable, formula)))
            }
        }
    }

    /// What it implies, without quantifiers: the instances for each symbol of what holds for each element. What says
    /// that an element exists is left out.
    pub(crate) fn instances(&self, ground: Ground<'_>) -> Result<Self, Refusal> {
        let all = |parts: &[Self]| parts.iter().map(|part| part.instances(ground)).collect::<Result<_, _>>();
        match self {
            Self::Fact(_) => Ok(self.clone()),
            Self::All(parts) => all(parts).map(Self::All),
            Self::Any(parts) => all(parts).map(Self::Any),
            Self::Each(body) => all(&body.instances(ground)?).map(Self::All),
            Self::Some(_) => Ok(Self::Fact(Equation::True)),
        }
    }

    /// Its truth, part by part, if that is known.
    pub(crate) fn truth(&self, knows: &dyn Fn(&Equation) -> Option<bool>) -> Option<bool> {
        let (parts, decisive) = match self {
            Self::Fact(equation) => return knows(equation),
            Self::All(parts) => (parts, false),
            Self::Any(parts) => (parts, true),
            Self::Each(_) | Self::Some(_) => return None,
        };
        let mut is_open = false;
        for part in parts {
            match part.truth(knows) {
                Some(truth) if truth == decisive => return Some(decisive),
                truth => is_open |= truth.is_none(),
            }
        }
        (!is_open).then_some(!decisive)
    }
}

impl<'a> Body<'a> {
    /// The type of the elements.
    pub(crate) fn index_type(&self) -> Result<IndexTypeId, Refusal> {
        self.scope.get(self.variable.index()).map(|own| own.index_type).ok_or(UNBOUND)
    }

    /// What it says about an element.
    pub(crate) fn at(&self, ground: Ground<'_>, symbol: Symbol) -> Result<Clause<'a>, Refusal> {
        let mut environment = self.environment.clone();
        environment.insert(self.variable, symbol);
        Clause::of(ground, self.scope, self.formula, self.positive, &environment)
    }

    /// What it says about each symbol of the type.
    pub(crate) fn instances(&self, ground: Ground<'_>) -> Result<Vec<Clause<'a>>, Refusal> {
        ground.symbols_of(self.index_type()?).into_iter().map(|symbol| self.at(ground, symbol)).collect()
    }

    /// Whether it says somewhere that an element exists.
    pub(crate) fn promises(&self) -> bool {
        promises(self.formula, self.positive)
    }
}

fn promises(formula: &Formula, positive: bool) -> bool {
    match formula {
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) => false,
        Formula::Not(inner) => promises(inner, !positive),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| promises(part, positive)),
        Formula::Forall(_, body) => !positive || promises(body, positive),
        Formula::Exists(_, body) => positive || promises(body, positive),
    }
}
