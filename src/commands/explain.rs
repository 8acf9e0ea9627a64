//! `explain`: the proof in sentences.

use proofgen::explain::{Question, explain};

use super::{checked, read_certificate};
use crate::arguments::ExplainArguments;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::{files, terminal};

pub(super) fn run(arguments: &ExplainArguments) -> anyhow::Result<Outcome> {
    let model = Model::read(&arguments.model.path, &arguments.model.settings)?;
    let lowered = model.lower()?;
    let certificate = read_certificate(&arguments.certificate, &lowered.system)?;
    let name = files::show(&arguments.certificate);
    let checked = checked(&lowered.system, &certificate, &model, &name)?;
    let question = Question { rule: arguments.rule.clone(), invariant: arguments.invariant };
    terminal::print(&explain(&checked, &question)?)?;
    Ok(Outcome::Good)
}
