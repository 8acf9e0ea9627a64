//! The parser: recursive descent with error recovery.
//!
//! It returns everything it could read together with all errors. After an error it resumes at the next keyword that starts
//! a declaration or a claim. Sections may come in any order. Nesting is bounded, so that no text overflows the stack,
//! neither here nor in later passes.

use system::front_end::{Diagnostic, Span};
use system::similar::closest_name;

use super::token::{Token, describe, tokens};
use super::tree::{Assigned, Assignment, Claim, Formula, Item, Name, Predicate, Term, Transition, Variable};
use crate::fault::Fault;

/// The deepest nesting of formulas.
pub(super) const MAX_DEPTH: u32 = 100;
/// Errors beyond this number are not reported.
const MAX_ERRORS: usize = 50;

/// Parses a text. If there are no errors, the items are all that the text declares and claims.
pub(crate) fn parse(text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let (items, errors) = parse_placed(text);
    (items.into_iter().map(|(item, _)| item).collect(), errors)
}

/// Parses a text into its items with the place of each, in the order of the text, and all errors.
#[must_use]
pub fn parse_placed(text: &str) -> (Vec<(Item, Span)>, Vec<Diagnostic>) {
    let (tokens, faults) = tokens(text);
    let mut parser = Parser { tokens, position: 0, depth: 0, errors: Vec::new() };
    parser.errors.extend(faults.iter().map(|(fault, span)| fault.at(*span)));
    let items = parser.items();
    let mut errors = parser.errors;
    errors.sort_by_key(|error| error.labels.first().map(|label| label.span.start));
    errors.truncate(MAX_ERRORS);
    (items, errors)
}

/// The parser gave up on the current item; the error is already recorded.
#[derive(Debug)]
pub(super) struct Abandoned;

pub(super) type Parsed<T> = Result<T, Abandoned>;

/// What a file consists of.
const ITEM: &str = "a declaration, `init`, `unsafe`, `invariant` or `transition`";

/// Keywords that start an item.
const ITEMS: [&str; 9] = ["type", "var", "const", "array", "predicate", "init", "invariant", "unsafe", "transition"];

pub(super) struct Parser {
    tokens: Vec<(Token, Span)>,
    position: usize,
    pub(super) depth: u32,
    errors: Vec<Diagnostic>,
}

impl Parser {
    fn items(&mut self) -> Vec<(Item, Span)> {
        let mut items = Vec::new();
        while *self.peek() != Token::End {
            let (before, start) = (self.position, self.span());
            self.depth = 0;
            match self.item() {
                Ok(item) => items.push((item, start.to(self.last_span()))),
                Err(Abandoned) => self.recover(before),
            }
        }
        items
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.span();
        let keyword = match self.peek() {
            Token::Keyword(keyword) => *keyword,
            Token::Lower(_) | Token::Upper(_) => self.misspelled()?,
            Token::Process(_) | Token::Number(_) | Token::Symbol(_) | Token::End => return self.unexpected(ITEM),
        };
        match keyword {
            "number_procs" => {
                self.advance();
                self.number()?;
                Ok(Item::Processes(start.to(self.last_span())))
            }
            "type" => self.type_definition(),
            "var" | "const" | "array" => self.variable(keyword).map(Item::Variable),
            "predicate" => self.predicate().map(Item::Predicate),
            "init" => self.claim().map(Item::Init),
            "invariant" => self.claim().map(Item::Invariant),
            "unsafe" => self.claim().map(Item::Unsafe),
            "transition" => self.transition().map(Item::Transition),
            _ => self.unexpected(ITEM),
        }
    }

    /// Records that an item was expected. The keyword that was probably meant is taken for it.
    fn misspelled(&mut self) -> Parsed<&'static str> {
        let (Token::Lower(word) | Token::Upper(word)) = self.peek().clone() else { return self.unexpected(ITEM) };
        let fault = Fault::Unexpected { wanted: ITEM.to_owned(), found: describe(self.peek()) };
        let meant = closest_name(&word, ITEMS.into_iter());
        self.errors.push(fault.near(self.span(), meant));
        let meant = meant.ok_or(Abandoned)?;
        self.tokens[self.position].0 = Token::Keyword(meant);
        Ok(meant)
    }

    /// Skips to a keyword that starts an item, beyond the item that starts at the given position.
    fn recover(&mut self, before: usize) {
        if self.position == before {
            self.advance();
        }
        let starts = |token: &Token| {
            matches!(
                token,
                Token::End
                    | Token::Keyword(
                        "type"
                            | "var"
                            | "const"
                            | "array"
                            | "predicate"
                            | "init"
                            | "invariant"
                            | "unsafe"
                            | "transition"
                    )
            )
        };
        while !starts(self.peek()) {
            self.advance();
        }
    }

    fn type_definition(&mut self) -> Parsed<Item> {
        self.advance();
        let name = self.lower("the name of a type")?;
        if !self.eat("=") {
            return Ok(Item::Type { name, values: None });
        }
        self.eat("|");
        let mut values = vec![self.upper("a value, which starts with a capital letter")?];
        while self.eat("|") {
            values.push(self.upper("a value, which starts with a capital letter")?);
        }
        Ok(Item::Type { name, values: Some(values) })
    }

    fn variable(&mut self, keyword: &str) -> Parsed<Variable> {
        self.advance();
        let name = self.upper("the name of a variable, which starts with a capital letter")?;
        let mut dimensions = Vec::new();
        if keyword == "array" {
            self.expect("[")?;
            dimensions = self.separated(|parser| parser.lower("the type of an index"))?;
            self.expect("]")?;
        }
        self.expect(":")?;
        let ty = self.lower("the name of a type")?;
        Ok(Variable { name, is_constant: keyword == "const", dimensions, ty })
    }

    fn predicate(&mut self) -> Parsed<Predicate> {
        self.advance();
        let name = self.lower("the name of a predicate")?;
        self.expect("(")?;
        let parameters = if self.at(")") { Vec::new() } else { self.separated(|parser| parser.lower("a parameter"))? };
        self.expect(")")?;
        let body = self.braced()?;
        Ok(Predicate { name, parameters, body })
    }

    fn claim(&mut self) -> Parsed<Claim> {
        let start = self.span();
        self.advance();
        let parameters = if self.at("(") { self.parameters()? } else { Vec::new() };
        let formula = self.braced()?;
        Ok(Claim { parameters, formula, span: start.to(self.last_span()) })
    }

    /// Parses names in parentheses, which are separated by white space alone.
    fn parameters(&mut self) -> Parsed<Vec<Name>> {
        self.expect("(")?;
        let mut names = Vec::new();
        while !self.at(")") {
            names.push(self.lower("a parameter or `)`")?);
        }
        self.expect(")")?;
        Ok(names)
    }

    fn braced(&mut self) -> Parsed<Formula> {
        self.expect("{")?;
        let formula = self.formula()?;
        self.expect("}")?;
        Ok(formula)
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let start = self.span();
        self.advance();
        let wanted = "the name of a transition";
        let is_upper = matches!(self.peek(), Token::Upper(_));
        let name = if is_upper { self.upper(wanted)? } else { self.lower(wanted)? };
        let parameters = self.parameters()?;
        let guard = if self.eat_keyword("requires") { Some(self.braced()?) } else { None };
        self.expect("{")?;
        let mut lets = Vec::new();
        while self.eat_keyword("let") {
            let name = self.lower("a name")?;
            self.expect("=")?;
            let term = self.term()?;
            if !self.eat_keyword("in") {
                return self.unexpected("`in`");
            }
            lets.push((name, term));
        }
        let mut assignments = Vec::new();
        while !self.at("}") {
            assignments.push(self.assignment()?);
            if !self.eat(";") && !self.at("}") {
                return self.unexpected("`;` or `}`");
            }
        }
        self.expect("}")?;
        Ok(Transition { name, parameters, guard, lets, assignments, span: start.to(self.last_span()) })
    }

    fn assignment(&mut self) -> Parsed<Assignment> {
        let target = self.upper("a variable to be assigned to")?;
        let indices = if self.at("[") { self.indices()? } else { Vec::new() };
        self.expect(":=")?;
        let value = if self.eat(".") || self.eat("?") {
            Assigned::Any
        } else if self.eat_keyword("case") {
            self.cases()?
        } else {
            Assigned::Term(self.term()?)
        };
        let span = target.span.to(self.last_span());
        Ok(Assignment { target, indices, value, span })
    }

    fn cases(&mut self) -> Parsed<Assigned> {
        let mut cases: Vec<(Option<Formula>, Term)> = Vec::new();
        self.expect("|")?;
        loop {
            let condition = if self.eat("_") { None } else { Some(self.formula()?) };
            self.expect(":")?;
            let is_last = condition.is_none();
            cases.push((condition, self.term()?));
            if is_last || !self.eat("|") {
                return Ok(Assigned::Case(cases));
            }
        }
    }

    /// Parses the indices of an array.
    pub(super) fn indices(&mut self) -> Parsed<Vec<Name>> {
        self.expect("[")?;
        let indices = self.separated(Self::process)?;
        self.expect("]")?;
        Ok(indices)
    }

    fn process(&mut self) -> Parsed<Name> {
        let Token::Process(number) = *self.peek() else {
            return self.lower("a process: a variable or `#1`, `#2`, and so on");
        };
        self.advance();
        Ok(Name { text: format!("#{number}"), span: self.last_span() })
    }

    pub(super) fn separated<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.position.min(self.tokens.len() - 1)].0
    }

    /// Returns whether the next token is followed by an opening parenthesis.
    pub(super) fn is_call(&self) -> bool {
        let second = self.tokens.get(self.position + 1);
        second.is_some_and(|(token, _)| *token == Token::Symbol("("))
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.position.min(self.tokens.len() - 1)].1
    }

    /// Returns the place of the token read last.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.position.saturating_sub(1)].1
    }

    pub(super) fn advance(&mut self) {
        if self.position < self.tokens.len() - 1 {
            self.position += 1;
        }
    }

    pub(super) fn at(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(found) if *found == symbol)
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.at(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Token::Keyword(found) if *found == keyword);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { self.unexpected(&format!("`{symbol}`")) }
    }

    pub(super) fn lower(&mut self, wanted: &str) -> Parsed<Name> {
        let Token::Lower(text) = self.peek().clone() else { return self.unexpected(wanted) };
        self.advance();
        Ok(Name { text, span: self.last_span() })
    }

    pub(super) fn upper(&mut self, wanted: &str) -> Parsed<Name> {
        let Token::Upper(text) = self.peek().clone() else { return self.unexpected(wanted) };
        self.advance();
        Ok(Name { text, span: self.last_span() })
    }

    pub(super) fn number(&mut self) -> Parsed<()> {
        let Token::Number(_) = self.peek() else { return self.unexpected("a number") };
        self.advance();
        Ok(())
    }

    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let fault = Fault::Unexpected { wanted: wanted.to_owned(), found: describe(self.peek()) };
        self.report(&fault, self.span())
    }

    pub(super) fn report<T>(&mut self, fault: &Fault, span: Span) -> Parsed<T> {
        self.errors.push(fault.at(span));
        Err(Abandoned)
    }
}
