//! `explain`: the proof in sentences.

use certificate::CheckedCertificate;
use certificate::proof::InvariantOrigin;
use proofgen::explain::{Question, explain, numbers};
use proofgen::flow::Flow;
use system::Cube;
use system::front_end::{ExcludedEnding, ExcludedState};
use system::scope::counted;

use super::{checked, read_certificate};
use crate::arguments::{ExplainArguments, FlowFormat};
use crate::limits::Watchdog;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::{files, interrupt, terminal};

pub(super) fn run(arguments: &ExplainArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let model = Model::read(&arguments.model.path, &arguments.model.settings, watch)?;
    let lowered = model.lower(watch)?;
    let certificate = read_certificate(&arguments.certificate, lowered.system, &model)?;
    let name = files::show(&arguments.certificate);
    let checked = checked(lowered.system, &certificate, &model, &name, watch)?;
    watch.doing("explaining the proof");
    if arguments.flow {
        let flow = Flow::of(lowered.system, arguments.rule.as_deref())?;
        let text = match arguments.format {
            FlowFormat::Text => flow.text(),
            FlowFormat::Dot => flow.dot(),
            FlowFormat::Svg => flow.svg(),
        };
        watch.finish();
        terminal::print(&text)?;
        return Ok(Outcome::Good);
    }
    let invariants = arguments.invariant.as_ref().map(|name| numbers(&checked, name)).transpose()?.unwrap_or_default();
    let notation = arguments.notation.or(model.front_end.language());
    let question = Question { rule: arguments.rule.clone(), invariants, about: arguments.about.clone(), notation };
    let mut text = explain(&checked, &question)?;
    if let ([invariant], None) = (question.invariants.as_slice(), &arguments.rule) {
        text.push_str(&without(&model, &checked, *invariant, watch)?);
    }
    watch.finish();
    terminal::print(&text)?;
    Ok(Outcome::Good)
}

/// What would go wrong without an invariant. What a property asks for is wanted for itself.
fn without(
    model: &Model,
    checked: &CheckedCertificate<'_>,
    invariant: u32,
    watch: &Watchdog,
) -> anyhow::Result<String> {
    let origin = checked.certificate().invariants[usize::try_from(invariant)?].origin;
    if let InvariantOrigin::Property(_) = origin {
        return Ok(String::new());
    }
    let invariants: Vec<&Cube> = checked.certificate().invariants.iter().map(|invariant| &invariant.cube).collect();
    let excluded = model.front_end.excluded_state(&invariants, usize::try_from(invariant)?, &|| watch.go_on())?;
    Ok(excluded.map_or_else(
        || "\nNo state near the first reachable ones of an instance shows what would go wrong without it.\n".to_owned(),
        |excluded| story(&excluded),
    ))
}

/// What goes wrong from a state that one invariant alone excludes.
fn story(excluded: &ExcludedState) -> String {
    let mut text = format!("\nA state that the other {} allow", counted(excluded.others, "invariant", "invariants"));
    let sizes: Vec<String> = excluded.sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    if !sizes.is_empty() {
        text.push_str(&format!(", with {}", sizes.join(", ")));
    }
    text.push_str(" (what differs from the initial state; * from a reachable state, too):\n");
    for (line, differs) in &excluded.state {
        text.push_str(&format!("  {} {line}\n", if *differs { '*' } else { ' ' }));
    }
    for step in &excluded.steps {
        let parameters: Vec<String> = step.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let with = if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join(", ")) };
        text.push_str(&format!("From there rule '{}'{with}:\n", step.rule));
        for change in &step.changes {
            text.push_str(&format!("    {}: {} -> {}\n", change.variable, change.before, change.after));
        }
    }
    let ending = match &excluded.ending {
        ExcludedEnding::Error => "the rule meets an error".to_owned(),
        ExcludedEnding::Property(name) => format!("property '{name}' is violated"),
        ExcludedEnding::Invariant(number) => format!("invariant {number} is violated"),
    };
    text.push_str(&format!("and {ending}.\n"));
    text
}
