//! The certificate of a proof, its format, and the checker.
//!
//! This crate knows neither the search that finds proofs nor any solver. [`kernel`] is what acceptance depends on; read
//! it first. Around it, [`mod@format`] reads and writes certificates, `check` drives the kernel on several threads,
//! and [`report`] has the words for what the kernel finds. None of these is trusted.
//!
//! The lints below are what the checker promises never to do: to go on after an overflow or a lossy conversion, to panic on an
//! `unwrap`, or to depend on the order of a hash map (`clippy.toml` of this folder names the types). Recursion is over
//! formulas and values, whose depth [`system::wellformed`] bounds, over splits, and over the variables of a cube, which have
//! limits of their own.

#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used
)]

mod check;
pub mod format;
pub mod kernel;
pub mod report;

pub use check::{Proceed, check, check_while};
pub use format::{ReadError, read, write};
pub use kernel::accept::{CheckedCertificate, Model};
pub use kernel::fault::{Fault, Refusal};
pub use kernel::obligations::Transition;
pub use kernel::{Obligation, Situation};
pub use kernel::{fault, proof};
pub use report::{ExplainedStep, Explanation, explain, explain_property, explain_startstate};
pub use report::{FaultReport, Part};
pub use report::{FileIdentity, MergeError, Merged, ShardError, ShardResult, check_shard, merge, read_shard};
