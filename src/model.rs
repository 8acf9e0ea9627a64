//! A model from a file to a lowered system, with all errors reported on the way.
//!
//! In: a path and settings. Out: the text, the typed program, the system. It must not decide what is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use certificate::check;
use protocol::diagnostics::Diagnostic;
use protocol::lower::{LowerOptions, Lowered, lower};
use protocol::program::Program;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::arguments::{ErrorFormat, ModelSettings, Setting};
use crate::files;
use crate::render::{self, Source};
use crate::terminal;
use crate::watch::Watch;

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
    pub(crate) text: String,
    pub(crate) program: Program,
    /// What a certificate has to say about its model.
    pub(crate) identity: check::Model,
    options: LowerOptions,
    error_format: ErrorFormat,
    reading: protocol::Options,
}

impl Model {
    /// Reads a model and gives it names and types. Lowering it ends with an error where the watch does not go on.
    pub(crate) fn read(path: &Path, settings: &ModelSettings, watch: &Watch) -> anyhow::Result<Self> {
        watch.doing("reading the model");
        let (text, bytes) = files::read_model(path)?;
        let name = files::show(path);
        let program = elaborated(&text, settings).map_err(|diagnostics| {
            render::report(&diagnostics, &Source { name: &name, text: &text }, settings.error_format);
            Reported
        })?;
        known_types(&program, settings, &name)?;
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let stem = path.file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self {
            name,
            stem,
            text,
            program,
            identity: check::Model { digest, settings: identity(settings) },
            options: LowerOptions {
                index_types: settings.index_types.clone(),
                finite_types: settings.finite_types.clone(),
                most_steps: None,
                stop: Some(watch.flag()),
            },
            error_format: settings.error_format,
            reading: reading(settings),
        })
    }

    /// Lowers the model. Properties that cannot be lowered are reported and left out.
    pub(crate) fn lower(&self, watch: &Watch) -> anyhow::Result<Lowered> {
        watch.doing("lowering the model");
        let lowered = lower(&self.program, &self.options);
        // What was refused may be so only because it was stopped.
        watch.ask()?;
        let lowered = lowered.map_err(|diagnostics| {
            self.report(&diagnostics);
            Reported
        })?;
        self.wishes(&lowered)?;
        self.report(&lowered.refused_properties);
        Ok(lowered)
    }

    /// That types are what the user wants them to be; a wish that cannot be met must not go unnoticed.
    fn wishes(&self, lowered: &Lowered) -> anyhow::Result<()> {
        let is_index = |name: &String| lowered.system.index_types.iter().any(|over| over.name == *name);
        if let Some(name) = self.options.index_types.iter().find(|name| !is_index(name)) {
            let start = format!("`{name}`");
            let note = lowered.notes.iter().map(|note| note.kind.to_string()).find(|text| text.starts_with(&start));
            let reason = note.unwrap_or_else(|| "there is no type of that name that could be one".to_owned());
            anyhow::bail!("{}: {name} cannot be an index type: {reason}", self.name);
        }
        Ok(())
    }

    /// The program as `-D` gives it with constants for which the index types have at least these sizes; nothing where no
    /// constant of the model gives a type its size. A verdict is drawn from no other instance.
    pub(crate) fn at_sizes(&self, lowered: &Lowered, sizes: &[u64]) -> Option<Program> {
        self.with_constants(&self.constants_at(lowered, sizes)?)
    }

    /// The program with the constants of which an instance was made.
    pub(crate) fn of_instance(&self, constants: &[(String, i64)]) -> Option<Program> {
        let others = constants.iter().filter(|constant| !self.program.constants.contains(constant)).cloned();
        self.with_constants(&self.reading.constants.clone().into_iter().chain(others).collect())
    }

    fn with_constants(&self, constants: &BTreeMap<String, i64>) -> Option<Program> {
        let options = protocol::Options { constants: constants.clone(), ..self.reading.clone() };
        protocol::read(&self.text, &options).ok()
    }

    /// The constants for which the index types have at least these sizes, with those that the user set.
    fn constants_at(&self, lowered: &Lowered, sizes: &[u64]) -> Option<BTreeMap<String, i64>> {
        let mut wanted: BTreeMap<&str, i64> = BTreeMap::new();
        for ((over, sized), size) in lowered.system.index_types.iter().zip(&lowered.sizes).zip(sizes) {
            if u64::from(over.size) == *size {
                continue;
            }
            let (constant, value) = sized.reaching(i64::try_from(*size).ok()?)?;
            // Of two types that one constant sizes the larger counts.
            wanted.entry(constant).and_modify(|known| *known = value.max(*known)).or_insert(value);
        }
        let mut constants = self.reading.constants.clone();
        constants.extend(wanted.into_iter().map(|(name, value)| (name.to_owned(), value)));
        Some(constants)
    }

    /// The program with invariants at its end, at other sizes where some are given; nothing where that is no program. Types that
    /// no constant sizes get theirs nevertheless, so that no verdict can be drawn from such an instance.
    pub(crate) fn with_invariants(&self, invariants: &str, lowered: &Lowered, sizes: &[u64]) -> Option<Program> {
        let text = format!("{}\n{invariants}", self.text);
        if let Some(constants) = self.constants_at(lowered, sizes) {
            return protocol::read(&text, &protocol::Options { constants, ..self.reading.clone() }).ok();
        }
        let names = lowered.system.index_types.iter().map(|over| over.name.clone());
        let sizes = names.zip(sizes).map(|(name, size)| Some((name, u32::try_from(*size).ok()?)));
        let type_sizes = sizes.collect::<Option<BTreeMap<_, _>>>()?;
        protocol::read(&text, &protocol::Options { type_sizes, ..self.reading.clone() }).ok()
    }

    /// How it is lowered.
    pub(crate) fn options(&self) -> &LowerOptions {
        &self.options
    }

    /// What `lint` warns of.
    pub(crate) fn warnings(&self) -> Vec<Diagnostic> {
        self.program.warnings.iter().cloned().chain(protocol::lint(&self.program)).collect()
    }

    /// Says how many warnings there are for the model, and returns that number. For a program all are written.
    pub(crate) fn tell_warnings(&self) -> usize {
        let warnings = self.warnings();
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

    /// Writes findings about the model to standard error.
    pub(crate) fn report(&self, diagnostics: &[Diagnostic]) {
        render::report(diagnostics, &Source { name: &self.name, text: &self.text }, self.error_format);
    }
}

fn elaborated(text: &str, settings: &ModelSettings) -> Result<Program, Vec<Diagnostic>> {
    protocol::read(text, &reading(settings))
}

/// The settings as the type checker takes them.
fn reading(settings: &ModelSettings) -> protocol::Options {
    let mut options = protocol::Options::default();
    for (name, value) in &settings.definitions {
        match value {
            Setting::Number(number) => {
                options.truth_values.remove(name);
                options.constants.insert(name.clone(), *number);
            }
            Setting::Truth(truth) => {
                options.truth_values.insert(name.clone());
                options.constants.insert(name.clone(), i64::from(*truth));
            }
        }
    }
    options
}

/// That the types that are named in the settings are there.
fn known_types(program: &Program, settings: &ModelSettings, model: &str) -> anyhow::Result<()> {
    let known: BTreeSet<&str> = program.types.iter().filter_map(|ty| ty.name.as_deref()).collect();
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
    protocol::elaborate::closest(name, known).map(|help| format!("{help} ")).unwrap_or_default()
}

/// The settings that a certificate depends on, in the form that it writes them.
fn identity(settings: &ModelSettings) -> Vec<String> {
    let definitions: BTreeMap<_, _> = settings.definitions.iter().map(|(name, value)| (name, *value)).collect();
    let definitions = definitions.into_iter().map(|(name, value)| format!("{name}={value}"));
    let index_types = settings.index_types.iter().map(|name| format!("{name}=index"));
    let finite_types = settings.finite_types.iter().map(|name| format!("{name}=finite"));
    let mut identity: Vec<String> = definitions.chain(index_types).chain(finite_types).collect();
    identity.sort();
    identity.dedup();
    identity
}
