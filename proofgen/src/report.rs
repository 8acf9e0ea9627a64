//! The report: one self-contained HTML file for reviewers, which needs no network and no server.
//!
//! The report shows the tables of a certificate and figures of the run. It decides nothing, and it refers to nothing
//! outside the file.

use std::collections::BTreeMap;

use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};
use serde::Serialize;
use serde_json::{Value, json};
use system::front_end::Trace;

use crate::table::{self, Kind, Origin, Table};

mod graph;

/// What the report says about the run, besides the certificate's content.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Facts {
    /// The name of the model, without a path.
    pub model: String,
    /// What was found in a finite instance; `None` if none was explored.
    pub instance: Option<Seen>,
    /// An execution of an instance that violates something that the certificate does not cover.
    pub violated: Option<Trace>,
    /// The commands that check the certificate again.
    pub commands: Vec<String>,
}

/// What was found in a finite instance.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Seen {
    /// The size of each index type. Empty if there are no index types.
    pub sizes: Vec<(String, u64)>,
    /// The number of states up to permutations; `None` if not all were visited.
    pub states: Option<u64>,
    /// The rules that never fire in it; `None` if not all states were visited.
    pub dead_rules: Option<Vec<String>>,
    /// The run-time errors of this instance or of another explored one; a run ends at such an error.
    pub runtime_errors: Vec<RuntimeError>,
}

/// A run-time error that an instance meets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuntimeError {
    /// What happened.
    pub message: String,
    /// The stable code of the diagnostic.
    pub code: &'static str,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The rule, startstate or property that meets it.
    pub rule: String,
    /// What may help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The size of each index type in the instance. Empty if there are no index types.
    pub sizes: Vec<(String, u64)>,
}

impl Seen {
    /// Returns the clause about run-time errors, which the proof does not cover; `None` if there are none.
    #[must_use]
    pub fn errors(&self) -> Option<String> {
        let told = |error: &RuntimeError| {
            let sizes: Vec<String> = error.sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
            let with = if sizes.is_empty() { String::new() } else { format!(" with {}", sizes.join(", ")) };
            let RuntimeError { message, line, column, rule, .. } = error;
            format!("the instance{with} meets one: {message} (line {line}, column {column}, in '{rule}')")
        };
        let all: Vec<String> = self.runtime_errors.iter().map(told).collect();
        (!all.is_empty()).then(|| format!("run-time errors are outside of the claim, and {}", all.join("; ")))
    }
}

/// Returns the warning that an instance violates something that the certificate does not cover, without a full stop.
#[must_use]
pub fn violated(trace: &Trace) -> String {
    let sizes: Vec<String> = trace.sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    let with = if sizes.is_empty() { String::new() } else { format!(" with {}", sizes.join(", ")) };
    let name = &trace.violates;
    format!("'{name}' is not covered by the certificate, and an instance{with} violates it; `verify` shows how")
}

/// The error for a report that could not be written, which means that its template is wrong.
#[derive(Debug, thiserror::Error)]
#[error("the template of the report is wrong: {0}")]
pub struct ReportError(#[from] minijinja::Error);

/// Renders the report.
///
/// # Errors
/// Returns an error if the template uses a name that it is not given.
pub fn html(table: &Table, facts: &Facts) -> Result<String, ReportError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("report", include_str!("report/report.html"))?;
    let text = environment.get_template("report")?.render(context! {
        style => include_str!("report/style.css"),
        script => include_str!("report/script.js"),
        data => script_data(&data(table)),
        facts => facts,
        proven => table.scope.sentence(),
        kept => table.scope.kept(),
        assumed => table.scope.assumed(),
        violated => facts.violated.as_ref().map(violated),
        not_proven => table.scope.not_proven(),
        errors => facts.instance.as_ref().and_then(Seen::errors),
        digest => table.model_digest,
        settings => table.settings,
        properties => properties(table),
        groups => groups(table),
        situations => situations(table),
        rules => rules(table),
        invariant_count => table.invariants().count(),
        relation_count => table.relations.len(),
        holds_after => table.count(Kind::HoldsAfter),
        unaffected => table.count(Kind::Unaffected),
        implied => table.count(Kind::Implied),
        graph => graph::svg(table),
    })?;
    Ok(text)
}

fn properties(table: &Table) -> Value {
    let property = |row: &table::PropertyRow| {
        json!({
            "name": row.name,
            "kind": table::property_kind(row.kind),
            "line": row.line,
            "shown_by": row.shown_by,
        })
    };
    table.properties.iter().map(property).collect()
}

fn groups(table: &Table) -> Value {
    let invariant = |row: &table::InvariantRow| {
        let (property, rule, of) = match &row.origin {
            Origin::Property(property) => (Some(property), None, None),
            Origin::PreImage { rule, of } => (None, Some(rule), Some(of)),
        };
        json!({
            "number": row.number,
            "name": row.name,
            "formula": row.formula.lines(88),
            "bad_states": row.bad_states.to_string(),
            "property": property,
            "rule": rule,
            "of": of,
            "rules": row.rules,
            "supports": row.supports,
            "relies_on": row.relies_on,
            "reads": row.reads.join(" "),
        })
    };
    let group = |group: &table::Group| json!({ "title": group.title, "invariants": group.invariants.iter().map(invariant).collect::<Value>() });
    table.groups.iter().map(group).collect()
}

fn situations(table: &Table) -> Value {
    let situation = |row: &table::Situation| {
        let known = row.known.iter().map(|fact| json!({"number": fact.number, "when": fact.when, "says": fact.says}));
        json!({ "variable": row.variable, "value": row.value, "known": known.collect::<Value>() })
    };
    table.situations.iter().map(situation).collect()
}

fn rules(table: &Table) -> Value {
    let when = |rule: usize| -> Value {
        let situations = table.situations.iter().enumerate();
        let asked = situations.filter(|(_, situation)| situation.rules.iter().any(|id| id.index() == rule));
        let link = |(number, row): (usize, &table::Situation)| json!({"number": number, "text": format!("{} = {}", row.variable, row.value), "count": row.known.len()});
        asked.map(link).collect()
    };
    let rule = |(number, row): (usize, &table::RuleRow)| {
        json!({
            "when": when(number),
            "name": row.name,
            "line": row.line,
            "holds_after": row.holds_after,
            "unaffected": row.unaffected,
            "implied": row.implied,
            "relies_on": row.relies_on,
        })
    };
    table.rules.iter().enumerate().map(rule).collect()
}

/// The data of the script: for each rule, a string with one letter per invariant, and the arguments behind the letters.
/// Texts that repeat are numbered, which keeps the file of a big protocol small.
fn data(table: &Table) -> Value {
    let columns: BTreeMap<u32, usize> =
        table.invariants().enumerate().map(|(column, row)| (row.number, column)).collect();
    let lines: BTreeMap<&str, usize> =
        table.rules.iter().enumerate().map(|(line, row)| (row.name.as_str(), line)).collect();
    let mut letters = vec![vec![' '; columns.len()]; table.rules.len()];
    let mut texts = Texts::default();
    let mut cells: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in &table.relations {
        let (Some(&line), Some(&column)) = (lines.get(row.rule.as_str()), columns.get(&row.invariant)) else {
            continue;
        };
        let Some(matching) = &row.matching else { continue };
        letters[line][column] = stronger(letters[line][column], letter(row.kind));
        let matching = texts.number(table::assignments(matching));
        let argument = texts.number(table::argument_text(&row.argument));
        let kind = letter(row.kind).to_string();
        cells.entry(format!("{line},{column}")).or_default().push(json!([kind, matching, row.branch, argument]));
    }
    json!({
        "rules": table.rules.iter().map(|row| &row.name).collect::<Vec<_>>(),
        "invariants": table.invariants().map(|row| row.number).collect::<Vec<_>>(),
        "names": table.invariants().map(|row| &row.name).collect::<Vec<_>>(),
        "matrix": letters.into_iter().map(String::from_iter).collect::<Vec<_>>(),
        "texts": texts.list,
        "cells": cells,
    })
}

#[derive(Default)]
struct Texts {
    list: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: String) -> usize {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        self.list.push(text.clone());
        self.numbers.insert(text, self.list.len() - 1);
        self.list.len() - 1
    }
}

fn letter(kind: Kind) -> char {
    match kind {
        Kind::Unaffected => 'u',
        Kind::HoldsAfter => 'h',
        Kind::Implied => 'i',
    }
}

/// Returns the letter that matters more to a reviewer: a pair that needs an argument ranks highest.
fn stronger(one: char, other: char) -> char {
    let rank = |letter| " uhi".find(letter);
    if rank(other) > rank(one) { other } else { one }
}

/// Escapes JSON so that it is safe inside a script element, whatever the model's names are.
fn script_data(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
