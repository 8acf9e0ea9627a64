//! Systems with numbers and with an order on an index type.

use system::{FALSE, Formula, SortId, TRUE};

use super::support::build::{
    Builder, all, any, at_most, con, cube, eq, forall, least, lit, most, number, read, set, term, var, write_at,
};
use super::support::systems::Example;

/// Nodes ask while the gate is open. When it is closed, the least of them that ask enters first.
pub(crate) fn gate() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let boolean = SortId(0);
    let asks = b.variable("asks[]", &[node], boolean);
    let inside = b.variable("inside[]", &[node], boolean);
    let open = b.variable("open", &[], boolean);
    let rank = b.ranks(node);
    let holds = |variable, i: u32, value| eq(read(variable, &[var(i)]), con(value));
    let is_open = |value| eq(read(open, &[]), con(value));
    let to = |variable, value| write_at(variable, 1, var(0), term(con(value)));
    b.rule("Ask", &[node, node], 1, is_open(TRUE), vec![to(asks, TRUE)]);
    b.rule("Close", &[], 0, Formula::True, vec![set(open, &[], term(con(FALSE)))]);
    let first = any(&[holds(asks, 2, FALSE), at_most(read(rank, &[var(0)]), 0, read(rank, &[var(2)]))]);
    let enters = all(&[is_open(FALSE), holds(asks, 0, TRUE), forall(2, first)]);
    b.rule("Enter", &[node, node, node], 1, enters, vec![to(inside, TRUE)]);
    b.rule("Leave", &[node, node], 1, holds(inside, 0, TRUE), vec![to(asks, FALSE), to(inside, FALSE)]);
    let nobody = forall(0, holds(asks, 0, FALSE));
    b.rule("Open", &[node], 0, nobody, vec![set(open, &[], term(con(TRUE)))]);
    let init =
        vec![set(asks, &[0], term(con(FALSE))), set(inside, &[0], term(con(FALSE))), set(open, &[], term(con(TRUE)))];
    b.start("Init", &[node], 0, Formula::True, init);
    let is = |variable, i: u32, value| lit(read(variable, &[var(i)]), true, con(value));
    let before = least(read(rank, &[var(0)]), 1, read(rank, &[var(1)]));
    let bad = cube(&[node, node], vec![is(inside, 0, TRUE), is(inside, 1, TRUE)]);
    b.property("MutualExclusion", vec![bad.clone()]);
    let cubes = vec![
        bad,
        cube(&[node, node], vec![is(asks, 1, TRUE), is(inside, 0, TRUE), before]),
        cube(&[node], vec![is(asks, 0, FALSE), is(inside, 0, TRUE)]),
        cube(&[node], vec![is(inside, 0, TRUE), lit(read(open, &[]), true, con(TRUE))]),
    ];
    Example { name: "gate", system: b.system, cubes }
}

/// Bounds from which others follow only by addition: three chains of four numbers, and an invariant that needs the sum of
/// each chain.
pub(crate) fn added() -> Example {
    let mut b = Builder::new();
    let counter = b.numbers("COUNTER", 0, 1);
    let [armed, bad] = ["armed", "bad"].map(|name| b.variable(name, &[], SortId(0)));
    let to = |variable, value| set(variable, &[], term(con(value)));
    let is = |variable, value| lit(read(variable, &[]), true, con(value));
    b.rule("Go", &[], 0, eq(read(armed, &[]), con(TRUE)), vec![to(bad, TRUE)]);
    let mut init = vec![to(armed, FALSE), to(bad, FALSE)];
    let mut cubes = vec![cube(&[], vec![is(bad, TRUE)])];
    let mut needed = vec![is(armed, TRUE)];
    for chain in 0..3 {
        let numbers = [0, 1, 2, 3].map(|position| b.variable(&format!("x{chain}{position}"), &[], counter));
        init.extend(numbers.map(|variable| set(variable, &[], number(0))));
        let at = |position: usize| read(numbers[position], &[]);
        cubes.extend([0, 1, 2].map(|position| {
            let sum = i64::try_from(position).expect("it is small");
            cube(&[], vec![least(at(position), sum + 1, at(position + 1))])
        }));
        needed.push(most(at(0), 3, at(3)));
    }
    cubes.push(cube(&[], needed));
    b.start("Init", &[], 0, Formula::True, init);
    b.property("NeverBad", vec![cubes[0].clone()]);
    Example { name: "added", system: b.system, cubes }
}
