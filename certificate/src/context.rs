//! The context of a branch: its facts, and the clauses that the guard's quantifiers give, closed.
//!
//! In: a branch of a rule under a match. Out: whether it is contradictory, and what it knows about a fact. Definition:
//! point 4 of [`crate::proof`]. Instances of `forall` over the symbols are a weakening of the guard, so that what
//! follows from them follows from the guard. It must not use invariants.

use protocol::System;
use protocol::system::{Cube, Formula, IndexTypeId, IndexVariable, Literal, Term};

use crate::branches::{Disjunct, Universal};
use crate::closure::{Closure, Known};
use crate::ground::{Datum, Environment, Fact, Ground, Made, Read, substituted};
use crate::obligations::Refusal;
use crate::proof::{Symbol, SymbolTypes};

/// A quantifier-free formula over symbols, in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Decided, or a fact.
    Fact(Made),
    /// A conjunction.
    All(Vec<Clause>),
    /// A disjunction.
    Any(Vec<Clause>),
}

/// Facts and clauses, closed under equality and unit propagation.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    system: &'a System,
    symbols: SymbolTypes,
    scope: &'a [IndexVariable],
    environment: Environment,
    universals: Vec<Universal<'a>>,
    closure: Closure,
    clauses: Vec<Clause>,
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

    /// The literals of a cube with each variable replaced by a symbol; `None` where there are too few symbols.
    #[must_use]
    pub fn instance(&self, cube: &Cube, substitution: &[Symbol]) -> Option<Vec<Made>> {
        let ground = self.ground();
        let image = |term: &Term| substituted(ground.cube_term(term)?, substitution);
        let equation = |l: &Literal| Some(ground.equation(image(&l.left)?, l.equal, image(&l.right)?));
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
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    fn instances(&self) -> Result<Vec<Clause>, Refusal> {
        let mut environment = self.environment.clone();
        let instance = |u: &Universal<'a>| self.for_all(u.variable.index(), u.body, true, &mut environment);
        self.universals.iter().map(instance).collect()
    }

    /// The conjunction of the instances of a quantified formula.
    fn for_all(
        &self,
        variable: usize,
        body: &Formula,
        positive: bool,
        environment: &mut Environment,
    ) -> Result<Clause, Refusal> {
        let index_type = self.scope.get(variable).map(|v| v.index_type);
        let index_type = index_type.ok_or(Refusal::Malformed("a quantifier binds no variable of the scope"))?;
        let mut all = Vec::new();
        for symbol in self.ground().symbols_of(index_type) {
            let before = environment[variable].replace(symbol);
            all.push(self.clause(body, positive, environment)?);
            environment[variable] = before;
        }
        Ok(Clause::All(all))
    }

    /// The clause of a formula or of its negation.
    fn clause(&self, formula: &Formula, positive: bool, environment: &mut Environment) -> Result<Clause, Refusal> {
        let ground = self.ground();
        Ok(match (formula, positive) {
            (Formula::True, _) => Clause::Fact(if positive { Made::True } else { Made::False }),
            (Formula::False, _) => Clause::Fact(if positive { Made::False } else { Made::True }),
            (Formula::Equal(left, right), _) => {
                let sides = (ground.term(left, environment), ground.term(right, environment));
                let (Some(left), Some(right)) = sides else {
                    return Err(Refusal::Malformed("an index variable is used outside of its quantifier"));
                };
                Clause::Fact(ground.equation(left, positive, right))
            }
            (Formula::Not(inner), _) => self.clause(inner, !positive, environment)?,
            (Formula::And(parts), true) | (Formula::Or(parts), false) => Clause::All(
                parts.iter().map(|part| self.clause(part, positive, environment)).collect::<Result<_, _>>()?,
            ),
            (Formula::And(parts), false) | (Formula::Or(parts), true) => Clause::Any(
                parts.iter().map(|part| self.clause(part, positive, environment)).collect::<Result<_, _>>()?,
            ),
            (Formula::Forall(variable, body), true) => self.for_all(variable.index(), body, positive, environment)?,
            (Formula::Forall(..), false) | (Formula::Exists(..), _) => {
                return Err(Refusal::Malformed("an existential quantifier in a guard"));
            }
        })
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
    fn unit(&mut self, clause: &Clause) -> bool {
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
            Clause::Fact(Made::True | Made::False) => false,
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

    /// What the facts say about a clause, part by part.
    fn truth(&self, clause: &Clause) -> Known {
        match clause {
            Clause::Fact(made) => self.knows(made),
            Clause::All(parts) => self.truth_of_all(parts, Known::False, Known::True),
            Clause::Any(parts) => self.truth_of_all(parts, Known::True, Known::False),
        }
    }

    fn truth_of_all(&self, parts: &[Clause], decisive: Known, neutral: Known) -> Known {
        let mut result = neutral;
        for part in parts {
            match self.truth(part) {
                truth if truth == decisive => return decisive,
                Known::Open => result = Known::Open,
                Known::True | Known::False => {}
            }
        }
        result
    }
}
