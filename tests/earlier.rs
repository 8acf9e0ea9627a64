//! Tests that the invariants of an earlier certificate, and those that a model offers, are tried first and never believed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{paraproof, root};

/// Runs `verify` with JSON, and returns its exit code and its object.
fn verify(arguments: &[&str]) -> (i32, Value) {
    let output = paraproof().args(["verify", "--quiet", "--json"]).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
    (output.status.code().unwrap(), value)
}

/// The text of a model, with one part replaced.
fn edited(model: &str, old: &str, new: &str) -> String {
    let text = fs::read_to_string(root().join(model)).unwrap();
    assert!(text.contains(old), "{model}: {old}");
    text.replace(old, new)
}

/// Whether the run searched at all.
fn searched(verdict: &Value) -> bool {
    verdict["oracle"]["states"] != 0 || verdict["search"]["cubes"] != 0
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn after_an_edit_that_keeps_the_proof_there_is_no_search() {
    let folder = tempfile::tempdir().unwrap();
    let (model, out) = (path(folder.path(), "flash.m"), path(folder.path(), "out"));
    fs::copy(root().join("models/flash.m"), &model).unwrap();
    let (code, first) = verify(&[&model, "-o", &out]);
    assert_eq!((code, searched(&first)), (0, true));
    assert!(first.get("earlier").is_none());
    // Stores are possible in fewer states than before.
    let (old, new) =
        ("rule \"Store\"\n    Cache[i].State = E", "rule \"Store a value\"\n    Cache[i].State = E & !Collecting");
    fs::write(&model, edited("models/flash.m", old, new)).unwrap();
    let (code, second) = verify(&[&model, "-o", &out]);
    assert_eq!((code, &second["verdict"], searched(&second)), (0, &"proven".into(), false), "{second}");
    let earlier = &second["earlier"];
    assert_eq!(earlier["invariants"], first["invariants"]);
    let (kept, all) = (earlier["kept"].as_u64().unwrap(), earlier["invariants"].as_u64().unwrap());
    let lost = earlier["lost"].as_array().unwrap().len() as u64;
    assert_eq!(kept, second["invariants"].as_u64().unwrap());
    assert!(kept + lost == all && lost * 20 < all, "{earlier}");
    let certificate = path(folder.path(), "out/certificate.json");
    paraproof().args(["check", &certificate, "--model", &model]).assert().code(0);
}

#[test]
fn a_model_that_was_not_changed_is_proven_as_if_there_were_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let (out, certificate) = (path(folder.path(), "out"), path(folder.path(), "out/certificate.json"));
    let run = |more: &[&str]| {
        let (code, verdict) = verify(&[&["models/german.m", "-o", &out], more].concat());
        assert_eq!(code, 0);
        (verdict.get("earlier").is_some(), fs::read(&certificate).unwrap())
    };
    let first = run(&[]);
    assert_eq!(run(&[]), first);
    assert_eq!(run(&["--anew"]), first);
    let copy = path(folder.path(), "copy.json");
    fs::copy(&certificate, &copy).unwrap();
    assert!(run(&["--from", &copy]).0);
}

#[test]
fn what_an_edit_breaks_is_violated_as_without_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = path(folder.path(), "certificate.json");
    for (model, broken) in [("flash", "flash_unmarked_request"), ("german", "german_eager_shared")] {
        let model = format!("models/{model}.m");
        paraproof().args(["find", "-q", &model, "-o", &certificate, "--anew"]).assert().code(0);
        let broken = format!("models/broken/{broken}.m");
        let (code, from) = verify(&[&broken, "--from", &certificate]);
        let (_, anew) = verify(&[&broken]);
        assert_eq!((code, &from["trace"]), (1, &anew["trace"]));
    }
}

#[test]
fn wrong_and_foreign_invariants_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = path(folder.path(), "certificate.json");
    paraproof().args(["find", "-q", "models/german.m", "-o", &certificate]).assert().code(0);
    let text = fs::read_to_string(&certificate).unwrap();
    let mut changed: Value = serde_json::from_str(&text).unwrap();
    let invariants = changed["invariants"].as_array_mut().unwrap();
    let all = invariants.len();
    assert!(all > 8);
    // Some are false now: without a literal, they exclude reachable states. Some are gone.
    for invariant in &mut invariants[1..4] {
        invariant["literals"].as_array_mut().unwrap().truncate(1);
    }
    let foreign = serde_json::json!([["nowhere"], "=", "true"]);
    invariants[0]["literals"].as_array_mut().unwrap().push(foreign);
    invariants.truncate(all - 3);
    fs::write(&certificate, changed.to_string()).unwrap();
    let out = path(folder.path(), "out");
    let (code, verdict) = verify(&["models/german.m", "--from", &certificate, "-o", &out]);
    assert_eq!((code, &verdict["verdict"], searched(&verdict)), (0, &"proven".into(), true));
    let lost = verdict["earlier"]["lost"].as_array().unwrap();
    let foreign = lost.iter().find(|lost| lost["number"] == 0).unwrap();
    assert_eq!(foreign["name"], "there is no state variable \"nowhere\"");
    assert!(verdict["earlier"]["kept"].as_u64().unwrap() > 0, "{verdict}");
    let (written, model) = (path(folder.path(), "out/certificate.json"), "models/german.m");
    paraproof().args(["check", &written, "--model", model]).assert().code(0);
    // Another protocol's invariants are of no use, and do no harm.
    let (code, verdict) = verify(&["models/flash_nodata.m", "--from", &certificate]);
    assert_eq!((code, &verdict["earlier"]["kept"]), (0, &0.into()));
}

#[test]
fn a_certificate_that_is_asked_for_has_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "out");
    fs::create_dir(&out).unwrap();
    let nonsense = path(folder.path(), "out/certificate.json");
    fs::write(&nonsense, "nonsense").unwrap();
    let run = paraproof().args(["verify", "-q", "models/mutualex.m", "--from", &nonsense]).assert().code(2);
    let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(error.contains("certificate.json: line 1, column 2"), "{error}");
    paraproof().args(["verify", "-q", "models/mutualex.m", "--from", "none.json"]).assert().code(2);
    // One that happens to lie there does not matter.
    assert_eq!(verify(&["models/mutualex.m", "-o", &out]).0, 0);
}

#[test]
fn candidates_of_a_cubicle_model_are_proven_or_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let model = path(folder.path(), "candidates.cub");
    let text = "type state = Idle | Waiting | Inside\narray S[proc] : state\nvar Taken : bool\n\
        init (p) { S[p] = Idle && Taken = False }\nunsafe (p q) { S[p] = Inside && S[q] = Inside }\n";
    let rules = "transition ask (p) requires { S[p] = Idle } { S[p] := Waiting }\n\
        transition enter (p) requires { S[p] = Waiting && Taken = False } { S[p] := Inside; Taken := True }\n\
        transition leave (p) requires { S[p] = Inside } { S[p] := Idle; Taken := False }\n";
    let run = |candidates: &str| {
        fs::write(&model, format!("{text}{candidates}{rules}")).unwrap();
        verify(&[&model])
    };
    let (code, verdict) = run("invariant (p) { S[p] = Inside && Taken = False }\n");
    assert_eq!((code, searched(&verdict)), (0, false), "{verdict}");
    assert_eq!(verdict["candidates"], serde_json::json!({ "tried": 1, "proven": 1 }));
    // The first is false initially, and the second after two steps.
    let wrong = "invariant (p) { S[p] = Idle }\ninvariant (p) { S[p] = Inside }\n";
    let (code, verdict) = run(wrong);
    assert_eq!((code, searched(&verdict)), (0, true), "{verdict}");
    assert_eq!(verdict["candidates"], serde_json::json!({ "tried": 2, "proven": 0 }));
    // A property is not proven because a candidate says the same.
    fs::write(
        &model,
        format!("{text}invariant (p q) {{ S[p] = Inside && S[q] = Inside }}\n{rules}")
            .replace(" && Taken = False } {", " } {"),
    )
    .unwrap();
    assert_eq!(verify(&[&model]).0, 1);
}

/// The normal form of a cube with many variables takes too long for what is only a guess: neither a model nor a certificate may
/// cost the verdict that there is without it.
#[test]
fn candidates_about_too_many_elements_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let model = path(folder.path(), "many.cub");
    let names = |count: usize| (0..count).map(|number| format!("p{number}")).collect::<Vec<_>>();
    let all = |names: &[String]| names.iter().map(|name| format!("On[{name}] = True")).collect::<Vec<_>>().join(" && ");
    let text = |count: usize| {
        let names = names(count);
        format!(
            "array On[proc] : bool\nvar Free : bool\ninit (p) {{ On[p] = False && Free = True }}\n\
             unsafe (p q) {{ On[p] = True && On[q] = True }}\ninvariant ({}) {{ {} }}\n\
             transition on (p) requires {{ Free = True }} {{ On[p] := True; Free := False }}\n",
            names.join(" "),
            all(&names)
        )
    };
    for (count, candidates) in [(8, serde_json::json!({ "tried": 1, "proven": 1 })), (20, Value::Null)] {
        fs::write(&model, text(count)).unwrap();
        let (code, verdict) = verify(&[&model, "--timeout", "60s"]);
        assert_eq!((code, &verdict["candidates"]), (0, &candidates), "{verdict}");
    }
    let certificate = path(folder.path(), "certificate.json");
    paraproof().args(["find", "-q", "models/mutualex.m", "-o", &certificate]).assert().code(0);
    let mut object: Value = serde_json::from_str(&fs::read_to_string(&certificate).unwrap()).unwrap();
    let literals: Vec<Value> = (0..20).map(|number| serde_json::json!([["n[]", number], "=", "C"])).collect();
    let invariant = &mut object["invariants"][0];
    (invariant["variables"], invariant["literals"]) = (vec!["NODE"; 20].into(), literals.into());
    fs::write(&certificate, object.to_string()).unwrap();
    let (code, verdict) = verify(&["models/mutualex.m", "--from", &certificate, "--timeout", "60s"]);
    assert_eq!(code, 0, "{verdict}");
    let lost = verdict["earlier"]["lost"].as_array().unwrap();
    assert!(lost.iter().any(|entry| entry["name"] == "it is about more than 8 elements"), "{verdict}");
}
