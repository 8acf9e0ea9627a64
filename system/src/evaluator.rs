//! The concrete meaning of a lowered system at given sizes: slow, and obviously right.
//!
//! Initial states, successors, and satisfaction of formulas and cubes are each computed straight from the definitions
//! in [the crate](crate), without a representation of their own. Faster code and the lowering are tested against this
//! module. It must not be used to explore more than a handful of states.

use std::collections::BTreeSet;

use crate::{
    ConstantId, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Literal, NamedId, RuleId,
    SortId, StartstateId, System, Term, Update, Value, VariableId,
};

/// A value of a state variable in an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Concrete {
    /// A constant.
    Constant(ConstantId),
    /// The element of an index type at this position, counted from 0.
    Element(IndexTypeId, u32),
    /// A number.
    Number(i64),
}

impl Concrete {
    fn number(self) -> i64 {
        match self {
            Self::Number(number) => number,
            Self::Constant(_) | Self::Element(..) => unreachable!("the system is well-formed"),
        }
    }
}

/// A state: the value of each state variable at each tuple of arguments, ordered by [`Evaluator::slot`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub Vec<Concrete>);

/// A set of states: the values that each slot may have, independently of the other slots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choices(pub Vec<BTreeSet<Concrete>>);

impl Choices {
    /// Returns whether the state belongs to the set.
    #[must_use]
    pub fn contains(&self, state: &State) -> bool {
        self.0.iter().zip(&state.0).all(|(values, value)| values.contains(value))
    }

    /// Returns the number of states if it is below the bound.
    #[must_use]
    pub fn count_below(&self, bound: usize) -> Option<usize> {
        self.0
            .iter()
            .try_fold(1_usize, |product, values| product.checked_mul(values.len()).filter(|&count| count < bound))
    }

    /// Returns all states of the set.
    #[must_use]
    pub fn states(&self) -> Vec<State> {
        let mut states = vec![Vec::new()];
        for values in &self.0 {
            states = states
                .into_iter()
                .flat_map(|prefix| {
                    values.iter().map(move |&value| {
                        let mut longer = prefix.clone();
                        longer.push(value);
                        longer
                    })
                })
                .collect();
        }
        states.into_iter().map(State).collect()
    }
}

/// Why an instance cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluatorError {
    /// The number of sizes differs from the number of index types.
    #[error("the number of sizes ({given}) differs from the number of index types ({expected})")]
    Sizes {
        /// The number of sizes given.
        given: usize,
        /// The number of index types.
        expected: usize,
    },
    /// A named element lies outside its type.
    #[error("the type of the named element `{name}` must have a size of at least {needed}")]
    Named {
        /// The name of the element.
        name: String,
        /// The least size that the type needs.
        needed: u32,
    },
}

/// A system at given sizes.
#[derive(Clone, Debug)]
pub struct Evaluator<'a> {
    system: &'a System,
    sizes: Vec<u32>,
    first_slot: Vec<usize>,
    slots: usize,
}

/// The elements that the variables of a scope denote; entries for unbound variables are ignored.
type Assignment = Vec<u32>;

impl<'a> Evaluator<'a> {
    /// Creates the instance with these sizes, one for each index type.
    ///
    /// # Errors
    /// Returns an error if the number of sizes is wrong or a type is too small for one of its named elements.
    pub fn new(system: &'a System, sizes: Vec<u32>) -> Result<Self, EvaluatorError> {
        if sizes.len() != system.index_types.len() {
            return Err(EvaluatorError::Sizes { given: sizes.len(), expected: system.index_types.len() });
        }
        for named in &system.named {
            if sizes[named.index_type.index()] <= named.position {
                return Err(EvaluatorError::Named { name: named.name.clone(), needed: named.position + 1 });
            }
        }
        let mut first_slot = Vec::new();
        let mut slots = 0;
        for variable in &system.variables {
            first_slot.push(slots);
            slots += variable.arguments.iter().map(|t| sizes[t.index()] as usize).product::<usize>();
        }
        Ok(Self { system, sizes, first_slot, slots })
    }

    /// Returns the system.
    #[must_use]
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// Returns the number of values in a state.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Returns the position, within a state, of a variable at the elements with these positions.
    #[must_use]
    pub fn slot(&self, variable: VariableId, elements: &[u32]) -> usize {
        let arguments = &self.system.variables[variable.index()].arguments;
        let offset = arguments
            .iter()
            .zip(elements)
            .fold(0, |offset, (t, &element)| offset * self.sizes[t.index()] as usize + element as usize);
        self.first_slot[variable.index()] + offset
    }

    /// Returns all tuples of elements for which a variable has a value.
    #[must_use]
    pub fn elements(&self, variable: VariableId) -> Vec<Vec<u32>> {
        self.tuples(&self.system.variables[variable.index()].arguments)
    }

    /// Returns all values of a sort; of a sort of numbers, those of the instance.
    #[must_use]
    pub fn values(&self, sort: SortId) -> BTreeSet<Concrete> {
        let sort = &self.system.sorts[sort.index()];
        let constants = sort.constants.iter().map(|&c| Concrete::Constant(c));
        let elements = sort
            .index_types
            .iter()
            .flat_map(|&t| (0..self.sizes[t.index()]).map(move |position| Concrete::Element(t, position)));
        let numbers = sort.numbers.into_iter().flat_map(|own| own.low..=own.high).map(Concrete::Number);
        constants.chain(elements).chain(numbers).collect()
    }

    /// Returns all tuples of parameters of a rule.
    #[must_use]
    pub fn rule_parameters(&self, rule: RuleId) -> Vec<Vec<u32>> {
        let rule = &self.system.rules[rule.index()];
        self.tuples(&types(&rule.scope[..rule.parameters as usize]))
    }

    /// Returns all tuples of parameters of a startstate.
    #[must_use]
    pub fn startstate_parameters(&self, startstate: StartstateId) -> Vec<Vec<u32>> {
        let startstate = &self.system.startstates[startstate.index()];
        self.tuples(&types(&startstate.scope[..startstate.parameters as usize]))
    }

    /// Returns the successors of a state under a rule with these parameters, or `None` if the guard is false.
    #[must_use]
    pub fn successors(&self, rule: RuleId, parameters: &[u32], state: &State) -> Option<Choices> {
        let rule = &self.system.rules[rule.index()];
        let mut assignment = padded(parameters, rule.scope.len());
        if !self.formula(&rule.guard, &rule.scope, &mut assignment, Some(state)) {
            return None;
        }
        let mut next = Choices(state.0.iter().map(|&value| BTreeSet::from([value])).collect());
        for update in &rule.updates {
            self.update(update, &rule.scope, &assignment, Some(state), &mut next);
        }
        Some(next)
    }

    /// Returns the initial states of a startstate with these parameters, or `None` if its guard is false.
    #[must_use]
    pub fn initial(&self, startstate: StartstateId, parameters: &[u32]) -> Option<Choices> {
        let startstate = &self.system.startstates[startstate.index()];
        let mut assignment = padded(parameters, startstate.scope.len());
        if !self.formula(&startstate.guard, &startstate.scope, &mut assignment, None) {
            return None;
        }
        let mut next = Choices(vec![BTreeSet::new(); self.slots]);
        for (number, variable) in (0..).zip(&self.system.variables) {
            if startstate.update_of(VariableId(number)).is_none() {
                for elements in self.elements(VariableId(number)) {
                    next.0[self.slot(VariableId(number), &elements)] = self.values(variable.sort);
                }
            }
        }
        for update in &startstate.updates {
            self.update(update, &startstate.scope, &assignment, None, &mut next);
        }
        Some(next)
    }

    /// Returns whether a closed formula over a scope holds in a state.
    #[must_use]
    pub fn holds(&self, formula: &Formula, scope: &[IndexVariable], state: &State) -> bool {
        self.formula(formula, scope, &mut padded(&[], scope.len()), Some(state))
    }

    /// Returns whether a formula holds in a state if the first variables of the scope denote these elements.
    #[must_use]
    pub fn holds_at(&self, formula: &Formula, scope: &[IndexVariable], elements: &[u32], state: &State) -> bool {
        self.formula(formula, scope, &mut padded(elements, scope.len()), Some(state))
    }

    /// Returns whether a state satisfies a cube: all literals and universal parts hold for some distinct elements without
    /// names.
    #[must_use]
    pub fn satisfies(&self, cube: &Cube, state: &State) -> bool {
        self.distinct(&cube.variables, &[]).iter().any(|elements| {
            cube.literals.iter().all(|literal| self.literal(literal, elements, state))
                && cube.universals.iter().all(|universal| {
                    let holds =
                        |all: &Vec<_>| universal.literals.iter().any(|literal| self.literal(literal, all, state));
                    self.distinct(&universal.variables, elements).iter().all(holds)
                })
        })
    }

    /// Returns the elements followed by elements of these types, for each choice of those such that all are distinct and
    /// the new ones have no names.
    fn distinct(&self, types: &[IndexTypeId], elements: &[(IndexTypeId, u32)]) -> Vec<Vec<(IndexTypeId, u32)>> {
        let mut choices = vec![elements.to_vec()];
        for &index_type in types {
            let more = |before: Vec<_>| {
                let new = (0..self.sizes[index_type.index()]).map(move |position| (index_type, position));
                let free: Vec<_> = new.filter(|own| !before.contains(own) && !self.is_named(*own)).collect();
                free.into_iter().map(move |own| before.iter().copied().chain([own]).collect())
            };
            choices = choices.into_iter().flat_map(more).collect();
        }
        choices
    }

    fn literal(&self, literal: &Literal, elements: &[(IndexTypeId, u32)], state: &State) -> bool {
        let value = |term: &Term| self.term(term, &|v: IndexVariableId| elements[v.index()], Some(state));
        let (left, right) = (value(&literal.left), value(&literal.right));
        match literal.comparison.equality() {
            Some(equal) => (left == right) == equal,
            None => literal.comparison.holds_of_numbers(left.number() - right.number()),
        }
    }

    fn is_named(&self, (index_type, position): (IndexTypeId, u32)) -> bool {
        self.system.named.iter().any(|named| named.index_type == index_type && named.position == position)
    }

    fn tuples(&self, types: &[IndexTypeId]) -> Vec<Vec<u32>> {
        let mut tuples = vec![Vec::new()];
        for index_type in types {
            let size = self.sizes[index_type.index()];
            tuples = tuples
                .into_iter()
                .flat_map(|prefix: Vec<u32>| {
                    (0..size).map(move |element| {
                        let mut longer = prefix.clone();
                        longer.push(element);
                        longer
                    })
                })
                .collect();
        }
        tuples
    }

    fn update(
        &self,
        update: &Update,
        scope: &[IndexVariable],
        assignment: &Assignment,
        state: Option<&State>,
        next: &mut Choices,
    ) {
        for elements in self.elements(update.variable) {
            let mut assignment = assignment.clone();
            let (value, bound) = update.value_at(&elements);
            for (argument, &element) in bound {
                assignment[argument.index()] = element;
            }
            let sort = self.system.variables[update.variable.index()].sort;
            next.0[self.slot(update.variable, &elements)] = self.value(value, sort, scope, &mut assignment, state);
        }
    }

    fn value(
        &self,
        value: &Value,
        sort: SortId,
        scope: &[IndexVariable],
        assignment: &mut Assignment,
        state: Option<&State>,
    ) -> BTreeSet<Concrete> {
        match value {
            Value::Arbitrary => self.values(sort),
            Value::Term(term) => {
                let element = |v: IndexVariableId| (scope[v.index()].index_type, assignment[v.index()]);
                BTreeSet::from([self.term(term, &element, state)])
            }
            Value::Sum(term, number) => {
                let element = |v: IndexVariableId| (scope[v.index()].index_type, assignment[v.index()]);
                BTreeSet::from([Concrete::Number(self.term(term, &element, state).number() + number)])
            }
            Value::If(condition, yes, no) => {
                let branch = if self.formula(condition, scope, assignment, state) { yes } else { no };
                self.value(branch, sort, scope, assignment, state)
            }
        }
    }

    fn formula(
        &self,
        formula: &Formula,
        scope: &[IndexVariable],
        assignment: &mut Assignment,
        state: Option<&State>,
    ) -> bool {
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Equal(left, right) => {
                let element = |v: IndexVariableId| (scope[v.index()].index_type, assignment[v.index()]);
                self.term(left, &element, state) == self.term(right, &element, state)
            }
            Formula::AtMost(left, right, sum) => {
                let element = |v: IndexVariableId| (scope[v.index()].index_type, assignment[v.index()]);
                self.term(left, &element, state).number() <= self.term(right, &element, state).number() + sum
            }
            Formula::Not(inner) => !self.formula(inner, scope, assignment, state),
            Formula::And(parts) => parts.iter().all(|p| self.formula(p, scope, assignment, state)),
            Formula::Or(parts) => parts.iter().any(|p| self.formula(p, scope, assignment, state)),
            Formula::Forall(variable, inner) | Formula::Exists(variable, inner) => {
                let exists = matches!(formula, Formula::Exists(..));
                let shadowed = assignment[variable.index()];
                let decided = (0..self.size_of(scope, *variable)).any(|element| {
                    assignment[variable.index()] = element;
                    self.formula(inner, scope, assignment, state) == exists
                });
                assignment[variable.index()] = shadowed;
                decided == exists
            }
        }
    }

    fn size_of(&self, scope: &[IndexVariable], variable: IndexVariableId) -> u32 {
        self.sizes[scope[variable.index()].index_type.index()]
    }

    fn term(
        &self,
        term: &Term,
        element: &impl Fn(IndexVariableId) -> (IndexTypeId, u32),
        state: Option<&State>,
    ) -> Concrete {
        let index = |index: &IndexTerm| match index {
            IndexTerm::Variable(variable) => element(*variable),
            IndexTerm::Named(named) => self.named(*named),
        };
        match term {
            Term::Constant(constant) => Concrete::Constant(*constant),
            Term::Zero => Concrete::Number(0),
            Term::Index(term) => {
                let (index_type, position) = index(term);
                Concrete::Element(index_type, position)
            }
            Term::Read(variable, arguments) => {
                let elements: Vec<u32> = arguments.iter().map(|a| index(a).1).collect();
                state.expect("only startstates are evaluated without a state, and they read no variable").0
                    [self.slot(*variable, &elements)]
            }
        }
    }

    fn named(&self, named: NamedId) -> (IndexTypeId, u32) {
        let named = &self.system.named[named.index()];
        (named.index_type, named.position)
    }
}

fn types(scope: &[IndexVariable]) -> Vec<IndexTypeId> {
    scope.iter().map(|variable| variable.index_type).collect()
}

fn padded(parameters: &[u32], length: usize) -> Assignment {
    let mut assignment = parameters.to_vec();
    assignment.resize(length, 0);
    assignment
}
