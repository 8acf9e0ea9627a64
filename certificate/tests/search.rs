//! The certificates of the search are accepted: two independent readings of the list of obligations agree.

mod support;

use certificate::{check, read, write};
use invfinder::{Header, Limits, Verdict, prove};
use support::prove::model;
use support::systems::all_examples;

fn accepted(limits: &Limits) {
    for example in all_examples() {
        let header = Header { model_digest: model().digest, settings: model().settings };
        let (found, account) = prove(&example.system, &header, limits, &mut |_| true);
        let Verdict::Proven(certificate) = found else {
            panic!("{}: {found:?} {account:?}", example.name);
        };
        let faults = check(&example.system, &certificate, &model()).err().unwrap_or_default();
        let reports: Vec<String> =
            faults.iter().map(|fault| fault.report(&example.system, &certificate).to_string()).collect();
        assert!(reports.is_empty(), "{}: {reports:#?}", example.name);
        let text = write(&certificate, &example.system);
        let again = read(text.as_bytes(), &example.system).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(*certificate, again, "{}", example.name);
    }
}

#[test]
fn certificates_of_the_search() {
    accepted(&Limits::default());
}

/// Knowing almost no states, the search tries every approximation, and takes most of them back.
#[test]
fn certificates_with_a_small_oracle() {
    accepted(&Limits { max_states: Some(2), ..Limits::default() });
}
