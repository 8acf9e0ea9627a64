//! Wrong protocols made of the models of this repository: whenever a small instance reaches a violation, neither the old
//! certificate nor one that the search finds for the wrong protocol is accepted; whenever one is accepted, the instance
//! has no violation, and all invariants of the certificate hold in it.
//!
//! A few are tried by default. `PARAPROOF_WRONG_MODELS=200 cargo test --release -p certificate --test wrong_models --
//! --nocapture` tries about so many for each model, and says how they came out.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "counts are said")]

mod support;

use std::path::Path;
use std::time::Duration;

use certificate::fault::Place;
use certificate::proof::Certificate;
use certificate::{Model, check};
use invfinder::{Header, Limits, Verdict, prove};
use protocol::System;
use support::explicit::Instance;
use support::mutate::mutants;

/// Instances with more states than this tell nothing.
const STATE_LIMIT: usize = 6_000;

/// Models whose instances with two nodes are small.
const SMALL: [&str; 9] =
    ["berkeley", "dragon", "germanish", "illinois", "mesi", "moesi", "mutdata", "mutualex", "synapse"];

fn identity() -> Model {
    Model { digest: "00".repeat(32), settings: Vec::new() }
}

fn lowered(path: &Path) -> System {
    let text = std::fs::read_to_string(path).unwrap();
    let program = protocol::read(&text, &protocol::Options::default()).unwrap();
    protocol::lower::lower(&program, &protocol::lower::LowerOptions::default()).unwrap().system
}

fn found(system: &System) -> Option<Certificate> {
    let header = Header { model_digest: identity().digest, settings: Vec::new() };
    let limits = Limits { timeout: Some(Duration::from_secs(2)), ..Limits::default() };
    match prove(system, &header, &limits, &mut |_| true).0 {
        Verdict::Proven(certificate) => Some(*certificate),
        Verdict::Violated(_) | Verdict::Inconclusive(_) => None,
    }
}

/// Whether the instance with two elements has a state in one of the cubes; `None` where it is too large.
fn reaches(system: &System, cubes: &[protocol::system::Cube]) -> Option<bool> {
    let instance = Instance::new(system, 2);
    let states = instance.reachable(STATE_LIMIT)?;
    Some(states.iter().any(|state| cubes.iter().any(|cube| instance.satisfies(state, cube))))
}

fn cubes(certificate: &Certificate) -> Vec<protocol::system::Cube> {
    certificate.invariants.iter().map(|invariant| invariant.cube.clone()).collect()
}

/// The search may rely on what the checker looks at first.
fn is_well_formed(system: &System, certificate: &Certificate) -> bool {
    let faults = check(system, certificate, &identity()).err().unwrap_or_default();
    faults.iter().all(|fault| fault.place != Place::System)
}

/// How the wrong protocols of a model came out: violated, proven, neither.
fn counts(name: &str, system: &System, wanted: usize) -> [u32; 3] {
    let old = found(system).unwrap_or_else(|| panic!("{name} is proven"));
    assert!(check(system, &old, &identity()).is_ok(), "{name}");
    let mut all = mutants(system);
    all.retain(|mutant| is_well_formed(mutant, &old));
    let stride = all.len().div_ceil(wanted).max(1);
    let mut counts = [0; 3];
    for mutant in all.into_iter().step_by(stride) {
        let new = found(&mutant);
        let accepted: Vec<&Certificate> = [Some(&old), new.as_ref()]
            .into_iter()
            .flatten()
            .filter(|certificate| check(&mutant, certificate, &identity()).is_ok())
            .collect();
        if let Some(new) = &new {
            let faults = check(&mutant, new, &identity()).err().unwrap_or_default();
            let reports: Vec<String> = faults.iter().map(|fault| fault.report(&mutant).to_string()).collect();
            assert!(reports.is_empty(), "{name}: not accepted: {reports:#?}");
        }
        let bad: Vec<_> = mutant.properties.iter().flat_map(|property| property.bad.clone()).collect();
        let violated = reaches(&mutant, &bad);
        assert!(accepted.is_empty() || violated != Some(true), "{name}: accepted, but violated: {:#?}", mutant.rules);
        for certificate in &accepted {
            let wrong = reaches(&mutant, &cubes(certificate)) == Some(true);
            assert!(!wrong, "{name}: an invariant does not hold: {:#?}", mutant.rules);
        }
        counts[if violated == Some(true) {
            0
        } else if accepted.is_empty() {
            2
        } else {
            1
        }] += 1;
    }
    counts
}

/// Every invariant of an accepted certificate holds in every reachable state of the instances that are small enough.
#[test]
fn invariants_of_models_hold_in_instances() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    for name in SMALL {
        let system = lowered(&folder.join(format!("{name}.m")));
        let certificate = found(&system).unwrap_or_else(|| panic!("{name} is proven"));
        assert!(check(&system, &certificate, &identity()).is_ok(), "{name}");
        for size in 2..=4 {
            let instance = Instance::new(&system, size);
            let Some(states) = instance.reachable(STATE_LIMIT) else { continue };
            for cube in cubes(&certificate) {
                let bad = states.iter().find(|state| instance.satisfies(state, &cube));
                assert!(bad.is_none(), "{name}, size {size}: {cube:?} holds in {bad:?}");
            }
        }
    }
}

#[test]
fn wrong_models_are_not_accepted() {
    let wanted: Option<usize> = std::env::var("PARAPROOF_WRONG_MODELS").ok().map(|text| text.parse().unwrap());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let mut names: Vec<String> = SMALL.iter().map(|name| (*name).to_owned()).collect();
    if wanted.is_some() {
        let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let models = files.filter(|path| path.extension().is_some_and(|extension| extension == "m"));
        names = models.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        names.sort();
    }
    let mut total = [0; 3];
    for name in &names {
        let system = lowered(&folder.join(format!("{name}.m")));
        if wanted.is_some() && found(&system).is_none() {
            eprintln!("{name}: not proven within the time, left out");
            continue;
        }
        let counts = counts(name, &system, wanted.unwrap_or(6));
        eprintln!("{name}: {} violated and rejected, {} proven and true, {} neither", counts[0], counts[1], counts[2]);
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    eprintln!("all: {total:?}");
    assert!(total[0] > 0 && total[1] > 0);
}
