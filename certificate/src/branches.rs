//! After-formulas and their disjunctive normal form.
//!
//! In: a rule (or startstate) under a match. Out: disjuncts of its guard, of conditions, and of the after-formula of a
//! literal: the literal's weakest precondition under the simultaneous update, the classical substitution of the
//! assigned values for the reads (Dijkstra; for updates of arrays Ghilardi and Ranise 2010, section 3.2). It must not
//! use equality reasoning beyond pairs of literals: what a branch implies is the business of [`crate::context`].

use protocol::system::{Cube, Formula, IndexVariableId, Literal, Update, Value};

use crate::ground::{Environment, Fact, Ground, Made, Read, Side};
use crate::obligations::{Refusal, Transition};

/// More disjuncts than this are refused.
pub(crate) const LIMIT: usize = 1 << 14;

/// A conjunction: facts, and quantified parts of the guard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disjunct<'a> {
    /// The facts, strictly ascending.
    pub facts: Vec<Fact>,
    /// The quantified parts, in the order of the guard.
    pub universals: Vec<Universal<'a>>,
}

/// `forall variable. body`, a part of a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Universal<'a> {
    /// The bound variable, from the scope of the rule.
    pub variable: IndexVariableId,
    /// What holds for all elements.
    pub body: &'a Formula,
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
        match (formula, positive) {
            (Formula::True, true) | (Formula::False, false) => Ok(vec![Disjunct::default()]),
            (Formula::True, false) | (Formula::False, true) => Ok(Vec::new()),
            (Formula::Equal(left, right), _) => {
                let sides = (self.ground.term(left, environment), self.ground.term(right, environment));
                let (Some(left), Some(right)) = sides else {
                    return Err(Refusal::Malformed("an index variable is used outside of its quantifier"));
                };
                Ok(alternatives(self.ground.equation(left, positive, right)))
            }
            (Formula::Not(inner), _) => self.formula(inner, !positive, environment),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let mut all = vec![Disjunct::default()];
                for part in parts {
                    all = conjoin(&self.ground, &all, &self.formula(part, positive, environment)?)?;
                }
                Ok(all)
            }
            (Formula::And(parts), false) | (Formula::Or(parts), true) => {
                let mut all = Vec::new();
                for part in parts {
                    extend(&mut all, self.formula(part, positive, environment)?)?;
                }
                Ok(all)
            }
            (Formula::Forall(variable, body), true) => {
                let universals = vec![Universal { variable: *variable, body }];
                Ok(vec![Disjunct { facts: Vec::new(), universals }])
            }
            (Formula::Forall(..), false) | (Formula::Exists(..), _) => {
                Err(Refusal::Malformed("an existential quantifier in a guard or condition"))
            }
        }
    }

    /// The after-formula of a literal of a cube.
    ///
    /// Every read is replaced by each value that the update can give it, together with the conditions for that value; a
    /// value that may be anything makes the literal true.
    pub(crate) fn after(&self, literal: &Literal) -> Result<Vec<Disjunct<'a>>, Refusal> {
        let sides = (self.ground.cube_term(&literal.left), self.ground.cube_term(&literal.right));
        let (Some(left), Some(right)) = sides else {
            return Err(Refusal::Malformed("an index variable that the cube does not have"));
        };
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
                let side = self.ground.cube_term(term);
                match side.ok_or(Refusal::Malformed("an index variable that the cube does not have"))? {
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
                    let term = self.ground.term(term, &environment);
                    return Ok(term.ok_or(UNBOUND)? == Side::Read(read.clone()));
                }
                Value::If(condition, then, otherwise) => match self.truth(condition, &environment)? {
                    Truth::True => value = then,
                    Truth::False => value = otherwise,
                    Truth::Open => return Ok(false),
                },
            }
        }
    }

    /// The truth of a condition as far as symbols, constants and sorts decide it.
    fn truth(&self, formula: &Formula, environment: &Environment) -> Result<Truth, Refusal> {
        Ok(match formula {
            Formula::True => Truth::True,
            Formula::False => Truth::False,
            Formula::Equal(left, right) => {
                let left = self.ground.term(left, environment).ok_or(UNBOUND)?;
                let right = self.ground.term(right, environment).ok_or(UNBOUND)?;
                match self.ground.equation(left, true, right) {
                    Made::True => Truth::True,
                    Made::False => Truth::False,
                    Made::Open(_) => Truth::Open,
                }
            }
            Formula::Not(inner) => match self.truth(inner, environment)? {
                Truth::True => Truth::False,
                Truth::False => Truth::True,
                Truth::Open => Truth::Open,
            },
            Formula::And(parts) => self.truth_of_all(parts, Truth::False, Truth::True, environment)?,
            Formula::Or(parts) => self.truth_of_all(parts, Truth::True, Truth::False, environment)?,
            Formula::Forall(..) | Formula::Exists(..) => {
                return Err(Refusal::Malformed("a quantifier in a condition"));
            }
        })
    }

    fn truth_of_all(
        &self,
        parts: &[Formula],
        decisive: Truth,
        neutral: Truth,
        environment: &Environment,
    ) -> Result<Truth, Refusal> {
        let mut result = neutral;
        for part in parts {
            let truth = self.truth(part, environment)?;
            if truth == decisive {
                return Ok(decisive);
            }
            if truth == Truth::Open {
                result = Truth::Open;
            }
        }
        Ok(result)
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
            Value::Term(term) => {
                let side = self.ground.term(term, environment).ok_or(UNBOUND)?;
                Ok(vec![(Disjunct::default(), Some(side))])
            }
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

const UNBOUND: Refusal = Refusal::Malformed("an index variable is used outside of its quantifier");

/// The truth of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Open,
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
