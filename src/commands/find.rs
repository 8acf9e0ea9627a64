//! `find`: discovery only.

use invfinder::Verdict;
use protocol::scope::{Scope, counted};
use serde_json::json;

use super::check::outcome as covered;
use super::search::{lowered, search, set_threads};
use crate::arguments::FindArguments;
use crate::files::{self, write_file};
use crate::model::Model;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::terminal;
use crate::watch::Watch;

pub(super) fn run(arguments: &FindArguments) -> anyhow::Result<Outcome> {
    set_threads(&arguments.search)?;
    let watch = Watch::start(&arguments.search.limits);
    let mut progress = Progress::new(arguments.reporting.quiet);
    let mut model = Model::read(&arguments.model.path, &arguments.model.settings)?;
    model.stop_at(watch.flag());
    model.tell_warnings();
    let lowered = match lowered(&model, &watch)? {
        Ok(lowered) => lowered,
        Err(stopped) => return inconclusive(arguments, &model, &stopped),
    };
    let found = search(&lowered.system, &model, &arguments.search, &watch, &mut progress);
    let path = files::show(&arguments.out);
    let (outcome, json, text) = match &found.verdict {
        Verdict::Proven(certificate) => {
            let bytes = certificate::write(certificate, &lowered.system);
            write_file(&arguments.out, bytes.as_bytes())?;
            let (invariants, scope) = (certificate.invariants.len(), Scope::of(&lowered.system));
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
            let property = &lowered.system.properties[violation.property.index()].name;
            (
                Outcome::Violated,
                json!({ "verdict": "violated", "property": property, "claim": Scope::of(&lowered.system).value() }),
                format!("{}: '{property}' is violated; `verify` shows how", model.name),
            )
        }
        Verdict::Inconclusive(reason) => {
            return inconclusive(arguments, &model, &found.reason(reason, &lowered.system));
        }
    };
    terminal::print(&if arguments.reporting.json { format!("{json}\n") } else { format!("{text}\n") })?;
    Ok(outcome)
}

fn inconclusive(arguments: &FindArguments, model: &Model, reason: &str) -> anyhow::Result<Outcome> {
    terminal::print(&if arguments.reporting.json {
        format!("{}\n", json!({ "verdict": "inconclusive", "reason": reason }))
    } else {
        format!("{}: inconclusive: {reason}\n", model.name)
    })?;
    Ok(Outcome::Inconclusive)
}
