//! What facts imply by equality alone.
//!
//! In: facts, one after the other. Out: whether they contradict each other, and whether they imply another fact. Reads have
//! symbols as arguments, so that equal arguments are the same arguments and no congruence is needed: what remains are
//! classes of equal reads, each with at most one value, the values it does not have, and pairs of classes that differ.
//! It must not use guards, invariants, or the sizes of index types.

use protocol::System;

use crate::ground::{Datum, Fact, Ground, Read, Side};
use crate::proof::SymbolTypes;

/// Reads that are equal, and what is known of their value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    reads: Vec<Read>,
    value: Option<Datum>,
    excluded: Vec<Datum>,
}

/// Facts closed under equality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closure {
    classes: Vec<Class>,
    /// Pairs of reads that differ.
    different: Vec<(Read, Read)>,
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
    /// No facts.
    #[must_use]
    pub fn new() -> Self {
        Self { classes: Vec::new(), different: Vec::new(), contradictory: false }
    }

    /// Whether the facts contradict each other.
    #[must_use]
    pub fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// Makes it contradictory, for a reason outside of equality.
    pub(crate) fn contradict(&mut self) {
        self.contradictory = true;
    }

    /// Adds a fact and everything that follows.
    pub fn assume(&mut self, system: &System, symbols: &SymbolTypes, fact: &Fact) {
        let left = self.class_of(&fact.left);
        match (&fact.right, fact.equal) {
            (Side::Datum(datum), true) => self.give(left, *datum),
            (Side::Datum(datum), false) => self.exclude(left, *datum),
            (Side::Read(read), true) => {
                let right = self.class_of(read);
                self.unite(left, right);
            }
            (Side::Read(read), false) => {
                self.class_of(read);
                self.different.push((fact.left.clone(), read.clone()));
            }
        }
        while !self.contradictory && self.round(Ground { system, symbols }) {}
    }

    /// What the facts say about another one. Nothing is open where they are contradictory.
    #[must_use]
    pub fn knows(&self, fact: &Fact) -> Known {
        if self.contradictory {
            return Known::True;
        }
        let equal = match &fact.right {
            Side::Datum(datum) => self.knows_value(&fact.left, *datum),
            Side::Read(read) => self.knows_equal(&fact.left, read),
        };
        match equal {
            None => Known::Open,
            Some(equal) if equal == fact.equal => Known::True,
            Some(_) => Known::False,
        }
    }

    /// The value of a read, where it is known.
    #[must_use]
    pub fn value(&self, read: &Read) -> Option<Datum> {
        self.find(read).and_then(|class| self.classes[class].value)
    }

    /// Whether a read has a value, where that is known.
    fn knows_value(&self, read: &Read, datum: Datum) -> Option<bool> {
        let class = &self.classes[self.find(read)?];
        match class.value {
            Some(value) => Some(value == datum),
            None => class.excluded.contains(&datum).then_some(false),
        }
    }

    /// Whether two reads are equal, where that is known.
    fn knows_equal(&self, a: &Read, b: &Read) -> Option<bool> {
        let (a, b) = (self.find(a)?, self.find(b)?);
        if a == b {
            return Some(true);
        }
        if let (Some(x), Some(y)) = (self.classes[a].value, self.classes[b].value) {
            return Some(x == y);
        }
        let excludes = |class: usize, other: usize| {
            self.classes[other].value.is_some_and(|value| self.classes[class].excluded.contains(&value))
        };
        let separated = self.different.iter().any(|(left, right)| {
            let pair = (self.find(left), self.find(right));
            pair == (Some(a), Some(b)) || pair == (Some(b), Some(a))
        });
        (separated || excludes(a, b) || excludes(b, a)).then_some(false)
    }

    fn find(&self, read: &Read) -> Option<usize> {
        self.classes.iter().position(|class| class.reads.contains(read))
    }

    /// The position of the class of a read, which is a new class where the read is new.
    fn class_of(&mut self, read: &Read) -> usize {
        self.find(read).unwrap_or_else(|| {
            self.classes.push(Class { reads: vec![read.clone()], value: None, excluded: Vec::new() });
            self.classes.len() - 1
        })
    }

    fn give(&mut self, class: usize, datum: Datum) {
        let class = &mut self.classes[class];
        match class.value {
            None => class.value = Some(datum),
            Some(value) if value == datum => {}
            Some(_) => self.contradictory = true,
        }
    }

    fn exclude(&mut self, class: usize, datum: Datum) {
        let excluded = &mut self.classes[class].excluded;
        if !excluded.contains(&datum) {
            excluded.push(datum);
        }
    }

    fn unite(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        let gone = self.classes.remove(a.max(b));
        let kept = a.min(b);
        self.classes[kept].reads.extend(gone.reads);
        for datum in gone.excluded {
            self.exclude(kept, datum);
        }
        if let Some(value) = gone.value {
            self.give(kept, value);
        }
    }

    /// One round of consequences; whether there was a new one.
    fn round(&mut self, ground: Ground<'_>) -> bool {
        for class in 0..self.classes.len() {
            match self.classes[class].value {
                Some(value) => {
                    let own = &self.classes[class];
                    if own.excluded.contains(&value) || !own.reads.iter().all(|read| ground.admits(read, value)) {
                        self.contradictory = true;
                    }
                }
                None => match last_value(&self.classes[class], ground) {
                    Left::Many => {}
                    Left::One(value) => {
                        self.give(class, value);
                        return true;
                    }
                    Left::None => self.contradictory = true,
                },
            }
        }
        for position in 0..self.different.len() {
            let (left, right) = &self.different[position];
            let (Some(left), Some(right)) = (self.find(left), self.find(right)) else {
                continue;
            };
            if left == right {
                self.contradictory = true;
            }
            for (one, other) in [(left, right), (right, left)] {
                if let Some(value) = self.classes[one].value
                    && !self.classes[other].excluded.contains(&value)
                {
                    self.exclude(other, value);
                    return true;
                }
            }
        }
        false
    }
}

impl Default for Closure {
    fn default() -> Self {
        Self::new()
    }
}

/// How many values exclusion leaves to a class, at most.
enum Left {
    None,
    One(Datum),
    Many,
}

/// The value that exclusion leaves to a class: to one of its reads that has a sort without index types.
fn last_value(class: &Class, ground: Ground<'_>) -> Left {
    for read in &class.reads {
        let sort = ground.sort(read);
        if !sort.index_types.is_empty() {
            continue;
        }
        let mut left =
            sort.constants.iter().map(|constant| Datum::Constant(*constant)).filter(|d| !class.excluded.contains(d));
        match (left.next(), left.next()) {
            (None, _) => return Left::None,
            (Some(only), None) => return Left::One(only),
            (Some(_), Some(_)) => {}
        }
    }
    Left::Many
}
