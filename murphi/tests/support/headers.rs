//! The models of this repository, for several tests.

#![allow(dead_code, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, reason = "it is a part of tests")]

use std::fs;
use std::path::Path;

/// A model with the contents of its header.
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Settings of constants, and the number of states without symmetry reduction.
    pub(crate) states: Vec<(Vec<(String, i64)>, u64)>,
    pub(crate) violates: Option<String>,
}

/// Returns the models of a folder with the contents of their headers.
pub(crate) fn models(folder: &str) -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models").join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "m"));
    paths
        .iter()
        .map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let facts = text.lines().filter_map(|line| line.strip_prefix("-- paraproof: "));
            let (mut states, mut violates) = (Vec::new(), None);
            for fact in facts {
                if let Some(rest) = fact.strip_prefix("states ") {
                    let words: Vec<&str> = rest.split_whitespace().collect();
                    let (count, settings) = words.split_last().unwrap();
                    let settings = settings.iter().map(|setting| {
                        let (name, value) = setting.split_once('=').unwrap();
                        (name.to_owned(), value.parse().unwrap())
                    });
                    states.push((settings.collect(), count.parse().unwrap()));
                } else if let Some(rest) = fact.strip_prefix("violates = ") {
                    violates = Some(rest.trim().to_owned());
                }
            }
            Model { name: path.file_stem().unwrap().to_string_lossy().into_owned(), text, states, violates }
        })
        .collect()
}
