//! What several tests of the command share.

#![allow(dead_code, unused_imports, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "it is a part of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::Mutex;
use std::thread;

use assert_cmd::Command;

pub(crate) mod browser;
mod tools;
pub(crate) use tools::{say, skipped, tool, tools};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The command.
pub(crate) fn paraproof() -> Command {
    let mut command = Command::cargo_bin("paraproof").unwrap();
    command.current_dir(root());
    command
}

/// The expectations in a model's header.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header {
    pub(crate) path: PathBuf,
    pub(crate) proven: bool,
    pub(crate) rules: u64,
    pub(crate) properties: u64,
    /// Settings of constants, and the number of reachable states without symmetry reduction.
    pub(crate) states: Vec<(Vec<String>, u64)>,
    pub(crate) violates: Option<String>,
    /// Facts that this parser does not know, so that misspelled ones are noticed.
    pub(crate) unknown: Vec<String>,
}

impl Header {
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let mut header = Self { path: path.to_owned(), ..Self::default() };
        let mut verdicts = 0;
        for line in text.lines() {
            // In Murphi, a comment on each line; in a `.cub` file, the lines of the first comment.
            let line = line.trim_start_matches(['-', '(', '*', ' ']);
            let Some(fact) = line.strip_prefix("paraproof: ") else { continue };
            let words: Vec<&str> = fact.split_whitespace().collect();
            match &words[..] {
                ["verdict", "=", verdict @ ("proven" | "violated")] => {
                    header.proven = *verdict == "proven";
                    verdicts += 1;
                }
                ["rules", "=", number] => header.rules = number.parse().unwrap(),
                ["properties", "=", number] => header.properties = number.parse().unwrap(),
                ["violates", "=", ..] => header.violates = Some(words[2..].join(" ")),
                ["states", settings @ .., number] => {
                    let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
                    header.states.push((settings, number.parse().unwrap()));
                }
                _ => header.unknown.push(fact.to_owned()),
            }
        }
        assert_eq!(verdicts, 1, "{}: the header names {verdicts} verdicts", path.display());
        header
    }

    /// The name without folder and extension.
    pub(crate) fn name(&self) -> String {
        self.path.file_stem().unwrap().to_string_lossy().into_owned()
    }

    /// Whether the search and the theories take seconds: `scripts/check-theories` leaves out the same models.
    pub(crate) fn is_large(&self) -> bool {
        ["flash", "cxl", "directory", "two_level", "fifo_msi"].iter().any(|part| self.name().contains(part))
    }
}

/// Returns the models of a folder below `models`, sorted by name.
pub(crate) fn models(folder: &str) -> Vec<Header> {
    models_with(folder, "m")
}

/// Returns the models of a folder below `models` whose files have this extension, sorted by name.
pub(crate) fn models_with(folder: &str, wanted: &str) -> Vec<Header> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join("models").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == wanted))
        .collect();
    paths.sort();
    paths.iter().map(|path| Header::read(path)).collect()
}

/// Runs this for every model, for two of them at a time.
pub(crate) fn two_at_a_time(models: Vec<Header>, run: impl Fn(&Header) + Sync) {
    let next = Mutex::new(models.into_iter());
    let work = || {
        let take = || next.lock().unwrap().next();
        while let Some(header) = take() {
            run(&header);
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

/// Runs rumur on a model, and returns whether it finds an error and what it prints. rumur must be installed.
pub(crate) fn rumur(model: &Path, options: &[&str]) -> (bool, String) {
    rumur_compiled(model, options, "-O1")
}

/// Does the same as [`rumur`] with the given optimization level, since compiling takes longer than a short run.
pub(crate) fn rumur_compiled(model: &Path, options: &[&str], level: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let (source, checker) = (folder.path().join("checker.c"), folder.path().join("checker"));
    let generated = Process::new("rumur").args(options).arg("--output").arg(&source).arg(model).output().unwrap();
    assert!(generated.status.success(), "{}", String::from_utf8_lossy(&generated.stderr));
    let compiled = Process::new("cc")
        .args(["-std=c11", level, "-w", "-march=native", "-mcx16", "-o"])
        .args([&checker, &source])
        .arg("-lpthread")
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Process::new(&checker).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = match output.status.code() {
        Some(0) => false,
        Some(1) => true,
        other => panic!("rumur's checker ends with {other:?}: {text}"),
    };
    (found, text)
}

/// Returns whether rumur finds an error in the instance. Deadlocks are not errors.
pub(crate) fn rumur_finds_violation(model: &Path) -> bool {
    rumur(model, &["--deadlock-detection=off"]).0
}
