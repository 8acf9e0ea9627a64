//! Many changes of relations in one certificate.
//!
//! The checkers report all faults, and the faults about a rule and an invariant depend only on the invariants of the
//! certificate and on its entries about this pair (other than that an entry is out of order, which does not count
//! here). So changes about different pairs can be tried together, and each of them is rejected if there is a fault
//! about its pair. Users of this module have to try some changes alone as well.

use std::collections::{BTreeMap, BTreeSet};

use certificate::fault::{Fault, Place, Problem};
use certificate::proof::{Certificate, RelationEntry};
use certificate::{check, read, write};
use system::System;

use super::models::identity;
use super::python;
use super::tamper::Field;

/// A change of one entry of the relations.
pub(crate) struct RelationChange {
    pub(crate) field: Field,
    pub(crate) what: String,
    pub(crate) position: usize,
    pub(crate) entry: RelationEntry,
}

/// A rule and an invariant.
pub(crate) type Pair = (u32, u32);

impl RelationChange {
    /// The pairs of the old and of the new entry.
    pub(crate) fn pairs(&self, original: &Certificate) -> BTreeSet<Pair> {
        [&original.relations[self.position], &self.entry].map(|entry| (entry.rule.0, entry.invariant.0)).into()
    }
}

/// Distributes changes, so that no two of a batch are about the same rule and invariant. The first batches have the
/// most.
pub(crate) fn batches(original: &Certificate, changes: Vec<RelationChange>) -> Vec<Vec<RelationChange>> {
    let mut next: BTreeMap<Pair, usize> = BTreeMap::new();
    let mut all: Vec<Vec<RelationChange>> = Vec::new();
    for change in changes {
        let pairs = change.pairs(original);
        let number = pairs.iter().filter_map(|pair| next.get(pair)).max().copied().unwrap_or(0);
        next.extend(pairs.into_iter().map(|pair| (pair, number + 1)));
        while all.len() <= number {
            all.push(Vec::new());
        }
        all[number].push(change);
    }
    all
}

/// The certificate with the changes.
pub(crate) fn applied(original: &Certificate, changes: &[&RelationChange]) -> Certificate {
    let mut certificate = original.clone();
    for change in changes {
        certificate.relations[change.position] = change.entry.clone();
    }
    certificate
}

/// The pairs with faults.
pub(crate) fn faulty_pairs(system: &System, certificate: &Certificate) -> BTreeSet<Pair> {
    let faults = check(system, certificate, &identity()).err().unwrap_or_default();
    let faults = faults.into_iter().filter(|fault| fault.problem != Problem::Disordered);
    let pair = |fault: Fault| {
        let Place::Relation { rule, invariant, .. } = fault.place else {
            panic!("a fault of {:?}, where relations were changed", fault.place)
        };
        (rule.0, invariant.0)
    };
    faults.map(pair).collect()
}

/// A certificate with many changes for the Python checker.
pub(crate) struct Question {
    text: String,
    /// For each change what it is, its pairs, and whether the checker rejects it.
    about: Vec<(String, BTreeSet<Pair>, bool)>,
}

impl Question {
    /// Leaves out changes with which the file cannot be read, and returns them, too.
    pub(crate) fn new<'c>(
        system: &System,
        original: &Certificate,
        batch: &'c [RelationChange],
        faulty: &BTreeSet<Pair>,
    ) -> (Self, Vec<&'c RelationChange>) {
        let mut bare = Certificate { properties: Vec::new(), initial: Vec::new(), ..original.clone() };
        let mut is_readable = |change: &&RelationChange| {
            if change.entry.rule != original.relations[change.position].rule {
                return false;
            }
            bare.relations = vec![change.entry.clone()];
            read(write(&bare, system).as_bytes(), system).is_ok_and(|again| again == bare)
        };
        let (readable, refused): (Vec<&RelationChange>, _) = batch.iter().partition(|change| is_readable(change));
        let certificate = applied(original, &readable);
        let text = write(&certificate, system);
        assert_eq!(read(text.as_bytes(), system).ok().as_ref(), Some(&certificate));
        let about = |change: &RelationChange| {
            let pairs = change.pairs(original);
            (change.what.clone(), pairs.clone(), !pairs.is_disjoint(faulty))
        };
        (Self { text, about: readable.into_iter().map(about).collect() }, refused)
    }
}

/// Asserts that the Python checker agrees, and returns the number of changes that it was asked about.
pub(crate) fn agrees(system: &System, questions: Vec<Question>) -> usize {
    let (texts, about): (Vec<String>, Vec<_>) =
        questions.into_iter().map(|question| (question.text, question.about)).unzip();
    let mut asked = 0;
    for (reasons, about) in python::reasons(system, &identity(), &texts).into_iter().zip(about) {
        let faulty: BTreeSet<Pair> = reasons.iter().filter_map(|reason| pair(reason)).collect();
        assert!(!reasons.is_empty() || about.iter().all(|(_, _, rejected)| !rejected), "the Python checker accepts");
        for (what, pairs, rejected) in about {
            let theirs = !pairs.is_disjoint(&faulty);
            assert_eq!(theirs, rejected, "{what}: the Python checker says {theirs}, about others, too: {reasons:#?}");
            asked += 1;
        }
    }
    asked
}

/// The rule and the invariant of a reason, which begins with `rule 3, invariant 5,`.
fn pair(reason: &str) -> Option<Pair> {
    let (rule, rest) = reason.strip_prefix("rule ")?.split_once(", invariant ")?;
    let (invariant, _) = rest.split_once(',')?;
    Some((rule.parse().ok()?, invariant.parse().ok()?))
}
