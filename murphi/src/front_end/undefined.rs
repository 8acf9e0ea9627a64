//! What to do about an undefined value that is read because the initial state has none there.

use crate::elaborate::parameters_as_indices;
use crate::exec::{Fault, FaultKind, Machine};
use crate::instance::{Ending, Instance, Trace as Run};
use crate::program::uses::Uses;
use crate::program::walk::each_statement;
use crate::program::{Binary, Expression, ExpressionKind, Program, Span, StatementKind, VarId};

/// Names what the startstate of a run leaves undefined, and says what to write, if that is why the run ends in an error.
pub(super) fn help(instance: &Instance, run: &Run, fault: &Fault) -> Option<String> {
    if fault.kind != FaultKind::Undefined {
        return None;
    }
    let of_start = of_startstate(instance, run, fault);
    if !is_compared(instance.machine().program(), fault.span) {
        return of_start;
    }
    let option =
        "with `--undefined unequal`, an undefined value is unequal to every value, and comparing it is no error";
    Some(of_start.map_or_else(|| option.to_owned(), |help| format!("{help}; {option}")))
}

/// Returns whether what is read at a place is compared with `=` or `!=`, or a `switch` or `ismember` asks for it.
fn is_compared(program: &Program, span: Span) -> bool {
    let is_it = |value: &Expression| value.span == span && value.root().is_some();
    let mut compared = false;
    program.each_expression(&mut |expression| {
        if let ExpressionKind::Binary(Binary::Equal | Binary::Unequal, left, right) = &expression.kind {
            compared |= is_it(left) || is_it(right);
        } else if let ExpressionKind::IsMember(value, _) = &expression.kind {
            compared |= is_it(value);
        }
    });
    let bodies = program.rules.iter().map(|rule| &rule.body);
    let bodies = bodies.chain(program.startstates.iter().map(|start| &start.body));
    for body in bodies.chain(program.functions.iter().map(|function| &function.body)) {
        each_statement(body, &mut |statement| {
            if let StatementKind::Switch(value, ..) = &statement.kind {
                compared |= is_it(value);
            }
        });
    }
    compared
}

/// Names what the startstate leaves undefined.
fn of_startstate(instance: &Instance, run: &Run, fault: &Fault) -> Option<String> {
    let machine = instance.machine();
    let program = machine.program();
    let uses = Uses::of(program);
    let global = read_at(program, &uses, fault.span)?;
    let name = &program.variables[global.index()].name;
    let start = &machine.starts()[run.start];
    let startstate = &program.startstates[start.start];
    let line = program.origin(startstate.span).line;
    let called = format!("the startstate '{}' (line {line})", machine.start_name(start.start));
    if !uses.written.contains(&global) {
        let any = format!("to let it have any value, use `--arbitrary {name}`");
        return Some(format!(
            "nothing writes `{name}`: set it in {called}; {any}, or say in an `assume` what is known of it"
        ));
    }
    let left = left_undefined(machine, run, global);
    let first = left.first().filter(|_| !matches!(run.ending, Ending::Start(_)))?;
    let more = if left.len() > 1 { format!(" and {} more parts of it", left.len() - 1) } else { String::new() };
    let parameters = parameters_as_indices(startstate);
    let names: Vec<String> =
        parameters.iter().map(|parameter| format!("`{}`", program.variables[parameter.index()].name)).collect();
    let what = match names.as_slice() {
        [] => "set all of it there".to_owned(),
        [one] => format!("each value of {one} gives an initial state of its own; {LOOP}"),
        several => format!("each choice of {} gives an initial state of its own; {LOOP}", several.join(", ")),
    };
    Some(format!("{called} leaves `{first}`{more} undefined: {what}"))
}

const LOOP: &str = "write loops inside the startstate instead, as `paraproof lint --fix` does";

/// The state variable that is read at a place.
fn read_at(program: &Program, uses: &Uses, span: Span) -> Option<VarId> {
    let mut found = None;
    program.each_expression(&mut |expression| {
        if expression.span == span
            && let Some(root) = expression.root()
        {
            found = Some(uses.original(root));
        }
    });
    found.filter(|variable| program.globals.contains(variable))
}

/// The parts of a state variable that have no value from the start of a run to its end.
fn left_undefined(machine: &Machine, run: &Run, global: VarId) -> Vec<String> {
    let names = machine.layout().names(machine.program(), machine.values());
    let is_undefined = |state: &[u64], at: usize| machine.layout().code(state, at) == 0;
    let scalars = machine.layout().scalars().iter().zip(names).enumerate();
    scalars
        .filter(|(at, (scalar, _))| {
            scalar.global == global && is_undefined(&run.initial, *at) && is_undefined(run.last(), *at)
        })
        .map(|(_, (_, name))| name)
        .collect()
}
