//! Diagnostics as data: what is wrong with a model, where, and what helps.
//!
//! In: what the parser, the type checker and lowering find. Out: values that the command renders. No rendering in here.

use serde::Serialize;

use crate::program::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model is used, but likely not as its author meant it.
    Warning,
}

/// A part of the text that a diagnostic speaks about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// The part.
    pub span: Span,
    /// What is to be said about it; may be empty.
    pub text: String,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The stable code; all codes are in `docs/diagnostics.md`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// The places; the first is the main one.
    pub labels: Vec<Label>,
    /// What may help.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let label = Label { span, text: String::new() };
        Self { severity: Severity::Error, code, message: message.into(), labels: vec![label], help: None }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Adds a help line.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }
}

/// Line and column, both from 1; columns count characters.
///
/// `offset` is a byte of `text`; one behind the end is the end.
#[must_use]
pub fn line_column(text: &str, offset: u32) -> (u32, u32) {
    let mut end = (offset as usize).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
