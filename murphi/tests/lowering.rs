//! Lowered rules do what executing their statements does: on our models, on those found in the wild, and on rarely used
//! constructs.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it is a test")]

use std::collections::BTreeSet;
use std::path::Path;

use murphi::Options;
use murphi::instance::{Deadlock, Instance, Limits};
use murphi::lower::{LowerOptions, Lowered, lower};
use murphi::program::{Program, TypeKind};
use support::agree::{Report, compare_all, compare_both};

mod support;

/// The program with this number of elements in each of its index types, if the model allows it.
fn at_size(text: &str, size: u32, options: &LowerOptions) -> Option<(Program, Lowered)> {
    let program = murphi::read(text, &Options::default()).ok()?;
    let lowered = lower(&program, options).ok()?;
    let named = |at: usize| lowered.system.named.iter().filter(|named| named.index_type.index() == at).count();
    let names = lowered.types.iter().filter_map(|(ty, over)| {
        let symmetric = program.types[ty.index()].name.clone()?;
        let is_declared = matches!(program.types[ty.index()].kind, TypeKind::Scalarset(_) | TypeKind::Range(..));
        let fits = named(over.index()) == 0 || size as usize > named(over.index());
        (is_declared && fits).then_some((symmetric, size))
    });
    let sizes = Options { type_sizes: names.collect(), ..Options::default() };
    let program = murphi::read(text, &sizes).ok()?;
    let lowered = lower(&program, options).ok()?;
    Some((program, lowered))
}

fn check(text: &str, size: u32, rounds: usize) -> Option<Report> {
    let (program, lowered) = at_size(text, size, &LowerOptions::default())?;
    compare_both(&program, &lowered, u64::from(size), rounds)
}

/// Branches that are cases of their own do the same, on our models and on rarely used constructs.
#[test]
fn split_branches_do_what_the_statements_do() {
    let options = LowerOptions { split_branches: true, ..LowerOptions::default() };
    let models =
        support::repository_models().into_iter().map(|path| (path.display().to_string(), support::text(&path)));
    let rare = RARE.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let (mut compared, mut more) = (0, 0);
    for (name, text) in models.chain(rare) {
        let Some((program, lowered)) = at_size(&text, 2, &options) else { continue };
        let Some(report) = compare_both(&program, &lowered, 2, 4) else { continue };
        assert_eq!(report.differences, BTreeSet::new(), "{name}");
        compared += 1;
        let joined = lower(&program, &LowerOptions::default()).unwrap();
        more += usize::from(lowered.system.rules.len() > joined.system.rules.len());
    }
    assert!(compared > 60 && more > 20, "{compared} {more}");
}

fn check_file(path: &Path, size: u32, rounds: usize) -> Option<Report> {
    check(&support::text(path), size, rounds)
}

#[test]
fn lowered_rules_do_what_the_statements_do() {
    let mut compared = 0;
    for path in support::repository_models() {
        let Some(report) = check_file(&path, 2, 1) else { continue };
        assert_eq!(report.differences, BTreeSet::new(), "{}", path.display());
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

/// A deadlock is one of the statements, whether a rule has to be enabled or has to change the state.
#[test]
fn deadlock_freedom_is_that_some_rule_fires() {
    let models =
        support::repository_models().into_iter().map(|path| (path.display().to_string(), support::text(&path)));
    let rare = RARE.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let mut compared = 0;
    for (name, text) in models.filter(|(name, _)| !name.contains("broken")).chain(rare) {
        let Some((program, _)) = at_size(&text, 2, &LowerOptions::default()) else { continue };
        for deadlock in [Deadlock::Stuck, Deadlock::Stuttering] {
            // Some models would use up millions of steps.
            let options =
                LowerOptions { deadlock: Some(deadlock), most_steps: Some(200_000), ..LowerOptions::default() };
            let lowered = lower(&program, &options).unwrap();
            if lowered.system.properties.last().is_none_or(|last| last.name != Deadlock::PROPERTY) {
                let code = lowered.refused_properties.last().unwrap().code;
                assert!(["L006", "L021", "L026"].contains(&code), "{name}: {code}");
                continue;
            }
            let Some(report) = compare_all(&program, &lowered, Some(deadlock), 2, 1) else { continue };
            assert_eq!(report.differences, BTreeSet::new(), "{name}");
            compared += 1;
        }
    }
    println!("deadlock freedom of {compared} systems was compared");
    assert!(compared > 80, "{compared}");
}

/// Constructs that models rarely use, and constructs that were once handled wrongly.
const RARE: &[(&str, &str)] = &[
    (
        "a guard with an `exists` below a `forall`",
        "type n: scalarset(3); m: scalarset(2); var e: array [m] of array [n] of boolean; p: array [n] of m; b: boolean; \
         startstate begin clear e; b := false; for i: n do undefine p[i]; end; end; \
         ruleset k: m; i: n do rule \"edge\" begin e[k][i] := !e[k][i]; end; rule \"point\" begin p[i] := k; end; end; \
         rule \"all\" forall k: m do exists i: n do e[k][i] end end ==> begin b := !b; end; \
         rule \"either\" b | forall k: m do b | exists i: n do e[k][i] & p[i] = k end end ==> begin clear e; end; \
         ruleset k: m do rule \"meet\" forall l: m do exists i: n do e[k][i] & (e[l][i] | k = l) end end \
         & exists i: n do forall l: m do e[l][i] end end ==> begin b := true; e[k] := e[k]; end; end; \
         rule \"checked\" forall i: n do exists k: m do e[k][i] end end ==> \
         begin assert \"one\" exists k: m do forall i: n do e[k][i] end end; assert \"two\" exists i: n do e[p[i]][i] end; end;",
    ),
    (
        "a value of a wider range",
        "type q: 1..3; var x: q; y, z: 0..5; startstate begin x := 1; y := 1; z := 0; end; \
         rule \"copy\" begin x := y; end; rule \"more\" begin y := (y = 5 ? 0 : y + 1); end; \
         rule \"both\" begin x := (z = 0 ? y : x); z := x; end;",
    ),
    (
        "a value of a wider range that can be undefined",
        "type q: 1..3; k: 0..5; var x: q; y, z: k; b: boolean; startstate begin x := 1; y := 1; z := 0; b := true; end; \
         rule \"copy\" begin z := x; end; rule \"back\" begin x := y; end; rule \"undefine\" begin undefine x; end; \
         rule \"more\" isundefined(x) ==> begin y := (y = 5 ? 0 : y + 1); end;",
    ),
    (
        "a member of a union",
        "type n: scalarset(3); u: union {n, enum {home}}; var x, z: u; p: n; b: boolean; a: array [n] of boolean; \
         startstate begin x := home; z := home; b := true; for i: n do p := i; a[i] := true; end; end; \
         ruleset i: n do rule \"set\" begin x := i; end; rule \"other\" begin z := i; a[i] := false; end; end; \
         rule \"copy\" begin p := x; end; rule \"guarded\" x != home ==> begin p := x; a[p] := b; end; \
         rule \"chosen\" begin if b then p := x; else p := z; end; b := !b; end; rule \"home\" begin x := home; end;",
    ),
    (
        "a scalarset that its size keeps as it is",
        "const k: 3; type n: scalarset(k); m: scalarset(k); u: union {n, m}; var x: u; c: 0..k; a: array [n] of boolean; \
         startstate begin c := 0; for i: n do a[i] := true; x := i; end; end; \
         ruleset i: n do rule \"set\" begin x := i; a[i] := c = k; end; end; \
         ruleset j: m do rule \"other\" begin x := j; c := (c = k ? 0 : c + 1); end; end; \
         ruleset i: n do rule \"is\" x = i ==> begin a[i] := !a[i]; end; end;",
    ),
    (
        "questions about different types",
        "type n: scalarset(3); m: scalarset(2); var p: n; q: m; a: array [n] of boolean; \
         startstate begin for i: n do p := i; a[i] := true; end; for j: m do q := j; end; end; \
         rule begin if exists i: n do true end then p := p; end; for j: m do q := j; end; end;",
    ),
    (
        "arguments that the parameter does not have, and results that are undefined",
        "type r: 0..2; var k, d: r; u: r; c: boolean; \
         function same(v: r): r; begin if c then return d; end; return v; end; \
         startstate begin k := 0; d := 1; c := true; end; \
         rule \"outside\" begin k := same(k + 1); end; \
         rule \"flip\" begin c := !c; end; \
         rule \"forgotten\" var t: r; begin if c then t := 1; end; k := same(t); end; \
         rule \"either\" var t: r; begin if c then t := 2; end; k := (d = 1 ? t : d); end;",
    ),
    (
        "a pointer that is followed where it is defined",
        "type n: scalarset(3); var p: n; a: array [n] of boolean; c: boolean; \
         startstate begin undefine p; for i: n do a[i] := false; end; c := false; end; \
         rule \"follow\" begin c := !c; if !isundefined(p) then a[p] := true; undefine p; end; end; \
         ruleset i: n do rule \"point\" begin p := i; end; end;",
    ),
    (
        "a pointer that is followed where it is an element",
        "type n: scalarset(3); u: union { n, enum { None } }; var p: u; a: array [n] of boolean; c: boolean; \
         startstate begin p := None; for i: n do a[i] := false; end; c := false; end; \
         rule \"follow\" begin c := !c; if ismember(p, n) then a[p] := true; p := None; end; end; \
         rule \"ask\" begin if p = None then c := true; else a[p] := c; end; assert c \"set\"; end; \
         ruleset i: n do rule \"point\" begin p := i; end; end;",
    ),
    (
        "an assertion before the pointer is followed",
        "type n: scalarset(2); var p: n; q: n; a: array [n] of boolean; c: boolean; \
         startstate begin undefine p; undefine q; for i: n do a[i] := false; end; c := false; end; \
         rule \"follow\" var l: n; begin l := p; assert c \"c\"; a[l] := isundefined(q); end; \
         ruleset i: n do rule \"point\" begin p := i; end; end;",
    ),
    (
        "a pointer that a condition does not always follow",
        "type n: scalarset(3); var p: n; q: array [n] of n; a: array [n] of boolean; c: boolean; k: 0..2; \
         startstate begin undefine p; undefine q; for i: n do a[i] := false; end; c := false; k := 0; end; \
         ruleset i: n; j: n do rule \"point\" begin c := !c; a[i] := c; if isundefined(p) then p := i; q[j] := i; \
           else undefine p; undefine q[j]; end; end; end; \
         rule \"some\" exists i: n do c | isundefined(q[i]) | a[q[i]] end ==> begin k := 1; end; \
         rule \"all\" forall i: n do c | isundefined(q[i]) | a[q[i]] end ==> begin k := 2; end; \
         invariant \"both\" c & a[p]; \
         invariant \"either\" c | a[p]; \
         invariant \"some\" exists i: n do i != p & (c | a[q[i]]) end; \
         ruleset i: n do invariant \"each\" a[i] & (c | a[q[i]]); end;",
    ),
    (
        "an assertion in a loop before something undefined ends the run",
        "type n: scalarset(2); var b, d: boolean; k: 0..2; \
         startstate begin b := true; undefine d; k := 0; end; \
         rule \"loop\" begin for i: n do assert b \"b\"; if d then k := 1; end; end; end; \
         rule \"learn\" begin b := !b; if isundefined(d) then d := b; else undefine d; end; end;",
    ),
    (
        "an assertion before a count that may be too large",
        "type n: scalarset(3); var a: array [n] of boolean; c: boolean; k: 0..1; \
         startstate begin for i: n do a[i] := false; end; c := true; k := 0; end; \
         rule \"count\" begin assert c \"c\"; k := 0; for i: n do if a[i] then k := k + 1; end; end; c := k = 0; end; \
         ruleset i: n do rule \"set\" begin a[i] := true; end; end;",
    ),
    (
        "a count below a condition",
        "type n: scalarset(3); var a: array [n] of boolean; c: boolean; k: 0..1; \
         startstate begin for i: n do a[i] := false; end; c := false; k := 0; end; \
         rule \"count\" begin k := 0; if c then for i: n do if a[i] then k := k + 1; end; end; end; c := !c; end; \
         ruleset i: n do rule \"set\" begin a[i] := true; end; end;",
    ),
    (
        "what is undefined where somebody asks",
        "type n: scalarset(2); var p: n; q: array [n] of n; k: 0..2; \
         startstate begin undefine q; k := 0; end; \
         rule \"forget\" begin undefine p; k := undefined; end; \
         ruleset i: n do rule \"learn\" isundefined(q[i]) ==> begin q[i] := p; k := 1; end; end; \
         invariant \"known\" forall i: n do isundefined(q[i]) | q[i] = i end;",
    ),
    (
        "whatever runs over a union",
        "type n: scalarset(3); e: enum { Home, Other }; u: union { e, n }; w: union { n, enum { None } }; \
         var a: array [u] of 0..2; p: u; q: w; k: 0..3; c: boolean; \
         function first(low: 0..2): u; begin for i: u do if a[i] = low then return i; end; end; return Home; end; \
         startstate begin for i: u do a[i] := 0; end; p := Other; q := None; k := 0; c := false; end; \
         ruleset i: u; j: w do rule \"set\" a[i] < 2 ==> begin a[i] := a[i] + 1; p := i; q := j; end; end; \
         rule \"find\" begin p := first(1); end; \
         rule \"count\" begin k := 0; for i: w do if ismember(i, n) & q = i then k := k + 1; end; end; end; \
         rule \"reset\" forall i: u do a[i] > 0 end ==> begin for i: u do if i != p then a[i] := 0; end; end; end; \
         rule \"some\" exists i: u do a[i] = 2 & i != p end ==> begin c := !c; end; \
         ruleset i: w do invariant \"both\" q = i -> exists j: u do a[j] = 0 | j = p end; end; \
         invariant \"all\" forall i: u do a[i] = 2 -> p = i end;",
    ),
    (
        "properties about all elements",
        "type n: scalarset(3); m: scalarset(2); var a, b: array [n] of boolean; g: array [m] of array [n] of boolean; c: boolean; \
         startstate begin for i: n do a[i] := false; b[i] := false; for j: m do g[j][i] := true; end; end; c := true; end; \
         ruleset i: n do \
           rule \"some\" begin assert exists j: n do j != i & a[j] end \"another\"; a[i] := !a[i]; end; \
           rule \"all\" forall j: n do a[j] | i = j end ==> begin b[i] := !c; assert c \"c\"; c := b[i]; end; \
         end; \
         ruleset i: n; j: m do rule \"group\" begin g[j][i] := !g[j][i]; end; end; \
         invariant \"one\" exists i: n do a[i] | b[i] end; \
         ruleset j: m do invariant \"group\" c -> exists i: n do g[j][i] end; end; \
         invariant \"both\" (forall i: n do a[i] end -> c) & (forall i: n do b[i] end -> !c);",
    ),
    (
        "assumptions about all states",
        "type n: scalarset(3); m: scalarset(2); var a: array [n] of boolean; g: array [m] of array [n] of boolean; p: n; c: boolean; \
         startstate begin for i: n do a[i] := false; for j: m do g[j][i] := true; end; p := i; end; undefine c; end; \
         ruleset i: n; j: m do rule \"set\" begin a[i] := !a[i]; g[j][i] := a[i]; p := i; c := a[i]; end; end; \
         assume \"one\" exists i: n do a[i] | p = i & c end; \
         assume forall j: m do forall k: m do j != k -> exists i: n do g[j][i] & g[k][i] end end end; \
         ruleset i: n do assume \"pointed\" a[i] -> p = i | isundefined(c) | c; end; \
         invariant exists i: n do a[i] end;",
    ),
    (
        "order, arithmetic and a loop that ends early",
        "type n: scalarset(3); var a: array [n] of 0..3; k: 0..3; \
         function first(low: 0..3): 0..3; begin for i: n do if a[i] = low then return low; end; end; return 0; end; \
         startstate begin for i: n do a[i] := 0; end; k := 0; end; \
         rule \"first\" begin k := first(k); end; \
         ruleset i: n; j: n do rule \"move\" a[i] < a[j] ==> begin a[i] := a[i] + 1; a[j] := a[j] - a[i] + k; end; end;",
    ),
    (
        "a loop over something undefined that makes no difference",
        "type n: scalarset(3); var b, k: boolean; a: array [n] of boolean; \
         startstate begin b := true; k := true; for i: n do a[i] := false; end; end; \
         rule \"copy\" var c: boolean; begin if b then c := true; end; for i: n do c := (a[i] ? c : c); end; k := b; end; \
         rule \"some\" var c: boolean; begin if b then c := true; end; for i: n do if a[i] then k := (c ? b : b); end; end; \
           b := !b; end; \
         rule \"ask\" var c: boolean; begin if b then c := true; end; \
           for i: n do if a[i] then if c then k := true; else k := true; end; end; end; b := !b; end; \
         rule \"assert\" var c: boolean; begin if b then c := true; end; \
           for i: n do c := (a[i] ? c : c); assert a[i] \"a\"; end; end; \
         ruleset i: n do rule \"set\" begin a[i] := !a[i]; end; end;",
    ),
    (
        "a loop in a loop over something undefined that makes no difference",
        "type n: scalarset(2); var b, k: boolean; a: array [n] of boolean; m: array [n] of array [n] of boolean; \
         startstate begin b := true; k := true; for i: n do a[i] := false; for j: n do m[i][j] := true; end; end; end; \
         rule \"copy\" var c: boolean; begin if b then c := true; end; \
           for i: n do if a[i] then for j: n do m[i][j] := (c ? true : true); end; end; end; k := b; end; \
         rule \"below\" var c: boolean; begin \
           for i: n do undefine c; if a[i] then c := b; end; for j: n do m[i][j] := (c | true); end; end; k := b; end; \
         ruleset i: n do rule \"set\" begin a[i] := !a[i]; end; end;",
    ),
    (
        "a count of what is undefined, where there may be nothing to count",
        "type n: scalarset(3); var a: array [n] of boolean; c: boolean; k: 0..2; \
         startstate begin for i: n do a[i] := false; end; c := true; k := 0; end; \
         rule \"count\" var l: 0..2; begin if c then l := 0; end; \
           for i: n do if a[i] then l := l + 1; end; end; k := l; c := false; end; \
         rule \"reset\" begin c := !c; undefine k; end; \
         ruleset i: n do rule \"set\" begin a[i] := !a[i]; end; end;",
    ),
    (
        "a loop that asks for what is undefined before it",
        "type n: scalarset(3); var f, s: array [n] of boolean; \
         startstate begin for i: n do f[i] := false; s[i] := false; end; end; \
         rule \"all\" begin undefine s; for i: n do if f[i] then s[i] := true; end; if s[i] then f[i] := false; end; \
           s[i] := false; end; end; \
         ruleset i: n do rule \"set\" begin f[i] := !f[i]; end; end;",
    ),
    (
        "a number that may be undefined where somebody asks",
        "var k: 0..2; l: 0..2; b: boolean; a: array [0..2] of boolean; \
         startstate begin k := 0; undefine l; b := true; clear a; end; \
         rule \"either\" begin k := (b ? k : l) + 1; end; \
         rule \"index\" a[(b ? k : l)] ==> begin a[(b ? l : k)] := b; end; \
         rule \"less\" (b ? k : l) < 2 ==> begin b := !b; l := k; end; \
         rule \"ask\" isundefined(l) ==> begin b := true; a[k] := true; end; \
         rule \"forget\" begin undefine l; end;",
    ),
    (
        "a switch without cases on what may be undefined",
        "var b: boolean; startstate b := true; end; \
         rule \"switch\" var c: boolean; begin if b then c := true; end; switch c end; b := !b; end; \
         rule \"set\" begin b := true; end;",
    ),
    (
        "a loop below a condition that asks for what may be undefined",
        "type n: scalarset(2); var b: boolean; c: 1..2; a: array [boolean] of 1..2; \
         startstate undefine b; c := 1; clear a; end; \
         rule \"loop\" begin if c = 1 then for i: n do a[b] := 2; end; end; c := 2; end; \
         rule \"ask\" isundefined(b) ==> begin b := true; c := 1; a[true] := 1; end; \
         rule \"forget\" begin undefine b; end;",
    ),
    (
        "a quantifier that asks whether something is undefined",
        "type n: scalarset(2); var p: n; b, c: boolean; startstate undefine p; b := false; c := false; end; \
         rule \"ask\" if exists i: n do exists j: 0..1 do isundefined(p) end end then c := b; b := true; end; end; \
         ruleset i: n do rule \"set\" p := i; end; end; rule \"forget\" undefine p; b := c; end;",
    ),
    (
        "each iteration makes its own undefined",
        "type n: scalarset(3); var a, d: array [n] of boolean; k: boolean; \
         startstate begin for i: n do a[i] := false; d[i] := true; end; k := true; end; \
         rule \"own\" begin for i: n do if d[i] then a[i] := true; else a[i] := true; end; undefine d[i]; end; k := !k; end; \
         ruleset i: n do rule \"set\" begin a[i] := !a[i]; d[i] := !a[i]; end; end;",
    ),
    (
        "assumptions in a procedure, in a loop and behind a branch",
        "type n: scalarset(3); var a, b: array [n] of boolean; k: boolean; \
         procedure apart(i: n); begin assume !(a[i] & b[i]); cover a[i]; end; \
         startstate begin for i: n do a[i] := false; b[i] := true; end; k := true; end; \
         startstate begin clear a; clear b; k := true; assume exists i: n do a[i] end; end; \
         rule \"all\" begin if k then for i: n do a[i] := !b[i]; assume a[i] | k; invariant a[i] = !b[i]; end; \
           else assume exists i: n do a[i] & !b[i] end; end; k := !k; end; \
         rule \"first\" begin assume k; assert forall i: n do !a[i] end; k := false; end; \
         rule \"last\" begin assert exists i: n do b[i] end; assume !k; k := true; end; \
         ruleset i: n do rule \"a\" begin a[i] := !a[i]; apart(i); end; \
           rule \"b\" begin b[i] := !b[i]; apart(i); end; end;",
    ),
    (
        "what a property calls has cases",
        "type n: scalarset(3); u: union { n, enum { None } }; var a: array [n] of boolean; b: array [u] of boolean; p: u; \
         function any(): boolean; var r: boolean; begin r := false; for i: n do if a[i] then r := true; end; end; return r; end; \
         function count(): 0..3; var r: 0..3; begin r := 0; for i: n do if a[i] then r := r + 1; end; end; return r; end; \
         startstate begin clear a; clear b; p := None; end; \
         ruleset i: u do rule \"point\" begin p := i; b[i] := !b[i]; end; end; \
         ruleset i: n do rule \"set\" begin a[i] := !a[i]; end; end; \
         invariant \"any\" any(); invariant \"none\" !any(); invariant \"two\" count() = 2; invariant \"pointed\" b[p]; \
         ruleset i: n do invariant \"of each\" a[i] -> count() > 1 | b[p]; end;",
    ),
    (
        "assertions wherever something is evaluated",
        "type n: scalarset(3); var a, b: array [n] of boolean; p: n; c: boolean; k: 0..2; \
         function sure(i: n): boolean; begin assert !a[i] \"sure\"; return !b[i]; end; \
         function at(i: n): n; begin if b[i] then error \"at\"; end; return i; end; \
         function up(l: 0..2): 0..2; begin assert l < 2 | c \"up\"; return l; end; \
         procedure start(); begin assert !(exists i: n do a[i] end) \"start\"; end; \
         ruleset i: n; d: boolean do startstate begin for j: n do a[j] := d & i = j; b[j] := false; end; \
           p := i; c := d; k := 0; start(); end; end; \
         ruleset i: n do \
           rule \"and\" a[i] & sure(p) | c ==> begin b[i] := c; end; \
           rule \"either\" (c ? sure(i) : !a[i]) ==> begin p := i; end; \
           rule \"index\" a[at(i)] ==> begin a[at(p)] := sure(p); end; \
           alias s: sure(i) do rule \"alias\" s ==> begin c := !c; end; end; \
         end; \
         rule \"quantified\" exists i: n do sure(i) end | forall l: 0..2 do up(l) < k end ==> begin k := up(k) + 1; end; \
         rule \"bounds\" begin for l := 0 to up(k) do c := !c; end; switch up(k) case 0: k := 2; else k := 0; end; end; \
         invariant \"asks\" forall i: n do a[i] | sure(i) end; cover \"covered\" up(k) = 2;",
    ),
    (
        "an assumption that may meet an undefined value",
        "var k, l: boolean; startstate begin k := true; undefine l; end; \
         rule \"ask\" begin assume k | l; k := !k; end; rule \"cover\" begin cover k & l; k := !k; end; \
         rule \"set\" begin l := k; end; rule \"forget\" begin undefine l; end;",
    ),
];

#[test]
fn rare_constructs_are_lowered_exactly() {
    let mut wrong = Vec::new();
    for (what, text) in RARE {
        for size in [2, 3] {
            let Some(report) = check(text, size, 60) else {
                let program = murphi::read(text, &Options::default()).unwrap();
                let why = lower(&program, &LowerOptions::default()).err();
                wrong.push(format!("{what} is not lowered: {why:?}"));
                continue;
            };
            wrong.extend(report.differences.iter().map(|difference| format!("{what} at {size}: {difference}")));
            wrong.extend(report.unfired.iter().map(|rule| format!("{what} at {size}: `{rule}` is never fired")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Loops in which an iteration reads what an earlier one may have left undefined, or may have counted: they are refused
/// at that place.
const CARRIED: &[(&str, &str)] = &[
    ("if d then k := true; else k := true; end; undefine d;", "L004"),
    ("k := (d ? e : e); undefine d;", "L004"),
    ("if a[i] then undefine d; else d := (k ? d : d); end;", "L004"),
    ("k := (d | true); d := l;", "L004"),
    ("if a[i] then c := c + 1; end; assert c < 2 \"c\";", "L002"),
    ("k := (d & e) -> d; if a[i] then undefine d; end;", "L004"),
];

#[test]
fn a_loop_that_reads_what_an_earlier_iteration_may_have_left_is_refused() {
    let mut wrong = Vec::new();
    for (body, code) in CARRIED {
        let text = format!(
            "type n: scalarset(3); var d, e, k: boolean; c: 0..3; a: array [n] of boolean; \
             startstate begin d := true; e := true; k := true; c := 0; for i: n do a[i] := false; end; end; \
             rule var l: boolean; begin for i: n do {body} end; end;"
        );
        let program = murphi::read(&text, &Options::default()).unwrap();
        let refusals = lower(&program, &LowerOptions::default()).err().unwrap_or_default();
        let codes: Vec<_> = refusals.iter().map(|refusal| refusal.code).collect();
        if codes != [*code] {
            wrong.push(format!("{body} {codes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The loop's variable remained in the update without a binder. Found by fuzzing.
#[test]
fn a_loop_that_writes_its_own_element_or_another_one_is_refused() {
    let text = "type n: scalarset(2); var p: n; b: boolean; s: array [n] of boolean; \
                startstate b := false; for i: n do p := i; s[i] := false; end; end; \
                rule for i: n do s[(b ? i : p)] := true; end; end;";
    let program = murphi::read(text, &Options::default()).unwrap();
    let refusals = lower(&program, &LowerOptions::default()).unwrap_err();
    assert_eq!(refusals.iter().map(|refusal| refusal.code).collect::<Vec<_>>(), ["L003"]);
}

/// A value with very many cases took minutes after the limit on steps was reached, because nothing checked the limit
/// inside a statement. Found by fuzzing.
#[test]
fn a_statement_with_too_many_cases_is_given_up_at_once() {
    let text = "var a : array [0 .. 3] of array [0 .. 3] of 0 .. 3; startstate clear a; end; \
                rule for i : 0 .. 3 do for j : 0 .. 3 do \
                a[a[i][j]][a[j][i]] := (a[a[j][j]][a[i][i]] + 1) % 4; end; end; end;";
    let program = murphi::read(text, &Options::default()).unwrap();
    let (answer, answered) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let options = LowerOptions { most_steps: Some(20_000), ..LowerOptions::default() };
        let codes = lower(&program, &options).err().map(|refusals| refusals.iter().map(|r| r.code).collect::<Vec<_>>());
        answer.send(codes)
    });
    let codes = answered.recv_timeout(std::time::Duration::from_secs(60)).expect("it ends");
    assert_eq!(codes, Some(vec!["L021"]));
}

/// Each pointer on the way has a target for each value of what is known late. `verify` ran out of memory. Found by
/// fuzzing.
#[test]
fn a_rule_about_too_many_elements_is_refused() {
    let with = |parameters: usize| {
        let quantifiers: Vec<String> = (0..parameters).map(|number| format!("i{number}: n")).collect();
        let guards: Vec<String> = (0..parameters).map(|number| format!("a[i{number}]")).collect();
        let (quantifiers, guard) = (quantifiers.join("; "), guards.join(" & "));
        format!(
            "type n: scalarset(3); var a: array [n] of boolean; startstate clear a; end; \
             ruleset {quantifiers} do rule {guard} ==> a[i0] := false; end; end;"
        )
    };
    let pointers = "type n: scalarset(2); e: enum {A, B, C}; var b: boolean; s: e; p: n; q: array [e] of array [n] of n; \
                    startstate b := true; s := A; for i: n do p := i; for j: e do q[j][i] := i; end; end; end; \
                    alias z: q[s][q[s][q[s][q[s][q[s][p]]]]] do rule s = s ==> begin b := !b; end; end;";
    let codes = |text: &str| {
        let program = murphi::read(text, &Options::default()).unwrap();
        let lowered = lower(&program, &LowerOptions::default()).map(|lowered| lowered.system.rules.len());
        lowered.map_err(|refusals| refusals.iter().map(|refusal| refusal.code).collect::<Vec<_>>())
    };
    assert_eq!(codes(&with(9)), Ok(1));
    assert_eq!(codes(&with(10)), Err(vec!["L006"]));
    assert_eq!(codes(pointers), Err(vec!["L006"]));
}

/// The models found in the wild, at two sizes and with more states. This takes minutes.
#[test]
#[ignore = "it takes minutes: run it after changing lowering"]
fn lowered_rules_of_models_in_the_wild_do_what_the_statements_do() {
    let only = std::env::var("PARAPROOF_ONLY").unwrap_or_default();
    for path in support::wild_models() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        for size in [2, 3] {
            match check_file(&path, size, 4) {
                None => println!("{name}: not lowered"),
                Some(report) => {
                    println!("{name} at {size}: {} states, without a successor {:?}", report.states, report.unfired);
                    assert_eq!(report.differences, BTreeSet::new(), "{name} at {size}");
                }
            }
        }
    }
}

/// Comparisons of everything that can be undefined, with each other and with values, also where that asks twice.
const UNEQUAL: &str = "type n: scalarset(2); u: union { n, enum { home } }; k: 0..3;
    var a, b: n; c: u; d: array [n] of u; r: record x: n; f: k; end; e: enum { p, q }; m: boolean;
    startstate undefine a; undefine b; undefine c; undefine d; undefine r; undefine e; m := false; end;
    ruleset i: n do
    rule \"a\" a := i; end; rule \"b\" b != i ==> b := i; end; rule \"c\" c := i; end; rule \"d\" d[i] := c; end;
    rule \"x\" r.x = i | c != i ==> r.x := i; end; rule \"undo\" undefine d[i]; undefine a; end;
    rule \"member\" ismember(d[i], n) | d[i] = home ==> m := !m; end;
    rule \"both\" d[i] = c & c != home ==> undefine c; m := d[i] = i; end;
    rule \"field\" r.f != 1 ==> r.f := 1; if r.x = i then undefine r.x; end; end;
    end;
    rule \"home\" c := home; end; rule \"f\" r.f = 1 ==> r.f := 2; e := q; end;
    rule \"same\" a = b ==> m := a != b; undefine b; end; rule \"e\" e != p ==> e := p; end;
    rule \"switch\" switch c case home: m := false; else m := true; end; switch e case p: undefine e; case q: e := p; end; end;
    rule \"copy\" b := a; for i: n do if d[i] = c then d[i] := home; else d[i] := c; end; end; end;";

/// What the option says, written by hand in the model.
fn by_hand() -> String {
    let same = |one: &str, other: &str| format!("(!isundefined({one}) & !isundefined({other}) & {one} = {other})");
    let is = |one: &str, other: &str| format!("(!isundefined({one}) & {one} = {other})");
    let pairs = [
        ("b != i", format!("!{}", is("b", "i"))),
        ("r.x = i | c != i", format!("{} | !{}", is("r.x", "i"), is("c", "i"))),
        (
            "ismember(d[i], n) | d[i] = home",
            format!("(!isundefined(d[i]) & ismember(d[i], n)) | {}", is("d[i]", "home")),
        ),
        ("d[i] = c & c != home", format!("{} & !{}", same("d[i]", "c"), is("c", "home"))),
        ("m := d[i] = i", format!("m := {}", is("d[i]", "i"))),
        ("r.f != 1", format!("!{}", is("r.f", "1"))),
        ("if r.x = i", format!("if {}", is("r.x", "i"))),
        ("rule \"f\" r.f = 1", format!("rule \"f\" {}", is("r.f", "1"))),
        ("a = b ==>", format!("{} ==>", same("a", "b"))),
        ("m := a != b", format!("m := !{}", same("a", "b"))),
        ("e != p", format!("!{}", is("e", "p"))),
        (
            "switch c case home: m := false; else m := true; end; switch e case p: undefine e; case q: e := p; end;",
            "if isundefined(c) then m := true; else switch c case home: m := false; else m := true; end; end; \
             if !isundefined(e) then switch e case p: undefine e; case q: e := p; end; end;"
                .to_owned(),
        ),
        ("if d[i] = c then", format!("if {} then", same("d[i]", "c"))),
    ];
    let mut text = UNEQUAL.to_owned();
    for (short, long) in pairs {
        assert_eq!(text.matches(short).count(), 1, "{short}");
        text = text.replace(short, &long);
    }
    text
}

#[test]
fn undefined_is_unequal_to_every_value_with_that_option() {
    let option = Options { undefined_is_unequal: true, ..Options::default() };
    let program = murphi::read(UNEQUAL, &option).unwrap();
    let lowered = lower(&program, &LowerOptions::default()).unwrap();
    let report = compare_both(&program, &lowered, 5, 60).unwrap();
    assert_eq!(report.differences, BTreeSet::new());
    let explored = |program: &Program| {
        let instance = Instance::new(program, &[]).unwrap();
        let exploration = instance.explore(&Limits::default(), false, &mut |_| true);
        (format!("{:?}", exploration.outcome), exploration.states(), exploration.fired)
    };
    let by_option = explored(&program);
    assert_eq!(by_option, explored(&murphi::read(&by_hand(), &Options::default()).unwrap()));
    assert!(by_option.0 == "Complete" && by_option.1 > 500, "{by_option:?}");
    // Without it, the first comparison is an error.
    let without = explored(&murphi::read(UNEQUAL, &Options::default()).unwrap());
    assert!(without.0.contains("Fault"), "{without:?}");
}
