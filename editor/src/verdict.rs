//! Shows the last verdict at the lines of a model.
//!
//! It turns the object that `verify --json` prints into titles of lenses, and a violation into a finding with its trace.

use lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString};
use serde_json::{Map, Value};

use crate::document::Facts;

fn text<'s>(summary: &'s Map<String, Value>, key: &str) -> &'s str {
    summary.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn steps(summary: &Map<String, Value>) -> &[Value] {
    let steps = summary.get("trace").and_then(|trace| trace["steps"].as_array());
    steps.map(Vec::as_slice).unwrap_or_default()
}

/// Lines with what is to be said there: about the model, about each property, and about rules that never fire.
pub(crate) fn told(summary: Option<&Map<String, Value>>, is_running: bool, facts: &Facts) -> Vec<(u32, String)> {
    let Some(summary) = summary else {
        let running = facts.properties.iter().map(|(line, _)| (*line, "verifying".to_owned()));
        return running.filter(|_| is_running).collect();
    };
    let sizes = summary.get("claim").and_then(|claim| claim["sizes"].as_str()).unwrap_or_default();
    let violated = text(summary, "property");
    let of_property = |name: &str| match text(summary, "verdict") {
        "proven" => format!("proven {sizes}"),
        "violated" if violated == name => {
            let count = steps(summary).len().saturating_sub(1);
            format!("violated in {count} {}", if count == 1 { "step" } else { "steps" })
        }
        "violated" => "not decided: another property is violated".to_owned(),
        _ => format!("inconclusive: {}", text(summary, "reason")),
    };
    let properties = facts.properties.iter().map(|(line, name)| (*line, of_property(name)));
    let dead = summary.get("dead_rules").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let never = facts.rule_lines.iter().filter(|(_, name)| dead.iter().any(|own| own.as_str() == Some(name)));
    properties.chain(never.map(|(line, _)| (*line, "never fires in the instance".to_owned()))).collect()
}

/// The violation, at the line of its property, with the steps of its trace.
pub(crate) fn violation(summary: &Map<String, Value>, line: &dyn Fn(u32) -> Location) -> Option<Diagnostic> {
    if text(summary, "verdict") != "violated" {
        return None;
    }
    let at = |value: &Value| value.as_u64().and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
    let stated = summary.get("property_line").and_then(at).unwrap_or(1);
    let steps = steps(summary);
    let related = steps.iter().enumerate().filter_map(|(number, step)| {
        let parameters = step["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let parameters = parameters
            .iter()
            .map(|own| format!("{} = {}", own[0].as_str().unwrap_or_default(), own[1].as_str().unwrap_or_default()));
        let with = parameters.collect::<Vec<_>>().join(", ");
        let with = if with.is_empty() { with } else { format!(" ({with})") };
        let message = format!("{number}. {}{with}", step["rule"].as_str().unwrap_or_default());
        Some(DiagnosticRelatedInformation { location: line(at(&step["line"])?), message })
    });
    let count = steps.len().saturating_sub(1);
    Some(Diagnostic {
        range: line(stated).range,
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String("violated".to_owned())),
        source: Some("paraproof".to_owned()),
        message: format!(
            "'{}' is violated in {count} {}",
            text(summary, "property"),
            if count == 1 { "step" } else { "steps" }
        ),
        related_information: Some(related.collect()),
        ..Diagnostic::default()
    })
}
