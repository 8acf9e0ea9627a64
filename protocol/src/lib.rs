//! Murphi text to syntax, types, and a parameterized transition system.
//!
//! In: the text of a Murphi model. Out: diagnostics, a typed program, and a [`System`].
//! This crate does no file and no terminal input or output, and knows nothing of search or proofs.

pub mod cube;
pub mod diagnostics;
pub mod elaborate;
pub mod exec;
pub mod instance;
pub mod lower;
pub mod program;
pub mod syntax;
pub mod system;

pub use elaborate::{Options, elaborate};
pub use syntax::{parse, print};
pub use system::System;

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
    let mut program = elaborate(&ast, options)?;
    let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    program.lines = std::iter::once(0).chain(starts).filter_map(|at| u32::try_from(at).ok()).collect();
    Ok(program)
}
