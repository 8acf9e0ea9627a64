//! Diagnostics for people, with excerpts of the source, and for programs, as one JSON object per line.
//!
//! It must not change what a finding says.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use serde_json::{Value, json};
use system::front_end::{Diagnostic, Place, Severity, Span, excerpt, line_column};

use crate::arguments::ErrorFormat;
use crate::{files, terminal};

/// The most findings that are shown; the first ones should be repaired first.
const SHOWN: usize = 50;

/// An excerpt of more bytes than this is not shown.
const LONGEST: usize = 64 << 10;

/// A model's text with the name under which its findings are shown.
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

/// Writes findings to standard error.
pub(crate) fn report(diagnostics: &[Diagnostic], source: &Source<'_>, format: ErrorFormat) {
    match format {
        ErrorFormat::Json => {
            for diagnostic in diagnostics {
                terminal::note(&json_object(diagnostic, source).to_string());
            }
        }
        ErrorFormat::Text => {
            for diagnostic in diagnostics.iter().take(SHOWN) {
                terminal::note(&text(diagnostic, source, &Renderer::styled()));
                terminal::note("");
            }
            if let Some(more) = diagnostics.len().checked_sub(SHOWN).filter(|more| *more > 0) {
                terminal::note(&format!("{}: {more} more findings are not shown", source.name));
            }
        }
    }
}

/// A finding with an excerpt of the source.
fn text(diagnostic: &Diagnostic, source: &Source<'_>, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = files::one_line(&diagnostic.message);
    let mut group = Group::with_title(level.primary_title(message.as_str()).id(diagnostic.code));
    let spans: Vec<Range<usize>> = diagnostic.labels.iter().map(|label| label.span.within(source.text)).collect();
    let lines = excerpt(source.text, &spans);
    if let (Some(lines), Some(span)) = (lines.as_ref().filter(|lines| lines.len() > LONGEST), spans.first()) {
        // This is more than anyone reads, and takes long to lay out.
        let (line, column) = line_column(source.text, u32::try_from(span.start.max(lines.start)).unwrap_or(u32::MAX));
        let number = |number: u32| usize::try_from(number).unwrap_or(1);
        group = group.element(Origin::path(source.name).line(number(line)).char_column(number(column)));
    }
    if let Some(excerpt) = lines.filter(|lines| lines.len() <= LONGEST) {
        let labels = diagnostic.labels.iter().zip(&spans).enumerate();
        let offset = excerpt.start;
        let annotations = labels.map(|(position, (label, span))| {
            let kind = if position == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(span.start - offset..span.end - offset);
            if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
        });
        let (line, _) = line_column(source.text, u32::try_from(excerpt.start).unwrap_or(u32::MAX));
        let snippet = Snippet::source(&source.text[excerpt])
            .line_start(usize::try_from(line).unwrap_or(1))
            .path(source.name)
            .annotations(annotations);
        group = group.element(snippet);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let mut groups = vec![group];
    groups.extend(proposal(diagnostic, source));
    renderer.clone().decor_style(DecorStyle::Ascii).render(&groups)
}

/// What to write instead, where a finding says that.
fn proposal<'a>(diagnostic: &'a Diagnostic, source: &'a Source<'_>) -> Option<Group<'a>> {
    let ranges: Vec<Range<usize>> = diagnostic.replacements.iter().map(|part| part.span.within(source.text)).collect();
    let lines = excerpt(source.text, &ranges).filter(|lines| lines.len() <= LONGEST)?;
    let offset = lines.start;
    let patches = diagnostic.replacements.iter().zip(ranges);
    let patches = patches.map(|(part, range)| Patch::new(range.start - offset..range.end - offset, part.text.as_str()));
    let (line, _) = line_column(source.text, u32::try_from(offset).unwrap_or(u32::MAX));
    let snippet = Snippet::source(&source.text[lines])
        .line_start(usize::try_from(line).unwrap_or(1))
        .path(source.name)
        .patches(patches);
    Some(Group::with_title(Level::HELP.secondary_title("write instead (`paraproof lint --fix` does)")).element(snippet))
}

/// A finding as an object.
pub(crate) fn json_object(diagnostic: &Diagnostic, source: &Source<'_>) -> Value {
    let placed = |span: Span, text: &str| {
        let Place { line, column, end_line, end_column } = Place::of(source.text, span);
        json!({
            "start": span.start,
            "end": span.end,
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
            "text": text,
        })
    };
    let labels = diagnostic.labels.iter().map(|label| placed(label.span, &label.text));
    let main = diagnostic.labels.first().map(|label| line_column(source.text, label.span.start));
    let replacements = diagnostic.replacements.iter().map(|part| placed(part.span, &part.text));
    json!({
        "file": source.name,
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "line": main.map(|(line, _)| line),
        "column": main.map(|(_, column)| column),
        "labels": labels.collect::<Vec<_>>(),
        "help": diagnostic.help,
        "replacements": replacements.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "-- caf\u{e9}\nvar x : boolean;\nrule x ==> y := true; end;\n";

    fn source() -> Source<'static> {
        Source { name: "model.m", text: TEXT }
    }

    fn span(part: &str) -> Span {
        let start = u32::try_from(TEXT.find(part).unwrap()).unwrap();
        Span { start, end: start + u32::try_from(part.len()).unwrap() }
    }

    #[test]
    fn the_place_is_shown_and_marked() {
        let diagnostic = Diagnostic::error("E100", span("y"), "unknown name `y`")
            .with_label(span("x : boolean"), "did you mean this?")
            .with_help("declare it");
        let expected = "\
error[E100]: unknown name `y`
 --> model.m:3:12
  |
2 | var x : boolean;
  |     ----------- did you mean this?
3 | rule x ==> y := true; end;
  |            ^
  |
  = help: declare it";
        assert_eq!(text(&diagnostic, &source(), &Renderer::plain()), expected);
        let object = json_object(&diagnostic, &source());
        assert_eq!((object["line"].as_u64(), object["column"].as_u64()), (Some(3), Some(12)));
        assert_eq!(object["labels"][1]["text"], "did you mean this?");
    }

    #[test]
    fn no_span_makes_it_fail() {
        for (start, end) in [(0, 0), (6, 7), (7, 6), (900, 4_000_000_000), (0, 900), (u32::MAX, 0)] {
            let diagnostic = Diagnostic::warning("W1", Span { start, end }, "two\nlines");
            assert!(text(&diagnostic, &source(), &Renderer::plain()).contains("model.m"), "{start}..{end}");
            json_object(&diagnostic, &source());
        }
        let empty = Source { name: "empty", text: "" };
        assert!(
            text(&Diagnostic::error("E1", Span { start: 0, end: 0 }, "nothing"), &empty, &Renderer::plain())
                .contains("nothing")
        );
        let mut nowhere = Diagnostic::error("E1", Span::default(), "nowhere");
        nowhere.labels.clear();
        assert!(text(&nowhere, &source(), &Renderer::plain()).contains("nowhere"));
    }
}
