//! Properties, and assertions as properties.
//!
//! In: an invariant of the model, or the states in which an assertion fails. Out: a [`Property`] with the cubes whose
//! disjunction is its negation. Where the negation is about all elements, so that there are no such cubes, the system gets
//! a [`monitor`] instead.

use super::exec::{Binding, Exec, Range};
use super::finish::Scope;
use super::logic::{Facts, and, not, or, simplify};
use super::machine::{Machine, Script};
use super::model::Model;
use super::monitors::{Monitored, Violation, monitor};
use super::normal::cubes;
use super::reason::{Reason, Refusal};
use super::rules::FailedAssertion;
use super::universe::Universe;
use crate::program::{self, Around};
use crate::system::{Cube, Formula, IndexVariable, Property, PropertyKind, System, Term, Value};

/// Lowers a property.
pub(super) fn lower_property(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    property: &program::Property,
) -> Result<Property, Refusal> {
    let kind = match property.kind {
        program::PropertyKind::Invariant => PropertyKind::Invariant,
        program::PropertyKind::Assume => return Err(no_invariant(property, "assume")),
        program::PropertyKind::Cover => return Err(no_invariant(property, "cover")),
        program::PropertyKind::Liveness => return Err(no_invariant(property, "liveness")),
    };
    universe.scope.clear();
    universe.cells.truncate(universe.state_variables);
    let machine = Machine::new(universe, Script::default());
    let mut exec = Exec::new(machine, model);
    exec.machine.closed = true;
    exec.machine.quantified = 1;
    let formula = within(&mut exec, &property.around, &property.condition)?;
    let formula = exec.with_pending(formula, 0, true);
    drop(exec);
    let formula = simplify(universe, &Facts::default(), &formula);
    let refusal = |reason| Refusal { reason, span: property.span };
    let origin = model.program.origin(property.span);
    let name = property.name.clone().unwrap_or_else(|| format!("invariant at line {}", origin.line));
    let bad = match cubes(universe, system, &not(formula.clone()), &[]) {
        Err(Reason::NotUniversal) => {
            let violation = Violation { scope: universe.scope.clone(), free: Vec::new(), bad: not(formula) };
            let monitored = Monitored { name, kind, origin, violations: vec![violation] };
            return noted(model, universe, system, monitored).map_err(refusal);
        }
        cubes => cubes.map_err(refusal)?,
    };
    if universe.is_exhausted() {
        return Err(refusal(Reason::TooMuchWork));
    }
    let (scope, formula) = finish(universe, &formula).map_err(refusal)?;
    countable(&formula).map_err(refusal)?;
    Ok(Property { name, kind, scope, formula, bad, origin })
}

/// The property as a variable that is never set.
fn noted(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    monitored: Monitored,
) -> Result<Property, Reason> {
    monitor(model, universe, system, monitored).map_err(|reason| match reason {
        Reason::ExistsBelowForall => Reason::NotUniversal,
        other => other,
    })
}

fn no_invariant(property: &program::Property, kind: &'static str) -> Refusal {
    Refusal { reason: Reason::NotInvariant { kind }, span: property.span }
}

/// The condition below the rulesets and aliases around it.
fn within(exec: &mut Exec<'_, '_>, around: &[Around], condition: &program::Expression) -> Result<Formula, Refusal> {
    let Some((first, rest)) = around.split_first() else {
        return exec.condition(condition);
    };
    match first {
        Around::Alias(variable, value) => {
            let binding = exec.alias(value)?;
            exec.environment.insert(*variable, binding);
            within(exec, rest, condition)
        }
        Around::Choose(_, multiset) => Err(Refusal { reason: Reason::Multiset, span: multiset.span }),
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
                            parts.push(or([not(when), within(exec, rest, condition)?]));
                        }
                    }
                }
            }
            Ok(and(parts))
        }
    }
}

/// The property that an assertion is: all its failures, in whatever rule and case.
pub(super) fn assertion_property(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    failures: &[&FailedAssertion],
) -> Result<Property, Refusal> {
    let assertion = &failures[0].assertion;
    let refusal = |reason| Refusal { reason, span: assertion.span };
    let origin = model.program.origin(assertion.span);
    let what = if assertion.error { "error" } else { "assert" };
    let name = if assertion.message.is_empty() {
        format!("{what} at line {}", origin.line)
    } else {
        assertion.message.clone()
    };
    let kind = if assertion.error { PropertyKind::Error } else { PropertyKind::Assert };
    let mut bad: std::collections::BTreeSet<Cube> = std::collections::BTreeSet::new();
    let mut parts = Vec::new();
    universe.scope.clear();
    for FailedAssertion { states, .. } in failures {
        // The scopes of the runs are put one behind the other.
        let offset = universe.scope.len();
        universe.scope.extend(states.scope.iter().cloned());
        let moved = super::normal::shifted(universe, &states.bad, offset);
        let free: Vec<_> = states.free.iter().map(|&v| super::normal::shift(v, offset)).collect();
        match cubes(universe, system, &moved, &free) {
            Ok(cubes) => bad.extend(cubes),
            Err(Reason::NotUniversal) => {
                let violations = failures.iter().map(|failure| failure.states.clone()).collect();
                let monitored = Monitored { name, kind, origin, violations };
                return noted(model, universe, system, monitored).map_err(refusal);
            }
            Err(reason) => return Err(refusal(reason)),
        }
        let closed = free.iter().rev().fold(not(moved), |inner, &v| Formula::Forall(v, Box::new(inner)));
        parts.push(simplify(universe, &Facts::default(), &closed));
    }
    if universe.is_exhausted() {
        return Err(refusal(Reason::TooMuchWork));
    }
    let bad = super::normal::without_subsumed(bad);
    let (scope, formula) = finish(universe, &and(parts)).map_err(refusal)?;
    countable(&formula).map_err(refusal)?;
    Ok(Property { name, kind, scope, formula, bad, origin })
}

/// The checker writes the negation of a property out as a disjunction of conjunctions, and refuses more of them than this.
const MOST_CONJUNCTIONS: usize = 1 << 12;

/// Whether the checker looks at all cases of a property: a proof of one with more of them would be rejected.
fn countable(formula: &Formula) -> Result<(), Reason> {
    conjunctions(formula, false).map(drop)
}

/// The conjunctions of the formula, or of its negation, without those that contradict themselves at sight.
fn conjunctions(formula: &Formula, positive: bool) -> Result<Vec<Vec<(&Formula, bool)>>, Reason> {
    match (formula, positive) {
        (Formula::True, true) | (Formula::False, false) => Ok(vec![Vec::new()]),
        (Formula::True, false) | (Formula::False, true) => Ok(Vec::new()),
        (Formula::Equal(..), _) => Ok(vec![vec![(formula, positive)]]),
        (Formula::Not(inner), _) => conjunctions(inner, !positive),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let more = conjunctions(part, positive)?;
                all = all.iter().flat_map(|one| more.iter().filter_map(|other| joined(one, other))).collect();
                if all.len() > MOST_CONJUNCTIONS {
                    return Err(Reason::TooManyCases { cases: all.len() });
                }
            }
            Ok(all)
        }
        (Formula::And(parts), false) | (Formula::Or(parts), true) => {
            let all: Result<Vec<_>, _> = parts.iter().map(|part| conjunctions(part, positive)).collect();
            Ok(all?.concat())
        }
        (Formula::Forall(_, body) | Formula::Exists(_, body), _) => conjunctions(body, positive),
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

fn finish(universe: &Universe, formula: &Formula) -> Result<(Vec<IndexVariable>, Formula), Reason> {
    let mut scope = Scope::new(universe, &[], formula, &[]);
    let formula = scope.formula(formula);
    Ok((scope.into_variables()?, formula))
}
