//! Murphi text to syntax, types, and a parameterized transition system.
//!
//! In: the text of a Murphi model. Out: diagnostics, a typed program, and a [`System`].
//! This crate does no file and no terminal input or output, and knows nothing of search or proofs.

pub mod diagnostics;
pub mod elaborate;
pub mod exec;
mod front_end;
pub mod instance;
pub mod lint;
pub mod lower;
pub mod order;
pub mod program;
pub mod syntax;

pub use elaborate::{Options, elaborate};
pub use front_end::{Model, declarations};
pub use lint::lint;
pub use syntax::{parse, print};

use diagnostics::Diagnostic;
use program::Program;

/// Reads a model: syntax, names and types.
///
/// # Errors
/// Everything that is wrong with the text.
pub fn read(text: &str, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let (ast, errors) = parse(text);
    if !errors.is_empty() {
        return Err(errors);
    }
    elaborate(&ast, options)
}
