//! `lsp`: the language server for editors.
//!
//! Verdicts come from runs of `verify` on copies of the texts, each in a process of its own, so that a run can be given up at any
//! moment.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use editor::Language;
use lsp_server::Connection;
use serde_json::{Map, Value};
use tempfile::TempDir;

use crate::arguments::{LspArguments, verify_for_a_program};
use crate::limits::Watchdog;
use crate::outcome::Outcome;
use crate::{child, files, interrupt, model};

/// A verdict that takes longer is of little use to an editor.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(super) fn run(arguments: &LspArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    watch.finish();
    let mut search = arguments.search.clone();
    search.limits.run.timeout.get_or_insert(TIMEOUT);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let command = verify_for_a_program(&arguments.settings, &search, false, u32::try_from(threads)?);
    let is_wanted = !arguments.no_verdicts;
    let (connection, threads) = Connection::stdio();
    let read = |language: Language, text: &str| {
        let name = format!("model.{}", language.extension());
        model::read_text(Path::new(&name), text, &arguments.settings, watch)
    };
    let verify = move |language: Language, text: &str, go_on: &dyn Fn() -> bool| {
        if is_wanted { verdict(&command, language, text, go_on) } else { None }
    };
    editor::serve(&connection, env!("CARGO_PKG_VERSION"), &read, Arc::new(verify))?;
    drop(connection);
    threads.join()?;
    Ok(Outcome::Good)
}

/// What `verify` says of a text. A run that cannot be started has nothing to say, and neither has one that was given up.
fn verdict(
    command: &[OsString],
    language: Language,
    text: &str,
    go_on: &dyn Fn() -> bool,
) -> Option<Map<String, Value>> {
    let run = || -> io::Result<child::Ran> {
        let (folder, _registered) = interrupt::temporary(tempfile::tempdir, TempDir::path)?;
        let path = folder.path().join(format!("model.{}", language.extension()));
        std::fs::write(&path, text)?;
        let arguments: Vec<OsString> = command.iter().cloned().chain(["--".into(), path.into()]).collect();
        child::run(&arguments, go_on)
    };
    match run() {
        Ok(ran) => go_on().then_some(ran.summary),
        Err(error) => {
            crate::terminal::note(&format!("error: {}", files::one_line(&error.to_string())));
            None
        }
    }
}
