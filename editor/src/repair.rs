//! Changes to the text that repair a finding.
//!
//! A finding has its changes itself, or its help names what to write in its place.

use system::front_end::{Diagnostic, Label, Replacement, Span};

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
    let is_written = ["P001", "P011", "K001", "K003"].contains(&found.code) && help.contains(" is written `");
    let right = help.split('`').nth(1).filter(|_| is_meant || is_written)?;
    instead(wrong, text, right)
}

/// A name that is no string, and an `else if` that opens a block.
fn unexpected(found: &Diagnostic, wrong: Span, text: &str) -> Option<Repair> {
    let (title, place, right) = match found.code {
        "P001" if found.message.starts_with("expected a name in quotes") => {
            ("write the name in quotes", wrong, format!("\"{}\"", &text[wrong.within(text)]))
        }
        "P009" => {
            let opens_another = |label: &&Label| text[label.span.within(text)].to_ascii_lowercase().starts_with("else");
            ("write `elsif` for `else if`", found.labels.iter().find(opens_another)?.span, "elsif".to_owned())
        }
        _ => return None,
    };
    Some(Repair { title: title.to_owned(), parts: vec![Replacement { span: place, text: right }] })
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
        assert_eq!(repaired(&model("x").replace("==>", "=>")), model("x"));
        assert_eq!(repaired(&model("forall i : 0..1 do x => x end")), model("forall i : 0..1 do x -> x end"));
        assert_eq!(repaired(&model("x => x")), model("x -> x"));
        assert_eq!(repaired(&model("x <> x")), model("x != x"));
        assert_eq!(repaired(&model("x").replace("boolean", "bool")), model("x"));
        let after_variables =
            |rule: &str| format!("var x : boolean;\n{rule} \"r\" x ==> x := true; end;\nstartstate end;\n");
        assert_eq!(repaired(&after_variables("ruel")), after_variables("rule"));
        let comment = |sign: &str| format!("{sign} => x <> y\n{}", model("x"));
        assert_eq!(repaired(&comment("//")), comment("--"));
        let body = |further: &str| {
            model("x").replace("x := true; end;\nr", &format!("if x then x := false; {further} x then end; end;\nr"))
        };
        for further in ["elif", "elseif", "else if"] {
            assert_eq!(repaired(&body(further)), body("elsif"));
        }
    }
}
