//! A system for the tests: mutual exclusion with one semaphore.

use system::System;
use system::{
    Comparison, Constant, ConstantId, Cube, Formula, IndexTerm, IndexType, IndexTypeId, IndexVariable, IndexVariableId,
    Literal, Origin, PathStep, Property, PropertyKind, Role, Rule, Sort, SortId, Startstate, TRUE, Term, Transition,
    Update, Value, Variable, VariableId,
};

const NODE: IndexTypeId = IndexTypeId(0);
const N: VariableId = VariableId(0);
const X: VariableId = VariableId(1);
const IDLE: ConstantId = ConstantId(2);
const TRYING: ConstantId = ConstantId(3);
const CRITICAL: ConstantId = ConstantId(4);
const EXITING: ConstantId = ConstantId(5);

fn variable(number: u32) -> IndexTerm {
    IndexTerm::Variable(IndexVariableId(number))
}

fn constant(id: ConstantId) -> Term {
    Term::Constant(id)
}

fn n_at(number: u32) -> Term {
    Term::Read(N, vec![variable(number)])
}

fn x() -> Term {
    Term::Read(X, vec![])
}

fn scope(names: &[(&str, Role)]) -> Vec<IndexVariable> {
    names.iter().map(|(name, role)| IndexVariable { name: (*name).to_owned(), index_type: NODE, role: *role }).collect()
}

fn rule(source: u32, name: &str, guard: Formula, to: ConstantId, semaphore: Option<ConstantId>) -> Rule {
    let moved = Value::If(
        Formula::Equal(Term::Index(variable(1)), Term::Index(variable(0))),
        Box::new(Value::Term(constant(to))),
        Box::new(Value::Term(n_at(1))),
    );
    let mut updates = vec![Update { variable: N, arguments: vec![IndexVariableId(1)], value: moved }];
    updates.extend(semaphore.map(|value| Update {
        variable: X,
        arguments: vec![],
        value: Value::Term(constant(value)),
    }));
    Rule {
        transition: Transition {
            name: name.to_owned(),
            scope: scope(&[("i", Role::Parameter), ("j", Role::Bound)]),
            parameters: 1,
            guard,
            updates,
            origin: Origin::default(),
        },
        case: String::new(),
        source,
    }
}

/// States `n[i]` in I, T, C, E and a semaphore `x`. If `broken`, a node enters without checking the semaphore.
pub(crate) fn mutual_exclusion(broken: bool) -> System {
    let at = |value: ConstantId| Formula::Equal(n_at(0), constant(value));
    let free = Formula::Equal(x(), constant(TRUE));
    let enter = if broken { at(TRYING) } else { Formula::And(vec![at(TRYING), free]) };
    let names = ["false", "true", "I", "T", "C", "E"];
    System {
        index_types: vec![IndexType {
            name: "NODE".to_owned(),
            anonymous: false,
            size: 2,
            first: 1,
            origin: Origin::default(),
        }],
        named: vec![],
        constants: names.iter().map(|name| Constant { name: (*name).to_owned(), scalarset: None }).collect(),
        sorts: vec![
            Sort {
                name: "STATE".to_owned(),
                index_types: vec![],
                constants: vec![IDLE, TRYING, CRITICAL, EXITING],
                numbers: None,
            },
            Sort {
                name: "boolean".to_owned(),
                index_types: vec![],
                constants: vec![ConstantId(0), TRUE],
                numbers: None,
            },
        ],
        variables: vec![
            Variable {
                name: "n[]".to_owned(),
                arguments: vec![NODE],
                sort: SortId(0),
                path: vec![PathStep::Global("n".to_owned()), PathStep::Argument(0)],
                origin: Origin::default(),
            },
            Variable {
                name: "x".to_owned(),
                arguments: vec![],
                sort: SortId(1),
                path: vec![PathStep::Global("x".to_owned())],
                origin: Origin::default(),
            },
        ],
        rules: vec![
            rule(0, "Try", at(IDLE), TRYING, None),
            rule(1, "Crit", enter, CRITICAL, Some(ConstantId(0))),
            rule(2, "Exit", at(CRITICAL), EXITING, None),
            rule(3, "Idle", at(EXITING), IDLE, Some(TRUE)),
        ],
        startstates: vec![Startstate {
            transition: Transition {
                name: "Init".to_owned(),
                scope: scope(&[("j", Role::Bound)]),
                parameters: 0,
                guard: Formula::True,
                updates: vec![
                    Update { variable: N, arguments: vec![IndexVariableId(0)], value: Value::Term(constant(IDLE)) },
                    Update { variable: X, arguments: vec![], value: Value::Term(constant(TRUE)) },
                ],
                origin: Origin::default(),
            },
        }],
        properties: vec![Property {
            name: "Mutex".to_owned(),
            kind: PropertyKind::Invariant,
            scope: vec![],
            formula: Formula::True,
            bad: vec![Cube {
                variables: vec![NODE, NODE],
                literals: vec![
                    Literal { left: n_at(0), comparison: Comparison::Equal, right: constant(CRITICAL) },
                    Literal { left: n_at(1), comparison: Comparison::Equal, right: constant(CRITICAL) },
                ],
                universals: vec![],
            }],
            origin: Origin::default(),
        }],
        axioms: vec![],
        sizes: Vec::new(),
        claim: system::Claim::default(),
    }
}
