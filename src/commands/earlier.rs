//! Invariants that somebody expects: those of an earlier certificate, and the candidates of the model itself.
//!
//! The certificate may be of another form of the model, or of another model. Nothing of it is believed: its cubes are tried first, and a
//! proof says what became of them.

use std::path::{Path, PathBuf};

use anyhow::Context;
use certificate::{Candidates, CheckedCertificate};
use proofgen::diff::Diff;
use serde_json::{Value, json};
use system::front_end::Lowered;
use system::{Cube, System};

use crate::arguments::SearchSettings;
use crate::files;
use crate::model::Model;

/// An earlier certificate.
pub(super) struct Earlier {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Earlier {
    /// The certificate that is asked for, or the one whose place the new one takes, if there is one.
    pub(super) fn of(settings: &SearchSettings, place: Option<&Path>) -> anyhow::Result<Option<Self>> {
        if let Some(path) = &settings.from {
            return Ok(Some(Self { path: path.clone(), bytes: files::read_certificate(path)? }));
        }
        let Some(place) = place.filter(|place| !settings.anew && place.is_file()) else { return Ok(None) };
        // A file that cannot be read has nothing to offer; that it cannot be replaced is said when it is.
        Ok(files::read_certificate(place).ok().map(|bytes| Self { path: place.to_owned(), bytes }))
    }

    /// Its invariants for a model. What lies where the new certificate goes is no candidate if it is none, or if it is of this
    /// very model: the same input makes the same certificate.
    pub(super) fn read(
        &self,
        settings: &SearchSettings,
        model: &Model,
        system: &System,
    ) -> anyhow::Result<Option<Candidates>> {
        let read = certificate::read_candidates(&self.bytes, system);
        if settings.from.is_some() {
            return Ok(Some(read.with_context(|| files::show(&self.path))?));
        }
        let is_other = |found: &Candidates| {
            (&found.model_digest, &found.settings) != (&model.identity.digest, &model.identity.settings)
        };
        Ok(read.ok().filter(is_other))
    }
}

/// What is tried first.
#[derive(Default)]
pub(super) struct Tried {
    /// The earlier certificate and its invariants.
    earlier: Option<(PathBuf, Candidates)>,
    own: Vec<Cube>,
}

impl Tried {
    pub(super) fn new(
        earlier: Option<&Earlier>,
        settings: &SearchSettings,
        model: &Model,
        lowered: &Lowered<'_>,
    ) -> anyhow::Result<Self> {
        let found = earlier.map(|earlier| anyhow::Ok((earlier, earlier.read(settings, model, lowered.system)?)));
        let earlier = found.transpose()?.and_then(|(earlier, found)| Some((earlier.path.clone(), found?)));
        Ok(Self { earlier, own: lowered.candidates.to_vec() })
    }

    /// The cubes, those of the model first.
    pub(super) fn cubes(&self) -> Vec<Cube> {
        let earlier = self.earlier.iter().flat_map(|(_, found)| found.cubes.iter().flatten());
        self.own.iter().chain(earlier).cloned().collect()
    }

    /// What became of the earlier certificate in a proof, to programs and to people.
    pub(super) fn earlier(&self, proof: &CheckedCertificate<'_>) -> Option<(Value, Vec<String>)> {
        let (path, found) = self.earlier.as_ref()?;
        let diff = Diff::of_earlier(&found.cubes, proof);
        let whole = diff.json();
        let value = json!({
            "certificate": files::show(path),
            "invariants": found.cubes.len(),
            "kept": diff.kept.len(),
            "strengthened": whole["strengthened"],
            "weakened": whole["weakened"],
            "lost": whole["removed"],
        });
        Some((value, diff.text().lines().map(str::to_owned).collect()))
    }

    /// What became of the candidates of the model in a proof: how many there are, and how many of them its invariants imply.
    pub(super) fn own(&self, proof: &CheckedCertificate<'_>) -> Option<(Value, String)> {
        let invariants = &proof.certificate().invariants;
        let implied = |cube: &&Cube| invariants.iter().any(|invariant| invariant.cube.subsumes(cube));
        let (all, used) = (self.own.len(), self.own.iter().filter(implied).count());
        let value = json!({ "tried": all, "proven": used });
        let text = format!(
            "{used} of {} that the model offers proven",
            system::scope::counted(all, "candidate", "candidates")
        );
        (all > 0).then_some((value, text))
    }
}
