//! `check`: the independent checker.

mod parts;

use certificate::FaultReport;
use certificate::proof::{Certificate, Relation};
use protocol::System;
use serde_json::json;

use crate::arguments::CheckArguments;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::resources::{Stopwatch, peak_memory_bytes};
use crate::watch::{Stopped, Watch};
use crate::{files, interrupt, terminal};

pub(super) fn run(arguments: &CheckArguments, watch: &Watch) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    if let Some(files) = &arguments.merge {
        return parts::merge(files, arguments.json);
    }
    let (Some(path), Some(model)) = (&arguments.certificate, &arguments.model.path) else {
        anyhow::bail!("a certificate and its model are needed");
    };
    let mut times = Stopwatch::start();
    let model = Model::read(model, &arguments.model.settings, watch)?;
    let lowered = model.lower(watch)?;
    watch.doing("reading the certificate");
    let name = files::show(path);
    let bytes = files::read_certificate(path)?;
    let (shard, of) = arguments.shard.unwrap_or((1, 1));
    let read = times.time("read", || certificate::read_shard(&bytes, &lowered.system, shard, of));
    let (certificate, relations) = match read {
        Ok(read) => read,
        Err(error) => {
            watch.finish();
            return rejected_bytes(&error.to_string(), &name, arguments.json);
        }
    };
    if let (Some(shard), Some(out)) = (arguments.shard, &arguments.out) {
        return parts::check(&lowered.system, (&certificate, relations), &model, &bytes, shard, out, watch);
    }
    if let Some(wanted) = &arguments.explain {
        return parts::explain(&lowered.system, &certificate, wanted, arguments.json, watch);
    }
    watch.doing("checking the certificate");
    let check = || certificate::check_while(&lowered.system, &certificate, &model.identity, &|| watch.go_on());
    let faults = times.time("check", || check().err().unwrap_or_default());
    if super::interrupted(&faults) {
        return Err(Stopped.into());
    }
    watch.finish();
    if !faults.is_empty() {
        let reports: Vec<_> = faults.iter().map(|fault| fault.report(&lowered.system, &certificate)).collect();
        return rejected(&reports, &name, arguments.json);
    }
    accepted(&certificate, &lowered.system, &name, arguments.json, &times)?;
    Ok(Outcome::Good)
}

fn accepted(
    certificate: &Certificate,
    system: &System,
    name: &str,
    as_json: bool,
    times: &Stopwatch,
) -> anyhow::Result<()> {
    let counts = RelationCounts::of(certificate);
    let (invariants, obligations) = (certificate.invariants.len(), certificate.relations.len());
    let properties: Vec<&str> = system.properties.iter().map(|property| property.name.as_str()).collect();
    if as_json {
        let object = json!({
            "verdict": "accepted",
            "properties": properties,
            "invariants": invariants,
            "relations": counts.json(),
            "seconds": times.json(),
            "peak_memory_bytes": peak_memory_bytes(),
            "faults": [],
        });
        return Ok(terminal::print(&format!("{object}\n"))?);
    }
    let text = format!(
        "{name}: accepted\n{invariants} invariants, {obligations} obligations: {} hold after the rule, {} unaffected, {} \
         implied\nproven for any number of elements: {}\n",
        counts.holds_after,
        counts.unaffected,
        counts.implied,
        properties.join(", ")
    );
    Ok(terminal::print(&text)?)
}

fn rejected(reports: &[FaultReport], name: &str, as_json: bool) -> anyhow::Result<Outcome> {
    if as_json {
        let object = json!({ "verdict": "rejected", "faults": reports });
        terminal::print(&format!("{object}\n"))?;
    } else {
        let mut text = format!("{name}: rejected, {}\n", count_faults(reports.len()));
        for report in reports {
            text.push_str(&format!("{report}\n"));
        }
        terminal::print(&text)?;
    }
    Ok(Outcome::Rejected)
}

/// As a text.
fn count_faults(count: usize) -> String {
    format!("{count} fault{}", if count == 1 { "" } else { "s" })
}

/// What is no certificate at all is rejected as well.
fn rejected_bytes(problem: &str, name: &str, as_json: bool) -> anyhow::Result<Outcome> {
    if as_json {
        let faults: Vec<_> = problem.lines().map(|line| json!({ "place": "file", "found": line })).collect();
        terminal::print(&format!("{}\n", json!({ "verdict": "rejected", "faults": faults })))?;
    } else {
        let lines: Vec<String> = problem.lines().map(|line| format!("{name}: {line}\n")).collect();
        terminal::print(&format!("{name}: rejected\n{}", lines.concat()))?;
    }
    Ok(Outcome::Rejected)
}

/// How many obligations are met by which relation.
pub(super) struct RelationCounts {
    pub(super) holds_after: usize,
    pub(super) unaffected: usize,
    pub(super) implied: usize,
}

impl RelationCounts {
    pub(super) fn of(certificate: &Certificate) -> Self {
        let mut counts = Self { holds_after: 0, unaffected: 0, implied: 0 };
        for entry in &certificate.relations {
            match entry.relation {
                Relation::HoldsAfter => counts.holds_after += 1,
                Relation::Unaffected => counts.unaffected += 1,
                Relation::Implied(_) => counts.implied += 1,
            }
        }
        counts
    }

    pub(super) fn json(&self) -> serde_json::Value {
        json!({ "holds_after": self.holds_after, "unaffected": self.unaffected, "implied": self.implied })
    }
}
