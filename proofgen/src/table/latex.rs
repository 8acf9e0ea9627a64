//! The table of invariants as LaTeX, for papers.

use std::fmt::Write;

use super::{Table, numbers};

impl Table {
    /// Returns a `longtable` to include in a document.
    #[must_use]
    pub fn latex(&self) -> String {
        let mut text = String::new();
        self.write_latex(&mut text).expect("writing to memory does not fail");
        text
    }

    fn write_latex(&self, text: &mut String) -> std::fmt::Result {
        for sentence in self.scope.sentences() {
            writeln!(text, "% {sentence}")?;
        }
        writeln!(text, "% Requires the packages longtable, booktabs and array.")?;
        writeln!(text, "\\begin{{longtable}}{{@{{}}r>{{\\raggedright\\arraybackslash}}p{{0.68\\textwidth}}l@{{}}}}")?;
        writeln!(text, "\\toprule\nNo. & Invariant & Relies on \\\\\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot")?;
        for group in &self.groups {
            if !group.title.is_empty() {
                writeln!(text, "\\multicolumn{{3}}{{@{{}}l}}{{\\texttt{{{}}}}} \\\\", escaped(&group.title))?;
            }
            for row in &group.invariants {
                let (formula, relies_on) = (escaped(&row.formula.to_string()), numbers(&row.relies_on));
                writeln!(text, "{} & \\texttt{{{formula}}} & {relies_on} \\\\", row.number)?;
            }
        }
        writeln!(text, "\\end{{longtable}}")
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            // A long designator may be broken at a dot or a bracket.
            '.' => out.push_str(".\\allowbreak{}"),
            '[' => out.push_str("\\allowbreak{}{[}"),
            ']' => out.push_str("{]}"),
            '"' => out.push_str("\\textquotedbl{}"),
            other => out.push(other),
        }
    }
    out
}
