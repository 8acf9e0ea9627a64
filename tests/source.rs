//! The theorem about the Murphi program itself: Isabelle accepts it, and rejects it where lowering is wrong.

#![allow(clippy::duplicate_mod, reason = "the search for Isabelle tells of absent tools, too")]
#![allow(clippy::unwrap_used, reason = "it is a test")]

#[path = "../proofgen/tests/support/isabelle.rs"]
mod installed;
mod support;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// The theories of a model with those about its program.
fn emitted(model: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = format!("models/{model}.m");
    let certificate = folder.path().join("certificate.json");
    support::paraproof().args(["find", &path, "-q", "-o"]).arg(&certificate).assert().success();
    let mut emit = support::paraproof();
    emit.args(["emit", "isabelle", "--source"]).arg(&certificate).args(["--model", &path, "-o"]);
    emit.arg(folder.path().join("theories")).assert().success();
    folder
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("theories").join(name)).unwrap()
}

fn accepted(model: &str) {
    let folder = emitted(model);
    let last = text(folder.path(), &format!("{model}_Source.thy"));
    assert!(last.contains(&format!("theorem {model}_program_safe:")), "the last theorem is about the program");
    if let Some(output) = installed::isabelle(&folder.path().join("theories")) {
        assert!(output.status.success(), "{model}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn isabelle_accepts_the_program_of_mutualex() {
    accepted("mutualex");
}

#[test]
fn isabelle_accepts_the_program_of_moesi() {
    accepted("moesi");
}

/// A guard that is stronger than the model's leaves all other theories as they are: fewer steps preserve the invariants, too.
/// Only the theorem about the program notices.
#[test]
fn isabelle_rejects_a_guard_that_is_stronger_than_the_models() {
    let folder = emitted("mutualex");
    let name = "mutualex_Definitions.thy";
    let right = text(folder.path(), name);
    let wrong = right.replace(
        "Exit_guard N i s \\<longleftrightarrow> n s i = C\"",
        "Exit_guard N i s \\<longleftrightarrow> n s i = C \\<and> x s\"",
    );
    assert_ne!(right, wrong, "the guard is where the test looks for it");
    fs::write(folder.path().join("theories").join(name), wrong).unwrap();
    if let Some(output) = installed::isabelle(&folder.path().join("theories")) {
        assert!(!output.status.success(), "the system has fewer executions than the program");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("mutualex_Source"), "{said}");
    }
}

/// The models whose states are counted in HOL, with sizes.
const COUNTED: [(&str, &[u64]); 8] = [
    ("mutualex", &[2, 3]),
    ("mesi", &[2, 3]),
    ("moesi", &[2, 3]),
    ("synapse", &[2, 3]),
    ("illinois", &[2, 3]),
    ("berkeley", &[2, 3]),
    ("dekker_n", &[2, 3]),
    ("szymanski_at_any", &[2]),
];

/// The meaning of a program in HOL is executed, and reaches as many states as `simulate` does. In each of them, the invariants are
/// true.
#[test]
fn programs_in_hol_have_the_states_of_simulate() {
    let folder = tempfile::tempdir().unwrap();
    let template = include_str!("support/states.thy");
    for (model, sizes) in COUNTED {
        let theories = emitted(model);
        let program = text(theories.path(), &format!("{model}_Program.thy"));
        assert!(program.contains("fixes c_NODE_NUM :: nat\nbegin"), "{model} has one size");
        let instance = |size: &u64| {
            let path = format!("models/{model}.m");
            let mut simulate = support::paraproof();
            simulate.args(["simulate", "--no-symmetry", "--json", "-q", &path, "-D", &format!("NODE_NUM={size}")]);
            let said: serde_json::Value = serde_json::from_slice(&simulate.output().unwrap().stdout).unwrap();
            format!("(@{{code program}} (nat {size}), {})", said["states"].as_u64().unwrap())
        };
        let instances = sizes.iter().map(instance).collect::<Vec<_>>().join(", ");
        let counting = template.replace("PROTOCOL", model).replace("INSTANCES", &instances);
        fs::write(folder.path().join(format!("{model}_Program.thy")), program).unwrap();
        fs::write(folder.path().join(format!("{model}_States.thy")), counting).unwrap();
    }
    fs::copy("isabelle-theories/ParaProof_Murphi.thy", folder.path().join("ParaProof_Murphi.thy")).unwrap();
    let theories: Vec<String> = COUNTED.iter().map(|(model, _)| format!("{model}_States")).collect();
    fs::write(
        folder.path().join("ROOT"),
        format!("session States = HOL +\n  theories\n    {}\n", theories.join("\n    ")),
    )
    .unwrap();
    if let Some(output) = installed::isabelle(folder.path()) {
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}

/// What the theory does not cover is said, with its line, and the other theories are there.
#[test]
fn what_is_not_covered_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.json");
    support::paraproof().args(["find", "models/bakery.m", "-q", "-o"]).arg(&certificate).assert().success();
    let mut emit = support::paraproof();
    emit.args(["emit", "isabelle", "--source"]).arg(&certificate).args(["--model", "models/bakery.m", "-o"]);
    let assert = emit.arg(folder.path().join("theories")).assert().success();
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("the theorem is about the lowered system only: not covered:"), "{said}");
    assert!(folder.path().join("theories/bakery.thy").is_file());
    assert!(!folder.path().join("theories/bakery_Source.thy").exists());
}

/// Style `computed` has no such theorem, and nothing else is written in its place.
#[test]
fn a_style_without_the_theorem_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, out) = (folder.path().join("certificate.json"), folder.path().join("theories"));
    support::paraproof().args(["find", "models/mutualex.m", "-q", "-o"]).arg(&certificate).assert().success();
    let mut emit = support::paraproof();
    emit.args(["emit", "isabelle", "--source", "--style", "computed"]).arg(&certificate);
    let assert = emit.args(["--model", "models/mutualex.m", "-o"]).arg(&out).assert().code(2);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("`--source` adds to the theories of style `lemmas`"), "{said}");
    assert!(!out.exists());
}
