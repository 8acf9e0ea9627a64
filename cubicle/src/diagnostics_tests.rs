//! Every example about `.cub` files in `docs/diagnostics.md` produces the finding that its section describes, and every code
//! has a section.

use system::front_end::{Deadlock, Diagnostic, FrontEnd, InstanceError, InstanceSettings, Setting, Settings};

use crate::front_end::Model;

#[path = "../../murphi/tests/support/document.rs"]
mod document;

use document::{Section, document, sections};

fn own_sections() -> Vec<Section> {
    sections(&document()).into_iter().filter(|section| section.code.starts_with('K')).collect()
}

/// Returns the first finding about an example: when it is read, lowered, or made an instance of.
fn finding(section: &Section) -> Option<Diagnostic> {
    let mut settings = Settings::default();
    if let Some((name, value)) = section.settings.split_once('=') {
        settings.constants.insert(name.to_owned(), Setting::Number(value.parse().unwrap()));
    }
    let model = match Model::read(&section.example, &settings) {
        Ok(model) => model,
        Err(errors) => return errors.into_iter().next(),
    };
    if let Some(warning) = model.warnings().into_iter().next() {
        return Some(warning);
    }
    match model.lower() {
        Err(errors) => return errors.into_iter().next(),
        Ok(lowered) if !lowered.refused_properties.is_empty() => return lowered.refused_properties.first().cloned(),
        Ok(_) => {}
    }
    match model.instance(&InstanceSettings::default()) {
        Err(InstanceError::Refused(diagnostic)) => Some(diagnostic),
        Err(InstanceError::NoSuchSizes) => None,
        Ok(_) => model.declarations().err()?.into_iter().next(),
    }
}

#[test]
fn every_example_gives_its_finding() {
    for section in own_sections() {
        let found = finding(&section);
        let found = found.as_ref().map(|found| (found.code, found.message.as_str()));
        assert_eq!(found, Some((section.code.as_str(), section.message.as_str())));
    }
}

#[test]
fn a_setting_without_a_use_is_a_finding() {
    let example = "array A[proc] : bool\ninit (i) { A[i] = False }\nunsafe (i) { A[i] = True }\n";
    assert!(Model::read(example, &Settings::default()).is_ok());
    let deadlock = Settings { deadlock: Some(Deadlock::Stuck), ..Settings::default() };
    let numbers = Settings { finite_numbers: true, ..Settings::default() };
    for settings in [deadlock, numbers] {
        let codes = Model::read(example, &settings).err().unwrap().into_iter().map(|finding| finding.code);
        assert_eq!(codes.collect::<Vec<_>>(), ["K029"]);
    }
}

#[test]
fn every_code_has_a_section() {
    let source = include_str!("fault.rs");
    let mut codes: Vec<&str> = source.match_indices("\"K0").map(|(at, _)| &source[at + 1..at + 5]).collect();
    codes.dedup();
    let documented: Vec<String> = own_sections().into_iter().map(|section| section.code).collect();
    assert_eq!(codes, documented);
}

/// After an error, the parser goes on with what follows.
#[test]
fn all_errors_are_reported_with_their_places() {
    let text = "
type t = A | b
var X : t
array Y[proc] u
init (z) { Y[z] = A && Unknown = A }
transition one (x) { X = A }
transition two (x) { X := A; X := B; Z := A }
unsafe (x) { X = A && }
";
    let place = |diagnostic: &Diagnostic| {
        let line = system::front_end::line_column(text, diagnostic.labels[0].span.start).0;
        format!("{line} {} {}", diagnostic.code, diagnostic.message)
    };
    let errors = Model::read(text, &Settings::default()).unwrap_err();
    let told: Vec<String> = errors.iter().map(place).collect();
    assert_eq!(
        told,
        [
            "2 K001 expected a value, which starts with a capital letter, found `b`",
            "4 K001 expected `:`, found `u`",
            "6 K001 expected `:=`, found `=`",
            "8 K001 expected a formula or a term, found `}`",
        ]
    );
    let errors = Model::read(
        &text.replace(" | b", "").replace(" u\n", " : t\n").replace("X = A }", "X := A }").replace("&& }", "}"),
        &Settings::default(),
    );
    let told: Vec<String> = errors.unwrap_err().iter().map(place).collect();
    assert_eq!(
        told,
        [
            "5 K007 there is no variable or value `Unknown`",
            "7 K007 there is no variable or value `B`",
            "7 K007 there is no variable `Z`",
        ]
    );
}

#[test]
fn nesting_is_bounded() {
    let read = |open: &str, close: &str, levels: usize| {
        let formula = format!("{}true{}", open.repeat(levels), close.repeat(levels));
        Model::read(&format!("init {{ {formula} }}"), &Settings::default()).map(|_| ()).map_err(|errors| errors[0].code)
    };
    for (open, close) in
        [("(", ")"), ("not ", ""), ("true => ", ""), ("if true then true else ", ""), ("forall x. ", "")]
    {
        assert_eq!(read(open, close, 90), Ok(()), "{open}");
        assert_eq!(read(open, close, 100_000), Err("K002"), "{open}");
    }
    // What is long but not deep is read.
    assert_eq!(read("true && ", "", 10_000), Ok(()));
}

proptest::proptest! {
    /// Any sequence of words of the language is read or refused.
    #[test]
    fn no_text_makes_the_front_end_fail(words in proptest::collection::vec(0_usize..40, 0..80)) {
        const WORDS: [&str; 40] = [
            "type", "t", "=", "A", "|", "B", "var", "X", ":", "array", "Y", "[", "proc", "]", ",", "init", "(", "z", ")", "{",
            "}", "&&", "||", "not", "forall", "exists", "forall_other", ".", "<>", "<", "transition", "requires", ":=", "case",
            "_", ";", "unsafe", "#1", "1", "(*",
        ];
        let text: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
        if let Ok(model) = Model::read(&text.join(" "), &Settings::default()) {
            let _ = model.lower();
        }
    }

    /// A model with some words left out or doubled is read or refused.
    #[test]
    fn no_damaged_model_makes_the_front_end_fail(from in 0_usize..2000, length in 0_usize..200, twice: bool) {
        let text = include_str!("../../models/cub/directory.cub");
        let (from, to) = (from.min(text.len()), (from + length).min(text.len()));
        let part = if twice { text[from..to].repeat(2) } else { String::new() };
        let text = [&text[..from], &part, &text[to..]].concat();
        if let Ok(model) = Model::read(&text, &Settings::default()) {
            let _ = model.lower();
        }
    }
}
