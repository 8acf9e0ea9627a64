//! The syntax tree.

use system::front_end::Span;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A declaration or a claim, in the order of the text.
#[derive(Clone, Debug)]
pub enum Item {
    /// `number_procs 3`: a hint for Cubicle.
    Processes(Span),
    /// `type t = A | B`, or `type t` for a type without known values.
    Type {
        /// The name.
        name: Name,
        /// The values, if they are known.
        values: Option<Vec<Name>>,
    },
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

/// A variable, a constant or an array.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name.
    pub name: Name,
    /// Whether it is a `const`.
    pub is_constant: bool,
    /// The types of the indices, empty unless it is an array.
    pub dimensions: Vec<Name>,
    /// The type, of an array that of its elements.
    pub ty: Name,
}

/// A formula with a name.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The name.
    pub name: Name,
    /// What stands for the arguments.
    pub parameters: Vec<Name>,
    /// The formula.
    pub body: Formula,
}

/// A formula about some processes.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The processes.
    pub parameters: Vec<Name>,
    /// What is said about them.
    pub formula: Formula,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The name.
    pub name: Name,
    /// The parameters, which denote different processes.
    pub parameters: Vec<Name>,
    /// The guard.
    pub guard: Option<Formula>,
    /// `let x = t in`.
    pub lets: Vec<(Name, Term)>,
    /// The updates.
    pub assignments: Vec<Assignment>,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// An update of a variable or an array.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// What is assigned to.
    pub target: Name,
    /// Empty unless an array is assigned to.
    pub indices: Vec<Name>,
    /// The value.
    pub value: Assigned,
    /// Its place.
    pub span: Span,
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum Assigned {
    /// One value.
    Term(Term),
    /// `.` or `?`: any value.
    Any,
    /// The conditions in the order in which they are tried; the last may be `_`, which is `None`.
    Case(Vec<(Option<Formula>, Term)>),
}

/// A term.
#[derive(Clone, Debug)]
pub struct Term {
    /// The kind of term.
    pub kind: TermKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of terms.
#[derive(Clone, Debug)]
pub enum TermKind {
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
pub struct Summand {
    /// Whether it is subtracted.
    pub is_negative: bool,
    /// None of them is a sum.
    pub factors: Vec<Term>,
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The kind of formula.
    pub kind: FormulaKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of formulas.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// `true` or `false`.
    Constant(bool),
    /// A comparison.
    Compare(Term, Relation, Term),
    /// A negation.
    Not(Box<Formula>),
    /// Two or more formulas joined by `&&`.
    And(Vec<Formula>),
    /// Two or more formulas joined by `||`.
    Or(Vec<Formula>),
    /// `=>`.
    Implies(Box<Formula>, Box<Formula>),
    /// `<=>`.
    Equivalent(Box<Formula>, Box<Formula>),
    /// `if … then … else …`.
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    /// A quantifier with its variables.
    Quantified(Quantifier, Vec<Name>, Box<Formula>),
    /// A predicate with its arguments.
    Call(Name, Vec<Formula>),
    /// A term where a formula may be as well: among the arguments of a predicate.
    Term(Term),
}

/// How two terms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `=`.
    Equal,
    /// `<>`.
    Different,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
}

impl Relation {
    /// Returns whether the relation is about an order.
    #[must_use]
    pub fn is_order(self) -> bool {
        match self {
            Self::Equal | Self::Different => false,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => true,
        }
    }
}

/// The kinds of quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`.
    Forall,
    /// `exists`.
    Exists,
    /// For all processes other than the parameters of the transition.
    ForallOther,
    /// For some process other than the parameters of the transition.
    ExistsOther,
}
