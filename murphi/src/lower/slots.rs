//! Runs statements and conditions on multisets, on the symbolic machine: see [`super::multisets`] for how they are
//! represented.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::logic::{and, choose, equal, not, or, simplify};
use super::multisets::{Bound, Countable, Counted, MOST_COUNTED, countable, counted};
use super::places::{Node, Place, Spot, cells};
use super::reason::{Reason, Refusal};
use super::statements::{Assertion, Binding, Execution, Outcome, Range, at};
use super::sums::number;
use crate::program::walk as program;
use crate::program::{ADDED_UNDEFINED, Binary, Expression, ExpressionKind, Span, TypeKind, VarId};
use system::{Formula, IndexTerm, IndexTypeId, Role, TRUE, Term, Value};

/// The slots that additions take: parameters of the rule. Of two branches only one is taken, so both use the same ones.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeSlots {
    known: BTreeMap<IndexTypeId, Vec<IndexTerm>>,
    taken: BTreeMap<IndexTypeId, usize>,
}

impl FreeSlots {
    /// Returns how many slots of each type are taken on the current path.
    pub(super) fn taken(&self) -> BTreeMap<IndexTypeId, usize> {
        self.taken.clone()
    }

    /// Starts the second branch with the slots that were taken before the first; returns those taken in the first.
    pub(super) fn other_branch(&mut self, before: BTreeMap<IndexTypeId, usize>) -> BTreeMap<IndexTypeId, usize> {
        std::mem::replace(&mut self.taken, before)
    }

    /// Ends the second branch, where the first one took these.
    pub(super) fn join(&mut self, first: BTreeMap<IndexTypeId, usize>) {
        for (slots, count) in first {
            let taken = self.taken.entry(slots).or_default();
            *taken = count.max(*taken);
        }
    }

    /// Takes the next slot that is known, if there is one.
    fn next(&mut self, slots: IndexTypeId) -> Option<IndexTerm> {
        let taken = self.taken.entry(slots).or_default();
        *taken += 1;
        self.known.get(&slots)?.get(*taken - 1).copied()
    }
}

/// A value that a set does not have, or that it has none at all.
#[derive(Clone, Debug)]
pub(super) struct Absence {
    set: Place,
    value: Option<Value>,
    /// What was in the set when this was known.
    held: Vec<Value>,
}

/// Returns whether two spots are the same one.
fn same_spot(one: &Spot, other: &Spot) -> bool {
    Rc::ptr_eq(&one.node, &other.node) && one.arguments == other.arguments && one.condition == other.condition
}

/// Returns whether two places are the same one.
fn same_place(one: &Place, other: &Place) -> bool {
    one.0.len() == other.0.len() && one.0.iter().zip(&other.0).all(|(one, other)| same_spot(one, other))
}

/// Returns whether evaluating an expression ends in no error, except where it is undefined, so that it makes no difference whether
/// it is evaluated at all: what elements of an empty set are compared with is not.
fn is_plain(expression: &Expression) -> bool {
    match expression.place() {
        Some(program::Place::Variable(_)) => true,
        Some(program::Place::Field(record, _)) => is_plain(record),
        Some(program::Place::Element(..)) => false,
        None => {
            matches!(
                expression.kind,
                ExpressionKind::Boolean(_) | ExpressionKind::Integer(_) | ExpressionKind::Member(_)
            )
        }
    }
}

fn may_be_undefined(value: &Value) -> bool {
    match value {
        Value::Arbitrary => true,
        Value::Term(_) | Value::Sum(..) => false,
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
        let is_own = own.is_some_and(|own| same_place(own, multiset));
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
        if let Some(computed) = &computed {
            self.is_defined(computed, value, multiset)?;
        }
        if self.model.is_set(multiset.ty) {
            return self.set_add(computed.as_ref(), value, multiset);
        }
        let Some((place, slots)) = self.multiset(multiset)? else { return Ok(()) };
        self.check_loops(&place, span)?;
        let free = self.free_slot(slots);
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

    /// Returns a slot for another element.
    fn free_slot(&mut self, slots: IndexTypeId) -> IndexTerm {
        // In a trial run, nothing comes of it.
        let is_trial = self.machine.dry > 0;
        if let Some(known) = (!is_trial).then(|| self.free_slots.next(slots)).flatten() {
            return known;
        }
        let role = if is_trial { Role::Bound } else { Role::Parameter };
        let slot = IndexTerm::Variable(self.machine.universe.index_variable("slot", slots, role));
        if !is_trial {
            self.free_slots.known.entry(slots).or_default().push(slot);
        }
        slot
    }

    fn set_add(&mut self, value: Option<&Value>, from: &Expression, multiset: &Expression) -> Outcome<()> {
        let undefined = Refusal { reason: Reason::AddsUndefined, span: from.span };
        let value = value.ok_or_else(|| undefined.clone())?;
        // Of a place, it is known that it is defined.
        if !self.model.program.may_be_undefined(from)
            && self.adds_undefined(value, from, multiset)?
            && !self.machine.universe.is_exhausted()
        {
            return Err(undefined);
        }
        let place = self.place(multiset)?;
        let slot = self.machine.element(&place, value).map_err(at(from.span))?;
        let is_new = !self.model.is_counted(multiset.ty)
            || self.machine.dry > 0
            || self.is_known_absent(&place, value)
            || self.machine.is_absent(&slot);
        if !is_new && !self.machine.universe.is_exhausted() {
            self.machine.universe.added_twice.entry(multiset.ty).or_insert(from.span);
            return Err(Refusal { reason: Reason::AddsTwice, span: from.span });
        }
        self.machine.assign(&slot.used(), &Value::Term(Term::Constant(TRUE))).map_err(at(from.span))
    }

    /// Makes sure that what is read from a place and added to a multiset is defined. Where it may not be, that is asserted once
    /// lowering has started again with undefined values of its type.
    fn is_defined(&mut self, value: &Value, from: &Expression, multiset: &Expression) -> Outcome<()> {
        if !self.model.program.may_be_undefined(from) || self.machine.universe.is_exhausted() {
            return Ok(());
        }
        if !self.model.added.contains(&from.span) {
            if self.adds_undefined(value, from, multiset)? {
                self.machine.universe.added.insert(from.span);
                return Err(Refusal { reason: Reason::AddsUndefined, span: from.span });
            }
            return Ok(());
        }
        if let Some(undefined) = self.machine.universe.undefined {
            let fails = self.machine.holds_constant(value, undefined);
            let assertion = Assertion { span: from.span, message: ADDED_UNDEFINED.to_owned(), error: false };
            self.machine.assertion(assertion, fails);
        }
        Ok(())
    }

    /// Returns whether what is added to a multiset may be undefined, which is none of its values.
    fn adds_undefined(&mut self, value: &Value, from: &Expression, multiset: &Expression) -> Outcome<bool> {
        if let Some(undefined) = self.machine.universe.undefined {
            let is_undefined = self.machine.holds_constant(value, undefined);
            if simplify(self.machine.universe, &mut self.machine.facts, &is_undefined) != Formula::False {
                return Ok(true);
            }
        }
        let TypeKind::Multiset { element, .. } = self.model.program.types[multiset.ty.index()].kind else {
            return Err(Refusal { reason: Reason::Multiset, span: multiset.span });
        };
        let sort = self.model.index_sort(self.machine.universe, element);
        let sort = sort.ok_or(Refusal { reason: self.model.no_shape(element), span: from.span })?;
        let fitted = self.machine.fitted(value, sort).map_err(at(from.span))?;
        Ok(self.is_undefined_at_times(&fitted))
    }

    /// Returns whether a value is undefined in some state, or is read from a variable that is.
    fn is_undefined_at_times(&mut self, value: &Value) -> bool {
        match value {
            Value::Arbitrary => true,
            Value::Term(_) => self.machine.copies_undefined(value),
            // What is computed is defined.
            Value::Sum(..) => false,
            Value::If(_, yes, no) => [yes, no].into_iter().any(|own| self.is_undefined_at_times(own)),
        }
    }

    /// Returns what sets do not have where a condition holds: it says so of a value, or that a set is empty.
    pub(super) fn absences(&mut self, condition: &Expression) -> Outcome<Vec<Absence>> {
        let ExpressionKind::Binary(operator, left, right) = &condition.kind else { return Ok(Vec::new()) };
        if *operator == Binary::And {
            return Ok([self.absences(left)?, self.absences(right)?].concat());
        }
        let program = self.model.program;
        let Some(counted) = counted(left, right).filter(|counted| self.model.is_counted(counted.multiset.ty)) else {
            return Ok(Vec::new());
        };
        let says_none = matches!(counted.operator(*operator), Binary::Equal | Binary::Less | Binary::LessEqual)
            && counted.asks_for_one(program, *operator);
        let value = match (says_none, counted.value()) {
            (true, Some(value)) if is_plain(value) => Some(self.value(value)?),
            (true, None) if matches!(counted.condition.kind, ExpressionKind::Boolean(true)) => None,
            (true, Some(_) | None) | (false, _) => return Ok(Vec::new()),
        };
        let set = self.place(counted.multiset)?;
        let held = self.held_in(&set);
        Ok(vec![Absence { set, value, held }])
    }

    fn held_in(&mut self, place: &Place) -> Vec<Value> {
        let cells: Vec<_> = place.0.iter().flat_map(|spot| cells(&spot.node)).collect();
        cells.into_iter().map(|cell| self.machine.held(cell)).collect()
    }

    /// Returns whether a condition around the statement says that a set, which has not changed, does not have a value.
    fn is_known_absent(&mut self, set: &Place, value: &Value) -> bool {
        let held = self.held_in(set);
        self.absent.iter().any(|known| {
            let same_value = known.value.as_ref().is_none_or(|own| own == value);
            same_value && same_place(&known.set, set) && known.held == held
        })
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

    /// Returns the condition that a value is in a set; nothing if it may be undefined where that is no value. If it is
    /// undefined, it is an error only if there is an element to compare it with.
    fn is_in_set(&mut self, set: &Place, multiset: &Expression, value: &Value, span: Span) -> Outcome<Option<Formula>> {
        if may_be_undefined(value) || self.may_be_unset(value) {
            return Ok(None);
        }
        let undefined = match self.machine.universe.undefined {
            Some(undefined) => self.machine.holds_constant(value, undefined),
            None => Formula::False,
        };
        let undefined = simplify(self.machine.universe, &mut self.machine.facts, &undefined);
        if undefined != Formula::False {
            let some = self.has_some(set, multiset)?;
            self.under(&undefined, true, |e| e.machine.error(some));
        }
        let used = self.under(&undefined, false, |e| {
            let slot = e.machine.element(set, value).map_err(at(span))?;
            Ok(e.is_used(&slot))
        })?;
        Ok(Some(and([not(undefined), used])))
    }

    /// Returns the condition that a set has an element.
    fn has_some(&mut self, set: &Place, multiset: &Expression) -> Outcome<Formula> {
        let mut some = Vec::new();
        for range in self.positions(set, multiset)? {
            match range {
                Range::Index(over) => some.push(self.over_index("", over, false, |e, element| {
                    let slot = e.slot(set, element, multiset.span)?;
                    Ok(e.is_used(&slot))
                })?),
                Range::Cases(cases) => {
                    for (_, constant) in cases {
                        let value = Value::Term(Term::Constant(constant));
                        let slot = self.machine.element(set, &value).map_err(at(multiset.span))?;
                        some.push(self.is_used(&slot));
                    }
                }
            }
        }
        Ok(or(some))
    }

    /// Returns whether a value may be one that an earlier iteration of a loop has left undefined.
    fn may_be_unset(&self, value: &Value) -> bool {
        match value {
            Value::Term(Term::Read(cell, _)) => self.machine.universe.cells[cell.index()].unset,
            Value::If(_, yes, no) => self.may_be_unset(yes) || self.may_be_unset(no),
            Value::Term(_) | Value::Sum(..) | Value::Arbitrary => false,
        }
    }

    /// Returns the number of elements of a set that satisfy a condition.
    pub(super) fn number_of_elements(
        &mut self,
        variable: VarId,
        multiset: &Expression,
        condition: &Expression,
        span: Span,
    ) -> Outcome<Value> {
        let refused = Refusal { reason: Reason::Multiset, span };
        let TypeKind::Multiset { element, .. } = self.model.program.types[multiset.ty.index()].kind else {
            return Err(refused);
        };
        if !self.model.is_set(multiset.ty) {
            return Err(refused);
        }
        let which = countable(self.model.program, variable, multiset, condition);
        let which = which.ok_or_else(|| refused.clone())?;
        let place = self.place(multiset)?;
        let of_type = match which {
            Countable::All => element,
            Countable::Members(of_type) => of_type,
            Countable::Equal(wanted) if !is_plain(wanted) => return Err(refused),
            Countable::Equal(wanted) => {
                let value = self.value(wanted)?;
                let used = self.is_in_set(&place, multiset, &value, wanted.span)?.ok_or(refused)?;
                return Ok(choose(used, number(Term::Zero, 1), Value::Term(Term::Zero)));
            }
        };
        let values = self.model.values_of(self.machine.universe, of_type);
        let (index_types, constants) = values.ok_or(Refusal { reason: self.model.no_shape(of_type), span })?;
        if self.machine.dry > 0 {
            return Ok(self.machine.number_in_set(&place, (&index_types, &constants)).unwrap_or(Value::Arbitrary));
        }
        self.machine.number_in_set(&place, (&index_types, &constants)).map_err(at(span))
    }

    /// Returns whether a comparison of a count is lowered to a condition on the elements, not on their number.
    pub(super) fn is_condition(&self, counted: &Counted<'_>, operator: Binary) -> bool {
        !self.model.is_set(counted.multiset.ty) || counted.asks_for_one(self.model.program, operator)
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
            Bound::OfCapacity => return self.either_answer(span),
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
        if let Some(wanted) = counted.value().filter(|wanted| is_plain(wanted)) {
            let value = self.value(wanted)?;
            if let Some(is_in) = self.is_in_set(&place, counted.multiset, &value, wanted.span)? {
                return Ok(is_in);
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

    /// Lets the run continue with either answer to a question about the capacity, which may be any.
    fn either_answer(&mut self, span: Span) -> Outcome<Formula> {
        if self.machine.quantified > 0 || self.machine.closed || !self.machine.binders.is_empty() {
            return Err(Refusal { reason: Reason::Multiset, span });
        }
        self.machine.universe.either.get_or_insert(span);
        Ok(if self.machine.fork(2) == 0 { Formula::True } else { Formula::False })
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
            self.either_answer(span)?
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
