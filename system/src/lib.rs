//! The parameterized transition system: what every stage after a front-end speaks.
//!
//! A front-end, such as the crate `murphi`, produces a [`System`]. The search, the checker and the emitters read it.
//! The crate knows no input language, no search and no proof.

pub mod cube;
pub mod evaluator;
pub mod scope;
mod transition_system;
pub mod walk;
pub mod wellformed;

pub use transition_system::*;
