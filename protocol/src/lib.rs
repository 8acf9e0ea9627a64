//! Murphi text to syntax, types, and a parameterized transition system.
//!
//! In: the text of a Murphi model. Out: diagnostics, a typed program, and a [`System`].
//! This crate does no file and no terminal input or output, and knows nothing of search or proofs.

pub mod cube;
pub mod diagnostics;
pub mod elaborate;
pub mod program;
pub mod syntax;
pub mod system;

pub use elaborate::{Options, elaborate};
pub use syntax::{parse, print};
pub use system::System;
