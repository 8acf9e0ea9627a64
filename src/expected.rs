//! The verdict that the author of a model expects, from the model's header.
//!
//! It must not decide the outcome of a run.
//!
//! A header is a comment with lines `paraproof: verdict = proven` and `paraproof: violates = NAME`. Other facts after
//! `paraproof:` are for other readers.

use serde_json::{Map, Value};
use thiserror::Error;

/// The verdict that a model's header names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) verdict: String,
    /// The property that should be violated.
    pub(crate) violates: Option<String>,
}

/// Why a header cannot be used.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum HeaderError {
    #[error("line {line}: '{verdict}' is not a verdict; a header expects `proven`, `violated` or `inconclusive`")]
    Verdict { line: usize, verdict: String },
    #[error("line {0}: the header names a second verdict")]
    Second(usize),
}

impl Expected {
    /// Reads the header of a model. A header without a verdict expects nothing.
    pub(crate) fn read(text: &str) -> Result<Option<Self>, HeaderError> {
        let (mut verdict, mut violates) = (None, None);
        for (line, fact) in (1..).zip(text.lines()).filter_map(|(line, text)| Some((line, fact(text)?))) {
            let Some((name, value)) = fact.split_once('=') else { continue };
            match (name.trim(), value.trim()) {
                ("verdict", value @ ("proven" | "violated" | "inconclusive")) => {
                    if verdict.replace(value.to_owned()).is_some() {
                        return Err(HeaderError::Second(line));
                    }
                }
                ("verdict", value) => return Err(HeaderError::Verdict { line, verdict: value.to_owned() }),
                ("violates", value) => violates = Some(value.to_owned()),
                (_, _) => {}
            }
        }
        Ok(verdict.map(|verdict| Self { verdict, violates }))
    }

    /// Whether the summary of a run says this.
    pub(crate) fn is(&self, summary: &Map<String, Value>) -> bool {
        let text = |key: &str| summary.get(key).and_then(Value::as_str);
        text("verdict") == Some(self.verdict.as_str())
            && self.violates.as_deref().is_none_or(|violates| text("property") == Some(violates))
    }
}

impl std::fmt::Display for Expected {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.violates {
            Some(violates) => write!(formatter, "{}: '{violates}'", self.verdict),
            None => formatter.write_str(&self.verdict),
        }
    }
}

/// In Murphi, each line of the header is a comment; in a `.cub` file, the lines are in the first comment.
fn fact(line: &str) -> Option<&str> {
    line.trim_start_matches(['-', '(', '*', ' ']).strip_prefix("paraproof: ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn headers_of_both_languages_are_read() {
        let murphi =
            "-- paraproof: verdict = violated\n-- paraproof: rules = 3\n-- paraproof: violates = no two\nvar x";
        let expected = Expected::read(murphi).unwrap().unwrap();
        assert_eq!(expected.to_string(), "violated: 'no two'");
        let cubicle = "(* paraproof: verdict = proven\n   paraproof: rules = 5 *)\nvar X : bool";
        assert_eq!(Expected::read(cubicle).unwrap().unwrap().to_string(), "proven");
        assert_eq!(Expected::read("-- a lock; paraproof: verdict = proven\nvar x").unwrap(), None);
        let misspelled = HeaderError::Verdict { line: 2, verdict: "provn".to_owned() };
        assert_eq!(Expected::read("\n-- paraproof: verdict = provn"), Err(misspelled));
        let twice = "-- paraproof: verdict = proven\n-- paraproof: verdict = proven";
        assert_eq!(Expected::read(twice), Err(HeaderError::Second(2)));
    }

    #[test]
    fn verdict_and_property_are_compared() {
        let expected =
            |violates: Option<&str>| Expected { verdict: "violated".to_owned(), violates: violates.map(str::to_owned) };
        let summary = json!({ "verdict": "violated", "property": "a" });
        let summary = summary.as_object().unwrap();
        assert!(expected(None).is(summary) && expected(Some("a")).is(summary));
        assert!(!expected(Some("b")).is(summary));
        let proven = Expected { verdict: "proven".to_owned(), violates: None };
        assert!(!proven.is(summary) && !proven.is(&Map::new()));
    }
}
