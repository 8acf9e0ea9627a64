//! Causal relations: why each rule preserves each invariant.
//!
//! For invariants that are closed under pre-images, this module finds the relation of every obligation, in the order of
//! [`certificate::kernel`], or returns the obligation for which it found none. The definition is `invHoldRule` of Li,
//! Duan and Lv (2018) with its three relations; here the third may use several instances and a case split.

use certificate::proof::{Argument, InitialEntry, InvariantId, Match, PropertyEntry, Relation, RelationEntry, SplitOn};
use system::System;
use system::{Cube, PropertyId, RuleId, StartstateId, Transition};

use crate::argument::{Arguer, Effort, Naming, Premise, Universals};
use crate::closure::{Closure, Consistency};
use crate::literal::{Conj, Space};
use crate::weakest_precondition::{After, Branch, Matched, matches, touches, touches_others};

/// An obligation that the invariants do not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unmet {
    Rule(RuleId, InvariantId),
    Initial(StartstateId, InvariantId),
    Property(PropertyId),
}

/// Returns the relations of one rule and one invariant.
pub(crate) fn of_rule(
    system: &System,
    space: &Space,
    rule: RuleId,
    invariant: &Premise,
    premises: &[&Premise],
    effort: Effort,
) -> Result<Vec<RelationEntry>, Unmet> {
    let step = &system.rules[rule.index()];
    let conj = &invariant.conj;
    let naming = Naming { named: space.named.len(), variables: conj.symbols.len() };
    let entry =
        |matching, branch, relation| RelationEntry { rule, invariant: invariant.id, matching, branch, relation };
    if !touches(step, conj) {
        return Ok(vec![entry(None, None, Relation::Unaffected)]);
    }
    let mut entries = Vec::new();
    for matched in matches(step, conj, space) {
        let matching = Some(names(naming, &matched));
        match matched.after(conj) {
            After::Unchanged => entries.push(entry(matching, None, Relation::Unaffected)),
            After::TooMany => return Err(Unmet::Rule(rule, invariant.id)),
            After::Branches(branches) if branches.is_empty() => {
                entries.push(entry(matching, None, Relation::HoldsAfter));
            }
            After::Branches(branches) => {
                for (number, branch) in (0..).zip(&branches) {
                    let relation =
                        of_branch(&matched, branch, conj, Arguer { space, naming, universals: None, premises, effort })
                            .ok_or(Unmet::Rule(rule, invariant.id))?;
                    entries.push(entry(matching.clone(), Some(number), relation));
                }
            }
        }
    }
    Ok(entries)
}

fn names(naming: Naming, matched: &Matched<'_>) -> Match {
    Match(matched.parameters.iter().map(|&element| naming.symbol(element)).collect())
}

fn of_branch<'a>(matched: &Matched<'a>, branch: &Branch<'a>, conj: &Conj, arguer: Arguer<'_, 'a>) -> Option<Relation> {
    let known = !branch.universals.is_empty() || !conj.universals.is_empty();
    let universals = known.then_some(Universals { matched, branch, conj });
    let arguer = Arguer { universals, ..arguer };
    let mut facts = Closure::of(arguer.space, matched.types.clone(), &branch.lits);
    if arguer.propagate(&mut facts) == Consistency::Contradiction {
        return Some(Relation::HoldsAfter);
    }
    if conj.lits.iter().all(|lit| facts.entails(*lit)) && !touches_others(matched.step(), conj) {
        return Some(Relation::Unaffected);
    }
    arguer.argue(&facts).map(Relation::Implied)
}

/// Returns the entries of one startstate and one invariant.
pub(crate) fn of_startstate(
    system: &System,
    space: &Space,
    startstate: StartstateId,
    invariant: &Premise,
) -> Result<Vec<InitialEntry>, Unmet> {
    let step = &system.startstates[startstate.index()];
    let naming = Naming { named: space.named.len(), variables: invariant.conj.symbols.len() };
    let unmet = Unmet::Initial(startstate, invariant.id);
    matches(step, &invariant.conj, space)
        .iter()
        .map(|matched| {
            let open = match matched.after(&invariant.conj) {
                After::Unchanged | After::TooMany => true,
                After::Branches(branches) => branches.iter().any(|branch| {
                    let universals = Some(Universals { matched, branch, conj: &invariant.conj });
                    let arguer = Arguer { space, naming, universals, premises: &[], effort: Effort::SHORT };
                    let mut facts = Closure::of(space, matched.types.clone(), &branch.lits);
                    arguer.propagate(&mut facts) == Consistency::Open
                }),
            };
            if open {
                return Err(unmet);
            }
            Ok(InitialEntry { startstate, invariant: invariant.id, matching: names(naming, matched) })
        })
        .collect()
}

/// Returns why no reachable state satisfies the cubes of a property.
pub(crate) fn of_property(
    space: &Space,
    property: PropertyId,
    bad: &[Cube],
    premises: &[&Premise],
) -> Result<Vec<PropertyEntry>, Unmet> {
    (0..)
        .zip(bad)
        .map(|(number, cube)| {
            let conj = Conj::from_cube(cube, space);
            let naming = Naming { named: space.named.len(), variables: conj.symbols.len() };
            let skip = Transition::SKIP;
            let matched = matches(&skip, &conj, space);
            let branch = Branch { lits: conj.lits.clone(), universals: Vec::new() };
            let universals = matched.first().filter(|_| !conj.universals.is_empty());
            let universals = universals.map(|matched| Universals { matched, branch: &branch, conj: &conj });
            let arguer = Arguer { space, naming, universals, premises, effort: Effort::FULL };
            let mut facts = Closure::of(space, conj.types(space), &conj.lits);
            let argument = match arguer.propagate(&mut facts) {
                Consistency::Contradiction => Some(Argument { premises: Vec::new(), split: None }),
                Consistency::Open => arguer.argue(&facts),
            };
            Ok(PropertyEntry { property, cube: number, argument: argument.ok_or(Unmet::Property(property))? })
        })
        .collect()
}

/// Calls `note` with the invariant of every premise of an argument.
pub(crate) fn premises_of(argument: &Argument, note: &mut dyn FnMut(InvariantId)) {
    for premise in &argument.premises {
        note(premise.invariant);
    }
    if let Some(SplitOn::Witness(instance)) = argument.split.as_ref().map(|split| &split.on) {
        note(instance.invariant);
    }
    for case in argument.split.iter().flat_map(|split| &split.cases) {
        premises_of(case, note);
    }
}

/// Renumbers the invariants of an argument.
pub(crate) fn renumber(argument: &mut Argument, map: &dyn Fn(InvariantId) -> InvariantId) {
    for premise in &mut argument.premises {
        premise.invariant = map(premise.invariant);
    }
    if let Some(SplitOn::Witness(instance)) = argument.split.as_mut().map(|split| &mut split.on) {
        instance.invariant = map(instance.invariant);
    }
    for case in argument.split.iter_mut().flat_map(|split| &mut split.cases) {
        renumber(case, map);
    }
}
