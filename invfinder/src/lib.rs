//! Discovery of invariants: finite instances, backward reachability with approximations, and causal relations.
//!
//! [`prove()`] takes a lowered system and returns a certificate, a path to a violation on a small instance, or the reason
//! why it found neither. Nothing in this crate is trusted: the checker of the `certificate` crate replays every proof.
//!
//! # Examples
//!
//! Mutual exclusion with a lock, for any number of nodes. Besides the property itself, the proof needs the invariant that
//! the lock is taken while a node is in its critical section:
//!
//! ```
//! use invfinder::{Header, Limits, Verdict, prove};
//! use murphi::lower::{LowerOptions, lower};
//!
//! let model = r#"
//!     type NODE: scalarset(2);
//!     var taken: boolean; critical: array [NODE] of boolean;
//!     startstate
//!       taken := false;
//!       for i: NODE do critical[i] := false; end;
//!     end;
//!     ruleset i: NODE do
//!       rule "enter" !taken ==> taken := true; critical[i] := true; end;
//!       rule "leave" critical[i] ==> taken := false; critical[i] := false; end;
//!     end;
//!     invariant "mutual exclusion"
//!       forall i: NODE do forall j: NODE do i != j -> !(critical[i] & critical[j]) end end;
//! "#;
//! let attempt = |model: &str| {
//!     let program = murphi::read(model, &murphi::Options::default()).unwrap();
//!     let system = lower(&program, &LowerOptions::default()).unwrap().system;
//!     let header = Header { model_digest: String::new(), settings: vec![] };
//!     let (verdict, _) = prove(&system, &header, &Limits::default(), &mut |_| true);
//!     (system, verdict)
//! };
//!
//! let (system, verdict) = attempt(model);
//! let Verdict::Proven(proof) = verdict else { panic!("{verdict:?}") };
//! assert_eq!(proof.invariants.len(), 2);
//! let identity = certificate::Model { digest: String::new(), settings: vec![] };
//! assert!(certificate::check(&system, &proof, &identity).is_ok());
//!
//! // A node that does not check the lock enters beside another one.
//! let (_, verdict) = attempt(&model.replace("!taken ==>", ""));
//! let Verdict::Violated(violation) = verdict else { panic!("{verdict:?}") };
//! assert_eq!(violation.steps.len(), 2);
//! ```

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
mod order;
mod pointed;
mod pre;
mod predicates;
mod prove;
mod relations;
mod repeated;
mod sat;
#[cfg(feature = "z3")]
pub mod smt;
mod threads;
mod universal;
mod weakest_precondition;
#[doc(hidden)]
pub mod workload;

pub use brab::{Figures, Stop};
pub use certify::Header;
pub use discover::{Failure, Refusal};
pub use prove::{Account, Limits, Reason, Stage, Verdict, Violation, prove, prove_by_predicates, prove_from};
pub use threads::{ThreadError, set_threads};
