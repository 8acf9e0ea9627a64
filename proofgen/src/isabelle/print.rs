//! Renders terms: parentheses by precedence, lines fitted to a width.
//!
//! The result is text of Isabelle's inner syntax. Only this module turns logic into text; it must not simplify or
//! reorder anything. The layout is Wadler's ("A prettier printer", 2003), from the crate `pretty`; the priorities
//! follow the grammar of Isabelle's theory `HOL`.

use pretty::RcDoc;

use super::term::{Associativity, Binder, Infix, Term};

/// The greatest width of a line, in characters as Isabelle shows them.
pub const WIDTH: usize = 100;

/// Renders a term as inner syntax, without quotes around it. The first line starts `used` characters from the left, and
/// all other lines are indented by `indent`.
#[must_use]
pub fn term(term: &Term, used: usize, indent: usize) -> String {
    let width = WIDTH.saturating_sub(indent);
    // The layout engine has only one left margin: a blank prefix stands for what is already on the first line.
    let first = used.saturating_sub(indent);
    let shifted = RcDoc::<()>::text(" ".repeat(first)).append(document(term, 0).group());
    let mut text = String::new();
    for (number, line) in shifted.pretty(width).to_string().lines().enumerate() {
        if number == 0 {
            text.push_str(line.get(first..).unwrap_or_default());
        } else {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            text.push_str(line.trim_end());
        }
    }
    encode(&text)
}

/// Writes the symbols in Isabelle's own ASCII notation, which every release and every encoding understands.
#[must_use]
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for character in text.chars() {
        let is_it = |(symbol, _): &&(char, &str)| *symbol == character;
        match (!character.is_ascii()).then(|| SYMBOLS.iter().find(is_it)).flatten() {
            Some((_, name)) => encoded.push_str(name),
            None => encoded.push(character),
        }
    }
    encoded
}

/// Returns how many characters Isabelle shows for a line of encoded text.
#[must_use]
pub fn width(encoded: &str) -> usize {
    let mut rest = encoded;
    let mut width = 0;
    while let Some(character) = rest.chars().next() {
        let symbol = rest.strip_prefix(r"\<").and_then(|inner| inner.find('>')).map(|end| end + 3);
        rest = rest.get(symbol.unwrap_or(character.len_utf8())..).unwrap_or_default();
        width += 1;
    }
    width
}

const SYMBOLS: &[(char, &str)] = &[
    ('⋀', r"\<And>"),
    ('⟹', r"\<Longrightarrow>"),
    ('⟶', r"\<longrightarrow>"),
    ('⟷', r"\<longleftrightarrow>"),
    ('⇒', r"\<Rightarrow>"),
    ('×', r"\<times>"),
    ('∨', r"\<or>"),
    ('∧', r"\<and>"),
    ('¬', r"\<not>"),
    ('≠', r"\<noteq>"),
    ('≤', r"\<le>"),
    ('∈', r"\<in>"),
    ('∪', r"\<union>"),
    ('∀', r"\<forall>"),
    ('∃', r"\<exists>"),
    ('λ', r"\<lambda>"),
    ('‹', r"\<open>"),
    ('›', r"\<close>"),
    ('⋀', r"\<And>"),
    ('⟦', r"\<lbrakk>"),
    ('⟧', r"\<rbrakk>"),
    ('≡', r"\<equiv>"),
    ('∙', r"\<bullet>"),
];

/// The priority of an atom.
const ATOM: u32 = 1000;

/// Returns the document of a term at a place that accepts terms of at least the given priority.
fn document(term: &Term, least: u32) -> RcDoc<'static> {
    let (priority, document) = match term {
        Term::Name(name) => (ATOM, RcDoc::text(name.clone())),
        Term::Number(number) => (ATOM, RcDoc::text(number.to_string())),
        Term::Negative(number) => (80, RcDoc::text(format!("- {number}"))),
        Term::Apply(function, arguments) => (999, application(function, arguments)),
        Term::Infix(operator, left, right) => (operator.precedence(), infix(*operator, left, right)),
        Term::Not(inner) => (40, RcDoc::text("¬ ").append(document(inner, 40))),
        Term::If(condition, yes, no) => (10, conditional(condition, yes, no)),
        Term::Bind(binder, variables, body) => {
            (binder_priority(*binder), bound(*binder, RcDoc::text(variables.join(" ")), body))
        }
        Term::BindIn(binder, variable, set, body) => {
            let range = RcDoc::text(variable.clone()).append(" ∈ ").append(document(set, 51));
            (binder_priority(*binder), bound(*binder, range, body))
        }
        Term::List(elements) => (ATOM, enclosed("[", sequence(elements), "]")),
        Term::Set(elements) => (ATOM, enclosed("{", sequence(elements), "}")),
        Term::Comprehension(element, variables, condition) => (ATOM, comprehension(element, variables, condition)),
        Term::Interval(low, high) => {
            let ends = document(low, 0).append("..").append(document(high, 0));
            (ATOM, RcDoc::text("{").append(ends).append("}"))
        }
        Term::Pair(left, right) => {
            let parts = document(left, 0).append(",").append(RcDoc::line()).append(document(right, 0));
            (ATOM, enclosed("(", parts, ")"))
        }
    };
    if priority < least { enclosed("(", document, ")") } else { document }
}

/// A quantifier extends as far to the right as possible, and gets parentheses as an operand on either side: the grammar
/// is clear about `a ∧ ∀x. b ∧ c`, but readers are not.
fn binder_priority(binder: Binder) -> u32 {
    match binder {
        Binder::Forall | Binder::Exists => 10,
        Binder::Lambda => 3,
        Binder::All => 0,
    }
}

fn application(function: &Term, arguments: &[Term]) -> RcDoc<'static> {
    let arguments = arguments.iter().map(|argument| RcDoc::line().append(document(argument, ATOM)));
    document(function, 999).append(RcDoc::concat(arguments).nest(2)).group()
}

fn infix(operator: Infix, left: &Term, right: &Term) -> RcDoc<'static> {
    let priority = operator.precedence();
    let (for_left, for_right) = match operator.associativity() {
        Associativity::Left => (priority, priority + 1),
        Associativity::Right => (priority + 1, priority),
        Associativity::Neither => (priority + 1, priority + 1),
    };
    // A chain of one operator breaks everywhere or nowhere, so the operand that continues it has no group of its own.
    let operand = |term: &Term, least: u32| {
        let continues = matches!(term, Term::Infix(inner, _, _) if *inner == operator);
        let document = document(term, least);
        if continues { document } else { document.group() }
    };
    operand(left, for_left).append(" ").append(operator.token()).append(RcDoc::line()).append(operand(right, for_right))
}

fn conditional(condition: &Term, yes: &Term, no: &Term) -> RcDoc<'static> {
    RcDoc::text("if ")
        .append(document(condition, 0).nest(3).group())
        .append(RcDoc::line())
        .append("then ")
        .append(document(yes, 0).nest(5).group())
        .append(RcDoc::line())
        .append("else ")
        .append(document(no, 10).nest(5).group())
        .group()
}

fn bound(binder: Binder, variables: RcDoc<'static>, body: &Term) -> RcDoc<'static> {
    let least = match binder {
        Binder::Forall | Binder::Exists => 10,
        Binder::Lambda => 3,
        Binder::All => 0,
    };
    RcDoc::text(binder.token())
        .append(variables)
        .append(".")
        .append(RcDoc::line().append(document(body, least)).nest(2))
        .group()
}

fn comprehension(element: &Term, variables: &[String], condition: &Term) -> RcDoc<'static> {
    let condition = RcDoc::text("| ")
        .append(RcDoc::text(variables.join(" ")))
        .append(". ")
        .append(document(condition, 0).nest(2).group());
    enclosed("{", document(element, 0).append(RcDoc::line()).append(condition), "}")
}

fn sequence(elements: &[Term]) -> RcDoc<'static> {
    let separator = RcDoc::text(",").append(RcDoc::line());
    RcDoc::intersperse(elements.iter().map(|element| document(element, 0).group()), separator)
}

fn enclosed(open: &'static str, inner: RcDoc<'static>, close: &'static str) -> RcDoc<'static> {
    RcDoc::text(open).append(inner.nest(1)).append(close).group()
}
