//! The search as its callers see it.
//!
//! In: a system, and an oracle that knows reachable states of small instances. Out: a certificate, or an account of why
//! there is none. Whether a chain of pre-images to an initial state is a real violation is for an instance to decide.

use certificate::proof::{Certificate, InvariantId};
use protocol::System;
use protocol::system::{Cube, PropertyId, RuleId, StartstateId};

use crate::approx::Reachable;
use crate::brab::{Figures, Outcome, Search, Stop};
use crate::certify::{Header, certify};
use crate::literal::{Conj, MAX_ARGUMENTS, MAX_ELEMENTS, MAX_VARIABLES, Space};
use crate::relations::Unmet;

/// Knows states that are reachable.
pub trait Oracle: Sync {
    /// Whether some state that was reached, up to permutation of the elements of index types, satisfies the cube. A
    /// scalar that is undefined satisfies every literal about it.
    fn admits(&self, cube: &Cube) -> bool;
}

/// How a search ended.
#[derive(Clone, Debug)]
#[must_use]
pub enum Discovery {
    /// All properties hold; the certificate says why.
    Proven(Box<Certificate>),
    /// Pre-images without approximations lead from an initial state to the negation of the property, by these rules.
    /// Universal guards count only for the elements at hand, so it may still be spurious.
    Chain {
        /// The property.
        property: PropertyId,
        /// The rules, first to last.
        rules: Vec<RuleId>,
    },
    /// A limit was hit.
    Stopped(Stop),
    /// The cubes that were found do not meet an obligation.
    Unmet(Failure),
    /// The search cannot hold the system.
    Refused(Refusal),
}

/// An obligation for which the search has no argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A rule and an invariant.
    Rule(RuleId, InvariantId),
    /// A startstate and an invariant.
    Initial(StartstateId, InvariantId),
    /// A property.
    Property(PropertyId),
}

/// Why the search cannot hold a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Too many state variables.
    #[error("the system has {0} state variables, more than {MAX_VARIABLES}")]
    Variables(usize),
    /// A state variable has too many index arguments.
    #[error("a state variable has {0} index arguments, more than {MAX_ARGUMENTS}")]
    Arguments(usize),
    /// Too many named elements.
    #[error("the system has {0} named elements, too many for the search")]
    Named(usize),
}

/// Proves the properties of a system, or says why not. `proceed` is called with the figures before each cube and
/// answers whether to go on.
pub fn discover(
    system: &System,
    oracle: &dyn Oracle,
    header: Header,
    max_cubes: usize,
    proceed: &mut dyn FnMut(&Figures) -> bool,
) -> (Discovery, Figures) {
    if let Some(refusal) = refusal(system) {
        return (Discovery::Refused(refusal), Figures::default());
    }
    let space = Space::new(system);
    let reachable = Adapter { oracle, space: &space };
    let mut search = Search::new(system, &space, &reachable, max_cubes);
    let outcome = search.run(proceed);
    let figures = search.figures;
    let discovery = match outcome {
        Outcome::Closed(found) => match certify(system, &space, &found, header, &mut |_, _| {}) {
            Ok(certificate) => Discovery::Proven(Box::new(certificate)),
            Err(Unmet::Rule(rule, invariant)) => Discovery::Unmet(Failure::Rule(rule, invariant)),
            Err(Unmet::Initial(start, invariant)) => Discovery::Unmet(Failure::Initial(start, invariant)),
            Err(Unmet::Property(property)) => Discovery::Unmet(Failure::Property(property)),
        },
        Outcome::Chain(property, rules) => Discovery::Chain { property, rules },
        Outcome::Stopped(stop) => Discovery::Stopped(stop),
    };
    (discovery, figures)
}

fn refusal(system: &System) -> Option<Refusal> {
    let arguments = system.variables.iter().map(|variable| variable.arguments.len()).max().unwrap_or(0);
    if system.variables.len() > MAX_VARIABLES {
        return Some(Refusal::Variables(system.variables.len()));
    }
    if arguments > MAX_ARGUMENTS {
        return Some(Refusal::Arguments(arguments));
    }
    (system.named.len() * 3 > MAX_ELEMENTS).then_some(Refusal::Named(system.named.len()))
}

struct Adapter<'a> {
    oracle: &'a dyn Oracle,
    space: &'a Space,
}

impl Reachable for Adapter<'_> {
    fn admits(&self, conj: &Conj) -> bool {
        self.oracle.admits(&conj.to_cube(self.space))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::mutual_exclusion;

    /// Knows no state at all, so that every approximation is tried and the wrong ones must be undone.
    struct Ignorant;

    impl Oracle for Ignorant {
        fn admits(&self, _: &Cube) -> bool {
            false
        }
    }

    fn run(system: &System) -> (Discovery, Figures) {
        let header = Header { model_digest: String::new(), settings: Vec::new() };
        discover(system, &Ignorant, header, 1000, &mut |_| true)
    }

    #[test]
    fn a_wrong_approximation_is_undone_and_the_proof_is_found() {
        let system = mutual_exclusion(false);
        let (discovery, figures) = run(&system);
        let Discovery::Proven(certificate) = discovery else { panic!("not proven: {discovery:?}") };
        assert!(figures.undone > 0);
        assert!(!certificate.invariants.is_empty());
    }

    #[test]
    fn a_broken_protocol_gives_a_chain_in_which_both_nodes_try_and_enter() {
        let (discovery, _) = run(&mutual_exclusion(true));
        let Discovery::Chain { mut rules, .. } = discovery else { panic!("no chain: {discovery:?}") };
        assert_eq!((rules.first(), rules.last()), (Some(&RuleId(0)), Some(&RuleId(1))));
        rules.sort();
        assert_eq!(rules, [RuleId(0), RuleId(0), RuleId(1), RuleId(1)]);
    }
}
