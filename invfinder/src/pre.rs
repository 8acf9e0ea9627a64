//! Pre-images of cubes under rules, and their intersection with the initial states.
//!
//! The resulting conjunctions have no redundant literals and no unused symbols. Universal guards are instantiated over
//! the symbols of each branch (Conchon et al. 2013, section III), so the result includes the pre-image, and equals it
//! if there is no universal guard.

use system::{Comparison, Transition};

use crate::brab::Stop;
use crate::closure::{Closure, Consistency};
use crate::literal::{Conj, Lit, MAX_ELEMENTS, Made, Side, Space};
use crate::weakest_precondition::{After, Matched, matches, touches};

/// Returns the pre-images of a conjunction under a step, leaving out those in which the step changes nothing.
///
/// # Errors
/// Returns an error if a pre-image has more elements than the search can hold, or if there are too many pre-images.
pub(crate) fn pre_images(step: &Transition, conj: &Conj, space: &Space) -> Result<Vec<Conj>, Stop> {
    if !touches(step, conj) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for matched in matches(step, conj, space) {
        if matched.types.len() > MAX_ELEMENTS {
            return Err(Stop::Elements);
        }
        match matched.after(conj) {
            After::Unchanged => {}
            After::TooMany => return Err(Stop::Branches),
            After::Branches(branches) => {
                for branch in &branches {
                    if Closure::of(space, matched.types.clone(), &branch.lits).consistency()
                        == Consistency::Contradiction
                    {
                        continue;
                    }
                    let instances = matched.instances(branch, &matched.types);
                    let strengthened = if instances.is_empty() {
                        vec![branch.lits.clone()]
                    } else {
                        matched.strengthen(branch, &instances).ok_or(Stop::Branches)?
                    };
                    found.extend(strengthened.iter().filter_map(|lits| simplify(space, &matched, lits)));
                }
            }
        }
    }
    Ok(found)
}

/// Returns whether some state of the startstate satisfies the conjunction.
///
/// # Errors
/// Returns an error if there are too many cases.
pub(crate) fn intersects_initial(step: &Transition, conj: &Conj, space: &Space) -> Result<bool, Stop> {
    for matched in matches(step, conj, space) {
        let open = match matched.after(conj) {
            After::Unchanged => true,
            After::TooMany => return Err(Stop::Branches),
            After::Branches(branches) => branches.iter().any(|branch| {
                Closure::of(space, matched.types.clone(), &branch.lits).consistency() == Consistency::Open
            }),
        };
        if open {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the conjunction without redundant literals and symbols, or `None` if it is contradictory.
fn simplify(space: &Space, matched: &Matched<'_>, lits: &[Lit]) -> Option<Conj> {
    let facts = Closure::of(space, matched.types.clone(), lits);
    if facts.consistency() == Consistency::Contradiction {
        return None;
    }
    let mut kept: Vec<Lit> = Vec::with_capacity(lits.len());
    let mut keep = |left: Side, comparison: Comparison, right: Side| {
        if let Made::Lit(lit) = space.make(left, comparison, right, &matched.types) {
            kept.push(lit);
        }
    };
    for lit in lits {
        let left = facts.value(lit.left);
        match lit.right {
            Side::Value(_) => {
                if let Some(value) = left {
                    keep(Side::Read(lit.left), Comparison::Equal, Side::Value(value));
                } else {
                    keep(Side::Read(lit.left), lit.comparison, lit.right);
                }
            }
            Side::Read(read) => match (left, facts.value(read)) {
                (Some(a), Some(b)) => {
                    keep(Side::Read(lit.left), Comparison::Equal, Side::Value(a));
                    keep(Side::Read(read), Comparison::Equal, Side::Value(b));
                }
                (Some(a), None) => keep(Side::Read(read), lit.comparison, Side::Value(a)),
                (None, Some(b)) => keep(Side::Read(lit.left), lit.comparison, Side::Value(b)),
                (None, None) => keep(Side::Read(lit.left), lit.comparison, lit.right),
            },
        }
    }
    kept.sort_unstable();
    kept.dedup();
    let symbols = matched.types[space.named.len()..].to_vec();
    Some(Conj { symbols, lits: kept }.compact(space))
}
