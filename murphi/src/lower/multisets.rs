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
//! Neither is known what a comparison with another number that depends on the capacity says, such as `n - 3`.
//!
//! A full multiset is an error of `multisetadd`, and the run has no successor. An assertion before it that there is room says the
//! same.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::walk::{calls_in, each_statement};
use crate::program::{
    Affine, Around, Binary, Binder, Expression, ExpressionKind, FunctionId, Over, Program, Span, Statement,
    StatementKind, TypeId, TypeKind, Unary, VarId, VariableKind,
};
use system::IndexTypeId;

/// The multiset types of the variables of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Multisets {
    slots: BTreeMap<TypeId, Option<IndexTypeId>>,
    /// The types that are sets.
    sets: BTreeSet<TypeId>,
    /// Those of them of which the number of elements matters, so that no value may be in them twice.
    counted: BTreeSet<TypeId>,
    /// Whether a loop over an index type adds to multisets.
    added_to_in_loops: bool,
    /// See [`room_checks`].
    room_checks: BTreeSet<Span>,
}

impl Multisets {
    /// Finds the types; `is_index` says which types are index types, and `not_sets` are types to which a value may be added
    /// twice.
    pub(super) fn new(program: &Program, is_index: &dyn Fn(TypeId) -> bool, not_sets: &BTreeSet<TypeId>) -> Self {
        let results = program.functions.iter().filter_map(|function| function.result);
        let types = program.variables.iter().map(|variable| variable.ty).chain(results);
        let found = types.flat_map(|ty| within(program, ty)).map(|ty| (ty, None)).collect();
        let found: BTreeMap<TypeId, Option<IndexTypeId>> = found;
        let (sets, counted) = sets(program, found.keys().copied().collect(), not_sets);
        let loops = |statement: &Statement| match &statement.kind {
            StatementKind::For(binder, body) => runs_over(program, binder, is_index) && adds(program, body, &sets),
            _ => false,
        };
        let mut added_to_in_loops = false;
        for body in program.bodies() {
            each_statement(body, &mut |statement| added_to_in_loops |= loops(statement));
        }
        Self { slots: found, sets, counted, added_to_in_loops, room_checks: room_checks(program) }
    }

    /// Returns whether an assertion says what the next addition demands anyway.
    pub(super) fn is_room_check(&self, assertion: Span) -> bool {
        self.room_checks.contains(&assertion)
    }

    /// Returns the types that are no sets.
    pub(super) fn with_slots(&self) -> Vec<TypeId> {
        self.slots.keys().copied().filter(|ty| !self.is_set(*ty)).collect()
    }

    pub(super) fn is_set(&self, multiset: TypeId) -> bool {
        self.sets.contains(&multiset)
    }

    pub(super) fn is_counted(&self, multiset: TypeId) -> bool {
        self.counted.contains(&multiset)
    }

    pub(super) fn enter(&mut self, multiset: TypeId, slots: IndexTypeId) {
        self.slots.insert(multiset, Some(slots));
    }

    pub(super) fn slots(&self, multiset: TypeId) -> Option<IndexTypeId> {
        self.slots.get(&multiset).copied().flatten()
    }

    /// Returns the index types of slots.
    pub(super) fn slot_types(&self) -> BTreeSet<IndexTypeId> {
        self.slots.values().flatten().copied().collect()
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

/// Returns those of the multiset types whose number of equal elements makes no difference or is at most 1, and those of
/// them for which it has to be at most 1.
fn sets(
    program: &Program,
    mut types: BTreeSet<TypeId>,
    not_sets: &BTreeSet<TypeId>,
) -> (BTreeSet<TypeId>, BTreeSet<TypeId>) {
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
    let mut numbered: BTreeSet<TypeId> = BTreeSet::new();
    for around in program.rules.iter().map(|rule| &rule.around).chain(program.properties.iter().map(|p| &p.around)) {
        others.extend(around.iter().filter_map(|part| match part {
            Around::Choose(_, multiset) => Some(multiset.ty),
            Around::Parameter(_) | Around::Alias(..) => None,
        }));
    }
    let mut asked: Vec<Span> = Vec::new();
    let checks = room_checks(program);
    for body in program.bodies() {
        each_statement(body, &mut |statement| match &statement.kind {
            StatementKind::MultisetRemove(_, multiset) => {
                others.insert(multiset.ty);
            }
            StatementKind::Assert(condition, _) if checks.contains(&statement.span) => {
                condition.each(&mut |inner| asked.push(inner.span));
            }
            _ => {}
        });
    }
    program.each_expression(&mut |expression| {
        if let ExpressionKind::Binary(operator, left, right) = &expression.kind
            && let Some(counted) = counted(left, right)
        {
            if counted.asks_for_one(program, *operator) {
                asked.extend([left.span, right.span]);
            } else if counted.is_about_capacity(program) && !asked.contains(&left.span) {
                // The capacity may be any, so it is no number to compare one with.
                others.insert(counted.multiset.ty);
            }
        }
    });
    program.each_expression(&mut |expression| match &expression.kind {
        ExpressionKind::MultisetCount(variable, multiset, condition) if !asked.contains(&expression.span) => {
            let which = countable(program, *variable, multiset, condition);
            let list = if which.is_some() { &mut numbered } else { &mut others };
            list.insert(multiset.ty);
        }
        ExpressionKind::Call(function, arguments) => others.extend(passed(program, *function, arguments)),
        _ => {}
    });
    for body in program.bodies() {
        each_statement(body, &mut |statement| {
            if let StatementKind::Call(function, arguments) = &statement.kind {
                others.extend(passed(program, *function, arguments));
            }
        });
    }
    others.extend(numbered.intersection(not_sets));
    let sets = &types - &others;
    let counted = &sets & &numbered;
    (sets, counted)
}

/// Returns the multiset types of the arguments of a call for parameters of other types, and those of the parameters.
fn passed<'p>(
    program: &'p Program,
    function: FunctionId,
    arguments: &'p [Expression],
) -> impl Iterator<Item = TypeId> + 'p {
    let parameters = program.functions[function.index()].parameters.iter();
    let types = parameters.map(|parameter| program.variables[parameter.index()].ty);
    let pairs = types.zip(arguments).filter(|(parameter, argument)| *parameter != argument.ty);
    pairs.flat_map(|(parameter, argument)| [within(program, parameter), within(program, argument.ty)].concat())
}

/// Which elements of a set are counted.
pub(super) enum Countable<'e> {
    All,
    /// Those of this type.
    Members(TypeId),
    /// Those that are this value.
    Equal(&'e Expression),
}

/// Returns which elements of a set a count is about, if their number can be a value.
pub(super) fn countable<'e>(
    program: &Program,
    variable: VarId,
    multiset: &'e Expression,
    condition: &'e Expression,
) -> Option<Countable<'e>> {
    match &condition.kind {
        ExpressionKind::Boolean(true) => Some(Countable::All),
        ExpressionKind::IsMember(inner, ty) if is_element_at(inner, multiset, variable) => {
            Some(Countable::Members(*ty))
        }
        _ => {
            let value = value_of(condition, multiset, variable)?;
            let is_simple = !has_multiset(program, value.ty);
            is_simple.then_some(Countable::Equal(value))
        }
    }
}

/// Returns whether an expression is the element of a multiset at the position that a variable has.
fn is_element_at(expression: &Expression, multiset: &Expression, variable: VarId) -> bool {
    match &expression.kind {
        ExpressionKind::Element(own, position) => {
            matches!(position.kind, ExpressionKind::Variable(at) if at == variable) && is_same_place(own, multiset)
        }
        _ => false,
    }
}

/// Returns the value that a condition says the element of a multiset is.
fn value_of<'e>(condition: &'e Expression, multiset: &Expression, variable: VarId) -> Option<&'e Expression> {
    let ExpressionKind::Binary(Binary::Equal, left, right) = &condition.kind else { return None };
    let is_element = |expression: &Expression| is_element_at(expression, multiset, variable);
    let value = match (is_element(left), is_element(right)) {
        (true, false) => right,
        (false, true) => left,
        (true, true) | (false, false) => return None,
    };
    let mut reads_position = false;
    value.each(&mut |inner| {
        reads_position |= matches!(inner.kind, ExpressionKind::Variable(own) if own == variable);
    });
    (!reads_position).then_some(value)
}

/// Returns whether statements, or functions that they call, add to a multiset that is no set.
fn adds(program: &Program, body: &[Statement], sets: &BTreeSet<TypeId>) -> bool {
    let mut found = false;
    let mut look = |body: &[Statement]| {
        each_statement(body, &mut |statement| {
            if let StatementKind::MultisetAdd(_, multiset) = &statement.kind {
                found |= !sets.contains(&multiset.ty);
            }
        });
    };
    look(body);
    program.each_called(calls_in(body), &mut look);
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
    /// A number that depends on how many the multiset can have.
    OfCapacity,
}

/// Returns a number in terms of constants, if it is written as a sum of them.
fn written(program: &Program, expression: &Expression) -> Option<Affine> {
    match &expression.kind {
        ExpressionKind::Integer(number) => match program.constant_at(expression.span) {
            Some(name) => program.forms.get(name).cloned(),
            None => Some(Affine::number(*number)),
        },
        ExpressionKind::Unary(Unary::Minus, inner) => Affine::number(0).plus(&written(program, inner)?, -1),
        ExpressionKind::Binary(operator @ (Binary::Add | Binary::Subtract), left, right) => {
            let factor = if *operator == Binary::Add { 1 } else { -1 };
            written(program, left)?.plus(&written(program, right)?, factor)
        }
        _ => None,
    }
}

impl Counted<'_> {
    pub(super) fn bound(&self, program: &Program) -> Option<Bound> {
        let form = written(program, self.with)?;
        let capacity = program.bounds.get(&self.multiset.ty).map(|(_, last)| last);
        // A small number is that number, even if no more elements fit.
        let small = form.factors.is_empty() && form.offset <= MOST_COUNTED;
        if capacity == Some(&form) && !small {
            return Some(Bound::Capacity);
        }
        let of_capacity = |name: &String| capacity.is_some_and(|capacity| capacity.factors.contains_key(name));
        if form.factors.keys().any(of_capacity) {
            return Some(Bound::OfCapacity);
        }
        form.factors.is_empty().then_some(Bound::Number(form.offset))
    }

    /// Returns the value whose elements are counted, if the condition is that an element is this value.
    pub(super) fn value(&self) -> Option<&Expression> {
        value_of(self.condition, self.multiset, self.variable)
    }

    fn is_about_capacity(&self, program: &Program) -> bool {
        matches!(self.bound(program), Some(Bound::Capacity | Bound::OfCapacity))
    }

    /// Returns whether the comparison says that there is an element, or that there is none.
    pub(super) fn asks_for_one(&self, program: &Program, operator: Binary) -> bool {
        match (self.operator(operator), self.bound(program)) {
            (Binary::Equal | Binary::Unequal | Binary::Greater | Binary::LessEqual, Some(Bound::Number(0)))
            | (Binary::Less | Binary::GreaterEqual, Some(Bound::Number(1))) => true,
            (_, Some(Bound::Number(_) | Bound::Capacity | Bound::OfCapacity) | None) => false,
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

/// Returns the places where the number of elements of a multiset is compared with its capacity, or with a number that
/// depends on it: the constants there.
pub(super) fn capacities(program: &Program) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    program.each_expression(&mut |expression| {
        if let ExpressionKind::Binary(_, left, right) = &expression.kind
            && let Some(counted) = counted(left, right)
            && counted.is_about_capacity(program)
        {
            counted.with.each(&mut |inner| {
                found.insert(inner.span);
            });
        }
    });
    found
}

/// Returns the assertions that there is room for an element that a later statement of the same block adds for certain: if there
/// is none, the run ends there anyway.
pub(super) fn room_checks(program: &Program) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&[Statement]> = program.bodies().collect();
    while let Some(block) = open.pop() {
        for (at, statement) in block.iter().enumerate() {
            open.extend(statement.blocks());
            if let StatementKind::Assert(condition, _) = &statement.kind
                && says_there_is_room(program, condition)
                && adds_next(program, condition, &block[at + 1..])
            {
                found.insert(statement.span);
            }
        }
    }
    found
}

/// Returns whether statements begin with an addition to the multiset of a condition, after some that only store values in other
/// places. Calls may do more, and what an alias or a reference stands for may be any place.
fn adds_next(program: &Program, condition: &Expression, rest: &[Statement]) -> bool {
    let ExpressionKind::Binary(_, left, right) = &condition.kind else { return false };
    let Some(counted) = counted(left, right) else { return false };
    let is_other = |variable: VarId| match program.variables[variable.index()].kind {
        VariableKind::Alias | VariableKind::Reference => false,
        VariableKind::Global | VariableKind::Local | VariableKind::Value | VariableKind::Bound => true,
    };
    let mut variables = BTreeSet::new();
    counted.multiset.each(&mut |inner| variables.extend(inner.root()));
    for statement in rest {
        if statement.own_expressions().into_iter().any(Expression::calls) {
            return false;
        }
        let stored = match &statement.kind {
            StatementKind::MultisetAdd(_, to) => return is_same_place(to, counted.multiset),
            StatementKind::Assign(place, _) | StatementKind::Clear(place) | StatementKind::Undefine(place) => place,
            StatementKind::If(..)
            | StatementKind::Switch(..)
            | StatementKind::For(..)
            | StatementKind::While(..)
            | StatementKind::Alias(..)
            | StatementKind::Call(..)
            | StatementKind::Assert(..)
            | StatementKind::Assume(_)
            | StatementKind::Cover(..)
            | StatementKind::Error(_)
            | StatementKind::Put(_)
            | StatementKind::Return(_)
            | StatementKind::MultisetRemove(..)
            | StatementKind::MultisetRemoveIf(..) => return false,
        };
        let is_apart =
            |root: VarId| is_other(root) && !variables.contains(&root) && variables.iter().all(|own| is_other(*own));
        if !stored.root().is_some_and(is_apart) {
            return false;
        }
    }
    false
}

/// Returns whether a condition says that another element fits into a multiset.
fn says_there_is_room(program: &Program, condition: &Expression) -> bool {
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
