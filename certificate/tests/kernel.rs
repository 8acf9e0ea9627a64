//! Parts of the kernel one by one: what a change of the kernel could break without breaking the proof of an example.

mod support;

use std::collections::BTreeSet;

use certificate::fault::{Fault, Kind, Place, Problem, Refusal};
use certificate::kernel::accept::Check;
use certificate::kernel::argument::{SPLIT_LIMIT, cases, use_premise};
use certificate::kernel::branches::{Branch, Matched};
use certificate::kernel::clause::Clause;
use certificate::kernel::closure::Closure;
use certificate::kernel::context::Context;
use certificate::kernel::ground::{Datum, Equation, Ground, Read, Side, environment};
use certificate::proof::{
    Argument, Certificate, InitialEntry, Instance, Invariant, InvariantId, InvariantOrigin, Match, PropertyEntry,
    Relation, RelationEntry, Split, SplitOn, Symbol, SymbolTypes,
};
use certificate::{Model, Obligation, Situation, check};
use support::build::{Builder, all, any, con, cube, eq, forall, index, instance, lit, ne, o, read, set, term, v, var};
use support::prove::{certify, model};
use support::random::Random;
use support::systems::{Example, all_examples, data, mutual_exclusion, quorums, scales};
use system::{
    Comparison, ConstantId, Cube, FALSE, Formula, IndexTypeId, IndexVariableId, PropertyId, RuleId, SortId,
    StartstateId, TRUE, Term, Transition, Universal, VariableId,
};

/// The cube that every state satisfies.
static ANY_STATE: Cube = Cube { variables: Vec::new(), literals: Vec::new(), universals: Vec::new() };

static SKIP: Transition = Transition::SKIP;

/// The faults of the example's certificate after a change.
fn faults(example: &Example, change: impl FnOnce(&mut Certificate)) -> Vec<Fault> {
    let mut certificate = certify(&example.system, &example.cubes);
    change(&mut certificate);
    check(&example.system, &certificate, &model()).err().unwrap_or_default()
}

/// An invariant that is not well-formed is a fault, even if nothing uses it. Nothing else is said about it.
#[test]
fn a_cube_that_is_not_well_formed_is_a_fault() {
    let example = mutual_exclusion();
    let twice = |certificate: &mut Certificate| {
        let literal = certificate.invariants[0].cube.literals[0].clone();
        let literals = vec![literal.clone(), literal];
        let origin = InvariantOrigin::Property(PropertyId(0));
        certificate.invariants.push(Invariant {
            cube: Cube { variables: example.cubes[0].variables.clone(), literals, universals: Vec::new() },
            origin,
        });
    };
    let place = Place::Invariant(InvariantId(5));
    assert_eq!(faults(&example, twice), [Fault { place, problem: Problem::Cube("a literal occurs twice") }]);
}

#[test]
fn an_origin_that_does_not_exist_is_a_fault() {
    let example = mutual_exclusion();
    let (property, rule, of) = (PropertyId, RuleId, InvariantId);
    let is_fault = |origin| {
        let found = faults(&example, |certificate| certificate.invariants[0].origin = origin);
        let place = Place::Invariant(InvariantId(0));
        assert!(found.is_empty() || found == [Fault { place, problem: Problem::Origin }], "{found:?}");
        !found.is_empty()
    };
    assert!(!is_fault(InvariantOrigin::Property(property(0))));
    assert!(is_fault(InvariantOrigin::Property(property(1))));
    for (last, first) in [(3, 0), (0, 4), (3, 4), (0, 0)] {
        assert!(!is_fault(InvariantOrigin::PreImage { rule: rule(last), of: of(first) }), "{last} {first}");
    }
    for (last, first) in [(4, 0), (5, 0), (0, 5), (0, 6), (4, 5)] {
        assert!(is_fault(InvariantOrigin::PreImage { rule: rule(last), of: of(first) }), "{last} {first}");
    }
}

#[test]
fn a_doubled_entry_is_one_fault() {
    let found = faults(&mutual_exclusion(), |certificate| {
        let first = certificate.relations[0].clone();
        certificate.relations.insert(0, first);
    });
    assert_eq!(found.iter().map(|fault| &fault.problem).collect::<Vec<_>>(), [&Problem::Doubled]);
}

/// Whatever has an obligation is checked, also if no entry names it; and an entry for something that does not exist is a
/// fault.
#[test]
fn all_entries_of_a_pair_are_missing() {
    for example in all_examples() {
        let whole = certify(&example.system, &example.cubes);
        let is_missing = |change: &dyn Fn(&mut Certificate)| {
            let found = faults(&example, change);
            assert!(!found.is_empty(), "{}", example.name);
            assert!(found.iter().all(|fault| fault.problem == Problem::Missing), "{}: {found:?}", example.name);
        };
        for own in &whole.properties {
            let place = (own.property, own.cube);
            is_missing(&|changed| changed.properties.retain(|entry| (entry.property, entry.cube) != place));
        }
        for own in &whole.initial {
            let pair = (own.startstate, own.invariant);
            is_missing(&|changed| changed.initial.retain(|entry| (entry.startstate, entry.invariant) != pair));
        }
        for own in &whole.relations {
            let pair = (own.rule, own.invariant);
            is_missing(&|changed| changed.relations.retain(|entry| (entry.rule, entry.invariant) != pair));
        }
        let is_extra = |change: &dyn Fn(&mut Certificate)| {
            let found = faults(&example, change);
            assert_eq!(
                found.iter().map(|fault| &fault.problem).collect::<Vec<_>>(),
                [&Problem::Extra],
                "{}",
                example.name
            );
        };
        let none = Argument { premises: vec![], split: None };
        is_extra(&|changed| {
            let property = PropertyId(u32::try_from(example.system.properties.len()).unwrap());
            changed.properties.push(PropertyEntry { property, cube: 0, argument: none.clone() });
        });
        is_extra(&|changed| {
            let startstate = StartstateId(u32::try_from(example.system.startstates.len()).unwrap());
            let matching = Match(vec![]);
            changed.initial.push(InitialEntry { startstate, invariant: InvariantId(0), matching });
        });
        is_extra(&|changed| {
            let rule = RuleId(u32::try_from(example.system.rules.len()).unwrap());
            let (invariant, relation) = (InvariantId(0), Relation::Unaffected);
            changed.relations.push(RelationEntry { rule, invariant, matching: None, branch: None, relation });
        });
    }
}

/// Only findings of the same check count, and all of them are needed.
#[test]
fn a_certificate_is_accepted_by_all_findings_of_its_own_check() {
    let example = mutual_exclusion();
    let good = certify(&example.system, &example.cubes);
    let mut bad = good.clone();
    bad.relations[0].relation = Relation::Implied(Argument { premises: vec![], split: None });
    let [own, other] = [&good, &bad].map(|certificate| Check::new(&example.system, certificate, &model()).unwrap());
    let findings = |of| Check::places(of).into_iter().map(|place| of.at(place)).collect::<Vec<_>>();
    assert!(own.accept(findings(&own)).is_ok());
    assert!(other.accept(findings(&other)).is_err());
    assert!(other.accept(findings(&own)).is_err());
    let problems = |found: Result<_, Vec<Fault>>| {
        let faults = found.map(|_: certificate::CheckedCertificate<'_>| ()).unwrap_err();
        faults.into_iter().map(|fault| fault.problem).collect::<Vec<_>>()
    };
    assert_eq!(problems(own.accept(vec![])), [Problem::Interrupted]);
    for left_out in 0..own.places().len() {
        let mut some = findings(&own);
        some.remove(left_out);
        assert_eq!(problems(own.accept(some)), [Problem::Interrupted]);
    }
    let settings = faults(&example, |changed| changed.settings.push("N=4".to_owned()));
    assert!(
        matches!(&settings[..], [Fault { place: Place::Header, problem: Problem::Settings { .. } }]),
        "{settings:?}"
    );
}

/// The numbers of relations of each kind, the number of matches of startstates, and the sum of the numbers of branches.
#[test]
fn the_obligations_of_the_examples_are_these() {
    let mut lines = Vec::new();
    for example in all_examples() {
        let certificate = certify(&example.system, &example.cubes);
        let of_kind = |kind| {
            let has = |entry: &&RelationEntry| Kind::of(&entry.relation) == kind;
            certificate.relations.iter().filter(has).count()
        };
        let [after, unaffected, implied] = [Kind::HoldsAfter, Kind::Unaffected, Kind::Implied].map(of_kind);
        let branches: u32 = certificate.relations.iter().filter_map(|entry| entry.branch).sum();
        lines.push(format!(
            "{}: {after} {unaffected} {implied} {} {branches}",
            example.name,
            certificate.initial.len()
        ));
    }
    let expected = [
        "mutual exclusion: 27 16 9 5 0",
        "owner: 5 4 0 1 0",
        "broadcast: 25 13 1 3 1",
        "home: 13 7 8 4 0",
        "switches: 0 6 9 5 0",
        "pointer: 3 0 2 2 0",
        "data: 4 6 1 1 0",
        "token: 4 4 2 3 0",
        "links: 3 12 0 2 0",
        "corners: 12 5 0 1 2",
        "kept lock: 3 0 0 1 0",
        "requests: 1 8 5 2 0",
        "far link: 16 0 2 5 0",
        "quorums: 9 17 3 3 0",
        "ticket lock: 16 21 8 7 0",
        "bakery: 14 11 2 3 0",
        "scales: 2 11 11 5 4",
        "greatest: 4 10 3 3 0",
    ];
    assert_eq!(lines, expected);
}

/// The branches of a rule with this guard that sets a variable `out`.
fn branches(mut b: Builder, guard: Formula) -> Result<usize, Refusal> {
    let out = b.variable("out", &[], SortId(0));
    b.rule("Rule", &[], 0, guard, vec![set(out, &[], term(con(TRUE)))]);
    let cube = cube(&[], vec![lit(read(out, &[]), true, con(TRUE))]);
    let obligations = Matched::new(&b.system, &b.system.rules[0], &cube).obligations()?;
    Ok(obligations.iter().filter(|obligation| obligation.branch.is_some()).count())
}

#[test]
fn facts_that_contradict_each_other_directly_end_a_branch() {
    let mut b = Builder::new();
    let phase = b.sort("PHASE", &[], &["A", "B", "C"]);
    let [one, two] = ["A", "B"].map(|name| con(b.constant(name)));
    let [p, q, r] = ["p", "q", "r"].map(|name| read(b.variable(name, &[], phase), &[]));
    let on = eq(read(b.variable("on", &[], SortId(0)), &[]), con(TRUE));
    let count = |left: &Formula, right: &Formula| {
        let b = Builder { system: b.system.clone() };
        branches(b, all(&[any(&[left.clone(), on.clone()]), right.clone()])).unwrap()
    };
    let (is, is_not) = (|right: &Term| eq(p.clone(), right.clone()), |right: &Term| ne(p.clone(), right.clone()));
    // A branch with `on` always remains.
    assert_eq!(count(&is(&one), &is(&two)), 1);
    assert_eq!(count(&is(&one), &is_not(&one)), 1);
    assert_eq!(count(&is_not(&q), &is(&q)), 1);
    assert_eq!(count(&is(&one), &is(&one)), 2);
    assert_eq!(count(&is(&one), &is_not(&two)), 2);
    assert_eq!(count(&is_not(&one), &is_not(&two)), 2);
    assert_eq!(count(&is(&q), &is(&r)), 2);
    assert_eq!(count(&is(&one), &eq(q.clone(), two.clone())), 2);
    assert_eq!(count(&is(&q), &is(&one)), 2);
}

/// Well-formed guards have no such formula. If one had, it would be read as its negation: what holds for each element is
/// part of a branch, and what holds for some element is refused.
#[test]
fn a_negated_conjunction_with_a_quantifier_is_read_as_its_negation() {
    let quantified = |own: fn(IndexVariableId, Box<Formula>) -> Formula| {
        let mut b = Builder::new();
        let node = b.index_type("NODE", &[]);
        let inner = own(IndexVariableId(0), Box::new(Formula::True));
        let guard = Formula::Not(Box::new(all(&[inner, Formula::True])));
        let out = b.variable("out", &[], SortId(0));
        b.rule("Rule", &[node, node], 1, guard, vec![set(out, &[], term(con(TRUE)))]);
        let cube = cube(&[node], vec![lit(read(out, &[]), true, con(TRUE))]);
        let obligations = Matched::new(&b.system, &b.system.rules[0], &cube).obligations()?;
        let is_contradictory = |own: &Obligation<'_>| match &own.situation {
            Situation::Branch(context) => context.is_contradictory(),
            Situation::NoBranch | Situation::Unchanged => false,
        };
        Ok(obligations.iter().map(is_contradictory).collect::<Vec<bool>>())
    };
    // Not for some element `true`: for each element `false`, and the variable of the cube is one.
    assert_eq!(quantified(Formula::Exists), Ok(vec![true, true]));
    assert_eq!(quantified(Formula::Forall), Err(Refusal::Malformed("a quantifier where none is allowed")));
}

#[test]
fn the_number_of_branches_is_bounded() {
    let count = |disjunctions: u32| {
        let mut b = Builder::new();
        let mut is_on = |name: String| eq(read(b.variable(&name, &[], SortId(0)), &[]), con(TRUE));
        let pairs: Vec<_> =
            (0..disjunctions).map(|number| any(&[is_on(format!("a{number}")), is_on(format!("b{number}"))])).collect();
        branches(b, all(&pairs))
    };
    assert_eq!(count(3), Ok(8));
    assert_eq!(count(12), Ok(4096));
    assert_eq!(count(13), Err(Refusal::TooManyBranches));
}

/// Six disjunctions are 64 branches, and 126 facts are added for them.
#[test]
fn the_number_of_steps_is_bounded() {
    let with = |facts: usize| {
        let mut b = Builder::new();
        let mut is_on = |name: String| eq(read(b.variable(&name, &[], SortId(0)), &[]), con(TRUE));
        let pairs = (0..6).map(|number| any(&[is_on(format!("a{number}")), is_on(format!("b{number}"))]));
        let pairs: Vec<_> = pairs.collect();
        let again = vec![is_on("c".to_owned()); facts];
        branches(b, all(&[pairs, again].concat()))
    };
    assert_eq!(with((1 << 14) - 2), Ok(64));
    assert_eq!(with((1 << 14) - 1), Err(Refusal::TooManyBranches));
}

#[test]
fn the_number_of_matches_is_bounded() {
    // Each parameter is one of two named elements or another one: 3 to the power of 11 matches.
    let mut b = Builder::new();
    let types: Vec<IndexTypeId> = (0..11).map(|number| b.index_type(&format!("T{number}"), &["x", "y"])).collect();
    let out = b.variable("out", &[], SortId(0));
    b.rule("Rule", &types, 11, Formula::True, vec![set(out, &[], term(con(TRUE)))]);
    let cube = cube(&[], vec![lit(read(out, &[]), true, con(TRUE))]);
    let obligations = Matched::new(&b.system, &b.system.rules[0], &cube).obligations();
    assert_eq!(obligations.map(|all| all.len()), Err(Refusal::TooManyMatches));
    // Where obligations cannot be listed, a certificate without entries is not accepted.
    let invariant = Invariant { cube, origin: InvariantOrigin::PreImage { rule: RuleId(0), of: InvariantId(0) } };
    let Model { digest, settings } = model();
    let certificate = Certificate {
        model_digest: digest,
        settings,
        properties: vec![],
        invariants: vec![invariant],
        initial: vec![],
        relations: vec![],
    };
    let place = Place::Relation { rule: RuleId(0), invariant: InvariantId(0), matching: None, branch: None };
    let problem = Problem::Refused(Refusal::TooManyMatches);
    assert_eq!(check(&b.system, &certificate, &model()).unwrap_err(), [Fault { place, problem }]);
}

#[test]
fn the_size_of_cubes_is_bounded() {
    let example = mutual_exclusion();
    let refused = |cube: Cube| {
        let origin = InvariantOrigin::Property(PropertyId(0));
        let found = faults(&example, |certificate| certificate.invariants.push(Invariant { cube, origin }));
        found.iter().any(|fault| fault.problem == Problem::Cube("too many variables, literals or universal parts"))
    };
    let too_large = |variables: u32, literals: usize| {
        let n = |number| read(VariableId(0), &[var(number)]);
        let phases = (2..6).map(|phase| con(ConstantId(phase)));
        let values = phases.flat_map(|phase| [true, false].map(|equal| (equal, phase.clone())));
        let of_values =
            values.flat_map(|(equal, phase)| (0..32).map(move |number| lit(n(number), equal, phase.clone())));
        let literals = of_values.chain([lit(read(VariableId(1), &[]), true, con(TRUE))]).take(literals).collect();
        refused(Cube {
            variables: vec![IndexTypeId(0); usize::try_from(variables).unwrap()],
            literals,
            universals: Vec::new(),
        })
    };
    assert!(!too_large(32, 0));
    assert!(too_large(33, 0));
    assert!(too_large(34, 0));
    assert!(!too_large(32, 256));
    assert!(too_large(32, 257));
    // The variables of a universal part count together with those of the cube.
    let too_universal = |variables: usize, own: usize, parts: usize| {
        let [variables, own] = [variables, own].map(|count| vec![IndexTypeId(0); count]);
        let universals = vec![Universal { variables: own, literals: Vec::new() }; parts];
        refused(Cube { variables, literals: Vec::new(), universals })
    };
    assert!(!too_universal(8, 24, 32));
    assert!(too_universal(8, 25, 1));
    assert!(too_universal(0, 1, 33));
}

/// The faults of a system whose only property has this formula and these cubes.
fn uncovered(b: &Builder, formula: Formula, bad: Vec<Cube>) -> Vec<Problem> {
    let mut b = Builder { system: b.system.clone() };
    b.property("Property", bad);
    b.system.properties[0].formula = formula;
    let certificate = Certificate {
        model_digest: model().digest,
        settings: model().settings,
        properties: vec![],
        invariants: vec![],
        initial: vec![],
        relations: vec![],
    };
    let found = check(&b.system, &certificate, &model()).err().unwrap_or_default();
    found.into_iter().map(|fault| fault.problem).collect()
}

/// A formula that a state can violate needs a cube; one that no state can violate needs none.
#[test]
fn every_case_that_a_state_can_satisfy_needs_a_cube() {
    let mut b = Builder::new();
    let phase = b.sort("PHASE", &[], &["A", "B", "C"]);
    let [one, two] = ["A", "B"].map(|name| con(b.constant(name)));
    let [p, q, r] = ["p", "q", "r"].map(|name| read(b.variable(name, &[], phase), &[]));
    let is_covered = |left: Formula, right: Formula| {
        let found = uncovered(&b, any(&[Formula::Not(Box::new(left)), Formula::Not(Box::new(right))]), vec![]);
        assert!(found.iter().all(|problem| problem.to_string().contains("do not cover the negation")), "{found:?}");
        found.is_empty()
    };
    let is = |left: &Term, right: &Term| eq(left.clone(), right.clone());
    let is_not = |left: &Term, right: &Term| ne(left.clone(), right.clone());
    assert!(!is_covered(is(&p, &one), is(&p, &one)));
    assert!(!is_covered(is(&p, &q), is(&p, &q)));
    assert!(!is_covered(is_not(&p, &q), is_not(&p, &q)));
    assert!(!is_covered(is(&p, &one), is(&q, &one)));
    assert!(!is_covered(is(&p, &one), is(&q, &two)));
    assert!(!is_covered(is(&p, &one), is_not(&q, &one)));
    assert!(!is_covered(is_not(&p, &one), is(&q, &one)));
    assert!(!is_covered(is(&p, &one), is_not(&p, &two)));
    assert!(!is_covered(is_not(&p, &one), is(&p, &two)));
    assert!(!is_covered(is_not(&p, &one), is_not(&p, &two)));
    assert!(!is_covered(is(&p, &q), is(&p, &r)));
    assert!(!is_covered(is(&p, &q), is_not(&p, &r)));
    assert!(!is_covered(is_not(&p, &q), is(&p, &r)));
    assert!(!is_covered(is(&p, &q), is(&p, &one)));
    assert!(is_covered(is(&p, &one), is(&p, &two)));
    assert!(is_covered(is(&p, &one), is_not(&p, &one)));
    assert!(is_covered(is(&p, &q), is_not(&p, &q)));
    assert!(is_covered(is(&p, &q), is_not(&q, &p)));
}

/// The cubes of properties and axioms are as well-formed as those of invariants.
#[test]
fn the_cubes_of_a_system_are_in_normal_form() {
    let mut b = Builder::new();
    let on = read(b.variable("on", &[], SortId(0)), &[]);
    let is = |value| lit(on.clone(), true, con(value));
    let once = cube(&[], vec![is(TRUE)]);
    let twice = cube(&[], vec![is(TRUE); 2]);
    let never = eq(on.clone(), con(FALSE));
    assert!(uncovered(&b, never.clone(), vec![once.clone()]).iter().all(|problem| *problem == Problem::Missing));
    let found = uncovered(&b, never.clone(), vec![twice.clone()]);
    assert!(found[0].to_string().contains("a literal occurs twice"), "{found:?}");
    for (own, problem) in [(once, None), (twice, Some("a literal occurs twice"))] {
        let mut b = Builder { system: b.system.clone() };
        b.axiom("Never", &[], never.clone(), vec![own]);
        let found = uncovered(&b, Formula::True, vec![]);
        assert_eq!(found.first().map(|found| found.to_string().contains(problem.unwrap())), problem.map(|_| true));
    }
}

#[test]
fn the_number_of_cases_is_bounded() {
    // A disjunction of conjunctions of 3 equations each: its negation has 3 cases to the power of their number, each of
    // which the cube covers that every state satisfies.
    let mut b = Builder::new();
    let mut is_on = || {
        let name = format!("x{}", b.system.variables.len());
        eq(read(b.variable(&name, &[], SortId(0)), &[]), con(TRUE))
    };
    let parts: Vec<Formula> = (0..11).map(|_| all(&[is_on(), is_on(), is_on()])).collect();
    let problems = |count: usize| uncovered(&b, any(&parts[..count]), vec![cube(&[], vec![])]);
    let found = problems(11);
    assert!(found[0].to_string().contains("too many cases"), "{found:?}");
    assert!(!problems(5).iter().any(|problem| problem.to_string().contains("cases")));
}

/// A disjunction in which all parts but one are false implies that one.
#[test]
fn contexts_propagate_units() {
    let system = mutual_exclusion().system;
    let n = |number| read(VariableId(0), &[var(number)]);
    let critical = || con(ConstantId(4));
    let guard = forall(1, any(&[eq(index(var(1)), index(var(0))), eq(n(1), critical())]));
    let symbols = SymbolTypes { variables: vec![IndexTypeId(0); 2], others: vec![] };
    let (ground, scope) = (Ground { system: &system, symbols: &symbols }, &system.rules[0].scope);
    let guard = Clause::of(ground, scope, &guard, true, &environment(&[v(0)])).unwrap();
    let matched = Matched { symbols: symbols.clone(), ..Matched::new(&system, &SKIP, &ANY_STATE) };
    let context = Context::new(matched, Branch { facts: vec![], universals: vec![guard] }).unwrap();
    assert_eq!(context.clauses().len(), 1);
    let knows = |symbol| {
        let left = Side::Read(Read { variable: VariableId(0), arguments: vec![symbol] });
        context.knows(&context.ground().comparison(
            left,
            Comparison::Equal,
            Side::Datum(Datum::Constant(ConstantId(4))),
        ))
    };
    assert_eq!([v(0), v(1)].map(knows), [None, Some(true)]);
}

/// Symbols of one type do not stand for elements of another one.
#[test]
fn arguments_are_well_typed() {
    let example = data();
    let symbols = SymbolTypes { variables: vec![IndexTypeId(0)], others: vec![IndexTypeId(1)] };
    let matched = Matched { symbols, ..Matched::new(&example.system, &SKIP, &ANY_STATE) };
    let context = Context::new(matched, Branch::default()).unwrap();
    let cube = &example.cubes[0];
    let premise = |symbol| use_premise(&mut context.clone(), &instance(0, &[symbol]), &[Some(cube)]);
    let invariant = InvariantId(0);
    assert_eq!(premise(o(0)), Err(Problem::Substitution { invariant, symbols: vec![o(0)] }));
    assert!(matches!(premise(v(0)), Err(Problem::Remaining { .. })));
    let split = |arguments: &[Symbol]| {
        let split = Split { on: SplitOn::Value(VariableId(1), arguments.to_vec()), cases: vec![] };
        cases(&context, &split, &[]).map(|cases| cases.len())
    };
    for arguments in [[].as_slice(), &[o(0)], &[v(0), v(0)], &[v(1)]] {
        assert_eq!(split(arguments), Err(Problem::BadSplit { variable: VariableId(1) }));
    }
    assert_eq!(split(&[v(0)]), Err(Problem::Cases { due: 2, found: 0 }));
}

/// Two elements, and variables of a sort of constants, of one that overlaps with it, of a boolean, and of pointers with
/// and without a constant.
fn closure_system() -> Builder {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    let low = b.sort("LOW", &[], &["0", "1", "2"]);
    let high = b.sort("HIGH", &[], &["1", "2", "3"]);
    let pointer = b.sort("POINTER", &[node], &[]);
    let owner = b.sort("OWNER", &[node], &["0"]);
    for (name, sort) in [("l", low), ("m", low), ("h", high), ("p", pointer), ("o", owner), ("f", SortId(0))] {
        b.variable(name, &[], sort);
    }
    b
}

/// What the closure knows is true in every assignment of values that satisfies its facts, and it knows this much.
#[test]
fn the_closure_is_sound() {
    let system = closure_system().system;
    let symbols = SymbolTypes { variables: vec![IndexTypeId(0); 2], others: vec![] };
    let ground = Ground { system: &system, symbols: &symbols };
    // The values of each read: one element more than there are symbols.
    let elements = (0..3).map(|number| Datum::Element(Symbol::Variable(number)));
    let values: Vec<Vec<Datum>> = system
        .variables
        .iter()
        .map(|variable| {
            let sort = &system.sorts[variable.sort.index()];
            let constants = sort.constants.iter().map(|constant| Datum::Constant(*constant));
            constants.chain(elements.clone().filter(|_| !sort.index_types.is_empty())).collect()
        })
        .collect();
    let assignments = values.iter().fold(vec![Vec::new()], |all: Vec<Vec<Datum>>, values| {
        all.iter().flat_map(|own| values.iter().map(move |value| [own.as_slice(), &[*value]].concat())).collect()
    });
    let reads = (0..6).map(|number| Side::Read(Read { variable: VariableId(number), arguments: vec![] }));
    let data = (0..6).map(|number| Datum::Constant(ConstantId(number))).chain(elements.clone().take(2));
    let sides: Vec<Side> = reads.chain(data.map(Side::Datum)).collect();
    let pairs = sides[..6].iter().flat_map(|left| sides.iter().map(move |right| (left, right)));
    let all: Vec<Equation> = pairs
        .flat_map(|(left, right)| {
            [true, false].map(|equal| ground.comparison(left.clone(), Comparison::equal_if(equal), right.clone()))
        })
        .filter(|equation| matches!(equation, Equation::Open(_)))
        .collect();
    let value = |side: &Side, assignment: &[Datum]| match side {
        Side::Datum(datum) => *datum,
        Side::Read(read) => assignment[read.variable.index()],
    };
    let holds = |equation: &Equation, assignment: &[Datum]| match equation {
        Equation::True => true,
        Equation::False => false,
        Equation::Open(fact) => {
            fact.comparison.holds(assignment[fact.left.variable.index()] == value(&fact.right, assignment))
                == Some(true)
        }
    };
    // The normal form of an equation is true in the same assignments, also if it is decided.
    for (left, right) in sides.iter().flat_map(|left| sides.iter().map(move |right| (left, right))) {
        for equal in [true, false] {
            let equation = ground.comparison(left.clone(), Comparison::equal_if(equal), right.clone());
            let same = |own: &Vec<Datum>| holds(&equation, own) == ((value(left, own) == value(right, own)) == equal);
            assert!(assignments.iter().all(same), "{left:?} {equal} {right:?}: {equation:?}");
        }
    }
    let (mut random, mut contradictory, mut known) = (Random(7), 0, 0);
    for _ in 0..600 {
        let facts: Vec<&Equation> = (0..=random.position(6)).map(|_| random.pick(&all)).collect();
        let mut closure = Closure::default();
        facts.iter().for_each(|fact| closure.assume(fact));
        closure.close(ground);
        let models: Vec<_> = assignments.iter().filter(|own| facts.iter().all(|fact| holds(fact, own))).collect();
        assert!(!closure.is_contradictory() || models.is_empty(), "{facts:?}");
        contradictory += usize::from(closure.is_contradictory());
        if closure.is_contradictory() {
            assert!(all.iter().all(|equation| closure.knows(equation) == Some(true)));
            continue;
        }
        for equation in &all {
            let truths: BTreeSet<bool> = models.iter().map(|own| holds(equation, own)).collect();
            match closure.knows(equation) {
                Some(true) => assert!(!truths.contains(&false), "{facts:?}: {equation:?}"),
                Some(false) => assert!(!truths.contains(&true), "{facts:?}: {equation:?}"),
                None => continue,
            }
            known += 1;
        }
    }
    assert_eq!((contradictory, known), (137, 6186));
}

/// Axioms are premises, and nothing is to be shown about them, so that an entry about one has no obligation.
#[test]
fn axioms_have_no_entries() {
    let example = quorums();
    let certificate = certify(&example.system, &example.cubes);
    let axiom = InvariantId(u32::try_from(example.cubes.len()).unwrap());
    let mut changed = certificate.clone();
    // No rule writes what the first axiom reads, so that one entry for each rule would be right for an invariant.
    let rules = (0..).map(RuleId).take(example.system.rules.len());
    let unaffected =
        |rule| RelationEntry { rule, invariant: axiom, matching: None, branch: None, relation: Relation::Unaffected };
    changed.relations.extend(rules.map(unaffected));
    changed.relations.sort_by_key(|entry| entry.rule);
    let found = check(&example.system, &changed, &model()).err().unwrap_or_default();
    assert_eq!(found.len(), example.system.rules.len());
    assert!(found.iter().all(|fault| fault.problem == Problem::Extra), "{found:?}");
    // An axiom with universal parts is no premise, and one without promises no witness.
    let instance = |number: u32| Instance { invariant: InvariantId(axiom.0 + number), substitution: vec![v(0)] };
    let context = Context::of(&example.system, &example.cubes[0]).unwrap();
    let premises: Vec<Option<&Cube>> =
        example.cubes.iter().chain(example.system.axioms.iter().flat_map(|axiom| &axiom.bad)).map(Some).collect();
    let invariant = axiom;
    assert_eq!(use_premise(&mut context.clone(), &instance(0), &premises), Err(Problem::NeedsWitness { invariant }));
    let split = |instance| Split { on: SplitOn::Witness(instance), cases: Vec::new() };
    assert_eq!(cases(&context, &split(instance(0)), &premises).err(), Some(Problem::Cases { due: 1, found: 0 }));
    let loyal = Instance { substitution: Vec::new(), ..instance(2) };
    assert!(matches!(cases(&context, &split(loyal), &premises), Err(Problem::NoWitness { .. })));
    let stray = Instance { invariant: InvariantId(1), substitution: vec![] };
    assert!(matches!(cases(&context, &split(stray), &premises), Err(Problem::Substitution { .. })));
    // The cube itself holds, which is a contradiction and no witness.
    let all_known = Instance { invariant: InvariantId(0), substitution: vec![v(0), v(1)] };
    let none = Problem::NoWitness { invariant: InvariantId(0), literals: vec![] };
    assert_eq!(cases(&context, &split(all_known), &premises).err(), Some(none));
    // A witness is promised only if all literals hold; one is open, or false.
    let [universal, literal] = [0, 2].map(|number| premises[example.cubes.len() + number].unwrap().clone());
    let is_two = example.cubes[0].literals[1].clone();
    for literal in [literal.literals[0].clone(), is_two.negated()] {
        let open = Cube { variables: vec![IndexTypeId(1); 2], literals: vec![literal], ..universal.clone() };
        let instance = Instance { invariant: InvariantId(0), substitution: vec![v(0), v(1)] };
        assert!(matches!(
            cases(&context, &split(instance), &[Some(&open)]),
            Err(Problem::NoWitness { literals, .. }) if literals.len() == 1
        ));
    }
}

/// The relations of a certificate that need an argument, each with how deep its splits are nested.
fn arguments(certificate: &mut Certificate) -> Vec<(&mut Argument, usize)> {
    fn depth(argument: &Argument) -> usize {
        argument.split.iter().flat_map(|split| &split.cases).map(|case| 1 + depth(case)).max().unwrap_or(0)
    }
    let mut all = Vec::new();
    for entry in &mut certificate.relations {
        if let Relation::Implied(argument) = &mut entry.relation {
            all.push((depth(argument), argument));
        }
    }
    all.into_iter().map(|(depth, argument)| (argument, depth)).collect()
}

/// An argument behind a split whose first case has ended, since it says that a number is less than itself.
fn deeper(argument: Argument) -> Argument {
    let x = Read { variable: VariableId(2), arguments: vec![] };
    let on = SplitOn::Bound(x.clone(), Some(x), -1);
    let ended = Argument { premises: vec![], split: None };
    Argument { premises: vec![], split: Some(Box::new(Split { on, cases: vec![ended, argument] })) }
}

fn innermost(problem: &Problem) -> &Problem {
    if let Problem::Within { problem, .. } = problem { innermost(problem) } else { problem }
}

#[test]
fn splits_are_nested_up_to_a_limit_and_not_behind_the_end() {
    let found = |more: usize| {
        let found = faults(&scales(), |certificate| {
            let (argument, depth) = arguments(certificate).swap_remove(0);
            (depth..SPLIT_LIMIT + more).for_each(|_| *argument = deeper(argument.clone()));
        });
        found.iter().map(|fault| innermost(&fault.problem).clone()).collect::<Vec<_>>()
    };
    assert_eq!(found(0), []);
    assert_eq!(found(1), [Problem::TooDeep]);
    assert_eq!(found(2), [Problem::TooDeep]);
    // Where an argument ends, no split may follow.
    let ended = faults(&mutual_exclusion(), |certificate| {
        let cases = vec![Argument { premises: vec![], split: None }];
        let split = Split { on: SplitOn::Value(VariableId(0), vec![]), cases };
        certificate.properties[0].argument.split = Some(Box::new(split));
    });
    assert_eq!(ended.iter().map(|fault| &fault.problem).collect::<Vec<_>>(), [&Problem::BehindEnd]);
}

#[test]
fn the_number_of_witnesses_is_bounded() {
    let mut b = Builder::new();
    let node = b.index_type("NODE", &[]);
    b.variable("f[]", &[node], SortId(0));
    let universal = |count: usize| Cube {
        universals: vec![Universal { variables: vec![node; count], literals: vec![] }],
        ..ANY_STATE.clone()
    };
    let witnesses = |nodes: usize, count: usize| {
        let nodes = Cube { variables: vec![node; nodes], ..ANY_STATE.clone() };
        let context = Context::of(&b.system, &nodes).unwrap();
        let on = SplitOn::Witness(Instance { invariant: InvariantId(0), substitution: vec![] });
        cases(&context, &Split { on, cases: vec![] }, &[Some(&universal(count))]).err().unwrap()
    };
    assert_eq!(witnesses(3, 1), Problem::Cases { due: 4, found: 0 });
    assert_eq!(witnesses(3, 2), Problem::Cases { due: 13, found: 0 });
    assert!(matches!(witnesses(31, 2), Problem::Cases { .. }));
    assert_eq!(witnesses(31, 3), Problem::Refused(Refusal::TooManyMatches));
    // So is the number of instances of a universal part.
    let instances = |others: usize, count: usize| {
        let symbols = SymbolTypes { variables: vec![], others: vec![node; others] };
        let cube = universal(count);
        let matched = Matched { symbols, ..Matched::new(&b.system, &SKIP, &cube) };
        let context = Context::new(matched, Branch::default());
        context.map(|context| context.clauses().len())
    };
    assert_eq!(instances(20, 2), Ok(380));
    assert_eq!(instances(20, 3), Err(Refusal::TooManyMatches));
}
