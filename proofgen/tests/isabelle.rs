//! Tests of emitted theories: their text, and whether Isabelle accepts them.
//!
//! Without an Isabelle, the tests that need it say so and check only the text.

#![allow(clippy::duplicate_mod, reason = "each of two helpers reports absent tools")]
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "../../certificate/tests/support/mod.rs"]
mod support;

#[path = "support/formulas.rs"]
mod formulas;

#[path = "support/noted.rs"]
mod noted;

#[path = "support/theories.rs"]
mod theories;

use certificate::check;
use formulas::with_formulas;
use proofgen::isabelle::print::{WIDTH, width};
use proofgen::isabelle::{Evaluate, Style, emit};
use support::prove::{certify, model};
use support::systems::{Example, all_examples};
use system::{Axiom, Comparison, Cube, FALSE, Formula, IndexTerm, Literal, NamedId, Origin, TRUE, Term, VariableId};
use theories::{assert_accepted, assert_rejected, judged, text_of};

const STYLES: [Style; 3] = [Style::Lemmas, Style::Computed(Evaluate::Kernel), Style::Computed(Evaluate::Eval)];

/// The examples of the certificate checker without universal parts and numbers, which have tests of their own, and those
/// that are about emission.
fn examples() -> Vec<Example> {
    let noted = [noted::noted(), noted::noted_by_startstate(true), noted::noted_by_startstate(false)];
    let plain = |example: &Example| {
        let bad = example.system.properties.iter().flat_map(|property| &property.bad);
        let cubes: Vec<_> = bad.chain(&example.cubes).collect();
        let numbers = example.system.sorts.iter().any(|sort| sort.numbers.is_some());
        !numbers && example.system.axioms.is_empty() && cubes.iter().all(|cube| cube.universals.is_empty())
    };
    all_examples().into_iter().filter(plain).chain(noted).collect()
}

fn files(example: &Example, style: Style) -> Vec<(String, String)> {
    let example = &Example { system: with_formulas(&example.system), cubes: example.cubes.clone(), ..*example };
    let certificate = certify(&example.system, &example.cubes);
    let checked = check(&example.system, &certificate, &model()).expect("the checker accepts the example");
    emit(&checked, example.name, style).unwrap_or_else(|fault| panic!("{}: {fault}", example.name))
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_every_feature_is_accepted_by_isabelle() {
    for style in STYLES {
        assert_accepted(examples().iter().map(|example| files(example, style)));
    }
}

/// If a startstate sets the variable that records a violation, the last theorem has to mention it, too: that no rule
/// sets the variable is a weaker statement, and an empty one if no rule could.
#[test]
fn the_last_theorem_is_not_weaker_than_the_property() {
    for style in STYLES {
        for (example, as_stated) in [
            (noted::noted(), true),
            (noted::noted_by_startstate(true), false),
            (noted::noted_by_startstate(false), false),
        ] {
            let name = example.name;
            let text: String = files(&example, style).into_iter().map(|(_, text)| text).collect();
            let (_, theorem) = text.split_once("theorem SomebodyHasAKey:").unwrap();
            let (_, statement) = theorem.split_once("shows ").unwrap();
            let statement = statement.lines().next().unwrap();
            let speaks = statement.contains("SomebodyHasAKey_violated s");
            assert_eq!(
                (speaks, text.contains("_is_never_noted")),
                (!as_stated, as_stated),
                "{name}, {style:?}: {statement}"
            );
        }
    }
}

/// A theory that Isabelle accepts if every constant that a plain name denotes is in the lists of names to avoid.
const NAMES: &str = r#"theory Names imports ParaProof_Evaluation begin
ML \<open>
val avoided = Symtab.make_set (space_explode " " "AVOIDED");
val consts = Sign.consts_of @{theory};
fun plain name = Char.isAlpha (String.sub (name, 0))
  andalso forall (fn c => Char.isAlphaNum c orelse c = #"_") (String.explode name)
  andalso not (String.isSubstring "__" name) andalso not (String.isSuffix "_" name);
val names = map (Name_Space.extern_shortest @{context} (Consts.space_of consts) o #1) (#constants (Consts.dest consts));
val missing = filter_out (Symtab.defined avoided) (filter plain names);
val _ = length names > 3000 orelse error "constants of Main are not seen";
val _ = null missing orelse error ("not avoided: " ^ commas missing);
\<close>
end
"#;

#[test]
fn no_name_is_that_of_a_constant_in_isabelle() {
    let lists =
        [include_str!("../src/isabelle/constants_main.txt"), include_str!("../src/isabelle/constants_base.txt")];
    let avoided: Vec<&str> = lists.iter().flat_map(|list| list.split_whitespace()).collect();
    let example = examples().into_iter().find(|example| example.name == "mutual exclusion").unwrap();
    for without in [None, Some("last")] {
        let mut files = files(&example, Style::Computed(Evaluate::Kernel));
        let avoided: Vec<&str> = avoided.iter().copied().filter(|name| Some(*name) != without).collect();
        files.push(("Names.thy".to_owned(), NAMES.replace("AVOIDED", &avoided.join(" "))));
        *text_of(&mut files, "ROOT") = "session Names = HOL +\n  theories\n    Names\n".to_owned();
        if let Some((accepted, said)) = judged(&files) {
            assert_eq!(accepted, without.is_none(), "{said}");
            assert!(without.is_none() || said.contains("not avoided: last"), "{said}");
        }
    }
}

#[test]
fn a_wrong_argument_is_rejected_at_its_lemma() {
    let example = examples().into_iter().find(|example| example.name == "mutual exclusion").unwrap();
    let mut files = files(&example, Style::Lemmas);
    let (name, text) = files.iter_mut().find(|(name, _)| name.ends_with("_Rules_1.thy")).unwrap();
    // The first case that relies on an invariant other than its own loses it.
    let lemma = text.split("\n\n").find(|part| names_another_invariant(part)).unwrap().to_owned();
    let wrong = without_invariants(&lemma);
    assert_ne!(lemma, wrong);
    let start = text.find(&lemma).unwrap();
    let line = text[..start].lines().count() + lemma.lines().position(|line| line.contains("  by (")).unwrap() + 1;
    *text = text.replace(&lemma, &wrong);
    let file = name.clone();
    assert_rejected(&files, &[&format!("(line {line} of \""), &file]);
}

#[test]
fn a_wrong_premise_is_rejected_at_the_evaluation_of_its_rule() {
    let example = examples().into_iter().find(|example| example.name == "mutual exclusion").unwrap();
    let mut files = files(&example, Style::Computed(Evaluate::Kernel));
    let (name, text) = files.iter_mut().find(|(name, _)| name.ends_with("_Rules_1.thy")).unwrap();
    // The last rule with premises loses them.
    let hints = text.split("\n\n").filter(|part| part.contains(":: \"hints\"") && part.contains("(["));
    let hints = hints.last().unwrap().to_owned();
    let (head, _) = hints.split_once(" = [").or_else(|| hints.split_once(" =\n")).unwrap();
    let wrong = format!("{head} = []\"");
    *text = text.replace(&hints, &wrong);
    let number = head.split_once("hints_").unwrap().1.split_once(' ').unwrap().0;
    let lemma =
        text.lines().position(|line| line.starts_with("lemma") && line.ends_with(&format!("rule_{number}_checked:")));
    let line = lemma.unwrap() + 3;
    assert!(text.lines().nth(line - 1).unwrap().contains("by evaluation"));
    let file = name.clone();
    assert_rejected(&files, &[&format!("(line {line} of \""), &file]);
}

#[test]
fn a_broken_protocol_has_no_theory() {
    let example = examples().into_iter().find(|example| example.name == "mutual exclusion").unwrap();
    let system = with_formulas(&example.system);
    let certificate = certify(&system, &example.cubes);
    assert!(check(&system, &certificate, &model()).is_ok());
    // Only what the checker has accepted can be emitted, and it does not accept that every node may enter the critical
    // section.
    let mut broken = system;
    let enter = broken.rules.iter_mut().find(|rule| rule.name == "Crit").unwrap();
    enter.guard = Formula::True;
    assert!(check(&broken, &certificate, &model()).is_err());
}

fn names_another_invariant(lemma: &str) -> bool {
    let Some(own) = lemma.strip_prefix("lemma ").and_then(|rest| rest.split(':').next()) else { return false };
    let number = own.rsplit("_inv").next().unwrap_or_default();
    lemma.contains("[OF before") && !lemma.contains(&format!("inv{number}[OF before")) && own.contains("_inv")
}

/// The lemma with no instance of an invariant in it.
fn without_invariants(lemma: &str) -> String {
    let kept = lemma.split(' ').scan(false, |inside, word| {
        let starts = word.starts_with("inv") && word.contains("[OF");
        let dropped = starts || *inside;
        *inside = dropped && !word.contains(']');
        Some((!dropped).then_some(word))
    });
    kept.flatten().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_text_stays_as_it_is() {
    for example in examples().iter().filter(|example| ["home", "data", "noted"].contains(&example.name)) {
        let files = files(example, Style::Lemmas);
        assert_eq!(files, self::files(example, Style::Lemmas), "the same input gives the same text");
        for (name, text) in files.iter().filter(|(name, _)| name != "ParaProof.thy") {
            insta::assert_snapshot!(format!("{}_{name}", example.name), text);
        }
    }
}

#[test]
fn the_text_of_data_stays_as_it_is() {
    for example in examples().iter().filter(|example| ["home", "data", "noted"].contains(&example.name)) {
        for (style, way) in [(STYLES[1], "kernel"), (STYLES[2], "eval")] {
            let files = files(example, style);
            assert_eq!(files, self::files(example, style), "the same input gives the same text");
            let own = format!("{}.thy", example.name);
            for (name, text) in files
                .iter()
                .filter(|(name, _)| ["_Data.thy", "_Rules_1.thy"].iter().any(|end| name.ends_with(end)) || *name == own)
            {
                insta::assert_snapshot!(format!("{way}_{}_{name}", example.name), text);
            }
        }
    }
}

/// The two ways to evaluate in the kernel differ only in the proof method and in the theory that provides it.
#[test]
fn both_evaluations_by_the_kernel_have_the_same_data() {
    for example in examples() {
        let own = |files: Vec<(String, String)>| {
            files.into_iter().filter(|(name, _)| !name.starts_with("ParaProof") && name != "ROOT").collect::<Vec<_>>()
        };
        let code_simp = own(files(&example, Style::Computed(Evaluate::CodeSimp)));
        let mut kernel = own(files(&example, STYLES[1]));
        assert!(kernel.iter().any(|(_, text)| text.contains("  by evaluation\n")));
        for (_, text) in &mut kernel {
            *text = text.replacen("imports ParaProof_Evaluation\n", "imports ParaProof_Checker\n", 1);
            *text = text.replace("  by evaluation\n", "  by code_simp\n");
        }
        assert_eq!(kernel, code_simp, "{}", example.name);
    }
}

/// The last theorems, without their proofs.
fn theorems(files: &[(String, String)], protocol: &str) -> Vec<String> {
    let (_, text) = files.iter().find(|(name, _)| *name == format!("{protocol}.thy")).unwrap();
    let properties = text.split("section \\<open>The properties\\<close>").nth(1).unwrap();
    let theorems = properties.split("\n\n").filter(|part| part.starts_with("theorem "));
    theorems.map(|part| part.split("\nproof").next().unwrap().to_owned()).collect()
}

#[test]
fn all_styles_prove_the_same_theorems() {
    for example in examples() {
        let [lemmas, kernel, eval] = STYLES.map(|style| files(&example, style));
        let (file, _) = lemmas.last().unwrap();
        let protocol = file.strip_suffix(".thy").unwrap();
        let expected = theorems(&lemmas, protocol);
        // A property whose violation a variable records has two theorems, unless a startstate sets the variable.
        let system = &example.system;
        let by_start = |variable| system.startstates.iter().any(|start| system.noted_by(start) == Some(variable));
        let noted = system.monitors().into_iter().filter(|variable| !by_start(*variable)).count();
        assert_eq!(expected.len(), example.system.properties.len() + noted, "{}", example.name);
        assert_eq!(theorems(&kernel, protocol), expected, "{}", example.name);
        assert_eq!(theorems(&eval, protocol), expected, "{}", example.name);
        let definitions = |files: &[(String, String)]| {
            files.iter().find(|(name, _)| name.ends_with("_Definitions.thy")).unwrap().1.clone()
        };
        assert_eq!(definitions(&kernel), definitions(&lemmas), "{}", example.name);
    }
}

#[test]
fn a_noted_property_is_stated_in_terms_of_the_model() {
    let files = files(&noted::noted(), Style::Lemmas);
    let [never, stated] = <[String; 2]>::try_from(theorems(&files, "noted")).unwrap();
    assert!(never.starts_with("theorem SomebodyHasAKey_is_never_noted:"), "{never}");
    assert!(stated.starts_with("theorem SomebodyHasAKey:"), "{stated}");
    assert!(!stated.contains("violated"), "{stated}");
    assert!(stated.contains(r"\<exists>v1 \<in> {1..N}. key s v1"), "{stated}");
}

/// The state in which the violation is noted has to satisfy the assumptions, too.
#[test]
fn a_noted_property_is_proven_under_an_assumption() {
    let mut example = noted::noted();
    let home = Term::Read(VariableId(0), vec![IndexTerm::Named(NamedId(0))]);
    let inside = Literal { left: home.clone(), comparison: Comparison::Equal, right: Term::Constant(TRUE) };
    example.system.axioms.push(Axiom {
        name: "HomeIsOutside".to_owned(),
        scope: Vec::new(),
        formula: Formula::Equal(home, Term::Constant(FALSE)),
        bad: vec![Cube { variables: Vec::new(), literals: vec![inside], universals: Vec::new() }],
        immutable: false,
        origin: Origin::default(),
    });
    let files = files(&example, Style::Lemmas);
    let [never, stated] = <[String; 2]>::try_from(theorems(&files, "noted")).unwrap();
    for theorem in [never, stated] {
        assert!(theorem.contains("reachable_under (assumed N) (noted N) s"), "{theorem}");
    }
    assert_accepted([files]);
}

/// The theorems are about any such element: it is an argument of the system.
#[test]
fn an_element_that_a_startstate_chooses_has_no_number() {
    let mut example = noted::noted();
    example.system.named[0].chosen = true;
    for style in STYLES {
        let files = files(&example, style);
        assert!(theorems(&files, "noted").iter().all(|theorem| theorem.contains("reachable (noted N Home) s")));
        assert!(files.iter().all(|(_, text)| !text.contains("Home_def") && !text.contains("Home ::")));
        assert_accepted([files]);
    }
}

#[test]
fn lines_of_propositions_fit() {
    for example in examples() {
        for (name, text) in files(&example, Style::Lemmas) {
            for line in text.lines().filter(|line| line.starts_with("  \"") || line.starts_with("    \"")) {
                assert!(width(line) <= WIDTH + 4, "{name}: {line}");
            }
        }
    }
}

#[test]
fn nothing_is_left_unproven() {
    for (example, style) in examples().iter().flat_map(|example| STYLES.map(|style| (example, style))) {
        for (name, text) in files(example, style) {
            let base = name.starts_with("ParaProof");
            for word in ["sorry", "oops", "axiomatization", "quick_and_dirty", "smt", "metis", "sledgehammer"] {
                let found = text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word);
                assert!(!found || (base && word == "metis"), "{name} has {word}");
            }
        }
    }
}
