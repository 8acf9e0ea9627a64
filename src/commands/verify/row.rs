//! The result for one of several models: its verdict in words, how it counts, and the findings in the model.

use proofgen::trace;
use serde_json::{Map, Value, json};
use system::front_end::Trace;
use system::scope::counted;

use crate::child::Ran;
use crate::expected::Expected;
use crate::files;
use crate::outcome::Outcome;

/// A model that was verified.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) expected: Option<Expected>,
    pub(super) ran: Ran,
}

impl Row {
    pub(super) fn text(&self, key: &str) -> &str {
        self.ran.summary.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether the verdict is the expected one, where one is expected.
    pub(super) fn as_expected(&self) -> Option<bool> {
        self.expected.as_ref().map(|expected| expected.is(&self.ran.summary))
    }

    /// What the model comes to. What is expected is good, except for what cannot be read.
    pub(super) fn outcome(&self) -> Outcome {
        match (self.ran.outcome, self.as_expected()) {
            (Outcome::BadInput, _) => Outcome::BadInput,
            (_, Some(true)) => Outcome::Good,
            (_, Some(false)) => Outcome::Violated,
            (outcome, None) => outcome,
        }
    }

    /// The verdict in a few words.
    pub(super) fn verdict(&self) -> String {
        match self.text("verdict") {
            "proven" => format!("proven {}", self.ran.summary["claim"]["sizes"].as_str().unwrap_or_default()),
            "violated" => self.violated(),
            "inconclusive" => format!("inconclusive: {}", files::one_line(self.text("reason"))),
            other => other.to_owned(),
        }
    }

    fn violated(&self) -> String {
        let Some(trace) = self.trace() else { return "violated".to_owned() };
        if let Some(error) = &trace.error {
            return format!("violated: {}", files::one_line(&error.text()));
        }
        let steps = counted(trace.steps.len().saturating_sub(1), "step", "steps");
        format!("violated: '{}' after {steps}", files::one_line(&trace.violates))
    }

    /// The verdict, and what was expected if that is something else.
    pub(super) fn told(&self) -> String {
        match (&self.expected, self.as_expected()) {
            (Some(expected), Some(false)) => format!("{}; expected {expected}", self.verdict()),
            (_, Some(true)) => format!("{}, as expected", self.verdict()),
            (_, _) => self.verdict(),
        }
    }

    fn trace(&self) -> Option<Trace> {
        serde_json::from_value(self.ran.summary.get("trace")?.clone()).ok()
    }

    /// The trace to a violation, as text; nothing without a violation.
    pub(super) fn trace_text(&self) -> Option<String> {
        let violated = self.text("verdict") == "violated";
        self.trace().filter(|_| violated).map(|trace| trace::text(&trace).trim_end().to_owned())
    }

    /// The line of the model that the verdict is about: that of the violated property, or the first.
    pub(super) fn line(&self) -> u64 {
        self.ran.summary.get("property_line").and_then(Value::as_u64).unwrap_or(1)
    }

    /// What was found in the model, if the run wrote that as JSON: the objects of `--error-format json`.
    pub(super) fn findings(&self) -> Vec<Value> {
        self.ran.errors.lines().filter_map(finding).collect()
    }

    /// What the run wrote besides.
    pub(super) fn notes(&self) -> String {
        notes(&self.ran.errors)
    }

    pub(super) fn value(&self) -> Value {
        let mut object = Map::from_iter([("model".to_owned(), json!(self.name))]);
        object.extend(self.ran.summary.clone());
        object.insert("exit_code".to_owned(), json!(self.ran.outcome.code()));
        if let Some(expected) = &self.expected {
            object.insert("expected".to_owned(), json!({ "verdict": expected.verdict, "violates": expected.violates }));
            object.insert("as_expected".to_owned(), json!(self.as_expected()));
        }
        Value::Object(object)
    }
}

fn finding(line: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(line).ok()?;
    (value["code"].is_string() && value["file"].is_string()).then_some(value)
}

/// What is no finding in JSON.
pub(super) fn notes(errors: &str) -> String {
    errors.lines().filter(|line| finding(line).is_none()).collect::<Vec<_>>().join("\n")
}
