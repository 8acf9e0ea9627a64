//! Compares the lowered system with the execution of the text, on generated programs.
//!
//! At one to three processes, the reachable states are the same, every transition leads from each of them to the same
//! states, and each `unsafe` holds in the same states, as a formula and as cubes.

use std::collections::BTreeSet;
use std::fmt::Write;

use system::evaluator::{Choices, Concrete, Evaluator};
use system::front_end::{FrontEnd, Settings};
use system::{ConstantId, PropertyId, RuleId, StartstateId, System};

use crate::front_end::Model;
use crate::instance::{Machine, State, UNKNOWN, different};
use crate::program::{Program, Values};

/// A generator of numbers whose sequence depends on the seed alone.
struct Random {
    state: u64,
    /// The types that the variables of a program have.
    types: Vec<&'static str>,
    /// The process constants in it.
    constants: &'static [&'static str],
    /// Whether processes are compared by `<`.
    has_order: bool,
}

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % u64::try_from(bound).unwrap()).unwrap()
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn often(&mut self) -> bool {
        self.below(4) > 0
    }
}

/// The types of variables, with their variables, and what `init` may say about them. A program has those of some types.
const TYPES: [(&str, &str, &[&str]); 4] = [
    (
        "state",
        "array A[proc] : state\nvar S : state",
        &["A[z] = Idle", "S = Idle", "A[z] = Idle", "S <> Busy", "A[z] = S", "A[z] <> Busy"],
    ),
    (
        "bool",
        "array M[proc, proc] : bool\nvar B : bool",
        &["M[z, w] = False", "M[z, z] = True", "M[z, w] = B", "(B = True || B = False)", "B = B", "M[z, w] <> True"],
    ),
    (
        "proc",
        "array P[proc] : proc\nvar X : proc\nvar Y : proc",
        &["P[z] = z", "P[z] = X", "P[z] <> w", "X = Y", "X <> Y", "X <> z", "Y <> z", "X = #1", "P[#1] = #1"],
    ),
    ("data", "var D : data\nvar E : data", &["D = E", "D <> E", "D = D"]),
];

/// Generates a term of the named type that may mention the given processes.
fn term(random: &mut Random, ty: &str, processes: &[&str]) -> String {
    let index = |random: &mut Random| random.of(processes).to_owned();
    match ty {
        "state" if processes.is_empty() || random.below(3) > 0 => random.of(&["Idle", "Busy", "Done", "S"]).to_owned(),
        "state" => format!("A[{}]", index(random)),
        "bool" if processes.is_empty() || random.below(3) > 0 => random.of(&["True", "False", "B"]).to_owned(),
        "bool" => format!("M[{}, {}]", index(random), index(random)),
        "data" => random.of(&["D", "E"]).to_owned(),
        "proc" if processes.is_empty() || random.below(4) == 0 => random.of(&["X", "Y"]).to_owned(),
        "proc" if random.below(3) == 0 => format!("P[{}]", index(random)),
        "proc" => index(random),
        _ => unreachable!("there is no such type"),
    }
}

fn literal(random: &mut Random, processes: &[&str]) -> String {
    if random.has_order && !processes.is_empty() && random.below(4) == 0 {
        let relation = random.of(&["<", "<=", ">", ">="]);
        return format!("{} {relation} {}", random.of(processes), random.of(processes));
    }
    let position = random.below(random.types.len());
    let ty = random.types[position];
    let relation = random.of(&["=", "<>"]);
    format!("{} {relation} {}", term(random, ty, processes), term(random, ty, processes))
}

/// Generates a formula without quantifiers.
fn formula(random: &mut Random, processes: &[&str], depth: usize) -> String {
    if depth == 0 || random.below(3) == 0 {
        return literal(random, processes);
    }
    let mut part = || formula(random, processes, depth - 1);
    let (one, other, third) = (part(), part(), part());
    match random.below(7) {
        0 => format!("({one} || {other})"),
        1 => format!("not ({one})"),
        2 => format!("({one} => {other})"),
        3 => format!("({one} <=> {other})"),
        4 => format!("(if {one} then {other} else {third})"),
        _ => format!("({one} && {other})"),
    }
}

fn guard(random: &mut Random, processes: &[&str]) -> String {
    let mut guard = formula(random, processes, 2);
    let quantifier = random.of(&["", "", "forall_other k. ", "forall k. ", "forall k <> l. ", "not exists k. "]);
    if !quantifier.is_empty() {
        let mut inside = [processes, &["k"]].concat();
        if quantifier.contains("<>") {
            inside.push("l");
        }
        let body = formula(random, &inside, 1);
        let connective = random.of(&["&&", "||"]);
        write!(guard, " {connective} ({quantifier}{body})").unwrap();
    }
    guard
}

fn assignment(random: &mut Random, target: &str, ty: &str, indices: usize, processes: &[&str]) -> String {
    let names = &["j", "i"][..indices];
    if indices == 0 && random.below(4) == 0 {
        return format!("{target} := .");
    }
    if indices > 0 && !processes.is_empty() && random.often() {
        let at: Vec<&str> = names.iter().map(|_| random.of(processes)).collect();
        return format!("{target}[{}] := {}", at.join(", "), term(random, ty, processes));
    }
    let inside = [processes, names].concat();
    let at = if indices == 0 { String::new() } else { format!("[{}]", names.join(", ")) };
    let mut text = format!("{target}{at} := case");
    for _ in 0..=random.below(2) {
        let condition = formula(random, &inside, 1);
        write!(text, " | {condition} : {}", term(random, ty, &inside)).unwrap();
    }
    let default = if random.often() { format!("{target}{at}") } else { term(random, ty, &inside) };
    write!(text, " | _ : {default}").unwrap();
    text
}

fn transition(random: &mut Random, number: usize, text: &mut String) {
    let processes = &["x", "y"][..random.below(3)];
    let mentioned = [processes, random.constants].concat();
    let guard = guard(random, &mentioned);
    let mut updates = Vec::new();
    for (target, ty, indices) in [
        ("A", "state", 1),
        ("M", "bool", 2),
        ("P", "proc", 1),
        ("S", "state", 0),
        ("B", "bool", 0),
        ("X", "proc", 0),
        ("D", "data", 0),
    ] {
        if random.types.contains(&ty) && random.below(3) == 0 {
            updates.push(assignment(random, target, ty, indices, &mentioned));
        }
    }
    writeln!(
        text,
        "transition t{number} ({}) requires {{ {guard} }} {{ {} }}",
        processes.join(" "),
        updates.join("; ")
    )
    .unwrap();
}

fn init(random: &mut Random) -> String {
    let mut parts = Vec::new();
    for (ty, _, claims) in TYPES {
        if random.types.contains(&ty) {
            for _ in 0..=random.below(3) {
                parts.push(random.of(claims));
            }
        }
    }
    format!("init (z w) {{ {} }}", parts.join(" && "))
}

fn program(seed: u64) -> String {
    let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let constants: &[&str] = if seed.is_multiple_of(3) { &["#1"] } else { &[] };
    let mut random = Random { state, types: vec!["state"], constants, has_order: seed % 3 == 1 };
    for _ in 0..8 {
        random.below(2);
    }
    let left_out = 1 + random.below(3);
    let types = TYPES.iter().enumerate().skip(1).filter(|(number, _)| *number != left_out).map(|(_, (ty, _, _))| *ty);
    random.types.extend(types);
    let mut text = "type state = Idle | Busy | Done\ntype data\n".to_owned();
    for (ty, declarations, _) in TYPES {
        if random.types.contains(&ty) {
            writeln!(text, "{declarations}").unwrap();
        }
    }
    writeln!(text, "{}", init(&mut random)).unwrap();
    for _ in 0..2 {
        let processes = &["x", "y"][..random.below(3)];
        let mentioned = [processes, constants].concat();
        writeln!(text, "unsafe ({}) {{ {} }}", processes.join(" "), formula(&mut random, &mentioned, 2)).unwrap();
    }
    if random.below(2) == 0 {
        let mentioned = [["x", "y"].as_slice(), constants].concat();
        let body = formula(&mut random, &mentioned, 1);
        writeln!(text, "unsafe {{ not (forall x <> y. {body}) }}").unwrap();
    }
    for number in 0..2 {
        transition(&mut random, number, &mut text);
    }
    text
}

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
        Concrete::Number(_) => unreachable!("no type has numbers"),
        Concrete::Constant(constant) => {
            let ty = machine.type_of_slot(slot);
            let text = |ConstantId(id): ConstantId| system.constants[id as usize].name.to_lowercase();
            match &program.types[ty.0].values {
                Values::Named(names) => {
                    let position = names.iter().position(|name| name.to_lowercase() == text(*constant));
                    u8::try_from(position.unwrap()).unwrap()
                }
                Values::Processes | Values::Unknown => machine.processes(),
            }
        }
    };
    // The relation that orders the processes is no variable of the model.
    state.0.iter().enumerate().take(machine.slots.len()).map(value).collect()
}

/// Fixes the order of the processes, which the instance of the model has as well.
fn in_order(evaluator: &Evaluator<'_>, program: &Program, choices: &mut Choices) {
    let variables = evaluator.system().variables.len();
    for variable in (program.variables.len()..variables).map(|id| system::VariableId(u32::try_from(id).unwrap())) {
        for elements in evaluator.elements(variable) {
            let truth = Concrete::Constant(if elements[0] < elements[1] { system::TRUE } else { system::FALSE });
            choices.0[evaluator.slot(variable, &elements)] = BTreeSet::from([truth]);
        }
    }
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
    let model = Model::read(text, &Settings::default()).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let Ok(lowered) = model.lower() else { return Compared::Skipped };
    let system = lowered.system;
    assert_eq!(system::wellformed::problems(system), Vec::<String>::new(), "{text}");
    let program = model.program();
    let sizes: Vec<u32> =
        program.types.iter().map(|_| 2).enumerate().map(|(ty, two)| if ty == 1 { processes } else { two }).collect();
    let machine = Machine::new(program, &sizes).unwrap();
    let evaluator = Evaluator::new(system, vec![processes, 2]).unwrap();
    let initial: BTreeSet<State> =
        machine.initial_states(&mut || true).unwrap().iter().flat_map(|state| expanded(&machine, state)).collect();
    let mut concrete = BTreeSet::new();
    for start in (0..system.startstates.len()).map(|start| StartstateId(u32::try_from(start).unwrap())) {
        for parameters in evaluator.startstate_parameters(start) {
            let Some(mut choices) = evaluator.initial(start, &parameters) else { continue };
            in_order(&evaluator, program, &mut choices);
            if choices.count_below(MOST_STATES).is_none() {
                return Compared::Skipped;
            }
            concrete.extend(choices.states());
        }
    }
    let own = |own: &system::evaluator::State| state(program, &machine, system, own);
    assert_eq!(initial, concrete.iter().map(own).collect(), "the initial states of {text} at {processes}");
    let mut open: Vec<_> = concrete.iter().cloned().collect();
    while let Some(next) = open.pop() {
        agree(text, &model, &machine, &evaluator, &next);
        for successor in successors(&evaluator, &next) {
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

fn successors(evaluator: &Evaluator<'_>, state: &system::evaluator::State) -> BTreeSet<system::evaluator::State> {
    let rules = (0..evaluator.system().rules.len()).map(|rule| RuleId(u32::try_from(rule).unwrap()));
    rules.flat_map(|rule| by_rule(evaluator, rule, state)).collect()
}

fn by_rule(evaluator: &Evaluator<'_>, rule: RuleId, state: &system::evaluator::State) -> Vec<system::evaluator::State> {
    let parameters = evaluator.rule_parameters(rule).into_iter();
    parameters
        .filter_map(|parameters| evaluator.successors(rule, &parameters, state))
        .flat_map(|choices| choices.states())
        .collect()
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
    for axiom in &system.axioms {
        assert!(evaluator.holds(&axiom.formula, &axiom.scope, concrete), "{}", axiom.name);
    }
    let own = |own: &system::evaluator::State| state(program, machine, system, own);
    let here = own(concrete);
    for (number, transition) in program.transitions.iter().enumerate() {
        let executed: BTreeSet<State> = different(machine.processes(), transition.parameters)
            .iter()
            .flat_map(|parameters| machine.successors(transition, parameters, &here))
            .flat_map(|(_, next)| expanded(machine, &next))
            .collect();
        let rule = RuleId(u32::try_from(number).unwrap());
        let lowered: BTreeSet<State> = by_rule(evaluator, rule, concrete).iter().map(own).collect();
        assert_eq!(executed, lowered, "{} from {here:?} in {text}", transition.name);
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
fn compare_all(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut compared, mut states) = (0, 0);
    for seed in seeds {
        for processes in 1..=3 {
            if let Compared::Same(count) = compare(&program(seed), processes) {
                compared += 1;
                states += count;
            }
        }
    }
    (compared, states)
}

#[test]
fn generated_programs_mean_the_same_when_they_are_lowered_and_when_they_are_executed() {
    let (compared, states) = compare_all(0..400);
    // Many programs must be compared, and must do something.
    assert!(compared > 300 && states > 30_000, "{compared} comparisons with {states} states");
}

#[test]
#[ignore = "a long version of the test above"]
fn many_generated_programs_mean_the_same() {
    let (compared, states) = compare_all(1_000..6_000);
    assert!(compared > 4_000 && states > 350_000, "{compared} comparisons with {states} states");
}
