//! Whether the cubes of a property cover its negation.
//!
//! In: a property of a system, as a formula and as the cubes that the lowering made of its negation. Out: whether every
//! state of every instance that violates the formula satisfies one of the cubes. So that the step from what the
//! model states to what the certificate excludes need not be trusted. It must not depend on how the lowering works.
//!
//! The negation is a disjunction of conjunctions under existential quantifiers. For each of them, and each way in which the
//! elements that it speaks about can be equal to each other or to named elements, one of the cubes has to follow from
//! the facts, with its variables as some of the elements.

use system::System;
use system::{Cube, Formula, IndexVariableId, Property, Term};

use crate::closure::Known;
use crate::context::Context;
use crate::fault::Refusal;
use crate::ground::{Environment, Ground, Made, with};
use crate::obligations::matches;
use crate::proof::{Symbol, SymbolTypes};

/// More conjunctions than this are refused.
const LIMIT: usize = 1 << 12;

/// A conjunction of equations (and inequations) over elements that exist.
#[derive(Clone, Default)]
struct Case<'a> {
    elements: Vec<IndexVariableId>,
    /// Each with whether it is to be true.
    equations: Vec<(&'a Formula, bool)>,
}

/// Looks at one property, whose formula and cubes are well-formed.
pub(crate) fn covers(system: &System, property: &Property) -> Result<(), &'static str> {
    for case in cases(&property.formula, false)? {
        let types = case.elements.iter().map(|variable| Some(property.scope.get(variable.index())?.index_type));
        let types: Option<Vec<_>> = types.collect();
        let types = types.ok_or("the formula binds a variable that its scope does not have")?;
        let matches = matches(system, &[], types.into_iter()).map_err(|_| "too many quantifiers")?;
        for (matching, symbols) in matches {
            let bind = |bound, (variable, symbol): (&IndexVariableId, &Symbol)| with(&bound, variable.index(), *symbol);
            let environment = case.elements.iter().zip(&matching.0).fold(vec![None; property.scope.len()], bind);
            match is_covered(system, property, &case, &environment, &symbols) {
                Ok(true) => {}
                Ok(false) => return Err("its cubes do not cover the negation of its formula"),
                Err(_) => return Err("the formula is not well-formed"),
            }
        }
    }
    Ok(())
}

/// The disjuncts of a formula, or of its negation.
fn cases(formula: &Formula, positive: bool) -> Result<Vec<Case<'_>>, &'static str> {
    match (formula, positive) {
        (Formula::True, true) | (Formula::False, false) => Ok(vec![Case::default()]),
        (Formula::True, false) | (Formula::False, true) => Ok(Vec::new()),
        (Formula::Equal(..), _) => Ok(vec![Case { elements: Vec::new(), equations: vec![(formula, positive)] }]),
        (Formula::Not(inner), _) => cases(inner, !positive),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            let mut all = vec![Case::default()];
            for part in parts {
                let more = cases(part, positive)?;
                all = all.iter().flat_map(|case| more.iter().filter_map(|other| case.with(other))).collect();
                if all.len() > LIMIT {
                    return Err("the formula has too many cases");
                }
            }
            Ok(all)
        }
        (Formula::And(parts), false) | (Formula::Or(parts), true) => {
            let all: Result<Vec<_>, _> = parts.iter().map(|part| cases(part, positive)).collect();
            Ok(all?.concat())
        }
        (Formula::Forall(variable, body), false) | (Formula::Exists(variable, body), true) => {
            let mut all = cases(body, positive)?;
            for case in &mut all {
                if case.elements.contains(variable) {
                    return Err("the formula binds a variable twice");
                }
                case.elements.push(*variable);
            }
            Ok(all)
        }
        (Formula::Forall(..), true) | (Formula::Exists(..), false) => Err("the formula is not universal"),
    }
}

impl<'a> Case<'a> {
    /// The conjunction, unless its equations contradict each other at sight: no element can satisfy it then.
    fn with(&self, other: &Case<'a>) -> Option<Self> {
        let mut both = self.clone();
        both.elements.extend(&other.elements);
        for equation in &other.equations {
            if both.equations.iter().any(|own| clash(*own, *equation)) {
                return None;
            }
            if !both.equations.contains(equation) {
                both.equations.push(*equation);
            }
        }
        Some(both)
    }
}

/// Whether two equations are complementary, or equate one term with two constants.
fn clash((a, a_holds): (&Formula, bool), (b, b_holds): (&Formula, bool)) -> bool {
    match (a, b) {
        (Formula::Equal(left, Term::Constant(one)), Formula::Equal(other, Term::Constant(two)))
            if a_holds && b_holds && left == other =>
        {
            one != two
        }
        _ => a == b && a_holds != b_holds,
    }
}

/// Whether a cube of the property follows from the equations.
fn is_covered(
    system: &System,
    property: &Property,
    case: &Case<'_>,
    environment: &Environment,
    symbols: &SymbolTypes,
) -> Result<bool, Refusal> {
    let ground = Ground { system, symbols };
    let mut equations = Vec::new();
    for (formula, positive) in &case.equations {
        if let Formula::Equal(left, right) = formula {
            let (left, right) = (ground.term(left, environment)?, ground.term(right, environment)?);
            equations.push(ground.equation(left, *positive, right));
        }
    }
    let context = Context::of(system, symbols, &equations)?;
    let mut covered = context.is_contradictory();
    for cube in &property.bad {
        covered = covered || embeds(&context, cube, &mut Vec::new())?;
    }
    Ok(covered)
}

/// Whether there are different elements for the variables of the cube for which the context knows all literals. As deep as
/// the cube has variables.
fn embeds(context: &Context<'_>, cube: &Cube, chosen: &mut Vec<Symbol>) -> Result<bool, Refusal> {
    let Some(index_type) = cube.variables.get(chosen.len()) else {
        let literals: Vec<Made> = context.ground().instance(cube, chosen)?;
        return Ok(literals.iter().all(|made| context.knows(made) == Known::True));
    };
    for symbol in context.ground().symbols_of(*index_type) {
        if !matches!(symbol, Symbol::Named(_)) && !chosen.contains(&symbol) {
            chosen.push(symbol);
            let found = embeds(context, cube, chosen)?;
            chosen.pop();
            if found {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
