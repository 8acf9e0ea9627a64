//! Tests the report in a real browser: it loads, filters and opens an argument, and the console stays empty. On paper
//! it is complete, light, and no wider than the page. The page of a trace steps forward and back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{paraproof, root, tool};

/// Does what a reader does, and leaves the result in the page.
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
  const far = document.getElementById("far");
  result.near = document.querySelectorAll("#graph a").length;
  far.value = "99";
  far.dispatchEvent(new Event("input"));
  result.nodes = document.querySelectorAll("#graph a").length;
  result.listed = document.querySelectorAll("#drawn li").length;
  result.overflowing = [...document.querySelectorAll("pre, .sticky")].filter((one) => one.scrollWidth > innerWidth).length;
  const needed = document.getElementById("needed");
  needed.value = "0";
  needed.dispatchEvent(new Event("input"));
  result.needed = shown();
  needed.value = "";
  needed.dispatchEvent(new Event("input"));
  const section = document.querySelector("#invariants > details");
  section.open = false;
  location.hash = "#invariant-0";
  window.dispatchEvent(new HashChangeEvent("hashchange"));
  result.unfolded = section.open;
  result.overflow = document.documentElement.scrollWidth > window.innerWidth;
  const pre = document.createElement("pre");
  pre.id = "result";
  pre.textContent = JSON.stringify(result);
  document.body.append(pre);
});
</script>"##;

/// The width of an A4 page without its margins, at 96 pixels per inch.
const PAPER: u32 = 718;

/// Inspects the page under the rules for paper before, while and after it is printed.
const PRINT: &str = r##"<script>
window.addEventListener("load", () => {
  const result = {};
  const number = (text) => Number(text.textContent);
  const closed = () => document.querySelectorAll("details:not([open])").length;
  const seen = (one) => one.getBoundingClientRect().height > 0;
  result.details = closed();
  window.dispatchEvent(new Event("beforeprint"));
  result.closed = closed();
  result.sections = [...document.querySelectorAll("main > section")].filter(seen).map((one) => one.id);
  result.controls = [...document.querySelectorAll("nav, .controls, #matrix, .screen")].filter(seen).length;
  result.background = getComputedStyle(document.body).backgroundColor;
  result.text = getComputedStyle(document.body).color;
  const parts = [...document.querySelectorAll("#paper table")];
  result.columns = parts.flatMap((part) => [...part.rows[0].cells].slice(1).map(number));
  result.invariants = [...document.querySelectorAll("#matrix thead th a")].map(number);
  result.lines = parts.map((part) => part.rows.length - 1);
  result.rules = document.querySelectorAll("#matrix tbody tr").length;
  const letters = (within) => [...document.querySelectorAll(`${within} td[data-k]`)].length;
  result.letters = [letters("#paper"), letters("#matrix")];
  const all = [...document.querySelectorAll("main *, header *")].filter(seen);
  result.beyond = all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80)).slice(0, 3);
  window.dispatchEvent(new Event("afterprint"));
  result.again = closed();
  result.left = document.querySelectorAll("#paper *").length;
  const pre = document.createElement("pre");
  pre.id = "result";
  pre.textContent = JSON.stringify(result);
  document.body.append(pre);
});
</script>"##;

/// Steps through a trace.
const STEP: &str = r##"<script>
window.addEventListener("load", () => {
  const result = {};
  const by = (id) => document.getElementById(id);
  const cells = (within) => [...document.querySelectorAll(`${within} tbody tr`)].map((row) => [...row.cells].map((cell) => cell.textContent));
  result.why = cells("#why");
  result.first = [by("now").textContent, by("back").disabled, cells("#state").length, document.querySelectorAll("#state .bad").length];
  by("forward").click();
  result.changes = cells("#changes");
  result.source = by("source").textContent;
  const step = by("step");
  step.value = step.max;
  step.dispatchEvent(new Event("input"));
  result.last = [by("now").textContent, by("forward").disabled];
  result.bad = [...document.querySelectorAll("#state .bad")].map((row) => [...row.cells].map((cell) => cell.textContent));
  const all = cells("#state").length;
  by("only").click();
  result.fewer = cells("#state").length < all;
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  result.back = Number(step.max) - Number(step.value);
  result.marked = document.querySelectorAll("#chart svg .bad").length;
  result.overflow = document.documentElement.scrollWidth > window.innerWidth;
  const pre = document.createElement("pre");
  pre.id = "result";
  pre.textContent = JSON.stringify(result);
  document.body.append(pre);
});
</script>"##;

#[test]
fn a_trace_can_be_stepped_through() {
    if !tool("chromium") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("broken");
    let model = root().join("models/broken/flash_unmarked_request.m");
    paraproof().arg("verify").arg(model).arg("-q").arg("-o").arg(&out).assert().code(1);
    let page = out.join("trace.html");
    let text = fs::read_to_string(&page).unwrap().replace("</body>", &format!("{STEP}</body>"));
    for width in [1280, 400] {
        let (result, console) = look(&page, &text, &format!("step-{width}"), width, &[]);
        let place = format!("width {width}: {result}");
        assert_eq!(console, "", "{place}");
        assert!(result["why"].as_array().unwrap().len() >= 2, "{place}");
        assert_eq!(result["bad"], result["why"], "the violating cells are marked in the last state, {place}");
        assert_eq!(result["first"][1], true, "{place}");
        assert_eq!(result["first"][3], 0, "nothing is marked in the initial state, {place}");
        assert!(!result["changes"].as_array().unwrap().is_empty(), "{place}");
        assert!(result["source"].as_str().unwrap().contains("==>"), "{place}");
        assert_eq!(
            (&result["last"][1], &result["fewer"], &result["back"]),
            (&true.into(), &true.into(), &1.into()),
            "{place}"
        );
        assert!(result["marked"].as_u64().unwrap() >= 1, "{place}");
        assert_eq!(result["overflow"], false, "{place}");
    }
}

fn visit(report: &Path, width: u32) -> (Value, String) {
    let text = fs::read_to_string(report).unwrap().replace("</body>", &format!("{VISIT}</body>"));
    look(report, &text, &format!("visit-{width}"), width, &[])
}

/// Opens a variant of a report, and returns what its script found and the messages on the console.
fn look(report: &Path, text: &str, name: &str, width: u32, options: &[&str]) -> (Value, String) {
    let page = report.with_file_name(format!("{name}.html"));
    fs::write(&page, text).unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .args(options)
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", report.with_file_name(format!("profile-{name}")).display()))
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
        assert!(fs::metadata(&report).unwrap().len() < 5_000_000, "{name}: the report is too large to be sent by mail");
        for width in widths {
            works(name, &report, *width);
        }
        prints(name, &report);
    }
}

/// What a printer gets from a dark screen.
fn prints(name: &str, report: &Path) {
    let text = fs::read_to_string(report).unwrap();
    assert_eq!(text.matches("@media print").count(), 1);
    // The rules for paper are applied to all media, so that their effect can be measured.
    let text = text.replace("@media print", "@media all").replace("</body>", &format!("{PRINT}</body>"));
    let (result, console) = look(report, &text, "print", PAPER, &["--blink-settings=preferredColorScheme=0"]);
    let place = format!("{name} on paper: {result}");
    assert_eq!(console, "", "messages on the console, {place}");
    let sections = ["properties", "invariants", "arguments", "support", "situations", "rules", "again"];
    assert_eq!(result["sections"], serde_json::json!(sections), "{place}");
    assert_eq!((&result["controls"], &result["closed"]), (&0.into(), &0.into()), "{place}");
    assert_eq!(result["background"], "rgb(255, 255, 255)", "{place}");
    assert_eq!(result["text"], "rgb(0, 0, 0)", "{place}");
    assert_eq!(result["columns"], result["invariants"], "{place}");
    assert!(result["lines"].as_array().unwrap().iter().all(|lines| *lines == result["rules"]), "{place}");
    assert_eq!(result["letters"][0], result["letters"][1], "{place}");
    assert!(result["letters"][0].as_u64().unwrap() > 0, "{place}");
    assert_eq!(result["beyond"], serde_json::json!([]), "wider than a page, {place}");
    assert!(result["details"].as_u64().unwrap() > 0, "{place}");
    assert_eq!((&result["again"], &result["left"]), (&result["details"], &0.into()), "{place}");
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
    // Three searches: half a second would be noticeable to a reader, but a busy test machine may need longer.
    assert!(result["milliseconds"].as_f64().unwrap() < 5_000.0, "{place}");
    for what in ["opened", "focus", "closed", "known", "unfolded"] {
        assert_eq!(result[what], true, "{what}, {place}");
    }
    let argument = result["argument"].as_str().unwrap();
    assert!(argument.contains("the rule could break the invariant only from states that other invariants"), "{place}");
    assert!(argument.contains("The rule, line") && argument.contains("==>"), "{place}");
    // What the first property rests on is drawn, near or all of it, and said.
    let (near, nodes) = (result["near"].as_u64().unwrap(), result["nodes"].as_u64().unwrap());
    assert!(0 < near && near <= nodes && nodes <= all, "{place}");
    assert_eq!((&result["needed"], &result["listed"]), (&nodes.into(), &nodes.into()), "{place}");
    assert_eq!(result["overflowing"], 0, "{place}");
    assert_eq!(result["cells"].as_u64().unwrap() % all, 0, "{place}");
    assert_eq!(result["overflow"], false, "the page is wider than the window, {place}");
}
