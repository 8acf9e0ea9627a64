//! The meaning of a system by brute force: reachable states of an instance, and whether one satisfies a cube.
//!
//! It follows the documentation of `system` and shares nothing with the checker and the search.

use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};

use system::System;
use system::{
    Comparison, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, Literal, Sort, Term, Universal, Update, Value,
    Variable, VariableId,
};

use super::random::Random;

/// Whether an instance reaches a bad state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// One is reachable.
    Bad,
    /// None is reachable.
    AllGood,
    /// There are too many states, or too much work.
    Unknown,
}

/// How often [`Instance::reaches`] may try a rule or a cube on elements.
const WORK: u64 = 2_000_000;
/// What a new state, which takes memory, costs of that.
const NEW_STATE: usize = 50;
/// How long a random walk is.
const STEPS: usize = 150;
/// How often a random walk picks a rule in vain before it gives up.
const PICKS: usize = 3_000;

/// A value: a number; or first the constants, then the elements of one index type after the other.
pub(crate) type Datum = i16;
/// The values of all state variables, each at all its arguments in lexicographic order.
pub(crate) type State = Box<[Datum]>;

/// The values of a variable that may have any.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arbitrary {
    /// Each.
    Every,
    /// The first one, which gives fewer states, all of them reachable.
    First,
}

/// An instance: every index type has `size` elements.
pub(crate) struct Instance<'a> {
    system: &'a System,
    size: usize,
    /// Where the values of each state variable begin.
    offsets: Vec<usize>,
    /// For each number of index variables, all elements that they can be.
    choices: Vec<Vec<Vec<usize>>>,
    arbitrary: Cell<Arbitrary>,
    /// How many states were compared with cubes, some more than once.
    looked_at: Cell<usize>,
    /// How often a rule or a cube may still be tried on elements.
    work: Cell<u64>,
}

impl<'a> Instance<'a> {
    pub(crate) fn new(system: &'a System, size: usize) -> Self {
        let mut offsets = vec![0];
        for variable in &system.variables {
            offsets.push(offsets[offsets.len() - 1] + size.pow(u32::try_from(variable.arguments.len()).unwrap()));
        }
        let transitions = system.rules.iter().map(|rule| (rule.parameters, &rule.updates));
        let transitions = transitions.chain(system.startstates.iter().map(|start| (start.parameters, &start.updates)));
        let counts = transitions.flat_map(|(parameters, updates)| {
            updates.iter().map(|update| update.arguments.len()).chain([parameters as usize])
        });
        let most = counts.max().unwrap_or(0);
        let mut choices = vec![vec![vec![]]];
        for count in 0..most {
            let longer =
                |one: &Vec<usize>| (0..size).map(|next| [one.clone(), vec![next]].concat()).collect::<Vec<_>>();
            choices.push(choices[count].iter().flat_map(longer).collect());
        }
        Self {
            system,
            size,
            offsets,
            choices,
            arbitrary: Cell::new(Arbitrary::Every),
            looked_at: Cell::new(0),
            work: Cell::new(u64::MAX),
        }
    }

    /// All reachable states, or `None` if there are more than the limit.
    pub(crate) fn reachable(&self, limit: usize) -> Option<Vec<State>> {
        let mut all = Vec::new();
        let ended = self.explore(&mut |state| {
            all.push(state.clone());
            all.len() <= limit
        });
        ended.then_some(all)
    }

    /// Whether a reachable state satisfies one of the cubes, as far as the first states and a bounded amount of work
    /// show it, since a state can have an enormous number of successors.
    pub(crate) fn reaches(&self, cubes: &[Cube], limit: usize) -> Reached {
        self.work.set(WORK.max(u64::try_from(limit).unwrap() * 100));
        let (mut seen, mut bad) = (0, false);
        let ended = self.explore(&mut |state| {
            seen += 1;
            bad = self.is_bad(state, cubes);
            !bad && seen <= limit
        });
        match (bad, ended) {
            (true, _) => Reached::Bad,
            (false, true) => Reached::AllGood,
            (false, false) => Reached::Unknown,
        }
    }

    /// The same if there are too many states for that: among the first states, with the first value for a variable that
    /// may have any, and on random walks. All of these states are reachable.
    pub(crate) fn reaches_in_part(&self, cubes: &[Cube], limit: usize, walks: usize) -> Reached {
        self.arbitrary.set(Arbitrary::First);
        let reached = self.reaches(cubes, limit);
        self.arbitrary.set(Arbitrary::Every);
        if reached == Reached::Bad {
            return Reached::Bad;
        }
        let is_bad = |state: &State| self.is_bad(state, cubes);
        let mut random = Random(11);
        if (0..walks).any(|_| self.walk(&mut random, &is_bad)) { Reached::Bad } else { Reached::Unknown }
    }

    fn is_bad(&self, state: &State, cubes: &[Cube]) -> bool {
        self.looked_at.set(self.looked_at.get() + 1);
        cubes.iter().any(|cube| self.satisfies(state, cube))
    }

    /// How many states were compared with cubes by [`Self::reaches`] and [`Self::reaches_in_part`], some more than
    /// once.
    pub(crate) fn looked_at(&self) -> usize {
        self.looked_at.get()
    }

    /// Whether a random walk meets such a state.
    fn walk(&self, random: &mut Random, is_bad: &dyn Fn(&State) -> bool) -> bool {
        let nothing: State = vec![0; self.offsets[self.system.variables.len()]].into();
        let start = random.pick(&self.system.startstates);
        let mut picks = PICKS;
        let before = self.with_parameters(&nothing);
        let Some(mut state) = self.random_step(
            random.pick(&before),
            (&start.scope, start.parameters, &start.guard, &start.updates),
            random,
        ) else {
            return false;
        };
        for _ in 0..STEPS {
            if is_bad(&state) {
                return true;
            }
            loop {
                picks -= 1;
                if picks == 0 {
                    return false;
                }
                let rule = random.pick(&self.system.rules);
                let step = (&rule.scope[..], rule.parameters, &rule.guard, &rule.updates[..]);
                if let Some(next) = self.random_step(&state, step, random) {
                    state = next;
                    break;
                }
            }
        }
        is_bad(&state)
    }

    /// A step with random elements for the parameters and random values for arbitrary ones; `None` if the guard does
    /// not hold.
    fn random_step(&self, state: &State, step: Step<'_>, random: &mut Random) -> Option<State> {
        let (scope, parameters, guard, updates) = step;
        let types: Vec<IndexTypeId> = scope.iter().map(|variable| variable.index_type).collect();
        let choice = random.pick(&self.choices[parameters as usize]);
        let mut elements = vec![0; scope.len()];
        elements[..choice.len()].copy_from_slice(choice);
        if !self.holds(guard, state, &mut elements, &types) {
            return None;
        }
        let mut next = state.clone();
        self.each_write(state, updates, &elements, &types, &mut |position, values| {
            next[position] = *random.pick(values);
            true
        });
        self.is_allowed(&next).then_some(next)
    }

    /// Takes from the work that is left, and returns whether there was enough.
    fn has_work(&self, amount: usize) -> bool {
        let left = self.work.get().checked_sub(u64::try_from(amount).unwrap());
        self.work.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Calls the function with each reachable state until it returns `false` or the work is used up, and returns
    /// whether neither happened.
    fn explore(&self, visit: &mut dyn FnMut(&State) -> bool) -> bool {
        let nothing: State = vec![0; self.offsets[self.system.variables.len()]].into();
        let (mut seen, mut open) = (BTreeSet::new(), VecDeque::new());
        for start in &self.system.startstates {
            for before in self.with_parameters(&nothing) {
                let Some(states) = self.steps(&before, (&start.scope, start.parameters, &start.guard, &start.updates))
                else {
                    return false;
                };
                open.extend(states.into_iter().filter(|state| self.is_allowed(state) && seen.insert(state.clone())));
            }
        }
        while let Some(state) = open.pop_front() {
            if !visit(&state) {
                return false;
            }
            for rule in &self.system.rules {
                let step = (&rule.scope[..], rule.parameters, &rule.guard, &rule.updates[..]);
                let Some(steps) = self.steps(&state, step) else { return false };
                for next in steps {
                    if !seen.contains(&next) && self.is_allowed(&next) {
                        if !self.has_work(NEW_STATE) {
                            return false;
                        }
                        seen.insert(next.clone());
                        open.push_back(next);
                    }
                }
            }
        }
        true
    }

    /// The state with every value of the parameters of the system, which nothing writes.
    fn with_parameters(&self, state: &State) -> Vec<State> {
        let mut all = vec![state.clone()];
        for (number, variable) in self.system.variables.iter().enumerate() {
            if !self.system.is_parameter(VariableId(u32::try_from(number).unwrap())) {
                continue;
            }
            let sort = &self.system.sorts[variable.sort.index()];
            let values = self.value(&Value::Arbitrary, sort, state, &mut Vec::new(), &[]);
            for position in self.offsets[number]..self.offsets[number + 1] {
                let with = |state: &State, value: &Datum| {
                    let mut state = state.clone();
                    state[position] = *value;
                    state
                };
                all = all.iter().flat_map(|state| values.iter().map(move |value| with(state, value))).collect();
            }
        }
        all
    }

    /// Whether there are elements for which all literals of the cube hold, and its universal parts.
    pub(crate) fn satisfies(&self, state: &State, cube: &Cube) -> bool {
        self.embeds(state, cube, &mut Vec::new())
    }

    /// Whether the elements that are chosen for the first variables of a cube can be completed.
    fn embeds(&self, state: &State, cube: &Cube, elements: &mut Vec<usize>) -> bool {
        // The next step checks what is left.
        self.has_work(1);
        let chosen = elements.len();
        let value = |term: &Term| self.term(term, state, elements, &cube.variables);
        let decided = |literal: &&Literal| needs(&literal.left).max(needs(&literal.right)) == chosen;
        if cube.literals.iter().filter(decided).any(|l| !holds(l.comparison, value(&l.left), value(&l.right))) {
            return false;
        }
        let Some(own) = cube.variables.get(chosen) else {
            let universals = &cube.universals;
            return universals.iter().all(|universal| self.holds_for_others(state, cube, universal, elements));
        };
        self.free(*own, elements, &cube.variables).into_iter().any(|element| {
            elements.push(element);
            let found = self.embeds(state, cube, elements);
            elements.pop();
            found
        })
    }

    /// Whether one of the literals of a universal part holds for all other elements; the first of them are chosen.
    fn holds_for_others(&self, state: &State, cube: &Cube, universal: &Universal, elements: &mut Vec<usize>) -> bool {
        self.has_work(1);
        let types = [cube.variables.as_slice(), &universal.variables].concat();
        let Some(own) = types.get(elements.len()) else {
            let value = |term: &Term| self.term(term, state, elements, &types);
            return universal.literals.iter().any(|l| holds(l.comparison, value(&l.left), value(&l.right)));
        };
        self.free(*own, elements, &types).into_iter().all(|element| {
            elements.push(element);
            let holds = self.holds_for_others(state, cube, universal, elements);
            elements.pop();
            holds
        })
    }

    /// The elements of a type that are neither named nor chosen; `types` are those of the chosen ones, and more.
    fn free(&self, own: IndexTypeId, chosen: &[usize], types: &[IndexTypeId]) -> Vec<usize> {
        let taken = |element| chosen.iter().zip(types).any(|(other, of)| *other == element && *of == own);
        let is_named =
            |element| self.system.named.iter().any(|n| n.index_type == own && n.position as usize == element);
        (0..self.size).filter(|element| !taken(*element) && !is_named(*element)).collect()
    }

    /// Whether the state satisfies all axioms, and its numbers are those that an instance explores. Executions with other
    /// states are not considered.
    pub(crate) fn is_allowed(&self, state: &State) -> bool {
        let in_range = |(number, variable): (usize, &Variable)| {
            let values = &state[self.offsets[number]..self.offsets[number + 1]];
            let numbers = self.system.sorts[variable.sort.index()].numbers;
            numbers.is_none_or(|own| values.iter().all(|value| (own.low..=own.high).contains(&i64::from(*value))))
        };
        self.system.variables.iter().enumerate().all(in_range)
            && self.system.axioms.iter().all(|axiom| self.is_true(state, &axiom.scope, &axiom.formula))
    }

    /// Whether a formula that binds all variables of its scope holds.
    pub(crate) fn is_true(&self, state: &State, scope: &[IndexVariable], formula: &Formula) -> bool {
        let types: Vec<IndexTypeId> = scope.iter().map(|variable| variable.index_type).collect();
        self.holds(formula, state, &mut vec![0; scope.len()], &types)
    }

    /// The states after a step of the rule at the position.
    pub(crate) fn successors(&self, state: &State, rule: usize) -> Vec<State> {
        let rule = &self.system.rules[rule];
        self.steps(state, (&rule.scope, rule.parameters, &rule.guard, &rule.updates)).unwrap()
    }

    /// All states after a rule or a startstate, unless that is too much work.
    fn steps(&self, state: &State, (scope, parameters, guard, updates): Step<'_>) -> Option<Vec<State>> {
        let types: Vec<IndexTypeId> = scope.iter().map(|variable| variable.index_type).collect();
        let mut elements = vec![0; scope.len()];
        let mut all = Vec::new();
        for choice in &self.choices[parameters as usize] {
            if !self.has_work(1) {
                return None;
            }
            elements[..choice.len()].copy_from_slice(choice);
            if self.holds(guard, state, &mut elements, &types) {
                all.extend(self.updated(state, updates, &elements, &types)?);
            }
        }
        Some(all)
    }

    fn updated(
        &self,
        state: &State,
        updates: &[Update],
        elements: &[usize],
        types: &[IndexTypeId],
    ) -> Option<Vec<State>> {
        let mut results = vec![state.clone()];
        let ended = self.each_write(state, updates, elements, types, &mut |position, values| {
            let values = if self.arbitrary.get() == Arbitrary::First { &values[..1] } else { values };
            if let [value] = values {
                results.iter_mut().for_each(|result| result[position] = *value);
                return true;
            }
            if !self.has_work(results.len() * values.len()) {
                return false;
            }
            let with = |result: &State, value: &Datum| {
                let mut result = result.clone();
                result[position] = *value;
                result
            };
            results = results.iter().flat_map(|result| values.iter().map(move |value| with(result, value))).collect();
            true
        });
        ended.then_some(results)
    }

    /// Calls the function with each position that is written and its possible values until it returns `false`, and
    /// returns whether that never happened.
    fn each_write(
        &self,
        state: &State,
        updates: &[Update],
        elements: &[usize],
        types: &[IndexTypeId],
        write: &mut dyn FnMut(usize, &[Datum]) -> bool,
    ) -> bool {
        let mut elements = elements.to_vec();
        updates.iter().all(|update| {
            let sort = self.system.sort_of(update.variable);
            let offset = self.offsets[update.variable.index()];
            self.choices[update.arguments.len()].iter().enumerate().all(|(number, tuple)| {
                for (bound, element) in update.arguments.iter().zip(tuple) {
                    elements[bound.index()] = *element;
                }
                write(offset + number, &self.value(&update.value, sort, state, &mut elements, types))
            })
        })
    }

    fn value(
        &self,
        value: &Value,
        sort: &Sort,
        state: &State,
        elements: &mut Vec<usize>,
        types: &[IndexTypeId],
    ) -> Vec<Datum> {
        match value {
            Value::Term(term) => vec![self.term(term, state, elements, types)],
            Value::Sum(term, sum) => vec![self.term(term, state, elements, types) + datum(*sum)],
            Value::Arbitrary => {
                let constants = sort.constants.iter().map(|constant| datum(constant.0));
                let numbers = sort.numbers.into_iter().flat_map(|own| own.low..=own.high).map(datum);
                let of_type = |own: &IndexTypeId| {
                    let own = *own;
                    (0..self.size).map(move |element| self.datum_of(own, element))
                };
                constants.chain(sort.index_types.iter().flat_map(of_type)).chain(numbers).collect()
            }
            Value::If(condition, then, otherwise) => {
                let case = if self.holds(condition, state, elements, types) { then } else { otherwise };
                self.value(case, sort, state, elements, types)
            }
        }
    }

    fn holds(&self, formula: &Formula, state: &State, elements: &mut Vec<usize>, types: &[IndexTypeId]) -> bool {
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Equal(a, b) => self.term(a, state, elements, types) == self.term(b, state, elements, types),
            Formula::AtMost(a, b, sum) => {
                let [a, b] = [a, b].map(|term| i64::from(self.term(term, state, elements, types)));
                a <= b + sum
            }
            Formula::Not(inner) => !self.holds(inner, state, elements, types),
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, state, elements, types)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part, state, elements, types)),
            Formula::Forall(variable, body) | Formula::Exists(variable, body) => {
                let all = matches!(formula, Formula::Forall(..));
                let holds = |element| {
                    elements[variable.index()] = element;
                    self.holds(body, state, elements, types) == all
                };
                if all { (0..self.size).all(holds) } else { !(0..self.size).all(holds) }
            }
        }
    }

    fn term(&self, term: &Term, state: &State, elements: &[usize], types: &[IndexTypeId]) -> Datum {
        match term {
            Term::Constant(constant) => datum(constant.0),
            Term::Zero => 0,
            Term::Index(index) => {
                let (index_type, element) = self.element(*index, elements, types);
                self.datum_of(index_type, element)
            }
            Term::Read(variable, arguments) => state[self.position(*variable, arguments, elements, types)],
        }
    }

    fn position(
        &self,
        variable: VariableId,
        arguments: &[IndexTerm],
        elements: &[usize],
        types: &[IndexTypeId],
    ) -> usize {
        let within = arguments
            .iter()
            .fold(0, |position, argument| position * self.size + self.element(*argument, elements, types).1);
        self.offsets[variable.index()] + within
    }

    fn element(&self, index: IndexTerm, elements: &[usize], types: &[IndexTypeId]) -> (IndexTypeId, usize) {
        match index {
            IndexTerm::Variable(variable) => (types[variable.index()], elements[variable.index()]),
            IndexTerm::Named(named) => {
                let named = &self.system.named[named.index()];
                (named.index_type, named.position as usize)
            }
        }
    }

    fn datum_of(&self, index_type: IndexTypeId, element: usize) -> Datum {
        datum(self.system.constants.len() + index_type.index() * self.size + element)
    }
}

/// A rule or a startstate: scope, number of parameters, guard, updates.
type Step<'s> = (&'s [IndexVariable], u32, &'s Formula, &'s [Update]);

fn datum<T>(number: T) -> Datum
where
    Datum: TryFrom<T, Error: std::fmt::Debug>,
{
    Datum::try_from(number).expect("a test has few constants, elements and numbers")
}

/// Whether a comparison of two values holds.
fn holds(comparison: Comparison, left: Datum, right: Datum) -> bool {
    match comparison.equality() {
        Some(equal) => (left == right) == equal,
        None => comparison.holds_of_numbers(i64::from(left) - i64::from(right)),
    }
}

/// How many variables have to be chosen before a term has a value.
fn needs(term: &Term) -> usize {
    let index = |index: &IndexTerm| match index {
        IndexTerm::Variable(variable) => variable.index() + 1,
        IndexTerm::Named(_) => 0,
    };
    match term {
        Term::Constant(_) | Term::Zero => 0,
        Term::Index(own) => index(own),
        Term::Read(_, arguments) => arguments.iter().map(index).max().unwrap_or(0),
    }
}
