//! Discovery: finite instances, backward reachability with approximations, causal relations.
//!
//! In: a lowered system and reachable states of small instances of it. Out: a certificate, or a reason why not.
//! Nothing in here is trusted: the checker of the `certificate` crate replays everything.

mod approx;
mod argument;
mod brab;
mod certify;
mod closure;
mod discover;
#[cfg(test)]
mod example;
mod fixpoint;
mod literal;
mod minimize;
mod oracle;
mod pre;
mod prove;
mod relations;
mod sat;
#[cfg(feature = "z3")]
pub mod smt;
mod threads;
mod weakest_precondition;
#[doc(hidden)]
pub mod workload;

pub use brab::{Figures, Stop};
pub use certify::Header;
pub use discover::{Failure, Refusal};
pub use prove::{Account, Limits, Reason, Stage, Verdict, Violation, prove};
pub use threads::{ThreadError, set_threads};
