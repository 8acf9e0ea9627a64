//! The cubes of a property have to cover the negation of its formula, so that a cube that lowering forgets is noticed.

mod support;

use certificate::check;
use certificate::fault::Place;
use support::build::{all, any, con, eq, forall, index, lit, named, ne, read, var};
use support::prove::{certify, model};
use support::systems::{Example, home, mutual_exclusion};
use system::System;
use system::{Cube, Formula, IndexTypeId, IndexVariable, Role};

use system::{ConstantId, TRUE, VariableId};

fn scope(count: u32) -> Vec<IndexVariable> {
    (0..count)
        .map(|number| IndexVariable { name: format!("v{number}"), index_type: IndexTypeId(0), role: Role::Bound })
        .collect()
}

/// The problems with the system, if the first property has this formula.
fn problems(example: &Example, variables: u32, formula: Formula, change: impl Fn(&mut System)) -> Vec<String> {
    let mut system = example.system.clone();
    system.properties[0].scope = scope(variables);
    system.properties[0].formula = formula;
    let certificate = certify(&example.system, &example.cubes);
    change(&mut system);
    let faults = check(&system, &certificate, &model()).err().unwrap_or_default();
    faults.iter().filter(|fault| fault.place == Place::System).map(|fault| fault.problem.to_string()).collect()
}

fn uncovered(problems: &[String]) -> bool {
    problems.len() == 1 && problems[0].contains("its cubes do not cover the negation of its formula")
}

#[test]
fn a_property_over_two_nodes() {
    let example = mutual_exclusion();
    let critical = ConstantId(4);
    let not_in = |i: u32| ne(read(VariableId(0), &[var(i)]), con(critical));
    let same = eq(index(var(0)), index(var(1)));
    let both = |body| forall(0, forall(1, body));
    let mutex = both(any(&[same, not_in(0), not_in(1)]));
    assert!(problems(&example, 2, mutex.clone(), |_| {}).is_empty());
    // Without the condition that the nodes differ, one node alone violates it.
    assert!(uncovered(&problems(&example, 2, both(any(&[not_in(0), not_in(1)])), |_| {})));
    assert!(uncovered(&problems(&example, 1, forall(0, not_in(0)), |_| {})));
    // A cube is lost, or says more than the negation does, or less.
    assert!(uncovered(&problems(&example, 2, mutex.clone(), |system| system.properties[0].bad.clear())));
    let more = |system: &mut System| {
        let third = system.properties[0].bad[0].variables[0];
        system.properties[0].bad[0].variables.push(third);
    };
    assert!(uncovered(&problems(&example, 2, mutex.clone(), more)));
    let less = |system: &mut System| {
        system.properties[0].bad[0].literals.pop();
    };
    assert!(problems(&example, 2, mutex.clone(), less).is_empty());
    // A conjunction of properties, of which one has no cube.
    assert!(uncovered(&problems(&example, 2, all(&[mutex, forall(0, not_in(0))]), |_| {})));
    // Some node is not critical: the negation is that all are.
    let some = Formula::Exists(system::IndexVariableId(0), Box::new(not_in(0)));
    let all_in = |equal: bool| {
        move |system: &mut System| {
            let literal = lit(read(VariableId(0), &[var(0)]), equal, con(critical));
            let universal = system::Universal { variables: vec![IndexTypeId(0)], literals: vec![literal] };
            system.properties[0].bad = vec![Cube { variables: vec![], literals: vec![], universals: vec![universal] }];
        }
    };
    assert!(problems(&example, 1, some.clone(), all_in(true)).is_empty());
    assert!(uncovered(&problems(&example, 1, some.clone(), all_in(false))));
    assert!(uncovered(&problems(&example, 1, some, |_| {})));
    // A property has to be closed, and must not have an `exists` below a `forall` in its negation.
    let alternating = Formula::Exists(system::IndexVariableId(0), Box::new(forall(1, any(&[not_in(0), not_in(1)]))));
    assert!(problems(&example, 2, alternating, |_| {})[0].contains("not well-formed"));
    assert!(problems(&example, 1, not_in(0), |_| {})[0].contains("outside its quantifier"));
}

#[test]
fn a_property_over_a_named_element() {
    let example = home();
    let not_on = |i: u32| ne(read(VariableId(0), &[var(i)]), con(TRUE));
    let both = forall(0, forall(1, any(&[eq(index(var(0)), index(var(1))), not_on(0), not_on(1)])));
    assert!(problems(&example, 2, both.clone(), |_| {}).is_empty());
    // One of the nodes may be Home, or neither: both cubes are needed.
    for number in 0..2 {
        let lost = |system: &mut System| {
            system.properties[0].bad.remove(number);
        };
        assert!(uncovered(&problems(&example, 2, both.clone(), lost)), "{number}");
    }
    // About nodes other than Home, the cube with Home is not needed.
    let others = forall(
        0,
        forall(
            1,
            any(&[
                eq(index(var(0)), index(var(1))),
                eq(index(var(0)), index(named(0))),
                eq(index(var(1)), index(named(0))),
                not_on(0),
                not_on(1),
            ]),
        ),
    );
    let lost = |system: &mut System| {
        system.properties[0].bad.remove(0);
    };
    assert!(problems(&example, 2, others, lost).is_empty());
}
