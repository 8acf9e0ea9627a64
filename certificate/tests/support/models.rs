//! The models of this repository, lowered, with the certificates that the search finds for them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use certificate::Model;
use certificate::proof::Certificate;
use invfinder::{Header, Limits, Verdict, prove};
use system::System;

/// The model that certificates of [`found`] are for.
pub(crate) fn identity() -> Model {
    Model { digest: "00".repeat(32), settings: vec!["N=3".to_owned()] }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models")
}

/// The names of all models, in alphabetical order.
pub(crate) fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let models = files.filter(|path| path.extension().is_some_and(|extension| extension == "m"));
    let mut names: Vec<String> = models.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The lowered system of a model.
pub(crate) fn lowered(name: &str) -> System {
    let text = std::fs::read_to_string(folder().join(format!("{name}.m"))).unwrap();
    let program = murphi::read(&text, &murphi::Options::default()).unwrap();
    murphi::lower::lower(&program, &murphi::lower::LowerOptions::default()).unwrap().system
}

/// A certificate that the search finds within the time.
pub(crate) fn found(system: &System, timeout: Duration) -> Option<Certificate> {
    match verdict(system, timeout) {
        Verdict::Proven(certificate) => Some(*certificate),
        Verdict::Violated(_) | Verdict::Inconclusive(_) => None,
    }
}

/// The verdict of the search within the time.
pub(crate) fn verdict(system: &System, timeout: Duration) -> Verdict {
    let header = Header { model_digest: identity().digest, settings: identity().settings };
    let limits = Limits { timeout: Some(timeout), ..Limits::default() };
    prove(system, &header, &limits, &mut |_| true).0
}
