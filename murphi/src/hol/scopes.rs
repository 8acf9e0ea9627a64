//! What the names of a model stand for in HOL, and names in HOL that nothing else has.

use std::collections::{BTreeMap, BTreeSet};

use system::source::SourceType;

use super::term::Term;

/// What a name of the model stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A number, as a term of the type `int`.
    Number(Term),
    /// A truth value.
    Truth(bool),
    /// A member of an enumeration.
    Member(String),
    /// A type.
    Type(Term, SourceType),
    /// A place.
    Place(Term, SourceType),
    /// A bound variable, whose value is a scalar.
    Bound(String),
    /// An expression.
    Value(Term),
}

/// The scopes, from the outermost on, and the names that were given.
#[derive(Debug)]
pub(super) struct Scopes {
    scopes: Vec<BTreeMap<String, Meaning>>,
    /// Names of definitions.
    defined: BTreeSet<String>,
    /// Names of bound variables around the current place, whether the model can refer to them there or not.
    bound: Vec<String>,
}

impl Default for Scopes {
    fn default() -> Self {
        Self { scopes: vec![BTreeMap::new()], defined: BTreeSet::new(), bound: Vec::new() }
    }
}

impl Scopes {
    pub(super) fn find(&self, name: &str) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, name: &str, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), meaning);
        }
    }

    pub(super) fn open(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    /// Removes all scopes but the global one; [`Scopes::restore`] puts them back.
    pub(super) fn leave_global(&mut self) -> Vec<BTreeMap<String, Meaning>> {
        self.scopes.split_off(1)
    }

    pub(super) fn restore(&mut self, inner: Vec<BTreeMap<String, Meaning>>) {
        self.scopes.truncate(1);
        self.scopes.extend(inner);
    }

    /// A new name for a definition. The prefixes keep it apart from all constants and words of HOL.
    pub(super) fn fresh(&mut self, prefix: &str, wish: &str) -> String {
        let name = unused(prefix, wish, |name| self.defined.contains(name));
        self.defined.insert(name.clone());
        name
    }

    /// A name for a bound variable that no variable around it has, until [`Scopes::unbind`].
    pub(super) fn bind(&mut self, wish: &str) -> String {
        let name = unused("x_", wish, |name| self.bound.iter().any(|bound| bound == name));
        self.bound.push(name.clone());
        name
    }

    pub(super) fn unbind(&mut self) {
        self.bound.pop();
    }
}

fn unused(prefix: &str, wish: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut base = String::from(prefix);
    for character in wish.chars() {
        if character.is_ascii_alphanumeric() {
            base.push(character);
        } else if !base.ends_with('_') {
            base.push('_');
        }
    }
    let base = base.trim_end_matches('_');
    let mut name = base.to_owned();
    let mut number = 2_u32;
    while taken(&name) {
        name = format!("{base}_{number}");
        number += 1;
    }
    name
}
