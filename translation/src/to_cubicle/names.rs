//! Names of types, variables and constructors in Cubicle's language.
//!
//! Each sort is represented by a type, and names start with the case that the language requires. Processes are the
//! elements of the only index type that indexes variables; every other index type is an abstract type of data. Other
//! sorts have no counterpart.

use std::collections::{BTreeMap, BTreeSet};

use cubicle::syntax::KEYWORDS;
use system::{ConstantId, FALSE, IndexTypeId, Origin, System, TRUE, VariableId};

use super::Refusal;

/// The representation of a sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Boolean,
    /// An enumeration with these constants.
    Enumeration(Vec<ConstantId>),
    Process,
    Data(IndexTypeId),
}

/// The names of a system.
pub(super) struct Names<'a> {
    pub(super) system: &'a System,
    /// The index type whose elements are processes.
    pub(super) process: Option<IndexTypeId>,
    kinds: Vec<Kind>,
    /// The types with their names.
    types: BTreeMap<Kind, String>,
    /// The values of enumerations with their names.
    values: BTreeMap<(Kind, ConstantId), String>,
    variables: Vec<String>,
    taken: BTreeSet<String>,
}

impl<'a> Names<'a> {
    pub(super) fn new(system: &'a System) -> Result<Self, (Refusal, Origin)> {
        let nowhere = Origin::default;
        if let Some(named) = system.named.first() {
            return Err((Refusal(format!("the named element {}", named.name)), nowhere()));
        }
        let process = system.variables.iter().flat_map(|variable| variable.arguments.first().copied()).next();
        for variable in &system.variables {
            if variable.arguments.iter().any(|own| Some(*own) != process) {
                let what = format!("{}, since arrays have indices of several types", variable.name);
                return Err((Refusal(what), variable.origin.clone()));
            }
        }
        let kind = |variable: &system::Variable| {
            let sort = &system.sorts[variable.sort.index()];
            match (sort.index_types.as_slice(), sort.constants.as_slice()) {
                ([], [FALSE, TRUE]) => Ok(Kind::Boolean),
                ([], [_, ..]) => Ok(Kind::Enumeration(sort.constants.clone())),
                ([only], []) if process == Some(*only) => Ok(Kind::Process),
                ([only], []) => Ok(Kind::Data(*only)),
                ([], []) => Err((Refusal(format!("the numbers in {}", variable.name)), variable.origin.clone())),
                _ => Err((Refusal(format!("the union of types in {}", variable.name)), variable.origin.clone())),
            }
        };
        let kinds = system.variables.iter().map(kind).collect::<Result<Vec<Kind>, (Refusal, Origin)>>()?;
        let mut names = Self {
            system,
            process,
            kinds,
            types: BTreeMap::new(),
            values: BTreeMap::new(),
            variables: Vec::new(),
            taken: KEYWORDS
                .iter()
                .copied()
                .chain(["bool", "proc", "int", "real", "True", "False"])
                .map(str::to_owned)
                .collect(),
        };
        names.declare();
        Ok(names)
    }

    /// Gives names to all variables, types and values.
    fn declare(&mut self) {
        for variable in &self.system.variables {
            let name = self.unique(&capital(&plain(&variable.name)));
            self.variables.push(name);
        }
        for (variable, kind) in self.system.variables.iter().zip(self.kinds.clone()) {
            if self.types.contains_key(&kind) {
                continue;
            }
            match &kind {
                Kind::Boolean | Kind::Process => {}
                Kind::Data(index_type) => {
                    self.add_type(kind.clone(), &self.system.index_types[index_type.index()].name)
                }
                Kind::Enumeration(constants) => {
                    self.add_type(kind.clone(), &self.system.sorts[variable.sort.index()].name);
                    for constant in constants {
                        let name = self.unique(&capital(&plain(&self.system.constants[constant.index()].name)));
                        self.values.insert((kind.clone(), *constant), name);
                    }
                }
            }
        }
        for index_type in (0..).map(IndexTypeId).take(self.system.index_types.len()) {
            let kind = self.elements(index_type);
            if kind != Kind::Process && !self.types.contains_key(&kind) {
                self.add_type(kind, &self.system.index_types[index_type.index()].name);
            }
        }
    }

    fn add_type(&mut self, kind: Kind, wanted: &str) {
        let name = plain(wanted);
        let is_shouted = name.chars().all(|own| !own.is_ascii_lowercase());
        let name = self.unique(&small(&if is_shouted { name.to_ascii_lowercase() } else { name }));
        self.types.insert(kind, name);
    }

    fn unique(&mut self, wanted: &str) -> String {
        let (mut name, mut number) = (wanted.to_owned(), 1);
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        name
    }

    /// Returns a new name for a transition.
    pub(super) fn transition(&mut self, wanted: &str) -> String {
        let name = plain(wanted);
        self.unique(&if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            name
        } else {
            format!("t{name}")
        })
    }

    /// Returns a name for a parameter, which none of the others has.
    pub(super) fn parameter(&self, wanted: &str, others: &[String]) -> String {
        let mut name = small(&plain(wanted));
        while self.taken.contains(&name) || others.contains(&name) {
            name.push('_');
        }
        name
    }

    pub(super) fn kind(&self, variable: VariableId) -> &Kind {
        &self.kinds[variable.index()]
    }

    /// Returns the kind of the elements of an index type.
    pub(super) fn elements(&self, index_type: IndexTypeId) -> Kind {
        if self.process == Some(index_type) { Kind::Process } else { Kind::Data(index_type) }
    }

    pub(super) fn type_name(&self, kind: &Kind) -> String {
        match kind {
            Kind::Boolean => "bool".to_owned(),
            Kind::Process => "proc".to_owned(),
            Kind::Enumeration(_) | Kind::Data(_) => self.types.get(kind).cloned().unwrap_or_default(),
        }
    }

    /// Returns a constant as a value of a kind, or `None` if it is not one.
    pub(super) fn constant(&self, kind: &Kind, constant: ConstantId) -> Option<String> {
        match kind {
            Kind::Boolean if constant == TRUE => Some("True".to_owned()),
            Kind::Boolean if constant == FALSE => Some("False".to_owned()),
            Kind::Enumeration(_) => self.values.get(&(kind.clone(), constant)).cloned(),
            Kind::Boolean | Kind::Process | Kind::Data(_) => None,
        }
    }

    pub(super) fn variable(&self, variable: VariableId) -> String {
        self.variables[variable.index()].clone()
    }

    /// Returns the declarations of types.
    pub(super) fn type_declarations(&self) -> Vec<String> {
        let declaration = |(kind, name): (&Kind, &String)| match kind {
            Kind::Enumeration(constants) => {
                let members: Vec<String> =
                    constants.iter().filter_map(|constant| self.constant(kind, *constant)).collect();
                format!("type {name} = {}", members.join(" | "))
            }
            Kind::Boolean | Kind::Process | Kind::Data(_) => format!("type {name}"),
        };
        self.types.iter().map(declaration).collect()
    }

    /// Returns the declarations of state variables.
    pub(super) fn variable_declarations(&self) -> Vec<String> {
        let ids = (0..).map(VariableId);
        ids.zip(&self.system.variables)
            .map(|(id, variable)| {
                let (name, ty) = (self.variable(id), self.type_name(self.kind(id)));
                if variable.arguments.is_empty() {
                    return format!("var {name} : {ty}");
                }
                let arguments = vec!["proc"; variable.arguments.len()];
                format!("array {name}[{}] : {ty}", arguments.join(", "))
            })
            .collect()
    }
}

/// Returns a name that starts with a capital letter.
fn capital(name: &str) -> String {
    changed(name, 'N', |first| first.to_ascii_uppercase())
}

/// Returns a name that starts with a small letter.
fn small(name: &str) -> String {
    changed(name, 't', |first| first.to_ascii_lowercase())
}

/// Changes the first letter of a name, or adds one.
fn changed(name: &str, letter: char, change: impl Fn(char) -> char) -> String {
    let mut rest = name.chars();
    match rest.next().filter(char::is_ascii_alphabetic) {
        Some(first) => std::iter::once(change(first)).chain(rest).collect(),
        None => format!("{letter}{name}"),
    }
}

/// Removes the characters that a name must not contain.
fn plain(text: &str) -> String {
    let text = text.replace("[]", "").replace('-', "m");
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
