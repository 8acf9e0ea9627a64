//! Finds a minimal set of strengthenings.
//!
//! With the chosen strengthenings, the abstract model satisfies its properties and all invariants in use. No
//! strengthening can be left out.
//!
//! The search follows what people do by hand (Chou, Mannava and Park, 2004): a trace to a violation is spurious, and
//! its first step that contradicts an invariant is forbidden. At the end, the search tries to leave out each
//! strengthening.

use std::collections::{BTreeMap, BTreeSet};

use super::build::Caution;
use super::evaluate::{Evaluator, State};
use super::{Abstraction, CmpError, Exploring, Verdict};
use system::front_end::Trace;

/// What was chosen.
pub(crate) struct Chosen {
    pub(crate) active: BTreeSet<usize>,
    pub(crate) caution: Caution,
    pub(crate) states: u64,
    /// How often a model was explored.
    pub(crate) explorations: u32,
}

/// All strengthenings, if they suffice.
pub(crate) fn all(abstraction: &Abstraction<'_>, explore: &mut Exploring<'_>) -> Result<Chosen, CmpError> {
    let mut search = Search { abstraction, explore, caution: Caution::AsOriginal, explorations: 0 };
    let active: BTreeSet<usize> = (0..abstraction.candidates.len()).collect();
    loop {
        match search.check(&active)? {
            Verdict::Holds { states } => return Ok(search.chosen(active, states)),
            Verdict::Fails(trace) => {
                if !search.ask_first() {
                    return Err(CmpError::Spurious { trace: Box::new(trace) });
                }
            }
            Verdict::Unknown(reason) => return Err(CmpError::Unknown(reason)),
        }
    }
}

/// Strengthenings of which each is needed.
pub(crate) fn minimal(abstraction: &Abstraction<'_>, explore: &mut Exploring<'_>) -> Result<Chosen, CmpError> {
    let mut search = Search { abstraction, explore, caution: Caution::AsOriginal, explorations: 0 };
    let mut active: BTreeSet<usize> =
        (0..abstraction.candidates.len()).filter(|&at| abstraction.candidates[at].is_value()).collect();
    let mut states = loop {
        match search.check(&active)? {
            Verdict::Holds { states } => break states,
            Verdict::Unknown(reason) => return Err(CmpError::Unknown(reason)),
            Verdict::Fails(trace) => match search.forbid(&active, &trace)? {
                Some(candidate) => {
                    active.insert(candidate);
                }
                None if search.ask_first() => {}
                None => return Err(CmpError::Spurious { trace: Box::new(trace) }),
            },
        }
    };
    for candidate in active.clone().into_iter().rev() {
        let mut fewer = active.clone();
        fewer.remove(&candidate);
        if let Verdict::Holds { states: with_fewer } = search.check(&fewer)? {
            (active, states) = (fewer, with_fewer);
        }
    }
    Ok(search.chosen(active, states))
}

struct Search<'a, 's, 'e> {
    abstraction: &'s Abstraction<'a>,
    explore: &'s mut Exploring<'e>,
    caution: Caution,
    explorations: u32,
}

impl Search<'_, '_, '_> {
    fn check(&mut self, active: &BTreeSet<usize>) -> Result<Verdict, CmpError> {
        self.explorations += 1;
        let model = self.abstraction.model(active, self.caution, &[])?;
        Ok((self.explore)(&self.abstraction.instance(&model)))
    }

    /// Makes guards ask first whether something is undefined; `false` if they do already.
    fn ask_first(&mut self) -> bool {
        let before = self.caution;
        self.caution = Caution::AskFirst;
        before == Caution::AsOriginal
    }

    fn chosen(&self, active: BTreeSet<usize>, states: u64) -> Chosen {
        Chosen { active, caution: self.caution, states, explorations: self.explorations }
    }

    /// The first candidate, in the order of the trace, that forbids a step.
    fn forbid(&self, active: &BTreeSet<usize>, trace: &Trace) -> Result<Option<usize>, CmpError> {
        let mut state = State::new();
        for (position, step) in trace.steps.iter().enumerate() {
            if position > 0
                && let Some(&skeleton) = self.abstraction.by_name.get(&step.rule)
                && let Some(found) = self.forbids(active, skeleton, &state, &step.parameters)?
            {
                return Ok(Some(found));
            }
            apply(&mut state, step);
        }
        Ok(None)
    }

    fn forbids(
        &self,
        active: &BTreeSet<usize>,
        skeleton: usize,
        state: &State,
        parameters: &[(String, String)],
    ) -> Result<Option<usize>, CmpError> {
        let abstraction = self.abstraction;
        let candidates = &abstraction.candidates;
        let own: Vec<usize> = (0..candidates.len()).filter(|&at| candidates[at].skeleton == skeleton).collect();
        // With all values in use there may be fewer choices, and with them fewer clauses.
        let built = abstraction.build_with(skeleton, &own, active, self.caution)?;
        let mut evaluator = Evaluator::new(&abstraction.space, state, parameters);
        let clauses: BTreeMap<usize, _> =
            built.strengthening.iter().map(|(clause, candidate)| (*candidate, clause)).collect();
        let found = own
            .into_iter()
            .filter(|at| !active.contains(at))
            .find(|at| clauses.get(at).is_some_and(|clause| evaluator.holds(clause) == Some(false)));
        Ok(found)
    }
}

fn apply(state: &mut State, step: &system::front_end::Step) {
    for change in &step.changes {
        state.insert(change.variable.clone(), change.after.clone());
    }
}
