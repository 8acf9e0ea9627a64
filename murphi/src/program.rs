//! The typed program: a Murphi model with all names resolved and all constants evaluated.
//!
//! In: what the parser and the type checker deliver. Out: plain data, read by lowering and by the concrete execution.
//! Every expression has a type and a place; declarations of constants are gone; `ruleset`s and rule-level `alias`es are
//! part of the rules below them. The meaning of each construct is that of the Murphi language reference (Dill et al.,
//! "Murphi annotated reference manual", release 3.1).

pub mod walk;

use std::collections::BTreeMap;

pub use system::front_end::Span;

use crate::diagnostics::Diagnostic;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table that this id points into.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// Position in [`Program::types`].
    TypeId
);
id!(
    /// Position in [`Program::variables`].
    VarId
);
id!(
    /// Position in [`Program::functions`].
    FunctionId
);

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The byte at which each line of the source starts.
    pub lines: Vec<u32>,
    /// Integer constants, in the order of declaration, with their values in this reading of the model.
    pub constants: Vec<(String, i64)>,
    /// The places that mention a constant by its name, ascending by place.
    pub constant_uses: Vec<ConstantUse>,
    /// Truth values that have a name, in the order of declaration, with their values in this reading of the model.
    pub truths: Vec<(String, bool)>,
    /// All types that are written somewhere; each written type has an entry of its own, a name refers to one.
    pub types: Vec<Type>,
    /// The bounds of ranges and the sizes of scalarsets (from 1) in terms of the model's constants, where they are of that
    /// form.
    pub bounds: BTreeMap<TypeId, (Affine, Affine)>,
    /// All variables: globals, parameters, locals, bound variables and aliases.
    pub variables: Vec<VariableDeclaration>,
    /// The state variables, in the order of declaration.
    pub globals: Vec<VarId>,
    /// Functions and procedures.
    pub functions: Vec<Function>,
    /// Startstates, in the order of the source.
    pub startstates: Vec<Startstate>,
    /// Rules, in the order of the source.
    pub rules: Vec<Rule>,
    /// Invariants and the like, in the order of the source.
    pub properties: Vec<Property>,
    /// What the type checker wants to say although it accepted the model.
    pub warnings: Vec<Diagnostic>,
}

/// A place that mentions a constant by its name. The typed expression there is the constant's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantUse {
    /// The name of the constant.
    pub name: String,
    /// The place.
    pub span: Span,
    /// What the constant decides there.
    pub site: ConstantSite,
}

/// What a constant decides where it is mentioned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantSite {
    /// A bound or size of this type.
    Type(TypeId),
    /// The value of this other constant.
    Constant(String),
    /// Part of an expression.
    Expression,
}

/// A number in terms of constants of the model: `offset + factor * name + ..`, so that it is known what it is for other values
/// of the constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    /// What is added.
    pub offset: i64,
    /// The factor of each constant; none of them is 0.
    pub factors: BTreeMap<String, i64>,
}

impl Affine {
    /// A number that depends on no constant.
    #[must_use]
    pub fn number(offset: i64) -> Self {
        Self { offset, factors: BTreeMap::new() }
    }

    /// The value of a constant.
    #[must_use]
    pub fn constant(name: &str) -> Self {
        Self { offset: 0, factors: BTreeMap::from([(name.to_owned(), 1)]) }
    }

    /// The constant to set, and the value to give it, so that this number is `wanted`; nothing where it is not one constant, up
    /// to a number that is added.
    #[must_use]
    pub fn reaching(&self, wanted: i64) -> Option<(&str, i64)> {
        let mut factors = self.factors.iter();
        match (factors.next(), factors.next()) {
            (Some((name, 1)), None) => Some((name, wanted.checked_sub(self.offset)?)),
            (None | Some(_), _) => None,
        }
    }

    /// `self + factor * other`; nothing where that overflows.
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
    /// What it is.
    pub kind: TypeKind,
    /// The name it was declared with.
    pub name: Option<String>,
    /// Where it is written.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `boolean`.
    Boolean,
    /// An enumeration; members are unique in the model.
    Enum(Vec<String>),
    /// `first .. last`; also the type of a plain number, from the least to the greatest.
    Range(i64, i64),
    /// `scalarset(size)`.
    Scalarset(i64),
    /// A union of scalarsets and enumerations.
    Union(Vec<TypeId>),
    /// A record.
    Record(Vec<(String, TypeId)>),
    /// An array.
    Array {
        /// The type of the index.
        index: TypeId,
        /// The type of the elements.
        element: TypeId,
    },
    /// `multiset [size] of element`.
    Multiset {
        /// The most elements.
        size: i64,
        /// The type of the elements.
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
    /// What kind of variable it is.
    pub kind: VariableKind,
    /// Where it is declared.
    pub span: Span,
}

/// Kinds of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// A state variable.
    Global,
    /// A local variable of a rule or function.
    Local,
    /// A parameter passed by value; it cannot be assigned.
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
    /// The type of the result; none for a procedure.
    pub result: Option<TypeId>,
    /// The local variables.
    pub locals: Vec<VarId>,
    /// The statements.
    pub body: Vec<Statement>,
    /// Where it is.
    pub span: Span,
}

/// A variable that runs over values.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The variable.
    pub variable: VarId,
    /// Over what it runs.
    pub over: Over,
}

/// What a bound variable runs over.
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
        /// The step, 1 where none is written.
        step: Box<Expression>,
    },
}

/// What stands around a rule, startstate or property, outermost first.
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
    /// The name, where there is one.
    pub name: Option<String>,
    /// Rulesets and aliases around it.
    pub around: Vec<Around>,
    /// The guard; `true` where none is written.
    pub guard: Expression,
    /// The priority, 0 where none is written. CMurphi fires a rule only where no rule of higher priority is enabled.
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
    /// The name, where there is one.
    pub name: Option<String>,
    /// Rulesets and aliases around it.
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
    /// The name, where there is one.
    pub name: Option<String>,
    /// What is claimed.
    pub kind: PropertyKind,
    /// Rulesets and aliases around it.
    pub around: Vec<Around>,
    /// The condition.
    pub condition: Expression,
    /// Where it is.
    pub span: Span,
}

/// Kinds of properties.
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
    /// What it is.
    pub kind: ExpressionKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it is.
    pub span: Span,
}

/// What an expression is.
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
    /// An operator with two sides; `&`, `|` and `->` evaluate the right side only where it matters.
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

/// Operators with one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `!`.
    Not,
    /// `-`.
    Minus,
}

/// Operators with two sides.
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

/// What an operator with two sides takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Two conditions; the result is one.
    Conditions,
    /// Two values of types that can be compared; the result is a condition.
    Alike,
    /// Two numbers; the result is a condition.
    Ordered,
    /// Two numbers; the result is one, see [`Binary::number`].
    Numbers,
}

impl Binary {
    /// What the operator takes.
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

    /// What the operator does with two numbers where the result is a number; none where it is an overflow, a division by
    /// zero, or no such operator.
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

/// The number with its bits moved to the left, or to the right where `by` is negative, as in rumur: nothing is left of a
/// number that is moved by 64 bits or more. A bit that is lost on the left is an overflow.
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
    /// What it does.
    pub kind: StatementKind,
    /// Where it is.
    pub span: Span,
}

/// What a statement does.
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
    /// `assume condition "message"` of rumur: where it is false, the rule has no next state.
    Assume(Expression),
    /// `cover condition "message"` of rumur: some execution has to come here while it is true.
    Cover(Expression, Option<String>),
    /// `error "message"`.
    Error(String),
    /// `put`; it has no effect on the state.
    Put,
    /// `return`.
    Return(Option<Expression>),
    /// `multisetadd(value, multiset)`.
    MultisetAdd(Expression, Expression),
    /// `multisetremove(position, multiset)`.
    MultisetRemove(Expression, Expression),
    /// `multisetremovepred(variable : multiset, condition)`.
    MultisetRemoveIf(VarId, Expression, Expression),
}

impl TypeKind {
    /// How many values a scalarset or range has.
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
    /// The name of the constant that is written at this place, where one is.
    #[must_use]
    pub fn constant_at(&self, span: Span) -> Option<&str> {
        let found = self.constant_uses.binary_search_by_key(&span, |mention| mention.span).ok()?;
        Some(&self.constant_uses[found].name)
    }

    /// The place of a span, with its line and column.
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
