//! Tests the report in a real browser: it loads, filters and opens an argument, and the console stays empty. On paper
//! it is complete, light, and no wider than the page. The page of a trace steps forward and back,
//! and evaluates expressions.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::browser::look;
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

/// Types expressions in the last state and in the one before, and reads the answers: the sentence, then each part with its
/// value.
const EVALUATE: &str = r##"<script>
window.addEventListener("load", () => {
  const by = (id) => document.getElementById(id);
  const to = (number) => {
    by("step").value = String(number);
    by("step").dispatchEvent(new Event("input"));
  };
  const answer = (text) => {
    by("expression").value = text;
    by("expression").dispatchEvent(new Event("input"));
    const rows = [...document.querySelectorAll("#answer tbody tr")];
    const parts = rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" is "));
    const sentence = document.querySelector("#answer p")?.textContent ?? "";
    return [sentence, parts, by("expression").getAttribute("aria-invalid") === "true"];
  };
  const last = Number(by("step").max);
  const answers = EXPRESSIONS.map((text) => {
    to(last);
    return answer(text);
  });
  const moved = [answer(EXPRESSIONS[0])[0]];
  to(last - 1);
  moved.push(document.querySelector("#answer p").textContent);
  const overflow = document.documentElement.scrollWidth > window.innerWidth;
  const pre = document.createElement("pre");
  pre.id = "result";
  pre.textContent = JSON.stringify({ answers, moved, overflow });
  document.body.append(pre);
});
</script>"##;

/// Evaluates expressions on the page of a trace, and compares the beginnings of the answers and one of the parts.
fn evaluates(page: &Path, expected: &[(&str, &str, &str)], moved: [&str; 2]) {
    let expressions: Vec<&str> = expected.iter().map(|(expression, ..)| *expression).collect();
    let script = EVALUATE.replace("EXPRESSIONS", &serde_json::to_string(&expressions).unwrap());
    let text = fs::read_to_string(page).unwrap().replace("</body>", &format!("{script}</body>"));
    let (result, console) = look(page, &text, "evaluate", 400, &[]);
    assert_eq!(console, "", "{result}");
    for ((expression, wanted, part), answer) in expected.iter().zip(result["answers"].as_array().unwrap()) {
        let sentence = answer[0].as_str().unwrap();
        let fits = match wanted.strip_suffix('.') {
            Some(whole) => sentence == format!("There is no value: {whole}.") || sentence == format!("Value: {whole}."),
            None => sentence.starts_with(&format!("Value: {wanted}")) || sentence.ends_with(wanted),
        };
        assert!(fits, "{expression}: {sentence}, not {wanted}");
        assert_eq!(answer[2], sentence.starts_with("There is no value"), "{expression}: {answer}");
        let parts = answer[1].as_array().unwrap();
        assert!(part.is_empty() || parts.iter().any(|own| own == part), "{expression}: {part} is not in {parts:?}");
    }
    assert_eq!(result["moved"], serde_json::json!(moved));
    assert_eq!(result["overflow"], false);
}

#[test]
fn a_reader_can_evaluate_expressions_in_the_states_of_a_trace() {
    if !tool("chromium") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let page = |model: &str| {
        let out = folder.path().join(model.replace('/', "-"));
        paraproof().args(["verify", "-q", &format!("models/{model}"), "-o"]).arg(&out).assert().code(1);
        out.join("trace.html")
    };
    let murphi = [
        ("Cache[NODE_2].State = S & !Collecting", "true", "Cache[NODE_2].State is S"),
        ("Cache[NODE_2].Data = CurrData", "false", "CurrData is DATA_2"),
        ("Cache[Home].State", "E.", "Cache[NODE_1].State is E"),
        ("CurrData = DATA_2", "true", ""),
        ("forall i : NODE do Cache[i].State = E -> Cache[i].Data = CurrData end", "true", ""),
        (
            "forall i : NODE do Cache[i].Data = CurrData end",
            "false",
            "forall i : NODE do Cache[i].Data = CurrData end is false for i = NODE_2",
        ),
        ("forall i : NODE do Cache[i].Data = CurrData end", "false", "Cache[NODE_2].Data is DATA_1"),
        ("exists i : NODE do i != Home & Dir.InvSet[i] endexists", "false", ""),
        ("exists i, j : NODE do i != j & Cache[i].State = S end", "true", ""),
        ("exists w : WAIT; i : NODE do Cache[i].Wait = w end | Collecting", "true", ""),
        ("forall n := 1 to NODE_NUM do n * 2 <= 4 end", "true", ""),
        ("exists n : 1..3 do n % 3 = 0 & n - 1 = 2 end", "true", ""),
        ("NODE_NUM + 1 > 2 ? CurrData : Memory", "DATA_2.", "NODE_NUM + 1 > 2 is true"),
        ("!NODE_NUM = 3", "true", "NODE_NUM = 3 is false"),
        ("Collecting || not (NODE_NUM <> 2) && TRUE", "true", ""),
        // What is undefined has no value, and is not read where it does not matter.
        ("Dir.Head = Home", "Dir.Head is undefined in this state.", "Dir.Head is Undefined"),
        ("Dir.HeadVld -> Dir.Head = Home", "true", "Dir.HeadVld is false"),
        ("isundefined(Dir.Head) & !isundefined(Home)", "true", ""),
        (
            "exists i : NODE do Uni[i].Peer = NODE_2 end",
            "Uni[NODE_1].Peer is undefined in this state.",
            "Uni[NODE_1].Peer is Undefined",
        ),
        // Slips.
        ("", "", ""),
        ("Cache[NODE_2].State = Ss", "did you mean S?", ""),
        ("Cache[NODE_2].Stat = S", "did you mean Cache[NODE_2].State?", ""),
        ("Cache[NODE_2].State = NoInv", "Cache[NODE_2].State never is NoInv; its values are I, S, E.", ""),
        ("Colecting", "Colecting is no state variable, constant or value; did you mean Collecting?", ""),
        ("Cache[NODE_3].State = S", "NODE_3 is no state variable, constant or value; did you mean NODE_1?", ""),
        ("Dir.InvSet", "Dir.InvSet is not one value; it has Dir.InvSet[NODE_1], Dir.InvSet[NODE_2].", ""),
        ("Collecting = CurrData", "Collecting is false and CurrData is DATA_2: these are not of one type.", ""),
        ("CurrData & Collecting", "CurrData is DATA_2, not true or false.", ""),
        ("CurrData < 3", "CurrData is DATA_2, not a number.", ""),
        ("1 / (NODE_NUM - 2)", "division by 0.", ""),
        ("forall i : NODES do true end", "NODES is no type with known elements; did you mean NODE?", ""),
        ("forall i : NODE do forall n : 1..90000 do n > 0 end end", "there are more than 100000 cases.", ""),
        ("NODE_NUM = 2 = true", "= does not chain; use parentheses.", ""),
        ("(Collecting", "expected ) instead of the end.", ""),
        ("1 +", "expected a value or a name instead of the end.", ""),
        ("Collecting Collecting", "expected an operator instead of Collecting.", ""),
        ("IsSharer(Home)", "IsSharer(…): functions are not evaluated here.", ""),
        ("§", "§ has no meaning in an expression.", ""),
        ("toString", "toString is no state variable, constant or value.", ""),
    ];
    let moved = [
        "Value: true. It is true after step 7; false after step 0–6.",
        "Value: false. It is true after step 7; false after step 0–6.",
    ];
    evaluates(&page("broken/flash_unmarked_request.m"), &murphi, moved);
    let cubicle = [
        ("Inside[#2] = True && Number[#2] > 0", "true", "Number[#2] is 1"),
        ("forall p : proc do Inside[p] end", "true", ""),
        ("exists p, q : proc do p <> q && Inside[p] = Inside[q] end", "true", ""),
        ("Greatest > 0", "Greatest is not known in this state.", "Greatest is not known"),
        ("Inside[#3]", "#3 is no state variable, constant or value; did you mean #1?", ""),
    ];
    let moved = [
        "Value: true. It is true after step 4; false after step 0–3.",
        "Value: false. It is true after step 4; false after step 0–3.",
    ];
    evaluates(&page("cub/queue_broken.cub"), &cubicle, moved);
}

fn visit(report: &Path, width: u32) -> (Value, String) {
    let text = fs::read_to_string(report).unwrap().replace("</body>", &format!("{VISIT}</body>"));
    look(report, &text, &format!("visit-{width}"), width, &[])
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
