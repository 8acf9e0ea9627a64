//! The theory with a program in HOL.
//!
//! The theory shows the program beside the text of the model. A front-end made the program of that text alone, so
//! nothing here depends on the system or the certificate.

use minijinja::context;
use system::source::{SourceDefinition, SourceProgram};

use super::text;

/// The theory with the meaning of programs.
pub const MURPHI_THEORY: &str = include_str!("../../isabelle-theories/ParaProof_Murphi.thy");

/// Returns the theory `P_Program`.
///
/// # Errors
/// Returns an error if the template is wrong.
pub fn theory(protocol: &str, source: &SourceProgram) -> Result<String, minijinja::Error> {
    let sizes = source.sizes.iter().map(|size| {
        context! { name => size.name, constant => text::prose(&size.constant) }
    });
    let startstates = source.startstates.iter().map(|rule| (&rule.definition, rule.text.as_str(), rule.origin.line));
    let rules = source.rules.iter().map(|rule| (&rule.definition, rule.text.as_str(), rule.origin.line));
    let invariants = source.invariants.iter().map(|rule| (&rule.definition, rule.text.as_str(), rule.origin.line));
    let groups = [
        ("Startstates", startstates.map(shown).collect::<Vec<_>>()),
        ("Rules", rules.map(shown).collect()),
        ("Invariants", invariants.map(shown).collect()),
    ];
    let groups = groups.into_iter().filter(|(_, items)| !items.is_empty());
    text::render(
        "program",
        context! {
            protocol,
            sizes => sizes.collect::<Vec<_>>(),
            names => source.names.iter().map(abbreviation).collect::<Vec<_>>(),
            groups => groups.map(|(title, items)| context! { title, items }).collect::<Vec<_>>(),
            program => definition("definition", &source.program),
        },
    )
}

/// A definition below the text of the model.
fn shown((item, written, line): (&SourceDefinition, &str, u32)) -> minijinja::Value {
    let mut lines = vec![format!("Line {line}:")];
    lines.extend(written.lines().map(|line| text::prose(line.trim_end())));
    context! { lines, definition => definition("definition", item) }
}

/// A name for a term. A field is a number, which Isabelle must not print as that field wherever it occurs.
fn abbreviation(item: &SourceDefinition) -> String {
    definition(if item.signature == "nat" { "abbreviation (input)" } else { "abbreviation" }, item)
}

fn definition(command: &str, item: &SourceDefinition) -> String {
    let equal = if command.starts_with("abbreviation") { "\\<equiv>" } else { "=" };
    let head = std::iter::once(&item.name).chain(&item.arguments).map(String::as_str).collect::<Vec<_>>().join(" ");
    let separator = if item.term.contains('\n') { "\n  " } else { " " };
    format!(
        "{command} {} :: \"{}\" where{}\"{head} {equal}{separator}{}\"",
        item.name,
        item.signature,
        if separator == " " { " " } else { "\n  " },
        item.term
    )
}
