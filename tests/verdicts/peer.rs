//! rumur's answer about an instance, as a second opinion on what is true.
//!
//! rumur's checker and the exploration of `truth` are compared by their states if neither finds an error, and by their
//! errors otherwise.

use std::path::Path;
use std::process::{Command, Output};

use super::beyond::ONLY_HERE;
use super::judge::Setting;
use super::truth::Truth;

/// The outcome of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opinion {
    Same,
    /// Only rumur reports an error, which is not one here or in CMurphi: it treats the copy of an undefined value as a
    /// read, and intermediate results must fit into the integers that it chose. Or only rumur reports no error when a
    /// function returns a number outside its type, which is an error here and in CMurphi; the states are the same then.
    ItsOwn,
    /// rumur does not accept the model, or its checker cannot be made.
    None,
    Different(String),
}

/// Returns the text with other values for constants, each of which is declared on its own line. A local constant of the same name,
/// which comes later, keeps its value.
fn with_constants(text: &str, setting: &Setting) -> String {
    setting.iter().fold(text.to_owned(), |text, (name, value)| {
        let declaration = format!("const {name}:");
        let mut is_first = true;
        let line = |line: &str| {
            if line.starts_with(&declaration) && std::mem::take(&mut is_first) {
                format!("const {name}: {value};\n")
            } else {
                format!("{line}\n")
            }
        };
        text.lines().map(line).collect()
    })
}

/// Runs rumur, which must be installed together with a C compiler.
pub(crate) fn opinion(text: &str, setting: &Setting, truth: &Truth, folder: &Path) -> Opinion {
    if text.contains(ONLY_HERE) {
        return Opinion::None;
    }
    let text = with_constants(text, setting);
    std::fs::write(folder.join("peer.m"), &text).expect("the folder should be writable");
    let run = |command: &mut Command| -> Option<Output> {
        command.current_dir(folder).output().ok().filter(|output| output.status.success())
    };
    let options = ["--symmetry-reduction=off", "--threads=1", "--deadlock-detection", "off", "--output", "peer.c"];
    let compile = ["-std=c11", "-O0", "-w", "-mcx16", "-o", "peer", "peer.c", "-lpthread"];
    let made = run(Command::new("rumur").args(options).arg("peer.m"));
    if made.and_then(|_| run(Command::new("gcc").args(compile))).is_none() {
        return Opinion::None;
    }
    let limited = ["-c", "ulimit -t 20; exec ./peer"];
    let Ok(output) = Command::new("sh").args(limited).current_dir(folder).output() else { return Opinion::None };
    compared(&String::from_utf8_lossy(&output.stdout), truth, &text)
}

fn compared(said: &str, truth: &Truth, text: &str) -> Opinion {
    let states = said.lines().find_map(|line| line.trim().split_once(" states, ")?.0.parse::<usize>().ok());
    let Some(states) = states else { return Opinion::None };
    let clean = said.contains("No error found");
    // The last one is a loop whose numbers are none because the last is before the first.
    let its_own = ["read of undefined value", "integer overflow", "step being in the wrong direction"];
    let its_own = its_own.iter().any(|error| said.contains(error));
    let line = |line: &str| {
        let line = line.trim();
        line == "error"
            || line.starts_with("Assertion failed")
            || (line.starts_with("invariant ") && line.ends_with("failed"))
    };
    let violated = said.lines().any(line);
    let errors_here = truth.is_violated() || truth.faults;
    let same =
        if clean { !errors_here && states == truth.states } else { errors_here && (!violated || truth.is_violated()) };
    match (same, clean) {
        (true, _) => Opinion::Same,
        (false, true) if !truth.is_violated() && states == truth.states => Opinion::ItsOwn,
        (false, false) if its_own && !errors_here => Opinion::ItsOwn,
        (false, _) => Opinion::Different(format!("rumur says otherwise than {truth:?}:\n{said}\n{text}")),
    }
}
