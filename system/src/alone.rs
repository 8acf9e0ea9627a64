//! Whether stages work alone: without a second thread, which costs more to start than it saves in a short run.
//!
//! No result depends on it. The command, which reads the clock, says when a run is not short any more.

use std::sync::atomic::{AtomicBool, Ordering};

static ALONE: AtomicBool = AtomicBool::new(false);

/// Stages work alone from here on.
pub fn begin() {
    ALONE.store(true, Ordering::Relaxed);
}

/// Stages may use several threads from here on.
pub fn end() {
    ALONE.store(false, Ordering::Relaxed);
}

/// Whether stages work alone. They may use several threads, unless it was said that they do not.
pub fn is_so() -> bool {
    ALONE.load(Ordering::Relaxed)
}
