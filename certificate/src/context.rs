//! The context of a branch: its facts, and the clauses that the guard's quantifiers give, closed.
//!
//! In: a branch of a rule under a match. Out: whether it is contradictory, and what it knows about a fact. Definition:
//! point 4 of [`crate::proof`]. Instances of `forall` over the symbols are a weakening of the guard, so that what
//! follows from them follows from the guard. It must not use invariants.

use protocol::System;
use protocol::system::{Cube, IndexTypeId, IndexVariable, Literal, Term};

use crate::branches::Disjunct;
use crate::clause::{Clause, Universal};
use crate::closure::{Closure, Known};
use crate::ground::{Datum, Environment, Fact, Ground, Made, Read, substituted};
use crate::obligations::Refusal;
use crate::proof::{Symbol, SymbolTypes};

/// Facts and clauses, closed under equality and unit propagation.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    system: &'a System,
    symbols: SymbolTypes,
    scope: &'a [IndexVariable],
    environment: Environment,
    universals: Vec<Universal<'a>>,
    closure: Closure,
    clauses: Vec<Clause<'a>>,
}

impl<'a> Context<'a> {
    /// The context of a branch; `scope` and `environment` are those of the guard.
    ///
    /// # Errors
    /// Where the guard is not well-formed.
    pub fn of_branch(
        system: &'a System,
        symbols: &SymbolTypes,
        scope: &'a [IndexVariable],
        environment: Environment,
        branch: &Disjunct<'a>,
    ) -> Result<Self, Refusal> {
        let mut context = Self {
            system,
            symbols: symbols.clone(),
            scope,
            environment,
            universals: branch.universals.clone(),
            closure: Closure::new(),
            clauses: Vec::new(),
        };
        context.clauses = context.instances()?;
        for fact in &branch.facts {
            context.closure.assume(system, &context.symbols, fact);
        }
        context.propagate();
        Ok(context)
    }

    /// The context of facts alone.
    #[must_use]
    pub fn of_facts(system: &'a System, symbols: &SymbolTypes, facts: &[Fact]) -> Self {
        let mut context = Self {
            system,
            symbols: symbols.clone(),
            scope: &[],
            environment: Vec::new(),
            universals: Vec::new(),
            closure: Closure::new(),
            clauses: Vec::new(),
        };
        for fact in facts {
            context.closure.assume(system, &context.symbols, fact);
        }
        context
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

    /// The value of a read, where it is known.
    #[must_use]
    pub fn value(&self, read: &Read) -> Option<Datum> {
        self.closure.value(read)
    }

    /// The literals of a cube with each variable replaced by a symbol.
    ///
    /// # Errors
    /// Where there are too few symbols.
    pub fn instance(&self, cube: &Cube, substitution: &[Symbol]) -> Result<Vec<Made>, Refusal> {
        let ground = self.ground();
        let image = |term: &Term| substituted(ground.cube_term(term)?, substitution);
        let equation = |l: &Literal| Ok(ground.equation(image(&l.left)?, l.equal, image(&l.right)?));
        cube.literals.iter().map(equation).collect()
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
        match made {
            Made::True => {}
            Made::False => self.closure.contradict(),
            Made::Open(fact) => self.closure.assume(self.system, &self.symbols, fact),
        }
        self.propagate();
    }

    /// Adds an element that is none of the symbols, and instantiates the quantifiers over it.
    ///
    /// # Errors
    /// Where the guard is not well-formed.
    pub fn with_fresh(&mut self, index_type: IndexTypeId) -> Result<Symbol, Refusal> {
        let number = u32::try_from(self.symbols.others.len()).map_err(|_| Refusal::TooManyMatches)?;
        self.symbols.others.push(index_type);
        self.clauses = self.instances()?;
        self.propagate();
        Ok(Symbol::Other(number))
    }

    /// The clauses: all instances of the quantified parts of the guard.
    #[must_use]
    pub fn clauses(&self) -> &[Clause<'a>] {
        &self.clauses
    }

    fn instances(&self) -> Result<Vec<Clause<'a>>, Refusal> {
        self.universals.iter().map(|universal| self.for_all(*universal, &self.environment)).collect()
    }

    /// The conjunction of the instances of a quantified formula, and so on for quantifiers within it.
    fn for_all(&self, universal: Universal<'a>, environment: &Environment) -> Result<Clause<'a>, Refusal> {
        let position = universal.variable.index();
        let index_type = self.scope.get(position).map(|variable| variable.index_type);
        let index_type = index_type.ok_or(Refusal::Malformed("a quantifier binds no variable of the scope"))?;
        let mut environment = environment.clone();
        let mut all = Vec::new();
        for symbol in self.ground().symbols_of(index_type) {
            environment[position] = Some(symbol);
            let quantifier = |inner: Universal<'a>, environment: &Environment| self.for_all(inner, environment);
            all.push(Clause::of(self.ground(), universal.body, true, &environment, &quantifier)?);
        }
        Ok(Clause::All(all))
    }

    /// Adds what the clauses say, until they say nothing new.
    fn propagate(&mut self) {
        let clauses = std::mem::take(&mut self.clauses);
        let mut progress = true;
        while progress && !self.is_contradictory() {
            progress = false;
            for clause in &clauses {
                progress |= self.unit(clause);
            }
        }
        self.clauses = clauses;
    }

    /// Adds what follows from one clause by itself: a fact, the parts of a conjunction, the only disjunct that is not
    /// refuted. Whether that was new.
    fn unit(&mut self, clause: &Clause<'_>) -> bool {
        if self.is_contradictory() {
            return false;
        }
        match self.truth(clause) {
            Known::True => return false,
            Known::False => {
                self.closure.contradict();
                return true;
            }
            Known::Open => {}
        }
        match clause {
            Clause::Fact(Made::Open(fact)) => {
                self.closure.assume(self.system, &self.symbols, fact);
                true
            }
            Clause::Fact(Made::True | Made::False) | Clause::Forall(_) => false,
            Clause::All(parts) => {
                let mut progress = false;
                for part in parts {
                    progress |= self.unit(part);
                }
                progress
            }
            Clause::Any(parts) => {
                let mut possible = parts.iter().filter(|part| self.truth(part) != Known::False);
                match (possible.next(), possible.next()) {
                    (Some(only), None) => self.unit(only),
                    _ => false,
                }
            }
        }
    }

    fn truth(&self, clause: &Clause<'_>) -> Known {
        clause.truth(&|made| self.knows(made))
    }
}
