//! The main job, on every model: the verdict that its header promises, and a proof or a trace that stands by itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

mod support;

use support::{Header, paraproof, root};

/// Models that take the search or the instance too long for a test in a debug build are tried with this many states.
const MOST_STATES: u64 = 20_000;

fn models(folder: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "m"))
        .collect();
    found.sort();
    assert!(found.len() > 10, "{folder} has models");
    found
}

fn verify(model: &Path, out: &Path) -> (i32, Value) {
    let output = paraproof().args(["verify", "--json", "--quiet", "-o"]).arg(out).arg(model).output().unwrap();
    let summary = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), summary)
}

#[test]
fn good_models_are_proven_and_their_certificates_are_accepted() {
    for model in models("models") {
        if !Header::read(&model).proven {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let (code, summary) = verify(&model, &out);
        let name = model.display();
        assert_eq!((code, summary["verdict"].as_str()), (0, Some("proven")), "{name}: {summary}");
        for file in ["certificate.json", "invariants.md", "report.html", "isabelle/ROOT"] {
            assert!(out.join(file).is_file(), "{name}: {file}");
        }
        paraproof().arg("check").arg(out.join("certificate.json")).arg("--model").arg(&model).assert().success();
    }
}

#[test]
fn broken_models_are_violated_and_their_traces_replay() {
    for model in models("models/broken") {
        let header = Header::read(&model);
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let (code, summary) = verify(&model, &out);
        let name = model.display();
        assert_eq!((code, summary["verdict"].as_str()), (1, Some("violated")), "{name}: {summary}");
        assert_eq!(summary["property"].as_str(), header.violates.as_deref(), "{name}");
        let output =
            paraproof().arg("simulate").arg(&model).arg("--replay").arg(out.join("trace.json")).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: the trace replays to its violation");
    }
}

#[test]
fn instances_have_the_states_of_the_headers() {
    let mut compared = 0;
    for model in models("models") {
        for (settings, states) in Header::read(&model).states {
            if states > MOST_STATES {
                continue;
            }
            let mut command = paraproof();
            command.args(["simulate", "--no-symmetry", "--json", "--quiet"]).arg(&model);
            for setting in &settings {
                command.arg("-D").arg(setting);
            }
            let output = command.output().unwrap();
            let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(figures["states"].as_u64(), Some(states), "{} at {settings:?}", model.display());
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} counts were compared");
}

#[test]
fn equal_rule_parameters_are_not_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("equal.m");
    let text = "type N : scalarset(2);\nvar bad : boolean;\nstartstate bad := false; end;\n\
                ruleset i : N; j : N do rule \"Same\" i = j ==> bad := true; end end;\ninvariant \"Good\" !bad;\n";
    fs::write(&model, text).unwrap();
    let (code, summary) = verify(&model, &folder.path().join("out"));
    assert_eq!((code, summary["verdict"].as_str()), (1, Some("violated")));
    assert_eq!(summary["trace"]["steps"].as_array().map(Vec::len), Some(2));
}
