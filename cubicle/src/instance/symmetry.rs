//! Permutations of processes and of values that have no names.

use super::machine::Machine;
use super::{State, UNKNOWN};
use crate::program::{PROC, Values};

/// With more permutations, none is used.
const MOST_PERMUTATIONS: usize = 720;

/// The permutations under which states count as one.
#[derive(Clone, Debug)]
pub(crate) struct Permutations {
    /// For each permutation, where the value in each slot goes, and what each value becomes.
    all: Vec<(Vec<usize>, Vec<Vec<u8>>)>,
}

impl Permutations {
    /// Returns the identity alone.
    pub(crate) fn none() -> Self {
        Self { all: Vec::new() }
    }

    /// Returns all permutations that respect the meaning of the model: process constants keep their places, and so do all
    /// processes if they are compared by `<`.
    pub(crate) fn of(machine: &Machine<'_>) -> Self {
        let program = machine.program;
        let mut all: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
        for (ty, declared) in program.types.iter().enumerate() {
            let size = machine.sizes[ty];
            let identity = || vec![(0..=size).collect::<Vec<u8>>()];
            let own = match declared.values {
                Values::Named(_) | Values::Integers | Values::Reals => identity(),
                Values::Processes if program.order.is_some() => identity(),
                Values::Processes => permutations(size, u8::try_from(program.constants).unwrap_or(size)),
                Values::Unknown => permutations(size, 0),
            };
            if all.len().saturating_mul(own.len()) > MOST_PERMUTATIONS {
                return Self::none();
            }
            all = all
                .iter()
                .flat_map(|maps| own.iter().map(move |map| [maps.as_slice(), std::slice::from_ref(map)].concat()))
                .collect();
        }
        let with_slots = |maps: Vec<Vec<u8>>| {
            let moved = |slot: usize| {
                let indices: Vec<u8> =
                    machine.indices(slot).iter().map(|index| maps[PROC.0][usize::from(*index)]).collect();
                machine.slot(machine.slots[slot], &indices)
            };
            let values = (0..machine.slots.len()).map(|slot| maps[machine.type_of_slot(slot).0].clone());
            ((0..machine.slots.len()).map(moved).collect(), values.collect())
        };
        Self { all: all.into_iter().skip(1).map(with_slots).collect() }
    }

    /// Returns whether states count as one at all.
    pub(crate) fn are_some(&self) -> bool {
        !self.all.is_empty()
    }

    /// Returns the least of the states that count as one with the given one.
    pub(crate) fn least(&self, state: State) -> State {
        let mut least = state.clone();
        let mut moved = state.clone();
        for (slots, values) in &self.all {
            for (slot, value) in state.iter().enumerate() {
                moved[slots[slot]] = if *value == UNKNOWN { UNKNOWN } else { values[slot][usize::from(*value)] };
            }
            if moved < least {
                least.clone_from(&moved);
            }
        }
        least
    }
}

/// Returns all permutations of so many values that keep the first ones, the identity first. The value behind the last,
/// which is no process, is kept as well.
fn permutations(size: u8, fixed: u8) -> Vec<Vec<u8>> {
    let fixed = fixed.min(size);
    if usize::from(size - fixed) > 6 {
        // There are more than are used.
        return vec![(0..=size).collect(); MOST_PERMUTATIONS + 1];
    }
    super::machine::different(size - fixed, usize::from(size - fixed))
        .into_iter()
        .map(|moved| (0..fixed).chain(moved.into_iter().map(|value| value + fixed)).chain([size]).collect())
        .collect()
}
