//! What the checker accepts is true: in explicit instances, every invariant of an accepted certificate holds in every
//! reachable state, for good protocols, for tampered certificates and for wrong protocols.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests, which report what they skip and count")]

mod support;

use std::collections::BTreeSet;

use certificate::check;
use certificate::proof::Certificate;
use support::explicit::Instance;
use support::mutate::mutants;
use support::prove::{certify, model, try_certify};
use support::systems::all_examples;
use support::tamper::all_changes;
use system::System;

const STATE_LIMIT: usize = 20_000;

/// One in this many wrong protocols is tried by default. `PARAPROOF_ALL_CHANGES=1` tries all.
const STRIDE: usize = 7;

/// Whether some reachable state of an instance satisfies a cube of an invariant, or of a property.
fn refuted(system: &System, certificate: &Certificate, sizes: &[usize]) -> (bool, bool) {
    let (mut invariants, mut properties) = (false, false);
    for size in sizes {
        let instance = Instance::new(system, *size);
        let Some(states) = instance.reachable(STATE_LIMIT) else { continue };
        for state in &states {
            invariants |= certificate.invariants.iter().any(|invariant| instance.satisfies(state, &invariant.cube));
            properties |= system.properties.iter().flat_map(|p| &p.bad).any(|cube| instance.satisfies(state, cube));
        }
    }
    (invariants, properties)
}

#[test]
fn invariants_of_good_certificates_hold_in_instances() {
    for example in all_examples() {
        let certificate = certify(&example.system, &example.cubes);
        assert!(check(&example.system, &certificate, &model()).is_ok());
        for size in 1..=3 {
            let states = Instance::new(&example.system, size).reachable(STATE_LIMIT);
            // Some have no state of fewer than three elements, and some have many states of three.
            let explored = states.map_or(size == 3, |states| size < 3 || !states.is_empty());
            assert!(explored, "{}: size {size}", example.name);
        }
        assert_eq!(refuted(&example.system, &certificate, &[1, 2, 3]), (false, false), "{}", example.name);
    }
}

#[test]
fn mutual_exclusion_has_the_known_number_of_states() {
    let example = support::systems::mutual_exclusion();
    let counts: Vec<usize> =
        (2..=5).map(|size| Instance::new(&example.system, size).reachable(STATE_LIMIT).unwrap().len()).collect();
    assert_eq!(counts, [12, 32, 80, 192]);
}

#[test]
fn accepted_changes_have_true_invariants() {
    for example in all_examples() {
        let certificate = certify(&example.system, &example.cubes);
        let mut invariants = BTreeSet::new();
        for tampered in all_changes(&example.system, &certificate) {
            if check(&example.system, &tampered.certificate, &model()).is_ok() {
                let cubes: Vec<_> = tampered.certificate.invariants.iter().map(|i| i.cube.clone()).collect();
                if invariants.insert(cubes) {
                    let refuted = refuted(&example.system, &tampered.certificate, &[2, 3]);
                    assert_eq!(refuted, (false, false), "{}: {}", example.name, tampered.what);
                }
            }
        }
    }
}

#[test]
fn wrong_protocols_are_not_accepted() {
    let stride = if std::env::var_os("PARAPROOF_ALL_CHANGES").is_some() { 1 } else { STRIDE };
    let (mut wrong, mut good, mut other) = (0, 0, 0);
    for example in all_examples() {
        let old = certify(&example.system, &example.cubes);
        for mutant in mutants(&example.system).into_iter().step_by(stride) {
            // The old certificate, and the certificate that the small prover finds with the old invariants.
            let new = try_certify(&mutant, &example.cubes);
            let accepted = [Some(&old), new.as_ref()]
                .into_iter()
                .flatten()
                .any(|certificate| check(&mutant, certificate, &model()).is_ok());
            let well_formed = check(&mutant, &old, &model())
                .err()
                .is_none_or(|faults| faults.iter().all(|f| f.place != certificate::fault::Place::System));
            if !well_formed {
                assert!(!accepted);
                other += 1;
                continue;
            }
            let (invariants, properties) = refuted(&mutant, &old, &[2, 3]);
            assert!(!(accepted && invariants), "{}: accepted, but not true: {:?}", example.name, mutant.rules);
            assert!(!(accepted && properties), "{}: accepted, but violated: {:?}", example.name, mutant.rules);
            match (accepted, properties) {
                (true, _) => good += 1,
                (false, true) => wrong += 1,
                (false, false) => other += 1,
            }
        }
    }
    eprintln!("wrong and rejected: {wrong}, still proven: {good}, neither or not well-formed: {other}");
    assert!(wrong > 20 && good > 20);
}
