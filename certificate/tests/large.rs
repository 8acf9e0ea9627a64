//! Tampering with a large certificate, such as that of FLASH: random changes of one field.
//!
//! It needs files that are too large for the repository, so it is run by hand:
//! `PARAPROOF_LARGE=FOLDER/NAME cargo test --release -p certificate --test large -- --ignored --nocapture`, where
//! `FOLDER/NAME.system.json` is the lowered system and `FOLDER/NAME.json` its certificate.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a measurement that is run by hand")]

mod support;

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Command;

use certificate::proof::Certificate;
use certificate::{Model, check, check_shard, read, write};
use protocol::System;
use support::tamper::{Field, each_change};

/// How many changes are tried, about.
const WANTED: u64 = 110_000;
/// At most so many of the accepted ones are given to the Python checker.
const SECOND_OPINIONS: usize = 60;

/// A small generator of pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
#[ignore = "it needs PARAPROOF_LARGE and some minutes"]
fn random_changes_are_rejected_or_harmless() {
    let base = std::env::var("PARAPROOF_LARGE").expect("PARAPROOF_LARGE names the files");
    let system: System = serde_json::from_slice(&std::fs::read(format!("{base}.system.json")).unwrap()).unwrap();
    let original = read(&std::fs::read(format!("{base}.json")).unwrap(), &system).unwrap();
    let model = Model { digest: original.model_digest.clone(), settings: original.settings.clone() };
    assert!(check(&system, &original, &model).is_ok());

    let mut total: u64 = 0;
    each_change(
        &system,
        &original,
        &mut || {
            total += 1;
            false
        },
        &mut |_| {},
    );
    let mut random = Random(7);
    let mut tried = 0;
    let mut accepted: BTreeMap<Field, u64> = BTreeMap::new();
    let mut texts = Vec::new();
    each_change(&system, &original, &mut || random.below(total) < WANTED, &mut |tampered| {
        tried += 1;
        if rejected(&system, &original, &tampered.certificate, &model) {
            return;
        }
        *accepted.entry(tampered.field).or_default() += 1;
        let harmless =
            matches!(tampered.field, Field::Origin | Field::Premise | Field::Split | Field::Cube | Field::Invariants);
        assert!(harmless, "{:?} {}", tampered.field, tampered.what);
        texts.push((tampered.what, write(&tampered.certificate, &system)));
    });
    eprintln!("{total} changes of one field, {tried} tried, accepted: {accepted:?}");
    let stride = texts.len().div_ceil(SECOND_OPINIONS).max(1);
    for (what, text) in texts.iter().step_by(stride) {
        let mut path = std::env::temp_dir();
        path.push(format!("paraproof-large-{}.json", std::process::id()));
        std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/check_certificate.py");
        let status =
            Command::new("python3").args([script, &format!("{base}.system.json")]).arg(&path).status().unwrap();
        assert!(status.success(), "{what}: the Python checker rejects what ours accepts");
        std::fs::remove_file(&path).unwrap();
    }
}

/// Whether the checker rejects. Where only relations differ, rules whose relations are the same need no look: the
/// original was accepted. The first shard is looked at in any case, since it checks the order of all relations.
fn rejected(system: &System, original: &Certificate, changed: &Certificate, model: &Model) -> bool {
    let same_head =
        (&original.model_digest, &original.settings, &original.properties, &original.invariants, &original.initial)
            == (&changed.model_digest, &changed.settings, &changed.properties, &changed.invariants, &changed.initial);
    if !same_head {
        return check(system, changed, model).is_err();
    }
    let of = u32::try_from(system.rules.len()).unwrap();
    let differs = |rule: u32| {
        let of_rule = |c: &Certificate| c.relations.iter().filter(|e| e.rule.0 == rule).cloned().collect::<Vec<_>>();
        of_rule(original) != of_rule(changed)
    };
    let shard = |number| !check_shard(system, changed, model, "", number, of).unwrap().faults.is_empty();
    (0..of).any(|rule| differs(rule) && shard(rule + 1)) || shard(1)
}
