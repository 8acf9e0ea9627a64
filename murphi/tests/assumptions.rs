//! Top-level assumptions: which are axioms of the system, what is said of them, and that they cut the same executions as
//! in an instance.

#![allow(clippy::unwrap_used, reason = "it is a test")]

use std::collections::BTreeSet;

use murphi::Options;
use murphi::instance::{Instance, Limits, Outcome};
use murphi::lower::{LowerOptions, Lowered, lower};
use murphi::program::Program;
use system::evaluator::{Choices, Evaluator, State};
use system::{Assumption, RuleId, StartstateId, Value, VariableId};

fn lowered(text: &str) -> (Program, Lowered) {
    let program = murphi::read(text, &Options::default()).unwrap();
    let lowered = lower(&program, &LowerOptions::default()).unwrap();
    (program, lowered)
}

/// A model with assumptions, and whether each is immutable.
type Case = (&'static str, &'static [bool]);

/// Everything before the assumptions; `N` and `M` are the sizes of the types.
const MODEL: &str = "type n: scalarset(N); m: scalarset(M); var a, fixed: array [n] of boolean; \
    e: array [m] of array [n] of boolean; c: 0..2; \
    ruleset i: n do startstate begin clear a; clear fixed; fixed[i] := true; clear e; c := 0; end; end; \
    startstate begin clear a; clear fixed; clear e; c := 1; end; \
    ruleset i: n do rule \"a\" fixed[i] | c > 0 ==> begin a[i] := !a[i]; c := 2 - c; end; end; \
    ruleset i: n; j: m do rule \"e\" a[i] ==> begin e[j][i] := !e[j][i]; end; end; ";

const CASES: &[Case] = &[
    ("assume \"few\" forall i: n do forall j: n do i != j -> !(a[i] & a[j]) end end;", &[false]),
    ("assume \"one\" exists i: n do fixed[i] end;", &[true]),
    ("assume \"none\" !exists i: n do fixed[i] end;", &[true]),
    ("assume \"free\" exists i: n do !a[i] end; assume \"sum\" c < 2;", &[false, false]),
    (
        "assume forall j: m do exists i: n do !e[j][i] & !a[i] end end; assume exists i: n do fixed[i] end;",
        &[false, true],
    ),
    ("ruleset j: m do assume \"covered\" c != 2 -> forall i: n do e[j][i] -> a[i] end; end;", &[false]),
];

/// The reachable states of an instance of the system that satisfy all axioms.
fn reachable(lowered: &Lowered, sizes: &[u32]) -> BTreeSet<State> {
    let system = &lowered.system;
    let instance = Evaluator::new(system, sizes.to_vec()).unwrap();
    let mut known = BTreeSet::new();
    let mut waiting = Vec::new();
    let mut arrive = |choices: Option<Choices>, waiting: &mut Vec<State>| {
        for state in choices.iter().flat_map(Choices::states) {
            let allowed = system.axioms.iter().all(|axiom| instance.holds(&axiom.formula, &axiom.scope, &state));
            if allowed && known.insert(state.clone()) {
                waiting.push(state);
            }
        }
    };
    for id in (0..).map(StartstateId).take(system.startstates.len()) {
        for parameters in instance.startstate_parameters(id) {
            arrive(instance.initial(id, &parameters), &mut waiting);
        }
    }
    while let Some(state) = waiting.pop() {
        for id in (0..).map(RuleId).take(system.rules.len()) {
            for parameters in instance.rule_parameters(id) {
                arrive(instance.successors(id, &parameters, &state), &mut waiting);
            }
        }
    }
    known
}

#[test]
fn assumptions_cut_the_executions_that_they_cut_in_an_instance() {
    for (assumptions, immutable) in CASES {
        let mut cut = false;
        for (n, m) in [(2, 1), (2, 2), (3, 1), (4, 1)] {
            let sized = MODEL.replace("(N)", &format!("({n})")).replace("(M)", &format!("({m})"));
            let (program, lowered) = lowered(&format!("{sized}{assumptions}"));
            assert!(lowered.refused_properties.is_empty(), "{assumptions}");
            let found: Vec<bool> = lowered.system.axioms.iter().map(|axiom| axiom.immutable).collect();
            assert_eq!(found, *immutable, "{assumptions}");
            let states = reachable(&lowered, &[n, m]);
            let instance = Instance::new(&program, &[]).unwrap();
            let explored = instance.explore(&Limits::default(), false, &mut |_| true);
            assert_eq!(explored.outcome, Outcome::Complete, "{assumptions}");
            assert_eq!(states.len() as u64, explored.states(), "{n} {m} {assumptions}");
            let mut all = lowered.clone();
            all.system.axioms.clear();
            cut |= reachable(&all, &[n, m]).len() > states.len();
        }
        assert!(cut, "{assumptions}");
    }
}

#[test]
fn a_claim_names_the_axioms_and_leaves_out_what_is_none() {
    let text = "type n: scalarset(2); var a: array [n] of boolean; e: array [n] of array [n] of boolean; x: boolean; \
        function f(i: n): boolean; begin assert !a[i] \"f\"; return true; end; \
        startstate begin clear a; clear e; x := false; end; \
        ruleset i: n do rule begin assume x -> a[i]; a[i] := !a[i]; end; end; \
        assume \"some\" exists i: n do !e[i][i] end; assume \"asserts\" forall i: n do f(i) end; \
        assume \"witness\" exists i: n do forall j: n do e[i][j] end end; assume \"x\" !x;";
    let claim = lowered(text).1.system.claim;
    let told = |assumption: &Assumption| assumption.axiom.as_ref().map(|axiom| (axiom.name.clone(), axiom.immutable));
    let told: Vec<_> = claim.assumptions.iter().map(told).collect();
    assert_eq!(told, [None, Some(("some".to_owned(), true)), Some(("x".to_owned(), true))]);
    let left_out: Vec<_> = claim.left_out.iter().map(|left| (&*left.kind, &*left.name, &*left.code)).collect();
    assert_eq!(left_out, [("assume", "asserts", "L020"), ("assume", "witness", "L010")]);
}

/// A guard that says of each element that some element exists asks for a variable, which the rules let have any value again
/// where they write what that part of the guard reads, and only there.
#[test]
fn what_stands_for_a_part_of_a_guard_is_forgotten_where_that_may_change() {
    let (_, lowered) = lowered(
        "type n: scalarset(2); var e: array [n] of array [n] of boolean; a, b: boolean; \
         startstate begin clear e; a := false; b := false; end; \
         ruleset i: n; j: n do rule \"edge\" begin e[i][j] := !e[i][j]; end; end; rule \"a\" begin a := !a; end; \
         rule \"all\" forall i: n do exists j: n do e[i][j] & (a | e[j][i]) end end ==> begin b := true; end; \
         ruleset k: n do rule \"each\" forall i: n do exists j: n do e[i][j] & e[k][j] end end ==> \
         begin clear e; assert \"e\" !e[k][k]; end; end; invariant \"b\" a | !b;",
    );
    let system = &lowered.system;
    let names: Vec<&str> = system.variables.iter().map(|variable| &*variable.name).collect();
    let id = |name: &str| VariableId(u32::try_from(names.iter().position(|own| *own == name).unwrap()).unwrap());
    let forgets = |name: &str| -> BTreeSet<&str> {
        let is_forgotten =
            |rule: &&system::Rule| rule.update_of(id(name)).is_some_and(|update| update.value == Value::Arbitrary);
        system.rules.iter().filter(is_forgotten).map(|rule| &*rule.name).collect()
    };
    assert_eq!(forgets("all_holds"), BTreeSet::from(["edge", "a", "each"]));
    assert_eq!(forgets("each_holds[]"), BTreeSet::from(["edge", "each"]));
    let of_start = |name: &str| system.startstates[0].update_of(id(name)).map(|update| &update.value);
    assert_eq!((of_start("all_holds"), of_start("each_holds[]")), (Some(&Value::Arbitrary), Some(&Value::Arbitrary)));
    let told: BTreeSet<String> = lowered.notes.iter().map(|note| note.kind.to_string()).collect();
    assert_eq!(told.iter().filter(|note| note.contains("_holds")).count(), 2, "{told:?}");
    assert_eq!(system.claim.assumptions, []);
}

/// What does not mention the variable of a quantifier is not below it, so that no `exists` is below the `forall` here.
#[test]
fn a_guard_is_narrowed_before_something_stands_for_its_parts() {
    let (_, lowered) = lowered(
        "type n: scalarset(2); var a, b: array [n] of boolean; d: boolean; \
         startstate begin clear a; clear b; d := false; end; \
         rule \"all\" forall i: n do d | a[i] | exists j: n do b[j] | a[i] end end ==> begin d := !d; end; \
         ruleset i: n do rule \"set\" begin a[i] := !a[i]; b[i] := !b[i]; end; end; invariant d | !d;",
    );
    let names: Vec<&str> = lowered.system.variables.iter().map(|variable| &*variable.name).collect();
    assert_eq!(names, ["a[]", "b[]", "d"]);
    let guards: BTreeSet<String> = lowered
        .system
        .rules
        .iter()
        .filter(|rule| rule.name == "all")
        .map(|rule| format!("{} {}", rule.parameters().len(), rule.guard.has_quantifier()))
        .collect();
    // One case for some `b[j]`, and one for `d` or all `a[i]`.
    assert_eq!(guards, BTreeSet::from(["0 true".to_owned(), "1 false".to_owned()]));
}

/// Two cases of a rule have a variable each, with names of their own.
#[test]
fn what_stands_for_parts_of_two_guards_has_two_names() {
    let (_, lowered) = lowered(
        "type n: scalarset(2); var a, b: array [n] of array [n] of boolean; c: array [n] of boolean; d: boolean; \
         startstate begin clear a; clear b; clear c; d := false; end; \
         ruleset k: n do rule \"all\" (d & forall i: n do exists j: n do a[i][j] & (b[j][i] | c[k]) end end) \
         | forall i: n do exists j: n do b[i][j] & (a[j][i] | c[k]) end end ==> begin d := !d; end; end; invariant d | !d;",
    );
    let names: BTreeSet<&str> = lowered.system.variables.iter().map(|variable| &*variable.name).collect();
    assert!(names.contains("all_holds[]") && names.contains("all_holds_2[]"), "{names:?}");
    assert_eq!(names.len(), lowered.system.variables.len(), "{names:?}");
}
