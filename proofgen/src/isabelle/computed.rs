//! The style `computed`: a protocol as data, evaluated by a checker that the base theory proves sound.
//!
//! `P_Data.thy` holds the lowered system, the invariants and the premises of the certificate as terms of the datatypes
//! of `ParaProof_Checker.thy`, and lemmas that are proven by evaluation (if rules are evaluated one by one, they are in
//! `P_Rules_1.thy` and so on). `P.thy` shows that the data mean what `P_Definitions.thy` defines, and states the
//! properties as the style `lemmas` does. This module must not search for arguments. Nothing here is trusted: data that
//! do not match the definitions fail in `P.thy`, and wrong premises fail in the evaluation.

mod data;
mod hints;
mod linking;

use super::definitions::Definitions;
use super::translate;
use super::{
    ASSUMPTIONS_THEORY, CHECKER_THEORY, COMPUTED_THEORY, EVALUATION_THEORY, Evaluate, Fault, File, NUMBERS_THEORY,
    Source,
};

/// Returns the theories of the style.
pub(super) fn theories(
    source: Source<'_>,
    definitions: Definitions<'_>,
    evaluate: Evaluate,
) -> Result<Vec<File>, Fault> {
    let protocol = &source.words.protocol;
    let mut theories = vec![
        ("ParaProof_Checker".to_owned(), CHECKER_THEORY.to_owned()),
        ("ParaProof_Assumptions".to_owned(), ASSUMPTIONS_THEORY.to_owned()),
        ("ParaProof_Numbers".to_owned(), NUMBERS_THEORY.to_owned()),
        ("ParaProof_Computed".to_owned(), COMPUTED_THEORY.to_owned()),
        (format!("{protocol}_Definitions"), definitions.theory()?),
    ];
    let data = data::theories(source, evaluate)?;
    let names = data.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    theories.extend(data);
    theories.push((protocol.clone(), linking::theory(source, definitions, &names, evaluate)?));
    if evaluate == Evaluate::Kernel {
        theories.insert(1, ("ParaProof_Evaluation".to_owned(), EVALUATION_THEORY.to_owned()));
    }
    Ok(theories)
}

/// Whether a system has numbers or assumptions, so that it needs the checker's forms for them.
fn is_extended(source: Source<'_>) -> bool {
    translate::has_numbers(source.system) || !source.system.axioms.is_empty()
}

/// The prefix of the names of all constants and lemmas of the data.
fn prefix(source: Source<'_>) -> String {
    format!("{}__", source.words.protocol)
}

/// The name of a constant or a lemma of the data. No name of a model has two underscores in a row.
fn name(source: Source<'_>, part: &str) -> String {
    prefix(source) + part
}

/// The name of a numbered constant or lemma of the data; numbers start at 1.
fn numbered(source: Source<'_>, part: &str, position: usize) -> String {
    name(source, &format!("{part}_{}", position + 1))
}
