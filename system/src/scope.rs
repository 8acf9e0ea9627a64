//! The scope of a proof about a system, in sentences: for which sizes it holds, with which values of the model, under
//! which assumptions, and what it leaves out.
//!
//! Every verdict, table, report and theory uses these one-line sentences, so that no two of them say different things.
//! Names come from the model and may contain anything; code that embeds a sentence in another language must escape it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::System;
use crate::{AssumedAxiom, Assumption, Claim, IndexTypeId, LeftOut, Origin, PathStep, VariableId};

/// The scope of a proof of all properties of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The types that may have any size.
    pub any_size: Vec<AnySize>,
    /// The constants that may have any value, besides those that only say how many elements such a type has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any_value: Vec<String>,
    /// The names of the properties that the proof covers.
    pub properties: Vec<String>,
    /// What is fixed as in the model, what is assumed, and what is left out.
    pub claim: Claim,
    /// Whether there is no initial state in any instance, because what is assumed in the startstates contradicts them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nothing_starts: bool,
}

/// A type that may have any size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnySize {
    /// The name.
    pub name: String,
    /// The least number of elements for which the proof holds: the named elements need this many.
    pub least: u32,
}

/// How much of what a model states is covered by its system.
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
    /// Returns the scope of a proof of the properties of a system.
    #[must_use]
    pub fn of(system: &System) -> Self {
        let types = (0..).map(IndexTypeId).zip(&system.index_types);
        let is_size = |id: VariableId| system.sizes.iter().any(|size| size.variable == id);
        let any_value = (0..).map(VariableId).zip(&system.variables).filter(|(id, own)| {
            // What is not in the model, such as half of a constant, follows from what is.
            let is_number = matches!(own.path[..], [PathStep::Global(_)]) && system.sort_of(*id).numbers.is_some();
            is_number && system.is_parameter(*id) && !is_size(*id)
        });
        Self {
            any_size: types.map(|(id, own)| AnySize { name: own.name.clone(), least: system.least_size(id) }).collect(),
            any_value: any_value.map(|(_, own)| own.name.clone()).collect(),
            properties: system.properties.iter().map(|property| property.name.clone()).collect(),
            claim: system.claim.clone(),
            nothing_starts: system.startstates.is_empty(),
        }
    }

    /// Returns how much of what the model states is covered by the system.
    pub fn coverage(&self) -> Coverage {
        match (self.properties.is_empty(), self.claim.left_out.is_empty()) {
            (_, false) => Coverage::Part,
            (true, true) => Coverage::Nothing,
            (false, true) => Coverage::All,
        }
    }

    /// Returns the sizes and values, as in `for any number of NODE from 3 on, DATA; with N = 3, P of 3 values as they
    /// are`.
    #[must_use]
    pub fn sizes(&self) -> String {
        let constants = self.claim.constants.iter().map(|kept| format!("{} = {}", kept.name, kept.value));
        let types = self.claim.finite_types.iter().map(|own| format!("{} of {}", own.name, values(own.size)));
        let kept: Vec<String> = constants.chain(types).collect();
        let types: Vec<String> = self.any_size.iter().map(AnySize::text).collect();
        let number = (!types.is_empty()).then(|| format!("any number of {}", types.join(", ")));
        let value = (!self.any_value.is_empty()).then(|| format!("any value of {}", self.any_value.join(", ")));
        let free: Vec<String> = number.into_iter().chain(value).collect();
        let as_it_is = if kept.len() == 1 { "as it is" } else { "as they are" };
        one_line(&match (free.is_empty(), kept.is_empty()) {
            (true, true) => "for its sizes as they are".to_owned(),
            (true, false) => format!("for its sizes as they are: {}", kept.join(", ")),
            (false, true) => format!("for {}", free.join(" and ")),
            (false, false) => {
                format!("for {}; with {} {as_it_is}", free.join(" and "), kept.join(", "))
            }
        })
    }

    /// Returns what is proven and for which sizes, as one line without a full stop.
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

    /// Returns [`Scope::proven`] as a sentence with a capital letter and a full stop.
    #[must_use]
    pub fn sentence(&self) -> String {
        let text = self.proven();
        let mut letters = text.chars();
        letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
    }

    /// Returns why each constant and each type is fixed: one sentence each, with its line.
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

    /// Returns that the claim is about no execution, if that is so whatever the sizes are.
    #[must_use]
    pub fn about_nothing(&self) -> Option<String> {
        self.nothing_starts.then(|| "no startstate is possible, so the claim is about no execution".to_owned())
    }

    /// Returns the assumptions: one sentence about all `assume` statements in rules, and one for each axiom.
    #[must_use]
    pub fn assumed(&self) -> Vec<String> {
        let (axioms, statements): (Vec<&Assumption>, Vec<&Assumption>) =
            self.claim.assumptions.iter().partition(|assumption| assumption.axiom.is_some());
        let lines: Vec<String> = statements.iter().map(|assumption| assumption.origin.line.to_string()).collect();
        let sentence = match lines.as_slice() {
            [] => None,
            [line] => Some(format!("executions in which the `assume` in line {line} fails are left out")),
            several => Some(format!(
                "executions in which one of the `assume`s in lines {} fails are left out",
                several.join(", ")
            )),
        };
        sentence.into_iter().chain(axioms.into_iter().filter_map(Assumption::sentence)).collect()
    }

    /// Returns what the model states but the proof does not cover, one sentence each: `not proven: liveness "progress"
    /// (line 9): …`.
    #[must_use]
    pub fn not_proven(&self) -> Vec<String> {
        self.claim.left_out.iter().map(|left| format!("not proven: {}", left.text())).collect()
    }

    /// Returns what must be said besides the sizes: that the claim is about no execution, the assumptions, and what is not
    /// proven.
    #[must_use]
    pub fn limits(&self) -> Vec<String> {
        [self.about_nothing().into_iter().collect(), self.assumed(), self.not_proven()].concat()
    }

    /// Returns all sentences, starting with what is proven.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let first = self.proven();
        std::iter::once(first).chain(self.kept()).chain(self.limits()).collect()
    }

    /// Returns the scope as JSON, without the list of properties.
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
        let assumptions = assumptions.iter().map(|assumption| {
            let named = |axiom: &AssumedAxiom| [("name", json!(axiom.name)), ("immutable", json!(axiom.immutable))];
            with(&assumption.origin, assumption.axiom.iter().flat_map(named).collect())
        });
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
            "any_value": self.any_value,
            "constants": constants.collect::<Value>(),
            "finite_types": finite_types.collect::<Value>(),
            "assumptions": assumptions.collect::<Value>(),
            "left_out": left_out.collect::<Value>(),
        })
    }
}

impl AnySize {
    /// A least size of 0 or 1 is not mentioned: such a proof counts as one for any number.
    fn text(&self) -> String {
        if self.least > 1 { format!("{} from {} on", self.name, self.least) } else { self.name.clone() }
    }
}

impl Assumption {
    /// Returns what is assumed of all states, if it is an axiom: `assumes "quorums meet" (line 12)`.
    fn sentence(&self) -> Option<String> {
        let AssumedAxiom { name, immutable } = self.axiom.as_ref()?;
        let line = self.origin.line;
        let unnamed = *name == format!("assume at line {line}");
        let what = if unnamed { format!("the `assume` in line {line}") } else { format!("\"{name}\" (line {line})") };
        let rest = if *immutable { "" } else { " in every state: executions in which it fails are left out" };
        Some(one_line(&format!("assumes {what}{rest}")))
    }
}

impl LeftOut {
    /// Returns what is left out, where, and why, in one line.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { kind, name, code, reason, origin } = self;
        // A statement without a name in the model is named after its line.
        let made_up = format!("{kind} at line {}", origin.line);
        let what = if *name == made_up { made_up } else { format!("{kind} \"{name}\" (line {})", origin.line) };
        one_line(&format!("{what}: {code}: {reason}"))
    }
}

/// Returns a count with its noun: `1 property`, `2 properties`.
#[must_use]
pub fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn values(count: u64) -> String {
    format!("{count} {}", if count == 1 { "value" } else { "values" })
}

/// Names may contain anything. A sentence is a single line without control characters, which could affect its
/// surroundings.
fn one_line(text: &str) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().map(plain).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
