//! What the type checker accepts, refuses and warns about.

use murphi::diagnostics::{Severity, line_column};
use murphi::program::{
    Around, ConstantSite, ExpressionKind, Over, Program, PropertyKind, StatementKind, TypeKind, VariableKind,
};
use murphi::{Options, elaborate, parse};

const NODE: &str = "const N : 2; type NODE : scalarset(N); DATA : scalarset(2); HOME : enum { Home }; \
    ANY : union { NODE, HOME }; var a : array [NODE] of boolean; n : NODE; u : ANY; d : DATA; h : HOME; \
    x : 0..3; y : -2..2; b : boolean; startstate clear b end; rule b := !b end;";

fn typed(text: &str) -> Program {
    typed_with(text, &Options::default())
}

fn typed_with(text: &str, options: &Options) -> Program {
    let (ast, errors) = parse(text);
    assert_eq!(errors, [], "{text}");
    elaborate(&ast, options).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

/// Returns `line:column code message` for all errors and warnings.
fn findings(text: &str) -> Vec<String> {
    let (ast, mut found) = parse(text);
    if found.is_empty() {
        found = elaborate(&ast, &Options::default()).map_or_else(|errors| errors, |program| program.warnings);
    }
    found
        .iter()
        .map(|finding| {
            let (line, column) = line_column(text, finding.labels[0].span.start);
            format!("{line}:{column} {} {}", finding.code, finding.message)
        })
        .collect()
}

fn codes(body: &str) -> Vec<String> {
    findings(&format!("{NODE}\n{body}")).iter().filter_map(|f| f.split(' ').nth(1).map(str::to_owned)).collect()
}

fn accepted(body: &str) {
    assert_eq!(findings(&format!("{NODE}\n{body}")), [""; 0], "{body}");
}

fn refused(body: &str, code: &str) {
    assert_eq!(codes(body), [code], "{body}");
}

#[test]
fn values_go_where_their_type_allows_it() {
    for statement in [
        "u := n",
        "n := u",
        "u := h",
        "u := Home",
        "x := y",
        "x := y + 1",
        "a[n] := u = Home",
        "a[u] := true",
        "x := -1 + 2",
    ] {
        accepted(&format!("rule {statement}; end;"));
    }
    for statement in ["n := d", "u := d", "n := h", "n := 1", "x := b", "b := 1", "x := n", "h := u = Home"] {
        refused(&format!("rule {statement}; end;"), "E029");
    }
    refused("rule a[d] := true; end;", "E021");
    refused("rule a[h] := true; end;", "E021");
    refused("invariant n = d;", "E026");
    assert_eq!(codes("invariant n < n;"), ["E010", "E010"]);
}

#[test]
fn structures_are_copied_where_they_are_the_same() {
    let types = "type R : record p : 0..3; q : array [NODE] of boolean end; \
        S : record p : 0..3; q : array [NODE] of boolean end; T : record p : 0..2; q : array [NODE] of boolean end; \
        var r : R; s : S; t : T; m : multiset [2] of R;";
    accepted(&format!("{types} rule r := s; r.q := s.q; multisetadd(s, m); end;"));
    refused(&format!("{types} rule r := t; end;"), "E029");
    accepted(&format!("{types} invariant r = s -> r.q != s.q;"));
    refused(&format!("{types} function f() : R; begin return r; end; invariant r = f();"), "E032");
    refused(&format!("{types} invariant m = m;"), "E032");
    accepted(&format!(
        "{types} function f(r : R; var q : S) : R; begin q := r; return q; end; rule r := f(s, r); end;"
    ));
    refused(&format!("{types} procedure p(var t : T); begin clear t end; rule p(r); end;"), "E025");
}

#[test]
fn what_cannot_be_assigned_is_refused_through_aliases_too() {
    accepted("rule alias p : a[n] do p := true; end; end;");
    accepted("alias p : x do rule p := 1; end; end;");
    refused("rule alias p : x + 1 do p := 1; end; end;", "E028");
    refused("ruleset i : NODE do alias p : i do rule p := n; end; end; end;", "E028");
    refused("procedure f(v : NODE); begin v := n end;", "E028");
    refused("rule for i : NODE do undefine i end; end;", "E028");
}

#[test]
fn an_alias_of_a_constant_is_constant() {
    let program = typed(
        "const N : 3; var x : 0..N; startstate x := 0; end; alias m : N - 1 do ruleset i : 0..m do rule x := i; end; end; end;",
    );
    let Around::Parameter(binder) = &program.rules[0].around[1] else { panic!("a ruleset") };
    assert_eq!(program.types[program.variables[binder.variable.index()].ty.index()].kind, TypeKind::Range(0, 2));
}

#[test]
fn global_declarations_come_in_any_order() {
    let program = typed(
        "rule x < LAST ==> x := x + 1; end; startstate x := 0; end; var x : T; type T : 0..LAST; \
         const LAST : FIRST + 2; const FIRST : 1;",
    );
    assert_eq!(program.constants, [("FIRST".to_owned(), 1), ("LAST".to_owned(), 3)]);
    assert!(program.types.iter().any(|ty| ty.name.as_deref() == Some("T") && ty.kind == TypeKind::Range(0, 3)));
    assert_eq!(findings("const A : B; B : C; C : A;").len(), 1);
    assert_eq!(findings("type R : record x : R end;"), ["1:21 E003 `R` is declared in terms of itself"]);
    assert_eq!(findings("const A : 1; A : 2;"), ["1:14 E002 `A` is declared twice in this scope"]);
    assert_eq!(findings("const M : Up = Up; type E : enum { Up, Down };").first().map(|f| &f[4..8]), Some("E036"));
}

#[test]
fn settings_change_constants_and_sizes() {
    let text = "const N : 2; Fast : false; type NODE : scalarset(N); R : 1..N; var x : R; y : NODE; \
        startstate x := 1; end; rule Fast ==> x := N; end;";
    let options = Options {
        constants: [("N".to_owned(), 5), ("Fast".to_owned(), 1)].into(),
        truth_values: ["Fast".to_owned()].into(),
        type_sizes: [("R".to_owned(), 3)].into(),
        ..Options::default()
    };
    let program = typed_with(text, &options);
    let kind = |name: &str| program.types.iter().find(|ty| ty.name.as_deref() == Some(name)).unwrap().kind.clone();
    assert_eq!((kind("NODE"), kind("R")), (TypeKind::Scalarset(5), TypeKind::Range(1, 3)));
    assert!(matches!(program.rules[0].guard.kind, ExpressionKind::Boolean(true)));
    let StatementKind::Assign(_, value) = &program.rules[0].body[0].kind else { panic!("an assignment") };
    assert!(matches!(value.kind, ExpressionKind::Integer(5)));
    assert_eq!(program.constant_at(value.span), Some("N"));
    let sites = |name: &str| program.constant_uses.iter().filter(|u| u.name == name).map(|u| u.site.clone()).collect();
    let sites: Vec<ConstantSite> = sites("N");
    assert!(matches!(sites[..], [ConstantSite::Type(_), ConstantSite::Type(_), ConstantSite::Expression]));

    let wrong = Options { type_sizes: [("x".to_owned(), 3)].into(), ..Options::default() };
    assert_eq!(elaborate(&parse(text).0, &wrong).unwrap_err()[0].code, "E001");
    let setting = |name: &str, truth_values: &[&str]| Options {
        constants: [(name.to_owned(), 1)].into(),
        truth_values: truth_values.iter().map(|name| (*name).to_owned()).collect(),
        ..Options::default()
    };
    let cases = [
        (setting("N", &["N"]), "the constant `N` is a number, and cannot be set to true", "`-D N=2`"),
        (setting("Fast", &[]), "the constant `Fast` is a truth value, and cannot be set to 1", "`-D Fast=false`"),
        (setting("Slow", &[]), "the model has no constant `Slow`", "its constants are Fast, N"),
    ];
    for (options, message, help) in cases {
        let found = elaborate(&parse(text).0, &options).unwrap_err().remove(0);
        assert!(found.code == "E001" && found.message.starts_with(message), "{found:?}");
        assert!(found.help.as_ref().is_some_and(|text| text.contains(help)), "{found:?}");
    }
}

#[test]
fn rules_carry_what_stands_around_them() {
    let program = typed(
        "var a : array [0..2] of record s : boolean end; \
         ruleset i : 0..2; j := 2 to 0 by -1 do alias p : a[i].s do rule 7 \"r\" p ==> p := false; end; end; \
         invariant \"i\" a[i].s -> i = j; end; startstate for k : 0..2 do a[k].s := true end end; \
         assume a[0].s; cover a[1].s; liveness a[2].s;",
    );
    let rule = &program.rules[0];
    assert_eq!((rule.name.as_deref(), rule.priority, rule.around.len()), (Some("r"), 7, 3));
    assert!(matches!(&rule.around[0], Around::Parameter(binder) if matches!(binder.over, Over::Type(_))));
    assert!(matches!(&rule.around[1], Around::Parameter(binder) if matches!(binder.over, Over::Numbers { .. })));
    let Around::Alias(alias, place) = &rule.around[2] else { panic!("an alias") };
    assert_eq!(program.variables[alias.index()].kind, VariableKind::Alias);
    assert_eq!(place.root(), Some(program.globals[0]));
    let kinds: Vec<PropertyKind> = program.properties.iter().map(|property| property.kind).collect();
    assert_eq!(kinds, [PropertyKind::Invariant, PropertyKind::Assume, PropertyKind::Cover, PropertyKind::Liveness]);
}

#[test]
fn functions_with_effects_are_refused_where_values_must_be_pure() {
    let functions = "procedure set(var v : boolean); begin v := true end; \
        function local() : boolean; var v : boolean; begin set(v); return v; end; \
        function global() : boolean; begin set(b); return b; end; \
        function aliased() : boolean; begin alias c : a[n] do c := true; end; return b; end; \
        function node() : NODE; begin a[n] := true; return n; end; \
        function pure(v : NODE) : NODE; begin return v; end;";
    accepted(&format!("{functions} rule local() ==> b := global(); end; invariant a[pure(n)];"));
    for body in [
        "rule global() ==> b := true; end;",
        "rule aliased() ==> b := true; end;",
        "invariant global();",
        "rule a[node()] := true; end;",
        "rule b := forall i : NODE do global() end; end;",
        "rule b := b & global(); end;",
        "rule b := (b ? global() : b); end;",
    ] {
        refused(&format!("{functions} {body}"), "E033");
    }
}

#[test]
fn one_mistake_is_one_error() {
    assert_eq!(
        findings(
            "var x : T; rule x = 1 ==> x := f(x); end; function g(p : T) : T; begin return p; end; rule g(x) end;"
        ),
        [
            "1:9 E008 there is no type `T`",
            "1:32 E023 there is no function or procedure `f`",
            "1:58 E008 there is no type `T`",
            "1:63 E008 there is no type `T`"
        ]
    );
    assert_eq!(findings("const N : M; type T : 0..N; var x : T; invariant x = 0;"), ["1:11 E018 `M` is not declared"]);
}

#[test]
fn multisets_are_indexed_by_their_positions_only() {
    let multiset = "var m : multiset [3] of record w : NODE end; k : multiset [3] of boolean;";
    accepted(&format!(
        "{multiset} choose i : m do rule m[i].w = n ==> multisetremove(i, m); end; end; \
         rule multisetcount(i : m, m[i].w = n) > 0 ==> multisetremovepred(i : m, m[i].w != n); end;"
    ));
    refused(&format!("{multiset} choose i : m do rule k[i] ==> b := true end end;"), "E037");
    refused(&format!("{multiset} rule multisetremove(1, m); end;"), "E037");
    refused(&format!("{multiset} rule multisetadd(n, m); end;"), "E029");
    refused("choose i : a do rule end end;", "E013");
}

#[test]
fn warnings_are_no_errors() {
    let (ast, _) = parse(&format!("{NODE} rule x := 9; end;"));
    let program = elaborate(&ast, &Options::default()).unwrap();
    assert_eq!(program.warnings.len(), 1);
    assert_eq!(program.warnings[0].severity, Severity::Warning);
    accepted("ruleset i : NODE do startstate for j : NODE do a[j] := i = j end; end; end;");
    accepted("ruleset i : NODE do startstate for j : NODE do a[j] := false end; a[i] := true; end; end;");
    assert_eq!(codes("ruleset i : NODE do startstate a[i] := true; end; end;"), ["W001"]);
}

#[test]
fn numbers_at_their_limits_are_no_trouble() {
    assert_eq!(codes("const A : 9223372036854775807 + 1; B : 1 / 0; C : -9223372036854775807 - 2;"), ["E011"; 3]);
    assert_eq!(codes("type T : -9223372036854775807..9223372036854775807; var t : array [T] of boolean;"), ["E005"]);
    assert_eq!(codes("type T : 0..4611686018427387903; var t : array [T] of boolean;"), ["E006"]);
    assert_eq!(codes("type T : scalarset(99999999); U : multiset [-1] of boolean;"), ["E005"; 2]);
}

#[test]
fn shared_structure_is_compared_once() {
    use std::fmt::Write;
    let mut text = String::from("type A0 : boolean; B0 : boolean;");
    for level in 1..16 {
        let below = level - 1;
        write!(text, "A{level} : record p, q : A{below} end; B{level} : record p, q : B{below} end;").unwrap();
    }
    text.push_str("var a : A15; b : B15; startstate a := b; end; rule a := b; end;");
    assert_eq!(findings(&text), [""; 0]);
    text.push_str("invariant a = b;");
    assert_eq!(findings(&text).len(), 1, "the comparison would be too large");
    text.push_str(
        "type A16 : record p, q : A15 end; A17 : record p, q : A16 end; var c : A16; d : array [boolean] of A15;",
    );
    let found = findings(&text);
    assert_eq!(found.iter().filter(|finding| finding.contains("E039")).count(), 2, "{found:?}");
    let deep: String = (1..5000).map(|level| format!("A{level} : record p : A{} end; ", level - 1)).collect();
    let found = findings(&format!("type A0 : boolean; {deep} var a : A4999;"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("P002"));
}

#[test]
fn lint_follows_aliases_and_calls() {
    let lint = |text: &str| -> Vec<String> {
        murphi::lint(&typed(text)).iter().map(|finding| format!("{} {}", finding.code, finding.message)).collect()
    };
    let read = "var a : array [0..1] of boolean; x : boolean; startstate init(); end; procedure init(); \
        begin for i : 0..1 do set(a[i]) end; x := true; end; procedure set(var b : boolean); begin b := true; end;";
    assert_eq!(lint(&format!("{read} rule alias p : a[0] do x := p; end; end; invariant x;")), [""; 0]);
    assert_eq!(lint(&format!("{read} ruleset i : 0..1 do alias p : a[i] do rule p & x ==> end; end; end;")), [""; 0]);
    assert_eq!(
        lint(
            "var a : array [0..1] of boolean; x : boolean; startstate x := true; clear a end; \
            rule alias p : a[0] do p := x; end; end;"
        ),
        ["W005 `a` is never read"],
        "an alias that is only written reads nothing"
    );
}

#[test]
fn lint_asks_about_each_field() {
    let lint = |text: &str| -> Vec<String> {
        murphi::lint(&typed(text)).iter().map(|finding| format!("{} {}", finding.code, finding.message)).collect()
    };
    let types = "type CELL : record state, old, data : 0..2; end; NET : array [0..1] of record cell : CELL; full : boolean; end; \
        var net : NET; last : CELL;";
    // A field that is only written, one that is only read, and one that is copied with its record but not used.
    assert_eq!(
        lint(&format!(
            "{types} startstate for i : 0..1 do net[i].full := false; net[i].cell.state := 0; net[i].cell.old := 1; end; \
             last := net[0].cell; end; \
             rule last.state = last.data & net[1].full ==> last := net[1].cell; net[0].cell.state := 1; end;"
        )),
        ["W005 `net[].cell.old` is never read", "W006 `net[].cell.data` is never written, so it stays undefined"]
    );
    // Aliases, parameters, `clear`, comparisons and multisets use fields.
    for used in [
        "startstate clear net; clear last; end; \
         rule alias c : net[0].cell do c.old := c.data + c.old; c.state := c.old; end; end; \
         rule net[0].full ==> last.data := last.state; end;",
        "procedure set(var c : CELL; from : CELL); begin c.old := from.data; c.data := from.old; c.state := from.state; end; \
         startstate clear net; last := net[1].cell; end; rule net[0].full ==> set(net[0].cell, last); end;",
        "startstate clear net; clear last; end; rule net[0].cell = last & net[1].full ==> last.data := 1; end;",
    ] {
        assert_eq!(lint(&format!("{types} {used}")), [""; 0], "{used}");
    }
    assert_eq!(
        lint(
            "type CELL : record state, data : 0..2; end; var bag : multiset [2] of CELL; cell : CELL; \
             startstate undefine bag; clear cell; end; \
             choose i : bag do rule bag[i].state = 0 ==> multisetadd(cell, bag); end; end;"
        ),
        ["W005 `bag[].data` is never read"]
    );
}

/// The checks of lint, each with a model that has the fault and one that is nearly the same but does not. Rules that
/// never fire, vacuous properties and single elements need an instance: see `tests/command.rs` of the command.
#[test]
fn lint_tells_what_is_there_and_nothing_else() {
    let lint = |text: &str| -> Vec<String> {
        let program = typed(text);
        let found = murphi::lint(&program);
        let all = program.warnings.iter().chain(&found);
        all.map(|finding| {
            let (line, column) = line_column(text, finding.labels[0].span.start);
            format!("{line}:{column} {} {}", finding.code, finding.message)
        })
        .collect()
    };
    let per_value =
        "1:42 W001 each value of `i` gives a separate startstate, which leaves the other elements undefined";
    for (text, expected) in [
        (
            "var a : array [0..1] of boolean; ruleset i : 0..1 do startstate a[i] := true; end; end; rule a[0] ==> end;",
            Some(per_value),
        ),
        (
            "var a : array [0..1] of boolean; ruleset i : 0..1 do startstate clear a; a[i] := true; end; end; rule a[0] ==> end;",
            None,
        ),
        (
            "var x, y : boolean; startstate x := true; y := x; end; rule x ==> y := !x; end;",
            Some("1:8 W005 `y` is never read"),
        ),
        ("var x, y : boolean; startstate x := true; y := x; end; rule x ==> y := !y; end;", None),
        (
            "var x, y : boolean; startstate x := true; end; rule isundefined(y) ==> x := !x; end;",
            Some("1:8 W006 `y` is never written, so it stays undefined"),
        ),
        ("var x, y : boolean; startstate x := true; undefine y; end; rule isundefined(y) ==> x := !x; end;", None),
        (
            "var x : boolean; startstate x := true; end; ruleset i, j : 0..1 do rule i = 0 ==> x := !x; end; end;",
            Some("1:56 W007 the parameter `j` is never used"),
        ),
        ("var x : boolean; startstate x := true; end; ruleset i, j : 0..1 do rule i = j ==> x := !x; end; end;", None),
        (
            "var x, y : boolean; startstate x := true; end; rule x ==> y := true; end; rule y ==> x := y; end;",
            Some("1:21 W009 this startstate leaves `y` undefined"),
        ),
        (
            "var x, y : boolean; startstate x := true; y := x; end; rule x ==> y := true; end; rule y ==> x := y; end;",
            None,
        ),
    ] {
        let expected: Vec<&str> = expected.into_iter().collect();
        assert_eq!(lint(text), expected, "{text}");
    }
}
