//! Finds the rules that changed, and the arguments that changed.

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::Relation;
use system::{Formula, IndexTerm, IndexVariableId, Rule, Term, Value};

use super::translate::Translation;
use super::{Diff, RelationChange, RuleChange};
use crate::table::{Reader, premises};
use system::notation::Expression;

pub(super) fn compare(before: &Reader<'_>, after: &Reader<'_>, translation: &Translation<'_>, diff: &mut Diff) {
    let position = |reader: &Reader<'_>, name: &str| reader.rule_names.iter().position(|other| other == name);
    for (old, name) in before.rule_names.iter().enumerate() {
        match position(after, name) {
            None => diff.rules_removed.push(name.clone()),
            Some(new) if !same_rule(before, old, after, new, translation) => {
                diff.rules_changed.push(change(before, old, after, new));
            }
            Some(_) => {}
        }
    }
    let added = after.rule_names.iter().filter(|name| position(before, name).is_none());
    diff.rules_added = added.cloned().collect();
    compare_arguments(&before.rule_names, (&arguments(before), &arguments(after)), diff);
}

fn same_rule(before: &Reader<'_>, old: usize, after: &Reader<'_>, new: usize, translation: &Translation<'_>) -> bool {
    let (old, new) = (&before.system.rules[old], &after.system.rules[new]);
    let types: Vec<_> = new.scope.iter().map(|variable| variable.index_type).collect();
    old.parameters == new.parameters
        && translation.scope(&old.scope).as_ref() == Some(&types)
        && translation.formula(&old.guard).as_ref() == Some(&new.guard)
        && translation.updates(&old.updates).as_ref() == Some(&new.updates)
}

/// Finds what a reader has to look at: the parts of the guard and the effects whose text is in one rule only.
fn change(before: &Reader<'_>, old: usize, after: &Reader<'_>, new: usize) -> RuleChange {
    let (old_parts, new_parts) = (parts(before, old), parts(after, new));
    let lines = (before.system.rules[old].origin.line, after.system.rules[new].origin.line);
    RuleChange {
        rule: before.rule_names[old].clone(),
        lines,
        removed: old_parts.iter().filter(|part| !new_parts.contains(part)).cloned().collect(),
        added: new_parts.iter().filter(|part| !old_parts.contains(part)).cloned().collect(),
    }
}

/// Lists the conjuncts of the guard and the effects. In each of them, variables that are not parameters are named by
/// their order, since their own names depend on the rest of the rule.
fn parts(reader: &Reader<'_>, rule: usize) -> Vec<String> {
    let rule = &reader.system.rules[rule];
    let types: Vec<_> = rule.scope.iter().map(|variable| variable.index_type).collect();
    let formula = |formula: &Formula| {
        let mut found = Vec::new();
        in_formula(formula, &mut found);
        reader.notation.formula(formula, &names(rule, &found), &types).to_string()
    };
    let mut parts: Vec<String> = if let Formula::And(all) = &rule.guard {
        all.iter().map(formula).collect()
    } else {
        vec![formula(&rule.guard)]
    };
    for update in &rule.updates {
        let mut found = update.arguments.clone();
        update.value.visit_terms(&mut |term| in_term(term, &mut found));
        let names = names(rule, &found);
        let elements: Vec<String> = update.arguments.iter().map(|argument| names[argument.index()].clone()).collect();
        let left = reader.notation.read_at(update.variable, &elements);
        let formula = |formula: &Formula| reader.notation.formula(formula, &names, &types).to_string();
        parts.push(format!("{left} := {}", value(&update.value, reader, &names, &formula)));
    }
    parts
}

/// Names the scope of a rule: parameters keep their names, and each other variable in `found` gets one.
fn names(rule: &Rule, found: &[IndexVariableId]) -> Vec<String> {
    let mut names: Vec<String> = rule.scope.iter().map(|variable| variable.name.clone()).collect();
    let parameters = usize::try_from(rule.parameters).unwrap_or(usize::MAX).min(names.len());
    let mut taken: BTreeSet<String> = names[..parameters].iter().cloned().collect();
    let mut done = BTreeSet::new();
    for variable in found.iter().filter(|variable| variable.index() >= parameters) {
        if done.insert(*variable) {
            let base = names[variable.index()].trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
            let numbered = (2_u32..).map(|number| format!("{base}{number}"));
            let free = std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name));
            let name = free.expect("there are infinitely many candidates");
            taken.insert(name.clone());
            names[variable.index()] = name;
        }
    }
    names
}

/// Collects the variables in a formula, in the order in which they occur.
fn in_formula(formula: &Formula, found: &mut Vec<IndexVariableId>) {
    formula.visit(&mut |part| match part {
        Formula::Equal(left, right) | Formula::AtMost(left, right, _) => {
            [left, right].into_iter().for_each(|term| in_term(term, found))
        }
        Formula::Forall(variable, _) | Formula::Exists(variable, _) => found.push(*variable),
        Formula::True | Formula::False | Formula::Not(_) | Formula::And(_) | Formula::Or(_) => {}
    });
}

fn in_term(term: &Term, found: &mut Vec<IndexVariableId>) {
    found.extend(term.elements().iter().filter_map(|element| match element {
        IndexTerm::Variable(variable) => Some(*variable),
        IndexTerm::Named(_) => None,
    }));
}

fn value(given: &Value, reader: &Reader<'_>, names: &[String], formula: &dyn Fn(&Formula) -> String) -> String {
    match given {
        Value::Term(term) => reader.notation.term(term, names).to_string(),
        Value::Sum(term, number) => {
            let term = (*term != Term::Zero).then(|| reader.notation.term(term, names));
            Expression::sum(term, *number).to_string()
        }
        Value::Arbitrary => "undefined".to_owned(),
        Value::If(condition, then, otherwise) => {
            let (then, otherwise) = (value(then, reader, names, formula), value(otherwise, reader, names, formula));
            format!("if {} then {then} else {otherwise}", formula(condition))
        }
    }
}

/// The premises of the arguments, by rule and invariant.
pub(super) type Premises = BTreeMap<(String, u32), BTreeSet<u32>>;

fn arguments(reader: &Reader<'_>) -> Premises {
    let mut arguments = Premises::new();
    for entry in &reader.certificate.relations {
        if let Relation::Implied(argument) = &entry.relation {
            let rule = reader.rule_names[entry.rule.index()].clone();
            arguments.entry((rule, entry.invariant.0)).or_default().extend(premises(reader.certificate, argument));
        }
    }
    arguments
}

/// Finds the arguments whose premises differ, for rules and invariants that both sides have.
pub(super) fn compare_arguments(rules: &[String], (old, new): (&Premises, &Premises), diff: &mut Diff) {
    let numbers: BTreeMap<u32, u32> = diff.kept.iter().copied().collect();
    let empty = BTreeSet::new();
    for name in rules.iter().filter(|name| !diff.rules_removed.contains(name)) {
        for (&old_invariant, &new_invariant) in &numbers {
            let old_premises = old.get(&(name.clone(), old_invariant)).unwrap_or(&empty);
            let new_premises = new.get(&(name.clone(), new_invariant)).unwrap_or(&empty);
            let translated: BTreeSet<Option<u32>> =
                old_premises.iter().map(|number| numbers.get(number).copied()).collect();
            if translated == new_premises.iter().copied().map(Some).collect() {
                continue;
            }
            let tell = |number: &u32| numbers.get(number).map_or_else(|| format!("-{number}"), u32::to_string);
            diff.relations_changed.push(RelationChange {
                rule: name.clone(),
                before: old_invariant,
                after: new_invariant,
                premises_before: old_premises.iter().map(tell).collect(),
                premises_after: new_premises.iter().map(u32::to_string).collect(),
            });
        }
    }
}
