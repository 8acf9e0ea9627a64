//! When a search has to stop: the user asks, the time is up, the memory is full.
//!
//! In: limits. Out: whether to go on, and why not. It must not stop anything itself.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use crate::arguments::Limits;
use crate::interrupt;
use crate::resources;

/// Looking at the clock and the memory costs more than a step of a search, so it is done that often.
const INTERVAL: Duration = Duration::from_millis(20);

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

/// Watches over the limits of a run.
pub(crate) struct Watch {
    started: Instant,
    timeout: Option<Duration>,
    max_memory: Option<u64>,
    looked: Cell<Option<Instant>>,
    cause: RefCell<Option<Cause>>,
}

impl Watch {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            started: Instant::now(),
            timeout: limits.timeout,
            max_memory: limits.max_memory,
            looked: Cell::new(None),
            cause: RefCell::new(None),
        }
    }

    /// Whether to go on.
    pub(crate) fn go_on(&self) -> bool {
        if self.cause.borrow().is_some() {
            return false;
        }
        let now = Instant::now();
        if self.looked.get().is_none_or(|looked| now.duration_since(looked) >= INTERVAL) {
            self.looked.set(Some(now));
            *self.cause.borrow_mut() = self.look(now);
        }
        self.cause.borrow().is_none()
    }

    /// Why not, if so.
    pub(crate) fn cause(&self) -> Option<Cause> {
        *self.cause.borrow()
    }

    fn look(&self, now: Instant) -> Option<Cause> {
        if interrupt::requested() {
            return Some(Cause::Interrupted);
        }
        if let Some(limit) = self.timeout.filter(|limit| now.duration_since(self.started) >= *limit) {
            return Some(Cause::Time(limit));
        }
        let limit = self.max_memory?;
        resources::memory_bytes().filter(|used| *used > limit).map(|_| Cause::Memory(limit))
    }
}
