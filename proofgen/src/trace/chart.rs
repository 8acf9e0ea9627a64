//! A trace as a chart: time goes down, each element has a lane, and what belongs to no element has one too.
//!
//! A step is a row. In each lane that it touches stands what it changes there, and a line joins these lanes, as an arrow
//! from the lane of the rule's parameter where there is one. The chart uses the colours of the text around it.

use std::fmt::{self, Write};

use system::front_end::{Step, Trace};

use super::messages::{Told, What, told};
use super::title;

const LANE: usize = 210;
const LEFT: usize = 230;
const TOP: usize = 50;
const LINE: usize = 18;
const GAP: usize = 22;

/// The chart.
pub(super) fn svg(trace: &Trace) -> String {
    let mut text = String::new();
    write_svg(trace, &mut text).expect("writing to memory does not fail");
    text
}

fn write_svg(trace: &Trace, text: &mut String) -> fmt::Result {
    let told = told(trace);
    let lanes = lanes(&told);
    let row = |changes: &Vec<Told>| lanes.iter().map(|lane| texts(changes, lane)).collect();
    let rows: Vec<Vec<Vec<String>>> = told.iter().map(row).collect();
    let heights: Vec<usize> =
        rows.iter().map(|row| row.iter().map(Vec::len).max().unwrap_or(0).max(1) * LINE + GAP).collect();
    let (width, height) = (LEFT + lanes.len() * LANE, TOP + heights.iter().sum::<usize>() + 50);
    writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\" role=\"img\" aria-label=\"{}\">",
        escaped(&title(trace))
    )?;
    writeln!(text, "<style>\n{}</style>", include_str!("chart.css"))?;
    for (position, lane) in lanes.iter().enumerate() {
        let x = middle(position);
        let title = if lane.is_empty() { "shared" } else { lane };
        writeln!(text, "<line class=\"lane\" x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{}\"/>", height - 40)?;
        writeln!(
            text,
            "<text x=\"{x}\" y=\"28\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
            escaped(title)
        )?;
    }
    let ending = if trace.error.is_none() { format!("violates {}", trace.violates) } else { trace.ending() };
    let mut y = TOP;
    for ((number, step), (row, height)) in trace.steps.iter().enumerate().zip(rows.iter().zip(&heights)) {
        write_step(number, step, row, y, &lanes, text)?;
        y += height;
    }
    writeln!(text, "<text x=\"10\" y=\"{}\" font-weight=\"bold\">{}</text>", y + 20, escaped(&ending))?;
    writeln!(text, "</svg>")
}

fn write_step(
    number: usize,
    step: &Step,
    row: &[Vec<String>],
    y: usize,
    lanes: &[String],
    text: &mut String,
) -> fmt::Result {
    writeln!(text, "<text x=\"10\" y=\"{}\">{number}. {}</text>", y + LINE, escaped(&step.title()))?;
    let touched: Vec<usize> = (0..row.len()).filter(|&lane| !row[lane].is_empty()).collect();
    if let (Some(first), Some(last)) = (touched.first(), touched.last())
        && first != last
    {
        let across = y + LINE - 4;
        let actor = lanes.iter().position(|lane| step.parameters.iter().any(|(_, value)| value == lane));
        let (from, to) = if actor == Some(*last) { (*last, *first) } else { (*first, *last) };
        writeln!(text, "<path class=\"step\" d=\"M{} {across} L{} {across}\"/>", middle(from), middle(to))?;
    }
    for &lane in &touched {
        let (x, lines) = (middle(lane), &row[lane]);
        let height = lines.len() * LINE + 6;
        writeln!(
            text,
            "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{height}\" rx=\"4\"/>",
            x - LANE / 2 + 6,
            y,
            LANE - 12
        )?;
        for (position, line) in lines.iter().enumerate() {
            let baseline = y + LINE * (position + 1) - 2;
            writeln!(text, "<text x=\"{x}\" y=\"{baseline}\" text-anchor=\"middle\">{}</text>", escaped(line))?;
        }
    }
    Ok(())
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

/// What a step changes in a lane. The initial state is too long to be told.
fn texts(changes: &[Told], lane: &str) -> Vec<String> {
    let here = |change: &&Told| change.elements.first().map_or("", String::as_str) == lane;
    let tell = |change: &Told| {
        // In the lane of an element, its name goes without saying.
        let variable = change.variable.replace(&format!("[{lane}]"), "");
        match &change.what {
            What::Is(_) => None,
            What::Becomes(before, after) => Some(format!("{variable}: {before} → {after}")),
            What::Comes(message) => Some(format!("{variable}: + {message}")),
            What::Goes(message) => Some(format!("{variable}: − {message}")),
        }
    };
    changes.iter().filter(here).filter_map(tell).collect()
}

fn middle(lane: usize) -> usize {
    LEFT + lane * LANE + LANE / 2
}

/// Text in an XML document or in an attribute of one.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
