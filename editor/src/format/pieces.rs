//! A text as lines of words, symbols and comments, with the spaces between them.

use crate::Language;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Text,
    Symbol,
    Comment,
}

/// A word, symbol, string or comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Spaces before it on its line, after another piece.
    pub(super) gap: usize,
    /// The column where it starts.
    pub(super) column: usize,
}

/// A line, or several where a piece goes over their ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Line<'t> {
    pub(super) indent: usize,
    pub(super) pieces: Vec<Piece<'t>>,
}

impl Line<'_> {
    /// What must not change.
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        // The end of a line is no part of a comment that ends there.
        self.pieces.iter().map(|piece| piece.text.trim_end().to_owned())
    }
}

/// Splits a text; nothing if a comment or string is not closed.
pub(super) fn lines(language: Language, text: &str) -> Option<Vec<Line<'_>>> {
    let mut lines = vec![Line::default()];
    let (mut position, mut column, mut spaces) = (0, 0, 0);
    while let Some(first) = text[position..].chars().next() {
        let rest = &text[position..];
        match first {
            '\n' => {
                lines.push(Line::default());
                (column, spaces) = (0, 0);
                position += 1;
                continue;
            }
            '\t' => {
                let width = 8 - column % 8;
                (column, spaces) = (column + width, spaces + width);
                position += 1;
                continue;
            }
            _ if first.is_whitespace() || first == '\u{feff}' => {
                let width = usize::from(first == ' ');
                (column, spaces) = (column + width, spaces + width);
                position += first.len_utf8();
                continue;
            }
            _ => {}
        }
        let (kind, length) = piece(language, rest)?;
        let whole = &rest[..length];
        let piece_text = if kind == Kind::Comment { whole.trim_end() } else { whole };
        let line = lines.last_mut()?;
        let is_first = line.pieces.is_empty();
        if is_first {
            line.indent = spaces;
        }
        line.pieces.push(Piece { kind, text: piece_text, gap: if is_first { 0 } else { spaces }, column });
        let last_line = whole.rsplit('\n').next().unwrap_or(whole);
        column = if whole.contains('\n') { 0 } else { column } + last_line.chars().count();
        (position, spaces) = (position + length, 0);
    }
    Some(lines)
}

/// The kind and the length of the first piece.
fn piece(language: Language, rest: &str) -> Option<(Kind, usize)> {
    let first = rest.chars().next()?;
    if let Some(length) = comment(language, rest) {
        return length.map(|length| (Kind::Comment, length));
    }
    if language == Language::Murphi && matches!(first, '"' | '\u{201c}') {
        return string(rest).map(|length| (Kind::Text, length));
    }
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let run = rest.find(|c: char| !word(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        return Some((Kind::Number, run));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        return Some((Kind::Word, run));
    }
    const SYMBOLS: [&str; 16] =
        ["==>", "<=>", "->", ":=", "..", "!=", "<>", "<=", ">=", "==", "=>", "&&", "||", "<<", ">>", "()"];
    let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
    Some((Kind::Symbol, symbol.map_or(first.len_utf8(), |symbol| symbol.len())))
}

/// The length of the comment that starts here, if one does; no length if it is not closed.
fn comment(language: Language, rest: &str) -> Option<Option<usize>> {
    match language {
        Language::Murphi if rest.starts_with("--") => Some(Some(rest.find('\n').unwrap_or(rest.len()))),
        Language::Murphi if rest.starts_with("/*") => Some(rest[2..].find("*/").map(|end| end + 4)),
        Language::Cubicle if rest.starts_with("(*") => Some(nested(rest)),
        Language::Murphi | Language::Cubicle => None,
    }
}

/// The length of a comment with the comments in it.
fn nested(rest: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        let length = if rest[at..].starts_with("(*") {
            depth += 1;
            2
        } else if rest[at..].starts_with("*)") {
            depth -= 1;
            2
        } else {
            rest[at..].chars().next()?.len_utf8()
        };
        at += length;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The length of a string, as the tokens of Murphi have it: `\"` does not end it where another quote follows on the line.
fn string(rest: &str) -> Option<usize> {
    let start = rest.chars().next()?.len_utf8();
    let line = rest[start..].split(['\n', '\r']).next()?;
    let is_quote = |c: char| matches!(c, '"' | '\u{201d}');
    let mut escaped = false;
    let plain = line.char_indices().find(|(_, c)| {
        let ends = is_quote(*c) && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    let (at, quote) = plain.or_else(|| line.char_indices().find(|(_, c)| is_quote(*c)))?;
    Some(start + at + quote.len_utf8())
}
