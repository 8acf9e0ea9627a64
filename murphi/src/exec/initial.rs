//! Initial values of variables that may have any.

use super::{Layout, Machine, ScalarKind, Scratch};

/// A choice of values for all scalars of [`Program::arbitrary`](crate::program::Program::arbitrary). All choices are
/// visited by starting with the first one and calling [`Choice::advance`] until it returns `false`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Each scalar, the number of its values, and the code of its value, from 1.
    scalars: Vec<(usize, u64, u64)>,
}

impl Choice {
    /// Goes on to the next choice; the last scalar changes fastest. Returns `false` after the last one.
    pub fn advance(&mut self) -> bool {
        for (_, count, code) in self.scalars.iter_mut().rev() {
            if *code < *count {
                *code += 1;
                return true;
            }
            *code = 1;
        }
        false
    }

    /// Returns the choice that a state has made, or `None` if some of these scalars have no value in it.
    #[must_use]
    pub fn of_state(mut self, layout: &Layout, state: &[u64]) -> Option<Self> {
        for (scalar, _, code) in &mut self.scalars {
            *code = layout.code(state, *scalar);
        }
        self.scalars.iter().all(|(_, _, code)| *code != 0).then_some(self)
    }

    /// Chooses the value with this text for a scalar. Returns `false` if the value is not one of the scalar's.
    #[must_use]
    pub fn choose(&mut self, machine: &Machine, scalar: usize, text: &str) -> bool {
        let Some(position) = self.scalars.iter().position(|(own, _, _)| *own == scalar) else { return true };
        let count = self.scalars[position].1;
        let ScalarKind::Value(ty, domain) = &machine.layout.scalars()[scalar].kind else { return false };
        let is_meant = |code: &u64| machine.values.text(&machine.program, *ty, domain.decode(*code)) == text;
        let Some(code) = (1..=count).find(is_meant) else { return false };
        self.scalars[position].2 = code;
        true
    }
}

impl Machine {
    /// Returns the first choice of initial values.
    #[must_use]
    pub fn choice(&self) -> Choice {
        let scalars = self.layout.scalars().iter().enumerate();
        let scalars = scalars.filter(|(_, scalar)| self.program.arbitrary.contains(&scalar.global));
        let scalars = scalars.filter_map(|(at, scalar)| match &scalar.kind {
            ScalarKind::Value(_, domain) => Some((at, domain.size(), 1)),
            ScalarKind::Present => None,
        });
        Choice { scalars: scalars.collect() }
    }

    pub(super) fn choose(&self, scratch: &mut Scratch, choice: &Choice) {
        for (scalar, _, code) in &choice.scalars {
            self.layout.set_code(scratch.state_mut(), *scalar, *code);
        }
    }
}
