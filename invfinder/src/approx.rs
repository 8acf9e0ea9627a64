//! Approximations: more general cubes that no known reachable state satisfies.
//!
//! Given a pre-image, [`approximate`] returns the most general sub-cube that neither the oracle nor the cubes known to
//! be reachable refute (Conchon et al. 2013, section III, function `Approx`). Small sub-cubes are tried first, and
//! among them those with fewer symbols. A literal that says which element a pointer points to may be weakened to say
//! that it points to no named element, which needs no symbol. If no small sub-cube remains, literals are dropped from
//! the whole cube as long as the oracle allows it, so that every cube becomes as general as the oracle can justify.

mod related;

use std::collections::BTreeMap;

use system::bounds::Bounds;
use system::{IndexTypeId, RuleId, VariableId};

use crate::closure::Closure;
use crate::fixpoint::{Pattern, subsumes};
use crate::literal::{Comparison, Conj, Datum, Element, Lit, Made, Read, Side, Space, Universal};
use crate::order::is_distance;
use crate::universal::{by_part, implies};

/// The largest number of literals in the sub-cubes that are enumerated.
const ENUMERATED: usize = 3;

/// The largest number of universal parts in the sub-cubes that are enumerated, if the cube has few.
const ENUMERATED_PARTS: usize = 2;
const FEW_PARTS: usize = 5;
/// The largest number of literals beside universal parts.
const ENUMERATED_BESIDE: usize = 2;

/// The largest number of literals by which universal parts may be weakened.
const MOST_WORDS: usize = 300;

/// What is known about reachable states.
pub(crate) trait Reachable {
    /// Returns whether some known reachable state satisfies the conjunction. Also returns true if the conjunction needs
    /// more elements than the known states have, since they say nothing about it.
    fn admits(&self, conj: &Conj) -> bool;

    /// Returns whether some known reachable state satisfies the conjunction.
    fn reaches(&self, conj: &Conj) -> bool;

    /// Returns whether the rules lead from a known state that satisfies `from` through states that satisfy the other
    /// conjunctions. If so, these states become known.
    fn leads(&self, from: &Conj, path: &[(RuleId, &Conj)]) -> bool;
}

/// Conjunctions that were once approximations and turned out to be reachable, or to have been of no use.
#[derive(Debug)]
pub(crate) struct Refuted<'a> {
    space: &'a Space,
    known: Vec<(Conj, Closure<'a>)>,
}

impl<'a> Refuted<'a> {
    pub(crate) fn new(space: &'a Space) -> Self {
        Self { space, known: Vec::new() }
    }

    pub(crate) fn insert(&mut self, conj: &Conj) {
        let facts = Closure::of(self.space, conj.types(self.space), &conj.lits);
        self.known.push((conj.clone(), facts));
    }

    /// Returns whether a refuted conjunction is a special case of this one.
    pub(crate) fn refutes(&self, conj: &Conj) -> bool {
        if self.known.is_empty() {
            return false;
        }
        let pattern = Pattern::new(conj, self.space);
        self.known.iter().any(|(known, facts)| {
            known.lits.len() >= conj.lits.len() && pattern.embeds(facts, &known.universals, self.space).is_some()
        })
    }
}

/// Returns whether no known state satisfies a conjunction, and no refuted one is a special case of it.
fn is_allowed(conj: &Conj, reachable: &dyn Reachable, refuted: &Refuted<'_>) -> bool {
    // A known state is found more quickly than a refuted conjunction that is a special case.
    !reachable.admits(conj) && !refuted.refutes(conj)
}

/// Which bounds approximations prefer. None is better in general.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weakening {
    /// The weakest bounds.
    Weak,
    /// Both of two bounds that fix a difference, or none, as long as one of these is left.
    Whole,
    /// The weakest bounds, where literals are dropped from last to first.
    Backward,
    /// As before, in cubes that say in which order their elements are (see [`crate::order`]). Distances are dropped before
    /// the order.
    InOrder,
    /// The weakest bounds, in cubes with bounds that say of each of their elements whether it is among those whose number is known.
    Counted,
    /// The weakest bounds, where what is said of relations that nothing changes stays (see [`related`]).
    Related,
}

/// Returns the most general approximation of the conjunction, or `None` if none is strictly more general.
pub(crate) fn approximate(
    conj: &Conj,
    reachable: &dyn Reachable,
    refuted: &Refuted<'_>,
    (weaken, weakening): (bool, Weakening),
    space: &Space,
) -> Option<Conj> {
    if !conj.universals.is_empty() {
        return with_universals(conj, reachable, refuted, weaken, space);
    }
    let allowed = |lits: &[Lit]| {
        let mut lits = without_idle(lits, space);
        lits.sort_unstable();
        lits.dedup();
        let candidate = Conj { symbols: conj.symbols.clone(), lits, universals: Vec::new() }.compact(space);
        is_allowed(&candidate, reachable, refuted).then_some(candidate)
    };
    if weakening == Weakening::Related {
        return related::approximate(conj, &allowed, space);
    }
    let pool = Pool::new(conj, space);
    let mut subsets = pool.subsets();
    match weakening {
        Weakening::Weak | Weakening::Backward | Weakening::Counted | Weakening::Related => {}
        Weakening::Whole => subsets.extend(pool.with_fixed(&subsets)),
        Weakening::InOrder => {
            subsets.retain(|subset| !subset.positions.iter().any(|&at| is_distance(pool.lits[at].0, space)));
        }
    }
    subsets.sort_by_cached_key(|subset| {
        let chosen = || subset.positions.iter().map(|&position| pool.lits[position].0);
        let equations = chosen().filter(|lit| lit.comparison.is_equal()).count();
        let indexed = chosen().filter(|lit| lit.left.arguments().next().is_some()).count();
        let strength: usize = chosen().map(|lit| weaker_bounds(lit).len()).sum();
        let length = if weakening == Weakening::Whole { pool.length(subset) } else { subset.positions.len() };
        let halves = weakening == Weakening::Whole && pool.has_half(subset);
        // What a number of elements is implies what a number that agrees with it is.
        let indirect = chosen().filter(|lit| space.is_about_half(*lit)).count();
        (halves, subset.symbols, length, indirect, equations, indexed, strength)
    });
    subsets
        .into_iter()
        .find_map(|subset| {
            let lits: Vec<Lit> = subset.positions.iter().map(|&position| pool.lits[position].0).collect();
            allowed(&lits)
        })
        .or_else(|| shrink(conj, &pool, (weakening, space), &allowed).map(|(_, found)| found))
}

/// Returns the most general approximation of a conjunction with universal parts: first sub-cubes with few parts and few
/// literals, then what is left when parts and literals are dropped one by one. If `weaken` is true, the universal parts of
/// the result are weakened by further literals, as long as it is allowed.
fn with_universals(
    conj: &Conj,
    reachable: &dyn Reachable,
    refuted: &Refuted<'_>,
    weaken: bool,
    space: &Space,
) -> Option<Conj> {
    let is_allowed = |candidate: &Conj| is_allowed(candidate, reachable, refuted);
    let allowed = |lits: &[usize], parts: &[usize]| {
        let mut chosen: Vec<Lit> = lits.iter().map(|&position| conj.lits[position]).collect();
        if parts.is_empty() {
            chosen = without_idle(&chosen, space);
        }
        let universals = parts.iter().map(|&position| conj.universals[position].clone()).collect();
        let candidate = Conj { symbols: conj.symbols.clone(), lits: chosen, universals };
        let (short, whole) = (candidate.without_idle_symbols(space), candidate.compact(space));
        let also = (short != whole && is_allowed(&short) && subsumes(&short, conj, space)).then_some(short);
        also.or_else(|| is_allowed(&whole).then_some(whole))
    };
    let (lits, parts): (Vec<usize>, Vec<usize>) =
        ((0..conj.lits.len()).collect(), (0..conj.universals.len()).collect());
    let mut subsets: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for few in small(parts.len(), if parts.len() > FEW_PARTS { 1 } else { ENUMERATED_PARTS }) {
        let most = if few.is_empty() { ENUMERATED } else { ENUMERATED_BESIDE };
        subsets.extend(small(lits.len(), most).into_iter().map(|chosen| (chosen, few.clone())));
    }
    subsets.sort_by_key(|(lits, parts)| (lits.len() + parts.len(), parts.len()));
    let found = subsets.iter().find_map(|(lits, parts)| allowed(lits, parts)).or_else(|| {
        let mut best = allowed(&lits, &parts)?;
        let (mut lits, mut parts) = (lits, parts);
        for part in 0..conj.universals.len() {
            let fewer: Vec<usize> = parts.iter().copied().filter(|&own| own != part).collect();
            if let Some(candidate) = allowed(&lits, &fewer) {
                (parts, best) = (fewer, candidate);
            }
        }
        for lit in 0..conj.lits.len() {
            let fewer: Vec<usize> = lits.iter().copied().filter(|&own| own != lit).collect();
            if let Some(candidate) = allowed(&fewer, &parts) {
                (lits, best) = (fewer, candidate);
            }
        }
        Some(best)
    })?;
    let found = if weaken { weakened(found, &is_allowed, space) } else { found };
    (found != *conj).then_some(found)
}

/// Returns the subsets of the numbers below `count` that have at most `most` elements.
fn small(count: usize, most: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    let mut last = found.clone();
    for _ in 0..most {
        let longer = |chosen: &Vec<usize>| {
            let from = chosen.last().map_or(0, |&last| last + 1);
            (from..count).map(|next| [chosen.as_slice(), &[next]].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        found.extend(last.iter().cloned());
    }
    found
}

/// Adds literals to the universal parts as long as the result is allowed: each makes the conjunction more general.
fn weakened(mut conj: Conj, is_allowed: &dyn Fn(&Conj) -> bool, space: &Space) -> Conj {
    for position in 0..conj.universals.len() {
        for lit in vocabulary(&conj, &conj.universals[position], space) {
            let part = &conj.universals[position];
            if part.lits.iter().any(|own| implies(lit, *own) || space.negate(*own) == lit) {
                continue;
            }
            let mut candidate = conj.clone();
            let lits = &mut candidate.universals[position].lits;
            lits.retain(|own| !implies(*own, lit));
            lits.push(lit);
            lits.sort_unstable();
            if is_allowed(&candidate) {
                conj = candidate;
            }
        }
    }
    conj.compact(space)
}

/// Returns an approximation with fewer symbols, and the universal part that leads to it: in one of the conjunction, a literal is
/// replaced by one that follows from it in all known states.
pub(crate) fn with_fewer_symbols(
    conj: &Conj,
    reachable: &dyn Reachable,
    refuted: &Refuted<'_>,
    space: &Space,
) -> Option<(Conj, Universal)> {
    let is_allowed = |candidate: &Conj| is_allowed(candidate, reachable, refuted);
    let mut best: Option<(Conj, Universal)> = None;
    for (position, part) in conj.universals.iter().enumerate().filter(|(_, part)| part.symbols.len() == 1) {
        let own = conj.first_own(space);
        let words = vocabulary(conj, part, space);
        for strong in part.lits.iter().filter(|lit| lit.elements().any(|element| usize::from(element) == own)) {
            for weak in words.iter().filter(|weak| *weak != strong && !part.lits.contains(weak)) {
                let mut lits: Vec<Lit> = part.lits.iter().copied().filter(|lit| lit != strong).chain([*weak]).collect();
                lits.sort_unstable();
                let new = Universal { lits, ..part.clone() };
                let mut candidate = conj.clone();
                candidate.universals[position] = new.clone();
                let candidate = candidate.compact(space);
                if candidate.symbols.len() >= best.as_ref().map_or(conj, |(best, _)| best).symbols.len() {
                    continue;
                }
                let symbols = [conj.symbols.as_slice(), &part.symbols].concat();
                let mut lits = vec![*strong, space.negate(*weak)];
                lits.sort_unstable();
                let lemma = Conj { symbols, lits, universals: Vec::new() }.compact(space);
                if is_allowed(&lemma) && is_allowed(&candidate) {
                    best = Some((candidate, new));
                }
            }
        }
    }
    best
}

/// Returns the literal that says nothing about other elements and occurs most often in the universal parts of a conjunction.
pub(crate) fn shared_literal(conj: &Conj, space: &Space) -> Option<Lit> {
    let is_outer = |lit: &Lit| lit.elements().all(|element| usize::from(element) < conj.first_own(space));
    let mut counts: BTreeMap<Lit, usize> = BTreeMap::new();
    for lit in conj.universals.iter().flat_map(|part| &part.lits).filter(|lit| is_outer(lit)) {
        let negated = space.negate(*lit);
        *counts.entry((*lit).min(negated)).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(lit, _)| lit)
}

/// Returns an approximation of a conjunction whose only universal part is another one of one literal, and that part, which
/// follows from the conjunction in all known states.
pub(crate) fn with_one_part(
    conj: &Conj,
    reachable: &dyn Reachable,
    refuted: &Refuted<'_>,
    space: &Space,
) -> Option<(Conj, Universal)> {
    let is_allowed = |candidate: &Conj| is_allowed(candidate, reachable, refuted);
    let mut types: Vec<IndexTypeId> = conj.universals.iter().flat_map(|part| part.symbols.iter().copied()).collect();
    types.sort_unstable();
    types.dedup();
    let mut parts = Vec::new();
    for index_type in types {
        let symbols = (space.first_symbol()..).zip(&conj.symbols);
        let within = symbols.filter(|(_, own)| **own == index_type).map(|(symbol, _)| symbol).collect();
        let part = |lits| Universal { symbols: vec![index_type], lits, within };
        let own = conj.first_own(space);
        let alike = conj.universals.iter().filter(|part| part.symbols == [index_type]);
        let said = alike.flat_map(|part| part.lits.iter().copied());
        let mut words: Vec<Lit> =
            said.filter(|lit| lit.elements().any(|element| usize::from(element) == own)).collect();
        words.extend(vocabulary(conj, &part(Vec::new()), space));
        words.sort_unstable();
        words.dedup();
        parts.extend(words.into_iter().map(|lit| part(vec![lit])));
    }
    parts.retain(|part| {
        let cases = by_part(conj, part, space).map_or_else(|_| Vec::new(), |(_, cases)| cases);
        let literals = |case: &Conj| Conj { universals: Vec::new(), ..case.clone() }.compact(space);
        !cases.is_empty() && !cases.iter().any(|case| reachable.admits(&literals(case)))
    });
    let mut subsets = small(conj.lits.len(), ENUMERATED_BESIDE);
    subsets.sort_by_key(Vec::len);
    for chosen in subsets {
        for part in &parts {
            let lits = chosen.iter().map(|&position| conj.lits[position]).collect();
            let candidate = Conj { symbols: conj.symbols.clone(), lits, universals: vec![part.clone()] }.compact(space);
            if is_allowed(&candidate) {
                return Some((candidate, part.clone()));
            }
        }
    }
    None
}

/// Returns the equations with a constant of the reads at elements of the conjunction and of the universal part that
/// concern the latter.
fn vocabulary(conj: &Conj, part: &Universal, space: &Space) -> Vec<Lit> {
    let types: Vec<IndexTypeId> = conj.types(space).into_iter().chain(part.symbols.iter().copied()).collect();
    let first_own = conj.first_own(space);
    let mut lits = Vec::new();
    for (number, domain) in (0..).zip(&space.domains) {
        let reads = space.reads(VariableId(number), &types);
        for read in reads.into_iter().filter(|read| read.arguments().any(|element| usize::from(element) >= first_own)) {
            for constant in &domain.constants {
                let value = Side::Value(Datum::constant(*constant));
                if let Made::Lit(lit) = space.make(Side::Read(read), Comparison::Equal, value, &types) {
                    lits.push(lit);
                }
            }
        }
        if lits.len() > MOST_WORDS {
            break;
        }
    }
    lits
}

/// Returns the literals without those that only say that something differs from a symbol that occurs nowhere else. A
/// large enough instance has such an element; a small one may not, which is no reason for an approximation.
fn without_idle(lits: &[Lit], space: &Space) -> Vec<Lit> {
    let excluded = |lit: &Lit| match lit.right {
        Side::Value(datum) if lit.comparison == Comparison::Different => {
            datum.as_element().filter(|&element| element >= space.first_symbol())
        }
        Side::Value(_) | Side::Read(_) | Side::Zero => None,
    };
    let says_more = |lit: &Lit, symbol: Element| {
        lit.left.arguments().any(|argument| argument == symbol)
            || (excluded(lit) != Some(symbol) && lit.elements().any(|element| element == symbol))
    };
    let idle = |lit: &Lit| excluded(lit).is_some_and(|symbol| !lits.iter().any(|other| says_more(other, symbol)));
    lits.iter().filter(|lit| !idle(lit)).copied().collect()
}

/// The sums to which those of bounds are weakened, the weakest first: most bounds of protocols say which of two numbers
/// is greater.
const SUMS: [i32; 2] = [0, -1];

/// Returns weaker bounds, the weakest first.
fn weaker_bounds(lit: Lit) -> Vec<Lit> {
    let with = |comparison| Lit { comparison, ..lit };
    match lit.comparison {
        Comparison::AtMost(own) => {
            SUMS.into_iter().filter(|&sum| sum > own).map(|sum| with(Comparison::AtMost(sum))).collect()
        }
        Comparison::AtLeast(own) => {
            SUMS.into_iter().filter(|&sum| sum > -own).map(|sum| with(Comparison::AtLeast(-sum))).collect()
        }
        Comparison::Equal | Comparison::Different => Vec::new(),
    }
}

/// Returns weaker literals: a bound has a weaker sum, and a pointer that points to some element points to no named one.
fn weaker(lit: Lit, conj: &Conj, space: &Space) -> impl Iterator<Item = Lit> {
    let symbol = match lit.right {
        Side::Value(datum) if lit.comparison.is_equal() => {
            datum.as_element().and_then(|e| e.checked_sub(space.first_symbol()))
        }
        Side::Value(_) | Side::Read(_) | Side::Zero => None,
    };
    let index_type = symbol.map(|symbol| conj.symbols[usize::from(symbol)]);
    let named = (0..).zip(&space.named).filter(move |(_, of)| index_type == Some(**of)).map(|(element, _)| element);
    let other_elements = named.map(move |element| Lit {
        left: lit.left,
        comparison: Comparison::Different,
        right: Side::Value(Datum::element(element)),
    });
    weaker_bounds(lit).into_iter().chain(other_elements)
}

/// Returns the bounds that follow from the literals together between a number of elements and another number, or between
/// two numbers of elements each.
fn derived(conj: &Conj, space: &Space) -> Vec<Lit> {
    let bounds = conj.lits.iter().filter(|lit| lit.comparison.is_bound());
    let constraint = |lit: &Lit| (Side::Read(lit.left), lit.comparison.into(), lit.right);
    let Some(closure) = Bounds::of(bounds.map(constraint)) else { return Vec::new() };
    let mut found = Vec::new();
    for (left, comparison, right) in closure.all() {
        if let Side::Read(left) = left {
            let lit = Lit { left, comparison: Comparison::from(comparison), right };
            let of_elements = |read: Read| read.arguments().next().is_some();
            let is_about_two = of_elements(lit.left) && right.read().is_some_and(of_elements);
            if (space.is_about_count(lit) || is_about_two) && right != Side::Zero && !conj.lits.contains(&lit) {
                found.push(lit);
            }
        }
    }
    found
}

/// The literals that an approximation may consist of, each with the number of the literal that it is or follows from.
struct Pool {
    lits: Vec<(Lit, usize)>,
    /// The number of literals that are not weakened.
    exact: usize,
    /// The symbols of each literal as a bit set.
    bits: Vec<u32>,
    /// For each literal that is one of two bounds that together fix a difference, the number of the other one.
    fixed: Vec<Option<usize>>,
}

struct Subset {
    symbols: u32,
    positions: Vec<usize>,
}

impl Pool {
    fn new(conj: &Conj, space: &Space) -> Self {
        let exact = (0..conj.lits.len()).map(|position| (conj.lits[position], position));
        let less = exact.clone().flat_map(|(lit, position)| weaker(lit, conj, space).map(move |lit| (lit, position)));
        let derived = derived(conj, space).into_iter().zip(conj.lits.len()..);
        let lits: Vec<(Lit, usize)> = exact.chain(less).chain(derived).collect();
        let first = space.first_symbol();
        let symbols =
            |lit: Lit| lit.elements().filter(|&e| e >= first).fold(0, |mask, e: Element| mask | 1 << (e - first));
        let bits = lits.iter().map(|(lit, _)| symbols(*lit)).collect();
        let opposite = |lit: &Lit| match lit.comparison {
            Comparison::AtMost(sum) => Some(Lit { comparison: Comparison::AtLeast(sum), ..*lit }),
            Comparison::AtLeast(sum) => Some(Lit { comparison: Comparison::AtMost(sum), ..*lit }),
            Comparison::Equal | Comparison::Different => None,
        };
        // Two bounds of a number of an element say that it is its turn; those of two other numbers are progress.
        let is_weaker = |position: usize| position >= conj.lits.len() && lits[position].1 < conj.lits.len();
        let other = |position: usize| {
            let other = opposite(&lits[position].0).filter(|lit| lit.elements().next().is_some())?;
            let at = lits.iter().enumerate().position(|(at, (lit, _))| *lit == other && !is_weaker(at));
            at.filter(|_| !is_weaker(position))
        };
        let fixed = (0..lits.len()).map(other).collect();
        Self { lits, exact: conj.lits.len(), bits, fixed }
    }

    /// Returns all small sets of literals that say less than the whole, in lexicographic order.
    fn subsets(&self) -> Vec<Subset> {
        let mut found = Vec::new();
        self.collect(0, 0, &mut Vec::new(), &mut found);
        found
    }

    /// Returns the sets with both of two bounds that fix a difference wherever they have one of them.
    fn with_fixed(&self, subsets: &[Subset]) -> Vec<Subset> {
        let mut found: Vec<Subset> = Vec::new();
        for subset in subsets {
            let others = subset.positions.iter().filter_map(|&position| self.fixed[position]);
            let mut positions: Vec<usize> = subset.positions.iter().copied().chain(others).collect();
            positions.sort_unstable();
            positions.dedup();
            let is_new = positions != subset.positions && !found.iter().any(|own| own.positions == positions);
            if is_new && positions.iter().filter(|&&position| position < self.exact).count() < self.exact {
                found.push(Subset { symbols: subset.symbols, positions });
            }
        }
        found
    }

    /// Returns whether a set has one of two bounds that fix a difference, or a weaker one.
    fn has_half(&self, subset: &Subset) -> bool {
        subset.positions.iter().any(|&position| {
            let origin = self.lits[position].1;
            let is_weaker = position >= self.exact && origin < self.exact;
            let other = self.fixed[if is_weaker { origin } else { position }];
            other.is_some_and(|other| is_weaker || !subset.positions.contains(&other))
        })
    }

    /// Returns the number of literals of a set, where two bounds that fix a difference count as one.
    fn length(&self, subset: &Subset) -> usize {
        let is_second = |position: usize| {
            self.fixed[position].is_some_and(|other| other < position && subset.positions.contains(&other))
        };
        subset.positions.iter().filter(|&&position| !is_second(position)).count()
    }

    fn collect(&self, from: usize, mask: u32, positions: &mut Vec<usize>, found: &mut Vec<Subset>) {
        for position in from..self.lits.len() {
            let origin = self.lits[position].1;
            if positions.iter().any(|&chosen| self.lits[chosen].1 == origin) {
                continue;
            }
            positions.push(position);
            let mask = mask | self.bits[position];
            if positions.len() < self.exact || positions.iter().any(|&chosen| chosen >= self.exact) {
                found.push(Subset { symbols: mask.count_ones(), positions: positions.clone() });
            }
            if positions.len() < ENUMERATED {
                self.collect(position + 1, mask, positions, found);
            }
            positions.pop();
        }
    }
}

/// Drops or weakens literals from first to last, or from last to first, as long as the rest is allowed. Returns the rest, and what
/// is allowed with it, unless nothing can be dropped or weakened.
fn shrink(
    conj: &Conj,
    pool: &Pool,
    (weakening, space): (Weakening, &Space),
    allowed: &dyn Fn(&[Lit]) -> Option<Conj>,
) -> Option<(Vec<Lit>, Conj)> {
    let mut kept: Vec<usize> = (0..pool.exact).collect();
    let mut best = None;
    let mut order: Vec<usize> = (0..conj.lits.len()).collect();
    match weakening {
        Weakening::Weak | Weakening::Whole | Weakening::Counted | Weakening::Related => {}
        Weakening::Backward => order.reverse(),
        Weakening::InOrder => {
            order.reverse();
            order.sort_by_key(|&position| !is_distance(conj.lits[position], space));
        }
    }
    for position in order {
        let Some(place) = kept.iter().position(|&chosen| chosen == position) else { continue };
        let mut without = kept.clone();
        without.remove(place);
        let together = if weakening == Weakening::Whole { pool.fixed[position] } else { None };
        without.retain(|&other| Some(other) != together);
        let is_of_use = |lit: Lit| weakening != Weakening::InOrder || !is_distance(lit, space);
        let less = (pool.exact..pool.lits.len())
            .filter(|&other| pool.lits[other].1 == position && together.is_none() && is_of_use(pool.lits[other].0));
        let choices = std::iter::once(without).chain(less.map(|other| {
            let mut weakened = kept.clone();
            weakened[place] = other;
            weakened
        }));
        let found = choices.into_iter().find_map(|chosen| {
            let lits: Vec<Lit> = chosen.iter().map(|&position| pool.lits[position].0).collect();
            allowed(&lits).map(|candidate| (chosen, (lits, candidate)))
        });
        if let Some((chosen, rest)) = found {
            (kept, best) = (chosen, Some(rest));
        }
    }
    best
}
