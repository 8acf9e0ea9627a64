//! The subcommands, one module each.
//!
//! In: arguments. Out: files, text on the terminal, and an outcome.

mod check;
mod diff;
mod emit;
mod explain;
mod find;
mod lint;
mod search;
mod simulate;
mod verify;

use certificate::CheckedCertificate;
use certificate::proof::Certificate;
use protocol::System;

use crate::arguments::Command;
use crate::files;
use crate::model::{Model, Reported};
use crate::outcome::Outcome;
use crate::terminal;

/// Runs a subcommand.
pub(crate) fn run(command: &Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Verify(arguments) => verify::run(arguments),
        Command::Find(arguments) => find::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Emit(arguments) => emit::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Lint(arguments) => lint::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
    }
}

/// A certificate that does not pass. What is wrong was reported already.
#[derive(Debug, thiserror::Error)]
#[error("the certificate is rejected")]
pub(crate) struct Rejected;

/// Reads a certificate for a system.
fn read_certificate(path: &std::path::Path, system: &System) -> anyhow::Result<Certificate> {
    let bytes = files::read_certificate(path)?;
    certificate::read(&bytes, system).map_err(|error| {
        terminal::note(&format!("{}: {error}", files::show(path)));
        Rejected.into()
    })
}

/// Checks a certificate; all faults are reported.
fn checked<'a>(
    system: &'a System,
    certificate: &'a Certificate,
    model: &Model,
    name: &str,
) -> anyhow::Result<CheckedCertificate<'a>> {
    certificate::check(system, certificate, &model.identity).map_err(|faults| {
        for fault in &faults {
            terminal::note(&format!("{name}: {}", fault.report(system, certificate)));
        }
        Rejected.into()
    })
}

/// The outcome of an error that ends the command.
pub(crate) fn outcome_of(error: &anyhow::Error) -> Outcome {
    if error.is::<Rejected>() {
        return Outcome::Rejected;
    }
    if !error.is::<Reported>() {
        terminal::note(&format!("error: {}", files::one_line(&format!("{error:#}"))));
    }
    Outcome::BadInput
}
