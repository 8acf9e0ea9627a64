//! Commands to GitHub's runner: annotations at the places of findings and verdicts.

use serde_json::Value;

use crate::commands::verify::row::Row;
use crate::outcome::Outcome;

/// The commands, one a line.
pub(super) fn commands(rows: &[&Row]) -> String {
    rows.iter().flat_map(|row| row.findings().iter().map(finding).chain([verdict(row)]).collect::<Vec<_>>()).collect()
}

fn finding(finding: &Value) -> String {
    let text = |key: &str| finding[key].as_str().unwrap_or_default();
    let place = &finding["labels"][0];
    let places = [("line", "line"), ("col", "column"), ("endLine", "end_line"), ("endColumn", "end_column")];
    let places = places.into_iter().filter_map(|(name, key)| Some((name, place[key].as_u64()?.to_string())));
    let properties = std::iter::once(("file", text("file").to_owned())).chain(places);
    let help = finding["help"].as_str().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    command(
        text("severity"),
        properties.chain([("title", text("code").to_owned())]),
        &(text("message").to_owned() + &help),
    )
}

fn verdict(row: &Row) -> String {
    let level = if row.outcome() == Outcome::Good { "notice" } else { "error" };
    let properties = [("file", row.name.clone()), ("line", row.line().to_string()), ("title", "paraproof".to_owned())];
    let trace = row.trace_text().map(|trace| format!("\n{trace}")).unwrap_or_default();
    command(level, properties, &(row.told() + &trace))
}

fn command<'a>(name: &str, properties: impl IntoIterator<Item = (&'a str, String)>, message: &str) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let value = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let properties: Vec<String> =
        properties.into_iter().map(|(name, text)| format!("{name}={}", value(&text))).collect();
    format!("::{name} {}::{}\n", properties.join(","), data(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_in_commands_is_escaped() {
        let written = command("error", [("file", "a,b:c%.m".to_owned())], "100%: a,b\nc");
        assert_eq!(written, "::error file=a%2Cb%3Ac%25.m::100%25: a,b%0Ac\n");
    }
}
