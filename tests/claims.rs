//! What a verdict covers: wherever a verdict is stated, by either checker, free types, kept values, assumptions,
//! statements left out and run-time errors are stated too, and nothing unproven ends with exit code 0.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use certificate::proof::Certificate;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::paraproof;

/// A model in its own folder, with the results of `verify`.
struct Run {
    folder: tempfile::TempDir,
    model: PathBuf,
    code: i32,
    said: String,
    json: Value,
}

impl Run {
    fn of(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.m");
        fs::write(&model, text).unwrap();
        let out = folder.path().join("out");
        let verify = |more: &[&str]| {
            let output =
                paraproof().args(["verify", "-q"]).arg(&model).args(more).arg("-o").arg(&out).output().unwrap();
            (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
        };
        let (code, said) = verify(&[]);
        let (again, json) = verify(&["--json"]);
        assert_eq!(code, again);
        Self { json: serde_json::from_str(&json).unwrap(), folder, model, code, said }
    }

    fn trap(name: &str) -> Self {
        Self::of(&fs::read_to_string(support::root().join("tests/traps").join(name)).unwrap())
    }

    fn certificate(&self) -> PathBuf {
        self.folder.path().join("out/certificate.json")
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join("out").join(name)).unwrap()
    }

    /// Returns the first line of the output of `verify`, without the name of the model.
    fn verdict(&self) -> String {
        let start = format!("{}: ", self.model.display());
        self.said.lines().next().unwrap().strip_prefix(&start).unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let output =
            paraproof().args(arguments).arg("--model").arg(&self.model).arg(self.certificate()).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    }

    fn find(&self) -> (i32, String) {
        let out = self.folder.path().join("found.json");
        let output = paraproof().args(["find", "-q"]).arg(&self.model).arg("-o").arg(out).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    }

    /// Returns the answer of the second checker if Python is installed.
    fn python(&self, certificate: &Path) -> Option<(i32, String)> {
        if !support::tool("python3") {
            return None;
        }
        let system = self.folder.path().join("system.json");
        fs::write(&system, paraproof().args(["lint", "--json"]).arg(&self.model).output().unwrap().stdout).unwrap();
        let script = support::root().join("scripts/check_certificate.py");
        let mut command = Command::new("python3");
        let output =
            command.arg(script).arg(&system).arg(certificate).arg("--model").arg(&self.model).output().unwrap();
        Some((output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap()))
    }

    /// Returns every text that states a verdict or is read as one: all must say the same.
    fn texts(&self) -> Vec<(String, String)> {
        let emitted = self.folder.path().join("emitted");
        let mut texts =
            vec![("verify".to_owned(), self.said.clone()), ("verify --json".to_owned(), self.json.to_string())];
        for (name, arguments) in
            [("check", &["check"][..]), ("check --json", &["check", "--json"]), ("explain", &["explain"])]
        {
            texts.push((name.to_owned(), self.run(arguments).1));
        }
        texts.push(("find".to_owned(), self.find().1));
        let lint = paraproof().arg("lint").arg(&self.model).output().unwrap();
        texts.push(("lint".to_owned(), String::from_utf8(lint.stdout).unwrap()));
        for file in
            ["invariants.md", "invariants.json", "invariants.tex", "invariants.m", "report.html", "isabelle/model.thy"]
        {
            texts.push((file.to_owned(), self.file(file)));
        }
        let emit = |arguments: &[&str]| {
            let output = emitted.to_str().unwrap();
            assert_eq!(self.run(&[&["emit"], arguments, &["-o", output]].concat()).0, 0, "{arguments:?}");
        };
        emit(&["isabelle", "--style", "computed"]);
        texts.push(("computed".to_owned(), fs::read_to_string(emitted.join("model.thy")).unwrap()));
        emit(&["cmp"]);
        texts.push(("cmp".to_owned(), fs::read_to_string(emitted.join("model_abs.m")).unwrap()));
        emit(&["cmp", "--invariants-only"]);
        texts.push(("invariants of cmp".to_owned(), fs::read_to_string(emitted.join("invariants.m")).unwrap()));
        texts
    }
}

/// A token moves between nodes. `N` determines no size and is used as a value in a product, so it is kept.
const KEPT: &str = "const N : 2;
type NODE : scalarset(3); COUNT : 0 .. N;
var has : array [NODE] of boolean; count : COUNT;
startstate for n : NODE do has[n] := false; end; count := 0; end;
ruleset n : NODE do rule \"take\" 2 * count < 2 * N & forall m : NODE do !has[m] end ==> has[n] := true; count := count + 1; end; end;
ruleset n : NODE do rule \"give\" has[n] ==> has[n] := false; assume count != 1; end; end;
invariant \"one\" forall n : NODE do forall m : NODE do n != m -> !(has[n] & has[m]) end end;
";

#[test]
fn free_types_and_kept_values_are_said_everywhere() {
    let run = Run::of(KEPT);
    assert_eq!(run.code, 0, "{}", run.said);
    let proven = run.verdict();
    assert!(proven.starts_with("proven for any number of NODE; with N = 2"), "{proven}");
    assert_eq!(run.json["claim"]["any_size"], json!([{"name": "NODE", "least": 0}]));
    assert_eq!(run.json["claim"]["constants"][0]["name"], "N");
    assert_eq!(run.json["claim"]["assumptions"], json!([{"line": 6, "column": 61}]));
    for (name, text) in run.texts() {
        // Theories have their own line lengths, and Markdown has backslashes.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "");
        for part in [proven.trim_start_matches("proven "), "NODE", "N = 2"] {
            assert!(text.contains(part), "{name}: {part} is not in\n{text}");
        }
        let assumed = text.contains("`assume` in line 6 fails are left out") || text.contains("\"assumptions\":[{");
        assert!(assumed, "{name}: the assumption is not in\n{text}");
    }
    assert!(run.file("invariants.csv").contains(proven.trim_start_matches("proven ")));
    let written: Value = serde_json::from_str(&run.file("certificate.json")).unwrap();
    assert_eq!(written["claim"]["constants"], json!([{"name": "N", "value": "2"}]));
    assert_eq!(written["claim"]["assumptions"], json!([6]));
    if let Some((code, said)) = run.python(&run.certificate()) {
        assert_eq!(code, 0, "{said}");
        for part in
            ["accepted\n", "proven: one\n", "for any number of NODE\n", "as the model has it: N = 2", "in line 6"]
        {
            assert!(said.contains(part), "{part} is not in\n{said}");
        }
    }
}

#[test]
fn check_says_the_same_as_verify() {
    for (run, sizes) in [
        (Run::trap("w_c16_check_says_any_number.m"), "for its sizes as they are"),
        (Run::of(KEPT), "for any number of NODE; with N = 2"),
    ] {
        assert!(run.verdict().contains(sizes), "{}", run.said);
        let (code, said) = run.run(&["check"]);
        assert_eq!(code, 0, "{said}");
        assert!(said.lines().any(|line| line == run.verdict()), "{said}\n{}", run.said);
    }
}

/// A named element at position 3: a proof about it holds for three or more nodes.
#[test]
fn a_named_element_has_to_be_there() {
    let run = Run::of(
        "const N : 4; HOME : 3;
type NODE : 1 .. N;
var own : array [NODE] of boolean;
startstate for n : NODE do own[n] := false; end; own[HOME] := true; end;
ruleset n : NODE do rule \"take\" own[HOME] ==> own[HOME] := false; own[n] := true; end; end;
invariant \"one\" forall n : NODE do forall m : NODE do n != m -> !(own[n] & own[m]) end end;
",
    );
    assert_eq!(run.code, 0, "{}", run.said);
    assert!(run.verdict().starts_with("proven for any number of NODE from 3 on"), "{}", run.said);
    assert_eq!(run.json["claim"]["any_size"], json!([{"name": "NODE", "least": 3}]));
    let written: Value = serde_json::from_str(&run.file("certificate.json")).unwrap();
    assert_eq!(written["claim"]["any_size"], json!([{"name": "NODE", "least": 3}]));
    let lint = paraproof().arg("lint").arg(&run.model).output().unwrap();
    assert!(String::from_utf8(lint.stdout).unwrap().contains("any number of elements from 3 on; 4 in the model"));
    if let Some((code, said)) = run.python(&run.certificate()) {
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("for any number of NODE from 3 on\n"), "{said}");
    }
}

/// Two statements, one of which is refused although it is true.
const PARTLY: &str = "type P : scalarset(3);
var e : array [P] of array [P] of boolean; x : boolean;
startstate x := true; for i : P do for j : P do e[i][j] := true; end; end; end;
ruleset i : P; j : P do rule \"keep\" e[i][j] := true; end; end;
invariant \"ok\" x;
liveness \"always *) oops (* again\" forall i : P do e[i][i] end;
";

#[test]
fn what_is_not_covered_is_listed_and_does_not_end_well() {
    let run = Run::of(PARTLY);
    let sentence = "not proven: liveness \"always *) oops (* again\" (line 6): ";
    assert_eq!((run.code, run.json["verdict"].as_str()), (3, Some("inconclusive")), "{}", run.said);
    assert_eq!(run.verdict(), "inconclusive: 1 of 2 statements proven for any number of P");
    assert_eq!(run.json["claim"]["left_out"][0]["kind"], "liveness");
    let (code, said) = run.run(&["check"]);
    assert_eq!(code, 3, "{said}");
    let first = said.lines().next().unwrap();
    assert!(first.ends_with("the certificate is accepted, but it does not cover all that the model states"), "{said}");
    let (code, object) = run.run(&["check", "--json"]);
    let object: Value = serde_json::from_str(&object).unwrap();
    assert_eq!((code, &object["verdict"], &object["covers"]), (3, &json!("accepted"), &json!("part")));
    assert_eq!(object["claim"]["left_out"], run.json["claim"]["left_out"]);
    assert_eq!(run.find().0, 3);
    if let Some((code, said)) = run.python(&run.certificate()) {
        assert_eq!(code, 3, "{said}");
        assert!(said.starts_with("accepted\nproven: ok\n") && said.contains(sentence), "{said}");
    }
    for (name, text) in run.texts() {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = match name.as_str() {
            "report.html" => text.replace("&quot;", "\""),
            "isabelle/model.thy" | "computed" => text.replace("* )", "*)").replace("( *", "(*"),
            "invariants.md" => text.replace('\\', ""),
            _ => text.clone(),
        };
        let said = plain.contains(sentence) || plain.contains("\"kind\":\"liveness\"");
        assert!(said, "{name}: what is not proven is not in\n{text}");
        // The name does not end the comment it is in.
        if name.contains(".thy") || name == "computed" {
            let head = text.split("theory model").next().unwrap();
            assert_eq!((head.matches("(*").count(), head.matches("*)").count()), (1, 1), "{head}");
        }
    }
}

#[test]
fn merged_parts_say_what_they_do_not_cover() {
    let run = Run::of(PARTLY);
    let parts: Vec<String> =
        [1, 2].map(|number| run.folder.path().join(format!("part-{number}.json")).display().to_string()).into();
    for (part, shard) in parts.iter().zip(["1/2", "2/2"]) {
        assert_eq!(run.run(&["check", "--shard", shard, "-o", part]).0, 0);
    }
    let output = paraproof().args(["check", "--merge"]).args(&parts).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("does not cover") && said.contains("not proven: liveness"), "{said}");
}

/// A refused property that an instance violates counts as violated.
#[test]
fn a_refused_property_that_fails_is_not_passed_over() {
    let run = Run::trap("c01_refused_and_proven.m");
    assert_eq!((run.code, run.json["verdict"].as_str()), (1, Some("violated")), "{}", run.said);
    assert!(run.said.contains("violates 'i'"), "{}", run.said);
    assert_eq!(run.find().0, 3);
    assert!(!run.certificate().exists(), "there is no proof beside the violation");
}

/// The certificate of the proven part is correct, but its report must not hide that the rest is false.
#[test]
fn the_report_of_a_certificate_says_that_an_instance_violates_the_rest() {
    let run = Run::trap("c01_refused_and_proven.m");
    assert_eq!(run.find().0, 3);
    let out = run.folder.path().join("report");
    let mut emit = paraproof();
    emit.args(["emit", "report"]).arg(run.folder.path().join("found.json")).arg("--model").arg(&run.model);
    emit.arg("-o").arg(&out).assert().code(0);
    let html = fs::read_to_string(out.join("report.html")).unwrap().replace("&#x27;", "'");
    let told = "<strong>'i' is not covered by the certificate, and an instance with P = 3 violates it;";
    let proven = html.find("1 of 2 statements proven").unwrap();
    assert!(html.find(told).is_some_and(|told| told > proven), "{html}");
}

#[test]
fn what_was_to_be_shown_is_said_with_its_sizes_where_there_is_no_verdict() {
    let run = Run::of(
        "const N : 3; M : 2;\ntype P : scalarset(N); R : 0..M;\nvar a : array [P] of boolean; r : R;\n\
         startstate begin for i : P do a[i] := false; end; r := 0; end;\n\
         ruleset i : P; j : P do rule i != j & !a[i] & !a[j] ==> begin a[i] := true; a[j] := true;\n\
         if 2 * r < 2 * M then r := r + 1; end; end; end;\n\
         ruleset i : P; j : P do rule i != j & a[i] & a[j] ==> begin a[i] := false; a[j] := false; end; end;\n\
         invariant \"even\" forall i : P do !(a[i] & forall j : P do i = j | !a[j] end) end;\n",
    );
    assert_eq!((run.code, run.json["verdict"].as_str()), (3, Some("inconclusive")), "{}", run.said);
    let sizes = run.json["claim"]["sizes"].as_str().unwrap_or_else(|| panic!("{}", run.json));
    for file in ["inconclusive.md", "inconclusive.html"] {
        let text = run.file(file).replace('\\', "");
        assert!(text.contains(&format!("To be proven {sizes}: ")), "{file}: {text}");
        assert!(text.contains("is kept as it is") || text.contains("stays at its"), "{file}: {text}");
    }
}

#[test]
fn where_nothing_is_stated_nothing_is_proven() {
    let run = Run::of("var b : boolean;\nstartstate b := true; end;\nrule b := !b; end;\n");
    assert_eq!(run.code, 3);
    assert_eq!(run.verdict(), "inconclusive: nothing is proven: the model states no property");
    assert_eq!(run.find().0, 3);
    // A certificate that has nothing to prove.
    let text = fs::read(&run.model).unwrap();
    let program = murphi::read(std::str::from_utf8(&text).unwrap(), &murphi::Options::default()).unwrap();
    let system = murphi::lower::lower(&program, &murphi::lower::LowerOptions::default()).unwrap().system;
    let empty = Certificate {
        model_digest: Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect(),
        settings: Vec::new(),
        properties: Vec::new(),
        invariants: Vec::new(),
        initial: Vec::new(),
        relations: Vec::new(),
    };
    fs::create_dir_all(run.certificate().parent().unwrap()).unwrap();
    fs::write(run.certificate(), certificate::write(&empty, &system)).unwrap();
    let (code, said) = run.run(&["check"]);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("the model states nothing") && !said.contains("\nproven"), "{said}");
    let (code, object) = run.run(&["check", "--json"]);
    let object: Value = serde_json::from_str(&object).unwrap();
    assert_eq!((code, &object["covers"]), (3, &json!("nothing")));
    if let Some((code, said)) = run.python(&run.certificate()) {
        assert_eq!((code, said.as_str()), (3, "accepted\nnothing is proven: the model states no property\n"));
    }
}

/// Three nodes can count only to two: the instance ends in an error, and the proof is about what comes before it.
const ERROR: &str = "type NODE : scalarset(3);
var n : array [NODE] of boolean; k : 0 .. 2; x : boolean;
startstate for i : NODE do n[i] := false; end; k := 0; x := true; end;
ruleset i : NODE do rule \"up\" !n[i] ==> n[i] := true; k := k + 1; end; end;
invariant \"ok\" x;
";

#[test]
fn a_run_time_error_is_a_part_of_the_verdict() {
    let run = Run::of(ERROR);
    assert_eq!((run.code, run.json["verdict"].as_str()), (0, Some("proven")), "{}", run.said);
    let clause = "; run-time errors are outside of the claim, and the instance with NODE = 3 meets one: the value 3 is outside \
                  of the type of the variable (line 4, column ";
    assert!(run.verdict().starts_with("proven for any number of NODE"), "{}", run.said);
    assert!(run.verdict().contains(clause), "{}", run.said);
    let errors = run.json["runtime_errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!((&errors[0]["line"], &errors[0]["rule"], &errors[0]["code"]), (&json!(4), &json!("up"), &json!("R001")));
    assert_eq!(errors[0]["sizes"], json!([["NODE", 3]]));
    assert_eq!(run.json["warnings"], 1);
    assert!(run.file("report.html").contains(clause.trim_start_matches("; ")));
    // Without the error, none is mentioned.
    let run = Run::of(&ERROR.replace("0 .. 2", "0 .. 9").replace("k + 1", "k"));
    assert_eq!((run.code, &run.json["runtime_errors"], &run.json["warnings"]), (0, &json!([]), &json!(0)));
    assert!(!run.said.contains("run-time"), "{}", run.said);
}

#[test]
fn a_run_that_ends_in_an_error_names_it_with_its_place() {
    let run = Run::trap("w_c17_undefined_in_verify_says_nothing.m");
    assert_eq!((run.code, run.json["verdict"].as_str()), (1, Some("violated")), "{}", run.said);
    let told = "an error in 'lead': an undefined value is read (line 6, column 60)";
    assert_eq!(run.verdict(), format!("violated: {told}"));
    assert_eq!(run.json["runtime_errors"][0]["message"], "an undefined value is read");
    let mut error = run.json["trace"]["error"].clone();
    let help = error.as_object_mut().and_then(|error| error.remove("help")).unwrap();
    assert!(help.as_str().unwrap().starts_with("nothing writes `member`"), "{help}");
    assert_eq!(error, json!({"message": "an undefined value is read", "line": 6, "column": 60, "rule": "lead"}));
    for file in ["trace.md", "trace.svg", "trace.txt"] {
        let text = run.file(file).replace('\\', "").replace("&#39;", "'");
        assert!(text.contains("an undefined value is read (line 6, column 60)"), "{file}: {text}");
    }
    let simulated = paraproof().arg("simulate").arg(&run.model).arg("-q").output().unwrap();
    let errors = String::from_utf8(simulated.stderr).unwrap();
    assert!(errors.contains("an undefined value is read") && errors.contains("model.m:6:60"), "{errors}");
}

/// Where a model is not proven for any number, it is for its own numbers, and the certificate is for that setting.
#[test]
fn numbers_stay_as_they_are_where_nothing_is_known_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let model = support::root().join("tests/traps/o_t06_filter.m");
    let output = paraproof().args(["verify", "-q", "--json", "-o"]).arg(folder.path()).arg(&model).output().unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &said["verdict"]), (Some(0), &json!("proven")), "{said}");
    assert!(said["not_for_any_size"].as_str().unwrap().starts_with("for any number of PID, LEVEL: inconclusive: "));
    assert_eq!(said["any_size"], json!([]));
    let certificate = folder.path().join("certificate.json");
    let check = |more: &[&str]| {
        let output = paraproof().arg("check").arg(&certificate).arg("--model").arg(&model).args(more).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, said) = check(&[]);
    assert_eq!(code, Some(4));
    assert!(said.contains("read with `--finite-numbers` for the certificate, and with no options here"), "{said}");
    assert_eq!(check(&["--finite-numbers"]).0, Some(0));
    let found = paraproof().args(["find", "-q"]).arg(&model).arg("-o").arg(&certificate).output().unwrap();
    let said = String::from_utf8(found.stdout).unwrap();
    assert!(said.contains("to be checked: proven for its sizes as they are: N = 3"), "{said}");
    assert_eq!(check(&["--finite-numbers"]).0, Some(0));
}

/// A model that is violated with one element of each type only, for whose own instance the search is long.
#[test]
fn a_violation_of_a_small_instance_is_found_during_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let model = support::root().join("models/german.m");
    let certificate = folder.path().join("certificate.json");
    let told = |arguments: &[&str]| {
        let output = paraproof().args(arguments).args(["-q", "--json", "--deadlock"]).arg(&model).output().unwrap();
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &told["property"]), (Some(1), &json!("no deadlock")), "{told}");
        assert_eq!(told["trace"]["constants"], json!([["NODE_NUM", 1], ["DATA_NUM", 1]]), "{told}");
    };
    told(&["find", "-o", certificate.to_str().unwrap()]);
    told(&["verify"]);
    told(&["verify", "--timeout", "60"]);
}

/// A certificate of deadlock freedom is for a run with that setting.
#[test]
fn deadlock_freedom_is_a_property_that_the_certificate_records() {
    let folder = tempfile::tempdir().unwrap();
    let model = support::root().join("models/mutualex.m");
    let certificate = folder.path().join("certificate.json");
    let run = |command: &[&str]| {
        let output = paraproof().args(command).arg(&certificate).arg("--model").arg(&model).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let found =
        paraproof().args(["find", "-q", "--deadlock"]).arg(&model).arg("-o").arg(&certificate).output().unwrap();
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stdout));
    let written: Value = serde_json::from_str(&fs::read_to_string(&certificate).unwrap()).unwrap();
    assert_eq!(written["model"]["settings"], json!(["deadlock=stuttering"]));
    let (code, said) = run(&["check", "--deadlock"]);
    assert!(code == 0 && said.contains("MutualExclusion, no deadlock"), "{said}");
    assert_eq!(run(&["check"]).0, 4);
    assert_eq!(run(&["check", "--deadlock=stuck"]).0, 4);
}

/// A startstate that an assumption cuts in every case.
const CUT: &str = "const N : 2; type NODE : scalarset(N);
var x : array [NODE] of boolean;
startstate for i : NODE do x[i] := false; end; assume false; end;
ruleset i : NODE do rule \"set\" x[i] := true; end; end;
invariant \"none\" forall i : NODE do !x[i] end;
";

/// Assumptions about a relation that nothing writes, which contradict each other.
const CONTRADICTION: &str = "const N : 2; type NODE : scalarset(N);
var x, good : array [NODE] of boolean;
startstate for i : NODE do x[i] := false; end; end;
ruleset i : NODE do rule \"set\" good[i] ==> x[i] := true; end; end;
assume \"all\" forall i : NODE do good[i] end;
assume \"not all\" exists i : NODE do !good[i] end;
invariant \"none\" forall i : NODE do !x[i] end;
";

/// An assumption about what rules write, which no initial state satisfies.
const WRITTEN: &str = "const N : 2; type NODE : scalarset(N);
var x : array [NODE] of boolean;
startstate for i : NODE do x[i] := false; end; end;
ruleset i : NODE do rule \"set\" x[i] := true; end; end;
assume \"all\" forall i : NODE do x[i] end;
invariant \"some\" exists i : NODE do x[i] end;
";

/// What a subcommand says of the certificate as JSON.
fn object(run: &Run, subcommand: &str) -> Value {
    serde_json::from_str(&run.run(&[subcommand, "--json"]).1).unwrap()
}

#[test]
fn a_proof_about_no_execution_says_so() {
    let nothing_starts = "no startstate is possible, so the claim is about no execution";
    let not_found = "the instances with NODE = 2; NODE = 1; NODE = 3 have no execution that satisfies what is assumed, so the \
                     claim may be about none";
    for (text, sentence) in [(CUT, nothing_starts), (CONTRADICTION, not_found), (WRITTEN, not_found)] {
        let run = Run::of(text);
        assert_eq!((run.code, run.json["verdict"].as_str()), (0, Some("proven")), "{}", run.said);
        assert_eq!(run.verdict(), format!("proven for any number of NODE; {sentence}"));
        assert_eq!(run.said.matches(sentence).count(), 1, "{}", run.said);
        assert_eq!((&run.json["no_execution"], &run.json["warnings"]), (&json!(sentence), &json!(1)));
        assert!(run.file("report.html").contains(&format!("<strong>{sentence}</strong>")), "{sentence}");
        for (code, said) in [run.run(&["check"]), run.find()] {
            assert!(code == 0 && said.matches(sentence).count() == 1, "{said}");
        }
        assert_eq!(object(&run, "check")["no_execution"], sentence);
    }
    // What holds whatever the sizes are is said wherever the claim is.
    let run = Run::of(CUT);
    for file in ["invariants.md", "invariants.tex", "invariants.m", "isabelle/model.thy"] {
        assert!(run.file(file).contains(nothing_starts), "{file}");
    }
    assert!(run.python(&run.certificate()).is_none_or(|(code, said)| code == 0 && said.contains(nothing_starts)));
}

#[test]
fn a_proof_about_some_execution_says_nothing_of_none() {
    let satisfied = [
        CUT.replace("assume false", "assume exists i : NODE do !x[i] end").replace("x[i] := true", "x[i] := false"),
        // Only an instance with other sizes than the model's own has an execution.
        CONTRADICTION
            .replace(
                "\"not all\" exists i : NODE do !good[i] end",
                "forall i : NODE do forall j : NODE do i = j end end",
            )
            .replace("\"none\" forall i : NODE do !x[i]", "\"good\" forall i : NODE do x[i] -> good[i]"),
        WRITTEN.replace("x[i] := false", "x[i] := true"),
    ];
    for text in satisfied {
        let run = Run::of(&text);
        assert_eq!((run.code, run.json["verdict"].as_str()), (0, Some("proven")), "{}", run.said);
        assert!(run.json.get("no_execution").is_none() && !run.said.contains("no execution"), "{}", run.said);
        assert!(object(&run, "check").get("no_execution").is_none());
    }
}

/// What a model compares with half of a constant does not name the half: the constant may have any value.
#[test]
fn half_of_a_constant_is_no_constant_of_its_own() {
    let majority = fs::read_to_string(support::root().join("models/majority.m")).unwrap();
    assert_eq!(Run::of(&majority).verdict(), "proven for any number of NODE");
    let limit = "const N : 2; C : 5; type P : scalarset(N);
        var bad : boolean; x : 0..C; on : array [P] of boolean;
        startstate bad := false; x := 0; for i : P do on[i] := false; end; end;
        ruleset i : P do rule \"on\" on[i] := true; end; end;
        rule \"up\" x < C ==> begin x := x + 1; end;
        rule \"bad\" C / 2 = x & !(2 * x <= C) ==> begin bad := true; end;
        invariant \"good\" !bad;";
    assert_eq!(Run::of(limit).verdict(), "proven for any number of P and any value of C");
}

/// In the filter lock (Peterson 1981), a node waits at each of as many levels as there are other nodes. That nobody else is at the
/// last one follows from how many nodes there are, which no bound says. The reason for no verdict names that.
#[test]
fn a_size_that_nothing_counts_is_named_where_there_is_no_verdict() {
    let filter = "const N : 3; type P : scalarset(N); L : 0..N - 1; S : enum { Away, Announce, Wait, In };
        var level : array [P] of L; last : array [L] of P; s : array [P] of S;
        ruleset p : P do startstate for i : P do level[i] := 0; s[i] := Away; end; for l : L do last[l] := p; end; end; end;
        ruleset i : P do
        rule \"start\" s[i] = Away ==> begin level[i] := 1; s[i] := Announce; end;
        rule \"announce\" s[i] = Announce ==> begin last[level[i]] := i; s[i] := Wait; end;
        rule \"climb\" s[i] = Wait & level[i] < N - 1
          & (last[level[i]] != i | forall j : P do j = i | level[j] < level[i] end)
        ==> begin level[i] := level[i] + 1; s[i] := Announce; end;
        rule \"enter\" s[i] = Wait & level[i] = N - 1
          & (last[level[i]] != i | forall j : P do j = i | level[j] < level[i] end) ==> begin s[i] := In; end;
        rule \"leave\" s[i] = In ==> begin s[i] := Away; level[i] := 0; end;
        end;
        invariant \"one\" forall i : P do forall j : P do i != j -> !(s[i] = In & s[j] = In) end end;";
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("filter.m");
    fs::write(&model, filter).unwrap();
    let output = paraproof().args(["verify", "-q", "--timeout", "10s"]).arg(&model).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("for any number of P, L: inconclusive: "), "{said}");
    assert!(said.contains("counts no elements of P, so that no candidate uses that P has N elements"), "{said}");
}
