//! The abstraction map, and whether every step of an instance is a step of the abstract model or changes nothing there.
//!
//! The instance has more nodes than are kept, and is explored up to permutations of its nodes. Each of its states is
//! mapped for every choice of the kept nodes, so that all reachable states are covered. A named element that the
//! original keeps in a variable (`Home`) is the value of that variable.

use std::collections::{BTreeMap, HashMap, HashSet};

use murphi::exec::{Dispatch, Layout, Machine, PathPart, ScalarKind, Scratch, Step};
use murphi::instance::{Instance, Limits, Outcome, Permuted};
use murphi::lower::{LowerOptions, lower};
use murphi::program::{Program, TypeId};
use proofgen::cmp::Output;
use system::{IndexTypeId, NamedId};

/// The extent of a simulation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simulated {
    /// The number of states of the instance, up to permutations of nodes.
    pub(crate) states: u64,
    /// Whether these are all of its states.
    pub(crate) complete: bool,
    /// The number of steps of the instance, each counted once for every choice of nodes.
    pub(crate) steps: u64,
    /// The number of states of the abstract model that are images.
    pub(crate) images: usize,
}

/// Maps every step of the original, or those from the first `most_states` states, and looks for it in the abstract
/// model.
pub(crate) fn simulate(original: &Program, output: &Output, most_states: u64) -> Result<Simulated, String> {
    let abstracted = super::program(&output.model, &[]);
    let abstracted = Machine::new(&abstracted).unwrap();
    let kept = Kept::new(original, output);
    let permuted = Permuted { types: kept.types.clone(), fixed: kept.fixed.clone() };
    let instance = Instance::new(original, &[permuted]).unwrap();
    let maps = kept.maps(instance.machine(), &abstracted);
    assert!(maps.len() > 1, "there is only one choice of nodes");
    let mut target = Target::new(&abstracted);
    let machine = instance.machine();
    let mut scratch = machine.scratch();
    for start in 0..machine.starts().len() {
        if machine.start(&mut scratch, start).unwrap() {
            for map in maps.iter().filter(|map| map.applies(scratch.state())) {
                let image = target.enter(map.of(scratch.state()));
                if !target.starts.contains(&image) {
                    return Err(format!("startstate {start} has no image among the startstates"));
                }
            }
        }
    }
    let limits = Limits { max_states: most_states, ..Limits::default() };
    let exploration = instance.explore(&limits, true, &mut |_| true);
    let complete = exploration.outcome == Outcome::Complete;
    assert!(complete || matches!(exploration.outcome, Outcome::Stopped(_)), "{:?}", exploration.outcome);
    let mut found = Simulated { states: exploration.states(), complete, steps: 0, images: 0 };
    let mut state = vec![0; machine.layout().words()];
    let mut dispatch = machine.dispatch();
    for position in 0..u32::try_from(exploration.states()).unwrap() {
        exploration.state(position, &mut state);
        let maps: Vec<&Map> = maps.iter().filter(|map| map.applies(&state)).collect();
        let sources: Vec<u32> = maps.iter().map(|map| target.enter(map.of(&state))).collect();
        dispatch.find(machine, &state);
        let rules: Vec<usize> = dispatch.found().collect();
        for rule in rules {
            scratch.load(&state);
            if !machine.enabled(&mut scratch, rule).unwrap() {
                continue;
            }
            machine.fire(&mut scratch, rule).unwrap();
            for (map, &from) in maps.iter().zip(&sources) {
                let to = target.enter(map.of(scratch.state()));
                if to != from && !target.leads(from, to) {
                    let fired = machine.rule_name(machine.rules()[rule].rule);
                    return Err(format!("'{fired}' has no abstract step\n{}", target.told(from, to)));
                }
                found.steps += 1;
            }
        }
    }
    found.images = target.states.len();
    Ok(found)
}

/// The abstract model, with the steps computed so far.
struct Target<'m> {
    machine: &'m Machine,
    scratch: Scratch,
    dispatch: Dispatch,
    numbers: HashMap<Vec<u64>, u32>,
    states: Vec<Vec<u64>>,
    successors: HashMap<u32, Vec<u32>>,
    starts: HashSet<u32>,
}

impl<'m> Target<'m> {
    fn new(machine: &'m Machine) -> Self {
        let mut target = Self {
            machine,
            scratch: machine.scratch(),
            dispatch: machine.dispatch(),
            numbers: HashMap::new(),
            states: Vec::new(),
            successors: HashMap::new(),
            starts: HashSet::new(),
        };
        for start in 0..machine.starts().len() {
            if machine.start(&mut target.scratch, start).unwrap() {
                let state = target.scratch.state().to_vec();
                let number = target.enter(state);
                target.starts.insert(number);
            }
        }
        target
    }

    /// Returns the number of a state.
    fn enter(&mut self, state: Vec<u64>) -> u32 {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let number = u32::try_from(self.states.len()).unwrap();
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    fn leads(&mut self, from: u32, to: u32) -> bool {
        if !self.successors.contains_key(&from) {
            let state = self.states[from as usize].clone();
            self.dispatch.find(self.machine, &state);
            let rules: Vec<usize> = self.dispatch.found().collect();
            let mut found = Vec::new();
            for rule in rules {
                self.scratch.load(&state);
                if self.machine.enabled(&mut self.scratch, rule).unwrap() {
                    self.machine.fire(&mut self.scratch, rule).unwrap();
                    let next = self.scratch.state().to_vec();
                    found.push(self.enter(next));
                }
            }
            found.sort_unstable();
            found.dedup();
            self.successors.insert(from, found);
        }
        self.successors[&from].binary_search(&to).is_ok()
    }

    /// Describes the difference between two states.
    fn told(&self, from: u32, to: u32) -> String {
        let names = self.machine.layout().names(self.machine.program(), self.machine.values());
        let text = |state: u32, scalar: usize| self.machine.scalar_text(&self.states[state as usize], scalar);
        let line = |(scalar, name): (usize, &String)| {
            let (before, after) = (text(from, scalar), text(to, scalar));
            if before == after { format!("  {name} = {before}\n") } else { format!("  {name}: {before} -> {after}\n") }
        };
        names.iter().enumerate().map(line).collect()
    }
}

/// The elements of the type that is abstracted.
struct Kept {
    /// The types of the original that have these elements.
    types: Vec<TypeId>,
    /// The numbers of elements that the original refers to by number.
    fixed: Vec<i64>,
    /// The number of elements in the original.
    elements: usize,
    /// For each named element, in the order of the abstract model, its position or the variable that holds it.
    named: Vec<Named>,
    /// The number of kept elements without names.
    nodes: usize,
    /// The names of the types of the abstract model: first that of the kept elements, then those with more values.
    abstract_types: Vec<String>,
    /// The number of the first element in the abstract model.
    first: i64,
}

enum Named {
    Position(usize),
    Variable(String),
}

impl Kept {
    fn new(original: &Program, output: &Output) -> Self {
        let lowered = lower(original, &LowerOptions::default()).unwrap();
        let system = &lowered.system;
        let indexing: HashSet<IndexTypeId> =
            system.variables.iter().flat_map(|variable| variable.arguments.iter().copied()).collect();
        let [over] = indexing.into_iter().collect::<Vec<_>>()[..] else {
            panic!("exactly one type should be abstracted")
        };
        let types = lowered.types.iter().filter(|(_, of)| **of == over).map(|(ty, _)| *ty).collect();
        let held: BTreeMap<NamedId, String> = lowered
            .homes
            .iter()
            .map(|(variable, named)| (*named, original.variables[variable.index()].name.clone()))
            .collect();
        let index_type = &system.index_types[over.index()];
        let mut own: Vec<(u32, Named)> = (0..)
            .map(NamedId)
            .zip(&system.named)
            .filter(|(_, named)| named.index_type == over)
            .map(|(id, named)| {
                let position = usize::try_from(named.position).unwrap();
                (named.position, held.get(&id).cloned().map_or(Named::Position(position), Named::Variable))
            })
            .collect();
        own.sort_by_key(|(position, _)| *position);
        let fixed = own.iter().filter(|(_, named)| matches!(named, Named::Position(_)));
        let fixed = fixed.map(|(position, _)| index_type.first + i64::from(*position)).collect();
        let symmetric = output.symmetric.iter().find(|class| class.types[0] == index_type.name).unwrap();
        Self {
            types,
            fixed,
            elements: usize::try_from(index_type.size).unwrap(),
            named: own.into_iter().map(|(_, named)| named).collect(),
            nodes: usize::try_from(output.figures.nodes).unwrap(),
            abstract_types: symmetric.types.clone(),
            first: index_type.first,
        }
    }

    /// Returns one map for each choice of the kept elements.
    fn maps(&self, original: &Machine, abstracted: &Machine) -> Vec<Map> {
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for place in 0..self.named.len() + self.nodes {
            let mut longer = Vec::new();
            for choice in choices {
                for element in (0..self.elements).filter(|element| !choice.contains(element)) {
                    if !matches!(self.named.get(place), Some(Named::Position(position)) if *position != element) {
                        longer.push([choice.clone(), vec![element]].concat());
                    }
                }
            }
            choices = longer;
        }
        choices.iter().map(|choice| Map::new(self, original, abstracted, choice)).collect()
    }

    fn is_element(&self, ty: TypeId) -> bool {
        self.types.contains(&ty)
    }
}

/// The abstraction map for one choice of elements.
struct Map {
    /// Scalars of the original that hold named elements, with the codes of the chosen ones.
    held: Vec<(usize, u64)>,
    /// For each scalar of the abstract model, a scalar of the original and a map of its codes.
    scalars: Vec<(usize, Vec<u64>)>,
    original: Layout,
    abstracted: Layout,
}

impl Map {
    fn new(kept: &Kept, original: &Machine, abstracted: &Machine, choice: &[usize]) -> Self {
        let (from, to) = (original.layout(), abstracted.layout());
        let name = |ty: TypeId| abstracted.program().types[ty.index()].name.clone().unwrap_or_default();
        let paths = to.paths(abstracted.program(), abstracted.values());
        let scalars = paths.iter().enumerate().map(|(scalar, path)| {
            let steps: Vec<Step> = path
                .iter()
                .enumerate()
                .map(|(at, part)| match part {
                    PathPart::Name(name) if at == 0 => Step::Global(name.clone()),
                    PathPart::Name(name) => Step::Field(name.clone()),
                    PathPart::Index { ty, value, .. } if name(*ty) == kept.abstract_types[0] => {
                        Step::Element(kept.value(original, choice[usize::try_from(value - kept.first).unwrap()]))
                    }
                    PathPart::Index { ty, value, .. } => Step::Element(same_value(
                        original,
                        &abstracted.values().text(abstracted.program(), *ty, *value),
                    )),
                    PathPart::Position { .. } | PathPart::Present(_) => panic!("a multiset"),
                })
                .collect();
            let of = from.find(original.program(), original.values(), &steps).unwrap();
            (of, kept.codes(original, of, abstracted, scalar, choice))
        });
        let scalars = scalars.collect();
        let held = kept.named.iter().zip(choice).filter_map(|(named, element)| {
            let Named::Variable(name) = named else { return None };
            let scalar = from.find(original.program(), original.values(), &[Step::Global(name.clone())]).unwrap();
            let ScalarKind::Value(_, domain) = &from.scalars()[scalar].kind else { panic!("a multiset") };
            Some((scalar, domain.encode(kept.value(original, *element)).unwrap()))
        });
        let held = held.collect();
        Self { held, scalars, original: from.clone(), abstracted: to.clone() }
    }

    /// Returns whether the chosen elements have their names in this state.
    fn applies(&self, state: &[u64]) -> bool {
        self.held.iter().all(|(scalar, code)| self.original.code(state, *scalar) == *code)
    }

    fn of(&self, state: &[u64]) -> Vec<u64> {
        let mut mapped = vec![0; self.abstracted.words()];
        for (scalar, (of, codes)) in self.scalars.iter().enumerate() {
            let code = usize::try_from(self.original.code(state, *of)).unwrap();
            self.abstracted.set_code(&mut mapped, scalar, codes[code]);
        }
        mapped
    }
}

impl Kept {
    /// Returns the value that represents an element of the original.
    fn value(&self, original: &Machine, element: usize) -> i64 {
        original.values().domain(self.types[0]).unwrap().values()[element]
    }

    /// Returns for each code of a scalar of the original the code in the abstract model.
    fn codes(&self, original: &Machine, of: usize, abstracted: &Machine, scalar: usize, choice: &[usize]) -> Vec<u64> {
        let ScalarKind::Value(ty, domain) = &original.layout().scalars()[of].kind else { panic!("a multiset") };
        let ScalarKind::Value(to, codomain) = &abstracted.layout().scalars()[scalar].kind else { panic!("a multiset") };
        if self.is_element(*ty) {
            let known = abstracted.program().types[to.index()].name.as_ref().unwrap();
            assert!(self.abstract_types[1..].contains(known), "{known} is not a type of pointers");
            let numbered = |place: usize| self.first + i64::try_from(place).unwrap();
            let other = numbered(choice.len());
            // The code of an undefined pointer, if it has a number.
            let undefined = codomain.encode(other + 1).unwrap_or(0);
            let place = |element| choice.iter().position(|chosen| *chosen == element).map_or(other, numbered);
            let defined = (0..self.elements).map(|element| codomain.encode(place(element)).unwrap());
            return std::iter::once(undefined).chain(defined).collect();
        }
        let text = |machine: &Machine, ty: TypeId, value: i64| machine.values().text(machine.program(), ty, value);
        let known: HashMap<String, u64> = codomain
            .values()
            .iter()
            .map(|&value| (text(abstracted, *to, value), codomain.encode(value).unwrap()))
            .collect();
        let defined = (1..=domain.size()).map(|code| known[&text(original, *ty, domain.decode(code))]);
        std::iter::once(0).chain(defined).collect()
    }
}

/// Returns the value of a member of an enumeration or of a number.
fn same_value(machine: &Machine, text: &str) -> i64 {
    machine.values().member(text).unwrap_or_else(|| text.parse().unwrap())
}
