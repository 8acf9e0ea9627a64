//! The `paraproof` command: arguments, progress, files and exit codes; nothing else.

fn main() {}
