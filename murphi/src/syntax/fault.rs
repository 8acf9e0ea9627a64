//! Syntax errors and their help texts.

use crate::diagnostics::{Code, Diagnostic};
use crate::program::Span;

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SyntaxFault {
    #[error("expected {wanted}, found {found}")]
    Unexpected { wanted: String, found: String },
    #[error("`{word}` is a keyword of Murphi and cannot be a name")]
    KeywordAsName { word: &'static str },
    #[error("this is nested more than {limit} levels deep")]
    TooDeep { limit: u32 },
    #[error("this has more than {limit} branches")]
    TooManyBranches { limit: usize },
    #[error("expected a type, found an expression")]
    NotAType,
    #[error("{what} are not supported")]
    Unsupported { what: &'static str },
    #[error("this number does not fit into 64 bits")]
    NumberTooLarge,
    #[error("this comment is not closed")]
    OpenComment,
    #[error("this string is not closed on its line")]
    OpenText,
    #[error("`{operator}` cannot be chained")]
    Chained { operator: &'static str },
    #[error("this `{block}` is not closed before {found}")]
    OpenBlock { block: &'static str, found: String },
    #[error("this `{word}` closes nothing")]
    StrayEnd { word: &'static str },
    #[error("the character `{character}` is not part of Murphi")]
    UnknownCharacter { character: char },
    #[error("{found} is not part of Murphi")]
    Foreign { found: String, written: &'static str },
}

impl SyntaxFault {
    fn code(&self) -> Code {
        match self {
            Self::Unexpected { .. } => Code::Unexpected,
            Self::KeywordAsName { .. } => Code::KeywordAsName,
            Self::TooDeep { .. } | Self::TooManyBranches { .. } => Code::TooDeep,
            Self::NotAType => Code::NotAType,
            Self::Unsupported { .. } => Code::Unsupported,
            Self::NumberTooLarge => Code::NumberTooLarge,
            Self::OpenComment => Code::OpenComment,
            Self::OpenText => Code::OpenText,
            Self::Chained { .. } => Code::Chained,
            Self::OpenBlock { .. } => Code::OpenBlock,
            Self::StrayEnd { .. } => Code::StrayEnd,
            Self::UnknownCharacter { .. } | Self::Foreign { .. } => Code::UnknownCharacter,
        }
    }

    fn help(&self) -> Option<&'static str> {
        match self {
            Self::Unexpected { wanted, found } => unexpected_help(wanted, found),
            Self::Foreign { written, .. } => Some(written),
            Self::NotAType => Some("a range is written `first .. last`"),
            Self::Chained { .. } => Some("use parentheses to group the operands"),
            Self::OpenBlock { .. } => Some("each block ends with `end` (or `endif`, `endrule`, and so on)"),
            Self::OpenComment => Some("a comment that starts with `/*` ends with `*/`"),
            Self::Unsupported { .. } => Some("models only have booleans, enumerations, integers and symmetric types"),
            Self::KeywordAsName { .. } => Some("keywords are recognized regardless of case; choose another name"),
            Self::TooDeep { .. } => Some("give the inner parts names, using functions or aliases"),
            Self::TooManyBranches { .. } => Some("move parts of it into procedures"),
            Self::NumberTooLarge | Self::OpenText | Self::StrayEnd { .. } | Self::UnknownCharacter { .. } => None,
        }
    }

    /// Returns the diagnostic for this error at a place.
    pub(super) fn at(&self, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.code().text(), span, self.to_string());
        match self.help() {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}

/// What a name of a rule lacks.
pub(super) const UNQUOTED: &str = "a name in quotes";

/// Returns help for mistakes that come from other languages.
fn unexpected_help(wanted: &str, found: &str) -> Option<&'static str> {
    match found {
        _ if wanted == UNQUOTED => {
            Some("the names of rules, startstates and properties are strings, as in `rule \"Enter\"`")
        }
        "`:=`" if wanted == "`;`" => Some("an element of an array has its index in brackets, as in `a[i] := x`"),
        "`:=`" => Some("a comparison is written `=`; `:=` assigns"),
        "`=`" if wanted.contains("`:=`") => Some("an assignment is written `:=`"),
        "`and`" => Some("conjunction is written `&`"),
        "`or`" => Some("disjunction is written `|`"),
        "`not`" => Some("negation is written `!`"),
        "`==>`" if wanted == "an expression" => Some("the guard comes before `==>`"),
        _ => None,
    }
}
