//! Terms and literals of one obligation: over symbols instead of index variables.
//!
//! Different symbols are different elements, so that an equation between symbols is decided here once and for all. An
//! equation that stays open has at least one read.

use std::collections::BTreeMap;

use system::{
    Comparison, ConstantId, Cube, IndexTerm, IndexTypeId, IndexVariableId, Literal, NamedId, Sort, System, Term,
    VariableId, wellformed,
};

use super::fault::Refusal;
use super::proof::{Symbol, SymbolTypes};

/// Cubes with more variables or literals than this are refused, so that no file can keep the checker busy for long.
const VARIABLE_LIMIT: usize = 32;
const LITERAL_LIMIT: usize = 256;

/// More choices of elements for one cube or universal part are refused.
pub(crate) const CHOICE_LIMIT: usize = 1 << 12;

/// A state variable at symbols, in the state before the step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// The state variable.
    pub variable: VariableId,
    /// Its arguments.
    pub arguments: Vec<Symbol>,
}

/// A value. Different data are different values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Datum {
    /// A constant.
    Constant(ConstantId),
    /// An element of an index type.
    Element(Symbol),
    /// The number 0, the only number that is written. Others are sums.
    Zero,
}

/// One side of an equation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// A value.
    Datum(Datum),
    /// A read.
    Read(Read),
}

/// A comparison that the state decides, in normal form.
///
/// The left side is a read of a sort with at least two values. A datum on the right belongs to that sort, and if the
/// sort has exactly two constants and no index type, the fact is an equation. Of two reads the lesser is on the left,
/// and their sorts have a value in common. A bound is about numbers: the right side is a read or 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// One side.
    pub left: Read,
    /// How the sides compare.
    pub comparison: Comparison,
    /// The other side.
    pub right: Side,
}

/// A comparison in normal form, which may be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Equation {
    /// True in every state.
    True,
    /// False in every state.
    False,
    /// Decided by the state.
    Open(Fact),
}

impl Equation {
    pub(crate) fn decided(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

/// The symbols of the index variables of a scope or cube. Bound variables get theirs when they are instantiated.
pub type Environment = BTreeMap<IndexVariableId, Symbol>;

/// Two terms, and how they compare.
type Terms<'t> = (&'t Term, Comparison, &'t Term);

/// The system and the symbols of one obligation.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The system.
    pub system: &'a System,
    /// The types of the symbols.
    pub symbols: &'a SymbolTypes,
}

impl<'a> Ground<'a> {
    /// The normal form of a comparison of two terms.
    ///
    /// # Errors
    /// If the environment has no symbol for one of their variables.
    pub(crate) fn compared(&self, (left, how, right): Terms<'_>, at: &Environment) -> Result<Equation, Refusal> {
        Ok(self.comparison(self.term(left, at)?, how, self.term(right, at)?))
    }

    /// The normal form of a comparison of two sides.
    pub fn comparison(&self, left: Side, comparison: Comparison, right: Side) -> Equation {
        // Two sides of which it is known that they differ are no numbers, since the only number that is a datum is 0.
        let decided = |equal| {
            Equation::decided(if equal { comparison.holds_of_numbers(0) } else { comparison == Comparison::Different })
        };
        let (left, comparison, right) = match (self.without_choice(left), self.without_choice(right)) {
            (Side::Datum(a), Side::Datum(b)) => return decided(a == b),
            (Side::Read(a), Side::Read(b)) if b < a => (b, comparison.mirrored(), Side::Read(a)),
            (Side::Read(left), right) => (left, comparison, right),
            (left, Side::Read(right)) => (right, comparison.mirrored(), left),
        };
        let sort = self.sort(&left);
        match (&right, sort.index_types.as_slice(), sort.constants.as_slice()) {
            (Side::Read(right), ..) if left == *right => decided(true),
            (Side::Read(right), ..) if disjoint(sort, self.sort(right)) => decided(false),
            (Side::Datum(datum), ..) if !self.admits(&left, *datum) => decided(false),
            (Side::Datum(datum), [], [a, b]) if comparison == Comparison::Different => {
                let other = if *datum == Datum::Constant(*a) { *b } else { *a };
                Equation::Open(Fact { left, comparison: Comparison::Equal, right: Side::Datum(Datum::Constant(other)) })
            }
            _ => Equation::Open(Fact { left, comparison, right }),
        }
    }

    /// A read of a sort with one value only is that value.
    fn without_choice(&self, side: Side) -> Side {
        if let Side::Read(read) = &side
            && let ([], [only]) = (self.sort(read).index_types.as_slice(), self.sort(read).constants.as_slice())
        {
            return Side::Datum(Datum::Constant(*only));
        }
        side
    }

    /// The negation of an equation. A fact in normal form is open, and so is its negation.
    pub fn negation(&self, equation: &Equation) -> Equation {
        match equation {
            Equation::True => Equation::False,
            Equation::False => Equation::True,
            Equation::Open(Fact { left, comparison, right }) => {
                self.comparison(Side::Read(left.clone()), comparison.negated(), right.clone())
            }
        }
    }

    /// A term over symbols.
    ///
    /// # Errors
    /// If the environment has no symbol for one of its variables.
    pub fn term(&self, term: &Term, environment: &Environment) -> Result<Side, Refusal> {
        let symbol = |index: &IndexTerm| match index {
            IndexTerm::Variable(variable) => environment.get(variable).copied().ok_or(UNBOUND),
            IndexTerm::Named(named) => Ok(Symbol::Named(*named)),
        };
        Ok(match term {
            Term::Constant(constant) => Side::Datum(Datum::Constant(*constant)),
            Term::Zero => Side::Datum(Datum::Zero),
            Term::Index(index) => Side::Datum(Datum::Element(symbol(index)?)),
            Term::Read(variable, arguments) => {
                let arguments = arguments.iter().map(symbol).collect::<Result<_, _>>()?;
                Side::Read(Read { variable: *variable, arguments })
            }
        })
    }

    /// Literals, with a symbol for each of their variables.
    ///
    /// # Errors
    /// If there are too few symbols.
    pub fn literals(&self, literals: &[Literal], symbols: &[Symbol]) -> Result<Vec<Equation>, Refusal> {
        let environment = environment(symbols);
        let equation = |own: &Literal| self.compared((&own.left, own.comparison, &own.right), &environment);
        literals.iter().map(equation).collect()
    }

    /// The type of a symbol; `None` if the obligation does not have the symbol.
    pub fn type_of(&self, symbol: Symbol) -> Option<IndexTypeId> {
        match symbol {
            Symbol::Variable(number) => self.symbols.variables.get(usize::try_from(number).ok()?).copied(),
            Symbol::Named(named) => self.system.named.get(named.index()).map(|named| named.index_type),
            Symbol::Other(number) => self.symbols.others.get(usize::try_from(number).ok()?).copied(),
        }
    }

    /// Whether symbols have these types.
    pub(crate) fn have_types(&self, symbols: &[Symbol], types: &[IndexTypeId]) -> bool {
        symbols.iter().map(|symbol| self.type_of(*symbol)).eq(types.iter().copied().map(Some))
    }

    /// All symbols of a type, in the order of [`Symbol`].
    pub fn symbols_of(&self, index_type: IndexTypeId) -> Vec<Symbol> {
        let variables = (0..).map(Symbol::Variable).zip(&self.symbols.variables);
        let named = (0..).map(NamedId).map(Symbol::Named);
        let named = named.zip(self.system.named.iter().map(|named| &named.index_type));
        let others = (0..).map(Symbol::Other).zip(&self.symbols.others);
        variables.chain(named).chain(others).filter(|(_, own)| **own == index_type).map(|(symbol, _)| symbol).collect()
    }

    /// All choices of symbols of these types that are pairwise distinct, not named, and none of `taken`.
    pub(crate) fn others(&self, types: &[IndexTypeId], taken: &[Symbol]) -> Result<Vec<Vec<Symbol>>, Refusal> {
        choices(types, CHOICE_LIMIT, Vec::new(), |chosen: &Vec<Symbol>, index_type| {
            let free = self.symbols_of(index_type).into_iter();
            let free = free.filter(|symbol| symbol.is_free(taken) && symbol.is_free(chosen));
            Ok(free.map(|symbol| [chosen.as_slice(), &[symbol]].concat()).collect())
        })
    }

    /// The sort of a read.
    pub fn sort(&self, read: &Read) -> &'a Sort {
        self.system.sort_of(read.variable)
    }

    /// Whether the datum belongs to the sort of the read.
    pub fn admits(&self, read: &Read, datum: Datum) -> bool {
        let sort = self.sort(read);
        match datum {
            Datum::Constant(constant) => sort.constants.contains(&constant),
            Datum::Element(symbol) => self.type_of(symbol).is_some_and(|own| sort.index_types.contains(&own)),
            Datum::Zero => sort.numbers.is_some(),
        }
    }
}

impl Symbol {
    /// Whether the symbol is neither named nor one of these.
    pub(crate) fn is_free(&self, taken: &[Self]) -> bool {
        !matches!(self, Self::Named(_)) && !taken.contains(self)
    }
}

/// What becomes of `first` by one step of `more` for each type, in all ways, in order.
pub(crate) fn choices<'t, T>(
    types: impl IntoIterator<Item = &'t IndexTypeId>,
    limit: usize,
    first: T,
    more: impl Fn(&T, IndexTypeId) -> Result<Vec<T>, Refusal>,
) -> Result<Vec<T>, Refusal> {
    let mut all = vec![first];
    for index_type in types {
        let mut longer = Vec::new();
        for one in &all {
            longer.extend(more(one, *index_type)?);
            if longer.len() > limit {
                return Err(Refusal::TooManyMatches);
            }
        }
        all = longer;
    }
    Ok(all)
}

/// The environment in which the first index variables have these symbols.
pub fn environment(symbols: &[Symbol]) -> Environment {
    (0..).map(IndexVariableId).zip(symbols.iter().copied()).collect()
}

/// The symbols that are the variables of a cube.
pub(crate) fn variables(cube: &Cube) -> Vec<Symbol> {
    (0..).map(Symbol::Variable).take(cube.variables.len()).collect()
}

/// Whether a cube is well-formed, and not too large.
pub(crate) fn well_formed(system: &System, cube: &Cube) -> Result<(), &'static str> {
    wellformed::cube(system, cube)?;
    let universals = cube.universals.iter().map(|own| (own.variables.len(), own.literals.len()));
    let is_small = |(others, literals): (usize, usize)| {
        cube.variables.len().saturating_add(others) <= VARIABLE_LIMIT && literals <= LITERAL_LIMIT
    };
    if cube.universals.len() <= VARIABLE_LIMIT && universals.chain([(0, cube.literals.len())]).all(is_small) {
        return Ok(());
    }
    Err("too many variables, literals or universal parts")
}

pub(crate) const UNBOUND: Refusal = Refusal::Malformed("an index variable is used outside of its quantifier");

fn disjoint(a: &Sort, b: &Sort) -> bool {
    !a.index_types.iter().any(|own| b.index_types.contains(own))
        && !a.constants.iter().any(|own| b.constants.contains(own))
        && (a.numbers.is_none() || b.numbers.is_none())
}
