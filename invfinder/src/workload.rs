//! Parts of the search, prepared so that they can be timed one at a time.
//!
//! A workload consists of questions of the kind that a proof of the system asks. It exists only for benchmarks, and
//! shows them nothing of the search but numbers.

use certificate::proof::InvariantId;
use system::RuleId;
use system::System;

use crate::approx::Reachable;
use crate::argument::{Effort as Depth, Premise};
use crate::brab::{Bounds, Mode, Outcome, Search};
use crate::fixpoint::Visited;
use crate::literal::{Conj, Lit, Space};
use crate::oracle::{Effort, FiniteSystem, Table, explore};
use crate::pre::{Guards, pre_images};
use crate::relations;

/// The instance and the limits of a workload.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The number of elements of each index type.
    pub sizes: Vec<u32>,
    /// The maximum number of states to explore.
    pub states: usize,
    /// The maximum number of cubes to visit.
    pub cubes: usize,
}

/// The questions of a search that found a proof.
pub struct Workload<'a> {
    system: &'a System,
    space: &'a Space,
    machine: &'a FiniteSystem<'a>,
    instance: &'a Instance,
    /// The cubes of the proof.
    found: Vec<Conj>,
    premises: Vec<Premise>,
    /// Their pre-images, as the search encounters them.
    pre_images: Vec<Conj>,
    candidates: Vec<Conj>,
}

impl std::fmt::Debug for Workload<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workload")
            .field("found", &self.found.len())
            .field("pre_images", &self.pre_images.len())
            .field("candidates", &self.candidates.len())
            .finish_non_exhaustive()
    }
}

/// Prepares the questions and calls `body` with them. Returns `None` if the search finds no proof on this instance.
pub fn with<R>(system: &System, instance: &Instance, body: impl FnOnce(&Workload<'_>) -> R) -> Option<R> {
    let machine = FiniteSystem::new(system, &instance.sizes).ok()?;
    let space = Space::new(system);
    let table = table(&machine, &space, instance);
    let bounds = Bounds {
        cubes: instance.cubes,
        symbols: vec![usize::MAX; system.index_types.len()],
        numbers: (0, 0),
        mode: Mode::Plain,
        weakening: crate::approx::Weakening::Weak,
    };
    let Outcome::Closed(found) = Search::new(system, &space, &table, &[], bounds).run(&mut |_| true) else {
        return None;
    };
    let found: Vec<Conj> = found.into_iter().map(|found| found.conj).collect();
    let premises = (0..).zip(&found).map(|(number, conj)| Premise::new(InvariantId(number), conj, &space)).collect();
    let mut pre_images_found = Vec::new();
    for conj in &found {
        for rule in &system.rules {
            pre_images_found.extend(pre_images(rule, conj, &space, Guards::Dropped).ok()?);
        }
    }
    let candidates = pre_images_found.iter().flat_map(|conj| pairs(conj, &space)).collect();
    let workload = Workload {
        system,
        space: &space,
        machine: &machine,
        instance,
        found,
        premises,
        pre_images: pre_images_found,
        candidates,
    };
    Some(body(&workload))
}

fn table<'a>(machine: &'a FiniteSystem<'a>, space: &'a Space, instance: &Instance) -> Table<'a> {
    let effort = Effort { breadth: instance.states, walked: 0, length: 0 };
    Table::new(machine, space, explore(machine, effort, &mut || true).states, instance.states)
}

/// Returns all candidates with two literals of a cube.
fn pairs(conj: &Conj, space: &Space) -> Vec<Conj> {
    let of = |lits: Vec<Lit>| Conj { symbols: conj.symbols.clone(), lits, universals: Vec::new() }.compact(space);
    let positions = 0..conj.lits.len();
    positions.flat_map(|b| (0..b).map(move |a| (a, b))).map(|(a, b)| of(vec![conj.lits[a], conj.lits[b]])).collect()
}

impl Workload<'_> {
    /// Looks up in a new table whether a state satisfies each candidate. Returns the number of possible approximations
    /// and the number of candidates. This includes creating the table, and thus the work of [`Self::explored`].
    #[must_use]
    pub fn candidate_queries(&self) -> (usize, usize) {
        let table = table(self.machine, self.space, self.instance);
        let open = self.candidates.iter().filter(|candidate| !table.admits(candidate)).count();
        (open, self.candidates.len())
    }

    /// Explores the instance and returns the number of states.
    #[must_use]
    pub fn explored(&self) -> usize {
        table(self.machine, self.space, self.instance).len()
    }

    /// Looks for a cube that includes each pre-image. Returns the number of included pre-images and the number of all
    /// pre-images.
    #[must_use]
    pub fn subsumption(&self) -> (usize, usize) {
        let mut visited = Visited::new(self.space);
        for (number, conj) in self.found.iter().enumerate() {
            visited.insert(number, conj);
        }
        let included = self.pre_images.iter().filter(|conj| visited.subsumer(conj).is_some()).count();
        (included, self.pre_images.len())
    }

    /// Finds the causal relation of every rule and every cube. Returns the number of entries and the number of pairs
    /// without a relation.
    #[must_use]
    pub fn causal_relations(&self) -> (usize, usize) {
        let premises: Vec<&Premise> = self.premises.iter().collect();
        let (mut entries, mut without) = (0, 0);
        for premise in &self.premises {
            for rule in (0..).map(RuleId).take(self.system.rules.len()) {
                match relations::of_rule(self.system, self.space, rule, premise, &premises, Depth::FULL) {
                    Ok(found) => entries += found.len(),
                    Err(_) => without += 1,
                }
            }
        }
        (entries, without)
    }
}
