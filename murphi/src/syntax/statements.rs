//! Parses statements.

use super::fault::SyntaxFault;
use super::parser::{Abandoned, Parsed, Parser};
use super::token::Token;
use super::tree::{Expr, ExprKind, Name, Stmt, StmtKind};

/// The largest number of branches accepted in an `if` or `switch`.
const MAX_BRANCHES: usize = 1024;

impl Parser {
    /// Parses statements up to, but not including, whatever ends the block. Errors inside are recorded and skipped.
    pub(super) fn statements(&mut self) -> Parsed<Vec<Stmt>> {
        let mut statements = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if self.at_block_end() {
                return Ok(statements);
            }
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(Abandoned) => {
                    self.recover_in_block();
                    continue;
                }
            }
            if *self.peek() != Token::Semicolon && !self.at_block_end() {
                // What follows is probably the next statement, after a missing semicolon.
                let _ = self.unexpected("`;`");
                if !self.at_statement_word() {
                    self.recover_in_block();
                }
            }
        }
    }

    /// Returns whether the block ends here, or something starts that cannot be part of a block.
    fn at_block_end(&self) -> bool {
        self.at_end_keyword()
            || *self.peek() == Token::End
            || self.at_keyword(&["else", "elsif", "case"])
            || self.at_keyword(&["rule", "startstate", "ruleset", "function", "procedure"])
    }

    fn at_statement_word(&self) -> bool {
        matches!(self.peek(), Token::Word(_) | Token::Keyword(_))
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|parser| {
            let start = parser.span();
            let kind = parser.statement_kind()?;
            Ok(Stmt { kind, span: start.to(parser.last_span()) })
        })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        match self.peek().clone() {
            Token::Keyword("if") => self.if_statement(),
            Token::Keyword("switch") => self.switch(),
            Token::Keyword("for") => {
                self.advance();
                let quantifiers = self.quantifiers()?;
                let body = self.statements()?;
                self.expect_end("for", start)?;
                Ok(StmtKind::For(quantifiers, body))
            }
            Token::Keyword("while") => {
                self.advance();
                let condition = self.expression()?;
                self.expect_do()?;
                let body = self.statements()?;
                self.expect_end("while", start)?;
                Ok(StmtKind::While(condition, body))
            }
            Token::Keyword("alias") => {
                let aliases = self.aliases()?;
                let body = self.statements()?;
                self.expect_end("alias", start)?;
                Ok(StmtKind::Alias(aliases, body))
            }
            Token::Keyword("return") => {
                self.advance();
                let ended = *self.peek() == Token::Semicolon || self.at_block_end();
                Ok(StmtKind::Return(if ended { None } else { Some(self.expression()?) }))
            }
            Token::Keyword(word @ ("clear" | "undefine")) => {
                self.advance();
                let place = self.place()?;
                Ok(if word == "clear" { StmtKind::Clear(place) } else { StmtKind::Undefine(place) })
            }
            Token::Keyword(word @ ("assert" | "invariant" | "error" | "put")) => self.message(word),
            Token::Keyword(word @ ("multisetadd" | "multisetremove" | "multisetremovepred")) => self.multiset(word),
            Token::Word(_) => self.named_statement(),
            _ => Err(self.unexpected("a statement")),
        }
    }

    /// Parses an assignment, a call, or one of rumur's properties.
    fn named_statement(&mut self) -> Parsed<StmtKind> {
        if let Some(kind) = self.property_word()
            && self.property_statement_follows()
        {
            self.advance();
            let (name, condition) = self.named_condition()?;
            return Ok(StmtKind::Property(kind, condition, name));
        }
        if *self.peek_second() == Token::Open {
            let name = self.name()?;
            return Ok(StmtKind::Call(name, self.arguments()?));
        }
        let place = self.place()?;
        self.expect(&Token::Assign)?;
        if self.eat_keyword("undefined") {
            let value = Expr::new(ExprKind::Undefined, self.last_span());
            return Ok(StmtKind::Assign(place, value));
        }
        Ok(StmtKind::Assign(place, self.expression()?))
    }

    /// Returns whether the next word cannot be a variable or procedure, judging by the token after it.
    pub(super) fn property_statement_follows(&self) -> bool {
        match self.peek_second() {
            Token::Assign | Token::Dot | Token::OpenBracket => false,
            Token::Open => !matches!(self.peek(), Token::Word(word) if self.procedures.contains(word)),
            _ => true,
        }
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        self.advance();
        let mut branches = Vec::new();
        loop {
            let condition = self.expression()?;
            self.expect_keyword("then")?;
            branches.push((condition, self.statements()?));
            self.not_too_many(branches.len())?;
            if !self.eat_keyword("elsif") {
                break;
            }
        }
        let before = self.span();
        let otherwise = if self.eat_keyword("else") {
            if self.at_keyword(&["if"]) {
                self.else_if = Some(before.to(self.span()));
            }
            self.statements()?
        } else {
            Vec::new()
        };
        self.expect_end("if", start)?;
        Ok(StmtKind::If(branches, otherwise))
    }

    /// Later passes see each branch nested in the `else` of the one before it.
    fn not_too_many(&mut self, branches: usize) -> Parsed<()> {
        if branches <= MAX_BRANCHES {
            return Ok(());
        }
        let span = self.last_span();
        Err(self.report(&SyntaxFault::TooManyBranches { limit: MAX_BRANCHES }, span))
    }

    fn switch(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        self.advance();
        let value = self.expression()?;
        let mut cases = Vec::new();
        while self.eat_keyword("case") {
            let mut labels = vec![self.expression()?];
            while self.eat(&Token::Comma) && *self.peek() != Token::Colon {
                labels.push(self.expression()?);
            }
            self.expect(&Token::Colon)?;
            cases.push((labels, self.statements()?));
            self.not_too_many(cases.len())?;
        }
        let otherwise = if self.eat_keyword("else") { self.statements()? } else { Vec::new() };
        self.expect_end("switch", start)?;
        Ok(StmtKind::Switch(value, cases, otherwise))
    }

    /// Parses `alias name : place; .. do`. As in rumur, a place may have several names or none, there may be no alias
    /// at all, and semicolons are optional.
    pub(super) fn aliases(&mut self) -> Parsed<Vec<(Name, Expr)>> {
        self.advance();
        let mut aliases = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if self.eat_keyword("do") || !aliases.is_empty() && self.eat(&Token::Colon) {
                return Ok(aliases);
            }
            let names = self.declared_names()?;
            let value = self.expression()?;
            aliases.extend(names.into_iter().map(|name| (name, value.clone())));
            let goes_on = self.at_keyword(&["do"]) || self.at_declared_name();
            if !goes_on && !matches!(self.peek(), Token::Semicolon | Token::Colon) {
                return Err(self.unexpected("`;` or `do`"));
            }
        }
    }

    fn message(&mut self, word: &str) -> Parsed<StmtKind> {
        self.advance();
        match word {
            "assert" | "invariant" => {
                let (name, condition) = self.named_condition()?;
                Ok(StmtKind::Assert(condition, name))
            }
            "error" => match self.text() {
                Some(text) => Ok(StmtKind::Error(text)),
                None => Err(self.unexpected("a string")),
            },
            _ => match self.text() {
                Some(text) => Ok(StmtKind::PutText(text)),
                None => Ok(StmtKind::Put(self.expression()?)),
            },
        }
    }

    fn multiset(&mut self, word: &str) -> Parsed<StmtKind> {
        self.advance();
        if word == "multisetremovepred" {
            let (name, place, condition) = self.multiset_condition()?;
            return Ok(StmtKind::MultisetRemoveIf(name, place, condition));
        }
        self.expect(&Token::Open)?;
        let first = self.expression()?;
        self.expect(&Token::Comma)?;
        let second = self.expression()?;
        self.expect(&Token::Close)?;
        Ok(if word == "multisetadd" {
            StmtKind::MultisetAdd(first, second)
        } else {
            StmtKind::MultisetRemove(first, second)
        })
    }
}
