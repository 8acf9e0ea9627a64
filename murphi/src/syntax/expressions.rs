//! Parses expressions by operator precedence.
//!
//! From loosest to tightest: `?:`, `->`, `||`, `&&`, `|`, `^`, `&`, `!`, comparisons, `<< >>`, `+ -`, `* / %`, signs
//! and `~`. Comparisons, `->` and `?:` do not chain. `!` may follow a tighter operator and then applies to the
//! comparison after it, as in yacc.

use super::fault::SyntaxFault;
use super::parser::{Abandoned, MAX_DEPTH, Parsed, Parser};
use super::token::{Token, symbol_text};
use super::tree::{Domain, Expr, ExprKind, Name, Quantifier};
use crate::program::{Binary, Span, Unary};

/// The precedence of an operator.
type Strength = u8;
const IMPLICATION: Strength = 1;
const LOOSE_OR: Strength = 2;
const LOOSE_AND: Strength = 3;
const OR: Strength = 4;
const EXCLUSIVE: Strength = 5;
const AND: Strength = 6;
const NEGATION: Strength = 7;
const COMPARISON: Strength = 8;
const SHIFT: Strength = 9;
const SUM: Strength = 10;
const PRODUCT: Strength = 11;
const SIGN: Strength = 12;

fn operator(token: &Token) -> Option<(Binary, Strength)> {
    Some(match token {
        Token::Implies => (Binary::Implies, IMPLICATION),
        Token::LooseOr => (Binary::Or, LOOSE_OR),
        Token::LooseAnd => (Binary::And, LOOSE_AND),
        Token::Or => (Binary::Or, OR),
        Token::And => (Binary::And, AND),
        Token::Equal => (Binary::Equal, COMPARISON),
        Token::Unequal => (Binary::Unequal, COMPARISON),
        Token::Less => (Binary::Less, COMPARISON),
        Token::LessEqual => (Binary::LessEqual, COMPARISON),
        Token::Greater => (Binary::Greater, COMPARISON),
        Token::GreaterEqual => (Binary::GreaterEqual, COMPARISON),
        Token::Caret => (Binary::BitXor, EXCLUSIVE),
        Token::ShiftLeft => (Binary::ShiftLeft, SHIFT),
        Token::ShiftRight => (Binary::ShiftRight, SHIFT),
        Token::Plus => (Binary::Add, SUM),
        Token::Minus => (Binary::Subtract, SUM),
        Token::Star => (Binary::Multiply, PRODUCT),
        Token::Slash => (Binary::Divide, PRODUCT),
        Token::Percent => (Binary::Modulo, PRODUCT),
        _ => return None,
    })
}

/// Returns the precedence of the token as a binary operator.
pub(super) fn starts_operator(token: &Token) -> bool {
    operator(token).is_some() || *token == Token::Question
}

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let condition = parser.operators(IMPLICATION)?;
            if *parser.peek() == Token::Question { parser.conditional(condition) } else { Ok(condition) }
        })
    }

    fn conditional(&mut self, condition: Expr) -> Parsed<Expr> {
        self.advance();
        let yes = self.expression()?;
        self.expect(&Token::Colon)?;
        let no = self.nested(|parser| parser.operators(IMPLICATION))?;
        if *self.peek() == Token::Question {
            let span = self.span();
            return Err(self.report(&SyntaxFault::Chained { operator: "? :" }, span));
        }
        let span = condition.span.to(no.span);
        self.checked(ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), span)
    }

    /// Parses an expression, and refuses one too deep for later recursive passes.
    fn checked(&mut self, kind: ExprKind, span: Span) -> Parsed<Expr> {
        self.shallow(Expr::new(kind, span))
    }

    fn shallow(&mut self, expr: Expr) -> Parsed<Expr> {
        if expr.depth <= MAX_DEPTH {
            return Ok(expr);
        }
        Err(self.report(&SyntaxFault::TooDeep { limit: MAX_DEPTH }, expr.span))
    }

    /// Parses operands joined by operators of at least this precedence.
    fn operators(&mut self, least: Strength) -> Parsed<Expr> {
        let mut left = self.prefixed()?;
        // The precedence of the operator that made `left` a chain, while more operands may follow.
        let mut chain = None;
        while let Some((operator, strength)) = self.next_operator(least) {
            let symbol = symbol_text(self.peek());
            self.advance();
            let right = self.nested(|parser| parser.operators(strength + 1))?;
            let span = left.span.to(right.span);
            let logical = matches!(operator, Binary::And | Binary::Or);
            left = match left.kind {
                ExprKind::Chain(same, mut operands) if chain == Some(strength) => {
                    let depth = left.depth.max(right.depth + 1);
                    operands.push(right);
                    self.shallow(Expr { kind: ExprKind::Chain(same, operands), span, depth })?
                }
                kind if logical => self.checked(ExprKind::Chain(operator, vec![Expr { kind, ..left }, right]), span)?,
                kind => {
                    self.checked(ExprKind::Binary(operator, Box::new(Expr { kind, ..left }), Box::new(right)), span)?
                }
            };
            chain = logical.then_some(strength);
            if matches!(strength, IMPLICATION | COMPARISON) && self.follows(strength) {
                let span = self.span();
                return Err(self.report(&SyntaxFault::Chained { operator: symbol }, span));
            }
        }
        Ok(left)
    }

    /// The operator that is next, if it is at least as strong. Words that are operators elsewhere are reported, and mean the same.
    fn next_operator(&mut self, least: Strength) -> Option<(Binary, Strength)> {
        let foreign = [("and", (Binary::And, AND)), ("or", (Binary::Or, OR))];
        let foreign = foreign.into_iter().find(|(word, _)| self.at_foreign(word)).map(|(_, own)| own);
        let found = operator(self.peek()).or(foreign).filter(|(_, strength)| *strength >= least)?;
        if foreign.is_some() {
            let _: Abandoned = self.unexpected("an operator");
        }
        Some(found)
    }

    /// Whether the next token is this word, which Murphi does not know, before an operand.
    pub(super) fn at_foreign(&self, word: &str) -> bool {
        let is_it = |own: &String| own.eq_ignore_ascii_case(word) && !self.procedures.contains(own);
        matches!(self.peek(), Token::Word(own) if is_it(own))
            && match self.peek_second() {
                Token::Word(_) | Token::Integer(_) | Token::Open | Token::Not => true,
                Token::Keyword(word) => ["forall", "exists", "isundefined", "ismember"].contains(word),
                _ => false,
            }
    }

    fn follows(&self, strength: Strength) -> bool {
        operator(self.peek()).is_some_and(|(_, next)| next == strength)
    }

    /// Parses `!`, `~`, a sign, or an operand with no prefix.
    fn prefixed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let is_foreign = self.at_foreign("not");
        if is_foreign {
            let _: Abandoned = self.unexpected("an expression");
        }
        let (strength, make): (Strength, fn(Box<Expr>) -> ExprKind) = match self.peek() {
            Token::Word(_) if is_foreign => (NEGATION, |inner| ExprKind::Unary(Unary::Not, inner)),
            Token::Not => (NEGATION, |inner| ExprKind::Unary(Unary::Not, inner)),
            Token::Minus => (SIGN, |inner| ExprKind::Unary(Unary::Minus, inner)),
            Token::Plus => (SIGN, ExprKind::Plus),
            Token::Tilde => (SIGN, ExprKind::Complement),
            _ => return self.primary(),
        };
        self.advance();
        let inner = self.nested(|parser| parser.operators(strength))?;
        let span = start.to(inner.span);
        self.checked(make(Box::new(inner)), span)
    }

    /// Parses a bound of a range, without `? :`: a colon may belong to the construct around the type.
    pub(super) fn bound(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.operators(IMPLICATION))
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Integer(number) => {
                self.advance();
                ExprKind::Integer(number.unwrap_or(0))
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
            Token::Keyword("forall") => self.quantified("forall", ExprKind::Forall)?,
            Token::Keyword("exists") => self.quantified("exists", ExprKind::Exists)?,
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
        let span = start.to(self.last_span());
        self.checked(kind, span)
    }

    fn named(&mut self, name: Name) -> Parsed<Expr> {
        let start = name.span;
        if *self.peek() == Token::Open {
            let arguments = self.arguments()?;
            let span = start.to(self.last_span());
            let call = self.checked(ExprKind::Call(name, arguments), span)?;
            return self.suffixes(call);
        }
        self.suffixes(Expr::new(ExprKind::Name(name.text), start))
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(&Token::Open)?;
        self.list(&Token::Close, Self::expression)
    }

    /// Parses any number of `.field` and `[index]`.
    fn suffixes(&mut self, mut expr: Expr) -> Parsed<Expr> {
        loop {
            let start = expr.span;
            let kind = if self.eat(&Token::Dot) {
                let field = self.name()?;
                ExprKind::Field(Box::new(expr), field)
            } else if self.eat(&Token::OpenBracket) {
                let index = self.expression()?;
                self.expect(&Token::CloseBracket)?;
                ExprKind::Element(Box::new(expr), Box::new(index))
            } else {
                return Ok(expr);
            };
            expr = self.checked(kind, start.to(self.last_span()))?;
        }
    }

    /// Parses a place: a name with fields and indices.
    pub(super) fn place(&mut self) -> Parsed<Expr> {
        let name = self.name()?;
        self.suffixes(Expr::new(ExprKind::Name(name.text), name.span))
    }

    /// Parses `(name : place, condition)`.
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

    fn quantified(&mut self, word: &'static str, make: fn(Vec<Quantifier>, Box<Expr>) -> ExprKind) -> Parsed<ExprKind> {
        let start = self.span();
        self.advance();
        let quantifiers = self.quantifiers()?;
        let body = self.expression()?;
        self.eat(&Token::Semicolon);
        self.expect_end(word, start)?;
        Ok(make(quantifiers, Box::new(body)))
    }

    /// Parses quantifiers separated by semicolons, up to and including `do`, which may follow an extra semicolon.
    pub(super) fn quantifiers(&mut self) -> Parsed<Vec<Quantifier>> {
        let mut quantifiers = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if !quantifiers.is_empty() && (self.at_keyword(&["do"]) || *self.peek() == Token::Colon) {
                break;
            }
            self.quantifier(&mut quantifiers)?;
            if *self.peek() != Token::Semicolon {
                break;
            }
        }
        self.expect_do()?;
        Ok(quantifiers)
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
