//! Traces to a violation, told so that they can be read: step by step, with only what changed.
//!
//! In: the steps of a trace that was replayed on an instance. Out: Markdown, JSON and a chart as SVG. It must not decide
//! whether a trace is right; who makes one has replayed it.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) mod chart;

/// A trace. Elements have the same names from the start to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The size of each index type in the instance.
    pub sizes: Vec<(String, u64)>,
    /// The values of the model's constants there.
    pub constants: Vec<(String, i64)>,
    /// The property that the last state violates.
    pub violates: String,
    /// The error at run time that it ends in instead, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
    /// The first step is a startstate, and its changes are the whole initial state.
    pub steps: Vec<Step>,
}

/// An error at run time at the end of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Error {
    /// What happened.
    pub message: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The rule, startstate or property that meets it.
    pub rule: String,
}

impl Error {
    /// What happened and where: `an error in 'Read': an undefined value is read (line 12, column 9)`.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { message, line, column, rule } = self;
        format!("an error in '{rule}': {message} (line {line}, column {column})")
    }
}

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The rule or the startstate.
    pub rule: String,
    /// Where it is in the model.
    pub line: u32,
    /// The parameters of the `ruleset`, with the elements as the instance prints them.
    pub parameters: Vec<(String, String)>,
    /// What changed.
    pub changes: Vec<Change>,
}

/// A state variable that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The state variable, as `Cache[NODE_1].State`.
    pub variable: String,
    /// The elements among its arguments.
    pub elements: Vec<String>,
    /// The value before; empty at the start.
    pub before: String,
    /// The value after.
    pub after: String,
}

impl Step {
    fn title(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if parameters.is_empty() {
            return self.rule.clone();
        }
        format!("{} ({})", self.rule, parameters.join(", "))
    }
}

impl Trace {
    /// How it ends, as the rest of a sentence about its last state: `violates 'Safe'`.
    #[must_use]
    pub fn ending(&self) -> String {
        match &self.error {
            None => format!("violates '{}'", self.violates),
            Some(error) => format!("meets {}", error.text()),
        }
    }

    /// What it shows.
    fn title(&self) -> String {
        match &self.error {
            None => format!("How {} is violated", self.violates),
            Some(error) => format!("How a run meets {}", error.text()),
        }
    }

    /// The trace as JSON, which `simulate --replay` accepts.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("the keys are strings");
        text.push('\n');
        text
    }

    /// The trace as a JSON value, for a summary.
    #[must_use]
    pub fn value(&self) -> Value {
        serde_json::to_value(self).expect("the keys are strings")
    }

    /// The trace as plain text, for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text).expect("writing to memory does not fail");
        text
    }

    fn write_text(&self, text: &mut String) -> fmt::Result {
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(text, "{number:>3}. {} [line {}]", step.title(), step.line)?;
            for change in &step.changes {
                if number == 0 {
                    writeln!(text, "       {} = {}", change.variable, change.after)?;
                } else {
                    writeln!(text, "       {}: {} -> {}", change.variable, change.before, change.after)?;
                }
            }
        }
        writeln!(text, "     {}", self.ending())
    }

    /// The trace as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        self.write_markdown(&mut text).expect("writing to memory does not fail");
        text
    }

    fn write_markdown(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "# {}\n", escaped(&self.title()))?;
        let sizes: Vec<String> = self.sizes.iter().map(|(name, size)| format!("{size} of {name}")).collect();
        let steps = self.steps.len().saturating_sub(1);
        writeln!(text, "{steps} steps on an instance with {}.\n", sizes.join(", "))?;
        writeln!(text, "| step | rule | line | changes |\n|---:|---|---:|---|")?;
        for (number, step) in self.steps.iter().enumerate() {
            let changes = step.changes.iter().map(|change| {
                if number == 0 {
                    format!("`{} = {}`", change.variable, change.after)
                } else {
                    format!("`{}`: {} → {}", change.variable, escaped(&change.before), escaped(&change.after))
                }
            });
            let changes: Vec<String> = changes.collect();
            writeln!(text, "| {number} | {} | {} | {} |", escaped(&step.title()), step.line, changes.join("<br>"))?;
        }
        match &self.error {
            None => writeln!(text, "\nThe last state violates {}.", escaped(&self.violates)),
            Some(_) => writeln!(text, "\nThe last state {}.", escaped(&self.ending())),
        }
    }

    /// The trace as a chart: a lane for each element, and one for what belongs to no element.
    #[must_use]
    pub fn svg(&self) -> String {
        chart::svg(self)
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace() -> Trace {
        let change = |variable: &str, element: &str, before: &str, after: &str| Change {
            variable: variable.to_owned(),
            elements: if element.is_empty() { vec![] } else { vec![element.to_owned()] },
            before: before.to_owned(),
            after: after.to_owned(),
        };
        let step = |rule: &str, node: &str, changes| Step {
            rule: rule.to_owned(),
            line: 7,
            parameters: if node.is_empty() { vec![] } else { vec![("i".to_owned(), node.to_owned())] },
            changes,
        };
        Trace {
            sizes: vec![("NODE".to_owned(), 2)],
            constants: vec![("NODE_NUM".to_owned(), 2)],
            violates: "Mutex <&>".to_owned(),
            error: None,
            steps: vec![
                step("Init", "", vec![change("n[NODE_1]", "NODE_1", "", "I"), change("x", "", "", "true")]),
                step("Try", "NODE_1", vec![change("n[NODE_1]", "NODE_1", "I", "T")]),
                step("Crit", "NODE_1", vec![change("n[NODE_1]", "NODE_1", "T", "C"), change("x", "", "true", "false")]),
            ],
        }
    }

    #[test]
    fn an_error_at_run_time_is_told_with_its_place() {
        assert_eq!(trace().ending(), "violates 'Mutex <&>'");
        let (message, rule) = ("an undefined value is read".to_owned(), "Crit".to_owned());
        let trace = Trace { error: Some(Error { message, line: 12, column: 9, rule }), ..trace() };
        let told = "meets an error in 'Crit': an undefined value is read (line 12, column 9)";
        for text in [trace.text(), trace.markdown(), trace.svg().replace("&#39;", "'")] {
            assert!(text.contains(told) && !text.contains("violates"), "{text}");
        }
        assert_eq!(serde_json::from_str::<Trace>(&trace.json()).unwrap(), trace);
    }

    #[test]
    fn what_is_written_can_be_read_again() {
        let read: Trace = serde_json::from_str(&trace().json()).unwrap();
        assert_eq!(read, trace());
        assert!(
            serde_json::from_str::<Trace>("{\"sizes\":[],\"constants\":[],\"violates\":\"\",\"steps\":[],\"more\":1}")
                .is_err()
        );
    }

    #[test]
    fn only_changes_are_told() {
        let text = trace().text();
        assert!(
            text.contains("  2. Crit (i = NODE_1) [line 7]\n       n[NODE_1]: T -> C\n       x: true -> false\n"),
            "{text}"
        );
        assert!(text.contains("n[NODE_1] = I"));
        let markdown = trace().markdown();
        assert!(markdown.contains("| 1 | Try (i = NODE\\_1) | 7 | `n[NODE_1]`: I → T |"), "{markdown}");
    }

    #[test]
    fn the_chart_has_all_steps_and_no_markup_from_names() {
        let svg = trace().svg();
        for part in ["NODE_1", "Init", "Try", "Crit", "n: T → C", "x: true → false", "Mutex &lt;&amp;&gt;"] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
        assert!(!svg.contains("<&>"));
    }
}
