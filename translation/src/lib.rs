//! Translates models between the two languages: Cubicle's to Murphi, and Murphi to Cubicle's.
//!
//! In: the text of a model, or its lowered system. Out: the text of a model in the other language, with the same states,
//! transitions and bad states, or every place without a counterpart there. Nothing is approximated.
//!
//! [`to_murphi()`] goes by the syntax tree, since Murphi can say nearly everything that Cubicle's language says. [`to_cubicle()`] goes
//! by the lowered system, since statements that run one after the other become updates that happen at once.
//!
//! It must not read or write files, search, or know of proofs.

mod fault;
mod to_cubicle;
mod to_murphi;

pub use fault::Fault;
pub use to_cubicle::to_cubicle;
pub use to_murphi::to_murphi;
