//! Minimization: drops invariants that the others make unnecessary.
//!
//! The remaining invariants still meet every obligation, with relations that refer only to them. An invariant is
//! dropped if each relation that refers to it has another argument of at most three instances; the longest invariants
//! are tried first. Finally, everything is dropped that no property needs, directly or through relations.

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::{InvariantId, Relation, RelationEntry};
use system::RuleId;
use system::System;

use crate::argument::{Effort, Premise};
use crate::literal::Space;
use crate::prove::Stage;
use crate::relations::{of_rule, premises_of};
use crate::threads;

/// The relations of each invariant, rule by rule.
pub(crate) type Relations = BTreeMap<InvariantId, Vec<Vec<RelationEntry>>>;

/// Drops unnecessary invariants. `order` is the order of preference for premises, and the invariants in `kept` are
/// never dropped. Returns whether all candidates were tried: if `proceed` returns false, the rest stays, and the
/// relations still form a proof.
pub(crate) fn minimize(
    system: &System,
    space: &Space,
    (by_id, axioms): (&BTreeMap<InvariantId, &Premise>, &[&Premise]),
    order: &mut Vec<InvariantId>,
    kept: &BTreeSet<InvariantId>,
    relations: &mut Relations,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
) -> bool {
    let mut candidates: Vec<InvariantId> = order.iter().copied().filter(|id| !kept.contains(id)).collect();
    candidates.sort_by_key(|id| (by_id[id].conj.symbols.len(), by_id[id].conj.lits.len(), *id));
    let mut users = Users::of(relations);
    let mut all = true;
    let of = candidates.len();
    for (done, candidate) in candidates.into_iter().rev().enumerate() {
        if !proceed(Stage::Minimizing { done, of }) {
            all = false;
            break;
        }
        let others = order.iter().filter(|id| **id != candidate).map(|id| by_id[id]);
        let premises: Vec<&Premise> = others.chain(axioms.iter().copied()).collect();
        let replaced: Option<Vec<(InvariantId, RuleId, Vec<RelationEntry>)>> =
            threads::all(users.of_other(candidate), |(invariant, rule)| {
                let entries = of_rule(system, space, rule, by_id[&invariant], &premises, Effort::SHORT).ok()?;
                Some((invariant, rule, entries))
            });
        let Some(replaced) = replaced else { continue };
        for (invariant, rule, entries) in replaced {
            if let Some(rules) = relations.get_mut(&invariant) {
                users.forget((invariant, rule), &rules[rule.index()]);
                users.note((invariant, rule), &entries);
                rules[rule.index()] = entries;
            }
        }
        for (rule, entries) in (0..).map(RuleId).zip(relations.remove(&candidate).iter().flatten()) {
            users.forget((candidate, rule), entries);
        }
        order.retain(|id| *id != candidate);
    }
    keep_reachable(order, kept, relations);
    all
}

/// For each invariant, the invariants and the rules whose relations refer to it.
struct Users(BTreeMap<InvariantId, BTreeSet<(InvariantId, RuleId)>>);

impl Users {
    fn of(relations: &Relations) -> Self {
        let mut users = Self(BTreeMap::new());
        for (invariant, rules) in relations {
            (0..).map(RuleId).zip(rules).for_each(|(rule, entries)| users.note((*invariant, rule), entries));
        }
        users
    }

    fn note(&mut self, user: (InvariantId, RuleId), entries: &[RelationEntry]) {
        for used in named(entries) {
            self.0.entry(used).or_default().insert(user);
        }
    }

    fn forget(&mut self, user: (InvariantId, RuleId), entries: &[RelationEntry]) {
        for used in named(entries) {
            self.0.entry(used).or_default().remove(&user);
        }
    }

    /// Returns the users of an invariant other than itself, in order.
    fn of_other(&self, invariant: InvariantId) -> Vec<(InvariantId, RuleId)> {
        self.0.get(&invariant).into_iter().flatten().filter(|user| user.0 != invariant).copied().collect()
    }
}

/// Returns the invariants that the relations refer to.
pub(crate) fn named(entries: &[RelationEntry]) -> BTreeSet<InvariantId> {
    let mut found = BTreeSet::new();
    for entry in entries {
        if let Relation::Implied(argument) = &entry.relation {
            premises_of(argument, &mut |invariant| {
                found.insert(invariant);
            });
        }
    }
    found
}

fn keep_reachable(order: &mut Vec<InvariantId>, kept: &BTreeSet<InvariantId>, relations: &mut Relations) {
    let mut reached = kept.clone();
    let mut waiting: Vec<InvariantId> = kept.iter().copied().collect();
    while let Some(invariant) = waiting.pop() {
        for entries in relations.get(&invariant).into_iter().flatten() {
            waiting.extend(named(entries).into_iter().filter(|&next| reached.insert(next)));
        }
    }
    order.retain(|id| reached.contains(id));
    relations.retain(|id, _| reached.contains(id));
}
