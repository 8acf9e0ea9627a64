//! Compact literals for the inner loops of the search.
//!
//! They represent terms and literals of [`system`] over elements that the caller numbers, as small `Copy` values that
//! are cheap to compare and hash, and can be converted back. An *element* is a named element of the system or a symbol:
//! an index variable of a cube, or another element of a pre-image. Different elements are distinct.
//!
//! This module knows nothing about rules or the search.

use system::{ConstantId, Cube, IndexTerm, IndexTypeId, IndexVariableId, Literal, NamedId, System, Term, VariableId};

/// A named element (if below the number of named elements) or a symbol.
pub(crate) type Element = u8;

/// The maximum number of elements in one cube. Each takes five bits, and one value means "none".
pub(crate) const MAX_ELEMENTS: usize = 30;
/// Represents any symbol in the shape of a literal.
pub(crate) const ANY_SYMBOL: Element = 30;
const NO_ELEMENT: u32 = 31;
const ARGUMENT_BITS: u32 = 5;
/// The maximum number of index arguments of a state variable in the search.
pub(crate) const MAX_ARGUMENTS: usize = 4;
const VARIABLE_SHIFT: u32 = 20;
/// The maximum number of state variables in the search.
pub(crate) const MAX_VARIABLES: usize = 1 << 12;

/// A state variable applied to elements, packed into one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Read(pub(crate) u32);

impl Read {
    pub(crate) fn new(variable: VariableId, arguments: impl Iterator<Item = Element>) -> Self {
        let mut word = variable.0 << VARIABLE_SHIFT;
        let mut shift = VARIABLE_SHIFT;
        for argument in arguments {
            shift -= ARGUMENT_BITS;
            word |= u32::from(argument) << shift;
        }
        while shift > 0 {
            shift -= ARGUMENT_BITS;
            word |= NO_ELEMENT << shift;
        }
        Self(word)
    }

    pub(crate) fn variable(self) -> VariableId {
        VariableId(self.0 >> VARIABLE_SHIFT)
    }

    pub(crate) fn arguments(self) -> impl Iterator<Item = Element> {
        (0..MAX_ARGUMENTS).filter_map(move |position| self.argument(position))
    }

    fn argument(self, position: usize) -> Option<Element> {
        let shift = VARIABLE_SHIFT - ARGUMENT_BITS * (u32::try_from(position).ok()? + 1);
        let bits = (self.0 >> shift) & NO_ELEMENT;
        (bits != NO_ELEMENT).then(|| narrow(bits))
    }

    /// Returns the read of a state variable with one argument replaced.
    pub(crate) fn moved(self, variable: VariableId, position: usize, to: Element) -> Self {
        let arguments = self.arguments().enumerate();
        Self::new(variable, arguments.map(|(at, own)| if at == position { to } else { own }))
    }

    pub(crate) fn rename(self, map: &Renaming) -> Self {
        Self::new(self.variable(), self.arguments().map(|element| map.0[usize::from(element)]))
    }
}

/// Returns the low byte of a word that is known to be small.
fn narrow(word: u32) -> u8 {
    word.to_le_bytes()[0]
}

/// A constant or an element, packed into one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Datum(u32);

const ELEMENT_FLAG: u32 = 1 << 31;

impl Datum {
    pub(crate) fn constant(id: ConstantId) -> Self {
        Self(id.0)
    }

    pub(crate) fn element(element: Element) -> Self {
        Self(ELEMENT_FLAG | u32::from(element))
    }

    pub(crate) fn as_element(self) -> Option<Element> {
        (self.0 & ELEMENT_FLAG != 0).then(|| narrow(self.0))
    }

    pub(crate) fn as_constant(self) -> Option<ConstantId> {
        (self.0 & ELEMENT_FLAG == 0).then_some(ConstantId(self.0))
    }
}

/// The right side of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    Value(Datum),
    Read(Read),
    /// The number 0.
    Zero,
}

impl Side {
    pub(crate) fn read(self) -> Option<Read> {
        match self {
            Self::Read(read) => Some(read),
            Self::Value(_) | Self::Zero => None,
        }
    }
}

/// How two sides compare: [`system::Comparison`] in eight bytes. Sums saturate, which can only spoil an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Comparison {
    Different,
    Equal,
    AtMost(i32),
    AtLeast(i32),
}

impl Comparison {
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Different => Self::Equal,
            Self::Equal => Self::Different,
            Self::AtMost(sum) => Self::AtLeast(sum.saturating_add(1)),
            Self::AtLeast(sum) => Self::AtMost(sum.saturating_sub(1)),
        }
    }

    pub(crate) fn mirrored(self) -> Self {
        match self {
            Self::Different | Self::Equal => self,
            Self::AtMost(sum) => Self::AtLeast(sum.saturating_neg()),
            Self::AtLeast(sum) => Self::AtMost(sum.saturating_neg()),
        }
    }

    /// Returns a bound with a number added to its sum.
    pub(crate) fn shifted(self, by: i64) -> Self {
        let moved = |sum: i32| clamped(i64::from(sum).saturating_add(by));
        match self {
            Self::Different | Self::Equal => self,
            Self::AtMost(sum) => Self::AtMost(moved(sum)),
            Self::AtLeast(sum) => Self::AtLeast(moved(sum)),
        }
    }

    pub(crate) fn is_equal(self) -> bool {
        self == Self::Equal
    }

    pub(crate) fn is_bound(self) -> bool {
        matches!(self, Self::AtMost(_) | Self::AtLeast(_))
    }

    pub(crate) fn equal_if(equal: bool) -> Self {
        if equal { Self::Equal } else { Self::Different }
    }

    /// Returns the comparison of `left <= right + sum`, or of its negation.
    pub(crate) fn at_most(sum: i64, positive: bool) -> Self {
        let bound = Self::AtMost(clamped(sum));
        if positive { bound } else { bound.negated() }
    }

    /// Returns whether an equation or inequation holds of two values, given whether they are equal.
    pub(crate) fn holds(self, equal: bool) -> bool {
        self.is_equal() == equal
    }

    /// Returns whether a bound holds of two numbers, given their difference.
    pub(crate) fn holds_of_numbers(self, difference: i64) -> bool {
        system::Comparison::from(self).holds_of_numbers(difference)
    }
}

fn clamped(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

impl From<system::Comparison> for Comparison {
    fn from(comparison: system::Comparison) -> Self {
        match comparison {
            system::Comparison::Different => Self::Different,
            system::Comparison::Equal => Self::Equal,
            system::Comparison::AtMost(sum) => Self::AtMost(clamped(sum)),
            system::Comparison::AtLeast(sum) => Self::AtLeast(clamped(sum)),
        }
    }
}

impl From<Comparison> for system::Comparison {
    fn from(comparison: Comparison) -> Self {
        match comparison {
            Comparison::Different => Self::Different,
            Comparison::Equal => Self::Equal,
            Comparison::AtMost(sum) => Self::AtMost(i64::from(sum)),
            Comparison::AtLeast(sum) => Self::AtLeast(i64::from(sum)),
        }
    }
}

/// A literal in normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lit {
    pub(crate) left: Read,
    pub(crate) comparison: Comparison,
    pub(crate) right: Side,
}

/// The result of making a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    True,
    False,
    Lit(Lit),
}

impl Made {
    fn decided(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

/// A map from elements to elements that is the identity on named elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Renaming(pub(crate) [Element; MAX_ELEMENTS + 2]);

impl Renaming {
    pub(crate) fn identity() -> Self {
        let mut map = [0; MAX_ELEMENTS + 2];
        for (element, slot) in (0u8..).zip(map.iter_mut()) {
            *slot = element;
        }
        Self(map)
    }

    /// Returns the map of the elements from `first` on to the given ones.
    pub(crate) fn onto(first: usize, elements: &[Element]) -> Self {
        Self::identity().with(first, elements)
    }

    fn with(mut self, first: usize, elements: &[Element]) -> Self {
        self.0[first..first + elements.len()].copy_from_slice(elements);
        self
    }
}

impl Lit {
    /// Returns the sides as certificates have them: of two reads, the one that is less there, where symbols come before
    /// named elements, is on the left.
    pub(crate) fn as_written(self, space: &Space) -> (Read, Comparison, Side) {
        let first = space.first_symbol();
        let place = |read: Read| (read.variable(), read.arguments().map(|own| (own < first, own)).collect::<Vec<_>>());
        match self.right {
            Side::Read(right) if right.variable() == self.left.variable() && place(right) < place(self.left) => {
                (right, self.comparison.mirrored(), Side::Read(self.left))
            }
            Side::Read(_) | Side::Value(_) | Side::Zero => (self.left, self.comparison, self.right),
        }
    }

    /// Returns the same literal over other elements, in normal form.
    pub(crate) fn rename(self, map: &Renaming) -> Self {
        let left = self.left.rename(map);
        match self.right {
            Side::Value(datum) => {
                let datum = datum.as_element().map_or(datum, |e| Datum::element(map.0[usize::from(e)]));
                Self { left, comparison: self.comparison, right: Side::Value(datum) }
            }
            Side::Read(read) => {
                let right = read.rename(map);
                if left <= right {
                    Self { left, comparison: self.comparison, right: Side::Read(right) }
                } else {
                    Self { left: right, comparison: self.comparison.mirrored(), right: Side::Read(left) }
                }
            }
            Side::Zero => Self { left, ..self },
        }
    }

    /// Returns all elements that occur, with repetitions.
    pub(crate) fn elements(self) -> impl Iterator<Item = Element> {
        let (value, read) = match self.right {
            Side::Value(datum) => (datum.as_element(), None),
            Side::Read(read) => (None, Some(read)),
            Side::Zero => (None, None),
        };
        self.left.arguments().chain(value).chain(read.into_iter().flat_map(Read::arguments))
    }
}

/// The possible values of a state variable.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    pub(crate) constants: Vec<ConstantId>,
    pub(crate) index_types: Vec<IndexTypeId>,
}

impl Domain {
    /// Returns whether no value belongs to both.
    fn is_disjoint(&self, other: &Self) -> bool {
        !self.constants.iter().any(|constant| other.constants.contains(constant))
            && !self.index_types.iter().any(|index_type| other.index_types.contains(index_type))
    }

    /// Returns the other constant if there are exactly two values.
    fn other(&self, constant: ConstantId) -> Option<ConstantId> {
        match (self.constants.as_slice(), self.index_types.is_empty()) {
            ([a, b], true) if *a == constant => Some(*b),
            ([a, b], true) if *b == constant => Some(*a),
            _ => None,
        }
    }
}

/// The state variable that another one repeats at elements with other ranks; see [`System::repeats`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeated {
    pub(crate) of: VariableId,
    /// The position of the argument.
    pub(crate) position: usize,
    /// The difference of the ranks.
    pub(crate) by: i64,
    /// The rank of an argument.
    pub(crate) rank: VariableId,
}

impl Repeated {
    fn new(system: &System, variable: VariableId) -> Option<Self> {
        let (of, position, by) = system.repeats(variable)?;
        let position = usize::try_from(position).ok()?;
        let rank = system.rank(*system.variables[of.index()].arguments.get(position)?)?;
        Some(Self { of, position, by, rank })
    }
}

/// The facts about a system that its literals depend on.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    /// The domain of each state variable.
    pub(crate) domains: Vec<Domain>,
    /// The types of the arguments of each state variable.
    pub(crate) arguments: Vec<Vec<IndexTypeId>>,
    /// The types of the named elements.
    pub(crate) named: Vec<IndexTypeId>,
    /// For each state variable, whether it holds a number that rules choose.
    choices: Vec<bool>,
    /// For each state variable, whether it holds a number of elements.
    counts: Vec<bool>,
    /// For each state variable, whether it is half of a parameter.
    halves: Vec<bool>,
    /// For each state variable, whether it is the rank of an element.
    ranks: Vec<bool>,
    /// For each state variable, whether no rule and no startstate writes it.
    parameters: Vec<bool>,
    /// For each state variable, what it repeats if it is another one at elements with other ranks.
    repeats: Vec<Option<Repeated>>,
    /// For each state variable, whether no rule writes it.
    fixed: Vec<bool>,
    /// Whether the system has numbers.
    has_numbers: bool,
}

impl Space {
    pub(crate) fn new(system: &System) -> Self {
        let domains = system
            .variables
            .iter()
            .map(|variable| {
                let sort = &system.sorts[variable.sort.index()];
                Domain { constants: sort.constants.clone(), index_types: sort.index_types.clone() }
            })
            .collect();
        let arguments = system.variables.iter().map(|variable| variable.arguments.clone()).collect();
        let named = system.named.iter().map(|named| named.index_type).collect();
        let ids = (0..).map(VariableId).take(system.variables.len());
        let choices = ids.map(|id| system.is_choice(id)).collect();
        let is_count = |variable: &system::Variable| matches!(variable.path[..], [system::PathStep::Count(..)]);
        let counts = system.variables.iter().map(is_count).collect();
        let is_half = |variable: &system::Variable| matches!(variable.path[..], [system::PathStep::Half(..)]);
        let halves = system.variables.iter().map(is_half).collect();
        let is_rank = |variable: &system::Variable| variable.path == [system::PathStep::Rank];
        let ranks = system.variables.iter().map(is_rank).collect();
        let parameters = (0..).map(VariableId).take(system.variables.len()).map(|id| system.is_parameter(id)).collect();
        let ids = (0..).map(VariableId).take(system.variables.len());
        let repeats = ids.map(|id| Repeated::new(system, id)).collect();
        let has_numbers = system.sorts.iter().any(|sort| sort.numbers.is_some());
        let fixed = (0..).map(VariableId).take(system.variables.len()).map(|id| !system.is_written(id)).collect();
        Self { domains, arguments, named, choices, counts, halves, ranks, parameters, repeats, fixed, has_numbers }
    }

    /// Returns the number of the first symbol.
    pub(crate) fn first_symbol(&self) -> Element {
        u8::try_from(self.named.len()).expect("the number of named elements was checked")
    }

    pub(crate) fn domain(&self, read: Read) -> &Domain {
        &self.domains[read.variable().index()]
    }

    /// Returns whether a literal is about a number that rules choose, which is arbitrary in every state.
    pub(crate) fn is_about_choice(&self, lit: Lit) -> bool {
        let is_choice = |read: Read| self.choices[read.variable().index()];
        is_choice(lit.left) || lit.right.read().is_some_and(is_choice)
    }

    /// Returns whether the system has numbers of elements.
    pub(crate) fn counts(&self) -> bool {
        self.counts.contains(&true)
    }

    /// Returns whether the system has numbers.
    pub(crate) fn has_numbers(&self) -> bool {
        self.has_numbers
    }

    /// Returns whether a literal compares half of a parameter with another number than that of some elements.
    pub(crate) fn is_about_half(&self, lit: Lit) -> bool {
        let is_half = |read: Read| self.halves[read.variable().index()];
        (is_half(lit.left) || lit.right.read().is_some_and(is_half)) && !self.is_about_count(lit)
    }

    /// Returns whether a read is a number of elements.
    pub(crate) fn is_count(&self, read: Read) -> bool {
        self.counts[read.variable().index()]
    }

    /// Returns whether state variables repeat others at elements with other ranks.
    pub(crate) fn repeats(&self) -> bool {
        self.repeats.iter().any(Option::is_some)
    }

    /// Returns what a read repeats, if it is that of another state variable at an element with another rank.
    pub(crate) fn repeated(&self, read: Read) -> Option<Repeated> {
        self.repeats[read.variable().index()]
    }

    /// Returns whether a literal is about a read that repeats another one.
    pub(crate) fn is_about_repeated(&self, lit: Lit) -> bool {
        [Some(lit.left), lit.right.read()].into_iter().flatten().any(|read| self.repeated(read).is_some())
    }

    /// Returns whether a read is the rank of an element.
    pub(crate) fn is_rank(&self, read: Read) -> bool {
        self.ranks[read.variable().index()]
    }

    /// Returns whether a read is that of a parameter of the system.
    pub(crate) fn is_parameter(&self, read: Read) -> bool {
        self.parameters[read.variable().index()]
    }

    /// Returns whether a literal is about relations that no rule changes: about an element, and only about state variables that no
    /// rule writes.
    pub(crate) fn is_fixed(&self, lit: Lit) -> bool {
        let mut reads = std::iter::once(lit.left).chain(lit.right.read());
        lit.elements().next().is_some() && reads.all(|read| self.fixed[read.variable().index()])
    }

    /// Returns whether a literal is about a number of elements.
    pub(crate) fn is_about_count(&self, lit: Lit) -> bool {
        self.is_count(lit.left) || lit.right.read().is_some_and(|read| self.is_count(read))
    }

    /// Returns whether a read can have the value, where `types` are the types of all elements.
    pub(crate) fn admits(&self, read: Read, datum: Datum, types: &[IndexTypeId]) -> bool {
        let domain = self.domain(read);
        match (datum.as_element(), datum.as_constant()) {
            (Some(element), _) => domain.index_types.contains(&types[usize::from(element)]),
            (None, Some(constant)) => domain.constants.contains(&constant),
            (None, None) => false,
        }
    }

    /// Returns the reads of a state variable at the elements, which have the given types.
    pub(crate) fn reads(&self, variable: VariableId, types: &[IndexTypeId]) -> Vec<Read> {
        let mut tuples: Vec<Vec<Element>> = vec![Vec::new()];
        for wanted in &self.arguments[variable.index()] {
            let elements: Vec<Element> =
                (0u8..).zip(types).filter(|(_, own)| *own == wanted).map(|(element, _)| element).collect();
            let longer = |tuple: &Vec<Element>| {
                elements.iter().map(|&element| [tuple.as_slice(), &[element]].concat()).collect::<Vec<_>>()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        tuples.into_iter().map(|tuple| Read::new(variable, tuple.into_iter())).collect()
    }

    /// Returns the literal that compares two sides, in normal form.
    pub(crate) fn make(&self, left: Side, comparison: Comparison, right: Side, types: &[IndexTypeId]) -> Made {
        if comparison.is_bound() {
            return bound(left, comparison, right);
        }
        match (self.without_choice(left), self.without_choice(right)) {
            (Side::Value(a), Side::Value(b)) => Made::decided(comparison.holds(a == b)),
            (Side::Value(datum), Side::Read(read)) | (Side::Read(read), Side::Value(datum)) => {
                if self.admits(read, datum, types) {
                    Made::Lit(self.with_value(read, comparison, datum))
                } else {
                    Made::decided(comparison.holds(false))
                }
            }
            (Side::Read(a), Side::Read(b)) if a == b => Made::decided(comparison.holds(true)),
            (Side::Read(a), Side::Read(b)) if self.domain(a).is_disjoint(self.domain(b)) => {
                Made::decided(comparison.holds(false))
            }
            (Side::Read(a), Side::Read(b)) => {
                let (left, right) = if a < b { (a, b) } else { (b, a) };
                Made::Lit(Lit { left, comparison, right: Side::Read(right) })
            }
            (Side::Zero, _) | (_, Side::Zero) => unreachable!("the system is well-formed"),
        }
    }

    /// Replaces a read that can have only one value by that value.
    fn without_choice(&self, side: Side) -> Side {
        if let Side::Read(read) = side
            && let ([only], true) = (self.domain(read).constants.as_slice(), self.domain(read).index_types.is_empty())
        {
            return Side::Value(Datum::constant(*only));
        }
        side
    }

    fn with_value(&self, left: Read, comparison: Comparison, datum: Datum) -> Lit {
        if comparison == Comparison::Different
            && let Some(constant) = datum.as_constant()
            && let Some(other) = self.domain(left).other(constant)
        {
            return Lit { left, comparison: Comparison::Equal, right: Side::Value(Datum::constant(other)) };
        }
        Lit { left, comparison, right: Side::Value(datum) }
    }

    /// Returns the negation in normal form.
    pub(crate) fn negate(&self, lit: Lit) -> Lit {
        match lit.right {
            Side::Value(datum) => self.with_value(lit.left, lit.comparison.negated(), datum),
            Side::Read(_) | Side::Zero => Lit { comparison: lit.comparison.negated(), ..lit },
        }
    }
}

/// Returns a bound in normal form.
fn bound(left: Side, comparison: Comparison, right: Side) -> Made {
    match (left, right) {
        _ if left == right => Made::decided(comparison.holds_of_numbers(0)),
        (Side::Read(a), Side::Read(b)) if b < a => {
            Made::Lit(Lit { left: b, comparison: comparison.mirrored(), right: left })
        }
        (Side::Read(left), right) => Made::Lit(Lit { left, comparison, right }),
        (Side::Zero, Side::Read(read)) => {
            Made::Lit(Lit { left: read, comparison: comparison.mirrored(), right: Side::Zero })
        }
        (Side::Zero | Side::Value(_), _) => unreachable!("the system is well-formed"),
    }
}

/// A conjunction of literals over the symbols `first_symbol ..`, which are pairwise distinct, with their types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Conj {
    /// The types of the symbols.
    pub(crate) symbols: Vec<IndexTypeId>,
    /// The literals, strictly ascending.
    pub(crate) lits: Vec<Lit>,
    /// The universal parts, strictly ascending.
    pub(crate) universals: Vec<Universal>,
}

/// A universal part of a conjunction: for all elements of these types that are pairwise distinct, not named and not
/// symbols of the conjunction but those within, one of the literals holds. Its own symbols follow those of the conjunction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Universal {
    /// The types of its own symbols.
    pub(crate) symbols: Vec<IndexTypeId>,
    /// The literals, strictly ascending.
    pub(crate) lits: Vec<Lit>,
    /// The symbols of the conjunction that it concerns as well.
    pub(crate) within: Elements,
}

/// A set of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Elements(u32);

impl Elements {
    pub(crate) fn contains(self, element: Element) -> bool {
        self.0 >> element & 1 == 1
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Element> {
        (0..ANY_SYMBOL).filter(move |element| self.contains(*element))
    }
}

impl FromIterator<Element> for Elements {
    fn from_iter<I: IntoIterator<Item = Element>>(elements: I) -> Self {
        Self(elements.into_iter().fold(0, |set, element| set | 1 << element))
    }
}

impl Universal {
    /// Returns a universal part about all other elements.
    pub(crate) fn of_others(symbols: Vec<IndexTypeId>, lits: Vec<Lit>) -> Self {
        Self { symbols, lits, within: Elements::default() }
    }

    /// Returns the universal part under a map of all symbols, including its own.
    pub(crate) fn rename(&self, map: &Renaming) -> Self {
        let mut lits: Vec<Lit> = self.lits.iter().map(|lit| lit.rename(map)).collect();
        lits.sort_unstable();
        lits.dedup();
        let within = self.within.iter().map(|element| map.0[usize::from(element)]).collect();
        Self { symbols: self.symbols.clone(), lits, within }
    }

    /// Returns those of the elements that it does not concern, given the elements of the symbols from `first` on.
    pub(crate) fn excepted(&self, first: Element, elements: &[Element]) -> Vec<Element> {
        let all = (first..).zip(elements);
        all.filter(|(symbol, _)| !self.within.contains(*symbol)).map(|(_, element)| *element).collect()
    }

    /// Returns the literals with the symbols of the conjunction mapped by `map`, and its own to the given elements.
    pub(crate) fn at<'u>(
        &'u self,
        map: &Renaming,
        first_own: usize,
        own: &[Element],
    ) -> impl Iterator<Item = Lit> + 'u {
        let map = map.with(first_own, own);
        self.lits.iter().map(move |lit| lit.rename(&map))
    }
}

impl Conj {
    /// Returns the number of the first own symbol of universal parts.
    pub(crate) fn first_own(&self, space: &Space) -> usize {
        space.named.len() + self.symbols.len()
    }

    /// Returns the types of all elements, starting with the named ones.
    pub(crate) fn types(&self, space: &Space) -> Vec<IndexTypeId> {
        space.named.iter().chain(&self.symbols).copied().collect()
    }

    /// Drops the symbols that occur nowhere, and numbers the others in the order of their first occurrence. A symbol of a
    /// type that a universal part is about stays: the part does not concern it.
    pub(crate) fn compact(&self, space: &Space) -> Self {
        let own = self.first_own(space);
        let about = |&symbol: &usize| {
            let index_type = self.symbols[symbol - space.named.len()];
            let element = narrow(u32::try_from(symbol).unwrap_or(u32::MAX));
            let concerned = |universal: &Universal| universal.within.contains(element);
            self.universals.iter().any(|universal| universal.symbols.contains(&index_type) && !concerned(universal))
        };
        self.keep(space, (space.named.len()..own).filter(about))
    }

    /// Drops the symbols that occur nowhere, even if universal parts then concern them. The result may be less general.
    pub(crate) fn without_idle_symbols(&self, space: &Space) -> Self {
        self.keep(space, std::iter::empty())
    }

    fn keep(&self, space: &Space, also: impl Iterator<Item = usize>) -> Self {
        let (first, own) = (usize::from(space.first_symbol()), self.first_own(space));
        let mut map = Renaming::identity();
        let mut order: Vec<usize> = Vec::new();
        let lits = self.lits.iter().chain(self.universals.iter().flat_map(|universal| &universal.lits));
        let elements = lits.flat_map(|lit| lit.elements().map(usize::from));
        for element in elements.filter(|&element| (first..own).contains(&element)).chain(also) {
            if !order.contains(&element) {
                order.push(element);
            }
        }
        let is_kept = |element: Element| order.contains(&usize::from(element));
        let keep_within = |universal: &Universal| {
            let within = universal.within.iter().filter(|element| is_kept(*element)).collect();
            Universal { within, ..universal.clone() }
        };
        let kept: Vec<Universal> = self.universals.iter().map(keep_within).collect();
        for (new, old) in order.iter().enumerate() {
            map.0[*old] = u8::try_from(first + new).expect("no more symbols than before");
        }
        for number in own..MAX_ELEMENTS {
            map.0[number] = u8::try_from(number - own + first + order.len()).expect("no more symbols than before");
        }
        let mut lits: Vec<Lit> = self.lits.iter().map(|lit| lit.rename(&map)).collect();
        lits.sort_unstable();
        let mut universals: Vec<Universal> = kept.iter().map(|universal| universal.rename(&map)).collect();
        universals.sort_unstable();
        universals.dedup();
        let symbols = order.iter().map(|&old| self.symbols[old - first]).collect();
        Self { symbols, lits, universals }
    }

    /// Converts a cube of the system. Its variables become the symbols, in order, and its universal parts keep theirs.
    pub(crate) fn from_cube(cube: &Cube, space: &Space) -> Self {
        let universal = |universal: &system::Universal| {
            let types = [cube.variables.as_slice(), &universal.variables].concat();
            // A literal that always holds makes the part always hold.
            let lits = from_literals(&universal.literals, &types, space, true)?;
            Some(Universal::of_others(universal.variables.clone(), lits))
        };
        let universals = cube.universals.iter().filter_map(universal).collect();
        let lits = from_literals(&cube.literals, &cube.variables, space, false).unwrap_or_default();
        Self { symbols: cube.variables.clone(), lits, universals }
    }

    /// Returns the cube of the system with these literals, keeping the order of literals and variables.
    pub(crate) fn to_cube(&self, space: &Space) -> Cube {
        let literals = self.lits.iter().map(|lit| to_literal(*lit, space)).collect();
        let universal = |universal: &Universal| system::Universal {
            variables: universal.symbols.clone(),
            literals: universal.lits.iter().map(|lit| to_literal(*lit, space)).collect(),
        };
        let universals = self.universals.iter().map(universal).collect();
        Cube { variables: self.symbols.clone(), literals, universals }
    }
}

/// Converts literals over variables of the given types. Returns `None` for a disjunction one of whose literals always
/// holds.
fn from_literals(
    literals: &[Literal],
    variables: &[IndexTypeId],
    space: &Space,
    disjunction: bool,
) -> Option<Vec<Lit>> {
    let first = space.first_symbol();
    let element = |term: &IndexTerm| match term {
        IndexTerm::Named(named) => narrow(named.0),
        IndexTerm::Variable(variable) => first + narrow(variable.0),
    };
    let side = |term: &Term| match term {
        Term::Constant(constant) => Side::Value(Datum::constant(*constant)),
        Term::Index(index) => Side::Value(Datum::element(element(index))),
        Term::Read(variable, arguments) => Side::Read(Read::new(*variable, arguments.iter().map(element))),
        Term::Zero => Side::Zero,
    };
    let types: Vec<_> = space.named.iter().chain(variables).copied().collect();
    let mut lits = Vec::new();
    for literal in literals {
        match space.make(side(&literal.left), literal.comparison.into(), side(&literal.right), &types) {
            Made::Lit(lit) => lits.push(lit),
            Made::True if disjunction => return None,
            Made::True | Made::False => {}
        }
    }
    lits.sort_unstable();
    lits.dedup();
    Some(lits)
}

fn to_index(element: Element, space: &Space) -> IndexTerm {
    let first = space.first_symbol();
    if element < first {
        IndexTerm::Named(NamedId(u32::from(element)))
    } else {
        IndexTerm::Variable(IndexVariableId(u32::from(element - first)))
    }
}

fn to_term(side: Side, space: &Space) -> Term {
    match side {
        Side::Read(read) => {
            Term::Read(read.variable(), read.arguments().map(|element| to_index(element, space)).collect())
        }
        Side::Value(datum) => match (datum.as_element(), datum.as_constant()) {
            (Some(element), _) => Term::Index(to_index(element, space)),
            (None, constant) => Term::Constant(constant.expect("a datum is an element or a constant")),
        },
        Side::Zero => Term::Zero,
    }
}

/// Returns the literal in the normal form of the system, where variables precede named elements; here they follow them.
fn to_literal(lit: Lit, space: &Space) -> Literal {
    let (left, comparison, right) = lit.as_written(space);
    Literal { left: to_term(Side::Read(left), space), comparison: comparison.into(), right: to_term(right, space) }
}
