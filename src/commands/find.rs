//! `find`: discovery only.

use certificate::proof::Certificate;
use invfinder::Verdict;
use proofgen::instances::no_execution;
use proofgen::trace;
use serde_json::{Value, json};
use system::front_end::Lowered;
use system::scope::{Scope, counted};

use super::check::outcome as covered;
use super::earlier::{Earlier, Tried};
use super::search::{check_sizes, executed, finite_numbers, search, set_threads, without_verdict};
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
    let earlier = Earlier::of(&arguments.search, Some(&arguments.out))?;
    let model = Model::read(&arguments.model.path, &arguments.model.settings, watch)?;
    model.tell_warnings();
    let lowered = model.lower(watch)?;
    let told = match find((arguments, earlier.as_ref()), (&model, &lowered), watch, &mut progress)? {
        Ok(told) => told,
        Err(reason) => match with_finite_numbers((arguments, earlier.as_ref()), &lowered, watch, &mut progress)? {
            Some(told) => told,
            None => {
                watch.finish();
                return inconclusive(as_json, &model.name, &reason);
            }
        },
    };
    tell(&told, as_json)?;
    Ok(told.0)
}

/// What is said, to programs and to people.
type Told = (Outcome, Value, String);

/// Searches again with numbers as they are in the model, if they may have more values.
fn with_finite_numbers(
    (arguments, earlier): (&FindArguments, Option<&Earlier>),
    free: &Lowered<'_>,
    watch: &Watchdog,
    progress: &mut Progress,
) -> anyhow::Result<Option<Told>> {
    let model = finite_numbers(&arguments.model.path, &arguments.model.settings, free, watch)?;
    let Some((model, lowered)) = model.as_ref().and_then(|model| Some((model, model.front_end.lower().ok()?))) else {
        return Ok(None);
    };
    Ok(find((arguments, earlier), (model, &lowered), watch, progress)?.ok())
}

/// Searches for invariants, and writes the certificate; or returns why there is neither a proof nor a violation.
fn find(
    (arguments, earlier): (&FindArguments, Option<&Earlier>),
    (model, lowered): (&Model, &Lowered<'_>),
    watch: &Watchdog,
    progress: &mut Progress,
) -> anyhow::Result<Result<Told, String>> {
    check_sizes(lowered.system, &arguments.search)?;
    let tried = Tried::new(earlier, &arguments.search, model, lowered)?;
    let found = search(lowered, model, (&arguments.search, &tried.cubes()), watch, progress);
    let executed = match &found.verdict {
        Verdict::Proven(certificate) => return Ok(Ok(proven(arguments, certificate, (model, lowered), watch)?)),
        Verdict::Violated(violation) => executed(violation, lowered, model, watch, progress)?,
        Verdict::Inconclusive(reason) => without_verdict((&found, reason), lowered, model, watch, progress),
    };
    let trace = match executed {
        Ok(counterexample) => counterexample.trace,
        Err(doubt) => return Ok(Err(doubt)),
    };
    watch.finish();
    let json = json!({
        "verdict": "violated",
        "property": trace.violates,
        "claim": Scope::of(lowered.system).value(),
        "trace": trace::value(&trace),
    });
    let text = format!("{}: '{}' is violated:\n{}", model.name, trace.violates, trace::text(&trace).trim_end());
    Ok(Ok((Outcome::Violated, json, text)))
}

/// Writes the certificate, and says what it is about. Whatever happens after it is written, it was found.
fn proven(
    arguments: &FindArguments,
    certificate: &Certificate,
    (model, lowered): (&Model, &Lowered<'_>),
    watch: &Watchdog,
) -> anyhow::Result<Told> {
    let bytes = certificate::write(certificate, lowered.system);
    let (invariants, scope) = (certificate.invariants.len(), Scope::of(lowered.system));
    let path = files::show(&arguments.out);
    let mut json = json!({
        "verdict": "found",
        "claim": scope.value(),
        "invariants": invariants,
        "certificate": { "path": path, "bytes": bytes.len() },
    });
    let found = counted(invariants, "invariant", "invariants");
    let first = format!("{}: {found}, certificate in {path}, not checked yet", model.name);
    let claim = format!("to be checked: {}", scope.proven());
    let mut lines: Vec<String> = [first, claim].into_iter().chain(scope.limits()).collect();
    let outcome = covered(&scope);
    let cut = (outcome, json.clone(), lines.join("\n  "));
    let as_json = arguments.reporting.json;
    watch.keep(
        move |_, _| {
            // A closed output has no reader to tell.
            let _ = tell(&cut, as_json);
            cut.0
        },
        || write_file(&arguments.out, bytes.as_bytes()),
    )?;
    watch.doing("looking for an initial state that satisfies what the model assumes");
    let no_execution = no_execution(&*model.front_end, lowered.system, &|| watch.go_on());
    watch.finish();
    if let Some(sentence) = no_execution {
        json["no_execution"] = json!(sentence);
        lines.retain(|line| *line != sentence);
        lines.insert(2, sentence);
    }
    Ok((outcome, json, lines.join("\n  ")))
}

fn tell((_, json, text): &Told, as_json: bool) -> std::io::Result<()> {
    if as_json { terminal::print_object(json.clone()) } else { terminal::print(&format!("{text}\n")) }
}

fn inconclusive(as_json: bool, name: &str, reason: &str) -> anyhow::Result<Outcome> {
    if as_json {
        terminal::print_object(json!({ "verdict": "inconclusive", "reason": reason }))?;
    } else {
        terminal::print(&format!("{name}: inconclusive: {reason}\n"))?;
    }
    Ok(Outcome::Inconclusive)
}
