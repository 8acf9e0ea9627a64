//! Parses declarations and types.

use super::fault::SyntaxFault;
use super::parser::{Abandoned, Parsed, Parser};
use super::token::Token;
use super::tree::{ExprKind, Function, Item, Name, Parameter, TypeExpr, TypeExprKind};

impl Parser {
    /// Parses any number of `const`, `type` and `var` sections. In a block, statements may follow.
    pub(super) fn declarations(&mut self, items: &mut Vec<Item>, global: bool) {
        while let Token::Keyword(section @ ("const" | "type" | "var")) = *self.peek() {
            self.advance();
            let mut first = true;
            loop {
                while self.eat(&Token::Semicolon) {}
                if !(self.at_entry() || self.at_name() && (first || global)) {
                    break;
                }
                // In rumur, a section may start with a type without a name.
                if !first && self.at_keyword(&["const", "type", "var"]) {
                    break;
                }
                first = false;
                let before = self.mark();
                if self.entry(section, items).is_err() {
                    self.recover();
                    self.ensure_progress(before);
                }
            }
        }
    }

    /// Returns whether a name and a colon follow, even if the name is not allowed.
    fn at_entry(&self) -> bool {
        match self.peek() {
            Token::Word(_) => self.at_declared_name(),
            Token::Keyword(_) => *self.peek_second() == Token::Colon,
            Token::Colon => true,
            _ => false,
        }
    }

    /// Returns whether the next name starts a declaration rather than being used.
    pub(super) fn at_declared_name(&self) -> bool {
        matches!(self.peek(), Token::Word(_)) && matches!(self.peek_second(), Token::Colon | Token::Comma)
    }

    fn at_name(&self) -> bool {
        let is_item = self.item_meant().is_some() && matches!(self.peek_second(), Token::Text(_));
        matches!(self.peek(), Token::Word(_)) && !self.at_rule() && !is_item
    }

    fn entry(&mut self, section: &str, items: &mut Vec<Item>) -> Parsed<()> {
        let names = self.declared_names()?;
        match section {
            "const" => {
                let value = self.expression()?;
                items.extend(names.into_iter().map(|name| Item::Constant(name, value.clone())));
            }
            "type" => {
                let ty = self.type_expression()?;
                items.extend(types_of_equal_meaning(names, ty));
            }
            _ => {
                let ty = self.type_expression()?;
                if !names.is_empty() {
                    items.push(Item::Variables(names, ty));
                }
            }
        }
        // In rumur, the semicolon is optional.
        let complete = matches!(self.peek(), Token::Semicolon | Token::End | Token::Keyword(_));
        if complete || self.at_entry() { Ok(()) } else { Err(self.unexpected("`;`")) }
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
        Ok(TypeExprKind::Enum(self.list(&Token::CloseBrace, Self::name)?))
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
        let start = self.span();
        self.advance();
        let mut fields = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if matches!(self.peek(), Token::End) || (matches!(self.peek(), Token::Keyword(_)) && !self.at_entry()) {
                break;
            }
            let before = self.mark();
            match self.field() {
                Ok((names, _)) if names.is_empty() => {}
                Ok(field) => fields.push(field),
                Err(Abandoned) => {
                    self.recover_in_block();
                    self.ensure_progress(before);
                }
            }
        }
        self.expect_end("record", start)?;
        Ok(TypeExprKind::Record(fields))
    }

    fn field(&mut self) -> Parsed<(Vec<Name>, TypeExpr)> {
        let names = self.declared_names()?;
        let ty = self.type_expression()?;
        let complete = matches!(self.peek(), Token::Semicolon | Token::End | Token::Keyword(_));
        if complete || self.at_entry() { Ok((names, ty)) } else { Err(self.unexpected("`;`")) }
    }

    fn range_or_name(&mut self) -> Parsed<TypeExprKind> {
        if let Token::Word(word) = self.peek()
            && word.eq_ignore_ascii_case("real")
            && *self.peek_second() == Token::Open
        {
            let span = self.span();
            return Err(self.report(&SyntaxFault::Unsupported { what: "real numbers" }, span));
        }
        let first = self.bound()?;
        if self.eat(&Token::Dots) {
            return Ok(TypeExprKind::Range(Box::new(first), Box::new(self.bound()?)));
        }
        match first.kind {
            ExprKind::Name(name) => Ok(TypeExprKind::Name(name)),
            _ => Err(self.report(&SyntaxFault::NotAType, first.span)),
        }
    }

    /// Parses a function or procedure. As in rumur, the result type decides which of the two it is.
    pub(super) fn function(&mut self) -> Parsed<Function> {
        let start = self.span();
        let word = if self.at_keyword(&["function"]) { "function" } else { "procedure" };
        self.advance();
        let name = self.name()?;
        let parameters = self.parameters()?;
        let result = if self.eat(&Token::Colon) { Some(self.type_expression()?) } else { None };
        self.eat(&Token::Semicolon);
        let (declarations, body) = self.block(word, start)?;
        self.eat(&Token::Semicolon);
        Ok(Function { name, parameters, result, declarations, body })
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        self.expect(&Token::Open)?;
        loop {
            while self.eat(&Token::Semicolon) || self.eat(&Token::Comma) {}
            if self.eat(&Token::Close) {
                return Ok(parameters);
            }
            let reference = self.eat_keyword("var");
            let names = self.names()?;
            self.expect(&Token::Colon)?;
            parameters.push(Parameter { reference, names, ty: self.type_expression()? });
            let more = matches!(self.peek(), Token::Semicolon | Token::Comma | Token::Close | Token::Word(_))
                || self.at_keyword(&["var"]);
            if !more {
                return Err(self.unexpected("`;` or `)`"));
            }
        }
    }
}

/// Gives the first name the type; the other names become synonyms of the first.
fn types_of_equal_meaning(names: Vec<Name>, ty: TypeExpr) -> Vec<Item> {
    let mut names = names.into_iter();
    let Some(first) = names.next() else { return Vec::new() };
    let same = TypeExpr { kind: TypeExprKind::Name(first.text.clone()), span: first.span };
    let mut items = vec![Item::Type(first, ty)];
    items.extend(names.map(|name| Item::Type(name, same.clone())));
    items
}
