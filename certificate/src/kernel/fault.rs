//! What can be wrong with a certificate, and where.
//!
//! These are data; the sentences that a reader sees are written outside of the kernel.

use system::{PropertyId, RuleId, StartstateId, VariableId};

use super::ground::Equation;
use super::proof::{InvariantId, Match, Relation, Symbol};

/// A fault: where it is and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The part of the certificate.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

/// A part of a certificate. The order is that of the parts in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the types of the fields say what they are")]
pub enum Place {
    /// The system that the certificate is about.
    System,
    /// The header.
    Header,
    /// An invariant.
    Invariant(InvariantId),
    /// The argument for a cube of a property, by its position in the property.
    Property { property: PropertyId, cube: u32 },
    /// A startstate and an invariant; one match of them, or all.
    Initial { startstate: StartstateId, invariant: InvariantId, matching: Option<Match> },
    /// A rule and an invariant; one match and one branch of them, or all.
    Relation { rule: RuleId, invariant: InvariantId, matching: Option<Match>, branch: Option<u32> },
}

impl Place {
    /// A fault at this place.
    pub(super) fn fault(self, problem: Problem) -> Fault {
        Fault { place: self, problem }
    }

    /// The place without match and branch: what it has in common with all obligations of the same pair.
    pub(super) fn pair(&self) -> Self {
        match *self {
            Self::System | Self::Header | Self::Invariant(_) | Self::Property { .. } => self.clone(),
            Self::Initial { startstate, invariant, .. } => Self::Initial { startstate, invariant, matching: None },
            Self::Relation { rule, invariant, .. } => Self::Relation { rule, invariant, matching: None, branch: None },
        }
    }
}

/// Why the obligations of a rule and a cube cannot be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There are more than [`MATCH_LIMIT`](super::obligations::MATCH_LIMIT) matches.
    TooManyMatches,
    /// One match has more than [`BRANCH_LIMIT`](super::branches::BRANCH_LIMIT) branches.
    TooManyBranches,
    /// The system or the cube is not well-formed.
    Malformed(&'static str),
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Which of the three relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Relation 1.
    HoldsAfter,
    /// Relation 2.
    Unaffected,
    /// Relation 3.
    Implied,
}

impl Kind {
    /// The kind of a relation.
    pub fn of(relation: &Relation) -> Self {
        match relation {
            Relation::HoldsAfter => Self::HoldsAfter,
            Relation::Unaffected => Self::Unaffected,
            Relation::Implied(_) => Self::Implied,
        }
    }
}

/// A step into an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A case of the split.
    Case(u32),
    /// A premise.
    Premise(u32),
}

/// What can be wrong. `due` is what the checker expects, `found` what the certificate has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names and types of the fields say what they are")]
pub enum Problem {
    /// The certificate is for another model; these are digests.
    Digest { due: String, found: String },
    /// The model was lowered with other settings.
    Settings { due: Vec<String>, found: Vec<String> },
    /// The system is not well-formed.
    System(String),
    /// The cube of an invariant is not well-formed.
    Cube(&'static str),
    /// The origin of an invariant does not exist.
    Origin,
    /// An obligation has no entry.
    Missing,
    /// An entry has no obligation.
    Extra,
    /// An obligation has more than one entry.
    Doubled,
    /// An entry is out of order.
    Disordered,
    /// The obligations cannot be listed.
    Refused(Refusal),
    /// A branch of a startstate remains.
    InitialOpen,
    /// The certificate claims the wrong relation.
    Kind { due: Kind, found: Kind },
    /// A premise or a split follows the end of the argument.
    BehindEnd,
    /// The argument stops short of a contradiction.
    Unfinished,
    /// A premise names an invariant that does not exist.
    NoSuchInvariant(InvariantId),
    /// A premise names an invariant that is not well-formed.
    UnusableInvariant(InvariantId),
    /// A substitution does not give each variable of the cube a symbol of its type, all distinct and none of them
    /// named.
    Substitution { invariant: InvariantId, symbols: Vec<Symbol> },
    /// The context does not contain these literals of a premise, and they are more than one.
    Remaining { invariant: InvariantId, literals: Vec<Equation> },
    /// A premise has universal parts, so that only a split on its witness can use it.
    NeedsWitness { invariant: InvariantId },
    /// An instance promises no witness: it has no universal parts, or the context does not contain these literals.
    NoWitness { invariant: InvariantId, literals: Vec<Equation> },
    /// A premise adds nothing to the context.
    Useless { invariant: InvariantId },
    /// A split is on something other than a state variable at symbols of its argument types, on the value of a number,
    /// or on a bound of something else.
    BadSplit { variable: VariableId },
    /// A split does not have one case for each value.
    Cases { due: usize, found: usize },
    /// The check stopped before it came here.
    Interrupted,
    /// Splits are nested too deeply.
    TooDeep,
    /// A problem within an argument, behind a step.
    Within { at: Step, problem: Box<Problem> },
}
