//! Systems built by hand, and a small prover that makes certificates for them.

#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses a part of it, and a failure is a panic")]

pub(crate) mod build;
pub(crate) mod explicit;
pub(crate) mod mutate;
pub(crate) mod prove;
pub(crate) mod systems;
pub(crate) mod tamper;
