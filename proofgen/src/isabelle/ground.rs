//! Ground reasoning about equations and bounds: whether clauses over the values of a state contradict each other.
//!
//! Clauses over ground terms are refuted by unit propagation, congruence of equality, and sums of bounds. The arguments of reads are
//! symbols; two different symbols denote different elements or are not comparable yet, so congruence needs no closure
//! under functions. This module must not search: if a refutation needs a case split, the clauses count as not refuted,
//! and the caller does the splits that the certificate has.
//!
//! The emitter uses this module to find out which facts a step of the proof needs. Nothing is trusted, since Isabelle
//! would reject the theory after a wrong answer.

use system::bounds::Bounds;
use system::{Comparison, FALSE, Literal, TRUE, Term, VariableId};

/// The position of an element in the table of an argument's symbols.
pub type Place = usize;

/// A term without variables.
pub type Ground = Term<Place>;

/// A comparison of ground terms.
pub type GroundLiteral = Literal<Place>;

/// A disjunction.
pub type Clause = Vec<Part>;

/// A part of a disjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A literal.
    Literal(GroundLiteral),
    /// A conjunction that is not multiplied out, since its product with the other parts would be too large.
    All(Vec<Clause>),
}

/// The literals of clauses, in the order of the text.
#[must_use]
pub fn literals(clauses: &[Clause]) -> Vec<&GroundLiteral> {
    let mut literals = Vec::new();
    each_literal(clauses, &mut |literal| literals.push(literal));
    literals
}

fn each_literal<'c>(clauses: &'c [Clause], visit: &mut dyn FnMut(&'c GroundLiteral)) {
    for part in clauses.iter().flatten() {
        match part {
            Part::Literal(literal) => visit(literal),
            Part::All(clauses) => each_literal(clauses, visit),
        }
    }
}

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

/// A [`Part`] with its terms looked up.
enum Looked {
    Equation(Equation),
    All(Vec<Vec<Self>>),
}

/// Groups of clauses, of which different selections are tested for contradictions.
pub struct Problem<'a> {
    frame: &'a dyn Frame,
    /// All terms, ascending: constants, then elements, then reads, then 0.
    terms: Vec<&'a Ground>,
    groups: Vec<Vec<Vec<Looked>>>,
}

impl<'a> Problem<'a> {
    /// Creates the problem, and looks up all terms once.
    #[must_use]
    pub fn new(frame: &'a dyn Frame, groups: &[&'a [Clause]]) -> Self {
        let mut sides = vec![&Ground::Constant(FALSE), &Ground::Constant(TRUE)];
        groups
            .iter()
            .for_each(|group| each_literal(group, &mut |literal| sides.extend([&literal.left, &literal.right])));
        let mut order: Vec<usize> = (0..sides.len()).collect();
        match sides.iter().map(|term| rank(term)).collect::<Option<Vec<u128>>>() {
            Some(ranks) => order.sort_unstable_by_key(|position| ranks[*position]),
            None => order.sort_unstable_by_key(|position| sides[*position]),
        }
        let mut terms: Vec<&Ground> = Vec::new();
        let mut ids = vec![0; sides.len()];
        for position in order {
            if terms.last().is_none_or(|last| *last != sides[position]) {
                terms.push(sides[position]);
            }
            ids[position] = terms.len() - 1;
        }
        let mut ids = ids.into_iter().skip(2);
        let groups = groups.iter().map(|group| looked_up(group, &mut || ids.next().unwrap_or_default())).collect();
        Self { frame, terms, groups }
    }

    /// Returns those of the groups, each given by its position, that a contradiction between their clauses was derived from;
    /// `None` if there is none.
    #[must_use]
    pub fn refuted(&self, groups: &[usize]) -> Option<Vec<usize>> {
        let parent = (0..self.terms.len()).collect();
        let mut classes = Classes { problem: self, parent, differ: Vec::new(), bounds: Bounds::default() };
        let mut used = vec![false; self.groups.len()];
        loop {
            let mut changed = false;
            for group in groups {
                for clause in &self.groups[*group] {
                    match classes.propagate(clause) {
                        Assumed::Contradiction => {
                            used[*group] = true;
                            return Some(groups.iter().copied().filter(|group| used[*group]).collect());
                        }
                        Assumed::New => {
                            changed = true;
                            used[*group] = true;
                        }
                        Assumed::Nothing => {}
                    }
                }
            }
            if !changed {
                return None;
            }
        }
    }
}

/// A number in the order of the terms, which is faster to compare; `None` for a term with many elements.
fn rank(term: &Ground) -> Option<u128> {
    const PLACES: usize = 8;
    let number = |kind: u128, id: u32, places: u64| Some((kind << 96) | (u128::from(id) << 64) | u128::from(places));
    match term {
        Term::Constant(constant) => number(0, constant.0, 0),
        Term::Index(place) => number(1, u32::try_from(*place).ok()?, 0),
        Term::Read(variable, places) if places.len() <= PLACES => {
            // No place is 0, which stands for none, so that a shorter list comes first.
            let mut bytes = (0..PLACES).map(|position| match places.get(position) {
                None => Some(0),
                Some(place) => u8::try_from(*place).ok()?.checked_add(1),
            });
            let packed = bytes.try_fold(0_u64, |packed, byte| Some((packed << 8) | u64::from(byte?)))?;
            number(2, variable.0, packed)
        }
        Term::Read(..) => None,
        Term::Zero => number(3, 0, 0),
    }
}

/// Clauses with the terms of their literals, which come in the order of the text.
fn looked_up(clauses: &[Clause], next: &mut dyn FnMut() -> Id) -> Vec<Vec<Looked>> {
    let mut part = |part: &Part| match part {
        Part::Literal(literal) => Looked::Equation((next(), literal.comparison, next())),
        Part::All(clauses) => Looked::All(looked_up(clauses, next)),
    };
    clauses.iter().map(|clause| clause.iter().map(&mut part).collect()).collect()
}

/// The truth of a conjunction.
fn all(mut parts: impl Iterator<Item = Truth>) -> Truth {
    parts
        .try_fold(Truth::Yes, |truth, part| match part {
            Truth::No => Err(Truth::No),
            Truth::Open => Ok(Truth::Open),
            Truth::Yes => Ok(truth),
        })
        .unwrap_or_else(|no| no)
}

enum Assumed {
    Contradiction,
    New,
    Nothing,
}

/// Classes of equal terms, pairs of classes that differ, and bounds of numbers, which no class has.
struct Classes<'a> {
    problem: &'a Problem<'a>,
    /// The parent of each term in its class; a representative is its own parent. Constants and elements come first.
    parent: Vec<Id>,
    differ: Vec<(Id, Id)>,
    bounds: Bounds<Id>,
}

impl Classes<'_> {
    fn root(&self, mut term: Id) -> Id {
        while self.parent[term] != term {
            term = self.parent[term];
        }
        term
    }

    /// The truth of a part, as far as that of its literals says it.
    fn part(&self, part: &Looked) -> Truth {
        match part {
            Looked::Equation(equation) => self.truth(*equation),
            Looked::All(clauses) => {
                // Whether a disjunction is false is whether all of its parts are.
                let clause = |clause: &Vec<Looked>| all(clause.iter().map(|part| self.part(part).negated())).negated();
                all(clauses.iter().map(clause))
            }
        }
    }

    /// A clause of which all parts but one are false makes that one true.
    fn propagate(&mut self, clause: &[Looked]) -> Assumed {
        let mut left = None;
        for part in clause {
            match (self.part(part), left) {
                (Truth::No, _) => {}
                (Truth::Yes, _) | (Truth::Open, Some(_)) => return Assumed::Nothing,
                (Truth::Open, None) => left = Some(part),
            }
        }
        match left {
            None => Assumed::Contradiction,
            Some(Looked::Equation(equation)) => self.assume(*equation),
            Some(Looked::All(clauses)) => {
                let mut assumed = Assumed::Nothing;
                for clause in clauses {
                    match self.propagate(clause) {
                        Assumed::Contradiction => return Assumed::Contradiction,
                        Assumed::New => assumed = Assumed::New,
                        Assumed::Nothing => {}
                    }
                }
                assumed
            }
        }
    }

    fn truth(&self, (left, comparison, right): Equation) -> Truth {
        match comparison {
            Comparison::Equal => self.equal(self.root(left), self.root(right)),
            Comparison::Different => self.equal(self.root(left), self.root(right)).negated(),
            Comparison::AtMost(_) | Comparison::AtLeast(_) => {
                if self.bounds.entails(&left, comparison, &right) {
                    Truth::Yes
                } else if self.bounds.entails(&left, comparison.negated(), &right) {
                    Truth::No
                } else {
                    Truth::Open
                }
            }
        }
    }

    fn equal(&self, left: Id, right: Id) -> Truth {
        if left == right {
            return Truth::Yes;
        }
        match (self.problem.terms[left], self.problem.terms[right]) {
            (Ground::Constant(_), Ground::Constant(_) | Ground::Index(_)) | (Ground::Index(_), Ground::Constant(_)) => {
                Truth::No
            }
            // Numbers are compared by bounds.
            (Ground::Zero, _) | (_, Ground::Zero) => Truth::Open,
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
        match (self.problem.terms[term], self.problem.terms[constant]) {
            (Ground::Read(variable, _), Ground::Constant(value)) if self.problem.frame.is_truth_value(*variable) => {
                let other = Ground::Constant(if *value == TRUE { FALSE } else { TRUE });
                self.problem.terms.binary_search(&&other).ok()
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
        if comparison.is_bound() {
            let consistent = self.bounds.add(&(left, comparison, right));
            return if consistent { Assumed::New } else { Assumed::Contradiction };
        }
        let (left, right) = (self.root(left), self.root(right));
        let terms = &self.problem.terms;
        if let (Ground::Index(_), Ground::Index(_)) = (terms[left], terms[right]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    struct NoElements;

    impl Frame for NoElements {
        fn compare(&self, _: Place, _: Place) -> Truth {
            Truth::Open
        }

        fn is_truth_value(&self, _: VariableId) -> bool {
            false
        }
    }

    fn is(variable: u32, value: u32, equal: bool) -> Part {
        let left = Ground::Read(VariableId(variable), Vec::new());
        Part::Literal(GroundLiteral {
            left,
            comparison: Comparison::equal_if(equal),
            right: Ground::Constant(system::ConstantId(value)),
        })
    }

    fn both(parts: [Part; 2]) -> Part {
        Part::All(parts.into_iter().map(|part| vec![part]).collect())
    }

    #[test]
    fn ranks_are_in_the_order_of_the_terms() {
        let ids = [0, 1, 7, u32::MAX];
        let lists = [vec![], vec![0], vec![0, 0], vec![0, 254], vec![1], vec![1, 0, 0], vec![254; 8]];
        let reads = |id: u32| lists.iter().map(move |places| Ground::Read(VariableId(id), places.clone()));
        let constants = ids.into_iter().map(|id| Ground::Constant(system::ConstantId(id)));
        let terms: Vec<Ground> = constants
            .chain([0, 5].map(Ground::Index))
            .chain(ids.into_iter().flat_map(reads))
            .chain([Ground::Zero])
            .collect();
        for one in &terms {
            for other in &terms {
                assert_eq!(rank(one).unwrap().cmp(&rank(other).unwrap()), one.cmp(other), "{one:?} {other:?}");
            }
        }
        for places in [vec![255], vec![0; 9]] {
            assert_eq!(rank(&Ground::Read(VariableId(0), places)), None);
        }
    }

    #[test]
    fn conjunctions_below_a_disjunction_refute_as_their_product_does() {
        // x = 2 and y = 3, or x = 3 and y = 2, or neither of two values of y.
        let ways = vec![
            both([is(0, 2, true), is(1, 3, true)]),
            both([is(0, 3, true), is(1, 2, true)]),
            both([is(1, 3, false), is(1, 2, false)]),
        ];
        let mut product = vec![Vec::new()];
        for way in &ways {
            let Part::All(parts) = way else { panic!("all are conjunctions") };
            let longer = |clause: &Clause| {
                let clause = clause.clone();
                parts.iter().map(move |part| [clause.as_slice(), part.as_slice()].concat()).collect::<Vec<_>>()
            };
            product = product.iter().flat_map(longer).collect();
        }
        let mut refuted = 0;
        for x in [2, 3, 4] {
            for y in [2, 3, 4] {
                let known = vec![vec![is(0, x, true)], vec![is(1, y, true)]];
                let answers = [vec![ways.clone()], product.clone()]
                    .map(|clauses| Problem::new(&NoElements, &[&known, &clauses]).refuted(&[0, 1]).is_some());
                let holds = (x, y) == (2, 3) || (x, y) == (3, 2) || y == 4;
                assert_eq!(answers, [!holds; 2], "{x} {y}");
                refuted += u32::from(!holds);
            }
        }
        assert_eq!(refuted, 4);
        // The one conjunction that is left holds: y cannot be 2 where x is 2 and y is 2 or 3.
        let known = vec![vec![is(0, 2, true)], vec![is(1, 2, true), is(1, 3, true)], vec![is(1, 3, false)]];
        assert!(Problem::new(&NoElements, &[&known, &[ways]]).refuted(&[0, 1]).is_some());
    }
}
