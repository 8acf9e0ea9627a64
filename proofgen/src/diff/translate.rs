//! Translates pieces of one system into the numbers of another, by names.

use std::collections::BTreeMap;

use system::System;
use system::walk::Rewrite;
use system::{
    ConstantId, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Literal, NamedId, Term,
    Universal, Update, VariableId,
};

/// A translation from the numbers of one system to those of another; `None` stands for what has no counterpart.
pub(super) struct Translation<'a> {
    to: &'a System,
    variables: Vec<Option<VariableId>>,
    constants: Vec<Option<ConstantId>>,
    types: Vec<Option<IndexTypeId>>,
    named: Vec<Option<NamedId>>,
}

impl<'a> Translation<'a> {
    pub(super) fn new(from: &System, to: &'a System) -> Self {
        Self {
            to,
            variables: by_name(&from.variables, &to.variables, |variable| variable.name.clone(), VariableId),
            constants: by_name(&from.constants, &to.constants, |constant| constant.name.clone(), ConstantId),
            types: by_name(&from.index_types, &to.index_types, |index_type| index_type.name.clone(), IndexTypeId),
            named: by_name(&from.named, &to.named, |named| named.name.clone(), NamedId),
        }
    }

    pub(super) fn cube(&self, cube: &Cube) -> Option<Cube> {
        let variables = cube.variables.iter().map(|over| self.types[over.index()]).collect::<Option<Vec<_>>>()?;
        let universal = |universal: &Universal| {
            let variables = universal.variables.iter().map(|over| self.types[over.index()]).collect::<Option<_>>()?;
            Some(Universal { variables, literals: self.literals(&universal.literals)? })
        };
        let universals = cube.universals.iter().map(universal).collect::<Option<Vec<_>>>()?;
        Cube::normalize_with(self.to, &variables, &self.literals(&cube.literals)?, &universals)
    }

    fn literals(&self, literals: &[Literal]) -> Option<Vec<Literal>> {
        literals.iter().map(|literal| self.literal(literal)).collect()
    }

    fn literal(&self, literal: &Literal) -> Option<Literal> {
        Some(Literal {
            left: self.term(&literal.left)?,
            comparison: literal.comparison,
            right: self.term(&literal.right)?,
        })
    }

    pub(super) fn term(&self, term: &Term) -> Option<Term> {
        Some(match term {
            Term::Constant(constant) => Term::Constant(self.constants[constant.index()]?),
            Term::Zero => Term::Zero,
            Term::Index(index) => Term::Index(self.index_term(*index)?),
            Term::Read(variable, arguments) => Term::Read(
                self.variables[variable.index()]?,
                arguments.iter().map(|argument| self.index_term(*argument)).collect::<Option<_>>()?,
            ),
        })
    }

    fn index_term(&self, term: IndexTerm) -> Option<IndexTerm> {
        Some(match term {
            IndexTerm::Variable(variable) => IndexTerm::Variable(variable),
            IndexTerm::Named(named) => IndexTerm::Named(self.named[named.index()]?),
        })
    }

    pub(super) fn formula(&self, formula: &Formula) -> Option<Formula> {
        formula.rewritten(&mut &*self).ok()
    }

    /// Translates updates, in the order of the other system's variables.
    pub(super) fn updates(&self, updates: &[Update]) -> Option<Vec<Update>> {
        let update = |update: &Update| {
            Some(Update {
                variable: self.variables[update.variable.index()]?,
                arguments: update.arguments.clone(),
                value: update.value.rewritten(&mut &*self).ok()?,
            })
        };
        let mut updates = updates.iter().map(update).collect::<Option<Vec<_>>>()?;
        updates.sort_by_key(|update| update.variable);
        Some(updates)
    }

    /// Translates the types of a scope, whose names do not matter.
    pub(super) fn scope(&self, scope: &[IndexVariable]) -> Option<Vec<IndexTypeId>> {
        scope.iter().map(|variable| self.types[variable.index_type.index()]).collect()
    }
}

/// Bound variables keep their numbers.
impl Rewrite for &Translation<'_> {
    type Error = Unknown;
    type Around = ();

    fn term(&mut self, term: &Term) -> Result<Term, Unknown> {
        Translation::term(self, term).ok_or(Unknown)
    }

    fn around(&mut self) {}

    fn enter(&mut self, variable: IndexVariableId) -> IndexVariableId {
        variable
    }

    fn leave(&mut self, (): ()) {}
}

/// The error for a term with a part that has no counterpart.
pub(super) struct Unknown;

fn by_name<T, Id>(from: &[T], to: &[T], name: impl Fn(&T) -> String, id: impl Fn(u32) -> Id) -> Vec<Option<Id>> {
    let numbers: BTreeMap<String, u32> = to.iter().zip(0..).map(|(item, number)| (name(item), number)).collect();
    from.iter().map(|item| numbers.get(&name(item)).map(|&number| id(number))).collect()
}
