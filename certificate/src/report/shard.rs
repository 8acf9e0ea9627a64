//! Checking a certificate in parts, on several machines.
//!
//! The result of a part is small and made to be written to a file. A complete and disjoint set of results merges into
//! the result of the whole check. It depends on the files that it was made of, so it is no
//! [`crate::CheckedCertificate`].

use serde::{Deserialize, Serialize};
use system::scope::Scope;
use system::{RuleId, System};
use thiserror::Error;

use super::fault::{FaultReport, Part};
use crate::check::faults_at;
use crate::format::{ReadError, read_rules};
use crate::kernel::accept::Model;
use crate::kernel::fault::Place;
use crate::kernel::proof::Certificate;

/// The version of result files.
const VERSION: u32 = 2;

/// The relations of every `of`-th rule, beginning with rule `index`. The first shard has everything that is not about a
/// rule as well.
#[derive(Clone, Copy)]
struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    fn has(self, rule: RuleId) -> bool {
        rule.0.checked_rem(self.of) == Some(self.index)
    }

    fn has_place(self, place: &Place) -> bool {
        match place {
            Place::Relation { rule, .. } => self.has(*rule),
            Place::System | Place::Header | Place::Invariant(_) | Place::Property { .. } | Place::Initial { .. } => {
                self.index == 0
            }
        }
    }
}

/// The result of checking one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardResult {
    /// The version of this file.
    pub version: u32,
    /// The number of the part, from 1.
    pub shard: u32,
    /// The number of parts.
    pub of: u32,
    /// The identity of the certificate: SHA-256 of the file.
    pub certificate: String,
    /// The identity of the model: SHA-256 of its text.
    pub model: String,
    /// The settings that the model was read with.
    pub settings: Vec<String>,
    /// What the proof is about, and what it leaves out.
    pub scope: Scope,
    /// How many relations the part has.
    pub relations: u64,
    /// How many relations the certificate has.
    pub relations_of_all: u64,
    /// The faults, in the order of the certificate.
    pub faults: Vec<FaultReport>,
}

/// The number of a part that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no part {shard} of {of}: parts are numbered from 1")]
pub struct ShardError {
    /// The number of the part.
    pub shard: u32,
    /// The number of parts.
    pub of: u32,
}

/// Why results cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MergeError {
    /// There are no results.
    #[error("there are no results to merge")]
    Nothing,
    /// A result has a version that this program does not know.
    #[error("the result of part {shard} has version {found}, not {VERSION}")]
    Version {
        /// The number of the part.
        shard: u32,
        /// Its version.
        found: u32,
    },
    /// Results are of different certificates, models, settings, or numbers of parts.
    #[error("part {shard} of {of} is of another check than the first result: the {what} differs")]
    Different {
        /// The number of the part.
        shard: u32,
        /// The number of parts.
        of: u32,
        /// What differs.
        what: &'static str,
    },
    /// A number is out of range.
    #[error("there is no part {shard} of {of}")]
    OutOfRange {
        /// The number of the part.
        shard: u32,
        /// The number of parts.
        of: u32,
    },
    /// A part occurs twice.
    #[error("part {0} occurs twice")]
    Doubled(u32),
    /// A part is missing.
    #[error("part {0} is missing")]
    Missing(u32),
    /// The parts together do not have all relations.
    #[error("the parts have {found} relations where the certificate has {due}")]
    Relations {
        /// How many the certificate has.
        due: u64,
        /// How many the parts have.
        found: u64,
    },
}

/// The result of a complete set of parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[must_use]
pub struct Merged {
    /// The identity of the certificate.
    pub certificate: String,
    /// The identity of the model.
    pub model: String,
    /// The settings that the model was read with.
    pub settings: Vec<String>,
    /// What the proof is about, and what it leaves out.
    pub scope: Scope,
    /// How many relations there are.
    pub relations: u64,
    /// The faults, in the order of the certificate. The certificate is accepted if there are none.
    pub faults: Vec<FaultReport>,
}

/// The identity of a certificate's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileIdentity {
    /// SHA-256 of the file.
    pub sha256: String,
    /// How many relations it has.
    pub relations: u64,
}

/// Reads what one part of the check needs of a certificate: the relations of other rules are counted and dropped.
/// Returns the number of all relations, too.
///
/// # Errors
/// If the bytes are not a certificate. Wrong names in the relations of other rules are left to their parts.
pub fn read_shard(bytes: &[u8], system: &System, shard: u32, of: u32) -> Result<(Certificate, u64), ReadError> {
    let part = shard.checked_sub(1).map(|index| Shard { index, of });
    read_rules(bytes, system, &|rule| part.is_some_and(|part| part.has(rule)))
}

/// Checks one part of a certificate that has at least the relations of the part; `shard` is its number, from 1 to `of`.
///
/// # Errors
/// If there is no such part.
pub fn check_shard(
    system: &System,
    certificate: &Certificate,
    model: &Model,
    file: &FileIdentity,
    shard: u32,
    of: u32,
) -> Result<ShardResult, ShardError> {
    let index = shard.checked_sub(1).filter(|index| *index < of).ok_or(ShardError { shard, of })?;
    let part = Shard { index, of };
    let faults = faults_at(system, certificate, model, |place| part.has_place(place));
    let own = certificate.relations.iter().filter(|entry| part.has(entry.rule));
    Ok(ShardResult {
        version: VERSION,
        shard,
        of,
        certificate: file.sha256.clone(),
        model: model.digest.clone(),
        settings: model.settings.clone(),
        scope: Scope::of(system),
        relations: length(own.count()),
        relations_of_all: file.relations,
        faults: faults.iter().map(|fault| fault.report(system, certificate)).collect(),
    })
}

/// Merges the results of all parts of one check, in any order.
///
/// # Errors
/// If the results are not a complete and disjoint set.
pub fn merge(results: &[ShardResult]) -> Result<Merged, MergeError> {
    let first = results.first().ok_or(MergeError::Nothing)?;
    let mut seen: Vec<u32> = Vec::new();
    for result in results {
        let ShardResult { shard, of, .. } = *result;
        if result.version != VERSION {
            return Err(MergeError::Version { shard, found: result.version });
        }
        let differences = [
            (result.of == first.of, "number of parts"),
            (result.certificate == first.certificate, "certificate"),
            (result.model == first.model, "model"),
            (result.settings == first.settings, "list of settings"),
            (result.scope == first.scope, "claim"),
            (result.relations_of_all == first.relations_of_all, "number of relations"),
        ];
        if let Some((_, what)) = differences.into_iter().find(|(same, _)| !same) {
            return Err(MergeError::Different { shard, of, what });
        }
        if shard == 0 || shard > of {
            return Err(MergeError::OutOfRange { shard, of });
        }
        if seen.contains(&shard) {
            return Err(MergeError::Doubled(shard));
        }
        seen.push(shard);
    }
    if let Some(missing) = (1..=first.of).find(|shard| !seen.contains(shard)) {
        return Err(MergeError::Missing(missing));
    }
    let found = results.iter().try_fold(0_u64, |sum, result| sum.checked_add(result.relations)).unwrap_or(u64::MAX);
    if found != first.relations_of_all {
        return Err(MergeError::Relations { due: first.relations_of_all, found });
    }
    let mut faults: Vec<FaultReport> = results.iter().flat_map(|result| result.faults.clone()).collect();
    // The sort is stable: the faults of one rule are in the right order already.
    let key = |fault: &FaultReport| (fault.place, if fault.place == Part::Relation { fault.number } else { None });
    faults.sort_by_key(key);
    let ShardResult { certificate, model, settings, scope, relations_of_all, .. } = first.clone();
    Ok(Merged { certificate, model, settings, scope, relations: relations_of_all, faults })
}

fn length(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
