//! Reads Murphi: text to syntax, types, and a parameterized transition system.
//!
//! Later stages use [`Model`], the front-end: it reads a text, and has its diagnostics, its typed program, and its
//! [`System`](system::System). This crate does no input or output, and knows nothing of search or proofs.
//!
//! # Example
//! Reading a model, lowering it, and exploring its instance:
//!
//! ```
//! use system::front_end::{FrontEnd, Instance, InstanceSettings, Limits, Outcome, Settings};
//!
//! let text = "
//!     type NODE : scalarset(2);
//!     var holds : array [NODE] of boolean;
//!     startstate for i : NODE do holds[i] := false end end;
//!     ruleset i : NODE do rule \"acquire\" holds[i] := true end end;
//!     invariant \"exclusive\" forall i : NODE do forall j : NODE do i != j -> !(holds[i] & holds[j]) end end;
//! ";
//! let model = murphi::Model::read(text, &Settings::default()).expect("it is a model");
//! let lowered = model.lower().expect("it can be lowered");
//! assert_eq!(lowered.system.index_types[0].name, "NODE");
//!
//! let mut instance = model.instance(&InstanceSettings::default()).expect("it fits");
//! let exploration = instance.explore(&Limits::default(), &mut |_| true);
//! let Outcome::Violated(failure) = exploration.outcome else { panic!("two nodes may hold it") };
//! assert_eq!(failure.property, "exclusive");
//! let trace = instance.trace().expect("it is violated").trace;
//! let rules: Vec<&str> = trace.steps.iter().skip(1).map(|step| step.rule.as_str()).collect();
//! assert_eq!(rules, ["acquire", "acquire"]);
//!
//! // What is wrong with a text is data, with its place.
//! let errors = murphi::Model::read("var x : boolean; rule y := x end;", &Settings::default()).expect_err("y is not declared");
//! assert_eq!(errors[0].code, "E018");
//! ```

pub mod diagnostics;
pub mod elaborate;
pub mod exec;
mod front_end;
pub mod hol;
pub mod instance;
pub mod lint;
pub mod lower;
pub mod order;
pub mod program;
pub mod syntax;

pub use elaborate::{Options, elaborate};
pub use front_end::{Model, declarations};
pub use lint::lint;
pub use syntax::{parse, print};

use diagnostics::Diagnostic;
use program::Program;

/// Parses a model and checks its names and types.
///
/// # Errors
/// Returns every error found in the text.
pub fn read(text: &str, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let (ast, errors) = parse(text);
    if !errors.is_empty() {
        return Err(errors);
    }
    elaborate(&ast, options)
}
