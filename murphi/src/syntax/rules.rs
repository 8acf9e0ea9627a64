//! Parses rules, startstates, properties, and groups of them.

use super::expressions::starts_operator;
use super::fault::UNQUOTED;
use super::parser::{Abandoned, Parsed, Parser};
use super::token::Token;
use super::tree::{Expr, ExprKind, Item, Name, Quantifier, RuleItem, Stmt};
use crate::program::{PropertyKind, Span};

/// Keywords that start a statement.
const STATEMENTS: &[&str] = &[
    "if",
    "switch",
    "for",
    "while",
    "alias",
    "return",
    "clear",
    "undefine",
    "assert",
    "invariant",
    "error",
    "put",
    "multisetadd",
    "multisetremove",
    "multisetremovepred",
];

impl Parser {
    pub(super) fn rule_item(&mut self) -> Parsed<RuleItem> {
        self.nested(|parser| match parser.peek().clone() {
            Token::Keyword("rule") => parser.rule(),
            Token::Keyword("startstate") => parser.startstate(),
            Token::Keyword("invariant" | "assert") => parser.property(PropertyKind::Invariant),
            Token::Keyword("ruleset") => parser.group("ruleset", |parser| {
                parser.advance();
                Ok(Group::Ruleset(parser.quantifiers()?))
            }),
            Token::Keyword("alias") => parser.group("alias", |parser| Ok(Group::Alias(parser.aliases()?))),
            Token::Keyword("choose") => parser.group("choose", |parser| {
                parser.advance();
                let name = parser.name()?;
                parser.expect(&Token::Colon)?;
                let place = parser.place()?;
                parser.expect_do()?;
                Ok(Group::Choose(name, place))
            }),
            _ => match parser.property_word() {
                Some(kind) => parser.property(kind),
                None => {
                    parser.misspelled("a rule, a startstate or an invariant")?;
                    parser.rule_item()
                }
            },
        })
    }

    /// Returns the kind of property that one of rumur's keywords introduces. Elsewhere these keywords are names.
    pub(super) fn property_word(&self) -> Option<PropertyKind> {
        let Token::Word(word) = self.peek() else { return None };
        match word.to_ascii_lowercase().as_str() {
            "assume" => Some(PropertyKind::Assume),
            "cover" => Some(PropertyKind::Cover),
            "liveness" => Some(PropertyKind::Liveness),
            _ => None,
        }
    }

    /// Parses a head, then rules up to and including `end`.
    fn group(&mut self, word: &'static str, head: impl FnOnce(&mut Self) -> Parsed<Group>) -> Parsed<RuleItem> {
        let start = self.span();
        let head = head(self)?;
        let mut rules = Vec::new();
        loop {
            while self.eat(&Token::Semicolon) {}
            if self.at_end_keyword() || *self.peek() == Token::End || self.at_keyword(&["function", "procedure"]) {
                self.expect_end(word, start)?;
                break;
            }
            match self.rule_item() {
                Ok(rule) => rules.push(rule),
                Err(Abandoned) => {
                    self.recover_in_block();
                    if !self.at_rule() && !self.at_end_keyword() {
                        return Err(Abandoned);
                    }
                }
            }
        }
        Ok(match head {
            Group::Ruleset(quantifiers) => RuleItem::Ruleset(quantifiers, rules, start.to(self.last_span())),
            Group::Alias(aliases) => RuleItem::Alias(aliases, rules),
            Group::Choose(name, place) => RuleItem::Choose(name, place, rules),
        })
    }

    fn rule(&mut self) -> Parsed<RuleItem> {
        let start = self.span();
        self.advance();
        let priority = self.priority();
        let name = self.item_name();
        self.eat(&Token::Semicolon);
        let guard = match self.guard() {
            Ok(guard) => guard,
            Err(Abandoned) => {
                self.recover_in_guard();
                None
            }
        };
        let (declarations, body) = self.block("rule", start)?;
        Ok(RuleItem::Rule { name, priority, guard, declarations, body, span: start.to(self.last_span()) })
    }

    /// Takes the name of a rule, startstate or property. A word in its place that can be nothing else is reported, and taken.
    fn item_name(&mut self) -> Option<String> {
        // These begin a statement, although they are names elsewhere.
        const STATEMENTS: [&str; 3] = ["assume", "cover", "liveness"];
        if let Token::Word(word) = self.peek().clone()
            && !STATEMENTS.contains(&word.to_ascii_lowercase().as_str())
            && !self.at_foreign("not")
            && self.no_expression_goes_on()
        {
            let _: Abandoned = self.unexpected(UNQUOTED);
            self.advance();
            return Some(word);
        }
        self.text()
    }

    /// Whether an expression or a statement that starts with the next token cannot have the one behind it.
    fn no_expression_goes_on(&self) -> bool {
        const BEGINNINGS: [&str; 12] = [
            "forall",
            "exists",
            "isundefined",
            "begin",
            "var",
            "const",
            "type",
            "for",
            "if",
            "while",
            "switch",
            "clear",
        ];
        match self.peek_second() {
            Token::Word(word) => !matches!(word.to_ascii_lowercase().as_str(), "and" | "or"),
            Token::Not | Token::Integer(_) => true,
            Token::Keyword(word) => BEGINNINGS.contains(word),
            _ => false,
        }
    }

    /// Parses a number directly after `rule`, unless it starts the guard.
    fn priority(&mut self) -> Option<Expr> {
        let span = self.span();
        match (self.peek(), self.peek_second()) {
            (Token::Integer(Some(number)), behind) if !starts_operator(behind) => {
                let number = *number;
                self.advance();
                Some(Expr::new(ExprKind::Integer(number), span))
            }
            _ => None,
        }
    }

    /// Parses the guard, if there is one: an expression before `==>`.
    fn guard(&mut self) -> Parsed<Option<Expr>> {
        if self.eat(&Token::Arrow) || self.at_keyword(&["begin", "var", "const", "type"]) || self.at_end_keyword() {
            return Ok(None);
        }
        if let Some(guard) = self.attempt(Self::expression, &Token::Arrow) {
            self.advance();
            return Ok(Some(guard));
        }
        // A rule without a guard may start with a statement; anything else is a guard with an error.
        if self.at_statement() {
            return Ok(None);
        }
        let guard = self.expression()?;
        self.expect(&Token::Arrow)?;
        Ok(Some(guard))
    }

    /// Skips past `==>`, so that the body is read even though the guard has an error.
    fn recover_in_guard(&mut self) {
        while !matches!(self.peek(), Token::End | Token::Semicolon)
            && !self.at_keyword(&["begin", "var", "rule", "startstate", "ruleset", "invariant"])
            && !self.at_end_keyword()
        {
            if self.eat(&Token::Arrow) {
                return;
            }
            self.advance();
        }
    }

    fn at_statement(&mut self) -> bool {
        let call = |parser: &mut Self| {
            parser.name()?;
            parser.arguments()
        };
        self.at_keyword(STATEMENTS)
            || self.try_only(Self::place, &[Token::Assign])
            || self.try_only(call, &[Token::Semicolon, Token::Keyword("end"), Token::Keyword("endrule")])
            || (self.property_word().is_some() && self.property_statement_follows())
    }

    fn startstate(&mut self) -> Parsed<RuleItem> {
        let start = self.span();
        self.advance();
        let name = self.item_name();
        self.eat(&Token::Semicolon);
        let (declarations, body) = self.block("startstate", start)?;
        Ok(RuleItem::Startstate { name, declarations, body, span: start.to(self.last_span()) })
    }

    /// Parses declarations, an optional `begin`, statements, and `end`.
    pub(super) fn block(&mut self, word: &'static str, start: Span) -> Parsed<(Vec<Item>, Vec<Stmt>)> {
        let mut declarations = Vec::new();
        self.declarations(&mut declarations, false);
        self.eat_keyword("begin");
        let body = self.statements()?;
        self.expect_end(word, start)?;
        Ok((declarations, body))
    }

    fn property(&mut self, kind: PropertyKind) -> Parsed<RuleItem> {
        let start = self.span();
        self.advance();
        let (name, condition) = self.named_condition()?;
        Ok(RuleItem::Property { kind, name, condition, span: start.to(self.last_span()) })
    }

    /// Parses a condition with its name before it or, as in rumur, after it.
    pub(super) fn named_condition(&mut self) -> Parsed<(Option<String>, Expr)> {
        let name = self.item_name();
        if name.is_some() {
            self.eat(&Token::Semicolon);
        }
        let condition = self.expression()?;
        let name = name.or_else(|| self.text());
        Ok((name, condition))
    }
}

/// The head of a group around rules.
enum Group {
    Ruleset(Vec<Quantifier>),
    Alias(Vec<(Name, Expr)>),
    Choose(Name, Expr),
}
