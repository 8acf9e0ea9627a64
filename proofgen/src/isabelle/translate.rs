//! From formulas, values and cubes of a [`System`] to terms of Isabelle.
//!
//! The results are [`Term`]s over a state variable. Booleans become truth values, and elements of index types become
//! natural numbers (as values: `Elem`, through the abbreviation of their type). This module must not decide or simplify
//! anything: the term states exactly what the system states.

use system::{
    Comparison, Cube, FALSE, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Literal, Sort, System,
    TRUE, Term as Source, Value, VariableId,
};

use super::names::Vocabulary;
use super::term::{Binder, Infix, Term};

/// The context in which the parts of one scope are translated.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// The system.
    pub system: &'a System,
    /// The names in the theories.
    pub words: &'a Vocabulary,
    /// The variables of the scope.
    pub scope: &'a [IndexVariable],
    /// Their names.
    pub names: &'a [String],
    /// The name of the state in which variables are read.
    pub state: &'a str,
}

/// Returns whether a state variable is read as a truth value.
#[must_use]
pub fn is_truth_value(system: &System, variable: VariableId) -> bool {
    is_boolean(system.sort_of(variable))
}

/// Returns whether a sort is that of the truth values.
#[must_use]
pub fn is_boolean(sort: &Sort) -> bool {
    sort.index_types.is_empty() && sort.constants == [FALSE, TRUE]
}

/// Returns whether some state variable is a number.
#[must_use]
pub fn has_numbers(system: &System) -> bool {
    system.variables.iter().any(|variable| system.sorts[variable.sort.index()].numbers.is_some())
}

/// Returns whether this state variable is a number.
#[must_use]
pub fn is_number(system: &System, variable: VariableId) -> bool {
    system.sort_of(variable).numbers.is_some()
}

/// Returns the index type whose elements have a state variable as their ranks.
#[must_use]
pub fn rank_of(system: &System, variable: VariableId) -> Option<IndexTypeId> {
    let index_type = *system.variables[variable.index()].arguments.first()?;
    (system.rank(index_type) == Some(variable)).then_some(index_type)
}

/// Returns whether a state variable is read as a value of the base theory's type `val`, so that there is a formula that
/// it has a value of its sort. Truth values and numbers are types of HOL.
#[must_use]
pub fn is_val(system: &System, variable: VariableId) -> bool {
    !is_truth_value(system, variable) && !is_number(system, variable)
}

/// A comparison of two sides, of which `equation` makes an equation, and which `number` turns into numbers (`None` is 0).
#[must_use]
pub fn comparison<T>(
    (left, comparison, right): (&T, Comparison, &T),
    equation: impl Fn(&T, &T) -> Term,
    number: impl Fn(&T) -> Option<Term>,
) -> Term {
    match comparison {
        Comparison::Equal => equation(left, right),
        Comparison::Different => Term::negation(equation(left, right)),
        Comparison::AtMost(sum) => Term::at_most(number(left), number(right), sum),
        Comparison::AtLeast(sum) => Term::at_most(number(right), number(left), -sum),
    }
}

/// The set of the elements of an index type, as indices: `{1..N}`.
#[must_use]
pub fn elements(words: &Vocabulary, index_type: IndexTypeId) -> Term {
    Term::Interval(Box::new(Term::Number(1)), Box::new(Term::name(&words.sizes[index_type.index()])))
}

/// The proposition that an index is an element of a type.
#[must_use]
pub fn is_element(words: &Vocabulary, name: &str, index_type: IndexTypeId) -> Term {
    Term::infix(Infix::Member, Term::name(name), elements(words, index_type))
}

impl Reader<'_> {
    /// A formula.
    #[must_use]
    pub fn formula(&self, formula: &Formula) -> Term {
        match formula {
            Formula::True => Term::name("True"),
            Formula::False => Term::name("False"),
            Formula::Equal(left, right) => self.equation(left, right),
            Formula::AtMost(left, right, sum) => Term::at_most(self.number(left), self.number(right), *sum),
            Formula::Not(inner) => Term::negation(self.formula(inner)),
            Formula::And(parts) => Term::conjunction(self.formulas(parts)),
            Formula::Or(parts) => Term::disjunction(self.formulas(parts)),
            Formula::Forall(variable, body) => self.quantified(Binder::Forall, *variable, body),
            Formula::Exists(variable, body) => self.quantified(Binder::Exists, *variable, body),
        }
    }

    /// A formula as an author would write it: a disjunction becomes an implication from the negations in it.
    #[must_use]
    pub fn property(&self, formula: &Formula) -> Term {
        match formula {
            Formula::And(parts) => Term::conjunction(parts.iter().map(|part| self.property(part)).collect()),
            Formula::Or(parts) => {
                let parts = parts.iter().map(|part| (self.is_condition(part), self.property(part))).collect::<Vec<_>>();
                let condition = |wanted: bool| {
                    let chosen = parts.iter().filter(move |(condition, _)| *condition == wanted);
                    chosen.map(|(_, part)| part.clone()).collect::<Vec<_>>()
                };
                let (conditions, conclusions) = (condition(true), condition(false));
                if conditions.is_empty() || conclusions.is_empty() {
                    return Term::disjunction(parts.into_iter().map(|(_, part)| part).collect());
                }
                let conditions = conditions.into_iter().map(Term::negation).collect();
                Term::infix(Infix::Implies, Term::conjunction(conditions), Term::disjunction(conclusions))
            }
            Formula::Forall(variable, body) => self.over(Binder::Forall, *variable, self.property(body)),
            Formula::Exists(variable, body) => self.over(Binder::Exists, *variable, self.property(body)),
            Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) | Formula::Not(_) => {
                self.formula(formula)
            }
        }
    }

    /// Returns whether a part of a disjunction reads better as a premise: negations, and equations between elements.
    fn is_condition(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Not(_) => true,
            Formula::Equal(Source::Index(_), Source::Index(_)) => true,
            Formula::Equal(left, Source::Constant(constant)) => *constant == FALSE && self.truth(left).is_some(),
            Formula::True
            | Formula::False
            | Formula::Equal(..)
            | Formula::AtMost(..)
            | Formula::And(_)
            | Formula::Or(_)
            | Formula::Forall(..)
            | Formula::Exists(..) => false,
        }
    }

    fn formulas(&self, formulas: &[Formula]) -> Vec<Term> {
        formulas.iter().map(|formula| self.formula(formula)).collect()
    }

    fn quantified(&self, binder: Binder, variable: IndexVariableId, body: &Formula) -> Term {
        self.over(binder, variable, self.formula(body))
    }

    fn over(&self, binder: Binder, variable: IndexVariableId, body: Term) -> Term {
        let index_type = self.scope[variable.index()].index_type;
        let name = self.names[variable.index()].clone();
        Term::bind_in(binder, name, elements(self.words, index_type), body)
    }

    /// A literal.
    #[must_use]
    pub fn literal(&self, literal: &Literal) -> Term {
        let sides = (&literal.left, literal.comparison, &literal.right);
        comparison(sides, |left, right| self.equation(left, right), |term| self.number(term))
    }

    /// The literals of a cube; the scope is that of the cube's variables.
    #[must_use]
    pub fn cube(&self, cube: &Cube) -> Vec<Term> {
        cube.literals.iter().map(|literal| self.literal(literal)).collect()
    }

    fn equation(&self, left: &Source, right: &Source) -> Term {
        match (self.truth(left), self.truth(right)) {
            (Some(proposition), Some(Term::Name(word))) if word == "True" => proposition,
            (Some(proposition), Some(Term::Name(word))) if word == "False" => Term::negation(proposition),
            (Some(left), Some(right)) => Term::infix(Infix::Iff, left, right),
            _ => match (left, right) {
                (Source::Index(left), Source::Index(right)) => Term::equal(self.index(*left), self.index(*right)),
                _ => Term::equal(self.value_of(left), self.value_of(right)),
            },
        }
    }

    /// A term as a truth value; `None` if it is not one.
    fn truth(&self, term: &Source) -> Option<Term> {
        match term {
            Source::Constant(constant) if *constant == TRUE => Some(Term::name("True")),
            Source::Constant(constant) if *constant == FALSE => Some(Term::name("False")),
            Source::Constant(_) | Source::Index(_) | Source::Zero => None,
            Source::Read(variable, arguments) => {
                is_truth_value(self.system, *variable).then(|| self.read(*variable, arguments))
            }
        }
    }

    /// A term as a number; `None` is 0.
    fn number(&self, term: &Source) -> Option<Term> {
        (*term != Source::Zero).then(|| self.value_of(term))
    }

    /// A term as a value of the base theory's type `val`, or as an integer.
    #[must_use]
    pub fn value_of(&self, term: &Source) -> Term {
        match term {
            Source::Zero => Term::Number(0),
            Source::Constant(constant) => Term::name(&self.words.constants[constant.index()]),
            Source::Index(index) => {
                let element = &self.words.elements[self.index_type(*index).index()];
                Term::call(element, vec![self.index(*index)])
            }
            Source::Read(variable, arguments) => {
                let read = self.read(*variable, arguments);
                if is_truth_value(self.system, *variable) {
                    Term::conditional(read, Term::name("true"), Term::name("false"))
                } else {
                    read
                }
            }
        }
    }

    /// The read of a state variable.
    #[must_use]
    pub fn read(&self, variable: VariableId, arguments: &[IndexTerm]) -> Term {
        let arguments = arguments.iter().map(|argument| self.index(*argument));
        let name = &self.words.variables[variable.index()];
        Term::call(name, std::iter::once(Term::name(self.state)).chain(arguments).collect())
    }

    /// An element of an index type.
    #[must_use]
    pub fn index(&self, index: IndexTerm) -> Term {
        match index {
            IndexTerm::Variable(variable) => Term::name(&self.names[variable.index()]),
            IndexTerm::Named(named) => Term::name(self.words.named(named)),
        }
    }

    fn index_type(&self, index: IndexTerm) -> IndexTypeId {
        match index {
            IndexTerm::Variable(variable) => self.scope[variable.index()].index_type,
            IndexTerm::Named(named) => self.system.named[named.index()].index_type,
        }
    }

    /// The proposition that a state variable, read as `target`, has a value that an update may assign.
    ///
    /// If no part of the value is arbitrary, it is an equation; otherwise it is a conjunction of equations and
    /// memberships in the variable's sort, each under its condition.
    #[must_use]
    pub fn has_value(&self, variable: VariableId, target: &Term, value: &Value) -> Term {
        if let Some(value) = self.definite(variable, value) {
            return Term::equal(target.clone(), value);
        }
        match value {
            Value::If(condition, yes, no) => {
                let condition = self.formula(condition);
                let case = |condition: Term, value: &Value| {
                    Term::infix(Infix::Implies, condition, self.has_value(variable, target, value))
                };
                Term::conjunction(vec![case(condition.clone(), yes), case(Term::negation(condition), no)])
            }
            Value::Term(_) | Value::Sum(..) | Value::Arbitrary => self.has_sort(variable, target),
        }
    }

    /// The proposition that a state variable, read as `target`, has a value of its sort.
    #[must_use]
    pub fn has_sort(&self, variable: VariableId, target: &Term) -> Term {
        if !is_val(self.system, variable) {
            return Term::name("True");
        }
        let sort = self.system.variables[variable.index()].sort;
        Term::infix(Infix::Member, target.clone(), sort_set(self.system, self.words, sort))
    }

    /// The value; `None` if a part of it is arbitrary.
    fn definite(&self, variable: VariableId, value: &Value) -> Option<Term> {
        match value {
            Value::Arbitrary => None,
            Value::If(condition, yes, no) => {
                let (yes, no) = (self.definite(variable, yes)?, self.definite(variable, no)?);
                Some(Term::conditional(self.formula(condition), yes, no))
            }
            Value::Term(term) if is_truth_value(self.system, variable) => {
                Some(self.truth(term).unwrap_or_else(|| Term::equal(self.value_of(term), Term::name("true"))))
            }
            Value::Term(term) => Some(self.value_of(term)),
            Value::Sum(term, number) => Some(Term::sum(self.number(term), *number)),
        }
    }
}

/// The set of a sort's values, applied to the sizes that it depends on.
#[must_use]
pub fn sort_set(system: &System, words: &Vocabulary, sort: system::SortId) -> Term {
    let sizes = system.sorts[sort.index()].index_types.iter();
    let sizes = sizes.map(|index_type| Term::name(&words.sizes[index_type.index()])).collect();
    Term::call(&words.sorts[sort.index()], sizes)
}

/// Returns whether a value has an arbitrary part.
#[must_use]
pub fn is_indefinite(value: &Value) -> bool {
    match value {
        Value::Term(_) | Value::Sum(..) => false,
        Value::Arbitrary => true,
        Value::If(_, yes, no) => is_indefinite(yes) || is_indefinite(no),
    }
}
