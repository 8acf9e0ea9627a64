//! Programs that the project does not include, but that tests use if they are installed. All test programs use this
//! file.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::io::Write;
use std::path::PathBuf;

/// Returns the location of a program on the path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Returns whether a program is installed. If not, the test is reported as skipped.
pub(crate) fn tool(name: &str) -> bool {
    tools(&[name])
}

/// Returns whether all of these programs are installed. If not, the test is reported as skipped.
pub(crate) fn tools(names: &[&str]) -> bool {
    let absent: Vec<&str> = names.iter().copied().filter(|name| on_path(name).is_none()).collect();
    if !absent.is_empty() {
        skipped(&format!("{} is not installed", absent.join(" and ")));
    }
    absent.is_empty()
}

/// Reports that the test of this thread, or a part of it, is skipped, and why.
pub(crate) fn skipped(why: &str) {
    let thread = std::thread::current();
    say(&format!("skipped: {}: {why}", thread.name().unwrap_or("a part of a test")));
}

/// Prints a text that is visible even without `--nocapture`.
pub(crate) fn say(text: &str) {
    // Nothing can be done if the output is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}
