//! How verdicts and findings are written for people and for services.
//!
//! In: what came of each model. Out: a text. None of them leaves out a verdict, and none judges it differently.

mod github;
mod junit;
mod sarif;

use std::collections::BTreeMap;
use std::io;

use comfy_table::{Table, presets};
use serde_json::{Value, json};
use system::scope::counted;

use super::row::Row;
use crate::arguments::ReportFormat;
use crate::outcome::Outcome;
use crate::terminal;

/// Everything that was verified.
pub(super) struct Verified<'a> {
    pub(super) rows: Vec<&'a Row>,
    pub(super) outcome: Outcome,
    /// Whether verdicts were compared with headers.
    pub(super) expect: bool,
    pub(super) seconds: f64,
}

impl Verified<'_> {
    /// Writes all to standard output.
    pub(super) fn print(&self, format: ReportFormat) -> io::Result<()> {
        terminal::print(&match format {
            ReportFormat::Text => self.text(),
            ReportFormat::Json => return terminal::print_object(self.value()),
            // What is no command is a line of the log.
            ReportFormat::Github => format!("{}{}", github::commands(&self.rows), self.text()),
            ReportFormat::Sarif => sarif::document(&self.rows),
            ReportFormat::Junit => junit::document(&self.rows, self.seconds),
        })
    }

    fn value(&self) -> Value {
        let models: Vec<Value> = self.rows.iter().map(|row| row.value()).collect();
        json!({ "models": models, "exit_code": self.outcome.code(), "seconds": self.seconds })
    }

    /// A table and its sum.
    fn text(&self) -> String {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING);
        for row in &self.rows {
            let expected = match (&row.expected, row.as_expected()) {
                (Some(expected), Some(false)) => format!("expected {expected}"),
                (Some(_), _) => "as expected".to_owned(),
                (None, _) => "nothing expected".to_owned(),
            };
            let cells = [row.name.clone(), format!("{:.2} s", row.ran.seconds), row.verdict()];
            table.add_row(cells.into_iter().chain(self.expect.then_some(expected)));
        }
        // Every line has a space before it, and as many behind it as make the table a block.
        let lines: String = table.lines().map(|line| format!("{}\n", line.trim())).collect();
        // Of a single model, there is room for more.
        let trace = match self.rows.as_slice() {
            [row] => row.trace_text().map(|trace| format!("{trace}\n")),
            _ => None,
        };
        format!("{lines}{}{}\n", trace.unwrap_or_default(), self.sum())
    }

    fn sum(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        self.rows.iter().for_each(|row| *counts.entry(row.text("verdict")).or_default() += 1);
        let order = ["proven", "violated", "inconclusive", "refused"];
        let counts: Vec<String> =
            order.iter().filter_map(|verdict| Some(format!("{} {verdict}", counts.get(verdict)?))).collect();
        let models = counted(self.rows.len(), "model", "models");
        let wanted = self.rows.iter().filter(|row| row.as_expected() == Some(true)).count();
        let wanted = if self.expect { format!("; {wanted} as expected") } else { String::new() };
        format!("{models}: {}{wanted}; {:.2} s", counts.join(", "), self.seconds)
    }
}
