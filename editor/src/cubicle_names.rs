//! The names of a model in Cubicle's language, from its words: declarations, and what is bound within each.

use std::collections::BTreeMap;

use system::front_end::Span;

use crate::names::{Entry, Kind, Names, Symbol, one_line};

/// Words that start a declaration, where they are outside of braces.
pub(crate) const STARTS: [&str; 10] =
    ["type", "var", "const", "array", "predicate", "init", "invariant", "unsafe", "transition", "number_procs"];

/// Words that bind the next name.
pub(crate) const BINDERS: [&str; 5] = ["forall_other", "exists_other", "forall", "exists", "let"];

/// A word, or a character that is none.
#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    span: Span,
}

impl Token<'_> {
    fn is_name(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_alphabetic())
    }
}

/// Finds the names of a text.
pub(crate) fn names(text: &str) -> Names {
    let tokens = tokens(text);
    let mut names = Names::default();
    let mut globals = BTreeMap::new();
    let items = items(&tokens);
    for item in &items {
        declare(text, item, &mut names, &mut globals);
    }
    for item in &items {
        resolve(item, &mut names, &globals);
    }
    names
}

/// The words and characters outside of comments, which may be nested.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut found, mut position, mut depth) = (Vec::new(), 0, 0_usize);
    while let Some(first) = text[position..].chars().next() {
        let rest = &text[position..];
        let length = match (rest.starts_with("(*"), rest.starts_with("*)"), depth) {
            (true, _, _) => {
                depth += 1;
                2
            }
            (_, true, 1..) => {
                depth -= 1;
                2
            }
            (false, _, 0) if first.is_ascii_alphabetic() => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            (false, _, _) => first.len_utf8(),
        };
        if depth == 0 && !first.is_whitespace() && !rest.starts_with("*)") {
            let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
            let span = Span { start: offset(position), end: offset(position + length) };
            found.push(Token { text: &rest[..length], span });
        }
        position += length;
    }
    found
}

/// The declarations, each from its first word up to the next.
fn items<'t, 'l>(tokens: &'l [Token<'t>]) -> Vec<&'l [Token<'t>]> {
    let (mut starts, mut depth) = (Vec::new(), 0_i64);
    for (position, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth = (depth - 1).max(0),
            word if depth == 0 && STARTS.contains(&word) => starts.push(position),
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
    starts.iter().zip(ends).map(|(start, end)| &tokens[*start..end]).collect()
}

fn declare(text: &str, item: &[Token<'_>], names: &mut Names, globals: &mut BTreeMap<String, usize>) {
    let (Some(first), Some(last)) = (item.first(), item.last()) else { return };
    let (whole, second) = (first.span.to(last.span), item.get(1));
    let kind = match first.text {
        "type" => Kind::Type,
        "const" => Kind::Constant,
        "var" | "array" => Kind::Variable,
        "predicate" => Kind::Function,
        "transition" => Kind::Rule,
        "init" => Kind::Startstate,
        "unsafe" | "invariant" => Kind::Property,
        _ => return,
    };
    let head = &text[whole.within(text)];
    let declaration = one_line(head.split('{').next().unwrap_or(head));
    let Some(name) = second.filter(|second| second.is_name()) else {
        names.outline.push(Entry { name: first.text.to_owned(), kind, place: first.span, whole });
        return;
    };
    names.outline.push(Entry { name: name.text.to_owned(), kind, place: name.span, whole });
    let mut symbol = |token: &Token<'_>, kind| {
        let declaration = declaration.clone();
        let symbol = Symbol { name: token.text.to_owned(), kind, place: token.span, declaration };
        globals.insert(token.text.to_owned(), names.declare(symbol));
    };
    symbol(name, kind);
    if kind == Kind::Type {
        item.iter().skip(2).filter(|token| token.is_name()).for_each(|value| symbol(value, Kind::Value));
    }
}

/// Finds what each word of a declaration means.
fn resolve(item: &[Token<'_>], names: &mut Names, globals: &BTreeMap<String, usize>) {
    let binds_parameters = item.first().is_some_and(|first| !["type", "var", "const", "array"].contains(&first.text));
    let mut locals: BTreeMap<&str, usize> = BTreeMap::new();
    // Parameters are in the first parentheses, in front of any brace.
    let opening = item.iter().position(|token| ["(", "{"].contains(&token.text));
    let opening = opening.filter(|at| binds_parameters && item[*at].text == "(");
    let closing = opening.and_then(|at| item[at..].iter().position(|token| token.text == ")").map(|end| at + end));
    let parameters = opening.zip(closing).map_or(0..0, |(start, end)| start..end);
    for (position, token) in item.iter().enumerate().skip(1).filter(|(_, token)| token.is_name()) {
        let is_bound = parameters.contains(&position) || BINDERS.contains(&item[position - 1].text);
        if is_bound {
            let declaration = format!("{} in {}", token.text, item[0].text);
            let symbol = Symbol { name: token.text.to_owned(), kind: Kind::Local, place: token.span, declaration };
            let number = names.declare(symbol);
            names.locals.insert(number, Span { start: token.span.start, end: item[item.len() - 1].span.end });
            locals.insert(token.text, number);
        } else if let Some(symbol) = locals.get(token.text).or_else(|| globals.get(token.text)) {
            names.used(token.span, *symbol);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "type t = A | B (* z (* B *) *)
array X[proc] : t
var Y : proc
unsafe (z) { X[z] = B && Y = z }
transition go (z)
requires { X[z] = A && forall_other w. X[w] = A }
{ X[z] := B; Y := z; }
";

    fn lines(at: &str) -> Vec<usize> {
        let names = names(TEXT);
        let (_, symbol) = names.at(u32::try_from(TEXT.find(at).unwrap()).unwrap()).unwrap();
        names.places(symbol).map(|place| TEXT[..=place.start as usize].lines().count()).collect()
    }

    #[test]
    fn names_are_found_in_their_declarations() {
        assert_eq!(lines("B"), [1, 4, 7]);
        assert_eq!(lines("X"), [2, 4, 6, 6, 7]);
        assert_eq!(lines("z) { X"), [4, 4, 4]);
        assert_eq!(lines("z)\n"), [5, 6, 7, 7]);
        assert_eq!(lines("w."), [6, 6]);
        assert_eq!(lines("t = A"), [1, 2]);
    }

    #[test]
    fn the_outline_has_all_declarations() {
        let outline = names(TEXT).outline;
        let outline: Vec<&str> = outline.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(outline, ["t", "X", "Y", "unsafe", "go"]);
        assert!(names("type (* \u{e9}").outline.len() == 1 && names("} } type").outline.len() == 1);
    }
}
