//! `docs/language.md`: each of its programs does what the page says, and the peers that it names agree.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "it is a test")]
#![allow(clippy::duplicate_mod, reason = "`programs` looks for tools, too")]

#[path = "../benches/peers/programs.rs"]
mod programs;
mod support;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command as Process;
use std::thread;

use support::{paraproof, root, tool, tools};

/// A program of the page.
#[derive(Debug, Default)]
struct Point {
    title: String,
    symmetry: bool,
    rumur: bool,
    cmurphi: bool,
    program: String,
    /// The result as stated: `holds: ..`, `violated: ..`, `error: ..` or `refused: ..`.
    result: String,
}

fn points() -> Vec<Point> {
    let page = fs::read_to_string(root().join("docs/language.md")).unwrap();
    let mut points: Vec<Point> = Vec::new();
    let mut in_program = false;
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("### ").filter(|_| !in_program) {
            points.push(Point { title: title.to_owned(), ..Point::default() });
        }
        let Some(point) = points.last_mut() else { continue };
        if let Some(words) = line.strip_prefix("```murphi") {
            assert!(!in_program && point.program.is_empty(), "{}", point.title);
            let said = |word| words.split_whitespace().any(|other| other == word);
            (point.symmetry, point.rumur, point.cmurphi) = (said("symmetry"), said("rumur"), said("cmurphi"));
            in_program = true;
        } else if line == "```" {
            in_program = false;
        } else if in_program {
            point.program.push_str(line);
            point.program.push('\n');
        } else if let Some(result) = line.strip_prefix("> ") {
            result.clone_into(&mut point.result);
        }
    }
    assert!(points.len() > 200, "{} points", points.len());
    for point in &mut points {
        let lower = point.program.to_lowercase();
        if !lower.contains("startstate") {
            point.program.push_str("startstate begin end;\n");
        }
        if !lower.split(|c: char| !c.is_alphanumeric()).any(|word| word == "rule") {
            point.program.push_str("rule false ==> end;\n");
        }
    }
    points
}

/// Runs `ask` for each point in several threads, and returns the results in the order of the page. `PARAPROOF_ONLY`
/// selects the points whose titles contain it.
fn all(ask: impl Fn(&Point) -> Option<String> + Sync) -> Vec<String> {
    let only = std::env::var("PARAPROOF_ONLY").unwrap_or_default();
    let points: Vec<Point> = points().into_iter().filter(|point| point.title.contains(&only)).collect();
    let half = points.len().div_ceil(2).max(1);
    thread::scope(|scope| {
        let ask = &ask;
        let parts: Vec<_> = points
            .chunks(half)
            .map(|part| scope.spawn(move || part.iter().filter_map(ask).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

/// Returns what the command says about a program.
fn ours(point: &Point) -> String {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.m");
    fs::write(&model, &point.program).unwrap();
    let mut command = paraproof();
    command.args(["simulate", "--json", "--quiet", "--error-format", "json"]).arg(&model);
    if !point.symmetry {
        command.arg("--no-symmetry");
    }
    let output = command.output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let finding = errors
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find(|finding| finding["severity"] == "error");
    let text = |field: &str| finding.as_ref().and_then(|finding| finding[field].as_str()).unwrap_or("none").to_owned();
    let Ok(said) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
        return format!("refused: {}", text("code"));
    };
    match said["verdict"].as_str().unwrap() {
        // An assertion that fails is a violated property; the page says which.
        "refused" => format!("refused: {}", text("code")),
        "error" | "violated" if finding.is_some() => format!("error: {}", text("message")),
        verdict => format!("{verdict}: {}", counts(&said["states"].to_string(), &said["rules_fired"].to_string())),
    }
}

/// Returns the text of the counts on the page.
fn counts(states: &str, fired: &str) -> String {
    let counted = |count: &str, noun: &str| format!("{count} {noun}{}", if count == "1" { "" } else { "s" });
    format!("{}, {} fired", counted(states, "state"), counted(fired, "rule"))
}

#[test]
fn each_program_does_what_the_page_says() {
    let wrong = all(|point| {
        let said = ours(point);
        (said != point.result).then(|| format!("{}: {said}", point.title))
    });
    assert!(wrong.is_empty(), "docs/language.md disagrees:\n{}", wrong.join("\n"));
}

/// Returns what a peer's checker said, in the words of the page as far as possible.
fn told(said: &str) -> String {
    let found = said.lines().find_map(|line| {
        let (states, rest) = line.trim().split_once(" states, ")?;
        Some((states.to_owned(), rest.split_once(" rules fired")?.0.to_owned()))
    });
    match found {
        Some((states, fired)) if said.contains("No error found") => format!("holds: {}", counts(&states, &fired)),
        _ => "error".to_owned(),
    }
}

/// Runs the generated checker, for at most some seconds of CPU.
fn checked(folder: &Path, compile: &mut Process, arguments: &[&str]) -> String {
    if !compile.current_dir(folder).output().unwrap().status.success() {
        return "refused".to_owned();
    }
    let output = Process::new("sh")
        .args(["-c", "ulimit -t 10; exec ./checker \"$@\"", "sh"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    // A checker that runs forever is stopped, and has found no error.
    if output.status.signal().is_some() { "no end".to_owned() } else { told(&String::from_utf8_lossy(&output.stdout)) }
}

fn rumur(point: &Point) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.m"), &point.program).unwrap();
    let symmetry = if point.symmetry { "exhaustive" } else { "off" };
    let generated = Process::new("rumur")
        .args(["--threads=1", "--deadlock-detection=off", "--symmetry-reduction", symmetry])
        .args(["--output", "checker.c", "model.m"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    if !generated.status.success() {
        return "refused".to_owned();
    }
    let arguments = ["-std=c11", "-O0", "-w", "-mcx16", "-o", "checker", "checker.c", "-lpthread"];
    checked(folder.path(), Process::new("gcc").args(arguments), &[])
}

fn cmurphi(point: &Point, include: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.m"), &point.program).unwrap();
    // As in `programs::cmurphi_checker`, because of a pointer that is never initialized.
    let mut mu = Process::new("mu");
    mu.arg("model.m").env("MALLOC_PERTURB_", "255").current_dir(folder.path()).output().unwrap();
    if !folder.path().join("model.cpp").exists() {
        return "refused".to_owned();
    }
    let arguments = ["-O0", "-w", "-fpermissive", "-I", include, "-o", "checker", "model.cpp"];
    let options: &[&str] = if point.symmetry { &["-ndl", "-m20"] } else { &["-ndl", "-m20", "-nosym"] };
    checked(folder.path(), Process::new("g++").args(arguments), options)
}

/// Returns whether a peer agrees with the page; for an error, it only has to find one.
fn same(said: &str, result: &str) -> bool {
    match result.split_once(':') {
        Some(("refused", _)) => said == "refused",
        Some(("error" | "violated", _)) => said == "error",
        _ => said == result,
    }
}

/// Returns the location of the headers for CMurphi's checkers. `mu` must be installed.
fn include() -> String {
    let mu = programs::on_path("mu").unwrap();
    let include = programs::include(&mu);
    include
        .expect("`mu` is installed, but its include directory is not found; set MU_INCLUDE")
        .to_string_lossy()
        .into_owned()
}

#[test]
#[ignore = "it takes minutes to compile hundreds of checkers: run it after changing the page"]
fn the_peers_that_the_page_names_come_to_the_same_and_no_others() {
    let include = tool("mu").then(include);
    let has_rumur = tools(&["rumur", "gcc"]);
    let wrong = all(|point| {
        let mut wrong = Vec::new();
        if has_rumur {
            let said = rumur(point);
            if same(&said, &point.result) != point.rumur {
                wrong.push(format!("{} (rumur): {said}", point.title));
            }
        }
        if let Some(include) = &include {
            let said = cmurphi(point, include);
            if same(&said, &point.result) != point.cmurphi {
                wrong.push(format!("{} (CMurphi): {said}", point.title));
            }
        }
        (!wrong.is_empty()).then(|| wrong.join("\n"))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
