//! The parser: recursive descent with recovery.
//!
//! In: the text. Out: a tree of what could be read, and all errors. After an error the parser goes on behind the next
//! semicolon, or at the next keyword that starts a section or rule. Nesting is bounded, so that no text overflows the stack.

use super::token::{Token, describe, tokens};
use super::tree::{Ast, Item, Name};
use crate::diagnostics::Diagnostic;
use crate::program::Span;

/// Nesting deeper than this is refused.
const MAX_DEPTH: u32 = 200;
/// After this many errors the rest is not reported.
const MAX_ERRORS: usize = 50;

/// Reads a model.
///
/// `text` is the whole text; a byte-order mark, carriage returns and any characters in comments and strings are harmless.
/// The diagnostics are errors only; where there is none, the tree is complete.
#[must_use]
pub fn parse(text: &str) -> (Ast, Vec<Diagnostic>) {
    let mut parser = Parser { tokens: tokens(text), position: 0, depth: 0, errors: Vec::new() };
    let items = parser.items();
    (Ast { lines: line_starts(text), items }, parser.errors)
}

/// The byte at which each line starts.
fn line_starts(text: &str) -> Vec<u32> {
    let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| offset(at + 1));
    std::iter::once(0).chain(behind).collect()
}

/// The parser gave up on the construct at hand; the error is recorded.
#[derive(Debug)]
pub(super) struct Abandoned;

pub(super) type Parsed<T> = Result<T, Abandoned>;

/// The state of the parser.
pub(super) struct Parser {
    tokens: Vec<(Token, Span)>,
    position: usize,
    depth: u32,
    pub(super) errors: Vec<Diagnostic>,
}

impl Parser {
    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while *self.peek() != Token::End {
            let before = self.position;
            if self.section(&mut items).is_err() {
                self.recover();
            }
            if self.position == before {
                self.advance();
            }
        }
        items
    }

    fn section(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        if self.eat(&Token::Semicolon) {
            return Ok(());
        }
        match self.peek().clone() {
            Token::Keyword("const" | "type" | "var") => self.declarations(items),
            Token::Keyword("function" | "procedure") => {
                let function = self.function()?;
                items.push(Item::Function(function));
                Ok(())
            }
            Token::Keyword(
                "rule" | "startstate" | "invariant" | "assume" | "assert" | "cover" | "liveness" | "ruleset" | "alias"
                | "choose",
            ) => {
                let rule = self.rule_item()?;
                items.push(Item::Rule(rule));
                Ok(())
            }
            Token::Word(_) | Token::Keyword(_) => {
                Err(self.unexpected("a section (`const`, `type`, `var`), a procedure, or a rule"))
            }
            _ => Err(self.unexpected("a section or a rule")),
        }
    }

    /// Skips to a place where something new may start.
    fn recover(&mut self) {
        loop {
            match self.peek() {
                Token::End
                | Token::Keyword(
                    "const" | "type" | "var" | "function" | "procedure" | "rule" | "startstate" | "invariant"
                    | "ruleset" | "liveness" | "cover" | "assume",
                ) => return,
                Token::Semicolon => {
                    self.advance();
                    return;
                }
                _ => self.advance(),
            }
        }
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.position.min(self.tokens.len() - 1)].0
    }

    pub(super) fn peek_second(&self) -> &Token {
        &self.tokens[(self.position + 1).min(self.tokens.len() - 1)].0
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.position.min(self.tokens.len() - 1)].1
    }

    /// The place of the token that was read last.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.position.saturating_sub(1).min(self.tokens.len() - 1)].1
    }

    pub(super) fn advance(&mut self) {
        if self.position < self.tokens.len() - 1 {
            self.position += 1;
        }
    }

    pub(super) fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: &'static str) -> bool {
        self.eat(&Token::Keyword(keyword))
    }

    pub(super) fn at_keyword(&self, keywords: &[&str]) -> bool {
        matches!(self.peek(), Token::Keyword(word) if keywords.contains(word))
    }

    pub(super) fn expect(&mut self, token: &Token) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(&describe(token))) }
    }

    pub(super) fn expect_keyword(&mut self, keyword: &'static str) -> Parsed<()> {
        self.expect(&Token::Keyword(keyword))
    }

    /// `end` or one of its longer forms.
    pub(super) fn expect_end(&mut self) -> Parsed<()> {
        if let Token::Keyword(word) = self.peek()
            && word.starts_with("end")
        {
            self.advance();
            return Ok(());
        }
        Err(self.unexpected("`end`"))
    }

    pub(super) fn at_end_keyword(&self) -> bool {
        matches!(self.peek(), Token::Keyword(word) if word.starts_with("end"))
    }

    pub(super) fn name(&mut self) -> Parsed<Name> {
        let span = self.span();
        match self.peek().clone() {
            Token::Word(text) => {
                self.advance();
                Ok(Name { text, span })
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Names separated by commas.
    pub(super) fn names(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.eat(&Token::Comma) {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// A string, if one is next.
    pub(super) fn text(&mut self) -> Option<String> {
        match self.peek().clone() {
            Token::Text(text) => {
                self.advance();
                Some(text)
            }
            _ => None,
        }
    }

    /// Records that something else was expected.
    pub(super) fn unexpected(&mut self, wanted: &str) -> Abandoned {
        let found = describe(self.peek());
        let span = self.span();
        self.report(Diagnostic::error("P001", span, format!("expected {wanted}, found {found}")))
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Abandoned {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(diagnostic);
        }
        Abandoned
    }

    /// Runs a part one level deeper.
    pub(super) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.span();
            let message = format!("this is nested more than {MAX_DEPTH} levels deep");
            return Err(self.report(Diagnostic::error("P002", span, message)));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Tries a part; where it fails, or is not followed by what is wanted, nothing was read.
    pub(super) fn attempt<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>, followed_by: &Token) -> Option<T> {
        let (position, errors) = (self.position, self.errors.len());
        match part(self) {
            Ok(result) if self.peek() == followed_by => Some(result),
            Ok(_) | Err(Abandoned) => {
                self.position = position;
                self.errors.truncate(errors);
                None
            }
        }
    }

    /// Whether a part could be read before the token; nothing is read.
    pub(super) fn try_only<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>, followed_by: &Token) -> bool {
        let position = self.position;
        let fits = self.attempt(part, followed_by).is_some();
        self.position = position;
        fits
    }

    /// Skips to behind the next semicolon, or before something that ends a block.
    pub(super) fn recover_in_block(&mut self) {
        loop {
            match self.peek() {
                Token::End => return,
                Token::Semicolon => {
                    self.advance();
                    return;
                }
                Token::Keyword(word)
                    if word.starts_with("end")
                        || matches!(
                            *word,
                            "else" | "elsif" | "case" | "rule" | "startstate" | "invariant" | "ruleset"
                        ) =>
                {
                    return;
                }
                _ => self.advance(),
            }
        }
    }
}
