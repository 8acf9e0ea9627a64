//! Theories of systems with numbers and with an order on an index type: their text, and whether Isabelle accepts them.
//!
//! Without an Isabelle, the tests that need it say so and check only the text.

#![allow(clippy::duplicate_mod, reason = "each of two helpers reports absent tools")]
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "../../certificate/tests/support/mod.rs"]
mod support;

#[path = "support/formulas.rs"]
mod formulas;

#[path = "support/ordered.rs"]
mod ordered;

#[path = "support/theories.rs"]
mod theories;

use certificate::check;
use formulas::with_formulas;
use proofgen::isabelle::{Evaluate, Fault, Style, emit};
use support::prove::{certify, model};
use support::systems::{Example, bakery, greatest, scales, ticket_lock};
use theories::{Files, assert_accepted, text_of};

fn emitted(example: &Example, style: Style) -> Result<Files, Fault> {
    let system = with_formulas(&example.system);
    let certificate = certify(&system, &example.cubes);
    let checked = check(&system, &certificate, &model()).expect("the checker accepts the example");
    emit(&checked, example.name, style)
}

fn lemmas(example: &Example) -> Files {
    emitted(example, Style::Lemmas).unwrap_or_else(|fault| panic!("{}: {fault}", example.name))
}

#[test]
fn isabelle_accepts_the_theories() {
    let examples = [ticket_lock(), bakery(), scales(), greatest(), ordered::gate(), ordered::added()];
    assert_accepted(examples.iter().map(lemmas));
}

fn assert_rejected(example: &Example, file: &str, change: (&str, &str), blamed: &str) {
    theories::assert_change_rejected(lemmas(example), file, change, blamed);
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

fn computed(example: &Example) -> Files {
    let style = Style::Computed(Evaluate::Kernel);
    emitted(example, style).unwrap_or_else(|fault| panic!("{}: {fault}", example.name))
}

#[test]
fn isabelle_accepts_the_theories_in_style_computed() {
    let examples = [ticket_lock(), bakery(), scales(), greatest(), ordered::gate(), ordered::added()];
    assert_accepted(examples.iter().map(computed));
}

/// In one folder, so that one process loads the base theories.
#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_rejects_wrong_theories_in_style_computed() {
    // Who leaves serves the ticket after the next one, which is not what the data say.
    let mut skips = computed(&ticket_lock());
    let text = text_of(&mut skips, "ticket_lock_Definitions.thy");
    let right = "serving s' = serving s + 1";
    assert!(text.contains(right), "{text}");
    *text = text.replace(right, "serving s' = serving s + 2");
    // A rule loses its premises, which are the bounds of a cycle.
    let mut without = computed(&ordered::added());
    let text = text_of(&mut without, "added_Rules_1.thy");
    let hints = text.split("\n\n").find(|part| part.starts_with("definition added__hints_1")).unwrap().to_owned();
    assert!(hints.contains("(["), "it has premises: {hints}");
    *text = text.replace(&hints, "definition added__hints_1 :: \"hints\" where \"added__hints_1 = []\"");
    let mut files: Files = skips.into_iter().chain(without).filter(|(name, _)| name != "ROOT").collect();
    files.sort();
    files.dedup();
    files.push(("ROOT".to_owned(), "session Wrong = HOL +\n  theories\n    ticket_lock\n    added\n".to_owned()));
    if let Some((accepted, said)) = theories::judged(&files) {
        assert!(!accepted, "accepted wrong theories");
        for blamed in ["ticket_lock.thy", "added_Rules_1.thy"] {
            assert!(said.lines().any(|line| line.contains("(line ") && line.contains(blamed)), "{blamed}: {said}");
        }
    }
}

#[test]
fn what_is_assumed_is_a_premise_of_style_computed() {
    let mut files = computed(&bakery());
    let last = text_of(&mut files, "bakery.thy").clone();
    assert!(last.contains("assumes \"reachable (bakery N) s\"\n"), "{last}");
    let data = text_of(&mut files, "bakery_Data.thy").clone();
    assert!(data.contains("bakery__numbers :: \"vars\""), "{data}");
}
