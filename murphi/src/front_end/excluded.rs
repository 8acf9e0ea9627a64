//! Finds a state that only one invariant excludes, and a run from there to a violation.
//!
//! The state satisfies all other invariants. The run leads to a violated property, or to a state that another invariant
//! excludes. Everything is evaluated by executing the model with the invariants pasted into it; the cube of the
//! invariant only guides the search. The search stays near reachable states, so finding nothing proves nothing.

use std::collections::BTreeSet;

use system::front_end::{ExcludedEnding, ExcludedState, InstanceError};
use system::notation::Notation;
use system::{Cube, IndexTerm, IndexTypeId, Literal, PathStep, System, Term};

use super::{Model, told};
use crate::exec::{FaultKind, Machine, ScalarKind, Scratch, Step as PathTo};
use crate::instance::{Exploration, Limits};
use crate::lower::Lowered;
use crate::program::{PropertyKind, TypeId};

/// Reachable states to start from.
const NEAR: u64 = 2_000;
/// States that are looked at.
const TRIED: usize = 20_000;
/// States without a violation after one step from which a longer way is looked for.
const ALLOWED: usize = 50;
/// States on longer ways.
const BEYOND: usize = 3_000;

/// Looks for such a state; none where the instance has none near its first reachable states.
pub(super) fn excluded_state(
    model: &Model,
    lowered: &Lowered,
    invariants: &[&Cube],
    invariant: usize,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<ExcludedState>, InstanceError> {
    let Some(cube) = invariants.get(invariant) else { return Ok(None) };
    let sizes = sizes(lowered, cube);
    let Some(pasted) = pasted(&lowered.system, invariants) else { return Ok(None) };
    let (Some(program), Some(plain)) =
        (model.with_invariants(&pasted, lowered, &sizes), model.with_invariants("", lowered, &sizes))
    else {
        return Ok(None);
    };
    let limits = Limits { max_states: NEAR, ..Limits::default() };
    let (plain, _) = model.symmetric(Some(&plain))?;
    let exploration = plain.explore(&limits, true, &mut |_| go_on());
    let machine = Machine::new(&program)?;
    let mut search = Search {
        named: named(&machine, lowered),
        types: types(lowered),
        scratch: machine.scratch(),
        machine: &machine,
        lowered,
        cube,
        first: model.program.properties.len(),
        invariant,
        seen: BTreeSet::new(),
        allowed: Vec::new(),
        go_on,
    };
    let others = invariants.len() - 1;
    Ok(search.run(&exploration).map(|(state, steps, ending)| search.tell(&state, &steps, ending, others)))
}

/// The invariants as Murphi has them; nothing where Murphi cannot say one of them.
fn pasted(system: &System, invariants: &[&Cube]) -> Option<String> {
    let notation = Notation::new(system);
    let mut text = String::new();
    for (number, cube) in invariants.iter().enumerate() {
        if !notation.can_say(cube) {
            return None;
        }
        let names = notation.names(&cube.variables);
        text.push_str(&format!("invariant \"inv_{number}\"\n  {};\n", notation.invariant(cube, &names)));
    }
    Some(text)
}

/// Sizes of the index types that are large enough for the cube, and not smaller than the model's own.
fn sizes(lowered: &Lowered, cube: &Cube) -> Vec<u64> {
    let system = &lowered.system;
    let of = |id: IndexTypeId| {
        let named = system.named.iter().filter(|named| named.index_type == id).count();
        u64::try_from(named + cube.variables.iter().filter(|over| **over == id).count()).unwrap_or(u64::MAX)
    };
    let types = (0..).map(IndexTypeId).zip(&system.index_types);
    types.map(|(id, over)| of(id).max(u64::from(over.size))).collect()
}

/// Where the position of a named element is found.
enum Named {
    At(u64),
    In(usize),
}

fn named(machine: &Machine, lowered: &Lowered) -> Vec<Named> {
    let home = |at: usize| {
        let (variable, _) = lowered.homes.iter().find(|(_, named)| named.index() == at)?;
        machine.layout().base(*variable)
    };
    let system = &lowered.system;
    let elements = system.named.iter().enumerate();
    elements.map(|(at, named)| home(at).map_or(Named::At(u64::from(named.position)), Named::In)).collect()
}

/// The type of the program for each index type.
fn types(lowered: &Lowered) -> Vec<Option<TypeId>> {
    let of = |id: IndexTypeId| lowered.types.iter().find(|(_, over)| **over == id).map(|(ty, _)| *ty);
    (0..).map(IndexTypeId).take(lowered.system.index_types.len()).map(of).collect()
}

type State = Vec<u64>;

/// A state, the position and the rule that it was reached from, and the start of its way.
type Reached = (State, Option<(usize, usize)>, usize);

/// What is wrong with the last state of a way.
#[derive(Clone, Copy)]
enum Wrong {
    Property(usize),
    Error,
}

struct Search<'a> {
    machine: &'a Machine,
    scratch: Scratch,
    lowered: &'a Lowered,
    named: Vec<Named>,
    types: Vec<Option<TypeId>>,
    cube: &'a Cube,
    /// The position of the first pasted invariant among the properties of the program.
    first: usize,
    invariant: usize,
    seen: BTreeSet<State>,
    /// States that only this invariant excludes, each with the reachable state next to it.
    allowed: Vec<(State, State)>,
    go_on: &'a dyn Fn() -> bool,
}

type Way = Vec<(usize, State)>;

impl Search<'_> {
    fn run(&mut self, exploration: &Exploration) -> Option<((State, State), Way, Wrong)> {
        let mut second_best = None;
        for number in 0..u32::try_from(exploration.states()).unwrap_or(u32::MAX) {
            if self.seen.len() >= TRIED || !(self.go_on)() {
                break;
            }
            let mut base = vec![0; self.machine.layout().words()];
            exploration.state(number, &mut base);
            for state in self.changed(&base) {
                if !self.seen.insert(state.clone()) || !self.only_this(&state) {
                    continue;
                }
                for (rule, next, wrong) in self.successors(&state) {
                    match wrong {
                        Some(wrong) if self.is_of_model(wrong) => {
                            return Some(((state, base), vec![(rule, next)], wrong));
                        }
                        Some(wrong) if second_best.is_none() => {
                            second_best = Some(((state.clone(), base.clone()), vec![(rule, next)], wrong));
                        }
                        Some(_) | None => {}
                    }
                }
                if self.allowed.len() < ALLOWED {
                    self.allowed.push((state, base.clone()));
                }
            }
        }
        self.beyond().or(second_best)
    }

    fn is_of_model(&self, wrong: Wrong) -> bool {
        match wrong {
            Wrong::Property(property) => property < self.first,
            Wrong::Error => true,
        }
    }

    /// A longer way from an allowed state to the violation of a property of the model, breadth first.
    fn beyond(&mut self) -> Option<((State, State), Way, Wrong)> {
        let starts = self.allowed.clone();
        let mut reached: Vec<Reached> =
            starts.iter().enumerate().map(|(start, (state, _))| (state.clone(), None, start)).collect();
        let mut seen: BTreeSet<State> = reached.iter().map(|(state, ..)| state.clone()).collect();
        let mut at = 0;
        while at < reached.len() && reached.len() < BEYOND && (self.go_on)() {
            let (state, _, start) = reached[at].clone();
            for (rule, next, wrong) in self.successors(&state) {
                let of_model = wrong.filter(|wrong| self.is_of_model(*wrong));
                if of_model.is_some() || seen.insert(next.clone()) {
                    reached.push((next, Some((at, rule)), start));
                }
                if let Some(wrong) = of_model {
                    return Some((starts[start].clone(), way(&reached), wrong));
                }
            }
            at += 1;
        }
        None
    }

    /// States next to this one that satisfy the cube.
    fn changed(&self, base: &[u64]) -> Vec<State> {
        let named: Vec<u64> = self
            .named
            .iter()
            .map(|named| match named {
                Named::At(position) => *position,
                // An undefined scalar names no element; such a state is of no use.
                Named::In(scalar) => self.machine.layout().code(base, *scalar).wrapping_sub(1),
            })
            .collect();
        let mut states = Vec::new();
        self.assign(base, &named, &mut Vec::new(), &mut states);
        states
    }

    /// Gives the cube's variables distinct elements.
    fn assign(&self, base: &[u64], named: &[u64], chosen: &mut Vec<u64>, states: &mut Vec<State>) {
        let Some(over) = self.cube.variables.get(chosen.len()) else {
            self.satisfy(base.to_vec(), 0, named, chosen, states);
            return;
        };
        let size = self.types[over.index()].and_then(|ty| self.machine.values().domain(ty)).map_or(0, |d| d.size());
        for element in 0..size {
            let earlier =
                self.cube.variables.iter().zip(chosen.iter()).any(|(other, at)| other == over && *at == element);
            let mut elements = self.lowered.system.named.iter().zip(named);
            if earlier || elements.any(|(other, at)| other.index_type == *over && *at == element) {
                continue;
            }
            chosen.push(element);
            self.assign(base, named, chosen, states);
            chosen.pop();
        }
    }

    /// Makes the literals true, one after the other.
    fn satisfy(&self, mut state: State, at: usize, named: &[u64], chosen: &[u64], states: &mut Vec<State>) {
        let Some(literal) = self.cube.literals.get(at) else {
            states.push(state);
            return;
        };
        let known = |term: &Term| self.known_number(term, named, chosen);
        let (left, right) = (known(&literal.left), known(&literal.right));
        if let (Some(left), Some(right)) = (left, right) {
            // No change of the state makes it true.
            if literal.comparison.holds_of_numbers(left - right) {
                self.satisfy(state, at + 1, named, chosen, states);
            }
            return;
        }
        let mirrored = Literal {
            left: literal.right.clone(),
            comparison: literal.comparison.mirrored(),
            right: literal.left.clone(),
        };
        let literal = if left.is_some() { &mirrored } else { literal };
        let Some((scalar, codes)) = self.wanted(literal, &state, named, chosen) else { return };
        let layout = self.machine.layout();
        // Where it holds already, nothing needs to change.
        let codes =
            if codes.contains(&layout.code(&state, scalar)) { vec![layout.code(&state, scalar)] } else { codes };
        for code in codes {
            layout.set_code(&mut state, scalar, code);
            self.satisfy(state.clone(), at + 1, named, chosen, states);
        }
    }

    /// The scalar on the left of a literal, and the codes that satisfy the literal.
    fn wanted(&self, literal: &Literal, state: &[u64], named: &[u64], chosen: &[u64]) -> Option<(usize, Vec<u64>)> {
        let scalar = self.scalar(&literal.left, named, chosen)?;
        let ScalarKind::Value(ty, domain) = &self.machine.layout().scalars()[scalar].kind else { return None };
        let text = |code: u64| self.machine.values().text(self.machine.program(), *ty, domain.decode(code));
        let value = |code: u64| domain.decode(code);
        let number = match &literal.right {
            Term::Constant(constant) => {
                let name = &self.lowered.system.constants[constant.index()].name;
                value((1..=domain.size()).find(|code| text(*code) == *name)?)
            }
            Term::Zero => 0,
            Term::Index(term) => self.element(*term, named, chosen)?,
            read @ Term::Read(..) if self.known_number(read, named, chosen).is_some() => {
                self.known_number(read, named, chosen)?
            }
            Term::Read(..) => {
                let other = self.scalar(&literal.right, named, chosen)?;
                let ScalarKind::Value(_, others) = &self.machine.layout().scalars()[other].kind else { return None };
                let code = self.machine.layout().code(state, other);
                if code == 0 {
                    return None;
                }
                others.decode(code)
            }
        };
        if !literal.comparison.is_bound() {
            domain.encode(number)?;
        }
        let codes = (1..=domain.size()).filter(|code| literal.comparison.holds_of_numbers(value(*code) - number));
        Some((scalar, codes.collect()))
    }

    /// A number that is the same in all states: 0, the rank of an element, or a constant of the model.
    fn known_number(&self, term: &Term, named: &[u64], chosen: &[u64]) -> Option<i64> {
        let Term::Read(variable, arguments) = term else {
            return matches!(term, Term::Zero).then_some(0);
        };
        match &self.lowered.system.variables[variable.index()].path[..] {
            [PathStep::Half(of, more)] => {
                let whole = self.known_number(&Term::Read(*of, Vec::new()), named, chosen)?;
                Some(whole.checked_add(*more)?.div_euclid(2))
            }
            [PathStep::Rank] => self.element(*arguments.first()?, named, chosen),
            [PathStep::Global(name)] => {
                let mut constants = self.machine.program().constants.iter();
                constants.find(|(constant, _)| constant == name).map(|(_, value)| *value)
            }
            _ => None,
        }
    }

    /// The value of an element.
    fn element(&self, term: IndexTerm, named: &[u64], chosen: &[u64]) -> Option<i64> {
        let (over, position) = match term {
            IndexTerm::Variable(variable) => (self.cube.variables[variable.index()], chosen[variable.index()]),
            IndexTerm::Named(id) => (self.lowered.system.named[id.index()].index_type, named[id.index()]),
        };
        let domain = self.machine.values().domain(self.types[over.index()]?)?;
        (position < domain.size()).then(|| domain.decode(position + 1))
    }

    fn scalar(&self, read: &Term, named: &[u64], chosen: &[u64]) -> Option<usize> {
        let Term::Read(variable, arguments) = read else { return None };
        let system = &self.lowered.system;
        let step = |step: &PathStep| {
            Some(match step {
                PathStep::Global(name) => PathTo::Global(name.clone()),
                PathStep::Field(name) => PathTo::Field(name.clone()),
                PathStep::Element(constant) => {
                    PathTo::Element(self.constant(&system.constants[constant.index()].name)?)
                }
                PathStep::Argument(at) => {
                    PathTo::Element(self.element(arguments[usize::try_from(*at).ok()?], named, chosen)?)
                }
                PathStep::Multiset
                | PathStep::Rank
                | PathStep::Number(_)
                | PathStep::Holds(_)
                | PathStep::Count(..)
                | PathStep::Half(..)
                | PathStep::Next(..) => return None,
            })
        };
        let path = system.variables[variable.index()].path.iter().map(step).collect::<Option<Vec<_>>>()?;
        self.machine.layout().find(self.machine.program(), self.machine.values(), &path)
    }

    fn constant(&self, name: &str) -> Option<i64> {
        match name {
            "false" => Some(0),
            "true" => Some(1),
            _ => self.machine.values().member(name).or_else(|| name.parse().ok()),
        }
    }

    fn holds(&mut self, state: &[u64], property: usize) -> bool {
        self.scratch.load(state);
        self.machine.holds(&mut self.scratch, property).unwrap_or(false)
    }

    /// Whether the invariant excludes the state, and all others and the model's properties allow it.
    fn only_this(&mut self, state: &[u64]) -> bool {
        let own = self.first + self.invariant;
        let machine = self.machine;
        let of = |property: usize| machine.properties()[property].property;
        let instances = 0..machine.properties().len();
        let excluded = instances.clone().any(|property| of(property) == own && !self.holds(state, property));
        excluded
            && instances.clone().all(|property| {
                // What the invariant is itself, as a property of the model, it excludes as such.
                let is_of_model = of(property) < self.first && !self.is_assumed(property);
                of(property) == own || is_of_model || self.holds(state, property)
            })
    }

    fn is_assumed(&self, property: usize) -> bool {
        let property = self.machine.properties()[property].property;
        self.machine.program().properties[property].kind == PropertyKind::Assume
    }

    /// Returns whether a state satisfies the assumptions of the model.
    fn is_admitted(&mut self, state: &[u64]) -> bool {
        (0..self.machine.properties().len()).all(|property| !self.is_assumed(property) || self.holds(state, property))
    }

    /// The next states, each with what is wrong in it.
    fn successors(&mut self, state: &[u64]) -> Vec<(usize, State, Option<Wrong>)> {
        let mut found = Vec::new();
        for rule in 0..self.machine.rules().len() {
            self.scratch.load(state);
            if !self.machine.enabled(&mut self.scratch, rule).unwrap_or(false) {
                continue;
            }
            match self.machine.fire(&mut self.scratch, rule) {
                Ok(false) => {}
                Ok(true) => {
                    let next = self.scratch.state().to_vec();
                    if self.is_admitted(&next) {
                        let wrong = self.wrong(&next);
                        found.push((rule, next, wrong));
                    }
                }
                Err(fault) if matches!(fault.kind, FaultKind::Assertion(_) | FaultKind::Error(_)) => {
                    found.push((rule, state.to_vec(), Some(Wrong::Error)));
                }
                Err(_) => {}
            }
        }
        found
    }

    /// A property that a state violates, those of the model first.
    fn wrong(&mut self, state: &[u64]) -> Option<Wrong> {
        let own = self.first + self.invariant;
        let count = self.machine.properties().len();
        let checked = |search: &Self, at: usize| {
            let property = search.machine.properties()[at].property;
            let invariant = matches!(search.machine.program().properties[property].kind, PropertyKind::Invariant);
            (property != own && invariant).then_some(property)
        };
        for at in 0..count {
            if let Some(property) = checked(self, at)
                && !self.holds(state, at)
            {
                return Some(Wrong::Property(property));
            }
        }
        None
    }

    fn tell(
        &self,
        (state, base): &(State, State),
        steps: &[(usize, State)],
        wrong: Wrong,
        others: usize,
    ) -> ExcludedState {
        let machine = self.machine;
        let names = machine.layout().names(machine.program(), machine.values());
        let mut initial = machine.scratch();
        let started = (0..machine.starts().len()).any(|start| machine.start(&mut initial, start).unwrap_or(false));
        let differs =
            |one: &[u64], other: &[u64], at: usize| machine.layout().code(one, at) != machine.layout().code(other, at);
        let told = (0..names.len())
            .filter(|&at| !started || differs(state, initial.state(), at) || differs(state, base, at))
            .map(|at| (format!("{} = {}", names[at], machine.scalar_text(state, at)), differs(state, base, at)))
            .collect();
        let mut before = state;
        let mut told_steps = Vec::new();
        for (rule, next) in steps {
            told_steps.push(told::told_step(machine, &names, before, *rule, next));
            before = next;
        }
        let ending = match wrong {
            Wrong::Error => ExcludedEnding::Error,
            Wrong::Property(property) if property < self.first => {
                ExcludedEnding::Property(machine.property_name(property))
            }
            Wrong::Property(property) => ExcludedEnding::Invariant(property - self.first),
        };
        let sizes = self
            .lowered
            .system
            .index_types
            .iter()
            .zip(&self.types)
            .filter_map(|(over, ty)| Some((over.name.clone(), machine.values().domain((*ty)?)?.size())));
        ExcludedState { sizes: sizes.collect(), state: told, steps: told_steps, ending, others }
    }
}

/// The way to the last state that was reached.
fn way(reached: &[Reached]) -> Way {
    let mut steps = Vec::new();
    let mut at = reached.len() - 1;
    while let (state, Some((before, rule)), _) = &reached[at] {
        steps.push((*rule, state.clone()));
        at = *before;
    }
    steps.reverse();
    steps
}
