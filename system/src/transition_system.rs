//! The parameterized transition system that every later stage works on.
//!
//! A front-end produces it; the search, the checker and the emitters read it. It is plain data and does not depend on
//! the number of elements of an index type.
//!
//! The form is that of an array-based system with simultaneous, guarded, universal updates (Ghilardi and Ranise,
//! "Backward reachability of array-based systems by SMT solving", 2010, section 3; Conchon et al., "Invariants for
//! finite instances and beyond", FMCAD 2013, section II), extended by pointers (state variables whose values are
//! elements of an index type) and by several index types.
//!
//! # Scopes
//! Each rule, startstate and property owns a table of [`IndexVariable`]s, its *scope*. An [`IndexTerm::Variable`] is a
//! position in that table. Parameters come first; variables bound by [`Formula::Forall`], [`Formula::Exists`] and
//! [`Update::arguments`] have their own positions, so that no substitution can capture them. Scope variables may denote
//! equal elements unless a formula separates them. In a [`Cube`], by contrast, the variables are pairwise distinct and
//! distinct from all named elements.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the position in the table that this id refers to.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A position in [`System::index_types`].
    IndexTypeId
);
id!(
    /// A position in [`System::named`].
    NamedId
);
id!(
    /// A position in [`System::constants`].
    ConstantId
);
id!(
    /// A position in [`System::sorts`].
    SortId
);
id!(
    /// A position in [`System::variables`].
    VariableId
);
id!(
    /// A position in [`System::rules`].
    RuleId
);
id!(
    /// A position in [`System::startstates`].
    StartstateId
);
id!(
    /// A position in [`System::properties`].
    PropertyId
);
id!(
    /// A position in the scope of a rule, startstate or property, or among the variables of a cube.
    IndexVariableId
);

/// A protocol for any number of elements of its index types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct System {
    /// The symmetric types. Each may have any size that is at least the number of its named elements, including 0.
    pub index_types: Vec<IndexType>,
    /// Elements of index types that the model singles out, such as `Home`.
    pub named: Vec<NamedElement>,
    /// All values that are not elements of an index type. The first two are `false` and `true`.
    pub constants: Vec<Constant>,
    /// The sets of values that state variables can have.
    pub sorts: Vec<Sort>,
    /// The flattened state variables.
    pub variables: Vec<Variable>,
    /// The rules, in source order; a Murphi rule with several cases becomes several rules.
    pub rules: Vec<Rule>,
    /// The startstates, in source order.
    pub startstates: Vec<Startstate>,
    /// The properties, in source order; assertions in rules come last.
    pub properties: Vec<Property>,
    /// The top-level assumptions, in source order. A proof is about executions all of whose states satisfy them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axioms: Vec<Axiom>,
    /// The numbers of elements of index types that are parameters of the system, or such a parameter plus a number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<Size>,
    /// What a proof about the system fixes, assumes and leaves out with respect to the model.
    pub claim: Claim,
}

/// The number of elements of an index type as a state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// The type.
    pub index_type: IndexTypeId,
    /// A parameter of the system.
    pub variable: VariableId,
    /// What has to be added to the parameter.
    pub more: i64,
}

/// How a proof about a system relates to its model besides the properties: which values of the model it fixes, what it
/// assumes, and which statements of the model the system does not cover. The index types of the system may have any
/// size; everything listed here is as in the model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Constants of the model on whose values the system depends: numbers, then truth values. A constant that only
    /// determines the size of index types is not listed.
    pub constants: Vec<KeptConstant>,
    /// Ranges and scalarsets that the model indexes or loops over, and that keep the size they have in the model.
    pub finite_types: Vec<FiniteType>,
    /// `assume` statements in rules, then top-level assumptions: executions in which they fail are not considered.
    pub assumptions: Vec<Assumption>,
    /// What the model states but the system does not cover. Unless this is empty, a proof of the system's properties
    /// does not prove everything that the model states.
    pub left_out: Vec<LeftOut>,
}

/// A constant of the model on whose value the system depends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptConstant {
    /// The name.
    pub name: String,
    /// The value, as written in the model.
    pub value: String,
    /// The first place where its value matters.
    pub origin: Origin,
}

/// A type that keeps the size it has in the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FiniteType {
    /// The name, or the text of the range.
    pub name: String,
    /// The number of its values.
    pub size: u64,
    /// Why its size is fixed, as a clause: `it is computed with`.
    pub reason: String,
    /// The place that gives rise to that reason.
    pub origin: Origin,
}

/// An `assume` statement in a rule, or a top-level assumption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// Where it is.
    pub origin: Origin,
    /// What is said of a top-level assumption, which is an [`Axiom`] of the system; `None` for a statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axiom: Option<AssumedAxiom>,
}

/// What a claim says of an axiom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssumedAxiom {
    /// [`Axiom::name`].
    pub name: String,
    /// [`Axiom::immutable`].
    pub immutable: bool,
}

/// Something that the model states but the system does not cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The keyword: `invariant`, `assume`, `cover`, `liveness`, `assert` or `error`; or `deadlock`.
    pub kind: String,
    /// The name in the model, or one derived from the line.
    pub name: String,
    /// The stable code of the diagnostic that explains why.
    pub code: String,
    /// Why, in the words of the diagnostic.
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
    /// The name in the model, or a generated one for an anonymous type.
    pub name: String,
    /// Whether the type is a range without a name, so that `name` is generated.
    #[serde(default, skip_serializing_if = "is_false")]
    pub anonymous: bool,
    /// The number of elements according to the model's own constants.
    pub size: u32,
    /// The least integer of the type if it is a range; 1 for a scalarset.
    pub first: i64,
    /// Where the type is declared.
    pub origin: Origin,
}

/// An element of an index type with its own name. All named elements of a type are distinct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedElement {
    /// The name, such as `Home`.
    pub name: String,
    /// Its type.
    pub index_type: IndexTypeId,
    /// The position in the type, counted from 0: in an instance the element stands for the integer `first + position`.
    pub position: u32,
    /// Whether the name is generated because the model writes the element as a number.
    #[serde(default, skip_serializing_if = "is_false")]
    pub anonymous: bool,
    /// Whether a startstate chooses the element. It may be any of its type, and `position` is one of those that it may have.
    #[serde(default, skip_serializing_if = "is_false")]
    pub chosen: bool,
}

impl System {
    /// Returns the element as written in the model.
    #[must_use]
    pub fn written_element(&self, named: NamedId) -> String {
        let element = &self.named[named.index()];
        if element.anonymous {
            return (self.index_types[element.index_type.index()].first + i64::from(element.position)).to_string();
        }
        element.name.clone()
    }

    /// Returns the type as written in the model, which for a range without a name is the range.
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

/// A value that is not an element of an index type: a boolean, an enum member or an integer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// The text of the value, such as `true`, `Empty`, `-3` or `NODE_2`. It is unique in the system.
    pub name: String,
    /// The scalarset that the value belongs to, if it is an element of a scalarset that keeps the size it has in the
    /// model. Murphi has no name for such an element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scalarset: Option<String>,
}

/// The set of values that a state variable can have: elements of index types, constants, or both (a union).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sort {
    /// The name in the model, or a generated one.
    pub name: String,
    /// Index types whose elements belong to the sort, ascending.
    pub index_types: Vec<IndexTypeId>,
    /// Constants that belong to the sort, in declaration order.
    pub constants: Vec<ConstantId>,
    /// Set if the values are the integers, all of them. The sort then has no index type and no constant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<Numbers>,
}

/// The integers that a sort of numbers has in an instance. A proof covers every integer, so these bounds say only what
/// an instance explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// The least integer.
    pub low: i64,
    /// The greatest integer.
    pub high: i64,
}

/// No literal or value of a system adds a number whose absolute value is greater, so that sums of such numbers along a
/// cycle of literals do not overflow.
pub const NUMBER_LIMIT: i64 = 1 << 40;

/// A flattened state variable: a scalar for each tuple of index arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// The path with each index argument shown as `[]`, such as `Cache[].State` or `Sta.Dir.Pending`. Where that would
    /// not be unique, the types of the arguments follow: `a[]:P`.
    pub name: String,
    /// The types of the index arguments.
    pub arguments: Vec<IndexTypeId>,
    /// The set of its values.
    pub sort: SortId,
    /// The path by which an instance finds the variable. No path leads to a variable by which a rule records a
    /// violation of a property.
    pub path: Vec<PathStep>,
    /// Where the variable is declared.
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
    /// An element of an array whose index is not an element of an index type.
    Element(ConstantId),
    /// An element of an array, at the index argument with this position.
    Argument(u32),
    /// The next step is into a multiset, which is represented as an array of slots, or of truth values.
    Multiset,
    /// The only step of a variable that is not in the model: the rank of an element of an ordered index type. See
    /// [`System::rank`].
    Rank,
    /// The only step of a variable that is not in the model: a number with this name that rules choose. See
    /// [`System::is_choice`].
    Number(String),
    /// The first step of a truth value that is not in the model: a variable with this name that is only set where a part of a
    /// guard holds, as an axiom says. It has any value at the start, and again wherever that part may have changed.
    Holds(String),
    /// The only step of a variable that is not in the model: the number of elements at which this state variable has this
    /// constant as its value, or, if this is false, another one. See [`crate::counts`].
    Count(VariableId, ConstantId, bool),
    /// The only step of a variable that is not in the model: the parameter of the system that this is, plus this number,
    /// divided by 2 and rounded down. With these, that a number is more than half of another one is a bound.
    Half(VariableId, i64),
    /// The only step of a variable that is not in the model: what this state variable is where the argument at this position
    /// is the element whose rank is greater by this number. An axiom says so, of the elements for which there is one.
    Next(VariableId, u32, i64),
}

/// A place in the model's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
    /// The byte offset of the first byte.
    pub start: u32,
    /// The byte offset after the last byte.
    pub end: u32,
}

/// A variable that ranges over the elements of an index type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexVariable {
    /// The name, unique in its scope.
    pub name: String,
    /// The type.
    pub index_type: IndexTypeId,
    /// Why the variable exists.
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
    /// The element that a pointer points to, if the model uses the pointer as an index.
    Target,
    /// An arbitrary element picked by a `for` or a choice.
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

/// A term without conditions, over elements of the kind `E`, by default those of a scope.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term<E = IndexTerm> {
    /// A constant.
    Constant(ConstantId),
    /// An element of an index type.
    Index(E),
    /// The value of a state variable before the step.
    Read(VariableId, Vec<E>),
    /// The number 0, to which other numbers are added where they occur.
    Zero,
}

impl<E> Term<E> {
    /// Returns the term with each element replaced, from left to right.
    #[must_use]
    pub fn map<F>(&self, replace: &mut impl FnMut(&E) -> F) -> Term<F> {
        match self {
            Self::Constant(constant) => Term::Constant(*constant),
            Self::Index(element) => Term::Index(replace(element)),
            Self::Read(variable, arguments) => Term::Read(*variable, arguments.iter().map(replace).collect()),
            Self::Zero => Term::Zero,
        }
    }

    /// Returns the elements that occur in the term, from left to right.
    #[must_use]
    pub fn elements(&self) -> &[E] {
        match self {
            Self::Constant(_) | Self::Zero => &[],
            Self::Index(element) => std::slice::from_ref(element),
            Self::Read(_, arguments) => arguments,
        }
    }
}

/// How two terms compare: equations and inequations are about values that are not numbers, and bounds about numbers.
///
/// Bounds are *difference constraints*: each limits the difference of two numbers by a constant. With equality and
/// arrays this is the logic of counter arithmetic with lambda expressions and uninterpreted functions (Bryant, Lahiri and
/// Seshia, "Modeling and verifying systems using a logic of counter arithmetic with lambda expressions and
/// uninterpreted functions", CAV 2002, section 2). That two numbers are equal is written as two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// They differ.
    Different,
    /// They are equal.
    Equal,
    /// The left number is at most the right one plus this number.
    AtMost(i64),
    /// The left number is at least the right one plus this number.
    AtLeast(i64),
}

impl Comparison {
    /// Returns the comparison that holds exactly if this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Different => Self::Equal,
            Self::Equal => Self::Different,
            Self::AtMost(sum) => Self::AtLeast(sum + 1),
            Self::AtLeast(sum) => Self::AtMost(sum - 1),
        }
    }

    /// Returns the comparison that holds of two terms exactly if this one holds of them in the opposite order.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Different | Self::Equal => self,
            Self::AtMost(sum) => Self::AtLeast(-sum),
            Self::AtLeast(sum) => Self::AtMost(-sum),
        }
    }

    /// Returns whether this is equality, or `None` for a bound.
    #[must_use]
    pub fn equality(self) -> Option<bool> {
        match self {
            Self::Different => Some(false),
            Self::Equal => Some(true),
            Self::AtMost(_) | Self::AtLeast(_) => None,
        }
    }

    /// Returns whether this is equality. A bound is not.
    #[must_use]
    pub fn is_equal(self) -> bool {
        self == Self::Equal
    }

    /// Returns whether this is a bound.
    #[must_use]
    pub fn is_bound(self) -> bool {
        self.equality().is_none()
    }

    /// Returns equality if `equal` is true, else its negation.
    #[must_use]
    pub fn equal_if(equal: bool) -> Self {
        if equal { Self::Equal } else { Self::Different }
    }

    /// Returns whether the comparison holds of two numbers, given the left one minus the right one.
    #[must_use]
    pub fn holds_of_numbers(self, difference: i64) -> bool {
        match self {
            Self::Different => difference != 0,
            Self::Equal => difference == 0,
            Self::AtMost(sum) => difference <= sum,
            Self::AtLeast(sum) => difference >= sum,
        }
    }

    /// Returns whether an equation or inequation holds of two values of which it is known whether they are equal, or
    /// `None` for a bound of two values that differ, since it depends on the values.
    #[must_use]
    pub fn holds(self, equal: bool) -> Option<bool> {
        match (self.equality(), equal) {
            (Some(own), _) => Some(own == equal),
            (None, true) => Some(self.holds_of_numbers(0)),
            (None, false) => None,
        }
    }
}

/// In JSON, equality and its negation are the boolean that says whether the terms are equal.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenComparison {
    Equality(bool),
    Bound(Bound),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Bound {
    AtMost(i64),
    AtLeast(i64),
}

impl Serialize for Comparison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Self::Different => WrittenComparison::Equality(false),
            Self::Equal => WrittenComparison::Equality(true),
            Self::AtMost(sum) => WrittenComparison::Bound(Bound::AtMost(*sum)),
            Self::AtLeast(sum) => WrittenComparison::Bound(Bound::AtLeast(*sum)),
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Comparison {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match WrittenComparison::deserialize(deserializer)? {
            WrittenComparison::Equality(equal) => Self::equal_if(equal),
            WrittenComparison::Bound(Bound::AtMost(sum)) => Self::AtMost(sum),
            WrittenComparison::Bound(Bound::AtLeast(sum)) => Self::AtLeast(sum),
        })
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
    /// Equality of two terms that are not numbers; a boolean variable `b` is written `b = true`.
    Equal(Term, Term),
    /// The first number is at most the second one plus a number.
    AtMost(Term, Term, i64),
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

/// The value that an update assigns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// The value of a term in the state before the step.
    Term(Term),
    /// A number of the state before the step, plus a number.
    Sum(Term, i64),
    /// Any value of the variable's sort, because the variable was made undefined. Each occurrence, for each tuple of
    /// arguments, is an independent choice.
    Arbitrary,
    /// One value if the condition holds, and another if it does not. The condition has no quantifier.
    If(Formula, Box<Value>, Box<Value>),
}

/// The simultaneous, universal update of one state variable: `forall args. variable[args] := value`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Update {
    /// The variable.
    pub variable: VariableId,
    /// The bound variables from the scope, one for each index argument of the variable.
    pub arguments: Vec<IndexVariableId>,
    /// The value. An update that changes nothing reads the variable at `arguments`.
    pub value: Value,
}

/// A guard and a simultaneous update, which rules and startstates have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// The name in the model, or one derived from the line. It need not be unique.
    pub name: String,
    /// The index variables; the first `parameters` are the parameters.
    pub scope: Vec<IndexVariable>,
    /// The number of variables of the scope that are parameters (of a `ruleset`, witnesses, targets).
    pub parameters: u32,
    /// The guard in negation normal form, without [`Formula::Exists`]. `Forall` occurs only at the top level or below
    /// `And` and `Or`.
    pub guard: Formula,
    /// At most one update for each variable, ordered by variable.
    pub updates: Vec<Update>,
    /// Where the transition is in the model.
    pub origin: Origin,
}

/// A rule: a transition from any state that satisfies the guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The guard and the update.
    #[serde(flatten)]
    pub transition: Transition,
    /// What distinguishes the cases of a Murphi rule; empty if there is only one.
    pub case: String,
    /// The position of the Murphi rule among all rules of the source, which all cases of one rule share, or
    /// [`NO_SOURCE`] for a rule that is not in the source.
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

/// The [`Rule::source`] of a rule that sets a variable when a property is violated; see [`Property::bad`].
pub const NO_SOURCE: u32 = u32::MAX;

/// A set of initial states: all states that the updates give for some parameters that satisfy the guard.
///
/// The guard reads no state variable and is nearly always [`Formula::True`]. There is exactly one update for each state
/// variable that is no parameter of the system (see [`System::is_parameter`]), and no value reads a state variable.
///
/// If a startstate of the model fails an assertion, its execution yields no state. The system then has a startstate
/// that represents this: it sets a variable that is not in the model, and gives all other variables arbitrary values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Startstate {
    /// The guard and the update.
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
    /// The transition that is always enabled and changes nothing.
    pub const SKIP: Self = Self {
        name: String::new(),
        scope: Vec::new(),
        parameters: 0,
        guard: Formula::True,
        updates: Vec::new(),
        origin: Origin { line: 0, column: 0, start: 0, end: 0 },
    };

    /// Returns the parameters with their names and types.
    #[must_use]
    pub fn parameters(&self) -> &[IndexVariable] {
        &self.scope[..self.parameters as usize]
    }
}

/// A property that every reachable state should satisfy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    /// The name in the model, or one derived from the line.
    pub name: String,
    /// The kind of statement it comes from.
    pub kind: PropertyKind,
    /// The index variables of the formula, all of which it binds.
    pub scope: Vec<IndexVariable>,
    /// The property as stated in the model, closed. If its negation is not a disjunction of cubes, the formula instead
    /// says that a certain variable is never set, and rules of the system set that variable exactly if the property is
    /// violated.
    pub formula: Formula,
    /// The negation of the formula as a disjunction of cubes, each in normal form (see [`Cube`]).
    pub bad: Vec<Cube>,
    /// Where the property is in the model.
    pub origin: Origin,
}

/// An assumption about every state: only executions all of whose states satisfy it are considered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axiom {
    /// The name in the model, or one derived from the line.
    pub name: String,
    /// The index variables of the formula, all of which it binds.
    pub scope: Vec<IndexVariable>,
    /// The assumption as stated in the model, closed.
    pub formula: Formula,
    /// The negation of the formula as a disjunction of cubes, each in normal form.
    pub bad: Vec<Cube>,
    /// Whether no rule writes a state variable that the formula reads, so that the assumption restricts the initial
    /// states only.
    pub immutable: bool,
    /// Where the assumption is in the model.
    pub origin: Origin,
}

/// The kind of statement that a property comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyKind {
    /// An `invariant` of the model.
    Invariant,
    /// An `assert` in a rule: in no reachable state does the rule reach it with a false condition.
    Assert,
    /// An `error` in a rule: in no reachable state does the rule reach it.
    Error,
}

/// A conjunction of literals over index variables that are pairwise distinct and distinct from all named elements. The
/// variables are existentially quantified, so a cube is a set of bad states.
///
/// [`Cube::normalize`] produces the normal form, which the module [`crate::cube`] defines: literals are strictly
/// ascending, each is in normal form, and they are closed under equality and do not contradict each other. The
/// variables are grouped by type in ascending order, and numbered such that the sequence of literals is the least. A
/// variable need not occur in a literal; it then requires one more element of its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cube {
    /// The types of the index variables.
    pub variables: Vec<IndexTypeId>,
    /// The literals.
    pub literals: Vec<Literal>,
    /// The universal parts, strictly ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub universals: Vec<Universal>,
}

impl Cube {
    /// Returns the cube of the states in which the index type has no element without a name.
    #[must_use]
    pub fn empty_type(index_type: IndexTypeId) -> Self {
        let nothing = Universal { variables: vec![index_type], literals: Vec::new() };
        Self { variables: Vec::new(), literals: Vec::new(), universals: vec![nothing] }
    }
}

/// A part of a cube that concerns all other elements: for all elements of these types that are pairwise distinct, and
/// distinct from the variables of the cube and from all named elements, at least one of the literals holds.
///
/// In the literals, the variables of the universal part are numbered from the number of variables of the cube. (Such
/// parts generalize the padding sets of the graph constraints of Abdulla, Delzanno and Rezine, "Parameterized
/// verification of infinite-state processes with global conditions", 2007, which say what holds of all other nodes.)
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Universal {
    /// The types of the variables, ascending.
    pub variables: Vec<IndexTypeId>,
    /// The literals, strictly ascending, each in normal form.
    pub literals: Vec<Literal>,
}

/// A comparison of two terms: an equation or its negation, or a bound of a number by another one or by 0.
///
/// In normal form, `left` is a [`Term::Read`]; if `right` is a read too, `left < right`. There are no literals between
/// two index terms (distinctness decides them) or between constants. If the sort of `left` has exactly two constants
/// and no index type (a boolean), an inequation with one of them is written as an equation with the other. A literal
/// with a value outside the sort of `left` is decided and does not occur.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Literal<E = IndexTerm> {
    /// The left side.
    pub left: Term<E>,
    /// How the sides compare.
    #[serde(rename = "equal")]
    pub comparison: Comparison,
    /// The right side.
    pub right: Term<E>,
}

impl<E> Literal<E> {
    /// Returns the literal with each element replaced.
    #[must_use]
    pub fn map<F>(&self, replace: &mut impl FnMut(&E) -> F) -> Literal<F> {
        Literal { left: self.left.map(replace), comparison: self.comparison, right: self.right.map(replace) }
    }
}

impl<E: Clone> Literal<E> {
    /// Returns the negation.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { comparison: self.comparison.negated(), ..self.clone() }
    }
}

impl System {
    /// Returns the number of rules in the model, counting a rule with several cases once.
    #[must_use]
    pub fn written_rules(&self) -> usize {
        let sources = self.rules.iter().map(|rule| rule.source).filter(|&source| source != NO_SOURCE);
        sources.collect::<std::collections::BTreeSet<_>>().len()
    }

    /// Returns the variables that are not in the model; each records the violation of a property.
    #[must_use]
    pub fn monitors(&self) -> std::collections::BTreeSet<VariableId> {
        let rules = self.rules.iter().filter(|rule| rule.source == NO_SOURCE);
        let noted = rules.flat_map(|rule| rule.updates.iter().map(|update| update.variable));
        let starts = self.startstates.iter().filter_map(|startstate| self.noted_by(startstate));
        noted.chain(starts).collect()
    }

    /// Returns the variable by which a startstate records the violation of a property, or `None` if the startstate is
    /// in the model. Both the startstate and the variable have the origin of the property, where the model has no
    /// startstate.
    #[must_use]
    pub fn noted_by(&self, startstate: &Startstate) -> Option<VariableId> {
        let is_at = |variable: &Variable| variable.origin.line > 0 && variable.origin == startstate.origin;
        let at = self.variables.iter().position(is_at)?;
        u32::try_from(at).ok().map(VariableId)
    }

    /// Returns whether an assumption or the negation of a property may be about all elements, so that something exists.
    #[must_use]
    pub fn says_that_something_exists(&self) -> bool {
        let mut bad = self.properties.iter().flat_map(|property| &property.bad);
        // Axioms about numbers alone, such as those about ranks, are facts about types.
        let is_about_state = |axiom: &Axiom| {
            let (mut other, mut repeats) = (false, false);
            axiom.formula.visit_terms(&mut |term| {
                repeats |= matches!(term, Term::Read(variable, _) if self.repeats(*variable).is_some());
                other |= matches!(term, Term::Read(variable, _) if self.sort_of(*variable).numbers.is_none());
            });
            !repeats && (other || axiom.bad.iter().any(|cube| !cube.universals.is_empty()))
        };
        self.axioms.iter().any(is_about_state) || bad.any(|cube| !cube.universals.is_empty())
    }

    /// Returns whether an axiom says where a part of a guard holds, of which a variable stands in the guard; see
    /// [`PathStep::Holds`].
    #[must_use]
    pub fn is_about_guard(&self, axiom: &Axiom) -> bool {
        let mut is_about_guard = false;
        axiom.formula.visit_terms(&mut |term| {
            is_about_guard |= matches!(term, Term::Read(variable, _)
                if matches!(self.variables[variable.index()].path.first(), Some(PathStep::Holds(_))));
        });
        is_about_guard
    }

    /// Returns the least number of elements of an index type: its named elements exist, and an axiom may say that it has
    /// an element; 0 if neither is the case.
    #[must_use]
    pub fn least_size(&self, index_type: IndexTypeId) -> u32 {
        let empty = [Cube::empty_type(index_type)];
        let inhabited = self.axioms.iter().any(|axiom| axiom.bad == empty);
        self.size_of_named(index_type).max(u32::from(inhabited))
    }

    /// Returns the least number of elements with which an index type has all of its named elements; 0 if it has none.
    #[must_use]
    pub fn size_of_named(&self, index_type: IndexTypeId) -> u32 {
        let named = self.named.iter().filter(|named| named.index_type == index_type);
        named.map(|named| named.position.saturating_add(1)).max().unwrap_or(0)
    }

    /// Returns the state variable by which the elements of an index type are ordered: the rank of each element, which no
    /// rule changes. Axioms say that different elements have different ranks, and what else is known about them. In an
    /// instance the rank of an element is its integer: `first` plus its position.
    #[must_use]
    pub fn rank(&self, index_type: IndexTypeId) -> Option<VariableId> {
        let is_rank = |own: &Variable| own.path == [PathStep::Rank] && own.arguments == [index_type];
        let at = self.variables.iter().position(is_rank)?;
        u32::try_from(at).ok().map(VariableId)
    }

    /// Returns what a state variable repeats, if it is what another one is at elements with other ranks: that one, the position
    /// of the argument, and the difference of the ranks.
    #[must_use]
    pub fn repeats(&self, variable: VariableId) -> Option<(VariableId, u32, i64)> {
        match self.variables[variable.index()].path[..] {
            [PathStep::Next(of, position, by)] => Some((of, position, by)),
            _ => None,
        }
    }

    /// Returns the names of an index type and of its size, a parameter, if neither an order nor a number of its elements relates
    /// the two: then nothing says how many elements the type has.
    #[must_use]
    pub fn uncounted_size(&self) -> Option<(&str, &str)> {
        let is_counted = |index_type| {
            self.variables.iter().any(|own| match own.path[..] {
                [PathStep::Count(of, ..)] => self.variables[of.index()].arguments.contains(&index_type),
                _ => false,
            })
        };
        let uncounted = |size: &&Size| self.rank(size.index_type).is_none() && !is_counted(size.index_type);
        let size = self.sizes.iter().find(uncounted)?;
        Some((&self.index_types[size.index_type.index()].name, &self.variables[size.variable.index()].name))
    }

    /// Returns whether a state variable is a parameter of the system: no rule and no startstate writes it, so that it has
    /// any one value during a whole execution. Ranks and symbolic sizes are parameters.
    #[must_use]
    pub fn is_parameter(&self, variable: VariableId) -> bool {
        let updates = |own: &Transition| own.update_of(variable).is_some();
        !self.rules.iter().any(|rule| updates(rule)) && !self.startstates.iter().any(|start| updates(start))
    }

    /// Makes parameters of the state variables that hold numbers, that no rule writes and that every startstate leaves
    /// arbitrary, so that what a cube says of several of them together is kept.
    pub fn make_parameters(&mut self) {
        let ids = (0..).map(VariableId).take(self.variables.len());
        let arbitrary = |start: &Startstate, id| start.update_of(id).is_none_or(|own| own.value == Value::Arbitrary);
        let is_parameter = |id: &VariableId| {
            self.sort_of(*id).numbers.is_some()
                && !self.is_choice(*id)
                && !self.is_written(*id)
                && self.startstates.iter().all(|start| arbitrary(start, *id))
        };
        let parameters: Vec<VariableId> = ids.filter(is_parameter).collect();
        for start in &mut self.startstates {
            start.transition.updates.retain(|update| !parameters.contains(&update.variable));
        }
    }

    /// Returns whether a state variable holds a number that rules choose: a parameter of a rule that is a number. It is
    /// arbitrary at the start, and arbitrary again after each rule that reads it, so that it is arbitrary in every state.
    #[must_use]
    pub fn is_choice(&self, variable: VariableId) -> bool {
        matches!(self.variables[variable.index()].path[..], [PathStep::Number(_)])
    }

    /// Returns whether some rule writes a state variable.
    #[must_use]
    pub fn is_written(&self, variable: VariableId) -> bool {
        self.rules.iter().any(|rule| rule.update_of(variable).is_some())
    }

    /// Returns whether no rule writes a state variable that the formula reads.
    #[must_use]
    pub fn is_immutable(&self, formula: &Formula) -> bool {
        let mut immutable = true;
        formula.visit_terms(&mut |term| {
            if let Term::Read(variable, _) = term {
                immutable &= !self.is_written(*variable);
            }
        });
        immutable
    }

    /// Returns the sort of a state variable.
    #[must_use]
    pub fn sort_of(&self, variable: VariableId) -> &Sort {
        &self.sorts[self.variables[variable.index()].sort.index()]
    }
}

impl Sort {
    /// Returns whether the sort is finite whatever the sizes of the index types.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.index_types.is_empty() && self.numbers.is_none()
    }
}
