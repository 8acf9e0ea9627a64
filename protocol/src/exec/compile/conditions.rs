//! Conditions.

use super::{Binding, Compiler, constant_range};
use crate::exec::BuildError;
use crate::exec::code::{Compare, Cond, Expr, Range, What};
use crate::exec::layout::Slot;
use crate::exec::run::compare;
use crate::program::{Binary, Binder, Expression, ExpressionKind, Over, Unary};

impl Compiler<'_> {
    /// The truth of an expression. No statement is left to run before.
    pub(super) fn condition(&mut self, expression: &Expression) -> Result<Cond, BuildError> {
        match &expression.kind {
            ExpressionKind::Boolean(truth) => Ok(Cond::Const(*truth)),
            ExpressionKind::Unary(Unary::Not, inner) => self.condition(inner).map(negation),
            ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExpressionKind::Forall(binder, body) => self.quantified(true, binder, body),
            ExpressionKind::Exists(binder, body) => self.quantified(false, binder, body),
            ExpressionKind::IsUndefined(place) => self.undefined(place),
            ExpressionKind::IsMember(value, ty) => {
                let domain = self.domain(*ty, expression.span)?;
                Ok(match self.expression(value)? {
                    Expr::Const(value) => Cond::Const(domain.encode(value).is_some()),
                    value => Cond::Member(Box::new(value), domain),
                })
            }
            _ => Ok(match self.expression(expression)? {
                Expr::Const(value) => Cond::Const(value != 0),
                Expr::Truth(condition) => *condition,
                value => truth_of(value),
            }),
        }
    }

    fn undefined(&mut self, place: &Expression) -> Result<Cond, BuildError> {
        let (binding, before) = self.scoped(|compiler| compiler.designator(place))?;
        let condition = match binding {
            Some(Binding::Place(place)) => Cond::Undefined(Box::new(self.cell(&place))),
            _ => Cond::Const(false),
        };
        Ok(if before.is_empty() { condition } else { Cond::Seq(Box::new((before, condition))) })
    }

    fn binary(&mut self, operator: Binary, left: &Expression, right: &Expression) -> Result<Cond, BuildError> {
        let compare = match operator {
            Binary::And => return Ok(conjunction(vec![self.condition(left)?, self.condition(right)?])),
            Binary::Or => return Ok(disjunction(vec![self.condition(left)?, self.condition(right)?])),
            Binary::Implies => {
                return Ok(disjunction(vec![negation(self.condition(left)?), self.condition(right)?]));
            }
            Binary::Equal => Compare::Equal,
            Binary::Unequal => Compare::Unequal,
            Binary::Less => Compare::Less,
            Binary::LessEqual => Compare::LessEqual,
            Binary::Greater => Compare::Greater,
            Binary::GreaterEqual => Compare::GreaterEqual,
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => Compare::Unequal,
        };
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        Ok(comparison(compare, left, right))
    }

    fn quantified(&mut self, all: bool, binder: &Binder, body: &Expression) -> Result<Cond, BuildError> {
        let range = self.range(binder)?;
        if let Some(values) = self.unrolled(&range) {
            let factor = values.len().max(1) as u64;
            self.copies *= factor;
            let mut parts = Vec::new();
            for value in values {
                self.bindings.insert(binder.variable, Binding::Value(value));
                parts.push(self.condition(body)?);
            }
            self.copies /= factor;
            self.bindings.remove(&binder.variable);
            return Ok(if all { conjunction(parts) } else { disjunction(parts) });
        }
        let register = self.register();
        self.bindings.insert(binder.variable, Binding::Register(register));
        let body = Box::new(self.condition(body)?);
        self.bindings.remove(&binder.variable);
        Ok(Cond::Quantified { all, register, range: Box::new(range), body })
    }

    /// What a bound variable runs over.
    pub(super) fn range(&mut self, binder: &Binder) -> Result<Range, BuildError> {
        let span = self.program.variables[binder.variable.index()].span;
        Ok(match &binder.over {
            Over::Type(ty) => Range::Values(self.domain(*ty, span)?),
            Over::Numbers { from, to, step } => {
                let (from, to, step) = (self.expression(from)?, self.expression(to)?, self.expression(step)?);
                Range::Numbers { from, to, step, site: self.site(What::Step, span) }
            }
        })
    }

    /// The values of a range, where they are known and few enough to copy the code for each.
    pub(super) fn unrolled(&self, range: &Range) -> Option<Vec<i64>> {
        let most = super::MAX_UNROLLED / self.copies;
        match range {
            Range::Values(domain) => (domain.size() <= most).then(|| domain.values()),
            Range::Numbers { from, to, step, .. } => constant_range(from, to, step, most),
        }
    }
}

/// A comparison of two values.
pub(super) fn comparison(operator: Compare, left: Expr, right: Expr) -> Cond {
    if let (Expr::Const(a), Expr::Const(b)) = (&left, &right) {
        return Cond::Const(compare(operator, *a, *b));
    }
    let equal = match operator {
        Compare::Equal => true,
        Compare::Unequal => false,
        Compare::Less | Compare::LessEqual | Compare::Greater | Compare::GreaterEqual => {
            return Cond::Compare(operator, Box::new((left, right)));
        }
    };
    match (&left, &right) {
        (Expr::Slot { slot, before, site }, Expr::Const(value))
        | (Expr::Const(value), Expr::Slot { slot, before, site })
            if fits(*slot, *before, *value) =>
        {
            let code = value.wrapping_sub(*before).cast_unsigned();
            let (word, mask, bits, site) = (slot.word, slot.mask << slot.shift, code << slot.shift, *site);
            if equal { Cond::Bits { word, mask, bits, site } } else { Cond::NotBits { word, mask, bits, site } }
        }
        (Expr::Slot { slot: a, before: i, site: first }, Expr::Slot { slot: b, before: j, site: second }) if i == j => {
            Cond::Slots { left: *a, right: *b, equal, sites: (*first, *second) }
        }
        (Expr::Truth(condition), Expr::Const(truth)) | (Expr::Const(truth), Expr::Truth(condition)) => {
            if (*truth != 0) == equal { (**condition).clone() } else { negation((**condition).clone()) }
        }
        _ => Cond::Compare(operator, Box::new((left, right))),
    }
}

/// Whether the code of a value has room in a slot and is no undefined value.
fn fits(slot: Slot, before: i64, value: i64) -> bool {
    value > before && value.wrapping_sub(before).cast_unsigned() <= slot.mask
}

/// A boolean value as a condition.
fn truth_of(value: Expr) -> Cond {
    match value {
        Expr::Slot { slot, before, site } => {
            let code = 1_i64.wrapping_sub(before).cast_unsigned();
            Cond::Bits { word: slot.word, mask: slot.mask << slot.shift, bits: code << slot.shift, site }
        }
        value => Cond::Value(Box::new(value)),
    }
}

/// The opposite.
pub(super) fn negation(condition: Cond) -> Cond {
    match condition {
        Cond::Const(truth) => Cond::Const(!truth),
        Cond::Bits { word, mask, bits, site } => Cond::NotBits { word, mask, bits, site },
        Cond::NotBits { word, mask, bits, site } => Cond::Bits { word, mask, bits, site },
        Cond::Slots { left, right, equal, sites } => Cond::Slots { left, right, equal: !equal, sites },
        Cond::Not(inner) => *inner,
        Cond::And(parts) => disjunction(parts.into_vec().into_iter().map(negation).collect()),
        Cond::Or(parts) => conjunction(parts.into_vec().into_iter().map(negation).collect()),
        other => Cond::Not(Box::new(other)),
    }
}

/// All of the parts, evaluated from left to right until one is false.
pub(super) fn conjunction(parts: Vec<Cond>) -> Cond {
    joined(parts, false)
}

/// One of the parts, evaluated from left to right until one is true.
pub(super) fn disjunction(parts: Vec<Cond>) -> Cond {
    joined(parts, true)
}

/// The first part with the truth value `end` decides.
fn joined(parts: Vec<Cond>, end: bool) -> Cond {
    let mut flat = Vec::new();
    for part in parts {
        match (part, end) {
            (Cond::And(inner), false) | (Cond::Or(inner), true) => flat.extend(inner),
            (part, _) => flat.push(part),
        }
    }
    let mut kept = Vec::new();
    for part in flat {
        match part {
            Cond::Const(truth) if truth == end => {
                kept.push(Cond::Const(truth));
                break;
            }
            Cond::Const(_) => {}
            part => kept.push(part),
        }
    }
    match kept.len() {
        0 => Cond::Const(!end),
        1 => kept.swap_remove(0),
        _ if end => Cond::Or(kept.into_boxed_slice()),
        _ => Cond::And(kept.into_boxed_slice()),
    }
}
