//! Expressions: names, places, operators, quantifiers, calls.

use std::collections::BTreeMap;

use super::{BOOLEAN, Elaborator, Entity, INTEGER};
use crate::program::{
    Binary, ConstantSite, ConstantUse, Expression, ExpressionKind, Span, TypeId, TypeKind, Unary, VarId, VariableKind,
};
use crate::syntax::tree::{Expr, ExprKind, Name, Quantifier};

impl Elaborator<'_> {
    pub(super) fn expression(&mut self, expr: &Expr) -> Option<Expression> {
        let span = expr.span;
        let (kind, ty) = match &expr.kind {
            ExprKind::Integer(number) => (ExpressionKind::Integer(*number), INTEGER),
            ExprKind::Text(_) => {
                self.error("E014", span, "a string cannot be a value");
                return None;
            }
            ExprKind::Undefined => {
                self.error("E015", span, "`undefined` can only be the right side of an assignment");
                return None;
            }
            ExprKind::Name(name) => self.name(name, span)?,
            ExprKind::Field(place, field) => self.field(place, field)?,
            ExprKind::Element(place, index) => self.element(place, index, span)?,
            ExprKind::Call(name, arguments) => self.call_expression(name, arguments)?,
            ExprKind::Unary(operator, inner) => {
                let (inner, ty) = match operator {
                    Unary::Not => (self.condition(inner)?, BOOLEAN),
                    Unary::Minus => (self.number(inner)?, INTEGER),
                };
                (ExpressionKind::Unary(*operator, Box::new(inner)), ty)
            }
            ExprKind::Plus(inner) => return self.number(inner),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, span)?,
            ExprKind::Chain(operator, operands) => return self.chain(*operator, operands),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.condition(condition);
                let (yes, no) = (self.expression(yes), self.expression(no));
                let (condition, yes, no) = (condition?, yes?, no?);
                if !self.compatible(yes.ty, no.ty) {
                    let message = format!(
                        "the two values differ in type: {} and {}",
                        self.type_name(yes.ty),
                        self.type_name(no.ty)
                    );
                    self.error("E016", span, message);
                    return None;
                }
                let ty = yes.ty;
                (ExpressionKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), ty)
            }
            ExprKind::Forall(quantifiers, body) => return self.quantified(quantifiers, body, span, true),
            ExprKind::Exists(quantifiers, body) => return self.quantified(quantifiers, body, span, false),
            ExprKind::IsUndefined(place) => {
                let place = self.expression(place)?;
                (ExpressionKind::IsUndefined(Box::new(place)), BOOLEAN)
            }
            ExprKind::IsMember(value, ty) => {
                let (value, ty) = (self.expression(value)?, self.type_expression(ty)?);
                (ExpressionKind::IsMember(Box::new(value), ty), BOOLEAN)
            }
            ExprKind::MultisetCount(name, place, condition) => {
                self.scopes.push(BTreeMap::new());
                let bound = self.multiset_position(name, place);
                let condition = self.condition(condition);
                self.scopes.pop();
                let (variable, place) = bound?;
                (ExpressionKind::MultisetCount(variable, Box::new(place), Box::new(condition?)), INTEGER)
            }
        };
        Some(Expression { kind, ty, span })
    }

    /// All operands are conditions. The typed tree is balanced, which changes neither value nor order of evaluation.
    fn chain(&mut self, operator: Binary, operands: &[Expr]) -> Option<Expression> {
        let conditions: Vec<_> = operands.iter().map(|operand| self.condition(operand)).collect();
        let conditions = conditions.into_iter().collect::<Option<Vec<_>>>()?;
        balanced(operator, conditions)
    }

    fn name(&mut self, name: &str, span: Span) -> Option<(ExpressionKind, TypeId)> {
        match self.lookup(name) {
            Some(Entity::Integer(number)) => {
                self.mention_constant(name, span);
                Some((ExpressionKind::Integer(number), INTEGER))
            }
            Some(Entity::Boolean(truth)) => {
                self.mention_constant(name, span);
                Some((ExpressionKind::Boolean(truth), BOOLEAN))
            }
            Some(Entity::Variable(id)) => Some((ExpressionKind::Variable(id), self.program.variables[id.index()].ty)),
            Some(Entity::Member(ty)) => Some((ExpressionKind::Member(name.to_owned()), ty)),
            Some(Entity::Type(_)) => {
                self.error("E017", span, format!("`{name}` is a type, not a value"));
                None
            }
            Some(Entity::Function(_)) => {
                self.error("E017", span, format!("`{name}` is a function; its arguments are missing"));
                None
            }
            None if name.eq_ignore_ascii_case("true") => Some((ExpressionKind::Boolean(true), BOOLEAN)),
            None if name.eq_ignore_ascii_case("false") => Some((ExpressionKind::Boolean(false), BOOLEAN)),
            None => {
                self.error("E018", span, format!("`{name}` is not declared"));
                None
            }
        }
    }

    fn mention_constant(&mut self, name: &str, span: Span) {
        let mention = ConstantUse { name: name.to_owned(), span, site: ConstantSite::Expression };
        self.program.constant_uses.push(mention);
    }

    /// Says of the constants that were mentioned since then what they decide.
    pub(super) fn settle_mentions(&mut self, since: usize, site: &ConstantSite) {
        for mention in &mut self.program.constant_uses[since..] {
            if mention.site == ConstantSite::Expression {
                mention.site = site.clone();
            }
        }
    }

    fn field(&mut self, place: &Expr, field: &Name) -> Option<(ExpressionKind, TypeId)> {
        let place = self.expression(place)?;
        let TypeKind::Record(fields) = self.kind(place.ty) else {
            let message = format!("{} has no fields", self.type_name(place.ty));
            self.error("E019", field.span, message);
            return None;
        };
        let Some((_, ty)) = fields.iter().find(|(name, _)| *name == field.text) else {
            let message = format!("{} has no field `{}`", self.type_name(place.ty), field.text);
            self.error("E019", field.span, message);
            return None;
        };
        let ty = *ty;
        Some((ExpressionKind::Field(Box::new(place), field.text.clone()), ty))
    }

    fn element(&mut self, place: &Expr, index: &Expr, span: Span) -> Option<(ExpressionKind, TypeId)> {
        let (place, index) = (self.expression(place), self.expression(index));
        let (place, index) = (place?, index?);
        let (wanted, element) = match *self.kind(place.ty) {
            TypeKind::Array { index, element } => (index, element),
            TypeKind::Multiset { element, .. } => (INTEGER, element),
            _ => {
                let message = format!("{} cannot be indexed: it is no array", self.type_name(place.ty));
                self.error("E020", span, message);
                return None;
            }
        };
        if !self.compatible(wanted, index.ty) {
            let message =
                format!("the index is {}, but {} is needed", self.type_name(index.ty), self.type_name(wanted));
            self.error("E021", index.span, message);
            return None;
        }
        Some((ExpressionKind::Element(Box::new(place), Box::new(index)), element))
    }

    fn call_expression(&mut self, name: &Name, arguments: &[Expr]) -> Option<(ExpressionKind, TypeId)> {
        let (id, arguments) = self.call(name, arguments)?;
        let Some(ty) = self.program.functions[id.index()].result else {
            self.error("E022", name.span, format!("the procedure `{}` has no result", name.text));
            return None;
        };
        Some((ExpressionKind::Call(id, arguments), ty))
    }

    pub(super) fn call(
        &mut self,
        name: &Name,
        arguments: &[Expr],
    ) -> Option<(crate::program::FunctionId, Vec<Expression>)> {
        let Some(Entity::Function(id)) = self.lookup(&name.text) else {
            self.error("E023", name.span, format!("there is no function or procedure `{}`", name.text));
            return None;
        };
        let parameters = self.program.functions[id.index()].parameters.clone();
        let values: Vec<Option<Expression>> = arguments
            .iter()
            .enumerate()
            .map(|(position, argument)| self.argument(argument, parameters.get(position).copied()))
            .collect();
        let values = values.into_iter().collect::<Option<Vec<_>>>()?;
        if values.len() != parameters.len() {
            let message = format!("`{}` takes {} arguments, not {}", name.text, parameters.len(), values.len());
            self.error("E024", name.span, message);
            return None;
        }
        for (parameter, value) in parameters.iter().zip(&values) {
            let declaration = self.program.variables[parameter.index()].clone();
            if !self.compatible(declaration.ty, value.ty) {
                let message = format!(
                    "the argument for `{}` is {}, but {} is needed",
                    declaration.name,
                    self.type_name(value.ty),
                    self.type_name(declaration.ty)
                );
                self.error("E025", value.span, message);
                return None;
            }
            if declaration.kind == VariableKind::Reference {
                self.check_place(value);
            }
        }
        Some((id, values))
    }

    /// An argument; `undefined` may be passed by value.
    fn argument(&mut self, argument: &Expr, parameter: Option<VarId>) -> Option<Expression> {
        if matches!(argument.kind, ExprKind::Undefined)
            && let Some(parameter) = parameter
            && self.program.variables[parameter.index()].kind == VariableKind::Value
        {
            let ty = self.program.variables[parameter.index()].ty;
            return Some(Expression { kind: ExpressionKind::Undefined, ty, span: argument.span });
        }
        self.expression(argument)
    }

    fn binary(&mut self, operator: Binary, left: &Expr, right: &Expr, span: Span) -> Option<(ExpressionKind, TypeId)> {
        let (left, right, ty) = match operator {
            Binary::And | Binary::Or | Binary::Implies => {
                let (left, right) = (self.condition(left), self.condition(right));
                (left?, right?, BOOLEAN)
            }
            Binary::Equal | Binary::Unequal => {
                let (left, right) = (self.expression(left), self.expression(right));
                let (left, right) = (left?, right?);
                if !self.compatible(left.ty, right.ty) {
                    let message =
                        format!("{} cannot be compared with {}", self.type_name(left.ty), self.type_name(right.ty));
                    self.error("E026", span, message);
                    return None;
                }
                (left, right, BOOLEAN)
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let (left, right) = (self.number(left), self.number(right));
                (left?, right?, BOOLEAN)
            }
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => {
                let (left, right) = (self.number(left), self.number(right));
                (left?, right?, INTEGER)
            }
        };
        Some((ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), ty))
    }

    fn quantified(&mut self, quantifiers: &[Quantifier], body: &Expr, span: Span, all: bool) -> Option<Expression> {
        self.scopes.push(BTreeMap::new());
        let binders: Vec<_> = quantifiers.iter().map(|quantifier| self.binder(quantifier)).collect();
        let body = self.condition(body);
        self.scopes.pop();
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

    /// An expression that must be a boolean.
    pub(super) fn condition(&mut self, expr: &Expr) -> Option<Expression> {
        let expression = self.expression(expr)?;
        if matches!(self.kind(expression.ty), TypeKind::Boolean) {
            return Some(expression);
        }
        let message = format!("a condition is needed here, not {}", self.type_name(expression.ty));
        self.error("E027", expr.span, message);
        None
    }

    /// An expression that must be a number.
    pub(super) fn number(&mut self, expr: &Expr) -> Option<Expression> {
        let expression = self.expression(expr)?;
        if matches!(self.kind(expression.ty), TypeKind::Range(..)) {
            return Some(expression);
        }
        let message = format!("a number is needed here, not {}", self.type_name(expression.ty));
        self.error("E010", expr.span, message);
        None
    }

    /// Refuses what cannot be assigned.
    pub(super) fn check_place(&mut self, place: &Expression) {
        let mut root = place;
        loop {
            match &root.kind {
                ExpressionKind::Field(inner, _) | ExpressionKind::Element(inner, _) => root = inner,
                ExpressionKind::Variable(id) => {
                    let declaration = &self.program.variables[id.index()];
                    if matches!(declaration.kind, VariableKind::Value | VariableKind::Bound) {
                        let message = format!("`{}` cannot be assigned", declaration.name);
                        self.error("E028", place.span, message);
                    }
                    return;
                }
                _ => {
                    self.error("E028", place.span, "this is no place that can be assigned");
                    return;
                }
            }
        }
    }
}

fn balanced(operator: Binary, mut operands: Vec<Expression>) -> Option<Expression> {
    if operands.len() < 2 {
        return operands.pop();
    }
    let right = balanced(operator, operands.split_off(operands.len() / 2))?;
    let left = balanced(operator, operands)?;
    let span = left.span.to(right.span);
    Some(Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), ty: BOOLEAN, span })
}
