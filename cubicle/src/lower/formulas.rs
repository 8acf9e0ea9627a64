//! Formulas in negation normal form.

use system::Formula;

use super::{Fault, Lowering, Refusal, variable_of};
use crate::program::{self, Local, Process, Quantified, Relation, Term};
use system::{FALSE, IndexTerm, TRUE, Value};

/// Which quantifiers a formula may have, once negations are moved inwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Allowed {
    None,
    Universal,
}

impl Lowering<'_> {
    /// Lowers a formula, or its negation.
    pub(super) fn formula(
        &self,
        formula: &program::Formula,
        positive: bool,
        allowed: Allowed,
    ) -> Result<Formula, Refusal> {
        Ok(match formula {
            program::Formula::Constant(truth) if *truth == positive => Formula::True,
            program::Formula::Constant(_) => Formula::False,
            program::Formula::Compare(left, relation, right, span) if self.program.is_number(left) => {
                self.numeric(left, *relation, right, positive).map_err(|fault| (fault, *span))?
            }
            program::Formula::Compare(left, Relation::Equal, right, span) => {
                self.equation(left, positive, right).map_err(|fault| (fault, *span))?
            }
            program::Formula::Compare(left, Relation::Less, right, span) => self.less(left, right, positive, *span)?,
            program::Formula::Compare(left, Relation::LessEqual, right, span) => {
                // At most is not greater than.
                self.less(right, left, !positive, *span)?
            }
            program::Formula::Not(inner) => self.formula(inner, !positive, allowed)?,
            program::Formula::And(parts) if positive => conjunction(self.formulas(parts, positive, allowed)?),
            program::Formula::Or(parts) if !positive => conjunction(self.formulas(parts, positive, allowed)?),
            program::Formula::And(parts) | program::Formula::Or(parts) => {
                disjunction(self.formulas(parts, positive, allowed)?)
            }
            program::Formula::Quantified(quantified) => self.quantified(quantified, positive, allowed)?,
        })
    }

    fn formulas(&self, parts: &[program::Formula], positive: bool, allowed: Allowed) -> Result<Vec<Formula>, Refusal> {
        parts.iter().map(|part| self.formula(part, positive, allowed)).collect()
    }

    fn quantified(&self, quantified: &Quantified, positive: bool, allowed: Allowed) -> Result<Formula, Refusal> {
        if allowed == Allowed::None || quantified.is_universal != positive {
            return Err((Fault::Quantifier { what: quantified.keyword }, quantified.span));
        }
        let body = self.formula(&quantified.body, positive, allowed)?;
        Ok(for_all_different(&quantified.variables, &quantified.apart_from, body))
    }

    /// Lowers an equation that is not about numbers, or its negation.
    fn equation(&self, left: &Term, positive: bool, right: &Term) -> Result<Formula, Fault> {
        let truth = |equal: bool| Ok(if equal == positive { Formula::True } else { Formula::False });
        let (left, right) = match (left, right) {
            (Term::Value(_, one), Term::Value(_, other)) => return truth(one == other),
            (Term::Process(Process::Constant(one)), Term::Process(Process::Constant(other))) => {
                return truth(one == other);
            }
            (one, other) if one == other => return truth(true),
            // A variable comes first, so that equal equations are written in the same way.
            (Term::Value(..) | Term::Process(_), Term::Read(..)) => (right, left),
            _ => (left, right),
        };
        let ((left, _), (right, _)) = (self.summed(left)?, self.summed(right)?);
        let flipped = match &right {
            system::Term::Constant(FALSE) => Some(TRUE),
            system::Term::Constant(TRUE) => Some(FALSE),
            system::Term::Constant(_) | system::Term::Index(_) | system::Term::Read(..) | system::Term::Zero => None,
        };
        Ok(match flipped {
            _ if positive => Formula::Equal(left, right),
            Some(other) => Formula::Equal(left, system::Term::Constant(other)),
            None => Formula::Not(Box::new(Formula::Equal(left, right))),
        })
    }
}

/// Returns the formula that the body holds for all pairwise different processes that differ from the others.
pub(super) fn for_all_different(variables: &[Local], others: &[Local], body: Formula) -> Formula {
    let body = disjunction(equations(variables, others).into_iter().chain([body]).collect());
    variables.iter().rev().fold(body, |inner, variable| Formula::Forall(variable_of(*variable), Box::new(inner)))
}

/// Returns the inequations which say that variables denote pairwise different processes, and others than those.
pub(super) fn all_different(variables: &[Local], others: &[Local]) -> Vec<Formula> {
    equations(variables, others).into_iter().map(|equal| Formula::Not(Box::new(equal))).collect()
}

/// Returns the equations between variables, and between them and the others.
fn equations(variables: &[Local], others: &[Local]) -> Vec<Formula> {
    let index = |local: Local| system::Term::Index(IndexTerm::Variable(variable_of(local)));
    let mut all = Vec::new();
    for (position, variable) in variables.iter().enumerate() {
        for other in others.iter().chain(&variables[..position]) {
            all.push(Formula::Equal(index(*other), index(*variable)));
        }
    }
    all
}

/// Returns the first value where the condition holds, and else the second.
pub(super) fn conditional(condition: Formula, then: Value, otherwise: Value) -> Value {
    if condition == Formula::True {
        then
    } else if condition == Formula::False {
        otherwise
    } else {
        Value::If(condition, Box::new(then), Box::new(otherwise))
    }
}

/// Returns the conjunction without needless parts.
pub(super) fn conjunction(parts: Vec<Formula>) -> Formula {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Formula::True => {}
            Formula::False => return Formula::False,
            Formula::And(inner) => flat.extend(inner),
            Formula::Equal(..)
            | Formula::AtMost(..)
            | Formula::Not(_)
            | Formula::Or(_)
            | Formula::Forall(..)
            | Formula::Exists(..) => {
                flat.push(part);
            }
        }
    }
    match flat.len() {
        0 => Formula::True,
        1 => flat.remove(0),
        _ => Formula::And(flat),
    }
}

/// Returns the disjunction without needless parts.
pub(super) fn disjunction(parts: Vec<Formula>) -> Formula {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Formula::False => {}
            Formula::True => return Formula::True,
            Formula::Or(inner) => flat.extend(inner),
            Formula::Equal(..)
            | Formula::AtMost(..)
            | Formula::Not(_)
            | Formula::And(_)
            | Formula::Forall(..)
            | Formula::Exists(..) => {
                flat.push(part);
            }
        }
    }
    match flat.len() {
        0 => Formula::False,
        1 => flat.remove(0),
        _ => Formula::Or(flat),
    }
}
