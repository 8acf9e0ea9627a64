use super::*;
use crate::{Assumption, FiniteType, KeptConstant};

fn at(line: u32) -> Origin {
    Origin { line, column: 3, start: 0, end: 1 }
}

fn any(name: &str, least: u32) -> AnySize {
    AnySize { name: name.to_owned(), least }
}

fn constant(name: &str, value: &str) -> KeptConstant {
    KeptConstant { name: name.to_owned(), value: value.to_owned(), origin: at(9) }
}

fn finite(name: &str, size: u64) -> FiniteType {
    FiniteType { name: name.to_owned(), size, reason: "it is used in arithmetic".to_owned(), origin: at(7) }
}

fn left_out(kind: &str, name: &str) -> LeftOut {
    let (code, reason) = ("L012".to_owned(), "it is about executions".to_owned());
    LeftOut { kind: kind.to_owned(), name: name.to_owned(), code, reason, origin: at(5) }
}

fn scope(any_size: Vec<AnySize>, constants: Vec<KeptConstant>, finite_types: Vec<FiniteType>) -> Scope {
    let claim = Claim { constants, finite_types, ..Claim::default() };
    Scope { any_size, any_value: Vec::new(), properties: vec!["safe".to_owned()], claim, nothing_starts: false }
}

#[test]
fn the_first_sentence_names_free_types_and_kept_values() {
    let two = || vec![any("NODE", 0), any("DATA", 1)];
    let kept = || vec![constant("N", "3")];
    let cases = [
        (scope(two(), vec![], vec![]), "proven for any number of NODE, DATA"),
        (scope(two(), kept(), vec![]), "proven for any number of NODE, DATA; with N = 3 as it is"),
        (
            scope(vec![any("NODE", 3)], kept(), vec![finite("P", 3)]),
            "proven for any number of NODE from 3 on; with N = 3, P of 3 values as they are",
        ),
        (scope(vec![], kept(), vec![finite("0..0", 1)]), "proven for its sizes as they are: N = 3, 0..0 of 1 value"),
        (scope(vec![], vec![], vec![]), "proven for its sizes as they are"),
        (
            Scope { any_value: vec!["MAX".to_owned()], ..scope(two(), kept(), vec![]) },
            "proven for any number of NODE, DATA and any value of MAX; with N = 3 as it is",
        ),
        (Scope { any_value: vec!["MAX".to_owned()], ..scope(vec![], vec![], vec![]) }, "proven for any value of MAX"),
    ];
    for (scope, sentence) in cases {
        assert_eq!((scope.coverage(), scope.proven().as_str()), (Coverage::All, sentence));
        assert_eq!(scope.sentence(), sentence.replace("proven", "Proven") + ".");
    }
}

#[test]
fn what_is_not_proven_is_never_called_proven() {
    let mut partly = scope(vec![any("NODE", 0)], vec![], vec![]);
    partly.claim.left_out = vec![left_out("liveness", "progress"), left_out("invariant", "invariant at line 5")];
    assert_eq!(partly.coverage(), Coverage::Part);
    assert_eq!(partly.proven(), "1 of 3 statements proven for any number of NODE");
    let sentences = [
        "not proven: liveness \"progress\" (line 5): L012: it is about executions",
        "not proven: invariant at line 5: L012: it is about executions",
    ];
    assert_eq!(partly.not_proven(), sentences);
    partly.properties.clear();
    assert_eq!(partly.proven(), "nothing is proven of what the model states");
    partly.claim.left_out.clear();
    assert_eq!(partly.coverage(), Coverage::Nothing);
    assert_eq!(partly.proven(), "nothing is proven: the model states no property");
}

#[test]
fn reasons_and_assumptions_have_their_places() {
    let mut scope = scope(vec![], vec![constant("N", "3")], vec![finite("P", 3)]);
    let kept = [
        "N = 3 is kept as it is: its value matters in line 9",
        "P stays at its 3 values: it is used in arithmetic (line 7)",
    ];
    assert_eq!(scope.kept(), kept);
    assert!(scope.assumed().is_empty());
    scope.claim.assumptions.push(Assumption { origin: at(12), axiom: None });
    assert_eq!(scope.limits(), ["executions in which the `assume` in line 12 fails are left out"]);
    scope.claim.assumptions.push(Assumption { origin: at(14), axiom: None });
    assert_eq!(scope.limits(), ["executions in which one of the `assume`s in lines 12, 14 fails are left out"]);
    let value = scope.value();
    assert_eq!(value["constants"], json!([{"name": "N", "value": "3", "line": 9, "column": 3}]));
    assert_eq!(value["finite_types"][0]["reason"], "it is used in arithmetic");
    assert_eq!(value["assumptions"], json!([{"line": 12, "column": 3}, {"line": 14, "column": 3}]));
    assert_eq!(value["sizes"], "for its sizes as they are: N = 3, P of 3 values");
}

#[test]
fn axioms_have_sentences_of_their_own() {
    let mut scope = scope(vec![], vec![], vec![]);
    let axiom = |line, name: &str, immutable| Assumption {
        origin: at(line),
        axiom: Some(AssumedAxiom { name: name.to_owned(), immutable }),
    };
    scope.claim.assumptions = vec![
        Assumption { origin: at(12), axiom: None },
        axiom(20, "quorums meet", true),
        axiom(21, "assume at line 21", false),
    ];
    let sentences = [
        "executions in which the `assume` in line 12 fails are left out",
        "assumes \"quorums meet\" (line 20)",
        "assumes the `assume` in line 21 in every state: executions in which it fails are left out",
    ];
    assert_eq!(scope.assumed(), sentences);
    let quorums = json!({"line": 20, "column": 3, "name": "quorums meet", "immutable": true});
    assert_eq!(scope.value()["assumptions"][1], quorums);
}

#[test]
fn a_sentence_is_one_line_whatever_names_are() {
    let mut scope = scope(vec![], vec![], vec![]);
    scope.claim.left_out = vec![left_out("invariant", "a\nb\u{1b}[31m\t c")];
    assert_eq!(scope.not_proven(), ["not proven: invariant \"a b [31m c\" (line 5): L012: it is about executions"]);
}
