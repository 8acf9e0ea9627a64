//! Helpers shared by the front-end tests: the models to try, and trees without places.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod agree;
pub(crate) mod document;
pub(crate) mod generate;
pub(crate) mod numeric;
mod shape;
pub(crate) mod whole;

use std::path::{Path, PathBuf};

#[allow(unused_imports, reason = "each test uses some of it")]
pub(crate) use shape::shape;

/// All models of the repository, and those found in the wild if they are next to it.
pub(crate) fn models() -> Vec<PathBuf> {
    let mut found = repository_models();
    found.extend(wild_models());
    found
}

/// Returns the models of the repository.
pub(crate) fn repository_models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").join("models");
    let mut found = files(&root);
    found.extend(files(&root.join("broken")));
    assert!(found.len() > 10, "the models of the repository are missing");
    found
}

/// The models found in the wild, if they are next to the repository.
pub(crate) fn wild_models() -> Vec<PathBuf> {
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|above| above.join("shared/inputs/murphi"));
    inputs.into_iter().find(|folder| folder.is_dir()).map(|folder| files(&folder)).unwrap_or_default()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "m"))
        .collect();
    files.sort();
    files
}

/// The text of a file, with replacement characters for invalid UTF-8.
pub(crate) fn text(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("the file was listed")).into_owned()
}
