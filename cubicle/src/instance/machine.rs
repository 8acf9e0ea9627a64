//! Executes transitions and evaluates formulas.

use std::cell::OnceCell;

use super::{State, UNKNOWN};
use crate::program::{
    Added, Assigned, Claim, Formula, Local, PROC, Process, Program, Quantified, Relation, Term, Transition, TypeId,
    Values, VariableId,
};

/// An instance of a model.
#[derive(Clone, Debug)]
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    /// The number of values of each type; for processes, without what is no process.
    pub(crate) sizes: Vec<u8>,
    /// The least number, which is the first value of a type of numbers.
    pub(crate) least: i64,
    /// The first slot of each variable.
    first_slots: Vec<usize>,
    /// The variable of each slot.
    pub(crate) slots: Vec<VariableId>,
    /// For each length, all tuples of processes, and all tuples of different ones, once they are needed.
    tuples: Vec<OnceCell<Vec<Vec<u8>>>>,
    different: Vec<OnceCell<Vec<Vec<u8>>>>,
}

/// The value in a slot is needed and not known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needed(usize);

type Known<T> = Result<T, Needed>;

impl<'p> Machine<'p> {
    /// Creates an instance, unless a type has too many values or the instance too many variables.
    pub(crate) fn new(program: &'p Program, sizes: &[u32]) -> Option<Self> {
        const MOST_SLOTS: usize = 1 << 16;
        let sizes: Option<Vec<u8>> = program
            .types
            .iter()
            .zip(sizes)
            .map(|(ty, size)| match &ty.values {
                Values::Named(names) => u8::try_from(names.len()).ok(),
                Values::Processes | Values::Unknown | Values::Integers | Values::Reals => u8::try_from(*size).ok(),
            })
            .map(|size| size.filter(|size| *size < UNKNOWN - 1))
            .collect();
        let sizes = sizes?;
        let (mut first_slots, mut slots) = (Vec::new(), Vec::new());
        for (position, variable) in program.variables.iter().enumerate() {
            first_slots.push(slots.len());
            let count = (0..variable.indices).try_fold(1_usize, |count, _| count.checked_mul(sizes[PROC.0].into()))?;
            if count > MOST_SLOTS - slots.len() {
                return None;
            }
            slots.extend(std::iter::repeat_n(VariableId(position), count));
        }
        let claims = program.unsafes.iter().chain(&program.candidates).chain([&program.init]);
        let scopes = claims.map(|claim| claim.scope.len()).chain(program.transitions.iter().map(|own| own.scope.len()));
        let lengths = scopes.max().unwrap_or(0) + 1;
        let (tuples, different) = (vec![OnceCell::new(); lengths], vec![OnceCell::new(); lengths]);
        Some(Self { program, sizes, least: program.numbers().0, first_slots, slots, tuples, different })
    }

    /// Returns the number of processes.
    pub(crate) fn processes(&self) -> u8 {
        self.sizes[PROC.0]
    }

    /// Returns all tuples of processes of a length that some scope has room for.
    fn tuples(&self, length: usize) -> &[Vec<u8>] {
        self.tuples[length].get_or_init(|| tuples(self.processes(), length))
    }

    /// Returns all tuples of pairwise different processes of a length that some scope has room for.
    pub(crate) fn different(&self, length: usize) -> &[Vec<u8>] {
        self.different[length].get_or_init(|| different(self.processes(), length))
    }

    /// Returns all values of a type.
    pub(crate) fn values(&self, ty: TypeId) -> std::ops::Range<u8> {
        let outside = u8::from(ty == PROC && self.program.has_outside);
        0..self.sizes[ty.0] + outside
    }

    /// Returns the type of the values in a slot.
    pub(crate) fn type_of_slot(&self, slot: usize) -> TypeId {
        self.program.variables[self.slots[slot].0].ty
    }

    /// Returns the slot of a variable at some indices.
    pub(crate) fn slot(&self, variable: VariableId, indices: &[u8]) -> usize {
        self.slot_at(variable, indices.iter().copied())
    }

    fn slot_at(&self, variable: VariableId, indices: impl Iterator<Item = u8>) -> usize {
        let processes = usize::from(self.processes());
        self.first_slots[variable.0] + indices.fold(0, |offset, index| offset * processes + usize::from(index))
    }

    /// Returns the indices of a slot.
    pub(crate) fn indices(&self, slot: usize) -> Vec<u8> {
        let variable = self.slots[slot];
        let (mut rest, processes) = (slot - self.first_slots[variable.0], usize::from(self.processes()));
        let mut indices = vec![0; self.program.variables[variable.0].indices];
        for index in indices.iter_mut().rev() {
            // The remainder is less than the number of processes.
            *index = u8::try_from(rest % processes).unwrap_or(UNKNOWN);
            rest /= processes;
        }
        indices
    }

    /// Returns all initial states. Calls `go_on` regularly, and returns `None` if it returns `false`.
    pub(crate) fn initial_states(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<State>> {
        let init = &self.program.init;
        let all = vec![UNKNOWN; self.slots.len()].into_boxed_slice();
        let mut states = Vec::new();
        let mut open = vec![all];
        while let Some(state) = open.pop() {
            if !go_on() {
                return None;
            }
            match self.holds_for_all(init, &state) {
                Ok(true) => states.push(state),
                Ok(false) => {}
                Err(needed) => self.split(&state, needed, &mut open),
            }
        }
        Some(states)
    }

    /// Returns whether a claim holds for all processes, equal ones included.
    fn holds_for_all(&self, claim: &Claim, state: &State) -> Known<bool> {
        let mut locals = vec![0; claim.scope.len()];
        let mut needed = None;
        for parameters in self.tuples(claim.parameters) {
            locals[..claim.parameters].copy_from_slice(parameters);
            match self.formula(&claim.formula, &mut locals, state) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(other) => needed = needed.or(Some(other)),
            }
        }
        needed.map_or(Ok(true), Err)
    }

    /// Returns a state that satisfies a claim for some different processes, among those that the given one stands for.
    pub(crate) fn satisfying(&self, claim: &Claim, state: &State) -> Option<State> {
        let mut locals = vec![0; claim.scope.len()];
        for parameters in self.different(claim.parameters) {
            locals[..claim.parameters].copy_from_slice(parameters);
            // Most states do not satisfy it, and need no copy.
            if matches!(self.formula(&claim.formula, &mut locals, state), Ok(false)) {
                continue;
            }
            let mut open = vec![state.clone()];
            while let Some(state) = open.pop() {
                match self.formula(&claim.formula, &mut locals, &state) {
                    Ok(true) => return Some(state),
                    Ok(false) => {}
                    Err(needed) => self.split(&state, needed, &mut open),
                }
            }
        }
        None
    }

    /// Adds the cases of a state in which a value is known.
    fn split(&self, state: &State, Needed(slot): Needed, open: &mut Vec<State>) {
        for value in self.values(self.type_of_slot(slot)).rev() {
            let mut case = state.clone();
            case[slot] = value;
            open.push(case);
        }
    }

    /// Returns the states to which a transition leads, each with the case of the given state that it comes from.
    pub(crate) fn successors(&self, transition: &Transition, parameters: &[u8], state: &State) -> Vec<(State, State)> {
        let (mut found, mut open) = (Vec::new(), Vec::new());
        let mut locals = vec![0; transition.scope.len()];
        locals[..parameters.len()].copy_from_slice(parameters);
        let mut visit = |case: &State, open: &mut Vec<State>| match self.fire(transition, &mut locals, case) {
            Ok(Some(next)) => found.push((case.clone(), next)),
            Ok(None) => {}
            Err(needed) => self.split(case, needed, open),
        };
        visit(state, &mut open);
        while let Some(case) = open.pop() {
            visit(&case, &mut open);
        }
        found
    }

    /// Returns the state to which a transition leads, if its guard holds. The first locals are its parameters.
    fn fire(&self, transition: &Transition, locals: &mut [u8], state: &State) -> Known<Option<State>> {
        if !self.formula(&transition.guard, locals, state)? {
            return Ok(None);
        }
        let mut next = state.clone();
        for update in &transition.updates {
            let numbers = self.program.types[self.program.variables[update.variable.0].ty.0].values.are_numbers();
            match &update.value {
                Assigned::Any => next[self.slot(update.variable, &[])] = UNKNOWN,
                Assigned::Cases { formals, cases, default } => {
                    for indices in self.tuples(formals.len()) {
                        for (formal, index) in formals.iter().zip(indices) {
                            locals[formal.0] = *index;
                        }
                        let slot = self.slot(update.variable, indices);
                        let value = self.assigned(cases, default, slot, locals, state)?;
                        // A number that the instance does not have ends the execution.
                        let Some(code) = value.map_or(Some(UNKNOWN), |value| self.code(value, numbers)) else {
                            return Ok(None);
                        };
                        next[slot] = code;
                    }
                }
            }
        }
        Ok(Some(next))
    }

    /// Returns how a state represents a value, if the instance has it.
    fn code(&self, value: i64, is_number: bool) -> Option<u8> {
        if !is_number {
            return u8::try_from(value).ok();
        }
        // All types of numbers have the same numbers.
        let numbers = self.program.types.iter().position(|ty| ty.values.are_numbers())?;
        u8::try_from(value - self.least).ok().filter(|code| *code < self.sizes[numbers])
    }

    /// Returns the value that an update assigns to a slot, or `None` if it is not known and the slot keeps it.
    fn assigned(
        &self,
        cases: &[(Formula, Term)],
        default: &Term,
        slot: usize,
        locals: &mut [u8],
        state: &State,
    ) -> Known<Option<i64>> {
        let mut value = default;
        for (condition, term) in cases {
            if self.formula(condition, locals, state)? {
                value = term;
                break;
            }
        }
        match (self.term(value, locals, state), value) {
            (Err(Needed(own)), Term::Read(..)) if own == slot => Ok(None),
            (other, _) => other.map(Some),
        }
    }

    /// Returns a number, or the position of another value in its type.
    fn term(&self, term: &Term, locals: &[u8], state: &State) -> Known<i64> {
        let process = |process: &Process| match process {
            Process::Local(local) => locals[local.0],
            // An instance has all processes that constants denote.
            Process::Constant(position) => u8::try_from(*position).unwrap_or(UNKNOWN),
        };
        let read = |variable: VariableId, indices: &[Process]| {
            let slot = self.slot_at(variable, indices.iter().map(process));
            let is_number = self.program.types[self.type_of_slot(slot).0].values.are_numbers();
            let first = if is_number { self.least } else { 0 };
            if state[slot] == UNKNOWN { Err(Needed(slot)) } else { Ok(first + i64::from(state[slot])) }
        };
        match term {
            Term::Value(_, position) => Ok(i64::try_from(*position).unwrap_or(i64::MAX)),
            Term::Process(own) => Ok(i64::from(process(own))),
            Term::Read(variable, indices) => read(*variable, indices),
            Term::Number(_, number) => Ok(*number),
            Term::Sum(variable, indices, Added::Number(number)) => Ok(read(*variable, indices)? + number),
            Term::Sum(variable, indices, Added::Constant(constant, times)) => {
                Ok(read(*variable, indices)? + times * read(*constant, &[])?)
            }
        }
    }

    fn formula(&self, formula: &Formula, locals: &mut [u8], state: &State) -> Known<bool> {
        match formula {
            Formula::Constant(truth) => Ok(*truth),
            Formula::Compare(left, relation, right, _) => {
                if left == right {
                    return Ok(*relation != Relation::Less);
                }
                let (left, right) = (self.term(left, locals, state)?, self.term(right, locals, state)?);
                Ok(match relation {
                    Relation::Equal => left == right,
                    Relation::Less => left < right,
                    Relation::LessEqual => left <= right,
                })
            }
            Formula::Not(inner) => Ok(!self.formula(inner, locals, state)?),
            Formula::And(parts) => self.all(parts, true, locals, state),
            Formula::Or(parts) => Ok(!self.all(parts, false, locals, state)?),
            Formula::Quantified(quantified) => self.quantified(quantified, locals, state),
        }
    }

    /// Returns whether all parts have the truth value. One that has the other decides it, whatever the rest needs.
    fn all(&self, parts: &[Formula], truth: bool, locals: &mut [u8], state: &State) -> Known<bool> {
        let mut needed = None;
        for part in parts {
            match self.formula(part, locals, state) {
                Ok(value) if value == truth => {}
                Ok(_) => return Ok(false),
                Err(other) => needed = needed.or(Some(other)),
            }
        }
        needed.map_or(Ok(true), Err)
    }

    fn quantified(&self, quantified: &Quantified, locals: &mut [u8], state: &State) -> Known<bool> {
        let truth = quantified.is_universal;
        let mut needed = None;
        for processes in self.different(quantified.variables.len()) {
            // The quantified variables have positions of their own, so that the others keep their values.
            if quantified.apart_from.iter().any(|Local(local)| processes.contains(&locals[*local])) {
                continue;
            }
            for (variable, process) in quantified.variables.iter().zip(processes) {
                locals[variable.0] = *process;
            }
            match self.formula(&quantified.body, locals, state) {
                Ok(value) if value == truth => {}
                Ok(_) => return Ok(!truth),
                Err(other) => needed = needed.or(Some(other)),
            }
        }
        needed.map_or(Ok(truth), Err)
    }
}

/// Returns all tuples of processes.
pub(crate) fn tuples(processes: u8, length: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        all =
            all.iter().flat_map(|tuple| (0..processes).map(move |next| [tuple.as_slice(), &[next]].concat())).collect();
    }
    all
}

/// Returns all tuples of pairwise different processes.
pub(crate) fn different(processes: u8, length: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = |tuple: &Vec<u8>| {
            let next = (0..processes).filter(|next| !tuple.contains(next));
            next.map(|next| [tuple.as_slice(), &[next]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
