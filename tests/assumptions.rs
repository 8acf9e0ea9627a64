//! Assumptions, and variables that may have any value in the initial states: instances have the states that rumur finds.
//!
//! rumur does not know initial values that are not listed, so each such model has a twin that lists them.

#![allow(clippy::unwrap_used, reason = "a failure of a test is a panic")]

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use support::{paraproof, root, rumur, tool};

fn folder() -> PathBuf {
    root().join("tests/assumptions")
}

/// The numbers of states and of rules fired that rumur counts, for 2, 3 and 4 nodes.
type Counts = [(u64, u64); 3];

const MODELS: [(&str, Counts); 10] = [
    ("written_state", [(8, 22), (20, 84), (48, 272)]),
    ("some_initial_states", [(4, 12), (12, 60), (32, 224)]),
    ("parameterized", [(32, 151), (100, 673), (308, 2691)]),
    ("violation_outside", [(3, 6), (7, 21), (15, 60)]),
    ("no_initial_state", [(0, 0), (0, 0), (0, 0)]),
    ("behind", [(16, 37), (28, 93), (52, 229)]),
    ("statement_too", [(7, 8), (19, 24), (47, 64)]),
    ("function", [(3, 6), (7, 21), (15, 60)]),
    ("deadlock", [(3, 6), (4, 12), (5, 20)]),
    ("after_the_invariant", [(3, 6), (27, 162), (729, 8748)]),
];

/// Models in which variables may have any value, the same with all initial states listed, and the variables.
const ARBITRARY: [(&str, &str, &[&str], Counts); 3] = [
    ("parameters", "parameters_listed", &["limit", "boss", "mode"], [(26, 22), (60, 66), (116, 148)]),
    ("quorums", "quorums_listed", &[], [(59, 78), (539, 907), (4511, 9380)]),
    ("records", "records_listed", &[], [(19, 12), (163, 162), (1135, 1512)]),
];

fn simulated(name: &str, nodes: usize, more: &[&str]) -> Value {
    let model = folder().join(format!("{name}.m"));
    let mut command = paraproof();
    command.args(["simulate", "--json", "--quiet"]).arg(model).args(["-D", &format!("N={nodes}")]).args(more);
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{name}: {output:?}"))
}

fn counted(json: &Value) -> (u64, u64) {
    assert_eq!(json["verdict"], "holds", "{json}");
    (json["states"].as_u64().unwrap(), json["rules_fired"].as_u64().unwrap())
}

/// Compares with what rumur counts, if it is installed.
fn compare(name: &str, nodes: usize, counts: (u64, u64)) {
    let folder_of_copy = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(folder().join(format!("{name}.m"))).unwrap();
    let copy = folder_of_copy.path().join("model.m");
    fs::write(&copy, text.replace("const N : 3;", &format!("const N : {nodes};"))).unwrap();
    let (found, text) = rumur(&copy, &["--deadlock-detection=off", "--symmetry-reduction=off"]);
    let line = format!("{} states, {} rules fired", counts.0, counts.1);
    assert!(!found && text.contains(&line), "{name} with {nodes} nodes: {line}, but rumur: {text}");
}

#[test]
fn states_that_an_assumption_excludes_are_neither_counted_nor_expanded() {
    let with_rumur = tool("rumur");
    for (name, counts) in MODELS {
        for (nodes, expected) in (2..).zip(counts) {
            assert_eq!(counted(&simulated(name, nodes, &["--no-symmetry"])), expected, "{name} with {nodes} nodes");
            counted(&simulated(name, nodes, &[]));
            if with_rumur && nodes == 3 {
                compare(name, nodes, expected);
            }
        }
    }
}

#[test]
fn variables_that_may_have_any_value_start_with_all_of_them() {
    let with_rumur = tool("rumur");
    for (name, listed, variables, counts) in ARBITRARY {
        let named: Vec<&str> = variables.iter().flat_map(|variable| ["--arbitrary", variable]).collect();
        for (nodes, expected) in (2..).zip(counts) {
            let plain = simulated(name, nodes, &[&named[..], &["--no-symmetry"]].concat());
            assert_eq!(counted(&plain), expected, "{name} with {nodes} nodes");
            assert_eq!(counted(&simulated(listed, nodes, &["--no-symmetry"])), expected, "{listed}");
            let reduced = counted(&simulated(name, nodes, &named));
            assert!(reduced.0 <= expected.0, "{name} with {nodes} nodes: {reduced:?}");
            if with_rumur && nodes == 3 {
                compare(listed, nodes, expected);
            }
        }
    }
    // Without the option, a variable that no assumption mentions has no value.
    assert_eq!(simulated("parameters", 2, &[])["verdict"], "error");
}

/// Returns the quorum model with a wrong property.
fn violated(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("violated.m");
    let text = fs::read_to_string(self::folder().join("quorums.m")).unwrap();
    let wrong = "invariant \"early\" forall q : quorum do done[q] -> forall i : node do vote[i] end end;\n";
    fs::write(&path, text + wrong).unwrap();
    path
}

#[test]
fn a_trace_says_which_values_there_were_and_replays_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let model = violated(&folder);
    let (file, other) = (folder.path().join("trace.json"), folder.path().join("other.json"));
    for symmetry in [&[][..], &["--no-symmetry"]] {
        let output = paraproof().args(["simulate", "--json", "-q"]).arg(&model).args(symmetry).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"], "violated", "{json}");
        let first = json["trace"]["steps"][0]["changes"].as_array().unwrap();
        let members = || first.iter().filter(|change| change["variable"].as_str().unwrap().starts_with("member"));
        assert!(members().all(|change| change["after"] != "Undefined"), "{json}");
        // Not all nodes are members of all quorums.
        assert!(members().any(|change| change["after"] == "false"), "{json}");
        fs::write(&file, json["trace"].to_string()).unwrap();
        let replay =
            |file: &PathBuf| paraproof().arg("simulate").arg(&model).arg("--replay").arg(file).output().unwrap();
        let again = replay(&file);
        assert_eq!(again.status.code(), Some(1), "{again:?}");
        // With other values, the rules of the trace are not enabled, or an assumption excludes the state.
        let text = json["trace"].to_string();
        for (from, to) in [("true", "false"), ("false", "true")] {
            let mut changed: Value = serde_json::from_str(&text).unwrap();
            for change in changed["steps"][0]["changes"].as_array_mut().unwrap() {
                if change["variable"].as_str().unwrap().starts_with("member") && change["after"] == from {
                    change["after"] = to.into();
                }
            }
            fs::write(&other, changed.to_string()).unwrap();
            let refused = replay(&other);
            assert_eq!(refused.status.code(), Some(2), "{refused:?}");
            assert!(String::from_utf8_lossy(&refused.stderr).contains("is not enabled"), "{refused:?}");
        }
    }
}

#[test]
fn a_name_that_cannot_be_arbitrary_is_refused() {
    let cases = [
        ("limits", "did you mean `limit`?"),
        ("unknown", "those that nothing writes are limit, boss, mode"),
        ("n", "`n` is written by the model"),
    ];
    for (name, said) in cases {
        let model = folder().join("parameters.m");
        for subcommand in ["simulate", "verify", "lint"] {
            let output = paraproof().arg(subcommand).arg(&model).args(["--arbitrary", name]).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.code() == Some(2) && errors.contains("E001") && errors.contains(said), "{errors}");
        }
    }
}

#[test]
fn an_instance_without_initial_states_is_told() {
    let output = paraproof().args(["simulate", "-q"]).arg(folder().join("no_initial_state.m")).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("there is no initial state"), "{output:?}");
}

#[test]
fn a_proof_about_no_initial_state_says_so() {
    let files = tempfile::tempdir().unwrap();
    let model = files.path().join("none.m");
    let text = "type N : scalarset(2);\nvar a : array [N] of boolean;\n\
                startstate for i : N do a[i] := false; end; assume false; end;\n\
                ruleset i : N do rule begin a[i] := true; end; end;\ninvariant forall i : N do !a[i] end;\n";
    fs::write(&model, text).unwrap();
    let output = paraproof().args(["verify", "-q"]).arg(&model).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("it has no initial state"), "{output:?}");
}

#[test]
fn a_certificate_is_for_the_arbitrary_variables_that_it_names() {
    let folder_of_results = tempfile::tempdir().unwrap();
    let certificate = folder_of_results.path().join("certificate.json");
    let model = folder().join("parameters.m");
    let named = ["--arbitrary", "boss", "--arbitrary", "limit", "--arbitrary", "mode"];
    let found = paraproof().args(["find", "-q", "-o"]).arg(&certificate).arg(&model).args(named).output().unwrap();
    assert_eq!(found.status.code(), Some(0), "{found:?}");
    let text = fs::read_to_string(&certificate).unwrap();
    assert!(text.contains("boss=arbitrary") && text.contains("mode=arbitrary"), "{text}");
    let check = |named: &[&str]| {
        let output =
            paraproof().arg("check").arg(&certificate).arg("--model").arg(&model).args(named).output().unwrap();
        output.status.code()
    };
    assert_eq!((check(&named), check(&named[2..]), check(&[])), (Some(0), Some(4), Some(4)));
}

/// A run that compares an undefined value names the option that makes this no error, and a certificate is for that option.
#[test]
fn a_certificate_is_for_the_meaning_of_undefined_values_that_it_names() {
    let files = tempfile::tempdir().unwrap();
    let (model, certificate) = (files.path().join("owner.m"), files.path().join("certificate.json"));
    let text = "type P : scalarset(2);\nvar owner : P; has : array [P] of boolean;\n\
                startstate undefine owner; for p : P do has[p] := false; end; end;\n\
                ruleset p : P do rule \"take\" isundefined(owner) ==> owner := p; has[p] := true; end;\n\
                rule \"give\" owner = p ==> undefine owner; has[p] := false; end; end;\n\
                invariant \"owner\" forall p : P do has[p] -> owner = p end;\n";
    fs::write(&model, text).unwrap();
    let run = |arguments: &[&str]| {
        let output = paraproof().args(arguments).arg(&model).output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.code(), format!("{out}{err}"))
    };
    let (code, said) = run(&["simulate"]);
    assert!(code == Some(1) && said.contains("`--undefined unequal`"), "{code:?} {said}");
    let (code, said) = run(&["simulate", "--undefined", "unequal"]);
    assert!(code == Some(0) && said.contains(": holds"), "{code:?} {said}");
    let path = certificate.to_str().unwrap();
    let (code, said) = run(&["find", "--undefined=unequal", "-q", "-o", path]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run(&["check", path, "--model"]);
    assert!(code == Some(4) && said.contains("undefined=unequal"), "{code:?} {said}");
    let (code, said) = run(&["check", path, "--undefined", "unequal", "--model"]);
    assert_eq!(code, Some(0), "{said}");
    let cubicle = paraproof().args(["lint", "--undefined", "unequal", "models/cub/queue.cub"]).output().unwrap();
    assert_eq!(cubicle.status.code(), Some(2), "{cubicle:?}");
}
