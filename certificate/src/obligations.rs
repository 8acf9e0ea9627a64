//! The list of obligations: every match and every branch of a rule (or startstate) and a cube.
//!
//! In: a well-formed system (see [`system::wellformed`]), a rule and a cube. Out: the obligations in the order of
//! certificates. The definition is the list in [`crate::proof`], points 1 to 3. It must not look at a certificate, and it
//! shares no code with the search: lists of branches are extended here, where the search walks a tree.

use system::System;
use system::{Cube, Formula, IndexTypeId, IndexVariable, Rule, Startstate, Term, Update, VariableId};

use crate::branches::{Branch, Matched};
use crate::context::Context;
use crate::fault::Refusal;
use crate::ground::{Ground, variables};
use crate::proof::{Match, Symbol, SymbolTypes};

/// More matches of one rule and one cube than this are refused.
pub(crate) const MATCH_LIMIT: usize = 1 << 16;

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
#[derive(Clone, Debug)]
pub struct Obligation<'a> {
    /// The cube.
    pub cube: &'a Cube,
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
#[derive(Clone, Debug)]
pub enum Situation<'a> {
    /// The rule writes no state variable that the cube reads.
    Apart,
    /// Under the match, every read of the cube keeps its value.
    Unchanged,
    /// Guard and after-formulas have no branch.
    NoBranch,
    /// One branch of guard and after-formulas, and its context.
    Branch(Branch<'a>, Box<Context<'a>>),
}

impl<'a> Transition<'a> {
    /// A rule.
    ///
    /// # Errors
    /// Where it has more parameters than index variables.
    pub fn of_rule(rule: &'a Rule) -> Result<Self, Refusal> {
        Self::new(&rule.scope, rule.parameters, &rule.guard, &rule.updates)
    }

    /// A startstate.
    ///
    /// # Errors
    /// Where it has more parameters than index variables.
    pub fn of_startstate(start: &'a Startstate) -> Result<Self, Refusal> {
        Self::new(&start.scope, start.parameters, &start.guard, &start.updates)
    }

    fn new(
        scope: &'a [IndexVariable],
        parameters: u32,
        guard: &'a Formula,
        updates: &'a [Update],
    ) -> Result<Self, Refusal> {
        let parameters = usize::try_from(parameters).ok().and_then(|count| scope.get(..count));
        let parameters = parameters.ok_or(Refusal::Malformed("more parameters than index variables"))?;
        Ok(Self { scope, parameters, guard, updates })
    }

    /// The update of a state variable.
    #[must_use]
    pub fn update(&self, variable: VariableId) -> Option<&'a Update> {
        self.updates.iter().find(|update| update.variable == variable)
    }

    /// The obligations of the rule and a cube, in order.
    ///
    /// # Errors
    /// Where the cube is not well-formed, or there are too many obligations.
    pub fn obligations(&self, system: &'a System, cube: &'a Cube) -> Result<Vec<Obligation<'a>>, Refusal> {
        if !self.writes_into(cube) {
            let symbols = SymbolTypes { variables: cube.variables.clone(), others: Vec::new() };
            return Ok(vec![Obligation { cube, matching: None, branch: None, symbols, situation: Situation::Apart }]);
        }
        let mut all = Vec::new();
        for (matching, symbols) in self.matches(system, cube)? {
            for (branch, situation) in self.situations(system, cube, &matching, &symbols)? {
                let (matching, symbols) = (Some(matching.clone()), symbols.clone());
                all.push(Obligation { cube, matching, branch, symbols, situation });
            }
        }
        Ok(all)
    }

    /// For each match, how many branches there are: what is to be shown about a startstate is that there is none.
    pub(crate) fn matches_and_branches(&self, system: &System, cube: &Cube) -> Result<Vec<(Match, usize)>, Refusal> {
        let count = |(matching, symbols)| {
            let branches = self.matched(system, cube, &matching, &symbols).branches(cube)?;
            Ok((matching, branches.len()))
        };
        self.matches(system, cube)?.into_iter().map(count).collect()
    }

    /// Whether a state variable of the cube is written.
    fn writes_into(&self, cube: &Cube) -> bool {
        let written = |term: &Term| match term {
            Term::Read(variable, _) => self.update(*variable).is_some(),
            Term::Constant(_) | Term::Index(_) => false,
        };
        cube.literals.iter().any(|literal| written(&literal.left) || written(&literal.right))
    }

    /// All matches of the parameters with a cube.
    pub(crate) fn matches(&self, system: &System, cube: &Cube) -> Result<Vec<(Match, SymbolTypes)>, Refusal> {
        matches(system, &cube.variables, self.parameters.iter().map(|parameter| parameter.index_type))
    }

    /// The rule under a match.
    pub(crate) fn matched<'m>(
        &self,
        system: &'m System,
        cube: &Cube,
        matching: &Match,
        symbols: &'m SymbolTypes,
    ) -> Matched<'m, 'a> {
        Matched::new(Ground { system, symbols }, *self, &variables(cube), &matching.0)
    }

    /// What there is to be shown under one match, with the numbers of the branches.
    fn situations(
        &self,
        system: &'a System,
        cube: &Cube,
        matching: &Match,
        symbols: &SymbolTypes,
    ) -> Result<Vec<(Option<u32>, Situation<'a>)>, Refusal> {
        let matched = self.matched(system, cube, matching, symbols);
        if matched.keeps(cube)? {
            return Ok(vec![(None, Situation::Unchanged)]);
        }
        let branches = matched.branches(cube)?;
        if branches.is_empty() {
            return Ok(vec![(None, Situation::NoBranch)]);
        }
        let situation = |(number, branch): (u32, Branch<'a>)| {
            let context = Context::new(system, symbols, self.scope, &matched.environment, &branch)?;
            Ok((Some(number), Situation::Branch(branch, Box::new(context))))
        };
        (0..).zip(branches).map(situation).collect()
    }
}

/// All matches of parameters of these types with the variables of a cube, each with the types of its symbols.
///
/// Each parameter is a variable of the cube, a named element, another element that an earlier parameter is, or
/// one that no earlier parameter is.
pub(crate) fn matches(
    system: &System,
    variables: &[IndexTypeId],
    parameters: impl Iterator<Item = IndexTypeId>,
) -> Result<Vec<(Match, SymbolTypes)>, Refusal> {
    let start = SymbolTypes { variables: variables.to_vec(), others: Vec::new() };
    let mut matches = vec![(Match(Vec::new()), start)];
    for index_type in parameters {
        let mut longer = Vec::new();
        for (matching, symbols) in &matches {
            for symbol in (Ground { system, symbols }).symbols_of(index_type) {
                longer.push((matching.with(symbol), symbols.clone()));
            }
            let mut wider = symbols.clone();
            let fresh = wider.with_fresh(index_type)?;
            longer.push((matching.with(fresh), wider));
            if longer.len() > MATCH_LIMIT {
                return Err(Refusal::TooManyMatches);
            }
        }
        matches = longer;
    }
    Ok(matches)
}

impl Match {
    fn with(&self, symbol: Symbol) -> Self {
        Self(self.0.iter().copied().chain([symbol]).collect())
    }
}

impl SymbolTypes {
    /// Adds another element.
    pub(crate) fn with_fresh(&mut self, index_type: IndexTypeId) -> Result<Symbol, Refusal> {
        let number = u32::try_from(self.others.len()).map_err(|_| Refusal::TooManyMatches)?;
        self.others.push(index_type);
        Ok(Symbol::Other(number))
    }
}
