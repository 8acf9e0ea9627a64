//! Approximations in which what is said of relations that nothing changes stays.
//!
//! Where channels are elements that point to a sender and a receiver, a bad state is about two nodes and the channels between
//! them. A candidate about a channel whose sender is left out is about any channel, and needs ever more candidates of its kind,
//! while one about the same nodes and channels needs few: whatever the steps change, the relations between them stay. So literals
//! about relations that no rule writes are left out only together with an element, and the elements to which such relations point
//! stay with those that do. Of the others, few are chosen, as elsewhere. Only what is said of a single element comes first, without
//! the rest.

use super::{ENUMERATED, Pool, Subset, Weakening, weaker_bounds};
use crate::literal::{Conj, Element, Lit, Side, Space};

/// The largest number of symbols of which some may be left out.
const MOST_SYMBOLS: usize = 8;

/// Returns the most general approximation of a conjunction without universal parts, or `None` if none is strictly more general.
pub(super) fn approximate(conj: &Conj, allowed: &dyn Fn(&[Lit]) -> Option<Conj>, space: &Space) -> Option<Conj> {
    let (fixed, others): (Vec<Lit>, Vec<Lit>) = conj.lits.iter().partition(|lit| space.is_fixed(**lit));
    let fixed: Vec<(Lit, u32)> = fixed.into_iter().map(|lit| (lit, symbols(lit, space))).collect();
    let with = |chosen: u32, lits: &[Lit]| -> Option<Conj> {
        let kept = fixed.iter().filter(|(_, own)| own & !chosen == 0).map(|(lit, _)| *lit);
        allowed(&lits.iter().copied().chain(kept).collect::<Vec<Lit>>())
    };
    let contexts = contexts(conj, &fixed, space);
    let rest = Conj { lits: others, ..conj.clone() };
    let pool = Pool::new(&rest, space);
    let found = small(&pool, &contexts, &fixed, space)
        .into_iter()
        .find_map(|(chosen, lits)| with(chosen, &lits))
        .or_else(|| shrink(&rest, &pool, &contexts, &with, space));
    found.filter(|found| found != conj)
}

/// Returns small sets of literals, each with symbols that it is about and others, the most general first.
fn small(pool: &Pool, contexts: &[u32], fixed: &[(Lit, u32)], space: &Space) -> Vec<(u32, Vec<Lit>)> {
    let mut subsets = pool.subsets();
    if pool.exact <= ENUMERATED {
        subsets.push(Subset { symbols: 0, positions: (0..pool.exact).collect() });
    }
    let mut found: Vec<(u32, Vec<Lit>)> = Vec::new();
    for subset in &subsets {
        let lits: Vec<Lit> = subset.positions.iter().map(|&position| pool.lits[position].0).collect();
        let own = lits.iter().fold(0, |own, lit| own | symbols(*lit, space));
        let around = contexts.iter().filter(|chosen| own & !**chosen == 0);
        found.extend(around.map(|chosen| (*chosen, lits.clone())));
    }
    found.sort_by_cached_key(|(chosen, lits)| {
        let is_alone = chosen.count_ones() <= 1;
        let dropped = fixed.iter().filter(|(_, own)| own & !chosen != 0).count();
        let equations = lits.iter().filter(|lit| lit.comparison.is_equal()).count();
        let strength: usize = lits.iter().map(|lit| weaker_bounds(*lit).len()).sum();
        let dropped = if is_alone { 0 } else { dropped };
        (!is_alone, dropped, lits.len(), chosen.count_ones(), equations, strength)
    });
    found
}

/// Drops or weakens literals from first to last as long as the rest is allowed, and then a symbol that no literal is about.
fn shrink(
    rest: &Conj,
    pool: &Pool,
    contexts: &[u32],
    with: &dyn Fn(u32, &[Lit]) -> Option<Conj>,
    space: &Space,
) -> Option<Conj> {
    let whole = *contexts.first()?;
    let shrunk = super::shrink(rest, pool, (Weakening::Related, space), &|lits| with(whole, lits));
    let (lits, best) = shrunk.map_or_else(|| (rest.lits.clone(), None), |(lits, best)| (lits, Some(best)));
    let own = lits.iter().fold(0, |own, lit| own | symbols(*lit, space));
    let is_one_less = |chosen: &&u32| chosen.count_ones() + 1 == whole.count_ones() && own & !**chosen == 0;
    contexts.iter().filter(is_one_less).find_map(|chosen| with(*chosen, &lits)).or(best)
}

/// Returns the sets of symbols that include those to which relations between them point, all symbols first.
fn contexts(conj: &Conj, fixed: &[(Lit, u32)], space: &Space) -> Vec<u32> {
    let whole = (1_u32 << conj.symbols.len()) - 1;
    if conj.symbols.len() > MOST_SYMBOLS {
        return vec![whole];
    }
    let is_pointer = |lit: Lit| lit.comparison.is_equal() && matches!(lit.right, Side::Value(_));
    let pointers: Vec<(u32, u32)> = fixed
        .iter()
        .filter(|(lit, _)| is_pointer(*lit))
        .map(|(lit, own)| (lit.left.arguments().fold(0, |from, element| from | bit(element, space)), *own))
        .collect();
    let is_closed = |chosen: &u32| pointers.iter().all(|(from, own)| from & !chosen != 0 || own & !chosen == 0);
    (0..=whole).rev().filter(is_closed).collect()
}

/// Returns the symbols of a literal as a bit set.
fn symbols(lit: Lit, space: &Space) -> u32 {
    lit.elements().fold(0, |found, element| found | bit(element, space))
}

fn bit(element: Element, space: &Space) -> u32 {
    element.checked_sub(space.first_symbol()).map_or(0, |symbol| 1 << symbol)
}
