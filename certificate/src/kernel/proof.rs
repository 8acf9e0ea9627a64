//! The content of a certificate: what the search delivers and the kernel checks.
//!
//! These are the types in memory; the file format is defined apart from them. A certificate refers to the parts of one
//! [`system::System`] by position. [`crate::kernel`] defines what the entries have to say.

pub use super::ground::Read;
use system::{Cube, IndexTypeId, NamedId, PropertyId, RuleId, StartstateId, VariableId};

/// Position in [`Certificate::invariants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvariantId(pub u32);

impl InvariantId {
    /// The position in the table of invariants.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Everything that is needed to replay a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// SHA-256 of the model's text, in hexadecimal.
    pub model_digest: String,
    /// The settings that the model was lowered with: constants and choices of index types, as `NAME=VALUE`, sorted.
    pub settings: Vec<String>,
    /// For each cube of each property, in order, why no reachable state satisfies it.
    pub properties: Vec<PropertyEntry>,
    /// The invariants.
    pub invariants: Vec<Invariant>,
    /// For each startstate, invariant and match, in order.
    pub initial: Vec<InitialEntry>,
    /// For each rule, invariant, match and branch, in order.
    pub relations: Vec<RelationEntry>,
}

/// The negation of a cube, read universally: no reachable state satisfies the cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The cube that no reachable state satisfies: each literal in normal form, in any order.
    pub cube: Cube,
    /// Where it comes from. This is information for a reader, and proves nothing.
    pub origin: InvariantOrigin,
}

/// Where an invariant comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvariantOrigin {
    /// It is one of the cubes of a property.
    Property(PropertyId),
    /// It was found as (a generalization of) a pre-image of another invariant under a rule.
    PreImage {
        /// The rule.
        rule: RuleId,
        /// The invariant that the rule would break.
        of: InvariantId,
    },
}

/// Why one cube of a property's negation is unreachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyEntry {
    /// The property.
    pub property: PropertyId,
    /// The position of the cube in [`system::Property::bad`].
    pub cube: u32,
    /// The argument; its context is the cube, and its symbols are the cube's variables.
    pub argument: Argument,
}

/// States that an invariant holds in the states of a startstate. Matches and branches are defined as for rules. No
/// value of a startstate reads a state variable, so that all equations are decided, except for those about state
/// variables that nothing updates. What is to show is that the context of each branch is contradictory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialEntry {
    /// The startstate.
    pub startstate: StartstateId,
    /// The invariant.
    pub invariant: InvariantId,
    /// The symbol of each parameter of the startstate.
    pub matching: Match,
}

/// One obligation and the relation that discharges it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationEntry {
    /// The rule.
    pub rule: RuleId,
    /// The invariant.
    pub invariant: InvariantId,
    /// The match, if the rule updates a state variable that the invariant reads.
    pub matching: Option<Match>,
    /// The branch, if the match has branches.
    pub branch: Option<u32>,
    /// The relation.
    pub relation: Relation,
}

/// The symbol that each parameter of a rule denotes. Others are numbered from 0, over all types, in the order of their
/// first occurrence. Matches are ordered lexicographically by the order of [`Symbol`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match(pub Vec<Symbol>);

/// An element in an obligation. Different symbols of one type are different elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// An index variable of the invariant's cube.
    Variable(u32),
    /// A named element.
    Named(NamedId),
    /// Another element.
    Other(u32),
}

/// The three ways in which a rule can respect an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The invariant holds after the rule, whatever held before (relation 1).
    HoldsAfter,
    /// The rule does not affect the invariant (relation 2).
    Unaffected,
    /// The guard and the named invariants imply it (relation 3).
    Implied(Argument),
}

/// Why a context is contradictory, given the invariants.
///
/// The premises are used in order. A premise is an instance of the cube, without universal parts, of an invariant or
/// axiom. The literals that the context contains are removed from it. If none remains, the context becomes
/// contradictory, and the argument ends. If one remains, its negation joins the context, which may become
/// contradictory; then the argument ends. If the context contains that negation already, the premise adds nothing,
/// which is a fault. If more than one remain, the premise is a fault. A premise or a split after the end is a fault
/// (also in a case that is contradictory from the start), and so is an argument without a split that does not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The instances, in order.
    pub premises: Vec<Instance>,
    /// The case split that ends the argument if the premises do not.
    pub split: Option<Box<Split>>,
}

/// An invariant under a substitution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The invariant, or, behind the last invariant, the cube of an axiom.
    pub invariant: InvariantId,
    /// A symbol for each variable of its cube: pairwise distinct, and none of them [`Symbol::Named`].
    pub substitution: Vec<Symbol>,
}

/// A case split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// What the cases distinguish.
    pub on: SplitOn,
    /// One argument for each case. An element that is none of the symbols of the obligation becomes the next `Other`,
    /// in its case only, and everything that is known for all elements is instantiated over it, too.
    pub cases: Vec<Argument>,
}

/// What the cases of a split distinguish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SplitOn {
    /// The value of a state variable at symbols. The cases are the constants of the sort in order; then, for each index
    /// type of the sort, the symbols of the obligation of that type in the order of [`Symbol`], and last an element
    /// that is none of them.
    Value(VariableId, Vec<Symbol>),
    /// The witness that an invariant promises: the context contains all of its literals, so that one of its universal
    /// parts is violated. The cases are, for each universal part, the choices of its elements: each is a symbol of
    /// the obligation in the order of [`Symbol`], but no named one and none that denotes a variable of the cube or an
    /// earlier element, or last an element that is none of them. In each case the literals of the part are false.
    Witness(Instance),
    /// Whether a number is at most another one, or 0 for `None`, plus a number. In the first case it is, and in the
    /// second it is not.
    Bound(Read, Option<Read>, i64),
}

/// The types of the symbols of an obligation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolTypes {
    /// For each variable of the invariant.
    pub variables: Vec<IndexTypeId>,
    /// For each other element.
    pub others: Vec<IndexTypeId>,
}
