//! The instances of invariants that say something about an abstract rule.
//!
//! In: an instance of a rule with others among its parameters, and the invariants of a checked certificate. Out: clauses
//! that hold in every reachable state in which the guard holds, of which a part about the abstract state remains; and
//! values of hidden state. A clause follows from the invariant and the guard alone, so that adding it to the guard takes
//! no step away (the noninterference lemmas of Chou, Mannava and Park, 2004, section 3.2).

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::InvariantId;
use protocol::System;
use protocol::system::{Cube, IndexTerm, Term};

use super::facts::{Facts, negation};
use super::skeleton::Skeleton;
use super::space::Space;
use super::symbolic::{Condition, Datum, Element, Equation, Outcome, equation};

/// An instance of an invariant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Use {
    pub(crate) invariant: InvariantId,
    /// What its variables are.
    pub(crate) elements: Vec<Element>,
}

/// A strengthening that may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The position of the instance of the rule.
    pub(crate) skeleton: usize,
    pub(crate) uses: Vec<Use>,
    pub(crate) says: Says,
}

/// What a strengthening says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// Not all of these equations hold, for all distinct shown elements without names in place of the variables.
    Not { variables: Vec<(String, protocol::system::IndexTypeId)>, equations: Vec<Equation> },
    /// Where hidden state is read for the n-th time, it has this value.
    Value { leaf: usize, datum: Datum },
}

/// All candidates for an instance of a rule, those with fewer variables first.
pub(crate) fn candidates(
    space: &Space<'_>,
    skeleton: &Skeleton,
    position: usize,
    invariants: &[&Cube],
    expressible: &dyn Fn(&Equation) -> bool,
) -> Vec<Candidate> {
    let others = skeleton.others();
    if others.is_empty() {
        return Vec::new();
    }
    let mut finder = Finder { space, skeleton, others, partial: Vec::new(), known: Facts::default() };
    finder.known = skeleton.facts.clone();
    for (id, cube) in (0..).map(InvariantId).zip(invariants) {
        finder.instances(id, cube);
    }
    let mut found: BTreeMap<(usize, Vec<Equation>), Candidate> = BTreeMap::new();
    for clause in finder.clauses(expressible) {
        let key = (clause.variables.len(), clause.equations.clone());
        let says = Says::Not { variables: clause.variables, equations: clause.equations };
        found.entry(key).or_insert(Candidate { skeleton: position, uses: clause.uses, says });
    }
    let mut found: Vec<Candidate> = found.into_values().collect();
    found.sort_by_key(|candidate| (candidate.uses.len(), candidate.variables(), candidate.uses[0].invariant));
    found.extend(values(space.system, skeleton, position, invariants, &finder.others));
    found
}

impl Candidate {
    /// How many variables range over shown elements.
    pub(crate) fn variables(&self) -> usize {
        match &self.says {
            Says::Not { variables, .. } => variables.len(),
            Says::Value { .. } => 0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Clause {
    variables: Vec<(String, protocol::system::IndexTypeId)>,
    equations: Vec<Equation>,
    uses: Vec<Use>,
}

struct Finder<'a> {
    space: &'a Space<'a>,
    skeleton: &'a Skeleton,
    others: Vec<Element>,
    partial: Vec<Clause>,
    known: Facts,
}

impl Finder<'_> {
    /// Takes in an invariant, for all choices of its variables among the others.
    fn instances(&mut self, id: InvariantId, cube: &Cube) {
        for choice in choices(cube, &self.others, true) {
            let mut used = self.skeleton.names.clone();
            let mut variables = Vec::new();
            let elements: Vec<Element> = cube
                .variables
                .iter()
                .zip(choice)
                .map(|(over, other)| {
                    other.unwrap_or_else(|| {
                        let wanted = if self.space.type_of(*over).abstracted { "p" } else { "d" };
                        let name = self.space.free_name(wanted, &mut used);
                        variables.push((name.clone(), *over));
                        Element::Shown(name)
                    })
                })
                .collect();
            if let Some(equations) = remaining(self.space.system, cube, &elements, &self.known) {
                self.partial.push(Clause { variables, equations, uses: vec![Use { invariant: id, elements }] });
            }
        }
    }

    /// Clauses of which all is expressible; those that are not alone together with another one.
    fn clauses(&self, expressible: &dyn Fn(&Equation) -> bool) -> Vec<Clause> {
        let (whole, hidden): (Vec<&Clause>, Vec<&Clause>) =
            self.partial.iter().partition(|clause| clause.equations.iter().all(expressible));
        let mut found: Vec<Clause> = whole.into_iter().cloned().collect();
        let one_hidden = |clause: &&Clause| clause.equations.iter().filter(|e| !expressible(e)).count() == 1;
        let single: Vec<&Clause> = hidden.into_iter().filter(one_hidden).collect();
        for first in &single {
            for second in &single {
                found.extend(self.resolved(first, second, expressible));
            }
        }
        found
    }

    /// What follows from two clauses where the hidden equation of one follows from the negation of the other's.
    fn resolved(&self, first: &Clause, second: &Clause, expressible: &dyn Fn(&Equation) -> bool) -> Option<Clause> {
        let hidden = first.equations.iter().find(|e| !expressible(e))?;
        let mut facts = Facts::default();
        facts.assume(&negation(self.space.system, &Condition::Equation(hidden.clone())));
        let resolved = second.equations.iter().find(|e| !expressible(e))?;
        if facts.decide(resolved) != Some(true) {
            return None;
        }
        let mut used: BTreeSet<String> = self.skeleton.names.clone();
        used.extend(first.variables.iter().map(|(name, _)| name.clone()));
        let renamed: BTreeMap<&String, String> =
            second.variables.iter().map(|(name, _)| (name, self.space.free_name(name, &mut used))).collect();
        let rename = |e: &Equation| rename(e, &renamed);
        let mut equations: Vec<Equation> = first.equations.iter().filter(|e| expressible(e)).cloned().collect();
        equations.extend(second.equations.iter().filter(|e| expressible(e)).map(rename));
        equations.sort();
        equations.dedup();
        let mut variables = first.variables.clone();
        variables.extend(second.variables.iter().map(|(name, over)| (renamed[name].clone(), *over)));
        // Variables of different invariants may be equal, which a clause cannot say.
        if !first.variables.is_empty() && !second.variables.is_empty() {
            return None;
        }
        Some(Clause { variables, equations, uses: [first.uses.clone(), second.uses.clone()].concat() })
    }
}

/// The ways in which variables of a cube can be some of the others; at least one if wanted.
fn choices(cube: &Cube, others: &[Element], some: bool) -> Vec<Vec<Option<Element>>> {
    let mut found: Vec<Vec<Option<Element>>> = vec![Vec::new()];
    for over in &cube.variables {
        let mut next = Vec::new();
        for choice in found {
            let free = others.iter().filter(|other| {
                matches!(other, Element::Other(of, _) if of == over) && !choice.contains(&Some((*other).clone()))
            });
            for other in std::iter::once(None).chain(free.cloned().map(Some)) {
                let mut longer = choice.clone();
                longer.push(other);
                next.push(longer);
            }
        }
        found = next;
    }
    found.retain(|choice| !some || choice.iter().any(Option::is_some));
    found
}

/// The equations of a cube that do not follow; none where the cube cannot hold.
fn remaining(system: &System, cube: &Cube, elements: &[Element], facts: &Facts) -> Option<Vec<Equation>> {
    let mut left = Vec::new();
    for literal in &cube.literals {
        let condition =
            equation(system, datum(&literal.left, elements), literal.equal, datum(&literal.right, elements));
        match facts.simplify(&condition) {
            Condition::Known(true) => {}
            Condition::Equation(open) => left.push(open),
            Condition::Known(false)
            | Condition::Same(..)
            | Condition::All(_)
            | Condition::Any(_)
            | Condition::Each(..) => return None,
        }
    }
    left.sort();
    left.dedup();
    Some(left)
}

/// The equations of a cube at these elements.
pub(crate) fn equations(system: &System, cube: &Cube, elements: &[Element]) -> Vec<Equation> {
    let literal = |literal: &protocol::system::Literal| {
        let condition =
            equation(system, datum(&literal.left, elements), literal.equal, datum(&literal.right, elements));
        match condition {
            Condition::Equation(open) => Some(open),
            Condition::Known(_) | Condition::Same(..) | Condition::All(_) | Condition::Any(_) | Condition::Each(..) => {
                None
            }
        }
    };
    // The literals of a cube in normal form are open.
    cube.literals.iter().filter_map(literal).collect()
}

fn datum(term: &Term, elements: &[Element]) -> Datum {
    let element = |index: &IndexTerm| match index {
        IndexTerm::Variable(variable) => elements[variable.index()].clone(),
        IndexTerm::Named(named) => Element::Named(*named),
    };
    match term {
        Term::Constant(constant) => Datum::Constant(*constant),
        Term::Index(index) => Datum::Element(element(index)),
        Term::Read(variable, arguments) => Datum::Read(*variable, arguments.iter().map(element).collect()),
    }
}

fn rename(e: &Equation, names: &BTreeMap<&String, String>) -> Equation {
    let element = |element: &Element| match element {
        Element::Shown(name) => Element::Shown(names.get(name).unwrap_or(name).clone()),
        Element::Named(_) | Element::Other(..) | Element::Generic => element.clone(),
    };
    let datum = |datum: &Datum| match datum {
        Datum::Constant(_) => datum.clone(),
        Datum::Element(own) => Datum::Element(element(own)),
        Datum::Read(variable, arguments) => Datum::Read(*variable, arguments.iter().map(element).collect()),
    };
    Equation { left: datum(&e.left), equal: e.equal, right: datum(&e.right) }
}

/// Hidden state that is copied to shown state, in the order of the blocks, with what holds where it is read.
pub(crate) fn leaves(system: &System, skeleton: &Skeleton) -> Vec<(Datum, Facts)> {
    let mut found = Vec::new();
    for block in &skeleton.blocks {
        collect_leaves(system, &block.outcome, &skeleton.facts, &mut found);
    }
    found
}

fn collect_leaves(system: &System, outcome: &Outcome, facts: &Facts, found: &mut Vec<(Datum, Facts)>) {
    match outcome {
        Outcome::Keep | Outcome::Arbitrary => {}
        Outcome::Datum(datum) => {
            if datum.is_hidden() {
                found.push((datum.clone(), facts.clone()));
            }
        }
        Outcome::If(condition, yes, no) => {
            let mut in_yes = facts.clone();
            in_yes.assume(condition);
            collect_leaves(system, yes, &in_yes, found);
            let mut in_no = facts.clone();
            in_no.assume(&negation(system, condition));
            collect_leaves(system, no, &in_no, found);
        }
    }
}

/// What invariants say that hidden state equals where it is read.
fn values(
    system: &System,
    skeleton: &Skeleton,
    position: usize,
    invariants: &[&Cube],
    others: &[Element],
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (leaf, (read, facts)) in leaves(system, skeleton).into_iter().enumerate() {
        let value = (0..).map(InvariantId).zip(invariants).find_map(|(id, cube)| {
            choices(cube, others, true).into_iter().find_map(|choice| {
                let elements: Option<Vec<Element>> = choice.into_iter().collect();
                let elements = elements?;
                let left = remaining(system, cube, &elements, &facts)?;
                let [only] = &left[..] else { return None };
                let datum = value_of(system, only, &read)?;
                Some((Use { invariant: id, elements }, datum))
            })
        });
        if let Some((used, datum)) = value {
            found.push(Candidate { skeleton: position, uses: vec![used], says: Says::Value { leaf, datum } });
        }
    }
    found
}

/// The value of a read if the equation does not hold.
fn value_of(system: &System, refuted: &Equation, read: &Datum) -> Option<Datum> {
    let Condition::Equation(holds) = negation(system, &Condition::Equation(refuted.clone())) else { return None };
    if !holds.equal {
        return None;
    }
    let value = if holds.left == *read {
        holds.right
    } else if holds.right == *read {
        holds.left
    } else {
        return None;
    };
    (!value.is_hidden()).then_some(value)
}
