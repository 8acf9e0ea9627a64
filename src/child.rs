//! Runs `verify` in a separate process, and returns what the run printed and how it ended.
//!
//! A separate process has its own limits, can be stopped at any moment, and takes nothing else down with it. This module must not
//! interpret what the run says.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Map, Value, json};

use crate::outcome::Outcome;

/// Between two looks at a run.
const INTERVAL: Duration = Duration::from_millis(5);

/// A run that was asked to stop has so much time to tell what it knows. It is more than the run allows itself.
const GRACE: Duration = Duration::from_secs(2);

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) outcome: Outcome,
    /// What it says at its end, as `--json` prints it.
    pub(crate) summary: Map<String, Value>,
    /// What it wrote to standard error.
    pub(crate) errors: String,
    pub(crate) seconds: f64,
}

/// Runs the command with these arguments, which must include `--json`, until it ends or `go_on` says no.
pub(crate) fn run(arguments: &[OsString], go_on: &dyn Fn() -> bool) -> io::Result<Ran> {
    let (output, errors) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let started = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(errors.try_clone()?)
        .spawn()?;
    let waited = wait(&mut child, go_on);
    if waited.is_err() {
        // It must not outlive this call; that it is gone already is no error.
        let _ = child.kill().and_then(|()| child.wait());
    }
    let code = waited?;
    let outcome = code.and_then(Outcome::from_code);
    let summary = match (serde_json::from_str(&text(output)?), outcome) {
        (Ok(Value::Object(summary)), _) => summary,
        (_, Some(Outcome::BadInput)) => object(&json!({ "verdict": "refused" })),
        (_, Some(_) | None) => {
            let ended = code.map_or_else(|| "by a signal".to_owned(), |code| format!("with code {code}"));
            object(&json!({ "verdict": "inconclusive", "reason": format!("the run ended {ended}") }))
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    Ok(Ran { outcome: outcome.unwrap_or(Outcome::Inconclusive), summary, errors: text(errors)?, seconds })
}

/// The exit code, if the run ends by itself.
fn wait(child: &mut Child, go_on: &dyn Fn() -> bool) -> io::Result<Option<i32>> {
    let mut asked: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        match asked {
            None if !go_on() => {
                asked = Some(Instant::now());
                // It has not been waited for, so its number is still its own.
                let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
                kill(Pid::from_raw(pid), Signal::SIGTERM)?;
            }
            Some(asked) if asked.elapsed() > GRACE => child.kill()?,
            None | Some(_) => {}
        }
        thread::sleep(INTERVAL);
    }
}

fn text(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
