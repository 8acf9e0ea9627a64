//! Turns checked certificates into what people read and other tools check.
//!
//! This crate works in memory: it does not search, and it does no input or output.

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
