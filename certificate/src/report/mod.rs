//! What a reader sees of a check: the texts of faults, the explanation of an obligation, and the results of shards.
//!
//! Nothing here decides whether a certificate is accepted.

mod explain;
mod fault;
mod shard;
mod text;

pub use explain::{ExplainedStep, Explanation, explain, explain_property, explain_startstate};
pub use fault::{FaultReport, Part};
use system::{Cube, System};

use crate::kernel::proof::{Certificate, InvariantId};

pub use shard::{FileIdentity, MergeError, Merged, ShardError, ShardResult, check_shard, merge, read_shard};

impl Certificate {
    /// Returns the cubes that arguments may name, by their numbers: those of the invariants, then those of the system's
    /// axioms.
    pub fn cubes<'a>(&'a self, system: &'a System) -> impl Iterator<Item = &'a Cube> {
        let axioms = system.axioms.iter().flat_map(|axiom| &axiom.bad);
        self.invariants.iter().map(|invariant| &invariant.cube).chain(axioms)
    }

    /// Returns the cube of an invariant, or of an axiom, that arguments may name.
    #[must_use]
    pub fn cube<'a>(&'a self, system: &'a System, number: InvariantId) -> Option<&'a Cube> {
        self.cubes(system).nth(number.index())
    }
}
