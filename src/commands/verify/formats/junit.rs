//! JUnit's XML, which most CI services show as test results: each model is a test.

use crate::commands::verify::row::Row;
use crate::outcome::Outcome;

/// The document.
pub(super) fn document(rows: &[&Row], seconds: f64) -> String {
    let count = |wanted: fn(Outcome) -> bool| rows.iter().filter(|row| wanted(row.outcome())).count();
    let errors = count(|outcome| outcome == Outcome::BadInput);
    let failures = count(|outcome| outcome != Outcome::Good) - errors;
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"", rows.len());
    let cases: String = rows.iter().map(|row| case(row)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite name=\"paraproof\" {counts}>\n\
         {cases}  </testsuite>\n</testsuites>\n"
    )
}

fn case(row: &Row) -> String {
    let name = escaped(&row.name);
    let head = format!(
        "    <testcase classname=\"paraproof\" name=\"{name}\" file=\"{name}\" line=\"{}\" time=\"{:.3}\"",
        row.line(),
        row.ran.seconds
    );
    let told = escaped(&row.told());
    let element = match row.outcome() {
        Outcome::Good => return format!("{head}>\n      <system-out>{told}</system-out>\n    </testcase>\n"),
        Outcome::BadInput => "error",
        Outcome::Violated | Outcome::Inconclusive | Outcome::Rejected => "failure",
    };
    let kind = escaped(row.text("verdict"));
    let details = escaped(&details(row));
    format!("{head}>\n      <{element} type=\"{kind}\" message=\"{told}\">{details}</{element}>\n    </testcase>\n")
}

/// The trace, or what was found in the model.
fn details(row: &Row) -> String {
    let findings = row.findings();
    let findings = findings.iter().map(|finding| {
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        let place = |key: &str| finding[key].as_u64().map(|number| format!(":{number}")).unwrap_or_default();
        let place = format!("{}{}{}", text("file"), place("line"), place("column"));
        format!("{place}: {}[{}]: {}", text("severity"), text("code"), text("message"))
    });
    row.trace_text()
        .into_iter()
        .chain(findings)
        .chain([row.notes()])
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Text in elements and attributes. XML has no control characters but tabs and line ends, and in attributes these are spaces.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\n' | '\t' => c.to_string(),
        c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => "\u{fffd}".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_the_document() {
        assert_eq!(escaped("a<b> & \"c\"\u{1b}\n"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}\n");
    }
}
