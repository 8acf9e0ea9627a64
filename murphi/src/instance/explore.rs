//! Breadth-first exploration.
//!
//! States are expanded in the order in which they were found, rules in source order, so that every run has the same
//! result. Successors are collected and looked up together, so that the memory accesses of many lookups overlap.

use std::hint::black_box;

use crate::exec::{Choice, Dispatch, Fault, Scratch};
use crate::program::{PropertyKind, Span};
use system::front_end::{ExplorationFigures, Limit, Limits};

use super::Instance;
use super::store::{StateId, Store};

/// The number of successors that are looked up together.
const BATCH: usize = 256;
/// Once per this many states, the start of their successors is recorded.
pub(super) const STRIDE: usize = 64;
/// Progress is reported each time this many states have been expanded.
const TELL: usize = 1 << 12;

/// States in which nothing happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadlocks {
    /// The number of states in which no rule is enabled.
    pub none_enabled: u64,
    /// The number of states that no rule changes, including those without an enabled rule.
    pub none_changes: u64,
    /// The first state without an enabled rule.
    pub first_none_enabled: Option<u32>,
    /// The first state that no rule changes.
    pub first_none_changes: Option<u32>,
}

/// How an exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    /// All reachable states were expanded, and no property is violated.
    Complete,
    /// A state violates an invariant, given as a position among the machine's properties.
    Violated {
        /// The state.
        state: u32,
        /// The property instance.
        property: usize,
    },
    /// Evaluating a property led to an error of the model.
    PropertyFault {
        /// The state.
        state: u32,
        /// The property instance.
        property: usize,
        /// The error.
        fault: Fault,
    },
    /// A state is a deadlock, in an instance in which this is an error.
    Deadlock {
        /// The state.
        state: u32,
    },
    /// Executing a rule led to an error of the model.
    RuleFault {
        /// The state.
        state: u32,
        /// The rule instance.
        rule: usize,
        /// Whether the error is in the guard.
        guard: bool,
        /// The error.
        fault: Fault,
    },
    /// Executing a startstate led to an error of the model.
    StartFault {
        /// The startstate instance.
        start: usize,
        /// The values of variables that may have any.
        choice: Choice,
        /// The error.
        fault: Fault,
    },
    /// Not all reachable states were expanded.
    Stopped(Limit),
}

/// The result of an exploration. States are numbered from 0 in the order in which they were found.
#[derive(Debug)]
pub struct Exploration {
    /// How it ended.
    pub outcome: Outcome,
    /// The number of rules fired.
    pub rules_fired: u64,
    /// The number of states expanded.
    pub expanded: u64,
    /// Deadlocks among the expanded states.
    pub deadlocks: Deadlocks,
    /// How often each rule instance fired.
    pub fired: Vec<u64>,
    /// For each property instance, whether it is a `cover` that some state satisfies.
    pub covered: Vec<bool>,
    /// For each `cover` statement of the program, whether an execution reached it while its condition held.
    pub covered_statements: Vec<bool>,
    /// Whether each state represents all its permutations.
    pub symmetry: bool,
    /// The place of an error that occurs only in some orders of elements, so that states do not represent their
    /// permutations.
    pub ordered: Option<Span>,
    /// The first state at each distance from the initial states.
    pub(super) levels: Vec<usize>,
    pub(super) store: Store,
    /// For every [`STRIDE`]th state, the number of states before its expansion.
    pub(super) first_children: Vec<u32>,
}

impl Exploration {
    /// Returns the number of states.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.store.len() as u64
    }

    /// Returns the largest distance of a state from the initial states.
    #[must_use]
    pub fn depth(&self) -> u32 {
        u32::try_from(self.levels.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Returns the distance of a state from the initial states.
    #[must_use]
    pub fn depth_of(&self, state: u32) -> u32 {
        let level = self.levels.partition_point(|&first| first <= state as usize);
        u32::try_from(level.saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Unpacks a state.
    pub fn state(&self, state: u32, words: &mut [u64]) {
        self.store.load(state, words);
    }

    /// Returns the number of bytes for states.
    #[must_use]
    pub fn memory(&self) -> u64 {
        (self.store.memory() + self.first_children.len() * 4) as u64
    }
}

impl Instance {
    /// Explores until everything is known, something is wrong, or a limit is reached. `proceed` is called from time to
    /// time and returns whether to continue.
    pub fn explore(
        &self,
        limits: &Limits,
        symmetry: bool,
        proceed: &mut dyn FnMut(&ExplorationFigures) -> bool,
    ) -> Exploration {
        let mut explorer = Explorer::new(self, *limits, symmetry);
        let outcome = match explorer.run(proceed) {
            Ok(()) => Outcome::Complete,
            Err(outcome) => *outcome,
        };
        let ordered = self.machine.not_needed(&explorer.scratch).filter(|_| explorer.symmetry);
        if ordered.is_some() && matches!(outcome, Outcome::Complete | Outcome::Stopped(_)) {
            // Where a state avoids the error, one of its permutations does not.
            drop(explorer);
            return Exploration { ordered, ..self.explore(limits, false, proceed) };
        }
        explorer.finish(outcome)
    }
}

type End = Box<Outcome>;

struct Explorer<'a> {
    instance: &'a Instance,
    limits: Limits,
    symmetry: bool,
    store: Store,
    scratch: Scratch,
    permuting: super::symmetry::Workspace,
    /// The state being expanded.
    current: Vec<u64>,
    /// Successors waiting to be looked up, stored consecutively, with their hashes and sources.
    waiting: Vec<u64>,
    waiting_hashes: Vec<u64>,
    waiting_sources: Vec<StateId>,
    entries: Vec<u32>,
    checked: Vec<usize>,
    assumed: Vec<usize>,
    covers: Vec<usize>,
    levels: Vec<usize>,
    first_children: Vec<u32>,
    rules_fired: u64,
    expanded: usize,
    deadlocks: Deadlocks,
    fired: Vec<u64>,
    covered: Vec<bool>,
    dispatch: Dispatch,
    /// The rules that fire in the state being expanded.
    firing: Vec<usize>,
}

impl<'a> Explorer<'a> {
    fn new(instance: &'a Instance, limits: Limits, symmetry: bool) -> Self {
        let machine = &instance.machine;
        let of_kind = |kind: PropertyKind| -> Vec<usize> {
            let properties = machine.properties().iter().enumerate();
            properties
                .filter(|(_, property)| machine.program().properties[property.property].kind == kind)
                .map(|(position, _)| position)
                .collect()
        };
        let words = machine.layout().words();
        Self {
            instance,
            limits,
            symmetry: symmetry && instance.symmetry.is_useful(),
            store: Store::new(words, machine.layout().bytes()),
            scratch: machine.scratch(),
            permuting: instance.symmetry.workspace(words),
            current: vec![0; words],
            waiting: Vec::new(),
            waiting_hashes: Vec::new(),
            waiting_sources: Vec::new(),
            entries: Vec::new(),
            checked: of_kind(PropertyKind::Invariant),
            assumed: of_kind(PropertyKind::Assume),
            covers: of_kind(PropertyKind::Cover),
            levels: Vec::new(),
            first_children: Vec::new(),
            rules_fired: 0,
            expanded: 0,
            deadlocks: Deadlocks::default(),
            fired: vec![0; machine.rules().len()],
            covered: vec![false; machine.properties().len()],
            dispatch: machine.dispatch(),
            firing: Vec::new(),
        }
    }

    fn finish(mut self, outcome: Outcome) -> Exploration {
        if self.levels.len() > 1 && self.levels.last() == Some(&self.store.len()) {
            self.levels.pop();
        }
        Exploration {
            outcome,
            rules_fired: self.rules_fired,
            expanded: self.expanded as u64,
            deadlocks: self.deadlocks,
            fired: self.fired,
            covered: self.covered,
            covered_statements: self.scratch.covered().to_vec(),
            symmetry: self.symmetry,
            ordered: None,
            levels: self.levels,
            store: self.store,
            first_children: self.first_children,
        }
    }

    fn run(&mut self, proceed: &mut dyn FnMut(&ExplorationFigures) -> bool) -> Result<(), End> {
        self.levels.push(0);
        for start in 0..self.instance.machine.starts().len() {
            self.begin(start, proceed)?;
        }
        self.look_up()?;
        let mut level = 0;
        loop {
            let end = self.store.len();
            if level == end {
                return Ok(());
            }
            if self.levels.len() as u64 > u64::from(self.limits.max_depth) {
                return Err(Box::new(Outcome::Stopped(Limit::Depth)));
            }
            self.levels.push(end);
            for state in level..end {
                self.expand(u32::try_from(state).unwrap_or(u32::MAX))?;
                if self.symmetry && self.scratch.order_matters() {
                    return Ok(());
                }
                if self.expanded.is_multiple_of(TELL) && !proceed(&self.figures()) {
                    return Err(Box::new(Outcome::Stopped(Limit::Asked)));
                }
            }
            self.look_up()?;
            level = end;
        }
    }

    /// Finds the initial states of a startstate, one for each choice of values where variables may have any.
    fn begin(&mut self, start: usize, proceed: &mut dyn FnMut(&ExplorationFigures) -> bool) -> Result<(), End> {
        let mut choice = self.instance.machine.choice();
        for tried in 1_usize.. {
            match self.instance.machine.start_with(&mut self.scratch, start, &choice) {
                Ok(true) => self.wait(0),
                Ok(false) => {}
                Err(fault) => return Err(Box::new(Outcome::StartFault { start, choice, fault })),
            }
            if self.waiting_hashes.len() >= BATCH {
                self.look_up()?;
            }
            if tried.is_multiple_of(TELL) && !proceed(&self.figures()) {
                return Err(Box::new(Outcome::Stopped(Limit::Asked)));
            }
            if !choice.advance() {
                break;
            }
        }
        Ok(())
    }

    fn figures(&self) -> ExplorationFigures {
        ExplorationFigures {
            states: self.store.len() as u64,
            expanded: self.expanded as u64,
            rules_fired: self.rules_fired,
            depth: u32::try_from(self.levels.len().saturating_sub(2)).unwrap_or(u32::MAX),
            bytes: self.store.memory() as u64,
        }
    }

    fn expand(&mut self, state: StateId) -> Result<(), End> {
        let machine = &self.instance.machine;
        self.store.load(state, &mut self.current);
        self.scratch.load(&self.current);
        let mut firing = std::mem::take(&mut self.firing);
        if let Err((rule, fault)) = self.instance.firing(&mut self.scratch, &mut self.dispatch, &mut firing) {
            return Err(Box::new(Outcome::RuleFault { state, rule, guard: true, fault }));
        }
        let (mut enabled, mut changed) = (false, false);
        for &rule in &firing {
            match machine.fire(&mut self.scratch, rule) {
                Ok(true) => {}
                // For states, a failed `assume` acts as a guard that does not hold.
                Ok(false) => {
                    self.scratch.load(&self.current);
                    continue;
                }
                Err(fault) => return Err(Box::new(Outcome::RuleFault { state, rule, guard: false, fault })),
            }
            enabled = true;
            self.rules_fired += 1;
            self.fired[rule] += 1;
            if *self.scratch.state() != *self.current {
                changed = true;
                self.wait(state);
                self.scratch.load(&self.current);
            }
        }
        self.firing = firing;
        self.expanded += 1;
        if !enabled {
            self.deadlocks.none_enabled += 1;
            self.deadlocks.first_none_enabled.get_or_insert(state);
        }
        if !changed {
            self.deadlocks.none_changes += 1;
            self.deadlocks.first_none_changes.get_or_insert(state);
        }
        if self.instance.is_deadlock(enabled, changed) {
            return Err(Box::new(Outcome::Deadlock { state }));
        }
        if self.waiting_hashes.len() >= BATCH { self.look_up() } else { Ok(()) }
    }

    /// Queues the current state of the scratch memory for lookup.
    fn wait(&mut self, source: StateId) {
        if self.symmetry {
            self.instance.symmetry.canonicalize(&self.instance.machine, self.scratch.state_mut(), &mut self.permuting);
        }
        self.waiting.extend_from_slice(self.scratch.state());
        self.waiting_hashes.push(Store::hash(self.scratch.state()));
        self.waiting_sources.push(source);
    }

    fn look_up(&mut self) -> Result<(), End> {
        self.entries.clear();
        self.entries.extend(self.waiting_hashes.iter().map(|&hash| self.store.first_entry(hash)));
        let mut touched = 0_u8;
        for (&entry, &hash) in self.entries.iter().zip(&self.waiting_hashes) {
            touched ^= self.store.touch(entry, hash);
        }
        black_box(touched);
        let words = self.current.len();
        let waiting = std::mem::take(&mut self.waiting);
        let mut result = Ok(());
        for (position, state) in waiting.chunks_exact(words).enumerate() {
            result = self.arrive(state, self.waiting_hashes[position], self.waiting_sources[position]);
            if result.is_err() {
                break;
            }
        }
        self.waiting = waiting;
        self.waiting.clear();
        self.waiting_hashes.clear();
        self.waiting_sources.clear();
        result
    }

    fn arrive(&mut self, state: &[u64], hash: u64, source: StateId) -> Result<(), End> {
        let before = self.store.len();
        if before as u64 >= self.limits.max_states || self.store.is_full() {
            return if self.store.find(state).is_some() {
                Ok(())
            } else {
                Err(Box::new(Outcome::Stopped(Limit::States)))
            };
        }
        if !self.assumed.is_empty() && !self.assumption_holds(state)? {
            return Ok(());
        }
        let (id, new) = self.store.insert(state, hash);
        if !new {
            return Ok(());
        }
        while self.first_children.len() * STRIDE <= source as usize {
            self.first_children.push(u32::try_from(before).unwrap_or(u32::MAX));
        }
        if self.store.memory() as u64 > self.limits.max_bytes {
            return Err(Box::new(Outcome::Stopped(Limit::Memory)));
        }
        self.check(id, state)
    }

    fn assumption_holds(&mut self, state: &[u64]) -> Result<bool, End> {
        self.scratch.load(state);
        for position in 0..self.assumed.len() {
            let property = self.assumed[position];
            match self.instance.machine.holds(&mut self.scratch, property) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(fault) => {
                    // The reported state must be in the set, so it is kept although its properties were not checked.
                    let (state, _) = self.store.insert(state, Store::hash(state));
                    return Err(Box::new(Outcome::PropertyFault { state, property, fault }));
                }
            }
        }
        Ok(true)
    }

    fn check(&mut self, id: StateId, state: &[u64]) -> Result<(), End> {
        let machine = &self.instance.machine;
        self.scratch.load(state);
        for &property in &self.checked {
            match machine.holds(&mut self.scratch, property) {
                Ok(true) => {}
                Ok(false) => return Err(Box::new(Outcome::Violated { state: id, property })),
                Err(fault) => return Err(Box::new(Outcome::PropertyFault { state: id, property, fault })),
            }
        }
        for &property in &self.covers {
            // Evaluating it may lead to an error in any state, even if it is already covered.
            match machine.holds(&mut self.scratch, property) {
                Ok(truth) => self.covered[property] |= truth,
                Err(fault) => return Err(Box::new(Outcome::PropertyFault { state: id, property, fault })),
            }
        }
        Ok(())
    }
}
