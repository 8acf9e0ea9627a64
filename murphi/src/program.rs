//! The typed program: a Murphi model with all names resolved and all constants evaluated.
//!
//! The type checker produces this plain data; lowering and the concrete execution read it. Every expression has a type
//! and a place; constant declarations are gone; `ruleset`s and rule-level `alias`es are part of the rules inside them.
//! The meaning of each construct is that of the Murphi language reference (Dill et al., "Murphi annotated reference
//! manual", release 3.1).

pub(crate) mod uses;
pub mod walk;

use std::collections::{BTreeMap, BTreeSet};

pub use system::front_end::Span;

use crate::diagnostics::Diagnostic;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position that this id refers to in its table.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A position in [`Program::types`].
    TypeId
);
id!(
    /// A position in [`Program::variables`].
    VarId
);
id!(
    /// A position in [`Program::functions`].
    FunctionId
);

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The byte offset at which each source line starts.
    pub lines: Vec<u32>,
    /// Global integer constants, in declaration order, with their current values.
    pub constants: Vec<(String, i64)>,
    /// The places that mention a constant by name, in ascending order.
    pub constant_uses: Vec<ConstantUse>,
    /// Global truth values with names, in declaration order, with their current values.
    pub truths: Vec<(String, bool)>,
    /// All types written in the source; each written type has its own entry, to which names refer.
    pub types: Vec<Type>,
    /// The bounds of ranges and the sizes of scalarsets and multisets (from 1) in terms of the model's constants, if they
    /// have that form.
    pub bounds: BTreeMap<TypeId, (Affine, Affine)>,
    /// The types of variables bound by `:= .. to ..`. Unlike the types that are written, they may be empty.
    pub domains: BTreeSet<TypeId>,
    /// The integer constants in those terms, if they have that form.
    pub forms: BTreeMap<String, Affine>,
    /// All variables: globals, parameters, locals, bound variables and aliases.
    pub variables: Vec<VariableDeclaration>,
    /// The state variables, in declaration order.
    pub globals: Vec<VarId>,
    /// The state variables that are never written and have any value in the initial states, instead of none.
    pub arbitrary: BTreeSet<VarId>,
    /// Functions and procedures.
    pub functions: Vec<Function>,
    /// Startstates, in source order.
    pub startstates: Vec<Startstate>,
    /// Rules, in source order.
    pub rules: Vec<Rule>,
    /// Invariants and other properties, in source order.
    pub properties: Vec<Property>,
    /// The type checker's warnings.
    pub warnings: Vec<Diagnostic>,
}

/// A place that mentions a constant by name. The typed expression there is the constant's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantUse {
    /// The name of the constant. That of a local constant has its position as well, so that no two have the same.
    pub name: String,
    /// The place.
    pub span: Span,
    /// What the constant determines there.
    pub site: ConstantSite,
}

/// What a constant determines where it is mentioned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantSite {
    /// A bound or size of this type.
    Type(TypeId),
    /// The value of this other constant.
    Constant(String),
    /// Part of an expression.
    Expression,
    /// The value of an alias that is more than the constant.
    Alias,
}

/// A number in terms of constants of the model, `offset + factor * name + ..`, so that it is known for all values of
/// the constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    /// The constant term.
    pub offset: i64,
    /// The factor of each constant, never 0.
    pub factors: BTreeMap<String, i64>,
}

impl Affine {
    /// Creates a number that depends on no constant.
    #[must_use]
    pub fn number(offset: i64) -> Self {
        Self { offset, factors: BTreeMap::new() }
    }

    /// Creates the value of a constant.
    #[must_use]
    pub fn constant(name: &str) -> Self {
        Self { offset: 0, factors: BTreeMap::from([(name.to_owned(), 1)]) }
    }

    /// Returns the constant to set, and its value, for this number to become `wanted`. Returns `None` unless the number
    /// is a single constant plus an offset.
    #[must_use]
    pub fn reaching(&self, wanted: i64) -> Option<(&str, i64)> {
        let mut factors = self.factors.iter();
        match (factors.next(), factors.next()) {
            (Some((name, 1)), None) => Some((name, wanted.checked_sub(self.offset)?)),
            (None | Some(_), _) => None,
        }
    }

    /// Returns `self + factor * other`, or `None` if that overflows.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum = self.clone();
        sum.offset = sum.offset.checked_add(other.offset.checked_mul(factor)?)?;
        for (name, own) in &other.factors {
            let known = sum.factors.get(name).copied().unwrap_or(0);
            sum.factors.insert(name.clone(), known.checked_add(own.checked_mul(factor)?)?);
        }
        sum.factors.retain(|_, factor| *factor != 0);
        Some(sum)
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// The kind of type.
    pub kind: TypeKind,
    /// The name it was declared with, if any.
    pub name: Option<String>,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `boolean`.
    Boolean,
    /// An enumeration; members are unique within the model.
    Enum(Vec<String>),
    /// `first .. last`; also the type of plain numbers, with the smallest and largest 64-bit numbers as its bounds.
    Range(i64, i64),
    /// `scalarset(size)`.
    Scalarset(i64),
    /// A union of scalarsets and enumerations.
    Union(Vec<TypeId>),
    /// A record.
    Record(Vec<(String, TypeId)>),
    /// An array.
    Array {
        /// The index type.
        index: TypeId,
        /// The element type.
        element: TypeId,
    },
    /// `multiset [size] of element`.
    Multiset {
        /// The largest number of elements.
        size: i64,
        /// The element type.
        element: TypeId,
    },
}

/// A variable of any kind.
#[derive(Clone, Debug)]
pub struct VariableDeclaration {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: TypeId,
    /// The kind of variable.
    pub kind: VariableKind,
    /// Where it is declared.
    pub span: Span,
}

/// The kinds of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// A state variable.
    Global,
    /// A local variable of a rule or function.
    Local,
    /// A parameter passed by value; it cannot be assigned to.
    Value,
    /// A parameter passed by reference.
    Reference,
    /// Bound by a ruleset, quantifier, `for` or `choose`.
    Bound,
    /// Another name for a place or value.
    Alias,
}

/// A function or procedure.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The parameters.
    pub parameters: Vec<VarId>,
    /// The result type, or `None` for a procedure.
    pub result: Option<TypeId>,
    /// The local variables.
    pub locals: Vec<VarId>,
    /// The statements.
    pub body: Vec<Statement>,
    /// Where it is.
    pub span: Span,
}

/// A variable with a domain.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The variable.
    pub variable: VarId,
    /// The domain.
    pub over: Over,
}

/// The domain of a bound variable.
#[derive(Clone, Debug)]
pub enum Over {
    /// All values of a type.
    Type(TypeId),
    /// `from to last by step`; the bounds are evaluated once.
    Numbers {
        /// The first number.
        from: Box<Expression>,
        /// The last number.
        to: Box<Expression>,
        /// The step; 1 if none is written.
        step: Box<Expression>,
    },
}

/// A group around a rule, startstate or property; groups are listed outermost first.
#[derive(Clone, Debug)]
pub enum Around {
    /// A parameter of a ruleset.
    Parameter(Binder),
    /// An alias.
    Alias(VarId, Expression),
    /// `choose variable : multiset`; the variable is a position in the multiset.
    Choose(VarId, Expression),
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name, if any.
    pub name: Option<String>,
    /// The rulesets and aliases around it.
    pub around: Vec<Around>,
    /// The guard; `true` if none is written.
    pub guard: Expression,
    /// The priority; 0 if none is written. CMurphi fires a rule only if no rule of higher priority is enabled.
    pub priority: i64,
    /// Local variables.
    pub locals: Vec<VarId>,
    /// The statements.
    pub body: Vec<Statement>,
    /// Where it is.
    pub span: Span,
}

/// A startstate.
#[derive(Clone, Debug)]
pub struct Startstate {
    /// The name, if any.
    pub name: Option<String>,
    /// The rulesets and aliases around it.
    pub around: Vec<Around>,
    /// Local variables.
    pub locals: Vec<VarId>,
    /// The statements.
    pub body: Vec<Statement>,
    /// Where it is.
    pub span: Span,
}

/// A property of states.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name, if any.
    pub name: Option<String>,
    /// The kind of property.
    pub kind: PropertyKind,
    /// The rulesets and aliases around it.
    pub around: Vec<Around>,
    /// The condition.
    pub condition: Expression,
    /// Where it is.
    pub span: Span,
}

/// The kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `invariant`.
    Invariant,
    /// `assume`.
    Assume,
    /// `cover`.
    Cover,
    /// `liveness`.
    Liveness,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The kind of expression.
    pub kind: ExpressionKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it is.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// `true`, `false`.
    Boolean(bool),
    /// A number, or a constant's value.
    Integer(i64),
    /// A member of an enumeration.
    Member(String),
    /// The undefined value, in `x := undefined`.
    Undefined,
    /// A variable.
    Variable(VarId),
    /// A field of a record.
    Field(Box<Expression>, String),
    /// An element of an array.
    Element(Box<Expression>, Box<Expression>),
    /// `-`, `!`.
    Unary(Unary, Box<Expression>),
    /// A binary operator; `&`, `|` and `->` evaluate the right operand only if it matters.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `condition ? yes : no`.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `forall`.
    Forall(Binder, Box<Expression>),
    /// `exists`.
    Exists(Binder, Box<Expression>),
    /// A call.
    Call(FunctionId, Vec<Expression>),
    /// `isundefined(place)`.
    IsUndefined(Box<Expression>),
    /// `ismember(value, type)`.
    IsMember(Box<Expression>, TypeId),
    /// `multisetcount(binder variable: place, condition)`.
    MultisetCount(VarId, Box<Expression>, Box<Expression>),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `!`.
    Not,
    /// `-`.
    Minus,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the operators")]
pub enum Binary {
    And,
    Or,
    Implies,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
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

/// The operands that a binary operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Two conditions; the result is one.
    Conditions,
    /// Two values of comparable types; the result is a condition.
    Alike,
    /// Two numbers; the result is a condition.
    Ordered,
    /// Two numbers; the result is a number, see [`Binary::number`].
    Numbers,
}

impl Binary {
    /// Returns which operands the operator takes.
    #[must_use]
    pub fn takes(self) -> Operands {
        match self {
            Self::And | Self::Or | Self::Implies => Operands::Conditions,
            Self::Equal | Self::Unequal => Operands::Alike,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => Operands::Ordered,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Modulo
            | Self::BitAnd
            | Self::BitOr
            | Self::BitXor
            | Self::ShiftLeft
            | Self::ShiftRight => Operands::Numbers,
        }
    }

    /// Applies the operator to two numbers if the result is a number. Returns `None` on overflow, division by zero, or
    /// for other operators.
    #[must_use]
    pub fn number(self) -> Option<fn(i64, i64) -> Option<i64>> {
        Some(match self {
            Self::Add => i64::checked_add,
            Self::Subtract => i64::checked_sub,
            Self::Multiply => i64::checked_mul,
            Self::Divide => i64::checked_div,
            Self::Modulo => i64::checked_rem,
            Self::BitAnd => |a, b| Some(a & b),
            Self::BitOr => |a, b| Some(a | b),
            Self::BitXor => |a, b| Some(a ^ b),
            Self::ShiftLeft => |a, by| shift(a, Some(by)),
            Self::ShiftRight => |a, by| shift(a, by.checked_neg()),
            Self::And
            | Self::Or
            | Self::Implies
            | Self::Equal
            | Self::Unequal
            | Self::Less
            | Self::LessEqual
            | Self::Greater
            | Self::GreaterEqual => return None,
        })
    }
}

/// Shifts the number to the left, or to the right if `by` is negative, as in rumur: a shift by 64 bits or more leaves
/// 0. Losing a bit on the left is an overflow.
pub(crate) fn shift(number: i64, by: Option<i64>) -> Option<i64> {
    match by {
        Some(left @ 0..64) => i64::try_from(i128::from(number) << left).ok(),
        Some(right @ -63..0) => Some(number >> -right),
        Some(_) | None => Some(0),
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The kind of statement.
    pub kind: StatementKind,
    /// Where it is.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `place := value`.
    Assign(Expression, Expression),
    /// `if .. elsif .. else`.
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
    /// `switch`.
    Switch(Expression, Vec<(Vec<Expression>, Vec<Statement>)>, Vec<Statement>),
    /// `for`.
    For(Binder, Vec<Statement>),
    /// `while`.
    While(Expression, Vec<Statement>),
    /// `alias name : place do .. end`.
    Alias(VarId, Expression, Vec<Statement>),
    /// A call of a procedure.
    Call(FunctionId, Vec<Expression>),
    /// `clear place`.
    Clear(Expression),
    /// `undefine place`.
    Undefine(Expression),
    /// `assert condition "message"`.
    Assert(Expression, String),
    /// rumur's `assume condition "message"`: if it is false, the rule has no next state.
    Assume(Expression),
    /// rumur's `cover condition "message"`: some execution must reach it while the condition holds.
    Cover(Expression, Option<String>),
    /// `error "message"`.
    Error(String),
    /// `put value`, or nothing if it writes a text. Only a function that computes the value can affect the state.
    Put(Option<Expression>),
    /// `return`.
    Return(Option<Expression>),
    /// `multisetadd(value, multiset)`.
    MultisetAdd(Expression, Expression),
    /// `multisetremove(position, multiset)`.
    MultisetRemove(Expression, Expression),
    /// `multisetremovepred(variable : multiset, condition)`.
    MultisetRemoveIf(VarId, Expression, Expression),
}

/// What fails where `multisetadd` adds a simple value that is undefined.
pub(crate) const ADDED_UNDEFINED: &str = "an undefined value is added to a multiset";

impl TypeKind {
    /// Returns the number of values of a scalarset or range.
    #[must_use]
    pub fn size(&self) -> Option<i64> {
        match self {
            Self::Scalarset(size) => Some(*size),
            Self::Range(first, last) => last.checked_sub(*first)?.checked_add(1),
            Self::Boolean
            | Self::Enum(_)
            | Self::Union(_)
            | Self::Record(_)
            | Self::Array { .. }
            | Self::Multiset { .. } => None,
        }
    }
}

impl Program {
    /// Returns the name of the constant of which the expression at this place is the value, if any.
    #[must_use]
    pub fn constant_at(&self, span: Span) -> Option<&str> {
        let found = self.constant_uses.binary_search_by_key(&span, |mention| mention.span).ok()?;
        let ConstantUse { name, site, .. } = &self.constant_uses[found];
        // The name of an alias may have the value of several constants.
        (*site != ConstantSite::Alias).then_some(name)
    }

    /// Returns the operand that a product multiplies by 2, if the expression is such a product.
    #[must_use]
    pub fn doubled<'e>(&self, expression: &'e Expression) -> Option<&'e Expression> {
        let ExpressionKind::Binary(Binary::Multiply, left, right) = &expression.kind else { return None };
        if self.is_two(left) { Some(right) } else { self.is_two(right).then_some(left) }
    }

    /// Returns whether an expression is the number 2, and not a constant of the model.
    #[must_use]
    pub fn is_two(&self, expression: &Expression) -> bool {
        matches!(expression.kind, ExpressionKind::Integer(2)) && self.constant_at(expression.span).is_none()
    }

    /// Returns whether the value of the constant is computed from other constants.
    #[must_use]
    pub fn is_computed(&self, constant: &str) -> bool {
        let computes = |site: &ConstantSite| matches!(site, ConstantSite::Constant(name) if name == constant);
        self.constant_uses.iter().any(|mention| computes(&mention.site))
    }

    /// Returns whether the type has a value whatever the constants are: a range or a scalarset that is written.
    #[must_use]
    pub fn is_inhabited(&self, ty: TypeId) -> bool {
        match self.types[ty.index()].kind {
            TypeKind::Range(..) => !self.domains.contains(&ty),
            TypeKind::Scalarset(_) => true,
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Union(_)
            | TypeKind::Record(_)
            | TypeKind::Array { .. }
            | TypeKind::Multiset { .. } => false,
        }
    }

    /// Converts a span to a place with line and column.
    #[must_use]
    pub fn origin(&self, span: Span) -> system::Origin {
        let line = self.lines.partition_point(|&start| start <= span.start).max(1);
        let line_start = self.lines.get(line - 1).copied().unwrap_or(0);
        system::Origin {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: span.start.saturating_sub(line_start) + 1,
            start: span.start,
            end: span.end,
        }
    }
}
