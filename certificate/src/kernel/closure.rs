//! What facts imply by equality alone, and what bounds imply by addition.
//!
//! Reads have symbols as arguments, so that equal arguments are the same arguments and congruence is trivial. What
//! remains are classes of equal reads and data, pairs of classes that differ, and bounds, which concern other reads.

use system::Comparison;

use super::bounds::Bounds;
use super::ground::{Datum, Equation, Fact, Ground, Side};

/// Facts, and what follows from them by equality.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closure {
    /// All sides of the facts, each once, with the number of its class. Sides of one class are equal.
    sides: Vec<(Side, usize)>,
    /// Positions of sides that differ.
    different: Vec<(usize, usize)>,
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
                    Comparison::Equal | Comparison::Different => {
                        let (left, right) = (self.position(&left), self.position(right));
                        if comparison.is_equal() { self.unite(left, right) } else { self.different.push((left, right)) }
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
        let classes = self.class(a).zip(self.class(b));
        let values = self.value(a).zip(self.value(b));
        match (classes, values) {
            (Some((a, b)), _) if a == b => Some(true),
            (_, Some((x, y))) => Some(x == y),
            (Some((a, b)), None) if self.separated(a, b) => Some(false),
            _ => None,
        }
    }

    /// The class of a side, if it occurs in a fact.
    fn class(&self, side: &Side) -> Option<usize> {
        self.sides.iter().find(|(own, _)| own == side).map(|(_, class)| *class)
    }

    /// The value of a side, if it is known.
    fn value(&self, side: &Side) -> Option<Datum> {
        match side {
            Side::Datum(datum) => Some(*datum),
            Side::Read(_) => self.value_of_class(self.class(side)?),
        }
    }

    fn value_of_class(&self, class: usize) -> Option<Datum> {
        self.sides.iter().find_map(|(side, own)| match side {
            Side::Datum(datum) if *own == class => Some(*datum),
            Side::Datum(_) | Side::Read(_) => None,
        })
    }

    /// Whether a side of one class differs from a side of the other.
    fn separated(&self, a: usize, b: usize) -> bool {
        let classes = |(x, y): &(usize, usize)| (self.sides[*x].1, self.sides[*y].1);
        self.different.iter().map(classes).any(|pair| pair == (a, b) || pair == (b, a))
    }

    /// The position of a side. A new one becomes a class of its own.
    fn position(&mut self, side: &Side) -> usize {
        let known = self.sides.iter().position(|(own, _)| own == side);
        known.unwrap_or_else(|| {
            let position = self.sides.len();
            self.sides.push((side.clone(), position));
            position
        })
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (kept, gone) = (self.sides[a].1, self.sides[b].1);
        if kept != gone && self.value_of_class(kept).is_some() && self.value_of_class(gone).is_some() {
            self.contradictory = true;
        }
        self.sides.iter_mut().filter(|(_, class)| *class == gone).for_each(|(_, class)| *class = kept);
    }

    /// Adds some consequences, and returns whether there may be more.
    fn round(&mut self, ground: Ground<'_>) -> bool {
        self.contradictory = self.different.iter().any(|(x, y)| self.sides[*x].1 == self.sides[*y].1);
        for position in 0..self.sides.len() {
            match self.values_left(position, ground).as_deref() {
                Some([]) => self.contradictory = true,
                Some([only]) => {
                    let only = self.position(&Side::Datum(*only));
                    self.unite(position, only);
                    return true;
                }
                None | Some(_) => {}
            }
        }
        false
    }

    /// The values that a side can have; `None` if its value is known, or can be an element.
    ///
    /// The sort of a read has to admit the value of its class. If the class has no value and the sort has no index
    /// types, the values are the constants from which the class does not differ.
    fn values_left(&self, position: usize, ground: Ground<'_>) -> Option<Vec<Datum>> {
        let (side, class) = &self.sides[position];
        let Side::Read(read) = side else {
            return None;
        };
        if let Some(value) = self.value_of_class(*class) {
            return (!ground.admits(read, value)).then(Vec::new);
        }
        if !ground.sort(read).index_types.is_empty() {
            return None;
        }
        let constants = ground.sort(read).constants.iter().map(|constant| Datum::Constant(*constant));
        let differs = |datum| self.class(&Side::Datum(datum)).is_some_and(|own| self.separated(*class, own));
        Some(constants.filter(|datum| !differs(*datum)).collect())
    }
}
