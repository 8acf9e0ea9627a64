//! Candidates: statements that somebody expects to be invariants, such as those of an earlier proof.
//!
//! A candidate is never believed. Those that fail in an initial state, or for which a rule has no argument from the others, are
//! dropped until the rest meets every obligation (Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", FME
//! 2001). If the rest implies the properties, that is a proof, and there is nothing to search for. Otherwise the search
//! gets the candidates as its first guesses.

use certificate::proof::Certificate;
use system::PropertyId;
use system::StartstateId;
use system::System;

use super::{Header, Known, Needed, Unfinished, axioms, id, most_general, normal};
use crate::argument::Premise;
use crate::brab::FoundParent;
use crate::literal::{Conj, Space};
use crate::minimize::named;
use crate::prove::Stage;
use crate::relations::{self, Unmet};

/// The candidates that hold initially, after the cubes of the properties that do.
pub(crate) struct Candidates {
    /// The cubes; those of properties come with their property.
    conjs: Vec<(Option<PropertyId>, Conj)>,
}

impl Candidates {
    pub(crate) fn new(system: &System, space: &Space, candidates: impl IntoIterator<Item = Conj>) -> Self {
        let properties = (0..).map(PropertyId).zip(&system.properties);
        let stated = properties.flat_map(|(id, property)| property.bad.iter().map(move |cube| (Some(id), cube)));
        let stated = stated.map(|(property, cube)| (property, Conj::from_cube(cube, space)));
        let all = stated.chain(candidates.into_iter().map(|conj| (None, conj)));
        Self { conjs: all.filter(|(_, conj)| holds_initially(system, space, conj)).collect() }
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.guesses().next().is_none()
    }

    /// Returns the number of cubes, with those of the properties.
    pub(crate) fn count(&self) -> usize {
        self.conjs.len()
    }

    /// Returns the candidates without the properties.
    pub(crate) fn guesses(&self) -> impl Iterator<Item = &Conj> {
        self.conjs.iter().filter(|(property, _)| property.is_none()).map(|(_, conj)| conj)
    }
}

fn holds_initially(system: &System, space: &Space, conj: &Conj) -> bool {
    let premise = Premise::new(id(0), conj, space);
    let mut starts = (0..).map(StartstateId).take(system.startstates.len());
    starts.all(|start| relations::of_startstate(system, space, start, &premise).is_ok())
}

/// What becomes of invariants without which there is a proof, although some argument uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spare {
    /// They stay: after a small change, a proof is still the one that was read before.
    Kept,
    /// As many as possible are dropped.
    Dropped,
}

/// Builds a certificate from candidates alone, or returns that they do not suffice. Also returns whether every unnecessary invariant
/// was dropped. Candidates that no argument uses are always left out.
///
/// # Errors
/// Returns an error if `proceed` returns false before that is known.
pub(crate) fn certify_candidates(
    system: &System,
    space: &Space,
    candidates: &Candidates,
    header: &Header,
    spare: Spare,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
) -> Result<Option<(Certificate, bool)>, Unfinished> {
    let conjs: Vec<&Conj> = candidates.conjs.iter().map(|(_, conj)| conj).collect();
    let axioms = axioms(system, space, conjs.len());
    let premise = |position: usize| Premise::new(id(position), &normal(conjs[position], space), space);
    let mut premises: Vec<Premise> = most_general(&conjs, space).into_iter().map(premise).collect();
    let mut known = Known::new();
    loop {
        let Ok(mut needed) = Needed::new(system, space, &premises, &axioms) else { return Ok(None) };
        match needed.close(&known, proceed) {
            Ok(()) => {
                let minimized = spare == Spare::Dropped && needed.minimize(proceed);
                let causes = needed.causes.clone();
                let parent = |position: usize| match candidates.conjs[position].0 {
                    Some(property) => FoundParent::Property(property),
                    None => causes[&id(position)],
                };
                return Ok(Some((needed.finish(&parent, header.clone())?, minimized)));
            }
            Err(Unfinished::Unmet(Unmet::Rule(_, wrong))) => {
                let found = needed.relations.into_iter().flat_map(|(invariant, rules)| {
                    (0..).map(system::RuleId).zip(rules).map(move |(rule, entries)| ((invariant, rule), entries))
                });
                known.extend(found);
                known.retain(|(invariant, _), entries| *invariant != wrong && !named(entries).contains(&wrong));
                premises.retain(|premise| premise.id != wrong);
            }
            Err(Unfinished::Unmet(Unmet::Initial(..) | Unmet::Property(_))) => return Ok(None),
            Err(interrupted @ Unfinished::Interrupted) => return Err(interrupted),
        }
    }
}
