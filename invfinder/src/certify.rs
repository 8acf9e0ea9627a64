//! Turns the cubes of a finished search into a certificate.
//!
//! The cubes are closed under pre-images. The certificate contains those that the properties need, directly or as
//! premises of relations, each as short as the search found it.
//!
//! The relations of different rules are computed in parallel; the result does not depend on the number of threads.

mod candidates;

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::{
    Argument, Certificate, InitialEntry, Invariant, InvariantId, InvariantOrigin, PropertyEntry, Relation,
    RelationEntry,
};
use system::System;
use system::{PropertyId, RuleId, StartstateId};

use crate::argument::{Effort, Premise};
use crate::brab::{Found, FoundParent};
use crate::fixpoint::subsumes;
use crate::literal::{Conj, Space, Universal};
use crate::minimize::{Relations, minimize, named};
use crate::prove::Stage;
use crate::relations::{self, Unmet, premises_of, renumber};
use crate::threads;

pub(crate) use candidates::{Candidates, Spare, certify_candidates};

/// What a certificate records about the model it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// SHA-256 of the model's text, in hexadecimal.
    pub model_digest: String,
    /// The settings with which the model was lowered, as `NAME=VALUE`, sorted.
    pub settings: Vec<String>,
}

/// Why no certificate was produced.
#[derive(Debug)]
pub(crate) enum Unfinished {
    /// The first obligation that the cubes do not meet, which indicates a fault in the search or its closure.
    Unmet(Unmet),
    /// The caller interrupted the computation.
    Interrupted,
}

impl From<Unmet> for Unfinished {
    fn from(unmet: Unmet) -> Self {
        Self::Unmet(unmet)
    }
}

/// Builds the certificate. Also returns whether every unnecessary invariant was dropped.
///
/// # Errors
/// Returns an error if an obligation is not met, or if `proceed` returns false before every invariant has its
/// arguments.
pub(crate) fn certify(
    system: &System,
    space: &Space,
    found: &[Found],
    header: Header,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
) -> Result<(Certificate, bool), Unfinished> {
    let conjs: Vec<&Conj> = found.iter().map(|found| &found.conj).collect();
    let premises: Vec<Premise> = most_general(&conjs, space)
        .into_iter()
        .map(|position| Premise::new(id(position), &normal(conjs[position], space), space))
        .collect();
    let axioms = axioms(system, space, found.len());
    let mut needed = Needed::new(system, space, &premises, &axioms)?;
    needed.close(&Known::new(), proceed)?;
    let minimized = needed.minimize(proceed);
    Ok((needed.finish(&|position| found[position].parent, header)?, minimized))
}

/// Returns the axioms as premises with ids from `first` on.
fn axioms(system: &System, space: &Space, first: usize) -> Vec<Premise> {
    (first..)
        .zip(system.axioms.iter().flat_map(|axiom| &axiom.bad))
        .map(|(position, cube)| Premise::new(id(position), &Conj::from_cube(cube, space), space))
        .collect()
}

fn id(position: usize) -> InvariantId {
    InvariantId(u32::try_from(position).expect("the number of cubes is bounded"))
}

/// Returns the positions of the cubes that no other cube includes, keeping the first of several equivalent ones. Short
/// cubes come first.
fn most_general(conjs: &[&Conj], space: &Space) -> Vec<usize> {
    let mut order: Vec<usize> = (0..conjs.len()).collect();
    order.sort_by_key(|&position| (conjs[position].symbols.len(), conjs[position].lits.len(), position));
    let mut kept: Vec<usize> = Vec::new();
    for position in order {
        let conj = conjs[position];
        if !kept.iter().any(|&other| subsumes(conjs[other], conj, space)) {
            kept.retain(|&other| !subsumes(conj, conjs[other], space));
            kept.push(position);
        }
    }
    kept
}

/// Returns the conjunction with its symbols numbered as in the normal form of cubes.
pub(crate) fn normal(conj: &Conj, space: &Space) -> Conj {
    let count = conj.symbols.len();
    let mut best: Option<Conj> = None;
    for order in permutations(count) {
        let mut map = crate::literal::Renaming::identity();
        for (old, new) in order.iter().enumerate() {
            map.0[space.named.len() + old] =
                u8::try_from(space.named.len() + new).expect("the number of elements is bounded");
        }
        let mut lits: Vec<_> = conj.lits.iter().map(|lit| lit.rename(&map)).collect();
        lits.sort_unstable();
        let mut symbols = conj.symbols.clone();
        for (old, new) in order.iter().enumerate() {
            symbols[*new] = conj.symbols[old];
        }
        let mut universals: Vec<Universal> = conj.universals.iter().map(|universal| universal.rename(&map)).collect();
        universals.sort_unstable();
        let candidate = Conj { symbols, lits, universals };
        let lesser = |best: &Conj| (&candidate.lits, &candidate.universals) < (&best.lits, &best.universals);
        if best.as_ref().is_none_or(lesser) {
            best = Some(candidate);
        }
    }
    best.unwrap_or_else(|| conj.clone())
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for position in 0..count {
        found = found
            .into_iter()
            .flat_map(|partial: Vec<usize>| {
                (0..=position).map(move |place| {
                    let mut next = partial.clone();
                    next.insert(place, position);
                    next
                })
            })
            .collect();
    }
    found
}

/// Relations of an invariant and a rule that were found before.
type Known = BTreeMap<(InvariantId, RuleId), Vec<RelationEntry>>;

struct Needed<'a> {
    system: &'a System,
    space: &'a Space,
    premises: &'a [Premise],
    /// The axioms, whose ids follow those of all cubes that were found.
    axioms: &'a [Premise],
    by_id: BTreeMap<InvariantId, &'a Premise>,
    /// The invariants in the order in which they were found to be needed.
    order: Vec<InvariantId>,
    known: BTreeSet<InvariantId>,
    /// What each of these was first needed for.
    causes: BTreeMap<InvariantId, FoundParent>,
    properties: Vec<PropertyEntry>,
    relations: Relations,
}

impl<'a> Needed<'a> {
    fn new(
        system: &'a System,
        space: &'a Space,
        premises: &'a [Premise],
        axioms: &'a [Premise],
    ) -> Result<Self, Unmet> {
        let mut needed = Self {
            system,
            space,
            premises,
            axioms,
            by_id: premises.iter().map(|premise| (premise.id, premise)).collect(),
            order: Vec::new(),
            known: BTreeSet::new(),
            causes: BTreeMap::new(),
            properties: Vec::new(),
            relations: Relations::new(),
        };
        for (number, property) in (0..).zip(&system.properties) {
            let preferred = needed.preferred();
            let entries = relations::of_property(space, PropertyId(number), &property.bad, &preferred)?;
            let cause = FoundParent::Property(PropertyId(number));
            entries.iter().for_each(|entry| needed.note(&entry.argument, cause));
            needed.properties.extend(entries);
        }
        Ok(needed)
    }

    /// Returns all premises, starting with those that are needed anyway.
    fn preferred(&self) -> Vec<&'a Premise> {
        let (mut first, others): (Vec<&Premise>, Vec<&Premise>) =
            self.premises.iter().partition(|premise| self.known.contains(&premise.id));
        first.extend(others);
        first.extend(self.axioms);
        first
    }

    fn note(&mut self, argument: &Argument, cause: FoundParent) {
        premises_of(argument, &mut |invariant| self.add(invariant, cause));
    }

    fn add(&mut self, invariant: InvariantId, cause: FoundParent) {
        let is_axiom = self.axioms.iter().any(|axiom| axiom.id == invariant);
        if !is_axiom && self.known.insert(invariant) {
            self.order.push(invariant);
            self.causes.insert(invariant, cause);
        }
    }

    /// Finds the relations of every invariant that is needed, except for those that are known.
    fn close(&mut self, known: &Known, proceed: &mut dyn FnMut(Stage<'_>) -> bool) -> Result<(), Unfinished> {
        let mut position = 0;
        while position < self.order.len() {
            if !proceed(Stage::Arguing { done: position, needed: self.order.len() }) {
                return Err(Unfinished::Interrupted);
            }
            let invariant = self.by_id[&self.order[position]];
            let preferred = self.preferred();
            let rules: Vec<RuleId> = (0..).map(RuleId).take(self.system.rules.len()).collect();
            let entries: Result<Vec<Vec<RelationEntry>>, Unmet> =
                threads::all(rules, |rule| match known.get(&(invariant.id, rule)) {
                    Some(entries) => Ok(entries.clone()),
                    None => relations::of_rule(self.system, self.space, rule, invariant, &preferred, Effort::FULL),
                });
            let entries = entries?;
            for (rule, entries) in (0..).map(RuleId).zip(&entries) {
                let cause = FoundParent::PreImage { rule, of: invariant.id.index() };
                named(entries).into_iter().for_each(|premise| self.add(premise, cause));
            }
            self.relations.insert(invariant.id, entries);
            position += 1;
        }
        Ok(())
    }

    fn minimize(&mut self, proceed: &mut dyn FnMut(Stage<'_>) -> bool) -> bool {
        let mut kept = BTreeSet::new();
        for entry in &self.properties {
            premises_of(&entry.argument, &mut |invariant| {
                kept.insert(invariant);
            });
        }
        let axioms: Vec<&Premise> = self.axioms.iter().collect();
        minimize(self.system, self.space, (&self.by_id, &axioms), &mut self.order, &kept, &mut self.relations, proceed)
    }

    fn initial(&self) -> Result<Vec<InitialEntry>, Unmet> {
        let mut initial = Vec::new();
        for number in (0..).take(self.system.startstates.len()) {
            for invariant in &self.order {
                let start = StartstateId(number);
                initial.extend(relations::of_startstate(self.system, self.space, start, self.by_id[invariant])?);
            }
        }
        Ok(initial)
    }

    /// Returns the certificate. `parent` is the origin of the cube with a number.
    fn finish(self, parent: &dyn Fn(usize) -> FoundParent, header: Header) -> Result<Certificate, Unmet> {
        let mut initial = self.initial()?;
        let old = self.order.iter().copied().chain(self.axioms.iter().map(|axiom| axiom.id));
        let numbers: BTreeMap<InvariantId, InvariantId> =
            old.enumerate().map(|(number, old)| (old, id(number))).collect();
        let map = |old: InvariantId| numbers[&old];
        let invariants = self
            .order
            .iter()
            .map(|old| Invariant {
                cube: self.by_id[old].conj.to_cube(self.space),
                origin: origin(parent, old.index(), &numbers),
            })
            .collect();
        let mut properties = self.properties;
        properties.iter_mut().for_each(|entry| renumber(&mut entry.argument, &map));
        initial.iter_mut().for_each(|entry| entry.invariant = map(entry.invariant));
        initial.sort_by(|a, b| (a.startstate, a.invariant, &a.matching).cmp(&(b.startstate, b.invariant, &b.matching)));
        let mut relations: Vec<RelationEntry> = self.relations.into_values().flatten().flatten().collect();
        for entry in &mut relations {
            entry.invariant = map(entry.invariant);
            if let Relation::Implied(argument) = &mut entry.relation {
                renumber(argument, &map);
            }
        }
        relations.sort_by(|a, b| {
            (a.rule, a.invariant, &a.matching, a.branch).cmp(&(b.rule, b.invariant, &b.matching, b.branch))
        });
        Ok(Certificate {
            model_digest: header.model_digest,
            settings: header.settings,
            properties,
            invariants,
            initial,
            relations,
        })
    }
}

/// Returns the origin of a cube, skipping ancestors that are not invariants of the certificate.
fn origin(
    parent: &dyn Fn(usize) -> FoundParent,
    position: usize,
    numbers: &BTreeMap<InvariantId, InvariantId>,
) -> InvariantOrigin {
    let mut last_rule = None;
    let mut current = position;
    loop {
        match parent(current) {
            FoundParent::Property(property) => {
                return InvariantOrigin::Property(property);
            }
            FoundParent::PreImage { rule, of } => {
                let rule = *last_rule.get_or_insert(rule);
                if let Some(of) = numbers.get(&id(of)) {
                    return InvariantOrigin::PreImage { rule, of: *of };
                }
                current = of;
            }
        }
    }
}
