//! Compiles expressions that have a value.

use super::{Binding, Compiler, Place, error};
use crate::exec::code::{Arith, Cell, Cond, Expr, What};
use crate::exec::run::arithmetic;
use crate::exec::{BuildError, BuildFault};
use crate::program::{Binary, Expression, ExpressionKind, Span, Unary};

impl Compiler<'_> {
    /// Compiles the value of an expression, if no statements have to run before it.
    pub(super) fn expression(&mut self, expression: &Expression) -> Result<Expr, BuildError> {
        let (value, before) = self.scoped(|compiler| compiler.open_expression(expression))?;
        Ok(if before.is_empty() { value } else { Expr::Seq(Box::new((before, value))) })
    }

    fn open_expression(&mut self, expression: &Expression) -> Result<Expr, BuildError> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Boolean(truth) => Ok(Expr::Const(i64::from(*truth))),
            ExpressionKind::Integer(number) => Ok(Expr::Const(*number)),
            ExpressionKind::Member(name) => {
                self.values.member(name).map(Expr::Const).ok_or_else(|| error(span, BuildFault::Malformed))
            }
            ExpressionKind::Undefined => Ok(Expr::Trap(self.site(What::Undefined, span))),
            ExpressionKind::Variable(_)
            | ExpressionKind::Field(..)
            | ExpressionKind::Element(..)
            | ExpressionKind::Call(..) => {
                let binding = match self.designator(expression)? {
                    Some(binding) => binding,
                    None => Binding::Place(self.place(expression)?),
                };
                match binding {
                    Binding::Value(value) => Ok(Expr::Const(value)),
                    Binding::Register(register) => Ok(Expr::Register(register)),
                    Binding::Place(place) => self.read(&place, span),
                }
            }
            ExpressionKind::Unary(Unary::Minus, inner) => {
                let site = self.site(What::Overflow, span);
                Ok(match self.expression(inner)? {
                    Expr::Const(number) => number.checked_neg().map_or(Expr::Trap(site), Expr::Const),
                    value => Expr::Negate(Box::new(value), site),
                })
            }
            ExpressionKind::Binary(operator, left, right) => match arith(*operator) {
                Some(operator) => self.arithmetic(operator, left, right, span),
                None => self.truth(expression),
            },
            ExpressionKind::Conditional(condition, yes, no) => {
                let (yes, no) = (self.expression(yes)?, self.expression(no)?);
                Ok(match self.condition(condition)? {
                    Cond::Const(true) => yes,
                    Cond::Const(false) => no,
                    condition => Expr::Choose(Box::new((condition, yes, no))),
                })
            }
            ExpressionKind::MultisetCount(variable, multiset, condition) => self.count(*variable, multiset, condition),
            ExpressionKind::Unary(Unary::Not, _)
            | ExpressionKind::Forall(..)
            | ExpressionKind::Exists(..)
            | ExpressionKind::IsUndefined(_)
            | ExpressionKind::IsMember(..) => self.truth(expression),
        }
    }

    fn truth(&mut self, expression: &Expression) -> Result<Expr, BuildError> {
        Ok(match self.condition(expression)? {
            Cond::Const(truth) => Expr::Const(i64::from(truth)),
            condition => Expr::Truth(Box::new(condition)),
        })
    }

    fn arithmetic(
        &mut self,
        operator: Arith,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        let by_zero = matches!(operator, Arith::Divide | Arith::Modulo) && !matches!(right, Expr::Const(1..));
        let site = self.site(if by_zero { What::Division } else { What::Overflow }, span);
        Ok(match (&left, &right) {
            (Expr::Const(a), Expr::Const(b)) => arithmetic(operator, *a, *b).map_or(Expr::Trap(site), Expr::Const),
            _ => Expr::Arith(operator, Box::new((left, right)), site),
        })
    }

    /// Returns the value at a place, which must be a scalar.
    pub(super) fn read(&mut self, place: &Place, span: Span) -> Result<Expr, BuildError> {
        let Some(domain) = self.values.domain(place.ty).cloned() else {
            return Err(error(span, BuildFault::Composite));
        };
        let site = self.site(What::Undefined, span);
        Ok(match (self.cell(place), domain.simple_first()) {
            (Cell::Slot(slot), Some(first)) => Expr::Slot { slot, before: first - 1, site },
            (cell, _) => Expr::Read(Box::new((cell, domain)), site),
        })
    }
}

fn arith(operator: Binary) -> Option<Arith> {
    match operator {
        Binary::Add => Some(Arith::Add),
        Binary::Subtract => Some(Arith::Subtract),
        Binary::Multiply => Some(Arith::Multiply),
        Binary::Divide => Some(Arith::Divide),
        Binary::Modulo => Some(Arith::Modulo),
        Binary::BitAnd => Some(Arith::BitAnd),
        Binary::BitOr => Some(Arith::BitOr),
        Binary::BitXor => Some(Arith::BitXor),
        Binary::ShiftLeft => Some(Arith::ShiftLeft),
        Binary::ShiftRight => Some(Arith::ShiftRight),
        Binary::And
        | Binary::Or
        | Binary::Implies
        | Binary::Equal
        | Binary::Unequal
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual => None,
    }
}
