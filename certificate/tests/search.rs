//! The certificates of the search are accepted: two independent readings of the list of obligations agree.

mod support;

use certificate::{check, read, write};
use invfinder::{Discovery, Header, Oracle, discover};
use protocol::system::Cube;
use support::prove::model;
use support::systems::all_examples;

/// An oracle that has seen every state, so that the search goes without approximations.
struct Everything;

impl Oracle for Everything {
    fn admits(&self, _: &Cube) -> bool {
        true
    }
}

/// An oracle that has seen nothing, so that the search tries every approximation.
struct Nothing;

impl Oracle for Nothing {
    fn admits(&self, _: &Cube) -> bool {
        false
    }
}

fn accepted(oracle: &dyn Oracle) {
    for example in all_examples() {
        let header = Header { model_digest: model().digest, settings: model().settings };
        let (found, figures) = discover(&example.system, oracle, header, 10_000, &mut |_| true);
        let Discovery::Proven(certificate) = found else {
            panic!("{}: {found:?} {figures:?}", example.name);
        };
        let faults = check(&example.system, &certificate, &model()).err().unwrap_or_default();
        let reports: Vec<String> = faults.iter().map(|fault| fault.report(&example.system).to_string()).collect();
        assert!(reports.is_empty(), "{}: {reports:#?}", example.name);
        let text = write(&certificate, &example.system);
        let again = read(text.as_bytes(), &example.system).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(*certificate, again, "{}", example.name);
    }
}

#[test]
fn certificates_without_approximations() {
    accepted(&Everything);
}

#[test]
fn certificates_with_approximations() {
    accepted(&Nothing);
}
