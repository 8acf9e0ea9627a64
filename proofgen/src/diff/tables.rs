//! Compares two tables of invariants without the models.
//!
//! The tables are files `invariants.json` as `emit table` writes them. The result is the same as for proofs, except for
//! what rules do, which is not in a table. Bad states are parsed as conjunctions of literals over the index variables
//! that the table names; one conjunction implies another if all its literals, with distinct variables for its
//! variables, are among those of the other. A table of some of the invariants is compared as if it had all of them.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use super::rules::{Premises, compare_arguments};
use super::{Diff, Entry, Order, Scope};

/// The versions of tables that this module reads.
const VERSIONS: RangeInclusive<u32> = 1..=2;

/// Why a text is not a table.
#[derive(Debug, Error)]
pub enum TableError {
    /// It does not have the keys of a table.
    #[error("this is not a table of invariants as `emit table` writes it to invariants.json: {0}")]
    Shape(#[from] serde_json::Error),
    /// The version of the table is not supported.
    #[error("this is a table of version {0}, but only {from} to {to} are supported", from = VERSIONS.start(), to = VERSIONS.end())]
    Version(u32),
    /// The bad states are not a conjunction of equations.
    #[error("the bad states of invariant {number} are not a conjunction of equations: {text}")]
    BadStates {
        /// The invariant.
        number: u32,
        /// The bad states.
        text: String,
    },
}

impl Diff {
    /// Compares two tables, given as the texts of two files `invariants.json`.
    ///
    /// # Errors
    /// Returns an error if a text is not a table: `Err((0, _))` for the first, `Err((1, _))` for the second.
    pub fn of_tables(first: &str, second: &str) -> Result<Self, (usize, TableError)> {
        let before = Side::read(first).map_err(|error| (0, error))?;
        let after = Side::read(second).map_err(|error| (1, error))?;
        let order = Order {
            same: &|one: &Cube, other| one.subsumes(other) && other.subsumes(one),
            implies: &|one, other| one.subsumes(other),
        };
        let classes = order.classes(&before.cubes, &after.cubes);
        let mut diff = Self { scope: Scope::Tables, ..Self::default() };
        diff.enter(&classes, &|position| before.entry(position), &|position| after.entry(position));
        // A table may have some of the invariants only, in any order.
        let numbers = |&(old, new): &(usize, usize)| (before.number(old), after.number(new));
        diff.kept = classes.kept.iter().map(numbers).collect();
        let missing =
            |from: &Side, to: &Side| from.rules.iter().filter(|rule| !to.rules.contains(rule)).cloned().collect();
        diff.rules_removed = missing(&before, &after);
        diff.rules_added = missing(&after, &before);
        compare_arguments(&before.rules, (&before.premises, &after.premises), &mut diff);
        Ok(diff)
    }
}

/// The keys of a table that the comparison uses.
#[derive(Deserialize)]
struct Table {
    // Up to version 1, the key had another name.
    #[serde(alias = "version")]
    schema: u32,
    rules: Vec<Rule>,
    invariants: Vec<Invariant>,
    relations: Vec<Relation>,
}

#[derive(Deserialize)]
struct Rule {
    name: String,
}

#[derive(Deserialize)]
struct Invariant {
    number: u32,
    name: String,
    invariant: String,
    bad_states: String,
    index_variables: Vec<Variable>,
}

#[derive(Deserialize)]
struct Variable {
    name: String,
    r#type: String,
}

#[derive(Deserialize)]
struct Relation {
    rule: String,
    invariant: u32,
    #[serde(default)]
    argument: Vec<Map<String, Value>>,
}

struct Side {
    invariants: Vec<Invariant>,
    cubes: Vec<Cube>,
    rules: Vec<String>,
    premises: Premises,
}

impl Side {
    fn read(text: &str) -> Result<Self, TableError> {
        let table: Table = serde_json::from_str(text)?;
        if !VERSIONS.contains(&table.schema) {
            return Err(TableError::Version(table.schema));
        }
        let cubes = table.invariants.iter().map(Cube::read).collect::<Result<_, _>>()?;
        let mut premises = Premises::new();
        for relation in table.relations {
            if !relation.argument.is_empty() {
                let known = premises.entry((relation.rule, relation.invariant)).or_default();
                collect(&relation.argument, known);
            }
        }
        let rules = table.rules.into_iter().map(|rule| rule.name).collect();
        Ok(Self { invariants: table.invariants, cubes, rules, premises })
    }

    fn number(&self, position: usize) -> u32 {
        self.invariants[position].number
    }

    fn entry(&self, position: usize) -> Entry {
        let row = &self.invariants[position];
        Entry { number: row.number, name: row.name.clone(), formula: row.invariant.clone() }
    }
}

/// Collects the invariants in an argument, including those in the cases of a split.
fn collect(argument: &[Map<String, Value>], found: &mut BTreeSet<u32>) {
    for step in argument {
        found.extend(step.get("invariant").and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok()));
        let cases = step.get("cases").and_then(Value::as_array).into_iter().flatten();
        for steps in cases.filter_map(|case| case.get("argument").and_then(Value::as_array)) {
            let steps: Vec<_> = steps.iter().filter_map(Value::as_object).cloned().collect();
            collect(&steps, found);
        }
    }
}

/// A conjunction of comparisons, and of universal parts.
#[derive(Debug)]
struct Cube {
    /// The types of the variables.
    types: Vec<String>,
    literals: Vec<Literal>,
}

/// The sides of a comparison, or the text of a universal part and nothing.
#[derive(Debug)]
struct Literal {
    sides: [Vec<Token>; 2],
    sign: &'static str,
}

/// The signs of comparisons. No two of them occur in one literal.
const SIGNS: [&str; 6] = [" != ", " <= ", " >= ", " = ", " < ", " > "];

/// A piece of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Text(String),
    Variable(usize),
}

impl Cube {
    fn read(row: &Invariant) -> Result<Self, TableError> {
        let types = row.index_variables.iter().map(|variable| variable.r#type.clone()).collect();
        if row.bad_states == "true" {
            return Ok(Self { types, literals: Vec::new() });
        }
        let literal = |text: &str| {
            if text.starts_with("forall ") {
                return Some(Literal { sides: [tokens(text, row), Vec::new()], sign: "" });
            }
            let mut parts = SIGNS.iter().filter_map(|sign| Some((*sign, text.split_once(sign)?)));
            let ((sign, (left, right)), None) = (parts.next()?, parts.next()) else { return None };
            Some(Literal { sides: [tokens(left, row), tokens(right, row)], sign })
        };
        let literals = row.bad_states.split(" & ").map(literal).collect::<Option<_>>();
        let bad = || TableError::BadStates { number: row.number, text: row.bad_states.clone() };
        Ok(Self { types, literals: literals.ok_or_else(bad)? })
    }

    /// Returns whether this cube, with distinct variables of the other in place of its own, is a part of the other. A
    /// universal part says less where there are more variables, so both need as many.
    fn subsumes(&self, other: &Self) -> bool {
        let universal = self.literals.iter().any(|literal| literal.sides[1].is_empty());
        self.literals.len() <= other.literals.len()
            && (!universal || self.types.len() == other.types.len())
            && self.extend(other, 0, &mut vec![None; self.types.len()])
    }

    /// Matches the literals from the given position on.
    fn extend(&self, other: &Self, at: usize, chosen: &mut Vec<Option<usize>>) -> bool {
        let Some(literal) = self.literals.get(at) else { return true };
        for place in &other.literals {
            let as_written = (place.sign == literal.sign).then_some([0, 1]);
            let exchanged = (place.sign == exchanged(literal.sign)).then_some([1, 0]);
            for [left, right] in as_written.into_iter().chain(exchanged) {
                let before = chosen.clone();
                if self.unify(&literal.sides[0], &place.sides[left], other, chosen)
                    && self.unify(&literal.sides[1], &place.sides[right], other, chosen)
                    && self.extend(other, at + 1, chosen)
                {
                    return true;
                }
                *chosen = before;
            }
        }
        false
    }

    fn unify(&self, one: &[Token], two: &[Token], other: &Self, chosen: &mut [Option<usize>]) -> bool {
        one.len() == two.len()
            && one.iter().zip(two).all(|pair| match pair {
                (Token::Text(one), Token::Text(two)) => one == two,
                (Token::Variable(one), Token::Variable(two)) => match chosen[*one] {
                    Some(known) => known == *two,
                    None if chosen.contains(&Some(*two)) || self.types[*one] != other.types[*two] => false,
                    None => {
                        chosen[*one] = Some(*two);
                        true
                    }
                },
                (Token::Text(_), Token::Variable(_)) | (Token::Variable(_), Token::Text(_)) => false,
            })
    }
}

/// The sign between the sides in the other order.
fn exchanged(sign: &'static str) -> &'static str {
    match sign {
        " <= " => " >= ",
        " >= " => " <= ",
        " < " => " > ",
        " > " => " < ",
        other => other,
    }
}

/// Splits a text into words and what is between them; a word that names an index variable becomes that variable.
fn tokens(text: &str, row: &Invariant) -> Vec<Token> {
    let mut found = Vec::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = is_word(first);
        let end = rest.find(|c| is_word(c) != kind).unwrap_or(rest.len());
        let (word, more) = rest.split_at(end);
        let variable = row.index_variables.iter().position(|variable| variable.name == word);
        found.push(variable.map_or_else(|| Token::Text(word.to_owned()), Token::Variable));
        rest = more;
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table(invariants: &[(&str, &[&str])]) -> String {
        let row = |(number, (bad, variables)): (usize, &(&str, &[&str]))| {
            let variables: Vec<Value> = variables.iter().map(|name| json!({"name": name, "type": "NODE"})).collect();
            json!({"number": number, "name": "n", "invariant": bad, "bad_states": bad, "index_variables": variables})
        };
        let rows: Vec<Value> = invariants.iter().enumerate().map(row).collect();
        let split =
            json!({"split": "c", "cases": [{"value": "A", "argument": [{"invariant": 0, "substitution": {}}]}]});
        let relations = json!([{"rule": "R", "invariant": 0, "kind": "implied", "argument": [split]}]);
        json!({"schema": 2, "rules": [{"name": "R"}], "invariants": rows, "relations": relations}).to_string()
    }

    #[test]
    fn invariants_of_tables_are_compared_by_implication() {
        let old =
            table(&[("a[i] = E & a[j] != I", &["i", "j"]), ("x = a & b[i] = true & y = Z", &["i"]), ("q = i", &["i"])]);
        // The first is the same with variables renamed and sides and literals swapped; the second has one literal less;
        // the third is new.
        let new = table(&[("a[i] != I & a[j] = E", &["i", "j"]), ("b[k] = true & a = x", &["k"]), ("q = k", &[])]);
        let diff = Diff::of_tables(&old, &new).unwrap();
        assert_eq!(diff.kept, [(0, 0)]);
        let numbers: Vec<_> = diff.strengthened.iter().map(|(old, new)| (old.number, new.number)).collect();
        assert_eq!(numbers, [(1, 1)]);
        assert_eq!((diff.removed.len(), diff.added.len()), (1, 1));
        let back = Diff::of_tables(&new, &old).unwrap();
        assert_eq!(back.weakened.len(), 1);
        let same = Diff::of_tables(&old, &old).unwrap();
        assert!(same.is_empty() && same.text().contains(": 3 invariants, the same"), "{}", same.text());
        assert!(diff.text().starts_with("1 invariant is unchanged.\n"), "{}", diff.text());
        assert!(diff.text().contains("\n    ~ "), "{}", diff.text());
    }

    #[test]
    fn universal_parts_are_compared_where_they_are_about_the_same_elements() {
        let part = "forall k : NODE do a[k] = I | a[k] = S end";
        let table = |bad: &str, variables: &[&str]| table(&[(bad, variables)]);
        let (with, without) = (table(&format!("b[i] = true & {part}"), &["i"]), table("b[i] = true", &["i"]));
        let diff = Diff::of_tables(&with, &without).unwrap();
        assert_eq!((diff.strengthened.len(), diff.kept.len()), (1, 0));
        assert_eq!(Diff::of_tables(&with, &with).unwrap().kept, [(0, 0)]);
        // All nodes but one, and all nodes but two.
        let diff = Diff::of_tables(&table(part, &["i"]), &table(part, &["i", "j"])).unwrap();
        assert_eq!((diff.removed.len(), diff.added.len()), (1, 1), "{diff:?}");
    }

    #[test]
    fn distinct_variables_stay_distinct() {
        let two = table(&[("a[i] = E & b[j] = E", &["i", "j"])]);
        let one = table(&[("a[i] = E & b[i] = E", &["i"])]);
        let diff = Diff::of_tables(&two, &one).unwrap();
        assert_eq!((diff.removed.len(), diff.added.len()), (1, 1), "{diff:?}");
    }

    #[test]
    fn other_texts_are_refused() {
        let good = table(&[]);
        assert!(matches!(Diff::of_tables("{}", &good), Err((0, TableError::Shape(_)))));
        let earlier = good.replace("\"schema\":2", "\"version\":1");
        assert!(Diff::of_tables(&good, &earlier).is_ok_and(|diff| diff.is_empty()));
        let later = good.replace("\"schema\":2", "\"schema\":3");
        assert!(matches!(Diff::of_tables(&good, &later), Err((1, TableError::Version(3)))));
        let odd = table(&[("a <> b", &[])]);
        assert!(matches!(Diff::of_tables(&odd, &good), Err((0, TableError::BadStates { .. }))));
    }
}
