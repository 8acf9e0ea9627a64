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
use std::rc::Rc;

use super::infer::constant;
use super::logic::{and, equal, not, or};
use super::places::{Node, Place, Spot};
use super::reason::{Reason, Refusal};
use super::statements::{Binding, Execution, Outcome, Range, at};
use crate::program::walk::{each_in_statements, each_statement};
use crate::program::{
    Affine, Around, Binary, Binder, Expression, ExpressionKind, FunctionId, Over, Program, Span, Statement,
    StatementKind, TypeId, TypeKind, VarId,
};
use system::{Formula, IndexTerm, IndexTypeId, Role, TRUE, Term, Value};

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
    variable: VarId,
    multiset: &'e Expression,
    condition: &'e Expression,
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
enum Bound {
    Number(i64),
    /// As many as the multiset can have.
    Capacity,
}

impl Counted<'_> {
    fn bound(&self, program: &Program) -> Option<Bound> {
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
    fn value(&self) -> Option<&Expression> {
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

    fn operator(&self, operator: Binary) -> Binary {
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
const MOST_COUNTED: i64 = 2;

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

fn may_be_undefined(value: &Value) -> bool {
    match value {
        Value::Arbitrary => true,
        Value::Term(_) => false,
        Value::If(_, yes, no) => may_be_undefined(yes) || may_be_undefined(no),
    }
}

/// Returns the index type of the slots of a multiset.
fn slots_of(multiset: &Place) -> Option<IndexTypeId> {
    match &*multiset.0.first()?.node {
        Node::Array { by_type, .. } => by_type.first().map(|(slots, _)| *slots),
        Node::Scalar(_) | Node::Record(_) | Node::Slot { .. } => None,
    }
}

impl Execution<'_, '_> {
    /// Returns a multiset, with the index type of its slots; nothing on a path that cannot be taken.
    fn multiset(&mut self, multiset: &Expression) -> Outcome<Option<(Place, IndexTypeId)>> {
        let place = self.place(multiset)?;
        Ok(slots_of(&place).map(|slots| (place, slots)))
    }

    fn slot(&mut self, multiset: &Place, slot: IndexTerm, span: Span) -> Outcome<Place> {
        self.machine.element(multiset, &Value::Term(Term::Index(slot))).map_err(at(span))
    }

    /// Returns the condition that a slot has an element.
    fn is_used(&mut self, slot: &Place) -> Formula {
        let used = self.machine.read_place(&slot.used());
        self.machine.truth(&used)
    }

    /// Returns an element of a multiset; it is an error if there is none at the position.
    pub(super) fn element_of_multiset(&mut self, multiset: &Expression, position: &Expression) -> Outcome<Place> {
        let place = self.place(multiset)?;
        self.check_position(&place, position)?;
        let value = self.value(position)?;
        if self.model.is_set(multiset.ty) {
            let TypeKind::Multiset { element, .. } = self.model.program.types[multiset.ty.index()].kind else {
                return Err(Refusal { reason: Reason::Multiset, span: multiset.span });
            };
            return self.place_of_value(&value, element, position.span);
        }
        let slot = self.machine.element(&place, &value).map_err(at(position.span))?;
        let used = self.is_used(&slot);
        self.machine.error(not(used));
        Ok(slot.content())
    }

    /// Checks that a position is one of this multiset. Those of two multisets have nothing to do with one another.
    pub(super) fn check_position(&self, multiset: &Place, position: &Expression) -> Outcome<()> {
        let own = match position.kind {
            ExpressionKind::Variable(variable) => self.positions.get(&variable),
            _ => None,
        };
        let same = |one: &Spot, other: &Spot| {
            Rc::ptr_eq(&one.node, &other.node) && one.arguments == other.arguments && one.condition == other.condition
        };
        let is_own = own.is_some_and(|own| {
            own.0.len() == multiset.0.len() && own.0.iter().zip(&multiset.0).all(|(one, other)| same(one, other))
        });
        if is_own { Ok(()) } else { Err(Refusal { reason: Reason::OtherMultiset, span: position.span }) }
    }

    /// Binds a variable to a position of a multiset.
    fn bind(&mut self, variable: VarId, multiset: &Place, position: Term) {
        self.environment.insert(variable, Binding::Value(Value::Term(position)));
        self.positions.insert(variable, multiset.clone());
    }

    fn name_of(&self, variable: VarId) -> String {
        self.model.program.variables[variable.index()].name.clone()
    }

    /// Enters `choose`: its variable is a used slot.
    pub(super) fn choose(&mut self, variable: VarId, multiset: &Expression) -> Outcome<()> {
        let Some((place, slots)) = self.multiset(multiset)? else { return Ok(()) };
        let name = self.name_of(variable);
        let chosen = IndexTerm::Variable(self.machine.universe.index_variable(&name, slots, Role::Parameter));
        let slot = self.slot(&place, chosen, multiset.span)?;
        let used = self.is_used(&slot);
        self.machine.assume(used);
        self.bind(variable, &place, Term::Index(chosen));
        Ok(())
    }

    /// Adds a value to a multiset: some free slot takes it.
    pub(super) fn multiset_add(&mut self, value: &Expression, multiset: &Expression, span: Span) -> Outcome<()> {
        // What the value's computation asserts is reached even if there is no room.
        let (computed, source) = if self.is_simple(value.ty) {
            (Some(self.value(value)?), None)
        } else if matches!(value.kind, ExpressionKind::Conditional(..)) {
            (None, None)
        } else {
            (None, Some(self.place(value)?))
        };
        if self.model.is_set(multiset.ty) {
            return self.set_add(computed.as_ref(), value, multiset);
        }
        let Some((place, slots)) = self.multiset(multiset)? else { return Ok(()) };
        self.check_loops(&place, span)?;
        // In a trial run, nothing comes of it.
        let role = if self.machine.dry > 0 { Role::Bound } else { Role::Parameter };
        let free = IndexTerm::Variable(self.machine.universe.index_variable("slot", slots, role));
        let slot = self.slot(&place, free, span)?;
        let used = self.is_used(&slot);
        self.machine.error(used);
        match (computed, source) {
            (Some(computed), _) => self.machine.assign(&slot.content(), &computed).map_err(at(value.span))?,
            (None, Some(source)) => self.machine.copy(&slot.content(), &source).map_err(at(value.span))?,
            (None, None) => self.store(&slot.content(), value)?,
        }
        self.machine.assign(&slot.used(), &Value::Term(Term::Constant(TRUE))).map_err(at(span))
    }

    fn set_add(&mut self, value: Option<&Value>, from: &Expression, multiset: &Expression) -> Outcome<()> {
        let value = value.filter(|value| !may_be_undefined(value));
        let value = value.ok_or_else(|| Refusal { reason: Reason::AddsUndefined, span: from.span })?;
        let place = self.place(multiset)?;
        let slot = self.machine.element(&place, value).map_err(at(from.span))?;
        self.machine.assign(&slot.used(), &Value::Term(Term::Constant(TRUE))).map_err(at(from.span))
    }

    /// Checks that the iterations of the loops around an addition add to different multisets, so that all of them can take the
    /// same slot.
    fn check_loops(&self, multiset: &Place, span: Span) -> Outcome<()> {
        for &binder in &self.machine.binders {
            let element = IndexTerm::Variable(binder);
            if !multiset.0.iter().all(|spot| spot.arguments.contains(&element)) {
                let variable = self.machine.universe.scope[binder.index()].name.clone();
                return Err(Refusal { reason: Reason::AddInLoop { variable }, span });
            }
        }
        Ok(())
    }

    /// Removes the element at a position.
    pub(super) fn multiset_remove(&mut self, position: &Expression, multiset: &Expression) -> Outcome<()> {
        let place = self.place(multiset)?;
        self.check_position(&place, position)?;
        let value = self.value(position)?;
        let slot = self.machine.element(&place, &value).map_err(at(position.span))?;
        let used = self.is_used(&slot);
        self.machine.error(not(used));
        self.machine.undefine(&slot);
        Ok(())
    }

    /// Removes the elements for which a condition holds.
    pub(super) fn multiset_remove_if(
        &mut self,
        variable: VarId,
        multiset: &Expression,
        condition: &Expression,
        span: Span,
    ) -> Outcome<()> {
        let place = self.place(multiset)?;
        for range in self.positions(&place, multiset)? {
            match range {
                Range::Index(over) => {
                    let name = self.name_of(variable);
                    self.for_each(&name, over, None, variable, span, &mut |e| {
                        e.remove_if(&place, variable, condition, span)
                    })?;
                }
                Range::Cases(cases) => {
                    for (_, constant) in cases {
                        self.environment.insert(variable, Binding::Value(Value::Term(Term::Constant(constant))));
                        self.remove_if(&place, variable, condition, span)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the positions of a multiset: slots, or the values that may be in a set.
    fn positions(&mut self, place: &Place, multiset: &Expression) -> Outcome<Vec<Range>> {
        let TypeKind::Multiset { element, .. } = self.model.program.types[multiset.ty.index()].kind else {
            return Err(Refusal { reason: Reason::Multiset, span: multiset.span });
        };
        if self.model.is_set(multiset.ty) {
            return self.ranges_of_type(element, multiset.span);
        }
        Ok(slots_of(place).map(Range::Index).into_iter().collect())
    }

    /// Removes the element at the position that the variable has, if there is one and the condition holds.
    fn remove_if(&mut self, place: &Place, variable: VarId, condition: &Expression, span: Span) -> Outcome<()> {
        let Some(Binding::Value(position)) = self.environment.get(&variable).cloned() else { return Ok(()) };
        self.positions.insert(variable, place.clone());
        let slot = self.machine.element(place, &position).map_err(at(span))?;
        let used = self.is_used(&slot);
        self.branch(
            &used,
            |e| {
                let removed = e.decided(condition)?;
                e.branch(
                    &removed,
                    |e| {
                        e.machine.undefine(&slot);
                        Ok(())
                    },
                    |_| Ok(()),
                )
            },
            |_| Ok(()),
        )
    }

    /// Compares a number of elements.
    pub(super) fn compared_count(
        &mut self,
        operator: Binary,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) -> Outcome<Formula> {
        let refused = || Refusal { reason: Reason::Multiset, span };
        let counted = counted(left, right).ok_or_else(refused)?;
        let bound = counted.bound(self.model.program).ok_or_else(refused)?;
        if self.model.is_set(counted.multiset.ty) {
            let some = self.set_has(&counted)?;
            let none = matches!(counted.operator(operator), Binary::Equal | Binary::Less | Binary::LessEqual);
            return Ok(if none { not(some) } else { some });
        }
        let Some((place, slots)) = self.multiset(counted.multiset)? else { return Ok(Formula::False) };
        let least = |e: &mut Self, number: i64| -> Outcome<Formula> {
            if number > MOST_COUNTED {
                return Err(refused());
            }
            e.has_elements(&counted, (&place, slots), number, &[])
        };
        let operator = counted.operator(operator);
        let number = match bound {
            Bound::Capacity => return self.compared_with_capacity(operator, &counted, (&place, slots), span),
            Bound::Number(number) => number,
        };
        Ok(match operator {
            Binary::Less => not(least(self, number)?),
            Binary::GreaterEqual => least(self, number)?,
            Binary::Greater => least(self, number.saturating_add(1))?,
            Binary::LessEqual => not(least(self, number.saturating_add(1))?),
            Binary::Equal | Binary::Unequal => {
                let enough = least(self, number)?;
                let same = and([enough, not(least(self, number.saturating_add(1))?)]);
                if operator == Binary::Equal { same } else { not(same) }
            }
            _ => return Err(refused()),
        })
    }

    /// Returns the condition that a set has a value that counts.
    fn set_has(&mut self, counted: &Counted<'_>) -> Outcome<Formula> {
        let place = self.place(counted.multiset)?;
        if let Some(wanted) = counted.value() {
            let value = self.value(wanted)?;
            // If it is undefined, it is an error only where there is a value to compare it with.
            if !may_be_undefined(&value) {
                let slot = self.machine.element(&place, &value).map_err(at(wanted.span))?;
                return Ok(self.is_used(&slot));
            }
        }
        let mut some = Vec::new();
        for range in self.positions(&place, counted.multiset)? {
            match range {
                Range::Index(over) => {
                    let name = self.name_of(counted.variable);
                    let counts = |e: &mut Self, element| e.counts(counted, &place, &Term::Index(element));
                    some.push(self.over_index(&name, over, false, counts)?);
                }
                Range::Cases(cases) => {
                    for (_, constant) in cases {
                        some.push(self.counts(counted, &place, &Term::Constant(constant))?);
                    }
                }
            }
        }
        Ok(or(some))
    }

    /// Returns the condition that so many elements, other than those in these slots, satisfy the condition of a count.
    fn has_elements(
        &mut self,
        counted: &Counted<'_>,
        (multiset, slots): (&Place, IndexTypeId),
        number: i64,
        others: &[IndexTerm],
    ) -> Outcome<Formula> {
        if number <= 0 {
            return Ok(Formula::True);
        }
        let name = self.name_of(counted.variable);
        self.over_index(&name, slots, false, |e, element| {
            let term = |term| Term::Index(term);
            let distinct =
                and(others.iter().map(|&other| not(equal(e.machine.universe, &term(element), &term(other)))));
            let counts = e.counts(counted, multiset, &Term::Index(element))?;
            let here = and([distinct, counts]);
            let others = [others, &[element]].concat();
            let rest = e.under(&here, true, |e| e.has_elements(counted, (multiset, slots), number - 1, &others))?;
            Ok(and([here, rest]))
        })
    }

    /// Returns the condition that there is an element at a position, and that it counts.
    fn counts(&mut self, counted: &Counted<'_>, multiset: &Place, position: &Term) -> Outcome<Formula> {
        self.bind(counted.variable, multiset, position.clone());
        let position = Value::Term(position.clone());
        let place = self.machine.element(multiset, &position).map_err(at(counted.multiset.span))?;
        let used = self.is_used(&place);
        let counts = self.under(&used, true, |e| e.condition(counted.condition))?;
        Ok(and([used, counts]))
    }

    /// Compares a number of elements with the largest one.
    fn compared_with_capacity(
        &mut self,
        operator: Binary,
        counted: &Counted<'_>,
        (multiset, slots): (&Place, IndexTypeId),
        span: Span,
    ) -> Outcome<Formula> {
        let (some, negated) = match operator {
            Binary::Less | Binary::Unequal => (true, false),
            Binary::GreaterEqual | Binary::Equal => (true, true),
            Binary::LessEqual => (false, false),
            Binary::Greater => (false, true),
            _ => return Err(Refusal { reason: Reason::Multiset, span }),
        };
        let room = if !some {
            Formula::True
        } else if self.model.adds_in_loops() {
            if self.machine.quantified > 0 || !self.machine.binders.is_empty() {
                return Err(Refusal { reason: Reason::Multiset, span });
            }
            if self.machine.fork(2) == 0 { Formula::True } else { Formula::False }
        } else {
            let name = self.name_of(counted.variable);
            self.over_index(&name, slots, false, |e, element| {
                let counts = e.counts(counted, multiset, &Term::Index(element))?;
                Ok(not(counts))
            })?
        };
        Ok(if negated { not(room) } else { room })
    }
}
