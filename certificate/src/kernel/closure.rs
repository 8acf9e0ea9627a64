//! What facts imply by equality alone, and what bounds imply by addition.
//!
//! Reads have symbols as arguments, so that equal arguments are the same arguments and congruence is trivial. What
//! remains are classes of equal reads and data, pairs of classes that differ, and bounds, which concern other reads.

use std::collections::BTreeMap;

use system::{Comparison, Sort};

use super::bounds::Bounds;
use super::ground::{Datum, Equation, Fact, Ground, Side};

/// Facts, and what follows from them by equality.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closure {
    /// For each side of the equations and inequations the least side that it equals. Data are less than reads, so that
    /// this is the value if that is known.
    least: BTreeMap<Side, Side>,
    /// Sides that differ.
    different: Vec<(Side, Side)>,
    bounds: Bounds,
    contradictory: bool,
}

impl Closure {
    /// Whether the facts contradict each other.
    pub fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// Adds an equation; [`Self::close`] adds what follows.
    pub fn assume(&mut self, equation: &Equation) {
        match equation {
            Equation::True => {}
            Equation::False => self.contradictory = true,
            Equation::Open(Fact { left, comparison, right }) => {
                let left = Side::Read(left.clone());
                match *comparison {
                    Comparison::Equal => self.unite(&left, right),
                    Comparison::Different => {
                        // Both sides become known, so that the values that are left for them are counted.
                        [&left, right].into_iter().for_each(|side| self.unite(side, side));
                        self.different.push((left, right.clone()));
                    }
                    Comparison::AtMost(sum) => self.contradictory |= !self.bounds.assume(&left, right, sum),
                    Comparison::AtLeast(sum) => {
                        self.contradictory |= !self.bounds.assume(right, &left, sum.saturating_neg());
                    }
                }
            }
        }
    }

    /// Adds everything that follows.
    pub fn close(&mut self, ground: Ground<'_>) {
        while !self.contradictory && self.round(ground) {}
    }

    /// Whether an equation holds, if the facts imply it or its negation. Contradictory facts imply every open one.
    pub fn knows(&self, equation: &Equation) -> Option<bool> {
        match equation {
            Equation::True => Some(true),
            Equation::False => Some(false),
            Equation::Open(_) if self.contradictory => Some(true),
            Equation::Open(Fact { left, comparison, right }) => {
                let left = Side::Read(left.clone());
                match *comparison {
                    Comparison::Equal => self.equal(&left, right),
                    Comparison::Different => self.equal(&left, right).map(|equal| !equal),
                    Comparison::AtMost(sum) => self.bounds.at_most(&left, right, sum),
                    Comparison::AtLeast(sum) => self.bounds.at_most(right, &left, sum.saturating_neg()),
                }
            }
        }
    }

    /// Whether two sides are equal, if that is known.
    fn equal(&self, a: &Side, b: &Side) -> Option<bool> {
        let classes = [self.class(a), self.class(b)];
        let separates = |(x, y): &(Side, Side)| {
            let own = [self.class(x), self.class(y)];
            own == classes || own == [classes[1], classes[0]]
        };
        match classes {
            [a, b] if a == b => Some(true),
            [Side::Datum(_), Side::Datum(_)] => Some(false),
            _ => self.different.iter().any(separates).then_some(false),
        }
    }

    /// The least side that is known to equal a side.
    fn class<'s>(&'s self, side: &'s Side) -> &'s Side {
        self.least.get(side).unwrap_or(side)
    }

    fn unite(&mut self, a: &Side, b: &Side) {
        let (a, b) = (self.class(a).clone(), self.class(b).clone());
        let (kept, gone) = if a < b { (a, b) } else { (b, a) };
        // If the greater one is a value, both are.
        self.contradictory |= kept != gone && matches!(gone, Side::Datum(_));
        self.least.values_mut().filter(|least| **least == gone).for_each(|least| *least = kept.clone());
        self.least.extend([(kept.clone(), kept.clone()), (gone, kept)]);
    }

    /// Adds some consequences, and returns whether there may be more.
    fn round(&mut self, ground: Ground<'_>) -> bool {
        self.contradictory = self.different.iter().any(|(x, y)| self.class(x) == self.class(y));
        let left = self.least.keys().filter_map(|side| Some((side.clone(), self.values_left(side, ground)?)));
        for (side, values) in left.collect::<Vec<_>>() {
            match values.as_slice() {
                [] => self.contradictory = true,
                [only] => {
                    self.unite(&side, only);
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// The values that a side can have; `None` if its value is known, or can be an element.
    ///
    /// The sort of a read has to admit its value. If it has none and the sort has no index types, the values are the
    /// constants from which the read does not differ.
    fn values_left(&self, side: &Side, ground: Ground<'_>) -> Option<Vec<Side>> {
        match (side, self.class(side)) {
            (Side::Datum(_), _) => None,
            (Side::Read(read), Side::Datum(value)) => (!ground.admits(read, *value)).then(Vec::new),
            (Side::Read(read), Side::Read(_)) => {
                let Sort { index_types, constants, .. } = ground.sort(read);
                let constants = constants.iter().map(|constant| Side::Datum(Datum::Constant(*constant)));
                let left = constants.filter(|datum| self.equal(side, datum) != Some(false));
                index_types.is_empty().then(|| left.collect())
            }
        }
    }
}
