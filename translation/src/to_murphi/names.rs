//! What the names of a model become.

use std::collections::{BTreeMap, BTreeSet};

use cubicle::syntax::tree::{Item, Variable};
use murphi::syntax::KEYWORDS;

/// The names of a model and those that the translation adds.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Types, variables and values.
    globals: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

impl Names {
    /// Keeps all names, apart from those that are words of Murphi.
    pub(super) fn of(items: &[&Item]) -> Self {
        let mut names = Self::default();
        names.keep("proc");
        for item in items {
            match item {
                Item::Type { name, values } => {
                    names.keep(&name.text);
                    values.iter().flatten().for_each(|value| names.keep(&value.text));
                }
                Item::Variable(Variable { name, .. }) => names.keep(&name.text),
                Item::Processes(_)
                | Item::Predicate(_)
                | Item::Init(_)
                | Item::Invariant(_)
                | Item::Unsafe(_)
                | Item::Transition(_) => {}
            }
        }
        names
    }

    fn keep(&mut self, name: &str) {
        let own = self.add(name);
        self.globals.insert(name.to_owned(), own);
    }

    /// Returns a new name that resembles the given one.
    pub(super) fn add(&mut self, wanted: &str) -> String {
        let name = self.local(wanted, &BTreeSet::new());
        self.taken.insert(name.clone());
        name
    }

    /// Returns a name that resembles the given one, and that nothing in sight has.
    pub(super) fn local(&self, wanted: &str, in_sight: &BTreeSet<String>) -> String {
        let is_word = |name: &str| KEYWORDS.iter().any(|word| word.eq_ignore_ascii_case(name));
        let mut name = wanted.to_owned();
        while is_word(&name) || self.taken.contains(&name) || in_sight.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Returns what a type, variable or value is called.
    pub(super) fn global(&self, name: &str) -> String {
        match name {
            "True" => "true".to_owned(),
            "False" => "false".to_owned(),
            "bool" => "boolean".to_owned(),
            _ => self.globals.get(name).cloned().unwrap_or_else(|| name.to_owned()),
        }
    }
}
