//! The report: one self-contained HTML file for reviewers, which needs no network and no server.
//!
//! The report shows the tables of a certificate and figures of the run. Invariants come in the order in which a reader asks for
//! reasons: first those that properties follow from, then those that keep these, and so on. It decides nothing, and it
//! refers to nothing outside the file.

use std::collections::{BTreeMap, BTreeSet};

use certificate::CheckedCertificate;
use certificate::proof::Certificate;

use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};
use serde::Serialize;
use serde_json::{Value, json};
use system::front_end::Trace;
use system::notation::Language;
use system::{Origin as Place, System};

use crate::explain::Explainer;
use crate::table::{self, InvariantRow, Kind, Options, Origin, Reader, Table};

/// What the report says about the run, besides the certificate's content.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Facts {
    /// The name of the model, without a path.
    pub model: String,
    /// The version of the program.
    pub version: String,
    /// The text of the model; empty if it is not to be shown.
    #[serde(skip)]
    pub source: String,
    /// What was found in a finite instance; `None` if none was explored.
    pub instance: Option<Seen>,
    /// An execution of an instance that violates something that the certificate does not cover.
    pub violated: Option<Trace>,
    /// The commands that check the certificate again.
    pub commands: Vec<String>,
    /// The language in whose signs invariants are written.
    #[serde(skip)]
    pub notation: Language,
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
    /// That there may be no execution that satisfies what the model assumes, if it seems so.
    pub no_execution: Option<String>,
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
    /// Returns what the first line of a verdict says besides: that there may be no execution, and run-time errors.
    #[must_use]
    pub fn cautions(&self) -> Option<String> {
        let all: Vec<String> = self.no_execution.clone().into_iter().chain(self.errors()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

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
pub fn html(checked: &CheckedCertificate<'_>, facts: &Facts) -> Result<String, ReportError> {
    from_parts(checked.system(), checked.certificate(), facts)
}

pub(crate) fn from_parts(system: &System, certificate: &Certificate, facts: &Facts) -> Result<String, ReportError> {
    let reader = Reader::new(system, certificate, facts.notation);
    let table = &Table::of(&reader, &Options { notation: facts.notation, ..Options::default().by_number() });
    let steps = Steps::new(table);
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("report", include_str!("report/report.html"))?;
    let text = environment.get_template("report")?.render(context! {
        style => include_str!("report/style.css"),
        script => include_str!("report/script.js"),
        data => script_data(&data(table, reader, facts)),
        facts => facts,
        proven => table.scope.sentence(),
        sizes => table.scope.sizes(),
        kept => table.scope.kept(),
        assumed => table.scope.assumed(),
        violated => facts.violated.as_ref().map(violated),
        not_proven => table.scope.not_proven(),
        errors => facts.instance.as_ref().and_then(Seen::errors),
        no_execution => no_execution(table, facts),
        digest => table.model_digest,
        settings => table.settings,
        properties => properties(table, system, facts),
        groups => groups(table, &steps),
        situations => situations(table),
        rules => rules(table),
        invariant_count => table.invariants().count(),
        relation_count => table.kinds.len(),
        holds_after => table.count(Kind::HoldsAfter),
        unaffected => table.count(Kind::Unaffected),
        implied => table.count(Kind::Implied),
    })?;
    Ok(text)
}

/// Says that the proof is, or may be, about no execution.
fn no_execution(table: &Table, facts: &Facts) -> Option<String> {
    table.scope.about_nothing().or_else(|| facts.instance.as_ref()?.no_execution.clone())
}

/// A part of a model's text; nothing if the text does not have it.
pub(crate) fn excerpt(text: &str, place: &Place) -> String {
    let range = usize::try_from(place.start).ok().zip(usize::try_from(place.end).ok());
    let part = range.and_then(|(start, end)| text.get(start..end)).unwrap_or_default();
    // The first line has lost its indentation, and the others lose as much.
    let column = usize::try_from(place.column).unwrap_or(1).saturating_sub(1);
    let shorter = |line: &str| {
        let blank = line.len() - line.trim_start_matches(' ').len();
        line[blank.min(column)..].trim_end().to_owned()
    };
    part.lines()
        .enumerate()
        .map(|(number, line)| if number == 0 { line.to_owned() } else { shorter(line) })
        .collect::<Vec<_>>()
        .join("\n")
}

fn properties(table: &Table, system: &System, facts: &Facts) -> Value {
    let property = |(row, stated): (&table::PropertyRow, &system::Property)| {
        json!({
            "name": row.name,
            "kind": table::property_kind(row.kind),
            "line": row.line,
            "formula": excerpt(&facts.source, &stated.origin),
            "shown_by": row.shown_by,
        })
    };
    table.properties.iter().zip(&system.properties).map(property).collect()
}

/// How many steps it takes from a property to each invariant, and for which properties each is needed.
struct Steps {
    distance: BTreeMap<u32, usize>,
    needed_for: BTreeMap<u32, BTreeSet<usize>>,
    /// The invariants in the order in which reasons are asked for.
    order: Vec<u32>,
}

impl Steps {
    fn new(table: &Table) -> Self {
        let relies_on: BTreeMap<u32, &Vec<u32>> = table.invariants().map(|row| (row.number, &row.relies_on)).collect();
        let mut steps = Self { distance: BTreeMap::new(), needed_for: BTreeMap::new(), order: Vec::new() };
        for (position, property) in table.properties.iter().enumerate() {
            let mut waiting = property.shown_by.clone();
            while let Some(number) = waiting.pop() {
                if steps.needed_for.entry(number).or_default().insert(position) {
                    waiting.extend(relies_on.get(&number).into_iter().copied().flatten());
                }
            }
        }
        let mut row: Vec<u32> = table.properties.iter().flat_map(|property| property.shown_by.clone()).collect();
        let mut distance = 0;
        while !row.is_empty() {
            let mut next = Vec::new();
            for number in row {
                if let std::collections::btree_map::Entry::Vacant(entry) = steps.distance.entry(number) {
                    entry.insert(distance);
                    steps.order.push(number);
                    next.extend(relies_on.get(&number).into_iter().copied().flatten());
                }
            }
            (row, distance) = (next, distance + 1);
        }
        // Invariants that no property needs come last.
        let rest: Vec<u32> = relies_on.keys().copied().filter(|number| !steps.distance.contains_key(number)).collect();
        steps.order.extend(rest);
        steps
    }

    /// What the invariants at a distance are for.
    fn title(distance: Option<usize>) -> String {
        match distance {
            None => "Needed for no property".to_owned(),
            Some(0) => "What the properties follow from".to_owned(),
            Some(1) => "What keeps these".to_owned(),
            Some(distance) => format!("What keeps those: {distance} steps from a property"),
        }
    }
}

fn groups(table: &Table, steps: &Steps) -> Value {
    let rows: BTreeMap<u32, &InvariantRow> = table.invariants().map(|row| (row.number, row)).collect();
    let mut groups: Vec<(String, Vec<Value>)> = Vec::new();
    for row in steps.order.iter().filter_map(|number| rows.get(number)) {
        let title = Steps::title(steps.distance.get(&row.number).copied());
        if groups.last().is_none_or(|(known, _)| *known != title) {
            groups.push((title, Vec::new()));
        }
        if let Some((_, members)) = groups.last_mut() {
            members.push(invariant(row, steps));
        }
    }
    groups.into_iter().map(|(title, invariants)| json!({ "title": title, "invariants": invariants })).collect()
}

fn invariant(row: &InvariantRow, steps: &Steps) -> Value {
    let (property, rule, of) = match &row.origin {
        Origin::Property(property) => (Some(property), None, None),
        Origin::PreImage { rule, of } => (None, Some(rule), Some(of)),
    };
    let needed_for: Vec<String> =
        steps.needed_for.get(&row.number).into_iter().flatten().map(|position| format!(" {position} ")).collect();
    json!({
        "number": row.number,
        "name": row.name,
        "about": row.about,
        "formula": row.formula.lines(88),
        "bad_states": row.bad_states.to_string(),
        "property": property,
        "rule": rule,
        "of": of,
        "rules": row.rules,
        "supports": row.supports,
        "relies_on": row.relies_on,
        "needed_for": needed_for.concat(),
        "reads": row.reads.join(" "),
    })
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
        let mut value = row.value();
        value["when"] = when(number);
        value
    };
    table.rules.iter().enumerate().map(rule).collect()
}

/// The data of the script: for each rule, a string with one letter per invariant, and the arguments behind the letters.
/// Texts that repeat are numbered, which keeps the file of a big protocol small.
fn data(table: &Table, reader: Reader<'_>, facts: &Facts) -> Value {
    let (system, certificate) = (reader.system, reader.certificate);
    let explainer = Explainer { reader };
    let columns: BTreeMap<u32, usize> =
        table.invariants().enumerate().map(|(column, row)| (row.number, column)).collect();
    let mut letters = vec![vec![' '; columns.len()]; table.rules.len()];
    let mut texts = Texts::default();
    let mut cells: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (kind, entry) in table.kinds.iter().zip(&certificate.relations) {
        let (line, Some(&column)) = (entry.rule.index(), columns.get(&entry.invariant.0)) else { continue };
        if entry.matching.is_none() {
            continue;
        }
        letters[line][column] = stronger(letters[line][column], letter(*kind));
        let place = texts.number(explainer.place(entry).trim_start().to_owned());
        let argument = texts.number(explainer.argument_of(entry));
        let kind = letter(*kind).to_string();
        cells.entry(format!("{line},{column}")).or_default().push(json!([kind, place, argument]));
    }
    let sources: Vec<usize> =
        system.rules.iter().map(|rule| texts.number(excerpt(&facts.source, &rule.origin))).collect();
    let property = |row: &table::PropertyRow| json!({ "name": row.name, "shown_by": row.shown_by });
    json!({
        "rules": table.rules.iter().map(|row| &row.name).collect::<Vec<_>>(),
        "lines": table.rules.iter().map(|row| row.line).collect::<Vec<_>>(),
        "sources": sources,
        "invariants": table.invariants().map(|row| row.number).collect::<Vec<_>>(),
        "names": table.invariants().map(|row| &row.name).collect::<Vec<_>>(),
        "formulas": table.invariants().map(|row| row.formula.lines(70)).collect::<Vec<_>>(),
        "relies_on": table.invariants().map(|row| &row.relies_on).collect::<Vec<_>>(),
        "properties": table.properties.iter().map(property).collect::<Vec<_>>(),
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
pub(crate) fn script_data(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
