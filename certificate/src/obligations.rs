//! The list of obligations: every match and every branch of a rule (or startstate) and a cube.
//!
//! In: a well-formed system (see [`crate::system_check`]), a rule and a cube. Out: the obligations in the order of
//! certificates. The definition is the list in [`crate::proof`], points 1 to 3. It must not look at a certificate, and it
//! shares no code with the search: products of disjuncts are computed here, where the search walks a tree.

use protocol::System;
use protocol::system::{Cube, Formula, IndexVariable, RuleId, StartstateId, Update, VariableId};
use thiserror::Error;

use crate::branches::{Disjunct, Disjuncts, conjoin};
use crate::ground::{Environment, Ground};
use crate::proof::{Match, Symbol, SymbolTypes};

/// More matches of one rule and one cube than this are refused.
const MATCH_LIMIT: usize = 1 << 16;

/// Why obligations cannot be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The matches are too many.
    #[error("more than {MATCH_LIMIT} matches of the rule's parameters")]
    TooManyMatches,
    /// The branches are too many.
    #[error("more than {} branches in one match", crate::branches::LIMIT)]
    TooManyBranches,
    /// The system or the cube breaks a rule that `protocol::system` states.
    #[error("the system or the cube is not well-formed: {0}")]
    Malformed(&'static str),
}

/// What rules and startstates have in common.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'a> {
    /// The index variables.
    pub scope: &'a [IndexVariable],
    /// The parameters: the first index variables.
    pub parameters: &'a [IndexVariable],
    /// The guard.
    pub guard: &'a Formula,
    /// The updates.
    pub updates: &'a [Update],
}

/// One thing to be shown about a rule and a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation<'a> {
    /// The match, where the rule writes something that the cube reads.
    pub matching: Option<Match>,
    /// The number of the branch, where the match has branches.
    pub branch: Option<u32>,
    /// The types of the symbols.
    pub symbols: SymbolTypes,
    /// What there is to start from.
    pub situation: Situation<'a>,
}

/// What an obligation starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Situation<'a> {
    /// The rule writes no state variable that the cube reads.
    Apart,
    /// Under the match, every read of the cube keeps its value.
    Unchanged,
    /// Guard and after-formulas have no branch.
    NoBranch,
    /// One disjunct of guard and after-formulas.
    Branch(Disjunct<'a>),
}

/// The obligations of a rule and a cube, in order.
///
/// # Errors
/// Where the system or the cube is not well-formed, or there are too many obligations.
pub fn obligations<'a>(system: &'a System, cube: &Cube, rule: RuleId) -> Result<Vec<Obligation<'a>>, Refusal> {
    let rule = system.rules.get(rule.index()).ok_or(Refusal::Malformed("there is no such rule"))?;
    Transition::new(&rule.scope, rule.parameters, &rule.guard, &rule.updates)?.obligations(system, cube)
}

/// The obligations of a startstate and a cube, in order.
///
/// # Errors
/// Where the system or the cube is not well-formed, or there are too many obligations.
pub fn initial_obligations<'a>(
    system: &'a System,
    cube: &Cube,
    startstate: StartstateId,
) -> Result<Vec<Obligation<'a>>, Refusal> {
    let start = system.startstates.get(startstate.index()).ok_or(Refusal::Malformed("there is no such startstate"))?;
    Transition::new(&start.scope, start.parameters, &start.guard, &start.updates)?.obligations(system, cube)
}

impl<'a> Transition<'a> {
    /// The parts of a rule or startstate.
    ///
    /// # Errors
    /// Where there are more parameters than index variables.
    pub fn new(
        scope: &'a [IndexVariable],
        parameters: u32,
        guard: &'a Formula,
        updates: &'a [Update],
    ) -> Result<Self, Refusal> {
        let parameters = usize::try_from(parameters).ok().and_then(|count| scope.get(..count));
        let parameters = parameters.ok_or(Refusal::Malformed("more parameters than index variables"))?;
        Ok(Self { scope, parameters, guard, updates })
    }

    /// The obligations, in order.
    ///
    /// # Errors
    /// Where the cube is not well-formed, or there are too many obligations.
    pub fn obligations(&self, system: &'a System, cube: &Cube) -> Result<Vec<Obligation<'a>>, Refusal> {
        if !self.writes_into(cube) {
            let symbols = SymbolTypes { variables: cube.variables.clone(), others: Vec::new() };
            return Ok(vec![Obligation { matching: None, branch: None, symbols, situation: Situation::Apart }]);
        }
        let mut all = Vec::new();
        for (matching, symbols) in self.matches(system, cube)? {
            for (branch, situation) in self.situations(system, cube, &matching, &symbols)? {
                let (matching, symbols) = (Some(matching.clone()), symbols.clone());
                all.push(Obligation { matching, branch, symbols, situation });
            }
        }
        Ok(all)
    }

    /// The update of a state variable.
    #[must_use]
    pub fn update(&self, variable: VariableId) -> Option<&'a Update> {
        self.updates.iter().find(|update| update.variable == variable)
    }

    /// The environment of the guard and of the conditions under a match.
    #[must_use]
    pub fn environment(&self, matching: &Match) -> Environment {
        let mut environment = vec![None; self.scope.len()];
        for (slot, symbol) in environment.iter_mut().zip(&matching.0) {
            *slot = Some(*symbol);
        }
        environment
    }

    /// Whether a state variable of the cube is written.
    fn writes_into(&self, cube: &Cube) -> bool {
        let written = |term: &protocol::system::Term| match term {
            protocol::system::Term::Read(variable, _) => self.update(*variable).is_some(),
            protocol::system::Term::Constant(_) | protocol::system::Term::Index(_) => false,
        };
        cube.literals.iter().any(|literal| written(&literal.left) || written(&literal.right))
    }

    /// All matches with the types of their symbols.
    ///
    /// Each parameter is a variable of the cube, a named element, another element that an earlier parameter is, or
    /// one that no earlier parameter is.
    pub(crate) fn matches(&self, system: &System, cube: &Cube) -> Result<Vec<(Match, SymbolTypes)>, Refusal> {
        let start = SymbolTypes { variables: cube.variables.clone(), others: Vec::new() };
        let mut matches = vec![(Match(Vec::new()), start)];
        for parameter in self.parameters {
            let mut longer = Vec::new();
            for (matching, symbols) in &matches {
                let fresh = Symbol::Other(number(symbols.others.len())?);
                let known = Ground { system, symbols }.symbols_of(parameter.index_type);
                for symbol in known.into_iter().chain([fresh]) {
                    let mut next = (matching.clone(), symbols.clone());
                    next.0.0.push(symbol);
                    if symbol == fresh {
                        next.1.others.push(parameter.index_type);
                    }
                    longer.push(next);
                }
                if longer.len() > MATCH_LIMIT {
                    return Err(Refusal::TooManyMatches);
                }
            }
            matches = longer;
        }
        Ok(matches)
    }

    /// What there is to be shown under one match, with the numbers of the branches.
    fn situations(
        &self,
        system: &'a System,
        cube: &Cube,
        matching: &Match,
        symbols: &SymbolTypes,
    ) -> Result<Vec<(Option<u32>, Situation<'a>)>, Refusal> {
        let environment = self.environment(matching);
        let expansion = Disjuncts { ground: Ground { system, symbols }, transition: *self, environment: &environment };
        if expansion.keeps(cube)? {
            return Ok(vec![(None, Situation::Unchanged)]);
        }
        let mut branches = expansion.formula(self.guard, true, &environment)?;
        for literal in &cube.literals {
            branches = conjoin(&expansion.ground, &branches, &expansion.after(literal)?)?;
        }
        if branches.is_empty() {
            return Ok(vec![(None, Situation::NoBranch)]);
        }
        branches
            .into_iter()
            .enumerate()
            .map(|(position, branch)| Ok((Some(number(position)?), Situation::Branch(branch))))
            .collect()
    }
}

fn number(position: usize) -> Result<u32, Refusal> {
    u32::try_from(position).map_err(|_| Refusal::TooManyMatches)
}
