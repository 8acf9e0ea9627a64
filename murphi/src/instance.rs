//! A finite instance of a protocol, explored forward.
//!
//! In: a typed program whose types have fixed sizes, and the types whose elements may be permuted. Out: the reachable
//! states in breadth-first order, the first violation, deadlocks in both meanings, rules that never fired, traces.
//! States that are permutations of one another count as one where symmetry reduction is on (Ip and Dill, "Better
//! verification through symmetry", 1996). What is reported has been executed; limits are reported as such.

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
pub use system::front_end::{ExplorationFigures, Limit, Limits};
pub use trace::{Ending, Trace, TraceStep};

use crate::exec::{BuildError, Dispatch, Fault, Machine, Scratch};
use crate::program::Program;

use symmetry::Symmetry;

/// An instance.
#[derive(Debug)]
pub struct Instance {
    machine: Machine,
    symmetry: Symmetry,
    /// The priority of each rule instance; empty where all are equal.
    priorities: Vec<i64>,
}

impl Instance {
    /// Compiles a program; the elements of these types may be permuted.
    ///
    /// That the program treats them alike is for the caller to know: [`Permuted::scalarsets`] and
    /// [`Permuted::lowered`] give types of which the type checker or lowering knows it.
    ///
    /// # Errors
    /// Where the program does not fit into an instance.
    pub fn new(program: &Program, permuted: &[Permuted]) -> Result<Self, BuildError> {
        let watched = permuted.iter().flat_map(|class| class.types.iter().copied()).collect();
        let machine = Machine::watching(program, &watched)?;
        let symmetry = Symmetry::new(&machine, permuted);
        let mut priorities: Vec<i64> = machine.rules().iter().map(|rule| program.rules[rule.rule].priority).collect();
        if priorities.windows(2).all(|pair| pair[0] == pair[1]) {
            priorities.clear();
        }
        Ok(Self { machine, symmetry, priorities })
    }

    /// The rules that can fire in the state of the scratch memory: those that are enabled and of which none with a smaller
    /// number as its priority is enabled, as in CMurphi. An error comes with the rule whose guard met it.
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

    /// The program as it is executed.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }
}
