//! Finds what changed besides rules and invariants: startstates, assumptions, and what the model states.

use std::collections::BTreeMap;

use system::{Formula, IndexTypeId, IndexVariable, System, Transition, Update};

use super::Diff;
use super::translate::Translation;

/// What a part of a model says, in the numbers of the second system; `None` if something in it has no counterpart there.
type Said = Option<(u32, Vec<IndexTypeId>, Formula, Vec<Update>)>;

pub(super) fn compare(before: &System, after: &System, diff: &mut Diff) {
    let old = parts(before, &Translation::new(before, after));
    let new = parts(after, &Translation::new(after, after));
    let removed = old.keys().filter(|name| !new.contains_key(*name)).map(|name| format!("{name}: removed"));
    let added = new.keys().filter(|name| !old.contains_key(*name)).map(|name| format!("{name}: added"));
    let is_other = |(name, said): &(&String, &Said)| new.get(*name).is_some_and(|now| now != *said);
    let changed = old.iter().filter(is_other).map(|(name, _)| format!("{name}: changed"));
    diff.others_changed = changed.chain(removed).chain(added).collect();
}

/// Returns the startstates, assumptions and properties by their names; those that occur again are numbered. Names that only tell a
/// line do not tell it here, since lines move.
fn parts(system: &System, translation: &Translation<'_>) -> BTreeMap<String, Said> {
    let mut parts: BTreeMap<String, Said> = BTreeMap::new();
    let mut enter = |kind: &str, name: &str, said: Said| {
        let name = name.split(" at line ").next().unwrap_or(name);
        let numbered = (2_u32..).map(|number| format!("{kind} `{name}` ({number})"));
        let mut names = std::iter::once(format!("{kind} `{name}`")).chain(numbered);
        let free = names.find(|name| !parts.contains_key(name)).expect("there are infinitely many names");
        parts.insert(free, said);
    };
    for startstate in &system.startstates {
        enter("startstate", &startstate.transition.name, of_transition(&startstate.transition, translation));
    }
    for axiom in &system.axioms {
        enter("assumption", &axiom.name, of_formula(&axiom.scope, &axiom.formula, translation));
    }
    for property in &system.properties {
        enter("property", &property.name, of_formula(&property.scope, &property.formula, translation));
    }
    parts
}

fn of_transition(transition: &Transition, translation: &Translation<'_>) -> Said {
    let types = translation.scope(&transition.scope)?;
    let (guard, updates) = (translation.formula(&transition.guard)?, translation.updates(&transition.updates)?);
    Some((transition.parameters, types, guard, updates))
}

fn of_formula(scope: &[IndexVariable], formula: &Formula, translation: &Translation<'_>) -> Said {
    Some((0, translation.scope(scope)?, translation.formula(formula)?, Vec::new()))
}
