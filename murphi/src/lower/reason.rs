//! The reasons why something is not lowered.
//!
//! Each reason has a stable code, a message that says what prevents a parameterized meaning, and a help text. The
//! caller adds the place.

use super::classes::Blocker;
use crate::diagnostics::Diagnostic;
use crate::program::Span;
use system::IndexTypeId;

/// Something that is not lowered, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The reason.
    pub(super) reason: Reason,
    /// The place.
    pub(super) span: Span,
}

impl From<Refusal> for Diagnostic {
    fn from(refusal: Refusal) -> Self {
        let diagnostic = Self::error(refusal.reason.code(), refusal.span, refusal.reason.to_string());
        match refusal.reason.help() {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}

/// Why something is not lowered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A quantified condition or a pointer depends on the iteration of a loop over an index type.
    #[error("a quantified condition or a pointer depends on `{variable}`, over which a loop runs")]
    ChoiceInLoop {
        /// The loop's variable.
        variable: String,
        /// The domain of the loop.
        index_type: IndexTypeId,
    },
    /// An iteration reads what another one may have written.
    #[error("an iteration of this loop reads what another iteration may have written")]
    LoopCarried,
    /// The result depends on the order of the iterations.
    #[error("the value that this loop leaves in a variable depends on the order of its iterations")]
    OrderMatters,
    /// An iteration reads what an earlier one may have left undefined.
    #[error("an iteration of this loop reads what an earlier one may have left undefined")]
    UndefinedInLoop,
    /// A pointer that depends on a bound variable and may point into several types.
    #[error("an array is indexed below a quantifier by a variable whose values are of several types")]
    UnionPointerBelowQuantifier,
    /// Arithmetic with too many cases.
    #[error("{cases} cases would have to be distinguished here")]
    TooManyCases {
        /// The number of cases.
        cases: usize,
    },
    /// A rule with too many ways through it.
    #[error("{cases} ways through this rule would have to be distinguished")]
    TooManyWays {
        /// The number of ways.
        cases: usize,
    },
    /// A guard, or the failure of a property or assertion, with too many cases.
    #[error("what is asked here would have to be split into {cases} cases")]
    TooManyDisjuncts {
        /// The number of cases.
        cases: usize,
    },
    /// A property about more elements than can be distinguished.
    #[error(
        "this property is about {elements} elements at once; {} can be distinguished",
        super::normal::MOST_ELEMENTS
    )]
    TooManyElements {
        /// The number of elements.
        elements: usize,
    },
    /// What a property says about all elements has too many clauses, or concerns too many elements at once.
    #[error("what the negation of this property says about all elements has too many clauses")]
    TooManyClauses,
    /// A rule about more elements than can be distinguished.
    #[error(
        "{parameters} elements would have to be distinguished here, parameters and targets of pointers; {} can be",
        super::finish::MOST_PARAMETERS
    )]
    TooManyParameters {
        /// The number of elements.
        parameters: usize,
    },
    /// An element of an index type is used as a number.
    #[error("an element of the symmetric type `{index_type}` is used as a number")]
    IndexAsNumber {
        /// The type.
        index_type: String,
    },
    /// An `exists` below a `forall` in a guard or condition.
    #[error("a condition of a rule alternates `forall` and `exists` over symmetric types too often")]
    ExistsBelowForall,
    /// The negation of a property is not a disjunction of cubes.
    #[error("the negation of this property needs an `exists` below a `forall` over a symmetric type")]
    NotUniversal,
    /// Deadlock freedom where a guard is about all elements.
    #[error(
        "for each of its parameters, the guard of this rule is about all elements, so deadlock freedom cannot be shown"
    )]
    UniversalGuard,
    /// Deadlock freedom where a rule that changes the state may have to wait for one that does not.
    #[error(
        "rules have priorities, so one that changes the state may never fire, and deadlock freedom cannot be shown"
    )]
    Priorities,
    /// Deadlock freedom where a guard asks how many elements a multiset may have, or for an element that a loop chooses.
    #[error("what this depends on is not known in a proof for any size, and so deadlock freedom cannot be shown")]
    EitherAnswer,
    /// `clear` of a symmetric type.
    #[error("`clear` of the symmetric type `{index_type}` would single out an element")]
    ClearOfSymmetric {
        /// The type.
        index_type: String,
    },
    /// A type that has no flat form: a range that is too large.
    #[error(
        "this has no parameterized form: it involves a range with more than {} values",
        super::model::LARGEST_RANGE
    )]
    NoShape,
    /// A type that has no flat form: records and arrays with too many parts.
    #[error(
        "this has no parameterized form: a variable of its type would have more than {} parts",
        super::places::MOST_CELLS
    )]
    TooManyCells,
    /// The number of elements of a multiset.
    #[error(
        "the number of elements of a multiset is used here for more than whether there are none, some, or as many as fit"
    )]
    Multiset,
    /// Multisets within the elements of a multiset.
    #[error("a multiset whose elements have multisets has no parameterized form")]
    NestedMultiset,
    /// A position of one multiset is used in another one.
    #[error("a position is used in another multiset than that which it was chosen from")]
    OtherMultiset,
    /// Adding an undefined value to a multiset.
    #[error("an undefined value may be added to a multiset here")]
    AddsUndefined,
    /// An element is added again to a multiset whose elements are counted.
    #[error("an element may be added here that the multiset has already, and its elements are counted")]
    AddsTwice,
    /// The elements of a multiset are counted, and a rule removes or adds any number of them.
    #[error("this adds or removes any number of elements of a multiset whose elements are counted")]
    ChangesMany,
    /// A property in a `choose`.
    #[error("a property inside of `choose` has no parameterized form")]
    PropertyOfChoice,
    /// Adding to a multiset for each element of an index type.
    #[error("this adds to one multiset for each `{variable}`, over which a loop runs")]
    AddInLoop {
        /// The loop's variable.
        variable: String,
    },
    /// Recursion.
    #[error("`{function}` calls itself")]
    Recursion {
        /// The function.
        function: String,
    },
    /// A `while` loop without a recognizable bound.
    #[error("no bound on the number of iterations of this `while` was found")]
    EndlessWhile,
    /// A step that is not constant, or is 0.
    #[error("the step of a `for` must be a constant other than 0")]
    VariableStep,
    /// A quantified condition used as a value below another quantifier.
    #[error("a quantified condition is used as a value below another quantifier")]
    QuantifiedValue,
    /// A guard that changes the state.
    #[error("this guard changes the state")]
    GuardWrites,
    /// Claims that are not invariants.
    #[error("only invariants and assertions can be proven, and this is a `{kind}`")]
    NotInvariant {
        /// The keyword.
        kind: &'static str,
    },
    /// The available steps are used up.
    #[error("the effect has too many cases here to be lowered")]
    TooMuchWork,
    /// A bug in lowering: the result mentions an element that nothing binds.
    #[error("lowering this failed (a bug in `paraproof`, not in the model)")]
    Unbound,
    /// A union of truth values and other values.
    #[error("a union that has truth values among its members has no parameterized form")]
    TruthValueInUnion,
    /// A bug in lowering: type inference separated types whose values meet here.
    #[error(
        "a number is used together with an element of a symmetric type here, and the number of that element is unknown"
    )]
    Apart,
    /// A number that may be any integer is used for more than sums and comparisons.
    #[error("a number that may be any integer is used here for more than adding a constant and comparing")]
    AnyNumber,
    /// A startstate that reads a variable with any value.
    #[error("a startstate reads `{variable}`, which may have any value")]
    StartReadsAny {
        /// The variable.
        variable: String,
    },
    /// A constant that is not a number is used as one.
    #[error("`{constant}` is used as a number")]
    NoNumber {
        /// The constant.
        constant: String,
    },
}

impl Reason {
    /// All codes, in order; L017 is no longer used.
    pub const CODES: [&'static str; 28] = [
        "L001", "L002", "L003", "L004", "L005", "L006", "L007", "L008", "L009", "L010", "L011", "L012", "L013", "L014",
        "L015", "L016", "L017", "L018", "L019", "L020", "L021", "L022", "L023", "L024", "L025", "L026", "L027", "L028",
    ];

    /// Returns the stable code of the diagnostic.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ChoiceInLoop { .. } => "L001",
            Self::LoopCarried => "L002",
            Self::OrderMatters => "L003",
            Self::UndefinedInLoop => "L004",
            Self::UnionPointerBelowQuantifier => "L005",
            Self::TooManyCases { .. }
            | Self::TooManyWays { .. }
            | Self::TooManyDisjuncts { .. }
            | Self::TooManyElements { .. }
            | Self::TooManyClauses
            | Self::TooManyParameters { .. } => "L006",
            Self::IndexAsNumber { .. } => "L007",
            Self::NoNumber { .. } => "L008",
            Self::ClearOfSymmetric { .. } => "L011",
            Self::ExistsBelowForall => "L009",
            Self::NoShape | Self::TooManyCells => "L012",
            Self::Multiset
            | Self::PropertyOfChoice
            | Self::AddsUndefined
            | Self::AddsTwice
            | Self::ChangesMany
            | Self::OtherMultiset
            | Self::NestedMultiset => "L013",
            Self::Recursion { .. } => "L014",
            Self::EndlessWhile => "L015",
            Self::VariableStep => "L016",
            Self::QuantifiedValue => "L018",
            Self::GuardWrites => "L019",
            Self::NotInvariant { .. } => "L020",
            Self::NotUniversal => "L010",
            Self::UniversalGuard | Self::Priorities | Self::EitherAnswer => "L026",
            Self::TooMuchWork => "L021",
            Self::Unbound => "L022",
            Self::Apart => "L023",
            Self::TruthValueInUnion => "L024",
            Self::AddInLoop { .. } => "L025",
            Self::AnyNumber => "L027",
            Self::StartReadsAny { .. } => "L028",
        }
    }

    /// Returns how a loop over this index type causes the reason, if it does: without symmetry, it would not be
    /// refused.
    pub(super) fn blocks(&self, index_type: IndexTypeId) -> Option<Blocker> {
        match self {
            Self::LoopCarried | Self::OrderMatters | Self::UndefinedInLoop => Some(Blocker::LoopOrder),
            Self::ChoiceInLoop { index_type: over, .. } => (*over == index_type).then_some(Blocker::LoopQuestion),
            Self::UnionPointerBelowQuantifier
            | Self::TooManyCases { .. }
            | Self::TooManyWays { .. }
            | Self::TooManyDisjuncts { .. }
            | Self::TooManyElements { .. }
            | Self::TooManyClauses
            | Self::TooManyParameters { .. }
            | Self::IndexAsNumber { .. }
            | Self::ExistsBelowForall
            | Self::NotUniversal
            | Self::UniversalGuard
            | Self::Priorities
            | Self::EitherAnswer
            | Self::ClearOfSymmetric { .. }
            | Self::NoShape
            | Self::TooManyCells
            | Self::Multiset
            | Self::PropertyOfChoice
            | Self::AddsUndefined
            | Self::AddsTwice
            | Self::ChangesMany
            | Self::OtherMultiset
            | Self::NestedMultiset
            | Self::AddInLoop { .. }
            | Self::Recursion { .. }
            | Self::EndlessWhile
            | Self::VariableStep
            | Self::QuantifiedValue
            | Self::GuardWrites
            | Self::NotInvariant { .. }
            | Self::TooMuchWork
            | Self::Unbound
            | Self::Apart
            | Self::TruthValueInUnion
            | Self::AnyNumber
            | Self::StartReadsAny { .. }
            | Self::NoNumber { .. } => None,
        }
    }

    /// Returns help for fixing the model.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::ChoiceInLoop { .. } => {
                Some("evaluate the condition before the loop, or loop over a type of fixed size")
            }
            Self::LoopCarried | Self::OrderMatters | Self::UndefinedInLoop => {
                Some("let each iteration write only its own elements, or make the type finite")
            }
            Self::NotUniversal => Some(
                "let a variable hold the element of an `exists` that has a `forall` below it, and use that element; \
                 `simulate` checks the property as it is in an instance",
            ),
            Self::EitherAnswer => Some("keep what it asks for in a variable that the rules set"),
            Self::Priorities => Some("`--deadlock=stuck` only demands that a rule be enabled"),
            Self::UniversalGuard => Some(
                "let the rules keep a variable for what the guard asks about all elements, and use it in the guard",
            ),
            Self::ExistsBelowForall => Some(
                "let an array hold the element of the `exists` for each element of the `forall` around it, set it in the \
                 rules, and use its entries in place of the `exists`",
            ),
            Self::IndexAsNumber { .. } => Some("make the type finite to compute with it"),
            Self::ClearOfSymmetric { .. } => Some("assign the intended value, or `undefine` it"),
            Self::NotInvariant { kind: "liveness" } => Some("it is about executions, which are not analyzed"),
            Self::NotInvariant { .. } => Some("use `simulate` to check it in an instance"),
            Self::Unbound => Some("please report this, with the model"),
            Self::Apart => Some("keep the type finite with `--finite-type`, and please report this, with the model"),
            Self::TruthValueInUnion => Some("use an enumeration of two members in place of `boolean`"),
            Self::TooMuchWork => Some(
                "smaller ranges and fewer arrays indexed by computed numbers have fewer cases, and so has a rule for each branch \
                 of an `if` or `switch`, with its condition in the guard, in place of one rule for all",
            ),
            Self::TooManyWays { .. } => Some(
                "write a rule for each branch of its outermost `if` or `switch`, with the condition in the guard, and loop over \
                 smaller ranges",
            ),
            Self::TooManyDisjuncts { .. } => Some(
                "let a variable hold what a part of the condition says, set it in the rules, and ask for its value; an assertion \
                 has fewer cases in a rule of its own, or where fewer conditions lead to it",
            ),
            Self::TooManyElements { .. } => Some("let each property be about fewer elements"),
            Self::TooManyParameters { .. } => Some(
                "write a rule for each part of the work, about fewer elements: parameters, chosen messages, and elements that \
                 variables point to",
            ),
            Self::TooManyCases { .. } => {
                Some("smaller ranges have fewer cases, and a comparison with a constant has as many as one range")
            }
            Self::NoShape => Some("a range of which the values are only compared for equality can be a scalarset"),
            Self::TooManyCells => {
                Some("an array over a scalarset, or a range that is used like one, counts as one part")
            }
            Self::TooManyClauses => Some("split the property, or let it be about fewer elements below each `exists`"),
            Self::PropertyOfChoice => Some("say that the `multisetcount` of those elements that violate it is 0"),
            Self::Multiset => Some(
                "compare it with 0, 1 or the capacity, keep a number of your own, or count a multiset of simple values to \
                 which each one is added only if the `multisetcount` of those that are equal to it is 0",
            ),
            Self::ChangesMany => Some("add and remove a fixed number of elements, or empty the multiset"),
            Self::AddInLoop { .. } => Some("use an array of multisets, one for each element that the loop runs over"),
            Self::AnyNumber => {
                Some("a range of at most 64 values, with bounds written as numbers, can be computed with")
            }
            Self::StartReadsAny { .. } => Some(
                "write it, with a startstate in a `ruleset` for each value, or say what depends on it by an `assume` about both",
            ),
            Self::UnionPointerBelowQuantifier
            | Self::NoNumber { .. }
            | Self::AddsUndefined
            | Self::AddsTwice
            | Self::OtherMultiset
            | Self::NestedMultiset
            | Self::Recursion { .. }
            | Self::EndlessWhile
            | Self::VariableStep
            | Self::QuantifiedValue
            | Self::GuardWrites => None,
        }
    }
}
