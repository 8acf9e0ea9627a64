//! The graph of which invariant relies on which, as SVG.
//!
//! The invariants of properties are at the top. Each row below has the invariants that the row above relies on, unless
//! they have a place already. Within a row, an invariant is placed below those that need it, which keeps most lines
//! short.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::table::{Origin, Table};

const COLUMN: usize = 56;
const ROW: usize = 90;
const RADIUS: usize = 16;
/// Longer rows are broken, so that the graph of a big protocol stays readable.
const PER_ROW: usize = 18;
/// If there are more lines than this, they are drawn thin, so that the nodes stay visible.
const DENSE: usize = 300;

/// Draws the graph.
pub(super) fn svg(table: &Table) -> String {
    let rows = rows(table);
    let mut places: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    for (down, row) in rows.iter().enumerate() {
        let indent = (widest - row.len()) * COLUMN / 2;
        for (across, number) in row.iter().enumerate() {
            places.insert(*number, (indent + across * COLUMN + COLUMN / 2, down * ROW + ROW / 2));
        }
    }
    let (width, height) = (widest.max(1) * COLUMN, rows.len().max(1) * ROW);
    let lines: usize = table.invariants().map(|row| row.relies_on.len()).sum();
    let class = if lines > DENSE { " class=\"dense\"" } else { "" };
    let mut text = format!(
        "<svg id=\"graph\"{class} viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"Which invariant relies on which\">"
    );
    draw(table, &places, &mut text).expect("writing to memory does not fail");
    text.push_str("</svg>");
    text
}

fn draw(table: &Table, places: &BTreeMap<u32, (usize, usize)>, text: &mut String) -> std::fmt::Result {
    for row in table.invariants() {
        for other in row.relies_on.iter().filter(|other| **other != row.number) {
            if let (Some((x, y)), Some((to_x, to_y))) = (places.get(&row.number), places.get(other)) {
                let middle = usize::midpoint(*y, *to_y);
                write!(
                    text,
                    "<path data-from=\"{}\" data-to=\"{other}\" d=\"M{x} {y} C{x} {middle} {to_x} {middle} {to_x} {to_y}\"/>",
                    row.number
                )?;
            }
        }
    }
    for row in table.invariants() {
        if let Some((x, y)) = places.get(&row.number) {
            let class = if matches!(row.origin, Origin::Property(_)) { "property" } else { "found" };
            write!(
                text,
                "<a href=\"#invariant-{0}\" class=\"{class}\" data-number=\"{0}\"><circle cx=\"{x}\" cy=\"{y}\" \
                 r=\"{RADIUS}\"/><text x=\"{x}\" y=\"{y}\">{0}</text></a>",
                row.number
            )?;
        }
    }
    Ok(())
}

/// Arranges the invariants in rows by their distance from the properties.
fn rows(table: &Table) -> Vec<Vec<u32>> {
    let relies_on: BTreeMap<u32, &Vec<u32>> = table.invariants().map(|row| (row.number, &row.relies_on)).collect();
    let top = table.invariants().filter(|row| matches!(row.origin, Origin::Property(_))).map(|row| row.number);
    let mut row: Vec<u32> = top.collect();
    let mut seen: BTreeSet<u32> = row.iter().copied().collect();
    let mut rows = Vec::new();
    while !row.is_empty() {
        let mut next: Vec<(usize, u32)> = Vec::new();
        for (position, number) in row.iter().enumerate() {
            for other in relies_on[number].iter().filter(|other| relies_on.contains_key(other)) {
                if seen.insert(*other) {
                    next.push((position, *other));
                }
            }
        }
        rows.extend(row.chunks(PER_ROW).map(<[u32]>::to_vec));
        row = next.into_iter().map(|(_, number)| number).collect();
    }
    // Invariants that no property needs, directly or indirectly (as when only some are shown), come last.
    let rest: Vec<u32> = table.invariants().map(|row| row.number).filter(|number| !seen.contains(number)).collect();
    rows.extend(rest.chunks(PER_ROW).map(<[u32]>::to_vec));
    rows
}
