//! The wire format of certificates: JSON, version 2, documented in `FORMAT.md`.
//!
//! In: a certificate and its system, or bytes and a system. Out: bytes, the same for the same certificate; or a certificate,
//! or what makes the bytes no certificate for that system. State variables, constants and named elements are named by
//! name, rules by number, name and case, so that the file can be read by itself and a changed model is noticed. Whether the
//! certificate proves anything is not decided here.

mod read;
mod shape;
mod write;

pub(crate) use read::read_rules;
pub use read::{ReadError, ReadProblem, read};
pub use write::write;

/// The first line's `format`.
pub const FORMAT: &str = "paraproof-certificate";

/// The oldest version that this program reads: those before it do not say what their proof covers.
pub const OLDEST_VERSION: u32 = 2;

/// The version that this program writes, and the newest that it reads.
pub const VERSION: u32 = 2;

/// The sign of a named element where a number or another string could stand.
const NAMED_SIGN: char = '@';

/// The sign of another element.
const OTHER_SIGN: char = '+';
