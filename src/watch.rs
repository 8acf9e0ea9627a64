//! When a command has to stop: the user asks, the time is up, the memory is full.
//!
//! In: limits. Out: whether to go on, and why not, for any number of threads. A thread of its own looks at the clock, the memory
//! and the signals, so that asking costs no more than reading a flag and can be done in the innermost loops. It must not
//! stop anything itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::arguments::Limits;
use crate::interrupt;
use crate::resources;

/// Between two looks at the clock and the memory.
const INTERVAL: Duration = Duration::from_millis(10);

/// Why a stage was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Ctrl-C, SIGTERM or SIGHUP.
    Interrupted,
    /// `--timeout`.
    Time(Duration),
    /// `--max-memory`.
    Memory(u64),
}

impl std::fmt::Display for Cause {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Interrupted => formatter.write_str("it was interrupted"),
            Self::Time(limit) => write!(formatter, "it took longer than {} s (--timeout)", limit.as_secs_f64()),
            Self::Memory(limit) => write!(formatter, "it needed more than {limit} bytes (--max-memory)"),
        }
    }
}

/// Watches over the limits of a run, from when it is made.
pub(crate) struct Watch(Arc<Shared>);

struct Shared {
    started: Instant,
    timeout: Option<Duration>,
    max_memory: Option<u64>,
    /// Set where there is a cause, and by nothing else. Lowering wants it for itself.
    stop: Arc<AtomicBool>,
    cause: OnceLock<Cause>,
}

impl Watch {
    pub(crate) fn start(limits: &Limits) -> Self {
        let shared = Arc::new(Shared {
            started: Instant::now(),
            timeout: limits.timeout,
            max_memory: limits.max_memory,
            stop: Arc::new(AtomicBool::new(false)),
            cause: OnceLock::new(),
        });
        let weak = Arc::downgrade(&shared);
        // It ends when there is a cause, or nobody who would ask.
        thread::spawn(move || {
            while let Some(shared) = weak.upgrade() {
                if shared.look() {
                    return;
                }
                let left = shared.left().unwrap_or(INTERVAL);
                drop(shared);
                thread::sleep(left.min(INTERVAL));
            }
        });
        Self(shared)
    }

    /// Whether to go on.
    pub(crate) fn go_on(&self) -> bool {
        !self.0.stop.load(Ordering::Relaxed)
    }

    /// Why not, if so.
    pub(crate) fn cause(&self) -> Option<Cause> {
        self.0.cause.get().copied()
    }

    /// A flag that is set when it is time to stop.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.stop)
    }

    /// The time that is left, where there is a limit.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.0.left()
    }
}

impl Shared {
    fn left(&self) -> Option<Duration> {
        self.timeout.map(|limit| limit.saturating_sub(self.started.elapsed()))
    }

    /// Whether there is a cause now.
    fn look(&self) -> bool {
        let Some(cause) = self.reason() else { return false };
        self.cause.get_or_init(|| cause);
        self.stop.store(true, Ordering::SeqCst);
        true
    }

    fn reason(&self) -> Option<Cause> {
        if interrupt::requested() {
            return Some(Cause::Interrupted);
        }
        if let Some(limit) = self.timeout.filter(|_| self.left().is_some_and(|left| left.is_zero())) {
            return Some(Cause::Time(limit));
        }
        let limit = self.max_memory?;
        resources::memory_bytes().filter(|used| *used > limit).map(|_| Cause::Memory(limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(timeout: Option<Duration>, max_memory: Option<u64>) -> Limits {
        Limits { threads: None, max_states: None, max_memory, timeout }
    }

    fn waited(watch: &Watch) -> Option<Cause> {
        let started = Instant::now();
        while watch.go_on() && started.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(1));
        }
        watch.cause()
    }

    #[test]
    fn each_limit_is_seen_and_told() {
        let time = Duration::from_millis(20);
        let watch = Watch::start(&limits(Some(time), None));
        assert!(watch.go_on() && watch.left().is_some_and(|left| left <= time));
        assert_eq!(waited(&watch), Some(Cause::Time(time)));
        assert_eq!(watch.left(), Some(Duration::ZERO));
        assert!(watch.flag().load(Ordering::SeqCst));
        assert_eq!(waited(&Watch::start(&limits(None, Some(1)))), Some(Cause::Memory(1)));
        let watch = Watch::start(&limits(Some(Duration::from_secs(3600)), Some(1 << 50)));
        thread::sleep(Duration::from_millis(50));
        assert!(watch.go_on() && watch.cause().is_none());
    }
}
