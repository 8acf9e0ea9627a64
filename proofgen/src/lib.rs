//! Checked certificates to what people read and other tools check.
//!
//! In: a checked certificate. Out: text in memory. It must not search, and it does no input or output.

pub mod attempt;
pub mod diff;
pub mod explain;
pub mod flow;
pub mod instances;
pub mod isabelle;
pub mod report;
pub mod table;
pub mod trace;

#[cfg(test)]
#[path = "../../invfinder/src/example.rs"]
mod example;
