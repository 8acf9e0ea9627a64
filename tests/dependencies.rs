//! Holds the dependencies that section 2 of the design allows.
//!
//! The independence of the checker is an argument for trusting it, so it is tested: on what cargo resolves, with all
//! features, and not on what a page says. Dependencies of tests are left out: they are in no shipped program.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// For each of our crates, those of our crates that it may depend on.
const ALLOWED: [(&str, &[&str]); 6] = [
    ("system", &[]),
    ("murphi", &["system"]),
    ("certificate", &["system"]),
    ("invfinder", &["system", "certificate"]),
    ("proofgen", &["system", "certificate", "murphi"]),
    ("paraproof", &["system", "murphi", "certificate", "invfinder", "proofgen"]),
];

/// Names of crates with a decision procedure in them begin like this.
const SOLVERS: [&str; 11] =
    ["batsat", "z3", "splr", "varisat", "cadical", "kissat", "minisat", "rustsat", "cvc5", "bitwuzla", "boolector"];

/// For each package, what it depends on when it is built for use.
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
        let names: BTreeMap<String, String> =
            list(&metadata["packages"]).iter().map(|package| (text(&package["id"]), text(&package["name"]))).collect();
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
fn our_crates_depend_only_on_what_the_design_allows() {
    let graph = Graph::read();
    let ours: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    for (name, allowed) in ALLOWED {
        for dependency in graph.direct(name).iter().filter(|name| ours.contains(name.as_str())) {
            assert!(allowed.contains(&dependency.as_str()), "{name} depends on {dependency}");
        }
    }
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
    for name in ["system", "murphi", "certificate", "proofgen"] {
        let reachable = graph.reachable(name);
        assert!(!reachable.contains("invfinder"), "{name} reaches the search");
        let solvers: Vec<&String> = reachable.iter().filter(|name| is_solver(name)).collect();
        assert!(solvers.is_empty(), "{name} reaches {solvers:?}");
    }
}

/// The search may use the certificate's format, but not its checker: otherwise a mistake in the checker's logic would be
/// repeated where certificates are made.
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
        for forbidden in ["certificate::check", "CheckedCertificate", "certificate::{check", "use certificate::kernel"]
        {
            assert!(!text.contains(forbidden), "{}: {forbidden}", entry.path().display());
        }
    }
    assert!(files > 0, "no source files were looked at");
}
