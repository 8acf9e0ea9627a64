//! `paraproof fmt` on models and texts of all kinds.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use editor::{Language, format};
use support::{paraproof, root};

fn texts(folder: &str) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(root().join(folder)).sort_by_file_name();
    let paths = entries.into_iter().map(|entry| entry.unwrap().into_path());
    paths.filter(|path| path.extension().is_some_and(|own| own == "m" || own == "cub")).collect()
}

/// That nothing but white space changes is checked by the function itself, which fails otherwise.
#[test]
fn a_second_time_changes_nothing() {
    let mut count = 0;
    for path in ["models", "tests"].into_iter().flat_map(texts) {
        let language = Language::of_file(&path);
        let text = fs::read_to_string(&path).unwrap();
        let once = format(language, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(format(language, &once).unwrap(), once, "{}", path.display());
        count += 1;
    }
    assert!(count > 150, "{count}");
}

#[test]
fn the_models_are_laid_out() {
    let changed = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        format(Language::of_file(path), &text).unwrap() != text
    };
    let changed: Vec<String> = texts("models")
        .into_iter()
        .filter(|path| changed(path))
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    // Certificates of these are published; they are as they were.
    assert_eq!(changed, ["mutdata_lost_update.m", "mutdata.m"]);
}

/// No white space between words can be relied on.
#[test]
fn a_model_that_lost_its_layout_is_the_same_model() {
    for path in texts("models") {
        let language = Language::of_file(&path);
        let text = fs::read_to_string(&path).unwrap();
        let flat: String = text.lines().map(|line| format!("{}\n\n\n", line.trim())).collect();
        let once = format(language, &flat).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(format(language, &once).unwrap(), once, "{}", path.display());
    }
}

#[test]
fn files_are_changed_in_place_unless_they_are_only_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.m");
    let messy = "var x:boolean;\nstartstate\nx:=true;\nend;\n";
    fs::write(&path, messy).unwrap();
    let run = |arguments: &[&str]| {
        let output = paraproof().arg("fmt").arg(folder.path()).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = run(&["--check"]);
    assert_eq!((code, said.contains("model.m: would be changed")), (Some(1), true), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), messy);
    assert_eq!(run(&[]).0, Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), "var x : boolean;\nstartstate\n  x := true;\nend;\n");
    assert_eq!(run(&["--check"]), (Some(0), String::new()));
    fs::write(&path, "var x boolean;\n").unwrap();
    let (code, said) = run(&[]);
    assert_eq!((code, said.contains("syntax errors")), (Some(2), true), "{said}");
}
