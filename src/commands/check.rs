//! `check`: the independent checker.

mod parts;

use certificate::FaultReport;
use certificate::proof::{Certificate, Relation};
use proofgen::instances;
use serde_json::json;
use system::scope::{Coverage, Scope, counted};

use crate::arguments::CheckArguments;
use crate::limits::{Stopped, Watchdog};
use crate::model::Model;
use crate::outcome::Outcome;
use crate::resources::{Stopwatch, peak_memory_bytes};
use crate::{files, interrupt, terminal};

pub(super) fn run(arguments: &CheckArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
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
    let read = times.time("read", || certificate::read_shard(&bytes, lowered.system, shard, of));
    let (certificate, relations) = match read {
        Ok(read) => read,
        Err(error) => {
            watch.finish();
            return rejected_bytes(&super::told(&error, &bytes, &model), &name, arguments.json);
        }
    };
    if let (Some(shard), Some(out)) = (arguments.shard, &arguments.out) {
        return parts::check(lowered.system, (&certificate, relations), &model, &bytes, shard, out, watch);
    }
    if let Some(wanted) = &arguments.explain {
        return parts::explain(lowered.system, &certificate, wanted, arguments.json, watch);
    }
    watch.doing("checking the certificate");
    let check = || certificate::check_while(lowered.system, &certificate, &model.identity, &|| watch.go_on());
    let faults = times.time("check", || check().err().unwrap_or_default());
    if super::interrupted(&faults) {
        return Err(Stopped.into());
    }
    let no_execution = faults
        .is_empty()
        .then(|| instances::no_execution(&*model.front_end, lowered.system, &|| watch.go_on()))
        .flatten();
    watch.finish();
    if !faults.is_empty() {
        let reports: Vec<_> = faults.iter().map(|fault| fault.report(lowered.system, &certificate)).collect();
        return rejected(&reports, &name, arguments.json);
    }
    let claim = Claimed { scope: Scope::of(lowered.system), no_execution };
    accepted(&certificate, &claim, &name, arguments.json, &times)
}

/// What an accepted certificate says.
struct Claimed {
    scope: Scope,
    /// That it is, or may be, about no execution.
    no_execution: Option<String>,
}

fn accepted(
    certificate: &Certificate,
    Claimed { scope, no_execution }: &Claimed,
    name: &str,
    as_json: bool,
    times: &Stopwatch,
) -> anyhow::Result<Outcome> {
    let counts = RelationCounts::of(certificate);
    let (invariants, obligations) = (certificate.invariants.len(), certificate.relations.len());
    if as_json {
        let mut object = json!({
            "verdict": "accepted",
            "covers": covers(scope),
            "claim": scope.value(),
            "properties": scope.properties,
            "invariants": invariants,
            "relations": counts.json(),
            "seconds": times.json(),
            "peak_memory_bytes": peak_memory_bytes(),
            "faults": [],
        });
        if let Some(sentence) = no_execution {
            object["no_execution"] = json!(sentence);
        }
        terminal::print_object(object)?;
        return Ok(outcome(scope));
    }
    let text = format!(
        "{name}: {}\n{}, {}: {} hold after the rule, {} unaffected, {} implied\n{}",
        verdict(scope),
        counted(invariants, "invariant", "invariants"),
        counted(obligations, "obligation", "obligations"),
        counts.holds_after,
        counts.unaffected,
        counts.implied,
        claim_text(scope, no_execution.as_deref())
    );
    terminal::print(&text)?;
    Ok(outcome(scope))
}

/// That a certificate is accepted, and whether that is all that could be wanted.
fn verdict(scope: &Scope) -> &'static str {
    match scope.coverage() {
        Coverage::All => "accepted",
        Coverage::Part => "the certificate is accepted, but it does not cover all that the model states",
        Coverage::Nothing => "the certificate is accepted, but the model states nothing that it could cover",
    }
}

/// How much of what the model states is covered, for a program.
fn covers(scope: &Scope) -> &'static str {
    match scope.coverage() {
        Coverage::All => "all",
        Coverage::Part => "part",
        Coverage::Nothing => "nothing",
    }
}

/// What is proven for which sizes, and what is not, in lines.
fn claim_text(scope: &Scope, no_execution: Option<&str>) -> String {
    let properties = (!scope.properties.is_empty()).then(|| {
        format!(
            "{}: {}",
            if scope.properties.len() == 1 { "property" } else { "properties" },
            scope.properties.join(", ")
        )
    });
    let limits = scope.limits().into_iter().filter(|line| Some(line.as_str()) != no_execution);
    let first = std::iter::once(scope.proven()).chain(no_execution.map(str::to_owned));
    let lines = first.chain(properties).chain(limits);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Of a certificate that was accepted, or found: what it does not cover is not proven.
pub(super) fn outcome(scope: &Scope) -> Outcome {
    match scope.coverage() {
        Coverage::All => Outcome::Good,
        Coverage::Part | Coverage::Nothing => Outcome::Inconclusive,
    }
}

fn rejected(reports: &[FaultReport], name: &str, as_json: bool) -> anyhow::Result<Outcome> {
    if as_json {
        let object = json!({ "verdict": "rejected", "faults": reports });
        terminal::print_object(object)?;
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
    counted(count, "fault", "faults")
}

/// What is no certificate at all is rejected as well.
fn rejected_bytes(problem: &str, name: &str, as_json: bool) -> anyhow::Result<Outcome> {
    if as_json {
        let faults: Vec<_> = problem.lines().map(|line| json!({ "place": "file", "found": line })).collect();
        terminal::print_object(json!({ "verdict": "rejected", "faults": faults }))?;
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
