//! The style `computed`: a protocol as data, evaluated by a checker that the base theory proves sound.
//!
//! In: the system, the certificate, the definitions. Out: the theories. `P_Data.thy` holds the lowered system, the
//! invariants and the premises of the certificate as terms of the datatypes of `ParaProof_Checker.thy`, and lemmas that
//! are closed by evaluation; `P.thy` shows that the data mean what `P_Definitions.thy` defines, and states the
//! properties as style `lemmas` does. This module must not search for arguments. Nothing here is trusted: data that do
//! not mean what is defined fail in `P.thy`, and wrong premises fail in the evaluation.

mod data;
mod hints;
mod linking;

use minijinja::context;

use super::definitions::Definitions;
use super::{CHECKER_THEORY, COMPUTED_THEORY, Evaluate, Fault, File, Source, text};

/// The theories of the style.
pub(super) fn theories(
    source: Source<'_>,
    definitions: Definitions<'_>,
    evaluate: Evaluate,
) -> Result<Vec<File>, Fault> {
    let protocol = &source.words.protocol;
    Ok(vec![
        ("ParaProof_Checker".to_owned(), CHECKER_THEORY.to_owned()),
        ("ParaProof_Computed".to_owned(), COMPUTED_THEORY.to_owned()),
        (format!("{protocol}_Definitions"), definitions.theory()?),
        (format!("{protocol}_Data"), data::theory(source, evaluate)?),
        (protocol.clone(), linking::theory(source, definitions)?),
    ])
}

/// The name of a constant or a lemma of the data. No name of a model has two underscores in a row.
fn name(source: Source<'_>, part: &str) -> String {
    format!("{}__{part}", source.words.protocol)
}

/// The name of a numbered constant or lemma of the data; numbers start at 1.
fn numbered(source: Source<'_>, part: &str, position: usize) -> String {
    name(source, &format!("{part}_{}", position + 1))
}

/// The text of a template.
fn render(template: &str, context: minijinja::Value) -> Result<String, Fault> {
    Ok(text::render(template, context! { ..context })?)
}
