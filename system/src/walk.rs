//! Traversals of formulas, values and updates: visits, a map, and common queries.
//!
//! A visit sees each part of a formula; a [`Rewrite`] produces another formula of the same shape. Code that gives each
//! operator its own meaning, such as an evaluator or a printer, matches on the formula directly.

use crate::{Formula, IndexVariableId, Term, Transition, Update, Value, VariableId};

impl Formula {
    /// Returns the operands of the outermost operator, from left to right.
    #[must_use]
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::True | Self::False | Self::Equal(..) | Self::AtMost(..) => &[],
            Self::And(parts) | Self::Or(parts) => parts,
            Self::Not(part) | Self::Forall(_, part) | Self::Exists(_, part) => std::slice::from_ref(part),
        }
    }

    /// Calls `visit` with the formula and all its subformulas, each before its own operands.
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
        self.visit(&mut |formula| {
            if let Self::Equal(left, right) | Self::AtMost(left, right, _) = formula {
                visit(left);
                visit(right);
            }
        });
    }

    /// Returns whether the formula contains a quantifier.
    #[must_use]
    pub fn has_quantifier(&self) -> bool {
        self.any(|formula| matches!(formula, Self::Forall(..) | Self::Exists(..)))
    }

    /// Returns whether `is` holds of the formula or any of its subformulas.
    #[must_use]
    pub fn any(&self, is: impl Fn(&Self) -> bool + Copy) -> bool {
        is(self) || self.parts().iter().any(|part| part.any(is))
    }

    /// Returns the conjuncts of the formula, which is its own only conjunct unless it is a conjunction.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<&Self> {
        match self {
            Self::True => Vec::new(),
            Self::And(parts) => parts.iter().flat_map(Self::conjuncts).collect(),
            Self::False
            | Self::Equal(..)
            | Self::AtMost(..)
            | Self::Not(_)
            | Self::Or(_)
            | Self::Forall(..)
            | Self::Exists(..) => vec![self],
        }
    }

    /// Returns the formula with its terms and bound variables rewritten.
    ///
    /// # Errors
    /// Returns the first error that `rewrite` returns.
    pub fn rewritten<R: Rewrite>(&self, rewrite: &mut R) -> Result<Self, R::Error> {
        Ok(match self {
            Self::True => Self::True,
            Self::False => Self::False,
            Self::Equal(left, right) => Self::Equal(rewrite.term(left)?, rewrite.term(right)?),
            Self::AtMost(left, right, sum) => Self::AtMost(rewrite.term(left)?, rewrite.term(right)?, *sum),
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
    /// Calls `visit` with every term, including those in conditions, from left to right.
    pub fn visit_terms<'v>(&'v self, visit: &mut impl FnMut(&'v Term)) {
        match self {
            Self::Term(term) | Self::Sum(term, _) => visit(term),
            Self::Arbitrary => {}
            Self::If(condition, yes, no) => {
                condition.visit_terms(visit);
                yes.visit_terms(visit);
                no.visit_terms(visit);
            }
        }
    }

    /// Returns the terms that possible values consist of, without conditions and without what is added to them; `None`
    /// represents an arbitrary value.
    #[must_use]
    pub fn leaves(&self) -> Vec<Option<&Term>> {
        match self {
            Self::Term(term) | Self::Sum(term, _) => vec![Some(term)],
            Self::Arbitrary => vec![None],
            Self::If(_, yes, no) => [yes.leaves(), no.leaves()].concat(),
        }
    }

    /// Returns the value with its terms rewritten.
    ///
    /// # Errors
    /// Returns the first error that `rewrite` returns.
    pub fn rewritten<R: Rewrite>(&self, rewrite: &mut R) -> Result<Self, R::Error> {
        Ok(match self {
            Self::Term(term) => Self::Term(rewrite.term(term)?),
            Self::Sum(term, number) => Self::Sum(rewrite.term(term)?, *number),
            Self::Arbitrary => Self::Arbitrary,
            Self::If(condition, yes, no) => {
                let condition = condition.rewritten(rewrite)?;
                Self::If(condition, Box::new(yes.rewritten(rewrite)?), Box::new(no.rewritten(rewrite)?))
            }
        })
    }
}

impl Update {
    /// Returns the value that the update assigns at these arguments, and what its bound variables denote there.
    pub fn value_at<'u, E>(
        &'u self,
        arguments: &'u [E],
    ) -> (&'u Value, impl Iterator<Item = (IndexVariableId, &'u E)>) {
        (&self.value, self.arguments.iter().copied().zip(arguments))
    }

    /// Returns the update with its terms and bound variables rewritten. The state variable stays the same.
    ///
    /// # Errors
    /// Returns the first error that `rewrite` returns.
    pub fn rewritten<R: Rewrite>(&self, rewrite: &mut R) -> Result<Self, R::Error> {
        let around = rewrite.around();
        let arguments = self.arguments.iter().map(|&variable| rewrite.enter(variable)).collect();
        let value = self.value.rewritten(rewrite);
        rewrite.leave(around);
        Ok(Self { variable: self.variable, arguments, value: value? })
    }
}

impl Transition {
    /// Returns the update of a state variable, or `None` if the transition does not update it.
    #[must_use]
    pub fn update_of(&self, variable: VariableId) -> Option<&Update> {
        let at = self.updates.binary_search_by_key(&variable, |update| update.variable).ok()?;
        Some(&self.updates[at])
    }

    /// Returns the value of a state variable at these arguments after the transition, as [`Update::value_at`] does, or
    /// `None` if the transition does not change the variable.
    pub fn value_at<'t, E>(
        &'t self,
        variable: VariableId,
        arguments: &'t [E],
    ) -> Option<(&'t Value, impl Iterator<Item = (IndexVariableId, &'t E)>)> {
        self.update_of(variable).map(|update| update.value_at(arguments))
    }
}

/// A mapping of terms and bound variables that preserves the shape of a formula.
pub trait Rewrite {
    /// Why a term cannot be rewritten.
    type Error;
    /// What [`Rewrite::leave`] needs to restore the state before a binder.
    type Around;

    /// Returns the term that replaces `term`.
    ///
    /// # Errors
    /// Returns an error if there is no such term.
    fn term(&mut self, term: &Term) -> Result<Term, Self::Error>;

    /// Returns the state before a binder.
    fn around(&mut self) -> Self::Around;

    /// Binds a variable until the matching [`Rewrite::leave`], and returns the variable that replaces it.
    fn enter(&mut self, variable: IndexVariableId) -> IndexVariableId;

    /// Restores the state before a binder, as [`Rewrite::around`] returned it.
    fn leave(&mut self, around: Self::Around);
}
