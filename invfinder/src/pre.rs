//! Pre-images of cubes under rules, and their intersection with the initial states.
//!
//! The resulting conjunctions have no redundant literals and no unused symbols. Universal guards are instantiated over
//! the symbols of each branch (Conchon et al. 2013, section III), so the result includes the pre-image, and equals it
//! if there is no universal guard.

use system::bounds::Bounds;
use system::{IndexTypeId, Term, Transition, Value};

use crate::approx::Reachable;
use crate::brab::Stop;
use crate::closure::{Closure, Consistency};
use crate::literal::{Comparison, Conj, Element, Elements, Lit, MAX_ELEMENTS, Made, Renaming, Side, Space, Universal};
use crate::pointed;
use crate::repeated;
use crate::universal::{self, placements};
use crate::weakest_precondition::{After, Matched, matches, touches};

/// The largest number of disjuncts of the instances of universal parts.
const MOST_DISJUNCTS: usize = 256;

/// The largest number of instances of universal parts that a pre-image is distinguished by.
const MOST_OPEN: usize = 2;

/// What happens to the universal parts of guards that concern elements other than those of a pre-image.
#[derive(Clone, Copy)]
pub(crate) enum Guards<'r> {
    /// They are left out, so that the result may be more general.
    Dropped,
    /// They are left out, but for elements to which state variables point: see [`crate::pointed`].
    Pointed(&'r dyn Reachable),
    /// They become universal parts of the pre-image about elements other than its own.
    Kept,
    /// They become universal parts of the pre-image about all elements at which they say the same.
    Whole,
}

/// A disjunction of conjunctions.
type Disjuncts = Vec<Vec<Lit>>;

/// Returns the pre-images of a conjunction under a step, leaving out those in which the step changes nothing.
///
/// # Errors
/// Returns an error if a pre-image has more elements than the search can hold, or if there are too many pre-images.
pub(crate) fn pre_images(step: &Transition, conj: &Conj, space: &Space, guards: Guards<'_>) -> Result<Vec<Conj>, Stop> {
    if !touches(step, conj) || is_never_after(step, conj) {
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
                    let is_whole = matches!(guards, Guards::Whole);
                    let (guarded, instances) = match guards {
                        Guards::Whole => matched.whole_universals_of(branch),
                        Guards::Kept => (matched.universals_of(branch), matched.instances(branch, &matched.types)),
                        Guards::Dropped | Guards::Pointed(_) => (Vec::new(), matched.instances(branch, &matched.types)),
                    };
                    let mut strengthened = if instances.is_empty() {
                        vec![branch.lits.clone()]
                    } else {
                        matched.strengthen(branch, &instances).ok_or(Stop::Branches)?
                    };
                    let (constraints, mut universals) = others_after(&matched, conj, is_whole, space)?;
                    for constraint in &constraints {
                        strengthened = conjoined(&strengthened, constraint, &matched.types, space)?;
                    }
                    universals.extend(guarded);
                    if is_whole {
                        let outside = |lits| outside(lits, &universals, conj, &matched.types, space);
                        strengthened = strengthened.into_iter().flat_map(outside).collect();
                    }
                    for lits in &strengthened {
                        let Some(whole) = simplify(space, &matched.types, lits, &universals) else { continue };
                        let cases = match guards {
                            Guards::Pointed(reachable) if universals.is_empty() && reachable.admits(&whole) => {
                                pointed::cases(&matched, branch, lits, reachable, space)
                            }
                            Guards::Dropped | Guards::Kept | Guards::Whole | Guards::Pointed(_) => None,
                        };
                        for conj in cases.unwrap_or_else(|| vec![whole]) {
                            repeated::resolved(conj, space, &mut found)?;
                        }
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Returns whether the step sets a state variable to a constant, whatever its arguments are, that contradicts a literal: then
/// its parameters need not be matched.
fn is_never_after(step: &Transition, conj: &Conj) -> bool {
    conj.lits.iter().any(|lit| {
        let wanted = match lit.right {
            Side::Value(value) => value.as_constant(),
            Side::Read(_) | Side::Zero => None,
        };
        let value = step.update_of(lit.left.variable()).map(|update| &update.value);
        let (Some(wanted), Some(Value::Term(Term::Constant(value)))) = (wanted, value) else { return false };
        match lit.comparison {
            Comparison::Equal => *value != wanted,
            Comparison::Different => *value == wanted,
            Comparison::AtMost(_) | Comparison::AtLeast(_) => false,
        }
    })
}

/// Returns whether some state of the startstate satisfies the conjunction.
///
/// # Errors
/// Returns an error if there are too many cases.
pub(crate) fn intersects_initial(step: &Transition, conj: &Conj, space: &Space) -> Result<bool, Stop> {
    if is_never_after(step, conj) {
        return Ok(false);
    }
    for matched in matches(step, conj, space) {
        let open = match matched.after(conj) {
            After::Unchanged => true,
            After::TooMany => return Err(Stop::Branches),
            After::Branches(branches) => {
                let (constraints, _) = others_after(&matched, conj, false, space)?;
                let mut open: Disjuncts = branches.into_iter().map(|branch| branch.lits).collect();
                open.retain(|lits| is_open(lits, &matched.types, space));
                for constraint in &constraints {
                    open = conjoined(&open, constraint, &matched.types, space)?;
                }
                !open.is_empty()
            }
        };
        if open {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the cases of a pre-image outside of the conjunction: the pre-image itself, unless it could only be outside because of
/// few instances of universal parts, which then do not hold.
fn outside(
    lits: Vec<Lit>,
    universals: &[Universal],
    conj: &Conj,
    types: &[IndexTypeId],
    space: &Space,
) -> Vec<Vec<Lit>> {
    let facts = Closure::of(space, types.to_vec(), &lits);
    if !conj.lits.iter().all(|lit| facts.entails(*lit)) {
        return vec![lits];
    }
    let symbols: Vec<Element> = (space.first_symbol()..).take(conj.symbols.len()).collect();
    let mut open: Disjuncts = Vec::new();
    for part in &conj.universals {
        let at = |element: Element| -> Vec<Lit> {
            part.at(&Renaming::identity(), conj.first_own(space), &[element]).collect()
        };
        let fresh = Element::try_from(types.len()).unwrap_or(Element::MAX);
        let general = at(fresh);
        let includes = |own: &&Universal| own.symbols == part.symbols && is_subset(&own.lits, &general);
        let ([index_type], Some(same)) = (&part.symbols[..], universals.iter().find(includes)) else {
            return vec![lits];
        };
        let excepted = part.excepted(space.first_symbol(), &symbols);
        let elements = (0u8..).zip(types).skip(space.named.len()).filter(|(_, own)| *own == index_type);
        for element in elements.map(|(element, _)| element) {
            if !excepted.contains(&element)
                && !same.within.contains(element)
                && !at(element).iter().any(|lit| facts.entails(*lit))
            {
                open.push(at(element).iter().map(|lit| space.negate(*lit)).collect());
            }
        }
    }
    if open.len() > MOST_OPEN {
        return vec![lits];
    }
    let with = |negated: &Vec<Lit>| {
        let mut both = [lits.as_slice(), negated].concat();
        both.sort_unstable();
        both.dedup();
        both
    };
    open.iter().map(with).filter(|lits| is_open(lits, types, space)).collect()
}

fn is_open(lits: &[Lit], types: &[IndexTypeId], space: &Space) -> bool {
    Closure::of(space, types.to_vec(), lits).consistency() == Consistency::Open
}

/// Returns the universal parts of a conjunction after a step: for each instance over the elements of the match, the
/// disjuncts, and for the others the universal parts of the pre-image. If `is_whole` is true, these also concern the elements
/// at which they say the same, which then have no instance.
fn others_after(
    matched: &Matched<'_>,
    conj: &Conj,
    is_whole: bool,
    space: &Space,
) -> Result<(Vec<Disjuncts>, Vec<Universal>), Stop> {
    let (mut constraints, mut universals) = (Vec::new(), Vec::new());
    if conj.universals.is_empty() {
        return Ok((constraints, universals));
    }
    let own = conj.first_own(space);
    let symbols: Vec<Element> = (space.first_symbol()..).take(conj.symbols.len()).collect();
    for universal in &conj.universals {
        let mut excepted = universal.excepted(space.first_symbol(), &symbols);
        if let [index_type] = universal.symbols[..]
            && is_whole
        {
            let wider = matched.with_elements(&[index_type]);
            let after = |element: Element| {
                let lits: Vec<Lit> = universal.at(&Renaming::identity(), own, &[element]).collect();
                wider.disjunction_after(&lits)
            };
            if let Some((clauses, within)) = matched.clauses_of_all(index_type, &after) {
                let within: Elements = within.iter().filter(|element| !excepted.contains(element)).collect();
                let part = |lits| Universal { symbols: vec![index_type], lits, within };
                universals.extend(clauses.into_iter().map(part));
                excepted.extend(within.iter());
                for placement in placements(&matched.types, space.named.len(), &universal.symbols, &excepted) {
                    if placement.new.is_empty() {
                        constraints.push(after(placement.elements[0]).ok_or(Stop::Branches)?);
                    }
                }
                continue;
            }
        }
        for placement in placements(&matched.types, space.named.len(), &universal.symbols, &excepted) {
            let lits: Vec<Lit> = universal.at(&Renaming::identity(), own, &placement.elements).collect();
            let wider = matched.with_elements(&placement.new);
            let disjuncts = wider.disjunction_after(&lits).ok_or(Stop::Branches)?;
            if placement.new.is_empty() {
                constraints.push(disjuncts);
            } else if let Some(clauses) = universal::clauses(&disjuncts, space) {
                let part = |lits| Universal::of_others(placement.new.clone(), lits);
                universals.extend(clauses.into_iter().map(part));
            }
        }
    }
    Ok((constraints, universals))
}

/// Returns the consistent disjuncts of the conjunction of two disjunctions.
pub(crate) fn conjoined(
    all: &[Vec<Lit>],
    constraint: &[Vec<Lit>],
    types: &[IndexTypeId],
    space: &Space,
) -> Result<Disjuncts, Stop> {
    let mut found: Disjuncts = Vec::new();
    for lits in all {
        let facts = Closure::of(space, types.to_vec(), lits);
        let holds = |disjunct: &&Vec<Lit>| disjunct.iter().all(|lit| facts.entails(*lit));
        if constraint.iter().any(|disjunct| holds(&disjunct)) {
            found.push(lits.clone());
            continue;
        }
        for disjunct in constraint {
            let mut both = [lits.as_slice(), disjunct].concat();
            both.sort_unstable();
            both.dedup();
            if is_open(&both, types, space) && !found.contains(&both) {
                found.push(both);
            }
        }
    }
    if found.len() > MOST_DISJUNCTS { Err(Stop::Branches) } else { Ok(found) }
}

/// Returns the conjunction without redundant literals and symbols, or `None` if it is contradictory. The own symbols of
/// the universal parts follow the elements.
pub(crate) fn simplify(space: &Space, types: &[IndexTypeId], lits: &[Lit], universals: &[Universal]) -> Option<Conj> {
    let mut facts = Closure::of(space, types.to_vec(), lits);
    let lits: &[Lit] = &[lits, &propagated(&mut facts, universals)].concat();
    if facts.consistency() == Consistency::Contradiction {
        return None;
    }
    let mut kept: Vec<Lit> = Vec::with_capacity(lits.len());
    let mut keep = |left: Side, comparison: Comparison, right: Side| {
        if let Made::Lit(lit) = space.make(left, comparison, right, types) {
            kept.push(lit);
        }
    };
    for lit in lits.iter().filter(|lit| !lit.comparison.is_bound()) {
        let left = facts.value(lit.left);
        match lit.right {
            Side::Zero => {}
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
    kept.extend(reduced(lits, space)?);
    kept.sort_unstable();
    kept.dedup();
    let symbols = types[space.named.len()..].to_vec();
    // What all other elements have to do with a number that a rule chooses is left out.
    let is_kept = |part: &&Universal| !part.lits.iter().any(|lit| space.is_about_choice(*lit));
    let mut parts: Vec<Universal> =
        universals.iter().filter(is_kept).filter_map(|part| simplified(part, &facts)).collect();
    parts.sort_unstable();
    parts.dedup();
    let least = |part: &Universal| {
        let concerns_all = |other: &Universal| part.within.iter().all(|element| other.within.contains(element));
        let includes = |other: &Universal| other.symbols == part.symbols && is_subset(&other.lits, &part.lits);
        !parts.iter().any(|other| other != part && includes(other) && concerns_all(other))
    };
    let universals = parts.iter().filter(|part| least(part)).cloned().collect();
    Some(Conj { symbols, lits: kept, universals }.compact(space))
}

/// Adds to the facts what the instances of universal parts at the symbols that they concern say, as far as the facts leave one
/// literal of an instance. Returns these literals.
fn propagated(facts: &mut Closure<'_>, universals: &[Universal]) -> Vec<Lit> {
    let first_own = facts.types().len();
    let mut found = Vec::new();
    let mut progress = true;
    while progress && facts.consistency() == Consistency::Open {
        progress = false;
        for part in universals {
            for element in part.within.iter() {
                let instance: Vec<Lit> = part.at(&Renaming::identity(), first_own, &[element]).collect();
                if instance.iter().any(|lit| facts.entails(*lit)) {
                    continue;
                }
                let mut open = instance.into_iter().filter(|lit| !facts.refutes(*lit));
                match (open.next(), open.next()) {
                    (None, _) => facts.contradict(),
                    (Some(only), None) => {
                        let _ = facts.assert(only);
                        found.push(only);
                        progress = true;
                    }
                    (Some(_), Some(_)) => {}
                }
            }
        }
    }
    found
}

/// Returns the least set of bounds that are equivalent to those among the literals, without the numbers that rules
/// choose: these are arbitrary in every state, so that what remains is what the closure says of the others (Fourier and
/// Motzkin). Returns `None` if the bounds contradict each other.
fn reduced(lits: &[Lit], space: &Space) -> Option<Vec<Lit>> {
    let bounds: Vec<Lit> = lits.iter().filter(|lit| lit.comparison.is_bound()).copied().collect();
    if bounds.is_empty() {
        return Some(bounds);
    }
    let constraint = |lit: &Lit| (Side::Read(lit.left), lit.comparison.into(), lit.right);
    let closure = Bounds::of(bounds.iter().map(constraint))?;
    let is_choice = |side: &Side| match side {
        Side::Read(left) => {
            space.is_about_choice(Lit { left: *left, comparison: Comparison::AtMost(0), right: Side::Zero })
        }
        Side::Value(_) | Side::Zero => false,
    };
    let lit = |(left, comparison, right)| match left {
        Side::Read(left) => Some(Lit { left, comparison: Comparison::from(comparison), right }),
        Side::Value(_) | Side::Zero => None,
    };
    Some(closure.without(is_choice).reduced().into_iter().filter_map(lit).collect())
}

fn is_subset(lits: &[Lit], of: &[Lit]) -> bool {
    lits.iter().all(|lit| of.contains(lit))
}

/// Returns a universal part without the literals that the facts refute, or `None` if they entail it.
fn simplified(part: &Universal, facts: &Closure<'_>) -> Option<Universal> {
    if part.lits.iter().any(|lit| facts.entails(*lit)) {
        return None;
    }
    let lits = part.lits.iter().filter(|lit| !facts.refutes(**lit)).copied().collect();
    Some(Universal { symbols: part.symbols.clone(), lits, within: part.within })
}
