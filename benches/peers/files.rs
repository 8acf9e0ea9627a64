//! ParaProof and Cubicle on the same files in Cubicle's language.
//!
//! Cubicle gets the options that the head of a file names, `-brab 2`, and none; the fastest of these runs with a verdict counts.
//! A run that is slower than an earlier one of the same file is stopped, since it does not count. What takes less than a fifth of a
//! second is run ten times, and the mean counts.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::measure::{Run, run};
use crate::tools::{CUBICLE, Verdict, on_path};
use crate::{FILES_HEAD, Wishes, say};

/// Runs that are shorter are repeated, so many times in all.
const SHORT: Duration = Duration::from_millis(200);
const RUNS: u32 = 10;

/// One side of a row.
struct Side {
    run: Run,
    verdict: Verdict,
    invariants: Option<u64>,
    /// The options of Cubicle.
    options: String,
}

/// Compares the provers on all files in a folder, and returns the table.
pub(crate) fn compare(folder: &Path, wishes: &Wishes) -> anyhow::Result<String> {
    let Some(cubicle) = on_path(CUBICLE) else { anyhow::bail!("{CUBICLE} is not on the path") };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "cub"));
    files.retain(|file| wishes.want(&name(file)));
    files.sort();
    let mut table = FILES_HEAD.to_owned();
    for file in files {
        let row = row(&name(&file), &ours(&file, wishes)?, &theirs(&cubicle, &file, wishes.limit)?);
        say(row.trim_end());
        table.push_str(&row);
    }
    Ok(table)
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A proof that is found, written, read again and checked.
fn ours(file: &Path, wishes: &Wishes) -> anyhow::Result<Side> {
    let folder = tempfile::tempdir()?;
    let (model, certificate) = (file.display().to_string(), folder.path().join("certificate.json"));
    let certificate = certificate.display().to_string();
    let (program, limit) = (wishes.ours.as_str(), wishes.limit);
    // A certificate that is there already would be tried.
    let find = [program, "find", &model, "-o", &certificate, "--quiet", "--json", "--anew"].map(str::to_owned);
    let found = mean(&find, limit)?;
    let start = found.output.find('{').unwrap_or(found.output.len());
    let told = serde_json::Deserializer::from_str(&found.output[start..]).into_iter::<serde_json::Value>().next();
    let invariants = told.and_then(Result::ok).and_then(|told| told["invariants"].as_u64());
    if found.code != Some(0) {
        let verdict = Verdict::of_paraproof(found.code);
        return Ok(Side { run: found, verdict, invariants, options: String::new() });
    }
    let check = [program, "check", "--model", &model, &certificate].map(str::to_owned);
    let mut checked = mean(&check, limit)?;
    let verdict = Verdict::of_paraproof(checked.code);
    checked.cpu += found.cpu;
    checked.kilobytes = checked.kilobytes.max(found.kilobytes);
    Ok(Side { run: checked, verdict, invariants, options: String::new() })
}

/// One run of a command, or the mean of several if it is short.
fn mean(command: &[String], limit: Duration) -> anyhow::Result<Run> {
    let mut first = run(command, limit)?;
    if first.cpu < SHORT {
        for _ in 1..RUNS {
            first.cpu += run(command, limit)?.cpu;
        }
        first.cpu /= RUNS;
    }
    Ok(first)
}

fn theirs(cubicle: &Path, file: &Path, limit: Duration) -> anyhow::Result<Side> {
    let mut best: Option<Side> = None;
    for options in settings(&String::from_utf8_lossy(&std::fs::read(file)?)) {
        let mut command = vec![cubicle.display().to_string(), "-nocolor".to_owned()];
        command.extend(options.split_whitespace().map(str::to_owned));
        command.push(file.display().to_string());
        let known = best.as_ref().filter(|side| side.verdict != Verdict::None).map(|side| side.run.cpu);
        let limit = known.map_or(limit, |cpu| limit.min(Duration::from_secs(cpu.as_secs().saturating_add(1))));
        let run = mean(&command, limit)?;
        let verdict = Verdict::of_cubicle(&run.output);
        let is_better = best
            .as_ref()
            .is_none_or(|best| verdict != Verdict::None && (best.verdict == Verdict::None || run.cpu < best.run.cpu));
        if is_better {
            let invariants = number_after(&run.output, "Number of invariants");
            best = Some(Side { run, verdict, invariants, options });
        }
    }
    best.ok_or_else(|| anyhow::anyhow!("Cubicle was not run"))
}

/// The options to try, with those first that the head of the file names.
fn settings(text: &str) -> Vec<String> {
    let named = text.split_once("cubicle with options:").map(|(_, rest)| rest);
    let named = named.and_then(|rest| rest.split(['*', '\n']).next()).map(|options| options.trim().to_owned());
    let mut all: Vec<String> = named.into_iter().collect();
    for usual in ["-brab 2", ""] {
        if !all.iter().any(|known| known == usual) {
            all.push(usual.to_owned());
        }
    }
    all
}

fn number_after(output: &str, words: &str) -> Option<u64> {
    let line = output.lines().find(|line| line.starts_with(words))?;
    line.rsplit(' ').next()?.parse().ok()
}

fn row(name: &str, ours: &Side, theirs: &Side) -> String {
    let figures = |side: &Side| {
        let invariants = side.invariants.map_or_else(String::new, |number| number.to_string());
        let seconds = side.run.cpu.as_secs_f64();
        format!("{} | {seconds:.4} | {} | {invariants}", side.verdict.text(), side.run.kilobytes / 1024)
    };
    let ratio = theirs.run.cpu.as_secs_f64() / ours.run.cpu.as_secs_f64().max(0.001);
    let ratio = match (ours.verdict, theirs.verdict) {
        (Verdict::None, _) => String::new(),
        (Verdict::Safe | Verdict::Unsafe, Verdict::None) => format!("> {ratio:.1}"),
        (Verdict::Safe | Verdict::Unsafe, Verdict::Safe | Verdict::Unsafe) => format!("{ratio:.1}"),
    };
    let mut row = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(row, "| {name} | {} | {} | {} | {ratio} |", figures(ours), theirs.options, figures(theirs));
    row
}
