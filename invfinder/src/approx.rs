//! Approximations: more general cubes that no known reachable state satisfies.
//!
//! In: a pre-image, what the oracle says, and the cubes that are known to be reachable. Out: the most general sub-cube
//! that neither refutes (Conchon et al. 2013, section III, function `Approx`). Small sub-cubes are tried first, those
//! with fewer symbols before those with more; where no small one is left, literals are dropped from the whole cube as
//! long as the oracle allows it, so that every cube is made as general as the oracle can justify.

use crate::facts::Facts;
use crate::fixpoint::Pattern;
use crate::literal::{Conj, Element, Lit, Space};

/// Sub-cubes with at most this many literals are enumerated.
const ENUMERATED: usize = 3;

/// What is known of reachable states.
pub(crate) trait Reachable {
    /// Whether some reachable state is known to satisfy the conjunction; also true of conjunctions that need more
    /// elements than the known states have, since nothing is known of those.
    fn admits(&self, conj: &Conj) -> bool;
}

/// Conjunctions that were approximations once and turned out to be reachable, or to lead to nothing.
#[derive(Debug)]
pub(crate) struct Refuted<'a> {
    space: &'a Space,
    known: Vec<(Conj, Facts<'a>)>,
}

impl<'a> Refuted<'a> {
    pub(crate) fn new(space: &'a Space) -> Self {
        Self { space, known: Vec::new() }
    }

    pub(crate) fn insert(&mut self, conj: &Conj) {
        let facts = Facts::of(self.space, conj.types(self.space), &conj.lits);
        self.known.push((conj.clone(), facts));
    }

    /// Whether a refuted conjunction is a special case of this one.
    fn refutes(&self, conj: &Conj) -> bool {
        if self.known.is_empty() {
            return false;
        }
        let pattern = Pattern::new(conj, self.space);
        self.known
            .iter()
            .any(|(known, facts)| known.lits.len() >= conj.lits.len() && pattern.embeds(facts, self.space).is_some())
    }
}

/// The most general approximation of the conjunction, if there is one that is strictly more general.
pub(crate) fn approximate(
    conj: &Conj,
    reachable: &dyn Reachable,
    refuted: &Refuted<'_>,
    space: &Space,
) -> Option<Conj> {
    let allowed = |lits: Vec<Lit>| {
        let candidate = Conj { symbols: conj.symbols.clone(), lits }.compact(space);
        (!refuted.refutes(&candidate) && !reachable.admits(&candidate)).then_some(candidate)
    };
    let mut subsets = subsets(conj, space);
    subsets.sort_by_key(|subset| {
        let chosen = || subset.positions.iter().map(|&position| conj.lits[position]);
        let equations = chosen().filter(|lit| lit.equal).count();
        let indexed = chosen().filter(|lit| lit.left.arguments().next().is_some()).count();
        (subset.symbols, subset.positions.len(), equations, indexed)
    });
    subsets
        .into_iter()
        .find_map(|subset| allowed(subset.positions.iter().map(|&position| conj.lits[position]).collect()))
        .or_else(|| shrink(conj, &allowed))
}

struct Subset {
    symbols: u32,
    positions: Vec<usize>,
}

/// All proper subsets of the literals with few elements, in lexicographic order.
fn subsets(conj: &Conj, space: &Space) -> Vec<Subset> {
    let first = space.first_symbol();
    let bits: Vec<u32> = conj
        .lits
        .iter()
        .map(|lit| lit.elements().filter(|&e| e >= first).fold(0, |mask, e: Element| mask | 1 << (e - first)))
        .collect();
    let mut found = Vec::new();
    let mut positions = Vec::new();
    collect(&bits, 0, 0, &mut positions, &mut found);
    found
}

fn collect(bits: &[u32], from: usize, mask: u32, positions: &mut Vec<usize>, found: &mut Vec<Subset>) {
    for position in from..bits.len() {
        positions.push(position);
        let mask = mask | bits[position];
        if positions.len() < bits.len() {
            found.push(Subset { symbols: mask.count_ones(), positions: positions.clone() });
            if positions.len() < ENUMERATED {
                collect(bits, position + 1, mask, positions, found);
            }
        }
        positions.pop();
    }
}

/// Drops literals, first to last, as long as the rest is allowed.
fn shrink(conj: &Conj, allowed: &dyn Fn(Vec<Lit>) -> Option<Conj>) -> Option<Conj> {
    let mut lits = conj.lits.clone();
    let mut best = None;
    let mut position = 0;
    while position < lits.len() {
        let mut fewer = lits.clone();
        fewer.remove(position);
        match allowed(fewer.clone()) {
            Some(candidate) => {
                best = Some(candidate);
                lits = fewer;
            }
            None => position += 1,
        }
    }
    best
}
