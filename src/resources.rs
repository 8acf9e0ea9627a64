//! Time and memory that the process has used, for summaries.
//!
//! No stage sees these figures, so no result depends on them.

use std::fs;
use std::time::Instant;

/// The largest amount of memory that the process has had in use, in bytes; none where the system does not say. What
/// `getrusage` counts includes the process that started this one.
pub(crate) fn peak_memory_bytes() -> Option<u64> {
    in_status("VmHWM:", &fs::read_to_string("/proc/self/status").ok()?)
}

/// The memory that the process has in use, in bytes; none where the system does not say.
pub(crate) fn memory_bytes() -> Option<u64> {
    memory_stats::memory_stats().and_then(|stats| u64::try_from(stats.physical_mem).ok())
}

fn in_status(key: &str, status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// How long each stage took, in the order in which the stages ran.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    started: Instant,
    stages: Vec<(&'static str, f64)>,
}

impl Stopwatch {
    /// Starts the time.
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), stages: Vec::new() }
    }

    /// Runs a stage and adds its time.
    pub(crate) fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        let seconds = started.elapsed().as_secs_f64();
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += seconds,
            None => self.stages.push((stage, seconds)),
        }
        result
    }

    /// The seconds since the start.
    pub(crate) fn total(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The seconds of each stage and the total, as a JSON object.
    pub(crate) fn json(&self) -> serde_json::Value {
        let stages = self.stages.iter().map(|(name, seconds)| (*name, *seconds));
        stages
            .chain([("total", self.total())])
            .map(|(name, seconds)| (name.to_owned(), serde_json::json!(rounded(seconds))))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}

/// Microseconds are more than enough.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read() {
        let status = "Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t    1234 kB\n";
        assert_eq!(in_status("VmHWM:", status), Some(1234 * 1024));
        assert_eq!(in_status("VmHWM:", "VmHWM: many"), None);
        assert!(memory_bytes().is_some_and(|bytes| bytes > 100_000));
        assert!(peak_memory_bytes().is_some_and(|bytes| bytes > 100_000));
    }

    #[test]
    fn stages_of_one_name_are_added() {
        let mut watch = Stopwatch::start();
        assert_eq!(watch.time("one", || 1), 1);
        watch.time("two", || ());
        watch.time("one", || ());
        let json = watch.json();
        let names: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(names, ["one", "total", "two"]);
    }
}
