//! `diff`: what changed between two proofs, between the tables of two proofs, or between two models of which one need have
//! no proof.

use std::path::Path;

use anyhow::Context;
use proofgen::diff::Diff;

use super::{checked, read_certificate};
use crate::arguments::{DiffArguments, DiffFormat, ModelSettings};
use crate::model::Model;
use crate::outcome::Outcome;
use crate::watch::Watch;
use crate::{files, interrupt, terminal};

pub(super) fn run(arguments: &DiffArguments, watch: &Watch) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let diff = match &arguments.model {
        Some(model) => proofs(arguments, model, watch)?,
        None if is_table(&arguments.first) => tables(arguments)?,
        None => {
            let first = load(&arguments.first, &arguments.settings, watch)?;
            let second = load(&arguments.second, &arguments.settings, watch)?;
            watch.doing("comparing the models");
            Diff::of_models(&first.1.system, &second.1.system)
        }
    };
    let text = match arguments.format {
        DiffFormat::Text => diff.text(),
        DiffFormat::Md => diff.markdown(),
        DiffFormat::Json => format!("{}\n", diff.json()),
    };
    watch.finish();
    terminal::print(&text)?;
    Ok(if diff.is_empty() { Outcome::Good } else { Outcome::Violated })
}

/// Models are not written in JSON.
fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

fn tables(arguments: &DiffArguments) -> anyhow::Result<Diff> {
    let paths = [&arguments.first, &arguments.second];
    let read = |path: &Path| -> anyhow::Result<String> {
        let bytes = files::read_certificate(path)?;
        String::from_utf8(bytes).with_context(|| files::show(path))
    };
    Diff::of_tables(&read(paths[0])?, &read(paths[1])?).map_err(|(side, error)| {
        let hint = "two certificates are compared with --model";
        anyhow::anyhow!("{}: {error}; {hint}", files::show(paths[side]))
    })
}

fn proofs(arguments: &DiffArguments, model: &Path, watch: &Watch) -> anyhow::Result<Diff> {
    let second_model = arguments.second_model.as_deref().unwrap_or(model);
    let first = load(model, &arguments.settings, watch)?;
    let second = load(second_model, &arguments.settings, watch)?;
    let certificates =
        (read_certificate(&arguments.first, &first.1.system)?, read_certificate(&arguments.second, &second.1.system)?);
    let old = checked(&first.1.system, &certificates.0, &first.0, &files::show(&arguments.first), watch)?;
    let new = checked(&second.1.system, &certificates.1, &second.0, &files::show(&arguments.second), watch)?;
    watch.doing("comparing the proofs");
    Ok(Diff::of(&old, &new))
}

fn load(path: &Path, settings: &ModelSettings, watch: &Watch) -> anyhow::Result<(Model, murphi::lower::Lowered)> {
    let model = Model::read(path, settings, watch)?;
    let lowered = model.lower(watch)?;
    Ok((model, lowered))
}
