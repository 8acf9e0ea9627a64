//! Ground reasoning about equations: whether clauses over the values of a state contradict each other.
//!
//! In: clauses over ground terms. Out: whether unit propagation and congruence of equality refute them. The
//! arguments of reads are symbols, of which different ones are different elements or not comparable yet, so
//! congruence needs no closure under functions. This module must not search: it answers "not refuted" where a
//! case split would be needed, and its user does the splits that the certificate has.
//!
//! The emitter uses it to find out which facts a step of the proof needs; a wrong answer here would be found by
//! Isabelle, so nothing is trusted.

use std::collections::BTreeMap;

use protocol::system::{ConstantId, FALSE, TRUE, VariableId};

/// Position of an element in the table of an argument's symbols.
pub type Place = usize;

/// A term without variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// A constant.
    Constant(ConstantId),
    /// An element of an index type.
    Element(Place),
    /// The value of a state variable before the step.
    Read(VariableId, Vec<Place>),
}

/// An equation of ground terms or its negation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroundLiteral {
    /// One side.
    pub left: Ground,
    /// Whether the sides are equal.
    pub equal: bool,
    /// The other side.
    pub right: Ground,
}

impl GroundLiteral {
    /// The negation.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { equal: !self.equal, ..self.clone() }
    }
}

/// A disjunction of literals.
pub type Clause = Vec<GroundLiteral>;

/// What is known about the truth of a literal or an equation between elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is true.
    Yes,
    /// It is false.
    No,
    /// Neither is known.
    Open,
}

impl Truth {
    /// The truth of the negation.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Open => Self::Open,
        }
    }
}

/// How elements compare, and which state variables are truth values.
pub trait Frame {
    /// Whether two elements are equal.
    fn compare(&self, left: Place, right: Place) -> Truth;
    /// Whether the state variable is a truth value.
    fn is_truth_value(&self, variable: VariableId) -> bool;
}

/// Whether the clauses contradict each other.
#[must_use]
pub fn refuted<'a>(frame: &dyn Frame, clauses: impl Iterator<Item = &'a Clause> + Clone) -> bool {
    let mut classes = Classes::new(frame);
    loop {
        let mut changed = false;
        for clause in clauses.clone() {
            let mut open = clause.iter().filter(|literal| classes.truth(literal) != Truth::No);
            let satisfied = clause.iter().any(|literal| classes.truth(literal) == Truth::Yes);
            match (satisfied, open.next(), open.next()) {
                (true, _, _) | (false, Some(_), Some(_)) => {}
                (false, None, _) => return true,
                (false, Some(literal), None) => match classes.assume(literal) {
                    Assumed::Contradiction => return true,
                    Assumed::New => changed = true,
                    Assumed::Nothing => {}
                },
            }
        }
        if !changed {
            return false;
        }
    }
}

enum Assumed {
    Contradiction,
    New,
    Nothing,
}

/// Classes of equal terms, and pairs of classes that differ.
struct Classes<'a> {
    frame: &'a dyn Frame,
    /// A term that stands for its class, where that is not the term itself; constants and elements come first.
    parent: BTreeMap<Ground, Ground>,
    differ: Vec<(Ground, Ground)>,
}

impl<'a> Classes<'a> {
    fn new(frame: &'a dyn Frame) -> Self {
        Self { frame, parent: BTreeMap::new(), differ: Vec::new() }
    }

    fn root<'b>(&'b self, mut term: &'b Ground) -> &'b Ground {
        while let Some(parent) = self.parent.get(term) {
            term = parent;
        }
        term
    }

    fn truth(&self, literal: &GroundLiteral) -> Truth {
        let equal = self.equal(self.root(&literal.left), self.root(&literal.right));
        if literal.equal { equal } else { equal.negated() }
    }

    fn equal(&self, left: &Ground, right: &Ground) -> Truth {
        if left == right {
            return Truth::Yes;
        }
        match (left, right) {
            (Ground::Constant(_), Ground::Constant(_) | Ground::Element(_))
            | (Ground::Element(_), Ground::Constant(_)) => Truth::No,
            (Ground::Element(left), Ground::Element(right)) => self.frame.compare(*left, *right),
            (Ground::Read(..), _) | (_, Ground::Read(..)) => {
                let differ = self.differ.iter().any(|(one, other)| {
                    let (one, other) = (self.root(one), self.root(other));
                    (one == left && other == right) || (one == right && other == left)
                });
                if differ { Truth::No } else { Truth::Open }
            }
        }
    }

    /// The truth value that a class has if it does not have that of the constant, where it is a truth value.
    fn opposite(&self, term: &Ground, constant: &Ground) -> Option<Ground> {
        match (term, constant) {
            (Ground::Read(variable, _), Ground::Constant(value)) if self.frame.is_truth_value(*variable) => {
                Some(Ground::Constant(if *value == TRUE { FALSE } else { TRUE }))
            }
            _ => None,
        }
    }

    fn assume(&mut self, literal: &GroundLiteral) -> Assumed {
        match self.truth(literal) {
            Truth::Yes => return Assumed::Nothing,
            Truth::No => return Assumed::Contradiction,
            Truth::Open => {}
        }
        let (left, right) = (self.root(&literal.left).clone(), self.root(&literal.right).clone());
        if let (Ground::Element(_), Ground::Element(_)) = (&left, &right) {
            // Not comparable yet: to know more is a matter of a case split.
            return Assumed::Nothing;
        }
        if !literal.equal {
            let opposite = self.opposite(&left, &right).map(|value| (left.clone(), value));
            let opposite = opposite.or_else(|| self.opposite(&right, &left).map(|value| (right.clone(), value)));
            if let Some((left, right)) = opposite {
                return self.assume(&GroundLiteral { left, equal: true, right });
            }
        }
        if literal.equal {
            // Reads compare greater than values, so that a value stands for its class.
            let (root, child) = if left < right { (left, right) } else { (right, left) };
            self.parent.insert(child, root);
            let clash = self.differ.iter().any(|(one, other)| self.root(one) == self.root(other));
            if clash { Assumed::Contradiction } else { Assumed::New }
        } else {
            self.differ.push((left, right));
            Assumed::New
        }
    }
}
