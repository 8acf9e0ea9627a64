//! `verify` for several models: a table or one JSON object, and a folder of results for each model.
//!
//! Each model has its own process, so that a limit or a crash in one does not end the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;
use std::{io, thread};

use anyhow::Context;
use serde_json::Value;
use system::scope::counted;

use super::formats::Verified;
use super::row::{self, Row};
use super::watched;
use crate::arguments::VerifyArguments;
use crate::child::{self, Ran};
use crate::expected::Expected;
use crate::files::CreatedFolders;
use crate::limits::Watchdog;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::{files, interrupt, terminal};

/// A model that is to be verified.
pub(super) struct Job {
    pub(super) path: PathBuf,
    /// The folder for its results.
    out: Option<PathBuf>,
    expected: Option<Expected>,
}

pub(super) fn run(arguments: &VerifyArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    // Limits are those of each model, and each run says itself what it knows where it is stopped.
    watch.finish();
    if arguments.watch {
        return watched::run(arguments);
    }
    let jobs = jobs(arguments)?;
    let (rows, seconds) = round(&jobs.iter().collect::<Vec<_>>(), arguments, &|| !interrupt::requested())?;
    report(rows.iter().collect(), arguments, seconds)
}

/// Verifies models until all are done or `go_on` says no. Returns the result of each, and the seconds.
pub(super) fn round(
    jobs: &[&Job],
    arguments: &VerifyArguments,
    go_on: &(dyn Fn() -> bool + Sync),
) -> anyhow::Result<(Vec<Row>, f64)> {
    let folders = jobs.iter().filter_map(|job| job.out.as_deref()).map(files::create_above);
    let folders = folders.collect::<Result<Vec<_>, _>>()?;
    let started = Instant::now();
    let rows = Progress::new(arguments.reporting.quiet).stage("verify", |stage| {
        run_all(jobs, arguments, go_on, |done| {
            stage.update(|| format!("{done} of {}", counted(jobs.len(), "model", "models")))
        })
    });
    folders.iter().for_each(CreatedFolders::undo);
    Ok((rows?, started.elapsed().as_secs_f64()))
}

/// Writes the results for the models, and returns the overall outcome.
pub(super) fn report(rows: Vec<&Row>, arguments: &VerifyArguments, seconds: f64) -> anyhow::Result<Outcome> {
    let outcome = rows.iter().map(|row| row.outcome()).fold(Outcome::Good, Outcome::worse);
    let verified = Verified { rows, outcome, expect: arguments.expect, seconds };
    verified.print(arguments.format())?;
    Ok(outcome)
}

/// The models in the order of the arguments, those of a folder in the order of their names.
pub(super) fn jobs(arguments: &VerifyArguments) -> anyhow::Result<Vec<Job>> {
    let mut found: Vec<(PathBuf, PathBuf)> = Vec::new();
    for path in &arguments.models {
        let within = if path.is_dir() { files::models_in(path, arguments.out.as_deref())? } else { vec![path.clone()] };
        anyhow::ensure!(!within.is_empty(), "{}: there is no model in this folder", files::show(path));
        let base = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(Path::new("")) };
        let place = |model: &Path| model.strip_prefix(base).unwrap_or(model).to_owned();
        found.extend(within.into_iter().map(|model| (place(&model), model)));
    }
    let mut seen = BTreeSet::new();
    found.retain(|(_, model)| seen.insert(model.clone()));
    // A single model has no need of a folder in the folder.
    let single = matches!(arguments.models.as_slice(), [path] if !path.is_dir());
    let places = if single { vec![PathBuf::new()] } else { places(&found)? };
    let job = |(path, place): (PathBuf, PathBuf)| -> anyhow::Result<Job> {
        let expected = if arguments.expect { expected(&path)? } else { None };
        Ok(Job { out: arguments.out.as_ref().map(|out| out.join(place)), path, expected })
    };
    found.into_iter().map(|(_, model)| model).zip(places).map(job).collect()
}

/// What the header expects. A file that is no model is reported when it is verified.
fn expected(path: &Path) -> anyhow::Result<Option<Expected>> {
    let Ok((text, _)) = files::read_model(path) else { return Ok(None) };
    Expected::read(&text).with_context(|| files::show(path))
}

/// The folder of each model's results: its path without extension, unless that is the same for several.
fn places(found: &[(PathBuf, PathBuf)]) -> anyhow::Result<Vec<PathBuf>> {
    let short = |place: &PathBuf| place.with_extension("");
    let mut uses: BTreeMap<PathBuf, u32> = BTreeMap::new();
    found.iter().for_each(|(place, _)| *uses.entry(short(place)).or_default() += 1);
    let mut taken: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    let place = |place: &PathBuf| if uses[&short(place)] == 1 { short(place) } else { place.clone() };
    let places: Vec<PathBuf> = found.iter().map(|(own, _)| place(own)).collect();
    for ((_, model), place) in found.iter().zip(&places) {
        if let Some(other) = taken.insert(place.clone(), model) {
            let (place, other) = (files::show(place), files::show(other));
            anyhow::bail!("{} and {other} would have their results in one folder, {place}", files::show(model));
        }
    }
    Ok(places)
}

/// Runs all jobs, several at a time. What they write to standard error is shown in the order of the jobs.
fn run_all(
    jobs: &[&Job],
    arguments: &VerifyArguments,
    go_on: &(dyn Fn() -> bool + Sync),
    tell: impl Fn(usize),
) -> anyhow::Result<Vec<Row>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let workers = arguments.jobs.map_or(processors, |jobs| usize::try_from(jobs).unwrap_or(processors)).min(jobs.len());
    let threads = u32::try_from(processors / workers.max(1)).unwrap_or(1).max(1);
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel::<(usize, io::Result<Ran>)>();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while let Some((position, job)) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|position| Some((position, jobs.get(position)?)))
                    .filter(|_| go_on())
                {
                    let command = arguments.of_one(&job.path, job.out.as_deref(), threads);
                    let ran = child::run(&command, go_on);
                    if send.send((position, ran)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut rows = Rows { jobs, in_report: arguments.format().is_for_a_service(), done: BTreeMap::new(), shown: 0 };
        for (position, ran) in receive {
            rows.done.insert(position, ran?);
            rows.show();
            tell(rows.done.len());
        }
        Ok(rows.all())
    })
}

/// The runs that have ended so far.
struct Rows<'a> {
    jobs: &'a [&'a Job],
    /// Whether the report has what was found in the models.
    in_report: bool,
    done: BTreeMap<usize, Ran>,
    shown: usize,
}

impl Rows<'_> {
    /// Shows what the next ones in order wrote.
    fn show(&mut self) {
        while let Some(ran) = self.done.get(&self.shown) {
            let errors = ran.errors.trim_end();
            // For a service, what was found in a model is a part of the report.
            let shown = if self.in_report { row::notes(errors) } else { errors.to_owned() };
            if !shown.is_empty() {
                terminal::note(&shown);
            }
            self.shown += 1;
        }
    }

    fn all(mut self) -> Vec<Row> {
        let ran = |position: usize| self.done.remove(&position).unwrap_or_else(not_started);
        let rows: Vec<Ran> = (0..self.jobs.len()).map(ran).collect();
        let row = |(job, ran): (&&Job, Ran)| Row { name: files::show(&job.path), expected: job.expected.clone(), ran };
        self.jobs.iter().zip(rows).map(row).collect()
    }
}

/// A model whose turn did not come.
fn not_started() -> Ran {
    let summary = [("verdict", "inconclusive"), ("reason", "it was interrupted before it was looked at")];
    let summary = summary.into_iter().map(|(key, text)| (key.to_owned(), Value::from(text))).collect();
    Ran { outcome: Outcome::Inconclusive, summary, errors: String::new(), seconds: 0.0 }
}
