//! Acceptance: every obligation has exactly one entry that discharges it, and there is no other entry.
//!
//! The check is divided by [`Place`]: the header, each invariant, each cube of a property, and each pair of a
//! startstate or a rule with an invariant. A driver outside of the kernel decides in which order, on how many threads
//! and for how long places are checked. It need not be trusted: only [`Check::at`] makes a [`Finding`], and
//! [`Check::accept`] demands one for every place.

use std::collections::{BTreeMap, BTreeSet};

use system::{Cube, PropertyId, RuleId, StartstateId, System, Transition, wellformed};

use super::branches::Matched;
use super::context::Context;
use super::fault::{Fault, Place, Problem, Refusal};
use super::ground::well_formed;
use super::proof::{Argument, Certificate, InvariantId, Relation, RelationEntry};
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
    /// For each place what is wrong whatever its obligations are.
    faults: BTreeMap<Place, Vec<Fault>>,
    /// The cubes, and behind them those of the axioms, which have no obligations; `None` for one that is not
    /// well-formed, which proves nothing and has no obligations.
    invariants: Vec<Option<&'a Cube>>,
    entries: BTreeMap<Place, Entry<'a>>,
}

/// What the certificate says about an obligation.
#[derive(Debug)]
pub(crate) enum Entry<'a> {
    Property(&'a Argument),
    Initial,
    Relation(&'a Relation),
}

/// An obligation.
enum Due<'a> {
    /// No state satisfies the cube of a property.
    Property(&'a Cube),
    /// The context of each branch of a match of a startstate is contradictory.
    Initial(Matched<'a>),
    /// The first relation that applies holds.
    Relation(Obligation<'a>),
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
        let (mut entries, mut found) = (BTreeMap::new(), header(certificate, model));
        for (place, entry) in listed(certificate) {
            let earlier = entries.insert(place.clone(), entry);
            found.extend(earlier.map(|_| place.fault(Problem::Doubled)));
        }
        let mut invariants = Vec::new();
        for (number, own) in (0..).map(InvariantId).zip(&certificate.invariants) {
            let checked = well_formed(system, &own.cube);
            invariants.push(checked.is_ok().then_some(&own.cube));
            found.extend(checked.err().map(|problem| Place::Invariant(number).fault(Problem::Cube(problem))));
        }
        invariants.extend(system.axioms.iter().flat_map(|axiom| &axiom.bad).map(Some));
        let mut faults: BTreeMap<_, Vec<_>> = BTreeMap::new();
        found.into_iter().for_each(|fault| faults.entry(fault.place.pair()).or_default().push(fault));
        Ok(Self { system, certificate, faults, invariants, entries })
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
        all.extend(self.entries.keys().map(Place::pair));
        all
    }

    /// Checks everything at a place of [`Self::places`].
    pub fn at(&self, place: Place) -> Finding<'_> {
        let known = self.faults.get(&place).into_iter().flatten().cloned();
        let mut faults: Vec<_> = known.chain(self.pair(&place)).collect();
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

    /// Each obligation of a pair has an entry that discharges it, and each entry has an obligation.
    ///
    /// If the obligations cannot be listed, nothing is said about the entries.
    fn pair(&self, pair: &Place) -> Vec<Fault> {
        if let Place::Initial { invariant, .. } | Place::Relation { invariant, .. } = pair
            && let Some(None) = self.invariants.get(invariant.index())
        {
            return Vec::new();
        }
        let due = match self.due(pair) {
            Ok(due) => due,
            Err(refusal) => return vec![pair.clone().fault(Problem::Refused(refusal))],
        };
        let entries = self.entries.range(pair..).take_while(|(place, _)| place.pair() == *pair);
        let (mut rest, mut faults): (BTreeMap<_, _>, Vec<_>) = (entries.collect(), Vec::new());
        for (place, due) in due {
            let checked = rest.remove(&place).ok_or(Problem::Missing).and_then(|entry| self.discharge(due, entry));
            faults.extend(checked.err().map(|problem| place.fault(problem)));
        }
        faults.extend(rest.into_keys().map(|place| place.clone().fault(Problem::Extra)));
        faults
    }

    fn discharge(&self, due: Due<'_>, entry: &Entry<'_>) -> Result<(), Problem> {
        match (due, entry) {
            (Due::Property(cube), Entry::Property(argument)) => {
                implied(&Context::of(self.system, cube)?, argument, &self.invariants)
            }
            (Due::Initial(matched), Entry::Initial) => {
                let ends = matched.contexts()?.iter().all(Context::is_contradictory);
                if ends { Ok(()) } else { Err(Problem::InitialOpen) }
            }
            (Due::Relation(obligation), Entry::Relation(relation)) => {
                check_relation(&obligation, relation, &self.invariants)
            }
            (Due::Property(_) | Due::Initial(_) | Due::Relation(_), _) => Err(Problem::Missing),
        }
    }

    /// The obligations of a pair, none if there is no such pair.
    fn due(&self, pair: &Place) -> Result<Vec<(Place, Due<'a>)>, Refusal> {
        let unmatched = |own: Option<&'a Transition>, invariant: InvariantId| {
            let cubes = self.invariants.get(..self.certificate.invariants.len())?;
            Some(Matched::new(self.system, own?, (*cubes.get(invariant.index())?)?))
        };
        match *pair {
            Place::System | Place::Header | Place::Invariant(_) => Ok(Vec::new()),
            Place::Property { property, cube } => {
                let own = self.system.properties.get(property.index());
                let cube = own.zip(usize::try_from(cube).ok()).and_then(|(own, cube)| own.bad.get(cube));
                Ok(cube.map(|cube| (pair.clone(), Due::Property(cube))).into_iter().collect())
            }
            Place::Initial { startstate, invariant, .. } => {
                let own = self.system.startstates.get(startstate.index()).map(|own| &own.transition);
                let matches = unmatched(own, invariant).map_or(Ok(Vec::new()), Matched::matches);
                let place = |matching| Place::Initial { startstate, invariant, matching: Some(matching) };
                let due = |matched: Matched<'a>| (place(matched.matching.clone()), Due::Initial(matched));
                Ok(matches?.into_iter().map(due).collect())
            }
            Place::Relation { rule, invariant, .. } => {
                let own = self.system.rules.get(rule.index()).map(|own| &own.transition);
                let obligations = unmatched(own, invariant).map_or(Ok(Vec::new()), Matched::obligations);
                let due = |obligation: Obligation<'a>| {
                    let (matching, branch) = (obligation.matching.clone(), obligation.branch);
                    (Place::Relation { rule, invariant, matching, branch }, Due::Relation(obligation))
                };
                Ok(obligations?.into_iter().map(due).collect())
            }
        }
    }
}

/// All entries.
pub(crate) fn listed(certificate: &Certificate) -> Vec<(Place, Entry<'_>)> {
    let properties = certificate
        .properties
        .iter()
        .map(|own| (Place::Property { property: own.property, cube: own.cube }, Entry::Property(&own.argument)));
    let initial = certificate.initial.iter().map(|own| {
        let matching = Some(own.matching.clone());
        (Place::Initial { startstate: own.startstate, invariant: own.invariant, matching }, Entry::Initial)
    });
    let relations = certificate.relations.iter().map(|own| {
        let RelationEntry { rule, invariant, ref matching, branch, ref relation } = *own;
        (Place::Relation { rule, invariant, matching: matching.clone(), branch }, Entry::Relation(relation))
    });
    properties.chain(initial).chain(relations).collect()
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
