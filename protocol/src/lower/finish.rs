//! Rules, startstates and properties with scopes of their own.
//!
//! In: guards and values over the wide scope of a run. Out: the same with a scope that holds only what is used: first the
//! parameters, then one variable for each quantifier and for each argument of an update, named apart.

use std::collections::{BTreeMap, BTreeSet};

use super::logic::{visit_terms, visit_value_terms};
use super::universe::{Universe, position};
use crate::system::{
    Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Role, Term, Update, Value, VariableId,
};

/// A scope under construction.
pub(super) struct Scope<'u> {
    universe: &'u Universe,
    variables: Vec<IndexVariable>,
    names: BTreeSet<String>,
    renaming: BTreeMap<IndexVariableId, IndexVariableId>,
}

impl<'u> Scope<'u> {
    /// A scope with these parameters. Those that are not ruleset parameters and occur nowhere are left out where their
    /// type has an element anyway.
    pub(super) fn new(
        universe: &'u Universe,
        parameters: &[IndexVariableId],
        guard: &Formula,
        updates: &[(VariableId, Vec<IndexVariableId>, Value)],
    ) -> Self {
        let mut used = BTreeSet::new();
        let mut note = |term: &Term| used.extend(term.index_terms().iter().copied());
        visit_terms(guard, &mut note);
        for (_, _, value) in updates {
            visit_value_terms(value, &mut note);
        }
        let mut scope = Self { universe, variables: Vec::new(), names: BTreeSet::new(), renaming: BTreeMap::new() };
        for &parameter in parameters {
            let known = &universe.scope[parameter.index()];
            if known.role == Role::Parameter
                || used.contains(&IndexTerm::Variable(parameter))
                || !universe.is_inhabited(known.index_type)
            {
                scope.enter(parameter, known.role);
            }
        }
        scope
    }

    /// How many variables there are.
    pub(super) fn len(&self) -> u32 {
        position(self.variables.len())
    }

    /// The finished scope.
    pub(super) fn into_variables(self) -> Vec<IndexVariable> {
        self.variables
    }

    /// Gives a variable its place; a bound variable gets another place at each binder.
    fn enter(&mut self, variable: IndexVariableId, role: Role) -> IndexVariableId {
        let known = &self.universe.scope[variable.index()];
        let name = self.free_name(&known.name, known.index_type);
        let id = IndexVariableId(self.len());
        self.variables.push(IndexVariable { name, index_type: known.index_type, role });
        self.renaming.insert(variable, id);
        id
    }

    /// The wanted name, or the first letter of the type, with a number where the name is taken.
    fn free_name(&mut self, wanted: &str, index_type: IndexTypeId) -> String {
        let type_name = &self.universe.index_types[index_type.index()].name;
        let base = if wanted.is_empty() {
            type_name
                .chars()
                .find(char::is_ascii_alphabetic)
                .map_or("x".to_owned(), |letter| letter.to_ascii_lowercase().to_string())
        } else {
            wanted.to_owned()
        };
        let mut name = base.clone();
        let mut number = 1;
        while !self.names.insert(name.clone()) {
            number += 1;
            name = format!("{base}{number}");
        }
        name
    }

    fn index(&self, term: IndexTerm) -> IndexTerm {
        match term {
            IndexTerm::Variable(variable) => {
                IndexTerm::Variable(self.renaming.get(&variable).copied().unwrap_or(variable))
            }
            IndexTerm::Named(named) => IndexTerm::Named(named),
        }
    }

    fn term(&self, term: &Term) -> Term {
        match term {
            Term::Constant(constant) => Term::Constant(*constant),
            Term::Index(index) => Term::Index(self.index(*index)),
            Term::Read(variable, arguments) => {
                Term::Read(*variable, arguments.iter().map(|&a| self.index(a)).collect())
            }
        }
    }

    /// The formula in the finished scope.
    pub(super) fn formula(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Equal(left, right) => Formula::Equal(self.term(left), self.term(right)),
            Formula::Not(inner) => Formula::Not(Box::new(self.formula(inner))),
            Formula::And(parts) => Formula::And(parts.iter().map(|p| self.formula(p)).collect()),
            Formula::Or(parts) => Formula::Or(parts.iter().map(|p| self.formula(p)).collect()),
            Formula::Forall(variable, inner) => {
                let own = self.enter(*variable, Role::Bound);
                Formula::Forall(own, Box::new(self.formula(inner)))
            }
            Formula::Exists(variable, inner) => {
                let own = self.enter(*variable, Role::Bound);
                Formula::Exists(own, Box::new(self.formula(inner)))
            }
        }
    }

    fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::Term(term) => Value::Term(self.term(term)),
            Value::Arbitrary => Value::Arbitrary,
            Value::If(condition, yes, no) => {
                Value::If(self.formula(condition), Box::new(self.value(yes)), Box::new(self.value(no)))
            }
        }
    }

    /// The update in the finished scope.
    pub(super) fn update(&mut self, variable: VariableId, formals: &[IndexVariableId], value: &Value) -> Update {
        let arguments = formals.iter().map(|&f| self.enter(f, Role::Bound)).collect();
        Update { variable, arguments, value: self.value(value) }
    }
}
