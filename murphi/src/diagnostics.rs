//! Diagnostics as data: what is wrong with a model, where, and what helps.
//!
//! In: what the parser, the type checker and lowering find. Out: values that the command renders. No rendering in here.
//! Parser and type checker say what they found with the enumerations `SyntaxFault` and `TypeFault`; this module gives
//! every kind of finding its stable [`Code`].

use serde::Serialize;

use crate::program::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model is used, but likely not as its author meant it.
    Warning,
}

/// A part of the text that a diagnostic speaks about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// The part.
    pub span: Span,
    /// What is to be said about it; may be empty.
    pub text: String,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The stable code; all codes are in `docs/diagnostics.md`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// The places; the first is the main one.
    pub labels: Vec<Label>,
    /// What may help.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let label = Label { span, text: String::new() };
        Self { severity: Severity::Error, code, message: message.into(), labels: vec![label], help: None }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Adds a help line.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says something about the main place.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
        self
    }
}

/// Line and column, both from 1; columns count characters.
///
/// `offset` is a byte of `text`; one behind the end is the end.
#[must_use]
pub fn line_column(text: &str, offset: u32) -> (u32, u32) {
    let mut end = (offset as usize).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    // A character has one byte that does not go on with another one.
    let starts = |byte: &u8| byte & 0xc0 != 0x80;
    let column = before.bytes().rev().take_while(|byte| *byte != b'\n').filter(starts).count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

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
