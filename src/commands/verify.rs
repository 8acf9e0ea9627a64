//! `verify`: find, certify, check, emit everything.

mod summary;

use std::path::{Path, PathBuf};

use self::summary::Summary;
use super::emit::{Failed, Shown, add_isabelle, add_report, add_tables, check_again, fitting};
use super::search::{Found, lowered, search, set_threads};
use crate::arguments::VerifyArguments;
use crate::files::OutputFolder;
use crate::instance::{build, told};
use crate::model::Model;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::terminal;
use crate::watch::Watch;
use certificate::CheckedCertificate;
use certificate::fault::Problem;
use certificate::proof::Certificate;
use invfinder::instance::Limits;
use invfinder::{Reason, Verdict};
use proofgen::attempt::Attempt;
use proofgen::isabelle::Style;
use proofgen::report::Facts;
use proofgen::table::Options;
use proofgen::trace::Trace;
use protocol::System;
use protocol::lower::Lowered;
use protocol::scope::{Coverage, Scope};
use protocol::system::{PropertyId, RuleId};

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
            let stale = RESULTS.iter().map(PathBuf::from).chain(folder.theories()).collect();
            folder.publish(stale)?;
        } else if summary.has_guess {
            folder.publish(Vec::new())?;
        } else {
            // What an earlier run has found is not less true because this one found nothing.
            folder.discard();
        }
    }
    summary.print(arguments.reporting.json)?;
    Ok(outcome)
}

fn verify(arguments: &VerifyArguments, folder: Option<&mut OutputFolder>) -> anyhow::Result<(Outcome, Summary)> {
    let watch = Watch::start(&arguments.search.limits);
    let mut progress = Progress::new(arguments.reporting.quiet);
    let mut model = progress.stage("read", |_| Model::read(&arguments.model.path, &arguments.model.settings))?;
    model.stop_at(watch.flag());
    let mut summary = Summary::new(&model);
    summary.put("warnings", model.tell_warnings());
    let lowered = match progress.stage("lower", |_| lowered(&model, &watch))? {
        Ok(lowered) => lowered,
        Err(stopped) => {
            let outcome = summary.inconclusive(&stopped);
            summary.times(&progress, None);
            return Ok((outcome, summary));
        }
    };
    summary.lowered(&lowered);
    let found = search(&lowered.system, &model, &arguments.search, &watch, &mut progress);
    summary.account(&lowered.system, &found);
    let mut run = Run { arguments, watch: &watch, model: &model, lowered: &lowered, progress, summary };
    let outcome = match &found.verdict {
        Verdict::Proven(certificate) => run.proven(certificate, folder)?,
        Verdict::Violated(violation) => run.violated(violation, folder)?,
        Verdict::Inconclusive(reason) => {
            let told = found.reason(reason, &lowered.system);
            if let Reason::Unconfirmed { property, rules } = reason {
                run.failed_guess((&told, *property, rules), &found, folder)?;
            }
            run.summary.inconclusive(&told)
        }
    };
    run.summary.times(&run.progress, Some(&found));
    Ok((outcome, run.summary))
}

/// A run that has its verdict from the search.
struct Run<'a> {
    arguments: &'a VerifyArguments,
    watch: &'a Watch,
    model: &'a Model,
    lowered: &'a Lowered,
    progress: Progress,
    summary: Summary,
}

impl Run<'_> {
    /// Tells what could not be shown, and which instance would decide it. What an earlier run has proven stays.
    fn failed_guess(
        &mut self,
        (reason, property, rules): (&str, PropertyId, &[RuleId]),
        found: &Found,
        folder: Option<&mut OutputFolder>,
    ) -> anyhow::Result<()> {
        let attempt = Attempt::new(&self.model.stem, reason, &self.summary.sizes, found.account.complete);
        let attempt = attempt.with_chain(&self.lowered.system, property, rules);
        self.summary.put("candidate", attempt.value());
        self.summary.lines.extend(attempt.guess().lines().map(str::to_owned));
        if let Some(folder) = folder {
            folder.add(Path::new("inconclusive.html"), attempt.html()?.as_bytes())?;
            folder.add(Path::new("inconclusive.md"), attempt.markdown().as_bytes())?;
            self.summary.has_guess = true;
        }
        Ok(())
    }

    /// Finds the violation again by executing the Murphi statements. What is told has been executed.
    fn violated(
        &mut self,
        violation: &invfinder::Violation,
        folder: Option<&mut OutputFolder>,
    ) -> anyhow::Result<Outcome> {
        let trace = self.executed(violation)?;
        let property = &self.lowered.system.properties[violation.property.index()].name;
        let Some(trace) = trace else {
            let steps = violation.steps.len();
            let shown = format!("an instance of the lowered system violates '{property}' after {steps} steps");
            return Ok(self.summary.inconclusive(&match self.watch.cause() {
                Some(cause) => {
                    format!("{shown}, but looking for an execution of the model that does was stopped: {cause}")
                }
                None => format!("{shown}, but no execution of the model was found that does"),
            }));
        };
        self.tell(&trace, folder)
    }

    /// Tells of an execution that ends in a violation, or in an error at run time.
    fn tell(&mut self, trace: &Trace, folder: Option<&mut OutputFolder>) -> anyhow::Result<Outcome> {
        let summary = &mut self.summary;
        summary.put("verdict", "violated");
        summary.put("property", trace.violates.clone());
        summary.put("trace", trace.value());
        summary.ending(trace);
        summary.lines.extend(larger(trace, &self.lowered.system));
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

    /// A shortest execution that ends in a violation, at the sizes of the model and then at those of the instance that showed it.
    fn executed(&mut self, violation: &invfinder::Violation) -> anyhow::Result<Option<Trace>> {
        let (model, watch) = (self.model, self.watch);
        let sizes: Vec<u64> = violation.sizes.iter().copied().map(u64::from).collect();
        let other = model.at_sizes(self.lowered, &sizes);
        let limits = Limits { max_states: TRACE_STATES, ..Limits::default() };
        self.progress.stage("trace", |stage| {
            for program in std::iter::once(&model.program).chain(&other) {
                let instance = build(program, model.options())?;
                let exploration = instance.explore(&limits, true, &mut |figures| {
                    stage.update(|| format!("{} states", figures.states));
                    watch.go_on()
                });
                if let Some(executed) = instance.counterexample(&exploration) {
                    return Ok(Some(told(&instance, &executed)));
                }
            }
            Ok(None)
        })
    }

    /// Writes the certificate, reads it again, checks it, and emits what follows from it.
    fn proven(&mut self, found: &Certificate, folder: Option<&mut OutputFolder>) -> anyhow::Result<Outcome> {
        let (lowered, model) = (self.lowered, self.model);
        let system = &lowered.system;
        // What is checked is what a stranger will check: the bytes.
        let bytes = certificate::write(found, system);
        let certificate = match certificate::read(bytes.as_bytes(), system) {
            Ok(certificate) => certificate,
            Err(error) => {
                return Ok(self.summary.inconclusive(&format!("the certificate cannot be read back: {error}")));
            }
        };
        let checked = match self.check(&certificate) {
            Ok(checked) => checked,
            Err(doubt) => return Ok(self.summary.inconclusive(&doubt)),
        };
        #[cfg(feature = "z3")]
        if let Some(doubt) = self.second_opinion(&checked)? {
            return Ok(self.summary.inconclusive(&doubt));
        }
        let watch = self.watch;
        let Shown { seen, failed } = self.progress.stage("instance", |_| fitting(model, lowered, &|| watch.go_on()));
        match failed {
            None => {}
            Some(Failed::LeftOut(trace)) => return self.tell(&trace, folder),
            Some(Failed::Contradiction(text)) => return Ok(self.summary.inconclusive(&text)),
        }
        self.summary.certificate(&checked, self.arguments.out.as_deref(), bytes.len());
        self.summary.seen(seen);
        if let Some(folder) = folder {
            self.emit(folder, &bytes, &checked)?;
        }
        let scope = Scope::of(system);
        match scope.coverage() {
            Coverage::All => {
                self.summary.put("verdict", "proven");
                Ok(Outcome::Good)
            }
            // A part is proven, and what was emitted says which.
            Coverage::Part | Coverage::Nothing => Ok(self.summary.inconclusive(&scope.proven())),
        }
    }

    /// The certificate, checked; or why it counts for nothing.
    fn check<'c>(&mut self, certificate: &'c Certificate) -> Result<CheckedCertificate<'c>, String>
    where
        Self: 'c,
    {
        let (system, model, watch) = (&self.lowered.system, self.model, self.watch);
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

    /// Writes everything for which there is time; the certificate comes first, since the rest can be made from it.
    fn emit(&mut self, folder: &mut OutputFolder, bytes: &str, checked: &CheckedCertificate<'_>) -> anyhow::Result<()> {
        let (model, watch) = (self.model, self.watch);
        let facts = Facts {
            model: model.stem.clone(),
            instance: self.summary.seen.clone(),
            commands: vec![check_again("certificate.json", model)],
        };
        let not_written = self.progress.stage("emit", |_| -> anyhow::Result<Vec<&str>> {
            folder.add(Path::new("certificate.json"), bytes.as_bytes())?;
            let mut not_written = Vec::new();
            for what in ["table", "report", "isabelle"] {
                if !watch.go_on() {
                    not_written.push(what);
                    continue;
                }
                match what {
                    "table" => add_tables(folder, checked, &Options::default())?,
                    "report" => add_report(folder, checked, &facts)?,
                    _ => add_isabelle(folder, Path::new("isabelle"), checked, &model.stem, Style::Lemmas)?,
                }
            }
            Ok(not_written)
        })?;
        self.summary.has_results = true;
        self.summary.not_written(&not_written, watch.cause());
        Ok(())
    }

    /// What Z3 has to object, if anything.
    #[cfg(feature = "z3")]
    fn second_opinion(&mut self, checked: &CheckedCertificate<'_>) -> anyhow::Result<Option<String>> {
        use invfinder::smt::{self, SmtError};
        if self.arguments.smt.is_none() {
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
                Ok(Some(format!("Z3 does not confirm {} obligations", found.len())))
            }
            (Err(_), Some(cause)) => Ok(Some(format!("the checker accepts the proof, but Z3 was stopped: {cause}"))),
            (Err(other), None) => Err(other.into()),
        }
    }
}

/// That a trace needs more elements than the model has, if so.
fn larger(trace: &Trace, system: &System) -> Option<String> {
    let grown = trace.sizes.iter().filter_map(|(name, size)| {
        let own = system.index_types.iter().find(|over| over.name == *name)?.size;
        (*size > u64::from(own)).then(|| format!("{name} = {size}, where the model has {own}"))
    });
    let grown: Vec<String> = grown.collect();
    let text = "the model's own instance is too small to show it; it needs";
    (!grown.is_empty()).then(|| format!("{text} {}", grown.join("; ")))
}

/// States of an instance that are explored for a trace.
const TRACE_STATES: u64 = 5_000_000;
