//! `simulate` up to permutations agrees with an exploration of all states.

#![allow(clippy::unwrap_used, reason = "a failure of a test is a panic")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{Header, models, paraproof, root};

/// The maximum number of states explored: the largest instance in a model's header that has no more, or the first ones.
const MOST_STATES: u64 = 30_000;

fn simulated(path: &Path, settings: &[String], symmetry: bool) -> Value {
    let mut command = paraproof();
    command.arg("simulate").arg(path).args(["--json", "--quiet", "--max-states", &MOST_STATES.to_string()]);
    settings.iter().for_each(|setting| {
        command.args(["-D", setting]);
    });
    if !symmetry {
        command.arg("--no-symmetry");
    }
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns whether everything was compared, or how an exploration up to permutations differs from one of all states.
fn compared(up_to: &Value, each: &Value) -> Result<bool, String> {
    let verdicts = [up_to, each].map(|run| run["verdict"].as_str().unwrap());
    let differ = || Err(format!("{up_to}\n  {each}"));
    let deadlocks = |run: &Value| {
        ["no_rule_enabled", "no_rule_changes_the_state"].map(|kind| run["deadlocks"][kind].as_u64().unwrap() > 0)
    };
    if up_to["symmetry"] == Value::Bool(false) {
        let same = ["states", "rules_fired", "depth", "deadlocks", "verdict"].iter().all(|key| up_to[key] == each[key]);
        return if same { Ok(verdicts[0] != "stopped") } else { differ() };
    }
    match verdicts {
        // There are at least as many states as states up to permutations, so only the former may reach the limit.
        [_, "stopped"] => Ok(false),
        ["holds", "holds"] if deadlocks(up_to) != deadlocks(each) || up_to["depth"] != each["depth"] => differ(),
        [one, other] if one == other && up_to["states"].as_u64() <= each["states"].as_u64() => Ok(true),
        [_, _] => differ(),
    }
}

/// Returns the instance of a header that is explored.
fn settings(header: &Header) -> Vec<String> {
    let fitting = header.states.iter().filter(|(_, states)| *states < MOST_STATES);
    let largest = fitting.max_by_key(|(_, states)| *states);
    let least = header.states.iter().min_by_key(|(_, states)| *states);
    largest.or(least).map(|(settings, _)| settings.clone()).unwrap_or_default()
}

#[test]
fn all_models_are_the_same_with_symmetry_and_without() {
    let (mut wrong, mut whole, mut reduced) = (Vec::new(), 0, 0);
    let all = [models(""), models("broken")].concat();
    for header in &all {
        let settings = settings(header);
        let [up_to, each] = [true, false].map(|symmetry| simulated(&header.path, &settings, symmetry));
        match compared(&up_to, &each) {
            Ok(compared) => whole += usize::from(compared),
            Err(fault) => wrong.push(format!("{} {settings:?}:\n  {fault}", header.name())),
        }
        reduced += usize::from(up_to["symmetry"] == Value::Bool(true));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(whole * 10 > all.len() * 8 && reduced * 2 > all.len(), "{whole} and {reduced} of {}", all.len());
}

/// Errors, failing assertions and `cover`s that are reached only in some orders of elements: the sets of states are
/// invariant under permutations, but the evaluation in a single state is not.
#[test]
fn what_is_met_in_some_order_of_elements_is_not_lost() {
    let mut wrong = Vec::new();
    let mut paths: Vec<_> =
        fs::read_dir(root().join("tests/order")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in &paths {
        let right = fs::read_to_string(path).unwrap();
        let right = right.strip_prefix("-- ").and_then(|text| text.split([':', '\n']).next()).unwrap().to_owned();
        let runs = [true, false].map(|symmetry| simulated(path, &[], symmetry));
        for run in runs {
            if run["verdict"] != *right || run["never_covered"] != Value::Array(Vec::new()) {
                wrong.push(format!("{}: {right}, but {run}", path.display()));
            }
        }
    }
    assert!(paths.len() > 8 && wrong.is_empty(), "{}", wrong.join("\n"));
}
