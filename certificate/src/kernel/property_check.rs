//! Whether cubes say what the formula of a property or of an axiom says.
//!
//! So the step from the formulas of the model to cubes need not be trusted, and nothing here depends on how lowering
//! works. Every state that violates a property has to satisfy one of its cubes, since the certificate excludes only
//! these. No state that satisfies an axiom may satisfy one of its cubes, since arguments use that none does.

use std::collections::VecDeque;

use system::{Axiom, Cube, Formula, IndexVariable, Property, System};

use super::argument::witnesses;
use super::clause::Clause;
use super::context::Context;
use super::fault::Refusal;
use super::ground::{Environment, well_formed};

/// A formula that needs more steps than this is refused.
const LIMIT: u32 = 1 << 16;

/// The cube that every state satisfies.
static ANY_STATE: Cube = Cube { variables: Vec::new(), literals: Vec::new(), universals: Vec::new() };

/// Every state that violates a property satisfies one of its cubes. The formula is well-formed.
pub(crate) fn covers(system: &System, property: &Property) -> Result<(), &'static str> {
    property.bad.iter().try_for_each(|cube| well_formed(system, cube))?;
    let covered = |context: &Context<'_>| {
        property.bad.iter().try_fold(false, |covered, cube| Ok(covered || follows(context, cube)?))
    };
    let covers = every_case(system, &property.scope, (&property.formula, false), &ANY_STATE, covered);
    verdict(covers, "its cubes do not cover the negation of its formula")
}

/// No state that satisfies an axiom satisfies one of its cubes. The formula is well-formed.
pub(crate) fn excludes(system: &System, axiom: &Axiom) -> Result<(), &'static str> {
    axiom.bad.iter().try_for_each(|cube| {
        well_formed(system, cube)?;
        let excludes = every_case(system, &axiom.scope, (&axiom.formula, true), cube, |_| Ok(false));
        verdict(excludes, "its formula does not exclude its cubes")
    })
}

fn verdict(holds: Result<bool, Refusal>, otherwise: &'static str) -> Result<(), &'static str> {
    match holds {
        Ok(true) => Ok(()),
        Ok(false) => Err(otherwise),
        Err(_) => Err("its formula has too many cases, or is not well-formed"),
    }
}

/// Whether every way in which a formula (`true`), or its negation, can hold in a state that satisfies the cube leads to
/// a context that is contradictory or `closed`.
fn every_case<'a>(
    system: &'a System,
    scope: &'a [IndexVariable],
    (formula, positive): (&'a Formula, bool),
    cube: &'a Cube,
    closed: impl Fn(&Context<'a>) -> Result<bool, Refusal>,
) -> Result<bool, Refusal> {
    let context = Context::of(system, cube)?;
    let clause = Clause::of(context.ground(), scope, formula, positive, &Environment::new())?;
    let mut open = vec![(context, VecDeque::from([clause]))];
    for _ in 0..LIMIT {
        let Some((context, mut pending)) = open.pop() else { return Ok(true) };
        if context.is_contradictory() {
            continue;
        }
        match pending.pop_front() {
            Some(clause) => {
                for (context, parts) in ways(context, clause)? {
                    let mut pending = pending.clone();
                    // What leaves a choice comes last.
                    for part in parts.into_iter().rev() {
                        match part {
                            Clause::Any(_) | Clause::Some(_) => pending.push_back(part),
                            Clause::Fact(_) | Clause::All(_) | Clause::Each(_) => pending.push_front(part),
                        }
                    }
                    open.push((context, pending));
                }
            }
            None if closed(&context)? => {}
            None => match context.split() {
                Some(parts) => open.extend(parts.into_iter().map(|context| (context, VecDeque::new()))),
                None => return Ok(false),
            },
        }
    }
    Err(Refusal::TooManyBranches)
}

/// The ways in which a clause can hold, each with the clauses that have to hold then.
///
/// An element that exists is one of the symbols or none of them. A clause about all elements joins the context, which
/// leaves out what it says about elements that exist; in that case, it has to hold for each of the symbols that there
/// are, too.
fn ways<'a>(mut context: Context<'a>, clause: Clause<'a>) -> Result<Vec<(Context<'a>, Vec<Clause<'a>>)>, Refusal> {
    let holds = |part: &Clause<'_>| matches!(part, Clause::Fact(own) if context.knows(own) == Some(true));
    Ok(match clause {
        Clause::Fact(equation) => vec![(context.with_all(&[equation]), Vec::new())],
        Clause::All(parts) => vec![(context, parts)],
        // Nothing follows from a disjunction with a part that is known to hold.
        Clause::Any(parts) if parts.iter().any(holds) => vec![(context, Vec::new())],
        Clause::Any(parts) => parts.into_iter().map(|part| (context.clone(), vec![part])).collect(),
        Clause::Each(body) => {
            let parts = if body.promises() { body.instances(context.ground())? } else { Vec::new() };
            context.require(Clause::Each(body))?;
            vec![(context, parts)]
        }
        Clause::Some(body) => {
            let elements = context.elements(body.index_type()?)?.into_iter();
            let at =
                |(context, symbol): (Context<'a>, _)| Ok((context.clone(), vec![body.at(context.ground(), symbol)?]));
            elements.map(at).collect::<Result<_, _>>()?
        }
    })
}

/// Whether there are distinct elements for the variables of the cube for which the context contains all literals, and
/// contradicts every witness against a universal part.
fn follows(context: &Context<'_>, cube: &Cube) -> Result<bool, Refusal> {
    for symbols in context.ground().others(&cube.variables, &[])? {
        let literals = context.ground().literals(&cube.literals, &symbols)?;
        if literals.iter().all(|literal| context.knows(literal) == Some(true)) {
            let mut witnesses = witnesses(context, cube, &symbols)?.into_iter();
            if witnesses.all(|(context, equations)| context.with_all(&equations).is_contradictory()) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
