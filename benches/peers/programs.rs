//! The programs of the peers: whether they are installed, and how CMurphi's checkers are made, which takes two
//! compilers. Benchmarks and tests use this file.

#![allow(dead_code, reason = "each of them uses some of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

#[path = "../../tests/support/tools.rs"]
mod tools;
pub(crate) use tools::on_path;

/// How a checker is made, and how it is then started.
#[derive(Clone, Debug)]
pub(crate) struct Checker {
    /// The commands of the generator and the compiler.
    pub(crate) made_by: Vec<Vec<String>>,
    pub(crate) command: Vec<String>,
}

impl Checker {
    /// Makes the checker and returns its command.
    pub(crate) fn make(self) -> anyhow::Result<Vec<String>> {
        for command in &self.made_by {
            succeed(Command::new(&command[0]).args(&command[1..]))?;
        }
        Ok(self.command)
    }
}

/// Returns how to make CMurphi's checker of a model. The user chooses the size of its state table.
pub(crate) fn cmurphi_checker(mu: &Path, model: &Path, folder: &Path, megabytes: u32) -> anyhow::Result<Checker> {
    let include = include(mu).context("CMurphi's include directory is not found; set MU_INCLUDE")?;
    let copy = folder.join("cmurphi.m");
    std::fs::copy(model, &copy)?;
    let (source, checker) = (folder.join("cmurphi.cpp"), folder.join("cmurphi-checker"));
    // The compiler follows a pointer that it never initializes, which fails if the memory it gets is zero.
    let generate = words(&["env", "MALLOC_PERTURB_=255", &text(mu), &text(&copy)]);
    let compile = ["c++", "-O2", "-w", "-fpermissive", "-I", &text(&include), "-o", &text(&checker), &text(&source)];
    let memory = format!("-m{megabytes}");
    Ok(Checker {
        made_by: vec![generate, words(&compile)],
        command: words(&[&text(&checker), "-nosym", "-ndl", "-pn", &memory]),
    })
}

/// Returns the words of a command.
pub(crate) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Returns a path as a word of a command.
pub(crate) fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the directory of the headers that CMurphi's checkers include.
pub(crate) fn include(mu: &Path) -> Option<PathBuf> {
    let program = std::fs::canonicalize(mu).ok()?;
    let home = program.parent()?.parent()?;
    let named = std::env::var_os("MU_INCLUDE").map(PathBuf::from);
    let places = [home.join("share/cmurphi/include"), home.join("include/cmurphi"), home.join("include")];
    named.into_iter().chain(places).find(|folder| folder.join("mu_prolog.hpp").is_file())
}

/// Runs a command, and returns its output as an error if it fails.
pub(crate) fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    anyhow::ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
