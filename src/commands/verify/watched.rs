//! `verify --watch`: verdicts that follow the files.
//!
//! A change while models are verified gives the round up and starts another. What was not changed is not verified again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::many::{Job, jobs, report, round};
use super::row::Row;
use crate::arguments::VerifyArguments;
use crate::outcome::Outcome;
use crate::{files, interrupt, terminal};

/// Between two looks at the files.
const LOOK: Duration = Duration::from_millis(200);

/// When a file was changed and how long it is; nothing for a file that is not there.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

pub(super) fn run(arguments: &VerifyArguments) -> anyhow::Result<Outcome> {
    let mut known: BTreeMap<PathBuf, (Stamp, Row)> = BTreeMap::new();
    let (mut outcome, mut complaint) = (Outcome::Good, String::new());
    while !interrupt::requested() {
        match look(arguments, &mut known) {
            Ok(Some(seen)) => (outcome, complaint) = (seen, String::new()),
            Ok(None) => {}
            // It is said once, and may be over when something is changed.
            Err(error) => {
                let said = files::one_line(&format!("{error:#}"));
                if said != complaint {
                    terminal::note(&format!("error: {said}"));
                    (outcome, complaint) = (Outcome::BadInput, said);
                }
            }
        }
        thread::sleep(LOOK);
    }
    Ok(outcome)
}

/// Verifies what was changed since the last look, and reports all. Nothing is reported if nothing was changed, or something is
/// being changed.
fn look(arguments: &VerifyArguments, known: &mut BTreeMap<PathBuf, (Stamp, Row)>) -> anyhow::Result<Option<Outcome>> {
    let jobs = jobs(arguments)?;
    let stamps: Vec<Stamp> = jobs.iter().map(|job| stamp(&job.path)).collect();
    let before = known.len();
    let is_current =
        |path: &Path, own: &Stamp| jobs.iter().zip(&stamps).any(|(job, stamp)| job.path == path && stamp == own);
    known.retain(|path, (own, _)| is_current(path, own));
    let is_gone = known.len() < before;
    let todo: Vec<(&Job, &Stamp)> =
        jobs.iter().zip(&stamps).filter(|(job, _)| !known.contains_key(&job.path)).collect();
    if todo.is_empty() && !is_gone {
        return Ok(None);
    }
    let unchanged = || todo.iter().all(|(job, own)| stamp(&job.path) == **own);
    let wanted: Vec<&Job> = todo.iter().map(|(job, _)| *job).collect();
    let (rows, seconds) = round(&wanted, arguments, &|| !interrupt::requested() && unchanged())?;
    if interrupt::requested() || !unchanged() {
        return Ok(None);
    }
    for ((job, own), row) in todo.iter().zip(rows) {
        known.insert(job.path.clone(), (**own, row));
    }
    let rows = jobs.iter().filter_map(|job| known.get(&job.path)).map(|(_, row)| row).collect();
    report(rows, arguments, seconds).map(Some)
}
