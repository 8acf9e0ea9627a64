//! Runs Murphi statements and expressions on the symbolic machine.
//!
//! Their effects on the [`SymbolicMachine`] match the concrete execution: expressions are evaluated from left to right,
//! `&`, `|` and `->` evaluate their right operand only if it matters, and a run-time error ends the path without a
//! successor.

use std::collections::BTreeMap;

use super::classes::Blocker;
use super::infer::is_sum_of_constants;
use super::logic::{and, at_most, equal, not, or, simplify};
use super::model::Model;
use super::multisets::{counted, is_multiset};
use super::places::{Node, Place, is_too_large, lay_out};
use super::reason::{Reason, Refusal};
use super::slots::{Absence, FreeSlots};
use super::sums::Side;
use super::symbolic::{SymbolicMachine, with_followed};
use super::universe::{Splitting, Universe};
use super::values::either;
use crate::program::{
    Binary, Binder, Expression, ExpressionKind, FunctionId, Over, Span, Statement, StatementKind, TypeId, TypeKind,
    Unary, VarId, VariableKind,
};
use system::{ConstantId, FALSE, Formula, IndexTerm, IndexTypeId, Role, TRUE, Term, Value, VariableId};

/// The largest number of iterations to which a `while` loop is unrolled.
const MOST_ITERATIONS: u32 = 64;

/// An assertion's identity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Assertion {
    pub(super) span: Span,
    pub(super) message: String,
    /// Whether it is an `error` statement.
    pub(super) error: bool,
}

/// What a name refers to.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Place(Place),
    Value(Value),
}

/// A run of statements.
pub(super) struct Execution<'m, 'p> {
    pub(super) machine: SymbolicMachine<'m, Assertion>,
    pub(super) model: &'m Model<'p>,
    pub(super) environment: BTreeMap<VarId, Binding>,
    /// The multiset to which a position belongs.
    pub(super) positions: BTreeMap<VarId, Place>,
    /// The slots that additions take.
    pub(super) free_slots: FreeSlots,
    /// What sets are known not to have.
    pub(super) absent: Vec<Absence>,
    /// The current rule and functions, innermost last.
    frames: Vec<Frame>,
}

struct Frame {
    function: Option<FunctionId>,
    /// A boolean cell: whether a `return` was reached.
    returned: VariableId,
    result: Option<Place>,
}

pub(super) type Outcome<T> = Result<T, Refusal>;

pub(super) fn at(span: Span) -> impl Fn(Reason) -> Refusal {
    move |reason| Refusal { reason, span }
}

impl<'m, 'p> Execution<'m, 'p> {
    pub(super) fn new(machine: SymbolicMachine<'m, Assertion>, model: &'m Model<'p>) -> Self {
        Self {
            machine,
            model,
            environment: BTreeMap::new(),
            positions: BTreeMap::new(),
            free_slots: FreeSlots::default(),
            absent: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Runs the body of a rule or startstate.
    pub(super) fn body(&mut self, locals: &[VarId], statements: &[Statement]) -> Outcome<()> {
        self.enter(None, None);
        for &local in locals {
            self.declare(local)?;
        }
        self.block(statements)?;
        self.frames.pop();
        Ok(())
    }

    fn enter(&mut self, function: Option<FunctionId>, result: Option<Place>) {
        let sort = self.machine.universe.sort("boolean", vec![], vec![FALSE, TRUE]);
        let returned = self.machine.universe.cell(sort, vec![]);
        self.machine.store.insert(returned, Value::Term(Term::Constant(FALSE)));
        self.frames.push(Frame { function, returned, result });
    }

    /// Creates a place of a type, undefined.
    fn fresh_place(&mut self, ty: TypeId, span: Span) -> Outcome<Place> {
        let shape = self.model.shape(self.machine.universe, ty);
        let shape = shape.filter(|shape| !is_too_large(self.machine.universe, shape));
        let shape = shape.ok_or_else(|| at(span)(self.model.no_shape(ty)))?;
        let node = lay_out(
            self.machine.universe,
            &shape,
            &mut Vec::new(),
            &mut Vec::new(),
            &mut |universe: &mut Universe, laid| universe.cell(laid.sort, laid.arguments),
        );
        let place = Place::whole(node);
        self.machine.undefine(&place);
        Ok(place)
    }

    fn declare(&mut self, local: VarId) -> Outcome<()> {
        let declaration = &self.model.program.variables[local.index()];
        let place = self.fresh_place(declaration.ty, declaration.span)?;
        self.environment.insert(local, Binding::Place(place));
        Ok(())
    }

    /// Runs statements up to a `return`.
    fn block(&mut self, statements: &[Statement]) -> Outcome<()> {
        for (number, statement) in statements.iter().enumerate() {
            self.statement(statement)?;
            let Some(frame) = self.frames.last() else { continue };
            let returned = frame.returned;
            let held = self.machine.held(returned);
            if held == Value::Term(Term::Constant(FALSE)) {
                continue;
            }
            let goes_on = not(self.machine.truth(&held));
            return self.branch_at(statement.span, &goes_on, |e| e.block(&statements[number + 1..]), |_| Ok(()));
        }
        Ok(())
    }

    /// As the machine's branch, for closures over the whole run.
    pub(super) fn branch(
        &mut self,
        condition: &Formula,
        yes: impl FnOnce(&mut Self) -> Outcome<()>,
        no: impl FnOnce(&mut Self) -> Outcome<()>,
    ) -> Outcome<()> {
        match simplify(self.machine.universe, &mut self.machine.facts, condition) {
            Formula::True => return yes(self),
            Formula::False => return no(self),
            _ => {}
        }
        let before = self.machine.store.clone();
        let taken = self.free_slots.taken();
        self.under(condition, true, yes)?;
        let after_yes = std::mem::replace(&mut self.machine.store, before);
        let taken = self.free_slots.other_branch(taken);
        self.under(condition, false, no)?;
        self.free_slots.join(taken);
        let after_no = std::mem::take(&mut self.machine.store);
        self.machine.store = self.machine.joined(condition, after_yes, after_no);
        Ok(())
    }

    /// As [`Execution::branch`], for a branch at this place, whose sides may be separate cases.
    fn branch_at(
        &mut self,
        span: Span,
        condition: &Formula,
        yes: impl FnOnce(&mut Self) -> Outcome<()>,
        no: impl FnOnce(&mut Self) -> Outcome<()>,
    ) -> Outcome<()> {
        let condition = match simplify(self.machine.universe, &mut self.machine.facts, condition) {
            Formula::True => return yes(self),
            Formula::False => return no(self),
            condition => condition,
        };
        let splitting = self.machine.universe.splitting;
        let is_case = splitting == Splitting::All || self.machine.universe.splits.contains(&span);
        if is_case && splitting != Splitting::None {
            let line = self.model.program.origin(span).line;
            let label = |holds| format!("line {line} {}", if holds { "holds" } else { "does not hold" });
            if let Some(holds) = self.machine.split(&condition, label) {
                if self.machine.facts.is_contradictory() {
                    return Ok(());
                }
                return if holds { yes(self) } else { no(self) };
            }
        }
        let start = self.machine.choices_made();
        let mut between = start;
        self.branch(
            &condition,
            |e| {
                let outcome = yes(e);
                between = e.machine.choices_made();
                outcome
            },
            no,
        )?;
        if between > start && self.machine.choices_made() > between {
            self.machine.universe.splits.insert(span);
        }
        Ok(())
    }

    /// As [`SymbolicMachine::under`], for closures over the whole run.
    pub(super) fn under<T>(&mut self, condition: &Formula, truth: bool, inside: impl FnOnce(&mut Self) -> T) -> T {
        let saved = self.machine.push_path(condition, truth);
        let result = inside(self);
        self.machine.pop_path(saved);
        result
    }

    /// Runs a statement. If the steps run out, the error is at the innermost statement.
    fn statement(&mut self, statement: &Statement) -> Outcome<()> {
        let known = self.machine.universe.cells.len();
        let outcome = self.effect(statement);
        self.machine.forget_from(known);
        match outcome {
            Err(refusal) if refusal.reason == Reason::TooMuchWork => Err(refusal),
            // Other errors may come from the unfinished results, so they are not reported.
            _ if self.machine.universe.is_exhausted() => Err(at(statement.span)(Reason::TooMuchWork)),
            Ok(()) if self.machine.universe.take_apart() => Err(at(statement.span)(Reason::Apart)),
            outcome => outcome,
        }
    }

    fn effect(&mut self, statement: &Statement) -> Outcome<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(to, from) => self.assign(to, from),
            StatementKind::If(branches, otherwise) => self.if_(branches, otherwise),
            StatementKind::Switch(on, cases, otherwise) => {
                // It is read even if there are no cases.
                let on = self.looked_up(on)?;
                self.switch(&on, cases, otherwise)
            }
            StatementKind::For(binder, body) => self.for_(binder, body, span),
            StatementKind::While(condition, body) => self.while_(condition, body, 0),
            StatementKind::Alias(variable, value, body) => {
                let binding = self.alias(value)?;
                self.environment.insert(*variable, binding);
                self.block(body)
            }
            StatementKind::Call(function, arguments) => {
                self.call(*function, arguments, span)?;
                Ok(())
            }
            StatementKind::Clear(place) => {
                let to = self.place(place)?;
                self.machine.clear(&to).map_err(at(span))
            }
            StatementKind::Undefine(place) => {
                let to = self.place(place)?;
                self.machine.undefine(&to);
                Ok(())
            }
            // A full multiset is an error of the next `multisetadd`.
            StatementKind::Assert(..) if self.model.is_room_check(span) => Ok(()),
            StatementKind::Assert(condition, message) => {
                let condition = self.condition(condition)?;
                let assertion = Assertion { span, message: message.clone(), error: false };
                self.machine.assertion(assertion, not(condition));
                Ok(())
            }
            StatementKind::Assume(condition) => {
                self.machine.assumed += 1;
                let condition = self.condition(condition)?;
                self.machine.error(not(condition));
                Ok(())
            }
            StatementKind::Cover(condition, _) => {
                // Only an error in the condition affects the states.
                self.condition(condition)?;
                Ok(())
            }
            StatementKind::Error(message) => {
                let assertion = Assertion { span, message: message.clone(), error: true };
                self.machine.assertion(assertion, Formula::True);
                Ok(())
            }
            // Without a call, it can only end the run, which then has no successor.
            StatementKind::Put(Some(value)) if value.calls() => self.alias(value).map(drop),
            StatementKind::Put(_) => Ok(()),
            StatementKind::Return(value) => self.return_(value.as_ref(), span),
            StatementKind::MultisetAdd(value, multiset) => self.multiset_add(value, multiset, span),
            StatementKind::MultisetRemove(position, multiset) => self.multiset_remove(position, multiset),
            StatementKind::MultisetRemoveIf(variable, multiset, condition) => {
                self.multiset_remove_if(*variable, multiset, condition, span)
            }
        }
    }

    fn assign(&mut self, to: &Expression, from: &Expression) -> Outcome<()> {
        if from.calls() || self.model.program.may_assert([to]) {
            return self.assign_computed(to, from);
        }
        let place = self.place(to)?;
        if matches!(from.kind, ExpressionKind::Undefined) {
            self.machine.undefine(&place);
            return Ok(());
        }
        self.store(&place, from)
    }

    /// As [`Execution::assign`]. The value is computed before the place is followed; assertions inside them can observe this, and
    /// so can a function that changes what the place depends on.
    fn assign_computed(&mut self, to: &Expression, from: &Expression) -> Outcome<()> {
        if self.is_simple(from.ty) {
            let value = self.value(from)?;
            let place = self.place(to)?;
            self.machine.assign(&place, &value).map_err(at(from.span))?;
        } else if let ExpressionKind::Conditional(condition, yes, no) = &from.kind {
            let condition = self.decided(condition)?;
            self.branch(&condition, |e| e.assign_computed(to, yes), |e| e.assign_computed(to, no))?;
        } else {
            let source = self.place(from)?;
            let place = self.place(to)?;
            self.machine.copy(&place, &source).map_err(at(from.span))?;
        }
        Ok(())
    }

    /// Stores the value of an expression, which may be a record or an array.
    pub(super) fn store(&mut self, place: &Place, from: &Expression) -> Outcome<()> {
        if self.is_simple(from.ty) {
            let value = self.value(from)?;
            self.machine.assign(place, &value).map_err(at(from.span))?;
        } else if let ExpressionKind::Conditional(condition, yes, no) = &from.kind {
            let condition = self.decided(condition)?;
            self.branch(&condition, |e| e.store(place, yes), |e| e.store(place, no))?;
        } else {
            let source = self.place(from)?;
            self.machine.copy(place, &source).map_err(at(from.span))?;
        }
        Ok(())
    }

    pub(super) fn is_simple(&self, ty: TypeId) -> bool {
        !matches!(
            self.model.program.types[ty.index()].kind,
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. }
        )
    }

    fn if_(&mut self, branches: &[(Expression, Vec<Statement>)], otherwise: &[Statement]) -> Outcome<()> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.block(otherwise);
        };
        let span = condition.span;
        let asked = condition;
        let condition = self.decided(asked)?;
        // Where the condition holds, all of its parts were evaluated without an error.
        let absent =
            if condition == Formula::False { Vec::new() } else { self.under(&condition, true, |e| e.absences(asked))? };
        let in_order = |e: &mut Self| {
            let before = e.absent.len();
            e.absent.extend(absent);
            let outcome = e.block(body);
            e.absent.truncate(before);
            outcome
        };
        self.branch_at(span, &condition, in_order, |e| e.if_(rest, otherwise))
    }

    fn switch(
        &mut self,
        on: &Value,
        cases: &[(Vec<Expression>, Vec<Statement>)],
        otherwise: &[Statement],
    ) -> Outcome<()> {
        let Some(((values, body), rest)) = cases.split_first() else {
            return self.block(otherwise);
        };
        let mut any = Formula::False;
        for value in values {
            // The values of a case are evaluated in order, up to the first that matches.
            let same = self.under(&any, false, |e| {
                let value = e.value(value)?;
                Ok(e.machine.equality(on, &value))
            })?;
            any = or([any, same]);
        }
        let body_of = |e: &mut Self| e.block(body);
        match values.first() {
            Some(first) => self.branch_at(first.span, &any, body_of, |e| e.switch(on, rest, otherwise)),
            None => self.branch(&any, body_of, |e| e.switch(on, rest, otherwise)),
        }
    }

    fn while_(&mut self, condition: &Expression, body: &[Statement], number: u32) -> Outcome<()> {
        let goes_on = self.decided(condition)?;
        if goes_on == Formula::False {
            return Ok(());
        }
        if self.machine.dry > 0 && number >= 2 {
            // Later iterations run the same statements.
            return Ok(());
        }
        if number >= MOST_ITERATIONS {
            return Err(at(condition.span)(Reason::EndlessWhile));
        }
        self.branch_at(
            condition.span,
            &goes_on,
            |e| {
                e.block(body)?;
                let going = e.running();
                e.branch(&going, |e| e.while_(condition, body, number + 1), |_| Ok(()))
            },
            |_| Ok(()),
        )
    }

    /// Returns the condition that no `return` was reached.
    fn running(&mut self) -> Formula {
        let Some(frame) = self.frames.last() else { return Formula::True };
        let returned = frame.returned;
        let held = self.machine.held(returned);
        not(self.machine.truth(&held))
    }

    fn for_(&mut self, binder: &Binder, body: &[Statement], span: Span) -> Outcome<()> {
        let name = self.model.program.variables[binder.variable.index()].name.clone();
        if let Some(part) = self.part(binder)? {
            let stopped = self.frames.last().map(|frame| frame.returned);
            let running = self.running();
            let index_type = part.index_type;
            let body_of_part = &mut |e: &mut Self| {
                let inside = e.is_inside(&part, binder.variable).map_err(at(span))?;
                e.branch(&inside, |e| e.block(body), |_| Ok(()))
            };
            return self.branch(
                &running,
                |e| {
                    e.machine.descends = part.descending;
                    e.for_each(&name, index_type, stopped, binder.variable, span, body_of_part)
                },
                |_| Ok(()),
            );
        }
        for range in self.ranges(binder)? {
            match range {
                Range::Index(index_type) => {
                    let stopped = self.frames.last().map(|frame| frame.returned);
                    let running = self.running();
                    self.branch(
                        &running,
                        |e| e.for_each(&name, index_type, stopped, binder.variable, span, &mut |e| e.block(body)),
                        |_| Ok(()),
                    )?;
                }
                Range::Cases(cases) => {
                    for (condition, constant) in cases {
                        let value = Value::Term(Term::Constant(constant));
                        let running = and([self.running(), condition]);
                        self.branch_at(
                            span,
                            &running,
                            |e| {
                                e.environment.insert(binder.variable, Binding::Value(value));
                                e.block(body)
                            },
                            |_| Ok(()),
                        )?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs a loop over an index type, and records if its meaning requires an order of the elements.
    pub(super) fn for_each(
        &mut self,
        name: &str,
        index_type: IndexTypeId,
        stopped: Option<VariableId>,
        variable: VarId,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Outcome<()>,
    ) -> Outcome<()> {
        let outer = std::mem::take(&mut self.machine.order_matters);
        let outcome = self.joined_iterations(name, index_type, stopped, variable, span, body);
        let blocker = match &outcome {
            Ok(()) => self.machine.order_matters.then_some(Blocker::LoopOrder),
            Err(refusal) => refusal.reason.blocks(index_type),
        };
        if let Some(blocker) = blocker {
            self.machine.universe.ordered.entry(index_type).or_insert((blocker, span));
        }
        self.machine.order_matters = outer;
        outcome
    }

    /// Runs the body twice: as a trial, and for one symbolic element.
    fn joined_iterations(
        &mut self,
        name: &str,
        index_type: IndexTypeId,
        stopped: Option<VariableId>,
        variable: VarId,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Outcome<()>,
    ) -> Outcome<()> {
        let (assumed, obligations) = (self.machine.assumed, self.machine.obligations.len());
        let mut work = self.machine.loop_over(name, index_type, stopped);
        let tried = self.machine.start_trying(&mut work);
        self.environment.insert(variable, Binding::Value(Value::Term(Term::Index(tried))));
        let result = body(self);
        let trial = self.machine.end_trying(&mut work);
        result?;
        if !trial {
            return Ok(());
        }
        let element = self.machine.start_iteration(&mut work);
        self.environment.insert(variable, Binding::Value(Value::Term(Term::Index(element))));
        let result = body(self);
        let ended = self.machine.end_iteration(&mut work);
        result?;
        ended.map_err(at(span))?;
        // If an iteration ends the run without an error, an assertion of another one is reached only if that one comes
        // first.
        self.machine.order_matters |= self.machine.assumed > assumed && self.machine.obligations.len() > obligations;
        self.machine.leave_loop(work).map_err(at(span))
    }

    /// Returns what a binder runs over, if that is a part of an ordered index type.
    fn part(&mut self, binder: &Binder) -> Outcome<Option<Part>> {
        let Over::Numbers { from, to, step } = &binder.over else { return Ok(None) };
        let Some(index_type) = self.model.part(self.machine.universe, binder.variable) else { return Ok(None) };
        let descending = super::infer::constant(step).is_some_and(|step| step < 0);
        if self.model.inferred.is_whole(self.model.program, binder.variable) {
            return Ok(Some(Part { index_type, descending, bounds: None }));
        }
        let (low, high) = if descending { (to, from) } else { (from, to) };
        let bounds = (self.looked_up(low)?, self.looked_up(high)?);
        if !self.machine.are_ranks(index_type, &bounds).map_err(at(from.span))? {
            return Err(at(from.span)(Reason::AnyNumber));
        }
        Ok(Some(Part { index_type, descending, bounds: Some(bounds) }))
    }

    /// Returns the condition that the value of the variable is in the part of an index type.
    fn is_inside(&mut self, part: &Part, variable: VarId) -> Result<Formula, Reason> {
        let Some((low, high)) = &part.bounds else { return Ok(Formula::True) };
        let Some(Binding::Value(own)) = self.environment.get(&variable).cloned() else { return Err(Reason::AnyNumber) };
        Ok(and([self.machine.at_most(low, &own, 0)?, self.machine.at_most(&own, high, 0)?]))
    }

    /// Returns the domain of a binder, in parts: a union has several.
    pub(super) fn ranges(&mut self, binder: &Binder) -> Outcome<Vec<Range>> {
        let variable = &self.model.program.variables[binder.variable.index()];
        let (ty, span) = (variable.ty, variable.span);
        match &binder.over {
            Over::Numbers { .. } if self.model.part(self.machine.universe, binder.variable).is_some() => {
                Err(at(span)(Reason::AnyNumber))
            }
            Over::Type(over) => self.ranges_of_type(*over, span),
            Over::Numbers { from, to, step } => Ok(vec![match self.model.index_type(ty) {
                Some(index_type) => Range::Index(index_type),
                None => self.range_of_numbers(from, to, step)?,
            }]),
        }
    }

    pub(super) fn ranges_of_type(&mut self, ty: TypeId, span: Span) -> Outcome<Vec<Range>> {
        let parts = match &self.model.program.types[ty.index()].kind {
            TypeKind::Union(parts) => parts.clone(),
            _ => vec![ty],
        };
        let mut ranges = Vec::new();
        for part in parts {
            if self.model.is_number(part) {
                return Err(at(span)(Reason::AnyNumber));
            }
            let values = self.model.values_of(self.machine.universe, part);
            let (types, constants) = values.ok_or_else(|| at(span)(Reason::NoShape))?;
            ranges.extend(types.into_iter().map(Range::Index));
            if !constants.is_empty() {
                ranges.push(Range::Cases(constants.into_iter().map(|c| (Formula::True, c)).collect()));
            }
        }
        Ok(ranges)
    }

    fn range_of_numbers(&mut self, from: &Expression, to: &Expression, step: &Expression) -> Outcome<Range> {
        let (from_value, to_value, step_value) = (self.value(from)?, self.value(to)?, self.value(step)?);
        let cases = |e: &mut Self, value: &Value, span: Span| -> Outcome<Vec<(Formula, i64)>> {
            let cases = e.machine.cases(value).map_err(at(span))?;
            Ok(cases
                .into_iter()
                .filter_map(|(c, constant)| e.machine.universe.integers.get(&constant).map(|&number| (c, number)))
                .collect())
        };
        let froms = cases(self, &from_value, from.span)?;
        let tos = cases(self, &to_value, to.span)?;
        let steps = cases(self, &step_value, step.span)?;
        let [(_, step_number)] = steps[..] else {
            return Err(at(step.span)(Reason::VariableStep));
        };
        if step_number == 0 {
            return Err(at(step.span)(Reason::VariableStep));
        }
        let mut all: Vec<(i64, Formula)> = Vec::new();
        for (from_condition, first) in &froms {
            for (to_condition, last) in &tos {
                let mut number = *first;
                while (step_number > 0 && number <= *last) || (step_number < 0 && number >= *last) {
                    let condition = and([from_condition.clone(), to_condition.clone()]);
                    match all.iter_mut().find(|(known, _)| *known == number) {
                        Some((_, known)) => *known = or([known.clone(), condition]),
                        None => all.push((number, condition)),
                    }
                    if all.len() > 1024 {
                        return Err(at(from.span)(Reason::TooManyCases { cases: all.len() }));
                    }
                    let Some(next) = number.checked_add(step_number) else { break };
                    number = next;
                }
            }
        }
        // With a step other than 1 and several first numbers, the orders of different runs would be mixed. Each number
        // belongs to its own runs by its condition, and sorting keeps the order within a run.
        all.sort_by_key(|(number, _)| *number);
        if step_number < 0 {
            all.reverse();
        }
        let cases = all
            .into_iter()
            .map(|(number, condition)| {
                let condition = simplify(self.machine.universe, &mut self.machine.facts, &condition);
                (condition, self.machine.universe.integer(number))
            })
            .collect();
        Ok(Range::Cases(cases))
    }

    fn return_(&mut self, value: Option<&Expression>, span: Span) -> Outcome<()> {
        let Some(frame) = self.frames.last() else {
            return Err(at(span)(Reason::NoShape));
        };
        let (returned, result) = (frame.returned, frame.result.clone());
        if let (Some(value), Some(result)) = (value, result) {
            self.store(&result, value)?;
        }
        let yes = Value::Term(Term::Constant(TRUE));
        self.machine.write(returned, &[], &Formula::True, yes);
        Ok(())
    }

    /// Calls a function; returns the place of its result.
    fn call(&mut self, id: FunctionId, arguments: &[Expression], span: Span) -> Outcome<Option<Place>> {
        let function = &self.model.program.functions[id.index()];
        if self.frames.iter().any(|frame| frame.function == Some(id)) {
            return Err(at(span)(Reason::Recursion { function: function.name.clone() }));
        }
        let mut bindings = Vec::new();
        for (&parameter, argument) in function.parameters.iter().zip(arguments) {
            let kind = self.model.program.variables[parameter.index()].kind;
            let binding = if kind == VariableKind::Reference {
                Binding::Place(self.place(argument)?)
            } else if self.is_simple(argument.ty) {
                Binding::Value(self.passed(parameter, argument)?)
            } else {
                let ty = self.model.program.variables[parameter.index()].ty;
                let copy = self.fresh_place(ty, argument.span)?;
                let source = self.place(argument)?;
                self.machine.copy(&copy, &source).map_err(at(argument.span))?;
                Binding::Place(copy)
            };
            bindings.push((parameter, binding));
        }
        let result = match function.result {
            Some(ty) => Some(self.fresh_place(ty, span)?),
            None => None,
        };
        let known = self.machine.universe.cells.len();
        self.environment.extend(bindings);
        self.enter(Some(id), result.clone());
        for &local in &function.locals {
            self.declare(local)?;
        }
        self.block(&function.body)?;
        self.frames.pop();
        self.machine.forget_from(known);
        Ok(result)
    }

    /// Returns the value of an argument; a value outside of the parameter's type is an error.
    fn passed(&mut self, parameter: VarId, argument: &Expression) -> Outcome<Value> {
        let ty = self.model.program.variables[parameter.index()].ty;
        let value = self.value(argument)?;
        let is_place = matches!(
            argument.kind,
            ExpressionKind::Variable(_) | ExpressionKind::Field(..) | ExpressionKind::Element(..)
        );
        if ty == argument.ty && is_place {
            return Ok(value);
        }
        let copy = self.fresh_place(ty, argument.span)?;
        match copy.0.first().map(|spot| std::rc::Rc::clone(&spot.node)).as_deref() {
            Some(Node::Scalar(cell)) => {
                let sort = self.machine.sort_id(*cell);
                self.machine.fitted(&value, sort).map_err(at(argument.span))
            }
            _ => Ok(value),
        }
    }

    /// Returns what an alias refers to: a place if there is one, otherwise a value.
    pub(super) fn alias(&mut self, value: &Expression) -> Outcome<Binding> {
        match &value.kind {
            ExpressionKind::Variable(variable) => match self.environment.get(variable) {
                Some(binding) => Ok(binding.clone()),
                None if self.model.homes.contains_key(variable) => Ok(Binding::Value(self.value(value)?)),
                None => Ok(Binding::Place(self.place(value)?)),
            },
            ExpressionKind::Field(..) | ExpressionKind::Element(..) => Ok(Binding::Place(self.place(value)?)),
            _ if self.is_simple(value.ty) => Ok(Binding::Value(self.value(value)?)),
            _ => Ok(Binding::Place(self.place(value)?)),
        }
    }

    /// Returns a new place with a value.
    pub(super) fn place_of_value(&mut self, value: &Value, ty: TypeId, span: Span) -> Outcome<Place> {
        let copy = self.fresh_place(ty, span)?;
        self.machine.assign(&copy, value).map_err(at(span))?;
        Ok(copy)
    }

    /// Returns the place that a designator refers to.
    pub(super) fn place(&mut self, expression: &Expression) -> Outcome<Place> {
        match &expression.kind {
            ExpressionKind::Variable(variable) => match self.environment.get(variable) {
                Some(Binding::Place(place)) => Ok(place.clone()),
                Some(Binding::Value(value)) => {
                    // A parameter passed on by value.
                    let value = value.clone();
                    self.place_of_value(&value, expression.ty, expression.span)
                }
                None => match self.model.globals.get(variable) {
                    Some(node) => Ok(Place::whole(std::rc::Rc::clone(node))),
                    None if self.model.homes.contains_key(variable) => {
                        let value = self.value(expression)?;
                        self.place_of_value(&value, expression.ty, expression.span)
                    }
                    None => Err(at(expression.span)(self.model.no_shape(expression.ty))),
                },
            },
            ExpressionKind::Field(record, field) => Ok(self.place(record)?.field(field)),
            ExpressionKind::Element(array, index) => {
                // The places are followed after all indices are computed. Only assertions in an index can observe this.
                if is_multiset(self.model.program, array.ty) {
                    return self.element_of_multiset(array, index);
                }
                let first = self.model.program.may_assert([&**index]) && !self.model.program.may_assert([&**array]);
                let value = if first { Some(self.value(index)?) } else { None };
                let array = self.place(array)?;
                let value = match value {
                    Some(value) => value,
                    None => self.value(index)?,
                };
                self.machine.element(&array, &value).map_err(at(index.span))
            }
            ExpressionKind::Call(function, arguments) => {
                self.call(*function, arguments, expression.span)?.ok_or_else(|| at(expression.span)(Reason::NoShape))
            }
            _ => Err(at(expression.span)(self.model.no_shape(expression.ty))),
        }
    }

    /// Returns the value of a simple expression.
    pub(super) fn value(&mut self, expression: &Expression) -> Outcome<Value> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Integer(number) => self.integer(*number, span),
            ExpressionKind::Member(name) => {
                let id = self.machine.universe.constant(name);
                Ok(Value::Term(Term::Constant(id)))
            }
            ExpressionKind::Undefined => Ok(Value::Arbitrary),
            ExpressionKind::Variable(variable) => self.variable(*variable, expression),
            ExpressionKind::Element(multiset, position) if self.model.is_set(multiset.ty) => {
                let place = self.place(multiset)?;
                self.check_position(&place, position)?;
                self.value(position)
            }
            ExpressionKind::Field(..) | ExpressionKind::Element(..) => {
                let place = self.place(expression)?;
                Ok(self.machine.read_place(&place))
            }
            ExpressionKind::Call(..) => {
                // A result is computed, so it is not a place from which an undefined value could be copied.
                let place = self.place(expression)?;
                let result = self.machine.read_place(&place);
                self.machine.used(&result);
                Ok(result)
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                let condition = self.decided(condition)?;
                let yes = self.under(&condition, true, |e| e.looked_up(yes))?;
                let no = self.under(&condition, false, |e| e.looked_up(no))?;
                Ok(super::logic::choose(condition, yes, no))
            }
            ExpressionKind::Unary(Unary::Minus, inner) => {
                let zero = self.machine.universe.integer(0);
                let zero = Value::Term(Term::Constant(zero));
                let inner = self.value(inner)?;
                if self.machine.has_numbers(&inner) {
                    return self.machine.sum(&zero, &inner, true).map_err(at(span));
                }
                self.machine.arithmetic(&zero, &inner, i64::checked_sub).map_err(at(span))
            }
            ExpressionKind::Binary(operator, left, right) if operator.number().is_some() => {
                let divisor = right;
                let (left, right) = (self.looked_up(left)?, self.value(right)?);
                let operation = operator.number().expect("the guard says so");
                if self.machine.has_numbers(&left) || self.machine.has_numbers(&right) {
                    return match operator {
                        Binary::Add => self.machine.sum(&left, &right, false).map_err(at(span)),
                        Binary::Subtract => self.machine.sum(&left, &right, true).map_err(at(span)),
                        Binary::Modulo => self.machine.remainder(&left, &right).map_err(at(span)),
                        Binary::Divide if self.model.program.is_two(divisor) => {
                            self.machine.halved(&left).map_err(at(span))
                        }
                        _ => Err(at(span)(Reason::AnyNumber)),
                    };
                }
                self.machine.arithmetic(&left, &right, operation).map_err(at(span))
            }
            ExpressionKind::MultisetCount(variable, multiset, condition) => {
                self.number_of_elements(*variable, multiset, condition, span)
            }
            ExpressionKind::Boolean(_)
            | ExpressionKind::Unary(Unary::Not, _)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Forall(..)
            | ExpressionKind::Exists(..)
            | ExpressionKind::IsUndefined(_)
            | ExpressionKind::IsMember(..) => {
                let condition = self.decided(expression)?;
                Ok(self.machine.boolean(condition))
            }
        }
    }

    /// Returns a number. A constant that may have any value is one that no rule changes.
    fn integer(&mut self, number: i64, span: Span) -> Outcome<Value> {
        let constant = self.model.program.constant_at(span);
        let form = constant.and_then(|name| self.model.program.forms.get(name));
        let is_free = |name: &String| self.machine.universe.sizes.contains_key(name);
        if let Some(form) = form.filter(|form| form.factors.keys().any(is_free)) {
            let sum = super::numbers::sum(form, &self.machine.universe.sizes);
            let sum = sum.filter(|_| !self.machine.universe.reads_nothing);
            let (term, sum) = sum.ok_or_else(|| at(span)(Reason::AnyNumber))?;
            return Ok(super::sums::number(term, sum));
        }
        let id = self.machine.universe.integer(number);
        Ok(Value::Term(Term::Constant(id)))
    }

    /// Returns the value of an expression used in a computation, where it must not be undefined.
    pub(super) fn looked_up(&mut self, expression: &Expression) -> Outcome<Value> {
        let value = self.value(expression)?;
        self.machine.used(&value);
        Ok(value)
    }

    fn variable(&mut self, variable: VarId, expression: &Expression) -> Outcome<Value> {
        match self.environment.get(&variable) {
            Some(Binding::Value(value)) => Ok(value.clone()),
            Some(Binding::Place(place)) => {
                let place = place.clone();
                Ok(self.machine.read_place(&place))
            }
            None => {
                if let Some(&named) = self.model.homes.get(&variable) {
                    return Ok(Value::Term(Term::Index(IndexTerm::Named(named))));
                }
                let place = self.place(expression)?;
                Ok(self.machine.read_place(&place))
            }
        }
    }

    /// Evaluates a condition to one without quantifiers: the run takes one way for each quantifier.
    pub(super) fn decided(&mut self, expression: &Expression) -> Outcome<Formula> {
        let condition = self.condition(expression)?;
        if self.machine.quantified > 0 && condition.has_quantifier() {
            return Err(at(expression.span)(Reason::QuantifiedValue));
        }
        self.machine.decided(&condition).map_err(at(expression.span))
    }

    /// Evaluates a condition, which may have quantifiers.
    pub(super) fn condition(&mut self, expression: &Expression) -> Outcome<Formula> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Boolean(true) => Ok(Formula::True),
            ExpressionKind::Boolean(false) => Ok(Formula::False),
            ExpressionKind::Unary(Unary::Not, inner) => Ok(not(self.condition(inner)?)),
            ExpressionKind::Binary(Binary::And, left, right) => {
                let left = self.condition(left)?;
                let right = self.right_side(&left, true, right)?;
                Ok(self.simplified(and([left, right])))
            }
            ExpressionKind::Binary(Binary::Or, left, right) => {
                let left = self.condition(left)?;
                let right = self.right_side(&left, false, right)?;
                Ok(self.simplified(or([left, right])))
            }
            ExpressionKind::Binary(Binary::Implies, left, right) => {
                let left = self.condition(left)?;
                let right = self.right_side(&left, true, right)?;
                Ok(self.simplified(or([not(left), right])))
            }
            ExpressionKind::Binary(operator, left, right)
                if counted(left, right).is_some_and(|counted| self.is_condition(&counted, *operator)) =>
            {
                self.compared_count(*operator, left, right, span)
            }
            ExpressionKind::Binary(operator @ (Binary::Equal | Binary::Unequal), left, right) => {
                let same = self.compared(left, right)?;
                Ok(if *operator == Binary::Equal { same } else { not(same) })
            }
            ExpressionKind::Binary(operator, left, right) => {
                let order = Order::of(*operator).ok_or_else(|| at(span)(Reason::NoShape))?;
                if let Some(holds) = self.compared_twice(order, left, right, span)? {
                    return Ok(holds);
                }
                let (left, right) = (self.looked_up(left)?, self.value(right)?);
                if self.machine.has_numbers(&left) || self.machine.has_numbers(&right) {
                    let (left, right) = order.operands(&left, &right);
                    return self.machine.at_most(left, right, order.plus()).map_err(at(span));
                }
                self.machine.comparison(&left, &right, |a, b| order.holds(a, b)).map_err(at(span))
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                let condition = self.condition(condition)?;
                let yes = self.under(&condition, true, |e| e.condition(yes))?;
                let no = self.under(&condition, false, |e| e.condition(no))?;
                Ok(self.simplified(either(&condition, yes, no)))
            }
            ExpressionKind::Forall(binder, body) => self.quantified(binder, body, true),
            ExpressionKind::Exists(binder, body) => self.quantified(binder, body, false),
            ExpressionKind::IsUndefined(inner) => self.is_undefined(inner),
            ExpressionKind::IsMember(inner, ty) => {
                let value = self.value(inner)?;
                let members =
                    self.model.values_of(self.machine.universe, *ty).ok_or_else(|| at(span)(Reason::NoShape))?;
                self.check_member(&value, &members).map_err(at(span))?;
                Ok(self.is_member(&value, &members))
            }
            ExpressionKind::MultisetCount(..) => Err(at(span)(Reason::Multiset)),
            ExpressionKind::Integer(_)
            | ExpressionKind::Member(_)
            | ExpressionKind::Undefined
            | ExpressionKind::Variable(_)
            | ExpressionKind::Field(..)
            | ExpressionKind::Element(..)
            | ExpressionKind::Unary(Unary::Minus, _)
            | ExpressionKind::Call(..) => {
                let value = self.value(expression)?;
                Ok(self.machine.truth(&value))
            }
        }
    }

    /// Compares twice a number that may be any integer with constants, if the operands are these.
    fn compared_twice(
        &mut self,
        order: Order,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) -> Outcome<Option<Formula>> {
        let program = self.model.program;
        let (left, right, doubled) = match (program.doubled(left), program.doubled(right)) {
            (Some(inner), None) if is_sum_of_constants(right) => (inner, right, Side::Left),
            (None, Some(inner)) if is_sum_of_constants(left) => (left, inner, Side::Right),
            (Some(_) | None, Some(_) | None) => return Ok(None),
        };
        let (left, right) = (self.looked_up(left)?, self.looked_up(right)?);
        if !self.machine.has_numbers(&left) && !self.machine.has_numbers(&right) {
            return Ok(None);
        }
        let doubled = if order.mirrored { doubled.other() } else { doubled };
        let holds = self.machine.at_most_doubled(order.operands(&left, &right), order.plus(), doubled);
        holds.map(Some).map_err(at(span))
    }

    fn simplified(&mut self, formula: Formula) -> Formula {
        simplify(self.machine.universe, &mut self.machine.facts, &formula)
    }

    /// Evaluates the right operand of an operator, which happens only if the left one has the given truth value.
    fn right_side(&mut self, left: &Formula, truth: bool, right: &Expression) -> Outcome<Formula> {
        let decided = if truth { Formula::False } else { Formula::True };
        if *left == decided {
            return Ok(decided);
        }
        self.under(left, truth, |e| e.condition(right))
    }

    /// Compares two expressions. Conditions are compared as such, because they may have quantifiers.
    fn compared(&mut self, left: &Expression, right: &Expression) -> Outcome<Formula> {
        let boolean = |expression: &Expression| match expression.kind {
            ExpressionKind::Boolean(truth) => Some(truth),
            _ => None,
        };
        if let Some(truth) = boolean(right) {
            let left = self.condition(left)?;
            return Ok(if truth { left } else { not(left) });
        }
        if let Some(truth) = boolean(left) {
            let right = self.condition(right)?;
            return Ok(if truth { right } else { not(right) });
        }
        if matches!(self.model.program.types[left.ty.index()].kind, TypeKind::Boolean) {
            let is_plain = |e: &Expression| {
                matches!(e.kind, ExpressionKind::Variable(_) | ExpressionKind::Field(..) | ExpressionKind::Element(..))
            };
            if !(is_plain(left) && is_plain(right)) {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                return Ok(self.simplified(or([and([left.clone(), right.clone()]), and([not(left), not(right)])])));
            }
        }
        let (left, right) = (self.looked_up(left)?, self.value(right)?);
        Ok(self.machine.equality(&left, &right))
    }

    /// Evaluates a quantified condition. Pointers in the body that depend on bound variables become bound variables.
    fn quantified(&mut self, binder: &Binder, body: &Expression, universal: bool) -> Outcome<Formula> {
        if let Some(part) = self.part(binder)? {
            let name = self.model.program.variables[binder.variable.index()].name.clone();
            return self.over_index(&name, part.index_type, universal, |e, element| {
                e.environment.insert(binder.variable, Binding::Value(Value::Term(Term::Index(element))));
                let inside = e.is_inside(&part, binder.variable).map_err(at(body.span))?;
                let holds = e.under(&inside, true, |e| e.condition(body))?;
                Ok(if universal { or([not(inside), holds]) } else { and([inside, holds]) })
            });
        }
        let mut parts = Vec::new();
        let start = self.machine.path.length();
        for range in self.ranges(binder)? {
            let part = match range {
                Range::Index(index_type) => {
                    let name = self.model.program.variables[binder.variable.index()].name.clone();
                    self.over_index(&name, index_type, universal, |e, element| {
                        e.environment.insert(binder.variable, Binding::Value(Value::Term(Term::Index(element))));
                        e.condition(body)
                    })?
                }
                Range::Cases(cases) => self.over_constants(binder, cases, body, universal)?,
            };
            self.machine.path.add(if universal { part.clone() } else { not(part.clone()) });
            parts.push(part);
        }
        self.machine.path.shorten(start);
        Ok(self.simplified(if universal { and(parts) } else { or(parts) }))
    }

    /// Quantifies over an index type.
    pub(super) fn over_index(
        &mut self,
        name: &str,
        index_type: IndexTypeId,
        universal: bool,
        body: impl FnOnce(&mut Self, IndexTerm) -> Outcome<Formula>,
    ) -> Outcome<Formula> {
        let variable = self.machine.universe.index_variable(name, index_type, Role::Bound);
        let (errors, pending) = (self.machine.errors.len(), self.machine.pending.len());
        let obligations = self.machine.obligations.len();
        let binders = self.machine.binders.len();
        self.machine.binders.push(variable);
        self.machine.quantified += 1;
        let saved = self.machine.push_path(&Formula::True, true);
        let formula = body(self, IndexTerm::Variable(variable));
        self.machine.pop_path(saved);
        self.machine.quantified -= 1;
        self.machine.binders.truncate(binders);
        let formula = self.with_pending(formula?, pending, universal);
        let errors = self.machine.errors.split_off(errors);
        for error in errors {
            let error = self.with_known_pending(error, pending);
            self.machine.errors.push(Formula::Exists(variable, Box::new(error)));
        }
        self.close_obligations(obligations, pending);
        for obligation in &mut self.machine.obligations[obligations..] {
            let bad = std::mem::replace(&mut obligation.bad, Formula::False);
            obligation.bad = Formula::Exists(variable, Box::new(bad));
        }
        self.machine.pending.truncate(pending);
        Ok(self.simplified(if universal {
            Formula::Forall(variable, Box::new(formula))
        } else {
            Formula::Exists(variable, Box::new(formula))
        }))
    }

    /// Binds the variables of pointers followed since then.
    pub(super) fn with_pending(&self, formula: Formula, since: usize, universal: bool) -> Formula {
        with_followed(formula, &self.machine.pending[since..], universal)
    }

    fn with_known_pending(&self, error: Formula, since: usize) -> Formula {
        self.with_pending(error, since, false)
    }

    /// Binds the variables of pointers followed since then in the obligations recorded since then.
    fn close_obligations(&mut self, since: usize, pending: usize) {
        let machine = &mut self.machine;
        for obligation in &mut machine.obligations[since..] {
            obligation.close(&machine.pending, pending);
        }
    }

    fn over_constants(
        &mut self,
        binder: &Binder,
        cases: Vec<(Formula, ConstantId)>,
        body: &Expression,
        universal: bool,
    ) -> Outcome<Formula> {
        let mut parts: Vec<Formula> = Vec::new();
        let start = self.machine.path.length();
        for (condition, constant) in cases {
            let value = Value::Term(Term::Constant(constant));
            self.environment.insert(binder.variable, Binding::Value(value));
            let part = self.under(&condition, true, |e| e.condition(body))?;
            let part = if universal { or([not(condition), part]) } else { and([condition, part]) };
            // The next value is evaluated only if this one has not decided.
            self.machine.path.add(if universal { part.clone() } else { not(part.clone()) });
            parts.push(part);
        }
        self.machine.path.shorten(start);
        let whole = if universal { and(parts) } else { or(parts) };
        Ok(self.simplified(whole))
    }

    fn is_undefined(&mut self, inner: &Expression) -> Outcome<Formula> {
        let Some(undefined) = self.machine.universe.undefined else {
            return Err(at(inner.span)(Reason::NoShape));
        };
        if !self.is_simple(inner.ty) {
            return Err(at(inner.span)(Reason::NoShape));
        }
        let place = self.place(inner)?;
        let value = self.machine.read_place(&place);
        Ok(self.machine.holds_constant(&value, undefined))
    }

    /// Refuses a question about the number of an element, or whether a number is that of one.
    fn check_member(&self, value: &Value, members: &(Vec<IndexTypeId>, Vec<ConstantId>)) -> Result<(), Reason> {
        let universe = &self.machine.universe;
        let is_plain = |term: &Term| {
            let own = universe.index_types_of(term);
            let apart = own.iter().all(|index_type| !members.0.contains(index_type));
            !apart || !(universe.has_ranks(&own) || universe.has_ranks(&members.0))
        };
        let plain = value.leaves().into_iter().flatten().all(is_plain);
        if plain { Ok(()) } else { Err(Reason::AnyNumber) }
    }

    fn is_member(&mut self, value: &Value, members: &(Vec<IndexTypeId>, Vec<ConstantId>)) -> Formula {
        let leaves = self.machine.leaves(value);
        let mut any = Vec::new();
        for (condition, term, sum) in leaves {
            let member = match &term {
                Term::Zero => truth(self.machine.universe.is_integer_among(sum, &members.1)),
                Term::Read(..) if self.machine.universe.is_number(&term) => {
                    or(self.machine.universe.integers_among(&members.1).into_iter().map(|integer| {
                        and([at_most(&term, &Term::Zero, integer - sum), at_most(&Term::Zero, &term, sum - integer)])
                    }))
                }
                Term::Constant(constant) => truth(members.1.contains(constant)),
                Term::Index(index) => truth(members.0.contains(&self.machine.universe.type_of(*index))),
                Term::Read(cell, _) => {
                    let sort = self.machine.universe.sort_of(*cell).clone();
                    // The value is none of the constants and elements that are not members.
                    let mut outside = Vec::new();
                    for constant in sort.constants.iter().filter(|c| !members.1.contains(c)) {
                        outside.push(equal(self.machine.universe, &term, &Term::Constant(*constant)));
                    }
                    for &index_type in sort.index_types.iter().filter(|t| !members.0.contains(t)) {
                        let element = self.machine.universe.index_variable("", index_type, Role::Bound);
                        let same = equal(self.machine.universe, &term, &Term::Index(IndexTerm::Variable(element)));
                        outside.push(Formula::Exists(element, Box::new(same)));
                    }
                    not(or(outside))
                }
            };
            any.push(and([condition, member]));
        }
        self.simplified(or(any))
    }
}

fn truth(holds: bool) -> Formula {
    if holds { Formula::True } else { Formula::False }
}

/// The domain of a bound variable, or a part of it.
pub(super) enum Range {
    Index(IndexTypeId),
    /// Constants, each belonging to the range only under a condition.
    Cases(Vec<(Formula, ConstantId)>),
}

/// A part of an ordered index type.
struct Part {
    index_type: IndexTypeId,
    /// Whether a loop runs over it from the last element to the first.
    descending: bool,
    /// The least and the greatest rank, unless it is the whole type.
    bounds: Option<(Value, Value)>,
}

/// A comparison by order, as `left < right` or `left <= right`.
#[derive(Clone, Copy, Debug)]
struct Order {
    /// Whether the operands are to be exchanged for that.
    mirrored: bool,
    strict: bool,
}

impl Order {
    fn of(operator: Binary) -> Option<Self> {
        let (mirrored, strict) = match operator {
            Binary::Less => (false, true),
            Binary::LessEqual => (false, false),
            Binary::Greater => (true, true),
            Binary::GreaterEqual => (true, false),
            Binary::And
            | Binary::Or
            | Binary::Implies
            | Binary::Equal
            | Binary::Unequal
            | Binary::Add
            | Binary::Subtract
            | Binary::Multiply
            | Binary::Divide
            | Binary::Modulo
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor
            | Binary::ShiftLeft
            | Binary::ShiftRight => return None,
        };
        Some(Self { mirrored, strict })
    }

    fn operands<T>(self, left: T, right: T) -> (T, T) {
        if self.mirrored { (right, left) } else { (left, right) }
    }

    /// What is added to the first of [`Self::operands`] to make it at most the second.
    fn plus(self) -> i64 {
        i64::from(self.strict)
    }

    fn holds(self, left: i64, right: i64) -> bool {
        let (left, right) = self.operands(left, right);
        if self.strict { left < right } else { left <= right }
    }
}
