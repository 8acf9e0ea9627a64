//! The `paraproof` command: arguments, progress, files and exit codes; nothing else.

mod arguments;
mod commands;
mod explorer;
mod files;
mod instance;
mod interrupt;
mod model;
mod near;
mod outcome;
mod progress;
mod render;
mod resources;
mod terminal;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
use outcome::Outcome;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    interrupt::install();
    commands::run(&arguments.command).unwrap_or_else(|error| commands::outcome_of(&error)).into()
}

/// Help and version are what was asked for; everything else is a mistake in the usage.
fn usage(error: &clap::Error) -> ExitCode {
    // Where the terminal is gone, there is nobody to tell.
    let _ = error.print();
    if error.use_stderr() { Outcome::BadInput } else { Outcome::Good }.into()
}
