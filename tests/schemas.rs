//! The objects that subcommands print with `--json` have the types in `schema`, without any other key.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test that cannot go on may panic; the fields are there to be read"
)]

mod schema;
mod support;

use std::fs;
use std::path::Path;

use schema::{Check, Find, Finding, Several, Simulate, Verify};
use serde::de::DeserializeOwned;
use serde_json::Value;
use support::paraproof;

/// Runs the command, and returns what it prints as a value of the type, which has no key that the type does not name.
fn printed<T: DeserializeOwned>(arguments: &[&str]) -> (Option<i32>, T) {
    let output = paraproof().args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
    assert_eq!(value["schema"], 1, "{arguments:?}");
    let typed = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
    (output.status.code(), typed)
}

fn model(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Its second rule reads what is undefined.
const FAILING: &str = "var x, y : boolean;\nstartstate x := false; end;\nrule x := !x; end;\nrule x & y ==> x := y; end;\n\
    assume x | !x;\ninvariant \"fine\" x | !x;\nliveness x;\n";

#[test]
fn verdicts_have_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let failing = model(folder.path(), "failing.m", FAILING);
    let one = |arguments: &[&str]| printed::<Verify>(&[&["verify", "-q", "--json"], arguments].concat());
    let out = folder.path().join("out");
    let (code, german) = one(&["models/german.m", "-o", out.to_str().unwrap()]);
    assert_eq!((code, german.invariants.is_some()), (Some(0), true));
    assert_eq!(one(&["models/burns.m"]).0, Some(0));
    assert_eq!(one(&["models/broken/german_eager_shared.m"]).0, Some(1));
    assert_eq!(one(&["models/flash.m", "--timeout", "30ms"]).0, Some(3));
    let (code, failing_verdict) = one(&[&failing]);
    assert!(code.is_some() && failing_verdict.runtime_errors.is_some_and(|errors| !errors.is_empty()));
    for model in ["tests/traps", "tests/assumptions"] {
        let (_, several) = printed::<Several>(&["verify", "-q", "--json", "--timeout", "20s", model]);
        assert!(several.models.len() > 3);
    }
    let several = ["verify", "-q", "--json", "--expect", "models/broken", "models/cub", "none.m"];
    let (code, several) = printed::<Several>(&several);
    assert_eq!(code, Some(2));
    assert!(several.models.len() > 50 && several.models.iter().any(|model| model.as_expected == Some(true)));
}

#[test]
fn other_results_have_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let failing = model(folder.path(), "failing.m", FAILING);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (certificate, other) = (path("certificate.json"), path("other.json"));
    for (out, model, code) in [
        (&certificate, "models/mutualex.m", 0),
        (&other, "models/synapse.m", 0),
        (&path("none.json"), "models/broken/mutualex_unguarded.m", 1),
    ] {
        assert_eq!(printed::<Find>(&["find", "-q", "--json", model, "-o", out]).0, Some(code));
    }
    let check = ["check", "--json", "--model", "models/mutualex.m"];
    assert_eq!(printed::<Check>(&[&check[..], &[&certificate]].concat()).0, Some(0));
    assert_eq!(printed::<Check>(&[&check[..], &[&other]].concat()).0, Some(4));
    let parts = [path("part1"), path("part2")];
    for (part, number) in parts.iter().zip(["1/2", "2/2"]) {
        let shard = ["check", "--model", "models/mutualex.m", &certificate, "--shard", number, "-o", part];
        paraproof().args(shard).assert().code(0);
    }
    let merge = ["check", "--json", "--merge", &parts[0], &parts[1]];
    assert_eq!(printed::<Check>(&merge).0, Some(0));
    for (model, code) in [("models/mutualex.m", 0), ("models/broken/mutualex_unguarded.m", 1), (failing.as_str(), 1)] {
        assert_eq!(printed::<Simulate>(&["simulate", "-q", "--json", model]).0, Some(code), "{model}");
    }
    assert_eq!(printed::<Simulate>(&["simulate", "-q", "--json", "models/german.m", "--max-states", "9"]).0, Some(3));
}

#[test]
fn findings_have_their_type() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = model(
        folder.path(),
        "wrong.m",
        "type T : scalarset(2);\nvar a : array [T] of boolean;\n\
        ruleset i : T do startstate a[i] := fals; end; end;\ninvariant true\n",
    );
    let warned = model(
        folder.path(),
        "warned.m",
        "type T : scalarset(2);\nvar a : array [T] of boolean;\n\
        ruleset i : T do startstate a[i] := false; end; end;\nrule true ==> clear a; end;\ninvariant true;\n",
    );
    for path in [wrong, warned] {
        let output = paraproof().args(["lint", "--error-format", "json", &path]).output().unwrap();
        let lines = String::from_utf8(output.stderr).unwrap();
        assert!(!lines.is_empty());
        for line in lines.lines() {
            serde_json::from_str::<Finding>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        }
    }
}
