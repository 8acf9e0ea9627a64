//! What facts imply by equality alone.
//!
//! In: facts. Out: whether they contradict each other, and whether they imply another fact. Reads have symbols as
//! arguments, so that equal arguments are the same arguments and no congruence is needed: what remains are classes of
//! equal reads and data, and pairs of them that differ. It must not use guards, invariants, or the sizes of index types.

use crate::ground::{Datum, Fact, Ground, Side};

/// Facts, and what follows from them by equality.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closure {
    /// All sides of the facts, each once, with the number of its class: those of one class are equal.
    sides: Vec<(Side, usize)>,
    /// Positions of sides that differ.
    different: Vec<(usize, usize)>,
    contradictory: bool,
}

/// What a closure says about a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It follows.
    True,
    /// Its negation follows.
    False,
    /// Neither.
    Open,
}

impl Closure {
    /// Whether the facts contradict each other.
    #[must_use]
    pub fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// Makes it contradictory, for a reason outside of equality.
    pub(crate) fn contradict(&mut self) {
        self.contradictory = true;
    }

    /// Adds a fact; [`Self::close`] adds what follows.
    pub fn assume(&mut self, fact: &Fact) {
        let left = self.position(&Side::Read(fact.left.clone()));
        let right = self.position(&fact.right);
        if fact.equal {
            self.unite(left, right);
        } else {
            self.different.push((left, right));
        }
    }

    /// Adds everything that follows.
    pub fn close(&mut self, ground: Ground<'_>) {
        while !self.contradictory && self.round(ground) {}
    }

    /// What the facts say about another one. Nothing is open where they are contradictory.
    #[must_use]
    pub fn knows(&self, fact: &Fact) -> Known {
        if self.contradictory {
            return Known::True;
        }
        match self.equal(&Side::Read(fact.left.clone()), &fact.right) {
            None => Known::Open,
            Some(equal) if equal == fact.equal => Known::True,
            Some(_) => Known::False,
        }
    }

    /// Whether two sides are equal, where that is known.
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

    /// The class of a side, where a fact speaks about it.
    fn class(&self, side: &Side) -> Option<usize> {
        self.sides.iter().find(|(own, _)| own == side).map(|(_, class)| *class)
    }

    /// The value of a side, where it is known.
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

    /// Whether a side of the one class differs from a side of the other.
    fn separated(&self, a: usize, b: usize) -> bool {
        let classes = |(x, y): &(usize, usize)| (self.sides[*x].1, self.sides[*y].1);
        self.different.iter().map(classes).any(|pair| pair == (a, b) || pair == (b, a))
    }

    /// The position of a side, which is added as a class of its own where it is new.
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

    /// One round of consequences; whether there was a new one.
    fn round(&mut self, ground: Ground<'_>) -> bool {
        self.contradictory = self.different.iter().any(|(x, y)| self.sides[*x].1 == self.sides[*y].1);
        for position in 0..self.sides.len() {
            match self.only_value(position, ground) {
                Left::Many => {}
                Left::None => self.contradictory = true,
                Left::One(value) => {
                    let value = self.position(&Side::Datum(value));
                    self.unite(position, value);
                    return true;
                }
            }
        }
        false
    }

    /// The values that a read of a class can have: its sort has to admit the value of the class; where there is none, and
    /// the sort has no index types, the constants from which the class does not differ.
    fn only_value(&self, position: usize, ground: Ground<'_>) -> Left {
        let (side, class) = &self.sides[position];
        let Side::Read(read) = side else {
            return Left::Many;
        };
        match self.value_of_class(*class) {
            Some(value) if ground.admits(read, value) => Left::Many,
            Some(_) => Left::None,
            None if !ground.sort(read).index_types.is_empty() => Left::Many,
            None => {
                let constants = ground.sort(read).constants.iter().map(|constant| Datum::Constant(*constant));
                let differs = |datum| self.class(&Side::Datum(datum)).is_some_and(|own| self.separated(*class, own));
                let mut left = constants.filter(|datum| !differs(*datum));
                match (left.next(), left.next()) {
                    (None, _) => Left::None,
                    (Some(only), None) => Left::One(only),
                    (Some(_), Some(_)) => Left::Many,
                }
            }
        }
    }
}

/// How many values are left to a read that could be added to its class.
enum Left {
    None,
    One(Datum),
    Many,
}
