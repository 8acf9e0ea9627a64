//! Numbers: what bounds imply, which cubes and splits the kernel takes, and random rules against all states.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "the tests report counts")]

mod support;

use std::collections::BTreeSet;

use certificate::fault::Problem;
use certificate::kernel::argument::cases;
use certificate::kernel::closure::Closure;
use certificate::kernel::context::Context;
use certificate::kernel::ground::{Datum, Equation, Ground, Read, Side};
use certificate::proof::{
    Argument, Certificate, Invariant, InvariantOrigin, Relation, Split, SplitOn, Symbol, SymbolTypes,
};
use certificate::{check, write};
use support::build::{
    Builder, all, any, at_most, con, cube, eq, forall, index, ite, least, lit, most, ne, number, read, set, term, v,
    var,
};
use support::explicit::{Instance, State};
use support::prove::{certify, model, try_certify};
use support::python;
use support::random::Random;
use support::systems::{Example, ticket_lock};
use support::tamper::{all_changes, each_change};
use system::cube::Decision;
use system::{
    Comparison, Cube, FALSE, Formula, IndexTypeId, Literal, NUMBER_LIMIT, PropertyId, SortId, System, TRUE, Term,
    Universal, Update, Value, VariableId,
};

const NODE: IndexTypeId = IndexTypeId(0);

/// How many random rules are tried. `PARAPROOF_RULES=20000` tries more.
const TRIALS: usize = 600;
/// How many of them, and of their changed certificates, the Python checker is asked about.
const SECOND_OPINIONS: usize = 16;

/// A flag and a number of each node, and two numbers.
fn counters() -> Builder {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let numbers = b.numbers("NUMBER", -2, 2);
    b.variable("f[]", &[node], SortId(0));
    b.variable("t[]", &[node], numbers);
    b.variable("x", &[], numbers);
    b.variable("y", &[], numbers);
    b
}

const F: VariableId = VariableId(0);
const T: VariableId = VariableId(1);
const X: VariableId = VariableId(2);
const Y: VariableId = VariableId(3);

/// The closure of bounds knows exactly what holds in all assignments that satisfy them.
#[test]
fn the_closure_of_bounds_is_exact() {
    let mut b = counters();
    b.variable("z", &[], SortId(1));
    let symbols = SymbolTypes::default();
    let ground = Ground { system: &b.system, symbols: &symbols };
    let mut sides: Vec<Side> =
        (2..5).map(|variable| Side::Read(Read { variable: VariableId(variable), arguments: vec![] })).collect();
    sides.push(Side::Datum(Datum::Zero));
    let value = |side: &Side, own: &[i64; 3]| match side {
        Side::Read(read) => own[read.variable.index() - 2],
        Side::Datum(_) => 0,
    };
    let holds = |equation: &Equation, own: &[i64; 3]| match equation {
        Equation::True => true,
        Equation::False => false,
        Equation::Open(fact) => {
            fact.comparison.holds_of_numbers(value(&Side::Read(fact.left.clone()), own) - value(&fact.right, own))
        }
    };
    // No path of three bounds is longer.
    let range = || -9..=9_i64;
    let assignments: Vec<[i64; 3]> =
        range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z]))).collect();
    let mut bounds = Vec::new();
    for (left, right) in sides.iter().flat_map(|left| sides.iter().map(move |right| (left, right))) {
        for comparison in (-3..=3).flat_map(|sum| [Comparison::AtMost(sum), Comparison::AtLeast(sum)]) {
            let equation = ground.comparison(left.clone(), comparison, right.clone());
            // The normal form, decided or not, is true in the same assignments, and so is its negation in the others.
            let direct = |own: &[i64; 3]| comparison.holds_of_numbers(value(left, own) - value(right, own));
            assert!(assignments.iter().all(|own| holds(&equation, own) == direct(own)), "{equation:?}");
            if matches!(equation, Equation::Open(_)) {
                let negation = ground.negation(&equation);
                assert!(assignments.iter().all(|own| holds(&negation, own) != direct(own)), "{negation:?}");
                bounds.push(equation);
            }
        }
    }
    let (mut random, mut contradictory, mut known, mut open) = (Random(3), 0, 0, 0);
    for _ in 0..400 {
        let facts: Vec<&Equation> = (0..1 + random.position(6)).map(|_| random.pick(&bounds)).collect();
        let mut closure = Closure::default();
        facts.iter().for_each(|fact| closure.assume(fact));
        closure.close(ground);
        let models: Vec<_> = assignments.iter().filter(|own| facts.iter().all(|fact| holds(fact, own))).collect();
        assert_eq!(closure.is_contradictory(), models.is_empty(), "{facts:?}");
        contradictory += usize::from(closure.is_contradictory());
        if closure.is_contradictory() {
            continue;
        }
        for equation in &bounds {
            let truths: BTreeSet<bool> = models.iter().map(|own| holds(equation, own)).collect();
            let due = (truths.len() == 1).then(|| truths.contains(&true));
            // The ends of the range are no bounds.
            let at_end = models.iter().any(|own| own.iter().any(|number| number.abs() == 9));
            assert!(closure.knows(equation) == due || (at_end && closure.knows(equation).is_none()), "{facts:?}");
            known += usize::from(closure.knows(equation).is_some());
            open += usize::from(closure.knows(equation).is_none());
        }
    }
    assert!(contradictory > 50 && known > 5_000 && open > 5_000, "{contradictory} {known} {open}");
}

#[test]
fn splits_on_bounds_are_about_numbers_and_two_cases() {
    let b = counters();
    let none = Cube { variables: vec![NODE], literals: vec![], universals: vec![] };
    let context = Context::of(&b.system, &none).unwrap();
    let own = |variable, arguments: &[Symbol]| Read { variable, arguments: arguments.to_vec() };
    let found = |on: SplitOn| cases(&context, &Split { on, cases: vec![] }, &[]).map(|cases| cases.len());
    let bound = |left: &Read, right: Option<&Read>, sum| found(SplitOn::Bound(left.clone(), right.cloned(), sum));
    let two = Err(Problem::Cases { due: 2, found: 0 });
    let (x, y, t) = (own(X, &[]), own(Y, &[]), own(T, &[v(0)]));
    let zero = Side::Datum(Datum::Zero);
    for sum in [0, 1, -1, NUMBER_LIMIT, -NUMBER_LIMIT] {
        for (left, right) in [(&x, Some(&y)), (&y, Some(&x)), (&x, None), (&t, Some(&x)), (&x, Some(&x))] {
            assert_eq!(bound(left, right, sum), two);
            // The bound holds in the first case, and its negation in the second, so that the cases are all that there are.
            let on = SplitOn::Bound(left.clone(), right.cloned(), sum);
            let empty = Argument { premises: vec![], split: None };
            let both = cases(&context, &Split { on, cases: vec![empty.clone(), empty] }, &[]).unwrap();
            let side = right.cloned().map_or(zero.clone(), Side::Read);
            let holds = context.ground().comparison(Side::Read(left.clone()), Comparison::AtMost(sum), side.clone());
            let fails = context.ground().comparison(Side::Read(left.clone()), Comparison::AtLeast(sum + 1), side);
            assert_eq!(both.len(), 2);
            for ((case, added), due) in both.iter().zip([holds, fails]) {
                let possible = due != Equation::False;
                assert_eq!((case.knows(&due), case.is_contradictory()), (Some(possible), !possible));
                assert_eq!(*added, [due]);
            }
        }
    }
    for sum in [NUMBER_LIMIT + 1, -NUMBER_LIMIT - 1, i64::MAX, i64::MIN] {
        assert_eq!(bound(&x, Some(&y), sum), Err(Problem::BadSplit { variable: X }));
    }
    let wrong = [own(F, &[v(0)]), own(T, &[]), own(T, &[v(1)]), own(X, &[v(0)]), own(VariableId(4), &[])];
    for read in &wrong {
        let variable = read.variable;
        assert_eq!(bound(read, Some(&x), 0), Err(Problem::BadSplit { variable }));
        assert_eq!(bound(&x, Some(read), 0), Err(Problem::BadSplit { variable }));
        assert_eq!(bound(read, None, 0), Err(Problem::BadSplit { variable }));
    }
    // A number has no list of values.
    assert_eq!(found(SplitOn::Value(X, vec![])), Err(Problem::BadSplit { variable: X }));
    assert_eq!(found(SplitOn::Value(T, vec![v(0)])), Err(Problem::BadSplit { variable: T }));
    assert_eq!(found(SplitOn::Value(F, vec![v(0)])), two);
}

/// Well-formed systems do not compare them. If one did, they would differ.
#[test]
fn a_number_and_another_value_differ() {
    let mut b = counters();
    let last = b.variable("last", &[], SortId(0));
    let symbols = SymbolTypes::default();
    let ground = Ground { system: &b.system, symbols: &symbols };
    let side = |variable| Side::Read(Read { variable, arguments: vec![] });
    for (left, right) in [(F, X), (X, F), (X, last), (last, X)] {
        for (comparison, due) in [(Comparison::Equal, Equation::False), (Comparison::Different, Equation::True)] {
            let found = ground.comparison(side(left), comparison, side(right));
            assert_eq!(found, due);
            assert_ne!(ground.negation(&found), due);
        }
    }
}

/// A certificate without entries.
fn with_cube(cube: Cube) -> Certificate {
    let origin = InvariantOrigin::Property(PropertyId(0));
    Certificate {
        model_digest: model().digest,
        settings: model().settings,
        properties: vec![],
        invariants: vec![Invariant { cube, origin }],
        initial: vec![],
        relations: vec![],
    }
}

#[test]
fn literals_of_numbers_are_bounds_in_normal_form() {
    let mut b = counters();
    b.property("None", vec![]);
    let found = |literal: Literal| {
        let certificate = with_cube(cube(&[NODE], vec![literal]));
        let faults = check(&b.system, &certificate, &model()).err().unwrap_or_default();
        assert!(faults.len() < 2, "{faults:?}");
        let problem = faults.into_iter().next().map(|fault| fault.problem);
        problem.map(|problem| if let Problem::Cube(problem) = problem { problem } else { "it is not about the cube" })
    };
    let [x, y, f] = [read(X, &[]), read(Y, &[]), read(F, &[var(0)])];
    let own = |i: u32| read(T, &[var(i)]);
    assert_eq!(found(most(x.clone(), NUMBER_LIMIT, y.clone())), None);
    assert_eq!(found(least(own(0), -NUMBER_LIMIT, Term::Zero)), None);
    let order = Some("a literal is not in normal form");
    assert_eq!(found(most(y.clone(), 0, x.clone())), order);
    assert_eq!(found(least(x.clone(), 0, own(0))), order);
    assert_eq!(found(most(Term::Zero, 0, x.clone())), order);
    assert_eq!(found(most(x.clone(), 0, x.clone())), Some("a literal is decided by its form"));
    assert_eq!(found(least(Term::Zero, 1, Term::Zero)), Some("a literal is decided by its form"));
    let great = Some("a number is too great");
    for sum in [NUMBER_LIMIT + 1, -NUMBER_LIMIT - 1, i64::MAX, i64::MIN] {
        assert_eq!(found(most(x.clone(), sum, y.clone())), great);
        assert_eq!(found(least(x.clone(), sum, Term::Zero)), great);
        assert_eq!(found(least(Term::Zero, sum, x.clone())), great);
    }
    let other = Some("a bound compares something that is not a number");
    for right in [f.clone(), con(TRUE), index(var(0))] {
        assert_eq!(found(most(x.clone(), 0, right.clone())), other);
        assert_eq!(found(least(right, 0, x.clone())), other);
    }
    assert_eq!(found(lit(f.clone(), false, con(TRUE))), order);
    // Numbers are not compared by equations, in which the kernel would take them for values without a number.
    let unequal = Some("two sides of a literal share no value");
    for right in [y, own(0), Term::Zero, con(TRUE), f.clone(), index(var(0))] {
        for equal in [true, false] {
            assert_eq!(found(lit(x.clone(), equal, right.clone())), unequal);
            assert_eq!(found(lit(right.clone(), equal, x.clone())), unequal);
        }
    }
    assert_eq!(found(lit(f, true, Term::Zero)), unequal);
}

/// What the kernel says about a system with one rule.
fn system_problems(guard: Formula, updates: Vec<Update>) -> Vec<String> {
    let mut b = counters();
    b.rule("Rule", &[NODE; 2], 1, guard, updates);
    let found = check(&b.system, &with_cube(cube(&[], vec![])), &model()).err().unwrap_or_default();
    found.into_iter().map(|fault| fault.problem.to_string()).filter(|text| text.contains("rule \"Rule\"")).collect()
}

#[test]
fn systems_compare_and_assign_numbers_by_bounds_and_sums() {
    let [x, y, f] = [read(X, &[]), read(Y, &[]), read(F, &[var(0)])];
    let fails = |guard: Formula, words: &str| {
        let found = system_problems(guard, vec![]);
        assert!(matches!(&found[..], [one] if one.contains(words)), "{words}: {found:?}");
    };
    assert_eq!(system_problems(at_most(x.clone(), NUMBER_LIMIT, y.clone()), vec![]), [""; 0]);
    for sum in [NUMBER_LIMIT + 1, i64::MAX, i64::MIN] {
        fails(at_most(x.clone(), sum, y.clone()), "a number is too great");
    }
    fails(eq(x.clone(), y.clone()), "share no value");
    fails(ne(x.clone(), Term::Zero), "share no value");
    fails(eq(f.clone(), Term::Zero), "share no value");
    fails(at_most(x.clone(), 0, f.clone()), "not a number");
    let assigned = |variable: VariableId, value: Value, words: &str| {
        let found = system_problems(Formula::True, vec![set(variable, &[], value)]);
        assert!(matches!(&found[..], [one] if one.contains(words)), "{words}: {found:?}");
    };
    let fine = set(X, &[], Value::Sum(y.clone(), -NUMBER_LIMIT));
    assert_eq!(system_problems(Formula::True, vec![fine, set(Y, &[], term(Term::Zero))]), [""; 0]);
    assigned(X, Value::Sum(y, NUMBER_LIMIT + 1), "a number is too great");
    assigned(X, number(i64::MIN), "a number is too great");
    assigned(X, Value::Sum(f.clone(), 0), "a sum is not a number");
    assigned(X, term(f), "leaves the sort");
    assigned(X, term(con(TRUE)), "leaves the sort");
    for value in [term(Term::Zero), term(x.clone()), Value::Sum(x, 0)] {
        let found = system_problems(Formula::True, vec![set(F, &[1], value)]);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

/// A random system: one rule, and invariants that may hold or not.
struct Rules<'r>(&'r mut Random);

impl Rules<'_> {
    fn coin(&mut self) -> bool {
        self.0.position(2) == 0
    }

    fn sum(&mut self) -> i64 {
        *self.0.pick(&[-1, 0, 0, 1])
    }

    /// A number, at these index variables.
    fn number(&mut self, elements: &[u32]) -> Term {
        match self.0.position(4) {
            0 => read(X, &[]),
            1 => read(Y, &[]),
            2 if self.coin() => Term::Zero,
            _ if elements.is_empty() => read(X, &[]),
            _ => read(T, &[var(*self.0.pick(elements))]),
        }
    }

    fn atom(&mut self, elements: &[u32]) -> Formula {
        let element = |random: &mut Random| var(*random.pick(elements));
        match self.0.position(6) {
            0 => eq(read(F, &[element(self.0)]), con(*self.0.pick(&[TRUE, FALSE]))),
            1 => {
                let sides = (index(element(self.0)), index(element(self.0)));
                if self.coin() { eq(sides.0, sides.1) } else { ne(sides.0, sides.1) }
            }
            _ => at_most(self.number(elements), self.sum(), self.number(elements)),
        }
    }

    /// A guard over the variables 0 and 1, in which 3 can be bound.
    fn guard(&mut self) -> Formula {
        let parts: Vec<Formula> = (0..self.0.position(4))
            .map(|_| match self.0.position(4) {
                0 => forall(3, any(&[self.atom(&[0, 1, 3]), self.atom(&[0, 3])])),
                1 => any(&[self.atom(&[0, 1]), self.atom(&[0, 1])]),
                _ => self.atom(&[0, 1]),
            })
            .collect();
        all(&parts)
    }

    fn value(&mut self, elements: &[u32], depth: usize) -> Value {
        match self.0.position(6) {
            0 => Value::Arbitrary,
            1 => term(self.number(elements)),
            2 | 3 if depth > 0 => {
                let condition = if self.coin() {
                    Formula::Not(Box::new(self.atom(elements)))
                } else {
                    all(&[self.atom(elements), self.atom(elements)])
                };
                ite(condition, self.value(elements, depth - 1), self.value(elements, depth - 1))
            }
            _ => Value::Sum(self.number(elements), self.sum()),
        }
    }

    fn updates(&mut self) -> Vec<Update> {
        let mut all = Vec::new();
        if self.coin() {
            let flag = ite(self.atom(&[0, 1, 2]), term(con(TRUE)), term(read(F, &[var(2)])));
            all.push(set(F, &[2], flag));
        }
        if self.coin() {
            let here = eq(index(var(2)), index(var(0)));
            let value = self.value(&[0, 1, 2], 1);
            let value = if self.coin() { value } else { ite(here, value, term(read(T, &[var(2)]))) };
            all.push(set(T, &[2], value));
        }
        for variable in [X, Y] {
            if self.coin() {
                all.push(set(variable, &[], self.value(&[0, 1], 1)));
            }
        }
        all
    }

    fn literals(&mut self, system: &System, types: &[IndexTypeId], most: usize) -> Vec<Literal> {
        let elements: Vec<u32> = (0..u32::try_from(types.len()).unwrap()).collect();
        let mut all: Vec<Literal> = Vec::new();
        for _ in 0..1 + self.0.position(most) {
            let literal = if !elements.is_empty() && self.0.position(4) == 0 {
                lit(read(F, &[var(*self.0.pick(&elements))]), true, con(*self.0.pick(&[TRUE, FALSE])))
            } else {
                let comparison =
                    if self.coin() { Comparison::AtMost(self.sum()) } else { Comparison::AtLeast(self.sum()) };
                Literal { left: self.number(&elements), comparison, right: self.number(&elements) }
            };
            // The front-end's normal form has to be the kernel's.
            if let Decision::Open(literal) = literal.decide(system, types)
                && !all.contains(&literal)
            {
                all.push(literal);
            }
        }
        all
    }

    fn cube(&mut self, system: &System) -> Cube {
        let variables = vec![NODE; self.0.position(3)];
        let literals = self.literals(system, &variables, 2);
        let mut universals = Vec::new();
        if self.0.position(4) == 0 {
            let own = vec![NODE];
            let literals = self.literals(system, &[&variables[..], &own].concat(), 2);
            universals.push(Universal { variables: own, literals });
        }
        Cube { variables, literals, universals }
    }
}

/// If the kernel accepts cubes for a rule, no step leads from outside of all cubes into one, in all states of instances
/// with 1 to 3 nodes and small numbers. The Python checker agrees about these certificates and about changed ones.
#[test]
fn random_rules_keep_the_invariants_that_the_kernel_accepts() {
    let trials = std::env::var("PARAPROOF_RULES").map_or(TRIALS, |text| text.parse().unwrap());
    let opinions = if python::is_there() { SECOND_OPINIONS } else { 0 };
    let mut random = Random(5);
    let any_number = |variable, arguments: &[u32]| set(variable, arguments, Value::Arbitrary);
    let mut everywhere = counters();
    let arbitrary = vec![any_number(F, &[0]), any_number(T, &[0]), any_number(X, &[]), any_number(Y, &[])];
    everywhere.start("Any", &[NODE], 0, Formula::True, arbitrary);
    let instance = |size| Instance::new(&everywhere.system, size).reachable(1 << 14).unwrap();
    let states = [instance(1), instance(2)];
    let (mut accepted, mut implied, mut open, mut wrong, mut steps, mut asked) = (0, 0, 0, 0, 0, 0);
    for trial in 0..trials {
        let mut b = counters();
        let mut rules = Rules(&mut random);
        let (guard, updates) = (rules.guard(), rules.updates());
        b.rule("Rule", &[NODE; 4], 2, guard, updates);
        let count = 1 + rules.0.position(2);
        let cubes: Vec<Cube> = (0..count).map(|_| rules.cube(&b.system)).collect();
        b.property("None", vec![]);
        let certificate = try_certify(&b.system, &cubes);
        if let Some(certificate) = &certificate {
            let faults = check(&b.system, certificate, &model()).err();
            assert_eq!(faults, None, "{cubes:?} {:?}", b.system.rules);
            accepted += 1;
            let needs_premise =
                |entry: &certificate::proof::RelationEntry| matches!(entry.relation, Relation::Implied(_));
            implied += usize::from(certificate.relations.iter().any(needs_premise));
        }
        let mut broken = false;
        for (size, states) in (1..).zip(&states) {
            let instance = Instance::new(&b.system, size);
            let is_bad = |state: &State| cubes.iter().any(|cube| instance.satisfies(state, cube));
            let stride = if certificate.is_some() || size == 1 { 1 } else { 7 };
            for state in states.iter().step_by(stride).filter(|state| !is_bad(state)) {
                let after = instance.successors(state, 0);
                steps += after.len();
                broken |= after.iter().any(is_bad);
            }
        }
        assert!(!broken || certificate.is_none(), "{cubes:?} {:?}", b.system.rules);
        match (certificate, broken) {
            (None, true) => wrong += 1,
            (None, false) => open += 1,
            (Some(certificate), _) if asked < opinions && trial % 2 == 0 => {
                asked += 1;
                agree(&b.system, &certificate, &mut random);
            }
            (Some(_), _) => {}
        }
    }
    eprintln!(
        "{accepted} accepted, {implied} of them with premises; {wrong} wrong, {open} open; {steps} steps; {asked} systems \
         for the Python checker"
    );
    assert!(accepted > trials / 10 && implied > trials / 40 && wrong > trials / 10);
}

/// Both checkers agree about the certificate and about some changes of it.
fn agree(system: &System, certificate: &Certificate, random: &mut Random) {
    let mut changes = all_changes(system, certificate);
    random.shuffle(&mut changes);
    let mut chosen = vec![("nothing".to_owned(), certificate.clone())];
    chosen.extend(changes.into_iter().take(40).map(|change| (change.what, change.certificate)));
    let texts: Vec<String> = chosen.iter().map(|(_, changed)| write(changed, system)).collect();
    let theirs = python::first_lines(system, &model(), &texts);
    for (((what, changed), text), theirs) in chosen.iter().zip(&texts).zip(theirs) {
        let readable = certificate::read(text.as_bytes(), system).is_ok();
        let ours = readable && check(system, changed, &model()).is_ok();
        assert_eq!(ours, theirs == "accepted", "{what}: the Python checker says {theirs}\n{text}");
    }
}

/// A version 4 file for numbers, whatever its invariants; others have the versions that they had.
#[test]
fn only_systems_with_numbers_need_the_new_version() {
    for example in support::systems::all_examples() {
        let numbers = example.system.sorts.iter().any(|sort| sort.numbers.is_some());
        let text = write(&certify(&example.system, &example.cubes), &example.system);
        assert_eq!(text.contains("\"version\":4,"), numbers, "{}", example.name);
    }
    let lock = ticket_lock();
    assert!(write(&with_cube(cube(&[], vec![])), &lock.system).contains("\"version\":4,"));
}

/// Nothing writes ranks, so that a startstate says nothing about them, and no entry can close what is left.
#[test]
fn ranks_have_any_value_at_the_start() {
    let example = support::systems::bakery();
    let rank = example.system.rank(NODE).unwrap();
    let ordered = cube(&[NODE; 2], vec![most(read(rank, &[var(0)]), 0, read(rank, &[var(1)]))]);
    let mut certificate = certify(&example.system, &example.cubes);
    assert!(check(&example.system, &certificate, &model()).is_ok());
    let found = |certificate: &Certificate| {
        let faults = check(&example.system, certificate, &model()).err().unwrap_or_default();
        faults.into_iter().any(|fault| fault.problem == Problem::InitialOpen)
    };
    certificate.invariants[1].cube = ordered;
    assert!(found(&certificate));
    // A rule that writes them makes them a state, which startstates have to give.
    let mut b = Builder { system: example.system.clone() };
    b.rule("Turn", &[NODE], 0, Formula::True, vec![set(rank, &[0], Value::Arbitrary)]);
    b.system.axioms.iter_mut().for_each(|axiom| axiom.immutable = false);
    let faults = check(&b.system, &certificate, &model()).err().unwrap_or_default();
    let text = faults[0].problem.to_string();
    assert!(text.contains("does not update a state variable that is no parameter"), "{text}");
}

/// The last example of `FORMAT.md` is from a real certificate.
#[test]
fn the_example_of_the_format_is_real() {
    let lock = ticket_lock();
    let text = write(&certify(&lock.system, &lock.cubes), &lock.system);
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/FORMAT.md")).unwrap();
    let (_, example) = page.split_once("## 11. An example with numbers").unwrap();
    let pieces: Vec<&str> = example.split(['`', '\n']).filter(|piece| piece.starts_with("{\"i")).collect();
    assert_eq!(pieces.len(), 4);
    for piece in pieces {
        assert!(text.contains(&format!("\n{piece}")), "{piece} is not in\n{text}");
    }
}

/// How many changed certificates are tried. `PARAPROOF_NUMBER_CHANGES=60000` tries more.
const CHANGES: usize = 400;
/// About how many second changes are made after a first one.
const SECOND: u64 = 4;
/// How many certificates the Python checker gets at once.
const BATCH: usize = 250;

/// What became of changed certificates.
#[derive(Default)]
struct Judged {
    rejected: usize,
    accepted: usize,
    /// The invariants of those that are accepted.
    lists: BTreeSet<Vec<Cube>>,
}

impl Judged {
    /// Asks both checkers, which have to agree.
    fn judge(&mut self, example: &Example, batch: &[(String, Certificate)]) {
        let texts: Vec<String> = batch.iter().map(|(_, changed)| write(changed, &example.system)).collect();
        let theirs = python::is_there().then(|| python::first_lines(&example.system, &model(), &texts));
        for (number, ((what, changed), text)) in batch.iter().zip(&texts).enumerate() {
            let ours = check(&example.system, changed, &model()).is_ok();
            let readable = certificate::read(text.as_bytes(), &example.system).is_ok_and(|again| again == *changed);
            assert!(readable || !ours, "{}: {what}: it is accepted and cannot be written", example.name);
            let theirs = theirs.as_ref().map_or(ours, |theirs| theirs[number] == "accepted");
            assert_eq!(ours, theirs, "{}: {what}", example.name);
            if ours {
                self.accepted += 1;
                self.lists.insert(changed.invariants.iter().map(|own| own.cube.clone()).collect());
            } else {
                self.rejected += 1;
            }
        }
    }
}

/// Certificates about numbers with one change, or with two, of which neither alone need be wrong: a literal dropped, a
/// number changed by one, a bound turned round, another number in a split, and all other changes of fields. Both checkers
/// agree, and what they accept is true.
#[test]
fn changed_certificates_about_numbers_are_rejected_or_true() {
    let wanted = std::env::var("PARAPROOF_NUMBER_CHANGES").map_or(CHANGES, |text| text.parse().unwrap());
    let examples = support::systems::all_examples().into_iter();
    let with_numbers = |example: &Example| example.system.sorts.iter().any(|sort| sort.numbers.is_some());
    let examples: Vec<Example> = examples.filter(with_numbers).collect();
    let mut accepted = 0;
    for example in &examples {
        let original = certify(&example.system, &example.cubes);
        let singly = all_changes(&example.system, &original);
        let (mut random, mut judged) = (Random(17), Judged::default());
        while judged.accepted + judged.rejected < wanted / examples.len() {
            let mut batch: Vec<(String, Certificate)> = Vec::new();
            while batch.len() < BATCH.min(wanted / examples.len()) {
                let first = random.pick(&singly);
                batch.push((first.what.clone(), first.certificate.clone()));
                let mut total = 0;
                let mut count = |_| {
                    total += 1;
                    false
                };
                each_change(&example.system, &first.certificate, &mut count, &mut |_| {});
                let mut is_chosen = |_| random.below(total) < SECOND;
                each_change(&example.system, &first.certificate, &mut is_chosen, &mut |change| {
                    let what = format!("{}, {}", first.what, change.what);
                    batch.push((what, change.certificate(&first.certificate)));
                });
            }
            judged.judge(example, &batch);
        }
        let instance = Instance::new(&example.system, 2);
        let states = instance.reachable(20_000).unwrap();
        for cubes in &judged.lists {
            let bad = states.iter().find(|state| cubes.iter().any(|cube| instance.satisfies(state, cube)));
            assert_eq!(bad, None, "{}: {cubes:?}", example.name);
        }
        eprintln!(
            "{}: of {} changes one by one, some of them followed by another: {} rejected, {} accepted with {} lists of \
             invariants, which hold",
            example.name,
            singly.len(),
            judged.rejected,
            judged.accepted,
            judged.lists.len()
        );
        accepted += judged.accepted;
    }
    assert!(accepted > 0);
}
