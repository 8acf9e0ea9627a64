//! The walk that finds out how each range and scalarset is used.
//!
//! In: the typed program. Out: [`Classes`]. Nothing is decided here.

use std::collections::BTreeMap;

use super::classes::{Blocker, Class, ClassId, Classes, Extent};
use crate::elaborate::INTEGER;
use crate::program::{
    Around, Binary, Binder, Expression, ExpressionKind, FunctionId, Operands, Over, Program, Span, Statement,
    StatementKind, TypeId, TypeKind, Unary, VarId,
};
use crate::system::Origin;

/// The classes of a program.
pub(super) struct Inferred {
    pub(super) classes: Classes,
    pub(super) of_type: BTreeMap<TypeId, ClassId>,
    /// Types of which `isundefined` asks.
    pub(super) asked_undefined: Vec<TypeId>,
}

/// Finds out how each range and scalarset of the program is used.
pub(super) fn infer(program: &Program) -> Inferred {
    let mut walk = Walk {
        program,
        inferred: Inferred { classes: Classes::default(), of_type: BTreeMap::new(), asked_undefined: Vec::new() },
        functions: Vec::new(),
    };
    walk.types();
    for function in &program.functions {
        walk.functions.push(function.result);
        walk.statements(&function.body);
        walk.functions.pop();
    }
    for rule in &program.rules {
        walk.around(&rule.around);
        walk.expression(&rule.guard);
        walk.statements(&rule.body);
    }
    for startstate in &program.startstates {
        walk.around(&startstate.around);
        walk.statements(&startstate.body);
    }
    for property in &program.properties {
        walk.around(&property.around);
        walk.expression(&property.condition);
    }
    walk.inferred
}

/// What an expression's value is, as far as symmetry is concerned.
#[derive(Clone, Copy, Debug)]
enum Use {
    Class(ClassId),
    Literal(i64),
    /// A number that was computed.
    Number,
    Other,
}

struct Walk<'p> {
    program: &'p Program,
    inferred: Inferred,
    /// The result types of the functions around the statement at hand.
    functions: Vec<Option<TypeId>>,
}

impl Walk<'_> {
    fn place(&self, span: Span) -> Origin {
        self.program.origin(span)
    }

    fn types(&mut self) {
        for (at, ty) in self.program.types.iter().enumerate() {
            if TypeId(super::universe::position(at)) == INTEGER {
                continue;
            }
            let extent = match ty.kind {
                TypeKind::Scalarset(size) => Extent::Scalarset { size },
                TypeKind::Range(first, last) => Extent::Range { first, last },
                TypeKind::Boolean
                | TypeKind::Enum(_)
                | TypeKind::Union(_)
                | TypeKind::Record(_)
                | TypeKind::Array { .. }
                | TypeKind::Multiset { .. } => continue,
            };
            let class = self.inferred.classes.add(Class {
                name: ty.name.clone().unwrap_or_else(|| match extent {
                    Extent::Scalarset { size } => format!("scalarset({size})"),
                    Extent::Range { first, last } => format!("{first}..{last}"),
                }),
                extent,
                origin: self.place(ty.span),
                declared: ty.name.is_some(),
                literals: BTreeMap::new(),
                blockers: Vec::new(),
                indexes: false,
            });
            self.inferred.of_type.insert(TypeId(super::universe::position(at)), class);
        }
        // Parts of a union are written as types of their own and mean the same as the declared ones: they are the
        // same entry of the table, so nothing has to be joined.
        for ty in &self.program.types {
            if let TypeKind::Array { index, .. } = ty.kind
                && let Some(&class) = self.inferred.of_type.get(&index)
            {
                self.inferred.classes.index(class);
            }
        }
    }

    fn use_of_type(&self, ty: TypeId) -> Use {
        if ty == INTEGER {
            return Use::Number;
        }
        self.inferred.of_type.get(&ty).map_or(Use::Other, |&class| Use::Class(class))
    }

    fn around(&mut self, around: &[Around]) {
        for part in around {
            match part {
                Around::Parameter(binder) => self.binder(binder),
                Around::Alias(variable, value) => self.flow_into(*variable, value),
                Around::Choose(_, multiset) => {
                    self.expression(multiset);
                }
            }
        }
    }

    fn binder(&mut self, binder: &Binder) {
        let variable = &self.program.variables[binder.variable.index()];
        let own = self.inferred.of_type.get(&variable.ty).copied();
        match &binder.over {
            Over::Type(ty) => {
                if let Some(&class) = self.inferred.of_type.get(ty) {
                    self.inferred.classes.index(class);
                    if let Some(own) = own {
                        let place = self.place(variable.span);
                        self.inferred.classes.join(own, class, &place);
                    }
                }
            }
            Over::Numbers { from, to, step } => {
                let bounds = (constant(from), constant(to), constant(step));
                for bound in [from, to, step] {
                    if constant(bound).is_none() {
                        self.computed(bound, &Blocker::PartialRange);
                    }
                }
                let Some(own) = own else { return };
                let place = self.place(variable.span);
                let whole = match (self.inferred.classes.get(own).extent, bounds) {
                    (Extent::Range { first, last }, (Some(from), Some(to), Some(1))) => from == first && to == last,
                    _ => false,
                };
                if whole {
                    self.inferred.classes.index(own);
                } else {
                    self.inferred.classes.block(own, Blocker::PartialRange, &place);
                }
            }
        }
    }

    /// A value whose number matters.
    fn computed(&mut self, expression: &Expression, why: &Blocker) {
        let place = self.place(expression.span);
        if let Use::Class(class) = self.expression(expression) {
            self.inferred.classes.block(class, why.clone(), &place);
        }
    }

    fn flow_into(&mut self, variable: VarId, value: &Expression) {
        let used = self.expression(value);
        let declared = self.use_of_type(self.program.variables[variable.index()].ty);
        self.meet(declared, used, value.span);
    }

    /// The two are compared, or one is assigned to the other.
    fn meet(&mut self, one: Use, other: Use, span: Span) {
        let place = self.place(span);
        let classes = &mut self.inferred.classes;
        match (one, other) {
            (Use::Class(one), Use::Class(other)) => classes.join(one, other, &place),
            (Use::Class(class), Use::Literal(value)) | (Use::Literal(value), Use::Class(class)) => {
                classes.literal(class, value, &place);
            }
            (Use::Class(class), Use::Number) | (Use::Number, Use::Class(class)) => {
                classes.block(class, Blocker::Arithmetic, &place);
            }
            _ => {}
        }
    }

    fn expression(&mut self, expression: &Expression) -> Use {
        match &expression.kind {
            ExpressionKind::Boolean(_) | ExpressionKind::Member(_) | ExpressionKind::Undefined => Use::Other,
            ExpressionKind::Integer(value) => Use::Literal(*value),
            ExpressionKind::Variable(variable) => self.use_of_type(self.program.variables[variable.index()].ty),
            ExpressionKind::Field(record, _) => {
                self.expression(record);
                self.use_of_type(expression.ty)
            }
            ExpressionKind::Element(array, index) => {
                self.expression(array);
                let used = self.expression(index);
                if let TypeKind::Array { index: declared, .. } = self.program.types[array.ty.index()].kind {
                    let declared = self.use_of_type(declared);
                    self.meet(declared, used, index.span);
                }
                self.use_of_type(expression.ty)
            }
            ExpressionKind::Unary(Unary::Not, inner) => {
                self.expression(inner);
                Use::Other
            }
            ExpressionKind::Unary(Unary::Minus, inner) => {
                self.computed(inner, &Blocker::Arithmetic);
                Use::Number
            }
            ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right, expression.span),
            ExpressionKind::Conditional(condition, yes, no) => {
                self.expression(condition);
                let (yes, no) = (self.expression(yes), self.expression(no));
                self.meet(yes, no, expression.span);
                if let Use::Class(_) = yes { yes } else { no }
            }
            ExpressionKind::Forall(binder, body) | ExpressionKind::Exists(binder, body) => {
                self.binder(binder);
                self.expression(body);
                Use::Other
            }
            ExpressionKind::Call(function, arguments) => {
                self.call(*function, arguments);
                self.program.functions[function.index()].result.map_or(Use::Other, |ty| self.use_of_type(ty))
            }
            ExpressionKind::IsUndefined(inner) => {
                self.expression(inner);
                self.inferred.asked_undefined.push(inner.ty);
                Use::Other
            }
            ExpressionKind::IsMember(inner, _) => {
                self.expression(inner);
                Use::Other
            }
            ExpressionKind::MultisetCount(_, multiset, condition) => {
                self.expression(multiset);
                self.expression(condition);
                Use::Number
            }
        }
    }

    fn binary(&mut self, operator: Binary, left: &Expression, right: &Expression, span: Span) -> Use {
        match operator.takes() {
            Operands::Conditions => {
                self.expression(left);
                self.expression(right);
                Use::Other
            }
            Operands::Alike => {
                let (left, right) = (self.expression(left), self.expression(right));
                self.meet(left, right, span);
                Use::Other
            }
            Operands::Ordered => {
                self.computed(left, &Blocker::Order);
                self.computed(right, &Blocker::Order);
                Use::Other
            }
            Operands::Numbers => {
                self.computed(left, &Blocker::Arithmetic);
                self.computed(right, &Blocker::Arithmetic);
                Use::Number
            }
        }
    }

    fn call(&mut self, function: FunctionId, arguments: &[Expression]) {
        let parameters = self.program.functions[function.index()].parameters.clone();
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            self.flow_into(parameter, argument);
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(to, from) => {
                let (to, from_use) = (self.expression(to), self.expression(from));
                self.meet(to, from_use, from.span);
            }
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    self.expression(condition);
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StatementKind::Switch(on, cases, otherwise) => {
                let on = self.expression(on);
                for (values, body) in cases {
                    for value in values {
                        let used = self.expression(value);
                        self.meet(on, used, value.span);
                    }
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StatementKind::For(binder, body) => {
                self.binder(binder);
                self.statements(body);
            }
            StatementKind::While(condition, body) => {
                self.expression(condition);
                self.statements(body);
            }
            StatementKind::Alias(variable, value, body) => {
                self.flow_into(*variable, value);
                self.statements(body);
            }
            StatementKind::Call(function, arguments) => self.call(*function, arguments),
            StatementKind::Clear(place) => {
                self.expression(place);
                self.cleared(place.ty, place.span);
            }
            StatementKind::Undefine(place) => {
                self.expression(place);
            }
            StatementKind::Assert(condition, _)
            | StatementKind::Assume(condition)
            | StatementKind::Cover(condition, _) => {
                self.expression(condition);
            }
            StatementKind::Error(_) | StatementKind::Put => {}
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    let used = self.expression(value);
                    if let Some(&Some(result)) = self.functions.last() {
                        let result = self.use_of_type(result);
                        self.meet(result, used, value.span);
                    }
                }
            }
            StatementKind::MultisetAdd(one, other)
            | StatementKind::MultisetRemove(one, other)
            | StatementKind::MultisetRemoveIf(_, one, other) => {
                self.expression(one);
                self.expression(other);
            }
        }
    }

    /// `clear` names the least element of a range.
    fn cleared(&mut self, ty: TypeId, span: Span) {
        let place = self.place(span);
        match self.program.types[ty.index()].kind.clone() {
            TypeKind::Range(first, _) => {
                if let Use::Class(class) = self.use_of_type(ty) {
                    self.inferred.classes.literal(class, first, &place);
                }
            }
            TypeKind::Record(fields) => {
                for (_, field) in fields {
                    self.cleared(field, span);
                }
            }
            TypeKind::Array { element, .. } => self.cleared(element, span),
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_)
            | TypeKind::Multiset { .. } => {}
        }
    }
}

/// The value of an expression that is written as a number.
pub(super) fn constant(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Unary(Unary::Minus, inner) => constant(inner).map(|value| -value),
        _ => None,
    }
}
