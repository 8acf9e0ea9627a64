//! Renders a flow as text, DOT and SVG.
//!
//! The drawing has one row for each number of steps from the start; time runs downwards.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::Flow;
use crate::trace::chart::escaped;

const WIDE: usize = 230;
const HIGH: usize = 34;
const GAP: usize = 26;
const ROW: usize = 120;

impl Flow {
    /// Returns the flow as text: each rule that it reaches, with what the rule passes on to which others.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text).expect("writing to memory does not fail");
        text
    }

    fn write_text(&self, text: &mut String) -> fmt::Result {
        let mut told = BTreeSet::new();
        for &start in &self.starts {
            self.branch(start, 0, &mut told, text)?;
        }
        Ok(())
    }

    /// Writes a rule and what follows it; what is above already is not repeated.
    fn branch(&self, rule: usize, depth: usize, told: &mut BTreeSet<usize>, text: &mut String) -> fmt::Result {
        if depth == 0 {
            writeln!(text, "{} (line {})", self.rules[rule].name, self.rules[rule].line)?;
        }
        if !told.insert(rule) {
            return Ok(());
        }
        for arrow in self.arrows.iter().filter(|arrow| arrow.from == rule) {
            let to = &self.rules[arrow.to];
            let (sign, values) = (if arrow.waits { "..>" } else { "-->" }, arrow.values.join(", "));
            let again = if told.contains(&arrow.to) { ", see above" } else { "" };
            writeln!(text, "{:1$}{sign} {2} (line {3}) by {values}{again}", "", 2 * depth + 2, to.name, to.line)?;
            self.branch(arrow.to, depth + 1, told, text)?;
        }
        Ok(())
    }

    /// Returns the flow as DOT, for Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut text = String::new();
        self.write_dot(&mut text).expect("writing to memory does not fail");
        text
    }

    fn write_dot(&self, text: &mut String) -> fmt::Result {
        let reached: BTreeSet<usize> = self.layers().into_iter().flatten().collect();
        writeln!(text, "digraph flow {{\n  node [shape=box, fontname=\"sans-serif\"];")?;
        for &rule in &reached {
            writeln!(text, "  r{rule} [label=\"{}\"];", quoted(&self.rules[rule].name))?;
        }
        for arrow in self.arrows.iter().filter(|arrow| reached.contains(&arrow.from)) {
            let style = if arrow.waits { ", style=dashed" } else { "" };
            let values: Vec<String> = arrow.values.iter().map(|value| quoted(value)).collect();
            writeln!(text, "  r{} -> r{} [label=\"{}\"{style}];", arrow.from, arrow.to, values.join("\\n"))?;
        }
        writeln!(text, "}}")
    }

    /// Returns the flow as an SVG drawing.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut text = String::new();
        self.write_svg(&mut text).expect("writing to memory does not fail");
        text
    }

    fn write_svg(&self, text: &mut String) -> fmt::Result {
        let layers = self.layers();
        let widest = layers.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let (width, height) = (widest * (WIDE + GAP) + GAP, layers.len() * ROW + GAP);
        let mut places = vec![None; self.rules.len()];
        for (down, layer) in layers.iter().enumerate() {
            let left = (width - layer.len() * (WIDE + GAP)) / 2;
            for (across, &rule) in layer.iter().enumerate() {
                places[rule] = Some((left + across * (WIDE + GAP) + WIDE / 2 + GAP / 2, GAP + down * ROW + HIGH / 2));
            }
        }
        writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\" \
             aria-label=\"Which rule enables which other rule\">\n<style>\n{}</style>\n<defs><marker id=\"tip\" \
             viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path \
             class=\"tip\" d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>",
            concat!(include_str!("../trace/chart.css"), ".tip { fill: #5a6470; }\n.waits { stroke-dasharray: 5 4; }\n")
        )?;
        for arrow in &self.arrows {
            if let (Some(from), Some(to)) = (places[arrow.from], places[arrow.to]) {
                write_arrow(from, to, &arrow.values.join(", "), arrow.waits, text)?;
            }
        }
        for (rule, (x, y)) in places.iter().enumerate().filter_map(|(rule, place)| Some((rule, (*place)?))) {
            writeln!(
                text,
                "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{WIDE}\" height=\"{HIGH}\" rx=\"4\"/><text x=\"{x}\" \
                 y=\"{}\" text-anchor=\"middle\">{}</text>",
                x - WIDE / 2,
                y - HIGH / 2,
                y + 5,
                escaped(&self.rules[rule].name)
            )?;
        }
        writeln!(text, "</svg>")
    }
}

/// Draws an arrow from the lower edge of one box to the upper edge of another, or back up beside the boxes.
fn write_arrow(from: (usize, usize), to: (usize, usize), value: &str, waits: bool, text: &mut String) -> fmt::Result {
    let class = if waits { "step waits" } else { "step" };
    let ((x, y), (to_x, to_y)) = (from, to);
    let (start, end, bend) =
        if to_y > y { (y + HIGH / 2, to_y - HIGH / 2, 0) } else { (y + HIGH / 2, to_y + HIGH / 2, WIDE / 2 + GAP) };
    let (middle, side) = (usize::midpoint(start, end), usize::midpoint(x, to_x) + bend);
    writeln!(
        text,
        "<path class=\"{class}\" marker-end=\"url(#tip)\" d=\"M{x} {start} Q{side} {middle} {to_x} {end}\"><title>{0}</title>\
         </path><text font-size=\"11\" x=\"{1}\" y=\"{2}\" text-anchor=\"middle\">{0}</text>",
        escaped(value),
        (x + to_x + 2 * side) / 4,
        (start + end + 2 * middle) / 4,
    )
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
