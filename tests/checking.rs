//! Tests `check` as a command: good and bad certificates, parts and how they are merged, one obligation step by step,
//! and the second checker on the output of `lint --json`.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use certificate::Model;
use invfinder::{Header, Limits, Verdict, prove};
use serde_json::Value;
use sha2::{Digest, Sha256};
use support::paraproof;

const MODEL: &str = "models/mutualex.m";

/// Finds a certificate for a model and writes it to the folder.
fn certificate(folder: &Path, model: &str) -> PathBuf {
    let bytes = fs::read(model).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let program = murphi::read(&text, &murphi::Options::default()).unwrap();
    let system = murphi::lower::lower(&program, &murphi::lower::LowerOptions::default()).unwrap().system;
    let model_digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let header = Header { model_digest: model_digest.clone(), settings: Vec::new() };
    let (verdict, _) = prove(&system, &header, &Limits::default(), &mut |_| true);
    let Verdict::Proven(certificate) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(certificate::check(&system, &certificate, &Model { digest: model_digest, settings: Vec::new() }).is_ok());
    let path = folder.join("certificate.json");
    fs::write(&path, certificate::write(&certificate, &system)).unwrap();
    path
}

/// Returns the exit code and standard output of a run.
fn run(arguments: &[&str], path: Option<&Path>) -> (i32, String) {
    let output = paraproof().args(arguments).args(path).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// Replaces a part of the certificate that must occur in it.
fn changed(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}\n{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn good_certificates_are_accepted_and_bad_ones_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = certificate(folder.path(), MODEL);
    let (code, text) = run(&["check", "--model", MODEL], Some(&path));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("accepted"), "{text}");
    // A different model, though its rules and properties have the same names.
    let (code, text) = run(&["check", "--model", "models/broken/mutualex_unguarded.m"], Some(&path));
    assert_eq!(code, 4, "{text}");
    assert!(text.contains("digest") && text.contains("rule \"Crit\""), "{text}");
    // Other settings.
    assert_eq!(run(&["check", "--model", MODEL, "-D", "NODE_NUM=4"], Some(&path)).0, 4);
    changed(&path, "\"k\":\"holds_after\"", "\"k\":\"unaffected\"");
    let (code, text) = run(&["check", "--model", MODEL], Some(&path));
    assert_eq!(code, 4);
    assert!(text.contains("counts"), "{text}");
    let text = fs::read_to_string(&path).unwrap();
    let count = |key: &str| {
        let value: Value = serde_json::from_str(&text).unwrap();
        value["counts"][key].as_u64().unwrap()
    };
    let (after, unaffected) = (count("holds_after"), count("unaffected"));
    let counts = |a: u64, u: u64| format!("\"holds_after\":{a},\"unaffected\":{u}");
    changed(&path, &counts(after, unaffected), &counts(after - 1, unaffected + 1));
    let (code, text) = run(&["check", "--json", "--model", MODEL], Some(&path));
    assert_eq!(code, 4, "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["verdict"], "rejected");
    let fault = &report["faults"][0];
    assert_eq!(fault["found"], "the relation is holds_after, not unaffected");
    for key in ["name", "invariant", "match", "shown", "line"] {
        assert!(!fault[key].is_null(), "{key}: {fault}");
    }
}

#[test]
fn parts_are_merged_where_they_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = certificate(folder.path(), MODEL);
    let part = |number: u32| folder.path().join(format!("part-{number}.json"));
    let check = |number: u32| {
        let (shard, out) = (format!("{number}/3"), part(number));
        run(&["check", "--model", MODEL, "--shard", &shard, "-o", out.to_str().unwrap()], Some(&path)).0
    };
    let merge = |numbers: &[u32]| {
        let paths: Vec<String> = numbers.iter().map(|number| part(*number).to_str().unwrap().to_owned()).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        run(&[&["check", "--merge"], paths.as_slice()].concat(), None)
    };
    assert_eq!([1, 2, 3].map(check), [0, 0, 0]);
    let (code, text) = merge(&[3, 1, 2]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("accepted") && text.contains("in 3 parts"), "{text}");
    assert_eq!(merge(&[1, 2]).0, 2);
    assert_eq!(merge(&[1, 2, 3, 3]).0, 2);
    // The second part finds a fault in the second rule.
    changed(
        &path,
        "\"name\":\"Crit\",\"case\":\"\",\"entries\":[\n",
        "\"name\":\"Crit\",\"case\":\"\",\"entries\":[\n{\"i\":77,\"k\":\"unaffected\"},\n",
    );
    let text = fs::read_to_string(&path).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    for key in ["relations", "unaffected"] {
        let count = value["counts"][key].as_u64().unwrap();
        changed(&path, &format!("\"{key}\":{count}"), &format!("\"{key}\":{}", count + 1));
    }
    assert_eq!(check(2), 4);
    assert_eq!(merge(&[1, 2, 3]).0, 2, "the other parts are of another certificate");
    assert_eq!([1, 3].map(check), [0, 0]);
    assert_eq!(merge(&[1, 2, 3]).0, 4);
}

#[test]
fn an_obligation_is_shown_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = certificate(folder.path(), MODEL);
    let (code, text) = run(&["check", "--model", MODEL, "--explain", "Crit:0"], Some(&path));
    assert_eq!(code, 0, "{text}");
    for part in ["rule Crit (line ", "no state may satisfy: ", "facts: ", "known ", "contradiction", "implied: "] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let (code, text) = run(&["check", "--json", "--model", MODEL, "--explain", "1:0"], Some(&path));
    assert_eq!(code, 0);
    let steps: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(steps.as_array().map(Vec::len), Some(3));
    for wrong in ["Nobody:0", "Crit:99", "Init:99", "Crit", "Crit:", "Init", "nothing"] {
        assert_eq!(run(&["check", "--model", MODEL, "--explain", wrong], Some(&path)).0, 2, "{wrong}");
    }
}

#[test]
fn startstates_and_properties_are_shown_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = certificate(folder.path(), MODEL);
    let explain = |what: &str| run(&["check", "--model", MODEL, "--explain", what], Some(&path));
    let startstate = "startstate Init (line 67), invariant 0, match []
  no state may satisfy: n[i0] = C & n[i1] = C
  afterwards n[i0] = C: never
  afterwards n[i1] = C: never
  the values that the startstate gives and the cube contradict each other at sight
";
    assert_eq!(explain("Init:0"), (0, startstate.to_owned()));
    let property = "property MutualExclusion (line 76), cube 0
  no state may satisfy: n[i0] = C & n[i1] = C
  invariant 0 at [i0, i1]: known n[i0] = C, n[i1] = C; contradiction
  the named instances of invariants have to contradict the cube
";
    assert_eq!(explain("MutualExclusion"), (0, property.to_owned()));
    // A property that no state can violate has no cube to explain.
    let other = tempfile::tempdir().unwrap();
    let trivial = other.path().join("trivial.m");
    let text = "var b : boolean; startstate b := true; end; rule b := !b; end; invariant \"trivial\" b | !b;";
    fs::write(&trivial, text).unwrap();
    let trivial = trivial.to_str().unwrap();
    let without_cubes = certificate(other.path(), trivial);
    let said = "property trivial: no state can violate its formula, so there is nothing to be shown\n";
    let shown = run(&["check", "--model", trivial, "--explain", "trivial"], Some(&without_cubes));
    assert_eq!(shown, (0, said.to_owned()));
    // The fault is reported where it is.
    changed(&path, "\"by\":[[0,[0,1]]]", "\"by\":[[4,[0,1]]]");
    let (code, text) = explain("MutualExclusion");
    assert_eq!(code, 4, "{text}");
    assert!(text.contains("\n  FAULT: premise 0: 2 literals of the premise, invariant 4, are not known"), "{text}");
}

#[test]
fn the_second_checker_reads_what_lint_prints() {
    if !support::tool("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let models = ["german", "german_baukus", "germanish", "mesi", "moesi", "mutualex", "peterson", "synapse", "ticket"];
    for model in models.map(|name| format!("models/{name}.m")) {
        let model = model.as_str();
        let path = certificate(folder.path(), model);
        let system = folder.path().join("system.json");
        fs::write(&system, run(&["lint", "--json", model], None).1).unwrap();
        let check = || {
            let mut command = Command::new("python3");
            command.arg("scripts/check_certificate.py").arg(&system).arg(&path).args(["--model", model]);
            command.output().unwrap()
        };
        let output = check();
        assert_eq!(output.status.code(), Some(0), "{model}: {output:?}");
        changed(&path, "\"cube\":0", "\"cube\":7");
        assert_eq!(check().status.code(), Some(4), "{model}");
    }
}

/// Random changes of relations, on which both checkers must agree: `scripts/tamper_both.py` has tried many more.
#[test]
fn both_checkers_find_fault_with_the_same_changes() {
    if !support::tool("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for model in ["models/german.m", "models/mutualex.m"] {
        let path = certificate(folder.path(), model);
        let mut command = Command::new("python3");
        command.arg("scripts/tamper_both.py").arg(model).arg(&path).args(["--rounds", "4", "--paraproof"]);
        let output = command.arg(paraproof().get_program()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let last = text.lines().last().unwrap();
        let rejected: u32 = last.split_whitespace().nth(4).unwrap().parse().unwrap();
        assert!(last.starts_with("4 rounds: ") && rejected > 50, "{last}");
    }
}
