//! Transactions: which rule enables which other rule, as the figures of papers on protocols show a read or a write.
//!
//! A rule *sends* a value if it may assign to a state variable a constant that no startstate assigns to it. Another
//! rule *takes* the value if its guard requires it and it may change the variable. Such a pair makes an arrow, since
//! messages pass from rule to rule in this way. A broken arrow stands for waiting: the guard requires of *all* elements
//! a value that the first rule assigns to one of them.
//!
//! This module reads rules and no states. An arrow therefore means that a rule may enable another one, not that it does
//! so in some reachable state. It distinguishes elements only by whether they are named.

use std::collections::{BTreeMap, BTreeSet};

use system::System;
use system::{ConstantId, Formula, IndexTerm, IndexVariableId, NamedId, Rule, Term, Update, Value, VariableId};

use crate::explain::ExplainError;
use crate::table::{rule_names, variable_name};

mod draw;

/// The arrows between rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    rules: Vec<Named>,
    arrows: Vec<Arrow>,
    /// The rules with which it begins, as positions.
    starts: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    name: String,
    line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Arrow {
    from: usize,
    to: usize,
    /// What is handed over: `Chan1.Cmd = ReqS`.
    values: Vec<String>,
    /// Whether the second rule waits for all elements.
    waits: bool,
}

/// What is known about an element: which one it is, or which ones it is not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Element {
    Is(NamedId),
    IsNot(BTreeSet<NamedId>),
}

impl Element {
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Is(one), Self::Is(other)) => one == other,
            (Self::Is(one), Self::IsNot(not)) | (Self::IsNot(not), Self::Is(one)) => !not.contains(one),
            (Self::IsNot(_), Self::IsNot(_)) => true,
        }
    }
}

/// A value of a state variable at elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    variable: VariableId,
    value: ConstantId,
    elements: Vec<Element>,
}

impl Fact {
    fn meets(&self, other: &Self) -> bool {
        (self.variable, self.value) == (other.variable, other.value)
            && self.elements.iter().zip(&other.elements).all(|(one, other)| one.meets(other))
    }
}

/// What a rule sends, takes and waits for.
struct Role {
    gives: BTreeSet<Fact>,
    takes: BTreeSet<Fact>,
    awaits: BTreeSet<Fact>,
}

impl Flow {
    /// Computes the flow of a system: from one rule (all its cases), or from all rules that take nothing.
    ///
    /// # Errors
    /// Returns an error if the system has no rule of that name.
    pub fn of(system: &System, start: Option<&str>) -> Result<Self, ExplainError> {
        let names = rule_names(system);
        let roles: Vec<Role> = system.rules.iter().map(|rule| role(system, rule)).collect();
        let initial = initial(system);
        let mut arrows = Vec::new();
        for (from, giver) in roles.iter().enumerate() {
            for (to, taker) in roles.iter().enumerate().filter(|(to, _)| *to != from) {
                arrows.extend(arrow(system, &initial, (from, giver), (to, taker)));
            }
        }
        let rules = system.rules.iter().zip(names);
        let rules: Vec<Named> = rules.map(|(rule, name)| Named { name, line: rule.origin.line }).collect();
        let starts: Vec<usize> = match start {
            Some(wanted) => {
                let is = |at: &usize| rules[*at].name == wanted || system.rules[*at].name == wanted;
                (0..rules.len()).filter(is).collect()
            }
            None => (0..rules.len()).filter(|at| arrows.iter().all(|arrow| arrow.to != *at)).collect(),
        };
        match (start, starts.is_empty()) {
            (Some(wanted), true) => Err(ExplainError::no_rule(wanted, system)),
            // If each rule follows another one, the flow begins with all of them.
            (None, true) => Ok(Self { starts: (0..rules.len()).collect(), rules, arrows }),
            (_, false) => Ok(Self { rules, arrows, starts }),
        }
    }

    /// Groups the rules by the number of arrows from the start to them.
    fn layers(&self) -> Vec<Vec<usize>> {
        let mut seen: BTreeSet<usize> = self.starts.iter().copied().collect();
        let mut layers = vec![self.starts.clone()];
        loop {
            let last = layers.last().map_or(&[][..], Vec::as_slice);
            let next = self.arrows.iter().filter(|arrow| last.contains(&arrow.from)).map(|arrow| arrow.to);
            let next: Vec<usize> = next.filter(|to| seen.insert(*to)).collect();
            if next.is_empty() {
                return layers;
            }
            layers.push(next);
        }
    }
}

/// The constants that startstates assign to each variable.
fn initial(system: &System) -> BTreeSet<(VariableId, ConstantId)> {
    let updates = system.startstates.iter().flat_map(|start| &start.updates);
    let constants = updates.flat_map(|update| {
        update.value.leaves().into_iter().filter_map(|leaf| match leaf {
            Some(Term::Constant(constant)) => Some((update.variable, *constant)),
            Some(Term::Index(_) | Term::Read(..) | Term::Zero) | None => None,
        })
    });
    constants.collect()
}

fn arrow(
    system: &System,
    initial: &BTreeSet<(VariableId, ConstantId)>,
    (from, giver): (usize, &Role),
    (to, taker): (usize, &Role),
) -> Option<Arrow> {
    let handed = |wanted: &BTreeSet<Fact>, rest: bool| -> BTreeSet<String> {
        let given = giver.gives.iter().filter(|fact| rest || !initial.contains(&(fact.variable, fact.value)));
        given.filter(|fact| wanted.iter().any(|other| fact.meets(other))).map(|fact| told(system, fact)).collect()
    };
    let taken = handed(&taker.takes, false);
    let waits = taken.is_empty();
    let values: Vec<String> = if waits { handed(&taker.awaits, true) } else { taken }.into_iter().collect();
    (!values.is_empty()).then_some(Arrow { from, to, values, waits })
}

fn told(system: &System, fact: &Fact) -> String {
    let name = variable_name(system, fact.variable);
    format!("{name} = {}", system.constants[fact.value.index()].name)
}

fn role(system: &System, rule: &Rule) -> Role {
    let mut asked = Asked { system, rule, facts: BTreeSet::new(), awaited: BTreeSet::new(), below: BTreeSet::new() };
    asked.formula(&rule.guard);
    let written: BTreeSet<VariableId> = rule.updates.iter().map(|update| update.variable).collect();
    let mut gives = BTreeSet::new();
    for update in &rule.updates {
        given((system, rule), update, &update.value, &BTreeMap::new(), &mut gives);
    }
    Role {
        gives,
        takes: asked.facts.into_iter().filter(|fact| written.contains(&fact.variable)).collect(),
        awaits: asked.awaited,
    }
}

/// Collects the values that an update may assign, with what its conditions say about the elements.
fn given(
    (system, rule): (&System, &Rule),
    update: &Update,
    value: &Value,
    known: &BTreeMap<IndexVariableId, IndexTerm>,
    gives: &mut BTreeSet<Fact>,
) {
    let values = match value {
        Value::Term(Term::Constant(constant)) => vec![*constant],
        // A copied value may be any value that both variables can have.
        Value::Term(Term::Read(source, _)) if *source != update.variable => {
            let own = &system.sort_of(update.variable).constants;
            system.sort_of(*source).constants.iter().copied().filter(|constant| own.contains(constant)).collect()
        }
        Value::Term(_) | Value::Sum(..) | Value::Arbitrary => Vec::new(),
        Value::If(condition, then, otherwise) => {
            let mut inner = known.clone();
            equations(condition, &update.arguments, &mut inner);
            given((system, rule), update, then, &inner, gives);
            given((system, rule), update, otherwise, known, gives);
            Vec::new()
        }
    };
    for value in values {
        let elements = update.arguments.iter().map(|argument| match known.get(argument) {
            Some(term) => element(rule, *term),
            None => Element::IsNot(BTreeSet::new()),
        });
        gives.insert(Fact { variable: update.variable, value, elements: elements.collect() });
    }
}

/// Collects the equations between arguments of an update and elements in a condition.
fn equations(condition: &Formula, arguments: &[IndexVariableId], known: &mut BTreeMap<IndexVariableId, IndexTerm>) {
    match condition {
        Formula::And(parts) => parts.iter().for_each(|part| equations(part, arguments, known)),
        Formula::Equal(Term::Index(one), Term::Index(other)) => {
            for (one, other) in [(one, other), (other, one)] {
                if let IndexTerm::Variable(variable) = one
                    && arguments.contains(variable)
                {
                    known.insert(*variable, *other);
                }
            }
        }
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Not(_)
        | Formula::Or(_)
        | Formula::Forall(..)
        | Formula::Exists(..) => {}
    }
}

/// What a rule's guard says about an element.
fn element(rule: &Rule, term: IndexTerm) -> Element {
    match term {
        IndexTerm::Named(named) => Element::Is(named),
        IndexTerm::Variable(variable) => {
            let mut not = BTreeSet::new();
            separated(&rule.guard, variable, &mut not);
            Element::IsNot(not)
        }
    }
}

fn separated(guard: &Formula, variable: IndexVariableId, not: &mut BTreeSet<NamedId>) {
    match guard {
        Formula::And(parts) => parts.iter().for_each(|part| separated(part, variable, not)),
        Formula::Not(part) => {
            if let Formula::Equal(Term::Index(one), Term::Index(other)) = &**part {
                match (one, other) {
                    (IndexTerm::Variable(v), IndexTerm::Named(n)) | (IndexTerm::Named(n), IndexTerm::Variable(v))
                        if *v == variable =>
                    {
                        not.insert(*n);
                    }
                    _ => {}
                }
            }
        }
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Or(_)
        | Formula::Forall(..)
        | Formula::Exists(..) => {}
    }
}

/// The values that a guard requires.
struct Asked<'a> {
    system: &'a System,
    rule: &'a Rule,
    facts: BTreeSet<Fact>,
    awaited: BTreeSet<Fact>,
    /// The variables that enclosing quantifiers bind.
    below: BTreeSet<IndexVariableId>,
}

impl Asked<'_> {
    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| self.formula(part)),
            Formula::Forall(variable, body) => {
                self.below.insert(*variable);
                self.formula(body);
                self.below.remove(variable);
            }
            Formula::Equal(..) | Formula::Not(_) => {
                let Some((variable, arguments, values)) = asked_values(self.system, formula) else { return };
                let elements: Vec<Element> = arguments.iter().map(|argument| element(self.rule, *argument)).collect();
                let all = arguments.iter().any(|argument| match argument {
                    IndexTerm::Variable(variable) => self.below.contains(variable),
                    IndexTerm::Named(_) => false,
                });
                let facts = if all { &mut self.awaited } else { &mut self.facts };
                facts.extend(values.into_iter().map(|value| Fact { variable, value, elements: elements.clone() }));
            }
            Formula::True | Formula::False | Formula::AtMost(..) | Formula::Exists(..) => {}
        }
    }
}

/// Returns the values that a formula about one state variable allows for it: one value, or all but one.
pub(crate) fn asked_values<'f>(
    system: &System,
    formula: &'f Formula,
) -> Option<(VariableId, &'f [IndexTerm], Vec<ConstantId>)> {
    let (equation, equal) = match formula {
        Formula::Not(part) => (&**part, false),
        other @ (Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::And(_)
        | Formula::Or(_)
        | Formula::Forall(..)
        | Formula::Exists(..)) => (other, true),
    };
    let Formula::Equal(Term::Read(variable, arguments), Term::Constant(constant)) = equation else { return None };
    let constants = system.sort_of(*variable).constants.iter().copied();
    Some((*variable, arguments, constants.filter(|other| (other == constant) == equal).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::mutual_exclusion;

    #[test]
    fn values_are_handed_over() {
        let system = mutual_exclusion(false);
        let flow = Flow::of(&system, None).unwrap();
        let text = flow.text();
        assert!(text.contains("Try"), "{text}");
        assert!(text.contains("n = T"), "{text}");
        assert!(flow.dot().starts_with("digraph"));
        assert!(flow.svg().contains("Crit"));
    }

    #[test]
    fn a_rule_that_does_not_exist_is_named() {
        let system = mutual_exclusion(false);
        assert_eq!(Flow::of(&system, Some("Nothing")), Err(ExplainError::Rule("Nothing".to_owned(), None)));
    }
}
