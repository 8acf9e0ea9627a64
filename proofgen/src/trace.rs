//! Traces to a violation, told so that they can be read: step by step, with only what changed.
//!
//! A trace that was replayed on an instance is written as Markdown, JSON, an HTML page, and an SVG chart. This module must not
//! decide whether a trace is right; the caller has replayed it.

use std::fmt::{self, Write};

use serde_json::Value;
use system::front_end::Trace;

pub(crate) mod chart;
mod messages;
mod page;
mod why;

pub use page::html;
pub use why::Why;

use messages::{What, told};

/// What a trace shows.
fn title(trace: &Trace) -> String {
    match &trace.error {
        None => format!("How {} is violated", trace.violates),
        Some(error) => format!("How a run meets {}", error.text()),
    }
}

/// The trace as JSON, which `simulate --replay` accepts.
#[must_use]
pub fn json(trace: &Trace) -> String {
    let mut text = serde_json::to_string_pretty(trace).expect("the keys are strings");
    text.push('\n');
    text
}

/// The trace as a JSON value, for a summary.
#[must_use]
pub fn value(trace: &Trace) -> Value {
    serde_json::to_value(trace).expect("the keys are strings")
}

/// The trace as plain text, for a terminal.
#[must_use]
pub fn text(trace: &Trace) -> String {
    let mut text = String::new();
    write_text(trace, &mut text).expect("writing to memory does not fail");
    text
}

fn write_text(trace: &Trace, text: &mut String) -> fmt::Result {
    for (number, (step, changes)) in trace.steps.iter().zip(told(trace)).enumerate() {
        writeln!(text, "{number:>3}. {} [line {}]", step.title(), step.line)?;
        for change in changes {
            write!(text, "       {}", change.variable)?;
            match &change.what {
                What::Is(value) => writeln!(text, " = {value}")?,
                What::Becomes(before, after) => writeln!(text, ": {before} -> {after}")?,
                What::Comes(message) => writeln!(text, ": + {message}")?,
                What::Goes(message) => writeln!(text, ": - {message}")?,
            }
        }
    }
    writeln!(text, "     {}", trace.ending())
}

/// The trace as Markdown.
#[must_use]
pub fn markdown(trace: &Trace) -> String {
    let mut text = String::new();
    write_markdown(trace, &mut text).expect("writing to memory does not fail");
    text
}

fn write_markdown(trace: &Trace, text: &mut String) -> fmt::Result {
    writeln!(text, "# {}\n", escaped(&title(trace)))?;
    let sizes: Vec<String> = trace.sizes.iter().map(|(name, size)| format!("{size} of {name}")).collect();
    let steps = trace.steps.len().saturating_sub(1);
    writeln!(text, "{steps} steps on an instance with {}.\n", sizes.join(", "))?;
    writeln!(text, "| step | rule | line | changes |\n|---:|---|---:|---|")?;
    for (number, (step, changes)) in trace.steps.iter().zip(told(trace)).enumerate() {
        let changes = changes.iter().map(|change| {
            let variable = &change.variable;
            match &change.what {
                What::Is(value) => format!("`{variable} = {value}`"),
                What::Becomes(before, after) => format!("`{variable}`: {} → {}", escaped(before), escaped(after)),
                What::Comes(message) => format!("`{variable}`: + {}", escaped(message)),
                What::Goes(message) => format!("`{variable}`: − {}", escaped(message)),
            }
        });
        let changes: Vec<String> = changes.collect();
        writeln!(text, "| {number} | {} | {} | {} |", escaped(&step.title()), step.line, changes.join("<br>"))?;
    }
    match &trace.error {
        None => writeln!(text, "\nThe last state violates {}.", escaped(&trace.violates)),
        Some(error) => {
            writeln!(text, "\nThe last state {}.", escaped(&trace.ending()))?;
            error.help.as_ref().map_or(Ok(()), |help| writeln!(text, "\nHelp: {}.", escaped(help)))
        }
    }
}

/// The trace as a chart: a lane for each element, and one for what belongs to no element. What violates the property in the end is
/// marked.
#[must_use]
pub fn svg(trace: &Trace, why: &Why) -> String {
    chart::svg(trace, &why.variables())
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
    use system::front_end::{Change, Error, Step};

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
        let trace = Trace { error: Some(Error { message, line: 12, column: 9, rule, help: None }), ..trace() };
        let told = "meets an error in 'Crit': an undefined value is read (line 12, column 9)";
        for text in [text(&trace), markdown(&trace), svg(&trace, &Why::default()).replace("&#39;", "'")] {
            assert!(text.contains(told) && !text.contains("violates"), "{text}");
        }
        assert_eq!(serde_json::from_str::<Trace>(&json(&trace)).unwrap(), trace);
    }

    #[test]
    fn what_is_written_can_be_read_again() {
        let read: Trace = serde_json::from_str(&json(&trace())).unwrap();
        assert_eq!(read, trace());
        assert!(
            serde_json::from_str::<Trace>("{\"sizes\":[],\"constants\":[],\"violates\":\"\",\"steps\":[],\"more\":1}")
                .is_err()
        );
    }

    #[test]
    fn only_changes_are_told() {
        let text = text(&trace());
        assert!(
            text.contains("  2. Crit (i = NODE_1) [line 7]\n       n[NODE_1]: T -> C\n       x: true -> false\n"),
            "{text}"
        );
        assert!(text.contains("n[NODE_1] = I"));
        let markdown = markdown(&trace());
        assert!(markdown.contains("| 1 | Try (i = NODE\\_1) | 7 | `n[NODE_1]`: I → T |"), "{markdown}");
    }

    #[test]
    fn the_chart_has_all_steps_and_no_markup_from_names() {
        let why = Why { cells: vec![("n[NODE_1]".to_owned(), "C".to_owned())], ..Why::default() };
        let svg = svg(&trace(), &why);
        for part in [
            "class=\"bad\"",
            ">n = I<",
            ">n = C<",
            ">x = true<",
            "NODE_1",
            "Init",
            "Try",
            "Crit",
            "n: T → C",
            "x: true → false",
            "Mutex &lt;&amp;&gt;",
        ] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
        assert!(!svg.contains("<&>"));
    }
}
