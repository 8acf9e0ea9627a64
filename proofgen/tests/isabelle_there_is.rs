//! Theories of models with 'there is' and with assumptions: their text, and whether Isabelle accepts them.
//!
//! The models are in `there_is/`; the search proves them. Without an Isabelle, the tests that need it say so.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "support/theories.rs"]
mod theories;

use certificate::proof::Certificate;
use certificate::{Model, check};
use invfinder::{Header, Limits, Verdict, prove};
use proofgen::isabelle::{Evaluate, Fault, Style, emit};
use system::System;
use system::front_end::{FrontEnd, Settings};
use theories::{Files, assert_accepted, text_of};

const MODELS: [(&str, &str); 6] = [
    ("lock", include_str!("there_is/lock.m")),
    ("quorum", include_str!("there_is/quorum.m")),
    ("links", include_str!("there_is/links.m")),
    ("breaks", include_str!("there_is/breaks.m")),
    ("held", include_str!("there_is/held.m")),
    // The witness of one assumption is the element of the next.
    ("each", include_str!("../../tests/traps/v03_some_for_each_of_none.m")),
];

fn proven(text: &str) -> (System, Certificate) {
    let model = murphi::Model::read(text, &Settings::default()).unwrap();
    let lowered = model.lower().unwrap();
    assert!(lowered.refused_properties.is_empty());
    let header = Header { model_digest: "00".repeat(32), settings: Vec::new() };
    let (verdict, _) = prove(lowered.system, &header, &Limits::default(), &mut |_| true);
    let Verdict::Proven(certificate) = verdict else { panic!("not proven: {verdict:?}") };
    (lowered.system.clone(), *certificate)
}

fn emitted(name: &str, style: Style) -> Result<Files, Fault> {
    emitted_as(name, name, style)
}

fn emitted_as(name: &str, protocol: &str, style: Style) -> Result<Files, Fault> {
    let (_, text) = MODELS.iter().find(|(own, _)| *own == name).unwrap();
    let (system, certificate) = proven(text);
    let model = Model { digest: certificate.model_digest.clone(), settings: Vec::new() };
    emit(&check(&system, &certificate, &model).unwrap(), protocol, style)
}

fn lemmas(name: &str) -> Files {
    emitted(name, Style::Lemmas).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// A statement on one line, without the markup of symbols.
fn statement(files: &[(String, String)], name: &str, theorem: &str) -> String {
    let (_, text) = files.iter().find(|(own, _)| *own == format!("{name}.thy")).unwrap();
    let (_, rest) = text.split_once(&format!("theorem {theorem}:\n")).unwrap();
    let (statement, _) = rest.split_once("\nproof").unwrap();
    let symbols = [(r"\<forall>", "ALL "), (r"\<exists>", "EX "), (r"\<in>", ":"), (r"\<or>", "|"), (r"\<and>", "&")];
    let symbols = symbols.into_iter().chain([(r"\<not>", "~"), (r"\<longrightarrow>", "-->")]);
    let plain = symbols.fold(statement.to_owned(), |text, (symbol, plain)| text.replace(symbol, plain));
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_last_theorem_is_the_property_of_the_model() {
    let sizes = "N_NODE N_QUORUM N_VALUE";
    let quorum = format!(
        "assumes \"reachable_under (assumed {sizes}) (quorum {sizes}) s\" shows \"ALL v : {{1..N_VALUE}}. ALL w : \
         {{1..N_VALUE}}. ~ Chosen s v | ~ Chosen s w | v = w\""
    );
    let breaks = "assumes \"NODE_1 : {1..N}\" and \"reachable_under (assumed N) (breaks N) s\" shows";
    for (name, theorem, expected) in [
        (
            "lock",
            "NeverLost",
            "assumes \"reachable (lock N) s\" shows \"AtServer s | (EX c : {1..N}. Holds s c)\"".to_owned(),
        ),
        (
            "links",
            "Linked",
            "assumes \"reachable (links N) s\" shows \"ALL i : {1..N}. On s i --> (EX j : {1..N}. Link s i j)\""
                .to_owned(),
        ),
        ("quorum", "Agreement", quorum),
        ("breaks", "NeverLost", format!("{breaks} \"EX i : {{1..N}}. Token s i\"")),
        ("breaks", "PassedOnlyWhole", format!("{breaks} \"ALL i : {{1..N}}. ~ Token s i | ~ Broken s\"")),
    ] {
        assert_eq!(statement(&lemmas(name), name, theorem), expected);
    }
}

#[test]
fn the_assumptions_are_defined_as_the_model_states_them() {
    let mut files = lemmas("breaks");
    let text = text_of(&mut files, "breaks_Definitions.thy");
    assert!(text.contains("text \\<open>Assumption \"Whole\", line 9.\\<close>"), "{text}");
    assert!(text.contains(r#"where "Whole N s \<longleftrightarrow> \<not> Broken s""#), "{text}");
    assert!(text.contains(r#"where "assumed N s \<longleftrightarrow> Whole N s""#), "{text}");
    let header = text_of(&mut files, "breaks.thy").split_once("*)").unwrap().0.to_owned();
    assert!(
        header.contains("every state that is reached through states\n    that satisfy its assumptions"),
        "{header}"
    );
    assert!(header.contains("assumes \"Whole\" (line 9)"), "{header}");
    let lock = lemmas("lock");
    assert!(lock.iter().all(|(_, text)| !text.contains("assumed")), "the lock assumes nothing");
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_accepts_the_theories() {
    let examples: Vec<Files> = MODELS.iter().map(|(name, _)| lemmas(name)).collect();
    assert!(examples.iter().flatten().any(|(name, _)| name == "ParaProof_Assumptions.thy"));
    assert_accepted(examples);
}

fn assert_rejected(name: &str, file: &str, change: (&str, &str), blamed: &str) {
    theories::assert_change_rejected(lemmas(name), file, change, blamed);
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_rejects_a_proof_without_its_instance_for_all_others() {
    let lemma = "use others(1)[THEN bspec, of c] in \\<open>simp add: Take_after\\<close>";
    assert_rejected("lock", "lock_Rules_1.thy", (lemma, "simp add: Take_after"), "lock_Rules_1.thy");
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_rejects_a_lock_that_is_lost() {
    // The client that gets the lock does not hold it.
    let pass = ("if d = c2 then True else", "if d = c2 then False else");
    assert_rejected("lock", "lock_Definitions.thy", pass, "lock_Rules_1.thy");
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_rejects_a_weaker_assumption() {
    // Any two quorums have members, but not a common one.
    let common = (r"Member s n p \<and> Member s n q", r"Member s n p \<or> Member s n q");
    assert_rejected("quorum", "quorum_Definitions.thy", common, "quorum_Invariants.thy");
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_rejects_a_proof_without_its_assumption() {
    // What is reached while it may break: the theorem would be false.
    let any = ("\"reachable_under (assumed N) (breaks N) s\"", "\"reachable (breaks N) s\"");
    assert_rejected("breaks", "breaks.thy", any, "breaks.thy");
}

#[test]
fn style_computed_has_the_same_last_theorems() {
    for evaluate in [Evaluate::Kernel, Evaluate::CodeSimp, Evaluate::Eval] {
        for (name, theorem) in [("lock", "NeverLost"), ("links", "Linked"), ("quorum", "Agreement"), ("held", "Held")] {
            let computed = computed(name, name, evaluate);
            assert_eq!(statement(&computed, name, theorem), statement(&lemmas(name), name, theorem));
        }
    }
}

#[test]
fn style_computed_splits_on_the_instances_that_the_certificate_names() {
    let mut links = computed("links", "links", Evaluate::Kernel);
    let cube = "(And (Eq (Rd 1 [1, 1]) (Cn 0)) (All 0 (Or (Eq (Ix 0 2) (Ix 0 1)) (Eq (Rd 1 [1, 2]) (Cn 0))))))";
    let data = text_of(&mut links, "links_Data.thy");
    assert!(data.contains(cube), "all others have no link: {data}");
    let rules = text_of(&mut links, "links_Rules_1.thy");
    assert!(rules.contains("[(1, [([2], ([(- 1, [2])], []))])]"), "rule 4, at the parameter: {rules}");
}

fn computed(name: &str, protocol: &str, evaluate: Evaluate) -> Files {
    emitted_as(name, protocol, Style::Computed(evaluate)).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// The theories of a model under another name, with a change in one file.
fn changed(name: &str, file: &str, (from, to): (&str, &str)) -> Files {
    let protocol = format!("{name}_wrong");
    let mut files = computed(name, &protocol, Evaluate::Kernel);
    let text = text_of(&mut files, &format!("{protocol}{file}"));
    assert!(text.contains(from), "{text}");
    *text = text.replace(from, to);
    files
}

/// In one folder, so that one process loads the base theories.
#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_accepts_style_computed_and_rejects_wrong_theories() {
    let right = MODELS.iter().flat_map(|(name, _)| computed(name, name, Evaluate::Kernel));
    let wrong = [
        // The property says only that there is a client.
        changed("lock", "_Data.thy", ("(Exi 0 (Eq (Rd 1 [1]) (Cn 1)))", "(Exi 0 T)")),
        // The witness of another node than the one of which the step leaves nothing.
        changed("links", "_Rules_1.thy", ("([2], ([(- 1, [2])], []))", "([2], ([(- 1, [1])], []))")),
        // Each quorum has somebody who is no member, which is not assumed.
        changed(
            "quorum",
            "_Data.thy",
            ("([1], All 0 (Eq (Rd 0 [2, 1]) (Cn 0)))", "([1], All 0 (Eq (Rd 0 [2, 1]) (Cn 1)))"),
        ),
        // Another node than the first one has the token, which is not so at the start.
        changed("breaks", "_Data.thy", ("And (Eq (Rd 1 [1]) (Cn 0)) (All", "And T (All")),
        // The property has no witness.
        changed("held", "_Data.thy", ("([- 1], [])", "([], [])")),
    ];
    let mut files: Files = right.chain(wrong.into_iter().flatten()).filter(|(name, _)| name != "ROOT").collect();
    files.sort();
    files.dedup();
    let wrong = MODELS.iter().take(5).map(|(name, _)| format!("{name}_wrong"));
    let last = MODELS.iter().map(|(name, _)| (*name).to_owned()).chain(wrong);
    let root = format!("session Together = HOL +\n  theories\n    {}\n", last.collect::<Vec<_>>().join("\n    "));
    files.push(("ROOT".to_owned(), root));
    let Some((accepted, said)) = theories::judged(&files) else { return };
    assert!(!accepted, "accepted wrong theories");
    let faults = said.lines().filter(|line| line.contains("(line ")).collect::<Vec<_>>();
    for blamed in ["lock_wrong", "links_wrong_Rules_1", "quorum_wrong", "breaks_wrong_Data", "held_wrong_Data"] {
        let file = format!("/{blamed}.thy");
        assert!(faults.iter().any(|line| line.contains(&file)), "{blamed} is not blamed: {said}");
    }
    assert!(faults.iter().all(|line| line.contains("_wrong")), "only wrong theories are blamed: {said}");
}

#[test]
fn the_text_stays_as_it_is() {
    for (name, files) in [("lock", lemmas("lock")), ("breaks", lemmas("breaks"))] {
        assert_eq!(files, lemmas(name), "the same input gives the same text");
        for (file, text) in files.iter().filter(|(file, _)| file.starts_with(name)) {
            insta::assert_snapshot!(file.as_str(), text);
        }
    }
}
