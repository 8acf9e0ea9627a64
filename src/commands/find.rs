//! `find`: discovery only.

use invfinder::Verdict;
use proofgen::trace;
use serde_json::json;
use system::scope::{Scope, counted};

use super::check::outcome as covered;
use super::search::{check_sizes, executed, search, set_threads};
use crate::arguments::FindArguments;
use crate::files::{self, write_file};
use crate::limits::Watchdog;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::terminal;

pub(super) fn run(arguments: &FindArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    set_threads(&arguments.search)?;
    let (name, as_json) = (files::show(&arguments.model.path), arguments.reporting.json);
    watch.say_if_cut(move |reason, _| {
        // A closed output has no reader to tell.
        let _ = inconclusive(as_json, &name, reason);
        Outcome::Inconclusive
    });
    let mut progress = Progress::new(arguments.reporting.quiet);
    let model = Model::read(&arguments.model.path, &arguments.model.settings, watch)?;
    model.tell_warnings();
    let lowered = model.lower(watch)?;
    check_sizes(lowered.system, &arguments.search)?;
    let found = search(lowered.system, &model, &arguments.search, watch, &mut progress);
    let path = files::show(&arguments.out);
    let (outcome, json, text) = match &found.verdict {
        Verdict::Proven(certificate) => {
            watch.finish();
            let bytes = certificate::write(certificate, lowered.system);
            write_file(&arguments.out, bytes.as_bytes())?;
            let (invariants, scope) = (certificate.invariants.len(), Scope::of(lowered.system));
            let json = json!({
                "verdict": "found",
                "claim": scope.value(),
                "invariants": invariants,
                "certificate": { "path": path, "bytes": bytes.len() },
            });
            let found = counted(invariants, "invariant", "invariants");
            let first = format!("{}: {found}, certificate in {path}, not checked yet", model.name);
            let claim = format!("to be checked: {}", scope.proven());
            let lines: Vec<String> = [first, claim].into_iter().chain(scope.limits()).collect();
            (covered(&scope), json, lines.join("\n  "))
        }
        Verdict::Violated(violation) => {
            let trace = executed(violation, &lowered, &model, watch, &mut progress)?;
            watch.finish();
            let trace = match trace {
                Ok(trace) => trace,
                Err(doubt) => return inconclusive(arguments.reporting.json, &model.name, &doubt),
            };
            (
                Outcome::Violated,
                json!({
                    "verdict": "violated",
                    "property": trace.violates,
                    "claim": Scope::of(lowered.system).value(),
                    "trace": trace::value(&trace),
                }),
                format!("{}: '{}' is violated:\n{}", model.name, trace.violates, trace::text(&trace).trim_end()),
            )
        }
        Verdict::Inconclusive(reason) => {
            watch.finish();
            return inconclusive(arguments.reporting.json, &model.name, &found.reason(reason, lowered.system));
        }
    };
    if arguments.reporting.json {
        terminal::print_object(json)?;
    } else {
        terminal::print(&format!("{text}\n"))?;
    }
    Ok(outcome)
}

fn inconclusive(as_json: bool, name: &str, reason: &str) -> anyhow::Result<Outcome> {
    if as_json {
        terminal::print_object(json!({ "verdict": "inconclusive", "reason": reason }))?;
    } else {
        terminal::print(&format!("{name}: inconclusive: {reason}\n"))?;
    }
    Ok(Outcome::Inconclusive)
}
