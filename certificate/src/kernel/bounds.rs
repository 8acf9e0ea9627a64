//! What bounds imply by addition: if `x <= y + a` and `y <= z + b`, then `x <= z + a + b`.
//!
//! Bounds are the edges of a graph over numbers, and a shortest path is the strongest bound that follows. Bounds
//! contradict each other exactly if a cycle says that a number is less than itself (Bellman, "On a routing problem",
//! 1958). All shortest paths are known at any time, so that a new bound only has to be joined with them.

use super::ground::Side;

/// Bounds, and all that follow from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The numbers that occur: reads and 0.
    numbers: Vec<Side>,
    /// For two numbers, the least `sum` for which the first is known to be at most the second plus `sum`.
    least: Vec<Vec<Option<i64>>>,
}

impl Bounds {
    /// Adds `left <= right + sum` and all that follows. Returns whether the bounds do not contradict each other.
    #[must_use]
    pub(crate) fn assume(&mut self, left: &Side, right: &Side, sum: i64) -> bool {
        let (left, right) = (self.position(left), self.position(right));
        if self.least[right][left].is_some_and(|back| sum + back < 0) {
            return false;
        }
        let count = self.numbers.len();
        for from in 0..count {
            for to in 0..count {
                let path = self.least[from][left].zip(self.least[right][to]).map(|(first, last)| first + sum + last);
                if path.is_some_and(|path| self.least[from][to].is_none_or(|own| path < own)) {
                    self.least[from][to] = path;
                }
            }
        }
        true
    }

    /// Whether `left <= right + sum`, if that is known.
    pub(crate) fn at_most(&self, left: &Side, right: &Side, sum: i64) -> Option<bool> {
        let find = |side| self.numbers.iter().position(|own| own == side);
        let (left, right) = (find(left)?, find(right)?);
        if self.least[left][right].is_some_and(|own| own <= sum) {
            return Some(true);
        }
        self.least[right][left].is_some_and(|own| own < -sum).then_some(false)
    }

    /// The position of a number. A new one is at most itself, and nothing else is known of it.
    fn position(&mut self, number: &Side) -> usize {
        let known = self.numbers.iter().position(|own| own == number);
        known.unwrap_or_else(|| {
            self.numbers.push(number.clone());
            self.least.iter_mut().for_each(|row| row.push(None));
            let mut row = vec![None; self.numbers.len()];
            row[self.numbers.len() - 1] = Some(0);
            self.least.push(row);
            self.numbers.len() - 1
        })
    }
}
