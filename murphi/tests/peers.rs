//! Compares the front-end with CMurphi and rumur on the same texts, if they are installed.
//!
//! The question is only whether a text is valid Murphi. Where we differ from both, the test states the reason.

mod support;
#[path = "../../tests/support/tools.rs"]
mod tools;

use std::process::{Command, Stdio};

use murphi::diagnostics::Severity;
use murphi::lower::LowerOptions;
use murphi::{Options, elaborate, parse};
use support::document::{document, sections};
use support::generate::{Reader, program, random_bytes};
use system::notation::Notation;
use system::{Comparison, IndexTerm, IndexVariableId, Literal, TRUE, Term, Universal, VariableId};
use tools::tool;

/// The answer about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Accepted,
    Refused,
    /// The tool is not installed, or crashes on the text, as rumur 2022 sometimes does.
    Absent,
}

fn of(accepted: bool) -> Answer {
    if accepted { Answer::Accepted } else { Answer::Refused }
}

/// Reports the peers that this test does not use.
fn report_absent() {
    for name in ["mu", "rumur"] {
        let _ = tool(name);
    }
}

fn cmurphi(text: &str) -> Answer {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("model.m"), text).expect("the folder is writable");
    let run = Command::new("mu").arg("model.m").current_dir(folder.path()).output();
    run.map_or(Answer::Absent, |_| of(folder.path().join("model.cpp").exists()))
}

fn rumur(text: &str) -> Answer {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("model.m");
    std::fs::write(&path, text).expect("the folder is writable");
    let run = Command::new("rumur").arg("--output").arg("/dev/null").arg(&path).stderr(Stdio::null()).status();
    run.ok().and_then(|status| status.code()).map_or(Answer::Absent, |code| of(code == 0))
}

fn ours(text: &str) -> Answer {
    let (ast, errors) = parse(text);
    let errors =
        if errors.is_empty() { elaborate(&ast, &Options::default()).err().unwrap_or_default() } else { errors };
    of(errors.iter().all(|error| error.severity != Severity::Error))
}

/// The codes of errors that a peer does not have, or reports only when the checker that it generates is compiled or
/// run.
const OURS_ALONE: &[(&str, &str)] = &[
    ("P002", "the peers have no limit"),
    ("P004", "CMurphi has real numbers"),
    ("E001", "the peers have no settings"),
    ("E031", "the peers have recursion"),
    ("E039", "the peers meet their limits when the checker is compiled or run"),
    ("E033", "the peers have effects in guards, each in its own way"),
];

/// The codes whose examples rumur does not refuse: it accepts them, or crashes (E012). CMurphi refuses them.
const BY_CMURPHI: &[&str] = &["P006", "E012", "E016", "E021", "E027", "E032", "E034"];

/// The codes whose examples CMurphi accepts and rumur refuses.
const BY_RUMUR: &[&str] = &["P005"];

/// Every example is refused by at least one of the peers, each of which can be used without the other.
#[test]
fn what_we_refuse_is_refused_by_a_peer() {
    assert!(BY_CMURPHI.iter().all(|code| !BY_RUMUR.contains(code)), "a text that no peer refuses");
    let peers = [("rumur", rumur as fn(&str) -> Answer, BY_CMURPHI), ("mu", cmurphi, BY_RUMUR)];
    let peers: Vec<_> = peers.into_iter().filter(|(name, ..)| tool(name)).collect();
    let mut wrong = Vec::new();
    for section in sections(&document()) {
        let own = OURS_ALONE.iter().any(|(code, _)| *code == section.code);
        if own || !section.code.starts_with(['P', 'E']) {
            continue;
        }
        // With a startstate and a rule, there is no other reason to refuse the example.
        let completion = if section.code == "E036" { "" } else { "startstate begin end; rule begin end;" };
        let text = format!("{}{completion}", section.example);
        assert_eq!(ours(&text), Answer::Refused, "{text}");
        for (name, ask, not_refused) in &peers {
            let answer = ask(&text);
            if (answer == Answer::Refused) == not_refused.contains(&section.code.as_str()) {
                wrong.push(format!("{} {name}: {answer:?}\n{text}", section.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_we_warn_of_is_accepted_by_the_peers() {
    report_absent();
    // CMurphi refuses shadowed quantifiers and models without rules.
    for section in sections(&document()).iter().filter(|section| section.code.starts_with('W')) {
        assert_eq!(ours(&section.example), Answer::Accepted);
        assert_ne!(rumur(&section.example), Answer::Refused, "{}", section.example);
        if matches!(section.code.as_str(), "W001" | "W003") {
            assert_ne!(cmurphi(&section.example), Answer::Refused, "{}", section.example);
        }
    }
}

/// Features of the language, each in a complete model, with the verdicts of CMurphi and rumur 2022.
const FEATURES: &[(&str, Answer, Answer)] = &[
    ("rule begin x := !x end;", Answer::Accepted, Answer::Accepted),
    ("rule \"é\" x ==> x := false; end;", Answer::Accepted, Answer::Accepted),
    ("ruleset i : 0..1; j : 0..1 do rule i = j ==> x := true; end; end;", Answer::Accepted, Answer::Accepted),
    ("ruleset i : 0..1; j : 0..1; do rule i = j ==> x := true; end; end;", Answer::Refused, Answer::Refused),
    ("rule x := true end;", Answer::Refused, Answer::Refused),
    ("rule 3 \"high\" x ==> x := false; end;", Answer::Accepted, Answer::Refused),
    ("rule for i := 3 to 0 by -1 do x := !x end end;", Answer::Accepted, Answer::Accepted),
    ("rule begin x := undefined; end;", Answer::Accepted, Answer::Refused),
    ("rule begin x := (x ? false : true); end;", Answer::Accepted, Answer::Accepted),
    ("rule switch x case true, false: x := false; else x := true; end end;", Answer::Accepted, Answer::Accepted),
    ("rule alias y : x do y := false; end; end;", Answer::Accepted, Answer::Accepted),
    ("rule while x do x := false; end; end;", Answer::Accepted, Answer::Accepted),
    ("rule x -> (x -> x) ==> clear x; end; invariant \"i\" x | !x;", Answer::Accepted, Answer::Accepted),
    ("rule x = !x & x ==> put x; put \"text\"; assert x \"m\"; error \"e\"; end;", Answer::Accepted, Answer::Accepted),
    ("rule begin x := isundefined(x) end; assume x; cover x;", Answer::Refused, Answer::Accepted),
    ("rule end; invariant forall i : 0..1 : x end;", Answer::Accepted, Answer::Refused),
    ("rule x == x && x || x ==> end;", Answer::Refused, Answer::Accepted),
    ("rule 1 << 2 >> 1 = (~5 & 3 | 6 ^ 2) ==> end;", Answer::Refused, Answer::Accepted),
    ("rule begin switch x case true,: x := false; end; end;", Answer::Refused, Answer::Accepted),
    ("rule begin alias a, b : x do a := b; end; end;", Answer::Refused, Answer::Accepted),
];

#[test]
fn features_are_read_as_by_the_peers() {
    report_absent();
    for (rule, by_cmurphi, by_rumur) in FEATURES {
        let text = format!("var x : boolean; startstate begin x := true; end; {rule}");
        assert_eq!(ours(&text), Answer::Accepted, "{text}");
        for (answer, expected) in [(cmurphi(&text), by_cmurphi), (rumur(&text), by_rumur)] {
            assert!(answer == Answer::Absent || answer == *expected, "{answer:?}: {text}");
        }
    }
}

#[test]
fn generated_programs_are_read_by_the_peers() {
    report_absent();
    let mut byte = random_bytes(0x2545_f491_4f6c_dd1d);
    for _ in 0..20 {
        let bytes: Vec<u8> = (0..250).map(|_| byte()).collect();
        let text = program(&bytes, Reader::Everybody);
        assert_eq!(ours(&text), Answer::Accepted, "{text}");
        assert_ne!(cmurphi(&text), Answer::Refused, "{text}");
        assert_ne!(rumur(&text), Answer::Refused, "{text}");
        let text = program(&bytes, Reader::CMurphi);
        assert_eq!(ours(&text), Answer::Accepted, "{text}");
        assert_ne!(cmurphi(&text), Answer::Refused, "{text}");
    }
}

#[test]
fn printed_invariants_with_universal_parts_are_read_by_the_peers() {
    report_absent();
    let model = "type n: scalarset(3); m: scalarset(2); var a: array [n] of boolean; e: array [n] of array [m] of 0..2; \
        startstate begin clear a; clear e; end; ruleset i: n do rule begin a[i] := !a[i]; end; end; \
        invariant forall i: n do forall j: m do a[i] | e[i][j] < 2 end end;";
    let program = murphi::read(model, &Options::default()).expect("it is a model");
    let system = murphi::lower::lower(&program, &LowerOptions::default()).expect("it can be lowered").system;
    let mut cube = system.properties[0].bad[0].clone();
    let [n, m] = [cube.variables[0], cube.variables[1]];
    let at = |number| IndexTerm::Variable(IndexVariableId(number));
    let a = |number| Literal {
        left: Term::Read(VariableId(0), vec![at(number)]),
        comparison: Comparison::Equal,
        right: Term::Constant(TRUE),
    };
    cube.universals = vec![
        Universal { variables: vec![n, n], literals: vec![a(2), a(3)] },
        Universal { variables: vec![n, m], literals: vec![] },
    ];
    let notation = Notation::new(&system);
    let invariant = notation.invariant(&cube, &notation.names(&cube.variables));
    assert_eq!(invariant.to_string().matches("exists").count(), 4);
    let text = format!("{model} invariant {invariant};");
    assert_eq!(ours(&text), Answer::Accepted, "{text}");
    assert_ne!(rumur(&text), Answer::Refused, "{text}");
    assert_ne!(cmurphi(&text), Answer::Refused, "{text}");
}
