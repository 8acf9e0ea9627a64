//! Formulas and terms.

use std::collections::{BTreeMap, BTreeSet};

use cubicle::syntax::tree::{Formula, FormulaKind, Name, Quantifier, Relation, Summand, Term, TermKind};
use murphi::program::Binary;
use murphi::syntax::tree::Expr;
use system::front_end::Span;

use super::Translator;
use super::build;

/// What the names of a transition or claim denote.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// What a name with a small letter denotes, and its type.
    bindings: BTreeMap<String, (Expr, String)>,
    /// The names of Murphi that are in sight.
    in_sight: BTreeSet<String>,
    /// The parameters of the transition.
    parameters: Vec<String>,
}

impl Scope {
    pub(super) fn see(&mut self, name: &str) {
        self.in_sight.insert(name.to_owned());
    }

    pub(super) fn bind(&mut self, name: &str, value: Expr, ty: &str) {
        self.bindings.insert(name.to_owned(), (value, ty.to_owned()));
    }

    pub(super) fn in_sight(&self) -> &BTreeSet<String> {
        &self.in_sight
    }
}

/// A quantifier over different processes: their names, and what separates them.
pub(super) struct Different {
    pub(super) names: Vec<String>,
    pub(super) conditions: Vec<Expr>,
}

impl Translator<'_> {
    /// Adds parameters, which denote different processes, to a scope.
    pub(super) fn parameters(&self, scope: &mut Scope, names: &[Name]) -> Different {
        let different = self.processes(scope, names);
        scope.parameters.clone_from(&different.names);
        different
    }

    /// Adds names of different processes to a scope.
    pub(super) fn processes(&self, scope: &mut Scope, names: &[Name]) -> Different {
        let own: Vec<String> = names.iter().map(|name| self.process(scope, &name.text)).collect();
        Different { conditions: build::distinct(&own), names: own }
    }

    /// Adds the name of a process to a scope, and returns the one it gets.
    pub(super) fn process(&self, scope: &mut Scope, name: &str) -> String {
        let own = self.names.local(name, &scope.in_sight);
        scope.see(&own);
        scope.bind(name, build::name(&own), "proc");
        own
    }

    pub(super) fn formula(&mut self, scope: &Scope, formula: &Formula) -> Expr {
        match &formula.kind {
            FormulaKind::Constant(truth) => build::name(if *truth { "true" } else { "false" }),
            FormulaKind::Compare(left, relation, right) => self.comparison(scope, left, *relation, right, formula.span),
            FormulaKind::Not(inner) => build::not(self.formula(scope, inner)),
            FormulaKind::And(parts) => build::and(parts.iter().map(|part| self.formula(scope, part)).collect()),
            FormulaKind::Or(parts) => build::or(parts.iter().map(|part| self.formula(scope, part)).collect()),
            FormulaKind::Implies(left, right) => {
                let left = self.formula(scope, left);
                build::implies(vec![left], self.formula(scope, right))
            }
            FormulaKind::Equivalent(left, right) => {
                let (left, right) = (self.formula(scope, left), self.formula(scope, right));
                let there = build::implies(vec![left.clone()], right.clone());
                build::and(vec![there, build::implies(vec![right], left)])
            }
            FormulaKind::If(condition, then, otherwise) => {
                let condition = self.formula(scope, condition);
                let (then, otherwise) = (self.formula(scope, then), self.formula(scope, otherwise));
                let there = build::implies(vec![condition.clone()], then);
                build::and(vec![there, build::implies(vec![build::not(condition)], otherwise)])
            }
            FormulaKind::Quantified(quantifier, names, body) => self.quantified(scope, *quantifier, names, body),
            FormulaKind::Call(name, arguments) => self.called(scope, name, arguments),
            FormulaKind::Term(term) => self.term(scope, term).0,
        }
    }

    fn quantified(&mut self, scope: &Scope, quantifier: Quantifier, names: &[Name], body: &Formula) -> Expr {
        let mut inner = scope.clone();
        let Different { names, mut conditions } = self.processes(&mut inner, names);
        let is_other = matches!(quantifier, Quantifier::ForallOther | Quantifier::ExistsOther);
        if is_other {
            let apart =
                |own: &String, other: &String| build::binary(Binary::Unequal, build::name(own), build::name(other));
            conditions.extend(names.iter().flat_map(|own| scope.parameters.iter().map(move |other| apart(own, other))));
        }
        let body = self.formula(&inner, body);
        match quantifier {
            Quantifier::Forall | Quantifier::ForallOther => {
                build::forall(&names, &self.proc, build::implies(conditions, body))
            }
            Quantifier::Exists | Quantifier::ExistsOther => {
                conditions.push(body);
                build::exists(&names, &self.proc, build::and(conditions))
            }
        }
    }

    /// Unfolds a predicate.
    fn called(&mut self, scope: &Scope, name: &Name, arguments: &[Formula]) -> Expr {
        match self.unfolded(scope, name, arguments) {
            Some((inner, body)) => self.formula(&inner, &body),
            None => build::name("true"),
        }
    }

    /// Returns the body of a predicate, and the scope in which its parameters denote the arguments.
    pub(super) fn unfolded(&mut self, scope: &Scope, name: &Name, arguments: &[Formula]) -> Option<(Scope, Formula)> {
        let predicate = self.predicates.get(&name.text).copied()?;
        let mut inner = Scope { bindings: BTreeMap::new(), ..scope.clone() };
        for (parameter, argument) in predicate.parameters.iter().zip(arguments) {
            let FormulaKind::Term(term) = &argument.kind else { continue };
            let value = self.term(scope, term);
            inner.bindings.insert(parameter.text.clone(), value);
        }
        Some((inner, predicate.body.clone()))
    }

    fn comparison(&mut self, scope: &Scope, left: &Term, relation: Relation, right: &Term, span: Span) -> Expr {
        let (left, ty) = self.term(scope, left);
        let (right, _) = self.term(scope, right);
        if relation.is_order() && ty == "proc" && self.outside.is_some() {
            return self.refused("an order of processes and of what is no process", "compare parameters only", span);
        }
        let operator = match relation {
            Relation::Equal | Relation::Different => {
                let equal = equal(left, right);
                return if relation == Relation::Equal { equal } else { build::not(equal) };
            }
            Relation::Less => Binary::Less,
            Relation::LessEqual => Binary::LessEqual,
            Relation::Greater => Binary::Greater,
            Relation::GreaterEqual => Binary::GreaterEqual,
        };
        build::binary(operator, left, right)
    }

    /// Translates a term, and returns its type.
    pub(super) fn term(&mut self, scope: &Scope, term: &Term) -> (Expr, String) {
        match &term.kind {
            TermKind::Name(name) => self.named(scope, name),
            TermKind::Access(array, indices) => {
                let indices: Vec<Expr> = indices.iter().map(|index| self.named(scope, &index.text).0).collect();
                (build::element(build::name(&self.names.global(&array.text)), indices), self.type_of(&array.text))
            }
            TermKind::Number(text) => (self.number(text, term.span), "int".to_owned()),
            TermKind::Sum(summands) => (self.sum(scope, summands, term.span), "int".to_owned()),
        }
    }

    pub(super) fn named(&self, scope: &Scope, name: &str) -> (Expr, String) {
        if let Some(process) = name.strip_prefix('#') {
            return (build::number(process.parse().unwrap_or(1)), "proc".to_owned());
        }
        match scope.bindings.get(name) {
            Some(bound) => bound.clone(),
            None => (build::name(&self.names.global(name)), self.type_of(name)),
        }
    }

    fn number(&mut self, text: &str, span: Span) -> Expr {
        match text.parse::<i64>() {
            Ok(number) => build::number(number),
            Err(_) => self.refused("a real number", "write it as an integer, and declare `int` for `real`", span),
        }
    }

    /// Translates the sum of a variable and a number.
    fn sum(&mut self, scope: &Scope, summands: &[Summand], span: Span) -> Expr {
        let (mut total, mut read) = (0_i64, None);
        for summand in summands {
            let (mut number, mut own) = (if summand.is_negative { -1_i64 } else { 1 }, None);
            for factor in &summand.factors {
                match &factor.kind {
                    TermKind::Number(text) => number = number.saturating_mul(text.parse().unwrap_or(0)),
                    TermKind::Name(_) | TermKind::Access(..) | TermKind::Sum(_) => {
                        own = Some(self.term(scope, factor).0);
                    }
                }
            }
            match own {
                None => total = total.saturating_add(number),
                Some(own) if number == 1 && read.is_none() => read = Some(own),
                Some(_) => {
                    let help = "write a sum as a variable and a number that is added to it";
                    return self.refused("a sum with several variables", help, span);
                }
            }
        }
        match (read, total) {
            (None, total) => build::number(total),
            (Some(read), 0) => read,
            (Some(read), total) if total > 0 => build::binary(Binary::Add, read, build::number(total)),
            (Some(read), total) => build::binary(Binary::Subtract, read, build::number(total.saturating_neg())),
        }
    }
}

/// Returns that two terms are equal; one that equals a truth value is a condition itself.
fn equal(left: Expr, right: Expr) -> Expr {
    if build::is_truth(&right, true) {
        left
    } else if build::is_truth(&left, true) {
        right
    } else if build::is_truth(&right, false) {
        build::not(left)
    } else if build::is_truth(&left, false) {
        build::not(right)
    } else {
        build::binary(Binary::Equal, left, right)
    }
}
