//! Isabelle, if it is installed, accepts the theories of a whole protocol.

#![allow(clippy::duplicate_mod, reason = "the search for Isabelle tells of absent tools, too")]
#![allow(clippy::unwrap_used, reason = "it is a test")]

#[path = "../proofgen/tests/support/isabelle.rs"]
mod installed;
mod support;

use std::fs;
use std::path::Path;

/// Writes the theories of a model in the style `lemmas`. Isabelle must accept them if it is installed.
fn accepted(model: &str, theorem: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = format!("models/{model}.m");
    support::paraproof().args(["verify", &path, "-q", "-o"]).arg(folder.path()).assert().success();
    let theories = folder.path().join("isabelle");
    let last = fs::read_to_string(theories.join(format!("{model}.thy"))).unwrap();
    assert!(last.contains(&format!("theorem {theorem}:")), "the last theory states the property");
    if let Some(output) = installed::isabelle(&theories) {
        assert!(output.status.success(), "{model}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn isabelle_accepts_german() {
    accepted("german", "CntrlProp");
}

#[test]
fn isabelle_accepts_a_model_in_which_elements_are_counted() {
    accepted("readers_writers", "WritersAreAlone");
}

/// The rules of a large protocol are spread over several theories: each rule is evaluated in one of them, and the last
/// theory imports all of them.
#[test]
fn all_theories_with_rules_are_imported() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("flash.json");
    support::paraproof().args(["find", "models/flash_nodata.m", "-q", "-o"]).arg(&certificate).assert().success();
    let model = ["--model", "models/flash_nodata.m"];
    let mut counts = Vec::new();
    for (style, rules) in [(["--style", "computed"], "_checked:"), (["--style", "lemmas"], "_preserves:")] {
        let out = folder.path().join(rules);
        let mut emit = support::paraproof();
        emit.args(["emit", "isabelle"])
            .arg(&certificate)
            .args(model)
            .args(style)
            .arg("-o")
            .arg(&out)
            .assert()
            .success();
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        let parts = (1..).take_while(|part| out.join(format!("flash_nodata_Rules_{part}.thy")).is_file());
        let parts: Vec<String> = parts.map(|part| format!("flash_nodata_Rules_{part}")).collect();
        assert!(parts.len() > 1, "{parts:?}");
        let last = read("flash_nodata.thy");
        let (_, imports) = last.split_once("\n  imports").unwrap();
        let (imports, _) = imports.split_once("\nbegin").unwrap();
        let root = read("ROOT");
        for part in &parts {
            assert!(imports.split_whitespace().any(|name| name == part), "{imports}");
            assert!(root.split_whitespace().any(|name| name == part), "{root}");
        }
        let texts = parts.iter().map(|part| read(&format!("{part}.thy"))).collect::<String>();
        let found = texts.lines().filter(|line| line.starts_with("lemma") && line.contains(rules)).count();
        counts.push(found);
    }
    assert!(counts[0] > 30 && counts[0] == counts[1], "rules in both styles: {counts:?}");
}

/// Writes the theories of a trap in both styles, and passes the generated theories of each style to a test of their
/// text. Isabelle must accept them if it is installed.
fn in_both_styles(name: &str, look: impl Fn(&str)) {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.json");
    let model = format!("tests/traps/{name}.m");
    support::paraproof().args(["find", &model, "-q", "-o"]).arg(&certificate).assert().success();
    for style in ["lemmas", "computed"] {
        let out = folder.path().join(style);
        let mut emit = support::paraproof();
        emit.args(["emit", "isabelle"]).arg(&certificate).args(["--model", &model, "--style", style]);
        emit.arg("-o").arg(&out).assert().success();
        look(&generated(&out, name));
        if let Some(output) = installed::isabelle(&out) {
            assert!(output.status.success(), "{name}, {style}: {}", String::from_utf8_lossy(&output.stdout));
        }
    }
}

/// Returns the text of all theories about the model.
fn generated(folder: &Path, name: &str) -> String {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let own = files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(name));
    let texts: Vec<String> = own.map(|path| fs::read_to_string(path).unwrap()).collect();
    assert!(texts.len() > 3, "{name}: {} theories", texts.len());
    texts.concat()
}

/// Each startstate has a lemma, which takes the invariants at the named elements.
#[test]
fn a_named_element_is_no_other_element_at_the_start() {
    in_both_styles("i_named_at_start", |text| assert!(text.contains("Owner s"), "{text}"));
}

/// A parameter with the name of a HOL constant would bind nothing in a definition.
#[test]
fn parameters_that_are_called_like_constants_get_other_names() {
    in_both_styles("i_names_n2", |text| {
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for constant in ["id", "hd", "last", "rev", "inv", "max", "min"] {
            assert!(!words.contains(&constant), "{constant}");
            assert!(words.contains(&format!("{constant}_2").as_str()), "{constant}");
        }
    });
}

/// Isabelle would run an antiquotation, and a delimiter would end the text that contains a name.
#[test]
fn names_of_rules_and_properties_are_plain_text() {
    in_both_styles("i_antiquotations_n5", |text| {
        for active in ["@{", "\\<^"] {
            assert!(!text.contains(active), "{active}");
        }
        for (open, close) in [("\\<open>", "\\<close>"), ("(*", "*)")] {
            assert_eq!(text.matches(open).count(), text.matches(close).count(), "{open}");
        }
        // They are still readable.
        for shown in ["Try /<close> axiomatization where bad: False text /<open>", "@ {ML 1+1}", "OS.Process.exit"] {
            assert!(text.contains(shown), "{shown}");
        }
    });
}
