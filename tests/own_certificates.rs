//! No certificate that the search writes is rejected, and everything that can be derived from it can be written.
//!
//! The models are random, made by `own_certificates/generate.rs`. If one is proven, both checkers accept the
//! certificate, every output is emitted from it, the invariants are valid Murphi that can be pasted into the model, and
//! they hold in all states of the instance that the model describes, explored without symmetry. `OWN_CERTIFICATES=2000`
//! sets the number of models, `OWN_CERTIFICATES_SEED=17` the first seed; a failure names its seed.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failure of a test is a panic, and what is counted is said"
)]

#[path = "own_certificates/generate.rs"]
mod generate;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use certificate::Model;
use invfinder::{Header, Limits, Verdict, prove};
use murphi::instance::{Instance, Limits as Bounds, Outcome};
use murphi::lower::{LowerOptions, Lowered, lower};
use murphi::program::Program;
use proofgen::isabelle::{self, Evaluate, Style};
use proofgen::report::{self, Facts};
use proofgen::table::{Options, Table};
use system::System;
use system::scope::{Coverage, Scope};

/// The default number of models.
const COUNT: u64 = 60;
/// The default first seed.
const SEED: u64 = 1;
/// The maximum number of states explored of an instance.
const MOST_STATES: u64 = 20_000;

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

fn python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn no_own_certificate_is_rejected() {
    let (first, count) = (setting("OWN_CERTIFICATES_SEED", SEED), setting("OWN_CERTIFICATES", COUNT));
    let folder = tempfile::tempdir().unwrap();
    let with_python = python();
    let mut ends: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut faults = Vec::new();
    for seed in first..first + count {
        let text = generate::model(seed);
        match tried(&text, folder.path(), with_python) {
            Ok(end) => *ends.entry(end).or_default() += 1,
            Err(fault) => faults.push(format!("seed {seed}: {fault}\n{text}")),
        }
    }
    eprintln!("seeds {first} to {}: {ends:?}, second checker: {with_python}", first + count - 1);
    assert!(faults.is_empty(), "{} of {count} models:\n{}", faults.len(), faults.join("\n"));
    let proven = ends.get("proven").copied().unwrap_or(0);
    assert!(proven * 20 >= count, "only {proven} of {count} models are proven, so little was tested");
}

/// Tries a model and returns the outcome. An error is a fault of the program.
fn tried(text: &str, folder: &Path, with_python: bool) -> Result<&'static str, String> {
    let program = murphi::read(text, &murphi::Options::default()).map_err(|found| format!("not read: {found:?}"))?;
    let Ok(lowered) = lower(&program, &LowerOptions::default()) else { return Ok("refused") };
    let system = &lowered.system;
    let header = Header { model_digest: "0".repeat(64), settings: Vec::new() };
    let mut questions = 0_u32;
    let mut go_on = |_: invfinder::Stage<'_>| {
        questions += 1;
        questions < 4000
    };
    let limits = Limits { max_states: Some(3000), ..Limits::default() };
    let certificate = match prove(system, &header, &limits, &mut go_on).0 {
        Verdict::Proven(certificate) => certificate,
        Verdict::Violated(_) => return Ok("violated"),
        Verdict::Inconclusive(_) => return Ok("inconclusive"),
    };
    let bytes = certificate::write(&certificate, system);
    let read = certificate::read(bytes.as_bytes(), system).map_err(|fault| format!("not read again: {fault}"))?;
    if read != *certificate {
        return Err("another certificate is read than was written".to_owned());
    }
    let model = Model { digest: header.model_digest.clone(), settings: Vec::new() };
    let checked = certificate::check(system, &read, &model).map_err(|faults| {
        format!(
            "rejected: {}",
            faults.iter().map(|f| f.report(system, &read).to_string()).collect::<Vec<_>>().join("; ")
        )
    })?;
    if with_python {
        second_checker(folder, system, &bytes, &header.model_digest)?;
    }
    for style in [Style::Lemmas, Style::Computed(Evaluate::Kernel)] {
        isabelle::emit(&checked, "random", style).map_err(|fault| format!("{style:?}: {fault}"))?;
    }
    let table = Table::read(&checked, &Options::default());
    let facts = Facts { model: "random".to_owned(), source: text.to_owned(), ..Facts::default() };
    report::html(&checked, &facts).map_err(|fault| fault.to_string())?;
    for text in [table.markdown(), table.invariants_csv(), table.relations_csv(), table.json(), table.latex()] {
        assert!(!text.is_empty());
    }
    abstracted(&program, &lowered, &checked)?;
    let pasted = format!("{text}\n{}", table.blocks().0);
    let pasted = murphi::read(&pasted, &murphi::Options::default())
        .map_err(|found| format!("pasted invariants: {found:?}\n{pasted}"))?;
    if !lowered.refused_properties.is_empty() {
        // These may be false.
        return Ok("proven in part");
    }
    holds(&pasted)?;
    Ok("proven")
}

/// The checker in Python accepts the certificate.
fn second_checker(folder: &Path, system: &System, certificate: &str, digest: &str) -> Result<(), String> {
    let (of_system, of_certificate) = (folder.join("system.json"), folder.join("certificate.json"));
    fs::write(&of_system, serde_json::to_string(system).unwrap()).unwrap();
    fs::write(&of_certificate, certificate).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_certificate.py");
    let output = Command::new("python3")
        .arg(script)
        .args([&of_system, &of_certificate])
        .args(["--digest", digest])
        .output()
        .unwrap();
    // A certificate that does not cover everything the model states is accepted too, with its own exit code.
    let expected = if Scope::of(system).coverage() == Coverage::All { 0 } else { 3 };
    if output.status.code() == Some(expected) {
        return Ok(());
    }
    Err(format!(
        "the second checker: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// The abstract model is text that can be read, or is refused with a reason.
fn abstracted(
    program: &Program,
    lowered: &Lowered,
    checked: &certificate::CheckedCertificate<'_>,
) -> Result<(), String> {
    let options = abstraction::Options::default();
    let declarations = murphi::declarations(program, lowered);
    let mut unreadable = None;
    let output = abstraction::emit(checked, &declarations, &options, &mut |asked| {
        if let Err(found) = murphi::read(asked.text, &murphi::Options::default()) {
            unreadable.get_or_insert_with(|| format!("abstract model: {found:?}\n{}", asked.text));
        }
        abstraction::Verdict::Holds { states: 1 }
    });
    // Whether there is one does not matter here.
    drop(output);
    unreadable.map_or(Ok(()), Err)
}

/// The invariants hold in every state of the instance. An error ends an execution, as it does for a proof.
fn holds(program: &Program) -> Result<(), String> {
    let instance = Instance::new(program, &[]).map_err(|fault| fault.to_string())?;
    let exploration = instance.explore(&Bounds { max_states: MOST_STATES, ..Bounds::default() }, false, &mut |_| true);
    match exploration.outcome {
        Outcome::Complete | Outcome::Stopped(_) => Ok(()),
        Outcome::RuleFault { .. } | Outcome::StartFault { .. } => Ok(()),
        Outcome::Violated { .. } | Outcome::PropertyFault { .. } | Outcome::Deadlock { .. } => {
            Err(format!("proven and false: {:?}", exploration.outcome))
        }
    }
}
