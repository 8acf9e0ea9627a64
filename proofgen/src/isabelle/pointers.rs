//! Variables that rules of a program use as indices.
//!
//! Lowering adds to such a rule a parameter for the element that the pointer points to, and the guard names it. That
//! there is such an element follows from the type of the pointer, by a lemma for each variable.

use std::collections::BTreeSet;

use minijinja::context;
use system::{Formula, IndexTerm, IndexTypeId, IndexVariableId, Rule, Term as Read, VariableId};

use super::Source;

/// The variables that are used as pointers.
#[derive(Debug, Default)]
pub(super) struct Pointers {
    variables: BTreeSet<VariableId>,
}

/// A pointer in a rule.
#[derive(Debug)]
pub(super) struct Pointer {
    variable: VariableId,
    /// Its indices, all of which are parameters.
    pub(super) arguments: Vec<IndexVariableId>,
}

impl Pointer {
    /// The pointer that points to a parameter of the rule, as a conjunct of the guard says.
    pub(super) fn to(position: usize, rule: &Rule) -> Option<Self> {
        Self::in_guard(position, &rule.guard)
    }

    fn in_guard(position: usize, guard: &Formula) -> Option<Self> {
        match guard {
            Formula::And(parts) => parts.iter().find_map(|part| Self::in_guard(position, part)),
            Formula::Equal(Read::Read(variable, arguments), Read::Index(IndexTerm::Variable(target)))
            | Formula::Equal(Read::Index(IndexTerm::Variable(target)), Read::Read(variable, arguments))
                if target.index() == position =>
            {
                let arguments = arguments.iter().map(|argument| match argument {
                    IndexTerm::Variable(variable) => Some(*variable),
                    IndexTerm::Named(_) => None,
                });
                Some(Self { variable: *variable, arguments: arguments.collect::<Option<_>>()? })
            }
            Formula::Equal(..)
            | Formula::True
            | Formula::False
            | Formula::AtMost(..)
            | Formula::Not(_)
            | Formula::Or(_)
            | Formula::Forall(..)
            | Formula::Exists(..) => None,
        }
    }

    /// That it points to an element.
    pub(super) fn fact(&self, source: Source<'_>, names: &[String], element: &str) -> String {
        let arguments = self.arguments.iter().map(|argument| names[argument.index()].clone()).collect::<Vec<_>>();
        format!("{} = {} {element}", value(source, self.variable, &arguments), constructor(source, self.variable))
    }
}

impl Pointers {
    /// The name of the lemma for a pointer.
    pub(super) fn lemma(&mut self, source: Source<'_>, pointer: &Pointer) -> String {
        self.variables.insert(pointer.variable);
        name(source, pointer.variable)
    }

    /// The lemmas, for the given sizes of the system's index types, and the element that a startstate chooses.
    pub(super) fn lemmas(
        &self,
        source: Source<'_>,
        sizes: &[String],
        chosen: Option<(&str, IndexTypeId)>,
    ) -> Vec<minijinja::Value> {
        // The variables of the theorem about all reachable states, in the order in which they occur: the first premise is
        // that the chosen element is one.
        let first = chosen.iter().flat_map(|(name, kind)| [*name, sizes[kind.index()].as_str()]);
        let others = (0_usize..).zip(sizes).filter(|(own, _)| chosen.is_none_or(|(_, kind)| kind.index() != *own));
        let fixed = first.chain(others.map(|(_, size)| size.as_str())).collect::<Vec<_>>().join(" ");
        let lemma = |variable: &VariableId| {
            let (system, words) = (source.system, source.words);
            let kinds = &system.variables[variable.index()].arguments;
            let arguments = (0..kinds.len()).map(|number| format!("i{number}")).collect::<Vec<_>>();
            let ranges = arguments.iter().zip(kinds);
            let ranges = ranges.map(|(name, kind)| format!("{name} \\<in> {{1..{}}}", sizes[kind.index()]));
            let sort = system.variables[variable.index()].sort;
            let kind = system.sorts[sort.index()].index_types.first().map_or(0, |kind| kind.index());
            context! {
                lemma => name(source, *variable),
                type => format!("type_{}", words.variables[variable.index()]),
                values => words.sorts[sort.index()],
                value => value(source, *variable, &arguments),
                element => constructor(source, *variable),
                size => sizes.get(kind),
                fixed => fixed,
                arguments => arguments.iter().map(|name| format!(" {name}")).collect::<String>(),
                ranges => ranges.collect::<Vec<_>>(),
            }
        };
        self.variables.iter().map(lemma).collect()
    }
}

fn name(source: Source<'_>, variable: VariableId) -> String {
    format!("pointer_{}", source.words.variables[variable.index()])
}

fn value(source: Source<'_>, variable: VariableId, arguments: &[String]) -> String {
    let head = &source.words.variables[variable.index()];
    std::iter::once(head.as_str())
        .chain(["s"])
        .chain(arguments.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What makes an element of a number.
fn constructor(source: Source<'_>, variable: VariableId) -> String {
    let kind = source.system.sort_of(variable).index_types.first();
    kind.map_or_else(String::new, |kind| source.words.elements[kind.index()].clone())
}
