//! The text of a model as a term of HOL, as far as the theory `ParaProof_Murphi` gives it a meaning.
//!
//! A front-end makes it from the syntax tree alone, and so without lowering. Terms are in the notation of Isabelle's input,
//! in ASCII. Comments are text of the model, in which nothing is escaped.

use crate::Origin;

/// A program as definitions in HOL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceProgram {
    /// The constants of the model that the theorem is about every value of. They are natural numbers.
    pub sizes: Vec<SourceSize>,
    /// Names for members, fields, variables and types, as abbreviations.
    pub names: Vec<SourceDefinition>,
    /// The startstates, in the order of the text.
    pub startstates: Vec<SourceRule>,
    /// The rules, in the order of the text.
    pub rules: Vec<SourceRule>,
    /// The invariants, in the order of the text.
    pub invariants: Vec<SourceInvariant>,
    /// The whole program.
    pub program: SourceDefinition,
    /// The numbers and types of all variables, those of the state first.
    pub variables: Vec<SourceVariable>,
    /// The number of each field.
    pub fields: Vec<(String, u32)>,
    /// The number of each member of an enumeration.
    pub members: Vec<(String, u32)>,
}

/// A constant with any value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSize {
    /// Its name in the model.
    pub constant: String,
    /// Its name in HOL.
    pub name: String,
}

/// A definition or an abbreviation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceDefinition {
    /// The name.
    pub name: String,
    /// The type.
    pub signature: String,
    /// The names of the arguments.
    pub arguments: Vec<String>,
    /// What it stands for.
    pub term: String,
}

/// A rule or startstate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRule {
    /// The definition, whose arguments are the parameters of the rulesets around it.
    pub definition: SourceDefinition,
    /// The types of the parameters.
    pub parameters: Vec<SourceType>,
    /// The text of the model.
    pub text: String,
    /// Where it is.
    pub origin: Origin,
}

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceInvariant {
    /// The definition, without arguments.
    pub definition: SourceDefinition,
    /// The text of the model.
    pub text: String,
    /// Where it is.
    pub origin: Origin,
}

/// A variable of the model, or of a rule or procedure in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceVariable {
    /// The name in the model.
    pub name: String,
    /// The type.
    pub ty: SourceType,
}

/// A type of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceType {
    /// The truth values.
    Boolean,
    /// An enumeration.
    Enum,
    /// A range, with its bounds as terms of the type `int`.
    Range(String, String),
    /// A scalarset, with its number, and its size as a term of the type `nat`.
    Scalarset(u32, String),
    /// A union of types.
    Union(Vec<SourceType>),
    /// A record, with the numbers of its fields.
    Record(Vec<(u32, SourceType)>),
    /// An array.
    Array(Box<SourceType>, Box<SourceType>),
}

/// The first form in a model that the theory does not cover.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not covered: {what}{}", if .origin.line > 0 { format!(" (line {})", .origin.line) } else { String::new() })]
pub struct NotCovered {
    /// The form.
    pub what: String,
    /// Where it is. The line is 0 if it is a setting.
    pub origin: Origin,
}
