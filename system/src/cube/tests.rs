//! Tests the normal form against its meaning: satisfaction in every state of a small instance.

use proptest::prelude::*;

use super::*;
use crate::{
    Comparison, Constant, FALSE, IndexType, NamedElement, NamedId, Numbers, Origin, SortId, TRUE, Variable, VariableId,
};

const NODE: IndexTypeId = IndexTypeId(0);
const DATA: IndexTypeId = IndexTypeId(1);
const HOME: IndexTerm = IndexTerm::Named(NamedId(0));

/// Two index types, one named element, and one state variable for each kind of sort.
fn sample() -> System {
    let index_type =
        |name: &str| IndexType { name: name.into(), anonymous: false, size: 2, first: 1, origin: Origin::default() };
    let names = ["false", "true", "A", "B", "C", "Other"];
    let sort = |name: &str, index_types: Vec<IndexTypeId>, constants: &[u32]| Sort {
        name: name.into(),
        index_types,
        constants: constants.iter().map(|&c| ConstantId(c)).collect(),
        numbers: None,
    };
    let integer = || Sort {
        name: "INTEGER".into(),
        index_types: vec![],
        constants: vec![],
        numbers: Some(Numbers { low: -2, high: 2 }),
    };
    let variable = |name: &str, arguments: Vec<IndexTypeId>, sort: u32| Variable {
        name: name.into(),
        arguments,
        sort: SortId(sort),
        path: vec![],
        origin: Origin::default(),
    };
    System {
        index_types: vec![index_type("NODE"), index_type("DATA")],
        named: vec![NamedElement {
            name: "Home".into(),
            index_type: NODE,
            position: 0,
            anonymous: false,
            chosen: false,
        }],
        constants: names.iter().map(|n| Constant { name: (*n).into(), scalarset: None }).collect(),
        sorts: vec![
            sort("boolean", vec![], &[0, 1]),
            sort("STATE", vec![], &[2, 3, 4]),
            sort("NODE", vec![NODE], &[]),
            sort("DATA", vec![DATA], &[]),
            sort("ABS", vec![NODE], &[5]),
            sort("ONE", vec![], &[2]),
            sort("TWO", vec![], &[4, 5]),
            integer(),
        ],
        variables: vec![
            variable("flag[]", vec![NODE], 0),
            variable("state[]", vec![NODE], 1),
            variable("pointer", vec![], 2),
            variable("data[]", vec![NODE], 3),
            variable("union[]", vec![NODE], 4),
            variable("one", vec![], 5),
            variable("two", vec![], 6),
            variable("number[]", vec![NODE], 7),
            variable("total", vec![], 7),
        ],
        rules: vec![],
        startstates: vec![],
        properties: vec![],
        axioms: Vec::new(),
        sizes: Vec::new(),
        claim: crate::Claim::default(),
    }
}

fn var(number: u32) -> IndexTerm {
    IndexTerm::Variable(IndexVariableId(number))
}

fn read(variable: u32, arguments: &[IndexTerm]) -> Term {
    Term::Read(VariableId(variable), arguments.to_vec())
}

fn literal(left: Term, equal: bool, right: Term) -> Literal {
    Literal { left, comparison: Comparison::equal_if(equal), right }
}

fn constant(number: u32) -> Term {
    Term::Constant(ConstantId(number))
}

fn normal(variables: &[IndexTypeId], literals: &[Literal]) -> Option<Cube> {
    Cube::normalize(&sample(), variables, literals)
}

#[test]
fn a_boolean_inequation_becomes_an_equation() {
    let cube = normal(&[NODE], &[literal(read(0, &[var(0)]), false, Term::Constant(TRUE))]);
    let expected = literal(read(0, &[var(0)]), true, Term::Constant(FALSE));
    assert_eq!(cube.unwrap().literals, vec![expected]);
}

#[test]
fn the_last_possible_constant_is_the_value() {
    let state = read(1, &[var(0)]);
    let cube =
        normal(&[NODE], &[literal(state.clone(), false, constant(2)), literal(state.clone(), false, constant(4))]);
    assert_eq!(cube.unwrap().literals, vec![literal(state, true, constant(3))]);
}

#[test]
fn contradictions_are_seen() {
    let state = read(1, &[var(0)]);
    let pointer = read(2, &[]);
    for literals in [
        vec![literal(state.clone(), true, constant(2)), literal(state.clone(), true, constant(3))],
        vec![literal(state.clone(), true, constant(2)), literal(state.clone(), false, constant(2))],
        vec![literal(state.clone(), true, constant(5))],
        vec![literal(pointer.clone(), true, Term::Index(var(0))), literal(pointer.clone(), true, Term::Index(HOME))],
        vec![literal(Term::Index(var(0)), true, Term::Index(HOME))],
        vec![literal(pointer.clone(), true, read(6, &[]))],
        vec![literal(pointer, true, Term::Index(var(1)))],
        vec![literal(read(1, &[HOME]), true, read(6, &[])), literal(read(6, &[]), true, constant(5))],
        vec![literal(read(5, &[]), false, constant(2))],
    ] {
        assert_eq!(normal(&[NODE, DATA], &literals), None, "{literals:?}");
    }
}

#[test]
fn reads_of_the_same_value_are_each_equated_with_it() {
    let cube = normal(
        &[],
        &[literal(read(2, &[]), true, read(4, &[HOME])), literal(read(4, &[HOME]), true, Term::Index(HOME))],
    );
    let value = |read: Term| literal(read, true, Term::Index(HOME));
    assert_eq!(cube.unwrap().literals, vec![value(read(2, &[])), value(read(4, &[HOME]))]);
}

#[test]
fn an_unused_variable_stays_and_subsumption_counts_it() {
    let alone = normal(&[], &[literal(read(2, &[]), true, Term::Index(HOME))]).unwrap();
    let with_another = normal(&[NODE], &[literal(read(2, &[]), true, Term::Index(HOME))]).unwrap();
    assert_eq!(with_another.variables, vec![NODE]);
    assert!(alone.subsumes(&with_another));
    assert!(!with_another.subsumes(&alone));
    assert_eq!(with_another.without_unused_variables(), alone);
}

#[test]
fn an_equation_implies_the_inequations_with_other_values() {
    let state = |v: u32| read(1, &[var(v)]);
    let not_a = normal(&[NODE], &[literal(state(0), false, constant(2))]).unwrap();
    let two =
        normal(&[NODE, NODE], &[literal(state(0), true, constant(2)), literal(state(1), true, constant(3))]).unwrap();
    assert!(not_a.subsumes(&two));
    assert!(!two.subsumes(&not_a));
}

/// A universal part is about all elements but the variables of its cube, so it says less about a cube with more of them.
#[test]
fn universal_parts_are_compared_where_they_are_about_the_same_elements() {
    let state = |v: u32| literal(read(1, &[var(v)]), true, constant(2));
    let others = |v: u32| Universal { variables: vec![NODE], literals: vec![state(v)] };
    let cube = |variables: &[IndexTypeId], literals: &[Literal], universals: &[Universal]| {
        Cube::normalize_with(&sample(), variables, literals, universals).unwrap()
    };
    let (one, with_part) = (cube(&[NODE], &[state(0)], &[]), cube(&[NODE], &[state(0)], &[others(1)]));
    assert!(one.subsumes(&with_part) && !with_part.subsumes(&one) && with_part.subsumes(&with_part));
    // All nodes but one, and all nodes but two.
    let (but_one, but_two) = (cube(&[NODE], &[], &[others(1)]), cube(&[NODE, NODE], &[], &[others(2)]));
    assert!(!but_one.subsumes(&but_two) && !but_two.subsumes(&but_one));
    // Something holds if there are two nodes, or if there are three.
    let closed = Universal { variables: vec![NODE], literals: vec![literal(read(2, &[]), true, Term::Index(HOME))] };
    let (two, three) = (cube(&[NODE], &[], std::slice::from_ref(&closed)), cube(&[NODE, NODE], &[], &[closed]));
    assert!(!two.subsumes(&three) && two.subsumes(&two));
}

/// A state of an instance: the value of each variable at each argument. Elements are `0..size`; the first is Home.
#[derive(Debug, Clone)]
struct State(Vec<Vec<Concrete>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Concrete {
    Constant(u32),
    Element(IndexTypeId, usize),
    Number(i64),
}

/// Whether a comparison holds of two values.
fn compare(left: Concrete, comparison: Comparison, right: Concrete) -> bool {
    match (left, right) {
        (Concrete::Number(left), Concrete::Number(right)) => comparison.holds_of_numbers(left - right),
        _ => comparison.equality() == Some(left == right),
    }
}

const SIZE: usize = 4;

fn satisfies(state: &State, cube_types: &[IndexTypeId], literals: &[Literal]) -> bool {
    fn assign(state: &State, types: &[IndexTypeId], literals: &[Literal], chosen: &mut Vec<usize>) -> bool {
        if chosen.len() == types.len() {
            let value = |term| value(state, types, chosen, term);
            return literals.iter().all(|l| compare(value(&l.left), l.comparison, value(&l.right)));
        }
        let own = types[chosen.len()];
        let first = usize::from(own == NODE);
        (first..SIZE).any(|element| {
            let taken = chosen.iter().zip(types).any(|(&e, &t)| t == own && e == element);
            if taken {
                return false;
            }
            chosen.push(element);
            let found = assign(state, types, literals, chosen);
            chosen.pop();
            found
        })
    }
    assign(state, cube_types, literals, &mut vec![])
}

fn value(state: &State, types: &[IndexTypeId], chosen: &[usize], term: &Term) -> Concrete {
    let element = |index: &IndexTerm| match index {
        IndexTerm::Variable(v) => (types[v.index()], chosen[v.index()]),
        IndexTerm::Named(_) => (NODE, 0),
    };
    match term {
        Term::Constant(c) => Concrete::Constant(c.0),
        Term::Zero => Concrete::Number(0),
        Term::Index(index) => {
            let (index_type, element) = element(index);
            Concrete::Element(index_type, element)
        }
        Term::Read(variable, arguments) => {
            let at = arguments.first().map_or(0, |a| element(a).1);
            state.0[variable.index()][at]
        }
    }
}

fn state_strategy() -> impl Strategy<Value = State> {
    let system = sample();
    let variables: Vec<_> = system
        .variables
        .iter()
        .map(|variable| {
            let sort = &system.sorts[variable.sort.index()];
            let mut values: Vec<Concrete> = sort.constants.iter().map(|c| Concrete::Constant(c.0)).collect();
            for &index_type in &sort.index_types {
                values.extend((0..SIZE).map(|e| Concrete::Element(index_type, e)));
            }
            values.extend(sort.numbers.iter().flat_map(|own| own.low..=own.high).map(Concrete::Number));
            let count = if variable.arguments.is_empty() { 1 } else { SIZE };
            prop::collection::vec(prop::sample::select(values), count)
        })
        .collect();
    variables.prop_map(State)
}

fn term_strategy() -> impl Strategy<Value = Term> {
    let index = prop_oneof![Just(HOME), (0u32..2).prop_map(var),].boxed();
    prop_oneof![
        (0u32..6).prop_map(constant),
        (0u32..4).prop_map(|v| Term::Index(var(v))),
        Just(Term::Index(HOME)),
        index.clone().prop_map(|i| read(0, &[i])),
        index.clone().prop_map(|i| read(1, &[i])),
        index.clone().prop_map(|i| read(3, &[i])),
        index.prop_map(|i| read(4, &[i])),
        Just(read(2, &[])),
        Just(read(5, &[])),
        Just(read(6, &[])),
    ]
}

/// An equation of values that are not numbers, or a bound.
fn literal_strategy() -> impl Strategy<Value = Literal> {
    let number = prop_oneof![
        (0u32..2).prop_map(|v| read(7, &[var(v)])),
        Just(read(7, &[HOME])),
        Just(read(8, &[])),
        Just(Term::Zero),
    ];
    let comparison = prop_oneof![(-2i64..3).prop_map(Comparison::AtMost), (-2i64..3).prop_map(Comparison::AtLeast)];
    prop_oneof![
        (term_strategy(), any::<bool>(), term_strategy()).prop_map(|(l, e, r)| literal(l, e, r)),
        (number.clone(), comparison, number).prop_map(|(left, comparison, right)| Literal { left, comparison, right }),
    ]
}

const TYPES: [IndexTypeId; 4] = [NODE, NODE, DATA, NODE];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn normal_form_means_the_same_and_is_unique(
        literals in prop::collection::vec(
            literal_strategy(),
            0..6,
        ),
        states in prop::collection::vec(state_strategy(), 40),
        order in Just(vec![0usize, 1, 3]).prop_shuffle(),
    ) {
        let system = sample();
        let cube = Cube::normalize(&system, &TYPES, &literals);
        for state in &states {
            let expected = satisfies(state, &TYPES, &literals);
            let found = cube.as_ref().is_some_and(|c| satisfies(state, &c.variables, &c.literals));
            prop_assert_eq!(expected, found);
        }
        // The same literals in another numbering and another order give the same cube.
        let renamed: Vec<Literal> = literals.iter().rev().map(|l| l.substituted(&|v| {
            let new = match v.0 { 0 => order[0], 1 => order[1], 3 => order[2], other => other as usize };
            var(u32::try_from(new).unwrap())
        })).map(|l| Literal { left: l.right, comparison: l.comparison.mirrored(), right: l.left }).collect();
        prop_assert_eq!(&Cube::normalize(&system, &TYPES, &renamed), &cube);
        if let Some(cube) = cube {
            let again = Cube::normalize(&system, &cube.variables, &cube.literals);
            prop_assert_eq!(again.as_ref(), Some(&cube));
            prop_assert!(cube.literals.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(cube.subsumes(&cube));
        }
    }

    #[test]
    fn a_subsumed_cube_has_fewer_states(
        one in prop::collection::vec(
            literal_strategy(), 1..3),
        more in prop::collection::vec(
            literal_strategy(), 0..4),
        states in prop::collection::vec(state_strategy(), 30),
    ) {
        let system = sample();
        let all: Vec<Literal> = one.iter().chain(&more).cloned().collect();
        if let (Some(small), Some(large)) =
            (Cube::normalize(&system, &TYPES, &one), Cube::normalize(&system, &TYPES, &all))
            && small.subsumes(&large)
        {
            for state in &states {
                prop_assert!(!satisfies(state, &large.variables, &large.literals)
                    || satisfies(state, &small.variables, &small.literals));
            }
        }
    }
}
