//! The search as its callers see it.
//!
//! It returns a certificate, or the reason why there is none. Whether a chain of pre-images to an initial state is a
//! real violation must be decided on an instance.

use certificate::proof::{Certificate, InvariantId};
use system::System;
use system::{PropertyId, RuleId, StartstateId};

use crate::approx::Reachable;
use crate::brab::{Bounds, Figures, Outcome, Search, Stop};
use crate::certify::{Header, Unfinished, certify};
use crate::literal::{Conj, MAX_ARGUMENTS, MAX_ELEMENTS, MAX_VARIABLES, Space};
use crate::prove::Stage;
use crate::relations::Unmet;

/// How a search ended.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) enum Discovery {
    /// All properties hold, as the certificate shows. The flag says whether every unnecessary invariant was dropped.
    Proven(Box<Certificate>, bool),
    /// Pre-images without approximations lead from an initial state to the negation of the property by these rules. The
    /// chain may be spurious, because universal guards are considered only for the elements that occur in it.
    Chain {
        /// The property.
        property: PropertyId,
        /// The rules, from first to last.
        rules: Vec<RuleId>,
    },
    /// The search hit a limit.
    Stopped(Stop),
    /// The cubes that were found do not meet an obligation.
    Unmet(Failure),
}

/// An obligation for which the search found no argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A rule and an invariant.
    Rule(RuleId, InvariantId),
    /// A startstate and an invariant.
    Initial(StartstateId, InvariantId),
    /// A property.
    Property(PropertyId),
}

impl From<Unmet> for Failure {
    fn from(unmet: Unmet) -> Self {
        match unmet {
            Unmet::Rule(rule, invariant) => Self::Rule(rule, invariant),
            Unmet::Initial(start, invariant) => Self::Initial(start, invariant),
            Unmet::Property(property) => Self::Property(property),
        }
    }
}

/// Why the search cannot handle a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There are too many state variables.
    #[error("the system has {0} state variables, more than {MAX_VARIABLES}")]
    Variables(usize),
    /// A state variable has too many index arguments.
    #[error("a state variable has {0} index arguments, more than {MAX_ARGUMENTS}")]
    Arguments(usize),
    /// There are too many named elements.
    #[error("the system has {0} named elements, too many for the search")]
    Named(usize),
    /// There are too many values.
    #[error("the system has {0} values, too many for an instance")]
    Values(usize),
}

/// Proves the properties of a system, with these guesses first, or returns why it cannot. `proceed` is called before each
/// cube and each argument, and returns whether to go on.
pub(crate) fn discover(
    system: &System,
    space: &Space,
    (reachable, guesses): (&dyn Reachable, &[Conj]),
    header: Header,
    bounds: Bounds,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
) -> (Discovery, Figures) {
    let mut search = Search::new(system, space, reachable, guesses, bounds);
    let outcome = search.run(&mut |figures| proceed(Stage::Searching(figures)));
    let figures = search.figures;
    let discovery = match outcome {
        Outcome::Closed(found) => match certify(system, space, &found, header, proceed) {
            Ok((certificate, minimized)) => Discovery::Proven(Box::new(certificate), minimized),
            Err(Unfinished::Interrupted) => Discovery::Stopped(Stop::Interrupted),
            Err(Unfinished::Unmet(unmet)) => Discovery::Unmet(unmet.into()),
        },
        Outcome::Chain(property, rules) => Discovery::Chain { property, rules },
        Outcome::Stopped(stop) => Discovery::Stopped(stop),
    };
    (discovery, figures)
}

/// Returns why the search cannot handle the system, if that is the case.
pub(crate) fn refusal(system: &System) -> Option<Refusal> {
    let arguments = system.variables.iter().map(|variable| variable.arguments.len()).max().unwrap_or(0);
    if system.variables.len() > MAX_VARIABLES {
        return Some(Refusal::Variables(system.variables.len()));
    }
    if arguments > MAX_ARGUMENTS {
        return Some(Refusal::Arguments(arguments));
    }
    (system.named.len() * 3 > MAX_ELEMENTS).then_some(Refusal::Named(system.named.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brab::Mode;
    use crate::example::mutual_exclusion;

    /// Knows no states at all, so that every approximation is tried and the wrong ones must be undone.
    struct Ignorant;

    impl Reachable for Ignorant {
        fn admits(&self, _: &Conj) -> bool {
            false
        }

        fn reaches(&self, _: &Conj) -> bool {
            false
        }

        fn leads(&self, _: &Conj, _: &[(RuleId, &Conj)]) -> bool {
            false
        }
    }

    fn run(system: &System) -> (Discovery, Figures) {
        let header = Header { model_digest: String::new(), settings: Vec::new() };
        let bounds = Bounds {
            cubes: 1000,
            symbols: vec![usize::MAX; system.index_types.len()],
            numbers: (0, 0),
            mode: Mode::Plain,
            weakening: crate::approx::Weakening::Weak,
        };
        discover(system, &Space::new(system), (&Ignorant, &[]), header, bounds, &mut |_| true)
    }

    #[test]
    fn a_wrong_approximation_is_undone_and_the_proof_is_found() {
        let system = mutual_exclusion(false);
        let (discovery, figures) = run(&system);
        let Discovery::Proven(certificate, true) = discovery else { panic!("not proven: {discovery:?}") };
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
