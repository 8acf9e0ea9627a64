//! Explores small instances before and beside a proof: their states, rules that never fire, and run-time errors.
//!
//! The result is figures for the summary and the report, and what goes wrong in an instance. Exploration has limits, so
//! finding nothing proves nothing. The limits count work, not time, so that every machine finds the same.

use std::collections::BTreeSet;

use system::front_end::{
    Exploration, FrontEnd, InstanceError, InstanceSettings, Limits, Outcome, RUN_ERROR, RunError, Symmetry, Trace,
};
use system::scope::Scope;
use system::{IndexTypeId, LeftOut, Origin, System};

use crate::report::{RuntimeError, Seen};

/// States of an instance that are explored to find out which rules never fire.
const SEEN_STATES: u64 = 100_000;

/// The most bytes for these states.
const SEEN_BYTES: u64 = 1 << 28;

/// Rules that are fired in an instance; a model with few states and many rules would take long otherwise.
const SEEN_FIRED: u64 = 1_000_000;

/// An instance whose statements were executed.
pub struct Look {
    /// The size of each index type; empty for a model whose types have no names, which is taken as it is.
    pub sizes: Vec<(String, u64)>,
    /// What was found.
    pub exploration: Exploration,
    /// The execution that leads to what is wrong, if something is.
    pub trace: Option<Trace>,
}

impl Look {
    /// The execution that decides the question, whatever can be proven: it ends where something that the model states does
    /// not hold. An error at run time in a step is none, since a run ends before it.
    #[must_use]
    pub fn violation(&self) -> Option<&Trace> {
        match &self.exploration.outcome {
            Outcome::Violated(_) => self.trace.as_ref(),
            Outcome::Error(error) if error.in_invariant => self.trace.as_ref(),
            Outcome::Error(_) | Outcome::Complete | Outcome::Stopped(_) => None,
        }
    }
}

/// The model's own instance, or its first states; nothing where there is no such instance.
#[must_use]
pub fn own(front_end: &dyn FrontEnd, system: &System, go_on: &dyn Fn() -> bool) -> Option<Look> {
    look(front_end, &sizes(system, &|_, size| size), SEEN_STATES, go_on)
}

fn look(front_end: &dyn FrontEnd, sizes: &[(String, u64)], max_states: u64, go_on: &dyn Fn() -> bool) -> Option<Look> {
    let wanted = sizes.iter().map(|(_, size)| *size).collect();
    let settings = |sizes| InstanceSettings { sizes, symmetry: Symmetry::Found };
    let (mut instance, sizes) = match front_end.instance(&settings(Some(wanted))) {
        Ok(instance) => (instance, sizes.to_vec()),
        Err(InstanceError::NoSuchSizes) => (front_end.instance(&settings(None)).ok()?, Vec::new()),
        Err(InstanceError::Refused(_)) => return None,
    };
    let limits = Limits { max_states, max_bytes: SEEN_BYTES, ..Limits::default() };
    let exploration = instance.explore(&limits, &mut |figures| figures.rules_fired < SEEN_FIRED && go_on());
    let trace = instance.trace().filter(|executed| executed.is_wrong).map(|executed| executed.trace);
    Some(Look { sizes, exploration, trace })
}

/// The elements that each index type has in instances in which an execution is looked for, besides the model's own.
const FEW_ELEMENTS: [u64; 3] = [1, 2, 3];

/// Says that what the model assumes may leave no execution, so that a proof may be about none: `None` if there are no
/// assumptions, if some small instance has an initial state, or if that is not known of one of them.
#[must_use]
pub fn no_execution(front_end: &dyn FrontEnd, system: &System, go_on: &dyn Fn() -> bool) -> Option<String> {
    let scope = Scope::of(system);
    if scope.nothing_starts || scope.claim.assumptions.is_empty() {
        return scope.about_nothing();
    }
    let mut tried: Vec<Vec<(String, u64)>> = Vec::new();
    let own = sizes(system, &|_, size| size);
    let few =
        |elements| (0..).map(IndexTypeId).zip(&own).map(move |(id, _)| u64::from(system.least_size(id)).max(elements));
    for wanted in std::iter::once(None).chain(FEW_ELEMENTS.into_iter().map(Some)) {
        let wanted = wanted.map_or_else(
            || own.clone(),
            |elements| own.iter().zip(few(elements)).map(|((name, _), size)| (name.clone(), size)).collect(),
        );
        if tried.contains(&wanted) {
            continue;
        }
        let Look { sizes, exploration, .. } = look(front_end, &wanted, 1, go_on)?;
        if exploration.states > 0 || !matches!(exploration.outcome, Outcome::Complete) {
            return None;
        }
        tried.push(sizes);
    }
    let instances: Vec<String> = tried.iter().filter(|sizes| !sizes.is_empty()).map(|sizes| with(sizes)).collect();
    let instances = match instances.as_slice() {
        [] => "the model's own instance has".to_owned(),
        [one] => format!("the instance with {one} has"),
        several => format!("the instances with {} have", several.join("; ")),
    };
    Some(format!("{instances} no execution that satisfies what is assumed, so the claim may be about none"))
}

fn with(sizes: &[(String, u64)]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    sizes.join(", ")
}

/// What an instance shows. What goes wrong in it is left in `met`.
fn seen(look: &Look, met: &mut Met) -> Seen {
    let Look { sizes, exploration, trace } = look;
    let nothing = Seen { sizes: sizes.clone(), ..Seen::default() };
    match &exploration.outcome {
        // Where an assumption excludes every initial state, that no rule fires says nothing about the rules.
        Outcome::Complete if exploration.states == 0 => nothing,
        Outcome::Complete => {
            Seen { states: Some(exploration.states), dead_rules: Some(exploration.silent_rules.clone()), ..nothing }
        }
        Outcome::Stopped(_) => nothing,
        Outcome::Error(error) => {
            met.error(error.clone(), sizes);
            nothing
        }
        Outcome::Violated(failure) => {
            met.failed.get_or_insert_with(|| (failure.property.clone(), failure.origin.clone(), trace.clone()));
            nothing
        }
    }
}

/// What goes wrong in the instances that were looked at.
#[derive(Default)]
struct Met {
    /// Errors at run time, each with its place.
    errors: Vec<(RuntimeError, Origin)>,
    /// The first of the model's own statements that does not hold.
    failed: Option<(String, Origin, Option<Trace>)>,
}

impl Met {
    fn error(&mut self, error: RunError, sizes: &[(String, u64)]) {
        // The same error in a larger instance is no other one.
        if self.errors.iter().any(|(_, known)| *known == error.origin) {
            return;
        }
        let RunError { message, origin, rule, help, .. } = error;
        let (line, column, sizes) = (origin.line, origin.column, sizes.to_vec());
        self.errors.push((RuntimeError { message, code: RUN_ERROR, line, column, rule, help, sizes }, origin));
    }
}

/// What instances show beside what was proven.
pub struct Shown {
    /// The one that the report tells of.
    pub seen: Option<Seen>,
    /// That one of them does not have what the model states.
    pub failed: Option<Failed>,
    /// Errors at run time that any of them meets, each with its place.
    pub met: Vec<(RuntimeError, Origin)>,
}

/// Something that the model states fails in an instance.
pub enum Failed {
    /// It was not proven, and this execution shows that it does not hold.
    LeftOut(Box<Trace>),
    /// It was proven. One of the two is wrong, and nothing may be said to be proven.
    Contradiction(String),
}

impl Failed {
    fn of(system: &System, (name, origin, trace): (String, Origin, Option<Trace>)) -> Self {
        let within = |a: &Origin, b: &Origin| a.start >= b.start && a.end <= b.end;
        let is_it = |left: &LeftOut| within(&left.origin, &origin) || within(&origin, &left.origin);
        match trace {
            Some(trace) if system.claim.left_out.iter().any(is_it) => Self::LeftOut(Box::new(trace)),
            Some(_) | None => Self::Contradiction(format!(
                "internal error: the checker accepts a proof, but '{name}' (line {}) fails when an instance is executed; please \
                 report this, and do not use the proof",
                origin.line
            )),
        }
    }
}

/// An instance with fewer states than this is followed by one that is larger.
const FEW_STATES: u64 = 5_000;

/// The larger one is shown if the product of its states and of the permutations of its elements, each of which a state is
/// compared under, is not more than this.
const LARGER_WORK: u64 = 180_000;

/// What an instance shows of which all states can be seen, if there is one near the model's own instance, which was looked at:
/// with one element more of each type that state is indexed by, as the model has it, or with two elements.
#[must_use]
pub fn shown(front_end: &dyn FrontEnd, system: &System, own: Option<&Look>, go_on: &dyn Fn() -> bool) -> Shown {
    let mut met = Met::default();
    let mut seen = own.map(|own| explored(front_end, system, own, go_on, &mut met));
    if let Some(seen) = &mut seen {
        seen.runtime_errors = met.errors.iter().map(|(error, _)| error.clone()).collect();
        seen.no_execution = no_execution(front_end, system, go_on);
    }
    Shown { seen, failed: met.failed.map(|failed| Failed::of(system, failed)), met: met.errors }
}

fn explored(front_end: &dyn FrontEnd, system: &System, own: &Look, go_on: &dyn Fn() -> bool, met: &mut Met) -> Seen {
    let indexing: BTreeSet<usize> =
        system.variables.iter().flat_map(|variable| &variable.arguments).map(|over| over.index()).collect();
    let own = seen(own, met);
    let mut other = |sizes: &[(String, u64)], max_states: u64| {
        look(front_end, sizes, max_states, go_on).map(|look| seen(&look, met)).filter(|seen| seen.states.is_some())
    };
    match own.states {
        Some(states) if states < FEW_STATES && !indexing.is_empty() => {
            let larger = sizes(system, &|position, size| size + u64::from(indexing.contains(&position)));
            other(&larger, LARGER_WORK / permutations(system, &larger)).unwrap_or(own)
        }
        Some(_) => own,
        None => {
            let smaller = sizes(system, &|_, size| size.min(2));
            // The states of the same instance would be the same.
            let is_other = smaller != own.sizes;
            is_other.then(|| other(&smaller, SEEN_STATES)).flatten().unwrap_or(own)
        }
    }
}

/// Sizes of the index types, each from its position and its size in the model.
fn sizes(system: &System, size: &dyn Fn(usize, u64) -> u64) -> Vec<(String, u64)> {
    let all = system.index_types.iter().enumerate();
    all.map(|(position, over)| (over.name.clone(), size(position, u64::from(over.size)))).collect()
}

/// The number of permutations of elements that keep those with a name.
fn permutations(system: &System, sizes: &[(String, u64)]) -> u64 {
    let of_type = |(number, (_, size)): (usize, &(String, u64))| {
        let named = system.named.iter().filter(|named| named.index_type.index() == number).count();
        let others = size.saturating_sub(u64::try_from(named).unwrap_or(u64::MAX));
        (1..=others).fold(1, u64::saturating_mul)
    };
    sizes.iter().enumerate().map(of_type).fold(1, u64::saturating_mul)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use system::front_end::{
        Declarations, Diagnostic, Executed, ExplorationFigures, Instance, Lowered, ReplayError, Settings, Unmet,
    };
    use system::notation::Language;

    use super::*;
    use crate::example::mutual_exclusion;

    type Sizes = Option<Vec<u64>>;

    /// A front-end for a language that there is not: it knows how many states an instance has, and which instances it was
    /// asked for.
    struct Counted {
        system: System,
        states: fn(&Sizes) -> Option<u64>,
        asked: RefCell<Vec<Sizes>>,
    }

    impl FrontEnd for Counted {
        fn read(_: &str, _: &Settings) -> Result<Self, Vec<Diagnostic>> {
            unreachable!("it is made without a text")
        }

        fn text(&self) -> &str {
            ""
        }

        fn language(&self) -> Language {
            Language::Murphi
        }

        fn type_names(&self) -> Vec<&str> {
            Vec::new()
        }

        fn warnings(&self) -> Vec<Diagnostic> {
            Vec::new()
        }

        fn lower(&self) -> Result<Lowered<'_>, Vec<Diagnostic>> {
            Ok(Lowered {
                system: &self.system,
                notes: Vec::new(),
                refused_properties: &[],
                free_numbers: false,
                candidates: &[],
            })
        }

        fn declarations(&self) -> Result<Declarations, Vec<Diagnostic>> {
            Ok(Declarations::default())
        }

        fn instance(&self, settings: &InstanceSettings) -> Result<Box<dyn Instance + '_>, InstanceError> {
            let states = (self.states)(&settings.sizes).ok_or(InstanceError::NoSuchSizes)?;
            self.asked.borrow_mut().push(settings.sizes.clone());
            Ok(Box::new(States(states)))
        }

        fn replay(&self, _: &Trace) -> Result<Executed, ReplayError> {
            Err(ReplayError::Empty)
        }
    }

    struct States(u64);

    impl Instance for States {
        fn explore(&mut self, limits: &Limits, _: &mut dyn FnMut(&ExplorationFigures) -> bool) -> Exploration {
            let is_all = self.0 <= limits.max_states;
            Exploration {
                outcome: if is_all { Outcome::Complete } else { Outcome::Stopped(system::front_end::Limit::States) },
                states: self.0.min(limits.max_states),
                rules_fired: 0,
                depth: 0,
                no_rule_enabled: 0,
                no_rule_changes: 0,
                symmetry: true,
                order_matters: None,
                silent_rules: vec!["Never".to_owned()],
                unmet: Unmet::default(),
            }
        }

        fn trace(&self) -> Option<Executed> {
            None
        }

        fn ordered(&self) -> Vec<(String, u32)> {
            Vec::new()
        }
    }

    /// The sizes that were asked for, the sizes that are told, and the states.
    fn fitting(states: fn(&Sizes) -> Option<u64>) -> (Vec<Sizes>, Vec<u64>, Option<u64>) {
        let mut system = mutual_exclusion(false);
        system.index_types[0].size = 3;
        let front_end = Counted { system: system.clone(), states, asked: RefCell::default() };
        let own = own(&front_end, &system, &|| true);
        let seen = shown(&front_end, &system, own.as_ref(), &|| true).seen.expect("there is an instance");
        assert_eq!(seen.dead_rules.is_some(), seen.states.is_some());
        (front_end.asked.into_inner(), seen.sizes.iter().map(|(_, size)| *size).collect(), seen.states)
    }

    #[test]
    fn the_instance_that_is_shown_is_the_largest_of_which_all_can_be_seen() {
        let (own, larger, smaller) = (Some(vec![3]), Some(vec![4]), Some(vec![2]));
        let found = fitting(|sizes| sizes.as_ref().map(|sizes| 10 * sizes[0]));
        assert_eq!(found, (vec![own.clone(), larger.clone()], vec![4], Some(40)));
        // The larger one is too large, given the permutations of its four elements.
        let found = fitting(|sizes| sizes.as_ref().map(|sizes| if sizes[0] == 4 { 7_501 } else { 30 }));
        assert_eq!(found, (vec![own.clone(), larger], vec![3], Some(30)));
        let found = fitting(|sizes| sizes.as_ref().map(|sizes| if sizes[0] == 2 { 20 } else { 100_001 }));
        assert_eq!(found, (vec![own, smaller], vec![2], Some(20)));
        // Nothing sets its sizes: it is taken as it is, and no sizes are told.
        let found = fitting(|sizes| if sizes.is_some() { None } else { Some(7) });
        assert_eq!(found, (vec![None, None], vec![], Some(7)));
    }

    /// What was proven and fails is a contradiction, and is never passed over as something that was left out.
    #[test]
    fn what_fails_is_left_out_or_a_contradiction() {
        let text =
            "var x : boolean;\nstartstate x := true; end;\nrule x := x; end;\ninvariant \"a\" x;\nliveness \"b\" x;\n";
        let model = murphi::Model::read(text, &Settings::default()).expect("it is a model");
        let system = model.lower().expect("it is lowered").system;
        let (constants, sizes, steps) = (Vec::new(), Vec::new(), Vec::new());
        let trace = Trace { constants, sizes, violates: String::new(), error: None, steps };
        let failed =
            |origin: &Origin, trace: Option<Trace>| Failed::of(system, ("x".to_owned(), origin.clone(), trace));
        let (proven, left_out) = (&system.properties[0].origin, &system.claim.left_out[0].origin);
        assert!(matches!(failed(left_out, Some(trace.clone())), Failed::LeftOut(_)));
        let Failed::Contradiction(text) = failed(proven, Some(trace)) else {
            panic!("it was proven");
        };
        assert!(text.contains("internal error") && text.contains("(line 4)"), "{text}");
        // Without an execution there is nothing to be told.
        assert!(matches!(failed(left_out, None), Failed::Contradiction(_)));
    }
}
