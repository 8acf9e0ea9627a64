//! Compares ParaProof with its peers on the same protocols in the same run: `cargo bench --bench peers`.
//!
//! For each protocol, this measures `paraproof find` and `check` (a proof, a certificate, and its acceptance),
//! `paraproof verify` (the same, with all output files), and Cubicle on the translated model. For some instances, it
//! measures `paraproof simulate` and the checkers that rumur and CMurphi generate. The results go to `target/peers.md`
//! and to standard output. Peers that are not on the path are listed as skipped.
//!
//! Arguments, after `--`: texts of which a task's name must contain one (without any, all tasks run); `--limit S` for
//! the CPU seconds of one run (300); `--once` for one run of each; `--emit DIR` to only write the translated models to
//! that directory; `--files DIR` to compare with Cubicle on all `.cub` files of a directory instead, as they are, and with it
//! `--ours FILE` for the command to compare, such as the one that is released;
//! `--cub "MODEL=FILE OPTIONS"`, which may be repeated, to run Cubicle for a model on that file with
//! those options instead of on the translated model.

mod files;
mod measure;
mod programs;
mod protocols;
mod table;
mod tools;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use measure::{Run, run};
use paraproof::system::front_end::Diagnostic;
use programs::Checker;
use protocols::{INSTANCES, Instance, PROOFS, Proof};
use table::{Median, Row, Side, markdown};
use tools::{CMURPHI, CUBICLE, RUMUR, Verdict, on_path};

/// A function that prepares a checker of an instance.
type Maker = fn(&Path, &Path, &Path, u32) -> anyhow::Result<Checker>;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PARAPROOF: &str = env!("CARGO_BIN_EXE_paraproof");

/// The limit of one run in CPU seconds, unless the user sets another.
const LIMIT: u64 = 300;

/// The head of the table of files.
const FILES_HEAD: &str = "\
| file | ours | CPU s | MB | invariants | Cubicle's options | Cubicle | CPU s | MB | invariants | ratio |
|---|---|--:|--:|--:|---|---|--:|--:|--:|--:|
";

/// The user's choices.
struct Wishes {
    filters: Vec<String>,
    limit: Duration,
    once: bool,
    emit: Option<PathBuf>,
    files: Option<PathBuf>,
    ours: String,
    cubs: Vec<Cub>,
}

/// A protocol as written by Cubicle's users.
struct Cub {
    model: String,
    file: PathBuf,
    settings: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, rest)) = arguments.split_first()
        && first == measure::FLAG
    {
        return measure::measure(rest);
    }
    let wishes = wishes(&arguments)?;
    let proofs = PROOFS.iter().filter(|proof| wishes.want(proof.model));
    let instances = INSTANCES.iter().filter(|instance| wishes.want(&instance.name()));
    if let Some(folder) = &wishes.emit {
        return emit(proofs, folder);
    }
    if let Some(folder) = &wishes.files {
        return Ok(std::fs::write(Path::new(ROOT).join("target/files.md"), files::compare(folder, &wishes)?)?);
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        // A test run must not take minutes.
        proofs.map(|proof| proof.model.to_owned()).chain(instances.map(Instance::name)).for_each(|name| say(&name));
        return Ok(());
    }
    let mut rows = Vec::new();
    for proof in proofs {
        rows.push(compare_proof(proof, &wishes)?);
        save(&rows)?;
    }
    for instance in instances {
        rows.extend(compare_instance(instance, &wishes)?);
        save(&rows)?;
    }
    say(&text(&rows));
    Ok(())
}

fn text(rows: &[Row]) -> String {
    let skipped: Vec<&str> = [CUBICLE, RUMUR, CMURPHI].into_iter().filter(|name| on_path(name).is_none()).collect();
    markdown(rows, &skipped)
}

/// Writes the table so far, so that an interrupted run keeps its measurements.
fn save(rows: &[Row]) -> anyhow::Result<()> {
    let folder = Path::new(ROOT).join("target");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("peers.md"), text(rows))?;
    rows.last().iter().for_each(|row| say(&row.task));
    Ok(())
}

impl Wishes {
    fn want(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }
}

fn wishes(arguments: &[String]) -> anyhow::Result<Wishes> {
    let mut wishes = Wishes {
        filters: Vec::new(),
        limit: Duration::from_secs(LIMIT),
        once: false,
        emit: None,
        files: None,
        ours: PARAPROOF.to_owned(),
        cubs: Vec::new(),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| anyhow::anyhow!("{argument} needs a value"));
        match argument.as_str() {
            "--bench" | "--test" => {}
            "--once" => wishes.once = true,
            "--limit" => wishes.limit = Duration::from_secs(value()?.parse()?),
            "--emit" => wishes.emit = Some(PathBuf::from(value()?)),
            "--files" => wishes.files = Some(PathBuf::from(value()?)),
            "--ours" => wishes.ours.clone_from(value()?),
            "--cub" => wishes.cubs.push(Cub::read(value()?)?),
            filter => wishes.filters.push(filter.to_owned()),
        }
    }
    Ok(wishes)
}

impl Cub {
    fn read(text: &str) -> anyhow::Result<Self> {
        let (model, rest) = text.split_once('=').ok_or_else(|| anyhow::anyhow!("{text}: MODEL=FILE is expected"))?;
        let mut words = rest.split_whitespace().map(str::to_owned);
        let file = words.next().ok_or_else(|| anyhow::anyhow!("{text}: the file is missing"))?;
        Ok(Self { model: model.to_owned(), file: PathBuf::from(file), settings: words.collect() })
    }
}

/// Prints a line. A closed output is ignored.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn model_path(model: &str) -> PathBuf {
    Path::new(ROOT).join("models").join(model)
}

/// Returns the model for Cubicle, or why there is none.
fn translated(proof: &Proof) -> anyhow::Result<Result<String, String>> {
    let text = std::fs::read_to_string(model_path(proof.model))?;
    let wrong = || anyhow::anyhow!("{} is not a valid model", proof.model);
    let program = murphi::read(&text, &murphi::Options::default()).map_err(|_| wrong())?;
    let lowered = murphi::lower::lower(&program, &murphi::lower::LowerOptions::default()).map_err(|_| wrong())?;
    // The first of the parts without a counterpart says enough.
    let first = |faults: Vec<Diagnostic>| faults.into_iter().next().map(|fault| fault.message).unwrap_or_default();
    Ok(translation::to_cubicle(&text, &lowered.system).map_err(first))
}

fn emit<'a>(proofs: impl Iterator<Item = &'a Proof>, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    for proof in proofs {
        match translated(proof)? {
            Ok(text) => std::fs::write(folder.join(cub_name(proof)), text)?,
            Err(refusal) => say(&format!("{}: {refusal}", proof.model)),
        }
    }
    Ok(())
}

fn cub_name(proof: &Proof) -> String {
    proof.model.replace('/', "_").replace(".m", ".cub")
}

fn compare_proof(proof: &Proof, wishes: &Wishes) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let model = model_path(proof.model).display().to_string();
    let all = folder.path().join("all").display().to_string();
    let verify = [PARAPROOF, "verify", &model, "-o", &all, "--quiet"].map(str::to_owned);
    let verify = repeated(&[verify.to_vec()], wishes)?;
    let certificate = folder.path().join("certificate.json").display().to_string();
    let find = [PARAPROOF, "find", &model, "-o", &certificate, "--quiet"].map(str::to_owned);
    let check = [PARAPROOF, "check", "--model", &model, &certificate].map(str::to_owned);
    let runs = repeated(&[find.to_vec(), check.to_vec()], wishes)?;
    let verdict = |run: &Run| Verdict::of_paraproof(run.code);
    let ours = side(&runs, verdict)?;
    anyhow::ensure!(side(&verify, verdict)?.result == ours.result, "{}: verify has another verdict", proof.model);
    let cub = wishes.cubs.iter().find(|cub| cub.model == proof.model);
    let settings = cub.map_or_else(|| proof.settings.join(" "), |cub| cub.settings.join(" "));
    let theirs = match (on_path(CUBICLE), cub_file(proof, cub, folder.path())?) {
        (None, _) => Err("skipped".to_owned()),
        (Some(_), Err(refusal)) => Err(refusal),
        (Some(cubicle), Ok(file)) => {
            let mut command = vec![cubicle.display().to_string(), "-quiet".to_owned(), "-nocolor".to_owned()];
            command.extend(settings.split_whitespace().map(str::to_owned));
            command.push(file.display().to_string());
            Ok(side(&repeated(&[command], wishes)?, |run| Verdict::of_cubicle(&run.output))?)
        }
    };
    if let Ok(theirs) = &theirs {
        let agree = theirs.result == ours.result || !theirs.finished || !ours.finished;
        anyhow::ensure!(agree, "{}: {} for Cubicle, {} for ours", proof.model, theirs.result, ours.result);
    }
    let file = cub.and_then(|cub| cub.file.file_name()).map(|name| format!(", {}", name.display()));
    let peer = format!("Cubicle {settings}{}", file.unwrap_or_default());
    let task = format!("prove {}", proof.model);
    Ok(Row { task, ours, written: Median::of(&verify), peer, theirs, made: None })
}

/// Returns what Cubicle reads: the user's file or the translated model, or why there is neither.
fn cub_file(proof: &Proof, cub: Option<&Cub>, folder: &Path) -> anyhow::Result<Result<PathBuf, String>> {
    if let Some(cub) = cub {
        return Ok(Ok(cub.file.clone()));
    }
    Ok(match translated(proof)? {
        Err(refusal) => Err(refusal),
        Ok(text) => {
            let file = folder.join(cub_name(proof));
            std::fs::write(&file, text)?;
            Ok(file)
        }
    })
}

fn side(runs: &[Run], verdict: impl Fn(&Run) -> Verdict) -> anyhow::Result<Side> {
    let median = Median::of(runs).ok_or_else(|| anyhow::anyhow!("there is no run"))?;
    let verdicts: Vec<Verdict> = runs.iter().map(verdict).collect();
    anyhow::ensure!(verdicts.windows(2).all(|pair| pair[0] == pair[1]), "the verdicts of several runs differ");
    let finished = verdicts.iter().all(|&verdict| verdict != Verdict::None);
    Ok(Side { median, result: verdicts[0].text().to_owned(), finished })
}

/// Runs commands one after the other several times, or fewer times if they take long.
fn repeated(commands: &[Vec<String>], wishes: &Wishes) -> anyhow::Result<Vec<Run>> {
    let first = in_sequence(commands, wishes.limit)?;
    let runs = if wishes.once || first.cpu > Duration::from_secs(20) {
        1
    } else if first.cpu > Duration::from_secs(2) {
        3
    } else {
        5
    };
    let mut all = vec![first];
    while all.len() < runs {
        all.push(in_sequence(commands, wishes.limit)?);
    }
    Ok(all)
}

/// Adds up the use of several commands, up to the first that fails.
fn in_sequence(commands: &[Vec<String>], limit: Duration) -> anyhow::Result<Run> {
    let mut together: Option<Run> = None;
    for command in commands {
        let mut next = run(command, limit)?;
        if let Some(before) = together {
            next.cpu += before.cpu;
            next.kilobytes = next.kilobytes.max(before.kilobytes);
        }
        let failed = next.code != Some(0);
        together = Some(next);
        if failed {
            break;
        }
    }
    together.ok_or_else(|| anyhow::anyhow!("there is no command"))
}

fn compare_instance(instance: &Instance, wishes: &Wishes) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let model = folder.path().join("model.m");
    std::fs::write(&model, instance.text(&std::fs::read_to_string(model_path(instance.model))?)?)?;
    let path = model.display().to_string();
    let simulate = [PARAPROOF, "simulate", &path, "--no-symmetry", "--quiet", "--json"].map(str::to_owned);
    let ours = explored(&repeated(&[simulate.to_vec()], wishes)?, tools::simulated_states)?;
    let memory = instance.megabytes;
    let makers: [(&str, &str, Maker); 2] =
        [("CMurphi", CMURPHI, tools::cmurphi_checker), ("rumur", RUMUR, tools::rumur_checker)];
    let mut rows = Vec::new();
    for (name, program, maker) in makers {
        let checker = on_path(program).map(|program| maker(&program, &model, folder.path(), memory));
        let (made, theirs) = match checker {
            None => (None, Err("skipped".to_owned())),
            Some(Err(error)) => (None, Err(error.to_string().replace('\n', " "))),
            // The checker must be made, whatever the limit of a run.
            Some(Ok(checker)) => match in_sequence(&checker.made_by, Duration::from_secs(LIMIT))? {
                made if made.code == Some(0) => {
                    (Some(made), Ok(explored(&repeated(&[checker.command], wishes)?, tools::states)?))
                }
                failed => (None, Err(format!("no checker: {}", failed.output.replace('\n', " ")))),
            },
        };
        if let Ok(theirs) = &theirs {
            let agree = theirs.result == ours.result || !theirs.finished || !ours.finished;
            anyhow::ensure!(agree, "{}: {} for {name}, {} for ours", instance.name(), theirs.result, ours.result);
        }
        let task = format!("simulate {}", instance.name());
        let made = made.and_then(|made| Median::of(&[made]));
        rows.push(Row { task, ours: ours.clone(), written: None, peer: name.to_owned(), theirs, made });
    }
    Ok(rows)
}

fn explored(runs: &[Run], states: impl Fn(&str) -> Option<u64>) -> anyhow::Result<Side> {
    let median = Median::of(runs).ok_or_else(|| anyhow::anyhow!("there is no run"))?;
    let states = runs.first().filter(|run| run.code.is_some()).and_then(|run| states(&run.output));
    let result = states.map_or_else(|| "no answer".to_owned(), |states| format!("{states} states"));
    Ok(Side { median, result, finished: states.is_some() })
}
