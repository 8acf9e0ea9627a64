//! Offsets in a text, and positions as the protocol has them: lines from 0, and columns in units of UTF-16.

use lsp_types::{Position, Range};
use system::front_end::Span;

/// The lines of a text.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { starts: std::iter::once(0).chain(starts).collect() }
    }

    pub(crate) fn range(&self, text: &str, span: Span) -> Range {
        let range = span.within(text);
        Range { start: self.position(text, range.start), end: self.position(text, range.end) }
    }

    fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let character = text[self.starts[line]..offset].encode_utf16().count();
        Position { line: number(line), character: number(character) }
    }

    /// The offset of a position. What is behind the end of a line is at its end.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(start) = self.starts.get(line).copied() else { return text.len() };
        let end = self.starts.get(line + 1).map_or(text.len(), |next| next - 1);
        let mut left = usize::try_from(position.character).unwrap_or(usize::MAX);
        for (at, character) in text[start..end].char_indices() {
            if left < character.len_utf16() {
                return start + at;
            }
            left -= character.len_utf16();
        }
        end
    }

    /// All of a line, given from 1.
    pub(crate) fn line(&self, text: &str, line: u32) -> Range {
        let line = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1).min(self.starts.len() - 1);
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(text.len(), |next| next - 1);
        let indent = text[start..end].len() - text[start..end].trim_start().len();
        let end = start + text[start..end].trim_end().len();
        Range { start: self.position(text, (start + indent).min(end)), end: self.position(text, end) }
    }
}

pub(crate) fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf_16() {
        let text = "a\u{1d11e}b\r\n  \u{e9}x  \n";
        let lines = Lines::new(text);
        for (offset, line, character) in [(0, 0, 0), (1, 0, 1), (5, 0, 3), (6, 0, 4), (8, 1, 0), (12, 1, 3)] {
            let position = Position { line, character };
            assert_eq!(lines.position(text, offset), position);
            assert_eq!(lines.offset(text, position), offset);
        }
        assert_eq!(lines.offset(text, Position { line: 0, character: 2 }), 1);
        assert_eq!(lines.offset(text, Position { line: 1, character: 99 }), 15);
        assert_eq!(lines.offset(text, Position { line: 9, character: 0 }), text.len());
        let line = lines.line(text, 2);
        assert_eq!((line.start.character, line.end.character), (2, 4));
    }
}
