//! When a command has to stop: the user asks, the time is up, or the memory is full.
//!
//! A separate thread watches the clock, the memory and the signals, so asking whether to go on costs no more than reading a flag,
//! and can be done in the innermost loops of any number of threads. Most stages ask, and then report how far they got. If a stage
//! does not stop soon after it should, the process ends, whatever the stage is doing. This is how the limits hold for every stage
//! of every command.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use system::alone;

use crate::arguments::RunLimits;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::resources;

/// Between two looks at the clock and the memory.
const INTERVAL: Duration = Duration::from_millis(10);

/// So long a run works alone.
const SHORT: Duration = Duration::from_millis(200);

/// A stage that should stop has so much time to do it by itself.
const GRACE: Duration = Duration::from_millis(400);

/// The work is too large to go on for the time that is left, or the user has had enough.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
pub(crate) struct Stopped;

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
            Self::Time(limit) => {
                write!(formatter, "it took longer than {} (--timeout)", humantime::format_duration(*limit))
            }
            Self::Memory(limit) => write!(formatter, "it needed more than {} (--max-memory)", ByteSize(*limit)),
        }
    }
}

/// Says what is known about a run that is cut short, given the reason and the cause, and what its outcome is.
type LastWord = Box<dyn FnOnce(&str, Cause) -> Outcome + Send>;

/// What is said should the run be cut.
enum AtCut {
    /// This.
    Say(LastWord),
    /// Nothing: the run is reporting its outcome.
    Finishing,
}

/// Watches over the limits of a run, from when it is made.
pub(crate) struct Watchdog(Arc<Shared>);

struct Shared {
    started: Instant,
    limits: RunLimits,
    /// Set where there is a cause, and by nothing else. Lowering wants it for itself.
    stop: Arc<AtomicBool>,
    cause: OnceLock<Cause>,
    /// What the run is at.
    doing: Mutex<&'static str>,
    /// Held by the thread that reports the result of the run.
    at_cut: Mutex<AtCut>,
}

impl Watchdog {
    /// Watches over a run; `last_word` is said should it be cut.
    pub(crate) fn start(limits: &RunLimits, last_word: impl FnOnce(&str, Cause) -> Outcome + Send + 'static) -> Self {
        let shared = Arc::new(Shared {
            started: Instant::now(),
            limits: limits.clone(),
            stop: Arc::new(AtomicBool::new(false)),
            cause: OnceLock::new(),
            doing: Mutex::new("the run"),
            at_cut: Mutex::new(AtCut::Say(Box::new(last_word))),
        });
        let weak = Arc::downgrade(&shared);
        alone::begin();
        thread::spawn(move || {
            let started = Instant::now();
            let mut since: Option<Instant> = None;
            // Signals are taken until the process ends.
            loop {
                interrupt::take();
                let mut pause = INTERVAL;
                if let Some(shared) = weak.upgrade() {
                    if since.is_none() && shared.look() {
                        since = Some(Instant::now());
                    }
                    if since.is_some_and(|since| since.elapsed() >= GRACE || shared.is_far_too_large()) {
                        shared.cut();
                    }
                    pause = shared.left().filter(|left| !left.is_zero()).unwrap_or(INTERVAL).min(INTERVAL);
                }
                thread::sleep(pause);
                if started.elapsed() >= SHORT {
                    alone::end();
                }
            }
        });
        Self(shared)
    }

    /// Says what the run is at, as in `lowering the model`.
    pub(crate) fn doing(&self, what: &'static str) {
        *locked(&self.0.doing) = what;
    }

    /// From here on, this is said should the run be cut.
    pub(crate) fn say_if_cut(&self, last_word: impl FnOnce(&str, Cause) -> Outcome + Send + 'static) {
        self.keep(last_word, || ());
    }

    /// Puts results in place, and says this should the run be cut afterwards. It is not cut between the two.
    pub(crate) fn keep<T>(
        &self,
        last_word: impl FnOnce(&str, Cause) -> Outcome + Send + 'static,
        results: impl FnOnce() -> T,
    ) -> T {
        let mut at_cut = locked(&self.0.at_cut);
        let done = results();
        *at_cut = AtCut::Say(Box::new(last_word));
        done
    }

    /// From here on the run is not cut short any more: it reports its outcome, which does not take long.
    pub(crate) fn finish(&self) {
        *locked(&self.0.at_cut) = AtCut::Finishing;
    }

    /// Says the last word of a run that was stopped.
    ///
    /// # Errors
    /// Where the run was not stopped, or has said something already.
    pub(crate) fn last_word(&self) -> Result<Outcome, Stopped> {
        let mut at_cut = locked(&self.0.at_cut);
        match (std::mem::replace(&mut *at_cut, AtCut::Finishing), self.cause()) {
            (AtCut::Say(word), Some(cause)) => Ok(word(&self.0.reason(cause), cause)),
            (AtCut::Say(_) | AtCut::Finishing, _) => Err(Stopped),
        }
    }

    /// An error where it is time to stop.
    pub(crate) fn ask(&self) -> Result<(), Stopped> {
        if self.go_on() { Ok(()) } else { Err(Stopped) }
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

/// A thread that panicked while it held the lock cannot have left the value in a bad state.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn left(&self) -> Option<Duration> {
        self.limits.timeout.map(|limit| limit.saturating_sub(self.started.elapsed()))
    }

    /// Whether there is a cause now.
    fn look(&self) -> bool {
        let Some(cause) = self.cause_now() else { return false };
        self.cause.get_or_init(|| cause);
        self.stop.store(true, Ordering::SeqCst);
        true
    }

    fn cause_now(&self) -> Option<Cause> {
        if interrupt::requested() {
            return Some(Cause::Interrupted);
        }
        if let Some(limit) = self.limits.timeout.filter(|_| self.left().is_some_and(|left| left.is_zero())) {
            return Some(Cause::Time(limit));
        }
        let limit = self.limits.max_memory?;
        resources::memory_bytes().filter(|used| *used > limit).map(|_| Cause::Memory(limit))
    }

    /// Whether the memory in use grows on, so that there is no time to wait.
    fn is_far_too_large(&self) -> bool {
        let limit = self.limits.max_memory.map(|limit| limit.saturating_add(limit / 8));
        limit.is_some_and(|limit| resources::memory_bytes().is_some_and(|used| used > limit))
    }

    fn reason(&self, cause: Cause) -> String {
        format!("{} was stopped: {cause}", locked(&self.doing))
    }

    /// Ends the process with the last word, unless the run is reporting its outcome.
    fn cut(&self) {
        let mut at_cut = locked(&self.at_cut);
        let (AtCut::Say(word), Some(&cause)) = (std::mem::replace(&mut *at_cut, AtCut::Finishing), self.cause.get())
        else {
            return;
        };
        // The lock is held until the process is gone, so that the run waits where it comes to its end just now.
        interrupt::end(word(&self.reason(cause), cause));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(timeout: Option<Duration>, max_memory: Option<u64>) -> Watchdog {
        Watchdog::start(&RunLimits { timeout, max_memory }, |_, _| Outcome::Inconclusive)
    }

    fn waited(watch: &Watchdog) -> Option<Cause> {
        let started = Instant::now();
        while watch.go_on() && started.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(1));
        }
        watch.cause()
    }

    #[test]
    fn each_limit_is_seen_and_told() {
        let time = Duration::from_millis(20);
        let watch = start(Some(time), None);
        watch.finish();
        assert!(watch.go_on() && watch.left().is_some_and(|left| left <= time));
        assert_eq!(waited(&watch), Some(Cause::Time(time)));
        assert_eq!(watch.left(), Some(Duration::ZERO));
        assert!(watch.flag().load(Ordering::SeqCst));
        let watch = start(None, Some(1));
        watch.finish();
        assert_eq!(waited(&watch), Some(Cause::Memory(1)));
        let watch = start(Some(Duration::from_secs(3600)), Some(1 << 50));
        thread::sleep(Duration::from_millis(50));
        assert!(watch.go_on() && watch.cause().is_none());
    }
}
