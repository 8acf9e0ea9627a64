//! Rules as transitions in Cubicle's language.
//!
//! There is one transition for each partition of a rule's parameters into equal ones and each disjunct of its guard.
//! Parameters of an abstract type are the values of variables that are never constrained and that take an arbitrary
//! value again after each use. A variable that becomes undefined takes its value from such a variable as well.

use std::collections::{BTreeMap, BTreeSet};

use system::{IndexVariableId, Rule, Update, Value};

use super::Refusal;
use super::formula::{Atom, Conjunction, Element, Meaning, Word, contradictory, exclude, text};
use super::names::{Kind, Names};

/// Auxiliary variables with arbitrary values: their names and types.
pub(super) type Auxiliary = BTreeMap<String, String>;

/// A value chosen by conditions: that of the first conjunction that holds.
type Cases = Vec<(Conjunction, String)>;

/// Returns the transitions of a rule, without their names.
pub(super) fn transitions(names: &Names<'_>, rule: &Rule, auxiliary: &mut Auxiliary) -> Result<Vec<String>, Refusal> {
    let mut found = Vec::new();
    for meaning in meanings(names, rule) {
        for guard in meaning.dnf(&rule.guard, true)? {
            let mut transition = Transition { meaning: &meaning, guard: &guard, used: Vec::new() };
            let body = transition.body(rule)?;
            let used: BTreeSet<(String, String)> = transition.auxiliaries(&body);
            auxiliary.extend(used.iter().cloned());
            let renewals = used.into_iter().map(|(name, _)| format!("{name} := ?"));
            let body: Vec<String> = body.into_iter().chain(renewals).map(|line| format!("  {line}")).collect();
            let requires = if guard.is_empty() { String::new() } else { format!("requires {{ {} }}\n", text(&guard)) };
            let parameters = meaning.parameters.join(" ");
            found.push(format!("({parameters})\n{requires}{{\n{}\n}}", body.join(";\n")));
        }
    }
    Ok(found)
}

/// Returns what the parameters denote in all partitions.
fn meanings<'a>(names: &'a Names<'a>, rule: &'a Rule) -> Vec<Meaning<'a>> {
    let mut all = vec![Meaning { names, scope: &rule.scope, parameters: Vec::new(), elements: BTreeMap::new() }];
    let parameters = rule.scope.iter().take(usize::try_from(rule.parameters).unwrap_or(usize::MAX));
    for (id, parameter) in (0..).map(IndexVariableId).zip(parameters) {
        let kind = names.elements(parameter.index_type);
        all = all
            .into_iter()
            .flat_map(|meaning| match &kind {
                Kind::Process => {
                    let new = names.parameter(&parameter.name, &meaning.parameters);
                    let mut extended = meaning.with(id, Element::Parameter(new.clone()));
                    extended.parameters.push(new);
                    let equal = meaning.parameters.iter().map(|old| meaning.with(id, Element::Parameter(old.clone())));
                    equal.chain([extended]).collect::<Vec<_>>()
                }
                Kind::Boolean | Kind::Enumeration(_) | Kind::Data(_) => {
                    let name = format!("Any_{}_{}", names.type_name(&kind), id.index());
                    vec![meaning.with(id, Element::Value(kind.clone(), name))]
                }
            })
            .collect();
    }
    all
}

struct Transition<'m, 'a> {
    meaning: &'m Meaning<'a>,
    guard: &'m Conjunction,
    /// The kinds of the values that become undefined.
    used: Vec<Kind>,
}

impl Transition<'_, '_> {
    fn body(&mut self, rule: &Rule) -> Result<Vec<String>, Refusal> {
        let mut lines = Vec::new();
        for update in &rule.updates {
            let line = if update.arguments.is_empty() { self.scalar(update)? } else { self.array(update)? };
            lines.extend(line);
        }
        Ok(lines)
    }

    fn scalar(&mut self, update: &Update) -> Result<Option<String>, Refusal> {
        let name = self.meaning.names.variable(update.variable);
        if matches!(update.value, Value::Arbitrary) {
            return Ok(Some(format!("{name} := ?")));
        }
        let meaning = self.meaning.clone();
        let cases = self.cases(&meaning, update, &update.value)?;
        Ok(match cases.as_slice() {
            [(_, only)] if *only == name => None,
            [(_, only)] => Some(format!("{name} := {only}")),
            _ => Some(format!("{name} := case{}", cases_text(&cases))),
        })
    }

    /// Translates an update of an array, which changes at the parameters and elsewhere.
    fn array(&mut self, update: &Update) -> Result<Option<String>, Refusal> {
        let name = self.meaning.names.variable(update.variable);
        let bound: Vec<String> = ["i", "j", "k", "l"]
            .iter()
            .cycle()
            .take(update.arguments.len())
            .fold(self.meaning.parameters.clone(), |mut known, wanted| {
                known.push(self.meaning.names.parameter(wanted, &known));
                known
            })
            .split_off(self.meaning.parameters.len());
        let places = places(&self.meaning.parameters, &bound);
        let mut whole: Cases = Vec::new();
        for place in &places {
            let mut meaning = self.meaning.clone();
            let mut condition = Conjunction::new();
            for ((argument, element), bound) in update.arguments.iter().zip(place).zip(&bound) {
                if let Element::Parameter(parameter) = element {
                    let right = Word::Text(parameter.clone());
                    condition.insert(Atom::Literal { left: bound.clone(), equal: true, right });
                }
                meaning.elements.insert(*argument, element.clone());
            }
            let cases = self.cases(&meaning, update, &update.value)?;
            whole.extend(cases.into_iter().map(|(case, leaf)| (&case | &condition, leaf)));
        }
        let same = format!("{name}[{}]", bound.join(", "));
        // A value that holds elsewhere need not be repeated for the parameters.
        if let Some((_, default)) = whole.pop() {
            while whole.last().is_some_and(|(case, leaf)| *leaf == at_case(&default, &bound, case)) {
                whole.pop();
            }
            if default == same {
                match whole.as_slice() {
                    [] => return Ok(None),
                    [(case, leaf)] if is_place(case, &bound) => {
                        return Ok(Some(format!("{} := {leaf}", at_case(&same, &bound, case))));
                    }
                    [_, ..] => {}
                }
            }
            whole.push((Conjunction::new(), default));
        }
        Ok(Some(format!("{same} := case{}", cases_text(&whole))))
    }

    /// Returns the cases of a value, deciding their conditions by the guard where possible.
    fn cases(&mut self, meaning: &Meaning<'_>, update: &Update, value: &Value) -> Result<Cases, Refusal> {
        let kind = meaning.names.kind(update.variable).clone();
        match value {
            Value::Sum(..) => Err(Refusal("a number".to_owned())),
            Value::Term(term) => Ok(vec![(Conjunction::new(), meaning.term(term, &kind)?)]),
            Value::Arbitrary => {
                let anywhere = |argument| matches!(meaning.elements.get(argument), Some(Element::Other(_)));
                if update.arguments.iter().any(anywhere) {
                    return Err(Refusal(format!(
                        "{} undefined at all indices",
                        meaning.names.variable(update.variable)
                    )));
                }
                self.used.push(kind.clone());
                Ok(vec![(Conjunction::new(), undefined(meaning.names, &kind, self.used.len()))])
            }
            Value::If(condition, then, otherwise) => {
                let disjuncts: Vec<Conjunction> =
                    meaning.dnf(condition, true)?.into_iter().filter_map(|disjunct| self.open(disjunct)).collect();
                let mut cases = Cases::new();
                if !disjuncts.is_empty() {
                    for (case, leaf) in self.cases(meaning, update, then)? {
                        let both = disjuncts.iter().map(|disjunct| disjunct | &case);
                        cases.extend(both.filter(|both| !contradictory(both)).map(|both| (both, leaf.clone())));
                    }
                }
                if !disjuncts.iter().any(Conjunction::is_empty) {
                    cases.extend(self.cases(meaning, update, otherwise)?);
                }
                Ok(cases)
            }
        }
    }

    /// Returns the part of a conjunction that the guard does not decide, or `None` if the guard contradicts it.
    fn open(&self, conjunction: Conjunction) -> Option<Conjunction> {
        let excluded = conjunction.iter().any(|atom| self.guard.iter().any(|known| exclude(atom, known)));
        let follows = |atom: &Atom| {
            self.guard.contains(atom)
                || self.guard.iter().any(|known| {
                    matches!((atom, known), (
                    Atom::Literal { left, equal: false, right: Word::Constant(right) },
                    Atom::Literal { left: of, equal: true, right: Word::Constant(value) },
                ) if left == of && right != value)
                })
        };
        (!excluded).then(|| conjunction.into_iter().filter(|atom| !follows(atom)).collect())
    }

    /// Returns the auxiliary variables that the transition reads, with their types.
    fn auxiliaries(&self, body: &[String]) -> BTreeSet<(String, String)> {
        let names = self.meaning.names;
        let undefined = (1..).zip(&self.used).map(|(number, kind)| (undefined(names, kind, number), kind));
        let picked = self.meaning.elements.values().filter_map(|element| match element {
            Element::Value(kind, name) => Some((name.clone(), kind)),
            Element::Parameter(_) | Element::Other(_) => None,
        });
        let texts = || body.iter().cloned().chain([text(self.guard)]);
        undefined
            .chain(picked)
            .filter(|(name, _)| texts().any(|text| text.split(|c: char| !is_name(c)).any(|word| word == name)))
            .map(|(name, kind)| (name, names.type_name(kind)))
            .collect()
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn undefined(names: &Names<'_>, kind: &Kind, number: usize) -> String {
    format!("Undefined_{}_{number}", names.type_name(kind))
}

/// Returns what the arguments of an array can denote, starting with those with more parameters.
fn places(parameters: &[String], bound: &[String]) -> Vec<Vec<Element>> {
    let mut all: Vec<Vec<Element>> = vec![Vec::new()];
    for other in bound {
        all = all
            .into_iter()
            .flat_map(|place| {
                let choices = parameters.iter().cloned().map(Element::Parameter).chain([Element::Other(other.clone())]);
                choices.map(move |choice| [place.clone(), vec![choice]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    all.sort_by_key(|place| place.iter().filter(|element| matches!(element, Element::Other(_))).count());
    all
}

/// Whether a case says which parameters the bound processes are, and nothing else.
fn is_place(case: &Conjunction, bound: &[String]) -> bool {
    let says =
        |name: &String| case.iter().any(|atom| matches!(atom, Atom::Literal { left, equal: true, .. } if left == name));
    case.len() == bound.len() && bound.iter().all(says)
}

/// Returns the value with the bound processes replaced by the parameters that the case is about.
fn at_case(value: &str, bound: &[String], case: &Conjunction) -> String {
    let replaced = |word: &str| {
        let equal = case.iter().find_map(|atom| match atom {
            Atom::Literal { left, equal: true, right: Word::Text(right) } if left == word => Some(right.clone()),
            Atom::Literal { .. } | Atom::Others(..) => None,
        });
        equal.filter(|_| bound.iter().any(|bound| bound == word)).unwrap_or_else(|| word.to_owned())
    };
    let mut text = String::new();
    let mut word = String::new();
    for c in value.chars() {
        if is_name(c) {
            word.push(c);
        } else {
            text.push_str(&replaced(&std::mem::take(&mut word)));
            text.push(c);
        }
    }
    text + &replaced(&word)
}

fn cases_text(cases: &Cases) -> String {
    let line = |(case, leaf): &(Conjunction, String)| {
        let case = if case.is_empty() { "_".to_owned() } else { text(case) };
        format!("\n    | {case} : {leaf}")
    };
    cases.iter().map(line).collect()
}
