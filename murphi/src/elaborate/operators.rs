//! Operators and quantifiers.

use super::declarations::Bounds;
use super::expressions::Typed;
use super::fault::TypeFault;
use super::{BOOLEAN, Elaborator, INTEGER};
use crate::program::{Binary, Expression, ExpressionKind, Operands, Span, TypeId, TypeKind, Unary, VariableKind};
use crate::syntax::tree::{Expr, Quantifier};

impl Elaborator<'_> {
    /// Either all operands are conditions, or all are numbers: then the operator is rumur's bitwise one. The typed tree
    /// is balanced, which changes neither the value nor the order of evaluation.
    pub(super) fn chain(&mut self, operator: Binary, operands: &[Expr]) -> Option<Expression> {
        let (first, others) = operands.split_first()?;
        let first = self.expression(first)?;
        if matches!(self.kind(first.ty), TypeKind::Range(..)) {
            let others: Vec<_> = others.iter().map(|operand| self.number(operand)).collect();
            let numbers = std::iter::once(Some(first)).chain(others).collect::<Option<Vec<_>>>()?;
            let bits = if operator == Binary::And { Binary::BitAnd } else { Binary::BitOr };
            return balanced(bits, INTEGER, numbers);
        }
        let span = first.span;
        let first = self.as_condition(first, span);
        let others: Vec<_> = others.iter().map(|operand| self.condition(operand)).collect();
        let conditions = std::iter::once(first).chain(others).collect::<Option<Vec<_>>>()?;
        balanced(operator, BOOLEAN, conditions)
    }

    pub(super) fn binary(&mut self, operator: Binary, left: &Expr, right: &Expr, span: Span) -> Option<Typed> {
        let (left, right, ty) = match operator.takes() {
            Operands::Conditions => {
                let (left, right) = (self.condition(left), self.condition(right));
                (left?, right?, BOOLEAN)
            }
            Operands::Alike => {
                let (left, right) = self.comparison(left, right, span)?;
                if !self.is_simple(left.ty) {
                    let equal = self.structures_equal(&left, &right, span)?;
                    return Some(match operator {
                        Binary::Equal => (equal.kind, BOOLEAN),
                        _ => (ExpressionKind::Unary(Unary::Not, Box::new(equal)), BOOLEAN),
                    });
                }
                let is_equal = operator == Binary::Equal;
                return Some((self.equal_if_defined(left, right, is_equal, span), BOOLEAN));
            }
            Operands::Ordered => {
                let (left, right) = (self.number(left), self.number(right));
                (left?, right?, BOOLEAN)
            }
            Operands::Numbers => {
                let (left, right) = (self.number(left), self.number(right));
                (left?, right?, INTEGER)
            }
        };
        Some((ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), ty))
    }

    /// Returns whether two values are equal, or whether they are not. With that option, an undefined one is unequal to every value.
    fn equal_if_defined(&self, left: Expression, right: Expression, is_equal: bool, span: Span) -> ExpressionKind {
        let mut parts: Vec<Expression> = [&left, &right].into_iter().filter_map(|one| self.is_defined(one)).collect();
        if parts.is_empty() {
            let operator = if is_equal { Binary::Equal } else { Binary::Unequal };
            return ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
        }
        let equal = ExpressionKind::Binary(Binary::Equal, Box::new(left), Box::new(right));
        parts.push(Expression { kind: equal, ty: BOOLEAN, span });
        match balanced(Binary::And, BOOLEAN, parts) {
            Some(equal) if is_equal => equal.kind,
            Some(equal) => ExpressionKind::Unary(Unary::Not, Box::new(equal)),
            None => ExpressionKind::Boolean(is_equal),
        }
    }

    /// Returns the condition that a value is defined, if undefined is unequal to every value. Returns `None` if it always is
    /// defined, or if asking would evaluate a call twice.
    pub(super) fn is_defined(&self, value: &Expression) -> Option<Expression> {
        let root = value.root().filter(|_| self.options.undefined_is_unequal)?;
        let bound = matches!(value.kind, ExpressionKind::Variable(_))
            && self.program.variables[root.index()].kind == VariableKind::Bound;
        if bound || value.calls() {
            return None;
        }
        let condition = |kind| Expression { kind, ty: BOOLEAN, span: value.span };
        let undefined = condition(ExpressionKind::IsUndefined(Box::new(value.clone())));
        Some(condition(ExpressionKind::Unary(Unary::Not, Box::new(undefined))))
    }

    fn comparison(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<(Expression, Expression)> {
        let (left, right) = (self.expression(left), self.expression(right));
        let (left, right) = (left?, right?);
        if !self.compatible(left.ty, right.ty) {
            let (left, right) = (self.type_name(left.ty), self.type_name(right.ty));
            self.error(&TypeFault::Incomparable { left, right }, span);
            return None;
        }
        Some((left, right))
    }

    pub(super) fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr, span: Span) -> Option<Typed> {
        let condition = self.condition(condition);
        let (yes, no) = (self.expression(yes), self.expression(no));
        let (condition, yes, no) = (condition?, yes?, no?);
        if !self.compatible(yes.ty, no.ty) {
            let (yes, no) = (self.type_name(yes.ty), self.type_name(no.ty));
            self.error(&TypeFault::BranchesDiffer { yes, no }, span);
            return None;
        }
        let ty = self.wider(yes.ty, no.ty);
        Some((ExpressionKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), ty))
    }

    pub(super) fn quantified(
        &mut self,
        quantifiers: &[Quantifier],
        body: &Expr,
        span: Span,
        all: bool,
    ) -> Option<Expression> {
        self.scopes.open();
        let binders: Vec<_> = quantifiers.iter().map(|quantifier| self.binder(quantifier, Bounds::Any)).collect();
        let body = self.condition(body);
        self.scopes.close();
        let binders = binders.into_iter().collect::<Option<Vec<_>>>()?;
        let mut result = body?;
        for binder in binders.into_iter().rev() {
            let kind = if all {
                ExpressionKind::Forall(binder, Box::new(result))
            } else {
                ExpressionKind::Exists(binder, Box::new(result))
            };
            result = Expression { kind, ty: BOOLEAN, span };
        }
        Some(result)
    }
}

pub(super) fn balanced(operator: Binary, ty: TypeId, mut operands: Vec<Expression>) -> Option<Expression> {
    if operands.len() < 2 {
        return operands.pop();
    }
    let right = balanced(operator, ty, operands.split_off(operands.len() / 2))?;
    let left = balanced(operator, ty, operands)?;
    let span = left.span.to(right.span);
    Some(Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), ty, span })
}
