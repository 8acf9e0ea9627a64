//! Small systems, each with the cubes of invariants that prove it.

use protocol::System;
use protocol::system::{Cube, FALSE, Formula, TRUE, Value};

use super::build::*;

/// A system and the cubes of its invariants.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) system: System,
    pub(crate) cubes: Vec<Cube>,
}

/// All examples.
pub(crate) fn all_examples() -> Vec<Example> {
    vec![mutual_exclusion()]
}

/// Mutual exclusion by one semaphore: five invariants, as in the literature.
pub(crate) fn mutual_exclusion() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let phase = b.sort("PHASE", &[], &["I", "T", "C", "E"]);
    let [idle, trying, critical, exiting] = ["I", "T", "C", "E"].map(|name| b.constant(name));
    let n = b.variable("n[]", &[node], phase);
    let x = b.variable("x", &[], protocol::system::SortId(0));
    let at = |i: u32, phase| eq(read(n, &[var(i)]), con(phase));
    let step = |to| write_at(n, 1, var(0), term(con(to)));
    let x_to = |value| set(x, &[], term(con(value)));
    let free = eq(read(x, &[]), con(TRUE));
    b.rule("Try", &[node, node], 1, at(0, idle), vec![step(trying)]);
    b.rule("Crit", &[node, node], 1, all(&[at(0, trying), free]), vec![step(critical), x_to(FALSE)]);
    b.rule("Exit", &[node, node], 1, at(0, critical), vec![step(exiting)]);
    b.rule("Idle", &[node, node], 1, at(0, exiting), vec![step(idle), x_to(TRUE)]);
    let init: Value = term(con(idle));
    b.start("Init", &[node], 0, Formula::True, vec![set(n, &[0], init), x_to(TRUE)]);
    let is = |i: u32, phase| lit(read(n, &[var(i)]), true, con(phase));
    let x_free = lit(read(x, &[]), true, con(TRUE));
    let bad = cube(&[node, node], vec![is(0, critical), is(1, critical)]);
    b.property("MutualExclusion", vec![bad.clone()]);
    let cubes = vec![
        bad,
        cube(&[node, node], vec![is(0, critical), is(1, exiting)]),
        cube(&[node, node], vec![is(0, exiting), is(1, exiting)]),
        cube(&[node], vec![is(0, critical), x_free.clone()]),
        cube(&[node], vec![is(0, exiting), x_free]),
    ];
    Example { name: "mutual exclusion", system: b.system, cubes }
}
