//! A finite instance of a protocol, explored forward.
//!
//! Exploration yields the reachable states in breadth-first order, the first violation, deadlocks in both senses, the
//! rules that never fired, and traces. States that are permutations of one another count as one if symmetry reduction
//! is on (Ip and Dill, "Better verification through symmetry", 1996). Every reported run was executed, and exceeded
//! limits are reported as such.

mod explore;
mod replay;
mod store;
mod symmetry;
#[cfg(test)]
mod tests;
mod trace;

pub use explore::{Deadlocks, Exploration, Outcome};
pub use replay::{ReplayStep, replay};
pub use symmetry::Permuted;
pub use system::front_end::ReplayError;
pub use system::front_end::{Deadlock, ExplorationFigures, Limit, Limits};
pub use trace::{Ending, Trace, TraceStep};

use crate::exec::{BuildError, Dispatch, Fault, Machine, Scratch};
use crate::program::Program;

use symmetry::Symmetry;

/// An instance.
#[derive(Debug)]
pub struct Instance {
    machine: Machine,
    symmetry: Symmetry,
    /// The priority of each rule instance; empty if all are equal.
    priorities: Vec<i64>,
    /// What counts as a deadlock, if a deadlock is an error.
    deadlock: Option<Deadlock>,
}

impl Instance {
    /// Compiles a program; the elements of the given types may be permuted.
    ///
    /// The caller must know that the program treats these elements alike: [`Permuted::scalarsets`] and
    /// [`Permuted::lowered`] return types for which the type checker or lowering ensures it.
    ///
    /// # Errors
    /// Returns an error if the program does not fit into an instance.
    pub fn new(program: &Program, permuted: &[Permuted]) -> Result<Self, BuildError> {
        let watched = permuted.iter().flat_map(|class| class.types.iter().copied()).collect();
        let machine = Machine::watching(program, &watched)?;
        let symmetry = Symmetry::new(&machine, permuted);
        let mut priorities: Vec<i64> = machine.rules().iter().map(|rule| program.rules[rule.rule].priority).collect();
        if priorities.windows(2).all(|pair| pair[0] == pair[1]) {
            priorities.clear();
        }
        Ok(Self { machine, symmetry, priorities, deadlock: None })
    }

    /// Returns the instance in which a deadlock is an error.
    #[must_use]
    pub fn with_deadlock(self, deadlock: Option<Deadlock>) -> Self {
        Self { deadlock, ..self }
    }

    /// Returns whether a state of which this is known is a deadlock that counts as an error.
    fn is_deadlock(&self, enabled: bool, changed: bool) -> bool {
        match self.deadlock {
            None => false,
            Some(Deadlock::Stuck) => !enabled,
            Some(Deadlock::Stuttering) => !changed,
        }
    }

    /// Returns the rules that can fire in the current state of the scratch memory: the enabled ones, unless another
    /// with a smaller priority number is enabled, as in CMurphi. An error comes with the rule whose guard caused it.
    fn firing(
        &self,
        scratch: &mut Scratch,
        dispatch: &mut Dispatch,
        rules: &mut Vec<usize>,
    ) -> Result<(), (usize, Fault)> {
        rules.clear();
        dispatch.find(&self.machine, scratch.state());
        for rule in dispatch.found() {
            match self.machine.enabled(scratch, rule) {
                Ok(true) => rules.push(rule),
                Ok(false) => {}
                Err(fault) => return Err((rule, fault)),
            }
        }
        if !self.priorities.is_empty() {
            let first = rules.iter().map(|&rule| self.priorities[rule]).min();
            rules.retain(|&rule| Some(self.priorities[rule]) == first);
        }
        Ok(())
    }

    /// Returns the executable program.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }
}
