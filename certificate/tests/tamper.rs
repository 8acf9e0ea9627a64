//! Tampering: every change of one field of a good certificate is rejected, or is a valid proof again.
//!
//! The changes that are accepted are of few kinds: another origin (which proves nothing), another premise that does the
//! same, another order of premises. The Python checker in `python.rs` and the explicit instances in `explicit.rs` check
//! what is accepted here, too.

mod support;

use certificate::{check, read, write};
use support::prove::{certify, model};
use support::systems::all_examples;
use support::tamper::{Field, all_changes};

/// One in this many changes is tried by default. `PARAPROOF_ALL_CHANGES=1` tries all.
const STRIDE: usize = 3;

#[test]
fn every_change_is_rejected_or_harmless() {
    let stride = if std::env::var_os("PARAPROOF_ALL_CHANGES").is_some() { 1 } else { STRIDE };
    for example in all_examples() {
        let certificate = certify(&example.system, &example.cubes);
        let changes = all_changes(&example.system, &certificate);
        assert!(changes.len() > 100, "{}: {} changes", example.name, changes.len());
        for tampered in changes.into_iter().step_by(stride) {
            let in_memory = check(&example.system, &tampered.certificate, &model());
            if let Err(faults) = &in_memory {
                assert!(!faults.is_empty(), "{}: {}", example.name, tampered.what);
                assert!(
                    faults
                        .iter()
                        .all(|fault| !fault.report(&example.system, &tampered.certificate).to_string().is_empty())
                );
            }
            // What is written is either read as the same, or refused.
            let text = write(&tampered.certificate, &example.system);
            match read(text.as_bytes(), &example.system) {
                Ok(again) => assert_eq!(again, tampered.certificate, "{}: {}", example.name, tampered.what),
                Err(_) => assert!(in_memory.is_err(), "{}: {}", example.name, tampered.what),
            }
            if in_memory.is_ok() {
                let harmless = matches!(
                    tampered.field,
                    Field::Origin | Field::Premise | Field::Split | Field::Cube | Field::Invariants
                );
                assert!(harmless, "{}: {:?} {}", example.name, tampered.field, tampered.what);
            }
        }
    }
}
