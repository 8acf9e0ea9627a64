//! Conditions about the values of two variables, as the pairs of values that satisfy them.
//!
//! A comparison such as `x <= y` of ranges that stay finite is a disjunction over pairs of values, and its negation a conjunction
//! that excludes pairs. Its disjunctive normal form, for a guard or the negation of a property, would have exponentially many
//! disjuncts. The pairs that are left are at most as many as there are pairs.

use std::collections::{BTreeMap, BTreeSet};

use super::logic::{and, equal, or};
use super::universe::Universe;
use system::{ConstantId, Formula, Term};

/// The most pairs that a condition lists where ranges may become integers instead.
pub(super) const FEW: usize = 64;
/// The most that it lists otherwise.
pub(super) const MANY: usize = 4096;

/// Fewer parts of a conjunction stay as they are.
const FEW_PARTS: usize = 8;

/// Returns the same formula, in which parts of conjunctions that together exclude many pairs of values of two reads say which
/// ones they leave.
pub(super) fn with_pairs(universe: &Universe, formula: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(|part| with_pairs(universe, part)).collect::<Vec<_>>();
    match formula {
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) | Formula::Not(_) => formula.clone(),
        Formula::And(parts) => of_conjunction(universe, all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Forall(variable, inner) => Formula::Forall(*variable, Box::new(with_pairs(universe, inner))),
        Formula::Exists(variable, inner) => Formula::Exists(*variable, Box::new(with_pairs(universe, inner))),
    }
}

fn of_conjunction(universe: &Universe, parts: Vec<Formula>) -> Formula {
    let mut groups: BTreeMap<[Term; 2], Vec<usize>> = BTreeMap::new();
    for (at, part) in parts.iter().enumerate() {
        if let Some(reads) = two_reads(part) {
            groups.entry(reads).or_default().push(at);
        }
    }
    groups.retain(|_, own| own.len() > FEW_PARTS);
    if groups.is_empty() {
        return Formula::And(parts);
    }
    let grouped: BTreeSet<usize> = groups.values().flatten().copied().collect();
    let mut kept: Vec<Formula> =
        parts.iter().enumerate().filter(|(at, _)| !grouped.contains(at)).map(|(_, part)| part.clone()).collect();
    for (reads, own) in &groups {
        let own: Vec<&Formula> = own.iter().map(|at| &parts[*at]).collect();
        kept.push(left(universe, reads, &own));
    }
    and(kept)
}

/// Returns the two reads, of sorts with constants only, with which a formula compares constants, if there are no others and
/// nothing else is compared.
fn two_reads(formula: &Formula) -> Option<[Term; 2]> {
    let mut reads = BTreeSet::new();
    collect(formula, &mut reads)?;
    let mut reads = reads.into_iter();
    let two = [reads.next()?, reads.next()?];
    reads.next().is_none().then_some(two)
}

/// Adds the reads that are compared with constants. Returns `None` if there is something else.
fn collect(formula: &Formula, reads: &mut BTreeSet<Term>) -> Option<()> {
    match formula {
        Formula::Equal(read @ Term::Read(..), Term::Constant(_)) => {
            reads.insert(read.clone());
            (reads.len() <= 2).then_some(())
        }
        Formula::Not(inner) => collect(inner, reads),
        Formula::Or(parts) | Formula::And(parts) => parts.iter().try_for_each(|part| collect(part, reads)),
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Forall(..)
        | Formula::Exists(..) => None,
    }
}

/// Returns the pairs of values of two reads that satisfy all of these.
fn left(universe: &Universe, reads: &[Term; 2], parts: &[&Formula]) -> Formula {
    let values = |read: &Term| -> Option<Vec<ConstantId>> {
        let Term::Read(variable, _) = read else { return None };
        let sort = universe.sort_of(*variable);
        (sort.index_types.is_empty() && sort.numbers.is_none()).then(|| sort.constants.clone())
    };
    let conjunction = || Formula::And(parts.iter().map(|part| (*part).clone()).collect());
    let [Some(firsts), Some(seconds)] = [values(&reads[0]), values(&reads[1])] else { return conjunction() };
    let is = |read: &Term, value: ConstantId| equal(universe, read, &Term::Constant(value));
    let of_first = |first: ConstantId| {
        let second = seconds.iter().copied().filter(|second| {
            let holds = |part: &&Formula| holds(part, &[(&reads[0], first), (&reads[1], *second)]);
            parts.iter().all(holds)
        });
        let second: Vec<ConstantId> = second.collect();
        if second.len() == seconds.len() {
            return is(&reads[0], first);
        }
        or(second.into_iter().map(|second| and([is(&reads[0], first), is(&reads[1], second)])))
    };
    let left: Vec<Formula> = firsts.iter().copied().map(of_first).collect();
    let pairs = left.iter().map(|of_first| if let Formula::Or(pairs) = of_first { pairs.len() } else { 1 });
    if pairs.sum::<usize>() > universe.most_pairs { conjunction() } else { or(left) }
}

/// Returns the truth of a formula that compares these reads with constants.
fn holds(formula: &Formula, values: &[(&Term, ConstantId)]) -> bool {
    match formula {
        Formula::True => true,
        Formula::Equal(read, Term::Constant(constant)) => {
            values.iter().any(|(own, value)| *own == read && value == constant)
        }
        Formula::Not(inner) => !holds(inner, values),
        Formula::And(parts) => parts.iter().all(|part| holds(part, values)),
        Formula::Or(parts) => parts.iter().any(|part| holds(part, values)),
        // What `two_reads` accepts has none of these.
        Formula::False | Formula::Equal(..) | Formula::AtMost(..) | Formula::Forall(..) | Formula::Exists(..) => false,
    }
}
