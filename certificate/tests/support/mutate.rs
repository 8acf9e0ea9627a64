//! Wrong protocols: every change of one place in a rule.

use system::System;
use system::{Formula, IndexTerm, IndexVariable, IndexVariableId, Rule, Term, Value, VariableId};

/// Systems that differ from the given one in one place of one rule.
pub(crate) fn mutants(system: &System) -> Vec<System> {
    wrong_rules(system).into_iter().map(|(position, rule)| with_rule(system, position, rule)).collect()
}

/// For each rule, the rules that differ from it in one place.
pub(crate) fn wrong_rules(system: &System) -> Vec<(usize, Rule)> {
    let all = system.rules.iter().enumerate();
    all.flat_map(|(position, rule)| rules(system, rule).into_iter().map(move |wrong| (position, wrong))).collect()
}

/// The system with another rule at the position.
pub(crate) fn with_rule(system: &System, position: usize, rule: Rule) -> System {
    let mut system = system.clone();
    system.rules[position] = rule;
    system
}

fn rules(system: &System, rule: &Rule) -> Vec<Rule> {
    let mut all = Vec::new();
    for guard in formulas(system, &rule.scope, &rule.guard, true) {
        let mut changed = rule.clone();
        changed.guard = guard;
        all.push(changed);
    }
    for position in 0..rule.updates.len() {
        let mut shorter = rule.clone();
        shorter.updates.remove(position);
        all.push(shorter);
        for value in values(system, &rule.scope, &rule.updates[position].value) {
            let mut changed = rule.clone();
            changed.updates[position].value = value;
            all.push(changed);
        }
    }
    all
}

fn formulas(system: &System, scope: &[IndexVariable], formula: &Formula, guard: bool) -> Vec<Formula> {
    let mut all = vec![Formula::True, Formula::False];
    match formula {
        Formula::True | Formula::False => {}
        Formula::Equal(left, right) => {
            all.push(Formula::Not(Box::new(formula.clone())));
            all.extend(terms(system, scope, left).into_iter().map(|left| Formula::Equal(left, right.clone())));
            all.extend(terms(system, scope, right).into_iter().map(|right| Formula::Equal(left.clone(), right)));
        }
        Formula::AtMost(left, right, sum) => {
            let with = |sum| Formula::AtMost(left.clone(), right.clone(), sum);
            all.extend([with(sum + 1), with(sum - 1), Formula::AtMost(right.clone(), left.clone(), -sum - 1)]);
            all.push(Formula::AtMost(right.clone(), left.clone(), *sum));
            all.extend(terms(system, scope, left).into_iter().map(|left| Formula::AtMost(left, right.clone(), *sum)));
            all.extend(terms(system, scope, right).into_iter().map(|right| Formula::AtMost(left.clone(), right, *sum)));
        }
        Formula::Not(inner) => {
            all.push((**inner).clone());
            let keeps_form = |inner: &Formula| !guard || matches!(inner, Formula::Equal(..));
            let inner = formulas(system, scope, inner, guard).into_iter().filter(keeps_form);
            all.extend(inner.map(|inner| Formula::Not(Box::new(inner))));
        }
        Formula::And(parts) | Formula::Or(parts) => {
            let conjunction = matches!(formula, Formula::And(_));
            let make = |parts, conjunction| if conjunction { Formula::And(parts) } else { Formula::Or(parts) };
            all.push(make(parts.clone(), !conjunction));
            for position in 0..parts.len() {
                for part in formulas(system, scope, &parts[position], guard) {
                    let mut parts = parts.clone();
                    parts[position] = part;
                    all.push(make(parts, conjunction));
                }
            }
        }
        Formula::Forall(variable, body) | Formula::Exists(variable, body) => {
            let bodies = formulas(system, scope, body, guard).into_iter();
            all.extend(bodies.map(|body| Formula::Forall(*variable, Box::new(body))));
        }
    }
    all
}

fn values(system: &System, scope: &[IndexVariable], value: &Value) -> Vec<Value> {
    let mut all = vec![Value::Arbitrary];
    match value {
        Value::Arbitrary => {}
        Value::Term(term) => all.extend(terms(system, scope, term).into_iter().map(Value::Term)),
        Value::Sum(term, sum) => {
            all.extend([sum - 1, sum + 1].map(|sum| Value::Sum(term.clone(), sum)));
            all.extend(terms(system, scope, term).into_iter().map(|term| Value::Sum(term, *sum)));
        }
        Value::If(condition, then, otherwise) => {
            let again =
                |c: &Formula, a: &Value, b: &Value| Value::If(c.clone(), Box::new(a.clone()), Box::new(b.clone()));
            all.extend([(**then).clone(), (**otherwise).clone(), again(condition, otherwise, then)]);
            all.extend(formulas(system, scope, condition, false).iter().map(|c| again(c, then, otherwise)));
            all.extend(values(system, scope, then).iter().map(|then| again(condition, then, otherwise)));
            all.extend(values(system, scope, otherwise).iter().map(|otherwise| again(condition, then, otherwise)));
        }
    }
    all
}

/// Terms of the same kind: other constants, other elements of the type.
fn terms(system: &System, scope: &[IndexVariable], term: &Term) -> Vec<Term> {
    match term {
        Term::Constant(constant) => {
            let own = system.sorts.iter().filter(|sort| sort.constants.contains(constant));
            let mut all: Vec<_> = own.flat_map(|sort| &sort.constants).filter(|other| *other != constant).collect();
            all.sort();
            all.dedup();
            all.into_iter().map(|other| Term::Constant(*other)).collect()
        }
        Term::Index(index) => indices(scope, *index).into_iter().map(Term::Index).collect(),
        Term::Zero => numbers(system).into_iter().map(|variable| Term::Read(variable, Vec::new())).collect(),
        Term::Read(variable, arguments) => {
            let mut all = Vec::new();
            if system.sort_of(*variable).numbers.is_some() {
                let of_others = numbers(system).into_iter().filter(|other| other != variable);
                all.extend(of_others.map(|other| Term::Read(other, Vec::new())).chain([Term::Zero]));
            }
            for position in 0..arguments.len() {
                for other in indices(scope, arguments[position]) {
                    let mut arguments = arguments.clone();
                    arguments[position] = other;
                    all.push(Term::Read(*variable, arguments));
                }
            }
            all
        }
    }
}

/// The numbers without arguments.
fn numbers(system: &System) -> Vec<VariableId> {
    let variables = (0..).map(VariableId).zip(&system.variables);
    let numbers = variables.filter(|(id, own)| own.arguments.is_empty() && system.sort_of(*id).numbers.is_some());
    numbers.map(|(id, _)| id).collect()
}

fn indices(scope: &[IndexVariable], index: IndexTerm) -> Vec<IndexTerm> {
    let IndexTerm::Variable(own) = index else {
        return vec![];
    };
    let wanted = scope[own.index()].index_type;
    (0..)
        .zip(scope)
        .filter(|(number, variable)| *number != own.0 && variable.index_type == wanted)
        .map(|(number, _)| IndexTerm::Variable(IndexVariableId(number)))
        .collect()
}
