//! Names for everything in a generated theory.
//!
//! In a [`Vocabulary`], no two things have the same name, and no name is a keyword of Isabelle or a constant that the
//! generated text uses. Names stay those of the Murphi model wherever Isabelle allows them. This module must not depend
//! on anything but names and numbers.

use std::collections::BTreeSet;

use super::{keywords, translate};

use system::{IndexTypeId, IndexVariable, NamedId, System};

/// The names in the theories of a protocol, in lists ordered as in the [`System`].
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// The system.
    pub protocol: String,
    /// For each index type, the variable for its size.
    pub sizes: Vec<String>,
    /// For each index type, the constructor of its elements as values.
    pub elements: Vec<String>,
    /// The named elements.
    pub named: Vec<String>,
    /// What is the same in all states, and any: the sizes, then the elements that a startstate chooses.
    pub fixed: Vec<String>,
    /// The constants.
    pub constants: Vec<String>,
    /// The sorts.
    pub sorts: Vec<String>,
    /// The state variables.
    pub variables: Vec<String>,
    /// The rules.
    pub rules: Vec<String>,
    /// The startstates.
    pub startstates: Vec<String>,
    /// The properties.
    pub properties: Vec<String>,
    /// The assumptions.
    pub axioms: Vec<String>,
    /// Names that no variable can have, since a variable with the name of a constant is that constant.
    taken: BTreeSet<String>,
}

impl Vocabulary {
    /// Chooses all names in a fixed order, beginning with what a reader sees most often.
    #[must_use]
    pub fn new(system: &System, protocol: &str) -> Self {
        let reserved = RESERVED.iter().chain(keywords::INNER).chain(keywords::OUTER).copied();
        let numbers = if translate::has_numbers(system) { NUMBERS } else { &[] };
        let reserved = reserved.chain(keywords::CONSTANTS.split_whitespace()).chain(numbers.iter().copied());
        let reserved = reserved.map(str::to_owned).collect();
        let mut names = Allocator { reserved: &reserved, taken: BTreeSet::new() };
        let protocol = names.fresh(protocol);
        let sizes = sizes(system, &mut names);
        let variables = system.variables.iter().map(|variable| names.fresh(&variable.name)).collect();
        let constants = system.constants.iter().map(|constant| names.constant(&constant.name)).collect();
        let named: Vec<String> = system.named.iter().map(|named| names.fresh(&named.name)).collect();
        let chosen = system.named.iter().zip(&named).filter(|(named, _)| named.chosen).map(|(_, name)| name.clone());
        let fixed = sizes.iter().cloned().chain(chosen).collect();
        let elements = system.index_types.iter().map(|index_type| names.fresh(&index_type.name)).collect();
        let sorts = system.sorts.iter().map(|sort| names.fresh(&format!("{}_values", sort.name))).collect();
        let rules = system
            .rules
            .iter()
            .map(|rule| {
                names.fresh(&if rule.case.is_empty() {
                    rule.name.clone()
                } else {
                    format!("{} {}", rule.name, rule.case)
                })
            })
            .collect();
        let startstates = system.startstates.iter().map(|start| names.fresh(&start.name)).collect();
        let properties = system.properties.iter().map(|property| names.fresh(&property.name)).collect();
        let axioms = system.axioms.iter().map(|axiom| names.fresh(&axiom.name)).collect();
        Self {
            protocol,
            sizes,
            elements,
            named,
            fixed,
            constants,
            sorts,
            variables,
            rules,
            startstates,
            properties,
            axioms,
            taken: names
                .taken
                .union(&reserved)
                .map(String::as_str)
                .chain(keywords::BASE_CONSTANTS.split_whitespace())
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Names the variables of a scope as in the model, made different from all other names.
    #[must_use]
    pub fn scope(&self, variables: &[IndexVariable]) -> Vec<String> {
        let mut names = self.allocator(&[]);
        variables.iter().map(|variable| names.fresh(&variable.name)).collect()
    }

    /// Names the variables of an invariant, different from those of a rule's scope.
    #[must_use]
    pub fn invariant_variables(&self, types: &[IndexTypeId], scope: &[String]) -> Vec<String> {
        let mut names = self.allocator(scope);
        let mut letters = ["p", "q", "r", "t", "u", "v", "w"].iter().cycle();
        types.iter().filter_map(|_| letters.next()).map(|letter| names.fresh(letter)).collect()
    }

    /// Returns whether something in the model has the name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let own = [&self.elements, &self.named, &self.constants, &self.sorts, &self.variables, &self.rules];
        let ends = [&self.startstates, &self.properties, &self.axioms];
        own.into_iter().chain(ends).flatten().chain([&self.protocol]).any(|own| own == name)
    }

    /// Returns a name based on `wish` that is unused, also among the variables in `scope`.
    #[must_use]
    pub fn variable(&self, wish: &str, scope: &[String]) -> String {
        let mut names = self.allocator(scope);
        names.fresh(wish)
    }

    /// Returns an allocator of names that are unused, also among the variables in `scope`.
    fn allocator(&self, scope: &[String]) -> Allocator<'_> {
        Allocator { reserved: &self.taken, taken: scope.iter().cloned().collect() }
    }

    /// Returns the name of a named element.
    #[must_use]
    pub fn named(&self, named: NamedId) -> &str {
        &self.named[named.index()]
    }
}

/// Names the sizes: the size of a single index type is `N`; several have their types in their names.
fn sizes(system: &System, names: &mut Allocator<'_>) -> Vec<String> {
    let single = system.index_types.len() == 1;
    let wish = |name: &str| if single { "N".to_owned() } else { format!("N_{name}") };
    system.index_types.iter().map(|index_type| names.fresh(&wish(&index_type.name))).collect()
}

struct Allocator<'a> {
    /// Names that were taken before.
    reserved: &'a BTreeSet<String>,
    /// Names that the allocator has assigned, or that the scope has.
    taken: BTreeSet<String>,
}

impl Allocator<'_> {
    fn constant(&mut self, name: &str) -> String {
        // The base theory defines these two.
        if name == "false" || name == "true" { name.to_owned() } else { self.fresh(name) }
    }

    fn fresh(&mut self, wish: &str) -> String {
        let base = identifier(wish);
        let mut name = base.clone();
        let mut number = 2_u32;
        while self.taken.contains(&name) || self.reserved.contains(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }
}

/// Turns any text into an identifier of Isabelle: a letter, then letters, digits and single inner underscores.
#[must_use]
pub fn identifier(text: &str) -> String {
    let text = match text.strip_prefix('-') {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => format!("minus_{digits}"),
        _ => text.to_owned(),
    };
    let mut identifier = String::new();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            identifier.push(character);
        } else if !identifier.is_empty() && !identifier.ends_with('_') {
            identifier.push('_');
        }
    }
    let identifier = identifier.trim_end_matches('_');
    match identifier.chars().next() {
        None => "unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("num_{identifier}"),
        Some(_) => identifier.to_owned(),
    }
}

/// Names that the text for models with numbers uses itself.
const NUMBERS: &[&str] = &["int", "number", "ParaProof_Numbers"];

/// Names that the generated text uses itself.
const RESERVED: &[&str] = &[
    "s",
    "s'",
    "invariants",
    "reads",
    "all",
    "before",
    "guard",
    "update",
    "Const",
    "Elem",
    "val",
    "state",
    "elements",
    "writes",
    "holds",
    "formulas",
    "preserves",
    "affected",
    "consistent",
    "reachable",
    "reachable_under",
    "consistent_under",
    "preserves_under",
    "assumed",
    "read_sets",
    "True",
    "False",
    "nat",
    "bool",
    "set",
    "system",
    "rule",
    "rules",
    "initial",
    "formula",
    "named_distinct",
    "dstep",
    "wf",
    "simulated",
    "safe",
    "as_data",
    "of_val",
    "of_truth",
    "program_view",
    "map_of",
    "fst",
    "map",
    "Some",
    // Theories and sessions.
    "Pure",
    "HOL",
    "Main",
    "Draft",
    "ParaProof",
    "ParaProof_Assumptions",
];
