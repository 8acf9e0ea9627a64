//! Tests which variables set once in the startstate become named elements.

#![allow(clippy::unwrap_used, reason = "it is a test")]

use murphi::lower::{LowerOptions, lower};
use murphi::{Options, read};

/// Returns the named elements of a model in which the given functions and rule use `Home`.
fn named(functions: &str, rule: &str) -> Vec<String> {
    let text = format!(
        "type N : scalarset(3); var Home : N; a : array [N] of boolean; {functions} \
         ruleset h : N do startstate begin Home := h; for i : N do a[i] := false; end; end; end; \
         ruleset i : N do rule {rule} end; end; invariant true;"
    );
    let program = read(&text, &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    // A model that is not lowered has no named elements either.
    let named = lower(&program, &LowerOptions::default()).map(|lowered| lowered.system.named).unwrap_or_default();
    named.into_iter().map(|named| named.name).collect()
}

#[test]
fn a_home_that_is_passed_by_value_becomes_a_named_element() {
    let procedure = "procedure mark(n : N); begin a[n] := true; end;";
    assert_eq!(named(procedure, "i != Home ==> begin mark(Home);"), ["Home"]);
    let function = "function marked(n : N) : boolean; begin return a[n]; end;";
    assert_eq!(named(function, "marked(Home) ==> begin a[i] := true;"), ["Home"]);
}

#[test]
fn a_home_that_something_may_write_stays_a_variable() {
    assert!(named("", "a[i] ==> begin Home := i;").is_empty());
    let procedure = "procedure move(var n : N; other : N); begin n := other; end;";
    assert!(named(procedure, "a[i] ==> begin move(Home, i);").is_empty());
    let function = "function moved(var n : N; other : N) : boolean; begin n := other; return true; end;";
    assert!(named(function, "a[i] ==> begin if moved(Home, i) then a[i] := false; end;").is_empty());
    assert!(named(function, "a[i] ==> begin switch moved(Home, i) case true: a[i] := false; end;").is_empty());
    assert!(named("", "a[i] ==> begin alias h : Home do h := i; end;").is_empty());
}
