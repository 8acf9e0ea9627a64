//! Good certificates are accepted, and survive being written and read.

mod support;

use certificate::{check, read, write};
use support::prove::{certify, model};
use support::systems::all_examples;

#[test]
fn good_certificates_are_accepted() {
    for example in all_examples() {
        let certificate = certify(&example.system, &example.cubes);
        let faults = check(&example.system, &certificate, &model()).err().unwrap_or_default();
        let reports: Vec<String> =
            faults.iter().map(|fault| fault.report(&example.system, &certificate).to_string()).collect();
        assert!(reports.is_empty(), "{}: {reports:#?}", example.name);
    }
}

#[test]
fn what_is_written_is_read_as_the_same() {
    for example in all_examples() {
        let certificate = certify(&example.system, &example.cubes);
        let text = write(&certificate, &example.system);
        let again = read(text.as_bytes(), &example.system).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(certificate, again, "{}", example.name);
        assert_eq!(text, write(&again, &example.system));
    }
}
