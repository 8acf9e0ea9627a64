//! Text to a syntax tree and back.
//!
//! In: the text of a `.cub` file. Out: a tree in which every part has its place, and all syntax errors. Names and types are
//! not looked at here.

mod formulas;
mod parser;
mod printer;
mod token;
pub mod tree;

pub(crate) use parser::parse;
pub use parser::parse_placed;
pub use printer::print;
pub use token::KEYWORDS;
