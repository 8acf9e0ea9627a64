//! The end of the proof: startstates, consistency, and the properties of the model in plain HOL.
//!
//! This module makes the last theory. It states the properties as the model states them; the step from the cubes of
//! their negations to these statements is proven here, by cases on the equality of elements.

mod noted;
mod parts;

use certificate::proof::{InvariantId, Match};
use minijinja::{Value as Json, context};
use system::{Cube, Formula as Source_, IndexTypeId, IndexVariableId, Property, PropertyId, Startstate, Transition};

pub(super) use self::noted::theorem as noted;
pub(super) use self::parts::{Part, groups, parts};

use self::parts::{choices, negation, quantified};
use super::invariants::Invariants;
use super::replay::{Fact, NoProof, Pair, Step, is_nested};
use super::script::{self, Absurd, Known, Setting, Steps};
use super::term::{Infix, Term};
use super::translate::{self, Reader};
use super::{Fault, Source, print, text};

/// Returns the last theory.
///
/// # Errors
/// Returns an error if an argument cannot be replayed or the template is wrong; see [`Fault`].
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
            claim => text::claim(source.system),
            imports => imports,
            named => words.named,
            assumed => invariants.definitions().assumption().is_some(),
            system => print::term(&last.protocol(), 0, 0),
            startstates => starts.map(|(start, name)| last.startstate(start, name)).collect::<Result<Vec<_>, _>>()?,
            consistent => text::quoted(&last.consistent(), 2),
            respects => text::facts(respects, 4),
            started => text::facts(started, 4),
            corollary => text::quoted(&last.corollary(), 2),
            properties => properties.map(|((id, property), name)| last.property(id, property, name)).collect::<Result<Vec<_>, _>>()?,
        },
    )?;
    Ok(text)
}

/// The name of what follows from the negation of a part of a property.
const NEGATED: &str = "negated";

/// The proof of a part of a property with quantifiers inside: what its negation says of all elements is used at those
/// that the steps name.
fn negated(negation: &Transition, reader: Reader<'_>, refuted: &Term, steps: Steps<'_>, step: &Step) -> String {
    let conjuncts = negation.guard.conjuncts();
    let simple = (1..).zip(&conjuncts).filter(|(_, conjunct)| !conjunct.has_quantifier());
    let simple = simple.map(|(number, _)| format!(" {NEGATED}({number})")).collect::<String>();
    let that = if negation.parameters == 0 { "" } else { " that" };
    let first = if that.is_empty() && simple.is_empty() { String::new() } else { format!("insert{that}{simple}") };
    let assumed = [(NEGATED, conjuncts.into_iter().map(|conjunct| reader.formula(conjunct)).collect())];
    Absurd { negation: refuted, unfold: "", assumed: &assumed }.proof(&steps.script(&first, step))
}

struct Last<'a> {
    source: Source<'a>,
    invariants: &'a Invariants<'a>,
}

impl Last<'_> {
    fn protocol(&self) -> Term {
        let words = self.source.words;
        Term::call(&words.protocol, words.fixed.iter().map(Term::name).collect())
    }

    /// The propositions that the named elements exist.
    fn named(&self) -> Vec<Term> {
        let named = self.source.words.named.iter().zip(&self.source.system.named);
        named.map(|(name, named)| translate::is_element(self.source.words, name, named.index_type)).collect()
    }

    fn startstate(&self, start: &Startstate, name: &str) -> Result<Json, Fault> {
        let words = self.source.words;
        let names = words.scope(&start.scope);
        let names = &names[..start.parameters as usize];
        let ranges = names.iter().zip(&start.scope);
        let ranges = ranges.map(|(name, variable)| translate::is_element(words, name, variable.index_type));
        let mut premises = ranges.chain(self.named()).collect::<Vec<_>>();
        let arguments = words.fixed.iter().chain(names).map(Term::name).chain([Term::name("s")]).collect();
        premises.push(Term::call(name, arguments));
        let own_premises = self.named().into_iter().chain(premises.last().cloned()).collect::<Vec<_>>();
        let statement = Term::implication(Infix::Entails, premises, self.invariants.hold("s"));
        let facts = self.invariants.all().map(|formula| format!("{}_def", formula.name));
        let sorts = self.invariants.definitions().used_sorts();
        let sorts = sorts.iter().map(|sort| format!("{}_def", words.sorts[sort.index()]));
        let distinct = !self.invariants.definitions().named_distinct().is_empty();
        let distinct = distinct.then(|| "named_distinct".to_owned());
        let facts = std::iter::once(format!("{name}_def")).chain(facts).chain(sorts).chain(distinct);
        // One formula without variables is neither a conjunction nor quantified.
        let quantified = self.invariants.all().any(|formula| !formula.variables.is_empty());
        let has_parts = quantified || self.invariants.all().count() > 1;
        let lemmas = self.start_lemmas(start, name)?;
        let proven = lemmas.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let lemmas = lemmas.into_iter().map(|(_, lemma)| lemma).collect::<Vec<_>>();
        let (statement, facts) = (text::quoted(&statement, 2), text::facts(facts, 4));
        let at_named = self.invariants.definitions().start_at_named(start);
        let at_named = at_named.iter().map(|term| text::quoted(term, 4)).collect::<Vec<_>>();
        let named_premises = own_premises.iter().map(|premise| text::quoted(premise, 4)).collect::<Vec<_>>();
        Ok(context! { name, has_parts, statement, facts, lemmas, proven, at_named, named_premises })
    }

    /// The lemmas that a startstate satisfies the invariants with universal parts.
    fn start_lemmas(&self, start: &Startstate, name: &str) -> Result<Vec<(String, Json)>, Fault> {
        let own = self.invariants.cubes.iter().take(self.invariants.invariants.len());
        let numbered = (0_u32..).map(InvariantId).zip(own);
        let promising = numbered.filter(|(_, cube)| !cube.universals.is_empty());
        promising.map(|(number, _)| self.start_lemma(start, name, number)).collect()
    }

    fn start_lemma(&self, start: &Startstate, name: &str, number: InvariantId) -> Result<(String, Json), Fault> {
        let words = self.source.words;
        let scope = words.scope(&start.scope);
        let names = &scope[..start.parameters as usize];
        let (formula, cube) = (&self.invariants.invariants[number.index()], &self.invariants.cubes[number.index()]);
        let pair = Pair::of_start(self.source.system, start, &self.invariants.cubes, number);
        let stuck =
            |_| Fault::Start { startstate: start.name.clone(), line: start.origin.line, invariant: number.index() + 1 };
        // What the startstate says is in every simplification.
        let unnamed = |fact: &Fact| matches!(fact, Fact::Guard(_) | Fact::Instance(..));
        let step = pair.prove().map_err(stuck)?.without(&unnamed);
        let variables = words.invariant_variables(&cube.variables, &scope);
        let ranges = names.iter().zip(&start.scope);
        let ranges = ranges.map(|(name, variable)| translate::is_element(words, name, variable.index_type));
        let arguments = words.fixed.iter().chain(names).map(Term::name).chain([Term::name("s")]).collect();
        let premises = [Term::call(name, arguments)].into_iter().chain(ranges).chain(self.named()).collect::<Vec<_>>();
        let ranges = (2..=premises.len()).map(|number| format!("assms({number})"));
        let setting = Setting {
            source: self.source,
            known: Known::Invariants(self.invariants),
            all_hold: "before",
            assumed: &self.invariants.assumed_by(),
            guard: "",
            nested: &[],
            simplifying: &self.simplifying([format!("assms(1)[unfolded {name}_def]")].into_iter().chain(ranges)),
        };
        let kinds = start.scope.iter().map(|variable| variable.index_type);
        let typed = variables.iter().cloned().zip(cube.variables.iter().copied());
        let elements = names.iter().cloned().zip(kinds).chain(typed).collect();
        let proof = self.invariants.proof(number, "s", &variables, Steps::new(setting, elements), &step);
        let statement = text::quoted(&self.invariants.at(formula, "s", &variables), 8);
        let assumptions = premises.iter().map(|premise| text::quoted(premise, 10)).collect::<Vec<_>>();
        let name = format!("{name}_{}", formula.name);
        Ok((name.clone(), context! { name, assumptions, statement, proof }))
    }

    fn consistent(&self) -> Term {
        let consistent = match self.invariants.definitions().assumption() {
            None => {
                let formulas = Term::call("formulas", vec![self.invariants.list()]);
                Term::call("consistent", vec![formulas, self.protocol()])
            }
            Some(assumption) => {
                Term::call("consistent_under", vec![assumption, self.invariants.list(), self.protocol()])
            }
        };
        Term::implication(Infix::Entails, self.named(), consistent)
    }

    fn corollary(&self) -> Term {
        let reachable = self.invariants.definitions().reached(self.protocol(), "s");
        let premises = self.named().into_iter().chain([reachable]).collect();
        Term::implication(Infix::Entails, premises, self.invariants.hold("s"))
    }

    fn property(&self, id: PropertyId, property: &Property, name: &str) -> Result<Json, Fault> {
        let words = self.source.words;
        let names = words.scope(&property.scope);
        let reader = Reader { system: self.source.system, words, scope: &property.scope, names: &names, state: "s" };
        let mut premises = self.named();
        premises.push(self.invariants.definitions().reached(self.protocol(), "s"));
        let assumptions = premises.iter().map(|premise| text::quoted(premise, 10)).collect::<Vec<_>>();
        let comment = format!("Property \"{}\", line {}.", text::prose(&property.name), property.origin.line);
        let parts = parts(&property.formula).into_iter().map(|(bound, body)| {
            let elements = bound.iter().map(|id| (names[id.index()].clone(), property.scope[id.index()].index_type));
            let elements = elements.collect::<Vec<_>>();
            let ranges = elements.iter().map(|(name, kind)| translate::is_element(words, name, *kind));
            let proof = self.part(property, name, (&bound, &body), &elements)?;
            Ok(context! {
                fixed => elements.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(),
                ranges => ranges.map(|range| text::quoted(&range, 10)).collect::<Vec<_>>(),
                body => text::quoted(&reader.property(&body), 10),
                proof,
            })
        });
        let parts = parts.collect::<Result<Vec<_>, Fault>>()?;
        let statement = text::quoted(&reader.property(&property.formula), 8);
        let cubes = self.cubes(id, name)?;
        let noted = noted(self.source, self.invariants.definitions(), property, name);
        let groups = groups(&property.formula);
        Ok(context! { name, comment, assumptions, statement, cubes, parts, groups, noted })
    }

    /// The proof of a part from the lemmas about the property's cubes.
    fn part(
        &self,
        property: &Property,
        name: &str,
        (bound, body): (&[IndexVariableId], &Source_),
        elements: &[(String, IndexTypeId)],
    ) -> Result<String, Fault> {
        let words = self.source.words;
        let all = [bound, &quantified(body)].concat();
        let negation = Transition {
            scope: all.iter().map(|id| property.scope[id.index()].clone()).collect(),
            parameters: u32::try_from(bound.len()).unwrap_or(u32::MAX),
            guard: negation(body, &all),
            ..Transition::SKIP
        };
        let empty = Cube { variables: Vec::new(), literals: Vec::new(), universals: Vec::new() };
        let kinds = elements.iter().map(|(_, kind)| *kind).collect::<Vec<_>>();
        let cubes = (0_u32..).map(InvariantId).zip(&property.bad);
        let given = cubes.flat_map(|(cube, bad)| choices(&bad.variables, &kinds).into_iter().map(move |at| (cube, at)));
        let pair = Pair::of_part(self.source.system, &negation, &empty, &property.bad, given.collect());
        let step = pair.prove().map_err(|why| Fault::of_property(property, why))?;
        let ranges = (1..=words.named.len()).map(|number| format!("assms({number})"));
        let setting = Setting {
            source: self.source,
            known: Known::Cubes(name),
            all_hold: "all_hold",
            assumed: "assumed",
            guard: NEGATED,
            nested: &negation.guard.conjuncts().into_iter().map(is_nested).collect::<Vec<_>>(),
            simplifying: &self.simplifying(ranges),
        };
        let steps = Steps::new(setting, elements.to_vec());
        if all.len() > bound.len() {
            let names = all.iter().map(|id| words.scope(&property.scope)[id.index()].clone()).collect::<Vec<_>>();
            let (system, scope) = (self.source.system, negation.scope.as_slice());
            let reader = Reader { system, words, scope, names: &names, state: "s" };
            let own = Reader { scope: &property.scope, names: &words.scope(&property.scope), ..reader };
            let refuted = Term::negation(own.property(body));
            return Ok(negated(&negation, reader, &refuted, steps, &step).replace('\n', "\n  "));
        }
        // The case assumes the negation, whose facts need no name.
        let step = step.without(&|fact| matches!(fact, Fact::Guard(_) | Fact::Instance(..)));
        let first = if elements.is_empty() { "rule ccontr" } else { "insert that, rule ccontr" };
        Ok(steps.script(first, &step))
    }

    /// The facts that every simplification needs: the named elements exist, and they differ.
    fn simplifying(&self, ranges: impl Iterator<Item = String>) -> String {
        let distinct = !self.invariants.definitions().named_distinct().is_empty();
        let facts = ranges.chain(distinct.then(|| "named_distinct".to_owned())).collect::<Vec<_>>().join(" ");
        if facts.is_empty() { "simp_thms".to_owned() } else { facts }
    }

    /// The lemmas that exclude the property's cubes.
    fn cubes(&self, id: PropertyId, name: &str) -> Result<Vec<Json>, Fault> {
        let property = &self.source.system.properties[id.index()];
        let numbered = (0_u32..).zip(&property.bad);
        numbered.map(|(number, cube)| self.cube(id, property, name, number, cube)).collect()
    }

    fn cube(&self, id: PropertyId, property: &Property, name: &str, number: u32, cube: &Cube) -> Result<Json, Fault> {
        let words = self.source.words;
        let unproven = |why| Fault::of_property(property, why);
        let entries = &self.source.certificate.properties;
        let entry = entries
            .iter()
            .find(|entry| entry.property == id && entry.cube == number)
            .ok_or_else(|| unproven(NoProof::Stuck))?;
        let (nothing, matching) = (Transition::SKIP, Match(Vec::new()));
        let argument = (&matching, &entry.argument);
        let pair = Pair::of_cube(self.source.system, &nothing, cube, &self.invariants.cubes, argument);
        let step = pair.prove().map_err(unproven)?;
        let variables = words.invariant_variables(&cube.variables, &[]);
        let ranges = words.named.iter().map(|name| format!("{name}_range"));
        let setting = Setting {
            source: self.source,
            known: Known::Invariants(self.invariants),
            all_hold: "before",
            assumed: &self.invariants.assumed_by(),
            guard: "",
            nested: &[],
            simplifying: &self.simplifying(ranges),
        };
        let elements = variables.iter().cloned().zip(cube.variables.iter().copied()).collect();
        let (steps, definitions) = (Steps::new(setting, elements), self.invariants.definitions());
        let statement = definitions.invariant_body(cube, &variables, "s");
        let proof = if cube.universals.is_empty() {
            steps.script("intro impI notI, (elim conjE)?", &step)
        } else {
            definitions.absurd(cube, (&variables, "s"), &Term::negation(statement.clone()), "", steps, &step)
        };
        let name = script::cube_name(name, number as usize);
        let named = words.named.iter().zip(self.named());
        let named = named.map(|(name, range)| format!("{name}_range: {}", text::quoted(&range, 20)));
        let before = format!("before: {}", text::quoted(&self.invariants.hold("s"), 20));
        let assumed = definitions.assumed("s").map(|assumed| format!("assumed: {}", text::quoted(&assumed, 20)));
        let assumptions = named.chain([before]).chain(assumed).collect::<Vec<_>>();
        let witness = definitions.witness_lemma(cube, &name, &variables, assumptions.clone());
        Ok(context! { name, assumptions, statement => text::quoted(&statement, 8), proof, witness })
    }
}
