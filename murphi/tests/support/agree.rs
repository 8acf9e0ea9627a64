//! Checks that a lowered system agrees with the execution of the statements. The fuzz targets use this file, too.
//!
//! In random states, changed so that the guards of the rules become true one after the other, the successors under each
//! Murphi rule are the same in the lowered system and in the concrete execution; so are initial states, properties and
//! assertions. Where the bound of a range is dropped because any constant may determine it, the lowered system may also have
//! successors outside of the range.

#![allow(clippy::unwrap_used, clippy::too_many_arguments, reason = "it is a test")]

use std::collections::{BTreeMap, BTreeSet};

use murphi::exec::{Machine, PathPart, ScalarKind};
use murphi::instance::Deadlock;
use murphi::lower::Lowered;
use murphi::program::{self, Program, TypeKind};
use system::System;
use system::evaluator::{Choices, Concrete, Evaluator, State};
use system::{
    ConstantId, FALSE, Formula, IndexTerm, IndexVariable, Origin, PathStep, Property, PropertyKind, Role, Rule, RuleId,
    StartstateId, TRUE, Term, Update, Value, VariableId,
};

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A program as an executable machine and as an instance of its lowered system.
struct Both<'a> {
    machine: &'a Machine,
    lowered: &'a Lowered,
    instance: Evaluator<'a>,
    /// The scalar of each slot; none of one that is not a variable of the program.
    scalars: Vec<Option<usize>>,
    /// The slots of numbers that rules choose.
    choices: Vec<usize>,
    /// The meaning of each code of the scalar of a slot, starting with code 1.
    meanings: Vec<Vec<Concrete>>,
    /// The undefined value, if it is a constant of the slot's sort.
    undefined: Vec<Option<Concrete>>,
    /// The scalars of variables that became named elements.
    homes: Vec<usize>,
    /// All values of each slot.
    values: Vec<Vec<Concrete>>,
    /// The permutations of the elements without names, for each index type.
    renamings: Vec<Vec<Vec<u32>>>,
    /// What counts as a deadlock, if the last property is that there is none.
    deadlock: Option<Deadlock>,
}

/// A state after a step: undefined scalars have no value.
type After = Vec<Option<Concrete>>;

impl<'a> Both<'a> {
    fn new(machine: &'a Machine, lowered: &'a Lowered, sizes: &[u32]) -> Self {
        let program = machine.program();
        let system = &lowered.system;
        let instance = Evaluator::new(system, sizes.to_vec()).unwrap();
        let constants: BTreeMap<&str, ConstantId> =
            (0..).zip(&system.constants).map(|(id, c)| (&*c.name, ConstantId(id))).collect();
        let variables: BTreeMap<&str, VariableId> =
            (0..).zip(&system.variables).map(|(id, v)| (&*v.name, VariableId(id))).collect();
        let concrete = |ty, value: i64, first: i64| match lowered.types.get(&ty) {
            Some(index_type) => Concrete::Element(*index_type, u32::try_from(value - first).unwrap()),
            None => Concrete::Constant(constants[&*machine.values().text(program, ty, value)]),
        };
        let undefined_constant = constants.get("undefined").copied();
        // No property is violated yet.
        let slots = instance.slots();
        let mut scalars = vec![None; slots];
        let mut meanings = vec![Vec::new(); slots];
        let mut undefined = vec![None; slots];
        let mut values = vec![vec![Concrete::Constant(FALSE)]; slots];
        let choices = enter_numbers(program, &instance, &mut values);
        for (scalar, path) in machine.layout().paths(program, machine.values()).iter().enumerate() {
            let kind = &machine.layout().scalars()[scalar];
            if lowered.homes.contains_key(&kind.global) {
                continue;
            }
            let (mut name, mut elements) = (String::new(), Vec::new());
            for part in path {
                match part {
                    PathPart::Name(part) if name.is_empty() => name.push_str(part),
                    PathPart::Name(part) => name.extend([".", part]),
                    PathPart::Index { ty, value, .. } => {
                        let first = machine.values().domain(*ty).unwrap().segments()[0].first;
                        match concrete(*ty, *value, first) {
                            Concrete::Element(_, position) => {
                                name.push_str("[]");
                                elements.push(position);
                            }
                            Concrete::Constant(constant) => {
                                name.extend(["[", &system.constants[constant.index()].name, "]"]);
                            }
                            Concrete::Number(_) => panic!("an index is a number"),
                        }
                    }
                    PathPart::Position { .. } | PathPart::Present(_) => panic!("a multiset was lowered"),
                }
            }
            let variable = variables[&*name];
            let slot = instance.slot(variable, &elements);
            let ScalarKind::Value(_, domain) = &kind.kind else { panic!("a multiset was lowered") };
            let segments = domain.segments();
            scalars[slot] = Some(scalar);
            let numbers = system.sort_of(variable).numbers.is_some();
            let concrete =
                |ty, value: i64, first| if numbers { Concrete::Number(value) } else { concrete(ty, value, first) };
            meanings[slot] = segments
                .iter()
                .flat_map(|s| (0..s.count).map(|n| concrete(s.ty, s.first.checked_add_unsigned(n).unwrap(), s.first)))
                .collect();
            undefined[slot] =
                undefined_constant.filter(|u| system.sort_of(variable).constants.contains(u)).map(Concrete::Constant);
            values[slot] = instance.values(system.variables[variable.index()].sort).into_iter().collect();
        }
        for (id, variable) in (0..).map(VariableId).zip(&system.variables) {
            let is_program = !matches!(variable.path[..], [PathStep::Rank | PathStep::Number(_) | PathStep::Half(..)])
                && !matches!(variable.path[0], PathStep::Holds(_))
                && !system.monitors().contains(&id)
                && !program.constants.iter().any(|(constant, _)| *constant == variable.name);
            let missing = instance.elements(id).iter().any(|elements| scalars[instance.slot(id, elements)].is_none());
            assert!(!is_program || !missing, "`{}` is not a variable of the program", variable.name);
        }
        let homes = lowered.homes.keys().map(|home| machine.layout().base(*home).unwrap()).collect();
        let renamings = renamings(system, sizes);
        let deadlock = None;
        Self { machine, lowered, instance, scalars, choices, meanings, undefined, homes, values, renamings, deadlock }
    }

    /// The state with its elements renamed.
    fn renamed(&self, state: &State, renaming: &[Vec<u32>]) -> State {
        let mut renamed = state.clone();
        let system = self.system();
        for (id, variable) in (0..).map(VariableId).zip(&system.variables) {
            for elements in self.instance.elements(id) {
                let to =
                    variable.arguments.iter().zip(&elements).map(|(over, &at)| renaming[over.index()][at as usize]);
                let to: Vec<u32> = to.collect();
                renamed.0[self.instance.slot(id, &to)] = match state.0[self.instance.slot(id, &elements)] {
                    Concrete::Element(over, at) => Concrete::Element(over, renaming[over.index()][at as usize]),
                    other @ (Concrete::Constant(_) | Concrete::Number(_)) => other,
                };
            }
        }
        renamed
    }

    fn system(&self) -> &System {
        &self.lowered.system
    }

    fn random(&self, random: &mut Random) -> State {
        State(self.values.iter().map(|values| *random.of(values)).collect())
    }

    /// The state in the form that the machine uses.
    fn packed(&self, state: &State) -> Vec<u64> {
        let layout = self.machine.layout();
        let mut packed = vec![0; layout.words()];
        for &home in &self.homes {
            layout.set_code(&mut packed, home, 1);
        }
        for (slot, value) in state.0.iter().enumerate() {
            let Some(scalar) = self.scalars[slot] else { continue };
            let code = match self.meanings[slot].iter().position(|meaning| meaning == value) {
                Some(at) => at + 1,
                None => {
                    assert_eq!(self.undefined[slot].as_ref(), Some(value));
                    0
                }
            };
            layout.set_code(&mut packed, scalar, u64::try_from(code).unwrap());
        }
        packed
    }

    fn after(&self, packed: &[u64]) -> After {
        let code = |scalar: usize| usize::try_from(self.machine.layout().code(packed, scalar)).unwrap();
        (0..self.scalars.len())
            .map(|slot| match code(self.scalars[slot]?) {
                0 => self.undefined[slot],
                code => Some(self.meanings[slot][code - 1]),
            })
            .collect()
    }

    /// Returns the slots that are variables of the program.
    fn own(&self) -> impl Iterator<Item = usize> {
        (0..self.scalars.len()).filter(|slot| self.scalars[*slot].is_some())
    }

    /// Returns the state with all values of the numbers that rules choose.
    fn chosen(&self, state: &State) -> Vec<State> {
        let mut all = vec![state.clone()];
        for &slot in &self.choices {
            let with = |state: &State| -> Vec<State> {
                let values = self.values[slot].iter();
                values
                    .map(|value| {
                        State(
                            state
                                .0
                                .iter()
                                .enumerate()
                                .map(|(at, own)| if at == slot { *value } else { *own })
                                .collect(),
                        )
                    })
                    .collect()
            };
            all = all.iter().flat_map(with).collect();
        }
        all.retain(|state| self.are_held(state));
        all
    }

    /// Returns whether the variables that are only set where a part of a guard holds are set as their axioms say.
    fn are_held(&self, state: &State) -> bool {
        let mut axioms = self.system().axioms.iter().filter(|axiom| self.system().is_about_guard(axiom));
        axioms.all(|axiom| self.instance.holds(&axiom.formula, &axiom.scope, state))
    }

    /// Returns whether all numbers are those of an instance.
    fn is_within(&self, choices: &Choices) -> bool {
        let is_value = |slot: usize| choices.0[slot].iter().all(|value| self.values[slot].contains(value));
        self.own().all(is_value)
    }

    /// Returns whether the choices are the state, where undefined scalars may have any value.
    fn are(&self, choices: &Choices, after: &After) -> bool {
        self.own().all(|slot| match after[slot] {
            Some(value) => choices.0[slot].len() == 1 && choices.0[slot].contains(&value),
            None => choices.0[slot].len() == self.values[slot].len(),
        })
    }

    /// Returns where the choices that are closest to a state differ from it.
    fn difference(&self, choices: &[Choices], afters: &[After]) -> String {
        let names = self.machine.layout().names(self.machine.program(), self.machine.values());
        let text = |value: &Concrete| self.text(value);
        let pairs = choices.iter().flat_map(|choices| afters.iter().map(move |after| (choices, after)));
        let differences = pairs.map(|(choices, after)| {
            let differs = self.own().filter(|&slot| match after[slot] {
                Some(value) => choices.0[slot] != BTreeSet::from([value]),
                None => choices.0[slot].len() != self.values[slot].len(),
            });
            let told = differs.map(|slot| {
                let lowered: Vec<String> = choices.0[slot].iter().map(text).collect();
                let executed = after[slot].as_ref().map_or("undefined".to_owned(), text);
                format!("{} is {executed}, lowered {lowered:?}", names[self.scalars[slot].unwrap()])
            });
            told.collect::<Vec<_>>()
        });
        differences.min_by_key(Vec::len).unwrap_or_default().join("; ")
    }

    /// Returns a state as text.
    fn told(&self, state: &State) -> String {
        let names = self.machine.layout().names(self.machine.program(), self.machine.values());
        let text = |slot: usize| format!("{} = {}; ", names[self.scalars[slot].unwrap()], self.text(&state.0[slot]));
        self.own().map(text).collect()
    }

    fn text(&self, value: &Concrete) -> String {
        match value {
            Concrete::Constant(constant) => self.system().constants[constant.index()].name.clone(),
            Concrete::Element(over, at) => format!("{}_{at}", self.system().index_types[over.index()].name),
            Concrete::Number(number) => number.to_string(),
        }
    }

    fn covers(&self, choices: &Choices, after: &After) -> bool {
        self.own().all(|slot| match after[slot] {
            Some(value) => choices.0[slot].contains(&value),
            None => choices.0[slot].len() == self.values[slot].len(),
        })
    }
}

/// Enters the values of the state variables that are not in the program: ranks and constants have one, and numbers that
/// rules choose have all, and so have variables that stand for a part of a guard. Returns the slots of the latter two.
fn enter_numbers(program: &Program, instance: &Evaluator<'_>, values: &mut [Vec<Concrete>]) -> Vec<usize> {
    let system = instance.system();
    let mut choices = Vec::new();
    for (id, variable) in (0..).map(VariableId).zip(&system.variables) {
        for elements in instance.elements(id) {
            let slot = instance.slot(id, &elements);
            match &variable.path[..] {
                [PathStep::Rank] => {
                    let first = system.index_types[variable.arguments[0].index()].first;
                    values[slot] = vec![Concrete::Number(first + i64::from(elements[0]))];
                }
                [PathStep::Number(_)] => {
                    values[slot] = instance.values(variable.sort).into_iter().collect();
                    choices.push(slot);
                }
                [PathStep::Holds(_), ..] => {
                    values[slot] = vec![Concrete::Constant(FALSE), Concrete::Constant(TRUE)];
                    choices.push(slot);
                }
                [PathStep::Half(of, more)] => {
                    let [PathStep::Global(name)] = &system.variables[of.index()].path[..] else { panic!() };
                    let (_, whole) = program.constants.iter().find(|(constant, _)| constant == name).unwrap();
                    values[slot] = vec![Concrete::Number((whole + more).div_euclid(2))];
                }
                [PathStep::Global(name)] => {
                    let constant = program.constants.iter().find(|(constant, _)| constant == name);
                    values[slot] = constant.map_or(values[slot].clone(), |(_, value)| vec![Concrete::Number(*value)]);
                }
                _ => {}
            }
        }
    }
    choices
}

/// Returns the system without the numbers of elements, which are no part of the program; `system::counts` has tests of
/// its own. They are the last variables.
fn without_counts(lowered: &Lowered) -> Lowered {
    let mut lowered = lowered.clone();
    let system = &mut lowered.system;
    let is_count = |variable: &system::Variable| matches!(variable.path[..], [PathStep::Count(..)]);
    let first = system.variables.iter().position(is_count).unwrap_or(system.variables.len());
    system.variables.truncate(first);
    for rule in &mut system.rules {
        rule.updates.retain(|update| update.variable.index() < first);
    }
    for start in &mut system.startstates {
        start.updates.retain(|update| update.variable.index() < first);
    }
    system.axioms.retain(|axiom| {
        let mut reads = false;
        axiom.formula.visit_terms(&mut |term| {
            reads |= matches!(term, Term::Read(variable, _) if variable.index() >= first);
        });
        !reads
    });
    lowered
}

/// Returns all permutations of the elements without names, for all index types together.
fn renamings(system: &System, sizes: &[u32]) -> Vec<Vec<Vec<u32>>> {
    let mut all: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for (over, &size) in sizes.iter().enumerate() {
        let ordered = system.rank(system::IndexTypeId(u32::try_from(over).unwrap())).is_some();
        let is_named =
            |at: u32| system.named.iter().any(|named| named.index_type.index() == over && named.position == at);
        let named = |at: u32| ordered || is_named(at);
        let mut orders: Vec<Vec<u32>> = vec![Vec::new()];
        for at in 0..size {
            let free = |order: &Vec<u32>| -> Vec<u32> {
                (0..size).filter(|&to| !order.contains(&to) && if named(at) { to == at } else { !named(to) }).collect()
            };
            let longer = orders.iter().flat_map(|order| {
                free(order).into_iter().map(move |to| order.iter().copied().chain([to]).collect::<Vec<u32>>())
            });
            orders = longer.collect();
        }
        let longer = all.iter().flat_map(|chosen| {
            orders.iter().map(move |order| chosen.iter().cloned().chain([order.clone()]).collect::<Vec<_>>())
        });
        all = longer.collect();
    }
    all
}

/// The effects of the concrete execution in a state.
#[derive(Default)]
struct Executed {
    /// The successors, by the position of the rule in the source.
    successors: BTreeMap<usize, Vec<After>>,
    /// The assertions and errors that are reached.
    failed: Vec<Origin>,
}

fn execute(both: &Both<'_>, state: &State) -> Executed {
    let machine = both.machine;
    let packed = both.packed(state);
    let mut executed = Executed::default();
    let mut scratch = machine.scratch();
    for (number, rule) in machine.rules().iter().enumerate() {
        scratch.load(&packed);
        let result = match machine.enabled(&mut scratch, number) {
            Ok(true) => machine.fire(&mut scratch, number),
            Ok(false) => continue,
            Err(fault) => Err(fault),
        };
        match result {
            Ok(false) => {}
            Ok(true) => {
                let after = both.after(scratch.state());
                let known = executed.successors.entry(rule.rule).or_default();
                if !known.contains(&after) {
                    known.push(after);
                }
            }
            Err(fault) if fault.assertion(machine.program()).is_some() => {
                executed.failed.push(machine.program().origin(fault.span));
            }
            Err(_) => {}
        }
    }
    let properties = &machine.program().properties;
    for (number, property) in machine.properties().iter().enumerate() {
        scratch.load(&packed);
        if properties[property.property].kind != program::PropertyKind::Liveness
            && let Err(fault) = machine.holds(&mut scratch, number)
            && fault.assertion(machine.program()).is_some()
        {
            executed.failed.push(machine.program().origin(fault.span));
        }
    }
    executed
}

/// Returns the places of the assertions that fail in a state or in one that differs only by a renaming of elements. The
/// names of the elements decide which of them comes first, and thus whether a quantifier or loop reaches the one for
/// which the assertion fails.
fn failing_somewhere(both: &Both<'_>, state: &State) -> Vec<Origin> {
    let failed = both.renamings.iter().flat_map(|renaming| execute(both, &both.renamed(state, renaming)).failed);
    failed.collect()
}

/// Compares both in a state. Returns the rules that have a successor.
fn compare(both: &Both<'_>, state: &State, differences: &mut BTreeSet<String>) -> BTreeSet<usize> {
    let system = both.system();
    let executed = execute(both, state);
    let mut lowered: BTreeMap<usize, Vec<Choices>> = BTreeMap::new();
    let mut any_order: BTreeSet<usize> = BTreeSet::new();
    for (id, rule) in (0..).map(RuleId).zip(&system.rules) {
        if stores_any(&rule.scope, &rule.updates) {
            any_order.insert(rule.source as usize);
        }
        for parameters in both.instance.rule_parameters(id) {
            let states = both.chosen(state);
            for choices in states.iter().filter_map(|state| both.instance.successors(id, &parameters, state)) {
                let known = lowered.entry(rule.source as usize).or_default();
                if !known.contains(&choices) {
                    known.push(choices);
                }
            }
        }
    }
    for source in 0..both.machine.program().rules.len() {
        let name = both.machine.rule_name(source);
        let (afters, choices) = (executed.successors.get(&source), lowered.get(&source));
        let (afters, choices) = (afters.map_or(&[][..], Vec::as_slice), choices.map_or(&[][..], Vec::as_slice));
        let lost: Vec<After> =
            afters.iter().filter(|after| !choices.iter().any(|choices| both.covers(choices, after))).cloned().collect();
        // A quantifier that may reach a failing assertion has no successor, whichever element comes first here: the
        // state violates the assertion, so nothing is proven about what follows.
        if !lost.is_empty() && failing_somewhere(both, state).is_empty() {
            differences.insert(format!("`{name}` has a successor that is lost: {}", both.difference(choices, &lost)));
        }
        let made_up: Vec<Choices> =
            choices.iter().filter(|choices| !afters.iter().any(|after| both.are(choices, after))).cloned().collect();
        let made_up: Vec<Choices> = made_up.into_iter().filter(|choices| both.is_within(choices)).collect();
        if !made_up.is_empty() && !any_order.contains(&source) {
            let difference = both.difference(&made_up, afters);
            differences.insert(format!("`{name}` has a successor that is made up: {difference}"));
        }
    }
    let (properties, last) = system.properties.split_at(system.properties.len() - usize::from(both.deadlock.is_some()));
    if let (Some(deadlock), [property]) = (both.deadlock, last) {
        compare_deadlock(both, state, &executed, (deadlock, property), differences);
    }
    let mut somewhere = None;
    for property in properties {
        let expected = match property.kind {
            PropertyKind::Invariant => holds(both, &property.origin, state),
            PropertyKind::Assert | PropertyKind::Error => Some(!executed.failed.contains(&property.origin)),
        };
        let Some(expected) = expected else { continue };
        if expected && property.kind != PropertyKind::Invariant {
            let somewhere = somewhere.get_or_insert_with(|| failing_somewhere(both, state));
            if somewhere.contains(&property.origin) {
                continue;
            }
        }
        if let Some(variable) = monitor(system, property) {
            if noted(both, variable, state) == expected {
                let wrong = if expected { "made up" } else { "lost" };
                differences.insert(format!("a violation of `{}` is {wrong} in {}", property.name, both.told(state)));
            }
            continue;
        }
        let states = both.chosen(state);
        if states.iter().all(|state| both.instance.holds(&property.formula, &property.scope, state)) != expected {
            let told = both.told(state);
            differences.insert(format!("the formula of `{}` differs, expected {expected} in {told}", property.name));
        }
        let is_bad = |state: &State| property.bad.iter().any(|cube| both.instance.satisfies(cube, state));
        if states.iter().any(is_bad) == expected {
            differences.insert(format!("the cubes of `{}` differ", property.name));
        }
    }
    for axiom in system.axioms.iter().filter(|axiom| !system.is_about_guard(axiom)) {
        let Some(expected) = holds(both, &axiom.origin, state) else { continue };
        if both.instance.holds(&axiom.formula, &axiom.scope, state) != expected {
            differences.insert(format!("the formula of the assumption `{}` differs", axiom.name));
        }
        if axiom.bad.iter().any(|cube| both.instance.satisfies(cube, state)) == expected {
            differences.insert(format!("the cubes of the assumption `{}` differ", axiom.name));
        }
    }
    executed.successors.into_keys().collect()
}

/// Compares the property that there is no deadlock, which may be false where an instance has none, if a rule stores an
/// arbitrary value or a chosen element, or if an assertion may fail.
fn compare_deadlock(
    both: &Both<'_>,
    state: &State,
    executed: &Executed,
    (deadlock, property): (Deadlock, &Property),
    differences: &mut BTreeSet<String>,
) {
    // What no choice of a number allows is more than what the state does not allow.
    if !both.choices.is_empty() {
        return;
    }
    let is_same = |after: &After| after.iter().zip(&state.0).all(|(after, before)| after.as_ref() == Some(before));
    let fires = match deadlock {
        Deadlock::Stuck => !executed.successors.is_empty(),
        Deadlock::Stuttering => executed.successors.values().flatten().any(|after| !is_same(after)),
    };
    let system = both.system();
    let monitor = monitor(system, property);
    let holds = match monitor {
        Some(variable) => !noted(both, variable, state),
        None => both.instance.holds(&property.formula, &property.scope, state),
    };
    let is_vague = |rule: &Rule| {
        let arbitrary = rule.updates.iter().any(|update| update.value.leaves().contains(&None));
        deadlock == Deadlock::Stuttering && (arbitrary || stores_any(&rule.scope, &rule.updates))
    };
    let excused = || system.rules.iter().any(is_vague) || !failing_somewhere(both, state).is_empty();
    if holds && !fires || fires && !holds && !excused() {
        differences.insert(format!("{deadlock:?}: a rule fires: {fires}, not {holds}, in {}", both.told(state)));
    }
    if monitor.is_none() && property.bad.iter().any(|cube| both.instance.satisfies(cube, state)) == holds {
        differences.insert(format!("the cubes of {deadlock:?} differ in {}", both.told(state)));
    }
}

/// Returns the variable that records the violation of the property, if there is one.
fn monitor(system: &System, property: &Property) -> Option<VariableId> {
    let Formula::Equal(Term::Read(variable, _), Term::Constant(FALSE)) = &property.formula else { return None };
    system.monitors().get(variable).copied()
}

/// Returns whether a rule sets the variable, which records that a property is violated.
fn noted(both: &Both<'_>, variable: VariableId, state: &State) -> bool {
    (0..).map(RuleId).zip(&both.system().rules).any(|(id, rule)| {
        rule.updates.iter().any(|update| update.variable == variable)
            && both.instance.rule_parameters(id).iter().any(|parameters| {
                let slot = both.instance.slot(variable, &[]);
                let sets = |next: Choices| next.0[slot].contains(&Concrete::Constant(TRUE));
                let states = both.chosen(state);
                states.iter().any(|state| both.instance.successors(id, parameters, state).is_some_and(sets))
            })
    })
}

/// Returns whether an update stores an element that a loop has reached, or what the loop has read there. In the lowered
/// system it may be any element for which the loop writes, not only the one that comes last here.
fn stores_any(scope: &[IndexVariable], updates: &[Update]) -> bool {
    fn stores(scope: &[IndexVariable], value: &Value) -> bool {
        match value {
            Value::Term(Term::Index(index)) => chosen(scope, index),
            Value::Term(Term::Read(_, arguments)) | Value::Sum(Term::Read(_, arguments), _) => {
                arguments.iter().any(|argument| chosen(scope, argument))
            }
            Value::If(condition, yes, no) => asks(scope, condition) || stores(scope, yes) || stores(scope, no),
            Value::Term(Term::Constant(_) | Term::Zero) | Value::Sum(..) | Value::Arbitrary => false,
        }
    }
    fn asks(scope: &[IndexVariable], condition: &Formula) -> bool {
        let of = |term: &Term| stores(scope, &Value::Term(term.clone()));
        match condition {
            Formula::True | Formula::False => false,
            Formula::Equal(left, right) | Formula::AtMost(left, right, _) => of(left) || of(right),
            Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => asks(scope, inner),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| asks(scope, part)),
        }
    }
    fn chosen(scope: &[IndexVariable], index: &IndexTerm) -> bool {
        match index {
            IndexTerm::Variable(variable) => matches!(scope[variable.index()].role, Role::Choice | Role::Witness),
            IndexTerm::Named(_) => false,
        }
    }
    updates.iter().any(|update| stores(scope, &update.value))
}

/// Returns whether an invariant of the source holds, or `None` if its evaluation fails.
fn holds(both: &Both<'_>, origin: &Origin, state: &State) -> Option<bool> {
    let machine = both.machine;
    let packed = both.packed(state);
    let mut scratch = machine.scratch();
    let mut all = true;
    for (number, property) in machine.properties().iter().enumerate() {
        if machine.program().origin(machine.program().properties[property.property].span) == *origin {
            scratch.load(&packed);
            all &= machine.holds(&mut scratch, number).ok()?;
        }
    }
    Some(all)
}

/// Compares the initial states.
fn compare_starts(both: &Both<'_>, differences: &mut BTreeSet<String>) {
    let machine = both.machine;
    let mut afters: Vec<After> = Vec::new();
    let mut scratch = machine.scratch();
    let mut failed = BTreeSet::new();
    for start in 0..machine.starts().len() {
        match machine.start(&mut scratch, start) {
            Ok(true) if both.homes.iter().all(|home| machine.layout().code(scratch.state(), *home) == 1) => {
                afters.push(both.after(scratch.state()));
            }
            Ok(_) => {}
            Err(fault) => {
                failed.extend(fault.assertion(machine.program()).map(|_| machine.program().origin(fault.span).start));
            }
        }
    }
    let mut choices = Vec::new();
    let mut noted = BTreeSet::new();
    let mut any_order = false;
    for (id, startstate) in (0..).map(StartstateId).zip(&both.system().startstates) {
        any_order |= stores_any(&startstate.scope, &startstate.updates);
        for parameters in both.instance.startstate_parameters(id) {
            let initial = both.instance.initial(id, &parameters);
            if both.system().noted_by(startstate).is_none() {
                choices.extend(initial);
            } else if initial.is_some() {
                noted.insert(startstate.origin.start);
            }
        }
    }
    // Refused properties are reported elsewhere.
    let refused = both.lowered.refused_properties.iter().flat_map(|refusal| &refusal.labels);
    let refused: BTreeSet<u32> = refused.map(|label| label.span.start).collect();
    failed.retain(|at| !refused.contains(at));
    if failed != noted {
        differences.insert(format!("assertions fail in startstates at {failed:?}, lowered {noted:?}"));
    }
    if !afters.iter().all(|after| choices.iter().any(|choices| both.covers(choices, after))) {
        differences.insert(format!("an initial state is lost: {}", both.difference(&choices, &afters)));
    }
    choices.retain(|choices| both.is_within(choices));
    if !any_order && !choices.iter().all(|choices| afters.iter().any(|after| both.are(choices, after))) {
        differences.insert(format!("an initial state is made up: {}", both.difference(&choices, &afters)));
    }
}

/// Changes a state so that a formula is more likely to have this truth value.
fn satisfy(
    both: &Both<'_>,
    formula: &Formula,
    truth: bool,
    scope: &[IndexVariable],
    elements: &mut Vec<u32>,
    sizes: &[u32],
    state: &mut State,
    random: &mut Random,
) {
    match (formula, truth) {
        (Formula::True | Formula::False, _) => {}
        (Formula::Not(inner), _) => satisfy(both, inner, !truth, scope, elements, sizes, state, random),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            for part in parts {
                satisfy(both, part, truth, scope, elements, sizes, state, random);
            }
        }
        (Formula::And(parts) | Formula::Or(parts), _) => {
            let part = random.of(parts);
            satisfy(both, part, truth, scope, elements, sizes, state, random);
        }
        (Formula::Forall(variable, inner), true) | (Formula::Exists(variable, inner), false) => {
            for element in 0..sizes[scope[variable.index()].index_type.index()] {
                elements[variable.index()] = element;
                satisfy(both, inner, truth, scope, elements, sizes, state, random);
            }
        }
        (Formula::Forall(variable, inner) | Formula::Exists(variable, inner), _) => {
            let size = sizes[scope[variable.index()].index_type.index()];
            if size > 0 {
                elements[variable.index()] = u32::try_from(random.below(size as usize)).unwrap();
                satisfy(both, inner, truth, scope, elements, sizes, state, random);
            }
        }
        (Formula::Equal(left, right) | Formula::AtMost(left, right, _), _) => {
            let element = |term: &IndexTerm| match term {
                IndexTerm::Variable(v) => (scope[v.index()].index_type, elements[v.index()]),
                IndexTerm::Named(named) => {
                    let named = &both.system().named[named.index()];
                    (named.index_type, named.position)
                }
            };
            let slot = |term: &Term| match term {
                Term::Read(variable, arguments) => {
                    let positions: Vec<u32> = arguments.iter().map(|a| element(a).1).collect();
                    Some(both.instance.slot(*variable, &positions))
                }
                Term::Constant(_) | Term::Index(_) | Term::Zero => None,
            };
            let value = |term: &Term, state: &State| match term {
                Term::Constant(constant) => Concrete::Constant(*constant),
                Term::Zero => Concrete::Number(0),
                Term::Index(index) => {
                    let (index_type, position) = element(index);
                    Concrete::Element(index_type, position)
                }
                Term::Read(..) => state.0[slot(term).unwrap()],
            };
            if let Formula::AtMost(.., sum) = formula {
                let number = |term: &Term| match value(term, state) {
                    Concrete::Number(number) => number,
                    Concrete::Constant(_) | Concrete::Element(..) => panic!("a bound is about numbers"),
                };
                let (one, other) = (number(left), number(right));
                let distance = if truth { one - other - sum } else { other + sum + 1 - one };
                if distance > 0 {
                    let sign = if truth { 1 } else { -1 };
                    let wanted = [(left, one - sign * distance), (right, other + sign * distance)];
                    let fits = |(term, number): &(&Term, i64)| {
                        let slot = slot(term).filter(|slot| both.values[*slot].contains(&Concrete::Number(*number)))?;
                        Some((slot, *number))
                    };
                    let fitting: Vec<_> = wanted.iter().filter_map(fits).collect();
                    if !fitting.is_empty() {
                        let (slot, number) = *random.of(&fitting);
                        state.0[slot] = Concrete::Number(number);
                    }
                }
                return;
            }
            let (changed, other) = if slot(left).is_some() { (left, right) } else { (right, left) };
            if let Some(slot) = slot(changed) {
                let wanted = value(other, state);
                if truth && both.values[slot].contains(&wanted) {
                    state.0[slot] = wanted;
                } else if !truth && state.0[slot] == wanted {
                    state.0[slot] = *random.of(&both.values[slot]);
                }
            }
        }
    }
}

/// The result of a comparison.
pub(crate) struct Report {
    /// The differences between the two.
    pub(crate) differences: BTreeSet<String>,
    /// Rules without a successor in all states tried.
    pub(crate) unfired: Vec<String>,
    /// The number of states that were tried.
    pub(crate) states: usize,
}

/// Compares the two in `rounds` random states per rule. Returns `None` if the program has no instance.
pub(crate) fn compare_both(program: &Program, lowered: &Lowered, seed: u64, rounds: usize) -> Option<Report> {
    compare_all(program, lowered, None, seed, rounds)
}

/// As [`compare_both`], where the last property may be that there is no deadlock.
pub(crate) fn compare_all(
    program: &Program,
    lowered: &Lowered,
    deadlock: Option<Deadlock>,
    seed: u64,
    rounds: usize,
) -> Option<Report> {
    // Multisets have tests of their own, and so have variables with any initial value.
    if program.types.iter().any(|ty| matches!(ty.kind, TypeKind::Multiset { .. })) || !program.arbitrary.is_empty() {
        return None;
    }
    let machine = Machine::new(program).ok()?;
    let lowered = &without_counts(lowered);
    let sizes: Vec<u32> = lowered.system.index_types.iter().map(|index_type| index_type.size).collect();
    let both = Both { deadlock, ..Both::new(&machine, lowered, &sizes) };
    let mut random = Random(seed);
    let mut report = Report { differences: BTreeSet::new(), unfired: Vec::new(), states: 0 };
    compare_starts(&both, &mut report.differences);
    let mut fired = BTreeSet::new();
    for _ in 0..rounds {
        let mut state = both.random(&mut random);
        for rule in &both.system().rules {
            let mut elements: Vec<u32> = rule
                .scope
                .iter()
                .map(|v| u32::try_from(random.below(sizes[v.index_type.index()].max(1) as usize)).unwrap())
                .collect();
            if random.below(2) == 0 {
                state = both.random(&mut random);
            }
            for _ in 0..2 {
                satisfy(&both, &rule.guard, true, &rule.scope, &mut elements, &sizes, &mut state, &mut random);
            }
            fired.extend(compare(&both, &state, &mut report.differences));
            report.states += 1;
        }
    }
    report.unfired =
        (0..program.rules.len()).filter(|rule| !fired.contains(rule)).map(|rule| machine.rule_name(rule)).collect();
    Some(report)
}
