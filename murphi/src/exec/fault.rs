//! Errors at run time, and errors while an instance is created.

use crate::program::{Program, Span};

/// An error of the model during an execution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// Where.
    pub span: Span,
}

impl Fault {
    /// The stable code of all run-time errors, see `docs/diagnostics.md`.
    pub const CODE: &'static str = system::front_end::RUN_ERROR;

    /// Returns the name of the violated property, if the error is a failed assertion or a reached `error` statement.
    #[must_use]
    pub fn assertion(&self, program: &Program) -> Option<String> {
        let line = program.origin(self.span).line;
        match &self.kind {
            FaultKind::Assertion(text) => Some(assertion_name(text, "assert", line)),
            FaultKind::Error(text) => Some(assertion_name(text, "error", line)),
            FaultKind::Undefined
            | FaultKind::Range(_)
            | FaultKind::Index(_)
            | FaultKind::Division
            | FaultKind::Overflow
            | FaultKind::Iterations(_)
            | FaultKind::Step
            | FaultKind::MultisetFull
            | FaultKind::MultisetPosition
            | FaultKind::NoReturn => None,
        }
    }
}

/// Returns the name of the property for an `assert` or `error` with this text.
pub(crate) fn assertion_name(text: &str, what: &str, line: u32) -> String {
    if text.is_empty() { format!("{what} at line {line}") } else { text.to_owned() }
}

/// The run-time errors of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// An undefined value was read.
    #[error("an undefined value is read")]
    Undefined,
    /// A value outside of the target's type was stored.
    #[error("the value {0} is outside of the type of the variable")]
    Range(String),
    /// An array was indexed with a value outside of its index type.
    #[error("the index {0} is outside of the index type of the array")]
    Index(String),
    /// A division by zero.
    #[error("a division by zero")]
    Division,
    /// A number exceeds 64 bits.
    #[error("a number does not fit into 64 bits")]
    Overflow,
    /// An `assert` whose condition is false.
    #[error("the assertion{} is violated", quoted(.0))]
    Assertion(String),
    /// An `error` statement.
    #[error("the error statement{} is reached", quoted(.0))]
    Error(String),
    /// A `while` that does not end.
    #[error("a `while` runs more than {0} times")]
    Iterations(u32),
    /// A step of zero.
    #[error("a `for` with step 0")]
    Step,
    /// Adding to a full multiset.
    #[error("a multiset has no room for another element")]
    MultisetFull,
    /// A multiset position without an element.
    #[error("a multiset has no element at this position")]
    MultisetPosition,
    /// A function that ended without `return`.
    #[error("a function ends without returning a value")]
    NoReturn,
}

fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" \"{text}\"") }
}

/// Why a program has no instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct BuildError {
    /// The place.
    pub span: Span,
    /// The reason.
    pub fault: BuildFault,
}

impl BuildError {
    /// The stable code.
    pub const CODE: &'static str = "R002";
}

/// The reasons why there is no instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildFault {
    /// The members of a union overlap, or are not simple types.
    #[error("the members of this union cannot be distinguished in an instance")]
    Union,
    /// A variable of a type with too many values.
    #[error("a variable of this type does not fit into an instance")]
    Unbounded,
    /// The state is too large.
    #[error("the state has more than {0} scalars")]
    Scalars(usize),
    /// There are too many instances of rules.
    #[error("the rules have more than {0} instances; smaller index types are needed")]
    Instances(usize),
    /// A ruleset whose bounds are not constant.
    #[error("the bounds of a ruleset must be constant")]
    Bounds,
    /// A copy between composite values of different structure.
    #[error("these values differ in their number of elements")]
    Shape,
    /// Something that is not a place is used as one.
    #[error("this is not a place in the state")]
    NoPlace,
    /// A record, array or multiset is used where a simple value is needed.
    #[error("a record, an array or a multiset is not a single value")]
    Composite,
    /// A function calls itself.
    #[error("a function that calls itself cannot be executed")]
    Recursion,
    /// The model is malformed in a way that the type checker should have refused.
    #[error("the type checker accepted something that has no meaning here")]
    Malformed,
}
