//! Approximates conditions on all elements by expressions over the shown ones.
//!
//! For each condition, this module finds the strongest expression over the abstract state that follows from it. It must
//! never return one that does not follow: guards become weaker, never stronger (Chou, Mannava and Park, 2004, section
//! 3).

use std::collections::{BTreeMap, BTreeSet};

use system::VariableId;

use super::space::Space;
use super::symbolic::{Condition, Datum, Element, Equation, is_hidden};
use system::notation::{Expression, Quantifier};

/// What follows from an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Nothing.
    Nothing,
    /// An expression that holds exactly where the equation does.
    Exact(Expression),
    /// An expression that holds where the equation does, and perhaps elsewhere.
    Weak(Expression),
}

/// How an equation is written that speaks of something that may be undefined, where asking for it is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// As it is. The original has asked too.
    Ask,
    /// It does not hold where something is undefined: the original would have met an error.
    Deny,
    /// It counts as true where something is undefined.
    Allow,
}

/// The abstract state, with choices that stand for what is hidden.
#[derive(Clone)]
pub(crate) struct View<'a> {
    pub(crate) space: &'a Space<'a>,
    /// What stands for some reads: choices for hidden state, copies of what is overwritten.
    pub(crate) reads: BTreeMap<Datum, Expression>,
    /// Names of choices that are the truth of positive equations.
    pub(crate) atoms: BTreeMap<Equation, String>,
    /// Elements that stand for what a pointer points to. A pointer that is undefined points to any.
    pub(crate) targets: BTreeSet<Element>,
}

impl View<'_> {
    /// The value of a term, where it is not hidden.
    pub(crate) fn datum(&self, datum: &Datum) -> Option<Expression> {
        match datum {
            Datum::Constant(constant) => Some(self.space.constant(*constant)),
            Datum::Zero => None,
            Datum::Index(element) => Some(self.space.element(element)),
            Datum::Read(variable, arguments) => match self.reads.get(datum) {
                Some(choice) => Some(choice.clone()),
                None if is_hidden(datum) => None,
                None => Some(self.space.read(*variable, arguments)),
            },
        }
    }

    /// What follows from an equation.
    pub(crate) fn equation(&self, equation: &Equation) -> Over {
        let positive = Equation { equal: true, ..equation.clone() };
        if let Some(choice) = self.atoms.get(&positive) {
            let value = Expression::name(if equation.equal { "true" } else { "false" });
            return Over::Exact(Expression::equation(Expression::name(choice), true, value));
        }
        let (Some(left), Some(right)) = (self.datum(&equation.left), self.datum(&equation.right)) else {
            return Over::Nothing;
        };
        if self.space.is_undefined(&equation.right) {
            let Datum::Read(variable, _) = &equation.left else { return Over::Nothing };
            let (yes, no) =
                (self.space.undefined_test(*variable, left.clone()), self.space.defined_test(*variable, left));
            return Over::Exact(if equation.equal { yes } else { no });
        }
        let plain = Expression::equation(left.clone(), equation.equal, right);
        match (&equation.left, &equation.right) {
            (_, Datum::Index(Element::Other(..))) if equation.equal => Over::Weak(plain),
            (_, Datum::Index(Element::Other(..))) => Over::Nothing,
            (Datum::Read(one, _), Datum::Read(two, _)) => {
                let (Some(over), Some(_)) = (self.space.points_into(*one), self.space.points_into(*two)) else {
                    return Over::Exact(plain);
                };
                if equation.equal {
                    return Over::Weak(plain);
                }
                let other = Expression::name(&self.space.type_of(over).other);
                Over::Weak(Expression::or(vec![plain, Expression::equation(left, true, other)]))
            }
            (_, Datum::Constant(_) | Datum::Index(_) | Datum::Read(..)) => Over::Exact(plain),
            (_, Datum::Zero) => Over::Nothing,
        }
    }

    /// What follows from an equation, with what is to be asked before; nothing where nothing follows.
    pub(crate) fn guarded(&self, equation: &Equation, doubt: Doubt) -> Option<Expression> {
        let plain = match self.equation(equation) {
            Over::Nothing => return None,
            Over::Exact(plain) | Over::Weak(plain) => plain,
        };
        if self.space.is_undefined(&equation.right) {
            return Some(plain);
        }
        let is_target = matches!(&equation.right, Datum::Index(element) if self.targets.contains(element));
        let mut asked = Vec::new();
        for (variable, read) in self.doubtful(equation) {
            let pointer = self.space.nobody(variable).is_some();
            let doubt = match doubt {
                Doubt::Ask | Doubt::Deny if is_target && (pointer || doubt == Doubt::Deny) => Doubt::Allow,
                other => other,
            };
            // An undefined pointer has a value of its own, which no element has.
            let plain_says_so = pointer && equation.equal && !matches!(equation.right, Datum::Read(..));
            if doubt == Doubt::Allow || doubt == Doubt::Deny && !plain_says_so {
                asked.push((variable, read, doubt));
            }
        }
        for (variable, read) in self.tracked(equation) {
            asked.push((variable, read, if equation.equal { Doubt::Deny } else { Doubt::Allow }));
        }
        Some(asked.into_iter().fold(plain, |inner, (variable, read, doubt)| match doubt {
            Doubt::Ask => inner,
            Doubt::Deny => conjunction(vec![self.space.defined_test(variable, read), inner]),
            Doubt::Allow => Expression::or(vec![self.space.undefined_test(variable, read), inner]),
        }))
    }

    /// The reads of an equation that may be undefined, as they are written.
    pub(crate) fn doubtful(&self, equation: &Equation) -> Vec<(VariableId, Expression)> {
        self.reads_of(equation, |variable| {
            self.space.may_be_undefined(variable) && !self.space.tracks_undefined(variable)
        })
    }

    fn tracked(&self, equation: &Equation) -> Vec<(VariableId, Expression)> {
        self.reads_of(equation, |variable| self.space.tracks_undefined(variable))
    }

    fn reads_of(&self, equation: &Equation, wanted: impl Fn(VariableId) -> bool) -> Vec<(VariableId, Expression)> {
        let positive = Equation { equal: true, ..equation.clone() };
        if self.atoms.contains_key(&positive) {
            return Vec::new();
        }
        let read = |datum: &Datum| match datum {
            Datum::Read(variable, arguments)
                if wanted(*variable) && !is_hidden(datum) && !self.reads.contains_key(datum) =>
            {
                Some((*variable, self.space.read(*variable, arguments)))
            }
            Datum::Read(..) | Datum::Constant(_) | Datum::Index(_) | Datum::Zero => None,
        };
        [&equation.left, &equation.right].into_iter().filter_map(read).collect()
    }

    /// What follows from a condition; nothing where nothing follows.
    pub(crate) fn condition(&self, condition: &Condition, doubt: Doubt) -> Option<Expression> {
        match condition {
            Condition::Known(true) => None,
            Condition::Known(false) => Some(Expression::Or(Vec::new())),
            Condition::Equation(equation) => self.guarded(equation, doubt),
            Condition::Same(one, equal, other) => {
                Some(Expression::equation(self.space.element(one), *equal, self.space.element(other)))
            }
            Condition::All(parts) => {
                let parts: Vec<_> = parts.iter().filter_map(|part| self.condition(part, doubt)).collect();
                if parts.is_empty() { None } else { Some(conjunction(parts)) }
            }
            Condition::Any(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| self.condition(part, doubt)).collect();
                parts.map(Expression::or)
            }
            Condition::Each(name, index_type, body) => {
                let body = self.condition(body, doubt)?;
                let over = self.space.type_of(*index_type).name.clone();
                Some(Expression::Quantified(Quantifier::Forall, name.clone(), over, Box::new(body)))
            }
        }
    }
}

/// A conjunction in which no conjunct is a conjunction.
pub(crate) fn conjunction(parts: Vec<Expression>) -> Expression {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Expression::And(more) => flat.extend(more),
            other => flat.push(other),
        }
    }
    Expression::and(flat)
}
