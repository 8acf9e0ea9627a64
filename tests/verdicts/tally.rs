//! Counts the outcomes of models.

use std::collections::BTreeMap;

use super::command::Said;
use super::judge::Fault;

/// The outcomes of models.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) models: u64,
    /// Texts that are not a program, or that have too many states or none.
    pub(crate) left_out: u64,
    pub(crate) proven_for_any: u64,
    pub(crate) proven_as_it_is: u64,
    pub(crate) violated: u64,
    inconclusive: BTreeMap<String, u64>,
    refused: BTreeMap<String, u64>,
    pub(crate) instances: usize,
    /// The numbers of models that rumur accepted, of instances on which it agrees, and of those with an error that only
    /// rumur reports.
    pub(crate) peer: (u64, u64, u64),
    pub(crate) wrong: BTreeMap<Fault, Vec<String>>,
}

impl Tally {
    pub(crate) fn count(&mut self, said: Option<&Said>) {
        self.models += 1;
        match said {
            Some(Said::Proven(claim)) if claim.any_size.is_empty() => self.proven_as_it_is += 1,
            Some(Said::Proven(_)) => self.proven_for_any += 1,
            Some(Said::Violated(_)) => self.violated += 1,
            Some(Said::Inconclusive(reason)) => {
                let reason: String = reason.chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
                *self.inconclusive.entry(reason).or_default() += 1;
            }
            Some(Said::Refused(codes)) => {
                let code = codes.first().cloned().unwrap_or_default();
                *self.refused.entry(code).or_default() += 1;
            }
            None => {}
        }
    }

    pub(crate) fn text(&self) -> String {
        let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        format!(
            "{} models: {} proven for any number, {} for their sizes, {} violated, {} inconclusive {:?}, {} refused {:?}; \
             {} wrong; {} instances seen as a whole; rumur takes {} models, says the same of {} instances, has an error of its \
             own in {}; {} left out",
            self.models,
            self.proven_for_any,
            self.proven_as_it_is,
            self.violated,
            sum(&self.inconclusive),
            self.inconclusive,
            sum(&self.refused),
            self.refused,
            self.wrong.values().map(Vec::len).sum::<usize>(),
            self.instances,
            self.peer.0,
            self.peer.1,
            self.peer.2,
            self.left_out,
        )
    }
}
