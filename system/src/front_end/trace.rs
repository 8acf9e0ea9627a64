//! Traces in terms of no language: what was executed, step by step, with only what changed.

use serde::{Deserialize, Serialize};

/// A trace. Elements have the same names from the start to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The size of each index type in the instance.
    pub sizes: Vec<(String, u64)>,
    /// The values of the model's constants there.
    pub constants: Vec<(String, i64)>,
    /// The property that the last state violates.
    pub violates: String,
    /// The error at run time that it ends in instead, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
    /// The first step is a startstate, and its changes are the whole initial state.
    pub steps: Vec<Step>,
}

/// An error at run time at the end of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Error {
    /// What happened.
    pub message: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The rule, startstate or property that meets it.
    pub rule: String,
    /// What may help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The rule or the startstate.
    pub rule: String,
    /// Where it is in the model; 0 where that is not known.
    pub line: u32,
    /// Its parameters, with the elements as the instance prints them.
    pub parameters: Vec<(String, String)>,
    /// What changed.
    pub changes: Vec<Change>,
}

/// A state variable that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The state variable, as `Cache[NODE_1].State`.
    pub variable: String,
    /// The elements among its arguments.
    pub elements: Vec<String>,
    /// The value before; empty at the start.
    pub before: String,
    /// The value after.
    pub after: String,
}

/// A trace that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The trace.
    pub trace: Trace,
    /// Whether something is wrong with its last state.
    pub is_wrong: bool,
}

impl Error {
    /// What happened and where: `an error in 'Read': an undefined value is read (line 12, column 9)`.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { message, line, column, rule, .. } = self;
        format!("an error in '{rule}': {message} (line {line}, column {column})")
    }
}

impl Step {
    /// The rule with its parameters.
    #[must_use]
    pub fn title(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if parameters.is_empty() {
            return self.rule.clone();
        }
        format!("{} ({})", self.rule, parameters.join(", "))
    }
}

impl Trace {
    /// How it ends, as the rest of a sentence about its last state: `violates 'Safe'`.
    #[must_use]
    pub fn ending(&self) -> String {
        match &self.error {
            None => format!("violates '{}'", self.violates),
            Some(error) => format!("meets {}", error.text()),
        }
    }
}
