//! `lint --fix`: a startstate that sets one element for each value of a ruleset's parameter becomes one that sets all.

#![allow(clippy::unwrap_used, reason = "a failure of a test is a panic")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{models, paraproof};

/// Returns the model that `lint --fix` writes, and what it says.
fn fixed(text: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    fs::write(&path, text).unwrap();
    let output = paraproof().args(["lint", "--fix"]).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}{output:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "the model itself was changed");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn simulated(path: &Path, nodes: u32) -> Value {
    let setting = format!("NODE_NUM={nodes}");
    let mut command = paraproof();
    command.arg("simulate").arg(path).args(["-q", "--json", "--no-symmetry", "-D", &setting]);
    serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
}

/// Rewrites a startstate with one loop over all nodes, without the loop and with a ruleset around it.
fn as_a_ruleset(text: &str) -> Option<String> {
    let start = text.find("startstate \"Init\"\n  for i : NODE do\n")?;
    let end = start + text[start..].find("endstartstate;")? + "endstartstate;".len();
    let startstate = &text[start..end];
    // A procedure may do anything, so that its call is not repeated.
    if startstate.matches("\n  for ").count() != 1 || startstate.contains("ruleset") || startstate.contains('(') {
        return None;
    }
    let without = startstate.replacen("  for i : NODE do\n", "", 1).replacen("\n  endfor;", "", 1);
    Some(format!("{}ruleset i : NODE do\n{without}\nendruleset;{}", &text[..start], &text[end..]))
}

#[test]
fn our_models_in_the_wrong_style_get_their_states_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    let mut rewritten = 0;
    for header in models("") {
        let text = fs::read_to_string(&header.path).unwrap();
        let Some(wrong) = as_a_ruleset(&text) else { continue };
        let (right, said) = fixed(&wrong);
        assert!(said.contains("1 change made"), "{}: {said}", header.name());
        fs::write(&path, &right).unwrap();
        for nodes in [2, 3] {
            let small = header
                .states
                .iter()
                .any(|(settings, states)| *settings == [format!("NODE_NUM={nodes}")] && *states < 5_000);
            if small {
                let (found, expected) = (simulated(&path, nodes), simulated(&header.path, nodes));
                assert_eq!(found["states"], expected["states"], "{} with {nodes} nodes: {right}", header.name());
                assert_eq!(found["verdict"], "holds", "{}", header.name());
            }
        }
        rewritten += 1;
    }
    assert!(rewritten >= 10, "{rewritten} models");
}

const HEAD: &str = "const N : 2;\ntype node : scalarset(N); data : scalarset(2);\n\
    var a : array [node] of boolean; b : array [node] of array [data] of 0 .. 1; p : node; n : 0 .. N; m : data;\n";

/// What is written, the part that replaces it, and the part that goes.
const CASES: [(&str, &str, &str); 8] = [
    // Nested rulesets, and a loop over the same name.
    (
        "ruleset i : node do\n  ruleset d : data do\n    startstate \"Init\"\n      for i : node do a[i] := false; end;\n      \
         b[i][d] := 0;\n    end;\n  end;\nend;\n",
        "startstate \"Init\"\n  for i : node do\n    for d : data do\n      for i : node do a[i] := false; end;\n      \
         b[i][d] := 0;\n    endfor;\n  endfor;\nend;\n",
        "ruleset",
    ),
    // A declaration, `begin`, a comment behind the last statement, and no semicolon.
    (
        "ruleset i : node do startstate var l : 0 .. 1; begin l := 0; a[i] := l = 0 -- comment\nend end\n",
        "startstate var l : 0 .. 1; begin\n  for i : node do\n    l := 0; a[i] := l = 0 -- comment\n  endfor;\nend\n",
        "ruleset",
    ),
    // One on its own line, with `begin`.
    (
        "ruleset i : node do\n  startstate\n  begin\n    a[i] := true;\n  endstartstate;\nendruleset;\n",
        "startstate\nbegin\n  for i : node do\n    a[i] := true;\n  endfor;\nendstartstate;\n",
        "ruleset",
    ),
    // Another parameter is a value, and stays.
    (
        "ruleset i : node; d : data do\nstartstate\n  a[i] := false;\n  m := d;\nend;\nend;\n",
        "ruleset d : data do\nstartstate\n  for i : node do\n    a[i] := false;\n    m := d;\n  endfor;\nend\nendruleset;\n",
        "i : node; d",
    ),
    // A rule in the same ruleset.
    (
        "ruleset i : node do\n  startstate\n    a[i] := false;\n  end;\n  rule \"r\" a[i] ==> a[i] := false; end;\nend;\n",
        "startstate\n  for i : node do\n    a[i] := false;\n  endfor;\nend;\n\nruleset i : node do\n",
        "ruleset i : node do\n  startstate",
    ),
    // Two startstates in one ruleset.
    (
        "ruleset i : node do\n  startstate \"x\" a[i] := false; end;\n  startstate \"y\" a[i] := true; end;\nend;\n",
        "  for i : node do\n    a[i] := true;\n  endfor;\nend;\n",
        "startstate \"x\" a",
    ),
    // Numbers, and a range as the type.
    (
        "ruleset i : node; k : 1 .. 2 do\nstartstate\n  a[i] := k = 1;\nend;\nend;\n",
        "ruleset k : 1 .. 2 do\nstartstate\n  for i : node do\n    a[i] := k = 1;\n",
        "i : node; k",
    ),
    // Conditions of its own.
    (
        "ruleset i : node do startstate if p = i then a[i] := true; else a[i] := false; end; end; end;\n",
        "  for i : node do\n    if p = i then a[i] := true; else a[i] := false; end;\n  endfor;\n",
        "ruleset",
    ),
];

#[test]
fn parameters_become_loops_inside() {
    for (wrong, right, gone) in CASES {
        let (text, said) = fixed(&format!("{HEAD}{wrong}rule a[p] ==> n := 0; end;\n"));
        assert!(text.contains(right) && !text.contains(gone), "{wrong}{said}{text}");
        assert!(text.starts_with(HEAD) && text.ends_with("rule a[p] ==> n := 0; end;\n"), "{text}");
    }
}

#[test]
fn what_a_loop_could_change_is_left_to_the_author() {
    let cases = [
        // Which node is first is chosen.
        "p := i; a[i] := true;",
        // Repeated, it counts.
        "n := n + 1; a[i] := true;",
        "a[i] := true; if p = i then n := 1; end;",
        "a[i] := true; while n = 0 do n := 1; end;",
        "a[i] := true; assert n = 0;",
        "a[i] := true; set(i);",
    ];
    for body in cases {
        let text = format!(
            "{HEAD}procedure set(j : node); begin p := j; end;\nruleset i : node do startstate {body} end; end;\n\
             rule a[p] ==> n := 0; end;\n"
        );
        let (same, said) = fixed(&text);
        assert!(same == text && said.contains("0 changes made"), "{said}{same}");
    }
}

#[test]
fn the_change_is_part_of_the_warning() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("model.m"), folder.path().join("fixed.m"));
    let text = format!("{HEAD}ruleset i : node do startstate a[i] := true; end; end;\nrule a[p] ==> n := 0; end;\n");
    fs::write(&path, &text).unwrap();
    let output = paraproof().args(["lint", "--json"]).arg(&path).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let warnings = json["warnings"].as_array().unwrap();
    let warning = warnings.iter().find(|warning| warning["code"] == "W001").unwrap();
    let part = &warning["replacements"][0];
    let at = |key: &str| usize::try_from(part[key].as_u64().unwrap()).unwrap();
    let replaced = format!("{}{}{}", &text[..at("start")], part["text"].as_str().unwrap(), &text[at("end")..]);
    assert_eq!(replaced, fixed(&text).0);
    assert_eq!(part["line"], 4);
    let shown = String::from_utf8(paraproof().arg("lint").arg(&path).output().unwrap().stderr).unwrap();
    assert!(shown.contains("write instead") && shown.contains("for i : node do"), "{shown}");
    // With `-o`, a file; the model itself only if it is named.
    paraproof().args(["lint", "--fix"]).arg(&path).arg("-o").arg(&out).assert().code(0).stdout("");
    assert_eq!((fs::read_to_string(&out).unwrap(), fs::read_to_string(&path).unwrap()), (replaced.clone(), text));
    paraproof().args(["lint", "--fix"]).arg(&path).arg("-o").arg(&path).assert().code(0);
    assert_eq!(fs::read_to_string(&path).unwrap(), replaced);
    paraproof().args(["lint", "--fix", "--json"]).arg(&path).assert().code(2);
    paraproof().args(["lint", "-o", "x"]).arg(&path).assert().code(2);
}

#[test]
fn a_run_that_reads_what_a_startstate_leaves_undefined_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    let rest = "rule true ==> a[p] := true; end;\ninvariant \"one\" forall i : node do a[i] -> i = p end;\n";
    let cases = [
        (
            "ruleset i : node do startstate a[i] := false; p := i; end; end;",
            "the startstate 'startstate at line 4' (line 4) leaves `a[node_2]` undefined: each value of `i` gives",
        ),
        (
            "startstate \"S\" for i : node do a[i] := false; end; end;\nrule isundefined(p) ==> undefine p; end;",
            "the startstate 'S' (line 4) leaves `p` undefined: set all of it there",
        ),
        (
            "startstate \"S\" for i : node do a[i] := false; end; end;",
            "nothing writes `p`: set it in the startstate 'S' (line 4)",
        ),
    ];
    for (startstate, help) in cases {
        fs::write(&path, format!("{HEAD}{startstate}\n{rest}")).unwrap();
        let simulated = paraproof().args(["simulate", "-q"]).arg(&path).output().unwrap();
        let verified = paraproof().args(["verify", "-q"]).arg(&path).output().unwrap();
        let (errors, text) = (String::from_utf8_lossy(&simulated.stderr), String::from_utf8_lossy(&verified.stdout));
        assert!(errors.contains("an undefined value is read") && errors.contains(help), "{errors}");
        assert!(text.contains("an undefined value is read") && text.contains(help), "{text}");
        assert_eq!(simulated.status.code(), Some(1), "{errors}");
    }
}
