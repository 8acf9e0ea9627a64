//! The branches of a rule and a cube under a match: the disjunctive normal form of the guard and of the after-formulas
//! of the cube's literals.
//!
//! An after-formula is the weakest precondition of the literal under the simultaneous update: the assigned values are
//! substituted for the reads (Dijkstra; for updates of arrays Ghilardi and Ranise 2010, section 3.2). The
//! functions are those of `FORMAT.md`, section 4 (d), on lists of states where the text has one state at a time. They
//! do no equality reasoning beyond pairs of facts; the rest is up to [`super::context`].

use std::cell::Cell;

use system::{Comparison, Cube, Literal, System, Term, Transition, Update, Value, VariableId};

use super::clause::Clause;
use super::closure::Closure;
use super::context::Context;
use super::fault::Refusal;
use super::ground::{Environment, Equation, Fact, Ground, Read, Side, environment, variables};
use super::proof::{Match, SymbolTypes};

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
    pub universals: Vec<Clause<'a>>,
}

type Branches<'a> = Vec<Branch<'a>>;

/// The value of a term, and the number that is added to it; `None` is any value of its sort.
type Leaf = Option<(Side, Option<i64>)>;

/// A rule and a cube under a match.
#[derive(Clone, Debug)]
pub struct Matched<'a> {
    /// The system.
    pub system: &'a System,
    /// The types of the symbols.
    pub symbols: SymbolTypes,
    /// The rule.
    pub rule: &'a Transition,
    /// The symbols of its parameters.
    pub matching: Match,
    /// The cube, whose variables are the symbols with their numbers.
    pub cube: &'a Cube,
}

impl<'a> Matched<'a> {
    /// No parameter has a symbol yet.
    pub fn new(system: &'a System, rule: &'a Transition, cube: &'a Cube) -> Self {
        let symbols = SymbolTypes { variables: cube.variables.clone(), others: Vec::new() };
        Self { system, symbols, rule, matching: Match(Vec::new()), cube }
    }

    /// Terms and facts over the symbols.
    pub(crate) fn ground(&self) -> Ground<'_> {
        Ground { system: self.system, symbols: &self.symbols }
    }

    /// The update of a state variable.
    fn update(&self, variable: VariableId) -> Option<&'a Update> {
        self.rule.updates.iter().find(|update| update.variable == variable)
    }

    /// Whether an update is of a state variable that the literals read.
    pub(crate) fn writes(&self, literals: &[Literal]) -> bool {
        let written = |term: &Term| match term {
            Term::Read(variable, _) => self.update(*variable).is_some(),
            Term::Constant(_) | Term::Index(_) | Term::Zero => false,
        };
        literals.iter().any(|literal| written(&literal.left) || written(&literal.right))
    }

    /// Whether an update is of a state variable that a universal part of the cube reads.
    pub(crate) fn writes_others(&self) -> bool {
        self.cube.universals.iter().any(|universal| self.writes(&universal.literals))
    }

    /// Whether every read of the cube keeps its value, following only conditions that symbols, constants and sorts
    /// decide, and no update is of a state variable that a universal part reads.
    pub(crate) fn keeps(&self) -> Result<bool, Refusal> {
        let mut terms = self.cube.literals.iter().flat_map(|literal| [&literal.left, &literal.right]);
        let kept = !self.writes_others();
        terms.try_fold(kept, |kept, term| Ok(kept && self.keeps_term(term)?))
    }

    /// Whether each leaf that the value after the step can have is the read itself.
    fn keeps_term(&self, term: &Term) -> Result<bool, Refusal> {
        let own = environment(&variables(self.cube));
        let before = Some((self.ground().term(term, &own)?, None));
        let kept = self.value(term, &own, &|leaf| Ok(Clause::Fact(Equation::decided(leaf == before))))?;
        // Without a context, facts are open.
        Ok(kept.truth(&|equation| Closure::default().knows(equation)) == Some(true))
    }

    /// One of the after-formulas of the literals.
    pub(crate) fn any_after(&self, literals: &[Literal], own: &Environment) -> Result<Clause<'a>, Refusal> {
        let fact = |fact| Clause::Fact(Equation::Open(fact));
        let mut all = Vec::new();
        for literal in literals {
            let branches = self.normal_form(&self.after(literal, own)?)?.into_iter();
            all.extend(branches.map(|branch| Clause::All(branch.facts.into_iter().map(fact).collect())));
        }
        Ok(Clause::Any(all))
    }

    /// All branches, in order.
    pub(crate) fn branches(&self) -> Result<Branches<'a>, Refusal> {
        let Transition { scope, guard, .. } = self.rule;
        let (own, steps) = (environment(&variables(self.cube)), Cell::new(0));
        let guard = Clause::of(self.ground(), scope, guard, true, &environment(&self.matching.0))?;
        let mut branches = self.extend(vec![Branch::default()], &guard, &steps)?;
        for literal in &self.cube.literals {
            if branches.is_empty() {
                break;
            }
            branches = self.extend(branches, &self.after(literal, &own)?, &steps)?;
        }
        Ok(branches)
    }

    /// The contexts of all branches, in order.
    pub(crate) fn contexts(&self) -> Result<Vec<Context<'a>>, Refusal> {
        self.branches()?.into_iter().map(|branch| Context::new(self.clone(), branch)).collect()
    }

    /// The after-formula of a literal, whose variables have the symbols of `own`.
    ///
    /// Every read is replaced by each value that the update can give it, together with the conditions for that value.
    /// An arbitrary value makes the literal true.
    pub(crate) fn after(&self, literal: &Literal, own: &Environment) -> Result<Clause<'a>, Refusal> {
        self.value(&literal.left, own, &|left| {
            let Some((left, less)) = left else { return Ok(Clause::Fact(Equation::True)) };
            self.value(&literal.right, own, &|right| {
                let Some((right, more)) = right else { return Ok(Clause::Fact(Equation::True)) };
                // No number of a well-formed system or cube is so great that a sum of three saturates.
                let moved = |sum: i64| sum.saturating_add(more.unwrap_or(0)).saturating_sub(less.unwrap_or(0));
                let comparison = match literal.comparison {
                    Comparison::AtMost(sum) => Comparison::AtMost(moved(sum)),
                    Comparison::AtLeast(sum) => Comparison::AtLeast(moved(sum)),
                    equality @ (Comparison::Different | Comparison::Equal) => equality,
                };
                Ok(Clause::Fact(self.ground().comparison(left.clone(), comparison, right)))
            })
        })
    }

    /// A formula about the value of a term after the step: what `about` says about that value, which is the value
    /// before if no update is of the state variable.
    fn value(&self, term: &Term, own: &Environment, about: About<'_, 'a>) -> Result<Clause<'a>, Refusal> {
        let before = self.ground().term(term, own)?;
        if let Side::Read(Read { variable, arguments }) = &before
            && let Some(update) = self.update(*variable)
        {
            let bound = update.arguments.iter().copied().zip(arguments.iter().copied());
            return self.leaves(
                &update.value,
                &environment(&self.matching.0).into_iter().chain(bound).collect(),
                about,
            );
        }
        about(Some((before, None)))
    }

    /// What `about` says about each leaf of a conditional value, with the conditions on the path to it.
    fn leaves(&self, value: &'a Value, at: &Environment, about: About<'_, 'a>) -> Result<Clause<'a>, Refusal> {
        let case = |condition, truth, value| {
            let condition = Clause::of(self.ground(), &self.rule.scope, condition, truth, at)?;
            Ok(Clause::All(vec![condition, self.leaves(value, at, about)?]))
        };
        match value {
            Value::Arbitrary => about(None),
            Value::Term(term) => about(Some((self.ground().term(term, at)?, None))),
            Value::Sum(term, number) => about(Some((self.ground().term(term, at)?, Some(*number)))),
            Value::If(condition, then, otherwise) => {
                Ok(Clause::Any(vec![case(condition, true, then)?, case(condition, false, otherwise)?]))
            }
        }
    }

    /// The disjunctive normal form of a clause.
    pub(crate) fn normal_form(&self, clause: &Clause<'a>) -> Result<Branches<'a>, Refusal> {
        self.extend(vec![Branch::default()], clause, &Cell::new(0))
    }

    /// The branches with a clause; `steps` is how often a fact has been added.
    fn extend(&self, mut all: Branches<'a>, clause: &Clause<'a>, steps: &Cell<u32>) -> Result<Branches<'a>, Refusal> {
        let branches = std::mem::take(&mut all);
        match clause {
            Clause::Fact(Equation::True) => all = branches,
            Clause::Fact(Equation::False) => {}
            Clause::Fact(Equation::Open(fact)) => {
                for branch in branches {
                    let counted = steps.get().checked_add(1).filter(|steps| *steps <= STEP_LIMIT);
                    steps.set(counted.ok_or(Refusal::TooManyBranches)?);
                    join(&mut all, self.with(branch, fact).into_iter().collect())?;
                }
            }
            Clause::All(parts) => return parts.iter().try_fold(branches, |all, part| self.extend(all, part, steps)),
            Clause::Any(parts) => {
                for branch in branches {
                    for part in parts {
                        join(&mut all, self.extend(vec![branch.clone()], part, steps)?)?;
                    }
                }
            }
            Clause::Each(_) => {
                all = branches;
                all.iter_mut().for_each(|branch| branch.universals.push(clause.clone()));
            }
            // Lowering turns existential quantifiers into parameters.
            Clause::Some(_) => return Err(Refusal::Malformed("a quantifier where none is allowed")),
        }
        Ok(all)
    }

    /// The branch with a fact, unless another fact refutes it.
    fn with(&self, mut branch: Branch<'a>, fact: &Fact) -> Option<Branch<'a>> {
        if let Err(position) = branch.facts.binary_search(fact) {
            if branch.facts.iter().any(|own| self.clash(own, fact)) {
                return None;
            }
            branch.facts.insert(position, fact.clone());
        }
        Some(branch)
    }

    /// Whether two facts are complementary, or equate one read with two different data.
    fn clash(&self, a: &Fact, b: &Fact) -> bool {
        match (&a.right, &b.right) {
            _ if a.left != b.left => false,
            (Side::Datum(x), Side::Datum(y)) if a.comparison == Comparison::Equal && b.comparison == a.comparison => {
                x != y
            }
            _ => self.ground().negation(&Equation::Open(a.clone())) == Equation::Open(b.clone()),
        }
    }
}

/// What to say about a value.
type About<'f, 'a> = &'f dyn Fn(Leaf) -> Result<Clause<'a>, Refusal>;

/// Adds those that are new.
fn join<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) -> Result<(), Refusal> {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    if all.len() > BRANCH_LIMIT { Err(Refusal::TooManyBranches) } else { Ok(()) }
}
