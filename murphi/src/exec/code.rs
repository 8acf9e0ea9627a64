//! The compiled form of rules: trees in which every name is resolved to bits of a state, cells of a frame or registers.
//!
//! Memory is the packed state and, behind it, the *frame* with local variables, packed alike; both hold codes (see
//! [`super::values`]). Registers hold values of bound variables, which are always defined, or distances of places. A
//! [`Site`] is what an error refers to.

use std::sync::Arc;

use super::layout::Slot;
use super::values::Domain;
use crate::program::Span;

/// Position in the table of sites.
pub(super) type Site = u32;
/// Position in the registers.
pub(super) type Register = u32;

/// Stops an execution; the site tells why and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trap(pub Site);

/// What a site stands for.
#[derive(Clone, Debug)]
pub(super) struct SiteInfo {
    pub what: What,
    pub span: Span,
}

/// Errors by their cause; the value at fault is known only when they happen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Undefined,
    Range,
    Index,
    Division,
    Overflow,
    Assertion(String),
    /// No error: the execution has no next state.
    Assumption,
    Error(String),
    Iterations,
    Step,
    MultisetFull,
    MultisetPosition,
    NoReturn,
}

/// A place that may depend on values.
#[derive(Clone, Debug)]
pub(super) struct Address {
    /// A scalar, by its number among those of the state and of all frames.
    pub base: u32,
    pub terms: Vec<AddressTerm>,
}

/// What a table of distances has for values outside of the index type.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// What is added to the base of an address.
#[derive(Clone, Debug)]
pub(super) enum AddressTerm {
    /// The element of an array at a value.
    Index { index: Expr, domain: Arc<Domain>, stride: u32, site: Site },
    /// The element of an array at the value of a scalar: for each code the distance, or [`OUTSIDE`].
    Table { slot: Slot, distances: Arc<[u32]>, domain: Arc<Domain>, undefined: Site, outside: Site },
    /// A distance that was computed before.
    Offset(Register),
    /// The element of a multiset at a position; `present` is the place of the first flag before terms are added.
    Position { position: Expr, size: u32, stride: u32, present: u32, site: Site },
}

/// One scalar.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Slot(Slot),
    At(Box<Address>),
}

/// An expression with a number as its value.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Const(i64),
    Register(Register),
    /// A scalar whose values are consecutive; `before` is the value with code 0.
    Slot {
        slot: Slot,
        before: i64,
        site: Site,
    },
    /// Any other scalar.
    Read(Box<(Cell, Arc<Domain>)>, Site),
    Arith(Arith, Box<(Expr, Expr)>, Site),
    Negate(Box<Expr>, Site),
    Choose(Box<(Cond, Expr, Expr)>),
    Truth(Box<Cond>),
    Seq(Box<(Block, Expr)>),
    Trap(Site),
    Count(Box<Count>),
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arith {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Cond {
    Const(bool),
    Test(Test),
    /// All of these, from left to right; or, without `all`, some of them.
    Tests {
        all: bool,
        tests: Box<[Test]>,
    },
    /// The code of a scalar is this one, or is not; it must not be 0.
    Code {
        at: Box<Address>,
        code: u64,
        equal: bool,
        site: Site,
    },
    /// Two scalars of the same domain are equal, or not.
    Slots {
        left: Slot,
        right: Slot,
        equal: bool,
        sites: (Site, Site),
    },
    Compare(Compare, Box<(Expr, Expr)>),
    /// Scalars that follow one another have the same values in both places; undefined ones are like one another.
    Same {
        left: Box<Address>,
        right: Box<Address>,
        scalars: Box<[Option<Convert>]>,
    },
    /// An expression that is 0 or 1.
    Value(Box<Expr>),
    Not(Box<Cond>),
    And(Box<[Cond]>),
    Or(Box<[Cond]>),
    Seq(Box<(Block, Cond)>),
    /// Whether the scalar is undefined.
    Undefined(Box<Cell>),
    Member(Box<Expr>, Arc<Domain>),
    /// For all values of a register, or for some.
    Quantified {
        all: bool,
        register: Register,
        range: Box<Range>,
        body: Box<Cond>,
        /// Whether those behind the one that decides are looked at as well.
        watched: bool,
    },
    /// A quantifier written out, of whose parts those that are not needed are looked at as well.
    Watched(Box<Watched>),
    /// Whether the element of a multiset at a position is there.
    Present {
        flags: Box<Address>,
        position: Box<Expr>,
    },
}

/// A quantifier over elements that are permuted.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub all: bool,
    pub whole: Cond,
    pub parts: Box<[Cond]>,
}

/// Whether bits of a word have a value, or have not; they hold one scalar, which must not be 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub word: u32,
    pub site: Site,
    pub mask: u64,
    pub bits: u64,
    pub equal: bool,
}

/// What a register runs over.
#[derive(Clone, Debug)]
pub(super) enum Range {
    Values(Arc<Domain>),
    Numbers { from: Expr, to: Expr, step: Expr, site: Site },
}

/// A multiset: its elements and, behind them, its flags.
#[derive(Clone, Debug)]
pub(super) struct Multiset {
    pub address: Address,
    pub size: u32,
    pub stride: u32,
}

/// How many elements of a multiset satisfy a condition.
#[derive(Clone, Debug)]
pub(super) struct Count {
    pub multiset: Multiset,
    pub register: Register,
    pub condition: Cond,
}

/// Statements.
pub(super) type Block = Box<[Stmt]>;

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    /// Gives bits of a word a value; `keep` are the other bits.
    Store {
        word: u32,
        keep: u64,
        bits: u64,
    },
    /// Stores a number in a scalar with consecutive values, the first of which is `first`.
    Set {
        slot: Slot,
        first: i64,
        size: u64,
        value: Expr,
        site: Site,
    },
    /// Stores a value.
    Assign {
        to: Cell,
        domain: Arc<Domain>,
        value: Expr,
        site: Site,
    },
    /// Copies a scalar, undefined or not.
    Copy {
        to: Cell,
        from: Cell,
        convert: Option<Box<Convert>>,
    },
    /// Copies scalars that follow one another.
    CopyAll {
        to: Box<Address>,
        from: Box<Address>,
        scalars: Box<[Option<Convert>]>,
    },
    /// Stores codes.
    Fill {
        at: Box<Address>,
        codes: Box<[u64]>,
    },
    /// Copies bits.
    Move(Box<[Chunk]>),
    Let(Register, Expr),
    /// Computes the distance of a place from its base.
    Locate(Register, Box<Address>),
    If(Box<[(Cond, Block)]>, Block),
    For {
        register: Register,
        range: Box<Range>,
        body: Block,
    },
    While {
        condition: Box<Cond>,
        body: Block,
        site: Site,
    },
    Assert(Box<Cond>, Site),
    /// Notes that the `cover` statement with this number is met, where the condition holds.
    Cover(Box<Cond>, u32),
    Trap(Site),
    Return,
    /// The body of a function; `Return` leaves it.
    Call(Block),
    Add {
        multiset: Box<Multiset>,
        from: Box<Address>,
        scalars: Box<[Option<Convert>]>,
        site: Site,
    },
    AddValue {
        multiset: Box<Multiset>,
        value: Expr,
        domain: Arc<Domain>,
        range: Site,
        site: Site,
    },
    Remove {
        multiset: Box<Multiset>,
        position: Expr,
        site: Site,
    },
    RemoveIf {
        multiset: Box<Multiset>,
        register: Register,
        condition: Box<Cond>,
    },
}

/// Bits that are copied from one word to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub from: u32,
    pub to: u32,
    /// The bits in the word they come from.
    pub mask: u64,
    /// How far they are rotated to the left.
    pub rotate: u32,
}

/// A copy between scalars whose codes differ.
#[derive(Clone, Debug)]
pub(super) struct Convert {
    pub from: Arc<Domain>,
    pub to: Arc<Domain>,
    pub site: Site,
}
