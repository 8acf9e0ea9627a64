//! The two output streams of the command.
//!
//! A reader that closes its end early, such as `head`, is not an error: it has read what it wanted.

use std::io::{self, Write};

use serde_json::Value;

/// Writes to standard output.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stream = io::stdout().lock();
    tolerate_closed(stream.write_all(text.as_bytes()).and_then(|()| stream.flush()))
}

/// The version of the objects that subcommands print. It grows when a key changes its meaning or goes; a new key is no new version.
/// `tests/schema` has their types.
const SCHEMA: u32 = 1;

/// Writes an object for a program to standard output, on one line.
pub(crate) fn print_object(mut object: Value) -> io::Result<()> {
    object["schema"] = SCHEMA.into();
    print(&format!("{object}\n"))
}

/// Writes one line to standard error, with its colours where that shows them. Does nothing if that is closed, since then
/// there is no reader.
pub(crate) fn note(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

fn tolerate_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
