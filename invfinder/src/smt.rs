//! A second opinion by Z3 on everything that a certificate claims.
//!
//! Z3 either agrees, or this module returns the obligations for which it cannot confirm the certificate. Both the
//! engine and the path to it are independent: Z3 receives conditions as they appear in the rule, without branches and
//! without closing contexts, and the list of obligations is generated anew. This is not part of the proof: the checker
//! of the `certificate` crate decides alone.
//!
//! The obligation for a rule, an invariant and a match is that no state satisfies the guard, the invariant itself and
//! the instances of invariants that the certificate names for it, and has a successor under the rule that satisfies the
//! invariant's cube (the weakest precondition form of relation 3; relations 1 and 2 are special cases).

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::{Argument, Certificate, InvariantId, Match, Relation, Symbol};
use rayon::prelude::*;
use system::System;
use system::scope::counted;
use system::{PropertyId, RuleId, StartstateId, Term, VariableId};

mod encode;
mod matches;

use encode::{Answer, Encoder};

/// The release of the library that matches the enumerations of the `z3` crate.
const LIBRARY: &str = "4.16.";

/// The number of obligations compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The number of obligations that Z3 confirmed.
    pub closed: usize,
    /// The number of pairs of a rule and an invariant that reads no variable the rule writes.
    pub untouched: usize,
}

/// An obligation for which Z3 does not confirm the certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The obligation.
    pub about: Obligation,
    /// Why Z3 does not confirm it.
    pub finding: Finding,
}

/// The obligation that a disagreement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// A rule preserves an invariant.
    Rule(RuleId, InvariantId, Match),
    /// An invariant holds initially.
    Initial(StartstateId, InvariantId, Match),
    /// A cube of a property's negation is excluded.
    Property(PropertyId, u32),
}

/// Why Z3 does not confirm an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Z3 found a counterexample with these values.
    Counterexample(Vec<String>),
    /// Z3 returned no answer.
    NoAnswer,
}

/// Why there is no agreement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmtError {
    /// The library is not the release that the `z3` crate was made for, and would misinterpret its arguments.
    #[error("Z3 {0} is loaded, but a release {LIBRARY}x is needed; see scripts/setup-z3")]
    Library(String),
    /// The certificate or the system has cubes with universal parts, which are not encoded. To leave them out would make
    /// premises too strong.
    #[error("not checked by Z3: the certificate needs invariants or assumptions with 'there is'")]
    NotEncoded,
    /// The two disagree.
    #[error("Z3 does not confirm {} of the certificate", counted(.0.len(), "obligation", "obligations"))]
    Disagreement(Vec<Disagreement>),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Asks Z3 about every obligation. `proceed` receives the number of rules done so far, and returns whether to go on.
///
/// # Errors
/// Returns all obligations that Z3 does not confirm, in the order of the certificate.
pub fn second_opinion(
    system: &System,
    certificate: &Certificate,
    proceed: &(dyn Fn() -> bool + Sync),
) -> Result<Agreement, SmtError> {
    let loaded = z3::full_version();
    if !loaded.trim_start_matches("Z3 ").starts_with(LIBRARY) {
        return Err(SmtError::Library(loaded.to_owned()));
    }
    let mut cubes = certificate.cubes(system).chain(system.properties.iter().flat_map(|property| &property.bad));
    if cubes.any(|cube| !cube.universals.is_empty()) {
        return Err(SmtError::NotEncoded);
    }
    let premises = Premises::of(certificate);
    let rules: Vec<u32> = (0..).take(system.rules.len()).collect();
    // A Z3 context belongs to one thread, so each rule has its own solver.
    let of_rules: Vec<Findings> = rules
        .par_iter()
        .map(|&rule| Findings::of_rule(RuleId(rule), system, certificate, &premises, proceed))
        .collect::<Result<_, _>>()?;
    let mut all = Findings::default();
    all.of_startstates(system, certificate);
    of_rules.into_iter().for_each(|findings| all.join(findings));
    all.of_properties(system, certificate);
    if all.disagreements.is_empty() { Ok(all.agreement) } else { Err(SmtError::Disagreement(all.disagreements)) }
}

/// The arguments in a certificate by obligation, taking those of all branches together, since each is a fact.
struct Premises<'a>(BTreeMap<(RuleId, InvariantId, Match), Vec<&'a Argument>>);

impl<'a> Premises<'a> {
    fn of(certificate: &'a Certificate) -> Self {
        let mut premises: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for entry in &certificate.relations {
            if let (Some(matching), Relation::Implied(argument)) = (&entry.matching, &entry.relation) {
                premises.entry((entry.rule, entry.invariant, matching.clone())).or_default().push(argument);
            }
        }
        Self(premises)
    }
}

#[derive(Default)]
struct Findings {
    agreement: Agreement,
    disagreements: Vec<Disagreement>,
}

impl Findings {
    fn of_rule(
        id: RuleId,
        system: &System,
        certificate: &Certificate,
        premises: &Premises<'_>,
        proceed: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, SmtError> {
        let mut findings = Self::default();
        let mut encoder = Encoder::new(system, certificate);
        let rule = &system.rules[id.index()];
        let written: BTreeSet<VariableId> = rule.updates.iter().map(|update| update.variable).collect();
        for (number, invariant) in (0..).zip(&certificate.invariants) {
            if !proceed() {
                return Err(SmtError::Stopped);
            }
            let terms = invariant.cube.literals.iter().flat_map(|literal| [&literal.left, &literal.right]);
            let reads_written = |term: &Term| matches!(term, Term::Read(variable, _) if written.contains(variable));
            if !terms.into_iter().any(reads_written) {
                findings.agreement.untouched += 1;
                continue;
            }
            let invariant = InvariantId(number);
            let cube = &certificate.invariants[invariant.index()].cube;
            let parameters: Vec<_> = rule.scope.iter().take(matches::count(rule.parameters)).collect();
            for matching in matches::all(system, &parameters, &cube.variables) {
                let key = (id, invariant, matching);
                let arguments = premises.0.get(&key).map_or(&[][..], Vec::as_slice);
                let answer = encoder.rule(rule, invariant, &key.2, arguments);
                findings.add(Obligation::Rule(id, invariant, key.2), answer);
            }
        }
        Ok(findings)
    }

    fn of_startstates(&mut self, system: &System, certificate: &Certificate) {
        let mut encoder = Encoder::new(system, certificate);
        for (number, startstate) in (0..).zip(&system.startstates) {
            for (invariant, content) in (0..).map(InvariantId).zip(&certificate.invariants) {
                let parameters: Vec<_> = startstate.scope.iter().take(matches::count(startstate.parameters)).collect();
                for matching in matches::all(system, &parameters, &content.cube.variables) {
                    let answer = encoder.startstate(startstate, invariant, &matching);
                    self.add(Obligation::Initial(StartstateId(number), invariant, matching), answer);
                }
            }
        }
    }

    fn of_properties(&mut self, system: &System, certificate: &Certificate) {
        let mut encoder = Encoder::new(system, certificate);
        for (number, property) in (0..).zip(&system.properties) {
            for (position, cube) in (0..).zip(&property.bad) {
                let entry = certificate
                    .properties
                    .iter()
                    .find(|entry| entry.property == PropertyId(number) && entry.cube == position);
                let answer = encoder.property(cube, entry.map(|entry| &entry.argument));
                self.add(Obligation::Property(PropertyId(number), position), answer);
            }
        }
    }

    fn add(&mut self, about: Obligation, answer: Answer) {
        let finding = match answer {
            Answer::Closed => {
                self.agreement.closed += 1;
                return;
            }
            Answer::Open(values) => Finding::Counterexample(values),
            Answer::Unknown => Finding::NoAnswer,
        };
        self.disagreements.push(Disagreement { about, finding });
    }

    fn join(&mut self, other: Self) {
        self.agreement.closed += other.agreement.closed;
        self.agreement.untouched += other.agreement.untouched;
        self.disagreements.extend(other.disagreements);
    }
}

/// Orders the symbols of an obligation: those of the invariant, named ones, others.
fn symbol_order(symbol: Symbol) -> (u8, u32) {
    match symbol {
        Symbol::Variable(number) => (0, number),
        Symbol::Named(named) => (1, named.0),
        Symbol::Other(number) => (2, number),
    }
}

#[cfg(test)]
mod tests;
