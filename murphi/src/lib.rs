//! Reads Murphi: text to syntax, types, and a parameterized transition system.
//!
//! A model's text becomes a typed program or diagnostics; [`lower`] turns the program into a [`System`].
//! This crate reads no files, prints nothing, and knows nothing of search or proofs.

pub mod diagnostics;
pub mod elaborate;
pub mod exec;
pub mod instance;
pub mod lint;
pub mod lower;
pub mod order;
pub mod program;
pub mod syntax;

pub use elaborate::{Options, elaborate};
pub use lint::lint;
pub use syntax::{parse, print};

use diagnostics::Diagnostic;
use program::Program;

/// Parses a model and checks its names and types.
///
/// # Errors
/// Returns every error found in the text.
pub fn read(text: &str, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let (ast, errors) = parse(text);
    if !errors.is_empty() {
        return Err(errors);
    }
    elaborate(&ast, options)
}
