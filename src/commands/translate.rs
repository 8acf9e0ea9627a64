//! `translate`: a model in the other language.

use anyhow::bail;
use editor::{Language, format};

use crate::arguments::{ModelSettings, TranslateArguments, Undefined};
use crate::files;
use crate::limits::Watchdog;
use crate::model::{Model, Reported, read_text};
use crate::outcome::Outcome;

pub(super) fn run(arguments: &TranslateArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    let (path, out) = (&arguments.model.path, &arguments.out);
    let language = Language::of_file(out);
    if language == Language::of_file(path) {
        bail!("{} and {} are in the same language", files::show(path), files::show(out));
    }
    let model = Model::read(path, &arguments.model.settings, watch)?;
    let translated = match language {
        Language::Murphi => translation::to_murphi(model.front_end.text()),
        Language::Cubicle => {
            let lowered = model.lower(watch)?;
            if !lowered.refused_properties.is_empty() {
                return Ok(Outcome::BadInput);
            }
            translation::to_cubicle(model.front_end.text(), lowered.system)
        }
    };
    let translated = translated.map_err(|diagnostics| {
        model.report(&diagnostics);
        Reported
    })?;
    let translated = format(language, &translated)?;
    // A model that is not read is no translation. The settings are those of the other one.
    let settings = ModelSettings {
        definitions: Vec::new(),
        index_types: Vec::new(),
        finite_types: Vec::new(),
        finite_numbers: false,
        deadlock: None,
        arbitrary: Vec::new(),
        undefined: Undefined::Error,
        error_format: arguments.model.settings.error_format,
    };
    if let Err(diagnostics) = read_text(out, &translated, &settings, watch) {
        let first = diagnostics.first().map(|own| own.message.clone()).unwrap_or_default();
        bail!("{}: the translation is not a model ({first}); this is a bug", files::show(path));
    }
    files::write_file(out, translated.as_bytes())?;
    Ok(Outcome::Good)
}
