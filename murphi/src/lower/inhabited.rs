//! Types with an element.
//!
//! The system may have any number of elements of an index type, including none. A type that is written has at least one;
//! the values of a variable bound by `:= .. to ..` may be none. Where that makes a difference, the system gets an axiom that
//! says so.

use std::collections::{BTreeMap, BTreeSet};

use super::Lowered;
use crate::program::{Program, TypeId};
use system::{Axiom, Cube, Formula, IndexTypeId, IndexVariable, IndexVariableId, Role, System, Transition};

/// Returns the index types with an element for which that matters: a guard asks for it, a property would be false in
/// every state without one, or an `exists` is below a `forall` of a guard, which holds if there are none.
pub(super) fn needed(program: &Program, lowered: &Lowered) -> BTreeSet<IndexTypeId> {
    let (system, mut found) = (&lowered.system, BTreeSet::new());
    let rules = system.rules.iter().map(|rule| &rule.transition);
    for transition in rules.chain(system.startstates.iter().map(|startstate| &startstate.transition)) {
        asked(transition, &mut found);
    }
    for cube in system.properties.iter().flat_map(|property| &property.bad) {
        // Without an element of the type, every state would satisfy the cube.
        let always = |index_type: &IndexTypeId| {
            cube.literals.is_empty()
                && !cube.variables.contains(index_type)
                && cube.universals.iter().all(|universal| universal.variables.contains(index_type))
        };
        let types = cube.universals.iter().flat_map(|universal| &universal.variables);
        found.extend(types.copied().filter(always));
    }
    for axiom in system.axioms.iter().filter(|axiom| system.is_about_guard(axiom)) {
        axiom.formula.visit(&mut |formula| {
            if let Formula::Forall(variable, _) | Formula::Exists(variable, _) = formula {
                found.insert(axiom.scope[variable.index()].index_type);
            }
        });
    }
    let inhabited = types(program, &lowered.types);
    found.retain(|&index_type| system.least_size(index_type) == 0 && inhabited.contains(&index_type));
    found
}

/// Returns the index types that have an element whatever the constants are, given which types they are.
pub(super) fn types(program: &Program, index_types: &BTreeMap<TypeId, IndexTypeId>) -> BTreeSet<IndexTypeId> {
    index_types.iter().filter(|(ty, _)| program.is_inhabited(**ty)).map(|(_, index_type)| *index_type).collect()
}

/// Adds the types of which the guard says that they have no element.
fn asked(transition: &Transition, found: &mut BTreeSet<IndexTypeId>) {
    transition.guard.visit(&mut |formula| {
        if let Formula::Forall(variable, body) = formula
            && **body == Formula::False
        {
            found.insert(transition.scope[variable.index()].index_type);
        }
    });
}

/// Returns the axiom that an index type has an element.
pub(super) fn axiom(system: &System, index_type: IndexTypeId) -> Axiom {
    let declared = &system.index_types[index_type.index()];
    Axiom {
        name: format!("{} has an element", declared.name),
        scope: vec![IndexVariable { name: "x".to_owned(), index_type, role: Role::Bound }],
        formula: Formula::Exists(IndexVariableId(0), Box::new(Formula::True)),
        bad: vec![Cube::empty_type(index_type)],
        immutable: true,
        origin: declared.origin.clone(),
    }
}
