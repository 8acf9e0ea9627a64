//! `verify` of several models and folders: the table, the exit code, the folders of results, and what headers expect.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command as Process;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use support::{paraproof, root};

const GOOD: &str = "models/mutualex.m";
const BROKEN: &str = "models/broken/mutualex_unguarded.m";

/// Runs `verify` with these arguments. Returns the exit code, and the lines of the standard output without times.
fn verify(arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let output = paraproof().args(["verify", "-q"]).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let is_time = |words: &[&str]| matches!(words, [number, "s"] if number.parse::<f64>().is_ok());
    let line = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        while let Some(at) = words.windows(2).position(is_time) {
            words.drain(at..at + 2);
        }
        words.join(" ")
    };
    (output.status.code(), text.lines().map(line).collect())
}

fn copy(from: &str, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(root().join(from), to).unwrap();
}

#[test]
fn the_worst_outcome_is_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let unknown = folder.path().join("unknown.m");
    // A model that states nothing is inconclusive.
    fs::write(&unknown, "var x : boolean;\nstartstate x := false; end;\nrule x := !x; end;\n").unwrap();
    let unknown = unknown.to_str().unwrap();
    let proven = "proven for any number of NODE";
    let violated = "violated: 'MutualExclusion' after 4 steps";
    let (code, lines) = verify(&[GOOD, "models/synapse.m"]);
    assert_eq!((code, lines.len()), (Some(0), 3), "{lines:?}");
    assert_eq!(lines[0], format!("{GOOD} {proven}"));
    assert_eq!(lines[2], "2 models: 2 proven;");
    assert_eq!(verify(&[GOOD, unknown]).0, Some(3));
    let (code, lines) = verify(&[BROKEN, unknown, GOOD]);
    assert_eq!(code, Some(1));
    assert_eq!(lines[0], format!("{BROKEN} {violated}"));
    assert_eq!(lines[2..], [format!("{GOOD} {proven}"), "3 models: 1 proven, 1 violated, 1 inconclusive;".to_owned()]);
    let output = paraproof().args(["verify", "-q", BROKEN, "models/none.m", GOOD]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("models/none.m: no such file"));
    assert!(String::from_utf8(output.stdout).unwrap().contains("1 proven, 1 violated, 1 refused;"));
}

#[test]
fn a_folder_is_searched_and_each_model_has_its_folder_of_results() {
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("models");
    copy(GOOD, &models.join("lock.m"));
    copy(BROKEN, &models.join("below/lock.m"));
    copy("models/cub/mesi.cub", &models.join("cache.cub"));
    copy(GOOD, &models.join("cache.m"));
    copy(GOOD, &models.join(".hidden/lock.m"));
    fs::write(models.join("notes.txt"), "no model").unwrap();
    let out = models.join("out");
    // In the second run, the results of the first are in the folder that is searched.
    for _ in 0..2 {
        let (code, lines) = verify(&[models.to_str().unwrap(), "-o", out.to_str().unwrap(), "--jobs", "3"]);
        assert_eq!(code, Some(1), "{lines:?}");
        assert_eq!(lines.last().unwrap(), "4 models: 3 proven, 1 violated;");
    }
    for (name, file) in [
        ("lock", "report.html"),
        ("below/lock", "trace.json"),
        ("cache.m", "certificate.json"),
        ("cache.cub", "certificate.json"),
    ] {
        assert!(out.join(name).join(file).exists(), "{name}/{file}");
    }
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    paraproof().arg("verify").arg(&empty).assert().code(2);
    // Both would be written to `out/lock.m`.
    let (one, other) = (models.join("lock.m"), models.join("below/lock.m"));
    paraproof().arg("verify").args([one, other]).arg("-o").arg(&out).assert().code(2);
    // A single model has no folder of its own, and a folder that is made in vain goes again.
    for (name, options) in [("single", &[][..]), ("compared", &["--expect"])] {
        let single = folder.path().join(name);
        assert_eq!(verify(&[&[GOOD, "-o", single.to_str().unwrap()], options].concat()).0, Some(0));
        assert!(single.join("certificate.json").exists());
    }
    let vain = folder.path().join("vain");
    assert_eq!(verify(&["none.m", "nothing.m", "-o", vain.join("deep").to_str().unwrap()]).0, Some(2));
    assert!(!vain.exists());
}

#[test]
fn what_headers_expect_is_good() {
    let (code, lines) = verify(&["--expect", GOOD, BROKEN, "models/cub/semaphore_broken.cub"]);
    assert_eq!(code, Some(0), "{lines:?}");
    assert!(lines.iter().take(3).all(|line| line.ends_with(" as expected")), "{lines:?}");
    assert_eq!(lines[3], "3 models: 1 proven, 2 violated; 3 as expected;");
    let folder = tempfile::tempdir().unwrap();
    let changed = |from: &str, old: &str, new: &str| {
        let path = folder.path().join("changed.m");
        let text = fs::read_to_string(root().join(from)).unwrap();
        assert!(text.contains(old));
        fs::write(&path, text.replace(old, new)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (from, old, new, said) in [
        (GOOD, "verdict = proven", "verdict = violated", "expected violated"),
        (BROKEN, "violates = MutualExclusion", "violates = Other", "expected violated: 'Other'"),
    ] {
        let (code, lines) = verify(&["--expect", &changed(from, old, new)]);
        assert_eq!(code, Some(1));
        assert!(lines[0].ends_with(said), "{lines:?}");
    }
    // A model without a header counts as it does otherwise, and a header that cannot be read is a mistake.
    let path = changed(BROKEN, "-- paraproof: verdict = violated\n", "");
    let (found, lines) = verify(&["--expect", &path, GOOD]);
    assert_eq!(found, Some(1));
    assert!(lines[0].ends_with("nothing expected"), "{lines:?}");
    assert_eq!(verify(&["--expect", &changed(GOOD, "= proven", "= provn")]).0, Some(2));
}

#[test]
fn the_json_of_several_models_has_that_of_each() {
    let output = paraproof().args(["verify", "-q", "--json", "--expect", GOOD, BROKEN, "none.m"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["exit_code"], 2);
    let models = json["models"].as_array().unwrap();
    let of = |key: &str| models.iter().map(|model| model[key].clone()).collect::<Vec<Value>>();
    assert_eq!(of("model"), [GOOD, BROKEN, "none.m"]);
    assert_eq!(of("verdict"), ["proven", "violated", "refused"]);
    assert_eq!(of("exit_code"), [0, 1, 2]);
    assert_eq!(of("as_expected"), [true.into(), true.into(), Value::Null]);
    assert_eq!(models[0]["invariants"], 5);
    assert_eq!(models[1]["expected"]["violates"], "MutualExclusion");
}

#[test]
fn limits_are_those_of_each_model_and_a_signal_stops_all() {
    let started = Instant::now();
    let hard = ["models/flash.m", "models/flash_home.m", "models/flash_nodata.m"];
    let (code, lines) = verify(&[&hard[..], &["--jobs", "1", "--timeout", "50ms"]].concat());
    assert_eq!(code, Some(3));
    assert!(lines[..3].iter().all(|line| line.contains("inconclusive") && line.contains("--timeout")), "{lines:?}");
    let child = Process::new(assert_cmd::cargo::cargo_bin("paraproof"))
        .current_dir(root())
        .args(["verify", "-q", "--json", "--jobs", "1"])
        .args(hard)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(100));
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGTERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reasons: Vec<&str> =
        json["models"].as_array().unwrap().iter().map(|model| model["reason"].as_str().unwrap()).collect();
    assert!(reasons[0].contains("it was interrupted") && reasons[2].contains("before it was looked at"), "{reasons:?}");
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn watched_models_are_verified_again_when_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let (lock, other) = (folder.path().join("lock.m"), folder.path().join("other.m"));
    copy(GOOD, &lock);
    copy(GOOD, &other);
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("paraproof"))
        .args(["verify", "-q", "--watch"])
        .arg(folder.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // The lines of a report, up to its sum.
    let mut report = || {
        let mut report: Vec<String> = Vec::new();
        while report.last().is_none_or(|last| !last.contains(" models: ") && !last.contains("1 model: ")) {
            report.push(lines.next().unwrap().unwrap());
        }
        report
    };
    assert!(report()[2].starts_with("2 models: 2 proven;"));
    copy(BROKEN, &lock);
    let seen = report();
    assert!(seen[0].contains("violated") && seen[1].contains("proven"), "{seen:?}");
    // A mistake in a model is no reason to stop.
    fs::write(&lock, "var x boolean;").unwrap();
    assert!(report()[2].starts_with("2 models: 1 proven, 1 refused;"));
    fs::remove_file(&other).unwrap();
    copy(BROKEN, &lock);
    let seen = std::iter::repeat_with(&mut report).take(2).find(|seen| seen[0].contains("violated")).unwrap();
    assert!(seen.last().unwrap().starts_with("1 model: 1 violated;"), "{seen:?}");
    assert!(seen.iter().any(|line| line.contains("Crit")), "the trace of a single model is shown: {seen:?}");
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGTERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
