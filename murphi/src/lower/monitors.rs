//! Monitors: variables that record violations of properties that cubes cannot express.
//!
//! There are three kinds of these. An assertion that a startstate reaches is violated where no state exists yet. What the
//! negation of a property says about all elements may have too many clauses ([`Reason::TooManyClauses`]). And the negation
//! may have too many cubes, as that of an assertion which thousands of paths reach. For these, the system gets a boolean
//! variable that no startstate and no rule of the model sets, rules that set it in exactly the
//! states that violate the property, and the property that it is never set. The guards of these rules may be universal,
//! like those of all rules. A state that violates the property is reachable exactly if one is reachable in which the
//! variable is set. (Such a monitor is the product with an automaton for the violation, as in Vardi and Wolper, "An
//! automata-theoretic approach to automatic program verification", 1986, for an automaton of two states.)

use super::logic::{Facts, simplify};
use super::model::Model;
use super::normal::{BelowForall, GuardCase, Purpose, cubes, guards};
use super::reason::Reason;
use super::rules::transition;
use super::universe::Universe;
use super::{Note, NoteKind};
use system::{
    FALSE, Formula, IndexVariable, IndexVariableId, NO_SOURCE, Origin, PathStep, Property, PropertyKind, Role, Rule,
    Startstate, System, TRUE, Term, Update, Value, Variable, VariableId,
};

/// States that violate a property: those in which the formula holds for some elements denoted by the free variables.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Violation {
    pub(super) scope: Vec<IndexVariable>,
    pub(super) free: Vec<IndexVariableId>,
    pub(super) bad: Formula,
}

/// What a monitor records.
pub(super) struct Monitored<'c> {
    pub(super) name: String,
    pub(super) kind: PropertyKind,
    pub(super) origin: Origin,
    pub(super) violations: &'c [Violation],
    /// The violations in startstates, which read no state variable. No state exists in which the execution of a
    /// startstate ends early, so it is represented by a startstate that sets the variable and leaves all others
    /// arbitrary.
    pub(super) starts: &'c [Violation],
}

/// Adds the variable and its rules to the system; returns the property that it is never set.
///
/// # Errors
/// Returns an error if a violation needs an `exists` below a `forall`; the system is then unchanged.
pub(super) fn monitor(
    model: &mut Model<'_>,
    universe: &mut Universe,
    system: &mut System,
    monitored: Monitored<'_>,
) -> Result<Property, Reason> {
    let variable = VariableId(super::universe::position(system.variables.len()));
    let Monitored { name, kind, origin, violations, starts } = monitored;
    let mut rules = Vec::new();
    for violation in violations {
        rules.extend(rules_of(universe, variable, violation, (&name, &origin))?);
    }
    let mut startstates = Vec::new();
    for violation in starts {
        startstates.extend(startstates_of(universe, system, violation, (&name, &origin))?);
    }
    if universe.is_exhausted() {
        return Err(Reason::TooMuchWork);
    }
    let own = free_name(model, system, &name, "violated");
    let sort = universe.sort("boolean", Vec::new(), vec![FALSE, TRUE]);
    system.sorts.clone_from(&universe.sorts);
    system.variables.push(Variable {
        name: own.clone(),
        arguments: Vec::new(),
        sort,
        path: vec![PathStep::Global(own.clone())],
        origin: origin.clone(),
    });
    universe.cells.truncate(universe.state_variables);
    universe.cell(sort, Vec::new());
    universe.state_variables += 1;
    for startstate in &mut system.startstates {
        startstate.updates.push(set(variable, Value::Term(Term::Constant(FALSE))));
    }
    for startstate in &mut startstates {
        startstate.updates.push(set(variable, Value::Term(Term::Constant(TRUE))));
    }
    system.startstates.extend(startstates);
    system.rules.extend(rules);
    model
        .notes
        .push(Note { kind: NoteKind::Monitor { property: name.clone(), variable: own }, origin: origin.clone() });
    let is = |truth| Formula::Equal(Term::Read(variable, Vec::new()), Term::Constant(truth));
    let bad = cubes(universe, system, (&is(TRUE), &[]), Purpose::Property)?;
    Ok(Property { name, kind, scope: Vec::new(), formula: is(FALSE), bad, origin })
}

/// Returns the rules that set the variable for this violation.
fn rules_of(
    universe: &mut Universe,
    variable: VariableId,
    violation: &Violation,
    (name, origin): (&str, &Origin),
) -> Result<Vec<Rule>, Reason> {
    universe.scope.clone_from(&violation.scope);
    let violated = format!("{name} is violated");
    let bad = simplify(universe, &mut Facts::default(), &violation.bad);
    let cases = guards(universe, &bad, BelowForall::Refused)?;
    let mut rules = Vec::new();
    for (number, GuardCase { witnesses, guard }) in cases.iter().enumerate() {
        let parameters = [violation.free.clone(), witnesses.clone()].concat();
        let named = (violated.as_str(), origin.clone());
        let updates = [(variable, Vec::new(), Value::Term(Term::Constant(TRUE)))];
        rules.push(Rule {
            transition: transition(universe, named, &parameters, guard, &updates)?,
            case: if cases.len() > 1 { format!("disjunct {}", number + 1) } else { String::new() },
            source: NO_SOURCE,
        });
    }
    Ok(rules)
}

/// Returns the startstates that represent executions ended by this violation, without the value of the new variable.
fn startstates_of(
    universe: &mut Universe,
    system: &System,
    violation: &Violation,
    (name, origin): (&str, &Origin),
) -> Result<Vec<Startstate>, Reason> {
    universe.scope.clone_from(&violation.scope);
    let violated = format!("{name} is violated");
    let bad = simplify(universe, &mut Facts::default(), &violation.bad);
    let monitors = system.monitors();
    let mut startstates = Vec::new();
    for GuardCase { witnesses, guard } in guards(universe, &bad, BelowForall::Refused)? {
        let mut arbitrary = Vec::new();
        for (id, variable) in (0..).map(VariableId).zip(&system.variables) {
            if universe.is_parameter(id) {
                continue;
            }
            let value = if monitors.contains(&id) { Value::Term(Term::Constant(FALSE)) } else { Value::Arbitrary };
            let bound = |&over| universe.index_variable("", over, Role::Bound);
            let formals: Vec<IndexVariableId> = variable.arguments.iter().map(bound).collect();
            arbitrary.push((id, formals, value));
        }
        let parameters = [violation.free.clone(), witnesses.clone()].concat();
        let named = (violated.as_str(), origin.clone());
        startstates.push(Startstate { transition: transition(universe, named, &parameters, &guard, &arbitrary)? });
    }
    Ok(startstates)
}

fn set(variable: VariableId, value: Value) -> Update {
    Update { variable, arguments: Vec::new(), value }
}

/// Returns an unused name that is valid in a Murphi model: that of a rule or property, and what the variable says of it.
pub(super) fn free_name(model: &Model<'_>, system: &System, of: &str, says: &str) -> String {
    let words = of.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut base = words.collect::<Vec<_>>().join("_");
    if !base.starts_with(|c: char| c.is_ascii_alphabetic()) {
        base.insert_str(0, if says == "violated" { "property_" } else { "rule_" });
    }
    base.push('_');
    base.push_str(says);
    let program = model.program;
    let is_taken = |name: &str| {
        program.variables.iter().any(|variable| variable.name == name)
            || program.types.iter().any(|ty| ty.name.as_deref() == Some(name))
            || program.functions.iter().any(|function| function.name == name)
            || program.constants.iter().any(|(constant, _)| constant == name)
            || system.variables.iter().any(|variable| variable.name.trim_end_matches("[]") == name)
            || system.constants.iter().any(|constant| constant.name == name)
    };
    let numbered = (2_u32..).map(|number| format!("{base}_{number}"));
    std::iter::once(base.clone())
        .chain(numbered)
        .find(|name| !is_taken(name))
        .expect("the names that are taken are finitely many")
}
