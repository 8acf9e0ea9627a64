//! `lint`: what was understood of a model.

use std::fmt::Write;

use system::front_end::{Lowered, Note};
use system::notation::Notation;
use system::scope::{Scope, counted};
use system::{IndexTypeId, System};

use crate::arguments::LintArguments;
use crate::files;
use crate::interrupt;
use crate::limits::Watchdog;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::terminal;

pub(super) fn run(arguments: &LintArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let model = Model::read(&arguments.model.path, &arguments.model.settings, watch)?;
    if arguments.fix {
        return fix(&model, arguments, watch);
    }
    let warnings = model.front_end.warnings();
    model.report(&warnings);
    let lowered = model.lower(watch)?;
    if arguments.json {
        let mut object = serde_json::to_value(lowered.system)?;
        object["warnings"] = model.as_json(&warnings).into();
        watch.finish();
        terminal::print_object(object)?;
        return Ok(Outcome::Good);
    }
    let mut text = String::new();
    summary(&model, &lowered, &mut text)?;
    watch.doing("exploring the instance");
    notes(&model.front_end.observations(&|| watch.go_on()), &mut text)?;
    watch.finish();
    terminal::print(&text)?;
    Ok(Outcome::Good)
}

/// Writes the model with all changes that warnings propose. The file of the model itself is not touched unless it is named.
fn fix(model: &Model, arguments: &LintArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    let (text, changes) = model.fixed(&arguments.model.path, &arguments.model.settings, watch)?;
    watch.finish();
    match &arguments.out {
        Some(path) => files::write_file(path, text.as_bytes())?,
        None => terminal::print(&text)?,
    }
    terminal::note(&format!("{}: {} made", model.name, counted(changes, "change", "changes")));
    Ok(Outcome::Good)
}

fn summary(model: &Model, lowered: &Lowered<'_>, text: &mut String) -> std::fmt::Result {
    let system = lowered.system;
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
    let notation = Notation::new(system);
    for property in &system.properties {
        let cubes = counted(property.bad.len(), "cube", "cubes");
        writeln!(text, "  {} (line {}), {cubes}", property.name, property.origin.line)?;
        // What a cube with a universal part says is not seen in the model.
        for cube in property.bad.iter().filter(|cube| !cube.universals.is_empty()) {
            writeln!(text, "    bad: {}", notation.bad_states(cube, &notation.names(&cube.variables)))?;
        }
    }
    notes(&lowered.notes, text)?;
    if !lowered.refused_properties.is_empty() {
        let (count, verb) = match lowered.refused_properties.len() {
            1 => ("1 property".to_owned(), "is"),
            several => (format!("{several} properties"), "are"),
        };
        writeln!(text, "{count} {verb} refused, see above")?;
    }
    Ok(())
}

fn notes(notes: &[Note], text: &mut String) -> std::fmt::Result {
    for note in notes {
        match &note.origin {
            Some(origin) => writeln!(text, "note, line {}: {}", origin.line, note.text)?,
            None => writeln!(text, "note: {}", note.text)?,
        }
    }
    Ok(())
}

fn values(system: &System, sort: system::SortId) -> String {
    let sort = &system.sorts[sort.index()];
    if sort.numbers.is_some() {
        return "any number".to_owned();
    }
    let elements = sort.index_types.iter().map(|over| system.index_types[over.index()].name.as_str());
    let constants = sort.constants.iter().map(|constant| system.constants[constant.index()].name.as_str());
    elements.chain(constants).collect::<Vec<_>>().join(", ")
}
