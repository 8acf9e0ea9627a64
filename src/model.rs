//! Reads a model from a file and lowers it, with all errors reported on the way.
//!
//! It must not decide what is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use certificate::Model as Identity;
use sha2::{Digest, Sha256};
use system::front_end::{Diagnostic, FrontEnd, Lowered, Replacement, Settings};
use thiserror::Error;

use crate::arguments::{DeadlockKind, ErrorFormat, ModelSettings, Undefined};
use crate::files;
use crate::limits::Watchdog;
use crate::render::{self, Source};
use crate::terminal;

/// What stopped the command was reported already.
#[derive(Debug, Error)]
#[error("reported")]
pub(crate) struct Reported;

/// A model that was read.
pub(crate) struct Model {
    /// The path as given, for messages.
    pub(crate) name: String,
    /// The file's name without folder and extension, for names of output files.
    pub(crate) stem: String,
    pub(crate) front_end: Box<dyn FrontEnd>,
    /// What a certificate has to say about its model.
    pub(crate) identity: Identity,
    index_types: Vec<String>,
    error_format: ErrorFormat,
}

impl Model {
    /// Reads a model and gives it names and types. Lowering it ends with an error where the watch does not go on.
    pub(crate) fn read(path: &Path, settings: &ModelSettings, watch: &Watchdog) -> anyhow::Result<Self> {
        watch.doing("reading the model");
        let (text, bytes) = files::read_model(path)?;
        let name = files::show(path);
        if is_cubicle(path) && settings.undefined != Undefined::Error {
            anyhow::bail!("{name}: --undefined: a model in Cubicle's language has no undefined values");
        }
        let front_end = read(path, &text, &reading(settings, watch)).map_err(|diagnostics| {
            render::report(&diagnostics, &Source { name: &name, text: &text }, settings.error_format);
            Reported
        })?;
        known_types(&*front_end, settings, &name)?;
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let stem = path.file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self {
            name,
            stem,
            front_end,
            identity: Identity { digest, settings: identity(settings) },
            index_types: settings.index_types.clone(),
            error_format: settings.error_format,
        })
    }

    /// Makes all changes that warnings about the model propose, one after the other. Returns the text and the number of
    /// changes.
    pub(crate) fn fixed(
        &self,
        path: &Path,
        settings: &ModelSettings,
        watch: &Watchdog,
    ) -> anyhow::Result<(String, usize)> {
        let mut text = self.front_end.text().to_owned();
        let mut warnings = self.front_end.warnings();
        for changes in 0.. {
            let Some(warning) = warnings.iter().find(|warning| !warning.replacements.is_empty()) else {
                return Ok((text, changes));
            };
            text = Replacement::apply(&warning.replacements, &text);
            let changed = read(path, &text, &reading(settings, watch)).map_err(|diagnostics| {
                render::report(&diagnostics, &Source { name: &self.name, text: &text }, self.error_format);
                Reported
            })?;
            warnings = changed.warnings();
            watch.ask()?;
        }
        Ok((text, 0))
    }

    /// Lowers the model. Properties that cannot be lowered are reported and left out.
    pub(crate) fn lower(&self, watch: &Watchdog) -> anyhow::Result<Lowered<'_>> {
        watch.doing("lowering the model");
        let lowered = self.front_end.lower();
        // What was refused may be so only because it was stopped.
        watch.ask()?;
        let lowered = lowered.map_err(|diagnostics| {
            self.report(&diagnostics);
            Reported
        })?;
        self.wishes(&lowered)?;
        self.report(lowered.refused_properties);
        Ok(lowered)
    }

    /// That types are what the user wants them to be; a wish that cannot be met must not go unnoticed.
    fn wishes(&self, lowered: &Lowered<'_>) -> anyhow::Result<()> {
        let is_index = |name: &String| lowered.system.index_types.iter().any(|over| over.name == *name);
        if let Some(name) = self.index_types.iter().find(|name| !is_index(name)) {
            let start = format!("`{name}`");
            let note = lowered.notes.iter().map(|note| note.text.clone()).find(|text| text.starts_with(&start));
            let reason = note.unwrap_or_else(|| "there is no type of that name that could be one".to_owned());
            anyhow::bail!("{}: {name} cannot be an index type: {reason}", self.name);
        }
        Ok(())
    }

    /// Says how many warnings there are for the model, and returns that number. For a program all are written.
    pub(crate) fn tell_warnings(&self) -> usize {
        let warnings = self.front_end.warnings();
        match (self.error_format, warnings.len()) {
            (_, 0) => {}
            (ErrorFormat::Json, _) => self.report(&warnings),
            (ErrorFormat::Text, count) => {
                let codes: BTreeSet<&str> = warnings.iter().map(|warning| warning.code).collect();
                let codes: Vec<&str> = codes.into_iter().collect();
                let warnings = if count == 1 { "1 warning".to_owned() } else { format!("{count} warnings") };
                let codes = codes.join(", ");
                terminal::note(&format!("{}: {warnings} ({codes}); `paraproof lint` shows them", self.name));
            }
        }
        warnings.len()
    }

    /// Findings about the model as JSON.
    pub(crate) fn as_json(&self, diagnostics: &[Diagnostic]) -> Vec<serde_json::Value> {
        let source = Source { name: &self.name, text: self.front_end.text() };
        diagnostics.iter().map(|diagnostic| render::json_object(diagnostic, &source)).collect()
    }

    /// Writes findings about the model to standard error.
    pub(crate) fn report(&self, diagnostics: &[Diagnostic]) {
        render::report(diagnostics, &Source { name: &self.name, text: self.front_end.text() }, self.error_format);
    }
}

/// Reads a text that is no file, as that of an editor is. The extension of the path tells its language.
pub(crate) fn read_text(
    path: &Path,
    text: &str,
    settings: &ModelSettings,
    watch: &Watchdog,
) -> Result<Box<dyn FrontEnd>, Vec<Diagnostic>> {
    read(path, text, &reading(settings, watch))
}

/// Reads a model with the front-end for its language, which the extension of the file's name tells.
fn read(path: &Path, text: &str, settings: &Settings) -> Result<Box<dyn FrontEnd>, Vec<Diagnostic>> {
    if is_cubicle(path) {
        return cubicle::Model::read(text, settings).map(|model| -> Box<dyn FrontEnd> { Box::new(model) });
    }
    murphi::Model::read(text, settings).map(|model| -> Box<dyn FrontEnd> { Box::new(model) })
}

fn is_cubicle(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cub"))
}

/// The settings as a front-end takes them. Of two settings of a constant the last one counts.
fn reading(settings: &ModelSettings, watch: &Watchdog) -> Settings {
    Settings {
        constants: settings.definitions.iter().cloned().collect(),
        index_types: settings.index_types.clone(),
        finite_types: settings.finite_types.clone(),
        finite_numbers: settings.finite_numbers,
        deadlock: settings.deadlock.map(Into::into),
        arbitrary: settings.arbitrary.clone(),
        undefined_is_unequal: settings.undefined == Undefined::Unequal,
        stop: Some(watch.flag()),
    }
}

/// That the types that are named in the settings are there.
fn known_types(front_end: &dyn FrontEnd, settings: &ModelSettings, model: &str) -> anyhow::Result<()> {
    let known: BTreeSet<&str> = front_end.type_names().into_iter().collect();
    for (option, names) in [("--index-type", &settings.index_types), ("--finite-type", &settings.finite_types)] {
        if let Some(name) = names.iter().find(|name| !known.contains(name.as_str())) {
            let likely = likely(name, known.iter().copied());
            let known: Vec<&str> = known.into_iter().collect();
            anyhow::bail!(
                "{model}: {option} {name}: there is no such type; {likely}the types with names are {}",
                known.join(", ")
            );
        }
    }
    Ok(())
}

/// What a name that is not known was likely meant to be, as the start of a sentence that says which names there are.
pub(crate) fn likely<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    murphi::elaborate::closest(name, known).map(|help| format!("{help} ")).unwrap_or_default()
}

/// That numbers stay as they are in the model, among the settings of a certificate. It is no name of a type.
pub(crate) const FINITE_NUMBERS: &str = "finite-numbers";

/// Settings in the form that a certificate has, as options of the command line, each after a space.
pub(crate) fn options(settings: &[String]) -> String {
    let option = |setting: &String| match setting.rsplit_once('=') {
        Some((name, "index")) => format!(" --index-type {name}"),
        Some((name, "finite")) => format!(" --finite-type {name}"),
        Some((name, "arbitrary")) => format!(" --arbitrary {name}"),
        // The value of a constant is a number or a truth value.
        Some(("deadlock", kind @ ("stuck" | "stuttering"))) => format!(" --deadlock={kind}"),
        Some(("undefined", "unequal")) => " --undefined=unequal".to_owned(),
        None if setting == FINITE_NUMBERS => format!(" --{setting}"),
        Some(_) | None => format!(" -D {setting}"),
    };
    settings.iter().map(option).collect()
}

/// The settings that a certificate depends on, in the form that it writes them.
fn identity(settings: &ModelSettings) -> Vec<String> {
    let definitions: BTreeMap<_, _> = settings.definitions.iter().map(|(name, value)| (name, *value)).collect();
    let definitions = definitions.into_iter().map(|(name, value)| format!("{name}={value}"));
    let index_types = settings.index_types.iter().map(|name| format!("{name}=index"));
    let finite_types = settings.finite_types.iter().map(|name| format!("{name}=finite"));
    let finite_numbers = settings.finite_numbers.then(|| FINITE_NUMBERS.to_owned());
    let deadlock = settings.deadlock.map(|kind| match kind {
        DeadlockKind::Stuck => "deadlock=stuck".to_owned(),
        DeadlockKind::Stuttering => "deadlock=stuttering".to_owned(),
    });
    let arbitrary = settings.arbitrary.iter().map(|name| format!("{name}=arbitrary"));
    let undefined = (settings.undefined == Undefined::Unequal).then(|| "undefined=unequal".to_owned());
    let mut identity: Vec<String> = definitions
        .chain(index_types)
        .chain(finite_types)
        .chain(finite_numbers)
        .chain(deadlock)
        .chain(arbitrary)
        .chain(undefined)
        .collect();
    identity.sort();
    identity.dedup();
    identity
}
