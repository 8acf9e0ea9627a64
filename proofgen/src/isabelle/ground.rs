//! Ground reasoning about equations: whether clauses over the values of a state contradict each other.
//!
//! Clauses over ground terms are refuted by unit propagation and congruence of equality. The arguments of reads are
//! symbols; two different symbols denote different elements or are not comparable yet, so congruence needs no closure
//! under functions. This module must not search: if a refutation needs a case split, the clauses count as not refuted,
//! and the caller does the splits that the certificate has.
//!
//! The emitter uses this module to find out which facts a step of the proof needs. Nothing is trusted, since Isabelle
//! would reject the theory after a wrong answer.

use system::{Comparison, FALSE, Literal, TRUE, Term, VariableId};

/// The position of an element in the table of an argument's symbols.
pub type Place = usize;

/// A term without variables.
pub type Ground = Term<Place>;

/// A comparison of ground terms.
pub type GroundLiteral = Literal<Place>;

/// A disjunction of literals.
pub type Clause = Vec<GroundLiteral>;

/// What is known about the truth of a literal or of an equation between elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is true.
    Yes,
    /// It is false.
    No,
    /// It is not known yet.
    Open,
}

impl Truth {
    /// Returns the truth of the negation.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Open => Self::Open,
        }
    }
}

/// The comparison of elements, and the kinds of state variables.
pub trait Frame {
    /// Returns whether two elements are equal.
    fn compare(&self, left: Place, right: Place) -> Truth;
    /// Returns whether the state variable is a truth value.
    fn is_truth_value(&self, variable: VariableId) -> bool;
}

/// A term's position in the table of a [`Problem`].
type Id = usize;

/// A comparison of terms.
type Equation = (Id, Comparison, Id);

/// Groups of clauses, of which different selections are tested for contradictions.
pub struct Problem<'a> {
    frame: &'a dyn Frame,
    /// All terms, ascending: constants, then elements, then reads.
    terms: Vec<Ground>,
    groups: Vec<Vec<Vec<Equation>>>,
}

impl<'a> Problem<'a> {
    /// Creates the problem, and looks up all terms once.
    #[must_use]
    pub fn new(frame: &'a dyn Frame, groups: &[&[Clause]]) -> Self {
        let literals = || groups.iter().copied().flatten().flatten();
        let mut terms = vec![Ground::Constant(FALSE), Ground::Constant(TRUE)];
        terms.extend(literals().flat_map(|literal| [&literal.left, &literal.right]).cloned());
        terms.sort_unstable();
        terms.dedup();
        let id = |term: &Ground| terms.partition_point(|other| other < term);
        let equation = |literal: &GroundLiteral| (id(&literal.left), literal.comparison, id(&literal.right));
        let clause = |clause: &Clause| clause.iter().map(equation).collect();
        let groups = groups.iter().map(|group| group.iter().map(clause).collect()).collect();
        Self { frame, terms, groups }
    }

    /// Returns whether the clauses of the groups, each given by its position, contradict each other.
    #[must_use]
    pub fn refuted(&self, groups: &[usize]) -> bool {
        let mut classes = Classes { problem: self, parent: (0..self.terms.len()).collect(), differ: Vec::new() };
        loop {
            let mut changed = false;
            for clause in groups.iter().flat_map(|group| &self.groups[*group]) {
                let mut open = clause.iter().filter(|equation| classes.truth(**equation) != Truth::No);
                let satisfied = clause.iter().any(|equation| classes.truth(*equation) == Truth::Yes);
                match (satisfied, open.next(), open.next()) {
                    (true, _, _) | (false, Some(_), Some(_)) => {}
                    (false, None, _) => return true,
                    (false, Some(equation), None) => match classes.assume(*equation) {
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
}

enum Assumed {
    Contradiction,
    New,
    Nothing,
}

/// Classes of equal terms, and pairs of classes that differ.
struct Classes<'a> {
    problem: &'a Problem<'a>,
    /// The parent of each term in its class; a representative is its own parent. Constants and elements come first.
    parent: Vec<Id>,
    differ: Vec<(Id, Id)>,
}

impl Classes<'_> {
    fn root(&self, mut term: Id) -> Id {
        while self.parent[term] != term {
            term = self.parent[term];
        }
        term
    }

    fn truth(&self, (left, comparison, right): Equation) -> Truth {
        let truth = self.equal(self.root(left), self.root(right));
        if comparison.is_equal() { truth } else { truth.negated() }
    }

    fn equal(&self, left: Id, right: Id) -> Truth {
        if left == right {
            return Truth::Yes;
        }
        match (&self.problem.terms[left], &self.problem.terms[right]) {
            (Ground::Constant(_), Ground::Constant(_) | Ground::Index(_)) | (Ground::Index(_), Ground::Constant(_)) => {
                Truth::No
            }
            (Ground::Index(left), Ground::Index(right)) => self.problem.frame.compare(*left, *right),
            (Ground::Read(..), _) | (_, Ground::Read(..)) => {
                let differ = self.differ.iter().any(|(one, other)| {
                    let (one, other) = (self.root(*one), self.root(*other));
                    (one == left && other == right) || (one == right && other == left)
                });
                if differ { Truth::No } else { Truth::Open }
            }
        }
    }

    /// The truth value that a term has if it differs from the constant; `None` if the term is not a truth value.
    fn opposite(&self, term: Id, constant: Id) -> Option<Id> {
        match (&self.problem.terms[term], &self.problem.terms[constant]) {
            (Ground::Read(variable, _), Ground::Constant(value)) if self.problem.frame.is_truth_value(*variable) => {
                let other = Ground::Constant(if *value == TRUE { FALSE } else { TRUE });
                self.problem.terms.binary_search(&other).ok()
            }
            _ => None,
        }
    }

    fn assume(&mut self, (left, comparison, right): Equation) -> Assumed {
        match self.truth((left, comparison, right)) {
            Truth::Yes => return Assumed::Nothing,
            Truth::No => return Assumed::Contradiction,
            Truth::Open => {}
        }
        let (left, right) = (self.root(left), self.root(right));
        let terms = &self.problem.terms;
        if let (Ground::Index(_), Ground::Index(_)) = (&terms[left], &terms[right]) {
            // Not comparable yet: only a case split decides it.
            return Assumed::Nothing;
        }
        if comparison == Comparison::Different {
            let opposite = self.opposite(left, right).map(|value| (left, Comparison::Equal, value));
            if let Some(equation) =
                opposite.or_else(|| self.opposite(right, left).map(|value| (right, Comparison::Equal, value)))
            {
                return self.assume(equation);
            }
            self.differ.push((left, right));
            return Assumed::New;
        }
        // Reads come after values, so that a value represents its class.
        self.parent[left.max(right)] = left.min(right);
        let clash = self.differ.iter().any(|(one, other)| self.root(*one) == self.root(*other));
        if clash { Assumed::Contradiction } else { Assumed::New }
    }
}
