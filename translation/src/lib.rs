//! Translates models between the two languages: Cubicle's to Murphi, and Murphi to Cubicle's.
//!
//! A translation has the same states, transitions and bad states as the model; nothing is approximated. If a part has no
//! counterpart in the other language, every such place is reported instead.
//!
//! [`to_murphi()`] works on the syntax tree, since Murphi can express nearly everything that Cubicle's language can.
//! [`to_cubicle()`] works on the lowered system, in which statements that run one after the other have become simultaneous updates.
//!
//! It must not read or write files, search, or know of proofs.

mod fault;
mod to_cubicle;
mod to_murphi;

pub use fault::Fault;
pub use to_cubicle::to_cubicle;
pub use to_murphi::to_murphi;
