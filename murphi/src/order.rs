//! Finds loops whose result may depend on the order of their iterations.
//!
//! An instance runs the iterations in one order, so it must not treat elements of the types that such loops run over as
//! interchangeable (Ip and Dill, "Better verification through symmetry", 1996, section 3, require the same for a `for`
//! over a scalarset).
//!
//! The iterations of a loop can run in any order if no two of them touch the same place, or if all of them do the same
//! thing to it: write one value, count in one direction, or add to a multiset. Functions are analyzed where they are
//! called. Anything else is considered a dependence. Lowering is more precise; this analysis is used where lowering has
//! no answer.

use std::collections::BTreeMap;

use crate::program::walk::Place;
use crate::program::{
    Around, Binary, Binder, Expression, ExpressionKind, FunctionId, Over, Program, Span, Statement, StatementKind,
    TypeId, TypeKind, VarId,
};

mod accesses;

use accesses::{Access, Effect, Index, Path, Step, Written, order_matters, stops_early};

/// Types whose elements may have an order in the program, with the first place where it matters.
pub type Ordered = BTreeMap<TypeId, (Cause, Span)>;

/// What depends on the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The result of a loop.
    #[error("the result of this loop may depend on the order of its iterations")]
    Loop,
    /// What the condition of a quantifier writes, since elements are evaluated one by one until one decides.
    #[error("what this quantifier writes depends on the element at which it stops")]
    Quantifier,
    /// Whether an assertion, a `cover` or an error is reached, since something before it may end the loop, the
    /// quantifier or the execution.
    #[error("what fails or is covered here depends on the element at which this stops")]
    Met,
    /// `clear` takes the first element.
    #[error("`clear` takes the first element")]
    Clear,
}

/// Returns the types of loops in the program whose order may matter.
#[must_use]
pub fn ordered(program: &Program) -> Ordered {
    let mut walk = Walk::new(program);
    walk.whole();
    walk.found
}

/// As [`ordered`], but for properties only.
#[must_use]
pub(crate) fn ordered_by_properties(program: &Program) -> Ordered {
    let mut walk = Walk::new(program);
    walk.properties();
    walk.found
}

/// Returns the types of loops and quantifiers that may stop before something that they would reach in another order.
/// Lowering covers what is reached in any order, and so cannot express this.
#[must_use]
pub(crate) fn stopped_early(program: &Program) -> Ordered {
    let mut walk = Walk::new(program);
    walk.whole();
    walk.early
}

/// The largest number of accesses analyzed; larger programs, with functions expanded, count as dependent on the order.
const MOST_STEPS: u32 = 2_000_000;

struct Walk<'p> {
    program: &'p Program,
    /// What aliases and parameters refer to.
    meant: BTreeMap<VarId, &'p Expression>,
    /// The accesses so far, in text order.
    log: Vec<Access<'p>>,
    /// The functions being analyzed.
    calls: Vec<FunctionId>,
    /// The number of the current statement list, and the next unused one.
    block: u32,
    blocks: u32,
    steps: u32,
    found: Ordered,
    /// The types whose loops may stop early, regardless of other findings for the type.
    early: Ordered,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            meant: BTreeMap::new(),
            log: Vec::new(),
            calls: Vec::new(),
            block: 0,
            blocks: 0,
            steps: 0,
            found: Ordered::new(),
            early: Ordered::new(),
        }
    }

    fn whole(&mut self) {
        for startstate in &self.program.startstates {
            self.around(&startstate.around);
            self.statements(&startstate.body);
            self.log.clear();
        }
        for rule in &self.program.rules {
            self.around(&rule.around);
            self.expression(&rule.guard);
            self.statements(&rule.body);
            self.log.clear();
        }
        self.properties();
    }

    fn properties(&mut self) {
        for property in &self.program.properties {
            self.around(&property.around);
            self.expression(&property.condition);
            self.log.clear();
        }
    }

    fn around(&mut self, around: &'p [Around]) {
        for part in around {
            match part {
                Around::Parameter(binder) => self.bounds(binder),
                Around::Alias(variable, value) => {
                    self.expression(value);
                    self.meant.insert(*variable, value);
                }
                Around::Choose(_, multiset) => self.expression(multiset),
            }
        }
    }

    fn access(&mut self, path: Option<Path<'p>>, effect: Effect<'p>) {
        self.log.push(Access { path, effect, block: self.block });
    }

    /// Checks what was recorded since then: the iterations of a loop.
    fn iterations(&mut self, since: usize, binder: &Binder, span: Span) {
        let accesses = &self.log[since..];
        self.steps = self.steps.saturating_add(u32::try_from(accesses.len()).unwrap_or(u32::MAX));
        if self.steps > MOST_STEPS || order_matters(accesses, binder.variable) {
            let over = match &binder.over {
                Over::Type(over) => *over,
                Over::Numbers { .. } => self.program.variables[binder.variable.index()].ty,
            };
            let cause = if stops_early(&self.log[since..]) { Cause::Met } else { Cause::Loop };
            self.order(over, cause, span);
        }
    }

    /// Records that the elements of this type have an order.
    fn order(&mut self, ty: TypeId, cause: Cause, span: Span) {
        match &self.program.types[ty.index()].kind {
            TypeKind::Scalarset(_) | TypeKind::Range(..) => {
                self.found.entry(ty).or_insert((cause, span));
                if matches!(cause, Cause::Met | Cause::Quantifier) {
                    self.early.entry(ty).or_insert((cause, span));
                }
            }
            TypeKind::Union(parts) => parts.iter().for_each(|&part| self.order(part, cause, span)),
            // Their elements have names.
            TypeKind::Boolean | TypeKind::Enum(_) => {}
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. } => {}
        }
    }

    /// `clear` stores the least value of each simple type.
    fn cleared(&mut self, ty: TypeId, span: Span) {
        match &self.program.types[ty.index()].kind {
            TypeKind::Scalarset(_) | TypeKind::Range(..) | TypeKind::Union(_) => self.order(ty, Cause::Clear, span),
            TypeKind::Record(fields) => fields.iter().for_each(|(_, field)| self.cleared(*field, span)),
            TypeKind::Array { element, .. } => self.cleared(*element, span),
            TypeKind::Boolean | TypeKind::Enum(_) | TypeKind::Multiset { .. } => {}
        }
    }

    fn statements(&mut self, statements: &'p [Statement]) {
        self.blocks += 1;
        let outer = std::mem::replace(&mut self.block, self.blocks);
        statements.iter().for_each(|statement| self.statement(statement));
        self.block = outer;
    }

    fn statement(&mut self, statement: &'p Statement) {
        match &statement.kind {
            StatementKind::Assign(to, from) => self.assign(to, from),
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    self.expression(condition);
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StatementKind::Switch(on, cases, otherwise) => {
                self.expression(on);
                for (values, body) in cases {
                    values.iter().for_each(|value| self.expression(value));
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StatementKind::For(binder, body) => {
                self.bounds(binder);
                let since = self.log.len();
                self.access(None, Effect::Bind(binder.variable));
                self.statements(body);
                self.iterations(since, binder, statement.span);
            }
            StatementKind::While(condition, body) => {
                self.expression(condition);
                self.statements(body);
            }
            StatementKind::Alias(variable, value, body) => {
                self.indices(value);
                self.meant.insert(*variable, value);
                self.statements(body);
            }
            StatementKind::Call(function, arguments) => self.call(*function, arguments),
            StatementKind::Clear(place) => {
                self.cleared(place.ty, statement.span);
                self.write(place, Effect::Write(Written::Cleared));
            }
            StatementKind::Undefine(place) => self.write(place, Effect::Write(Written::Undefined)),
            StatementKind::Assert(condition, _) => {
                match self.room(condition) {
                    Some(multiset) => self.access(Some(multiset), Effect::Room),
                    None => self.expression(condition),
                }
                self.access(None, Effect::Assertion);
            }
            StatementKind::Error(_) => self.access(None, Effect::Assertion),
            StatementKind::Assume(condition) => {
                self.expression(condition);
                self.access(None, Effect::Assumption);
            }
            StatementKind::Cover(condition, _) => {
                self.expression(condition);
                self.access(None, Effect::Assertion);
            }
            StatementKind::Put(value) => value.iter().for_each(|value| self.expression(value)),
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.expression(value);
                }
                let returned = value.as_ref().map(|value| self.written(value));
                self.access(None, Effect::Return(returned));
            }
            StatementKind::MultisetAdd(value, multiset) => {
                self.expression(value);
                self.write(multiset, Effect::Add);
            }
            StatementKind::MultisetRemove(position, multiset) => {
                self.expression(position);
                self.write(multiset, Effect::Write(Written::Other));
            }
            StatementKind::MultisetRemoveIf(_, multiset, condition) => {
                self.expression(condition);
                self.write(multiset, Effect::Remove);
            }
        }
    }

    fn assign(&mut self, to: &'p Expression, from: &'p Expression) {
        let place = self.path(to);
        if let (ExpressionKind::Binary(operator, left, right), Some(_)) = (&from.kind, &place)
            && self.path(left) == place
        {
            let joined = match (operator, self.written(right)) {
                (Binary::Add, Written::Number(number)) if number >= 0 => Some(Effect::Up),
                (Binary::Subtract, Written::Number(number)) if number >= 0 => Some(Effect::Down),
                (Binary::Or, _) => Some(Effect::Or),
                (Binary::And, _) => Some(Effect::And),
                _ => None,
            };
            if let Some(effect) = joined {
                self.expression(right);
                self.write(to, effect);
                return;
            }
        }
        self.expression(from);
        let written = self.written(from);
        self.write(to, Effect::Write(written));
    }

    fn write(&mut self, place: &'p Expression, effect: Effect<'p>) {
        self.indices(place);
        let path = self.path(place);
        self.access(path, effect);
    }

    /// Returns the multiset that a condition tests for room.
    fn room(&self, condition: &'p Expression) -> Option<Path<'p>> {
        let ExpressionKind::Binary(Binary::Less | Binary::LessEqual, count, most) = &condition.kind else {
            return None;
        };
        let ExpressionKind::MultisetCount(_, multiset, every) = &count.kind else { return None };
        let all = matches!(every.kind, ExpressionKind::Boolean(true));
        let constant = matches!(most.kind, ExpressionKind::Integer(_));
        if all && constant { self.path(multiset) } else { None }
    }

    /// Returns the value that is written if this expression is assigned.
    fn written(&self, value: &'p Expression) -> Written<'p> {
        match &value.kind {
            ExpressionKind::Boolean(truth) => Written::Truth(*truth),
            ExpressionKind::Integer(number) => Written::Number(*number),
            ExpressionKind::Member(name) => Written::Member(name),
            ExpressionKind::Undefined => Written::Undefined,
            ExpressionKind::Variable(_) | ExpressionKind::Field(..) | ExpressionKind::Element(..) => {
                self.path(value).map_or(Written::Other, Written::Copy)
            }
            ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::Forall(..)
            | ExpressionKind::Exists(..)
            | ExpressionKind::Call(..)
            | ExpressionKind::IsUndefined(_)
            | ExpressionKind::IsMember(..)
            | ExpressionKind::MultisetCount(..) => Written::Other,
        }
    }

    /// Resolves the place that a designator refers to, or returns `None` if that depends on more than indices.
    fn path(&self, place: &'p Expression) -> Option<Path<'p>> {
        match place.place()? {
            Place::Variable(variable) => match self.meant.get(&variable) {
                Some(meant) => self.path(meant),
                None => Some(Path { root: variable, steps: Vec::new() }),
            },
            Place::Field(record, field) => Some(self.path(record)?.then(Step::Field(field))),
            Place::Element(array, index) => {
                let index = match self.path(index) {
                    Some(Path { root, steps }) if steps.is_empty() => Index::Variable(root),
                    Some(_) | None => Index::Other,
                };
                Some(self.path(array)?.then(Step::Element(index)))
            }
        }
    }

    /// Records what is read to find a place.
    fn indices(&mut self, place: &'p Expression) {
        match place.place() {
            Some(Place::Variable(_)) => {}
            Some(Place::Field(record, _)) => self.indices(record),
            Some(Place::Element(array, index)) => {
                self.indices(array);
                self.expression(index);
            }
            None => self.expression(place),
        }
    }

    fn bounds(&mut self, binder: &'p Binder) {
        if let Over::Numbers { from, to, step } = &binder.over {
            [from, to, step].into_iter().for_each(|bound| self.expression(bound));
        }
    }

    fn expression(&mut self, expression: &'p Expression) {
        match &expression.kind {
            ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Member(_)
            | ExpressionKind::Undefined => {}
            ExpressionKind::Variable(_) | ExpressionKind::Field(..) | ExpressionKind::Element(..) => {
                self.indices(expression);
                let path = self.path(expression);
                self.access(path, Effect::Read);
            }
            ExpressionKind::Unary(_, inner)
            | ExpressionKind::IsUndefined(inner)
            | ExpressionKind::IsMember(inner, _) => self.expression(inner),
            ExpressionKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.expression(part));
            }
            ExpressionKind::Forall(binder, body) | ExpressionKind::Exists(binder, body) => {
                self.bounds(binder);
                let since = self.log.len();
                self.access(None, Effect::Bind(binder.variable));
                self.expression(body);
                self.evaluations(since, binder, expression.span);
            }
            ExpressionKind::Call(function, arguments) => self.call(*function, arguments),
            ExpressionKind::MultisetCount(_, multiset, condition) => {
                self.expression(multiset);
                self.expression(condition);
            }
        }
    }

    /// Records a quantifier, which stops at the first element that decides it. So which of its condition's writes and
    /// assertions happen depends on that element.
    fn evaluations(&mut self, since: usize, binder: &Binder, span: Span) {
        let mut effects = self.log[since..].iter().map(|access| &access.effect);
        let cause = if effects.clone().any(Effect::writes) {
            Cause::Quantifier
        } else if effects.any(|effect| matches!(effect, Effect::Assertion | Effect::Assumption)) {
            Cause::Met
        } else {
            return;
        };
        let over = match &binder.over {
            Over::Type(over) => *over,
            Over::Numbers { .. } => self.program.variables[binder.variable.index()].ty,
        };
        self.order(over, cause, span);
    }

    /// Records a call; the function's accesses to its own variables do not matter to the caller.
    fn call(&mut self, id: FunctionId, arguments: &'p [Expression]) {
        let function = &self.program.functions[id.index()];
        for argument in arguments {
            self.expression(argument);
        }
        if self.calls.contains(&id) || self.steps > MOST_STEPS {
            // The recursive call may do anything here.
            self.access(None, Effect::Write(Written::Other));
            return;
        }
        self.steps += 1;
        let since = self.log.len();
        for (&parameter, argument) in function.parameters.iter().zip(arguments) {
            self.meant.insert(parameter, argument);
        }
        self.calls.push(id);
        self.statements(&function.body);
        self.calls.pop();
        let inner = self.log.split_off(since);
        self.log.extend(inner.into_iter().filter(|access| {
            let own = access.path.as_ref().is_some_and(|path| function.locals.contains(&path.root));
            !own && !matches!(access.effect, Effect::Return(_))
        }));
    }
}
