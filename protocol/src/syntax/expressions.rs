//! Expressions, loosest operators first: `?:`, `->`, `|`, `&`, `!`, comparisons, `+ -`, `* / %`, unary minus.

use super::parser::{Parsed, Parser};
use super::token::Token;
use super::tree::{Domain, Expr, ExprKind, Name, Quantifier};
use crate::program::{Binary, Span, Unary};

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(Self::conditional)
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.implication()?;
        if !self.eat(&Token::Question) {
            return Ok(condition);
        }
        let yes = self.expression()?;
        self.expect(&Token::Colon)?;
        let no = self.expression()?;
        let span = condition.span.to(no.span);
        Ok(Expr { kind: ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), span })
    }

    fn implication(&mut self) -> Parsed<Expr> {
        let left = self.disjunction()?;
        if !self.eat(&Token::Implies) {
            return Ok(left);
        }
        let right = self.nested(Self::implication)?;
        Ok(binary(Binary::Implies, left, right))
    }

    fn disjunction(&mut self) -> Parsed<Expr> {
        let mut left = self.conjunction()?;
        while self.eat(&Token::Or) {
            let right = self.conjunction()?;
            left = binary(Binary::Or, left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Expr> {
        let mut left = self.negation()?;
        while self.eat(&Token::And) {
            let right = self.negation()?;
            left = binary(Binary::And, left, right);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.eat(&Token::Not) {
            return self.comparison();
        }
        let inner = self.nested(Self::negation)?;
        let span = start.to(inner.span);
        Ok(Expr { kind: ExprKind::Unary(Unary::Not, Box::new(inner)), span })
    }

    fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.sum()?;
        let operator = match self.peek() {
            Token::Equal => Binary::Equal,
            Token::Unequal => Binary::Unequal,
            Token::Less => Binary::Less,
            Token::LessEqual => Binary::LessEqual,
            Token::Greater => Binary::Greater,
            Token::GreaterEqual => Binary::GreaterEqual,
            _ => return Ok(left),
        };
        self.advance();
        // `a = !b` is written in the wild; `!` binds looser, so it needs a rule of its own on the right side.
        let right = if *self.peek() == Token::Not { self.nested(Self::negation)? } else { self.sum()? };
        Ok(binary(operator, left, right))
    }

    /// A bound of a range: a sum, so that `..` ends it.
    pub(super) fn bound(&mut self) -> Parsed<Expr> {
        self.nested(Self::sum)
    }

    fn sum(&mut self) -> Parsed<Expr> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                Token::Plus => Binary::Add,
                Token::Minus => Binary::Subtract,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.product()?;
            left = binary(operator, left, right);
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        let mut left = self.signed()?;
        loop {
            let operator = match self.peek() {
                Token::Star => Binary::Multiply,
                Token::Slash => Binary::Divide,
                Token::Percent => Binary::Modulo,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.signed()?;
            left = binary(operator, left, right);
        }
    }

    fn signed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat(&Token::Minus) {
            let inner = self.nested(Self::signed)?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Unary(Unary::Minus, Box::new(inner)), span });
        }
        if self.eat(&Token::Plus) {
            return self.nested(Self::signed);
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Integer(number) => {
                self.advance();
                ExprKind::Integer(number)
            }
            Token::Open => {
                self.advance();
                let inner = self.expression()?;
                self.expect(&Token::Close)?;
                return self.suffixes(Expr { span: start.to(self.last_span()), ..inner });
            }
            Token::Keyword("undefined") => {
                self.advance();
                ExprKind::Undefined
            }
            Token::Keyword("forall") => self.quantified(ExprKind::Forall)?,
            Token::Keyword("exists") => self.quantified(ExprKind::Exists)?,
            Token::Keyword("isundefined") => {
                self.advance();
                self.expect(&Token::Open)?;
                let place = self.expression()?;
                self.expect(&Token::Close)?;
                ExprKind::IsUndefined(Box::new(place))
            }
            Token::Keyword("ismember") => {
                self.advance();
                self.expect(&Token::Open)?;
                let value = self.expression()?;
                self.expect(&Token::Comma)?;
                let ty = self.type_expression()?;
                self.expect(&Token::Close)?;
                ExprKind::IsMember(Box::new(value), ty)
            }
            Token::Keyword("multisetcount") => {
                self.advance();
                let (name, place, condition) = self.multiset_condition()?;
                ExprKind::MultisetCount(name, Box::new(place), Box::new(condition))
            }
            Token::Word(_) => {
                let name = self.name()?;
                return self.named(name);
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: start.to(self.last_span()) })
    }

    fn named(&mut self, name: Name) -> Parsed<Expr> {
        let start = name.span;
        if *self.peek() == Token::Open {
            let arguments = self.arguments()?;
            let call = Expr { kind: ExprKind::Call(name, arguments), span: start.to(self.last_span()) };
            return self.suffixes(call);
        }
        self.suffixes(Expr { kind: ExprKind::Name(name.text), span: start })
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(&Token::Open)?;
        let mut arguments = Vec::new();
        while *self.peek() != Token::Close {
            arguments.push(self.expression()?);
            if !self.eat(&Token::Comma) {
                break;
            }
        }
        self.expect(&Token::Close)?;
        Ok(arguments)
    }

    /// `.field` and `[index]`, as many as follow.
    fn suffixes(&mut self, mut expr: Expr) -> Parsed<Expr> {
        let mut depth = 0u32;
        loop {
            if self.eat(&Token::Dot) {
                let field = self.name()?;
                let span = expr.span.to(field.span);
                expr = Expr { kind: ExprKind::Field(Box::new(expr), field), span };
            } else if self.eat(&Token::OpenBracket) {
                let index = self.expression()?;
                self.expect(&Token::CloseBracket)?;
                let span = expr.span.to(self.last_span());
                expr = Expr { kind: ExprKind::Element(Box::new(expr), Box::new(index)), span };
            } else {
                return Ok(expr);
            }
            depth += 1;
            if depth > 100 {
                return Err(self.unexpected("the end of an access with more than 100 steps"));
            }
        }
    }

    /// A place: a name with fields and indices.
    pub(super) fn place(&mut self) -> Parsed<Expr> {
        let name = self.name()?;
        let span = name.span;
        self.suffixes(Expr { kind: ExprKind::Name(name.text), span })
    }

    /// `(name : place, condition)`.
    pub(super) fn multiset_condition(&mut self) -> Parsed<(Name, Expr, Expr)> {
        self.expect(&Token::Open)?;
        let name = self.name()?;
        self.expect(&Token::Colon)?;
        let place = self.expression()?;
        self.expect(&Token::Comma)?;
        let condition = self.expression()?;
        self.expect(&Token::Close)?;
        Ok((name, place, condition))
    }

    fn quantified(&mut self, make: fn(Vec<Quantifier>, Box<Expr>) -> ExprKind) -> Parsed<ExprKind> {
        self.advance();
        let quantifiers = self.quantifiers()?;
        self.expect_keyword("do")?;
        let body = self.expression()?;
        self.eat(&Token::Semicolon);
        self.expect_end()?;
        Ok(make(quantifiers, Box::new(body)))
    }

    /// Quantifiers separated by semicolons, with one more semicolon before `do` allowed.
    pub(super) fn quantifiers(&mut self) -> Parsed<Vec<Quantifier>> {
        let mut quantifiers = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if self.at_keyword(&["do"]) && !quantifiers.is_empty() {
                return Ok(quantifiers);
            }
            self.quantifier(&mut quantifiers)?;
            if *self.peek() != Token::Semicolon {
                return Ok(quantifiers);
            }
        }
    }

    fn quantifier(&mut self, quantifiers: &mut Vec<Quantifier>) -> Parsed<()> {
        let name = self.name()?;
        if self.eat(&Token::Assign) {
            let from = Box::new(self.expression()?);
            self.expect_keyword("to")?;
            let to = Box::new(self.expression()?);
            let by = if self.eat_keyword("by") { Some(Box::new(self.expression()?)) } else { None };
            quantifiers.push(Quantifier { name, over: Domain::Numbers(from, to, by) });
            return Ok(());
        }
        let mut names = vec![name];
        while self.eat(&Token::Comma) {
            names.push(self.name()?);
        }
        self.expect(&Token::Colon)?;
        let ty = self.type_expression()?;
        quantifiers.extend(names.into_iter().map(|name| Quantifier { name, over: Domain::Type(ty.clone()) }));
        Ok(())
    }
}

fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    let span: Span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}
