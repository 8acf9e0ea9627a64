//! The context of a branch: its facts and the instances of the guard's quantifiers, closed under equality and unit
//! propagation; see point 4 of [`crate::kernel`].
//!
//! The instances over the symbols are weaker than the guard, so that what follows from them follows from the guard.

use system::{Formula, IndexTypeId, IndexVariable, System};

use super::branches::Branch;
use super::clause::Clause;
use super::closure::{Closure, Known};
use super::fault::Refusal;
use super::ground::{Environment, Equation, Ground};
use super::proof::{Symbol, SymbolTypes};

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
    /// If the guard is not well-formed.
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
        branch.facts.iter().for_each(|fact| context.closure.assume(&Equation::Open(fact.clone())));
        context.instantiate()?;
        Ok(context)
    }

    /// The context of equations, without quantifiers.
    pub(crate) fn of(system: &'a System, symbols: &SymbolTypes, equations: &[Equation]) -> Result<Self, Refusal> {
        let mut context = Self::new(system, symbols, &[], &Vec::new(), &Branch::default())?;
        equations.iter().for_each(|equation| context.assume(equation));
        Ok(context)
    }

    /// Whether it is contradictory.
    pub fn is_contradictory(&self) -> bool {
        self.closure.is_contradictory()
    }

    /// Terms and facts over the symbols of the context.
    pub fn ground(&self) -> Ground<'_> {
        Ground { system: self.system, symbols: &self.symbols }
    }

    /// The clauses: all instances of the quantified parts of the guard.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// What it knows about an equation.
    pub fn knows(&self, equation: &Equation) -> Known {
        self.closure.knows(equation)
    }

    /// Adds an equation and everything that follows.
    pub fn assume(&mut self, equation: &Equation) {
        self.closure.assume(equation);
        self.propagate();
    }

    /// Adds an element that is none of the symbols, and instantiates the quantifiers over it.
    ///
    /// # Errors
    /// If the guard is not well-formed.
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

    /// Adds what follows by equality and from the clauses, until there is nothing new.
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

    /// Adds the first new thing that follows from one clause: a fact, a part of a conjunction, or the only disjunct
    /// that is not refuted. Returns whether there was one.
    fn unit(&mut self, clause: &Clause) -> bool {
        match (self.truth(clause), clause) {
            (Known::True, _) => false,
            (Known::False, _) => {
                self.closure.assume(&Equation::False);
                true
            }
            (Known::Open, Clause::Fact(equation)) => {
                self.closure.assume(equation);
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
        clause.truth(&|equation| self.knows(equation))
    }
}
