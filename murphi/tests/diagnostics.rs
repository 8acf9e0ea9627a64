//! Every example in `docs/diagnostics.md` produces the finding that its section describes, and every code has a
//! section.

use std::collections::BTreeMap;

mod support;

use murphi::diagnostics::{Code, Diagnostic};
use murphi::exec::{BuildError, Fault, Machine};
use murphi::instance::Deadlock;
use murphi::lower::{LowerOptions, Reason, lower};
use murphi::{Options, elaborate, parse};
use support::document::{Section, document, sections};

/// What lowering says about an example. `steps` in the settings limits its steps, and `deadlock` adds that property.
fn refusals(section: &Section) -> Vec<Diagnostic> {
    let (ast, errors) = parse(&section.example);
    assert_eq!(errors, [], "{}", section.code);
    let program = elaborate(&ast, &Options::default()).unwrap_or_else(|errors| panic!("{}: {errors:?}", section.code));
    let most_steps = section.settings.strip_prefix("steps=").map(|steps| steps.parse().expect("steps are a number"));
    let deadlock = (section.settings == "deadlock").then_some(Deadlock::Stuttering);
    match lower(&program, &LowerOptions { most_steps, deadlock, ..LowerOptions::default() }) {
        Ok(lowered) => lowered.refused_properties,
        Err(errors) => errors,
    }
}

#[test]
fn every_example_of_lowering_is_refused_as_it_says() {
    let mut tried = 0;
    for section in sections(&document()).iter().filter(|section| section.code.starts_with('L')) {
        if section.example.is_empty() {
            assert!(section.message.is_empty(), "{}", section.code);
            continue;
        }
        let found = refusals(section);
        let first = found.first().map(|finding| (finding.code, finding.message.as_str()));
        assert_eq!(first, Some((section.code.as_str(), section.message.as_str())));
        tried += 1;
    }
    assert_eq!(tried, 21);
}

/// A code for two things that are too large says which of the two it is.
#[test]
fn what_is_too_large_is_said() {
    let model = |variables: &str| {
        let rule =
            "startstate clear a; x := 0; end;\nrule x < 9 ==> a[x][x] := true; x := x + 1; end;\ninvariant x <= 9;";
        Section {
            code: "L012".to_owned(),
            settings: String::new(),
            example: format!("{variables}\n{rule}\n"),
            message: String::new(),
        }
    };
    let parts = "var a : array [0 .. 127] of array [0 .. 128] of boolean; x : 0 .. 127;";
    let values = "var a : array [0 .. 9] of array [0 .. 4096] of boolean; x : 0 .. 9;";
    for (variables, expected) in [
        (parts, "this has no parameterized form: a variable of its type would have more than 16384 parts"),
        (values, "this has no parameterized form: it involves a range with more than 4096 values"),
    ] {
        let found = refusals(&model(variables));
        let told = found.first().map(|finding| (finding.code, finding.message.as_str()));
        assert_eq!(told, Some(("L012", expected)), "{found:?}");
    }
}

/// Why the example has no instance.
fn error_of_the_instance(section: &Section) -> BuildError {
    let (ast, errors) = parse(&section.example);
    assert_eq!(errors, [], "{}", section.code);
    let program = elaborate(&ast, &Options::default()).unwrap_or_else(|errors| panic!("{}: {errors:?}", section.code));
    Machine::new(&program).expect_err("the example should have no instance")
}

/// The error in the startstate or the first rule.
fn error_while_running(section: &Section) -> Fault {
    let (ast, errors) = parse(&section.example);
    assert_eq!(errors, [], "{}", section.code);
    let program = elaborate(&ast, &Options::default()).unwrap_or_else(|errors| panic!("{}: {errors:?}", section.code));
    let machine = Machine::new(&program).expect("the example should have an instance");
    let mut scratch = machine.scratch();
    let started = machine.start(&mut scratch, 0);
    let fired = started.and_then(|_| machine.fire(&mut scratch, 0));
    fired.expect_err("the example should fail")
}

#[test]
fn every_example_of_an_instance_meets_its_error() {
    let sections = sections(&document());
    let running: Vec<&Section> = sections.iter().filter(|section| section.code.starts_with('R')).collect();
    for section in &running {
        if section.code == BuildError::CODE {
            assert_eq!(error_of_the_instance(section).to_string(), section.message);
            continue;
        }
        let fault = error_while_running(section);
        assert_eq!((Fault::CODE, fault.kind.to_string()), (section.code.as_str(), section.message.clone()));
    }
    assert_eq!(running.len(), 2);
}

fn options(settings: &str) -> Options {
    let constants: BTreeMap<String, i64> = settings
        .split_whitespace()
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.parse().expect("settings are numbers")))
        .collect();
    Options { constants, ..Options::default() }
}

/// Returns all diagnostics for an example.
fn findings(section: &Section) -> Vec<Diagnostic> {
    let (ast, errors) = parse(&section.example);
    if !errors.is_empty() {
        return errors;
    }
    match elaborate(&ast, &options(&section.settings)) {
        Ok(program) => program.warnings.iter().cloned().chain(murphi::lint(&program)).collect(),
        Err(errors) => errors,
    }
}

#[test]
fn every_example_gives_its_finding_and_no_other() {
    let mut wrong = Vec::new();
    for section in sections(&document()).iter().filter(|section| !section.code.starts_with(['L', 'R', 'K', 'T'])) {
        let found: Vec<(&str, String)> =
            findings(section).into_iter().map(|finding| (finding.code, finding.message)).collect();
        if found.first().is_none_or(|(code, message)| *code != section.code || *message != section.message)
            || found.iter().any(|(code, _)| *code != section.code && !code.starts_with('W'))
        {
            wrong.push(format!("{} says: {}\n     found: {found:?}", section.code, section.message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_document_has_every_code_once_and_in_order() {
    let documented: Vec<String> = sections(&document())
        .into_iter()
        .map(|section| section.code)
        .filter(|code| !code.starts_with(['L', 'R', 'K', 'T']))
        .collect();
    let all: Vec<&str> = Code::ALL.iter().map(|code| code.text()).collect();
    assert_eq!(documented, all);
    let lowering: Vec<String> =
        sections(&document()).into_iter().map(|section| section.code).filter(|code| code.starts_with('L')).collect();
    assert_eq!(lowering, Reason::CODES);
}
