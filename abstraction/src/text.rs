//! Writes the text of the abstract model, which rumur and CMurphi read.
//!
//! All logic arrives as expressions.

use super::build::Built;
use super::order::Statement;
use system::notation::Expression;

/// The width of a line of logic.
const WIDTH: usize = 100;

/// A rule or startstate with what is said about it.
pub(crate) struct Entry<'b> {
    pub(crate) name: &'b str,
    pub(crate) comments: Vec<String>,
    pub(crate) built: &'b Built,
    pub(crate) is_start: bool,
}

/// Comment lines.
pub(crate) fn comments(lines: &[String], text: &mut String) {
    for line in lines {
        text.push_str(format!("-- {}", line.replace('\n', " ")).trim_end());
        text.push('\n');
    }
}

/// A rule or startstate.
pub(crate) fn entry(entry: &Entry<'_>, text: &mut String) {
    comments(&entry.comments, text);
    let built = entry.built;
    let indent = if built.parameters.is_empty() { 0 } else { 2 };
    let mut inner = String::new();
    if entry.is_start {
        inner.push_str(&format!("startstate \"{}\"\n", entry.name));
    } else {
        let mut guard = built.guard.clone();
        guard.extend(built.strengthening.iter().map(|(clause, _)| clause.clone()));
        let guard = Expression::and(guard).lines(WIDTH).replace('\n', "\n  ");
        inner.push_str(&format!("rule \"{}\"\n  {guard}\n==>\n", entry.name));
    }
    for (name, over) in &built.locals {
        inner.push_str(&format!("  var {name} : {over};\n"));
    }
    inner.push_str("begin\n");
    statements(&built.body, 2, &mut inner);
    inner.push_str(if entry.is_start { "endstartstate;\n" } else { "endrule;\n" });
    if indent == 0 {
        text.push_str(&inner);
    } else {
        let parameters: Vec<String> = built.parameters.iter().map(|(name, over)| format!("{name} : {over}")).collect();
        text.push_str(&format!("ruleset {} do\n", parameters.join("; ")));
        for line in inner.lines() {
            text.push_str(&format!("{}{line}\n", " ".repeat(indent)));
        }
        text.push_str("endruleset;\n");
    }
    text.push('\n');
}

fn statements(list: &[Statement], indent: usize, text: &mut String) {
    let blank = " ".repeat(indent);
    for statement in list {
        match statement {
            Statement::Assign(target, value) => text.push_str(&format!("{blank}{target} := {value};\n")),
            Statement::Undefine(target) => text.push_str(&format!("{blank}undefine {target};\n")),
            Statement::If(condition, yes, no) => {
                text.push_str(&format!("{blank}if {condition} then\n"));
                statements(yes, indent + 2, text);
                if !no.is_empty() {
                    text.push_str(&format!("{blank}else\n"));
                    statements(no, indent + 2, text);
                }
                text.push_str(&format!("{blank}endif;\n"));
            }
            Statement::For(name, over, body) => {
                text.push_str(&format!("{blank}for {name} : {over} do\n"));
                statements(body, indent + 2, text);
                text.push_str(&format!("{blank}endfor;\n"));
            }
        }
    }
}

/// An invariant.
pub(crate) fn invariant(name: &str, claim: &Expression, text: &mut String) {
    text.push_str(&format!("invariant \"{name}\"\n  {};\n\n", claim.lines(WIDTH).replace('\n', "\n  ")));
}
