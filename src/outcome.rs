//! What a run of the command comes to, and its exit code.

use std::process::ExitCode;

/// The end of a run. 101 is left to panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
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

impl Outcome {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Violated => 1,
            Self::BadInput => 2,
            Self::Inconclusive => 3,
            Self::Rejected => 4,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome.code())
    }
}
