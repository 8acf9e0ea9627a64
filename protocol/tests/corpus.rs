//! Every model in the repository, and every one found in the wild, is read and survives printing.

mod support;

use protocol::{Options, elaborate, parse, print};

#[test]
fn every_model_is_read_and_type_checked() {
    let mut failures = Vec::new();
    for path in support::models() {
        let (ast, mut errors) = parse(&support::text(&path));
        if errors.is_empty()
            && let Err(found) = elaborate(&ast, &Options::default())
        {
            errors = found;
        }
        for error in errors {
            let span = error.labels[0].span;
            let place = protocol::diagnostics::line_column(&support::text(&path), span.start);
            failures.push(format!("{}:{place:?}: {} {}", path.display(), error.code, error.message));
        }
    }
    assert!(failures.is_empty(), "{} errors:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn printing_and_parsing_gives_the_same_tree() {
    for path in support::models() {
        let (ast, errors) = parse(&support::text(&path));
        assert_eq!(errors, [], "{}", path.display());
        let printed = print(&ast);
        let (again, errors) = parse(&printed);
        assert_eq!(errors, [], "{} after printing:\n{printed}", path.display());
        assert!(support::shape(&again) == support::shape(&ast), "{} changes its tree", path.display());
    }
}
