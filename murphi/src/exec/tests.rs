//! Tests the meaning of each construct, with small programs and their final states or errors.

use super::{Fault, FaultKind, Machine};
use crate::Options;

/// Runs the startstate and then each rule once, in order, if it is enabled.
fn run(text: &str) -> Result<Vec<(String, String)>, Fault> {
    let program = crate::read(text, &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let machine = Machine::new(&program).unwrap();
    let mut scratch = machine.scratch();
    assert!(machine.start(&mut scratch, 0)?);
    for rule in 0..machine.rules().len() {
        if machine.enabled(&mut scratch, rule)? {
            machine.fire(&mut scratch, rule)?;
        }
    }
    let names = machine.layout().names(&program, machine.values());
    let values = (0..names.len()).map(|scalar| machine.scalar_text(scratch.state(), scalar));
    Ok(names.into_iter().zip(values).collect())
}

/// Asserts that these scalars have these values in the final state.
#[track_caller]
fn check(declarations: &str, body: &str, expected: &str) {
    let text = format!("{declarations} startstate begin {body} end;");
    let values = run(&text).unwrap_or_else(|fault| panic!("{fault} in {text}"));
    let found: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(found.join(" "), expected, "{text}");
}

/// Asserts that the run ends with this error, pointing to this text.
#[track_caller]
fn fails(declarations: &str, body: &str, kind: &FaultKind, at: &str) {
    let text = format!("{declarations} startstate begin {body} end;");
    let fault = run(&text).expect_err(&text);
    assert_eq!(fault.kind, *kind, "{text}");
    assert_eq!(&text[fault.span.start as usize..fault.span.end as usize], at, "{text}");
}

#[test]
fn statements_are_executed_one_after_the_other() {
    check("var x, y: 0..9;", "x := 1; y := x + 1; x := y; y := x;", "x=2 y=2");
    check("var x: 0..9;", "x := 1; x := 2; x := 3;", "x=3");
    check("var x, y: 0..9;", "", "x=Undefined y=Undefined");
}

#[test]
fn undefined_values_are_copied_but_not_read() {
    let record = "type r: record a: 0..3; b: boolean; end; var x, y: r; p, q: 0..3;";
    check(record, "x.a := 2; y := x; q := p;", "x.a=2 x.b=Undefined y.a=2 y.b=Undefined p=Undefined q=Undefined");
    check(
        record,
        "p := 1; p := undefined; undefine x;",
        "x.a=Undefined x.b=Undefined y.a=Undefined y.b=Undefined p=Undefined q=Undefined",
    );
    check("var x: 0..3; b: boolean;", "b := isundefined(x);", "x=Undefined b=true");
    fails("var x, y: 0..3;", "y := x + 0;", &FaultKind::Undefined, "x");
    fails("var x: 0..3; b: boolean;", "b := x = 1;", &FaultKind::Undefined, "x");
    fails("var x: 0..3; b: boolean;", "b := 1 != x;", &FaultKind::Undefined, "x");
    fails("var b: boolean;", "if b then end;", &FaultKind::Undefined, "b");
    fails("var b: boolean;", "if !b then end;", &FaultKind::Undefined, "b");
    fails("var x: 0..3;", "switch x case 1: end;", &FaultKind::Undefined, "x");
    fails("var x: 0..1; a: array[0..1] of boolean;", "a[x] := true;", &FaultKind::Undefined, "x");
}

#[test]
fn conditions_are_evaluated_from_left_to_right_and_no_further_than_needed() {
    let variables = "var u: 0..1; b: boolean;";
    check(variables, "b := false & u = 0;", "u=Undefined b=false");
    check(variables, "b := true | u = 0;", "u=Undefined b=true");
    check(variables, "b := false -> u = 0;", "u=Undefined b=true");
    check(variables, "b := true ? false : u = 0;", "u=Undefined b=false");
    check(variables, "b := !(isundefined(u) | u = 0);", "u=Undefined b=false");
    fails(variables, "b := u = 0 & false;", &FaultKind::Undefined, "u");
    let array = "var a: array[1..3] of boolean; b: boolean;";
    check(array, "a[1] := false; b := forall i: 1..3 do a[i] end;", "a[1]=false a[2]=Undefined a[3]=Undefined b=false");
    check(array, "a[1] := true; b := exists i: 1..3 do a[i] end;", "a[1]=true a[2]=Undefined a[3]=Undefined b=true");
    fails(array, "a[1] := true; b := forall i: 1..3 do a[i] end;", &FaultKind::Undefined, "a[i]");
}

#[test]
fn values_outside_of_a_type_are_errors() {
    let range = |value: &str| FaultKind::Range(value.to_owned());
    fails("var x: 0..3;", "x := 4;", &range("4"), "4");
    fails("var x: -2..3;", "x := -2; x := x - 1;", &range("-3"), "x - 1");
    fails("var x: 0..3; y: 0..9;", "y := 7; x := y;", &range("7"), "y");
    check("var x: -2..3; y: -9..9;", "y := -2; x := y; y := x * 4;", "x=-2 y=-8");
    let index = |value: &str| FaultKind::Index(value.to_owned());
    fails("var a: array[1..3] of boolean;", "a[4] := true;", &index("4"), "4");
    fails("var a: array[1..3] of boolean; x: 0..9;", "x := 0; a[x] := true;", &index("0"), "x");
    fails("var x: 0..3;", "x := 0; x := 1 / x;", &FaultKind::Division, "1 / x");
    fails("var x: 0..3;", "x := 0; x := 1 % x;", &FaultKind::Division, "1 % x");
    check("var x: -9..9;", "x := -7; x := x / 2 * 10 % 7;", "x=-2");
}

#[test]
fn loops_run_over_types_and_numbers_in_both_directions() {
    let sum = "type e: enum {A, B}; n: scalarset(2); u: union {n, e}; var s: -99..99; a: array[u] of 0..1;";
    let rest = "a[n_1]=Undefined a[n_2]=Undefined a[A]=Undefined a[B]=Undefined";
    check(sum, "s := 0; for i := 1 to 9 by 3 do s := s * 2 + i; end;", &format!("s=19 {rest}"));
    check(sum, "s := 0; for i := 5 to 1 by -2 do s := s * 2 + i; end;", &format!("s=27 {rest}"));
    check(sum, "s := 0; for i := 5 to 1 do s := 9; end;", &format!("s=0 {rest}"));
    check(sum, "for i: u do a[i] := ismember(i, n) ? 1 : 0; end;", "s=Undefined a[n_1]=1 a[n_2]=1 a[A]=0 a[B]=0");
    check(sum, "s := 3; for i := 1 to s do s := s + i; end;", &format!("s=9 {rest}"));
    check(sum, "s := 0; for i := 1 to 300 do s := i % 7; end;", &format!("s=6 {rest}"));
    check(sum, "s := 0; while s < 9 do s := s + 2; end;", &format!("s=10 {rest}"));
    fails(sum, "while true do s := 0; end;", &FaultKind::Iterations(1000), "while true do s := 0; end");
    fails(sum, "s := 0; for i := 1 to 2 by s do end;", &FaultKind::Step, "i");
}

#[test]
fn switch_and_if_take_the_first_branch_that_fits() {
    let text = "var x, y: 0..9;";
    for (value, result) in [(1, 10), (2, 20), (3, 20), (4, 30)] {
        let body = format!("x := {value}; switch x case 1: y := 1; case 2, 3: y := 2; else y := 3; end; x := 0;");
        check(text, &body, &format!("x=0 y={}", result / 10));
        let body =
            format!("x := {value}; if x = 1 then y := 1; elsif x = 2 | x = 3 then y := 2; else y := 3; end; x := 0;");
        check(text, &body, &format!("x=0 y={}", result / 10));
    }
    check(text, "switch 2 case 1: y := 1; case 2: y := 2; end;", "x=Undefined y=2");
}

#[test]
fn a_place_is_found_when_an_alias_or_a_call_is_reached() {
    let array = "var a: array[0..2] of 0..9; x: 0..2;";
    check(array, "x := 1; alias p: a[x] do x := 2; p := 7; end;", "a[0]=Undefined a[1]=7 a[2]=Undefined x=2");
    let procedure = format!("{array} procedure store(var p: 0..9; v: 0..9); begin x := 2; p := v; end;");
    check(&procedure, "x := 1; store(a[x], x);", "a[0]=Undefined a[1]=1 a[2]=Undefined x=2");
    check(&procedure, "x := 0; store(a[x], undefined);", "a[0]=Undefined a[1]=Undefined a[2]=Undefined x=2");
    check(
        array,
        "alias p: 3 do a[0] := p; end; x := 0; alias q: x + 1 do x := 2; a[x] := q; end;",
        "a[0]=3 a[1]=Undefined a[2]=1 x=2",
    );
}

#[test]
fn records_are_compared_by_their_content() {
    let text = "type r: record a: 0..3; b: boolean; end; var x: array[0..1] of r; i: 0..1; p: array[1..4] of boolean;";
    let rest = "x[0].a=1 x[0].b=Undefined x[1].a=1 x[1].b=Undefined i=1";
    let end = "p[1]=true p[2]=false p[3]=false p[4]=true";
    check(
        text,
        "x[0].a := 1; i := 1; p[2] := x[0] = x[1]; p[3] := x[i] = x[0]; x[i].a := 1; p[1] := x[0] = x[i]; p[4] := !(x[0] != x[1]);",
        &format!("{rest} {end}"),
    );
}

#[test]
fn functions_return_values_and_records() {
    let text = "type r: record a, b: 0..9; end; var x: r; y: 0..9; \
        function pair(a: 0..9): r; var l: r; begin l.a := a; if a > 3 then l.b := 1; return l; end; l.b := 2; return l; end; \
        function twice(a: 0..9): 0..9; begin return a + a; end; \
        function none(a: 0..9): 0..9; begin if a = 1 then return 1; end; end;";
    check(text, "x := pair(twice(2)); y := pair(1).b;", "x.a=4 x.b=1 y=2");
    check(text, "y := twice(twice(1)) + twice(1);", "x.a=Undefined x.b=Undefined y=6");
    check(text, "x := twice(1) = 2 ? pair(7) : pair(8);", "x.a=7 x.b=1 y=Undefined");
    fails(text, "y := none(2);", &FaultKind::NoReturn, "none");
    fails(text, "y := twice(7);", &FaultKind::Range("14".to_owned()), "a + a");
}

#[test]
fn a_function_that_returns_a_formula_is_that_formula() {
    let functions = "var x, y: 0..9; b: boolean; a: array [0..3] of 0..9; \
        function both(p: 0..9; q: boolean): boolean; begin return x = p & (q | y = p); end; \
        function at(i: 0..3; var c: 0..9): boolean; begin return a[i] = c; end; \
        function outer(p: 0..9): boolean; begin return !both(p, false) & both(p, true); end; \
        function copied(q: boolean): boolean; begin return q; end; \
        function flag(): boolean; begin return b; end;";
    let result = "x=1 y=Undefined b=true a[0]=1 a[1]=2 a[2]=Undefined a[3]=Undefined";
    check(
        functions,
        "x := 1; a[0] := 1; a[1] := 2; b := both(1, true) & !both(2, true) & at(0, x) & !at(1, x);",
        result,
    );
    check(
        functions,
        "x := 1; a[0] := 1; a[1] := 2; if both(x, true) then b := at(x, a[x]) = both(x, true); end;",
        result,
    );
    // Undefined values that are not read are no error; one that is read is an error at its place in the function.
    fails(functions, "x := 1; if both(1, false) then end;", &FaultKind::Undefined, "y");
    fails(functions, "if both(1, true) then end;", &FaultKind::Undefined, "x");
    fails(functions, "x := 1; if outer(1) then end;", &FaultKind::Undefined, "y");
    fails(functions, "x := 1; if at(2, x) then end;", &FaultKind::Undefined, "a[i]");
    // Arguments must be values of their types even if they are not used.
    fails(functions, "x := 1; y := 9; if both(y + 1, true) then end;", &FaultKind::Range("10".to_owned()), "y + 1");
    // Returning a variable copies it; an undefined value is read at the call.
    fails(functions, "b := copied(b) & true;", &FaultKind::Undefined, "copied(b)");
    fails(functions, "if flag() then end;", &FaultKind::Undefined, "flag()");
}

#[test]
fn return_leaves_loops_and_the_rule() {
    let text = "var x: 0..9; function first(): 0..9; begin for i := 3 to 5 do if i = 4 then return i; end; end; return 0; end;";
    check(text, "x := first(); return; x := 0;", "x=4");
    let long = "var x: 0..999; function first(): 0..999; begin for i := 3 to 500 do if i = 444 then return i; end; end; return 0; end;";
    check(long, "x := first();", "x=444");
}

#[test]
fn clear_gives_the_least_values() {
    let text = "type e: enum {A, B}; r: record a: e; b: boolean; c: -3..3; end; var x: array[0..1] of r; y: 0..1;";
    check(
        text,
        "clear x; y := 1; undefine x[y].b;",
        "x[0].a=A x[0].b=false x[0].c=-3 x[1].a=A x[1].b=Undefined x[1].c=-3 y=1",
    );
}

#[test]
fn assertions_and_errors_are_reported_with_their_text() {
    fails("", "assert 1 = 1; assert 1 = 2 \"no\";", &FaultKind::Assertion("no".to_owned()), "assert 1 = 2 \"no\"");
    fails("", "error \"here\";", &FaultKind::Error("here".to_owned()), "error \"here\"");
}

#[test]
fn unions_hold_members_of_different_types() {
    let text = "type n: scalarset(2); e: enum {None}; u: union {n, e}; var p: u; a: array[n] of u; b: boolean;";
    check(text, "p := None; for i: n do a[i] := i; end;", "p=None a[n_1]=n_1 a[n_2]=n_2 b=Undefined");
    check(
        text,
        "p := None; for i: n do a[i] := p; p := i; end; b := p = a[p];",
        "p=n_2 a[n_1]=None a[n_2]=n_1 b=false",
    );
    fails(text, "p := None; a[p] := None;", &FaultKind::Index("None".to_owned()), "p");
}

#[test]
fn a_multiset_has_no_order() {
    let text = "type r: record a: 0..9; end; var m: multiset[3] of r; n: 0..3; x: r;";
    let end = |m: &str| {
        let parts: Vec<&str> = m.split(' ').collect();
        let there = parts.iter().filter(|part| **part != "Undefined").count();
        let values = (0..3).map(|at| format!("m{{{at}}}.a={}", parts[at])).collect::<Vec<_>>().join(" ");
        let flags = (0..3).map(|at| format!("m{{{at}}} present={}", at < there)).collect::<Vec<_>>().join(" ");
        format!("{values} {flags}")
    };
    let add =
        |values: &[u32]| values.iter().map(|value| format!("x.a := {value}; multisetadd(x, m); ")).collect::<String>();
    check(text, &add(&[7, 2]), &format!("{} n=Undefined x.a=2", end("2 7 Undefined")));
    check(
        text,
        &format!("{} n := multisetcount(i: m, m[i].a > 2);", add(&[7, 2, 5])),
        &format!("{} n=2 x.a=5", end("2 5 7")),
    );
    check(
        text,
        &format!("{} multisetremovepred(i: m, m[i].a != 5); n := multisetcount(i: m, true);", add(&[7, 2, 5])),
        &format!("{} n=1 x.a=5", end("5 Undefined Undefined")),
    );
    fails(text, &add(&[1, 2, 3, 4]), &FaultKind::MultisetFull, "multisetadd(x, m)");
    let choosing = format!(
        "{text} startstate begin {} end; choose i: m do rule m[i].a > 2 ==> begin multisetremove(i, m); end; end;",
        add(&[7, 2, 5])
    );
    let values = run(&choosing).unwrap();
    assert_eq!(values.iter().filter(|(name, value)| name.ends_with("present") && value == "true").count(), 2);
}

#[test]
fn rules_have_parameters_and_guards_see_what_happened_before() {
    let text = "type n: scalarset(2); v: 1..2; var a: array[n] of 0..9; startstate begin clear a; end; \
        ruleset i: n; k: v do alias p: a[i] do rule p < 2 ==> begin p := p + k; end; end; end;";
    let program = crate::read(text, &Options::default()).unwrap();
    let machine = Machine::new(&program).unwrap();
    let parameters: Vec<Vec<(String, String)>> = machine
        .rules()
        .iter()
        .map(|rule| rule.parameters.iter().map(|parameter| machine.parameter_text(parameter)).collect())
        .collect();
    let pair = |i: &str, k: &str| vec![("i".to_owned(), i.to_owned()), ("k".to_owned(), k.to_owned())];
    assert_eq!(parameters, [pair("n_1", "1"), pair("n_1", "2"), pair("n_2", "1"), pair("n_2", "2")]);
    let values: Vec<String> = run(text).unwrap().into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, ["3", "3"]);
}

#[test]
fn a_guard_that_calls_a_function_leaves_the_state_as_it_was() {
    let text = "var x: 0..9; function f(): boolean; var y: 0..9; begin y := x; y := y + 1; return y = 3; end; \
        startstate begin x := 1; end; rule f() ==> begin x := 9; end; rule x = 1 ==> begin x := 7; end;";
    assert_eq!(run(text).unwrap(), [("x".to_owned(), "7".to_owned())]);
}

#[test]
fn large_states_cross_words() {
    let mut body = String::new();
    let mut expected = Vec::new();
    for at in 0..40 {
        body.push_str(&format!("a[{at}] := {}; ", at * 13));
        expected.push(format!("a[{at}]={}", at * 13));
    }
    check("var a: array[0..39] of 0..1000;", &body, &expected.join(" "));
}
