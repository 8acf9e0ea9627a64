//! Limits and signals: a command ends in time, says how far it got, and leaves nothing half finished.

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

/// Far more time than any of these commands needs to end once it must, and far less than it would need to finish its
/// work.
const PATIENCE: Duration = Duration::from_secs(40);

/// A model that takes a minute or more to lower: arrays indexed by values read from arrays.
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
        assert!(reason.starts_with("lowering the model was stopped: it took longer than 300ms"), "{reason}");
        // What lowering refused because it was stopped is not a finding about the model.
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        if command == "find" {
            assert!(!out.exists(), "something was written");
            continue;
        }
        let report = fs::read_to_string(out.join("inconclusive.md")).unwrap();
        assert!(report.contains("took longer than 300ms") && report.contains("No instance was explored"), "{report}");
        assert!(out.join("inconclusive.html").exists());
        fs::remove_dir_all(&out).unwrap();
    }
}

/// Whenever the time runs out, what is said is true and what is written is complete.
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
            let report = fs::read_to_string(out.join("inconclusive.md")).unwrap();
            assert!(report.contains("(--timeout)"), "{report}");
            let mut left: Vec<_> = fs::read_dir(&out).unwrap().map(|one| one.unwrap().file_name()).collect();
            left.sort();
            assert_eq!(left, ["inconclusive.html", "inconclusive.md", "report.html"]);
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

/// Starts a command, sends one signal after a while, and returns the exit code and the output on standard error.
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
    assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ended before the signal");
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let sent = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if sent.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} does not end after one signal");
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
        if arguments[0] == "verify" {
            // It says what it could not show.
            assert_eq!(left, ["certificate.json", "laborious.m", "new"]);
            let mut left: Vec<_> = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            left.sort();
            assert_eq!(left, ["inconclusive.html", "inconclusive.md"]);
            fs::remove_dir_all(folder.path().join("new")).unwrap();
            continue;
        }
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

/// A stage that must stop does so itself soon, or is ended with the process; the rest is slack for a busy machine.
const SOON: Duration = Duration::from_secs(5);

/// Runs a command, which must end soon after its limit. Returns its exit code, its output and what it wrote next to it.
fn limited(arguments: &[&str], limit: Duration) -> (Option<i32>, String, String) {
    let started = Instant::now();
    let output = paraproof().args(arguments).output().unwrap();
    let took = started.elapsed();
    assert!(took < limit + SOON, "{arguments:?} took {took:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Models on which some stage of every command takes very long: reading and lowering.
fn hard_models(folder: &Path) -> Vec<PathBuf> {
    let long = folder.join("long.m");
    let rule = "rule x = 0 ==> begin x := 1; end;\n";
    let text = format!("var x : 0 .. 3;\nstartstate x := 0; end;\n{}invariant x <= 1;\n", rule.repeat(1_500_000));
    fs::write(&long, text).unwrap();
    vec![long, laborious(folder)]
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_a_time_limit_bounds_every_command_in_every_stage() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.json");
    fs::write(&certificate, "{}").unwrap();
    let certificate = certificate.to_str().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let cases: [&[&str]; 11] = [
        &["lint"],
        &["verify", "-q"],
        &["find", "-q", "-o", out],
        &["simulate", "-q"],
        &["check", certificate, "--model"],
        &["explain", certificate, "--invariant", "0", "--model"],
        &["emit", "isabelle", certificate, "-o", out, "--model"],
        &["emit", "table", certificate, "-o", out, "--model"],
        &["emit", "cmp", certificate, "-o", out, "--model"],
        &["emit", "report", certificate, "-o", out, "--model"],
        &["diff", certificate, certificate, "--model"],
    ];
    for model in hard_models(folder.path()) {
        for arguments in cases {
            let arguments = [arguments, &[model.to_str().unwrap(), "--timeout", "500ms"]].concat();
            let (code, text, errors) = limited(&arguments, Duration::from_millis(500));
            assert_eq!(code, Some(3), "{arguments:?}: {text}{errors}");
            let said = "was stopped: it took longer than 500ms (--timeout)";
            assert!(text.contains(said) || errors.contains(said), "{arguments:?}: {text}{errors}");
            assert!(!Path::new(out).exists(), "{arguments:?}");
        }
    }
}

#[test]
fn a_memory_limit_bounds_reading() {
    let folder = tempfile::tempdir().unwrap();
    let long = &hard_models(folder.path())[0];
    for command in ["lint", "simulate", "verify"] {
        let (code, text, errors) = limited(&[command, long.to_str().unwrap(), "--max-memory", "150M"], SOON);
        assert_eq!(code, Some(3), "{command}: {text}{errors}");
        let said = "it needed more than 150.0 MiB (--max-memory)";
        assert!(text.contains(said) || errors.contains(said), "{command}: {text}{errors}");
    }
}

#[test]
fn a_time_limit_bounds_a_large_oracle() {
    let arguments =
        ["verify", "models/german.m", "-q", "--json", "--timeout", "1s", "--oracle-size", "NODE=40", "--threads", "1"];
    let (code, text, errors) = limited(&arguments, Duration::from_secs(1));
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, json["verdict"].as_str()), (Some(3), Some("inconclusive")), "{json} {errors}");
    assert!(json["reason"].as_str().unwrap().contains("(--timeout)"), "{json}");
}

/// How a run is stopped.
#[derive(Clone, Copy, Debug)]
enum Stop {
    Time(Duration),
    Memory(u64),
    Signal(Duration),
}

/// Runs a command and stops it. Returns its exit code and all that it said.
fn stopped(arguments: &[&str], stop: Stop) -> (Option<i32>, String) {
    let limit = match stop {
        Stop::Time(limit) => vec!["--timeout".to_owned(), format!("{}ms", limit.as_millis().max(1))],
        Stop::Memory(limit) => vec!["--max-memory".to_owned(), limit.to_string()],
        Stop::Signal(_) => Vec::new(),
    };
    let child = Command::new(assert_cmd::cargo::cargo_bin("paraproof"))
        .current_dir(root())
        .args(arguments)
        .args(limit)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let Stop::Signal(after) = stop {
        thread::sleep(after);
        // It may have ended already, and is not waited for yet.
        kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    }
    let started = Instant::now();
    let output = child.wait_with_output().unwrap();
    let allowed = if let Stop::Time(limit) = stop { limit + SOON } else { PATIENCE };
    assert!(started.elapsed() < allowed, "{arguments:?}, {stop:?}: it took {:?}", started.elapsed());
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), said.concat())
}

/// The names of the files in a folder and below it, or of a file.
fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else { return path.exists().then(|| path.to_owned()).into_iter().collect() };
    let mut all: Vec<PathBuf> = entries.flat_map(|entry| files(&entry.unwrap().path())).collect();
    all.sort();
    all
}

/// Reading and lowering take little of such a run, so that most of these moments are in the stages after them.
#[test]
fn limits_and_signals_at_any_moment_hold_in_late_stages() {
    const MOMENTS: u32 = 6;
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.json");
    let model = "models/german.m";
    paraproof().args(["find", model, "-q", "-o"]).arg(&certificate).assert().code(0);
    let certificate = certificate.to_str().unwrap();
    let out = folder.path().join("out");
    let to = out.to_str().unwrap();
    let cases: [(&[&str], i32); 9] = [
        (&["find", model, "-q", "-o", to], 0),
        (&["check", certificate, "--model", model], 0),
        (&["explain", certificate, "--model", model, "--invariant", "1"], 0),
        (&["emit", "table", certificate, "--model", model, "-o", to], 0),
        (&["emit", "isabelle", certificate, "--model", model, "-o", to], 0),
        (&["emit", "isabelle", certificate, "--model", model, "--style", "computed", "-o", to], 0),
        (&["emit", "report", certificate, "--model", model, "-o", to], 0),
        (&["emit", "cmp", certificate, "--model", model, "-o", to], 0),
        (&["diff", certificate, certificate, "--model", model], 0),
    ];
    let clean = || {
        let _ = fs::remove_dir_all(&out);
        let _ = fs::remove_file(&out);
    };
    for (arguments, whole) in cases {
        clean();
        let started = Instant::now();
        let (code, said) = stopped(arguments, Stop::Memory(1 << 40));
        let takes = started.elapsed();
        assert_eq!(code, Some(whole), "{arguments:?}: {said}");
        let complete = files(&out);
        let moments = (0..MOMENTS).map(|moment| takes * moment / MOMENTS);
        let mut stops: Vec<Stop> = moments.clone().map(Stop::Time).collect();
        stops.extend(moments.skip(1).map(Stop::Signal));
        stops.extend([1, 12, 16, 24, 32].map(|megabytes| Stop::Memory(megabytes << 20)));
        for stop in stops {
            clean();
            let (code, said) = stopped(arguments, stop);
            let written = files(&out);
            if code == Some(whole) {
                assert_eq!(written, complete, "{arguments:?}, {stop:?}: {said}");
                continue;
            }
            let said_so = match stop {
                Stop::Time(_) => code == Some(3) && said.contains("(--timeout)"),
                Stop::Memory(_) => code == Some(3) && said.contains("(--max-memory)"),
                // Most of these commands say nothing then. A signal that comes before there is a handler ends the process itself.
                Stop::Signal(_) => matches!(code, Some(3) | None),
            };
            assert!(said_so, "{arguments:?}, {stop:?}: {code:?} {said}");
            assert!(written.is_empty(), "{arguments:?}, {stop:?} leaves {written:?}");
        }
    }
    clean();
    assert_eq!(files(folder.path()), [folder.path().join("certificate.json")]);
}

/// What was proven is kept, whatever ends the run after it; what is not written is said.
#[test]
fn a_certificate_outlives_results_that_are_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let model = root().join("tests/limits/tokens.m");
    fs::create_dir_all(&out).unwrap();
    for stale in ["trace.md", "trace.json", "inconclusive.md"] {
        fs::write(out.join(stale), "of an earlier run").unwrap();
    }
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("paraproof"))
        .args(["verify", "-q", "--json", "-o"])
        .args([&out, &model])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while !out.join("certificate.json").exists() && started.elapsed() < Duration::from_secs(300) {
        assert!(child.try_wait().unwrap().is_none(), "it ends by itself");
        thread::sleep(Duration::from_millis(2));
    }
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGTERM).unwrap();
    let sent = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < SOON, "it took {:?}", sent.elapsed());
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), json["verdict"].as_str()), (Some(0), Some("proven")), "{json}");
    assert_eq!(json["not_written_because"], "it was interrupted", "{json}");
    let missing: Vec<&str> =
        json["not_written"].as_array().unwrap().iter().map(|what| what.as_str().unwrap()).collect();
    assert_eq!(missing.last(), Some(&"isabelle"), "{json}");
    let mut left: Vec<String> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    let mut expected = vec!["certificate.json"];
    if !missing.contains(&"table") {
        expected.extend(["invariants.csv", "invariants.json", "invariants.m", "invariants.md", "invariants.tex"]);
        expected.push("relations.csv");
    }
    if !missing.contains(&"report") {
        expected.push("report.html");
    }
    assert_eq!(left, expected);
    paraproof().arg("check").arg(out.join("certificate.json")).arg("--model").arg(&model).assert().code(0);
}

/// Guards that are disjunctions of many cases: their product was written out, in hours and gigabytes.
#[test]
fn theories_do_not_multiply_the_cases_of_guards() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("tokens.json");
    let (certificate, out) = (certificate.to_str().unwrap(), folder.path().join("out"));
    let model = "tests/limits/tokens.m";
    paraproof().args(["find", model, "-q", "-o", certificate]).assert().code(0);
    let arguments =
        ["emit", "isabelle", certificate, "--model", model, "-o", out.to_str().unwrap(), "--timeout", "60s"];
    let (code, _, errors) = limited(&arguments, Duration::from_secs(60));
    assert_eq!(code, Some(0), "{errors}");
    let bytes: u64 = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes < 1_000_000, "{bytes}");
}

/// Input beyond the size of any real model is refused with a place and a code, and quickly.
#[test]
fn what_is_too_deep_or_too_large_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let variable = "var x : 0 .. 3;\n";
    let rest = "x : 0 .. 3;\nstartstate x := 0; end;\nrule x := 1; end;\ninvariant x <= 1;\n";
    let doubled: String = (1..=60).map(|n| format!("T{n} : record a, b : T{}; end;\n", n - 1)).collect();
    let cases = [
        ("ifs", format!("{variable}startstate {} x := 0; end;", "if x = 0 then\n".repeat(1_000_000)), "P002"),
        ("line", format!("{variable}startstate {}", "if x = 0 then ".repeat(300_000)), "P009"),
        ("parens", format!("{variable}invariant {}x = 0;", "(".repeat(1_000_000)), "P002"),
        ("branches", format!("{variable}rule if x = 0 then {} end; end;", "elsif x = 1 then ".repeat(100_000)), "P002"),
        ("records", format!("type T0 : record a, b : boolean; end;\n{doubled}var a : T60; {rest}"), "E039"),
        ("arrays", format!("var a : {} 0 .. 1; {rest}", "array [boolean] of ".repeat(100)), "E039"),
        ("range", format!("var a : -9223372036854775807 .. 9223372036854775807; {rest}"), "E005"),
        ("no_text", "@ # ".repeat(500_000), "P011"),
    ];
    for (name, text, code) in cases {
        let path = folder.path().join(format!("{name}.m"));
        fs::write(&path, text).unwrap();
        for command in ["lint", "simulate", "verify"] {
            let (exit, text, errors) = limited(&[command, path.to_str().unwrap()], Duration::from_secs(15));
            assert_eq!(exit, Some(2), "{command} {name}: {text}");
            let place = format!("{name}.m:");
            assert!(errors.contains(&format!("error[{code}]")) && errors.contains(&place), "{command} {name}: {text}");
        }
    }
    // A hundred dimensions of symmetric types are one function in a proof, but too much for an instance.
    let path = folder.path().join("dimensions.m");
    fs::write(&path, format!("var a : {} boolean; {rest}", "array [1 .. 1000] of ".repeat(100))).unwrap();
    let (exit, _, errors) = limited(&["simulate", path.to_str().unwrap()], Duration::ZERO);
    assert!(exit == Some(2) && errors.contains("error[R002]") && errors.contains("dimensions.m:1:"), "{errors}");
}

#[test]
fn an_increment_of_a_large_range_is_lowered_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (guard, last) in [("x < 255", 255), ("true", 255), ("x < 1023", 1023), ("true", 1023)] {
        let path = folder.path().join("increment.m");
        let rules = format!("rule {guard} ==> x := x + 1; end;\ninvariant x <= {last};\n");
        fs::write(&path, format!("var x : 0 .. {last};\nstartstate x := 0; end;\n{rules}")).unwrap();
        let (exit, text, errors) = limited(&["lint", "--json", path.to_str().unwrap()], Duration::ZERO);
        assert_eq!(exit, Some(0), "{guard}: {errors}");
        assert!(text.contains("1023") || last == 255, "{guard}");
    }
}
