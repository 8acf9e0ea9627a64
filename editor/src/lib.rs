//! A language server for models: findings while a text is being typed, what its names mean, and the last verdict.
//!
//! [`serve`] answers messages of the Language Server Protocol, with a [`Reader`] of models and a [`Verifier`] from its caller.
//! It must not read files, start processes, or judge anything itself: findings come from the front-ends, and verdicts from
//! the verifier.

mod completion;
mod cubicle_names;
mod document;
mod format;
mod lines;
mod murphi_names;
mod names;
mod repair;
mod server;
mod verdict;

pub use format::{FormatError, format};
pub use server::{ServerError, serve};

use std::path::Path;

use serde_json::{Map, Value};
use system::front_end::{Diagnostic, FrontEnd};

/// The language of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Murphi, in files whose names end with `.m`.
    Murphi,
    /// Cubicle's, in files whose names end with `.cub`.
    Cubicle,
}

impl Language {
    /// The extension of files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Murphi => "m",
            Self::Cubicle => "cub",
        }
    }

    /// The identifier in the protocol.
    fn id(self) -> &'static str {
        match self {
            Self::Murphi => "murphi",
            Self::Cubicle => "cubicle",
        }
    }

    /// The language of a file, which the extension of its name tells.
    #[must_use]
    pub fn of_file(path: &Path) -> Self {
        let is_cubicle = path.extension().is_some_and(|own| own.eq_ignore_ascii_case(Self::Cubicle.extension()));
        if is_cubicle { Self::Cubicle } else { Self::Murphi }
    }

    fn of(id: &str, uri: &str) -> Self {
        let is_cubicle = id == Self::Cubicle.id() || (id != Self::Murphi.id() && uri.ends_with(".cub"));
        if is_cubicle { Self::Cubicle } else { Self::Murphi }
    }
}

/// Reads the text of a model.
pub type Reader<'r> = &'r dyn Fn(Language, &str) -> Result<Box<dyn FrontEnd>, Vec<Diagnostic>>;

/// Verifies the text of a model until its last argument says no, and returns what `verify --json` says; nothing if there is
/// nothing to say.
pub type Verifier = dyn Fn(Language, &str, &dyn Fn() -> bool) -> Option<Map<String, Value>> + Send + Sync;
