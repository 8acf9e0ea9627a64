//! Formulas and terms.
//!
//! From weak to strong, the operators are `=>` and `<=>`, `||`, `&&`, `if … then … else`, `not`. They group to the right. A
//! quantifier extends as far as possible.

use system::front_end::Span;

use super::parser::{MAX_DEPTH, Parsed, Parser};
use super::token::Token;
use super::tree::{Formula, FormulaKind, Name, Quantifier, Relation, Summand, Term, TermKind};
use crate::fault::Fault;

impl Parser {
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        let left = self.disjunction()?;
        let implies = self.at("=>");
        if !implies && !self.at("<=>") {
            return Ok(left);
        }
        self.advance();
        let right = Box::new(self.nested(Self::formula)?);
        let span = left.span.to(right.span);
        let kind = if implies {
            FormulaKind::Implies(Box::new(left), right)
        } else {
            FormulaKind::Equivalent(Box::new(left), right)
        };
        Ok(Formula { kind, span })
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.report(&Fault::TooDeep { limit: MAX_DEPTH }, self.span());
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn disjunction(&mut self) -> Parsed<Formula> {
        self.joined("||", Self::conjunction, FormulaKind::Or)
    }

    fn conjunction(&mut self) -> Parsed<Formula> {
        self.joined("&&", Self::unary, FormulaKind::And)
    }

    fn joined(
        &mut self,
        operator: &str,
        operand: impl Fn(&mut Self) -> Parsed<Formula>,
        join: fn(Vec<Formula>) -> FormulaKind,
    ) -> Parsed<Formula> {
        let first = operand(self)?;
        if !self.at(operator) {
            return Ok(first);
        }
        let start = first.span;
        let mut parts = vec![first];
        while self.eat(operator) {
            parts.push(operand(self)?);
        }
        Ok(Formula { span: start.to(self.last_span()), kind: join(parts) })
    }

    fn unary(&mut self) -> Parsed<Formula> {
        self.nested(|parser| {
            let start = parser.span();
            let kind = match parser.peek().clone() {
                Token::Keyword("not") => {
                    parser.advance();
                    FormulaKind::Not(Box::new(parser.unary()?))
                }
                Token::Keyword("if") => parser.conditional()?,
                Token::Keyword("forall") => parser.quantified(Quantifier::Forall)?,
                Token::Keyword("exists") => parser.quantified(Quantifier::Exists)?,
                Token::Keyword("forall_other") => parser.quantified(Quantifier::ForallOther)?,
                Token::Keyword("exists_other") => parser.quantified(Quantifier::ExistsOther)?,
                Token::Keyword(_)
                | Token::Lower(_)
                | Token::Upper(_)
                | Token::Process(_)
                | Token::Number(_)
                | Token::Symbol(_)
                | Token::End => return parser.atom(start),
            };
            Ok(Formula { kind, span: start.to(parser.last_span()) })
        })
    }

    fn conditional(&mut self) -> Parsed<FormulaKind> {
        self.advance();
        let condition = Box::new(self.formula()?);
        if !self.eat_keyword("then") {
            return self.unexpected("`then`");
        }
        let then = Box::new(self.formula()?);
        if !self.eat_keyword("else") {
            return self.unexpected("`else`");
        }
        let otherwise = Box::new(self.unary()?);
        Ok(FormulaKind::If(condition, then, otherwise))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<FormulaKind> {
        self.advance();
        let mut names = vec![self.lower("a variable")?];
        // `forall x <> y. …` says that the variables denote different processes.
        while matches!(quantifier, Quantifier::Forall | Quantifier::Exists) && self.eat("<>") {
            names.push(self.lower("a variable")?);
        }
        self.expect(".")?;
        Ok(FormulaKind::Quantified(quantifier, names, Box::new(self.formula()?)))
    }

    fn atom(&mut self, start: Span) -> Parsed<Formula> {
        let kind = match self.peek().clone() {
            Token::Keyword("true") => {
                self.advance();
                FormulaKind::Constant(true)
            }
            Token::Keyword("false") => {
                self.advance();
                FormulaKind::Constant(false)
            }
            Token::Symbol("(") => {
                self.advance();
                let inner = self.formula()?;
                self.expect(")")?;
                return Ok(Formula { kind: inner.kind, span: start.to(self.last_span()) });
            }
            Token::Lower(name) if self.is_call() => {
                let name = Name { text: name, span: start };
                self.advance();
                self.expect("(")?;
                let arguments = if self.at(")") { Vec::new() } else { self.separated(Self::formula)? };
                self.expect(")")?;
                FormulaKind::Call(name, arguments)
            }
            Token::Keyword(_)
            | Token::Lower(_)
            | Token::Upper(_)
            | Token::Process(_)
            | Token::Number(_)
            | Token::Symbol(_)
            | Token::End => self.comparison()?,
        };
        Ok(Formula { kind, span: start.to(self.last_span()) })
    }

    fn comparison(&mut self) -> Parsed<FormulaKind> {
        let left = self.term()?;
        let Token::Symbol(symbol) = *self.peek() else { return Ok(FormulaKind::Term(left)) };
        let relation = match symbol {
            "=" => Relation::Equal,
            "<>" => Relation::Different,
            "<" => Relation::Less,
            "<=" => Relation::LessEqual,
            ">" => Relation::Greater,
            ">=" => Relation::GreaterEqual,
            _ => return Ok(FormulaKind::Term(left)),
        };
        self.advance();
        Ok(FormulaKind::Compare(left, relation, self.term()?))
    }

    /// Parses a term. A product comes before a sum.
    pub(super) fn term(&mut self) -> Parsed<Term> {
        let start = self.span();
        let mut summands = Vec::new();
        let mut is_negative = self.eat("-");
        loop {
            let mut factors = vec![self.factor()?];
            while self.eat("*") {
                factors.push(self.factor()?);
            }
            summands.push(Summand { is_negative, factors });
            is_negative = self.at("-");
            if !self.eat("+") && !self.eat("-") {
                break;
            }
        }
        let span = start.to(self.last_span());
        Ok(match &mut summands[..] {
            [Summand { is_negative: false, factors }] if factors.len() == 1 => factors.remove(0),
            _ => Term { kind: TermKind::Sum(summands), span },
        })
    }

    fn factor(&mut self) -> Parsed<Term> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Upper(text) => {
                self.advance();
                let name = Name { text, span: start };
                if self.at("[") { TermKind::Access(name, self.indices()?) } else { TermKind::Name(name.text) }
            }
            Token::Lower(text) => {
                self.advance();
                TermKind::Name(text)
            }
            Token::Process(number) => {
                self.advance();
                TermKind::Name(format!("#{number}"))
            }
            Token::Number(text) => {
                self.advance();
                TermKind::Number(text)
            }
            Token::Symbol(_) | Token::Keyword(_) | Token::End => return self.unexpected("a formula or a term"),
        };
        Ok(Term { kind, span: start.to(self.last_span()) })
    }
}
