//! `diff`: what changed between two proofs, between the tables of two proofs, or between two models of which one need have
//! no proof.

use std::path::Path;

use anyhow::Context;
use proofgen::diff::Diff;

use super::{checked, read_certificate};
use crate::arguments::{DiffArguments, DiffFormat};
use crate::limits::Watchdog;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::{files, interrupt, terminal};

pub(super) fn run(arguments: &DiffArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let diff = match &arguments.model {
        Some(model) => proofs(arguments, model, watch)?,
        None if is_table(&arguments.first) => tables(arguments)?,
        None => {
            let first = Model::read(&arguments.first, &arguments.settings, watch)?;
            let old = first.lower(watch)?.system;
            let second = Model::read(&arguments.second, &arguments.settings, watch)?;
            let new = second.lower(watch)?.system;
            watch.doing("comparing the models");
            Diff::of_models(old, new)
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

fn proofs(arguments: &DiffArguments, model: &Path, watch: &Watchdog) -> anyhow::Result<Diff> {
    let second_model = arguments.second_model.as_deref().unwrap_or(model);
    let first = Model::read(model, &arguments.settings, watch)?;
    let old = first.lower(watch)?.system;
    let second = Model::read(second_model, &arguments.settings, watch)?;
    let new = second.lower(watch)?.system;
    let certificates =
        (read_certificate(&arguments.first, old, &first)?, read_certificate(&arguments.second, new, &second)?);
    let old = checked(old, &certificates.0, &first, &files::show(&arguments.first), watch)?;
    let new = checked(new, &certificates.1, &second, &files::show(&arguments.second), watch)?;
    watch.doing("comparing the proofs");
    Ok(Diff::of(&old, &new))
}
