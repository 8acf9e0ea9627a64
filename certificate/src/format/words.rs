//! Puts entries of a certificate into words, for messages about a certificate that differs from its model.
//!
//! It must not decide what differs.

use super::shape::{AnySize, Counts, FiniteType, KeptConstant, LeftOut, Object};

/// What an entry is, in words.
pub(super) trait Words {
    fn words(&self) -> String;
}

/// What the first difference of two lists is.
pub(super) fn difference<T: PartialEq + Words>(due: &[T], found: &[T]) -> String {
    let same = due.iter().zip(found).take_while(|(due, found)| due == found).count();
    match (due.get(same), found.get(same)) {
        (Some(due), Some(found)) => format!("element {same} is {} where the model has {}", found.words(), due.words()),
        (Some(due), None) => format!("there is no element {same} where the model has {}", due.words()),
        (None, Some(found)) => format!("element {same} is {} where the model has none", found.words()),
        (None, None) => "there is no difference".to_owned(),
    }
}

/// Which counts differ.
pub(super) fn counts(due: Counts, found: Counts) -> String {
    let all = [
        ("invariants", due.invariants, found.invariants),
        ("proofs", due.proofs, found.proofs),
        ("initial", due.initial, found.initial),
        ("relations", due.relations, found.relations),
        ("holds_after", due.holds_after, found.holds_after),
        ("unaffected", due.unaffected, found.unaffected),
        ("implied", due.implied, found.implied),
    ];
    let differing = all.into_iter().filter(|(_, due, found)| due != found);
    let differing = differing.map(|(name, due, found)| format!("`{name}` is {found} where the file has {due}"));
    differing.collect::<Vec<_>>().join(", ")
}

/// A name.
impl Words for &str {
    fn words(&self) -> String {
        format!("`{self}`")
    }
}

/// A rule and its case.
impl Words for (&str, &str) {
    fn words(&self) -> String {
        match self {
            (name, "") => format!("`{name}`"),
            (name, case) => format!("`{name}` in the case `{case}`"),
        }
    }
}

/// An index type and its elements with names.
impl Words for (&str, Vec<&str>) {
    fn words(&self) -> String {
        let (name, named) = self;
        if named.is_empty() {
            return format!("`{name}`");
        }
        let named: Vec<String> = named.iter().map(Words::words).collect();
        format!("`{name}` with {}", named.join(" and "))
    }
}

/// The line of an assumption.
impl Words for u32 {
    fn words(&self) -> String {
        format!("line {self}")
    }
}

impl<T: Words> Words for Object<T> {
    fn words(&self) -> String {
        self.0.words()
    }
}

impl Words for AnySize {
    fn words(&self) -> String {
        format!("`{}` with any number of elements from {} on", self.name, self.least)
    }
}

impl Words for KeptConstant {
    fn words(&self) -> String {
        format!("`{} = {}`", self.name, self.value)
    }
}

impl Words for FiniteType {
    fn words(&self) -> String {
        format!("`{}` of size {}", self.name, self.size)
    }
}

impl Words for LeftOut {
    fn words(&self) -> String {
        format!("{} `{}` ({})", self.kind, self.name, self.code)
    }
}
