//! Whether cubes say what the formula of a property or of an axiom says.
//!
//! So the step from the formulas of the model to cubes need not be trusted, and nothing here depends on how lowering
//! works. Every state that violates a property has to satisfy one of its cubes, since the certificate excludes only
//! these. No state that satisfies an axiom may satisfy one of its cubes, since arguments use that none does.

use std::collections::VecDeque;

use system::{Axiom, Cube, Formula, IndexVariable, Property, System};

use super::argument::witnesses;
use super::context::Context;
use super::fault::Refusal;
use super::ground::{Environment, Shape, type_in, well_formed, with};

/// A formula that needs more steps than this is refused.
const LIMIT: u32 = 1 << 16;

/// The cube that every state satisfies.
static ANY_STATE: Cube = Cube { variables: Vec::new(), literals: Vec::new(), universals: Vec::new() };

/// A formula or its negation, and the symbols of its free variables.
type Part<'a> = (&'a Formula, bool, Environment);

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
    let context = Context::of(system, scope, cube)?;
    let mut open = vec![(context, VecDeque::from([(formula, positive, Environment::new())]))];
    for _ in 0..LIMIT {
        let Some((context, mut pending)) = open.pop() else { return Ok(true) };
        if context.is_contradictory() {
            continue;
        }
        match pending.pop_front() {
            Some(part) => {
                for (context, parts) in ways(context, scope, part)? {
                    let mut pending = pending.clone();
                    // What leaves a choice comes last.
                    for part in parts.into_iter().rev() {
                        match context.ground().shape(part.0, part.1, &part.2)?.0 {
                            Shape::Any(_) | Shape::Some(..) => pending.push_back(part),
                            Shape::Fact(_) | Shape::All(_) | Shape::Each(..) => pending.push_front(part),
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

/// The ways in which a part can hold, each with the parts that have to hold then.
///
/// An element that exists is one of the symbols or none of them. A part about all elements joins the context, which
/// leaves out what it says about elements that exist; in that case, it has to hold for each of the symbols that there
/// are, too.
fn ways<'a>(
    mut context: Context<'a>,
    scope: &[IndexVariable],
    (formula, own, environment): Part<'a>,
) -> Result<Vec<(Context<'a>, Vec<Part<'a>>)>, Refusal> {
    let (shape, positive) = context.ground().shape(formula, own, &environment)?;
    let part = |formula: &'a Formula| (formula, positive, environment.clone());
    Ok(match shape {
        Shape::Fact(equation) => vec![(context.with_all(&[equation]), Vec::new())],
        Shape::All(parts) => vec![(context, parts.iter().map(part).collect())],
        Shape::Any(parts) => {
            for own in parts {
                // Nothing follows from a disjunction with a part that is known to hold.
                if let (Shape::Fact(equation), _) = context.ground().shape(own, positive, &environment)?
                    && context.knows(&equation) == Some(true)
                {
                    return Ok(vec![(context, Vec::new())]);
                }
            }
            parts.iter().map(|own| (context.clone(), vec![part(own)])).collect()
        }
        Shape::Each(variable, body) => {
            let at = |symbol| (body, positive, with(&environment, variable, symbol));
            let symbols = context.ground().symbols_of(type_in(scope, variable)?).into_iter();
            let parts = if promises(body, positive) { symbols.map(at).collect() } else { Vec::new() };
            context.require(formula, own, environment.clone())?;
            vec![(context, parts)]
        }
        Shape::Some(variable, body) => {
            let at = |symbol| (body, positive, with(&environment, variable, symbol));
            let elements = context.elements(type_in(scope, variable)?)?.into_iter();
            elements.map(|(context, symbol)| (context, vec![at(symbol)])).collect()
        }
    })
}

/// Whether a formula, or its negation, says somewhere that an element exists.
fn promises(formula: &Formula, positive: bool) -> bool {
    match formula {
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) => false,
        Formula::Not(inner) => promises(inner, !positive),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| promises(part, positive)),
        Formula::Forall(_, body) => !positive || promises(body, positive),
        Formula::Exists(_, body) => positive || promises(body, positive),
    }
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
