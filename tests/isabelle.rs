//! Isabelle, where there is one, accepts the theories of a whole protocol.

#![allow(clippy::unwrap_used, reason = "it is a test")]

#[path = "../proofgen/tests/support/isabelle.rs"]
mod installed;
mod support;

use std::fs;

#[test]
fn isabelle_accepts_german() {
    let folder = tempfile::tempdir().unwrap();
    support::paraproof().args(["verify", "models/german.m", "-q", "-o"]).arg(folder.path()).assert().success();
    let theories = folder.path().join("isabelle");
    let last = fs::read_to_string(theories.join("german.thy")).unwrap();
    assert!(last.contains("theorem CntrlProp:"), "the last theory states the property");
    if let Some(output) = installed::isabelle(&theories) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
