//! `explain`: the proof in sentences.

use certificate::CheckedCertificate;
use certificate::proof::InvariantOrigin;
use murphi::lower::Lowered;
use proofgen::explain::{Question, explain};
use proofgen::flow::Flow;

use super::{checked, read_certificate};
use crate::arguments::{ExplainArguments, FlowFormat};
use crate::model::Model;
use crate::near::near;
use crate::outcome::Outcome;
use crate::watch::Watch;
use crate::{files, interrupt, terminal};

pub(super) fn run(arguments: &ExplainArguments, watch: &Watch) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let model = Model::read(&arguments.model.path, &arguments.model.settings, watch)?;
    let lowered = model.lower(watch)?;
    let certificate = read_certificate(&arguments.certificate, &lowered.system)?;
    let name = files::show(&arguments.certificate);
    let checked = checked(&lowered.system, &certificate, &model, &name, watch)?;
    watch.doing("explaining the proof");
    if arguments.flow {
        let flow = Flow::of(&lowered.system, arguments.rule.as_deref())?;
        let text = match arguments.format {
            FlowFormat::Text => flow.text(),
            FlowFormat::Dot => flow.dot(),
            FlowFormat::Svg => flow.svg(),
        };
        watch.finish();
        terminal::print(&text)?;
        return Ok(Outcome::Good);
    }
    let question =
        Question { rule: arguments.rule.clone(), invariant: arguments.invariant, about: arguments.about.clone() };
    let mut text = explain(&checked, &question)?;
    if let (Some(invariant), None) = (arguments.invariant, &arguments.rule) {
        text.push_str(&without(&model, &lowered, &checked, invariant, watch)?);
    }
    watch.finish();
    terminal::print(&text)?;
    Ok(Outcome::Good)
}

/// What would go wrong without an invariant. What a property asks for is wanted for itself.
fn without(
    model: &Model,
    lowered: &Lowered,
    checked: &CheckedCertificate<'_>,
    invariant: u32,
    watch: &Watch,
) -> anyhow::Result<String> {
    let origin = checked.certificate().invariants[usize::try_from(invariant)?].origin;
    if let InvariantOrigin::Property(_) = origin {
        return Ok(String::new());
    }
    Ok(match near(model, lowered, checked, invariant, &|| watch.go_on())? {
        Some(near) => near.text(),
        None => {
            "\nNo state near the first reachable ones of an instance shows what would go wrong without it.\n".to_owned()
        }
    })
}
