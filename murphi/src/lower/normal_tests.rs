//! Tests cubes against the formulas that they come from, on all states of small instances, for generated formulas with
//! alternating quantifiers.

use super::*;
use system::evaluator::{Choices, Evaluator, State};
use system::{FALSE, IndexType, NamedElement, NamedId, Origin, TRUE, Variable, VariableId, wellformed};

const NODE: IndexTypeId = IndexTypeId(0);
const DATA: IndexTypeId = IndexTypeId(1);

/// Two index types that may be empty, the first of which may have a named element, and cells of each kind.
struct Sample {
    universe: Universe,
    reads: Vec<(VariableId, Vec<IndexTypeId>)>,
    values: Vec<Term>,
}

fn sample(named: bool, pairs: bool) -> Sample {
    let mut universe = Universe::new();
    for name in ["NODE", "DATA"] {
        let (name, origin) = (name.to_owned(), Origin::default());
        universe.index_types.push(IndexType { name, anonymous: false, size: 3, first: 1, origin });
    }
    universe.inhabited = vec![named, false];
    let mut values = vec![Term::Constant(FALSE), Term::Constant(TRUE)];
    if named {
        universe.named.push(NamedElement {
            name: "Home".into(),
            index_type: NODE,
            position: 0,
            anonymous: false,
            chosen: false,
        });
        values.push(Term::Index(IndexTerm::Named(NamedId(0))));
    }
    let boolean = universe.sort("boolean", vec![], vec![FALSE, TRUE]);
    let colours = ["red", "green", "blue"].map(|name| universe.constant(name)).to_vec();
    let none = universe.constant("None");
    values.extend(colours.iter().chain([&none]).map(|&constant| Term::Constant(constant)));
    let colour = universe.sort("colour", vec![], colours);
    let pointer = universe.sort("pointer", vec![NODE], vec![none]);
    let cells = match pairs {
        true => vec![(boolean, vec![NODE, NODE]), (pointer, vec![])],
        false => vec![(colour, vec![]), (boolean, vec![NODE]), (pointer, vec![]), (boolean, vec![DATA])],
    };
    let reads = cells.into_iter().map(|(sort, types)| (universe.cell(sort, types.clone()), types)).collect();
    universe.state_variables = universe.cells.len();
    Sample { universe, reads, values }
}

fn system_of(universe: &Universe) -> System {
    let variable = |(number, cell): (usize, &super::super::universe::Cell)| Variable {
        name: format!("v{number}"),
        arguments: cell.arguments.clone(),
        sort: cell.sort,
        path: vec![],
        origin: Origin::default(),
    };
    System {
        index_types: universe.index_types.clone(),
        named: universe.named.clone(),
        constants: universe.constants.clone(),
        sorts: universe.sorts.clone(),
        variables: universe.cells.iter().enumerate().map(variable).collect(),
        rules: vec![],
        startstates: vec![],
        properties: vec![],
        axioms: vec![],
        sizes: Vec::new(),
        claim: system::Claim::default(),
    }
}

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(bound).unwrap()).unwrap()
    }
}

impl Sample {
    /// A formula whose free variables are among those given; below a `forall`, an `exists` is rare.
    fn formula(&mut self, random: &mut Random, depth: usize, free: &[IndexVariableId], universal: bool) -> Formula {
        let quantified = if depth == 0 { 0 } else { 3 };
        match random.below(5 + quantified) {
            0..=1 => self.equation(random, free),
            2 => Formula::Not(Box::new(self.equation(random, free))),
            3..=4 if depth == 0 => self.equation(random, free),
            choice @ 3..=4 => {
                let parts =
                    (0..2 + random.below(2)).map(|_| self.formula(random, depth - 1, free, universal)).collect();
                if choice == 3 { Formula::And(parts) } else { Formula::Or(parts) }
            }
            _ => {
                let index_type = if random.below(3) == 0 && self.reads.len() > 2 { DATA } else { NODE };
                let exists = random.below(if universal { 12 } else { 2 }) == 0;
                let variable = self.universe.index_variable("x", index_type, Role::Bound);
                let free = [free, &[variable]].concat();
                let inner = Box::new(self.formula(random, depth - 1, &free, universal || !exists));
                if exists { Formula::Exists(variable, inner) } else { Formula::Forall(variable, inner) }
            }
        }
    }

    fn equation(&mut self, random: &mut Random, free: &[IndexVariableId]) -> Formula {
        for _ in 0..50 {
            let (left, right) = (self.term(random, free), self.term(random, free));
            let (Some(left), Some(right)) = (left, right) else { continue };
            let fits = match (&left, &right) {
                (Term::Read(cell, _), other) => self.universe.may_be_in(other, self.universe.sort_of(*cell)),
                (Term::Index(one), Term::Index(other)) => self.universe.type_of(*one) == self.universe.type_of(*other),
                _ => false,
            };
            if fits {
                return Formula::Equal(left, right);
            }
        }
        Formula::True
    }

    fn term(&mut self, random: &mut Random, free: &[IndexVariableId]) -> Option<Term> {
        let element = |random: &mut Random, index_type| {
            let of_type = free.iter().filter(|v| self.universe.scope[v.index()].index_type == index_type);
            let mut elements: Vec<IndexTerm> = of_type.map(|&v| IndexTerm::Variable(v)).collect();
            let named = (0..).map(system::NamedId).zip(&self.universe.named);
            elements.extend(named.filter(|(_, n)| n.index_type == index_type).map(|(id, _)| IndexTerm::Named(id)));
            (!elements.is_empty()).then(|| elements[random.below(elements.len())])
        };
        match random.below(4) {
            0 => Some(self.values[random.below(self.values.len())].clone()),
            1 => {
                let index_type = [NODE, DATA][random.below(2)];
                element(random, index_type).map(Term::Index)
            }
            _ => {
                let (cell, types) = self.reads[random.below(self.reads.len())].clone();
                let arguments = types.into_iter().map(|index_type| element(random, index_type));
                Some(Term::Read(cell, arguments.collect::<Option<_>>()?))
            }
        }
    }
}

fn states(instance: &Evaluator<'_>) -> Vec<State> {
    let mut slots = Vec::new();
    for (id, variable) in (0..).map(VariableId).zip(&instance.system().variables) {
        slots.extend(instance.elements(id).into_iter().map(|_| instance.values(variable.sort)));
    }
    Choices(slots).states()
}

/// Compares `count` generated formulas with their cubes; returns how many had cubes with universal parts.
fn compare(named: bool, pairs: bool, count: u64, sizes: &[[u32; 2]]) -> usize {
    let mut with_universal_parts = 0;
    for seed in 0..count {
        let mut sample = sample(named, pairs);
        let formula = sample.formula(&mut Random(seed), 4, &[], false);
        let system = system_of(&sample.universe);
        let mut universe = sample.universe.clone();
        let cubes = match cubes(&mut universe, &system, (&formula, &[]), Purpose::Axiom) {
            Ok(cubes) => cubes,
            Err(reason) => {
                assert!(matches!(reason, Reason::NotUniversal | Reason::TooManyClauses), "{reason}");
                continue;
            }
        };
        with_universal_parts += usize::from(cubes.iter().any(|cube| !cube.universals.is_empty()));
        for cube in &cubes {
            assert_eq!(wellformed::cube(&system, cube), Ok(()));
            let again = Cube::normalize_with(&system, &cube.variables, &cube.literals, &cube.universals);
            assert_eq!(again.as_ref(), Some(cube), "not in normal form");
        }
        for sizes in sizes {
            let instance = Evaluator::new(&system, sizes.to_vec()).unwrap();
            for state in states(&instance) {
                let expected = instance.holds(&formula, &sample.universe.scope, &state);
                let found = cubes.iter().any(|cube| instance.satisfies(cube, &state));
                assert_eq!(found, expected, "seed {seed}, {sizes:?}, {state:?}\n{formula:?}\n{cubes:#?}");
            }
        }
    }
    with_universal_parts
}

#[test]
fn cubes_are_the_states_of_their_formula_where_types_may_be_empty() {
    let sizes = [[0, 0], [0, 2], [1, 0], [1, 1], [2, 1], [2, 2], [3, 0], [3, 1]];
    let with_universal_parts = compare(false, false, 6000, &sizes);
    assert!(with_universal_parts > 800, "{with_universal_parts}");
}

#[test]
fn cubes_are_the_states_of_their_formula_where_an_element_is_named() {
    let with_universal_parts = compare(true, false, 6000, &[[1, 0], [1, 2], [2, 1], [3, 0], [3, 1]]);
    assert!(with_universal_parts > 800, "{with_universal_parts}");
}

#[test]
fn cubes_are_the_states_of_their_formula_about_pairs_of_elements() {
    let with_universal_parts = compare(false, true, 5000, &[[0, 0], [1, 0], [2, 0]]);
    assert!(with_universal_parts > 600, "{with_universal_parts}");
    let with_universal_parts = compare(true, true, 250, &[[3, 0]]);
    assert!(with_universal_parts > 10, "{with_universal_parts}");
}

/// A conjunction of which several parts ask for the same element, each under a condition of its own.
fn conjunction_that_asks_again(sample: &mut Sample, random: &mut Random) -> Formula {
    let asked: Vec<(IndexVariableId, Formula)> = (0..2)
        .map(|_| {
            let variable = sample.universe.index_variable("x", NODE, Role::Bound);
            (variable, sample.formula(random, 1, &[variable], true))
        })
        .collect();
    let mut parts = Vec::new();
    for _ in 0..3 + random.below(3) {
        if random.below(4) == 0 {
            parts.push(sample.formula(random, 2, &[], false));
            continue;
        }
        let (variable, body) = &asked[random.below(2)];
        let own = sample.universe.index_variable("x", NODE, Role::Bound);
        let rename = |v| IndexTerm::Variable(if v == *variable { own } else { v });
        let exists = Formula::Exists(own, Box::new(substitute(&sample.universe, body, &rename)));
        let condition = sample.equation(random, &[]);
        parts.push(if random.below(5) == 0 { exists } else { Formula::Or(vec![condition, exists]) });
    }
    Formula::And(parts)
}

#[test]
fn guards_are_the_states_of_their_formula() {
    let (mut all, mut fewer) = (0, 0);
    for seed in 0..3000 {
        let mut sample = sample(seed % 2 == 0, false);
        let formula = conjunction_that_asks_again(&mut sample, &mut Random(seed));
        let mut universe = sample.universe.clone();
        let cases = match guards(&mut universe, &formula, BelowForall::Refused) {
            Ok(cases) => cases,
            Err(reason) => {
                assert_eq!(reason, Reason::ExistsBelowForall);
                continue;
            }
        };
        let mut asks = 0;
        formula.visit(&mut |part| asks += usize::from(matches!(part, Formula::Exists(..))));
        fewer += usize::from(asks > 2 && cases.len() <= asks);
        all += cases.len();
        let close = |GuardCase { witnesses, guard }: &GuardCase| {
            witnesses.iter().fold(guard.clone(), |inner, &v| Formula::Exists(v, Box::new(inner)))
        };
        let closed = Formula::Or(cases.iter().map(close).collect());
        let system = system_of(&sample.universe);
        let most: &[[u32; 2]] = if seed % 2 == 0 { &[[1, 1], [2, 1]] } else { &[[0, 1], [1, 0], [2, 1]] };
        for sizes in most {
            let instance = Evaluator::new(&system, sizes.to_vec()).unwrap();
            for state in states(&instance) {
                let expected = instance.holds(&formula, &sample.universe.scope, &state);
                let found = instance.holds(&closed, &universe.scope, &state);
                assert_eq!(found, expected, "seed {seed}, {sizes:?}, {state:?}\n{formula:?}\n{closed:?}");
            }
        }
    }
    assert!(fewer > 1000, "{fewer}");
    // Told apart one by one, they would be 14391.
    assert!(all < 6000, "{all}");
}

/// A rule that sends on each of twenty paths asks on each whether a slot is free: this is one question.
#[test]
fn what_is_asked_on_many_paths_is_asked_once() {
    let mut sample = sample(false, false);
    let (slot, _) = sample.reads[1].clone();
    let stages: Vec<_> = (0..21).map(|number| sample.universe.integer(number)).collect();
    let stage = sample.universe.sort("stage", vec![], stages.clone());
    let at = sample.universe.cell(stage, Vec::new());
    let part = |stage| {
        let here = Formula::Equal(Term::Read(at, Vec::new()), Term::Constant(stage));
        let own = sample.universe.index_variable("x", NODE, Role::Bound);
        let free = Formula::Equal(Term::Read(slot, vec![IndexTerm::Variable(own)]), Term::Constant(FALSE));
        Formula::Or(vec![Formula::Not(Box::new(here)), Formula::Exists(own, Box::new(free))])
    };
    let formula = Formula::And(stages.into_iter().skip(1).map(part).collect());
    let cases = guards(&mut sample.universe, &formula, BelowForall::Refused).unwrap();
    assert_eq!(cases.len(), 2, "{cases:?}");
}
