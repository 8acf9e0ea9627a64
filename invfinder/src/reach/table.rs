//! The states of one instance as bit columns, for the question whether some state satisfies a cube.
//!
//! For each scalar and each value there is a column with a bit for each state in which the scalar may have the value; an
//! undefined scalar may have any. A literal is a column or its complement, a cube at elements is a conjunction of columns.
//! Since the states are representatives of their classes, all injective choices of elements are tried.

use std::collections::BTreeMap;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::machine::{Code, Machine, State};
use crate::approx::Reachable;
use crate::literal::{Conj, Datum, Element, Lit, Read, Side, Space};

type Column = Vec<u64>;

/// The states of one instance.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    machine: &'a Machine<'a>,
    space: &'a Space,
    states: &'a [State],
    /// For each scalar, the values that occur and the states that have them.
    columns: Vec<BTreeMap<Code, Column>>,
    compared: Mutex<FxHashMap<(usize, usize, bool), std::sync::Arc<Column>>>,
    all: Column,
}

impl<'a> Table<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>, space: &'a Space, states: &'a [State]) -> Self {
        let words = states.len().div_ceil(64);
        let mut columns: Vec<BTreeMap<Code, Column>> = vec![BTreeMap::new(); machine.scalars];
        let mut all = vec![0; words];
        for (number, state) in states.iter().enumerate() {
            all[number / 64] |= 1 << (number % 64);
            for (scalar, code) in state.iter().enumerate() {
                let column = columns[scalar].entry(*code).or_insert_with(|| vec![0; words]);
                column[number / 64] |= 1 << (number % 64);
            }
        }
        Self { machine, space, states, columns, compared: Mutex::new(FxHashMap::default()), all }
    }

    fn search(&self, conj: &Conj, chosen: &mut Vec<u8>) -> bool {
        let position = chosen.len();
        if position == conj.symbols.len() {
            return self.satisfied(conj, chosen);
        }
        let index_type = conj.symbols[position];
        for element in 0..self.machine.size(index_type) {
            let taken = (0..position).any(|p| conj.symbols[p] == index_type && chosen[p] == element);
            if taken || self.machine.is_named(index_type, element) {
                continue;
            }
            chosen.push(element);
            let found = self.search(conj, chosen);
            chosen.pop();
            if found {
                return true;
            }
        }
        false
    }

    fn satisfied(&self, conj: &Conj, chosen: &[u8]) -> bool {
        let mut selected = self.all.clone();
        for lit in &conj.lits {
            self.select(*lit, conj, chosen, &mut selected);
            if selected.iter().all(|word| *word == 0) {
                return false;
            }
        }
        true
    }

    fn select(&self, lit: Lit, conj: &Conj, chosen: &[u8], selected: &mut Column) {
        let left = self.scalar(lit.left, chosen);
        match lit.right {
            Side::Value(datum) => {
                let code = self.code(datum, conj, chosen);
                let column = self.columns[left].get(&code);
                let undefined = self.columns[left].get(&0);
                for (position, word) in selected.iter_mut().enumerate() {
                    let may = column.map_or(0, |column| column[position]);
                    let any = undefined.map_or(0, |column| column[position]);
                    *word &= if lit.equal { may | any } else { !may | any };
                }
            }
            Side::Read(read) => {
                let column = self.compare(left, self.scalar(read, chosen), lit.equal);
                for (word, other) in selected.iter_mut().zip(column.iter()) {
                    *word &= other;
                }
            }
        }
    }

    fn compare(&self, left: usize, right: usize, equal: bool) -> std::sync::Arc<Column> {
        let key = (left, right, equal);
        let mut compared = self.compared.lock().expect("no thread panics while it holds the lock");
        let column = compared.entry(key).or_insert_with(|| {
            let mut column = vec![0; self.all.len()];
            for (number, state) in self.states.iter().enumerate() {
                let (a, b) = (state[left], state[right]);
                if a == 0 || b == 0 || (a == b) == equal {
                    column[number / 64] |= 1 << (number % 64);
                }
            }
            std::sync::Arc::new(column)
        });
        std::sync::Arc::clone(column)
    }

    fn number(&self, element: Element, chosen: &[u8]) -> u8 {
        let first = self.space.first_symbol();
        if element < first {
            self.machine.named(protocol::system::NamedId(u32::from(element))).1
        } else {
            chosen[usize::from(element - first)]
        }
    }

    fn scalar(&self, read: Read, chosen: &[u8]) -> usize {
        self.machine.scalar(read.variable(), read.arguments().map(|element| self.number(element, chosen)))
    }

    fn code(&self, datum: Datum, conj: &Conj, chosen: &[u8]) -> Code {
        match (datum.as_element(), datum.as_constant()) {
            (Some(element), _) => {
                let first = self.space.first_symbol();
                let ty = if element < first {
                    self.space.named[usize::from(element)]
                } else {
                    conj.symbols[usize::from(element - first)]
                };
                self.machine.element(ty, self.number(element, chosen))
            }
            (None, constant) => self.machine.constant(constant.expect("a datum is an element or a constant")),
        }
    }

    /// Whether the instance has enough elements for the conjunction.
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
        !self.covers(conj) || self.search(conj, &mut Vec::with_capacity(conj.symbols.len()))
    }
}
