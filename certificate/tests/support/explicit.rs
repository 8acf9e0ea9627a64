//! The meaning of a system by brute force: all reachable states of an instance, and whether one satisfies a cube.
//!
//! It follows the documentation of `protocol::system` and shares nothing with the checker.

use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};

use protocol::System;
use protocol::system::{
    ConstantId, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, Literal, NamedElement, Sort, Term, Update, Value,
    VariableId,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Datum {
    Constant(ConstantId),
    Element(IndexTypeId, usize),
}

/// What an instance says about bad states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// One is reachable.
    Bad,
    /// None is reachable.
    AllGood,
    /// There are too many states, or it was too much work.
    Unknown,
}

/// How often a rule or a cube may be tried on elements, in a call of [`Instance::reaches`].
const WORK: u64 = 2_000_000;
/// How much of that a new state costs, which takes memory.
const NEW_STATE: usize = 50;

pub(crate) type State = Vec<Vec<Datum>>;

/// An instance: every index type has `size` elements.
pub(crate) struct Instance<'a> {
    system: &'a System,
    size: usize,
    /// How often a rule or a cube may still be tried on elements, and a successor be made.
    work: Cell<u64>,
}

impl<'a> Instance<'a> {
    pub(crate) fn new(system: &'a System, size: usize) -> Self {
        Self { system, size, work: Cell::new(u64::MAX) }
    }

    /// All reachable states, or `None` where there are more than the limit.
    pub(crate) fn reachable(&self, limit: usize) -> Option<BTreeSet<State>> {
        let mut all = BTreeSet::new();
        let ended = self.explore(&mut |state| {
            all.insert(state.clone());
            all.len() <= limit
        });
        ended.then_some(all)
    }

    /// Whether a reachable state satisfies one of the cubes, as far as the first states tell, and as far as a bounded amount of
    /// work goes: a state can have more successors than anybody can count.
    pub(crate) fn reaches(&self, cubes: &[Cube], limit: usize) -> Reached {
        self.work.set(WORK.max(u64::try_from(limit).unwrap() * 100));
        let (mut seen, mut bad) = (0, false);
        let ended = self.explore(&mut |state| {
            seen += 1;
            bad = cubes.iter().any(|cube| self.satisfies(state, cube));
            !bad && seen <= limit
        });
        match (bad, ended) {
            (true, _) => Reached::Bad,
            (false, true) => Reached::AllGood,
            (false, false) => Reached::Unknown,
        }
    }

    /// Takes from the work that is left; whether there was enough.
    fn has_work(&self, amount: usize) -> bool {
        let left = self.work.get().checked_sub(u64::try_from(amount).unwrap());
        self.work.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Calls with each reachable state until it says no, or the work is used up; whether that was never so.
    fn explore(&self, visit: &mut dyn FnMut(&State) -> bool) -> bool {
        let nothing: State = self.system.variables.iter().map(|_| Vec::new()).collect();
        let mut seen = BTreeSet::new();
        for start in &self.system.startstates {
            match self.steps(&nothing, &start.scope, start.parameters, &start.guard, &start.updates) {
                Some(states) => seen.extend(states),
                None => return false,
            }
        }
        let mut open: VecDeque<State> = seen.iter().cloned().collect();
        while let Some(state) = open.pop_front() {
            if !visit(&state) {
                return false;
            }
            for rule in &self.system.rules {
                let steps = self.steps(&state, &rule.scope, rule.parameters, &rule.guard, &rule.updates);
                let Some(steps) = steps else { return false };
                for next in steps {
                    if seen.insert(next.clone()) {
                        if !self.has_work(NEW_STATE) {
                            return false;
                        }
                        open.push_back(next);
                    }
                }
            }
        }
        true
    }

    /// Whether there are elements for which all literals of the cube hold.
    pub(crate) fn satisfies(&self, state: &State, cube: &Cube) -> bool {
        self.embeds(state, cube, &mut Vec::new())
    }

    /// Whether the elements that are chosen for the first variables of a cube can be completed.
    fn embeds(&self, state: &State, cube: &Cube, elements: &mut Vec<usize>) -> bool {
        // What is left over is looked at when the next step is made.
        self.has_work(1);
        let chosen = elements.len();
        let value = |term: &Term| self.term(term, state, elements, &cube.variables);
        let decided = |literal: &&Literal| needs(&literal.left).max(needs(&literal.right)) == chosen;
        if cube.literals.iter().filter(decided).any(|l| (value(&l.left) == value(&l.right)) != l.equal) {
            return false;
        }
        let Some(own) = cube.variables.get(chosen) else { return true };
        (0..self.size).any(|element| {
            let taken = elements.iter().zip(&cube.variables).any(|(other, of)| *other == element && of == own);
            let is_named = |n: &NamedElement| n.index_type == *own && n.position as usize == element;
            if taken || self.system.named.iter().any(is_named) {
                return false;
            }
            elements.push(element);
            let found = self.embeds(state, cube, elements);
            elements.pop();
            found
        })
    }

    fn choices(&self, count: usize) -> Vec<Vec<usize>> {
        (0..count).fold(vec![vec![]], |all, _| {
            all.iter().flat_map(|one| (0..self.size).map(|next| [one.clone(), vec![next]].concat())).collect()
        })
    }

    fn steps(
        &self,
        state: &State,
        scope: &[IndexVariable],
        parameters: u32,
        guard: &Formula,
        updates: &[Update],
    ) -> Option<Vec<State>> {
        let types: Vec<IndexTypeId> = scope.iter().map(|variable| variable.index_type).collect();
        let mut all = Vec::new();
        for choice in self.choices(parameters as usize) {
            if !self.has_work(1) {
                return None;
            }
            let mut elements = vec![0; scope.len()];
            elements[..choice.len()].copy_from_slice(&choice);
            if self.holds(guard, state, &mut elements, &types) {
                all.extend(self.updated(state, updates, &elements, &types)?);
            }
        }
        Some(all)
    }

    fn updated(
        &self,
        state: &State,
        updates: &[Update],
        elements: &[usize],
        types: &[IndexTypeId],
    ) -> Option<Vec<State>> {
        let mut results = vec![state.clone()];
        for update in updates {
            let sort = self.system.sort_of(update.variable);
            let tuples = self.choices(update.arguments.len());
            for result in &mut results {
                result[update.variable.index()] = Vec::new();
            }
            for tuple in tuples {
                let mut elements = elements.to_vec();
                for (bound, element) in update.arguments.iter().zip(&tuple) {
                    elements[bound.index()] = *element;
                }
                let values = self.value(&update.value, sort, state, &mut elements, types);
                if let [value] = values.as_slice() {
                    results.iter_mut().for_each(|result| result[update.variable.index()].push(*value));
                    continue;
                }
                if !self.has_work(results.len() * values.len()) {
                    return None;
                }
                results = results
                    .iter()
                    .flat_map(|result| {
                        values.iter().map(|value| {
                            let mut result = result.clone();
                            result[update.variable.index()].push(*value);
                            result
                        })
                    })
                    .collect();
            }
        }
        Some(results)
    }

    fn value(
        &self,
        value: &Value,
        sort: &Sort,
        state: &State,
        elements: &mut Vec<usize>,
        types: &[IndexTypeId],
    ) -> Vec<Datum> {
        match value {
            Value::Term(term) => vec![self.term(term, state, elements, types)],
            Value::Arbitrary => {
                let constants = sort.constants.iter().map(|constant| Datum::Constant(*constant));
                let of_type = |own: &IndexTypeId| {
                    let own = *own;
                    (0..self.size).map(move |element| Datum::Element(own, element))
                };
                constants.chain(sort.index_types.iter().flat_map(of_type)).collect()
            }
            Value::If(condition, then, otherwise) => {
                let case = if self.holds(condition, state, elements, types) { then } else { otherwise };
                self.value(case, sort, state, elements, types)
            }
        }
    }

    fn holds(&self, formula: &Formula, state: &State, elements: &mut Vec<usize>, types: &[IndexTypeId]) -> bool {
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Equal(a, b) => self.term(a, state, elements, types) == self.term(b, state, elements, types),
            Formula::Not(inner) => !self.holds(inner, state, elements, types),
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, state, elements, types)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part, state, elements, types)),
            Formula::Forall(variable, body) | Formula::Exists(variable, body) => {
                let all = matches!(formula, Formula::Forall(..));
                let holds = |element| {
                    elements[variable.index()] = element;
                    self.holds(body, state, elements, types) == all
                };
                if all { (0..self.size).all(holds) } else { !(0..self.size).all(holds) }
            }
        }
    }

    fn term(&self, term: &Term, state: &State, elements: &[usize], types: &[IndexTypeId]) -> Datum {
        match term {
            Term::Constant(constant) => Datum::Constant(*constant),
            Term::Index(index) => self.element(*index, elements, types),
            Term::Read(variable, arguments) => {
                let position = self.position(*variable, arguments, elements, types);
                state[variable.index()][position]
            }
        }
    }

    fn position(&self, _: VariableId, arguments: &[IndexTerm], elements: &[usize], types: &[IndexTypeId]) -> usize {
        arguments.iter().fold(0, |position, argument| match self.element(*argument, elements, types) {
            Datum::Element(_, element) => position * self.size + element,
            Datum::Constant(_) => unreachable!("an index is an element"),
        })
    }

    fn element(&self, index: IndexTerm, elements: &[usize], types: &[IndexTypeId]) -> Datum {
        match index {
            IndexTerm::Variable(variable) => Datum::Element(types[variable.index()], elements[variable.index()]),
            IndexTerm::Named(named) => {
                let named = &self.system.named[named.index()];
                Datum::Element(named.index_type, named.position as usize)
            }
        }
    }
}

/// How many variables have to be chosen for a term to have a value.
fn needs(term: &Term) -> usize {
    let index = |index: &IndexTerm| match index {
        IndexTerm::Variable(variable) => variable.index() + 1,
        IndexTerm::Named(_) => 0,
    };
    match term {
        Term::Constant(_) => 0,
        Term::Index(own) => index(own),
        Term::Read(_, arguments) => arguments.iter().map(index).max().unwrap_or(0),
    }
}
