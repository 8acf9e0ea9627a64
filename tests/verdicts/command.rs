//! Runs the command on a model and reads its answer.
//!
//! The answer is a verdict as data, or something that the command must never do: another exit code, no answer, or a
//! proof that it rejects itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Proven(Claim),
    Violated(Violation),
    Inconclusive(String),
    /// The codes of the errors.
    Refused(Vec<String>),
}

/// A violated property: the values of constants in the instance of the trace, and whether it ends in a run-time error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) constants: BTreeMap<String, i64>,
    pub(crate) error: bool,
}

/// The sizes and values for which something is proven.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The types that may have any size from a least one on.
    pub(crate) any_size: BTreeMap<String, i64>,
    /// The constants that keep their values, and the types that keep their sizes.
    pub(crate) kept: BTreeMap<String, i64>,
    pub(crate) finite_types: BTreeMap<String, i64>,
}

/// Runs the command for at most this many seconds of processor time.
fn paraproof(folder: &Path, arguments: &[&str]) -> Output {
    let other = std::env::var("PARAPROOF_BINARY");
    let binary = other.as_deref().unwrap_or(env!("CARGO_BIN_EXE_paraproof"));
    Command::new("sh")
        .args(["-c", "ulimit -t 60; export RUST_BACKTRACE=0; exec \"$0\" \"$@\"", binary])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command should start")
}

/// Returns the answer of `verify`. With `out`, it writes its files there.
///
/// # Errors
/// Returns an error if it did something that it must not do on any model.
pub(crate) fn verify(folder: &Path, seconds: u32, out: Option<&str>) -> Result<Said, String> {
    let timeout = format!("{seconds}s");
    let mut arguments = vec!["verify", "--json", "--quiet", "--error-format", "json", "--threads", "1"];
    arguments.extend(["--timeout", &timeout, "model.m"]);
    arguments.extend(out.iter().flat_map(|out| ["-o", *out]));
    let output = paraproof(folder, &arguments);
    said(&output)
}

/// What `find` says.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// Invariants, in `found.json`.
    Invariants,
    Violated(Violation),
    /// Neither, or the model is refused.
    Nothing,
}

/// Returns the answer of `find`.
///
/// # Errors
/// Returns an error for an exit code other than 0, 1, 2 and 3.
pub(crate) fn find(folder: &Path, seconds: u32) -> Result<Found, String> {
    let timeout = format!("{seconds}s");
    let arguments =
        ["find", "--json", "--quiet", "--threads", "1", "--timeout", &timeout, "model.m", "-o", "found.json"];
    let output = paraproof(folder, &arguments);
    match output.status.code() {
        Some(0) => Ok(Found::Invariants),
        Some(1) => Ok(Found::Violated(violation(&serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)))),
        Some(2 | 3) => Ok(Found::Nothing),
        _ => Err(format!("`find` ends with {}: {}", output.status, errors(&output))),
    }
}

/// Returns the answer of `check` if it accepts a certificate.
///
/// # Errors
/// Returns the objections of `check` to a certificate of ours.
pub(crate) fn check(folder: &Path, certificate: &str) -> Result<Value, String> {
    let written: Value = serde_json::from_slice(&std::fs::read(folder.join(certificate)).unwrap_or_default()).unwrap();
    let finite = written["model"]["settings"] == serde_json::json!(["finite-numbers"]);
    let arguments = ["check", "--json", certificate, "--model", "model.m", "--finite-numbers"];
    let output = paraproof(folder, &arguments[..arguments.len() - usize::from(!finite)]);
    let object = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    match output.status.code() {
        // Exit code 3: accepted, but not everything that the model states is proven.
        Some(0 | 3) => Ok(object),
        _ => Err(format!("`check` of its own certificate ends with {}: {}", output.status, errors(&output))),
    }
}

/// Returns the answer of `simulate` with symmetry.
///
/// # Errors
/// Returns an error if it gives no answer.
pub(crate) fn simulate(folder: &Path, states: usize) -> Result<String, String> {
    let states = states.to_string();
    let output = paraproof(folder, &["simulate", "--json", "--quiet", "--max-states", &states, "model.m"]);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    match (output.status.code(), object["verdict"].as_str()) {
        (Some(0..=3), Some(verdict)) => Ok(verdict.to_owned()),
        _ => Err(format!("`simulate` ends with {}: {}", output.status, errors(&output))),
    }
}

/// Returns the messages other than warnings.
fn errors(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = text.lines().filter(|line| !line.contains("\"severity\":\"warning\""));
    lines.collect::<Vec<_>>().join("\n")
}

fn said(output: &Output) -> Result<Said, String> {
    let object: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let told = |what: &str| Err(format!("`verify` ends with {}, {what}: {}", output.status, errors(output)));
    match (output.status.code(), object["verdict"].as_str()) {
        (Some(0), Some("proven")) => Ok(Said::Proven(claim(&object))),
        (Some(1), Some("violated")) => Ok(Said::Violated(violation(&object))),
        (Some(3), Some("inconclusive")) => {
            let reason = object["reason"].as_str().unwrap_or_default().to_owned();
            if reason.contains("rejects the certificate") || reason.contains("cannot be read back") {
                return told("and rejects its own certificate");
            }
            Ok(Said::Inconclusive(reason))
        }
        (Some(2), Some("refused")) => {
            let codes: Vec<String> = errors(output)
                .lines()
                .filter_map(|line| serde_json::from_str::<Value>(line).ok())
                .filter(|finding| finding["severity"] == "error")
                .filter_map(|finding| Some(finding["code"].as_str()?.to_owned()))
                .collect();
            if codes.is_empty() || codes.iter().any(|code| !code.starts_with('L')) {
                return told("for a model that is right");
            }
            Ok(Said::Refused(codes))
        }
        (_, verdict) => told(&format!("with the verdict {verdict:?}")),
    }
}

/// Returns what an answer claims.
pub(crate) fn claim(object: &Value) -> Claim {
    let claim = &object["claim"];
    assert!(claim["any_size"].is_array() && claim["constants"].is_array(), "the claim is missing: {object}");
    let numbers = |list: &str, number: &str| {
        let entries = claim[list].as_array().into_iter().flatten();
        entries.map(|entry| (entry["name"].as_str().unwrap().to_owned(), value(&entry[number]))).collect()
    };
    Claim {
        any_size: numbers("any_size", "least"),
        kept: numbers("constants", "value"),
        finite_types: numbers("finite_types", "size"),
    }
}

/// Returns the violation of an answer.
fn violation(object: &Value) -> Violation {
    let trace = &object["trace"];
    Violation { constants: pairs(&trace["constants"]), error: trace["error"].is_object() }
}

/// Returns a number, which may be written as a string; a truth value is 0 or 1.
fn value(value: &Value) -> i64 {
    let truth = value.as_str().and_then(|text| text.parse::<bool>().ok()).map(i64::from);
    truth
        .or_else(|| value.as_i64())
        .or_else(|| value.as_str()?.parse().ok())
        .unwrap_or_else(|| panic!("{value} is not a number"))
}

fn pairs(value: &Value) -> BTreeMap<String, i64> {
    let of_pair = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_i64()?));
    value.as_array().into_iter().flatten().filter_map(of_pair).collect()
}

/// Writes the model into a folder and returns its path.
pub(crate) fn write(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("model.m");
    std::fs::write(&path, text).expect("the folder should be writable");
    path
}
