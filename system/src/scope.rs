//! What a proof about a system is about, in sentences: for which sizes it holds, with which values of the model, under which
//! assumptions, and what it leaves out.
//!
//! In: a system. Out: data, and sentences of one line each. Every verdict, table, report and theory says it with these
//! sentences, so that no two of them say different things. Names may come from anyone's model: who puts a sentence
//! into another language escapes it there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::System;
use crate::{Claim, IndexTypeId, LeftOut, Origin};

/// What a proof of all properties of a system is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The types that are of any size.
    pub any_size: Vec<AnySize>,
    /// The properties that the proof is about.
    pub properties: Vec<String>,
    /// What is as the model has it, what is assumed, and what is left out.
    pub claim: Claim,
}

/// A type that is of any size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnySize {
    /// The name.
    pub name: String,
    /// The number of elements from which on the proof holds: so many are needed for the elements that have names.
    pub least: u32,
}

/// How much of what a model states its system speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Coverage {
    /// Everything.
    All,
    /// Not everything.
    Part,
    /// The model states nothing.
    Nothing,
}

impl Scope {
    /// What a proof of the properties of a system is about.
    #[must_use]
    pub fn of(system: &System) -> Self {
        let types = (0..).map(IndexTypeId).zip(&system.index_types);
        Self {
            any_size: types.map(|(id, own)| AnySize { name: own.name.clone(), least: system.least_size(id) }).collect(),
            properties: system.properties.iter().map(|property| property.name.clone()).collect(),
            claim: system.claim.clone(),
        }
    }

    /// How much of what the model states the system speaks of.
    pub fn coverage(&self) -> Coverage {
        match (self.properties.is_empty(), self.claim.left_out.is_empty()) {
            (_, false) => Coverage::Part,
            (true, true) => Coverage::Nothing,
            (false, true) => Coverage::All,
        }
    }

    /// For which sizes and values: `for any number of NODE from 3 on, DATA; with N = 3, P of 3 values as they are`.
    #[must_use]
    pub fn sizes(&self) -> String {
        let constants = self.claim.constants.iter().map(|kept| format!("{} = {}", kept.name, kept.value));
        let types = self.claim.finite_types.iter().map(|own| format!("{} of {}", own.name, values(own.size)));
        let kept: Vec<String> = constants.chain(types).collect();
        let free: Vec<String> = self.any_size.iter().map(AnySize::text).collect();
        let as_it_is = if kept.len() == 1 { "as it is" } else { "as they are" };
        one_line(&match (free.is_empty(), kept.is_empty()) {
            (true, true) => "for its sizes as they are".to_owned(),
            (true, false) => format!("for its sizes as they are: {}", kept.join(", ")),
            (false, true) => format!("for any number of {}", free.join(", ")),
            (false, false) => {
                format!("for any number of {}; with {} {as_it_is}", free.join(", "), kept.join(", "))
            }
        })
    }

    /// What is proven and for which sizes, as one line without a stop.
    #[must_use]
    pub fn proven(&self) -> String {
        let count = self.properties.len();
        match self.coverage() {
            Coverage::All => format!("proven {}", self.sizes()),
            Coverage::Part if count == 0 => "nothing is proven of what the model states".to_owned(),
            Coverage::Part => {
                let all = count.saturating_add(self.claim.left_out.len());
                format!("{count} of {all} statements proven {}", self.sizes())
            }
            Coverage::Nothing => "nothing is proven: the model states no property".to_owned(),
        }
    }

    /// The same as a sentence of its own.
    #[must_use]
    pub fn sentence(&self) -> String {
        let text = self.proven();
        let mut letters = text.chars();
        letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
    }

    /// Why each constant and each type is kept as it is, one sentence each, with its place.
    #[must_use]
    pub fn kept(&self) -> Vec<String> {
        let constants = self.claim.constants.iter().map(|kept| {
            let (name, value, line) = (&kept.name, &kept.value, kept.origin.line);
            one_line(&format!("{name} = {value} is kept as it is: its value matters in line {line}"))
        });
        let types = self.claim.finite_types.iter().map(|own| {
            let (name, count, line) = (&own.name, values(own.size), own.origin.line);
            one_line(&format!("{name} stays at its {count}: {} (line {line})", own.reason))
        });
        constants.chain(types).collect()
    }

    /// What is assumed, in one sentence.
    #[must_use]
    pub fn assumed(&self) -> Option<String> {
        let lines: Vec<String> =
            self.claim.assumptions.iter().map(|assumption| assumption.origin.line.to_string()).collect();
        match lines.as_slice() {
            [] => None,
            [line] => Some(format!("executions in which the `assume` in line {line} fails are left out")),
            several => Some(format!(
                "executions in which one of the `assume`s in lines {} fails are left out",
                several.join(", ")
            )),
        }
    }

    /// What the model states and the proof does not speak of, one sentence each: `not proven: liveness "progress" (line 9): …`.
    #[must_use]
    pub fn not_proven(&self) -> Vec<String> {
        self.claim.left_out.iter().map(|left| format!("not proven: {}", left.text())).collect()
    }

    /// What has to be said beside the sizes: assumptions, and what is not proven.
    #[must_use]
    pub fn limits(&self) -> Vec<String> {
        self.assumed().into_iter().chain(self.not_proven()).collect()
    }

    /// Everything, one sentence each, the first about what is proven.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let first = self.proven();
        std::iter::once(first).chain(self.kept()).chain(self.limits()).collect()
    }

    /// For a program.
    #[must_use]
    pub fn value(&self) -> Value {
        let Claim { constants, finite_types, assumptions, left_out } = &self.claim;
        let place = |origin: &Origin| (origin.line, origin.column);
        let with = |origin: &Origin, mut object: BTreeMap<&'static str, Value>| {
            let (line, column) = place(origin);
            object.extend([("line", json!(line)), ("column", json!(column))]);
            json!(object)
        };
        let constants = constants
            .iter()
            .map(|kept| with(&kept.origin, [("name", json!(kept.name)), ("value", json!(kept.value))].into()));
        let finite_types = finite_types.iter().map(|own| {
            let entries = [("name", json!(own.name)), ("size", json!(own.size)), ("reason", json!(own.reason))];
            with(&own.origin, entries.into())
        });
        let assumptions = assumptions.iter().map(|assumption| with(&assumption.origin, BTreeMap::new()));
        let left_out = left_out.iter().map(|left| {
            let entries = [
                ("kind", json!(left.kind)),
                ("name", json!(left.name)),
                ("code", json!(left.code)),
                ("reason", json!(left.reason)),
            ];
            with(&left.origin, entries.into())
        });
        json!({
            "sizes": self.sizes(),
            "any_size": self.any_size,
            "constants": constants.collect::<Value>(),
            "finite_types": finite_types.collect::<Value>(),
            "assumptions": assumptions.collect::<Value>(),
            "left_out": left_out.collect::<Value>(),
        })
    }
}

impl AnySize {
    /// One element or none are no loss: a proof from one on is a proof for any number.
    fn text(&self) -> String {
        if self.least > 1 { format!("{} from {} on", self.name, self.least) } else { self.name.clone() }
    }
}

impl LeftOut {
    /// What it is, where, and why, in one line.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { kind, name, code, reason, origin } = self;
        // What has no name in the model is called after its line.
        let made_up = format!("{kind} at line {}", origin.line);
        let what = if *name == made_up { made_up } else { format!("{kind} \"{name}\" (line {})", origin.line) };
        one_line(&format!("{what}: {code}: {reason}"))
    }
}

/// A count with its noun: `1 property`, `2 properties`.
#[must_use]
pub fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn values(count: u64) -> String {
    format!("{count} {}", if count == 1 { "value" } else { "values" })
}

/// Names may be anything; a sentence is one line, and has no characters that move what is around it.
fn one_line(text: &str) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().map(plain).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
