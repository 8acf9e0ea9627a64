//! Emitted theories: their text, and whether Isabelle accepts them.
//!
//! Isabelle is the command that the variable `PARAPROOF_ISABELLE` names, called with the folder of the theories, or
//! `isabelle build -D` where that command is on the path. Without one of them the tests that need it say so and
//! check nothing but the text.

#[path = "../../certificate/tests/support/mod.rs"]
mod support;

use std::path::Path;
use std::process::{Command, Output};

use certificate::check;
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
        println!("skipped: there is no isabelle on the path, and PARAPROOF_ISABELLE is not set");
    }
    build
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
