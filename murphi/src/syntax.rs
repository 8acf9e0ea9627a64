//! The syntax of Murphi: text to tree and back.
//!
//! The grammar is that of Murphi release 3.1 (Dill et al., annotated reference manual, section 4) with the extensions
//! of CMurphi 5.4.9 (priorities, `put`, constants defined by any expression) and rumur 2022.08 (`assume`, `cover`,
//! `assert` and `invariant` as properties and as statements, strings that span lines, optional separators). Every node
//! of the tree carries its place in the text, and all syntax errors are reported. Nothing here knows about types or
//! what names refer to.

#![allow(clippy::wildcard_enum_match_arm, reason = "a parser looks for one token among many")]

mod expressions;
mod fault;
mod foreign;
mod parser;
mod printer;
mod rules;
mod statements;
mod token;
pub mod tree;
mod types;

pub use parser::{MAX_DEPTH, parse};
pub use printer::print;
pub use token::KEYWORDS;
