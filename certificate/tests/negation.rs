//! The cubes of a property have to cover the negation of its formula, so that a cube that lowering forgets is noticed.

mod support;

use certificate::check;
use certificate::fault::Place;
use support::build::{Builder, all, any, con, cube, eq, forall, index, lit, named, ne, read, var};
use support::prove::{certify, model};
use support::systems::{Example, home, links, mutual_exclusion};
use system::System;
use system::{
    ConstantId, Cube, FALSE, Formula, IndexTypeId, IndexVariable, IndexVariableId, Literal, Role, TRUE, Universal,
    VariableId,
};

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
    // A property has to be closed. An `exists` below a `forall` of its negation is used for no element that is new.
    let alternating = Formula::Exists(system::IndexVariableId(0), Box::new(forall(1, any(&[not_in(0), not_in(1)]))));
    assert!(uncovered(&problems(&example, 2, alternating, |_| {})));
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

/// Two parts of a formula may bind the same variable. They are about different elements then.
#[test]
fn parts_that_bind_the_same_variable_are_about_different_elements() {
    let example = mutual_exclusion();
    let is = |i: u32, phase: u32| lit(read(VariableId(0), &[var(i)]), true, con(ConstantId(phase)));
    let no_node_is = |phase: u32| forall(0, ne(read(VariableId(0), &[var(0)]), con(ConstantId(phase))));
    // Some node is trying and some node is exiting: they need not be one node, nor can they be.
    let formula = any(&[no_node_is(3), no_node_is(5)]);
    let of = |cubes: Vec<Cube>| {
        move |system: &mut System| {
            system.properties[0].bad.clone_from(&cubes);
        }
    };
    let nodes = |count: usize| vec![IndexTypeId(0); count];
    let two = cube(&nodes(2), vec![is(0, 3), is(1, 5)]);
    assert!(problems(&example, 1, formula.clone(), of(vec![two])).is_empty());
    assert!(uncovered(&problems(&example, 1, formula, of(vec![]))));
    let any_of_two = any(&[no_node_is(3), forall(0, eq(read(VariableId(1), &[]), con(TRUE))), no_node_is(3)]);
    let one = cube(&nodes(1), vec![is(0, 3), lit(read(VariableId(1), &[]), true, con(FALSE))]);
    assert!(problems(&example, 1, any_of_two, of(vec![one])).is_empty());
}

/// The system of the example with an axiom, and what is wrong with it.
fn axiom_problems(example: &Example, scope: &[IndexTypeId], formula: Formula, bad: Vec<Cube>) -> Vec<String> {
    let mut b = Builder { system: example.system.clone() };
    b.axiom("Assumed", scope, formula, bad);
    let certificate = certify(&example.system, &example.cubes);
    let faults = check(&b.system, &certificate, &model()).err().unwrap_or_default();
    faults.iter().filter(|fault| fault.place == Place::System).map(|fault| fault.problem.to_string()).collect()
}

/// The cubes of an axiom are premises, so that its formula has to exclude each of them.
#[test]
fn the_formula_of_an_axiom_excludes_its_cubes() {
    let example = links();
    let node = IndexTypeId(0);
    let link = |i: u32, j: u32| read(VariableId(0), &[var(i), var(j)]);
    let linked = |i: u32, j: u32| eq(link(i, j), con(TRUE));
    let is = |i: u32, j: u32, truth: bool| lit(link(i, j), true, con(if truth { TRUE } else { FALSE }));
    let exists = |variable: u32, body: Formula| Formula::Exists(IndexVariableId(variable), Box::new(body));
    let holds = |scope: usize, formula: &Formula, bad: Cube| {
        let found = axiom_problems(&example, &vec![node; scope], formula.clone(), vec![bad]);
        assert!(found.iter().all(|problem| problem.contains("its formula does not exclude its cubes")), "{found:?}");
        found.is_empty()
    };
    // Symmetry.
    let symmetric = forall(0, forall(1, any(&[ne(link(0, 1), con(TRUE)), linked(1, 0)])));
    assert!(holds(2, &symmetric, cube(&[node; 2], vec![is(0, 1, true), is(1, 0, false)])));
    assert!(!holds(2, &symmetric, cube(&[node; 2], vec![is(0, 1, true), is(1, 0, true)])));
    assert!(!holds(2, &symmetric, cube(&[node; 2], vec![is(0, 1, true)])));
    // Any two nodes have a common neighbour.
    let third = exists(2, all(&[linked(0, 2), linked(1, 2)]));
    let neighbours = forall(0, forall(1, any(&[eq(index(var(0)), index(var(1))), third])));
    let with = |literals: Vec<Literal>, part: Vec<Literal>| {
        let universals = vec![Universal { variables: vec![node], literals: part }];
        Cube { variables: vec![node; 2], literals, universals }
    };
    let ends = [is(0, 0, false), is(1, 1, false)];
    let apart = vec![is(0, 2, false), is(1, 2, false)];
    assert!(holds(3, &neighbours, with(ends.to_vec(), apart.clone())));
    // One of the two may be the common neighbour; another node may be, too; a weaker part does not suffice.
    assert!(!holds(3, &neighbours, with(ends[..1].to_vec(), apart.clone())));
    assert!(!holds(3, &neighbours, cube(&[node; 2], ends.to_vec())));
    assert!(!holds(3, &neighbours, with(ends.to_vec(), [apart.as_slice(), &[is(2, 2, true)]].concat())));
    // Parts of a conjunction, each of which excludes a cube of its own; a negation; constants.
    let both = all(&[neighbours.clone(), symmetric.clone()]);
    assert!(holds(3, &both, with(ends.to_vec(), apart.clone())));
    assert!(holds(3, &both, cube(&[node; 2], vec![is(0, 1, true), is(1, 0, false)])));
    let not_all = Formula::Not(Box::new(Formula::Not(Box::new(symmetric.clone()))));
    assert!(holds(2, &not_all, cube(&[node; 2], vec![is(0, 1, true), is(1, 0, false)])));
    assert!(holds(0, &Formula::False, cube(&[], vec![])));
    assert!(!holds(0, &Formula::True, cube(&[], vec![])));
    // Either kind of axiom excludes what both exclude.
    let either = any(&[neighbours, symmetric]);
    assert!(!holds(3, &either, with(ends.to_vec(), apart.clone())));
    let both = [vec![is(0, 1, true), is(1, 0, false)], ends.to_vec()].concat();
    assert!(holds(3, &either, with(both, apart)));
}
