//! Exploring an instance: what is asked for, and what comes out.

use crate::Origin;

/// The stable code of errors at run time, in every language.
pub const RUN_ERROR: &str = "R001";

/// Which instance is wanted.
#[derive(Clone, Debug, Default)]
pub struct InstanceSettings {
    /// The least size of each index type of the system; the model's own sizes where they are not given.
    pub sizes: Option<Vec<u64>>,
    /// Which states count as one.
    pub symmetry: Symmetry,
}

/// Which states of an instance count as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// Those that differ by a permutation of elements that the front-end finds to be symmetric.
    #[default]
    Found,
    /// Every state counts for itself.
    None,
    /// Those that differ by a permutation of these elements, whose symmetry the caller knows of.
    Given(Vec<Symmetric>),
}

/// Types in each of which a number means the same element, and whose elements may be permuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetric {
    /// The names of the types.
    pub types: Vec<String>,
    /// The numbers that keep their places.
    pub fixed: Vec<i64>,
}

/// When an exploration stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most states.
    pub max_states: u64,
    /// The most bytes for states.
    pub max_bytes: u64,
    /// The most steps from an initial state.
    pub max_depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_states: u64::MAX, max_bytes: u64::MAX, max_depth: u32::MAX }
    }
}

/// A limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Of states.
    States,
    /// Of memory.
    Memory,
    /// Of steps.
    Depth,
    /// The caller asked to stop.
    Asked,
}

/// How far an exploration came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExplorationFigures {
    /// States found.
    pub states: u64,
    /// States expanded.
    pub expanded: u64,
    /// Rules fired.
    pub rules_fired: u64,
    /// The distance of the states that are being expanded from the initial ones.
    pub depth: u32,
    /// Bytes for states.
    pub bytes: u64,
}

/// What an exploration found.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// How it ended.
    pub outcome: Outcome,
    /// States found.
    pub states: u64,
    /// Rules fired.
    pub rules_fired: u64,
    /// The greatest distance of a state from the initial states.
    pub depth: u32,
    /// How many of the expanded states enable no rule.
    pub no_rule_enabled: u64,
    /// How many of the expanded states no rule changes, those without an enabled rule included.
    pub no_rule_changes: u64,
    /// Whether states stand for all their permutations.
    pub symmetry: bool,
    /// Where they do not, since what is there fails in some orders of the elements only, if so.
    pub order_matters: Option<Origin>,
    /// The rules that did not fire, in the order of the text.
    pub silent_rules: Vec<String>,
    /// What the model states of executions.
    pub unmet: Unmet,
}

/// How an exploration ended.
#[derive(Clone, Debug)]
#[must_use]
pub enum Outcome {
    /// All reachable states were expanded, and nothing is wrong with any of them.
    Complete,
    /// Something that the model states does not hold.
    Violated(Failure),
    /// A step or a property meets an error at run time.
    Error(RunError),
    /// Not all reachable states were expanded.
    Stopped(Limit),
}

/// Something that the model states, and that does not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The name of the property or assertion.
    pub property: String,
    /// Where it is.
    pub origin: Origin,
    /// What its execution says, where it is an assertion.
    pub message: Option<String>,
}

/// An error at run time.
#[derive(Clone, Debug)]
pub struct RunError {
    /// What happened.
    pub message: String,
    /// Where it happened.
    pub origin: Origin,
    /// The rule, startstate or property that meets it.
    pub rule: String,
    /// Whether an invariant meets it, which then does not hold in a reachable state.
    pub in_invariant: bool,
    /// What may help.
    pub help: Option<String>,
}

/// What a model states of executions, where states alone do not decide it.
#[derive(Clone, Debug, Default)]
pub struct Unmet {
    /// Each condition that some state shall satisfy and that no state of the whole instance satisfies.
    pub never_covered: Vec<String>,
    /// Each such condition among statements to which no execution of the whole instance comes while it holds.
    pub never_met: Vec<String>,
    /// Each property of executions: they are not checked.
    pub not_checked: Vec<String>,
}
