//! The tables as one JSON object.

use serde_json::{Map, Value, json};

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
            ("schema", json!(SCHEMA)),
            ("model_digest", json!(self.model_digest)),
            ("settings", json!(self.settings)),
            ("properties", properties.collect()),
            ("rules", rules.collect()),
            ("invariants", invariants.collect()),
            ("relation_counts", counts),
            ("relations", self.relations.iter().map(relation).collect()),
            ("claim", self.scope.value()),
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
fn by_lines<const N: usize>(entries: [(&str, Value); N]) -> String {
    let entry = |(key, value): (&str, Value)| {
        if let Some(list) = value.as_array().filter(|list| !list.is_empty()) {
            let lines: Vec<String> = list.iter().map(Value::to_string).collect();
            return format!("\"{key}\": [\n{}\n]", lines.join(",\n"));
        }
        format!("\"{key}\": {value}")
    };
    format!("{{\n{}\n}}\n", entries.map(entry).join(",\n"))
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

fn relation(row: &RelationRow) -> Value {
    let mut object = Map::new();
    object.insert("rule".to_owned(), json!(row.rule));
    object.insert("invariant".to_owned(), json!(row.invariant));
    if let Some(matching) = &row.matching {
        object.insert("match".to_owned(), pairs(matching));
    }
    if let Some(branch) = row.branch {
        object.insert("branch".to_owned(), json!(branch));
    }
    object.insert("kind".to_owned(), json!(row.kind.name()));
    if row.kind == Kind::Implied {
        object.insert("argument".to_owned(), steps(&row.argument));
    }
    Value::Object(object)
}

fn steps(argument: &[Step]) -> Value {
    let step = |step: &Step| match step {
        Step::Premise { premise, substitution } => {
            let mut object = of(premise);
            object.insert("substitution".to_owned(), pairs(substitution));
            Value::Object(object)
        }
        Step::Split { on, witness_of, cases } => {
            let cases = cases.iter().map(|(value, argument)| json!({"value": value, "argument": steps(argument)}));
            let mut object = witness_of.as_ref().map(of).unwrap_or_default();
            object.insert("split".to_owned(), json!(on));
            object.insert("cases".to_owned(), cases.collect());
            Value::Object(object)
        }
    };
    argument.iter().map(step).collect()
}

/// The key that says what a step relies on.
fn of(premise: &Premise) -> Map<String, Value> {
    match premise {
        Premise::Invariant(number) => Map::from_iter([("invariant".to_owned(), json!(number))]),
        Premise::Assumption(name) => Map::from_iter([("assumption".to_owned(), json!(name))]),
    }
}

fn pairs(pairs: &[(String, String)]) -> Value {
    pairs.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>().into()
}
