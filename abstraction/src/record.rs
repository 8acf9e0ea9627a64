//! Writes the abstract model, and the record of its strengthenings as JSON and Markdown.
//!
//! This module must not decide anything.

use std::collections::{BTreeMap, BTreeSet};

use certificate::CheckedCertificate;
use certificate::proof::{Relation, Symbol};
use serde_json::{Value, json};
use system::scope::Scope;

use super::build::{Built, Caution, build, claim};
use super::candidates::{Candidate, Says, Use};
use super::minimize::Chosen;
use super::skeleton::Skeleton;
use super::space::Space;
use super::symbolic::Element;
use super::text::{self, Entry};
use super::{Abstraction, CmpError, Figures, Options, Output, Refusal, Style, cube_parts, view_of};
use system::notation::Expression;

/// A name for each instance, unlike all others.
pub(super) fn rule_names(space: &Space<'_>, skeletons: &[Skeleton], case: impl Fn(&Skeleton) -> String) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    skeletons
        .iter()
        .map(|skeleton| {
            let mut name = skeleton.name.clone();
            let case = case(skeleton);
            if !case.is_empty() {
                name = format!("{name} [{case}]");
            }
            if let Some(others) = others(space, skeleton) {
                name = format!("ABS {name} ({others})");
            }
            let name: String =
                name.chars().map(|c| if matches!(c, '"' | '\\' | '\n' | '%') { '\'' } else { c }).collect();
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            if *count == 1 { name } else { format!("{name} #{count}") }
        })
        .collect()
}

/// Which parameters are others, as `src = Other, dst = Other`.
fn others(space: &Space<'_>, skeleton: &Skeleton) -> Option<String> {
    let others = skeleton.parameters.iter().filter_map(|(name, element, _)| match element {
        Element::Other(over, number) => Some(format!("{name} = {}", other_text(space, skeleton, *over, *number))),
        Element::Named(_) | Element::Shown(_) | Element::Generic => None,
    });
    let others: Vec<String> = others.collect();
    (!others.is_empty()).then(|| others.join(", "))
}

/// `Other`, with a number where several others take part.
fn other_text(space: &Space<'_>, skeleton: &Skeleton, over: system::IndexTypeId, number: u32) -> String {
    let name = &space.type_of(over).other;
    let several = skeleton.others().iter().any(|other| matches!(other, Element::Other(of, n) if *of == over && *n > 0));
    if several { format!("{name}{}", number + 1) } else { name.clone() }
}

/// The text of the model.
pub(super) fn model(
    abstraction: &Abstraction<'_>,
    space: &Space<'_>,
    active: &BTreeSet<usize>,
    caution: Caution,
    head: &[String],
) -> Result<String, Refusal> {
    let mut text = String::new();
    text::comments(head, &mut text);
    text.push_str(&space.declarations());
    text.push('\n');
    for (start, name) in abstraction.starts.iter().zip(&abstraction.start_names) {
        let mut built = build(space, start, &[], caution)?;
        // What is undefined at first needs no statement.
        built.body.retain(|statement| !only_undefines(statement));
        built.body = super::order::merged_loops(built.body);
        text::entry(&Entry { name, comments: Vec::new(), built: &built, is_start: true }, &mut text);
    }
    for position in 0..abstraction.rules.len() {
        let built = built(abstraction, space, position, active, caution)?;
        if is_dead(&built) {
            continue;
        }
        let comments = if head.is_empty() { Vec::new() } else { comments(abstraction, space, position, &built) };
        let name = &abstraction.names[position];
        text::entry(&Entry { name, comments, built: &built, is_start: false }, &mut text);
    }
    invariants(abstraction, space, active, &mut text);
    Ok(text)
}

fn only_undefines(statement: &super::order::Statement) -> bool {
    use super::order::Statement;
    match statement {
        Statement::Undefine(_) => true,
        Statement::For(_, _, body) => body.iter().all(only_undefines),
        Statement::Assign(..) | Statement::If(..) => false,
    }
}

/// Whether a guard is false by what strengthens it.
fn is_dead(built: &Built) -> bool {
    let never = Expression::Or(Vec::new());
    built.guard.contains(&never) || built.strengthening.iter().any(|(clause, _)| *clause == never)
}

fn built(
    abstraction: &Abstraction<'_>,
    space: &Space<'_>,
    position: usize,
    active: &BTreeSet<usize>,
    caution: Caution,
) -> Result<Built, Refusal> {
    let own = active.iter().filter(|at| abstraction.candidates[**at].skeleton == position);
    let used: Vec<(usize, &Candidate)> = own.map(|&at| (at, &abstraction.candidates[at])).collect();
    build(space, &abstraction.rules[position], &used, caution)
}

/// What is said about a rule in the model.
fn comments(abstraction: &Abstraction<'_>, space: &Space<'_>, position: usize, built: &Built) -> Vec<String> {
    let skeleton = &abstraction.rules[position];
    let rule = &space.system.rules[skeleton.source];
    let others = others(space, skeleton);
    let mut lines = vec![match &others {
        Some(others) => format!("Rule '{}' (line {}) where {others}.", rule.name, rule.origin.line),
        None => format!("Rule '{}' (line {}) of elements that are kept.", rule.name, rule.origin.line),
    }];
    if !built.dropped.is_empty() {
        lines.push(format!("Dropped from the guard: {}.", built.dropped.join("; ")));
    }
    lines.extend(built.chosen.iter().map(|(name, what)| format!("{name} is any value of {what}.")));
    let reasons = built.strengthening.iter().map(|(_, at)| at).chain(&built.values);
    for &at in reasons {
        let candidate = &abstraction.candidates[at];
        let verb = if candidate.is_value() { "Value known" } else { "Strengthened" };
        let uses = candidate
            .uses
            .iter()
            .map(|used| format!("inv_{} ({})", used.invariant.0, substitution(abstraction, skeleton, used)));
        lines.push(format!("{verb} by {}.", uses.collect::<Vec<_>>().join(" and ")));
    }
    lines
}

/// `i = Other, j = p`.
fn substitution(abstraction: &Abstraction<'_>, skeleton: &Skeleton, used: &Use) -> String {
    let space = &abstraction.space;
    let cube = abstraction.invariants[used.invariant.index()];
    let (variables, _) = cube_parts(space, cube);
    let pairs = variables.iter().zip(&used.elements).map(|((name, _), element)| {
        let text = match element {
            Element::Other(over, number) => other_text(space, skeleton, *over, *number),
            Element::Named(_) | Element::Shown(_) | Element::Generic => space.element(element).to_string(),
        };
        format!("{name} = {text}")
    });
    pairs.collect::<Vec<_>>().join(", ")
}

/// The properties, and the invariants that strengthenings use.
fn invariants(abstraction: &Abstraction<'_>, space: &Space<'_>, active: &BTreeSet<usize>, text: &mut String) {
    let view = view_of(space);
    for property in &space.system.properties {
        let cubes = property.bad.iter().map(|cube| {
            let (variables, equations) = cube_parts(space, cube);
            claim(&view, &variables, &equations)
        });
        let name: String = property.name.chars().map(|c| if c == '"' { '\'' } else { c }).collect();
        text::invariant(&name, &Expression::and(cubes.collect()), text);
    }
    for number in abstraction.used_invariants(active) {
        let (variables, equations) = cube_parts(space, abstraction.invariants[number]);
        text::invariant(&format!("inv_{number}"), &claim(&view, &variables, &equations), text);
    }
}

/// Everything about the chosen model.
pub(super) fn output(
    abstraction: &Abstraction<'_>,
    chosen: &Chosen,
    checked: &CheckedCertificate<'_>,
    options: &Options,
) -> Result<Output, CmpError> {
    let space = &abstraction.space;
    let rows = rows(abstraction, chosen, checked)?;
    let figures = figures(abstraction, chosen, &rows)?;
    let head = head(space, &figures);
    let model = match options.style {
        Style::Ranges => abstraction.model(&chosen.active, chosen.caution, &head)?,
        Style::Chou => {
            let other = space.in_style(options.style)?;
            model(abstraction, &other, &chosen.active, chosen.caution, &head)?
        }
    };
    let mut without = Vec::new();
    for row in rows.iter().filter(|_| options.weaker) {
        let mut fewer = chosen.active.clone();
        fewer.remove(&row.candidate);
        let told = format!("{}: {}", row.rule, row.clause);
        without.push((told, abstraction.model(&fewer, chosen.caution, &[])?));
    }
    Ok(Output {
        model,
        symmetric: abstraction.symmetric.clone(),
        json: as_json(&figures, &rows),
        markdown: as_markdown(&figures, &rows),
        lemmas: lemmas(abstraction, &rows)?,
        figures,
        without,
    })
}

fn head(space: &Space<'_>, figures: &Figures) -> Vec<String> {
    let kept: Vec<String> = space
        .types
        .iter()
        .filter(|shown| shown.abstracted)
        .map(|shown| {
            let named = if shown.named.is_empty() { String::new() } else { format!(" and {}", shown.named.join(", ")) };
            format!("{} elements of {}{named} are kept, {} stands for all others", shown.shown, shown.name, shown.other)
        })
        .collect();
    let mut head = vec![format!("An abstract model for any number of elements: {}.", kept.join("; "))];
    head.push("What the certificate says of the original model:".to_owned());
    head.extend(Scope::of(space.system).sentences().iter().map(|sentence| format!("  {sentence}")));
    head.extend([
        format!(
            "{} rules of kept elements, {} abstract rules, {} strengthenings by {} invariants of a checked certificate.",
            figures.concrete_rules, figures.abstract_rules, figures.strengthenings, figures.invariants
        ),
        "Method: Chou, Mannava and Park, 'A simple method for parameterized verification of cache coherence".to_owned(),
        "protocols', FMCAD 2004. Names and lines are those of the original model.".to_owned(),
        String::new(),
    ]);
    head
}

/// A strengthening as it is recorded.
struct Row {
    candidate: usize,
    rule: String,
    original: String,
    line: u32,
    others: String,
    clause: String,
    kind: &'static str,
    /// The invariant, its text, its substitution.
    invariants: Vec<(u32, String, String)>,
    /// What the original needs these invariants for in this rule.
    reasons: Vec<String>,
}

fn rows(abstraction: &Abstraction<'_>, chosen: &Chosen, checked: &CheckedCertificate<'_>) -> Result<Vec<Row>, Refusal> {
    let space = &abstraction.space;
    let notation = &space.notation;
    let mut rows = Vec::new();
    for position in 0..abstraction.rules.len() {
        let built = built(abstraction, space, position, &chosen.active, chosen.caution)?;
        let skeleton = &abstraction.rules[position];
        let rule = &space.system.rules[skeleton.source];
        let clauses = built.strengthening.iter().map(|(clause, at)| (*at, clause.to_string(), "guard"));
        let values = built.values.iter().map(|at| (*at, value_text(abstraction, *at), "value"));
        for (at, clause, kind) in clauses.chain(values) {
            let invariants = abstraction.candidates[at].uses.iter().map(|used| {
                let cube = abstraction.invariants[used.invariant.index()];
                let text = notation.invariant(cube, &notation.names(&cube.variables)).to_string();
                (used.invariant.0, text, substitution(abstraction, skeleton, used))
            });
            let invariants: Vec<_> = invariants.collect();
            rows.push(Row {
                candidate: at,
                rule: abstraction.names[position].clone(),
                original: rule.name.clone(),
                line: rule.origin.line,
                others: others(space, skeleton).unwrap_or_default(),
                clause,
                kind,
                reasons: reasons(checked, skeleton, &abstraction.candidates[at]),
                invariants,
            });
        }
    }
    Ok(rows)
}

fn value_text(abstraction: &Abstraction<'_>, at: usize) -> String {
    let candidate = &abstraction.candidates[at];
    let skeleton = &abstraction.rules[candidate.skeleton];
    let Says::Value { leaf, datum } = &candidate.says else { return String::new() };
    let leaves = super::candidates::leaves(abstraction.space.system, skeleton);
    let read = leaves.get(*leaf).map(|(read, _)| abstraction.space.told(read)).unwrap_or_default();
    format!("{read} is {}", abstraction.space.told(datum))
}

/// The invariants and properties that the original rule keeps by virtue of these invariants, according to the certificate.
fn reasons(checked: &CheckedCertificate<'_>, skeleton: &Skeleton, candidate: &Candidate) -> Vec<String> {
    let mut found = BTreeSet::new();
    for entry in &checked.certificate().relations {
        let Relation::Implied(argument) = &entry.relation else { continue };
        if entry.rule.index() != skeleton.source {
            continue;
        }
        let other =
            entry.matching.as_ref().is_some_and(|m| m.0.iter().any(|symbol| matches!(symbol, Symbol::Other(_))));
        let uses = argument
            .premises
            .iter()
            .any(|premise| candidate.uses.iter().any(|used| used.invariant == premise.invariant));
        if other && uses {
            found.insert(entry.invariant.0);
        }
    }
    found.into_iter().map(|number| format!("inv_{number}")).collect()
}

fn figures(abstraction: &Abstraction<'_>, chosen: &Chosen, rows: &[Row]) -> Result<Figures, Refusal> {
    let (mut concrete, mut with_other) = (0, 0);
    for (position, skeleton) in abstraction.rules.iter().enumerate() {
        let built = built(abstraction, &abstraction.space, position, &chosen.active, chosen.caution)?;
        if is_dead(&built) {
            continue;
        }
        *(if skeleton.others().is_empty() { &mut concrete } else { &mut with_other }) += 1;
    }
    let nodes = abstraction.space.types.iter().find(|shown| shown.abstracted).map_or(0, |shown| shown.shown);
    let invariants: BTreeSet<u32> = rows.iter().flat_map(|row| &row.invariants).map(|(number, ..)| *number).collect();
    Ok(Figures {
        concrete_rules: concrete,
        abstract_rules: with_other,
        strengthenings: rows.len(),
        invariants: invariants.len(),
        candidates: abstraction.candidates.len(),
        nodes,
        states: chosen.states,
        explorations: chosen.explorations,
    })
}

fn as_json(figures: &Figures, rows: &[Row]) -> String {
    let row = |row: &Row| -> Value {
        let invariants = row.invariants.iter().map(
            |(number, text, substitution)| json!({ "invariant": number, "says": text, "substitution": substitution }),
        );
        json!({
            "abstract_rule": row.rule,
            "rule": row.original,
            "line": row.line,
            "others": row.others,
            "kind": row.kind,
            "strengthening": row.clause,
            "invariants": invariants.collect::<Vec<_>>(),
            "needed_for": row.reasons,
        })
    };
    let object = json!({
        "version": 1,
        "nodes": figures.nodes,
        "concrete_rules": figures.concrete_rules,
        "abstract_rules": figures.abstract_rules,
        "candidates": figures.candidates,
        "states": figures.states,
        "strengthenings": rows.iter().map(row).collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&object).expect("the keys are strings");
    text.push('\n');
    text
}

fn as_markdown(figures: &Figures, rows: &[Row]) -> String {
    let mut text = format!("# Strengthenings of the abstract model\n\n{figures}.\n");
    let mut last = "";
    for row in rows {
        if row.rule != last {
            text.push_str(&format!(
                "\n## {}\n\nRule `{}`, line {}, where {}.\n",
                row.rule, row.original, row.line, row.others
            ));
        }
        last = &row.rule;
        let what = if row.kind == "value" { "Value" } else { "Guard" };
        text.push_str(&format!("\n- {what}: `{}`\n", row.clause));
        for (number, says, substitution) in &row.invariants {
            text.push_str(&format!("  - by inv_{number} ({substitution}): `{says}`\n"));
        }
        if !row.reasons.is_empty() {
            text.push_str(&format!("  - the original rule keeps {} by it\n", row.reasons.join(", ")));
        }
    }
    text
}

/// One lemma for each abstract rule: where its guard holds of an element that is not kept, its strengthenings hold.
fn lemmas(abstraction: &Abstraction<'_>, rows: &[Row]) -> Result<String, Refusal> {
    let space = &abstraction.space.of_original()?;
    let mut text = String::from(
        "-- Noninterference lemmas: what the invariants say where the guard of a rule holds for an element that is not\n\
         -- kept. Each can be added to the original model as an invariant; q, q2, ... are those elements.\n\n",
    );
    for (position, skeleton) in abstraction.rules.iter().enumerate() {
        let own: Vec<usize> = rows
            .iter()
            .filter(|row| row.kind == "guard" && abstraction.candidates[row.candidate].skeleton == position)
            .map(|row| row.candidate)
            .collect();
        if !own.is_empty() {
            text.push_str(&super::lemma::lemma(space, skeleton, &abstraction.names[position], &own, abstraction));
        }
    }
    Ok(text)
}
