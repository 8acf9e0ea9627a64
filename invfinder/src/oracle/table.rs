//! The states of one instance as bit columns, to answer whether some state satisfies a cube.
//!
//! For each scalar and each value there is a column with a bit for each state in which the scalar may have the value;
//! an undefined scalar may have any. A literal is a column or its complement, and a cube at elements is a conjunction
//! of columns. Since the states represent their classes, all injective choices of elements are tried. Columns are
//! created on first use.

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use system::{IndexTypeId, RuleId};

use super::Random;
use super::finite::{Code, FiniteSystem, OracleState};
use crate::approx::Reachable;
use crate::literal::{Comparison, Conj, Datum, Element, Lit, Read, Side, Space};

/// The property of a state that a column records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Fact {
    /// The scalar may have the value, or may have a different one.
    Value(usize, Code, Comparison),
    /// The scalars may be equal, or may differ.
    Scalars(usize, usize, Comparison),
    /// The bound may hold of the codes of two numbers, or of that of one number and 0.
    Bound(usize, Option<usize>, Comparison),
}

impl Fact {
    fn may_hold(self, state: &[Code]) -> bool {
        match self {
            Self::Value(scalar, code, comparison) => state[scalar] == 0 || comparison.holds(state[scalar] == code),
            Self::Scalars(left, right, comparison) => {
                let (left, right) = (state[left], state[right]);
                left == 0 || right == 0 || comparison.holds(left == right)
            }
            Self::Bound(left, right, comparison) => {
                let (left, right) = (state[left], right.map(|right| state[right]));
                let difference = i64::from(left) - right.map_or(0, i64::from);
                left == 0 || right == Some(0) || comparison.holds_of_numbers(difference)
            }
        }
    }
}

/// One bit for each of the first states.
#[derive(Clone, Debug, Default)]
struct Column {
    words: Vec<u64>,
    states: usize,
}

/// The number of states tried as the start of a path, and the number of steps taken from the end of one.
const STARTS: usize = 64;
const STEPS_BEHIND: usize = 200;

type States = IndexSet<OracleState, FxBuildHasher>;

/// Receives the types, the elements and the literals of an instance of a universal part.
type EachOther<'c> = dyn FnMut(&[IndexTypeId], &[u8], &[Lit]) -> bool + 'c;

/// The states of one instance.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    machine: &'a FiniteSystem<'a>,
    space: &'a Space,
    states: RefCell<States>,
    columns: RefCell<FxHashMap<Fact, Rc<Column>>>,
    /// Results for the conjunctions looked up so far: whether a state satisfies them, and the number of states at that
    /// time.
    answers: RefCell<FxHashMap<Conj, (bool, usize)>>,
    random: RefCell<Random>,
    /// The maximum number of states kept.
    most: usize,
}

impl<'a> Table<'a> {
    /// Creates a table of the given states, which learns further states until it has `most` of them.
    pub(crate) fn new(machine: &'a FiniteSystem<'a>, space: &'a Space, states: States, most: usize) -> Self {
        Self {
            machine,
            space,
            states: RefCell::new(states),
            columns: RefCell::default(),
            answers: RefCell::default(),
            random: RefCell::new(Random::new()),
            most,
        }
    }

    /// Returns the number of states.
    pub(crate) fn len(&self) -> usize {
        self.states.borrow().len()
    }

    /// Calls `call` with each injective choice of elements for the symbols until it returns true. Returns whether it
    /// did.
    fn choices(&self, conj: &Conj, chosen: &mut Vec<u8>, call: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        let position = chosen.len();
        if position == conj.symbols.len() {
            return call(chosen);
        }
        let index_type = conj.symbols[position];
        for element in 0..self.machine.size(index_type) {
            let taken = (0..position).any(|p| conj.symbols[p] == index_type && chosen[p] == element);
            if taken || self.machine.is_named(index_type, element) {
                continue;
            }
            chosen.push(element);
            let found = self.choices(conj, chosen, call);
            chosen.pop();
            if found {
                return true;
            }
        }
        false
    }

    /// Returns whether a state from the given one on satisfies the conjunction.
    fn search(&self, conj: &Conj, from: usize) -> bool {
        self.choices(conj, &mut Vec::new(), &mut |chosen| {
            let columns = self.columns_of(conj, chosen);
            let words = from / 64..self.len().div_ceil(64);
            words.into_iter().any(|word| columns.meet(word) != 0)
        })
    }

    fn columns_of(&self, conj: &Conj, chosen: &[u8]) -> Columns {
        let all = conj.lits.iter().map(|lit| self.column(self.fact(*lit, &conj.symbols, chosen))).collect();
        let mut any: Vec<Vec<Rc<Column>>> = Vec::new();
        self.each_other(conj, chosen, &mut |types, elements, lits| {
            any.push(lits.iter().map(|lit| self.column(self.fact(*lit, types, elements))).collect());
            true
        });
        Columns { all, any }
    }

    /// Calls `call` with the types, the elements and the literals of each instance of a universal part at the elements that
    /// are not chosen, as long as it returns true. Returns whether it always did.
    fn each_other(&self, conj: &Conj, chosen: &[u8], call: &mut EachOther<'_>) -> bool {
        conj.universals.iter().all(|part| {
            let symbols = [conj.symbols.as_slice(), &part.symbols].concat();
            let known = (self.space.first_symbol()..).zip(conj.symbols.iter().zip(chosen));
            let excepted = known.filter(|(symbol, _)| !part.within.contains(*symbol)).map(|(_, own)| own);
            let (types, mut excepted): (Vec<IndexTypeId>, Vec<u8>) = excepted.unzip();
            let others =
                Conj { symbols: [types, part.symbols.clone()].concat(), lits: Vec::new(), universals: Vec::new() };
            let count = excepted.len();
            !self.choices(&others, &mut excepted, &mut |elements| {
                !call(&symbols, &[chosen, &elements[count..]].concat(), &part.lits)
            })
        })
    }

    /// Returns a column for each literal over symbols of these types, with a bit for each different set of literals that some state and
    /// some choice of elements satisfies. The last bits of a column may be for none.
    pub(crate) fn valuations(&self, symbols: &[IndexTypeId], lits: &[Lit]) -> Vec<Vec<u64>> {
        let mut sets: IndexSet<Vec<u64>, FxBuildHasher> = IndexSet::default();
        let all = Conj { symbols: symbols.to_vec(), lits: lits.to_vec(), universals: Vec::new() };
        self.choices(&all, &mut Vec::new(), &mut |chosen| {
            let columns = self.columns_of(&all, chosen).all;
            let holds = |column: &Rc<Column>, state: usize| column.words[state / 64] >> (state % 64) & 1;
            sets.extend((0..self.len()).map(|state| in_words(columns.iter().map(|column| holds(column, state)))));
            false
        });
        (0..lits.len()).map(|lit| in_words(sets.iter().map(|set| set[lit / 64] >> (lit % 64) & 1))).collect()
    }

    /// Returns the column of a fact, with a bit for each current state.
    fn column(&self, fact: Fact) -> Rc<Column> {
        let states = self.states.borrow();
        let mut columns = self.columns.borrow_mut();
        let column = columns.entry(fact).or_default();
        if column.states < states.len() {
            let column = Rc::make_mut(column);
            column.words.resize(states.len().div_ceil(64), 0);
            for (number, state) in states.iter().enumerate().skip(column.states) {
                column.words[number / 64] |= u64::from(fact.may_hold(state)) << (number % 64);
            }
            column.states = states.len();
        }
        Rc::clone(column)
    }

    /// Returns some states that satisfy the conjunction.
    fn examples(&self, conj: &Conj) -> Vec<usize> {
        let mut found = Vec::new();
        self.choices(conj, &mut Vec::new(), &mut |chosen| {
            let columns = self.columns_of(conj, chosen);
            for word in 0..self.len().div_ceil(64) {
                let mut bits = columns.meet(word);
                while bits != 0 && found.len() < STARTS {
                    let number = word * 64 + bits.trailing_zeros() as usize;
                    found.extend((number < self.len()).then_some(number));
                    bits &= bits - 1;
                }
            }
            found.len() >= STARTS
        });
        found
    }

    /// Returns whether the state satisfies the conjunction.
    fn satisfies(&self, conj: &Conj, state: &[Code]) -> bool {
        self.choices(conj, &mut Vec::new(), &mut |chosen| {
            let may_hold =
                |lit: &Lit, types: &[IndexTypeId], elements: &[u8]| self.fact(*lit, types, elements).may_hold(state);
            conj.lits.iter().all(|lit| may_hold(lit, &conj.symbols, chosen))
                && self.each_other(conj, chosen, &mut |types, elements, lits| {
                    lits.iter().any(|lit| may_hold(lit, types, elements))
                })
        })
    }

    /// Returns whether the rules lead from the state through the conjunctions, and collects the states on the way.
    fn follow(&self, state: &[Code], path: &[(RuleId, &Conj)], way: &mut Vec<OracleState>) -> bool {
        let Some(((rule, after), rest)) = path.split_first() else { return true };
        let mut next: OracleState = state.into();
        for instance in self.machine.instances_of(*rule) {
            if self.machine.step(instance, state, &mut next) && self.satisfies(after, &next) {
                way.push(next.clone());
                if self.follow(&next, rest, way) {
                    return true;
                }
                way.pop();
            }
        }
        false
    }

    /// Adds states, and the states of a random walk from the last of them.
    fn learn(&self, way: &[OracleState]) {
        let mut states = self.states.borrow_mut();
        let room = self.most.saturating_sub(states.len());
        states.extend(way.iter().take(room).map(|state| self.machine.canonical(state)));
        let Some(mut current) = way.last().cloned() else { return };
        let mut random = self.random.borrow_mut();
        let mut next = current.clone();
        for _ in 0..STEPS_BEHIND {
            if states.len() >= self.most || !self.machine.random_step(&current, &mut random, &mut next) {
                break;
            }
            states.insert(self.machine.canonical(&next));
            std::mem::swap(&mut current, &mut next);
        }
    }

    fn fact(&self, lit: Lit, types: &[IndexTypeId], chosen: &[u8]) -> Fact {
        let left = self.scalar(lit.left, chosen);
        match lit.right {
            Side::Zero => Fact::Bound(left, None, lit.comparison.shifted(self.machine.zero())),
            Side::Read(read) if lit.comparison.is_bound() => {
                Fact::Bound(left, Some(self.scalar(read, chosen)), lit.comparison)
            }
            Side::Value(datum) => Fact::Value(left, self.code(datum, types, chosen), lit.comparison),
            Side::Read(read) => Fact::Scalars(left, self.scalar(read, chosen), lit.comparison),
        }
    }

    fn number(&self, element: Element, chosen: &[u8]) -> u8 {
        let first = self.space.first_symbol();
        if element < first {
            self.machine.named(system::NamedId(u32::from(element))).1
        } else {
            chosen[usize::from(element - first)]
        }
    }

    fn scalar(&self, read: Read, chosen: &[u8]) -> usize {
        self.machine.scalar(read.variable(), read.arguments().map(|element| self.number(element, chosen)))
    }

    fn code(&self, datum: Datum, types: &[IndexTypeId], chosen: &[u8]) -> Code {
        match (datum.as_element(), datum.as_constant()) {
            (Some(element), _) => {
                let first = self.space.first_symbol();
                let ty = if element < first {
                    self.space.named[usize::from(element)]
                } else {
                    types[usize::from(element - first)]
                };
                self.machine.element(ty, self.number(element, chosen))
            }
            (None, constant) => self.machine.constant(constant.expect("a datum is an element or a constant")),
        }
    }

    /// Returns whether the instance has enough elements for the conjunction.
    fn covers(&self, conj: &Conj) -> bool {
        conj.symbols.iter().all(|ty| {
            let wanted = conj.symbols.iter().filter(|other| *other == ty).count();
            let named = self.space.named.iter().filter(|other| *other == ty).count();
            wanted + named <= usize::from(self.machine.size(*ty))
        })
    }
}

impl Reachable for Table<'_> {
    fn admits(&self, conj: &Conj) -> bool {
        !self.covers(conj) || self.reaches(conj)
    }

    fn reaches(&self, conj: &Conj) -> bool {
        if !self.covers(conj) {
            return false;
        }
        let known = self.answers.borrow().get(conj).copied();
        let from = match known {
            Some((true, _)) => return true,
            Some((false, states)) if states == self.len() => return false,
            Some((false, states)) => states,
            None => 0,
        };
        let answer = self.search(conj, from);
        self.answers.borrow_mut().insert(conj.clone(), (answer, self.len()));
        answer
    }

    fn leads(&self, from: &Conj, path: &[(RuleId, &Conj)]) -> bool {
        if !self.reaches(from) || path.iter().any(|(_, conj)| !self.covers(conj)) {
            return false;
        }
        let mut way = Vec::new();
        let found = self.examples(from).into_iter().any(|number| {
            let state = self.states.borrow()[number].clone();
            self.follow(&state, path, &mut way)
        });
        self.learn(&way);
        found
    }
}

/// Returns bits in words, the first one lowest.
fn in_words(bits: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut words = Vec::new();
    for (position, bit) in bits.enumerate() {
        if position % 64 == 0 {
            words.push(0);
        }
        words[position / 64] |= bit << (position % 64);
    }
    words
}

/// The columns of a conjunction at elements.
struct Columns {
    /// Those of its literals.
    all: Vec<Rc<Column>>,
    /// For each instance of a universal part, those of its literals.
    any: Vec<Vec<Rc<Column>>>,
}

impl Columns {
    /// Returns the states of one word that satisfy the conjunction.
    fn meet(&self, word: usize) -> u64 {
        let all = self.all.iter().fold(u64::MAX, |bits, column| bits & column.words[word]);
        self.any.iter().fold(all, |bits, any| bits & any.iter().fold(0, |bits, column| bits | column.words[word]))
    }
}
