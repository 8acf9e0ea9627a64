//! The compiled form of rules: trees in which every name is resolved to bits of a state, cells of a frame or registers.
//!
//! State and frame hold codes (see [`super::values`]); registers hold values of bound variables, which are always
//! defined, or distances of places. A [`Site`] is what an error refers to.

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
    Error(String),
    Iterations,
    Step,
    MultisetFull,
    MultisetPosition,
    NoReturn,
}

/// Where composite values live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// The state; positions are numbers of scalars.
    State,
    /// Local variables.
    Frame,
}

/// A place that may depend on values.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub space: Space,
    pub base: u32,
    pub terms: Vec<AddressTerm>,
}

/// What is added to the base of an address.
#[derive(Clone, Debug)]
pub(super) enum AddressTerm {
    /// The element of an array at a value.
    Index { index: Expr, domain: Arc<Domain>, stride: u32, site: Site },
    /// A distance that was computed before.
    Offset(Register),
    /// The element of a multiset at a position; `present` is the place of the first flag before terms are added.
    Position { position: Expr, size: u32, stride: u32, present: u32, site: Site },
}

/// One scalar.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    State(Slot),
    Frame(u32),
    At(Box<Address>),
}

/// An expression with a number as its value.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Const(i64),
    Register(Register),
    /// A scalar of the state whose values are consecutive; `before` is the value with code 0.
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
    /// Bits of a word have this value; they hold one scalar, which must not be 0.
    Bits {
        word: u32,
        mask: u64,
        bits: u64,
        site: Site,
    },
    /// Bits of a word have not this value; they hold one scalar, which must not be 0.
    NotBits {
        word: u32,
        mask: u64,
        bits: u64,
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
    },
    /// Whether the element of a multiset at a position is there.
    Present {
        flags: Box<Address>,
        position: Box<Expr>,
    },
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
    /// Gives bits of a word of the state a value; `keep` are the other bits.
    Store {
        word: u32,
        keep: u64,
        bits: u64,
    },
    /// Stores a number in a scalar of the state with consecutive values, the first of which is `first`.
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
    /// Clears cells of the frame.
    Forget {
        from: u32,
        count: u32,
    },
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

/// A copy between scalars whose codes differ.
#[derive(Clone, Debug)]
pub(super) struct Convert {
    pub from: Arc<Domain>,
    pub to: Arc<Domain>,
    pub site: Site,
}
