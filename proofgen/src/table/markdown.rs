//! The tables as Markdown, for reading and for reviews.

use std::fmt::Write;

use system::notation::Language;
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
            counted(self.kinds.len(), "obligation", "obligations"),
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
                invariant(row, self.notation, text)?;
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

    /// Returns the invariants as blocks to paste into the model, and the extension of a file of them.
    #[must_use]
    pub fn blocks(&self) -> (String, &'static str) {
        let comment = |sentence: &String| match self.notation {
            Language::Murphi => format!("-- {sentence}\n"),
            Language::Cubicle => format!("(* {} *)\n", in_comment(sentence)),
        };
        let head: String = self.scope.sentences().iter().map(comment).collect();
        let all: Vec<String> = self.invariants().map(|row| pasted(row, self.notation)).collect();
        let extension = match self.notation {
            Language::Murphi => "m",
            Language::Cubicle => "cub",
        };
        (format!("{head}\n{}", all.join("\n")), extension)
    }
}

/// Text in a comment of Cubicle's language, which nothing in it opens or closes.
fn in_comment(text: &str) -> String {
    text.replace("(*", "( *").replace("*)", "* )")
}

/// An invariant to paste into the model, or a comment if the language cannot express it.
fn pasted(row: &InvariantRow, language: Language) -> String {
    if !row.unspeakable {
        return block(row, language);
    }
    match language {
        Language::Murphi => {
            let lines: String = block(row, language).lines().map(|line| format!("-- {line}\n")).collect();
            format!("-- Murphi has no names for elements of a scalarset, nor for positions in a multiset:\n{lines}")
        }
        Language::Cubicle => {
            let formula = format!("{}: {}", row.number, row.formula);
            format!("(* an `invariant` cannot say this:\n   {} *)\n", in_comment(&formula))
        }
    }
}

fn invariant(row: &InvariantRow, language: Language, text: &mut String) -> std::fmt::Result {
    writeln!(text, "\n<a id=\"invariant-{0}\"></a>\n\n### {0}. {1}\n", row.number, heading(&row.name))?;
    match language {
        Language::Murphi => {
            writeln!(text, "```murphi\n{}```\n", block(row, language))?;
            writeln!(text, "- bad states: {}", code(&row.bad_states.to_string()))?;
        }
        // A block says what the bad states are.
        Language::Cubicle => {
            writeln!(text, "```cubicle\n{}```\n", pasted(row, language))?;
            writeln!(text, "- says: {}", code(&row.formula.to_string()))?;
        }
    }
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

fn block(row: &InvariantRow, language: Language) -> String {
    match language {
        Language::Murphi => {
            let name = row.name.replace('"', "'");
            format!("invariant \"inv_{}: {name}\"\n{};\n", row.number, indented(&row.formula.lines(WIDTH - 2)))
        }
        Language::Cubicle => {
            let processes: Vec<&str> = row.variables.iter().map(|(name, _)| name.as_str()).collect();
            let (name, bad) = (in_comment(&row.name), indented(&row.bad_states.lines(WIDTH - 2)));
            format!("(* {}: {name} *)\ninvariant ({}) {{\n{bad}\n}}\n", row.number, processes.join(" "))
        }
    }
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
