//! The parameterized transition system that every stage after a front-end works on.
//!
//! A front-end, such as the crate `murphi`, produces a [`System`]. The search, the checker and the emitters read it.
//! The module [`front_end`] defines what a front-end is. This crate knows nothing about input languages, search or proofs.
//!
//! # Examples
//!
//! A [`Cube`] describes bad states. In a protocol in which each node caches a line in the state `I`, `S` or `M`, one such
//! cube says that two different nodes are in state `M`. Its normal form does not depend on how it is written, and more
//! general cubes subsume it:
//!
//! ```
//! use system::{Claim, Comparison, Constant, ConstantId, Cube, IndexTerm, IndexType, IndexTypeId, IndexVariableId};
//! use system::{Literal, Origin, Sort, SortId, System, Term, Variable, VariableId};
//!
//! let origin = Origin::default();
//! let constant = |name: &str| Constant { name: name.to_owned(), scalarset: None };
//! let system = System {
//!     index_types: vec![IndexType { name: "NODE".into(), anonymous: false, size: 2, first: 1, origin: origin.clone() }],
//!     named: vec![],
//!     constants: ["false", "true", "I", "S", "M"].map(constant).to_vec(),
//!     sorts: vec![Sort { name: "STATE".into(), index_types: vec![], constants: (2..5).map(ConstantId).collect(), numbers: None }],
//!     variables: vec![Variable {
//!         name: "Cache[]".into(),
//!         arguments: vec![IndexTypeId(0)],
//!         sort: SortId(0),
//!         path: vec![],
//!         origin,
//!     }],
//!     rules: vec![],
//!     startstates: vec![],
//!     properties: vec![],
//!     axioms: Vec::new(),
//!     sizes: Vec::new(),
//!     claim: Claim::default(),
//! };
//!
//! let (node, invalid, modified) = (IndexTypeId(0), ConstantId(2), ConstantId(4));
//! let is = |variable, state| Literal {
//!     left: Term::Read(VariableId(0), vec![IndexTerm::Variable(IndexVariableId(variable))]),
//!     comparison: Comparison::Equal,
//!     right: Term::Constant(state),
//! };
//! let one = Cube::normalize(&system, &[node], &[is(0, modified)]).unwrap();
//! let two = Cube::normalize(&system, &[node, node], &[is(0, modified), is(1, modified)]).unwrap();
//! assert!(one.subsumes(&two));
//! assert!(!two.subsumes(&one));
//!
//! // The order of the literals does not matter, and what follows from the others is dropped.
//! let literals = [is(1, modified), is(1, invalid).negated(), is(0, modified)];
//! assert_eq!(Cube::normalize(&system, &[node, node], &literals), Some(two));
//!
//! // No node is in two states at once.
//! assert_eq!(Cube::normalize(&system, &[node], &[is(0, invalid), is(0, modified)]), None);
//! ```

pub mod alone;
pub mod bounds;
pub mod counts;
pub mod cube;
pub mod definedness;
pub mod evaluator;
pub mod front_end;
pub mod notation;
pub mod scope;
pub mod similar;
pub mod source;
mod transition_system;
pub mod walk;
pub mod wellformed;

pub use transition_system::*;
