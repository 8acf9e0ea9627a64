//! `check` in parts, the merge of their results, and the check of one rule and one invariant step by step.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use certificate::proof::{Certificate, InvariantId};
use certificate::{Explanation, FileIdentity, ShardResult, check_shard};
use protocol::System;
use protocol::system::RuleId;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::model::Model;
use crate::outcome::Outcome;
use crate::{files, terminal};

/// Checks one part, and writes what it came to.
pub(super) fn check(
    system: &System,
    (certificate, relations): (&Certificate, u64),
    model: &Model,
    bytes: &[u8],
    (shard, of): (u32, u32),
    out: &Path,
) -> anyhow::Result<Outcome> {
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let file = FileIdentity { sha256, relations };
    let result = check_shard(system, certificate, &model.identity, &file, shard, of)?;
    files::write_file(out, format!("{}\n", serde_json::to_string(&result)?).as_bytes())?;
    let faults = super::count_faults(result.faults.len());
    terminal::print(&format!("part {shard} of {of}: {} relations, {faults}\n", result.relations))?;
    Ok(if result.faults.is_empty() { Outcome::Good } else { Outcome::Rejected })
}

/// Puts the results of all parts together. Only a complete set counts; anything else is a mistake in the use.
pub(super) fn merge(paths: &[PathBuf], as_json: bool) -> anyhow::Result<Outcome> {
    let read = |path: &PathBuf| -> anyhow::Result<ShardResult> {
        let bytes = files::read_certificate(path)?;
        serde_json::from_slice(&bytes).with_context(|| format!("{}: is no result of a part", files::show(path)))
    };
    let results = paths.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    let merged = certificate::merge(&results)?;
    if !merged.faults.is_empty() {
        return super::rejected(&merged.faults, &merged.certificate, as_json);
    }
    let text = if as_json {
        let object = json!({
            "verdict": "accepted",
            "certificate": merged.certificate,
            "model": merged.model,
            "settings": merged.settings,
            "relations": merged.relations,
            "parts": results.len(),
            "faults": [],
        });
        format!("{object}\n")
    } else {
        let parts = results.len();
        format!(
            "certificate {}: accepted\nfor model {} with settings [{}]\n{} obligations in {parts} parts\n",
            merged.certificate,
            merged.model,
            merged.settings.join(", "),
            merged.relations
        )
    };
    terminal::print(&text)?;
    Ok(Outcome::Good)
}

/// Shows the check of a rule and an invariant step by step.
pub(super) fn explain(
    system: &System,
    certificate: &Certificate,
    wanted: &str,
    invariant: u32,
    as_json: bool,
) -> anyhow::Result<Outcome> {
    let named = |(id, rule): &(RuleId, &protocol::system::Rule)| rule.name == wanted || id.0.to_string() == wanted;
    let rules: Vec<RuleId> = (0..).map(RuleId).zip(&system.rules).filter(named).map(|(id, _)| id).collect();
    if rules.is_empty() {
        anyhow::bail!("there is no rule '{wanted}'");
    }
    let mut explanations = Vec::new();
    for rule in rules {
        explanations.extend(certificate::explain(system, certificate, rule, InvariantId(invariant))?);
    }
    let good = explanations.iter().all(|explanation| explanation.problems.is_empty());
    let text = if as_json {
        format!("{}\n", serde_json::to_string(&explanations)?)
    } else {
        let mut text = String::new();
        for explanation in &explanations {
            show(explanation, &mut text)?;
        }
        text
    };
    terminal::print(&text)?;
    Ok(if good { Outcome::Good } else { Outcome::Rejected })
}

fn show(explanation: &Explanation, text: &mut String) -> std::fmt::Result {
    let Explanation { rule, case, line, invariant, .. } = explanation;
    let case = if case.is_empty() { String::new() } else { format!(" [{case}]") };
    write!(text, "rule {rule}{case} (line {line}), invariant {invariant}")?;
    if let Some(matching) = &explanation.matching {
        let symbols: Vec<String> = matching.iter().map(|(name, symbol)| format!("{name} = {symbol}")).collect();
        write!(text, ", match [{}]", symbols.join(", "))?;
    }
    if let Some(branch) = explanation.branch {
        write!(text, ", branch {branch}")?;
    }
    writeln!(text, "\n  no state may satisfy: {}", explanation.cube.join(" & "))?;
    for (literal, alternatives) in explanation.cube.iter().zip(&explanation.after) {
        let alternatives: Vec<String> = alternatives
            .iter()
            .map(|facts| if facts.is_empty() { "always".to_owned() } else { facts.join(" & ") })
            .collect();
        let when = if alternatives.is_empty() { "never".to_owned() } else { alternatives.join(", or ") };
        writeln!(text, "  afterwards {literal}: {when}")?;
    }
    if !explanation.facts.is_empty() {
        writeln!(text, "  facts: {}", explanation.facts.join(" & "))?;
    }
    if !explanation.instances.is_empty() {
        writeln!(text, "  the guard for all elements: {}", explanation.instances.join(" & "))?;
    }
    for step in &explanation.steps {
        let case: String = step.case.iter().map(|number| format!("case {number}, ")).collect();
        let known = if step.known.is_empty() { String::new() } else { format!(": known {}", step.known.join(", ")) };
        let new = step.new.as_ref().map(|new| format!("; so {new}")).unwrap_or_default();
        let end = if step.ends { "; contradiction" } else { "" };
        writeln!(text, "  {case}{}{known}{new}{end}", step.used)?;
    }
    writeln!(text, "  {}: {}", explanation.due.name(), explanation.reason)?;
    for problem in &explanation.problems {
        writeln!(text, "  FAULT: {problem}")?;
    }
    Ok(())
}
