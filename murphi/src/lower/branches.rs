//! Guards with so many cases that the checker does not tell them apart.
//!
//! The checker brings the guard of a rule into disjunctive normal form, and rejects proofs in which one has too many
//! conjunctions. Such a guard is split into those of several rules.

use std::collections::{BTreeMap, BTreeSet};

use super::logic::{and, or};
use super::properties::MOST_CONJUNCTIONS;
use super::reason::Reason;
use system::{Formula, Term};

/// The largest number of conjunctions of a guard. The checker counts their product with the cases of the values that the rule assigns.
const MOST_OF_GUARD: usize = MOST_CONJUNCTIONS / 4;

/// The largest number of guards into which one is split.
const MOST_GUARDS: usize = 1 << 10;

/// Splits a guard into guards with few conjunctions, whose disjunction it is.
///
/// # Errors
/// Returns an error if there would be too many of them.
pub(super) fn split(guard: Formula) -> Result<Vec<Formula>, Reason> {
    let (mut open, mut done) = (vec![guard], Vec::new());
    while let Some(guard) = open.pop() {
        let is_large = least_conjunctions(&guard) > MOST_OF_GUARD;
        match is_large.then(|| halves(&guard)).flatten() {
            Some([first, second]) => open.extend([second, first]),
            None => done.push(guard),
        }
        let cases = open.len() + done.len();
        if cases > MOST_GUARDS {
            return Err(Reason::TooManyDisjuncts { cases });
        }
    }
    Ok(done)
}

/// Returns how many conjunctions a formula has at least: parts of a conjunction that read nothing in common cannot contradict each
/// other. Of other parts, none is counted.
fn least_conjunctions(formula: &Formula) -> usize {
    match formula {
        Formula::And(parts) => {
            let read: Vec<BTreeSet<&Term>> = parts.iter().map(reads).collect();
            let mut readers: BTreeMap<&Term, usize> = BTreeMap::new();
            read.iter().flatten().for_each(|term| *readers.entry(term).or_default() += 1);
            let alone = parts.iter().zip(&read).filter(|(_, read)| read.iter().all(|term| readers[term] == 1));
            alone.map(|(part, _)| least_conjunctions(part)).fold(1, usize::saturating_mul)
        }
        Formula::Or(parts) => parts.iter().map(least_conjunctions).fold(0, usize::saturating_add),
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Not(_)
        | Formula::Forall(..)
        | Formula::Exists(..) => 1,
    }
}

/// Returns the reads in a formula.
fn reads(formula: &Formula) -> BTreeSet<&Term> {
    let mut read = BTreeSet::new();
    formula.visit_terms(&mut |term| {
        if matches!(term, Term::Read(..)) {
            read.insert(term);
        }
    });
    read
}

/// Returns two formulas whose disjunction is the formula: its longest disjunction is cut in half.
fn halves(formula: &Formula) -> Option<[Formula; 2]> {
    match formula {
        Formula::Or(parts) => {
            let (first, second) = parts.split_at(parts.len() / 2);
            Some([first, second].map(|half| or(half.iter().cloned())))
        }
        Formula::And(parts) => {
            let length = |at: usize| if let Formula::Or(parts) = &parts[at] { Some(parts.len()) } else { None };
            let at = (0..parts.len()).rev().filter(|&at| length(at).is_some()).max_by_key(|&at| length(at))?;
            let with =
                |half: Formula| and(parts[..at].iter().cloned().chain([half]).chain(parts[at + 1..].iter().cloned()));
            Some(halves(&parts[at])?.map(with))
        }
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Not(_)
        | Formula::Forall(..)
        | Formula::Exists(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::{FALSE, TRUE, VariableId};

    fn is(variable: u32, truth: bool) -> Formula {
        Formula::Equal(Term::Read(VariableId(variable), Vec::new()), Term::Constant(if truth { TRUE } else { FALSE }))
    }

    /// The truth of a formula where the bits of a number are the values of the variables.
    fn holds(formula: &Formula, bits: u32) -> bool {
        match formula {
            Formula::And(parts) => parts.iter().all(|part| holds(part, bits)),
            Formula::Or(parts) => parts.iter().any(|part| holds(part, bits)),
            Formula::Equal(Term::Read(variable, _), Term::Constant(value)) => {
                (bits >> variable.0 & 1 == 1) == (*value == TRUE)
            }
            other => panic!("{other:?}"),
        }
    }

    /// Of thirteen disjunctions, each of which has two parts, there are 8192 conjunctions.
    #[test]
    fn a_guard_with_too_many_conjunctions_is_split() {
        let guard =
            Formula::And((0..13).map(|at| Formula::Or(vec![is(2 * at, true), is(2 * at + 1, false)])).collect());
        assert_eq!(least_conjunctions(&guard), 1 << 13);
        let pieces = split(guard.clone()).unwrap();
        assert_eq!(pieces.len(), 8);
        assert!(pieces.iter().all(|piece| least_conjunctions(piece) == MOST_OF_GUARD));
        for bits in (0..1 << 26).step_by(4099) {
            assert_eq!(pieces.iter().any(|piece| holds(piece, bits)), holds(&guard, bits), "{bits:#b}");
        }
    }

    /// Parts that read the same may exclude each other: the guard has only two conjunctions.
    #[test]
    fn a_guard_whose_parts_exclude_each_other_stays_as_it_is() {
        let both = |at| Formula::And(vec![is(at, true), is(0, true)]);
        let neither = |at| Formula::And(vec![is(at, false), is(0, false)]);
        let guard = Formula::And((1..20).map(|at| Formula::Or(vec![both(at), neither(at)])).collect());
        assert_eq!(split(guard.clone()).unwrap(), [guard]);
    }
}
