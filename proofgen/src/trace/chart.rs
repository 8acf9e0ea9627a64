//! A trace as a chart: time goes down, each element has a lane, and what belongs to no element has one too.
//!
//! The first row has the start state: what changes later, and what violates the property in the end. The last row has what
//! violates it. Each other step is a row. In each lane that it touches stands what it changes there, and a line joins these lanes, as an arrow
//! from the lane of the rule's parameter where there is one. The chart uses the colours of the text around it.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use system::front_end::{Step, Trace};

use super::messages::{Told, What, told};
use super::title;

/// The least width of a lane, and of the text to the left of the lanes.
const LANE: usize = 210;
const LEFT: usize = 230;
const TOP: usize = 50;
const LINE: usize = 18;
const GAP: usize = 22;
/// What a character takes, mostly less.
const CHARACTER: usize = 8;

/// The chart, with these state variables marked in the last state.
pub(super) fn svg(trace: &Trace, bad: &BTreeSet<String>) -> String {
    let mut text = String::new();
    write_svg(trace, bad, &mut text).expect("writing to memory does not fail");
    text
}

fn write_svg(trace: &Trace, bad: &BTreeSet<String>, text: &mut String) -> fmt::Result {
    let told = told(trace);
    let lanes = lanes(&told);
    let shown = shown(&told, bad);
    let row = |(number, changes): (usize, &Vec<Told>)| -> Vec<Vec<String>> {
        lanes.iter().map(|lane| texts(changes, lane, (number == 0).then_some(&shown))).collect()
    };
    let mut rows: Vec<Vec<Vec<String>>> = told.iter().enumerate().map(row).collect();
    rows.push(lanes.iter().map(|lane| violating(&told, bad, lane)).collect());
    let heights: Vec<usize> =
        rows.iter().map(|row| row.iter().map(Vec::len).max().unwrap_or(0).max(1) * LINE + GAP).collect();
    let ending = if trace.error.is_none() { format!("violates {}", trace.violates) } else { trace.ending() };
    let titles = trace.steps.iter().enumerate().map(|(number, step)| format!("{number}. {}", step.title()));
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0) * CHARACTER;
    let columns = Columns {
        left: LEFT.max(widest(&mut titles.map(|title| title.chars().count())) + 20),
        lane: LANE.max(widest(&mut rows.iter().flatten().flatten().map(|line| line.chars().count())) + 20),
    };
    let (width, height) = (columns.left + lanes.len() * columns.lane, TOP + heights.iter().sum::<usize>() + 20);
    writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\" role=\"img\" aria-label=\"{}\">",
        escaped(&title(trace))
    )?;
    writeln!(text, "<style>\n{}</style>", include_str!("chart.css"))?;
    for (position, lane) in lanes.iter().enumerate() {
        let x = columns.middle(position);
        let title = if lane.is_empty() { "shared" } else { lane };
        writeln!(text, "<line class=\"lane\" x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{}\"/>", height - 10)?;
        writeln!(
            text,
            "<text x=\"{x}\" y=\"28\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
            escaped(title)
        )?;
    }
    let mut y = TOP;
    for ((number, step), (row, height)) in trace.steps.iter().enumerate().zip(rows.iter().zip(&heights)) {
        write_step((number, step), row, y, (&lanes, columns), text)?;
        y += height;
    }
    writeln!(text, "<text x=\"10\" y=\"{}\" font-weight=\"bold\">{}</text>", y + LINE, escaped(&ending))?;
    if let Some(row) = rows.last() {
        row.iter().enumerate().try_for_each(|(lane, lines)| write_box((lane, columns), lines, y, "bad", text))?;
    }
    writeln!(text, "</svg>")
}

fn write_step(
    (number, step): (usize, &Step),
    row: &[Vec<String>],
    y: usize,
    (lanes, columns): (&[String], Columns),
    text: &mut String,
) -> fmt::Result {
    writeln!(text, "<text x=\"10\" y=\"{}\">{number}. {}</text>", y + LINE, escaped(&step.title()))?;
    let touched: Vec<usize> = (0..row.len()).filter(|&lane| !row[lane].is_empty()).collect();
    if let (Some(first), Some(last)) = (touched.first(), touched.last())
        && first != last
        && number > 0
    {
        let across = y + LINE - 4;
        let actor = lanes.iter().position(|lane| step.parameters.iter().any(|(_, value)| value == lane));
        let (from, to) = if actor == Some(*last) { (*last, *first) } else { (*first, *last) };
        writeln!(
            text,
            "<path class=\"step\" d=\"M{} {across} L{} {across}\"/>",
            columns.middle(from),
            columns.middle(to)
        )?;
    }
    touched.iter().try_for_each(|&lane| write_box((lane, columns), &row[lane], y, "box", text))
}

/// Writes the lines of a lane into a box; none if there are no lines.
fn write_box(
    (lane, columns): (usize, Columns),
    lines: &[String],
    y: usize,
    class: &str,
    text: &mut String,
) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    let (x, height) = (columns.middle(lane), lines.len() * LINE + 6);
    let (left, width) = (x - columns.lane / 2 + 6, columns.lane - 12);
    writeln!(text, "<rect class=\"{class}\" x=\"{left}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>")?;
    for (position, line) in lines.iter().enumerate() {
        let baseline = y + LINE * (position + 1) - 2;
        writeln!(text, "<text x=\"{x}\" y=\"{baseline}\" text-anchor=\"middle\">{}</text>", escaped(line))?;
    }
    Ok(())
}

/// What the start state shows: what changes later, and what violates the property in the end.
fn shown(told: &[Vec<Told>], bad: &BTreeSet<String>) -> BTreeSet<String> {
    let later = told.iter().skip(1).flatten();
    later.map(|change| change.variable.clone()).chain(bad.iter().cloned()).collect()
}

/// What violates the property in a lane, with the values of the last state.
fn violating(told: &[Vec<Told>], bad: &BTreeSet<String>, lane: &str) -> Vec<String> {
    let value = |change: &Told| match &change.what {
        What::Is(value) | What::Becomes(_, value) => Some(format!("{} = {value}", short(change, lane))),
        What::Comes(_) | What::Goes(_) => None,
    };
    let last = |variable: &String| {
        let mut changes = told.iter().rev().flatten();
        changes.find(|change| change.variable == *variable).filter(|change| lane_of(change) == lane)
    };
    bad.iter().filter_map(last).filter_map(value).collect()
}

fn lane_of(change: &Told) -> &str {
    change.elements.first().map_or("", String::as_str)
}

/// In the lane of an element, its name goes without saying.
fn short(change: &Told, lane: &str) -> String {
    change.variable.replace(&format!("[{lane}]"), "")
}

/// The elements that occur, in order of their names, and first the empty name for what belongs to none.
fn lanes(told: &[Vec<Told>]) -> Vec<String> {
    let changes = told.iter().flatten();
    let mut lanes: Vec<String> = changes.filter_map(|change| change.elements.first().cloned()).collect();
    lanes.push(String::new());
    lanes.sort();
    lanes.dedup();
    lanes
}

/// What a step changes in a lane; in the start state, the values of what is shown of it.
fn texts(changes: &[Told], lane: &str, start: Option<&BTreeSet<String>>) -> Vec<String> {
    let here = changes.iter().filter(|change| lane_of(change) == lane);
    let here = here.filter(|change| start.is_none_or(|shown| shown.contains(&change.variable)));
    let tell = |change: &Told| {
        let variable = short(change, lane);
        match &change.what {
            What::Is(value) => format!("{variable} = {value}"),
            What::Becomes(before, after) => format!("{variable}: {before} → {after}"),
            What::Comes(message) => format!("{variable}: + {message}"),
            What::Goes(message) => format!("{variable}: − {message}"),
        }
    };
    here.map(tell).collect()
}

/// The widths of the text to the left of the lanes, and of a lane.
#[derive(Clone, Copy)]
struct Columns {
    left: usize,
    lane: usize,
}

impl Columns {
    fn middle(self, lane: usize) -> usize {
        self.left + lane * self.lane + self.lane / 2
    }
}

/// Text in an XML document or in an attribute of one.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
