//! The end of the proof: startstates, consistency, and the properties of the model in plain HOL.
//!
//! In: the system, the certificate, the formulas. Out: the last theory. The properties are stated as the model
//! states them; the bridge from the cubes of their negations is proven here, by cases on the equality of elements.

use std::collections::BTreeSet;

use certificate::proof::{Argument, Instance, Symbol};
use minijinja::{Value as Json, context};
use protocol::system::{Formula as Source_, IndexTypeId, Property, PropertyId, Startstate};

use super::invariants::Invariants;
use super::term::{Infix, Term};
use super::translate::{self, Reader};
use super::{Source, text};

/// The last theory.
///
/// # Errors
/// A fault in the template.
pub(super) fn theory(
    source: Source<'_>,
    invariants: &Invariants<'_>,
    imports: &[String],
) -> Result<String, minijinja::Error> {
    let last = Last { source, invariants };
    let words = source.words;
    let starts = source.system.startstates.iter().zip(&words.startstates);
    let properties = (0_u32..).map(PropertyId).zip(&source.system.properties).zip(&words.properties);
    let respects = words.rules.iter().map(|rule| format!("{rule}_preserves"));
    let started = words.startstates.iter().map(|start| format!("{start}_holds"));
    text::render(
        "theorem",
        context! {
            protocol => words.protocol,
            imports => imports,
            startstates => starts.map(|(start, name)| last.startstate(start, name)).collect::<Vec<_>>(),
            consistent => text::quoted(&last.consistent(), 2),
            respects => text::facts(respects, 4),
            started => text::facts(started, 4),
            corollary => text::quoted(&last.corollary(), 2),
            properties => properties.map(|((id, property), name)| last.property(id, property, name)).collect::<Vec<_>>(),
        },
    )
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
        let facts = std::iter::once(format!("{name}_def")).chain(facts).chain(sorts);
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

    fn property(&self, id: PropertyId, property: &Property, name: &str) -> Json {
        let words = self.source.words;
        let names = words.scope(&property.scope);
        let reader = Reader { system: self.source.system, words, scope: &property.scope, names: &names, state: "s" };
        let mut premises = self.named();
        premises.push(Term::call("reachable", vec![self.protocol(), Term::name("s")]));
        let assumptions = premises.iter().map(|premise| text::quoted(premise, 10)).collect::<Vec<_>>();
        let comment = format!("Property \"{}\", line {}.", text::prose(&property.name), property.origin.line);
        let bound = leading(&property.formula, &[]);
        let elements = bound.iter().map(|variable| (names[*variable].clone(), property.scope[*variable].index_type));
        let elements = elements.collect::<Vec<_>>();
        let pairs = self.comparisons(&elements);
        let cases = pairs.iter().map(|equation| format!("cases {}", text::quoted(equation, 10)));
        context! {
            name,
            comment,
            assumptions,
            statement => text::quoted(&reader.formula(&property.formula), 8),
            fixed => elements.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(),
            ranges => elements.iter().map(|(name, kind)| text::quoted(&translate::is_element(words, name, *kind), 10)).collect::<Vec<_>>(),
            body => text::quoted(&reader.formula(matrix(&property.formula)), 10),
            facts => text::facts(self.facts(id, &elements).into_iter(), 8),
            cases => cases.collect::<Vec<_>>(),
        }
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

    /// The instances of the named invariants at all elements that fit.
    fn facts(&self, id: PropertyId, elements: &[(String, IndexTypeId)]) -> Vec<String> {
        let mut facts = BTreeSet::new();
        for entry in self.source.certificate.properties.iter().filter(|entry| entry.property == id) {
            let types = &self.source.system.properties[id.index()].bad[entry.cube as usize].variables;
            for choice in choices(types, elements) {
                self.premises(&entry.argument, &choice, &mut facts);
            }
        }
        facts.into_iter().collect()
    }

    fn premises(&self, argument: &Argument, choice: &[String], facts: &mut BTreeSet<String>) {
        for Instance { invariant, substitution } in &argument.premises {
            let at = substitution.iter().map(|symbol| match symbol {
                Symbol::Variable(position) => choice.get(*position as usize).cloned(),
                Symbol::Named(named) => Some(self.source.words.named(*named).to_owned()),
                Symbol::Other(_) => None,
            });
            if let Some(at) = at.collect::<Option<Vec<_>>>() {
                let name = &self.invariants.invariants[invariant.index()].name;
                let of = if at.is_empty() { String::new() } else { format!(", of {}", at.join(" ")) };
                facts.insert(format!("{name}[OF before{of}]"));
            }
        }
        for case in argument.split.iter().flat_map(|split| &split.cases) {
            self.premises(case, choice, facts);
        }
    }
}

/// The variables of the universal quantifiers in front of a formula.
fn leading(formula: &Source_, so_far: &[usize]) -> Vec<usize> {
    if let Source_::Forall(variable, body) = formula {
        leading(body, &[so_far, &[variable.index()]].concat())
    } else {
        so_far.to_vec()
    }
}

/// What is behind the universal quantifiers in front of a formula.
fn matrix(formula: &Source_) -> &Source_ {
    if let Source_::Forall(_, body) = formula { matrix(body) } else { formula }
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
