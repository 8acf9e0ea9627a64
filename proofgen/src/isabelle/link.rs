//! The proof that a system covers a program in HOL.
//!
//! In: the system, and the program that a front-end made of the same text without lowering. Out: a theory in which each rule
//! of the program is shown to be simulated by a rule of the system, and which ends in a theorem about the program. Nothing
//! here is trusted: if the system is not what the program says, Isabelle rejects the lemma of the rule.

use std::collections::BTreeMap;

use minijinja::context;
use system::source::{NotCovered, SourceDefinition, SourceProgram, SourceType};
use system::{
    Constant, ConstantId, FALSE, IndexTypeId, IndexVariable, Origin, PathStep, Role, Sort, TRUE, Transition, Update,
    Value, Variable, VariableId,
};

use super::Source;
use super::definitions::{Definitions, code};
use super::print;
use super::term::{Binder, Infix, Term};
use super::text;
use super::translate::{self, Reader};

/// The theory with the lemmas that such proofs use.
pub(super) const SOURCE_THEORY: &str = include_str!("../../../isabelle-theories/ParaProof_Source.thy");

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
    let link = Link { source, definitions, program, index_types: BTreeMap::new() };
    link.theory()
}

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
}

/// The parameters of a rule: their names, that they are elements, and what they are in the program.
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

impl Link<'_> {
    fn theory(mut self) -> Result<String, LinkFault> {
        let system = self.source.system;
        if !system.axioms.is_empty() || !system.named.is_empty() || translate::has_numbers(system) {
            return Err(refused("assumptions, named elements and numbers", &Origin::default()).into());
        }
        let mut entries = Vec::new();
        for (id, variable) in (0_u32..).map(VariableId).zip(&system.variables) {
            entries.push(self.entry(id, variable)?);
        }
        let starts = self.startstates()?;
        let rules = self.rules()?;
        let invariants = self.invariants()?;
        let words = self.source.words;
        let variables = words.variables.iter().map(|name| format!("{name}_def")).collect::<Vec<_>>();
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
                system => self.system(),
                program => self.of_program(&self.program.program, &[]),
                sizes => self.program.sizes.iter().map(|size| size.name.as_str()).collect::<Vec<_>>(),
                starts, rules, invariants,
            },
        )?;
        Ok(text)
    }

    /// The system at the sizes of the program.
    fn system(&self) -> String {
        let sizes = (0_u32..).map(IndexTypeId).take(self.source.system.index_types.len());
        let sizes = sizes.map(|kind| self.index_types.get(&kind).map_or("1", |known| known.size.as_str()));
        std::iter::once(self.source.words.protocol.as_str()).chain(sizes).collect::<Vec<_>>().join(" ")
    }

    /// A definition of the system at the sizes of the program and at parameters.
    fn of_system(&self, name: &str, parameters: &[String]) -> String {
        let all = self.system();
        let sizes = all.split(' ').skip(1);
        std::iter::once(name).chain(sizes).chain(parameters.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
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
        let mut names = term.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        names.any(|name| {
            let known = all.iter().find(|known| known.name == name);
            name == size || known.is_some_and(|known| self.depends(&known.term, size))
        })
    }

    fn entry(&mut self, id: VariableId, variable: &Variable) -> Result<Entry, NotCovered> {
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
        let fact = format!("view s ({number}, [{path}]) = Some ({decoder} (s {} [{arguments}]))", id.0);
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
            _ => Err(refused("a state variable of this form", &variable.origin)),
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
            _ => Err(refused("the values of this variable", &variable.origin)),
        }
    }

    fn parameters(&mut self, transition: &Transition, types: &[SourceType]) -> Result<Parameters, NotCovered> {
        let scope: &[IndexVariable] = &transition.scope[..transition.parameters as usize];
        let origin = &transition.origin;
        if scope.len() != types.len() || scope.iter().any(|variable| variable.role != Role::Parameter) {
            return Err(refused("a rule that has other parameters in the system", origin));
        }
        let names = self.source.words.scope(&transition.scope)[..scope.len()].to_vec();
        let (mut ranges, mut values) = (Vec::new(), Vec::new());
        for ((variable, ty), name) in scope.iter().zip(types).zip(&names) {
            self.index_type(variable.index_type, ty, origin)?;
            let known = &self.index_types[&variable.index_type];
            ranges.push(format!("{name} \\<in> {{1..{}}}", known.size));
            values.push(format!("({}{name}{})", known.before, known.after));
        }
        Ok(Parameters { names, ranges, values })
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
            let Parameters { names, ranges, values } = self.parameters(start, &own.parameters)?;
            let base = "(\\<lambda>_. at0 (Const 0))".to_owned();
            starts.push(context! {
                name, ranges,
                own => own.definition.name,
                initial => self.of_system(name, &names),
                instance => self.of_program(&own.definition, &values),
                witness => self.witness(base, start),
            });
        }
        Ok(starts)
    }

    fn rules(&mut self) -> Result<Vec<minijinja::Value>, NotCovered> {
        let system = self.source.system;
        let mut rules = Vec::new();
        if let Some(rule) = system.rules.iter().find(|rule| rule.source == system::NO_SOURCE) {
            return Err(refused("a property that is recorded by a variable", &rule.origin));
        }
        for (position, own) in (0_u32..).zip(&self.program.rules) {
            let mut cases =
                system.rules.iter().zip(&self.source.words.rules).filter(|(rule, _)| rule.source == position);
            let (Some((rule, name)), None) = (cases.next(), cases.next()) else {
                return Err(refused("a rule that is several rules of the system, or none", &own.origin));
            };
            let Parameters { names, ranges, values } = self.parameters(rule, &own.parameters)?;
            rules.push(context! {
                name, ranges,
                own => own.definition.name,
                line => own.origin.line,
                guard => self.of_system(&format!("{name}_guard"), &names),
                update => self.of_system(&format!("{name}_update"), &names),
                instance => self.of_program(&own.definition, &values),
                witness => self.witness("s".to_owned(), rule),
            });
        }
        Ok(rules)
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

    /// A state after a transition: the base, with the updated variables.
    fn witness(&self, base: String, transition: &Transition) -> String {
        let names = self.source.words.scope(&transition.scope);
        let (system, words) = (self.source.system, self.source.words);
        let reader = Reader { system, words, scope: &transition.scope, names: &names, state: "s" };
        let updates = transition.updates.iter().map(|update| {
            let value = self.some_value(update, &update.value, reader);
            let value = if translate::is_truth_value(system, update.variable) {
                Term::call("truth_val", vec![value])
            } else {
                value
            };
            let bound = update.arguments.iter().map(|bound| names[bound.index()].clone()).collect::<Vec<_>>();
            let function = format!("at{}", bound.len());
            let value = if bound.is_empty() { value } else { Term::bind(Binder::Lambda, bound, value) };
            let term = Term::call(function, vec![value]);
            format!("{} := {}", print::term(&code(update.variable), 0, 0), print::term(&term, 0, 0))
        });
        let updates = updates.collect::<Vec<_>>();
        if updates.is_empty() { base } else { format!("{base}({})", updates.join(",\n      ")) }
    }

    /// A value that an update may assign.
    fn some_value(&self, update: &Update, value: &Value, reader: Reader<'_>) -> Term {
        match value {
            Value::If(condition, yes, no) => Term::conditional(
                reader.formula(condition),
                self.some_value(update, yes, reader),
                self.some_value(update, no, reader),
            ),
            Value::Arbitrary => {
                let sort = self.source.system.sort_of(update.variable);
                match (translate::is_boolean(sort), sort.index_types.first(), sort.constants.first()) {
                    (true, _, _) => Term::name("True"),
                    (false, Some(kind), _) => {
                        let element = &self.source.words.elements[kind.index()];
                        Term::call(element, vec![Term::Number(1)])
                    }
                    (false, None, Some(constant)) => Term::name(&self.source.words.constants[constant.index()]),
                    (false, None, None) => Term::name("true"),
                }
            }
            Value::Term(_) | Value::Sum(..) => {
                let target = Term::name("s");
                let assigned = reader.has_value(update.variable, &target, value);
                if let Term::Infix(Infix::Equal | Infix::Iff, _, value) = assigned { *value } else { assigned }
            }
        }
    }
}

fn refused(what: &str, origin: &Origin) -> NotCovered {
    NotCovered { what: what.to_owned(), origin: origin.clone() }
}
