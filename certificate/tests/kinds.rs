//! For each kind of relation, what is accepted, next to what is almost the same and rejected.

mod support;

use certificate::explain;
use certificate::kernel::ground::Read;
use certificate::proof::{Argument, Instance, InvariantId, Match, Relation, Split, SplitOn, Symbol};
use support::build::{instance, o, v};
use support::prove::certify;
use support::systems::{Example, bakery, broadcast, data, home, mutual_exclusion, owner, pointer, scales, switches};
use system::{NamedId, RuleId, VariableId};

const HOLDS_AFTER: Relation = Relation::HoldsAfter;
const UNAFFECTED: Relation = Relation::Unaffected;

fn implied(premises: &[Instance]) -> Relation {
    Relation::Implied(Argument { premises: premises.to_vec(), split: None })
}

/// An obligation: rule, invariant, match, branch.
type Key<'k> = (&'k str, u32, Option<&'k [Symbol]>, Option<u32>);

/// Puts the relation into the certificate of the example, and expects these problems with it.
fn expect(example: &Example, (name, invariant, symbols, branch): Key<'_>, relation: Relation, problems: &[&str]) {
    let mut certificate = certify(&example.system, &example.cubes);
    let rule = (0..).zip(&example.system.rules).find(|(_, rule)| rule.name == name).map(|(number, _)| RuleId(number));
    let rule = rule.unwrap_or_else(|| panic!("there is no rule {name}"));
    let matching = symbols.map(|symbols| Match(symbols.to_vec()));
    let place = (rule, InvariantId(invariant), &matching, branch);
    let entry = certificate
        .relations
        .iter_mut()
        .find(|entry| (entry.rule, entry.invariant, &entry.matching, entry.branch) == place);
    entry.unwrap_or_else(|| panic!("{name}: there is no obligation {place:?}")).relation = relation;
    let explanations = explain(&example.system, &certificate, rule, InvariantId(invariant)).expect("it is well-formed");
    let shown = symbols.map(<[Symbol]>::len);
    let explanation = explanations
        .iter()
        .zip(certificate.relations.iter().filter(|e| (e.rule, e.invariant) == (rule, InvariantId(invariant))))
        .find(|(_, entry)| (&entry.matching, entry.branch) == (&matching, branch))
        .map(|(explanation, _)| explanation)
        .expect("obligations and entries go together");
    assert_eq!(explanation.matching.as_ref().map(Vec::len), shown);
    assert_eq!(explanation.problems, problems, "{name}, invariant {invariant}, {matching:?}, {branch:?}");
}

const NOT_HOLDS_AFTER: &str = "the relation is implied, not holds_after";
const NOT_UNAFFECTED: &str = "the relation is implied, not unaffected";

#[test]
fn holds_after() {
    let mutex = &mutual_exclusion();
    // The written phase is not that of the cube.
    expect(mutex, ("Try", 0, Some(&[v(0)]), None), HOLDS_AFTER, &[]);
    expect(mutex, ("Try", 0, Some(&[v(0)]), None), UNAFFECTED, &["the relation is holds_after, not unaffected"]);
    expect(mutex, ("Try", 0, Some(&[v(0)]), None), implied(&[]), &["the relation is holds_after, not implied"]);
    // Another node is written.
    expect(mutex, ("Try", 0, Some(&[o(0)]), None), HOLDS_AFTER, &["the relation is unaffected, not holds_after"]);
    // The written phase is that of the cube.
    expect(mutex, ("Crit", 0, Some(&[v(0)]), Some(0)), HOLDS_AFTER, &[NOT_HOLDS_AFTER]);
    // The instance of a quantifier contradicts the cube; without the quantifier it would be affected.
    let broadcast = &broadcast();
    expect(broadcast, ("Read", 0, Some(&[v(0)]), Some(0)), HOLDS_AFTER, &[]);
    expect(broadcast, ("Read", 0, Some(&[v(0)]), Some(0)), implied(&[]), &["the relation is holds_after, not implied"]);
    // Below a disjunction, one branch has the quantifier, and the other does not.
    expect(broadcast, ("ReadFast", 0, Some(&[v(0)]), Some(1)), HOLDS_AFTER, &[]);
    expect(broadcast, ("ReadFast", 0, Some(&[v(0)]), Some(0)), HOLDS_AFTER, &[NOT_HOLDS_AFTER]);
}

#[test]
fn unaffected() {
    let mutex = &mutual_exclusion();
    // Another node is written; and the rule writes both variables of the cube, one of them to its own value.
    expect(mutex, ("Try", 3, Some(&[o(0)]), None), UNAFFECTED, &[]);
    expect(mutex, ("Idle", 3, Some(&[o(0)]), Some(0)), UNAFFECTED, &[NOT_UNAFFECTED]);
    // A copy of a line to itself leaves the cube as it was; a copy to another line does not.
    let data = &data();
    expect(data, ("Copy", 0, Some(&[v(0), v(0)]), Some(0)), UNAFFECTED, &[]);
    expect(data, ("Copy", 0, Some(&[v(0), v(0)]), Some(0)), implied(&[]), &["the relation is unaffected, not implied"]);
    expect(data, ("Copy", 0, Some(&[o(0), v(0)]), Some(0)), UNAFFECTED, &[NOT_UNAFFECTED]);
    // A rule that writes nothing of the cube.
    let home = &broadcast();
    expect(home, ("SetFlag", 0, None, None), UNAFFECTED, &[]);
    expect(home, ("SetFlag", 0, None, None), HOLDS_AFTER, &["the relation is unaffected, not holds_after"]);
}

#[test]
fn implied_by_one_premise() {
    let mutex = &mutual_exclusion();
    let first = [v(0)];
    let key = ("Crit", 0, Some(first.as_slice()), Some(0));
    let accepted = |premises: &[Instance]| expect(mutex, key, implied(premises), &[]);
    let rejected = |premises: &[Instance], problem: &str| expect(mutex, key, implied(premises), &[problem]);
    accepted(&[instance(3, &[v(1)])]);
    rejected(&[instance(3, &[v(0)])], "premise 0: the premise, invariant 3, adds nothing new");
    rejected(&[instance(4, &[v(0)])], "premise 0: the premise, invariant 4, adds nothing new");
    rejected(&[], "the argument ends without a contradiction");
    rejected(
        &[instance(2, &[v(0), v(1)])],
        "premise 0: 2 literals of the premise, invariant 2, are not known: n[i0] = E, n[i1] = E",
    );
    rejected(
        &[instance(3, &[v(1)]), instance(3, &[v(1)])],
        "premise 1: the argument has ended already; nothing may follow",
    );
    rejected(&[instance(9, &[v(1)])], "premise 0: there is no invariant 9");
    let substitution = |invariant: u32, symbols: &[Symbol], shown: &str| {
        let due = "does not give each variable an element of its own, of its type and not named";
        let problem = format!("premise 0: the substitution into invariant {invariant} {due}: [{shown}]");
        rejected(&[instance(invariant, symbols)], &problem);
    };
    substitution(3, &[], "");
    substitution(3, &[v(1), v(0)], "i1, i0");
    substitution(3, &[v(2)], "i2");
    substitution(3, &[o(0)], "o0");
    substitution(3, &[Symbol::Named(NamedId(0))], "?");
    substitution(0, &[v(1), v(1)], "i1, i1");
    // A premise that adds a fact, and then the one that ends the argument.
    accepted(&[instance(3, &[v(1)])]);
    // The other match needs the other node.
    expect(mutex, ("Crit", 0, Some(&[v(1)]), Some(0)), implied(&[instance(3, &[v(0)])]), &[]);
}

#[test]
fn implied_with_named_elements_and_other_types() {
    let home = &home();
    let named = Symbol::Named(NamedId(0));
    // Home takes what node 0 owns: invariant 2 at node 0.
    let key = ("TakeHome", 0, Some([].as_slice()), Some(0));
    expect(home, key, implied(&[instance(2, &[v(0)])]), &[]);
    let problem = "premise 0: the substitution into invariant 2 does not give each variable an element of its own, of its \
                   type and not named: [Home]";
    expect(home, key, implied(&[instance(2, &[named])]), &[problem]);
    // Data for a node.
    let data = &data();
    let copied = [o(0), v(0)];
    let key = ("Copy", 0, Some(copied.as_slice()), Some(0));
    expect(data, key, implied(&[instance(0, &[o(0)])]), &[]);
    expect(
        data,
        key,
        implied(&[instance(0, &[v(0)])]),
        &[
            "premise 0: 2 literals of the premise, invariant 0, are not known: cache[i0].data != mem, cache[i0].valid = true",
        ],
    );
}

#[test]
fn implied_by_a_split() {
    let switches = &switches();
    let [p, q, mode, z] = [0, 1, 2, 3].map(VariableId);
    let key = ("Go", 0, Some([].as_slice()), Some(0));
    let case = |invariants: &[u32]| Argument {
        premises: invariants.iter().map(|number| instance(*number, &[])).collect(),
        split: None,
    };
    let split = |variable, arguments: &[Symbol], cases: &[Argument]| {
        let split = Split { on: SplitOn::Value(variable, arguments.to_vec()), cases: cases.to_vec() };
        Relation::Implied(Argument { premises: vec![], split: Some(Box::new(split)) })
    };
    // Here the cube is `q`; `q` is open in the context, so that a split on it ends in one case only.
    let by_mode = split(mode, &[], &[case(&[1, 2]), case(&[3, 4])]);
    expect(switches, key, by_mode, &[]);
    let by_z = split(z, &[], &[case(&[1, 3]), case(&[2, 4])]);
    expect(switches, key, by_z, &[]);
    let nothing_new = |case, invariant, mode| {
        let premise = format!("case {case}, premise 0: 2 literals of the premise, invariant {invariant}");
        format!("{premise}, are not known: mode = {mode}, z = false")
    };
    // Nothing is said about what follows the first wrong step.
    let swapped = split(mode, &[], &[case(&[3, 4]), case(&[1, 2])]);
    expect(switches, key, swapped, &[&nothing_new(0, 3, true)]);
    let twice = split(mode, &[], &[case(&[1, 2]), case(&[1, 2])]);
    expect(switches, key, twice, &[&nothing_new(1, 1, false)]);
    let short = split(mode, &[], &[case(&[1, 2])]);
    expect(switches, key, short, &["the split has 1 case for 2 values"]);
    let with_argument = split(mode, &[v(0)], &[case(&[1, 2]), case(&[3, 4])]);
    let wrong = "the split is not on a state variable with the right arguments, or it is on the value of a number, or on a \
                 bound of something else";
    expect(switches, key, with_argument, &[wrong]);
    let known = split(p, &[], &[case(&[]), case(&[])]);
    expect(switches, key, known, &["case 1: the argument ends without a contradiction"]);
    let useless = split(q, &[], &[case(&[]), case(&[0])]);
    expect(switches, key, useless, &["case 0: the argument ends without a contradiction"]);
    let behind = split(p, &[], &[case(&[1]), case(&[])]);
    expect(switches, key, behind, &["case 0, premise 0: the argument has ended already; nothing may follow"]);
}

/// Bounds, and ranks as the elements that they order.
#[test]
fn implied_by_bounds() {
    let bakery = &bakery();
    let first = [v(0)];
    let key = ("Enter", 0, Some(first.as_slice()), Some(0));
    let proof = [instance(1, &[v(1), v(0)]), instance(2, &[v(1), v(0)])];
    // If the node has passed, it has no greater number; and if the numbers are equal, ranks decide.
    let rest = [proof.as_slice(), &[instance(3, &[v(0), v(1)])]].concat();
    expect(bakery, key, implied(&rest), &[]);
    expect(bakery, key, implied(&proof), &["the argument ends without a contradiction"]);
    let early = [instance(3, &[v(0), v(1)])];
    let open = "premise 0: 2 literals of the premise, invariant 3, are not known: i0 <= i1, i0 >= i1";
    expect(bakery, key, implied(&early), &[open]);
    let scales = &scales();
    let x = Read { variable: VariableId(2), arguments: vec![] };
    let split = |left: &Read, right: Option<&Read>, sum, cases: &[u32]| {
        let case = |number: &u32| Argument { premises: vec![instance(*number, &[])], split: None };
        let on = SplitOn::Bound(left.clone(), right.cloned(), sum);
        let last = Split { on, cases: cases.iter().map(case).collect() };
        Relation::Implied(Argument { premises: vec![], split: Some(Box::new(last)) })
    };
    let y = Read { variable: VariableId(3), arguments: vec![] };
    let key = ("Go", 0, Some([].as_slice()), Some(0));
    let nothing = |case: u32| format!("case {case}, premise 0: the argument has ended already; nothing may follow");
    let unfinished = |case: u32| format!("case {case}: the argument ends without a contradiction");
    expect(scales, key, split(&x, Some(&y), -1, &[1, 3]), &[&unfinished(0)]);
    // The first case of a split on what is never true has ended.
    expect(scales, key, split(&x, Some(&x), -1, &[1, 3]), &[&nothing(0)]);
    expect(scales, key, split(&x, Some(&y), -1, &[1]), &["the split has 1 case for 2 values"]);
}

#[test]
fn equal_parameters_and_chains() {
    let owner = &owner();
    // Handing over to oneself, and from node 0 to another node and back.
    let keys: Vec<Vec<Symbol>> =
        vec![vec![v(0), v(0)], vec![v(0), o(0)], vec![o(0), v(0)], vec![o(0), o(0)], vec![o(0), o(1)]];
    let certificate = certify(&owner.system, &owner.cubes);
    let found: Vec<Vec<Symbol>> = certificate
        .relations
        .iter()
        .filter(|entry| entry.rule == RuleId(2))
        .map(|entry| entry.matching.clone().expect("it writes what the invariant reads").0)
        .collect();
    assert_eq!(found, keys);
    // Two instances: the first adds that node 0 is the owner, with which the second is complete.
    let argument = &certificate.properties[0].argument;
    assert_eq!(argument.premises, [instance(0, &[v(0)]), instance(0, &[v(1)])]);
    // A pointer: the split has a case for an element that is new.
    let pointer = &pointer();
    let certificate = certify(&pointer.system, &pointer.cubes);
    let split = certificate.properties[0].argument.split.as_ref().expect("it needs a split");
    assert_eq!(split.cases.len(), 2);
    assert_eq!(split.cases[1].premises, [instance(0, &[o(0)])]);
}
