//! Progress of the stages: bars on a terminal, plain lines otherwise, nothing with `--quiet`.
//!
//! It writes to standard error. No result depends on it.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::resources::Stopwatch;
use crate::terminal;

/// Between two plain lines about one stage lies at least this time, so that logs stay short.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Where progress goes, and the time that the stages took.
pub(crate) struct Progress {
    mode: Mode,
    watch: Stopwatch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Bars,
    Lines,
    Quiet,
}

impl Progress {
    /// Progress for one run of the command.
    pub(crate) fn new(quiet: bool) -> Self {
        let mode = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Mode::Quiet,
            (false, true) => Mode::Bars,
            (false, false) => Mode::Lines,
        };
        Self { mode, watch: Stopwatch::start() }
    }

    /// Runs a stage under a name.
    pub(crate) fn stage<T>(&mut self, name: &'static str, work: impl FnOnce(&Stage) -> T) -> T {
        let stage = Stage::start(self.mode, name);
        let result = self.watch.time(name, || work(&stage));
        stage.finish();
        result
    }

    /// The times of the stages so far.
    pub(crate) fn watch(&self) -> &Stopwatch {
        &self.watch
    }
}

/// One stage while it runs. It can be told from several threads how far it is.
pub(crate) struct Stage {
    name: &'static str,
    started: Instant,
    display: Display,
}

enum Display {
    Bar(ProgressBar),
    Lines(Mutex<Lines>),
    None,
}

struct Lines {
    shown: Instant,
    latest: Option<String>,
}

impl Stage {
    fn start(mode: Mode, name: &'static str) -> Self {
        let started = Instant::now();
        let display = match mode {
            Mode::Bars => Display::Bar(spinner(name)),
            Mode::Lines => Display::Lines(Mutex::new(Lines { shown: started, latest: None })),
            Mode::Quiet => Display::None,
        };
        Self { name, started, display }
    }

    /// Says how far the stage is, where the end is not known.
    pub(crate) fn update(&self, detail: impl FnOnce() -> String) {
        match &self.display {
            Display::Bar(bar) => bar.set_message(detail()),
            Display::Lines(lines) => self.update_line(lines, detail),
            Display::None => {}
        }
    }

    fn update_line(&self, lines: &Mutex<Lines>, detail: impl FnOnce() -> String) {
        // Where another thread is about to write, it says as much as this one would.
        let Ok(mut lines) = lines.try_lock() else {
            return;
        };
        let detail = detail();
        if lines.shown.elapsed() >= LINE_INTERVAL {
            lines.shown = Instant::now();
            terminal::note(&format!("{}: {detail}", self.name));
        }
        lines.latest = Some(detail);
    }

    fn finish(self) {
        let seconds = self.started.elapsed().as_secs_f64();
        match self.display {
            Display::Bar(bar) => bar.finish_and_clear(),
            Display::Lines(lines) => {
                let latest = lines.into_inner().ok().and_then(|lines| lines.latest);
                let detail = latest.map(|text| format!("{text}, ")).unwrap_or_default();
                terminal::note(&format!("{}: {detail}{seconds:.2} s", self.name));
            }
            Display::None => {}
        }
    }
}

const TEMPLATE: &str = "{prefix:>12} {spinner} {msg} {elapsed}";

fn spinner(name: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_style(style(TEMPLATE));
    bar.set_prefix(name);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_right() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }

    #[test]
    fn stages_return_their_results() {
        let mut progress = Progress { mode: Mode::Quiet, watch: Stopwatch::start() };
        let result = progress.stage("one", |stage| {
            stage.update(|| unreachable!("nothing is shown, so nothing is made"));
            7
        });
        assert_eq!(result, 7);
    }
}
