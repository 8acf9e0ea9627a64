//! What a run of the command comes to, and its exit code.

use std::process::ExitCode;

/// The end of a run. 101 is left to panics of debug builds.
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

    /// The outcome that has an exit code.
    pub(crate) fn from_code(code: i32) -> Option<Self> {
        let all = [Self::Good, Self::Violated, Self::BadInput, Self::Inconclusive, Self::Rejected];
        all.into_iter().find(|outcome| i32::from(outcome.code()) == code)
    }

    /// The worse of two outcomes. The worst is an input that was not looked at, since it may hide anything else; then come
    /// what is wrong, and what is not known.
    pub(crate) fn worse(self, other: Self) -> Self {
        let rank = |outcome: Self| match outcome {
            Self::Good => 0,
            Self::Inconclusive => 1,
            Self::Violated => 2,
            Self::Rejected => 3,
            Self::BadInput => 4,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome.code())
    }
}
