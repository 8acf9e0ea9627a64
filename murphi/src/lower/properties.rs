//! Lowers properties, and assertions as properties.
//!
//! An invariant of the model, or the set of states in which an assertion fails, becomes a [`Property`] with the cubes
//! whose disjunction is its negation. If there are no such cubes, the system gets a [`monitor`] instead.

use super::alternations::replaced;
use super::deadlock::{Types, stuck};
use super::finish::Scope;
use super::logic::{Facts, and, not, or, simplify};
use super::model::Model;
use super::monitors::{Monitored, Violation, monitor};
use super::normal::{Purpose, cubes};
use super::pairs::with_pairs;
use super::reason::{Reason, Refusal};
use super::rules::{FailedAssertion, Start, around, each_case};
use super::statements::{Binding, Execution, Range};
use super::universe::Universe;
use std::collections::BTreeSet;

use crate::exec::assertion_name;
use crate::program::{self, Around, Program, Span};
use system::front_end::Deadlock;
use system::{
    Axiom, Cube, FALSE, Formula, IndexVariable, NO_SOURCE, Origin, Property, PropertyKind, Rule, System, TRUE, Term,
    Value,
};

/// Returns the failures of assertions that a property evaluates: like the guard of a rule, it is evaluated in every
/// state. A `liveness` property is not checked, so nothing in it is evaluated.
///
/// # Errors
/// Returns an error if the condition has no parameterized meaning as that of a rule. It is then unknown whether the
/// assertions hold, so the model is refused: the property alone would leave them out.
pub(super) fn assertions_in(
    model: &Model<'_>,
    universe: &mut Universe,
    property: &program::Property,
) -> Result<Vec<FailedAssertion>, Refusal> {
    let mut assertions = Vec::new();
    if property.kind == program::PropertyKind::Liveness || !model.program.may_assert(property.evaluated()) {
        return Ok(assertions);
    }
    each_case(
        model,
        universe,
        property.span,
        Start::Unchanged,
        &mut |exec| {
            around(exec, &property.around, None)?;
            exec.condition(&property.condition)
        },
        &mut |universe, end| {
            end.failures(universe, end.met(), &mut assertions);
            Ok(())
        },
    )?;
    Ok(assertions)
}

/// Returns the states in which a property is false: for each case of its evaluation, those in which the case applies
/// and the property is false.
fn violations(
    model: &Model<'_>,
    universe: &mut Universe,
    property: &program::Property,
) -> Result<Vec<Violation>, Refusal> {
    let mut violations = Vec::new();
    each_case(
        model,
        universe,
        property.span,
        Start::Unchanged,
        &mut |exec| {
            exec.machine.closed = true;
            exec.machine.quantified = 1;
            let formula = within(exec, &property.around, &property.condition)?;
            Ok(exec.with_pending(formula, 0, true))
        },
        &mut |universe, end| {
            let formula = simplify(universe, &mut Facts::default(), &end.guard);
            let bad = and([and(end.assumptions.iter().cloned()), not(formula)]);
            violations.push(Violation { scope: universe.scope.clone(), free: end.parameters.clone(), bad });
            Ok(())
        },
    )?;
    Ok(violations)
}

/// Lowers a top-level assumption. Whether it is immutable is not known before all rules are lowered, monitors included.
///
/// # Errors
/// Returns an error if its negation is not a disjunction of cubes, and if it evaluates an assertion: a state in which that
/// fails violates a property, whether or not the assumption holds there.
pub(super) fn lower_axiom(
    model: &Model<'_>,
    universe: &mut Universe,
    system: &System,
    property: &program::Property,
) -> Result<Axiom, Refusal> {
    if model.program.may_assert(property.evaluated()) {
        return Err(no_invariant(property, "assume"));
    }
    let violations = violations(model, universe, property)?;
    let refusal = |reason| Refusal { reason, span: property.span };
    let Negated { scope, formula, bad } = negated(universe, system, &violations, Purpose::Axiom).map_err(refusal)?;
    let origin = model.program.origin(property.span);
    let name = property.name.clone().unwrap_or_else(|| format!("assume at line {}", origin.line));
    Ok(Axiom { name, scope, formula, bad, immutable: false, origin })
}

/// Finds the states that violate a property.
pub(super) fn of_property(
    model: &Model<'_>,
    universe: &mut Universe,
    property: &program::Property,
) -> Result<Claim, Refusal> {
    let kind = match property.kind {
        program::PropertyKind::Invariant => PropertyKind::Invariant,
        // An assumption is no property.
        program::PropertyKind::Assume => return Err(no_invariant(property, "assume")),
        program::PropertyKind::Cover => return Err(no_invariant(property, "cover")),
        program::PropertyKind::Liveness => return Err(no_invariant(property, "liveness")),
    };
    let violations = violations(model, universe, property)?;
    let origin = model.program.origin(property.span);
    let name = property.name.clone().unwrap_or_else(|| format!("invariant at line {}", origin.line));
    Ok(Claim { name, kind, origin, span: property.span, violations, starts: Vec::new() })
}

/// Expresses the property as a variable that is never set.
fn noted(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    monitored: Monitored<'_>,
) -> Result<Property, Reason> {
    monitor(model, universe, system, monitored).map_err(|reason| match reason {
        Reason::ExistsBelowForall => Reason::NotUniversal,
        other => other,
    })
}

fn no_invariant(property: &program::Property, kind: &'static str) -> Refusal {
    Refusal { reason: Reason::NotInvariant { kind }, span: property.span }
}

/// Returns the condition inside the rulesets and aliases around it.
fn within(
    exec: &mut Execution<'_, '_>,
    around: &[Around],
    condition: &program::Expression,
) -> Result<Formula, Refusal> {
    let Some((first, rest)) = around.split_first() else {
        return exec.condition(condition);
    };
    match first {
        Around::Alias(variable, value) => {
            let binding = exec.alias(value)?;
            exec.environment.insert(*variable, binding);
            within(exec, rest, condition)
        }
        Around::Choose(_, multiset) => Err(Refusal { reason: Reason::PropertyOfChoice, span: multiset.span }),
        Around::Parameter(binder) => {
            let mut parts = Vec::new();
            for range in exec.ranges(binder)? {
                match range {
                    Range::Index(index_type) => {
                        let name = exec.model.program.variables[binder.variable.index()].name.clone();
                        parts.push(exec.over_index(&name, index_type, true, |exec, element| {
                            let value = Value::Term(Term::Index(element));
                            exec.environment.insert(binder.variable, Binding::Value(value));
                            within(exec, rest, condition)
                        })?);
                    }
                    Range::Cases(cases) => {
                        for (when, constant) in cases {
                            let value = Value::Term(Term::Constant(constant));
                            exec.environment.insert(binder.variable, Binding::Value(value));
                            let part = exec.under(&when, true, |exec| within(exec, rest, condition))?;
                            parts.push(or([not(when), part]));
                        }
                    }
                }
            }
            Ok(and(parts))
        }
    }
}

/// Finds the states in which an assertion fails, in whatever rule and case.
pub(super) fn of_assertion(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    failures: &[&FailedAssertion],
) -> Result<Claim, Refusal> {
    let assertion = &failures[0].assertion;
    let origin = model.program.origin(assertion.span);
    let what = if assertion.error { "error" } else { "assert" };
    let name = assertion_name(&assertion.message, what, origin.line);
    let kind = if assertion.error { PropertyKind::Error } else { PropertyKind::Assert };
    let span = assertion.span;
    let (mut violations, mut starts) = (Vec::new(), Vec::new());
    for FailedAssertion { states, at_start, guard_alternates, .. } in failures {
        if *guard_alternates {
            universe.scope.clone_from(&states.scope);
            let bad = simplify(universe, &mut Facts::default(), &states.bad);
            let states = Violation { scope: universe.scope.clone(), free: states.free.clone(), bad };
            let bad = replaced(model, universe, system, (&name, &origin), &states)
                .map_err(|reason| Refusal { reason, span })?;
            violations.push(Violation { bad, ..states });
        } else if !at_start {
            violations.push(states.clone());
        } else if can_be(universe, system, states) {
            starts.push(states.clone());
        }
        if universe.is_exhausted() {
            return Err(Refusal { reason: Reason::TooMuchWork, span });
        }
    }
    Ok(Claim { name, kind, origin, span, violations, starts })
}

/// Builds the property that some rule can fire in every state.
pub(super) fn deadlock_property(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    deadlock: Deadlock,
    span: Span,
) -> Result<Property, Refusal> {
    let rules = &model.program.rules;
    if let Some(rule) = rules.iter().find(|rule| rule.priority != rules[0].priority)
        && deadlock == Deadlock::Stuttering
    {
        return Err(Refusal { reason: Reason::Priorities, span: rule.span });
    }
    if let Some(span) = universe.either {
        return Err(Refusal { reason: Reason::EitherAnswer, span });
    }
    let origin = model.program.origin(span);
    let name = Deadlock::PROPERTY.to_owned();
    let inhabited = super::inhabited::types(model.program, &super::types_of(model));
    let types = Types { inhabited, slots: model.slot_types() };
    let stuck = stuck(universe, system, &types, deadlock);
    let kind = PropertyKind::Invariant;
    let claim = Claim { name, kind, origin, span, violations: vec![stuck], starts: Vec::new() };
    never(model, universe, system, &claim, Form::Cubes).map_err(|refusal| match refusal.reason {
        Reason::NotUniversal => universal_guard(model.program, system, span),
        _ => refusal,
    })
}

/// Refuses deadlock freedom at a rule whose parameters have a `forall` below them.
fn universal_guard(program: &Program, system: &System, span: Span) -> Refusal {
    let universal = |rule: &&Rule| rule.source != NO_SOURCE && rule.parameters > 0 && rule.guard.has_quantifier();
    let rule = system.rules.iter().find(universal).and_then(|rule| program.rules.get(rule.source as usize));
    Refusal { reason: Reason::UniversalGuard, span: rule.map_or(span, |rule| rule.guard.span) }
}

/// Returns whether some elements may satisfy a formula that reads no state variable. If in doubt, they do.
fn can_be(universe: &mut Universe, system: &System, Violation { scope, free, bad }: &Violation) -> bool {
    universe.scope.clone_from(scope);
    !matches!(cubes(universe, system, (bad, free), Purpose::Property).as_deref(), Ok([]))
}

/// A property, and the states that violate it.
pub(super) struct Claim {
    name: String,
    kind: PropertyKind,
    origin: Origin,
    pub(super) span: Span,
    violations: Vec<Violation>,
    /// The violations in startstates.
    starts: Vec<Violation>,
}

/// How a property is expressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// By the cubes of its negation, unless no cubes express it.
    Cubes,
    /// By a monitor: its rules have guards, which need not be split into cubes.
    Monitor,
}

/// Builds the property that no state violates it.
pub(super) fn never(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    claim: &Claim,
    form: Form,
) -> Result<Property, Refusal> {
    let Claim { name, kind, origin, span, violations, starts } = claim;
    let (name, kind, origin) = (name.clone(), *kind, origin.clone());
    let expressed = if form == Form::Monitor || !starts.is_empty() {
        Err(Reason::TooManyClauses)
    } else {
        negated(universe, system, violations, Purpose::Property)
    };
    let property = match expressed {
        Ok(Negated { scope, formula, bad }) => Ok(Property { name, kind, scope, formula, bad, origin }),
        Err(Reason::TooManyClauses) => {
            noted(model, universe, system, Monitored { name, kind, origin, violations, starts })
        }
        Err(reason) => Err(reason),
    };
    property.map_err(|reason| Refusal { reason, span: *span })
}

/// That a state is none of some states: a closed formula, and the cubes of its negation.
pub(super) struct Negated {
    pub(super) scope: Vec<IndexVariable>,
    pub(super) formula: Formula,
    pub(super) bad: Vec<Cube>,
}

/// Returns that a state is none of some states.
pub(super) fn negated(
    universe: &mut Universe,
    system: &System,
    violations: &[Violation],
    purpose: Purpose,
) -> Result<Negated, Reason> {
    let mut bad: BTreeSet<Cube> = BTreeSet::new();
    let mut parts = Vec::new();
    universe.scope.clear();
    for states in violations {
        // The scopes of the runs are concatenated.
        let offset = universe.scope.len();
        universe.scope.extend(states.scope.iter().cloned());
        let moved = with_pairs(universe, &super::normal::shifted(&states.bad, offset));
        let free: Vec<_> = states.free.iter().map(|&v| super::normal::shift(v, offset)).collect();
        bad.extend(cubes(universe, system, (&moved, &free), purpose)?);
        let close = |inner: Formula| free.iter().rev().fold(inner, |inner, &v| Formula::Forall(v, Box::new(inner)));
        parts.push(if universe.undefined.is_some() {
            close(none_of(universe, &simplify(universe, &mut Facts::default(), &moved)))
        } else {
            simplify(universe, &mut Facts::default(), &close(not(moved)))
        });
    }
    if universe.is_exhausted() {
        return Err(Reason::TooMuchWork);
    }
    let bad = super::normal::without_subsumed(bad);
    if !bad.iter().all(is_small) {
        return Err(Reason::TooManyClauses);
    }
    let (scope, formula) = finish(universe, &and(parts))?;
    countable(&formula)?;
    Ok(Negated { scope, formula, bad })
}

/// Builds the formula that a state is none of these, such that a reader may negate it: a truth value that can be
/// undefined need not be one of the two.
fn none_of(universe: &Universe, bad: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(|part| none_of(universe, part)).collect::<Vec<_>>();
    match bad {
        Formula::Equal(Term::Read(cell, _), Term::Constant(FALSE | TRUE)) => {
            let sort = universe.sort_of(*cell);
            match universe.undefined.filter(|undefined| sort.constants.contains(undefined)) {
                Some(_) => Formula::Not(Box::new(bad.clone())),
                None => not(bad.clone()),
            }
        }
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) | Formula::Not(_) => not(bad.clone()),
        Formula::And(parts) => or(all(parts)),
        Formula::Or(parts) => and(all(parts)),
        Formula::Forall(variable, inner) => Formula::Exists(*variable, Box::new(none_of(universe, inner))),
        Formula::Exists(variable, inner) => Formula::Forall(*variable, Box::new(none_of(universe, inner))),
    }
}

/// The largest numbers of variables and universal parts, and of literals, of a cube that the checker accepts.
const MOST_ELEMENTS: usize = 32;
const MOST_LITERALS: usize = 256;

fn is_small(cube: &Cube) -> bool {
    let parts = cube.universals.iter().map(|own| (own.variables.len(), own.literals.len()));
    let mut sizes = std::iter::once((0, cube.literals.len())).chain(parts);
    let fits = |(own, literals)| cube.variables.len() + own <= MOST_ELEMENTS && literals <= MOST_LITERALS;
    cube.universals.len() <= MOST_ELEMENTS && sizes.all(fits)
}

/// The largest number of conjunctions that the checker accepts for the negation of a property, and for a rule and an invariant.
pub(super) const MOST_CONJUNCTIONS: usize = 1 << 12;

/// Returns whether the checker accepts the number of cases of a property: it rejects proofs of properties with more.
fn countable(formula: &Formula) -> Result<(), Reason> {
    conjunctions(formula, false).map(drop)
}

/// Returns the conjunctions of the formula, or of its negation, without those that are obviously contradictory.
fn conjunctions(formula: &Formula, positive: bool) -> Result<Vec<Vec<(&Formula, bool)>>, Reason> {
    match (formula, positive) {
        (Formula::True, true) | (Formula::False, false) => Ok(vec![Vec::new()]),
        (Formula::True, false) | (Formula::False, true) => Ok(Vec::new()),
        (Formula::Equal(..) | Formula::AtMost(..), _) => Ok(vec![vec![(formula, positive)]]),
        (Formula::Not(inner), _) => conjunctions(inner, !positive),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let more = conjunctions(part, positive)?;
                all = all.iter().flat_map(|one| more.iter().filter_map(|other| joined(one, other))).collect();
                if all.len() > MOST_CONJUNCTIONS {
                    return Err(Reason::TooManyDisjuncts { cases: all.len() });
                }
            }
            Ok(all)
        }
        (Formula::And(parts), false) | (Formula::Or(parts), true) => {
            let all: Result<Vec<_>, _> = parts.iter().map(|part| conjunctions(part, positive)).collect();
            Ok(all?.concat())
        }
        (Formula::Forall(_, body), false) | (Formula::Exists(_, body), true) => conjunctions(body, positive),
        // What holds of all elements is one part of a conjunction.
        (Formula::Forall(..), true) | (Formula::Exists(..), false) => Ok(vec![vec![(formula, positive)]]),
    }
}

fn joined<'f>(one: &[(&'f Formula, bool)], other: &[(&'f Formula, bool)]) -> Option<Vec<(&'f Formula, bool)>> {
    let mut both = one.to_vec();
    for equation in other {
        if both.iter().any(|own| clash(*own, *equation)) {
            return None;
        }
        if !both.contains(equation) {
            both.push(*equation);
        }
    }
    Some(both)
}

/// Returns whether two equations are complementary, or equate one term with two constants.
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

fn finish(universe: &Universe, formula: &Formula) -> Result<(Vec<IndexVariable>, Formula), Reason> {
    let mut scope = Scope::new(universe, &[], formula, &[]);
    let formula = scope.formula(formula);
    Ok((scope.into_variables()?, formula))
}

#[cfg(test)]
#[path = "properties_tests.rs"]
mod tests;
