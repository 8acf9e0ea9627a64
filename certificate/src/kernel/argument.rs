//! The steps of an argument: premises and case splits.
//!
//! The certificate names every step, so that nothing is searched for. The definition is that of [`Argument`].

use system::{Comparison, Cube, NUMBER_LIMIT, Sort};

use super::Invariants;
use super::context::Context;
use super::fault::{Problem, Refusal, Step};
use super::ground::{CHOICE_LIMIT, Datum, Equation, Read, Side, choices};
use super::proof::{Argument, Instance, Split, SplitOn, Symbol};

/// Splits nested deeper than this are refused, so that recursion over them is bounded.
pub const SPLIT_LIMIT: usize = 32;

/// Replays an argument; `splits` is how deep its splits may be nested.
///
/// The premises are used in order, then the split. An argument with a wrong step is not followed further.
///
/// # Errors
/// The first problem with the argument.
pub(super) fn replay(
    mut context: Context<'_>,
    argument: &Argument,
    invariants: &Invariants<'_>,
    splits: usize,
) -> Result<(), Problem> {
    for (number, premise) in (0..).zip(&argument.premises) {
        let _ = use_premise(&mut context, premise, invariants).map_err(within(Step::Premise(number)))?;
    }
    match (&argument.split, context.is_contradictory()) {
        (None, true) => Ok(()),
        (None, false) => Err(Problem::Unfinished),
        (Some(_), true) => Err(Problem::BehindEnd),
        (Some(split), false) => {
            let splits = splits.checked_sub(1).ok_or(Problem::TooDeep)?;
            for (number, ((case, _), argument)) in
                (0..).zip(cases(&context, split, invariants)?.into_iter().zip(&split.cases))
            {
                replay(case, argument, invariants, splits).map_err(within(Step::Case(number)))?;
            }
            Ok(())
        }
    }
}

/// A problem that is found after a step.
fn within(at: Step) -> impl Fn(Problem) -> Problem {
    move |problem| Problem::Within { at, problem: Box::new(problem) }
}

/// Uses one instance of an invariant, and returns what joins the context.
///
/// The context contains all of its literals, which is a contradiction, or all but one, whose negation joins the
/// context.
///
/// # Errors
/// The problem with the premise.
pub fn use_premise(
    context: &mut Context<'_>,
    premise: &Instance,
    invariants: &Invariants<'_>,
) -> Result<Equation, Problem> {
    if context.is_contradictory() {
        return Err(Problem::BehindEnd);
    }
    let (cube, literals) = remaining(context, premise, invariants)?;
    let invariant = premise.invariant;
    if !cube.universals.is_empty() {
        return Err(Problem::NeedsWitness { invariant });
    }
    let new = match literals.as_slice() {
        [] => Equation::False,
        [only] if context.knows(only).is_none() => context.ground().negation(only),
        [_] => return Err(Problem::Useless { invariant }),
        _ => return Err(Problem::Remaining { invariant, literals }),
    };
    context.assume(&new);
    Ok(new)
}

/// The cube of an instance, and those of its literals that the context does not contain.
///
/// The substitution has to give each variable of the cube a symbol of its type, all distinct and none of them named.
fn remaining<'i>(
    context: &Context<'_>,
    instance: &Instance,
    invariants: &Invariants<'i>,
) -> Result<(&'i Cube, Vec<Equation>), Problem> {
    let invariant = instance.invariant;
    let cube = invariants.get(invariant.index()).ok_or(Problem::NoSuchInvariant(invariant))?;
    let cube = cube.ok_or(Problem::UnusableInvariant(invariant))?;
    let (ground, symbols) = (context.ground(), &instance.substitution);
    let mut earlier = symbols.iter().enumerate().map(|(position, symbol)| symbol.is_free(&symbols[..position]));
    if !ground.have_types(symbols, &cube.variables) || !earlier.all(|is_free| is_free) {
        return Err(Problem::Substitution { invariant, symbols: symbols.clone() });
    }
    let mut literals = ground.literals(&cube.literals, symbols)?;
    literals.retain(|literal| context.knows(literal) != Some(true));
    Ok((cube, literals))
}

/// A case of a split: the context with the equations that the case adds, and these equations.
pub type Case<'a> = (Context<'a>, Vec<Equation>);

/// The cases of a split, as [`SplitOn`] lists them.
///
/// # Errors
/// The problem with the split: its read is not well-typed, its instance promises no witness, or it does not have one
/// argument for each case.
pub fn cases<'a>(context: &Context<'a>, split: &Split, invariants: &Invariants<'_>) -> Result<Vec<Case<'a>>, Problem> {
    let cases = match &split.on {
        SplitOn::Value(variable, arguments) => {
            let read = Read { variable: *variable, arguments: arguments.clone() };
            well_typed(context, &read, false)?;
            values(context, &read)?
        }
        SplitOn::Bound(left, right, sum) => {
            [left].into_iter().chain(right).try_for_each(|read| well_typed(context, read, true))?;
            if sum.unsigned_abs() > NUMBER_LIMIT.unsigned_abs() {
                return Err(Problem::BadSplit { variable: left.variable });
            }
            let (left, right) = (Side::Read(left.clone()), right.clone().map_or(Side::Datum(Datum::Zero), Side::Read));
            let case = |comparison| context.ground().comparison(left.clone(), comparison, right.clone());
            let holds = Comparison::AtMost(*sum);
            [holds, holds.negated()].map(|comparison| (context.clone(), vec![case(comparison)])).into()
        }
        SplitOn::Witness(instance) => match remaining(context, instance, invariants)? {
            (cube, literals) if literals.is_empty() && !cube.universals.is_empty() => {
                witnesses(context, cube, &instance.substitution)?
            }
            (_, literals) => return Err(Problem::NoWitness { invariant: instance.invariant, literals }),
        },
    };
    if cases.len() != split.cases.len() {
        return Err(Problem::Cases { due: cases.len(), found: split.cases.len() });
    }
    Ok(cases.into_iter().map(|(case, equations)| (case.with_all(&equations), equations)).collect())
}

/// A split is on a state variable at symbols of its argument types, and on a number if and only if it is on a bound.
fn well_typed(context: &Context<'_>, read: &Read, is_number: bool) -> Result<(), Problem> {
    let ground = context.ground();
    let declared = ground.system.variables.get(read.variable.index());
    let typed = declared.is_some_and(|declared| ground.have_types(&read.arguments, &declared.arguments));
    if typed && ground.sort(read).numbers.is_some() == is_number {
        return Ok(());
    }
    Err(Problem::BadSplit { variable: read.variable })
}

/// The choices of elements that violate a universal part of a cube, each with the negations of its literals.
pub(crate) fn witnesses<'a>(
    context: &Context<'a>,
    cube: &Cube,
    substitution: &[Symbol],
) -> Result<Vec<Case<'a>>, Refusal> {
    let mut all = Vec::new();
    for universal in &cube.universals {
        let first = (context.clone(), substitution.to_vec());
        let chosen = choices(&universal.variables, CHOICE_LIMIT, first, |(context, symbols), index_type| {
            let free = context.elements(index_type)?.into_iter().filter(|(_, other)| other.is_free(symbols));
            Ok(free.map(|(context, other)| (context, [symbols.as_slice(), &[other]].concat())).collect())
        })?;
        for (context, symbols) in chosen {
            let literals = context.ground().literals(&universal.literals, &symbols)?;
            let negations = literals.iter().map(|literal| context.ground().negation(literal)).collect();
            all.push((context, negations));
        }
    }
    Ok(all)
}

/// The values of a read, each with a context that knows the value as a symbol.
fn values<'a>(context: &Context<'a>, read: &Read) -> Result<Vec<Case<'a>>, Refusal> {
    let case = |(context, datum): (Context<'a>, Datum)| {
        let equation = context.ground().comparison(Side::Read(read.clone()), Comparison::Equal, Side::Datum(datum));
        (context, vec![equation])
    };
    let Sort { index_types, constants, .. } = context.ground().sort(read);
    let constants = constants.iter().map(|constant| (context.clone(), Datum::Constant(*constant)));
    let mut all: Vec<_> = constants.map(case).collect();
    for index_type in index_types {
        let elements = context.elements(*index_type)?.into_iter();
        all.extend(elements.map(|(context, symbol)| case((context, Datum::Element(symbol)))));
    }
    Ok(all)
}
