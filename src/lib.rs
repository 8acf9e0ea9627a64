//! ParaProof proves protocols safe for any number of nodes, and leaves a proof that can be checked.
//!
//! The package is the `paraproof` command: [`run`] is all of it but the process around it. The command puts together
//! crates that can be used without it, and are re-exported here:
//!
//! - [`murphi`] reads Murphi. It is a front-end, which is what [`system::front_end`] defines;
//! - [`system`] is the parameterized transition system that all other crates speak;
//! - [`invfinder`] searches for a proof, which it writes as a certificate;
//! - [`certificate`] checks a certificate without trusting the search;
//! - [`proofgen`] writes a checked certificate for people and for Isabelle;
//! - [`abstraction`] makes a finite model that covers all sizes of a protocol (CMP).
//!
//! # Example
//! A lock that one node holds at a time, proven for any number of nodes:
//!
//! ```
//! use paraproof::invfinder::{Header, Limits, Verdict, prove};
//! use paraproof::system::front_end::{FrontEnd, Settings};
//! use paraproof::{certificate, murphi};
//!
//! let text = "
//!     type NODE : scalarset(3);
//!     var free : boolean; holds : array [NODE] of boolean;
//!     startstate free := true; for i : NODE do holds[i] := false end end;
//!     ruleset i : NODE do
//!       rule \"acquire\" free ==> free := false; holds[i] := true end;
//!       rule \"release\" holds[i] ==> free := true; holds[i] := false end;
//!     end;
//!     invariant \"exclusive\" forall i : NODE do forall j : NODE do i != j -> !(holds[i] & holds[j]) end end;
//! ";
//! let model = murphi::Model::read(text, &Settings::default()).expect("it is a model");
//! let system = model.lower().expect("it can be lowered").system;
//!
//! let header = Header { model_digest: String::new(), settings: Vec::new() };
//! let (verdict, _) = prove(system, &header, &Limits::default(), &mut |_| true);
//! let Verdict::Proven(found) = verdict else { panic!("there is no proof") };
//!
//! let identity = certificate::Model { digest: String::new(), settings: Vec::new() };
//! let checked = certificate::check(system, &found, &identity).expect("the proof is right");
//! // The property, and that no node holds a lock that is free.
//! assert_eq!(checked.certificate().invariants.len(), 2);
//! ```

mod arguments;
mod child;
mod codes;
mod commands;
mod expected;
mod files;
mod interrupt;
mod limits;
mod model;
mod outcome;
mod progress;
mod render;
mod resources;
mod terminal;

pub use {abstraction, certificate, invfinder, murphi, proofgen, system};

pub use outcome::Outcome;

use std::ffi::OsString;

use clap::Parser;

use arguments::Arguments;

/// Runs the command with these arguments, the first of which is its name. It writes to the files that they name and to the
/// standard streams, handles signals from then on, and ends the process where a limit of the run is exceeded for long.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Outcome {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    interrupt::install();
    let command = &arguments.command;
    commands::run(command).unwrap_or_else(|error| commands::outcome_of(&error, command.has_verdict()))
}

/// Help and version are what was asked for; everything else is a mistake in the usage.
fn usage(error: &clap::Error) -> Outcome {
    // Where the terminal is gone, nothing can be said.
    let _ = error.print();
    if error.use_stderr() { Outcome::BadInput } else { Outcome::Good }
}
