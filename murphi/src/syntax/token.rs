//! Splits text into tokens.
//!
//! Each token carries its place; comments and white space are dropped. Keywords are recognized regardless of case,
//! while names keep theirs. rumur's spellings `==`, `&&`, `||`, its bitwise operators and the mathematical symbols are
//! accepted as well.

use logos::Logos;

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
#[derive(Logos, Clone, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\x0b\u{feff}]+")]
#[logos(skip r"--[^\n]*")]
#[logos(extras = Strings)]
pub(super) enum Token {
    /// An unclosed comment; closed comments are not tokens.
    #[token("/*", comment)]
    OpenComment,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", |lexer| lexer.slice().to_owned())]
    #[token("∀", |lexer| lexer.slice().to_owned())]
    #[token("∃", |lexer| lexer.slice().to_owned())]
    Word(String),
    /// A number, or `None` if it is too large.
    #[regex(r"[0-9]+", |lexer| lexer.slice().parse::<i64>().ok())]
    #[regex(r"0[xX][0-9A-Fa-f]+", |lexer| i64::from_str_radix(&lexer.slice()[2..], 16).ok())]
    Integer(Option<i64>),
    /// A number with a fraction, of one of CMurphi's `real` types.
    #[regex(r"[0-9]+\.[0-9]+")]
    Real,
    /// The text between the quotes, exactly as written, or `None` if the string does not end on its line.
    #[token("\"", text)]
    #[token("“", text)]
    Text(Option<String>),
    #[token("==>")]
    #[token("⇒")]
    Arrow,
    #[token("->")]
    #[token("→")]
    Implies,
    #[token(":=")]
    #[token("≔")]
    Assign,
    #[token("..")]
    Dots,
    #[token("!=")]
    #[token("≠")]
    Unequal,
    #[token("<=")]
    #[token("≤")]
    LessEqual,
    #[token(">=")]
    #[token("≥")]
    GreaterEqual,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("!")]
    #[token("¬")]
    Not,
    #[token("&")]
    And,
    #[token("&&")]
    #[token("∧")]
    LooseAnd,
    #[token("|")]
    Or,
    #[token("||")]
    #[token("∨")]
    LooseOr,
    #[token("+")]
    Plus,
    #[token("-")]
    #[token("−")]
    Minus,
    #[token("*")]
    #[token("×")]
    Star,
    #[token("/")]
    #[token("÷")]
    #[token("∕")]
    Slash,
    #[token("%")]
    Percent,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    /// What other languages write for implication or behind a guard.
    #[token("=>")]
    ForeignArrow,
    /// What other languages write for an inequality.
    #[token("<>")]
    ForeignUnequal,
    /// A comment of another language, up to the end of its line.
    #[regex(r"//[^\n]*")]
    ForeignComment,
    /// Returns the keyword that a word spells, in lower case.
    Keyword(&'static str),
    /// A character that starts no token.
    Unknown(char),
    /// The end of the text.
    End,
}

/// Skips past the end of the comment; an unclosed comment extends to the end of the text.
fn comment(lexer: &mut logos::Lexer<'_, Token>) -> logos::Filter<()> {
    let rest = lexer.remainder();
    match rest.find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            logos::Filter::Skip
        }
        None => {
            lexer.bump(rest.len());
            logos::Filter::Emit(())
        }
    }
}

/// Takes the string up to its end.
///
/// Typographic quotes count as quotes, as in rumur. `\"` does not end the string if another quote follows on the line,
/// as in rumur; otherwise it does, as in CMurphi.
fn text(lexer: &mut logos::Lexer<'_, Token>) -> Option<String> {
    let rest = lexer.remainder();
    let line = match lexer.extras {
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
    let text = end.map(|(at, _)| line[..at].replace("\r\n", " ").replace(['\n', '\r'], " "));
    lexer.bump(end.map_or(line.len(), |(at, quote)| at + quote.len_utf8()));
    text
}

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
    let mut found: Vec<(Token, Span)> = Token::lexer_with_extras(text, strings)
        .spanned()
        .map(|(token, range)| {
            let span = Span { start: offset(range.start), end: offset(range.end) };
            let unknown = || Token::Unknown(text[range.clone()].chars().next().unwrap_or(' '));
            (token.map_or_else(|()| unknown(), keyword), span)
        })
        .collect();
    let end = offset(text.len());
    found.push((Token::End, Span { start: end, end }));
    found
}

fn keyword(token: Token) -> Token {
    match token {
        Token::Word(text) => match text.as_str() {
            "∀" => Token::Keyword("forall"),
            "∃" => Token::Keyword("exists"),
            _ => word(text),
        },
        other => other,
    }
}

/// Returns the token of a word: a keyword, if it is one.
pub(super) fn word(text: String) -> Token {
    match KEYWORDS.binary_search(&text.to_ascii_lowercase().as_str()) {
        Ok(position) => Token::Keyword(KEYWORDS[position]),
        Err(_) => Token::Word(text),
    }
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
    match token {
        Token::Arrow => "==>",
        Token::Implies => "->",
        Token::Assign => ":=",
        Token::Dots => "..",
        Token::Unequal => "!=",
        Token::LessEqual => "<=",
        Token::GreaterEqual => ">=",
        Token::Equal => "=",
        Token::Less => "<",
        Token::Greater => ">",
        Token::Not => "!",
        Token::And => "&",
        Token::LooseAnd => "&&",
        Token::Or => "|",
        Token::LooseOr => "||",
        Token::Plus => "+",
        Token::Minus => "-",
        Token::Star => "*",
        Token::Slash => "/",
        Token::Percent => "%",
        Token::Caret => "^",
        Token::Tilde => "~",
        Token::ShiftLeft => "<<",
        Token::ShiftRight => ">>",
        Token::Question => "?",
        Token::Colon => ":",
        Token::Semicolon => ";",
        Token::Comma => ",",
        Token::Dot => ".",
        Token::Open => "(",
        Token::Close => ")",
        Token::OpenBracket => "[",
        Token::CloseBracket => "]",
        Token::OpenBrace => "{",
        Token::CloseBrace => "}",
        Token::ForeignArrow => "=>",
        Token::ForeignUnequal => "<>",
        Token::ForeignComment => "//",
        Token::Word(_)
        | Token::Integer(_)
        | Token::Real
        | Token::Text(_)
        | Token::Keyword(_)
        | Token::OpenComment
        | Token::Unknown(_)
        | Token::End => "",
    }
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
