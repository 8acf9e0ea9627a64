//! Which types may have any size, and why the others keep the size they have in the model.

#![allow(clippy::unwrap_used, reason = "it is a test")]

use murphi::lower::{LowerOptions, lower};
use murphi::{Options, read};

/// Declarations that all programs here share: two ranges with equal bounds, a union of each, records and arrays over
/// them.
const SHARED: &str = "const N : 3; \
    type P : 1..N; Q : 1..N; E : enum { none }; UP : union { P, E }; K : 0..5; \
    RP : record x : P; end; RQ : record x : Q; end; AP : array [K] of P; AQ : array [K] of Q; \
    var a : array [P] of boolean; c : array [Q] of boolean; p : P; q : Q; u : UP; k : K; b : boolean; \
    rp : RP; rq : RQ; ap : AP; aq : AQ;";

/// Functions and procedures that some of the programs call.
const FUNCTIONS: &str = "\
    function same(x : P) : P; begin return x; end; \
    function pick(f : boolean) : P; begin return (f ? p : 3); end; \
    function wide(x : UP) : boolean; begin return x = none; end; \
    function record_of(x : RP) : boolean; begin return x.x = p; end; \
    procedure set(var x : P); begin x := p; end; \
    procedure put_in(var x : UP); begin undefine x; end;";

/// The outcome for P and Q: `P*` for a symmetric type of any size, `P<` for one whose elements have an order, else the reason
/// that fixes it.
fn types(statements: &str) -> String {
    let text = format!(
        "{SHARED} {FUNCTIONS} startstate undefine p; undefine q; end; \
         ruleset i : P do rule \"p\" begin a[i] := true; p := same(i); end; end; \
         ruleset j : Q do rule \"q\" begin c[j] := true; q := j; end; end; \
         rule \"r\" begin {statements} end; invariant \"i\" b;"
    );
    said(&text, &["P", "Q"])
}

fn said(text: &str, names: &[&str]) -> String {
    let program = read(text, &Options::default()).unwrap_or_else(|found| panic!("{text}\n{found:?}"));
    let lowered = lower(&program, &LowerOptions::default()).unwrap_or_else(|found| panic!("{text}\n{found:?}"));
    let system = &lowered.system;
    let of = |name: &&str| {
        if let Some(at) = system.index_types.iter().position(|over| over.name == *name) {
            let id = system::IndexTypeId(u32::try_from(at).unwrap());
            return format!("{name}{}", if system.rank(id).is_some() { "<" } else { "*" });
        }
        let kept = system.claim.finite_types.iter().find(|kept| kept.name == *name);
        kept.map_or(format!("{name}?"), |kept| format!("{name}: {}", kept.reason))
    };
    names.iter().map(of).collect::<Vec<_>>().join("; ")
}

#[test]
fn types_that_nothing_joins_are_of_any_size_each() {
    // `pick` names the element 3 of P.
    assert_eq!(types("p := 3; q := 2; b := p = 3;"), "P*; Q*");
}

/// Every way in which a computed number can become a value of P.
#[test]
fn a_computed_number_reaches_a_type_through_every_form() {
    for statements in [
        "p := k + 1;",
        "p := (b ? k + 1 : p);",
        "p := (b ? p : (b ? 1 : k + 1));",
        "a[k] := true;",
        "a[b ? k : 1] := true;",
        "b := p = k;",
        "b := p = (b ? 1 : k);",
        "b := (b ? p : k) = 1;",
        "b := same(k) = p;",
        "b := same(b ? k : 1) = p;",
        "set(ap[k]); p := same(-k);",
        "u := k;",
        "u := (b ? u : k);",
        "b := u = k;",
        "b := wide(k);",
        "b := ismember(k, P);",
        "b := ismember(u, K);",
        "switch p case k: b := true; end;",
        "switch k case p: b := true; end;",
        "switch (b ? p : 1) case 1: b := true; case (b ? k : 2): b := false; end;",
        "switch u case k: b := true; end;",
        "alias z : (b ? p : k) do b := z = 1; end;",
        "rp.x := k;",
        "for m := 1 to k do a[m] := true; end;",
        "for m : K do a[m] := true; end;",
        "for m := 1 to 2 do a[m] := true; end;",
        "for m := 3 to 1 by -1 do a[m] := true; end;",
        "b := forall m : K do m = p end;",
        "b := p < 2;",
        "b := exists m : P do m > p end;",
        "p := (p % 3) + 1;",
    ] {
        let found = types(statements);
        let (p, q) = found.split_once("; ").unwrap();
        if p == "P<" {
            assert_eq!(q, "Q*", "{statements}");
            continue;
        }
        // Q shares a bound with what is now a range of three numbers.
        assert!(p.starts_with("P: ") && !p.contains("`N`"), "{statements} {found}");
        assert_eq!(q, "Q: `N`, which determines its size, is also used as a value", "{statements}");
    }
}

/// Every way in which values of one range can become values of another with equal bounds, so that they are one type.
#[test]
fn two_ranges_of_equal_bounds_become_one() {
    for statements in [
        "q := p;",
        "b := p = q;",
        "c[p] := true;",
        "rq := rp;",
        "rq := (b ? rq : rp);",
        "b := rp = rq;",
        "aq := ap;",
        "b := ap = aq;",
        "b := record_of(rq);",
        "set(q);",
        "q := same(p);",
        "p := same(q);",
        "q := pick(b);",
        "u := q;",
        "b := u = q;",
        "b := ismember(q, P);",
        "alias z : rq do z := rp; end;",
        "switch p case q: b := true; end;",
        "for m : Q do a[m] := true; end;",
        "b := exists m : Q do m = p end;",
    ] {
        let found = types(statements);
        assert_eq!(found, "P*; Q?", "{statements}");
    }
}

/// A size that is also used as a value fixes its type, and the reason is reported.
#[test]
fn a_size_that_is_a_value_keeps_its_type() {
    let program = |declarations: &str, statements: &str| {
        format!(
            "const N : 3; {declarations} var a : array [P] of boolean; b : boolean; \
             startstate for i : P do a[i] := true; end; b := true; end; \
             ruleset i : P do rule \"r\" begin {statements} end; end; invariant \"i\" b;"
        )
    };
    let kept = "P: `N`, which determines its size, is also used as a value";
    for (declarations, statements) in [
        ("type P : 1..N; var k : 0..9;", "b := k < N;"),
        ("const M : N - 1; type P : scalarset(N); var k : 0..9;", "k := M;"),
        ("const M : N > 2 ? 1 : 0; L : M; type P : scalarset(N); var k : 0..9;", "k := L;"),
        ("const F : N > 2; type P : scalarset(N);", "b := F;"),
        ("type P : scalarset(N); var k : 0..9;", "for j := 1 to 2 * N do k := 1; end;"),
        ("type P : scalarset(N); var k : 0..9;", "alias z : N do k := z; end;"),
        ("type P : 1..N; var k : 1..N;", "for j := 1 to N - 1 do b := k = j; end;"),
    ] {
        assert_eq!(said(&program(declarations, statements), &["P"]), kept, "{declarations} {statements}");
    }
    for (declarations, statements) in [
        ("type P : 1..N;", "for j := 1 to N do a[j] := b; end;"),
        ("const M : N - 1; type P : 0..M;", "a[i] := b;"),
        ("const M : 3; type P : 1..N; var k : 0..9;", "k := M;"),
        ("type P : scalarset(N); Unused : 0..N;", "a[i] := b;"),
        ("type P : scalarset(N); var k : 0..N;", "k := 0;"),
        ("type P : scalarset(N); var k : 0..N;", "k := N;"),
        ("type P : scalarset(N); var k : array [0..N] of boolean;", "k[0] := true; k[1] := k[2];"),
        ("type P : scalarset(N); Q : scalarset(N); var k : array [Q] of boolean;", "for j : Q do k[j] := b; end;"),
    ] {
        assert_eq!(said(&program(declarations, statements), &["P"]), "P*", "{declarations} {statements}");
    }
    // Equal only for these values of the constants: what is equal are the numbers of the elements.
    let text = program("const M : 3; type P : 1..N; Q : 1..M; var k : Q;", "k := i; b := forall j : Q do j = k end;");
    assert_eq!(said(&text, &["P", "Q"]), "P<; Q<");
    let text =
        program("const M : 3; type P : 1..N; Q : 1..M; var k : Q;", "k := i; for j := 1 to 2 do b := j = k; end;");
    // Nothing runs over Q, so its values are numbers.
    assert_eq!(said(&text, &["P", "Q"]), "P<; Q?");
}

#[test]
fn a_range_that_may_be_empty_has_no_named_element() {
    let text = "const N : 3; type P : scalarset(N); var b : boolean; startstate b := true; end; \
        rule \"r\" (forall j := 2 to N do j != 2 end) ==> b := false; end; invariant \"i\" b;";
    let why = "it may be empty for other values of the constants, and one of its values is written as a number";
    assert_eq!(said(text, &["2..3"]), format!("2..3: {why}"));
}

#[test]
fn a_loop_over_three_numbers_counts_to_three() {
    let text = "var k : 0..5; startstate k := 0; end; \
        rule \"go\" k = 0 ==> begin for i := 1 to 3 do k := k + 1; end; end; invariant \"three\" k = 0 | k = 3;";
    assert_eq!(said(text, &["1..3"]), "1..3: it is written with numbers where a variable runs over it");
}

/// A claim lists the constants of the model on which it depends, with their values.
#[test]
fn constants_that_matter_are_kept_with_their_values() {
    let text = "const NODES : 2; LIMIT : 4; Fast : true; Spare : 7; TOP : LIMIT - 1; \
        type P : scalarset(NODES); K : 0..LIMIT; var a : array [P] of K; \
        startstate for i : P do a[i] := 0; end; end; \
        ruleset i : P do rule \"r\" Fast & a[i] < TOP ==> a[i] := a[i] + 1; end; \
          rule \"s\" a[i] := LIMIT / 3; end; end; \
        invariant \"i\" forall i : P do a[i] <= TOP end; liveness \"l\" Fast;";
    let program = read(text, &Options::default()).unwrap();
    let lowered = lower(&program, &LowerOptions::default()).unwrap();
    let claim = &lowered.system.claim;
    let kept: Vec<String> = claim.constants.iter().map(|kept| format!("{} = {}", kept.name, kept.value)).collect();
    assert_eq!(kept, ["LIMIT = 4", "TOP = 3", "Fast = true"]);
    let left_out: Vec<String> = claim.left_out.iter().map(|left| format!("{} {}", left.kind, left.name)).collect();
    assert_eq!(left_out, ["liveness l"]);
    assert_eq!(lowered.sizes.len(), 1);
    assert_eq!(lowered.sizes[0].reaching(5), Some(("NODES", 5)));
}

/// `clear` yields the first element, which need not be the one that a variable names.
#[test]
fn a_variable_that_is_set_once_names_no_element_where_clear_does() {
    let text = |more: &str| {
        format!(
            "type P : scalarset(3); var home, p : P; b : boolean; \
             ruleset h : P do startstate home := h; p := h; b := true; end; end; \
             rule \"r\" begin {more} end; invariant \"i\" b | p = home;"
        )
    };
    let lowered = |more: &str| lower(&read(&text(more), &Options::default()).unwrap(), &LowerOptions::default());
    assert_eq!(lowered("p := home;").unwrap().homes.len(), 1);
    let refused = lowered("clear p;").unwrap_err();
    assert_eq!(refused[0].code, "L011");
}
