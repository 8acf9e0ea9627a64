//! The subcommands, one module each. Each takes its arguments, writes files and to the terminal, and returns an outcome.

mod check;
mod diff;
mod earlier;
mod emit;
mod explain;
mod explain_code;
mod find;
mod fmt;
mod lint;
mod lsp;
mod pages;
mod search;
mod simulate;
mod translate;
mod verify;

use certificate::fault::Problem;
use certificate::proof::Certificate;
use certificate::{CheckedCertificate, ReadError};
use serde_json::{Value, json};
use system::System;
use system::scope::counted;

use crate::arguments::Command;
use crate::files;
use crate::limits::{Stopped, Watchdog};
use crate::model::{Model, Reported, options};
use crate::outcome::Outcome;
use crate::terminal;

/// Runs a subcommand within its limits.
pub(crate) fn run(command: &Command) -> anyhow::Result<Outcome> {
    let (subject, as_json) = (files::show(command.subject()), command.is_json());
    let watch = Watchdog::start(command.limits(), move |reason, _| inconclusive(&subject, as_json, reason));
    let result = match command {
        Command::Verify(arguments) => verify::run(arguments, &watch),
        Command::Find(arguments) => find::run(arguments, &watch),
        Command::Check(arguments) => check::run(arguments, &watch),
        Command::Emit(arguments) => emit::run(arguments, &watch),
        Command::Explain(arguments) => explain::run(arguments, &watch),
        Command::ExplainCode(arguments) => explain_code::run(arguments),
        Command::Diff(arguments) => diff::run(arguments, &watch),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::Pages(arguments) => pages::run(arguments),
        Command::Lsp(arguments) => lsp::run(arguments, &watch),
        Command::Lint(arguments) => lint::run(arguments, &watch),
        Command::Simulate(arguments) => simulate::run(arguments, &watch),
        Command::Translate(arguments) => translate::run(arguments, &watch),
    };
    match result {
        Err(error) if error.is::<Stopped>() => Ok(watch.last_word()?),
        other => {
            watch.finish();
            other
        }
    }
}

/// Says that a run has no verdict, and why not: to a program as an object, to people beside what the command would print.
fn inconclusive(subject: &str, as_json: bool, reason: &str) -> Outcome {
    if as_json {
        let object = json!({ "verdict": "inconclusive", "reason": reason });
        // A closed output has no reader to tell.
        let _ = terminal::print_object(object);
    } else {
        terminal::note(&format!("{subject}: inconclusive: {reason}"));
    }
    Outcome::Inconclusive
}

/// A certificate that does not pass. What is wrong was reported already.
#[derive(Debug, thiserror::Error)]
#[error("the certificate is rejected")]
pub(crate) struct Rejected;

/// Reads a certificate for a system.
fn read_certificate(path: &std::path::Path, system: &System, model: &Model) -> anyhow::Result<Certificate> {
    let bytes = files::read_certificate(path)?;
    certificate::read(&bytes, system).map_err(|error| {
        terminal::note(&format!("{}: {}", files::show(path), told(&error, &bytes, model)));
        Rejected.into()
    })
}

/// What is wrong with a certificate. If it was made with other settings of the model, that comes first; if it is of another
/// model, it is all that matters.
fn told(error: &ReadError, bytes: &[u8], model: &Model) -> String {
    let problem = error.to_string();
    let certificate: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let digest = certificate["model"]["sha256"].as_str().unwrap_or_default();
    if let ReadError::Names(found) = error
        && digest != model.identity.digest
    {
        // What rules there are says more than how the model is claimed to be.
        let first = found.iter().find(|own| !own.place.starts_with("claim")).or(found.first());
        let first = first.map(ToString::to_string).unwrap_or_default();
        let short = |digest: &str| digest.chars().take(12).collect::<String>();
        let (digest, own) = (short(digest), short(&model.identity.digest));
        let differences = counted(found.len(), "difference", "differences");
        return format!(
            "it is of another model, or of another form of {} (SHA-256 {digest}..., here {own}...), with {differences}, such as {first}",
            model.name
        );
    }
    match serde_json::from_value::<Vec<String>>(certificate["model"]["settings"].clone()) {
        Ok(made) if made != model.identity.settings => {
            let (made, here) = (options(&made), options(&model.identity.settings));
            let said = |options: String| {
                if options.is_empty() { "no options".to_owned() } else { format!("`{}`", options.trim()) }
            };
            format!(
                "the model was read with {} for the certificate, and with {} here\n{problem}",
                said(made),
                said(here)
            )
        }
        Ok(_) | Err(_) => problem,
    }
}

/// Checks a certificate; all faults are reported.
fn checked<'a>(
    system: &'a System,
    certificate: &'a Certificate,
    model: &Model,
    name: &str,
    watch: &Watchdog,
) -> anyhow::Result<CheckedCertificate<'a>> {
    watch.doing("checking the certificate");
    certificate::check_while(system, certificate, &model.identity, &|| watch.go_on()).map_err(|faults| {
        if interrupted(&faults) {
            return Stopped.into();
        }
        for fault in &faults {
            terminal::note(&format!("{name}: {}", fault.report(system, certificate)));
        }
        Rejected.into()
    })
}

/// Whether a check found nothing but that it was stopped.
fn interrupted(faults: &[certificate::fault::Fault]) -> bool {
    !faults.is_empty() && faults.iter().all(|fault| fault.problem == Problem::Interrupted)
}

/// The outcome of an error that ends the command. A program that waits for a verdict is told as well.
pub(crate) fn outcome_of(error: &anyhow::Error, has_verdict: bool) -> Outcome {
    if error.is::<Rejected>() {
        return Outcome::Rejected;
    }
    let is_reported = error.is::<Reported>();
    let reason = if is_reported {
        "the model has errors, which standard error lists".to_owned()
    } else {
        files::one_line(&format!("{error:#}"))
    };
    if !is_reported {
        terminal::note(&format!("error: {reason}"));
    }
    if has_verdict {
        // A closed output has no reader to tell.
        let _ = terminal::print_object(json!({ "verdict": "refused", "reason": reason }));
    }
    Outcome::BadInput
}
