//! Formulas and values under known facts: constructors that keep them small, and simplification.
//!
//! Simplifying a formula over cells and index terms, under the facts that hold at its position, gives an equivalent,
//! smaller one. This is plain equality reasoning, independent of Murphi. The facts are those given by a path of
//! conditions: the congruence closure of Nelson and Oppen, "Fast decision procedures based on congruence closure",
//! 1980, for terms of depth one.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::universe::{UNSET, Universe};
use system::bounds::{Bounds, Constraint};
use system::{Comparison, ConstantId, FALSE, Formula, IndexTerm, IndexVariableId, TRUE, Term, Value};

/// What is known on a path. Facts are added and taken back at every step, so that each change is noted, and nothing is
/// copied.
#[derive(Debug, Default)]
pub(super) struct Facts {
    known: Known,
    /// How to take back what was added, latest last.
    changes: Vec<Change>,
}

/// A copy never takes back what was added before it was made.
impl Clone for Facts {
    fn clone(&self) -> Self {
        Self { known: self.known.clone(), changes: Vec::new() }
    }
}

/// The facts themselves.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Index terms known to be equal to a smaller one.
    same: BTreeMap<IndexTerm, IndexTerm>,
    /// Index terms known to be different; both are representatives.
    different: BTreeSet<(IndexTerm, IndexTerm)>,
    /// Reads with known values; index terms inside are representatives.
    values: BTreeMap<Term, Term>,
    /// Values that reads are known not to have.
    excluded: BTreeMap<Term, Excluded>,
    /// The sum of the costs of what is excluded.
    excluded_cost: usize,
    /// Reads known to be equal or different.
    reads: BTreeMap<(Term, Term), bool>,
    /// Known bounds of numbers; index terms inside are representatives.
    bounds: Vec<Constraint<Term>>,
    /// What follows from the bounds, if there are any that do not contradict each other.
    closed: Option<Rc<Bounds<Term>>>,
    /// Known formulas with quantifiers.
    quantified: Vec<(Formula, bool)>,
    /// Whether the facts contradict each other.
    contradictory: bool,
}

/// A change of facts, with what is needed to take it back.
#[derive(Debug)]
enum Change {
    /// Two index terms became different.
    Different((IndexTerm, IndexTerm)),
    /// A read has a value now.
    Value(Term),
    /// A read does not have a value now; whether it is the first one that is excluded.
    Excluded(Term, Term, bool),
    /// How two reads compare is known now.
    Reads((Term, Term)),
    /// A bound was added; this followed before.
    Bound(Option<Rc<Bounds<Term>>>),
    /// A formula with quantifiers was added.
    Quantified,
    /// The facts contradict each other now.
    Contradictory,
    /// An index term has another representative now; the one before, if it was not its own.
    Same(IndexTerm, Option<IndexTerm>),
    /// Two index terms are no longer among those that are different.
    NotDifferent((IndexTerm, IndexTerm)),
    /// A read is no longer among those with a value.
    NotValue(Term, Term),
    /// A read is no longer among those with values that they do not have.
    NotExcluded(Term, Excluded),
    /// Two reads are no longer among those of which is known how they compare.
    NotReads((Term, Term), bool),
    /// The bounds were written with other elements; what they were, and what followed.
    Bounds(Vec<Constraint<Term>>, Option<Rc<Bounds<Term>>>),
}

/// A point to which facts can return.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

/// What a read is known not to be, in ascending order. Facts are copied at every step, and a read of a large range may
/// exclude many numbers, so these are stored as flat as possible.
#[derive(Clone, Debug, Default)]
struct Excluded {
    constants: Vec<ConstantId>,
    elements: Vec<IndexTerm>,
}

impl Excluded {
    fn contains(&self, value: &Term) -> bool {
        match value {
            Term::Constant(constant) => self.constants.binary_search(constant).is_ok(),
            Term::Index(element) => self.elements.binary_search(element).is_ok(),
            Term::Read(..) | Term::Zero => false,
        }
    }

    /// Adds a value that it does not contain.
    fn insert(&mut self, value: &Term) {
        match value {
            Term::Constant(constant) => insert_sorted(&mut self.constants, *constant),
            Term::Index(element) => insert_sorted(&mut self.elements, *element),
            // Two reads that differ are another kind of fact, and so are bounds.
            Term::Read(..) | Term::Zero => {}
        }
    }

    fn remove(&mut self, value: &Term) {
        match value {
            Term::Constant(constant) => remove_sorted(&mut self.constants, constant),
            Term::Index(element) => remove_sorted(&mut self.elements, element),
            Term::Read(..) | Term::Zero => {}
        }
    }

    /// Returns how many constants of a sort are excluded; every excluded constant belongs to the sort, except for the
    /// undefined value of a placeholder.
    fn of_sort(&self) -> usize {
        self.constants.len() - usize::from(self.constants.last() == Some(&UNSET))
    }

    /// Returns the cost of copying it: constants are stored contiguously.
    fn cost(&self) -> usize {
        1 + self.constants.len() / 64 + self.elements.len()
    }

    fn values(&self) -> impl Iterator<Item = Term> {
        let elements = self.elements.iter().map(|element| Term::Index(*element));
        self.constants.iter().map(|constant| Term::Constant(*constant)).chain(elements)
    }
}

fn insert_sorted<T: Ord>(sorted: &mut Vec<T>, value: T) {
    if let Err(at) = sorted.binary_search(&value) {
        sorted.insert(at, value);
    }
}

fn remove_sorted<T: Ord>(sorted: &mut Vec<T>, value: &T) {
    if let Ok(at) = sorted.binary_search(value) {
        sorted.remove(at);
    }
}

impl Known {
    fn representative(&self, term: IndexTerm) -> IndexTerm {
        self.same.get(&term).copied().unwrap_or(term)
    }

    /// Returns the term with all index terms replaced by representatives.
    fn canonical<'t>(&self, term: &'t Term) -> Cow<'t, Term> {
        if self.same.is_empty() || !term.elements().iter().any(|element| self.same.contains_key(element)) {
            return Cow::Borrowed(term);
        }
        Cow::Owned(term.map(&mut |element| self.representative(*element)))
    }

    /// Returns whether a fact other than that elements are equal is about an element.
    fn mentions(&self, element: IndexTerm) -> bool {
        let is_about = |term: &Term| term.elements().contains(&element);
        self.different.iter().any(|(x, y)| *x == element || *y == element)
            || self.values.iter().any(|(read, value)| is_about(read) || is_about(value))
            || self.excluded.iter().any(|(read, excluded)| is_about(read) || excluded.elements.contains(&element))
            || self.reads.keys().any(|(x, y)| is_about(x) || is_about(y))
            || self.bounds.iter().any(|(left, _, right)| is_about(left) || is_about(right))
    }

    /// Returns the canonical term, or its value if that is known.
    fn known(&self, term: &Term) -> Term {
        let term = self.canonical(term);
        self.values.get(&*term).cloned().unwrap_or_else(|| term.into_owned())
    }

    /// Returns the truth of `left = right`, if the facts decide it.
    fn decide(&self, universe: &Universe, left: &Term, right: &Term) -> Option<bool> {
        let (left, right) = (self.canonical(left), self.canonical(right));
        if left == right {
            return Some(true);
        }
        match (&*left, &*right) {
            (Term::Index(a), Term::Index(b)) => self.decide_index(universe, *a, *b),
            (Term::Constant(_), Term::Constant(_)) => Some(false),
            // A number is no other value, such as the one for what is undefined.
            (Term::Zero, Term::Constant(_) | Term::Index(_)) | (Term::Constant(_) | Term::Index(_), Term::Zero) => {
                Some(false)
            }
            // Numbers are compared by bounds: see `bound`.
            (Term::Zero, Term::Zero | Term::Read(..)) | (Term::Read(..), Term::Zero) => None,
            (Term::Constant(_), Term::Index(_)) | (Term::Index(_), Term::Constant(_)) => {
                universe.meet(&left, &right);
                Some(false)
            }
            (Term::Read(..), Term::Read(..)) => self.decide_reads(universe, &left, &right),
            (Term::Read(..), _) => self.decide_value(universe, &left, &right),
            (_, Term::Read(..)) => self.decide_value(universe, &right, &left),
        }
    }

    fn decide_index(&self, universe: &Universe, a: IndexTerm, b: IndexTerm) -> Option<bool> {
        let both_named = matches!((a, b), (IndexTerm::Named(_), IndexTerm::Named(_)));
        if universe.type_of(a) != universe.type_of(b) {
            universe.meet(&Term::Index(a), &Term::Index(b));
            return Some(false);
        }
        if both_named || self.different.contains(&(a.min(b), a.max(b))) {
            return Some(false);
        }
        None
    }

    fn decide_reads(&self, universe: &Universe, left: &Term, right: &Term) -> Option<bool> {
        match (self.values.get(left), self.values.get(right)) {
            (Some(a), Some(b)) => return self.decide(universe, a, b),
            (Some(a), None) => return self.decide_value(universe, right, a),
            (None, Some(b)) => return self.decide_value(universe, left, b),
            (None, None) => {}
        }
        if !self.reads.is_empty() {
            let key = (left.min(right).clone(), left.max(right).clone());
            if let Some(&known) = self.reads.get(&key) {
                return Some(known);
            }
        }
        match right {
            Term::Read(cell, _) if !universe.may_be_in(left, universe.sort_of(*cell)) => {
                universe.meet(left, right);
                Some(false)
            }
            _ => None,
        }
    }

    fn decide_value(&self, universe: &Universe, read: &Term, value: &Term) -> Option<bool> {
        let Term::Read(cell, _) = read else {
            return None;
        };
        if let Some(known) = self.values.get(read) {
            return self.decide(universe, known, value);
        }
        let sort = universe.sort_of(*cell);
        let may_be = match value {
            Term::Constant(UNSET) => universe.cells[cell.index()].unset,
            _ => universe.may_be_in(value, sort),
        };
        if !may_be {
            universe.meet(read, value);
            return Some(false);
        }
        let excluded = self.excluded.get(read);
        if excluded.is_some_and(|excluded| excluded.contains(value)) {
            return Some(false);
        }
        // The undefined value of a placeholder is not a value of its sort.
        let others = excluded.map_or(0, Excluded::of_sort) + usize::from(*value != Term::Constant(UNSET));
        let others_excluded = sort.is_finite() && others == sort.constants.len();
        others_excluded.then_some(true)
    }

    /// Returns the truth of `left <= right + sum`, if the facts decide it.
    fn decide_bound(&self, left: &Term, right: &Term, sum: i64) -> Option<bool> {
        let (left, right) = (self.canonical(left), self.canonical(right));
        if left == right {
            return Some(sum >= 0);
        }
        // Contradictory facts decide it either way.
        let bounds = self.closed.as_ref()?;
        let holds = bounds.entails(&left, Comparison::AtMost(sum), &right);
        let fails = bounds.entails(&left, Comparison::AtMost(sum).negated(), &right);
        (holds != fails).then_some(holds)
    }

    /// Takes back one change.
    fn take_back(&mut self, change: Change) {
        match change {
            Change::Different(pair) => {
                self.different.remove(&pair);
            }
            Change::Value(read) => {
                self.values.remove(&read);
            }
            Change::Excluded(read, value, is_first) => {
                let Some(excluded) = self.excluded.get_mut(&read) else { return };
                self.excluded_cost -= excluded.cost();
                if is_first {
                    self.excluded.remove(&read);
                } else {
                    excluded.remove(&value);
                    self.excluded_cost += excluded.cost();
                }
            }
            Change::Reads(pair) => {
                self.reads.remove(&pair);
            }
            Change::Bound(closed) => {
                self.bounds.pop();
                self.closed = closed;
            }
            Change::Quantified => {
                self.quantified.pop();
            }
            Change::Contradictory => self.contradictory = false,
            Change::Same(term, Some(before)) => {
                self.same.insert(term, before);
            }
            Change::Same(term, None) => {
                self.same.remove(&term);
            }
            Change::NotDifferent(pair) => {
                self.different.insert(pair);
            }
            Change::NotValue(read, value) => {
                self.values.insert(read, value);
            }
            Change::NotExcluded(read, excluded) => {
                self.excluded_cost += excluded.cost();
                self.excluded.insert(read, excluded);
            }
            Change::NotReads(pair, truth) => {
                self.reads.insert(pair, truth);
            }
            Change::Bounds(bounds, closed) => {
                self.bounds = bounds;
                self.closed = closed;
            }
        }
    }
}

impl Facts {
    /// Returns the point to which [`Facts::back_to`] returns.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.changes.len())
    }

    /// Takes back everything that was added since.
    pub(super) fn back_to(&mut self, mark: Mark) {
        while self.changes.len() > mark.0
            && let Some(change) = self.changes.pop()
        {
            self.known.take_back(change);
        }
    }

    /// Returns whether the facts contradict each other.
    pub(super) fn is_contradictory(&self) -> bool {
        self.known.contradictory
    }

    /// Returns the value of a read, if it is known.
    pub(super) fn value_of(&self, read: &Term) -> Option<Term> {
        self.known.values.get(&*self.known.canonical(read)).cloned()
    }

    /// Returns the truth of `left = right`, if the facts decide it.
    pub(super) fn decide(&self, universe: &Universe, left: &Term, right: &Term) -> Option<bool> {
        self.known.decide(universe, left, right)
    }

    fn contradict(&mut self) {
        if !self.known.contradictory {
            self.known.contradictory = true;
            self.changes.push(Change::Contradictory);
        }
    }

    /// Adds the fact that `left <= right + sum` is true or false.
    fn assume_bound(&mut self, left: &Term, right: &Term, sum: i64, truth: bool) {
        let known = &mut self.known;
        if let Some(decided) = known.decide_bound(left, right, sum) {
            if decided != truth {
                self.contradict();
            }
            return;
        }
        let comparison = if truth { Comparison::AtMost(sum) } else { Comparison::AtMost(sum).negated() };
        let bound = (known.canonical(left).into_owned(), comparison, known.canonical(right).into_owned());
        let before = known.closed.take();
        // Bounds that contradict each other stay so.
        if known.bounds.is_empty() || before.is_some() {
            let mut closed = before.as_deref().cloned().unwrap_or_default();
            known.closed = closed.add(&bound).then(|| Rc::new(closed));
        }
        known.bounds.push(bound);
        self.changes.push(Change::Bound(before));
    }

    fn insert_value(&mut self, read: Term, value: Term) {
        self.changes.push(Change::Value(read.clone()));
        self.known.values.insert(read, value);
    }

    /// Adds the fact that `left = right` is true or false.
    pub(super) fn assume(&mut self, universe: &Universe, left: &Term, right: &Term, truth: bool) {
        if let Some(decided) = self.known.decide(universe, left, right) {
            if decided != truth {
                self.contradict();
            }
            return;
        }
        let (left, right) = (self.known.known(left), self.known.known(right));
        match (&left, &right, truth) {
            (Term::Index(a), Term::Index(b), true) => self.unify(universe, *a, *b),
            (Term::Index(a), Term::Index(b), false) => {
                let pair = ((*a).min(*b), (*a).max(*b));
                self.known.different.insert(pair);
                self.changes.push(Change::Different(pair));
            }
            (Term::Read(..), Term::Read(..), _) => {
                let pair = if left <= right { (left, right) } else { (right, left) };
                self.changes.push(Change::Reads(pair.clone()));
                self.known.reads.insert(pair, truth);
            }
            (Term::Read(..), _, true) => self.insert_value(left, right),
            (Term::Read(..), _, false) => self.exclude(universe, left, right),
            (_, Term::Read(..), true) => self.insert_value(right, left),
            (_, Term::Read(..), false) => self.exclude(universe, right, left),
            _ => {}
        }
    }

    /// Adds the fact that a read does not have a value and, if a single one remains, that it has that value.
    fn exclude(&mut self, universe: &Universe, read: Term, value: Term) {
        let Term::Read(cell, _) = &read else { return };
        let sort = universe.sort_of(*cell);
        let known = &mut self.known;
        let is_first = !known.excluded.contains_key(&read);
        let excluded = known.excluded.entry(read.clone()).or_default();
        if !is_first {
            known.excluded_cost -= excluded.cost();
        }
        excluded.insert(&value);
        known.excluded_cost += excluded.cost();
        let is_last = sort.is_finite() && excluded.of_sort() + 1 == sort.constants.len();
        let left = || sort.constants.iter().map(|&c| Term::Constant(c)).find(|c| !excluded.contains(c));
        let only = if is_last { left() } else { None };
        self.changes.push(Change::Excluded(read.clone(), value, is_first));
        if let Some(only) = only {
            self.insert_value(read, only);
        }
    }

    /// Merges two representatives, and brings all facts up to date.
    fn unify(&mut self, universe: &Universe, a: IndexTerm, b: IndexTerm) {
        // Named elements stay representatives, since they are known to differ from each other.
        let (keep, drop) = match (a, b) {
            (IndexTerm::Named(_), _) => (a, b),
            (_, IndexTerm::Named(_)) => (b, a),
            // What no fact is about is replaced, as the arguments of a cell that is written: nothing else changes then.
            (IndexTerm::Variable(_), IndexTerm::Variable(_)) => {
                match (self.known.mentions(a), self.known.mentions(b)) {
                    (true, false) => (a, b),
                    (false, true) => (b, a),
                    (true, true) | (false, false) => (a.min(b), a.max(b)),
                }
            }
        };
        let moved = self.known.same.iter().filter(|(_, own)| **own == drop).map(|(term, _)| (*term, Some(drop)));
        let moved: Vec<_> = moved.chain([(drop, None)]).collect();
        for (term, before) in moved {
            self.known.same.insert(term, keep);
            self.changes.push(Change::Same(term, before));
        }
        let is_dropped = |term: &Term| term.elements().contains(&drop);
        let known = &mut self.known;
        if known.bounds.iter().any(|(left, _, right)| is_dropped(left) || is_dropped(right)) {
            let before = (known.bounds.clone(), known.closed.take());
            for (left, _, right) in &mut known.bounds {
                let same = &known.same;
                for term in [left, right] {
                    *term = term.map(&mut |element| same.get(element).copied().unwrap_or(*element));
                }
            }
            known.closed = Bounds::of(known.bounds.iter().cloned()).map(Rc::new);
            let is_consistent = known.closed.is_some();
            self.changes.push(Change::Bounds(before.0, before.1));
            if !is_consistent {
                self.contradict();
            }
        }
        // Facts about what is dropped are taken out, and assumed again about what is kept.
        let known = &mut self.known;
        let different: Vec<_> = known.different.extract_if(.., |(x, y)| *x == drop || *y == drop).collect();
        let values: Vec<_> = known.values.extract_if(.., |read, value| is_dropped(read) || is_dropped(value)).collect();
        for pair in &different {
            self.changes.push(Change::NotDifferent(*pair));
        }
        for (read, value) in &values {
            self.changes.push(Change::NotValue(read.clone(), value.clone()));
        }
        for (x, y) in &different {
            self.assume(universe, &Term::Index(*x), &Term::Index(*y), false);
        }
        for (read, value) in &values {
            self.assume(universe, read, value, true);
        }
        // A read may have a value now that says more.
        let known = &mut self.known;
        let is_moved = |read: &Term, excluded: &Excluded| {
            is_dropped(read) || excluded.elements.contains(&drop) || known.values.contains_key(read)
        };
        let excluded: Vec<_> = known.excluded.extract_if(.., |read, excluded| is_moved(read, excluded)).collect();
        let reads = std::mem::take(&mut known.reads);
        for (read, excluded) in &excluded {
            known.excluded_cost -= excluded.cost();
            self.changes.push(Change::NotExcluded(read.clone(), excluded.clone()));
        }
        for (pair, truth) in &reads {
            self.changes.push(Change::NotReads(pair.clone(), *truth));
        }
        for (read, excluded) in &excluded {
            for value in excluded.values() {
                self.assume(universe, read, &value, false);
            }
        }
        for ((x, y), truth) in &reads {
            self.assume(universe, x, y, *truth);
        }
    }

    /// Adds the fact that two terms compare in this way.
    pub(super) fn assume_comparison(&mut self, universe: &Universe, left: &Term, comparison: Comparison, right: &Term) {
        match comparison {
            Comparison::Different => self.assume(universe, left, right, false),
            Comparison::Equal => self.assume(universe, left, right, true),
            Comparison::AtMost(sum) => self.assume_bound(left, right, sum, true),
            Comparison::AtLeast(sum) => self.assume_bound(right, left, -sum, true),
        }
    }

    /// Adds the literals that a formula, or its negation, consists of; the rest of it is ignored.
    pub(super) fn assume_formula(&mut self, universe: &Universe, formula: &Formula, truth: bool) {
        match (formula, truth) {
            (Formula::True, false) | (Formula::False, true) => self.contradict(),
            (Formula::Equal(left, right), _) => self.assume(universe, left, right, truth),
            (Formula::AtMost(left, right, sum), _) => self.assume_bound(left, right, *sum, truth),
            (Formula::Not(inner), _) => self.assume_formula(universe, inner, !truth),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                for part in parts {
                    self.assume_formula(universe, part, truth);
                }
            }
            (Formula::Forall(..) | Formula::Exists(..), _) => {
                self.known.quantified.push((formula.clone(), truth));
                self.changes.push(Change::Quantified);
            }
            (Formula::True, true) | (Formula::False, false) | (Formula::And(_), false) | (Formula::Or(_), true) => {}
        }
    }

    /// Returns the number of facts.
    fn len(&self) -> u64 {
        let known = &self.known;
        let all =
            known.values.len() + known.excluded_cost + known.reads.len() + known.different.len() + known.bounds.len();
        u64::try_from(all).unwrap_or(u64::MAX)
    }

    /// Returns the facts extended with a formula.
    pub(super) fn with(&self, universe: &Universe, formula: &Formula, truth: bool) -> Self {
        let mut more = self.clone();
        more.assume_formula(universe, formula, truth);
        more
    }
}

/// Builds a conjunction, flat and without duplicates.
pub(super) fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    junction(parts, true)
}

/// Builds a disjunction, flat and without duplicates.
pub(super) fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    junction(parts, false)
}

fn junction(parts: impl IntoIterator<Item = Formula>, conjunction: bool) -> Formula {
    let mut flat: Vec<Formula> = Vec::new();
    let mut alike = Alike::default();
    for part in parts {
        let nested = match part {
            Formula::And(nested) if conjunction => nested,
            Formula::Or(nested) if !conjunction => nested,
            other => vec![other],
        };
        for part in nested {
            match part {
                Formula::True if conjunction => {}
                Formula::False if !conjunction => {}
                Formula::True => return Formula::True,
                Formula::False => return Formula::False,
                part => match alike.find(&flat, &part) {
                    Some(Relation::Same) => {}
                    Some(Relation::Opposite) => return if conjunction { Formula::False } else { Formula::True },
                    None => flat.push(part),
                },
            }
        }
    }
    match flat.len() {
        0 if conjunction => Formula::True,
        0 => Formula::False,
        1 => flat.remove(0),
        _ if conjunction => Formula::And(flat),
        _ => Formula::Or(flat),
    }
}

/// How one formula relates to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Same,
    Opposite,
}

/// Finds the parts of a junction that equal a new part or its negation. A few parts are compared one by one; many are
/// found by a key that a formula and its negation share.
#[derive(Clone, Debug, Default)]
struct Alike {
    /// The positions of the parts with each key.
    by_key: HashMap<u64, Vec<usize>>,
    /// The number of parts entered so far.
    entered: usize,
}

/// Fewer parts than this are compared one by one.
const FEW_PARTS: usize = 32;

impl Alike {
    fn find(&mut self, parts: &[Formula], new: &Formula) -> Option<Relation> {
        if parts.len() < FEW_PARTS {
            return relation(parts.iter(), new);
        }
        for (at, part) in parts.iter().enumerate().skip(self.entered) {
            self.by_key.entry(key_of(part)).or_default().push(at);
        }
        self.entered = parts.len();
        relation(self.by_key.get(&key_of(new)).into_iter().flatten().map(|&at| &parts[at]), new)
    }
}

fn relation<'f>(parts: impl Iterator<Item = &'f Formula> + Clone, new: &Formula) -> Option<Relation> {
    if parts.clone().any(|part| part == new) {
        return Some(Relation::Same);
    }
    parts.clone().any(|part| negates(part, new)).then_some(Relation::Opposite)
}

/// Returns the same number for equal formulas, and for two formulas of which one [`negates`] the other.
fn key_of(formula: &Formula) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash_unsigned(formula, &mut hasher);
    hasher.finish()
}

fn hash_unsigned(formula: &Formula, hasher: &mut DefaultHasher) {
    match formula {
        Formula::True | Formula::False => hasher.write_u8(0),
        Formula::Not(inner) => hash_unsigned(inner, hasher),
        Formula::Equal(left, Term::Constant(TRUE | FALSE)) => {
            hasher.write_u8(1);
            left.hash(hasher);
        }
        Formula::Equal(left, right) => {
            hasher.write_u8(2);
            left.hash(hasher);
            right.hash(hasher);
        }
        Formula::AtMost(left, right, sum) => {
            let (lesser, greater) = if left <= right { (left, right) } else { (right, left) };
            hasher.write_u8(5);
            lesser.hash(hasher);
            greater.hash(hasher);
            hasher.write_i64((*sum).min(-sum - 1));
        }
        Formula::And(parts) | Formula::Or(parts) => {
            hasher.write_u8(3);
            hasher.write_usize(parts.len());
            parts.iter().for_each(|part| hash_unsigned(part, hasher));
        }
        Formula::Forall(variable, inner) | Formula::Exists(variable, inner) => {
            hasher.write_u8(4);
            variable.hash(hasher);
            hash_unsigned(inner, hasher);
        }
    }
}

/// The condition of a path: a conjunction that grows and shrinks at its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    parts: Vec<Formula>,
    /// Whether two of its parts exclude each other.
    impossible: bool,
}

/// The length of a path at some point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathLength {
    parts: usize,
    impossible: bool,
}

impl Path {
    /// Returns whether the condition is trivially true.
    pub(super) fn is_true(&self) -> bool {
        self.parts.is_empty() && !self.impossible
    }

    pub(super) fn length(&self) -> PathLength {
        PathLength { parts: self.parts.len(), impossible: self.impossible }
    }

    /// Removes everything added since.
    pub(super) fn shorten(&mut self, length: PathLength) {
        self.parts.truncate(length.parts);
        self.impossible = length.impossible;
    }

    pub(super) fn add(&mut self, condition: Formula) {
        match condition {
            Formula::And(nested) => nested.into_iter().for_each(|part| self.add_part(part)),
            other => self.add_part(other),
        }
    }

    fn add_part(&mut self, part: Formula) {
        if self.impossible || part == Formula::True || self.parts.contains(&part) {
            return;
        }
        self.impossible = part == Formula::False || self.parts.iter().any(|other| negates(other, &part));
        self.parts.push(part);
    }

    /// Returns the conjunction that [`and`] would build from the parts.
    pub(super) fn formula(&self) -> Formula {
        match self.parts.as_slice() {
            _ if self.impossible => Formula::False,
            [] => Formula::True,
            [only] => only.clone(),
            parts => Formula::And(parts.to_vec()),
        }
    }

    /// Returns the conjunction with a further condition.
    pub(super) fn with(&self, condition: Formula) -> Formula {
        let mut path = self.clone();
        path.add(condition);
        path.formula()
    }
}

/// Returns whether one is the negation of the other, as [`not`] writes it. This is checked too often to build the
/// negation each time.
fn negates(one: &Formula, other: &Formula) -> bool {
    match (one, other) {
        (Formula::True, Formula::False) | (Formula::False, Formula::True) => true,
        (Formula::Not(inner), plain) | (plain, Formula::Not(inner)) => **inner == *plain,
        (Formula::Equal(left, Term::Constant(TRUE)), Formula::Equal(same, Term::Constant(FALSE)))
        | (Formula::Equal(left, Term::Constant(FALSE)), Formula::Equal(same, Term::Constant(TRUE))) => left == same,
        (Formula::AtMost(left, right, sum), Formula::AtMost(other_left, other_right, other)) => {
            left == other_right && right == other_left && *other == -sum - 1
        }
        (Formula::And(parts), Formula::Or(others)) | (Formula::Or(parts), Formula::And(others)) => {
            parts.len() == others.len() && parts.iter().zip(others).all(|(part, other)| negates(part, other))
        }
        (Formula::Forall(variable, inner), Formula::Exists(same, other))
        | (Formula::Exists(variable, inner), Formula::Forall(same, other)) => variable == same && negates(inner, other),
        _ => false,
    }
}

/// Negates a formula, pushing the negation inwards to the equations.
pub(super) fn not(formula: Formula) -> Formula {
    match formula {
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::Not(inner) => *inner,
        Formula::And(parts) => or(parts.into_iter().map(not)),
        Formula::Or(parts) => and(parts.into_iter().map(not)),
        Formula::Forall(variable, inner) => Formula::Exists(variable, Box::new(not(*inner))),
        Formula::Exists(variable, inner) => Formula::Forall(variable, Box::new(not(*inner))),
        // A boolean is compared with `true` or `false`; the negation compares it with the other.
        Formula::Equal(left, Term::Constant(TRUE)) => Formula::Equal(left, Term::Constant(FALSE)),
        Formula::Equal(left, Term::Constant(FALSE)) => Formula::Equal(left, Term::Constant(TRUE)),
        equal @ Formula::Equal(..) => Formula::Not(Box::new(equal)),
        // Of the integers that are not at most a number, the least is the next one.
        Formula::AtMost(left, right, sum) => Formula::AtMost(right, left, -sum - 1),
    }
}

/// Builds an equation, with a read on the left, or a truth value if that is known without facts.
pub(super) fn equal(universe: &Universe, left: &Term, right: &Term) -> Formula {
    match Known::default().decide(universe, left, right) {
        Some(true) => Formula::True,
        Some(false) => Formula::False,
        None => {
            let swap = match (left, right) {
                (Term::Read(..), Term::Read(..)) | (Term::Index(_), Term::Index(_)) => left > right,
                (Term::Read(..), _) => false,
                _ => true,
            };
            if swap { Formula::Equal(right.clone(), left.clone()) } else { Formula::Equal(left.clone(), right.clone()) }
        }
    }
}

/// Builds `left <= right + sum`, or a truth value if that is known without facts.
pub(super) fn at_most(left: &Term, right: &Term, sum: i64) -> Formula {
    match Known::default().decide_bound(left, right, sum) {
        Some(true) => Formula::True,
        Some(false) => Formula::False,
        None => Formula::AtMost(left.clone(), right.clone(), sum),
    }
}

/// Returns an equivalent formula under the facts, in negation normal form.
pub(super) fn simplify(universe: &Universe, facts: &mut Facts, formula: &Formula) -> Formula {
    if !universe.spend(1) {
        return formula.clone();
    }
    match formula {
        Formula::True | Formula::False => formula.clone(),
        Formula::Equal(left, right) => match facts.decide(universe, left, right) {
            Some(true) => Formula::True,
            Some(false) => Formula::False,
            None => equal(universe, left, right),
        },
        Formula::AtMost(left, right, sum) => match facts.known.decide_bound(left, right, *sum) {
            Some(true) => Formula::True,
            Some(false) => Formula::False,
            None => formula.clone(),
        },
        Formula::Not(inner) => match &**inner {
            Formula::Equal(left, right) => match facts.decide(universe, left, right) {
                Some(true) => Formula::False,
                Some(false) => Formula::True,
                None => not(equal(universe, left, right)),
            },
            other => simplify(universe, facts, &not(other.clone())),
        },
        Formula::And(parts) => simplify_junction(universe, facts, parts, true),
        Formula::Or(parts) => simplify_junction(universe, facts, parts, false),
        Formula::Forall(variable, inner) => {
            let body = simplify(universe, facts, inner);
            quantifier(universe, facts, *variable, body, true)
        }
        Formula::Exists(variable, inner) => {
            let body = simplify(universe, facts, inner);
            quantifier(universe, facts, *variable, body, false)
        }
    }
}

/// Each part is simplified under the other parts that are literals: those before it in simplified form, those after it
/// as given.
fn simplify_junction(universe: &Universe, facts: &mut Facts, parts: &[Formula], conjunction: bool) -> Formula {
    if !universe.spend(facts.len().saturating_add(length(parts))) {
        return junction(parts.iter().cloned(), conjunction);
    }
    let before = facts.mark();
    let mut done = Vec::with_capacity(parts.len());
    for part in parts.iter().filter(|part| is_literal(part)) {
        let part = simplify(universe, facts, part);
        facts.assume_formula(universe, &part, conjunction);
        done.push(part);
    }
    let mut literals = done.into_iter();
    let mut result = Vec::with_capacity(parts.len());
    for part in parts {
        if is_literal(part) {
            result.extend(literals.next());
        } else {
            let part = simplify(universe, facts, part);
            facts.assume_formula(universe, &part, conjunction);
            result.push(part);
        }
    }
    let contradictory = facts.is_contradictory();
    facts.back_to(before);
    if contradictory {
        return if conjunction { Formula::False } else { Formula::True };
    }
    without_implied(universe, facts, &mut result, conjunction);
    junction(result, conjunction)
}

fn length(parts: &[Formula]) -> u64 {
    u64::try_from(parts.len()).unwrap_or(u64::MAX)
}

/// Removes literals that others make redundant: `x = A` next to `x != B` in a disjunction.
fn without_implied(universe: &Universe, facts: &mut Facts, parts: &mut Vec<Formula>, conjunction: bool) {
    if are_values_of_one_read(parts, conjunction) {
        return;
    }
    let start = facts.mark();
    let given = facts.len();
    let mut at = 0;
    while at < parts.len() && parts.len() > 1 {
        if !is_literal(&parts[at]) {
            at += 1;
            continue;
        }
        if !universe.spend(given.saturating_add(4 * length(parts))) {
            break;
        }
        let before = facts.mark();
        for part in parts[at + 1..].iter().filter(|part| is_literal(part)) {
            facts.assume_formula(universe, part, conjunction);
        }
        let neutral = if conjunction { Formula::True } else { Formula::False };
        let implied = !facts.is_contradictory() && simplify(universe, facts, &parts[at]) == neutral;
        facts.back_to(before);
        if implied {
            parts.remove(at);
        } else {
            // The next parts are considered under this one.
            facts.assume_formula(universe, &parts[at], conjunction);
            at += 1;
        }
    }
    facts.back_to(start);
}

/// Returns whether the literals are `x = A`, `x = B` and so on in a disjunction, or their negations in a conjunction.
/// However many there are, as from a comparison of numbers, none follows from the others.
fn are_values_of_one_read(parts: &[Formula], conjunction: bool) -> bool {
    let mut values = BTreeSet::new();
    let mut read = None;
    parts.iter().filter(|part| is_literal(part)).all(|part| match (part, conjunction) {
        (Formula::Equal(left @ Term::Read(..), Term::Constant(value)), false) => {
            *read.get_or_insert(left) == left && values.insert(*value)
        }
        (Formula::Not(inner), true) => match &**inner {
            Formula::Equal(left @ Term::Read(..), Term::Constant(value)) => {
                *read.get_or_insert(left) == left && values.insert(*value)
            }
            _ => false,
        },
        _ => false,
    })
}

fn is_literal(part: &Formula) -> bool {
    match part {
        Formula::Equal(..) | Formula::AtMost(..) => true,
        Formula::Not(inner) => matches!(**inner, Formula::Equal(..)),
        _ => false,
    }
}

/// Builds a quantified formula, dropping the quantifier if it is redundant or picks a single element.
fn quantifier(
    universe: &Universe,
    facts: &mut Facts,
    variable: IndexVariableId,
    body: Formula,
    universal: bool,
) -> Formula {
    let neutral = if universal { Formula::True } else { Formula::False };
    if body == neutral {
        return neutral;
    }
    let own = IndexTerm::Variable(variable);
    if !mentions(&body, own) && universe.is_inhabited(universe.type_of(own)) {
        return body;
    }
    if let Some(point) = only_point(&body, variable, universal) {
        let replaced = substitute(universe, &body, &|v| {
            if v == variable { point } else { IndexTerm::Variable(v) }
        });
        return simplify(universe, facts, &replaced);
    }
    let whole =
        if universal { Formula::Forall(variable, Box::new(body)) } else { Formula::Exists(variable, Box::new(body)) };
    for (known, truth) in &facts.known.quantified {
        if same_up_to_bound(universe, known, &whole) {
            return if *truth { Formula::True } else { Formula::False };
        }
        if same_up_to_bound(universe, &not(known.clone()), &whole) {
            return if *truth { Formula::False } else { Formula::True };
        }
    }
    whole
}

/// Returns the term that the variable must equal for the body to matter: `forall v. v != t | ..`, `exists v. v = t &
/// ..`.
fn only_point(body: &Formula, variable: IndexVariableId, universal: bool) -> Option<IndexTerm> {
    let own = Term::Index(IndexTerm::Variable(variable));
    let point = |part: &Formula| {
        let equation = match (part, universal) {
            (Formula::Not(inner), true) => inner,
            (Formula::Equal(..), false) => part,
            _ => return None,
        };
        match equation {
            Formula::Equal(Term::Index(a), other) if *other == own && Term::Index(*a) != own => Some(*a),
            Formula::Equal(first, Term::Index(b)) if *first == own && Term::Index(*b) != own => Some(*b),
            _ => None,
        }
    };
    match (body, universal) {
        (Formula::Or(parts), true) | (Formula::And(parts), false) => parts.iter().find_map(point),
        _ => point(body),
    }
}

/// Returns whether an index term occurs.
pub(super) fn mentions(formula: &Formula, term: IndexTerm) -> bool {
    let mut found = false;
    formula.visit_terms(&mut |t| found |= t.elements().contains(&term));
    found
}

/// Replaces index variables in a formula. Bound variables are never replaced: each binder has its own.
pub(super) fn substitute(
    universe: &Universe,
    formula: &Formula,
    replace: &impl Fn(IndexVariableId) -> IndexTerm,
) -> Formula {
    match formula {
        Formula::True | Formula::False => formula.clone(),
        Formula::Equal(left, right) => equal(universe, &left.substituted(replace), &right.substituted(replace)),
        Formula::AtMost(left, right, sum) => at_most(&left.substituted(replace), &right.substituted(replace), *sum),
        Formula::Not(inner) => not(substitute(universe, inner, replace)),
        Formula::And(parts) => and(parts.iter().map(|p| substitute(universe, p, replace))),
        Formula::Or(parts) => or(parts.iter().map(|p| substitute(universe, p, replace))),
        Formula::Forall(variable, inner) => Formula::Forall(*variable, Box::new(substitute(universe, inner, replace))),
        Formula::Exists(variable, inner) => Formula::Exists(*variable, Box::new(substitute(universe, inner, replace))),
    }
}

/// Replaces index variables in a value.
pub(super) fn substitute_value(
    universe: &Universe,
    value: &Value,
    replace: &impl Fn(IndexVariableId) -> IndexTerm,
) -> Value {
    match value {
        Value::Term(term) => Value::Term(term.substituted(replace)),
        Value::Sum(term, number) => Value::Sum(term.substituted(replace), *number),
        Value::Arbitrary => Value::Arbitrary,
        Value::If(condition, yes, no) => choose(
            substitute(universe, condition, replace),
            substitute_value(universe, yes, replace),
            substitute_value(universe, no, replace),
        ),
    }
}

/// Builds an `If`, unless its condition is decided or makes no difference.
pub(super) fn choose(condition: Formula, yes: Value, no: Value) -> Value {
    match condition {
        Formula::True => return yes,
        Formula::False => return no,
        _ => {}
    }
    if yes == no {
        return yes;
    }
    // If an outer and an inner branch have the same value, it is written only once.
    match (yes, no) {
        (Value::If(inner, a, b), no) if *b == no => choose(and([condition, inner]), *a, no),
        (Value::If(inner, a, b), no) if *a == no => choose(and([condition, not(inner)]), *b, no),
        (yes, Value::If(inner, a, b)) if *a == yes => choose(or([condition, inner]), yes, *b),
        (yes, Value::If(inner, a, b)) if *b == yes => choose(or([condition, not(inner)]), yes, *a),
        (yes, no) => Value::If(condition, Box::new(yes), Box::new(no)),
    }
}

/// Returns an equivalent value under the facts.
pub(super) fn simplify_value(universe: &Universe, facts: &mut Facts, value: &Value) -> Value {
    if !universe.spend(1 + facts.len()) {
        return value.clone();
    }
    match value {
        Value::Term(_) | Value::Sum(..) | Value::Arbitrary => value.clone(),
        Value::If(condition, yes, no) => {
            let condition = simplify(universe, facts, condition);
            match condition {
                Formula::True => return simplify_value(universe, facts, yes),
                Formula::False => return simplify_value(universe, facts, no),
                _ => {}
            }
            let before = facts.mark();
            facts.assume_formula(universe, &condition, false);
            let only_true = facts.is_contradictory();
            facts.back_to(before);
            facts.assume_formula(universe, &condition, true);
            if facts.is_contradictory() {
                facts.back_to(before);
                return simplify_value(universe, facts, no);
            }
            if only_true {
                facts.back_to(before);
                return simplify_value(universe, facts, yes);
            }
            let yes = simplify_value(universe, facts, yes);
            facts.back_to(before);
            facts.assume_formula(universe, &condition, false);
            let no = simplify_value(universe, facts, no);
            facts.back_to(before);
            choose(condition, yes, no)
        }
    }
}

/// Returns whether two formulas differ only in the names of bound variables.
pub(super) fn same_up_to_bound(universe: &Universe, one: &Formula, other: &Formula) -> bool {
    same_with(universe, one, other, &mut Vec::new())
}

fn same_with(
    universe: &Universe,
    one: &Formula,
    other: &Formula,
    bound: &mut Vec<(IndexVariableId, IndexVariableId)>,
) -> bool {
    let renamed = |term: &Term| {
        term.substituted(&|v| IndexTerm::Variable(bound.iter().find(|(from, _)| *from == v).map_or(v, |&(_, to)| to)))
    };
    match (one, other) {
        (Formula::True, Formula::True) | (Formula::False, Formula::False) => true,
        (Formula::Equal(a, b), Formula::Equal(c, d)) => {
            let (a, b) = (renamed(a), renamed(b));
            (a == *c && b == *d) || (a == *d && b == *c)
        }
        (Formula::AtMost(a, b, sum), Formula::AtMost(c, d, other)) => {
            sum == other && renamed(a) == *c && renamed(b) == *d
        }
        (Formula::Not(a), Formula::Not(b)) => same_with(universe, a, b, bound),
        (Formula::And(a), Formula::And(b)) | (Formula::Or(a), Formula::Or(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_with(universe, a, b, bound))
        }
        (Formula::Forall(v, a), Formula::Forall(w, b)) | (Formula::Exists(v, a), Formula::Exists(w, b)) => {
            // A body that does not mention its variable is the same for all types, but the quantified formula is not.
            let type_of = |variable: &IndexVariableId| universe.type_of(IndexTerm::Variable(*variable));
            if type_of(v) != type_of(w) {
                return false;
            }
            bound.push((*v, *w));
            let same = same_with(universe, a, b, bound);
            bound.pop();
            same
        }
        _ => false,
    }
}

#[cfg(test)]
#[path = "logic_tests.rs"]
mod tests;
