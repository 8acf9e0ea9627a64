//! Subsumption: whether a cube is included in one that was visited.
//!
//! This is the fixpoint check of backward reachability (Ghilardi and Ranise 2010, section 4.1): it looks for a visited
//! conjunction that is more general up to an injective renaming of its symbols. An index on the shapes of literals
//! (literals in which all symbols look alike) rules out most candidates.

use rustc_hash::FxHashMap;

use crate::closure::{Closure, Consistency};
use crate::literal::{ANY_SYMBOL, Conj, Element, Lit, Read, Renaming, Side, Space, Universal};
use crate::universal;

/// A conjunction prepared for use as the more general one.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    conj: Conj,
    /// For each number of bound symbols, the literals that become ground when the last of these is bound.
    ground: Vec<Vec<Lit>>,
}

impl Pattern {
    pub(crate) fn new(conj: &Conj, space: &Space) -> Self {
        let first = space.first_symbol();
        let mut ground = vec![Vec::new(); conj.symbols.len() + 1];
        for lit in &conj.lits {
            let bound = lit.elements().filter(|&e| e >= first).map(|e| usize::from(e - first) + 1).max();
            ground[bound.unwrap_or(0)].push(*lit);
        }
        Self { conj: conj.clone(), ground }
    }

    /// Returns an injective map from the pattern's symbols to elements under which the facts entail every literal, and
    /// the facts together with `others` every universal part. The own symbols of `others` follow the elements.
    pub(crate) fn embeds(&self, facts: &Closure<'_>, others: &[Universal], space: &Space) -> Option<Vec<Element>> {
        if facts.consistency() == Consistency::Contradiction {
            return None;
        }
        let mut map = Renaming::identity();
        let mut chosen = Vec::with_capacity(self.conj.symbols.len());
        self.bind(facts, others, space, &mut map, &mut chosen).then_some(chosen)
    }

    fn bind(
        &self,
        facts: &Closure<'_>,
        others: &[Universal],
        space: &Space,
        map: &mut Renaming,
        chosen: &mut Vec<Element>,
    ) -> bool {
        let depth = chosen.len();
        if !self.ground[depth].iter().all(|lit| facts.entails(lit.rename(map))) {
            return false;
        }
        if depth == self.conj.symbols.len() {
            let first_own = self.conj.first_own(space);
            let holds = |universal| universal::follows(universal, map, first_own, chosen, facts, others, space);
            return self.conj.universals.iter().all(holds);
        }
        let first = space.first_symbol();
        let elements = Element::try_from(facts.types().len()).unwrap_or(Element::MAX);
        for element in first..elements {
            if facts.types()[usize::from(element)] == self.conj.symbols[depth] && !chosen.contains(&element) {
                map.0[usize::from(first) + depth] = element;
                chosen.push(element);
                if self.bind(facts, others, space, map, chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }
}

/// Returns whether the first conjunction is at least as general as the second.
pub(crate) fn subsumes(general: &Conj, special: &Conj, space: &Space) -> bool {
    let facts = Closure::of(space, special.types(space), &special.lits);
    Pattern::new(general, space).embeds(&facts, &special.universals, space).is_some()
}

/// Visited conjunctions, indexed by the shapes of their literals.
#[derive(Debug)]
pub(crate) struct Visited<'a> {
    space: &'a Space,
    entries: Vec<Entry>,
    shapes: FxHashMap<Lit, usize>,
    /// For each read with its symbols made alike, the shapes with this read on the left and a value on the right.
    with_value: FxHashMap<Read, Vec<(Lit, usize)>>,
    /// The shapes with reads on both sides.
    with_read: Vec<(Lit, usize)>,
    /// The shapes that are bounds.
    bounds: Vec<(Lit, usize)>,
    forget: Renaming,
}

#[derive(Debug)]
struct Entry {
    key: usize,
    mask: Vec<u64>,
    pattern: Pattern,
}

impl<'a> Visited<'a> {
    pub(crate) fn new(space: &'a Space) -> Self {
        let mut forget = Renaming::identity();
        for element in usize::from(space.first_symbol())..forget.0.len() {
            forget.0[element] = ANY_SYMBOL;
        }
        Self {
            space,
            entries: Vec::new(),
            shapes: FxHashMap::default(),
            with_value: FxHashMap::default(),
            with_read: Vec::new(),
            bounds: Vec::new(),
            forget,
        }
    }

    pub(crate) fn insert(&mut self, key: usize, conj: &Conj) {
        let mut mask = Vec::new();
        for lit in &conj.lits {
            let shape = lit.rename(&self.forget);
            let next = self.shapes.len();
            let id = *self.shapes.entry(shape).or_insert(next);
            if id == next {
                match shape.right {
                    _ if shape.comparison.is_bound() => self.bounds.push((shape, id)),
                    Side::Zero => unreachable!("numbers are compared by bounds"),
                    Side::Value(_) => self.with_value.entry(shape.left).or_default().push((shape, id)),
                    Side::Read(_) => self.with_read.push((shape, id)),
                }
            }
            set(&mut mask, id);
        }
        self.entries.push(Entry { key, mask, pattern: Pattern::new(conj, self.space) });
    }

    /// Removes the entries whose keys are in the sorted list.
    pub(crate) fn remove(&mut self, keys: &[usize]) {
        self.entries.retain(|entry| keys.binary_search(&entry.key).is_err());
    }

    /// Returns the key of an entry that is at least as general as the conjunction.
    pub(crate) fn subsumer(&self, conj: &Conj) -> Option<usize> {
        let mask = self.mask(conj);
        let mut facts = None;
        self.entries
            .iter()
            .filter(|entry| included(&entry.mask, &mask))
            .find(|entry| {
                let facts = facts.get_or_insert_with(|| Closure::of(self.space, conj.types(self.space), &conj.lits));
                entry.pattern.embeds(facts, &conj.universals, self.space).is_some()
            })
            .map(|entry| entry.key)
    }

    /// Returns the shapes that the conjunction may entail, as a bit set.
    fn mask(&self, conj: &Conj) -> Vec<u64> {
        let mut mask = vec![0; self.shapes.len().div_ceil(64)];
        let mut reads = Vec::new();
        let mut equates = false;
        let mut numbers = Vec::new();
        for lit in &conj.lits {
            let shape = lit.rename(&self.forget);
            if shape.comparison.is_bound() {
                numbers.extend([Side::Read(shape.left), shape.right]);
                continue;
            }
            reads.push(shape.left);
            match shape.right {
                Side::Zero => unreachable!("numbers are compared by bounds"),
                // An equation can carry an exclusion over to any read of the conjunction.
                Side::Read(_) if shape.comparison.is_equal() => equates = true,
                Side::Read(right) => reads.push(right),
                Side::Value(value) => {
                    for (other, id) in self.with_value.get(&shape.left).into_iter().flatten() {
                        let symbols = value.as_element() == Some(ANY_SYMBOL);
                        let entails = *other == shape
                            || (shape.comparison.is_equal()
                                && !other.comparison.is_equal()
                                && (symbols || other.right != shape.right))
                            || (!shape.comparison.is_equal() && other.comparison.is_equal());
                        if entails {
                            set(&mut mask, *id);
                        }
                    }
                }
            }
        }
        if equates {
            return vec![u64::MAX; mask.len()];
        }
        // Bounds follow from any others of the same numbers.
        for (shape, id) in &self.bounds {
            if numbers.contains(&Side::Read(shape.left)) && numbers.contains(&shape.right) {
                set(&mut mask, *id);
            }
        }
        for (shape, id) in &self.with_read {
            let Some(right) = shape.right.read() else { continue };
            if reads.contains(&shape.left) && reads.contains(&right) {
                set(&mut mask, *id);
            }
        }
        mask
    }
}

fn set(mask: &mut Vec<u64>, id: usize) {
    if mask.len() <= id / 64 {
        mask.resize(id / 64 + 1, 0);
    }
    mask[id / 64] |= 1 << (id % 64);
}

fn included(small: &[u64], large: &[u64]) -> bool {
    small.iter().enumerate().all(|(position, word)| word & !large.get(position).copied().unwrap_or(0) == 0)
}
