//! Parses the text of a `.cub` file to a syntax tree with places, and prints such a tree.
//!
//! All syntax errors are reported. Names and types are not looked at here.

mod formulas;
mod parser;
mod printer;
mod token;
pub mod tree;

pub(crate) use parser::parse;
pub use parser::parse_placed;
pub use printer::print;
pub use token::KEYWORDS;
