//! Entailment between literals.
//!
//! A [`Closure`] takes one literal after another, and decides whether they contradict each other and whether they
//! entail another literal. The reasoning is by equality: since the arguments of reads are elements, no congruence is
//! needed, only classes of equal reads with their value, excluded values and distinct classes. A read of a finite sort
//! with only one value left has that value. Bounds of numbers are added up.

use system::IndexTypeId;
use system::bounds::Bounds;

use crate::literal::{Comparison, Datum, Lit, Read, Side, Space};

/// Whether a conjunction can still be satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Consistency {
    Open,
    Contradiction,
}

#[derive(Clone, Debug, Default)]
struct Class {
    value: Option<Datum>,
    excluded: Vec<Datum>,
}

/// The closure of a conjunction.
#[derive(Clone, Debug)]
pub(crate) struct Closure<'a> {
    space: &'a Space,
    /// The types of all elements.
    types: Vec<IndexTypeId>,
    /// Each read with its class.
    reads: Vec<(Read, usize)>,
    classes: Vec<Class>,
    distinct: Vec<(usize, usize)>,
    bounds: Bounds<Side>,
    contradictory: bool,
    asserted: Vec<Lit>,
}

impl<'a> Closure<'a> {
    pub(crate) fn new(space: &'a Space, types: Vec<IndexTypeId>) -> Self {
        Self {
            space,
            types,
            reads: Vec::new(),
            classes: Vec::new(),
            distinct: Vec::new(),
            bounds: Bounds::default(),
            contradictory: false,
            asserted: Vec::new(),
        }
    }

    pub(crate) fn of(space: &'a Space, types: Vec<IndexTypeId>, lits: &[Lit]) -> Self {
        let mut facts = Self::new(space, types);
        for lit in lits {
            if facts.assert(*lit) == Consistency::Contradiction {
                break;
            }
        }
        facts
    }

    pub(crate) fn consistency(&self) -> Consistency {
        if self.contradictory { Consistency::Contradiction } else { Consistency::Open }
    }

    /// Returns the asserted literals in order.
    pub(crate) fn asserted(&self) -> &[Lit] {
        &self.asserted
    }

    pub(crate) fn types(&self) -> &[IndexTypeId] {
        &self.types
    }

    /// Makes the conjunction contradictory.
    pub(crate) fn contradict(&mut self) {
        self.contradictory = true;
    }

    /// Adds an element of the type that differs from all others.
    pub(crate) fn add_element(&mut self, index_type: IndexTypeId) {
        self.types.push(index_type);
    }

    pub(crate) fn assert(&mut self, lit: Lit) -> Consistency {
        if !self.contradictory {
            self.asserted.push(lit);
            match (lit.right, lit.comparison) {
                (right, Comparison::AtMost(_) | Comparison::AtLeast(_)) => {
                    self.contradictory = !self.bounds.add(&(Side::Read(lit.left), lit.comparison.into(), right));
                }
                (Side::Zero, Comparison::Equal | Comparison::Different) => {
                    unreachable!("numbers are compared by bounds")
                }
                (Side::Value(datum), Comparison::Equal) => self.give(lit.left, datum),
                (Side::Value(datum), Comparison::Different) => self.exclude(lit.left, datum),
                (Side::Read(read), Comparison::Equal) => self.merge(lit.left, read),
                (Side::Read(read), Comparison::Different) => self.separate(lit.left, read),
            }
        }
        self.consistency()
    }

    /// Returns whether the conjunction entails the literal. A contradictory conjunction entails every literal.
    pub(crate) fn entails(&self, lit: Lit) -> bool {
        if self.contradictory {
            return true;
        }
        if lit.comparison.is_bound() {
            return self.bounds.entails(&Side::Read(lit.left), lit.comparison.into(), &lit.right);
        }
        let left = self.class_of(lit.left);
        match lit.right {
            Side::Zero => unreachable!("numbers are compared by bounds"),
            Side::Value(datum) => {
                left.is_some_and(|class| self.decides(class, datum).is_some_and(|equal| lit.comparison.holds(equal)))
            }
            Side::Read(read) => match (left, self.class_of(read)) {
                (Some(a), Some(b)) => self.compares(a, b).is_some_and(|equal| lit.comparison.holds(equal)),
                _ => false,
            },
        }
    }

    /// Returns whether the conjunction entails the negation of the literal.
    pub(crate) fn refutes(&self, lit: Lit) -> bool {
        self.entails(Lit { comparison: lit.comparison.negated(), ..lit })
    }

    pub(crate) fn value(&self, read: Read) -> Option<Datum> {
        self.class_of(read).and_then(|class| self.classes[class].value)
    }

    fn decides(&self, class: usize, datum: Datum) -> Option<bool> {
        let class = &self.classes[class];
        match class.value {
            Some(value) => Some(value == datum),
            None => class.excluded.contains(&datum).then_some(false),
        }
    }

    fn compares(&self, a: usize, b: usize) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if self.distinct.contains(&(a, b)) || self.distinct.contains(&(b, a)) {
            return Some(false);
        }
        match (self.classes[a].value, self.classes[b].value) {
            (Some(x), Some(y)) => Some(x == y),
            (Some(x), None) => self.classes[b].excluded.contains(&x).then_some(false),
            (None, Some(y)) => self.classes[a].excluded.contains(&y).then_some(false),
            (None, None) => None,
        }
    }

    fn class_of(&self, read: Read) -> Option<usize> {
        self.reads.iter().find(|(other, _)| *other == read).map(|(_, class)| *class)
    }

    fn class(&mut self, read: Read) -> usize {
        if let Some(class) = self.class_of(read) {
            return class;
        }
        self.classes.push(Class::default());
        let class = self.classes.len() - 1;
        self.reads.push((read, class));
        class
    }

    fn give(&mut self, read: Read, datum: Datum) {
        let class = self.class(read);
        self.give_class(class, datum);
    }

    fn give_class(&mut self, class: usize, datum: Datum) {
        match self.classes[class].value {
            Some(value) if value == datum => return,
            Some(_) => {
                self.contradictory = true;
                return;
            }
            None => {}
        }
        let space = self.space;
        let inside = |(read, other): &(Read, usize)| *other != class || space.admits(*read, datum, &self.types);
        if self.classes[class].excluded.contains(&datum) || !self.reads.iter().all(inside) {
            self.contradictory = true;
            return;
        }
        self.classes[class].value = Some(datum);
        for (a, b) in self.distinct.clone() {
            if a == class {
                self.exclude_class(b, datum);
            } else if b == class {
                self.exclude_class(a, datum);
            }
        }
    }

    fn exclude(&mut self, read: Read, datum: Datum) {
        let class = self.class(read);
        self.exclude_class(class, datum);
    }

    fn exclude_class(&mut self, class: usize, datum: Datum) {
        match self.classes[class].value {
            Some(value) => {
                if value == datum {
                    self.contradictory = true;
                }
                return;
            }
            None if self.classes[class].excluded.contains(&datum) => return,
            None => self.classes[class].excluded.push(datum),
        }
        self.exhaust(class);
    }

    /// Gives the class the only value that is left for one of its reads.
    fn exhaust(&mut self, class: usize) {
        let space = self.space;
        for position in 0..self.reads.len() {
            let (read, other) = self.reads[position];
            let domain = space.domain(read);
            if other != class || !domain.index_types.is_empty() || self.classes[class].value.is_some() {
                continue;
            }
            let excluded = &self.classes[class].excluded;
            let mut left = domain.constants.iter().map(|c| Datum::constant(*c)).filter(|d| !excluded.contains(d));
            match (left.next(), left.next()) {
                (None, _) => self.contradictory = true,
                (Some(only), None) => self.give_class(class, only),
                (Some(_), Some(_)) => {}
            }
        }
    }

    fn merge(&mut self, a: Read, b: Read) {
        let (a, b) = (self.class(a), self.class(b));
        if a == b {
            return;
        }
        if self.compares(a, b) == Some(false) {
            self.contradictory = true;
            return;
        }
        for (_, class) in &mut self.reads {
            if *class == b {
                *class = a;
            }
        }
        for (x, y) in &mut self.distinct {
            *x = if *x == b { a } else { *x };
            *y = if *y == b { a } else { *y };
        }
        let gone = std::mem::take(&mut self.classes[b]);
        let mine = self.classes[a].value.take();
        for datum in gone.excluded {
            self.exclude_class(a, datum);
        }
        for value in [mine, gone.value].into_iter().flatten() {
            if !self.contradictory {
                self.give_class(a, value);
            }
        }
        if !self.contradictory && self.classes[a].value.is_none() {
            self.exhaust(a);
        }
    }

    fn separate(&mut self, a: Read, b: Read) {
        let (a, b) = (self.class(a), self.class(b));
        if self.compares(a, b) == Some(true) {
            self.contradictory = true;
            return;
        }
        if !self.distinct.contains(&(a, b)) && !self.distinct.contains(&(b, a)) {
            self.distinct.push((a, b));
        }
        if let Some(value) = self.classes[a].value {
            self.exclude_class(b, value);
        }
        if let Some(value) = self.classes[b].value {
            self.exclude_class(a, value);
        }
    }
}
