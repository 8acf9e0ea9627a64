//! SARIF 2.1.0, the format of static analysis results (OASIS standard of 2020).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::codes;
use crate::commands::verify::row::Row;
use crate::outcome::Outcome;

/// The rule of verdicts.
const VERDICT: &str = "verdict";

/// The document.
pub(super) fn document(rows: &[&Row]) -> String {
    let findings: Vec<Value> = rows.iter().flat_map(|row| row.findings()).collect();
    let used: BTreeSet<&str> = findings.iter().filter_map(|finding| finding["code"].as_str()).collect();
    let codes = codes::all().filter(|section| used.contains(section.code)).map(|section| {
        json!({
            "id": section.code,
            "shortDescription": { "text": section.title },
            "help": { "text": section.text, "markdown": section.text },
        })
    });
    let verdict = json!({ "id": VERDICT, "shortDescription": { "text": "what ParaProof comes to" } });
    let rules: Vec<Value> = codes.chain([verdict]).collect();
    let results: Vec<Value> = findings.iter().map(result).chain(rows.iter().map(|row| of_verdict(row))).collect();
    let document = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "paraproof", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

fn result(finding: &Value) -> Value {
    let help = finding["help"].as_str().map(|help| format!(" ({help})")).unwrap_or_default();
    let labels = finding["labels"].as_array().map(Vec::as_slice).unwrap_or_default();
    let related = labels.iter().skip(1).map(|label| {
        let mut location = location(&finding["file"], label);
        location["message"] = json!({ "text": label["text"] });
        location
    });
    let mut result = json!({
        "ruleId": finding["code"],
        "level": finding["severity"],
        "message": { "text": finding["message"].as_str().unwrap_or_default().to_owned() + &help },
        "locations": labels.iter().take(1).map(|label| location(&finding["file"], label)).collect::<Value>(),
        "relatedLocations": related.collect::<Value>(),
    });
    let replacements = finding["replacements"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !replacements.is_empty() {
        let replacements = replacements
            .iter()
            .map(|part| json!({ "deletedRegion": region(part), "insertedContent": { "text": part["text"] } }));
        let changes = json!({ "artifactLocation": { "uri": uri(&finding["file"]) },
                              "replacements": replacements.collect::<Value>() });
        result["fixes"] = json!([{ "artifactChanges": [changes] }]);
    }
    result
}

fn of_verdict(row: &Row) -> Value {
    let good = row.outcome() == Outcome::Good;
    let trace = row.trace_text().map(|trace| format!("\n{trace}")).unwrap_or_default();
    let place = json!({ "line": row.line() });
    json!({
        "ruleId": VERDICT,
        "kind": if good { "pass" } else { "fail" },
        "level": if good { "none" } else { "error" },
        "message": { "text": row.told() + &trace },
        "locations": [location(&json!(row.name), &place)],
    })
}

fn location(file: &Value, place: &Value) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region(place) } })
}

fn region(place: &Value) -> Value {
    let names =
        [("startLine", "line"), ("startColumn", "column"), ("endLine", "end_line"), ("endColumn", "end_column")];
    names
        .into_iter()
        .filter(|(_, key)| place[key].is_u64())
        .map(|(name, key)| (name.to_owned(), place[key].clone()))
        .collect()
}

/// A path as a reference to a file. What has a meaning in references is escaped.
fn uri(path: &Value) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let escaped = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.as_str().unwrap_or_default().bytes().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri(&json!("a b/c#\u{e9}.m")), "a%20b/c%23%C3%A9.m");
    }
}
