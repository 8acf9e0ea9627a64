//! `verify`: find, certify, check, emit everything.

mod formats;
mod many;
mod row;
mod summary;
mod watched;

use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use self::summary::Summary;
use super::earlier::{Earlier, Tried};
use super::emit::{facts, report, report_errors, tables, theories};
use super::search::{
    Counterexample, Found, check_sizes, executed, finite_numbers, search, set_threads, without_verdict,
};
use crate::arguments::VerifyArguments;
use crate::files::{self, Results};
use crate::limits::{Cause, Watchdog};
use crate::model::{FINITE_NUMBERS, Model};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::terminal;
use certificate::CheckedCertificate;
use certificate::fault::Problem;
use certificate::proof::Certificate;
use invfinder::{Reason, Verdict};
use proofgen::attempt::Attempt;
use proofgen::instances::{self, Failed, Look, Shown};
use proofgen::isabelle::Style;
use proofgen::report::Facts;
use proofgen::table::Options;
use proofgen::trace;
use system::System;
use system::front_end::{Lowered, Trace};
use system::scope::{Coverage, Scope};
use system::{PropertyId, RuleId};

/// The name of the certificate among the results.
const CERTIFICATE: &str = "certificate.json";

/// Files that say something about a run, and something false about the next one.
const RESULTS: [&str; 16] = [
    "inconclusive.html",
    "inconclusive.md",
    CERTIFICATE,
    "invariants.md",
    "invariants.csv",
    "relations.csv",
    "invariants.json",
    "invariants.tex",
    "invariants.m",
    "invariants.cub",
    "report.html",
    "trace.html",
    "trace.md",
    "trace.json",
    "trace.svg",
    "trace.txt",
];

/// What is written from a certificate, in this order.
const WRITTEN: [&str; 3] = ["table", "report", "isabelle"];

pub(super) fn run(arguments: &VerifyArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    match arguments.models.as_slice() {
        [path] if arguments.is_of_one() && !path.is_dir() => one(path, arguments, watch),
        _ => many::run(arguments, watch),
    }
}

fn one(path: &Path, arguments: &VerifyArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    set_threads(&arguments.search)?;
    let mut results = arguments.out.as_deref().map(Results::create).transpose()?;
    let certificate = arguments.out.as_ref().map(|out| out.join(CERTIFICATE));
    let earlier = Earlier::of(&arguments.search, certificate.as_deref())?;
    let mut unfinished = Unfinished::new(path, arguments, earlier.as_ref());
    unfinished.say_if_cut(watch);
    let outcome = verify(&mut unfinished, watch, results.as_mut());
    if let Some(results) = results {
        results.discard();
    }
    let outcome = outcome?;
    watch.finish();
    match outcome {
        Ended::Told(outcome) => {
            unfinished.summary.print(arguments.is_json())?;
            Ok(outcome)
        }
        Ended::Inconclusive(reason) => Ok(unfinished.tell(&reason)),
    }
}

/// How a run ended.
enum Ended {
    /// With results, which are in place. The summary is to be printed.
    Told(Outcome),
    /// Without a verdict, for this reason.
    Inconclusive(String),
}

fn verify(unfinished: &mut Unfinished, watch: &Watchdog, mut results: Option<&mut Results>) -> anyhow::Result<Ended> {
    let arguments = unfinished.arguments;
    let mut progress = Progress::new(arguments.reporting.quiet);
    let model = progress.stage("read", |_| Model::read(unfinished.path, &arguments.settings, watch))?;
    unfinished.summary.put("warnings", model.tell_warnings());
    let lowered = progress.stage("lower", |_| model.lower(watch))?;
    let ended = verify_lowered(unfinished, (&model, &lowered), watch, &mut progress, results.as_deref_mut())?;
    let Ended::Inconclusive(reason) = ended else { return Ok(ended) };
    with_finite_numbers(unfinished, reason, &lowered, watch, &mut progress, results)
}

/// Tries to prove the model with its numbers as they are, if they may have more values. If that fails, too, what is said
/// is about all values.
fn with_finite_numbers(
    unfinished: &mut Unfinished,
    reason: String,
    free: &Lowered<'_>,
    watch: &Watchdog,
    progress: &mut Progress,
    results: Option<&mut Results>,
) -> anyhow::Result<Ended> {
    let settings = &unfinished.arguments.settings;
    let model = finite_numbers(unfinished.path, settings, free, watch)?;
    let Some((model, lowered)) = model.as_ref().and_then(|model| Some((model, model.front_end.lower().ok()?))) else {
        return Ok(Ended::Inconclusive(reason));
    };
    let first = unfinished.clone();
    *unfinished = Unfinished::new(first.path, first.arguments, first.earlier);
    unfinished
        .summary
        .second_of(&first.summary, &format!("{}: inconclusive: {reason}", Scope::of(free.system).sizes()));
    match verify_lowered(unfinished, (model, &lowered), watch, progress, results)? {
        told @ Ended::Told(_) => Ok(told),
        Ended::Inconclusive(again) => {
            let sizes = Scope::of(lowered.system).sizes();
            *unfinished = first;
            unfinished.summary.afterwards(format!("{sizes} (--{FINITE_NUMBERS}): inconclusive: {again}"), progress);
            Ok(Ended::Inconclusive(reason))
        }
    }
}

fn verify_lowered(
    unfinished: &mut Unfinished,
    (model, lowered): (&Model, &Lowered<'_>),
    watch: &Watchdog,
    progress: &mut Progress,
    results: Option<&mut Results>,
) -> anyhow::Result<Ended> {
    check_sizes(lowered.system, &unfinished.arguments.search)?;
    unfinished.summary.lowered(lowered);
    unfinished.attempt = unfinished.attempt.clone().asked(Scope::of(lowered.system));
    unfinished.say_if_cut(watch);
    let own = progress.stage("instance", |_| {
        watch.doing("exploring the model's own instance");
        instances::own(&*model.front_end, lowered.system, &|| watch.go_on())
    });
    unfinished.look(model, own.as_ref());
    unfinished.say_if_cut(watch);
    let mut run = Run { watch, model, lowered, own: own.as_ref(), progress, unfinished };
    let (ended, found) = match own.as_ref().and_then(Look::violation) {
        Some(trace) => (run.tell(trace, None, results)?, None),
        None => {
            let (ended, found) = run.search(results)?;
            (ended, Some(found))
        }
    };
    let Run { progress, unfinished, .. } = run;
    unfinished.summary.times(progress, found.as_ref());
    Ok(ended)
}

/// A run without a verdict, up to now: what is said where it stays so.
#[derive(Clone)]
struct Unfinished<'a> {
    path: &'a Path,
    arguments: &'a VerifyArguments,
    earlier: Option<&'a Earlier>,
    summary: Summary,
    attempt: Attempt,
}

impl<'a> Unfinished<'a> {
    fn new(path: &'a Path, arguments: &'a VerifyArguments, earlier: Option<&'a Earlier>) -> Self {
        let stem = path.file_stem().map_or_else(|| "model".into(), |stem| stem.to_string_lossy());
        Self { path, arguments, earlier, summary: Summary::new(&files::show(path)), attempt: Attempt::new(&stem) }
    }

    /// From here on, this is said should the run be cut.
    fn say_if_cut(&self, watch: &Watchdog) {
        let (summary, attempt) = (self.summary.clone(), self.attempt.clone());
        let (out, as_json) = (self.arguments.out.clone(), self.arguments.is_json());
        watch.say_if_cut(move |reason, _| no_verdict(summary, attempt, reason, out.as_deref(), as_json));
    }

    /// Tells at once what the model's own instance shows. A run that ends in an error at run time is no verdict: it is shown, and
    /// the search goes on.
    fn look(&mut self, model: &Model, own: Option<&Look>) {
        let Some(own) = own else { return };
        self.summary.looked(own);
        if let (Some(trace), None) = (&own.trace, own.violation()) {
            self.summary.put("trace", trace::value(trace));
            self.summary.error(trace);
            terminal::note(&format!("{}: a run that ends in an error:\n{}", model.name, trace::text(trace).trim_end()));
        }
    }

    /// Says that there is no verdict.
    fn tell(self, reason: &str) -> Outcome {
        let (out, as_json) = (self.arguments.out.as_deref(), self.arguments.is_json());
        no_verdict(self.summary, self.attempt, reason, out, as_json)
    }
}

/// Says that a run has no verdict, and leaves a report of what could not be shown. What an earlier run has found stays: it is
/// not less true because this one found nothing.
fn no_verdict(mut summary: Summary, attempt: Attempt, reason: &str, out: Option<&Path>, as_json: bool) -> Outcome {
    let outcome = summary.inconclusive(reason);
    summary.cut_times();
    let attempt = attempt.ended(reason);
    let written = out.map_or(Ok(()), |out| -> anyhow::Result<()> {
        let mut results = Results::create(out)?;
        results.add(Path::new("inconclusive.html"), attempt.html()?.as_bytes())?;
        results.add(Path::new("inconclusive.md"), attempt.markdown().as_bytes())?;
        Ok(results.publish(&[])?)
    });
    if let Err(error) = written.and_then(|()| summary.print(as_json)) {
        terminal::note(&format!("error: {}", files::one_line(&format!("{error:#}"))));
    }
    outcome
}

/// A proof that was checked, and whose certificate is in its place: what is said, whatever happens from here on.
#[derive(Clone)]
struct Kept {
    summary: Summary,
    /// Why the properties that were left out keep the run from being a proof of all, if some were.
    refused: Option<String>,
    as_json: bool,
    not_written: Vec<&'static str>,
}

impl Kept {
    fn tell(mut self, cause: Cause) -> Outcome {
        self.summary.not_written(&self.not_written, &cause.to_string());
        self.summary.cut_times();
        let outcome = self.summary.conclude(self.refused.as_deref());
        // A closed output has no reader to tell.
        let _ = self.summary.print(self.as_json);
        outcome
    }
}

/// A run that looks for a verdict.
struct Run<'r, 'a> {
    watch: &'r Watchdog,
    model: &'r Model,
    lowered: &'r Lowered<'r>,
    /// The model's own instance.
    own: Option<&'r Look>,
    progress: &'r mut Progress,
    unfinished: &'r mut Unfinished<'a>,
}

impl Run<'_, '_> {
    /// Searches for a proof, and tells what comes of it.
    fn search(&mut self, results: Option<&mut Results>) -> anyhow::Result<(Ended, Found)> {
        let (system, arguments) = (self.lowered.system, self.unfinished.arguments);
        let tried = Tried::new(self.unfinished.earlier, &arguments.search, self.model, self.lowered)?;
        let candidates = tried.cubes();
        let found = search(self.lowered, self.model, (&arguments.search, &candidates), self.watch, self.progress);
        let unfinished = &mut *self.unfinished;
        unfinished.summary.account(system, &found);
        if found.account.states > 0 {
            unfinished.attempt = unfinished.attempt.clone().explored(&unfinished.summary.sizes, found.account.complete);
        }
        unfinished.say_if_cut(self.watch);
        let ended = match &found.verdict {
            Verdict::Proven(certificate) => self.proven(certificate, &tried, results)?,
            Verdict::Violated(violation) => self.violated(violation, results)?,
            Verdict::Inconclusive(reason) => {
                match without_verdict((&found, reason), self.lowered, self.model, self.watch, self.progress) {
                    Ok(counterexample) => self.found(&counterexample, results)?,
                    Err(doubt) => {
                        if let Reason::Unconfirmed { property, rules } = reason {
                            self.failed_guess(*property, rules);
                        }
                        Ended::Inconclusive(doubt)
                    }
                }
            }
        };
        Ok((ended, found))
    }

    /// Tells what could not be shown, and which instance would decide it.
    fn failed_guess(&mut self, property: PropertyId, rules: &[RuleId]) {
        let attempt = self.unfinished.attempt.clone().with_chain(self.lowered.system, property, rules);
        let summary = &mut self.unfinished.summary;
        summary.put("candidate", attempt.value());
        summary.lines.extend(attempt.guess().lines().map(str::to_owned));
        self.unfinished.attempt = attempt;
    }

    /// Finds the violation again by executing the Murphi statements. What is told has been executed.
    fn violated(&mut self, violation: &invfinder::Violation, results: Option<&mut Results>) -> anyhow::Result<Ended> {
        match executed(violation, self.lowered, self.model, self.watch, self.progress)? {
            Ok(counterexample) => self.found(&counterexample, results),
            Err(doubt) => Ok(Ended::Inconclusive(doubt)),
        }
    }

    /// Tells of an execution that the search led to, and of which instance it is.
    fn found(&mut self, counterexample: &Counterexample, results: Option<&mut Results>) -> anyhow::Result<Ended> {
        let Counterexample { trace, is_own } = counterexample;
        let elsewhere = (!is_own).then(|| elsewhere(trace, self.lowered.system));
        self.tell(trace, elsewhere, results)
    }

    /// Tells of an execution that ends in a violation, or in an error at run time.
    fn tell(
        &mut self,
        trace: &Trace,
        elsewhere: Option<String>,
        results: Option<&mut Results>,
    ) -> anyhow::Result<Ended> {
        let summary = &mut self.unfinished.summary;
        summary.put("verdict", "violated");
        summary.put("property", trace.violates.clone());
        let stated = self.lowered.system.properties.iter().find(|property| property.name == trace.violates);
        summary.put("property_line", stated.map(|property| property.origin.line));
        summary.put("trace", trace::value(trace));
        summary.ending(trace);
        summary.lines.extend(elsewhere);
        summary.lines.extend(trace::text(trace).lines().map(str::to_owned));
        self.watch.finish();
        if let Some(results) = results {
            results.add(Path::new("trace.json"), trace::json(trace).as_bytes())?;
            results.add(Path::new("trace.txt"), trace::text(trace).as_bytes())?;
            results.add(Path::new("trace.md"), trace::markdown(trace).as_bytes())?;
            let (system, text) = (self.lowered.system, self.model.front_end.text());
            let why = trace::Why::of(trace, system, text);
            results.add(Path::new("trace.svg"), trace::svg(trace, &why).as_bytes())?;
            let page = trace::html(trace, &why, system, (&self.model.stem, text))?;
            results.add(Path::new("trace.html"), page.as_bytes())?;
            results.publish(&RESULTS)?;
        }
        Ok(Ended::Told(Outcome::Violated))
    }

    /// Writes the certificate, reads it again, checks it, and emits what follows from it.
    fn proven(
        &mut self,
        found: &Certificate,
        tried: &Tried,
        mut results: Option<&mut Results>,
    ) -> anyhow::Result<Ended> {
        let system = self.lowered.system;
        self.watch.doing("checking the certificate");
        // What is checked is what a stranger will check: the bytes.
        let bytes = certificate::write(found, system);
        let certificate = match certificate::read(bytes.as_bytes(), system) {
            Ok(certificate) => certificate,
            Err(error) => {
                return Ok(Ended::Inconclusive(format!("the certificate cannot be read back: {error}")));
            }
        };
        let checked = match self.check(&certificate) {
            Ok(checked) => checked,
            Err(doubt) => return Ok(Ended::Inconclusive(doubt)),
        };
        #[cfg(feature = "z3")]
        if let Some(doubt) = self.second_opinion(&checked)? {
            return Ok(Ended::Inconclusive(doubt));
        }
        let arguments = self.unfinished.arguments;
        self.unfinished.summary.certificate(&checked, arguments.out.as_deref(), bytes.len());
        self.unfinished.summary.candidates(tried, &checked);
        // Whatever happens to the rest, this is not lost any more.
        if let Some(results) = results.as_deref_mut() {
            results.add(Path::new(CERTIFICATE), bytes.as_bytes())?;
        }
        let missing = if results.is_some() { WRITTEN.as_slice() } else { &[] };
        self.keep(missing, || results.as_deref_mut().map_or(Ok(()), |results| results.publish(&RESULTS)))?;
        let (watch, model, system, own) = (self.watch, self.model, self.lowered.system, self.own);
        let shown = || instances::shown(&*model.front_end, system, own, &|| watch.go_on());
        let Shown { seen, failed, met } = self.progress.stage("instance", |_| shown());
        report_errors(model, &met);
        self.unfinished.summary.seen(seen);
        match failed {
            None => {}
            Some(Failed::LeftOut(trace)) => return self.tell(&trace, None, results),
            Some(Failed::Contradiction(text)) => {
                // It counts for nothing.
                if let Some(results) = results {
                    results.folder()?;
                    results.publish(&RESULTS)?;
                }
                return Ok(Ended::Inconclusive(text));
            }
        }
        if let Some(results) = results {
            self.keep(missing, || ());
            self.emit(results, &checked)?;
        }
        let refused = self.refused();
        Ok(Ended::Told(self.unfinished.summary.conclude(refused.as_deref())))
    }

    /// Puts results in place, of which these are missing still. From here on the run has its verdict, even should it be cut.
    fn keep<T>(&self, missing: &[&'static str], results: impl FnOnce() -> T) -> T {
        let kept = Kept {
            summary: self.unfinished.summary.clone(),
            refused: self.refused(),
            as_json: self.unfinished.arguments.is_json(),
            not_written: missing.to_vec(),
        };
        self.watch.keep(move |_, cause| kept.tell(cause), results)
    }

    /// Why this is no proof of all properties, if so. What was emitted says it, too.
    fn refused(&self) -> Option<String> {
        let scope = Scope::of(self.lowered.system);
        match scope.coverage() {
            Coverage::All => None,
            Coverage::Part | Coverage::Nothing => Some(scope.proven()),
        }
    }

    /// The certificate, checked; or why it counts for nothing.
    fn check<'c>(&mut self, certificate: &'c Certificate) -> Result<CheckedCertificate<'c>, String>
    where
        Self: 'c,
    {
        let (system, model, watch) = (self.lowered.system, self.model, self.watch);
        let check = || certificate::check_while(system, certificate, &model.identity, &|| watch.go_on());
        let mut faults = match self.progress.stage("check", |_| check()) {
            Ok(checked) => return Ok(checked),
            Err(faults) => faults,
        };
        if let Some(cause) = watch.cause() {
            faults.retain(|fault| fault.problem != Problem::Interrupted);
            if faults.is_empty() {
                let invariants = certificate.invariants.len();
                return Err(format!(
                    "a proof by {invariants} invariants was found, but its check was stopped: {cause}"
                ));
            }
        }
        for fault in &faults {
            terminal::note(&format!("{}: {}", model.name, fault.report(system, certificate)));
        }
        Err("the checker rejects the certificate that the search made".to_owned())
    }

    /// Writes everything for which there is time, step by step.
    fn emit(&mut self, results: &mut Results, checked: &CheckedCertificate<'_>) -> anyhow::Result<()> {
        // What was violated ends the run before.
        let instance = self.unfinished.summary.seen.clone();
        let notation = self.unfinished.arguments.notation.or(self.model.front_end.language());
        let facts = Facts { instance, notation, ..facts(CERTIFICATE, self.model) };
        let stem = self.model.stem.as_str();
        let theories = || theories(Path::new("isabelle"), checked, stem, Style::Lemmas);
        let is_alone = self.unfinished.arguments.search.limits.threads == Some(1);
        thread::scope(|scope| {
            // They take as long as the others together.
            let mut beside = (!is_alone).then(|| scope.spawn(theories));
            for (position, what) in WRITTEN.into_iter().enumerate() {
                if let Some(cause) = self.watch.cause() {
                    self.unfinished.summary.not_written(&WRITTEN[position..], &cause.to_string());
                    break;
                }
                let made = self.progress.stage("emit", |_| -> anyhow::Result<()> {
                    let files = match (what, beside.take_if(|_| what == "isabelle")) {
                        ("table", _) => tables(checked, &Options { notation, ..Options::default() }),
                        ("report", _) => report(checked, &facts)?,
                        (_, None) => theories()?,
                        (_, Some(made)) => made.join().unwrap_or_else(|panic| resume_unwind(panic))?,
                    };
                    Ok(results.folder()?.add_all(files)?)
                });
                match made {
                    Ok(()) => self.keep(&WRITTEN[position + 1..], || results.publish(&[]))?,
                    Err(error) => {
                        // The proof is as good without it.
                        self.unfinished.summary.not_written(&[what], &format!("{error:#}"));
                        results.start_again();
                    }
                }
            }
            Ok(())
        })
    }

    /// What Z3 has to object, if anything.
    #[cfg(feature = "z3")]
    fn second_opinion(&mut self, checked: &CheckedCertificate<'_>) -> anyhow::Result<Option<String>> {
        use invfinder::smt::{self, SmtError};
        if self.unfinished.arguments.smt.is_none() {
            return Ok(None);
        }
        let (system, certificate, watch) = (checked.system(), checked.certificate(), self.watch);
        let answer = self.progress.stage("z3", |_| smt::second_opinion(system, certificate, &|| watch.go_on()));
        match (answer, watch.cause()) {
            (Ok(_), _) => Ok(None),
            (Err(SmtError::Disagreement(found)), _) => {
                for disagreement in &found {
                    terminal::note(&format!("z3: {:?}", disagreement));
                }
                let obligations = system::scope::counted(found.len(), "obligation", "obligations");
                Ok(Some(format!("Z3 does not confirm {obligations}")))
            }
            (Err(_), Some(cause)) => Ok(Some(format!("the checker accepts the proof, but Z3 was stopped: {cause}"))),
            (Err(other), None) => Err(other.into()),
        }
    }
}

/// That a trace is of another instance than the model's own.
fn elsewhere(trace: &Trace, system: &System) -> String {
    let larger = trace.sizes.iter().filter_map(|(name, size)| {
        let own = system.index_types.iter().find(|over| over.name == *name)?.size;
        (*size > u64::from(own)).then(|| format!("{name} = {size}, where the model has {own}"))
    });
    let larger: Vec<String> = larger.collect();
    if larger.is_empty() {
        let constants = trace.constants.iter().map(|(name, value)| format!("{name} = {value}"));
        let constants: Vec<String> = constants.collect();
        return format!("the model's own instance does not show it; it is violated with {}", constants.join(", "));
    }
    format!("the model's own instance is too small to show it; it needs {}", larger.join("; "))
}
