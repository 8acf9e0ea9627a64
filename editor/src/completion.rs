//! What can be written at a place: fields behind a `.`, and otherwise names and keywords.
//!
//! What is being typed is no part of a model yet. So names are those of the text with a number in its place, which can be read
//! wherever a value can. Behind `=`, `!=` and `:=`, the values of the enumeration on the left come first.

use lsp_types::{CompletionItem, CompletionItemKind};
use system::front_end::Span;

use crate::lines::number;
use crate::names::{Kind, Names};
use crate::{Language, cubicle_names, murphi_names};

/// Words of Cubicle's language besides those that start a declaration or bind a name.
const CUBICLE: [&str; 9] = ["requires", "case", "proc", "bool", "int", "real", "True", "False", "Random"];

/// What can be written at an offset, the likeliest first.
pub(crate) fn completions(language: Language, text: &str, offset: usize) -> Vec<CompletionItem> {
    let before = &text[..offset];
    if is_no_code(language, before) {
        return Vec::new();
    }
    let prefix = before.len() - before.trim_end_matches(is_of_name).len();
    let start = offset - prefix;
    if text[start..].starts_with(|first: char| first.is_ascii_digit()) {
        return Vec::new();
    }
    let dot = text[..start].trim_end().strip_suffix('.').filter(|rest| !rest.ends_with('.'));
    let path = dot.map(|rest| path_before(rest)).filter(|path| !path.names.is_empty());
    let from = path.as_ref().map_or(start, |path| path.start);
    let rest = text[offset..].find(|c: char| !is_of_name(c)).map_or(text.len(), |end| offset + end);
    let readable = format!("{}0{}{}", &text[..from], " ".repeat((rest - from).saturating_sub(1)), &text[rest..]);
    let names = match language {
        Language::Murphi => murphi_names::names(&readable),
        Language::Cubicle => cubicle_names::names(&readable),
    };
    match (path, dot) {
        (Some(path), _) => fields(&names, &path, number(from)),
        (None, Some(_)) => Vec::new(),
        (None, None) => all(language, &names, &text[..start]),
    }
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Whether what follows a text is in a comment or a string.
fn is_no_code(language: Language, before: &str) -> bool {
    asides(language, before).last().is_some_and(|aside| !aside.is_closed)
}

/// A comment or a string.
struct Aside {
    start: usize,
    end: usize,
    is_comment: bool,
    is_closed: bool,
}

/// The comments and strings of a text.
fn asides(language: Language, text: &str) -> Vec<Aside> {
    let mut found = Vec::new();
    let mut position = 0;
    while let Some(first) = text[position..].chars().next() {
        let rest = &text[position..];
        let of_murphi = language == Language::Murphi;
        let (is_comment, length) = if of_murphi && rest.starts_with("--") {
            (true, rest.find('\n'))
        } else if of_murphi && rest.starts_with("/*") {
            (true, rest.find("*/").map(|end| end + 2))
        } else if of_murphi && first == '"' {
            (false, rest[1..].find(['"', '\n']).map(|end| end + 2))
        } else if !of_murphi && rest.starts_with("(*") {
            (true, nested(rest))
        } else {
            position += first.len_utf8();
            continue;
        };
        let end = length.map_or(text.len(), |length| position + length);
        found.push(Aside { start: position, end, is_comment, is_closed: length.is_some() });
        position = end;
    }
    found
}

/// The length of a comment of Cubicle's language, which may have comments in it.
fn nested(text: &str) -> Option<usize> {
    let (mut depth, mut position) = (0_usize, 0);
    loop {
        let next = text[position..].find(['(', '*'])?;
        position += next;
        let rest = &text[position..];
        if rest.starts_with("(*") {
            depth += 1;
            position += 2;
        } else if rest.starts_with("*)") {
            depth -= 1;
            position += 2;
            if depth == 0 {
                return Some(position);
            }
        } else {
            position += 1;
        }
    }
}

/// A place such as `a[i].b`: the names from the left, without indices.
struct Path<'t> {
    names: Vec<&'t str>,
    start: usize,
}

/// The place at the end of a text.
fn path_before(text: &str) -> Path<'_> {
    let mut path = Path { names: Vec::new(), start: text.len() };
    let mut rest = text.trim_end();
    loop {
        while let Some(open) = opening(rest) {
            rest = rest[..open].trim_end();
        }
        let name = &rest[rest.trim_end_matches(is_of_name).len()..];
        if name.is_empty() {
            return Path { names: Vec::new(), start: text.len() };
        }
        path.names.insert(0, name);
        path.start = rest.len() - name.len();
        let before = rest[..path.start].trim_end();
        match before.strip_suffix('.').filter(|before| !before.ends_with('.')) {
            Some(before) => rest = before.trim_end(),
            None => return path,
        }
    }
}

/// Where the bracket opens that closes at the end of a text.
fn opening(text: &str) -> Option<usize> {
    if !text.ends_with([']', ')']) {
        return None;
    }
    let mut depth = 0_usize;
    for (at, character) in text.char_indices().rev() {
        match character {
            ']' | ')' => depth += 1,
            '[' | '(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The symbol that a place denotes at an offset: a variable, or a field.
fn symbol(names: &Names, path: &Path<'_>, offset: u32) -> Option<usize> {
    let (first, others) = path.names.split_first()?;
    let root = *names.visible(offset).get(first)?;
    others.iter().try_fold(root, |of, name| names.member(of, name))
}

fn fields(names: &Names, path: &Path<'_>, offset: u32) -> Vec<CompletionItem> {
    let of = symbol(names, path, offset);
    let members = of.and_then(|of| names.members.get(&of)).into_iter().flatten();
    let fields = members.filter(|member| names.symbols[**member].kind == Kind::Field);
    fields.enumerate().map(|(position, field)| item(names, *field, &format!("{position:04}"))).collect()
}

/// All names at the end of a text, and all keywords.
fn all(language: Language, names: &Names, before: &str) -> Vec<CompletionItem> {
    let offset = number(before.len());
    let expected = expected(names, before, offset);
    let rank = |symbol: usize| match names.symbols[symbol].kind {
        _ if expected.contains(&symbol) => "0",
        Kind::Local => "1",
        Kind::Variable => "2",
        Kind::Value | Kind::Constant => "3",
        Kind::Function | Kind::Type => "4",
        Kind::Field | Kind::Rule | Kind::Startstate | Kind::Property => "5",
    };
    let mut items: Vec<CompletionItem> = names
        .visible(offset)
        .into_iter()
        .map(|(name, symbol)| item(names, symbol, &format!("{}{name}", rank(symbol))))
        .collect();
    let cubicle = cubicle_names::STARTS.iter().chain(&cubicle_names::BINDERS).chain(&CUBICLE);
    let words: Vec<&str> = match language {
        Language::Murphi => murphi::syntax::KEYWORDS.iter().chain(&["boolean", "true", "false"]).copied().collect(),
        Language::Cubicle => cubicle.copied().collect(),
    };
    items.extend(words.into_iter().map(|word| CompletionItem {
        label: word.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        sort_text: Some(format!("9{word}")),
        ..CompletionItem::default()
    }));
    items
}

/// The values of what is on the left of a comparison or an assignment at the end of a text.
fn expected(names: &Names, before: &str, offset: u32) -> Vec<usize> {
    let before = before.trim_end();
    let left = [":=", "!=", "="].iter().find_map(|operator| before.strip_suffix(operator));
    let Some(left) = left.filter(|left| !left.ends_with(['<', '>'])) else { return Vec::new() };
    let place = path_before(left);
    let members = symbol(names, &place, offset).and_then(|of| names.members.get(&of)).cloned().unwrap_or_default();
    members.into_iter().filter(|member| names.symbols[*member].kind == Kind::Value).collect()
}

fn item(names: &Names, symbol: usize, sort: &str) -> CompletionItem {
    let symbol = &names.symbols[symbol];
    let kind = match symbol.kind {
        Kind::Constant => CompletionItemKind::CONSTANT,
        Kind::Type => CompletionItemKind::ENUM,
        Kind::Value => CompletionItemKind::ENUM_MEMBER,
        Kind::Field => CompletionItemKind::FIELD,
        Kind::Variable | Kind::Local => CompletionItemKind::VARIABLE,
        Kind::Function => CompletionItemKind::FUNCTION,
        Kind::Rule | Kind::Startstate | Kind::Property => CompletionItemKind::EVENT,
    };
    CompletionItem {
        label: symbol.name.clone(),
        kind: Some(kind),
        detail: Some(symbol.declaration.clone()),
        sort_text: Some(sort.to_owned()),
        ..CompletionItem::default()
    }
}

/// The comments. Those that follow each other with nothing but space between them are one.
pub(crate) fn comments(language: Language, text: &str) -> Vec<Span> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for Aside { start, end, .. } in asides(language, text).into_iter().filter(|aside| aside.is_comment) {
        match found.last_mut() {
            // What stands behind code is about that line alone.
            Some((_, last)) if text[*last..start].trim().is_empty() && begins_a_line(text, start) => *last = end,
            Some(_) | None => found.push((start, end)),
        }
    }
    found.into_iter().map(|(start, end)| Span { start: number(start), end: number(end) }).collect()
}

fn begins_a_line(text: &str, at: usize) -> bool {
    text[..at].rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "type NODE : scalarset(2); CMD : enum { Get, Give };
  MSG : record cmd : CMD; to_node : NODE; end; CELL : record msg : MSG; busy : boolean; end;
var cells : array [NODE] of CELL; last : CMD; -- last.
ruleset n : NODE do alias c : cells[n] do
rule \"go\" c.busy & GUARD ==> c.busy := false; BODY; end;
end; end;
startstate for s : NODE do cells[s].busy := true; end; last := Get; end;
invariant \"x\" forall m : NODE do cells[m].busy end;
";

    /// The labels where `|` is in what replaces a word, in their order.
    fn labels(word: &str, typed: &str) -> Vec<String> {
        let other = if word == "GUARD" { ("BODY", "last := Get") } else { ("GUARD", "true") };
        let text = TEXT.replace(other.0, other.1).replace(word, typed);
        let offset = text.find('|').unwrap();
        let mut items = completions(Language::Murphi, &text.replacen('|', "", 1), offset);
        items.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
        items.into_iter().map(|item| item.label).collect()
    }

    #[test]
    fn fields_are_those_of_the_record() {
        for word in ["GUARD", "BODY"] {
            assert_eq!(labels(word, "cells[n].|"), ["msg", "busy"], "{word}");
            assert_eq!(labels(word, "c.msg.|"), ["cmd", "to_node"], "{word}");
            assert_eq!(labels(word, "cells[c.msg.to_node] . msg . c|"), ["cmd", "to_node"], "{word}");
            assert!(labels(word, "last.|").is_empty() && labels(word, "nothing.|").is_empty());
        }
        assert_eq!(labels("BODY", "last := cells[n].msg.|"), ["cmd", "to_node"]);
    }

    #[test]
    fn names_are_those_of_the_place_and_values_come_first() {
        for word in ["GUARD", "BODY"] {
            let found = labels(word, "|");
            let has = |name: &str| found.iter().any(|label| label == name);
            assert!(
                ["n", "c", "cells", "last", "Get", "NODE", "CMD", "forall", "true"].into_iter().all(has),
                "{found:?}"
            );
            assert!(!["s", "m", "busy", "cmd", "go", "x"].into_iter().any(has), "{found:?}");
            assert_eq!(found[..2], ["c", "n"]);
        }
        assert_eq!(labels("BODY", "last := |")[..2], ["Get", "Give"]);
        assert_eq!(labels("GUARD", "c.msg.cmd = G|")[..2], ["Get", "Give"]);
        assert_eq!(labels("GUARD", "c.msg.cmd != |")[..2], ["Get", "Give"]);
        assert_ne!(labels("GUARD", "c.busy = |")[..2], ["Get", "Give"]);
    }

    #[test]
    fn comments_strings_and_numbers_complete_to_nothing() {
        for text in ["-- x|", "/* -- */ /* x|", "put \"x|", "1|", "x := 0..|"] {
            let offset = text.find('|').unwrap();
            let found = completions(Language::Murphi, &text[..offset], offset);
            let names = found.iter().filter(|item| item.kind != Some(CompletionItemKind::KEYWORD));
            assert_eq!(names.count(), 0, "{text}");
            assert!(found.is_empty() || text.ends_with("..|"), "{text}");
        }
        for text in ["", ".", "\u{e9}.", "]", "a].", "((.", "x\u{e9}"] {
            completions(Language::Murphi, text, text.len());
            completions(Language::Cubicle, text, text.len());
        }
    }

    #[test]
    fn cubicle_has_names_of_its_declarations() {
        let text = "type t = A | B (* Z *)\narray X[proc] : t\ntransition go (z)\nrequires { X[z] = }\n{ X[z] := B; }\nunsafe (y) { X[y] = B }\n";
        let offset = text.find("= }").unwrap() + 2;
        let found = completions(Language::Cubicle, text, offset);
        let has = |name: &str| found.iter().any(|item| item.label == name);
        assert!(["A", "B", "X", "z", "requires"].into_iter().all(has) && !["y", "Z", "go"].into_iter().any(has));
    }

    #[test]
    fn comments_over_several_lines_are_found() {
        let of = |language, text: &'static str| -> Vec<&str> {
            comments(language, text).into_iter().map(|span| &text[span.within(text)]).collect()
        };
        let text = "-- a\n  -- b\nvar x : boolean; -- c\n/* d\ne */ var y : boolean; put \"-- f\";\n";
        assert_eq!(of(Language::Murphi, text), ["-- a\n  -- b", "-- c\n/* d\ne */"]);
        assert_eq!(of(Language::Cubicle, "(* a (* c *)\nb *)\nvar X : bool\n(* d"), ["(* a (* c *)\nb *)", "(* d"]);
    }
}
