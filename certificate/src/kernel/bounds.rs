//! What bounds imply by addition: if `x <= y + a` and `y <= z + b`, then `x <= z + a + b`.
//!
//! Bounds are the edges of a graph over numbers, and a shortest path is the strongest bound that follows. Bounds
//! contradict each other exactly if the edges of a cycle have a negative sum, which says that a number is less than
//! itself (Bellman, "On a routing problem", 1958). All shortest paths are known at any time, so that a new bound only
//! has to be joined with the paths to its one end and from its other end.

use std::collections::BTreeMap;

use super::ground::Side;

/// Bounds, and all that follow from them: for two numbers, the least `sum` for which the first is known to be at most
/// the second plus `sum`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds(BTreeMap<(Side, Side), i64>);

impl Bounds {
    /// Adds `left <= right + sum` and all that follows. Returns whether the bounds do not contradict each other.
    ///
    /// A path whose sum is out of range is left out. The numbers of systems and certificates are too small for one.
    #[must_use]
    pub(crate) fn assume(&mut self, left: &Side, right: &Side, sum: i64) -> bool {
        let paths = self.0.iter().map(|((from, to), sum)| (from.clone(), to.clone(), *sum));
        let (before, behind): (Vec<_>, Vec<_>) = (
            paths.clone().filter(|(_, to, _)| to == left).map(|(from, _, sum)| (from, sum)).collect(),
            paths.filter(|(from, _, _)| from == right).map(|(_, to, sum)| (to, sum)).collect(),
        );
        for (from, first) in before.iter().chain([&(left.clone(), 0)]) {
            for (to, last) in behind.iter().chain([&(right.clone(), 0)]) {
                let Some(path) = first.checked_add(sum).and_then(|path| path.checked_add(*last)) else { continue };
                if from != to {
                    let least = self.0.entry((from.clone(), to.clone())).or_insert(path);
                    *least = path.min(*least);
                } else if path < 0 {
                    return false;
                }
            }
        }
        true
    }

    /// Whether `left <= right + sum`, if that is known.
    pub(crate) fn at_most(&self, left: &Side, right: &Side, sum: i64) -> Option<bool> {
        let least = |from: &Side, to: &Side| self.0.get(&(from.clone(), to.clone()));
        if least(left, right).is_some_and(|own| *own <= sum) {
            return Some(true);
        }
        least(right, left).is_some_and(|own| *own < sum.saturating_neg()).then_some(false)
    }
}
