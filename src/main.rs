//! The `paraproof` command; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    paraproof::run(std::env::args_os()).into()
}
