//! What a run of the command comes to, and its exit code.

use std::process::ExitCode;

/// The end of a run. 101 is left to panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Outcome {
    /// Proven, accepted, or simply done.
    Good,
    /// A property is violated; for `diff`, the tables differ.
    Violated,
    /// The input or the usage is wrong.
    BadInput,
    /// Neither proven nor violated.
    Inconclusive,
    /// The certificate is rejected.
    Rejected,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Good => 0,
            Outcome::Violated => 1,
            Outcome::BadInput => 2,
            Outcome::Inconclusive => 3,
            Outcome::Rejected => 4,
        })
    }
}
