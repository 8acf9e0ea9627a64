//! What `verify --format` writes for CI services, and `explain-code`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;

use serde_json::{Value, json};
use support::paraproof;

const GOOD: &str = "models/mutualex.m";
const BROKEN: &str = "models/broken/mutualex_unguarded.m";

/// A model with an error on line 2, and one with a warning that has a fix, in a folder.
fn models() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let wrong = file("a, wrong.m", "var x : boolean;\nstartstate x := y; end;\ninvariant x;\n");
    let warned = file(
        "warned.m",
        "type T : scalarset(2);\nvar a : array [T] of boolean;\nruleset i : T do startstate a[i] := false; end; end;\n\
         ruleset i : T do rule a[i] := false; end; end;\ninvariant forall i : T do isundefined(a[i]) | !a[i] end;\n",
    );
    (folder, wrong, warned)
}

fn verify(format: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = paraproof().args(["verify", "-q", "--format", format]).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn github_gets_annotations_at_the_places() {
    let (_folder, wrong, _) = models();
    let (code, text, errors) = verify("github", &[GOOD, BROKEN, &wrong]);
    assert_eq!((code, errors.as_str()), (Some(2), ""));
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    let line = |number: usize, start: &str| assert!(commands[number].starts_with(start), "{}", commands[number]);
    line(0, "::notice file=models/mutualex.m,line=1,title=paraproof::proven for any number of NODE");
    line(1, "::warning file=models/broken/mutualex_unguarded.m,line=");
    line(2, "::error file=models/broken/mutualex_unguarded.m,line=");
    let property = fs::read_to_string(BROKEN).unwrap().lines().position(|line| line.contains("invariant")).unwrap() + 1;
    assert!(commands[2].contains(&format!("line={property},")), "{}", commands[2]);
    assert!(commands[2].contains("violated: 'MutualExclusion' after 4 steps%0A"), "{}", commands[2]);
    let file = wrong.replace(',', "%2C");
    line(3, &format!("::error file={file},line=2,col=17,endLine=2,endColumn=18,title=E"));
    line(4, &format!("::error file={file},line=1,title=paraproof::refused"));
    assert_eq!(commands.len(), 5);
    assert!(text.contains("3 models: 1 proven, 1 violated, 1 refused"), "{text}");
    // What is expected is no error.
    let (code, text, _) = verify("github", &[BROKEN, "--expect"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("::notice") && !text.contains("::error") && text.contains("as expected"), "{text}");
}

#[test]
fn sarif_has_findings_with_fixes_and_verdicts() {
    let (_folder, wrong, warned) = models();
    let (code, text, errors) = verify("sarif", &[BROKEN, &wrong, &warned]);
    assert_eq!((code, errors.as_str()), (Some(2), ""));
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    let results = run["results"].as_array().unwrap();
    let rules: Vec<&str> =
        run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert!(results.iter().all(|result| rules.contains(&result["ruleId"].as_str().unwrap())), "{rules:?}");
    let error = results.iter().find(|result| result["ruleId"].as_str().unwrap().starts_with('E')).unwrap();
    let place = &error["locations"][0]["physicalLocation"];
    assert_eq!(place["region"], json!({ "startLine": 2, "startColumn": 17, "endLine": 2, "endColumn": 18 }));
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("/a%2C%20wrong.m"));
    let fixed = results.iter().find(|result| result["ruleId"] == "W001").unwrap();
    let changes = &fixed["fixes"][0]["artifactChanges"][0];
    let inserted = changes["replacements"].as_array().unwrap().iter().map(|part| &part["insertedContent"]["text"]);
    assert!(inserted.clone().count() > 0 && inserted.clone().all(Value::is_string), "{changes}");
    let verdicts = results.iter().filter(|result| result["ruleId"] == "verdict");
    let verdicts: Vec<(&Value, &Value)> = verdicts.map(|result| (&result["kind"], &result["level"])).collect();
    let (fail, error) = (json!("fail"), json!("error"));
    assert_eq!(verdicts, [(&fail, &error), (&fail, &error), (&json!("pass"), &json!("none"))]);
}

#[test]
fn junit_has_a_test_for_each_model() {
    let (_folder, wrong, _) = models();
    let (code, text, errors) = verify("junit", &[GOOD, BROKEN, &wrong, "none.m"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("none.m: no such file"), "{errors}");
    let document = roxmltree::Document::parse(&text).unwrap();
    let suite = document.root_element().first_element_child().unwrap();
    let counts = ["tests", "failures", "errors"].map(|name| suite.attribute(name).unwrap());
    assert_eq!(counts, ["4", "1", "2"]);
    let cases: Vec<_> = suite.children().filter(roxmltree::Node::is_element).collect();
    let of = |number: usize| {
        let result = cases[number].first_element_child().unwrap();
        (result.tag_name().name(), result.attribute("type"), result.text().unwrap_or_default())
    };
    assert_eq!(cases[0].attribute("name"), Some(GOOD));
    assert_eq!(of(0), ("system-out", None, "proven for any number of NODE"));
    let (tag, kind, trace) = of(1);
    assert_eq!((tag, kind), ("failure", Some("violated")));
    assert!(trace.contains("Crit"), "{trace}");
    let (tag, kind, found) = of(2);
    assert_eq!((tag, kind), ("error", Some("refused")));
    assert!(found.contains(&format!("{wrong}:2:17: error[E")), "{found}");
    assert!(of(3).2.contains("none.m: no such file"));
}

#[test]
fn a_code_is_explained_by_its_section() {
    let output = paraproof().args(["explain-code", "l013"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    let page = fs::read_to_string("docs/diagnostics.md").unwrap();
    let (heading, rest) = text.split_once('\n').unwrap();
    assert!(heading.starts_with("L013: ") && page.contains(&format!("\n## {heading}\n{rest}")), "{text}");
    let output = paraproof().args(["explain-code", "L0013"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("did you mean `L"), "a code is near");
}

/// Runs the script of the action with these variables, and nothing else but the command in its path.
fn action(variables: &[(&str, &str)]) -> std::process::Output {
    let folder = assert_cmd::cargo::cargo_bin("paraproof").parent().unwrap().display().to_string();
    std::process::Command::new(support::root().join("scripts/ci-verify"))
        .current_dir(support::root())
        .env_clear()
        .env("PATH", format!("{folder}:/usr/bin:/bin"))
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

#[test]
fn the_action_verifies_what_its_inputs_name() {
    let manifest = fs::read_to_string("action.yml").unwrap();
    assert!(manifest.contains("\"$GITHUB_ACTION_PATH/scripts/ci-verify\""));
    for input in ["models", "options", "format", "report", "out"] {
        assert!(manifest.contains(&format!("\n  {input}:\n")), "{input} is no input");
        let variable = format!("{}: ${{{{ inputs.{input} }}}}", input.to_uppercase());
        assert!(manifest.contains(&variable), "{variable} is not passed");
    }
    let (folder, _, _) = models();
    let (out, report) = (folder.path().join("out"), folder.path().join("report.xml"));
    let out = ("OUT", out.to_str().unwrap());
    let models = format!("{GOOD}\n\n{BROKEN}\n");
    let output = action(&[("MODELS", &models), ("OPTIONS", "--quiet\n--timeout=1m\n"), ("FORMAT", "github"), out]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8(output.stdout).unwrap().contains("::error file=models/broken/mutualex_unguarded.m"));
    assert!(folder.path().join("out/mutualex/report.html").exists());
    let report = report.to_str().unwrap();
    let output = action(&[("MODELS", GOOD), ("OPTIONS", "--quiet"), ("FORMAT", "junit"), ("REPORT", report), out]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b""[..]));
    assert!(fs::read_to_string(report).unwrap().contains("<testsuite "));
}
