//! Terms and propositions of Isabelle/HOL as a tree.
//!
//! [`super::print`] renders them. This module must not know any protocol and must not contain text of more than a
//! token; precedences are those of the theory `HOL` (Isabelle2016 and later).

/// A term or a proposition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// A constant or a variable.
    Name(String),
    /// A numeral.
    Number(u64),
    /// A negative numeral, without its sign.
    Negative(u64),
    /// A function applied to at least one argument.
    Apply(Box<Term>, Vec<Term>),
    /// Two operands and an infix operator.
    Infix(Infix, Box<Term>, Box<Term>),
    /// Negation.
    Not(Box<Term>),
    /// A conditional.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// A quantifier or an abstraction over at least one variable.
    Bind(Binder, Vec<String>, Box<Term>),
    /// A quantifier over one variable that ranges over a set.
    BindIn(Binder, String, Box<Term>, Box<Term>),
    /// A list.
    List(Vec<Term>),
    /// A set given by its elements.
    Set(Vec<Term>),
    /// The set of all values of a term whose variables (at least one) satisfy a condition.
    Comprehension(Box<Term>, Vec<String>, Box<Term>),
    /// A closed interval of integers.
    Interval(Box<Term>, Box<Term>),
    /// A pair.
    Pair(Box<Term>, Box<Term>),
}

/// The infix operators in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Infix {
    /// Meta-level implication.
    Entails,
    /// Definitional equality.
    Equivalent,
    /// Implication.
    Implies,
    /// Equivalence.
    Iff,
    /// Disjunction.
    Or,
    /// Conjunction.
    And,
    /// Equality.
    Equal,
    /// Inequality.
    NotEqual,
    /// Membership.
    Member,
    /// Order.
    AtMost,
    /// Strict order.
    Less,
    /// Addition.
    Plus,
    /// Subtraction.
    Minus,
    /// Union.
    Union,
    /// Concatenation of lists.
    Append,
}

/// The binders in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binder {
    /// Universal quantification.
    Forall,
    /// Existential quantification.
    Exists,
    /// Functional abstraction.
    Lambda,
    /// Universal quantification at the meta-level.
    All,
}

/// The side on which an operator of the same precedence needs no parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Associativity {
    /// `infixl`
    Left,
    /// `infixr`
    Right,
    /// `infix`
    Neither,
}

impl Infix {
    /// The token (as Unicode; see [`super::print::encode`]).
    #[must_use]
    pub fn token(self) -> &'static str {
        match self {
            Self::Entails => "⟹",
            Self::Equivalent => "≡",
            Self::Implies => "⟶",
            Self::Iff => "⟷",
            Self::Or => "∨",
            Self::And => "∧",
            Self::Equal => "=",
            Self::NotEqual => "≠",
            Self::Member => "∈",
            Self::AtMost => "≤",
            Self::Less => "<",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Union => "∪",
            Self::Append => "@",
        }
    }

    /// The precedence in Isabelle's grammar; a higher one binds tighter.
    #[must_use]
    pub fn precedence(self) -> u32 {
        match self {
            Self::Entails => 1,
            Self::Equivalent => 2,
            Self::Implies | Self::Iff => 25,
            Self::Or => 30,
            Self::And => 35,
            Self::Equal | Self::NotEqual | Self::Member | Self::AtMost | Self::Less => 50,
            Self::Union | Self::Plus | Self::Minus | Self::Append => 65,
        }
    }

    /// The associativity in Isabelle's grammar.
    #[must_use]
    pub fn associativity(self) -> Associativity {
        match self {
            Self::Entails | Self::Equivalent | Self::Implies | Self::Iff | Self::Or | Self::And | Self::Append => {
                Associativity::Right
            }
            Self::Equal | Self::NotEqual | Self::Union | Self::Plus | Self::Minus => Associativity::Left,
            Self::Member | Self::AtMost | Self::Less => Associativity::Neither,
        }
    }
}

impl Binder {
    /// The token (as Unicode).
    #[must_use]
    pub fn token(self) -> &'static str {
        match self {
            Self::Forall => "∀",
            Self::Exists => "∃",
            Self::Lambda => "λ",
            Self::All => "⋀",
        }
    }
}

impl Term {
    /// A constant or a variable.
    #[must_use]
    pub fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }

    /// The application of a named function; the name alone if there is no argument.
    #[must_use]
    pub fn call(name: impl Into<String>, arguments: Vec<Self>) -> Self {
        if arguments.is_empty() { Self::name(name) } else { Self::Apply(Box::new(Self::name(name)), arguments) }
    }

    /// Two operands and an operator.
    #[must_use]
    pub fn infix(operator: Infix, left: Self, right: Self) -> Self {
        Self::Infix(operator, Box::new(left), Box::new(right))
    }

    /// An integer.
    #[must_use]
    pub fn integer(number: i64) -> Self {
        if number < 0 { Self::Negative(number.unsigned_abs()) } else { Self::Number(number.unsigned_abs()) }
    }

    /// A term plus an integer, or the integer alone for `None`.
    #[must_use]
    pub fn sum(term: Option<Self>, number: i64) -> Self {
        match term {
            None => Self::integer(number),
            Some(term) if number == 0 => term,
            Some(term) => {
                let operator = if number < 0 { Infix::Minus } else { Infix::Plus };
                Self::infix(operator, term, Self::Number(number.unsigned_abs()))
            }
        }
    }

    /// The proposition that a number is at most another one plus an integer, where `None` is 0.
    #[must_use]
    pub fn at_most(left: Option<Self>, right: Option<Self>, number: i64) -> Self {
        match (left, right) {
            (None, Some(right)) => Self::infix(Infix::AtMost, Self::integer(-number), right),
            (Some(left), Some(right)) if number == -1 => Self::infix(Infix::Less, left, right),
            (left, right) => Self::infix(Infix::AtMost, Self::sum(left, 0), Self::sum(right, number)),
        }
    }

    /// An equation.
    #[must_use]
    pub fn equal(left: Self, right: Self) -> Self {
        Self::infix(Infix::Equal, left, right)
    }

    /// The negation of a proposition; equations become inequalities, double negations vanish.
    #[must_use]
    pub fn negation(proposition: Self) -> Self {
        if let Self::Not(inner) = proposition {
            *inner
        } else if let Self::Infix(Infix::Equal, left, right) = proposition {
            Self::Infix(Infix::NotEqual, left, right)
        } else if let Self::Infix(Infix::NotEqual, left, right) = proposition {
            Self::Infix(Infix::Equal, left, right)
        } else {
            Self::Not(Box::new(proposition))
        }
    }

    /// The conjunction of propositions, `True` for none.
    #[must_use]
    pub fn conjunction(propositions: Vec<Self>) -> Self {
        Self::fold_right(Infix::And, propositions).unwrap_or_else(|| Self::name("True"))
    }

    /// The disjunction of propositions, `False` for none.
    #[must_use]
    pub fn disjunction(propositions: Vec<Self>) -> Self {
        Self::fold_right(Infix::Or, propositions).unwrap_or_else(|| Self::name("False"))
    }

    /// Premises that imply a conclusion, each by one arrow.
    #[must_use]
    pub fn implication(arrow: Infix, premises: Vec<Self>, conclusion: Self) -> Self {
        premises.into_iter().rev().fold(conclusion, |rest, premise| Self::infix(arrow, premise, rest))
    }

    /// The union of sets; the empty set for none.
    #[must_use]
    pub fn union(sets: Vec<Self>) -> Self {
        sets.into_iter()
            .reduce(|left, right| Self::infix(Infix::Union, left, right))
            .unwrap_or_else(|| Self::Set(Vec::new()))
    }

    /// A binder over variables; the body alone if there is no variable.
    #[must_use]
    pub fn bind(binder: Binder, variables: Vec<String>, body: Self) -> Self {
        if variables.is_empty() { body } else { Self::Bind(binder, variables, Box::new(body)) }
    }

    /// A binder over one variable in a set.
    #[must_use]
    pub fn bind_in(binder: Binder, variable: impl Into<String>, set: Self, body: Self) -> Self {
        Self::BindIn(binder, variable.into(), Box::new(set), Box::new(body))
    }

    /// A conditional.
    #[must_use]
    pub fn conditional(condition: Self, yes: Self, no: Self) -> Self {
        Self::If(Box::new(condition), Box::new(yes), Box::new(no))
    }

    fn fold_right(operator: Infix, propositions: Vec<Self>) -> Option<Self> {
        propositions.into_iter().rev().reduce(|rest, first| Self::infix(operator, first, rest))
    }
}
