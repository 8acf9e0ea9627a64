//! What `find` and `verify` share: the search for a proof under limits, with progress, and the execution of what it says is
//! violated.

use std::path::Path;
use std::time::Duration;

use invfinder::{Account, Header, Reason, Stage as SearchStage, Verdict, Violation, prove_from};
use system::front_end::{InstanceError, InstanceSettings, Limits, Lowered, Outcome, Symmetry, Trace};
use system::scope::Scope;
use system::{Cube, IndexTypeId, Origin, PathStep, System};

use crate::arguments::{ModelSettings, SearchSettings};
use crate::limits::{Cause, Watchdog};
use crate::model::{Model, likely};
use crate::progress::{Progress, Stage};

/// What a search came to.
pub(super) struct Found {
    pub(super) verdict: Verdict,
    pub(super) account: Account,
    /// Why it was stopped and how far it was by then, if it was.
    pub(super) stopped: Option<(Cause, String)>,
    /// A violation that a small instance showed before the search had a verdict.
    early: Option<Counterexample>,
}

impl Found {
    /// Why there is no verdict, in one line.
    pub(super) fn reason(&self, reason: &Reason, system: &System) -> String {
        if *reason == Reason::NoProperty {
            return Scope::of(system).proven();
        }
        let reason = match &self.stopped {
            Some((cause, at)) if at.is_empty() => format!("the search was stopped: {cause}"),
            Some((cause, at)) => format!("the search was stopped: {cause}; by then: {at}"),
            None => reason.to_string(),
        };
        match system.uncounted_size() {
            Some((over, size)) => format!(
                "{reason}; the model compares numbers with {size}, but counts no elements of {over}, so that no candidate uses that \
                 {over} has {size} elements: a proof may need a variable that counts some of them"
            ),
            None => reason,
        }
    }
}

/// Sets the number of threads, before anything uses them.
pub(super) fn set_threads(settings: &SearchSettings) -> anyhow::Result<()> {
    if let Some(threads) = settings.limits.threads {
        invfinder::set_threads(usize::try_from(threads)?)?;
    }
    Ok(())
}

/// That the sizes of the instance are of index types, and large enough for the elements with names.
pub(super) fn check_sizes(system: &System, settings: &SearchSettings) -> anyhow::Result<()> {
    for (name, size) in &settings.sizes {
        let found = system.index_types.iter().position(|over| over.name == *name);
        let Some(position) = found else {
            let known: Vec<&str> = system.index_types.iter().map(|over| over.name.as_str()).collect();
            let likely = likely(name, known.iter().copied());
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            anyhow::bail!(
                "--oracle-size {name}={size}: there is no such index type; {likely}the model's index types are: {known}"
            );
        };
        let named = system.named.iter().filter(|named| named.index_type.index() == position).count();
        if usize::try_from(*size)? < named {
            anyhow::bail!(
                "--oracle-size {name}={size}: {named} elements of {name} have names, so that it needs {named} at least"
            );
        }
    }
    Ok(())
}

/// Reads a model once more with its numbers as they are, if that allows fewer values and everything can be lowered that can
/// be without.
pub(super) fn finite_numbers(
    path: &Path,
    settings: &ModelSettings,
    free: &Lowered<'_>,
    watch: &Watchdog,
) -> anyhow::Result<Option<Model>> {
    if !free.free_numbers || !watch.go_on() {
        return Ok(None);
    }
    let settings = ModelSettings { finite_numbers: true, ..settings.clone() };
    let model = Model::read(path, &settings, watch)?;
    watch.doing("lowering the model");
    let left_out = model.front_end.lower().map(|lowered| lowered.refused_properties.len());
    let is_whole = watch.go_on() && left_out.is_ok_and(|left_out| left_out <= free.refused_properties.len());
    Ok(is_whole.then_some(model))
}

/// Searches for a proof, with these candidates first. Small instances are executed once the search turns out to be long.
///
/// Where numbers may have more values than in the model, a search takes half of the time: with the model's own values a
/// proof may be easier. A proof that there is no time left to check is worth nothing, so dropping what it can do without may take half of the
/// time that is left when it begins.
pub(super) fn search(
    lowered: &Lowered<'_>,
    model: &Model,
    (settings, candidates): (&SearchSettings, &[Cube]),
    watch: &Watchdog,
    progress: &mut Progress,
) -> Found {
    watch.doing(SEARCHING);
    let system = lowered.system;
    let left = watch.left().filter(|_| lowered.free_numbers);
    let kept = left.map(|left| Duration::from_secs(left.as_secs().div_ceil(2)));
    let cause = || watch.cause().or_else(|| kept.filter(|kept| watch.left() <= Some(*kept)).map(Cause::Time));
    let header = Header { model_digest: model.identity.digest.clone(), settings: model.identity.settings.clone() };
    let limits = invfinder::Limits {
        max_states: settings.limits.max_states.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        timeout: None,
        sizes: settings.sizes.clone(),
    };
    let (mut stopped, mut rest) = (None, None);
    let (mut begun, mut executed, mut early) = (false, false, None);
    let (verdict, account) = progress.stage("search", |stage| {
        prove_from(system, candidates, &header, &limits, &mut |at| {
            stage.update(|| tell(&at, system));
            if matches!(at, SearchStage::Minimizing { .. }) {
                let rest = rest.get_or_insert_with(|| watch.left().map(|left| left / 2));
                return watch.go_on() && rest.is_none_or(|rest| watch.left().is_some_and(|left| left > rest));
            }
            if let Some(cause) = cause() {
                stopped.get_or_insert_with(|| (cause, tell(&at, system)));
                return false;
            }
            let is_long = match at {
                SearchStage::Exploring(_) => begun,
                SearchStage::Searching(figures) => {
                    begun = true;
                    figures.visited + figures.waiting > LONG_SEARCH
                }
                SearchStage::Arguing { .. } | SearchStage::Minimizing { .. } => false,
            };
            if is_long && !executed {
                executed = true;
                watch.doing(EXECUTING);
                early = at_some_sizes(lowered, model, &BRIEFLY, stage, &|| cause().is_none());
                watch.doing(SEARCHING);
            }
            early.is_none()
        })
    });
    Found { verdict, account, stopped, early }
}

/// What is being done.
const SEARCHING: &str = "the search";
const EXECUTING: &str = "looking for an execution of the model that violates it";

/// A search with more cubes, visited and waiting, is long. So is one that goes on after its first instance.
const LONG_SEARCH: usize = 1_000;

/// States of an instance that are explored for a trace.
const TRACE_STATES: u64 = 5_000_000;

/// How much of further instances is explored for a trace.
struct Further {
    /// The greatest number of elements without a name that each type has.
    elements: u32,
    /// States, and rules fired, of each instance.
    states: u64,
    fired: u64,
    /// How often its exploration may ask whether to go on before it fires a rule: there can be very many initial states.
    asked: u32,
}

/// During a search, and after one without a verdict.
const BRIEFLY: Further = Further { elements: 2, states: 2_000, fired: 40_000, asked: 4 };
const AT_LENGTH: Further = Further { elements: 6, states: 50_000, fired: 1_000_000, asked: 200 };

/// An execution of the model that ends in a violation.
#[derive(Clone)]
pub(super) struct Counterexample {
    pub(super) trace: Trace,
    /// Whether the model's own instance has it.
    pub(super) is_own: bool,
}

/// A shortest execution of the model that ends in a violation, at the sizes of the model, then at those of the instance that the
/// search saw violated, and then at others; or why there is none. What the search says alone is no violation: its instance allows
/// more than the model does.
pub(super) fn executed(
    violation: &Violation,
    lowered: &Lowered<'_>,
    model: &Model,
    watch: &Watchdog,
    progress: &mut Progress,
) -> anyhow::Result<Result<Counterexample, String>> {
    watch.doing(EXECUTING);
    let sizes: Vec<u64> = violation.sizes.iter().copied().map(u64::from).collect();
    let limits = Limits { max_states: TRACE_STATES, ..Limits::default() };
    let trace = progress.stage("trace", |stage| -> anyhow::Result<Option<Counterexample>> {
        // Where a quantifier comes to a failing assertion only with certain names of elements, a state does not stand for
        // those that differ from it by names.
        let both = [Symmetry::Found, Symmetry::None];
        for (sizes, symmetry) in
            [None, Some(&sizes)].into_iter().flat_map(|sizes| both.iter().map(move |by| (sizes, by)))
        {
            let settings = InstanceSettings { sizes: sizes.cloned(), symmetry: symmetry.clone() };
            let mut instance = match model.front_end.instance(&settings) {
                Ok(instance) => instance,
                Err(InstanceError::NoSuchSizes) => continue,
                Err(error @ InstanceError::Refused(_)) => return Err(error.into()),
            };
            let explored = instance.explore(&limits, &mut |figures| {
                stage.update(|| format!("{} states", figures.states));
                watch.go_on()
            });
            let is_own = sizes.is_none();
            let is_claimed = is_own || !is_assumed(lowered.system, &explored.outcome);
            if let Some(executed) = instance.trace().filter(|executed| executed.is_wrong && is_claimed) {
                return Ok(Some(Counterexample { trace: executed.trace, is_own }));
            }
        }
        Ok(None)
    })?;
    if let Some(trace) = trace.or_else(|| at_length(lowered, model, watch, progress)) {
        return Ok(Ok(trace));
    }
    let property = &lowered.system.properties[violation.property.index()].name;
    let steps = violation.steps.len();
    let shown = format!("an instance of the lowered system violates '{property}' after {steps} steps");
    Ok(Err(match watch.cause() {
        Some(cause) => format!("{shown}, but looking for an execution of the model that does was stopped: {cause}"),
        None => format!("{shown}, but no execution of the model was found that does"),
    }))
}

/// An execution of the model that ends in a violation, where the search came to no verdict; or why there is none.
pub(super) fn without_verdict(
    (found, reason): (&Found, &Reason),
    lowered: &Lowered<'_>,
    model: &Model,
    watch: &Watchdog,
    progress: &mut Progress,
) -> Result<Counterexample, String> {
    let is_searched = !matches!(reason, Reason::NoProperty);
    let later = || is_searched.then(|| at_length(lowered, model, watch, progress)).flatten();
    found.early.clone().or_else(later).ok_or_else(|| found.reason(reason, lowered.system))
}

/// An execution of the model that ends in a violation, in many states of small instances. It takes a quarter of the time that is
/// left, since a proof for the model's own numbers may follow.
fn at_length(
    lowered: &Lowered<'_>,
    model: &Model,
    watch: &Watchdog,
    progress: &mut Progress,
) -> Option<Counterexample> {
    watch.doing(EXECUTING);
    let kept = watch.left().map(|left| left / 4 * 3);
    let go_on = || watch.go_on() && kept.is_none_or(|kept| watch.left() > Some(kept));
    progress.stage("trace", |stage| at_some_sizes(lowered, model, &AT_LENGTH, stage, &go_on))
}

/// An execution of the model that ends in a violation, in the first states of instances with more and more elements of each type;
/// an error at run time in a step is none.
fn at_some_sizes(
    lowered: &Lowered<'_>,
    model: &Model,
    further: &Further,
    stage: &Stage,
    go_on: &dyn Fn() -> bool,
) -> Option<Counterexample> {
    let system = lowered.system;
    let own: Vec<u64> = system.index_types.iter().map(|over| over.size.into()).collect();
    let instance = |sizes: Vec<u64>| {
        let settings = InstanceSettings { sizes: Some(sizes), symmetry: Symmetry::Found };
        model.front_end.instance(&settings).ok()
    };
    // Some types, such as the slots of a multiset, have the size that is written.
    let varies = |number: usize| {
        let mut larger = own.clone();
        larger[number] += 1;
        instance(larger).is_some()
    };
    let varies: Vec<bool> = (0..own.len()).map(varies).collect();
    let of_multisets = of_multisets(system);
    let of_type = |number: IndexTypeId, others: u32, with_room: bool| {
        if !varies[number.index()] || (with_room && of_multisets.contains(&number)) {
            return own[number.index()];
        }
        u64::from((system.size_of_named(number) + others).max(1))
    };
    let types = || (0..).map(IndexTypeId).take(own.len());
    let mut tried: Vec<Vec<u64>> = Vec::new();
    // Where an instance has no room, what comes after that is explored with the capacity of the model.
    let mut lacked_room = false;
    for (others, with_room) in (0..=further.elements).flat_map(|others| [(others, false), (others, true)]) {
        if with_room && !lacked_room {
            continue;
        }
        let sizes: Vec<u64> = types().map(|number| of_type(number, others, with_room)).collect();
        if tried.contains(&sizes) || !go_on() {
            continue;
        }
        tried.push(sizes.clone());
        let Some(mut instance) = instance(sizes) else { continue };
        let limits = Limits { max_states: further.states, ..Limits::default() };
        let mut asked = 0;
        let explored = instance.explore(&limits, &mut |figures| {
            stage.update(|| format!("{} states", figures.states));
            asked += u32::from(figures.rules_fired == 0);
            figures.rules_fired < further.fired && asked <= further.asked && go_on()
        });
        lacked_room = is_assumed(system, &explored.outcome);
        let is_violation = match &explored.outcome {
            Outcome::Violated(_) => !lacked_room,
            Outcome::Error(error) => error.in_invariant,
            Outcome::Complete | Outcome::Stopped(_) => false,
        };
        if let Some(executed) = instance.trace().filter(|executed| is_violation && executed.is_wrong) {
            return Some(Counterexample { trace: executed.trace, is_own: false });
        }
    }
    None
}

/// Returns whether an exploration ended at an assertion that a proof assumes, namely that there is room in a multiset. It says
/// nothing about an instance with another capacity than the model's.
fn is_assumed(system: &System, outcome: &Outcome) -> bool {
    let Outcome::Violated(failure) = outcome else { return false };
    let is_there = |origin: &Origin| origin.start <= failure.origin.start && failure.origin.end <= origin.end;
    system.claim.assumptions.iter().any(|assumed| assumed.axiom.is_none() && is_there(&assumed.origin))
}

/// Returns the index types of the arrays that represent multisets.
fn of_multisets(system: &System) -> Vec<IndexTypeId> {
    let mut found = Vec::new();
    for variable in &system.variables {
        let below = variable.path.iter().skip_while(|step| **step != PathStep::Multiset);
        found.extend(below.filter_map(|step| {
            let PathStep::Argument(at) = step else { return None };
            variable.arguments.get(*at as usize).copied()
        }));
    }
    found
}

fn tell(stage: &SearchStage<'_>, system: &System) -> String {
    match stage {
        SearchStage::Exploring(sizes) => format!("exploring an instance with {}", sizes_text(system, sizes)),
        SearchStage::Searching(figures) => {
            format!("{} cubes visited, {} waiting, {} undone", figures.visited, figures.waiting, figures.undone)
        }
        SearchStage::Arguing { done, needed } => format!("{done} of {needed} invariants have their arguments"),
        SearchStage::Minimizing { done, of } => format!("{done} of {of} invariants tried without"),
    }
}

/// `NODE = 3, DATA = 2`.
pub(super) fn sizes_text(system: &System, sizes: &[u32]) -> String {
    let named = system.index_types.iter().zip(sizes);
    let parts: Vec<String> = named.map(|(over, size)| format!("{} = {size}", over.name)).collect();
    if parts.is_empty() { "its sizes as they are".to_owned() } else { parts.join(", ") }
}
