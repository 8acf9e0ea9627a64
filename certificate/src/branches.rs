//! After-formulas and their disjunctive normal form.
//!
//! In: a rule (or startstate) under a match. Out: disjuncts of its guard, of conditions, and of the after-formula of a
//! literal: the literal's weakest precondition under the simultaneous update, the classical substitution of the
//! assigned values for the reads (Dijkstra; for updates of arrays Ghilardi and Ranise 2010, section 3.2). It must not
//! use equality reasoning beyond pairs of literals: what a branch implies is the business of [`crate::context`].

use protocol::system::{Cube, Formula, Literal, Update, Value};

use crate::clause::{Clause, Universal};
use crate::closure::Known;
use crate::ground::{Environment, Fact, Ground, Made, Read, Side};
use crate::obligations::{Refusal, Transition};

/// More disjuncts than this are refused.
pub(crate) const LIMIT: usize = 1 << 12;

/// A conjunction: facts, and quantified parts of the guard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disjunct<'a> {
    /// The facts, strictly ascending.
    pub facts: Vec<Fact>,
    /// The quantified parts, in the order of the guard.
    pub universals: Vec<Universal<'a>>,
}

/// A value of a conditional update, with the conditions on its path; `None` is any value of the sort.
type Leaf<'a> = (Disjunct<'a>, Option<Side>);

/// What disjuncts are made of: a transition under a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disjuncts<'e, 'a> {
    pub(crate) ground: Ground<'e>,
    pub(crate) transition: Transition<'a>,
    pub(crate) environment: &'e Environment,
}

impl<'a> Disjuncts<'_, 'a> {
    /// The disjuncts of a formula or of its negation, left to right.
    pub(crate) fn formula(
        &self,
        formula: &'a Formula,
        positive: bool,
        environment: &Environment,
    ) -> Result<Vec<Disjunct<'a>>, Refusal> {
        self.disjuncts(self.clause(formula, positive, environment)?)
    }

    fn clause(&self, formula: &'a Formula, positive: bool, environment: &Environment) -> Result<Clause<'a>, Refusal> {
        Clause::of(self.ground, formula, positive, environment, &|universal, _| Ok(Clause::Forall(universal)))
    }

    /// The disjunctive normal form.
    fn disjuncts(&self, clause: Clause<'a>) -> Result<Vec<Disjunct<'a>>, Refusal> {
        match clause {
            Clause::Fact(made) => Ok(alternatives(made)),
            Clause::Forall(universal) => Ok(vec![Disjunct { facts: Vec::new(), universals: vec![universal] }]),
            Clause::All(parts) => {
                let mut all = vec![Disjunct::default()];
                for part in parts {
                    all = conjoin(&self.ground, &all, &self.disjuncts(part)?)?;
                }
                Ok(all)
            }
            Clause::Any(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    extend(&mut all, self.disjuncts(part)?)?;
                }
                Ok(all)
            }
        }
    }

    /// The after-formula of a literal of a cube.
    ///
    /// Every read is replaced by each value that the update can give it, together with the conditions for that value; a
    /// value that may be anything makes the literal true.
    pub(crate) fn after(&self, literal: &Literal) -> Result<Vec<Disjunct<'a>>, Refusal> {
        let (left, right) = (self.ground.cube_term(&literal.left)?, self.ground.cube_term(&literal.right)?);
        let mut all = Vec::new();
        let right_leaves = self.leaves_of_side(&right)?;
        for (conditions, left) in self.leaves_of_side(&left)? {
            let Some(left) = left else {
                extend(&mut all, vec![conditions])?;
                continue;
            };
            for (more, right) in &right_leaves {
                let made = right
                    .as_ref()
                    .map_or(Made::True, |right| self.ground.equation(left.clone(), literal.equal, right.clone()));
                let both = conjoin(&self.ground, std::slice::from_ref(&conditions), std::slice::from_ref(more))?;
                extend(&mut all, conjoin(&self.ground, &both, &alternatives(made))?)?;
            }
        }
        Ok(all)
    }

    /// Whether every read of the cube keeps its value, where only conditions are followed that symbols, constants
    /// and sorts decide.
    pub(crate) fn keeps(&self, cube: &Cube) -> Result<bool, Refusal> {
        for literal in &cube.literals {
            for term in [&literal.left, &literal.right] {
                match self.ground.cube_term(term)? {
                    Side::Read(read) if !self.keeps_read(&read)? => return Ok(false),
                    Side::Read(_) | Side::Datum(_) => {}
                }
            }
        }
        Ok(true)
    }

    fn keeps_read(&self, read: &Read) -> Result<bool, Refusal> {
        let Some(update) = self.transition.update(read.variable) else {
            return Ok(true);
        };
        let environment = self.bound(update, read);
        let mut value = &update.value;
        loop {
            match value {
                Value::Arbitrary => return Ok(false),
                Value::Term(term) => {
                    return Ok(self.ground.term(term, &environment)? == Side::Read(read.clone()));
                }
                Value::If(condition, then, otherwise) => {
                    match self.clause(condition, true, &environment)?.truth(&known_at_sight) {
                        Known::True => value = then,
                        Known::False => value = otherwise,
                        Known::Open => return Ok(false),
                    }
                }
            }
        }
    }

    /// The values of one side of a literal after the step.
    fn leaves_of_side(&self, side: &Side) -> Result<Vec<Leaf<'a>>, Refusal> {
        let unchanged = || Ok(vec![(Disjunct::default(), Some(side.clone()))]);
        let Side::Read(read) = side else {
            return unchanged();
        };
        match self.transition.update(read.variable) {
            None => unchanged(),
            Some(update) => self.leaves(&update.value, &self.bound(update, read)),
        }
    }

    /// The leaves of a conditional value: those of the first case before those of the second.
    fn leaves(&self, value: &'a Value, environment: &Environment) -> Result<Vec<Leaf<'a>>, Refusal> {
        match value {
            Value::Arbitrary => Ok(vec![(Disjunct::default(), None)]),
            Value::Term(term) => Ok(vec![(Disjunct::default(), Some(self.ground.term(term, environment)?))]),
            Value::If(condition, then, otherwise) => {
                let mut all = Vec::new();
                for (case, truth) in [(then, true), (otherwise, false)] {
                    let conditions = self.formula(condition, truth, environment)?;
                    if conditions.is_empty() {
                        continue;
                    }
                    let leaves = self.leaves(case, environment)?;
                    for condition in &conditions {
                        for (more, side) in &leaves {
                            let both =
                                conjoin(&self.ground, std::slice::from_ref(condition), std::slice::from_ref(more))?;
                            all.extend(both.into_iter().map(|both| (both, side.clone())));
                        }
                    }
                    if all.len() > LIMIT {
                        return Err(Refusal::TooManyBranches);
                    }
                }
                Ok(all)
            }
        }
    }

    /// The environment in which the bound variables of an update are the arguments of a read.
    fn bound(&self, update: &Update, read: &Read) -> Environment {
        let mut environment = self.environment.clone();
        for (bound, symbol) in update.arguments.iter().zip(&read.arguments) {
            if let Some(slot) = environment.get_mut(bound.index()) {
                *slot = Some(*symbol);
            }
        }
        environment
    }
}

/// Facts are open where nothing is assumed.
fn known_at_sight(made: &Made) -> Known {
    match made {
        Made::True => Known::True,
        Made::False => Known::False,
        Made::Open(_) => Known::Open,
    }
}

/// The conjunctions of each disjunct of the one with each of the other, without those that contradict themselves at
/// sight, and each once.
pub(crate) fn conjoin<'a>(
    ground: &Ground<'_>,
    left: &[Disjunct<'a>],
    right: &[Disjunct<'a>],
) -> Result<Vec<Disjunct<'a>>, Refusal> {
    let mut all = Vec::new();
    for a in left {
        for b in right {
            if let Some(both) = merged(ground, a, b) {
                extend(&mut all, vec![both])?;
            }
        }
    }
    Ok(all)
}

fn merged<'a>(ground: &Ground<'_>, a: &Disjunct<'a>, b: &Disjunct<'a>) -> Option<Disjunct<'a>> {
    let mut both = a.clone();
    for fact in &b.facts {
        if let Err(position) = both.facts.binary_search(fact) {
            if both.facts.iter().any(|other| clash(ground, other, fact)) {
                return None;
            }
            both.facts.insert(position, fact.clone());
        }
    }
    both.universals.extend(b.universals.iter().copied());
    Some(both)
}

/// Whether two facts are complementary, or equate one read with two different data.
fn clash(ground: &Ground<'_>, a: &Fact, b: &Fact) -> bool {
    if a.left != b.left {
        return false;
    }
    match (&a.right, &b.right) {
        (Side::Datum(x), Side::Datum(y)) if a.equal && b.equal => x != y,
        _ => ground.negation(a) == Made::Open(b.clone()),
    }
}

/// Adds the disjuncts that are not there.
fn extend<'a>(all: &mut Vec<Disjunct<'a>>, more: Vec<Disjunct<'a>>) -> Result<(), Refusal> {
    for disjunct in more {
        if !all.contains(&disjunct) {
            all.push(disjunct);
        }
        if all.len() > LIMIT {
            return Err(Refusal::TooManyBranches);
        }
    }
    Ok(())
}

fn alternatives<'a>(made: Made) -> Vec<Disjunct<'a>> {
    match made {
        Made::True => vec![Disjunct::default()],
        Made::False => Vec::new(),
        Made::Open(fact) => vec![Disjunct { facts: vec![fact], universals: Vec::new() }],
    }
}
