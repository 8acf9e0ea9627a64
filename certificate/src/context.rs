//! The context of a branch: its facts, and the clauses that the guard's quantifiers give, closed.
//!
//! In: a branch of a rule under a match. Out: whether it is contradictory, and what it knows about a fact. Definition:
//! point 4 of [`crate::proof`]. Instances of `forall` over the symbols are a weakening of the guard, so that what
//! follows from them follows from the guard. It must not use invariants.

use system::System;
use system::{Formula, IndexTypeId, IndexVariable};

use crate::branches::Branch;
use crate::clause::Clause;
use crate::closure::{Closure, Known};
use crate::fault::Refusal;
use crate::ground::{Environment, Ground, Made};
use crate::proof::{Symbol, SymbolTypes};

/// Facts and clauses, closed under equality and unit propagation.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    system: &'a System,
    symbols: SymbolTypes,
    scope: &'a [IndexVariable],
    environment: Environment,
    universals: Vec<&'a Formula>,
    closure: Closure,
    clauses: Vec<Clause>,
}

impl<'a> Context<'a> {
    /// The context of a branch; `scope` and `environment` are those of the guard.
    ///
    /// # Errors
    /// Where the guard is not well-formed.
    pub fn new(
        system: &'a System,
        symbols: &SymbolTypes,
        scope: &'a [IndexVariable],
        environment: &Environment,
        branch: &Branch<'a>,
    ) -> Result<Self, Refusal> {
        let mut context = Self {
            system,
            symbols: symbols.clone(),
            scope,
            environment: environment.clone(),
            universals: branch.universals.clone(),
            closure: Closure::default(),
            clauses: Vec::new(),
        };
        branch.facts.iter().for_each(|fact| context.closure.assume(fact));
        context.instantiate()?;
        Ok(context)
    }

    /// The context of a cube, or of other equations, without quantifiers.
    pub(crate) fn of(system: &'a System, symbols: &SymbolTypes, equations: &[Made]) -> Result<Self, Refusal> {
        let mut context = Self::new(system, symbols, &[], &Vec::new(), &Branch::default())?;
        equations.iter().for_each(|made| context.assume(made));
        Ok(context)
    }

    /// Whether it is contradictory.
    #[must_use]
    pub fn is_contradictory(&self) -> bool {
        self.closure.is_contradictory()
    }

    /// Terms and facts over the symbols of the context.
    #[must_use]
    pub fn ground(&self) -> Ground<'_> {
        Ground { system: self.system, symbols: &self.symbols }
    }

    /// The clauses: all instances of the quantified parts of the guard.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// What it knows about an equation that may be decided already.
    #[must_use]
    pub fn knows(&self, made: &Made) -> Known {
        match made {
            Made::True => Known::True,
            Made::False => Known::False,
            Made::Open(fact) => self.closure.knows(fact),
        }
    }

    /// Adds an equation and everything that follows.
    pub fn assume(&mut self, made: &Made) {
        self.add(made);
        self.propagate();
    }

    /// Adds an element that is none of the symbols, and instantiates the quantifiers over it.
    ///
    /// # Errors
    /// Where the guard is not well-formed.
    pub fn with_fresh(&mut self, index_type: IndexTypeId) -> Result<Symbol, Refusal> {
        let fresh = self.symbols.with_fresh(index_type)?;
        self.instantiate()?;
        Ok(fresh)
    }

    fn instantiate(&mut self) -> Result<(), Refusal> {
        let (ground, scope, environment) = (self.ground(), self.scope, &self.environment);
        let instances = |formula: &&_| Clause::of(ground, scope, formula, true, environment);
        self.clauses = self.universals.iter().map(instances).collect::<Result<_, _>>()?;
        self.propagate();
        Ok(())
    }

    fn add(&mut self, made: &Made) {
        match made {
            Made::True => {}
            Made::False => self.closure.contradict(),
            Made::Open(fact) => self.closure.assume(fact),
        }
    }

    /// Adds what follows by equality and what the clauses say, until they say nothing new.
    fn propagate(&mut self) {
        let clauses = std::mem::take(&mut self.clauses);
        self.close();
        while !self.is_contradictory() && clauses.iter().any(|clause| self.unit(clause)) {
            self.close();
        }
        self.clauses = clauses;
    }

    fn close(&mut self) {
        self.closure.close(Ground { system: self.system, symbols: &self.symbols });
    }

    /// Adds what follows from one clause by itself: a fact, the parts of a conjunction, the only disjunct that is not
    /// refuted. Whether there was something new; of several new things it is the first.
    fn unit(&mut self, clause: &Clause) -> bool {
        match (self.truth(clause), clause) {
            (Known::True, _) => false,
            (Known::False, _) => {
                self.closure.contradict();
                true
            }
            (Known::Open, Clause::Fact(made)) => {
                self.add(made);
                true
            }
            (Known::Open, Clause::All(parts)) => parts.iter().any(|part| self.unit(part)),
            (Known::Open, Clause::Any(parts)) => {
                let mut possible = parts.iter().filter(|part| self.truth(part) != Known::False);
                match (possible.next(), possible.next()) {
                    (Some(only), None) => self.unit(only),
                    _ => false,
                }
            }
        }
    }

    fn truth(&self, clause: &Clause) -> Known {
        clause.truth(&|made| self.knows(made))
    }
}
