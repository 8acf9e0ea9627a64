//! Which rules changed, and which arguments.

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::Relation;
use protocol::system::RuleId;

use super::translate::Translation;
use super::{Diff, RelationChange};
use crate::explain::premises;
use crate::table::Reader;

pub(super) fn compare(before: &Reader<'_>, after: &Reader<'_>, translation: &Translation<'_>, diff: &mut Diff) {
    let position = |reader: &Reader<'_>, name: &str| reader.rule_names.iter().position(|other| other == name);
    for (old, name) in before.rule_names.iter().enumerate() {
        match position(after, name) {
            None => diff.rules_removed.push(name.clone()),
            Some(new) if !same_rule(before, old, after, new, translation) => diff.rules_changed.push(name.clone()),
            Some(_) => {}
        }
    }
    let added = after.rule_names.iter().filter(|name| position(before, name).is_none());
    diff.rules_added = added.cloned().collect();
    compare_arguments(before, after, diff);
}

fn same_rule(before: &Reader<'_>, old: usize, after: &Reader<'_>, new: usize, translation: &Translation<'_>) -> bool {
    let (old, new) = (&before.system.rules[old], &after.system.rules[new]);
    let types: Vec<_> = new.scope.iter().map(|variable| variable.index_type).collect();
    old.parameters == new.parameters
        && translation.scope(&old.scope).as_ref() == Some(&types)
        && translation.formula(&old.guard).as_ref() == Some(&new.guard)
        && translation.updates(&old.updates).as_ref() == Some(&new.updates)
}

/// Premises of each pair of a rule and an invariant.
fn arguments(reader: &Reader<'_>) -> BTreeMap<(RuleId, u32), BTreeSet<u32>> {
    let mut arguments: BTreeMap<_, BTreeSet<u32>> = BTreeMap::new();
    for entry in &reader.certificate.relations {
        if let Relation::Implied(argument) = &entry.relation {
            arguments.entry((entry.rule, entry.invariant.0)).or_default().extend(premises(argument));
        }
    }
    arguments
}

fn compare_arguments(before: &Reader<'_>, after: &Reader<'_>, diff: &mut Diff) {
    let (old, new) = (arguments(before), arguments(after));
    let numbers: BTreeMap<u32, u32> = diff.kept.iter().copied().collect();
    let empty = BTreeSet::new();
    for (old_rule, name) in (0..).map(RuleId).zip(&before.rule_names) {
        let Some(new_rule) = (0..).map(RuleId).zip(&after.rule_names).find(|(_, other)| *other == name) else {
            continue;
        };
        for (&old_invariant, &new_invariant) in &numbers {
            let old_premises = old.get(&(old_rule, old_invariant)).unwrap_or(&empty);
            let new_premises = new.get(&(new_rule.0, new_invariant)).unwrap_or(&empty);
            let translated: BTreeSet<Option<u32>> =
                old_premises.iter().map(|number| numbers.get(number).copied()).collect();
            if translated == new_premises.iter().copied().map(Some).collect() {
                continue;
            }
            let tell = |number: &u32| numbers.get(number).map_or_else(|| format!("-{number}"), u32::to_string);
            diff.relations_changed.push(RelationChange {
                rule: name.clone(),
                before: old_invariant,
                after: new_invariant,
                premises_before: old_premises.iter().map(tell).collect(),
                premises_after: new_premises.iter().map(u32::to_string).collect(),
            });
        }
    }
}
