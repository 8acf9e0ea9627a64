//! Formulas of properties. The examples give their properties as cubes only.

use system::{
    Comparison, Cube, Formula, IndexTerm, IndexVariable, IndexVariableId, NamedElement, NamedId, Role, System, Term,
};

/// The system with formulas of its properties made from their cubes, except for those with universal parts.
pub(crate) fn with_formulas(system: &System) -> System {
    let mut with = system.clone();
    for property in &mut with.properties {
        let plain = property.bad.iter().filter(|cube| cube.universals.is_empty());
        let parts = plain.map(|cube| without(cube, &system.named, &mut property.scope)).collect();
        property.formula = Formula::And(parts);
    }
    with
}

/// The formula that no different elements satisfy the cube.
fn without(cube: &Cube, named: &[NamedElement], scope: &mut Vec<IndexVariable>) -> Formula {
    let first = u32::try_from(scope.len()).unwrap();
    let shifted = |term: &IndexTerm| match term {
        IndexTerm::Variable(variable) => IndexTerm::Variable(IndexVariableId(variable.0 + first)),
        IndexTerm::Named(named) => IndexTerm::Named(*named),
    };
    let term = |term: &Term| term.map(&mut |element| shifted(element));
    let mut parts = Vec::new();
    for (number, kind) in (first..).zip(&cube.variables) {
        scope.push(IndexVariable { name: format!("i{number}"), index_type: *kind, role: Role::Bound });
        let own = Term::Index(IndexTerm::Variable(IndexVariableId(number)));
        let others = (first..number).zip(&cube.variables).filter(|(_, other)| *other == kind);
        let others = others.map(|(other, _)| Term::Index(IndexTerm::Variable(IndexVariableId(other))));
        parts.extend(others.map(|other| Formula::Equal(own.clone(), other)));
        let named = (0..).map(NamedId).zip(named).filter(|(_, named)| named.index_type == *kind);
        let named = named.map(|(id, _)| Term::Index(IndexTerm::Named(id)));
        parts.extend(named.map(|named| Formula::Equal(own.clone(), named)));
    }
    for literal in &cube.literals {
        let (left, right) = (term(&literal.left), term(&literal.right));
        let not = |formula| Formula::Not(Box::new(formula));
        parts.push(match literal.comparison {
            Comparison::Equal => not(Formula::Equal(left, right)),
            Comparison::Different => Formula::Equal(left, right),
            Comparison::AtMost(sum) => not(Formula::AtMost(left, right, sum)),
            Comparison::AtLeast(sum) => not(Formula::AtMost(right, left, -sum)),
        });
    }
    let body = Formula::Or(parts);
    let last = first + u32::try_from(cube.variables.len()).unwrap();
    (first..last).rev().fold(body, |body, number| Formula::Forall(IndexVariableId(number), Box::new(body)))
}
