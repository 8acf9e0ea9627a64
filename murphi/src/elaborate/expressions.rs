//! Expressions: names, places, calls.

use super::constants::Constant;
use super::fault::TypeFault;
use super::scopes::{Entity, closest};
use super::{BOOLEAN, Elaborator, INTEGER};
use crate::program::{
    Binary, ConstantSite, ConstantUse, Expression, ExpressionKind, FunctionId, Span, TypeId, TypeKind, Unary, VarId,
    VariableKind,
};
use crate::syntax::tree::{Expr, ExprKind, Name};

/// An expression with its type.
pub(super) type Typed = (ExpressionKind, TypeId);

impl Elaborator<'_> {
    pub(super) fn expression(&mut self, expr: &Expr) -> Option<Expression> {
        let span = expr.span;
        let (kind, ty) = match &expr.kind {
            ExprKind::Integer(number) => (ExpressionKind::Integer(*number), INTEGER),
            ExprKind::Undefined => {
                self.error(&TypeFault::UndefinedAsValue, span);
                return None;
            }
            ExprKind::Name(name) => self.name(name, span)?,
            ExprKind::Field(place, field) => self.field(place, field)?,
            ExprKind::Element(place, index) => self.element(place, index, span)?,
            ExprKind::Call(name, arguments) => self.call_expression(name, arguments)?,
            ExprKind::Unary(Unary::Not, inner) => {
                (ExpressionKind::Unary(Unary::Not, Box::new(self.condition(inner)?)), BOOLEAN)
            }
            ExprKind::Unary(Unary::Minus, inner) => {
                (ExpressionKind::Unary(Unary::Minus, Box::new(self.number(inner)?)), INTEGER)
            }
            ExprKind::Plus(inner) => return self.number(inner),
            ExprKind::Complement(inner) => {
                // In two's complement of any width, the bits of `~x` are those of `-1 - x`.
                let ones = Expression { kind: ExpressionKind::Integer(-1), ty: INTEGER, span };
                let number = self.number(inner)?;
                (ExpressionKind::Binary(Binary::Subtract, Box::new(ones), Box::new(number)), INTEGER)
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, span)?,
            ExprKind::Chain(operator, operands) => return self.chain(*operator, operands),
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no, span)?,
            ExprKind::Forall(quantifiers, body) => return self.quantified(quantifiers, body, span, true),
            ExprKind::Exists(quantifiers, body) => return self.quantified(quantifiers, body, span, false),
            ExprKind::IsUndefined(place) => self.is_undefined(place)?,
            ExprKind::IsMember(value, ty) => self.is_member(value, ty)?,
            ExprKind::MultisetCount(name, place, condition) => self.multiset_count(name, place, condition)?,
        };
        Some(Expression { kind, ty, span })
    }

    fn name(&mut self, name: &str, span: Span) -> Option<Typed> {
        let fault = match self.lookup(name, span) {
            Some(Entity::Constant(constant, _, unique)) => {
                self.mention(ConstantUse { name: unique, span, site: ConstantSite::Expression });
                return Some(constant.expression());
            }
            Some(Entity::Variable(id)) => {
                if let Some(super::ConstantAlias { value, mentions }) = self.constant_aliases.get(&id) {
                    let value = value.expression();
                    mentions
                        .clone()
                        .into_iter()
                        .for_each(|(name, site)| self.mention(ConstantUse { name, span, site }));
                    return Some(value);
                }
                return Some((ExpressionKind::Variable(id), self.program.variables[id.index()].ty));
            }
            Some(Entity::Member(ty)) => return Some((ExpressionKind::Member(name.to_owned()), ty)),
            Some(Entity::Failed) => return None,
            Some(Entity::Type(_)) => TypeFault::TypeAsValue { name: name.to_owned() },
            Some(Entity::Function(_)) => TypeFault::FunctionAsValue { name: name.to_owned() },
            None if name.eq_ignore_ascii_case("true") => return Some(Constant::Boolean(true).expression()),
            None if name.eq_ignore_ascii_case("false") => return Some(Constant::Boolean(false).expression()),
            None => {
                let mut diagnostic = TypeFault::Undeclared { name: name.to_owned() }.at(span);
                diagnostic.help = self.similar(name);
                self.findings.push(diagnostic);
                return None;
            }
        };
        self.error(&fault, span);
        None
    }

    fn mention(&mut self, mention: ConstantUse) {
        self.program.constant_uses.push(mention);
    }

    /// Records what the constants mentioned since then determine.
    pub(super) fn settle_mentions(&mut self, since: usize, site: &ConstantSite) {
        for mention in &mut self.program.constant_uses[since..] {
            if mention.site == ConstantSite::Expression {
                mention.site = site.clone();
            }
        }
    }

    fn field(&mut self, place: &Expr, field: &Name) -> Option<Typed> {
        let place = self.expression(place)?;
        let called = self.type_name(place.ty);
        let TypeKind::Record(fields) = self.kind(place.ty) else {
            self.error(&TypeFault::NoFields { place: called }, field.span);
            return None;
        };
        if let Some((_, ty)) = fields.iter().find(|(name, _)| *name == field.text) {
            let ty = *ty;
            return Some((ExpressionKind::Field(Box::new(place), field.text.clone()), ty));
        }
        let help = closest(&field.text, fields.iter().map(|(name, _)| name.as_str()));
        let mut diagnostic = TypeFault::NoField { place: called, field: field.text.clone() }.at(field.span);
        diagnostic.help = help;
        self.findings.push(diagnostic);
        None
    }

    fn element(&mut self, place: &Expr, index: &Expr, span: Span) -> Option<Typed> {
        let (place, index) = (self.expression(place), self.expression(index));
        let (place, index) = (place?, index?);
        let element = match *self.kind(place.ty) {
            TypeKind::Array { index: wanted, element } => {
                if !self.compatible(wanted, index.ty) {
                    let (found, wanted) = (self.type_name(index.ty), self.type_name(wanted));
                    self.error(&TypeFault::WrongIndex { found, wanted }, index.span);
                    return None;
                }
                element
            }
            TypeKind::Multiset { element, .. } => {
                self.check_position(&index, place.ty)?;
                element
            }
            _ => {
                let place = self.type_name(place.ty);
                self.error(&TypeFault::NoArray { place }, span);
                return None;
            }
        };
        Some((ExpressionKind::Element(Box::new(place), Box::new(index)), element))
    }

    /// A position in a multiset is a bound variable, or an alias of one; other numbers mean nothing there.
    pub(super) fn check_position(&mut self, position: &Expression, multiset: TypeId) -> Option<()> {
        if let ExpressionKind::Variable(variable) = position.kind
            && let Some(&own) = self.positions.get(&variable)
            && self.same(own, multiset)
        {
            return Some(());
        }
        let multiset = self.type_name(multiset);
        self.error(&TypeFault::BadPosition { multiset }, position.span);
        None
    }

    fn call_expression(&mut self, name: &Name, arguments: &[Expr]) -> Option<Typed> {
        let (id, arguments) = self.call(name, arguments)?;
        let Some(ty) = self.program.functions[id.index()].result else {
            self.error(&TypeFault::NoResult { name: name.text.clone() }, name.span);
            return None;
        };
        Some((ExpressionKind::Call(id, arguments), ty))
    }

    pub(super) fn call(&mut self, name: &Name, arguments: &[Expr]) -> Option<(FunctionId, Vec<Expression>)> {
        let id = match self.lookup(&name.text, name.span) {
            Some(Entity::Function(id)) => id,
            Some(Entity::Failed) => return None,
            _ => {
                let mut diagnostic = TypeFault::UnknownFunction { name: name.text.clone() }.at(name.span);
                let functions = self.program.functions.iter().map(|function| function.name.as_str());
                diagnostic.help = closest(&name.text, functions);
                self.findings.push(diagnostic);
                return None;
            }
        };
        let parameters = self.program.functions[id.index()].parameters.clone();
        if arguments.len() != parameters.len() {
            let fault =
                TypeFault::WrongCount { name: name.text.clone(), wanted: parameters.len(), found: arguments.len() };
            let declared = self.program.functions[id.index()].span;
            self.findings.push(fault.at(name.span).with_label(declared, "declared here"));
            return None;
        }
        let values: Vec<_> = arguments
            .iter()
            .zip(&parameters)
            .map(|(argument, parameter)| self.argument(argument, *parameter))
            .collect();
        Some((id, values.into_iter().collect::<Option<Vec<_>>>()?))
    }

    /// Elaborates an argument; `undefined` may be passed by value.
    fn argument(&mut self, argument: &Expr, parameter: VarId) -> Option<Expression> {
        let declaration = self.program.variables[parameter.index()].clone();
        let by_value = declaration.kind == VariableKind::Value;
        if by_value && matches!(argument.kind, ExprKind::Undefined) {
            let kind = ExpressionKind::Undefined;
            return Some(Expression { kind, ty: declaration.ty, span: argument.span });
        }
        let value = self.expression(argument)?;
        let fits =
            if by_value { self.compatible(declaration.ty, value.ty) } else { self.same(declaration.ty, value.ty) };
        if !by_value {
            self.check_place(&value);
        }
        if fits {
            return Some(value);
        }
        let (found, wanted) = (self.type_name(value.ty), self.type_name(declaration.ty));
        let fault = if by_value {
            TypeFault::WrongArgument { parameter: declaration.name, found, wanted }
        } else {
            TypeFault::WrongReference { parameter: declaration.name, found, wanted }
        };
        self.findings.push(fault.at(value.span).with_label(declaration.span, "the parameter"));
        None
    }

    fn is_undefined(&mut self, place: &Expr) -> Option<Typed> {
        let place = self.simple(place)?;
        if place.root().is_none() {
            self.error(&TypeFault::AlwaysDefined, place.span);
            return None;
        }
        Some((ExpressionKind::IsUndefined(Box::new(place)), BOOLEAN))
    }

    fn is_member(&mut self, value: &Expr, ty: &crate::syntax::tree::TypeExpr) -> Option<Typed> {
        let span = ty.span;
        let (value, ty) = (self.simple(value), self.type_expression(ty));
        let (value, ty) = (value?, ty?);
        if !self.is_simple(ty) {
            let found = self.type_name(ty);
            self.error(&TypeFault::NotSimple { found }, span);
            return None;
        }
        let defined = self.is_defined(&value);
        let member = ExpressionKind::IsMember(Box::new(value), ty);
        let Some(defined) = defined else { return Some((member, BOOLEAN)) };
        let member = Expression { kind: member, ty: BOOLEAN, span: defined.span };
        Some((ExpressionKind::Binary(Binary::And, Box::new(defined), Box::new(member)), BOOLEAN))
    }

    fn multiset_count(&mut self, name: &Name, place: &Expr, condition: &Expr) -> Option<Typed> {
        self.scopes.open();
        let bound = self.multiset_position(name, place);
        let condition = self.condition(condition);
        self.scopes.close();
        let (variable, place) = bound?;
        Some((ExpressionKind::MultisetCount(variable, Box::new(place), Box::new(condition?)), INTEGER))
    }

    /// Elaborates an expression that must be a boolean.
    pub(super) fn condition(&mut self, expr: &Expr) -> Option<Expression> {
        let expression = self.expression(expr)?;
        self.as_condition(expression, expr.span)
    }

    /// Returns the expression if it is a boolean.
    pub(super) fn as_condition(&mut self, expression: Expression, span: Span) -> Option<Expression> {
        if matches!(self.kind(expression.ty), TypeKind::Boolean) {
            return Some(expression);
        }
        let found = self.type_name(expression.ty);
        self.error(&TypeFault::NeedsCondition { found }, span);
        None
    }

    /// Elaborates an expression that must be a number.
    pub(super) fn number(&mut self, expr: &Expr) -> Option<Expression> {
        let expression = self.expression(expr)?;
        if matches!(self.kind(expression.ty), TypeKind::Range(..)) {
            return Some(expression);
        }
        let found = self.type_name(expression.ty);
        self.error(&TypeFault::NeedsNumber { found }, expr.span);
        None
    }

    /// Elaborates an expression that must be a simple value.
    pub(super) fn simple(&mut self, expr: &Expr) -> Option<Expression> {
        let expression = self.expression(expr)?;
        if self.is_simple(expression.ty) {
            return Some(expression);
        }
        let found = self.type_name(expression.ty);
        self.error(&TypeFault::NotSimple { found }, expr.span);
        None
    }
}
