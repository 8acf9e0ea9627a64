//! The type of what `lint --json` prints: the lowered system, as in `system/src/transition_system.rs`. Where a number stands
//! for a member of a table, such as an index type, it is the position in that table.

use schemars::JsonSchema;

use super::Finding;

/// A protocol for any number of elements of its index types, as `lint` understands the model.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lint {
    /// The version of this schema.
    pub(crate) schema: u32,
    /// What `lint` warns of.
    pub(crate) warnings: Vec<Finding>,
    /// The symmetric types. Each may have any size that is at least the number of its named elements, including 0.
    pub(crate) index_types: Vec<IndexType>,
    /// Elements of index types that the model singles out, such as `Home`.
    pub(crate) named: Vec<NamedElement>,
    /// All values that are not elements of an index type. The first two are `false` and `true`.
    pub(crate) constants: Vec<Constant>,
    /// The sets of values that state variables can have.
    pub(crate) sorts: Vec<Sort>,
    /// The flattened state variables.
    pub(crate) variables: Vec<Variable>,
    /// The rules, in source order; a Murphi rule with several cases becomes several rules.
    pub(crate) rules: Vec<Rule>,
    /// The startstates, in source order.
    pub(crate) startstates: Vec<Startstate>,
    /// The properties, in source order; assertions in rules come last.
    pub(crate) properties: Vec<Property>,
    /// The top-level assumptions, in source order. A proof is about executions all of whose states satisfy them.
    pub(crate) axioms: Option<Vec<Axiom>>,
    /// The numbers of elements of index types that are parameters of the system, or such a parameter plus a number.
    pub(crate) sizes: Option<Vec<Size>>,
    /// What a proof about the system fixes, assumes and leaves out with respect to the model.
    pub(crate) claim: Claim,
}

/// The number of elements of an index type as a state variable.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Size {
    /// The type.
    pub(crate) index_type: u32,
    /// A parameter of the system.
    pub(crate) variable: u32,
    /// What has to be added to the parameter.
    pub(crate) more: i64,
}

/// How a proof about a system relates to its model besides the properties: which values of the model it fixes, what it
/// assumes, and which statements of the model the system does not cover. The index types of the system may have any
/// size; everything listed here is as in the model.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// Constants of the model on whose values the system depends: numbers, then truth values. A constant that only
    /// determines the size of index types is not listed.
    pub(crate) constants: Vec<KeptConstant>,
    /// Ranges and scalarsets that the model indexes or loops over, and that keep the size they have in the model.
    pub(crate) finite_types: Vec<FiniteType>,
    /// `assume` statements in rules, then top-level assumptions: executions in which they fail are not considered.
    pub(crate) assumptions: Vec<Assumption>,
    /// What the model states but the system does not cover. Unless this is empty, a proof of the system's properties
    /// does not prove everything that the model states.
    pub(crate) left_out: Vec<LeftOut>,
}

/// A constant of the model on whose value the system depends.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptConstant {
    /// The name.
    pub(crate) name: String,
    /// The value, as written in the model.
    pub(crate) value: String,
    /// The first place where its value matters.
    pub(crate) origin: Origin,
}

/// A type that keeps the size it has in the model.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FiniteType {
    /// The name, or the text of the range.
    pub(crate) name: String,
    /// The number of its values.
    pub(crate) size: u64,
    /// Why its size is fixed, as a clause: `it is computed with`.
    pub(crate) reason: String,
    /// The place that gives rise to that reason.
    pub(crate) origin: Origin,
}

/// An `assume` statement in a rule, or a top-level assumption.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Assumption {
    /// Where it is.
    pub(crate) origin: Origin,
    /// What is said of a top-level assumption, which is an axiom of the system; absent for a statement.
    pub(crate) axiom: Option<AssumedAxiom>,
}

/// What a claim says of an axiom.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssumedAxiom {
    /// The name of the axiom.
    pub(crate) name: String,
    /// Whether no rule writes what it reads.
    pub(crate) immutable: bool,
}

/// Something that the model states but the system does not cover.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeftOut {
    /// The keyword: `invariant`, `assume`, `cover`, `liveness`, `assert` or `error`; or `deadlock`.
    pub(crate) kind: String,
    /// The name in the model, or one derived from the line.
    pub(crate) name: String,
    /// The stable code of the diagnostic that explains why.
    pub(crate) code: String,
    /// Why, in the words of the diagnostic.
    pub(crate) reason: String,
    /// Where it is.
    pub(crate) origin: Origin,
}

/// A symmetric type: a `scalarset`, or a range that the model uses only symmetrically.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IndexType {
    /// The name in the model, or a generated one for an anonymous type.
    pub(crate) name: String,
    /// Whether the type is a range without a name, so that `name` is generated.
    pub(crate) anonymous: Option<bool>,
    /// The number of elements according to the model's own constants.
    pub(crate) size: u32,
    /// The least integer of the type if it is a range; 1 for a scalarset.
    pub(crate) first: i64,
    /// Where the type is declared.
    pub(crate) origin: Origin,
}

/// An element of an index type with its own name. All named elements of a type are distinct.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedElement {
    /// The name, such as `Home`.
    pub(crate) name: String,
    /// Its type.
    pub(crate) index_type: u32,
    /// The position in the type, counted from 0: in an instance the element stands for the integer `first + position`.
    pub(crate) position: u32,
    /// Whether the name is generated because the model writes the element as a number.
    pub(crate) anonymous: Option<bool>,
    /// Whether a startstate chooses the element. It may be any of its type, and `position` is one of those that it may have.
    pub(crate) chosen: Option<bool>,
}

/// A value that is not an element of an index type: a boolean, an enum member or an integer.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Constant {
    /// The text of the value, such as `true`, `Empty`, `-3` or `NODE_2`. It is unique in the system.
    pub(crate) name: String,
    /// The scalarset that the value belongs to, if it is an element of a scalarset that keeps the size it has in the
    /// model. Murphi has no name for such an element.
    pub(crate) scalarset: Option<String>,
}

/// The set of values that a state variable can have: elements of index types, constants, or both (a union).
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sort {
    /// The name in the model, or a generated one.
    pub(crate) name: String,
    /// Index types whose elements belong to the sort, ascending.
    pub(crate) index_types: Vec<u32>,
    /// Constants that belong to the sort, in declaration order.
    pub(crate) constants: Vec<u32>,
    /// Set if the values are the integers, all of them. The sort then has no index type and no constant.
    pub(crate) numbers: Option<Numbers>,
}

/// The integers that a sort of numbers has in an instance. A proof covers every integer, so these bounds say only what
/// an instance explores.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Numbers {
    /// The least integer.
    pub(crate) low: i64,
    /// The greatest integer.
    pub(crate) high: i64,
}

/// A flattened state variable: a scalar for each tuple of index arguments.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variable {
    /// The path with each index argument shown as `[]`, such as `Cache[].State` or `Sta.Dir.Pending`. Where that would
    /// not be unique, the types of the arguments follow: `a[]:P`.
    pub(crate) name: String,
    /// The types of the index arguments.
    pub(crate) arguments: Vec<u32>,
    /// The set of its values.
    pub(crate) sort: u32,
    /// The path by which an instance finds the variable. No path leads to a variable by which a rule records a
    /// violation of a property.
    pub(crate) path: Vec<PathStep>,
    /// Where the variable is declared.
    pub(crate) origin: Origin,
}

/// One step from a Murphi variable to a scalar inside it. The first is always `Global`.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PathStep {
    /// A variable of the model.
    Global(String),
    /// A field of a record.
    Field(String),
    /// An element of an array whose index is not an element of an index type.
    Element(u32),
    /// An element of an array, at the index argument with this position.
    Argument(u32),
    /// The next step is into a multiset, which is represented as an array of slots, or of truth values.
    Multiset,
    /// The only step of a variable that is not in the model: the rank of an element of an ordered index type.
    Rank,
    /// The only step of a variable that is not in the model: a number with this name that rules choose.
    Number(String),
    /// The first step of a truth value that is not in the model: a variable with this name that is only set where a part of a guard
    /// holds.
    Holds(String),
    /// The only step of a variable that is not in the model: the number of elements at which this state variable has this
    /// constant as its value, or, if this is false, another one.
    Count(u32, u32, bool),
    /// Half of the parameter with the first number, plus the second number, rounded down.
    Half(u32, i64),
    /// The only step of a variable that is not in the model: what the state variable with the first number is where the argument at
    /// the second position is the element whose rank is greater by the last number.
    Next(u32, u32, i64),
}

/// A place in the model's text.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Origin {
    /// The line, counted from 1.
    pub(crate) line: u32,
    /// The column, counted from 1.
    pub(crate) column: u32,
    /// The byte offset of the first byte.
    pub(crate) start: u32,
    /// The byte offset after the last byte.
    pub(crate) end: u32,
}

/// A variable that ranges over the elements of an index type.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IndexVariable {
    /// The name, unique in its scope.
    pub(crate) name: String,
    /// The type.
    pub(crate) index_type: u32,
    /// Why the variable exists.
    pub(crate) role: Role,
}

/// Why a scope has an index variable.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
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
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IndexTerm {
    /// A variable of the scope.
    Variable(u32),
    /// A named element.
    Named(u32),
}

/// A term without conditions.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Term {
    /// A constant.
    Constant(u32),
    /// An element of an index type.
    Index(IndexTerm),
    /// The value of a state variable before the step.
    Read(u32, Vec<IndexTerm>),
    /// The number 0, to which other numbers are added where they occur.
    Zero,
}

/// Equality and its negation are the boolean that says whether the terms are equal.
#[derive(JsonSchema)]
#[serde(untagged)]
pub(crate) enum Comparison {
    Equality(bool),
    Bound(Bound),
}

/// A comparison of numbers.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bound {
    /// The left number is at most the right one plus this number.
    AtMost(i64),
    /// The left number is at least the right one plus this number.
    AtLeast(i64),
}

/// A formula over the state before the step.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Formula {
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
    Forall(u32, Box<Formula>),
    /// For some element of the variable's type.
    Exists(u32, Box<Formula>),
}

/// The value that an update assigns.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Value {
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
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Update {
    /// The variable.
    pub(crate) variable: u32,
    /// The bound variables from the scope, one for each index argument of the variable.
    pub(crate) arguments: Vec<u32>,
    /// The value. An update that changes nothing reads the variable at `arguments`.
    pub(crate) value: Value,
}

/// A guard and a simultaneous update, which rules and startstates have in common.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Transition {
    /// The name in the model, or one derived from the line. It need not be unique.
    pub(crate) name: String,
    /// The index variables; the first `parameters` are the parameters.
    pub(crate) scope: Vec<IndexVariable>,
    /// The number of variables of the scope that are parameters (of a `ruleset`, witnesses, targets).
    pub(crate) parameters: u32,
    /// The guard in negation normal form, without `Exists`. `Forall` occurs only at the top level or below
    /// `And` and `Or`.
    pub(crate) guard: Formula,
    /// At most one update for each variable, ordered by variable.
    pub(crate) updates: Vec<Update>,
    /// Where the transition is in the model.
    pub(crate) origin: Origin,
}

/// A rule: a transition from any state that satisfies the guard.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    /// The name in the model, or one derived from the line. It need not be unique.
    pub(crate) name: String,
    /// The index variables; the first `parameters` are the parameters.
    pub(crate) scope: Vec<IndexVariable>,
    /// The number of variables of the scope that are parameters (of a `ruleset`, witnesses, targets).
    pub(crate) parameters: u32,
    /// The guard in negation normal form, without `Exists`. `Forall` occurs only at the top level or below
    /// `And` and `Or`.
    pub(crate) guard: Formula,
    /// At most one update for each variable, ordered by variable.
    pub(crate) updates: Vec<Update>,
    /// Where the transition is in the model.
    pub(crate) origin: Origin,
    /// What distinguishes the cases of a Murphi rule; empty if there is only one.
    pub(crate) case: String,
    /// The position of the Murphi rule among all rules of the source, which all cases of one rule share, or
    /// 4294967295 for a rule that is not in the source.
    pub(crate) source: u32,
}

/// A set of initial states: all states that the updates give for some parameters that satisfy the guard.
#[derive(JsonSchema)]
#[serde(transparent)]
pub(crate) struct Startstate {
    pub(crate) transition: Transition,
}

/// A property that every reachable state should satisfy.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Property {
    /// The name in the model, or one derived from the line.
    pub(crate) name: String,
    /// The kind of statement it comes from.
    pub(crate) kind: PropertyKind,
    /// The index variables of the formula, all of which it binds.
    pub(crate) scope: Vec<IndexVariable>,
    /// The property as stated in the model, closed. If its negation is not a disjunction of cubes, the formula instead
    /// says that a certain variable is never set, and rules of the system set that variable exactly if the property is
    /// violated.
    pub(crate) formula: Formula,
    /// The negation of the formula as a disjunction of cubes, each in normal form (see `Cube`).
    pub(crate) bad: Vec<Cube>,
    /// Where the property is in the model.
    pub(crate) origin: Origin,
}

/// An assumption about every state: only executions all of whose states satisfy it are considered.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Axiom {
    /// The name in the model, or one derived from the line.
    pub(crate) name: String,
    /// The index variables of the formula, all of which it binds.
    pub(crate) scope: Vec<IndexVariable>,
    /// The assumption as stated in the model, closed.
    pub(crate) formula: Formula,
    /// The negation of the formula as a disjunction of cubes, each in normal form.
    pub(crate) bad: Vec<Cube>,
    /// Whether no rule writes a state variable that the formula reads, so that the assumption restricts the initial
    /// states only.
    pub(crate) immutable: bool,
    /// Where the assumption is in the model.
    pub(crate) origin: Origin,
}

/// The kind of statement that a property comes from.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PropertyKind {
    /// An `invariant` of the model.
    Invariant,
    /// An `assert` in a rule: in no reachable state does the rule reach it with a false condition.
    Assert,
    /// An `error` in a rule: in no reachable state does the rule reach it.
    Error,
}

/// A conjunction of literals over index variables that are pairwise distinct and distinct from all named elements. The
/// variables are existentially quantified, so a cube is a set of bad states.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cube {
    /// The types of the index variables.
    pub(crate) variables: Vec<u32>,
    /// The literals.
    pub(crate) literals: Vec<Literal>,
    /// The universal parts, strictly ascending.
    pub(crate) universals: Option<Vec<Universal>>,
}

/// A part of a cube that concerns all other elements: for all elements of these types that are pairwise distinct, and
/// distinct from the variables of the cube and from all named elements, at least one of the literals holds.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Universal {
    /// The types of the variables, ascending.
    pub(crate) variables: Vec<u32>,
    /// The literals, strictly ascending, each in normal form.
    pub(crate) literals: Vec<Literal>,
}

/// A comparison of two terms: an equation or its negation, or a bound of a number by another one or by 0.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Literal {
    /// The left side.
    pub(crate) left: Term,
    /// How the sides compare.
    #[serde(rename = "equal")]
    pub(crate) comparison: Comparison,
    /// The right side.
    pub(crate) right: Term,
}
