//! The certificate: what a proof of a parameterized protocol consists of, and its independent checker.
//!
//! In: a lowered [`protocol::System`] and a certificate. Out: a list of faults, or a checked certificate.
//! It must not depend on the search or on any solver.

pub mod proof;
