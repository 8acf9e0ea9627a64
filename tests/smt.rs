//! Z3's second opinion on the certificate of every model. It needs the feature `z3`; see `scripts/setup-z3`.

#![cfg(feature = "z3")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use support::{models, paraproof};

#[test]
fn smt_z3_confirms_every_certificate() {
    let mut confirmed = 0;
    for header in models("") {
        let output = paraproof().arg("verify").arg(&header.path).args(["-q", "--smt", "z3"]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        // Universal parts are not encoded, and the command says so.
        if errors.contains("not checked by Z3: the certificate needs invariants or assumptions with 'there is'") {
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{}: {errors}", header.name());
        confirmed += 1;
    }
    assert!(confirmed >= 40, "{confirmed} confirmed");
}
