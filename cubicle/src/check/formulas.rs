//! Checks formulas and terms.

use super::{Checked, Checker, Fault, Global, Recorded, Scope};
use crate::program::{Formula, Local, PROC, Process, Quantified, Relation, Term, TypeId, VariableId};
use crate::syntax::tree::{self, FormulaKind, Name, Quantifier, TermKind};
use system::front_end::Span;
use system::similar::closest_name;

/// A claim or transition with more formulas, predicates unfolded, is refused.
const MOST_FORMULAS: usize = 100_000;

impl<'i> Checker<'i> {
    pub(super) fn formula(&mut self, scope: &mut Scope, formula: &'i tree::Formula) -> Checked<Formula> {
        scope.size += 1;
        if scope.size > MOST_FORMULAS {
            return self.fault(&Fault::TooLong { limit: MOST_FORMULAS }, formula.span);
        }
        match &formula.kind {
            FormulaKind::Constant(truth) => Ok(Formula::Constant(*truth)),
            FormulaKind::Compare(left, relation, right) => self.comparison(scope, left, *relation, right, formula.span),
            FormulaKind::Not(inner) => Ok(not(self.formula(scope, inner)?)),
            FormulaKind::And(parts) => Ok(Formula::And(self.formulas(scope, parts)?)),
            FormulaKind::Or(parts) => Ok(Formula::Or(self.formulas(scope, parts)?)),
            FormulaKind::Implies(left, right) => {
                Ok(Formula::Or(vec![not(self.formula(scope, left)?), self.formula(scope, right)?]))
            }
            FormulaKind::Equivalent(left, right) => self.conditional(scope, left, (right, true), (right, false)),
            FormulaKind::If(condition, then, otherwise) => {
                self.conditional(scope, condition, (then, true), (otherwise, true))
            }
            FormulaKind::Quantified(quantifier, names, body) => {
                self.quantified(scope, *quantifier, names, body, formula.span)
            }
            FormulaKind::Call(name, arguments) => self.call(scope, name, arguments),
            FormulaKind::Term(_) => self.fault(&Fault::NotAFormula, formula.span),
        }
    }

    fn formulas(&mut self, scope: &mut Scope, parts: &'i [tree::Formula]) -> Checked<Vec<Formula>> {
        // All parts are looked at, so that all faults are reported.
        let parts: Vec<Checked<Formula>> = parts.iter().map(|part| self.formula(scope, part)).collect();
        parts.into_iter().collect()
    }

    /// Returns `if condition then … else …`, where each branch is a formula or its negation. What occurs twice is checked
    /// twice, so that its quantifiers have different variables.
    fn conditional(
        &mut self,
        scope: &mut Scope,
        condition: &'i tree::Formula,
        (then, then_holds): (&'i tree::Formula, bool),
        (otherwise, otherwise_holds): (&'i tree::Formula, bool),
    ) -> Checked<Formula> {
        let signed = |formula, holds| if holds { formula } else { not(formula) };
        let first = not(self.formula(scope, condition)?);
        let then = signed(self.formula(scope, then)?, then_holds);
        let second = self.formula(scope, condition)?;
        let otherwise = signed(self.formula(scope, otherwise)?, otherwise_holds);
        Ok(Formula::And(vec![Formula::Or(vec![first, then]), Formula::Or(vec![second, otherwise])]))
    }

    fn comparison(
        &mut self,
        scope: &Scope,
        left: &tree::Term,
        relation: tree::Relation,
        right: &tree::Term,
        span: Span,
    ) -> Checked<Formula> {
        let (left, right) = (self.term(scope, left), self.term(scope, right));
        let (left, right) = (left?, right?);
        self.same_type(&left, &right, span)?;
        let (equal, less, less_equal) = (Relation::Equal, Relation::Less, Relation::LessEqual);
        let (left, relation, right, holds) = match relation {
            tree::Relation::Equal => (left, equal, right, true),
            tree::Relation::Different => (left, equal, right, false),
            tree::Relation::Less => (left, less, right, true),
            tree::Relation::LessEqual => (left, less_equal, right, true),
            tree::Relation::Greater => (right, less, left, true),
            tree::Relation::GreaterEqual => (right, less_equal, left, true),
        };
        if relation != Relation::Equal {
            let ty = self.type_of(&left);
            if ty == PROC {
                self.order.get_or_insert(span);
            } else if !self.types[ty.0].values.are_numbers() {
                let (left, right) = ("proc".to_owned(), self.type_name(&left));
                return self.fault(&Fault::TypesDiffer { left, right }, span);
            }
        }
        let formula = Formula::Compare(left, relation, right, span);
        Ok(if holds { formula } else { not(formula) })
    }

    pub(super) fn same_type(&mut self, left: &Term, right: &Term, span: Span) -> Checked<()> {
        if self.type_of(left) == self.type_of(right) {
            return Ok(());
        }
        let (left, right) = (self.type_name(left), self.type_name(right));
        self.fault(&Fault::TypesDiffer { left, right }, span)
    }

    fn type_of(&self, term: &Term) -> TypeId {
        term.type_in(&self.all_variables)
    }

    fn type_name(&self, term: &Term) -> String {
        self.types[self.type_of(term).0].name.clone()
    }

    fn quantified(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        names: &'i [Name],
        body: &'i tree::Formula,
        span: Span,
    ) -> Checked<Formula> {
        self.different(names)?;
        let outer = scope.bindings.clone();
        let variables: Vec<Local> = names.iter().map(|name| scope.add(&name.text)).collect();
        let body = self.formula(scope, body);
        scope.bindings = outer;
        let (is_universal, is_other, keyword) = match quantifier {
            Quantifier::Forall => (true, false, "forall"),
            Quantifier::Exists => (false, false, "exists"),
            Quantifier::ForallOther => (true, true, "forall_other"),
            Quantifier::ExistsOther => (false, true, "exists_other"),
        };
        let apart_from = if is_other { scope.parameters.clone() } else { Vec::new() };
        let body = Box::new(body?);
        Ok(Formula::Quantified(Quantified { is_universal, variables, apart_from, body, keyword, span }))
    }

    /// Unfolds a predicate: its body, in which the parameters denote the arguments and nothing else is known.
    fn call(&mut self, scope: &mut Scope, name: &Name, arguments: &'i [tree::Formula]) -> Checked<Formula> {
        let known = self.predicates.get(name.text.as_str()).filter(|(position, _)| *position < scope.position);
        let Some(&(position, predicate)) = known else {
            return self.fault(&Fault::Undeclared { kind: "predicate", name: name.text.clone() }, name.span);
        };
        let (wanted, found) = (predicate.parameters.len(), arguments.len());
        if wanted != found {
            return self.fault(&Fault::WrongCount { name: name.text.clone(), wanted, found }, name.span);
        }
        let mut bindings = std::collections::BTreeMap::new();
        for (parameter, argument) in predicate.parameters.iter().zip(arguments) {
            let FormulaKind::Term(term) = &argument.kind else {
                return self.fault(&Fault::NotATerm, argument.span);
            };
            bindings.insert(parameter.text.clone(), self.term(scope, term)?);
        }
        let bindings = std::mem::replace(&mut scope.bindings, bindings);
        let outer = std::mem::replace(&mut scope.position, position);
        let body = self.formula(scope, &predicate.body);
        (scope.bindings, scope.position) = (bindings, outer);
        body
    }

    pub(super) fn term(&mut self, scope: &Scope, term: &tree::Term) -> Checked<Term> {
        match &term.kind {
            TermKind::Number(text) => self.literal(text, term.span),
            TermKind::Sum(summands) => self.sum(scope, summands, term.span),
            TermKind::Name(name) if name.starts_with('#') => Ok(Term::Process(self.constant(name))),
            TermKind::Name(name) if name.starts_with(|first: char| first.is_ascii_lowercase()) => {
                match scope.bindings.get(name) {
                    Some(term) => Ok(term.clone()),
                    None => self.fault(&Fault::Undeclared { kind: "variable", name: name.clone() }, term.span),
                }
            }
            TermKind::Name(name) => self.global(name, term.span),
            TermKind::Access(array, indices) => self.access(scope, array, indices),
        }
    }

    fn global(&mut self, name: &str, span: Span) -> Checked<Term> {
        match self.globals.get(name) {
            Some(Global::Value(ty, position)) => Ok(Term::Value(*ty, *position)),
            Some(Global::Variable(variable)) => {
                let variable = *variable;
                let wanted = self.all_variables[variable.0].indices;
                if wanted > 0 {
                    return self.fault(&Fault::WrongCount { name: name.to_owned(), wanted, found: 0 }, span);
                }
                Ok(Term::Read(variable, Vec::new()))
            }
            None if self.refused.contains(name) => Err(Recorded),
            None => self.undeclared("variable or value", name, span),
        }
    }

    /// Records that there is no variable or value of this name.
    fn undeclared<T>(&mut self, kind: &'static str, name: &str, span: Span) -> Checked<T> {
        let near = closest_name(name, self.globals.keys().map(String::as_str));
        self.errors.push(Fault::Undeclared { kind, name: name.to_owned() }.near(span, near));
        Err(Recorded)
    }

    fn access(&mut self, scope: &Scope, array: &Name, indices: &[Name]) -> Checked<Term> {
        let processes: Vec<Checked<Process>> = indices.iter().map(|index| self.process(scope, index)).collect();
        let processes: Checked<Vec<Process>> = processes.into_iter().collect();
        let variable = self.array(array, indices.len())?;
        Ok(Term::Read(variable, processes?))
    }

    /// Returns the variable of this name, which must have this number of indices.
    pub(super) fn array(&mut self, array: &Name, found: usize) -> Checked<VariableId> {
        match self.globals.get(&array.text) {
            Some(Global::Variable(variable)) => {
                let variable = *variable;
                let wanted = self.all_variables[variable.0].indices;
                if wanted != found {
                    return self.fault(&Fault::WrongCount { name: array.text.clone(), wanted, found }, array.span);
                }
                Ok(variable)
            }
            None if self.refused.contains(&array.text) => Err(Recorded),
            Some(Global::Value(..)) | None => self.undeclared("variable", &array.text, array.span),
        }
    }

    pub(super) fn process(&mut self, scope: &Scope, name: &Name) -> Checked<Process> {
        if name.text.starts_with('#') {
            return Ok(self.constant(&name.text));
        }
        match scope.bindings.get(&name.text) {
            Some(Term::Process(process)) => Ok(*process),
            Some(Term::Value(..) | Term::Read(..) | Term::Number(..) | Term::Sum(..)) => {
                self.fault(&Fault::NoProcess { name: name.text.clone() }, name.span)
            }
            None => self.fault(&Fault::Undeclared { kind: "variable", name: name.text.clone() }, name.span),
        }
    }

    /// Returns the process that a constant `#n` denotes.
    fn constant(&mut self, text: &str) -> Process {
        let number: u32 = text.trim_start_matches('#').parse().unwrap_or(1);
        self.constants = self.constants.max(number);
        Process::Constant(number - 1)
    }
}

fn not(formula: Formula) -> Formula {
    match formula {
        Formula::Constant(truth) => Formula::Constant(!truth),
        Formula::Not(inner) => *inner,
        Formula::Compare(..) | Formula::And(_) | Formula::Or(_) | Formula::Quantified(_) => {
            Formula::Not(Box::new(formula))
        }
    }
}
