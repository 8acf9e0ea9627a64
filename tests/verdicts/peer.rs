//! What rumur says of an instance: a second opinion on what is true.
//!
//! In: the text of a model and values of its constants. Out: whether rumur's checker and the exploration of `truth` come to
//! the same, in states where neither finds an error, and in errors otherwise.

use std::path::Path;
use std::process::{Command, Output};

use super::judge::Setting;
use super::truth::Truth;

/// What comes of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opinion {
    Same,
    /// rumur alone has an error, which is none here and in CMurphi: it takes a copy of an undefined value for a reading of
    /// it, and numbers in between have to fit into the integers that it chose. Or it has none where a function returns a number
    /// that its type lacks, which is an error here and in CMurphi; the states are the same then.
    ItsOwn,
    /// rumur does not take the model, or its checker is not made.
    None,
    Different(String),
}

/// The text with other values for constants, each of which is declared on a line of its own.
fn with_constants(text: &str, setting: &Setting) -> String {
    let line = |line: &str| match setting.iter().find(|(name, _)| line.starts_with(&format!("const {name}:"))) {
        Some((name, value)) => format!("const {name}: {value};\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Asks rumur, which has to be installed with a C compiler.
pub(crate) fn opinion(text: &str, setting: &Setting, truth: &Truth, folder: &Path) -> Opinion {
    let text = with_constants(text, setting);
    std::fs::write(folder.join("peer.m"), &text).expect("the folder is writable");
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
    let its_own = said.contains("read of undefined value") || said.contains("integer overflow");
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
