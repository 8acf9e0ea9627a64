//! Expresses bounds in terms of the model's constants.
//!
//! A proof for any number of nodes holds for all values of the constant that gives their number. So every bound must be
//! known as a function of the constants, not just for their current values.

use super::Elaborator;
use super::scopes::Entity;
use crate::program::{Affine, Binary, Unary};
use crate::syntax::tree::{Expr, ExprKind};

impl Elaborator<'_> {
    /// Returns the expression in terms of constants, or `None` if it does not have such a form, as `N / 2` or `N > 3 ?
    /// 1 : 2`.
    ///
    /// An expression that mentions no constant is a number, whatever its form: `value` is the number it evaluates to,
    /// and `mentioned` is how many mentions of constants were recorded before it was read.
    pub(super) fn affine(&self, expr: &Expr, value: i64, mentioned: usize) -> Option<Affine> {
        if self.program.constant_uses.len() == mentioned {
            return Some(Affine::number(value));
        }
        self.form(expr)
    }

    fn form(&self, expr: &Expr) -> Option<Affine> {
        match &expr.kind {
            ExprKind::Integer(number) => Some(Affine::number(*number)),
            ExprKind::Name(name) => match self.scopes.find(name)? {
                Entity::Constant(_, form, _) => form.clone(),
                Entity::Type(_) | Entity::Variable(_) | Entity::Function(_) | Entity::Member(_) | Entity::Failed => {
                    None
                }
            },
            ExprKind::Plus(inner) => self.form(inner),
            ExprKind::Unary(Unary::Minus, inner) => Affine::number(0).plus(&self.form(inner)?, -1),
            ExprKind::Binary(Binary::Add, left, right) => self.form(left)?.plus(&self.form(right)?, 1),
            ExprKind::Binary(Binary::Subtract, left, right) => self.form(left)?.plus(&self.form(right)?, -1),
            ExprKind::Binary(Binary::Multiply, left, right) => {
                let (left, right) = (self.form(left)?, self.form(right)?);
                let (number, other) = if left.factors.is_empty() { (left, right) } else { (right, left) };
                number.factors.is_empty().then(|| Affine::number(0).plus(&other, number.offset))?
            }
            ExprKind::Undefined
            | ExprKind::Field(..)
            | ExprKind::Element(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(Unary::Not, _)
            | ExprKind::Complement(_)
            | ExprKind::Binary(..)
            | ExprKind::Chain(..)
            | ExprKind::Conditional(..)
            | ExprKind::Forall(..)
            | ExprKind::Exists(..)
            | ExprKind::IsUndefined(_)
            | ExprKind::IsMember(..)
            | ExprKind::MultisetCount(..) => None,
        }
    }
}
