//! Builds an abstract model that an ordinary Murphi checker verifies, for any number of elements.
//!
//! The abstract model is Murphi text. It keeps some elements of each index type and represents the rest by one element,
//! `Other`. A record says which invariant strengthens which guard. Every step of every instance is a step of the
//! abstract model, or changes nothing in it: guards are strengthened by invariants of a checked certificate, and then
//! weakened to what the abstract state expresses. A read of the state of another element gives what an invariant says,
//! or any value. A model that cannot be abstracted in this way is refused.
//!
//! The method is that of Chou, Mannava and Park, "A simple method for parameterized verification of cache coherence
//! protocols", FMCAD 2004; `docs/cmp.md` describes it and why it is sound.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "simplification and normal forms ask for one shape among many, all others are alike"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use certificate::CheckedCertificate;
use system::front_end::{Declarations, Symmetric, Trace};
use system::notation::Notation;
use system::scope::Scope;
use system::{Cube, IndexTypeId, System};
use thiserror::Error;

mod build;
mod candidates;
mod evaluate;
mod explore;
mod facts;
mod lemma;
mod minimize;
mod order;
mod record;
mod skeleton;
mod space;
mod symbolic;
mod text;
mod view;

use build::{Built, Caution};
use candidates::{Candidate, Says};
pub use explore::explore;
use skeleton::Skeleton;
use space::Space;
use symbolic::{Element, Equation};
use view::View;

/// How `Other` is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As one more number of a range, which every Murphi checker reads.
    #[default]
    Ranges,
    /// As in the literature, with `union`, which rumur does not read.
    Chou,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How many elements without names are kept of each index type; by default as many as the properties speak of.
    pub nodes: Option<u32>,
    /// Use all strengthenings, not only those that are needed.
    pub all: bool,
    /// How `Other` is written.
    pub style: Style,
    /// Make the models with one strengthening less, too, to see that each is needed.
    pub weaker: bool,
}

/// A finite model to be explored.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'m> {
    /// Its text.
    pub text: &'m str,
    /// The types whose elements may be permuted.
    pub symmetric: &'m [Symmetric],
}

/// What an exploration says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// All reachable states satisfy all invariants.
    Holds {
        /// How many they are.
        states: u64,
    },
    /// A reachable state violates an invariant, or a step meets an error.
    Fails(Trace),
    /// The exploration did not come to an end.
    Unknown(String),
}

/// Explores a finite model.
pub type Exploring<'e> = dyn FnMut(&Instance<'_>) -> Verdict + 'e;

/// Why there is no abstract model.
#[derive(Debug, Error)]
pub enum CmpError {
    /// The model cannot be abstracted.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Even with all strengthenings a violation remains.
    #[error("the abstract model has a violation that no invariant of the certificate excludes: {}", in_one_line(.trace))]
    Spurious {
        /// How it comes about.
        trace: Box<Trace>,
    },
    /// The abstract model could not be explored.
    #[error("the abstract model could not be explored: {0}")]
    Unknown(String),
}

fn in_one_line(trace: &Trace) -> String {
    let steps: Vec<&str> = trace.steps.iter().map(|step| step.rule.as_str()).collect();
    format!("{}; then '{}' does not hold", steps.join("; "), trace.violates)
}

/// What cannot be abstracted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// No index type has elements with a state of their own.
    #[error("C001: no state variable is indexed by a symmetric type, so there is nothing to abstract")]
    NothingToAbstract,
    /// A variable holds elements or other values.
    #[error("C002: line {line}: `{variable}` is an element of a symmetric type or something else (a union)")]
    MixedSort {
        /// The variable.
        variable: String,
        /// Where it is declared.
        line: u32,
    },
    /// A rule copies the state of an element that is not shown for each element that is.
    #[error("C003: rule `{rule}` reads `{term}`, the state of an element that is not kept, for each one that is kept")]
    ChoicePerElement {
        /// The rule.
        rule: String,
        /// What it reads.
        term: String,
    },
    /// A rule reads the state of an element that is not kept, which may be undefined, and the model asks for that.
    #[error("C004: rule `{rule}` reads `{term}`, of which the model asks whether it is undefined")]
    ChoiceOfUndefined {
        /// The rule.
        rule: String,
        /// What it reads.
        term: String,
    },
    /// Too many parameters.
    #[error("C005: rule `{rule}` has at least {instances} abstract instances")]
    TooManyInstances {
        /// The rule.
        rule: String,
        /// How many.
        instances: usize,
    },
    /// Fewer elements than a property speaks of.
    #[error("C006: property `{property}` speaks of {needed} elements of one type, so that many have to be kept")]
    TooFewNodes {
        /// The property.
        property: String,
        /// How many it speaks of.
        needed: u32,
    },
    /// A scalarset stays as large as the model makes it.
    #[error("C007: the scalarset `{scalarset}` stays as it is, and Murphi has no names for its elements; a range has")]
    NamelessElements {
        /// The scalarset.
        scalarset: String,
    },
    /// A multiset.
    #[error("C008: `{variable}` is a part of a multiset, whose positions have no form in an abstract model")]
    Multiset {
        /// A state variable within it.
        variable: String,
    },
    /// A property says that something exists.
    #[error("C009: property `{property}` says that an element exists, which may be one that is not kept")]
    ThereIs {
        /// The property.
        property: String,
    },
    /// A guard says for all elements that something exists.
    #[error("C011: line {line}: a guard says for all elements that one exists, which may be one that is not kept")]
    ExistsBelowForall {
        /// Where that is.
        line: u32,
    },
    /// A number that is not bounded.
    #[error(
        "C010: line {line}: `{variable}` is a number of any size, or the order of a type; write a counter as an \
         enumeration, and an order as a state variable `before: array [NODE] of array [NODE] of boolean`"
    )]
    Number {
        /// The variable.
        variable: String,
        /// Where it is declared.
        line: u32,
    },
}

impl Refusal {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NothingToAbstract => "C001",
            Self::MixedSort { .. } => "C002",
            Self::ChoicePerElement { .. } => "C003",
            Self::ChoiceOfUndefined { .. } => "C004",
            Self::TooManyInstances { .. } => "C005",
            Self::TooFewNodes { .. } => "C006",
            Self::NamelessElements { .. } => "C007",
            Self::Multiset { .. } => "C008",
            Self::ThereIs { .. } => "C009",
            Self::Number { .. } => "C010",
            Self::ExistsBelowForall { .. } => "C011",
        }
    }
}

/// An abstract model and what is known about it.
#[derive(Clone, Debug)]
pub struct Output {
    /// The Murphi text.
    pub model: String,
    /// The types whose elements may be permuted, for exploring the text.
    pub symmetric: Vec<Symmetric>,
    /// The record of strengthenings as JSON.
    pub json: String,
    /// The record of strengthenings as Markdown.
    pub markdown: String,
    /// One noninterference lemma for each abstract rule.
    pub lemmas: String,
    /// The figures.
    pub figures: Figures,
    /// For each strengthening that is used, what it is and the model without it, where that was wanted.
    pub without: Vec<(String, String)>,
}

/// Figures of an abstract model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Rules all of whose parameters are kept elements.
    pub concrete_rules: usize,
    /// Rules with a parameter that is `Other`.
    pub abstract_rules: usize,
    /// Strengthenings of guards, and hidden values that an invariant gives.
    pub strengthenings: usize,
    /// The invariants in them.
    pub invariants: usize,
    /// Candidates for strengthenings.
    pub candidates: usize,
    /// Elements without a name that are kept of each abstracted type.
    pub nodes: u32,
    /// States that were explored, up to permutations.
    pub states: u64,
    /// How often a model was explored.
    pub explorations: u32,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} rules of kept elements, {} abstract rules, strengthenings: {}, invariants in them: {}, candidates: {}, states up to \
             permutations: {}",
            self.concrete_rules,
            self.abstract_rules,
            self.strengthenings,
            self.invariants,
            self.candidates,
            self.states
        )
    }
}

/// Makes the abstract model of a protocol, strengthened by the invariants of the certificate.
///
/// # Errors
/// Returns an error if the model cannot be abstracted, or if its abstract model has a violation.
pub fn emit(
    checked: &CheckedCertificate<'_>,
    declarations: &Declarations,
    options: &Options,
    explore: &mut Exploring<'_>,
) -> Result<Output, CmpError> {
    let invariants: Vec<&Cube> = checked.certificate().invariants.iter().map(|invariant| &invariant.cube).collect();
    let abstraction = Abstraction::new(checked.system(), declarations, &invariants, options)?;
    let chosen =
        if options.all { minimize::all(&abstraction, explore)? } else { minimize::minimal(&abstraction, explore)? };
    record::output(&abstraction, &chosen, checked, options)
}

/// Explores the abstract model of a protocol, strengthened by invariants that were not checked for it. Tests use it to
/// see that wrong invariants, or those of another protocol, do not go unnoticed.
///
/// # Errors
/// Returns an error if the model cannot be abstracted.
pub fn try_invariants(
    system: &System,
    declarations: &Declarations,
    invariants: &[&Cube],
    options: &Options,
    explore: &mut Exploring<'_>,
) -> Result<Verdict, CmpError> {
    let abstraction = Abstraction::new(system, declarations, invariants, options)?;
    match minimize::all(&abstraction, explore) {
        Ok(chosen) => Ok(Verdict::Holds { states: chosen.states }),
        Err(CmpError::Spurious { trace }) => Ok(Verdict::Fails(*trace)),
        Err(CmpError::Unknown(reason)) => Ok(Verdict::Unknown(reason)),
        Err(refused @ CmpError::Refused(_)) => Err(refused),
    }
}

/// The properties and the invariants of a certificate as Murphi invariants that can be added to the model.
#[must_use]
pub fn invariant_blocks(checked: &CheckedCertificate<'_>) -> String {
    let notation = Notation::new(checked.system());
    let mut text =
        String::from("-- The invariants of a checked certificate, to be added to the model they were found for.\n");
    text::comments(&Scope::of(checked.system()).sentences(), &mut text);
    text.push('\n');
    for (number, invariant) in checked.certificate().invariants.iter().enumerate() {
        let names = notation.names(&invariant.cube.variables);
        text::invariant(&format!("inv_{number}"), &notation.invariant(&invariant.cube, &names), &mut text);
    }
    text
}

/// Everything about an abstraction but which strengthenings are used.
struct Abstraction<'a> {
    space: Space<'a>,
    invariants: Vec<&'a Cube>,
    starts: Vec<Skeleton>,
    rules: Vec<Skeleton>,
    /// A name for each of the rules.
    names: Vec<String>,
    start_names: Vec<String>,
    by_name: BTreeMap<String, usize>,
    candidates: Vec<Candidate>,
    symmetric: Vec<Symmetric>,
}

impl<'a> Abstraction<'a> {
    fn new(
        system: &'a System,
        declarations: &'a Declarations,
        invariants: &[&'a Cube],
        options: &Options,
    ) -> Result<Self, CmpError> {
        let nodes = nodes(system, options)?;
        let space = Space::new(system, declarations, nodes, Style::Ranges)?;
        let mut rules = Vec::new();
        for (source, rule) in system.rules.iter().enumerate() {
            rules.extend(skeleton::of_rule(&space, source, rule)?);
        }
        rules.retain(|rule| !rule.blocks.is_empty());
        let mut starts = Vec::new();
        for (source, startstate) in system.startstates.iter().enumerate() {
            starts.extend(skeleton::of_startstate(&space, source, startstate)?);
        }
        let mut candidates = Vec::new();
        for (position, rule) in rules.iter().enumerate() {
            let expressible = build::expressible(&space, rule)?;
            let found = candidates::candidates(&space, rule, position, invariants, &expressible);
            candidates.extend(found.into_iter().filter(|candidate| candidate.variables() <= nodes as usize));
        }
        let names = record::rule_names(&space, &rules, |rule| system.rules[rule.source].case.clone());
        let start_names = record::rule_names(&space, &starts, |_| String::new());
        let by_name = names.iter().enumerate().map(|(position, name)| (name.clone(), position)).collect();
        let symmetric = symmetric(&space);
        let invariants = invariants.to_vec();
        Ok(Self { space, invariants, starts, rules, names, start_names, by_name, candidates, symmetric })
    }

    fn instance<'m>(&'m self, text: &'m str) -> Instance<'m> {
        Instance { text, symmetric: &self.symmetric }
    }

    /// A rule with these clauses, and those values that are in use.
    fn build_with(
        &self,
        rule: usize,
        clauses: &[usize],
        active: &BTreeSet<usize>,
        caution: Caution,
    ) -> Result<Built, Refusal> {
        let wanted = |at: &usize| active.contains(at) || clauses.contains(at) && !self.candidates[*at].is_value();
        let used: Vec<(usize, &Candidate)> = (0..self.candidates.len())
            .filter(|at| self.candidates[*at].skeleton == rule && wanted(at))
            .map(|at| (at, &self.candidates[at]))
            .collect();
        build::build(&self.space, &self.rules[rule], &used, caution)
    }

    /// The invariants that strengthenings use.
    fn used_invariants(&self, active: &BTreeSet<usize>) -> BTreeSet<usize> {
        let uses = active.iter().flat_map(|&at| &self.candidates[at].uses);
        uses.map(|used| used.invariant.index()).collect()
    }

    /// The text of the model with these strengthenings.
    fn model(&self, active: &BTreeSet<usize>, caution: Caution, head: &[String]) -> Result<String, Refusal> {
        record::model(self, &self.space, active, caution, head)
    }
}

fn view_of<'s>(space: &'s Space<'s>) -> View<'s> {
    View { space, reads: BTreeMap::new(), atoms: BTreeMap::new(), targets: BTreeSet::new() }
}

impl Candidate {
    fn is_value(&self) -> bool {
        matches!(self.says, Says::Value { .. })
    }
}

/// The variables and equations of a cube.
fn cube_parts(space: &Space<'_>, cube: &Cube) -> (Vec<(String, IndexTypeId)>, Vec<Equation>) {
    let mut used = BTreeSet::new();
    let names = space.notation.names(&cube.variables);
    let names: Vec<String> = names.iter().map(|name| space.free_name(name, &mut used)).collect();
    let elements: Vec<Element> = names.iter().cloned().map(Element::Shown).collect();
    let equations = candidates::equations(space.system, cube, &elements);
    (names.into_iter().zip(cube.variables.iter().copied()).collect(), equations)
}

/// How many elements are kept.
fn nodes(system: &System, options: &Options) -> Result<u32, Refusal> {
    let abstracted = space::abstracted(system);
    let mut most = (1, String::new());
    for property in &system.properties {
        for cube in &property.bad {
            for (position, _) in abstracted.iter().enumerate().filter(|(_, yes)| **yes) {
                let count = cube.variables.iter().filter(|over| over.index() == position).count();
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                if count > most.0 {
                    most = (count, property.name.clone());
                }
            }
        }
    }
    let (needed, property) = most;
    let wanted = options.nodes.unwrap_or(needed);
    if wanted < needed {
        return Err(Refusal::TooFewNodes { property, needed });
    }
    Ok(wanted)
}

fn symmetric(space: &Space<'_>) -> Vec<Symmetric> {
    let of = |shown: &space::ShownType| {
        let named = (shown.first..).zip(&shown.named).map(|(number, _)| number);
        if shown.abstracted {
            let fixed = named.chain([shown.other_number(), shown.nobody_number()]).collect();
            let mut types = vec![shown.name.clone(), shown.pointer.clone()];
            if shown.value != shown.pointer {
                types.push(shown.value.clone());
            }
            return Symmetric { types, fixed };
        }
        Symmetric { types: vec![shown.name.clone()], fixed: named.collect() }
    };
    space.types.iter().map(of).collect()
}
