//! Translates models between the two languages, and compares the verdicts and the reachable states of both.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Header, models_with, paraproof};

/// Models in Cubicle's language without a counterpart in Murphi, with what is refused.
const NOT_IN_MURPHI: [(&str, &str); 3] = [
    ("pool", "initial numbers within limits"),
    ("queue_broken", "a choice among all numbers"),
    ("versions", "a number that is only known to be a constant"),
];

/// Models whose translations to Murphi have no counterpart in Cubicle's language: numbers, the order of processes, and what is no
/// process are lowered to what that language does not have.
const NOT_BACK: [&str; 4] = ["priority", "priority_broken", "queue", "token"];

/// Models in which each variable has a certain value in the initial states, and that choose none later. A value that nothing has
/// read does not count in an instance of Cubicle's language, and does in one of Murphi.
const SAME_STATES: [&str; 6] = ["mesi", "permissions", "priority", "queue", "semaphore", "token"];

/// Murphi models that have a counterpart in Cubicle's language.
const IN_CUBICLE: [&str; 14] = [
    "berkeley",
    "dekker_n",
    "dragon",
    "firefly",
    "german",
    "german_baukus",
    "germanish",
    "illinois",
    "mesi",
    "moesi",
    "mutdata",
    "mutualex",
    "synapse",
    "broken/mesi_silent_upgrade",
];

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Translates a model, and returns what the command says if it refuses.
fn translate(model: &Path, out: &Path) -> Result<(), String> {
    let output = paraproof().args(["translate", shown(model), "-o", shown(out)]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    match output.status.code() {
        Some(0) => Ok(()),
        Some(2) => Err(error),
        other => panic!("{}: {other:?}: {error}", model.display()),
    }
}

fn json(arguments: &[&str]) -> Value {
    let output = paraproof().args(arguments).args(["-q", "--json"]).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn verdict(model: &Path) -> String {
    json(&["verify", shown(model)])["verdict"].as_str().unwrap().to_owned()
}

fn expected(header: &Header) -> &'static str {
    if header.proven { "proven" } else { "violated" }
}

#[test]
fn models_in_cubicles_language_have_the_same_verdict_in_murphi_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut back_again = 0;
    for header in models_with("cub", "cub") {
        let name = header.name();
        let (there, back) = (folder.path().join(format!("{name}.m")), folder.path().join(format!("{name}.cub")));
        let translated = translate(&header.path, &there);
        if let Some((_, what)) = NOT_IN_MURPHI.iter().find(|(model, _)| *model == name) {
            let refused = translated.unwrap_err();
            assert!(
                refused.contains("T001") && refused.contains(what) && refused.contains("help"),
                "{name}: {refused}"
            );
            assert!(!there.exists(), "{name}");
            continue;
        }
        translated.unwrap();
        let own = Header::read(&there);
        assert_eq!(
            (own.proven, own.violates),
            (header.proven, header.violates.clone()),
            "the comment at the head stays"
        );
        let told = json(&["verify", shown(&there)]);
        assert_eq!(told["verdict"], expected(&header), "{name}: {told}");
        assert_eq!(told["property"].as_str(), header.violates.as_deref(), "{name}");
        let translated = translate(&there, &back);
        if NOT_BACK.contains(&name.as_str()) {
            assert!(translated.unwrap_err().contains("T002"), "{name}");
            continue;
        }
        translated.unwrap();
        assert_eq!(verdict(&back), expected(&header), "{name}");
        back_again += 1;
    }
    assert!(back_again >= 8, "{back_again}");
}

#[test]
fn an_instance_of_a_translation_has_the_same_states() {
    let folder = tempfile::tempdir().unwrap();
    for name in SAME_STATES {
        let path = support::root().join(format!("models/cub/{name}.cub"));
        let there = folder.path().join(format!("{name}.m"));
        translate(&path, &there).unwrap();
        let header = Header::read(&path);
        assert!(header.states.len() >= 2, "{name}");
        for (settings, states) in header.states {
            let settings =
                settings.iter().map(|setting| setting.replace("proc=", "PROC_NUM=").replace("int=", "INT_MAX="));
            let settings: Vec<String> = settings.flat_map(|setting| ["-D".to_owned(), setting]).collect();
            let mut arguments = vec!["simulate", shown(&there), "--no-symmetry"];
            arguments.extend(settings.iter().map(String::as_str));
            assert_eq!(json(&arguments)["states"], states, "{name} {settings:?}");
        }
    }
}

#[test]
fn murphi_models_have_the_same_verdict_in_cubicles_language_and_back() {
    let folder = tempfile::tempdir().unwrap();
    for name in IN_CUBICLE {
        let header = Header::read(&support::root().join(format!("models/{name}.m")));
        let (there, back) = (folder.path().join("there.cub"), folder.path().join("back.m"));
        translate(&header.path, &there).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(verdict(&there), expected(&header), "{name}");
        translate(&there, &back).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(verdict(&back), expected(&header), "{name}");
    }
}

/// The states of both texts at 2 and 3 processes.
#[test]
fn a_murphi_model_has_the_same_states_in_cubicles_language() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["mesi", "moesi", "mutualex"] {
        let header = Header::read(&support::root().join(format!("models/{name}.m")));
        let there = folder.path().join(format!("{name}.cub"));
        translate(&header.path, &there).unwrap();
        assert!(header.states.len() >= 2, "{name}");
        for (settings, states) in header.states {
            let setting = settings.concat().replace("NODE_NUM=", "proc=");
            let told = json(&["simulate", shown(&there), "--no-symmetry", "-D", &setting]);
            assert_eq!(told["states"], states, "{name} {setting}");
        }
    }
}

#[test]
fn a_model_is_not_translated_to_its_own_language() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.m");
    assert!(translate(Path::new("models/mesi.m"), &out).unwrap_err().contains("the same language"));
    let wrong: PathBuf = folder.path().join("wrong.cub");
    std::fs::write(&wrong, "init { X = True }").unwrap();
    assert!(translate(&wrong, &out).unwrap_err().contains("K007"));
    assert!(!out.exists());
}
