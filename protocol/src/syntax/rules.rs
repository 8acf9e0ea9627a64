//! Rules, startstates, properties, and groups of them.

use super::parser::{Abandoned, Parsed, Parser};
use super::token::Token;
use super::tree::{Item, RuleItem};
use crate::program::PropertyKind;

impl Parser {
    pub(super) fn rule_item(&mut self) -> Parsed<RuleItem> {
        self.nested(|parser| match parser.peek().clone() {
            Token::Keyword("rule") => parser.rule(),
            Token::Keyword("startstate") => parser.startstate(),
            Token::Keyword("ruleset") => {
                parser.advance();
                let quantifiers = parser.quantifiers()?;
                parser.expect_keyword("do")?;
                let rules = parser.rule_items()?;
                Ok(RuleItem::Ruleset(quantifiers, rules))
            }
            Token::Keyword("alias") => {
                let aliases = parser.aliases()?;
                let rules = parser.rule_items()?;
                Ok(RuleItem::Alias(aliases, rules))
            }
            Token::Keyword("choose") => {
                parser.advance();
                let name = parser.name()?;
                parser.expect(&Token::Colon)?;
                let place = parser.expression()?;
                parser.expect_keyword("do")?;
                let rules = parser.rule_items()?;
                Ok(RuleItem::Choose(name, place, rules))
            }
            Token::Keyword("invariant" | "assert") => parser.property(PropertyKind::Invariant),
            Token::Keyword("assume") => parser.property(PropertyKind::Assume),
            Token::Keyword("cover") => parser.property(PropertyKind::Cover),
            Token::Keyword("liveness") => parser.property(PropertyKind::Liveness),
            _ => Err(parser.unexpected("a rule, startstate, ruleset, alias or invariant")),
        })
    }

    /// Rules up to and with `end`.
    fn rule_items(&mut self) -> Parsed<Vec<RuleItem>> {
        let mut rules = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if self.at_end_keyword() {
                self.advance();
                return Ok(rules);
            }
            if *self.peek() == Token::End {
                return Err(self.unexpected("`end`"));
            }
            match self.rule_item() {
                Ok(rule) => rules.push(rule),
                Err(Abandoned) => {
                    self.recover_in_block();
                    if !self.at_keyword(&["rule", "startstate", "invariant", "ruleset"]) && !self.at_end_keyword() {
                        return Err(Abandoned);
                    }
                }
            }
        }
    }

    fn rule(&mut self) -> Parsed<RuleItem> {
        let start = self.span();
        self.advance();
        let name = self.text();
        let priority = self.priority()?;
        self.eat(&Token::Semicolon);
        let guard = self.guard()?;
        let (declarations, body) = self.block()?;
        Ok(RuleItem::Rule { name, priority, guard, declarations, body, span: start.to(self.last_span()) })
    }

    /// `priority n`; the word is no keyword elsewhere.
    fn priority(&mut self) -> Parsed<Option<super::tree::Expr>> {
        let word = matches!(self.peek(), Token::Word(word) if word.eq_ignore_ascii_case("priority"));
        if !word || !matches!(self.peek_second(), Token::Integer(_)) {
            return Ok(None);
        }
        self.advance();
        Ok(Some(self.expression()?))
    }

    /// The guard, where one is written: an expression before `==>`.
    fn guard(&mut self) -> Parsed<Option<super::tree::Expr>> {
        if self.eat(&Token::Arrow) {
            return Ok(None);
        }
        if self.at_keyword(&["begin", "var", "const", "type"]) {
            return Ok(None);
        }
        if let Some(guard) = self.attempt(Self::expression, &Token::Arrow) {
            self.advance();
            return Ok(Some(guard));
        }
        // A rule without a guard may start with a statement; anything else is a guard with a mistake in it.
        let statement = self.at_keyword(&[
            "if",
            "switch",
            "for",
            "while",
            "alias",
            "return",
            "clear",
            "undefine",
            "assert",
            "error",
            "put",
            "multisetadd",
            "multisetremove",
            "multisetremovepred",
        ]);
        let ended = self.at_end_keyword();
        let assignment = self.try_only(Self::place, &Token::Assign);
        let call = matches!(self.peek(), Token::Word(_)) && *self.peek_second() == Token::Open;
        if statement || ended || assignment || (call && self.is_call_statement()) {
            return Ok(None);
        }
        let guard = self.expression()?;
        self.expect(&Token::Arrow)?;
        Ok(Some(guard))
    }

    fn is_call_statement(&mut self) -> bool {
        let call = |parser: &mut Self| {
            let name = parser.name()?;
            parser.arguments()?;
            Ok(name)
        };
        self.attempt_any(call, &[Token::Semicolon, Token::Keyword("end"), Token::Keyword("endrule")])
    }

    /// Whether a part could be read before one of the tokens; nothing is read.
    fn attempt_any<T>(&mut self, part: impl Fn(&mut Self) -> Parsed<T>, followed_by: &[Token]) -> bool {
        followed_by.iter().any(|token| self.try_only(&part, token))
    }

    fn startstate(&mut self) -> Parsed<RuleItem> {
        let start = self.span();
        self.advance();
        let name = self.text();
        self.eat(&Token::Semicolon);
        let (declarations, body) = self.block()?;
        Ok(RuleItem::Startstate { name, declarations, body, span: start.to(self.last_span()) })
    }

    /// Declarations, an optional `begin`, statements, `end`.
    fn block(&mut self) -> Parsed<(Vec<Item>, Vec<super::tree::Stmt>)> {
        let mut declarations = Vec::new();
        self.declarations(&mut declarations)?;
        self.eat_keyword("begin");
        let body = self.statements()?;
        self.expect_end()?;
        Ok((declarations, body))
    }

    fn property(&mut self, kind: PropertyKind) -> Parsed<RuleItem> {
        let start = self.span();
        self.advance();
        let name = self.text();
        self.eat(&Token::Semicolon);
        let condition = self.expression()?;
        // rumur also takes the name behind the condition.
        let name = name.or_else(|| self.text());
        Ok(RuleItem::Property { kind, name, condition, span: start.to(self.last_span()) })
    }
}
