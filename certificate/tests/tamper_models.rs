//! Tampering with the certificates of the models of this repository: every change of one field is rejected, or gives a
//! proof again that the second checker accepts, whose invariants hold in an explicit instance.
//!
//! A few changes of small certificates are tried by default. `PARAPROOF_CHANGES=110000 cargo test --release -p certificate
//! --test tamper_models -- --nocapture` tries about so many for each model, which are all for the small ones, and says how
//! they came out; `PARAPROOF_MODELS=flash,mesi` names the models. Changes of one relation, by far the most, are tried many
//! in one certificate.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests; what is counted is said")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use certificate::proof::{Certificate, RelationEntry};
use certificate::{FileIdentity, check, check_shard, write};
use protocol::System;
use protocol::system::Cube;
use support::explicit::Instance;
use support::models::{found, identity, lowered, names};
use support::python;
use support::tamper::{Changed, Field, each_change};
use support::together::{Pair, Question, RelationChange, applied, batches, faulty_pairs};

/// The models that are tried by default.
const SMALL: [&str; 4] = ["berkeley", "german", "mesi", "mutualex"];
/// How many changes of each are tried by default, about.
const FEW: u64 = 60;
/// About so many bytes of certificates of a model are given to the Python checker: with changes of relations together; and as
/// many with other changes, in equal parts accepted ones and rejected ones.
const SECOND_OPINIONS: usize = 64 << 20;
/// About so many changes that are rejected together with others are tried alone, too.
const ALONE: usize = 200;
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
    let original = found(&system, Duration::from_secs(600)).unwrap_or_else(|| panic!("{name} is proven"));
    assert!(check(&system, &original, &identity()).is_ok(), "{name}");
    let mut total = 0;
    let mut count = || {
        total += 1;
        false
    };
    each_change(&system, &original, &mut count, &mut |_| {});

    let mut outcome = Outcome::new(SECOND_OPINIONS / 2 / write(&original, &system).len());
    let mut of_relations = Vec::new();
    let mut random = Random(7);
    each_change(&system, &original, &mut || random.below(total) < wanted, &mut |change| match change.changed {
        Changed::Relation(position, entry) => {
            of_relations.push(RelationChange { field: change.field, what: change.what, position, entry });
        }
        Changed::Certificate(changed) => {
            let rejected = is_rejected(&system, &original, &changed);
            outcome.count(change.field, &change.what, rejected, &changed);
            let texts = if rejected { &mut outcome.texts_rejected } else { &mut outcome.texts_accepted };
            texts.add(change.what, || write(&changed, &system));
        }
    });
    let relations = of_relations.len();
    let questions = together(&system, &original, of_relations, &mut outcome);
    let Outcome { accepted, rejected, by_field, invariants, texts_accepted, texts_rejected } = outcome;
    assert!(rejected > 0, "{name}");
    eprintln!(
        "{name}: of {total} changes of one field {} tried, {relations} of them of relations: {rejected} rejected, {accepted} \
         accepted {by_field:?}",
        accepted + rejected
    );
    eprintln!("{name}: {} lists of invariants {}", invariants.len(), all_hold(&system, &invariants));
    if python::is_there() {
        let singly = agrees(&system, &texts_accepted, true) + agrees(&system, &texts_rejected, false);
        let all = questions.len();
        let asked = support::together::agrees(&system, questions);
        eprintln!("{name}: the Python checker agrees on {} changes, {asked} of them in {all} files", singly + asked);
    }
}

/// What came out.
#[derive(Default)]
struct Outcome {
    accepted: u64,
    rejected: u64,
    by_field: BTreeMap<Field, u64>,
    /// The invariants of what was accepted.
    invariants: BTreeSet<Vec<Cube>>,
    texts_accepted: Sample,
    texts_rejected: Sample,
}

impl Outcome {
    fn new(texts: usize) -> Self {
        Self { texts_accepted: Sample::new(texts), texts_rejected: Sample::new(texts), ..Self::default() }
    }

    fn count(&mut self, field: Field, what: &str, rejected: bool, changed: &Certificate) {
        if rejected {
            self.rejected += 1;
        } else {
            self.accepted += 1;
            *self.by_field.entry(field).or_default() += 1;
            let harmless =
                matches!(field, Field::Origin | Field::Premise | Field::Split | Field::Cube | Field::Invariants);
            assert!(harmless, "accepted: {field:?} {what}");
            self.invariants.insert(changed.invariants.iter().map(|i| i.cube.clone()).collect());
        }
    }
}

/// Tries changes of relations, many together: see [`support::together`]. Those without a fault are tried alone, and of the
/// others one in a while, which has to come out the same. Delivers what is to be asked of the Python checker: about as many as
/// its input is bounded by, and all that are accepted.
fn together(
    system: &System,
    original: &Certificate,
    changes: Vec<RelationChange>,
    outcome: &mut Outcome,
) -> Vec<Question> {
    let mut left = SECOND_OPINIONS / write(original, system).len();
    let every = u64::try_from(changes.len() / ALONE).unwrap().max(1);
    let (mut questions, mut not_asked) = (Vec::new(), Vec::new());
    for batch in batches(original, changes) {
        let faulty = faulty_pairs(system, &applied(original, &batch.iter().collect::<Vec<_>>()));
        let touched: BTreeSet<Pair> = batch.iter().flat_map(|change| change.pairs(original)).collect();
        assert!(faulty.is_subset(&touched), "faults where nothing was changed: {:?}", &faulty - &touched);
        if left > 0 {
            let (question, refused) = Question::new(system, original, &batch, &faulty);
            questions.push(question);
            for change in refused {
                let text = || write(&applied(original, &[change]), system);
                outcome.texts_rejected.add(change.what.clone(), text);
            }
        }
        for change in batch {
            let rejected = !change.pairs(original).is_disjoint(&faulty);
            if !rejected || outcome.rejected.is_multiple_of(every) {
                let alone = check(system, &applied(original, &[&change]), &identity()).is_err();
                assert_eq!(alone, rejected, "{}: alone, and with others", change.what);
            }
            outcome.count(change.field, &change.what, rejected, original);
            if !rejected && left == 0 {
                not_asked.push(change);
            }
        }
        left = left.saturating_sub(1);
    }
    let none = BTreeSet::new();
    let rest = batches(original, not_asked);
    questions.extend(rest.iter().map(|batch| Question::new(system, original, batch, &none).0));
    questions
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
    let file = FileIdentity { sha256: String::new(), relations: 0 };
    let has_faults = |shard| !check_shard(system, changed, &identity(), &file, shard, of).unwrap().faults.is_empty();
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
#[derive(Default)]
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
