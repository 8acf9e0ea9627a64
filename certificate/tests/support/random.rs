//! Pseudo-random numbers, the same in every run.

/// A linear congruential generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// An element of a slice that is not empty.
    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.position(all.len())]
    }

    /// Another order.
    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            let other = self.position(last + 1);
            all.swap(last, other);
        }
    }

    /// A position below the length; 0 if that is 0.
    pub(crate) fn position(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(u64::try_from(bound.max(1)).unwrap())).unwrap()
    }
}
