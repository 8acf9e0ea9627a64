//! Executions: how they are told, and how a told one is executed again.

use system::front_end::{Change, Executed, ReplayError, Step, Trace};

use super::machine::{Machine, different};
use super::{State, UNKNOWN};
use crate::program::{Assigned, PROC, TypeId, Values};

/// More executions that a trace may tell are not followed.
const MOST_PATHS: usize = 10_000;

/// An execution.
#[derive(Clone)]
pub(super) struct Path {
    /// The states. Some values in them become known only later.
    states: Vec<State>,
    steps: Vec<Taken>,
}

/// A step of an execution.
#[derive(Clone)]
struct Taken {
    transition: usize,
    parameters: Vec<u8>,
    /// The state before it, with the values that it needs.
    case: State,
}

impl Path {
    pub(super) fn new(initial: State) -> Self {
        Self { states: vec![initial], steps: Vec::new() }
    }

    pub(super) fn last(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    pub(super) fn step(&mut self, transition: usize, parameters: Vec<u8>, case: State, next: State) {
        self.steps.push(Taken { transition, parameters, case });
        self.states.push(next);
    }

    /// Returns the states, in which each value that becomes known is known from where it was chosen.
    fn settled(&self, machine: &Machine<'_>, last: State) -> Vec<State> {
        let mut settled = vec![last];
        for (number, taken) in self.steps.iter().enumerate().rev() {
            let (after, next) = (&settled[settled.len() - 1], &self.states[number + 1]);
            let updates = &machine.program.transitions[taken.transition].updates;
            let mut before = taken.case.clone();
            for slot in 0..before.len() {
                let chosen = updates
                    .iter()
                    .any(|update| matches!(update.value, Assigned::Any) && update.variable == machine.slots[slot]);
                if before[slot] == UNKNOWN && next[slot] == UNKNOWN && !chosen {
                    before[slot] = after[slot];
                }
            }
            settled.push(before);
        }
        settled.reverse();
        settled
    }
}

/// Tells an execution. If it should violate a claim, its last state has to.
pub(super) fn told(machine: &Machine<'_>, path: Path, claim: Option<usize>) -> Option<Executed> {
    let program = machine.program;
    let last = match claim {
        Some(claim) => machine.satisfying(&program.unsafes[claim], path.last())?,
        None => path.last().clone(),
    };
    let states = path.settled(machine, last);
    let mut steps = vec![Step {
        rule: "init".to_owned(),
        line: program.origin(program.init.span).line,
        parameters: Vec::new(),
        changes: changes(machine, None, &states[0]),
    }];
    for (number, taken) in path.steps.iter().enumerate() {
        let transition = &program.transitions[taken.transition];
        let parameters = transition.scope.iter().zip(&taken.parameters);
        steps.push(Step {
            rule: transition.name.clone(),
            line: program.origin(transition.span).line,
            parameters: parameters.map(|(name, value)| (name.clone(), machine.text(PROC, *value))).collect(),
            changes: changes(machine, Some(&states[number]), &states[number + 1]),
        });
    }
    let index_types = program.types.iter().zip(&machine.sizes).filter(|(ty, _)| ty.values.have_a_size());
    let violates = claim.map(|claim| program.claim_name("unsafe", &program.unsafes, claim)).unwrap_or_default();
    let trace = Trace {
        sizes: index_types.map(|(ty, size)| (ty.name.clone(), u64::from(*size))).collect(),
        constants: Vec::new(),
        violates,
        error: None,
        steps,
    };
    Some(Executed { trace, is_wrong: claim.is_some() })
}

fn changes(machine: &Machine<'_>, before: Option<&State>, after: &State) -> Vec<Change> {
    let changed = (0..after.len()).filter(|slot| before.is_none_or(|before| before[*slot] != after[*slot]));
    let change = |slot: usize| {
        let ty = machine.type_of_slot(slot);
        Change {
            variable: machine.name(slot),
            elements: machine.indices(slot).iter().map(|index| machine.text(PROC, *index)).collect(),
            before: before.map(|before| machine.text(ty, before[slot])).unwrap_or_default(),
            after: machine.text(ty, after[slot]),
        }
    };
    changed.map(change).collect()
}

impl Machine<'_> {
    /// Returns a value as the text of the model has it.
    fn text(&self, ty: TypeId, value: u8) -> String {
        let own = &self.program.types[ty.0];
        match &own.values {
            _ if value == UNKNOWN => "?".to_owned(),
            Values::Named(names) => names[usize::from(value)].clone(),
            Values::Processes if value == self.processes() => "no process".to_owned(),
            Values::Processes => format!("#{}", value + 1),
            Values::Unknown => format!("{}_{}", own.name, value + 1),
            Values::Integers => (self.least + i64::from(value)).to_string(),
            Values::Reals => format!("{}.0", self.least + i64::from(value)),
        }
    }

    /// Returns the name of a variable with its indices.
    fn name(&self, slot: usize) -> String {
        let indices: Vec<String> = self.indices(slot).iter().map(|index| self.text(PROC, *index)).collect();
        let name = &self.program.variables[self.slots[slot].0].name;
        if indices.is_empty() { name.clone() } else { format!("{name}[{}]", indices.join(", ")) }
    }

    /// Returns the state with the values that a trace tells, if they are possible.
    fn agreeing(&self, mut state: State, changes: &[Change]) -> Option<State> {
        for change in changes {
            let Some(slot) = (0..state.len()).find(|slot| self.name(*slot) == change.variable) else { continue };
            let ty = self.type_of_slot(slot);
            let Some(value) = self.values(ty).find(|value| self.text(ty, *value) == change.after) else { continue };
            if state[slot] == UNKNOWN {
                state[slot] = value;
            } else if state[slot] != value {
                return None;
            }
        }
        Some(state)
    }
}

/// Executes the steps of a trace again. If some execution with these steps violates a claim, that one is told.
pub(crate) fn replay(machine: &Machine<'_>, trace: &Trace) -> Result<Executed, ReplayError> {
    let (first, rest) = trace.steps.split_first().ok_or(ReplayError::Empty)?;
    let unknown = |step: usize, rule: &str| ReplayError::Unknown { step, rule: rule.to_owned() };
    let initial = machine.initial_states(&mut || true).unwrap_or_default();
    let agreeing = initial.into_iter().filter_map(|state| machine.agreeing(state, &first.changes));
    let mut paths: Vec<Path> = agreeing.take(MOST_PATHS).map(Path::new).collect();
    if first.rule != "init" || paths.is_empty() {
        return Err(unknown(0, &first.rule));
    }
    for (position, step) in (1..).zip(rest) {
        let (number, parameters) = found(machine, step).ok_or_else(|| unknown(position, &step.rule))?;
        let transition = &machine.program.transitions[number];
        let mut longer = Vec::new();
        for path in &paths {
            for (case, next) in machine.successors(transition, &parameters, path.last()) {
                let Some(next) = machine.agreeing(next, &step.changes) else { continue };
                let mut path = path.clone();
                path.step(number, parameters.clone(), case, next);
                longer.push(path);
            }
        }
        longer.truncate(MOST_PATHS);
        if longer.is_empty() {
            return Err(ReplayError::NotEnabled { step: position, rule: step.rule.clone() });
        }
        paths = longer;
    }
    let claims = 0..machine.program.unsafes.len();
    let wrong = paths.iter().find_map(|path| {
        let mut violated = claims.clone();
        violated.find_map(|claim| told(machine, path.clone(), Some(claim)))
    });
    let first = paths.into_iter().next().and_then(|path| told(machine, path, None));
    wrong.or(first).ok_or(ReplayError::Empty)
}

/// Returns the transition and the processes of a step.
fn found(machine: &Machine<'_>, step: &Step) -> Option<(usize, Vec<u8>)> {
    let program = machine.program;
    let is_it = |transition: &crate::program::Transition| {
        transition.name == step.rule && [0, program.origin(transition.span).line].contains(&step.line)
    };
    let number = program.transitions.iter().position(is_it)?;
    let values: Vec<&str> = step.parameters.iter().map(|(_, value)| value.as_str()).collect();
    let tuples = different(machine.processes(), program.transitions[number].parameters).into_iter();
    let mut fitting = tuples.filter(|tuple| {
        tuple.len() == values.len()
            && tuple.iter().zip(&values).all(|(process, value)| machine.text(PROC, *process) == **value)
    });
    fitting.next().map(|parameters| (number, parameters))
}
