//! The parameterized transition system: what every stage after a front-end speaks.
//!
//! A front-end, such as the crate `murphi`, produces a [`System`]. The search, the checker and the emitters read it.
//! What a front-end is, is defined in [`front_end`]. The crate itself knows no input language, no search and no proof.

pub mod cube;
pub mod definedness;
pub mod evaluator;
pub mod front_end;
pub mod notation;
pub mod scope;
mod transition_system;
pub mod walk;
pub mod wellformed;

pub use transition_system::*;
