//! Breaks each invariant of a lowered system once, because the certificate checker relies on these checks.

#![allow(clippy::unwrap_used, reason = "it is a test")]

use murphi::lower::{LowerOptions, lower};
use murphi::{Options, read};
use system::System;
use system::wellformed::{DEPTH_LIMIT, problems};
use system::{
    Comparison, ConstantId, Formula, IndexTerm, IndexTypeId, IndexVariableId, Literal, NUMBER_LIMIT, NamedId, Numbers,
    SortId, Term,
};
use system::{Universal, Value, VariableId};

const MODEL: &str = "type N : scalarset(3); E : enum { A, B }; \
    var Home : N; p : N; a : array [N] of E; b : boolean; x : 0..99; \
    ruleset h : N do startstate Home := h; p := h; for i : N do a[i] := A; end; b := false; x := 0; end; end; \
    ruleset i : N do rule \"r\" i != Home & b & forall j : N do a[j] = A end ==> \
      for j : N do if j != i then a[j] := B; end; end; p := i; b := a[Home] = A; x := x + 1; end; end; \
    invariant \"all\" forall i : N do a[i] = A | b end; assume \"b\" b -> exists i : N do a[i] = B end;";

fn system() -> System {
    let program = read(MODEL, &Options::default()).unwrap();
    lower(&program, &LowerOptions::default()).unwrap().system
}

/// Gives two things the same name.
macro_rules! same_name {
    ($table:ident) => {
        |s: &mut System| {
            let mut again = s.$table[0].clone();
            again.name.clone_from(&s.$table[0].name);
            s.$table.push(again);
        }
    };
}

fn guard(s: &mut System, more: Formula) {
    let old = std::mem::replace(&mut s.rules[0].guard, Formula::True);
    s.rules[0].guard = Formula::And(vec![old, more]);
}

fn is(left: Term, right: Term) -> Formula {
    Formula::Equal(left, right)
}

fn constant(number: u32) -> Term {
    Term::Constant(ConstantId(number))
}

fn element(number: u32) -> Term {
    Term::Index(IndexTerm::Variable(IndexVariableId(number)))
}

/// The state variable with this name.
fn variable(s: &System, name: &str) -> VariableId {
    let position = s.variables.iter().position(|variable| variable.name == name).unwrap();
    VariableId(u32::try_from(position).unwrap())
}

/// The sort of numbers.
fn numbers(s: &mut System) -> &mut system::Sort {
    s.sorts.iter_mut().find(|sort| sort.numbers.is_some()).unwrap()
}

fn update<'s>(s: &'s mut System, name: &str) -> &'s mut system::Update {
    let variable = variable(s, name);
    s.rules[0].updates.iter_mut().find(|update| update.variable == variable).unwrap()
}

fn nested(depth: usize) -> Formula {
    (0..depth).fold(Formula::True, |inner, _| Formula::And(vec![inner]))
}

/// Gives a cube a universal part: that `p` is not the element with this number.
fn universal(s: &mut System, variables: Vec<IndexTypeId>, number: Option<u32>) {
    let left = Term::Read(variable(s, "p"), Vec::new());
    let literal = |number| Literal { left: left.clone(), comparison: Comparison::Different, right: element(number) };
    let literals = number.map(literal).into_iter().collect();
    s.properties[0].bad[0].universals.push(Universal { variables, literals });
}

type Break = fn(&mut System);

/// Each problem, and a change that makes a system have it.
const BROKEN: &[(&str, Break)] = &[
    ("two index types have the same name", same_name!(index_types)),
    ("two constants have the same name", same_name!(constants)),
    ("two state variables have the same name", same_name!(variables)),
    ("two named elements of one type have the same name", same_name!(named)),
    ("a named element has a type that does not exist", |s| s.named[0].index_type = IndexTypeId(9)),
    ("the types or constants of a sort do not exist, or occur twice", |s| {
        let sort = s.sorts.iter_mut().find(|sort| !sort.constants.is_empty()).unwrap();
        sort.constants.push(sort.constants[0]);
    }),
    ("the types or constants of a sort do not exist, or occur twice", |s| {
        s.sorts[0].index_types.push(IndexTypeId(9));
    }),
    ("a constant of a sort does not exist", |s| s.sorts[0].constants.push(ConstantId(99))),
    ("a sort has no value", |s| {
        s.sorts[0].constants.clear();
        s.sorts[0].index_types.clear();
    }),
    ("a state variable has a sort or an argument type that does not exist", |s| s.variables[0].sort = SortId(99)),
    ("a state variable has a sort or an argument type that does not exist", |s| {
        s.variables[0].arguments.push(IndexTypeId(9));
    }),
    ("an index variable has a type that does not exist", |s| s.rules[0].scope[0].index_type = IndexTypeId(9)),
    ("more parameters than index variables", |s| s.rules[0].parameters = 99),
    ("updates are not ascending by state variable", |s| s.rules[0].updates.reverse()),
    ("updates are not ascending by state variable", |s| {
        let again = s.rules[0].updates[0].clone();
        s.rules[0].updates.insert(0, again);
    }),
    ("a startstate does not update a state variable that is no parameter", |s| {
        s.startstates[0].updates.pop();
    }),
    ("a startstate reads a state variable", |s| {
        let b = variable(s, "b");
        s.startstates[0].guard = is(Term::Read(b, Vec::new()), constant(0));
    }),
    ("a startstate reads a state variable", |s| {
        let b = variable(s, "b");
        let own = s.startstates[0].updates.iter_mut().find(|update| update.variable == b).unwrap();
        own.value = Value::If(
            is(Term::Read(b, Vec::new()), constant(0)),
            Box::new(own.value.clone()),
            Box::new(own.value.clone()),
        );
    }),
    ("an unknown variable is updated", |s| {
        let mut update = s.rules[0].updates[0].clone();
        update.variable = VariableId(99);
        s.rules[0].updates.push(update);
    }),
    ("the arguments of an update do not have the types that the state variable requires", |s| {
        update(s, "a[]").arguments.clear();
    }),
    ("an update leaves the sort of its variable", |s| update(s, "p").value = Value::Term(constant(0))),
    ("an update leaves the sort of its variable", |s| {
        let named = Term::Index(IndexTerm::Named(NamedId(0)));
        update(s, "b").value = Value::Term(named);
    }),
    ("an update leaves the sort of its variable", |s| {
        let b = variable(s, "b");
        update(s, "a[]").value = Value::Term(Term::Read(b, Vec::new()));
    }),
    ("two sides of an equation share no value", |s| guard(s, is(element(0), constant(0)))),
    ("two sides of an equation share no value", |s| {
        let (a, p) = (variable(s, "a[]"), variable(s, "p"));
        let read = Term::Read(a, vec![IndexTerm::Variable(IndexVariableId(0))]);
        guard(s, is(read, Term::Read(p, Vec::new())));
    }),
    ("two sides of an equation share no value", |s| {
        let b = variable(s, "b");
        s.properties[0].formula = is(Term::Read(b, Vec::new()), Term::Index(IndexTerm::Named(NamedId(0))));
    }),
    ("two sides of a literal share no value", |s| {
        s.properties[0].bad[0].literals[0].right = Term::Index(IndexTerm::Named(NamedId(0)));
    }),
    ("a formula is nested too deeply", |s| {
        let value = update(s, "b").value.clone();
        let deep = |inner, _| Value::If(Formula::True, Box::new(Value::Arbitrary), Box::new(inner));
        update(s, "b").value = (0..DEPTH_LIMIT).fold(value, deep);
    }),
    ("a formula is nested too deeply", |s| guard(s, nested(DEPTH_LIMIT))),
    ("a guard is not in negation normal form", |s| guard(s, Formula::Not(Box::new(Formula::And(Vec::new()))))),
    ("a quantifier where none is allowed", |s| {
        let inner = Box::new(Formula::True);
        guard(s, Formula::Exists(IndexVariableId(1), inner));
    }),
    ("a quantifier where none is allowed", |s| {
        let condition = Formula::Forall(IndexVariableId(1), Box::new(Formula::True));
        let value = update(s, "b").value.clone();
        update(s, "b").value = Value::If(condition, Box::new(value), Box::new(Value::Arbitrary));
    }),
    ("a bound variable that is not in the scope", |s| {
        guard(s, Formula::Forall(IndexVariableId(99), Box::new(Formula::True)));
    }),
    ("a variable is bound twice", |s| guard(s, Formula::Forall(IndexVariableId(0), Box::new(Formula::True)))),
    ("a constant that does not exist", |s| guard(s, is(constant(99), constant(0)))),
    ("a state variable that does not exist", |s| {
        guard(s, is(Term::Read(VariableId(99), Vec::new()), constant(0)));
    }),
    ("arguments of the wrong number or types", |s| {
        let a = variable(s, "a[]");
        guard(s, is(Term::Read(a, Vec::new()), constant(0)));
    }),
    ("a named element that does not exist", |s| {
        guard(s, is(Term::Index(IndexTerm::Named(NamedId(9))), element(0)));
    }),
    ("an index variable is used outside its quantifier", |s| {
        let bound = s.rules[0].parameters;
        guard(s, is(element(bound), element(0)));
    }),
    ("a variable has a type that does not exist", |s| s.properties[0].bad[0].variables.push(IndexTypeId(9))),
    ("the types of a universal part are not ascending", |s| {
        let [n, m] = [0, 1].map(IndexTypeId);
        s.index_types.push(system::IndexType { name: "M".into(), ..s.index_types[0].clone() });
        universal(s, vec![m, n], None);
    }),
    ("a universal part has no variable", |s| universal(s, Vec::new(), None)),
    // The variables of a universal part come after those of the cube.
    ("an index variable is used outside its quantifier", |s| universal(s, vec![IndexTypeId(0)], Some(2))),
    ("a variable has a type that does not exist", |s| universal(s, vec![IndexTypeId(9)], None)),
    ("arguments of the wrong number or types", |s| {
        let a = variable(s, "a[]");
        s.properties[0].bad[0].literals[0].left = Term::Read(a, Vec::new());
    }),
    ("a sort of numbers has other values", |s| numbers(s).constants.push(ConstantId(0))),
    ("a sort of numbers has no number", |s| numbers(s).numbers = Some(Numbers { low: 1, high: 0 })),
    ("a number is too great", |s| numbers(s).numbers = Some(Numbers { low: 0, high: NUMBER_LIMIT + 1 })),
    ("a number is too great", |s| update(s, "x").value = Value::Sum(Term::Zero, NUMBER_LIMIT + 1)),
    ("a number is too great", |s| guard(s, Formula::AtMost(Term::Zero, Term::Zero, -NUMBER_LIMIT - 1))),
    ("a sum is not a number, or its variable has no numbers", |s| update(s, "b").value = Value::Sum(Term::Zero, 1)),
    ("a sum is not a number, or its variable has no numbers", |s| update(s, "x").value = Value::Sum(constant(0), 1)),
    ("a bound compares something that is not a number", |s| guard(s, Formula::AtMost(Term::Zero, constant(0), 0))),
    ("whether a rule writes what an assumption reads is wrong", |s| s.axioms[0].immutable = true),
    ("a universal part has no variable", |s| s.axioms[0].bad[0].universals[0].variables.clear()),
    ("an index variable is used outside its quantifier", |s| s.axioms[0].formula = is(element(0), element(0))),
    ("an index variable is used outside its quantifier", |s| s.properties[0].formula = is(element(0), element(0))),
];

#[test]
fn a_lowered_system_keeps_its_promises() {
    assert_eq!(problems(&system()), Vec::<String>::new());
}

#[test]
fn each_broken_promise_is_told() {
    for (number, (problem, broken)) in BROKEN.iter().enumerate() {
        let mut system = system();
        broken(&mut system);
        let told = problems(&system);
        assert!(told.iter().any(|told| told.ends_with(problem)), "case {number}, {problem}: {told:?}");
    }
}

#[test]
fn every_promise_is_broken_here() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../system/src/wellformed.rs")).unwrap();
    let told = text.lines().filter(|line| ["Err(\"", "ok_or(\"", "unique("].iter().any(|mark| line.contains(mark)));
    let told: Vec<&str> = told.filter_map(|line| line.split('"').nth(1)).collect();
    assert!(told.len() > 25, "{told:?}");
    for problem in told {
        // Scopes have a type for each variable by construction, and the condition of a deeply nested value is checked
        // before the value. These two errors exist only so that nothing can panic.
        let unreachable = ["an index variable without a type", "a value is nested too deeply"].contains(&problem);
        assert!(unreachable || BROKEN.iter().any(|(known, _)| *known == problem), "{problem} has no case");
    }
}
