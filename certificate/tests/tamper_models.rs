//! Tampering with the certificates of the models of this repository: every change of one field is rejected, or gives a
//! valid proof, that the second checker accepts, whose invariants hold in an explicit instance.
//!
//! A few changes of small certificates are tried by default. `PARAPROOF_CHANGES=110000 cargo test --release -p
//! certificate
//! --test tamper_models -- --nocapture` tries about that many for each model, which is all of them for the small ones,
//! and prints the results. `PARAPROOF_OTHER_CHANGES=6000` sets another number for changes of the header, of invariants,
//! and of the proofs of properties and startstates, and `PARAPROOF_MODELS=flash,mesi` names the models. Most changes
//! are of one relation; many of these are tried in one certificate, and so are, by the Python checker, changes of
//! origins.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests, which report what they count")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use certificate::proof::{Certificate, RelationEntry};
use certificate::{FileIdentity, check, check_shard, write};
use support::explicit::{Instance, Reached};
use support::models::{found, identity, lowered, names};
use support::python;
use support::random::Random;
use support::tamper::{Changed, Field, each_change};
use support::together::{Pair, Question, RelationChange, applied, batches, faulty_pairs};
use system::Cube;
use system::System;

/// The models that are tried by default.
const SMALL: [&str; 4] = ["berkeley", "german", "mesi", "mutualex"];
/// About how many changes of relations, and how many others, are tried for each by default.
const FEW: u64 = 30;
/// About this many bytes of certificates of a model are given to the Python checker with changes of relations together,
/// and as many with other changes, half of them accepted and half of them rejected.
const SECOND_OPINIONS: usize = 16 << 20;
/// About this many changes that are rejected together with others are tried alone, too.
const ALONE: usize = 200;
/// Instances with more states than this are explored in part: this many states, and this many random walks.
const STATE_LIMIT: usize = 20_000;
const WALKS: usize = 200;

#[test]
fn changes_are_rejected_or_harmless() {
    let wanted: Option<u64> = std::env::var("PARAPROOF_CHANGES").ok().map(|text| text.parse().unwrap());
    let only = std::env::var("PARAPROOF_MODELS").ok().map(|text| text.split(',').map(str::to_owned).collect());
    let default = || if wanted.is_some() { names() } else { SMALL.map(str::to_owned).to_vec() };
    for name in only.unwrap_or_else(default) {
        tamper(&name, wanted.unwrap_or(FEW));
    }
}

/// Tries about `wanted` changes of the certificate of a model.
fn tamper(name: &str, wanted: u64) {
    let system = lowered(name);
    let original = found(&system, Duration::from_secs(600)).unwrap_or_else(|| panic!("{name} is proven"));
    assert!(check(&system, &original, &identity()).is_ok(), "{name}");
    let others = std::env::var("PARAPROOF_OTHER_CHANGES").map_or(wanted, |text| text.parse().unwrap());
    let (mut total, mut of_others) = (0, 0);
    each_change(
        &system,
        &original,
        &mut |is_relation| {
            *(if is_relation { &mut total } else { &mut of_others }) += 1;
            false
        },
        &mut |_| {},
    );

    let mut outcome = Outcome::new(SECOND_OPINIONS / 2 / write(&original, &system).len());
    let mut of_relations = Vec::new();
    let mut random = Random(7);
    let mut is_wanted = |is_relation| match is_relation {
        true => random.below(total) < wanted,
        false => random.below(of_others) < others,
    };
    each_change(&system, &original, &mut is_wanted, &mut |change| match change.changed {
        Changed::Relation(position, entry) => {
            of_relations.push(RelationChange { field: change.field, what: change.what, position, entry });
        }
        Changed::Certificate(changed) => {
            let rejected = is_rejected(&system, &original, &changed);
            outcome.count(change.field, &change.what, rejected, &changed);
            if rejected {
                outcome.texts_rejected.add(change.what, || write(&changed, &system));
            } else if change.field == Field::Origin {
                outcome.origins.add(&original, &changed);
            } else {
                outcome.texts_accepted.add(change.what, || write(&changed, &system));
            }
        }
    });
    let relations = of_relations.len();
    let questions = together(&system, &original, of_relations, &mut outcome);
    let Outcome { accepted, rejected, by_field, invariants, texts_accepted, texts_rejected, origins } = outcome;
    assert!(rejected > 0, "{name}");
    eprintln!(
        "{name}: of {total} changes of relations and {of_others} others {} tried, {relations} of them of relations: {rejected} \
         rejected, {accepted} accepted {by_field:?}",
        accepted + rejected
    );
    eprintln!("{name}: {} lists of invariants {}", invariants.len(), all_hold(&system, &invariants));
    if python::is_there() {
        let singly = agrees(&system, &texts_accepted, true) + agrees(&system, &texts_rejected, false);
        let of_origins = origins.agrees(&system);
        let all = questions.len();
        let asked = support::together::agrees(&system, questions);
        eprintln!(
            "{name}: the Python checker agrees on {} changes, {asked} of them in {all} files, {of_origins} origins in {}; on \
             all that are accepted",
            singly + asked + of_origins,
            origins.together.len()
        );
    }
}

/// The results.
#[derive(Default)]
struct Outcome {
    accepted: u64,
    rejected: u64,
    by_field: BTreeMap<Field, u64>,
    /// The invariants of accepted certificates.
    invariants: BTreeSet<Vec<Cube>>,
    texts_accepted: Sample,
    texts_rejected: Sample,
    origins: Origins,
}

impl Outcome {
    /// All accepted texts are kept, and this many rejected ones.
    fn new(texts: usize) -> Self {
        let (texts_accepted, texts_rejected) = (Sample::new(usize::MAX), Sample::new(texts));
        Self { texts_accepted, texts_rejected, ..Self::default() }
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

/// Tries changes of relations, many together: see [`support::together`]. Those without a fault are tried alone, and so
/// are some of the others, which has to give the same result. Returns the questions for the Python checker: as many as
/// the bound of its input allows, and all that are accepted.
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
/// If only relations differ, and their rules follow each other as before, rules with the same relations need not be
/// checked, since the original was accepted.
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

/// Other origins of invariants that are accepted. Nothing depends on them, so that the Python checker gets those of
/// different invariants in one certificate.
#[derive(Default)]
struct Origins {
    together: Vec<Certificate>,
    /// How many there are of each invariant.
    counts: BTreeMap<usize, usize>,
}

impl Origins {
    /// The certificates differ in the origin of one invariant.
    fn add(&mut self, original: &Certificate, changed: &Certificate) {
        let differ = original.invariants.iter().zip(&changed.invariants).position(|(before, after)| before != after);
        let position = differ.unwrap();
        let count = self.counts.entry(position).or_default();
        if self.together.len() == *count {
            self.together.push(original.clone());
        }
        self.together[*count].invariants[position] = changed.invariants[position].clone();
        *count += 1;
    }

    /// Asserts that the Python checker accepts all, and returns their number.
    fn agrees(&self, system: &System) -> usize {
        let texts: Vec<String> = self.together.iter().map(|certificate| write(certificate, system)).collect();
        assert!(python::first_lines(system, &identity(), &texts).iter().all(|line| line == "accepted"));
        self.counts.values().sum()
    }
}

/// Texts of which a bounded number is kept, spread over all.
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

/// Asserts that the Python checker agrees about all texts that were kept, and returns their number.
fn agrees(system: &System, sample: &Sample, expected: bool) -> usize {
    let texts: Vec<String> = sample.kept.iter().map(|(_, _, text)| text.clone()).collect();
    let theirs = python::first_lines(system, &identity(), &texts);
    for ((_, what, _), theirs) in sample.kept.iter().zip(theirs) {
        assert_eq!(expected, theirs == "accepted", "{what}: the Python checker says {theirs}");
    }
    texts.len()
}

/// No reachable state of the instance with two elements is in one of the cubes, as far as it is explored; returns how
/// far.
fn all_hold(system: &System, lists: &BTreeSet<Vec<Cube>>) -> String {
    let instance = Instance::new(system, 2);
    let cubes: BTreeSet<&Cube> = lists.iter().flatten().collect();
    let cubes: Vec<Cube> = cubes.into_iter().cloned().collect();
    let whole = match instance.reaches(&cubes, STATE_LIMIT) {
        Reached::Unknown => "a part",
        Reached::AllGood => "all",
        Reached::Bad => panic!("a cube of {cubes:?} holds in a reachable state"),
    };
    if whole == "a part" {
        let reached = instance.reaches_in_part(&cubes, STATE_LIMIT, WALKS);
        assert_eq!(reached, Reached::Unknown, "a cube of {cubes:?} holds in a reachable state");
    }
    format!("hold in {whole} of the instance with 2 elements, {} states", instance.looked_at())
}
