//! The three relations of a rule and an invariant, and the argument of the third.
//!
//! In: an obligation, its context, and what the certificate says. Out: the problems with it. The definitions are those of
//! `invHoldRule` in Li, Duan and Lv, "An automatic proving approach to parameterized verification", 2018: a rule with
//! guard `g` and action `S` respects an invariant `f` where (1) `g` implies `f` after `S`, (2) `f` after `S` is `f`,
//! or (3) some invariant, with `g`, implies `f` after `S`. Here `f` is the negation of a cube `C`, and a branch is a
//! disjunct of `g` and `C` after `S`. Nothing is searched for: each step is named by the certificate.

use protocol::System;
use protocol::system::{Cube, Sort};

use crate::closure::Known;
use crate::context::Context;
use crate::fault::{Kind, Problem, Step};
use crate::ground::{Datum, Ground, Made, Read, Side};
use crate::obligations::{Obligation, Refusal, Situation, Transition};
use crate::proof::{Argument, Instance, Relation, Split, Symbol};

/// Splits nested deeper than this are refused.
const SPLIT_LIMIT: usize = 32;

/// The invariants of a certificate; `None` where the cube is not well-formed.
pub(crate) type Invariants<'a> = [Option<&'a Cube>];

/// Checks the relation that the certificate gives for an obligation.
pub(crate) fn check_relation<'a>(
    system: &'a System,
    transition: &Transition<'a>,
    cube: &Cube,
    obligation: &Obligation<'a>,
    found: &Relation,
    invariants: &Invariants<'_>,
) -> Vec<Problem> {
    let context = match context_of(system, transition, obligation) {
        Ok(context) => context,
        Err(refusal) => return vec![Problem::Refused(refusal)],
    };
    let due = due_kind(system, cube, obligation, context.as_ref());
    match (found, context) {
        (Relation::Implied(argument), Some(context)) if due == Kind::Implied => implied(context, argument, invariants),
        (found, _) if Kind::of(found) == due => Vec::new(),
        (found, _) => vec![Problem::Kind { due, found: Kind::of(found) }],
    }
}

/// The one kind that is right.
pub(crate) fn due_kind(
    system: &System,
    cube: &Cube,
    obligation: &Obligation<'_>,
    context: Option<&Context<'_>>,
) -> Kind {
    if holds_after(obligation, context) {
        Kind::HoldsAfter
    } else if unaffected(system, cube, obligation, context) {
        Kind::Unaffected
    } else {
        Kind::Implied
    }
}

/// Relation 1: the invariant holds after the rule, whatever held before.
///
/// Guard and after-formulas contradict each other: either no disjunct remains, or the context of this one is
/// contradictory.
fn holds_after(obligation: &Obligation<'_>, context: Option<&Context<'_>>) -> bool {
    match &obligation.situation {
        Situation::NoBranch => true,
        Situation::Apart | Situation::Unchanged => false,
        Situation::Branch(_) => context.is_some_and(Context::is_contradictory),
    }
}

/// Relation 2: the rule leaves the truth of the invariant unchanged.
///
/// Either the rule writes nothing that the cube reads, or each read of the cube keeps its value, or, in a branch, the
/// cube holds before the rule already: the context knows each of its literals.
pub(crate) fn unaffected(
    system: &System,
    cube: &Cube,
    obligation: &Obligation<'_>,
    context: Option<&Context<'_>>,
) -> bool {
    let known = |context: &Context<'_>| {
        let ground = Ground { system, symbols: &obligation.symbols };
        let holds = |made: Result<Made, Refusal>| made.is_ok_and(|made| context.knows(&made) == Known::True);
        cube.literals.iter().all(|literal| holds(ground.cube_literal(literal)))
    };
    match &obligation.situation {
        Situation::NoBranch => false,
        Situation::Apart | Situation::Unchanged => true,
        Situation::Branch(_) => context.is_some_and(known),
    }
}

/// Relation 3: the guard and the named invariants imply the invariant afterwards.
///
/// The instances of the invariants, used in order, make the context of the branch contradictory; see [`Argument`].
pub(crate) fn implied(context: Context<'_>, argument: &Argument, invariants: &Invariants<'_>) -> Vec<Problem> {
    replay(context, argument, invariants, None).0
}

/// Replays an argument: the problems with it, and where it is asked for, what each premise did.
pub(crate) fn replay(
    context: Context<'_>,
    argument: &Argument,
    invariants: &Invariants<'_>,
    record: Option<Vec<Used>>,
) -> (Vec<Problem>, Vec<Used>) {
    let mut replay = Replay { invariants, steps: Vec::new(), problems: Vec::new(), record };
    replay.argument(context, argument);
    (replay.problems, replay.record.unwrap_or_default())
}

/// What an instance or a case did to the context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    /// Where in the argument.
    pub(crate) at: Vec<Step>,
    /// The invariant and its literals, or the equation of a case.
    pub(crate) what: What,
    /// Whether the context is contradictory then.
    pub(crate) ends: bool,
}

/// An instance or a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// An instance: the literals that the context knows, and the negation that joins it.
    Premise { instance: Instance, known: Vec<Made>, new: Option<Made> },
    /// A case of a split.
    Case(Made),
}

/// The context of an obligation, where it has one.
pub(crate) fn context_of<'a>(
    system: &'a System,
    transition: &Transition<'a>,
    obligation: &Obligation<'a>,
) -> Result<Option<Context<'a>>, Refusal> {
    match (&obligation.situation, &obligation.matching) {
        (Situation::Branch(branch), Some(matching)) => {
            let environment = transition.environment(matching);
            Context::of_branch(system, &obligation.symbols, transition.scope, environment, branch).map(Some)
        }
        _ => Ok(None),
    }
}

/// An argument under way.
struct Replay<'i> {
    invariants: &'i Invariants<'i>,
    /// Where in the argument we are.
    steps: Vec<Step>,
    problems: Vec<Problem>,
    record: Option<Vec<Used>>,
}

/// What a premise does to the context.
enum Effect {
    /// It makes the context contradictory.
    Ends,
    /// It adds a fact.
    Adds,
    /// It cannot be used.
    Fails,
}

impl Replay<'_> {
    /// The premises in order, then the split. An argument that has gone wrong is not followed further.
    fn argument(&mut self, mut context: Context<'_>, argument: &Argument) {
        let mut ended = context.is_contradictory();
        for (number, premise) in (0..).zip(&argument.premises) {
            self.steps.push(Step::Premise(number));
            let effect = if ended { self.fault(Problem::BehindEnd) } else { self.premise(&mut context, premise) };
            self.steps.pop();
            match effect {
                Effect::Ends => ended = true,
                Effect::Adds => {}
                Effect::Fails => return,
            }
        }
        match (&argument.split, ended) {
            (None, true) => {}
            (None, false) => {
                self.fault(Problem::Unfinished);
            }
            (Some(_), true) => {
                self.fault(Problem::BehindEnd);
            }
            (Some(split), false) => self.split(&context, split),
        }
    }

    /// One instance of an invariant: all its literals but one at most are known, and that one is new.
    fn premise(&mut self, context: &mut Context<'_>, premise: &Instance) -> Effect {
        let Some(cube) = self.invariants.get(premise.invariant.index()) else {
            return self.fault(Problem::NoSuchInvariant(premise.invariant));
        };
        let Some(cube) = cube else {
            return self.fault(Problem::UnusableInvariant(premise.invariant));
        };
        if let Some(problem) = substitution_problem(context.ground(), cube, premise) {
            return self.fault(problem);
        }
        let Ok(literals) = context.instance(cube, &premise.substitution) else {
            return self.fault(Problem::UnusableInvariant(premise.invariant));
        };
        let (known, open): (Vec<Made>, Vec<Made>) =
            literals.into_iter().partition(|made| context.knows(made) == Known::True);
        match open.as_slice() {
            [] => {
                self.used(What::Premise { instance: premise.clone(), known, new: None }, true);
                Effect::Ends
            }
            [Made::Open(fact)] if context.knows(&open[0]) == Known::Open => {
                let negation = context.ground().negation(fact);
                context.assume(&negation);
                let ends = context.is_contradictory();
                self.used(What::Premise { instance: premise.clone(), known, new: Some(negation) }, ends);
                if ends { Effect::Ends } else { Effect::Adds }
            }
            [_] => self.fault(Problem::Useless { invariant: premise.invariant }),
            _ => self.fault(Problem::Remaining { invariant: premise.invariant, literals: open }),
        }
    }

    /// A case split: one argument for each value that the read can have.
    fn split(&mut self, context: &Context<'_>, split: &Split) {
        let Some(read) = split_read(context, split) else {
            self.fault(Problem::BadSplit { variable: split.variable });
            return;
        };
        if self.steps.len() >= SPLIT_LIMIT {
            self.fault(Problem::TooDeep);
            return;
        }
        let cases = match split_cases(context, &read) {
            Ok(cases) => cases,
            Err(refusal) => {
                self.fault(Problem::Refused(refusal));
                return;
            }
        };
        if cases.len() != split.cases.len() {
            self.fault(Problem::Cases { due: cases.len(), found: split.cases.len() });
            return;
        }
        for ((number, (mut case, datum)), argument) in (0..).zip(cases).zip(&split.cases) {
            let made = case.ground().equation(Side::Read(read.clone()), true, Side::Datum(datum));
            case.assume(&made);
            self.steps.push(Step::Case(number));
            self.used(What::Case(made), case.is_contradictory());
            self.argument(case, argument);
            self.steps.pop();
        }
    }

    fn used(&mut self, what: What, ends: bool) {
        if let Some(record) = &mut self.record {
            record.push(Used { at: self.steps.clone(), what, ends });
        }
    }

    fn fault(&mut self, problem: Problem) -> Effect {
        let at = self.steps.clone();
        self.problems.push(if at.is_empty() { problem } else { Problem::Within { at, problem: Box::new(problem) } });
        Effect::Fails
    }
}

/// The cases of a split, each with its context before the equation joins it.
///
/// The constants of the sort in order; then, for each index type of the sort, the symbols of that type, and last an element
/// that is none of them.
fn split_cases<'a>(context: &Context<'a>, read: &Read) -> Result<Vec<(Context<'a>, Datum)>, Refusal> {
    let Sort { index_types, constants, .. } = context.ground().sort(read).clone();
    let mut cases: Vec<_> =
        constants.into_iter().map(|constant| (context.clone(), Datum::Constant(constant))).collect();
    for index_type in index_types {
        for symbol in context.ground().symbols_of(index_type) {
            cases.push((context.clone(), Datum::Element(symbol)));
        }
        let mut wider = context.clone();
        let fresh = wider.with_fresh(index_type)?;
        cases.push((wider, Datum::Element(fresh)));
    }
    Ok(cases)
}

/// The read that is split on, where it is well-typed.
fn split_read(context: &Context<'_>, split: &Split) -> Option<Read> {
    let ground = context.ground();
    let variable = ground.system.variables.get(split.variable.index())?;
    let types: Option<Vec<_>> = split.arguments.iter().map(|symbol| ground.type_of(*symbol)).collect();
    (types? == variable.arguments).then(|| Read { variable: split.variable, arguments: split.arguments.clone() })
}

/// What is wrong with a substitution: it has to give each variable of the cube a symbol of its type, all of them
/// different and none of them named.
fn substitution_problem(ground: Ground<'_>, cube: &Cube, premise: &Instance) -> Option<Problem> {
    let invariant = premise.invariant;
    if premise.substitution.len() != cube.variables.len() {
        let (due, found) = (cube.variables.len(), premise.substitution.len());
        return Some(Problem::Arity { invariant, due, found });
    }
    for (position, (symbol, index_type)) in premise.substitution.iter().zip(&cube.variables).enumerate() {
        let symbol = *symbol;
        if matches!(symbol, Symbol::Named(_)) {
            return Some(Problem::NamedSymbol { invariant, symbol });
        }
        match ground.type_of(symbol) {
            None => return Some(Problem::NoSuchSymbol { invariant, symbol }),
            Some(own) if own != *index_type => return Some(Problem::WrongType { invariant, symbol }),
            Some(_) => {}
        }
        if premise.substitution.iter().take(position).any(|earlier| *earlier == symbol) {
            return Some(Problem::NotInjective { invariant, symbol });
        }
    }
    None
}
