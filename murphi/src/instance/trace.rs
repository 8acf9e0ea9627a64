//! Traces: how a state is reached.
//!
//! A trace consists of a startstate and the rules that lead to a state, with the states in between. No parents are
//! stored: states were found in breadth-first order, so the parent of a state is among the few states whose successors
//! surround it, and those are expanded again.
//!
//! If states represent their permutations, the trace consists of actual states that name the elements consistently from
//! start to end: each next state is a successor of the previous one, and a permutation of a stored state.

use crate::exec::{Choice, Dispatch, Fault};

use crate::program::PropertyKind;

use super::explore::STRIDE;
use super::{Exploration, Instance};

/// How a state is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The startstate instance.
    pub start: usize,
    /// The initial state, or, if the startstate leads to an error, what it had done by then.
    pub initial: Vec<u64>,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// What is wrong at the end.
    pub ending: Ending,
}

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The rule instance.
    pub rule: usize,
    /// The state afterwards.
    pub state: Vec<u64>,
}

/// What is wrong with the last state of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing known.
    None,
    /// This property instance does not hold, or cannot be evaluated.
    Property(usize),
    /// It is a deadlock, in an instance in which this is an error.
    Deadlock,
    /// This rule instance leads to an error.
    Rule(usize),
    /// The startstate instance leads to an error, so that there is no initial state.
    Start(usize),
}

impl Trace {
    /// Returns the last state.
    #[must_use]
    pub fn last(&self) -> &[u64] {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

impl Instance {
    /// Returns how a state of an exploration is reached, or `None` if the exploration does not belong to this instance.
    #[must_use]
    pub fn trace(&self, exploration: &Exploration, state: u32) -> Option<Trace> {
        let mut dispatch = self.machine.dispatch();
        let mut path = vec![state];
        let mut at = state;
        while exploration.depth_of(at) > 0 {
            at = self.parent(exploration, &mut dispatch, at)?;
            path.push(at);
        }
        path.reverse();
        self.concrete(exploration, &mut dispatch, &path)
    }

    /// Finds a state that has this one among its successors.
    fn parent(&self, exploration: &Exploration, dispatch: &mut Dispatch, child: u32) -> Option<u32> {
        let block = exploration.first_children.partition_point(|&first| first <= child).checked_sub(1)?;
        let first = u32::try_from(block * STRIDE).ok()?;
        let last = u32::try_from((block + 1) * STRIDE).ok()?.min(child);
        let mut wanted = vec![0; self.machine.layout().words()];
        exploration.state(child, &mut wanted);
        let mut state = wanted.clone();
        (first..last).find(|&parent| {
            exploration.state(parent, &mut state);
            self.step(exploration.symmetry, dispatch, &state, &wanted).is_some()
        })
    }

    /// Finds a rule instance that leads to this stored state or a permutation of it, and the actual successor.
    fn step(
        &self,
        symmetry: bool,
        dispatch: &mut Dispatch,
        state: &[u64],
        wanted: &[u64],
    ) -> Option<(usize, Vec<u64>)> {
        let mut scratch = self.machine.scratch();
        let mut permuting = self.symmetry.workspace(state.len());
        let mut stored = state.to_vec();
        let mut firing = Vec::new();
        scratch.load(state);
        self.firing(&mut scratch, dispatch, &mut firing).ok()?;
        for rule in firing {
            scratch.load(state);
            if self.machine.fire(&mut scratch, rule) != Ok(true) {
                continue;
            }
            stored.copy_from_slice(scratch.state());
            if symmetry {
                self.symmetry.canonicalize(&self.machine, &mut stored, &mut permuting);
            }
            if stored == wanted {
                return Some((rule, scratch.state().to_vec()));
            }
        }
        None
    }

    fn concrete(&self, exploration: &Exploration, dispatch: &mut Dispatch, path: &[u32]) -> Option<Trace> {
        let words = self.machine.layout().words();
        let mut wanted = vec![0; words];
        exploration.state(*path.first()?, &mut wanted);
        let mut scratch = self.machine.scratch();
        let mut permuting = self.symmetry.workspace(words);
        // A stored state is a permutation of an initial one, and permutations of initial states are initial. So some
        // startstate leads to it with its own values of variables that may have any.
        let choice = self.machine.choice().of_state(self.machine.layout(), &wanted)?;
        let start = (0..self.machine.starts().len()).find(|&start| {
            if !self.machine.start_with(&mut scratch, start, &choice).unwrap_or(false) {
                return false;
            }
            let mut stored = scratch.state().to_vec();
            if exploration.symmetry && stored != wanted {
                self.symmetry.canonicalize(&self.machine, &mut stored, &mut permuting);
            }
            stored == wanted
        })?;
        let mut trace = Trace { start, initial: scratch.state().to_vec(), steps: Vec::new(), ending: Ending::None };
        for &next in &path[1..] {
            exploration.state(next, &mut wanted);
            let (rule, state) = self.step(exploration.symmetry, dispatch, trace.last(), &wanted)?;
            trace.steps.push(TraceStep { rule, state });
        }
        Some(trace)
    }

    /// Returns the trace to an exploration's violation or error, or `None` if there is none.
    #[must_use]
    pub fn counterexample(&self, exploration: &Exploration) -> Option<Trace> {
        use super::Outcome;
        let state = match &exploration.outcome {
            Outcome::Complete | Outcome::Stopped(_) => return None,
            Outcome::StartFault { start, choice, .. } => return Some(self.ended_start(*start, choice)),
            Outcome::Violated { state, .. }
            | Outcome::PropertyFault { state, .. }
            | Outcome::Deadlock { state }
            | Outcome::RuleFault { state, .. } => *state,
        };
        let mut trace = self.trace(exploration, state)?;
        trace.ending = self.ending(&trace);
        Some(trace)
    }

    /// Returns the trace of a startstate that leads to an error.
    pub(super) fn ended_start(&self, start: usize, choice: &Choice) -> Trace {
        let mut scratch = self.machine.scratch();
        // The error is already known; what counts is the state that it leaves.
        let _ = self.machine.start_with(&mut scratch, start, choice);
        Trace { start, initial: scratch.state().to_vec(), steps: Vec::new(), ending: Ending::Start(start) }
    }

    /// Returns the error that a trace ends in, if any.
    #[must_use]
    pub fn fault(&self, trace: &Trace) -> Option<Fault> {
        let mut scratch = self.machine.scratch();
        scratch.load(trace.last());
        match trace.ending {
            Ending::None | Ending::Deadlock => None,
            Ending::Property(property) => self.machine.holds(&mut scratch, property).err(),
            Ending::Rule(rule) => match self.machine.enabled(&mut scratch, rule) {
                Ok(_) => self.machine.fire(&mut scratch, rule).err(),
                Err(fault) => Some(fault),
            },
            Ending::Start(start) => {
                let choice = self.machine.choice().of_state(self.machine.layout(), &trace.initial)?;
                self.machine.start_with(&mut scratch, start, &choice).err()
            }
        }
    }

    /// Finds what is wrong with the last state, whose element names may differ from those of the stored state.
    pub(super) fn ending(&self, trace: &Trace) -> Ending {
        let mut scratch = self.machine.scratch();
        for property in 0..self.machine.properties().len() {
            if self.kind(property) == PropertyKind::Liveness {
                continue;
            }
            scratch.load(trace.last());
            // Properties other than invariants may be false, but must not lead to an error.
            let wrong = match self.machine.holds(&mut scratch, property) {
                Ok(holds) => !holds && self.kind(property) == PropertyKind::Invariant,
                Err(_) => true,
            };
            if wrong {
                return Ending::Property(property);
            }
        }
        scratch.load(trace.last());
        let mut firing = Vec::new();
        if let Err((rule, _)) = self.firing(&mut scratch, &mut self.machine.dispatch(), &mut firing) {
            return Ending::Rule(rule);
        }
        let (mut enabled, mut changed) = (false, false);
        for rule in firing {
            scratch.load(trace.last());
            match self.machine.fire(&mut scratch, rule) {
                Err(_) => return Ending::Rule(rule),
                Ok(fired) => {
                    enabled |= fired;
                    changed |= fired && scratch.state() != trace.last();
                }
            }
        }
        if self.is_deadlock(enabled, changed) { Ending::Deadlock } else { Ending::None }
    }

    fn kind(&self, property: usize) -> PropertyKind {
        let property = &self.machine.properties()[property];
        self.machine.program().properties[property.property].kind
    }
}
