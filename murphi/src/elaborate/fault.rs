//! Errors and warnings about the names and types of a model, and their help texts.

use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::program::Span;

/// An error, or something that is probably one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TypeFault {
    #[error("the model has no constant `{name}` that could be set to a number or truth value")]
    UnusedConstant { name: String },
    #[error("the model has no scalarset or range `{name}` that could be resized")]
    UnusedSize { name: String },
    #[error("the model has no state variable `{name}` that could have any value")]
    NoStateVariable { name: String },
    #[error("`{name}` is written by the model, so it cannot be left to have any value")]
    ArbitraryWritten { name: String },
    #[error("`{name}` cannot have any value: it has multisets, or numbers without bounds")]
    ArbitraryUnbounded { name: String },
    #[error("the constant `{name}` is {wanted}, and cannot be set to {given}")]
    WrongSetting { name: String, wanted: &'static str, given: String },
    #[error("a variable of this type would have more than {limit} parts")]
    TooLarge { limit: u64 },
    #[error("the range {first}..{last} has more than 2^62 elements")]
    WideRange { first: i64, last: i64 },
    #[error("`{name}` is declared twice in this scope")]
    DeclaredTwice { name: String },
    #[error("`{name}` is a truth value, and cannot be a member of an enumeration")]
    TruthMember { name: String },
    #[error("`{name}` is a member of two of these types")]
    MemberTwice { name: String },
    #[error("the field `{name}` is declared twice")]
    FieldTwice { name: String },
    #[error("`{name}` is declared in terms of itself")]
    Circular { name: String },
    #[error("this is nested more than {limit} levels deep")]
    TooDeep { limit: u32 },
    #[error("the range {first}..{last} is empty")]
    EmptyRange { first: i64, last: i64 },
    #[error("a {what} cannot have {size} elements")]
    BadSize { what: &'static str, size: i64 },
    #[error("an array cannot be indexed by {index}")]
    BadIndexType { index: String },
    #[error("`{name}` is not a type")]
    NoType { name: String },
    #[error("there is no type `{name}`")]
    UnknownType { name: String },
    #[error("a union can only contain enumerations, scalarsets and ranges, not {member}")]
    BadUnion { member: String },
    #[error("a number is needed here, not {found}")]
    NeedsNumber { found: String },
    #[error("this is not constant, or has no value")]
    NeedsConstant,
    #[error("a variable cannot run over {domain}")]
    BadDomain { domain: String },
    #[error("a multiset is needed here, not {found}")]
    NeedsMultiset { found: String },
    #[error("`undefined` can only be assigned or passed by value")]
    UndefinedAsValue,
    #[error("the two values differ in type: {yes} and {no}")]
    BranchesDiffer { yes: String, no: String },
    #[error("`{name}` is a type, not a value")]
    TypeAsValue { name: String },
    #[error("`{name}` is a function; its arguments are missing")]
    FunctionAsValue { name: String },
    #[error("`{name}` is not declared")]
    Undeclared { name: String },
    #[error("{place} has no fields")]
    NoFields { place: String },
    #[error("{place} has no field `{field}`")]
    NoField { place: String, field: String },
    #[error("{place} cannot be indexed: it is not an array")]
    NoArray { place: String },
    #[error("the index is {found}, but {wanted} is needed")]
    WrongIndex { found: String, wanted: String },
    #[error("the procedure `{name}` has no result")]
    NoResult { name: String },
    #[error("there is no function or procedure `{name}`")]
    UnknownFunction { name: String },
    #[error("`{name}` takes {wanted} {}, not {found}", plural(*.wanted))]
    WrongCount { name: String, wanted: usize, found: usize },
    #[error("the argument for `{parameter}` is {found}, but {wanted} is needed")]
    WrongArgument { parameter: String, found: String, wanted: String },
    #[error("the argument for the `var` parameter `{parameter}` is {found}, but exactly {wanted} is needed")]
    WrongReference { parameter: String, found: String, wanted: String },
    #[error("{left} cannot be compared with {right}")]
    Incomparable { left: String, right: String },
    #[error("a condition is needed here, not {found}")]
    NeedsCondition { found: String },
    #[error("this cannot be assigned to")]
    NoPlace,
    #[error("`{name}` cannot be assigned to: it is {what}")]
    NotAssignable { name: String, what: &'static str },
    #[error("{found} cannot be assigned to {wanted}")]
    WrongValue { found: String, wanted: String },
    #[error("the result is {found}, but {wanted} is needed")]
    WrongReturn { found: String, wanted: String },
    #[error("this function must return a value")]
    EmptyReturn,
    #[error("only a function returns a value")]
    ValueFromProcedure,
    #[error("`{name}` calls itself, directly or through others")]
    Recursion { name: String },
    #[error("{operand} cannot be compared as a whole here")]
    CompositeCompared { operand: String },
    #[error("`{function}` {effect}, which is not allowed in {site}")]
    SideEffect { function: String, effect: &'static str, site: &'static str },
    #[error("the function `{name}` never returns a value")]
    NoReturn { name: String },
    #[error("the step of a `for` cannot be 0")]
    ZeroStep,
    #[error("the model has no startstate")]
    NoStartstate,
    #[error("a position in {multiset} must be a variable bound by `choose`, `multisetcount` or `multisetremovepred`")]
    BadPosition { multiset: String },
    #[error("`isundefined` applies to a variable, field or element, but this is a computed value")]
    AlwaysDefined,
    #[error("{found} is not a simple value")]
    NotSimple { found: String },
    #[error("`liveness` is about executions, and cannot be a statement")]
    LivenessStatement,
    #[error("each value of `{parameter}` gives a separate startstate, which leaves the other elements undefined")]
    StartstatePerValue { parameter: String },
    #[error("this `{name}` shadows another one")]
    Hidden { name: String },
    #[error("{value} is not in {target}, so this is an error whenever it is executed")]
    NeverInRange { value: i64, target: String },
    #[error("the model has no rules")]
    NoRules,
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "argument" } else { "arguments" }
}

impl TypeFault {
    fn code(&self) -> Code {
        match self {
            Self::UnusedConstant { .. }
            | Self::UnusedSize { .. }
            | Self::WrongSetting { .. }
            | Self::NoStateVariable { .. }
            | Self::ArbitraryWritten { .. }
            | Self::ArbitraryUnbounded { .. } => Code::UnusedSetting,
            Self::TooLarge { .. } => Code::TooLarge,
            Self::DeclaredTwice { .. }
            | Self::FieldTwice { .. }
            | Self::TruthMember { .. }
            | Self::MemberTwice { .. } => Code::DeclaredTwice,
            Self::Circular { .. } => Code::Circular,
            Self::TooDeep { .. } => Code::TooDeep,
            Self::EmptyRange { .. } => Code::EmptyRange,
            Self::BadSize { .. } | Self::WideRange { .. } => Code::BadSize,
            Self::BadIndexType { .. } => Code::BadIndexType,
            Self::NoType { .. } => Code::NoType,
            Self::UnknownType { .. } => Code::UnknownType,
            Self::BadUnion { .. } => Code::BadUnion,
            Self::NeedsNumber { .. } => Code::NeedsNumber,
            Self::NeedsConstant => Code::NeedsConstant,
            Self::BadDomain { .. } => Code::BadDomain,
            Self::NeedsMultiset { .. } => Code::NeedsMultiset,
            Self::UndefinedAsValue => Code::UndefinedAsValue,
            Self::BranchesDiffer { .. } => Code::BranchesDiffer,
            Self::TypeAsValue { .. } | Self::FunctionAsValue { .. } => Code::NoValue,
            Self::Undeclared { .. } => Code::Undeclared,
            Self::NoFields { .. } | Self::NoField { .. } => Code::NoField,
            Self::NoArray { .. } => Code::NoArray,
            Self::WrongIndex { .. } => Code::WrongIndex,
            Self::NoResult { .. } => Code::NoResult,
            Self::UnknownFunction { .. } => Code::UnknownFunction,
            Self::WrongCount { .. } => Code::WrongCount,
            Self::WrongArgument { .. } | Self::WrongReference { .. } => Code::WrongArgument,
            Self::Incomparable { .. } => Code::Incomparable,
            Self::NeedsCondition { .. } => Code::NeedsCondition,
            Self::NoPlace | Self::NotAssignable { .. } => Code::NotAssignable,
            Self::WrongValue { .. } => Code::WrongValue,
            Self::WrongReturn { .. } | Self::EmptyReturn | Self::ValueFromProcedure => Code::WrongReturn,
            Self::Recursion { .. } => Code::Recursion,
            Self::CompositeCompared { .. } => Code::CompositeCompared,
            Self::SideEffect { .. } => Code::SideEffect,
            Self::NoReturn { .. } => Code::NoReturn,
            Self::ZeroStep => Code::ZeroStep,
            Self::NoStartstate => Code::NoStartstate,
            Self::BadPosition { .. } => Code::BadPosition,
            Self::NotSimple { .. } | Self::AlwaysDefined => Code::NotSimple,
            Self::LivenessStatement => Code::Unsupported,
            Self::StartstatePerValue { .. } => Code::StartstatePerValue,
            Self::Hidden { .. } => Code::Hidden,
            Self::NeverInRange { .. } => Code::NeverInRange,
            Self::NoRules => Code::NoRules,
        }
    }

    fn severity(&self) -> Severity {
        let code = self.code();
        let warning = matches!(code, Code::StartstatePerValue | Code::Hidden | Code::NeverInRange | Code::NoRules);
        if warning { Severity::Warning } else { Severity::Error }
    }

    /// Returns help that does not depend on the place.
    fn help(&self) -> Option<&'static str> {
        match self {
            Self::ArbitraryWritten { .. } => {
                Some("to start from any value, give the startstate a ruleset parameter, and assign that")
            }
            Self::EmptyRange { .. } => Some("a range is written `first .. last` with `first` at most `last`"),
            Self::TooLarge { .. } => Some("nested records and arrays multiply: count the values inside them"),
            Self::WideRange { .. } => Some("use the bounds that the protocol needs"),
            Self::Recursion { .. } => {
                Some("a recursive body cannot be turned into one simultaneous update; use a loop with a bound")
            }
            Self::CompositeCompared { .. } => Some("compare the values inside them one by one"),
            Self::UndefinedAsValue => Some("`isundefined(place)` tests whether a place is undefined"),
            Self::StartstatePerValue { .. } => {
                Some("to set all elements in one startstate, write `for` inside the startstate instead")
            }
            Self::LivenessStatement => Some("state it outside of rules, or use `assert`"),
            Self::NoStartstate => Some("without a startstate no state is reachable, and every property holds"),
            Self::SideEffect { .. } => Some("call it in an earlier statement, and use a local variable here"),
            _ => None,
        }
    }

    /// Returns the diagnostic for this fault at a place.
    pub(super) fn at(&self, span: Span) -> Diagnostic {
        let error = Diagnostic::error(self.code().text(), span, self.to_string());
        let diagnostic = Diagnostic { severity: self.severity(), ..error };
        match self.help() {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}
