//! `verify` looks for the bug before it looks for a proof: what the model's own instance shows is told at once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;

use serde_json::{Value, json};
use support::{models, paraproof, two_at_a_time};

/// What a subcommand prints as JSON about a model, its exit code, and what it says on standard error.
fn run(subcommand: &str, text: &str, options: &[&str]) -> (Option<i32>, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    fs::write(&path, text).unwrap();
    let output = paraproof().arg(subcommand).arg(&path).args(["-q", "--json"]).args(options).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap(), errors)
}

/// Each node counts to six, and is late then.
fn counting(property: &str) -> String {
    format!(
        "const N : 3;\ntype NODE : scalarset(N); C : 0..9;\nvar c : array [NODE] of C; u : C; bad : boolean;\n\
         startstate for n : NODE do c[n] := 0; end; bad := false; undefine u; end;\n\
         ruleset n : NODE do\n  rule \"up\" c[n] < 6 ==> c[n] := c[n] + 1; end;\n  \
         rule \"late\" c[n] = 6 & !bad ==> bad := true; end;\nend;\n{property}"
    )
}

#[test]
fn a_violation_of_the_own_instance_is_told_before_the_search() {
    for (property, violated, error) in [
        ("invariant \"low\" forall n : NODE do c[n] < 6 end;\n", "low", None),
        // An invariant that cannot be evaluated does not hold.
        ("invariant \"u\" bad -> u = 0;\n", "u", Some("an undefined value is read")),
        // It is not among what can be proven, and is executed all the same.
        ("rule \"say\" bad ==> assert \"never\" false; end;\ninvariant \"ok\" true;\n", "never", None),
    ] {
        let text = counting(property);
        let (code, verified, errors) = run("verify", &text, &[]);
        assert_eq!((code, &verified["verdict"]), (Some(1), &json!("violated")), "{property}: {verified} {errors}");
        assert_eq!((&verified["property"], &verified["trace"]["violates"]), (&json!(violated), &json!(violated)));
        assert_eq!(verified["trace"]["error"]["message"].as_str(), error, "{property}");
        assert_eq!(verified.get("oracle"), None, "nothing was searched for: {verified}");
        let (_, simulated, _) = run("simulate", &text, &[]);
        assert_eq!(verified["trace"], simulated["trace"], "{property}");
    }
}

/// The run is shown although the search goes on and ends in a proof.
#[test]
fn an_error_of_the_own_instance_is_shown_and_the_search_goes_on() {
    let text = counting("rule \"read\" bad ==> u := u + 1; end;\ninvariant \"ok\" forall n : NODE do c[n] != 8 end;\n");
    let (code, json, errors) = run("verify", &text, &[]);
    assert_eq!((code, &json["verdict"]), (Some(0), &json!("proven")), "{json} {errors}");
    assert!(errors.contains("a run that ends in an error:\n  0. "), "{errors}");
    assert!(errors.contains("meets an error in 'read': an undefined value is read"), "{errors}");
    assert_eq!(json["trace"]["error"]["rule"], "read", "{json}");
    assert_eq!(json["runtime_errors"].as_array().map(Vec::len), Some(1), "{json}");
    assert!(json["oracle"].is_object(), "{json}");
}

#[test]
fn the_figures_are_those_of_simulate() {
    the_same_figures(false);
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_the_figures_of_large_models_are_those_of_simulate() {
    the_same_figures(true);
}

fn the_same_figures(large: bool) {
    let mut few = models("");
    few.retain(|header| header.is_large() == large && header.states.iter().any(|(_, states)| *states < 20_000));
    assert!(few.len() > 3);
    two_at_a_time(few, |header| {
        let text = fs::read_to_string(&header.path).unwrap();
        let (_, simulated, _) = run("simulate", &text, &["--max-states", "100000"]);
        let (_, verified, _) = run("verify", &text, &[]);
        let instance = &verified["instance"];
        for key in ["states", "rules_fired", "depth", "symmetry"] {
            assert_eq!(instance[key], simulated[key], "{}: {key}", header.name());
        }
        assert_eq!(instance["complete"], simulated["verdict"] == "holds", "{}", header.name());
    });
}

/// A limit on the rules that fire holds for a model with few states and very many rules, and what is found with it is no
/// other thing in a second run.
#[test]
fn many_rules_end_the_look_and_not_the_run() {
    let text = "type NODE : scalarset(3); R : 0..39;\nvar x : R; y : R; z : R;\nstartstate x := 0; y := 0; z := 0; end;\n\
                ruleset a : R; b : R do rule \"set\" x := a; y := b; end; end;\nruleset a : R do rule \"third\" z := a; end; end;\n\
                invariant \"in\" x < 40;\n";
    let (code, json, errors) = run("verify", text, &[]);
    assert_eq!((code, &json["verdict"]), (Some(0), &json!("proven")), "{json} {errors}");
    let (instance, fired) = (&json["instance"], json["instance"]["rules_fired"].as_u64().unwrap());
    assert_eq!(instance["complete"], false, "{instance}");
    assert!((1_000_000..10_000_000).contains(&fired), "{instance}");
    assert_eq!(*instance, run("verify", text, &[]).1["instance"]);
}

/// A reader is told which messages come and go. What executes the trace again reads every slot.
#[test]
fn a_trace_tells_the_messages_of_a_multiset() {
    let model = models("broken").into_iter().find(|model| model.name() == "directory_msi_keeps_copy").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = |command: &str| {
        let mut run = paraproof();
        run.arg(command).arg(&model.path).args(["-q", "-o"]).arg(folder.path());
        String::from_utf8(run.output().unwrap().stdout).unwrap()
    };
    let told = run("verify");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for text in [told, read("trace.txt")] {
        assert!(text.contains("todir = {}") && text.contains("tocache[NODE_1] = {}"), "{text}");
        assert!(text.contains("todir: + {kind: GetS, from: NODE_1, val: VALUE_1}"), "{text}");
        assert!(text.contains("todir: - {kind: GetS, from: NODE_1, val: VALUE_1}"), "{text}");
        assert!(!text.contains("present") && !text.contains("}.kind"), "{text}");
    }
    assert!(read("trace.md").contains("`todir`: + {kind: GetS, from: NODE\\_1, val: VALUE\\_1}"));
    assert!(read("trace.svg").contains("todir: + {kind: GetS"));
    let trace = folder.path().join("trace.json");
    assert!(fs::read_to_string(&trace).unwrap().contains("todir{0} present"));
    let again = paraproof().arg("simulate").arg(&model.path).arg("--replay").arg(&trace).output().unwrap();
    assert_eq!(String::from_utf8(again.stdout).unwrap(), read("trace.txt"));
}
