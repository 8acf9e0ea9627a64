//! Theories of systems with numbers and with an order on an index type: their text, and whether Isabelle accepts them.
//!
//! Without an Isabelle, the tests that need it say so and check only the text.

#![allow(clippy::duplicate_mod, reason = "each of two helpers reports absent tools")]
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "../../certificate/tests/support/mod.rs"]
mod support;

#[path = "support/formulas.rs"]
mod formulas;

#[path = "support/isabelle.rs"]
mod installed;

#[path = "support/ordered.rs"]
mod ordered;

use std::path::Path;

use certificate::check;
use formulas::with_formulas;
use installed::isabelle;
use proofgen::isabelle::{Evaluate, Fault, Style, emit};
use support::prove::{certify, model};
use support::systems::{Example, bakery, greatest, scales, ticket_lock};

type Files = Vec<(String, String)>;

fn emitted(example: &Example, style: Style) -> Result<Files, Fault> {
    let system = with_formulas(&example.system);
    let certificate = certify(&system, &example.cubes);
    let checked = check(&system, &certificate, &model()).expect("the checker accepts the example");
    emit(&checked, example.name, style)
}

fn lemmas(example: &Example) -> Files {
    emitted(example, Style::Lemmas).unwrap_or_else(|fault| panic!("{}: {fault}", example.name))
}

fn text_of<'f>(files: &'f mut Files, name: &str) -> &'f mut String {
    &mut files.iter_mut().find(|(own, _)| own == name).unwrap().1
}

fn write(folder: &Path, files: &[(String, String)]) {
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn isabelle_accepts_the_theories() {
    let folder = tempfile::tempdir().unwrap();
    let mut theories = Vec::new();
    for example in [ticket_lock(), bakery(), scales(), greatest(), ordered::gate(), ordered::added()] {
        let files = lemmas(&example);
        write(folder.path(), &files);
        theories.extend(files.into_iter().filter_map(|(name, _)| name.strip_suffix(".thy").map(str::to_owned)));
    }
    theories.sort();
    theories.dedup();
    let root = format!("session Together = HOL +\n  theories\n{}\n", theories.join("\n"));
    std::fs::write(folder.path().join("ROOT"), root).unwrap();
    if let Some(output) = isabelle(folder.path()) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// Checks that Isabelle rejects the theories of an example after a change, and names a place in the file.
fn assert_rejected(example: &Example, file: &str, (from, to): (&str, &str), blamed: &str) {
    let mut files = lemmas(example);
    let text = text_of(&mut files, file);
    assert!(text.contains(from), "{file} has no {from}");
    *text = text.replacen(from, to, 1);
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files);
    if let Some(output) = isabelle(folder.path()) {
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "accepted: {} with {to} for {from}", example.name);
        assert!(said.lines().any(|line| line.contains("(line ") && line.contains(blamed)), "{said}");
    }
}

#[test]
fn isabelle_rejects_a_number_that_is_one_too_great() {
    // Who leaves serves the ticket after the next one.
    let skips = ("serving s' = serving s + 1", "serving s' = serving s + 2");
    assert_rejected(&ticket_lock(), "ticket_lock_Definitions.thy", skips, "ticket_lock_Rules_1.thy");
}

#[test]
fn isabelle_rejects_a_bound_that_is_not_strict() {
    // A node may take the number of a node that is inside.
    let same = (r"n s v2 < choice s", r"n s v2 \<le> choice s");
    assert_rejected(&bakery(), "bakery_Definitions.thy", same, "bakery_Rules_1.thy");
}

#[test]
fn isabelle_rejects_an_order_with_equal_elements() {
    let all_equal = ("rank s i = int i", "rank s i = 0");
    assert_rejected(&ordered::gate(), "gate_Definitions.thy", all_equal, "gate_Invariants.thy");
}

#[test]
fn isabelle_rejects_a_proof_without_one_of_the_bounds() {
    // The bounds of a cycle are named one by one.
    let bound = ("inv4[OF before] inv5[OF before]", "inv4[OF before]");
    assert_rejected(&ordered::added(), "added_Rules_1.thy", bound, "added_Rules_1.thy");
}

#[test]
fn ranks_are_defined_and_nothing_is_assumed_about_them() {
    let mut files = lemmas(&bakery());
    let definitions = text_of(&mut files, "bakery_Definitions.thy").clone();
    assert!(definitions.contains("imports ParaProof_Numbers\n"), "{definitions}");
    assert!(definitions.contains("\"rank s i = int i\""), "{definitions}");
    assert!(definitions.contains("\"n s i = number (s 2 [i])\""), "{definitions}");
    assert!(definitions.contains("it holds the number that a rule chooses next"), "{definitions}");
    let last = text_of(&mut files, "bakery.thy").clone();
    assert!(last.contains("assumes \"reachable (bakery N) s\"\n"), "{last}");
    assert!(!last.contains("assumed"), "{last}");
    assert!(files.iter().all(|(name, _)| name != "ParaProof_Assumptions.thy"));
}

#[test]
fn style_computed_refuses_numbers() {
    for example in [ticket_lock(), bakery(), scales(), greatest()] {
        let fault = emitted(&example, Style::Computed(Evaluate::Kernel)).unwrap_err();
        assert!(matches!(fault, Fault::OnlyLemmas), "{}: {fault}", example.name);
        assert!(fault.to_string().contains("numbers"), "{fault}");
    }
}
