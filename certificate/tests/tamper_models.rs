//! Tampering with the certificates of the models of this repository: every change of one field is rejected, or gives a
//! proof again that the second checker accepts, whose invariants hold in an explicit instance.
//!
//! A few changes of small certificates are tried by default. `PARAPROOF_CHANGES=110000 cargo test --release -p certificate
//! --test tamper_models -- --nocapture` tries about so many for each model, which are all for the small ones, and says how
//! they came out; `PARAPROOF_MODELS=flash,mesi` names the models.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests; what is counted is said")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use certificate::proof::{Certificate, RelationEntry};
use certificate::{check, check_shard, write};
use protocol::System;
use protocol::system::Cube;
use support::explicit::Instance;
use support::models::{found, identity, lowered, names};
use support::python;
use support::tamper::{Field, Tampered, each_change};

/// The models that are tried by default.
const SMALL: [&str; 4] = ["berkeley", "german", "mesi", "mutualex"];
/// How many changes of each are tried by default, about.
const FEW: u64 = 60;
/// At most so many bytes of certificates of a model are given to the Python checker, in equal parts accepted ones and
/// rejected ones.
const SECOND_OPINIONS: usize = 64 << 20;
/// Instances with more states than this tell nothing.
const STATE_LIMIT: usize = 20_000;

#[test]
fn changes_are_rejected_or_harmless() {
    let wanted: Option<u64> = std::env::var("PARAPROOF_CHANGES").ok().map(|text| text.parse().unwrap());
    let only = std::env::var("PARAPROOF_MODELS").ok().map(|text| text.split(',').map(str::to_owned).collect());
    let default = || if wanted.is_some() { names() } else { SMALL.map(str::to_owned).to_vec() };
    for name in only.unwrap_or_else(default) {
        tamper(&name, wanted.unwrap_or(FEW));
    }
}

/// A small generator of pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Tries about `wanted` changes of the certificate of a model.
fn tamper(name: &str, wanted: u64) {
    let system = lowered(name);
    let original = found(&system, Duration::from_secs(60)).unwrap_or_else(|| panic!("{name} is proven"));
    assert!(check(&system, &original, &identity()).is_ok(), "{name}");
    let mut total = 0;
    let mut count = || {
        total += 1;
        false
    };
    each_change(&system, &original, &mut count, &mut |_| {});

    let texts = SECOND_OPINIONS / 2 / write(&original, &system).len();
    let (mut accepted, mut rejected) = (Sample::new(texts), Sample::new(texts));
    let mut by_field: BTreeMap<Field, u64> = BTreeMap::new();
    let mut invariants = BTreeSet::new();
    let mut random = Random(7);
    each_change(&system, &original, &mut || random.below(total) < wanted, &mut |tampered| {
        let Tampered { field, what, certificate } = tampered;
        if is_rejected(&system, &original, &certificate) {
            rejected.add(what, || write(&certificate, &system));
        } else {
            *by_field.entry(field).or_default() += 1;
            let harmless =
                matches!(field, Field::Origin | Field::Premise | Field::Split | Field::Cube | Field::Invariants);
            assert!(harmless, "{name}: {field:?} {what}");
            invariants.insert(certificate.invariants.iter().map(|i| i.cube.clone()).collect::<Vec<_>>());
            accepted.add(what, || write(&certificate, &system));
        }
        if (accepted.seen + rejected.seen).is_multiple_of(10_000) {
            eprintln!("{name}: {} accepted, {} rejected so far", accepted.seen, rejected.seen);
        }
    });
    assert!(rejected.seen > 0, "{name}");

    let instance = all_hold(&system, &invariants);
    let asked =
        if python::is_there() { agrees(&system, &accepted, true) + agrees(&system, &rejected, false) } else { 0 };
    eprintln!(
        "{name}: of {total} changes of one field {} rejected, {} accepted {by_field:?}; the Python checker agrees on \
         {asked}; {} lists of invariants {instance}",
        rejected.seen,
        accepted.seen,
        invariants.len()
    );
}

/// Whether the checker rejects.
///
/// Where only relations differ, and their rules follow each other as before, rules whose relations are the same need no
/// look: the original was accepted.
fn is_rejected(system: &System, original: &Certificate, changed: &Certificate) -> bool {
    let head = |c: &Certificate| {
        (c.model_digest.clone(), c.settings.clone(), c.properties.clone(), c.invariants.clone(), c.initial.clone())
    };
    let same_head = head(original) == head(changed);
    let (of_original, of_changed) = (by_rule(original), by_rule(changed));
    let same_order = rules_in_order(original) == rules_in_order(changed);
    let of = u32::try_from(system.rules.len()).unwrap();
    let differs = |rule: u32| !same_head || !same_order || of_original.get(&rule) != of_changed.get(&rule);
    let has_faults = |shard| !check_shard(system, changed, &identity(), "", shard, of).unwrap().faults.is_empty();
    (0..of).any(|rule| differs(rule) && has_faults(rule + 1))
}

/// The rules that the relations are about, one after the other.
fn rules_in_order(certificate: &Certificate) -> Vec<u32> {
    let mut rules: Vec<u32> = certificate.relations.iter().map(|entry| entry.rule.0).collect();
    rules.dedup();
    rules
}

fn by_rule(certificate: &Certificate) -> BTreeMap<u32, Vec<&RelationEntry>> {
    let mut all: BTreeMap<u32, Vec<&RelationEntry>> = BTreeMap::new();
    for entry in &certificate.relations {
        all.entry(entry.rule.0).or_default().push(entry);
    }
    all
}

/// Texts of which at most so many are kept, spread over all.
struct Sample {
    limit: usize,
    stride: u64,
    seen: u64,
    kept: Vec<(u64, String, String)>,
}

impl Sample {
    fn new(limit: usize) -> Self {
        Self { limit: limit.max(2), stride: 1, seen: 0, kept: Vec::new() }
    }

    fn add(&mut self, what: String, text: impl FnOnce() -> String) {
        if self.seen.is_multiple_of(self.stride) {
            self.kept.push((self.seen, what, text()));
        }
        self.seen += 1;
        if self.kept.len() > self.limit {
            self.stride *= 2;
            let stride = self.stride;
            self.kept.retain(|(position, _, _)| position.is_multiple_of(stride));
        }
    }
}

/// Whether the Python checker says the same about all texts that were kept; how many these are.
fn agrees(system: &System, sample: &Sample, expected: bool) -> usize {
    let texts: Vec<String> = sample.kept.iter().map(|(_, _, text)| text.clone()).collect();
    let theirs = python::first_lines(system, &identity(), &texts);
    for ((_, what, _), theirs) in sample.kept.iter().zip(theirs) {
        assert_eq!(expected, theirs == "accepted", "{what}: the Python checker says {theirs}");
    }
    texts.len()
}

/// No reachable state of the instance with two elements is in one of the cubes; says where it was too large.
fn all_hold(system: &System, lists: &BTreeSet<Vec<Cube>>) -> &'static str {
    let instance = Instance::new(system, 2);
    let Some(states) = instance.reachable(STATE_LIMIT) else { return "not tried: the instance is large" };
    let cubes: BTreeSet<&Cube> = lists.iter().flatten().collect();
    for cube in cubes {
        assert!(!states.iter().any(|state| instance.satisfies(state, cube)), "{cube:?} holds in a reachable state");
    }
    "hold in the instance with 2 elements"
}
