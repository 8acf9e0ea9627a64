//! Indexed predicates alone prove protocols, and the checker accepts these proofs.

#![allow(clippy::unwrap_used, reason = "it is a test")]

#[path = "../../murphi/tests/support/headers.rs"]
mod headers;

use headers::models;
use invfinder::{Header, Limits, Reason, Verdict, prove_by_predicates};
use murphi::lower::{LowerOptions, lower};
use system::System;

/// Models with locks, caches, channels, tickets and an order, none of which takes long.
const PROVEN: [&str; 8] =
    ["mutualex", "mesi", "german_pfs", "german_baukus", "dijkstra", "bakery", "token_ring", "snooping_msi"];

fn system(text: &str) -> System {
    let program = murphi::read(text, &murphi::Options::default()).unwrap();
    lower(&program, &LowerOptions::default()).unwrap().system
}

fn attempt(system: &System) -> Verdict {
    let header = Header { model_digest: String::new(), settings: Vec::new() };
    prove_by_predicates(system, &header, &Limits::default(), &mut |_| true).0
}

#[test]
fn the_checker_accepts_proofs_by_predicates_alone() {
    let models = models("");
    for name in PROVEN {
        let model = models.iter().find(|model| model.name == name).unwrap();
        let system = system(&model.text);
        let Verdict::Proven(proof) = attempt(&system) else { panic!("{name} is not proven") };
        let identity = certificate::Model { digest: String::new(), settings: Vec::new() };
        assert!(certificate::check(&system, &proof, &identity).is_ok(), "{name}");
    }
}

const LOCK: &str = r#"
    type NODE: scalarset(2);
    var taken: boolean; critical: array [NODE] of boolean;
    startstate
      taken := false;
      for i: NODE do critical[i] := false; end;
    end;
    ruleset i: NODE do
      rule "enter" !taken ==> taken := true; critical[i] := true; end;
      rule "leave" critical[i] ==> taken := false; critical[i] := false; end;
    end;
    invariant "mutual exclusion"
      forall i: NODE do forall j: NODE do i != j -> !(critical[i] & critical[j]) end end;
"#;

#[test]
fn a_wrong_protocol_is_violated_and_a_property_that_needs_more_is_left_open() {
    let Verdict::Proven(proof) = attempt(&system(LOCK)) else { panic!("not proven") };
    assert_eq!(proof.invariants.len(), 2);
    let Verdict::Violated(violation) = attempt(&system(&LOCK.replace("!taken ==>", ""))) else {
        panic!("not violated")
    };
    assert_eq!(violation.steps.len(), 2);
    // Its proof needs that something exists, which no combination of predicates about two nodes says.
    let models = models("");
    let model = models.iter().find(|model| model.name == "szymanski_at_any").unwrap();
    let verdict = attempt(&system(&model.text));
    assert!(matches!(verdict, Verdict::Inconclusive(Reason::Candidates)), "{verdict:?}");
}
