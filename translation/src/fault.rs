//! What has no counterpart in the other language, with stable codes.

use system::front_end::{Diagnostic, Span};

/// A part of a model without a counterpart in the other language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Something of Cubicle's language.
    #[error("Murphi has no counterpart for {what}")]
    Murphi {
        /// What it is.
        what: &'static str,
        /// What to write instead.
        help: &'static str,
    },
    /// Something of Murphi.
    #[error("Cubicle's language has no counterpart for {what}")]
    Cubicle {
        /// What it is.
        what: String,
        /// What to write instead.
        help: &'static str,
    },
}

impl Fault {
    /// Returns the stable code. A code is never reused for something else.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Murphi { .. } => "T001",
            Self::Cubicle { .. } => "T002",
        }
    }

    /// Returns the diagnostic for this fault at a place.
    #[must_use]
    pub fn at(&self, span: Span) -> Diagnostic {
        let help = match self {
            Self::Murphi { help, .. } | Self::Cubicle { help, .. } => *help,
        };
        Diagnostic::error(self.code(), span, self.to_string()).with_help(help)
    }
}
