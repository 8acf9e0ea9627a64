//! Prints a tree as text that parses to the same tree, apart from places.
//!
//! Operands that are themselves operators are put in parentheses; comments are not preserved.

use super::tree::{
    Assigned, Assignment, Claim, Formula, FormulaKind, Item, Name, Quantifier, Relation, Term, TermKind, Transition,
};

/// Returns the text of a model.
#[must_use]
pub fn print(items: &[Item]) -> String {
    items.iter().map(|item| self::item(item) + "\n").collect()
}

fn item(item: &Item) -> String {
    match item {
        Item::Processes(_) => "number_procs 1".to_owned(),
        Item::Type { name, values: None } => format!("type {}", name.text),
        Item::Type { name, values: Some(values) } => format!("type {} = {}", name.text, list(values, " | ")),
        Item::Variable(own) if !own.dimensions.is_empty() => {
            format!("array {}[{}] : {}", own.name.text, list(&own.dimensions, ", "), own.ty.text)
        }
        Item::Variable(own) => {
            let keyword = if own.is_constant { "const" } else { "var" };
            format!("{keyword} {} : {}", own.name.text, own.ty.text)
        }
        Item::Predicate(own) => {
            format!("predicate {}({}) {{ {} }}", own.name.text, list(&own.parameters, ", "), formula(&own.body))
        }
        Item::Init(own) => claim("init", own),
        Item::Invariant(own) => claim("invariant", own),
        Item::Unsafe(own) => claim("unsafe", own),
        Item::Transition(own) => transition(own),
    }
}

fn list(names: &[Name], separator: &str) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(separator)
}

fn claim(keyword: &str, own: &Claim) -> String {
    format!("{keyword} ({}) {{ {} }}", list(&own.parameters, " "), formula(&own.formula))
}

fn transition(own: &Transition) -> String {
    let guard = own.guard.as_ref().map_or(String::new(), |guard| format!(" requires {{ {} }}", formula(guard)));
    let lets: String =
        own.lets.iter().map(|(name, value)| format!("let {} = {} in ", name.text, term(value))).collect();
    let assignments: Vec<String> = own.assignments.iter().map(assignment).collect();
    let parameters = list(&own.parameters, " ");
    format!("transition {} ({parameters}){guard} {{ {lets}{} }}", own.name.text, assignments.join("; "))
}

fn assignment(own: &Assignment) -> String {
    let value = match &own.value {
        Assigned::Term(value) => term(value),
        Assigned::Any => ".".to_owned(),
        Assigned::Case(cases) => {
            let case = |(condition, value): &(Option<Formula>, Term)| {
                let condition = condition.as_ref().map_or("_".to_owned(), formula);
                format!(" | {condition} : {}", term(value))
            };
            format!("case{}", cases.iter().map(case).collect::<String>())
        }
    };
    format!("{} := {value}", access(&own.target.text, &own.indices))
}

fn access(array: &str, indices: &[Name]) -> String {
    if indices.is_empty() { array.to_owned() } else { format!("{array}[{}]", list(indices, ", ")) }
}

fn formula(own: &Formula) -> String {
    let joined = |parts: &[Formula], sign: &str| parts.iter().map(operand).collect::<Vec<_>>().join(sign);
    match &own.kind {
        FormulaKind::Constant(truth) => truth.to_string(),
        FormulaKind::Compare(left, relation, right) => format!("{} {} {}", term(left), sign(*relation), term(right)),
        FormulaKind::Not(inner) => format!("not {}", operand(inner)),
        FormulaKind::And(parts) => joined(parts, " && "),
        FormulaKind::Or(parts) => joined(parts, " || "),
        FormulaKind::Implies(left, right) => format!("{} => {}", operand(left), operand(right)),
        FormulaKind::Equivalent(left, right) => format!("{} <=> {}", operand(left), operand(right)),
        FormulaKind::If(condition, then, otherwise) => {
            format!("if {} then {} else {}", operand(condition), operand(then), operand(otherwise))
        }
        FormulaKind::Quantified(quantifier, names, body) => {
            format!("{} {}. {}", keyword(*quantifier), list(names, " <> "), operand(body))
        }
        FormulaKind::Call(name, arguments) => {
            format!("{}({})", name.text, arguments.iter().map(formula).collect::<Vec<_>>().join(", "))
        }
        FormulaKind::Term(own) => term(own),
    }
}

/// Prints a formula as an operand: in parentheses if it is an operator or a quantifier.
fn operand(own: &Formula) -> String {
    let text = formula(own);
    match own.kind {
        FormulaKind::Constant(_) | FormulaKind::Compare(..) | FormulaKind::Call(..) | FormulaKind::Term(_) => text,
        FormulaKind::Not(_)
        | FormulaKind::And(_)
        | FormulaKind::Or(_)
        | FormulaKind::Implies(..)
        | FormulaKind::Equivalent(..)
        | FormulaKind::If(..)
        | FormulaKind::Quantified(..) => format!("({text})"),
    }
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "=",
        Relation::Different => "<>",
        Relation::Less => "<",
        Relation::LessEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterEqual => ">=",
    }
}

fn keyword(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
        Quantifier::ForallOther => "forall_other",
        Quantifier::ExistsOther => "exists_other",
    }
}

fn term(own: &Term) -> String {
    match &own.kind {
        TermKind::Name(name) | TermKind::Number(name) => name.clone(),
        TermKind::Access(array, indices) => access(&array.text, indices),
        TermKind::Sum(summands) => {
            let mut text = String::new();
            for (position, summand) in summands.iter().enumerate() {
                text.push_str(match (position, summand.is_negative) {
                    (0, false) => "",
                    (0, true) => "- ",
                    (_, false) => " + ",
                    (_, true) => " - ",
                });
                text.push_str(&summand.factors.iter().map(term).collect::<Vec<_>>().join(" * "));
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::parse;

    /// Prints and parses a text. The tree must be the same, apart from places, which a printed tree does not show.
    fn round_trip(text: &str) {
        let (items, errors) = parse(text);
        if !errors.is_empty() {
            return;
        }
        let printed = print(&items);
        let (again, errors) = parse(&printed);
        assert_eq!(errors, [], "{printed}");
        assert_eq!(shape(&again), shape(&items), "{printed}");
    }

    /// The tree without places.
    fn shape(items: &[Item]) -> String {
        let text = format!("{items:?}");
        let mut shape = String::new();
        let mut rest = text.as_str();
        while let Some(start) = rest.find("Span {") {
            shape.push_str(&rest[..start]);
            rest = &rest[start..];
            rest = &rest[rest.find('}').map_or(rest.len(), |end| end + 1)..];
        }
        shape + rest
    }

    #[test]
    fn models_are_the_same_after_printing() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/cub");
        let mut models = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            assert_eq!(parse(&text).1, []);
            round_trip(&text);
            models += 1;
        }
        assert!(models >= 15, "{models}");
    }

    #[test]
    fn groups_stay_groups() {
        for formula in [
            "(X = A || Y = A) && not (X = A && Y = A)",
            "(X = A => Y = A) => Z = A",
            "X = A => Y = A <=> Z = A",
            "if X = A then Y = A else (Z = A && X = A)",
            "(forall z <> y. P[z, y] = A) || (exists z. Q[z] <> - 2 * N + 1 - M)",
            "forall_other z. (P[z, #1] = A || Q[z] < 1.5)",
            "holds(X, z) && not holds(A, #2)",
            "((X = A && Y = A) && Z = A) || (X = A || Y = A)",
        ] {
            let text = format!("init (z) {{ {formula} }}");
            assert_eq!(parse(&text).1, [], "{formula}");
            round_trip(&text);
        }
    }

    /// Words of which texts are made that are often models.
    const WORDS: [&str; 44] = [
        "type",
        "var",
        "array",
        "const",
        "init",
        "unsafe",
        "invariant",
        "transition",
        "requires",
        "case",
        "forall",
        "exists",
        "forall_other",
        "predicate",
        "if",
        "then",
        "else",
        "not",
        "let",
        "in",
        "true",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":=",
        "=",
        "<>",
        "<",
        "&&",
        "||",
        "=>",
        ":",
        "|",
        "_",
        ";",
        ",",
        ".",
        "X",
        "x",
        "#1",
        "12",
    ];

    proptest! {
        #[test]
        fn no_text_stops_the_parser(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60)) {
            round_trip(&words.join(" "));
        }

        #[test]
        fn a_changed_model_is_read_or_refused(cut in 0_usize..2000, word in prop::sample::select(&WORDS[..])) {
            let text = include_str!("../../../models/cub/token.cub");
            let at = cut % text.len();
            if text.is_char_boundary(at) {
                round_trip(&format!("{} {word} {}", &text[..at], &text[at..]));
            }
        }
    }
}
