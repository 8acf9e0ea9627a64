//! Properties, and assertions as properties.
//!
//! In: an invariant of the model, or the states in which an assertion fails. Out: a [`Property`] with the cubes whose
//! disjunction is its negation. What has no such cubes is refused.

use super::exec::{Binding, Exec, Range};
use super::finish::Scope;
use super::logic::{Facts, and, not, or, simplify};
use super::machine::{Machine, Script};
use super::model::Model;
use super::normal::cubes;
use super::reason::{Reason, Refusal};
use super::rules::FailedAssertion;
use super::universe::Universe;
use crate::program::{self, Around};
use crate::system::{Cube, Formula, IndexVariable, Property, PropertyKind, System, Term, Value};

/// Lowers a property.
pub(super) fn lower_property(
    model: &Model<'_>,
    universe: &mut Universe,
    system: &System,
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
    let bad = cubes(universe, system, &not(formula.clone()), &[]).map_err(refusal)?;
    if universe.is_exhausted() {
        return Err(refusal(Reason::TooMuchWork));
    }
    let (scope, formula) = finish(universe, &formula);
    let line = model.program.origin(property.span).line;
    Ok(Property {
        name: property.name.clone().unwrap_or_else(|| format!("invariant at line {line}")),
        kind,
        scope,
        formula,
        bad,
        origin: model.program.origin(property.span),
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
        Around::Parameter(binder) => match exec.parameter_range(binder)? {
            Range::Index(index_type) => {
                let name = exec.model.program.variables[binder.variable.index()].name.clone();
                exec.over_index(&name, index_type, true, |exec, element| {
                    let value = Value::Term(Term::Index(element));
                    exec.environment.insert(binder.variable, Binding::Value(value));
                    within(exec, rest, condition)
                })
            }
            Range::Constants(constants) => {
                let mut parts = Vec::new();
                for constant in constants {
                    let value = Value::Term(Term::Constant(constant));
                    exec.environment.insert(binder.variable, Binding::Value(value));
                    parts.push(within(exec, rest, condition)?);
                }
                Ok(and(parts))
            }
            Range::Cases(cases) => {
                let mut parts = Vec::new();
                for (when, constant) in cases {
                    let value = Value::Term(Term::Constant(constant));
                    exec.environment.insert(binder.variable, Binding::Value(value));
                    parts.push(or([not(when), within(exec, rest, condition)?]));
                }
                Ok(and(parts))
            }
        },
    }
}

/// The property that an assertion is: all its failures, in whatever rule and case.
pub(super) fn assertion_property(
    model: &Model<'_>,
    universe: &mut Universe,
    system: &System,
    failures: &[&FailedAssertion],
) -> Result<Property, Refusal> {
    let assertion = &failures[0].assertion;
    let refusal = |reason| Refusal { reason, span: assertion.span };
    let mut bad: std::collections::BTreeSet<Cube> = std::collections::BTreeSet::new();
    let mut parts = Vec::new();
    let mut scope: Vec<IndexVariable> = Vec::new();
    for failure in failures {
        // The scopes of the runs are put one behind the other.
        let offset = scope.len();
        scope.extend(failure.scope.iter().cloned());
        universe.scope.clone_from(&scope);
        let moved = super::normal::shifted(universe, &failure.bad, offset);
        let free: Vec<_> = failure.free.iter().map(|&v| super::normal::shift(v, offset)).collect();
        bad.extend(cubes(universe, system, &moved, &free).map_err(refusal)?);
        scope.clone_from(&universe.scope);
        let closed = free.iter().rev().fold(not(moved), |inner, &v| Formula::Forall(v, Box::new(inner)));
        parts.push(simplify(universe, &Facts::default(), &closed));
    }
    if universe.is_exhausted() {
        return Err(refusal(Reason::TooMuchWork));
    }
    let bad = super::normal::without_subsumed(bad);
    let (scope, formula) = finish(universe, &and(parts));
    let line = model.program.origin(assertion.span).line;
    let what = if assertion.error { "error" } else { "assert" };
    Ok(Property {
        name: if assertion.message.is_empty() { format!("{what} at line {line}") } else { assertion.message.clone() },
        kind: if assertion.error { PropertyKind::Error } else { PropertyKind::Assert },
        scope,
        formula,
        bad,
        origin: model.program.origin(assertion.span),
    })
}

fn finish(universe: &Universe, formula: &Formula) -> (Vec<IndexVariable>, Formula) {
    let mut scope = Scope::new(universe, &[], formula, &[]);
    let formula = scope.formula(formula);
    (scope.into_variables(), formula)
}
