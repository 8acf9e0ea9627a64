//! Names of types, variables and constructors in Cubicle's language.
//!
//! Each sort is represented by a type, and names start with the case that the language requires. Processes are the
//! elements of the only index type that indexes variables; every other index type is an abstract type of data. Other
//! sorts have no counterpart.

use std::collections::BTreeSet;

use system::System;
use system::{ConstantId, FALSE, IndexTypeId, SortId, TRUE, VariableId};

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
    enumerations: Vec<Vec<ConstantId>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(system: &'a System) -> Result<Self, Refusal> {
        if let Some(named) = system.named.first() {
            return Err(Refusal(format!("the named element {}", named.name)));
        }
        let indexing: BTreeSet<IndexTypeId> =
            system.variables.iter().flat_map(|variable| variable.arguments.iter().copied()).collect();
        if indexing.len() > 1 {
            return Err(Refusal("variables with indices of several types".to_owned()));
        }
        let process = indexing.first().copied();
        let kinds = system
            .sorts
            .iter()
            .map(|sort| match (sort.index_types.as_slice(), sort.constants.as_slice()) {
                ([], [FALSE, TRUE]) => Ok(Kind::Boolean),
                ([], constants) => Ok(Kind::Enumeration(constants.to_vec())),
                ([only], []) if process == Some(*only) => Ok(Kind::Process),
                ([only], []) => Ok(Kind::Data(*only)),
                _ => Err(Refusal(format!("the union {}", sort.name))),
            })
            .collect::<Result<Vec<Kind>, Refusal>>()?;
        let distinct: BTreeSet<Vec<ConstantId>> = kinds
            .iter()
            .filter_map(|kind| match kind {
                Kind::Enumeration(constants) => Some(constants.clone()),
                Kind::Boolean | Kind::Process | Kind::Data(_) => None,
            })
            .collect();
        Ok(Self { system, process, kinds, enumerations: distinct.into_iter().collect() })
    }

    pub(super) fn kind(&self, variable: VariableId) -> &Kind {
        self.kind_of(self.system.variables[variable.index()].sort)
    }

    fn kind_of(&self, sort: SortId) -> &Kind {
        &self.kinds[sort.index()]
    }

    /// Returns the kind of the elements of an index type.
    pub(super) fn elements(&self, index_type: IndexTypeId) -> Kind {
        if self.process == Some(index_type) { Kind::Process } else { Kind::Data(index_type) }
    }

    pub(super) fn type_name(&self, kind: &Kind) -> String {
        match kind {
            Kind::Boolean => "bool".to_owned(),
            Kind::Enumeration(constants) => format!("enum_{}", self.enumeration(constants)),
            Kind::Process => "proc".to_owned(),
            Kind::Data(index_type) => format!("data_{}", index_type.index()),
        }
    }

    fn enumeration(&self, constants: &[ConstantId]) -> usize {
        self.enumerations.iter().position(|other| other == constants).unwrap_or(0)
    }

    /// Returns a constant as a value of a kind, or `None` if it is not one.
    pub(super) fn constant(&self, kind: &Kind, constant: ConstantId) -> Option<String> {
        match kind {
            Kind::Boolean if constant == TRUE => Some("True".to_owned()),
            Kind::Boolean if constant == FALSE => Some("False".to_owned()),
            Kind::Enumeration(constants) if constants.contains(&constant) => {
                let name = plain(&self.system.constants[constant.index()].name);
                Some(format!("E{}_{name}", self.enumeration(constants)))
            }
            Kind::Boolean | Kind::Enumeration(_) | Kind::Process | Kind::Data(_) => None,
        }
    }

    pub(super) fn variable(&self, variable: VariableId) -> String {
        format!("V{}_{}", variable.index(), plain(&self.system.variables[variable.index()].name))
    }

    /// Returns the declarations of types.
    pub(super) fn type_declarations(&self) -> Vec<String> {
        let data: BTreeSet<&Kind> = self.kinds.iter().filter(|kind| matches!(kind, Kind::Data(_))).collect();
        let data = data.into_iter().map(|kind| format!("type {}", self.type_name(kind)));
        let enumerations = self.enumerations.iter().map(|constants| {
            let kind = Kind::Enumeration(constants.clone());
            let members: Vec<String> =
                constants.iter().filter_map(|constant| self.constant(&kind, *constant)).collect();
            format!("type {} = {}", self.type_name(&kind), members.join(" | "))
        });
        data.chain(enumerations).collect()
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

/// Removes the characters that a name must not contain.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace("[]", "").replace('-', "m");
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
