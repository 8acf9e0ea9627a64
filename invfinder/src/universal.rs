//! Universal parts of conjunctions: their instances, and when they follow from others.
//!
//! A universal part is a clause about all other elements (see [`Universal`]). Its instances are found by placing its own
//! symbols: on elements of the obligation, or on new elements that stand for any other one.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use system::{IndexTypeId, System};

use crate::brab::Stop;
use crate::closure::Closure;
use crate::literal::{Comparison, Conj, Element, Lit, MAX_ELEMENTS, Read, Renaming, Side, Space, Universal};
use crate::pre::{conjoined, simplify};

/// The largest number of clauses that the conjunctive normal form of one instance may have.
const MOST_CLAUSES: usize = 32;

/// The largest number of cases of the witnesses that axioms promise for one conjunction.
const MOST_WITNESSES: usize = 64;

/// Where the own symbols of a universal part are placed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    /// The element of each own symbol.
    pub(crate) elements: Vec<Element>,
    /// The types of the new elements, which follow the known ones.
    pub(crate) new: Vec<IndexTypeId>,
}

/// Returns all ways to place symbols of the types `wanted` on distinct elements. Elements have the given types; named ones
/// come first, and they and those in `taken` are excluded.
pub(crate) fn placements(
    types: &[IndexTypeId],
    named: usize,
    wanted: &[IndexTypeId],
    taken: &[Element],
) -> Vec<Placement> {
    let mut found = vec![Placement::default()];
    for index_type in wanted {
        let mut longer = Vec::new();
        for placement in &found {
            for (element, own) in (0u8..).zip(types).skip(named) {
                if own == index_type && !taken.contains(&element) && !placement.elements.contains(&element) {
                    let mut next = placement.clone();
                    next.elements.push(element);
                    longer.push(next);
                }
            }
            let Ok(fresh) = Element::try_from(types.len() + placement.new.len()) else { continue };
            if usize::from(fresh) < MAX_ELEMENTS {
                let mut next = placement.clone();
                next.elements.push(fresh);
                next.new.push(*index_type);
                longer.push(next);
            }
        }
        found = longer;
    }
    found
}

/// Returns whether a universal part of a more general conjunction follows under a renaming of its symbols to `chosen`:
/// each instance contains a literal that the facts entail, or is included in an instance of one of `others`. The own
/// symbols of the part are numbered from `first_own`, and those of `others` follow the elements of the facts.
pub(crate) fn follows(
    universal: &Universal,
    map: &Renaming,
    first_own: usize,
    chosen: &[Element],
    facts: &Closure<'_>,
    others: &[Universal],
    space: &Space,
) -> bool {
    let types = facts.types();
    let excepted = universal.excepted(space.first_symbol(), chosen);
    placements(types, space.named.len(), &universal.symbols, &excepted).iter().all(|placement| {
        let lits: Vec<Lit> = universal.at(map, first_own, &placement.elements).collect();
        lits.iter().any(|lit| facts.entails(*lit))
            || others.iter().any(|other| includes(other, &placement.new, &lits, facts))
    })
}

/// Returns whether each literal of some instance of a universal part over the new elements is refuted by the facts, or
/// implies one of the given literals.
fn includes(universal: &Universal, new: &[IndexTypeId], lits: &[Lit], facts: &Closure<'_>) -> bool {
    let first = facts.types().len();
    let types = [facts.types(), new].concat();
    let concerns = |element: Element| usize::from(element) >= first || universal.within.contains(element);
    let lowest = universal.within.iter().next().map_or(first, usize::from);
    let all = substitutions(&universal.symbols, &types, lowest);
    all.iter().filter(|own| own.iter().all(|element| concerns(*element))).any(|own| {
        let mut instance = universal.at(&Renaming::identity(), first, own);
        instance.all(|lit| facts.refutes(lit) || lits.iter().any(|other| implies(lit, *other)))
    })
}

/// Returns the cubes of a system's axioms, those with the most symbols first. Cubes say nothing of state variables that repeat
/// others, so that the axioms about these are left out: see [`crate::repeated`].
pub(crate) fn axioms(system: &System, space: &Space) -> Vec<Conj> {
    let mut all: Vec<Conj> =
        system.axioms.iter().flat_map(|axiom| axiom.bad.iter().map(|cube| Conj::from_cube(cube, space))).collect();
    all.retain(|conj| !conj.universals.iter().flat_map(|part| &part.lits).any(|lit| space.is_about_repeated(*lit)));
    all.sort_by_key(|conj| Reverse(conj.symbols.len()));
    all
}

/// Returns conjunctions that together are as general as the given one in states that satisfy the axioms, with the
/// witnesses that the axioms promise for its symbols as symbols, or as literals about its symbols.
///
/// # Errors
/// Returns an error if there are too many.
pub(crate) fn with_witnesses(conj: Conj, axioms: &[Conj], wanted: Wanted, space: &Space) -> Result<Vec<Conj>, Stop> {
    let (mut waiting, mut done) = (vec![conj], Vec::new());
    while let Some(conj) = waiting.pop() {
        match missing_witness(&conj, axioms, wanted, space)? {
            Some(cases) => waiting.extend(cases),
            None => done.push(conj),
        }
        if waiting.len() + done.len() > MOST_WITNESSES {
            // The conjunctions without a witness are as general.
            done.append(&mut waiting);
        }
    }
    Ok(done)
}

/// Which witnesses become elements of a conjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All, where universal parts concern other elements only.
    Kept,
    /// All, where universal parts concern elements of the conjunction as well.
    All,
    /// Of these, those about which two universal parts say more, and those of which nothing is said.
    Two,
}

impl Wanted {
    /// Returns whether the witness that one of some universal parts does not hold of is wanted.
    fn wants(
        self,
        conj: &Conj,
        parts: &[(Universal, Vec<Placement>)],
        (map, first_own): (&Renaming, usize),
        space: &Space,
    ) -> bool {
        let own = conj.first_own(space);
        let says_more = |part: &Universal, about: &Universal, place: &Placement| {
            let known: Vec<Lit> = about.at(map, first_own, &place.elements).collect();
            part.symbols == about.symbols
                && part.at(&Renaming::identity(), own, &place.elements).any(|lit| known.contains(&lit))
        };
        let count = |(about, places): &(Universal, Vec<Placement>)| {
            let new = places.iter().find(|place| place.new.len() == about.symbols.len());
            new.map_or(0, |place| conj.universals.iter().filter(|part| says_more(part, about, place)).count())
        };
        let is_silent = |(part, _): &(Universal, Vec<Placement>)| part.lits.is_empty();
        self != Self::Two || parts.iter().any(|part| count(part) > 1 || is_silent(part))
    }
}

/// Which axioms have consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consequences {
    /// Those about numbers of elements.
    OfNumbers,
    /// Also those that say that different elements of an ordered type have different ranks, and what these are at most and at least.
    OfOrder,
}

/// Returns the conjunction with the bounds that follow from it and one of these axioms each, or `None` if it contradicts one.
pub(crate) fn with_consequences(conj: &Conj, axioms: &[Conj], which: Consequences, space: &Space) -> Option<Conj> {
    let types = conj.types(space);
    let mut facts = Closure::of(space, types.clone(), &conj.lits);
    let is_about_order = |axiom: &Conj| {
        let about_two =
            |lit: &Lit| lit.comparison.is_bound() && lit.right.read().is_some_and(|read| is_other(*lit, read));
        which == Consequences::OfOrder && axiom.lits.len() == 2 && axiom.lits.iter().all(about_two)
    };
    // What a rank is at most and at least decides about the order.
    let is_limit = |axiom: &&Conj| {
        let about_rank = |lit: &Lit| lit.comparison.is_bound() && space.is_rank(lit.left);
        which == Consequences::OfOrder
            && axiom.universals.is_empty()
            && matches!(&axiom.lits[..], [only] if about_rank(only))
    };
    let is_relevant = |axiom: &&Conj| {
        let about_count = axiom.lits.iter().any(|lit| space.is_about_count(*lit));
        axiom.universals.is_empty() && !is_limit(axiom) && (about_count || is_about_order(axiom))
    };
    let mut extended = conj.clone();
    for axiom in axioms.iter().filter(is_limit).chain(axioms.iter().filter(is_relevant)) {
        for chosen in substitutions(&axiom.symbols, &types, space.named.len()) {
            let map = Renaming::onto(space.named.len(), &chosen);
            let open: Vec<Lit> =
                axiom.lits.iter().map(|lit| lit.rename(&map)).filter(|lit| !facts.entails(*lit)).collect();
            let [only] = open[..] else {
                if open.is_empty() {
                    return None;
                }
                continue;
            };
            if only.comparison.is_bound() && !facts.refutes(only) {
                let lit = space.negate(only);
                let _ = facts.assert(lit);
                extended.lits.push(lit);
            }
        }
    }
    extended.lits.sort_unstable();
    extended.lits.dedup();
    Some(extended)
}

/// Returns whether a literal is about a state variable at one element, and at another one by this read.
fn is_other(lit: Lit, read: Read) -> bool {
    lit.left.variable() == read.variable() && lit.left != read
}

/// Returns the cases of the first witness that an axiom promises and that the conjunction does not have.
fn missing_witness(conj: &Conj, axioms: &[Conj], wanted: Wanted, space: &Space) -> Result<Option<Vec<Conj>>, Stop> {
    let types = conj.types(space);
    let facts = Closure::of(space, types.clone(), &conj.lits);
    if let Some(cases) = majority_cases(conj, &facts, axioms, space) {
        return Ok(Some(cases));
    }
    let symbols: Vec<Element> = (space.first_symbol()..).take(conj.symbols.len()).collect();
    // That an element exists matters only if something is known about all elements of its type.
    let says_more = |part: &Universal| {
        !part.lits.is_empty()
            || conj.universals.iter().any(|own| part.symbols.iter().any(|symbol| own.symbols.contains(symbol)))
    };
    let promises = |axiom: &&Conj| !axiom.universals.is_empty() && axiom.universals.iter().all(says_more);
    for axiom in axioms.iter().filter(promises) {
        let first_own = axiom.first_own(space);
        for chosen in substitutions(&axiom.symbols, &types, space.named.len()) {
            let map = Renaming::onto(space.named.len(), &chosen);
            if !axiom.lits.iter().all(|lit| facts.entails(lit.rename(&map))) {
                continue;
            }
            let part = |part: &Universal| (part.clone(), placements(&types, space.named.len(), &part.symbols, &chosen));
            let parts: Vec<(Universal, Vec<Placement>)> = axiom.universals.iter().map(part).collect();
            let mut all = parts.iter().flat_map(|(part, places)| places.iter().map(move |place| (part, place)));
            let known = |(part, place): (&Universal, &Placement)| {
                place.new.is_empty() && part.at(&map, first_own, &place.elements).all(|lit| facts.refutes(lit))
            };
            if all.any(known) {
                continue;
            }
            if !wanted.wants(conj, &parts, (&map, first_own), space) {
                continue;
            }
            let mut cases = Vec::new();
            for (part, place) in parts.iter().flat_map(|(part, places)| places.iter().map(move |place| (part, place))) {
                let wider = [types.as_slice(), &place.new].concat();
                let negated = part.at(&map, first_own, &place.elements).map(|lit| space.negate(lit));
                let lits: Vec<Lit> = conj.lits.iter().copied().chain(negated).collect();
                let told = if part.lits.is_empty() { &[] } else { &place.elements[..] };
                let witnesses = (wanted != Wanted::Kept).then_some(told);
                cases.extend(with_new(conj, &symbols, &lits, (&wider, witnesses), space)?);
            }
            // A new element of which nothing follows is no progress.
            let says_no_more =
                |case: &Conj| case.symbols.len() <= conj.symbols.len() && case.lits.len() <= conj.lits.len();
            if wanted != Wanted::Kept && cases.iter().any(says_no_more) {
                continue;
            }
            return Ok(Some(cases));
        }
    }
    Ok(None)
}

/// Returns the cases of an axiom that two numbers of elements are not both majorities, if the conjunction says that some
/// number is one, so that candidates can be about these numbers.
fn majority_cases(conj: &Conj, facts: &Closure<'_>, axioms: &[Conj], space: &Space) -> Option<Vec<Conj>> {
    let is_about_majorities = |axiom: &&Conj| {
        let about = |lit: &Lit| space.is_about_count(*lit) && lit.comparison.is_bound() && lit.right.read().is_some();
        axiom.symbols.is_empty() && axiom.universals.is_empty() && axiom.lits.len() == 2 && axiom.lits.iter().all(about)
    };
    let bounds: Vec<&Lit> = conj.lits.iter().filter(|lit| lit.comparison.is_bound()).collect();
    let is_above = |own: &Lit, read: Read| match own.comparison {
        Comparison::AtLeast(_) => own.right == Side::Read(read),
        Comparison::AtMost(_) => own.left == read && own.right != Side::Zero,
        Comparison::Equal | Comparison::Different => false,
    };
    let says_so = |lit: &Lit| {
        let limits = [Some(lit.left), lit.right.read()].into_iter().flatten().filter(|read| !space.is_count(*read));
        limits.into_iter().any(|limit| bounds.iter().any(|own| is_above(own, limit)))
    };
    let is_open = |axiom: &&Conj| !axiom.lits.iter().any(|lit| facts.refutes(*lit));
    let mut relevant = axioms.iter().filter(is_about_majorities).filter(|axiom| axiom.lits.iter().any(says_so));
    let axiom = relevant.find(is_open)?;
    let case = |lit: &Lit| {
        let lits: Vec<Lit> = conj.lits.iter().copied().chain([space.negate(*lit)]).collect();
        simplify(space, &conj.types(space), &lits, &conj.universals)
    };
    Some(axiom.lits.iter().filter_map(case).collect())
}

/// Returns the disjuncts of a conjunction with these literals and more elements, which its universal parts concern. If the
/// parts concern elements of the conjunction as well, these are their instances at `witnesses`.
fn with_new(
    conj: &Conj,
    symbols: &[Element],
    lits: &[Lit],
    (types, witnesses): (&[IndexTypeId], Option<&[Element]>),
    space: &Space,
) -> Result<Vec<Conj>, Stop> {
    let mut disjuncts = vec![lits.to_vec()];
    let mut universals = Vec::new();
    let first_own = conj.first_own(space);
    for part in &conj.universals {
        if let ([_], Some(witnesses)) = (&part.symbols[..], witnesses) {
            let excepted = part.excepted(space.first_symbol(), symbols);
            for place in placements(types, space.named.len(), &part.symbols, &excepted) {
                if place.new.is_empty() && witnesses.contains(&place.elements[0]) {
                    let instance = part.at(&Renaming::identity(), first_own, &place.elements);
                    disjuncts = conjoined(&disjuncts, &one_of(instance), types, space)?;
                }
            }
            let new = (0u8..).zip(types).skip(first_own).filter(|(_, own)| **own == part.symbols[0]);
            let within = part.within.iter().chain(new.map(|(element, _)| element));
            let within = within.filter(|element| !witnesses.contains(element)).collect();
            let fresh = Element::try_from(types.len()).unwrap_or(Element::MAX);
            let lits = part.at(&Renaming::identity(), first_own, &[fresh]).collect();
            universals.push(Universal { symbols: part.symbols.clone(), lits, within });
            continue;
        }
        for place in placements(types, space.named.len(), &part.symbols, symbols) {
            let lits: Vec<Lit> = part.at(&Renaming::identity(), first_own, &place.elements).collect();
            if place.new.is_empty() {
                disjuncts = conjoined(&disjuncts, &one_of(lits), types, space)?;
            } else {
                universals.push(Universal::of_others(place.new.clone(), lits));
            }
        }
    }
    Ok(disjuncts.iter().filter_map(|lits| simplify(space, types, lits, &universals)).collect())
}

/// Returns the disjuncts that say that one of the literals holds.
fn one_of(lits: impl IntoIterator<Item = Lit>) -> Vec<Vec<Lit>> {
    lits.into_iter().map(|lit| vec![lit]).collect()
}

/// Returns the conjunction with one more universal part, and the cases in which that does not hold.
///
/// # Errors
/// Returns an error if there are too many.
pub(crate) fn by_part(conj: &Conj, part: &Universal, space: &Space) -> Result<(Option<Conj>, Vec<Conj>), Stop> {
    let types = conj.types(space);
    let parts = [conj.universals.as_slice(), std::slice::from_ref(part)].concat();
    let holds = simplify(space, &types, &conj.lits, &parts);
    let symbols: Vec<Element> = (space.first_symbol()..).take(conj.symbols.len()).collect();
    let mut cases = Vec::new();
    let excepted = part.excepted(space.first_symbol(), &symbols);
    for place in placements(&types, space.named.len(), &part.symbols, &excepted) {
        let own = part.at(&Renaming::identity(), conj.first_own(space), &place.elements);
        let lits: Vec<Lit> = conj.lits.iter().copied().chain(own.map(|lit| space.negate(lit))).collect();
        let types = [types.as_slice(), &place.new].concat();
        cases.extend(with_new(conj, &symbols, &lits, (&types, Some(&place.elements)), space)?);
    }
    Ok((holds, cases))
}

/// Returns conjunctions that together are as general as the given one, and whose universal parts concern no symbols of
/// theirs.
///
/// # Errors
/// Returns an error if there are too many.
pub(crate) fn about_others(conj: &Conj, space: &Space) -> Result<Vec<Conj>, Stop> {
    let types = conj.types(space);
    let mut disjuncts = vec![conj.lits.clone()];
    let mut universals = Vec::new();
    for part in &conj.universals {
        for element in part.within.iter() {
            let lits = part.at(&Renaming::identity(), conj.first_own(space), &[element]);
            disjuncts = conjoined(&disjuncts, &one_of(lits), &types, space)?;
        }
        universals.push(Universal::of_others(part.symbols.clone(), part.lits.clone()));
    }
    Ok(disjuncts.iter().filter_map(|lits| simplify(space, &types, lits, &universals)).collect())
}

/// Returns all injective maps from symbols with these types to the elements from the given number on.
pub(crate) fn substitutions(symbols: &[IndexTypeId], types: &[IndexTypeId], first: usize) -> Vec<Vec<Element>> {
    let mut found = vec![Vec::new()];
    for symbol in symbols {
        let mut longer = Vec::new();
        for partial in &found {
            for (element, index_type) in (0u8..).zip(types).skip(first) {
                if index_type == symbol && !partial.contains(&element) {
                    let mut next = partial.clone();
                    next.push(element);
                    longer.push(next);
                }
            }
        }
        found = longer;
    }
    found
}

/// Returns whether one literal implies another by itself.
pub(crate) fn implies(lit: Lit, other: Lit) -> bool {
    lit == other
        || match (lit.right, other.right) {
            (Side::Value(a), Side::Value(b)) => {
                lit.left == other.left
                    && lit.comparison == Comparison::Equal
                    && other.comparison == Comparison::Different
                    && a != b
            }
            (Side::Value(_), _) => false,
            (Side::Read(_) | Side::Zero, _) if (lit.left, lit.right) != (other.left, other.right) => false,
            (Side::Read(_) | Side::Zero, _) => match (lit.comparison, other.comparison) {
                (Comparison::AtMost(own), Comparison::AtMost(sum)) => own <= sum,
                (Comparison::AtLeast(own), Comparison::AtLeast(sum)) => own >= sum,
                (Comparison::Equal | Comparison::Different | Comparison::AtMost(_) | Comparison::AtLeast(_), _) => {
                    false
                }
            },
        }
}

/// Returns the clauses whose conjunction is a disjunction of conjunctions, without those that always hold, or `None` if
/// there are too many. Leaving out a clause makes the result more general.
pub(crate) fn clauses(disjuncts: &[Vec<Lit>], space: &Space) -> Option<Vec<Vec<Lit>>> {
    let mut clauses: BTreeSet<Vec<Lit>> = BTreeSet::from([Vec::new()]);
    for disjunct in disjuncts {
        let mut longer = BTreeSet::new();
        for clause in &clauses {
            for lit in disjunct {
                if clause.iter().any(|own| space.negate(*own) == *lit) {
                    continue;
                }
                let mut next = clause.clone();
                if !next.iter().any(|own| implies(*lit, *own)) {
                    next.retain(|own| !implies(*own, *lit));
                    next.push(*lit);
                    next.sort_unstable();
                }
                longer.insert(next);
            }
        }
        if longer.len() > MOST_CLAUSES {
            return None;
        }
        clauses = longer;
    }
    let least: Vec<Vec<Lit>> = clauses
        .iter()
        .filter(|clause| !clauses.iter().any(|other| other != *clause && other.iter().all(|lit| clause.contains(lit))))
        .cloned()
        .collect();
    Some(least)
}
