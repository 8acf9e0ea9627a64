//! Properties whose violation a variable records, as the model states them.
//!
//! Such a property says of its variable that it is never set. The theorem states, in terms of the model's own state
//! variables, that no rule that sets the variable is ever enabled. The proof needs the fact that a state in which such
//! a rule is enabled has a successor in which the variable is set. This module must not depend on the certificate, so
//! that the theorem is the same in both styles.

use std::collections::BTreeSet;

use minijinja::{Value as Json, context};
use system::{
    Cube, Formula, IndexTypeId, IndexVariableId, Literal, NO_SOURCE, Property, Rule, Term as Side, VariableId,
};

use super::super::definitions::Definitions;
use super::super::term::Term;
use super::super::translate::{self, Reader};
use super::super::{Source, print, text};
use super::parts::negation;

/// The variable that records a violation of the property, if there is one: the property is that it is never set.
fn variable(source: Source<'_>, property: &Property) -> Option<VariableId> {
    match property.bad.as_slice() {
        [Cube { variables, literals, universals }] if variables.is_empty() && universals.is_empty() => {
            match literals.as_slice() {
                [Literal { left: Side::Read(variable, _), .. }] => source.system.monitors().get(variable).copied(),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What the template needs for the theorem; `None` for a property without such a variable. It is also `None` if a
/// startstate sets the variable: a theorem about rules only would then be weaker than the property, so that the theorem
/// is that the variable is never set.
pub(in super::super) fn theorem(
    source: Source<'_>,
    definitions: Definitions<'_>,
    property: &Property,
    name: &str,
) -> Option<Json> {
    let words = source.words;
    let variable = variable(source, property)?;
    let rules = source.system.rules.iter().zip(&words.rules);
    let noting = rules.filter(|(rule, _)| rule.source == NO_SOURCE && writes(rule, variable)).collect::<Vec<_>>();
    let by_start = source.system.startstates.iter().any(|start| source.system.noted_by(start) == Some(variable));
    if by_start || noting.is_empty() {
        return None;
    }
    let statement = Term::conjunction(noting.iter().map(|(rule, _)| never(source, rule)).collect());
    let rules = noting.iter().map(|(rule, word)| {
        let names = &words.scope(&rule.scope)[..rule.parameters as usize];
        let typed = names.iter().zip(kinds(rule)).map(|(name, kind)| translate::is_element(words, name, kind));
        let arguments = words.fixed.iter().chain(names).map(Term::name);
        let guard = Term::call(format!("{word}_guard"), arguments.chain([Term::name("s")]).collect());
        context! {
            word,
            fixed => names,
            ranges => typed.map(|range| text::quoted(&range, 10)).collect::<Vec<_>>(),
            guard => text::quoted(&guard, 10),
            never => text::quoted(&Term::negation(guard), 10),
            pair => text::quoted(&definitions.rule_pair(word, names), 10),
        }
    });
    Some(context! {
        name => format!("{name}_is_never_noted"),
        variable => words.variables[variable.index()],
        number => variable.0,
        statement => text::quoted(&statement, 8),
        assumption => definitions.assumption().map(|assumption| print::term(&assumption, 0, 0)),
        unfolded => unfolded(source, definitions),
        rules => rules.collect::<Vec<_>>(),
    })
}

/// The definitions by which a state satisfies the assumptions if another one does that differs from it in nothing that
/// they read.
fn unfolded(source: Source<'_>, definitions: Definitions<'_>) -> String {
    let words = source.words;
    let mut read = BTreeSet::new();
    for (axiom, _) in definitions.assumptions() {
        axiom.formula.visit_terms(&mut |term| {
            if let Side::Read(variable, _) = term {
                read.insert(*variable);
            }
        });
    }
    let variables = read.iter().map(|variable| &words.variables[variable.index()]);
    let names = definitions.assumptions().map(|(_, name)| name).chain(variables).map(|name| format!(" {name}_def"));
    format!("assumed_def{}", names.collect::<String>())
}

fn writes(rule: &Rule, variable: VariableId) -> bool {
    rule.updates.iter().any(|update| update.variable == variable)
}

fn kinds(rule: &Rule) -> impl Iterator<Item = IndexTypeId> + '_ {
    rule.scope.iter().take(rule.parameters as usize).map(|parameter| parameter.index_type)
}

/// The proposition that the rule's guard fails for all parameters.
fn never(source: Source<'_>, rule: &Rule) -> Term {
    let words = source.words;
    let names = words.scope(&rule.scope);
    let reader = Reader { system: source.system, words, scope: &rule.scope, names: &names, state: "s" };
    let variables = (0_u32..).map(IndexVariableId).take(rule.scope.len()).collect::<Vec<_>>();
    let parameters = variables.iter().take(rule.parameters as usize).rev();
    let holds = negation(&rule.guard, &variables);
    reader.property(&parameters.fold(holds, |body, id| Formula::Forall(*id, Box::new(body))))
}
