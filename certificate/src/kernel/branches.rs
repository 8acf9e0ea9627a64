//! The branches of a rule and a cube under a match: the disjunctive normal form of the guard and of the after-formulas
//! of the cube's literals.
//!
//! An after-formula is the weakest precondition of the literal under the simultaneous update: the assigned values are
//! substituted for the reads (Dijkstra; for updates of arrays Ghilardi and Ranise 2010, section 3.2). The
//! functions are those of `FORMAT.md`, section 4 (d), on lists of states where the text has one state at a time. They
//! do no equality reasoning beyond pairs of facts; the rest is up to [`super::context`].

use std::cell::Cell;

use system::{Comparison, Cube, Formula, Literal, System, Term, Value};

use super::clause::Clause;
use super::closure::Closure;
use super::context::Context;
use super::fault::Refusal;
use super::ground::{Environment, Equation, Fact, Ground, Read, Shape, Side};
use super::obligations::Transition;

/// A match that has more branches than this at any time is refused.
pub(crate) const BRANCH_LIMIT: usize = 1 << 12;

/// A match for which facts are added more often than this is refused.
const STEP_LIMIT: u32 = 1 << 20;

/// A branch, complete or under way: a conjunction of facts and of quantified parts of the guard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch<'a> {
    /// The facts, strictly ascending.
    pub facts: Vec<Fact>,
    /// The quantified parts of the guard, in order.
    pub universals: Vec<&'a Formula>,
}

/// A branch and the value of a term in it, with the number that is added to it; `None` is any value of its sort.
type Leaf<'a> = (Branch<'a>, Option<(Side, i64)>);

/// A rule under a match.
pub(crate) struct Matched<'m, 'a> {
    ground: Ground<'m>,
    transition: Transition<'a>,
    /// The symbols of the parameters.
    pub(crate) environment: Environment,
    /// The symbols of the cube's variables.
    cube: Environment,
    /// How often a fact has been added.
    steps: Cell<u32>,
}

impl<'m, 'a> Matched<'m, 'a> {
    pub(crate) fn new(
        ground: Ground<'m>,
        transition: Transition<'a>,
        environment: Environment,
        cube: Environment,
    ) -> Self {
        Self { ground, transition, environment, cube, steps: Cell::new(0) }
    }

    /// Whether every read of the cube keeps its value, following only conditions that symbols, constants and sorts
    /// decide, and no update is of a state variable that a universal part reads.
    pub(crate) fn keeps(&self, cube: &Cube) -> Result<bool, Refusal> {
        let mut terms = cube.literals.iter().flat_map(|literal| [&literal.left, &literal.right]);
        let kept = !self.transition.writes_others(cube);
        terms.try_fold(kept, |kept, term| Ok(kept && self.keeps_term(term)?))
    }

    /// One of the after-formulas of literals.
    pub(crate) fn any_after(&self, literals: &[Literal]) -> Result<Clause, Refusal> {
        let fact = |fact| Clause::Fact(Equation::Open(fact));
        let mut all = Vec::new();
        for literal in literals {
            let branches = self.after(vec![Branch::default()], literal)?.into_iter();
            all.extend(branches.map(|branch| Clause::All(branch.facts.into_iter().map(fact).collect())));
        }
        Ok(Clause::Any(all))
    }

    fn keeps_term(&self, term: &Term) -> Result<bool, Refusal> {
        let before = self.ground.term(term, &self.cube)?;
        let Some((mut value, environment)) = self.assigned(&before) else {
            return Ok(true);
        };
        while let Value::If(condition, then, otherwise) = value {
            let condition = Clause::of(self.ground, self.transition.scope, condition, true, &environment)?;
            // Without a context, facts are open.
            value = match condition.truth(&|equation| Closure::default().knows(equation)) {
                Some(true) => then,
                Some(false) => otherwise,
                None => return Ok(false),
            };
        }
        match value {
            Value::Term(term) => Ok(self.ground.term(term, &environment)? == before),
            Value::Arbitrary | Value::Sum(..) | Value::If(..) => Ok(false),
        }
    }

    /// The contexts of all branches, in order.
    pub(crate) fn contexts(&self, system: &'a System, cube: &'a Cube) -> Result<Vec<Context<'a>>, Refusal> {
        let context =
            |branch| Context::new(system, self.ground.symbols, self.transition, &self.environment, branch, cube);
        self.branches(cube)?.iter().map(context).collect()
    }

    /// All branches, in order.
    pub(crate) fn branches(&self, cube: &Cube) -> Result<Vec<Branch<'a>>, Refusal> {
        let mut branches = self.extend(vec![Branch::default()], self.transition.guard, true, &self.environment)?;
        for literal in &cube.literals {
            branches = self.after(branches, literal)?;
        }
        Ok(branches)
    }

    /// The branches with a formula, or with its negation.
    fn extend(
        &self,
        mut branches: Vec<Branch<'a>>,
        formula: &'a Formula,
        own: bool,
        environment: &Environment,
    ) -> Result<Vec<Branch<'a>>, Refusal> {
        let (shape, positive) = self.ground.shape(formula, own, environment)?;
        match shape {
            Shape::Fact(equation) => self.add(branches, &equation),
            Shape::All(parts) => {
                parts.iter().try_fold(branches, |branches, part| self.extend(branches, part, positive, environment))
            }
            Shape::Any(parts) => {
                let mut all = Vec::new();
                for branch in branches {
                    for part in parts {
                        join(&mut all, self.extend(vec![branch.clone()], part, positive, environment)?)?;
                    }
                }
                Ok(all)
            }
            Shape::Each(..) if own => {
                branches.iter_mut().for_each(|branch| branch.universals.push(formula));
                Ok(branches)
            }
            // Lowering turns existential quantifiers into parameters.
            Shape::Each(..) | Shape::Some(..) => Err(Refusal::Malformed("a quantifier where none is allowed")),
        }
    }

    /// The branches with an equation, without those that a single fact refutes.
    fn add(&self, branches: Vec<Branch<'a>>, equation: &Equation) -> Result<Vec<Branch<'a>>, Refusal> {
        let fact = match equation {
            Equation::True => return Ok(branches),
            Equation::False => return Ok(Vec::new()),
            Equation::Open(fact) => fact,
        };
        let mut all = Vec::new();
        for mut branch in branches {
            let steps = self.steps.get().checked_add(1).filter(|steps| *steps <= STEP_LIMIT);
            self.steps.set(steps.ok_or(Refusal::TooManyBranches)?);
            if let Err(position) = branch.facts.binary_search(fact) {
                if branch.facts.iter().any(|own| self.clash(own, fact)) {
                    continue;
                }
                branch.facts.insert(position, fact.clone());
            }
            join(&mut all, vec![branch])?;
        }
        Ok(all)
    }

    /// Whether two facts are complementary, or equate one read with two different data.
    fn clash(&self, a: &Fact, b: &Fact) -> bool {
        match (&a.right, &b.right) {
            _ if a.left != b.left => false,
            (Side::Datum(x), Side::Datum(y)) if a.comparison == Comparison::Equal && b.comparison == a.comparison => {
                x != y
            }
            _ => self.ground.negation(&Equation::Open(a.clone())) == Equation::Open(b.clone()),
        }
    }

    /// The branches with the after-formula of a literal of the cube.
    ///
    /// Every read is replaced by each value that the update can give it, together with the conditions for that value.
    /// An arbitrary value makes the literal true.
    pub(crate) fn after(&self, branches: Vec<Branch<'a>>, literal: &Literal) -> Result<Vec<Branch<'a>>, Refusal> {
        let mut all = Vec::new();
        for (branch, left) in self.values(branches, &literal.left)? {
            let Some(left) = left else {
                join(&mut all, vec![branch])?;
                continue;
            };
            for (branch, right) in self.values(vec![branch], &literal.right)? {
                let equation = right.map_or(Equation::True, |(right, more)| {
                    let (left, less) = left.clone();
                    // No number of a well-formed system or cube is so great that a sum of three saturates.
                    let moved = |sum: i64| sum.saturating_add(more).saturating_sub(less);
                    let comparison = match literal.comparison {
                        Comparison::AtMost(sum) => Comparison::AtMost(moved(sum)),
                        Comparison::AtLeast(sum) => Comparison::AtLeast(moved(sum)),
                        equality @ (Comparison::Different | Comparison::Equal) => equality,
                    };
                    self.ground.comparison(left, comparison, right)
                });
                join(&mut all, self.add(vec![branch], &equation)?)?;
            }
        }
        Ok(all)
    }

    /// The values of one side of a literal after the step.
    fn values(&self, branches: Vec<Branch<'a>>, term: &Term) -> Result<Vec<Leaf<'a>>, Refusal> {
        let before = self.ground.term(term, &self.cube)?;
        match self.assigned(&before) {
            None => Ok(branches.into_iter().map(|branch| (branch, Some((before.clone(), 0)))).collect()),
            Some((value, environment)) => self.leaves(branches, value, &environment),
        }
    }

    /// The leaves of a conditional value. In each branch, those of the first case come before those of the second.
    fn leaves(
        &self,
        branches: Vec<Branch<'a>>,
        value: &'a Value,
        environment: &Environment,
    ) -> Result<Vec<Leaf<'a>>, Refusal> {
        let side = match value {
            Value::Arbitrary => None,
            Value::Term(term) => Some((self.ground.term(term, environment)?, 0)),
            Value::Sum(term, number) => Some((self.ground.term(term, environment)?, *number)),
            Value::If(condition, then, otherwise) => {
                let mut all = Vec::new();
                for branch in branches {
                    for (case, truth) in [(then, true), (otherwise, false)] {
                        let branches = self.extend(vec![branch.clone()], condition, truth, environment)?;
                        join(&mut all, self.leaves(branches, case, environment)?)?;
                    }
                }
                return Ok(all);
            }
        };
        Ok(branches.into_iter().map(|branch| (branch, side.clone())).collect())
    }

    /// The value that the step assigns to a read, and the environment in which the bound variables of the update are
    /// the arguments of the read; `None` if it assigns nothing.
    fn assigned(&self, side: &Side) -> Option<(&'a Value, Environment)> {
        let Side::Read(Read { variable, arguments }) = side else {
            return None;
        };
        let update = self.transition.update(*variable)?;
        let bound = update.arguments.iter().copied().zip(arguments.iter().copied());
        let environment = self.environment.clone().into_iter().chain(bound).collect();
        Some((&update.value, environment))
    }
}

/// Adds those that are new.
fn join<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) -> Result<(), Refusal> {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    if all.len() > BRANCH_LIMIT { Err(Refusal::TooManyBranches) } else { Ok(()) }
}
