//! Checks the dependencies that section 2 of the design allows.
//!
//! The independence of the checker is an argument for trusting it, so it is tested on the dependencies that cargo
//! resolves, with all features, rather than on what a page says. Dependencies of tests are ignored, since no shipped
//! program contains them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Our crates, each with those of our crates that it may depend on.
const ALLOWED: [(&str, &[&str]); 10] = [
    ("system", &[]),
    ("murphi", &["system"]),
    ("cubicle", &["system"]),
    ("certificate", &["system"]),
    ("invfinder", &["system", "certificate"]),
    ("abstraction", &["system", "certificate"]),
    ("proofgen", &["system", "certificate"]),
    ("editor", &["system", "murphi"]),
    ("translation", &["system", "murphi", "cubicle"]),
    (
        "paraproof",
        &[
            "system",
            "murphi",
            "cubicle",
            "certificate",
            "invfinder",
            "abstraction",
            "proofgen",
            "editor",
            "translation",
        ],
    ),
];

/// Prefixes of the names of crates that contain a decision procedure.
const SOLVERS: [&str; 11] =
    ["batsat", "z3", "splr", "varisat", "cadical", "kissat", "minisat", "rustsat", "cvc5", "bitwuzla", "boolector"];

/// The dependencies of each package in a normal build.
struct Graph(BTreeMap<String, BTreeSet<String>>);

impl Graph {
    fn read() -> Self {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
            .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let list = |value: &Value| value.as_array().unwrap().clone();
        // Some crates have another name in the registry.
        let crate_name = |package: &Value| text(&package["name"]).trim_start_matches("paraproof-").to_owned();
        let names: BTreeMap<String, String> =
            list(&metadata["packages"]).iter().map(|package| (text(&package["id"]), crate_name(package))).collect();
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for node in list(&metadata["resolve"]["nodes"]) {
            let dependencies = list(&node["deps"]);
            let for_use = dependencies
                .iter()
                .filter(|dependency| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev"))
                .map(|dependency| names[&text(&dependency["pkg"])].clone());
            edges.entry(names[&text(&node["id"])].clone()).or_default().extend(for_use);
        }
        Self(edges)
    }

    fn direct(&self, package: &str) -> &BTreeSet<String> {
        &self.0[package]
    }

    fn reachable(&self, package: &str) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut open = vec![package.to_owned()];
        while let Some(package) = open.pop() {
            for next in self.direct(&package) {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        seen
    }
}

fn is_solver(package: &str) -> bool {
    SOLVERS.iter().any(|solver| package == *solver || package.starts_with(&format!("{solver}-")))
}

#[test]
fn our_crates_depend_on_exactly_what_the_design_says() {
    let graph = Graph::read();
    let ours: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    for (name, allowed) in ALLOWED {
        let found: BTreeSet<&str> =
            graph.direct(name).iter().map(String::as_str).filter(|dependency| ours.contains(dependency)).collect();
        assert_eq!(found, allowed.iter().copied().collect(), "{name}");
    }
}

/// A crate that is not in the table is held to nothing.
#[test]
fn every_crate_is_in_the_table() {
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = ")).unwrap();
    let members: Vec<String> = serde_json::from_str(members).unwrap();
    let known: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    let there: BTreeSet<&str> = members.iter().map(String::as_str).chain(["paraproof"]).collect();
    assert_eq!(known, there);
}

/// What comes after a front-end does not ask in which language a model is written: the command names the languages where it
/// chooses a front-end, and Murphi where it reads the abstract models that it wrote in Murphi.
#[test]
fn the_command_names_a_language_in_two_places() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut named = BTreeSet::new();
    for entry in walkdir::WalkDir::new(&sources) {
        let entry = entry.unwrap();
        if entry.path().extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        if code.filter(|line| line.contains("murphi::") || line.contains("cubicle::")).count() > 0 {
            named.insert(entry.path().strip_prefix(&sources).unwrap().to_owned());
        }
    }
    let expected = ["commands/emit.rs", "model.rs"];
    assert_eq!(named, expected.into_iter().map(std::path::PathBuf::from).collect());
}

#[test]
fn solvers_and_threads_are_seen_where_they_belong() {
    let graph = Graph::read();
    for (name, _) in ALLOWED {
        for dependency in graph.direct(name) {
            if is_solver(dependency) {
                assert_eq!(name, "invfinder", "{name} sees the solver {dependency}");
            }
            if dependency == "rayon" {
                assert!(["invfinder", "certificate"].contains(&name), "{name} sees rayon");
            }
        }
    }
    for name in ["system", "murphi", "cubicle", "certificate", "abstraction", "proofgen", "editor", "translation"] {
        let reachable = graph.reachable(name);
        assert!(!reachable.contains("invfinder"), "{name} reaches the search");
        let solvers: Vec<&String> = reachable.iter().filter(|name| is_solver(name)).collect();
        assert!(solvers.is_empty(), "{name} reaches {solvers:?}");
    }
}

/// The search may use the certificate's format, but not its checker: otherwise a mistake in the checker's logic would
/// be repeated where certificates are made.
#[test]
fn the_search_does_not_use_the_checker() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("invfinder/src");
    let mut files = 0;
    for entry in walkdir::WalkDir::new(sources) {
        let entry = entry.unwrap();
        if entry.path().extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(entry.path()).unwrap();
        // An example in a comment may check what the search found.
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for forbidden in ["certificate::check", "CheckedCertificate", "certificate::{check", "use certificate::kernel"]
        {
            assert!(!code.contains(forbidden), "{}: {forbidden}", entry.path().display());
        }
    }
    assert!(files > 0, "no source files were looked at");
}
