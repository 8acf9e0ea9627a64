//! Turns checked certificates into what people read and other tools check.
//!
//! This crate works in memory: it does not search, and it does no input or output.

pub mod attempt;
pub mod cmp;
pub mod diff;
pub mod explain;
pub mod flow;
pub mod isabelle;
pub mod murphi;
pub mod report;
pub mod table;
pub mod trace;

mod definedness;

#[cfg(test)]
#[path = "../../invfinder/src/example.rs"]
mod example;
