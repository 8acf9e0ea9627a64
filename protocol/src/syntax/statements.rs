//! Statements.

use super::parser::{Abandoned, Parsed, Parser};
use super::token::Token;
use super::tree::{Expr, ExprKind, Name, Stmt, StmtKind};

impl Parser {
    /// Statements up to something that ends a block, which is not read. Errors inside are recorded and skipped.
    pub(super) fn statements(&mut self) -> Parsed<Vec<Stmt>> {
        self.nested(|parser| {
            let mut statements = Vec::new();
            loop {
                while parser.eat(&Token::Semicolon) {}
                if parser.at_end_keyword()
                    || parser.at_keyword(&["else", "elsif", "case"])
                    || *parser.peek() == Token::End
                {
                    return Ok(statements);
                }
                let before = parser.errors.len();
                match parser.statement() {
                    Ok(statement) => statements.push(statement),
                    Err(Abandoned) => {
                        parser.recover_in_block();
                        if parser.at_keyword(&["rule", "startstate", "invariant", "ruleset"]) {
                            return Err(Abandoned);
                        }
                        continue;
                    }
                }
                let ended = parser.at_end_keyword() || parser.at_keyword(&["else", "elsif", "case"]);
                if !ended && *parser.peek() != Token::Semicolon && parser.errors.len() == before {
                    let _ = parser.unexpected("`;`");
                    parser.recover_in_block();
                }
            }
        })
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|parser| {
            let start = parser.span();
            let kind = parser.statement_kind()?;
            Ok(Stmt { kind, span: start.to(parser.last_span()) })
        })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        match self.peek().clone() {
            Token::Keyword("if") => self.if_statement(),
            Token::Keyword("switch") => self.switch(),
            Token::Keyword("for") => {
                self.advance();
                let quantifiers = self.quantifiers()?;
                self.expect_keyword("do")?;
                let body = self.statements()?;
                self.expect_end()?;
                Ok(StmtKind::For(quantifiers, body))
            }
            Token::Keyword("while") => {
                self.advance();
                let condition = self.expression()?;
                self.expect_keyword("do")?;
                let body = self.statements()?;
                self.expect_end()?;
                Ok(StmtKind::While(condition, body))
            }
            Token::Keyword("alias") => {
                let aliases = self.aliases()?;
                let body = self.statements()?;
                self.expect_end()?;
                Ok(StmtKind::Alias(aliases, body))
            }
            Token::Keyword("return") => {
                self.advance();
                let ended = self.at_end_keyword()
                    || *self.peek() == Token::Semicolon
                    || self.at_keyword(&["else", "elsif", "case"]);
                Ok(StmtKind::Return(if ended { None } else { Some(self.expression()?) }))
            }
            Token::Keyword(word @ ("clear" | "undefine")) => {
                self.advance();
                let place = self.place()?;
                Ok(if word == "clear" { StmtKind::Clear(place) } else { StmtKind::Undefine(place) })
            }
            Token::Keyword(word @ ("assert" | "error" | "put")) => self.message(word),
            Token::Keyword(word @ ("multisetadd" | "multisetremove" | "multisetremovepred")) => self.multiset(word),
            Token::Word(_) => self.assignment_or_call(),
            _ => Err(self.unexpected("a statement")),
        }
    }

    fn assignment_or_call(&mut self) -> Parsed<StmtKind> {
        if *self.peek_second() == Token::Open {
            let name = self.name()?;
            return Ok(StmtKind::Call(name, self.arguments()?));
        }
        let place = self.place()?;
        self.expect(&Token::Assign)?;
        Ok(StmtKind::Assign(place, self.expression()?))
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let mut branches = Vec::new();
        loop {
            let condition = self.expression()?;
            self.expect_keyword("then")?;
            branches.push((condition, self.statements()?));
            if !self.eat_keyword("elsif") {
                break;
            }
        }
        let otherwise = if self.eat_keyword("else") { self.statements()? } else { Vec::new() };
        self.expect_end()?;
        Ok(StmtKind::If(branches, otherwise))
    }

    fn switch(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let value = self.expression()?;
        let mut cases = Vec::new();
        while self.eat_keyword("case") {
            let mut labels = vec![self.expression()?];
            while self.eat(&Token::Comma) {
                labels.push(self.expression()?);
            }
            self.expect(&Token::Colon)?;
            cases.push((labels, self.statements()?));
        }
        let otherwise = if self.eat_keyword("else") {
            self.eat(&Token::Colon);
            self.statements()?
        } else {
            Vec::new()
        };
        self.expect_end()?;
        Ok(StmtKind::Switch(value, cases, otherwise))
    }

    /// `alias name : place; .. do`.
    pub(super) fn aliases(&mut self) -> Parsed<Vec<(Name, Expr)>> {
        self.advance();
        let mut aliases = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if self.eat_keyword("do") {
                return Ok(aliases);
            }
            let name = self.name()?;
            self.expect(&Token::Colon)?;
            aliases.push((name, self.expression()?));
            if *self.peek() != Token::Semicolon && !self.at_keyword(&["do"]) {
                return Err(self.unexpected("`;` or `do`"));
            }
        }
    }

    fn message(&mut self, word: &str) -> Parsed<StmtKind> {
        self.advance();
        match word {
            "assert" => {
                let condition = self.expression()?;
                Ok(StmtKind::Assert(condition, self.text()))
            }
            "error" => match self.text() {
                Some(text) => Ok(StmtKind::Error(text)),
                None => Err(self.unexpected("a string")),
            },
            _ => {
                let span = self.span();
                match self.text() {
                    Some(text) => Ok(StmtKind::Put(Expr { kind: ExprKind::Text(text), span })),
                    None => Ok(StmtKind::Put(self.expression()?)),
                }
            }
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
