//! The models' headers are complete, and say what the folder says.

mod support;

use support::models;

#[test]
fn every_model_says_what_is_expected_of_it() {
    let good = models("");
    assert!(good.len() >= 6, "the models of issue 2 are there");
    for header in good {
        let name = header.name();
        assert!(header.proven, "{name} is not among the broken ones");
        assert!(header.rules > 0 && header.properties > 0, "{name}");
        assert!(!header.states.is_empty(), "{name} has state counts");
        assert!(header.unknown.is_empty(), "{name}: {:?}", header.unknown);
    }
}

#[test]
fn every_broken_twin_says_what_it_violates() {
    let broken = models("broken");
    assert!(broken.len() >= 6, "each model of issue 2 has a twin");
    for header in broken {
        let name = header.name();
        assert!(!header.proven, "{name} is among the broken ones");
        assert!(header.violates.is_some(), "{name}");
        assert!(header.unknown.is_empty(), "{name}: {:?}", header.unknown);
    }
}
