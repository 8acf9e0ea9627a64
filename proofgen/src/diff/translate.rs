//! Pieces of one system in the numbers of another, by names.

use std::collections::BTreeMap;

use system::System;
use system::{
    ConstantId, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, Literal, NamedId, Term, Update, Value, VariableId,
};

/// From the numbers of one system to those of another. What has no counterpart gives nothing.
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
        let literals = cube.literals.iter().map(|literal| self.literal(literal)).collect::<Option<Vec<_>>>()?;
        Cube::normalize(self.to, &variables, &literals)
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
        let all = |parts: &[Formula]| parts.iter().map(|part| self.formula(part)).collect::<Option<Vec<_>>>();
        Some(match formula {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Equal(left, right) => Formula::Equal(self.term(left)?, self.term(right)?),
            Formula::Not(part) => Formula::Not(Box::new(self.formula(part)?)),
            Formula::And(parts) => Formula::And(all(parts)?),
            Formula::Or(parts) => Formula::Or(all(parts)?),
            Formula::Forall(variable, body) => Formula::Forall(*variable, Box::new(self.formula(body)?)),
            Formula::Exists(variable, body) => Formula::Exists(*variable, Box::new(self.formula(body)?)),
        })
    }

    fn value(&self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Term(term) => Value::Term(self.term(term)?),
            Value::Arbitrary => Value::Arbitrary,
            Value::If(condition, then, otherwise) => {
                Value::If(self.formula(condition)?, Box::new(self.value(then)?), Box::new(self.value(otherwise)?))
            }
        })
    }

    /// Updates in the order of the other system's variables.
    pub(super) fn updates(&self, updates: &[Update]) -> Option<Vec<Update>> {
        let update = |update: &Update| {
            Some(Update {
                variable: self.variables[update.variable.index()]?,
                arguments: update.arguments.clone(),
                value: self.value(&update.value)?,
            })
        };
        let mut updates = updates.iter().map(update).collect::<Option<Vec<_>>>()?;
        updates.sort_by_key(|update| update.variable);
        Some(updates)
    }

    /// The types of a scope. Its names do not matter.
    pub(super) fn scope(&self, scope: &[IndexVariable]) -> Option<Vec<IndexTypeId>> {
        scope.iter().map(|variable| self.types[variable.index_type.index()]).collect()
    }
}

fn by_name<T, Id>(from: &[T], to: &[T], name: impl Fn(&T) -> String, id: impl Fn(u32) -> Id) -> Vec<Option<Id>> {
    let numbers: BTreeMap<String, u32> = to.iter().zip(0..).map(|(item, number)| (name(item), number)).collect();
    from.iter().map(|item| numbers.get(&name(item)).map(|&number| id(number))).collect()
}
