//! Whether the cubes of a property cover its negation: every state of every instance that violates the formula
//! satisfies one of the cubes.
//!
//! So the step from the formula of the model to the cubes that the certificate excludes need not be trusted. Nothing
//! here depends on how lowering works. The negation is a disjunction of conjunctions under existential quantifiers, whose
//! parts are equations and universal formulas. For each of them, and for each way in which its elements can be equal to
//! each other or to named elements, one of the cubes has to follow, with its variables mapped to some of the elements.

use system::{Cube, Formula, IndexVariableId, Property, System, Term};

use super::argument::witnesses;
use super::branches::Branch;
use super::closure::Known;
use super::context::Context;
use super::fault::Refusal;
use super::ground::{Environment, Ground, with};
use super::obligations::{Transition, matches};
use super::proof::Symbol;

/// A formula with more conjunctions than this is refused.
const LIMIT: usize = 1 << 12;

/// A conjunction of equations (and inequations) over elements that exist, and of formulas about all elements: each a
/// `forall`, or an `exists` that is negated.
#[derive(Clone, Default)]
struct Case<'a> {
    elements: Vec<IndexVariableId>,
    equations: Vec<EquationOf<'a>>,
    universals: Vec<(&'a Formula, bool)>,
}

/// Two sides, and whether they are equal.
type EquationOf<'a> = (&'a Term, &'a Term, bool);

/// Checks one property, whose formula and cubes are well-formed.
pub(crate) fn covers(system: &System, property: &Property) -> Result<(), &'static str> {
    for case in cases(&property.formula, false)? {
        let types = case.elements.iter().map(|variable| Some(property.scope.get(variable.index())?.index_type));
        let types: Option<Vec<_>> = types.collect();
        let types = types.ok_or("the formula binds a variable that its scope does not have")?;
        let matches = matches(system, &[], types.into_iter()).map_err(|_| "too many quantifiers")?;
        for (matching, symbols) in matches {
            let bind = |bound, (variable, symbol): (&IndexVariableId, &Symbol)| with(&bound, variable.index(), *symbol);
            let environment = case.elements.iter().zip(&matching.0).fold(vec![None; property.scope.len()], bind);
            match is_covered(Ground { system, symbols: &symbols }, property, &case, &environment) {
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
        (Formula::Equal(left, right), _) => {
            Ok(vec![Case { equations: vec![(left, right, positive)], ..Case::default() }])
        }
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
        (Formula::Forall(..), true) | (Formula::Exists(..), false) => {
            Ok(vec![Case { universals: vec![(formula, positive)], ..Case::default() }])
        }
    }
}

impl<'a> Case<'a> {
    /// The conjunction, unless two of its equations contradict each other, so that nothing satisfies it.
    fn with(&self, other: &Case<'a>) -> Option<Self> {
        let mut both = self.clone();
        both.elements.extend(&other.elements);
        both.universals.extend(&other.universals);
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
fn clash((left, right, holds): EquationOf<'_>, (other_left, other_right, other_holds): EquationOf<'_>) -> bool {
    left == other_left
        && match (right, other_right) {
            (Term::Constant(one), Term::Constant(two)) if holds && other_holds => one != two,
            _ => right == other_right && holds != other_holds,
        }
}

/// Whether a cube of the property follows from the equations and the formulas about all elements.
fn is_covered<'a>(
    ground: Ground<'a>,
    property: &'a Property,
    case: &Case<'a>,
    environment: &Environment,
) -> Result<bool, Refusal> {
    let equation = |(left, right, holds): &EquationOf<'_>| {
        Ok(ground.equation(ground.term(left, environment)?, *holds, ground.term(right, environment)?))
    };
    let equations = case.equations.iter().map(equation).collect::<Result<Vec<_>, _>>()?;
    let branch = Branch { facts: Vec::new(), universals: case.universals.clone() };
    let skip = Transition::skip(&property.scope);
    let mut context = Context::new(ground.system, ground.symbols, skip, environment, &branch, None)?;
    equations.iter().for_each(|equation| context.assume(equation));
    let contradictory = context.is_contradictory();
    property.bad.iter().try_fold(contradictory, |covered, cube| Ok(covered || embeds(&context, cube, &[])?))
}

/// Whether there are distinct elements for the variables of the cube for which the context contains all literals, and
/// contradicts every witness against a universal part. The recursion is as deep as the cube has variables.
fn embeds(context: &Context<'_>, cube: &Cube, chosen: &[Symbol]) -> Result<bool, Refusal> {
    let Some(index_type) = cube.variables.get(chosen.len()) else {
        let literals = context.ground().instance(cube, chosen)?;
        let known = literals.iter().all(|literal| context.knows(literal) == Known::True);
        let witnesses = if known { witnesses(context, cube, chosen)? } else { return Ok(false) };
        return Ok(witnesses.into_iter().all(|(mut context, equations)| {
            equations.iter().for_each(|equation| context.assume(equation));
            context.is_contradictory()
        }));
    };
    let symbols = context.ground().symbols_of(*index_type).into_iter();
    let mut free = symbols.filter(|symbol| !matches!(symbol, Symbol::Named(_)) && !chosen.contains(symbol));
    free.try_fold(false, |found, symbol| Ok(found || embeds(context, cube, &[chosen, &[symbol]].concat())?))
}
