//! An instance of a lowered system: its states, its steps and the permutations of its elements.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use system::{
    Cube, IndexTerm, IndexTypeId, PathStep, PropertyId, RuleId, StartstateId, System, Term, Transition, Value,
    VariableId,
};

use super::Random;
use super::ground::{Effect, Grounder, Test};
use crate::discover::Refusal;

/// A value in a state: 0 is undefined, followed by the constants, the elements of all index types, and the numbers.
pub(crate) type Code = u8;

/// The values of all scalars.
pub(crate) type OracleState = Box<[Code]>;

/// The maximum number of permutations tried when looking for a representative.
const MAX_PERMUTATIONS: usize = 720;

/// A system with a fixed number of elements for each index type.
#[derive(Debug)]
pub(crate) struct FiniteSystem<'a> {
    system: &'a System,
    sizes: Vec<u8>,
    /// The code of the first element of each index type.
    first: Vec<Code>,
    /// The code that 0 has or would have: codes of numbers are in their order.
    zero: i64,
    /// The least and the greatest number, and by how much the latter exceeds that of the model.
    numbers: Numbered,
    /// Whether a step would have led to a number outside of these.
    is_cut: AtomicBool,
    /// The first scalar of each state variable.
    base: Vec<usize>,
    pub(crate) scalars: usize,
    permutations: Vec<Permutation>,
    rules: Vec<Ground<RuleId>>,
    startstates: Vec<Ground<StartstateId>>,
    /// For each property, tests that hold in the states that violate it.
    bad: Vec<Vec<Test>>,
    /// Tests that hold in the states that violate an axiom, which are not considered.
    excluded: Vec<Test>,
    /// The scalars that no rule assigns, each with its possible values, if the system is about such relations. If a
    /// startstate leaves one undefined, it may have any of them in an initial state, and has it for ever.
    constant: Vec<(usize, Vec<Code>)>,
    /// The variables that rules assign whose scalars, too, may have any of their values in an initial state, since
    /// something depends on them.
    chosen: BTreeSet<VariableId>,
    /// For each state variable, its arguments in the order of its scalars.
    arguments: Vec<Vec<Vec<u8>>>,
}

/// The largest number of initial states that a startstate stands for, and the largest where scalars that rules assign have
/// values in them: there, each of them is the start of further states.
const MOST_INITIAL: usize = 4096;
const MOST_CHOSEN: usize = 256;

/// The number of states in which it is asked whether something depends on an undefined scalar.
const ASKED: usize = 2_000;

/// A rule or startstate with elements as its parameters.
#[derive(Debug)]
struct Ground<Id> {
    id: Id,
    parameters: Box<[u8]>,
    guard: Test,
    effect: Effect,
}

/// A permutation of the elements without names.
#[derive(Debug)]
struct Permutation {
    /// The scalar that the new value of each scalar comes from.
    sources: Vec<usize>,
    /// The new code of each value.
    codes: Vec<Code>,
}

/// The least and the greatest number of an instance; no number if the former is greater.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    low: i64,
    high: i64,
    grown: i64,
}

impl Numbered {
    fn of(system: &System, sizes: &[u32]) -> Self {
        let numbers = || system.sorts.iter().filter_map(|sort| sort.numbers);
        let low = numbers().map(|own| own.low).min().unwrap_or(0);
        // By how much an index type is larger than in the model. Numbers often count elements, so that there are more.
        let grown = system.index_types.iter().zip(sizes).map(|(own, size)| i64::from(*size) - i64::from(own.size));
        let grown = grown.max().unwrap_or(0).max(0);
        Self { low, high: numbers().map(|own| own.high + grown).max().unwrap_or(low - 1), grown }
    }
}

impl<'a> FiniteSystem<'a> {
    pub(crate) fn new(system: &'a System, sizes: &[u32]) -> Result<Self, Refusal> {
        let numbers = Numbered::of(system, sizes);
        let count = usize::try_from(numbers.high - numbers.low + 1).unwrap_or(usize::MAX);
        let values = 1 + system.constants.len() + sizes.iter().map(|&size| size as usize).sum::<usize>();
        let total = values.saturating_add(count);
        let refusal = Refusal::Values(total);
        if total > usize::from(Code::MAX) {
            return Err(refusal);
        }
        let sizes: Vec<u8> =
            sizes.iter().map(|&size| u8::try_from(size).map_err(|_| refusal)).collect::<Result<_, _>>()?;
        let mut next = Code::try_from(1 + system.constants.len()).map_err(|_| refusal)?;
        let mut first = Vec::new();
        for size in &sizes {
            first.push(next);
            next += size;
        }
        let zero = i64::from(next) - numbers.low;
        let mut base = Vec::new();
        let mut scalars = 0;
        for variable in &system.variables {
            base.push(scalars);
            scalars += variable.arguments.iter().map(|ty| usize::from(sizes[ty.index()])).product::<usize>();
        }
        let mut machine = Self {
            system,
            sizes,
            first,
            zero,
            numbers,
            is_cut: AtomicBool::new(false),
            base,
            scalars,
            permutations: Vec::new(),
            rules: Vec::new(),
            startstates: Vec::new(),
            bad: Vec::new(),
            excluded: Vec::new(),
            constant: Vec::new(),
            chosen: BTreeSet::new(),
            arguments: Vec::new(),
        };
        machine.arguments = system.variables.iter().map(|variable| machine.assignments(&variable.arguments)).collect();
        machine.rules = (0..).zip(&system.rules).flat_map(|(id, rule)| machine.ground(RuleId(id), rule)).collect();
        machine.startstates =
            (0..).zip(&system.startstates).flat_map(|(id, start)| machine.ground(StartstateId(id), start)).collect();
        machine.bad = system.properties.iter().map(|property| machine.tests(&property.bad)).collect();
        machine.excluded = system.axioms.iter().flat_map(|axiom| machine.tests(&axiom.bad)).collect();
        if system.says_that_something_exists() || system.sorts.iter().any(|sort| sort.numbers.is_some()) {
            machine.constant = machine.constant_scalars();
        }
        machine.permutations = machine.all_permutations();
        Ok(machine)
    }

    fn constant_scalars(&self) -> Vec<(usize, Vec<Code>)> {
        let ids = (0..).map(VariableId).take(self.system.variables.len());
        let constant = ids.filter(|id| !self.system.is_choice(*id) && !self.system.is_written(*id));
        let scalars = constant.flat_map(|id| {
            let mut codes = self.values(id);
            let rank = self.system.variables[id.index()].arguments.iter().find(|ty| self.system.rank(**ty) == Some(id));
            let known = |elements: &[u8]| {
                let first = self.system.index_types[rank?.index()].first;
                Code::try_from(first + i64::from(*elements.first()?) + self.zero).ok()
            };
            // The number of elements is what it is.
            let size = self.system.sizes.iter().find(|size| size.variable == id);
            if let Some(size) = size {
                let number = i64::from(self.size(size.index_type)) - size.more;
                codes = Code::try_from(number + self.zero).into_iter().collect();
            }
            if let Some(number) = self.known_half(id) {
                codes = Code::try_from(number + self.zero).into_iter().collect();
            }
            self.scalars_of(id)
                .map(|(scalar, elements)| (scalar, known(elements).map_or_else(|| codes.clone(), |code| vec![code])))
                .collect::<Vec<_>>()
        });
        scalars.collect()
    }

    /// Returns what a variable repeats, if it is another one at elements with other ranks.
    pub(super) fn repeats(&self, variable: VariableId) -> Option<(VariableId, usize, i64)> {
        let (of, position, by) = self.system.repeats(variable)?;
        Some((of, usize::try_from(position).ok()?, by))
    }

    /// Returns the element whose rank is greater by this number than that of an argument of a variable.
    pub(super) fn moved(&self, variable: VariableId, position: usize, element: u8, by: i64) -> Option<u8> {
        let size = self.size(self.system.variables[variable.index()].arguments[position]);
        u8::try_from(i64::from(element) + by).ok().filter(|moved| *moved < size)
    }

    /// Returns the codes of the values that a variable may have.
    fn values(&self, id: VariableId) -> Vec<Code> {
        let sort = self.system.sort_of(id);
        let mut codes: Vec<Code> = sort.constants.iter().map(|constant| self.constant(*constant)).collect();
        for ty in &sort.index_types {
            codes.extend((0..self.size(*ty)).map(|element| self.element(*ty, element)));
        }
        codes.extend(self.range_of(id).into_iter().flat_map(|(low, high)| low..=high));
        codes
    }

    /// Lets variables have values in initial states that leave them undefined, if something depends on them in one of these
    /// states. Returns whether there are such variables besides those known.
    pub(crate) fn choose<'s>(&mut self, states: impl ExactSizeIterator<Item = &'s OracleState>) -> bool {
        let mut ids = (0..).map(VariableId).take(self.system.variables.len());
        let is_open = |id: &VariableId| !self.system.is_choice(*id) && self.starts_undefined(*id);
        if !ids.any(|id| is_open(&id)) {
            return false;
        }
        let every = (states.len() / ASKED).max(1);
        let needed: BTreeSet<usize> = states.step_by(every).flat_map(|state| self.needed(state)).collect();
        let mut open: Vec<VariableId> = needed.into_iter().map(|scalar| self.variable_of(scalar)).collect();
        let mut chosen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !self.chosen.contains(&id) && chosen.insert(id) {
                open.extend(self.sources_of(id));
            }
        }
        chosen.retain(is_open);
        let known = |scalar| self.constant.iter().any(|(own, _)| *own == scalar);
        let scalars: Vec<(usize, Vec<Code>)> = chosen
            .iter()
            .flat_map(|id| self.scalars_of(*id).map(|(scalar, _)| (scalar, self.values(*id))).collect::<Vec<_>>())
            .filter(|(scalar, _)| !known(*scalar))
            .collect();
        let is_new = !scalars.is_empty();
        self.constant.extend(scalars);
        self.chosen.extend(chosen);
        is_new
    }

    /// Returns the undefined scalars on which it depends which steps lead from a state and what it violates. What a guard
    /// requires an undefined scalar to be is a value that it may have.
    fn needed(&self, state: &[Code]) -> Vec<usize> {
        if !state.contains(&0) {
            return Vec::new();
        }
        let of_rule = |rule: &Ground<RuleId>| match rule.guard.truth(state) {
            Some(true) => rule.effect.needed(state),
            Some(false) => None,
            None if rule.guard.pinned(state).is_some() => None,
            None => rule.guard.needed(state),
        };
        let bad = self.bad.iter().flatten().filter_map(|test| test.needed(state));
        bad.chain(self.rules.iter().filter_map(of_rule)).collect()
    }

    /// Returns the variable of a scalar.
    fn variable_of(&self, scalar: usize) -> VariableId {
        // Several variables start at the same scalar if all but the last of them have none.
        let after = self.base.partition_point(|first| *first <= scalar);
        VariableId(u32::try_from(after).unwrap_or(u32::MAX).saturating_sub(1))
    }

    /// Returns the variables that rules copy to a variable.
    fn sources_of(&self, variable: VariableId) -> Vec<VariableId> {
        let updates = self.system.rules.iter().filter_map(|rule| rule.update_of(variable));
        let read = |term: Option<&Term>| match term {
            Some(Term::Read(own, _)) => Some(*own),
            Some(Term::Constant(_) | Term::Index(_) | Term::Zero) | None => None,
        };
        updates.flat_map(|update| update.value.leaves().into_iter().filter_map(read).collect::<Vec<_>>()).collect()
    }

    /// Returns whether some startstate leaves a variable undefined.
    fn starts_undefined(&self, variable: VariableId) -> bool {
        let leaves = |value: &Value| value.leaves().contains(&None);
        let mut starts = self.system.startstates.iter().map(|start| start.update_of(variable));
        starts.any(|update| update.is_none_or(|update| leaves(&update.value)))
    }

    /// Returns half of a parameter that is a number of elements.
    fn known_half(&self, id: VariableId) -> Option<i64> {
        let [PathStep::Half(whole, more)] = self.system.variables[id.index()].path[..] else { return None };
        let size = self.system.sizes.iter().find(|size| size.variable == whole)?;
        Some((i64::from(self.size(size.index_type)) - size.more + more).div_euclid(2))
    }

    /// Returns whether each half of a parameter is half of it.
    fn has_halves(&self, state: &[Code]) -> bool {
        (0..).map(VariableId).zip(&self.system.variables).all(|(id, own)| {
            let [PathStep::Half(whole, more)] = own.path[..] else { return true };
            let number = |id: VariableId| i64::from(state[self.base[id.index()]]) - self.zero;
            number(id) == (number(whole) + more).div_euclid(2)
        })
    }

    /// Returns the instances of a transition whose guards are not trivially false.
    fn ground<Id: Copy>(&self, id: Id, transition: &Transition) -> Vec<Ground<Id>> {
        let types: Vec<IndexTypeId> = transition.scope.iter().map(|variable| variable.index_type).collect();
        let choices = self.choices(transition);
        let instances = self.assignments(&types[..transition.parameters().len()]).into_iter().flat_map(|parameters| {
            let instance = |chosen: &Vec<(VariableId, Code)>| {
                let mut environment = vec![0; types.len()];
                environment[..parameters.len()].copy_from_slice(&parameters);
                let mut grounder = Grounder { machine: self, types: &types, environment, chosen };
                let guard = grounder.test(&transition.guard);
                let effect =
                    if guard == Test::False { Effect::default() } else { grounder.effect(&transition.updates) };
                Ground { id, parameters: parameters.clone().into(), guard, effect }
            };
            choices.iter().map(instance).collect::<Vec<_>>()
        });
        instances.filter(|ground| ground.guard != Test::False).collect()
    }

    /// Returns all ways to choose the numbers that a transition chooses.
    fn choices(&self, transition: &Transition) -> Vec<Vec<(VariableId, Code)>> {
        let mut read = std::collections::BTreeSet::new();
        let mut note = |term: &Term| {
            if let Term::Read(variable, _) = term
                && self.system.is_choice(*variable)
            {
                read.insert(*variable);
            }
        };
        transition.guard.visit_terms(&mut note);
        transition.updates.iter().for_each(|update| update.value.visit_terms(&mut note));
        let mut all = vec![Vec::new()];
        for variable in read {
            let (low, high) = self.range_of(variable).unwrap_or((1, 0));
            let longer = |chosen: &Vec<(VariableId, Code)>| {
                let with = |code| chosen.iter().copied().chain([(variable, code)]).collect();
                (low..=high).map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// Returns one test for each choice of elements for each cube; it holds in the states that satisfy the cube there.
    fn tests(&self, cubes: &[Cube]) -> Vec<Test> {
        let mut found = Vec::new();
        for cube in cubes {
            for environment in self.assignments(&cube.variables) {
                if self.are_distinct(&cube.variables, &environment) {
                    found.push(self.test(cube, &environment));
                }
            }
        }
        found
    }

    /// Returns the test for the literals and universal parts of a cube at elements.
    fn test(&self, cube: &Cube, elements: &[u8]) -> Test {
        let mut grounder =
            Grounder { machine: self, types: &cube.variables, environment: elements.to_vec(), chosen: &[] };
        let mut parts = vec![grounder.conjunction(&cube.literals)];
        for universal in &cube.universals {
            let types = [cube.variables.as_slice(), &universal.variables].concat();
            for others in self.assignments(&universal.variables) {
                let environment = [elements, &others].concat();
                if self.are_distinct(&types, &environment) {
                    let mut grounder = Grounder { machine: self, types: &types, environment, chosen: &[] };
                    parts.push(grounder.disjunction(&universal.literals));
                }
            }
        }
        Test::all(parts.into_iter())
    }

    /// Returns whether the elements are pairwise distinct and not named.
    fn are_distinct(&self, types: &[IndexTypeId], elements: &[u8]) -> bool {
        (0..elements.len()).all(|one| {
            let same = |other: usize| types[other] == types[one] && elements[other] == elements[one];
            !self.is_named(types[one], elements[one]) && !(0..one).any(same)
        })
    }

    /// Returns the scalars of a variable with the elements of its arguments.
    pub(super) fn scalars_of(&self, variable: VariableId) -> impl Iterator<Item = (usize, &Vec<u8>)> {
        (self.base[variable.index()]..).zip(&self.arguments[variable.index()])
    }

    pub(crate) fn size(&self, index_type: IndexTypeId) -> u8 {
        self.sizes[index_type.index()]
    }

    /// Returns the least and the greatest number of the instance.
    pub(crate) fn numbers(&self) -> (i64, i64) {
        (self.numbers.low, self.numbers.high.max(self.numbers.low))
    }

    /// Returns the code that 0 has or would have.
    pub(crate) fn zero(&self) -> i64 {
        self.zero
    }

    /// Returns the codes of the least and the greatest number of a variable, or `None` if it holds no number.
    pub(super) fn range_of(&self, variable: VariableId) -> Option<(Code, Code)> {
        let numbers = self.system.sort_of(variable).numbers?;
        let code = |number: i64| Code::try_from(number + self.zero).ok();
        code(numbers.low).zip(code(numbers.high + self.numbers.grown))
    }

    pub(crate) fn constant(&self, constant: system::ConstantId) -> Code {
        Code::try_from(constant.index() + 1).expect("the number of values was checked")
    }

    pub(crate) fn element(&self, index_type: IndexTypeId, element: u8) -> Code {
        self.first[index_type.index()] + element
    }

    /// Returns the scalar of a variable at elements of its argument types.
    pub(crate) fn scalar(&self, variable: VariableId, elements: impl Iterator<Item = u8>) -> usize {
        let types = &self.system.variables[variable.index()].arguments;
        let offset = types
            .iter()
            .zip(elements)
            .fold(0, |offset, (ty, element)| offset * usize::from(self.sizes[ty.index()]) + usize::from(element));
        self.base[variable.index()] + offset
    }

    /// Returns all initial states with their startstates and parameters.
    pub(crate) fn initial(&self) -> Vec<(StartstateId, Vec<u8>, OracleState)> {
        let undefined: OracleState = vec![0; self.scalars].into();
        let mut found = Vec::new();
        if self.has_no_state() {
            return found;
        }
        for start in self.startstates.iter().filter(|start| start.guard.holds(&undefined)) {
            let mut state = undefined.clone();
            if !start.effect.apply(&undefined, &mut state) {
                continue;
            }
            let is_possible = |state: &OracleState| self.has_halves(state) && self.is_admitted(state);
            let states = self.with_constants(state).into_iter().filter(is_possible);
            found.extend(states.map(|state| (start.id, start.parameters.to_vec(), state)));
        }
        found
    }

    /// Returns whether the sort of a scalar has no value at these sizes.
    fn has_no_state(&self) -> bool {
        (0..).map(VariableId).take(self.system.variables.len()).any(|id| {
            let sort = self.system.sort_of(id);
            let is_empty = sort.numbers.is_none()
                && sort.constants.is_empty()
                && sort.index_types.iter().all(|ty| self.size(*ty) == 0);
            is_empty && !self.arguments[id.index()].is_empty()
        })
    }

    /// Returns the states in which the undefined scalars that no rule assigns have a value: all of them, or some if there
    /// are too many.
    fn with_constants(&self, state: OracleState) -> Vec<OracleState> {
        let open: Vec<&(usize, Vec<Code>)> = self.constant.iter().filter(|(scalar, _)| state[*scalar] == 0).collect();
        if open.iter().any(|(_, codes)| codes.is_empty()) {
            return vec![state];
        }
        let most = if self.chosen.is_empty() { MOST_INITIAL } else { MOST_CHOSEN };
        let mut random = Random::new();
        let mut found = vec![state];
        for (scalar, codes) in open {
            let with = |code: &Code, state: &OracleState| {
                let mut next = state.clone();
                next[*scalar] = *code;
                next
            };
            // What axioms exclude is left out at once: few of all relations are orders.
            let longer = codes.iter().flat_map(|code| found.iter().map(|state| with(code, state)).collect::<Vec<_>>());
            found = longer.filter(|state| self.is_admitted(state)).collect();
            while found.len() > most {
                let left_out = random.below(found.len());
                found.swap_remove(left_out);
            }
        }
        found
    }

    /// Returns whether the state violates no axiom.
    pub(crate) fn is_admitted(&self, state: &[Code]) -> bool {
        !self.excluded.iter().any(|test| test.holds(state))
    }

    /// Returns the number of rule instances.
    pub(crate) fn instances(&self) -> usize {
        self.rules.len()
    }

    /// Returns the rule of an instance and its parameters.
    pub(crate) fn instance(&self, number: usize) -> (RuleId, &[u8]) {
        let rule = &self.rules[number];
        (rule.id, &rule.parameters)
    }

    /// Returns the numbers of the instances of a rule.
    pub(crate) fn instances_of(&self, rule: RuleId) -> std::ops::Range<usize> {
        let first = self.rules.partition_point(|ground| ground.id < rule);
        first..self.rules.partition_point(|ground| ground.id <= rule)
    }

    /// Fires one of the enabled rule instances. Returns whether there is one.
    pub(crate) fn random_step(&self, state: &[Code], random: &mut Random, next: &mut [Code]) -> bool {
        let enabled: Vec<usize> = (0..self.rules.len()).filter(|&instance| self.enabled(instance, state)).collect();
        let chosen = enabled.get(random.below(enabled.len()));
        chosen.is_some_and(|&chosen| self.step(chosen, state, next))
    }

    /// Returns whether a rule instance is enabled.
    fn enabled(&self, number: usize, state: &[Code]) -> bool {
        let guard = &self.rules[number].guard;
        guard.holds(state) || self.pinned(guard, state).is_some()
    }

    /// Writes the successor under a rule instance into `next`. Returns whether the instance is enabled and the successor
    /// violates no axiom.
    pub(crate) fn step(&self, number: usize, state: &[Code], next: &mut [Code]) -> bool {
        let rule = &self.rules[number];
        if rule.guard.holds(state) {
            return self.apply(rule, state, next);
        }
        let Some(pinned) = self.pinned(&rule.guard, state) else { return false };
        self.apply(rule, &pinned, next)
    }

    /// Returns the state with the values that a guard requires undefined scalars to have, if it holds then and the state
    /// violates no axiom.
    fn pinned(&self, guard: &Test, state: &[Code]) -> Option<OracleState> {
        guard.pinned(state).filter(|pinned| self.is_admitted(pinned))
    }

    fn apply(&self, rule: &Ground<RuleId>, state: &[Code], next: &mut [Code]) -> bool {
        next.copy_from_slice(state);
        let is_within = rule.effect.apply(state, next);
        if !is_within {
            self.is_cut.store(true, Ordering::Relaxed);
        }
        is_within && self.is_admitted(next)
    }

    /// Returns whether some step led to a number that the instance does not have.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed)
    }

    /// Returns whether the steps from the state, or the properties it violates, depend on the value of an undefined
    /// scalar. If so, the state has more successors than are found, and may violate more properties.
    pub(crate) fn depends_on_undefined(&self, state: &[Code]) -> bool {
        state.contains(&0)
            && (self.bad.iter().flatten().any(|test| test.truth(state).is_none())
                || self.rules.iter().any(|rule| match rule.guard.truth(state) {
                    Some(true) => rule.effect.needed(state).is_some(),
                    Some(false) => false,
                    None => true,
                }))
    }

    /// Returns the first property that the state violates.
    pub(crate) fn violated(&self, state: &[Code]) -> Option<PropertyId> {
        let violated = |tests: &Vec<Test>| tests.iter().any(|test| test.holds(state));
        (0..).zip(&self.bad).find_map(|(number, tests)| violated(tests).then_some(PropertyId(number)))
    }

    pub(crate) fn is_named(&self, index_type: IndexTypeId, element: u8) -> bool {
        self.system.named.iter().any(|named| named.index_type == index_type && named.position == u32::from(element))
    }

    pub(crate) fn named(&self, named: system::NamedId) -> (IndexTypeId, u8) {
        let entry = &self.system.named[named.index()];
        (entry.index_type, u8::try_from(entry.position).unwrap_or(u8::MAX))
    }

    fn assignments(&self, types: &[IndexTypeId]) -> Vec<Vec<u8>> {
        let mut found = vec![Vec::new()];
        for ty in types {
            let size = self.size(*ty);
            found = found
                .into_iter()
                .flat_map(|partial: Vec<u8>| {
                    (0..size).map(move |element| {
                        let mut next = partial.clone();
                        next.push(element);
                        next
                    })
                })
                .collect();
        }
        found
    }

    /// Returns the type and the element of an index.
    pub(super) fn index(&self, term: &IndexTerm, environment: &[u8], types: &[IndexTypeId]) -> (IndexTypeId, u8) {
        match term {
            IndexTerm::Variable(variable) => (types[variable.index()], environment[variable.index()]),
            IndexTerm::Named(named) => self.named(*named),
        }
    }

    /// Returns the least state that a permutation of the elements yields.
    pub(crate) fn canonical(&self, state: &[Code]) -> OracleState {
        let mut best: OracleState = state.into();
        for permutation in &self.permutations {
            let mut smaller = false;
            for (scalar, &from) in permutation.sources.iter().enumerate() {
                let code = permutation.codes[usize::from(state[from])];
                if !smaller && code > best[scalar] {
                    break;
                }
                smaller |= code < best[scalar];
                best[scalar] = code;
            }
        }
        best
    }

    /// Returns all permutations except the identity, or none if there are too many.
    fn all_permutations(&self) -> Vec<Permutation> {
        let mut maps: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
        for (number, size) in (0..).zip(&self.sizes) {
            // What is repeated is found by the positions of the elements.
            let is_moved = |own: (u32, &system::Variable)| {
                let repeats = self.repeats(VariableId(own.0));
                repeats.is_some_and(|(_, position, _)| own.1.arguments[position] == IndexTypeId(number))
            };
            let is_fixed = (0..).zip(&self.system.variables).any(is_moved);
            let is_movable = |element: &u8| !is_fixed && !self.is_named(IndexTypeId(number), *element);
            let movable: Vec<u8> = (0..*size).filter(is_movable).collect();
            let orders = orders(&movable);
            if maps.len().saturating_mul(orders.len()) > MAX_PERMUTATIONS {
                return Vec::new();
            }
            maps = maps
                .iter()
                .flat_map(|chosen| {
                    let movable = &movable;
                    orders.iter().map(move |order| {
                        let mut map: Vec<u8> = (0..*size).collect();
                        for (from, to) in movable.iter().zip(order) {
                            map[usize::from(*from)] = *to;
                        }
                        let mut longer = chosen.clone();
                        longer.push(map);
                        longer
                    })
                })
                .collect();
        }
        maps.iter().skip(1).map(|maps| self.permutation(maps)).collect()
    }

    fn permutation(&self, maps: &[Vec<u8>]) -> Permutation {
        let highest = self.first.last().map_or(0, |first| usize::from(*first)) + 256;
        let mut codes: Vec<Code> = (0..=Code::MAX).collect();
        codes.truncate(highest.min(256));
        for (first, map) in self.first.iter().zip(maps) {
            for (from, to) in map.iter().enumerate() {
                codes[usize::from(*first) + from] = first + to;
            }
        }
        let mut sources = vec![0; self.scalars];
        for (number, variable) in (0..).zip(&self.system.variables) {
            for (offset, elements) in self.arguments[number as usize].iter().enumerate() {
                let moved = variable
                    .arguments
                    .iter()
                    .zip(elements)
                    .map(|(ty, element)| maps[ty.index()][usize::from(*element)]);
                let target = self.scalar(VariableId(number), moved);
                sources[target] = self.base[number as usize] + offset;
            }
        }
        Permutation { sources, codes }
    }
}

/// Returns all orders of the elements, starting with the given one.
fn orders(elements: &[u8]) -> Vec<Vec<u8>> {
    match elements.split_first() {
        None => vec![Vec::new()],
        Some(_) => (0..elements.len())
            .flat_map(|position| {
                let mut rest = elements.to_vec();
                let chosen = rest.remove(position);
                orders(&rest).into_iter().map(move |mut order| {
                    order.insert(0, chosen);
                    order
                })
            })
            .collect(),
    }
}
