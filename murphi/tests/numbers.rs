//! Ranges that are numbers, ordered index types and constants that are numbers: the lowered system does what executing the
//! statements does, at all small values of the constants.

#![allow(clippy::unwrap_used, reason = "it is a test")]

use std::collections::{BTreeMap, BTreeSet};

use murphi::Options;
use murphi::lower::{LowerOptions, Lowered, lower};
use murphi::program::Program;
use support::agree::compare_both;
use system::PathStep;

mod support;

/// A model, its constants, and what becomes of its types.
struct Case {
    name: &'static str,
    text: &'static str,
    /// The constants that are tried at all these values.
    constants: &'static [(&'static str, i64)],
    /// The sorts of numbers that state variables of the model have.
    numbers: &'static [&'static str],
    /// The ordered index types.
    ordered: &'static [&'static str],
    /// The constants that are numbers.
    free: &'static [&'static str],
}

fn read(text: &str, constants: &[(&str, i64)]) -> (Program, Lowered) {
    let constants: BTreeMap<String, i64> = constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let program = murphi::read(text, &Options { constants, ..Options::default() }).unwrap();
    let lowered = lower(&program, &LowerOptions::default()).unwrap();
    (program, lowered)
}

/// Returns all settings of the constants, each from 2 to 4.
fn settings(constants: &[(&'static str, i64)]) -> Vec<Vec<(&'static str, i64)>> {
    let mut all = vec![Vec::new()];
    for (name, least) in constants {
        let longer = |own: &Vec<_>| -> Vec<Vec<_>> {
            (*least..*least + 3).map(|value| own.iter().copied().chain([(*name, value)]).collect()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[test]
fn numbers_and_order_mean_what_the_statements_do() {
    for case in CASES {
        for setting in settings(case.constants) {
            let (program, lowered) = read(case.text, &setting);
            let system = &lowered.system;
            let is_own =
                |variable: &&system::Variable| !matches!(variable.path[..], [PathStep::Rank | PathStep::Number(_)]);
            let of_program = |name: &str| !program.constants.iter().any(|(constant, _)| constant == name);
            let sorts = system.variables.iter().filter(is_own).filter(|variable| of_program(&variable.name));
            let numbers =
                sorts.map(|variable| &system.sorts[variable.sort.index()]).filter(|sort| sort.numbers.is_some());
            let numbers: BTreeSet<&str> = numbers.map(|sort| sort.name.as_str()).collect();
            let types = (0..).map(system::IndexTypeId).zip(&system.index_types);
            let ordered = types.filter(|(id, _)| system.rank(*id).is_some());
            let ordered: BTreeSet<&str> = ordered.map(|(_, over)| over.name.as_str()).collect();
            let constants =
                system.variables.iter().map(|variable| variable.name.as_str()).filter(|name| !of_program(name));
            let found = (numbers, ordered, constants.collect::<BTreeSet<_>>());
            let set = |names: &'static [&'static str]| names.iter().copied().collect::<BTreeSet<_>>();
            assert_eq!(found, (set(case.numbers), set(case.ordered), set(case.free)), "{}", case.name);
            assert!(system.claim.constants.is_empty() && system.claim.finite_types.is_empty(), "{:?}", system.claim);
            let report = compare_both(&program, &lowered, 1, 40).unwrap();
            assert_eq!(report.differences, BTreeSet::new(), "{} at {setting:?}", case.name);
            assert_eq!(report.unfired, Vec::<String>::new(), "{} at {setting:?}", case.name);
        }
    }
}

const CASES: &[Case] = &[
    Case {
        name: "ticket",
        text: r#"const N : 3; MAXT : 5;
type NODE : scalarset(N); TICKET : 0..MAXT; PHASE : enum { Idle, Waiting, Critical };
var next : TICKET; serving : TICKET;
  mine : array [NODE] of TICKET; phase : array [NODE] of PHASE;
startstate "init"
  next := 0; serving := 0;
  for i : NODE do phase[i] := Idle; mine[i] := 0; end;
end;
ruleset i : NODE do
  rule "draw" phase[i] = Idle ==> mine[i] := next; next := next + 1; phase[i] := Waiting; end;
  rule "enter" phase[i] = Waiting & mine[i] = serving ==> phase[i] := Critical; end;
  rule "leave" phase[i] = Critical ==> serving := serving + 1; phase[i] := Idle; end;
end;
invariant "mutex" forall i : NODE do forall j : NODE do i != j -> !(phase[i] = Critical & phase[j] = Critical) end end;
"#,
        constants: &[("N", 2), ("MAXT", 2)],
        numbers: &["TICKET"],
        ordered: &[],
        free: &[],
    },
    Case {
        name: "bakery",
        text: r#"const N : 3; MAXT : 4;
type NODE : 1..N; TICKET : 0..MAXT; PHASE : enum { Idle, Waiting, Critical };
var num : array [NODE] of TICKET; phase : array [NODE] of PHASE;
startstate "init"
  for i : NODE do num[i] := 0; phase[i] := Idle; end;
end;
ruleset i : NODE; t : TICKET do
  rule "draw" phase[i] = Idle & t > 0 & forall j : NODE do num[j] < t end ==> num[i] := t; phase[i] := Waiting; end;
end;
ruleset i : NODE do
  rule "enter" phase[i] = Waiting & forall j : NODE do j = i | num[j] = 0 | num[i] < num[j] | (num[i] = num[j] & i < j) end
  ==> phase[i] := Critical; end;
  rule "leave" phase[i] = Critical ==> num[i] := 0; phase[i] := Idle; end;
end;
invariant "mutex" forall i : NODE do forall j : NODE do i != j -> !(phase[i] = Critical & phase[j] = Critical) end end;
"#,
        constants: &[("N", 2), ("MAXT", 2)],
        numbers: &["TICKET"],
        ordered: &["NODE"],
        free: &[],
    },
    Case {
        name: "ring",
        text: r#"const N : 3;
type NODE : 1..N; PHASE : enum { Idle, Critical };
var token : NODE; phase : array [NODE] of PHASE;
startstate "init"
  token := 1; for i : NODE do phase[i] := Idle; end;
end;
ruleset i : NODE do
  rule "enter" phase[i] = Idle & token = i ==> phase[i] := Critical; end;
  rule "leave" phase[i] = Critical ==> phase[i] := Idle;
    if i = N then token := 1; else token := i + 1; end; end;
end;
rule "pass" phase[token] = Idle ==> token := (token % N) + 1; end;
invariant "mutex" forall i : NODE do forall j : NODE do i != j -> !(phase[i] = Critical & phase[j] = Critical) end end;
"#,
        constants: &[("N", 2)],
        numbers: &[],
        ordered: &["NODE"],
        free: &["N"],
    },
    Case {
        name: "rw",
        text: r#"const N : 3;
type NODE : 1..N; COUNT : 0..N; PHASE : enum { Idle, Reading, Writing };
var readers : COUNT; writing : boolean; phase : array [NODE] of PHASE;
startstate "init"
  readers := 0; writing := false; for i : NODE do phase[i] := Idle; end;
end;
ruleset i : NODE do
  rule "read" phase[i] = Idle & !writing ==> phase[i] := Reading; readers := readers + 1; end;
  rule "done" phase[i] = Reading ==> phase[i] := Idle; readers := readers - 1; end;
  rule "write" phase[i] = Idle & !writing & readers = 0 ==> phase[i] := Writing; writing := true; end;
  rule "written" phase[i] = Writing ==> phase[i] := Idle; writing := false; end;
end;
invariant "one writer" forall i : NODE do forall j : NODE do i != j -> !(phase[i] = Writing & phase[j] != Idle) end end;
"#,
        constants: &[("N", 2)],
        numbers: &["COUNT"],
        ordered: &[],
        free: &[],
    },
    Case {
        name: "sentinel",
        text: r#"const N : 3;
type NODE : 1..N; OWNER : 0..N; PHASE : enum { Idle, Critical };
var owner : OWNER; phase : array [NODE] of PHASE;
startstate "init"
  owner := 0; for i : NODE do phase[i] := Idle; end;
end;
ruleset i : NODE do
  rule "enter" phase[i] = Idle & owner = 0 ==> phase[i] := Critical; owner := i; end;
end;
rule "leave" owner != 0 ==> phase[owner] := Idle; owner := 0; end;
invariant "mutex" forall i : NODE do forall j : NODE do i != j -> !(phase[i] = Critical & phase[j] = Critical) end end;
"#,
        constants: &[("N", 2)],
        numbers: &["OWNER"],
        ordered: &["NODE"],
        free: &[],
    },
];
