//! The caller may stop at any moment: a proof that is returned nevertheless is accepted by the checker, and an
//! interrupted check accepts nothing.

#![allow(clippy::unwrap_used, reason = "it is a test")]

#[path = "../../murphi/tests/support/headers.rs"]
mod headers;

use std::sync::atomic::{AtomicUsize, Ordering};

use certificate::fault::Problem;
use certificate::proof::Certificate;
use headers::models;
use invfinder::{Account, Header, Limits, Reason, Stage, Stop, Verdict, prove};
use murphi::lower::{LowerOptions, lower};
use system::System;

fn german() -> System {
    let model = models("").into_iter().find(|model| model.name == "german").unwrap();
    let program = murphi::read(&model.text, &murphi::Options::default()).unwrap();
    lower(&program, &LowerOptions::default()).unwrap().system
}

fn run(system: &System, proceed: &mut dyn FnMut(Stage<'_>) -> bool) -> (Verdict, Account) {
    let header = Header { model_digest: String::new(), settings: Vec::new() };
    prove(system, &header, &Limits::default(), proceed)
}

fn identity() -> certificate::Model {
    certificate::Model { digest: String::new(), settings: Vec::new() }
}

fn proof(verdict: Verdict) -> Box<Certificate> {
    let Verdict::Proven(certificate) = verdict else { panic!("not proven: {verdict:?}") };
    certificate
}

#[test]
fn a_search_that_is_stopped_says_so_or_has_a_proof() {
    let system = german();
    let mut stages = Vec::new();
    let (verdict, account) = run(&system, &mut |stage| {
        stages.push(matches!(stage, Stage::Minimizing { .. }));
        true
    });
    let (best, all) = (proof(verdict), stages.len());
    assert!(account.minimized);
    let first = stages.iter().position(|minimizing| *minimizing).unwrap();
    let cases = (0..first).step_by(first / 8).chain([first - 1, first, (first + all) / 2, all - 1]);
    for end in cases {
        let mut asked = 0;
        let (verdict, account) = run(&system, &mut |_| {
            asked += 1;
            asked <= end
        });
        if end < first {
            assert!(
                matches!(verdict, Verdict::Inconclusive(Reason::Stopped(Stop::Interrupted))),
                "stopped at {end} of {all}: {verdict:?}"
            );
            continue;
        }
        let found = proof(verdict);
        assert!(!account.minimized, "stopped at {end} of {all}");
        assert!(found.invariants.len() >= best.invariants.len());
        assert!(certificate::check(&system, &found, &identity()).is_ok(), "stopped at {end} of {all}");
        if end == first {
            assert!(found.invariants.len() > best.invariants.len(), "nothing was dropped");
        }
    }
}

#[test]
fn a_check_that_is_stopped_accepts_nothing() {
    let system = german();
    let found = proof(run(&system, &mut |_| true).0);
    let asked = AtomicUsize::new(0);
    let check = |end: usize| {
        asked.store(0, Ordering::SeqCst);
        certificate::check_while(&system, &found, &identity(), &|| asked.fetch_add(1, Ordering::SeqCst) < end)
    };
    assert!(check(usize::MAX).is_ok());
    let all = asked.load(Ordering::SeqCst);
    assert!(all > 100);
    for end in [0, 1, all / 2, all - 1] {
        let faults = check(end).unwrap_err();
        assert!(faults.iter().all(|fault| fault.problem == Problem::Interrupted), "{faults:?}");
    }
    assert!(check(all).is_ok());
}
