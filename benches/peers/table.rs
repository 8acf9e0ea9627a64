//! The table in Markdown: medians and ratios, with the date and the machine.

use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

use crate::measure::Run;

/// The medians of several runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Median {
    pub(crate) seconds: f64,
    pub(crate) megabytes: f64,
    pub(crate) runs: usize,
}

impl Median {
    /// Returns the medians, or `None` if there are no runs.
    pub(crate) fn of(runs: &[Run]) -> Option<Self> {
        let mut times: Vec<Duration> = runs.iter().map(|run| run.cpu).collect();
        let mut memory: Vec<u64> = runs.iter().map(|run| run.kilobytes).collect();
        times.sort_unstable();
        memory.sort_unstable();
        let kilobytes = u32::try_from(*memory.get(memory.len() / 2)?).unwrap_or(u32::MAX);
        let seconds = times.get(times.len() / 2)?.as_secs_f64();
        Some(Self { seconds, megabytes: f64::from(kilobytes) / 1024.0, runs: runs.len() })
    }
}

/// One side of a comparison.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) median: Median,
    /// The verdict, or the number of states.
    pub(crate) result: String,
    /// Whether the runs finished.
    pub(crate) finished: bool,
}

/// One line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) task: String,
    pub(crate) ours: Side,
    /// The medians with all output files written.
    pub(crate) written: Option<Median>,
    pub(crate) peer: String,
    /// The peer's side, or why it is missing.
    pub(crate) theirs: Result<Side, String>,
    /// The cost of generating and compiling the peer's checker.
    pub(crate) made: Option<Median>,
}

/// Returns the whole text.
pub(crate) fn markdown(rows: &[Row], skipped: &[&str]) -> String {
    let mut text = format!("{}\n\n", heading());
    text.push_str("| task | result | CPU s | MB | all written: CPU s | peer | checker made: CPU s | MB | result | CPU s | MB | CPU ratio | memory ratio | runs |\n");
    text.push_str("|---|---|--:|--:|--:|---|--:|--:|---|--:|--:|--:|--:|---|\n");
    for row in rows {
        text.push_str(&line(row));
    }
    for peer in skipped {
        let _ = writeln!(text, "\nSkipped: {peer} is not on the path.");
    }
    text
}

fn heading() -> String {
    let date = Command::new("date").args(["--utc", "+%F %R UTC"]).output().ok();
    let date = date.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo");
    let processor = processor.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let load = read("/proc/loadavg");
    let load: Vec<&str> = load.split(' ').take(3).collect();
    format!(
        "{date}, {cores} cores, {}, load {} at the end. Medians of CPU seconds (user and system) and of peak memory. A \
         ratio is the peer's figure by ours.",
        processor.unwrap_or("unknown processor"),
        load.join(" ")
    )
}

fn line(row: &Row) -> String {
    let figures = |side: &Side| {
        let more = if side.finished { "" } else { "> " };
        format!("{} | {more}{:.2} | {more}{:.0}", side.result, side.median.seconds, side.median.megabytes)
    };
    let written = row.written.map_or_else(String::new, |median| format!("{:.2}", median.seconds));
    let ours = format!("{} | {written}", figures(&row.ours));
    let made = row.made.map(|median| format!("{:.2} | {:.0}", median.seconds, median.megabytes));
    let peer = format!("{} | {}", row.peer, made.unwrap_or_else(|| " | ".to_owned()));
    match &row.theirs {
        Ok(theirs) => {
            let bound = match (row.ours.finished, theirs.finished) {
                (true, true) => "",
                (true, false) => "> ",
                (false, true) => "< ",
                (false, false) => "? ",
            };
            let ratio = |theirs: f64, ours: f64| format!("{bound}{:.1}", theirs / ours);
            format!(
                "| {} | {ours} | {peer} | {} | {} | {} | {}, {} |\n",
                row.task,
                figures(theirs),
                ratio(theirs.median.seconds, row.ours.median.seconds),
                ratio(theirs.median.megabytes, row.ours.median.megabytes),
                row.ours.median.runs,
                theirs.median.runs
            )
        }
        Err(reason) => {
            format!("| {} | {ours} | {peer} | {reason} | | | | | {} |\n", row.task, row.ours.median.runs)
        }
    }
}
