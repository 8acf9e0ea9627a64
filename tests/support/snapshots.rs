//! Compares what `verify` writes for a model with what it wrote before.
//!
//! A snapshot in `tests/snapshots` has, for each format of tables and for the report, the number of bytes, a digest and
//! the first lines; for small models it has all lines, so that a reader sees what changed. Digests keep the repository
//! small: the tables of FLASH are several megabytes. After an intended change, `INSTA_UPDATE=always cargo test --test
//! models` writes the snapshots again.

#![allow(clippy::unwrap_used, reason = "it is a part of tests")]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::support::root;

const FILES: [&str; 7] = [
    "invariants.md",
    "invariants.csv",
    "invariants.json",
    "invariants.tex",
    "invariants.m",
    "relations.csv",
    "report.html",
];
/// Models whose snapshots have all lines.
const WHOLE: [&str; 3] = ["germanish", "mesi", "mutualex"];
/// The number of lines in other snapshots, and the length of each.
const LINES: usize = 8;
const WIDTH: usize = 160;

/// Compares the results of a model with its snapshot.
pub(crate) fn compare(model: &str, out: &Path) {
    let mut text = String::new();
    for file in FILES {
        let content = fs::read_to_string(out.join(file)).unwrap();
        let content = if file == "report.html" { told(&content) } else { content };
        let digest = Sha256::digest(content.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        writeln!(text, "== {file}: {} bytes, SHA-256 {digest}", content.len()).unwrap();
        let lines = if WHOLE.contains(&model) { usize::MAX } else { LINES };
        for line in content.lines().take(lines) {
            let width = if WHOLE.contains(&model) { usize::MAX } else { WIDTH };
            writeln!(text, "{}", line.chars().take(width).collect::<String>()).unwrap();
        }
        // The report writes a slash as a character reference.
        let plain = content.replace("&#x2f;", "/");
        assert!(!plain.contains(&*root().to_string_lossy()), "{model}: {file} has a path of this machine");
    }
    insta::with_settings!({
        snapshot_path => "../snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
        description => "all lines, or the first ones and a digest; see tests/support/snapshots.rs",
    }, { insta::assert_snapshot!(model, text) });
}

/// Returns a report without its style and script, which are the same in all reports.
fn told(report: &str) -> String {
    let mut told = report.to_owned();
    for (begin, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (before, rest) = told.split_once(begin).unwrap();
        told = format!("{before}{}", rest.split_once(end).unwrap().1);
    }
    told
}
