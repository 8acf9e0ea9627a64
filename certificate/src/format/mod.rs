//! The file format of certificates: JSON, versions 2 to 4, documented in `FORMAT.md`.
//!
//! The same certificate gives the same bytes. State variables, constants and named elements are referred to by name,
//! and rules by number, name and case, so that the file can be read on its own and a changed model is noticed. Nothing
//! here decides whether the certificate proves anything.

pub(crate) mod canonical;
mod read;
mod shape;
mod words;
mod write;

pub(crate) use read::read_rules;
pub use read::{Candidates, ReadError, ReadProblem, read, read_candidates};
pub use write::write;

/// The value of `format` in the first line.
pub const FORMAT: &str = "paraproof-certificate";

/// The oldest version that this program reads. Older ones do not say what their proof covers.
pub const OLDEST_VERSION: u32 = 2;

/// The first version with universal parts and axioms.
const UNIVERSAL_VERSION: u32 = 3;

/// The newest version, and the first one with numbers. This program writes the oldest version that has everything that
/// occurs in a certificate.
pub const VERSION: u32 = 4;

/// The prefix of a named element in places where a number or another string is possible, too.
const NAMED_SIGN: char = '@';

/// The prefix of another element.
const OTHER_SIGN: char = '+';
