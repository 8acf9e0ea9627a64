//! The list of obligations of a rule (or startstate) and a cube: every match and every branch, in the order of
//! certificates.
//!
//! The definition is the list in [`crate::kernel`], points 1 to 3. Nothing here depends on a certificate.

use system::IndexTypeId;

use super::branches::Matched;
use super::fault::Refusal;
use super::ground::choices;
use super::proof::{Symbol, SymbolTypes};
use super::{Obligation, Situation};

/// A rule and a cube with more matches than this are refused.
pub(crate) const MATCH_LIMIT: usize = 1 << 16;

impl<'a> Matched<'a> {
    /// The obligations of the rule and the cube, in order; no parameter has a symbol yet.
    ///
    /// # Errors
    /// If the rule or the cube is not well-formed, or there are too many obligations.
    pub fn obligations(self) -> Result<Vec<Obligation<'a>>, Refusal> {
        let cube = self.cube;
        if !self.writes(&cube.literals) && !self.writes_others() {
            let (symbols, situation) = (self.symbols, Situation::Unchanged);
            return Ok(vec![Obligation { cube, matching: None, branch: None, symbols, situation }]);
        }
        let mut all = Vec::new();
        for matched in self.matches()? {
            let mut add = |branch, situation| {
                let (matching, symbols) = (Some(matched.matching.clone()), matched.symbols.clone());
                all.push(Obligation { cube, matching, branch, symbols, situation });
            };
            if matched.keeps()? {
                add(None, Situation::Unchanged);
                continue;
            }
            let contexts = matched.contexts()?;
            if contexts.is_empty() {
                add(None, Situation::NoBranch);
            }
            for (number, context) in (0..).zip(contexts) {
                add(Some(number), Situation::Branch(Box::new(context)));
            }
        }
        Ok(all)
    }

    /// All matches of the parameters of the rule with the cube.
    ///
    /// Each parameter denotes a variable of the cube, a named element, the other element that an earlier parameter
    /// denotes, or a new one.
    pub(crate) fn matches(self) -> Result<Vec<Self>, Refusal> {
        let types = (0..self.rule.parameters).zip(&self.rule.scope).map(|(_, parameter)| &parameter.index_type);
        choices(types, MATCH_LIMIT, self, |matched, index_type| {
            let known = matched.ground().symbols_of(index_type).into_iter().map(|symbol| (matched.clone(), symbol));
            let mut wider = matched.clone();
            let fresh = wider.symbols.with_fresh(index_type)?;
            let with = |(mut own, symbol): (Self, _)| {
                own.matching.0.push(symbol);
                own
            };
            Ok(known.chain([(wider, fresh)]).map(with).collect())
        })
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
