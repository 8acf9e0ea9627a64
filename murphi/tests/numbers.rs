//! Ranges that are numbers, ordered index types and constants that are numbers: the lowered system does what executing the
//! statements does, at all small values of the constants.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it is a test")]

use std::collections::{BTreeMap, BTreeSet};

use murphi::Options;
use murphi::lower::{LowerOptions, Lowered, lower};
use murphi::program::Program;
use support::agree::compare_both;
use support::generate::random_bytes;
use support::numeric;
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
            let is_own = |variable: &&system::Variable| {
                !matches!(
                    variable.path[..],
                    [PathStep::Rank | PathStep::Number(_) | PathStep::Count(..) | PathStep::Half(..)]
                )
            };
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
            let report = compare_both(&program, &lowered, 1, 15).unwrap();
            assert_eq!(report.differences, BTreeSet::new(), "{} at {setting:?}", case.name);
            assert_eq!(report.unfired, Vec::<String>::new(), "{} at {setting:?}", case.name);
        }
    }
}

/// Generated programs at random small values of the constants.
#[test]
fn generated_programs_with_numbers_mean_what_their_statements_do() {
    let mut byte = random_bytes(0x9e37_79b9_7f4a_7c15);
    let (mut numbers, mut ordered, mut free, mut fired) = (0, 0, 0, 0);
    for _ in 0..200 {
        let text = numeric::program(&mut byte);
        let (n, m) = (i64::from(byte() % 3) + 2, i64::from(byte() % 3) + 1);
        let constants = [("N".to_owned(), n), ("M".to_owned(), m)].into_iter().collect();
        let program = murphi::read(&text, &Options { constants, ..Options::default() })
            .unwrap_or_else(|found| panic!("{text}\n{found:?}"));
        let Ok(lowered) = lower(&program, &LowerOptions::default()) else { continue };
        let system = &lowered.system;
        let path = |step: &PathStep| system.variables.iter().any(|variable| variable.path.first() == Some(step));
        numbers += usize::from(system.sorts.iter().any(|sort| sort.numbers.is_some()));
        ordered += usize::from(path(&PathStep::Rank));
        free += usize::from(path(&PathStep::Global("M".to_owned())));
        let report = compare_both(&program, &lowered, 1, 6).unwrap();
        // Without the bound that `M` gives, a rule goes on where a value is outside of it for a while.
        let bounded = path(&PathStep::Global("M".to_owned()));
        let is_wrong = |difference: &&String| bounded || !difference.contains("made up");
        let wrong: Vec<&String> = report.differences.iter().filter(is_wrong).collect();
        assert_eq!(wrong, Vec::<&String>::new(), "N = {n}, M = {m}\n{text}");
        fired += program.rules.len() - report.unfired.len();
    }
    println!(
        "{numbers} programs have numbers, {ordered} an order, {free} a constant that is a number; {fired} rules fired"
    );
    assert!(numbers > 100 && ordered > 40 && free > 40 && fired > 300, "{numbers} {ordered} {free} {fired}");
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
        name: "halves",
        text: r#"const N : 3; M : 4;
type NODE : scalarset(N); COUNT : 0..N; OTHER : 0..M;
var voted : array [NODE] of boolean; count : COUNT; other : OTHER; most, least, few, half : boolean;
startstate "init"
  for i : NODE do voted[i] := false; end;
  count := 0; other := 0; most := false; least := false; few := false; half := false;
end;
ruleset i : NODE do rule "vote" !voted[i] ==> voted[i] := true; count := count + 1; end; end;
rule "other" other < M ==> other := other + 1; end;
rule "most" 2 * count > N & 2 * other >= M - 1 ==> most := true; end;
rule "least" count * 2 >= N + 1 & M + 1 < 2 * other ==> least := true; end;
rule "few" 2 * count < N & 3 >= 2 * other ==> few := true; end;
rule "half" count >= N / 2 & other <= (M + 1) / 2 ==> half := true; end;
rule "again" ==> most := 2 * count <= N - 3; least := N <= 2 * count; few := N > 2 * count; half := count = N / 2; end;
invariant "both" !(2 * count > N & 2 * count < N);
"#,
        constants: &[("N", 2), ("M", 2)],
        numbers: &["COUNT", "OTHER"],
        ordered: &[],
        free: &["M", "N"],
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
    Case {
        name: "bakery_max",
        text: r#"const N : 3; MAXT : 4;
type NODE : 1..N; TICKET : 0..MAXT; PHASE : enum { Idle, Waiting, Critical };
var num : array [NODE] of TICKET; phase : array [NODE] of PHASE;
function top() : TICKET;
var m : TICKET;
begin
  m := 0;
  for j : NODE do if num[j] > m then m := num[j]; end; end;
  return m;
end;
startstate "init" for i : NODE do num[i] := 0; phase[i] := Idle; end; end;
ruleset i : NODE do
  rule "draw" phase[i] = Idle & top() < MAXT ==> num[i] := top() + 1; phase[i] := Waiting; end;
  rule "enter" phase[i] = Waiting & forall j : NODE do j = i | num[j] = 0 | num[i] < num[j] | (num[i] = num[j] & i < j) end
  ==> phase[i] := Critical; end;
  rule "leave" phase[i] = Critical ==> num[i] := 0; phase[i] := Idle; end;
end;
invariant "mutex" forall i : NODE do forall j : NODE do i != j -> !(phase[i] = Critical & phase[j] = Critical) end end;
"#,
        constants: &[("N", 2), ("MAXT", 2)],
        numbers: &["TICKET"],
        ordered: &["NODE"],
        free: &["MAXT"],
    },
    Case {
        name: "extremes",
        text: r#"const N : 3; MAXT : 3;
type NODE : scalarset(N); TICKET : 0..MAXT;
var age : array [NODE] of TICKET; on : array [NODE] of boolean; low : TICKET; high : TICKET;
startstate "init" for i : NODE do age[i] := 0; on[i] := false; end; low := 0; high := 0; end;
ruleset i : NODE; t : TICKET do
  rule "age" age[i] < t ==> age[i] := t; end;
  rule "switch" t <= age[i] & t + 1 >= age[i] ==> on[i] := !on[i]; end;
  rule "shrink" t < age[i] ==> age[i] := t; end;
end;
rule "extremes"
  var m : TICKET; n : TICKET;
begin
  m := high; n := low;
  for i : NODE do
    if on[i] then
      if age[i] >= m then m := age[i]; end;
      if n > age[i] then n := age[i]; end;
    end;
  end;
  low := n; high := m;
end;
rule "next"
  var m : TICKET;
begin
  m := low;
  for i : NODE do if age[i] > m then m := age[i]; end; end;
  if high <= m then high := m + 1; else undefine low; end;
end;
rule "reset" high != low ==> low := 0; high := 1; end;
rule "back" high > 0 ==> high := high - 1; if high = 2 then low := 2; end;
  switch high case 0: low := 1; case 1, 3: low := 0; else low := high; end; end;
invariant "ordered" forall i : NODE do on[i] -> low <= age[i] end;
invariant "some" exists i : NODE do age[i] = low | age[i] = high end;
"#,
        constants: &[("N", 2), ("MAXT", 2)],
        numbers: &["TICKET"],
        ordered: &[],
        free: &[],
    },
    Case {
        name: "many",
        text: r#"-- Numbers with literal bounds, negative numbers, records, and finite ranges that meet numbers.
const N : 2; LOW : 1;
type NODE : scalarset(N); LARGE : -40..40; SMALL : 0..3; NEG : -LOW..3;
  REC : record a : LARGE; b : SMALL; end;
var x : LARGE; s : SMALL; n : NEG; r : array [NODE] of REC;
function clipped(y : LARGE) : SMALL;
begin if y < 0 then return 0; elsif y > 3 then return 3; end; return y; end;
startstate "init" clear r; x := -40; s := 0; n := 0; end;
rule "up" x := x + 7; end;
rule "down" x > -5 ==> x := x - 9; end;
rule "negate" x = s ==> x := -2; n := x + 1; end;
rule "small" s := clipped(x); end;
rule "exact" s := x; end;
rule "add" x := s + 3; end;
rule "both" x := s + 3 > n ? 1 : n; end;
ruleset i : NODE do
  rule "store" r[i].a := x; r[i].b := s; end;
  rule "load" r[i].a != x ==> x := r[i].a + 1; s := r[i].b; end;
  rule "neg" n := s - 1; end;
  rule "bump" n := n + 1; end;
end;
invariant "small" forall i : NODE do r[i].a < 40 | r[i].b <= r[i].a end;
"#,
        constants: &[("N", 2), ("LOW", 1)],
        numbers: &["LARGE", "NEG"],
        ordered: &[],
        free: &[],
    },
    Case {
        name: "line",
        text: r#"-- A line of nodes with neighbours, from 0.
const N : 3;
type NODE : 0..N - 1; MODE : enum { Off, On };
var at : NODE; mode : array [NODE] of MODE; front : NODE;
startstate "init" at := 0; front := 0; for i : NODE do mode[i] := Off; end; end;
ruleset i : NODE do
  rule "on" mode[i] = Off & i >= front ==> mode[i] := On; front := i; end;
  rule "right" i = at & i < N - 1 ==> at := i + 1; mode[i + 1] := Off; end;
  rule "left" i = at & i > 0 ==> at := at - 1; end;
  rule "wrap" i = at ==> at := (i + 1) % N; end;
  rule "look" i < N - 1 & mode[i] = On ==> mode[i + 1] := mode[i]; end;
  rule "third" i = 2 ==> at := i; end;
  rule "last" at = N - 1 ==> front := N - 1; end;
end;
rule "skip" mode[at] = On ==> if at < N - 1 then at := at + 1; else at := 0; end; end;
invariant "behind" forall i : NODE do forall j : NODE do i < j & mode[j] = On -> i <= at | j != front end end;
"#,
        constants: &[("N", 3)],
        numbers: &[],
        ordered: &["NODE"],
        free: &["N"],
    },
    Case {
        name: "semaphore",
        text: r#"-- A constant that is also a value.
const N : 3; K : 2;
type NODE : scalarset(N); UNITS : 0..K;
var used : UNITS; inside : array [NODE] of boolean;
startstate "init" used := 0; for i : NODE do inside[i] := false; end; end;
ruleset i : NODE do
  rule "acquire" !inside[i] & used < K ==> used := used + 1; inside[i] := true; end;
  rule "release" inside[i] ==> used := used - 1; inside[i] := false; end;
end;
rule "fill" used != K ==> used := K; end;
rule "almost" used = 0 ==> used := K - 1; end;
invariant "limit" used <= K;
"#,
        constants: &[("N", 2), ("K", 1)],
        numbers: &["UNITS"],
        ordered: &[],
        free: &["K"],
    },
];
