//! Lowers rules and startstates.
//!
//! A Murphi rule becomes one rule of the system for each value of its finite parameters and for each case of the
//! machine. Each has one guard without `exists` and one simultaneous update. The failures of assertions are returned as
//! well: those of a body are reached if the guard holds, those that the guard itself evaluates in every state, and
//! those of a startstate before any state exists.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::alternations::{alternates, narrowed};
use super::finish::Scope;
use super::logic::{Facts, and, not, or, simplify, simplify_value};
use super::model::Model;
use super::monitors::Violation;
use super::normal::{BelowForall, GuardCase, guards};
use super::pairs::with_pairs;
use super::places::{free_value, undefined_value};
use super::reason::{Reason, Refusal};
use super::statements::{Assertion, Binding, Execution, Range};
use super::symbolic::{Obligation, Script, Store, SymbolicMachine};
use super::universe::{Splitting, Universe, position};
use crate::program::walk::Place;
use crate::program::{self, Around, ExpressionKind, Span, StatementKind, VarId};
use system::{
    ConstantId, Formula, IndexTypeId, IndexVariableId, Origin, Role, Rule, Startstate, Term, Transition, Value,
    VariableId,
};

/// The largest number of cases that one Murphi rule may expand to.
const MOST_CASES: usize = 4096;

/// The largest number of cases before branches become cases of their own.
const MOST_PLAIN_CASES: usize = 64;

/// The rules that a Murphi rule becomes, and the failures of its assertions.
pub(super) struct LoweredRule {
    pub(super) rules: Vec<Rule>,
    pub(super) assertions: Vec<FailedAssertion>,
}

/// The states in which evaluating a part of the model leads to a failed assertion.
#[derive(PartialEq)]
pub(super) struct FailedAssertion {
    pub(super) assertion: Assertion,
    pub(super) states: Violation,
    /// Whether a startstate reaches it. The formula then reads no state variable.
    pub(super) at_start: bool,
    /// Whether only the guard of the rule has an `exists` below a `forall`.
    pub(super) guard_alternates: bool,
}

/// Lowers a rule.
pub(super) fn lower_rule(
    model: &Model<'_>,
    universe: &mut Universe,
    rule: &program::Rule,
    source: usize,
) -> Result<LoweredRule, Refusal> {
    let mut lowered = LoweredRule { rules: Vec::new(), assertions: Vec::new() };
    let of_guard = Cell::new(0);
    let name = rule.name.clone().unwrap_or_else(|| format!("rule at line {}", model.program.origin(rule.span).line));
    each_case(
        model,
        universe,
        rule.span,
        Start::Unchanged,
        &mut |exec| {
            around(exec, &rule.around, None)?;
            let known = exec.machine.universe.scope.len();
            let guard = exec.condition(&rule.guard)?;
            // Which element a loop chooses is not known, so neither is whether the guard holds.
            if exec.machine.universe.scope[known..].iter().any(|variable| variable.role == Role::Choice) {
                exec.machine.universe.either.get_or_insert(rule.guard.span);
            }
            of_guard.set(exec.machine.obligations.len());
            if !exec.machine.store.keys().all(|cell| exec.machine.is_placeholder(*cell)) {
                return Err(Refusal { reason: Reason::GuardWrites, span: rule.guard.span });
            }
            exec.machine.given(&guard);
            if guard != Formula::False && !exec.machine.facts.is_contradictory() {
                exec.body(&rule.locals, &rule.body)?;
            }
            Ok(guard)
        },
        &mut |universe, end| {
            end.failures(universe, of_guard.get(), &mut lowered.assertions);
            let whole = and([end.assumed(), not(or(end.errors.clone()))]);
            let whole = with_pairs(universe, &simplify(universe, &mut Facts::default(), &whole));
            let whole = if alternates(&whole) { narrowed(universe, &whole) } else { whole };
            let cases = guards(universe, &whole, BelowForall::Kept)
                .map_err(|reason| Refusal { reason, span: rule.guard.span })?;
            for (number, GuardCase { witnesses, guard }) in cases.iter().enumerate() {
                let mut label = end.labels.clone();
                if cases.len() > 1 {
                    label.push(format!("disjunct {}", number + 1));
                }
                let parameters = [end.parameters.clone(), witnesses.clone()].concat();
                let mut updates = rule_updates(universe, guard, &end.store, &end.formals);
                universe.note_results(&updates);
                updates.extend(end.choices.iter().map(|choice| (*choice, Vec::new(), Value::Arbitrary)));
                let repeats = repeats_of(universe, &updates);
                updates.extend(repeats);
                updates.sort_by_key(|(variable, ..)| *variable);
                let named = (name.as_str(), model.program.origin(rule.span));
                let transition = transition(universe, named, &parameters, guard, &updates)
                    .map_err(|reason| Refusal { reason, span: rule.span })?;
                lowered.rules.push(Rule { transition, case: label.join(", "), source: position(source) });
            }
            Ok(())
        },
    )?;
    Ok(lowered)
}

/// The startstates that a Murphi startstate becomes, and the failures of its assertions.
pub(super) struct LoweredStartstate {
    pub(super) startstates: Vec<Startstate>,
    pub(super) assertions: Vec<FailedAssertion>,
}

/// Lowers a startstate.
pub(super) fn lower_startstate(
    model: &Model<'_>,
    universe: &mut Universe,
    startstate: &program::Startstate,
) -> Result<LoweredStartstate, Refusal> {
    if let Some(refusal) = reads_any(model.program, startstate) {
        return Err(refusal);
    }
    let mut startstates = Vec::new();
    let mut assertions = Vec::new();
    let line = model.program.origin(startstate.span).line;
    let name = startstate.name.clone().unwrap_or_else(|| format!("startstate at line {line}"));
    each_case(
        model,
        universe,
        startstate.span,
        Start::Undefined,
        &mut |exec| {
            around(exec, &startstate.around, Some(startstate))?;
            exec.body(&startstate.locals, &startstate.body)?;
            Ok(Formula::True)
        },
        &mut |universe, end| {
            end.failures(universe, end.met(), &mut assertions);
            let whole = and([end.assumed(), not(or(end.errors.clone()))]);
            let whole = with_pairs(universe, &simplify(universe, &mut Facts::default(), &whole));
            let cases = guards(universe, &whole, BelowForall::Refused)
                .map_err(|reason| Refusal { reason, span: startstate.span })?;
            for GuardCase { witnesses, guard } in &cases {
                let parameters = [end.parameters.clone(), witnesses.clone()].concat();
                let mut facts = Facts::default().with(universe, guard, true);
                let updates: Vec<_> = end
                    .store
                    .iter()
                    .filter(|(cell, _)| cell.index() < universe.state_variables && !universe.is_parameter(**cell))
                    .map(|(&cell, value)| {
                        let formals = end.formals[&cell].clone();
                        (cell, formals, simplify_value(universe, &mut facts, value))
                    })
                    .collect();
                universe.note_results(&updates);
                let named = (name.as_str(), model.program.origin(startstate.span));
                let transition = transition(universe, named, &parameters, guard, &updates)
                    .map_err(|reason| Refusal { reason, span: startstate.span })?;
                startstates.push(Startstate { transition });
            }
            Ok(())
        },
    )?;
    for failure in &mut assertions {
        failure.at_start = true;
    }
    Ok(LoweredStartstate { startstates, assertions })
}

/// Refuses a startstate that reads a variable with any value: in the system, it has no state to read it from. A copy may have
/// any value, too, if the startstate does not read it either.
fn reads_any(program: &program::Program, startstate: &program::Startstate) -> Option<Refusal> {
    let (mut assigned, mut copied, mut copies) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for statement in &startstate.body {
        statement.each(&mut |statement| {
            let StatementKind::Assign(to, from) = &statement.kind else { return };
            let (Some((to, at)), from) = (root(to), root(from)) else { return };
            assigned.insert(at);
            if let Some((_, at)) = from.filter(|(from, _)| program.arbitrary.contains(from)) {
                copied.insert(at);
                copies.insert(to);
            }
        });
    }
    let mut found = None;
    program.each_evaluated_at_start(startstate, &mut |expression| {
        let ExpressionKind::Variable(variable) = expression.kind else { return };
        let at = expression.span;
        let reads = program.arbitrary.contains(&variable) && !copied.contains(&at);
        let reads_copy = copies.contains(&variable) && !assigned.contains(&at);
        if found.is_none() && (reads || reads_copy) {
            let variable = program.variables[variable.index()].name.clone();
            found = Some(Refusal { reason: Reason::StartReadsAny { variable }, span: at });
        }
    });
    found
}

/// The variable of a place, and where it is written.
fn root(place: &program::Expression) -> Option<(VarId, Span)> {
    match place.place()? {
        Place::Variable(variable) => Some((variable, place.span)),
        Place::Field(inner, _) | Place::Element(inner, _) => root(inner),
    }
}

/// Returns the values of the cells before the body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Unchanged,
    Undefined,
}

/// The end of a run.
pub(super) struct End {
    /// The condition that the run determined.
    pub(super) guard: Formula,
    pub(super) assumptions: Vec<Formula>,
    errors: Vec<Formula>,
    obligations: Vec<Obligation<Assertion>>,
    store: Store,
    formals: std::collections::BTreeMap<VariableId, Vec<IndexVariableId>>,
    pub(super) parameters: Vec<IndexVariableId>,
    labels: Vec<String>,
    choices: BTreeSet<VariableId>,
}

impl End {
    /// Returns the number of assertions that the run has reached.
    pub(super) fn met(&self) -> usize {
        self.obligations.len()
    }

    /// Adds the failures of the assertions that the run has reached. The first ones were reached before the guard had a
    /// value: they do not depend on whether it holds, and other runs reach them, too.
    pub(super) fn failures(&self, universe: &mut Universe, unguarded: usize, failures: &mut Vec<FailedAssertion>) {
        let alternates_in_guard =
            self.guard.has_quantifier() && alternates(&simplify(universe, &mut Facts::default(), &self.guard));
        for (at, obligation) in self.obligations.iter().enumerate() {
            let guard = if at < unguarded { Formula::True } else { self.guard.clone() };
            let assumptions = and(self.assumptions[..obligation.assumptions].iter().cloned());
            let states = Violation {
                scope: universe.scope[..obligation.variables].to_vec(),
                free: self.parameters.iter().copied().filter(|v| v.index() < obligation.variables).collect(),
                bad: and([guard, assumptions, obligation.bad.clone()]),
            };
            let assertion = obligation.source.clone();
            let guard_alternates = at >= unguarded
                && alternates_in_guard
                && !alternates(&simplify(universe, &mut Facts::default(), &obligation.bad));
            let failure = FailedAssertion { assertion, states, at_start: false, guard_alternates };
            if !failures.contains(&failure) {
                failures.push(failure);
            }
        }
    }

    /// Returns the guard together with the assumptions.
    fn assumed(&self) -> Formula {
        and([self.guard.clone(), and(self.assumptions.iter().cloned())])
    }
}

/// Runs a body once for each combination of its choices.
pub(super) fn each_case(
    model: &Model<'_>,
    universe: &mut Universe,
    span: program::Span,
    start: Start,
    run: &mut impl FnMut(&mut Execution<'_, '_>) -> Result<Formula, Refusal>,
    end: &mut impl FnMut(&mut Universe, End) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut script = Some(Script::default());
    let mut number = 0;
    let known = universe.splits.len();
    while let Some(now) = script {
        number += 1;
        let most = if universe.splitting == Splitting::None { MOST_PLAIN_CASES } else { MOST_CASES };
        if number > most {
            return Err(Refusal { reason: Reason::TooManyWays { cases: number }, span });
        }
        universe.scope.clear();
        universe.cells.truncate(universe.state_variables);
        let mut machine = SymbolicMachine::new(universe, now);
        machine.universe.reads_nothing = start == Start::Undefined;
        if start == Start::Undefined {
            machine.all_undefined();
        }
        let mut exec = Execution::new(machine, model);
        let guard = run(&mut exec)?;
        let mut machine = exec.machine;
        let kept = machine.keep_numbers();
        let given_up = Refusal { reason: Reason::TooMuchWork, span };
        if machine.universe.is_exhausted() {
            return Err(given_up);
        }
        if machine.universe.splitting == Splitting::Some && machine.universe.splits.len() > known {
            return Err(Refusal { reason: Reason::TooManyWays { cases: number }, span });
        }
        kept.map_err(|reason| Refusal { reason, span })?;
        let cells: Vec<VariableId> = machine.store.keys().copied().collect();
        let formals = cells.into_iter().map(|cell| (cell, machine.formals(cell))).collect();
        let finished = End {
            guard,
            assumptions: machine.assumptions.clone(),
            errors: machine.errors.clone(),
            obligations: machine.obligations.clone(),
            store: machine.store.clone(),
            formals,
            parameters: parameters_in(machine.universe),
            labels: machine.labels.clone(),
            choices: machine.choices.clone(),
        };
        script = machine.script.clone().advance();
        drop(machine);
        end(universe, finished)?;
        if universe.is_exhausted() {
            return Err(given_up);
        }
    }
    Ok(())
}

/// Returns the variables of the scope that are not bound.
fn parameters_in(universe: &Universe) -> Vec<IndexVariableId> {
    (0..universe.scope.len())
        .filter(|&at| universe.scope[at].role != Role::Bound)
        .map(|at| IndexVariableId(position(at)))
        .collect()
}

/// Enters the parameters and aliases around a rule; the values of finite parameters are choices of the run.
pub(super) fn around(
    exec: &mut Execution<'_, '_>,
    parts: &[Around],
    startstate: Option<&program::Startstate>,
) -> Result<(), Refusal> {
    for part in parts {
        match part {
            Around::Alias(variable, value) => {
                let binding = exec.alias(value)?;
                exec.environment.insert(*variable, binding);
            }
            Around::Choose(variable, multiset) => exec.choose(*variable, multiset)?,
            Around::Parameter(binder) => {
                let home = startstate.and_then(|s| exec.model.home_parameter(s, binder.variable));
                let value = match home {
                    Some(named) => Value::Term(Term::Index(named)),
                    None => parameter(exec, binder)?,
                };
                exec.environment.insert(binder.variable, Binding::Value(value));
            }
        }
    }
    Ok(())
}

fn parameter(exec: &mut Execution<'_, '_>, binder: &program::Binder) -> Result<Value, Refusal> {
    if let Some(&choice) = exec.model.choices.get(&binder.variable)
        && !exec.machine.universe.reads_nothing
    {
        return Ok(exec.machine.choice(choice));
    }
    enum Way {
        Element(IndexTypeId),
        Constant(Formula, ConstantId),
    }
    let name = exec.model.program.variables[binder.variable.index()].name.clone();
    let mut ways = Vec::new();
    for range in exec.ranges(binder)? {
        match range {
            Range::Index(index_type) => ways.push(Way::Element(index_type)),
            Range::Cases(cases) => ways.extend(cases.into_iter().map(|(when, c)| Way::Constant(when, c))),
        }
    }
    let count = ways.len();
    let way = exec.machine.fork(count);
    Ok(match ways.into_iter().nth(way) {
        None => {
            // A range without values has no rules.
            exec.machine.assume(Formula::False);
            Value::Arbitrary
        }
        Some(Way::Element(index_type)) => {
            let variable = exec.machine.universe.index_variable(&name, index_type, Role::Parameter);
            if count > 1 {
                let over = &exec.machine.universe.index_types[index_type.index()].name;
                exec.machine.labels.push(format!("{name} of {over}"));
            }
            Value::Term(Term::Index(system::IndexTerm::Variable(variable)))
        }
        Some(Way::Constant(when, constant)) => {
            exec.machine.assume(when);
            let value = &exec.machine.universe.constants[constant.index()].name;
            exec.machine.labels.push(format!("{name}={value}"));
            Value::Term(Term::Constant(constant))
        }
    })
}

/// Returns the updates of the state variables that repeat those that are updated: axioms say what their values are.
fn repeats_of(universe: &mut Universe, updates: &[(VariableId, Vec<IndexVariableId>, Value)]) -> Vec<Written> {
    let is_updated = |of: &VariableId| updates.iter().any(|(variable, ..)| variable == of);
    let repeats: Vec<VariableId> =
        universe.repeats.iter().filter(|((of, ..), _)| is_updated(of)).map(|(_, repeat)| *repeat).collect();
    let update = |repeat: VariableId| {
        let types = universe.cells[repeat.index()].arguments.clone();
        let formals = types.into_iter().map(|over| universe.index_variable("", over, Role::Bound)).collect();
        (repeat, formals, Value::Arbitrary)
    };
    repeats.into_iter().map(update).collect()
}

/// An update of a state variable over its arguments.
type Written = (VariableId, Vec<IndexVariableId>, Value);

/// Returns the updates that change something.
fn rule_updates(
    universe: &Universe,
    guard: &Formula,
    store: &Store,
    formals: &std::collections::BTreeMap<VariableId, Vec<IndexVariableId>>,
) -> Vec<(VariableId, Vec<IndexVariableId>, Value)> {
    let mut facts = Facts::default().with(universe, guard, true);
    let mut updates = Vec::new();
    for (&cell, value) in store {
        if cell.index() >= universe.state_variables {
            continue;
        }
        let formals = formals[&cell].clone();
        let value = simplify_value(universe, &mut facts, value);
        let arguments = formals.iter().map(|&f| system::IndexTerm::Variable(f)).collect();
        if value != Value::Term(Term::Read(cell, arguments)) {
            updates.push((cell, formals, value));
        }
    }
    updates
}

/// Gives guard and updates a scope of their own: the parameters first.
pub(super) fn transition(
    universe: &Universe,
    (name, origin): (&str, Origin),
    parameters: &[IndexVariableId],
    guard: &Formula,
    updates: &[(VariableId, Vec<IndexVariableId>, Value)],
) -> Result<Transition, Reason> {
    let mut scope = Scope::new(universe, parameters, guard, updates);
    let parameters = scope.len();
    let guard = scope.formula(guard);
    let updates = updates.iter().map(|(variable, formals, value)| scope.update(*variable, formals, value)).collect();
    Ok(Transition { name: name.to_owned(), scope: scope.into_variables()?, parameters, guard, updates, origin })
}

impl<O: Clone> SymbolicMachine<'_, O> {
    /// Returns the state before a startstate, in which everything is undefined and every multiset is empty.
    fn all_undefined(&mut self) {
        for at in 0..self.universe.state_variables {
            let cell = VariableId(position(at));
            let free = free_value(self.universe, cell);
            let repeats = self.universe.repeated_by(cell) != cell;
            let undefined = || undefined_value(self.universe, self.sort_id(cell));
            let value = free.unwrap_or_else(|| if repeats { Value::Arbitrary } else { undefined() });
            self.store.insert(cell, value);
        }
    }
}
