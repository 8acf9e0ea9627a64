//! Findings about a model as data: what is wrong, where, and what helps. How they look is for the command.

use std::ops::Range;

use serde::Serialize;

use crate::Origin;

/// Bytes of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

impl From<&Origin> for Span {
    fn from(origin: &Origin) -> Self {
        Self { start: origin.start, end: origin.end }
    }
}

impl Span {
    /// From the start of one to the end of another.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end.max(self.end) }
    }

    /// The bytes of this text that it means; the empty end of the text, where it means none.
    #[must_use]
    pub fn within(self, text: &str) -> Range<usize> {
        let clamp = |offset: u32| {
            let mut offset = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
            while !text.is_char_boundary(offset) {
                offset -= 1;
            }
            offset
        };
        let (start, end) = (clamp(self.start), clamp(self.end));
        start..end.max(start)
    }
}

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
    /// Texts that help, if a program can write them: all are to be replaced together. None of them overlap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replacements: Vec<Replacement>,
}

/// A part of the text, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replacement {
    /// The part; if it is empty, the text is inserted before it.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Replacement {
    /// Replaces parts of a text that do not overlap.
    #[must_use]
    pub fn apply(replacements: &[Self], text: &str) -> String {
        let mut parts: Vec<(Range<usize>, &str)> =
            replacements.iter().map(|part| (part.span.within(text), part.text.as_str())).collect();
        parts.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        let mut replaced = text.to_owned();
        for (range, new) in parts {
            replaced.replace_range(range, new);
        }
        replaced
    }
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let label = Label { span, text: String::new() };
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            labels: vec![label],
            help: None,
            replacements: Vec::new(),
        }
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

    /// Says something about the main place.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
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
    // A character has one byte that does not go on with another one.
    let starts = |byte: &u8| byte & 0xc0 != 0x80;
    let column = before.bytes().rev().take_while(|byte| *byte != b'\n').filter(starts).count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// The lines of a text that these parts of it are in.
#[must_use]
pub fn excerpt(text: &str, parts: &[Range<usize>]) -> Option<Range<usize>> {
    let first = parts.iter().map(|part| part.start).min()?;
    let last = parts.iter().map(|part| part.end).max()?;
    let start = text[..first].rfind('\n').map_or(0, |position| position + 1);
    let end = text[last..].find('\n').map_or(text.len(), |position| last + position);
    Some(start..end)
}

/// Where a part of a text is, for people. Lines and columns are from 1, and columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The line of its end.
    pub end_line: u32,
    /// The column behind its end.
    pub end_column: u32,
}

impl Place {
    /// Where a span is in a text.
    #[must_use]
    pub fn of(text: &str, span: Span) -> Self {
        let (line, column) = line_column(text, span.start);
        let (end_line, end_column) = line_column(text, span.end);
        Self { line, column, end_line, end_column }
    }
}
