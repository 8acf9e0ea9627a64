//! Compares the oracle of the search with executions of the Murphi text.

use murphi::Options;
use murphi::lower::{Lowered, lower};
use murphi::program::Program;
use system::{Comparison, Cube, IndexTerm, IndexVariableId, Literal, Term, VariableId};

use super::*;
use crate::approx::Reachable;
use crate::literal::{Conj, Space};
use murphi::instance::{Exploration, Instance, Limits, Outcome, Permuted};

const GERMANISH: &str = include_str!("../../../models/germanish.m");
const GERMAN_CTC: &str = include_str!("../../../models/german_ctc.m");
const DIJKSTRA: &str = include_str!("../../../models/dijkstra.m");

fn lowered(text: &str, constants: &[(&str, i64)]) -> (Program, Lowered) {
    let mut options = Options::default();
    options.constants.extend(constants.iter().map(|(name, value)| ((*name).to_owned(), *value)));
    let program = murphi::read(text, &options).unwrap_or_else(|errors| panic!("{errors:?}"));
    let lowered = lower(&program, &Default::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    (program, lowered)
}

/// All cubes with up to two variables and two literals over some of the state variables.
fn cubes(system: &system::System) -> Vec<Cube> {
    let mut literals = Vec::new();
    let variables: Vec<_> = (0..).map(VariableId).zip(&system.variables).collect();
    let node = system.index_types.iter().position(|ty| ty.size > 1).unwrap();
    let node = system::IndexTypeId(u32::try_from(node).unwrap());
    let terms = [IndexTerm::Variable(IndexVariableId(0)), IndexTerm::Variable(IndexVariableId(1))];
    let mut reads = Vec::new();
    for (id, variable) in variables {
        match variable.arguments.as_slice() {
            [] => reads.push(Term::Read(id, Vec::new())),
            [ty] if *ty == node => reads.extend(terms.iter().map(|term| Term::Read(id, vec![*term]))),
            _ => {}
        }
    }
    for read in &reads {
        let Term::Read(id, _) = read else { continue };
        let sort = system.sort_of(*id);
        for comparison in [Comparison::Equal, Comparison::Different] {
            for constant in &sort.constants {
                literals.push(Literal { left: read.clone(), comparison, right: Term::Constant(*constant) });
            }
            if sort.index_types.contains(&node) {
                literals.extend(terms.map(|term| Literal { left: read.clone(), comparison, right: Term::Index(term) }));
            }
            for other in &reads {
                let Term::Read(other_id, _) = other else { continue };
                if read < other && system.variables[other_id.index()].sort == system.variables[id.index()].sort {
                    literals.push(Literal { left: read.clone(), comparison, right: other.clone() });
                }
            }
        }
    }
    let mut cubes = Vec::new();
    for (position, first) in literals.iter().enumerate() {
        for second in literals[position..].iter().step_by(7) {
            cubes.extend(Cube::normalize(system, &[node, node], &[first.clone(), second.clone()]));
        }
    }
    cubes
}

/// All states of an instance agree: the lowered system here, the Murphi statements there.
#[test]
fn the_oracle_answers_as_executions_do() {
    let models = [
        (GERMANISH, &[("NODE_NUM", 3)][..]),
        (DIJKSTRA, &[("NODE_NUM", 2)]),
        (GERMAN_CTC, &[("NODE_NUM", 2), ("DATA_NUM", 1)]),
    ];
    let (mut yes, mut no) = (0, 0);
    for (text, constants) in models {
        let (program, lowered) = lowered(text, constants);
        let system = &lowered.system;
        let instance = Instance::new(&program, &Permuted::lowered(&lowered)).unwrap();
        let exploration = instance.explore(&Limits::default(), true, &mut |_| true);
        assert_eq!(exploration.outcome, Outcome::Complete);

        let sizes: Vec<u32> = system.index_types.iter().map(|ty| ty.size).collect();
        let machine = FiniteSystem::new(system, &sizes).unwrap();
        let reached = explore(&machine, Effort { breadth: usize::MAX, walked: 0, length: 0 }, &mut || true);
        assert!(reached.complete && reached.violation.is_none());
        let space = Space::new(system);
        let table = Table::new(&machine, &space, reached.states, usize::MAX);

        for cube in cubes(system) {
            let expected = by_definition(&instance, &exploration, system, &cube);
            assert_eq!(table.reaches(&Conj::from_cube(&cube, &space)), expected, "{cube:?}");
            *(if expected { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 100 && no > 100, "{yes} {no}");
}

#[test]
fn what_is_learned_keeps_within_the_limit() {
    let (_, lowered) = lowered(GERMANISH, &[("NODE_NUM", 2)]);
    let system = &lowered.system;
    let machine = FiniteSystem::new(system, &[2]).unwrap();
    let space = Space::new(system);
    let conjs: Vec<Conj> = cubes(system).iter().map(|cube| Conj::from_cube(cube, &space)).collect();
    for most in [3, usize::MAX] {
        let reached = explore(&machine, Effort { breadth: 3, walked: 0, length: 0 }, &mut || true);
        assert_eq!(reached.states.len(), 3);
        let table = Table::new(&machine, &space, reached.states, most);
        let mut led = 0;
        for rule in (0..).map(RuleId).take(system.rules.len()) {
            for (from, to) in conjs.iter().zip(conjs.iter().rev()) {
                led += usize::from(table.leads(from, &[(rule, to)]));
            }
        }
        assert!(led > 0);
        assert_eq!(table.len() > 3, most > 3, "{} states", table.len());
    }
}

/// An undefined pointer equals some element, so a rule that follows it has a successor.
#[test]
fn a_rule_follows_an_undefined_pointer() {
    let with = |body: &str, property: &str| {
        format!(
            "type P: scalarset(3); var a: array [P] of boolean; x: boolean; p: P; q: array [P] of P; \
             startstate begin undefine p; undefine q; x := false; for i: P do a[i] := false; end; end; \
             ruleset i: P do rule begin {body} a[i] := true; p := i; q[i] := i; end; end; invariant {property};"
        )
    };
    let all = Effort { breadth: usize::MAX, walked: 0, length: 0 };
    for body in ["if x then a[p] := false; end;", "a[i] := (x ? a[p] : true);", "if x then a[q[p]] := false; end;"] {
        let (_, lowered) = lowered(&with(body, "forall i: P do !a[i] end"), &[]);
        let machine = FiniteSystem::new(&lowered.system, &[2]).unwrap();
        assert!(explore(&machine, all, &mut || true).violation.is_some(), "{body}");
        let (_, lowered) = self::lowered(&with(body, "!x"), &[]);
        let machine = FiniteSystem::new(&lowered.system, &[2]).unwrap();
        let reached = explore(&machine, all, &mut || true);
        assert!(reached.states.len() > 1 && reached.violation.is_none(), "{body}");
    }
    // Whether the rule changes anything depends on the pointer, so these are not all states.
    for (body, complete) in [("if p = i then x := x & a[i]; end;", false), ("undefine p;", true)] {
        let (_, lowered) = lowered(&with(body, "!x"), &[]);
        let machine = FiniteSystem::new(&lowered.system, &[2]).unwrap();
        assert_eq!(explore(&machine, all, &mut || true).complete, complete, "{body}");
    }
}

/// Where something depends on a value with which a model starts, and which may be any, there is an initial state for each value.
/// Copies of it are equal; what nothing depends on stays undefined.
#[test]
fn a_value_on_which_something_depends_is_chosen_initially() {
    let text = "type P: scalarset(2); var v: boolean; idle: P; copy: array [P] of boolean; done: array [P] of boolean; \
        startstate for i: P do done[i] := false; copy[i] := false; end; end; \
        ruleset i: P do rule !done[i] ==> copy[i] := v; done[i] := true; end; end; \
        invariant forall i: P do forall j: P do done[i] & done[j] -> copy[i] = copy[j] end end;";
    let (_, lowered) = lowered(text, &[]);
    let all = Effort { breadth: usize::MAX, walked: 0, length: 0 };
    let mut machine = FiniteSystem::new(&lowered.system, &[2]).unwrap();
    let first = explore(&machine, all, &mut || true);
    assert!(first.violation.is_none() && !first.complete);
    let reached = explore_all(&mut machine, all, &mut || true);
    assert!(reached.violation.is_none() && reached.complete, "{:?}", reached.states);
    // No process is done, one is, or both are, with each value.
    assert_eq!(reached.states.len(), 6, "{:?}", reached.states);
    let scalar = |name: &str| {
        let at = lowered.system.variables.iter().position(|own| own.name.starts_with(name)).unwrap();
        machine.scalars_of(VariableId(u32::try_from(at).unwrap())).next().unwrap().0
    };
    assert!(reached.states.iter().all(|state| state[scalar("idle")] == 0 && state[scalar("v")] != 0));
    // There is nothing more to choose.
    assert!(!machine.choose(reached.states.iter()));
}

/// An instance has only some numbers. Where a step leads to another one, its states are not all.
#[test]
fn states_with_other_numbers_are_missing() {
    for (guard, complete) in [("n < N", false), ("n < 2", true)] {
        let text = format!(
            "const N: 3; type C: 0..N; var n: C; startstate n := 0; end; rule {guard} ==> n := n + 1; end; invariant n <= N;"
        );
        let (_, lowered) = lowered(&text, &[]);
        let machine = FiniteSystem::new(&lowered.system, &[]).unwrap();
        let reached = explore(&machine, Effort { breadth: usize::MAX, walked: 0, length: 0 }, &mut || true);
        assert_eq!((reached.complete, reached.violation.is_some()), (complete, false), "{guard}");
    }
}

/// Whether some permutation of some state satisfies the cube, judged by the text of the state.
fn by_definition(instance: &Instance, exploration: &Exploration, system: &system::System, cube: &Cube) -> bool {
    let machine = instance.machine();
    let names = machine.layout().names(machine.program(), machine.values());
    let mut state = vec![0; machine.layout().words()];
    let node = cube.variables[0];
    let size = system.index_types[node.index()].size;
    let element = |position: u32| {
        let ty = (0..)
            .zip(&machine.program().types)
            .find(|(_, ty)| ty.name.as_deref() == Some(system.index_types[node.index()].name.as_str()));
        let (number, _) = ty.unwrap();
        let id = murphi::program::TypeId(number);
        let domain = machine.values().domain(id).unwrap();
        machine.values().text(machine.program(), id, domain.decode(u64::from(position) + 1))
    };
    (0..u32::try_from(exploration.states()).unwrap()).any(|id| {
        exploration.state(id, &mut state);
        let text_of = |term: &Term, choice: [u32; 2]| match term {
            Term::Constant(constant) => system.constants[constant.index()].name.clone(),
            Term::Index(IndexTerm::Variable(variable)) => element(choice[variable.index()]),
            Term::Index(IndexTerm::Named(_)) | Term::Zero => panic!("there are no named elements and numbers here"),
            Term::Read(variable, arguments) => {
                let mut name = system.variables[variable.index()].name.clone();
                for argument in arguments {
                    let IndexTerm::Variable(argument) = argument else { panic!("no named elements") };
                    name = name.replacen("[]", &format!("[{}]", element(choice[argument.index()])), 1);
                }
                let scalar = names.iter().position(|other| *other == name).unwrap_or_else(|| panic!("{name}"));
                machine.scalar_text(&state, scalar)
            }
        };
        (0..size).any(|first| {
            (0..size).filter(|second| *second != first).any(|second| {
                cube.literals.iter().all(|literal| {
                    let (left, right) =
                        (text_of(&literal.left, [first, second]), text_of(&literal.right, [first, second]));
                    left == "Undefined" || right == "Undefined" || literal.comparison.is_equal() == (left == right)
                })
            })
        })
    })
}
