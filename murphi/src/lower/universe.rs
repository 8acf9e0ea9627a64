//! The tables that lowering fills: types, constants, state cells and the scope of the rule at hand.
//!
//! In: what the other passes register. Out: ids, and questions about sorts. A *cell* is what a statement can read or
//! write: a state variable of the system, a local variable, or a place-holder for a cell's value at the entry of a
//! loop. All are numbered by [`VariableId`]; the state variables come first, so that a finished formula, which speaks
//! of state variables only, needs no renumbering.

use std::cell::Cell as Counter;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::classes::Blocker;
use crate::program::Span;
use system::{
    Constant, ConstantId, FALSE, Formula, IndexTerm, IndexType, IndexTypeId, IndexVariable, IndexVariableId,
    NamedElement, NamedId, Role, Sort, SortId, TRUE, Term, VariableId,
};

/// A place for scalars, one for each tuple of index arguments.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) sort: SortId,
    pub(super) arguments: Vec<IndexTypeId>,
    /// Whether it may be undefined where it is read, as a place-holder may: then it may be equal to [`UNSET`].
    pub(super) unset: bool,
}

/// What stands for an undefined value in equations with place-holders of loops. It is in no table: behind the loop, where
/// it is known what the place-holder stands for, no formula has it.
pub(super) const UNSET: ConstantId = ConstantId(u32::MAX);

/// All tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Universe {
    pub(super) index_types: Vec<IndexType>,
    /// Whether the elements of an index type are numbers, as those of a range are.
    pub(super) numeric: Vec<bool>,
    pub(super) named: Vec<NamedElement>,
    pub(super) constants: Vec<Constant>,
    /// The integer that a constant stands for, where it is one.
    pub(super) integers: BTreeMap<ConstantId, i64>,
    by_name: BTreeMap<String, ConstantId>,
    pub(super) sorts: Vec<Sort>,
    pub(super) cells: Vec<Cell>,
    /// The constant for the undefined value, where `isundefined` asks for it.
    pub(super) undefined: Option<ConstantId>,
    /// How many of the cells are state variables.
    pub(super) state_variables: usize,
    /// The index variables of the rule, startstate or property at hand.
    pub(super) scope: Vec<IndexVariable>,
    /// Index types that have an element in every state, because a state variable without arguments has such a value
    /// or because an element is named.
    pub(super) inhabited: Vec<bool>,
    /// The named elements that a variable stands for which is set once: whatever element it is set to.
    pub(super) homes: BTreeSet<NamedId>,
    /// Index types over which a loop runs that has no meaning without an order of the elements, with the first such loop.
    pub(super) ordered: BTreeMap<IndexTypeId, (Blocker, Span)>,
    /// How many steps of simplification are left for the rule, startstate or property at hand.
    allowance: Counter<u64>,
    /// Takes all steps when it is set.
    pub(super) stop: Option<Arc<AtomicBool>>,
    /// Whether numbers met that are kept apart, see [`Universe::meet`].
    apart: Counter<bool>,
}

/// The numbers that a term can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// None: truth values, members of enumerations, elements of scalarsets.
    None,
    /// Constants.
    Constants,
    /// Elements of an index type that is a range.
    Elements(IndexTypeId),
}

impl Universe {
    /// Allows so many steps from here on.
    pub(super) fn allow(&self, steps: u64) {
        self.allowance.set(steps);
    }

    /// The steps that are left.
    pub(super) fn allowance(&self) -> u64 {
        self.allowance.get()
    }

    /// Takes steps; whether there were so many. From then on nothing is simplified any more, and whoever knows the place
    /// has to refuse it: see [`Universe::is_exhausted`].
    pub(super) fn spend(&self, steps: u64) -> bool {
        let left = self.allowance.get().checked_sub(steps).filter(|_| !self.is_stopped());
        self.allowance.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Takes the steps that it costs to walk through a formula, as [`Universe::spend`].
    pub(super) fn spend_on(&self, formula: &Formula) -> bool {
        self.spend(weight(formula) / WEIGHT_OF_A_STEP)
    }

    /// Whether the caller does not wait for the result any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether all steps are taken, so that what comes out is not what it should be.
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

    /// The constant of that name, entered where it is new.
    pub(super) fn constant(&mut self, name: &str) -> ConstantId {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let id = ConstantId(position(self.constants.len()));
        self.constants.push(Constant { name: name.into(), scalarset: None });
        self.by_name.insert(name.into(), id);
        id
    }

    /// The constant that stands for an element of a scalarset that is no index type.
    pub(super) fn scalarset_element(&mut self, scalarset: &str, name: &str) -> ConstantId {
        let id = self.constant(name);
        self.constants[id.index()].scalarset = Some(scalarset.to_owned());
        id
    }

    /// The constant that stands for an integer.
    pub(super) fn integer(&mut self, value: i64) -> ConstantId {
        let id = self.constant(&value.to_string());
        self.integers.insert(id, value);
        id
    }

    /// A sort with these values, entered where it is new.
    pub(super) fn sort(&mut self, name: &str, mut index_types: Vec<IndexTypeId>, constants: Vec<ConstantId>) -> SortId {
        index_types.sort_unstable();
        index_types.dedup();
        let same = |sort: &Sort| sort.index_types == index_types && sort.constants == constants;
        if let Some(known) = self.sorts.iter().position(same) {
            return SortId(position(known));
        }
        let id = SortId(position(self.sorts.len()));
        self.sorts.push(Sort { name: name.into(), index_types, constants });
        id
    }

    pub(super) fn cell(&mut self, sort: SortId, arguments: Vec<IndexTypeId>) -> VariableId {
        let id = VariableId(position(self.cells.len()));
        self.cells.push(Cell { sort, arguments, unset: false });
        id
    }

    pub(super) fn sort_of(&self, cell: VariableId) -> &Sort {
        &self.sorts[self.cells[cell.index()].sort.index()]
    }

    /// A new index variable in the scope at hand.
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

    /// Whether the type has an element in every state.
    pub(super) fn is_inhabited(&self, index_type: IndexTypeId) -> bool {
        self.inhabited.get(index_type.index()).copied().unwrap_or(false)
    }

    /// The term, where an integer is meant as a named element of one of these types: that element.
    pub(super) fn as_element(&self, term: &Term, index_types: &[IndexTypeId]) -> Term {
        let integer = match term {
            Term::Constant(constant) => self.integers.get(constant),
            Term::Index(_) | Term::Read(..) => None,
        };
        let Some(&integer) = integer else { return term.clone() };
        match self.element_of_number(integer, index_types) {
            Some(element) => Term::Index(IndexTerm::Named(element)),
            None => term.clone(),
        }
    }

    /// Notes that two terms are compared, or one assigned to the other, that share no value. Where both can be numbers, and the
    /// numbers of one are elements of an index type, that is a fault of the inference of types: in an instance they may well be
    /// the same number.
    pub(super) fn meet(&self, left: &Term, right: &Term) {
        self.meet_numbers(self.numbers(left), self.numbers(right));
    }

    /// As [`Universe::meet`], for what can be in a sort.
    pub(super) fn meet_sort(&self, term: &Term, sort: &Sort) {
        self.meet_numbers(self.numbers(term), self.numbers_in(sort));
    }

    fn meet_numbers(&self, left: Numbers, right: Numbers) {
        let mixed = match (left, right) {
            (Numbers::None, _) | (_, Numbers::None) | (Numbers::Constants, Numbers::Constants) => false,
            (Numbers::Constants, Numbers::Elements(_)) | (Numbers::Elements(_), Numbers::Constants) => true,
            (Numbers::Elements(one), Numbers::Elements(other)) => one != other,
        };
        if mixed {
            self.set_apart();
        }
    }

    /// Notes that values that are kept apart meet.
    pub(super) fn set_apart(&self) {
        self.apart.set(true);
    }

    /// Whether numbers met that are kept apart since this was asked last.
    pub(super) fn take_apart(&self) -> bool {
        self.apart.replace(false)
    }

    fn numbers(&self, term: &Term) -> Numbers {
        match term {
            Term::Constant(constant) if self.integers.contains_key(constant) => Numbers::Constants,
            Term::Constant(_) => Numbers::None,
            Term::Index(index) => self.elements(self.type_of(*index)),
            Term::Read(cell, _) => self.numbers_in(self.sort_of(*cell)),
        }
    }

    /// A sort with elements of a range has no constants that are numbers, since ranges that mix are finite.
    fn numbers_in(&self, sort: &Sort) -> Numbers {
        let elements = sort.index_types.iter().map(|&index_type| self.elements(index_type));
        let constants = sort.constants.iter().any(|constant| self.integers.contains_key(constant));
        let constants = if constants { Numbers::Constants } else { Numbers::None };
        elements.chain([constants]).find(|numbers| *numbers != Numbers::None).unwrap_or(Numbers::None)
    }

    fn elements(&self, index_type: IndexTypeId) -> Numbers {
        let numeric = self.numeric.get(index_type.index()).copied().unwrap_or(false);
        if numeric { Numbers::Elements(index_type) } else { Numbers::None }
    }

    /// The named element of one of these types that is written as this number. What a variable that is set once stands for
    /// is no number, although it has a position.
    pub(super) fn element_of_number(&self, number: i64, index_types: &[IndexTypeId]) -> Option<NamedId> {
        let mut elements = (0..).map(NamedId).zip(&self.named);
        let meant = elements.find(|(id, named)| {
            let first = self.index_types[named.index_type.index()].first;
            let is_number = !self.homes.contains(id) && first + i64::from(named.position) == number;
            is_number && index_types.contains(&named.index_type)
        });
        meant.map(|(id, _)| id)
    }

    /// The index types of what a term can be.
    pub(super) fn index_types_of(&self, term: &Term) -> Vec<IndexTypeId> {
        match term {
            Term::Constant(_) => Vec::new(),
            Term::Index(index) => vec![self.type_of(*index)],
            Term::Read(cell, _) => self.sort_of(*cell).index_types.clone(),
        }
    }

    /// Whether a value belongs to a sort. A read belongs where its sorts have a value in common.
    pub(super) fn may_be_in(&self, term: &Term, sort: &Sort) -> bool {
        match term {
            Term::Constant(constant) => sort.constants.contains(constant),
            Term::Index(index) => sort.index_types.contains(&self.type_of(*index)),
            Term::Read(cell, _) => {
                let own = self.sort_of(*cell);
                own.index_types.iter().any(|t| sort.index_types.contains(t))
                    || own.constants.iter().any(|c| sort.constants.contains(c))
            }
        }
    }
}

/// So many parts of a formula are walked through in the time of a step of simplification.
const WEIGHT_OF_A_STEP: u64 = 16;

/// How many parts a formula has.
fn weight(formula: &Formula) -> u64 {
    match formula {
        Formula::True | Formula::False | Formula::Equal(..) => 1,
        Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => 1 + weight(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().fold(1, |sum, part| sum + weight(part)),
    }
}

/// A table position as an id.
pub(super) fn position(index: usize) -> u32 {
    u32::try_from(index).expect("tables have fewer than 2^32 entries, since the source is shorter")
}
