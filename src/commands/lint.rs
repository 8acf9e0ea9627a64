//! `lint`: what was understood of a model.

use std::fmt::Write;

use protocol::System;
use protocol::lower::Lowered;

use crate::arguments::LintArguments;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::terminal;

pub(super) fn run(arguments: &LintArguments) -> anyhow::Result<Outcome> {
    let model = Model::read(&arguments.model.path, &arguments.model.settings)?;
    let lowered = model.lower()?;
    let text = if arguments.json {
        format!("{}\n", serde_json::to_string(&lowered.system)?)
    } else {
        let mut text = String::new();
        summary(&model, &lowered, &mut text)?;
        text
    };
    terminal::print(&text)?;
    Ok(Outcome::Good)
}

fn summary(model: &Model, lowered: &Lowered, text: &mut String) -> std::fmt::Result {
    let system = &lowered.system;
    let written = system.rules.iter().map(|rule| rule.source).collect::<std::collections::BTreeSet<_>>().len();
    writeln!(text, "{}: lowered in full", model.name)?;
    for index_type in &system.index_types {
        writeln!(
            text,
            "index type {} (line {}): any number of elements; {} in the model",
            index_type.name, index_type.origin.line, index_type.size
        )?;
    }
    writeln!(text, "{} state variables:", system.variables.len())?;
    for variable in &system.variables {
        writeln!(text, "  {} : {}", variable.name, values(system, variable.sort))?;
    }
    writeln!(text, "{written} rules, {} with their cases:", system.rules.len())?;
    for rule in &system.rules {
        let case = if rule.case.is_empty() { String::new() } else { format!(" [{}]", rule.case) };
        let written = rule.updates.iter().map(|update| system.variables[update.variable.index()].name.as_str());
        let writes = written.collect::<Vec<_>>().join(", ");
        writeln!(text, "  {}{case} (line {}) writes {writes}", rule.name, rule.origin.line)?;
    }
    writeln!(text, "{} startstates, {} properties:", system.startstates.len(), system.properties.len())?;
    for property in &system.properties {
        writeln!(text, "  {} (line {}), {} cubes", property.name, property.origin.line, property.bad.len())?;
    }
    for note in &lowered.notes {
        writeln!(text, "note, line {}: {}", note.origin.line, note.kind)?;
    }
    if !lowered.refused_properties.is_empty() {
        writeln!(text, "{} properties are refused, see above", lowered.refused_properties.len())?;
    }
    Ok(())
}

fn values(system: &System, sort: protocol::system::SortId) -> String {
    let sort = &system.sorts[sort.index()];
    let elements = sort.index_types.iter().map(|over| system.index_types[over.index()].name.as_str());
    let constants = sort.constants.iter().map(|constant| system.constants[constant.index()].name.as_str());
    elements.chain(constants).collect::<Vec<_>>().join(", ")
}
