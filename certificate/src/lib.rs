//! The certificate of a proof, its format, and the checker that replays it.
//!
//! This crate knows neither the search that finds proofs nor any solver.

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
mod system_check;
pub mod wire;

pub use check::{CheckedCertificate, Model, check};
pub use explain::{ExplainedStep, Explanation, explain};
pub use fault::{Fault, FaultReport};
pub use obligations::{Obligation, Situation, initial_obligations, obligations};
pub use shard::{MergeError, Merged, ShardError, ShardResult, check_shard, merge};
pub use wire::{ReadError, read, write};
