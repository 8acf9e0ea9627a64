//! Changes to the text that repair a finding.
//!
//! A finding has its changes itself, or its help names what to write in its place.

use system::front_end::{Diagnostic, Replacement, Span};

/// A change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) title: String,
    pub(crate) parts: Vec<Replacement>,
}

/// What repairs a finding, if a program can tell.
pub(crate) fn repair(found: &Diagnostic, text: &str) -> Option<Repair> {
    if !found.replacements.is_empty() {
        return Some(Repair { title: "write what is proposed".to_owned(), parts: found.replacements.clone() });
    }
    let wrong = found.labels.first()?.span;
    named(found, wrong, text).or_else(|| unexpected(found, wrong, text))
}

/// Writes one word for another.
fn instead(wrong: Span, text: &str, right: &str) -> Option<Repair> {
    let old = &text[wrong.within(text)];
    let are_words = [old, right].iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace));
    let part = Replacement { span: wrong, text: right.to_owned() };
    are_words.then(|| Repair { title: format!("write `{right}` for `{old}`"), parts: vec![part] })
}

/// What the help names.
fn named(found: &Diagnostic, wrong: Span, text: &str) -> Option<Repair> {
    let help = found.help.as_deref()?;
    let is_meant = help.starts_with("did you mean `") && help.ends_with("`?");
    // `conjunction is written `&``, at the word that stands in its place.
    let is_written = ["P001", "K001"].contains(&found.code) && help.contains(" is written `");
    let right = help.split('`').nth(1).filter(|_| is_meant || is_written)?;
    instead(wrong, text, right)
}

/// Words that start an item of Murphi.
const ITEMS: [&str; 13] = [
    "const",
    "type",
    "var",
    "function",
    "procedure",
    "rule",
    "ruleset",
    "startstate",
    "invariant",
    "assume",
    "cover",
    "liveness",
    "alias",
];

/// A keyword that is misspelled, and a name that is no string.
fn unexpected(found: &Diagnostic, wrong: Span, text: &str) -> Option<Repair> {
    if found.code != "P001" {
        return None;
    }
    let at = wrong.within(text);
    if found.message.starts_with("expected a name in quotes") {
        let part = Replacement { span: wrong, text: format!("\"{}\"", &text[at]) };
        return Some(Repair { title: "write the name in quotes".to_owned(), parts: vec![part] });
    }
    if !found.message.starts_with("expected a section") {
        return None;
    }
    let meant = murphi::elaborate::closest(&text[at], ITEMS.into_iter())?;
    instead(wrong, text, meant.split('`').nth(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after the first repair.
    fn repaired(text: &str) -> String {
        let errors = murphi::read(text, &murphi::Options::default()).unwrap_err();
        let repair = errors.iter().find_map(|error| repair(error, text));
        Replacement::apply(&repair.unwrap_or_else(|| panic!("{errors:?}")).parts, text)
    }

    #[test]
    fn what_the_help_names_is_written() {
        let model =
            |guard: &str| format!("var x : boolean;\nstartstate x := true; end;\nrule {guard} ==> x := true; end;\n");
        assert_eq!(repaired(&model("xx")), model("x"));
        assert_eq!(repaired(&model("not x")), model("! x"));
        assert_eq!(repaired(&model("x and x")), model("x & x"));
        assert_eq!(repaired(&model("x").replace("==> x :=", "==> x =")), model("x"));
        assert_eq!(repaired(&model("x").replace("rule", "rulse")), model("x"));
        assert_eq!(repaired(&model("Go !x")), model("\"Go\" !x"));
    }
}
