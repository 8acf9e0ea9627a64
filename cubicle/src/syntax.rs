//! Text to a syntax tree.
//!
//! In: the text of a `.cub` file. Out: a tree in which every part has its place, and all syntax errors. Names and types are
//! not looked at here.

mod formulas;
mod parser;
mod token;
pub(crate) mod tree;

pub(crate) use parser::parse;
