//! A property of the form "for all, there is", whose violation a variable records, as lowering makes it.

use system::{FALSE, Formula, NO_SOURCE, SortId, TRUE, Value, VariableId};

use super::support::build::{
    Builder, all, con, cube, eq, forall, index, line, lit, ne, read, set, term, var, write_at,
};
use super::support::systems::Example;

/// A node that is inside has a key; the property says that some node then has one.
pub(crate) fn noted() -> Example {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &["Home"]);
    let boolean = SortId(0);
    let inside = b.variable("inside[]", &[node], boolean);
    let key = b.variable("key[]", &[node], boolean);
    let violated = b.variable("SomebodyHasAKey_violated", &[], boolean);
    let holds = |variable, i: u32| eq(read(variable, &[var(i)]), con(TRUE));
    let to = |variable, value| write_at(variable, 1, var(0), term(con(value)));
    b.rule("Take", &[node, node], 1, Formula::True, vec![to(key, TRUE)]);
    b.rule("Enter", &[node, node], 1, holds(key, 0), vec![to(inside, TRUE)]);
    b.rule("Leave", &[node, node], 1, holds(inside, 0), vec![to(inside, FALSE), to(key, FALSE)]);
    let nobody = forall(1, eq(read(key, &[var(1)]), con(FALSE)));
    let note = vec![set(violated, &[], term(con(TRUE)))];
    b.rule("SomebodyHasAKey is violated", &[node, node], 1, all(&[holds(inside, 0), nobody]), note);
    b.system.rules.last_mut().expect("it has just been added").source = NO_SOURCE;
    let off = || term(con(FALSE));
    let init = vec![set(inside, &[0], off()), set(key, &[0], off()), set(violated, &[], off())];
    b.start("Init", &[node], 0, Formula::True, init);
    let is = |variable, i| lit(read(variable, &[i]), true, con(TRUE));
    let has_none = |i| lit(read(key, &[i]), true, con(FALSE));
    let bad = cube(&[], vec![lit(read(violated, &[]), true, con(TRUE))]);
    b.property("SomebodyHasAKey", vec![bad.clone()]);
    let home = super::support::build::named(0);
    let cubes = vec![
        bad,
        cube(&[node], vec![is(inside, var(0)), has_none(var(0))]),
        cube(&[], vec![is(inside, home), has_none(home)]),
    ];
    Example { name: "noted", system: b.system, cubes }
}

/// The same example with a startstate that could violate the property if its guard ever held: besides the rules, or
/// alone.
pub(crate) fn noted_by_startstate(by_rules: bool) -> Example {
    let Example { system, mut cubes, .. } = noted();
    let (inside, key, violated) = (VariableId(0), VariableId(1), VariableId(2));
    let mut b = Builder { system };
    b.system.variables[violated.index()].origin = line(60);
    if !by_rules {
        b.system.rules.retain(|rule| rule.source != NO_SOURCE);
        cubes.truncate(1);
    }
    let node = b.system.variables[inside.index()].arguments[0];
    let never = all(&[eq(index(var(0)), index(var(1))), ne(index(var(0)), index(var(1)))]);
    let init = vec![
        set(inside, &[2], Value::Arbitrary),
        set(key, &[2], Value::Arbitrary),
        set(violated, &[], term(con(TRUE))),
    ];
    b.start("SomebodyHasAKey is violated", &[node, node, node], 2, never, init);
    b.system.startstates.last_mut().expect("it has just been added").origin = line(60);
    Example { name: if by_rules { "noted by both" } else { "noted by startstate" }, system: b.system, cubes }
}
