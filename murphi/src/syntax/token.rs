//! Splits text into tokens.
//!
//! Each token carries its place; comments and white space are dropped. Keywords are recognized regardless of case,
//! while names keep theirs. rumur's spellings `==`, `&&`, `||`, its bitwise operators and the mathematical symbols are
//! accepted as well.

use crate::program::Span;

/// Where strings may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Strings {
    /// On the line where they start.
    #[default]
    OnOneLine,
    /// At the next quote on any line, as in rumur; line ends count as spaces.
    OverLines,
}

/// A token without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An unclosed comment; closed comments are not tokens.
    OpenComment,
    Word(String),
    /// A number, or `None` if it is too large.
    Integer(Option<i64>),
    /// A number with a fraction, of one of CMurphi's `real` types.
    Real,
    /// The text between the quotes, exactly as written, or `None` if the string does not end on its line.
    Text(Option<String>),
    Arrow,
    Implies,
    Assign,
    Dots,
    Unequal,
    LessEqual,
    GreaterEqual,
    Equal,
    Less,
    Greater,
    Not,
    And,
    LooseAnd,
    Or,
    LooseOr,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Caret,
    Tilde,
    ShiftLeft,
    ShiftRight,
    Question,
    Colon,
    Semicolon,
    Comma,
    Dot,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    /// A keyword, in lower case.
    Keyword(&'static str),
    /// A character that starts no token.
    Unknown(char),
    /// The end of the text.
    End,
}

/// The spellings of all symbols. The usual spelling of a symbol comes before its other ones.
const SYMBOLS: &[(&str, Token)] = &[
    ("==>", Token::Arrow),
    ("⇒", Token::Arrow),
    ("->", Token::Implies),
    ("→", Token::Implies),
    (":=", Token::Assign),
    ("≔", Token::Assign),
    ("..", Token::Dots),
    ("!=", Token::Unequal),
    ("≠", Token::Unequal),
    ("<=", Token::LessEqual),
    ("≤", Token::LessEqual),
    (">=", Token::GreaterEqual),
    ("≥", Token::GreaterEqual),
    ("=", Token::Equal),
    ("==", Token::Equal),
    ("<", Token::Less),
    (">", Token::Greater),
    ("!", Token::Not),
    ("¬", Token::Not),
    ("&", Token::And),
    ("&&", Token::LooseAnd),
    ("∧", Token::LooseAnd),
    ("|", Token::Or),
    ("||", Token::LooseOr),
    ("∨", Token::LooseOr),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("−", Token::Minus),
    ("*", Token::Star),
    ("×", Token::Star),
    ("/", Token::Slash),
    ("÷", Token::Slash),
    ("∕", Token::Slash),
    ("%", Token::Percent),
    ("^", Token::Caret),
    ("~", Token::Tilde),
    ("<<", Token::ShiftLeft),
    (">>", Token::ShiftRight),
    ("?", Token::Question),
    (":", Token::Colon),
    (";", Token::Semicolon),
    (",", Token::Comma),
    (".", Token::Dot),
    ("(", Token::Open),
    (")", Token::Close),
    ("[", Token::OpenBracket),
    ("]", Token::CloseBracket),
    ("{", Token::OpenBrace),
    ("}", Token::CloseBrace),
    ("∀", Token::Keyword("forall")),
    ("∃", Token::Keyword("exists")),
];

/// All keywords, in lower case and sorted.
pub const KEYWORDS: &[&str] = &[
    "alias",
    "array",
    "assert",
    "begin",
    "by",
    "case",
    "choose",
    "clear",
    "const",
    "do",
    "else",
    "elsif",
    "end",
    "endalias",
    "endchoose",
    "endexists",
    "endfor",
    "endforall",
    "endfunction",
    "endif",
    "endprocedure",
    "endrecord",
    "endrule",
    "endruleset",
    "endstartstate",
    "endswitch",
    "endwhile",
    "enum",
    "error",
    "exists",
    "for",
    "forall",
    "function",
    "if",
    "invariant",
    "ismember",
    "isundefined",
    "multiset",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "of",
    "procedure",
    "put",
    "record",
    "return",
    "rule",
    "ruleset",
    "scalarset",
    "startstate",
    "switch",
    "then",
    "to",
    "type",
    "undefine",
    "undefined",
    "union",
    "var",
    "while",
];

/// Splits the text into tokens; the last one is [`Token::End`].
pub(super) fn tokens(text: &str, strings: Strings) -> Vec<(Token, Span)> {
    let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    let mut lexer = Lexer { text, position: 0, strings };
    let mut found = Vec::new();
    while lexer.position < text.len() {
        let start = lexer.position;
        if let Some(token) = lexer.next() {
            found.push((token, Span { start: offset(start), end: offset(lexer.position) }));
        }
    }
    let end = offset(text.len());
    found.push((Token::End, Span { start: end, end }));
    found
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    strings: Strings,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    /// Takes this many bytes.
    fn take(&mut self, length: usize) -> &'t str {
        let taken = &self.rest()[..length];
        self.position += length;
        taken
    }

    /// Takes the characters from here on that are of a kind, after this many bytes.
    fn take_while(&mut self, skipped: usize, is_of_kind: impl Fn(char) -> bool) -> &'t str {
        let rest = &self.rest()[skipped..];
        self.take(skipped + rest.find(|character| !is_of_kind(character)).unwrap_or(rest.len()))
    }

    /// Takes a token, or what is between tokens.
    fn next(&mut self) -> Option<Token> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        let space = |character| matches!(character, ' ' | '\t' | '\r' | '\n' | '\u{c}' | '\u{b}' | '\u{feff}');
        if space(first) {
            self.take_while(0, space);
            None
        } else if rest.starts_with("--") {
            self.take_while(0, |character| character != '\n');
            None
        } else if rest.starts_with("/*") {
            self.comment()
        } else if first.is_ascii_alphabetic() || first == '_' {
            let word = self.take_while(0, |character| character.is_ascii_alphanumeric() || character == '_');
            Some(keyword(word).map_or_else(|| Token::Word(word.to_owned()), Token::Keyword))
        } else if first.is_ascii_digit() {
            Some(self.number())
        } else if matches!(first, '"' | '“') {
            self.take(first.len_utf8());
            Some(Token::Text(self.string()))
        } else {
            let spelled = SYMBOLS.iter().filter(|(symbol, _)| rest.starts_with(symbol));
            let symbol = spelled.max_by_key(|(symbol, _)| symbol.len());
            self.take(symbol.map_or(first.len_utf8(), |(symbol, _)| symbol.len()));
            Some(symbol.map_or(Token::Unknown(first), |(_, token)| token.clone()))
        }
    }

    /// Takes a comment; one that is not closed extends to the end of the text.
    fn comment(&mut self) -> Option<Token> {
        let end = self.rest()[2..].find("*/");
        self.take(end.map_or(self.rest().len(), |end| end + 4));
        end.is_none().then_some(Token::OpenComment)
    }

    fn number(&mut self) -> Token {
        let rest = self.rest();
        let (hexadecimal, digit) = (|c: char| c.is_ascii_hexdigit(), |c: char| c.is_ascii_digit());
        if (rest.starts_with("0x") || rest.starts_with("0X")) && rest[2..].starts_with(hexadecimal) {
            return Token::Integer(i64::from_str_radix(&self.take_while(2, hexadecimal)[2..], 16).ok());
        }
        let number = self.take_while(0, digit);
        match self.rest().strip_prefix('.') {
            Some(fraction) if fraction.starts_with(digit) => {
                self.take_while(1, digit);
                Token::Real
            }
            Some(_) | None => Token::Integer(number.parse().ok()),
        }
    }

    /// Takes the string behind a quote up to its end.
    ///
    /// Typographic quotes count as quotes, as in rumur. `\"` does not end the string if another quote follows on the line,
    /// as in rumur; otherwise it does, as in CMurphi.
    fn string(&mut self) -> Option<String> {
        let rest = self.rest();
        let line = match self.strings {
            Strings::OnOneLine => rest.split(['\n', '\r']).next().unwrap_or(rest),
            Strings::OverLines => rest,
        };
        let mut escaped = false;
        let end = line.char_indices().find(|(_, character)| {
            let ends = matches!(character, '"' | '”') && !escaped;
            escaped = *character == '\\' && !escaped;
            ends
        });
        let end = end.or_else(|| line.char_indices().find(|(_, character)| matches!(character, '"' | '”')));
        self.take(end.map_or(line.len(), |(at, quote)| at + quote.len_utf8()));
        end.map(|(at, _)| line[..at].replace("\r\n", " ").replace(['\n', '\r'], " "))
    }
}

/// Returns the keyword that a word spells, in lower case.
fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.binary_search(&word.to_ascii_lowercase().as_str()).ok().map(|position| KEYWORDS[position])
}

/// Returns the token's name in messages.
pub(super) fn describe(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Integer(Some(number)) => format!("`{number}`"),
        Token::Integer(None) | Token::Real => "a number".to_owned(),
        Token::Text(_) => "a string".to_owned(),
        Token::Keyword(word) => format!("`{word}`"),
        Token::Unknown(character) => format!("the character `{character}`"),
        Token::OpenComment => "an unclosed comment".to_owned(),
        Token::End => "the end of the file".to_owned(),
        symbol => format!("`{}`", symbol_text(symbol)),
    }
}

/// Returns the usual spelling of a symbol.
pub(super) fn symbol_text(token: &Token) -> &'static str {
    SYMBOLS.iter().find(|(_, symbol)| symbol == token).map_or("", |(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token> {
        tokens(text, Strings::OnOneLine).into_iter().map(|(token, _)| token).collect()
    }

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn a_backslash_before_a_quote_ends_a_string_only_where_none_follows() {
        assert_eq!(kinds(r#""a\" "#), [Token::Text(Some("a\\".into())), Token::End]);
        assert_eq!(kinds(r#""a\"b""#), [Token::Text(Some("a\\\"b".into())), Token::End]);
        assert_eq!(kinds("\"a\nb"), [Token::Text(None), Token::Word("b".into()), Token::End]);
    }

    #[test]
    fn a_string_over_lines_has_spaces_for_the_ends_of_lines() {
        let over_lines =
            |text| tokens(text, Strings::OverLines).into_iter().map(|(token, _)| token).collect::<Vec<_>>();
        assert_eq!(
            over_lines("\"a\r\nb\nc\" d"),
            [Token::Text(Some("a b c".into())), Token::Word("d".into()), Token::End]
        );
        assert_eq!(over_lines("\"a\nb"), [Token::Text(None), Token::End]);
    }

    #[test]
    fn comments_and_marks_are_no_tokens() {
        assert_eq!(kinds("\u{feff}a--é \"\r\n/* ö ** /* */b"), kinds("a b"));
        assert_eq!(kinds("a /* b"), [Token::Word("a".into()), Token::OpenComment, Token::End]);
    }

    #[test]
    fn ranges_are_no_fractions() {
        let numbers = [Token::Integer(Some(1)), Token::Dots, Token::Integer(Some(2)), Token::End];
        assert_eq!(kinds("1..2"), numbers);
        assert_eq!(kinds("0x1..0X2"), numbers);
        assert_eq!(kinds("1.5 99999999999999999999"), [Token::Real, Token::Integer(None), Token::End]);
    }
}
