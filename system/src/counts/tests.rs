//! Tests that the added numbers are those of elements, in all states of small instances.

use super::*;
use crate::evaluator::{Concrete, Evaluator, State};
use crate::{Claim, Constant, FALSE, IndexType, NamedElement, RuleId, StartstateId, TRUE};

const NODE: IndexTypeId = IndexTypeId(0);
const STATE: VariableId = VariableId(0);
const NUMBER: VariableId = VariableId(1);
const SIZE: VariableId = VariableId(2);

fn element(variable: u32) -> IndexTerm {
    IndexTerm::Variable(IndexVariableId(variable))
}

fn constant(number: u32) -> Term {
    Term::Constant(ConstantId(number))
}

fn state(at: IndexTerm) -> Term {
    Term::Read(STATE, vec![at])
}

fn is(at: IndexTerm, number: u32) -> Formula {
    Formula::Equal(state(at), constant(number))
}

/// A rule with two parameters, and a variable that updates bind, which the values may refer to.
fn rule(name: &str, guard: Formula, value: Value, more: i64) -> crate::Rule {
    let variable = |name: &str, role| IndexVariable { name: name.into(), index_type: NODE, role };
    let scope = vec![variable("p", Role::Parameter), variable("q", Role::Parameter), variable("b", Role::Bound)];
    let number = Value::Sum(Term::Read(NUMBER, Vec::new()), more);
    let updates = vec![
        Update { variable: STATE, arguments: vec![IndexVariableId(2)], value },
        Update { variable: NUMBER, arguments: Vec::new(), value: number },
    ];
    let transition = Transition { name: name.into(), scope, parameters: 2, guard, updates, origin: Origin::default() };
    crate::Rule { transition, case: String::new(), source: 0 }
}

/// The value at one element; the others keep theirs or get the next value.
fn at(element_at: IndexTerm, value: Value, others: Value) -> Value {
    let here = Formula::Equal(Term::Index(element(2)), Term::Index(element_at));
    Value::If(here, Box::new(value), Box::new(others))
}

fn kept() -> Value {
    Value::Term(state(element(2)))
}

/// A number counts the elements in state 3, more or less; the other rules change states in every form that there is.
fn sample(named: bool) -> System {
    let sort = |name: &str, constants: &[u32], numbers| Sort {
        name: name.into(),
        index_types: Vec::new(),
        constants: constants.iter().map(|&c| ConstantId(c)).collect(),
        numbers,
    };
    let variable = |name: &str, arguments: Vec<IndexTypeId>, sort| Variable {
        name: name.into(),
        arguments,
        sort: SortId(sort),
        path: vec![PathStep::Global(name.into())],
        origin: Origin::default(),
    };
    let names = ["false", "true", "I", "S", "M"];
    let (p, q) = (element(0), element(1));
    let set = |number| Value::Term(constant(number));
    let shared = Box::new(set(3));
    let unless = Value::If(is(q, 3), Box::new(set(2)), shared.clone());
    let copy = Value::Term(state(element(0)));
    let here = |at| Formula::Equal(Term::Index(at), Term::Index(element(2)));
    let if_ = |condition| Value::If(condition, shared.clone(), Box::new(kept()));
    let start = |value: Value| crate::Startstate {
        transition: Transition {
            name: "start".into(),
            scope: vec![
                IndexVariable { name: "p".into(), index_type: NODE, role: Role::Parameter },
                IndexVariable { name: "b".into(), index_type: NODE, role: Role::Bound },
                IndexVariable { name: "c".into(), index_type: NODE, role: Role::Bound },
            ],
            parameters: 1,
            guard: Formula::True,
            updates: vec![
                Update { variable: STATE, arguments: vec![IndexVariableId(2)], value },
                Update { variable: NUMBER, arguments: Vec::new(), value: Value::Term(Term::Zero) },
            ],
            origin: Origin::default(),
        },
    };
    System {
        index_types: vec![IndexType {
            name: "NODE".into(),
            anonymous: false,
            size: 3,
            first: 1,
            origin: Origin::default(),
        }],
        named: named
            .then(|| NamedElement {
                name: "Home".into(),
                index_type: NODE,
                position: 0,
                anonymous: false,
                chosen: false,
            })
            .into_iter()
            .collect(),
        constants: names.iter().map(|name| Constant { name: (*name).into(), scalarset: None }).collect(),
        sorts: vec![
            sort("boolean", &[FALSE.0, TRUE.0], None),
            sort("STATE", &[2, 3, 4], None),
            sort("NUMBER", &[], Some(Numbers { low: 0, high: 3 })),
        ],
        variables: vec![
            variable("state[]", vec![NODE], 1),
            variable("number", Vec::new(), 2),
            variable("N", Vec::new(), 2),
        ],
        rules: vec![
            rule("get", is(p, 2), at(p, set(3), kept()), 1),
            rule("drop", is(p, 3), at(p, set(4), kept()), -1),
            rule("swap", Formula::True, at(p, Value::Term(state(q)), at(q, copy, kept())), 0),
            rule("both", Formula::True, at(p, set(3), at(q, set(2), kept())), 0),
            rule("either", Formula::Not(Box::new(is(p, 4))), at(p, unless, kept()), 0),
            rule("if invalid", Formula::True, if_(Formula::And(vec![is(p, 2), here(p)])), 0),
            rule("two", Formula::True, if_(Formula::Or(vec![here(p), Formula::And(vec![is(q, 4), here(q)])])), 0),
            rule("other", is(p, 4), if_(Formula::And(vec![here(q), Formula::Not(Box::new(here(p)))])), 0),
            rule("reset", is(p, 4), set(2), 0),
            rule("all", is(p, 4), set(3), 0),
        ],
        startstates: vec![start(set(2)), start(at(p, set(3), set(2)))],
        properties: Vec::new(),
        axioms: Vec::new(),
        sizes: vec![crate::Size { index_type: NODE, variable: SIZE, more: 0 }],
        claim: Claim::default(),
    }
}

#[test]
fn numbers_are_those_of_elements_in_every_state() {
    let mut seen = 0;
    for named in [false, true] {
        for size in 1..=3_u32 {
            let mut system = sample(named);
            add(&mut system);
            assert_eq!(crate::wellformed::problems(&system), Vec::<String>::new());
            let added: Vec<(VariableId, ConstantId, bool)> = (0..)
                .map(VariableId)
                .zip(&system.variables)
                .filter_map(|(id, own)| match own.path[..] {
                    [PathStep::Count(_, constant, positive)] => Some((id, constant, positive)),
                    _ => None,
                })
                .collect();
            assert_eq!(added.len(), 1, "of the numbers of elements, one changes as `number` does");
            seen += check(&system, size, &added);
        }
    }
    assert_eq!(seen, 78);
}

/// Explores the instance with this size, and compares the numbers and the axioms in every state.
fn check(system: &System, size: u32, added: &[(VariableId, ConstantId, bool)]) -> usize {
    let instance = Evaluator::new(system, vec![size]).unwrap();
    let is_of_size = |state: &State| state.0[instance.slot(SIZE, &[])] == Concrete::Number(i64::from(size));
    let mut waiting: Vec<State> = Vec::new();
    for (number, _) in system.startstates.iter().enumerate() {
        let id = StartstateId(u32::try_from(number).unwrap());
        for parameters in instance.startstate_parameters(id) {
            let choices = instance.initial(id, &parameters).unwrap();
            waiting.extend(choices.states().into_iter().filter(is_of_size));
        }
    }
    let mut states: BTreeSet<State> = BTreeSet::new();
    while let Some(state) = waiting.pop() {
        // The number that only adds up is of no interest here.
        let mut bounded = state;
        bounded.0[instance.slot(NUMBER, &[])] = Concrete::Number(0);
        if !states.insert(bounded.clone()) {
            continue;
        }
        for &(count, constant, positive) in added {
            let all = (0..size).filter(|&node| {
                let value = bounded.0[instance.slot(STATE, &[node])];
                (value == Concrete::Constant(constant)) == positive
            });
            let expected = Concrete::Number(i64::try_from(all.count()).unwrap());
            assert_eq!(bounded.0[instance.slot(count, &[])], expected, "{bounded:?}");
        }
        for axiom in &system.axioms {
            assert!(instance.holds(&axiom.formula, &axiom.scope, &bounded), "{}", axiom.name);
            assert!(!axiom.bad.iter().any(|cube| instance.satisfies(cube, &bounded)), "{}", axiom.name);
        }
        for (number, _) in system.rules.iter().enumerate() {
            let id = RuleId(u32::try_from(number).unwrap());
            for parameters in instance.rule_parameters(id) {
                if let Some(next) = instance.successors(id, &parameters, &bounded) {
                    waiting.extend(next.states());
                }
            }
        }
    }
    states.len()
}

/// What the axioms about majorities say holds for all states of elements, and what is stronger by one does not.
#[test]
fn two_majorities_have_an_element_in_common() {
    let (mut tight, mut states) = (BTreeSet::new(), 0);
    for more in [-1, 0, 1] {
        let mut system = sample(false);
        system.sizes[0].more = more;
        let half = |name: &str, plus| Variable {
            name: name.into(),
            arguments: Vec::new(),
            sort: SortId(2),
            path: vec![PathStep::Half(SIZE, plus)],
            origin: Origin::default(),
        };
        let count = |number, positive| Variable {
            name: format!("#{number}"),
            path: vec![PathStep::Count(STATE, ConstantId(number), positive)],
            ..half("", 0)
        };
        system.variables.extend([half("N / 2", 0), half("(N + 1) / 2", 1)]);
        system.variables.extend([count(2, true), count(3, true), count(3, false)]);
        add_majorities(&mut system);
        // Of the three numbers, two pairs exclude each other: those of 2 and 3, and those of 3 and of all but 3.
        // Half of the parameter says nothing if there are more or fewer elements.
        assert_eq!(system.axioms.len(), if more == 0 { 6 } else { 0 });
        for size in 0..=5_u32 {
            let parameter = i64::from(size) - more;
            for states_of in 0..3_u32.pow(size) {
                let value = |node: u32| 2 + states_of / 3_u32.pow(node) % 3;
                let number = |variable: VariableId| match system.variables[variable.index()].path[..] {
                    [PathStep::Half(_, plus)] => (parameter + plus).div_euclid(2),
                    [PathStep::Count(_, constant, positive)] => {
                        let all = (0..size).filter(|&node| (value(node) == constant.0) == positive);
                        i64::try_from(all.count()).unwrap()
                    }
                    _ => parameter,
                };
                let holds = |axiom: &Axiom, stronger: i64| {
                    let Formula::Or(parts) = &axiom.formula else { panic!("{axiom:?}") };
                    parts.iter().any(|part| {
                        let Formula::AtMost(Term::Read(left, _), Term::Read(right, _), sum) = part else { panic!() };
                        number(*left) <= number(*right) + sum - stronger
                    })
                };
                for (at, axiom) in system.axioms.iter().enumerate() {
                    assert!(holds(axiom, 0), "{} with {size} elements", axiom.name);
                    if !holds(axiom, 1) {
                        tight.insert(at);
                    }
                }
                states += usize::from(more == 0);
            }
        }
    }
    assert_eq!((tight.len(), states), (6, 364));
}
