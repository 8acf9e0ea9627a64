//! Indexed predicates: a second way to guess invariants.
//!
//! Backward search guesses an invariant for each pre-image that it meets, and can guess wrong forever. This module takes all
//! statements of one form at once (Lahiri and Bryant, "Predicate abstraction with indexed predicates", ACM Transactions on
//! Computational Logic 9(1), 2007). An *indexed predicate* is a literal over index variables; the invariant sought is the strongest
//! Boolean combination of such predicates for all values of the index variables. The predicates are those of the properties and
//! those in weakest preconditions of predicates (section 5 there). A combination that no known state satisfies is a candidate: its
//! negation may be an invariant. The inductive ones among them are found as for other candidates; see [`crate::certify`].

use std::collections::VecDeque;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use system::{IndexTypeId, System};

use crate::certify::normal;
use crate::closure::Closure;
use crate::literal::{Comparison, Conj, Lit, Renaming, Space};
use crate::oracle::Table;
use crate::pre::{Guards, pre_images};
use crate::universal::substitutions;

/// The largest number of predicates, where those that differ in their index variables count once.
const MOST_PREDICATES: usize = 250;

/// The largest number added in a bound: pre-images of a bound have ever larger ones.
const LARGEST_SUM: i32 = 1;

/// The number of index variables of a type, if no property is about more.
const INDEX_VARIABLES: usize = 2;
const MOST_INDEX_VARIABLES: usize = 3;

/// The largest number of predicates in a combination.
const LONGEST: usize = 6;

/// The largest number of candidates. Combinations of a length at which there are more are left out.
const MOST_CANDIDATES: usize = 6_000;

/// The largest number of combinations that are looked at, and of words of their columns.
const MOST_COMBINATIONS: usize = 8_000_000;
const MOST_WORDS: usize = 4_000_000_000;

type Conjs = IndexSet<Conj, FxBuildHasher>;

/// Returns the combinations of predicates that no known state satisfies, but each part of them. Short ones come first, and those of a
/// length at which there are too many are left out. `proceed` is called now and then; once it returns false, no more combinations
/// are looked for.
pub(crate) fn candidates(
    system: &System,
    space: &Space,
    table: &Table<'_>,
    proceed: &mut dyn FnMut() -> bool,
) -> Vec<Conj> {
    let types = index_variables(system, space);
    let lits = instances(&predicates(system, space), &types, space);
    let mut combinations = Combinations::new(space, &types, &lits, table);
    let conj = |positions: &Vec<usize>| {
        let mut lits: Vec<Lit> = positions.iter().map(|&position| lits[position]).collect();
        lits.sort_unstable();
        normal(&Conj { symbols: types.clone(), lits, universals: Vec::new() }.compact(space), space)
    };
    let mut found = Conjs::default();
    for length in 1..=LONGEST {
        let Some(next) = combinations.of_length(length, proceed) else { break };
        let next: Conjs = next.iter().map(conj).collect();
        if found.len() + next.len() > MOST_CANDIDATES {
            break;
        }
        found.extend(next);
    }
    found.into_iter().collect()
}

/// Returns the literals of the properties and of pre-images of predicates, and their negations, each as a conjunction of one.
fn predicates(system: &System, space: &Space) -> Conjs {
    let mut found = Conjs::default();
    let mut open: VecDeque<Conj> = VecDeque::new();
    let mut add = |conj: &Conj, open: &mut VecDeque<Conj>| {
        for lit in conj.lits.iter().flat_map(|lit| [*lit, space.negate(*lit)]) {
            let predicate =
                Conj { symbols: conj.symbols.clone(), lits: vec![lit], universals: Vec::new() }.compact(space);
            let is_small = match lit.comparison {
                Comparison::Different | Comparison::Equal => true,
                Comparison::AtMost(sum) | Comparison::AtLeast(sum) => sum.abs() <= LARGEST_SUM,
            };
            if is_small
                && !space.is_about_choice(lit)
                && found.len() < MOST_PREDICATES
                && found.insert(predicate.clone())
            {
                open.push_back(predicate);
            }
        }
    };
    for cube in system.properties.iter().flat_map(|property| &property.bad) {
        add(&Conj::from_cube(cube, space), &mut open);
    }
    while let Some(predicate) = open.pop_front() {
        for rule in &system.rules {
            // What has too many cases gives no predicates.
            for before in pre_images(rule, &predicate, space, Guards::Dropped).unwrap_or_default() {
                add(&before, &mut open);
            }
        }
    }
    found
}

/// Returns the types of the index variables.
fn index_variables(system: &System, space: &Space) -> Vec<IndexTypeId> {
    let stated = system.properties.iter().flat_map(|property| &property.bad);
    let stated: Vec<Conj> = stated.map(|cube| Conj::from_cube(cube, space)).collect();
    let types = (0..).map(IndexTypeId).take(system.index_types.len());
    types
        .flat_map(|index_type| {
            let count = |conj: &Conj| conj.symbols.iter().filter(|own| **own == index_type).count();
            let most = stated.iter().map(count).max().unwrap_or(0);
            std::iter::repeat_n(index_type, most.clamp(INDEX_VARIABLES, MOST_INDEX_VARIABLES))
        })
        .collect()
}

/// Returns the literals of predicates for all choices of index variables.
fn instances(predicates: &Conjs, types: &[IndexTypeId], space: &Space) -> Vec<Lit> {
    let first = space.named.len();
    let elements = [space.named.as_slice(), types].concat();
    let mut found: IndexSet<Lit, FxBuildHasher> = IndexSet::default();
    for predicate in predicates {
        for chosen in substitutions(&predicate.symbols, &elements, first) {
            found.extend(predicate.lits.iter().map(|lit| lit.rename(&Renaming::onto(first, &chosen))));
        }
    }
    found.into_iter().collect()
}

/// Combinations of literals, and which of them known states satisfy.
struct Combinations {
    /// For each literal, the states and choices of elements for which it holds.
    columns: Vec<Vec<u64>>,
    /// For each two literals, whether one of them says what the other one is.
    decided: Vec<Vec<bool>>,
    /// How many combinations may still be looked at.
    left: usize,
}

impl Combinations {
    fn new(space: &Space, types: &[IndexTypeId], lits: &[Lit], table: &Table<'_>) -> Self {
        let columns = table.valuations(types, lits);
        let elements: Vec<IndexTypeId> = space.named.iter().chain(types).copied().collect();
        let fact = |lit: &Lit| Closure::of(space, elements.clone(), std::slice::from_ref(lit));
        let facts: Vec<Closure<'_>> = lits.iter().map(fact).collect();
        let decides = |facts: &Closure<'_>, lit: Lit| facts.entails(lit) || facts.refutes(lit);
        let pairs = |a: usize| (0..lits.len()).map(move |b| (a, b));
        let either = |(a, b): (usize, usize)| decides(&facts[a], lits[b]) || decides(&facts[b], lits[a]);
        let decided = (0..lits.len()).map(|a| pairs(a).map(either).collect()).collect();
        let words = columns.first().map_or(1, Vec::len).max(1);
        Self { columns, decided, left: (MOST_WORDS / words).min(MOST_COMBINATIONS) }
    }

    /// Returns the combinations of a length that no known state satisfies, but each part of them, or `None` if there are too many to
    /// look at.
    fn of_length(&mut self, length: usize, proceed: &mut dyn FnMut() -> bool) -> Option<Vec<Vec<usize>>> {
        let mut found = Vec::new();
        let all = vec![u64::MAX; self.columns.first().map_or(0, Vec::len)];
        self.extend(&mut Vec::new(), &all, length, &mut found, proceed).then_some(found)
    }

    /// Extends a combination that holds for the states in `meet`. Returns false if there are too many to look at.
    fn extend(
        &mut self,
        chosen: &mut Vec<usize>,
        meet: &[u64],
        length: usize,
        found: &mut Vec<Vec<usize>>,
        proceed: &mut dyn FnMut() -> bool,
    ) -> bool {
        for next in chosen.last().map_or(0, |last| last + 1)..self.columns.len() {
            if chosen.iter().any(|&own| self.decided[own][next]) {
                continue;
            }
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || (chosen.len() < 2 && !proceed()) {
                return false;
            }
            let both = || meet.iter().zip(&self.columns[next]).map(|(a, b)| a & b);
            let holds = both().any(|word| word != 0);
            chosen.push(next);
            if chosen.len() == length {
                if !holds && self.holds_without_any(chosen) {
                    found.push(chosen.clone());
                }
            } else if holds {
                let both: Vec<u64> = both().collect();
                if !self.extend(chosen, &both, length, found, proceed) {
                    return false;
                }
            }
            chosen.pop();
        }
        true
    }

    /// Returns whether some known state satisfies the combination without its first literal, and so for each of the others.
    fn holds_without_any(&self, chosen: &[usize]) -> bool {
        let holds_without = |without: &usize| {
            let others = || chosen.iter().filter(|own| *own != without).map(|&own| &self.columns[own]);
            let words = 0..self.columns[chosen[0]].len();
            words.into_iter().any(|word| others().fold(u64::MAX, |bits, column| bits & column[word]) != 0)
        };
        chosen.iter().all(holds_without)
    }
}
