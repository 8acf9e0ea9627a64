//! The checker stays small enough to be read in one sitting, and `docs/trust.md` says how small.

use std::path::{Path, PathBuf};

/// The files that hold the checker's logic, as `docs/trust.md` lists them.
const FILES: [&str; 9] =
    ["branches", "check", "clause", "closure", "context", "ground", "obligations", "property_check", "relation"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All lines of a file, and those that are neither empty nor comments.
fn lines(path: &Path) -> (usize, usize) {
    let text = std::fs::read_to_string(path).expect("the file is there");
    assert!(!text.contains("cfg(test)"), "{}: tests are elsewhere", path.display());
    let lines = text.lines().map(str::trim);
    (text.lines().count(), lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count())
}

#[test]
fn the_checker_has_less_than_1500_lines_of_code() {
    let folder = folder();
    let code: usize = FILES.iter().map(|name| lines(&folder.join(name).with_extension("rs")).1).sum();
    assert!(code > 1000 && code < 1500, "{code} lines");
    let others = ["explain", "fault", "lib", "proof", "shard", "wire"];
    for entry in std::fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("it is read")) {
        let path = entry.path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        assert!(FILES.contains(&name.as_str()) || others.contains(&name.as_str()), "{name}: is it the checker's?");
    }
}

/// A number as the page writes it.
fn shown(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn the_page_on_trust_has_the_right_numbers() {
    let page = std::fs::read_to_string(folder().join("../../docs/trust.md")).expect("the page is there");
    let mut sums = (0, 0);
    let has = |name: &str, (all, code): (usize, usize)| {
        let numbers = format!("| {} | {} |", shown(all), shown(code));
        let row = page.lines().find(|line| line.trim_start().starts_with(&format!("| {name} |")));
        assert!(row.is_some_and(|row| row.ends_with(&numbers)), "{name}: {row:?}, where there are {numbers}");
    };
    for name in FILES {
        let (all, code) = lines(&folder().join(name).with_extension("rs"));
        has(&format!("`{name}.rs`"), (all, code));
        sums = (sums.0 + all, sums.1 + code);
    }
    has("together", sums);
    has("`system/src/wellformed.rs`", lines(&folder().join("../../system/src/wellformed.rs")));
}
