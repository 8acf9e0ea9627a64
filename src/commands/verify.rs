//! `verify`: find, certify, check, emit everything.

use std::path::Path;

use certificate::CheckedCertificate;
use certificate::proof::Certificate;
use invfinder::instance::Limits;
use invfinder::{Reason, Verdict};
use proofgen::attempt::Attempt;
use proofgen::isabelle::Style;
use proofgen::report::{Facts, Seen};
use proofgen::table::Options;
use proofgen::trace::Trace;
use protocol::System;
use protocol::lower::Lowered;
use protocol::system::{PropertyId, RuleId};
use serde_json::{Map, Value, json};

use super::check::RelationCounts;
use super::emit::{add_isabelle, add_report, add_tables, check_again, seen};
use super::search::{Found, search, set_threads, sizes_text};
use crate::arguments::VerifyArguments;
use crate::files::{self, OutputFolder};
use crate::instance::{build, told};
use crate::model::Model;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::resources::peak_memory_bytes;
use crate::terminal;

/// Files that say something about a run, and something false about the next one.
const RESULTS: [&str; 14] = [
    "inconclusive.html",
    "inconclusive.md",
    "certificate.json",
    "invariants.md",
    "invariants.csv",
    "relations.csv",
    "invariants.json",
    "invariants.tex",
    "invariants.m",
    "report.html",
    "trace.md",
    "trace.json",
    "trace.svg",
    "trace.txt",
];

pub(super) fn run(arguments: &VerifyArguments) -> anyhow::Result<Outcome> {
    set_threads(&arguments.search)?;
    let mut folder = arguments.out.as_deref().map(OutputFolder::create).transpose()?;
    let result = verify(arguments, folder.as_mut());
    let (outcome, summary) = match result {
        Ok(done) => done,
        Err(error) => {
            if let Some(folder) = folder {
                folder.discard();
            }
            return Err(error);
        }
    };
    if let Some(folder) = folder {
        if summary.has_results {
            folder.publish(&RESULTS)?;
        } else if summary.has_guess {
            folder.publish(&[])?;
        } else {
            // What an earlier run has found is not less true because this one found nothing.
            folder.discard();
        }
    }
    summary.print(arguments.reporting.json)?;
    Ok(outcome)
}

fn verify(arguments: &VerifyArguments, folder: Option<&mut OutputFolder>) -> anyhow::Result<(Outcome, Summary)> {
    let mut progress = Progress::new(arguments.reporting.quiet);
    let model = progress.stage("read", |_| Model::read(&arguments.model.path, &arguments.model.settings))?;
    let lowered = progress.stage("lower", |_| model.lower())?;
    let mut summary = Summary::new(&model, &lowered);
    let found = search(&lowered.system, &model, &arguments.search, &mut progress);
    summary.account(&lowered.system, &found);
    let outcome = match &found.verdict {
        Verdict::Proven(certificate) => {
            proven(arguments, &model, &lowered, certificate, folder, &mut progress, &mut summary)?
        }
        Verdict::Violated(violation) => violated(&model, &lowered, violation, folder, &mut progress, &mut summary)?,
        Verdict::Inconclusive(reason) => {
            let told = found.reason(reason);
            if let Reason::Unconfirmed { property, rules } = reason {
                failed_guess(&model, &lowered.system, (&told, *property, rules), &found, folder, &mut summary)?;
            }
            summary.inconclusive(&told)
        }
    };
    summary.times(&progress, &found);
    Ok((outcome, summary))
}

/// Tells what could not be shown, and which instance would decide it. What an earlier run has proven stays.
fn failed_guess(
    model: &Model,
    system: &System,
    (reason, property, rules): (&str, PropertyId, &[RuleId]),
    found: &Found,
    folder: Option<&mut OutputFolder>,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let attempt = Attempt::new(&model.stem, reason, &summary.sizes, found.account.complete);
    let attempt = attempt.with_chain(system, property, rules);
    summary.put("candidate", attempt.value());
    summary.lines.extend(attempt.guess().lines().map(str::to_owned));
    if let Some(folder) = folder {
        folder.add(Path::new("inconclusive.html"), attempt.html()?.as_bytes())?;
        folder.add(Path::new("inconclusive.md"), attempt.markdown().as_bytes())?;
        summary.has_guess = true;
    }
    Ok(())
}

/// States of an instance that are explored for a trace.
const TRACE_STATES: u64 = 5_000_000;

/// Finds the violation again by executing the Murphi statements, at the sizes of the model and then at those of the
/// instance that showed it. What is told has been executed.
fn violated(
    model: &Model,
    lowered: &Lowered,
    violation: &invfinder::Violation,
    folder: Option<&mut OutputFolder>,
    progress: &mut Progress,
    summary: &mut Summary,
) -> anyhow::Result<Outcome> {
    let system = &lowered.system;
    let sizes = system.index_types.iter().zip(&violation.sizes);
    let sizes: Vec<(String, u64)> = sizes.map(|(over, size)| (over.name.clone(), u64::from(*size))).collect();
    let other = model.at_sizes(&sizes);
    let limits = Limits { max_states: TRACE_STATES, ..Limits::default() };
    let trace = progress.stage("trace", |stage| -> anyhow::Result<Option<Trace>> {
        for program in std::iter::once(&model.program).chain(&other) {
            let instance = build(program, model.options())?;
            let exploration = instance.explore(&limits, true, &mut |figures| {
                stage.update(|| format!("{} states", figures.states));
                !crate::interrupt::requested()
            });
            if let Some(executed) = instance.counterexample(&exploration) {
                return Ok(Some(told(&instance, &executed)));
            }
        }
        Ok(None)
    })?;
    let property = &system.properties[violation.property.index()].name;
    let Some(trace) = trace else {
        let reason = format!(
            "an instance of the lowered system violates '{property}' after {} steps, but no execution of the model was found that does",
            violation.steps.len()
        );
        return Ok(summary.inconclusive(&reason));
    };
    summary.put("verdict", "violated");
    summary.put("property", trace.violates.clone());
    summary.put("trace", trace.value());
    summary.lines.push(format!("'{}' is violated:", trace.violates));
    summary.lines.extend(trace.text().lines().map(str::to_owned));
    if let Some(folder) = folder {
        folder.add(Path::new("trace.json"), trace.json().as_bytes())?;
        folder.add(Path::new("trace.txt"), trace.text().as_bytes())?;
        folder.add(Path::new("trace.md"), trace.markdown().as_bytes())?;
        folder.add(Path::new("trace.svg"), trace.svg().as_bytes())?;
        summary.has_results = true;
    }
    Ok(Outcome::Violated)
}

/// Writes the certificate, reads it again, checks it, and emits what follows from it.
fn proven(
    arguments: &VerifyArguments,
    model: &Model,
    lowered: &Lowered,
    found: &Certificate,
    folder: Option<&mut OutputFolder>,
    progress: &mut Progress,
    summary: &mut Summary,
) -> anyhow::Result<Outcome> {
    let system = &lowered.system;
    // What is checked is what a stranger will check: the bytes.
    let bytes = certificate::write(found, system);
    let certificate = match certificate::read(bytes.as_bytes(), system) {
        Ok(certificate) => certificate,
        Err(error) => return Ok(summary.inconclusive(&format!("the certificate cannot be read back: {error}"))),
    };
    let checked = match progress.stage("check", |_| certificate::check(system, &certificate, &model.identity)) {
        Ok(checked) => checked,
        Err(faults) => {
            for fault in &faults {
                terminal::note(&format!("{}: {}", model.name, fault.report(system)));
            }
            return Ok(summary.inconclusive("the checker rejects the certificate that the search made"));
        }
    };
    #[cfg(feature = "z3")]
    if let Some(doubt) = second_opinion(arguments, &checked, progress)? {
        return Ok(summary.inconclusive(&doubt));
    }
    summary.certificate(&checked, arguments.out.as_deref(), bytes.len());
    let instance = progress.stage("instance", |_| seen(model, &summary.sizes));
    summary.seen(instance);
    if let Some(folder) = folder {
        progress.stage("emit", |_| emit(folder, &bytes, &checked, model, summary))?;
        summary.has_results = true;
    }
    if let Some(refused) = lowered.refused_properties.first() {
        let reason = format!(
            "{} properties have no parameterized meaning, the first: {}; the others are proven",
            lowered.refused_properties.len(),
            refused.message
        );
        // The rest is proven, and what was emitted says so.
        return Ok(summary.inconclusive(&reason));
    }
    summary.put("verdict", "proven");
    Ok(Outcome::Good)
}

fn emit(
    folder: &mut OutputFolder,
    bytes: &str,
    checked: &CheckedCertificate<'_>,
    model: &Model,
    summary: &Summary,
) -> anyhow::Result<()> {
    folder.add(Path::new("certificate.json"), bytes.as_bytes())?;
    add_tables(folder, checked, &Options::default())?;
    let commands = vec![check_again("certificate.json", model)];
    add_report(folder, checked, &Facts { model: model.stem.clone(), instance: summary.seen.clone(), commands })?;
    add_isabelle(folder, Path::new("isabelle"), checked, &model.stem, Style::Lemmas)
}

/// What Z3 has to object, if anything.
#[cfg(feature = "z3")]
fn second_opinion(
    arguments: &VerifyArguments,
    checked: &CheckedCertificate<'_>,
    progress: &mut Progress,
) -> anyhow::Result<Option<String>> {
    use invfinder::smt::{self, SmtError};
    if arguments.smt.is_none() {
        return Ok(None);
    }
    let (system, certificate) = (checked.system(), checked.certificate());
    let answer = progress.stage("z3", |_| smt::second_opinion(system, certificate, &|| !crate::interrupt::requested()));
    match answer {
        Ok(_) => Ok(None),
        Err(SmtError::Disagreement(found)) => {
            for disagreement in &found {
                terminal::note(&format!("z3: {:?}", disagreement));
            }
            Ok(Some(format!("Z3 does not confirm {} obligations", found.len())))
        }
        Err(other) => Err(other.into()),
    }
}

/// What a run says at its end.
struct Summary {
    object: Map<String, Value>,
    lines: Vec<String>,
    sizes: Vec<(String, u64)>,
    /// Invariants before unnecessary ones were dropped.
    closed: usize,
    /// What the instance shows when the statements of the model are executed.
    seen: Option<Seen>,
    /// Whether there is something to be put into the folder.
    has_results: bool,
    /// Whether there is a guess that failed to be put there, beside what an earlier run has found.
    has_guess: bool,
}

impl Summary {
    fn new(model: &Model, lowered: &Lowered) -> Self {
        let system = &lowered.system;
        let rules = system.written_rules();
        let mut summary = Self {
            object: Map::new(),
            lines: Vec::new(),
            sizes: Vec::new(),
            closed: 0,
            seen: None,
            has_results: false,
            has_guess: false,
        };
        summary.put("verdict", "inconclusive");
        summary.put("model", model.name.clone());
        summary.put("rules", rules);
        summary.put("properties", system.properties.len());
        let names: Vec<&str> = system.index_types.iter().map(|over| over.name.as_str()).collect();
        summary.put("any_size", names.clone());
        let refused: Vec<&str> = lowered.refused_properties.iter().map(|refused| refused.message.as_str()).collect();
        summary.put("refused_properties", refused);
        summary.lines.push(format!("{rules} rules, {} properties", system.properties.len()));
        summary
    }

    fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.object.insert(key.to_owned(), value.into());
    }

    fn account(&mut self, system: &System, found: &Found) {
        let named = system.index_types.iter().zip(&found.account.sizes);
        self.sizes = named.map(|(over, size)| (over.name.clone(), u64::from(*size))).collect();
        let sizes: Map<String, Value> = self.sizes.iter().map(|(name, size)| (name.clone(), json!(size))).collect();
        let complete = found.account.complete;
        self.closed = found.account.figures.closed;
        self.put("oracle", json!({ "sizes": sizes, "states": found.account.states, "complete": complete }));
        let figures = found.account.figures;
        let search =
            json!({ "cubes": figures.visited, "generalized": figures.approximations, "undone": figures.undone });
        self.put("search", search);
        let part = if complete { "all" } else { "not all" };
        self.lines.push(format!(
            "oracle: an instance with {}, {} states ({part} of them)",
            sizes_text(system, &found.account.sizes),
            found.account.states
        ));
    }

    fn certificate(&mut self, checked: &CheckedCertificate<'_>, out: Option<&Path>, bytes: usize) {
        let certificate = checked.certificate();
        let counts = RelationCounts::of(certificate);
        self.put("invariants", certificate.invariants.len());
        self.put("invariants_found", self.closed);
        self.put("relations", counts.json());
        let path = out.map(|out| files::show(&out.join("certificate.json")));
        self.put("certificate", json!({ "path": path, "bytes": bytes }));
        self.lines.push(format!(
            "{} invariants, of {} found; {} obligations: {} hold after the rule, {} unaffected, {} implied",
            certificate.invariants.len(),
            self.closed,
            certificate.relations.len(),
            counts.holds_after,
            counts.unaffected,
            counts.implied
        ));
        let place = path.map_or_else(|| "not written (-o DIR)".to_owned(), |path| format!("in {path}"));
        self.lines.push(format!("certificate of {bytes} bytes, accepted by the checker, {place}"));
    }

    fn seen(&mut self, seen: Option<Seen>) {
        let dead = seen.as_ref().and_then(|seen| seen.dead_rules.clone());
        self.put("dead_rules", dead.clone());
        if let Some(dead) = dead.filter(|dead| !dead.is_empty()) {
            self.lines.push(format!("rules that never fire in the instance: {}", dead.join(", ")));
        }
        self.seen = seen;
    }

    fn inconclusive(&mut self, reason: &str) -> Outcome {
        self.put("verdict", "inconclusive");
        self.put("reason", reason);
        Outcome::Inconclusive
    }

    fn times(&mut self, progress: &Progress, found: &Found) {
        let mut seconds = progress.watch().json();
        if let Some(object) = seconds.as_object_mut() {
            object.insert("explore".to_owned(), json!(found.account.explored_seconds));
            object.insert("discover".to_owned(), json!(found.account.search_seconds));
        }
        self.put("seconds", seconds);
        self.put("peak_memory_bytes", peak_memory_bytes());
        let memory = peak_memory_bytes().map_or_else(String::new, |bytes| format!(", {} MB", bytes >> 20));
        self.lines.push(format!("{:.2} s{memory}", progress.watch().total()));
    }

    fn print(&self, as_json: bool) -> anyhow::Result<()> {
        if as_json {
            return Ok(terminal::print(&format!("{}\n", Value::Object(self.object.clone())))?);
        }
        let text = |key: &str| self.object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let names: Vec<&str> = self
            .object
            .get("any_size")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let head = match text("verdict").as_str() {
            "proven" if names.is_empty() => "proven for its sizes as they are; nothing in it is symmetric".to_owned(),
            "proven" => format!("proven for any number of {}", names.join(", ")),
            "inconclusive" => format!("inconclusive: {}", text("reason")),
            other => other.to_owned(),
        };
        let lines: String = self.lines.iter().map(|line| format!("  {line}\n")).collect();
        Ok(terminal::print(&format!("{}: {head}\n{lines}", text("model")))?)
    }
}
