//! CXL.cache with any number of devices, and the published rules: what they reach with two devices.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use murphi::instance::{Instance, Limits, Outcome};
use support::root;

/// The states of both devices, in alphabetical order, and of the host.
type Seen = BTreeSet<[String; 3]>;

/// Explores a model with two devices, and returns what the devices and the host can be in at the same time.
fn seen(name: &str, constants: &[(&str, i64)]) -> Seen {
    let text = fs::read_to_string(root().join(format!("models/{name}.m"))).unwrap();
    let constants: BTreeMap<String, i64> = constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let program = murphi::read(&text, &murphi::Options { constants, ..murphi::Options::default() }).unwrap();
    let instance = Instance::new(&program, &[]).unwrap();
    let exploration = instance.explore(&Limits::default(), false, &mut |_| true);
    assert!(matches!(exploration.outcome, Outcome::Complete), "{name}");
    let machine = instance.machine();
    let base = |name: &str| {
        let global = program.globals.iter().find(|global| program.variables[global.index()].name == name).unwrap();
        machine.layout().base(*global).unwrap()
    };
    let (devices, host) = (base("State"), base("Host"));
    let mut words = vec![0; machine.layout().words()];
    let mut of = |state: u32| {
        exploration.state(state, &mut words);
        let mut devices = [devices, devices + 1].map(|scalar| machine.scalar_text(&words, scalar));
        devices.sort();
        let [one, other] = devices;
        [one, other, machine.scalar_text(&words, host)]
    };
    (0..u32::try_from(exploration.states()).unwrap()).map(&mut of).collect()
}

/// `HostModifiedDirtyEvictPrevious` is not one of the 68 rules.
const PREVIOUS_OWNER: &str = "the host discards the data of a previous owner";
/// The published host only snoops a device that is Shared, so nothing reaches ISDI.
const SNOOPED: &str = "a device has been snooped that waits for its data";
const SNOOP_COMES: &str = "a device is snooped, and its data or GO is on its way";
/// The published host counts such a device as a sharer until it is Invalid.
const SERVED: &str = "the host has served a clean eviction, whose GO is on its way";

/// Why the published rules do not reach this, although `cxl_cache.m` does.
fn more(seen: &[String; 3]) -> Option<&'static str> {
    let device = |states: &[&str]| seen[..2].iter().any(|state| states.contains(&state.as_str()));
    let host = |states: &[&str]| states.contains(&seen[2].as_str());
    let reasons = [
        (host(&["MB"]), PREVIOUS_OWNER),
        (device(&["ISDI"]), SNOOPED),
        (device(&["ISA", "ISD"]) && host(&["MA"]), SNOOP_COMES),
        (device(&["SIA", "SIAC"]) && !host(&["SharedM"]), SERVED),
    ];
    reasons.into_iter().find_map(|(applies, reason)| applies.then_some(reason))
}

#[test]
fn two_devices_reach_what_they_reach_by_the_published_rules() {
    let published = seen("cxl_cache_two", &[]);
    let ours = seen("cxl_cache", &[("DEVICE_NUM", 2), ("DATA_NUM", 1)]);
    assert_eq!((published.len(), ours.len(), published.intersection(&ours).count()), (265, 356, 257));
    // A directory knows that no device has a copy any more.
    for [one, other, host] in published.difference(&ours) {
        let none = [one, other].iter().all(|state| ["IIA", "IMAD", "Invalid"].contains(&state.as_str()));
        assert!(none && ["SB", "SharedM"].contains(&host.as_str()), "{one} {other} {host}");
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for seen in ours.difference(&published) {
        let reason = more(seen).unwrap_or_else(|| panic!("{seen:?} is reached for no known reason"));
        *reasons.entry(reason).or_default() += 1;
    }
    let expected = [(PREVIOUS_OWNER, 32), (SNOOPED, 31), (SNOOP_COMES, 8), (SERVED, 28)];
    assert_eq!(reasons, BTreeMap::from(expected));
}

#[test]
fn looks_into_all_other_devices_reach_with_two_what_the_published_ones_reach() {
    assert_eq!(seen("cxl_cache_looks", &[("DEVICE_NUM", 2)]), seen("cxl_cache_two", &[]));
    let mut looks = rules("cxl_cache_looks");
    assert!(looks.remove("HostMARspIHitSE_NotLast"));
    assert_eq!(looks, rules("cxl_cache_two"));
}

/// Returns the names of a model's rules.
fn rules(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(format!("models/{name}.m"))).unwrap();
    let named = text.lines().filter_map(|line| line.trim().strip_prefix("rule \"")?.strip_suffix('"'));
    named.map(str::to_owned).collect()
}

#[test]
fn the_page_has_a_row_for_each_rule() {
    let page = fs::read_to_string(root().join("docs/cxl.md")).unwrap();
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        cells.next()?.parse::<u32>().ok()?;
        Some(cells.next()?.strip_prefix('`')?.strip_suffix('`')?.to_owned())
    };
    let rows: Vec<String> = page.lines().filter_map(row).collect();
    let (published, ours) = (rules("cxl_cache_two"), rules("cxl_cache"));
    assert_eq!((rows.len(), rows.into_iter().collect::<BTreeSet<_>>()), (68, published.clone()));
    assert!(published.is_subset(&ours));
    for more in ours.difference(&published) {
        assert!(page.contains(&format!("`{more}`")), "{more}");
    }
    assert_eq!(ours.len(), published.len() + 9);
}
