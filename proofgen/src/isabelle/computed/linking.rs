//! The proof that the data mean what is defined, and the properties of the model in plain HOL.
//!
//! This module makes the last theory, `P.thy`. It shows that each rule of the data simulates the rule of the
//! definitions; the theorems about the properties are those of the style `lemmas`. This module must not depend on the
//! certificate.

use minijinja::{Value as Json, context};
use system::{Cube, IndexTerm, IndexVariable, Property, Rule, Startstate, VariableId};

use super::super::definitions::{self, Definitions, code};
use super::super::invariants::Invariants;
use super::super::properties::Part;
use super::super::term::{Binder, Infix, Term};
use super::super::translate::{self, Reader};
use super::super::{CHECKER_THEORY, COMPUTED_THEORY, Evaluate, Fault, Source, properties, text};
use super::data::{self, shown};
use super::hints::Cuts;
use super::{is_extended, name, numbered, prefix};

/// Returns the theory; `data` are the theories with the data.
pub(super) fn theory(
    source: Source<'_>,
    definitions: Definitions<'_>,
    data: &[String],
    evaluate: Evaluate,
) -> Result<String, Fault> {
    let link = Link { source, definitions };
    let words = source.words;
    let starts = source.system.startstates.iter().zip(&words.startstates).enumerate();
    let rules = source.system.rules.iter().zip(&words.rules).enumerate();
    let properties = source.system.properties.iter().zip(&words.properties).enumerate();
    let invariants = Invariants::new(source, definitions);
    let variables = || data::read_variables(source.system);
    let reads = variables().map(|variable| text::quoted(&link.read(variable), 2));
    let definition = |variable: VariableId| link.definition(&words.variables[variable.index()]);
    let read_facts = variables().map(definition);
    let kinds = variables().map(|variable| text::quoted(&link.kind(variable), 2));
    let ranks = (0_u32..).map(VariableId).take(source.system.variables.len());
    let ranks = ranks.filter(|variable| translate::rank_of(source.system, *variable).is_some());
    let sorts = definitions.used_sorts();
    let sorts = sorts.iter().map(|sort| link.definition(&words.sorts[sort.index()]));
    let named = link.named();
    let assumptions_of_state = named.iter().cloned().chain(definitions.assumed("s"));
    let text = text::render(
        "linking",
        context! {
            protocol => words.protocol,
            definition => link.definition(&words.protocol),
            claim => text::claim(source.system),
            named => words.named,
            prefix => prefix(source),
            data,
            extended => is_extended(source),
            assumed => definitions.assumption().map(|assumed| shown(&assumed)),
            reading => shown(&link.reading(Vec::new())),
            variables => link.argument(&link.variables()),
            simulated => link.simulated(),
            rank_facts => ranks.map(definition).collect::<Vec<_>>().join(" "),
            ranks => invariants.assumptions(true, |name| link.definition(name)),
            assumptions => invariants.assumptions(false, |name| link.definition(name)),
            assumptions_of_state => assumptions_of_state.map(|premise| text::quoted(&premise, 10)).collect::<Vec<_>>(),
            excluded => link.excluded(&invariants),
            reach => text::quoted(&link.reach(), 10),
            rule_list => (!evaluate.together()).then(|| data::rule_list(source)),
            hidden => link.hidden(),
            booleans => link.booleans(),
            reads => reads.collect::<Vec<_>>(),
            read_facts => text::facts(read_facts, 4),
            kinds => kinds.collect::<Vec<_>>(),
            sorts => text::facts(sorts, 4),
            named_range => named.iter().map(|range| text::quoted(range, 10)).collect::<Vec<_>>(),
            reachable_fact => format!("assms({})", named.len() + 1),
            named_wf => text::quoted(&link.named_wf(), 2),
            named_list => shown(&link.named_list()),
            named_distinct => !definitions.named_distinct().is_empty(),
            sizes => shown(&link.sizes()),
            start => starts.map(|(position, (start, name))| link.startstate(position, start, name)).collect::<Vec<_>>(),
            rules => rules.map(|(position, (rule, name))| link.rule(position, rule, name)).collect::<Vec<_>>(),
            system => shown(&link.protocol()),
            properties => properties.map(|(number, (property, name))| link.property(number, property, name)).collect::<Vec<_>>(),
        },
    )?;
    Ok(text)
}

struct Link<'a> {
    source: Source<'a>,
    definitions: Definitions<'a>,
}

impl Link<'_> {
    fn protocol(&self) -> Term {
        let words = self.source.words;
        Term::call(&words.protocol, words.fixed.iter().map(Term::name).collect())
    }

    /// The constants of the checker whose short names the model uses.
    fn hidden(&self) -> String {
        let constants = constants("ParaProof_Checker", CHECKER_THEORY).into_iter();
        let constants = constants.chain(constants_of_soundness());
        let hidden = constants.filter(|(short, _)| self.source.words.has(short));
        hidden.map(|(_, full)| full).collect::<Vec<_>>().join(" ")
    }

    /// The fact that defines a constant of the model. It has its full name if the checker has a constant of the same
    /// name, since the short name then denotes the checker's fact.
    fn definition(&self, name: &str) -> String {
        let checker = constants("ParaProof_Checker", CHECKER_THEORY).into_iter().chain(constants_of_soundness());
        let theory = if checker.into_iter().any(|(short, _)| short == name) {
            format!("{}_Definitions.", self.source.words.protocol)
        } else {
            String::new()
        };
        format!("{theory}{name}_def")
    }

    fn sizes(&self) -> Term {
        Term::List(self.source.words.sizes.iter().map(Term::name).collect())
    }

    fn named_list(&self) -> Term {
        Term::List(self.source.words.named.iter().map(Term::name).collect())
    }

    fn named(&self) -> Vec<Term> {
        let named = self.source.words.named.iter().zip(&self.source.system.named);
        named.map(|(name, named)| translate::is_element(self.source.words, name, named.index_type)).collect()
    }

    fn named_wf(&self) -> Term {
        let types = Term::name(name(self.source, "named"));
        Term::call("wf", vec![self.sizes(), types, self.named_list()])
    }

    fn booleans(&self) -> String {
        let variables = (0_u32..).map(VariableId).take(self.source.system.variables.len());
        let truth = variables.filter(|variable| translate::is_truth_value(self.source.system, *variable));
        shown(&Term::List(truth.map(code).collect()))
    }

    /// The equation between the read of a state variable in the data and in the model.
    fn read(&self, variable: VariableId) -> Term {
        let arity = self.source.system.variables[variable.index()].arguments.len();
        let names = self.definitions.argument_names(arity);
        let indices = names.iter().map(Term::name).collect::<Vec<_>>();
        let arguments = vec![Term::name("s"), code(variable), Term::List(indices.clone())];
        let left = self.reading(arguments);
        let read = std::iter::once(Term::name("s")).chain(indices).collect();
        let read = Term::call(&self.source.words.variables[variable.index()], read);
        let of = if translate::is_truth_value(self.source.system, variable) {
            "of_truth"
        } else if translate::is_number(self.source.system, variable) {
            "DC"
        } else {
            "of_val"
        };
        Term::equal(left, Term::call(of, vec![read]))
    }

    /// The equation that gives the types of a state variable in the data.
    fn kind(&self, variable: VariableId) -> Term {
        let kinds = data::kind(self.source.system, &self.source.system.variables[variable.index()]);
        Term::equal(Term::call("map_of", vec![self.variables(), code(variable)]), Term::call("Some", vec![kinds]))
    }

    /// How a state is read as one of the data, applied to what follows.
    fn reading(&self, arguments: Vec<Term>) -> Term {
        let of = |part| Term::name(name(self.source, part));
        let (function, own) = if is_extended(self.source) {
            ("with_numbers", vec![of("numbers"), of("truths")])
        } else {
            ("as_data", vec![of("truths")])
        };
        Term::call(function, [own, arguments].concat())
    }

    /// The state variables of the data.
    fn variables(&self) -> Term {
        let vars = Term::name(name(self.source, "vars"));
        if is_extended(self.source) {
            Term::infix(Infix::Append, vars, Term::name(name(self.source, "numbers")))
        } else {
            vars
        }
    }

    /// A term as an argument.
    fn argument(&self, term: &Term) -> String {
        if is_extended(self.source) { format!("({})", shown(term)) } else { shown(term) }
    }

    /// That a list of rules of the data simulates a rule of the system, up to these two.
    fn simulated(&self) -> String {
        let (sizes, named) = (shown(&self.sizes()), shown(&self.named_list()));
        let variables = self.argument(&self.variables());
        if is_extended(self.source) {
            format!("simulated_by ({}) {sizes} {named} {variables}", shown(&self.reading(Vec::new())))
        } else {
            format!("simulated {sizes} {named} {variables} {}", name(self.source, "truths"))
        }
    }

    /// The proposition that a state is reached, under the assumptions if there are any.
    fn reach(&self) -> Term {
        let (protocol, state) = (self.protocol(), Term::name("s"));
        match self.definitions.assumption() {
            Some(assumed) => Term::call("reachable_under", vec![assumed, protocol, state]),
            None => Term::call("reachable", vec![protocol, state]),
        }
    }

    /// What is excluded by the assumptions, by the definition of ranks, or because it is absurd.
    fn excluded(&self, invariants: &Invariants<'_>) -> Vec<Json> {
        let cubes = data::all_excluded(self.source, &Cuts::of(self.source));
        let lemma = |(position, cube): (usize, Cube)| {
            let variables = self.source.words.invariant_variables(&cube.variables, &[]);
            let known = invariants.assumed.get(position);
            let own = cube.variables.len() + cube.literals.len();
            // Its elements are the first assumptions of a case.
            let universals = cube.universals.iter().zip(usize::from(own > 0) + 1..).map(|(universal, case)| {
                let names = self.definitions.other(&cube, universal, &variables, "s", &[]).names;
                let elements = (1..=names.len()).map(|at| format!("bspec[OF _ {case}({at})]")).collect::<Vec<_>>();
                context! { case, names => names.join(" "), elements => elements.join(" ") }
            });
            let universals = universals.collect::<Vec<_>>();
            let statement = self.definitions.invariant_body(&cube, &variables, "s");
            context! {
                name => numbered(self.source, "axiom", position),
                fact => known.map(|(fact, _)| fact),
                promised => own > 0,
                universals,
                variables => variables.join(" "),
                defined => known.is_some_and(|(_, defined)| *defined),
                statement => text::quoted(&Term::bind(Binder::Forall, variables, statement), 14),
            }
        };
        cubes.into_iter().enumerate().map(lemma).collect()
    }

    fn ranges(&self, scope: &[IndexVariable], names: &[String]) -> Vec<Term> {
        let typed = names.iter().zip(scope);
        typed.map(|(name, variable)| translate::is_element(self.source.words, name, variable.index_type)).collect()
    }

    fn startstate(&self, position: usize, start: &Startstate, word: &str) -> Json {
        let words = self.source.words;
        let names = words.scope(&start.scope);
        let names = &names[..start.parameters as usize];
        let arguments = words.fixed.iter().chain(names).map(Term::name).chain([Term::name("s")]).collect();
        let mut premises = self.ranges(&start.scope, names);
        premises.push(Term::call(word, arguments));
        context! {
            premise_count => premises.len() - 1,
            name => numbered(self.source, "start", position),
            definition => self.definition(word),
            comment => format!("Startstate \"{}\", line {}.", text::prose(&start.name), start.origin.line),
            premises => premises.iter().map(|premise| text::quoted(premise, 10)).collect::<Vec<_>>(),
            parameters => shown(&Term::List(names.iter().map(Term::name).collect())),
        }
    }

    fn rule(&self, position: usize, rule: &Rule, word: &str) -> Json {
        let names = self.source.words.scope(&rule.scope);
        let names = &names[..rule.parameters as usize];
        let written = rule.updates.iter().map(|update| code(update.variable)).collect();
        let ranges = self.ranges(&rule.scope, names);
        context! {
            name => numbered(self.source, "rule", position),
            word,
            comment => definitions::rule_comment(rule),
            ranges => ranges.iter().map(|range| text::quoted(range, 10)).collect::<Vec<_>>(),
            pair => shown(&self.definitions.rule_pair(word, names)),
            parameters => shown(&Term::List(names.iter().map(Term::name).collect())),
            written => shown(&Term::List(written)),
        }
    }

    fn property(&self, number: usize, property: &Property, word: &str) -> Json {
        let words = self.source.words;
        let names = words.scope(&property.scope);
        let reader = Reader { system: self.source.system, words, scope: &property.scope, names: &names, state: "s" };
        let mut premises = self.named();
        premises.push(self.reach());
        let parts = properties::parts(&property.formula).into_iter().enumerate();
        let parts = parts.map(|(position, part)| self.part(number, position, &part, property, &reader));
        context! {
            name => word,
            comment => format!("Property \"{}\", line {}.", text::prose(&property.name), property.origin.line),
            assumptions => premises.iter().map(|premise| text::quoted(premise, 10)).collect::<Vec<_>>(),
            statement => text::quoted(&reader.property(&property.formula), 8),
            parts => parts.collect::<Vec<_>>(),
            groups => properties::groups(&property.formula),
            noted => properties::noted(self.source, self.definitions, property, word),
        }
    }

    fn part(&self, number: usize, position: usize, part: &Part, property: &Property, reader: &Reader<'_>) -> Json {
        let (bound, body) = part;
        let names = bound.iter().map(|id| reader.names[id.index()].clone()).collect::<Vec<_>>();
        let scope = bound.iter().map(|id| property.scope[id.index()].clone()).collect::<Vec<_>>();
        let ranges = self.ranges(&scope, &names);
        let elements = Term::List(bound.iter().map(|id| reader.index(IndexTerm::Variable(*id))).collect());
        context! {
            data => data::part_name(self.source, number, position),
            fixed => names,
            ranges => ranges.iter().map(|range| text::quoted(range, 10)).collect::<Vec<_>>(),
            body => text::quoted(&reader.property(body), 10),
            elements => shown(&elements),
        }
    }
}

fn constants_of_soundness() -> Vec<(String, String)> {
    constants("ParaProof_Computed", COMPUTED_THEORY)
}

/// The short and full names of the constants that a theory defines. Each specification is at the start of a line.
fn constants(theory: &str, text: &str) -> Vec<(String, String)> {
    let mut constants = Vec::new();
    for line in text.lines() {
        let words = line.split_whitespace().collect::<Vec<_>>();
        match words.as_slice() {
            ["primrec" | "definition" | "fun" | "abbreviation" | "inductive", name, ..] => {
                constants.push(((*name).to_owned(), format!("{theory}.{name}")));
            }
            ["datatype", "(plugins", "only:", "code)", datatype, "=", constructors @ ..] => {
                let starts = std::iter::once(&"|").chain(constructors).zip(constructors);
                for (_, constructor) in starts.filter(|(before, _)| **before == "|") {
                    constants.push(((*constructor).to_owned(), format!("{theory}.{datatype}.{constructor}")));
                }
            }
            _ => {}
        }
    }
    constants
}
