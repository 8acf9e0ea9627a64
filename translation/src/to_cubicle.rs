//! A lowered system in the language of Cubicle (Conchon, Goel, Krstić, Mebsout and Zaïdi, "Cubicle: a parallel SMT-based
//! model checker for parameterized systems", CAV 2012).
//!
//! The `.cub` file has the same states, transitions and bad states as the system. If part of the system has no counterpart,
//! every such part is reported instead.

mod formula;
mod names;
mod rule;

use std::collections::BTreeMap;

use system::front_end::{Diagnostic, Span};
use system::{
    Cube, Formula, IndexTerm, IndexVariable, IndexVariableId, Literal, Origin, Role, Startstate, System, Term, Update,
    Value,
};
use thiserror::Error;

use crate::Fault;

use formula::{Conjunction, Element, Meaning, contradictory, text};
use names::{Kind, Names};
use rule::{Auxiliary, transitions};

/// A part of the system without a counterpart in Cubicle's language.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
struct Refusal(String);

impl Refusal {
    fn at(self, origin: &Origin) -> Diagnostic {
        let help = "the language has truth values, enumerations, one symmetric type that indexes arrays, and others whose \
                    values are only copied and compared";
        Fault::Cubicle { what: self.0, help }.at(Span::from(origin))
    }
}

/// Translates a Murphi model, given its text and its lowered system, to Cubicle's language. The comments at the start of the
/// text stay.
///
/// # Errors
/// Returns the parts of the system without a counterpart there.
pub fn to_cubicle(text: &str, system: &System) -> Result<String, Vec<Diagnostic>> {
    let nowhere = Origin::default();
    whole(system).map_err(|(refusal, origin)| vec![refusal.at(&origin)])?;
    let mut names = Names::new(system).map_err(|(refusal, origin)| vec![refusal.at(&origin)])?;
    let mut faults = Vec::new();
    let mut auxiliary = Auxiliary::new();
    let mut rules = Vec::new();
    for rule in &system.rules {
        match transitions(&names, rule, &mut auxiliary) {
            Ok(found) => rules.extend(found.into_iter().map(|found| (names.transition(&rule.name), found))),
            Err(refusal) => faults.push(refusal.at(&rule.origin)),
        }
    }
    let mut blocks = vec![head(text), names.type_declarations().join("\n"), names.variable_declarations().join("\n")];
    blocks
        .push(auxiliary.iter().map(|(name, ty)| format!("var {name} : {ty}\n")).collect::<String>().trim().to_owned());
    match system.startstates.as_slice() {
        [start] => match initial(&names, start) {
            Ok(block) => blocks.push(block),
            Err(refusal) => faults.push(refusal.at(&start.origin)),
        },
        [] => faults.push(Refusal("a model without a startstate".to_owned()).at(&nowhere)),
        [_, second, ..] => faults.push(Refusal("several startstates".to_owned()).at(&second.origin)),
    }
    for property in &system.properties {
        for cube in &property.bad {
            match bad(&names, cube) {
                Ok(block) => blocks.extend(block),
                Err(refusal) => faults.push(refusal.at(&property.origin)),
            }
        }
    }
    blocks.extend(rules.into_iter().map(|(name, rule)| format!("transition {name} {rule}")));
    blocks.retain(|block| !block.is_empty());
    if faults.is_empty() { Ok(blocks.join("\n\n") + "\n") } else { Err(faults) }
}

/// Returns the comments at the start of a Murphi text.
fn head(text: &str) -> String {
    let lines = text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with("--"));
    // What opens or closes a comment would do so here as well.
    let lines = lines.filter(|line| !line.is_empty()).map(|line| line.trim_start_matches('-').trim());
    let lines: Vec<String> = lines.map(|line| line.replace("(*", "( *").replace("*)", "* )")).collect();
    if lines.is_empty() { String::new() } else { format!("(* {} *)", lines.join("\n   ")) }
}

/// Refuses a system that a proof relates to its model in a way that the language cannot say.
fn whole(system: &System) -> Result<(), (Refusal, Origin)> {
    let refuse = |what: String, origin: &Origin| Err((Refusal(what), origin.clone()));
    // An assumption that always holds only tells that variables have any value.
    if let Some(axiom) = system.axioms.iter().find(|axiom| !axiom.bad.is_empty()) {
        return refuse(format!("the assumption {}", axiom.name), &axiom.origin);
    }
    if let Some(left_out) = system.claim.left_out.first() {
        return refuse(format!("the {} \"{}\", which is not lowered", left_out.kind, left_out.name), &left_out.origin);
    }
    match system.sizes.first() {
        Some(_) => refuse("a size that is used as a number".to_owned(), &Origin::default()),
        None => Ok(()),
    }
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
    if conjuncts.is_empty() {
        conjuncts.push("true".to_owned());
    }
    Ok(format!("init ({}) {{\n  {}\n}}", processes.join(" "), conjuncts.join(" &&\n  ")))
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
    if !cube.universals.is_empty() {
        return Err(Refusal("a property with `exists` below `forall`".to_owned()));
    }
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
    let possible = conjunctions.into_iter().filter(|conjunction| !contradictory(conjunction));
    let claim = |conjunction: Conjunction| match conjunction.is_empty() {
        true => format!("unsafe ({}) {{ true }}", processes.join(" ")),
        false => format!("unsafe ({}) {{ {} }}", processes.join(" "), text(&conjunction)),
    };
    let claims: Vec<String> = possible.map(claim).collect();
    Ok((!claims.is_empty()).then(|| claims.join("\n")))
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
