//! Pre-images in which state variables point to the elements that matter, and nothing is said of idle elements.
//!
//! In plain mode, a universal guard is taken at the elements of a cube. A protocol with messages needs it elsewhere, too: that
//! no acknowledgement is awaited of any node contradicts a message that acknowledges, at the node that the message is *from*.
//! [`cases`] distinguishes where a state variable points to, if this helps.
//!
//! A cube that says of an element only what holds of every element initially needs one more element, and says nothing about
//! it: a larger instance has an idle node or a free slot. [`Reduction`] leaves such elements out, as in monotonic
//! abstraction (Abdulla, Delzanno, Ben Henda and Rezine, TACAS 2007, section 4).

use system::{ConstantId, Formula, IndexTypeId, IndexVariableId, System, VariableId};

use crate::approx::Reachable;
use crate::closure::Closure;
use crate::literal::{Comparison, Conj, Datum, Element, Lit, MAX_ELEMENTS, Read, Side, Space};
use crate::pre::simplify;
use crate::weakest_precondition::{Branch, Matched};

/// What is left out of the cubes of a system.
#[derive(Debug)]
pub(crate) struct Reduction {
    /// For each state variable, the constant that it has initially at all elements.
    initial: Vec<Option<ConstantId>>,
}

impl Reduction {
    pub(crate) fn new(system: &System) -> Self {
        let variables = (0..).map(VariableId).take(system.variables.len());
        Self { initial: variables.map(|variable| initially(system, variable)).collect() }
    }

    /// Returns a cube without what is left out. It is at least as general.
    pub(crate) fn reduced(&self, conj: Conj, reachable: &dyn Reachable, space: &Space) -> Conj {
        if conj.universals.is_empty() {
            without_implied(self.without_idle(conj, space), reachable, space)
        } else {
            conj
        }
    }

    /// Returns the cube without elements of which it only says what holds of all elements initially.
    fn without_idle(&self, mut conj: Conj, space: &Space) -> Conj {
        let symbols = (space.first_symbol()..).take(conj.symbols.len());
        let is_idle = |symbol: &Element| {
            conj.lits
                .iter()
                .filter(|lit| lit.elements().any(|element| element == *symbol))
                .all(|lit| self.is_initial(*lit))
        };
        let idle: Vec<Element> = symbols.filter(is_idle).collect();
        let is_kept = |lit: &Lit| !lit.elements().any(|element| idle.contains(&element));
        if idle.is_empty() || !conj.lits.iter().any(is_kept) {
            return conj;
        }
        conj.lits.retain(is_kept);
        conj.compact(space)
    }

    fn is_initial(&self, lit: Lit) -> bool {
        constant_of(lit).is_some_and(|constant| self.initial[lit.left.variable().index()] == Some(constant))
    }
}

/// Returns the constant that a state variable has at all elements in all initial states.
fn initially(system: &System, variable: VariableId) -> Option<ConstantId> {
    let mut constants = system.startstates.iter().map(|start| match start.update_of(variable)?.value {
        system::Value::Term(system::Term::Constant(constant)) => Some(constant),
        system::Value::Term(_) | system::Value::Sum(..) | system::Value::Arbitrary | system::Value::If(..) => None,
    });
    let first = constants.next()??;
    constants.all(|constant| constant == Some(first)).then_some(first)
}

/// Returns the constant that a literal says a state variable has.
fn constant_of(lit: Lit) -> Option<ConstantId> {
    match lit.right {
        Side::Value(value) if lit.comparison.is_equal() => value.as_constant(),
        Side::Value(_) | Side::Read(_) | Side::Zero => None,
    }
}

/// Returns the cube without truth values that, in all known states, follow from the constant that another state variable
/// has at the same elements: that there is a message follows from what it says.
fn without_implied(mut conj: Conj, reachable: &dyn Reachable, space: &Space) -> Conj {
    let mut position = 0;
    while position < conj.lits.len() {
        let lit = conj.lits[position];
        let domain = space.domain(lit.left);
        let is_truth = domain.constants.len() == 2 && domain.index_types.is_empty();
        let implies = |other: &Lit| {
            let same_elements = other.left != lit.left && other.left.arguments().eq(lit.left.arguments());
            let lits = || vec![*other, space.negate(lit)];
            let without =
                || Conj { symbols: conj.symbols.clone(), lits: lits(), universals: Vec::new() }.compact(space);
            same_elements && constant_of(*other).is_some() && !reachable.admits(&without())
        };
        if is_truth && lit.left.arguments().next().is_some() && conj.lits.iter().any(implies) {
            conj.lits.remove(position);
        } else {
            position += 1;
        }
    }
    conj
}

/// Returns the cases of a branch by where a state variable points to, such that no known state satisfies those with a new
/// element, at which the universal guards are taken; or nothing if no state variable does.
pub(crate) fn cases(
    matched: &Matched<'_>,
    branch: &Branch<'_>,
    lits: &[Lit],
    reachable: &dyn Reachable,
    space: &Space,
) -> Option<Vec<Conj>> {
    let types = &matched.types;
    let fresh = Element::try_from(types.len()).ok().filter(|_| types.len() < MAX_ELEMENTS)?;
    let facts = Closure::of(space, types.clone(), lits);
    let unknown = pointers(matched, branch, types, space).into_iter().filter(|(read, _)| facts.value(*read).is_none());
    for (read, index_type) in unknown {
        let with = |value: Datum| {
            let mut with = lits.to_vec();
            with.push(Lit { left: read, comparison: Comparison::Equal, right: Side::Value(value) });
            with.sort_unstable();
            with
        };
        let wider = matched.with_elements(&[index_type]);
        let at_new = Branch { lits: with(Datum::element(fresh)), universals: branch.universals.clone() };
        let guarded = wider.strengthen(&at_new, &wider.instances(&at_new, &wider.types))?;
        let guarded: Vec<Conj> = guarded.iter().filter_map(|lits| simplify(space, &wider.types, lits, &[])).collect();
        if guarded.iter().any(|conj| reachable.admits(conj)) {
            continue;
        }
        let elements =
            (0u8..).zip(types).filter(|(_, own)| **own == index_type).map(|(element, _)| Datum::element(element));
        let constants = space.domain(read).constants.iter().map(|constant| Datum::constant(*constant));
        let others = elements.chain(constants).filter_map(|value| simplify(space, types, &with(value), &[]));
        return Some(guarded.into_iter().chain(others).collect());
    }
    None
}

/// Returns the reads at the elements that may point to elements of a type over which a universal guard of the branch
/// quantifies, each with this type.
pub(crate) fn pointers(
    matched: &Matched<'_>,
    branch: &Branch<'_>,
    types: &[IndexTypeId],
    space: &Space,
) -> Vec<(Read, IndexTypeId)> {
    let mut wanted = Vec::new();
    for (variable, body) in &branch.universals {
        quantified(matched, *variable, body, &mut wanted);
    }
    let mut found = Vec::new();
    for (number, domain) in (0..).zip(&space.domains) {
        if let [index_type] = domain.index_types[..]
            && wanted.contains(&index_type)
        {
            found.extend(space.reads(VariableId(number), types).into_iter().map(|read| (read, index_type)));
        }
    }
    found
}

/// Adds the types over which a universal formula quantifies.
fn quantified(matched: &Matched<'_>, variable: IndexVariableId, body: &Formula, found: &mut Vec<IndexTypeId>) {
    found.push(matched.step().scope[variable.index()].index_type);
    if let Formula::Forall(next, body) = body {
        quantified(matched, *next, body, found);
    }
}
