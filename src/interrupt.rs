//! Ctrl-C, SIGTERM and SIGHUP: the first signal asks all stages to stop, the second ends the process. The first ends a command
//! at once if its partial work has no meaning.
//!
//! On Linux, signals wait until the watchdog takes them, so that there is no handler; elsewhere a thread waits for them. Stages and
//! writers look at a flag. If the process ends on the spot, temporary files are removed. This module must not write any result.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use nix::sys::signal::{SigSet, Signal};
#[cfg(target_os = "linux")]
use nix::sys::signalfd::{SfdFlags, SignalFd};

use crate::outcome::Outcome;
use crate::terminal;

#[cfg(target_os = "linux")]
static SIGNALS: OnceLock<SignalFd> = OnceLock::new();
static REQUESTED: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(false);
static LAST: AtomicBool = AtomicBool::new(false);
static COMPLETE: AtomicBool = AtomicBool::new(false);
static TEMPORARY: Mutex<BTreeSet<(Kind, PathBuf)>> = Mutex::new(BTreeSet::new());
static EXCHANGE: Mutex<()> = Mutex::new(());

/// What becomes of a path should the process end on the spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A folder that was made for an output: it goes where it is still empty.
    Folder,
    /// A private file or folder, which is removed with everything in it.
    Temporary,
}

/// Lets signals wait. Where that fails, they keep their default meaning, which is to end the process. It must be called before there are
/// other threads.
pub(crate) fn install() {
    wait_for([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect());
}

#[cfg(target_os = "linux")]
fn wait_for(wanted: SigSet) {
    let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
    if let Ok(signals) = SignalFd::with_flags(&wanted, flags)
        && wanted.thread_block().is_ok()
    {
        let _ = SIGNALS.set(signals);
    }
}

#[cfg(not(target_os = "linux"))]
fn wait_for(wanted: SigSet) {
    if wanted.thread_block().is_ok() {
        std::thread::spawn(move || {
            while wanted.wait().is_ok() {
                asked_to_stop();
            }
        });
    }
}

/// Does what the signals that have come since the last call ask for. Where a thread waits for them, it has done so.
pub(crate) fn take() {
    #[cfg(target_os = "linux")]
    if let Some(signals) = SIGNALS.get() {
        while let Ok(Some(_)) = signals.read_signal() {
            asked_to_stop();
        }
    }
}

fn asked_to_stop() {
    if REQUESTED.swap(true, Ordering::SeqCst) || AT_ONCE.load(Ordering::SeqCst) {
        if !is_complete() {
            end_now();
        }
        return;
    }
    terminal::note("interrupted: stopping; once more to end at once");
}

/// From here on the first signal ends the process.
pub(crate) fn end_at_once() {
    AT_ONCE.store(true, Ordering::SeqCst);
}

/// Whether the user asked to stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Exchanges files in a way that no signal ends in its middle.
pub(crate) fn undisturbed<T>(exchange: impl FnOnce() -> T) -> T {
    let _held = EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    let exchanged = exchange();
    COMPLETE.store(LAST.load(Ordering::SeqCst), Ordering::SeqCst);
    exchanged
}

/// The next exchange of files is the end of the work: a signal that comes during it or later ends nothing.
pub(crate) fn last_exchange() {
    LAST.store(true, Ordering::SeqCst);
}

/// Whether all files are in place. An exchange comes to its end first.
fn is_complete() -> bool {
    let _held = EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    COMPLETE.load(Ordering::SeqCst)
}

/// Makes a temporary file or folder, which is removed should the process end on the spot, as long as the second returned value lives. The
/// process does not end before it is registered.
pub(crate) fn temporary<T, E>(
    make: impl FnOnce() -> Result<T, E>,
    path: impl FnOnce(&T) -> &Path,
) -> Result<(T, Registered), E> {
    let _held = EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    let made = make()?;
    let registered = register(Kind::Temporary, path(&made));
    Ok((made, registered))
}

/// Makes a folder for an output, which is removed if it is empty should the process end on the spot, as long as the returned value lives.
pub(crate) fn folder(path: &Path) -> io::Result<Registered> {
    let _held = EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    fs::create_dir(path)?;
    Ok(register(Kind::Folder, path))
}

fn register(kind: Kind, path: &Path) -> Registered {
    let entry = (kind, path.to_owned());
    registered(|paths| paths.insert(entry.clone()));
    Registered(entry)
}

/// A path that is removed should the process end on the spot.
pub(crate) struct Registered((Kind, PathBuf));

impl Drop for Registered {
    fn drop(&mut self) {
        registered(|paths| paths.remove(&self.0));
    }
}

fn registered<T>(use_paths: impl FnOnce(&mut BTreeSet<(Kind, PathBuf)>) -> T) -> T {
    // A thread that panicked while it held the lock cannot have left the set in a bad state.
    use_paths(&mut TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner))
}

fn end_now() -> ! {
    end(Outcome::Inconclusive)
}

/// Ends the process whatever its threads do, and removes what they leave half done.
#[expect(clippy::exit, reason = "that is what it is for")]
pub(crate) fn end(outcome: Outcome) -> ! {
    let _held = EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    registered(|paths| {
        // Files go before the folder that they are in. A failure cannot be reported any more.
        for (kind, path) in paths.iter().rev() {
            let _ = match kind {
                Kind::Temporary => fs::remove_file(path).or_else(|_| fs::remove_dir_all(path)),
                Kind::Folder => fs::remove_dir(path),
            };
        }
    });
    std::process::exit(outcome.code().into())
}
