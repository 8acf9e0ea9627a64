//! Acceptance: every obligation has exactly one entry that discharges it, and there is no other entry.
//!
//! The check is divided by [`Place`]: the header, each invariant, each cube of a property, and each pair of a
//! startstate or a rule with an invariant. A driver outside of the kernel decides in which order, on how many threads
//! and for how long places are checked. It need not be trusted: only [`Check::at`] makes a [`Finding`], and
//! [`Check::accept`] demands one for every place.

use std::collections::{BTreeMap, BTreeSet};

use system::{Cube, PropertyId, RuleId, StartstateId, System, wellformed};

use super::context::Context;
use super::fault::{Fault, Place, Problem, Refusal};
use super::ground::well_formed;
use super::obligations::Transition;
use super::proof::{Certificate, InitialEntry, InvariantId, InvariantOrigin, PropertyEntry, RelationEntry};
use super::property_check::{covers, excludes};
use super::{Obligation, check_relation, implied};

/// What a certificate should be for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// SHA-256 of the model's text, in hexadecimal.
    pub digest: String,
    /// The settings that it was lowered with, as `NAME=VALUE`, sorted.
    pub settings: Vec<String>,
}

/// A certificate that the kernel has accepted for a system. Nothing else can make one.
#[derive(Clone, Copy, Debug)]
pub struct CheckedCertificate<'a> {
    system: &'a System,
    certificate: &'a Certificate,
}

impl<'a> CheckedCertificate<'a> {
    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// The certificate.
    pub fn certificate(&self) -> &'a Certificate {
        self.certificate
    }
}

/// A check of a certificate against a well-formed system.
#[derive(Debug)]
pub struct Check<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    /// What is wrong with the header.
    header: Vec<Fault>,
    /// The cubes, and behind them those of the axioms, which have no obligations; `None` for one that is not
    /// well-formed, which proves nothing and has no obligations.
    invariants: Vec<Option<&'a Cube>>,
    properties: Entries<'a, PropertyEntry>,
    initial: Entries<'a, InitialEntry>,
    relations: Entries<'a, RelationEntry>,
}

/// What [`Check::at`] found at one place.
#[derive(Debug)]
pub struct Finding<'c> {
    check: &'c Check<'c>,
    place: Place,
    faults: Vec<Fault>,
}

impl Finding<'_> {
    /// The faults, sorted by place.
    pub fn into_faults(self) -> Vec<Fault> {
        self.faults
    }
}

impl<'a> Check<'a> {
    /// Prepares the check of a certificate.
    ///
    /// # Errors
    /// If the system is not well-formed, with every fault of it.
    pub fn new(system: &'a System, certificate: &'a Certificate, model: &Model) -> Result<Self, Vec<Fault>> {
        let broken = system_problems(system);
        if !broken.is_empty() {
            return Err(broken.into_iter().map(|problem| Place::System.fault(Problem::System(problem))).collect());
        }
        let cubes = certificate.invariants.iter().map(|invariant| &invariant.cube);
        let cubes = cubes.chain(system.axioms.iter().flat_map(|axiom| &axiom.bad));
        Ok(Self {
            system,
            certificate,
            header: header(certificate, model),
            invariants: cubes.map(|cube| well_formed(system, cube).is_ok().then_some(cube)).collect(),
            properties: Entries::new(&certificate.properties, |own| Place::Property {
                property: own.property,
                cube: own.cube,
            }),
            initial: Entries::new(&certificate.initial, |own| {
                let matching = Some(own.matching.clone());
                Place::Initial { startstate: own.startstate, invariant: own.invariant, matching }
            }),
            relations: Entries::new(&certificate.relations, |own| {
                let RelationEntry { rule, invariant, ref matching, branch, .. } = *own;
                Place::Relation { rule, invariant, matching: matching.clone(), branch }
            }),
        })
    }

    /// All places to check, in order: those that have obligations, and those that entries name.
    pub fn places(&self) -> BTreeSet<Place> {
        let invariants = || (0..).map(InvariantId).take(self.certificate.invariants.len());
        let mut all = BTreeSet::from([Place::Header]);
        all.extend(invariants().map(Place::Invariant));
        for (property, own) in (0..).map(PropertyId).zip(&self.system.properties) {
            all.extend((0..).take(own.bad.len()).map(|cube| Place::Property { property, cube }));
        }
        for startstate in (0..).map(StartstateId).take(self.system.startstates.len()) {
            all.extend(invariants().map(|invariant| Place::Initial { startstate, invariant, matching: None }));
        }
        for rule in (0..).map(RuleId).take(self.system.rules.len()) {
            let place = |invariant| Place::Relation { rule, invariant, matching: None, branch: None };
            all.extend(invariants().map(place));
        }
        let named = self.properties.by_pair.keys().chain(self.initial.by_pair.keys());
        all.extend(named.chain(self.relations.by_pair.keys()).cloned());
        all
    }

    /// Checks everything at a place of [`Self::places`].
    pub fn at(&self, place: Place) -> Finding<'_> {
        let mut faults = match &place {
            Place::System => Vec::new(),
            Place::Header => self.header.clone(),
            Place::Invariant(invariant) => self.invariant(*invariant),
            Place::Property { property, cube } => self.property(&place, *property, *cube),
            Place::Initial { startstate, invariant, .. } => self.initial(&place, *startstate, *invariant),
            Place::Relation { rule, invariant, .. } => self.relation(&place, *rule, *invariant),
        };
        faults.sort_by(|a, b| a.place.cmp(&b.place));
        Finding { check: self, place, faults }
    }

    /// Accepts the certificate if every place was checked and nothing was wrong.
    ///
    /// # Errors
    /// All faults. One of them is [`Problem::Interrupted`] if a place was not checked.
    pub fn accept(&self, findings: Vec<Finding<'_>>) -> Result<CheckedCertificate<'a>, Vec<Fault>> {
        let mut missing = self.places();
        let mut faults = Vec::new();
        for finding in findings.into_iter().filter(|finding| std::ptr::eq(finding.check, self)) {
            missing.remove(&finding.place);
            faults.extend(finding.faults);
        }
        faults.extend(missing.pop_first().map(|place| place.fault(Problem::Interrupted)));
        faults.sort_by(|a, b| a.place.cmp(&b.place));
        let Self { system, certificate, .. } = *self;
        if faults.is_empty() { Ok(CheckedCertificate { system, certificate }) } else { Err(faults) }
    }

    /// The cube is well-formed, and the origin exists.
    fn invariant(&self, number: InvariantId) -> Vec<Fault> {
        let Some(invariant) = self.certificate.invariants.get(number.index()) else {
            return vec![Place::Invariant(number).fault(Problem::NoSuchInvariant(number))];
        };
        let cube = well_formed(self.system, &invariant.cube).err().map(Problem::Cube);
        let exists = match invariant.origin {
            InvariantOrigin::Property(property) => property.index() < self.system.properties.len(),
            InvariantOrigin::PreImage { rule, of } => {
                rule.index() < self.system.rules.len() && of.index() < self.certificate.invariants.len()
            }
        };
        let origin = (!exists).then_some(Problem::Origin);
        cube.into_iter().chain(origin).map(|problem| Place::Invariant(number).fault(problem)).collect()
    }

    /// The argument for a cube of a property shows that no state satisfies the cube.
    fn property(&self, place: &Place, property: PropertyId, cube: u32) -> Vec<Fault> {
        let own = self.system.properties.get(property.index());
        let cube = own.zip(usize::try_from(cube).ok()).and_then(|(own, cube)| own.bad.get(cube));
        let obligations = cube.map(|cube| (place.clone(), cube)).into_iter().collect();
        self.properties.discharge(place, Ok(obligations), |cube, entry| {
            implied(&Context::of(self.system, &[], cube)?, &entry.argument, &self.invariants)
        })
    }

    /// No match of a startstate and an invariant has a branch.
    fn initial(&self, place: &Place, startstate: StartstateId, invariant: InvariantId) -> Vec<Fault> {
        let own = self.system.startstates.get(startstate.index());
        let obligations = self.listed(own, invariant, |own, cube| {
            let matches = Transition::of(own)?.matches_and_ends(self.system, cube)?;
            let place = |matching| Place::Initial { startstate, invariant, matching: Some(matching) };
            Ok(matches.into_iter().map(|(matching, ended)| (place(matching), ended)).collect())
        });
        let open = |ended: &bool, _: &_| if *ended { Ok(()) } else { Err(Problem::InitialOpen) };
        self.initial.discharge(place, obligations, open)
    }

    /// The relation of each obligation of a rule and an invariant is the right one.
    fn relation(&self, place: &Place, rule: RuleId, invariant: InvariantId) -> Vec<Fault> {
        let obligations = self.listed(self.system.rules.get(rule.index()), invariant, |own, cube| {
            let place = |obligation: &Obligation<'_>| {
                let (matching, branch) = (obligation.matching.clone(), obligation.branch);
                Place::Relation { rule, invariant, matching, branch }
            };
            let obligations = Transition::of(own)?.obligations(self.system, cube)?;
            Ok(obligations.into_iter().map(|obligation| (place(&obligation), obligation)).collect())
        });
        self.relations.discharge(place, obligations, |obligation, entry| {
            check_relation(obligation, &entry.relation, &self.invariants)
        })
    }

    /// The obligations of a rule or startstate and an invariant, none if there is no such pair.
    fn listed<T, O>(
        &self,
        own: Option<&'a T>,
        invariant: InvariantId,
        list: impl FnOnce(&'a T, &'a Cube) -> Result<Vec<(Place, O)>, Refusal>,
    ) -> Listed<O> {
        let own = own.filter(|_| invariant.index() < self.certificate.invariants.len());
        match (own, self.invariants.get(invariant.index())) {
            (Some(own), Some(Some(cube))) => list(own, cube).map_err(Some),
            (Some(_), Some(None)) => Err(None),
            (None, _) | (_, None) => Ok(Vec::new()),
        }
    }
}

/// The obligations of a pair. If they cannot be listed, nothing is said about the entries: the fault is the refusal, or
/// that the cube of the invariant is not well-formed.
type Listed<O> = Result<Vec<(Place, O)>, Option<Refusal>>;

/// Entries by pair, each with whether it is less than the entry before it, and what an entry is about.
#[derive(Debug)]
struct Entries<'c, E> {
    by_pair: BTreeMap<Place, Vec<(&'c E, bool)>>,
    place: fn(&E) -> Place,
}

impl<'c, E> Entries<'c, E> {
    fn new(entries: &'c [E], place: fn(&E) -> Place) -> Self {
        let mut by_pair: BTreeMap<Place, Vec<(&E, bool)>> = BTreeMap::new();
        let mut before = None;
        for entry in entries {
            let own = place(entry);
            let disordered = before.is_some_and(|before| own < before);
            by_pair.entry(own.clone().pair()).or_default().push((entry, disordered));
            before = Some(own);
        }
        Self { by_pair, place }
    }

    /// Each obligation has exactly one entry, which passes the check, and each entry has an obligation.
    fn discharge<O>(
        &self,
        place: &Place,
        obligations: Listed<O>,
        check: impl Fn(&O, &E) -> Result<(), Problem>,
    ) -> Vec<Fault> {
        let (mut rest, mut faults) = (BTreeMap::new(), Vec::new());
        for (entry, disordered) in self.by_pair.get(place).into_iter().flatten() {
            let own = (self.place)(entry);
            let doubled = rest.insert(own.clone(), *entry).is_some();
            let problems = [doubled.then_some(Problem::Doubled), disordered.then_some(Problem::Disordered)];
            faults.extend(problems.into_iter().flatten().map(|problem| own.clone().fault(problem)));
        }
        match obligations {
            Ok(obligations) => {
                for (place, obligation) in obligations {
                    let checked = rest.remove(&place).ok_or(Problem::Missing);
                    let checked = checked.and_then(|entry| check(&obligation, entry));
                    faults.extend(checked.err().map(|problem| place.fault(problem)));
                }
                faults.extend(rest.into_keys().map(|place| place.fault(Problem::Extra)));
            }
            Err(refusal) => faults.extend(refusal.map(|refusal| place.clone().fault(Problem::Refused(refusal)))),
        }
        faults
    }
}

/// What the kernel relies on in a system, as far as it does not hold.
fn system_problems(system: &System) -> Vec<String> {
    let mut problems = wellformed::problems(system);
    if problems.is_empty() {
        let properties = system.properties.iter().map(|own| ("property", &own.name, &own.origin, covers(system, own)));
        let axioms = system.axioms.iter().map(|own| ("assumption", &own.name, &own.origin, excludes(system, own)));
        for (kind, name, origin, checked) in properties.chain(axioms) {
            let text = |problem| format!("{kind} \"{name}\" (line {}): {problem}", origin.line);
            problems.extend(checked.err().map(text));
        }
    }
    problems
}

/// The certificate is for this model.
fn header(certificate: &Certificate, model: &Model) -> Vec<Fault> {
    let (due, found) = (model.digest.clone(), certificate.model_digest.clone());
    let digest = (due != found).then_some(Problem::Digest { due, found });
    let (due, found) = (model.settings.clone(), certificate.settings.clone());
    let settings = (due != found).then_some(Problem::Settings { due, found });
    digest.into_iter().chain(settings).map(|problem| Place::Header.fault(problem)).collect()
}
