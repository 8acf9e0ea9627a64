//! The kernel: everything that the acceptance of a certificate depends on, and nothing else.
//!
//! Read this page first. It defines the obligations of a proof, and then the three relations that discharge them.
//! [`proof`] has the types of a certificate, [`accept`] compares its entries with the obligations, and the other files
//! are the parts: [`ground`] terms over symbols, [`clause`] formulas over them, [`closure`] equality, [`bounds`]
//! numbers, [`context`] what is known in a branch, [`branches`] disjunctive normal forms, [`obligations`] their list,
//! [`argument`] the steps of an argument, and `property_check` the cubes of properties and axioms.
//!
//! The kernel uses the crate `system` for the types of a system, with the negation, mirror image and meaning of a
//! [`Comparison`](system::Comparison), and for its well-formedness, and nothing else of this project: neither the file
//! format, nor reports, nor threads, which are around it. Its ground terms, closures, normal forms and list of
//! obligations exist elsewhere in the project, too. The copies here are on purpose. A checker that shared them with the
//! search would accept what both get wrong in the same way. Do not merge them. What the format demands for other
//! reasons, such as the order of entries, is checked in `format/canonical.rs`.
//!
//! # Cubes and axioms
//! A cube says that there are elements for its variables, pairwise distinct and distinct from all named elements, for
//! which all of its literals and all of its *universal parts* hold. A universal part holds if for all elements for its
//! own variables, pairwise distinct and distinct from the variables of the cube and from all named elements, at least
//! one of its literals does. An *axiom* is an assumption about every state: only executions all of whose states satisfy
//! it are considered. Its cubes are premises numbered behind the invariants, which have no obligations;
//! `property_check` makes sure that the formula of the axiom excludes them.
//!
//! # Obligations
//! For a rule, an invariant (a [`Cube`] `C`, read as "no state satisfies it") and a [`Match`], every index term of
//! the rule's parameters and of `C` denotes a [`Symbol`](proof::Symbol), and distinct symbols denote distinct
//! elements. Hence every equation is decided, or has a normal form. A read of a sort with only one value is replaced
//! by that value. Two data are equal if they are the same constant or symbol. A read is never a datum outside of its
//! sort. A read equals itself. Two reads whose sorts have no value in common differ. What remains is open, with the
//! lesser read on the left; if the sort of a read has exactly two constants and no index type, an inequation with one
//! is written as the equation with the other. Numbers are the integers, and are compared by *bounds* only:
//! `x <= y + c` or `x >= y + c`, where `c` is at most 2^40. A bound whose sides are the same is decided; otherwise a
//! read is on the left, the lesser one of two, and 0 only on the right. The negation of `x <= y + c` is
//! `x >= y + c + 1`. An open equation, inequation or bound is a *fact*.
//!
//! 1. If the rule updates no state variable that `C` reads, in its universal parts included, the pair has one
//!    obligation, with no match and no branch. Its relation is [`Relation::Unaffected`].
//! 2. Otherwise the obligations are those of each match in turn. An update *keeps* a read if its value, with the
//!    update's arguments replaced by those of the read and the parameters by their symbols, reduces to that same read
//!    by following conditions that are decided (part by part, with three-valued `and` and `or`; an open fact is
//!    unknown). A sum is not the read, even if 0 is added. If every read in the literals of `C` is kept or not
//!    updated, and no state variable that a universal part reads is updated, the match has one obligation, without a
//!    branch. Its relation is `Unaffected`.
//! 3. Otherwise the *after-formula* of a literal replaces each read by the value that the update gives it: it is a
//!    disjunction over the leaves of the conditional value, each with the conditions on its path (the first case,
//!    under the condition, before the second, under its negation; the left side before the right side). A leaf
//!    `Arbitrary` makes the literal true; if it is on the left, the right side is not considered. A leaf may be a sum:
//!    for the bound `x <= y + c`, and the values `s + a` and `t + b` of the sides, the formula is `s <= t + (c + b -
//!    a)`. The conjunction of the guard without its `Forall`s and of all after-formulas, in the order of the literals,
//!    is put into disjunctive normal form, depth first, from left to right. A disjunct is dropped as soon as two of
//!    its facts are complementary, or equate one read with two different data, or one of its equations is decided
//!    false. The remaining disjuncts, as sets of facts with their sequence of `Forall`s and without duplicates (the
//!    first is kept), are the *branches*, numbered from 0. If there is none, the match has one obligation, without a
//!    branch. Its relation is [`Relation::HoldsAfter`].
//! 4. Otherwise each branch is an obligation. Its *context* is its facts, and the instances of its `Forall`s over all
//!    symbols of the obligation of the variable's type (invariant variables, named elements, others) as formulas over
//!    facts. A `Forall` within a `Forall` is the conjunction of its instances; a `Forall` below an `Or` belongs to its
//!    disjunct. `C` holds after the rule, so that there is one more formula for each universal part, and for each
//!    choice of distinct symbols for its variables that are neither named nor variables of `C`: the disjunction of the
//!    after-formulas of its literals. The context is closed under *equality* (equal reads form classes, and congruence
//!    is trivial since the arguments of reads are symbols; a class has at most one value, which belongs to the sorts
//!    of all its reads; if two classes differ, neither has the value of the other; if all constants but one of the
//!    sort of a read without index types are excluded from its class, the class has that one, and if all are excluded,
//!    there is a contradiction), under *addition* (bounds `x <= y + a` and `y <= z + b` imply `x <= z + a + b` and all
//!    weaker bounds of `x` by `z`; that a number is less than itself is a contradiction), and under *unit propagation*
//!    over the instances (a formula that the facts make false, part by part, is a contradiction; a conjunction implies
//!    its parts; a disjunction in which all parts but one are false implies that one; a fact implies itself). The
//!    relation is the first of the three below that applies.
//!
//! For a startstate and an invariant, points 1 and 2 are left out, and the context of each branch has to be
//! contradictory. (State variables that nothing updates have any value and keep it, so that they occur in facts.) For
//! a cube of a property, the context is the cube itself, and the argument has to end in a contradiction.
//!
//! An invariant with universal parts is no premise: its negation promises elements that violate one of them. A split on
//! this *witness* has a case for each universal part and each way in which its elements can be symbols of the
//! obligation or new ones ([`SplitOn::Witness`](proof::SplitOn)). All formulas above are instantiated over new elements
//! as well.

pub mod accept;
pub mod argument;
pub mod bounds;
pub mod branches;
pub mod clause;
pub mod closure;
pub mod context;
pub mod fault;
pub mod ground;
pub mod obligations;
pub mod proof;
mod property_check;

use system::Cube;

use argument::SPLIT_LIMIT;
use context::Context;
use fault::{Kind, Problem};
use proof::{Argument, Match, Relation, SymbolTypes};

/// One thing to show about a rule and a cube.
#[derive(Clone, Debug)]
pub struct Obligation<'a> {
    /// The cube.
    pub cube: &'a Cube,
    /// The match, if the rule updates a state variable that the cube reads.
    pub matching: Option<Match>,
    /// The number of the branch, if the match has branches.
    pub branch: Option<u32>,
    /// The types of the symbols.
    pub symbols: SymbolTypes,
    /// What there is to start from.
    pub situation: Situation<'a>,
}

/// What an obligation starts from.
#[derive(Clone, Debug)]
pub enum Situation<'a> {
    /// Every read of the cube keeps its value: the rule updates no state variable that the cube reads, or, under the
    /// match, none of the reads.
    Unchanged,
    /// The guard and the after-formulas have no branch.
    NoBranch,
    /// The context of one branch of the guard and the after-formulas.
    Branch(Box<Context<'a>>),
}

/// The cubes of a certificate's invariants; `None` for one that is not well-formed.
pub type Invariants<'a> = [Option<&'a Cube>];

/// Checks the relation that the certificate gives for an obligation.
///
/// # Errors
/// If it is not the first that applies, or its argument has a problem.
pub fn check_relation(own: &Obligation<'_>, found: &Relation, invariants: &Invariants<'_>) -> Result<(), Problem> {
    let due = due_kind(own);
    match (found, &own.situation) {
        (found, _) if Kind::of(found) != due => Err(Problem::Kind { due, found: Kind::of(found) }),
        (Relation::Implied(argument), Situation::Branch(context)) => implied(context, argument, invariants),
        (Relation::Implied(_), _) => Err(Problem::Unfinished),
        (Relation::HoldsAfter | Relation::Unaffected, _) => Ok(()),
    }
}

/// The kind of the first relation that applies.
///
/// The definitions are those of Li, Duan and Lv, "An automatic proving approach to parameterized verification", 2018: a
/// rule with guard `g` and action `S` respects an invariant `f` if `invHoldRule1`, `invHoldRule2` or `invHoldRule3`
/// holds. Here `f` is the negation of a cube `C`, and a branch is a disjunct of `g` and `C` after `S`.
///
/// Relation 1, `invHoldRule1`: the invariant holds after the rule, whatever held before. In the paper, `g` implies `f`
/// after `S` in every state. So `g` and `C` after `S` contradict each other: either no disjunct remains, or the context
/// of this one is contradictory.
///
/// Relation 2, `invHoldRule2`: the rule does not affect the invariant. In the paper, `f` after `S` is true in exactly
/// the states in which `f` is. A proof needs one half of that: if `f` is violated after `S`, it is violated before.
/// Either the rule updates nothing that the cube reads, or each read of the cube keeps its value, or, in a branch, the
/// context contains every literal of the cube, and the rule updates nothing that a universal part reads.
///
/// Relation 3, `invHoldRule3`, is what remains: see [`Argument`].
pub fn due_kind(obligation: &Obligation<'_>) -> Kind {
    match &obligation.situation {
        Situation::NoBranch => Kind::HoldsAfter,
        Situation::Unchanged => Kind::Unaffected,
        Situation::Branch(context) if context.is_contradictory() => Kind::HoldsAfter,
        Situation::Branch(context) if context.satisfies_cube() => Kind::Unaffected,
        Situation::Branch(_) => Kind::Implied,
    }
}

/// Relation 3, `invHoldRule3`: the guard and other invariants imply the invariant after the rule.
///
/// In the paper, for some invariant `h`, `h` and `g` imply `f` after `S`. Here `h` is the conjunction of the instances
/// that the certificate names. Used in order, they make the context of the branch contradictory; see [`Argument`].
///
/// # Errors
/// The first problem with the argument.
pub(crate) fn implied(context: &Context<'_>, argument: &Argument, invariants: &Invariants<'_>) -> Result<(), Problem> {
    argument::replay(context.clone(), argument, invariants, SPLIT_LIMIT)
}
