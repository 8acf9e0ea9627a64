//! Systems built by hand, and a small prover that makes certificates for them.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "each test file uses a part of it, a failure is a panic, and skipped tests report it"
)]

pub(crate) mod build;
pub(crate) mod explicit;
pub(crate) mod models;
pub(crate) mod mutate;
pub(crate) mod prove;
pub(crate) mod python;
pub(crate) mod random;
pub(crate) mod systems;
pub(crate) mod tamper;
pub(crate) mod together;
