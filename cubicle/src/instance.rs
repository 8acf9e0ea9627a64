//! Instances: the meaning of a model with a number of processes, by executing its text.
//!
//! Nothing here uses the lowered system, so that the two can be compared. A value that nothing has read yet is not chosen: a
//! state in which it is [`UNKNOWN`] stands for all states that differ in it. Reading it makes a case of each value. So the
//! reachable states are those that the explored ones stand for.

mod explore;
mod machine;
mod replay;
mod symmetry;

pub(crate) use explore::Explored;
pub(crate) use machine::Machine;
#[cfg(test)]
pub(crate) use machine::different;
pub(crate) use replay::replay;
pub(crate) use symmetry::Permutations;

/// A value that nothing has read yet.
pub(crate) const UNKNOWN: u8 = u8::MAX;

/// The values of all variables, those of an array in the order of its indices.
pub(crate) type State = Box<[u8]>;
