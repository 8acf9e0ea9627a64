//! Invariants and tables with bounds, as text.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "../../certificate/tests/support/mod.rs"]
mod support;

#[path = "support/formulas.rs"]
mod formulas;

use certificate::check;
use formulas::with_formulas;
use proofgen::diff::Diff;
use proofgen::table::{Options, Table};
use support::build::{least, most, read, var};
use support::prove::{certify, model};
use support::systems::{Example, bakery, scales, ticket_lock};
use system::notation::Notation;
use system::{Cube, Formula, Literal, PathStep, Term, VariableId};

/// The example with paths as those of a model.
fn with_paths(mut example: Example) -> Example {
    for variable in &mut example.system.variables {
        if let ([PathStep::Global(_)], Some(name)) = (&variable.path[..], variable.name.strip_suffix("[]")) {
            variable.path = vec![PathStep::Global(name.to_owned()), PathStep::Argument(0)];
        }
    }
    example
}

/// Invariants as they are written, without quantifiers.
fn written(example: &Example) -> Vec<String> {
    let notation = Notation::new(&example.system);
    let text = |cube: &Cube| {
        let mut text = notation.invariant(cube, &notation.names(&cube.variables)).to_string();
        while let Some(body) = text.strip_prefix("forall ").and_then(|rest| rest.split_once(" do ")) {
            text = body.1.strip_suffix(" end").unwrap().to_owned();
        }
        text
    };
    example.cubes.iter().map(text).collect()
}

#[test]
fn conclusions_are_bounds_and_equal_numbers_are_equations() {
    let expected = [
        "i != j & phase[i] = Critical -> phase[j] != Critical",
        "i != j & phase[i] != Idle & phase[j] != Idle -> ticket[i] != ticket[j]",
        "phase[i] = Critical -> ticket[i] >= serving",
        "phase[i] = Critical -> ticket[i] <= serving",
        "phase[i] != Idle -> ticket[i] < next",
        "phase[i] = Waiting -> ticket[i] >= serving",
        "next >= serving",
    ];
    // The order of the cube's literals is that of the example.
    assert_eq!(written(&with_paths(ticket_lock())), expected);
    let tied = "i != j & phase[i] = Critical & phase[j] != Idle & n[i] = n[j] -> i <= j";
    assert_eq!(written(&with_paths(bakery()))[2], tied);
}

#[test]
fn sums_are_written_as_murphi_has_them() {
    let example = with_paths(ticket_lock());
    let notation = Notation::new(&example.system);
    let [next, serving] = [2, 3].map(|number| read(VariableId(number), &[]));
    let own = read(VariableId(1), &[var(0)]);
    let names = ["i".to_owned()];
    let text = |literals: Vec<Literal>| {
        let cube = Cube { variables: vec![example.system.variables[1].arguments[0]], literals, universals: vec![] };
        notation.bad_states(&cube, &names).to_string()
    };
    let both = |left: &Term, sum, right: &Term| {
        vec![most(left.clone(), sum, right.clone()), least(left.clone(), sum, right.clone())]
    };
    assert_eq!(text(both(&own, 0, &next)), "ticket[i] = next");
    assert_eq!(text(both(&next, -2, &serving)), "next = serving - 2");
    assert_eq!(text(both(&own, 3, &Term::Zero)), "ticket[i] = 3");
    assert_eq!(text(vec![most(own.clone(), 2, next.clone())]), "ticket[i] <= next + 2");
    assert_eq!(text(vec![least(own.clone(), 1, next.clone())]), "ticket[i] > next");
    assert_eq!(text(vec![most(own.clone(), -1, Term::Zero)]), "ticket[i] <= -1");
    let apart = vec![most(own.clone(), 1, next.clone()), least(own.clone(), 0, next.clone())];
    assert_eq!(text(apart), "ticket[i] <= next + 1 & ticket[i] >= next");
    let differ = |sum: i64| {
        let above = Formula::AtMost(next.clone(), own.clone(), -sum - 1);
        Formula::Or(vec![Formula::AtMost(own.clone(), next.clone(), sum - 1), above])
    };
    let types = [example.system.variables[1].arguments[0]];
    let formula = |formula: &Formula| notation.formula(formula, &names, &types).to_string();
    assert_eq!(formula(&differ(0)), "ticket[i] != next");
    assert_eq!(formula(&differ(1)), "ticket[i] != next + 1");
    let Formula::Or(parts) = differ(0) else { unreachable!() };
    assert_eq!(formula(&Formula::And(parts)), "ticket[i] < next & next < ticket[i]");
}

fn table(example: &Example) -> (String, String) {
    let system = with_formulas(&example.system);
    let certificate = certify(&system, &example.cubes);
    let checked = check(&system, &certificate, &model()).expect("the checker accepts the example");
    let table = Table::read(&checked, &Options::default());
    (table.json(), table.markdown())
}

#[test]
fn tables_name_the_bounds_of_splits_and_can_be_compared() {
    let (json, markdown) = table(&scales());
    assert!(json.contains("\"split\":\"x <= y - 1\"") || json.contains("\"split\":\"x < y\""), "{json}");
    assert!(json.contains("\"value\":\"true\""), "{json}");
    assert!(markdown.contains("x < y"), "{markdown}");
    assert!(Diff::of_tables(&json, &json).unwrap().is_empty());
    // A bound that is not strict is another one; sides may be exchanged.
    let not_strict = json.replace("p = true & x < y &", "p = true & x <= y &");
    let exchanged = json.replace("p = true & x < y &", "p = true & y > x &");
    assert!(not_strict != json && exchanged != json, "{json}");
    assert!(!Diff::of_tables(&json, &not_strict).unwrap().is_empty());
    let diff = Diff::of_tables(&json, &exchanged).unwrap();
    assert!(diff.added.is_empty() && diff.removed.is_empty(), "{diff:?}");
}
