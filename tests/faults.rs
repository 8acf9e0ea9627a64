//! Known faults of an earlier tool of this kind, each as a test of the right answer.
//!
//! The numbers are those of the list they come from (paraVerifier, as examined in 2026).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;

use serde_json::Value;
use support::{paraproof, tool};

/// A model with two booleans, followed by `rest`.
fn model(rest: &str) -> String {
    format!(
        "const N : 2;\ntype NODE : scalarset(N);\nvar bad : boolean; x : boolean; a : array [NODE] of boolean;\n{rest}\n"
    )
}

const START: &str = "startstate bad := false; x := false; for i : NODE do a[i] := false; end; end;\n";
const PROPERTY: &str = "invariant \"good\" !bad;\n";

/// Runs `verify`, and compares its verdict on the instance with rumur's if rumur is installed.
fn verdict(text: &str) -> (i32, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    fs::write(&path, text).unwrap();
    let output = paraproof().arg("verify").arg(&path).args(["-q", "--json"]).output().unwrap();
    let code = output.status.code().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("code {code}, no JSON: {errors}"));
    if tool("rumur") {
        assert_eq!(code == 1, support::rumur_finds_violation(&path), "rumur disagrees on\n{text}");
    }
    (code, json)
}

fn violated(text: &str) {
    let (code, json) = verdict(text);
    assert_eq!((code, json["verdict"].as_str()), (1, Some("violated")), "{json}\n{text}");
}

fn proven(text: &str) {
    let (code, json) = verdict(text);
    assert_eq!((code, json["verdict"].as_str()), (0, Some("proven")), "{json}\n{text}");
}

#[test]
fn fault_1_parameters_of_one_type_may_be_equal() {
    violated(&model(&format!("{START}{PROPERTY}ruleset i : NODE; j : NODE do rule i = j ==> bad := true; end; end;")));
    violated(&model(&format!(
        "{START}{PROPERTY}ruleset i : NODE; j : NODE do rule true ==> a[i] := true; a[j] := false; if !a[i] then bad := \
         true; end; end; end;"
    )));
}

#[test]
fn fault_2_bodies_are_sequential() {
    violated(&model(&format!("{START}{PROPERTY}rule true ==> x := true; if x then bad := true; end; end;")));
    proven(&model(&format!("{START}{PROPERTY}rule true ==> x := false; if x then bad := true; end; end;")));
    violated(&model(&format!(
        "{START}{PROPERTY}ruleset i : NODE do rule true ==> for j : NODE do a[j] := true; end; if a[i] then bad := true; \
         end; end; end;"
    )));
}

#[test]
fn fault_3_every_value_of_a_startstates_parameter_counts() {
    let start =
        "ruleset b : boolean do startstate bad := b; x := false; for i : NODE do a[i] := false; end; end; end;\n";
    violated(&model(&format!("{start}{PROPERTY}rule true ==> x := true; end;")));
}

#[test]
fn fault_4_there_are_as_many_nodes_as_the_model_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    let rule = "ruleset i : NODE do rule true ==> a[i] := !a[i]; end; end;";
    fs::write(&path, model(&format!("{START}{PROPERTY}{rule}"))).unwrap();
    for (nodes, states) in [(2, 4), (3, 8), (4, 16)] {
        let output = paraproof()
            .arg("simulate")
            .arg(&path)
            .args(["--json", "--no-symmetry", "--quiet", "-D", &format!("N={nodes}")])
            .output()
            .unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["states"], states);
    }
}

#[test]
fn fault_5_exists_means_some_element_also_among_three() {
    let rules = "ruleset i : NODE do rule !x ==> a[i] := true; x := true; end; end;\n\
                 rule exists i : NODE do a[i] end ==> bad := true; end;";
    violated(&model(&format!("{START}{PROPERTY}{rules}")).replace("N : 2", "N : 3"));
    let rules = "rule exists i : NODE do a[i] end ==> bad := true; end;";
    proven(&model(&format!("{START}{PROPERTY}{rules}")).replace("N : 2", "N : 3"));
}

#[test]
fn fault_6_the_last_write_wins() {
    violated(&model(&format!("{START}{PROPERTY}rule true ==> bad := false; bad := true; end;")));
    proven(&model(&format!("{START}{PROPERTY}rule true ==> bad := true; bad := false; end;")));
    violated(&model(&format!(
        "{START}{PROPERTY}ruleset i : NODE; j : NODE do rule true ==> a[i] := false; a[j] := true; x := a[i]; bad := x; \
         end; end;"
    )));
}

#[test]
fn fault_7_unknown_is_not_true() {
    // Any limit that stops the work leaves the question open.
    for limit in [&["--timeout", "1ms"][..], &["--max-states", "1", "--timeout", "2s"], &["--max-memory", "1"]] {
        let output = paraproof().args(["verify", "models/german.m", "-q", "--json"]).args(limit).output().unwrap();
        let code = output.status.code().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        match json["verdict"].as_str() {
            Some("inconclusive") => {
                assert_eq!(code, 3);
                assert!(json["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
            }
            // A search that ends before it reaches the limit has an answer.
            Some("proven") => assert_eq!(code, 0),
            other => panic!("{limit:?}: {other:?}"),
        }
    }
}

#[test]
fn fault_8_rules_that_never_fire_are_reported() {
    let rules = "rule \"Never\" x ==> bad := true; end; rule \"Often\" true ==> bad := false; end;";
    let (code, json) = verdict(&model(&format!("{START}{PROPERTY}{rules}")));
    assert_eq!(code, 0);
    assert_eq!(json["dead_rules"], serde_json::json!(["Never"]));
}

#[test]
fn fault_9_symmetry_is_checked() {
    // The uses of the range depend on its order, so it is finite, and the proof says nothing about other sizes.
    let text = "type NODE : 1..3;\nvar p : NODE; a : array [NODE] of boolean; bad : boolean;\nstartstate p := 1; bad := false; for i : NODE do a[i] := false; end; end;\n\
                rule p < 3 ==> p := p + 1; end;\nrule p > 3 ==> bad := true; end;\ninvariant \"good\" !bad;\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    fs::write(&path, text).unwrap();
    let output = paraproof().arg("lint").arg(&path).args(["--json"]).output().unwrap();
    let system: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(system["index_types"], serde_json::json!([]));
    paraproof().arg("lint").arg(&path).args(["--index-type", "NODE"]).assert().code(2);
}

#[test]
fn fault_10_wrong_candidates_are_taken_back() {
    // With a single known state, nearly every candidate seems right; the wrong ones are undone, and the proof is found.
    for model in ["models/germanish.m", "models/mutualex.m"] {
        let output = paraproof().args(["verify", model, "-q", "--json", "--max-states", "1"]).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), json["verdict"].as_str()), (Some(0), Some("proven")), "{model}: {json}");
        assert_eq!(json["oracle"]["states"], 1, "{model}");
        assert!(json["search"]["undone"].as_u64().is_some_and(|undone| undone > 0), "{model}: {json}");
    }
}

#[test]
fn fault_11_nothing_is_dropped_without_a_word() {
    // Invariants in comments are comments; `switch`, locals and functions have their usual meaning.
    violated(&model(&format!(
        "{START}{PROPERTY}rule \"r\" true ==> var t : boolean; begin t := !x; switch t case true: bad := t; end; end;"
    )));
    proven(&model(&format!(
        "{START}{PROPERTY}-- invariant \"no\" bad;\n/* invariant \"no\" bad; */\nrule true ==> x := \
                            true; end;"
    )));
    violated(&model(&format!(
        "function flip(b : boolean) : boolean; begin return !b; end;\n{START}{PROPERTY}rule true ==> bad := flip(x); end;"
    )));
    let ordered = "type T : 0..3;\nvar tail : T; q : array [T] of boolean;\nstartstate tail := 0; for i : T do q[i] := \
                   false; end; end;\nrule tail < 3 ==> q[tail + 1] := true; tail := tail + 1; end;\ninvariant \"i\" \
                   tail = 0 -> !q[1];\n";
    let (code, _) = verdict(ordered);
    assert!([0, 2].contains(&code), "neither proven nor refused");
}
