//! Reads `.cub` files, the language of the model checker Cubicle: text to syntax, types, and a parameterized transition
//! system.
//!
//! [`Model`] is the front-end: it reads a text, and has its diagnostics, its [`System`](system::System), and instances that
//! execute the text. This crate does no input or output, and knows nothing of search or proofs.
//!
//! The language is that of array-based systems (Conchon, Goel, Krstić, Mebsout and Zaïdi, "Cubicle: A Parallel SMT-based
//! Model Checker for Parameterized Systems", CAV 2012): arrays over any number of processes, transitions whose parameters
//! denote different processes, and formulas that describe initial and unsafe states.
//!
//! # Example
//! ```
//! use system::front_end::{FrontEnd, Instance, InstanceSettings, Limits, Outcome, Settings};
//!
//! let text = "
//!     array Holds[proc] : bool
//!     init (z) { Holds[z] = False }
//!     unsafe (x y) { Holds[x] = True && Holds[y] = True }
//!     transition acquire (x) { Holds[x] := True }
//! ";
//! let model = cubicle::Model::read(text, &Settings::default()).expect("it is a model");
//! let lowered = model.lower().expect("it can be lowered");
//! assert_eq!(lowered.system.index_types[0].name, "proc");
//!
//! let mut instance = model.instance(&InstanceSettings::default()).expect("it fits");
//! let exploration = instance.explore(&Limits::default(), &mut |_| true);
//! assert!(matches!(exploration.outcome, Outcome::Violated(_)));
//! let trace = instance.trace().expect("it is violated").trace;
//! let rules: Vec<&str> = trace.steps.iter().map(|step| step.rule.as_str()).collect();
//! assert_eq!(rules, ["init", "acquire", "acquire"]);
//!
//! // What is wrong with a text is data, with its place.
//! let errors = cubicle::Model::read("init (z) { Holds[z] = False }", &Settings::default()).expect_err("no such array");
//! assert_eq!(errors[0].code, "K007");
//! ```

mod check;
#[cfg(test)]
mod diagnostics_tests;
mod fault;
mod front_end;
#[cfg(test)]
mod generated_tests;
mod instance;
mod lower;
mod program;
pub mod syntax;

pub use front_end::Model;
