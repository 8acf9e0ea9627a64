//! The parser: recursive descent with error recovery.
//!
//! It returns a tree of everything it could read, together with all errors. After an error it resumes after the next
//! semicolon, or at the next keyword that starts a section or rule. Nesting is bounded, so that no text overflows the
//! stack, neither here nor in later passes over the tree.

use std::collections::BTreeSet;

use system::similar::{closest_name, did_you_mean};

use super::fault::SyntaxFault;
use super::foreign;
use super::token::{Strings, Token, describe, tokens, word};
use super::tree::{Ast, Item, Name};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::Span;

/// The deepest nesting that is accepted.
pub const MAX_DEPTH: u32 = 128;
/// Errors beyond this number are not reported.
const MAX_ERRORS: usize = 50;
/// Words that start an item of a model.
const ITEMS: [&str; 13] = [
    "const",
    "type",
    "var",
    "function",
    "procedure",
    "rule",
    "ruleset",
    "startstate",
    "invariant",
    "assume",
    "cover",
    "liveness",
    "alias",
];

/// Parses a model.
///
/// Byte-order marks, carriage returns, and arbitrary characters in comments and strings are accepted.
/// The diagnostics are all errors; if there are none, the tree is complete.
#[must_use]
pub fn parse(text: &str) -> (Ast, Vec<Diagnostic>) {
    let read = read(text, Strings::OnOneLine);
    // A string may span lines, but errors are clearest if strings are taken to end on their line.
    if read.1.iter().any(|error| error.code == Code::OpenText.text()) {
        let (ast, errors) = self::read(text, Strings::OverLines);
        if errors.is_empty() {
            return (ast, errors);
        }
    }
    read
}

fn read(text: &str, strings: Strings) -> (Ast, Vec<Diagnostic>) {
    let mut parser = Parser::new(tokens(text, strings));
    parser.check_tokens();
    let items = parser.items();
    parser.errors.sort_by_key(|error| error.labels.first().map(|label| label.span.start));
    (Ast { lines: line_starts(text), items }, parser.errors)
}

/// Returns the byte offset at which each line starts.
fn line_starts(text: &str) -> Vec<u32> {
    let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| offset(at + 1));
    std::iter::once(0).chain(behind).collect()
}

/// The parser gave up on the current construct; the error is already recorded.
#[derive(Debug)]
pub(super) struct Abandoned;

pub(super) type Parsed<T> = Result<T, Abandoned>;

/// A position, the number of errors recorded before it, and the place of the last one.
pub(super) type Mark = (usize, usize, Option<usize>);

/// The parser's state.
pub(super) struct Parser {
    tokens: Vec<(Token, Span)>,
    position: usize,
    depth: u32,
    errors: Vec<Diagnostic>,
    /// The place of the last error; each place gets only one.
    last_error: Option<usize>,
    /// The last `else if`, which opens a block where the author may have meant none.
    pub(super) else_if: Option<Span>,
    /// The names of all functions and procedures.
    pub(super) procedures: BTreeSet<String>,
}

impl Parser {
    fn new(tokens: Vec<(Token, Span)>) -> Self {
        let procedures = tokens
            .windows(2)
            .filter_map(|pair| match (&pair[0].0, &pair[1].0) {
                (Token::Keyword("procedure" | "function"), Token::Word(name)) => Some(name.clone()),
                _ => None,
            })
            .collect();
        Self { tokens, position: 0, depth: 0, errors: Vec::new(), last_error: None, else_if: None, procedures }
    }

    /// Reports invalid tokens, once each, and removes them.
    fn check_tokens(&mut self) {
        let mut faults = foreign::replace(&mut self.tokens, &self.procedures);
        for (token, span) in &mut self.tokens {
            let fault = match token {
                Token::OpenComment => SyntaxFault::OpenComment,
                Token::Unknown(character) => SyntaxFault::UnknownCharacter { character: *character },
                Token::Real => SyntaxFault::Unsupported { what: "numbers with a fraction" },
                Token::Integer(None) => SyntaxFault::NumberTooLarge,
                Token::Text(None) => SyntaxFault::OpenText,
                _ => continue,
            };
            match fault {
                SyntaxFault::NumberTooLarge | SyntaxFault::Unsupported { what: "numbers with a fraction" } => {
                    *token = Token::Integer(Some(0));
                }
                SyntaxFault::OpenText => *token = Token::Text(Some(String::new())),
                _ => {}
            }
            faults.push((fault, *span));
        }
        self.tokens.retain(|(token, _)| !matches!(token, Token::OpenComment | Token::Unknown(_)));
        self.errors.extend(faults.iter().take(MAX_ERRORS).map(|(fault, span)| fault.at(*span)));
    }

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
            Token::Keyword("const" | "type" | "var") => {
                self.declarations(items, true);
                Ok(())
            }
            Token::Keyword("function" | "procedure") => {
                let function = self.function()?;
                items.push(Item::Function(function));
                Ok(())
            }
            Token::Keyword(word) if word.starts_with("end") => {
                let span = self.span();
                self.advance();
                Err(self.report(&SyntaxFault::StrayEnd { word }, span))
            }
            Token::Word(word) if matches!(word.as_str(), "externfun" | "externproc" | "pctl") => {
                let what = if word == "pctl" { "PCTL formulas" } else { "external functions" };
                let span = self.span();
                self.advance();
                Err(self.report(&SyntaxFault::Unsupported { what }, span))
            }
            _ if self.at_rule() => {
                let rule = self.rule_item()?;
                items.push(Item::Rule(rule));
                Ok(())
            }
            _ => self.misspelled("a section (`const`, `type`, `var`), a procedure, or a rule"),
        }
    }

    /// Records that an item was expected. A word that is misspelled is read as the one that was probably meant.
    pub(super) fn misspelled(&mut self, wanted: &str) -> Parsed<()> {
        let meant = self.item_meant();
        let known = self.errors.len();
        let abandoned = self.unexpected(wanted);
        let Some(meant) = meant else { return Err(abandoned) };
        if let Some(error) = self.errors.get_mut(known) {
            error.help = Some(did_you_mean(meant));
        }
        self.tokens[self.position].0 = word(meant.to_owned());
        Ok(())
    }

    /// The word that starts an item and is meant by the next one, which is something else.
    pub(super) fn item_meant(&self) -> Option<&'static str> {
        match self.peek() {
            Token::Word(own) if !self.at_rule() => closest_name(own, ITEMS.into_iter()),
            _ => None,
        }
    }

    /// Skips to a place where a new item may start.
    pub(super) fn recover(&mut self) {
        loop {
            match self.peek() {
                Token::End
                | Token::Keyword(
                    "const" | "type" | "var" | "function" | "procedure" | "rule" | "startstate" | "invariant"
                    | "ruleset",
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

    /// Returns the place of the token read last.
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

    /// Expects `do`; CMurphi also accepts a colon.
    pub(super) fn expect_do(&mut self) -> Parsed<()> {
        if self.eat(&Token::Colon) { Ok(()) } else { self.expect_keyword("do") }
    }

    /// Expects `end` or one of its longer forms, closing the block that `keyword` opened.
    pub(super) fn expect_end(&mut self, block: &'static str, start: Span) -> Parsed<()> {
        if self.at_end_keyword() {
            self.advance();
            return Ok(());
        }
        let fault = SyntaxFault::OpenBlock { block, found: describe(self.peek()) };
        let found = self.span();
        let length = u32::try_from(block.len()).unwrap_or(0);
        let place = Span { start: start.start, end: start.start + length };
        let diagnostic = fault.at(place).with_label(found, "an `end` is missing before this");
        let else_if = self.else_if.filter(|own| start.start < own.start && own.start < found.start);
        let diagnostic = match else_if {
            None => diagnostic,
            Some(own) => diagnostic
                .with_label(own, "this opens another `if`, which needs an `end` of its own")
                .with_help("write `elsif` for `else if`, or one more `end`"),
        };
        Err(self.note(diagnostic))
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
            Token::Keyword(word) => {
                let abandoned = self.report(&SyntaxFault::KeywordAsName { word }, span);
                if *self.peek_second() != Token::Colon {
                    return Err(abandoned);
                }
                // It is declared as a function, so the author means it as a name.
                self.advance();
                Ok(Name { text: word.to_owned(), span })
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Parses names separated by commas.
    pub(super) fn names(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.eat(&Token::Comma) {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Parses the names of a declaration and the colon after them. As in rumur, there may be none, and a trailing
    /// comma.
    pub(super) fn declared_names(&mut self) -> Parsed<Vec<Name>> {
        self.list(&Token::Colon, Self::name)
    }

    /// Parses a comma-separated list up to and including a token. The list may be empty, and may have a trailing comma.
    pub(super) fn list<T>(&mut self, end: &Token, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while self.peek() != end {
            items.push(item(self)?);
            if !self.eat(&Token::Comma) {
                break;
            }
        }
        self.expect(end)?;
        Ok(items)
    }

    /// Takes a string, if one is next.
    pub(super) fn text(&mut self) -> Option<String> {
        match self.peek().clone() {
            Token::Text(text) => {
                self.advance();
                text
            }
            _ => None,
        }
    }

    /// Records that something else was expected.
    pub(super) fn unexpected(&mut self, wanted: &str) -> Abandoned {
        let fault = SyntaxFault::Unexpected { wanted: wanted.to_owned(), found: describe(self.peek()) };
        let span = self.span();
        self.report(&fault, span)
    }

    pub(super) fn report(&mut self, fault: &SyntaxFault, span: Span) -> Abandoned {
        self.note(fault.at(span))
    }

    fn note(&mut self, diagnostic: Diagnostic) -> Abandoned {
        if self.errors.len() < MAX_ERRORS && self.last_error != Some(self.position) {
            self.errors.push(diagnostic);
            self.last_error = Some(self.position);
        }
        Abandoned
    }

    /// Runs a parser one nesting level deeper.
    pub(super) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.span();
            return Err(self.report(&SyntaxFault::TooDeep { limit: MAX_DEPTH }, span));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Tries a parser; if it fails, or the expected token does not follow, no input is consumed.
    pub(super) fn attempt<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>, followed_by: &Token) -> Option<T> {
        let before = self.mark();
        match part(self) {
            Ok(result) if self.peek() == followed_by => Some(result),
            Ok(_) | Err(Abandoned) => {
                self.back_to(before);
                None
            }
        }
    }

    /// Returns whether the parser succeeds and one of the tokens follows; no input is consumed.
    pub(super) fn try_only<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>, followed_by: &[Token]) -> bool {
        let before = self.mark();
        let fits = part(self).is_ok() && followed_by.contains(self.peek());
        self.back_to(before);
        fits
    }

    /// Skips a token if nothing was read since the mark, so that every loop makes progress.
    pub(super) fn ensure_progress(&mut self, (position, ..): Mark) {
        if self.position == position {
            self.advance();
        }
    }

    pub(super) fn mark(&self) -> Mark {
        (self.position, self.errors.len(), self.last_error)
    }

    /// Returns to the mark, dropping the errors recorded since.
    fn back_to(&mut self, (position, errors, last_error): Mark) {
        self.position = position;
        self.errors.truncate(errors);
        self.last_error = last_error;
    }

    /// Returns whether a rule, property or group of rules starts here. rumur's keywords are names elsewhere.
    pub(super) fn at_rule(&self) -> bool {
        match self.peek() {
            Token::Keyword(word) => {
                matches!(*word, "rule" | "startstate" | "invariant" | "assert" | "ruleset" | "alias" | "choose")
            }
            Token::Word(_) => self.property_word().is_some(),
            _ => false,
        }
    }

    /// Skips past the next semicolon, or up to something that ends a block.
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
                            "else"
                                | "elsif"
                                | "case"
                                | "rule"
                                | "startstate"
                                | "invariant"
                                | "ruleset"
                                | "function"
                                | "procedure"
                        ) =>
                {
                    return;
                }
                _ => self.advance(),
            }
        }
    }
}
