//! What a reader sees: the worked example of `FORMAT.md` is the real certificate, and the report of a fault is
//! complete.

#![allow(clippy::unwrap_used, reason = "a failure is a panic")]

mod support;

use std::path::Path;
use std::time::Duration;

use certificate::proof::{Argument, Certificate, Instance, InvariantId, Relation, Symbol};
use certificate::{FaultReport, check, explain, explain_property, explain_startstate, write};
use support::models::{found, identity, lowered};
use system::System;
use system::{PropertyId, RuleId, StartstateId};

fn mutualex() -> (System, Certificate) {
    let system = lowered("mutualex");
    let certificate = found(&system, Duration::from_secs(60)).unwrap();
    (system, certificate)
}

/// The JSON objects in section 10: those in inline code, and the lines of code blocks.
fn objects_of_the_example() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("FORMAT.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, section) = text.split_once("## 10. ").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let pieces = section.split('`').flat_map(str::lines);
    pieces.filter(|piece| piece.starts_with("{\"")).map(str::to_owned).collect()
}

#[test]
fn the_example_of_the_format_is_the_real_certificate() {
    let (system, certificate) = mutualex();
    let text = write(&certificate, &system);
    let lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches(',')).collect();
    let objects = objects_of_the_example();
    assert!(objects.len() >= 14, "{objects:#?}");
    for object in objects {
        assert!(lines.contains(&object.as_str()), "{object}");
    }
}

/// The certificate with another premise for rule Crit, invariant 0, match `[0]`: invariant 3 instead of invariant 1.
fn with_a_wrong_premise(certificate: &Certificate) -> Certificate {
    let mut wrong = certificate.clone();
    let entry = wrong.relations.iter_mut().find(|entry| entry.rule == RuleId(1)).unwrap();
    let premises =
        vec![Instance { invariant: InvariantId(4), substitution: vec![Symbol::Variable(1), Symbol::Variable(0)] }];
    entry.relation = Relation::Implied(Argument { premises, split: None });
    wrong
}

#[test]
fn a_fault_says_where_it_is_what_was_to_be_shown_and_what_was_found() {
    let (system, certificate) = mutualex();
    let wrong = with_a_wrong_premise(&certificate);
    let faults = check(&system, &wrong, &identity()).err().unwrap();
    let reports: Vec<FaultReport> = faults.iter().map(|fault| fault.report(&system, &wrong)).collect();
    let [report] = reports.as_slice() else { panic!("{reports:#?}") };
    let found = "premise 0: 2 literals of the premise, invariant 4, are not known: n[i1] = E, n[i0] = E";
    assert_eq!(report.found, found);
    assert_eq!(report.shown, "no state after the rule satisfies n[i0] = C & n[i1] = C");
    let rule = &system.rules[1];
    let text = report.to_string();
    let place = format!("rule \"Crit\" (line {}), invariant 0, match [i0], branch 0: to show: ", rule.origin.line);
    assert_eq!(text, format!("{place}{}; found: {found}", report.shown));
    let explanations = explain(&system, &wrong, RuleId(1), InvariantId(0)).unwrap();
    assert_eq!(explanations[0].problems, [found]);
}

#[test]
fn all_faults_are_reported_in_the_order_of_the_certificate() {
    let (system, certificate) = mutualex();
    let mut wrong = with_a_wrong_premise(&certificate);
    wrong.properties.clear();
    wrong.initial.swap(0, 1);
    wrong.relations.pop();
    wrong.model_digest.clear();
    let faults = check(&system, &wrong, &identity()).err().unwrap();
    let shown: Vec<String> = faults.iter().map(|fault| fault.report(&system, &wrong).shown).collect();
    let expected = [
        "the certificate is about this model",
        "no state that satisfies the invariants satisfies n[i0] = C & n[i1] = C",
        "no state of the startstate satisfies n[i0] = C & n[i1] = C",
        "no state after the rule satisfies n[i0] = C & n[i1] = C",
        "no state after the rule satisfies n[i0] = E & n[i1] = E",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn explanations_of_startstates_and_properties_say_what_is_wrong() {
    let (system, certificate) = mutualex();
    let startstate = |certificate: &Certificate, invariant| {
        explain_startstate(&system, certificate, StartstateId(0), InvariantId(invariant)).unwrap()
    };
    let property = |certificate: &Certificate| explain_property(&system, certificate, PropertyId(0)).unwrap();
    for invariant in 0..5 {
        assert!(startstate(&certificate, invariant).iter().all(|explanation| explanation.problems.is_empty()));
    }
    let mut without = certificate.clone();
    without.initial.remove(0);
    without.properties.clear();
    assert_eq!(startstate(&without, 0)[0].problems, ["there is no entry for this obligation"]);
    assert_eq!(property(&without)[0].problems, ["there is no entry for this obligation"]);
    // Invariant 1 says that x is not true while a node is critical. Without its first literal it says that
    // x is never true, but the startstate makes it true.
    let mut open = certificate.clone();
    open.invariants[1].cube.literals.remove(0);
    open.invariants[1].cube.variables.clear();
    let explanation = &startstate(&open, 1)[0];
    assert_eq!(explanation.after, [[[""; 0]]]);
    assert_eq!(explanation.problems, ["the startstate may have the bad state: a branch remains"]);
    // The property gets a premise whose literals are not known.
    let mut wrong = certificate.clone();
    wrong.properties[0].argument.premises[0].invariant = InvariantId(4);
    let explanation = &property(&wrong)[0];
    let found = "premise 0: 2 literals of the premise, invariant 4, are not known: n[i0] = E, n[i1] = E";
    assert_eq!(explanation.problems, [found]);
    assert!(explain_startstate(&system, &certificate, StartstateId(1), InvariantId(0)).is_err());
    assert!(explain_property(&system, &certificate, PropertyId(1)).is_err());
}
