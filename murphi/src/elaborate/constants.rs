//! Evaluates constant expressions.

use super::{BOOLEAN, INTEGER};
use crate::program::{Binary, Expression, ExpressionKind, TypeId, Unary};

/// The value of a constant expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    Integer(i64),
    Boolean(bool),
    Member(String, TypeId),
}

impl Constant {
    /// Returns the constant as an expression.
    pub(super) fn expression(&self) -> (ExpressionKind, TypeId) {
        match self {
            Self::Integer(number) => (ExpressionKind::Integer(*number), INTEGER),
            Self::Boolean(truth) => (ExpressionKind::Boolean(*truth), BOOLEAN),
            Self::Member(name, ty) => (ExpressionKind::Member(name.clone()), *ty),
        }
    }
}

/// Evaluates an expression without variables. Returns `None` if it has no value, because of an overflow or a division
/// by zero.
pub(super) fn evaluate(expression: &Expression) -> Option<Constant> {
    match &expression.kind {
        ExpressionKind::Integer(number) => Some(Constant::Integer(*number)),
        ExpressionKind::Boolean(truth) => Some(Constant::Boolean(*truth)),
        ExpressionKind::Member(name) => Some(Constant::Member(name.clone(), expression.ty)),
        ExpressionKind::Unary(operator, inner) => match (operator, evaluate(inner)?) {
            (Unary::Minus, Constant::Integer(number)) => number.checked_neg().map(Constant::Integer),
            (Unary::Not, Constant::Boolean(truth)) => Some(Constant::Boolean(!truth)),
            _ => None,
        },
        ExpressionKind::Binary(operator, left, right) => operate(*operator, evaluate(left)?, evaluate(right)?),
        ExpressionKind::Conditional(condition, yes, no) => match evaluate(condition)? {
            Constant::Boolean(true) => evaluate(yes),
            Constant::Boolean(false) => evaluate(no),
            Constant::Integer(_) | Constant::Member(..) => None,
        },
        _ => None,
    }
}

/// Returns the number that an expression without variables evaluates to.
pub(super) fn evaluate_number(expression: &Expression) -> Option<i64> {
    match evaluate(expression)? {
        Constant::Integer(number) => Some(number),
        Constant::Boolean(_) | Constant::Member(..) => None,
    }
}

fn operate(operator: Binary, left: Constant, right: Constant) -> Option<Constant> {
    match (operator, left, right) {
        (Binary::Equal, left, right) => Some(Constant::Boolean(left == right)),
        (Binary::Unequal, left, right) => Some(Constant::Boolean(left != right)),
        (operator, Constant::Integer(a), Constant::Integer(b)) => arithmetic(operator, a, b),
        (Binary::And, Constant::Boolean(a), Constant::Boolean(b)) => Some(Constant::Boolean(a && b)),
        (Binary::Or, Constant::Boolean(a), Constant::Boolean(b)) => Some(Constant::Boolean(a || b)),
        (Binary::Implies, Constant::Boolean(a), Constant::Boolean(b)) => Some(Constant::Boolean(!a || b)),
        _ => None,
    }
}

fn arithmetic(operator: Binary, a: i64, b: i64) -> Option<Constant> {
    match operator {
        Binary::Less => Some(Constant::Boolean(a < b)),
        Binary::LessEqual => Some(Constant::Boolean(a <= b)),
        Binary::Greater => Some(Constant::Boolean(a > b)),
        Binary::GreaterEqual => Some(Constant::Boolean(a >= b)),
        number => number.number()?(a, b).map(Constant::Integer),
    }
}
