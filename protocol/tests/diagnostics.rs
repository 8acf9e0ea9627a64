//! Every example in `docs/diagnostics.md` gives the finding that its section describes, and no code is left out there.

use std::collections::BTreeMap;
use std::path::Path;

use protocol::diagnostics::{Code, Diagnostic};
use protocol::{Options, elaborate, parse};

/// A section of the document.
#[derive(Debug, Default)]
struct Section {
    code: String,
    settings: String,
    example: String,
    message: String,
}

fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    std::fs::read_to_string(path).expect("the document is in the repository").replace("\r\n", "\n")
}

fn sections(document: &str) -> Vec<Section> {
    let heading = |line: &str| line.strip_prefix("## ").and_then(|rest| rest.split(':').next()).map(str::to_owned);
    let mut sections: Vec<Section> = Vec::new();
    let mut in_example = false;
    for line in document.lines() {
        if let Some(code) = heading(line).filter(|_| !in_example) {
            sections.push(Section { code, ..Section::default() });
        }
        let Some(section) = sections.last_mut() else { continue };
        if let Some(settings) = line.strip_prefix("```murphi") {
            in_example = true;
            settings.trim().clone_into(&mut section.settings);
        } else if line == "```" {
            in_example = false;
        } else if in_example {
            section.example.push_str(line);
            section.example.push('\n');
        } else if let Some(message) = line.strip_prefix("> ") {
            message.clone_into(&mut section.message);
        }
    }
    sections
}

fn options(settings: &str) -> Options {
    let constants: BTreeMap<String, i64> = settings
        .split_whitespace()
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.parse().expect("settings are numbers")))
        .collect();
    Options { constants, ..Options::default() }
}

/// All findings about a text.
fn findings(section: &Section) -> Vec<Diagnostic> {
    let (ast, errors) = parse(&section.example);
    if !errors.is_empty() {
        return errors;
    }
    match elaborate(&ast, &options(&section.settings)) {
        Ok(program) => program.warnings,
        Err(errors) => errors,
    }
}

#[test]
fn every_example_gives_its_finding_and_no_other() {
    let mut wrong = Vec::new();
    for section in sections(&document()).iter().filter(|section| !section.code.starts_with('L')) {
        let found: Vec<(&str, String)> =
            findings(section).into_iter().map(|finding| (finding.code, finding.message)).collect();
        if found.first().is_none_or(|(code, message)| *code != section.code || *message != section.message)
            || found.iter().any(|(code, _)| *code != section.code)
        {
            wrong.push(format!("{} says: {}\n     found: {found:?}", section.code, section.message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_document_has_every_code_once_and_in_order() {
    let documented: Vec<String> =
        sections(&document()).into_iter().map(|section| section.code).filter(|code| !code.starts_with('L')).collect();
    let all: Vec<&str> = Code::ALL.iter().map(|code| code.text()).collect();
    assert_eq!(documented, all);
}
