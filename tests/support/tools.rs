//! Programs that the project does not ship, which tests ask where they are installed. All test programs use this file.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::io::Write;
use std::path::PathBuf;

/// Where a program is on the path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Whether a program is there. What a test does with it is reported as skipped where it is not.
pub(crate) fn tool(name: &str) -> bool {
    tools(&[name])
}

/// Whether all of these programs are there. What a test does with them is reported as skipped where one is not.
pub(crate) fn tools(names: &[&str]) -> bool {
    let absent: Vec<&str> = names.iter().copied().filter(|name| on_path(name).is_none()).collect();
    if !absent.is_empty() {
        skipped(&format!("{} is not installed", absent.join(" and ")));
    }
    absent.is_empty()
}

/// Reports that the test of this thread, or a part of it, does nothing, and why.
pub(crate) fn skipped(why: &str) {
    let thread = std::thread::current();
    say(&format!("skipped: {}: {why}", thread.name().unwrap_or("a part of a test")));
}

/// Says something that is seen without `--nocapture`, too.
pub(crate) fn say(text: &str) {
    // There is nothing to be done about an output that is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}
