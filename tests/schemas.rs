//! The schemas in `docs/schema` are those of the types in `schema`, and what subcommands print for programs fits them, without
//! any other key. `PARAPROOF_UPDATE_DOCS=1` writes them.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test that cannot go on may panic; the fields are there to be described"
)]

mod schema;
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use schema::{Check, Diff, Find, Finding, Lint, Several, Simulate, Table, Trace, Verify, faults, schema_of};
use serde_json::Value;
use support::{paraproof, root};

/// The schemas by the names of their files.
fn schemas() -> [(&'static str, Value); 10] {
    [
        ("verify", schema_of::<Verify>()),
        ("verify-several", schema_of::<Several>()),
        ("find", schema_of::<Find>()),
        ("check", schema_of::<Check>()),
        ("simulate", schema_of::<Simulate>()),
        ("diff", schema_of::<Diff>()),
        ("finding", schema_of::<Finding>()),
        ("trace", schema_of::<Trace>()),
        ("lint", schema_of::<Lint>()),
        ("invariants", schema_of::<Table>()),
    ]
}

fn file(name: &str) -> PathBuf {
    root().join("docs/schema").join(format!("{name}.json"))
}

#[test]
fn the_schemas_are_those_of_the_types() {
    let mut files: Vec<PathBuf> = Vec::new();
    for (name, schema) in schemas() {
        let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
        if std::env::var_os("PARAPROOF_UPDATE_DOCS").is_some() {
            fs::create_dir_all(root().join("docs/schema")).unwrap();
            fs::write(file(name), &text).unwrap();
        }
        assert!(fs::read_to_string(file(name)).unwrap() == text, "{name}: PARAPROOF_UPDATE_DOCS=1 writes it");
        files.push(file(name));
    }
    let mut found: Vec<PathBuf> =
        fs::read_dir(root().join("docs/schema")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    found.sort();
    assert_eq!(found, files);
}

/// Panics where a value does not fit a schema.
fn validate(name: &str, value: &Value) {
    let schema: Value = serde_json::from_str(&fs::read_to_string(file(name)).unwrap()).unwrap();
    let errors = faults(&schema, value);
    assert!(errors.is_empty(), "{name}: {errors:#?}\n{value:#}");
}

/// Runs the command, and returns its exit code and the object that it prints, which fits the schema.
fn printed(schema: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = paraproof().args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
    validate(schema, &value);
    (output.status.code(), value)
}

#[test]
fn the_schemas_refuse_other_objects() {
    let (_, good) = printed("simulate", &["simulate", "-q", "--json", "models/mutualex.m"]);
    let schema: Value = serde_json::from_str(&fs::read_to_string(file("simulate")).unwrap()).unwrap();
    let is_valid = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        faults(&schema, &value).is_empty()
    };
    assert!(is_valid(&|_| {}));
    assert!(is_valid(&|value| value["peak_memory_bytes"] = Value::Null));
    let changes: [&dyn Fn(&mut Value); 5] = [
        &|value| value["another"] = 1.into(),
        &|value| value["states"] = Value::Null,
        &|value| value["states"] = "many".into(),
        &|value| value["verdict"] = "fine".into(),
        &|value| drop(value.as_object_mut().unwrap().remove("schema")),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert!(!is_valid(change), "change {number}");
    }
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
    let one = |arguments: &[&str]| printed("verify", &[&["verify", "-q", "--json"], arguments].concat());
    let out = folder.path().join("out");
    let (code, german) = one(&["models/german.m", "-o", out.to_str().unwrap()]);
    assert_eq!((code, german["invariants"].is_u64()), (Some(0), true));
    assert_eq!(one(&["models/burns.m"]).0, Some(0));
    assert_eq!(one(&["models/broken/german_eager_shared.m"]).0, Some(1));
    assert_eq!(one(&["models/flash.m", "--timeout", "30ms"]).0, Some(3));
    let certificate = out.join("certificate.json");
    let from = ["models/german_ctc.m", "--from", certificate.to_str().unwrap()];
    let earlier = one(&from).1["earlier"].clone();
    assert!(earlier["lost"].is_array() && earlier["invariants"] == german["invariants"], "{earlier}");
    let broken = folder.path().join("broken");
    assert_eq!(one(&["models/broken/german_eager_shared.m", "-o", broken.to_str().unwrap()]).0, Some(1));
    let trace = fs::read_to_string(broken.join("trace.json")).unwrap();
    validate("trace", &serde_json::from_str(&trace).unwrap());
    let (code, failing_verdict) = one(&[&failing]);
    assert!(code.is_some() && failing_verdict["runtime_errors"].as_array().is_some_and(|errors| !errors.is_empty()));
    verdicts_of_a_folder("tests/assumptions");
    let several = ["verify", "-q", "--json", "--expect", "models/broken", "models/cub", "none.m"];
    let (code, several) = printed("verify-several", &several);
    assert_eq!(code, Some(2));
    let models = several["models"].as_array().unwrap();
    assert!(models.len() > 50 && models.iter().any(|model| model["as_expected"] == true));
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_verdicts_of_traps_have_their_types() {
    verdicts_of_a_folder("tests/traps");
}

fn verdicts_of_a_folder(folder: &str) {
    let (_, several) = printed("verify-several", &["verify", "-q", "--json", "--timeout", "20s", folder]);
    assert!(several["models"].as_array().unwrap().len() > 3);
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
        assert_eq!(printed("find", &["find", "-q", "--json", model, "-o", out]).0, Some(code));
    }
    let check = ["check", "--json", "--model", "models/mutualex.m"];
    assert_eq!(printed("check", &[&check[..], &[&certificate]].concat()).0, Some(0));
    assert_eq!(printed("check", &[&check[..], &[&other]].concat()).0, Some(4));
    let parts = [path("part1"), path("part2")];
    for (part, number) in parts.iter().zip(["1/2", "2/2"]) {
        let shard = ["check", "--model", "models/mutualex.m", &certificate, "--shard", number, "-o", part];
        paraproof().args(shard).assert().code(0);
    }
    let merge = ["check", "--json", "--merge", &parts[0], &parts[1]];
    assert_eq!(printed("check", &merge).0, Some(0));
    for (model, code) in [("models/mutualex.m", 0), ("models/broken/mutualex_unguarded.m", 1), (failing.as_str(), 1)] {
        assert_eq!(printed("simulate", &["simulate", "-q", "--json", model]).0, Some(code), "{model}");
    }
    assert_eq!(printed("simulate", &["simulate", "-q", "--json", "models/german.m", "--max-states", "9"]).0, Some(3));
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
            validate("finding", &serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")));
        }
    }
}

#[test]
fn errors_and_differences_have_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = model(folder.path(), "wrong.m", "rule x := 1; end;");
    let nonsense = model(folder.path(), "nonsense.json", "nonsense");
    let certificate = folder.path().join("certificate.json").to_str().unwrap().to_owned();
    for model in [wrong.as_str(), "none.m"] {
        let runs: [(&str, &[&str]); 4] = [
            ("verify", &["verify", "-q", "--json", model]),
            ("find", &["find", "-q", "--json", model, "-o", &certificate]),
            ("check", &["check", "--json", &nonsense, "--model", model]),
            ("simulate", &["simulate", "-q", "--json", model]),
        ];
        for (schema, arguments) in runs {
            let (code, refused) = printed(schema, arguments);
            assert_eq!((code, refused["verdict"].as_str()), (Some(2), Some("refused")), "{arguments:?}");
            assert!(refused["reason"].as_str().is_some_and(|reason| reason.len() > 9), "{refused}");
        }
    }
    let check = ["check", "--json", &nonsense, "--model", "models/mutualex.m"];
    assert_eq!(printed("check", &check).0, Some(4));
    let models = ["diff", "--format", "json", "models/german.m", "models/broken/german_eager_shared.m"];
    let (code, diff) = printed("diff", &models);
    assert_eq!((code, diff["rules_changed"].as_array().is_some_and(|rules| !rules.is_empty())), (Some(1), true));
    let proof = |model: &str, name: &str| {
        let out = folder.path().join(name).to_str().unwrap().to_owned();
        paraproof().args(["find", "-q", model, "-o", &out]).assert().code(0);
        out
    };
    let proofs = [proof("models/german.m", "first.json"), proof("models/german_baukus.m", "second.json")];
    let between = ["diff", "--format", "json", &proofs[0], &proofs[1], "--model", "models/german.m"];
    let (code, diff) = printed("diff", &[&between[..], &["--second-model", "models/german_baukus.m"]].concat());
    assert_eq!((code, diff["same"].as_bool()), (Some(1), Some(false)));
}

/// Models whose tables have what is rare: numbers, sizes, multisets, orders, splits.
const VARIED: [&str; 6] = ["german", "german_pfs", "dijkstra", "counted_acks", "ticket", "fifo_msi"];

#[test]
fn systems_and_tables_have_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let mut models: Vec<PathBuf> = ["models", "models/cub", "tests/assumptions", "tests/traps"]
        .into_iter()
        .flat_map(|name| fs::read_dir(root().join(name)).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "m" || ending == "cub"))
        .collect();
    models.sort();
    let mut lowered = 0;
    for model in &models {
        let output = paraproof().args(["lint", "--json"]).arg(model).output().unwrap();
        if output.status.code() == Some(0) {
            validate("lint", &serde_json::from_slice(&output.stdout).unwrap());
            lowered += 1;
        }
    }
    assert!(lowered > 60, "{lowered} of {}", models.len());
    for name in VARIED {
        let out = folder.path().join(name);
        paraproof().args(["verify", "-q", &format!("models/{name}.m"), "-o"]).arg(&out).assert().code(0);
        let table: Value = serde_json::from_slice(&fs::read(out.join("invariants.json")).unwrap()).unwrap();
        assert_eq!(table["schema"], 2);
        validate("invariants", &table);
    }
}
