//! Reachable states of a small instance of a lowered system.
//!
//! A breadth-first search and random walks find some of its reachable states, one for each class of states that differ
//! by a permutation of elements, or a path to a state that violates a property.
//!
//! A variable that was made undefined keeps a special value that represents every value of its sort. Such a state is a
//! set of reachable states of the lowered system. A comparison with the special value counts as false, which is one of
//! its possible outcomes. There is an exception: if certain values of undefined variables make a whole guard true, the
//! variables take these values, so that a rule that follows an undefined pointer has a successor. If anything depends
//! on an undefined value, these are therefore not all reachable states. If it is a value that initial states leave open, the
//! instance is explored again with initial states in which the variable has values. The exact meaning of Murphi is not needed here:
//! no proof relies on these states, and a path to a violation is replayed elsewhere.

mod finite;
mod ground;
mod table;

#[cfg(test)]
mod tests;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use system::{PropertyId, RuleId, StartstateId};

pub(crate) use finite::{Code, FiniteSystem, OracleState};
pub(crate) use table::Table;

/// How many states to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// The number of states of the breadth-first search.
    pub(crate) breadth: usize,
    /// The number of further states from random walks.
    pub(crate) walked: usize,
    /// The number of steps of one walk.
    pub(crate) length: usize,
}

/// The number of steps between two calls that ask whether to go on.
const STEPS_BETWEEN_QUESTIONS: usize = 64;

/// Reachable states.
#[derive(Debug)]
pub(crate) struct Reached {
    pub(crate) states: IndexSet<OracleState, FxBuildHasher>,
    /// Whether these are all states of the instance.
    pub(crate) complete: bool,
    /// A path to a violation, if one was found.
    pub(crate) violation: Option<Path>,
}

/// A path of the instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) property: PropertyId,
    pub(crate) start: (StartstateId, Vec<u8>),
    pub(crate) steps: Vec<(RuleId, Vec<u8>)>,
}

struct Search<'m, 'a> {
    machine: &'m FiniteSystem<'a>,
    states: IndexSet<OracleState, FxBuildHasher>,
    /// The predecessor of each state, or `None` for an initial state.
    sources: Vec<Option<u32>>,
    violated: Option<(u32, PropertyId)>,
    next: Vec<Code>,
}

/// Explores the instance, again with more initial states as long as something depends on variables that are undefined in them.
///
/// `go_on` is called often. When it returns false, the states found so far are the result.
pub(crate) fn explore_all(machine: &mut FiniteSystem<'_>, effort: Effort, go_on: &mut dyn FnMut() -> bool) -> Reached {
    loop {
        let reached = explore(machine, effort, go_on);
        if reached.violation.is_some() || !machine.choose(reached.states.iter()) || !go_on() {
            return reached;
        }
    }
}

/// Explores the instance.
///
/// `go_on` is called often. When it returns false, the states found so far are the result.
pub(crate) fn explore(machine: &FiniteSystem<'_>, effort: Effort, go_on: &mut dyn FnMut() -> bool) -> Reached {
    let mut search = Search {
        machine,
        states: IndexSet::default(),
        sources: Vec::new(),
        violated: None,
        next: vec![0; machine.scalars],
    };
    for (_, _, state) in machine.initial() {
        search.add(&state, None);
    }
    let expanded = search.breadth_first(effort, go_on);
    if !expanded && search.violated.is_none() {
        search.walk(effort, go_on);
    }
    let complete =
        expanded && !machine.is_cut() && !search.states.iter().any(|state| machine.depends_on_undefined(state));
    let violation = search.violated.map(|(state, property)| search.path(state, property));
    Reached { states: search.states, complete, violation }
}

impl Search<'_, '_> {
    /// Adds the representative of a state, and returns its number.
    fn add(&mut self, state: &[Code], from: Option<u32>) -> usize {
        let (number, new) = self.states.insert_full(self.machine.canonical(state));
        if new {
            self.sources.push(from);
            if self.violated.is_none()
                && let Some(property) = self.machine.violated(&self.states[number])
            {
                self.violated = Some((narrow(number), property));
            }
        }
        number
    }

    /// Explores breadth-first. Returns whether all states were found.
    fn breadth_first(&mut self, effort: Effort, go_on: &mut dyn FnMut() -> bool) -> bool {
        let mut position = 0;
        while position < self.states.len() && self.violated.is_none() {
            if self.states.len() >= effort.breadth || (position % STEPS_BETWEEN_QUESTIONS == 0 && !go_on()) {
                return false;
            }
            let mut next = std::mem::take(&mut self.next);
            for instance in 0..self.machine.instances() {
                if self.states.len() >= effort.breadth {
                    break;
                }
                if self.machine.step(instance, &self.states[position], &mut next) {
                    self.add(&next, Some(narrow(position)));
                }
            }
            self.next = next;
            position += 1;
        }
        self.violated.is_none()
    }

    /// Walks at random from known states, with a generator that always starts with the same seed.
    fn walk(&mut self, effort: Effort, go_on: &mut dyn FnMut() -> bool) {
        let mut random = Random::new();
        let goal = self.states.len() + effort.walked;
        let mut budget = effort.walked.saturating_mul(20);
        let mut next = self.next.clone();
        while self.states.len() < goal && budget > 0 && self.violated.is_none() && go_on() {
            let mut current = random.below(self.states.len());
            for _ in 0..effort.length {
                budget = budget.saturating_sub(1);
                if !self.machine.random_step(&self.states[current], &mut random, &mut next) {
                    break;
                }
                current = self.add(&next, Some(narrow(current)));
                if budget == 0 || self.states.len() >= goal || self.violated.is_some() {
                    break;
                }
            }
        }
    }

    /// Returns the path to a state, with the elements named consistently from start to end.
    fn path(&self, state: u32, property: PropertyId) -> Path {
        let mut chain = vec![state];
        while let Some(from) = self.sources[chain[chain.len() - 1] as usize] {
            chain.push(from);
        }
        chain.reverse();
        let target = |number: u32| &self.states[number as usize];
        let initial = self.machine.initial();
        let first = initial.into_iter().find(|(_, _, state)| self.machine.canonical(state) == *target(chain[0]));
        let (start, parameters, mut at) = first.expect("the chain starts at an initial state");
        let mut steps = Vec::new();
        let mut next = at.clone();
        for &number in &chain[1..] {
            let instance = (0..self.machine.instances())
                .find(|&instance| {
                    self.machine.step(instance, &at, &mut next) && self.machine.canonical(&next) == *target(number)
                })
                .expect("successors commute with permutations of the elements");
            let (rule, parameters) = self.machine.instance(instance);
            steps.push((rule, parameters.to_vec()));
            at.copy_from_slice(&next);
        }
        Path { property, start: (start, parameters), steps }
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("the number of states is bounded")
}

/// A small pseudo-random number generator (xorshift; Marsaglia 2003).
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    fn new() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let bound = u64::try_from(bound.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.0 % bound).unwrap_or(0)
    }
}
