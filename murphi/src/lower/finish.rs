//! Gives rules, startstates and properties their own scopes.
//!
//! Guards and values over the wide scope of a run are moved to a scope that holds only what is used: first the
//! parameters, then one variable for each quantifier and for each argument of an update, all with distinct names.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use super::reason::Reason;
use super::universe::{Universe, position};
use system::walk::Rewrite;
use system::{Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Role, Term, Update, Value, VariableId};

/// Rules with more parameters are refused: ten of one type can coincide in 115,975 ways, more than the checker lists,
/// and an instance with four elements has a million values for them.
pub(super) const MOST_PARAMETERS: usize = 9;

/// A scope under construction.
pub(super) struct Scope<'u> {
    universe: &'u Universe,
    variables: Vec<IndexVariable>,
    /// The number of variables that are parameters.
    parameters: usize,
    names: BTreeSet<String>,
    /// The variables bound at the current point of the traversal.
    renaming: BTreeMap<IndexVariableId, IndexVariableId>,
    /// Whether some variable was not bound.
    unbound: Cell<bool>,
}

impl<'u> Scope<'u> {
    /// Creates a scope with these parameters. Those that are not ruleset parameters and do not occur are left out, if
    /// their type has an element anyway.
    pub(super) fn new(
        universe: &'u Universe,
        parameters: &[IndexVariableId],
        guard: &Formula,
        updates: &[(VariableId, Vec<IndexVariableId>, Value)],
    ) -> Self {
        let mut used = BTreeSet::new();
        let mut note = |term: &Term| used.extend(term.elements().iter().copied());
        guard.visit_terms(&mut note);
        for (_, _, value) in updates {
            value.visit_terms(&mut note);
        }
        let mut scope = Self {
            universe,
            variables: Vec::new(),
            parameters: 0,
            names: BTreeSet::new(),
            renaming: BTreeMap::new(),
            unbound: Cell::new(false),
        };
        for &parameter in parameters {
            let known = &universe.scope[parameter.index()];
            if known.role == Role::Parameter
                || used.contains(&IndexTerm::Variable(parameter))
                || !universe.is_inhabited(known.index_type)
            {
                scope.place(parameter, known.role);
            }
        }
        scope.parameters = scope.variables.len();
        scope
    }

    /// Returns the number of variables.
    pub(super) fn len(&self) -> u32 {
        position(self.variables.len())
    }

    /// Returns the finished scope.
    ///
    /// # Errors
    /// Returns an error if some variable is unbound, since its number would denote another variable from here on, and
    /// if there are too many parameters.
    pub(super) fn into_variables(self) -> Result<Vec<IndexVariable>, Reason> {
        if self.unbound.get() {
            Err(Reason::Unbound)
        } else if self.parameters > MOST_PARAMETERS {
            Err(Reason::TooManyParameters { parameters: self.parameters })
        } else {
            Ok(self.variables)
        }
    }

    /// Assigns a variable its place; a bound variable gets a new place at each binder.
    fn place(&mut self, variable: IndexVariableId, role: Role) -> IndexVariableId {
        let known = &self.universe.scope[variable.index()];
        let name = self.free_name(&known.name, known.index_type);
        let id = IndexVariableId(self.len());
        self.variables.push(IndexVariable { name, index_type: known.index_type, role });
        self.renaming.insert(variable, id);
        id
    }

    /// Returns the wanted name, or the first letter of the type, with a number appended if the name is taken.
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

    /// Returns the formula in the finished scope.
    pub(super) fn formula(&mut self, formula: &Formula) -> Formula {
        formula.rewritten(self).unwrap_or_else(|never| match never {})
    }

    /// Returns the update in the finished scope.
    pub(super) fn update(&mut self, variable: VariableId, formals: &[IndexVariableId], value: &Value) -> Update {
        let update = Update { variable, arguments: formals.to_vec(), value: value.clone() };
        update.rewritten(self).unwrap_or_else(|never| match never {})
    }
}

/// Below a binder, its variables have their own places; after it, they are no longer bound.
impl Rewrite for Scope<'_> {
    type Error = Infallible;
    type Around = BTreeMap<IndexVariableId, IndexVariableId>;

    fn term(&mut self, term: &Term) -> Result<Term, Infallible> {
        Ok(term.substituted(&|variable| {
            let renamed = self.renaming.get(&variable).copied();
            self.unbound.set(self.unbound.get() || renamed.is_none());
            IndexTerm::Variable(renamed.unwrap_or(variable))
        }))
    }

    fn around(&mut self) -> Self::Around {
        self.renaming.clone()
    }

    fn enter(&mut self, variable: IndexVariableId) -> IndexVariableId {
        self.place(variable, Role::Bound)
    }

    fn leave(&mut self, around: Self::Around) {
        self.renaming = around;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::{IndexType, Origin};

    #[test]
    fn a_variable_that_nothing_binds_is_a_fault_and_no_other_variable() {
        let mut universe = Universe::new();
        universe.index_types.push(IndexType {
            name: "NODE".into(),
            anonymous: false,
            size: 3,
            first: 1,
            origin: Origin::default(),
        });
        universe.inhabited = vec![true];
        let [i, j] = ["i", "j"].map(|name| universe.index_variable(name, IndexTypeId(0), Role::Parameter));
        let term = |variable| Term::Index(IndexTerm::Variable(variable));
        let same = Formula::Equal(term(i), term(j));
        let below = Formula::Exists(j, Box::new(same.clone()));
        let finished = |parameters: &[IndexVariableId], formula: &Formula| {
            let mut scope = Scope::new(&universe, parameters, formula, &[]);
            scope.formula(formula);
            scope.into_variables().map(|variables| variables.len())
        };
        assert_eq!(finished(&[i, j], &same), Ok(2));
        assert_eq!(finished(&[i], &below), Ok(2));
        assert_eq!(finished(&[i], &same), Err(Reason::Unbound));
        // After its quantifier, a variable is no longer bound.
        assert_eq!(finished(&[i], &Formula::And(vec![below.clone(), same])), Err(Reason::Unbound));

        let mut scope = Scope::new(&universe, &[], &Formula::True, &[]);
        scope.update(VariableId(0), &[i], &Value::Term(term(j)));
        assert_eq!(scope.into_variables(), Err(Reason::Unbound));
    }
}
