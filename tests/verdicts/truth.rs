//! The truth about an instance: all its states, none of which represents another.
//!
//! An exploration finds out whether some reachable state violates a property or some execution reaches a statement
//! whose assertion fails. It shares the meaning of statements with the command, but neither lowering nor symmetry nor
//! the exploration of `simulate`. Paths end at a run-time error, since no verdict is about what follows; paths that
//! violate something continue.

use std::collections::{HashSet, VecDeque};

use murphi::exec::{Fault, FaultKind, Machine, Scratch};
use murphi::program::{Program, PropertyKind};

/// What is true of an instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Truth {
    /// For each property of the program, the number of states that violate it.
    pub(crate) violated: Vec<usize>,
    /// Whether an assertion fails or an error statement is reached.
    pub(crate) asserted: bool,
    /// Whether an execution met another error.
    pub(crate) faults: bool,
    /// The number of states found.
    pub(crate) states: usize,
    /// Whether these are all states.
    pub(crate) complete: bool,
}

impl Truth {
    pub(crate) fn is_violated(&self) -> bool {
        self.asserted || self.violated.iter().any(|&states| states > 0)
    }

    /// Returns whether the instance is correct, or `None` if it was not explored completely.
    pub(crate) fn verdict(&self) -> Option<bool> {
        if self.is_violated() { Some(false) } else { self.complete.then_some(true) }
    }
}

/// Explores an instance up to a number of states. Returns `None` if there is no instance.
pub(crate) fn explore(program: &Program, most: usize) -> Option<Truth> {
    let machine = Machine::new(program).ok()?;
    let mut explorer = Explorer {
        scratch: machine.scratch(),
        machine: &machine,
        known: HashSet::new(),
        waiting: VecDeque::new(),
        truth: Truth { violated: vec![0; program.properties.len()], complete: true, ..Truth::default() },
    };
    for start in 0..machine.starts().len() {
        let mut choice = machine.choice();
        loop {
            match machine.start_with(&mut explorer.scratch, start, &choice) {
                Ok(true) => explorer.arrive(),
                Ok(false) => {}
                Err(fault) => explorer.met(&fault),
            }
            if !choice.advance() || explorer.known.len() > most {
                break;
            }
        }
    }
    while let Some(state) = explorer.waiting.pop_front() {
        if explorer.known.len() > most {
            explorer.truth.complete = false;
            break;
        }
        explorer.judge(&state);
        explorer.expand(&state);
    }
    explorer.truth.states = explorer.known.len();
    Some(explorer.truth)
}

struct Explorer<'m> {
    machine: &'m Machine,
    scratch: Scratch,
    known: HashSet<Vec<u64>>,
    waiting: VecDeque<Vec<u64>>,
    truth: Truth,
}

impl Explorer<'_> {
    fn met(&mut self, fault: &Fault) {
        match fault.kind {
            FaultKind::Assertion(_) | FaultKind::Error(_) => self.truth.asserted = true,
            FaultKind::Undefined
            | FaultKind::Range(_)
            | FaultKind::Index(_)
            | FaultKind::Division
            | FaultKind::Overflow
            | FaultKind::Iterations(_)
            | FaultKind::Step
            | FaultKind::MultisetFull
            | FaultKind::MultisetPosition
            | FaultKind::NoReturn => self.truth.faults = true,
        }
    }

    fn arrive(&mut self) {
        let state = self.scratch.state().to_vec();
        if !self.known.contains(&state) && self.is_admitted(&state) {
            self.known.insert(state.clone());
            self.waiting.push_back(state);
        }
    }

    /// Returns whether the state satisfies every assumption of the program.
    fn is_admitted(&mut self, state: &[u64]) -> bool {
        let machine = self.machine;
        let assumed = |position: &usize| {
            let property = machine.properties()[*position].property;
            machine.program().properties[property].kind == PropertyKind::Assume
        };
        let positions: Vec<usize> = (0..machine.properties().len()).filter(assumed).collect();
        positions.into_iter().all(|position| {
            self.scratch.load(state);
            machine.holds(&mut self.scratch, position).unwrap_or_else(|fault| {
                self.met(&fault);
                false
            })
        })
    }

    fn judge(&mut self, state: &[u64]) {
        let machine = self.machine;
        for (position, instance) in machine.properties().iter().enumerate() {
            let property = instance.property;
            match machine.program().properties[property].kind {
                PropertyKind::Invariant => {}
                PropertyKind::Assume => continue,
                PropertyKind::Cover | PropertyKind::Liveness => unreachable!("they are not generated"),
            }
            self.scratch.load(state);
            match machine.holds(&mut self.scratch, position) {
                Ok(true) => {}
                Ok(false) => self.truth.violated[property] += 1,
                Err(fault) => self.met(&fault),
            }
        }
    }

    fn expand(&mut self, state: &[u64]) {
        for rule in 0..self.machine.rules().len() {
            self.scratch.load(state);
            match self.machine.enabled(&mut self.scratch, rule) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(fault) => {
                    self.met(&fault);
                    continue;
                }
            }
            match self.machine.fire(&mut self.scratch, rule) {
                Ok(true) => self.arrive(),
                Ok(false) => {}
                Err(fault) => self.met(&fault),
            }
        }
    }
}
