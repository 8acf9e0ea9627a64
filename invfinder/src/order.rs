//! The order of the elements of a cube.
//!
//! Whether a node is between two others, such as on a ring, depends on the order of all three. A rule compares two elements at a
//! time, so that no literal of a pre-image may say how the third one compares with them, and then none of its approximations
//! does. [`in_order`] distinguishes the cases.

use system::IndexTypeId;

use crate::closure::{Closure, Consistency};
use crate::literal::{Comparison, Conj, Lit, Renaming, Space};
use crate::universal::{implies, substitutions};

/// The largest number of cases of one conjunction: four elements have so many orders.
const MOST_CASES: usize = 24;

/// Returns conjunctions that together are as general as the given one in states that satisfy the axioms, each of which says of
/// any two elements of an ordered type which one comes first, if it does not follow from axioms. If there are too many, the
/// conjunction itself is returned.
pub(crate) fn in_order(conj: Conj, axioms: &[Conj], space: &Space) -> Vec<Conj> {
    let order = Order::new(&conj, axioms, space);
    let Some(anyway) = order.facts(&[]) else { return Vec::new() };
    let mut conj = conj;
    conj.lits.retain(|lit| !lit.comparison.is_bound() || !anyway.entails(*lit));
    let (mut waiting, mut done) = (vec![conj.clone()], Vec::new());
    while let Some(case) = waiting.pop() {
        let Some(facts) = order.facts(&case.lits) else { continue };
        let strict = |lits: &Vec<Lit>| lits.iter().map(|lit| space.negate(*lit)).collect::<Vec<Lit>>();
        let is_open = |lits: &&Vec<Lit>| !strict(lits).iter().any(|lit| facts.entails(*lit));
        if let Some(lits) = order.pairs.iter().find(is_open) {
            waiting.extend(strict(lits).into_iter().map(|lit| with(&case, [lit])));
        } else {
            let all = order.pairs.iter().flat_map(strict);
            let order: Vec<Lit> = all.filter(|lit| facts.entails(*lit) && !anyway.entails(*lit)).collect();
            let mut case = case;
            case.lits.retain(|own| order.contains(own) || !order.iter().any(|lit| implies(*lit, *own)));
            done.push(with(&case, order));
        }
        if waiting.len() + done.len() > MOST_CASES {
            return vec![conj];
        }
    }
    done
}

/// Returns pairs of conjunctions that are together as general as the given one: an axiom says that two bounds do not both hold, such
/// as that two nodes have different numbers, and the conjunction decides neither of them.
pub(crate) fn in_two_cases(conj: &Conj, axioms: &[Conj], space: &Space) -> Vec<[Conj; 2]> {
    let types = conj.types(space);
    let facts = Closure::of(space, types.clone(), &conj.lits);
    let is_open = |lit: Lit| !facts.entails(lit) && !facts.refutes(lit);
    let cases = |lits: Vec<Lit>| match lits[..] {
        [one, other] if is_open(one) && is_open(other) => Some([one, other].map(|lit| with(conj, [space.negate(lit)]))),
        _ => None,
    };
    instances(axioms, 2, &types, space).into_iter().filter_map(cases).collect()
}

/// What axioms say of the order of the elements of a conjunction.
struct Order<'a> {
    space: &'a Space,
    types: Vec<IndexTypeId>,
    /// Bounds that hold.
    known: Vec<Lit>,
    /// For any two elements, two literals that do not both hold: that the first one is not after, and not before the second one.
    pairs: Vec<Vec<Lit>>,
}

impl<'a> Order<'a> {
    fn new(conj: &Conj, axioms: &[Conj], space: &'a Space) -> Self {
        let types = conj.types(space);
        let known = instances(axioms, 1, &types, space).into_iter().flatten().map(|lit| space.negate(lit)).collect();
        let mut pairs = instances(axioms, 2, &types, space);
        pairs.retain(|lits| lits.iter().all(|lit| is_of_two(*lit, space)));
        Self { space, types, known, pairs }
    }

    /// Returns what follows from literals and the axioms, or `None` if they contradict each other.
    fn facts(&self, lits: &[Lit]) -> Option<Closure<'a>> {
        let mut facts = Closure::of(self.space, self.types.clone(), lits);
        for lit in &self.known {
            let _ = facts.assert(*lit);
        }
        let mut progress = true;
        while progress && facts.consistency() == Consistency::Open {
            progress = false;
            for lits in &self.pairs {
                let open: Vec<Lit> = lits.iter().filter(|lit| !facts.entails(**lit)).copied().collect();
                match open[..] {
                    [] => facts.contradict(),
                    [only] if !facts.refutes(only) => {
                        let _ = facts.assert(self.space.negate(only));
                        progress = true;
                    }
                    _ => {}
                }
            }
        }
        (facts.consistency() == Consistency::Open).then_some(facts)
    }
}

/// Returns whether a literal says more than the order of elements: how far an element is from another one or from a number, or
/// where it is in its type, by a bound of a parameter.
pub(crate) fn is_distance(lit: Lit, space: &Space) -> bool {
    let Some(right) = lit.right.read() else { return false };
    let sum = match lit.comparison {
        Comparison::AtMost(sum) => sum,
        Comparison::AtLeast(sum) => -sum,
        Comparison::Equal | Comparison::Different => return false,
    };
    match (space.is_rank(lit.left), space.is_rank(right)) {
        (true, true) => sum != -1,
        (true, false) => space.is_parameter(right) || (sum != -1 && sum != 0),
        (false, true) => space.is_parameter(lit.left) || (sum != -1 && sum != 0),
        (false, false) => false,
    }
}

/// Returns whether a literal compares the ranks of two elements.
fn is_of_two(lit: Lit, space: &Space) -> bool {
    lit.right.read().is_some_and(|right| space.is_rank(lit.left) && space.is_rank(right))
}

/// Returns the instances of the axioms with so many literals, all of them bounds, over elements of these types.
fn instances(axioms: &[Conj], count: usize, types: &[IndexTypeId], space: &Space) -> Vec<Vec<Lit>> {
    let mut found = Vec::new();
    let bounds = |axiom: &&Conj| {
        axiom.universals.is_empty()
            && axiom.lits.len() == count
            && axiom.lits.iter().all(|lit| lit.comparison.is_bound())
    };
    for axiom in axioms.iter().filter(bounds) {
        for chosen in substitutions(&axiom.symbols, types, space.named.len()) {
            let map = Renaming::onto(space.named.len(), &chosen);
            found.push(axiom.lits.iter().map(|lit| lit.rename(&map)).collect());
        }
    }
    found
}

fn with(conj: &Conj, lits: impl IntoIterator<Item = Lit>) -> Conj {
    let mut case = conj.clone();
    case.lits.extend(lits);
    case.lits.sort_unstable();
    case.lits.dedup();
    case
}
