//! The report in a real browser: it loads, filters, opens an argument, and the console stays empty.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{paraproof, root, tool};

/// Does what a reader does, and leaves the outcome in the page.
const VISIT: &str = r##"<script>
window.addEventListener("load", () => {
  const result = {};
  const shown = () => document.querySelectorAll("article:not([hidden])").length;
  const type = (text) => {
    const search = document.getElementById("search");
    search.value = text;
    search.dispatchEvent(new Event("input"));
  };
  result.all = shown();
  const started = performance.now();
  type("no invariant has such words");
  result.none = shown();
  type(document.querySelector("article h4").textContent.split(" ")[0].replace(".", ""));
  result.some = shown();
  type("");
  result.again = shown();
  result.milliseconds = performance.now() - started;
  const cell = document.querySelector("#matrix td[data-k=i]");
  cell.focus();
  cell.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  const panel = document.getElementById("argument");
  result.opened = !panel.hidden;
  result.argument = panel.textContent;
  result.focus = document.activeElement === panel;
  panel.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  result.closed = panel.hidden && document.activeElement === cell;
  const when = document.querySelector("#rules a[href^='#when-']");
  location.hash = when.getAttribute("href");
  window.dispatchEvent(new HashChangeEvent("hashchange"));
  result.known = document.getElementById(location.hash.slice(1)).open;
  result.cells = document.querySelectorAll("#matrix td").length;
  result.nodes = document.querySelectorAll("#graph a").length;
  result.overflow = document.documentElement.scrollWidth > window.innerWidth;
  const pre = document.createElement("pre");
  pre.id = "result";
  pre.textContent = JSON.stringify(result);
  document.body.append(pre);
});
</script>"##;

fn visit(report: &Path, width: u32) -> (Value, String) {
    let page = report.with_file_name(format!("visit-{width}.html"));
    let text = fs::read_to_string(report).unwrap().replace("</body>", &format!("{VISIT}</body>"));
    fs::write(&page, text).unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", report.with_file_name(format!("profile-{width}")).display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let result = dom.split("<pre id=\"result\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let result = result.unwrap_or_else(|| panic!("the page's script did not end: {errors}")).replace("&amp;", "&");
    let result = result.replace("&lt;", "<").replace("&gt;", ">");
    let console = errors.lines().filter(|line| line.contains("CONSOLE")).collect::<Vec<_>>().join("\n");
    (serde_json::from_str(&result).unwrap(), console)
}

#[test]
fn the_report_works_in_a_browser() {
    if !tool("chromium") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, widths) in [("german", &[1280, 400][..]), ("flash", &[1280])] {
        let out = folder.path().join(name);
        let model = root().join(format!("models/{name}.m"));
        paraproof().arg("verify").arg(model).arg("-q").arg("-o").arg(&out).assert().code(0);
        let report = out.join("report.html");
        assert!(fs::metadata(&report).unwrap().len() < 5_000_000, "{name}: the report is too large to be sent around");
        for width in widths {
            works(name, &report, *width);
        }
    }
}

fn works(name: &str, report: &Path, width: u32) {
    let (result, console) = visit(report, width);
    let place = format!("{name} at width {width}: {result}");
    assert_eq!(console, "", "messages on the console, {place}");
    let all = result["all"].as_u64().unwrap();
    assert!(all > 1, "{place}");
    assert_eq!(result["none"], 0, "{place}");
    assert!(result["some"].as_u64().unwrap() >= 1, "{place}");
    assert_eq!(result["again"], all, "{place}");
    // Three searches; a reader would notice half a second, a busy machine of tests may need longer.
    assert!(result["milliseconds"].as_f64().unwrap() < 5_000.0, "{place}");
    for what in ["opened", "focus", "closed", "known"] {
        assert_eq!(result[what], true, "{what}, {place}");
    }
    assert!(result["argument"].as_str().unwrap().contains("implied"), "{place}");
    assert_eq!(result["nodes"], all, "{place}");
    assert_eq!(result["cells"].as_u64().unwrap() % all, 0, "{place}");
    assert_eq!(result["overflow"], false, "the page is wider than the window, {place}");
}
