//! The proof that a system covers a program in HOL.
//!
//! The theory shows that a rule of the system does what a rule of the program does, rule by rule, and ends in a
//! theorem about the program. The program comes from a front-end, which made it of the same text without lowering.
//! Nothing here is trusted: if the system is not what the program says, Isabelle rejects the lemma of the rule.

mod witness;

use std::collections::{BTreeMap, BTreeSet};

use minijinja::context;
use system::source::{NotCovered, SourceDefinition, SourceProgram, SourceRule, SourceType};
use system::{
    Constant, ConstantId, FALSE, IndexTypeId, IndexVariable, Origin, PathStep, Role, Rule, Sort, Startstate, TRUE,
    Transition, Variable, VariableId,
};

use super::Source;
use super::definitions::Definitions;
use super::pointers::{Pointer, Pointers};
use super::text;
use super::translate;

/// The theory with the lemmas that such proofs use.
pub(super) const SOURCE_THEORY: &str = include_str!("../../isabelle-theories/ParaProof_Source.thy");

/// Why there is no such proof.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkFault {
    /// Something in the model or the system has no proof yet.
    #[error(transparent)]
    NotCovered(#[from] NotCovered),
    /// A template is wrong.
    #[error("a template of the Isabelle theories is wrong")]
    Template(#[from] minijinja::Error),
}

/// Returns the theory `P_Source`.
///
/// # Errors
/// Returns what it does not cover, or that the template is wrong.
pub(super) fn theory(
    source: Source<'_>,
    definitions: Definitions<'_>,
    program: &SourceProgram,
) -> Result<String, LinkFault> {
    let pointers = Pointers::default();
    let link = Link { source, definitions, program, index_types: BTreeMap::new(), pointers, chosen: None };
    link.theory()
}

/// The most index arguments of a state variable; `ParaProof_Source.thy` has `at0` to `at3`.
const MOST_INDICES: usize = 3;

/// From this number of statements on, the proof about a rule executes it step by step, and names each store.
const LONG: usize = 8;

/// An index type of the system in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InProgram {
    /// What an element is there, around its number.
    before: String,
    after: &'static str,
    /// Its size, as a term of the type `nat`.
    size: String,
}

struct Link<'a> {
    source: Source<'a>,
    definitions: Definitions<'a>,
    program: &'a SourceProgram,
    index_types: BTreeMap<IndexTypeId, InProgram>,
    /// The variables that rules use as pointers.
    pointers: Pointers,
    /// The element that a startstate chooses.
    chosen: Option<Chosen>,
}

/// An element that a startstate chooses: a variable of the program, and an argument of the system.
#[derive(Clone, Debug)]
struct Chosen {
    /// Its name in the theories.
    name: String,
    index_type: IndexTypeId,
    /// What it is in the program.
    value: String,
}

/// The parameters that a rule has in the program: their names, that they are elements, and what they are there.
struct Parameters {
    names: Vec<String>,
    ranges: Vec<String>,
    values: Vec<String>,
}

/// A state variable in the program.
struct Entry {
    /// The number of the variable of the program.
    number: usize,
    /// The entry in the list that defines the correspondence.
    text: String,
    /// What is read at such a location.
    fact: String,
}

/// One of the rules of the system that a rule of the program became.
struct Case {
    /// The number of parameters that the program's rule does not have.
    extra: usize,
    /// The rule at all values of these parameters, as a set.
    set: String,
    lemma: minijinja::Value,
}

impl Link<'_> {
    fn theory(mut self) -> Result<String, LinkFault> {
        let system = self.source.system;
        if let Some((axiom, _)) = self.definitions.assumptions().next() {
            return Err(refused("assumptions", &axiom.origin).into());
        }
        let mut entries = Vec::new();
        entries.extend(self.choose()?);
        let monitors = system.monitors();
        for (id, variable) in (0_u32..).map(VariableId).zip(&system.variables) {
            // A place of an element is what its definition says, in each state.
            if !monitors.contains(&id) && translate::rank_of(system, id).is_none() {
                entries.push(self.entry(id, variable)?);
            }
        }
        let starts = self.startstates()?;
        let rules = self.rules()?;
        let invariants = self.invariants()?;
        let words = self.source.words;
        let mut variables = words.variables.iter().map(|name| format!("{name}_def")).collect::<Vec<_>>();
        // The negation of a comparison is one, too.
        let order = ["linorder_not_less", "linorder_not_le"];
        let ordered = translate::has_numbers(system);
        if ordered {
            variables.extend(order.map(str::to_owned));
        }
        let sorts = self.definitions.used_sorts();
        let sorts = sorts.iter().map(|sort| format!("{}_def", words.sorts[sort.index()])).collect::<Vec<_>>();
        let protocol = &words.protocol;
        let text = text::render(
            "source",
            context! {
                protocol,
                entries => entries.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>().join(",\n     "),
                facts => entries.iter().map(|entry| entry.fact.as_str()).collect::<Vec<_>>(),
                locals => (0..self.program.variables.len())
                    .filter(|number| entries.iter().all(|entry| entry.number != *number))
                    .collect::<Vec<_>>(),
                variables => text::facts(variables.into_iter(), 2),
                sorts => text::facts(sorts.into_iter(), 6),
                closing => if ordered { format!("(auto simp: {})", order.join(" ")) } else { "(blast | auto)".to_owned() },
                system => self.system(),
                program => self.of_program(&self.program.program, &[]),
                sizes => self.program.sizes.iter().map(|size| size.name.as_str()).collect::<Vec<_>>(),
                view => self.view(),
                numbers => (0..self.program.variables.len()).collect::<Vec<_>>(),
                chosen => self.chosen.as_ref().map(|chosen| chosen.name.as_str()),
                chosen_range => self.chosen_range(),
                chosen_set => self.chosen.as_ref().map(|chosen| self.elements(chosen.index_type)),
                pointers => self.pointers.lemmas(self.source, &self.sizes(), self.chosen.as_ref().map(|chosen| (chosen.name.as_str(), chosen.index_type))),
                starts, rules, invariants,
            },
        )?;
        Ok(text)
    }

    /// The sizes of the system's index types, as terms in the constants of the program.
    fn sizes(&self) -> Vec<String> {
        let kinds = (0_u32..).map(IndexTypeId).take(self.source.system.index_types.len());
        kinds.map(|kind| self.index_types.get(&kind).map_or("1", |known| &known.size).to_owned()).collect()
    }

    /// The system at the sizes of the program.
    fn system(&self) -> String {
        self.of_system(&self.source.words.protocol, &[])
    }

    /// A definition of the system at the sizes of the program and at parameters.
    fn of_system(&self, name: &str, parameters: &[String]) -> String {
        let (sizes, chosen) = (self.sizes(), self.chosen.iter().map(|chosen| &chosen.name));
        let arguments = sizes.iter().chain(chosen).chain(parameters).map(String::as_str);
        std::iter::once(name).chain(arguments).collect::<Vec<_>>().join(" ")
    }

    /// The store that corresponds to a state.
    fn view(&self) -> String {
        let view = "program_view".to_owned();
        self.chosen.as_ref().map_or(view, |chosen| format!("(program_view {})", chosen.name))
    }

    /// Notes the element that a startstate chooses, if there is one, and returns its variable.
    fn choose(&mut self) -> Result<Option<Entry>, NotCovered> {
        let system = self.source.system;
        let (element, name) = match system.named.as_slice() {
            [] => return Ok(None),
            [element] if element.chosen => (element, self.source.words.named[0].clone()),
            _ => return Err(refused("elements that constants of the model stand for", &Origin::default())),
        };
        let Some(number) = self.program.variables.iter().position(|known| known.name == element.name) else {
            return Err(refused("an element that no variable of the program stands for", &Origin::default()));
        };
        self.index_type(element.index_type, &self.program.variables[number].ty.clone(), &Origin::default())?;
        let InProgram { before, after, .. } = &self.index_types[&element.index_type];
        let value = format!("{before}{name}{after}");
        self.chosen = Some(Chosen { name, index_type: element.index_type, value: value.clone() });
        let text = format!("({number}, [], 0, \\<lambda>_. {value})");
        let fact = format!("{} s ({number}, []) = Some ({value})", self.view());
        Ok(Some(Entry { number, text, fact }))
    }

    /// That the element which a startstate chooses is one.
    fn chosen_range(&self) -> Option<String> {
        let chosen = self.chosen.as_ref()?;
        Some(format!("{} \\<in> {}", chosen.name, self.elements(chosen.index_type)))
    }

    /// The elements of an index type.
    fn elements(&self, kind: IndexTypeId) -> String {
        format!("{{1..{}}}", self.sizes()[kind.index()])
    }

    /// A definition of the program. Outside of its context it has those constants as arguments that it depends on.
    fn of_program(&self, definition: &SourceDefinition, arguments: &[String]) -> String {
        let sizes = self.program.sizes.iter().map(|size| size.name.clone());
        let mut parts = vec![format!("{}_Program.{}", self.source.words.protocol, definition.name)];
        parts.extend(sizes.filter(|size| self.depends(&definition.term, size)));
        parts.extend(arguments.iter().cloned());
        parts.join(" ")
    }

    fn depends(&self, term: &str, size: &str) -> bool {
        let program = self.program;
        let rules = program.startstates.iter().chain(&program.rules).map(|rule| &rule.definition);
        let invariants = program.invariants.iter().map(|invariant| &invariant.definition);
        let all = program.names.iter().chain(rules).chain(invariants).collect::<Vec<_>>();
        words(term).any(|name| {
            let known = all.iter().find(|known| known.name == name);
            name == size || known.is_some_and(|known| self.depends(&known.term, size))
        })
    }

    fn entry(&mut self, id: VariableId, variable: &Variable) -> Result<Entry, NotCovered> {
        if variable.arguments.len() > MOST_INDICES {
            return Err(refused("an array with so many indices", &variable.origin));
        }
        let Some((PathStep::Global(global), steps)) = variable.path.split_first() else {
            return Err(refused("a state variable that is not in the model", &variable.origin));
        };
        let Some(number) = self.program.variables.iter().position(|known| known.name == *global) else {
            return Err(refused("a state variable that the program does not have", &variable.origin));
        };
        let mut ty = self.program.variables[number].ty.clone();
        let (mut pattern, mut path, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        for step in steps {
            let (known, selector, inner) = self.step(step, &ty, variable, &mut arguments)?;
            pattern.push(if known { format!("Some ({selector})") } else { "None".to_owned() });
            path.push(selector);
            ty = inner;
        }
        let decoder = self.decoder(&ty, variable)?;
        let (list, path) = (pattern.join(", "), path.join(", "));
        let arguments = arguments.iter().map(|name| format!("argument (Index {name})")).collect::<Vec<_>>().join(", ");
        let text = format!("({number}, [{list}], {}, {decoder})", id.0);
        let fact = format!("{} s ({number}, [{path}]) = Some ({decoder} (s {} [{arguments}]))", self.view(), id.0);
        Ok(Entry { number, text, fact })
    }

    /// A step of a path: whether it is the same for all arguments, its selector, and the type that it leads to.
    fn step(
        &mut self,
        step: &PathStep,
        ty: &SourceType,
        variable: &Variable,
        arguments: &mut Vec<String>,
    ) -> Result<(bool, String, SourceType), NotCovered> {
        match (step, ty) {
            (PathStep::Field(field), SourceType::Record(fields)) => {
                let number = self.program.fields.iter().find(|(name, _)| name == field).map(|(_, number)| *number);
                let found = fields.iter().find(|(own, _)| Some(*own) == number);
                let Some((number, inner)) = found else { return Err(refused("this field", &variable.origin)) };
                Ok((true, format!("Field {number}"), inner.clone()))
            }
            (PathStep::Argument(position), SourceType::Array(index, element))
                if *position as usize == arguments.len() =>
            {
                self.index_type(variable.arguments[*position as usize], index, &variable.origin)?;
                let name = format!("v{position}");
                arguments.push(name.clone());
                Ok((false, format!("Index {name}"), (**element).clone()))
            }
            (PathStep::Element(constant), SourceType::Array(_, element)) => {
                let value = self.value(*constant, &variable.origin)?;
                Ok((true, format!("Index ({value})"), (**element).clone()))
            }
            (
                PathStep::Global(_)
                | PathStep::Field(_)
                | PathStep::Argument(_)
                | PathStep::Element(_)
                | PathStep::Multiset
                | PathStep::Rank
                | PathStep::Number(_)
                | PathStep::Holds(_)
                | PathStep::Count(..)
                | PathStep::Half(..)
                | PathStep::Next(..),
                SourceType::Boolean
                | SourceType::Enum
                | SourceType::Range(..)
                | SourceType::Scalarset(..)
                | SourceType::Union(_)
                | SourceType::Record(_)
                | SourceType::Array(..),
            ) => Err(refused("a state variable of this form", &variable.origin)),
        }
    }

    fn value(&self, constant: ConstantId, origin: &Origin) -> Result<String, NotCovered> {
        if constant == TRUE || constant == FALSE {
            return Ok(format!("Truth {}", if constant == TRUE { "True" } else { "False" }));
        }
        let Constant { name, .. } = &self.source.system.constants[constant.index()];
        match self.program.members.iter().find(|(member, _)| member == name) {
            Some((_, number)) => Ok(format!("Member {number}")),
            None => Err(refused("an index that is a number", origin)),
        }
    }

    /// Notes what the elements of an index type are in the program, and its size.
    fn index_type(&mut self, kind: IndexTypeId, ty: &SourceType, origin: &Origin) -> Result<(), NotCovered> {
        let found = match ty {
            SourceType::Range(first, last) if first == "1" => match last.strip_prefix("int ") {
                Some(size) => InProgram { before: "Number (int ".to_owned(), after: ")", size: size.to_owned() },
                None => return Err(refused("a range whose last element is no constant of the model", origin)),
            },
            SourceType::Scalarset(number, size) if self.program.sizes.iter().any(|known| known.name == *size) => {
                InProgram { before: format!("Element {number} "), after: "", size: size.clone() }
            }
            SourceType::Boolean
            | SourceType::Enum
            | SourceType::Range(..)
            | SourceType::Scalarset(..)
            | SourceType::Union(_)
            | SourceType::Record(_)
            | SourceType::Array(..) => return Err(refused("an index type of this form", origin)),
        };
        if self.index_types.get(&kind).is_some_and(|known| *known != found) {
            return Err(refused("an index type that stands for two types", origin));
        }
        self.index_types.insert(kind, found);
        Ok(())
    }

    /// What makes a value of the program of one of the system.
    fn decoder(&mut self, ty: &SourceType, variable: &Variable) -> Result<String, NotCovered> {
        let sort: &Sort = &self.source.system.sorts[variable.sort.index()];
        let same = |constant: &ConstantId| {
            let name = &self.source.system.constants[constant.index()].name;
            self.program.members.contains(&(name.clone(), constant.0))
        };
        match (ty, sort.index_types.as_slice()) {
            (SourceType::Boolean, _) if translate::is_boolean(sort) => Ok("truth_value".to_owned()),
            (SourceType::Enum, []) if sort.constants.iter().all(same) => Ok("plain_value".to_owned()),
            (SourceType::Range(..), [kind]) if sort.constants.is_empty() => {
                self.index_type(*kind, ty, &variable.origin)?;
                Ok(format!("number_value {}", kind.0))
            }
            (SourceType::Scalarset(number, _), [kind]) if sort.constants.is_empty() && *number == kind.0 => {
                self.index_type(*kind, ty, &variable.origin)?;
                Ok("plain_value".to_owned())
            }
            (
                SourceType::Boolean
                | SourceType::Enum
                | SourceType::Range(..)
                | SourceType::Scalarset(..)
                | SourceType::Union(_)
                | SourceType::Record(_)
                | SourceType::Array(..),
                _,
            ) => Err(refused("the values of this variable", &variable.origin)),
        }
    }

    /// The parameters of the program's rule, which a rule of the system has first.
    fn parameters(&mut self, transition: &Transition, types: &[&SourceType]) -> Result<Parameters, NotCovered> {
        let scope: &[IndexVariable] = &transition.scope[..transition.parameters as usize];
        let origin = &transition.origin;
        let Some(scope) = scope.get(..types.len()) else {
            return Err(refused("a rule that has fewer parameters in the system", origin));
        };
        if scope.iter().any(|variable| variable.role != Role::Parameter) {
            return Err(refused("a rule that has other parameters in the system", origin));
        }
        let names = self.source.words.scope(&transition.scope)[..scope.len()].to_vec();
        let (mut ranges, mut values) = (Vec::new(), Vec::new());
        for ((variable, ty), name) in scope.iter().zip(types).zip(&names) {
            self.index_type(variable.index_type, ty, origin)?;
            ranges.push(self.range(variable, name));
            let known = &self.index_types[&variable.index_type];
            values.push(format!("({}{name}{})", known.before, known.after));
        }
        Ok(Parameters { names, ranges, values })
    }

    /// That a parameter is an element.
    fn range(&self, variable: &IndexVariable, name: &str) -> String {
        format!("{name} \\<in> {}", self.elements(variable.index_type))
    }

    fn startstates(&mut self) -> Result<Vec<minijinja::Value>, NotCovered> {
        let system = self.source.system;
        if system.startstates.len() != self.program.startstates.len() {
            return Err(refused("an assertion in a startstate", &Origin::default()));
        }
        let mut starts = Vec::new();
        for ((start, name), own) in
            system.startstates.iter().zip(&self.source.words.startstates).zip(&self.program.startstates)
        {
            // The startstate of the system lacks the parameter that chooses.
            let choice = self.chosen.as_ref().map(|_| choice(start, own));
            if start.parameters as usize + usize::from(choice.is_some()) != own.parameters.len() {
                return Err(refused("a startstate that has other parameters in the system", &own.origin));
            }
            let types = (0..).zip(&own.parameters).filter(|(position, _)| choice != Some(*position));
            let types = types.map(|(_, ty)| ty).collect::<Vec<_>>();
            let Parameters { names, ranges, mut values } = self.parameters(start, &types)?;
            if let (Some(choice), Some(chosen)) = (choice, &self.chosen) {
                values.insert(choice, format!("({})", chosen.value));
            }
            let base = "(\\<lambda>_. at0 (Const 0))".to_owned();
            starts.push(context! {
                name,
                ranges => self.chosen_range().into_iter().chain(ranges).collect::<Vec<_>>(),
                own => own.definition.name,
                initial => self.of_system(name, &names),
                instance => self.of_program(&own.definition, &values),
                witness => self.witness(base, start),
                nested => has_nested_loops(&own.definition),
            });
        }
        Ok(starts)
    }

    fn rules(&mut self) -> Result<Vec<minijinja::Value>, NotCovered> {
        let system = self.source.system;
        let mut rules = Vec::new();
        let program = self.program;
        for (position, own) in (0_u32..).zip(&program.rules) {
            let mut cases = Vec::new();
            let named = system.rules.iter().zip(&self.source.words.rules);
            for (rule, name) in named.filter(|(rule, _)| rule.source == position) {
                cases.push((rule, name.as_str(), self.parameters(rule, &own.parameters.iter().collect::<Vec<_>>())?));
            }
            let Some((first, _, parameters)) = cases.first() else {
                return Err(refused("a rule that the system does not have", &own.origin));
            };
            let targets = self.targets(first, parameters, cases.len())?;
            let shown =
                cases.iter().map(|(rule, name, own)| self.case(rule, name, own)).collect::<Result<Vec<_>, _>>()?;
            let sets = shown.iter().map(|case| case.set.as_str()).collect::<Vec<_>>();
            rules.push(context! {
                ranges => self.chosen_range().iter().chain(&parameters.ranges).collect::<Vec<_>>(),
                own => own.definition.name,
                line => own.origin.line,
                instance => self.of_program(&own.definition, &parameters.values),
                single => shown.len() == 1 && shown[0].extra == 0,
                set => sets.join(" \\<union> "),
                targets,
                // A rule of the system is enabled only where the assertions hold, as the properties say.
                asserting => has_assertion(&own.definition),
                asserted => if has_assertion(&own.definition) { self.asserted() } else { Vec::new() },
                reachable => format!("3({})", self.before_state() + parameters.names.len() + 1),
                chosen => self.chosen_premise(),
                long => is_long(&own.definition),
                witnesses => cases.iter().any(|(rule, _, _)| rule.scope.iter().any(|own| own.role == Role::Witness)),
                cases => shown.iter().map(|case| &case.lemma).collect::<Vec<_>>(),
            });
        }
        Ok(rules)
    }

    /// A rule of the system, with the parameters that the program's rule does not have.
    fn case(&self, rule: &Rule, name: &str, own: &Parameters) -> Result<Case, NotCovered> {
        let scope = &rule.scope[..rule.parameters as usize];
        let names = self.source.words.scope(&rule.scope)[..scope.len()].to_vec();
        if names[..own.names.len()] != own.names {
            return Err(refused("a rule whose cases name their parameters differently", &rule.origin));
        }
        let ranges = scope.iter().zip(&names).map(|(variable, name)| self.range(variable, name)).collect::<Vec<_>>();
        let (guard, update) =
            (self.of_system(&format!("{name}_guard"), &names), self.of_system(&format!("{name}_update"), &names));
        let extra = names.len() - own.names.len();
        let set = if extra == 0 {
            format!("{{({guard}, {update})}}")
        } else {
            let (bound, inside) = (names[own.names.len()..].join(" "), ranges[own.names.len()..].join(" \\<and> "));
            format!("{{({guard}, {update}) | {bound}. {inside}}}")
        };
        let lemma = context! {
            name, guard, update, ranges,
            witness => self.witness("s".to_owned(), rule),
            arbitrary => rule.updates.iter().any(|update| witness::is_arbitrary(&update.value)),
        };
        Ok(Case { extra, set, lemma })
    }

    /// The elements that pointers point to where a rule is enabled: they have to be obtained from the types of the
    /// pointers, while those that a guard asks for are there.
    fn targets(&mut self, rule: &Rule, own: &Parameters, cases: usize) -> Result<Vec<minijinja::Value>, NotCovered> {
        let names = self.source.words.scope(&rule.scope);
        let fixed = self.before_state();
        let mut targets: Vec<minijinja::Value> = Vec::new();
        for (position, variable) in rule.scope.iter().enumerate().take(rule.parameters as usize) {
            match variable.role {
                Role::Parameter | Role::Witness => continue,
                Role::Target if cases == 1 => {}
                Role::Target => return Err(refused("a pointer in a rule of several cases", &rule.origin)),
                Role::Choice | Role::Bound => return Err(refused("a rule with a choice", &rule.origin)),
            }
            let Some(pointer) = Pointer::to(position, rule) else {
                return Err(refused("a pointer that the guard does not name", &rule.origin));
            };
            let mut known = Vec::new();
            for argument in &pointer.arguments {
                let index = argument.index();
                known.push(match rule.scope[index].role {
                    Role::Parameter if index < own.names.len() => {
                        format!("3({})", fixed + index + 1)
                    }
                    Role::Target if index < position => format!("{}(1)", names[index]),
                    Role::Parameter | Role::Target | Role::Witness | Role::Choice | Role::Bound => {
                        return Err(refused("a pointer at an element that the guard asks for", &rule.origin));
                    }
                });
            }
            let fact = pointer.fact(self.source, &names, &names[position]);
            targets.push(context! {
                name => names[position],
                range => self.range(variable, &names[position]),
                pointer => self.pointers.lemma(self.source, &pointer),
                fact, known,
            });
        }
        Ok(targets)
    }

    /// The number of premises about constants and the element that a startstate chooses.
    fn before_state(&self) -> usize {
        self.program.sizes.len() + usize::from(self.chosen.is_some())
    }

    /// The premise that the chosen element is one, in the case of a rule's guard.
    fn chosen_premise(&self) -> Option<String> {
        self.chosen.as_ref().map(|_| format!("3({})", self.before_state()))
    }

    /// The theorems about assertions: those about what is no invariant of the program.
    fn asserted(&self) -> Vec<&str> {
        let invariants = self.program.invariants.iter().map(|own| own.origin.line).collect::<BTreeSet<_>>();
        let properties = self.source.system.properties.iter().zip(&self.source.words.properties);
        let asserted = properties.filter(|(property, _)| !invariants.contains(&property.origin.line));
        asserted.map(|(_, theorem)| theorem.as_str()).collect()
    }

    fn invariants(&self) -> Result<Vec<minijinja::Value>, NotCovered> {
        let system = self.source.system;
        let properties = system.properties.iter().zip(&self.source.words.properties).collect::<Vec<_>>();
        let mut invariants = Vec::new();
        for own in &self.program.invariants {
            let found = properties.iter().find(|(property, _)| property.origin.line == own.origin.line);
            let Some((_, theorem)) = found else {
                return Err(refused("an invariant that the system does not have", &own.origin));
            };
            invariants.push(context! {
                theorem, own => own.definition.name, instance => self.of_program(&own.definition, &[]),
            });
        }
        Ok(invariants)
    }
}

/// Whether a rule of the program has an assertion.
fn has_assertion(rule: &SourceDefinition) -> bool {
    words(&rule.term).any(|word| word == "Assert")
}

/// Whether a rule of the program is executed step by step.
fn is_long(rule: &SourceDefinition) -> bool {
    let stores = rule.term.matches(".:=").count();
    stores + words(&rule.term).filter(|word| ["If", "For", "Undefine", "Clear"].contains(word)).count() >= LONG
}

/// The words of a printed term.
fn words(term: &str) -> impl Iterator<Item = &str> {
    term.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
}

/// Whether a loop of a startstate is inside of another one. A printed term has what a loop does in parentheses, and
/// what follows it after a semicolon.
fn has_nested_loops(start: &SourceDefinition) -> bool {
    let (mut depth, mut loops) = (0_usize, Vec::new());
    for part in start.term.split_inclusive(['(', ')', ';']) {
        if words(part).any(|word| word == "For") {
            if !loops.is_empty() {
                return true;
            }
            loops.push(depth);
        }
        if part.ends_with('(') {
            depth += 1;
        } else if part.ends_with(')') {
            depth = depth.saturating_sub(1);
            loops.retain(|own| *own <= depth);
        } else if part.ends_with(';') {
            loops.retain(|own| *own < depth);
        }
    }
    false
}

/// The position of the parameter that chooses: the first that the startstate of the system does not have.
fn choice(start: &Startstate, own: &SourceRule) -> usize {
    let names = start.scope.iter().zip(&own.definition.arguments);
    names.take_while(|(variable, name)| name.strip_prefix("x_") == Some(variable.name.as_str())).count()
}

fn refused(what: &str, origin: &Origin) -> NotCovered {
    NotCovered { what: what.to_owned(), origin: origin.clone() }
}
