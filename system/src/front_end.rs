//! Front-ends: how the text of a model becomes a [`System`], and how its statements are executed.
//!
//! A front-end implements the trait [`FrontEnd`]. The search, the checker, the emitters and the command use this trait
//! and the plain data in this module, and do not depend on the language of a model. Nothing here performs input or
//! output, or reads a clock.

mod declarations;
mod diagnostic;
mod exploration;
mod trace;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::notation::Language;
use crate::source::{NotCovered, SourceProgram};
use crate::{Cube, Origin, System};

pub use declarations::{Declarations, DeclaredKind, DeclaredType, DeclaredTypeId, DeclaredVariable};
pub use diagnostic::{Diagnostic, Label, Place, Replacement, Severity, Span, excerpt, line_column};
pub use exploration::{
    Exploration, ExplorationFigures, Failure, InstanceSettings, Limit, Limits, Outcome, RUN_ERROR, RunError, Symmetric,
    Symmetry, Unmet,
};
pub use trace::{Change, Error, Executed, Step, Trace};

/// A model that was read: names and types are known, and it can be lowered and executed.
pub trait FrontEnd {
    /// Reads a model. A setting without a use in the language or the model is a finding.
    ///
    /// # Errors
    /// Returns all findings that prevent the use of the model.
    fn read(text: &str, settings: &Settings) -> Result<Self, Vec<Diagnostic>>
    where
        Self: Sized;

    /// The text that was read.
    fn text(&self) -> &str;

    /// The language in whose signs invariants of the model are written.
    fn language(&self) -> Language;

    /// Returns the named types, which [`Settings::index_types`] and [`Settings::finite_types`] may refer to.
    fn type_names(&self) -> Vec<&str>;

    /// Returns warnings: what the author of the model probably did not intend.
    fn warnings(&self) -> Vec<Diagnostic>;

    /// Lowers the model to a parameterized transition system.
    ///
    /// # Errors
    /// Returns everything without a parameterized meaning. Once [`Settings::stop`] is set, errors say nothing about the
    /// model.
    fn lower(&self) -> Result<Lowered<'_>, Vec<Diagnostic>>;

    /// Returns the declared types and variables, with the index types that lowering made of them.
    ///
    /// # Errors
    /// Returns the errors of [`FrontEnd::lower`].
    fn declarations(&self) -> Result<Declarations, Vec<Diagnostic>>;

    /// Returns observations from executing an instance, other than violations. The default has none.
    fn observations(&self, go_on: &dyn Fn() -> bool) -> Vec<Note> {
        let _ = go_on;
        Vec::new()
    }

    /// Creates an instance: the model with a size for every type.
    ///
    /// # Errors
    /// Returns an error if there is no such instance; see [`InstanceError`].
    fn instance(&self, settings: &InstanceSettings) -> Result<Box<dyn Instance + '_>, InstanceError>;

    /// Executes the steps of a trace again, on the instance that the trace names.
    ///
    /// # Errors
    /// Returns an error for the first step that is not possible in that instance.
    fn replay(&self, trace: &Trace) -> Result<Executed, ReplayError>;

    /// Searches for a state that only the given invariant excludes, and for a run from there to a violation. Finding none
    /// proves nothing; the default finds none.
    ///
    /// # Errors
    /// Returns an error if there is no instance to search.
    fn excluded_state(
        &self,
        invariants: &[&Cube],
        invariant: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<ExcludedState>, InstanceError> {
        let _ = (invariants, invariant, go_on);
        Ok(None)
    }

    /// Returns the model as a program in HOL, made from its text without lowering. Constants whose values matter to what
    /// is proven are as in the model. The default covers nothing.
    ///
    /// # Errors
    /// Returns the first form that the theory of such programs does not cover.
    fn source_program(&self) -> Result<SourceProgram, NotCovered> {
        Err(NotCovered { what: "this language".to_owned(), origin: Origin::default() })
    }

    /// Returns the place of a part of the text.
    fn place(&self, span: Span) -> Place {
        Place::of(self.text(), span)
    }
}

/// A finite instance of a model, whose statements are executed.
pub trait Instance {
    /// Explores until all states are known, a violation or error is found, or a limit is reached. Calls `go_on` regularly,
    /// and stops if it returns `false`.
    fn explore(&mut self, limits: &Limits, go_on: &mut dyn FnMut(&ExplorationFigures) -> bool) -> Exploration;

    /// Returns the execution that leads to the violation or error of the last exploration, if it found one.
    fn trace(&self) -> Option<Executed>;

    /// Returns the types whose elements are not permuted because something depends on their order: the name of each, and
    /// the line of the first such place.
    fn ordered(&self) -> Vec<(String, u32)>;
}

/// How to read a model.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Values for constants of the model.
    pub constants: BTreeMap<String, Setting>,
    /// Types that must become index types, even if the front-end would not choose so.
    pub index_types: Vec<String>,
    /// Types that must stay finite.
    pub finite_types: Vec<String>,
    /// Whether numbers, and the constants that are used as values, must stay as they are in the model; see
    /// [`Lowered::free_numbers`].
    pub finite_numbers: bool,
    /// Whether the system has the property that it is never in a deadlock, and an instance reports a deadlock as a
    /// violation.
    pub deadlock: Option<Deadlock>,
    /// State variables that nothing writes, and that have any value in the initial states.
    pub arbitrary: Vec<String>,
    /// Whether undefined is unequal to every value, so that a comparison with it is no error.
    pub undefined_is_unequal: bool,
    /// Once it is set, lowering stops at its next step.
    pub stop: Option<Arc<AtomicBool>>,
}

/// What counts as a deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlock {
    /// No rule is enabled.
    Stuck,
    /// No enabled rule changes the state, as in CMurphi.
    Stuttering,
}

impl Deadlock {
    /// The name of the property that there is none.
    pub const PROPERTY: &'static str = "no deadlock";
}

/// The value of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A number.
    Number(i64),
    /// A truth value.
    Truth(bool),
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Truth(truth) => truth.fmt(formatter),
        }
    }
}

/// What lowering made of a model.
#[derive(Clone, Debug)]
pub struct Lowered<'m> {
    /// The system, with the properties that could be lowered.
    pub system: &'m System,
    /// Notes for the user.
    pub notes: Vec<Note>,
    /// The properties that could not be lowered. A proof of the system's properties does not prove these.
    pub refused_properties: &'m [Diagnostic],
    /// Whether numbers may have more values in the system than in the model, so that it is about all sizes of their ranges.
    /// [`Settings::finite_numbers`] prevents it.
    pub free_numbers: bool,
    /// Cubes that the model offers as negations of invariants. They claim nothing.
    pub candidates: &'m [Cube],
}

/// A note for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its place in the text, if it has one.
    pub origin: Option<Origin>,
    /// One sentence without a full stop.
    pub text: String,
}

/// Why there is no instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstanceError {
    /// The model does not fit into an instance.
    #[error("{}", .0.message)]
    Refused(Diagnostic),
    /// Nothing in the model sets these sizes.
    #[error("nothing in the model sets these sizes")]
    NoSuchSizes,
}

/// Why a trace is not an execution of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// There is no instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The trace has no steps.
    #[error("the trace is empty")]
    Empty,
    /// There is no such startstate or rule.
    #[error("step {step}: the instance has no `{rule}` with these parameters")]
    Unknown {
        /// The position, from 0.
        step: usize,
        /// The name.
        rule: String,
    },
    /// The rule is not enabled.
    #[error("step {step}: the rule `{rule}` is not enabled")]
    NotEnabled {
        /// The position, from 0.
        step: usize,
        /// The name.
        rule: String,
    },
    /// The rule has a run-time error, and it is not the last step.
    #[error("step {step}: the rule `{rule}` meets an error: {message}")]
    Fault {
        /// The position, from 0.
        step: usize,
        /// The name.
        rule: String,
        /// The error.
        message: String,
    },
}

/// A state that satisfies all invariants but one, and what goes wrong from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedState {
    /// The sizes of the instance.
    pub sizes: Vec<(String, u64)>,
    /// What differs from the initial state, as `x = 1`, and whether it also differs from the reachable state next to it.
    pub state: Vec<(String, bool)>,
    /// The rules from there, each with its parameters and what it changes.
    pub steps: Vec<Step>,
    /// What is wrong at the end.
    pub ending: ExcludedEnding,
    /// The number of other invariants, all of which allow the state.
    pub others: usize,
}

/// What is wrong after the steps from an excluded state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExcludedEnding {
    /// The rule meets an error.
    Error,
    /// A property of the model does not hold.
    Property(String),
    /// Another invariant does not hold.
    Invariant(usize),
}
