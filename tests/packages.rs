//! What packages contain besides the command: manual pages and completions.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use support::{paraproof, root};

/// The subcommands that `--help` lists.
fn subcommands() -> BTreeSet<String> {
    let help = String::from_utf8(paraproof().arg("--help").output().unwrap().stdout).unwrap();
    let list = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let is_entry = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names = list.lines().filter(is_entry).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_subcommand_has_a_manual_page_and_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pages");
    paraproof().arg("pages").arg("-o").arg(&out).assert().code(0);
    let shown = subcommands();
    assert!(shown.contains("verify") && shown.contains("explain-code") && !shown.contains("pages"), "{shown:?}");
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let page = read("man/paraproof.1");
    assert!(page.contains("Exit codes"), "{page}");
    for name in &shown {
        let page = read(&format!("man/paraproof-{name}.1"));
        assert!(page.contains(&format!(".TH paraproof-{name} 1")), "{page}");
        assert!(page.contains(&format!("\\fBparaproof {}\\fR", name.replace('-', "\\-"))), "{page}");
    }
    assert!(read("man/paraproof-emit-isabelle.1").contains("code"));
    assert!(!out.join("man/paraproof-pages.1").exists());
    for file in ["paraproof.bash", "_paraproof", "paraproof.fish"] {
        let text = read(&format!("completions/{file}"));
        assert!(shown.iter().all(|name| text.contains(name.as_str())), "{file}");
    }
    // The shell finds the subcommand that a word starts.
    let script = "source \"$1\"; COMP_WORDS=(paraproof ver); COMP_CWORD=1; _paraproof paraproof ver paraproof; \
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let bash = out.join("completions/paraproof.bash");
    let output = Command::new("bash").args(["-c", script, "bash"]).arg(bash).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "verify\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_debian_package_has_what_the_pages_are_called() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for file in ["man/*.1", "completions/paraproof.bash", "completions/_paraproof", "completions/paraproof.fish"] {
        assert!(manifest.contains(&format!("\"target/pages/{file}\"")), "{file}");
    }
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        assert!(manifest.contains(&format!("[\"{file}\"")) && root().join(file).exists(), "{file}");
    }
}

/// A package has the files of its crate only, so that a path out of it leads nowhere.
#[test]
fn what_a_crate_includes_is_in_its_package() {
    let mut found = 0;
    for entry in walkdir::WalkDir::new(root()).into_iter().filter_entry(|entry| entry.file_name() != "target") {
        let path = entry.unwrap().into_path();
        let Some(of_crate) = path.ancestors().find(|folder| folder.join("Cargo.toml").exists()) else { continue };
        let is_source = path.starts_with(of_crate.join("src")) && path.extension().is_some_and(|end| end == "rs");
        if !is_source || path.to_string_lossy().contains("tests") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let shipped = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for included in shipped.split("include_str!(\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let mut place = path.parent().unwrap().to_owned();
            for part in included.split('/') {
                if part == ".." { assert!(place.pop()) } else { place.push(part) }
            }
            assert!(place.starts_with(of_crate) && place.exists(), "{}: {included}", path.display());
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}
