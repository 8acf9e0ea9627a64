//! An installed Isabelle.
//!
//! It is the command in the variable `PARAPROOF_ISABELLE`, called with the folder of the theories, or `isabelle build
//! -D` if that command is on the path.

#![allow(clippy::unwrap_used, reason = "a failure of a test is a panic")]

use std::path::Path;
use std::process::{Command, Output};

#[path = "../../../tests/support/tools.rs"]
mod tools;

/// Returns what Isabelle says about a folder of theories; `None` if there is no Isabelle.
pub(crate) fn isabelle(folder: &Path) -> Option<Output> {
    if let Ok(command) = std::env::var("PARAPROOF_ISABELLE") {
        return Some(Command::new(command).arg(folder).output().expect("PARAPROOF_ISABELLE names a command"));
    }
    if Command::new("isabelle").arg("version").output().is_err() {
        tools::skipped("there is no isabelle on the path, and PARAPROOF_ISABELLE is not set");
        return None;
    }
    // Poly/ML sometimes loses a signal between its threads and sleeps for ever; the next time, it takes seconds.
    let build = || {
        let limited = ["-k", "5", "300", "isabelle", "build", "-D"];
        Command::new("timeout").args(limited).arg(folder).output().expect("`timeout` is a part of coreutils")
    };
    let mut last = build();
    for _ in 1..TRIES {
        if last.status.code() != Some(STOPPED) {
            break;
        }
        last = build();
    }
    Some(last)
}

/// How often a build that does not end is tried.
const TRIES: u32 = 3;
/// The exit code of `timeout` for a command that it has stopped.
const STOPPED: i32 = 124;
