//! Splits text into tokens.
//!
//! Comments may be nested, and are dropped together with white space. Names that start with a capital letter denote
//! variables and values; the others denote processes, types and predicates.

use system::front_end::Span;

use crate::fault::Fault;

/// A token without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// One of [`KEYWORDS`].
    Keyword(&'static str),
    /// A name that starts with a small letter.
    Lower(String),
    /// A name that starts with a capital letter.
    Upper(String),
    /// A process constant `#1`, `#2`, and so on.
    Process(u32),
    /// Digits, perhaps with a fraction.
    Number(String),
    /// One of [`SYMBOLS`].
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// Things with their places.
type Placed<T> = Vec<(T, Span)>;

/// Words that cannot be names.
pub const KEYWORDS: [&str; 24] = [
    "type",
    "init",
    "transition",
    "invariant",
    "requires",
    "array",
    "var",
    "const",
    "unsafe",
    "case",
    "forall_other",
    "exists_other",
    "forall",
    "exists",
    "predicate",
    "if",
    "then",
    "else",
    "not",
    "true",
    "false",
    "number_procs",
    "let",
    "in",
];

/// All symbols. Longer ones come before their prefixes.
const SYMBOLS: [&str; 27] = [
    "<=>", "<=", "<>", ">=", "=>", ":=", "||", "&&", "(", ")", "[", "]", "{", "}", ".", "?", "+", "-", "*", ":", "=",
    "<", ">", "|", ",", ";", "_",
];

/// What other languages write, with the symbol that it means, if it is one, and what is written here.
const FOREIGN: [(&str, Option<&str>, &str); 8] = [
    ("/\\", Some("&&"), "conjunction is written `&&`"),
    ("\\/", Some("||"), "disjunction is written `||`"),
    ("!=", Some("<>"), "inequality is written `<>`"),
    ("==", Some("="), "equality is written `=`"),
    ("//", None, "a comment begins with `(*` and ends with `*)`"),
    ("--", None, "a comment begins with `(*` and ends with `*)`"),
    ("!", None, "negation is written `not`"),
    ("&", Some("&&"), "conjunction is written `&&`"),
];

/// Returns the tokens with their places, ending with [`Token::End`], and what is no token.
pub(super) fn tokens(text: &str) -> (Placed<Token>, Placed<Fault>) {
    let mut lexer = Lexer { text, position: 0, tokens: Vec::new(), faults: Vec::new() };
    while lexer.position < text.len() {
        lexer.next();
    }
    let end = lexer.span(text.len());
    lexer.tokens.push((Token::End, end));
    (lexer.tokens, lexer.faults)
}

/// Returns a token as messages show it.
pub(super) fn describe(token: &Token) -> String {
    match token {
        Token::Keyword(text) | Token::Symbol(text) => format!("`{text}`"),
        Token::Lower(text) | Token::Upper(text) | Token::Number(text) => format!("`{text}`"),
        Token::Process(number) => format!("`#{number}`"),
        Token::End => "the end of the text".to_owned(),
    }
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    tokens: Placed<Token>,
    faults: Placed<Fault>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    /// Returns the place from a position up to the current one.
    fn span(&self, start: usize) -> Span {
        let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        Span { start: offset(start), end: offset(self.position) }
    }

    fn next(&mut self) {
        let start = self.position;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if is_blank(first) {
            self.skip(is_blank);
        } else if rest.starts_with("(*") {
            self.comment();
        } else if first.is_ascii_alphabetic() {
            let token = self.word();
            self.push(token, start);
        } else if first.is_ascii_digit() {
            self.number();
            let number = self.text[start..self.position].to_owned();
            self.push(Token::Number(number), start);
        } else if first == '#' {
            self.process(start);
        } else if let Some((found, meant, written)) = self.foreign() {
            self.position += found.len();
            self.fault(Fault::Foreign { found, written }, start);
            match meant.and_then(|meant| SYMBOLS.into_iter().find(|symbol| *symbol == meant)) {
                Some(symbol) => self.push(Token::Symbol(symbol), start),
                None if found == "!" => self.push(Token::Keyword("not"), start),
                None => self.skip(|character| character != '\n'),
            }
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.position += symbol.len();
            self.push(Token::Symbol(symbol), start);
        } else {
            self.position += first.len_utf8();
            self.fault(Fault::UnknownCharacter { character: first }, start);
        }
    }

    fn foreign(&self) -> Option<(&'static str, Option<&'static str>, &'static str)> {
        let rest = self.rest();
        FOREIGN.into_iter().find(|(found, ..)| rest.starts_with(found) && !rest.starts_with("&&"))
    }

    fn push(&mut self, token: Token, start: usize) {
        let span = self.span(start);
        self.tokens.push((token, span));
    }

    fn fault(&mut self, fault: Fault, start: usize) {
        let span = self.span(start);
        self.faults.push((fault, span));
    }

    /// Skips a comment with the comments inside it.
    fn comment(&mut self) {
        let start = self.position;
        let mut depth = 0_usize;
        loop {
            if self.rest().starts_with("(*") {
                depth += 1;
                self.position += 2;
            } else if self.rest().starts_with("*)") {
                depth -= 1;
                self.position += 2;
                if depth == 0 {
                    return;
                }
            } else if let Some(character) = self.rest().chars().next() {
                self.position += character.len_utf8();
            } else {
                self.faults.push((Fault::OpenComment, Span { end: self.span(start).start + 2, ..self.span(start) }));
                return;
            }
        }
    }

    fn skip(&mut self, belongs: impl Fn(char) -> bool) {
        let length = self.rest().find(|character| !belongs(character)).unwrap_or(self.rest().len());
        self.position += length;
    }

    fn word(&mut self) -> Token {
        let start = self.position;
        self.skip(|character| character.is_ascii_alphanumeric() || character == '_');
        let word = &self.text[start..self.position];
        if let Some(keyword) = KEYWORDS.iter().find(|keyword| **keyword == word) {
            return Token::Keyword(keyword);
        }
        if word.starts_with(|first: char| first.is_ascii_uppercase()) {
            Token::Upper(word.to_owned())
        } else {
            Token::Lower(word.to_owned())
        }
    }

    fn number(&mut self) {
        self.skip(|character| character.is_ascii_digit());
        if self.rest().starts_with('.') && self.rest()[1..].starts_with(|next: char| next.is_ascii_digit()) {
            self.position += 1;
            self.skip(|character| character.is_ascii_digit());
        }
    }

    fn process(&mut self, start: usize) {
        self.position += 1;
        self.skip(|character| character.is_ascii_digit());
        match self.text[start + 1..self.position].parse::<u32>() {
            Ok(number) if number > 0 => self.push(Token::Process(number), start),
            Ok(_) | Err(_) => self.fault(Fault::BadProcess, start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let (tokens, faults) = tokens(text);
        let tokens: Vec<String> = tokens.iter().map(|(token, _)| describe(token)).collect();
        let faults: Vec<String> = faults.iter().map(|(fault, span)| format!("{} {fault}", span.start)).collect();
        [tokens.join(" "), faults.join("; ")].join(" ! ")
    }

    #[test]
    fn comments_nest_and_longer_symbols_come_first() {
        assert_eq!(shown("a(* b (* c *) d *)<=>#2"), "`a` `<=>` `#2` the end of the text ! ");
        assert_eq!(shown("X[i]:=."), "`X` `[` `i` `]` `:=` `.` the end of the text ! ");
        assert_eq!(shown("1.0 -2"), "`1.0` `-` `2` the end of the text ! ");
    }

    #[test]
    fn what_is_no_token_is_a_fault_with_its_place() {
        assert_eq!(
            shown("a $ (* b"),
            "`a` the end of the text ! 2 the character `$` is not part of the language; 4 this comment is not closed"
        );
        assert_eq!(shown("#0"), "the end of the text ! 0 a process constant is `#` and a number from 1 on");
    }
}
