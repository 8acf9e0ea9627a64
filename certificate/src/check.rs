//! The checker: replays a certificate against a system.
//!
//! In: the system, as lowered from the model that the checker's caller has read itself; a certificate; the digest and the
//! settings that it should be for. Out: a [`CheckedCertificate`], or all faults, in the order of the certificate at any
//! number of threads. It shares no code with the search, and searches for nothing.

use std::cmp::Ordering;

use protocol::System;
use protocol::system::{Cube, PropertyId, RuleId, StartstateId};
use rayon::prelude::*;

use crate::context::Context;
use crate::fault::{Fault, Place, Problem};
use crate::ground::Ground;
use crate::obligations::{Refusal, Situation, Transition, initial_obligations};
use crate::proof::{
    Certificate, InitialEntry, InvariantId, InvariantOrigin, Match, PropertyEntry, RelationEntry, SymbolTypes,
};
use crate::relation::{Invariants, check_relation, context_of, implied};
use crate::system_check;

/// What a certificate should be for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// SHA-256 of the model's text, in hexadecimal.
    pub digest: String,
    /// The settings that it was lowered with, as `NAME=VALUE`, sorted.
    pub settings: Vec<String>,
}

/// A certificate that the checker has accepted for a system. Nothing else can make one.
#[derive(Clone, Copy, Debug)]
pub struct CheckedCertificate<'a> {
    system: &'a System,
    certificate: &'a Certificate,
}

impl<'a> CheckedCertificate<'a> {
    /// The system.
    #[must_use]
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// The certificate.
    #[must_use]
    pub fn certificate(&self) -> &'a Certificate {
        self.certificate
    }
}

/// Replays a certificate.
///
/// # Errors
/// All faults; there is at least one.
pub fn check<'a>(
    system: &'a System,
    certificate: &'a Certificate,
    model: &Model,
) -> Result<CheckedCertificate<'a>, Vec<Fault>> {
    let faults = faults(system, certificate, model, Shard::WHOLE);
    if faults.is_empty() { Ok(CheckedCertificate { system, certificate }) } else { Err(faults) }
}

/// A part of the work: the relations of every `of`-th rule, beginning with rule `index`. The first shard checks
/// everything that is not about a rule as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u32,
    pub(crate) of: u32,
}

impl Shard {
    const WHOLE: Self = Self { index: 0, of: 1 };
}

/// The faults of a shard.
pub(crate) fn faults(system: &System, certificate: &Certificate, model: &Model, shard: Shard) -> Vec<Fault> {
    let mut faults: Vec<Fault> = system_check::faults(system);
    if !faults.is_empty() {
        return faults;
    }
    faults.extend(header(certificate, model));
    let checker = Checker::new(system, certificate, &mut faults);
    if shard.index != 0 {
        faults.clear();
        return checker.relations(shard);
    }
    faults.extend(checker.properties());
    faults.extend(checker.initial());
    faults.extend(checker.relations(shard));
    faults
}

fn header(certificate: &Certificate, model: &Model) -> Vec<Fault> {
    let mut problems = Vec::new();
    if certificate.model_digest != model.digest {
        problems.push(Problem::Digest { due: model.digest.clone(), found: certificate.model_digest.clone() });
    }
    if certificate.settings != model.settings {
        problems.push(Problem::Settings { due: model.settings.clone(), found: certificate.settings.clone() });
    }
    problems.into_iter().map(|problem| Fault { place: Place::Header, problem }).collect()
}

/// What every part of the check needs.
struct Checker<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    /// The cubes that are well-formed.
    invariants: Vec<Option<&'a Cube>>,
}

impl<'a> Checker<'a> {
    /// Looks at the invariants first, so that the rest can rely on those that are well-formed.
    fn new(system: &'a System, certificate: &'a Certificate, faults: &mut Vec<Fault>) -> Self {
        let mut invariants = Vec::with_capacity(certificate.invariants.len());
        for (number, invariant) in (0..).map(InvariantId).zip(&certificate.invariants) {
            let mut usable = true;
            if let Err(problem) = system_check::cube(system, &invariant.cube) {
                faults.push(Fault { place: Place::Invariant(number), problem: Problem::Cube(problem) });
                usable = false;
            }
            let exists = match invariant.origin {
                InvariantOrigin::Property(property) => property.index() < system.properties.len(),
                InvariantOrigin::PreImage { rule, of } => {
                    rule.index() < system.rules.len() && of.index() < certificate.invariants.len()
                }
            };
            if !exists {
                faults.push(Fault { place: Place::Invariant(number), problem: Problem::Origin });
            }
            invariants.push(usable.then_some(&invariant.cube));
        }
        Self { system, certificate, invariants }
    }

    fn invariants(&self) -> &Invariants<'a> {
        &self.invariants
    }

    /// Each well-formed invariant with its number.
    fn usable(&self) -> impl Iterator<Item = (InvariantId, &'a Cube)> {
        (0..).map(InvariantId).zip(&self.invariants).filter_map(|(number, cube)| cube.map(|cube| (number, cube)))
    }

    /// Each cube of each property has one argument.
    fn properties(&self) -> Vec<Fault> {
        let place = |&(property, cube): &(PropertyId, u32)| Place::Property { property, cube };
        let mut faults = Vec::new();
        let entries: Entries<'_, _, PropertyEntry> =
            Entries::new(&self.certificate.properties, |entry| (entry.property, entry.cube), place, &mut faults);
        let mut due = Vec::new();
        for (number, property) in (0..).map(PropertyId).zip(&self.system.properties) {
            due.extend((0..).zip(&property.bad).map(|(position, cube)| ((number, position), cube)));
        }
        entries.join(due, place, &mut faults, |cube, entry| self.property(cube, entry));
        faults
    }

    /// A cube of a property is excluded by its argument.
    fn property(&self, cube: &Cube, entry: &PropertyEntry) -> Vec<Problem> {
        let symbols = SymbolTypes { variables: cube.variables.clone(), others: Vec::new() };
        let ground = Ground { system: self.system, symbols: &symbols };
        let mut context = Context::of_facts(self.system, &symbols, &[]);
        for literal in &cube.literals {
            match ground.cube_literal(literal) {
                Ok(made) => context.assume(&made),
                Err(refusal) => return vec![Problem::Refused(refusal)],
            }
        }
        implied(context, &entry.argument, self.invariants())
    }

    /// Each startstate, invariant and match has one entry, and no branch.
    fn initial(&self) -> Vec<Fault> {
        type Key = (StartstateId, InvariantId, Option<Match>);
        let place = |(startstate, invariant, matching): &Key| Place::Initial {
            startstate: *startstate,
            invariant: *invariant,
            matching: matching.clone(),
        };
        let key = |entry: &InitialEntry| (entry.startstate, entry.invariant, Some(entry.matching.clone()));
        let mut faults = Vec::new();
        let entries = Entries::new(&self.certificate.initial, key, place, &mut faults);
        let mut due: Vec<(Key, bool)> = Vec::new();
        for startstate in (0..).map(StartstateId).take(self.system.startstates.len()) {
            for (invariant, cube) in self.usable() {
                match self.initial_matches(startstate, cube) {
                    Ok(matches) => due.extend(matches.into_iter().map(|(m, open)| ((startstate, invariant, m), open))),
                    Err(refusal) => faults.push(Fault {
                        place: place(&(startstate, invariant, None)),
                        problem: Problem::Refused(refusal),
                    }),
                }
            }
        }
        entries.join(due, place, &mut faults, |open, _| if open { vec![Problem::InitialOpen] } else { Vec::new() });
        faults
    }

    /// The matches of a startstate and a cube, and whether a branch remains under each.
    fn initial_matches(&self, startstate: StartstateId, cube: &Cube) -> Result<Vec<(Option<Match>, bool)>, Refusal> {
        let mut matches: Vec<(Option<Match>, bool)> = Vec::new();
        let start =
            self.system.startstates.get(startstate.index()).ok_or(Refusal::Malformed("there is no such startstate"))?;
        let transition = Transition::new(&start.scope, start.parameters, &start.guard, &start.updates)?;
        for obligation in initial_obligations(self.system, cube, startstate)? {
            let context = context_of(self.system, &transition, &obligation)?;
            let open = match &obligation.situation {
                Situation::NoBranch => false,
                Situation::Apart | Situation::Unchanged => true,
                Situation::Branch(_) => context.is_none_or(|context| !context.is_contradictory()),
            };
            match matches.last_mut() {
                Some((matching, any)) if *matching == obligation.matching => *any |= open,
                _ => matches.push((obligation.matching, open)),
            }
        }
        Ok(matches)
    }

    /// Each rule, invariant, match and branch has one entry with the right relation.
    fn relations(&self, shard: Shard) -> Vec<Fault> {
        let mut faults = Vec::new();
        let entries = Entries::new(&self.certificate.relations, relation_key, relation_place, &mut faults);
        if shard.index != 0 {
            faults.clear();
        }
        let rules = (0..).map(RuleId).take(self.system.rules.len()).filter(|rule| rule.0 % shard.of == shard.index);
        let by_rule: Vec<Vec<Fault>> = rules
            .collect::<Vec<RuleId>>()
            .into_par_iter()
            .map(|rule| {
                let mut faults = Vec::new();
                self.rule(rule, &entries, &mut faults);
                faults
            })
            .collect();
        faults.extend(by_rule.into_iter().flatten());
        if shard.index != 0 {
            return faults;
        }
        let beyond =
            entries.range(|key| if key.0.index() < self.system.rules.len() { Ordering::Less } else { Ordering::Equal });
        faults.extend(beyond.iter().map(|(key, _)| Fault { place: relation_place(key), problem: Problem::Extra }));
        faults
    }

    /// All obligations of one rule.
    fn rule(&self, rule: RuleId, entries: &Entries<'_, RelationKey, RelationEntry>, faults: &mut Vec<Fault>) {
        let Some(transition) = self.transition(rule) else {
            return;
        };
        for (invariant, cube) in (0..).map(InvariantId).zip(&self.invariants) {
            let Some(cube) = cube else { continue };
            let own = entries.range(|key| (key.0, key.1).cmp(&(rule, invariant)));
            let obligations = match transition.obligations(self.system, cube) {
                Ok(obligations) => obligations,
                Err(refusal) => {
                    let place = relation_place(&(rule, invariant, None, None));
                    faults.push(Fault { place, problem: Problem::Refused(refusal) });
                    continue;
                }
            };
            let due = obligations
                .into_iter()
                .map(|obligation| ((rule, invariant, obligation.matching.clone(), obligation.branch), obligation))
                .collect();
            join(own, due, relation_place, faults, |obligation, entry| {
                check_relation(self.system, &transition, cube, &obligation, &entry.relation, self.invariants())
            });
        }
        let unknown = entries.range(|key| {
            let known = key.1.index() < self.invariants.len();
            key.0.cmp(&rule).then(if known { Ordering::Less } else { Ordering::Equal })
        });
        faults.extend(unknown.iter().map(|(key, _)| Fault { place: relation_place(key), problem: Problem::Extra }));
    }

    fn transition(&self, rule: RuleId) -> Option<Transition<'a>> {
        let rule = self.system.rules.get(rule.index())?;
        Transition::new(&rule.scope, rule.parameters, &rule.guard, &rule.updates).ok()
    }
}

type RelationKey = (RuleId, InvariantId, Option<Match>, Option<u32>);

fn relation_key(entry: &RelationEntry) -> RelationKey {
    (entry.rule, entry.invariant, entry.matching.clone(), entry.branch)
}

fn relation_place(key: &RelationKey) -> Place {
    Place::Relation { rule: key.0, invariant: key.1, matching: key.2.clone(), branch: key.3 }
}

/// Entries of a certificate, each once, ordered by what they are about.
struct Entries<'c, K, E>(Vec<(K, &'c E)>);

impl<'c, K: Ord + Clone, E> Entries<'c, K, E> {
    /// Reports entries that are not in their place or there twice.
    fn new(entries: &'c [E], key: impl Fn(&E) -> K, place: impl Fn(&K) -> Place, faults: &mut Vec<Fault>) -> Self {
        let mut keyed: Vec<(K, &'c E)> = entries.iter().map(|entry| (key(entry), entry)).collect();
        let mut report = |key: &K, problem| faults.push(Fault { place: place(key), problem });
        for pair in keyed.windows(2) {
            if let [(before, _), (after, _)] = pair
                && after < before
            {
                report(after, Problem::Disordered);
            }
        }
        keyed.sort_by(|a, b| a.0.cmp(&b.0));
        for pair in keyed.windows(2) {
            if let [(before, _), (after, _)] = pair
                && after == before
            {
                report(after, Problem::Doubled);
            }
        }
        keyed.dedup_by(|a, b| a.0 == b.0);
        Self(keyed)
    }

    /// The entries whose keys are equal to what is looked for, by an order that the order of keys refines.
    fn range(&self, compare: impl Fn(&K) -> Ordering) -> &[(K, &'c E)] {
        let start = self.0.partition_point(|(key, _)| compare(key) == Ordering::Less);
        let end = self.0.partition_point(|(key, _)| compare(key) != Ordering::Greater);
        self.0.get(start..end).unwrap_or_default()
    }

    fn join<O>(
        &self,
        due: Vec<(K, O)>,
        place: impl Fn(&K) -> Place,
        faults: &mut Vec<Fault>,
        check: impl FnMut(O, &E) -> Vec<Problem>,
    ) {
        join(&self.0, due, place, faults, check);
    }
}

/// Holds entries against obligations, both ascending: exactly one entry for each obligation.
fn join<K: Ord, E, O>(
    entries: &[(K, &E)],
    due: Vec<(K, O)>,
    place: impl Fn(&K) -> Place,
    faults: &mut Vec<Fault>,
    mut check: impl FnMut(O, &E) -> Vec<Problem>,
) {
    let mut rest = entries;
    for (key, obligation) in due {
        while let [(first, _), others @ ..] = rest
            && *first < key
        {
            faults.push(Fault { place: place(first), problem: Problem::Extra });
            rest = others;
        }
        match rest {
            [(first, entry), others @ ..] if *first == key => {
                rest = others;
                let problems = check(obligation, entry);
                faults.extend(problems.into_iter().map(|problem| Fault { place: place(&key), problem }));
            }
            _ => faults.push(Fault { place: place(&key), problem: Problem::Missing }),
        }
    }
    faults.extend(rest.iter().map(|(key, _)| Fault { place: place(key), problem: Problem::Extra }));
}
