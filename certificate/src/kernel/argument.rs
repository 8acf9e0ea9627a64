//! The steps of an argument: premises and case splits.
//!
//! The certificate names every step, so that nothing is searched for. The definition is that of [`Argument`].

use system::{Cube, Sort};

use super::Invariants;
use super::closure::Known;
use super::context::Context;
use super::fault::{Problem, Refusal, Step};
use super::ground::{Datum, Equation, Ground, Read, Side};
use super::proof::{Argument, Instance, Split, Symbol};

/// Splits nested deeper than this are refused, so that recursion over them is bounded.
pub const SPLIT_LIMIT: usize = 32;

/// Replays an argument, and returns the problems with it; `splits` is how deep its splits may be nested.
///
/// The premises are used in order, then the split. An argument with a wrong step is not followed further.
pub(super) fn replay(
    mut context: Context<'_>,
    argument: &Argument,
    invariants: &Invariants<'_>,
    splits: usize,
) -> Vec<Problem> {
    for (number, premise) in (0..).zip(&argument.premises) {
        if let Err(problem) = use_premise(&mut context, premise, invariants) {
            return vec![within(Step::Premise(number), problem)];
        }
    }
    match (&argument.split, context.is_contradictory()) {
        (None, true) => Vec::new(),
        (None, false) => vec![Problem::Unfinished],
        (Some(_), true) => vec![Problem::BehindEnd],
        (Some(split), false) => match (cases(&context, split), splits.checked_sub(1)) {
            (_, None) => vec![Problem::TooDeep],
            (Err(problem), _) => vec![problem],
            (Ok(cases), Some(splits)) => {
                let case = |(number, ((case, _), argument))| {
                    let problems = replay(case, argument, invariants, splits);
                    problems.into_iter().map(move |problem| within(Step::Case(number), problem))
                };
                (0..).zip(cases.into_iter().zip(&split.cases)).flat_map(case).collect()
            }
        },
    }
}

/// A problem that is found after a step.
fn within(step: Step, problem: Problem) -> Problem {
    if let Problem::Within { at, problem } = problem {
        return Problem::Within { at: [vec![step], at].concat(), problem };
    }
    Problem::Within { at: vec![step], problem: Box::new(problem) }
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
    let invariant = premise.invariant;
    let cube = invariants.get(invariant.index()).ok_or(Problem::NoSuchInvariant(invariant))?;
    let cube = cube.ok_or(Problem::UnusableInvariant(invariant))?;
    substitution(context.ground(), cube, premise)?;
    let mut literals = context.ground().instance(cube, &premise.substitution).map_err(Problem::Refused)?;
    literals.retain(|literal| context.knows(literal) != Known::True);
    let new = match literals.as_slice() {
        [] => Equation::False,
        [only @ Equation::Open(fact)] if context.knows(only) == Known::Open => context.ground().negation(fact),
        [_] => return Err(Problem::Useless { invariant }),
        _ => return Err(Problem::Remaining { invariant, literals }),
    };
    context.assume(&new);
    Ok(new)
}

/// The cases of a split, one for each value of the read: the context with the equation, and the equation.
///
/// The values are the constants of the sort in order; then, for each index type of the sort, the symbols of that type,
/// and last an element that is none of them.
///
/// # Errors
/// The problem with the split: its read is not well-typed, or it does not have one argument for each value.
pub fn cases<'a>(context: &Context<'a>, split: &Split) -> Result<Vec<(Context<'a>, Equation)>, Problem> {
    let read = split_read(context.ground(), split)?;
    let values = values(context, &read).map_err(Problem::Refused)?;
    if values.len() != split.cases.len() {
        return Err(Problem::Cases { due: values.len(), found: split.cases.len() });
    }
    let case = |(mut case, value): (Context<'a>, Datum)| {
        let equation = case.ground().equation(Side::Read(read.clone()), true, Side::Datum(value));
        case.assume(&equation);
        (case, equation)
    };
    Ok(values.into_iter().map(case).collect())
}

/// The values of a read, each with a context that knows the value as a symbol.
fn values<'a>(context: &Context<'a>, read: &Read) -> Result<Vec<(Context<'a>, Datum)>, Refusal> {
    let Sort { index_types, constants, .. } = context.ground().sort(read);
    let constants = constants.iter().map(|constant| (context.clone(), Datum::Constant(*constant)));
    let mut all: Vec<_> = constants.collect();
    for index_type in index_types {
        let symbols = context.ground().symbols_of(*index_type);
        all.extend(symbols.into_iter().map(|symbol| (context.clone(), Datum::Element(symbol))));
        let mut wider = context.clone();
        let fresh = wider.with_fresh(*index_type)?;
        all.push((wider, Datum::Element(fresh)));
    }
    Ok(all)
}

/// The read of a split, which has to be well-typed.
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

/// A substitution has to give each variable of the cube a symbol of its type, pairwise distinct and none of them named.
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
