//! Translates executions and explorations of an instance to the data types of front-ends, with names instead of
//! numbers.

use system::front_end::{
    Change, Deadlock, Error, Executed, Exploration, Failure, Outcome, RunError, Step, Trace, Unmet,
};

use super::undefined;
use crate::exec::{Fault, Machine};
use crate::instance::{self, Ending, Instance, Outcome as Explored, ReplayStep, Trace as Run};
use crate::lower::{Lowered, deadlock_span};
use crate::order;
use crate::program::{Program, Property, PropertyKind, Span, TypeId, TypeKind};

/// The types whose elements are not permuted since something depends on their order: the name of each, and the line where it
/// does.
pub(super) fn ordered(program: &Program, lowered: Option<&Lowered>) -> Vec<(String, u32)> {
    let ordered: Vec<(TypeId, u32)> = match lowered {
        Some(lowered) => lowered.ordered.iter().map(|(ty, origin)| (*ty, origin.line)).collect(),
        None => {
            let all = order::ordered(program).into_iter();
            let scalarset = |ty: TypeId| matches!(program.types[ty.index()].kind, TypeKind::Scalarset(_));
            all.filter(|(ty, _)| scalarset(*ty)).map(|(ty, (_, span))| (ty, program.origin(span).line)).collect()
        }
    };
    let name =
        |ty: TypeId| program.types[ty.index()].name.clone().unwrap_or_else(|| "a type without a name".to_owned());
    let mut named: Vec<(String, u32)> = ordered.into_iter().map(|(ty, line)| (name(ty), line)).collect();
    named.dedup();
    named
}

/// A trace with names.
pub(super) fn executed(instance: &Instance, run: &Run) -> Executed {
    let machine = instance.machine();
    let program = machine.program();
    let names = machine.layout().names(program, machine.values());
    let start = &machine.starts()[run.start];
    let mut steps = vec![Step {
        rule: machine.start_name(start.start),
        line: program.origin(program.startstates[start.start].span).line,
        parameters: start.parameters.iter().map(|parameter| machine.parameter_text(parameter)).collect(),
        changes: changes(machine, &names, None, &run.initial),
    }];
    let mut before = &run.initial;
    for step in &run.steps {
        steps.push(told_step(machine, &names, before, step.rule, &step.state));
        before = &step.state;
    }
    let error = instance.fault(run).filter(|fault| fault.assertion(program).is_none()).map(|fault| {
        let origin = program.origin(fault.span);
        let (line, column, rule) = (origin.line, origin.column, ended(machine, run.ending));
        let help = undefined::help(instance, run, &fault);
        Error { message: fault.kind.to_string(), line, column, rule, help }
    });
    let constants = program.constants.clone();
    let trace = Trace { constants, sizes: sizes(program), violates: violated(instance, run), error, steps };
    Executed { trace, is_wrong: run.ending != Ending::None }
}

/// A step that a rule instance makes from one state to another.
pub(super) fn told_step(machine: &Machine, names: &[String], before: &[u64], rule: usize, after: &[u64]) -> Step {
    let program = machine.program();
    let rule = &machine.rules()[rule];
    Step {
        rule: machine.rule_name(rule.rule),
        line: program.origin(program.rules[rule.rule].span).line,
        parameters: rule.parameters.iter().map(|parameter| machine.parameter_text(parameter)).collect(),
        changes: changes(machine, names, Some(before), after),
    }
}

/// What an exploration found.
pub(super) fn exploration(instance: &Instance, exploration: &instance::Exploration) -> Exploration {
    Exploration {
        outcome: outcome(instance, exploration),
        states: exploration.states(),
        rules_fired: exploration.rules_fired,
        depth: exploration.depth(),
        no_rule_enabled: exploration.deadlocks.none_enabled,
        no_rule_changes: exploration.deadlocks.none_changes,
        symmetry: exploration.symmetry,
        order_matters: exploration.ordered.map(|span| instance.machine().program().origin(span)),
        silent_rules: silent_rules(instance.machine(), exploration),
        unmet: unmet(instance, exploration),
    }
}

fn outcome(instance: &Instance, exploration: &instance::Exploration) -> Outcome {
    let machine = instance.machine();
    let program = machine.program();
    let property = |position: usize| machine.properties()[position].property;
    let mut in_invariant = false;
    let (rule, fault): (String, &Fault) = match &exploration.outcome {
        Explored::Complete => return Outcome::Complete,
        Explored::Stopped(limit) => return Outcome::Stopped(*limit),
        Explored::Violated { property: position, .. } => {
            let property = property(*position);
            return Outcome::Violated(Failure {
                property: machine.property_name(property),
                origin: program.origin(program.properties[property].span),
                message: None,
            });
        }
        Explored::Deadlock { .. } => {
            let origin = program.origin(deadlock_span(program));
            return Outcome::Violated(Failure { property: Deadlock::PROPERTY.to_owned(), origin, message: None });
        }
        Explored::PropertyFault { property: position, fault, .. } => {
            in_invariant = program.properties[property(*position)].kind == PropertyKind::Invariant;
            (machine.property_name(property(*position)), fault)
        }
        Explored::RuleFault { rule, fault, .. } => (machine.rule_name(machine.rules()[*rule].rule), fault),
        Explored::StartFault { start, fault, .. } => (machine.start_name(machine.starts()[*start].start), fault),
    };
    let (origin, message) = (program.origin(fault.span), fault.kind.to_string());
    match fault.assertion(program) {
        Some(property) => Outcome::Violated(Failure { property, origin, message: Some(message) }),
        None => {
            let run = instance.counterexample(exploration);
            let help = run.and_then(|run| undefined::help(instance, &run, fault));
            Outcome::Error(RunError { message, origin, rule, in_invariant, help })
        }
    }
}

fn silent_rules(machine: &Machine, exploration: &instance::Exploration) -> Vec<String> {
    let mut fired = vec![false; machine.program().rules.len()];
    for (rule, count) in machine.rules().iter().zip(&exploration.fired) {
        fired[rule.rule] |= *count > 0;
    }
    (0..fired.len()).filter(|&rule| !fired[rule]).map(|rule| machine.rule_name(rule)).collect()
}

/// What rumur's other kinds of properties come to.
fn unmet(instance: &Instance, exploration: &instance::Exploration) -> Unmet {
    let program = instance.machine().program();
    let called = |kind: &str, name: Option<&str>, span: Span| {
        let line = program.origin(span).line;
        let name = name.map(|name| format!(" \"{name}\"")).unwrap_or_default();
        format!("{kind}{name} (line {line})")
    };
    let of_property = |kind: &str, property: &Property| called(kind, property.name.as_deref(), property.span);
    let mut unmet = Unmet::default();
    // One in a ruleset is satisfied with any value, as in rumur; with symmetry, no other reading could be told.
    let entries = || instance.machine().properties().iter().zip(&exploration.covered);
    for (position, property) in program.properties.iter().enumerate() {
        let covered = entries().any(|(entry, &covered)| entry.property == position && covered);
        if property.kind == PropertyKind::Cover && !covered && exploration.outcome == Explored::Complete {
            unmet.never_covered.push(of_property("cover", property));
        }
    }
    for ((name, span), &covered) in program.cover_statements().into_iter().zip(&exploration.covered_statements) {
        if !covered && exploration.outcome == Explored::Complete {
            unmet.never_met.push(called("cover", name, span));
        }
    }
    let liveness = program.properties.iter().filter(|property| property.kind == PropertyKind::Liveness);
    unmet.not_checked.extend(liveness.map(|property| of_property("liveness", property)));
    unmet
}

/// The sizes of the named simple types that arrays are indexed by.
fn sizes(program: &Program) -> Vec<(String, u64)> {
    let indexed = |id: usize| {
        program.types.iter().any(|ty| matches!(ty.kind, TypeKind::Array { index, .. } if index.index() == id))
    };
    program
        .types
        .iter()
        .enumerate()
        .filter(|(id, _)| indexed(*id))
        .filter_map(|(_, ty)| {
            let size = match ty.kind {
                TypeKind::Scalarset(size) => size,
                TypeKind::Range(first, last) => last - first + 1,
                TypeKind::Boolean
                | TypeKind::Enum(_)
                | TypeKind::Union(_)
                | TypeKind::Record(_)
                | TypeKind::Array { .. }
                | TypeKind::Multiset { .. } => return None,
            };
            Some((ty.name.clone()?, u64::try_from(size).ok()?))
        })
        .collect()
}

/// The name of what is violated at the end: an assertion that fails there has the name that the property has which it is.
fn violated(instance: &Instance, run: &Run) -> String {
    let machine = instance.machine();
    if let Some(name) = instance.fault(run).and_then(|fault| fault.assertion(machine.program())) {
        return name;
    }
    match run.ending {
        Ending::Property(_) | Ending::Deadlock | Ending::None => ended(machine, run.ending),
        Ending::Rule(_) | Ending::Start(_) => format!("an error in '{}'", ended(machine, run.ending)),
    }
}

/// The name of what an execution ends in.
fn ended(machine: &Machine, ending: Ending) -> String {
    match ending {
        Ending::Property(property) => machine.property_name(machine.properties()[property].property),
        Ending::Rule(rule) => machine.rule_name(machine.rules()[rule].rule),
        Ending::Start(start) => machine.start_name(machine.starts()[start].start),
        Ending::Deadlock => Deadlock::PROPERTY.to_owned(),
        Ending::None => String::new(),
    }
}

fn changes(machine: &Machine, names: &[String], before: Option<&[u64]>, after: &[u64]) -> Vec<Change> {
    names
        .iter()
        .enumerate()
        .filter_map(|(scalar, name)| {
            let now = machine.scalar_text(after, scalar);
            let old = before.map(|state| machine.scalar_text(state, scalar)).unwrap_or_default();
            if before.is_some() && old == now {
                return None;
            }
            Some(Change { variable: name.clone(), elements: elements(name), before: old, after: now })
        })
        .collect()
}

/// The indices in the name of a scalar.
fn elements(name: &str) -> Vec<String> {
    name.split('[').skip(1).filter_map(|part| part.split(']').next()).map(str::to_owned).collect()
}

/// The steps of a told trace, to be executed again.
pub(super) fn steps(trace: &Trace) -> Vec<ReplayStep> {
    trace
        .steps
        .iter()
        .enumerate()
        .map(|(position, step)| {
            let all = if position == 0 { step.changes.as_slice() } else { &[] };
            let initial = all.iter().map(|change| (change.variable.clone(), change.after.clone())).collect();
            ReplayStep { rule: step.rule.clone(), line: step.line, parameters: step.parameters.clone(), initial }
        })
        .collect()
}
