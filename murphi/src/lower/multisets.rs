//! Multisets as unordered networks of any capacity.
//!
//! The elements of `multiset [n] of t` are in *slots*, which form an index type of their own: each slot is free or has an
//! element. A multiset has no order, so nothing tells slots apart, and `multisetadd` may take any free one: it is a parameter
//! of the rule. A chosen position is a used slot, another parameter. A condition on the number of elements says that there is
//! a slot, or two of them, or that all are used.
//!
//! # Sets
//! If a model never chooses from a multiset of simple values, and asks only whether it has elements, the number of equal
//! elements makes no difference. Such a multiset is lowered to the set of its values: `used` for each value, without slots. This is
//! how models write the set of sharers of a cache line.
//!
//! # For which capacities this is faithful
//! Without loops that add, a run with capacity `n` is a run with `n` slots. A loop that adds to one multiset per element takes the
//! same slot in each of them: one that is free in all of them. With `n` slots there may be none, but there is one with more
//! slots than the multisets have elements together. So a proof for any number of slots covers every capacity. What a run
//! may do when a multiset is full is not known then: both answers are possible to the question of whether it is full.
//!
//! A full multiset is an error of `multisetadd`, and the run has no successor. An assertion that there is room says the same.

use std::collections::{BTreeMap, BTreeSet};

use super::infer::constant;
use crate::program::walk::{each_in_statements, each_statement};
use crate::program::{
    Affine, Around, Binary, Binder, Expression, ExpressionKind, FunctionId, Over, Program, Span, Statement,
    StatementKind, TypeId, TypeKind, VarId,
};
use system::IndexTypeId;

/// The multiset types of the variables of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Multisets {
    slots: BTreeMap<TypeId, Option<IndexTypeId>>,
    /// The types that are sets.
    sets: BTreeSet<TypeId>,
    /// Whether a loop over an index type adds to multisets.
    added_to_in_loops: bool,
}

impl Multisets {
    /// Finds the types; `is_index` says which types are index types.
    pub(super) fn new(program: &Program, is_index: &dyn Fn(TypeId) -> bool) -> Self {
        let results = program.functions.iter().filter_map(|function| function.result);
        let types = program.variables.iter().map(|variable| variable.ty).chain(results);
        let found = types.flat_map(|ty| within(program, ty)).map(|ty| (ty, None)).collect();
        let found: BTreeMap<TypeId, Option<IndexTypeId>> = found;
        let sets = sets(program, found.keys().copied().collect());
        let loops = |statement: &Statement| match &statement.kind {
            StatementKind::For(binder, body) => runs_over(program, binder, is_index) && adds(program, body, &sets),
            _ => false,
        };
        let mut added_to_in_loops = false;
        for body in program.bodies() {
            each_statement(body, &mut |statement| added_to_in_loops |= loops(statement));
        }
        Self { slots: found, sets, added_to_in_loops }
    }

    /// Returns the types that are no sets.
    pub(super) fn with_slots(&self) -> Vec<TypeId> {
        self.slots.keys().copied().filter(|ty| !self.is_set(*ty)).collect()
    }

    pub(super) fn is_set(&self, multiset: TypeId) -> bool {
        self.sets.contains(&multiset)
    }

    pub(super) fn enter(&mut self, multiset: TypeId, slots: IndexTypeId) {
        self.slots.insert(multiset, Some(slots));
    }

    pub(super) fn slots(&self, multiset: TypeId) -> Option<IndexTypeId> {
        self.slots.get(&multiset).copied().flatten()
    }

    pub(super) fn added_to_in_loops(&self) -> bool {
        self.added_to_in_loops
    }
}

/// Returns the name of a multiset type, or that of the first variable that has it as a part.
pub(super) fn name(program: &Program, multiset: TypeId) -> String {
    let declared = program.types[multiset.index()].name.clone();
    let has_it = |global: &&VarId| within(program, program.variables[global.index()].ty).contains(&multiset);
    let variable = || program.globals.iter().find(has_it).map(|global| program.variables[global.index()].name.clone());
    declared.or_else(variable).unwrap_or_else(|| "multiset".to_owned())
}

pub(super) fn is_multiset(program: &Program, ty: TypeId) -> bool {
    matches!(program.types[ty.index()].kind, TypeKind::Multiset { .. })
}

/// Returns whether a type has a multiset as a part.
pub(super) fn has_multiset(program: &Program, ty: TypeId) -> bool {
    !within(program, ty).is_empty()
}

/// Returns whether a type has a multiset whose elements have multisets.
pub(super) fn is_nested(program: &Program, ty: TypeId) -> bool {
    within(program, ty).into_iter().any(|multiset| match program.types[multiset.index()].kind {
        TypeKind::Multiset { element, .. } => has_multiset(program, element),
        _ => false,
    })
}

/// Returns the multiset types in a type.
fn within(program: &Program, ty: TypeId) -> Vec<TypeId> {
    match &program.types[ty.index()].kind {
        TypeKind::Multiset { element, .. } => [vec![ty], within(program, *element)].concat(),
        TypeKind::Record(fields) => fields.iter().flat_map(|(_, field)| within(program, *field)).collect(),
        TypeKind::Array { element, .. } => within(program, *element),
        TypeKind::Boolean | TypeKind::Enum(_) | TypeKind::Range(..) | TypeKind::Scalarset(_) | TypeKind::Union(_) => {
            Vec::new()
        }
    }
}

fn runs_over(program: &Program, binder: &Binder, is_index: &dyn Fn(TypeId) -> bool) -> bool {
    let over = match binder.over {
        Over::Type(over) => over,
        Over::Numbers { .. } => program.variables[binder.variable.index()].ty,
    };
    match &program.types[over.index()].kind {
        TypeKind::Union(parts) => parts.iter().any(|part| is_index(*part)),
        TypeKind::Boolean
        | TypeKind::Enum(_)
        | TypeKind::Range(..)
        | TypeKind::Scalarset(_)
        | TypeKind::Record(_)
        | TypeKind::Array { .. }
        | TypeKind::Multiset { .. } => is_index(over),
    }
}

/// Returns those of the multiset types whose number of equal elements makes no difference.
fn sets(program: &Program, mut types: BTreeSet<TypeId>) -> BTreeSet<TypeId> {
    let is_simple = |ty: &TypeId| match program.types[ty.index()].kind {
        TypeKind::Multiset { element, .. } => !matches!(
            program.types[element.index()].kind,
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. }
        ),
        _ => false,
    };
    types.retain(is_simple);
    // The multisets whose elements are counted or chosen.
    let mut others: BTreeSet<TypeId> = BTreeSet::new();
    for around in program.rules.iter().map(|rule| &rule.around).chain(program.properties.iter().map(|p| &p.around)) {
        others.extend(around.iter().filter_map(|part| match part {
            Around::Choose(_, multiset) => Some(multiset.ty),
            Around::Parameter(_) | Around::Alias(..) => None,
        }));
    }
    let mut asked: Vec<Span> = Vec::new();
    for body in program.bodies() {
        each_statement(body, &mut |statement| match &statement.kind {
            StatementKind::MultisetRemove(_, multiset) => {
                others.insert(multiset.ty);
            }
            StatementKind::Assert(condition, _) if says_there_is_room(program, condition) => {
                condition.each(&mut |inner| asked.push(inner.span));
            }
            _ => {}
        });
    }
    program.each_expression(&mut |expression| {
        if let ExpressionKind::Binary(operator, left, right) = &expression.kind
            && let Some(counted) = counted(left, right)
            && counted.asks_for_one(program, *operator)
        {
            asked.extend([left.span, right.span]);
        }
    });
    program.each_expression(&mut |expression| match &expression.kind {
        ExpressionKind::MultisetCount(_, multiset, _) if !asked.contains(&expression.span) => {
            others.insert(multiset.ty);
        }
        // A call may pass the multiset to a parameter of another type.
        ExpressionKind::Call(_, arguments) => others.extend(passed(program, arguments)),
        _ => {}
    });
    for body in program.bodies() {
        each_statement(body, &mut |statement| {
            if let StatementKind::Call(_, arguments) = &statement.kind {
                others.extend(passed(program, arguments));
            }
        });
    }
    &types - &others
}

/// Returns the multiset types of the arguments of a call.
fn passed<'p>(program: &'p Program, arguments: &'p [Expression]) -> impl Iterator<Item = TypeId> + 'p {
    arguments.iter().flat_map(|argument| within(program, argument.ty))
}

/// Returns whether statements, or functions that they call, add to a multiset that is no set.
fn adds(program: &Program, body: &[Statement], sets: &BTreeSet<TypeId>) -> bool {
    let mut called: BTreeSet<FunctionId> = BTreeSet::new();
    let mut open = vec![body];
    let mut found = false;
    while let Some(body) = open.pop() {
        let mut calls = Vec::new();
        each_statement(body, &mut |statement| match &statement.kind {
            StatementKind::MultisetAdd(_, multiset) => found |= !sets.contains(&multiset.ty),
            StatementKind::Call(function, _) => calls.push(*function),
            _ => {}
        });
        each_in_statements(body, &mut |expression| {
            if let ExpressionKind::Call(function, _) = expression.kind {
                calls.push(function);
            }
        });
        let new = calls.into_iter().filter(|function| called.insert(*function));
        open.extend(new.map(|function| program.functions[function.index()].body.as_slice()));
    }
    found
}

/// A count that is compared with something.
pub(super) struct Counted<'e> {
    pub(super) variable: VarId,
    pub(super) multiset: &'e Expression,
    pub(super) condition: &'e Expression,
    with: &'e Expression,
    /// Whether the count is on the right.
    swapped: bool,
}

/// Returns the count in a comparison of a count with something else, if it is one.
pub(super) fn counted<'e>(left: &'e Expression, right: &'e Expression) -> Option<Counted<'e>> {
    let count = |count: &'e Expression, with: &'e Expression, swapped| match &count.kind {
        ExpressionKind::MultisetCount(variable, multiset, condition) => {
            Some(Counted { variable: *variable, multiset, condition, with, swapped })
        }
        _ => None,
    };
    count(left, right, false).or_else(|| count(right, left, true))
}

/// What a number of elements is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Number(i64),
    /// As many as the multiset can have.
    Capacity,
}

impl Counted<'_> {
    pub(super) fn bound(&self, program: &Program) -> Option<Bound> {
        let number = constant(self.with)?;
        let TypeKind::Multiset { size, .. } = program.types[self.multiset.ty.index()].kind else { return None };
        let form = match program.constant_at(self.with.span) {
            Some(name) => program.forms.get(name).cloned()?,
            None => Affine::number(number),
        };
        let capacity = program.bounds.get(&self.multiset.ty).map(|(_, last)| last);
        let is_capacity = number == size && capacity == Some(&form);
        // A small number is that number, even if no more elements fit.
        let small = form.factors.is_empty() && number <= MOST_COUNTED;
        if is_capacity && !small {
            Some(Bound::Capacity)
        } else {
            form.factors.is_empty().then_some(Bound::Number(number))
        }
    }

    /// Returns the value whose elements are counted, if the condition is that an element is this value.
    pub(super) fn value(&self) -> Option<&Expression> {
        let ExpressionKind::Binary(Binary::Equal, left, right) = &self.condition.kind else { return None };
        let is_element = |expression: &Expression| match &expression.kind {
            ExpressionKind::Element(multiset, position) => {
                matches!(position.kind, ExpressionKind::Variable(variable) if variable == self.variable)
                    && is_same_place(multiset, self.multiset)
            }
            _ => false,
        };
        let value = match (is_element(left), is_element(right)) {
            (true, false) => right,
            (false, true) => left,
            (true, true) | (false, false) => return None,
        };
        let mut reads_position = false;
        value.each(&mut |inner| {
            reads_position |= matches!(inner.kind, ExpressionKind::Variable(variable) if variable == self.variable);
        });
        (!reads_position).then_some(value)
    }

    /// Returns whether the comparison says that there is an element, or that there is none.
    fn asks_for_one(&self, program: &Program, operator: Binary) -> bool {
        match (self.operator(operator), self.bound(program)) {
            (Binary::Equal | Binary::Unequal | Binary::Greater | Binary::LessEqual, Some(Bound::Number(0)))
            | (Binary::Less | Binary::GreaterEqual, Some(Bound::Number(1))) => true,
            (_, Some(Bound::Number(_) | Bound::Capacity) | None) => false,
        }
    }

    pub(super) fn operator(&self, operator: Binary) -> Binary {
        match operator {
            Binary::Less if self.swapped => Binary::Greater,
            Binary::LessEqual if self.swapped => Binary::GreaterEqual,
            Binary::Greater if self.swapped => Binary::Less,
            Binary::GreaterEqual if self.swapped => Binary::LessEqual,
            other => other,
        }
    }
}

/// A number of elements up to this one is a condition on so many slots.
pub(super) const MOST_COUNTED: i64 = 2;

/// Returns the places where the number of elements of a multiset is compared with its capacity.
pub(super) fn capacities(program: &Program) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    program.each_expression(&mut |expression| {
        if let ExpressionKind::Binary(_, left, right) = &expression.kind
            && let Some(counted) = counted(left, right)
            && counted.bound(program) == Some(Bound::Capacity)
        {
            found.insert(counted.with.span);
        }
    });
    found
}

/// Returns whether a condition says that another element fits into a multiset.
pub(super) fn says_there_is_room(program: &Program, condition: &Expression) -> bool {
    let ExpressionKind::Binary(operator, left, right) = &condition.kind else { return false };
    counted(left, right).is_some_and(|counted| {
        matches!(counted.operator(*operator), Binary::Less | Binary::Unequal)
            && matches!(counted.condition.kind, ExpressionKind::Boolean(true))
            && counted.bound(program) == Some(Bound::Capacity)
    })
}

/// Returns whether two expressions are written as the same place.
fn is_same_place(one: &Expression, other: &Expression) -> bool {
    match (&one.kind, &other.kind) {
        (ExpressionKind::Variable(one), ExpressionKind::Variable(other)) => one == other,
        (ExpressionKind::Field(one, field), ExpressionKind::Field(other, of)) => {
            field == of && is_same_place(one, other)
        }
        (ExpressionKind::Element(one, at), ExpressionKind::Element(other, other_at)) => {
            is_same_place(one, other) && is_same_place(at, other_at)
        }
        _ => false,
    }
}
