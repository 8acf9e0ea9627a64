//! Exploration of instances beside CMurphi and rumur: states per CPU second, and memory.
//!
//! In: models of this repository at fixed sizes, symmetry reduction off, and the checkers that are installed. Out: a table
//! on standard output with the figures of each and what ours are of theirs. All run one after the other in the same run,
//! since absolute times shift from machine to machine. A checker that is not there is left out. CMurphi is found as `mu`
//! on the path, with its headers in `CMURPHI_INCLUDE` or `/usr/local/share/cmurphi/include`.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A model, the sizes of its instance, and the number of states that all have to find.
type Case = (&'static str, &'static [(&'static str, i64)], Option<u64>);

const CASES: &[Case] = &[
    ("models/german_ctc.m", &[("NODE_NUM", 3), ("DATA_NUM", 2)], Some(58_104)),
    ("models/german_ctc.m", &[("NODE_NUM", 4), ("DATA_NUM", 2)], Some(1_105_434)),
    ("models/german.m", &[("NODE_NUM", 3), ("DATA_NUM", 2)], Some(3_327_750)),
    ("models/flash.m", &[("NODE_NUM", 3), ("DATA_NUM", 2)], Some(517_116)),
];

/// What a run took.
struct Figures {
    states: u64,
    cpu_seconds: f64,
    megabytes: f64,
}

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir()?;
    println!(
        "{:<34} {:<8} {:>9} {:>7} {:>8} {:>10} {:>14}",
        "model", "checker", "states", "CPU s", "MB", "states/s", "ours to theirs"
    );
    for (model, sizes, expected) in CASES {
        let path = root.join(model);
        let text = with_constants(&fs::read_to_string(&path)?, sizes)?;
        let shown: Vec<String> = sizes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let name = format!("{} {}", path.file_stem().unwrap_or_default().to_string_lossy(), shown.join(" "));
        let file = folder.path().join("model.m");
        fs::write(&file, text)?;
        let ours = ours(&file)?;
        if expected.is_some_and(|expected| expected != ours.states) {
            bail!("{name}: {} states, which is wrong", ours.states);
        }
        show(&name, "ours", &ours, None);
        for (checker, run) in [("CMurphi", cmurphi as fn(&Path, &Path) -> Result<Figures>), ("rumur", rumur)] {
            match run(folder.path(), &file) {
                Ok(theirs) => {
                    if theirs.states != ours.states {
                        bail!("{name}: {} states for {checker}, {} for ours", theirs.states, ours.states);
                    }
                    show(&name, checker, &theirs, Some(&ours));
                }
                Err(error) => println!("{name:<34} {checker:<8} left out: {error:#}"),
            }
        }
    }
    Ok(())
}

fn show(name: &str, checker: &str, figures: &Figures, ours: Option<&Figures>) {
    let speed = |figures: &Figures| f64_of(figures.states) / figures.cpu_seconds.max(0.01);
    let ratio = ours.map_or_else(String::new, |ours| {
        format!("{:.2} speed, {:.2} memory", speed(ours) / speed(figures), ours.megabytes / figures.megabytes)
    });
    println!(
        "{name:<34} {checker:<8} {:>9} {:>7.2} {:>8.1} {:>10.0} {ratio:>14}",
        figures.states,
        figures.cpu_seconds,
        figures.megabytes,
        speed(figures)
    );
}

/// The text with other values for constants.
fn with_constants(text: &str, constants: &[(&str, i64)]) -> Result<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (name, value) in constants {
        let declares = |line: &&mut String| {
            let rest = line.trim_start().trim_start_matches("const ").trim_start().strip_prefix(name);
            rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
        };
        let line = lines.iter_mut().find(declares).with_context(|| format!("there is no constant {name}"))?;
        let start = if line.trim_start().starts_with("const ") { "const " } else { "" };
        *line = format!("{start}{name} : {value};");
    }
    Ok(lines.join("\n"))
}

fn ours(model: &Path) -> Result<Figures> {
    let command = [env!("CARGO_BIN_EXE_paraproof"), "simulate", "--no-symmetry", "--json", "--quiet"];
    let (output, cpu_seconds, megabytes) = timed(&command.map(str::to_owned), Some(model))?;
    let figures: serde_json::Value = serde_json::from_str(output.trim())?;
    let states = figures["states"].as_u64().context("no number of states")?;
    Ok(Figures { states, cpu_seconds, megabytes })
}

fn cmurphi(folder: &Path, model: &Path) -> Result<Figures> {
    let include = std::env::var("CMURPHI_INCLUDE").unwrap_or_else(|_| "/usr/local/share/cmurphi/include".to_owned());
    let translated = Command::new("mu").arg(model).current_dir(folder).output().context("`mu` is not installed")?;
    let source = model.with_extension("cpp");
    if !source.is_file() {
        bail!("{}", String::from_utf8_lossy(&translated.stdout));
    }
    let checker = folder.join("cmurphi");
    compile(
        Command::new("g++").args(["-O2", "-w", "-fpermissive", "-I"]).arg(include).arg("-o").arg(&checker).arg(source),
    )?;
    // It reserves what it is allowed to use, so it is given what it needs.
    for megabytes in ["-m100", "-m400", "-m1600"] {
        let command = [text(&checker), megabytes.to_owned(), "-nosym".to_owned(), "-ndl".to_owned()];
        let (output, cpu_seconds, memory) = timed(&command, None)?;
        if let Some(states) = before(&output, " states, ").filter(|_| output.contains("No error found")) {
            return Ok(Figures { states, cpu_seconds, megabytes: memory });
        }
    }
    bail!("no answer")
}

fn rumur(folder: &Path, model: &Path) -> Result<Figures> {
    let source = folder.join("rumur.c");
    let options = ["--symmetry-reduction=off", "--threads=1", "--deadlock-detection=off", "--output"];
    let status = Command::new("rumur").args(options).arg(&source).arg(model).status().context("it is not installed")?;
    if !status.success() {
        bail!("it refuses the model");
    }
    let checker = folder.join("rumur");
    let flags = ["-std=c11", "-O3", "-march=native", "-w", "-mcx16", "-o"];
    compile(Command::new("gcc").args(flags).arg(&checker).arg(&source).arg("-lpthread"))?;
    let (output, cpu_seconds, megabytes) = timed(&[text(&checker)], None)?;
    let states = before(&output, " states, ").context("no number of states")?;
    Ok(Figures { states, cpu_seconds, megabytes })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn compile(command: &mut Command) -> Result<()> {
    let output = command.output().context("there is no C compiler")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Runs a command; its output, its CPU seconds and its peak memory in MB, as GNU time measures them.
fn timed(command: &[String], model: Option<&Path>) -> Result<(String, f64, f64)> {
    let report = PathBuf::from(format!("{}/time", std::env::temp_dir().display()));
    let mut run = Command::new("/usr/bin/time");
    run.args(["-f", "%U %S %M", "-o"]).arg(&report).args(command).args(model);
    let output = run.output().context("GNU time is not installed")?;
    let measured = fs::read_to_string(&report)?;
    let numbers: Vec<f64> =
        measured.lines().last().unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect();
    let [user, system, kilobytes] = numbers[..] else { bail!("GNU time says {measured:?}") };
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), user + system, kilobytes / 1024.0))
}

/// The number in front of a text.
fn before(output: &str, marker: &str) -> Option<u64> {
    output.lines().find_map(|line| line.split_once(marker)?.0.split_whitespace().last()?.parse().ok())
}

fn f64_of(number: u64) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}
