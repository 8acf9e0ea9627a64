//! Names for rules and invariants that say what they are about.
//!
//! A name is no substitute for the formula: two invariants may have the same name if their formulas differ in something
//! that a name leaves out.

use std::collections::BTreeMap;

use system::System;
use system::{Cube, Literal, Term, Universal, VariableId};

use system::notation::{Expression, Notation, groups};

/// Names each rule uniquely: with its case, and with its line where names repeat.
pub(crate) fn rules(system: &System) -> Vec<String> {
    let with_case = |rule: &system::Rule| match rule.case.as_str() {
        "" => rule.name.clone(),
        case => format!("{} [{case}]", rule.name),
    };
    let mut uses: BTreeMap<String, u32> = BTreeMap::new();
    for rule in &system.rules {
        *uses.entry(with_case(rule)).or_default() += 1;
    }
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    system
        .rules
        .iter()
        .map(|rule| {
            let name = with_case(rule);
            if uses[&name] == 1 {
                return name;
            }
            let name = format!("{name} (line {})", rule.origin.line);
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            if *count == 1 { name } else { format!("{name} ({count})") }
        })
        .collect()
}

/// Describes an invariant in a few words.
pub(super) fn invariant(notation: &Notation<'_>, cube: &Cube, names: &[String]) -> String {
    if !cube.universals.is_empty() {
        let indexed = cube.variables.len() > 1;
        let premises = phrases(notation, &cube.literals.iter().collect::<Vec<_>>(), names, true, indexed);
        let some: Vec<String> = cube.universals.iter().map(|universal| witness(notation, universal)).collect();
        let some = some.join(" or ");
        return if premises.is_empty() {
            format!("always {some}")
        } else {
            format!("{} implies {some}", premises.join(" and "))
        };
    }
    if let [one, other] = &cube.literals[..]
        && cube.variables.len() == 2
        && same_up_to_indices(one, other)
    {
        let over = &notation.system().index_types[cube.variables[0].index()].name;
        return format!("at most one {over} with {}", phrases(notation, &[one], names, true, false).join(" and "));
    }
    let indexed = cube.variables.len() > 1;
    let (premises, conclusion) = notation.split(cube);
    let conclusion = phrases(notation, &conclusion, names, false, indexed).join(" or ");
    if premises.is_empty() {
        return format!("always {conclusion}");
    }
    let premises = phrases(notation, &premises, names, true, indexed);
    format!("{} implies {conclusion}", premises.join(" and "))
}

/// Names the types of the elements that violate a universal part, and the state variables that this is about.
fn witness(notation: &Notation<'_>, universal: &Universal) -> String {
    let system = notation.system();
    let types: Vec<&str> =
        universal.variables.iter().map(|index_type| system.index_types[index_type.index()].name.as_str()).collect();
    let mut about: Vec<&str> = Vec::new();
    for literal in &universal.literals {
        if let Term::Read(variable, _) = &literal.left {
            let name = system.variables[variable.index()].name.as_str();
            let name = name.split('[').next().unwrap_or(name);
            if !about.contains(&name) {
                about.push(name);
            }
        }
    }
    let with = if about.is_empty() { String::new() } else { format!(" with {}", about.join(" and ")) };
    format!("some {}{with}", types.join(" and "))
}

fn same_up_to_indices(one: &Literal, other: &Literal) -> bool {
    matches!((&one.left, &other.left), (Term::Read(a, x), Term::Read(b, y)) if a == b && x != y && x.len() == 1)
        && one.comparison == other.comparison
        && one.right == other.right
        && matches!(one.right, Term::Constant(_))
}

fn phrases(
    notation: &Notation<'_>,
    literals: &[&Literal],
    names: &[String],
    positive: bool,
    indexed: bool,
) -> Vec<String> {
    let phrase = |(group, expression): (Vec<&Literal>, Expression)| {
        let text = notation.written(expression).to_string();
        let text = text.replace(" != ", " is not ").replace(" <> ", " is not ").replace(" = ", " is ");
        let several = |literal: &&Literal| matches!(&literal.left, Term::Read(_, arguments) if arguments.len() > 1);
        if indexed || group.iter().any(several) {
            return text;
        }
        // A single index variable needs no distinction.
        names.iter().fold(text, |text, name| text.replace(&format!("[{name}]"), ""))
    };
    groups(literals).into_iter().zip(notation.grouped(literals, positive, names)).map(phrase).collect()
}

/// Returns the state variable under which a reader would look for the invariant: the one that the first positive
/// premise reads, since the premise describes the situation that the invariant is about. Variables with an index
/// argument come before others, since messages and caches characterize a situation better than global flags.
pub(super) fn about(notation: &Notation<'_>, cube: &Cube) -> Option<VariableId> {
    let (premises, conclusion) = notation.split(cube);
    let read = |literal: &&Literal| match &literal.left {
        Term::Read(variable, arguments) => Some((*variable, !arguments.is_empty())),
        Term::Constant(_) | Term::Index(_) | Term::Zero => None,
    };
    let of = |literals: &[&Literal], indexed: bool| {
        literals.iter().filter_map(read).find(|(_, has_arguments)| *has_arguments || !indexed).map(|found| found.0)
    };
    let positive: Vec<&Literal> = premises.iter().copied().filter(|literal| literal.comparison.is_equal()).collect();
    of(&positive, true)
        .or_else(|| of(&premises, true))
        .or_else(|| of(&conclusion, true))
        .or_else(|| of(&premises, false))
        .or_else(|| of(&conclusion, false))
}
