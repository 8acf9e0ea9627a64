//! Breadth-first exploration.

use rustc_hash::FxHashMap;
use system::front_end::{Executed, Exploration, ExplorationFigures, Failure, Instance, Limit, Limits, Outcome, Unmet};

use super::State;
use super::machine::{Machine, different};
use super::replay::{Path, told};
use super::symmetry::Permutations;

/// How often the caller is asked whether to go on: after this many states.
const ASKED: usize = 64;

/// An instance with what its last exploration found.
pub(crate) struct Explored<'p> {
    machine: Machine<'p>,
    permutations: Permutations,
    states: Vec<Entry>,
    /// The violated claim and the state that violates it, if there is one.
    violation: Option<(usize, usize)>,
}

/// A state and how it was reached.
struct Entry {
    state: State,
    depth: u32,
    /// The state before, and the transition.
    from: Option<(usize, usize)>,
}

/// An exploration in progress.
struct Run<'r> {
    limits: &'r Limits,
    known: FxHashMap<State, usize>,
    figures: ExplorationFigures,
    no_rule_enabled: u64,
    no_rule_changes: u64,
    fired: Vec<bool>,
}

/// Why an exploration ends early.
enum Ended {
    Violated(usize, usize),
    Limit(Limit),
}

impl<'p> Explored<'p> {
    pub(crate) fn new(machine: Machine<'p>, permutations: Permutations) -> Self {
        Self { machine, permutations, states: Vec::new(), violation: None }
    }

    fn run(&mut self, run: &mut Run<'_>, go_on: &mut dyn FnMut(&ExplorationFigures) -> bool) -> Result<(), Ended> {
        let mut asked = 0_usize;
        let figures = run.figures;
        let initial = self.machine.initial_states(&mut || {
            asked += 1;
            !asked.is_multiple_of(ASKED) || go_on(&figures)
        });
        for state in initial.ok_or(Ended::Limit(Limit::Asked))? {
            self.add(run, state, 0, None)?;
        }
        let mut position = 0;
        while position < self.states.len() {
            if position.is_multiple_of(ASKED) && !go_on(&run.figures) {
                return Err(Ended::Limit(Limit::Asked));
            }
            if self.states[position].depth >= run.limits.max_depth {
                return Err(Ended::Limit(Limit::Depth));
            }
            self.expand(run, position)?;
            position += 1;
        }
        Ok(())
    }

    fn expand(&mut self, run: &mut Run<'_>, position: usize) -> Result<(), Ended> {
        let (state, depth) = (self.states[position].state.clone(), self.states[position].depth);
        run.figures.depth = depth;
        run.figures.expanded += 1;
        let (mut is_enabled, mut changes) = (false, false);
        let program = self.machine.program;
        for (number, transition) in program.transitions.iter().enumerate() {
            for at in 0..self.machine.different(transition.parameters).len() {
                let parameters = &self.machine.different(transition.parameters)[at];
                for (case, next) in self.machine.successors(transition, parameters, &state) {
                    run.figures.rules_fired += 1;
                    run.fired[number] = true;
                    is_enabled = true;
                    changes |= case != next;
                    self.add(run, next, depth + 1, Some((position, number)))?;
                }
            }
        }
        run.no_rule_enabled += u64::from(!is_enabled);
        run.no_rule_changes += u64::from(!changes);
        Ok(())
    }

    fn add(&mut self, run: &mut Run<'_>, state: State, depth: u32, from: Option<(usize, usize)>) -> Result<(), Ended> {
        let state = self.permutations.least(state);
        if run.known.contains_key(&state) {
            return Ok(());
        }
        let position = self.states.len();
        run.known.insert(state.clone(), position);
        run.figures.states += 1;
        // A state is stored twice, beside some numbers.
        run.figures.bytes += 2 * u64::try_from(state.len()).unwrap_or(u64::MAX) + 96;
        let claims = &self.machine.program.unsafes;
        let violated = claims.iter().position(|claim| self.machine.satisfying(claim, &state).is_some());
        self.states.push(Entry { state, depth, from });
        if let Some(claim) = violated {
            return Err(Ended::Violated(claim, position));
        }
        if run.figures.states >= run.limits.max_states {
            return Err(Ended::Limit(Limit::States));
        }
        if run.figures.bytes >= run.limits.max_bytes {
            return Err(Ended::Limit(Limit::Memory));
        }
        Ok(())
    }

    /// Returns the states from an initial one to the given one, each with the transition before it.
    fn history(&self, mut position: usize) -> Vec<(Option<usize>, &State)> {
        let mut history = Vec::new();
        loop {
            let entry = &self.states[position];
            history.push((entry.from.map(|(_, transition)| transition), &entry.state));
            match entry.from {
                Some((before, _)) => position = before,
                None => break,
            }
        }
        history.reverse();
        history
    }

    /// Finds processes for the transitions of a history: a state of it stands for those that differ by a permutation.
    fn path(&self, history: &[(Option<usize>, &State)]) -> Option<Path> {
        let (_, first) = history.first()?;
        let mut path = Path::new((*first).clone());
        for (transition, state) in &history[1..] {
            let number = (*transition)?;
            let own = &self.machine.program.transitions[number];
            let step = different(self.machine.processes(), own.parameters).into_iter().find_map(|parameters| {
                let successors = self.machine.successors(own, &parameters, path.last());
                let mut fitting =
                    successors.into_iter().filter(|(_, next)| self.permutations.least(next.clone()) == **state);
                fitting.next().map(|(case, next)| (parameters, case, next))
            });
            let (parameters, case, next) = step?;
            path.step(number, parameters, case, next);
        }
        Some(path)
    }
}

impl Instance for Explored<'_> {
    fn explore(&mut self, limits: &Limits, go_on: &mut dyn FnMut(&ExplorationFigures) -> bool) -> Exploration {
        (self.states, self.violation) = (Vec::new(), None);
        let program = self.machine.program;
        let mut run = Run {
            limits,
            known: FxHashMap::default(),
            figures: ExplorationFigures::default(),
            no_rule_enabled: 0,
            no_rule_changes: 0,
            fired: vec![false; program.transitions.len()],
        };
        let outcome = match self.run(&mut run, go_on) {
            Ok(()) => Outcome::Complete,
            Err(Ended::Limit(limit)) => Outcome::Stopped(limit),
            Err(Ended::Violated(claim, state)) => {
                self.violation = Some((claim, state));
                Outcome::Violated(Failure {
                    property: program.claim_name("unsafe", &program.unsafes, claim),
                    origin: program.origin(program.unsafes[claim].span),
                    message: None,
                })
            }
        };
        let silent = program.transitions.iter().zip(&run.fired).filter(|(_, fired)| !**fired);
        Exploration {
            outcome,
            states: run.figures.states,
            rules_fired: run.figures.rules_fired,
            depth: self.states.iter().map(|entry| entry.depth).max().unwrap_or(0),
            no_rule_enabled: run.no_rule_enabled,
            no_rule_changes: run.no_rule_changes,
            symmetry: self.permutations.are_some(),
            order_matters: None,
            silent_rules: silent.map(|(transition, _)| transition.name.clone()).collect(),
            unmet: Unmet::default(),
        }
    }

    fn trace(&self) -> Option<Executed> {
        let (claim, state) = self.violation?;
        let path = self.path(&self.history(state))?;
        told(&self.machine, path, Some(claim))
    }

    fn ordered(&self) -> Vec<(String, u32)> {
        let program = self.machine.program;
        program.order.iter().map(|span| ("proc".to_owned(), program.origin(*span).line)).collect()
    }
}
