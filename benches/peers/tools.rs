//! The peers: which of them are installed, the commands that run them, and the meaning of their output.

use std::path::Path;

use crate::programs::{Checker, text, words};
pub(crate) use crate::programs::{cmurphi_checker, on_path};

/// The names of the peers' programs.
pub(crate) const CUBICLE: &str = "cubicle";
pub(crate) const RUMUR: &str = "rumur";
pub(crate) const CMURPHI: &str = "mu";

/// The answer of a prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Safe,
    Unsafe,
    None,
}

impl Verdict {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::None => "no answer",
        }
    }

    /// Interprets the text, because Cubicle's exit code does not distinguish an unsafe system from an error.
    pub(crate) fn of_cubicle(output: &str) -> Self {
        if output.contains("The system is SAFE") {
            Self::Safe
        } else if output.contains("UNSAFE") {
            Self::Unsafe
        } else {
            Self::None
        }
    }

    pub(crate) fn of_paraproof(code: Option<i32>) -> Self {
        match code {
            Some(0) => Self::Safe,
            Some(1) => Self::Unsafe,
            _ => Self::None,
        }
    }
}

/// Returns the number before the word "states", as rumur and CMurphi print it.
pub(crate) fn states(output: &str) -> Option<u64> {
    let words: Vec<&str> = output.split_whitespace().collect();
    words.windows(2).rev().filter(|pair| pair[1].starts_with("states")).find_map(|pair| {
        let digits: String = pair[0].chars().filter(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

/// Returns the number of states in the report of `simulate --json`, which warnings may follow.
pub(crate) fn simulated_states(output: &str) -> Option<u64> {
    let start = output.find('{')?;
    let mut values = serde_json::Deserializer::from_str(output.get(start..)?).into_iter::<serde_json::Value>();
    values.next()?.ok()?.get("states")?.as_u64()
}

/// Returns how to make rumur's checker of a model.
pub(crate) fn rumur_checker(rumur: &Path, model: &Path, folder: &Path, _: u32) -> anyhow::Result<Checker> {
    let (source, checker) = (folder.join("rumur.c"), folder.join("rumur-checker"));
    let options = ["--symmetry-reduction=off", "--deadlock-detection=off", "--threads=1", "--output"];
    let generate = [vec![text(rumur)], words(&options), vec![text(&source), text(model)]].concat();
    let compile = ["cc", "-std=c11", "-O3", "-w", "-march=native", "-mcx16", "-o", &text(&checker), &text(&source)];
    Ok(Checker {
        made_by: vec![generate, [words(&compile), words(&["-lpthread"])].concat()],
        command: vec![text(&checker)],
    })
}
