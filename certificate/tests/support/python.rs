//! The second checker, `scripts/check_certificate.py`, which was written from `FORMAT.md`.

use std::path::Path;
use std::process::Command;

use certificate::Model;
use system::System;

#[path = "../../../tests/support/tools.rs"]
mod tools;

/// Whether there is a `python3`; reports that something is skipped if not.
pub(crate) fn is_there() -> bool {
    tools::tool("python3")
}

/// The first reason of the Python checker against each certificate, or `accepted`.
pub(crate) fn first_lines(system: &System, model: &Model, certificates: &[String]) -> Vec<String> {
    let first = |reasons: Vec<String>| reasons.into_iter().next().unwrap_or_else(|| "accepted".to_owned());
    reasons(system, model, certificates).into_iter().map(first).collect()
}

/// Everything that the Python checker finds wrong with each certificate.
pub(crate) fn reasons(system: &System, model: &Model, certificates: &[String]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let (system_path, input_path) = (folder.path().join("system"), folder.path().join("input"));
    std::fs::write(&system_path, serde_json::to_string(system).unwrap()).unwrap();
    let lines: Vec<String> = certificates.iter().map(|text| serde_json::to_string(text).unwrap() + "\n").collect();
    std::fs::write(&input_path, lines.concat()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/check_certificate.py");
    let mut command = Command::new("python3");
    command.arg(script).arg(&system_path).arg("--batch").args(["--digest", &model.digest]);
    for setting in &model.settings {
        command.args(["--setting", setting]);
    }
    let output = command.stdin(std::fs::File::open(&input_path).unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let all: Vec<Vec<String>> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(all.len(), certificates.len());
    all
}
