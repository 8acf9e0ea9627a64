//! Pages in a real browser.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Opens a variant of a report, and returns what its script found and the messages on the console.
pub(crate) fn look(report: &Path, text: &str, name: &str, width: u32, options: &[&str]) -> (Value, String) {
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
    let result = result.unwrap_or_else(|| panic!("the page's script did not end: {errors}"));
    let result = result.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let console = errors.lines().filter(|line| line.contains("CONSOLE")).collect::<Vec<_>>().join("\n");
    (serde_json::from_str(&result).unwrap(), console)
}
