//! The syntax of Murphi: text to tree and back.
//!
//! In: the text of a model. Out: a tree with the places of its parts, and all syntax errors; or text from a tree.
//! The grammar is that of Murphi release 3.1 (Dill et al., annotated reference manual, section 4) with the additions of
//! CMurphi 5.4.9 (priorities, `put`, constants of any expression) and rumur 2022.08 (`assume`, `cover`, `assert` and
//! `invariant` as properties and as statements, strings over lines, few separators).
//! Nothing in here knows types or names.

#![allow(clippy::wildcard_enum_match_arm, reason = "a parser asks for one token among many")]

mod expressions;
mod fault;
mod parser;
mod printer;
mod rules;
mod statements;
mod token;
pub mod tree;
mod types;

pub use parser::{MAX_DEPTH, parse};
pub use printer::print;
