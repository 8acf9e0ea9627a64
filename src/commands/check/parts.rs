//! `check` in parts, the merge of their results, and the check of a single obligation step by step.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use certificate::Part;
use certificate::proof::{Certificate, InvariantId};
use certificate::{Explanation, FileIdentity, ShardResult, check_shard};
use serde_json::json;
use sha2::{Digest, Sha256};
use system::System;
use system::{PropertyId, RuleId, StartstateId};

use crate::limits::Watchdog;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::{files, terminal};

/// Checks one part, and writes its result.
pub(super) fn check(
    system: &System,
    (certificate, relations): (&Certificate, u64),
    model: &Model,
    bytes: &[u8],
    (shard, of): (u32, u32),
    out: &Path,
    watch: &Watchdog,
) -> anyhow::Result<Outcome> {
    watch.doing("checking the certificate");
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let file = FileIdentity { sha256, relations };
    let result = check_shard(system, certificate, &model.identity, &file, shard, of)?;
    watch.finish();
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
    if as_json {
        terminal::print_object(json!({
            "verdict": "accepted",
            "covers": super::covers(&merged.scope),
            "claim": merged.scope.value(),
            "properties": merged.scope.properties,
            "certificate": merged.certificate,
            "model": merged.model,
            "settings": merged.settings,
            "relations": merged.relations,
            "parts": results.len(),
            "faults": [],
        }))?;
        return Ok(super::outcome(&merged.scope));
    }
    let parts = results.len();
    terminal::print(&format!(
        "certificate {}: {}\nfor model {} with settings [{}]\n{} obligations in {parts} parts\n{}",
        merged.certificate,
        super::verdict(&merged.scope),
        merged.model,
        merged.settings.join(", "),
        merged.relations,
        super::claim_text(&merged.scope, None)
    ))?;
    Ok(super::outcome(&merged.scope))
}

/// Shows the check of a rule and an invariant, of a startstate and an invariant, or of a property step by step.
pub(super) fn explain(
    system: &System,
    certificate: &Certificate,
    wanted: &str,
    as_json: bool,
    watch: &Watchdog,
) -> anyhow::Result<Outcome> {
    watch.doing("checking the obligation");
    let explanations = explanations(system, certificate, wanted)?;
    watch.finish();
    let good = explanations.iter().all(|explanation| explanation.problems.is_empty());
    let text = if as_json {
        format!("{}\n", serde_json::to_string(&explanations)?)
    } else {
        let mut text = String::new();
        for explanation in &explanations {
            show(explanation, &mut text)?;
        }
        if explanations.is_empty() {
            writeln!(text, "property {wanted}: no state can violate its formula, so there is nothing to be shown")?;
        }
        text
    };
    terminal::print(&text)?;
    Ok(if good { Outcome::Good } else { Outcome::Rejected })
}

/// All that goes by the name: rules and startstates with the number of an invariant behind a colon, properties without.
fn explanations(system: &System, certificate: &Certificate, wanted: &str) -> anyhow::Result<Vec<Explanation>> {
    let mut all = Vec::new();
    let about = wanted.rsplit_once(':').and_then(|(name, number)| Some((name, InvariantId(number.parse().ok()?))));
    if let Some((name, invariant)) = about {
        let rules = (0..).map(RuleId).zip(&system.rules);
        let rules = rules.filter(|(id, rule)| rule.name == name || id.0.to_string() == name).map(|(id, _)| id);
        let startstates = (0..).map(StartstateId).zip(&system.startstates);
        let startstates = startstates.filter(|(_, startstate)| startstate.name == name).map(|(id, _)| id);
        let (rules, startstates): (Vec<_>, Vec<_>) = (rules.collect(), startstates.collect());
        if invariant.index() >= certificate.invariants.len() && !(rules.is_empty() && startstates.is_empty()) {
            anyhow::bail!(
                "there is no invariant {}; the certificate has {}",
                invariant.0,
                certificate.invariants.len()
            );
        }
        for rule in rules {
            all.extend(certificate::explain(system, certificate, rule, invariant)?);
        }
        for startstate in startstates {
            all.extend(certificate::explain_startstate(system, certificate, startstate, invariant)?);
        }
    }
    let mut found = !all.is_empty();
    for (id, _) in (0..).map(PropertyId).zip(&system.properties).filter(|(_, property)| property.name == wanted) {
        // A property that no state can violate has no cubes.
        found = true;
        all.extend(certificate::explain_property(system, certificate, id)?);
    }
    if !found {
        match about {
            Some((name, _)) => anyhow::bail!("there is no rule and no startstate '{name}', and no property '{wanted}'"),
            None => anyhow::bail!(
                "there is no property '{wanted}'; of rules and startstates the number of an invariant is needed, too, as in \
                 '{wanted}:0'"
            ),
        }
    }
    Ok(all)
}

fn show(explanation: &Explanation, text: &mut String) -> std::fmt::Result {
    let Explanation { name, case, line, invariant, .. } = explanation;
    let case = if case.is_empty() { String::new() } else { format!(" [{case}]") };
    match explanation.place {
        Part::Property => write!(text, "property {name} (line {line}), cube {invariant}")?,
        Part::Initial => write!(text, "startstate {name} (line {line}), invariant {invariant}")?,
        Part::System | Part::Header | Part::Invariant | Part::Relation => {
            write!(text, "rule {name}{case} (line {line}), invariant {invariant}")?
        }
    }
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
    let due: String = explanation.due.iter().map(|due| format!("{}: ", due.name())).collect();
    writeln!(text, "  {due}{}", explanation.reason)?;
    for problem in &explanation.problems {
        writeln!(text, "  FAULT: {problem}")?;
    }
    Ok(())
}
