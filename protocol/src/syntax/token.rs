//! Tokens.
//!
//! In: the text. Out: tokens with their places; comments and white space are gone. Keywords are recognized whatever their
//! case, and names keep theirs.

use logos::Logos;

use crate::program::Span;

/// A token without its place.
#[derive(Logos, Clone, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\x0b\u{feff}]+")]
#[logos(skip r"--[^\n]*")]
pub(super) enum Token {
    /// A comment that may span lines; never delivered where it is closed.
    #[token("/*", comment)]
    OpenComment,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", |lexer| lexer.slice().to_owned())]
    Word(String),
    #[regex(r"[0-9]+", |lexer| lexer.slice().parse::<i64>().ok())]
    Integer(i64),
    #[regex(r#""([^"\\\n]|\\[^\n])*""#, |lexer| unquote(lexer.slice()))]
    Text(String),
    #[token("==>")]
    Arrow,
    #[token("->")]
    Implies,
    #[token(":=")]
    Assign,
    #[token("..")]
    Dots,
    #[token("!=")]
    Unequal,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("=")]
    Equal,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("!")]
    Not,
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
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
    /// A keyword, in lower case; made from a word.
    Keyword(&'static str),
    /// Something that is no token.
    Unknown,
    /// The end of the text.
    End,
}

/// Skips to behind the end of the comment; a comment that is not closed is an error.
fn comment(lexer: &mut logos::Lexer<'_, Token>) -> logos::FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            logos::FilterResult::Skip
        }
        None => logos::FilterResult::Error(()),
    }
}

/// The text between the quotes, as it is written.
fn unquote(slice: &str) -> String {
    slice[1..slice.len() - 1].to_owned()
}

/// All keywords, sorted.
const KEYWORDS: &[&str] = &[
    "alias",
    "array",
    "assert",
    "assume",
    "begin",
    "by",
    "case",
    "choose",
    "clear",
    "const",
    "cover",
    "do",
    "else",
    "elsif",
    "end",
    "endalias",
    "endassert",
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
    "liveness",
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

/// Splits the text; the last token is [`Token::End`].
pub(super) fn tokens(text: &str) -> Vec<(Token, Span)> {
    let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    let mut found: Vec<(Token, Span)> = Token::lexer(text)
        .spanned()
        .map(|(token, range)| {
            let span = Span { start: offset(range.start), end: offset(range.end) };
            (token.map_or(Token::Unknown, keyword), span)
        })
        .collect();
    let end = offset(text.len());
    found.push((Token::End, Span { start: end, end }));
    found
}

fn keyword(token: Token) -> Token {
    if let Token::Word(word) = &token {
        let lower = word.to_ascii_lowercase();
        if let Ok(position) = KEYWORDS.binary_search(&lower.as_str()) {
            return Token::Keyword(KEYWORDS[position]);
        }
    }
    token
}

/// How a token is called in a message.
pub(super) fn describe(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Integer(number) => format!("`{number}`"),
        Token::Text(_) => "a string".to_owned(),
        Token::Keyword(word) => format!("`{word}`"),
        Token::Unknown => "a character that Murphi does not know".to_owned(),
        Token::End => "the end of the file".to_owned(),
        symbol => format!("`{}`", symbol_text(symbol)),
    }
}

fn symbol_text(token: &Token) -> &'static str {
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
        Token::Or => "|",
        Token::Plus => "+",
        Token::Minus => "-",
        Token::Star => "*",
        Token::Slash => "/",
        Token::Percent => "%",
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
        Token::Word(_)
        | Token::Integer(_)
        | Token::Text(_)
        | Token::Keyword(_)
        | Token::OpenComment
        | Token::Unknown
        | Token::End => "",
    }
}
