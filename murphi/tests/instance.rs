//! Exploration of whole models: state counts, symmetry, deadlocks, violations and traces.

#![allow(clippy::unwrap_used, reason = "it is a test")]

#[path = "support/headers.rs"]
mod headers;

use headers::models;
use murphi::Options;
use murphi::instance::{
    Deadlock, Ending, Exploration, Instance, Limit, Limits, Outcome, Permuted, ReplayError, ReplayStep, Trace, replay,
};

/// Larger counts are left to the benchmarks.
const MAX_STATES: u64 = 20_000;

fn instance(text: &str, constants: &[(String, i64)]) -> Instance {
    let options = Options { constants: constants.iter().cloned().collect(), ..Options::default() };
    let program = murphi::read(text, &options).unwrap_or_else(|errors| panic!("{errors:?}"));
    Instance::new(&program, &Permuted::scalarsets(&program)).unwrap()
}

fn explore(instance: &Instance, symmetry: bool) -> Exploration {
    instance.explore(&Limits::default(), symmetry, &mut |_| true)
}

#[test]
fn state_counts_are_those_of_the_headers() {
    let mut counted = 0;
    for model in models("") {
        for (constants, expected) in &model.states {
            if *expected > MAX_STATES {
                continue;
            }
            let instance = instance(&model.text, constants);
            let all = explore(&instance, false);
            assert_eq!(all.outcome, Outcome::Complete, "{}", model.name);
            assert_eq!(all.states(), *expected, "{} {constants:?}", model.name);
            let reduced = explore(&instance, true);
            assert_eq!(reduced.outcome, Outcome::Complete, "{}", model.name);
            assert!(reduced.states() <= all.states(), "{}", model.name);
            assert_eq!(reduced.depth(), all.depth(), "{}", model.name);
            assert_eq!(reduced.deadlocks.none_enabled > 0, all.deadlocks.none_enabled > 0, "{}", model.name);
            counted += 1;
        }
    }
    assert!(counted >= 20, "{counted}");
}

/// The trace as a reader would write it down.
fn steps(instance: &Instance, trace: &Trace) -> Vec<ReplayStep> {
    let machine = instance.machine();
    let text = |parameters: &[murphi::exec::Parameter]| {
        parameters.iter().map(|parameter| machine.parameter_text(parameter)).collect()
    };
    let start = &machine.starts()[trace.start];
    let mut steps = vec![ReplayStep {
        rule: machine.start_name(start.start),
        line: 0,
        parameters: text(&start.parameters),
        initial: Vec::new(),
    }];
    for step in &trace.steps {
        let rule = &machine.rules()[step.rule];
        let line = machine.program().origin(machine.program().rules[rule.rule].span).line;
        steps.push(ReplayStep {
            rule: machine.rule_name(rule.rule),
            line,
            parameters: text(&rule.parameters),
            initial: Vec::new(),
        });
    }
    steps
}

#[test]
fn broken_twins_are_violated_by_traces_of_equal_length_that_replay() {
    let broken = models("broken");
    assert!(broken.len() >= 20);
    for model in broken {
        let instance = instance(&model.text, &[]);
        let mut lengths = Vec::new();
        for symmetry in [false, true] {
            let exploration = explore(&instance, symmetry);
            let trace = instance.counterexample(&exploration).unwrap_or_else(|| panic!("{}", model.name));
            let Ending::Property(property) = trace.ending else { panic!("{}: {:?}", model.name, trace.ending) };
            let property = instance.machine().properties()[property].property;
            assert_eq!(Some(instance.machine().property_name(property)), model.violates, "{}", model.name);
            // Steps in this form do not say which of several initial values a variable has.
            if instance.machine().program().arbitrary.is_empty() {
                assert_eq!(replay(&instance, &steps(&instance, &trace)), Ok(trace.clone()), "{}", model.name);
            }
            lengths.push(trace.steps.len());
        }
        assert_eq!(lengths[0], lengths[1], "{}", model.name);
    }
}

const COUNTER: &str = "const MAX: 5; type n: scalarset(3); var x: 0..MAX; who: n; \
    startstate \"zero\" begin x := 0; end; \
    ruleset i: n do rule \"up\" x < MAX ==> begin x := x + 1; who := i; end; end; \
    rule \"stay\" x = MAX ==> begin x := MAX; end; \
    rule \"never\" x > MAX ==> begin x := 0; end; \
    cover \"reached\" x = MAX; cover \"unreachable\" x = MAX & isundefined(who); ";

#[test]
fn figures_of_a_counter() {
    let instance = instance(COUNTER, &[]);
    let all = explore(&instance, false);
    assert_eq!((all.states(), all.depth(), all.expanded), (16, 5, 16));
    assert_eq!(all.rules_fired, 3 * 13 + 3);
    assert_eq!((all.deadlocks.none_enabled, all.deadlocks.none_changes), (0, 3));
    assert_eq!(all.fired, [13, 13, 13, 3, 0]);
    assert_eq!(all.covered, [true, false]);
    let reduced = explore(&instance, true);
    assert_eq!((reduced.states(), reduced.depth(), reduced.rules_fired), (6, 5, 16));
    assert_eq!(reduced.deadlocks.first_none_changes, Some(5));
}

#[test]
fn a_limit_is_reported_as_such() {
    let instance = instance(COUNTER, &[]);
    let with = |limits: Limits| instance.explore(&limits, false, &mut |_| true);
    let states = with(Limits { max_states: 7, ..Limits::default() });
    assert_eq!((states.outcome.clone(), states.states()), (Outcome::Stopped(Limit::States), 7));
    let depth = with(Limits { max_depth: 2, ..Limits::default() });
    assert_eq!((depth.outcome.clone(), depth.states(), depth.depth()), (Outcome::Stopped(Limit::Depth), 7, 2));
    let memory = with(Limits { max_bytes: 1, ..Limits::default() });
    assert_eq!(memory.outcome, Outcome::Stopped(Limit::Memory));
    let exact = with(Limits { max_states: 16, max_depth: 6, ..Limits::default() });
    assert_eq!((exact.outcome.clone(), exact.states()), (Outcome::Complete, 16));
}

#[test]
fn a_trace_that_is_no_run_is_refused_at_its_first_wrong_step() {
    let instance = instance(COUNTER, &[]);
    let step = |rule: &str, parameters: &[(&str, &str)]| ReplayStep {
        rule: rule.to_owned(),
        line: 0,
        parameters: parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        initial: Vec::new(),
    };
    let (zero, up) = (step("zero", &[]), step("up", &[("i", "n_2")]));
    let trace = replay(&instance, &[zero.clone(), up.clone(), up.clone()]).unwrap();
    assert_eq!((trace.steps.len(), trace.ending), (2, Ending::None));
    assert_eq!(replay(&instance, &[]), Err(ReplayError::Empty));
    let early = replay(&instance, &[zero.clone(), up.clone(), step("stay", &[])]);
    assert_eq!(early, Err(ReplayError::NotEnabled { step: 2, rule: "stay".to_owned() }));
    let unknown = replay(&instance, &[zero, step("up", &[("i", "n_4")])]);
    assert_eq!(unknown, Err(ReplayError::Unknown { step: 1, rule: "up".to_owned() }));
    assert_eq!(replay(&instance, &[up]), Err(ReplayError::Unknown { step: 0, rule: "up".to_owned() }));
}

#[test]
fn rule_parameters_may_coincide() {
    let text = "type n: 1..2; var bad: boolean; startstate begin bad := false; end; \
        ruleset i: n; j: n do rule i = j ==> begin bad := true; end; end; invariant \"good\" !bad;";
    let instance = instance(text, &[]);
    let trace = instance.counterexample(&explore(&instance, true)).unwrap();
    assert_eq!((trace.steps.len(), trace.ending), (1, Ending::Property(0)));
}

#[test]
fn every_value_of_a_parameter_of_a_startstate_is_a_startstate() {
    let text = "type n: scalarset(3); var home: n; a: array[n] of boolean; \
        ruleset h: n do startstate begin home := h; a[h] := true; end; end; \
        rule begin undefine a; end; invariant forall i: n do isundefined(a[i]) | i = home end;";
    let instance = instance(text, &[]);
    let (all, reduced) = (explore(&instance, false), explore(&instance, true));
    assert_eq!((all.states(), reduced.states()), (6, 2));
    assert_eq!((all.outcome, reduced.outcome), (Outcome::Complete, Outcome::Complete));
}

#[test]
fn an_error_in_a_rule_is_found_with_a_trace() {
    let text = "type n: scalarset(2); var a: array[n] of 0..3; p: n; startstate begin clear a; end; \
        ruleset i: n do rule \"up\" a[i] < 3 ==> begin a[i] := a[i] + 1; end; \
        rule \"follow\" a[i] = 2 ==> begin a[p] := 0; end; end;";
    let instance = instance(text, &[]);
    for symmetry in [false, true] {
        let exploration = explore(&instance, symmetry);
        let Outcome::RuleFault { guard, fault, .. } = &exploration.outcome else { panic!("{:?}", exploration.outcome) };
        assert!(!guard);
        assert_eq!(fault.kind, murphi::exec::FaultKind::Undefined);
        assert_eq!(&text[fault.span.start as usize..fault.span.end as usize], "p");
        let trace = instance.counterexample(&exploration).unwrap();
        let Ending::Rule(rule) = trace.ending else { panic!("{:?}", trace.ending) };
        assert_eq!(instance.machine().rule_name(instance.machine().rules()[rule].rule), "follow");
        assert_eq!(trace.steps.len(), 2);
    }
}

/// Three rules: one that stops, one that changes nothing at the end, and one that never ends.
#[test]
fn a_deadlock_is_found_with_a_trace_that_replays_where_it_is_an_error() {
    let text = |size: u32, end: &str| {
        format!(
            "const N: {size}; type n: scalarset(N); var a: array [n] of 0..2; startstate begin clear a; end; \
             ruleset i: n do rule \"up\" a[i] < 2 ==> begin a[i] := a[i] + 1; end; rule \"end\" {end} end; end;"
        )
    };
    let [stops, stutters, runs] = ["false ==>", "a[i] = 2 ==> begin a[i] := 2;", "a[i] = 2 ==> begin clear a;"];
    let cases = [(stops, true, true), (stutters, false, true), (runs, false, false)];
    for (end, stuck, stuttering) in cases {
        for (kind, found) in [(Deadlock::Stuck, stuck), (Deadlock::Stuttering, stuttering)] {
            let instance = instance(&text(2, end), &[]).with_deadlock(Some(kind));
            for symmetry in [false, true] {
                let exploration = explore(&instance, symmetry);
                assert_eq!(matches!(exploration.outcome, Outcome::Deadlock { .. }), found, "{end} {kind:?}");
                let Some(trace) = instance.counterexample(&exploration) else { continue };
                assert_eq!((trace.steps.len(), trace.ending), (4, Ending::Deadlock));
                assert_eq!(replay(&instance, &steps(&instance, &trace)).unwrap().ending, Ending::Deadlock);
            }
        }
    }
    // A bound variable with no values: there is no rule that could be enabled.
    let none =
        "const N: 1; var a: boolean; startstate begin a := true; end; ruleset i := 2 to N do rule begin end; end;";
    let none = instance(none, &[]);
    assert_eq!(explore(&none, false).deadlocks.none_enabled, 1);
    let exploration = explore(&none.with_deadlock(Some(Deadlock::Stuck)), false);
    assert!(matches!(exploration.outcome, Outcome::Deadlock { .. }));
}

#[test]
fn a_rule_waits_for_rules_with_smaller_numbers_as_their_priority() {
    let with = |first: i64| {
        format!(
            "var x: 0..9; startstate begin x := 0; end; \
             rule {first} \"low\" x < 2 ==> begin x := x + 1; end; \
             rule 5 \"high\" x < 9 ==> begin x := 9; end;"
        )
    };
    for (first, states, fired) in [(1, 4, 3), (9, 2, 1), (5, 4, 5)] {
        let exploration = explore(&instance(&with(first), &[]), true);
        assert_eq!((exploration.states(), exploration.rules_fired), (states, fired), "{first}");
    }
}
