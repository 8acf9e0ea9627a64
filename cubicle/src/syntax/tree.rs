//! The syntax tree.

use system::front_end::Span;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A declaration or a claim, in the order of the text.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `number_procs 3`: a hint for Cubicle.
    Processes(Span),
    /// `type t = A | B`, or `type t` for a type without known values.
    Type { name: Name, values: Option<Vec<Name>> },
    /// `var X : t`, `const K : t` or `array A[proc, proc] : t`.
    Variable(Variable),
    /// `predicate p(x, y) { … }`.
    Predicate(Predicate),
    /// `init (z) { … }`.
    Init(Claim),
    /// `invariant (z) { … }`.
    Invariant(Claim),
    /// `unsafe (z) { … }`.
    Unsafe(Claim),
    /// A transition.
    Transition(Transition),
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    /// Whether it is a `const`.
    pub(crate) is_constant: bool,
    /// The types of the indices, empty unless it is an array.
    pub(crate) dimensions: Vec<Name>,
    pub(crate) ty: Name,
}

#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) body: Formula,
}

/// A formula about some processes.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) parameters: Vec<Name>,
    pub(crate) formula: Formula,
    /// From the keyword to the closing brace.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) guard: Option<Formula>,
    /// `let x = t in`.
    pub(crate) lets: Vec<(Name, Term)>,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) target: Name,
    /// Empty unless an array is assigned to.
    pub(crate) indices: Vec<Name>,
    pub(crate) value: Assigned,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Assigned {
    Term(Term),
    /// `.` or `?`: any value.
    Any,
    /// The conditions in the order in which they are tried; the last may be `_`, which is `None`.
    Case(Vec<(Option<Formula>, Term)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum TermKind {
    /// A variable, a value, a process, or the process constant `#n` with its sign.
    Name(String),
    /// `A[i, j]`.
    Access(Name, Vec<Name>),
    /// A number, as written without a sign.
    Number(String),
    /// A sum of several terms, or a single one that is a product or has a sign.
    Sum(Vec<Summand>),
}

/// A product that is added or subtracted.
#[derive(Clone, Debug)]
pub(crate) struct Summand {
    pub(crate) is_negative: bool,
    /// None of them is a sum.
    pub(crate) factors: Vec<Term>,
}

#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) kind: FormulaKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum FormulaKind {
    Constant(bool),
    Compare(Term, Relation, Term),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    Quantified(Quantifier, Vec<Name>, Box<Formula>),
    /// A predicate with its arguments.
    Call(Name, Vec<Formula>),
    /// A term where a formula may be as well: among the arguments of a predicate.
    Term(Term),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Different,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    /// Returns whether the relation is about an order.
    pub(crate) fn is_order(self) -> bool {
        match self {
            Self::Equal | Self::Different => false,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    Forall,
    Exists,
    /// For all processes other than the parameters of the transition.
    ForallOther,
    /// For some process other than the parameters of the transition.
    ExistsOther,
}
