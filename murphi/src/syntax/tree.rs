//! The syntax tree.
//!
//! Every node that a diagnostic may refer to has a place. To compare two trees regardless of places, print them.

use crate::program::{Binary, PropertyKind, Span, Unary};

/// A model: its items in text order.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// The byte offset at which each line of the text starts.
    pub lines: Vec<u32>,
    /// The items of all sections.
    pub items: Vec<Item>,
}

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// An item of a section.
#[derive(Clone, Debug)]
pub enum Item {
    /// A constant.
    Constant(Name, Expr),
    /// A type.
    Type(Name, TypeExpr),
    /// Variables of one type.
    Variables(Vec<Name>, TypeExpr),
    /// A function or procedure.
    Function(Function),
    /// A rule, startstate, property, or a group of them.
    Rule(RuleItem),
}

/// A function or procedure.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The type of the result.
    pub result: Option<TypeExpr>,
    /// Local declarations.
    pub declarations: Vec<Item>,
    /// The statements.
    pub body: Vec<Stmt>,
}

/// Parameters of one type.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Whether they are passed by reference.
    pub reference: bool,
    /// The names.
    pub names: Vec<Name>,
    /// The type.
    pub ty: TypeExpr,
}

/// A type.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// The kind of type.
    pub kind: TypeExprKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub enum TypeExprKind {
    /// A name.
    Name(String),
    /// `enum { .. }`.
    Enum(Vec<Name>),
    /// `a .. b`.
    Range(Box<Expr>, Box<Expr>),
    /// `scalarset(n)`.
    Scalarset(Box<Expr>),
    /// `union { .. }`.
    Union(Vec<TypeExpr>),
    /// `record .. end`.
    Record(Vec<(Vec<Name>, TypeExpr)>),
    /// `array [index] of element`.
    Array(Box<TypeExpr>, Box<TypeExpr>),
    /// `multiset [size] of element`.
    Multiset(Box<Expr>, Box<TypeExpr>),
}

/// A rule or a group of rules.
#[derive(Clone, Debug)]
pub enum RuleItem {
    /// A rule.
    Rule {
        /// The name.
        name: Option<String>,
        /// `priority n`.
        priority: Option<Expr>,
        /// The guard.
        guard: Option<Expr>,
        /// Local declarations.
        declarations: Vec<Item>,
        /// The statements.
        body: Vec<Stmt>,
        /// Its place.
        span: Span,
    },
    /// A startstate.
    Startstate {
        /// The name.
        name: Option<String>,
        /// Local declarations.
        declarations: Vec<Item>,
        /// The statements.
        body: Vec<Stmt>,
        /// Its place.
        span: Span,
    },
    /// An invariant or the like.
    Property {
        /// The kind of property.
        kind: PropertyKind,
        /// The name.
        name: Option<String>,
        /// The condition.
        condition: Expr,
        /// Its place.
        span: Span,
    },
    /// `ruleset`, with its place.
    Ruleset(Vec<Quantifier>, Vec<RuleItem>, Span),
    /// `alias` around rules.
    Alias(Vec<(Name, Expr)>, Vec<RuleItem>),
    /// `choose name : multiset`.
    Choose(Name, Expr, Vec<RuleItem>),
}

/// A bound variable and its domain.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// The variable.
    pub name: Name,
    /// Its domain.
    pub over: Domain,
}

/// The domain of a bound variable.
#[derive(Clone, Debug)]
pub enum Domain {
    /// A type.
    Type(TypeExpr),
    /// `from to last by step`.
    Numbers(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
    /// The number of levels of nested expressions, including this one.
    pub(super) depth: u32,
}

impl Expr {
    /// Creates an expression at a place.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let depth = 1 + kind.parts().iter().map(|part| part.depth).max().unwrap_or(0);
        Self { kind, span, depth }
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Integer(i64),
    /// `undefined`.
    Undefined,
    /// A name.
    Name(String),
    /// `place.field`.
    Field(Box<Expr>, Name),
    /// `place[index]`.
    Element(Box<Expr>, Box<Expr>),
    /// `f(..)`.
    Call(Name, Vec<Expr>),
    /// A unary operator.
    Unary(Unary, Box<Expr>),
    /// `+ number`, which is the number itself.
    Plus(Box<Expr>),
    /// `~ number`, with every bit inverted.
    Complement(Box<Expr>),
    /// A binary operator other than `&` and `|`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Two or more operands of `&` or of `|`, without parentheses of their own.
    Chain(Binary, Vec<Expr>),
    /// `a ? b : c`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall`.
    Forall(Vec<Quantifier>, Box<Expr>),
    /// `exists`.
    Exists(Vec<Quantifier>, Box<Expr>),
    /// `isundefined(place)`.
    IsUndefined(Box<Expr>),
    /// `ismember(value, type)`.
    IsMember(Box<Expr>, TypeExpr),
    /// `multisetcount(name : multiset, condition)`.
    MultisetCount(Name, Box<Expr>, Box<Expr>),
}

impl ExprKind {
    /// Returns the direct subexpressions. Those inside types are left out, since a type starts a new nesting.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Self::Integer(_) | Self::Undefined | Self::Name(_) => Vec::new(),
            Self::Field(a, _)
            | Self::Unary(_, a)
            | Self::Plus(a)
            | Self::Complement(a)
            | Self::IsUndefined(a)
            | Self::IsMember(a, _) => vec![a],
            Self::Element(a, b) | Self::Binary(_, a, b) | Self::MultisetCount(_, a, b) => vec![a, b],
            Self::Conditional(a, b, c) => vec![a, b, c],
            Self::Call(_, parts) | Self::Chain(_, parts) => parts.iter().collect(),
            Self::Forall(quantifiers, body) | Self::Exists(quantifiers, body) => {
                let mut parts: Vec<&Expr> = vec![body];
                for quantifier in quantifiers {
                    if let Domain::Numbers(from, to, by) = &quantifier.over {
                        parts.extend([from.as_ref(), to.as_ref()]);
                        parts.extend(by.as_deref());
                    }
                }
                parts
            }
        }
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind of statement.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `place := value`.
    Assign(Expr, Expr),
    /// `if`.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `switch`.
    Switch(Expr, Vec<(Vec<Expr>, Vec<Stmt>)>, Vec<Stmt>),
    /// `for`.
    For(Vec<Quantifier>, Vec<Stmt>),
    /// `while`.
    While(Expr, Vec<Stmt>),
    /// `alias`.
    Alias(Vec<(Name, Expr)>, Vec<Stmt>),
    /// A call of a procedure.
    Call(Name, Vec<Expr>),
    /// `clear place`.
    Clear(Expr),
    /// `undefine place`.
    Undefine(Expr),
    /// `assert condition "text"`.
    Assert(Expr, Option<String>),
    /// rumur's `assume`, `cover` or `liveness` as a statement.
    Property(PropertyKind, Expr, Option<String>),
    /// `error "text"`.
    Error(String),
    /// `put value`.
    Put(Expr),
    /// `put "text"`.
    PutText(String),
    /// `return`.
    Return(Option<Expr>),
    /// `multisetadd(value, multiset)`.
    MultisetAdd(Expr, Expr),
    /// `multisetremove(position, multiset)`.
    MultisetRemove(Expr, Expr),
    /// `multisetremovepred(name : multiset, condition)`.
    MultisetRemoveIf(Name, Expr, Expr),
}
