//! What a reviewer does: questions that one command answers, and invariants pasted back into the models.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on may panic, and what is counted is said"
)]

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};
use support::{Header, models, paraproof, root, rumur_compiled, tool};

/// Returns the results of `verify` for a model, computed once.
fn results(model: &str) -> PathBuf {
    static GERMAN: OnceLock<tempfile::TempDir> = OnceLock::new();
    static FLASH: OnceLock<tempfile::TempDir> = OnceLock::new();
    static FLASH_NODATA: OnceLock<tempfile::TempDir> = OnceLock::new();
    static CLIENT_SERVER: OnceLock<tempfile::TempDir> = OnceLock::new();
    static TOY_CONSENSUS: OnceLock<tempfile::TempDir> = OnceLock::new();
    let made = match model {
        "german" => &GERMAN,
        "flash" => &FLASH,
        "flash_nodata" => &FLASH_NODATA,
        "client_server" => &CLIENT_SERVER,
        "toy_consensus" => &TOY_CONSENSUS,
        other => panic!("{other} has no place"),
    };
    let folder = made.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = paraproof();
        command.args(["verify", &format!("models/{model}.m"), "-q", "-o"]).arg(folder.path().join("out"));
        command.assert().code(0);
        folder
    });
    folder.path().join("out")
}

/// Writes a model with all its invariants pasted into it and with other constants.
fn pasted(folder: &Path, model: &str, constants: &[(&str, u32)], more: &str) -> PathBuf {
    let text = fs::read_to_string(root().join(format!("models/{model}.m"))).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (name, value) in constants {
        let line = lines.iter_mut().find(|line| line.trim_start().starts_with(&format!("{name} :"))).unwrap();
        *line = format!("  {name} : {value};");
    }
    let invariants = fs::read_to_string(results(model).join("invariants.m")).unwrap();
    let path =
        folder.join(format!("{model}-{constants:?}.m").replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "_"));
    fs::write(&path, format!("{}\n{invariants}\n{more}", lines.join("\n"))).unwrap();
    path
}

fn verdict(model: &Path) -> (Option<i32>, Value) {
    let output = paraproof().arg("simulate").arg(model).args(["--json", "--quiet"]).output().unwrap();
    let json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), json)
}

#[test]
fn pasted_invariants_hold_in_instances_and_in_rumur() {
    let folder = tempfile::tempdir().unwrap();
    // A model with few states is compiled faster.
    type Case = (&'static str, &'static [(&'static str, u32)], &'static str);
    let sizes: [Case; 4] = [
        ("german", &[("NODE_NUM", 2), ("DATA_NUM", 1)], "-O0"),
        ("german", &[("NODE_NUM", 3), ("DATA_NUM", 1)], "-O1"),
        ("flash_nodata", &[("NODE_NUM", 2)], "-O0"),
        ("flash", &[("NODE_NUM", 2)], "-O0"),
    ];
    let with_rumur = tool("rumur");
    for (model, constants, level) in sizes {
        let path = pasted(folder.path(), model, constants, "");
        let (code, json) = verdict(&path);
        assert_eq!((code, json["verdict"].as_str()), (Some(0), Some("holds")), "{model} {constants:?}: {json}");
        if with_rumur {
            let (found, text) = rumur_compiled(&path, &["--deadlock-detection=off"], level);
            assert!(!found, "rumur: {model} {constants:?}: {text}");
        }
    }
}

/// Instances with more states, up to permutations, are explored only in part.
const MOST_STATES: &str = "3000000";

#[test]
#[ignore = "it takes minutes: cargo test --release --test review -- --ignored --nocapture"]
fn invariants_of_all_models_hold_in_instances() {
    let folder = tempfile::tempdir().unwrap();
    for Header { path, .. } in models("") {
        let model = path.file_stem().unwrap().to_string_lossy().into_owned();
        let out = folder.path().join(&model);
        paraproof().arg("verify").arg(&path).args(["-q", "-o"]).arg(&out).assert().code(0);
        let text = fs::read_to_string(&path).unwrap();
        let invariants = fs::read_to_string(out.join("invariants.m")).unwrap();
        let pasted = folder.path().join(format!("{model}.m"));
        fs::write(&pasted, format!("{text}\n{invariants}")).unwrap();
        let lowered = paraproof().args(["lint", "--json"]).arg(&path).output().unwrap();
        let lowered: Value = serde_json::from_slice(&lowered.stdout).unwrap();
        // If nodes are not symmetric, the proof is about their number in the model.
        let is_parameterized = !lowered["index_types"].as_array().unwrap().is_empty();
        let sizes: &[Option<u32>] = if is_parameterized { &[Some(2), Some(3), Some(4)] } else { &[None] };
        for size in sizes {
            let mut command = paraproof();
            command.arg("simulate").arg(&pasted).args(["--json", "--quiet", "--max-states", MOST_STATES]);
            command.args(size.map(|size| format!("-DNODE_NUM={size}")));
            let output = command.output().unwrap();
            let json: Value = serde_json::from_slice(&output.stdout).unwrap();
            eprintln!("{model} {size:?}: {} {} states", json["verdict"], json["states"]);
            // Exit code 3: the limit on states was reached.
            assert!(matches!(output.status.code(), Some(0 | 3)), "{model} {size:?}: {json}");
            assert!(output.status.code() == Some(0) || *size == Some(4), "{model} {size:?}");
        }
    }
}

#[test]
fn an_invariant_that_does_not_hold_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let more = "invariant \"wrong\"\n  forall i : NODE do Cache[i].State != E end;\n";
    let path = pasted(folder.path(), "german", &[("NODE_NUM", 2), ("DATA_NUM", 1)], more);
    let (code, json) = verdict(&path);
    assert_eq!((code, json["verdict"].as_str()), (Some(1), Some("violated")), "{json}");
    assert_eq!(json["trace"]["violates"], "wrong");
    if tool("rumur") {
        assert!(rumur_compiled(&path, &["--deadlock-detection=off"], "-O0").0);
    }
}

#[test]
fn what_would_go_wrong_without_an_invariant_is_shown() {
    let out = results("german");
    let table: Value = serde_json::from_str(&fs::read_to_string(out.join("invariants.json")).unwrap()).unwrap();
    let found = table["invariants"].as_array().unwrap().iter();
    let found = found.filter(|row| row["origin"]["property"].is_null()).map(|row| row["number"].to_string());
    let mut shown = 0;
    for number in found.take(6) {
        let mut command = paraproof();
        command.arg("explain").arg(out.join("certificate.json")).args(["--model", "models/german.m", "--invariant"]);
        let output = command.arg(&number).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0));
        if text.contains("A state that the other ") {
            assert!(text.contains("From there rule '"), "{text}");
            assert!(text.contains(" is violated."), "{text}");
            shown += 1;
        }
    }
    assert!(shown >= 3, "only {shown} of 6 invariants are shown to be needed");
}

#[test]
fn a_flow_is_told_in_three_forms() {
    let out = results("german");
    let flow = |options: &[&str]| {
        let mut command = paraproof();
        command.arg("explain").arg(out.join("certificate.json")).args(["--model", "models/german.m", "--flow"]);
        let output = command.args(options).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = flow(&[]);
    // The exclusive grant is sent when the last acknowledgement has arrived.
    assert!(text.contains("..> SendGntE"), "{text}");
    assert!(flow(&["--format", "dot"]).starts_with("digraph flow {"));
    assert!(flow(&["--format", "svg"]).starts_with("<svg "));
    assert!(flow(&["--rule", "SendInvE"]).starts_with("SendInvE"));
}

/// An argument relies on an invariant that promises a witness as it does on any other, and names what the cases are.
#[test]
fn a_witness_is_a_premise() {
    let read = |model: &str| -> (Value, PathBuf) {
        let results = results(model);
        (serde_json::from_str(&fs::read_to_string(results.join("invariants.json")).unwrap()).unwrap(), results)
    };
    let (table, _) = read("client_server");
    assert_eq!(table["properties"][0]["shown_by"], json!([0]), "{}", table["properties"]);
    let (table, folder) = read("toy_consensus");
    assert_eq!(table["invariants"][0]["relies_on"], json!([1, 2]));
    assert_eq!((&table["invariants"][1]["relies_on"], &table["invariants"][1]["supports"]), (&json!([]), &json!([0])));
    let mut explain = paraproof();
    explain.arg("explain").arg(folder.join("certificate.json")).args(["--model", "models/toy_consensus.m"]);
    let explained = explain.args(["--invariant", "1"]).output().unwrap();
    let explained = String::from_utf8(explained.stdout).unwrap();
    assert!(explained.contains("branch 0: assumption 'QuorumsIntersect'\n"), "{explained}");
    assert_eq!(table["invariants"][1]["reads"], json!(["Chosen", "Member", "Vote"]));
    let relations = table["relations"].to_string();
    assert!(relations.contains("\"assumption\":\"QuorumsIntersect\""), "{relations}");
    let lines = fs::read_to_string(folder.join("relations.csv")).unwrap();
    assert!(lines.contains("the witness of invariant 1 for v, q {other: "), "{lines}");
    assert!(lines.contains("another element, other"), "{lines}");
    // What holds in a situation is that there is a node, not that the situation is impossible.
    let report = fs::read_to_string(folder.join("report.html")).unwrap().replace("&gt;", ">");
    let situations = report.split("id=\"situations\"").nth(1).unwrap();
    assert!(situations.contains(">exists i : NODE do (isundefined(Member[i][q])"), "{situations}");
    assert!(!situations.contains(">false<"), "{situations}");
}

/// It is impossible that exactly one hand is up, since hands go up and down in pairs. But the parity of a number is not a
/// statement about a fixed number of elements, so the search cannot find it as an invariant.
const BEYOND: &str = "const N : 2;
type NODE : scalarset(N);
var up : array [NODE] of boolean; failed : boolean;
startstate for i : NODE do up[i] := false end; failed := false; end;
ruleset p : NODE; q : NODE do rule \"Raise\" p != q & !up[p] & !up[q] ==> up[p] := true; up[q] := true; end; end;
ruleset p : NODE; q : NODE do rule \"Lower\" p != q & up[p] & up[q] ==> up[p] := false; up[q] := false; end; end;
ruleset p : NODE do rule \"Fail\" up[p] & forall k : NODE do k = p | !up[k] end ==> failed := true; end; end;
invariant \"Good\" !failed;
";

#[test]
fn a_guess_that_failed_is_told_with_the_instance_that_would_decide_it() {
    let folder = tempfile::tempdir().unwrap();
    let (model, out) = (folder.path().join("hands.m"), folder.path().join("out"));
    fs::write(&model, BEYOND).unwrap();
    let output = paraproof().arg("verify").arg(&model).args(["-q", "--json", "-o"]).arg(&out).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), json["verdict"].as_str()), (Some(3), Some("inconclusive")), "{json}");
    let candidate = &json["candidate"];
    assert_eq!(candidate["property"], "Good");
    let chain: Vec<&str> =
        candidate["chain"].as_array().unwrap().iter().map(|link| link["rule"].as_str().unwrap()).collect();
    assert_eq!(chain, ["Raise", "Fail"]);
    assert!(candidate["deciding_sizes"][0][1].as_u64().unwrap() >= 1);
    let html = fs::read_to_string(out.join("inconclusive.html")).unwrap();
    assert!(html.contains("Which instances would decide it") && html.contains("--oracle-size NODE="), "{html}");
    assert!(!out.join("report.html").exists());
}

#[test]
fn tables_about_a_name_that_nothing_has_are_refused() {
    let results = results("german");
    let certificate = results.join("certificate.json");
    let model = root().join("models/german.m");
    let emit = |only: &str| {
        let out = results.join("about");
        let mut command = paraproof();
        command.args(["emit", "table", "--only", only, "--model"]).arg(&model).arg(&certificate).arg("-o").arg(&out);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), out.join("invariants.md").exists())
    };
    let (code, text, written) = emit("Curcmd");
    assert_eq!((code, written), (Some(2), false), "{text}");
    assert!(text.contains("no state variable with 'Curcmd' in its name"), "{text}");
    // Names are written as in the tables, without index arguments.
    for name in ["CurCmd", "Chan2.Cmd"] {
        let (code, text, written) = emit(name);
        assert_eq!((code, written), (Some(0), true), "{name}: {text}");
    }
}

#[test]
fn tables_of_two_proofs_are_compared() {
    let (german, folder) = (results("german"), tempfile::tempdir().unwrap());
    let table = german.join("invariants.json");
    let text = fs::read_to_string(&table).unwrap();
    let differ = |first: &Path, second: &Path, format: &str| {
        let output = paraproof().arg("diff").arg(first).arg(second).args(["--format", format]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text, String::from_utf8(output.stderr).unwrap())
    };
    let (code, same, _) = differ(&table, &table, "text");
    assert_eq!(code, Some(0));
    assert!(same.starts_with("No difference in the tables: "), "{same}");
    // One invariant loses a premise, which makes it stronger.
    let stronger = folder.path().join("stronger.json");
    let full = "Chan2[i].Cmd = GntE & Chan2[i].Data != AuxData";
    assert!(text.contains(full));
    fs::write(&stronger, text.replacen(full, "Chan2[i].Data != AuxData", 1)).unwrap();
    let (code, told, _) = differ(&table, &stronger, "md");
    assert_eq!(code, Some(1));
    assert!(told.contains("**Strengthened invariants**\n\n- 7 became 7"), "{told}");
    let (code, told, _) = differ(&stronger, &table, "json");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, told["weakened"].as_array().map(Vec::len)), (Some(1), Some(1)), "{told}");
    let (code, _, error) = differ(&table, &german.join("certificate.json"), "text");
    assert_eq!(code, Some(2));
    assert!(error.contains("not a table of invariants") && error.contains("--model"), "{error}");
}

#[test]
fn a_report_from_a_certificate_alone_says_what_an_instance_shows() {
    let folder = tempfile::tempdir().unwrap();
    let report = |model: &str| {
        let mut command = paraproof();
        command.args(["emit", "report"]).arg(results(model).join("certificate.json")).arg("--model");
        command.arg(format!("models/{model}.m")).arg("-o").arg(folder.path().join(model)).assert().code(0);
        fs::read_to_string(folder.path().join(model).join("report.html")).unwrap()
    };
    // With two nodes some rules of FLASH cannot fire, so a larger instance is explored.
    let flash = report("flash_nodata");
    assert!(flash.contains("NODE with 3 elements") && flash.contains("Every rule fires in the instance."));
    assert!(flash.contains("paraproof check "));
    // German has too many states at its own sizes.
    let german = report("german");
    assert!(german.contains("NODE with 2 elements, DATA with 2 elements, "));
}

/// Runs the commands of a page in order, in one folder that has the models, and compares the page with what they print.
///
/// A block `murphi FILE` writes the file, and a block `diff FILE` changes it, so that a page can develop a model.
fn hold_page(page: &str) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    symlink(root().join("models"), folder.path().join("models")).unwrap();
    let mut real = text.clone();
    let mut commands = 0;
    for block in text.split("\n```").skip(1).step_by(2) {
        let (kind, content) = block.split_once('\n').unwrap();
        if let Some(("murphi", file)) = kind.split_once(' ') {
            fs::write(folder.path().join(file), format!("{content}\n")).unwrap();
        } else if let Some(("diff", file)) = kind.split_once(' ') {
            change(&folder.path().join(file), content);
        }
        if kind != "console" {
            continue;
        }
        for (command, output) in content.split("$ ").skip(1).map(|part| part.split_once('\n').unwrap_or((part, ""))) {
            let printed = printed(command, folder.path());
            let output = output.trim_end();
            let end = if output.is_empty() && !printed.is_empty() { "\n" } else { "" };
            if without_times(&printed) != without_times(output) {
                real = real.replace(&format!("$ {command}\n{output}"), &format!("$ {command}\n{printed}{end}"));
            }
            commands += 1;
        }
    }
    assert!(commands >= 6, "{page} has commands");
    if std::env::var_os("PARAPROOF_UPDATE_DOCS").is_some() {
        fs::write(&path, &real).unwrap();
        return;
    }
    assert_eq!(real, text, "set PARAPROOF_UPDATE_DOCS=1 to write what the commands print now");
}

/// What a command prints to standard output.
fn printed(command: &str, folder: &Path) -> String {
    let binary = assert_cmd::cargo::cargo_bin("paraproof");
    let search = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let run = Command::new("sh").args(["-c", command]).current_dir(folder).env("PATH", &search).output().unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    printed.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Times and memory differ from run to run.
fn without_times(text: &str) -> String {
    let timed = |line: &str| line.trim_start().starts_with(|c: char| c.is_ascii_digit()) && line.ends_with(" MB");
    text.lines().filter(|line| !timed(line)).collect::<Vec<_>>().join("\n")
}

/// Applies the one hunk of a block to a file.
fn change(file: &Path, hunk: &str) {
    let side = |gone: char| -> String {
        hunk.lines()
            .filter(|line| !line.starts_with(gone))
            .map(|line| format!("{}\n", line.get(1..).unwrap_or("")))
            .collect()
    };
    let (before, after) = (side('+'), side('-'));
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(&before).count(), 1, "the place of the change:\n{before}");
    fs::write(file, text.replace(&before, &after)).unwrap();
}

#[test]
fn the_questions_of_a_reviewer_are_answered_as_documented() {
    hold_page("docs/how-to/review.md");
}

#[test]
fn the_tutorial_prints_what_it_shows() {
    hold_page("docs/tutorial.md");
}
