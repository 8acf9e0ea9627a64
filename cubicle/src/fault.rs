//! What can be wrong with a `.cub` file, with stable codes.

use system::front_end::{Diagnostic, Span};
use system::similar::did_you_mean;

/// A fault in a text, or something that has no parameterized meaning here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("expected {wanted}, found {found}")]
    Unexpected { wanted: String, found: String },
    #[error("this is nested more than {limit} levels deep")]
    TooDeep { limit: u32 },
    #[error("the predicates in this formula unfold to more than {limit} parts")]
    TooLong { limit: usize },
    #[error("the character `{character}` is not part of the language")]
    UnknownCharacter { character: char },
    #[error("`{found}` is not part of the language")]
    Foreign { found: &'static str, written: &'static str },
    #[error("a process constant is `#` and a number from 1 on")]
    BadProcess,
    #[error("this comment is not closed")]
    OpenComment,
    #[error("`{name}` is declared twice")]
    DeclaredTwice { name: String },
    #[error("there is no {kind} `{name}`")]
    Undeclared { kind: &'static str, name: String },
    #[error("there is no type `{name}`")]
    UnknownType { name: String },
    #[error("`{name}` takes {wanted}, found {found}")]
    WrongCount { name: String, wanted: usize, found: usize },
    #[error("the types differ: `{left}` and `{right}`")]
    TypesDiffer { left: String, right: String },
    #[error("an index is a process variable or a process constant, and `{name}` is neither")]
    NoProcess { name: String },
    #[error("`{name}` is assigned to twice")]
    AssignedTwice { name: String },
    #[error("`{name}` is a constant and cannot be assigned to")]
    ConstantAssigned { name: String },
    #[error("only a variable without an index can become any value")]
    AnyElement,
    #[error("there is no `init`")]
    NoInit,
    #[error("there is more than one `init`")]
    SecondInit,
    #[error("the last case must be `_`")]
    NoDefault,
    #[error("`{name}` is a parameter of the transition already")]
    IndexIsParameter { name: String },
    #[error("a formula is needed here, not a term")]
    NotAFormula,
    #[error("a predicate takes terms, not formulas")]
    NotATerm,
    #[error("numbers cannot be used in this way: {reason}")]
    Number { reason: &'static str },
    #[error("processes are compared by `<` here in a way that cannot be proven about yet")]
    Order,
    #[error("`{what}` is not possible here")]
    Quantifier { what: &'static str },
    #[error("these quantifiers can be read in two ways")]
    Ambiguous,
    #[error("these initial states cannot be expressed: {reason}")]
    Initial { reason: &'static str },
    #[error("this has {count} {what}; the limit is {limit}")]
    TooMany { count: usize, what: &'static str, limit: usize },
    #[error("the abstract model is written in Murphi, which is not possible for a `.cub` file yet")]
    NoAbstractModel,
    #[error("an instance of this size is not possible: {reason}")]
    Instance { reason: &'static str },
    #[error("the setting `{name}` is not used: {reason}")]
    Setting { name: String, reason: &'static str },
    #[error("`number_procs` is ignored")]
    Hint,
    #[error("this candidate is left out: {reason}")]
    Candidate { reason: String },
}

impl Fault {
    /// Returns the stable code. A code is never reused for something else.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Unexpected { .. } => "K001",
            Self::TooDeep { .. } | Self::TooLong { .. } => "K002",
            Self::UnknownCharacter { .. } | Self::Foreign { .. } => "K003",
            Self::BadProcess => "K004",
            Self::OpenComment => "K005",
            Self::DeclaredTwice { .. } => "K006",
            Self::Undeclared { .. } => "K007",
            Self::UnknownType { .. } => "K008",
            Self::WrongCount { .. } => "K009",
            Self::TypesDiffer { .. } => "K010",
            Self::NoProcess { .. } => "K011",
            Self::AssignedTwice { .. } => "K012",
            Self::ConstantAssigned { .. } => "K013",
            Self::AnyElement => "K014",
            Self::NoInit => "K015",
            Self::SecondInit => "K016",
            Self::NoDefault => "K017",
            Self::IndexIsParameter { .. } => "K018",
            Self::NotAFormula => "K019",
            Self::NotATerm => "K020",
            Self::Number { .. } => "K021",
            Self::Order => "K022",
            Self::Quantifier { .. } => "K023",
            Self::Ambiguous => "K024",
            Self::Initial { .. } => "K025",
            Self::TooMany { .. } => "K026",
            Self::NoAbstractModel => "K027",
            Self::Instance { .. } => "K028",
            Self::Setting { .. } => "K029",
            Self::Hint => "K030",
            Self::Candidate { .. } => "K031",
        }
    }

    fn help(&self) -> Option<&'static str> {
        match self {
            Self::Unexpected { wanted, found } => unexpected_help(wanted, found),
            Self::TooDeep { .. } => Some("give the inner parts names, using predicates"),
            Self::Foreign { written, .. } => Some(written),
            Self::OpenComment => Some("a comment that starts with `(*` ends with `*)`, and comments nest"),
            Self::AssignedTwice { .. } => Some("write one `case` with all conditions"),
            Self::AnyElement => Some("assign a variable, and let it become any value in another transition"),
            Self::NoInit => Some("write `init (z) { … }`"),
            Self::NoDefault => {
                Some("end with `| _ : …`: what happens without a default is not the same in all of Cubicle")
            }
            Self::IndexIsParameter { .. } => Some("the index of a `case` denotes every process; choose another name"),
            Self::Number { .. } => Some("numbers are compared, copied, and increased or decreased"),
            Self::Order => Some(
                "parameters can be compared, but not variables, constants or initial states; `simulate` runs the model",
            ),
            Self::Quantifier { .. } => Some("another parameter says that there is such a process"),
            Self::Ambiguous => Some("write the variables as parameters, which denote different processes"),
            Self::Hint => Some("a proof holds for any number of processes; `-D proc=3` sets the number in an instance"),
            Self::Candidate { .. } => Some("the search does without it; write it as `unsafe` to hear more"),
            Self::TooLong { .. }
            | Self::UnknownCharacter { .. }
            | Self::BadProcess
            | Self::DeclaredTwice { .. }
            | Self::Undeclared { .. }
            | Self::UnknownType { .. }
            | Self::WrongCount { .. }
            | Self::TypesDiffer { .. }
            | Self::NoProcess { .. }
            | Self::ConstantAssigned { .. }
            | Self::SecondInit
            | Self::NotAFormula
            | Self::NotATerm
            | Self::Initial { .. }
            | Self::TooMany { .. }
            | Self::NoAbstractModel
            | Self::Instance { .. }
            | Self::Setting { .. } => None,
        }
    }

    /// Returns the diagnostic for this fault at a place where a known name was probably meant.
    pub(crate) fn near(&self, span: Span, meant: Option<&str>) -> Diagnostic {
        Diagnostic { help: meant.map(did_you_mean), ..self.at(span) }
    }

    /// Returns the diagnostic for this fault at a place.
    pub(crate) fn at(&self, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.code(), span, self.to_string());
        match self.help() {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}

/// Returns help for mistakes that come from other notations and older versions.
fn unexpected_help(wanted: &str, found: &str) -> Option<&'static str> {
    match found {
        "`=`" if wanted == "`:=`" => Some("an assignment is written `:=`"),
        "`and`" => Some("conjunction is written `&&`"),
        "`or`" => Some("disjunction is written `||`"),
        "`true`" if wanted.contains("term") => Some("the value is written `True`"),
        "`false`" if wanted.contains("term") => Some("the value is written `False`"),
        "`:=`" => Some("a comparison is written `=`; `:=` assigns"),
        "`require`" => Some("the guard is written `requires { … }`"),
        "`|`" if !wanted.contains("value") => Some("disjunction is written `||`"),
        _ => None,
    }
}
