//! Checked certificates to what people read and other tools check.
//!
//! In: a checked certificate. Out: text in memory. It must not search, and it does no input or output.

pub mod murphi;

mod definedness;
