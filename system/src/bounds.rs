//! Closure of difference constraints: bounds of numbers by other numbers plus a constant.
//!
//! The constraints are the edges of a weighted graph whose nodes are numbers. They contradict each other if and only if
//! the graph has a cycle of negative weight, and the shortest paths are the strongest bounds that follow (Bellman, "On a
//! routing problem", 1958; Dill, "Timing assumptions and verification of finite-state concurrent systems", 1989). This
//! module does not know what the numbers are. Lowering, search and emitters share it; the kernel has its own copy.

use std::collections::BTreeSet;

use crate::Comparison;

/// A constraint: how two numbers compare.
pub type Constraint<N> = (N, Comparison, N);

/// All bounds that follow from some constraints: the shortest paths, at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds<N> {
    /// The numbers, strictly ascending.
    nodes: Vec<N>,
    /// For two nodes, the greatest difference of the first and the second, if it is limited.
    greatest: Vec<Vec<Option<i64>>>,
}

impl<N> Default for Bounds<N> {
    fn default() -> Self {
        Self { nodes: Vec::new(), greatest: Vec::new() }
    }
}

impl<N: Ord + Clone> Bounds<N> {
    /// Returns the closure of some constraints, or `None` if they contradict each other.
    #[must_use]
    pub fn of(constraints: impl IntoIterator<Item = Constraint<N>>) -> Option<Self> {
        let mut bounds = Self::default();
        constraints.into_iter().all(|constraint| bounds.add(&constraint)).then_some(bounds)
    }

    /// Adds a constraint. Returns `false` if it contradicts the others; then the bounds have no meaning. An inequation is
    /// no bound and is not taken into account.
    #[must_use]
    pub fn add(&mut self, (left, comparison, right): &Constraint<N>) -> bool {
        for node in [left, right] {
            self.insert(node);
        }
        let Some((left, right)) = self.position(left).zip(self.position(right)) else { return true };
        match *comparison {
            Comparison::Different => true,
            Comparison::Equal => self.tighten(left, right, 0) && self.tighten(right, left, 0),
            Comparison::AtMost(sum) => self.tighten(left, right, sum),
            Comparison::AtLeast(sum) => self.tighten(right, left, -sum),
        }
    }

    fn insert(&mut self, node: &N) {
        if let Err(position) = self.nodes.binary_search(node) {
            self.nodes.insert(position, node.clone());
            self.greatest.iter_mut().for_each(|row| row.insert(position, None));
            self.greatest.insert(position, vec![None; self.nodes.len()]);
            self.greatest[position][position] = Some(0);
        }
    }

    /// Limits the difference of two numbers, and those whose shortest path has it as an edge now. Returns `false` if it
    /// closes a cycle of negative weight.
    fn tighten(&mut self, left: usize, right: usize, sum: i64) -> bool {
        if self.greatest[right][left].is_some_and(|back| sum + back < 0) {
            return false;
        }
        if self.greatest[left][right].is_some_and(|own| own <= sum) {
            return true;
        }
        for from in 0..self.nodes.len() {
            let Some(first) = self.greatest[from][left] else { continue };
            for to in 0..self.nodes.len() {
                let Some(last) = self.greatest[right][to] else { continue };
                let path = first + sum + last;
                if self.greatest[from][to].is_none_or(|own| path < own) {
                    self.greatest[from][to] = Some(path);
                }
            }
        }
        true
    }

    fn position(&self, node: &N) -> Option<usize> {
        self.nodes.binary_search(node).ok()
    }

    /// Returns the greatest difference of two numbers, if it is limited.
    #[must_use]
    pub fn greatest(&self, left: &N, right: &N) -> Option<i64> {
        if left == right {
            return Some(0);
        }
        self.greatest[self.position(left)?][self.position(right)?]
    }

    /// Returns whether a comparison of two numbers follows from the bounds.
    #[must_use]
    pub fn entails(&self, left: &N, comparison: Comparison, right: &N) -> bool {
        let at_most = |sum: i64| self.greatest(left, right).is_some_and(|own| own <= sum);
        let at_least = |sum: i64| self.greatest(right, left).is_some_and(|own| own <= -sum);
        match comparison {
            Comparison::Different => at_most(-1) || at_least(1),
            Comparison::Equal => at_most(0) && at_least(0),
            Comparison::AtMost(sum) => at_most(sum),
            Comparison::AtLeast(sum) => at_least(sum),
        }
    }

    /// Returns all bounds that follow, with the lesser number on the left.
    #[must_use]
    pub fn all(&self) -> Vec<Constraint<N>> {
        let mut all = Vec::new();
        for (left, one) in self.nodes.iter().enumerate() {
            for (right, other) in self.nodes.iter().enumerate().skip(left + 1) {
                let above = self.greatest[left][right].map(Comparison::AtMost);
                let below = self.greatest[right][left].map(|sum| Comparison::AtLeast(-sum));
                let bounds = [above, below].into_iter().flatten();
                all.extend(bounds.map(|comparison| (one.clone(), comparison, other.clone())));
            }
        }
        all
    }

    /// Returns what the bounds say of all numbers but some.
    #[must_use]
    pub fn without(&self, dropped: impl Fn(&N) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.nodes.len()).filter(|&at| !dropped(&self.nodes[at])).collect();
        let row = |from: &usize| kept.iter().map(|&to| self.greatest[*from][to]).collect();
        Self {
            nodes: kept.iter().map(|&at| self.nodes[at].clone()).collect(),
            greatest: kept.iter().map(row).collect(),
        }
    }

    /// Returns the positions of constraints that contradict each other, as few as a single cycle has, or `None` if all
    /// constraints are consistent.
    #[must_use]
    pub fn contradiction(constraints: &[Constraint<N>]) -> Option<Vec<usize>> {
        let nodes: BTreeSet<&N> = constraints.iter().flat_map(|(left, _, right)| [left, right]).collect();
        let nodes: Vec<&N> = nodes.into_iter().collect();
        let position = |node: &N| nodes.binary_search(&node).unwrap_or(0);
        let mut edges = Vec::new();
        for (number, (left, comparison, right)) in constraints.iter().enumerate() {
            let (left, right) = (position(left), position(right));
            match *comparison {
                Comparison::Different => {}
                Comparison::Equal => edges.extend([(left, right, 0, number), (right, left, 0, number)]),
                Comparison::AtMost(sum) => edges.push((left, right, sum, number)),
                Comparison::AtLeast(sum) => edges.push((right, left, -sum, number)),
            }
        }
        // Every node starts at distance 0, as if a further node had an edge to each.
        let mut distance = vec![0_i64; nodes.len()];
        let mut last: Vec<Option<(usize, usize)>> = vec![None; nodes.len()];
        let mut improved = None;
        for _ in 0..=nodes.len() {
            improved = None;
            for &(from, to, sum, number) in &edges {
                if distance[from] + sum < distance[to] {
                    distance[to] = distance[from] + sum;
                    last[to] = Some((from, number));
                    improved = Some(to);
                }
            }
            improved?;
        }
        // Going back as often as there are nodes ends in the cycle.
        let mut at = improved?;
        for _ in 0..nodes.len() {
            at = last[at]?.0;
        }
        let (start, mut cycle) = (at, Vec::new());
        loop {
            let (from, number) = last[at]?;
            cycle.push(number);
            at = from;
            if at == start {
                cycle.sort_unstable();
                cycle.dedup();
                return Some(cycle);
            }
        }
    }

    /// Returns the least set of bounds from which all follow, with the lesser number on the left (Larsen et al.,
    /// "Efficient verification of real-time systems: compact data structure and state-space reduction", 1997, section
    /// 4). Of numbers whose differences are fixed, the greatest in the order of `N` represents the others.
    #[must_use]
    pub fn reduced(&self) -> Vec<Constraint<N>> {
        let mut reduced = Vec::new();
        let fixed = |one: usize, other: usize| match (self.greatest[one][other], self.greatest[other][one]) {
            (Some(above), Some(below)) if above == -below => Some(above),
            _ => None,
        };
        let mut representatives = Vec::new();
        for at in 0..self.nodes.len() {
            let last = (at..self.nodes.len()).rev().find_map(|other| Some((other, fixed(at, other)?)));
            match last {
                Some((other, sum)) if other != at => {
                    for comparison in [Comparison::AtMost(sum), Comparison::AtLeast(sum)] {
                        reduced.push((self.nodes[at].clone(), comparison, self.nodes[other].clone()));
                    }
                }
                _ => representatives.push(at),
            }
        }
        for &from in &representatives {
            for &to in representatives.iter().filter(|&&to| to != from) {
                let Some(sum) = self.greatest[from][to] else { continue };
                let around = representatives.iter().filter(|&&middle| middle != from && middle != to);
                let mut paths =
                    around.filter_map(|&middle| Some(self.greatest[from][middle]? + self.greatest[middle][to]?));
                if paths.any(|path| path <= sum) {
                    continue;
                }
                let (left, comparison, right) =
                    if from < to { (from, Comparison::AtMost(sum), to) } else { (to, Comparison::AtLeast(-sum), from) };
                reduced.push((self.nodes[left].clone(), comparison, self.nodes[right].clone()));
            }
        }
        reduced
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Comparison::{AtLeast, AtMost, Different, Equal};

    /// All assignments of `-4..=4` to three numbers.
    fn assignments() -> impl Iterator<Item = [i64; 3]> {
        (-4..=4).flat_map(|x| (-4..=4).flat_map(move |y| (-4..=4).map(move |z| [x, y, z])))
    }

    fn holds(values: [i64; 3], constraints: &[Constraint<usize>]) -> bool {
        constraints.iter().all(|&(left, comparison, right)| comparison.holds_of_numbers(values[left] - values[right]))
    }

    /// The closure is compared with all assignments: what follows, what contradicts, and what the reduced form says.
    #[test]
    fn closure_agrees_with_all_assignments() {
        let single: Vec<Constraint<usize>> = [(0, 1), (1, 2), (2, 0), (1, 0)]
            .into_iter()
            .flat_map(|(left, right)| [-1, 0, 1].map(|sum| (left, AtMost(sum), right)))
            .chain([(0, AtLeast(1), 2), (0, Equal, 1)])
            .collect();
        let mut contradictions = 0;
        for one in &single {
            for two in &single {
                for three in &single {
                    let constraints = [*one, *two, *three];
                    let models: Vec<_> = assignments().filter(|values| holds(*values, &constraints)).collect();
                    let Some(bounds) = Bounds::of(constraints) else {
                        assert!(models.is_empty(), "{constraints:?}");
                        contradictions += 1;
                        let cycle = Bounds::contradiction(&constraints).unwrap();
                        let cycle: Vec<_> = cycle.into_iter().map(|at| constraints[at]).collect();
                        assert!(Bounds::of(cycle.iter().copied()).is_none());
                        assert!((1..cycle.len()).all(|count| Bounds::of(cycle[count..].iter().copied()).is_some()));
                        continue;
                    };
                    assert_eq!(Bounds::contradiction(&constraints), None);
                    assert!(!models.is_empty(), "{constraints:?}");
                    let others = bounds.without(|node| *node == 1).reduced();
                    let some = |x, z| (-9..=9).any(|y| holds([x, y, z], &constraints));
                    assert!(assignments().all(|[x, y, z]| holds([x, y, z], &others) == some(x, z)));
                    let reduced = bounds.reduced();
                    assert!(assignments().all(|values| holds(values, &constraints) == holds(values, &reduced)));
                    for (left, right) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
                        for comparison in [AtMost(0), AtMost(1), AtLeast(0), AtLeast(-1), Equal, Different] {
                            let follows =
                                models.iter().all(|values| comparison.holds_of_numbers(values[left] - values[right]));
                            assert_eq!(bounds.entails(&left, comparison, &right), follows, "{constraints:?}");
                        }
                    }
                }
            }
        }
        assert!(contradictions > 0);
    }

    #[test]
    fn what_is_redundant_is_left_out() {
        let bounds = Bounds::of([(0, AtMost(1), 1), (1, AtMost(1), 2), (0, AtMost(5), 2)]).unwrap();
        assert_eq!(bounds.reduced(), [(0, AtMost(1), 1), (1, AtMost(1), 2)]);
        let equal = Bounds::of([(0, Equal, 1), (1, AtMost(2), 0), (1, AtLeast(0), 2)]).unwrap();
        assert_eq!(equal.reduced(), [(0, AtMost(0), 1), (0, AtLeast(0), 1), (1, AtLeast(0), 2)]);
    }
}
