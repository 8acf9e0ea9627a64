//! Multisets as unordered networks of any capacity.
//!
//! The elements of `multiset [n] of t` are in *slots*, which form an index type of their own: each slot is free or has an
//! element. A multiset has no order, so nothing tells slots apart, and `multisetadd` may take any free one: it is a parameter
//! of the rule. A chosen position is a used slot, another parameter. A condition on the number of elements says that there is
//! a slot, or two of them, or that all are used.
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
use super::logic::{and, equal, not};
use super::places::{Node, Place};
use super::reason::{Reason, Refusal};
use super::statements::{Binding, Execution, Outcome, at};
use crate::program::walk::{each_in_statements, each_statement};
use crate::program::{
    Affine, Binary, Binder, Expression, ExpressionKind, FunctionId, Over, Program, Span, Statement, StatementKind,
    TypeId, TypeKind, VarId,
};
use system::{Formula, IndexTerm, IndexTypeId, Role, TRUE, Term, Value};

/// The multiset types of the variables of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Multisets {
    slots: BTreeMap<TypeId, Option<IndexTypeId>>,
    /// Whether a loop over an index type adds to multisets.
    added_to_in_loops: bool,
}

impl Multisets {
    /// Finds the types; `is_index` says which types are index types.
    pub(super) fn new(program: &Program, is_index: &dyn Fn(TypeId) -> bool) -> Self {
        let results = program.functions.iter().filter_map(|function| function.result);
        let types = program.variables.iter().map(|variable| variable.ty).chain(results);
        let found = types.flat_map(|ty| within(program, ty)).map(|ty| (ty, None)).collect();
        let loops = |statement: &Statement| match &statement.kind {
            StatementKind::For(binder, body) => runs_over(program, binder, is_index) && adds(program, body),
            _ => false,
        };
        let mut added_to_in_loops = false;
        for body in program.bodies() {
            each_statement(body, &mut |statement| added_to_in_loops |= loops(statement));
        }
        Self { slots: found, added_to_in_loops }
    }

    pub(super) fn types(&self) -> Vec<TypeId> {
        self.slots.keys().copied().collect()
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

/// Returns whether statements, or functions that they call, add to a multiset.
fn adds(program: &Program, body: &[Statement]) -> bool {
    let mut called: BTreeSet<FunctionId> = BTreeSet::new();
    let mut open = vec![body];
    let mut found = false;
    while let Some(body) = open.pop() {
        let mut calls = Vec::new();
        each_statement(body, &mut |statement| match statement.kind {
            StatementKind::MultisetAdd(..) => found = true,
            StatementKind::Call(function, _) => calls.push(function),
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

    /// Returns what is in a slot; it is an error if nothing is.
    pub(super) fn present(&mut self, slot: &Place) -> Place {
        let used = self.is_used(slot);
        self.machine.error(not(used));
        slot.content()
    }

    fn bind(&mut self, variable: VarId, slot: IndexTerm) {
        self.environment.insert(variable, Binding::Value(Value::Term(Term::Index(slot))));
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
        self.bind(variable, chosen);
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
        let Some((place, slots)) = self.multiset(multiset)? else { return Ok(()) };
        self.check_loops(&place, span)?;
        // In a trial run, nothing comes of it.
        let role = if self.machine.dry > 0 { Role::Bound } else { Role::Parameter };
        let free = IndexTerm::Variable(self.machine.universe.index_variable("free", slots, role));
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
        let Some((place, slots)) = self.multiset(multiset)? else { return Ok(()) };
        let name = self.name_of(variable);
        self.for_each(&name, slots, None, variable, span, &mut |e| {
            let Some(Binding::Value(position)) = e.environment.get(&variable).cloned() else { return Ok(()) };
            let slot = e.machine.element(&place, &position).map_err(at(span))?;
            let used = e.is_used(&slot);
            e.branch(
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
        })
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
            let counts = e.counts(counted, multiset, element)?;
            let here = and([distinct, counts]);
            let others = [others, &[element]].concat();
            let rest = e.under(&here, true, |e| e.has_elements(counted, (multiset, slots), number - 1, &others))?;
            Ok(and([here, rest]))
        })
    }

    /// Returns the condition that a slot has an element that counts.
    fn counts(&mut self, counted: &Counted<'_>, multiset: &Place, slot: IndexTerm) -> Outcome<Formula> {
        let place = self.slot(multiset, slot, counted.multiset.span)?;
        let used = self.is_used(&place);
        self.bind(counted.variable, slot);
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
                let counts = e.counts(counted, multiset, element)?;
                Ok(not(counts))
            })?
        };
        Ok(if negated { not(room) } else { room })
    }
}
