//! axe finds nothing on the pages that the command writes: on light and on dark screens, at the width of a desk and of a
//! phone. axe comes from npm; without npm or a browser the test is reported as skipped.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use support::browser::look;
use support::{paraproof, root, skipped, tools};

/// Opens what is closed at first, and asks axe.
const ASK: &str = r##"<script>
window.addEventListener("load", async () => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  document.querySelector("#matrix td[data-k=i]")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  const field = document.getElementById("expression");
  if (field) {
    field.value = "1 = 1 & nothing";
    field.dispatchEvent(new Event("input"));
  }
  const { violations, passes } = await axe.run(document, { resultTypes: ["violations"] });
  const nodes = (one) => one.nodes.slice(0, 5).map((node) => [node.target.join(" "), node.failureSummary]);
  const result = {
    found: violations.map((one) => [one.id, one.nodes.length, nodes(one)]),
    passes: passes.length,
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    overflow: document.documentElement.scrollWidth > window.innerWidth,
  };
  const pre = document.createElement("pre");
  pre.id = "result";
  pre.textContent = JSON.stringify(result);
  document.body.append(pre);
});
</script>"##;

/// What has faults: a picture without words, a field without a label, and grey on white.
const FAULTY: &str = "<!DOCTYPE html><html lang=\"en\"><head><title>A page</title></head><body><main><h1>A page</h1>\
    <img src=\"data:,\"><input><p style=\"color: #bbb; background: #fff\">Some words.</p></main></body></html>";

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_axe_finds_nothing_on_any_page() {
    if !tools(&["chromium", "npm"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(axe) = axe(folder.path()) else {
        skipped("npm cannot install axe-core");
        return;
    };
    let faulty = folder.path().join("faulty.html");
    fs::write(&faulty, FAULTY).unwrap();
    let found = ask(&faulty, &axe, 1280, false);
    let mut found: Vec<&str> = found["found"].as_array().unwrap().iter().map(|one| one[0].as_str().unwrap()).collect();
    found.sort_unstable();
    assert_eq!(found, ["color-contrast", "image-alt", "label"], "axe is there, and is asked");
    let pages = [
        ("german.m", 0, "report.html"),
        ("flash.m", 0, "report.html"),
        ("broken/flash_unmarked_request.m", 1, "trace.html"),
        ("cub/queue_broken.cub", 1, "trace.html"),
    ];
    for (model, code, name) in pages {
        let out = folder.path().join(model.replace('/', "-"));
        paraproof().args(["verify", "-q", &format!("models/{model}"), "-o"]).arg(&out).assert().code(code);
        for (width, dark) in [(1280, false), (400, false), (1280, true), (400, true)] {
            let result = ask(&out.join(name), &axe, width, dark);
            let place = format!("{name} of {model}, width {width}, dark: {dark}: {result:#}");
            assert_eq!(result["found"], json!([]), "{place}");
            assert_eq!((&result["dark"], &result["overflow"]), (&dark.into(), &false.into()), "{place}");
            assert!(result["passes"].as_u64().unwrap() > 20, "{place}");
        }
    }
}

/// The script of axe, in the version that `tests/axe` names.
fn axe(folder: &Path) -> Option<String> {
    let own: PathBuf = folder.join("axe");
    fs::create_dir(&own).unwrap();
    for file in ["package.json", "package-lock.json"] {
        fs::copy(root().join("tests/axe").join(file), own.join(file)).unwrap();
    }
    let installed =
        Command::new("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&own).output();
    installed.ok().filter(|output| output.status.success())?;
    Some(fs::read_to_string(own.join("node_modules/axe-core/axe.min.js")).unwrap())
}

fn ask(page: &Path, axe: &str, width: u32, dark: bool) -> Value {
    let text = fs::read_to_string(page).unwrap().replace("</body>", &format!("<script>{axe}</script>{ASK}</body>"));
    let mut options = vec!["--virtual-time-budget=120000"];
    options.extend(dark.then_some("--blink-settings=preferredColorScheme=0"));
    let name = format!("axe-{width}-{dark}-{}", page.file_stem().unwrap().to_str().unwrap());
    let (result, console) = look(page, &text, &name, width, &options);
    assert_eq!(console, "", "{}", page.display());
    result
}
