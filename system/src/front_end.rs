//! What a front-end is: how the text of a model becomes a [`System`], and how its statements are executed.
//!
//! A front-end implements one trait, [`FrontEnd`], for what it makes of a text. Everything behind it (the search, the
//! checker, the emitters, the command) uses this trait and the plain data in this module, and does not ask in which
//! language a model is written. Nothing in here does input or output, or looks at a clock.

mod declarations;
mod diagnostic;
mod exploration;
mod trace;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::{Cube, Origin, System};

pub use declarations::{Declarations, DeclaredKind, DeclaredType, DeclaredTypeId, DeclaredVariable};
pub use diagnostic::{Diagnostic, Label, Place, Severity, Span, excerpt, line_column};
pub use exploration::{
    Exploration, ExplorationFigures, Failure, InstanceSettings, Limit, Limits, Outcome, RUN_ERROR, RunError, Symmetric,
    Symmetry, Unmet,
};
pub use trace::{Change, Error, Executed, Step, Trace};

/// A model that was read: names and types are known, and it can be lowered and executed.
pub trait FrontEnd {
    /// Reads a model. Settings that the language or the model has no use for are findings.
    ///
    /// # Errors
    /// Everything that is wrong with the text and the settings.
    fn read(text: &str, settings: &Settings) -> Result<Self, Vec<Diagnostic>>
    where
        Self: Sized;

    /// The text that was read.
    fn text(&self) -> &str;

    /// The types that have a name, which are those that [`Settings::index_types`] and [`Settings::finite_types`] can name.
    fn type_names(&self) -> Vec<&str>;

    /// What is likely not as the author of the model meant it.
    fn warnings(&self) -> Vec<Diagnostic>;

    /// Lowers the model to a parameterized transition system.
    ///
    /// # Errors
    /// Everything that has no parameterized meaning. Once [`Settings::stop`] is set, errors say nothing about the model.
    fn lower(&self) -> Result<Lowered<'_>, Vec<Diagnostic>>;

    /// The types and variables as the model declares them, with the index types that lowering made of them.
    ///
    /// # Errors
    /// Those of [`FrontEnd::lower`].
    fn declarations(&self) -> Result<Declarations, Vec<Diagnostic>>;

    /// What executing an instance shows about the model beside violations; nothing where a language has no such notes.
    fn observations(&self, go_on: &dyn Fn() -> bool) -> Vec<Note> {
        let _ = go_on;
        Vec::new()
    }

    /// Makes an instance: the model with every type at a size.
    ///
    /// # Errors
    /// Where there is no such instance, see [`InstanceError`].
    fn instance(&self, settings: &InstanceSettings) -> Result<Box<dyn Instance + '_>, InstanceError>;

    /// Executes the steps of a trace again, on the instance that the trace names.
    ///
    /// # Errors
    /// The first step that is no step of that instance.
    fn replay(&self, trace: &Trace) -> Result<Executed, ReplayError>;

    /// Looks for a state that one of these invariants alone excludes, and for what goes wrong from there. That there is none
    /// proves nothing; where a language cannot look for it, there is none.
    ///
    /// # Errors
    /// Where there is no instance to look in.
    fn excluded_state(
        &self,
        invariants: &[&Cube],
        invariant: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<ExcludedState>, InstanceError> {
        let _ = (invariants, invariant, go_on);
        Ok(None)
    }

    /// Where a part of the text is.
    fn place(&self, span: Span) -> Place {
        Place::of(self.text(), span)
    }
}

/// A finite instance of a model, whose statements are executed.
pub trait Instance {
    /// Explores until all is known, something is wrong or a limit is hit. `go_on` is called now and then, and answers whether to
    /// go on.
    fn explore(&mut self, limits: &Limits, go_on: &mut dyn FnMut(&ExplorationFigures) -> bool) -> Exploration;

    /// The execution that leads to what the last exploration found wrong; none where it found nothing.
    fn trace(&self) -> Option<Executed>;

    /// The types whose elements are not permuted since something depends on their order: the name of each, and the line
    /// where it does.
    fn ordered(&self) -> Vec<(String, u32)>;
}

/// What the user wants of a reading of a model.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Values for constants of the model.
    pub constants: BTreeMap<String, Setting>,
    /// Types that shall be index types, though the front-end may not see that they can be.
    pub index_types: Vec<String>,
    /// Types that shall stay finite.
    pub finite_types: Vec<String>,
    /// When it is set, lowering gives up at its next step.
    pub stop: Option<Arc<AtomicBool>>,
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
    /// What the user may want to know about it.
    pub notes: Vec<Note>,
    /// The properties that could not be lowered. A proof of the system's properties is no proof of these.
    pub refused_properties: &'m [Diagnostic],
}

/// Something that the user may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where it is in the text, where it is somewhere.
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

/// Why a trace is no execution of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// There is no instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// There is no step.
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
    /// The rule meets an error of the model, and it is not the last step.
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
    /// How many other invariants allow the state.
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
