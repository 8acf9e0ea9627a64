//! The codes of findings about a model.
//!
//! The parser and the type checker describe their findings with the enumerations `SyntaxFault` and `TypeFault`; this
//! module gives every kind of finding a stable [`Code`]. The findings themselves have the same form in every language.

pub use system::front_end::{Diagnostic, Label, Severity, line_column};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The stable codes of the parser's and type checker's findings. A code is never reused for something else.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the code as shown to the user.
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
    /// A language feature with no exact meaning here.
    Unsupported = "P004",
    /// A number with too many digits.
    NumberTooLarge = "P005",
    /// A comment without an end.
    OpenComment = "P006",
    /// A string without an end.
    OpenText = "P007",
    /// A non-associative operator that is chained, such as `a -> b -> c`.
    Chained = "P008",
    /// A block without an end.
    OpenBlock = "P009",
    /// An `end` that closes nothing.
    StrayEnd = "P010",
    /// A character that is not part of Murphi.
    UnknownCharacter = "P011",
    /// A name that is a keyword.
    KeywordAsName = "P012",

    /// A setting that the model does not use.
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
    /// A name that is not a type.
    NoType = "E007",
    /// A type that is not declared.
    UnknownType = "E008",
    /// A union with a member that is not allowed.
    BadUnion = "E009",
    /// A number is needed.
    NeedsNumber = "E010",
    /// A constant is needed.
    NeedsConstant = "E011",
    /// A type or range that a variable cannot run over.
    BadDomain = "E012",
    /// A multiset is needed.
    NeedsMultiset = "E013",
    /// `undefined` where a value is needed.
    UndefinedAsValue = "E015",
    /// `?:` with branches of different types.
    BranchesDiffer = "E016",
    /// A name that is not a value.
    NoValue = "E017",
    /// A name that is not declared.
    Undeclared = "E018",
    /// A field that does not exist.
    NoField = "E019",
    /// Indexing something that is not an array.
    NoArray = "E020",
    /// An index of the wrong type.
    WrongIndex = "E021",
    /// A procedure used as a value.
    NoResult = "E022",
    /// A function that is not declared.
    UnknownFunction = "E023",
    /// The wrong number of arguments.
    WrongCount = "E024",
    /// An argument of the wrong type.
    WrongArgument = "E025",
    /// A comparison of different types.
    Incomparable = "E026",
    /// A condition is needed.
    NeedsCondition = "E027",
    /// A place that cannot be assigned to.
    NotAssignable = "E028",
    /// A value of the wrong type.
    WrongValue = "E029",
    /// A return value of the wrong type, or a missing one.
    WrongReturn = "E030",
    /// A recursive function.
    Recursion = "E031",
    /// Comparing records or arrays.
    CompositeCompared = "E032",
    /// A side effect where none is allowed.
    SideEffect = "E033",
    /// A function without `return`.
    NoReturn = "E034",
    /// A step of 0.
    ZeroStep = "E035",
    /// A model without a startstate.
    NoStartstate = "E036",
    /// A multiset position that is not a bound variable.
    BadPosition = "E037",
    /// A value that is not simple.
    NotSimple = "E038",
    /// A type with too many values.
    TooLarge = "E039",

    /// A ruleset around a startstate.
    StartstatePerValue = "W001",
    /// A name that shadows another one.
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
    /// A dependency on the order of elements that have none.
    OrderMatters = "W010",
}
