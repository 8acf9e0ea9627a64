//! Models that once got a wrong answer. The first line of each states the right one.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;

use serde_json::Value;
use support::{paraproof, root, rumur_finds_violation, tool};

/// The answer of `verify`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    /// Exit code 0.
    Proven,
    /// Exit code 1.
    Violated,
    /// Exit code 2, with this diagnostic.
    Refused(&'static str),
}
use Right::{Proven, Refused, Violated};

const TRAPS: &[(&str, Right)] = &[
    ("a08_cond_number", Violated),
    ("a10_union_range_literal", Violated),
    ("a11_union_finite_flow", Violated),
    ("a12_record_copy_two_types", Violated),
    ("a14_param_record_two_types", Violated),
    ("d04_index_cond", Violated),
    ("d05_compare_cond", Violated),
    ("d09_record_compare", Violated),
    ("d11_array_of_ptr_copy", Violated),
    ("d16_union_param", Violated),
    ("d17_switch_cond", Violated),
    ("e01_assert_in_start", Violated),
    ("e02_assert_in_guard", Violated),
    ("e04_error_in_guard", Violated),
    ("e05_error_start_only", Violated),
    ("e07_assert_guard_true_part", Violated),
    ("e09_assert_in_for", Refused("L002")),
    ("f05_array_over_union", Proven),
    ("g22_alone", Violated),
    ("h01_property_calls_loop", Violated),
    ("h02_property_counts", Violated),
    ("h03_property_calls_loop_safe", Proven),
    ("h04_assert_in_property", Violated),
    ("h05_assert_in_index", Violated),
    ("h06_assert_in_exists", Violated),
    ("h07_assert_behind_return", Violated),
    ("h08_assert_not_reached", Proven),
    ("h09_assert_in_conditional", Violated),
    ("h10_assert_in_alias_and_argument", Violated),
    ("h11_assert_in_assume", Violated),
    ("h12_error_where_undefined", Violated),
    ("h13_start_safe", Proven),
    ("h14_start_some_parameters", Violated),
    ("h15_undefined_in_conditional", Violated),
    ("h16_undefined_index_of_index", Violated),
    ("h17_undefined_union", Violated),
    ("h18_union_pointer_in_property", Violated),
    ("h19_union_pointer_below_quantifier", Violated),
    ("h20_assert_in_range_quantifier", Proven),
    ("h21_assert_in_loop_with_return", Violated),
    ("i01_for_literal_count", Proven),
    ("i_antiquotations_n5", Proven),
    ("i_named_at_start", Proven),
    ("i_names_n2", Proven),
    ("n02_number_is_defined", Proven),
    ("o_t03_fifo", Proven),
    ("q06_set_that_nothing_writes", Proven),
    ("r11_defined_where_it_is_added", Proven),
    ("s06_label_changes", Refused("E033")),
    ("s07_removal_changes", Refused("E033")),
    ("s08_property_alias_changes", Refused("E033")),
    ("s09_start_reads_any", Refused("L028")),
    ("s10_start_copies_any", Proven),
    ("s11_start_reads_copy", Refused("L028")),
    ("u_min4", Violated),
    ("u_msi", Proven),
    ("u_msi2", Violated),
    ("u_msi4", Proven),
    ("u_msi5", Proven),
    ("u_vC", Proven),
    ("v03_some_for_each_of_none", Proven),
    ("w_c06_forall_exists_inductive", Proven),
    ("w_c08_quorums_meet_guard", Proven),
    ("w_c12_multiset_network", Proven),
    ("w_c14_deadlock_freedom", Proven),
    ("x06_small_numbers_compared", Proven),
    ("x08_some_for_each_besides", Proven),
    ("x09_queue_of_generated_protocol", Proven),
    ("x10_parameters_made_equal", Proven),
    ("x11_some_for_each_in_two_parts", Proven),
    ("x12_count_of_conditional", Proven),
    ("y01_one_pair_is_free", Proven),
    ("y02_one_pair_is_taken", Violated),
    ("y03_all_are_stable", Proven),
    ("y04_one_is_not_stable", Violated),
];

/// Models with queues that are proven for any capacity: the type of their places.
const ANY_CAPACITY: &[(&str, &str)] = &[
    ("o_t03_fifo", "POS"),
    ("x05_queue_of_numbers", "PLACE"),
    ("x07_places_compared", "PLACE"),
    ("x09_queue_of_generated_protocol", "range_0_3"),
];

/// Models in which a constant that sizes a symmetric type is also used as a value: the values of `N`, and whether a
/// property is violated there.
const SIZES: &[(&str, &[(u32, bool)])] = &[
    ("a01_const_as_value_in_property", &[(2, false), (3, false), (4, true), (5, true)]),
    ("a02_const_guard", &[(2, true), (3, false), (4, true)]),
    ("a04_counter_saturate", &[(2, false), (3, false), (4, true), (5, true)]),
    ("d19_const_min", &[(3, false), (4, true)]),
    ("g03_counter_full", &[(1, false), (2, false), (3, false), (4, false), (5, false)]),
    ("g04_counter_barrier", &[(1, false), (2, false), (3, false), (4, false)]),
    ("g19_bound_minus", &[(2, false), (3, false), (4, false)]),
    ("n01_constant_for_element", &[(2, false), (3, true), (4, true)]),
    ("n03_member_constant", &[(3, false), (4, false), (5, true)]),
    ("n04_truth_constant", &[(3, false), (4, false), (5, true)]),
    ("n05_alias_of_constant", &[(2, false), (3, false), (4, true), (5, true)]),
    ("n06_alias_of_truth", &[(3, false), (4, false), (5, true)]),
    ("n07_local_constant", &[(2, false), (3, false), (4, true), (5, true)]),
    ("n08_local_constants", &[(2, false), (3, false), (4, true), (5, true)]),
    ("n09_quantifier_over_nothing", &[(1, true), (2, true), (3, false), (4, false)]),
    ("n10_loop_over_nothing", &[(1, true), (2, false), (3, false)]),
    ("n11_member_of_range", &[(2, true), (3, false)]),
    ("n12_range_of_two_constants", &[(3, false), (4, true), (5, true)]),
    ("n13_alias_of_number", &[(2, false), (3, false), (4, true), (5, true)]),
    ("q01_undefined_record_copied", &[(2, false), (3, false), (4, true)]),
    ("q02_undefined_through_larger_range", &[(2, false), (3, false), (4, true)]),
    ("q03_absence_is_no_evaluation", &[(2, false), (3, false), (4, true)]),
    ("q04_first_is_not_last", &[(2, false), (3, false), (4, true)]),
    ("q05_count_of_nothing", &[(2, false), (3, false), (4, true)]),
    ("q07_undefined_through_union", &[(2, false), (3, false), (4, true)]),
    ("r01_put_calls", &[(2, false), (3, false), (4, true)]),
    ("r03_undefined_narrowed", &[(2, false), (3, false), (4, true)]),
    ("r04_undefined_argument", &[(2, false), (3, false), (4, true)]),
    ("r05_undefined_union", &[(2, false), (3, false), (4, true)]),
    ("r06_undefined_rank", &[(2, false), (3, false), (4, true)]),
    ("r08_undefined_in_set", &[(2, false), (3, false), (4, true)]),
    ("r09_undefined_in_smaller_set", &[(2, false), (3, false), (4, true)]),
    ("s01_value_changes_place", &[(2, false), (3, false), (4, true)]),
    ("s02_record_changes_place", &[(2, false), (3, false), (4, true)]),
    ("s03_any_value_of_number", &[(2, false), (3, false), (4, true)]),
    ("s04_any_value_of_pointers", &[(2, false), (3, false), (4, true)]),
    ("s05_any_value_of_record", &[(2, false), (3, false), (4, true)]),
    ("v01_some_for_each", &[(1, false), (2, false), (3, false), (4, true)]),
    ("v02_some_for_each_again", &[(1, true), (2, true), (3, true)]),
    ("v04_some_for_each_without_states", &[(1, false), (2, true), (3, true)]),
    ("v05_number_for_element_used_again", &[(2, false), (3, false), (4, true)]),
    ("t04_only_one_node", &[(1, true), (2, false), (3, false)]),
    ("x01_undefined_added_later", &[(2, false), (3, false), (4, true)]),
    ("x02_queue_with_four_places", &[(2, false), (3, false), (4, true)]),
    ("x03_queue_moved_too_early", &[(2, false), (3, false), (4, false)]),
    ("x04_queue_moved_by_two", &[(1, false), (2, false), (3, true), (4, true)]),
    ("x05_queue_of_numbers", &[(2, false), (3, false), (4, false)]),
    ("x07_places_compared", &[(2, false), (3, false), (4, false)]),
    ("o_t06_filter", &[(2, false), (3, false)]),
    ("u_anyn_ok", &[(3, false), (5, true)]),
    ("w_c01_size_used_in_counter_false_proof", &[(3, false), (4, true)]),
    ("w_c03_barrier_false_violation", &[(2, false), (3, false), (4, false)]),
];

/// Models with a violation that needs more nodes than the model and the first instances of the search have, with the options that
/// show it. It is looked for in larger instances.
const LARGER: &[(&str, &[&str])] = &[
    ("r02_put_asserts", &[]),
    ("r07_undefined_in_network", &[]),
    ("r10_messages_exchanged", &["--deadlock=stuttering"]),
    ("t01_without_elements", &[]),
    ("t02_slots_as_written", &[]),
    ("t03_any_value_of_record", &["--arbitrary", "a"]),
];

/// The models about which rumur says something else, besides those with unions and multisets. It refuses two for their
/// syntax, and two for bounds without a number between them; it follows the place before it computes the value that is stored; and
/// variables that nothing writes are undefined.
const NOT_FOR_RUMUR: &[&str] = &[
    "n01_constant_for_element",
    "n08_local_constants",
    "n09_quantifier_over_nothing",
    "n10_loop_over_nothing",
    "s01_value_changes_place",
    "s02_record_changes_place",
    "s03_any_value_of_number",
    "s04_any_value_of_pointers",
    "s05_any_value_of_record",
    "s10_start_copies_any",
];

#[test]
fn a_violation_that_needs_more_nodes_is_found() {
    for (name, options) in LARGER {
        let path = root().join("tests/traps").join(name).with_extension("m");
        for command in ["verify", "find"] {
            for size in [2, 4] {
                let mut run = paraproof();
                run.arg(command).arg(&path).args(*options).args(["-q", "-D", &format!("N={size}")]);
                let run = if command == "find" { run.args(["-o", "/dev/null"]) } else { &mut run };
                let output = run.output().unwrap();
                let said = String::from_utf8_lossy(&output.stdout).into_owned();
                assert_eq!(output.status.code(), Some(1), "{command} {name} with N = {size}: {said}");
                let larger = said.contains("the model's own instance is too small to show it; it needs NODE = ");
                assert_eq!(larger, size == 2 && command == "verify", "{command} {name} with N = {size}: {said}");
            }
        }
    }
}

#[test]
fn a_verdict_about_a_size_that_is_a_value_is_about_that_size() {
    let mut wrong = Vec::new();
    for (name, sizes) in SIZES {
        let path = root().join("tests/traps").join(name).with_extension("m");
        for (size, violated) in *sizes {
            let output =
                paraproof().arg("verify").arg(&path).args(["-q", "-D", &format!("N={size}")]).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let at_this_size = said.contains(": proven for its sizes as they are: ");
            let right = match output.status.code() {
                Some(0) if at_this_size => !*violated && said.contains(&format!("N = {size}")),
                // What is said of any size is true at each.
                Some(0) => said.contains(": proven for any number of") && !sizes.iter().any(|(_, violated)| *violated),
                Some(1) => {
                    *violated
                        || ["is too small to show it", "does not show it"]
                            .iter()
                            .any(|text| said.contains(&format!("the model's own instance {text}")))
                }
                _ => false,
            };
            if !right {
                wrong.push(format!("{name} with N = {size}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn queues_whose_messages_a_loop_moves_are_proven_for_any_capacity() {
    for (name, places) in ANY_CAPACITY {
        let path = root().join("tests/traps").join(name).with_extension("m");
        let output = paraproof().arg("verify").arg(&path).args(["-q", "--json"]).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"], "proven", "{name}: {json}");
        let free: Vec<&str> =
            json["claim"]["any_size"].as_array().unwrap().iter().filter_map(|own| own["name"].as_str()).collect();
        assert!(free.contains(places), "{name}: {json}");
    }
}

/// An instance that no value of the model's own constants gives shows no violation, even if `-D` could set the computed
/// constant that sizes it.
#[test]
fn a_violation_is_not_drawn_from_a_value_that_a_computed_constant_never_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("computed.m");
    // False for a single node only.
    let model = |size: &str| {
        format!(
            "const N : 3;\nconst M : {size};\ntype P : scalarset(M);\nvar p : P;\n\
             ruleset i : P do startstate p := i; end; end;\ninvariant \"other\" exists i : P do p != i end;\n"
        )
    };
    // `N - 1` is a single node where N is 2; the other two are two or three nodes, whatever N is.
    for (size, violated) in [("N - 1", true), ("N = 3 ? 2 : 3", false), ("2 + N / N", false)] {
        fs::write(&path, model(size)).unwrap();
        let output = paraproof().arg("verify").arg(&path).args(["-q", "--json"]).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let wanted = if violated { "violated" } else { "inconclusive" };
        assert_eq!(json["verdict"], wanted, "{size}: {json}");
    }
}

/// An assertion that there is room is an assumption where the capacity may be any, and fails in the model's own instance only if its
/// capacity is too small.
#[test]
fn a_violation_is_not_drawn_from_a_smaller_capacity_than_the_models() {
    let path = root().join("tests/traps/x13_room_for_fewer.m");
    for (capacity, is_violated) in [("8", false), ("3", true)] {
        let capacity = format!("CAPACITY={capacity}");
        let mut command = paraproof();
        command.arg("verify").arg(&path).args(["-D", &capacity, "--timeout", "4s", "-q", "--json"]);
        let output = command.output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"] == "violated", is_violated, "{capacity}: {json}");
    }
}

/// Both indices are calls, each with an assertion; the first one to fail ends the run. The order is from left to right,
/// as in CMurphi. In rumur's checker it is that of the arguments of a C function, which the compiler may choose.
#[test]
fn the_first_of_two_indices_that_fails_ends_the_run() {
    // Each of the functions `left` and `right` fails an assertion, reads something undefined, or does neither.
    let model = |left: (bool, bool), right: (bool, bool), write: bool| {
        let function = |name: &str, (fails, undefined): (bool, bool)| {
            let (asserted, returned) = (if fails { "x" } else { "!x" }, if undefined { "u" } else { "d" });
            format!("function {name}() : R; begin assert ({asserted}) \"{name}\"; return {returned}; end;\n")
        };
        let body = if write { "a[left()][right()] := true" } else { "x := a[left()][right()]" };
        format!(
            "type R : 0..1;\nvar a : array [R] of array [R] of boolean; u : R; d : R; x : boolean;\n{}{}startstate\n  for i : R do \
             for j : R do a[i][j] := false; end; end;\n  undefine u; d := 0; x := false;\nend;\nrule \"r\" {body}; end;\n\
             invariant \"t\" true;\n",
            function("left", left),
            function("right", right)
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("indices.m");
    let outcomes = [(false, false), (false, true), (true, false), (true, true)];
    for (left, right) in outcomes.into_iter().flat_map(|left| outcomes.map(|right| (left, right))) {
        for write in [false, true] {
            fs::write(&path, model(left, right, write)).unwrap();
            let first =
                [("left", left), ("right", right)].into_iter().find(|(_, (fails, undefined))| *fails || *undefined);
            let wanted = first.map(|(name, (fails, _))| if fails { name } else { "an error in 'r'" });
            let json = |arguments: &[&str]| -> Value {
                let output = paraproof().args(arguments).arg(&path).args(["-q", "--json"]).output().unwrap();
                serde_json::from_slice(&output.stdout).unwrap()
            };
            let simulated = json(&["simulate"]);
            let (simulated, shown) = (simulated["trace"]["violates"].as_str(), format!("{left:?} {right:?} {write}"));
            assert_eq!(simulated, wanted, "{shown}");
            // A proof is only about assertions; after an error none fails.
            let verified = json(&["verify"]);
            let (verdict, violated) = (verified["verdict"].as_str(), verified["trace"]["violates"].as_str());
            match wanted {
                Some("an error in 'r'") => {
                    assert!(matches!(violated, None | Some("an error in 'r'")), "{shown}: {verified}")
                }
                Some(_) => assert_eq!(violated, wanted, "{shown}: {verified}"),
                None => assert_eq!(verdict, Some("proven"), "{shown}: {verified}"),
            }
        }
    }
}

#[test]
fn every_trap_has_the_right_verdict() {
    let mut wrong = Vec::new();
    for (name, right) in TRAPS {
        let path = root().join("tests/traps").join(name).with_extension("m");
        let output =
            paraproof().arg("verify").arg(&path).args(["-q", "--json", "--error-format", "json"]).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let errors = String::from_utf8_lossy(&output.stderr);
        let (code, verdict) = (output.status.code(), json["verdict"].as_str());
        let is_right = match right {
            Proven => (code, verdict) == (Some(0), Some("proven")),
            // A reported violation has been executed.
            Violated => (code, verdict) == (Some(1), Some("violated")) && json["trace"]["violates"].is_string(),
            Refused(with) => code == Some(2) && errors.contains(with),
        };
        if !is_right {
            wrong.push(format!("{name}: {code:?} {verdict:?} {errors}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_first_line_of_a_trap_says_what_is_right() {
    for (name, right) in TRAPS {
        let text = fs::read_to_string(root().join("tests/traps").join(name).with_extension("m")).unwrap();
        assert!(text.starts_with("-- ") || *right == Proven, "{name}");
    }
    let files = fs::read_dir(root().join("tests/traps")).unwrap().count();
    // Three more are in `tests/claims.rs`, and one has its own test here.
    assert_eq!(files, TRAPS.len() + SIZES.len() + LARGER.len() + 4, "a trap is missing from the tables");
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_rumur_says_the_same_of_traps() {
    if !tool("rumur") {
        return;
    }
    let mut wrong = Vec::new();
    for (name, right) in TRAPS {
        // rumur's language has no unions, and a refused model has no verdict.
        if name.contains("union") || matches!(right, Refused(_)) || NOT_FOR_RUMUR.contains(name) {
            continue;
        }
        let path = root().join("tests/traps").join(name).with_extension("m");
        // Nor has it multisets.
        if fs::read_to_string(&path).unwrap().to_lowercase().contains("multiset") {
            continue;
        }
        if rumur_finds_violation(&path) != (*right == Violated) {
            wrong.push(*name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Of each model, the largest size at which nothing is violated, and the smallest at which something is.
#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_rumur_says_the_same_of_each_size() {
    if !tool("rumur") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (name, sizes) in SIZES.iter().filter(|(name, _)| !NOT_FOR_RUMUR.contains(name)) {
        let text = fs::read_to_string(root().join("tests/traps").join(name).with_extension("m")).unwrap();
        if ["multiset", "union"].iter().any(|word| text.to_lowercase().contains(word)) {
            continue;
        }
        let holds = sizes.iter().rev().find(|(_, violated)| !violated);
        let violated = sizes.iter().find(|(_, violated)| *violated);
        for (size, violated) in holds.into_iter().chain(violated) {
            let path = folder.path().join(format!("{name}_{size}.m"));
            fs::write(&path, with_size(&text, *size)).unwrap();
            if rumur_finds_violation(&path) != *violated {
                wrong.push(format!("{name} with N = {size}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Returns the model with another value of `N`, which it declares as a number in its first declaration.
fn with_size(text: &str, size: u32) -> String {
    let start = if text.starts_with("const") { 0 } else { text.find("\nconst").unwrap() };
    let start = start + text[start..].find('N').unwrap();
    let end = start + text[start..].find(';').unwrap();
    let (name, number) = text[start..end].split_once(':').unwrap();
    assert!(name.trim() == "N" && number.trim().parse::<u32>().is_ok(), "{text}");
    format!("{}N : {size}{}", &text[..start], &text[end..])
}

/// Its certificate was rejected for any number of nodes, which a proof for the model's own number would hide.
#[test]
fn a_set_that_nothing_writes_has_a_proof_for_any_number() {
    let path = root().join("tests/traps/q06_set_that_nothing_writes.m");
    let output = paraproof().arg("verify").arg(&path).args(["-q"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(": proven for any number of NODE\n"), "{said}");
}
