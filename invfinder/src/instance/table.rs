//! The states that were reached, ready for questions about cubes.
//!
//! In: an exploration, and the lowered system that the cubes speak of. Out: whether some state that was reached, up to a
//! permutation of elements, satisfies a cube. Nothing that is proven rests on the answers: they only guide the search.
//!
//! For each scalar and each of its values there is a column with one bit for each state, made when it is first asked for.
//! A column that is set for few states is a list of them. A cube is tried with all injective choices of elements for its
//! variables; that is right for representatives of states as well. The literal with the fewest states comes first: where
//! it has none, the answer costs nothing; where it has few, they are looked at one by one; otherwise columns are
//! intersected word by word until a bit is left.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use protocol::exec::{ScalarKind, Step};
use protocol::lower::Lowered;
use protocol::program::TypeId;
use protocol::system::{Cube, IndexTerm, IndexTypeId, Literal, NamedId, PathStep, SortId, System, Term, VariableId};

use super::Instance;
use super::explore::Exploration;

/// Knows states that are reachable.
pub trait Oracle: Sync {
    /// Whether some state that was reached, up to permutation of the elements of index types, satisfies the cube. A
    /// scalar that is undefined satisfies every literal about it.
    fn admits(&self, cube: &Cube) -> bool;
}

/// The constant that lowering enters where a model asks whether something is undefined.
const UNDEFINED: &str = "undefined";
/// A column is a list where it is set for at most one of so many states.
const SPARSE: usize = 64;

/// The states of an exploration as columns.
#[derive(Debug)]
pub struct StateTable<'a> {
    instance: &'a Instance,
    exploration: &'a Exploration,
    system: &'a System,
    states: usize,
    variables: Vec<Ground>,
    /// For each index type its elements that are not named, as positions.
    anonymous: Vec<Vec<u32>>,
    sizes: Vec<u32>,
    /// For each named element where its position is found.
    named: Vec<Named>,
    /// For each scalar the columns of its codes.
    columns: Vec<OnceLock<Box<[Column]>>>,
    /// For each index type and each scalar type the code of the first element.
    first_codes: Vec<Vec<(TypeId, u64)>>,
    constant_codes: Vec<Vec<(TypeId, u64)>>,
    /// For each state variable whether being undefined is a value of its own, and not any value.
    tracked: Vec<bool>,
}

/// Where a state variable is.
#[derive(Debug)]
struct Ground {
    /// The scalar at the first element for all arguments; none where the instance does not have the variable.
    base: Option<usize>,
    strides: Vec<usize>,
}

#[derive(Debug)]
enum Named {
    At(u32),
    /// The position is the value of this scalar.
    In(usize),
}

/// The states in which a scalar has a certain code.
#[derive(Debug)]
enum Column {
    Sparse(Vec<u32>),
    Dense { words: Vec<u64>, count: usize },
}

impl Column {
    fn count(&self) -> usize {
        match self {
            Self::Sparse(states) => states.len(),
            Self::Dense { count, .. } => *count,
        }
    }
}

/// A literal about scalars of the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    /// The scalar has this code, or: has another one. With `wild` an undefined scalar satisfies both.
    Code { scalar: usize, code: u64, equal: bool, wild: bool },
    /// The scalars are equal, or: different. With `wild` an undefined scalar satisfies both.
    Scalars { left: usize, right: usize, equal: bool, wild: bool },
    /// Holds in no state.
    False,
}

impl<'a> StateTable<'a> {
    /// Prepares the table; columns are made when they are needed.
    #[must_use]
    pub fn new(instance: &'a Instance, exploration: &'a Exploration, lowered: &'a Lowered) -> Self {
        let system = &lowered.system;
        let machine = instance.machine();
        let sizes: Vec<u32> = (0..)
            .map(IndexTypeId)
            .zip(&system.index_types)
            .map(|(id, _)| {
                let ty = lowered.types.iter().find(|(_, of)| **of == id).map(|(ty, _)| *ty);
                let domain = ty.and_then(|ty| machine.values().domain(ty));
                domain.map_or(0, |domain| u32::try_from(domain.size()).unwrap_or(u32::MAX))
            })
            .collect();
        let homes: Vec<(NamedId, usize)> = lowered
            .homes
            .iter()
            .filter_map(|(variable, named)| machine.layout().base(*variable).map(|scalar| (*named, scalar)))
            .collect();
        let named: Vec<Named> = (0..)
            .map(NamedId)
            .zip(&system.named)
            .map(|(id, element)| match homes.iter().find(|(home, _)| *home == id) {
                Some((_, scalar)) => Named::In(*scalar),
                None => Named::At(element.position),
            })
            .collect();
        let anonymous = (0..)
            .map(IndexTypeId)
            .zip(&sizes)
            .map(|(id, &size)| {
                let fixed: BTreeSet<u32> = (system.named.iter().zip(&named))
                    .filter(|(element, _)| element.index_type == id)
                    .filter_map(|(_, named)| match named {
                        Named::At(position) => Some(*position),
                        Named::In(_) => None,
                    })
                    .collect();
                (0..size).filter(|position| !fixed.contains(position)).collect()
            })
            .collect();
        let mut table = Self {
            instance,
            exploration,
            system,
            states: usize::try_from(exploration.states()).unwrap_or(usize::MAX),
            variables: Vec::new(),
            anonymous,
            sizes,
            named,
            columns: (0..machine.layout().scalars().len()).map(|_| OnceLock::new()).collect(),
            first_codes: Vec::new(),
            constant_codes: Vec::new(),
            tracked: system.variables.iter().map(|variable| is_tracked(system, variable.sort)).collect(),
        };
        table.variables =
            (0..).map(VariableId).take(system.variables.len()).map(|v| table.ground(lowered, v)).collect();
        table.find_codes(lowered);
        table
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// Whether the instance has enough elements for the variables of the cube; otherwise no state satisfies it, which
    /// then means nothing.
    #[must_use]
    pub fn covers(&self, cube: &Cube) -> bool {
        (0..).map(IndexTypeId).zip(&self.anonymous).all(|(id, anonymous)| {
            let homes = self.system.named.iter().zip(&self.named);
            let homes = homes.filter(|(element, named)| element.index_type == id && matches!(named, Named::In(_)));
            let wanted = cube.variables.iter().filter(|ty| **ty == id).count();
            wanted + homes.count() <= anonymous.len()
        })
    }

    /// Finds the scalars of a state variable.
    fn ground(&self, lowered: &Lowered, variable: VariableId) -> Ground {
        let arguments = &self.system.variables[variable.index()].arguments;
        let zeros = vec![0; arguments.len()];
        let base = self.scalar_at(lowered, variable, &zeros);
        let strides = (0..arguments.len())
            .map(|position| {
                let mut ones = zeros.clone();
                ones[position] = 1;
                let next = self.scalar_at(lowered, variable, &ones);
                next.zip(base).map_or(0, |(next, base)| next.saturating_sub(base))
            })
            .collect();
        Ground { base, strides }
    }

    fn scalar_at(&self, lowered: &Lowered, variable: VariableId, positions: &[u32]) -> Option<usize> {
        let machine = self.instance.machine();
        let declared = &self.system.variables[variable.index()];
        let mut steps = Vec::new();
        for step in &declared.path {
            steps.push(match step {
                PathStep::Global(name) => Step::Global(name.clone()),
                PathStep::Field(name) => Step::Field(name.clone()),
                PathStep::Argument(argument) => {
                    let id = declared.arguments[*argument as usize];
                    let ty = lowered.types.iter().find(|(_, of)| **of == id).map(|(ty, _)| *ty)?;
                    let code = u64::from(positions[*argument as usize]) + 1;
                    let domain = machine.values().domain(ty)?;
                    if code > domain.size() {
                        return None;
                    }
                    Step::Element(domain.decode(code))
                }
                PathStep::Element(constant) => {
                    let name = &self.system.constants[constant.index()].name;
                    Step::Element(self.number(name)?)
                }
            });
        }
        machine.layout().find(machine.program(), machine.values(), &steps)
    }

    /// The number of a value that is no element of an index type.
    fn number(&self, name: &str) -> Option<i64> {
        match name {
            "true" => Some(1),
            "false" => Some(0),
            _ => self.instance.machine().values().member(name).or_else(|| name.parse().ok()),
        }
    }

    /// Finds the codes that elements and constants have in the scalars of each type.
    fn find_codes(&mut self, lowered: &Lowered) {
        let machine = self.instance.machine();
        let mut types: BTreeSet<TypeId> = BTreeSet::new();
        for scalar in machine.layout().scalars() {
            if let ScalarKind::Value(ty, _) = &scalar.kind {
                types.insert(*ty);
            }
        }
        let first = |ty: TypeId, id: IndexTypeId| -> Option<u64> {
            let domain = machine.values().domain(ty)?;
            let segments = domain.segments();
            let at = segments.iter().position(|segment| lowered.types.get(&segment.ty) == Some(&id))?;
            Some(1 + segments[..at].iter().map(|segment| segment.count).sum::<u64>())
        };
        self.first_codes = (0..self.system.index_types.len())
            .map(|position| {
                let id = IndexTypeId(u32::try_from(position).unwrap_or(u32::MAX));
                types.iter().filter_map(|&ty| first(ty, id).map(|code| (ty, code))).collect()
            })
            .collect();
        self.constant_codes = self
            .system
            .constants
            .iter()
            .map(|constant| {
                let code = |ty: TypeId| -> Option<u64> {
                    if constant.name == UNDEFINED {
                        return Some(0);
                    }
                    machine.values().domain(ty)?.encode(self.number(&constant.name)?)
                };
                types.iter().filter_map(|&ty| code(ty).map(|code| (ty, code))).collect()
            })
            .collect();
    }

    /// Tries all choices of elements for the homes and for the variables of the cube.
    fn choose(&self, cube: &Cube, choice: &mut Choice) -> bool {
        if let Some(home) = (choice.named.len()..self.named.len()).next() {
            let index_type = self.system.named[home].index_type;
            return match self.named[home] {
                Named::At(position) => choice.with_named(position, None, |choice| self.choose(cube, choice)),
                Named::In(scalar) => self.anonymous[index_type.index()].iter().any(|&position| {
                    let free = !choice.takes(self.system, cube, index_type, position);
                    let fact = self.element_fact(scalar, index_type, position, true, false);
                    free && choice.with_named(position, Some(fact), |choice| self.choose(cube, choice))
                }),
            };
        }
        let Some(&index_type) = cube.variables.get(choice.elements.len()) else {
            return self.satisfied(cube, choice);
        };
        self.anonymous[index_type.index()].iter().any(|&position| {
            if choice.takes(self.system, cube, index_type, position) {
                return false;
            }
            choice.elements.push(position);
            let found = self.choose(cube, choice);
            choice.elements.pop();
            found
        })
    }

    /// Whether some state satisfies the cube with these elements.
    fn satisfied(&self, cube: &Cube, choice: &Choice) -> bool {
        let mut facts = choice.facts.clone();
        for literal in &cube.literals {
            match self.fact(literal, choice) {
                Some(Fact::False) => return false,
                Some(fact) => facts.push(fact),
                None => {}
            }
        }
        self.some_state(&facts)
    }

    /// The literal about scalars; none where it holds in every state.
    fn fact(&self, literal: &Literal, choice: &Choice) -> Option<Fact> {
        let decided = |truth: bool| if truth { None } else { Some(Fact::False) };
        match (&literal.left, &literal.right) {
            (Term::Read(..), Term::Read(..)) => {
                let (left, right) = (self.read(&literal.left, choice), self.read(&literal.right, choice));
                match (left, right) {
                    (Some(left), Some(right)) if left == right => decided(literal.equal),
                    (Some(left), Some(right)) => {
                        let wild = self.is_wild(&literal.left) && self.is_wild(&literal.right);
                        Some(Fact::Scalars { left, right, equal: literal.equal, wild })
                    }
                    _ => Some(Fact::False),
                }
            }
            (read @ Term::Read(..), value) | (value, read @ Term::Read(..)) => {
                let Some(scalar) = self.read(read, choice) else { return Some(Fact::False) };
                let wild = self.is_wild(read);
                Some(match value {
                    Term::Constant(constant) => {
                        let code = self.code(&self.constant_codes[constant.index()], scalar);
                        Self::code_fact(scalar, code, literal.equal, wild)
                    }
                    Term::Index(term) => {
                        let (index_type, position) = self.element(*term, choice);
                        self.element_fact(scalar, index_type, position, literal.equal, wild)
                    }
                    Term::Read(..) => Fact::False,
                })
            }
            (Term::Index(left), Term::Index(right)) => {
                decided((self.element(*left, choice) == self.element(*right, choice)) == literal.equal)
            }
            (left, right) => decided((left == right) == literal.equal),
        }
    }

    fn is_wild(&self, term: &Term) -> bool {
        matches!(term, Term::Read(variable, _) if !self.tracked[variable.index()])
    }

    fn code_fact(scalar: usize, code: Option<u64>, equal: bool, wild: bool) -> Fact {
        // A value that the scalar cannot have: only an undefined scalar equals it, and any other one differs from it.
        Fact::Code { scalar, code: code.unwrap_or(u64::MAX), equal, wild }
    }

    fn element_fact(&self, scalar: usize, index_type: IndexTypeId, position: u32, equal: bool, wild: bool) -> Fact {
        let first = self.code(&self.first_codes[index_type.index()], scalar);
        Self::code_fact(scalar, first.map(|first| first + u64::from(position)), equal, wild)
    }

    fn code(&self, codes: &[(TypeId, u64)], scalar: usize) -> Option<u64> {
        let ScalarKind::Value(ty, _) = &self.instance.machine().layout().scalars()[scalar].kind else { return None };
        codes.iter().find(|(of, _)| of == ty).map(|(_, code)| *code)
    }

    fn read(&self, term: &Term, choice: &Choice) -> Option<usize> {
        let Term::Read(variable, arguments) = term else { return None };
        let ground = &self.variables[variable.index()];
        let mut scalar = ground.base?;
        for (argument, stride) in arguments.iter().zip(&ground.strides) {
            let (index_type, position) = self.element(*argument, choice);
            if position >= self.sizes[index_type.index()] {
                return None;
            }
            scalar += position as usize * stride;
        }
        Some(scalar)
    }

    fn element(&self, term: IndexTerm, choice: &Choice) -> (IndexTypeId, u32) {
        match term {
            IndexTerm::Variable(variable) => (choice.types[variable.index()], choice.elements[variable.index()]),
            IndexTerm::Named(named) => (self.system.named[named.index()].index_type, choice.named[named.index()]),
        }
    }

    /// Whether some state satisfies all facts.
    fn some_state(&self, facts: &[Fact]) -> bool {
        let bounds: Vec<usize> = facts.iter().map(|fact| self.bound(*fact)).collect();
        let Some((rarest, &bound)) = bounds.iter().enumerate().min_by_key(|(_, bound)| **bound) else {
            return self.states > 0;
        };
        if bound == 0 {
            return false;
        }
        if let Fact::Code { scalar, code, equal: true, wild } = facts[rarest] {
            let undefined = if wild { self.column(scalar, 0) } else { None };
            let lists = [undefined, self.column(scalar, code)];
            if lists.iter().flatten().all(|column| matches!(column, Column::Sparse(_))) {
                return lists.iter().flatten().any(|column| match column {
                    Column::Sparse(states) => states.iter().any(|&state| self.holds(facts, state)),
                    Column::Dense { .. } => false,
                });
            }
        }
        let mut order: Vec<usize> = (0..facts.len()).collect();
        order.sort_by_key(|&position| bounds[position]);
        let words = self.states.div_ceil(64);
        (0..words).any(|word| {
            let mut bits = if word + 1 == words { u64::MAX >> (words * 64 - self.states) } else { u64::MAX };
            for &position in &order {
                bits &= self.word(facts[position], word);
                if bits == 0 {
                    return false;
                }
            }
            bits != 0
        })
    }

    /// At most so many states satisfy the fact.
    fn bound(&self, fact: Fact) -> usize {
        match fact {
            Fact::Code { scalar, code, equal: true, wild } => {
                let count = |code| self.column(scalar, code).map_or(0, Column::count);
                count(code) + if wild { count(0) } else { 0 }
            }
            Fact::Code { scalar, code, equal: false, .. } => {
                self.states - self.column(scalar, code).map_or(0, Column::count)
            }
            Fact::Scalars { .. } => self.states,
            Fact::False => 0,
        }
    }

    /// The states among 64 that satisfy the fact.
    fn word(&self, fact: Fact, word: usize) -> u64 {
        match fact {
            Fact::Code { scalar, code, equal: true, wild } => {
                let undefined = if wild { bits_of(self.column(scalar, 0), word) } else { 0 };
                undefined | bits_of(self.column(scalar, code), word)
            }
            Fact::Code { scalar, code, equal: false, .. } => !bits_of(self.column(scalar, code), word),
            Fact::Scalars { .. } => {
                let mut bits = 0;
                for bit in 0..64 {
                    let state = word * 64 + bit;
                    if state < self.states && self.holds(&[fact], u32::try_from(state).unwrap_or(u32::MAX)) {
                        bits |= 1 << bit;
                    }
                }
                bits
            }
            Fact::False => 0,
        }
    }

    fn holds(&self, facts: &[Fact], state: u32) -> bool {
        let layout = self.instance.machine().layout();
        let mut words = [0; 32];
        let mut heap;
        let words = match words.get_mut(..layout.words()) {
            Some(words) => words,
            None => {
                heap = vec![0; layout.words()];
                heap.as_mut_slice()
            }
        };
        self.exploration.state(state, words);
        facts.iter().all(|fact| match *fact {
            Fact::Code { scalar, code, equal, wild } => {
                let found = layout.code(words, scalar);
                if equal { found == code || wild && found == 0 } else { found != code }
            }
            Fact::Scalars { left, right, equal, wild } => {
                let (a, b) = (layout.code(words, left), layout.code(words, right));
                wild && (a == 0 || b == 0) || self.same(left, a, right, b) == equal
            }
            Fact::False => false,
        })
    }

    /// Whether two codes stand for the same value.
    fn same(&self, left: usize, a: u64, right: usize, b: u64) -> bool {
        let scalars = self.instance.machine().layout().scalars();
        match (&scalars[left].kind, &scalars[right].kind) {
            (ScalarKind::Value(_, first), ScalarKind::Value(_, second)) if a != 0 && b != 0 => {
                first.decode(a) == second.decode(b)
            }
            _ => a == b,
        }
    }

    fn column(&self, scalar: usize, code: u64) -> Option<&Column> {
        let columns = self.columns[scalar].get_or_init(|| self.make_columns(scalar));
        usize::try_from(code).ok().and_then(|code| columns.get(code))
    }

    fn make_columns(&self, scalar: usize) -> Box<[Column]> {
        let layout = self.instance.machine().layout();
        let size = match &layout.scalars()[scalar].kind {
            ScalarKind::Present => 1,
            ScalarKind::Value(_, domain) => usize::try_from(domain.size()).unwrap_or(0),
        };
        let mut state = vec![0; layout.words()];
        let mut codes = Vec::with_capacity(self.states);
        let mut counts = vec![0_usize; size + 1];
        for position in 0..self.states {
            self.exploration.state(u32::try_from(position).unwrap_or(u32::MAX), &mut state);
            let code = usize::try_from(layout.code(&state, scalar)).unwrap_or(0);
            counts[code] += 1;
            codes.push(u32::try_from(code).unwrap_or(0));
        }
        let mut columns: Vec<Column> = counts
            .iter()
            .map(|&count| {
                if count * SPARSE <= self.states {
                    Column::Sparse(Vec::with_capacity(count))
                } else {
                    Column::Dense { words: vec![0; self.states.div_ceil(64)], count }
                }
            })
            .collect();
        for (state, code) in (0..).zip(codes) {
            match &mut columns[code as usize] {
                Column::Sparse(states) => states.push(state),
                Column::Dense { words, .. } => words[state as usize / 64] |= 1 << (state % 64),
            }
        }
        columns.into_boxed_slice()
    }
}

impl Oracle for StateTable<'_> {
    fn admits(&self, cube: &Cube) -> bool {
        let choice =
            Choice { types: cube.variables.clone(), elements: Vec::new(), named: Vec::new(), facts: Vec::new() };
        self.choose(cube, &mut { choice })
    }
}

/// Whether the undefined value is among the constants of the sort: the model asks for it.
fn is_tracked(system: &System, sort: SortId) -> bool {
    let constants = &system.sorts[sort.index()].constants;
    constants.iter().any(|constant| system.constants[constant.index()].name == UNDEFINED)
}

fn bits_of(column: Option<&Column>, word: usize) -> u64 {
    match column {
        None => 0,
        Some(Column::Dense { words, .. }) => words[word],
        Some(Column::Sparse(states)) => {
            let first = states.partition_point(|&state| (state as usize) < word * 64);
            states[first..]
                .iter()
                .take_while(|&&state| (state as usize) < word * 64 + 64)
                .fold(0, |bits, state| bits | 1 << (state % 64))
        }
    }
}

/// Elements that were chosen so far.
#[derive(Debug)]
struct Choice {
    types: Vec<IndexTypeId>,
    /// For the variables of the cube.
    elements: Vec<u32>,
    /// For the named elements.
    named: Vec<u32>,
    /// What the choice of named elements means for the state.
    facts: Vec<Fact>,
}

impl Choice {
    /// Whether an element was chosen already.
    fn takes(&self, system: &System, cube: &Cube, index_type: IndexTypeId, position: u32) -> bool {
        let by_variable = self.elements.iter().zip(&cube.variables).any(|(p, ty)| (*ty, *p) == (index_type, position));
        let by_name =
            self.named.iter().zip(&system.named).any(|(p, named)| (named.index_type, *p) == (index_type, position));
        by_variable || by_name
    }

    fn with_named(&mut self, position: u32, fact: Option<Fact>, then: impl FnOnce(&mut Self) -> bool) -> bool {
        let facts = self.facts.len();
        self.named.push(position);
        self.facts.extend(fact);
        let found = then(self);
        self.facts.truncate(facts);
        self.named.pop();
        found
    }
}
