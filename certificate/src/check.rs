//! The checker: replays a certificate against a system.
//!
//! In: the system, as lowered from the model that the checker's caller has read itself; a certificate; the digest and the
//! settings that it should be for. Out: a [`CheckedCertificate`], or all faults, in the order of the certificate at any
//! number of threads. It shares no code with the search, and searches for nothing.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use system::{Cube, PropertyId, RuleId, StartstateId};
use system::{System, wellformed};

use crate::context::Context;
use crate::fault::{Fault, Place, Problem, Refusal};
use crate::ground::{Ground, variables, well_formed};
use crate::obligations::Transition;
use crate::proof::{
    Certificate, InitialEntry, InvariantId, InvariantOrigin, PropertyEntry, RelationEntry, SymbolTypes,
};
use crate::property_check;
use crate::relation::{check_relation, implied};

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
    check_while(system, certificate, model, &|| true)
}

/// Replays a certificate as long as the answer of `proceed` is that it should go on.
///
/// # Errors
/// All faults; that it was interrupted is one of them, so that what was not looked at is never accepted.
pub fn check_while<'a>(
    system: &'a System,
    certificate: &'a Certificate,
    model: &Model,
    proceed: &Proceed<'_>,
) -> Result<CheckedCertificate<'a>, Vec<Fault>> {
    let faults = faults(system, certificate, model, Shard::WHOLE, proceed);
    if faults.is_empty() { Ok(CheckedCertificate { system, certificate }) } else { Err(faults) }
}

/// Whether to go on; asked from several threads.
pub type Proceed<'p> = dyn Fn() -> bool + Sync + 'p;

/// A part of the work: the relations of every `of`-th rule, beginning with rule `index`. The first shard checks
/// everything that is not about a rule as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u32,
    pub(crate) of: u32,
}

impl Shard {
    const WHOLE: Self = Self { index: 0, of: 1 };

    /// Whether the relations of a rule belong to the shard.
    pub(crate) fn has(self, rule: RuleId) -> bool {
        rule.0.checked_rem(self.of) == Some(self.index)
    }
}

/// The faults of a shard, in the order of the certificate. Where the system is not well-formed, that is all that is said.
pub(crate) fn faults(
    system: &System,
    certificate: &Certificate,
    model: &Model,
    shard: Shard,
    proceed: &Proceed<'_>,
) -> Vec<Fault> {
    let broken = system_problems(system);
    if !broken.is_empty() {
        return broken.into_iter().map(|problem| Place::System.fault(Problem::System(problem))).collect();
    }
    let cubes = certificate.invariants.iter().map(|invariant| &invariant.cube);
    let invariants = cubes.map(|cube| well_formed(system, cube).is_ok().then_some(cube)).collect();
    let checker = Checker { system, certificate, invariants };
    let mut faults = checker.relations(shard, proceed);
    if shard.index == 0 {
        faults.extend(header(certificate, model));
        faults.extend(checker.invariants());
        faults.extend(checker.properties());
        faults.extend(checker.initial());
    }
    faults.sort_by(|a, b| a.place.cmp(&b.place));
    faults
}

/// The promises of the system that the checker relies on and that are broken.
fn system_problems(system: &System) -> Vec<String> {
    let mut problems = wellformed::problems(system);
    if problems.is_empty() {
        for property in &system.properties {
            let normal = |(number, cube): (u32, &Cube)| {
                well_formed(system, cube).map_err(|problem| format!("cube {number}: {problem}"))
            };
            let cubes = (0..).zip(&property.bad).try_for_each(normal);
            let covers = || property_check::covers(system, property).map_err(str::to_owned);
            if let Err(problem) = cubes.and_then(|()| covers()) {
                problems.push(format!("property \"{}\" (line {}): {problem}", property.name, property.origin.line));
            }
        }
    }
    problems
}

/// The certificate is for this model.
fn header(certificate: &Certificate, model: &Model) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (due, found) = (&model.digest, &certificate.model_digest);
    if found != due {
        faults.push(Place::Header.fault(Problem::Digest { due: due.clone(), found: found.clone() }));
    }
    let (due, found) = (&model.settings, &certificate.settings);
    if found != due {
        faults.push(Place::Header.fault(Problem::Settings { due: due.clone(), found: found.clone() }));
    }
    faults
}

/// What every part of the check needs.
struct Checker<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    /// The cubes; `None` where one is not well-formed: it proves nothing, and nothing is said about its entries.
    invariants: Vec<Option<&'a Cube>>,
}

impl<'a> Checker<'a> {
    /// Each cube is well-formed, and each origin exists.
    fn invariants(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (number, invariant) in (0..).map(InvariantId).zip(&self.certificate.invariants) {
            if let Err(problem) = well_formed(self.system, &invariant.cube) {
                faults.push(Place::Invariant(number).fault(Problem::Cube(problem)));
            }
            let exists = match invariant.origin {
                InvariantOrigin::Property(property) => property.index() < self.system.properties.len(),
                InvariantOrigin::PreImage { rule, of } => {
                    rule.index() < self.system.rules.len() && of.index() < self.invariants.len()
                }
            };
            if !exists {
                faults.push(Place::Invariant(number).fault(Problem::Origin));
            }
        }
        faults
    }

    /// Each cube of each property has one argument.
    fn properties(&self) -> Vec<Fault> {
        let mut entries = Entries::new(&self.certificate.properties);
        entries.faults.extend(disordered(&self.certificate.properties));
        for (property, own) in (0..).map(PropertyId).zip(&self.system.properties) {
            for (cube, bad) in (0..).zip(&own.bad) {
                entries.meet(Place::Property { property, cube }, |entry| self.property(bad, entry));
            }
        }
        entries.finish()
    }

    /// A cube of a property is excluded by its argument, whose context is the cube.
    fn property(&self, cube: &Cube, entry: &PropertyEntry) -> Vec<Problem> {
        let symbols = SymbolTypes { variables: cube.variables.clone(), others: Vec::new() };
        let literals = Ground { system: self.system, symbols: &symbols }.instance(cube, &variables(cube));
        match literals.and_then(|literals| Context::of(self.system, &symbols, &literals)) {
            Ok(context) => implied(&context, &entry.argument, &self.invariants),
            Err(refusal) => vec![Problem::Refused(refusal)],
        }
    }

    /// Each startstate, invariant and match has one entry, and no branch.
    fn initial(&self) -> Vec<Fault> {
        let mut entries = Entries::new(&self.certificate.initial);
        entries.faults.extend(disordered(&self.certificate.initial));
        for (startstate, own) in (0..).map(StartstateId).zip(&self.system.startstates) {
            for (invariant, cube) in (0..).map(InvariantId).zip(&self.invariants) {
                let place = |matching| Place::Initial { startstate, invariant, matching };
                let matches = cube.map(|cube| Transition::of_startstate(own)?.matches_and_branches(self.system, cube));
                for (matching, branches) in entries.listed(place(None), matches) {
                    let problems = if branches == 0 { Vec::new() } else { vec![Problem::InitialOpen] };
                    entries.meet(place(Some(matching)), |_| problems);
                }
            }
        }
        entries.finish()
    }

    /// Each rule, invariant, match and branch has one entry with the right relation.
    fn relations(&self, shard: Shard, proceed: &Proceed<'_>) -> Vec<Fault> {
        let all = &self.certificate.relations;
        let rules = (0..).map(RuleId).take(self.system.rules.len()).chain(all.iter().map(|entry| entry.rule));
        let mut by_rule: BTreeMap<RuleId, Vec<&RelationEntry>> =
            rules.filter(|rule| shard.has(*rule)).map(|rule| (rule, Vec::new())).collect();
        for entry in all {
            by_rule.entry(entry.rule).and_modify(|entries| entries.push(entry));
        }
        let mut faults: Vec<Fault> =
            by_rule.into_par_iter().flat_map_iter(|(rule, entries)| self.rule(rule, entries, proceed)).collect();
        let own = |fault: &Fault| matches!(fault.place, Place::Relation { rule, .. } if shard.has(rule));
        faults.extend(disordered(all).into_iter().filter(own));
        faults
    }

    /// All obligations of one rule. One that does not exist has none.
    fn rule(&self, rule: RuleId, entries: Vec<&RelationEntry>, proceed: &Proceed<'_>) -> Vec<Fault> {
        let mut entries = Entries::new(entries);
        if let Some(own) = self.system.rules.get(rule.index()) {
            for (invariant, cube) in (0..).map(InvariantId).zip(&self.invariants) {
                let place = |matching, branch| Place::Relation { rule, invariant, matching, branch };
                if !proceed() {
                    // What is left was not looked at.
                    entries.faults.push(place(None, None).fault(Problem::Interrupted));
                    return entries.faults;
                }
                let obligations = cube.map(|cube| Transition::of_rule(own)?.obligations(self.system, cube));
                for obligation in entries.listed(place(None, None), obligations) {
                    entries.meet(place(obligation.matching.clone(), obligation.branch), |entry| {
                        check_relation(&obligation, &entry.relation, &self.invariants)
                    });
                }
            }
        }
        entries.finish()
    }
}

/// Entries of a certificate, to be met by obligations, each by one.
struct Entries<'c, E> {
    /// Those that no obligation has met yet.
    rest: BTreeMap<Place, &'c E>,
    /// Invariants whose obligations cannot be listed, so that nobody knows which entries there should be.
    unlisted: BTreeSet<InvariantId>,
    faults: Vec<Fault>,
}

impl<'c, E: Entry> Entries<'c, E> {
    /// Reports entries that are there twice.
    fn new(entries: impl IntoIterator<Item = &'c E>) -> Self {
        let mut own = Self { rest: BTreeMap::new(), unlisted: BTreeSet::new(), faults: Vec::new() };
        for entry in entries {
            if own.rest.insert(entry.place(), entry).is_some() {
                own.faults.push(entry.place().fault(Problem::Doubled));
            }
        }
        own
    }

    /// The obligations about an invariant, where they can be listed: its cube has to be well-formed.
    fn listed<T>(&mut self, place: Place, obligations: Option<Result<Vec<T>, Refusal>>) -> Vec<T> {
        let refused = match obligations {
            Some(Ok(obligations)) => return obligations,
            Some(Err(refusal)) => Some(place.clone().fault(Problem::Refused(refusal))),
            None => None,
        };
        self.faults.extend(refused);
        self.unlisted.extend(place.invariant());
        Vec::new()
    }

    /// An obligation has exactly one entry, which closes it.
    fn meet(&mut self, place: Place, check: impl FnOnce(&E) -> Vec<Problem>) {
        let problems = self.rest.remove(&place).map_or_else(|| vec![Problem::Missing], check);
        self.faults.extend(problems.into_iter().map(|problem| place.clone().fault(problem)));
    }

    /// What is left has no obligation.
    fn finish(mut self) -> Vec<Fault> {
        let listed = |place: &Place| place.invariant().is_none_or(|invariant| !self.unlisted.contains(&invariant));
        self.faults.extend(self.rest.into_keys().filter(listed).map(|place| place.fault(Problem::Extra)));
        self.faults
    }
}

/// Entries that are not behind those that they belong behind.
fn disordered<E: Entry>(entries: &[E]) -> Vec<Fault> {
    let places = entries.iter().zip(entries.iter().skip(1)).map(|(before, after)| (before.place(), after.place()));
    places.filter(|(before, after)| after < before).map(|(_, place)| place.fault(Problem::Disordered)).collect()
}

/// An entry of a certificate: what it is about.
trait Entry {
    fn place(&self) -> Place;
}

impl Entry for PropertyEntry {
    fn place(&self) -> Place {
        Place::Property { property: self.property, cube: self.cube }
    }
}

impl Entry for InitialEntry {
    fn place(&self) -> Place {
        let matching = Some(self.matching.clone());
        Place::Initial { startstate: self.startstate, invariant: self.invariant, matching }
    }
}

impl Entry for RelationEntry {
    fn place(&self) -> Place {
        let Self { rule, invariant, ref matching, branch, .. } = *self;
        Place::Relation { rule, invariant, matching: matching.clone(), branch }
    }
}
