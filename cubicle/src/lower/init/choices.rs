//! Common initial values of variables without indices.
//!
//! Variables that are equal form a class. A class has a known value, or any value, or, if something else depends on which
//! value it is, a chosen one: a case for each named value, and a parameter of the startstate for the other types.

use system::{Formula, IndexTerm, IndexVariable, IndexVariableId, NamedId, Role, Term, Value};

use super::super::{Lowering, number};
use super::Initial;
use crate::program::{Process, TypeId, VariableId};

/// The classes, and what is known about them.
pub(super) struct Classes {
    /// For each variable, another one of its class that is closer to the representative.
    parents: Vec<usize>,
    /// Whether something depends on the value of the variable's class.
    chosen: Vec<bool>,
    /// The variables that equal a value, or differ from it.
    compared: Vec<(VariableId, bool, Initial)>,
    /// The variables that differ.
    different: Vec<(VariableId, VariableId)>,
}

/// One choice of a value for each class that needs one.
#[derive(Clone, Default)]
pub(super) struct Choice {
    values: Vec<(VariableId, Term)>,
    pub(super) parameters: Vec<IndexVariable>,
    pub(super) guard: Vec<Formula>,
}

impl Choice {
    pub(super) fn value_of(&self, class: VariableId) -> Option<Value> {
        self.term_of(class).cloned().map(Value::Term)
    }

    fn term_of(&self, class: VariableId) -> Option<&Term> {
        self.values.iter().find(|(own, _)| *own == class).map(|(_, term)| term)
    }
}

impl Classes {
    pub(super) fn new(variables: usize) -> Self {
        let (chosen, compared, different) = (vec![false; variables], Vec::new(), Vec::new());
        Self { parents: (0..variables).collect(), chosen, compared, different }
    }

    /// Returns the representative of a variable's class.
    pub(super) fn find(&self, variable: VariableId) -> VariableId {
        let mut at = variable.0;
        while self.parents[at] != at {
            at = self.parents[at];
        }
        VariableId(at)
    }

    /// Notes that something depends on the value of a variable.
    pub(super) fn choose(&mut self, variable: VariableId) {
        self.chosen[variable.0] = true;
    }

    /// Notes that two variables are equal, or differ.
    pub(super) fn relate(&mut self, one: VariableId, equal: bool, other: VariableId) {
        self.choose(one);
        self.choose(other);
        if equal {
            let (one, other) = (self.find(one), self.find(other));
            self.parents[one.0.max(other.0)] = one.0.min(other.0);
        } else {
            self.different.push((one, other));
        }
    }

    /// Notes that a variable equals a value, or differs from it.
    pub(super) fn compare(&mut self, variable: VariableId, equal: bool, value: Initial) {
        self.choose(variable);
        self.compared.push((variable, equal, value));
    }

    /// Returns all choices, or `None` if there are more than the limit.
    pub(super) fn choices(&self, lowering: &Lowering<'_>, limit: usize) -> Option<Vec<Choice>> {
        let mut choices = vec![Choice::default()];
        for class in (0..self.parents.len()).map(VariableId).filter(|class| self.find(*class) == *class) {
            let mut members = (0..self.parents.len()).map(VariableId).filter(|own| self.find(*own) == class);
            // A value of an index type is chosen in any case, as for a rule.
            let is_scalar = lowering.program.variables[class.0].indices == 0;
            // Numbers are known without a choice, or not at all.
            let ty = lowering.program.variables[class.0].ty;
            if lowering.program.types[ty.0].values.are_numbers() {
                continue;
            }
            if !members.any(|own| self.chosen[own.0]) && (!is_scalar || lowering.chosen(class).is_none()) {
                continue;
            }
            choices = choices.iter().flat_map(|choice| self.extended(lowering, choice, class)).collect();
            if choices.len() > limit {
                return None;
            }
        }
        Some(choices)
    }

    /// Returns the ways to go on with a value for one more class.
    fn extended(&self, lowering: &Lowering<'_>, choice: &Choice, class: VariableId) -> Vec<Choice> {
        let ty = lowering.program.variables[class.0].ty;
        let parameter = IndexVariableId(number(choice.parameters.len()));
        let mut ways: Vec<Choice> = Vec::new();
        for constant in lowering.constants_of(ty) {
            ways.extend(self.with(choice, class, Term::Constant(constant)));
        }
        let Some(index_type) = lowering.index_types[ty.0] else { return ways };
        // A known process is no choice.
        let known = self.compared.iter().find_map(|(variable, equal, value)| match value {
            Initial::Process(Process::Constant(position)) if *equal && self.find(*variable) == class => {
                Some(IndexTerm::Named(NamedId(*position)))
            }
            Initial::Process(_) | Initial::Constant(_) | Initial::Of(_) | Initial::Number(_) => None,
        });
        let element = known.unwrap_or(IndexTerm::Variable(parameter));
        if let Some(mut way) = self.with(choice, class, Term::Index(element)) {
            if known.is_none() {
                let name = lowering.program.types[ty.0].name.chars().take(1).collect();
                way.parameters.push(IndexVariable { name, index_type, role: Role::Choice });
            }
            ways.push(way);
        }
        ways
    }

    /// Returns the choice with one more value, if nothing known contradicts it.
    fn with(&self, choice: &Choice, class: VariableId, term: Term) -> Option<Choice> {
        let mut extended = choice.clone();
        let mut conditions: Vec<(Term, bool)> = Vec::new();
        for (variable, equal, value) in &self.compared {
            if self.find(*variable) == class {
                conditions.push((value.term()?, *equal));
            }
        }
        for (one, other) in &self.different {
            let (one, other) = (self.find(*one), self.find(*other));
            let partner = if one == class { other } else { one };
            if one == other && one == class {
                return None;
            }
            if one == class || other == class {
                conditions.extend(choice.term_of(partner).cloned().map(|term| (term, false)));
            }
        }
        for (other, equal) in conditions {
            match (&term, &other) {
                (Term::Index(IndexTerm::Variable(_)), Term::Index(_))
                | (Term::Index(_), Term::Index(IndexTerm::Variable(_)))
                    if term != other =>
                {
                    let same = Formula::Equal(term.clone(), other);
                    extended.guard.push(if equal { same } else { Formula::Not(Box::new(same)) });
                }
                _ if (term == other) != equal => return None,
                _ => {}
            }
        }
        extended.values.push((class, term));
        Some(extended)
    }
}

impl Initial {
    /// Returns whether it is a value that does not depend on anything else. Two different ones are different values.
    pub(super) fn is_known(self) -> bool {
        match self {
            Self::Constant(_) | Self::Process(Process::Constant(_)) | Self::Number(_) => true,
            Self::Process(Process::Local(_)) | Self::Of(_) => false,
        }
    }

    /// Returns the value as a term, if it does not depend on anything else.
    fn term(self) -> Option<Term> {
        match self {
            Self::Constant(constant) => Some(Term::Constant(constant)),
            Self::Process(Process::Constant(position)) => Some(Term::Index(IndexTerm::Named(NamedId(position)))),
            Self::Process(Process::Local(_)) | Self::Of(_) | Self::Number(_) => None,
        }
    }
}

impl Lowering<'_> {
    /// Returns the number of named values of a type.
    pub(super) fn values(&self, ty: TypeId) -> usize {
        match &self.program.types[ty.0].values {
            crate::program::Values::Named(names) => names.len(),
            crate::program::Values::Processes
            | crate::program::Values::Unknown
            | crate::program::Values::Integers
            | crate::program::Values::Reals => 0,
        }
    }
}
