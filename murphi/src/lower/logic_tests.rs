//! Tests simplification against the meaning of formulas, on random states of an instance.

use proptest::prelude::*;

use super::*;
use system::evaluator::{Concrete, Evaluator, State};
use system::{
    IndexType, IndexTypeId, IndexVariable, NamedElement, NamedId, Origin, Role, System, Variable, VariableId,
};

const NODE: IndexTypeId = IndexTypeId(0);

/// Three index variables and a bound one, and cells of each kind.
fn sample() -> Universe {
    let mut universe = Universe::new();
    universe.index_types.push(IndexType {
        name: "NODE".into(),
        anonymous: false,
        size: 3,
        first: 1,
        origin: Origin::default(),
    });
    universe.named.push(NamedElement {
        name: "Home".into(),
        index_type: NODE,
        position: 0,
        anonymous: false,
        chosen: false,
    });
    universe.inhabited = vec![true];
    let boolean = universe.sort("boolean", vec![], vec![FALSE, TRUE]);
    let colours = ["red", "green", "blue"].map(|name| universe.constant(name)).to_vec();
    let colour = universe.sort("colour", vec![], colours);
    let node = universe.sort("NODE", vec![NODE], vec![]);
    let other = universe.constant("Other");
    let union = universe.sort("union", vec![NODE], vec![other]);
    universe.cell(boolean, vec![]);
    universe.cell(boolean, vec![NODE]);
    universe.cell(colour, vec![NODE]);
    universe.cell(node, vec![]);
    universe.cell(union, vec![NODE]);
    universe.state_variables = universe.cells.len();
    for name in ["i", "j", "k", "b"] {
        universe.index_variable(name, NODE, Role::Parameter);
    }
    universe
}

fn system(universe: &Universe) -> System {
    System {
        index_types: universe.index_types.clone(),
        named: universe.named.clone(),
        constants: universe.constants.clone(),
        sorts: universe.sorts.clone(),
        variables: universe
            .cells
            .iter()
            .map(|cell| Variable {
                name: String::new(),
                arguments: cell.arguments.clone(),
                sort: cell.sort,
                path: vec![],
                origin: Origin::default(),
            })
            .collect(),
        rules: vec![],
        startstates: vec![],
        properties: vec![],
        axioms: Vec::new(),
        sizes: Vec::new(),
        claim: system::Claim::default(),
    }
}

fn index() -> impl Strategy<Value = IndexTerm> {
    prop_oneof![
        3 => (0u32..4).prop_map(|v| IndexTerm::Variable(IndexVariableId(v))),
        1 => Just(IndexTerm::Named(NamedId(0))),
    ]
}

fn atom() -> impl Strategy<Value = Formula> {
    let read = |cell: u32| move |i: IndexTerm| Term::Read(VariableId(cell), vec![i]);
    let constant = |c: u32| Term::Constant(system::ConstantId(c));
    let term = prop_oneof![
        index().prop_map(Term::Index),
        index().prop_map(read(2)),
        index().prop_map(read(4)),
        Just(Term::Read(VariableId(3), vec![])),
        (2u32..6).prop_map(constant),
    ];
    prop_oneof![
        index().prop_map(move |i| Formula::Equal(read(1)(i), Term::Constant(TRUE))),
        Just(Formula::Equal(Term::Read(VariableId(0), vec![]), Term::Constant(TRUE))),
        (term.clone(), term).prop_map(|(l, r)| Formula::Equal(l, r)),
    ]
}

fn formula() -> impl Strategy<Value = Formula> {
    atom().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|f| Formula::Not(Box::new(f))),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Formula::And),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Formula::Or),
            inner.clone().prop_map(|f| Formula::Forall(IndexVariableId(3), Box::new(f))),
            inner.prop_map(|f| Formula::Exists(IndexVariableId(3), Box::new(f))),
        ]
    })
}

/// Renumbers bound variables so that a free occurrence of the bound one becomes another variable.
fn closed() -> impl Strategy<Value = Formula> {
    fn close(formula: &Formula) -> Formula {
        let free = |t: &Term| t.substituted(&|v| IndexTerm::Variable(if v.0 == 3 { IndexVariableId(0) } else { v }));
        match formula {
            Formula::Equal(a, b) => Formula::Equal(free(a), free(b)),
            Formula::Not(inner) => Formula::Not(Box::new(close(inner))),
            Formula::And(parts) => Formula::And(parts.iter().map(close).collect()),
            Formula::Or(parts) => Formula::Or(parts.iter().map(close).collect()),
            other => other.clone(),
        }
    }
    formula().prop_map(|f| close(&f))
}

fn states() -> impl Strategy<Value = Vec<(State, Vec<u32>)>> {
    let universe = sample();
    let system = system(&universe);
    let instance = Evaluator::new(&system, vec![3]).unwrap();
    let mut slots = Vec::new();
    for (at, variable) in system.variables.iter().enumerate() {
        let values: Vec<Concrete> = instance.values(variable.sort).into_iter().collect();
        let id = VariableId(u32::try_from(at).unwrap());
        for _ in instance.elements(id) {
            slots.push(prop::sample::select(values.clone()));
        }
    }
    let one = (slots.prop_map(State), prop::collection::vec(0u32..3, 3));
    prop::collection::vec(one, 30)
}

/// Returns the truth of a formula if the first three variables denote these elements.
fn truth(
    instance: &Evaluator<'_>,
    scope: &[IndexVariable],
    formula: &Formula,
    elements: &[u32],
    state: &State,
) -> bool {
    instance.holds_at(formula, scope, elements, state)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn simplification_keeps_the_meaning_where_the_facts_hold(
        assumed in prop::collection::vec((closed(), any::<bool>()), 0..4),
        formula in closed(),
        states in states(),
    ) {
        let universe = sample();
        let system = system(&universe);
        let instance = Evaluator::new(&system, vec![3]).unwrap();
        let mut facts = Facts::default();
        for (fact, holds) in &assumed {
            facts.assume_formula(&universe, fact, *holds);
        }
        let known = format!("{:?}", facts.known);
        let before = facts.mark();
        for holds in [true, false] {
            facts.assume_formula(&universe, &formula, holds);
        }
        facts.back_to(before);
        prop_assert_eq!(format!("{:?}", facts.known), known.clone(), "after {:?}", &formula);
        let simple = simplify(&universe, &mut facts, &formula);
        prop_assert_eq!(format!("{:?}", facts.known), known);
        let negated = not(formula.clone());
        for (state, elements) in &states {
            let mut elements = elements.clone();
            elements.push(0);
            let value = |f: &Formula| truth(&instance, &universe.scope, f, &elements, state);
            prop_assert_eq!(value(&negated), !value(&formula));
            if assumed.iter().all(|(fact, holds)| value(fact) == *holds) {
                prop_assert!(!facts.is_contradictory());
                prop_assert_eq!(value(&simple), value(&formula), "{:?} became {:?}", &formula, &simple);
            }
        }
    }

    #[test]
    fn values_keep_their_meaning(
        conditions in prop::collection::vec(closed().prop_filter("no quantifier", |f| !quantified(f)), 4),
        leaves in prop::collection::vec(0u32..3, 5),
        states in states(),
    ) {
        let universe = sample();
        let system = system(&universe);
        let instance = Evaluator::new(&system, vec![3]).unwrap();
        let leaf = |at: usize| Value::Term(Term::Constant(system::ConstantId(leaves[at] + 2)));
        let if_ = |c: usize, a: Value, b: Value| Value::If(conditions[c].clone(), Box::new(a), Box::new(b));
        let value = if_(0, if_(1, leaf(0), leaf(1)), if_(2, leaf(2), if_(3, leaf(3), leaf(4))));
        let simple = simplify_value(&universe, &mut Facts::default(), &value);
        for (state, elements) in &states {
            let mut elements = elements.clone();
            elements.push(0);
            let holds = |f: &Formula| truth(&instance, &universe.scope, f, &elements, state);
            prop_assert_eq!(leaf_of(&value, &holds), leaf_of(&simple, &holds));
        }
    }
}

fn quantified(formula: &Formula) -> bool {
    match formula {
        Formula::Forall(..) | Formula::Exists(..) => true,
        Formula::Not(inner) => quantified(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(quantified),
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) => false,
    }
}

fn leaf_of(value: &Value, holds: &impl Fn(&Formula) -> bool) -> Value {
    match value {
        Value::If(condition, yes, no) => leaf_of(if holds(condition) { yes } else { no }, holds),
        other => other.clone(),
    }
}

#[test]
fn bounds_are_taken_back() {
    let universe = sample();
    let number = |at: u32| Term::Read(VariableId(at), vec![]);
    let bound = |left: u32, right: u32, sum: i64| Formula::AtMost(number(left), number(right), sum);
    let mut facts = Facts::default();
    let is_known = |facts: &mut Facts| simplify(&universe, facts, &bound(0, 2, 1));
    facts.assume_formula(&universe, &bound(0, 1, 1), true);
    let before = facts.mark();
    facts.assume_formula(&universe, &bound(1, 2, 0), true);
    assert_eq!(is_known(&mut facts), Formula::True);
    let both = facts.mark();
    facts.assume_formula(&universe, &bound(2, 0, -2), true);
    assert!(facts.is_contradictory());
    facts.back_to(both);
    assert!(!facts.is_contradictory());
    facts.back_to(before);
    assert_eq!(is_known(&mut facts), bound(0, 2, 1));
    // An equation of elements makes bounds anew.
    let [x, y] = [0, 1].map(|at| Term::Index(IndexTerm::Variable(IndexVariableId(at))));
    let at = |element: &Term| Term::Read(VariableId(2), element.elements().to_vec());
    facts.assume_formula(&universe, &Formula::AtMost(at(&x), number(0), 0), true);
    facts.assume(&universe, &x, &y, true);
    let of_other = Formula::AtMost(at(&y), number(1), 1);
    assert_eq!(simplify(&universe, &mut facts, &of_other), Formula::True);
    facts.back_to(before);
    assert_eq!(simplify(&universe, &mut facts, &of_other), of_other);
}

/// Of two elements that become equal, the facts about the second one become facts about the first one, and are about the second one again when
/// this is taken back.
#[test]
fn facts_about_elements_that_become_equal_are_taken_back() {
    let universe = sample();
    let [x, y, z, same] = [0, 1, 2, 3].map(|at| Term::Index(IndexTerm::Variable(IndexVariableId(at))));
    let at = |cell: u32, element: &Term| Term::Read(VariableId(cell), element.elements().to_vec());
    let constant = |c: u32| Term::Constant(system::ConstantId(c));
    let mut facts = Facts::default();
    // A value, a value that is excluded, two reads that differ, and two elements that do; of the first one, something else.
    facts.assume(&universe, &at(1, &y), &Term::Constant(TRUE), true);
    facts.assume(&universe, &at(2, &y), &constant(2), false);
    facts.assume(&universe, &at(4, &y), &at(4, &z), false);
    facts.assume(&universe, &y, &z, false);
    facts.assume(&universe, &at(2, &x), &constant(3), false);
    facts.assume(&universe, &y, &same, true);
    let decided = |facts: &Facts, of: &Term| {
        [
            facts.decide(&universe, &at(1, of), &Term::Constant(TRUE)),
            facts.decide(&universe, &at(2, of), &constant(2)),
            facts.decide(&universe, &at(4, of), &at(4, &z)),
            facts.decide(&universe, of, &z),
            facts.decide(&universe, &at(2, of), &constant(4)),
        ]
    };
    let (known, before) = (format!("{:?}", facts.known), facts.mark());
    assert_eq!(decided(&facts, &x), [None; 5]);
    facts.assume(&universe, &x, &y, true);
    for element in [&x, &y, &same] {
        assert_eq!(decided(&facts, element), [Some(true), Some(false), Some(false), Some(false), Some(true)]);
    }
    facts.back_to(before);
    assert_eq!(format!("{:?}", facts.known), known);
    assert_eq!(decided(&facts, &y), [Some(true), Some(false), Some(false), Some(false), None]);
}
