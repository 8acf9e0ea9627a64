//! The parameterized transition system: what every later stage works on.
//!
//! In: produced by lowering a typed Murphi program. Out: plain data, read by the search, the checker and
//! the emitters. Nothing in here depends on the number of elements of an index type.
//!
//! The form is that of an array-based system with simultaneous, guarded, universal updates
//! (Ghilardi and Ranise, "Backward reachability of array-based systems by SMT solving", 2010, section 3;
//! Conchon et al., "Invariants for finite instances and beyond", FMCAD 2013, section II), extended by
//! pointers (state variables whose values are elements of an index type) and by several index types.
//!
//! # Scopes
//! A rule, a startstate and a property each own a table of [`IndexVariable`]s, its *scope*. An
//! [`IndexTerm::Variable`] is a position in that table. Parameters come first; variables bound by
//! [`Formula::Forall`], [`Formula::Exists`] and [`Update::arguments`] have positions of their own, so that no
//! substitution can capture. Scope variables may denote equal elements unless a formula separates them. In a
//! [`Cube`], on the contrary, the variables are pairwise distinct and distinct from all named elements.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
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
    /// Position in [`System::index_types`].
    IndexTypeId
);
id!(
    /// Position in [`System::named`].
    NamedId
);
id!(
    /// Position in [`System::constants`].
    ConstantId
);
id!(
    /// Position in [`System::sorts`].
    SortId
);
id!(
    /// Position in [`System::variables`].
    VariableId
);
id!(
    /// Position in [`System::rules`].
    RuleId
);
id!(
    /// Position in [`System::startstates`].
    StartstateId
);
id!(
    /// Position in [`System::properties`].
    PropertyId
);
id!(
    /// Position in the scope of a rule, startstate or property, or among the variables of a cube.
    IndexVariableId
);

/// A protocol for any number of elements of its index types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct System {
    /// The symmetric types, each of any size (at least 0, and at least the number of its named elements).
    pub index_types: Vec<IndexType>,
    /// Elements of index types that the model singles out, such as `Home`.
    pub named: Vec<NamedElement>,
    /// All values that are not elements of an index type. The first two are `false` and `true`.
    pub constants: Vec<Constant>,
    /// What values a state variable can have.
    pub sorts: Vec<Sort>,
    /// The flattened state variables.
    pub variables: Vec<Variable>,
    /// The rules, in the order of the source; a Murphi rule with cases gives several.
    pub rules: Vec<Rule>,
    /// The startstates, in the order of the source.
    pub startstates: Vec<Startstate>,
    /// The properties, in the order of the source; assertions in rules come last.
    pub properties: Vec<Property>,
    /// What a proof about the system says of the model beside its properties, and what it does not say.
    pub claim: Claim,
}

/// What a proof about a system says of its model beside the properties: which values of the model are fixed in it, what is
/// assumed, and what the model states without the system speaking of it. The index types of the system are of any size;
/// everything listed here is as the model has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Constants of the model whose values the system depends on: numbers, then truth values. A constant that only
    /// sizes index types is none of them.
    pub constants: Vec<KeptConstant>,
    /// Ranges and scalarsets over which the model indexes or loops, and which stay as large as the model makes them.
    pub finite_types: Vec<FiniteType>,
    /// `assume` statements in rules: executions in which they fail are left out.
    pub assumptions: Vec<Assumption>,
    /// What the model states and the system does not speak of. Where there is something, a proof of the system's properties
    /// is no proof of all that the model states.
    pub left_out: Vec<LeftOut>,
}

/// A constant of the model whose value the system depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptConstant {
    /// The name.
    pub name: String,
    /// The value, as the model would write it.
    pub value: String,
    /// The first place at which its value matters.
    pub origin: Origin,
}

/// A type that stays as large as the model makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FiniteType {
    /// The name, or the text of the range.
    pub name: String,
    /// How many values it has.
    pub size: u64,
    /// Why it is not of any size, as a clause: `it is used in arithmetic`.
    pub reason: String,
    /// The place of that reason.
    pub origin: Origin,
}

/// An `assume` statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// Where it is.
    pub origin: Origin,
}

/// Something that the model states and the system does not speak of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The keyword: `invariant`, `assume`, `cover`, `liveness`, `assert` or `error`.
    pub kind: String,
    /// The name in the model, or one made up from the line.
    pub name: String,
    /// The stable code of the diagnostic that says why.
    pub code: String,
    /// Why, as the diagnostic says it.
    pub reason: String,
    /// Where it is.
    pub origin: Origin,
}

/// The constant `false`, always the first.
pub const FALSE: ConstantId = ConstantId(0);
/// The constant `true`, always the second.
pub const TRUE: ConstantId = ConstantId(1);

/// A symmetric type: a `scalarset`, or a range that the model uses only symmetrically.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexType {
    /// The name in the model, or one made up for an anonymous type.
    pub name: String,
    /// Whether it is a range without a name, so that this one is made up.
    #[serde(default, skip_serializing_if = "is_false")]
    pub anonymous: bool,
    /// The number of elements that the model's own constants give it.
    pub size: u32,
    /// The least integer of the type where it was a range; 1 for a scalarset.
    pub first: i64,
    /// Where it is declared.
    pub origin: Origin,
}

/// An element of an index type with a name of its own. All named elements of one type are distinct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedElement {
    /// The name, as `Home`.
    pub name: String,
    /// Its type.
    pub index_type: IndexTypeId,
    /// The position in the type, from 0: the integer it stands for in an instance is `first + position`.
    pub position: u32,
    /// Whether the name is made up for an element that the model writes as a number.
    #[serde(default, skip_serializing_if = "is_false")]
    pub anonymous: bool,
}

impl System {
    /// The element as the model writes it.
    #[must_use]
    pub fn written_element(&self, named: NamedId) -> String {
        let element = &self.named[named.index()];
        if element.anonymous {
            return (self.index_types[element.index_type.index()].first + i64::from(element.position)).to_string();
        }
        element.name.clone()
    }

    /// The type as the model writes it, where that is a range without a name.
    #[must_use]
    pub fn written_type(&self, index_type: IndexTypeId) -> String {
        let over = &self.index_types[index_type.index()];
        if over.anonymous {
            return format!("{}..{}", over.first, over.first + i64::from(over.size) - 1);
        }
        over.name.clone()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(truth: &bool) -> bool {
    !truth
}

/// A value that is no element of an index type: a boolean, an enum member, an integer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// The text of the value: `true`, `Empty`, `-3`, `NODE_2`. Unique in the system.
    pub name: String,
    /// The scalarset of which the value is an element, where the scalarset stays as large as the model makes it. Murphi has no
    /// name for such an element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scalarset: Option<String>,
}

/// The set of values that a state variable can have: elements of index types, constants, or both (a union).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sort {
    /// The name in the model, or one made up.
    pub name: String,
    /// Index types whose elements belong to the sort, ascending.
    pub index_types: Vec<IndexTypeId>,
    /// Constants that belong to the sort, in the order of their declaration.
    pub constants: Vec<ConstantId>,
}

/// A flattened state variable: a scalar for each tuple of index arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// The path without its index arguments, each shown as `[]`: `Cache[].State`, `Sta.Dir.Pending`. Unique, for which the types of
    /// the arguments follow where they must: `a[]:P`.
    pub name: String,
    /// The types of the index arguments.
    pub arguments: Vec<IndexTypeId>,
    /// The values.
    pub sort: SortId,
    /// How an instance finds it; it does not find a variable by which a rule notes that a property is violated.
    pub path: Vec<PathStep>,
    /// Where it is declared.
    pub origin: Origin,
}

/// One step from a Murphi variable to a scalar inside it. The first is always [`PathStep::Global`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathStep {
    /// A variable of the model.
    Global(String),
    /// A field of a record.
    Field(String),
    /// An element of an array whose index is no element of an index type.
    Element(ConstantId),
    /// An element of an array at the index argument with this position.
    Argument(u32),
}

/// A place in the model's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset behind the last byte.
    pub end: u32,
}

/// A variable that ranges over the elements of an index type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexVariable {
    /// The name, unique in its scope.
    pub name: String,
    /// The type.
    pub index_type: IndexTypeId,
    /// Why it is there.
    pub role: Role,
}

/// Why a scope has an index variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A parameter of a `ruleset`.
    Parameter,
    /// The witness of an `exists` in a guard or condition.
    Witness,
    /// The element that a pointer points to, where the model indexes with the pointer.
    Target,
    /// An arbitrary element that a `for` or a choice picks.
    Choice,
    /// Bound by a quantifier or by an update.
    Bound,
}

/// An element of an index type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IndexTerm {
    /// A variable of the scope.
    Variable(IndexVariableId),
    /// A named element.
    Named(NamedId),
}

/// A term without conditions, over elements of the kind `E`: those of a scope, unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term<E = IndexTerm> {
    /// A constant.
    Constant(ConstantId),
    /// An element of an index type.
    Index(E),
    /// The value of a state variable before the step.
    Read(VariableId, Vec<E>),
}

impl<E> Term<E> {
    /// The term over other elements: each element replaced by what the function makes of it, from left to right.
    #[must_use]
    pub fn map<F>(&self, replace: &mut impl FnMut(&E) -> F) -> Term<F> {
        match self {
            Self::Constant(constant) => Term::Constant(*constant),
            Self::Index(element) => Term::Index(replace(element)),
            Self::Read(variable, arguments) => Term::Read(*variable, arguments.iter().map(replace).collect()),
        }
    }

    /// The elements that occur in the term, from left to right.
    #[must_use]
    pub fn elements(&self) -> &[E] {
        match self {
            Self::Constant(_) => &[],
            Self::Index(element) => std::slice::from_ref(element),
            Self::Read(_, arguments) => arguments,
        }
    }

    /// Whether it is the value of a state variable.
    #[must_use]
    pub fn is_read(&self) -> bool {
        matches!(self, Self::Read(..))
    }
}

/// How two terms compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// They differ.
    Different,
    /// They are equal.
    Equal,
}

impl Comparison {
    /// The comparison that holds exactly where this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Different => Self::Equal,
            Self::Equal => Self::Different,
        }
    }

    /// Whether it holds of terms that are known to be equal, or known to differ.
    #[must_use]
    pub fn holds(self, equal: bool) -> bool {
        match self {
            Self::Different => !equal,
            Self::Equal => equal,
        }
    }

    /// Whether it is equality and not its negation.
    #[must_use]
    pub fn is_equal(self) -> bool {
        match self {
            Self::Different => false,
            Self::Equal => true,
        }
    }

    /// Equality, or its negation.
    #[must_use]
    pub fn equal_if(equal: bool) -> Self {
        if equal { Self::Equal } else { Self::Different }
    }
}

/// In JSON a comparison is whether the terms are equal.
impl Serialize for Comparison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(self.is_equal())
    }
}

impl<'de> Deserialize<'de> for Comparison {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bool::deserialize(deserializer).map(Self::equal_if)
    }
}

/// A formula over the state before the step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formula {
    /// Truth.
    True,
    /// Falsehood.
    False,
    /// Equality of two terms; a boolean variable `b` is written `b = true`.
    Equal(Term, Term),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction of any number of formulas.
    And(Vec<Formula>),
    /// Disjunction of any number of formulas.
    Or(Vec<Formula>),
    /// For all elements of the variable's type.
    Forall(IndexVariableId, Box<Formula>),
    /// For some element of the variable's type.
    Exists(IndexVariableId, Box<Formula>),
}

/// The value that an update gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// The value of a term in the state before the step.
    Term(Term),
    /// Any value of the variable's sort: the variable was made undefined. Each occurrence, for each
    /// tuple of arguments, is a choice of its own.
    Arbitrary,
    /// One value or the other. The condition has no quantifier.
    If(Formula, Box<Value>, Box<Value>),
}

/// The simultaneous, universal update of one state variable: `forall args. variable[args] := value`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Update {
    /// The variable.
    pub variable: VariableId,
    /// The bound variables, one for each index argument of the variable, from the scope.
    pub arguments: Vec<IndexVariableId>,
    /// The value. Where nothing changes it is the read of the variable at `arguments`.
    pub value: Value,
}

/// A guard and one simultaneous update: what rules and startstates have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// The name in the model, or one made up from the line; not unique.
    pub name: String,
    /// The index variables; the first `parameters` are the parameters.
    pub scope: Vec<IndexVariable>,
    /// How many variables of the scope are parameters (of a `ruleset`, witnesses, targets).
    pub parameters: u32,
    /// The guard in negation normal form, without [`Formula::Exists`]. `Forall` occurs at the top level or
    /// below `And` and `Or`.
    pub guard: Formula,
    /// At most one update for each variable, ascending by variable.
    pub updates: Vec<Update>,
    /// Where it is.
    pub origin: Origin,
}

/// A rule: a transition from any state that satisfies the guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Guard and update.
    #[serde(flatten)]
    pub transition: Transition,
    /// What tells the cases of one Murphi rule apart; empty where there is one only.
    pub case: String,
    /// Position of the Murphi rule among all rules of the source; equal for all cases of one rule. [`NO_SOURCE`] for a rule
    /// that the source does not have.
    pub source: u32,
}

impl Deref for Rule {
    type Target = Transition;

    fn deref(&self) -> &Transition {
        &self.transition
    }
}

impl DerefMut for Rule {
    fn deref_mut(&mut self) -> &mut Transition {
        &mut self.transition
    }
}

/// The source of a rule that sets a variable where a property is violated, see [`Property::bad`].
pub const NO_SOURCE: u32 = u32::MAX;

/// A set of initial states: all states that the updates give for some parameters that satisfy the guard.
///
/// The guard reads no state variable, and is nearly always [`Formula::True`]. There is exactly one update for each state
/// variable, and no value reads a state variable.
///
/// Where the execution of a startstate of the model ends at an assertion that fails, there is no state. A startstate stands for
/// it in which a variable is set that the model does not have, and all others have any value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Startstate {
    /// Guard and update.
    pub transition: Transition,
}

impl Deref for Startstate {
    type Target = Transition;

    fn deref(&self) -> &Transition {
        &self.transition
    }
}

impl DerefMut for Startstate {
    fn deref_mut(&mut self) -> &mut Transition {
        &mut self.transition
    }
}

impl Transition {
    /// The transition that is always possible and changes nothing.
    #[must_use]
    pub fn skip() -> Self {
        Self {
            name: String::new(),
            scope: Vec::new(),
            parameters: 0,
            guard: Formula::True,
            updates: Vec::new(),
            origin: Origin::default(),
        }
    }

    /// The parameters, with their names and types.
    #[must_use]
    pub fn parameters(&self) -> &[IndexVariable] {
        &self.scope[..self.parameters as usize]
    }
}

/// A property of every reachable state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    /// The name in the model, or one made up from the line.
    pub name: String,
    /// What kind of text it comes from.
    pub kind: PropertyKind,
    /// The index variables of the formula, all bound in it.
    pub scope: Vec<IndexVariable>,
    /// The property as the model states it, closed; or, where its negation is no disjunction of cubes, that a variable is
    /// never set, which rules of the system set exactly where the property is violated.
    pub formula: Formula,
    /// The negation of the formula as a disjunction of cubes, each in normal form (see [`Cube`]).
    pub bad: Vec<Cube>,
    /// Where it is.
    pub origin: Origin,
}

/// Where a property comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyKind {
    /// An `invariant` of the model.
    Invariant,
    /// An `assert` in a rule: no reachable state lets the rule reach it with a false condition.
    Assert,
    /// An `error` in a rule: no reachable state lets the rule reach it.
    Error,
}

/// A conjunction of literals over pairwise distinct index variables that are also distinct from all named
/// elements, read existentially: a set of bad states.
///
/// Normal form, made by [`Cube::normalize`] and defined with the module [`crate::cube`]: literals are strictly
/// ascending, each in normal form, and closed under equality; no two contradict each other; the variables are grouped
/// by type, ascending, and among such numberings theirs is the one that makes the sequence of literals least. A variable
/// may occur in no literal: it then asks for one more element of its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cube {
    /// The types of the index variables.
    pub variables: Vec<IndexTypeId>,
    /// The literals.
    pub literals: Vec<Literal>,
}

/// A comparison of two terms: an equation or its negation.
///
/// Normal form: `left` is a [`Term::Read`]; where `right` is a read too, `left < right`. There is no literal
/// between two index terms (decided by distinctness) or constants. Where the sort of `left` has exactly two
/// constants and no index type (a boolean), an inequation with one of them is written as the equation with the
/// other. A literal with a value outside of the sort of `left` is decided, and does not occur.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Literal<E = IndexTerm> {
    /// One side.
    pub left: Term<E>,
    /// How the sides compare.
    #[serde(rename = "equal")]
    pub comparison: Comparison,
    /// The other side.
    pub right: Term<E>,
}

impl<E> Literal<E> {
    /// The literal over other elements.
    #[must_use]
    pub fn map<F>(&self, replace: &mut impl FnMut(&E) -> F) -> Literal<F> {
        Literal { left: self.left.map(replace), comparison: self.comparison, right: self.right.map(replace) }
    }
}

impl<E: Clone> Literal<E> {
    /// The negation.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { comparison: self.comparison.negated(), ..self.clone() }
    }
}

impl System {
    /// How many rules the model has, whatever the number of their cases.
    #[must_use]
    pub fn written_rules(&self) -> usize {
        let sources = self.rules.iter().map(|rule| rule.source).filter(|&source| source != NO_SOURCE);
        sources.collect::<std::collections::BTreeSet<_>>().len()
    }

    /// The variables that the model does not have: each notes that a property is violated.
    #[must_use]
    pub fn monitors(&self) -> std::collections::BTreeSet<VariableId> {
        let rules = self.rules.iter().filter(|rule| rule.source == NO_SOURCE);
        let noted = rules.flat_map(|rule| rule.updates.iter().map(|update| update.variable));
        let starts = self.startstates.iter().filter_map(|startstate| self.noted_by(startstate));
        noted.chain(starts).collect()
    }

    /// The variable by which a startstate notes that a property is violated, where the model does not have the startstate:
    /// both have the place of the property, at which there is no startstate of the model.
    #[must_use]
    pub fn noted_by(&self, startstate: &Startstate) -> Option<VariableId> {
        let is_at = |variable: &Variable| variable.origin.line > 0 && variable.origin == startstate.origin;
        let at = self.variables.iter().position(is_at)?;
        u32::try_from(at).ok().map(VariableId)
    }

    /// The number of elements that an index type has to have for those that have a name; 0 where none has one.
    #[must_use]
    pub fn least_size(&self, index_type: IndexTypeId) -> u32 {
        let named = self.named.iter().filter(|named| named.index_type == index_type);
        named.map(|named| named.position.saturating_add(1)).max().unwrap_or(0)
    }

    /// The sort of a state variable.
    #[must_use]
    pub fn sort_of(&self, variable: VariableId) -> &Sort {
        &self.sorts[self.variables[variable.index()].sort.index()]
    }
}

impl Sort {
    /// Whether the sort is finite whatever the sizes of the index types are.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.index_types.is_empty()
    }
}
