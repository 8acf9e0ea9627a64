//! `lint`: what was understood of a model.

use std::fmt::Write;

use murphi::exec::Machine;
use murphi::instance::{Instance, Limits, Outcome as Explored, Permuted};
use murphi::lower::Lowered;
use system::IndexTypeId;
use system::System;
use system::scope::{Scope, counted};

use crate::arguments::LintArguments;
use crate::interrupt;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::terminal;
use crate::watch::Watch;

pub(super) fn run(arguments: &LintArguments, watch: &Watch) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let model = Model::read(&arguments.model.path, &arguments.model.settings, watch)?;
    model.report(&model.warnings());
    let lowered = model.lower(watch)?;
    let text = if arguments.json {
        format!("{}\n", serde_json::to_string(&lowered.system)?)
    } else {
        let mut text = String::new();
        summary(&model, &lowered, &mut text)?;
        instance(&model, &mut text, watch)?;
        text
    };
    watch.finish();
    terminal::print(&text)?;
    Ok(Outcome::Good)
}

fn summary(model: &Model, lowered: &Lowered, text: &mut String) -> std::fmt::Result {
    let system = &lowered.system;
    let written = system.written_rules();
    match lowered.refused_properties.len() {
        0 => writeln!(text, "{}: lowered in full", model.name)?,
        refused => {
            let refused = counted(refused, "property", "properties");
            writeln!(text, "{}: lowered, but for {refused}", model.name)?;
        }
    }
    for (id, own) in (0..).map(IndexTypeId).zip(&system.index_types) {
        let least = system.least_size(id);
        let from = if least > 1 { format!(" from {least} on") } else { String::new() };
        let (name, line, size) = (&own.name, own.origin.line, own.size);
        writeln!(text, "index type {name} (line {line}): any number of elements{from}; {size} in the model")?;
    }
    let scope = Scope::of(system);
    writeln!(text, "claim: {}", scope.proven())?;
    for sentence in scope.kept().iter().chain(&scope.limits()) {
        writeln!(text, "  {sentence}")?;
    }
    writeln!(text, "{}:", counted(system.variables.len(), "state variable", "state variables"))?;
    for variable in &system.variables {
        writeln!(text, "  {} : {}", variable.name, values(system, variable.sort))?;
    }
    writeln!(text, "{}, {} with their cases:", counted(written, "rule", "rules"), system.rules.len())?;
    for rule in &system.rules {
        let case = if rule.case.is_empty() { String::new() } else { format!(" [{}]", rule.case) };
        let written = rule.updates.iter().map(|update| system.variables[update.variable.index()].name.as_str());
        let writes = written.collect::<Vec<_>>().join(", ");
        writeln!(text, "  {}{case} (line {}) writes {writes}", rule.name, rule.origin.line)?;
    }
    let startstates = counted(system.startstates.len(), "startstate", "startstates");
    writeln!(text, "{startstates}, {}:", counted(system.properties.len(), "property", "properties"))?;
    for property in &system.properties {
        let cubes = counted(property.bad.len(), "cube", "cubes");
        writeln!(text, "  {} (line {}), {cubes}", property.name, property.origin.line)?;
    }
    for note in &lowered.notes {
        writeln!(text, "note, line {}: {}", note.origin.line, note.kind)?;
    }
    if let Some(rule) = model.program.rules.iter().find(|rule| rule.priority != model.program.rules[0].priority) {
        let line = model.program.origin(rule.span).line;
        writeln!(
            text,
            "note, line {line}: priorities hold in an instance only: a proof lets every enabled rule fire, so that it holds \
             for any priorities"
        )?;
    }
    if !lowered.refused_properties.is_empty() {
        let (count, verb) = match lowered.refused_properties.len() {
            1 => ("1 property".to_owned(), "is"),
            several => (format!("{several} properties"), "are"),
        };
        writeln!(text, "{count} {verb} refused, see above")?;
    }
    Ok(())
}

/// So many states are explored at most for what never happens.
const MOST_STATES: u64 = 50_000;

/// What the instance shows: elements that stay undefined, rules that never fire, invariants that say nothing.
fn instance(model: &Model, text: &mut String, watch: &Watch) -> std::fmt::Result {
    const UNSEEN: &str = "rules that never fire and invariants that hold vacuously are not looked for";
    watch.doing("exploring the instance");
    let (program, invariants) = murphi::lint::with_premises(&model.program);
    let instance = match Instance::new(&program, &Permuted::scalarsets(&program)) {
        Ok(instance) => instance,
        Err(error) => return writeln!(text, "note: {UNSEEN}: {error}"),
    };
    let machine = instance.machine();
    undefined_elements(machine, text)?;
    let exploration =
        instance.explore(&Limits { max_states: MOST_STATES, ..Limits::default() }, true, &mut |_| watch.go_on());
    if !watch.go_on() {
        return writeln!(text, "note: {UNSEEN}: there was no time for it");
    }
    match exploration.outcome {
        Explored::Complete => {}
        Explored::Stopped(_) => {
            return writeln!(text, "note: {UNSEEN}: no more than {MOST_STATES} states are explored for that");
        }
        Explored::Violated { .. }
        | Explored::PropertyFault { .. }
        | Explored::RuleFault { .. }
        | Explored::StartFault { .. } => {
            return writeln!(text, "note: {UNSEEN}: the instance is violated or meets an error; see `simulate`");
        }
    }
    let line = |span| program.origin(span).line;
    let states = exploration.states();
    for (position, rule) in program.rules.iter().enumerate() {
        let mut instances = machine.rules().iter().zip(&exploration.fired).filter(|(entry, _)| entry.rule == position);
        if instances.all(|(_, &fired)| fired == 0) {
            let name = machine.rule_name(position);
            writeln!(text, "note, line {}: `{name}` never fires in the instance ({states} states)", line(rule.span))?;
        }
    }
    let first = model.program.properties.len();
    for (offset, &invariant) in invariants.iter().enumerate() {
        let position = first + offset;
        let mut premises =
            machine.properties().iter().zip(&exploration.covered).filter(|(entry, _)| entry.property == position);
        if premises.all(|(_, &covered)| !covered) {
            let (name, at) = (machine.property_name(invariant), line(program.properties[position].condition.span));
            writeln!(text, "note, line {at}: `{name}` holds vacuously: its premise is false in all {states} states")?;
        }
    }
    Ok(())
}

/// Elements that a startstate leaves undefined, of variables that it defines in part.
fn undefined_elements(machine: &Machine, text: &mut String) -> std::fmt::Result {
    let program = machine.program();
    let names = machine.layout().names(program, machine.values());
    let mut told = std::collections::BTreeSet::new();
    let mut scratch = machine.scratch();
    for (number, start) in machine.starts().iter().enumerate() {
        if machine.start(&mut scratch, number) != Ok(true) || !told.insert(start.start) {
            continue;
        }
        let code = |scalar: usize| machine.layout().code(scratch.state(), scalar);
        let scalars = machine.layout().scalars();
        let defined: std::collections::BTreeSet<_> =
            (0..scalars.len()).filter(|&scalar| code(scalar) != 0).map(|scalar| scalars[scalar].global).collect();
        let left = (0..scalars.len()).filter(|&scalar| code(scalar) == 0 && defined.contains(&scalars[scalar].global));
        let left: Vec<&str> = left.map(|scalar| names[scalar].as_str()).collect();
        if let Some(first) = left.first() {
            let more = if left.len() > 1 { format!(" and {} more", left.len() - 1) } else { String::new() };
            let line = program.origin(program.startstates[start.start].span).line;
            writeln!(text, "note, line {line}: this startstate leaves `{first}`{more} undefined")?;
        }
    }
    Ok(())
}

fn values(system: &System, sort: system::SortId) -> String {
    let sort = &system.sorts[sort.index()];
    let elements = sort.index_types.iter().map(|over| system.index_types[over.index()].name.as_str());
    let constants = sort.constants.iter().map(|constant| system.constants[constant.index()].name.as_str());
    elements.chain(constants).collect::<Vec<_>>().join(", ")
}
