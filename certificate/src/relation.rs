//! The three relations of a rule and an invariant, and the argument of the third.
//!
//! In: an obligation, its context, and what the certificate says. Out: the problems with it. The definitions are those of
//! `invHoldRule` in Li, Duan and Lv, "An automatic proving approach to parameterized verification", 2018: a rule with
//! guard `g` and action `S` respects an invariant `f` where (1) `g` implies `f` after `S`, (2) `f` after `S` is `f`,
//! or (3) some invariant, with `g`, implies `f` after `S`. Here `f` is the negation of a cube `C`, and a branch is a
//! disjunct of `g` and `C` after `S`. Nothing is searched for: each step is named by the certificate.

use system::{Cube, Sort};

use crate::closure::Known;
use crate::context::Context;
use crate::explain::{Used, What};
use crate::fault::{Kind, Problem, Refusal, Step};
use crate::ground::{Datum, Ground, Made, Read, Side, variables};
use crate::obligations::{Obligation, Situation};
use crate::proof::{Argument, Instance, Relation, Split, Symbol};

/// Splits nested deeper than this are refused, so that recursion over them is bounded.
const SPLIT_LIMIT: usize = 32;

/// The invariants of a certificate; `None` where the cube is not well-formed.
pub(crate) type Invariants<'a> = [Option<&'a Cube>];

/// Checks the relation that the certificate gives for an obligation.
pub(crate) fn check_relation(
    obligation: &Obligation<'_>,
    found: &Relation,
    invariants: &Invariants<'_>,
) -> Vec<Problem> {
    let due = due_kind(obligation);
    match (found, &obligation.situation) {
        (found, _) if Kind::of(found) != due => vec![Problem::Kind { due, found: Kind::of(found) }],
        (Relation::Implied(argument), Situation::Branch(_, context)) => implied(context, argument, invariants),
        (Relation::Implied(_), _) => vec![Problem::Unfinished],
        (Relation::HoldsAfter | Relation::Unaffected, _) => Vec::new(),
    }
}

/// The one kind that is right.
pub(crate) fn due_kind(obligation: &Obligation<'_>) -> Kind {
    if holds_after(obligation) {
        Kind::HoldsAfter
    } else if unaffected(obligation) {
        Kind::Unaffected
    } else {
        Kind::Implied
    }
}

/// Relation 1: the invariant holds after the rule, whatever held before.
///
/// The paper: `g` implies `f` after `S`, in every state. So `g` and `C` after `S` contradict each other: either no disjunct
/// remains, or the context of this one is contradictory.
fn holds_after(obligation: &Obligation<'_>) -> bool {
    match &obligation.situation {
        Situation::NoBranch => true,
        Situation::Apart | Situation::Unchanged => false,
        Situation::Branch(_, context) => context.is_contradictory(),
    }
}

/// Relation 2: the rule leaves the truth of the invariant unchanged.
///
/// The paper: `f` after `S` is true in a state exactly if `f` is. What is needed of it is that where `f` is violated after `S`, it is
/// violated before: either the rule writes nothing that the cube reads, or each read of the cube keeps its value, or, in
/// a branch, the cube holds before the rule already: the context knows each of its literals.
fn unaffected(obligation: &Obligation<'_>) -> bool {
    match &obligation.situation {
        Situation::NoBranch => false,
        Situation::Apart | Situation::Unchanged => true,
        Situation::Branch(_, context) => {
            let literals = context.ground().instance(obligation.cube, &variables(obligation.cube));
            literals.is_ok_and(|literals| literals.iter().all(|made| context.knows(made) == Known::True))
        }
    }
}

/// Relation 3: the guard and the named invariants imply the invariant afterwards.
///
/// The paper: for some invariant `h`, `h` and `g` imply `f` after `S`. Here `h` is the conjunction of the instances that the
/// certificate names. With `g` and `C` after `S` they contradict each other: used in order, they make the context of the
/// branch contradictory; see [`Argument`].
pub(crate) fn implied(context: &Context<'_>, argument: &Argument, invariants: &Invariants<'_>) -> Vec<Problem> {
    replay(context, argument, invariants, &mut |_| {})
}

/// Replays an argument: the problems with it. What each premise and case does is told to `watch`.
pub(crate) fn replay(
    context: &Context<'_>,
    argument: &Argument,
    invariants: &Invariants<'_>,
    watch: &mut dyn FnMut(Used),
) -> Vec<Problem> {
    let mut replay = Replay { invariants, at: Vec::new(), problems: Vec::new(), watch };
    replay.argument(context.clone(), argument);
    replay.problems
}

/// An argument under way.
struct Replay<'i> {
    invariants: &'i Invariants<'i>,
    /// Where in the argument we are.
    at: Vec<Step>,
    problems: Vec<Problem>,
    watch: &'i mut dyn FnMut(Used),
}

impl Replay<'_> {
    /// The premises in order, then the split. An argument that has gone wrong is not followed further.
    fn argument(&mut self, mut context: Context<'_>, argument: &Argument) {
        for (number, premise) in (0..).zip(&argument.premises) {
            self.at.push(Step::Premise(number));
            let good = self.premise(&mut context, premise).map_err(|problem| self.fault(problem)).is_ok();
            self.at.pop();
            if !good {
                return;
            }
        }
        match (&argument.split, context.is_contradictory()) {
            (None, true) => {}
            (None, false) => self.fault(Problem::Unfinished),
            (Some(_), true) => self.fault(Problem::BehindEnd),
            (Some(split), false) => {
                if let Err(problem) = self.split(&context, split) {
                    self.fault(problem);
                }
            }
        }
    }

    fn fault(&mut self, problem: Problem) {
        let at = self.at.clone();
        self.problems.push(if at.is_empty() { problem } else { Problem::Within { at, problem: Box::new(problem) } });
    }

    /// One instance of an invariant: all its literals but one at most are known, and that one is new. Where all are
    /// known, that is the contradiction.
    fn premise(&mut self, context: &mut Context<'_>, premise: &Instance) -> Result<(), Problem> {
        if context.is_contradictory() {
            return Err(Problem::BehindEnd);
        }
        let invariant = premise.invariant;
        let cube = self.invariants.get(invariant.index()).ok_or(Problem::NoSuchInvariant(invariant))?;
        let cube = cube.ok_or(Problem::UnusableInvariant(invariant))?;
        substitution(context.ground(), cube, premise)?;
        let literals = context.ground().instance(cube, &premise.substitution).map_err(Problem::Refused)?;
        let (known, open): (Vec<Made>, Vec<Made>) =
            literals.into_iter().partition(|made| context.knows(made) == Known::True);
        let new = match open.as_slice() {
            [] => Made::False,
            [Made::Open(fact)] if context.knows(&open[0]) == Known::Open => context.ground().negation(fact),
            [_] => return Err(Problem::Useless { invariant }),
            _ => return Err(Problem::Remaining { invariant, literals: open }),
        };
        context.assume(&new);
        self.tell(What::Premise { instance: premise.clone(), known, new }, context);
        Ok(())
    }

    /// A case split: one argument for each value that the read can have.
    fn split(&mut self, context: &Context<'_>, split: &Split) -> Result<(), Problem> {
        let read = split_read(context.ground(), split)?;
        if self.at.len() >= SPLIT_LIMIT {
            return Err(Problem::TooDeep);
        }
        let cases = split_cases(context, &read).map_err(Problem::Refused)?;
        if cases.len() != split.cases.len() {
            return Err(Problem::Cases { due: cases.len(), found: split.cases.len() });
        }
        for ((number, (mut case, datum)), argument) in (0..).zip(cases).zip(&split.cases) {
            let made = case.ground().equation(Side::Read(read.clone()), true, Side::Datum(datum));
            case.assume(&made);
            self.at.push(Step::Case(number));
            self.tell(What::Case(made), &case);
            self.argument(case, argument);
            self.at.pop();
        }
        Ok(())
    }

    fn tell(&mut self, what: What, context: &Context<'_>) {
        (self.watch)(Used { at: self.at.clone(), what, ends: context.is_contradictory() });
    }
}

/// The cases of a split, each with its context before the equation joins it.
///
/// The constants of the sort in order; then, for each index type of the sort, the symbols of that type, and last an element
/// that is none of them.
fn split_cases<'a>(context: &Context<'a>, read: &Read) -> Result<Vec<(Context<'a>, Datum)>, Refusal> {
    let Sort { index_types, constants, .. } = context.ground().sort(read);
    let constants = constants.iter().map(|constant| (context.clone(), Datum::Constant(*constant)));
    let mut cases: Vec<_> = constants.collect();
    for index_type in index_types {
        let symbols = context.ground().symbols_of(*index_type);
        cases.extend(symbols.into_iter().map(|symbol| (context.clone(), Datum::Element(symbol))));
        let mut wider = context.clone();
        let fresh = wider.with_fresh(*index_type)?;
        cases.push((wider, Datum::Element(fresh)));
    }
    Ok(cases)
}

/// The read that is split on: it has to be well-typed.
fn split_read(ground: Ground<'_>, split: &Split) -> Result<Read, Problem> {
    let variable = ground.system.variables.get(split.variable.index());
    let types: Option<Vec<_>> = split.arguments.iter().map(|symbol| ground.type_of(*symbol)).collect();
    match (variable, types) {
        (Some(variable), Some(types)) if types == variable.arguments => {
            Ok(Read { variable: split.variable, arguments: split.arguments.clone() })
        }
        _ => Err(Problem::BadSplit { variable: split.variable }),
    }
}

/// A substitution has to give each variable of the cube a symbol of its type, all of them different and none of them named.
fn substitution(ground: Ground<'_>, cube: &Cube, premise: &Instance) -> Result<(), Problem> {
    let Instance { invariant, substitution } = premise;
    let invariant = *invariant;
    if substitution.len() != cube.variables.len() {
        return Err(Problem::Arity { invariant, due: cube.variables.len(), found: substitution.len() });
    }
    for (position, (&symbol, index_type)) in substitution.iter().zip(&cube.variables).enumerate() {
        if matches!(symbol, Symbol::Named(_)) {
            return Err(Problem::NamedSymbol { invariant, symbol });
        }
        match ground.type_of(symbol) {
            None => return Err(Problem::NoSuchSymbol { invariant, symbol }),
            Some(own) if own != *index_type => return Err(Problem::WrongType { invariant, symbol }),
            Some(_) => {}
        }
        if substitution.iter().take(position).any(|earlier| *earlier == symbol) {
            return Err(Problem::NotInjective { invariant, symbol });
        }
    }
    Ok(())
}
