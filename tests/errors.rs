//! Every command with every kind of bad input: the exit code, a stable code in the findings, and outputs left
//! unchanged.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::paraproof;

/// Runs a command on a model. `CERT` and `OUT` are replaced by a certificate and an output, and the model comes last.
fn run(folder: &Path, command: &str, model: &Path, more: &[&str]) -> (Option<i32>, String) {
    let place = |word: &str| match word {
        "CERT" => folder.join("certificate.json").into_os_string(),
        "OUT" => folder.join("out").into_os_string(),
        other => other.into(),
    };
    let output = paraproof().args(command.split(' ').map(place)).arg(model).args(more).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

const COMMANDS: [&str; 11] = [
    "lint",
    "verify -q -o OUT",
    "find -q -o OUT/new.json",
    "simulate -q",
    "check CERT --model",
    "emit isabelle CERT -o OUT --model",
    "emit table CERT -o OUT --model",
    "emit cmp CERT -o OUT --model",
    "emit report CERT -o OUT --model",
    "explain CERT --invariant 0 --model",
    "diff models/german.m",
];

#[test]
fn every_command_refuses_what_is_no_model_and_leaves_outputs_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut find = paraproof();
    find.args(["find", "models/german.m", "-q", "-o"]).arg(folder.join("certificate.json")).assert().code(0);
    fs::create_dir(folder.join("out")).unwrap();
    fs::write(folder.join("out/report.html"), "of an earlier run").unwrap();
    let cases: [(&str, &[u8], &str); 4] = [
        ("encoding.m", b"\xff\xfe var", "P011"),
        ("syntax.m", b"var x :\nstartstate end", "P001"),
        ("type.m", b"var x : boolean;\nstartstate x := y; end;\n", "E018"),
        ("missing.m", b"", "no such file"),
    ];
    for (name, bytes, code) in cases {
        let model = folder.join(name);
        if !bytes.is_empty() {
            fs::write(&model, bytes).unwrap();
        }
        for command in COMMANDS {
            let (exit, text) = run(folder, command, &model, &[]);
            assert_eq!(exit, Some(2), "{command} {name}: {text}");
            assert!(text.contains(code) && text.contains(name), "{command} {name}: {text}");
            if !bytes.is_empty() {
                let (exit, lines) = run(folder, command, &model, &["--error-format", "json"]);
                assert_eq!(exit, Some(2), "{command} {name}: {lines}");
                let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
                assert_eq!((first["code"].as_str(), first["line"].is_u64()), (Some(code), true), "{command}: {first}");
            }
            let left: Vec<_> = fs::read_dir(folder.join("out")).unwrap().map(|one| one.unwrap().file_name()).collect();
            assert_eq!(left, ["report.html"], "{command} {name}");
        }
    }
    // A certificate for another model is rejected, not misread.
    for command in COMMANDS.iter().filter(|command| command.contains("CERT")) {
        let (exit, text) = run(folder, command, Path::new("models/mesi.m"), &[]);
        assert_eq!(exit, Some(4), "{command}: {text}");
        assert!(!folder.join("out/invariants.md").exists(), "{command}");
    }
    assert_eq!(fs::read_to_string(folder.join("out/report.html")).unwrap(), "of an earlier run");
}

#[test]
fn an_error_at_run_time_is_shown_at_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("late.m");
    let text =
        "type R : 0 .. 2; var x : R;\nstartstate x := 2;\n  x := x + 1; end;\nrule x := 0; end;\ninvariant x = 0;\n";
    fs::write(&model, text).unwrap();
    let (exit, text) = run(folder.path(), "simulate -q", &model, &[]);
    assert_eq!(exit, Some(1), "{text}");
    assert!(text.contains("error[R001]: the value 3 is outside") && text.contains("late.m:3:"), "{text}");
    // For the proof an error ends the execution; it is reported once.
    let (exit, text) = run(folder.path(), "verify -q", &model, &[]);
    assert_eq!(exit, Some(0), "{text}");
    assert_eq!(text.matches("warning[R001]: the value 3 is outside").count(), 1, "{text}");
    assert!(text.contains("late.m:3:"), "{text}");
}

/// Settings that the model does not use are mistakes in every command, and the message suggests what was meant.
#[test]
fn settings_of_the_wrong_kind_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("certificate.json"), "{}").unwrap();
    let model = folder.join("settings.m");
    let text = "const NODE_NUM : 3; FAST : true;\ntype NODE : scalarset(NODE_NUM); R : 0 .. 3;\n\
                var a : array [NODE] of boolean; r : R;\nstartstate clear a; r := FAST ? 0 : 1; end;\n\
                ruleset n : NODE do rule a[n] := true; end; end;\ninvariant r <= 1;\n";
    fs::write(&model, text).unwrap();
    let cases = [
        ("-D NODE_NUM=true", "the constant `NODE_NUM` is a number, and cannot be set to true", "`-D NODE_NUM=3`"),
        ("-D FAST=1", "the constant `FAST` is a truth value, and cannot be set to 1", "`-D FAST=true`"),
        ("-D NODE_NUMB=3", "the model has no constant `NODE_NUMB`", "did you mean `NODE_NUM`?"),
        ("-D NODE=2", "settings.m:1:7\n", "did you mean `NODE_NUM`?"),
        ("-D SIZE=3", "the model has no constant `SIZE`", "its constants are FAST, NODE_NUM"),
        ("-D NODE_NUM=x", "is not a whole number", "`true` or `false`"),
        ("--index-type FOO", "--index-type FOO: there is no such type", "NODE, R, boolean"),
        ("--index-type NDOE", "there is no such type; did you mean `NODE`?", "NODE, R, boolean"),
        ("--finite-type FOO", "--finite-type FOO: there is no such type", "NODE, R, boolean"),
    ];
    for command in COMMANDS.iter().filter(|command| !command.starts_with("diff")) {
        for (setting, message, help) in cases {
            let (exit, text) = run(folder, command, &model, &setting.split(' ').collect::<Vec<_>>());
            assert_eq!(exit, Some(2), "{command} {setting}: {text}");
            assert!(text.contains(message) && text.contains(help), "{command} {setting}: {text}");
        }
    }
    let sizes = [
        ("--oracle-size FOO=2", "there is no such index type; the model's index types are: NODE"),
        ("--oracle-size NDOE=2", "there is no such index type; did you mean `NODE`? the model's index types are: NODE"),
        ("--oracle-size NODE=0", "an instance has between 1 and 255 elements of a type"),
        ("--oracle-size NODE=99999", "an instance has between 1 and 255 elements of a type"),
    ];
    for command in COMMANDS.iter().filter(|command| command.starts_with("verify") || command.starts_with("find")) {
        for (setting, message) in sizes {
            let (exit, text) = run(folder, command, &model, &setting.split(' ').collect::<Vec<_>>());
            assert_eq!(exit, Some(2), "{command} {setting}: {text}");
            assert!(text.contains(message), "{command} {setting}: {text}");
        }
    }
    // Correct settings are accepted.
    let (exit, text) = run(folder, "lint", &model, &["-D", "FAST=false", "-D", "NODE_NUM=2"]);
    assert_eq!(exit, Some(0), "{text}");
}

/// Habits from other languages: an error each, with its cure, and no others because of it.
#[test]
fn habits_from_other_languages_are_one_error_each() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("habits.m");
    let text = "type NODE : scalarset(3); var x : boolean; a : array [NODE] of boolean;\n\
        startstate \"init\" x := false; for i : NODE do a[i] := false end; end;\n\
        ruleset i : NODE do\n\
        rule \"enter\" x = false ==> x := true; a[i] := true; end;\n\
        rule \"leave\" a[i] ==> x := false; a[i] := false; end;\n\
        end;\n\
        invariant \"safe\" forall i : NODE do a[i] -> x end;\n";
    let in_quotes = "are strings, as in `rule \"Enter\"`";
    let cases = [
        ("", "", vec![]),
        ("\"enter\" x", "enter x", vec![in_quotes]),
        ("\"enter\" x = false", "enter !x", vec![in_quotes]),
        ("\"init\"", "init", vec![in_quotes]),
        ("\"safe\"", "safe", vec![in_quotes]),
        ("x = false", "not x", vec!["negation is written `!`"]),
        (
            "x = false",
            "(not x) and not a[i]",
            vec!["negation is written `!`", "conjunction is written `&`", "negation is written `!`"],
        ),
        (
            "x = false",
            "not x or NOT (a[i])",
            vec!["negation is written `!`", "disjunction is written `|`", "negation is written `!`"],
        ),
        (
            "x := true; a[i]",
            "if a[i] then x := true; else if x then x := false; else x := true; end; a[i]",
            vec!["write `elsif` for `else if`, or one more `end`"],
        ),
        ("x := true; a[i]", "if a[i] then x := true; else if x then x := false; end; end; a[i]", vec![]),
    ];
    for (old, new, cures) in cases {
        assert!(text.contains(old), "{old}");
        fs::write(&model, text.replacen(old, new, 1)).unwrap();
        let (exit, errors) = run(folder.path(), "lint", &model, &[]);
        assert_eq!(exit, Some(if cures.is_empty() { 0 } else { 2 }), "{new}: {errors}");
        assert_eq!(errors.matches("error[").count(), cures.len(), "{new}: {errors}");
        for cure in cures {
            assert!(errors.contains(cure), "{new}: {errors}");
        }
    }
}

#[test]
fn a_certificate_of_another_model_is_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    paraproof().args(["find", "models/german.m", "-q", "-o"]).arg(folder.join("certificate.json")).assert().code(0);
    for command in ["check CERT --model", "emit table CERT -o OUT --model", "explain CERT --model"] {
        let command: Vec<_> = command.split(' ').collect();
        let place = |word: &&str| match *word {
            "CERT" => folder.join("certificate.json"),
            "OUT" => folder.join("out"),
            other => other.into(),
        };
        let output = paraproof().args(command.iter().map(place)).arg("models/mutualex.m").output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert_eq!(
            said.matches("it is of another model, or of another form of models/mutualex.m (SHA-256").count(),
            1,
            "{said}"
        );
        assert!(said.lines().count() <= 2, "{said}");
        assert!(said.contains(" differences, such as ") && said.contains(" where the model has "), "{said}");
        assert!(!said.contains("(\""), "it is not in the notation of Rust: {said}");
    }
}

#[test]
fn findings_have_colours_where_they_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("wrong.m");
    fs::write(&model, "var x : boolean;\nstartstate x := y; end;\n").unwrap();
    let has_colours = |variables: &[(&str, &str)]| {
        let mut lint = paraproof();
        lint.arg("lint")
            .arg(&model)
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .envs(variables.iter().copied());
        String::from_utf8(lint.output().unwrap().stderr).unwrap().contains("\u{1b}[")
    };
    assert!(!has_colours(&[]), "a file shows none");
    assert!(has_colours(&[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colours(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn names_are_explained_and_proposed() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.json");
    paraproof().args(["find", "models/mutualex.m", "-q", "-o"]).arg(&certificate).assert().code(0);
    let explain = |more: &[&str]| {
        let mut explain = paraproof();
        explain.arg("explain").arg(&certificate).args(["--model", "models/mutualex.m"]).args(more);
        let output = explain.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let by_number = explain(&["--invariant", "0"]);
    assert_eq!(by_number.0, Some(0));
    assert_eq!(explain(&["--invariant", "MutualExclusion"]), by_number, "it follows from invariant 0");
    let name = by_number.1.lines().find_map(|line| line.strip_prefix("Invariant 0: ")).unwrap().to_owned();
    assert_eq!(explain(&["--invariant", &name]), by_number);
    for (arguments, wanted) in [
        (["--invariant", "MutualExclusoin"], "no invariant and no property is called 'MutualExclusoin'; did you mean"),
        (["--invariant", "99"], "the certificate has no invariant 99; they are numbered from 0 to "),
        (["--rule", "Cirt"], "the model has no rule 'Cirt'; did you mean 'Crit'?"),
    ] {
        let (code, text) = explain(&arguments);
        assert!(code == Some(2) && text.contains(wanted), "{arguments:?}: {text}");
    }
}
