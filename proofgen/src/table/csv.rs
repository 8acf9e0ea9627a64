//! The tables as CSV, for spreadsheets and scripts.

use std::borrow::Cow;

use super::{Origin, Table, argument_text, assignments, numbers};

/// The columns of the table of invariants, in order.
const INVARIANT_COLUMNS: [&str; 15] = [
    "number",
    "name",
    "about",
    "invariant",
    "bad_states",
    "index_variables",
    "origin",
    "origin_property",
    "origin_rule",
    "origin_invariant",
    "relies_on",
    "supports",
    "rules",
    "reads",
    "holds",
];

/// The columns of the table of relations, in order.
const RELATION_COLUMNS: [&str; 6] = ["rule", "invariant", "match", "branch", "kind", "premises"];

impl Table {
    /// One line per invariant.
    #[must_use]
    pub fn invariants_csv(&self) -> String {
        let holds = self.scope.sizes();
        let rows = self.invariants().map(|row| {
            let (origin, property, rule, of) = match &row.origin {
                Origin::Property(property) => ("property", property.clone(), String::new(), String::new()),
                Origin::PreImage { rule, of } => ("pre_image", String::new(), rule.clone(), of.to_string()),
            };
            let variables = row.variables.iter().map(|(name, over)| format!("{name} : {over}"));
            [
                row.number.to_string(),
                row.name.clone(),
                row.about.clone(),
                row.formula.to_string(),
                row.bad_states.to_string(),
                variables.collect::<Vec<_>>().join(", "),
                origin.to_owned(),
                property,
                rule,
                of,
                numbers(&row.relies_on),
                numbers(&row.supports),
                row.rules.join("; "),
                row.reads.join("; "),
                holds.clone(),
            ]
            .map(Cow::from)
        });
        write(INVARIANT_COLUMNS, rows)
    }

    /// One line per obligation.
    #[must_use]
    pub fn relations_csv(&self) -> String {
        let rows = self.relations.iter().map(|row| {
            [
                Cow::from(&row.rule),
                row.invariant.to_string().into(),
                row.matching.as_deref().map(assignments).unwrap_or_default().into(),
                row.branch.map(|branch| branch.to_string()).unwrap_or_default().into(),
                row.kind.name().into(),
                argument_text(&row.argument).into(),
            ]
        });
        write(RELATION_COLUMNS, rows)
    }
}

fn write<'r, const N: usize>(columns: [&str; N], rows: impl Iterator<Item = [Cow<'r, str>; N]>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns).expect("writing to memory does not fail");
    for row in rows {
        writer
            .write_record(row.iter().map(|cell| cell.as_bytes()))
            .expect("all rows have as many cells as there are columns");
    }
    let bytes = writer.into_inner().expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("the cells are text, and the separators are ASCII")
}
