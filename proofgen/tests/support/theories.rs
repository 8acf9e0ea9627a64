//! Folders of emitted theories, and what Isabelle says of them.

#![allow(clippy::unwrap_used, reason = "a failure of a test is a panic")]
#![allow(dead_code, reason = "each test program uses a part of it")]

#[path = "isabelle.rs"]
mod installed;

/// The names of files and their text.
pub(crate) type Files = Vec<(String, String)>;

pub(crate) fn text_of<'f>(files: &'f mut Files, name: &str) -> &'f mut String {
    &mut files.iter_mut().find(|(own, _)| own == name).unwrap().1
}

/// Returns whether Isabelle accepts the theories, and what it says; `None` if there is no Isabelle.
pub(crate) fn judged(files: &[(String, String)]) -> Option<(bool, String)> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let output = installed::isabelle(folder.path())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Some((output.status.success(), said))
}

/// Checks that Isabelle accepts the theories of all examples. They are in one folder: one process checks them with one
/// copy of the base theories.
pub(crate) fn assert_accepted(examples: impl IntoIterator<Item = Files>) {
    let mut files: Files = examples.into_iter().flatten().filter(|(name, _)| name.ends_with(".thy")).collect();
    files.sort();
    files.dedup();
    let theories: Vec<&str> = files.iter().filter_map(|(name, _)| name.strip_suffix(".thy")).collect();
    let root = format!("session Together = HOL +\n  theories\n{}\n", theories.join("\n"));
    files.push(("ROOT".to_owned(), root));
    if let Some((accepted, said)) = judged(&files) {
        assert!(accepted, "{said}");
    }
}

/// Checks that Isabelle rejects the theories, and says a line with all of these texts.
pub(crate) fn assert_rejected(files: &[(String, String)], blamed: &[&str]) {
    if let Some((accepted, said)) = judged(files) {
        assert!(!accepted, "accepted a wrong proof: {blamed:?}");
        let is_blamed = |line: &str| blamed.iter().all(|text| line.contains(text));
        assert!(said.lines().any(is_blamed), "{said}\nshould name {blamed:?}");
    }
}

/// Checks that Isabelle rejects the theories after a change in a file, and blames a place in a file.
pub(crate) fn assert_change_rejected(mut files: Files, file: &str, (from, to): (&str, &str), blamed: &str) {
    let text = text_of(&mut files, file);
    assert!(text.contains(from), "{file} has no {from}");
    *text = text.replacen(from, to, 1);
    assert_rejected(&files, &["(line ", blamed]);
}
