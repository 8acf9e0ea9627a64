//! The second checker, `scripts/check_certificate.py`, which was written from `FORMAT.md`, agrees with this one on good
//! and on tampered certificates. Without `python3`, the tests are skipped, which they report.
//!
//! One in `STRIDE` changes is tried by default; `PARAPROOF_ALL_CHANGES=1` tries all.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests, which report what they skip and count")]

mod support;

use certificate::{check, read, write};
use support::prove::{certify, model};
use support::python;
use support::systems::{all_examples, claiming};
use support::tamper::{all_changes, claim_changes};
use system::System;

const STRIDE: usize = 19;

/// Whether this crate reads and accepts the text.
fn accepts(system: &System, text: &str) -> bool {
    read(text.as_bytes(), system).is_ok_and(|certificate| check(system, &certificate, &model()).is_ok())
}

#[test]
fn good_certificates_are_accepted_by_both() {
    if !python::is_there() {
        return;
    }
    for example in all_examples() {
        let text = write(&certify(&example.system, &example.cubes), &example.system);
        assert_eq!(python::first_lines(&example.system, &model(), &[text]), ["accepted"], "{}", example.name);
    }
}

/// Both checkers compare every field of the claim.
#[test]
fn both_reject_another_claim() {
    if !python::is_there() {
        return;
    }
    let example = claiming();
    let text = write(&certify(&example.system, &example.cubes), &example.system);
    let changes = claim_changes(&text);
    let texts: Vec<String> = std::iter::once(text).chain(changes.iter().map(|(_, text)| text.clone())).collect();
    let theirs = python::first_lines(&example.system, &model(), &texts);
    assert_eq!(theirs[0], "accepted");
    assert!(accepts(&example.system, &texts[0]));
    for ((what, changed), theirs) in changes.iter().zip(&theirs[1..]) {
        assert!(!accepts(&example.system, changed), "{what}");
        assert_ne!(theirs, "accepted", "{what}");
    }
}

#[test]
fn both_agree_on_tampered_certificates() {
    if !python::is_there() {
        return;
    }
    let stride = if std::env::var_os("PARAPROOF_ALL_CHANGES").is_some() { 1 } else { STRIDE };
    let mut tried = 0;
    for (start, example) in all_examples().into_iter().enumerate() {
        let certificate = certify(&example.system, &example.cubes);
        let mut chosen = Vec::new();
        for (position, tampered) in all_changes(&example.system, &certificate).into_iter().enumerate() {
            if position % stride == start % stride {
                let text = write(&tampered.certificate, &example.system);
                let ours = accepts(&example.system, &text);
                chosen.push((tampered.what, ours, text));
            }
        }
        let texts: Vec<String> = chosen.iter().map(|(_, _, text)| text.clone()).collect();
        let theirs = python::first_lines(&example.system, &model(), &texts);
        for ((what, ours, _), theirs) in chosen.iter().zip(theirs) {
            assert_eq!(*ours, theirs == "accepted", "{}: {what}: the Python checker says {theirs}", example.name);
        }
        tried += texts.len();
    }
    eprintln!("both checkers agree on {tried} tampered certificates");
}
