//! The list of obligations of a rule (or startstate) and a cube: every match and every branch, in the order of
//! certificates.
//!
//! The definition is the list in [`crate::kernel`], points 1 to 3. Nothing here depends on a certificate.

use system::{Cube, Formula, IndexTypeId, IndexVariable, Literal, System, Term, Update, VariableId};

use super::branches::Matched;
use super::context::Context;
use super::fault::Refusal;
use super::ground::{Ground, environment, variables};
use super::proof::{Match, Symbol, SymbolTypes};
use super::{Obligation, Situation};

/// A rule and a cube with more matches than this are refused.
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

impl<'a> Transition<'a> {
    /// The transition that changes nothing, for formulas over a scope.
    pub fn skip(scope: &'a [IndexVariable]) -> Self {
        Self { scope, parameters: &[], guard: &Formula::True, updates: &[] }
    }

    /// The transition of a rule or a startstate.
    ///
    /// # Errors
    /// If it has more parameters than index variables.
    pub fn of(own: &'a system::Transition) -> Result<Self, Refusal> {
        let system::Transition { scope, parameters, guard, updates, .. } = own;
        let parameters = usize::try_from(*parameters).ok().and_then(|count| scope.get(..count));
        let parameters = parameters.ok_or(Refusal::Malformed("more parameters than index variables"))?;
        Ok(Self { scope, parameters, guard, updates })
    }

    /// The update of a state variable.
    pub fn update(&self, variable: VariableId) -> Option<&'a Update> {
        self.updates.iter().find(|update| update.variable == variable)
    }

    /// The obligations of the rule and a cube, in order.
    ///
    /// # Errors
    /// If the cube is not well-formed, or there are too many obligations.
    pub fn obligations(&self, system: &'a System, cube: &'a Cube) -> Result<Vec<Obligation<'a>>, Refusal> {
        if !self.writes(&cube.literals) && !self.writes_others(cube) {
            let (symbols, situation) = (SymbolTypes::of(cube), Situation::Unchanged);
            return Ok(vec![Obligation { cube, matching: None, branch: None, symbols, situation }]);
        }
        let mut all = Vec::new();
        for (matching, symbols) in self.matches(system, cube)? {
            let matched = self.matched(Ground { system, symbols: &symbols }, cube, &matching);
            let mut add = |branch, situation| {
                let (matching, symbols) = (Some(matching.clone()), symbols.clone());
                all.push(Obligation { cube, matching, branch, symbols, situation });
            };
            if matched.keeps(cube)? {
                add(None, Situation::Unchanged);
                continue;
            }
            let contexts = matched.contexts(system, cube)?;
            if contexts.is_empty() {
                add(None, Situation::NoBranch);
            }
            for (number, context) in (0..).zip(contexts) {
                add(Some(number), Situation::Branch(Box::new(context)));
            }
        }
        Ok(all)
    }

    /// The matches, each with whether the context of every branch is contradictory, as it has to be for a startstate.
    pub(crate) fn matches_and_ends(&self, system: &'a System, cube: &'a Cube) -> Result<Vec<(Match, bool)>, Refusal> {
        let ends = |(matching, symbols): (Match, SymbolTypes)| {
            let matched = self.matched(Ground { system, symbols: &symbols }, cube, &matching);
            Ok((matching, matched.contexts(system, cube)?.iter().all(Context::is_contradictory)))
        };
        self.matches(system, cube)?.into_iter().map(ends).collect()
    }

    /// Whether an update is of a state variable that a universal part of the cube reads.
    pub(crate) fn writes_others(&self, cube: &Cube) -> bool {
        cube.universals.iter().any(|universal| self.writes(&universal.literals))
    }

    /// Whether an update is of a state variable that the literals read.
    fn writes(&self, literals: &[Literal]) -> bool {
        let written = |term: &Term| match term {
            Term::Read(variable, _) => self.update(*variable).is_some(),
            Term::Constant(_) | Term::Index(_) | Term::Zero => false,
        };
        literals.iter().any(|literal| written(&literal.left) || written(&literal.right))
    }

    /// All matches of the parameters with a cube.
    ///
    /// Each parameter denotes a variable of the cube, a named element, the other element that an earlier parameter
    /// denotes, or a new one.
    pub(crate) fn matches(&self, system: &System, cube: &Cube) -> Result<Vec<(Match, SymbolTypes)>, Refusal> {
        let mut matches = vec![(Match(Vec::new()), SymbolTypes::of(cube))];
        for IndexVariable { index_type, .. } in self.parameters {
            let mut longer = Vec::new();
            for (matching, symbols) in &matches {
                let with = |symbol| Match([matching.0.as_slice(), &[symbol]].concat());
                let known = Ground { system, symbols }.symbols_of(*index_type).into_iter();
                longer.extend(known.map(|symbol| (with(symbol), symbols.clone())));
                let mut wider = symbols.clone();
                let fresh = wider.with_fresh(*index_type)?;
                longer.push((with(fresh), wider));
                if longer.len() > MATCH_LIMIT {
                    return Err(Refusal::TooManyMatches);
                }
            }
            matches = longer;
        }
        Ok(matches)
    }

    /// The rule under a match.
    pub(crate) fn matched<'m>(&self, ground: Ground<'m>, cube: &Cube, matching: &Match) -> Matched<'m, 'a> {
        Matched::new(ground, *self, environment(&matching.0), environment(&variables(cube)))
    }
}

impl SymbolTypes {
    /// The types of the variables of a cube.
    pub(crate) fn of(cube: &Cube) -> Self {
        Self { variables: cube.variables.clone(), others: Vec::new() }
    }

    /// Adds another element.
    pub(crate) fn with_fresh(&mut self, index_type: IndexTypeId) -> Result<Symbol, Refusal> {
        let number = u32::try_from(self.others.len()).map_err(|_| Refusal::TooManyMatches)?;
        self.others.push(index_type);
        Ok(Symbol::Other(number))
    }
}
