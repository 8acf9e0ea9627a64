//! What the invariants imply while a state variable has a given value: the invariants sorted by their premises.
//!
//! Section 6 of Chou, Mannava and Park's paper on FLASH does this by hand.

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::Certificate;
use system::System;
use system::{Comparison, ConstantId, Cube, Formula, RuleId, Term, VariableId};

use crate::flow::asked_values;
use system::notation::{Expression, Notation};

/// A value of a state variable, and what is known while it has that value.
#[derive(Clone, Debug)]
pub(crate) struct Situation {
    /// The rules whose guards require it.
    pub(crate) rules: Vec<RuleId>,
    /// The state variable, without its arguments.
    pub(crate) variable: String,
    /// The value.
    pub(crate) value: String,
    /// What the invariants state.
    pub(crate) known: Vec<Known>,
}

/// What one invariant states in a situation.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// The invariant.
    pub(crate) number: u32,
    /// The state variable with the names of its arguments.
    pub(crate) when: String,
    /// What holds in that situation.
    pub(crate) says: String,
}

/// Reads the situations off the invariants, whose index variables have the given names.
pub(super) fn read(notation: &Notation<'_>, certificate: &Certificate, names: &[Vec<String>]) -> Vec<Situation> {
    let system = notation.system();
    let mut known: BTreeMap<(VariableId, ConstantId), Vec<Known>> = BTreeMap::new();
    for ((number, invariant), names) in (0..).zip(&certificate.invariants).zip(names) {
        let cube = &invariant.cube;
        for (position, literal) in cube.literals.iter().enumerate() {
            if let (Term::Read(variable, _), Comparison::Equal, Term::Constant(constant)) =
                (&literal.left, literal.comparison, &literal.right)
            {
                let says = notation.written(rest(notation, cube, position, names)).to_string();
                let when = notation.written(notation.term(&literal.left, names)).to_string();
                known.entry((*variable, *constant)).or_default().push(Known { number, when, says });
            }
        }
    }
    let asked: Vec<BTreeSet<(VariableId, ConstantId)>> =
        system.rules.iter().map(|rule| asked(system, &rule.guard)).collect();
    let situation = |((variable, constant), known): ((VariableId, ConstantId), _)| Situation {
        rules: (0..)
            .map(RuleId)
            .zip(&asked)
            .filter(|(_, all)| all.contains(&(variable, constant)))
            .map(|(rule, _)| rule)
            .collect(),
        variable: super::variable_name(system, variable),
        value: notation.constant(constant),
        known,
    };
    known.into_iter().map(situation).collect()
}

/// The values that a guard requires, among other things.
fn asked(system: &System, guard: &Formula) -> BTreeSet<(VariableId, ConstantId)> {
    if let Formula::And(parts) = guard {
        return parts.iter().flat_map(|part| asked(system, part)).collect();
    }
    match asked_values(system, guard) {
        Some((variable, _, values)) if values.len() == 1 => values.into_iter().map(|value| (variable, value)).collect(),
        Some(_) | None => BTreeSet::new(),
    }
}

/// What a cube states if one of its literals is known to hold.
fn rest(notation: &Notation<'_>, cube: &Cube, without: usize, names: &[String]) -> Expression {
    let others = cube.literals.iter().enumerate().filter(|(position, _)| *position != without);
    let literals = others.map(|(_, literal)| literal.clone()).collect();
    let others = Cube { variables: cube.variables.clone(), literals, universals: cube.universals.clone() };
    let (premises, conclusion) = notation.split(&others);
    let mut parts = notation.separation(cube, names);
    parts.extend(notation.grouped(&premises, true, names));
    let negated = notation.grouped(&conclusion, false, names).into_iter();
    let others = cube.universals.iter().map(|universal| notation.violated(cube, universal, names));
    Expression::implies(parts, Expression::or(negated.chain(others).collect()))
}
