//! The text around the logic: commands of Isabelle's outer syntax, and the templates.
//!
//! Logic is rendered by [`super::print`] only; the templates hold everything that is neither logic nor a list. An
//! undefined variable in a template is an error.

use std::sync::LazyLock;

use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use system::System;
use system::scope::Scope;

use super::definitions::Definition;
use super::print::{self, WIDTH};
use super::term::{Infix, Term};

/// The templates, by the theory that they make.
const TEMPLATES: &[(&str, &str)] = &[
    ("definitions", include_str!("../../templates/isabelle/definitions.thy")),
    ("invariants", include_str!("../../templates/isabelle/invariants.thy")),
    ("rules", include_str!("../../templates/isabelle/rules.thy")),
    ("theorem", include_str!("../../templates/isabelle/theorem.thy")),
    ("data", include_str!("../../templates/isabelle/data.thy")),
    ("evaluated", include_str!("../../templates/isabelle/evaluated.thy")),
    ("linking", include_str!("../../templates/isabelle/linking.thy")),
    ("ranks", include_str!("../../templates/isabelle/ranks.thy")),
    ("assumed", include_str!("../../templates/isabelle/assumed.thy")),
    ("witness", include_str!("../../templates/isabelle/witness.thy")),
    ("noted", include_str!("../../templates/isabelle/noted.thy")),
    ("conclusion", include_str!("../../templates/isabelle/conclusion.thy")),
    ("source", include_str!("../../templates/isabelle/source.thy")),
    ("program", include_str!("../../templates/isabelle/program.thy")),
    ("root", include_str!("../../templates/isabelle/ROOT")),
];

/// The templates, parsed once.
static ENVIRONMENT: LazyLock<Result<Environment<'static>, minijinja::Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_keep_trailing_newline(true);
    environment.set_trim_blocks(true);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
});

/// Renders a template, which may contain symbols in Unicode.
///
/// # Errors
/// Returns an error if the template is wrong, which a test would find.
pub fn render(template: &str, context: Value) -> Result<String, minijinja::Error> {
    let environment = ENVIRONMENT.as_ref().map_err(|wrong| minijinja::Error::new(wrong.kind(), wrong.to_string()))?;
    environment.get_template(template)?.render(context)
}

/// Splits weighted items into as few parts as their order allows. A part weighs no more than the limit, or is one item.
pub fn in_parts<T>(items: impl IntoIterator<Item = (usize, T)>, limit: usize) -> Vec<Vec<T>> {
    let mut parts: Vec<Vec<T>> = Vec::new();
    let mut sum = 0;
    for (weight, item) in items {
        match parts.last_mut() {
            Some(part) if sum + weight <= limit => {
                sum += weight;
                part.push(item);
            }
            _ => {
                sum = weight;
                parts.push(vec![item]);
            }
        }
    }
    parts
}

/// Returns the command of a definition or an abbreviation.
#[must_use]
pub fn definition(definition: &Definition) -> String {
    let abbreviates = matches!(&definition.equation, Term::Infix(Infix::Equivalent, _, _));
    let command = if abbreviates { "abbreviation" } else { "definition" };
    let head = format!("{command} {} :: \"{}\" where", definition.name, print::encode(&definition.signature));
    let short = print::term(&definition.equation, 0, 0);
    let shown = definition.signature.chars().count() + command.len() + definition.name.len() + 14;
    if !short.contains('\n') && shown + print::width(&short) < WIDTH {
        format!("{head} \"{short}\"")
    } else {
        format!("{head}\n  \"{}\"", print::term(&definition.equation, 3, 3))
    }
}

/// Returns a proposition as a quoted term that starts `used` characters from the left.
#[must_use]
pub fn quoted(proposition: &Term, used: usize) -> String {
    format!("\"{}\"", print::term(proposition, used + 1, used + 1))
}

/// Escapes text from a model for use in a text of Isabelle, so that nothing in it has a meaning there: no symbol, which
/// starts with a backslash and may be an antiquotation or end the cartouche, no character that an editor turns into
/// such a symbol, no antiquotation `@{`, and no `(*` or `*)`, which would start or end a comment.
#[must_use]
pub fn prose(text: &str) -> String {
    let plain = |character: char| match character {
        '\\' => '/',
        _ if character.is_control() => '/',
        _ if character.is_ascii() || character.is_alphanumeric() => character,
        _ => '?',
    };
    let text: String = text.chars().map(plain).collect();
    text.replace("@{", "@ {").replace("(*", "( *").replace("*)", "* )")
}

/// The lines that say what the theories are about, for use inside a comment. They cannot end it: comments nest, and
/// anything else in them has no meaning.
#[must_use]
pub fn claim(system: &System) -> Vec<String> {
    let mut lines = Vec::new();
    for sentence in Scope::of(system).sentences() {
        let sentence = prose(&sentence);
        let mut line = String::from("-");
        for word in sentence.split(' ') {
            if line.len() + word.len() + 1 > WIDTH - 8 {
                lines.push(std::mem::replace(&mut line, String::from(" ")));
            }
            line.push(' ');
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// Breaks names of facts into lines that fit; lines after the first are indented.
#[must_use]
pub fn facts(names: impl Iterator<Item = String>, indent: usize) -> String {
    let mut text = String::new();
    let mut column = WIDTH / 2;
    for name in names {
        if !text.is_empty() && column + name.len() + 1 > WIDTH - 5 {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if !text.is_empty() {
            text.push(' ');
            column += 1;
        }
        column += name.len();
        text.push_str(&name);
    }
    text
}
