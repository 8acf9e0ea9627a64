//! The kernel stays small enough to be read in one sitting, and `docs/trust.md` says how small.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The names of the files of the kernel.
fn files() -> Vec<String> {
    let folder = std::fs::read_dir(root().join("certificate/src/kernel")).expect("the folder is there");
    folder.map(|entry| entry.expect("it is read").file_name().to_string_lossy().into_owned()).collect()
}

/// All lines of a file, and those that are neither empty nor comments.
fn lines(path: &Path) -> (usize, usize) {
    let text = std::fs::read_to_string(path).expect("the file is there");
    assert!(!text.contains("cfg(test)"), "{}: tests are elsewhere", path.display());
    let lines = text.lines().map(str::trim);
    (text.lines().count(), lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count())
}

/// The sums over the files of the kernel.
fn kernel() -> (usize, usize) {
    let all = files().into_iter().map(|name| lines(&root().join("certificate/src/kernel").join(name)));
    all.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
}

#[test]
fn the_kernel_has_less_than_1500_lines_of_code() {
    let (_, code) = kernel();
    assert!(code > 1000 && code < 1500, "{code} lines");
}

/// A number as the page writes it.
fn shown(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn the_page_on_trust_has_the_right_numbers() {
    let page = std::fs::read_to_string(root().join("docs/trust.md")).expect("the page is there");
    let has = |name: &str, (all, code): (usize, usize)| {
        let numbers = format!("| {} | {} |", shown(all), shown(code));
        let row = page.lines().find(|line| line.trim_start().starts_with(&format!("| {name} |")));
        assert!(row.is_some_and(|row| row.ends_with(&numbers)), "{name}: {row:?}, where there are {numbers}");
    };
    for name in files() {
        let text = std::fs::read_to_string(root().join("certificate/src/kernel").join(&name)).expect("it is read");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{name}: a long line");
        has(&format!("`{name}`"), lines(&root().join("certificate/src/kernel").join(&name)));
    }
    has("together", kernel());
    has("`system/src/wellformed.rs`", lines(&root().join("system/src/wellformed.rs")));
}
