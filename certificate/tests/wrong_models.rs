//! Wrong protocols made of the models of this repository: whenever a small instance reaches a violation, neither the
//! old certificate nor one that the search finds for the wrong protocol is accepted; whenever one is accepted, the
//! instance has no violation, and all invariants of the certificate hold in it.
//!
//! A few are tried by default. `PARAPROOF_WRONG_MODELS=200 cargo test --release -p certificate --test wrong_models --
//! --nocapture` tries that many different ones for each model, in a random order that is the same in every run, and
//! prints the results; `PARAPROOF_MODELS=mesi,moesi` names the models, and `PARAPROOF_SEARCH_SECONDS` the time for each
//! search.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "the tests report counts")]

mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use certificate::check;
use certificate::fault::Place;
use certificate::proof::Certificate;
use invfinder::Verdict;
use support::explicit::{Instance, Reached};
use support::models::{found, identity, lowered, names, verdict};
use support::mutate::{with_rule, wrong_rules};
use support::random::Random;
use system::Cube;
use system::System;

/// Instances with more states than this are inconclusive, unless one of those states is bad.
const STATE_LIMIT: usize = 6_000;
/// The number of random walks in an instance of two or three elements with more states.
const WALKS: usize = 60;
/// How long the search may take for a wrong protocol.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Numbers of elements of each type.
const SIZES: [usize; 3] = [2, 3, 4];

/// Models whose instances with two nodes are small.
const SMALL: [&str; 9] =
    ["berkeley", "dragon", "germanish", "illinois", "mesi", "moesi", "mutdata", "mutualex", "synapse"];

/// The models that the environment names.
fn named() -> Option<Vec<String>> {
    std::env::var("PARAPROOF_MODELS").ok().map(|text| text.split(',').map(str::to_owned).collect())
}

fn timeout() -> Duration {
    std::env::var("PARAPROOF_SEARCH_SECONDS").map_or(TIMEOUT, |text| Duration::from_secs(text.parse().unwrap()))
}

fn cubes(certificate: &Certificate) -> Vec<Cube> {
    certificate.invariants.iter().map(|invariant| invariant.cube.clone()).collect()
}

/// The search may rely on the well-formedness that the checker checks first.
fn is_well_formed(system: &System) -> bool {
    let nothing = Certificate {
        model_digest: identity().digest,
        settings: identity().settings,
        properties: Vec::new(),
        invariants: Vec::new(),
        initial: Vec::new(),
        relations: Vec::new(),
    };
    let faults = check(system, &nothing, &identity()).err().unwrap_or_default();
    faults.iter().all(|fault| fault.place != Place::System)
}

/// The results of wrong protocols.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// An instance reaches a violation, or the search has a trace to one, and no certificate is accepted.
    violated: u32,
    /// Of these, those for which only the search has a trace.
    traced: u32,
    /// The certificate of the right protocol is rejected for the wrong one.
    old_rejected: u32,
    /// A certificate is accepted, and its invariants hold in all instances that are small enough.
    proven: u32,
    /// Of these, those with at least one such instance.
    confirmed: u32,
    /// No certificate, and no violation in the instances.
    neither: u32,
    /// For each of the sizes, how many instances were explored completely.
    whole: [u32; SIZES.len()],
}

impl Counts {
    fn all(&self) -> u32 {
        self.violated + self.proven + self.neither
    }

    fn tell(&self, name: &str) {
        eprintln!(
            "{name}: of {} {} violated and rejected ({} by a trace of the search alone), {} proven and not refuted ({} of them \
             by an instance with all its states), {} neither; old certificate rejected {}; instances of {SIZES:?} with \
             all states: {:?}",
            self.all(),
            self.violated,
            self.traced,
            self.proven,
            self.confirmed,
            self.neither,
            self.old_rejected,
            self.whole
        );
    }
}

/// The results of instances of these sizes, until one is too large, as larger ones would be, too. The first two of
/// those that are too large are explored in part.
fn reached(system: &System, sizes: &[usize], bad: &[Cube]) -> Vec<Reached> {
    let mut all = Vec::new();
    for size in sizes {
        if !all.contains(&Reached::Unknown) {
            all.push(Instance::new(system, *size).reaches(bad, STATE_LIMIT));
        }
        if *size <= 3 && all.last() == Some(&Reached::Unknown) {
            all.push(Instance::new(system, *size).reaches_in_part(bad, STATE_LIMIT, WALKS));
        }
    }
    all
}

/// Wrong protocols made of a system, all different and well-formed: as many as are wanted, or all.
fn wrong(system: &System, wanted: usize) -> Vec<System> {
    let mut rules = wrong_rules(system);
    Random(3).shuffle(&mut rules);
    let mut seen: BTreeSet<String> = system.rules.iter().enumerate().map(|both| format!("{both:?}")).collect();
    let different = rules.into_iter().filter(|both| seen.insert(format!("{both:?}")));
    let systems = different.map(|(position, rule)| with_rule(system, position, rule));
    systems.filter(is_well_formed).take(wanted).collect()
}

/// The results of wrong protocols made of a model.
fn counts(name: &str, system: &System, wanted: usize, sizes: &[usize]) -> Counts {
    let old = found(system, Duration::from_secs(600)).unwrap_or_else(|| panic!("{name} is proven"));
    assert!(check(system, &old, &identity()).is_ok(), "{name}");
    let mut counts = Counts::default();
    for mutant in wrong(system, wanted) {
        counts.add(name, &mutant, &old, sizes);
        if counts.all().is_multiple_of(20) {
            counts.tell(name);
        }
    }
    counts
}

impl Counts {
    /// Tries one wrong protocol.
    fn add(&mut self, name: &str, mutant: &System, old: &Certificate, sizes: &[usize]) {
        let verdict = verdict(mutant, timeout());
        let new = if let Verdict::Proven(new) = &verdict { Some(&**new) } else { None };
        if let Some(new) = new {
            let faults = check(mutant, new, &identity()).err().unwrap_or_default();
            let reports: Vec<String> = faults.iter().map(|fault| fault.report(mutant, new).to_string()).collect();
            assert!(reports.is_empty(), "{name}: not accepted: {reports:#?}");
        }
        let old = Some(old).filter(|old| check(mutant, old, &identity()).is_ok());
        self.old_rejected += u32::from(old.is_none());
        let mut bad: Vec<Cube> = mutant.properties.iter().flat_map(|property| property.bad.clone()).collect();
        bad.extend([old, new].into_iter().flatten().flat_map(cubes));
        let is_proven = old.is_some() || new.is_some();
        let reached = reached(mutant, sizes, &bad);
        let is_bad = reached.contains(&Reached::Bad);
        let has_trace = matches!(verdict, Verdict::Violated(_));
        assert!(
            !(is_proven && (is_bad || has_trace)),
            "{name}: accepted, but violated or not true: {:#?}",
            mutant.rules
        );
        let count = match (is_bad || has_trace, is_proven) {
            (true, _) => &mut self.violated,
            (false, true) => &mut self.proven,
            (false, false) => &mut self.neither,
        };
        *count += 1;
        self.traced += u32::from(has_trace && !is_bad);
        self.confirmed += u32::from(is_proven && reached.contains(&Reached::AllGood));
        for (whole, reached) in self.whole.iter_mut().zip(&reached) {
            *whole += u32::from(*reached == Reached::AllGood);
        }
    }
}

/// Every invariant of an accepted certificate holds in every reachable state of the instances that are small enough.
#[test]
fn invariants_of_models_hold_in_instances() {
    for name in SMALL {
        let system = lowered(name);
        let certificate = found(&system, TIMEOUT).unwrap_or_else(|| panic!("{name} is proven"));
        assert!(check(&system, &certificate, &identity()).is_ok(), "{name}");
        let reached = SIZES.map(|size| Instance::new(&system, size).reaches(&cubes(&certificate), STATE_LIMIT));
        assert!(!reached.contains(&Reached::Bad), "{name}: {reached:?}");
        assert_eq!(reached[0], Reached::AllGood, "{name}");
    }
}

/// The same for all models and instances with many states.
#[test]
#[ignore = "it takes minutes"]
fn invariants_of_all_models_hold_in_instances() {
    for name in named().unwrap_or_else(names) {
        let system = lowered(&name);
        let certificate = found(&system, Duration::from_secs(600)).unwrap_or_else(|| panic!("{name} is proven"));
        assert!(check(&system, &certificate, &identity()).is_ok(), "{name}");
        let reached = SIZES.map(|size| Instance::new(&system, size).reaches(&cubes(&certificate), 20 * STATE_LIMIT));
        eprintln!("{name}: {SIZES:?}: {reached:?}");
        assert!(!reached.contains(&Reached::Bad), "{name}: {reached:?}");
    }
}

#[test]
fn wrong_models_are_not_accepted() {
    let wanted: Option<usize> = std::env::var("PARAPROOF_WRONG_MODELS").ok().map(|text| text.parse().unwrap());
    let default = || if wanted.is_some() { names() } else { SMALL.map(str::to_owned).to_vec() };
    let sizes = if wanted.is_some() { &SIZES[..] } else { &SIZES[..1] };
    let (mut violated, mut proven) = (0, 0);
    for name in named().unwrap_or_else(default) {
        let counts = counts(&name, &lowered(&name), wanted.unwrap_or(6), sizes);
        counts.tell(&name);
        violated += counts.violated;
        proven += counts.proven;
    }
    assert!(violated > 0 && proven > 0);
}
