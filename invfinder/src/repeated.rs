//! Literals about state variables that repeat others at elements with other ranks.
//!
//! A loop that moves what is in a queue gives each place what was in the next one, which the system reads from a state variable of
//! its own; see [`system::System::repeats`]. A cube says nothing of these variables: what a pre-image says of one at some
//! element, it says of the one that is repeated at the element with the other rank. That one is an element of the cube, or a
//! new one. An axiom says that it exists.

use crate::brab::Stop;
use crate::closure::Closure;
use crate::literal::{Comparison, Conj, Element, Lit, MAX_ELEMENTS, Read, Repeated, Side, Space};
use crate::pre::simplify;

/// Adds conjunctions that together are as general as the given one, and say nothing of a state variable that repeats another.
///
/// # Errors
/// Returns an error if there are too many elements.
pub(crate) fn resolved(conj: Conj, space: &Space, found: &mut Vec<Conj>) -> Result<(), Stop> {
    let is_said = |lit: &Lit| space.is_about_repeated(*lit);
    let mut open = vec![conj];
    while let Some(mut conj) = open.pop() {
        // Without a universal part, the conjunction is more general.
        conj.universals.retain(|part| !part.lits.iter().any(is_said));
        let reads = conj.lits.iter().flat_map(|lit| [Some(lit.left), lit.right.read()]).flatten();
        let first = reads.into_iter().find_map(|read| Some((read, space.repeated(read)?)));
        match first {
            Some((read, repeated)) => open.extend(placed(&conj, read, repeated, space)?),
            None => found.push(conj),
        }
    }
    Ok(())
}

/// Returns the cases of a conjunction by which element has the rank at which a read repeats, with this one in its place.
fn placed(conj: &Conj, read: Read, repeated: Repeated, space: &Space) -> Result<Vec<Conj>, Stop> {
    let Repeated { of, position, by, rank } = repeated;
    let types = conj.types(space);
    let facts = Closure::of(space, types.clone(), &conj.lits);
    let (Some(own), Some(index_type)) = (read.arguments().nth(position), space.arguments[rank.index()].first()) else {
        return Ok(Vec::new());
    };
    let at = |element: Element| Read::new(rank, std::iter::once(element));
    let is_next = |element: Element| -> [Lit; 2] {
        // The smaller read is on the left of a literal.
        let (left, right, by) = if at(element) < at(own) { (element, own, by) } else { (own, element, -by) };
        let by = i32::try_from(by).unwrap_or(i32::MAX);
        [Comparison::AtMost(by), Comparison::AtLeast(by)].map(|comparison| Lit {
            left: at(left),
            comparison,
            right: Side::Read(at(right)),
        })
    };
    let fresh = Element::try_from(types.len()).ok().filter(|_| types.len() < MAX_ELEMENTS).ok_or(Stop::Elements)?;
    let known = (0u8..).zip(&types).filter(|(element, own_type)| *own_type == index_type && *element != own);
    let mut elements: Vec<Element> = known.map(|(element, _)| element).collect();
    if let Some(only) = elements.iter().find(|element| is_next(**element).into_iter().all(|lit| facts.entails(lit))) {
        elements = vec![*only];
    } else {
        elements.push(fresh);
    }
    let wider = [types.as_slice(), &[*index_type]].concat();
    let mut cases = Vec::new();
    for element in elements {
        let replace = |own: Read| if own == read { own.moved(of, position, element) } else { own };
        let mut lits: Vec<Lit> = is_next(element).to_vec();
        let mut is_possible = true;
        for lit in &conj.lits {
            let lit = &by_rank(*lit, (at(own), at(element)), by);
            let right = match lit.right {
                Side::Read(own) => Side::Read(replace(own)),
                Side::Value(_) | Side::Zero => lit.right,
            };
            match space.make(Side::Read(replace(lit.left)), lit.comparison, right, &wider) {
                crate::literal::Made::Lit(lit) => lits.push(lit),
                crate::literal::Made::True => {}
                crate::literal::Made::False => is_possible = false,
            }
        }
        lits.sort_unstable();
        lits.dedup();
        // A new element has the number of the first one of a universal part, without which the conjunction is more general.
        let (own_types, universals) = if element == fresh { (&wider, &[][..]) } else { (&types, &conj.universals[..]) };
        if is_possible {
            cases.extend(simplify(space, own_types, &lits, universals));
        }
    }
    Ok(cases)
}

/// Returns a bound of the rank of an element as one of the rank of another element, which is greater by a number, so that the
/// first element need not be kept for it.
fn by_rank(lit: Lit, (own, other): (Read, Read), by: i64) -> Lit {
    if !lit.comparison.is_bound() {
        return lit;
    }
    let (mut moved, mut sum) = (lit, 0);
    if lit.left == own {
        (moved.left, sum) = (other, sum + by);
    }
    if lit.right == Side::Read(own) {
        (moved.right, sum) = (Side::Read(other), sum - by);
    }
    Lit { comparison: lit.comparison.shifted(sum), ..moved }
}
