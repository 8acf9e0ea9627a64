//! How to write a startstate that sets one element for each value of a ruleset's parameter, so that it sets all.
//!
//! Each such parameter becomes a loop around the statements, with its name. This is done where repeating the statements
//! cannot change what they do: what depends on a parameter sets elements of that parameter, and what does not depend on
//! it reads nothing that the startstate writes.

#![allow(clippy::wildcard_enum_match_arm, reason = "it looks for one kind among many")]

use std::collections::BTreeSet;

use system::front_end::Replacement;

use crate::elaborate::parameters_as_indices;
use crate::program::walk::each_in_statements;
use crate::program::{Expression, ExpressionKind, Over, Program, Span, Startstate, Statement, StatementKind, VarId};
use crate::syntax::parse;
use crate::syntax::tree::{Domain, Item, Quantifier, RuleItem, Stmt};

/// Returns what to write instead of the startstate with this ruleset parameter, if that is certain.
pub(super) fn replacements(text: &str, program: &Program, parameter: Span) -> Vec<Replacement> {
    let span_of = |variable: VarId| program.variables[variable.index()].span;
    let has_parameter = |startstate: &&Startstate| {
        let parameters = parameters_as_indices(startstate);
        parameters.iter().any(|own| span_of(*own) == parameter)
    };
    let Some(startstate) = program.startstates.iter().find(has_parameter) else { return Vec::new() };
    let looped = parameters_as_indices(startstate);
    if !Repeated::of(startstate, &looped).is_harmless(&startstate.body, &mut Vec::new()) {
        return Vec::new();
    }
    let looped: BTreeSet<Span> = looped.into_iter().map(span_of).collect();
    let (ast, _) = parse(text);
    let found = ast.items.iter().find_map(|item| match item {
        Item::Rule(rule) => path(rule, startstate.span),
        Item::Constant(..) | Item::Type(..) | Item::Variables(..) | Item::Function(_) => None,
    });
    found.and_then(|path| rewritten(text, &path, &looped)).unwrap_or_default()
}

/// Whether statements may be repeated for each value of the parameters.
struct Repeated<'p> {
    looped: &'p [VarId],
    /// The variables that the startstate writes.
    written: BTreeSet<VarId>,
}

impl<'p> Repeated<'p> {
    fn of(startstate: &Startstate, looped: &'p [VarId]) -> Self {
        let mut written = BTreeSet::new();
        for statement in &startstate.body {
            statement.each(&mut |inner| match &inner.kind {
                StatementKind::Assign(place, _) | StatementKind::Clear(place) | StatementKind::Undefine(place) => {
                    written.extend(place.root());
                }
                _ => {}
            });
        }
        Self { looped, written }
    }

    /// `around` are the conditions and bounds on which the statements depend.
    fn is_harmless<'s>(&self, body: &'s [Statement], around: &mut Vec<&'s Expression>) -> bool {
        let mut calls = false;
        each_in_statements(body, &mut |inner| calls |= matches!(inner.kind, ExpressionKind::Call(..)));
        !calls && body.iter().all(|statement| self.is_harmless_statement(statement, around))
    }

    fn is_harmless_statement<'s>(&self, statement: &'s Statement, around: &mut Vec<&'s Expression>) -> bool {
        let depth = around.len();
        let harmless = match &statement.kind {
            StatementKind::Assign(place, value) => self.sets(place, Some(value), around),
            StatementKind::Clear(place) | StatementKind::Undefine(place) => self.sets(place, None, around),
            StatementKind::If(branches, otherwise) => {
                around.extend(branches.iter().map(|(condition, _)| condition));
                branches.iter().all(|(_, body)| self.is_harmless(body, around)) && self.is_harmless(otherwise, around)
            }
            StatementKind::Switch(value, cases, otherwise) => {
                around.push(value);
                around.extend(cases.iter().flat_map(|(values, _)| values));
                cases.iter().all(|(_, body)| self.is_harmless(body, around)) && self.is_harmless(otherwise, around)
            }
            StatementKind::For(binder, body) => {
                if let Over::Numbers { from, to, step } = &binder.over {
                    around.extend([&**from, &**to, &**step]);
                }
                self.is_harmless(body, around)
            }
            StatementKind::Put(value) => {
                around.extend(value);
                true
            }
            StatementKind::While(..)
            | StatementKind::Alias(..)
            | StatementKind::Call(..)
            | StatementKind::Assert(..)
            | StatementKind::Assume(_)
            | StatementKind::Cover(..)
            | StatementKind::Error(_)
            | StatementKind::Return(_)
            | StatementKind::MultisetAdd(..)
            | StatementKind::MultisetRemove(..)
            | StatementKind::MultisetRemoveIf(..) => false,
        };
        around.truncate(depth);
        harmless
    }

    fn sets(&self, place: &Expression, value: Option<&Expression>, around: &[&Expression]) -> bool {
        let read: Vec<&Expression> = around.iter().copied().chain(value).chain(indices(place)).collect();
        let mentions = |variable: VarId| read.iter().any(|expression| reads(expression, &|own| own == variable));
        let is_own = |parameter: &VarId| indices(place).any(|index| is_variable(index, *parameter));
        let repeated = self.looped.iter().any(|parameter| !is_own(parameter));
        let depends = self.looped.iter().any(|parameter| !is_own(parameter) && mentions(*parameter));
        let reads_written = read.iter().any(|expression| reads(expression, &|own| self.written.contains(&own)));
        !(depends || repeated && reads_written)
    }
}

/// The indices in a place.
fn indices(place: &Expression) -> impl Iterator<Item = &Expression> {
    let mut next = Some(place);
    std::iter::from_fn(move || {
        while let Some(place) = next {
            match &place.kind {
                ExpressionKind::Element(inner, index) => {
                    next = Some(inner);
                    return Some(&**index);
                }
                ExpressionKind::Field(inner, _) => next = Some(inner),
                _ => next = None,
            }
        }
        None
    })
}

fn is_variable(expression: &Expression, variable: VarId) -> bool {
    matches!(expression.kind, ExpressionKind::Variable(own) if own == variable)
}

fn reads(expression: &Expression, which: &dyn Fn(VarId) -> bool) -> bool {
    let mut found = false;
    expression.each(&mut |inner| {
        if let ExpressionKind::Variable(variable) = inner.kind {
            found |= which(variable);
        }
    });
    found
}

/// A startstate and the rulesets around it, outermost first.
struct Path<'t> {
    rulesets: Vec<(&'t [Quantifier], &'t [RuleItem], Span)>,
    body: &'t [Stmt],
    span: Span,
}

/// Returns the way to a startstate, if there are only rulesets around it.
fn path(item: &RuleItem, wanted: Span) -> Option<Path<'_>> {
    match item {
        RuleItem::Startstate { body, span, .. } => {
            (*span == wanted).then(|| Path { rulesets: Vec::new(), body, span: *span })
        }
        RuleItem::Ruleset(quantifiers, rules, span) => {
            let mut path = rules.iter().find_map(|rule| path(rule, wanted))?;
            path.rulesets.insert(0, (quantifiers, rules, *span));
            Some(path)
        }
        RuleItem::Rule { .. } | RuleItem::Property { .. } | RuleItem::Alias(..) | RuleItem::Choose(..) => None,
    }
}

/// Moves parameters into the startstate. It leaves all rulesets in which there is something else.
fn rewritten(text: &str, path: &Path<'_>, looped: &BTreeSet<Span>) -> Option<Vec<Replacement>> {
    let all: Vec<&Quantifier> = path.rulesets.iter().flat_map(|(quantifiers, ..)| *quantifiers).collect();
    let written = all.iter().map(|quantifier| Some((quantifier, quantifier_text(text, quantifier)?)));
    let written: Vec<(&&Quantifier, String)> = written.collect::<Option<_>>()?;
    let (loops, kept): (Vec<_>, Vec<_>) =
        written.into_iter().partition(|(quantifier, _)| looped.contains(&quantifier.name.span));
    let loops: Vec<String> = loops.into_iter().map(|(_, text)| text).collect();
    let outermost = path.rulesets.first()?.2;
    let mut new = with_loops(text, path, &loops, indentation(text, outermost.start))?;
    if !kept.is_empty() {
        let kept: Vec<String> = kept.into_iter().map(|(_, text)| text).collect();
        new = format!("ruleset {} do\n{new}\nendruleset", kept.join("; "));
    }
    let alone = path.rulesets.iter().rev().take_while(|(_, rules, _)| rules.len() == 1).count();
    let first_alone = path.rulesets.len() - alone;
    let old = path.rulesets.get(first_alone).map_or(path.span, |(_, _, span)| *span);
    if first_alone == 0 {
        return Some(vec![Replacement { span: old, text: new }]);
    }
    let before = Span { start: outermost.start, end: outermost.start };
    let indented = indentation(text, outermost.start);
    let inserted = Replacement { span: before, text: format!("{new};\n\n{indented}") };
    Some(vec![inserted, Replacement { span: with_its_lines(text, old), text: String::new() }])
}

fn quantifier_text(text: &str, quantifier: &Quantifier) -> Option<String> {
    let name = &quantifier.name.text;
    let of = |span: Span| {
        let part = &text[span.within(text)];
        // The place of an expression leaves out parentheses around it.
        (part.matches('(').count() == part.matches(')').count()).then_some(part)
    };
    Some(match &quantifier.over {
        Domain::Type(ty) => format!("{name} : {}", of(ty.span)?),
        Domain::Numbers(from, to, None) => format!("{name} := {} to {}", of(from.span)?, of(to.span)?),
        Domain::Numbers(from, to, Some(by)) => {
            format!("{name} := {} to {} by {}", of(from.span)?, of(to.span)?, of(by.span)?)
        }
    })
}

/// The startstate with loops around its statements, moved to a place with this indentation.
fn with_loops(text: &str, path: &Path<'_>, loops: &[String], indented: &str) -> Option<String> {
    let (whole, first) = (path.span.within(text), path.body.first()?.span.within(text).start);
    let closing = text[whole.clone()].rfind(|c: char| !c.is_ascii_alphabetic())? + 1 + whole.start;
    let own = indentation(text, path.span.start);
    let inner = if is_first(text, first) { &text[line_start(text, first)..first] } else { &format!("{own}  ") };
    let mut lines: Vec<String> = text[whole.start..first].trim_end().lines().map(str::to_owned).collect();
    let deeper = |depth: usize| format!("{inner}{}", "  ".repeat(depth));
    lines.extend(loops.iter().enumerate().map(|(depth, head)| format!("{}for {head} do", deeper(depth))));
    for (number, line) in text[first..closing].trim_end().lines().enumerate() {
        let start = if number == 0 { deeper(loops.len()) } else { "  ".repeat(loops.len()) };
        lines.push(if line.trim().is_empty() { String::new() } else { format!("{start}{line}") });
    }
    lines.extend((0..loops.len()).rev().map(|depth| format!("{}endfor;", deeper(depth))));
    lines.push(format!("{own}{}", &text[closing..whole.end]));
    let surplus = own.strip_prefix(indented).unwrap_or_default();
    let moved = lines.iter().map(|line| match line.strip_prefix(indented) {
        Some(rest) => format!("{indented}{}", rest.strip_prefix(surplus).unwrap_or(rest)),
        None => line.clone(),
    });
    Some(moved.collect::<Vec<_>>().join("\n"))
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |position| position + 1)
}

fn is_first(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].trim().is_empty()
}

/// The white space at the start of the line of a place.
fn indentation(text: &str, at: u32) -> &str {
    let at = Span { start: at, end: at }.within(text).start;
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Includes the semicolon that follows, and whole lines if there is nothing else in them.
fn with_its_lines(text: &str, span: Span) -> Span {
    let (mut start, mut end) = (span.within(text).start, span.within(text).end);
    let rest = text[end..].trim_start();
    if rest.starts_with(';') {
        end = text.len() - rest.len() + 1;
    }
    let line = text[end..].split_inclusive('\n').next().unwrap_or_default();
    if is_first(text, start) && line.trim().is_empty() {
        (start, end) = (line_start(text, start), end + line.len());
    }
    let offset = |at: usize, old: u32| u32::try_from(at).unwrap_or(old);
    Span { start: offset(start, span.start), end: offset(end, span.end) }
}
