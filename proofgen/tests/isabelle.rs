//! Emitted theories: their text, and whether Isabelle accepts them.
//!
//! Isabelle is the command that the variable `PARAPROOF_ISABELLE` names, called with the folder of the theories, or
//! `isabelle build -D` where that command is on the path. Without one of them the tests that need it say so and
//! check nothing but the text.

#![allow(clippy::unwrap_used, reason = "a failure of a test is a panic")]

#[path = "../../certificate/tests/support/mod.rs"]
mod support;

use std::path::Path;
use std::process::{Command, Output};

use certificate::check;
use proofgen::isabelle::print::{WIDTH, width};
use proofgen::isabelle::{Style, emit};
use protocol::system::{
    Cube, Formula, IndexTerm, IndexVariable, IndexVariableId, NamedElement, NamedId, Role, System, Term,
};
use support::prove::{certify, model};
use support::systems::{Example, all_examples};

fn files(example: &Example) -> Vec<(String, String)> {
    let example = &Example { system: with_formulas(&example.system), cubes: example.cubes.clone(), ..*example };
    let certificate = certify(&example.system, &example.cubes);
    let checked = check(&example.system, &certificate, &model()).expect("the checker accepts the example");
    emit(&checked, example.name, Style::Lemmas).unwrap_or_else(|fault| panic!("{}: {fault}", example.name))
}

/// The examples give their properties as cubes only: the formulas are made from them.
fn with_formulas(system: &System) -> System {
    let mut with = system.clone();
    for property in &mut with.properties {
        let parts = property.bad.iter().map(|cube| without(cube, &system.named, &mut property.scope)).collect();
        property.formula = Formula::And(parts);
    }
    with
}

/// That no different elements satisfy the cube.
fn without(cube: &Cube, named: &[NamedElement], scope: &mut Vec<IndexVariable>) -> Formula {
    let first = u32::try_from(scope.len()).unwrap();
    let shifted = |term: &IndexTerm| match term {
        IndexTerm::Variable(variable) => IndexTerm::Variable(IndexVariableId(variable.0 + first)),
        IndexTerm::Named(named) => IndexTerm::Named(*named),
    };
    let term = |term: &Term| match term {
        Term::Constant(constant) => Term::Constant(*constant),
        Term::Index(index) => Term::Index(shifted(index)),
        Term::Read(variable, arguments) => Term::Read(*variable, arguments.iter().map(shifted).collect()),
    };
    let mut parts = Vec::new();
    for (number, kind) in (first..).zip(&cube.variables) {
        scope.push(IndexVariable { name: format!("i{number}"), index_type: *kind, role: Role::Bound });
        let own = Term::Index(IndexTerm::Variable(IndexVariableId(number)));
        let others = (first..number).zip(&cube.variables).filter(|(_, other)| *other == kind);
        let others = others.map(|(other, _)| Term::Index(IndexTerm::Variable(IndexVariableId(other))));
        parts.extend(others.map(|other| Formula::Equal(own.clone(), other)));
        let named = (0..).map(NamedId).zip(named).filter(|(_, named)| named.index_type == *kind);
        let named = named.map(|(id, _)| Term::Index(IndexTerm::Named(id)));
        parts.extend(named.map(|named| Formula::Equal(own.clone(), named)));
    }
    for literal in &cube.literals {
        let equation = Formula::Equal(term(&literal.left), term(&literal.right));
        parts.push(if literal.equal { Formula::Not(Box::new(equation)) } else { equation });
    }
    let body = Formula::Or(parts);
    let last = first + u32::try_from(cube.variables.len()).unwrap();
    (first..last).rev().fold(body, |body, number| Formula::Forall(IndexVariableId(number), Box::new(body)))
}

fn write(folder: &Path, files: &[(String, String)]) {
    std::fs::create_dir_all(folder).unwrap();
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// What Isabelle says about a folder of theories; nothing where there is no Isabelle.
fn isabelle(folder: &Path) -> Option<Output> {
    if let Ok(command) = std::env::var("PARAPROOF_ISABELLE") {
        return Some(Command::new(command).arg(folder).output().expect("PARAPROOF_ISABELLE names a command"));
    }
    let build = Command::new("isabelle").args(["build", "-D"]).arg(folder).output().ok();
    if build.is_none() {
        report_skip();
    }
    build
}

#[allow(clippy::print_stderr, reason = "whoever runs the tests must see that this one did nothing")]
fn report_skip() {
    eprintln!("skipped: there is no isabelle on the path, and PARAPROOF_ISABELLE is not set");
}

#[test]
fn every_feature_is_accepted_by_isabelle() {
    for example in all_examples() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &files(&example));
        if let Some(output) = isabelle(folder.path()) {
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{}: {said}", example.name);
        }
    }
}

#[test]
fn a_wrong_argument_is_rejected_at_its_lemma() {
    let example = all_examples().into_iter().find(|example| example.name == "mutual exclusion").unwrap();
    let mut files = files(&example);
    let (name, text) = files.iter_mut().find(|(name, _)| name.ends_with("_Rules_1.thy")).unwrap();
    // The first case that relies on another invariant than its own loses it.
    let lemma = text.split("\n\n").find(|part| names_another_invariant(part)).unwrap().to_owned();
    let wrong = without_invariants(&lemma);
    assert_ne!(lemma, wrong);
    let start = text.find(&lemma).unwrap();
    let line = text[..start].lines().count() + lemma.lines().position(|line| line.contains("  by (")).unwrap() + 1;
    *text = text.replace(&lemma, &wrong);
    let place = format!("(line {line} of \"");
    let file = name.clone();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files);
    if let Some(output) = isabelle(folder.path()) {
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "accepted: {wrong}");
        let found = said.lines().any(|said| said.contains(&place) && said.contains(&file));
        assert!(found, "{said}\nshould name {file} at {place}");
    }
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
    for example in all_examples().iter().filter(|example| ["home", "data"].contains(&example.name)) {
        let files = files(example);
        assert_eq!(files, self::files(example), "the same input gives the same text");
        for (name, text) in files.iter().filter(|(name, _)| name != "ParaProof.thy") {
            insta::assert_snapshot!(format!("{}_{name}", example.name), text);
        }
    }
}

#[test]
fn lines_of_propositions_fit() {
    for example in all_examples() {
        for (name, text) in files(&example) {
            for line in text.lines().filter(|line| line.starts_with("  \"") || line.starts_with("    \"")) {
                assert!(width(line) <= WIDTH + 4, "{name}: {line}");
            }
        }
    }
}

#[test]
fn nothing_is_left_unproven() {
    for example in all_examples() {
        for (name, text) in files(&example) {
            for word in ["sorry", "oops", "axiomatization", "quick_and_dirty", "smt", "metis", "sledgehammer"] {
                let found = text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word);
                assert!(!found, "{name} has {word}");
            }
        }
    }
}
