//! What an instance shows about a model beside violations: elements that stay undefined, rules that never fire,
//! invariants that say nothing.

use std::collections::BTreeSet;

use system::front_end::Note;

use super::with_premises;
use crate::exec::Machine;
use crate::instance::{Instance, Limits, Outcome, Permuted};
use crate::program::{Program, Span};

/// So many states are explored at most.
const MOST_STATES: u64 = 50_000;

/// What the instance of the model shows.
#[must_use]
pub fn observations(program: &Program, go_on: &dyn Fn() -> bool) -> Vec<Note> {
    let (extended, invariants) = with_premises(program);
    let instance = match Instance::new(&extended, &Permuted::scalarsets(&extended)) {
        Ok(instance) => instance,
        Err(error) => return vec![unseen(&error.to_string())],
    };
    let machine = instance.machine();
    let mut notes = undefined_elements(machine);
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    let exploration = instance.explore(&limits, true, &mut |_| go_on());
    if !go_on() {
        notes.push(unseen("there was no time for it"));
        return notes;
    }
    match exploration.outcome {
        Outcome::Complete => {}
        Outcome::Stopped(_) => {
            notes.push(unseen(&format!("no more than {MOST_STATES} states are explored for that")));
            return notes;
        }
        Outcome::Violated { .. }
        | Outcome::PropertyFault { .. }
        | Outcome::Deadlock { .. }
        | Outcome::RuleFault { .. }
        | Outcome::StartFault { .. } => {
            notes.push(unseen("the instance is violated or meets an error; see `simulate`"));
            return notes;
        }
    }
    let states = exploration.states();
    for (position, rule) in extended.rules.iter().enumerate() {
        let mut instances = machine.rules().iter().zip(&exploration.fired).filter(|(entry, _)| entry.rule == position);
        if instances.all(|(_, &fired)| fired == 0) {
            let name = machine.rule_name(position);
            let text = format!("`{name}` never fires in the instance ({states} states)");
            notes.push(at(&extended, rule.span, text));
        }
    }
    let first = program.properties.len();
    for (offset, &invariant) in invariants.iter().enumerate() {
        let position = first + offset;
        let mut premises =
            machine.properties().iter().zip(&exploration.covered).filter(|(entry, _)| entry.property == position);
        if premises.all(|(_, &covered)| !covered) {
            let name = machine.property_name(invariant);
            let text = format!("`{name}` holds vacuously: its premise is false in all {states} states");
            notes.push(at(&extended, extended.properties[position].condition.span, text));
        }
    }
    notes
}

/// Elements that a startstate leaves undefined, of variables that it defines in part.
fn undefined_elements(machine: &Machine) -> Vec<Note> {
    let program = machine.program();
    let names = machine.layout().names(program, machine.values());
    let mut told = BTreeSet::new();
    let mut scratch = machine.scratch();
    let mut notes = Vec::new();
    for (number, start) in machine.starts().iter().enumerate() {
        if machine.start(&mut scratch, number) != Ok(true) || !told.insert(start.start) {
            continue;
        }
        let code = |scalar: usize| machine.layout().code(scratch.state(), scalar);
        let scalars = machine.layout().scalars();
        let defined: BTreeSet<_> =
            (0..scalars.len()).filter(|&scalar| code(scalar) != 0).map(|scalar| scalars[scalar].global).collect();
        let left = (0..scalars.len()).filter(|&scalar| code(scalar) == 0 && defined.contains(&scalars[scalar].global));
        let left: Vec<&str> = left.map(|scalar| names[scalar].as_str()).collect();
        if let Some(first) = left.first() {
            let more = if left.len() > 1 { format!(" and {} more", left.len() - 1) } else { String::new() };
            let text = format!("this startstate leaves `{first}`{more} undefined");
            notes.push(at(program, program.startstates[start.start].span, text));
        }
    }
    notes
}

fn at(program: &Program, span: Span, text: String) -> Note {
    Note { origin: Some(program.origin(span)), text }
}

/// That most was not looked for.
fn unseen(why: &str) -> Note {
    let what = "rules that never fire and invariants that hold vacuously are not looked for";
    Note { origin: None, text: format!("{what}: {why}") }
}
