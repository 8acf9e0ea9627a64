//! Tests the command as a program: usage, invalid inputs, and what it says about each model.

mod support;

use std::fs;

use serde_json::Value;
use support::{models, paraproof};

#[test]
fn usage_errors_and_help_have_their_codes() {
    paraproof().assert().code(2);
    paraproof().arg("--help").assert().code(0);
    paraproof().arg("--version").assert().code(0);
    paraproof().arg("frobnicate").assert().code(2);
    paraproof().args(["lint"]).assert().code(2);
    paraproof().args(["lint", "models/german.m", "-D", "N"]).assert().code(2);
    paraproof().args(["lint", "models/german.m", "-D", "NO_SUCH_CONSTANT=3"]).assert().code(2);
}

#[test]
fn what_is_no_model_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let cases = [
        (folder.path().join("none.m"), "no such file"),
        (folder.path().to_owned(), "is a directory"),
        (file("empty.m", b""), "is empty"),
        (file("binary.m", b"\x7fELF\x02\x00\x01"), "is not a text file"),
    ];
    for (path, expected) in cases {
        let output = paraproof().arg("lint").arg(&path).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(expected), "{errors}");
        assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn errors_in_a_model_are_shown_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    fs::write(&path, "var x : boolean;\nstartstate x := y; end;\nrule z ==> x := true; end;\ninvariant x;\n").unwrap();
    let output = paraproof().arg("lint").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    for part in ["model.m:2:17", "model.m:3:6", "startstate x := y; end;", "error["] {
        assert!(errors.contains(part), "{part} is not in\n{errors}");
    }
    let output = paraproof().arg("lint").arg(&path).args(["--error-format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    let objects: Vec<Value> = errors.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!((&objects[0]["line"], &objects[0]["column"]), (&2.into(), &17.into()));
    assert!(objects.iter().all(|object| object["severity"] == "error" && object["code"].is_string()));
}

/// Models without a type of any size: the proof is for the size in the file.
const FIXED: [&str; 3] = ["cxl_cache_two", "peterson", "peterson_turn_first"];

#[test]
fn every_model_is_lowered_as_its_header_says() {
    for header in models("").into_iter().chain(models("broken")) {
        let output = paraproof().arg("lint").arg(&header.path).arg("--json").output().unwrap();
        let name = header.name();
        assert_eq!(output.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let system: Value = serde_json::from_slice(&output.stdout).unwrap();
        let rules = system["rules"].as_array().unwrap();
        let mut written: Vec<u64> = rules.iter().map(|rule| rule["source"].as_u64().unwrap()).collect();
        written.dedup();
        let properties = system["properties"].as_array().unwrap();
        let stated = properties.iter().filter(|property| property["kind"] == "invariant").count() as u64;
        assert_eq!((written.len() as u64, stated), (header.rules, header.properties), "{name}");
        let parameterized = system["index_types"].as_array().is_some_and(|types| !types.is_empty());
        assert_eq!(parameterized, !FIXED.contains(&name.as_str()), "{name}");
        paraproof().arg("lint").arg(&header.path).assert().code(0);
    }
}

#[test]
fn lint_tells_what_never_happens_in_the_instance() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    let text = "type NODE : scalarset(2);\n\
        var a : array [NODE] of 0 .. 2; b : array [boolean] of boolean;\n\
        startstate for i : NODE do a[i] := 0; end; b[true] := false; end;\n\
        ruleset i : NODE do\n\
        rule \"up\" a[i] = 0 ==> a[i] := 1; b[false] := b[true]; end;\n\
        rule \"never\" a[i] = 2 ==> a[i] := 0; end;\n\
        end;\n\
        invariant \"empty\" forall i : NODE do a[i] = 2 -> b[true] end;\n\
        invariant \"nothing\" forall i : NODE do !(a[i] = 2 & b[true]) end;\n\
        invariant \"something\" forall i : NODE do a[i] = 1 -> !b[false] end;\n";
    std::fs::write(&path, text).unwrap();
    let output = paraproof().arg("lint").arg(&path).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let notes: Vec<&str> =
        said.lines().filter(|line| line.contains("instance") || line.contains("vacuously")).collect();
    let expected = [
        "note, line 6: `never` never fires in the instance (3 states)",
        "note, line 8: `empty` holds vacuously: its premise is false in all 3 states",
        "note, line 9: `nothing` holds vacuously: its premise is false in all 3 states",
    ];
    assert_eq!(notes, expected, "{said}");
    assert!(said.contains("note, line 3: this startstate leaves `b[false]` undefined"), "{said}");
    // If it cannot search for something, it says so.
    for (model, reason) in [("models/flash_home.m", "50000 states"), ("models/broken/mutualex_unguarded.m", "violated")]
    {
        let output = paraproof().arg("lint").arg(model).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let told = said.lines().any(|line| line.contains("are not looked for") && line.contains(reason));
        assert!(told, "{model}: {said}");
    }
}

#[test]
fn a_violation_that_needs_more_elements_than_the_model_has_is_told_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.m");
    let text = "const N : 2;\ntype NODE : scalarset(N);\nvar up : array [NODE] of boolean; bad : boolean;\n\
        startstate for i : NODE do up[i] := false; end; bad := false; end;\n\
        ruleset i : NODE do rule \"Up\" !up[i] ==> up[i] := true; end; end;\n\
        ruleset i : NODE; j : NODE; k : NODE do\n\
        rule \"Fall\" i != j & j != k & i != k & up[i] & up[j] ==> bad := true; end; end;\n\
        invariant \"good\" !bad;\n";
    fs::write(&path, text).unwrap();
    paraproof().arg("simulate").arg(&path).arg("-q").assert().code(0);
    let output = paraproof().arg("verify").arg(&path).arg("-q").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("the model's own instance is too small to show it; it needs NODE = 3, where the model has 2")
    );
    // With three elements there is nothing to say about sizes.
    let output = paraproof().arg("verify").arg(&path).args(["-q", "-D", "N=3"]).output().unwrap();
    assert!(!String::from_utf8(output.stdout).unwrap().contains("too small"));
}

#[test]
fn a_model_without_a_property_has_no_figures_of_an_oracle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.m");
    fs::write(&path, "var x : boolean;\nstartstate x := false; end;\nrule x := !x; end;\n").unwrap();
    let output = paraproof().arg("verify").arg(&path).arg("-q").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        said.contains("inconclusive: nothing is proven: the model states no property\n  1 rule, 0 properties\n"),
        "{said}"
    );
    assert!(!said.contains("oracle"), "{said}");
}

/// `lint` shows the warnings; the more common commands mention that there are some.
#[test]
fn verify_find_and_simulate_say_that_there_are_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("warned.m");
    let text = "var x, unused : boolean;\nstartstate x := false; unused := false; end;\n\
        rule x := !x; end;\ninvariant x | !x;\n";
    fs::write(&path, text).unwrap();
    let run = |arguments: &[&str]| {
        let output = paraproof().args(arguments).arg(&path).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let codes: Vec<String> = {
        let lines = run(&["lint", "--error-format", "json"]).1;
        lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["code"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(!codes.is_empty());
    let certificate = folder.path().join("certificate.json");
    let find = ["find", "-q", "-o", certificate.to_str().unwrap()];
    for arguments in [&["verify", "-q"][..], &["simulate", "-q"], &find] {
        let errors = run(arguments).1;
        assert_eq!(errors.trim_end().lines().count(), 1, "{arguments:?}: {errors}");
        assert!(
            errors.contains("warning") && errors.contains(&codes[0]) && errors.contains("`paraproof lint`"),
            "{errors}"
        );
        let json = run(&[arguments, &["--error-format", "json"]].concat()).1;
        assert_eq!(json.lines().count(), codes.len(), "{arguments:?}: {json}");
    }
    let summary: Value = serde_json::from_str(&run(&["verify", "-q", "--json"]).0).unwrap();
    assert_eq!(summary["warnings"], codes.len());
    fs::write(&path, text.replace("unused", "used").replace("!x; end", "!used; used := x; end")).unwrap();
    assert_eq!(run(&["verify", "-q"]).1, "");
}
