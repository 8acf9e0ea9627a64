//! The way from a system to a verdict, without settings.
//!
//! The verdict comes with a certificate, with a path to a violation on an instance, or with the reason why neither was
//! found. The instance that serves as the oracle starts small and grows if the search does not succeed.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use certificate::proof::Certificate;
use system::System;
use system::scope::counted;
use system::{Cube, Formula, IndexTypeId, PropertyId, Rule, RuleId, StartstateId, Variable, VariableId};

use crate::approx::Weakening;
use crate::brab::{Bounds, Figures, Mode, Stop};
use crate::certify::{Candidates, Header, Spare, Unfinished, certify_candidates};
use crate::discover::{Discovery, Failure, Refusal, discover, refusal};
use crate::literal::{Conj, Space};
use crate::oracle::{self, Effort, FiniteSystem, Path, Reached, Table};
use crate::predicates;

/// Limits set by the user.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The maximum number of states of an instance.
    pub max_states: Option<usize>,
    /// The time limit for the whole attempt.
    pub timeout: Option<Duration>,
    /// The number of elements of index types, by name, for which the user fixed it.
    pub sizes: Vec<(String, u32)>,
}

/// How a proof attempt ended.
#[derive(Clone, Debug)]
#[must_use]
pub enum Verdict {
    /// All properties hold for any sizes of the index types.
    Proven(Box<Certificate>),
    /// A property is violated on an instance of the lowered system.
    Violated(Violation),
    /// Neither a proof nor a violation was found.
    Inconclusive(Reason),
}

/// A path to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The property that is violated.
    pub property: PropertyId,
    /// The number of elements of each index type.
    pub sizes: Vec<u32>,
    /// The startstate and the elements of its parameters, counted from 0.
    pub start: (StartstateId, Vec<u8>),
    /// The rules and the elements of their parameters, counted from 0.
    pub steps: Vec<(RuleId, Vec<u8>)>,
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Pre-images lead to an initial state, but no explored instance violates the property.
    #[error(
        "pre-images of the property's negation reach an initial state in {}, but no explored instance violates the property",
        counted(rules.len(), "step", "steps")
    )]
    Unconfirmed {
        /// The property.
        property: PropertyId,
        /// The rules, from first to last.
        rules: Vec<RuleId>,
    },
    /// The search was stopped.
    #[error("the search was stopped: {}", stop_text(*.0))]
    Stopped(Stop),
    /// The invariants that were found do not meet an obligation.
    #[error("the invariants that were found do not meet an obligation")]
    Unmet(Failure),
    /// The inductive ones among the combinations of indexed predicates do not imply the properties.
    #[error("the inductive combinations of indexed predicates do not imply the properties")]
    Candidates,
    /// The search cannot handle the system.
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
        Stop::Interrupted => "the time limit was reached or the user interrupted it",
    }
}

/// What a proof attempt did.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The sizes of the last instance that served as the oracle.
    pub sizes: Vec<u32>,
    /// The number of known states of that instance.
    pub states: usize,
    /// Whether these were all of its states.
    pub complete: bool,
    /// Statistics of the last search.
    pub figures: Figures,
    /// Whether the candidates alone were a proof, so that there was no search.
    pub by_candidates: bool,
    /// Whether it was tried for every invariant whether the proof can do without it. That is not done for candidates.
    pub minimized: bool,
    /// The time spent exploring instances, in seconds.
    pub explored_seconds: f64,
    /// The time spent on backward reachability and causal relations, in seconds.
    pub search_seconds: f64,
}

/// A stage of a proof attempt, for progress reports.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// Exploring an instance with these sizes.
    Exploring(&'a [u32]),
    /// Searching backward.
    Searching(&'a Figures),
    /// The search is complete, and the arguments for the needed invariants are being computed.
    Arguing {
        /// The number of invariants that have their arguments.
        done: usize,
        /// The number of invariants known to be needed.
        needed: usize,
    },
    /// There is a proof, and unnecessary invariants are being dropped. If the caller stops this stage, the remaining
    /// ones stay.
    Minimizing {
        /// The number of invariants tried so far.
        done: usize,
        /// The number of invariants that may be dropped.
        of: usize,
    },
}

/// One rung of the ladder of efforts.
#[derive(Clone, Copy)]
struct Rung {
    /// The number of elements of each index type besides the named ones.
    others: u32,
    /// The maximum number of symbols of such a type in a cube.
    symbols: usize,
    breadth: usize,
    walked: usize,
    cubes: usize,
    /// The only way in which bounds are weakened, if it is not all of them one after the other.
    only: Option<Weakening>,
}

/// Small efforts come first: few elements with many symbols, then more elements than symbols, for protocols such as
/// queue locks whose cubes would otherwise grow forever. For protocols such as consensus, where a few elements behave
/// differently from many, part of a larger instance is more informative than all of a small one.
const LADDER: [Rung; 11] = [
    Rung { others: 2, symbols: 3, breadth: 1_500, walked: 500, cubes: 300, only: None },
    Rung { others: 3, symbols: 2, breadth: 3_000, walked: 1_000, cubes: 300, only: None },
    Rung { others: 3, symbols: 3, breadth: 10_000, walked: 5_000, cubes: 800, only: None },
    Rung { others: 4, symbols: 3, breadth: 60_000, walked: 20_000, cubes: 300, only: None },
    Rung { others: 5, symbols: 4, breadth: 20_000, walked: 20_000, cubes: 800, only: None },
    Rung { others: 3, symbols: 2, breadth: 20_000, walked: 20_000, cubes: 2_000, only: None },
    Rung { others: 2, symbols: 3, breadth: 20_000, walked: 20_000, cubes: 2_000, only: None },
    Rung { others: 2, symbols: 3, breadth: 60_000, walked: 140_000, cubes: 4_000, only: None },
    Rung { others: 3, symbols: 3, breadth: 60_000, walked: 240_000, cubes: 6_000, only: None },
    Rung { others: 3, symbols: 4, breadth: 250_000, walked: 450_000, cubes: 20_000, only: None },
    Rung { others: 4, symbols: 5, breadth: 500_000, walked: 500_000, cubes: 50_000, only: None },
];

/// The rung before which indexed predicates are tried, and the instance whose states they are compared with.
const PREDICATES_RUNG: usize = LAST_RUNGS;
const PREDICATES: Rung = LADDER[2];

/// An instance has room for so many parameters of one type.
const MOST_PARAMETERS: u32 = 6;

/// Where something exists, or where there are numbers, all ways to choose candidates on the first rung are tried with few cubes
/// before one of them is with many: a proof in the right way needs few, and the wrong one has ever more.
const FEW_CUBES: Rung = Rung { others: 2, symbols: 3, breadth: 1_500, walked: 500, cubes: 60, only: None };

/// Where nothing exists, few cubes show after the first rung whether universal parts are what is missing, and some more after the
/// rungs on which most systems are proven.
const MORE_UNIVERSAL: Rung = Rung { cubes: 200, ..FEW_CUBES };

/// Where something exists, universal parts that concern the elements of a cube are tried on a rung of their own: candidates need
/// an element beside those of a cube.
const FEW_WHOLE: Rung = Rung { others: 3, symbols: 3, breadth: 1_500, walked: 3_000, cubes: 200, only: None };

/// Where messages move in queues, first of all few cubes that weaken bounds little: each cube about a place leads to one about the
/// next place, so that many that say too much are about ever more places.
const FEW_MOVED: Rung = Rung { cubes: 20, only: Some(Weakening::Whole), ..FEW_CUBES };

/// Where elements have an order, cubes say which one, after few cubes that do not. More states are known: that one element is
/// between two others is rarely refuted by few.
const IN_ORDER: Rung =
    Rung { others: 2, symbols: 3, breadth: 20_000, walked: 20_000, cubes: 120, only: Some(Weakening::InOrder) };

/// Where a property is about more elements of a type than the first rungs have symbols, and about relations that nothing changes,
/// approximations keep these, and the instance has as many elements.
const RELATED: Rung =
    Rung { others: 0, symbols: 0, breadth: 20_000, walked: 20_000, cubes: 2_000, only: Some(Weakening::Related) };

/// The largest number of such elements.
const MOST_RELATED: usize = 5;

/// Where there are numbers, few cubes and more states of a larger instance come next.
/// Where all numbers are those of variables that elements share, as a counter is, weak bounds are tried alone first, with few cubes, and
/// then with more about few of three elements.
const FEW_WEAK: Rung = Rung { only: Some(Weakening::Weak), ..FEW_CUBES };

/// See [`FEW_WEAK`].
const SHARED_NUMBERS: Rung = Rung { cubes: 200, only: Some(Weakening::Weak), ..LADDER[1] };

const FEW_CUBES_MORE_STATES: Rung = Rung { cubes: 60, ..LADDER[2] };

/// The rung on which systems are also searched in pointed mode. On later ones those without numbers are if the last search
/// drowned in pre-images. From the last ones on, all systems are searched in all modes.
const POINTED_RUNG: usize = 2;
const LAST_RUNGS: usize = 6;

/// If so many times as many cubes wait as were visited, pointed mode comes first: in plain mode, each cube has many pre-images
/// with one more idle element each.
const MANY_WAITING: usize = 12;

/// The number of elements of a type that indexes no state variable, such as data: two suffice to distinguish equal from
/// different.
const DATA_ELEMENTS: u32 = 2;

/// The number of further elements of an ordered type.
const BETWEEN: u32 = 2;

/// Proves the properties of a system for any sizes, or finds a violation. See [`prove_from`].
pub fn prove(
    system: &System,
    header: &Header,
    limits: &Limits,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
) -> (Verdict, Account) {
    prove_from(system, &[], header, limits, proceed)
}

/// Proves the properties of a system for any sizes, or finds a violation. The negations of the candidates, well-formed cubes of
/// the system, are tried as invariants first: if they imply the properties, nothing is explored. Each is proven or dropped.
///
/// `proceed` is called often and returns whether to go on. Once it returns false, the attempt ends without a proof,
/// unless one had already been found; see [`Stage::Minimizing`].
pub fn prove_from(
    system: &System,
    candidates: &[Cube],
    header: &Header,
    limits: &Limits,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
) -> (Verdict, Account) {
    let mut account = Account::default();
    if let Some(reason) = refused(system) {
        return (Verdict::Inconclusive(reason), account);
    }
    let proceed = &mut within(limits, proceed);
    let space = Space::new(system);
    let started = Instant::now();
    let candidates = candidates.iter().map(|cube| Conj::from_cube(cube, &space));
    let candidates = Candidates::new(system, &space, candidates);
    if let Some(verdict) = by_candidates(system, &space, &candidates, header, proceed, &mut account) {
        account.search_seconds += started.elapsed().as_secs_f64();
        return (verdict, account);
    }
    let guesses: Vec<Conj> = candidates.guesses().cloned().collect();
    account.search_seconds += started.elapsed().as_secs_f64();
    let mut last = Reason::Stopped(Stop::Interrupted);
    let mut beside = beside(system, limits);
    let few: &[(&Rung, Option<&[Mode]>)] = if is_about_relations_alone(system) {
        &[(&FEW_CUBES, Some(&[Mode::Universal]))]
    } else if system.says_that_something_exists() {
        &[
            (&FEW_CUBES, Some(&[Mode::Universal])),
            (&FEW_WHOLE, Some(&[Mode::Whole])),
            (&FEW_CUBES, Some(&[Mode::Weakened])),
        ]
    } else if has_shared_numbers(system) {
        &[(&FEW_WEAK, None), (&SHARED_NUMBERS, None), (&FEW_CUBES, None)]
    } else if has_numbers(system) {
        &[(&FEW_CUBES, None)]
    } else {
        &[]
    };
    let related = related(system, &space).map(|most| Rung { others: narrow(most), symbols: most, ..RELATED });
    let related = related.as_ref().map(|rung| (rung, Some(&[Mode::Plain] as &[Mode])));
    let in_order = has_order(system).then_some((&IN_ORDER, None));
    let more_states = has_numbers(system).then_some((&FEW_CUBES_MORE_STATES, None));
    // With what is repeated at other elements, a proof is found with few cubes, or not at all: the model with its numbers as they
    // are is tried next.
    let (moved, rungs): (_, &[Rung]) = if space.repeats() { (Some((&FEW_MOVED, None)), &[]) } else { (None, &LADDER) };
    let (sooner, later) = if moved.is_some() { (in_order, None) } else { (None, in_order) };
    let first =
        related.into_iter().chain(moved).chain(sooner).chain(few.iter().copied()).chain(later).chain(more_states);
    let first = first.map(|(rung, modes)| (0, rung, modes));
    let mut ladder: Vec<_> = (0..).zip(rungs).map(|(number, rung)| (number, rung, None)).collect();
    if few.is_empty() && has_universal_guards(system) {
        let universal: Option<&[Mode]> = Some(&[Mode::Universal]);
        ladder.insert(POINTED_RUNG + 1, (POINTED_RUNG, &MORE_UNIVERSAL, universal));
        ladder.insert(1, (1, &FEW_CUBES, universal));
    }
    let mut usual_figures = Figures::default();
    for (number, rung, modes) in first.chain(ladder) {
        let is_usual = modes.is_none();
        // Universal parts do not help against too many idle elements.
        if number > 0 && !is_usual && drowns(&usual_figures) {
            continue;
        }
        if is_usual && number == PREDICATES_RUNG {
            match by_predicates((system, &space), header, limits, proceed, &mut account) {
                Attempt::End(verdict) => return (verdict, account),
                Attempt::More(_) => {}
            }
        }
        let modes = modes.unwrap_or_else(|| self::modes(system, number, &usual_figures));
        let sizes = sizes(system, limits, rung);
        if !proceed(Stage::Exploring(&sizes)) {
            break;
        }
        match attempt((system, &space), (header, &guesses), limits, (rung, modes), &sizes, proceed, &mut account) {
            Attempt::End(verdict) => return (verdict, account),
            Attempt::More(reason) => last = reason,
        }
        if is_usual {
            usual_figures = account.figures;
        }
        // This is tried only once, and only if something leads to an initial state.
        if matches!(last, Reason::Unconfirmed { .. }) {
            for sizes in std::mem::take(&mut beside) {
                if let Some(violation) = violated(system, limits, &sizes, proceed, &mut account) {
                    return (Verdict::Violated(violation), account);
                }
            }
        }
    }
    (Verdict::Inconclusive(last), account)
}

/// Goes on until the time is up.
fn within<'p>(
    limits: &Limits,
    proceed: &'p mut dyn FnMut(Stage<'_>) -> bool,
) -> impl FnMut(Stage<'_>) -> bool + use<'p> {
    let until = limits.timeout.map(|timeout| Instant::now() + timeout);
    move |stage| proceed(stage) && until.is_none_or(|until| Instant::now() < until)
}

/// Returns why there is nothing to search for, if that is the case.
fn refused(system: &System) -> Option<Reason> {
    refusal(system).map(Reason::from).or_else(|| system.properties.is_empty().then_some(Reason::NoProperty))
}

/// Returns a proof by candidates alone, or that trying to find one was stopped. Without candidates there is nothing to try.
fn by_candidates(
    system: &System,
    space: &Space,
    candidates: &Candidates,
    header: &Header,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
    account: &mut Account,
) -> Option<Verdict> {
    if candidates.is_empty() {
        return None;
    }
    match certify_candidates(system, space, candidates, header, Spare::Kept, proceed) {
        Ok(Some((certificate, _))) => {
            account.figures.closed = candidates.count();
            account.by_candidates = true;
            Some(Verdict::Proven(Box::new(certificate)))
        }
        Ok(None) | Err(Unfinished::Unmet(_)) => None,
        Err(Unfinished::Interrupted) => Some(Verdict::Inconclusive(Reason::Stopped(Stop::Interrupted))),
    }
}

/// Proves the properties with indexed predicates alone, or finds a violation in the instance whose states they are compared with.
/// [`prove`] does so where backward search has not ended after several instances. See [`prove_from`] for `proceed`.
pub fn prove_by_predicates(
    system: &System,
    header: &Header,
    limits: &Limits,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
) -> (Verdict, Account) {
    let mut account = Account::default();
    if let Some(reason) = refused(system) {
        return (Verdict::Inconclusive(reason), account);
    }
    let proceed = &mut within(limits, proceed);
    match by_predicates((system, &Space::new(system)), header, limits, proceed, &mut account) {
        Attempt::End(verdict) => (verdict, account),
        Attempt::More(reason) => (Verdict::Inconclusive(reason), account),
    }
}

fn by_predicates(
    (system, space): (&System, &Space),
    header: &Header,
    limits: &Limits,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
    account: &mut Account,
) -> Attempt {
    let sizes = sizes(system, limits, &PREDICATES);
    let mut machine = match FiniteSystem::new(system, &sizes) {
        Ok(machine) => machine,
        Err(refusal) => return Attempt::End(Verdict::Inconclusive(refusal.into())),
    };
    let reached = explored(&mut machine, &sizes, &PREDICATES, limits, proceed, account);
    if let Some(path) = reached.violation {
        return Attempt::End(Verdict::Violated(violation(path, &sizes)));
    }
    let started = Instant::now();
    let states = reached.states.len();
    let table = Table::new(&machine, space, reached.states, states);
    let found = predicates::candidates(system, space, &table, &mut || proceed(Stage::Searching(&account.figures)));
    let candidates = Candidates::new(system, space, found);
    let proof = certify_candidates(system, space, &candidates, header, Spare::Dropped, proceed);
    account.search_seconds += started.elapsed().as_secs_f64();
    match proof {
        Ok(Some((certificate, minimized))) => {
            account.figures = Figures { closed: candidates.count(), ..Figures::default() };
            account.minimized = minimized;
            Attempt::End(Verdict::Proven(Box::new(certificate)))
        }
        Ok(None) => Attempt::More(Reason::Candidates),
        Err(Unfinished::Unmet(unmet)) => Attempt::More(Reason::Unmet(unmet.into())),
        Err(Unfinished::Interrupted) => Attempt::End(Verdict::Inconclusive(Reason::Stopped(Stop::Interrupted))),
    }
}

/// Explores an instance as far as a rung says, and notes it in the account.
fn explored(
    machine: &mut FiniteSystem<'_>,
    sizes: &[u32],
    rung: &Rung,
    limits: &Limits,
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
    account: &mut Account,
) -> Reached {
    let most = limits.max_states.unwrap_or(usize::MAX);
    let breadth = rung.breadth.min(most);
    let effort = Effort { breadth, walked: rung.walked.min(most - breadth), length: 200 };
    let started = Instant::now();
    let reached = oracle::explore_all(machine, effort, &mut || proceed(Stage::Exploring(sizes)));
    account.explored_seconds += started.elapsed().as_secs_f64();
    (account.sizes, account.complete, account.states) = (sizes.to_vec(), reached.complete, reached.states.len());
    reached
}

/// Returns the sizes of instances beside the ladder. A property may be violated only if a type has a single element, and
/// hold on all larger instances. A rule may need more different elements of a type than there are on the first rung.
fn beside(system: &System, limits: &Limits) -> BTreeSet<Vec<u32>> {
    let (usual, one) = (sizes(system, limits, &LADDER[0]), sizes(system, limits, &Rung { others: 1, ..LADDER[0] }));
    let mut all = BTreeSet::from([sizes(system, limits, &Rung { others: 0, ..LADDER[0] }), one.clone()]);
    for (number, &size) in one.iter().enumerate() {
        let mut sizes = usual.clone();
        sizes[number] = size;
        all.insert(sizes);
    }
    let wide = (0..).zip(&usual).map(|(number, size)| parameters(system, IndexTypeId(number)).max(*size));
    all.insert(wide.collect());
    all.retain(|sizes| *sizes != usual);
    all
}

/// Returns how many parameters of a type the rules have at most, up to a limit.
fn parameters(system: &System, index_type: IndexTypeId) -> u32 {
    let of_type = |rule: &Rule| rule.parameters().iter().filter(|own| own.index_type == index_type).count();
    let most = system.rules.iter().map(of_type).max().unwrap_or(0);
    u32::try_from(most).unwrap_or(MOST_PARAMETERS).min(MOST_PARAMETERS)
}

/// Returns a violation on an instance, if its first states include one.
fn violated(
    system: &System,
    limits: &Limits,
    sizes: &[u32],
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
    account: &mut Account,
) -> Option<Violation> {
    let mut machine = FiniteSystem::new(system, sizes).ok()?;
    let breadth = LADDER[0].breadth.min(limits.max_states.unwrap_or(usize::MAX));
    let effort = Effort { breadth, walked: 0, length: 0 };
    let started = Instant::now();
    let reached = oracle::explore_all(&mut machine, effort, &mut || proceed(Stage::Exploring(sizes)));
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
    (system, space): (&System, &Space),
    (header, guesses): (&Header, &[Conj]),
    limits: &Limits,
    (rung, modes): (&Rung, &[Mode]),
    sizes: &[u32],
    proceed: &mut dyn FnMut(Stage<'_>) -> bool,
    account: &mut Account,
) -> Attempt {
    let mut machine = match FiniteSystem::new(system, sizes) {
        Ok(machine) => machine,
        Err(refusal) => return Attempt::End(Verdict::Inconclusive(refusal.into())),
    };
    let reached = explored(&mut machine, sizes, rung, limits, proceed, account);
    if let Some(path) = reached.violation {
        return Attempt::End(Verdict::Violated(violation(path, sizes)));
    }
    let table = Table::new(&machine, space, reached.states, limits.max_states.unwrap_or(usize::MAX));
    let mut last = Attempt::More(Reason::Stopped(Stop::Cubes));
    let weakenings: &[Weakening] = match (&rung.only, has_numbers(system)) {
        (Some(only), _) => std::slice::from_ref(only),
        (None, true) if space.counts() => &[Weakening::Weak, Weakening::Whole, Weakening::Backward, Weakening::Counted],
        (None, true) => &[Weakening::Weak, Weakening::Whole, Weakening::Backward],
        (None, false) => &[Weakening::Weak],
    };
    for (mode, weakening) in modes.iter().flat_map(|mode| weakenings.iter().map(move |weakening| (*mode, *weakening))) {
        let started = Instant::now();
        let (cubes, symbols, numbers) = (rung.cubes, symbols(system, rung.symbols), machine.numbers());
        let bounds = Bounds { cubes, symbols, numbers, mode, weakening };
        let (discovery, figures) = discover(system, space, (&table, guesses), header.clone(), bounds, proceed);
        account.search_seconds += started.elapsed().as_secs_f64();
        account.states = table.len();
        account.figures = figures;
        let next = ended(discovery, account);
        if matches!(next, Attempt::End(_)) {
            return next;
        }
        // A chain to an initial state says more than a limit.
        if !matches!(last, Attempt::More(Reason::Unconfirmed { .. })) {
            last = next;
        }
    }
    last
}

fn ended(discovery: Discovery, account: &mut Account) -> Attempt {
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

/// Returns the sizes of an instance: the named elements plus others, or what the user fixed.
fn sizes(system: &System, limits: &Limits, rung: &Rung) -> Vec<u32> {
    (0..)
        .zip(&system.index_types)
        .map(|(number, entry)| {
            let fixed = limits.sizes.iter().find(|(name, _)| *name == entry.name).map(|(_, size)| *size);
            let reserved = system.size_of_named(IndexTypeId(number)) + distinguished(system, IndexTypeId(number));
            let others =
                if is_data(system, IndexTypeId(number)) { rung.others.min(DATA_ELEMENTS) } else { rung.others };
            // In an order, the first and the last elements behave differently from those between them.
            let between = if system.rank(IndexTypeId(number)).is_none() {
                0
            } else if rung.only == Some(Weakening::InOrder) {
                BETWEEN.saturating_sub(reserved)
            } else {
                BETWEEN
            };
            fixed.unwrap_or(reserved + others + between)
        })
        .collect()
}

/// Returns the maximum number of symbols in a cube for each index type. Data types are not limited.
fn symbols(system: &System, most: usize) -> Vec<usize> {
    let types = (0..).map(IndexTypeId).take(system.index_types.len());
    let limit = |index_type| {
        let more = usize::try_from(distinguished(system, index_type)).unwrap_or(usize::MAX);
        if is_data(system, index_type) { usize::MAX } else { most.saturating_add(more) }
    };
    types.map(limit).collect()
}

/// Returns how many elements of a type a property is about, if these are too many for the first rungs, and the property is also about
/// relations that nothing changes.
fn related(system: &System, space: &Space) -> Option<usize> {
    let stated = system.properties.iter().flat_map(|property| &property.bad).map(|cube| Conj::from_cube(cube, space));
    let count = |conj: &Conj, own: &IndexTypeId| conj.symbols.iter().filter(|other| *other == own).count();
    let most = |conj: &Conj| conj.symbols.iter().map(|own| count(conj, own)).max().unwrap_or(0);
    let about_relations = stated.filter(|conj| conj.lits.iter().any(|lit| space.is_fixed(*lit)));
    let most = about_relations.map(|conj| most(&conj)).max()?;
    (most > LADDER[0].symbols && most <= MOST_RELATED).then_some(most)
}

/// Returns the number of state variables that always point to the same element of a type, such as the home of a cache line. Such
/// an element is like a named one.
fn distinguished(system: &System, index_type: IndexTypeId) -> u32 {
    let points_to_it = |(number, variable): (u32, &Variable)| {
        let sort = &system.sorts[variable.sort.index()];
        let is_pointer = variable.arguments.is_empty() && sort.index_types == [index_type];
        is_pointer && !system.is_written(VariableId(number))
    };
    let count = (0..).zip(&system.variables).filter(|entry| points_to_it(*entry)).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns the modes in which to search on a rung. Universal parts matter where a property or an assumption says that
/// something exists; elsewhere they are tried once the first rungs have failed. `last` is about the last search.
fn modes(system: &System, rung: usize, last: &Figures) -> &'static [Mode] {
    let something_exists = system.says_that_something_exists();
    let drowns = drowns(last) && !has_numbers(system);
    let is_early = rung < LAST_RUNGS && is_about_relations_alone(system);
    match (something_exists, rung.cmp(&POINTED_RUNG)) {
        (_, Ordering::Equal) if is_early => &[Mode::Pointed, Mode::Universal],
        (_, Ordering::Greater) if is_early && drowns => &[Mode::Pointed, Mode::Universal],
        _ if is_early => &[Mode::Universal],
        (true, Ordering::Less) => &[Mode::Universal, Mode::Weakened, Mode::Whole],
        (true, Ordering::Equal) => &[Mode::Pointed, Mode::Universal, Mode::Weakened, Mode::Whole],
        (true, Ordering::Greater) if drowns => &[Mode::Pointed, Mode::Universal, Mode::Weakened, Mode::Whole],
        (true, Ordering::Greater) => &[Mode::Universal, Mode::Weakened, Mode::Whole],
        (false, _) if rung >= LAST_RUNGS => &[Mode::Plain, Mode::Pointed, Mode::Universal, Mode::Weakened, Mode::Whole],
        (false, Ordering::Less) => &[Mode::Plain],
        (false, _) if drowns => &[Mode::Pointed, Mode::Plain],
        (false, Ordering::Equal) => &[Mode::Plain, Mode::Pointed],
        (false, Ordering::Greater) => &[Mode::Plain],
    }
}

/// Returns whether many times as many cubes wait as were visited.
fn drowns(figures: &Figures) -> bool {
    figures.waiting > MANY_WAITING * figures.visited
}

/// Returns whether axioms are about relations, such as the order of processes, and neither they nor properties say that something
/// exists. Universal guards matter then, but no witnesses.
fn is_about_relations_alone(system: &System) -> bool {
    let stated = system.properties.iter().flat_map(|property| &property.bad);
    let mut cubes = stated.chain(system.axioms.iter().flat_map(|axiom| &axiom.bad));
    system.says_that_something_exists() && cubes.all(|cube| cube.universals.is_empty())
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn has_numbers(system: &System) -> bool {
    system.sorts.iter().any(|sort| sort.numbers.is_some())
}

/// Returns whether there are numbers, and no variable has one for each of several elements.
fn has_shared_numbers(system: &System) -> bool {
    let is_number = |variable: &&Variable| system.sorts[variable.sort.index()].numbers.is_some();
    has_numbers(system) && system.variables.iter().filter(is_number).all(|variable| variable.arguments.is_empty())
}

fn has_universal_guards(system: &System) -> bool {
    system.rules.iter().any(|rule| rule.guard.any(|part| matches!(part, Formula::Forall(..))))
}

fn has_order(system: &System) -> bool {
    (0..).map(IndexTypeId).take(system.index_types.len()).any(|index_type| system.rank(index_type).is_some())
}

/// Returns whether the type indexes no state variable.
fn is_data(system: &System, index_type: IndexTypeId) -> bool {
    !system.variables.iter().any(|entry| entry.arguments.contains(&index_type))
}
