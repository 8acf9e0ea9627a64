//! Declarations and types.

use super::parser::{Parsed, Parser};
use super::token::Token;
use super::tree::{ExprKind, Function, Item, Parameter, TypeExpr, TypeExprKind};
use crate::diagnostics::Diagnostic;

impl Parser {
    /// `const`, `type` and `var` sections, as many as follow one another.
    pub(super) fn declarations(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        loop {
            match self.peek().clone() {
                Token::Keyword(section @ ("const" | "type" | "var")) => {
                    self.advance();
                    self.entries(section, items)?;
                }
                _ => return Ok(()),
            }
        }
    }

    fn entries(&mut self, section: &str, items: &mut Vec<Item>) -> Parsed<()> {
        loop {
            while self.eat(&Token::Semicolon) {}
            if !matches!(self.peek(), Token::Word(_)) {
                return Ok(());
            }
            // In a rule without `begin`, the statements follow the declarations directly.
            if !matches!(self.peek_second(), Token::Colon | Token::Comma) {
                return Ok(());
            }
            let entry = match section {
                "const" => self.constant(),
                "type" => self.type_entry(),
                _ => self.variables(),
            }?;
            items.push(entry);
            if !self.eat(&Token::Semicolon) {
                return if matches!(self.peek(), Token::Word(_)) { Err(self.unexpected("`;`")) } else { Ok(()) };
            }
        }
    }

    fn constant(&mut self) -> Parsed<Item> {
        let name = self.name()?;
        self.expect(&Token::Colon)?;
        Ok(Item::Constant(name, self.expression()?))
    }

    fn type_entry(&mut self) -> Parsed<Item> {
        let name = self.name()?;
        self.expect(&Token::Colon)?;
        Ok(Item::Type(name, self.type_expression()?))
    }

    fn variables(&mut self) -> Parsed<Item> {
        let names = self.names()?;
        self.expect(&Token::Colon)?;
        Ok(Item::Variables(names, self.type_expression()?))
    }

    pub(super) fn type_expression(&mut self) -> Parsed<TypeExpr> {
        self.nested(Self::type_expression_inner)
    }

    fn type_expression_inner(&mut self) -> Parsed<TypeExpr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Keyword("enum") => self.enumeration()?,
            Token::Keyword("scalarset") => {
                self.advance();
                self.expect(&Token::Open)?;
                let size = self.expression()?;
                self.expect(&Token::Close)?;
                TypeExprKind::Scalarset(Box::new(size))
            }
            Token::Keyword("union") => self.union()?,
            Token::Keyword("record") => self.record()?,
            Token::Keyword("array") => {
                self.advance();
                self.expect(&Token::OpenBracket)?;
                let index = self.type_expression()?;
                self.expect(&Token::CloseBracket)?;
                self.expect_keyword("of")?;
                TypeExprKind::Array(Box::new(index), Box::new(self.type_expression()?))
            }
            Token::Keyword("multiset") => {
                self.advance();
                self.expect(&Token::OpenBracket)?;
                let size = self.expression()?;
                self.expect(&Token::CloseBracket)?;
                self.expect_keyword("of")?;
                TypeExprKind::Multiset(Box::new(size), Box::new(self.type_expression()?))
            }
            _ => self.range_or_name()?,
        };
        Ok(TypeExpr { kind, span: start.to(self.last_span()) })
    }

    fn enumeration(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        self.expect(&Token::OpenBrace)?;
        let mut members = vec![self.name()?];
        while self.eat(&Token::Comma) {
            if *self.peek() == Token::CloseBrace {
                break;
            }
            members.push(self.name()?);
        }
        self.expect(&Token::CloseBrace)?;
        Ok(TypeExprKind::Enum(members))
    }

    fn union(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        self.expect(&Token::OpenBrace)?;
        let mut members = vec![self.type_expression()?];
        while self.eat(&Token::Comma) {
            members.push(self.type_expression()?);
        }
        self.expect(&Token::CloseBrace)?;
        Ok(TypeExprKind::Union(members))
    }

    fn record(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        let mut fields = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if self.at_end_keyword() {
                break;
            }
            let names = self.names()?;
            self.expect(&Token::Colon)?;
            fields.push((names, self.type_expression()?));
            if !self.at_end_keyword() {
                self.expect(&Token::Semicolon)?;
            }
        }
        self.expect_end()?;
        Ok(TypeExprKind::Record(fields))
    }

    fn range_or_name(&mut self) -> Parsed<TypeExprKind> {
        let first = self.bound()?;
        if self.eat(&Token::Dots) {
            return Ok(TypeExprKind::Range(Box::new(first), Box::new(self.bound()?)));
        }
        match first.kind {
            ExprKind::Name(name) => Ok(TypeExprKind::Name(name)),
            _ => Err(self.report(
                Diagnostic::error("P003", first.span, "expected a type, found an expression")
                    .with_help("a range is written `first .. last`"),
            )),
        }
    }

    pub(super) fn function(&mut self) -> Parsed<Function> {
        let returns = self.at_keyword(&["function"]);
        self.advance();
        let name = self.name()?;
        let mut parameters = Vec::new();
        self.expect(&Token::Open)?;
        while *self.peek() != Token::Close {
            let reference = self.eat_keyword("var");
            let names = self.names()?;
            self.expect(&Token::Colon)?;
            parameters.push(Parameter { reference, names, ty: self.type_expression()? });
            if !self.eat(&Token::Semicolon) && !self.eat(&Token::Comma) {
                break;
            }
        }
        self.expect(&Token::Close)?;
        let result = if returns {
            self.expect(&Token::Colon)?;
            Some(self.type_expression()?)
        } else {
            None
        };
        self.eat(&Token::Semicolon);
        let mut declarations = Vec::new();
        self.declarations(&mut declarations)?;
        self.eat_keyword("begin");
        let body = self.statements()?;
        self.expect_end()?;
        self.eat(&Token::Semicolon);
        Ok(Function { name, parameters, result, declarations, body })
    }
}
