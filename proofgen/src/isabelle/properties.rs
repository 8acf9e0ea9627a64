//! The end of the proof: startstates, consistency, and the properties of the model in plain HOL.
//!
//! In: the system, the certificate, the formulas. Out: the last theory. The properties are stated as the model
//! states them; the bridge from the cubes of their negations is proven here, by cases on the equality of elements.

use std::collections::BTreeSet;

use certificate::proof::Match;
use minijinja::{Value as Json, context};
use protocol::system::{
    Cube, Formula as Source_, IndexTerm, IndexTypeId, IndexVariableId, Origin, Property, PropertyId, Rule, Startstate,
    Term as Value, VariableId,
};

use super::invariants::Invariants;
use super::replay::Pair;
use super::script::{self, Setting, Steps};
use super::term::{Infix, Term};
use super::translate::{self, Reader};
use super::{Fault, Source, text};

/// The last theory.
///
/// # Errors
/// See [`Fault`].
pub(super) fn theory(source: Source<'_>, invariants: &Invariants<'_>, imports: &[String]) -> Result<String, Fault> {
    let last = Last { source, invariants };
    let words = source.words;
    let starts = source.system.startstates.iter().zip(&words.startstates);
    let properties = (0_u32..).map(PropertyId).zip(&source.system.properties).zip(&words.properties);
    let respects = words.rules.iter().map(|rule| format!("{rule}_preserves"));
    let started = words.startstates.iter().map(|start| format!("{start}_holds"));
    let text = text::render(
        "theorem",
        context! {
            protocol => words.protocol,
            imports => imports,
            named => words.named,
            startstates => starts.map(|(start, name)| last.startstate(start, name)).collect::<Vec<_>>(),
            consistent => text::quoted(&last.consistent(), 2),
            respects => text::facts(respects, 4),
            started => text::facts(started, 4),
            corollary => text::quoted(&last.corollary(), 2),
            properties => properties.map(|((id, property), name)| last.property(id, property, name)).collect::<Result<Vec<_>, _>>()?,
        },
    )?;
    Ok(text)
}

struct Last<'a> {
    source: Source<'a>,
    invariants: &'a Invariants<'a>,
}

impl Last<'_> {
    fn protocol(&self) -> Term {
        let words = self.source.words;
        Term::call(&words.protocol, words.sizes.iter().map(Term::name).collect())
    }

    /// That the named elements exist.
    fn named(&self) -> Vec<Term> {
        let named = self.source.words.named.iter().zip(&self.source.system.named);
        named.map(|(name, named)| translate::is_element(self.source.words, name, named.index_type)).collect()
    }

    fn startstate(&self, start: &Startstate, name: &str) -> Json {
        let words = self.source.words;
        let names = words.scope(&start.scope);
        let names = &names[..start.parameters as usize];
        let ranges = names.iter().zip(&start.scope);
        let ranges = ranges.map(|(name, variable)| translate::is_element(words, name, variable.index_type));
        let mut premises = ranges.chain(self.named()).collect::<Vec<_>>();
        let arguments = words.sizes.iter().chain(names).map(Term::name).chain([Term::name("s")]).collect();
        premises.push(Term::call(name, arguments));
        let statement = Term::implication(Infix::Entails, premises, self.invariants.hold("s"));
        let facts = self.invariants.all().map(|formula| format!("{}_def", formula.name));
        let sorts = self.invariants.definitions().used_sorts();
        let sorts = sorts.iter().map(|sort| format!("{}_def", words.sorts[sort.index()]));
        let distinct = !self.invariants.definitions().named_distinct().is_empty();
        let distinct = distinct.then(|| "named_distinct".to_owned());
        let facts = std::iter::once(format!("{name}_def")).chain(facts).chain(sorts).chain(distinct);
        context! { name, statement => text::quoted(&statement, 2), facts => text::facts(facts, 4) }
    }

    fn consistent(&self) -> Term {
        let formulas = Term::call("formulas", vec![self.invariants.list()]);
        let consistent = Term::call("consistent", vec![formulas, self.protocol()]);
        Term::implication(Infix::Entails, self.named(), consistent)
    }

    fn corollary(&self) -> Term {
        let reachable = Term::call("reachable", vec![self.protocol(), Term::name("s")]);
        let premises = self.named().into_iter().chain([reachable]).collect();
        Term::implication(Infix::Entails, premises, self.invariants.hold("s"))
    }

    fn property(&self, id: PropertyId, property: &Property, name: &str) -> Result<Json, Fault> {
        let words = self.source.words;
        let names = words.scope(&property.scope);
        let reader = Reader { system: self.source.system, words, scope: &property.scope, names: &names, state: "s" };
        let mut premises = self.named();
        premises.push(Term::call("reachable", vec![self.protocol(), Term::name("s")]));
        let assumptions = premises.iter().map(|premise| text::quoted(premise, 10)).collect::<Vec<_>>();
        let comment = format!("Property \"{}\", line {}.", text::prose(&property.name), property.origin.line);
        let distinct = !self.invariants.definitions().named_distinct().is_empty();
        let distinct = distinct.then(|| "named_distinct".to_owned());
        let parts = parts(&property.formula).into_iter().map(|(bound, body)| {
            let elements = bound.iter().map(|id| (names[id.index()].clone(), property.scope[id.index()].index_type));
            let elements = elements.collect::<Vec<_>>();
            let ranges = elements.iter().map(|(name, kind)| translate::is_element(words, name, *kind));
            let cases = self.comparisons(&elements);
            let (types, sorts) = self.types(&body, &names);
            let cases = cases.iter().map(|equation| format!("cases {}", text::quoted(equation, 10)));
            context! {
                fixed => elements.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(),
                ranges => ranges.map(|range| text::quoted(&range, 10)).collect::<Vec<_>>(),
                body => text::quoted(&reader.property(&body), 10),
                facts => text::facts(self.facts(id, name, &elements).into_iter().chain(types), 8),
                sorts => sorts.into_iter().chain(distinct.clone()).collect::<Vec<_>>().join(" "),
                cases => cases.collect::<Vec<_>>(),
            }
        });
        let statement = text::quoted(&reader.property(&property.formula), 8);
        let cubes = self.cubes(id, name)?;
        Ok(context! { name, comment, assumptions, statement, cubes, parts => parts.collect::<Vec<_>>() })
    }

    /// The equations between elements of one type.
    fn comparisons(&self, elements: &[(String, IndexTypeId)]) -> Vec<Term> {
        let words = self.source.words;
        let named = words.named.iter().zip(&self.source.system.named);
        let named = named.map(|(name, named)| (name.clone(), named.index_type)).collect::<Vec<_>>();
        let mut pairs = Vec::new();
        for (position, (name, kind)) in elements.iter().enumerate() {
            let others = elements.iter().skip(position + 1).chain(&named).filter(|(_, other)| other == kind);
            pairs.extend(others.map(|(other, _)| Term::equal(Term::name(name), Term::name(other))));
        }
        pairs
    }

    /// The lemmas about the property's cubes at all elements that fit.
    fn facts(&self, id: PropertyId, name: &str, elements: &[(String, IndexTypeId)]) -> Vec<String> {
        let bad = &self.source.system.properties[id.index()].bad;
        let instances = (1_usize..).zip(bad).flat_map(|(number, cube)| {
            let choices = choices(&cube.variables, elements).into_iter();
            choices.map(move |choice| script::instance(&format!("{name}_cube{number}"), &choice))
        });
        instances.collect()
    }

    /// The types of what a formula reads, where they have finitely many values, and the sets of these values.
    fn types(&self, formula: &Source_, names: &[String]) -> (BTreeSet<String>, BTreeSet<String>) {
        let (system, words) = (self.source.system, self.source.words);
        let (mut types, mut sorts) = (BTreeSet::new(), BTreeSet::new());
        for (variable, arguments) in reads(formula) {
            if let Some(known) = self.invariants.type_of(variable)
                && system.sort_of(variable).is_finite()
            {
                let at = arguments.iter().map(|argument| match argument {
                    IndexTerm::Variable(id) => names[id.index()].clone(),
                    IndexTerm::Named(named) => words.named(*named).to_owned(),
                });
                types.insert(script::instance_of(&known.name, "all_hold", &at.collect::<Vec<_>>()));
                sorts.insert(format!("{}_def", words.sorts[system.variables[variable.index()].sort.index()]));
            }
        }
        (types, sorts)
    }

    /// The lemmas that the property's cubes are excluded.
    fn cubes(&self, id: PropertyId, name: &str) -> Result<Vec<Json>, Fault> {
        let property = &self.source.system.properties[id.index()];
        let numbered = (0_u32..).zip(&property.bad);
        numbered.map(|(number, cube)| self.cube(id, property, name, number, cube)).collect()
    }

    fn cube(&self, id: PropertyId, property: &Property, name: &str, number: u32, cube: &Cube) -> Result<Json, Fault> {
        let words = self.source.words;
        let stuck = || Fault::Unproven { property: property.name.clone(), line: property.origin.line };
        let entries = &self.source.certificate.properties;
        let entry = entries.iter().find(|entry| entry.property == id && entry.cube == number).ok_or_else(stuck)?;
        let (nothing, matching) = (nothing(), Match(Vec::new()));
        let argument = (&matching, &entry.argument);
        let pair = Pair::of_cube(self.source.system, &nothing, cube, &self.invariants.cubes, argument);
        let step = pair.prove().map_err(|_| stuck())?;
        let variables = words.invariant_variables(&cube.variables, &[]);
        let distinct = !self.invariants.definitions().named_distinct().is_empty();
        let ranges = words.named.iter().map(|name| format!("{name}_range"));
        let ranges = ranges.chain(distinct.then(|| "named_distinct".to_owned())).collect::<Vec<_>>().join(" ");
        let simplifying = if ranges.is_empty() { "simp_thms" } else { &ranges };
        let setting = Setting { source: self.source, invariants: self.invariants, guard: "", nested: &[], simplifying };
        let elements = variables.iter().cloned().zip(cube.variables.iter().copied()).collect();
        let proof = Steps::new(setting, elements).script("intro impI notI, (elim conjE)?", &step);
        let statement = self.invariants.definitions().invariant_body(cube, &variables, "s");
        let name = format!("{name}_cube{}", number + 1);
        let named = words.named.iter().zip(self.named());
        let named = named.map(|(name, range)| format!("{name}_range: {}", text::quoted(&range, 20)));
        let before = format!("before: {}", text::quoted(&self.invariants.hold("s"), 20));
        let assumptions = named.chain([before]).collect::<Vec<_>>();
        Ok(context! { name, assumptions, statement => text::quoted(&statement, 8), proof })
    }
}

/// A rule that does nothing: what holds before holds now.
fn nothing() -> Rule {
    Rule {
        name: String::new(),
        case: String::new(),
        scope: Vec::new(),
        parameters: 0,
        guard: Source_::True,
        updates: Vec::new(),
        origin: Origin::default(),
        source: 0,
    }
}

/// The variables of a part of a property, and its body.
pub(super) type Part = (Vec<IndexVariableId>, Source_);

/// Formulas without quantifiers that together, for all values of the variables, amount to a formula.
pub(super) fn parts(formula: &Source_) -> Vec<Part> {
    match formula {
        Source_::And(inner) => inner.iter().flat_map(parts).collect(),
        Source_::Forall(variable, body) => {
            let mut parts = parts(body);
            parts.iter_mut().for_each(|(bound, _)| bound.insert(0, *variable));
            parts
        }
        Source_::True
        | Source_::False
        | Source_::Equal(..)
        | Source_::Not(_)
        | Source_::Or(_)
        | Source_::Exists(..) => {
            let mut bound = Vec::new();
            let body = without_quantifiers(formula, true, &mut bound);
            vec![(bound, body)]
        }
    }
}

/// A formula without the quantifiers that are universal in it; `positive` says below how many negations it is.
fn without_quantifiers(formula: &Source_, positive: bool, bound: &mut Vec<IndexVariableId>) -> Source_ {
    let mut all = |parts: &[Source_]| parts.iter().map(|part| without_quantifiers(part, positive, bound)).collect();
    match formula {
        Source_::And(parts) => Source_::And(all(parts)),
        Source_::Or(parts) => Source_::Or(all(parts)),
        Source_::Not(inner) => Source_::Not(Box::new(without_quantifiers(inner, !positive, bound))),
        Source_::Forall(variable, body) if positive => {
            bound.push(*variable);
            without_quantifiers(body, positive, bound)
        }
        Source_::Exists(variable, body) if !positive => {
            bound.push(*variable);
            without_quantifiers(body, positive, bound)
        }
        // The other quantifiers do not occur where the negation is a disjunction of cubes.
        Source_::True | Source_::False | Source_::Equal(..) | Source_::Forall(..) | Source_::Exists(..) => {
            formula.clone()
        }
    }
}

/// The reads in a formula.
fn reads(formula: &Source_) -> Vec<(VariableId, &[IndexTerm])> {
    match formula {
        Source_::True | Source_::False => Vec::new(),
        Source_::Equal(left, right) => [left, right]
            .into_iter()
            .filter_map(|term| match term {
                Value::Read(variable, arguments) => Some((*variable, arguments.as_slice())),
                Value::Constant(_) | Value::Index(_) => None,
            })
            .collect(),
        Source_::Not(inner) | Source_::Forall(_, inner) | Source_::Exists(_, inner) => reads(inner),
        Source_::And(parts) | Source_::Or(parts) => parts.iter().flat_map(reads).collect(),
    }
}

/// All ways to choose different elements of the types.
fn choices(types: &[IndexTypeId], elements: &[(String, IndexTypeId)]) -> Vec<Vec<String>> {
    types.iter().fold(vec![Vec::new()], |choices, kind| {
        let extended = choices.iter().flat_map(|choice: &Vec<String>| {
            let fitting = elements.iter().filter(move |(name, other)| other == kind && !choice.contains(name));
            fitting.map(move |(name, _)| choice.iter().chain([name]).cloned().collect())
        });
        extended.collect()
    })
}
