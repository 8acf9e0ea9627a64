//! The certificate's hints for the matches of a rule and an invariant, as the checker in HOL reads them.
//!
//! For each invariant and match that needs them, the hints are the splits and the premises. The branches of a match share
//! them, since the checker in HOL does its own case splits. A symbol becomes its position: named elements first, then
//! the variables of the invariant, then other elements. A split on a bound becomes a premise: that not both it and its
//! negation hold. This module must not leave out a premise.

use std::collections::BTreeMap;

use certificate::proof::{Argument, Instance, InvariantId, Match, Read, Relation, RelationEntry, SplitOn, Symbol};
use system::{Comparison, Cube, IndexTerm, IndexVariableId, Literal, System, Term, VariableId};

use super::super::Source;

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

/// A bound on which arguments split, over the symbols that they name: each is the position of its first occurrence among
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cut {
    left: (VariableId, Vec<IndexTerm>),
    right: Option<(VariableId, Vec<IndexTerm>)>,
    sum: i64,
}

/// The bounds on which the arguments of a certificate split. Each has the number of a cube behind those of the axioms.
pub(super) struct Cuts {
    first: usize,
    cuts: Vec<Cut>,
}

impl Cuts {
    /// The bounds of all arguments.
    pub(super) fn of(source: Source<'_>) -> Self {
        let mut all = Self { first: source.certificate.cubes(source.system).count(), cuts: Vec::new() };
        let relations = source.certificate.relations.iter().filter_map(|entry| match &entry.relation {
            Relation::Implied(argument) => Some(argument),
            Relation::HoldsAfter | Relation::Unaffected => None,
        });
        let properties = source.certificate.properties.iter().map(|entry| &entry.argument);
        relations.chain(properties).for_each(|argument| all.add(argument));
        all
    }

    fn add(&mut self, argument: &Argument) {
        if let Some(split) = &argument.split {
            if let SplitOn::Bound(left, right, sum) = &split.on {
                push_new(&mut self.cuts, cut(left, right.as_ref(), *sum).0);
            }
            split.cases.iter().for_each(|case| self.add(case));
        }
    }

    /// The number of a bound, with the symbols that it names.
    fn premise(&self, left: &Read, right: Option<&Read>, sum: i64) -> Option<(InvariantId, Vec<Symbol>)> {
        let (cut, symbols) = cut(left, right, sum);
        let position = self.first + self.cuts.iter().position(|own| *own == cut)?;
        Some((InvariantId(u32::try_from(position).ok()?), symbols))
    }

    /// For each bound the cube that it and its negation hold.
    pub(super) fn cubes(&self, system: &System) -> impl Iterator<Item = Cube> {
        self.cuts.iter().map(move |cut| {
            let read = |(variable, arguments): &(VariableId, Vec<IndexTerm>)| Term::Read(*variable, arguments.clone());
            let mut variables = Vec::new();
            for (variable, arguments) in [&cut.left].into_iter().chain(&cut.right) {
                let kinds = &system.variables[variable.index()].arguments;
                for (argument, kind) in arguments.iter().zip(kinds) {
                    if *argument == IndexTerm::Variable(IndexVariableId(narrow(variables.len()))) {
                        variables.push(*kind);
                    }
                }
            }
            let literal = |comparison| Literal {
                left: read(&cut.left),
                comparison,
                right: cut.right.as_ref().map_or(Term::Zero, read),
            };
            let holds = Comparison::AtMost(cut.sum);
            Cube { variables, literals: vec![literal(holds), literal(holds.negated())], universals: Vec::new() }
        })
    }
}

/// A bound over its symbols, and these symbols other than named elements, in the order of their first occurrence.
fn cut(left: &Read, right: Option<&Read>, sum: i64) -> (Cut, Vec<Symbol>) {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut own = |read: &Read| {
        let arguments = read.arguments.iter().map(|symbol| match symbol {
            Symbol::Named(named) => IndexTerm::Named(*named),
            Symbol::Variable(_) | Symbol::Other(_) => {
                push_new(&mut symbols, *symbol);
                let position = symbols.iter().position(|own| own == symbol).unwrap_or(symbols.len());
                IndexTerm::Variable(IndexVariableId(narrow(position)))
            }
        });
        (read.variable, arguments.collect::<Vec<_>>())
    };
    (Cut { left: own(left), right: right.map(&mut own), sum }, symbols)
}

fn narrow(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// What the checker in HOL splits on, at some symbols.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SplitAt {
    /// The witness that an invariant or an axiom promises.
    Witness(InvariantId),
    /// The value of a state variable.
    Value(VariableId),
}

/// The hint for one match.
#[derive(Default)]
pub(super) struct Hint {
    /// The splits, in order: symbols that one adds can occur in the next.
    pub(super) splits: Vec<(SplitAt, Vec<usize>)>,
    /// The premises: invariants with the symbols for their variables.
    pub(super) premises: Vec<(InvariantId, Vec<usize>)>,
}

impl Hint {
    fn add(&mut self, argument: &Argument, counts: Counts, cuts: &Cuts) {
        for premise in &argument.premises {
            push_new(&mut self.premises, (premise.invariant, counts.positions(&premise.substitution)));
        }
        if let Some(split) = &argument.split {
            match &split.on {
                SplitOn::Value(variable, arguments) => {
                    push_new(&mut self.splits, (SplitAt::Value(*variable), counts.positions(arguments)));
                }
                SplitOn::Bound(left, right, sum) => {
                    if let Some((number, symbols)) = cuts.premise(left, right.as_ref(), *sum) {
                        push_new(&mut self.premises, (number, counts.positions(&symbols)));
                    }
                }
                SplitOn::Witness(Instance { invariant, substitution }) => {
                    push_new(&mut self.splits, (SplitAt::Witness(*invariant), counts.positions(substitution)));
                }
            }
            split.cases.iter().for_each(|case| self.add(case, counts, cuts));
        }
    }
}

/// Adds what is new.
pub(super) fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
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
    cuts: &Cuts,
) -> Vec<(InvariantId, Matches)> {
    let mut by_invariant: BTreeMap<InvariantId, BTreeMap<&Match, Hint>> = BTreeMap::new();
    for entry in entries {
        if let (Some(matching), Relation::Implied(argument)) = (&entry.matching, &entry.relation) {
            let hints = by_invariant.entry(entry.invariant).or_default();
            hints.entry(matching).or_default().add(argument, counts(entry.invariant), cuts);
        }
    }
    let matches = |(invariant, hints): (InvariantId, BTreeMap<&Match, Hint>)| {
        let counts = counts(invariant);
        let hints = hints.into_iter().map(|(matching, hint)| (counts.positions(&matching.0), hint));
        (invariant, hints.collect())
    };
    by_invariant.into_iter().map(matches).collect()
}

/// What an argument splits on, and the invariants that it uses.
pub(super) fn names(argument: &Argument, cuts: &Cuts) -> (Vec<SplitAt>, Vec<InvariantId>) {
    let mut hint = Hint::default();
    hint.add(argument, Counts { named: 0, variables: 0 }, cuts);
    let splits = hint.splits.into_iter().map(|(on, _)| on);
    (splits.collect(), hint.premises.into_iter().map(|(invariant, _)| invariant).collect())
}
