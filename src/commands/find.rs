//! `find`: discovery only.

use invfinder::Verdict;
use serde_json::json;

use super::search::{search, set_threads};
use crate::arguments::FindArguments;
use crate::files::{self, write_file};
use crate::model::Model;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::terminal;

pub(super) fn run(arguments: &FindArguments) -> anyhow::Result<Outcome> {
    set_threads(&arguments.search)?;
    let mut progress = Progress::new(arguments.reporting.quiet);
    let model = Model::read(&arguments.model.path, &arguments.model.settings)?;
    let lowered = model.lower()?;
    let found = search(&lowered.system, &model, &arguments.search, &mut progress);
    let path = files::show(&arguments.out);
    let (outcome, json, text) = match &found.verdict {
        Verdict::Proven(certificate) => {
            let bytes = certificate::write(certificate, &lowered.system);
            write_file(&arguments.out, bytes.as_bytes())?;
            let invariants = certificate.invariants.len();
            (
                Outcome::Good,
                json!({ "verdict": "found", "invariants": invariants, "certificate": { "path": path, "bytes": bytes.len() } }),
                format!("{}: {invariants} invariants, certificate in {path}, not checked yet", model.name),
            )
        }
        Verdict::Violated(violation) => {
            let property = &lowered.system.properties[violation.property.index()].name;
            (
                Outcome::Violated,
                json!({ "verdict": "violated", "property": property }),
                format!("{}: '{property}' is violated; `verify` shows how", model.name),
            )
        }
        Verdict::Inconclusive(reason) => {
            let reason = found.reason(reason);
            (
                Outcome::Inconclusive,
                json!({ "verdict": "inconclusive", "reason": reason }),
                format!("{}: inconclusive: {reason}", model.name),
            )
        }
    };
    terminal::print(&if arguments.reporting.json { format!("{json}\n") } else { format!("{text}\n") })?;
    Ok(outcome)
}
