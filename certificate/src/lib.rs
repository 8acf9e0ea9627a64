//! The certificate of a proof, its format, and the checker.
//!
//! This crate knows neither the search that finds proofs nor any solver. [`kernel`] is what acceptance depends on; read
//! it first. Around it, [`mod@format`] reads and writes certificates, `check` drives the kernel on several threads,
//! and [`report`] has the words for what the kernel finds. None of these is trusted.
//!
//! A system with one variable, which is never true, since only a rule that is never enabled sets it:
//!
//! ```
//! use certificate::fault::{Kind, Problem};
//! use certificate::proof::*;
//! use certificate::{Model, check, read, write};
//! use serde_json::json;
//! use system::{PropertyId, RuleId, StartstateId, System};
//!
//! let origin = json!({ "line": 1, "column": 1, "start": 0, "end": 0 });
//! let set = |value| json!([{ "variable": 0, "arguments": [], "value": { "term": { "constant": value } } }]);
//! let is_true = json!({ "equal": [{ "read": [0, []] }, { "constant": 1 }] });
//! let system: System = serde_json::from_value(json!({
//!     "index_types": [], "named": [], "constants": [{ "name": "false" }, { "name": "true" }],
//!     "sorts": [{ "name": "boolean", "index_types": [], "constants": [0, 1] }],
//!     "variables": [{ "name": "x", "arguments": [], "sort": 0, "path": [{ "global": "x" }], "origin": origin }],
//!     "startstates": [{
//!         "name": "Init", "scope": [], "parameters": 0, "guard": "true", "updates": set(0), "origin": origin,
//!     }],
//!     "rules": [{
//!         "name": "Keep", "case": "", "scope": [], "parameters": 0, "guard": is_true, "updates": set(1),
//!         "origin": origin, "source": 0,
//!     }],
//!     "properties": [{
//!         "name": "NeverTrue", "kind": "invariant", "scope": [], "formula": { "not": is_true },
//!         "bad": [{
//!             "variables": [],
//!             "literals": [{ "left": { "read": [0, []] }, "equal": true, "right": { "constant": 1 } }],
//!         }],
//!         "origin": origin,
//!     }],
//!     "claim": { "constants": [], "finite_types": [], "assumptions": [], "left_out": [] },
//! }))?;
//!
//! // One invariant, the property itself: no state satisfies `x = true`.
//! let model = Model { digest: "0".repeat(64), settings: Vec::new() };
//! let cube = system.properties[0].bad[0].clone();
//! let premise = Instance { invariant: InvariantId(0), substitution: Vec::new() };
//! let matching = Match(Vec::new());
//! let mut certificate = Certificate {
//!     model_digest: model.digest.clone(),
//!     settings: Vec::new(),
//!     properties: vec![PropertyEntry {
//!         property: PropertyId(0),
//!         cube: 0,
//!         argument: Argument { premises: vec![premise], split: None },
//!     }],
//!     invariants: vec![Invariant { cube, origin: InvariantOrigin::Property(PropertyId(0)) }],
//!     initial: vec![InitialEntry {
//!         startstate: StartstateId(0),
//!         invariant: InvariantId(0),
//!         matching: matching.clone(),
//!     }],
//!     // After the rule, `x = true` holds only if it does before: its guard says so.
//!     relations: vec![RelationEntry {
//!         rule: RuleId(0),
//!         invariant: InvariantId(0),
//!         matching: Some(matching),
//!         branch: Some(0),
//!         relation: Relation::Unaffected,
//!     }],
//! };
//! assert!(check(&system, &certificate, &model).is_ok());
//! assert_eq!(read(write(&certificate, &system).as_bytes(), &system)?, certificate);
//!
//! certificate.relations[0].relation = Relation::HoldsAfter;
//! let faults = check(&system, &certificate, &model).unwrap_err();
//! assert_eq!(faults[0].problem, Problem::Kind { due: Kind::Unaffected, found: Kind::HoldsAfter });
//! assert_eq!(faults[0].problem.to_string(), "the relation is unaffected, not holds_after");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The lints below are what the checker promises never to do: to go on after an overflow or a lossy conversion, to
//! panic on an `unwrap`, or to depend on the order of a hash map (`clippy.toml` of this folder names the types).
//! Recursion is over formulas and values, whose depth [`system::wellformed`] bounds, over splits, and over the
//! variables of a cube, which have limits of their own.

#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used
)]

mod check;
pub mod format;
pub mod kernel;
pub mod report;

pub use check::{Proceed, check, check_while};
pub use format::{Candidates, ReadError, read, read_candidates, write};
pub use kernel::accept::{CheckedCertificate, Model};
pub use kernel::branches::Matched;
pub use kernel::fault::{Fault, Refusal};
pub use kernel::{Obligation, Situation};
pub use kernel::{fault, proof};
pub use report::{ExplainedStep, Explanation, explain, explain_property, explain_startstate};
pub use report::{FaultReport, Part};
pub use report::{FileIdentity, MergeError, Merged, ShardError, ShardResult, check_shard, merge, read_shard};
