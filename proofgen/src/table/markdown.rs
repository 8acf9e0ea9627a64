//! The tables as Markdown, for reading and for reviews.

use std::fmt::Write;

use system::scope::counted;

use super::{InvariantRow, Kind, Origin, Table, numbers, property_kind};

/// The width at which a formula is broken into lines.
const WIDTH: usize = 96;

impl Table {
    /// Returns an overview, and each invariant in a block that can be pasted into the model.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        self.head(&mut text).and_then(|()| self.body(&mut text)).expect("writing to memory does not fail");
        text
    }

    fn head(&self, text: &mut String) -> std::fmt::Result {
        let invariants = counted(self.invariants().count(), "invariant", "invariants");
        writeln!(text, "# Invariants\n")?;
        writeln!(
            text,
            "{}\n\n{invariants}. Of {}, {} after the rule, whatever held before, {} unaffected by the rule, and {} implied \
             by other invariants.\n",
            heading(&self.scope.sentence()),
            counted(self.relations.len(), "obligation", "obligations"),
            counted(self.count(Kind::HoldsAfter), "holds", "hold"),
            counted(self.count(Kind::Unaffected), "is", "are"),
            counted(self.count(Kind::Implied), "is", "are"),
        )?;
        for sentence in self.scope.kept().iter().chain(&self.scope.limits()) {
            writeln!(text, "- {}", heading(sentence))?;
        }
        writeln!(text, "- SHA-256 of the model: `{}`", self.model_digest)?;
        for setting in &self.settings {
            writeln!(text, "- setting: `{setting}`")?;
        }
        writeln!(text, "\n## Properties\n")?;
        writeln!(text, "| property | kind | line | follows from |\n|---|---|---:|---|")?;
        for row in &self.properties {
            let kind = property_kind(row.kind);
            writeln!(text, "| {} | {kind} | {} | {} |", cell(&row.name), row.line, links(&row.shown_by))?;
        }
        Ok(())
    }

    fn body(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "\n## Overview\n")?;
        writeln!(text, "| number | says | relies on | supports |\n|---:|---|---|---|")?;
        for row in self.invariants() {
            let (relies_on, supports) = (links(&row.relies_on), links(&row.supports));
            writeln!(text, "| {} | {} | {relies_on} | {supports} |", link(row.number), cell(&row.name))?;
        }
        for group in &self.groups {
            if !group.title.is_empty() {
                writeln!(text, "\n## {}", heading(&group.title))?;
            }
            for row in &group.invariants {
                invariant(row, text)?;
            }
        }
        writeln!(text, "\n## Rules\n")?;
        writeln!(
            text,
            "| rule | line | holds after | unaffected | implied | relies on |\n|---|---:|---:|---:|---:|---|"
        )?;
        for row in &self.rules {
            let (name, relies_on) = (cell(&row.name), links(&row.relies_on));
            let (holds_after, unaffected, implied) = (row.holds_after, row.unaffected, row.implied);
            writeln!(text, "| {name} | {} | {holds_after} | {unaffected} | {implied} | {relies_on} |", row.line)?;
        }
        Ok(())
    }

    /// Returns the invariants as Murphi blocks, to paste into the model.
    #[must_use]
    pub fn murphi(&self) -> String {
        let head: String = self.scope.sentences().iter().map(|sentence| format!("-- {sentence}\n")).collect();
        format!("{head}\n{}", self.invariants().map(pasted).collect::<Vec<_>>().join("\n"))
    }
}

/// An invariant to paste into the model, or a comment if Murphi cannot express it.
fn pasted(row: &InvariantRow) -> String {
    if !row.nameless {
        return block(row);
    }
    let lines: String = block(row).lines().map(|line| format!("-- {line}\n")).collect();
    format!("-- Murphi has no names for elements of a scalarset, nor for positions in a multiset:\n{lines}")
}

fn invariant(row: &InvariantRow, text: &mut String) -> std::fmt::Result {
    writeln!(text, "\n<a id=\"invariant-{0}\"></a>\n\n### {0}. {1}\n", row.number, heading(&row.name))?;
    writeln!(text, "```murphi\n{}```\n", block(row))?;
    writeln!(text, "- bad states: {}", code(&row.bad_states.to_string()))?;
    match &row.origin {
        Origin::Property(property) => writeln!(text, "- origin: property {}", code(property))?,
        Origin::PreImage { rule, of } => {
            writeln!(text, "- origin: without it, rule {} would break {}", code(rule), link(*of))?;
        }
    }
    if !row.rules.is_empty() {
        let rules: Vec<String> = row.rules.iter().map(|rule| code(rule)).collect();
        writeln!(text, "- rules that rely on it: {}", rules.join(", "))?;
    }
    Ok(())
}

fn block(row: &InvariantRow) -> String {
    let name = row.name.replace('"', "'");
    format!("invariant \"inv_{}: {name}\"\n{};\n", row.number, indented(&row.formula.lines(WIDTH - 2)))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn link(number: u32) -> String {
    format!("[{number}](#invariant-{number})")
}

fn links(list: &[u32]) -> String {
    // Beyond some length, links make a table unreadable as plain text.
    if list.len() > 12 { numbers(list) } else { list.iter().map(|&number| link(number)).collect::<Vec<_>>().join(" ") }
}

/// Text in a code span, whatever backticks it contains.
pub(crate) fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", one_line(text))
}

/// Text in a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    heading(text).replace('|', "\\|")
}

/// Text outside code.
pub(crate) fn heading(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '&') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
