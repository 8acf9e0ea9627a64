//! The context of a branch: its facts and the instances of the guard's quantifiers, closed under equality and unit
//! propagation; see point 4 of [`crate::kernel`].
//!
//! The instances over the symbols are weaker than the guard, so that what follows from them follows from the guard.

use system::{Cube, IndexTypeId, System, Transition};

use super::branches::{Branch, Matched};
use super::clause::Clause;
use super::closure::Closure;
use super::fault::Refusal;
use super::ground::{Equation, Ground, environment, variables};
use super::proof::Symbol;

/// No step: the cube of a property, or of an axiom, holds.
static SKIP: Transition = Transition::SKIP;

/// Facts and clauses, closed under equality and unit propagation.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// The rule, and the cube whose universal parts hold after the step.
    matched: Matched<'a>,
    /// What holds for all elements.
    universals: Vec<Clause<'a>>,
    closure: Closure,
    clauses: Vec<Clause<'a>>,
}

impl<'a> Context<'a> {
    /// The context of a branch.
    ///
    /// # Errors
    /// If the guard or the cube is not well-formed.
    pub fn new(matched: Matched<'a>, branch: Branch<'a>) -> Result<Self, Refusal> {
        let Branch { facts, universals } = branch;
        let mut context = Self { matched, universals, closure: Closure::default(), clauses: Vec::new() };
        facts.into_iter().for_each(|fact| context.closure.assume(&Equation::Open(fact)));
        context.instantiate()?;
        Ok(context)
    }

    /// The context of a cube: its literals and universal parts.
    ///
    /// # Errors
    /// If the cube is not well-formed.
    pub fn of(system: &'a System, cube: &'a Cube) -> Result<Self, Refusal> {
        let context = Self::new(Matched::new(system, &SKIP, cube), Branch::default())?;
        let literals = context.ground().literals(&cube.literals, &variables(cube))?;
        Ok(context.with_all(&literals))
    }

    /// Whether it is contradictory.
    pub fn is_contradictory(&self) -> bool {
        self.closure.is_contradictory()
    }

    /// Terms and facts over the symbols of the context.
    pub fn ground(&self) -> Ground<'_> {
        self.matched.ground()
    }

    /// Whether the state before the step satisfies the cube that holds after it: the context contains its literals, and
    /// the step updates no state variable that a universal part reads.
    pub fn satisfies_cube(&self) -> bool {
        let cube = self.matched.cube;
        let literals = self.ground().literals(&cube.literals, &variables(cube));
        let known = |all: Vec<_>| all.iter().all(|literal| self.knows(literal) == Some(true));
        !self.matched.writes_others() && literals.is_ok_and(known)
    }

    /// The clauses: all instances of the quantified parts of the guard, and of the universal parts of the cube.
    pub fn clauses(&self) -> &[Clause<'a>] {
        &self.clauses
    }

    /// Whether an equation holds, if that is known.
    pub fn knows(&self, equation: &Equation) -> Option<bool> {
        self.closure.knows(equation)
    }

    /// Adds an equation and everything that follows.
    pub fn assume(&mut self, equation: &Equation) {
        self.closure.assume(equation);
        self.propagate();
    }

    /// The context with equations and everything that follows.
    pub(crate) fn with_all(mut self, equations: &[Equation]) -> Self {
        equations.iter().for_each(|equation| self.assume(equation));
        self
    }

    /// Adds what holds for all elements.
    pub(crate) fn require(&mut self, universal: Clause<'a>) -> Result<(), Refusal> {
        self.universals.push(universal);
        self.instantiate()
    }

    /// The contexts in each of which one part of the first open disjunction holds: one of them does.
    pub(crate) fn split(&self) -> Option<Vec<Self>> {
        let parts = self.clauses.iter().find_map(|clause| self.open_parts(clause))?;
        let with = |part: &Clause<'a>| {
            let mut context = self.clone();
            context.clauses.insert(0, part.clone());
            context.propagate();
            context
        };
        Some(parts.iter().map(with).collect())
    }

    fn open_parts<'c>(&self, clause: &'c Clause<'a>) -> Option<&'c [Clause<'a>]> {
        match clause {
            Clause::All(parts) => parts.iter().find_map(|part| self.open_parts(part)),
            Clause::Any(parts) if self.truth(clause).is_none() => Some(parts),
            Clause::Any(_) | Clause::Fact(_) | Clause::Each(_) | Clause::Some(_) => None,
        }
    }

    /// The elements of a type, each with a context that knows it: the symbols, and last one that is none of them.
    ///
    /// # Errors
    /// If the guard is not well-formed.
    pub(crate) fn elements(&self, index_type: IndexTypeId) -> Result<Vec<(Self, Symbol)>, Refusal> {
        let mut wider = self.clone();
        let fresh = wider.matched.symbols.with_fresh(index_type)?;
        wider.instantiate()?;
        let symbols = self.ground().symbols_of(index_type).into_iter().map(|symbol| (self.clone(), symbol));
        Ok(symbols.chain([(wider, fresh)]).collect())
    }

    fn instantiate(&mut self) -> Result<(), Refusal> {
        let (ground, own) = (self.ground(), variables(self.matched.cube));
        let instances = self.universals.iter().map(|universal| universal.instances(ground));
        let mut clauses: Vec<_> = instances.collect::<Result<_, _>>()?;
        for universal in &self.matched.cube.universals {
            for symbols in ground.others(&universal.variables, &own)? {
                let own = environment(&[own.as_slice(), &symbols].concat());
                clauses.push(self.matched.any_after(&universal.literals, &own)?);
            }
        }
        self.clauses = clauses;
        self.propagate();
        Ok(())
    }

    /// Adds what follows by equality and from the clauses, until there is nothing new.
    fn propagate(&mut self) {
        let clauses = std::mem::take(&mut self.clauses);
        let ground = Ground { system: self.matched.system, symbols: &self.matched.symbols.clone() };
        self.closure.close(ground);
        while !self.is_contradictory() && clauses.iter().any(|clause| self.unit(clause)) {
            self.closure.close(ground);
        }
        self.clauses = clauses;
    }

    /// Adds the first new thing that follows from one clause: a fact, a part of a conjunction, or the only disjunct
    /// that is not refuted. Returns whether there was one.
    fn unit(&mut self, clause: &Clause<'_>) -> bool {
        let new = match (self.truth(clause), clause) {
            (Some(true), _) | (None, Clause::Each(_) | Clause::Some(_)) => return false,
            (Some(false), _) => &Equation::False,
            (None, Clause::Fact(equation)) => equation,
            (None, Clause::All(parts)) => return parts.iter().any(|part| self.unit(part)),
            (None, Clause::Any(parts)) => {
                let mut possible = parts.iter().filter(|part| self.truth(part) != Some(false));
                let (Some(only), None) = (possible.next(), possible.next()) else { return false };
                return self.unit(only);
            }
        };
        self.closure.assume(new);
        true
    }

    fn truth(&self, clause: &Clause<'_>) -> Option<bool> {
        clause.truth(&|equation| self.knows(equation))
    }
}
