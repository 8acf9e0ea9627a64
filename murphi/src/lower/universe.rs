//! The tables that lowering fills: types, constants, state cells and the current scope.
//!
//! A *cell* is what a statement can read or write: a state variable of the system, a local variable, or a placeholder
//! for a cell's value at the entry of a loop. All are numbered by [`VariableId`]; the state variables come first, so
//! that a finished formula, which only mentions state variables, needs no renumbering.

use std::cell::Cell as Counter;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::classes::Blocker;
use super::copies::Copies;
use super::neighbours::Repeat;
use crate::program::{Span, TypeId};
use system::{
    Constant, ConstantId, FALSE, Formula, IndexTerm, IndexType, IndexTypeId, IndexVariable, IndexVariableId,
    NamedElement, NamedId, Role, Sort, SortId, TRUE, Term, VariableId,
};

/// A place for scalars, one for each tuple of index arguments.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) sort: SortId,
    pub(super) arguments: Vec<IndexTypeId>,
    /// Whether a read may find it undefined, as with a placeholder: then it may equal [`UNSET`].
    pub(super) unset: bool,
    /// What it is of a slot of a multiset, if it is a part of one.
    pub(super) slot: Slot,
}

/// A part of a slot of a multiset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// It is none.
    None,
    /// Whether the slot has an element.
    Used,
    /// A part of the element.
    Content,
}

/// Stands for an undefined value in equations with placeholders of loops. It is in no table: after the loop, when the
/// values of the placeholders are known, no formula contains it.
pub(super) const UNSET: ConstantId = ConstantId(u32::MAX);

/// A bound of a number: a term plus a number.
pub(super) type Limit = (Term, i64);

/// The bounds of the numbers of a sort, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) low: Option<Limit>,
    pub(super) high: Option<Limit>,
}

impl Limits {
    /// Drops the limits that depend on the state.
    pub(super) fn only_known(&mut self) {
        for limit in [&mut self.low, &mut self.high] {
            limit.take_if(|(term, _)| *term != Term::Zero);
        }
    }
}

/// All tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Universe {
    pub(super) index_types: Vec<IndexType>,
    /// Whether the elements of an index type are numbers, as those of a range are.
    pub(super) numeric: Vec<bool>,
    pub(super) named: Vec<NamedElement>,
    pub(super) constants: Vec<Constant>,
    /// The integer that a constant stands for, if any.
    pub(super) integers: BTreeMap<ConstantId, i64>,
    by_name: BTreeMap<String, ConstantId>,
    pub(super) sorts: Vec<Sort>,
    pub(super) cells: Vec<Cell>,
    /// The limits of the sorts of numbers.
    pub(super) limits: BTreeMap<SortId, Limits>,
    /// The ranks of the elements of ordered index types.
    pub(super) ranks: BTreeMap<IndexTypeId, VariableId>,
    /// The constants of the model that are numbers.
    pub(super) sizes: BTreeMap<String, VariableId>,
    /// For each constant that is a number, half of it and half of it plus 1, each rounded down, if the model asks for them.
    pub(super) halves: BTreeMap<VariableId, [VariableId; 2]>,
    /// Whether nothing may be read, as in a startstate.
    pub(super) reads_nothing: bool,
    /// The values that are added to multisets and were found to be undefined at times.
    pub(super) added: BTreeSet<Span>,
    /// The constant for the undefined value, if `isundefined` needs one.
    pub(super) undefined: Option<ConstantId>,
    /// The number of cells that are state variables.
    pub(super) state_variables: usize,
    /// The index variables of the current rule, startstate or property.
    pub(super) scope: Vec<IndexVariable>,
    /// Index types that have an element in every state, because a state variable without arguments holds one or because
    /// an element is named.
    pub(super) inhabited: Vec<bool>,
    /// The named elements for variables that are set once: each stands for whatever element the variable is set to.
    pub(super) homes: BTreeSet<NamedId>,
    /// Index types of loops that have no meaning without an order of the elements, with the first such loop.
    pub(super) ordered: BTreeMap<IndexTypeId, (Blocker, Span)>,
    /// The number of simplification steps left for the current rule, startstate or property.
    allowance: Counter<u64>,
    /// Uses up all steps when it is set.
    pub(super) stop: Option<Arc<AtomicBool>>,
    /// Whether two numbers met that should be kept apart, see [`Universe::meet`].
    apart: Counter<bool>,
    /// The numbers of elements of sets: for each state variable that says what is in a set, the one for the number.
    pub(super) counts: BTreeMap<VariableId, VariableId>,
    /// Types of multisets to which an element may be added that they have already, with the first place.
    pub(super) added_twice: BTreeMap<TypeId, Span>,
    /// Which branches of the current rule are cases of it.
    pub(super) splitting: Splitting,
    /// The first question that has either answer, whatever the state is, so that a rule may fire which cannot.
    pub(super) either: Option<Span>,
    /// The branches that are cases, with [`Splitting::Some`].
    pub(super) splits: BTreeSet<Span>,
    /// How many pairs of values a condition may list.
    pub(super) most_pairs: usize,
    /// The state variables for numbers that rules choose.
    pub(super) chosen: BTreeSet<VariableId>,
    /// The state variables for what others are at neighbours.
    pub(super) repeats: BTreeMap<Repeat, VariableId>,
    /// Those of which there is none.
    pub(super) missing: BTreeSet<Repeat>,
    /// Which state variables may be undefined.
    pub(super) copies: Copies,
}

/// Which branches of a rule are separate cases, each with a guard of its own, instead of conditions in one update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Splitting {
    /// None of them.
    #[default]
    None,
    /// Those with choices on either side: the cases of the two sides add up, and do not multiply.
    Some,
    /// All of them.
    All,
}

impl Splitting {
    /// Returns which branches are cases if there are too many cases this way, or if they are too large.
    pub(super) fn next(self) -> Option<Self> {
        match self {
            Self::None => Some(Self::Some),
            Self::Some => Some(Self::All),
            Self::All => None,
        }
    }
}

/// The numbers that a term can denote.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// None: truth values, members of enumerations, elements of scalarsets.
    None,
    /// Constants.
    Constants,
    /// All integers, of a sort of numbers.
    Integers,
    /// Elements of an index type that is a range.
    Elements(IndexTypeId),
}

impl Universe {
    /// Sets the number of steps allowed from here on.
    pub(super) fn allow(&self, steps: u64) {
        self.allowance.set(steps);
    }

    /// Returns the remaining steps.
    pub(super) fn allowance(&self) -> u64 {
        self.allowance.get()
    }

    /// Uses steps; returns whether enough were left. If not, nothing is simplified from then on, and the caller that
    /// knows the place must refuse it: see [`Universe::is_exhausted`].
    pub(super) fn spend(&self, steps: u64) -> bool {
        let left = self.allowance.get().checked_sub(steps).filter(|_| !self.is_stopped());
        self.allowance.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Uses the steps that walking through a formula costs, as [`Universe::spend`].
    pub(super) fn spend_on(&self, formula: &Formula) -> bool {
        self.spend(weight(formula) / WEIGHT_OF_A_STEP)
    }

    /// Returns whether the caller has stopped waiting for the result.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Returns whether the steps are used up, so that the result is not valid.
    pub(super) fn is_exhausted(&self) -> bool {
        self.allowance.get() == 0
    }

    pub(super) fn new() -> Self {
        let mut universe = Self::default();
        universe.allow(u64::MAX);
        let (no, yes) = (universe.constant("false"), universe.constant("true"));
        debug_assert_eq!((no, yes), (FALSE, TRUE));
        universe
    }

    /// Returns the constant with that name, adding it if it is new.
    pub(super) fn constant(&mut self, name: &str) -> ConstantId {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let id = ConstantId(position(self.constants.len()));
        self.constants.push(Constant { name: name.into(), scalarset: None });
        self.by_name.insert(name.into(), id);
        id
    }

    /// Returns the constant for an element of a scalarset that is not an index type.
    pub(super) fn scalarset_element(&mut self, scalarset: &str, name: &str) -> ConstantId {
        let id = self.constant(name);
        self.constants[id.index()].scalarset = Some(scalarset.to_owned());
        id
    }

    /// Returns the constant for an integer.
    pub(super) fn integer(&mut self, value: i64) -> ConstantId {
        let id = self.constant(&value.to_string());
        self.integers.insert(id, value);
        id
    }

    /// Returns the sort with these values, adding it if it is new.
    pub(super) fn sort(&mut self, name: &str, mut index_types: Vec<IndexTypeId>, constants: Vec<ConstantId>) -> SortId {
        index_types.sort_unstable();
        index_types.dedup();
        let same =
            |sort: &Sort| sort.index_types == index_types && sort.constants == constants && sort.numbers.is_none();
        if let Some(known) = self.sorts.iter().position(same) {
            return SortId(position(known));
        }
        let id = SortId(position(self.sorts.len()));
        self.sorts.push(Sort { name: name.into(), index_types, constants, numbers: None });
        id
    }

    /// Returns the sort of all integers with these limits, adding it if it is new.
    pub(super) fn number_sort(&mut self, name: &str, explored: system::Numbers, limits: Limits) -> SortId {
        let same = |(id, own): (&SortId, &Limits)| {
            (*own == limits && self.sorts[id.index()].numbers == Some(explored)).then_some(*id)
        };
        if let Some(known) = self.limits.iter().find_map(same) {
            return known;
        }
        let id = SortId(position(self.sorts.len()));
        self.sorts.push(Sort {
            name: name.into(),
            index_types: Vec::new(),
            constants: Vec::new(),
            numbers: Some(explored),
        });
        self.limits.insert(id, limits);
        id
    }

    /// Returns the limits of the numbers that a cell holds.
    pub(super) fn limits_of(&self, cell: VariableId) -> Limits {
        self.limits.get(&self.cells[cell.index()].sort).cloned().unwrap_or_default()
    }

    /// Returns whether a cell is the rank of an element or a constant of the model: nothing writes it.
    pub(super) fn is_parameter(&self, cell: VariableId) -> bool {
        self.ranks.values().chain(self.sizes.values()).any(|own| *own == cell)
    }

    /// Returns whether one of these index types is ordered.
    pub(super) fn has_ranks(&self, index_types: &[IndexTypeId]) -> bool {
        index_types.iter().any(|index_type| self.ranks.contains_key(index_type))
    }

    pub(super) fn cell(&mut self, sort: SortId, arguments: Vec<IndexTypeId>) -> VariableId {
        let id = VariableId(position(self.cells.len()));
        self.cells.push(Cell { sort, arguments, unset: false, slot: Slot::None });
        id
    }

    /// Returns whether a term is a number that may be any integer.
    pub(super) fn is_number(&self, term: &Term) -> bool {
        match term {
            Term::Zero => true,
            Term::Read(cell, _) => self.sort_of(*cell).numbers.is_some(),
            Term::Constant(_) | Term::Index(_) => false,
        }
    }

    /// Returns the integers among some constants.
    pub(super) fn integers_among(&self, constants: &[ConstantId]) -> Vec<i64> {
        constants.iter().filter_map(|constant| self.integers.get(constant)).copied().collect()
    }

    /// Returns whether an integer is among some constants.
    pub(super) fn is_integer_among(&self, integer: i64, constants: &[ConstantId]) -> bool {
        self.integers_among(constants).contains(&integer)
    }

    /// Returns a number as a term plus a number, if it is one; a constant is 0 plus a number, and an element is its rank.
    pub(super) fn as_sum(&self, term: &Term, sum: i64) -> Option<(Term, i64)> {
        match term {
            Term::Constant(constant) => Some((Term::Zero, self.integers.get(constant).filter(|_| sum == 0).copied()?)),
            Term::Zero | Term::Read(..) => self.is_number(term).then(|| (term.clone(), sum)),
            Term::Index(element) => {
                let rank = self.ranks.get(&self.type_of(*element)).filter(|_| !self.reads_nothing)?;
                Some((Term::Read(*rank, vec![*element]), sum))
            }
        }
    }

    pub(super) fn sort_of(&self, cell: VariableId) -> &Sort {
        &self.sorts[self.cells[cell.index()].sort.index()]
    }

    /// Creates an index variable in the current scope.
    pub(super) fn index_variable(&mut self, name: &str, index_type: IndexTypeId, role: Role) -> IndexVariableId {
        let id = IndexVariableId(position(self.scope.len()));
        self.scope.push(IndexVariable { name: name.into(), index_type, role });
        id
    }

    pub(super) fn type_of(&self, term: IndexTerm) -> IndexTypeId {
        match term {
            IndexTerm::Variable(variable) => self.scope[variable.index()].index_type,
            IndexTerm::Named(named) => self.named[named.index()].index_type,
        }
    }

    /// Assumes that these types have an element.
    pub(super) fn assume_inhabited(&mut self, index_types: &BTreeSet<IndexTypeId>) {
        self.inhabited.resize(self.index_types.len(), false);
        index_types.iter().for_each(|index_type| self.inhabited[index_type.index()] = true);
    }

    /// Returns whether the type has an element in every state.
    pub(super) fn is_inhabited(&self, index_type: IndexTypeId) -> bool {
        self.inhabited.get(index_type.index()).copied().unwrap_or(false)
    }

    /// Returns the term, or the named element of one of these types that it means as an integer.
    pub(super) fn as_element(&self, term: &Term, index_types: &[IndexTypeId]) -> Term {
        let integer = match term {
            Term::Constant(constant) => self.integers.get(constant),
            Term::Index(_) | Term::Read(..) | Term::Zero => None,
        };
        let Some(&integer) = integer else { return term.clone() };
        match self.element_of_number(integer, index_types) {
            Some(element) => Term::Index(IndexTerm::Named(element)),
            None => term.clone(),
        }
    }

    /// Checks two terms without a common value that are compared, or one assigned to the other. If both can be numbers,
    /// and the numbers of one are elements of an index type, that is a bug in type inference: in an instance they may
    /// well be the same number.
    pub(super) fn meet(&self, left: &Term, right: &Term) {
        self.meet_numbers(self.numbers(left), self.numbers(right));
    }

    /// As [`Universe::meet`], for the values of a sort.
    pub(super) fn meet_sort(&self, term: &Term, sort: &Sort) {
        self.meet_numbers(self.numbers(term), self.numbers_in(sort));
    }

    fn meet_numbers(&self, left: Numbers, right: Numbers) {
        let mixed = match (left, right) {
            (Numbers::None, _) | (_, Numbers::None) | (Numbers::Constants, Numbers::Constants) => false,
            (Numbers::Integers, Numbers::Integers) => false,
            (Numbers::Constants | Numbers::Integers, Numbers::Elements(_))
            | (Numbers::Elements(_), Numbers::Constants | Numbers::Integers)
            | (Numbers::Constants, Numbers::Integers)
            | (Numbers::Integers, Numbers::Constants) => true,
            (Numbers::Elements(one), Numbers::Elements(other)) => one != other,
        };
        if mixed {
            self.set_apart();
        }
    }

    /// Records that values that should be kept apart meet.
    pub(super) fn set_apart(&self) {
        self.apart.set(true);
    }

    /// Returns whether numbers that should be kept apart met since the last call.
    pub(super) fn take_apart(&self) -> bool {
        self.apart.replace(false)
    }

    fn numbers(&self, term: &Term) -> Numbers {
        match term {
            Term::Constant(constant) if self.integers.contains_key(constant) => Numbers::Constants,
            Term::Constant(_) => Numbers::None,
            Term::Index(index) => self.elements(self.type_of(*index)),
            Term::Read(cell, _) => self.numbers_in(self.sort_of(*cell)),
            Term::Zero => Numbers::Integers,
        }
    }

    /// A sort with elements of a range has no constants that are numbers, since ranges that mix are finite.
    fn numbers_in(&self, sort: &Sort) -> Numbers {
        let elements = sort.index_types.iter().map(|&index_type| self.elements(index_type));
        let constants = sort.constants.iter().any(|constant| self.integers.contains_key(constant));
        let constants = match (constants, sort.numbers) {
            (_, Some(_)) => Numbers::Integers,
            (true, None) => Numbers::Constants,
            (false, None) => Numbers::None,
        };
        elements.chain([constants]).find(|numbers| *numbers != Numbers::None).unwrap_or(Numbers::None)
    }

    fn elements(&self, index_type: IndexTypeId) -> Numbers {
        let numeric = self.numeric.get(index_type.index()).copied().unwrap_or(false);
        if numeric { Numbers::Elements(index_type) } else { Numbers::None }
    }

    /// Returns the named element of one of these types that is written as this number. The element for a variable that
    /// is set once is not a number, although it has a position.
    pub(super) fn element_of_number(&self, number: i64, index_types: &[IndexTypeId]) -> Option<NamedId> {
        let mut elements = (0..).map(NamedId).zip(&self.named);
        let meant = elements.find(|(id, named)| {
            let first = self.index_types[named.index_type.index()].first;
            let is_number = !self.homes.contains(id) && first + i64::from(named.position) == number;
            is_number && index_types.contains(&named.index_type)
        });
        meant.map(|(id, _)| id)
    }

    /// Returns the index types of the values that a term can have.
    pub(super) fn index_types_of(&self, term: &Term) -> Vec<IndexTypeId> {
        match term {
            Term::Constant(_) | Term::Zero => Vec::new(),
            Term::Index(index) => vec![self.type_of(*index)],
            Term::Read(cell, _) => self.sort_of(*cell).index_types.clone(),
        }
    }

    /// Returns whether a value belongs to a sort. A read belongs to it if their sorts have a value in common.
    pub(super) fn may_be_in(&self, term: &Term, sort: &Sort) -> bool {
        match term {
            Term::Constant(constant) => sort.constants.contains(constant),
            Term::Index(index) => sort.index_types.contains(&self.type_of(*index)),
            Term::Read(cell, _) => {
                let own = self.sort_of(*cell);
                own.index_types.iter().any(|t| sort.index_types.contains(t))
                    || own.constants.iter().any(|c| sort.constants.contains(c))
                    || (own.numbers.is_some() && sort.numbers.is_some())
            }
            Term::Zero => sort.numbers.is_some(),
        }
    }
}

/// The number of parts of a formula that can be traversed in the time of one simplification step.
const WEIGHT_OF_A_STEP: u64 = 16;

/// Returns the number of parts of a formula.
fn weight(formula: &Formula) -> u64 {
    match formula {
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) => 1,
        Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => 1 + weight(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().fold(1, |sum, part| sum + weight(part)),
    }
}

/// Converts a table position to an id.
pub(super) fn position(index: usize) -> u32 {
    u32::try_from(index).expect("tables have fewer than 2^32 entries, since the source is shorter")
}
