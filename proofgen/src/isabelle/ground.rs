//! Ground reasoning about equations: whether clauses over the values of a state contradict each other.
//!
//! In: clauses over ground terms. Out: whether unit propagation and congruence of equality refute them. The
//! arguments of reads are symbols, of which different ones are different elements or not comparable yet, so
//! congruence needs no closure under functions. This module must not search: it answers "not refuted" where a
//! case split would be needed, and its user does the splits that the certificate has.
//!
//! The emitter uses it to find out which facts a step of the proof needs; a wrong answer here would be found by
//! Isabelle, so nothing is trusted.

use system::{Comparison, FALSE, Literal, TRUE, Term, VariableId};

/// Position of an element in the table of an argument's symbols.
pub type Place = usize;

/// A term without variables.
pub type Ground = Term<Place>;

/// A comparison of ground terms.
pub type GroundLiteral = Literal<Place>;

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

/// A term's position in the table of a [`Problem`].
type Id = usize;

/// A comparison of terms.
type Equation = (Id, Comparison, Id);

/// Groups of clauses whose contradictions are asked for again and again, each time with other groups.
pub struct Problem<'a> {
    frame: &'a dyn Frame,
    /// All terms, ascending: constants, then elements, then reads.
    terms: Vec<Ground>,
    groups: Vec<Vec<Vec<Equation>>>,
}

impl<'a> Problem<'a> {
    /// Looks all terms up once.
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

    /// Whether the clauses of the groups, each given by its position, contradict each other.
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
    /// A term that stands for its class; its own parent. Constants and elements come first.
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

    /// The truth value that a class has if it does not have that of the constant, where it is a truth value.
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
            // Not comparable yet: to know more is a matter of a case split.
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
        // Reads come after values, so that a value stands for its class.
        self.parent[left.max(right)] = left.min(right);
        let clash = self.differ.iter().any(|(one, other)| self.root(*one) == self.root(*other));
        if clash { Assumed::Contradiction } else { Assumed::New }
    }
}
