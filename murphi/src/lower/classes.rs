//! Decides which ranges and scalarsets are symmetric, in classes of types that are used interchangeably.
//!
//! The input is, for each use of a value, what it implies about the type. The result says for each class whether it is
//! an index type and, if not, why.
//!
//! A class starts as one declared scalarset or range. Classes are joined where values flow between them or are
//! compared. What breaks the symmetry of a class (arithmetic, an order, a bound of another range) is recorded as a
//! *blocker*; an integer compared with or assigned to it is recorded as a *literal* and becomes a named element.
//! Permuting the other elements then leaves every expression's meaning unchanged (Ip and Dill, "Better verification
//! through symmetry", 1996, section 3), which is what makes the elements of the class anonymous.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::Affine;
use system::Origin;

/// The class that a type belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClassId(pub(super) usize);

/// How a class was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// `scalarset(size)`.
    Scalarset { size: i64 },
    /// `first .. last`.
    Range { first: i64, last: i64 },
}

impl Extent {
    pub(super) fn size(self) -> i64 {
        match self {
            Self::Scalarset { size } => size,
            Self::Range { first, last } => (last - first + 1).max(0),
        }
    }

    pub(super) fn first(self) -> i64 {
        match self {
            Self::Scalarset { .. } => 1,
            Self::Range { first, .. } => first,
        }
    }
}

/// What breaks the symmetry of a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Blocker {
    /// `+`, `-`, `*`, `/`, `%` or a sign.
    #[error("it is used in arithmetic")]
    Arithmetic,
    /// `<`, `<=`, `>`, `>=`.
    #[error("its values are compared by their order")]
    Order,
    /// A value of a range with different bounds is used in its place.
    #[error("a value of a range with other bounds is used in its place")]
    OtherBounds,
    /// A loop, ruleset or quantifier runs over a part of it.
    #[error("a variable runs over only a part of it")]
    PartialRange,
    /// A value of a range whose size is written differently is used in its place.
    #[error("a value of a range whose bounds are written with other constants is used in its place")]
    OtherSize,
    /// The bounds are computed in a way that does not extend to other values of the constants.
    #[error("its bounds are computed from constants by more than sums")]
    ComputedSize,
    /// Elements are written as numbers, and the first number depends on a constant.
    #[error("some of its values are written as numbers, and its first value depends on a constant")]
    MovingFirst,
    /// A constant that determines its size is also used elsewhere.
    #[error("`{constant}`, which determines its size, is also used as a value")]
    SizeIsValue {
        /// The constant.
        constant: String,
    },
    /// A variable runs over a range that is not a declared type, and an element of it is written as a number.
    #[error("it may be empty for other values of the constants, and one of its values is written as a number")]
    MayBeEmpty,
    /// A range written in place, with numbers, that is not the index of any array.
    #[error("it is written with numbers where a variable runs over it")]
    Literal,
    /// So many elements are named that no symmetric ones remain.
    #[error("so many of its values are written as numbers that too few interchangeable ones remain")]
    TooManyNamed,
    /// The result of a loop depends on which iteration comes first.
    #[error("a loop over it depends on the order of its iterations")]
    LoopOrder,
    /// An iteration needs an answer that is unknown for an arbitrary element.
    #[error("a loop over it depends, for each element, on a condition without a parameterized form")]
    LoopQuestion,
    /// A multiset may have an element more than once.
    #[error("an element may be added that is in the multiset already")]
    AddedTwice,
    /// The user forbids it.
    #[error("the user asked for it to be finite")]
    Forbidden,
}

/// A class.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) extent: Extent,
    /// The bounds in terms of constants, if they have that form.
    pub(super) bounds: Option<(Affine, Affine)>,
    pub(super) origin: Origin,
    /// Whether it has a declared name.
    pub(super) declared: bool,
    /// Integers used as values of the class, with their first place.
    pub(super) literals: BTreeMap<i64, Origin>,
    /// The constants that are written for values of the class.
    pub(super) written: BTreeSet<String>,
    /// What breaks its symmetry, with the place.
    pub(super) blockers: Vec<(Blocker, Origin)>,
    /// Whether it is the index of an array, or a ruleset, loop or quantifier runs over all of it.
    pub(super) indexes: bool,
    /// Whether it is the index of an array.
    pub(super) sizes_array: bool,
    /// Whether a `clear` singles out the first element of a scalarset.
    pub(super) cleared: bool,
    /// Whether its values may be any integers as far as it is known how they are used: assigned, compared, and with a
    /// constant added. A rule may choose one.
    pub(super) number: bool,
    /// The classes of arrays that its values are used as indices of.
    pub(super) points_into: BTreeSet<ClassId>,
}

/// The partition of types into classes.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    parents: Vec<usize>,
    classes: Vec<Class>,
}

impl Classes {
    pub(super) fn add(&mut self, class: Class) -> ClassId {
        self.parents.push(self.classes.len());
        self.classes.push(class);
        ClassId(self.classes.len() - 1)
    }

    /// Returns the representative.
    pub(super) fn find(&self, class: ClassId) -> ClassId {
        let mut at = class.0;
        while self.parents[at] != at {
            at = self.parents[at];
        }
        ClassId(at)
    }

    pub(super) fn get(&self, class: ClassId) -> &Class {
        &self.classes[self.find(class).0]
    }

    fn get_mut(&mut self, class: ClassId) -> &mut Class {
        let at = self.find(class).0;
        &mut self.classes[at]
    }

    /// Returns all representatives, in declaration order.
    pub(super) fn representatives(&self) -> Vec<ClassId> {
        (0..self.classes.len()).map(ClassId).filter(|&class| self.find(class) == class).collect()
    }

    /// Joins two classes whose values are used interchangeably.
    pub(super) fn join(&mut self, one: ClassId, other: ClassId, place: &Origin) {
        let (one, other) = (self.find(one), self.find(other));
        if one == other {
            return;
        }
        let (a, b) = (&self.classes[one.0], &self.classes[other.0]);
        let blocker = if a.extent != b.extent {
            Some(Blocker::OtherBounds)
        } else if a.bounds.is_none() || a.bounds != b.bounds {
            // They agree only for the current values of the constants.
            Some(Blocker::OtherSize)
        } else {
            None
        };
        if let Some(blocker) = blocker {
            self.block(one, blocker.clone(), place);
            self.block(other, blocker, place);
            return;
        }
        // A declared one gives the name; if both are declared, the first.
        let better = |class: ClassId| (!self.classes[class.0].declared, class.0);
        let (keep, drop) = if better(one) <= better(other) { (one, other) } else { (other, one) };
        self.parents[drop.0] = keep.0;
        let dropped = self.classes[drop.0].clone();
        let kept = &mut self.classes[keep.0];
        for (literal, origin) in dropped.literals {
            kept.literals.entry(literal).or_insert(origin);
        }
        kept.written.extend(dropped.written);
        kept.blockers.extend(dropped.blockers);
        kept.declared |= dropped.declared;
        kept.indexes |= dropped.indexes;
        kept.sizes_array |= dropped.sizes_array;
        kept.cleared |= dropped.cleared;
        kept.number &= dropped.number;
        kept.points_into.extend(dropped.points_into);
    }

    pub(super) fn block(&mut self, class: ClassId, blocker: Blocker, place: &Origin) {
        self.get_mut(class).blockers.push((blocker, place.clone()));
    }

    pub(super) fn literal(&mut self, class: ClassId, value: i64, place: &Origin) {
        self.get_mut(class).literals.entry(value).or_insert_with(|| place.clone());
    }

    /// Records that a constant is written for a value of the class.
    pub(super) fn written(&mut self, class: ClassId, constant: &str) {
        self.get_mut(class).written.insert(constant.to_owned());
    }

    pub(super) fn index(&mut self, class: ClassId) {
        self.get_mut(class).indexes = true;
    }

    pub(super) fn sizes_array(&mut self, class: ClassId) {
        self.get_mut(class).sizes_array = true;
    }

    /// Records that values of the class are used for more than a number that may be any integer can be.
    pub(super) fn not_number(&mut self, class: ClassId) {
        self.get_mut(class).number = false;
    }

    /// Records that values of the class are indices of an array over another one.
    pub(super) fn points_into(&mut self, class: ClassId, array: ClassId) {
        self.get_mut(class).points_into.insert(array);
    }

    pub(super) fn clear(&mut self, class: ClassId) {
        self.get_mut(class).cleared = true;
    }
}

impl Class {
    /// Returns the constants that determine its size.
    pub(super) fn constants(&self) -> BTreeSet<&str> {
        let bounds = self.bounds.iter().flat_map(|(first, last)| [first, last]);
        bounds.flat_map(|bound| bound.factors.keys().map(String::as_str)).collect()
    }

    /// Returns the number of elements in terms of constants.
    pub(super) fn size(&self) -> Option<Affine> {
        let (first, last) = self.bounds.as_ref()?;
        last.plus(first, -1)?.plus(&Affine::number(1), 1)
    }

    /// Returns whether it is an index type if its elements have an order: whatever else breaks the symmetry is that they
    /// are compared and computed with as numbers. Its first element must be known.
    pub(super) fn is_ordered(&self) -> bool {
        let of_order = self.blockers.iter().all(|(blocker, _)| match blocker {
            Blocker::Arithmetic | Blocker::Order | Blocker::OtherBounds | Blocker::OtherSize => true,
            Blocker::PartialRange
            | Blocker::ComputedSize
            | Blocker::MovingFirst
            | Blocker::SizeIsValue { .. }
            | Blocker::MayBeEmpty
            | Blocker::Literal
            | Blocker::TooManyNamed
            | Blocker::AddedTwice
            | Blocker::LoopOrder
            | Blocker::LoopQuestion
            | Blocker::Forbidden => false,
        });
        let has_first = self.bounds.as_ref().is_some_and(|(first, _)| first.factors.is_empty());
        let is_range = matches!(self.extent, Extent::Range { .. });
        is_range && of_order && has_first && !self.constants().is_empty() && (self.declared || self.sizes_array)
    }

    /// Returns the first blocker.
    pub(super) fn broken(&self) -> Option<(Blocker, Origin)> {
        if let Some((blocker, place)) = self.blockers.first() {
            return Some((blocker.clone(), place.clone()));
        }
        let last = self.extent.first() + self.extent.size() - 1;
        let outside = self.literals.iter().find(|(v, _)| **v < self.extent.first() || **v > last);
        if let Some((_, place)) = outside {
            return Some((Blocker::OtherBounds, place.clone()));
        }
        let Some((first, _)) = &self.bounds else {
            return Some((Blocker::ComputedSize, self.origin.clone()));
        };
        if let (false, Some(place)) = (first.factors.is_empty(), self.literals.values().next()) {
            return Some((Blocker::MovingFirst, place.clone()));
        }
        if !self.declared && !self.sizes_array {
            if self.constants().is_empty() {
                return Some((Blocker::Literal, self.origin.clone()));
            }
            // A declared type and the index of an array have an element for all values of the constants.
            if let Some(place) = self.literals.values().next() {
                return Some((Blocker::MayBeEmpty, place.clone()));
            }
        }
        // If at least one element remains unnamed, and few are named, the others are interchangeable.
        let named = i64::try_from(self.literals.len()).unwrap_or(i64::MAX);
        if named > 2 || (named > 0 && named >= self.extent.size()) {
            let place = self.literals.values().next().cloned().unwrap_or_default();
            return Some((Blocker::TooManyNamed, place));
        }
        None
    }
}
