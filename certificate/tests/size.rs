//! The checker stays small enough to be read in one sitting.

use std::path::Path;

/// The files that hold the checker's logic, as `docs/trust.md` lists them.
const FILES: [&str; 9] =
    ["branches", "check", "clause", "closure", "context", "ground", "obligations", "property_check", "relation"];

#[test]
fn the_checker_has_less_than_1500_lines_of_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut code = 0;
    for name in FILES {
        let text = std::fs::read_to_string(folder.join(name).with_extension("rs")).expect("the file is there");
        assert!(!text.contains("cfg(test)"), "{name}: tests are elsewhere");
        let lines = text.lines().map(str::trim);
        code += lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    }
    assert!(code > 1000 && code < 1500, "{code} lines");
    let others = ["explain", "fault", "lib", "proof", "shard", "wire"];
    for entry in std::fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("it is read")) {
        let path = entry.path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        assert!(FILES.contains(&name.as_str()) || others.contains(&name.as_str()), "{name}: is it the checker's?");
    }
}
