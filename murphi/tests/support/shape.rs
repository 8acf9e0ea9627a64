//! Trees without places; the fuzz targets use this, too.

use murphi::syntax::tree::Ast;

/// Returns the tree as text, without places: equal for equal trees.
pub(crate) fn shape(ast: &Ast) -> String {
    let full = format!("{:?}", ast.items);
    let mut shape = String::with_capacity(full.len());
    let mut rest = full.as_str();
    while let Some(at) = rest.find("Span { start: ") {
        shape.push_str(&rest[..at]);
        let end = rest[at..].find('}').expect("a span is closed");
        rest = &rest[at + end + 1..];
    }
    shape.push_str(rest);
    shape
}
