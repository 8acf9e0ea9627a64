//! The headers of the models are complete and agree with the folder.

mod support;

use support::models;

#[test]
fn every_model_says_what_is_expected_of_it() {
    let good = models("");
    assert!(good.len() >= 6, "models of issue 2 are missing");
    for header in good {
        let name = header.name();
        assert!(header.proven, "{name} should be proven");
        assert!(header.rules > 0 && header.properties > 0, "{name}");
        assert!(!header.states.is_empty(), "{name} has no state counts");
        assert!(header.unknown.is_empty(), "{name}: {:?}", header.unknown);
    }
}

#[test]
fn every_broken_twin_says_what_it_violates() {
    let broken = models("broken");
    assert!(broken.len() >= 6, "a model of issue 2 has no twin");
    for header in broken {
        let name = header.name();
        assert!(!header.proven, "{name} should not be proven");
        assert!(header.violates.is_some(), "{name}");
        assert!(header.unknown.is_empty(), "{name}: {:?}", header.unknown);
    }
}
