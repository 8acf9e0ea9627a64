//! From a system to a verdict, without settings.
//!
//! In: a system and limits. Out: a certificate; or a path to a violation, on an instance; or the reason why neither was
//! found. The instance that serves as oracle starts small, and grows where the search does not end.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use certificate::proof::Certificate;
use system::System;
use system::{IndexTypeId, PropertyId, RuleId, StartstateId};

use crate::brab::{Bounds, Figures, Stop};
use crate::certify::Header;
use crate::discover::{Discovery, Failure, Refusal, discover, refusal};
use crate::literal::Space;
use crate::oracle::{self, Effort, FiniteSystem, Path, Table};

/// Limits and wishes of the user.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most states that an instance may have.
    pub max_states: Option<usize>,
    /// How long the whole may take.
    pub timeout: Option<Duration>,
    /// The number of elements for index types, by name, where the user wants it fixed.
    pub sizes: Vec<(String, u32)>,
}

/// How a proof attempt ended.
#[derive(Clone, Debug)]
#[must_use]
pub enum Verdict {
    /// All properties hold, whatever the sizes of the index types.
    Proven(Box<Certificate>),
    /// A property is violated on an instance of the lowered system.
    Violated(Violation),
    /// Neither was found.
    Inconclusive(Reason),
}

/// A path to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The property.
    pub property: PropertyId,
    /// The number of elements for each index type.
    pub sizes: Vec<u32>,
    /// The startstate and the elements of its parameters, counted from 0.
    pub start: (StartstateId, Vec<u8>),
    /// The rules and the elements of their parameters, counted from 0.
    pub steps: Vec<(RuleId, Vec<u8>)>,
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Pre-images lead to an initial state, but no instance that was explored violates the property.
    #[error("pre-images of the property lead to an initial state by {} steps, but no explored instance violates it", rules.len())]
    Unconfirmed {
        /// The property.
        property: PropertyId,
        /// The rules, first to last.
        rules: Vec<RuleId>,
    },
    /// The search was stopped.
    #[error("the search was stopped: {}", stop_text(*.0))]
    Stopped(Stop),
    /// The invariants that were found do not meet an obligation.
    #[error("the invariants that were found do not meet an obligation")]
    Unmet(Failure),
    /// The search cannot hold the system.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The system has no property.
    #[error("the model states no property")]
    NoProperty,
}

fn stop_text(stop: Stop) -> &'static str {
    match stop {
        Stop::Cubes => "too many cubes were visited",
        Stop::Elements => "a cube needs more elements than the instance has",
        Stop::Branches => "a pre-image has too many cases",
        Stop::Interrupted => "the time is up, or the user interrupted it",
    }
}

/// What the attempt did.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The sizes of the instance that served as oracle at the end.
    pub sizes: Vec<u32>,
    /// How many states of it were known.
    pub states: usize,
    /// Whether these were all.
    pub complete: bool,
    /// Figures of the last search.
    pub figures: Figures,
    /// Whether every invariant that the proof may do without was tried to be dropped.
    pub minimized: bool,
    /// Seconds for exploring instances, and for searching.
    pub explored_seconds: f64,
    /// Seconds for backward reachability and causal relations.
    pub search_seconds: f64,
}

/// A stage of the attempt, for progress reports.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// An instance with these sizes is explored.
    Exploring(&'a [u32]),
    /// The search goes on.
    Searching(&'a Figures),
    /// The search has closed, and arguments for the invariants that are needed are looked for.
    Arguing {
        /// Invariants that have their arguments.
        done: usize,
        /// Invariants that are known to be needed.
        needed: usize,
    },
    /// There is a proof, and invariants that it can do without are dropped. Where the answer is not to go on, the others
    /// stay.
    Minimizing {
        /// Invariants that were tried.
        done: usize,
        /// Invariants that may be dropped.
        of: usize,
    },
}

/// One rung of the ladder of efforts.
struct Rung {
    /// Elements of each index type besides the named ones.
    others: u32,
    /// The most symbols of such a type in a cube.
    symbols: usize,
    breadth: usize,
    walked: usize,
    cubes: usize,
}

/// Small efforts come first: few elements with many symbols, then, for protocols such as queue locks whose cubes would grow
/// without end, more elements than symbols. Where what is true of few elements is not true of more, as with consensus, a
/// part of a larger instance tells more than all of a small one.
const LADDER: [Rung; 11] = [
    Rung { others: 2, symbols: 3, breadth: 1_500, walked: 500, cubes: 300 },
    Rung { others: 3, symbols: 2, breadth: 3_000, walked: 1_000, cubes: 300 },
    Rung { others: 3, symbols: 3, breadth: 10_000, walked: 5_000, cubes: 800 },
    Rung { others: 4, symbols: 3, breadth: 60_000, walked: 20_000, cubes: 300 },
    Rung { others: 5, symbols: 4, breadth: 20_000, walked: 20_000, cubes: 800 },
    Rung { others: 3, symbols: 2, breadth: 20_000, walked: 20_000, cubes: 2_000 },
    Rung { others: 2, symbols: 3, breadth: 20_000, walked: 20_000, cubes: 2_000 },
    Rung { others: 2, symbols: 3, breadth: 60_000, walked: 140_000, cubes: 4_000 },
    Rung { others: 3, symbols: 3, breadth: 60_000, walked: 240_000, cubes: 6_000 },
    Rung { others: 3, symbols: 4, breadth: 250_000, walked: 450_000, cubes: 20_000 },
    Rung { others: 4, symbols: 5, breadth: 500_000, walked: 500_000, cubes: 50_000 },
];

/// Elements of a type that indexes no state variable, such as data: two tell equal from different.
const DATA_ELEMENTS: u32 = 2;

/// Proves the properties of a system for any sizes, or finds a violation.
///
/// `proceed` is called often; it answers whether to go on. Where it says no there is no proof, unless there was one already:
/// see [`Stage::Minimizing`].
pub fn prove(
    system: &System,
    header: &Header,
    limits: &Limits,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
) -> (Verdict, Account) {
    let mut account = Account::default();
    if let Some(refusal) = refusal(system) {
        return (Verdict::Inconclusive(refusal.into()), account);
    }
    if system.properties.is_empty() {
        return (Verdict::Inconclusive(Reason::NoProperty), account);
    }
    let until = limits.timeout.map(|timeout| Instant::now() + timeout);
    let proceed = &mut |stage: Stage<'_>| proceed(stage) && until.is_none_or(|until| Instant::now() < until);
    let mut last = Reason::Stopped(Stop::Interrupted);
    let mut smaller = smaller(system, limits);
    for rung in &LADDER {
        let sizes = sizes(system, limits, rung.others);
        if !proceed(Stage::Exploring(&sizes)) {
            break;
        }
        match attempt(system, header, limits, rung, &sizes, proceed, &mut account) {
            Attempt::End(verdict) => return (verdict, account),
            Attempt::More(reason) => last = reason,
        }
        // Once is enough, and only where something leads to an initial state.
        if matches!(last, Reason::Unconfirmed { .. }) {
            for sizes in std::mem::take(&mut smaller) {
                if let Some(violation) = violated(system, limits, &sizes, proceed, &mut account) {
                    return (Verdict::Violated(violation), account);
                }
            }
        }
    }
    (Verdict::Inconclusive(last), account)
}

/// The sizes of instances below the ladder: what is violated where an element has no other one may be true of all larger instances.
fn smaller(system: &System, limits: &Limits) -> BTreeSet<Vec<u32>> {
    let (usual, one) = (sizes(system, limits, LADDER[0].others), sizes(system, limits, 1));
    let mut all = BTreeSet::from([sizes(system, limits, 0), one.clone()]);
    for (number, &size) in one.iter().enumerate() {
        let mut sizes = usual.clone();
        sizes[number] = size;
        all.insert(sizes);
    }
    all.retain(|sizes| *sizes != usual);
    all
}

/// A violation of an instance, where there is one among its first states.
fn violated(
    system: &System,
    limits: &Limits,
    sizes: &[u32],
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
    account: &mut Account,
) -> Option<Violation> {
    let machine = FiniteSystem::new(system, sizes).ok()?;
    let breadth = LADDER[0].breadth.min(limits.max_states.unwrap_or(usize::MAX));
    let effort = Effort { breadth, walked: 0, length: 0 };
    let started = Instant::now();
    let reached = oracle::explore(&machine, effort, &mut || proceed(Stage::Exploring(sizes)));
    account.explored_seconds += started.elapsed().as_secs_f64();
    let violation = violation(reached.violation?, sizes);
    (account.sizes, account.complete, account.states) = (sizes.to_vec(), reached.complete, reached.states.len());
    Some(violation)
}

enum Attempt {
    End(Verdict),
    More(Reason),
}

fn attempt(
    system: &System,
    header: &Header,
    limits: &Limits,
    rung: &Rung,
    sizes: &[u32],
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
    account: &mut Account,
) -> Attempt {
    let machine = match FiniteSystem::new(system, sizes) {
        Ok(machine) => machine,
        Err(refusal) => return Attempt::End(Verdict::Inconclusive(refusal.into())),
    };
    let most = limits.max_states.unwrap_or(usize::MAX);
    let breadth = rung.breadth.min(most);
    let effort = Effort { breadth, walked: rung.walked.min(most - breadth), length: 200 };
    let started = Instant::now();
    let reached = oracle::explore(&machine, effort, &mut || proceed(Stage::Exploring(sizes)));
    account.explored_seconds += started.elapsed().as_secs_f64();
    account.sizes = sizes.to_vec();
    account.complete = reached.complete;
    account.states = reached.states.len();
    if let Some(path) = reached.violation {
        return Attempt::End(Verdict::Violated(violation(path, sizes)));
    }
    let space = Space::new(system);
    let table = Table::new(&machine, &space, reached.states, most);
    let started = Instant::now();
    let bounds = Bounds { cubes: rung.cubes, symbols: symbols(system, rung.symbols) };
    let (discovery, figures) = discover(system, &space, &table, header.clone(), bounds, proceed);
    account.search_seconds += started.elapsed().as_secs_f64();
    account.states = table.len();
    account.figures = figures;
    match discovery {
        Discovery::Proven(certificate, minimized) => {
            account.minimized = minimized;
            Attempt::End(Verdict::Proven(certificate))
        }
        Discovery::Chain { property, rules } => Attempt::More(Reason::Unconfirmed { property, rules }),
        Discovery::Stopped(Stop::Interrupted) => {
            Attempt::End(Verdict::Inconclusive(Reason::Stopped(Stop::Interrupted)))
        }
        Discovery::Stopped(stop) => Attempt::More(Reason::Stopped(stop)),
        Discovery::Unmet(failure) => Attempt::More(Reason::Unmet(failure)),
    }
}

fn violation(path: Path, sizes: &[u32]) -> Violation {
    Violation { property: path.property, sizes: sizes.to_vec(), start: path.start, steps: path.steps }
}

/// The sizes of an instance: the named elements and some others, or what the user fixed.
fn sizes(system: &System, limits: &Limits, others: u32) -> Vec<u32> {
    (0..)
        .zip(&system.index_types)
        .map(|(number, entry)| {
            let fixed = limits.sizes.iter().find(|(name, _)| *name == entry.name).map(|(_, size)| *size);
            let named = system.named.iter().filter(|named| named.index_type == IndexTypeId(number));
            let reserved = named.map(|named| named.position + 1).max().unwrap_or(0);
            let others = if is_data(system, IndexTypeId(number)) { others.min(DATA_ELEMENTS) } else { others };
            fixed.unwrap_or(reserved + others)
        })
        .collect()
}

/// For each index type, the most symbols of a cube. Data are not counted.
fn symbols(system: &System, most: usize) -> Vec<usize> {
    let types = (0..).map(IndexTypeId).take(system.index_types.len());
    types.map(|index_type| if is_data(system, index_type) { usize::MAX } else { most }).collect()
}

/// Whether the type indexes no state variable.
fn is_data(system: &System, index_type: IndexTypeId) -> bool {
    !system.variables.iter().any(|entry| entry.arguments.contains(&index_type))
}
