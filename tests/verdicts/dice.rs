//! Pseudo-random choices that depend only on a seed (Steele, Lea and Flood, "Fast splittable pseudorandom number
//! generators", 2014).

/// A source of choices.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `choices`, which must not be 0.
    pub(crate) fn pick(&mut self, choices: usize) -> usize {
        usize::try_from(self.next() % choices as u64).expect("the number fits into a usize")
    }

    /// Returns true in `chance` percent of the cases.
    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.pick(100) < chance
    }

    /// Returns one of these.
    pub(crate) fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.pick(of.len())]
    }

    /// Returns one of these, each with a probability proportional to its weight.
    pub(crate) fn weighted<T: Copy>(&mut self, of: &[(usize, T)]) -> T {
        let mut left = self.pick(of.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in of {
            if left < *weight {
                return *choice;
            }
            left -= weight;
        }
        unreachable!("the number is below the sum of the weights")
    }
}
