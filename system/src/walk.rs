//! Walks over formulas, values and updates: the fold, the map, and what is asked so often that it has a name.
//!
//! A fold computes something from the parts of a formula, a [`Rewrite`] makes another formula of the same form. Code that
//! gives each operator a meaning of its own, such as an evaluator or a printer, matches on the formula itself.

use crate::{Formula, IndexVariableId, Term, Transition, Update, Value, VariableId};

impl Formula {
    /// The formulas right below the operator, from left to right.
    #[must_use]
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::True | Self::False | Self::Equal(..) => &[],
            Self::And(parts) | Self::Or(parts) => parts,
            Self::Not(part) | Self::Forall(_, part) | Self::Exists(_, part) => std::slice::from_ref(part),
        }
    }

    /// Computes a value from the bottom up: `step` gets a formula and the values of its parts.
    pub fn fold<T>(&self, step: &mut impl FnMut(&Self, Vec<T>) -> T) -> T {
        let parts = self.parts().iter().map(|part| part.fold(step)).collect();
        step(self, parts)
    }

    /// Calls `visit` with the formula and everything in it, each formula before its parts.
    pub fn visit<'f>(&'f self, visit: &mut impl FnMut(&'f Self)) {
        visit(self);
        self.parts().iter().for_each(|part| part.visit(visit));
    }

    /// Calls `visit` with both sides of every equation, from left to right.
    pub fn visit_equations<'f>(&'f self, visit: &mut impl FnMut(&'f Term, &'f Term)) {
        self.visit(&mut |formula| {
            if let Self::Equal(left, right) = formula {
                visit(left, right);
            }
        });
    }

    /// Calls `visit` with every term, from left to right.
    pub fn visit_terms<'f>(&'f self, visit: &mut impl FnMut(&'f Term)) {
        self.visit_equations(&mut |left, right| {
            visit(left);
            visit(right);
        });
    }

    /// Whether there is a quantifier in it.
    #[must_use]
    pub fn has_quantifier(&self) -> bool {
        self.any(|formula| matches!(formula, Self::Forall(..) | Self::Exists(..)))
    }

    /// Whether the formula or something in it is of the kind.
    #[must_use]
    pub fn any(&self, is: impl Fn(&Self) -> bool + Copy) -> bool {
        is(self) || self.parts().iter().any(|part| part.any(is))
    }

    /// The formulas of which it is the conjunction: itself, unless it is one.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<&Self> {
        match self {
            Self::True => Vec::new(),
            Self::And(parts) => parts.iter().flat_map(Self::conjuncts).collect(),
            Self::False | Self::Equal(..) | Self::Not(_) | Self::Or(_) | Self::Forall(..) | Self::Exists(..) => {
                vec![self]
            }
        }
    }

    /// The formula with its terms and bound variables rewritten.
    ///
    /// # Errors
    /// The first that `rewrite` returns.
    pub fn rewritten<R: Rewrite>(&self, rewrite: &mut R) -> Result<Self, R::Error> {
        Ok(match self {
            Self::True => Self::True,
            Self::False => Self::False,
            Self::Equal(left, right) => Self::Equal(rewrite.term(left)?, rewrite.term(right)?),
            Self::Not(part) => Self::Not(Box::new(part.rewritten(rewrite)?)),
            Self::And(parts) => Self::And(all(parts, rewrite)?),
            Self::Or(parts) => Self::Or(all(parts, rewrite)?),
            Self::Forall(variable, body) => {
                let (variable, body) = below(*variable, body, rewrite)?;
                Self::Forall(variable, body)
            }
            Self::Exists(variable, body) => {
                let (variable, body) = below(*variable, body, rewrite)?;
                Self::Exists(variable, body)
            }
        })
    }
}

fn all<R: Rewrite>(parts: &[Formula], rewrite: &mut R) -> Result<Vec<Formula>, R::Error> {
    parts.iter().map(|part| part.rewritten(rewrite)).collect()
}

fn below<R: Rewrite>(
    variable: IndexVariableId,
    body: &Formula,
    rewrite: &mut R,
) -> Result<(IndexVariableId, Box<Formula>), R::Error> {
    let around = rewrite.around();
    let variable = rewrite.enter(variable);
    let body = body.rewritten(rewrite);
    rewrite.leave(around);
    Ok((variable, Box::new(body?)))
}

impl Value {
    /// Calls `visit` with every term, those of conditions included, from left to right.
    pub fn visit_terms<'v>(&'v self, visit: &mut impl FnMut(&'v Term)) {
        match self {
            Self::Term(term) => visit(term),
            Self::Arbitrary => {}
            Self::If(condition, yes, no) => {
                condition.visit_terms(visit);
                yes.visit_terms(visit);
                no.visit_terms(visit);
            }
        }
    }

    /// The values without conditions that it may be; `None` for an arbitrary one.
    #[must_use]
    pub fn leaves(&self) -> Vec<Option<&Term>> {
        match self {
            Self::Term(term) => vec![Some(term)],
            Self::Arbitrary => vec![None],
            Self::If(_, yes, no) => [yes.leaves(), no.leaves()].concat(),
        }
    }

    /// The value with its terms rewritten.
    ///
    /// # Errors
    /// The first that `rewrite` returns.
    pub fn rewritten<R: Rewrite>(&self, rewrite: &mut R) -> Result<Self, R::Error> {
        Ok(match self {
            Self::Term(term) => Self::Term(rewrite.term(term)?),
            Self::Arbitrary => Self::Arbitrary,
            Self::If(condition, yes, no) => {
                let condition = condition.rewritten(rewrite)?;
                Self::If(condition, Box::new(yes.rewritten(rewrite)?), Box::new(no.rewritten(rewrite)?))
            }
        })
    }
}

impl Update {
    /// The value that the update gives at these arguments, and what the bound variables stand for in it.
    pub fn value_at<'u, E>(
        &'u self,
        arguments: &'u [E],
    ) -> (&'u Value, impl Iterator<Item = (IndexVariableId, &'u E)>) {
        (&self.value, self.arguments.iter().copied().zip(arguments))
    }

    /// The update with its terms and bound variables rewritten. The state variable stays.
    ///
    /// # Errors
    /// The first that `rewrite` returns.
    pub fn rewritten<R: Rewrite>(&self, rewrite: &mut R) -> Result<Self, R::Error> {
        let around = rewrite.around();
        let arguments = self.arguments.iter().map(|&variable| rewrite.enter(variable)).collect();
        let value = self.value.rewritten(rewrite);
        rewrite.leave(around);
        Ok(Self { variable: self.variable, arguments, value: value? })
    }
}

impl Transition {
    /// The update of a state variable, if the transition has one.
    #[must_use]
    pub fn update_of(&self, variable: VariableId) -> Option<&Update> {
        let at = self.updates.binary_search_by_key(&variable, |update| update.variable).ok()?;
        Some(&self.updates[at])
    }

    /// The value of a state variable at these arguments after the transition, as [`Update::value_at`] gives it; `None` where
    /// the transition does not change the variable.
    pub fn value_at<'t, E>(
        &'t self,
        variable: VariableId,
        arguments: &'t [E],
    ) -> Option<(&'t Value, impl Iterator<Item = (IndexVariableId, &'t E)>)> {
        self.update_of(variable).map(|update| update.value_at(arguments))
    }
}

/// What terms and bound variables become in a formula of the same form.
pub trait Rewrite {
    /// Why something cannot be rewritten.
    type Error;
    /// What [`Rewrite::leave`] needs to know of the state before a binder.
    type Around;

    /// The term instead of a term.
    ///
    /// # Errors
    /// Where there is none.
    fn term(&mut self, term: &Term) -> Result<Term, Self::Error>;

    /// The state before a binder.
    fn around(&mut self) -> Self::Around;

    /// The variable instead of a variable that is bound from here to the next [`Rewrite::leave`].
    fn enter(&mut self, variable: IndexVariableId) -> IndexVariableId;

    /// What was bound since then is bound no longer.
    fn leave(&mut self, around: Self::Around);
}
