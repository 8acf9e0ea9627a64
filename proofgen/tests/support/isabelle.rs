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
    let build = Command::new("isabelle").args(["build", "-D"]).arg(folder).output().ok();
    if build.is_none() {
        tools::skipped("there is no isabelle on the path, and PARAPROOF_ISABELLE is not set");
    }
    build
}
