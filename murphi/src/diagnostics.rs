//! The codes of what is wrong with a model.
//!
//! In: what the parser, the type checker and lowering find. Out: values that the command renders. No rendering in here.
//! Parser and type checker say what they found with the enumerations `SyntaxFault` and `TypeFault`; this module gives
//! every kind of finding its stable [`Code`]. Findings themselves are the same in every language.

pub use system::front_end::{Diagnostic, Label, Severity, line_column};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The stable codes of what the parser and the type checker find. A code is never used for something else.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The code as it is shown.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// Something else was expected.
    Unexpected = "P001",
    /// Nested too deep.
    TooDeep = "P002",
    /// An expression where a type is needed.
    NotAType = "P003",
    /// A part of the language that has no exact meaning here.
    Unsupported = "P004",
    /// A number with too many digits.
    NumberTooLarge = "P005",
    /// A comment without an end.
    OpenComment = "P006",
    /// A string without an end.
    OpenText = "P007",
    /// `a -> b -> c` and the like.
    Chained = "P008",
    /// A block without an end.
    OpenBlock = "P009",
    /// An `end` that closes nothing.
    StrayEnd = "P010",
    /// A character that is no part of Murphi.
    UnknownCharacter = "P011",
    /// A name that is a keyword.
    KeywordAsName = "P012",

    /// A setting that the model has no use for.
    UnusedSetting = "E001",
    /// A name declared twice.
    DeclaredTwice = "E002",
    /// A constant that depends on itself.
    Circular = "E003",
    /// A range without elements.
    EmptyRange = "E004",
    /// A size that no type can have.
    BadSize = "E005",
    /// An index type with records, or too many values.
    BadIndexType = "E006",
    /// A name that is no type.
    NoType = "E007",
    /// A type that is not declared.
    UnknownType = "E008",
    /// A union with a member that it cannot have.
    BadUnion = "E009",
    /// A number is needed.
    NeedsNumber = "E010",
    /// A constant is needed.
    NeedsConstant = "E011",
    /// A variable cannot run over that.
    BadDomain = "E012",
    /// A multiset is needed.
    NeedsMultiset = "E013",
    /// `undefined` where it is no value.
    UndefinedAsValue = "E015",
    /// `?:` with different types.
    BranchesDiffer = "E016",
    /// A name that is no value.
    NoValue = "E017",
    /// A name that is not declared.
    Undeclared = "E018",
    /// A field that is not there.
    NoField = "E019",
    /// Indexing what is no array.
    NoArray = "E020",
    /// An index of another type.
    WrongIndex = "E021",
    /// A procedure as a value.
    NoResult = "E022",
    /// A function that is not declared.
    UnknownFunction = "E023",
    /// A wrong number of arguments.
    WrongCount = "E024",
    /// An argument of another type.
    WrongArgument = "E025",
    /// A comparison of different types.
    Incomparable = "E026",
    /// A condition is needed.
    NeedsCondition = "E027",
    /// A place that cannot be assigned.
    NotAssignable = "E028",
    /// A value of another type.
    WrongValue = "E029",
    /// A result of another type, or none.
    WrongReturn = "E030",
    /// A recursive function.
    Recursion = "E031",
    /// Comparing records or arrays.
    CompositeCompared = "E032",
    /// A side effect where there must be none.
    SideEffect = "E033",
    /// A function without `return`.
    NoReturn = "E034",
    /// A step of 0.
    ZeroStep = "E035",
    /// A model without a startstate.
    NoStartstate = "E036",
    /// A position of a multiset that is no bound variable.
    BadPosition = "E037",
    /// A value that is not simple.
    NotSimple = "E038",
    /// A type with too many values in one.
    TooLarge = "E039",

    /// A ruleset around a startstate.
    StartstatePerValue = "W001",
    /// A name that hides another one.
    Hidden = "W002",
    /// A number that the variable can never hold.
    NeverInRange = "W003",
    /// A model without rules.
    NoRules = "W004",
    /// A state variable that nothing reads.
    NeverRead = "W005",
    /// A state variable that nothing writes.
    NeverWritten = "W006",
    /// A ruleset parameter that nothing uses.
    UnusedParameter = "W007",
    /// A function that nothing calls.
    UnusedFunction = "W008",
    /// A startstate that leaves variables undefined.
    LeftUndefined = "W009",
    /// Elements without an order, on whose order something depends.
    OrderMatters = "W010",
}
