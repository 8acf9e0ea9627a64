//! Determines how each range and scalarset is used.
//!
//! This is a flow analysis over the whole program: every expression has a [`Flow`], the types, literals and computed
//! numbers that its value can come from, and every place where one value meets another (an assignment, a comparison, an
//! argument, a result, an index, a label, an alias, a member of a union) joins the two flows. Types are joined part by
//! part, so that joining records, arrays or unions joins the types of their fields, elements and members. No form of
//! expression or statement is skipped: anything not known to be symmetric makes a type finite. No decisions are made
//! here.

use std::collections::{BTreeMap, BTreeSet};

use super::classes::{Blocker, Class, ClassId, Classes, Extent};
use crate::elaborate::INTEGER;
use crate::program::{
    Around, Binary, Binder, Expression, ExpressionKind, FunctionId, Operands, Over, Program, Span, Statement,
    StatementKind, TypeId, TypeKind, Unary, VarId,
};
use system::Origin;

/// The classes of a program.
pub(super) struct Inferred {
    pub(super) classes: Classes,
    pub(super) of_type: BTreeMap<TypeId, ClassId>,
    /// The types that `isundefined` is used on.
    pub(super) asked_undefined: BTreeSet<TypeId>,
    /// The variables that run over numbers which are all indices of arrays over one type, with that type.
    pub(super) parts: BTreeMap<VarId, TypeId>,
}

impl Inferred {
    /// Returns whether a variable that runs over numbers, which are indices of arrays over one type, runs over all elements of that
    /// type: the bounds are the same in terms of the constants.
    pub(super) fn is_whole(&self, program: &Program, variable: VarId) -> bool {
        let bounds = |ty: TypeId| program.bounds.get(&ty);
        let over = self.parts.get(&variable).and_then(|over| bounds(*over));
        over.is_some() && over == bounds(program.variables[variable.index()].ty)
    }
}

/// Determines how each range and scalarset of the program is used.
///
/// Of the values in `added`, it is asked whether they are undefined.
pub(super) fn infer<'p>(program: &'p Program, added: &'p BTreeSet<Span>) -> Inferred {
    let mut walk = Walk {
        program,
        added,
        inferred: Inferred {
            classes: Classes::default(),
            of_type: BTreeMap::new(),
            asked_undefined: BTreeSet::new(),
            parts: parts(program),
        },
        result: None,
        joined: BTreeSet::new(),
    };
    walk.types();
    for function in &program.functions {
        walk.result = function.result;
        walk.statements(&function.body);
    }
    walk.result = None;
    for rule in &program.rules {
        walk.around(&rule.around, true);
        walk.expression(&rule.guard);
        walk.statements(&rule.body);
    }
    for startstate in &program.startstates {
        walk.around(&startstate.around, false);
        walk.statements(&startstate.body);
    }
    for property in &program.properties {
        walk.around(&property.around, false);
        walk.expression(&property.condition);
    }
    walk.enter_parts();
    walk.follow_undefined();
    for ty in walk.inferred.asked_undefined.clone() {
        walk.not_number(&Flow { types: vec![ty], ..Flow::default() });
    }
    walk.inferred
}

/// Where a value can come from, as far as symmetry is concerned.
#[derive(Clone, Debug, Default)]
struct Flow {
    /// Declared types, with all their fields, elements and members.
    types: Vec<TypeId>,
    /// Literal numbers, each with its place.
    literals: Vec<(i64, Span)>,
    /// The places of computed numbers.
    computed: Vec<Span>,
}

impl Flow {
    /// A truth value, a member of an enumeration, or the undefined value: none of them can break a symmetry.
    fn none() -> Self {
        Self::default()
    }

    fn of_type(ty: TypeId, span: Span) -> Self {
        if ty == INTEGER {
            return Self::computed(span);
        }
        Self { types: vec![ty], ..Self::default() }
    }

    fn literal(value: i64, span: Span) -> Self {
        Self { literals: vec![(value, span)], ..Self::default() }
    }

    fn computed(span: Span) -> Self {
        Self { computed: vec![span], ..Self::default() }
    }

    fn or(mut self, other: Self) -> Self {
        self.types.extend(other.types);
        self.literals.extend(other.literals);
        self.computed.extend(other.computed);
        self
    }
}

/// Returns whether an expression is made of constants, `+` and `-` only.
pub(super) fn is_sum_of_constants(expression: &Expression) -> bool {
    let mut is_sum = true;
    expression.each(&mut |part| {
        let is_part = matches!(
            part.kind,
            ExpressionKind::Integer(_) | ExpressionKind::Binary(Binary::Add | Binary::Subtract, ..)
        );
        is_sum &= is_part;
    });
    is_sum
}

/// Returns the variables that run over numbers, one after the other, which are all indices of arrays over one range: the variable,
/// or with a number added, is an index, and of no array over another type.
fn parts(program: &Program) -> BTreeMap<VarId, TypeId> {
    let mut bounded: BTreeSet<VarId> = BTreeSet::new();
    let mut note = |binder: &Binder| {
        if let Over::Numbers { step, .. } = &binder.over
            && matches!(constant(step), Some(1 | -1))
        {
            bounded.insert(binder.variable);
        }
    };
    let bodies = program.functions.iter().map(|function| &function.body);
    let bodies = bodies.chain(program.rules.iter().map(|rule| &rule.body));
    for body in bodies.chain(program.startstates.iter().map(|start| &start.body)) {
        crate::program::walk::each_statement(body, &mut |statement| {
            if let StatementKind::For(binder, _) = &statement.kind {
                note(binder);
            }
        });
    }
    let mut found: BTreeMap<VarId, BTreeSet<TypeId>> = BTreeMap::new();
    let mut other: BTreeSet<VarId> = BTreeSet::new();
    program.each_expression(&mut |expression| {
        if let ExpressionKind::Forall(binder, _) | ExpressionKind::Exists(binder, _) = &expression.kind {
            note(binder);
        }
        let ExpressionKind::Element(array, index) = &expression.kind else { return };
        let TypeKind::Array { index: over, .. } = program.types[array.ty.index()].kind else { return };
        match moved_variable(index) {
            Some(variable) if matches!(program.types[over.index()].kind, TypeKind::Range(..)) => {
                found.entry(variable).or_default().insert(over);
            }
            Some(_) | None => index.each(&mut |part| {
                if let ExpressionKind::Variable(variable) = part.kind {
                    other.insert(variable);
                }
            }),
        }
    });
    let only = |(variable, types): (VarId, BTreeSet<TypeId>)| {
        let mut types = types.into_iter();
        let over = types.next().filter(|_| types.next().is_none())?;
        (bounded.contains(&variable) && !other.contains(&variable)).then_some((variable, over))
    };
    found.into_iter().filter_map(only).collect()
}

/// Returns the variable to which a constant is added or from which one is subtracted, or which is the whole expression.
fn moved_variable(expression: &Expression) -> Option<VarId> {
    match &expression.kind {
        ExpressionKind::Variable(variable) => Some(*variable),
        ExpressionKind::Binary(Binary::Add | Binary::Subtract, left, right) if is_sum_of_constants(right) => {
            moved_variable(left)
        }
        ExpressionKind::Binary(Binary::Add, left, right) if is_sum_of_constants(left) => moved_variable(right),
        ExpressionKind::Boolean(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Member(_)
        | ExpressionKind::Undefined
        | ExpressionKind::Field(..)
        | ExpressionKind::Element(..)
        | ExpressionKind::Unary(..)
        | ExpressionKind::Binary(..)
        | ExpressionKind::Conditional(..)
        | ExpressionKind::Forall(..)
        | ExpressionKind::Exists(..)
        | ExpressionKind::Call(..)
        | ExpressionKind::IsUndefined(_)
        | ExpressionKind::IsMember(..)
        | ExpressionKind::MultisetCount(..) => None,
    }
}

struct Walk<'p> {
    program: &'p Program,
    /// The values that are added to multisets and may be undefined.
    added: &'p BTreeSet<Span>,
    inferred: Inferred,
    /// The result type of the current function.
    result: Option<TypeId>,
    /// Pairs of types already joined.
    joined: BTreeSet<(TypeId, TypeId)>,
}

impl Walk<'_> {
    fn place(&self, span: Span) -> Origin {
        self.program.origin(span)
    }

    fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.program.types[ty.index()].kind
    }

    /// Creates a class for each range and scalarset. Types written by name share the entry of the table, so they need
    /// no joining.
    fn types(&mut self) {
        for (at, ty) in self.program.types.iter().enumerate() {
            let id = TypeId(super::universe::position(at));
            if id == INTEGER {
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
                bounds: self.program.bounds.get(&id).cloned(),
                origin: self.place(ty.span),
                declared: ty.name.is_some(),
                literals: BTreeMap::new(),
                written: BTreeSet::new(),
                blockers: Vec::new(),
                indexes: false,
                sizes_array: false,
                cleared: false,
                number: matches!(extent, Extent::Range { .. }),
                points_into: BTreeSet::new(),
            });
            self.inferred.of_type.insert(id, class);
        }
        for (at, ty) in self.program.types.iter().enumerate() {
            match &ty.kind {
                TypeKind::Array { index, .. } => {
                    for class in self.classes_of(*index) {
                        self.inferred.classes.index(class);
                        self.inferred.classes.sizes_array(class);
                        self.inferred.classes.not_number(class);
                    }
                }
                TypeKind::Union(_) => {
                    self.not_number(&Flow { types: vec![TypeId(super::universe::position(at))], ..Flow::default() });
                    self.members(TypeId(super::universe::position(at)), ty.span);
                }
                TypeKind::Multiset { element, .. } => {
                    self.not_number(&Flow { types: vec![*element], ..Flow::default() });
                }
                TypeKind::Boolean
                | TypeKind::Enum(_)
                | TypeKind::Range(..)
                | TypeKind::Scalarset(_)
                | TypeKind::Record(_) => {}
            }
        }
    }

    /// Numbers of two ranges in one union may be equal.
    fn members(&mut self, union: TypeId, span: Span) {
        let classes = self.classes_of(union);
        let is_range = |class: &ClassId| matches!(self.inferred.classes.get(*class).extent, Extent::Range { .. });
        let ranges: Vec<ClassId> = classes.into_iter().filter(is_range).collect();
        let place = self.place(span);
        for (at, one) in ranges.iter().enumerate() {
            for other in &ranges[at + 1..] {
                self.inferred.classes.join(*one, *other, &place);
            }
        }
    }

    /// Returns the classes of a simple type: its own, or those of the members of a union.
    fn classes_of(&self, ty: TypeId) -> Vec<ClassId> {
        match self.kind(ty) {
            TypeKind::Range(..) | TypeKind::Scalarset(_) => {
                self.inferred.of_type.get(&ty).copied().into_iter().collect()
            }
            TypeKind::Union(members) => members.iter().flat_map(|member| self.classes_of(*member)).collect(),
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Record(_)
            | TypeKind::Array { .. }
            | TypeKind::Multiset { .. } => Vec::new(),
        }
    }

    /// Returns the classes of the flow's types whose values are numbers.
    fn numeric_classes(&self, flow: &Flow) -> Vec<ClassId> {
        let classes = flow.types.iter().flat_map(|ty| self.classes_of(*ty));
        classes.filter(|class| matches!(self.inferred.classes.get(*class).extent, Extent::Range { .. })).collect()
    }

    /// Of a rule, a parameter may be a number that the rule chooses.
    fn around(&mut self, around: &[Around], of_rule: bool) {
        for part in around {
            match part {
                Around::Parameter(binder) => {
                    if !(of_rule && matches!(binder.over, Over::Type(_))) {
                        self.bound_number(binder);
                    }
                    self.binder(binder);
                }
                Around::Alias(variable, value) => self.flow_into(*variable, value),
                Around::Choose(variable, multiset) => self.position(*variable, multiset),
            }
        }
    }

    /// A variable that is a multiset position is a number, whatever its declared type.
    fn position(&mut self, variable: VarId, multiset: &Expression) {
        self.expression(multiset);
        let variable = &self.program.variables[variable.index()];
        self.meet(&Flow::of_type(variable.ty, variable.span), &Flow::computed(multiset.span), multiset.span);
    }

    /// Records that a variable runs over all values of a type, one after the other.
    fn bound_number(&mut self, binder: &Binder) {
        let variable = &self.program.variables[binder.variable.index()];
        let mut types = vec![variable.ty];
        if let Over::Type(ty) = binder.over {
            types.push(ty);
        }
        self.not_number(&Flow { types, ..Flow::default() });
    }

    /// Records that a value is used for more than a number that may be any integer can be.
    fn not_number(&mut self, flow: &Flow) {
        for class in self.numeric_classes(flow) {
            self.inferred.classes.not_number(class);
        }
    }

    fn binder(&mut self, binder: &Binder) {
        let variable = &self.program.variables[binder.variable.index()];
        let own = Flow::of_type(variable.ty, variable.span);
        match &binder.over {
            Over::Type(ty) => {
                for class in self.classes_of(*ty) {
                    self.inferred.classes.index(class);
                }
                self.meet(&own, &Flow::of_type(*ty, variable.span), variable.span);
            }
            Over::Numbers { from, to, step } => {
                let bounds = (constant(from), constant(to), constant(step));
                let is_part = self.inferred.parts.contains_key(&binder.variable);
                let is_all = self.inferred.is_whole(self.program, binder.variable);
                for bound in [from, to, step] {
                    let flow = self.expression(bound);
                    if is_part {
                        // The bounds are compared with the elements.
                        self.block(&flow, &Blocker::Order, bound.span);
                        continue;
                    }
                    self.not_number(&flow);
                    self.block(&flow, &Blocker::PartialRange, bound.span);
                }
                for class in self.classes_of(variable.ty) {
                    let whole = match (self.inferred.classes.get(class).extent, bounds) {
                        (Extent::Range { first, last }, (Some(from), Some(to), Some(1))) => from == first && to == last,
                        (Extent::Range { .. } | Extent::Scalarset { .. }, _) => false,
                    };
                    if whole || is_all {
                        self.inferred.classes.index(class);
                    } else {
                        let place = self.place(variable.span);
                        self.inferred.classes.block(class, Blocker::PartialRange, &place);
                    }
                }
            }
        }
    }

    /// A variable that runs over a part of a type has values of that type.
    fn enter_parts(&mut self) {
        for (variable, over) in &self.inferred.parts {
            let ty = self.program.variables[variable.index()].ty;
            let is_own = self.program.variables.iter().filter(|own| own.ty == ty).count() == 1;
            let is_range = self.inferred.of_type.contains_key(&ty) && self.program.types[ty.index()].name.is_none();
            if let Some(class) = self.inferred.of_type.get(over).copied().filter(|_| is_own && is_range) {
                self.inferred.of_type.insert(ty, class);
            }
        }
    }

    /// Records that a value is used as a number.
    fn block(&mut self, flow: &Flow, why: &Blocker, span: Span) {
        let place = self.place(span);
        for ty in &flow.types {
            for class in self.classes_of(*ty) {
                self.inferred.classes.block(class, why.clone(), &place);
            }
        }
    }

    fn computed(&mut self, expression: &Expression, why: &Blocker) {
        let flow = self.expression(expression);
        self.block(&flow, why, expression.span);
    }

    fn flow_into(&mut self, variable: VarId, value: &Expression) {
        let flow = self.expression(value);
        let declared = Flow::of_type(self.program.variables[variable.index()].ty, value.span);
        self.meet(&declared, &flow, value.span);
    }

    /// Records that two values are compared, or one is assigned to the other.
    fn meet(&mut self, one: &Flow, other: &Flow, span: Span) {
        for a in &one.types {
            for b in &other.types {
                self.join(*a, *b, span);
            }
        }
        for (flow, numbers) in [(one, other), (other, one)] {
            let classes = self.numeric_classes(flow);
            for class in classes {
                for (value, span) in &numbers.literals {
                    let place = self.place(*span);
                    self.inferred.classes.literal(class, *value, &place);
                    if let Some(constant) = self.program.constant_at(*span) {
                        self.inferred.classes.written(class, constant);
                    }
                }
                for place in &numbers.computed {
                    let place = self.place(*place);
                    self.inferred.classes.block(class, Blocker::Arithmetic, &place);
                }
            }
        }
    }

    /// Adds the types through which an undefined value may reach one that is asked for it: it is copied like any other.
    fn follow_undefined(&mut self) {
        let unions = self.program.types.iter().enumerate().filter_map(|(at, ty)| {
            let TypeKind::Union(parts) = &ty.kind else { return None };
            Some((TypeId(super::universe::position(at)), parts))
        });
        let parts = unions.flat_map(|(union, parts)| parts.iter().map(move |part| (union, *part)));
        let mut flows: BTreeMap<TypeId, Vec<TypeId>> = BTreeMap::new();
        for (one, other) in self.joined.iter().copied().chain(parts) {
            flows.entry(one).or_default().push(other);
            flows.entry(other).or_default().push(one);
        }
        let mut open: Vec<TypeId> = self.inferred.asked_undefined.iter().copied().collect();
        while let Some(ty) = open.pop() {
            let next = flows.get(&ty).into_iter().flatten();
            open.extend(next.filter(|next| self.inferred.asked_undefined.insert(**next)));
        }
    }

    /// Joins two types whose values are used interchangeably, and so their parts.
    fn join(&mut self, a: TypeId, b: TypeId, span: Span) {
        if a == b || !self.joined.insert((a, b)) {
            return;
        }
        let program = self.program;
        match (&program.types[a.index()].kind, &program.types[b.index()].kind) {
            (TypeKind::Record(one), TypeKind::Record(other)) => {
                for ((_, one), (_, other)) in one.iter().zip(other) {
                    self.join(*one, *other, span);
                }
            }
            (TypeKind::Array { index: i, element: e }, TypeKind::Array { index: j, element: f }) => {
                self.join(*i, *j, span);
                self.join(*e, *f, span);
            }
            (TypeKind::Multiset { element: e, .. }, TypeKind::Multiset { element: f, .. }) => self.join(*e, *f, span),
            (
                TypeKind::Range(..) | TypeKind::Scalarset(_) | TypeKind::Union(_),
                TypeKind::Range(..) | TypeKind::Scalarset(_) | TypeKind::Union(_),
            ) => self.join_simple(a, b, span),
            // Truth values and members of enumerations are the same in all types. The remaining combinations are
            // incompatible, and the type checker refuses them.
            (
                TypeKind::Boolean
                | TypeKind::Enum(_)
                | TypeKind::Range(..)
                | TypeKind::Scalarset(_)
                | TypeKind::Union(_)
                | TypeKind::Record(_)
                | TypeKind::Array { .. }
                | TypeKind::Multiset { .. },
                TypeKind::Boolean
                | TypeKind::Enum(_)
                | TypeKind::Range(..)
                | TypeKind::Scalarset(_)
                | TypeKind::Union(_)
                | TypeKind::Record(_)
                | TypeKind::Array { .. }
                | TypeKind::Multiset { .. },
            ) => {}
        }
    }

    /// Numbers of all ranges mix; a scalarset is only compatible with itself, which is a single class already.
    fn join_simple(&mut self, a: TypeId, b: TypeId, span: Span) {
        let ranges = |walk: &Self, ty: TypeId| walk.numeric_classes(&Flow { types: vec![ty], ..Flow::default() });
        let place = self.place(span);
        for one in ranges(self, a) {
            for other in ranges(self, b) {
                self.inferred.classes.join(one, other, &place);
            }
        }
    }

    fn expression(&mut self, expression: &Expression) -> Flow {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Boolean(_) | ExpressionKind::Member(_) | ExpressionKind::Undefined => Flow::none(),
            ExpressionKind::Integer(value) => Flow::literal(*value, span),
            ExpressionKind::Variable(variable) => Flow::of_type(self.program.variables[variable.index()].ty, span),
            ExpressionKind::Field(record, _) => {
                self.expression(record);
                Flow::of_type(expression.ty, span)
            }
            ExpressionKind::Element(array, index) => {
                let arrays = self.expression(array);
                let used = self.expression(index);
                for ty in arrays.types {
                    if let TypeKind::Array { index: declared, .. } = *self.kind(ty) {
                        let arrays = self.classes_of(declared);
                        for class in self.numeric_classes(&used) {
                            arrays.iter().for_each(|array| self.inferred.classes.points_into(class, *array));
                        }
                        self.meet(&Flow::of_type(declared, index.span), &used, index.span);
                    }
                }
                Flow::of_type(expression.ty, span)
            }
            ExpressionKind::Unary(Unary::Not, inner) => {
                self.expression(inner);
                Flow::none()
            }
            ExpressionKind::Unary(Unary::Minus, inner) => {
                let flow = self.expression(inner);
                self.not_number(&flow);
                self.block(&flow, &Blocker::Arithmetic, inner.span);
                constant(expression).map_or(Flow::computed(span), |value| Flow::literal(value, span))
            }
            ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right, span),
            ExpressionKind::Conditional(condition, yes, no) => {
                self.expression(condition);
                let (yes, no) = (self.expression(yes), self.expression(no));
                // A part of the result has the type of the same part of either operand.
                self.meet(&yes, &no, span);
                yes.or(no)
            }
            ExpressionKind::Forall(binder, body) | ExpressionKind::Exists(binder, body) => {
                self.bound_number(binder);
                self.binder(binder);
                self.expression(body);
                Flow::none()
            }
            ExpressionKind::Call(function, arguments) => {
                self.call(*function, arguments);
                let result = self.program.functions[function.index()].result;
                result.map_or(Flow::none(), |ty| Flow::of_type(ty, span))
            }
            ExpressionKind::IsUndefined(inner) => {
                self.expression(inner);
                self.inferred.asked_undefined.insert(inner.ty);
                Flow::none()
            }
            ExpressionKind::IsMember(inner, ty) => {
                let flow = self.expression(inner);
                self.not_number(&Flow::of_type(*ty, span));
                self.meet(&flow, &Flow::of_type(*ty, span), span);
                Flow::none()
            }
            ExpressionKind::MultisetCount(variable, multiset, condition) => {
                self.position(*variable, multiset);
                self.expression(condition);
                Flow::computed(span)
            }
        }
    }

    fn binary(&mut self, operator: Binary, left: &Expression, right: &Expression, span: Span) -> Flow {
        match operator.takes() {
            Operands::Conditions => {
                self.expression(left);
                self.expression(right);
                Flow::none()
            }
            Operands::Alike => {
                let (left, right) = (self.expression(left), self.expression(right));
                self.meet(&left, &right, span);
                Flow::none()
            }
            Operands::Ordered => {
                for (own, other) in [(left, right), (right, left)] {
                    // Twice a number is compared with constants by half of these.
                    let doubled = self.program.doubled(own).filter(|_| is_sum_of_constants(other));
                    self.computed(doubled.unwrap_or(own), &Blocker::Order);
                }
                Flow::none()
            }
            Operands::Numbers => {
                let flows = [self.expression(left), self.expression(right)];
                let of_constant = flows.iter().any(|flow| flow.types.is_empty());
                if !(of_constant && matches!(operator, Binary::Add | Binary::Subtract)) {
                    flows.iter().for_each(|flow| self.not_number(flow));
                }
                for (flow, operand) in flows.iter().zip([left, right]) {
                    self.block(flow, &Blocker::Arithmetic, operand.span);
                }
                Flow::computed(span)
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
                let (to, from_flow) = (self.expression(to), self.expression(from));
                self.meet(&to, &from_flow, from.span);
            }
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    self.expression(condition);
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StatementKind::Switch(on, cases, otherwise) => self.switch(on, cases, otherwise),
            StatementKind::For(binder, body) => {
                self.bound_number(binder);
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
            StatementKind::Put(Some(value)) if value.calls() => {
                self.expression(value);
            }
            StatementKind::Error(_) | StatementKind::Put(_) => {}
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    let flow = self.expression(value);
                    if let Some(result) = self.result {
                        self.meet(&Flow::of_type(result, value.span), &flow, value.span);
                    }
                }
            }
            StatementKind::MultisetAdd(value, multiset) => {
                if self.added.contains(&value.span) {
                    self.inferred.asked_undefined.insert(value.ty);
                }
                let flow = self.expression(value);
                for ty in self.expression(multiset).types {
                    if let TypeKind::Multiset { element, .. } = *self.kind(ty) {
                        self.meet(&Flow::of_type(element, value.span), &flow, value.span);
                    }
                }
            }
            StatementKind::MultisetRemove(position, multiset) => {
                self.computed(position, &Blocker::Arithmetic);
                self.expression(multiset);
            }
            StatementKind::MultisetRemoveIf(variable, multiset, condition) => {
                self.position(*variable, multiset);
                self.expression(condition);
            }
        }
    }

    fn switch(&mut self, on: &Expression, cases: &[(Vec<Expression>, Vec<Statement>)], otherwise: &[Statement]) {
        let on = self.expression(on);
        for (values, body) in cases {
            for value in values {
                let flow = self.expression(value);
                self.meet(&on, &flow, value.span);
            }
            self.statements(body);
        }
        self.statements(otherwise);
    }

    /// `clear` names the least element of a range, and the first one of a scalarset.
    fn cleared(&mut self, ty: TypeId, span: Span) {
        let program = self.program;
        match &program.types[ty.index()].kind {
            TypeKind::Range(first, _) => {
                let place = self.place(span);
                for class in self.classes_of(ty) {
                    self.inferred.classes.literal(class, *first, &place);
                }
            }
            TypeKind::Scalarset(_) => {
                for class in self.classes_of(ty) {
                    self.inferred.classes.clear(class);
                }
            }
            TypeKind::Union(members) => members.iter().for_each(|member| self.cleared(*member, span)),
            TypeKind::Record(fields) => fields.iter().for_each(|(_, field)| self.cleared(*field, span)),
            TypeKind::Array { element, .. } => self.cleared(*element, span),
            // A multiset is empty afterwards, so its element type gets no values.
            TypeKind::Boolean | TypeKind::Enum(_) | TypeKind::Multiset { .. } => {}
        }
    }
}

/// Returns the value of an expression written as a number.
pub(super) fn constant(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Unary(Unary::Minus, inner) => constant(inner).map(|value| -value),
        ExpressionKind::Boolean(_)
        | ExpressionKind::Member(_)
        | ExpressionKind::Undefined
        | ExpressionKind::Variable(_)
        | ExpressionKind::Field(..)
        | ExpressionKind::Element(..)
        | ExpressionKind::Unary(Unary::Not, _)
        | ExpressionKind::Binary(..)
        | ExpressionKind::Conditional(..)
        | ExpressionKind::Forall(..)
        | ExpressionKind::Exists(..)
        | ExpressionKind::Call(..)
        | ExpressionKind::IsUndefined(_)
        | ExpressionKind::IsMember(..)
        | ExpressionKind::MultisetCount(..) => None,
    }
}
