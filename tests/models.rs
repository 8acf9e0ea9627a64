//! Runs the subcommands on every model and compares the results with its header.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "a test that cannot go on may panic")]

#[path = "support/snapshots.rs"]
mod snapshots;
mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{Header, models, paraproof, two_at_a_time};

/// The number of states that a test build explores in a few seconds.
const STATES: u64 = 60_000;

/// Runs `verify` with the path relative to the project's folder, which reports then show.
fn verify(header: &Header, out: &Path, options: &[&str]) -> (Option<i32>, Value) {
    let root = env!("CARGO_MANIFEST_DIR");
    let output = paraproof()
        .current_dir(root)
        .arg("verify")
        .arg(header.path.strip_prefix(root).unwrap())
        .args(["-q", "--json", "-o"])
        .arg(out)
        .args(options)
        .output()
        .unwrap();
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{}: {error}: {}", header.name(), String::from_utf8_lossy(&output.stderr));
    });
    (output.status.code(), json)
}

#[test]
fn every_model_is_proven_and_all_results_are_written() {
    proven_and_written(false);
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_every_large_model_is_proven_and_all_results_are_written() {
    proven_and_written(true);
}

fn proven_and_written(large: bool) {
    let mut chosen = models("");
    chosen.retain(|header| header.is_large() == large);
    assert!(chosen.len() > 5);
    two_at_a_time(chosen, |header| {
        let (name, folder) = (header.name(), tempfile::tempdir().unwrap());
        let out = folder.path().join("out");
        let (code, json) = verify(header, &out, &[]);
        assert_eq!((code, &json["verdict"]), (Some(0), &"proven".into()), "{name}: {json}");
        assert_eq!(json["rules"], header.rules, "{name}");
        let keys = ["model", "properties", "invariants", "relations", "oracle", "seconds", "peak_memory_bytes"];
        assert!(keys.iter().all(|key| !json[key].is_null()), "{name}: {json}");
        let certificate = out.join("certificate.json");
        assert_eq!(json["certificate"]["bytes"], fs::metadata(&certificate).unwrap().len(), "{name}");
        let files = ["invariants.md", "invariants.csv", "invariants.json", "invariants.tex", "report.html"];
        for file in files.into_iter().chain(["relations.csv", "invariants.m", "isabelle/ROOT"]) {
            assert!(fs::metadata(out.join(file)).is_ok_and(|data| data.len() > 0), "{name}: {file}");
        }
        let invariants: Value =
            serde_json::from_str(&fs::read_to_string(out.join("invariants.json")).unwrap()).unwrap();
        assert_eq!(invariants["invariants"].as_array().map(Vec::len), json["invariants"].as_u64().map(|n| n as usize));
        snapshots::compare(&name, &out);
        review(header, &certificate, folder.path());
        let table = folder.path().join("table");
        for file in ["invariants.md", "invariants.csv", "invariants.json", "invariants.tex", "relations.csv"] {
            let read = |folder: &Path| fs::read(folder.join(file)).unwrap();
            assert!(read(&out) == read(&table), "{name}: {file} differs when written from the certificate alone");
        }
    });
}

/// Does what a reviewer does with a certificate.
fn review(header: &Header, certificate: &Path, folder: &Path) {
    let with = |subcommand: &[&str]| {
        let mut command = paraproof();
        command.args(subcommand).arg(certificate).arg("--model").arg(&header.path);
        command
    };
    with(&["check"]).assert().code(0);
    let out = |name: &str| folder.join(name);
    for what in ["table", "report", "isabelle"] {
        with(&["emit", what]).arg("-o").arg(out(what)).assert().code(0);
    }
    with(&["explain"]).args(["--invariant", "0"]).assert().code(0);
    with(&["explain"]).args(["--invariant", "100000"]).assert().code(2);
    with(&["diff"]).arg(certificate).assert().code(0);
}

#[test]
fn state_counts_are_those_of_the_headers() {
    two_at_a_time(models(""), |header| {
        for (settings, states) in header.states.iter().filter(|(_, states)| *states <= STATES) {
            let mut command = paraproof();
            command.arg("simulate").arg(&header.path).args(["--json", "--no-symmetry", "--quiet"]);
            for setting in settings {
                command.args(["-D", setting]);
            }
            let output = command.output().unwrap();
            let json: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(json["states"], *states, "{} {settings:?}: {json}", header.name());
        }
    });
}

/// Settings that headers do not have, with the numbers of states that rumur has counted as well.
const MORE_SETTINGS: [(&str, &[&str], u64); 5] = [
    ("bakery_lamport", &["NODE_NUM=1", "MAX_TICKET=4"], 5),
    ("bakery_lamport", &["NODE_NUM=3", "MAX_TICKET=2"], 15_273),
    ("lamport_fast", &["NODE_NUM=1"], 9),
    ("leader_greatest", &["NODE_NUM=1", "MAX_ID=4"], 11),
    ("szymanski_na", &["NODE_NUM=1"], 7),
];

/// A verdict is about any sizes, so nothing is violated with other ones: for each model with numbers, all states are explored with
/// three settings that differ in every constant.
#[test]
fn what_is_proven_of_numbers_holds_with_three_settings_that_differ_in_every_size() {
    let mut checked = 0;
    for header in models("") {
        let lowered = paraproof().args(["lint", "--json"]).arg(&header.path).output().unwrap();
        let lowered: Value = serde_json::from_slice(&lowered.stdout).unwrap();
        let has_numbers = |sort: &Value| !sort["numbers"].is_null();
        if !lowered["sorts"].as_array().is_some_and(|sorts| sorts.iter().any(has_numbers)) {
            continue;
        }
        let name = header.name();
        let more = MORE_SETTINGS.iter().filter(|(model, ..)| *model == name);
        let more = more.map(|(_, settings, states)| (settings.iter().map(|own| (*own).to_owned()).collect(), *states));
        let all: Vec<(Vec<String>, u64)> =
            header.states.iter().cloned().chain(more).filter(|(_, states)| *states <= STATES).collect();
        let differ = |one: &[String], other: &[String]| one.iter().all(|setting| !other.contains(setting));
        let three = all.iter().enumerate().find_map(|(first, one)| {
            all.iter().enumerate().skip(first + 1).filter(|(_, other)| differ(&one.0, &other.0)).find_map(
                |(second, two)| {
                    let apart = |third: &&(Vec<String>, u64)| differ(&one.0, &third.0) && differ(&two.0, &third.0);
                    all.iter().skip(second + 1).find(apart).map(|three| [one, two, three])
                },
            )
        });
        let three = three.unwrap_or_else(|| panic!("{name}: no three settings differ in every size: {all:?}"));
        for (settings, states) in three {
            let mut command = paraproof();
            command.arg("simulate").arg(&header.path).args(["--json", "--no-symmetry", "--quiet"]);
            settings.iter().for_each(|setting| {
                command.args(["-D", setting]);
            });
            let output = command.output().unwrap();
            let json: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(
                (&json["verdict"], &json["states"]),
                (&"holds".into(), &(*states).into()),
                "{name} {settings:?}: {json}"
            );
        }
        checked += 1;
    }
    assert!(checked >= 19, "{checked}");
}

#[test]
fn every_broken_twin_is_violated_with_a_trace_that_replays() {
    for header in models("broken") {
        let (name, folder) = (header.name(), tempfile::tempdir().unwrap());
        let out = folder.path().join("out");
        let (code, json) = verify(&header, &out, &[]);
        assert_eq!((code, &json["verdict"]), (Some(1), &"violated".into()), "{name}: {json}");
        let steps = json["trace"]["steps"].as_array().unwrap();
        assert!(steps.len() > 1, "{name}");
        let trace = out.join("trace.json");
        let read: Value = serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap();
        assert_eq!(read, json["trace"], "{name}");
        assert!(!out.join("certificate.json").exists(), "{name}");
        let mut replay = paraproof();
        replay.arg("simulate").arg(&header.path).arg("--replay").arg(&trace);
        // The instance of the trace may differ from that of the file; all constants with that name set its size.
        replay.args(sizes(&header, &read));
        let output = replay.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{name}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("violates"), "{name}: {text}");
        // Without its last step, the trace is an execution in which nothing is violated.
        let mut shorter = read.clone();
        shorter["steps"].as_array_mut().unwrap().pop();
        fs::write(&trace, shorter.to_string()).unwrap();
        let mut replay = paraproof();
        replay.arg("simulate").arg(&header.path).arg("--replay").arg(&trace).args(sizes(&header, &read));
        replay.assert().code(0);
    }
}

/// Returns the settings of the model's constants that give the sizes of a trace.
fn sizes(header: &Header, trace: &Value) -> Vec<String> {
    let text = fs::read_to_string(&header.path).unwrap();
    let sizes = trace["sizes"].as_array().unwrap().iter();
    let setting = |size: &Value| {
        let constant = format!("{}_NUM", size[0].as_str().unwrap());
        text.contains(&constant).then(|| ["-D".to_owned(), format!("{constant}={}", size[1])])
    };
    sizes.filter_map(setting).flatten().collect()
}

#[test]
fn the_threads_do_not_change_a_byte() {
    for header in
        models("").iter().filter(|header| ["german", "germanish", "futurebus"].contains(&header.name().as_str()))
    {
        let folder = tempfile::tempdir().unwrap();
        let bytes = |threads: &str| {
            let out = folder.path().join(threads);
            assert_eq!(verify(header, &out, &["--threads", threads]).0, Some(0));
            ["certificate.json", "invariants.md", "relations.csv", "report.html"]
                .map(|file| fs::read(out.join(file)).unwrap())
        };
        assert_eq!(bytes("1"), bytes("4"), "{}", header.name());
    }
}

#[test]
fn a_search_without_time_is_inconclusive_and_writes_what_is_not_shown() {
    let flash = models("").into_iter().find(|header| header.name() == "flash").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (code, json) = verify(&flash, &folder.path().join("out"), &["--timeout", "10ms"]);
    assert_eq!((code, &json["verdict"]), (Some(3), &"inconclusive".into()), "{json}");
    assert!(json["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
    let mut written: Vec<_> =
        fs::read_dir(folder.path().join("out")).unwrap().map(|file| file.unwrap().file_name()).collect();
    written.sort();
    assert_eq!(written, ["inconclusive.html", "inconclusive.md"]);
}

#[test]
fn changed_certificates_are_rejected_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let german = models("").into_iter().find(|header| header.name() == "german").unwrap();
    let out = folder.path().join("out");
    assert_eq!(verify(&german, &out, &[]).0, Some(0));
    let good = fs::read_to_string(out.join("certificate.json")).unwrap();
    let changes: [(&str, &str); 4] = [
        ("\"holds_after\"", "\"unaffected\""),
        ("\"unaffected\"", "\"holds_after\""),
        ("\"GntE\"", "\"GntS\""),
        ("\"version\":2", "\"version\":1"),
    ];
    let path = folder.path().join("changed.json");
    let check = || paraproof().arg("check").arg(&path).arg("--model").arg(&german.path).output().unwrap();
    let compact = good.replace("\": ", "\":");
    for (from, to) in changes {
        let changed = compact.replacen(from, to, 1);
        if changed == compact {
            continue;
        }
        fs::write(&path, changed).unwrap();
        let output = check();
        assert_eq!(output.status.code(), Some(4), "{from} to {to}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(!output.stdout.is_empty());
    }
    fs::write(&path, &good[..good.len() / 2]).unwrap();
    assert_eq!(check().status.code(), Some(4));
    // A certificate is about one model only.
    let other = paraproof()
        .arg("check")
        .arg(out.join("certificate.json"))
        .args(["--model", "models/broken/german_eager_shared.m"])
        .output()
        .unwrap();
    assert_eq!(other.status.code(), Some(4));
}

#[test]
fn an_output_that_cannot_be_written_is_said_at_once() {
    for out in ["/dev/null/out", "Cargo.toml/out", "Cargo.toml"] {
        let output = paraproof().args(["verify", "models/german.m", "-q", "-o", out]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{out}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
    }
}
