//! From the relations of a certificate to the steps of one lemma.
//!
//! What the certificate says about a rule and an invariant becomes a tree of [`Step`]s: case splits on equations, and
//! leaves that name the facts that contradict each other. Index equations are split only where the argument depends on
//! them, so one leaf may cover many matches of the certificate. Only the instances of invariants that the certificate
//! names are used; the search is only for the order of the splits.
//!
//! Nothing here is trusted: Isabelle checks every leaf.

mod closing;
mod others;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::{Argument, InvariantId, Match, Relation, RelationEntry};
use system::{Comparison, Cube, Formula, IndexTypeId, System, Transition, VariableId};

use self::view::View;
use super::ground::{Ground, GroundLiteral, Place};

/// A proof by cases that an invariant holds after a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A split on whether two elements are equal.
    Elements(Place, Place, Box<Step>, Box<Step>),
    /// A split on whether a literal holds.
    Literal(GroundLiteral, Box<Step>, Box<Step>),
    /// The value of a state variable is an element other than those known so far; it gets the next place.
    Fresh(VariableId, Vec<Place>, Box<Step>),
    /// Elements violate a universal part of an instance of a cube; they get the next places. There is one case for each
    /// universal part, with the types of its elements. The facts are those from which it follows that the instance's
    /// elements differ and satisfy its literals; there are none to name if it has neither.
    Witness(InvariantId, Vec<Place>, Option<Vec<Fact>>, Vec<(Vec<IndexTypeId>, Step)>),
    /// The end of a case: these facts contradict its assumptions.
    Close(Vec<Fact>),
}

impl Step {
    /// Removes the facts for which `dropped` returns true.
    #[must_use]
    pub fn without(self, dropped: &dyn Fn(&Fact) -> bool) -> Self {
        let within = |step: Box<Self>| Box::new(step.without(dropped));
        match self {
            Self::Elements(left, right, equal, differ) => Self::Elements(left, right, within(equal), within(differ)),
            Self::Literal(literal, holds, fails) => Self::Literal(literal, within(holds), within(fails)),
            Self::Fresh(variable, places, rest) => Self::Fresh(variable, places, within(rest)),
            Self::Witness(cube, places, promise, cases) => {
                let kept = |facts: Vec<Fact>| facts.into_iter().filter(|fact| !dropped(fact)).collect();
                let cases = cases.into_iter().map(|(types, step)| (types, step.without(dropped)));
                Self::Witness(cube, places, promise.map(kept), cases.collect())
            }
            Self::Close(facts) => Self::Close(facts.into_iter().filter(|fact| !dropped(fact)).collect()),
        }
    }
}

/// A fact that holds before the rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A conjunct of the guard.
    Guard(usize),
    /// A universal conjunct of the guard, at elements.
    Instance(usize, Vec<Place>),
    /// A universal part of the cube after the rule, at elements.
    Others(usize, Vec<Place>),
    /// An invariant, at elements.
    Invariant(InvariantId, Vec<Place>),
    /// The type of a state variable, at elements.
    Type(VariableId, Vec<Place>),
}

/// Why a proof cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    /// No argument was found with what the certificate says.
    #[error("the certificate's argument cannot be replayed")]
    Stuck,
    /// There is one, which is no proof to be read or checked.
    #[error("the proof has more than {MOST_STEPS} steps")]
    TooLong,
}

/// A proof with more steps than this is given up. The longest proofs of our models have less than a hundred, so that
/// theories stay linear in their certificate without a limit that a real model meets.
pub const MOST_STEPS: u32 = 4096;

/// An element: its type, and whether it is rigid. Rigid elements differ from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Element {
    index_type: IndexTypeId,
    rigid: bool,
}

/// A rule and an invariant.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    system: &'a System,
    rule: &'a Transition,
    cube: &'a Cube,
    /// The invariant, if the cube is that of one, which then may be used.
    invariant: Option<InvariantId>,
    cubes: &'a [Cube],
    entries: Vec<(&'a Match, Vec<&'a Argument>)>,
    /// Instances of the cubes that may be used, besides those that the entries name.
    given: Vec<(InvariantId, Vec<Place>)>,
    elements: Vec<Element>,
    guard: Vec<&'a Formula>,
}

impl<'a> Pair<'a> {
    /// Collects what the certificate says about the pair. The elements are the rule's parameters, the invariant's
    /// variables and the named elements, in this order.
    #[must_use]
    pub fn new(
        system: &'a System,
        rule: &'a Transition,
        cubes: &'a [Cube],
        invariant: InvariantId,
        entries: &'a [RelationEntry],
    ) -> Self {
        let mut arguments: BTreeMap<&Match, Vec<&Argument>> = BTreeMap::new();
        for entry in entries {
            let Some(matching) = &entry.matching else { continue };
            let known = arguments.entry(matching).or_default();
            if let Relation::Implied(argument) = &entry.relation {
                known.push(argument);
            }
        }
        Self::with(system, rule, &cubes[invariant.index()], cubes, Some(invariant), arguments.into_iter().collect())
    }

    /// A cube that the invariants exclude, by an argument. The rule `nothing` has no effect and no parameters.
    #[must_use]
    pub fn of_cube(
        system: &'a System,
        nothing: &'a Transition,
        cube: &'a Cube,
        cubes: &'a [Cube],
        argument: (&'a Match, &'a Argument),
    ) -> Self {
        Self::with(system, nothing, cube, cubes, None, vec![(argument.0, vec![argument.1])])
    }

    /// A startstate and an invariant: nothing holds before.
    #[must_use]
    pub fn of_start(system: &'a System, start: &'a Transition, cubes: &'a [Cube], invariant: InvariantId) -> Self {
        Self::with(system, start, &cubes[invariant.index()], cubes, None, Vec::new())
    }

    /// A formula that holds of elements because cubes are excluded: the rule's guard is the negation of the formula,
    /// and the empty cube holds after it. The elements are the rule's parameters and the named elements.
    #[must_use]
    pub fn of_part(
        system: &'a System,
        negation: &'a Transition,
        empty: &'a Cube,
        cubes: &'a [Cube],
        given: Vec<(InvariantId, Vec<Place>)>,
    ) -> Self {
        Self { given, ..Self::with(system, negation, empty, cubes, None, Vec::new()) }
    }

    fn with(
        system: &'a System,
        rule: &'a Transition,
        cube: &'a Cube,
        cubes: &'a [Cube],
        invariant: Option<InvariantId>,
        entries: Vec<(&'a Match, Vec<&'a Argument>)>,
    ) -> Self {
        let parameters = rule.parameters().iter();
        let parameters = parameters.map(|parameter| Element { index_type: parameter.index_type, rigid: false });
        let variables = cube.variables.iter().map(|kind| Element { index_type: *kind, rigid: true });
        let named = system.named.iter().map(|named| Element { index_type: named.index_type, rigid: true });
        Self {
            system,
            rule,
            cube,
            invariant,
            cubes,
            entries,
            given: Vec::new(),
            elements: parameters.chain(variables).chain(named).collect(),
            guard: rule.guard.conjuncts(),
        }
    }

    /// Finds the proof.
    ///
    /// # Errors
    /// Returns an error if the certificate's argument does not suffice, which does not happen with a checked certificate,
    /// or if the proof is too long.
    pub fn prove(&self) -> Result<Step, NoProof> {
        self.step(&State::new(&self.elements), &mut { MOST_STEPS })
    }

    fn parameters(&self) -> usize {
        self.rule.parameters as usize
    }

    fn variable(&self, position: usize) -> Place {
        self.parameters() + position
    }

    fn named(&self, position: usize) -> Place {
        self.parameters() + self.cube.variables.len() + position
    }

    fn step(&self, state: &State, left: &mut u32) -> Result<Step, NoProof> {
        *left = left.checked_sub(1).ok_or(NoProof::TooLong)?;
        let view = View { pair: self, state };
        let (after, open) = view.after();
        let facts = view.facts();
        if let Some(facts) = view.contradiction(&after, &facts) {
            return Ok(Step::Close(facts));
        }
        match open.or_else(|| view.next_split(&after, &facts)).ok_or(NoProof::Stuck)? {
            Split::Elements(one, other) => {
                let equal = self.step(&state.with_elements(one, other, true), left)?;
                let differ = self.step(&state.with_elements(one, other, false), left)?;
                Ok(Step::Elements(one, other, Box::new(equal), Box::new(differ)))
            }
            Split::Literal(literal) => {
                let holds = self.step(&state.with_literal(literal.clone()), left)?;
                let fails = self.step(&state.with_literal(literal.negated()), left)?;
                Ok(Step::Literal(literal, Box::new(holds), Box::new(fails)))
            }
            Split::Fresh(variable, places, index_type) => {
                let rest = self.step(&state.with_fresh(variable, &places, index_type), left)?;
                Ok(Step::Fresh(variable, places, Box::new(rest)))
            }
            Split::Witness(promise, facts) => {
                let universals = self.cubes[promise.0.index()].universals.iter().enumerate();
                let cases = universals.map(|(number, universal)| {
                    let step = self.step(&view.with_witness(&promise, number), left)?;
                    Ok((universal.variables.clone(), step))
                });
                let cases = cases.collect::<Result<Vec<_>, NoProof>>()?;
                Ok(Step::Witness(promise.0, promise.1, facts, cases))
            }
        }
    }
}

/// Returns whether a conjunct has a quantifier inside other connectives.
pub(super) fn is_nested(formula: &Formula) -> bool {
    match formula {
        Formula::Forall(_, body) => is_nested(body),
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Not(_)
        | Formula::And(_)
        | Formula::Or(_)
        | Formula::Exists(..) => formula.has_quantifier(),
    }
}

enum Split {
    Elements(Place, Place),
    Literal(GroundLiteral),
    Fresh(VariableId, Vec<Place>, IndexTypeId),
    /// An instance of a cube with universal parts, and the facts from which it follows that its literals hold.
    Witness((InvariantId, Vec<Place>), Option<Vec<Fact>>),
}

/// Elements that violate a universal part of an instance of a cube.
#[derive(Clone, Debug)]
struct Witnessed {
    invariant: InvariantId,
    places: Vec<Place>,
    universal: usize,
    elements: Vec<Place>,
}

/// What the case splits have decided so far.
#[derive(Clone, Debug)]
struct State {
    elements: Vec<Element>,
    /// For each element, the representative of all elements equal to it.
    representative: Vec<Place>,
    differ: BTreeSet<(Place, Place)>,
    literals: Vec<GroundLiteral>,
    /// Elements that case splits on values have introduced.
    fresh: Vec<Place>,
    /// The elements that violate universal parts, in the order of their splits.
    witnessed: Vec<Witnessed>,
}

impl State {
    fn new(elements: &[Element]) -> Self {
        Self {
            elements: elements.to_vec(),
            representative: (0..elements.len()).collect(),
            differ: BTreeSet::new(),
            literals: Vec::new(),
            fresh: Vec::new(),
            witnessed: Vec::new(),
        }
    }

    fn is_witness(&self, place: Place) -> bool {
        self.witnessed.iter().any(|witnessed| witnessed.elements.contains(&place))
    }

    fn with_elements(&self, left: Place, right: Place, equal: bool) -> Self {
        let mut next = self.clone();
        let (left, right) = (self.representative[left], self.representative[right]);
        if equal {
            // A witness is written as the element that it is equal to.
            let left_stays = self.elements[left].rigid || (self.is_witness(right) && !self.elements[right].rigid);
            let (stays, goes) = if left_stays { (left, right) } else { (right, left) };
            let replace = |place: Place| if place == goes { stays } else { place };
            next.representative.iter_mut().for_each(|place| *place = replace(*place));
            next.differ = self.differ.iter().map(|(one, other)| (replace(*one), replace(*other))).collect();
            for literal in &mut next.literals {
                *literal = literal.map(&mut |place| replace(*place));
            }
        } else {
            next.differ.insert((left, right));
        }
        next
    }

    fn with_literal(&self, literal: GroundLiteral) -> Self {
        let mut next = self.clone();
        next.literals.push(literal);
        next
    }

    fn with_fresh(&self, variable: VariableId, places: &[Place], index_type: IndexTypeId) -> Self {
        let mut next = self.clone();
        let place = self.elements.len();
        let others = (0..place).filter(|other| self.elements[*other].index_type == index_type);
        next.differ.extend(others.map(|other| (self.representative[other], place)));
        next.elements.push(Element { index_type, rigid: false });
        next.representative.push(place);
        next.fresh.push(place);
        let left = Ground::Read(variable, places.to_vec());
        next.literals.push(GroundLiteral { left, comparison: Comparison::Equal, right: Ground::Index(place) });
        next
    }
}
