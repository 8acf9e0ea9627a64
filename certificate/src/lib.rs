//! The certificate of a proof, its format, and the checker that replays it.
//!
//! This crate knows neither the search that finds proofs nor any solver. What is denied below is what the checker promises
//! never to do: to go on after an overflow or a lossy conversion, to panic on an `unwrap`, or to depend on the order of
//! a hash map (`clippy.toml` of this folder names the types). Recursion is over formulas and values, whose depth
//! [`system::wellformed`] bounds, over splits, and over the variables of a cube, which have limits of their own.

#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used
)]

pub mod branches;
pub mod check;
pub mod clause;
pub mod closure;
pub mod context;
pub mod explain;
pub mod fault;
pub mod ground;
pub mod obligations;
pub mod proof;
mod property_check;
mod relation;
pub mod shard;
pub mod wire;

pub use check::{CheckedCertificate, Model, Proceed, check, check_while};
pub use explain::{ExplainedStep, Explanation, explain, explain_property, explain_startstate};
pub use fault::{Fault, FaultReport, Refusal};
pub use obligations::{Obligation, Situation, Transition};
pub use shard::{FileIdentity, MergeError, Merged, ShardError, ShardResult, check_shard, merge, read_shard};
pub use wire::{ReadError, read, write};
