//! An instance of a lowered system: its states, its steps, and the permutations of its elements.

use protocol::System;
use protocol::system::{
    Formula, IndexTerm, IndexTypeId, IndexVariable, PropertyId, RuleId, StartstateId, Term, Update, Value, VariableId,
};

use crate::discover::Refusal;

/// A value in a state: 0 is undefined, then the constants, then the elements of all index types.
pub(crate) type Code = u8;

/// The values of all scalars.
pub(crate) type State = Box<[Code]>;

/// At most this many permutations are tried for a representative.
const MAX_PERMUTATIONS: usize = 720;

/// A system with a number of elements for each index type.
#[derive(Debug)]
pub(crate) struct Machine<'a> {
    system: &'a System,
    sizes: Vec<u8>,
    /// The code of the first element of each index type.
    first: Vec<Code>,
    /// The first scalar of each state variable.
    base: Vec<usize>,
    pub(crate) scalars: usize,
    permutations: Vec<Permutation>,
    rules: Vec<Scope>,
    startstates: Vec<Scope>,
    /// For each state variable, its arguments in the order of its scalars.
    arguments: Vec<Vec<Vec<u8>>>,
}

/// The types of a scope, and all elements that its parameters can be.
#[derive(Debug)]
struct Scope {
    types: Vec<IndexTypeId>,
    parameters: Vec<Vec<u8>>,
}

/// A permutation of the elements that are not named.
#[derive(Debug)]
struct Permutation {
    /// Where the value of each scalar goes.
    scalars: Vec<usize>,
    /// What each value becomes.
    codes: Vec<Code>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(system: &'a System, sizes: &[u32]) -> Result<Self, Refusal> {
        let total = 1 + system.constants.len() + sizes.iter().map(|&size| size as usize).sum::<usize>();
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
            base,
            scalars,
            permutations: Vec::new(),
            rules: Vec::new(),
            startstates: Vec::new(),
            arguments: Vec::new(),
        };
        machine.rules = system.rules.iter().map(|rule| machine.scope(&rule.scope, rule.parameters)).collect();
        machine.startstates =
            system.startstates.iter().map(|start| machine.scope(&start.scope, start.parameters)).collect();
        machine.arguments = system.variables.iter().map(|variable| machine.assignments(&variable.arguments)).collect();
        machine.permutations = machine.all_permutations();
        Ok(machine)
    }

    fn scope(&self, scope: &[IndexVariable], parameters: u32) -> Scope {
        let types: Vec<IndexTypeId> = scope.iter().map(|variable| variable.index_type).collect();
        let parameters = self.assignments(&types[..parameters as usize]);
        Scope { types, parameters }
    }

    pub(crate) fn size(&self, index_type: IndexTypeId) -> u8 {
        self.sizes[index_type.index()]
    }

    pub(crate) fn constant(&self, constant: protocol::system::ConstantId) -> Code {
        Code::try_from(constant.index() + 1).expect("the number of values was checked")
    }

    pub(crate) fn element(&self, index_type: IndexTypeId, element: u8) -> Code {
        self.first[index_type.index()] + element
    }

    /// The scalar of a variable at elements of its argument types.
    pub(crate) fn scalar(&self, variable: VariableId, elements: impl Iterator<Item = u8>) -> usize {
        let types = &self.system.variables[variable.index()].arguments;
        let offset = types
            .iter()
            .zip(elements)
            .fold(0, |offset, (ty, element)| offset * usize::from(self.sizes[ty.index()]) + usize::from(element));
        self.base[variable.index()] + offset
    }

    /// All initial states with their startstates and parameters.
    pub(crate) fn initial(&self) -> Vec<(StartstateId, Vec<u8>, State)> {
        let undefined: State = vec![0; self.scalars].into();
        let mut found = Vec::new();
        for ((number, start), scope) in (0..).zip(&self.system.startstates).zip(&self.startstates) {
            let mut environment = vec![0; scope.types.len()];
            for parameters in &scope.parameters {
                environment[..parameters.len()].copy_from_slice(parameters);
                if self.holds(&start.guard, &mut environment, &scope.types, &undefined) {
                    let state = self.apply(&start.updates, &mut environment, &scope.types, &undefined);
                    found.push((StartstateId(number), parameters.clone(), state));
                }
            }
        }
        found
    }

    /// All successors with their rules and parameters.
    pub(crate) fn successors(&self, state: &State) -> Vec<(RuleId, Vec<u8>, State)> {
        let mut found = Vec::new();
        for ((number, rule), scope) in (0..).zip(&self.system.rules).zip(&self.rules) {
            let mut environment = vec![0; scope.types.len()];
            for parameters in &scope.parameters {
                environment[..parameters.len()].copy_from_slice(parameters);
                if self.holds(&rule.guard, &mut environment, &scope.types, state) {
                    let next = self.apply(&rule.updates, &mut environment, &scope.types, state);
                    found.push((RuleId(number), parameters.clone(), next));
                }
            }
        }
        found
    }

    /// The first property that the state violates.
    pub(crate) fn violated(&self, state: &State) -> Option<PropertyId> {
        (0..).zip(&self.system.properties).find_map(|(number, property)| {
            let violated = property.bad.iter().any(|cube| self.satisfies(cube, state));
            violated.then_some(PropertyId(number))
        })
    }

    fn satisfies(&self, cube: &protocol::system::Cube, state: &State) -> bool {
        let mut environment = Vec::new();
        self.embed(cube, state, &mut environment)
    }

    fn embed(&self, cube: &protocol::system::Cube, state: &State, environment: &mut Vec<u8>) -> bool {
        let position = environment.len();
        if position == cube.variables.len() {
            return cube.literals.iter().all(|literal| {
                let left = self.term(&literal.left, environment, &cube.variables, state);
                let right = self.term(&literal.right, environment, &cube.variables, state);
                left != 0 && right != 0 && (left == right) == literal.equal
            });
        }
        let index_type = cube.variables[position];
        for element in 0..self.size(index_type) {
            let taken = (0..position).any(|p| cube.variables[p] == index_type && environment[p] == element);
            if taken || self.is_named(index_type, element) {
                continue;
            }
            environment.push(element);
            let found = self.embed(cube, state, environment);
            environment.pop();
            if found {
                return true;
            }
        }
        false
    }

    pub(crate) fn is_named(&self, index_type: IndexTypeId, element: u8) -> bool {
        self.system.named.iter().any(|named| named.index_type == index_type && named.position == u32::from(element))
    }

    pub(crate) fn named(&self, named: protocol::system::NamedId) -> (IndexTypeId, u8) {
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

    fn index(&self, term: &IndexTerm, environment: &[u8]) -> u8 {
        match term {
            IndexTerm::Variable(variable) => environment[variable.index()],
            IndexTerm::Named(named) => self.named(*named).1,
        }
    }

    fn term(&self, term: &Term, environment: &[u8], types: &[IndexTypeId], state: &[Code]) -> Code {
        match term {
            Term::Constant(constant) => self.constant(*constant),
            Term::Index(index) => {
                let ty = match index {
                    IndexTerm::Variable(variable) => types[variable.index()],
                    IndexTerm::Named(named) => self.named(*named).0,
                };
                self.element(ty, self.index(index, environment))
            }
            Term::Read(variable, arguments) => {
                state[self.scalar(*variable, arguments.iter().map(|term| self.index(term, environment)))]
            }
        }
    }

    fn holds(&self, formula: &Formula, environment: &mut [u8], types: &[IndexTypeId], state: &[Code]) -> bool {
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Equal(left, right) => {
                let left = self.term(left, environment, types, state);
                left != 0 && left == self.term(right, environment, types, state)
            }
            Formula::Not(inner) => !self.holds(inner, environment, types, state),
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, environment, types, state)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part, environment, types, state)),
            Formula::Forall(variable, body) => (0..self.size(types[variable.index()])).all(|element| {
                environment[variable.index()] = element;
                self.holds(body, environment, types, state)
            }),
            Formula::Exists(variable, body) => (0..self.size(types[variable.index()])).any(|element| {
                environment[variable.index()] = element;
                self.holds(body, environment, types, state)
            }),
        }
    }

    fn value(&self, value: &Value, environment: &mut [u8], types: &[IndexTypeId], state: &[Code]) -> Code {
        match value {
            Value::Arbitrary => 0,
            Value::Term(term) => self.term(term, environment, types, state),
            Value::If(condition, yes, no) => {
                let branch = if self.holds(condition, environment, types, state) { yes } else { no };
                self.value(branch, environment, types, state)
            }
        }
    }

    fn apply(&self, updates: &[Update], environment: &mut [u8], types: &[IndexTypeId], state: &[Code]) -> State {
        let mut next: State = state.into();
        for update in updates {
            let base = self.base[update.variable.index()];
            for (offset, elements) in self.arguments[update.variable.index()].iter().enumerate() {
                for (bound, element) in update.arguments.iter().zip(elements) {
                    environment[bound.index()] = *element;
                }
                next[base + offset] = self.value(&update.value, environment, types, state);
            }
        }
        next
    }

    /// The least state that a permutation of the elements gives.
    pub(crate) fn canonical(&self, state: &State) -> State {
        let mut best: State = state.clone();
        let mut candidate: State = state.clone();
        for permutation in &self.permutations {
            for (scalar, code) in state.iter().enumerate() {
                candidate[permutation.scalars[scalar]] = permutation.codes[usize::from(*code)];
            }
            if candidate < best {
                best.copy_from_slice(&candidate);
            }
        }
        best
    }

    /// All permutations but the identity, or none where there are too many.
    fn all_permutations(&self) -> Vec<Permutation> {
        let mut maps: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
        for (number, size) in (0..).zip(&self.sizes) {
            let movable: Vec<u8> = (0..*size).filter(|&element| !self.is_named(IndexTypeId(number), element)).collect();
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
        let mut scalars = vec![0; self.scalars];
        for (number, variable) in (0..).zip(&self.system.variables) {
            for (offset, elements) in self.arguments[number as usize].iter().enumerate() {
                let moved = variable
                    .arguments
                    .iter()
                    .zip(elements)
                    .map(|(ty, element)| maps[ty.index()][usize::from(*element)]);
                let target = self.scalar(VariableId(number), moved);
                scalars[self.base[number as usize] + offset] = target;
            }
        }
        Permutation { scalars, codes }
    }
}

/// All orders of the elements, the given one first.
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
