//! Brings guards into a form without `exists`, and negated properties into cubes.
//!
//! The existential quantifiers of a guard split the rule into cases. The negation of a property becomes a disjunction
//! of cubes in normal form, with universal parts for what it says about all elements (see [`super::universals`]).
//! Nothing is approximated: if the quantifiers do not allow it, the result is a [`Reason`].

use std::collections::BTreeSet;
use std::convert::Infallible;

use super::branches::split;
use super::logic::{Facts, and, not, or, same_up_to_bound, simplify, substitute};
use super::reason::Reason;
use super::universals::{Under, forall, prefix};
use super::universe::Universe;
use system::walk::Rewrite;
use system::{Comparison, Cube, Formula, IndexTerm, IndexTypeId, IndexVariableId, Literal, Role, System, Term};

/// The largest number of disjuncts that are expanded.
pub(super) const MOST_DISJUNCTS: usize = 20_000;

/// The largest number of elements that one cube of a property or assumption is about.
pub(super) const MOST_ELEMENTS: usize = 8;

/// With more disjuncts than this, those that another one makes superfluous are dropped during the expansion.
const FEW_DISJUNCTS: usize = 16;

/// What becomes of an `exists` below a `forall`, for which there is no parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BelowForall {
    /// The guard is refused.
    Refused,
    /// It is kept, for [`super::alternations`].
    Kept,
}

/// Splits a formula into the guards of rules, none of which is false: without `exists`, but for those below a `forall`, and with
/// few cases. The quantified variables become parameters.
pub(super) fn guards(universe: &mut Universe, formula: &Formula, below: BelowForall) -> Result<Vec<GuardCase>, Reason> {
    let mut guards = Vec::new();
    let cases = without_exists(universe, formula, below)?;
    for GuardCase { witnesses, guard } in possible(universe, cases) {
        let pieces = split(guard)?.into_iter();
        guards.extend(pieces.map(|guard| GuardCase { witnesses: witnesses.clone(), guard }));
    }
    Ok(guards)
}

/// Splits a guard into guards without `exists`, but for those below a `forall`.
///
/// A disjunction is split only if a disjunct has an `exists`, so that the parameters of one disjunct do not restrict
/// another if an index type is empty.
fn without_exists(universe: &mut Universe, guard: &Formula, below: BelowForall) -> Result<Vec<GuardCase>, Reason> {
    let plain = |guard: Formula| GuardCase { witnesses: Vec::new(), guard };
    if !has_exists(guard) {
        return Ok(vec![plain(guard.clone())]);
    }
    match guard {
        Formula::And(parts) => {
            let mut cases = vec![plain(Formula::True)];
            for part in factored(universe, parts) {
                let more = without_exists(universe, &part, below)?;
                cases = cases.iter().flat_map(|one| more.iter().map(move |other| one.joined(other))).collect();
                if cases.len() > FEW_DISJUNCTS && more.len() > 1 {
                    cases = possible(universe, cases);
                    if universe.is_exhausted() {
                        return Err(Reason::TooMuchWork);
                    }
                }
                if cases.len() > MOST_DISJUNCTS {
                    return Err(Reason::TooManyDisjuncts { cases: cases.len() });
                }
            }
            Ok(cases)
        }
        Formula::Or(parts) => {
            let (with, without): (Vec<&Formula>, Vec<&Formula>) = parts.iter().partition(|part| has_exists(part));
            let mut cases = Vec::new();
            if !without.is_empty() {
                cases.push(plain(or(without.into_iter().cloned())));
            }
            for part in with {
                cases.extend(without_exists(universe, part, below)?);
            }
            Ok(cases)
        }
        Formula::Exists(variable, inner) => {
            // Each use of the formula has its own parameter.
            let known = &universe.scope[variable.index()];
            let (name, index_type) = (known.name.clone(), known.index_type);
            let witness = universe.index_variable(&name, index_type, Role::Witness);
            let inner = substitute(universe, inner, &|v| IndexTerm::Variable(if v == *variable { witness } else { v }));
            let mut cases = without_exists(universe, &inner, below)?;
            for case in &mut cases {
                case.witnesses.push(witness);
            }
            Ok(cases)
        }
        Formula::Forall(..) => match below {
            BelowForall::Refused => Err(Reason::ExistsBelowForall),
            BelowForall::Kept => Ok(vec![plain(guard.clone())]),
        },
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) | Formula::Not(_) => {
            Ok(vec![plain(guard.clone())])
        }
    }
}

/// One of the guards that a guard is split into.
#[derive(Clone, Debug)]
pub(super) struct GuardCase {
    /// The parameters that replace quantified variables.
    pub(super) witnesses: Vec<IndexVariableId>,
    pub(super) guard: Formula,
}

impl GuardCase {
    fn joined(&self, other: &Self) -> Self {
        Self {
            witnesses: [self.witnesses.clone(), other.witnesses.clone()].concat(),
            guard: and([self.guard.clone(), other.guard.clone()]),
        }
    }
}

/// Returns the cases that some state may have, simplified.
fn possible(universe: &Universe, cases: Vec<GuardCase>) -> Vec<GuardCase> {
    let simplified = cases.into_iter().map(|GuardCase { witnesses, guard }| {
        let guard = simplify(universe, &mut Facts::default(), &guard);
        GuardCase { witnesses, guard }
    });
    simplified.filter(|case| case.guard != Formula::False).collect()
}

/// Joins the parts of a conjunction that are disjunctions with the same `exists`: `(a or e) and (b or e)` is `(a and b) or e`. A
/// rule that sends a message on each of many paths asks on each of them for a free slot.
fn factored(universe: &Universe, parts: &[Formula]) -> Vec<Formula> {
    let mut joined: Vec<Formula> = Vec::new();
    // The disjunctions with one `exists`: where each is, what else it says, and the `exists`.
    let mut known: Vec<(usize, Formula, &Formula)> = Vec::new();
    for part in parts {
        let Some((otherwise, exists)) = with_one_exists(part) else {
            joined.push(part.clone());
            continue;
        };
        match known.iter_mut().find(|(.., own)| same_up_to_bound(universe, own, exists)) {
            Some((at, all, own)) => {
                *all = and([all.clone(), otherwise]);
                joined[*at] = or([all.clone(), own.clone()]);
            }
            None => {
                known.push((joined.len(), otherwise, exists));
                joined.push(part.clone());
            }
        }
    }
    joined
}

/// Returns what else a disjunction says besides its only `exists`, and that.
fn with_one_exists(part: &Formula) -> Option<(Formula, &Formula)> {
    let disjuncts = if let Formula::Or(disjuncts) = part { disjuncts.as_slice() } else { std::slice::from_ref(part) };
    let (with, without): (Vec<&Formula>, Vec<&Formula>) = disjuncts.iter().partition(|disjunct| has_exists(disjunct));
    let [exists @ Formula::Exists(..)] = with[..] else { return None };
    Some((or(without.into_iter().cloned()), exists))
}

pub(super) fn has_exists(formula: &Formula) -> bool {
    formula.any(|part| matches!(part, Formula::Exists(..)))
}

/// A conjunction under existential quantifiers.
#[derive(Clone, Debug, Default)]
struct Disjunct {
    variables: Vec<IndexVariableId>,
    literals: Vec<Literal>,
    /// Formulas of the form that [`forall`] returns.
    universals: Vec<Formula>,
}

impl Disjunct {
    fn literal(comparison: Comparison, left: &Term, right: &Term) -> Self {
        Self { literals: vec![Literal { left: left.clone(), comparison, right: right.clone() }], ..Self::default() }
    }

    fn joined(&self, other: &Self) -> Self {
        Self {
            variables: [self.variables.clone(), other.variables.clone()].concat(),
            literals: [self.literals.clone(), other.literals.clone()].concat(),
            universals: [self.universals.clone(), other.universals.clone()].concat(),
        }
    }

    /// Returns the elements that occur outside of the quantifiers that bind them.
    fn elements(&self) -> BTreeSet<IndexTerm> {
        let terms = self.literals.iter().flat_map(|literal| [&literal.left, &literal.right]);
        let mut elements: BTreeSet<_> = terms.flat_map(|term| term.elements().iter().copied()).collect();
        for formula in &self.universals {
            let (bound, _) = prefix(formula);
            let is_free = |element: &IndexTerm| !bound.iter().any(|&own| *element == IndexTerm::Variable(own));
            formula.visit_terms(&mut |term| elements.extend(term.elements().iter().copied().filter(is_free)));
        }
        elements
    }
}

/// What cubes are for. Types of the model have elements, but the checker is not told so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Every state that satisfies the formula satisfies one of them: a cube may say less than the formula.
    Property,
    /// Only states that satisfy the formula satisfy one of them.
    Axiom,
}

/// Returns the cubes whose disjunction is the formula, whose only free variables are `free`, read existentially.
pub(super) fn cubes(
    universe: &mut Universe,
    system: &System,
    (formula, free): (&Formula, &[IndexVariableId]),
    purpose: Purpose,
) -> Result<Vec<Cube>, Reason> {
    let formula = simplify(universe, &mut Facts::default(), formula);
    let mut cubes = BTreeSet::new();
    for mut disjunct in disjuncts(universe, &formula)? {
        disjunct.variables.extend(free.iter().copied());
        let elements = disjunct.elements();
        if !elements.iter().all(|element| match element {
            IndexTerm::Variable(variable) => disjunct.variables.contains(variable),
            IndexTerm::Named(_) => true,
        }) {
            return Err(Reason::Unbound);
        }
        let kept = |v: &IndexVariableId| {
            let term = IndexTerm::Variable(*v);
            elements.contains(&term) || purpose == Purpose::Axiom || !universe.is_inhabited(universe.type_of(term))
        };
        let variables: Vec<IndexVariableId> = disjunct.variables.iter().copied().filter(kept).collect();
        if variables.len() > MOST_ELEMENTS {
            return Err(Reason::TooManyElements { elements: variables.len() });
        }
        partitions(universe, system, &variables, &disjunct, &mut cubes)?;
        if universe.is_exhausted() {
            return Err(Reason::TooMuchWork);
        }
        if cubes.len() > MOST_DISJUNCTS {
            return Err(Reason::TooManyDisjuncts { cases: cubes.len() });
        }
    }
    // Each one is compared with every other.
    if !universe.spend(steps(cubes.len() * cubes.len() / 2)) {
        return Err(Reason::TooMuchWork);
    }
    Ok(without_subsumed(match purpose {
        Purpose::Property => cubes.into_iter().map(|cube| without_spare(universe, cube)).collect(),
        Purpose::Axiom => cubes,
    }))
}

/// Returns the cube without an element about which it says nothing, if its type has one anyway: what was said of it has become
/// trivial, and the formula may have lost its quantifier.
fn without_spare(universe: &Universe, cube: Cube) -> Cube {
    let least = cube.without_unused_variables();
    let is_spare = |index_type: &IndexTypeId| {
        let count = |cube: &Cube| cube.variables.iter().filter(|own| *own == index_type).count();
        let parts = || cube.universals.iter().flat_map(|universal| &universal.variables);
        count(&least) == count(&cube)
            || (count(&cube) == 1
                && universe.is_inhabited(*index_type)
                && !universe.named.iter().any(|named| named.index_type == *index_type)
                && !parts().any(|own| own == index_type))
    };
    if cube.variables.iter().all(is_spare) { least } else { cube }
}

/// Returns the steps for a traversal of the given number of literals.
fn steps(literals: usize) -> u64 {
    u64::try_from(literals / 2).unwrap_or(u64::MAX)
}

/// Computes the disjunctive normal form.
fn disjuncts(universe: &mut Universe, formula: &Formula) -> Result<Vec<Disjunct>, Reason> {
    match formula {
        Formula::True => Ok(vec![Disjunct::default()]),
        Formula::False => Ok(vec![]),
        Formula::Equal(left, right) => Ok(vec![Disjunct::literal(Comparison::Equal, left, right)]),
        Formula::AtMost(left, right, sum) => Ok(vec![Disjunct::literal(Comparison::AtMost(*sum), left, right)]),
        Formula::Not(inner) => match &**inner {
            Formula::Equal(left, right) => Ok(vec![Disjunct::literal(Comparison::Different, left, right)]),
            other => disjuncts(universe, &not(other.clone())),
        },
        Formula::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(disjuncts(universe, part)?);
            }
            Ok(all)
        }
        Formula::And(parts) => {
            let mut all = vec![Disjunct::default()];
            for part in parts {
                let more = disjuncts(universe, part)?;
                let pairs = all.iter().flat_map(|one| more.iter().map(move |other| (one, other)));
                let mut product = Vec::new();
                for (one, other) in pairs {
                    if !universe.spend(steps(one.literals.len() + other.literals.len())) {
                        return Err(Reason::TooMuchWork);
                    }
                    let joined = one.joined(other);
                    if !contradicts(universe, &joined.literals) {
                        product.push(joined);
                    }
                }
                all = if product.len() > FEW_DISJUNCTS { without_wider(universe, product)? } else { product };
                if all.len() > MOST_DISJUNCTS {
                    return Err(Reason::TooManyDisjuncts { cases: all.len() });
                }
            }
            Ok(all)
        }
        Formula::Exists(variable, inner) => {
            let known = &universe.scope[variable.index()];
            let (name, index_type) = (known.name.clone(), known.index_type);
            let own = universe.index_variable(&name, index_type, Role::Bound);
            let inner = substitute(universe, inner, &|v| IndexTerm::Variable(if v == *variable { own } else { v }));
            let mut all = disjuncts(universe, &inner)?;
            for disjunct in &mut all {
                disjunct.variables.push(own);
            }
            Ok(all)
        }
        Formula::Forall(variable, inner) => {
            let universals = forall(universe, *variable, inner)?;
            Ok(vec![Disjunct { universals, ..Disjunct::default() }])
        }
    }
}

/// Returns the disjuncts that are not the conjunction of another one and further literals. A comparison of two numbers by order,
/// for instance, is a disjunction over pairs of values: its negation has as many disjuncts as there are values once
/// these are dropped, and exponentially many otherwise.
fn without_wider(universe: &mut Universe, mut all: Vec<Disjunct>) -> Result<Vec<Disjunct>, Reason> {
    for disjunct in &mut all {
        disjunct.literals.sort_unstable();
        disjunct.literals.dedup();
    }
    all.sort_by_key(|disjunct| disjunct.literals.len());
    let mut kept: Vec<Disjunct> = Vec::new();
    for disjunct in all {
        if !universe.spend(steps(kept.len())) {
            return Err(Reason::TooMuchWork);
        }
        let narrows = |known: &Disjunct| {
            known.variables == disjunct.variables
                && known.universals == disjunct.universals
                && known.literals.iter().all(|literal| disjunct.literals.binary_search(literal).is_ok())
        };
        if !kept.iter().any(narrows) {
            kept.push(disjunct);
        }
    }
    Ok(kept)
}

fn contradicts(universe: &Universe, literals: &[Literal]) -> bool {
    let mut facts = Facts::default();
    for Literal { left, comparison, right } in literals {
        facts.assume_comparison(universe, left, *comparison, right);
    }
    facts.is_contradictory()
}

/// Adds the cubes for each way in which variables coincide with one another and with named elements.
fn partitions(
    universe: &Universe,
    system: &System,
    variables: &[IndexVariableId],
    disjunct: &Disjunct,
    cubes: &mut BTreeSet<Cube>,
) -> Result<(), Reason> {
    extend(universe, system, variables, disjunct, &mut Vec::new(), &mut Vec::new(), cubes)
}

fn extend(
    universe: &Universe,
    system: &System,
    variables: &[IndexVariableId],
    disjunct: &Disjunct,
    blocks: &mut Vec<(IndexVariableId, IndexTerm)>,
    types: &mut Vec<IndexTypeId>,
    cubes: &mut BTreeSet<Cube>,
) -> Result<(), Reason> {
    let Some(&variable) = variables.get(blocks.len()) else {
        if !universe.spend(1 + steps(disjunct.literals.len())) {
            return Err(Reason::TooMuchWork);
        }
        let place = |v: IndexVariableId| {
            blocks.iter().find(|(variable, _)| *variable == v).map_or(IndexTerm::Variable(v), |&(_, term)| term)
        };
        let literals: Vec<Literal> = disjunct.literals.iter().map(|literal| literal.substituted(&place)).collect();
        if disjunct.universals.is_empty() {
            cubes.extend(Cube::normalize(system, types, &literals));
            return Ok(());
        }
        let under = Under { universe, system, types, places: blocks };
        return under.cubes(&literals, &disjunct.universals, cubes);
    };
    let own_type = universe.scope[variable.index()].index_type;
    let mut places: Vec<IndexTerm> = (0..types.len())
        .filter(|&at| types[at] == own_type)
        .map(|at| IndexTerm::Variable(IndexVariableId(super::universe::position(at))))
        .collect();
    places.extend(
        (0..universe.named.len())
            .filter(|&at| universe.named[at].index_type == own_type)
            .map(|at| IndexTerm::Named(system::NamedId(super::universe::position(at)))),
    );
    for place in places {
        blocks.push((variable, place));
        extend(universe, system, variables, disjunct, blocks, types, cubes)?;
        blocks.pop();
    }
    let fresh = IndexVariableId(super::universe::position(types.len()));
    types.push(own_type);
    blocks.push((variable, IndexTerm::Variable(fresh)));
    extend(universe, system, variables, disjunct, blocks, types, cubes)?;
    blocks.pop();
    types.pop();
    Ok(())
}

/// Returns the cubes that no other cube subsumes.
pub(super) fn without_subsumed(cubes: BTreeSet<Cube>) -> Vec<Cube> {
    let all: Vec<Cube> = cubes.into_iter().collect();
    let mut kept: Vec<Cube> = Vec::new();
    for (at, cube) in all.iter().enumerate() {
        let subsumed = all.iter().enumerate().any(|(other_at, other)| {
            // Of two that subsume each other, the first stays.
            other_at != at && other.subsumes(cube) && (!cube.subsumes(other) || other_at < at)
        });
        if !subsumed {
            kept.push(cube.clone());
        }
    }
    kept
}

/// Shifts all variables of a formula, including bound ones, by an offset.
pub(super) fn shifted(formula: &Formula, offset: usize) -> Formula {
    formula.rewritten(&mut Shift(offset)).unwrap_or_else(|never| match never {})
}

/// Shifts a variable by an offset.
pub(super) fn shift(variable: IndexVariableId, offset: usize) -> IndexVariableId {
    IndexVariableId(super::universe::position(variable.index() + offset))
}

struct Shift(usize);

impl Rewrite for Shift {
    type Error = Infallible;
    type Around = ();

    fn term(&mut self, term: &Term) -> Result<Term, Infallible> {
        Ok(term.substituted(&|variable| IndexTerm::Variable(shift(variable, self.0))))
    }

    fn around(&mut self) {}

    fn enter(&mut self, variable: IndexVariableId) -> IndexVariableId {
        shift(variable, self.0)
    }

    fn leave(&mut self, (): ()) {}
}

#[cfg(test)]
#[path = "normal_tests.rs"]
mod tests;
