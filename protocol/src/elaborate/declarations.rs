//! Declarations of constants, types, variables and functions.

use std::collections::BTreeMap;

use super::{BOOLEAN, Elaborator, Entity, INTEGER};
use crate::diagnostics::Diagnostic;
use crate::program::{
    Binary, Binder, ConstantSite, Expression, ExpressionKind, Function, FunctionId, Over, Span, TypeId, TypeKind,
    Unary, VariableKind,
};
use crate::syntax::tree::{self, Domain, Expr, Item, Name, Quantifier, TypeExpr, TypeExprKind};

/// Types with more values than this cannot be enumerated, and are refused where they have to be.
const MAX_SIZE: i64 = 1 << 24;

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    Integer(i64),
    Boolean(bool),
}

impl Elaborator<'_> {
    pub(super) fn declaration(&mut self, item: &Item, global: bool) {
        match item {
            Item::Constant(name, value) => self.constant_declaration(name, value, global),
            Item::Type(name, ty) => {
                let Some(id) = self.sized_type(name, ty, global) else { return };
                let entry = &mut self.program.types[id.index()];
                if entry.name.is_none() {
                    entry.name = Some(name.text.clone());
                }
                self.bind(name, Entity::Type(id));
            }
            Item::Variables(names, ty) => {
                let Some(ty) = self.type_expression(ty) else { return };
                for name in names {
                    let kind = if global { VariableKind::Global } else { VariableKind::Local };
                    let id = self.declare(name, ty, kind);
                    if global {
                        self.program.globals.push(id);
                    } else {
                        self.locals.push(id);
                    }
                }
            }
            Item::Function(function) => {
                self.error("E003", function.name.span, "a procedure cannot be declared inside of another block");
            }
            Item::Rule(_) => {}
        }
    }

    fn constant_declaration(&mut self, name: &Name, value: &Expr, global: bool) {
        let mentioned = self.program.constant_uses.len();
        let Some(mut constant) = self.constant(value) else { return };
        self.settle_mentions(mentioned, &ConstantSite::Constant(name.text.clone()));
        if global && let Some(forced) = self.options.constants.get(&name.text) {
            self.used_constants.push(name.text.clone());
            constant = match constant {
                Constant::Integer(_) => Constant::Integer(*forced),
                Constant::Boolean(_) => Constant::Boolean(*forced != 0),
            };
        }
        let entity = match constant {
            Constant::Integer(number) => {
                self.program.constants.push((name.text.clone(), number));
                Entity::Integer(number)
            }
            Constant::Boolean(truth) => Entity::Boolean(truth),
        };
        self.bind(name, entity);
    }

    /// A named type, with the size that the settings give it.
    fn sized_type(&mut self, name: &Name, ty: &TypeExpr, global: bool) -> Option<TypeId> {
        let id = self.type_expression(ty)?;
        let size = if global { self.options.type_sizes.get(&name.text).copied() } else { None };
        let Some(size) = size else { return Some(id) };
        let kind = match self.kind(id) {
            TypeKind::Scalarset(_) => TypeKind::Scalarset(i64::from(size)),
            TypeKind::Range(first, _) => TypeKind::Range(*first, first + i64::from(size) - 1),
            _ => return Some(id),
        };
        self.used_sizes.push(name.text.clone());
        self.program.types[id.index()].kind = kind;
        Some(id)
    }

    pub(super) fn type_expression(&mut self, ty: &TypeExpr) -> Option<TypeId> {
        let mentioned = self.program.constant_uses.len();
        let kind = match &ty.kind {
            TypeExprKind::Name(name) => return self.type_named(name, ty.span),
            TypeExprKind::Enum(members) => {
                let id =
                    self.add_type(TypeKind::Enum(members.iter().map(|member| member.text.clone()).collect()), ty.span);
                members.iter().for_each(|member| self.bind(member, Entity::Member(id)));
                return Some(id);
            }
            TypeExprKind::Range(first, last) => {
                let (low, high) = (self.integer(first)?, self.integer(last)?);
                if low > high {
                    let diagnostic =
                        Diagnostic::error("E004", ty.span, format!("the range {low}..{high} has no element"))
                            .with_help("a range is written `first .. last` with `first` at most `last`");
                    self.errors.push(diagnostic);
                    return None;
                }
                TypeKind::Range(low, high)
            }
            TypeExprKind::Scalarset(size) => {
                let size = self.integer(size)?;
                if !(0..=MAX_SIZE).contains(&size) {
                    self.error("E005", ty.span, format!("a scalarset cannot have {size} elements"));
                    return None;
                }
                TypeKind::Scalarset(size)
            }
            TypeExprKind::Union(members) => {
                let members = members.iter().map(|member| self.type_expression(member)).collect::<Option<Vec<_>>>()?;
                TypeKind::Union(self.union_members(members, ty.span)?)
            }
            TypeExprKind::Record(fields) => TypeKind::Record(self.fields(fields)?),
            TypeExprKind::Array(index, element) => {
                let (index, element) = (self.type_expression(index), self.type_expression(element));
                let (index, element) = (index?, element?);
                if !self.is_simple(index) {
                    let message = format!("an array cannot be indexed by {}", self.type_name(index));
                    self.error("E006", ty.span, message);
                    return None;
                }
                TypeKind::Array { index, element }
            }
            TypeExprKind::Multiset(size, element) => {
                let size = self.integer(size)?;
                let element = self.type_expression(element)?;
                TypeKind::Multiset { size, element }
            }
        };
        let id = self.add_type(kind, ty.span);
        self.settle_mentions(mentioned, &ConstantSite::Type(id));
        Some(id)
    }

    fn type_named(&mut self, name: &str, span: Span) -> Option<TypeId> {
        match self.lookup(name) {
            Some(Entity::Type(id)) => Some(id),
            None if name.eq_ignore_ascii_case("boolean") => Some(BOOLEAN),
            Some(_) => {
                self.error("E007", span, format!("`{name}` is no type"));
                None
            }
            None => {
                self.error("E008", span, format!("there is no type `{name}`"));
                None
            }
        }
    }

    fn union_members(&mut self, members: Vec<TypeId>, span: Span) -> Option<Vec<TypeId>> {
        let mut flat = Vec::new();
        for member in members {
            match self.kind(member).clone() {
                TypeKind::Union(inner) => flat.extend(inner),
                TypeKind::Enum(_) | TypeKind::Scalarset(_) | TypeKind::Range(..) | TypeKind::Boolean => {
                    flat.push(member);
                }
                TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. } => {
                    self.error("E009", span, "a union has only enumerations, scalarsets and ranges");
                    return None;
                }
            }
        }
        Some(flat)
    }

    fn fields(&mut self, fields: &[(Vec<Name>, TypeExpr)]) -> Option<Vec<(String, TypeId)>> {
        let mut found: Vec<(String, TypeId)> = Vec::new();
        for (names, ty) in fields {
            let ty = self.type_expression(ty)?;
            for name in names {
                if found.iter().any(|(other, _)| *other == name.text) {
                    self.error("E002", name.span, format!("the field `{}` is declared twice", name.text));
                }
                found.push((name.text.clone(), ty));
            }
        }
        Some(found)
    }

    pub(super) fn is_simple(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Boolean | TypeKind::Enum(_) | TypeKind::Scalarset(_) | TypeKind::Union(_) => true,
            TypeKind::Range(first, last) => last.checked_sub(*first).is_some_and(|size| size <= MAX_SIZE),
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. } => false,
        }
    }

    /// The value of a constant expression that must be a number.
    pub(super) fn integer(&mut self, expr: &Expr) -> Option<i64> {
        match self.constant(expr)? {
            Constant::Integer(number) => Some(number),
            Constant::Boolean(_) => {
                self.error("E010", expr.span, "a number is needed here, not a boolean");
                None
            }
        }
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<Constant> {
        let expression = self.expression(expr)?;
        match evaluate(&expression) {
            Some(constant) => Some(constant),
            None => {
                self.error("E011", expr.span, "this is not constant, or has no value");
                None
            }
        }
    }

    pub(super) fn signature(&mut self, function: &tree::Function) -> FunctionId {
        let id = FunctionId(u32::try_from(self.program.functions.len()).unwrap_or(u32::MAX));
        let result = function.result.as_ref().and_then(|ty| self.type_expression(ty));
        let mut parameters = Vec::new();
        self.scopes.push(BTreeMap::new());
        for parameter in &function.parameters {
            let Some(ty) = self.type_expression(&parameter.ty) else { continue };
            let kind = if parameter.reference { VariableKind::Reference } else { VariableKind::Value };
            parameters.extend(parameter.names.iter().map(|name| self.declare(name, ty, kind)));
        }
        self.scopes.pop();
        let name = function.name.text.clone();
        let span = function.name.span;
        self.program.functions.push(Function { name, parameters, result, locals: Vec::new(), body: Vec::new(), span });
        self.bind(&function.name, Entity::Function(id));
        id
    }

    pub(super) fn function_body(&mut self, id: FunctionId, function: &tree::Function) {
        let parameters = self.program.functions[id.index()].parameters.clone();
        let mut scope = BTreeMap::new();
        for parameter in parameters {
            let declaration = &self.program.variables[parameter.index()];
            scope.insert(declaration.name.clone(), (Entity::Variable(parameter), declaration.span));
        }
        self.scopes.push(scope);
        self.scopes.push(BTreeMap::new());
        self.locals.clear();
        function.declarations.iter().for_each(|declaration| self.declaration(declaration, false));
        self.result = self.program.functions[id.index()].result;
        self.in_function = true;
        let body = self.statements(&function.body);
        self.in_function = false;
        self.result = None;
        self.scopes.pop();
        self.scopes.pop();
        let locals = std::mem::take(&mut self.locals);
        let entry = &mut self.program.functions[id.index()];
        entry.body = body;
        entry.locals = locals;
    }

    /// A bound variable, declared in the innermost scope.
    pub(super) fn binder(&mut self, quantifier: &Quantifier) -> Option<Binder> {
        match &quantifier.over {
            Domain::Type(ty) => {
                let ty = self.type_expression(ty)?;
                if !self.is_simple(ty) {
                    let message = format!("a variable cannot run over {}", self.type_name(ty));
                    self.error("E012", quantifier.name.span, message);
                    return None;
                }
                let variable = self.declare(&quantifier.name, ty, VariableKind::Bound);
                Some(Binder { variable, over: Over::Type(ty) })
            }
            Domain::Numbers(from, to, by) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                let step = match by {
                    Some(by) => self.number(by)?,
                    None => Expression { kind: ExpressionKind::Integer(1), ty: INTEGER, span: quantifier.name.span },
                };
                let ty = match (evaluate(&from), evaluate(&to)) {
                    (Some(Constant::Integer(a)), Some(Constant::Integer(b))) => {
                        self.add_type(TypeKind::Range(a.min(b), a.max(b)), quantifier.name.span)
                    }
                    _ => INTEGER,
                };
                let variable = self.declare(&quantifier.name, ty, VariableKind::Bound);
                let over = Over::Numbers { from: Box::new(from), to: Box::new(to), step: Box::new(step) };
                Some(Binder { variable, over })
            }
        }
    }

    /// A bound position in a multiset, declared in the innermost scope, and the multiset.
    pub(super) fn multiset_position(
        &mut self,
        name: &Name,
        place: &Expr,
    ) -> Option<(crate::program::VarId, Expression)> {
        let place = self.expression(place)?;
        let TypeKind::Multiset { size, .. } = *self.kind(place.ty) else {
            let message = format!("a multiset is needed here, not {}", self.type_name(place.ty));
            self.error("E013", place.span, message);
            return None;
        };
        let ty = self.add_type(TypeKind::Range(0, size - 1), name.span);
        Some((self.declare(name, ty, VariableKind::Bound), place))
    }
}

/// The value of an expression without variables; nothing where it has none (an overflow, a division by zero).
pub(super) fn evaluate(expression: &Expression) -> Option<Constant> {
    match &expression.kind {
        ExpressionKind::Integer(number) => Some(Constant::Integer(*number)),
        ExpressionKind::Boolean(truth) => Some(Constant::Boolean(*truth)),
        ExpressionKind::Unary(operator, inner) => match (operator, evaluate(inner)?) {
            (Unary::Minus, Constant::Integer(number)) => number.checked_neg().map(Constant::Integer),
            (Unary::Not, Constant::Boolean(truth)) => Some(Constant::Boolean(!truth)),
            _ => None,
        },
        ExpressionKind::Binary(operator, left, right) => operate(*operator, evaluate(left)?, evaluate(right)?),
        ExpressionKind::Conditional(condition, yes, no) => match evaluate(condition)? {
            Constant::Boolean(true) => evaluate(yes),
            Constant::Boolean(false) => evaluate(no),
            Constant::Integer(_) => None,
        },
        _ => None,
    }
}

fn operate(operator: Binary, left: Constant, right: Constant) -> Option<Constant> {
    match (left, right) {
        (Constant::Integer(a), Constant::Integer(b)) => {
            let number = match operator {
                Binary::Add => a.checked_add(b),
                Binary::Subtract => a.checked_sub(b),
                Binary::Multiply => a.checked_mul(b),
                Binary::Divide => a.checked_div(b),
                Binary::Modulo => a.checked_rem(b),
                Binary::Equal => return Some(Constant::Boolean(a == b)),
                Binary::Unequal => return Some(Constant::Boolean(a != b)),
                Binary::Less => return Some(Constant::Boolean(a < b)),
                Binary::LessEqual => return Some(Constant::Boolean(a <= b)),
                Binary::Greater => return Some(Constant::Boolean(a > b)),
                Binary::GreaterEqual => return Some(Constant::Boolean(a >= b)),
                Binary::And | Binary::Or | Binary::Implies => None,
            };
            number.map(Constant::Integer)
        }
        (Constant::Boolean(a), Constant::Boolean(b)) => match operator {
            Binary::And => Some(Constant::Boolean(a && b)),
            Binary::Or => Some(Constant::Boolean(a || b)),
            Binary::Implies => Some(Constant::Boolean(!a || b)),
            Binary::Equal => Some(Constant::Boolean(a == b)),
            Binary::Unequal => Some(Constant::Boolean(a != b)),
            _ => None,
        },
        _ => None,
    }
}
