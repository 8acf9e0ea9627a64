//! Translates a lowered system to the language of Cubicle (Conchon, Goel, Krstić, Mebsout and Zaïdi, "Cubicle: a
//! parallel SMT-based model checker for parameterized systems", CAV 2012).
//!
//! The `.cub` file has the same states, transitions and bad states: the translation approximates nothing, and fails if
//! a part of the system has no counterpart.

mod formula;
mod names;
mod rule;

use std::collections::BTreeMap;

use system::System;
use system::{
    Cube, Formula, IndexTerm, IndexVariable, IndexVariableId, Literal, Role, Startstate, Term, Update, Value,
};
use thiserror::Error;

use formula::{Conjunction, Element, Meaning, contradictory, text};
use names::{Kind, Names};
use rule::{Auxiliary, transitions};

/// A part of the system without a counterpart in Cubicle's language.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no counterpart in Cubicle's language: {0}")]
pub(crate) struct Refusal(String);

/// Returns the text of a file for Cubicle.
pub(crate) fn emit(system: &System) -> Result<String, Refusal> {
    let names = Names::new(system)?;
    let mut auxiliary = Auxiliary::new();
    let mut rules = Vec::new();
    for (number, rule) in system.rules.iter().enumerate() {
        rules.extend(transitions(&names, number, rule, &mut auxiliary)?);
    }
    let [start] = system.startstates.as_slice() else {
        return Err(Refusal("several startstates".to_owned()));
    };
    let mut blocks = vec![names.type_declarations().join("\n"), names.variable_declarations().join("\n")];
    blocks.push(auxiliary.iter().map(|(name, ty)| format!("var {name} : {ty}\n")).collect());
    blocks.push(initial(&names, start)?);
    for cube in system.properties.iter().flat_map(|property| &property.bad) {
        blocks.extend(bad(&names, cube)?);
    }
    blocks.extend(rules);
    blocks.retain(|block| !block.is_empty());
    Ok(blocks.join("\n\n") + "\n")
}

/// Returns the initial states as one conjunction for any two processes.
fn initial(names: &Names<'_>, start: &Startstate) -> Result<String, Refusal> {
    if start.guard != Formula::True {
        return Err(Refusal("a startstate with a condition".to_owned()));
    }
    let arity = start.updates.iter().map(|update| update.arguments.len()).max().unwrap_or(0);
    let processes: Vec<String> = (0..arity).map(|number| format!("p{number}")).collect();
    let elements = representatives(names, start);
    let meaning = Meaning { names, scope: &start.scope, parameters: processes.clone(), elements };
    let mut conjuncts = Vec::new();
    for update in &start.updates {
        let places = (0..update.arguments.len()).fold(vec![Vec::new()], |places: Vec<Vec<String>>, _| {
            let extend = |place: Vec<String>| {
                processes.iter().map(move |process| [place.clone(), vec![process.clone()]].concat())
            };
            places.into_iter().flat_map(extend).collect()
        });
        for place in places {
            let mut meaning = meaning.clone();
            for (argument, process) in update.arguments.iter().zip(place) {
                meaning.elements.insert(*argument, Element::Parameter(process));
            }
            conjuncts.extend(initial_value(&meaning, update, &update.value)?);
        }
    }
    Ok(format!("init ({}) {{ {} }}", processes.join(" "), conjuncts.join(" &&\n  ")))
}

/// Returns variables that hold the parameters of a startstate.
fn representatives(names: &Names<'_>, start: &Startstate) -> BTreeMap<IndexVariableId, Element> {
    let mut found = BTreeMap::new();
    for update in start.updates.iter().filter(|update| update.arguments.is_empty()) {
        if let Value::Term(Term::Index(IndexTerm::Variable(parameter))) = &update.value {
            let element = Element::Value(names.kind(update.variable).clone(), names.variable(update.variable));
            found.entry(*parameter).or_insert(element);
        }
    }
    found
}

fn initial_value(meaning: &Meaning<'_>, update: &Update, value: &Value) -> Result<Option<String>, Refusal> {
    match value {
        Value::Arbitrary => Ok(None),
        Value::Sum(..) => Err(Refusal("a number".to_owned())),
        Value::Term(term) => {
            let arguments: Vec<IndexTerm> = update.arguments.iter().copied().map(IndexTerm::Variable).collect();
            let variable = meaning.read(update.variable, &arguments)?;
            let value = meaning.term(term, meaning.names.kind(update.variable))?;
            Ok((variable != value).then(|| format!("{variable} = {value}")))
        }
        Value::If(condition, then, otherwise) => {
            let cases = meaning.dnf(condition, true)?;
            if cases.is_empty() {
                initial_value(meaning, update, otherwise)
            } else if cases.iter().any(Conjunction::is_empty) {
                initial_value(meaning, update, then)
            } else {
                Err(Refusal("an initial value with a condition".to_owned()))
            }
        }
    }
}

/// Returns the bad states, or `None` if the cube has none.
fn bad(names: &Names<'_>, cube: &Cube) -> Result<Option<String>, Refusal> {
    let scope: Vec<IndexVariable> = cube
        .variables
        .iter()
        .enumerate()
        .map(|(number, ty)| IndexVariable { name: format!("z{number}"), index_type: *ty, role: Role::Bound })
        .collect();
    let mut meaning = Meaning { names, scope: &scope, parameters: Vec::new(), elements: BTreeMap::new() };
    let (mut processes, mut data) = (Vec::new(), Vec::new());
    for (id, variable) in (0..).map(IndexVariableId).zip(&scope) {
        if names.elements(variable.index_type) == Kind::Process {
            processes.push(variable.name.clone());
            meaning.elements.insert(id, Element::Parameter(variable.name.clone()));
        } else {
            data.push(id);
        }
    }
    for id in &data {
        let (variable, arguments) = cube
            .literals
            .iter()
            .find_map(|literal| holder(literal, *id))
            .ok_or_else(|| Refusal("a property about data that no variable holds".to_owned()))?;
        let element = Element::Value(names.kind(variable).clone(), meaning.read(variable, arguments)?);
        meaning.elements.insert(*id, element);
    }
    let index = |id: &IndexVariableId| Term::Index(IndexTerm::Variable(*id));
    let distinct = data.iter().flat_map(|a| data.iter().filter(move |b| a < *b).map(move |b| (a, b)));
    let distinct = distinct.filter(|(a, b)| scope[a.index()].index_type == scope[b.index()].index_type);
    let distinct = distinct.map(|(a, b)| Formula::Not(Box::new(Formula::Equal(index(a), index(b)))));
    let literals =
        cube.literals.iter().filter(|literal| !data.iter().any(|id| is_holder(names, &meaning, literal, *id)));
    let literals = literals.map(|literal| {
        let equation = Formula::Equal(literal.left.clone(), literal.right.clone());
        if literal.comparison.is_equal() { equation } else { Formula::Not(Box::new(equation)) }
    });
    let conjunctions = meaning.dnf(&Formula::And(literals.chain(distinct).collect()), true)?;
    let conjunction = conjunctions.into_iter().find(|conjunction| !contradictory(conjunction));
    let processes = processes.join(" ");
    Ok(conjunction.map(|conjunction| format!("unsafe ({processes}) {{ {} }}", text(&conjunction))))
}

/// Returns the variable that holds the element according to the literal.
fn holder(literal: &Literal, id: IndexVariableId) -> Option<(system::VariableId, &[IndexTerm])> {
    match (&literal.left, &literal.right) {
        (Term::Read(variable, arguments), Term::Index(IndexTerm::Variable(other)))
            if literal.comparison.is_equal() && *other == id =>
        {
            Some((*variable, arguments))
        }
        _ => None,
    }
}

/// Returns whether the literal only says which variable holds the element.
fn is_holder(names: &Names<'_>, meaning: &Meaning<'_>, literal: &Literal, id: IndexVariableId) -> bool {
    holder(literal, id).is_some_and(|(variable, arguments)| {
        let element = meaning.read(variable, arguments).map(|text| Element::Value(names.kind(variable).clone(), text));
        element.is_ok_and(|element| meaning.elements.get(&id) == Some(&element))
    })
}
