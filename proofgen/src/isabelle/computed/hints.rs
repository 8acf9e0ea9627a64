//! The certificate's hints for the matches of a rule and an invariant, as the checker in HOL reads them.
//!
//! For each invariant and match that needs them, the hints are the reads to split on and the premises. The branches of
//! a match share their premises, since the checker in HOL does its own case splits. A symbol becomes its position:
//! named elements first, then the variables of the invariant, then other elements. This module must not leave out a
//! premise.

use std::collections::BTreeMap;

use certificate::proof::{Argument, InvariantId, Match, Relation, RelationEntry, SplitOn, Symbol};
use system::VariableId;

/// The number of named elements, and the number of variables of the invariant.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    pub(super) named: usize,
    pub(super) variables: usize,
}

impl Counts {
    /// The position of a symbol.
    fn position(self, symbol: Symbol) -> usize {
        match symbol {
            Symbol::Named(named) => 1 + named.index(),
            Symbol::Variable(variable) => 1 + self.named + widen(variable),
            Symbol::Other(other) => 1 + self.named + self.variables + widen(other),
        }
    }

    fn positions(self, symbols: &[Symbol]) -> Vec<usize> {
        symbols.iter().map(|symbol| self.position(*symbol)).collect()
    }
}

fn widen(number: u32) -> usize {
    InvariantId(number).index()
}

/// The hint for one match.
#[derive(Default)]
pub(super) struct Hint {
    /// The reads to split on.
    pub(super) splits: Vec<(VariableId, Vec<usize>)>,
    /// The premises: invariants with the symbols for their variables.
    pub(super) premises: Vec<(InvariantId, Vec<usize>)>,
}

impl Hint {
    fn add(&mut self, argument: &Argument, counts: Counts) {
        for premise in &argument.premises {
            push_new(&mut self.premises, (premise.invariant, counts.positions(&premise.substitution)));
        }
        if let Some(split) = &argument.split {
            if let SplitOn::Value(variable, arguments) = &split.on {
                push_new(&mut self.splits, (*variable, counts.positions(arguments)));
            }
            split.cases.iter().for_each(|case| self.add(case, counts));
        }
    }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// The hints for the matches of one rule and one invariant: the positions of the parameters, and the hint.
pub(super) type Matches = Vec<(Vec<usize>, Hint)>;

/// The hints for one rule, by invariant; invariants without hints are left out.
pub(super) fn of_rule(
    entries: &[RelationEntry],
    counts: impl Fn(InvariantId) -> Counts,
) -> Vec<(InvariantId, Matches)> {
    let mut by_invariant: BTreeMap<InvariantId, BTreeMap<&Match, Hint>> = BTreeMap::new();
    for entry in entries {
        if let (Some(matching), Relation::Implied(argument)) = (&entry.matching, &entry.relation) {
            let hints = by_invariant.entry(entry.invariant).or_default();
            hints.entry(matching).or_default().add(argument, counts(entry.invariant));
        }
    }
    let matches = |(invariant, hints): (InvariantId, BTreeMap<&Match, Hint>)| {
        let counts = counts(invariant);
        let hints = hints.into_iter().map(|(matching, hint)| (counts.positions(&matching.0), hint));
        (invariant, hints.collect())
    };
    by_invariant.into_iter().map(matches).collect()
}

/// The state variables that an argument splits on, and the invariants that it uses.
pub(super) fn names(argument: &Argument) -> (Vec<VariableId>, Vec<InvariantId>) {
    let mut hint = Hint::default();
    hint.add(argument, Counts { named: 0, variables: 0 });
    let splits = hint.splits.into_iter().map(|(variable, _)| variable);
    (splits.collect(), hint.premises.into_iter().map(|(invariant, _)| invariant).collect())
}
