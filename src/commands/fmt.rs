//! `fmt`: the layout of models.

use std::path::Path;

use editor::{Language, format};

use crate::arguments::FmtArguments;
use crate::outcome::Outcome;
use crate::{files, interrupt, terminal};

pub(super) fn run(arguments: &FmtArguments) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let mut outcome = Outcome::Good;
    for path in &arguments.models {
        let models = if path.is_dir() { files::models_in(path, None)? } else { vec![path.clone()] };
        for model in models {
            let of_one = one(&model, arguments.check).unwrap_or_else(|error| super::outcome_of(&error, false));
            outcome = outcome.worse(of_one);
        }
    }
    Ok(outcome)
}

fn one(path: &Path, check: bool) -> anyhow::Result<Outcome> {
    let (text, bytes) = files::read_model(path)?;
    let formatted =
        format(Language::of_file(path), &text).map_err(|error| anyhow::anyhow!("{}: {error}", files::show(path)))?;
    if formatted.as_bytes() == bytes {
        return Ok(Outcome::Good);
    }
    terminal::note(&format!("{}: {}", files::show(path), if check { "would be changed" } else { "changed" }));
    if check {
        return Ok(Outcome::Violated);
    }
    files::write_file(path, formatted.as_bytes())?;
    Ok(Outcome::Good)
}
