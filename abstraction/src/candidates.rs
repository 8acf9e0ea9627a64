//! Finds the instances of invariants that strengthen an abstract rule.
//!
//! A candidate is a clause that holds in every reachable state that satisfies the guard, and part of which is about the
//! abstract state; or the value of hidden state. Each clause follows from an invariant of a checked certificate and the
//! guard alone, so adding it to the guard removes no step (the noninterference lemmas of Chou, Mannava and Park, 2004,
//! section 3.2).

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::InvariantId;
use system::System;
use system::{Cube, IndexTerm, IndexTypeId, Term};

use super::facts::{Facts, negation};
use super::skeleton::Skeleton;
use super::space::Space;
use super::symbolic::{Condition, Datum, Element, Equation, Outcome, equation, is_hidden};

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
    /// Not all of these equations hold.
    Not(Clause),
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
    let mut finder = Finder { space, skeleton, others, partial: Vec::new() };
    for (id, cube) in usable(invariants) {
        finder.instances(id, cube, expressible);
    }
    let mut found: BTreeMap<Clause, Vec<Use>> = BTreeMap::new();
    for derived in finder.clauses(expressible) {
        found.entry(derived.clause).or_insert(derived.uses);
    }
    let mut found: Vec<Candidate> = found
        .into_iter()
        .map(|(clause, uses)| Candidate { skeleton: position, uses, says: Says::Not(clause) })
        .collect();
    found.sort_by_key(|candidate| (candidate.uses.len(), candidate.variables(), candidate.uses[0].invariant));
    found.extend(values(space.system, skeleton, position, invariants, &finder.others));
    found
}

impl Candidate {
    /// How many shown elements without names there have to be for it to say something.
    pub(crate) fn variables(&self) -> usize {
        match &self.says {
            Says::Not(clause) => clause.variables.len() + clause.fixed.len(),
            Says::Value { .. } => 0,
        }
    }
}

/// Not all equations hold, for all shown elements without names in place of the variables that are distinct and distinct
/// from the fixed elements, where these are distinct and without names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Clause {
    pub(crate) variables: Vec<(String, IndexTypeId)>,
    /// Parameters of the rule that take the place of variables.
    pub(crate) fixed: Vec<(String, IndexTypeId)>,
    pub(crate) equations: Vec<Equation>,
}

/// A clause and where it comes from.
#[derive(Clone, Debug)]
struct Derived {
    clause: Clause,
    uses: Vec<Use>,
}

struct Finder<'a> {
    space: &'a Space<'a>,
    skeleton: &'a Skeleton,
    others: Vec<Element>,
    partial: Vec<Derived>,
}

impl Finder<'_> {
    /// Takes in an invariant, for all choices of its variables among the others, the parameters and all shown elements.
    /// A parameter is chosen only where nothing comes of all elements.
    fn instances(&mut self, id: InvariantId, cube: &Cube, expressible: &dyn Fn(&Equation) -> bool) {
        let parameters = self.skeleton.parameters.iter().filter_map(|(_, element, over)| match element {
            Element::Shown(name) if self.space.type_of(*over).abstracted => Some((name.clone(), *over)),
            Element::Shown(_) | Element::Named(_) | Element::Other(..) | Element::Generic => None,
        });
        let parameters: Vec<(String, IndexTypeId)> = parameters.collect();
        let mut said: Vec<Vec<Option<Element>>> = Vec::new();
        for choice in choices(cube, &self.others, &parameters) {
            let more_general = |general: &Vec<Option<Element>>| {
                general.iter().zip(&choice).all(|(general, special)| general.is_none() || general == special)
            };
            if said.iter().any(more_general) {
                continue;
            }
            let Some(derived) = self.instance(id, cube, &choice) else { continue };
            if derived.clause.equations.iter().all(expressible) {
                said.push(choice);
            }
            self.partial.push(derived);
        }
    }

    fn instance(&self, id: InvariantId, cube: &Cube, choice: &[Option<Element>]) -> Option<Derived> {
        let mut used = self.skeleton.names.clone();
        let (mut variables, mut fixed) = (Vec::new(), Vec::new());
        let mut elements = Vec::new();
        for (over, chosen) in cube.variables.iter().zip(choice) {
            elements.push(match chosen {
                Some(Element::Shown(name)) => {
                    fixed.push((name.clone(), *over));
                    Element::Shown(name.clone())
                }
                Some(other) => other.clone(),
                None => {
                    let wanted = if self.space.type_of(*over).abstracted { "p" } else { "d" };
                    let name = self.space.free_name(wanted, &mut used);
                    variables.push((name.clone(), *over));
                    Element::Shown(name)
                }
            });
        }
        let equations = remaining(self.space.system, cube, &elements, &self.skeleton.facts)?;
        let clause = Clause { variables, fixed, equations };
        Some(Derived { clause, uses: vec![Use { invariant: id, elements }] })
    }

    /// Clauses of which all is expressible; those that are not alone together with another one.
    fn clauses(&self, expressible: &dyn Fn(&Equation) -> bool) -> Vec<Derived> {
        let hidden = |derived: &&Derived| derived.clause.equations.iter().filter(|e| !expressible(e)).count();
        let mut found: Vec<Derived> = self.partial.iter().filter(|derived| hidden(derived) == 0).cloned().collect();
        let single: Vec<&Derived> = self.partial.iter().filter(|derived| hidden(derived) == 1).collect();
        for first in &single {
            for second in &single {
                found.extend(self.resolved(first, second, expressible));
            }
        }
        found
    }

    /// What follows from two clauses where the hidden equation of one follows from the negation of the other's.
    ///
    /// Variables of different invariants may be equal, which a clause cannot say, so one of them has none.
    fn resolved(&self, first: &Derived, second: &Derived, expressible: &dyn Fn(&Equation) -> bool) -> Option<Derived> {
        let (one, other) = (&first.clause, &second.clause);
        let elements = |clause: &Clause| clause.variables.len() + clause.fixed.len();
        if elements(one) > 0 && elements(other) > 0 {
            return None;
        }
        let hidden = one.equations.iter().find(|e| !expressible(e))?;
        let mut facts = Facts::default();
        facts.assume(&negation(self.space.system, &Condition::Equation(hidden.clone())));
        let resolved = other.equations.iter().find(|e| !expressible(e))?;
        if facts.decide(resolved) != Some(true) {
            return None;
        }
        let all = one.equations.iter().chain(&other.equations);
        let equations: BTreeSet<Equation> = all.filter(|e| expressible(e)).cloned().collect();
        let clause = Clause {
            variables: [one.variables.clone(), other.variables.clone()].concat(),
            fixed: [one.fixed.clone(), other.fixed.clone()].concat(),
            equations: equations.into_iter().collect(),
        };
        Some(Derived { clause, uses: [first.uses.clone(), second.uses.clone()].concat() })
    }
}

/// The ways in which variables of a cube can be some of the others, at least one, and some of the parameters; those with
/// fewer parameters come first.
fn choices(cube: &Cube, others: &[Element], parameters: &[(String, IndexTypeId)]) -> Vec<Vec<Option<Element>>> {
    let mut found: Vec<Vec<Option<Element>>> = vec![Vec::new()];
    for over in &cube.variables {
        let other = |other: &&Element| matches!(other, Element::Other(of, _) if of == over);
        let others = others.iter().filter(other).cloned();
        let parameters = parameters.iter().filter(|(_, of)| of == over).map(|(name, _)| Element::Shown(name.clone()));
        let possible: Vec<Element> = others.chain(parameters).collect();
        let mut next = Vec::new();
        for choice in found {
            for element in std::iter::once(None).chain(possible.iter().cloned().map(Some)) {
                if element.is_none() || !choice.contains(&element) {
                    let mut longer = choice.clone();
                    longer.push(element);
                    next.push(longer);
                }
            }
        }
        found = next;
    }
    found.retain(|choice| choice.iter().flatten().any(Element::is_other));
    let fixed = |choice: &Vec<Option<Element>>| choice.iter().flatten().filter(|element| !element.is_other()).count();
    found.sort_by_key(fixed);
    found
}

/// The equations of a cube that do not follow; none where the cube cannot hold.
fn remaining(system: &System, cube: &Cube, elements: &[Element], facts: &Facts) -> Option<Vec<Equation>> {
    let mut left = Vec::new();
    for literal in &cube.literals {
        let condition = equation(
            system,
            datum(&literal.left, elements),
            literal.comparison.is_equal(),
            datum(&literal.right, elements),
        );
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
    let literal = |literal: &system::Literal| {
        let condition = equation(
            system,
            datum(&literal.left, elements),
            literal.comparison.is_equal(),
            datum(&literal.right, elements),
        );
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
    term.map(&mut |index| element(index))
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
            if is_hidden(datum) {
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

/// The invariants that can strengthen something. The witness of one that says that something exists may not be kept.
fn usable<'i, 'c>(invariants: &'i [&'c Cube]) -> impl Iterator<Item = (InvariantId, &'i &'c Cube)> {
    (0..).map(InvariantId).zip(invariants).filter(|(_, cube)| cube.universals.is_empty())
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
        let value = usable(invariants).find_map(|(id, cube)| {
            choices(cube, others, &[]).into_iter().find_map(|choice| {
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
    (!is_hidden(&value)).then_some(value)
}
