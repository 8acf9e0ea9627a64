//! The content of a certificate: what the search delivers and the checker replays.
//!
//! These are the types in memory; the wire format is defined apart from them. A certificate speaks about one
//! [`system::System`], by position. Definitions follow section 6 of the design and, for the three relations, Li, Duan
//! and Lv, "An automatic proving approach to parameterized verification", 2018, definition of `invHoldRule`.
//!
//! # Obligations
//! For a rule, an invariant (a [`Cube`] `C` read as "no state satisfies it") and a [`Match`], every index term of
//! the rule's parameters and of `C` denotes a [`Symbol`], and distinct symbols denote distinct elements. Hence equations
//! are put into normal form, or decided: a read of a sort with one value only is replaced by that value; two data are
//! equal where they are the same constant or symbol; a read is never a datum outside of its sort; a read equals itself;
//! two reads whose sorts have no value in common differ; what remains is open, with the lesser read on the left,
//! and where the sort of a read has exactly two constants and no index type, an inequation with one is written as the
//! equation with the other. An open equation or inequation is a *fact*.
//!
//! 1. Where the rule has no update of a state variable that `C` reads, there is one obligation for the pair, with no match
//!    and no branch; its relation is [`Relation::Unaffected`].
//! 2. Otherwise there is one match after the other. An update *keeps* a read where its value, with the update's
//!    arguments := arguments of the read and parameters := symbols, comes down to that read itself by following
//!    conditions that are decided (part by part, `and` and `or` three-valued, an open fact being unknown).
//!    Where all reads of `C` are kept or not updated, there is one obligation for the match, without
//!    a branch, with relation `Unaffected`.
//! 3. Otherwise the *after-formula* of a literal replaces each read by the value that the update gives it: a disjunction
//!    over the leaves of the conditional value, each with the conditions on its path (the first case, under the condition,
//!    before the second, under its negation; the left side before the right side). A leaf `Arbitrary` makes the
//!    literal true, and where it is on the left, the right side is not looked at.
//!    The conjunction of the guard without its `Forall`s and of all after-formulas (in the order of the
//!    literals) is put into disjunctive normal form, depth first, left to right, where a disjunct is dropped as soon
//!    as two of its facts are complementary, or equate one read with two different data, or an equation in it is decided
//!    false. The disjuncts that remain, as sets of facts with their sequence of `Forall`s,
//!    without duplicates (the first stays), are the *branches*, numbered from 0. Where none remains, there is one
//!    obligation for the match, without a branch, with relation [`Relation::HoldsAfter`].
//! 4. In a branch, the *context* is its facts, and the instances of its `Forall`s over all symbols of the
//!    obligation (invariant variables, named elements, others) of the variable's type, as formulas over facts (a `Forall`
//!    within a `Forall` is the conjunction of its instances). `Forall`s below an `Or` belong to their disjunct.
//!    The context is closed under *equality* (equal reads form classes, congruence is trivial since the
//!    arguments of reads are symbols; a class has one value at most, which belongs to the sorts of all its reads; of classes
//!    that differ, neither has the other's value; where all constants but one of the sort of a read without index types
//!    are excluded from its class, the class has that one, and where all are excluded, there is a contradiction) and
//!    *unit propagation* over the instances: a formula that the facts make false (part by part) is a
//!    contradiction; from a conjunction follow its parts; from a disjunction whose parts but one are false, that one; from a
//!    fact itself. Then the relation is `HoldsAfter` if
//!    the context is contradictory, else `Unaffected` if it contains every literal of `C`, else
//!    [`Relation::Implied`].

use system::{Cube, IndexTypeId, NamedId, PropertyId, RuleId, StartstateId, VariableId};

/// Position in [`Certificate::invariants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvariantId(pub u32);

impl InvariantId {
    /// The position in the table of invariants.
    #[must_use]
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Everything that is needed to replay a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// SHA-256 of the model's text, in hexadecimal.
    pub model_digest: String,
    /// Which settings the model was lowered with: constants and choices of index types, as `NAME=VALUE`, sorted.
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
    /// Where it comes from.
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

/// Why an invariant holds in the states of a startstate. Matches and branches are those of rules. No value of a
/// startstate reads a state variable, so that all equations are decided, and the only thing to say is that no branch
/// remains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialEntry {
    /// The startstate.
    pub startstate: StartstateId,
    /// The invariant.
    pub invariant: InvariantId,
    /// Which parameters of the startstate are which symbols.
    pub matching: Match,
}

/// One obligation and how it is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationEntry {
    /// The rule.
    pub rule: RuleId,
    /// The invariant.
    pub invariant: InvariantId,
    /// The match, where the rule writes something that the invariant reads.
    pub matching: Option<Match>,
    /// The branch, where the match has branches.
    pub branch: Option<u32>,
    /// The relation.
    pub relation: Relation,
}

/// For each parameter of a rule, the symbol that it is. Others are numbered from 0, over all types, in order of their
/// first occurrence. Matches are ordered lexicographically by the order of [`Symbol`] restricted to the parameter's type.
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
    /// The rule leaves the truth of the invariant unchanged (relation 2).
    Unaffected,
    /// The guard and the named invariants imply it (relation 3).
    Implied(Argument),
}

/// Why a context is contradictory, given the invariants.
///
/// The premises are used in order. A premise is an instance of an invariant's cube: of its literals, those that
/// the context contains are removed; if none remains, the argument ends here; if one remains, its negation joins
/// the context (which may become contradictory, and then the argument ends here), unless the context contains that
/// negation already: a premise that says nothing new is a fault; if more remain, the premise is
/// a fault. A premise or a split behind the end is a fault (also in a case that is contradictory at once), and so is an
/// end without a contradiction where there is no split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The instances, in order.
    pub premises: Vec<Instance>,
    /// The case split that ends the argument where the premises do not.
    pub split: Option<Box<Split>>,
}

/// An invariant under a substitution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The invariant.
    pub invariant: InvariantId,
    /// For each variable of its cube, a symbol: pairwise distinct, and none of them [`Symbol::Named`].
    pub substitution: Vec<Symbol>,
}

/// A case split on the value of a state variable at symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The state variable.
    pub variable: VariableId,
    /// Its arguments.
    pub arguments: Vec<Symbol>,
    /// One argument for each value: the constants of the sort in order; then, for each index type of the sort,
    /// the symbols of the obligation of that type in the order of [`Symbol`], and last an element that is none of
    /// them, which becomes the next `Other` in that case only; there the guard's `Forall`s are instantiated over it too.
    pub cases: Vec<Argument>,
}

/// The types of the symbols of an obligation: of the invariant's variables and of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolTypes {
    /// For each variable of the invariant.
    pub variables: Vec<IndexTypeId>,
    /// For each other element.
    pub others: Vec<IndexTypeId>,
}
