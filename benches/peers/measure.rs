//! CPU time and peak memory of a command.
//!
//! The kernel adds up the use of all children of a process, so each measurement runs in its own process: this program,
//! started again with `--measure`. The limit on CPU time holds for the command, whatever else the machine does.

use std::io::{self, Write};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};

/// The argument that makes this program measure a command.
pub(crate) const FLAG: &str = "--measure";

/// One run of a command.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The user and system time.
    pub(crate) cpu: Duration,
    /// The peak resident memory.
    pub(crate) kilobytes: u64,
    /// The exit code, or `None` if a signal or the limit ended the command.
    pub(crate) code: Option<i32>,
    /// The standard output and standard error.
    pub(crate) output: String,
}

/// Runs a command, and stops it after `limit` of CPU time.
pub(crate) fn run(command: &[String], limit: Duration) -> anyhow::Result<Run> {
    let program = std::env::current_exe()?;
    let output = Command::new(program).arg(FLAG).arg(limit.as_secs().to_string()).args(command).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (figures, output_text) = text.split_once('\n').with_context(|| {
        format!("{} cannot be measured: {}", command.join(" "), String::from_utf8_lossy(&output.stderr))
    })?;
    let figures: Vec<&str> = figures.split(' ').collect();
    let [micros, kilobytes, code] = figures.as_slice() else {
        anyhow::bail!("{} cannot be measured", command.join(" "));
    };
    Ok(Run {
        cpu: Duration::from_micros(micros.parse()?),
        kilobytes: kilobytes.parse()?,
        code: code.parse().ok(),
        output: output_text.to_owned(),
    })
}

/// The measuring process: runs the command, and writes a line of figures followed by the output.
pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<()> {
    let [limit, program, arguments @ ..] = arguments else { anyhow::bail!("there is nothing to measure") };
    let seconds: u64 = limit.parse()?;
    setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
    let output = Command::new(program).args(arguments).output().with_context(|| program.clone())?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let (user, system) = (usage.user_time(), usage.system_time());
    let micros = (user.tv_sec() + system.tv_sec()) * 1_000_000 + user.tv_usec() + system.tv_usec();
    let code = output.status.code().map_or_else(|| "signal".to_owned(), |code| code.to_string());
    let mut out = io::stdout().lock();
    writeln!(out, "{micros} {} {code}", usage.max_rss())?;
    out.write_all(&output.stdout)?;
    out.write_all(&output.stderr)?;
    Ok(())
}
