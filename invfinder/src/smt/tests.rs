use certificate::proof::{Argument, Certificate, Relation};

use super::*;
use crate::example::mutual_exclusion;
use crate::{Header, Limits, Verdict, prove};

fn certified() -> (System, Certificate) {
    let system = mutual_exclusion(false);
    let header = Header { model_digest: String::new(), settings: Vec::new() };
    let (verdict, _) = prove(&system, &header, &Limits::default(), &mut |_| true);
    let Verdict::Proven(certificate) = verdict else { panic!("not proven: {verdict:?}") };
    (system, *certificate)
}

fn disagreements(system: &System, certificate: &Certificate) -> Vec<Disagreement> {
    match second_opinion(system, certificate, &|| true) {
        Ok(_) => Vec::new(),
        Err(SmtError::Disagreement(found)) => found,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_good_certificate_is_confirmed() {
    let (system, certificate) = certified();
    let agreement = second_opinion(&system, &certificate, &|| true).unwrap();
    assert!(agreement.closed > 0);
}

#[test]
fn a_missing_premise_is_noticed() {
    let (system, mut certificate) = certified();
    let mut dropped = 0;
    for entry in &mut certificate.relations {
        if matches!(&entry.relation, Relation::Implied(_)) {
            entry.relation = Relation::Implied(Argument { premises: Vec::new(), split: None });
            dropped += 1;
        }
    }
    assert!(dropped > 0);
    let found = disagreements(&system, &certificate);
    assert!(found.iter().any(|one| matches!(one.about, Obligation::Rule(..))));
    assert!(found.iter().all(|one| matches!(&one.finding, Finding::Counterexample(values) if !values.is_empty())));
}

#[test]
fn an_invariant_that_is_too_strong_fails_initially() {
    let (system, mut certificate) = certified();
    let literal = &mut certificate.invariants[0].cube.literals[0];
    // Initially, all nodes are idle.
    literal.right = system::Term::Constant(system::ConstantId(2));
    certificate.invariants[0].cube.literals.truncate(1);
    certificate.invariants[0].cube.variables.truncate(1);
    let found = disagreements(&system, &certificate);
    assert!(found.iter().any(|one| matches!(one.about, Obligation::Initial(..))));
}

#[test]
fn the_certificate_of_another_protocol_is_not_confirmed() {
    let (_, certificate) = certified();
    assert!(!disagreements(&mutual_exclusion(true), &certificate).is_empty());
}

#[test]
fn a_property_without_its_invariant_is_noticed() {
    let (system, mut certificate) = certified();
    for entry in &mut certificate.properties {
        entry.argument.premises.clear();
    }
    let found = disagreements(&system, &certificate);
    assert!(found.iter().any(|one| matches!(one.about, Obligation::Property(..))));
}

#[test]
fn stopping_is_no_agreement() {
    let (system, certificate) = certified();
    assert_eq!(second_opinion(&system, &certificate, &|| false), Err(SmtError::Stopped));
}

#[test]
fn one_thread_and_many_find_the_same() {
    let (_, certificate) = certified();
    let broken = mutual_exclusion(true);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let about = |found: Vec<Disagreement>| found.into_iter().map(|one| one.about).collect::<Vec<_>>();
    let one = pool(1).install(|| about(disagreements(&broken, &certificate)));
    let many = pool(4).install(|| about(disagreements(&broken, &certificate)));
    assert_eq!(one, many);
}

#[test]
fn universal_parts_are_not_confirmed() {
    let (system, mut certificate) = certified();
    let own = certificate.invariants[0].cube.clone();
    let part = system::Universal { variables: own.variables[..1].to_vec(), literals: Vec::new() };
    certificate.invariants[0].cube.universals.push(part);
    assert_eq!(second_opinion(&system, &certificate, &|| true), Err(SmtError::NotEncoded));
}
