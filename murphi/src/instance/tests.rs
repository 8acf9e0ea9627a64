//! Tests the fast operations against their definitions.

use std::collections::BTreeSet;

use crate::Options;

use super::*;

const GERMAN: &str = include_str!("../../../models/german.m");
const GERMAN_CTC: &str = include_str!("../../../models/german_ctc.m");
const DIJKSTRA: &str = include_str!("../../../models/dijkstra.m");

const MULTISET: &str = "type n: scalarset(3); m: record aim: n; b: boolean; end; \
        var net: multiset[4] of m; at: array[n] of n; \
        startstate begin undefine net; for i: n do at[i] := i; end; end; \
        ruleset i: n; j: n do rule multisetcount(k: net, true) < 4 ==> var x: m; begin \
          x.aim := i; x.b := i = j; multisetadd(x, net); at[j] := i; end; end; \
        choose k: net do rule net[k].b ==> begin at[net[k].aim] := net[k].aim; multisetremove(k, net); end; end;";

fn read(text: &str, constants: &[(&str, i64)]) -> Program {
    let mut options = Options::default();
    options.constants.extend(constants.iter().map(|(name, value)| ((*name).to_owned(), *value)));
    crate::read(text, &options).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Returns the instance with all index types that lowering finds.
fn symmetric(program: &Program) -> Instance {
    let lowered = crate::lower::lower(program, &Default::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    Instance::new(program, &Permuted::lowered(&lowered)).unwrap()
}

fn explore(instance: &Instance, limits: &Limits, symmetry: bool) -> Exploration {
    instance.explore(limits, symmetry, &mut |_| true)
}

fn some_states(exploration: &Exploration, words: usize) -> Vec<Vec<u64>> {
    let step = usize::try_from(exploration.states() / 30 + 1).unwrap();
    let mut states = Vec::new();
    for id in (0..u32::try_from(exploration.states()).unwrap()).step_by(step) {
        let mut state = vec![0; words];
        exploration.state(id, &mut state);
        states.push(state);
    }
    states
}

#[test]
fn all_permutations_of_a_state_have_the_same_representative_and_it_is_one_of_them() {
    for (text, constants) in [
        (GERMAN, &[("NODE_NUM", 3)][..]),
        (GERMAN_CTC, &[][..]),
        (DIJKSTRA, &[("NODE_NUM", 4)][..]),
        (MULTISET, &[][..]),
    ] {
        let program = read(text, constants);
        let instance = match text {
            MULTISET => Instance::new(&program, &Permuted::scalarsets(&program)).unwrap(),
            _ => symmetric(&program),
        };
        let limits = Limits { max_states: 600, ..Limits::default() };
        let exploration = explore(&instance, &limits, false);
        let words = instance.machine.layout().words();
        let mut work = instance.symmetry.workspace(words);
        let mut proper = 0;
        for state in some_states(&exploration, words) {
            let orbit = instance.symmetry.orbit(&instance.machine, &state);
            proper += usize::from(orbit.len() > 1);
            let mut representatives = BTreeSet::new();
            for member in &orbit {
                let mut member = member.clone();
                instance.symmetry.canonicalize(&instance.machine, &mut member, &mut work);
                representatives.insert(member);
            }
            assert_eq!(representatives.len(), 1, "{representatives:?}");
            assert!(representatives.is_subset(&orbit));
        }
        assert!(proper > 10, "most states have proper permutations");
    }
}

#[test]
fn the_representatives_are_those_of_all_reachable_states() {
    for (text, constants) in [(GERMAN_CTC, &[][..]), (DIJKSTRA, &[("NODE_NUM", 4)][..])] {
        let program = read(text, constants);
        let instance = symmetric(&program);
        let all = explore(&instance, &Limits::default(), false);
        let reduced = explore(&instance, &Limits::default(), true);
        assert_eq!((&all.outcome, &reduced.outcome), (&Outcome::Complete, &Outcome::Complete));
        assert!(reduced.states() < all.states());
        let words = instance.machine.layout().words();
        let mut work = instance.symmetry.workspace(words);
        let mut state = vec![0; words];
        let mut found = BTreeSet::new();
        for id in 0..u32::try_from(all.states()).unwrap() {
            all.state(id, &mut state);
            instance.symmetry.canonicalize(&instance.machine, &mut state, &mut work);
            assert!(reduced.store.find(&state).is_some(), "a reachable state is missing");
            found.insert(state.clone());
        }
        assert_eq!(found.len() as u64, reduced.states());
    }
}

#[test]
fn the_rules_that_fire_are_those_whose_guards_hold() {
    let undefined = "type n: scalarset(3); c: enum{No, Ask, Yes}; var m: array[n] of record cmd: c; aim: n; end; p: n; \
        startstate begin for i: n do m[i].cmd := No; end; end; \
        ruleset i: n; j: n do rule m[i].cmd = No & i != j ==> begin m[i].cmd := Ask; m[i].aim := j; end; \
        rule m[i].cmd = Ask & m[i].aim = j ==> begin m[i].cmd := Yes; undefine m[i].aim; p := i; end; end; \
        ruleset i: n do rule m[i].cmd = Yes & p != i & m[i].cmd = Yes ==> begin m[i].cmd := No; undefine p; end; end;";
    for (text, constants) in [(GERMAN, &[("NODE_NUM", 3)][..]), (GERMAN_CTC, &[][..]), (undefined, &[][..])] {
        let program = read(text, constants);
        let instance = Instance::new(&program, &[]).unwrap();
        let machine = &instance.machine;
        let limits = Limits { max_states: 1000, ..Limits::default() };
        let exploration = explore(&instance, &limits, false);
        let (mut scratch, mut dispatch) = (machine.scratch(), machine.dispatch());
        let (mut found, mut looked, mut all) = (Vec::new(), 0, 0);
        for state in some_states(&exploration, machine.layout().words()) {
            let mut expected = Ok(Vec::new());
            for rule in 0..machine.rules().len() {
                scratch.load(&state);
                match (machine.enabled(&mut scratch, rule), &mut expected) {
                    (Ok(true), Ok(rules)) => rules.push(rule),
                    (Err(fault), Ok(_)) => expected = Err((rule, fault)),
                    _ => {}
                }
            }
            scratch.load(&state);
            let result = instance.firing(&mut scratch, &mut dispatch, &mut found).map(|()| found.clone());
            assert_eq!(result, expected);
            looked += dispatch.found().count();
            all += machine.rules().len();
        }
        assert!(looked * 3 < all * 2, "{looked} of {all} guards were looked at");
    }
}

#[test]
fn a_range_of_any_length_needs_no_table() {
    let far = "type n: scalarset(3); u: union { n, 0 .. 1099511627775 }; var x: -1 .. 1099511627775; at: u; \
        startstate begin x := 0; undefine at; end; \
        ruleset i: n do rule begin at := i; x := 1099511627775; end; rule begin at := 7; end; end;";
    let program = read(far, &[]);
    let instance = Instance::new(&program, &Permuted::scalarsets(&program)).unwrap();
    // In a union with so long a range the elements are not permuted, so that both counts are the same.
    for symmetry in [true, false] {
        assert_eq!(explore(&instance, &Limits::default(), symmetry).states(), 6);
    }
}
