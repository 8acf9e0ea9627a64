//! Compares the lowered system with the execution of the text, on generated programs.
//!
//! At one to three processes, the reachable states are the same, every transition leads from each of them to the same
//! states, and each `unsafe` holds in the same states, as a formula and as cubes. Where numbers are expressed by more
//! executions, the system has all the states and successors that the text has.

mod programs;

use std::collections::BTreeSet;

use system::evaluator::{Concrete, Evaluator};
use system::front_end::{FrontEnd, Setting, Settings};
use system::{ConstantId, PropertyId, RuleId, StartstateId, System, VariableId};

use crate::front_end::Model;
use crate::instance::{Machine, State, UNKNOWN, different};
use crate::program::{Program, Values};
use programs::program;

/// The greatest number of an instance. The least is -1.
const GREATEST: i64 = 2;

/// Returns the states that a state stands for.
fn expanded(machine: &Machine<'_>, state: &State) -> Vec<State> {
    let mut all = vec![state.clone()];
    for slot in 0..state.len() {
        if state[slot] == UNKNOWN {
            let with = |state: &State, value| {
                let mut state = state.clone();
                state[slot] = value;
                state
            };
            let values = machine.values(machine.type_of_slot(slot));
            all = all.iter().flat_map(|state| values.clone().map(move |value| with(state, value))).collect();
        }
    }
    all
}

/// Returns a state of the system's instance as one of the model's.
fn state(program: &Program, machine: &Machine<'_>, system: &System, state: &system::evaluator::State) -> State {
    let value = |(slot, value): (usize, &Concrete)| match value {
        Concrete::Element(_, position) => u8::try_from(*position).unwrap(),
        Concrete::Number(number) => u8::try_from(number - machine.least).unwrap(),
        Concrete::Constant(constant) => {
            let ty = machine.type_of_slot(slot);
            let text = |ConstantId(id): ConstantId| system.constants[id as usize].name.to_lowercase();
            match &program.types[ty.0].values {
                Values::Named(names) => {
                    let position = names.iter().position(|name| name.to_lowercase() == text(*constant));
                    u8::try_from(position.unwrap()).unwrap()
                }
                Values::Processes | Values::Unknown | Values::Integers | Values::Reals => machine.processes(),
            }
        }
    };
    // The relation that orders the processes is no variable of the model.
    state.0.iter().enumerate().take(machine.slots.len()).map(value).collect()
}

/// Returns the values of variables that the model does not have: the order of the processes and the real numbers are those
/// of the instance of the model, and numbers that rules choose make no difference.
fn fixed(evaluator: &Evaluator<'_>, program: &Program) -> Vec<(usize, Concrete)> {
    let system = evaluator.system();
    let mut all = Vec::new();
    for (id, variable) in (0..).map(VariableId).zip(&system.variables).skip(program.variables.len()) {
        for elements in evaluator.elements(id) {
            let value = match (elements.as_slice(), variable.name.strip_suffix(".0")) {
                ([one, other], _) => Concrete::Constant(if one < other { system::TRUE } else { system::FALSE }),
                (_, Some(real)) => Concrete::Number(real.parse().unwrap()),
                _ if system.is_choice(id) => Concrete::Number(0),
                _ => continue,
            };
            all.push((evaluator.slot(id, &elements), value));
        }
    }
    all
}

/// Returns the state with all numbers that a rule may choose.
fn with_choices(evaluator: &Evaluator<'_>, state: &system::evaluator::State) -> Vec<system::evaluator::State> {
    let system = evaluator.system();
    let mut all = vec![state.clone()];
    for id in (0..).map(VariableId).take(system.variables.len()).filter(|id| system.is_choice(*id)) {
        let slot = evaluator.slot(id, &[]);
        let numbers = evaluator.values(system.variables[id.index()].sort);
        let with = |state: &system::evaluator::State, number: &Concrete| {
            let mut state = state.clone();
            state.0[slot] = *number;
            state
        };
        all = all.iter().flat_map(|state| numbers.iter().map(move |number| with(state, number))).collect();
    }
    all
}

/// Returns whether the instance has all numbers of a state.
fn is_within(evaluator: &Evaluator<'_>, state: &system::evaluator::State) -> bool {
    let low = evaluator.system().sorts.iter().find_map(|sort| sort.numbers).map_or(0, |numbers| numbers.low);
    state.0.iter().all(|value| match value {
        Concrete::Number(number) => (low..=GREATEST).contains(number),
        Concrete::Constant(_) | Concrete::Element(..) => true,
    })
}

/// What two ways to explore a program came to.
enum Compared {
    /// The same, with so many states.
    Same(usize),
    /// The program is refused, or has too many states.
    Skipped,
}

/// More states are not compared.
const MOST_STATES: usize = 600;

fn compare(text: &str, processes: u32) -> Compared {
    let mut settings = Settings::default();
    for ty in ["int", "real"].into_iter().filter(|ty| text.contains(&format!(": {ty}"))) {
        settings.constants.insert(ty.to_owned(), Setting::Number(GREATEST));
    }
    let model = Model::read(text, &settings).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let Ok(lowered) = model.lower() else { return Compared::Skipped };
    let system = lowered.system;
    assert_eq!(system::wellformed::problems(system), Vec::<String>::new(), "{text}");
    let program = model.program();
    let numbers = system.sorts.iter().find_map(|sort| sort.numbers);
    let numbers = numbers.map_or(0, |own| u32::try_from(own.high - own.low + 1).unwrap());
    let size = |(ty, own): (usize, &crate::program::Type)| match ty {
        1 => processes,
        _ if own.values.are_numbers() => numbers,
        _ => 2,
    };
    let sizes: Vec<u32> = program.types.iter().enumerate().map(size).collect();
    let machine = Machine::new(program, &sizes).unwrap();
    let evaluator = Evaluator::new(system, vec![processes, 2]).unwrap();
    let initial: BTreeSet<State> =
        machine.initial_states(&mut || true).unwrap().iter().flat_map(|state| expanded(&machine, state)).collect();
    let mut concrete = BTreeSet::new();
    for start in (0..system.startstates.len()).map(|start| StartstateId(u32::try_from(start).unwrap())) {
        for parameters in evaluator.startstate_parameters(start) {
            let Some(mut choices) = evaluator.initial(start, &parameters) else { continue };
            fixed(&evaluator, program).into_iter().for_each(|(slot, value)| choices.0[slot] = BTreeSet::from([value]));
            if choices.count_below(MOST_STATES).is_none() {
                return Compared::Skipped;
            }
            concrete.extend(choices.states().into_iter().filter(|state| is_admitted(&evaluator, state)));
        }
    }
    grow(&evaluator, program, &mut concrete);
    let own = |own: &system::evaluator::State| state(program, &machine, system, own);
    let started: BTreeSet<State> = concrete.iter().map(own).collect();
    assert_eq!(initial, started, "the initial states of {text} at {processes}");
    let mut open: Vec<_> = concrete.iter().cloned().collect();
    while let Some(next) = open.pop() {
        agree(text, &model, &machine, &evaluator, &next);
        for successor in successors(&evaluator, program, &next) {
            if concrete.len() > MOST_STATES {
                return Compared::Skipped;
            }
            if concrete.insert(successor.clone()) {
                open.push(successor);
            }
        }
    }
    Compared::Same(concrete.len())
}

fn is_admitted(evaluator: &Evaluator<'_>, state: &system::evaluator::State) -> bool {
    let axioms = &evaluator.system().axioms;
    let by_formula = axioms.iter().all(|axiom| evaluator.holds(&axiom.formula, &axiom.scope, state));
    let by_cubes = !axioms.iter().flat_map(|axiom| &axiom.bad).any(|cube| evaluator.satisfies(cube, state));
    assert_eq!(by_formula, by_cubes);
    by_formula
}

/// Adds the states to which the rules lead by which numbers grow at the start.
fn grow(evaluator: &Evaluator<'_>, program: &Program, states: &mut BTreeSet<system::evaluator::State>) {
    let rules = (0..).map(RuleId).take(evaluator.system().rules.len()).skip(program.transitions.len());
    let rules: Vec<RuleId> = rules.collect();
    let mut open: Vec<_> = states.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for next in rules.iter().flat_map(|rule| by_rule(evaluator, program, *rule, &state)) {
            if states.insert(next.clone()) {
                open.push(next);
            }
        }
    }
}

fn successors(
    evaluator: &Evaluator<'_>,
    program: &Program,
    state: &system::evaluator::State,
) -> BTreeSet<system::evaluator::State> {
    let rules = (0..evaluator.system().rules.len()).map(|rule| RuleId(u32::try_from(rule).unwrap()));
    rules.flat_map(|rule| by_rule(evaluator, program, rule, state)).collect()
}

fn by_rule(
    evaluator: &Evaluator<'_>,
    program: &Program,
    rule: RuleId,
    state: &system::evaluator::State,
) -> Vec<system::evaluator::State> {
    let mut found = Vec::new();
    for state in with_choices(evaluator, state) {
        let parameters = evaluator.rule_parameters(rule).into_iter();
        let choices = parameters.filter_map(|parameters| evaluator.successors(rule, &parameters, &state));
        for mut next in choices.flat_map(|choices| choices.states()) {
            fixed(evaluator, program).into_iter().for_each(|(slot, value)| next.0[slot] = value);
            if is_within(evaluator, &next) && is_admitted(evaluator, &next) {
                found.push(next);
            }
        }
    }
    found
}

/// Returns whether the system has more executions than the text.
fn has_more(text: &str) -> bool {
    text.contains(": real") || text.contains("+ K") || text.contains("- K") || text.contains("* K")
}

/// Checks that both ways agree about what is next and what is unsafe.
fn agree(
    text: &str,
    model: &Model,
    machine: &Machine<'_>,
    evaluator: &Evaluator<'_>,
    concrete: &system::evaluator::State,
) {
    let (program, system) = (model.program(), evaluator.system());
    let own = |own: &system::evaluator::State| state(program, machine, system, own);
    let here = own(concrete);
    for (number, transition) in program.transitions.iter().enumerate() {
        let executed: BTreeSet<State> = different(machine.processes(), transition.parameters)
            .iter()
            .flat_map(|parameters| machine.successors(transition, parameters, &here))
            .flat_map(|(_, next)| expanded(machine, &next))
            .collect();
        let rule = RuleId(u32::try_from(number).unwrap());
        let lowered: BTreeSet<State> = by_rule(evaluator, program, rule, concrete).iter().map(own).collect();
        let same = executed == lowered || (has_more(text) && executed.is_subset(&lowered));
        assert!(same, "{} from {here:?} in {text}: {executed:?} {lowered:?}", transition.name);
    }
    for property in (0..system.properties.len()).map(|property| PropertyId(u32::try_from(property).unwrap())) {
        let property = &system.properties[property.index()];
        let claim = program.unsafes.iter().find(|claim| program.origin(claim.span) == property.origin).unwrap();
        let is_bad = machine.satisfying(claim, &here).is_some();
        assert_eq!(is_bad, !evaluator.holds(&property.formula, &property.scope, concrete), "{here:?} in {text}");
        let in_cube = property.bad.iter().any(|cube| evaluator.satisfies(cube, concrete));
        assert_eq!(is_bad, in_cube, "{} in {here:?} in {text}: {:?}", property.name, property.bad);
    }
}

/// The axioms are those of the total orders, as formulas and as cubes.
#[test]
fn three_processes_are_ordered_in_six_ways() {
    let text = "array A[proc] : bool init (x) { A[x] = False } unsafe (x y) { A[x] = True && x < y }";
    let model = Model::read(text, &Settings::default()).unwrap();
    let system = model.lower().unwrap().system;
    let evaluator = Evaluator::new(system, vec![3]).unwrap();
    let states = evaluator.initial(StartstateId(0), &[]).unwrap().states();
    assert_eq!(states.len(), 1 << 9);
    let by_formula = states
        .iter()
        .filter(|state| system.axioms.iter().all(|axiom| evaluator.holds(&axiom.formula, &axiom.scope, state)));
    let by_cubes = states.iter().filter(|state| {
        !system.axioms.iter().flat_map(|axiom| &axiom.bad).any(|cube| evaluator.satisfies(cube, state))
    });
    let orders: Vec<_> = by_formula.collect();
    assert_eq!(orders.len(), 6);
    assert_eq!(orders, by_cubes.collect::<Vec<_>>());
}

/// The programs from a range of seeds, at one to three processes. Returns how many were compared, and their states.
fn compare_all(seeds: std::ops::Range<u64>, has_numbers: bool) -> (usize, usize) {
    let (mut compared, mut states) = (0, 0);
    for seed in seeds {
        for processes in 1..=3 {
            if let Compared::Same(count) = compare(&program(seed, has_numbers), processes) {
                compared += 1;
                states += count;
            }
        }
    }
    (compared, states)
}

#[test]
fn generated_programs_mean_the_same_when_they_are_lowered_and_when_they_are_executed() {
    let (compared, states) = compare_all(0..400, false);
    // Many programs must be compared, and must do something.
    assert!(compared > 300 && states > 30_000, "{compared} comparisons with {states} states");
}

#[test]
#[ignore = "a long version of the test above"]
fn many_generated_programs_mean_the_same() {
    let (compared, states) = compare_all(1_000..6_000, false);
    assert!(compared > 4_000 && states > 350_000, "{compared} comparisons with {states} states");
}

#[test]
fn generated_programs_with_numbers_mean_the_same() {
    let (compared, states) = compare_all(0..150, true);
    assert!(compared > 60 && states > 7_000, "{compared} comparisons with {states} states");
}

/// Each way in which numbers are expressed occurs among the programs that are compared.
#[test]
fn generated_programs_use_all_ways_to_express_numbers() {
    let mut counts = [0_usize; 4];
    for text in (0..200).map(|seed| program(seed, true)) {
        let model = Model::read(&text, &Settings::default()).unwrap();
        let Ok(lowered) = model.lower() else { continue };
        let names: Vec<&str> = lowered.system.variables.iter().map(|variable| variable.name.as_str()).collect();
        let is_used = [
            names.contains(&"starting"),
            names.contains(&"number") && text.contains(": int"),
            names.iter().any(|name| name.ends_with(".0")),
            !lowered.system.axioms.is_empty(),
        ];
        counts.iter_mut().zip(is_used).for_each(|(count, is_used)| *count += usize::from(is_used));
    }
    assert!(counts.iter().all(|count| *count >= 4), "{counts:?}");
}

#[test]
#[ignore = "a long version of the test above"]
fn many_generated_programs_with_numbers_mean_the_same() {
    let (compared, states) = compare_all(1_000..4_000, true);
    assert!(compared > 1_200 && states > 140_000, "{compared} comparisons with {states} states");
}
