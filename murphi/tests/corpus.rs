//! Every model in the repository, and every one found in the wild, is read and survives printing.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use murphi::diagnostics::{Diagnostic, line_column};
use murphi::lower::{LowerOptions, lower};
use murphi::{Options, elaborate, parse, print};

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
            let place = murphi::diagnostics::line_column(&support::text(&path), span.start);
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

/// Each kind of refusal with its first place.
fn told(text: &str, refusals: &[Diagnostic]) -> String {
    let mut kinds: BTreeMap<&str, (u32, &Diagnostic, usize)> = BTreeMap::new();
    for refusal in refusals {
        let (line, _) = line_column(text, refusal.labels[0].span.start);
        kinds.entry(refusal.code).or_insert((line, refusal, 0)).2 += 1;
    }
    let told = kinds.iter().map(|(code, (line, refusal, count))| match count {
        1 => format!("{code}, line {line}: {}", refusal.message),
        _ => format!("{code}, line {line} and {} more: {}", count - 1, refusal.message),
    });
    told.collect::<Vec<_>>().join("; ").replace('|', "\\|")
}

/// The line about a model in `docs/evidence/corpus.md`.
fn row(path: &Path) -> String {
    let name = path.file_name().expect("it is a file").to_string_lossy();
    let text = support::text(path);
    let program = murphi::read(&text, &Options::default()).expect("every model is read");
    match lower(&program, &LowerOptions::default()) {
        Err(refusals) => format!("| `{name}` | no | | | {} |", told(&text, &refusals)),
        Ok(lowered) => {
            let system = &lowered.system;
            let types = system.index_types.iter().map(|over| format!("`{}`", over.name)).collect::<Vec<_>>().join(", ");
            let types = if types.is_empty() { "none".to_owned() } else { types };
            let whole = if lowered.refused_properties.is_empty() { "in full" } else { "but for properties" };
            let rules = format!("{} as {}", program.rules.len(), system.rules.len());
            format!("| `{name}` | {whole} | {types} | {rules} | {} |", told(&text, &lowered.refused_properties))
        }
    }
}

/// Holds a table of the page against what lowering says.
fn hold(heading: &str, paths: &[PathBuf]) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/evidence/corpus.md");
    let page = std::fs::read_to_string(page).expect("the page is in the repository");
    let section = page.split("\n## ").find(|section| section.starts_with(heading)).expect("the section is there");
    let written: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    let rows: Vec<String> = paths.iter().map(|path| row(path)).collect();
    assert!(written == rows, "docs/evidence/corpus.md, '{heading}', shall be:\n{}", rows.join("\n"));
}

#[test]
fn the_page_says_what_becomes_of_our_models() {
    let ours = support::repository_models();
    let ours: Vec<PathBuf> =
        ours.into_iter().filter(|path| path.parent().is_some_and(|p| p.ends_with("models"))).collect();
    hold("Our models", &ours);
}

/// Some of these are given up after millions of steps, which takes minutes where nothing is optimized.
#[test]
#[ignore = "it takes minutes: run it after a change of lowering"]
fn the_page_says_what_becomes_of_models_found_in_the_wild() {
    let wild = support::wild_models();
    if !wild.is_empty() {
        hold("Models found in the wild", &wild);
    }
}
