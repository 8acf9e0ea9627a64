//! Limits and signals: a command ends in time, says how far it came, and leaves nothing that is half done.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use support::{paraproof, root};

/// Far more than any of these commands may need to end once it has to, and far less than what they would need to get done.
const PATIENCE: Duration = Duration::from_secs(40);

/// A model that takes a minute or more to be lowered: arrays that are indexed by what is read from arrays.
fn laborious(folder: &Path) -> PathBuf {
    let step = "for i : 1 .. 4 do a[a[x]] := a[a[y]]; x := a[a[a[z]]]; y := a[a[x]]; end;";
    let text = format!(
        "type R : 0 .. 9;\nvar a : array [R] of R; x, y, z : R;\n\
         startstate for i : R do a[i] := i; end; x := 0; y := 0; z := 0; end;\n\
         rule \"one\" true ==> {step} end;\nrule \"two\" x != y ==> {step} end;\ninvariant x <= 9;\n"
    );
    let path = folder.join("laborious.m");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_time_limit_bounds_lowering() {
    let folder = tempfile::tempdir().unwrap();
    let model = laborious(folder.path());
    let out = folder.path().join("out");
    for command in ["verify", "find"] {
        let started = Instant::now();
        let output = paraproof()
            .arg(command)
            .arg(&model)
            .args(["-q", "--json", "--timeout", "300ms", "-o"])
            .arg(&out)
            .output()
            .unwrap();
        assert!(started.elapsed() < PATIENCE, "{command} took {:?}", started.elapsed());
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), json["verdict"].as_str()), (Some(3), Some("inconclusive")), "{json}");
        let reason = json["reason"].as_str().unwrap();
        assert!(reason.starts_with("lowering the model was stopped: it took longer than 0.3 s"), "{reason}");
        // What lowering refused because it was stopped is no finding about the model.
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert!(!out.exists(), "nothing is written");
    }
}

/// Whatever the moment at which the time is up, what is said is true and what is written is whole.
#[test]
fn a_time_limit_at_any_moment_leaves_nothing_half_done() {
    let folder = tempfile::tempdir().unwrap();
    let mut ends = Vec::new();
    for milliseconds in [1, 10, 20, 40, 80, 160, 320, 640, 60_000] {
        let out = folder.path().join(milliseconds.to_string());
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join("report.html"), "of an earlier run").unwrap();
        let started = Instant::now();
        let output = paraproof()
            .args(["verify", "models/german.m", "-q", "--json", "--threads", "1", "-o"])
            .arg(&out)
            .args(["--timeout", &format!("{milliseconds}ms")])
            .output()
            .unwrap();
        let late = started.elapsed().saturating_sub(Duration::from_millis(milliseconds));
        assert!(late < PATIENCE, "{milliseconds} ms took {late:?} more");
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let (code, verdict) = (output.status.code(), json["verdict"].as_str().unwrap());
        if verdict == "inconclusive" {
            assert_eq!(code, Some(3), "{json}");
            assert!(json["reason"].as_str().unwrap().contains("(--timeout)"), "{json}");
            assert_eq!(fs::read_to_string(out.join("report.html")).unwrap(), "of an earlier run");
            assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing is written");
        } else {
            assert_eq!((code, verdict), (Some(0), "proven"), "{json}");
            let mut check = paraproof();
            check.arg("check").arg(out.join("certificate.json")).args(["--model", "models/german.m"]);
            check.assert().code(0);
            let missing = |what: &str| json["not_written"].as_array().is_some_and(|all| all.contains(&what.into()));
            for (what, file) in
                [("table", "relations.csv"), ("report", "report.html"), ("isabelle", "isabelle/german.thy")]
            {
                assert_eq!(out.join(file).exists(), !missing(what), "{file}: {json}");
            }
            let report = fs::read_to_string(out.join("report.html")).unwrap_or_default();
            assert_ne!(report, "of an earlier run", "a report of another proof beside the certificate");
        }
        ends.push(verdict.to_owned());
    }
    assert_eq!((ends[0].as_str(), ends[ends.len() - 1].as_str()), ("inconclusive", "proven"), "{ends:?}");
}

/// Starts a command, sends one signal after a while, and returns its exit code and what it wrote to standard error.
fn interrupted(arguments: &[&str], model: &Path) -> (Option<i32>, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("paraproof"))
        .current_dir(root())
        .args(arguments)
        .arg(model)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(400));
    assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ends by itself");
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let sent = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if sent.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} does not end by one signal");
        }
        thread::sleep(Duration::from_millis(20));
    };
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (status.code(), errors)
}

#[test]
fn one_signal_ends_every_long_command() {
    let folder = tempfile::tempdir().unwrap();
    let slow = laborious(folder.path());
    let out = folder.path().join("new/out");
    let out = out.to_str().unwrap();
    let certificate = folder.path().join("certificate.json");
    fs::write(&certificate, "{}").unwrap();
    let certificate = certificate.to_str().unwrap();
    let cases: [&[&str]; 7] = [
        &["lint"],
        &["verify", "-q", "-o", out],
        &["find", "-q", "-o", out],
        &["check", certificate, "--model"],
        &["explain", certificate, "--invariant", "0", "--model"],
        &["emit", "report", certificate, "-o", out, "--model"],
        &["diff", certificate, certificate, "--model"],
    ];
    for arguments in cases {
        let (code, errors) = interrupted(arguments, &slow);
        assert_eq!(code, Some(3), "{arguments:?}: {errors}");
        assert!(!errors.contains("error"), "{arguments:?}: {errors}");
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["certificate.json", "laborious.m"], "{arguments:?} leaves something behind");
    }
}

#[test]
fn one_signal_ends_an_exploration_and_a_search() {
    let german = root().join("models/german.m");
    let (code, errors) = interrupted(&["simulate", "-D", "NODE_NUM=7", "-q"], &german);
    assert_eq!(code, Some(3), "{errors}");
    let flash = root().join("models/flash_home.m");
    let (code, errors) = interrupted(&["verify", "--threads", "1"], &flash);
    assert_eq!(code, Some(3), "{errors}");
    assert!(errors.contains("interrupted: stopping"), "{errors}");
}
