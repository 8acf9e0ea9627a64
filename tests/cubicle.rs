//! Runs the subcommands on the models in Cubicle's language, and compares the results with their headers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::path::Path;

use serde_json::Value;
use support::{Header, models_with, paraproof};

/// Runs the command, and returns its exit code and what it prints on both streams.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = paraproof().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn json(arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, out, error) = run(arguments);
    (code, serde_json::from_str(&out).unwrap_or_else(|reason| panic!("{arguments:?}: {reason}: {out}{error}")))
}

fn all() -> Vec<Header> {
    let headers = models_with("cub", "cub");
    assert!(headers.iter().filter(|header| header.proven).count() >= 6 && headers.iter().any(|header| !header.proven));
    headers
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn every_model_has_the_verdict_of_its_header() {
    for header in all() {
        assert_eq!(header.unknown, Vec::<String>::new(), "{}", header.name());
        let (code, told) = json(&["verify", shown(&header.path), "-q", "--json"]);
        let expected = if header.proven { (Some(0), "proven") } else { (Some(1), "violated") };
        assert_eq!((code, told["verdict"].as_str()), (expected.0, Some(expected.1)), "{told}");
        assert_eq!(told["rules"], header.rules, "{}", header.name());
        assert_eq!(told["properties"], header.properties, "{}", header.name());
        assert_eq!(told["property"].as_str(), header.violates.as_deref(), "{}", header.name());
    }
}

#[test]
fn an_instance_has_the_states_of_the_header() {
    for header in all() {
        assert_eq!(header.states.is_empty(), !header.proven, "{}", header.name());
        for (settings, states) in &header.states {
            let mut arguments = vec!["simulate", shown(&header.path), "-q", "--json", "--no-symmetry"];
            arguments.extend(settings.iter().flat_map(|setting| ["-D", setting]));
            let (code, told) = json(&arguments);
            assert_eq!((code, &told["states"]), (Some(0), &(*states).into()), "{} {settings:?}", header.name());
            // With symmetry there are no more states, and the verdict is the same.
            arguments.retain(|argument| *argument != "--no-symmetry");
            let (code, reduced) = json(&arguments);
            assert_eq!(code, Some(0));
            assert!(reduced["states"].as_u64() <= Some(*states), "{}", header.name());
        }
    }
}

/// The trace has the transitions of the text, and its execution ends in a violation again.
#[test]
fn a_trace_is_replayed() {
    for header in all().iter().filter(|header| !header.proven) {
        let folder = tempfile::tempdir().unwrap();
        let (code, _) = json(&["verify", shown(&header.path), "-q", "--json", "-o", shown(folder.path())]);
        assert_eq!(code, Some(1), "{}", header.name());
        let trace = folder.path().join("trace.json");
        let (code, out, error) = run(&["simulate", shown(&header.path), "--replay", shown(&trace)]);
        assert_eq!(code, Some(1), "{out}{error}");
        assert!(out.contains(&format!("violates '{}'", header.violates.as_ref().unwrap())), "{out}");
        // A trace with a transition that there is not is none.
        let mut broken: Value = serde_json::from_slice(&std::fs::read(&trace).unwrap()).unwrap();
        broken["steps"][1]["rule"] = "nothing".into();
        std::fs::write(&trace, broken.to_string()).unwrap();
        let (code, out, error) = run(&["simulate", shown(&header.path), "--replay", shown(&trace)]);
        assert_eq!(code, Some(2), "{out}{error}");
    }
}

#[test]
fn every_subcommand_takes_such_a_model() {
    let (model, folder) = ("models/cub/token.cub", tempfile::tempdir().unwrap());
    let certificate = folder.path().join("token.json");
    let certificate = shown(&certificate);
    let out = folder.path().join("out");
    assert_eq!(run(&["find", model, "-q", "-o", certificate]).0, Some(0));
    let (code, checked, error) = run(&["check", certificate, "--model", model]);
    assert_eq!(code, Some(0), "{error}");
    assert!(checked.contains("proven for any number of proc"), "{checked}");
    for what in ["table", "isabelle", "report"] {
        let (code, _, error) = run(&["emit", what, certificate, "--model", model, "-o", shown(&out)]);
        assert_eq!(code, Some(0), "{what}: {error}");
    }
    let (code, _, error) = run(&["emit", "cmp", certificate, "--model", model, "-o", shown(&out)]);
    assert_eq!(code, Some(2));
    assert!(error.contains("K027"), "{error}");
    let (code, explained, _) = run(&["explain", certificate, "--model", model, "--rule", "receive"]);
    assert_eq!(code, Some(0));
    assert!(explained.contains("receive"), "{explained}");
    assert_eq!(run(&["diff", certificate, certificate, "--model", model]).0, Some(0));
    let (code, linted, _) = run(&["lint", model]);
    assert_eq!(code, Some(0));
    assert!(linted.contains("Home : proc, no_process"), "{linted}");
    // A certificate for one model is none for another one.
    assert_eq!(run(&["check", certificate, "--model", "models/cub/turns.cub"]).0, Some(4));
}

/// The blocks can be pasted into the model: each is a candidate that says what the invariant says, so that nothing is searched.
#[test]
fn invariants_are_written_in_the_language_of_the_model() {
    for header in all().iter().filter(|header| header.proven) {
        let folder = tempfile::tempdir().unwrap();
        let (code, proven) = json(&["verify", shown(&header.path), "-q", "--json", "-o", shown(folder.path())]);
        assert_eq!(code, Some(0), "{}", header.name());
        assert!(!folder.path().join("invariants.m").exists());
        let blocks = std::fs::read_to_string(folder.path().join("invariants.cub")).unwrap();
        let pasted = folder.path().join("pasted.cub");
        let text = std::fs::read_to_string(&header.path).unwrap();
        std::fs::write(&pasted, format!("{text}\n{blocks}")).unwrap();
        let (code, told) = json(&["verify", shown(&pasted), "-q", "--json"]);
        assert_eq!((code, &told["invariants"]), (Some(0), &proven["invariants"]), "{}: {blocks}", header.name());
        assert_eq!(told["warnings"], proven["warnings"], "{}: {blocks}", header.name());
        assert_eq!(told["oracle"]["states"], 0, "{}: something was searched", header.name());
        let markdown = std::fs::read_to_string(folder.path().join("invariants.md")).unwrap();
        assert!(markdown.contains("```cubicle") && !markdown.contains("!="), "{markdown}");
    }
}

/// Both notations, for both languages.
#[test]
fn a_table_is_written_in_the_notation_that_is_asked_for() {
    let cubicle = ["Owner[i] = True", "forall i. forall j. i <> j && Owner", " => ", "invariant (i j) {", "(* 0: "];
    let murphi = ["forall i : proc do forall j : proc do i != j & Owner", " -> ", "invariant \"inv_0: ", "```murphi"];
    let text = "array Owner[proc] : bool
        array Seen[proc, proc] : bool
        init (p q) { Owner[p] = False && Seen[p, q] = False }
        transition take (p) requires { forall_other q. (Owner[q] = False && Seen[q, p] = False) } { Owner[p] := True }
        unsafe (p q) { Owner[p] = True && Owner[q] = True }
        unsafe (p q) { Seen[p, q] = True }";
    let same = "const N : 2; type NODE : scalarset(N); var Owner : array [NODE] of boolean;
        Chan : array [NODE] of record Seen : array [NODE] of boolean end;
        startstate for p : NODE do Owner[p] := false; for q : NODE do Chan[p].Seen[q] := false end end end;
        ruleset p : NODE do rule \"take\" forall q : NODE do q != p -> !Owner[q] end ==> Owner[p] := true end end;
        invariant \"one\" forall p : NODE do forall q : NODE do p != q -> !(Owner[p] & Owner[q]) end end;
        invariant \"none\" forall p : NODE do forall q : NODE do p != q -> !Chan[p].Seen[q] end end;";
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (file, text) in [("model.cub", text), ("model.m", same)] {
        std::fs::write(at(file), text).unwrap();
        let (model, certificate, out) = (at(file), at("certificate.json"), at("out"));
        let (code, ..) = run(&["find", shown(&model), "-o", shown(&certificate), "-q"]);
        assert_eq!(code, Some(0));
        for (notation, extension) in [("cubicle", "cub"), ("murphi", "m")] {
            let asked = [shown(&certificate), "--model", shown(&model), "--notation", notation];
            let table = run(&[&["emit", "table"], &asked[..], &["-o", shown(&out)]].concat());
            assert_eq!(table.0, Some(0), "{table:?}");
            let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
            let tables = format!("{}{}", read("invariants.md"), read(&format!("invariants.{extension}")));
            let explained = run(&[&["explain"], &asked[..], &["--invariant", "0"]].concat()).1;
            let report = run(&[&["emit", "report"], &asked[..], &["-o", shown(&at("report"))]].concat());
            assert_eq!(report.0, Some(0), "{report:?}");
            let report = std::fs::read_to_string(at("report").join("report.html")).unwrap();
            let is_cubicle = notation == "cubicle";
            let (expected, other) = if is_cubicle { (&cubicle[..], "!=") } else { (&murphi[..], "<>") };
            let over = if file == "model.m" { "NODE" } else { "proc" };
            for part in expected {
                assert!(tables.contains(&part.replace("proc", over)), "{file}, {notation}, {part}: {tables}");
            }
            assert!(!tables.contains(other), "{tables}");
            let distinct = if is_cubicle { "forall i. forall j. i <> j" } else { "i != j" };
            assert!(explained.contains(distinct) && !explained.contains(other), "{file}, {notation}: {explained}");
            let in_page = if is_cubicle { "i &lt;&gt; j" } else { "i != j" };
            assert!(report.contains(in_page), "{file}, {notation}");
            // A field of a record is a variable of its own, and the indices are in one pair of brackets.
            let seen = match (is_cubicle, file) {
                (true, "model.m") => "Chan_Seen[i, j] = True",
                (true, _) => "Seen[i, j] = True",
                (false, "model.m") => "Chan[i].Seen[j] = true",
                (false, _) => "Seen[i][j] = true",
            };
            assert!(tables.contains(seen), "{file}, {notation}: {tables}");
        }
        // Without the option, the notation is that of the model.
        let (code, ..) =
            run(&["emit", "table", shown(&certificate), "--model", shown(&model), "-o", shown(&at("own"))]);
        let own = if file == "model.m" { "invariants.m" } else { "invariants.cub" };
        assert!(code == Some(0) && at("own").join(own).exists());
        std::fs::remove_dir_all(at("own")).unwrap();
        std::fs::remove_dir_all(at("out")).unwrap();
    }
}

#[test]
fn a_wrong_text_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.CUB");
    std::fs::write(&path, "array A[proc] : bool\ninit (z) { A[z] = Maybe }\n").unwrap();
    let (code, _, error) = run(&["verify", shown(&path), "-q"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("K007") && error.contains("wrong.CUB:2:19"), "{error}");
}

/// Returns the examples on a page with what it says about them.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut example: Option<String> = None;
    for line in page.lines() {
        match (&mut example, line) {
            (None, "```cubicle") => example = Some(String::new()),
            (Some(text), "```") => {
                found.push((std::mem::take(text), String::new()));
                example = None;
            }
            (Some(text), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, _) => {
                if let (Some(said), Some(last)) = (line.strip_prefix("> "), found.last_mut()) {
                    said.clone_into(&mut last.1);
                }
            }
        }
    }
    found
}

#[test]
fn the_examples_on_the_page_have_the_verdicts_that_it_says() {
    let page = std::fs::read_to_string(support::root().join("docs/cubicle.md")).unwrap();
    let examples = examples(&page);
    assert!(examples.len() >= 10);
    let folder = tempfile::tempdir().unwrap();
    for (number, (example, said)) in examples.iter().enumerate() {
        let path = folder.path().join(format!("example{number}.cub"));
        std::fs::write(&path, example).unwrap();
        let (code, out, error) = run(&["verify", shown(&path), "-q"]);
        let is_so = match said.as_str() {
            "proven" => code == Some(0) && out.contains("proven for any number of"),
            "violated" => code == Some(1) && out.contains(": violated"),
            refused => code == Some(2) && error.contains(refused) && refused.starts_with("K0"),
        };
        assert!(is_so, "{example}{said}, but {code:?}: {out}{error}");
    }
}

/// Nodes and the channels between them are processes: a node is its own sender and receiver. Whoever wants to enter asks all others
/// by its channels to them, and waits for those that asked earlier.
const CHANNELS: &str = "\
type phase = Idle | Want | Inside | Empty | Ask | Ok
array At[proc] : phase
array From[proc] : proc
array To[proc] : proc
array Since[proc] : int
var Now : int
init (p) { At[p] = Idle && Since[p] = 0 && Now = 1 }
unsafe (a b c d) {
  At[a] = Inside && At[b] = Inside && At[c] = Ok && At[d] = Ok &&
  From[a] = To[a] && From[b] = To[b] && From[c] = a && To[c] = b && From[d] = b && To[d] = a
}
transition ask (a)
requires { At[a] = Idle && From[a] = To[a] }
{
  Now := Now + 1;
  At[p] := case | p = a : Want | From[p] <> To[p] && From[p] = a : Ask | _ : At[p];
  Since[p] := case | p = a : Now | From[p] <> To[p] && From[p] = a : Now | _ : Since[p]
}
transition grant (b c)
requires { At[b] = Idle && From[b] = To[b] && From[c] <> To[c] && To[c] = b && At[c] = Ask }
{ At[c] := Ok }
transition grant_earlier (b c)
requires { At[b] = Want && From[b] = To[b] && From[c] <> To[c] && To[c] = b && At[c] = Ask && Since[c] < Since[b] }
{ At[c] := Ok }
transition enter (a)
requires { At[a] = Want && From[a] = To[a] && forall_other c. (From[c] = To[c] || From[c] <> a || At[c] = Ok) }
{ At[a] := Inside }
transition leave (a)
requires { At[a] = Inside && From[a] = To[a] }
{ At[p] := case | p = a : Idle | From[p] <> To[p] && From[p] = a : Empty | _ : At[p] }
";

#[test]
fn a_property_of_four_processes_is_proven_where_relations_between_them_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("channels.cub");
    std::fs::write(&path, CHANNELS).unwrap();
    let (code, told) = json(&["verify", shown(&path), "-q", "--json"]);
    assert_eq!((code, told["verdict"].as_str()), (Some(0), Some("proven")), "{told}");

    // Whoever waits grants all requests, and two enter.
    let earlier = " && Since[c] < Since[b]";
    assert!(CHANNELS.contains(earlier));
    std::fs::write(&path, CHANNELS.replace(earlier, "")).unwrap();
    let (code, told) = json(&["verify", shown(&path), "-q", "--json"]);
    assert_eq!((code, told["verdict"].as_str()), (Some(1), Some("violated")), "{told}");
}
