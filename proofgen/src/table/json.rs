//! The tables as one JSON object.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{InvariantRow, Kind, Origin, Premise, RelationRow, RuleRow, Step, Table, property_kind};

/// The version of the object, which increases when a key changes its meaning or is removed. The first one was called
/// `version`.
const SCHEMA: u32 = 2;

impl Table {
    /// Returns everything in the tables.
    #[must_use]
    pub fn json(&self) -> String {
        let properties = self.properties.iter().map(|row| {
            json!({
                "name": row.name,
                "kind": property_kind(row.kind),
                "line": row.line,
                "shown_by": row.shown_by,
            })
        });
        let rules = self.rules.iter().map(RuleRow::value);
        let invariants = self.groups.iter().flat_map(|group| {
            let title = &group.title;
            group.invariants.iter().map(move |row| invariant(row, title))
        });
        let counts = json!({
            "holds_after": self.count(Kind::HoldsAfter),
            "unaffected": self.count(Kind::Unaffected),
            "implied": self.count(Kind::Implied),
        });
        by_lines([
            ("schema", line(&SCHEMA)),
            ("model_digest", line(&self.model_digest)),
            ("settings", lines(self.settings.iter())),
            ("properties", lines(properties)),
            ("rules", lines(rules)),
            ("invariants", lines(invariants)),
            ("relation_counts", line(&counts)),
            ("relations", lines(self.relations.iter().map(Relation::of))),
            ("claim", line(&self.scope.value())),
        ])
    }
}

impl RuleRow {
    /// The row as an object.
    pub(crate) fn value(&self) -> Value {
        json!({
            "name": self.name,
            "line": self.line,
            "holds_after": self.holds_after,
            "unaffected": self.unaffected,
            "implied": self.implied,
            "relies_on": self.relies_on,
        })
    }
}

/// Writes an object with one line for each key and for each element of a list, so that it can be compared line by line.
fn by_lines<const N: usize>(entries: [(&str, String); N]) -> String {
    format!("{{\n{}\n}}\n", entries.map(|(key, value)| format!("\"{key}\": {value}")).join(",\n"))
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("keys are strings, and writing to memory does not fail")
}

fn lines(list: impl Iterator<Item = impl Serialize>) -> String {
    let all: Vec<String> = list.map(|value| line(&value)).collect();
    if all.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", all.join(",\n")) }
}

fn invariant(row: &InvariantRow, group: &str) -> Value {
    let origin = match &row.origin {
        Origin::Property(name) => json!({"property": name}),
        Origin::PreImage { rule, of } => json!({"rule": rule, "invariant": of}),
    };
    let variables = row.variables.iter().map(|(name, over)| json!({"name": name, "type": over}));
    json!({
        "number": row.number,
        "name": row.name,
        "group": group,
        "about": row.about,
        "invariant": row.formula.to_string(),
        "bad_states": row.bad_states.to_string(),
        "index_variables": variables.collect::<Vec<_>>(),
        "origin": origin,
        "relies_on": row.relies_on,
        "supports": row.supports,
        "rules": row.rules,
        "reads": row.reads,
    })
}

/// An obligation, with its keys in alphabetical order.
#[derive(Serialize)]
struct Relation<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<&'r [Step]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<u32>,
    invariant: u32,
    kind: &'static str,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    matching: Option<BTreeMap<&'r str, &'r str>>,
    rule: &'r str,
}

impl<'r> Relation<'r> {
    fn of(row: &'r RelationRow) -> Self {
        Self {
            argument: (row.kind == Kind::Implied).then_some(&row.argument),
            branch: row.branch,
            invariant: row.invariant,
            kind: row.kind.name(),
            matching: row.matching.as_deref().map(pairs),
            rule: &row.rule,
        }
    }
}

#[derive(Serialize)]
struct Case<'s> {
    argument: &'s [Step],
    value: &'s str,
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        let relies_on = match self {
            Self::Premise { premise, .. } => Some(premise),
            Self::Split { witness_of, .. } => witness_of.as_ref(),
        };
        // The keys are in alphabetical order.
        if let Some(Premise::Assumption(name)) = relies_on {
            object.serialize_entry("assumption", name)?;
        }
        if let Self::Split { cases, .. } = self {
            let cases = cases.iter().map(|(value, argument)| Case { argument, value });
            object.serialize_entry("cases", &cases.collect::<Vec<_>>())?;
        }
        if let Some(Premise::Invariant(number)) = relies_on {
            object.serialize_entry("invariant", number)?;
        }
        match self {
            Self::Premise { substitution, .. } => object.serialize_entry("substitution", &pairs(substitution))?,
            Self::Split { on, .. } => object.serialize_entry("split", on)?,
        }
        object.end()
    }
}

fn pairs(pairs: &[(String, String)]) -> BTreeMap<&str, &str> {
    pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}
