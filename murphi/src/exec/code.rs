//! The compiled form of rules: trees in which every name is resolved to bits of a state, cells of a frame or registers.
//!
//! Memory consists of the packed state followed by the *frame* with local variables, packed in the same way; both hold
//! codes (see [`super::values`]). Registers hold values of bound variables, which are always defined, or offsets of
//! places. A [`Site`] is what an error refers to.

use std::sync::Arc;

use super::layout::Slot;
use super::values::Domain;
use crate::program::Span;

/// A position in the table of sites.
pub(super) type Site = u32;
/// A register number.
pub(super) type Register = u32;

/// Stops an execution; the site says why and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trap(pub Site);

/// What a site describes.
#[derive(Clone, Debug)]
pub(super) struct SiteInfo {
    pub what: What,
    pub span: Span,
}

/// Errors by cause; the offending value is only known at run time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Undefined,
    Range,
    Index,
    Division,
    Overflow,
    Assertion(String),
    /// Not an error: the execution has no next state.
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
    /// The number of a scalar among those of the state and of all frames.
    pub base: u32,
    pub terms: Vec<AddressTerm>,
}

/// The entry in a table of offsets for values outside of the index type.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// A term added to the base of an address.
#[derive(Clone, Debug)]
pub(super) enum AddressTerm {
    /// The array element for a value.
    Index { index: Expr, domain: Arc<Domain>, stride: u32, site: Site },
    /// The array element for the value of a scalar: for each code its offset, or [`OUTSIDE`].
    Table { slot: Slot, distances: Arc<[u32]>, domain: Arc<Domain>, undefined: Site, outside: Site },
    /// An offset computed earlier.
    Offset(Register),
    /// The multiset element at a position; `present` is the place of the first presence flag before terms are added.
    Position { position: Expr, size: u32, stride: u32, present: u32, site: Site },
}

/// A single scalar.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Slot(Slot),
    At(Box<Address>),
}

/// An expression whose value is a number.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Const(i64),
    Register(Register),
    /// A scalar with consecutive values; `before` is the value for code 0.
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
    /// The conjunction of these if `all` is true, otherwise the disjunction, evaluated from left to right.
    Tests {
        all: bool,
        tests: Box<[Test]>,
    },
    /// Compares the code of a scalar with this one, which must not be 0.
    Code {
        at: Box<Address>,
        code: u64,
        equal: bool,
        site: Site,
    },
    /// Compares two scalars of the same domain.
    Slots {
        left: Slot,
        right: Slot,
        equal: bool,
        sites: (Site, Site),
    },
    Compare(Compare, Box<(Expr, Expr)>),
    /// Compares sequences of scalars in two places; undefined ones equal each other.
    Same {
        left: Box<Address>,
        right: Box<Address>,
        scalars: Box<[Option<Convert>]>,
    },
    /// An expression whose value is 0 or 1.
    Value(Box<Expr>),
    Not(Box<Cond>),
    And(Box<[Cond]>),
    Or(Box<[Cond]>),
    Seq(Box<(Block, Cond)>),
    /// Whether the scalar is undefined.
    Undefined(Box<Cell>),
    Member(Box<Expr>, Arc<Domain>),
    /// A quantifier over all values of a register.
    Quantified {
        all: bool,
        register: Register,
        range: Box<Range>,
        body: Box<Cond>,
        /// Whether elements after the deciding one are evaluated as well.
        watched: bool,
    },
    /// An unrolled quantifier whose parts are all evaluated, even those that do not affect the result.
    Watched(Box<Watched>),
    /// Whether the multiset has an element at a position.
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

/// Compares bits of a word with a value; they hold one scalar, which must not be 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub word: u32,
    pub site: Site,
    pub mask: u64,
    pub bits: u64,
    pub equal: bool,
}

/// The values that a register runs over.
#[derive(Clone, Debug)]
pub(super) enum Range {
    Values(Arc<Domain>),
    Numbers { from: Expr, to: Expr, step: Expr, site: Site },
}

/// A multiset: its elements followed by its presence flags.
#[derive(Clone, Debug)]
pub(super) struct Multiset {
    pub address: Address,
    pub size: u32,
    pub stride: u32,
}

/// Counts the elements of a multiset that satisfy a condition.
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
    /// Sets bits of a word to a value; `keep` masks the other bits.
    Store {
        word: u32,
        keep: u64,
        bits: u64,
    },
    /// Stores a number in a scalar with consecutive values, starting at `first`.
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
    /// Copies a scalar, whether undefined or not.
    Copy {
        to: Cell,
        from: Cell,
        convert: Option<Box<Convert>>,
    },
    /// Copies a sequence of scalars.
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
    /// Computes the offset of a place from its base.
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
    /// Records that the `cover` statement with this number was reached, if the condition holds.
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

/// Bits copied from one word to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub from: u32,
    pub to: u32,
    /// The bits within the source word.
    pub mask: u64,
    /// How far they are rotated to the left.
    pub rotate: u32,
}

/// A copy between scalars that use different codes.
#[derive(Clone, Debug)]
pub(super) struct Convert {
    pub from: Arc<Domain>,
    pub to: Arc<Domain>,
    pub site: Site,
}
