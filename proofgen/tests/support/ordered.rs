//! Systems with numbers and with an order on an index type.

use system::{Cube, FALSE, Formula, IndexTypeId, SortId, TRUE, Value};

use super::support::build::{
    Builder, all, any, at_most, con, cube, eq, forall, index, is_sum, least, lit, most, number, read, set, term, var,
    write_at,
};
use super::support::systems::Example;

/// A lock with tickets: a node that wants to enter takes the next ticket, and enters when its ticket is served.
pub(crate) fn tickets() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let phase = b.sort("PHASE", &[], &["Idle", "Wait", "Crit"]);
    let [idle, wait, crit] = ["Idle", "Wait", "Crit"].map(|name| b.constant(name));
    let counter = b.numbers("COUNTER", 0, 9);
    let next = b.variable("next", &[], counter);
    let serving = b.variable("serving", &[], counter);
    let ticket = b.variable("ticket[]", &[node], counter);
    let at = b.variable("at[]", &[node], phase);
    let is_at = |phase| eq(read(at, &[var(0)]), con(phase));
    let goes = |phase| write_at(at, 1, var(0), term(con(phase)));
    let (next_, serving_) = (read(next, &[]), read(serving, &[]));
    let ticket_ = |i: u32| read(ticket, &[var(i)]);
    let taken = vec![
        set(next, &[], Value::Sum(next_.clone(), 1)),
        write_at(ticket, 1, var(0), term(next_.clone())),
        goes(wait),
    ];
    b.rule("Take", &[node, node], 1, is_at(idle), taken);
    let served = is_sum(&ticket_(0), &serving_, 0);
    b.rule("Enter", &[node, node], 1, all(&[is_at(wait), served]), vec![goes(crit)]);
    let left = vec![set(serving, &[], Value::Sum(serving_.clone(), 1)), goes(idle)];
    b.rule("Leave", &[node, node], 1, is_at(crit), left);
    let init = vec![
        set(next, &[], number(0)),
        set(serving, &[], term(system::Term::Zero)),
        set(ticket, &[0], Value::Arbitrary),
        set(at, &[0], term(con(idle))),
    ];
    b.start("Init", &[node], 0, Formula::True, init);
    let is = |i: u32, phase| lit(read(at, &[var(i)]), true, con(phase));
    let busy = |i: u32| lit(read(at, &[var(i)]), false, con(idle));
    let two = [node, node];
    let bad = cube(&two, vec![is(0, crit), is(1, crit)]);
    b.property("MutualExclusion", vec![bad.clone()]);
    let cubes = vec![
        bad,
        cube(&two, vec![most(ticket_(0), 0, ticket_(1)), least(ticket_(0), 0, ticket_(1)), busy(0), busy(1)]),
        cube(&[node], vec![least(serving_.clone(), 1, ticket_(0)), busy(0)]),
        cube(&[node], vec![most(serving_.clone(), -1, ticket_(0)), is(0, crit)]),
        cube(&[node], vec![most(next_.clone(), 0, ticket_(0)), busy(0)]),
        cube(&[], vec![most(next_, -1, serving_)]),
    ];
    Example { name: "tickets", system: b.system, cubes }
}

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
    let init = vec![
        set(asks, &[0], term(con(FALSE))),
        set(inside, &[0], term(con(FALSE))),
        set(open, &[], term(con(TRUE))),
        set(rank, &[0], Value::Arbitrary),
    ];
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

/// Lamport's bakery. A node picks a number that is greater than all numbers that are shown, and shows it in a later step,
/// so that two nodes may have the same number.
pub(crate) fn bakery() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let phase = b.sort("PHASE", &[], &["Idle", "Picked", "Wait", "Crit"]);
    let [idle, picked, wait, crit] = ["Idle", "Picked", "Wait", "Crit"].map(|name| b.constant(name));
    let counter = b.numbers("COUNTER", 0, 9);
    let shown = b.variable("num[]", &[node], counter);
    let own = b.variable("own[]", &[node], counter);
    let at = b.variable("at[]", &[node], phase);
    let chosen = b.variable("n", &[], counter);
    b.system.variables[chosen.index()].path = vec![system::PathStep::Number("n".to_owned())];
    let rank = b.ranks(node);
    let (num, new, order) =
        (|i: u32| read(shown, &[var(i)]), |i: u32| read(own, &[var(i)]), |i: u32| read(rank, &[var(i)]));
    let n = || read(chosen, &[]);
    let is_at = |i: u32, phase| eq(read(at, &[var(i)]), con(phase));
    let goes = |phase| write_at(at, 1, var(0), term(con(phase)));
    let greatest = all(&[is_at(0, idle), at_most(system::Term::Zero, -1, n()), forall(2, at_most(num(2), -1, n()))]);
    let picks = vec![write_at(own, 1, var(0), term(n())), goes(picked), set(chosen, &[], Value::Arbitrary)];
    b.rule("Pick", &[node, node, node], 1, greatest, picks);
    let shows = vec![write_at(shown, 1, var(0), term(new(0))), goes(wait)];
    b.rule("Show", &[node, node], 1, is_at(0, picked), shows);
    let first = any(&[
        at_most(num(2), 0, system::Term::Zero),
        at_most(num(0), -1, num(2)),
        all(&[is_sum(&num(0), &num(2), 0), at_most(order(0), -1, order(2))]),
    ]);
    let next = any(&[
        eq(index(var(2)), index(var(0))),
        all(&[system::Formula::Not(Box::new(is_at(2, picked))), first]),
    ]);
    b.rule("Enter", &[node, node, node], 1, all(&[is_at(0, wait), forall(2, next)]), vec![goes(crit)]);
    b.rule("Leave", &[node, node], 1, is_at(0, crit), vec![write_at(shown, 1, var(0), number(0)), goes(idle)]);
    let init = vec![
        set(shown, &[0], number(0)),
        set(own, &[0], Value::Arbitrary),
        set(at, &[0], term(con(idle))),
        set(chosen, &[], Value::Arbitrary),
        set(rank, &[0], Value::Arbitrary),
    ];
    b.start("Init", &[node], 0, Formula::True, init);
    let is = |i: u32, phase| lit(read(at, &[var(i)]), true, con(phase));
    let two: [IndexTypeId; 2] = [node, node];
    let bad = cube(&two, vec![is(0, crit), is(1, crit)]);
    b.property("MutualExclusion", vec![bad.clone()]);
    let zero = || system::Term::Zero;
    let cubes: Vec<Cube> = vec![
        bad,
        cube(&[node], vec![most(num(0), 0, zero()), is(0, wait)]),
        cube(&[node], vec![most(num(0), 0, zero()), is(0, crit)]),
        cube(&[node], vec![most(new(0), 0, zero()), is(0, picked)]),
        // A node with a lesser number than one inside.
        cube(&two, vec![least(num(0), 1, num(1)), least(num(1), 1, zero()), is(0, crit)]),
        // One with the same number that comes before it.
        cube(
            &two,
            vec![
                most(num(0), 0, num(1)),
                least(num(0), 0, num(1)),
                least(num(1), 1, zero()),
                is(0, crit),
                least(order(0), 1, order(1)),
            ],
        ),
        // One that is about to show a number that is not greater.
        cube(&two, vec![least(num(0), 0, new(1)), is(0, crit), is(1, picked)]),
    ];
    Example { name: "bakery", system: b.system, cubes }
}
