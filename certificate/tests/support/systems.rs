//! Small systems, each with the cubes of invariants that prove it.

use system::System;
use system::{
    Assumption, Claim, Cube, FALSE, FiniteType, Formula, IndexVariableId, KeptConstant, LeftOut, Origin, PathStep,
    SortId, TRUE, Term, Universal, Value,
};

use super::build::*;

const BOOLEAN: SortId = SortId(0);

/// A system and the cubes of its invariants.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) system: System,
    pub(crate) cubes: Vec<Cube>,
}

/// All examples.
pub(crate) fn all_examples() -> Vec<Example> {
    vec![
        mutual_exclusion(),
        owner(),
        broadcast(),
        home(),
        switches(),
        pointer(),
        data(),
        token(),
        links(),
        corners(),
        kept_lock(),
        requests(),
        far_link(),
        quorums(),
        ticket_lock(),
        bakery(),
        scales(),
        greatest(),
    ]
}

/// A system whose claim has an entry of each kind.
pub(crate) fn claiming() -> Example {
    let mut example = home();
    let at = |line: u32| Origin { line, column: 1, start: 0, end: 1 };
    let constant = |name: &str, value: &str| KeptConstant { name: name.into(), value: value.into(), origin: at(3) };
    let finite = |name: &str, size| FiniteType {
        name: name.into(),
        size,
        reason: "it is used in arithmetic".into(),
        origin: at(4),
    };
    let [kind, name, code, reason] = ["liveness", "progress", "L012", "it is about executions"].map(str::to_owned);
    example.system.claim = Claim {
        constants: vec![constant("N", "3"), constant("LIMIT", "-2")],
        finite_types: vec![finite("0..3", 4), finite("HUGE", 1 << 40)],
        assumptions: [12, 14].map(|line| Assumption { origin: at(line), axiom: None }).to_vec(),
        left_out: vec![LeftOut { kind, name, code, reason, origin: at(9) }],
    };
    example
}

/// Mutual exclusion by one semaphore: five invariants, as in the literature.
pub(crate) fn mutual_exclusion() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let phase = b.sort("PHASE", &[], &["I", "T", "C", "E"]);
    let [idle, trying, critical, exiting] = ["I", "T", "C", "E"].map(|name| b.constant(name));
    let n = b.variable("n[]", &[node], phase);
    let x = b.variable("x", &[], BOOLEAN);
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

/// A pointer with a union sort; rule parameters that may be equal; an argument of two premises.
pub(crate) fn owner() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let state = b.sort("STATE", &[], &["Inv", "Own"]);
    let owner_sort = b.sort("OWNER", &[node], &["None"]);
    let [inv, own, none] = ["Inv", "Own", "None"].map(|name| b.constant(name));
    let st = b.variable("st[]", &[node], state);
    let owner = b.variable("owner", &[], owner_sort);
    let owner_is = |i: u32| eq(read(owner, &[]), index(var(i)));
    let give = |value| set(owner, &[], term(value));
    let none_free = eq(read(owner, &[]), con(none));
    b.rule("Take", &[node, node], 1, none_free, vec![write_at(st, 1, var(0), term(con(own))), give(index(var(0)))]);
    b.rule("Drop", &[node, node], 1, owner_is(0), vec![write_at(st, 1, var(0), term(con(inv))), give(con(none))]);
    let same = |a: u32, b: u32| eq(index(var(a)), index(var(b)));
    let old = term(read(st, &[var(2)]));
    let passed = ite(same(2, 1), term(con(own)), ite(same(2, 0), term(con(inv)), old));
    b.rule("Pass", &[node, node, node], 2, owner_is(0), vec![set(st, &[2], passed), give(index(var(1)))]);
    b.start("Init", &[node], 0, Formula::True, vec![set(st, &[0], term(con(inv))), give(con(none))]);
    let owns = |i: u32| lit(read(st, &[var(i)]), true, con(own));
    b.property("OneOwner", vec![cube(&[node, node], vec![owns(0), owns(1)])]);
    let cubes = vec![cube(&[node], vec![owns(0), lit(read(owner, &[]), false, index(var(0)))])];
    Example { name: "owner", system: b.system, cubes }
}

/// Universal guards, also below a disjunction, and a universal update.
pub(crate) fn broadcast() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let state = b.sort("STATE", &[], &["Inv", "Shared", "Mod"]);
    let [inv, shared, modified] = ["Inv", "Shared", "Mod"].map(|name| b.constant(name));
    let cache = b.variable("cache[]", &[node], state);
    let flag = b.variable("flag", &[], BOOLEAN);
    let at = |i: u32, value| eq(read(cache, &[var(i)]), con(value));
    let not_at = |i: u32, value| ne(read(cache, &[var(i)]), con(value));
    let to = |value| write_at(cache, 1, var(0), term(con(value)));
    let flag_to = |value| set(flag, &[], term(con(value)));
    let alone = forall(2, any(&[eq(index(var(2)), index(var(0))), at(2, inv)]));
    let three = [node, node, node];
    b.rule("Write", &three, 1, alone, vec![to(modified), flag_to(FALSE)]);
    b.rule("Read", &three, 1, forall(2, not_at(2, modified)), vec![to(shared)]);
    b.rule("Evict", &[node, node], 1, Formula::True, vec![to(inv)]);
    b.rule("SetFlag", &[node], 0, forall(0, not_at(0, modified)), vec![flag_to(TRUE)]);
    let fast = any(&[eq(read(flag, &[]), con(TRUE)), forall(2, at(2, inv))]);
    b.rule("ReadFast", &three, 1, fast, vec![to(shared)]);
    let down = ite(at(0, modified), term(con(shared)), term(read(cache, &[var(0)])));
    b.rule("Downgrade", &[node], 0, Formula::True, vec![set(cache, &[0], down)]);
    b.start("Init", &[node], 0, Formula::True, vec![set(cache, &[0], term(con(inv))), flag_to(FALSE)]);
    let is = |i: u32, value| lit(read(cache, &[var(i)]), true, con(value));
    let two = [node, node];
    let bad =
        vec![cube(&two, vec![is(0, shared), is(1, modified)]), cube(&two, vec![is(0, modified), is(1, modified)])];
    b.property("Coherence", bad.clone());
    let flagged = cube(&[node], vec![is(0, modified), lit(read(flag, &[]), true, con(TRUE))]);
    let cubes = [bad, vec![flagged]].concat();
    Example { name: "broadcast", system: b.system, cubes }
}

/// A named element that a parameter may denote.
pub(crate) fn home() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &["Home"]);
    let st = b.variable("st[]", &[node], BOOLEAN);
    let free = b.variable("free", &[], BOOLEAN);
    let is_free = eq(read(free, &[]), con(TRUE));
    let free_to = |value| set(free, &[], term(con(value)));
    let to = |target, value| write_at(st, 1, target, term(con(value)));
    b.rule("Take", &[node, node], 1, is_free.clone(), vec![to(var(0), TRUE), free_to(FALSE)]);
    let home_takes = write_at(st, 0, named(0), term(con(TRUE)));
    b.rule("TakeHome", &[node], 0, is_free, vec![home_takes, free_to(FALSE)]);
    let owns = eq(read(st, &[var(0)]), con(TRUE));
    b.rule("Release", &[node, node], 1, owns, vec![to(var(0), FALSE), free_to(TRUE)]);
    b.start("Init", &[node], 0, Formula::True, vec![set(st, &[0], term(con(FALSE))), free_to(TRUE)]);
    let is = |i| lit(read(st, &[i]), true, con(TRUE));
    let free_lit = lit(read(free, &[]), true, con(TRUE));
    let bad = vec![cube(&[node], vec![is(var(0)), is(named(0))]), cube(&[node, node], vec![is(var(0)), is(var(1))])];
    b.property("OneOwner", bad.clone());
    let more = vec![cube(&[node], vec![is(var(0)), free_lit.clone()]), cube(&[], vec![is(named(0)), free_lit])];
    Example { name: "home", system: b.system, cubes: [bad, more].concat() }
}

/// A split on a boolean; an arbitrary value; a conditional scalar update.
pub(crate) fn switches() -> Example {
    let mut b = Builder::new();
    let [p, q, mode, z] = ["p", "q", "mode", "z"].map(|name| b.variable(name, &[], BOOLEAN));
    let is = |v, value| eq(read(v, &[]), con(value));
    b.rule("Go", &[], 0, is(p, TRUE), vec![set(q, &[], term(con(TRUE)))]);
    let flipped = ite(is(mode, TRUE), term(con(FALSE)), term(con(TRUE)));
    b.rule("Toggle", &[], 0, Formula::True, vec![set(mode, &[], flipped)]);
    b.rule("Shake", &[], 0, Formula::True, vec![set(z, &[], Value::Arbitrary)]);
    let off = term(con(FALSE));
    let init =
        vec![set(p, &[], off.clone()), set(q, &[], off.clone()), set(mode, &[], off), set(z, &[], Value::Arbitrary)];
    b.start("Init", &[], 0, Formula::True, init);
    let holds = |v, value| lit(read(v, &[]), true, con(value));
    let bad = cube(&[], vec![holds(q, TRUE)]);
    b.property("NeverQ", vec![bad.clone()]);
    let mut cubes = vec![bad];
    for m in [FALSE, TRUE] {
        for value in [FALSE, TRUE] {
            cubes.push(cube(&[], vec![holds(p, TRUE), holds(mode, m), holds(z, value)]));
        }
    }
    Example { name: "switches", system: b.system, cubes }
}

/// A split on a pointer, whose value may be an element that the obligation does not have yet.
pub(crate) fn pointer() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &["Home"]);
    let pointer_sort = b.sort("POINTER", &[node], &[]);
    let pointer = b.variable("pointer", &[], pointer_sort);
    let hot = b.variable("hot", &[], BOOLEAN);
    b.rule("Move", &[node], 1, Formula::True, vec![set(pointer, &[], term(index(var(0))))]);
    let init = vec![set(pointer, &[], Value::Arbitrary), set(hot, &[], term(con(FALSE)))];
    b.start("Init", &[], 0, Formula::True, init);
    let is_hot = lit(read(hot, &[]), true, con(TRUE));
    b.property("NeverHot", vec![cube(&[], vec![is_hot.clone()])]);
    let at = |element| lit(read(pointer, &[]), true, index(element));
    let cubes = vec![cube(&[node], vec![at(var(0)), is_hot.clone()]), cube(&[], vec![at(named(0)), is_hot])];
    Example { name: "pointer", system: b.system, cubes }
}

/// Two index types; an inequation between reads; undefined data.
pub(crate) fn data() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let data = b.index_type("DATA", &[]);
    let data_sort = b.sort("DATA", &[data], &[]);
    let d = b.variable("cache[].data", &[node], data_sort);
    let valid = b.variable("cache[].valid", &[node], BOOLEAN);
    let mem = b.variable("mem", &[], data_sort);
    let to = |v, bound, value| write_at(v, bound, var(0), value);
    let on = || term(con(TRUE));
    b.rule("Load", &[node, node], 1, Formula::True, vec![to(d, 1, term(read(mem, &[]))), to(valid, 1, on())]);
    let only = ite(eq(index(var(2)), index(var(0))), on(), term(con(FALSE)));
    let stored = vec![to(d, 2, term(index(var(1)))), set(valid, &[2], only), set(mem, &[], term(index(var(1))))];
    b.rule("Store", &[node, data, node], 2, Formula::True, stored);
    let copied = vec![write_at(d, 2, var(1), term(read(d, &[var(0)]))), write_at(valid, 2, var(1), on())];
    let source = eq(read(valid, &[var(0)]), con(TRUE));
    b.rule("Copy", &[node, node, node], 2, source, copied);
    b.rule("Drop", &[node, node], 1, Formula::True, vec![to(d, 1, Value::Arbitrary), to(valid, 1, term(con(FALSE)))]);
    let init =
        vec![set(d, &[0], Value::Arbitrary), set(valid, &[0], term(con(FALSE))), set(mem, &[], Value::Arbitrary)];
    b.start("Init", &[node], 0, Formula::True, init);
    let is_valid = |i: u32| lit(read(valid, &[var(i)]), true, con(TRUE));
    let differs = lit(read(d, &[var(0)]), false, read(mem, &[]));
    let bad = cube(&[node], vec![differs, is_valid(0)]);
    b.property("DataCorrect", vec![bad.clone()]);
    Example { name: "data", system: b.system, cubes: vec![bad] }
}

/// A startstate with a parameter; two writes to one array.
pub(crate) fn token() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let token = b.variable("token[]", &[node], BOOLEAN);
    let same = |a: u32, b: u32| eq(index(var(a)), index(var(b)));
    let [on, off] = [TRUE, FALSE].map(|value| term(con(value)));
    let moved = ite(same(2, 1), on.clone(), ite(same(2, 0), off.clone(), term(read(token, &[var(2)]))));
    let holds = eq(read(token, &[var(0)]), con(TRUE));
    b.rule("Pass", &[node, node, node], 2, holds, vec![set(token, &[2], moved)]);
    b.start("Init", &[node, node], 1, Formula::True, vec![set(token, &[1], ite(same(1, 0), on, off))]);
    let is = |i: u32| lit(read(token, &[var(i)]), true, con(TRUE));
    let bad = cube(&[node, node], vec![is(0), is(1)]);
    b.property("OneToken", vec![bad.clone()]);
    Example { name: "token", system: b.system, cubes: vec![bad] }
}

/// Two dimensions; conditions with `and` and `or`; parameters that the guard separates.
pub(crate) fn links() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let link = b.variable("link[][]", &[node, node], BOOLEAN);
    let same = |a: u32, b: u32| eq(index(var(a)), index(var(b)));
    let hit = any(&[all(&[same(2, 0), same(3, 1)]), all(&[same(2, 1), same(3, 0)])]);
    let own = term(read(link, &[var(2), var(3)]));
    let on = ite(hit, term(con(TRUE)), own);
    let apart = ne(index(var(0)), index(var(1)));
    b.rule("Connect", &[node, node, node, node], 2, apart, vec![set(link, &[2, 3], on)]);
    b.start("Init", &[node, node], 0, Formula::True, vec![set(link, &[0, 1], term(con(FALSE)))]);
    let is = |i: u32, j: u32, value| lit(read(link, &[var(i), var(j)]), true, con(value));
    let loops = cube(&[node], vec![is(0, 0, TRUE)]);
    let one_way = cube(&[node, node], vec![is(0, 1, FALSE), is(1, 0, TRUE)]);
    b.property("NoLoop", vec![loops.clone()]);
    b.property("BothWays", vec![one_way.clone()]);
    Example { name: "links", system: b.system, cubes: vec![loops, one_way] }
}

/// Rare cases: a sort with one value; equal quantified parts in two disjuncts; a quantifier within a quantifier; sorts
/// that overlap.
pub(crate) fn corners() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let one = b.sort("ONE", &[], &["Only"]);
    let low = b.sort("LOW", &[], &["0", "1", "2"]);
    let high = b.sort("HIGH", &[], &["1", "2", "3"]);
    let [only, zero, two, three] = ["Only", "0", "2", "3"].map(|name| b.constant(name));
    let c = b.variable("c[]", &[node], BOOLEAN);
    let d = b.variable("d[]", &[node], BOOLEAN);
    let mode = b.variable("mode", &[], one);
    let a = b.variable("a", &[], low);
    let z = b.variable("z", &[], high);
    let off = |v, i: u32| eq(read(v, &[var(i)]), con(FALSE));
    let on = write_at(c, 1, var(0), term(con(TRUE)));
    let four = [node, node, node, node];
    let quiet = || forall(2, off(c, 2));
    b.rule("Twice", &four, 1, any(&[quiet(), quiet()]), vec![on.clone()]);
    let nested = forall(2, all(&[off(d, 2), forall(3, any(&[eq(index(var(3)), index(var(2))), off(c, 3)]))]));
    let guard = all(&[nested, off(c, 0), ne(read(a, &[]), read(z, &[]))]);
    b.rule("Nested", &four, 1, all(&[guard, quiet()]), vec![on.clone()]);
    let other_mode = any(&[ne(read(mode, &[]), con(only)), quiet()]);
    b.rule("OtherMode", &four, 1, other_mode, vec![on, set(mode, &[], term(con(only)))]);
    let apart = |value| all(&[eq(read(a, &[]), read(z, &[])), value]);
    let (low_only, high_only) = (apart(eq(read(a, &[]), con(zero))), apart(eq(read(z, &[]), con(three))));
    let strange = any(&[ne(read(mode, &[]), con(only)), low_only, high_only]);
    b.rule("Never", &four, 1, strange, vec![write_at(c, 1, var(0), term(con(TRUE)))]);
    let known = all(&[eq(read(a, &[]), read(z, &[])), ne(read(a, &[]), con(two)), eq(read(mode, &[]), con(only))]);
    b.rule("Known", &four, 1, all(&[known, quiet()]), vec![write_at(c, 1, var(0), term(con(TRUE)))]);
    let no = term(con(FALSE));
    let init = vec![
        set(c, &[0], no.clone()),
        set(d, &[0], no),
        set(mode, &[], term(con(only))),
        set(a, &[], Value::Arbitrary),
        set(z, &[], Value::Arbitrary),
    ];
    b.start("Init", &[node], 0, Formula::True, init);
    let is = |i: u32| lit(read(c, &[var(i)]), true, con(TRUE));
    let bad = cube(&[node, node], vec![is(0), is(1)]);
    b.property("AtMostOne", vec![bad.clone()]);
    Example { name: "corners", system: b.system, cubes: vec![bad] }
}

/// A lock that is never lost: one node has it, or it is on its way to one. Two universal parts, and no variable.
pub(crate) fn kept_lock() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let [has, sent] = ["has[]", "sent[]"].map(|name| b.variable(name, &[node], BOOLEAN));
    let is = |v, i: u32, value| eq(read(v, &[var(i)]), con(value));
    let to = |v, i: u32, value| write_at(v, 2, var(i), term(con(value)));
    b.rule("Send", &[node; 3], 2, is(has, 0, TRUE), vec![to(has, 0, FALSE), to(sent, 1, TRUE)]);
    b.rule("Receive", &[node; 3], 1, is(sent, 0, TRUE), vec![to(has, 0, TRUE), to(sent, 0, FALSE)]);
    let first = ite(eq(index(var(1)), index(var(0))), term(con(TRUE)), term(con(FALSE)));
    let init = vec![set(has, &[1], first), set(sent, &[1], term(con(FALSE)))];
    b.start("Init", &[node, node], 1, Formula::True, init);
    let none = |v| Universal { variables: vec![node], literals: vec![lit(read(v, &[var(0)]), true, con(FALSE))] };
    let lost = Cube { variables: vec![], literals: vec![], universals: vec![none(has), none(sent)] };
    b.property("SomewhereIsTheLock", vec![lost.clone()]);
    // So that the claim of the certificate is about one node or more.
    let some = Formula::Exists(IndexVariableId(0), Box::new(Formula::True));
    b.axiom("NODE has an element", &[node], some, vec![Cube::empty_type(node)]);
    Example { name: "kept lock", system: b.system, cubes: vec![lost] }
}

/// Whatever a client has received is the answer to a request of its own: variables of two types, a universal part of a
/// third one with two literals, and invariants that need each other's witnesses.
pub(crate) fn requests() -> Example {
    let mut b = Builder::new();
    let [client, request, answer] = ["CLIENT", "REQUEST", "ANSWER"].map(|name| b.index_type(name, &[]));
    let sent = b.variable("sent[][]", &[client, request], BOOLEAN);
    let fits = b.variable("fits[][]", &[request, answer], BOOLEAN);
    let [answered, received] =
        ["answered[][]", "received[][]"].map(|name| b.variable(name, &[client, answer], BOOLEAN));
    let is = |v, i: u32, j: u32| eq(read(v, &[var(i), var(j)]), con(TRUE));
    let on = |v, (i, j): (u32, u32), (own_i, own_j): (u32, u32)| {
        let here = all(&[eq(index(var(own_i)), index(var(i))), eq(index(var(own_j)), index(var(j)))]);
        set(v, &[own_i, own_j], ite(here, term(con(TRUE)), term(read(v, &[var(own_i), var(own_j)]))))
    };
    b.rule("Ask", &[client, request, client, request], 2, Formula::True, vec![on(sent, (0, 1), (2, 3))]);
    let five = [client, request, answer, client, answer];
    b.rule("Answer", &five, 3, all(&[is(sent, 0, 1), is(fits, 1, 2)]), vec![on(answered, (0, 2), (3, 4))]);
    let four = [client, answer, client, answer];
    b.rule("Receive", &four, 2, is(answered, 0, 1), vec![on(received, (0, 1), (2, 3))]);
    let off = |v, i: u32, j: u32| set(v, &[i, j], term(con(FALSE)));
    let init = vec![off(sent, 0, 1), set(fits, &[1, 2], Value::Arbitrary), off(answered, 0, 2), off(received, 0, 2)];
    b.start("Init", &[client, request, answer], 0, Formula::True, init);
    let of_no_request = |v| {
        let at = |v, i: u32, j: u32, value| lit(read(v, &[var(i), var(j)]), true, con(value));
        let literals = vec![at(sent, 0, 2, FALSE), at(fits, 2, 1, FALSE)];
        let universals = vec![Universal { variables: vec![request], literals }];
        Cube { variables: vec![client, answer], literals: vec![at(v, 0, 1, TRUE)], universals }
    };
    b.property("Asked", vec![of_no_request(received)]);
    Example { name: "requests", system: b.system, cubes: vec![of_no_request(received), of_no_request(answered)] }
}

/// Two nodes other than Home are linked: a universal part with two variables of a type with a named element.
pub(crate) fn far_link() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &["Home"]);
    let link = b.variable("link[][]", &[node, node], BOOLEAN);
    let same = |i: u32, j: u32| eq(index(var(i)), index(var(j)));
    let far = |i: u32, j: u32| {
        let not_home = |i: u32| ne(index(var(i)), index(named(0)));
        all(&[ne(index(var(i)), index(var(j))), not_home(i), not_home(j)])
    };
    let here = |own: (u32, u32), i: u32, j: u32| all(&[same(own.0, i), same(own.1, j)]);
    let (yes, no) = (|| term(con(TRUE)), || term(con(FALSE)));
    let turned = set(link, &[0, 1], term(read(link, &[var(1), var(0)])));
    b.rule("Turn", &[node, node], 0, Formula::True, vec![turned]);
    let old = term(read(link, &[var(3), var(4)]));
    let moved = ite(here((3, 4), 0, 2), yes(), ite(here((3, 4), 0, 1), no(), old.clone()));
    let linked = eq(read(link, &[var(0), var(1)]), con(TRUE));
    b.rule("Move", &[node; 5], 3, all(&[linked, far(0, 2)]), vec![set(link, &[3, 4], moved)]);
    let cut = ite(same(3, 0), no(), old);
    let home = eq(index(var(0)), index(named(0)));
    b.rule("CutHome", &[node; 5], 1, home, vec![set(link, &[3, 4], cut)]);
    b.start("Init", &[node; 4], 2, far(0, 1), vec![set(link, &[2, 3], ite(here((2, 3), 0, 1), yes(), no()))]);
    let none =
        Universal { variables: vec![node, node], literals: vec![lit(read(link, &[var(0), var(1)]), true, con(FALSE))] };
    let cut_off = Cube { variables: vec![], literals: vec![], universals: vec![none] };
    b.property("Linked", vec![cut_off.clone()]);
    Example { name: "far link", system: b.system, cubes: vec![cut_off] }
}

/// Consensus: any two quorums have a node in common, which is an axiom, as is that no node is a traitor.
pub(crate) fn quorums() -> Example {
    let mut b = Builder::new();
    let [node, quorum] = ["NODE", "QUORUM"].map(|name| b.index_type(name, &[]));
    let value = b.sort("VALUE", &[], &["None", "A", "B"]);
    let [none, one, two] = ["None", "A", "B"].map(|name| b.constant(name));
    let member = b.variable("member[][]", &[node, quorum], BOOLEAN);
    let vote = b.variable("vote[]", &[node], value);
    let decided = b.variable("decided[]", &[quorum], value);
    let traitor = b.variable("traitor", &[], BOOLEAN);
    let votes = |i: u32, choice| eq(read(vote, &[var(i)]), con(choice));
    let cast = |choice| write_at(vote, 1, var(0), term(con(choice)));
    let is_member = |n: u32, q: u32| eq(read(member, &[var(n), var(q)]), con(TRUE));
    let not_member = |n: u32, q: u32| eq(read(member, &[var(n), var(q)]), con(FALSE));
    let may_decide =
        |choice| all(&[eq(read(decided, &[var(0)]), con(none)), forall(2, any(&[not_member(2, 0), votes(2, choice)]))]);
    for (name, choice) in [("VoteA", one), ("VoteB", two)] {
        b.rule(name, &[node, node], 1, votes(0, none), vec![cast(choice)]);
    }
    for (name, choice) in [("DecideA", one), ("DecideB", two)] {
        let scope = [quorum, quorum, node];
        b.rule(name, &scope, 1, may_decide(choice), vec![write_at(decided, 1, var(0), term(con(choice)))]);
    }
    b.rule("Betray", &[node, node], 1, eq(read(traitor, &[]), con(TRUE)), vec![cast(two)]);
    let init = vec![
        set(member, &[0, 1], Value::Arbitrary),
        set(vote, &[0], term(con(none))),
        set(decided, &[1], term(con(none))),
        set(traitor, &[], Value::Arbitrary),
    ];
    b.start("Init", &[node, quorum], 0, Formula::True, init);
    let is = |q: u32, choice| lit(read(decided, &[var(q)]), true, con(choice));
    let literal = |n: u32, q: u32, value| lit(read(member, &[var(n), var(q)]), true, con(value));
    let split = cube(&[quorum, quorum], vec![is(0, one), is(1, two)]);
    let stray = |choice| {
        let other = lit(read(vote, &[var(0)]), false, con(choice));
        cube(&[node, quorum], vec![literal(0, 1, TRUE), other, lit(read(decided, &[var(1)]), true, con(choice))])
    };
    b.property("OneDecision", vec![split.clone()]);
    let common = Formula::Exists(IndexVariableId(2), Box::new(all(&[is_member(2, 0), is_member(2, 1)])));
    let apart = |count: u32| Cube {
        variables: vec![quorum; count as usize],
        literals: vec![],
        universals: vec![Universal {
            variables: vec![node],
            literals: (0..count).map(|q| literal(count, q, FALSE)).collect(),
        }],
    };
    b.axiom("Intersect", &[quorum, quorum, node], forall(0, forall(1, common)), vec![apart(1), apart(2)]);
    let betrayed = cube(&[], vec![lit(read(traitor, &[]), true, con(TRUE))]);
    b.axiom("Loyal", &[], eq(read(traitor, &[]), con(FALSE)), vec![betrayed]);
    Example { name: "quorums", system: b.system, cubes: vec![split, stray(one), stray(two)] }
}

/// A lock with tickets: the next ticket and the one that is served are numbers without a bound.
pub(crate) fn ticket_lock() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let phase = b.sort("PHASE", &[], &["Idle", "Waiting", "Critical"]);
    let [idle, waiting, critical] = ["Idle", "Waiting", "Critical"].map(|name| b.constant(name));
    let tickets = b.numbers("TICKET", 0, 3);
    let ph = b.variable("phase[]", &[node], phase);
    let ticket = b.variable("ticket[]", &[node], tickets);
    let [next, serving] = ["next", "serving"].map(|name| b.variable(name, &[], tickets));
    let (next_is, serving_is) = (read(next, &[]), read(serving, &[]));
    let own = |i: u32| read(ticket, &[var(i)]);
    let at = |i: u32, value| eq(read(ph, &[var(i)]), con(value));
    let to = |value| write_at(ph, 1, var(0), term(con(value)));
    let more = |variable, of: &Term| set(variable, &[], Value::Sum(of.clone(), 1));
    let takes = write_at(ticket, 1, var(0), term(next_is.clone()));
    b.rule("Take", &[node; 2], 1, at(0, idle), vec![to(waiting), takes, more(next, &next_is)]);
    let its_turn = all(&[at(0, waiting), is_sum(&own(0), &serving_is, 0)]);
    b.rule("Enter", &[node; 2], 1, its_turn, vec![to(critical)]);
    b.rule("Leave", &[node; 2], 1, at(0, critical), vec![to(idle), more(serving, &serving_is)]);
    let init = vec![set(ph, &[0], term(con(idle))), set(ticket, &[0], term(Term::Zero)), set(next, &[], number(0))];
    b.start("Init", &[node], 0, Formula::True, [init, vec![set(serving, &[], number(0))]].concat());
    let is = |i: u32, value| lit(read(ph, &[var(i)]), true, con(value));
    let busy = |i: u32| lit(read(ph, &[var(i)]), false, con(idle));
    let bad = cube(&[node; 2], vec![is(0, critical), is(1, critical)]);
    b.property("MutualExclusion", vec![bad.clone()]);
    let cubes = vec![
        bad,
        cube(&[node; 2], vec![busy(0), busy(1), most(own(0), 0, own(1)), least(own(0), 0, own(1))]),
        cube(&[node], vec![is(0, critical), most(own(0), -1, serving_is.clone())]),
        cube(&[node], vec![is(0, critical), least(own(0), 1, serving_is.clone())]),
        cube(&[node], vec![busy(0), least(own(0), 0, next_is.clone())]),
        cube(&[node], vec![is(0, waiting), most(own(0), -1, serving_is.clone())]),
        cube(&[], vec![most(next_is, -1, serving_is)]),
    ];
    Example { name: "ticket lock", system: b.system, cubes }
}

/// The bakery: a node chooses a number that is at least that of each other one, greater than those of critical ones. The
/// order of the nodes decides between equal numbers.
pub(crate) fn bakery() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let rank = b.ranks(node);
    let phase = b.sort("PHASE", &[], &["Idle", "Waiting", "Critical"]);
    let [idle, waiting, critical] = ["Idle", "Waiting", "Critical"].map(|name| b.constant(name));
    let numbers = b.numbers("NUMBER", 0, 2);
    let ph = b.variable("phase[]", &[node], phase);
    let n = b.variable("n[]", &[node], numbers);
    let choice = b.variable("choice", &[], numbers);
    b.system.variables[choice.index()].path = vec![PathStep::Number("choice".to_owned())];
    let (chosen, own, place) = (read(choice, &[]), |i: u32| read(n, &[var(i)]), |i: u32| read(rank, &[var(i)]));
    let at = |i: u32, value| eq(read(ph, &[var(i)]), con(value));
    let to = |value| write_at(ph, 1, var(0), term(con(value)));
    let greater = any(&[
        at_most(own(2), -1, chosen.clone()),
        all(&[ne(read(ph, &[var(2)]), con(critical)), at_most(own(2), 0, chosen.clone())]),
    ]);
    let takes = write_at(n, 1, var(0), term(chosen));
    let take = all(&[at(0, idle), forall(2, greater)]);
    b.rule("Take", &[node; 3], 1, take, vec![to(waiting), takes, set(choice, &[], Value::Arbitrary)]);
    let first = any(&[
        eq(index(var(2)), index(var(0))),
        at(2, idle),
        at_most(own(0), -1, own(2)),
        all(&[is_sum(&own(0), &own(2), 0), at_most(place(0), 0, place(2))]),
    ]);
    b.rule("Enter", &[node; 3], 1, all(&[at(0, waiting), forall(2, first)]), vec![to(critical)]);
    let back = write_at(n, 1, var(0), number(0));
    b.rule("Leave", &[node; 2], 1, at(0, critical), vec![to(idle), back]);
    let init = vec![set(ph, &[0], term(con(idle))), set(n, &[0], number(0)), set(choice, &[], Value::Arbitrary)];
    b.start("Init", &[node], 0, Formula::True, init);
    let is = |i: u32, value| lit(read(ph, &[var(i)]), true, con(value));
    let busy = |i: u32| lit(read(ph, &[var(i)]), false, con(idle));
    let bad = cube(&[node; 2], vec![is(0, critical), is(1, critical)]);
    b.property("MutualExclusion", vec![bad.clone()]);
    let passed = cube(&[node; 2], vec![is(0, critical), busy(1), least(own(0), 1, own(1))]);
    let same = [most(own(0), 0, own(1)), least(own(0), 0, own(1)), least(place(0), 1, place(1))];
    let tied = cube(&[node; 2], [vec![is(0, critical), busy(1)], same.to_vec()].concat());
    Example { name: "bakery", system: b.system, cubes: vec![bad, passed, tied] }
}

/// Splits on bounds: of two numbers, and of a number that is written.
pub(crate) fn scales() -> Example {
    let mut b = Builder::new();
    let weights = b.numbers("WEIGHT", -1, 2);
    let [p, q] = ["p", "q"].map(|name| b.variable(name, &[], BOOLEAN));
    let [x, y, z] = ["x", "y", "z"].map(|name| b.variable(name, &[], weights));
    let is = |v, value| eq(read(v, &[]), con(value));
    let at = |v| read(v, &[]);
    b.rule("Go", &[], 0, is(p, TRUE), vec![set(q, &[], term(con(TRUE)))]);
    b.rule("Add", &[], 0, at_most(at(x), 0, at(y)), vec![set(x, &[], Value::Sum(at(y), 1))]);
    let below = at_most(at(z), -1, at(x));
    let moved = ite(below, Value::Sum(at(z), 2), Value::Sum(at(x), -1));
    b.rule("Move", &[], 0, at_most(Term::Zero, 1, at(z)), vec![set(z, &[], moved)]);
    b.rule("Shake", &[], 0, Formula::True, vec![set(y, &[], Value::Arbitrary)]);
    let off = || term(con(FALSE));
    let init = vec![set(p, &[], off()), set(q, &[], off()), set(x, &[], number(1)), set(y, &[], Value::Arbitrary)];
    b.start("Init", &[], 0, Formula::True, [init, vec![set(z, &[], term(Term::Zero))]].concat());
    let holds = |v| lit(at(v), true, con(TRUE));
    let bad = cube(&[], vec![holds(q)]);
    b.property("NeverQ", vec![bad.clone()]);
    let mut cubes = vec![bad];
    for one in [most(at(x), -1, at(y)), least(at(x), 0, at(y))] {
        for other in [most(at(z), 1, Term::Zero), least(at(z), 2, Term::Zero)] {
            cubes.push(cube(&[], vec![holds(p), one.clone(), other]));
        }
    }
    Example { name: "scales", system: b.system, cubes }
}

/// A greatest number: no node has a greater one, and some node has it. A universal part about numbers; sums on both sides.
pub(crate) fn greatest() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let heights = b.numbers("HEIGHT", -1, 2);
    let height = b.variable("height[]", &[node], heights);
    let top = b.variable("top", &[], heights);
    let (own, highest) = (|i: u32| read(height, &[var(i)]), read(top, &[]));
    let to = |value| write_at(height, 2, var(0), value);
    let raised = set(top, &[], Value::Sum(highest.clone(), 1));
    b.rule("Raise", &[node; 3], 1, Formula::True, vec![to(Value::Sum(highest.clone(), 1)), raised]);
    let other = all(&[ne(index(var(0)), index(var(1))), at_most(highest.clone(), 0, own(1))]);
    b.rule("Lower", &[node; 3], 2, other, vec![to(Value::Sum(own(0), -1))]);
    let copied = at_most(own(1), 0, highest.clone());
    b.rule("Copy", &[node; 3], 2, copied, vec![to(ite(at_most(own(0), -1, own(1)), term(own(1)), term(own(0))))]);
    // With a parameter, so that there is a node.
    let init = vec![set(height, &[1], number(0)), set(top, &[], term(Term::Zero))];
    b.start("Init", &[node; 2], 1, Formula::True, init);
    let below = vec![most(own(0), -1, highest.clone()), least(own(0), 1, highest.clone())];
    let universals = vec![Universal { variables: vec![node], literals: below }];
    let nowhere = Cube { variables: vec![], literals: vec![], universals };
    let above = cube(&[node], vec![least(own(0), 1, highest)]);
    b.property("TopIsReached", vec![nowhere.clone(), above.clone()]);
    let some = Formula::Exists(IndexVariableId(0), Box::new(Formula::True));
    b.axiom("NODE has an element", &[node], some, vec![Cube::empty_type(node)]);
    Example { name: "greatest", system: b.system, cubes: vec![nowhere, above] }
}
