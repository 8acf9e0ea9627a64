//! Loops whose order matters, alarms raised before anything was executed, and own certificates: models that once got a
//! wrong answer, each with a first line that states the right one.

#![allow(clippy::unwrap_used, reason = "a failure of a test is a panic")]

mod support;

use std::path::PathBuf;

use serde_json::Value;
use support::{paraproof, root};

fn model(name: &str) -> PathBuf {
    root().join(format!("tests/traps_order/{name}.m"))
}

/// Returns the exit code and the JSON of a subcommand, which is null if there is none.
fn said(arguments: &[&str], name: &str) -> (i32, Value) {
    let output = paraproof().args(arguments).arg(model(name)).args(["--json", "--quiet"]).output().unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap_or_default())
}

fn simulated(name: &str, more: &[&str]) -> (i32, Value) {
    said(&[&["simulate"][..], more].concat(), name)
}

/// Returns the answer of `find` and `verify`, which must agree.
fn verdict(name: &str) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.json");
    let (found, _) = said(&["find", "-o", certificate.to_str().unwrap()], name);
    let (verified, json) = said(&["verify"], name);
    assert_eq!(found, verified, "{name}: find and verify differ: {json}");
    verified
}

#[test]
fn violated_is_said_of_what_was_executed() {
    let models = [
        ("e12_sim_symmetry_order_B", true),
        ("e12_sim_symmetry_order_R", true),
        ("assume_in_loop", true),
        ("g01_find_false_alarm", false),
        ("g21_find_alarm_last", false),
        ("last_of_named", false),
    ];
    for (name, violated) in models {
        assert_eq!(verdict(name), i32::from(violated), "{name}");
        for more in [&[][..], &["--no-symmetry"]] {
            assert_eq!(simulated(name, more).0, i32::from(violated), "{name} {more:?}");
        }
    }
    // `clear` chooses an element without a name. It was taken for that of the variable that is set once, and proven.
    for name in ["clear_scalarset", "clear_union"] {
        assert_eq!((verdict(name), simulated(name, &[]).0), (2, 1), "{name}");
    }
    // In a proof, a loop over a scalarset may run in any order; the execution decides.
    assert_eq!(verdict("find_first"), 1);
}

#[test]
fn find_shows_what_it_executed() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.json");
    let (_, json) = said(&["find", "-o", certificate.to_str().unwrap()], "e12_sim_symmetry_order_B");
    assert_eq!(json["trace"]["violates"], "i", "{json}");
    assert!(!certificate.exists());
}

#[test]
fn elements_whose_order_matters_are_not_permuted() {
    for name in ["e12_sim_symmetry_order_B", "find_first", "clear_scalarset", "e09_assert_in_for", "assume_in_loop"] {
        let (code, json) = simulated(name, &[]);
        let (each, without) = simulated(name, &["--no-symmetry"]);
        assert_eq!((code, json["ordered"].clone()), (each, serde_json::json!(["P"])), "{name}: {json}");
        assert_eq!((&json["states"], &json["symmetry"]), (&without["states"], &Value::Bool(false)), "{name}");
    }
}

#[test]
fn a_loop_over_a_scalarset_that_depends_on_the_order_is_warned_of() {
    for (name, warned) in
        [("e09_assert_in_for", true), ("find_first", true), ("clear_scalarset", true), ("g21_find_alarm_last", false)]
    {
        let output = paraproof().args(["lint"]).arg(model(name)).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(text.contains("W010"), warned, "{name}: {text}");
        let told = paraproof().args(["simulate", "--quiet"]).arg(model(name)).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&told.stderr).contains("W010"), warned, "{name}");
    }
}

#[test]
fn own_certificates_are_accepted() {
    for name in ["f01_named_read_order", "f02_two_anon_loops", "f04_two_anon_dims"] {
        assert_eq!(verdict(name), 0, "{name}");
    }
}

/// A guard or an update about an element that a loop chooses is no rule that can fire: the instance chooses another one.
#[test]
fn deadlock_freedom_does_not_rest_on_what_a_loop_chooses() {
    for (name, option) in [("deadlock_guard_of_last", "--deadlock=stuck"), ("deadlock_choice_in_body", "--deadlock")] {
        let (code, json) = said(&["verify", option], name);
        assert_ne!(code, 0, "{name}: {json}");
        assert_eq!(said(&["verify", option, "-D", "N=4"], name).0, 1, "{name}");
        assert_eq!(simulated(name, &[option, "-D", "N=4"]).0, 1, "{name}");
    }
}
