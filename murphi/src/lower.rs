//! Lowers the typed program to the parameterized transition system.
//!
//! In the [`System`], every rule is one guard and one simultaneous update. Notes record how the program was understood.
//! Nothing is dropped and nothing is guessed: anything without a faithful parameterized meaning is refused, with a
//! [`Reason`] and a place.
//!
//! The steps, one module each: `infer` and `classes` find the symmetric types, `model` decides on them and lays out the
//! state variables, `statements` runs statements on the `symbolic` machine (with `places`, `values`, `loops`, `logic`, and
//! `slots` for `multisets`),
//! `rules` and `properties` collect the results, `normal` brings guards and negated properties into normal form, and
//! `finish` gives each rule its scope.
//!
//! # Assertions
//! An `assert` or `error` is a property wherever it is evaluated: in bodies if the guard holds; in functions called by
//! guards, aliases and properties, in every state and whether or not the guard or property holds; in startstates, as a
//! separate startstate that sets a variable recording it (see `monitors`). It is reached if the conditions on the way
//! to it hold, those of `&`, `|`, `->`, `?:` and of quantifiers over constants, and no earlier error ends the run. A
//! quantifier or loop over an index type may visit any element first: which one that is in an instance depends only on
//! names.
//!
//! # What the system leaves out
//! A run-time error (a value outside of its range, an index outside of its array, reading what the same body made
//! undefined) has no successor. Neither has a failed assertion, which is also a property. An undefined variable has an
//! arbitrary value of its type, unless the model uses `isundefined` on its type: then being undefined is a value. The
//! concrete execution reports errors as such.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "simplification looks for one shape among many and treats the others alike"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::diagnostics::Diagnostic;
use crate::order;
use crate::program::{Affine, Program, PropertyKind, Span, TypeId, TypeKind, VarId};
use numbers::{Allowance, FEW_FINITE, Freedom, MOST_FINITE};
use properties::{Claim, Form, never};
use system::front_end::Deadlock;
use system::{IndexTypeId, NamedId, Origin, PathStep, Property, Size, System, VariableId};
use universe::Splitting;
use width::width;

mod alternations;
mod branches;
mod claim;
mod classes;
mod copies;
mod deadlock;
mod finish;
mod folds;
mod infer;
mod inhabited;
mod logic;
mod loops;
mod model;
mod monitors;
mod multisets;
mod neighbours;
mod normal;
mod numbers;
mod numbers_of;
mod pairs;
mod places;
mod properties;
mod reason;
mod rules;
mod sizes;
mod slots;
mod statements;
mod sums;
mod symbolic;
mod universals;
mod universe;
mod values;
mod width;

pub use reason::Reason;

/// The user's choices about types.
#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// Types to be treated as index types even if several of their values are written as numbers.
    pub index_types: Vec<String>,
    /// Types to be kept finite.
    pub finite_types: Vec<String>,
    /// Whether to keep numbers, and constants that are used as values, as they are in the model.
    pub finite_numbers: bool,
    /// Whether to add the property that the system is never in a deadlock.
    pub deadlock: Option<Deadlock>,
    /// The largest number of simplification steps for a rule; by default, as many as take a few seconds.
    pub most_steps: Option<u64>,
    /// Makes each branch of a rule a case of its own, as is otherwise done only if there would be too many cases.
    pub split_branches: bool,
    /// Setting it makes lowering give up at the next step, as if all steps were used up. The result then says nothing
    /// about the program and must not be used.
    pub stop: Option<Arc<AtomicBool>>,
}

/// A system, and how the program was understood.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The system, with the properties that could be lowered.
    pub system: System,
    /// What the user may want to know.
    pub notes: Vec<Note>,
    /// Properties that are not universal, or not invariants. They are not part of the system, so a proof of its
    /// properties does not prove them.
    pub refused_properties: Vec<Diagnostic>,
    /// The index type that each type of the program became, if any: what an instance may permute.
    pub types: BTreeMap<TypeId, IndexTypeId>,
    /// The state variables that became named elements. An instance still has them; where it permutes elements, the
    /// named one is the variable's value in the state.
    pub homes: BTreeMap<VarId, NamedId>,
    /// The number of elements of each index type in terms of the model's constants. It gives the sizes of instances for
    /// the values of the constants.
    pub sizes: Vec<Affine>,
    /// Types of loops whose result depends on the order of the iterations, with the place of the first such loop.
    /// Ranges among them are not index types. Over a scalarset, the system allows the loop to run in any order; an
    /// instance runs it in one order, so it must not permute the elements.
    pub ordered: BTreeMap<TypeId, Origin>,
    /// Whether numbers may have more values in the system than in the model.
    pub free_numbers: bool,
}

/// Something that the user may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The content.
    pub kind: NoteKind,
    /// The place.
    pub origin: Origin,
}

/// The content of a note.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteKind {
    /// A type became an index type.
    #[error(
        "`{name}` is symmetric{}, so the proof is for any number of its elements",
        if *ordered { " but for the order of its elements" } else { "" }
    )]
    IndexType {
        /// The type.
        name: String,
        /// Whether it is declared as a scalarset.
        scalarset: bool,
        /// Whether its elements have an order.
        ordered: bool,
    },
    /// A number became a named element.
    #[error("the element `{name}` of `{index_type}` is distinguished from the others")]
    NamedElement {
        /// The name.
        name: String,
        /// Its type.
        index_type: String,
    },
    /// A range stays finite.
    #[error("`{name}` is not symmetric: {blocker}")]
    FiniteType {
        /// The type.
        name: String,
        /// What breaks the symmetry.
        blocker: String,
    },
    /// A range is a sort of numbers.
    #[error("the bounds of `{name}` do not matter, so the proof is for any")]
    Number {
        /// The type.
        name: String,
    },
    /// A constant became a number that no rule changes.
    #[error("`{constant}` is a number that may have any value, so the proof is for any")]
    FreeConstant {
        /// The constant.
        constant: String,
    },
    /// A variable became a named element.
    #[error("`{variable}` is set only once, so it becomes a named element of `{index_type}`")]
    SetOnce {
        /// The variable.
        variable: String,
        /// Its type.
        index_type: String,
    },
    /// A rule of the system records that a property is violated.
    #[error(
        "no cubes, or too many, express the negation of `{property}`, so a rule or startstate that sets `{variable}` where it holds represents it"
    )]
    Monitor {
        /// The property.
        property: String,
        /// The variable.
        variable: String,
    },
    /// A variable is only set where a part of a guard holds.
    #[error(
        "the guard of rule `{rule}` says for all elements that something exists, so a variable `{variable}` that is only set \
         where this holds represents it"
    )]
    Alternation {
        /// The rule.
        rule: String,
        /// The variable.
        variable: String,
    },
    /// No case of a rule has a guard that can hold.
    #[error("the guard of rule `{rule}` is false in every state")]
    DeadRule {
        /// The rule.
        rule: String,
    },
}

/// Types that turned out not to be index types while the program was lowered with them as such.
type Blocked = BTreeMap<TypeId, (classes::Blocker, Origin)>;

/// What attempts to lower a program have found out.
#[derive(Default)]
struct Learned {
    /// The types that are not index types.
    blocked: Blocked,
    /// The state variables that are copied and may be undefined, as these types number them.
    undefined: BTreeSet<VariableId>,
    /// The values that are added to multisets and may be undefined.
    added: BTreeSet<Span>,
    /// What is read at neighbours, as these types number state variables.
    repeated: BTreeSet<neighbours::Repeat>,
}

impl Learned {
    /// Adds what an attempt has found out, given how many types were blocked before. Where these types or what is added to
    /// multisets number the state variables anew, nothing is kept that names them.
    fn add(&mut self, blocked: usize, undefined: BTreeSet<VariableId>, universe: &mut universe::Universe) {
        let added = self.added.len();
        self.added.append(&mut universe.added);
        if self.blocked.len() > blocked || self.added.len() > added {
            self.undefined.clear();
            self.repeated.clear();
        } else {
            self.undefined.extend(undefined);
            self.repeated.append(&mut universe.missing);
        }
    }

    fn len(&self) -> [usize; 4] {
        [self.blocked.len(), self.undefined.len(), self.added.len(), self.repeated.len()]
    }
}

/// Lowers a program.
///
/// If a loop over a range turns out to depend on the order of its elements, the range is not an index type, and
/// lowering starts again. Each time there is one index type fewer, so this terminates. If it matters whether an index
/// type has an element, lowering starts once more for those that have one: no type of Murphi is empty.
///
/// # Errors
/// Returns an error for everything in the program that has no parameterized meaning, except for properties, which are
/// left out and reported instead.
pub fn lower(program: &Program, options: &LowerOptions) -> Result<Lowered, Vec<Diagnostic>> {
    let mut shared = Shared { left: MOST_STEPS, modes: Modes::new() };
    let first = lower_by_size(program, options, MOST_FINITE, &mut shared);
    let (cases, work) = (Reason::TooManyCases { cases: 0 }.code(), Reason::TooMuchWork.code());
    let refusals = match &first {
        Ok(lowered) => &lowered.refused_properties,
        Err(refusals) => refusals,
    };
    // As integers, the values of more ranges need no cases, and conditions may list more pairs of values.
    let is_worth_it = refusals.iter().any(|refusal| refusal.code == cases)
        || (refusals.iter().any(|refusal| refusal.code == work) && numbers::has_medium_range(program));
    let is_stopped = options.stop.as_ref().is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed));
    if !is_worth_it || is_stopped {
        return first;
    }
    match (lower_by_size(program, options, FEW_FINITE, &mut shared), &first) {
        (Ok(second), Ok(first)) if second.refused_properties.len() < first.refused_properties.len() => Ok(second),
        (Ok(second), Err(_)) => Ok(second),
        (Ok(_) | Err(_), _) => first,
    }
}

/// Lowers a program in which ranges with bounds that are written as numbers stay finite if they have at most so many values.
fn lower_by_size(
    program: &Program,
    options: &LowerOptions,
    most_finite: i64,
    shared: &mut Shared,
) -> Result<Lowered, Vec<Diagnostic>> {
    let (mut refused, mut partial) = (None, None);
    let freedoms: &[Freedom] =
        if options.finite_numbers { &[] } else { &[Freedom::Constants, Freedom::Order, Freedom::Numbers] };
    shared.modes.clear();
    for &freedom in freedoms {
        let mut used = false;
        match lower_to(program, options, Allowance { freedom, most_finite }, &mut used, shared) {
            _ if !used => {}
            Ok(lowered)
                if lowered.refused_properties.iter().all(|refusal| refusal.code != Reason::AnyNumber.code()) =>
            {
                return Ok(with_counts(lowered));
            }
            Ok(lowered) => partial = partial.or(Some(lowered)),
            Err(refusals) => refused = refused.or(Some(refusals)),
        }
    }
    let allowance = Allowance { freedom: Freedom::None, most_finite };
    let finite = lower_to(program, options, allowance, &mut false, shared);
    // A range that is too large to be finite is refused for what it is used for.
    let is_large = |refusals: &[Diagnostic]| refusals.iter().any(|refusal| refusal.code == Reason::NoShape.code());
    match (finite, partial, refused) {
        (Err(refusals), Some(partial), _) if is_large(&refusals) => Ok(with_counts(partial)),
        (Err(refusals), None, Some(refused)) if is_large(&refusals) => Err(refused),
        (finite, ..) => finite.map(|mut lowered| {
            system::counts::constrain(&mut lowered.system);
            lowered
        }),
    }
}

/// Says which constants are numbers of elements, and adds the numbers of elements that the rules count.
fn with_counts(mut lowered: Lowered) -> Lowered {
    let variables = &lowered.system.variables;
    let size = |(index_type, size): (u32, &Affine)| {
        let (name, 1) = size.factors.first_key_value()? else { return None };
        let at = variables.iter().position(|own| own.path == [PathStep::Global(name.clone())])?;
        let variable = VariableId(u32::try_from(at).ok()?);
        let is_number = lowered.system.sort_of(variable).numbers.is_some() && size.factors.len() == 1;
        is_number.then_some(Size { index_type: IndexTypeId(index_type), variable, more: size.offset })
    };
    let sizes = (0..).zip(&lowered.sizes).filter_map(size).collect();
    lowered.system.sizes = sizes;
    lowered.system.make_parameters();
    lowered.free_numbers = true;
    system::counts::constrain(&mut lowered.system);
    system::counts::add(&mut lowered.system);
    lowered
}

/// Lowers a program with this freedom; sets `used` if the freedom makes a difference.
fn lower_to(
    program: &Program,
    options: &LowerOptions,
    allowance: Allowance,
    used: &mut bool,
    shared: &mut Shared,
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut learned = Learned::default();
    let mut settled = |inhabited: &BTreeSet<IndexTypeId>| loop {
        let known = learned.len();
        let result = attempt(program, options, &mut learned, inhabited, (allowance, &mut *used), shared);
        if (!*used && allowance.freedom != Freedom::None) || learned.len() == known {
            break result;
        }
    };
    let result = settled(&BTreeSet::new())?;
    let inhabited = inhabited::needed(program, &result);
    if inhabited.is_empty() {
        return Ok(result);
    }
    let mut result = settled(&inhabited)?;
    let axioms: Vec<_> = inhabited.iter().map(|&index_type| inhabited::axiom(&result.system, index_type)).collect();
    result.system.axioms.splice(0..0, axioms);
    Ok(result)
}

/// Lowers a program with all types as candidates for index types except the blocked ones. Ranges of order-dependent
/// loops are added to the blocked types, and variables that may be undefined to those that are known to; the result must
/// not be used then. The types in `inhabited` have an element.
fn attempt(
    program: &Program,
    options: &LowerOptions,
    learned: &mut Learned,
    inhabited: &BTreeSet<IndexTypeId>,
    (allowance, used): (Allowance, &mut bool),
    shared: &mut Shared,
) -> Result<Lowered, Vec<Diagnostic>> {
    let known = learned.blocked.len();
    let (mut model, mut universe) = model::Model::new(program, options, learned, allowance);
    *used = model.is_free();
    if !*used && allowance.freedom != Freedom::None {
        return Err(Vec::new());
    }
    universe.assume_inhabited(inhabited);
    universe.stop.clone_from(&options.stop);
    universe.copies.undefined.clone_from(&learned.undefined);
    universe.most_pairs = if allowance.most_finite == MOST_FINITE { pairs::FEW } else { pairs::MANY };
    let mut refusals = model.refused_variables();
    let left = shared.left / 2;
    let mut steps = Steps {
        left,
        few: left.saturating_sub(STEPS_TO_NARROW),
        // One path at a time is run faster than all of them together, so more steps are worth it, and even more where there is no
        // other form.
        by_path: if allowance.freedom == Freedom::None { 16 } else { 6 },
        of_one: options.most_steps.unwrap_or(MOST_STEPS_OF_ONE),
        splitting: if options.split_branches { Splitting::All } else { Splitting::None },
        shared,
    };
    let mut startstates = Vec::new();
    let mut assertions = Vec::new();
    for startstate in &program.startstates {
        let lowered = steps.by_cases(
            &mut universe,
            startstate.span,
            |_| 1,
            |universe| rules::lower_startstate(&model, universe, startstate),
        );
        match lowered {
            Ok(lowered) => {
                startstates.extend(lowered.startstates);
                assertions.extend(lowered.assertions);
            }
            Err(refusal) => refusals.push(refusal),
        }
    }
    let mut lowered_rules = Vec::new();
    for (source, rule) in program.rules.iter().enumerate() {
        if steps.left == 0 {
            // Whatever used them up is already refused.
            break;
        }
        let widest =
            |lowered: &rules::LoweredRule| lowered.rules.iter().map(|rule| width(&rule.transition)).max().unwrap_or(1);
        match steps
            .by_cases(&mut universe, rule.span, widest, |universe| rules::lower_rule(&model, universe, rule, source))
        {
            Ok(lowered) => {
                if lowered.rules.is_empty() {
                    let name = rule.name.clone().unwrap_or_default();
                    model
                        .notes
                        .push(Note { kind: NoteKind::DeadRule { rule: name }, origin: program.origin(rule.span) });
                }
                lowered_rules.extend(lowered.rules);
                assertions.extend(lowered.assertions);
            }
            Err(refusal) => refusals.push(refusal),
        }
    }
    for property in &program.properties {
        match steps
            .within(&mut universe, property.span, |universe| properties::assertions_in(&model, universe, property))
        {
            Ok(evaluated) => assertions.extend(evaluated),
            Err(refusal) => refusals.push(refusal),
        }
    }
    if !refusals.is_empty() {
        block_ranges(&model, &universe, &mut learned.blocked);
        learned.add(known, BTreeSet::new(), &mut universe);
        return Err(refusals.into_iter().map(Diagnostic::from).collect());
    }
    universe.cells.truncate(universe.state_variables);
    let mut system = System {
        index_types: universe.index_types.clone(),
        named: universe.named.clone(),
        constants: universe.constants.clone(),
        sorts: universe.sorts.clone(),
        variables: model.variables.clone(),
        rules: lowered_rules,
        startstates,
        properties: Vec::new(),
        axioms: Vec::new(),
        sizes: Vec::new(),
        claim: std::mem::take(&mut model.claim),
    };
    system.claim.assumptions = claim::assumptions(program);
    let facts = numbers::facts(program, &mut universe, &system);
    system.axioms =
        facts.map_err(|reason| vec![Diagnostic::from(reason::Refusal { reason, span: deadlock_span(program) })])?;
    let refused_properties =
        lower_properties(&mut model, &mut universe, &mut system, &assertions, options.deadlock, &mut steps);
    let replaced = alternations::replace_in_guards(&mut model, &mut universe, &mut system);
    system.constants.clone_from(&universe.constants);
    system.sorts.clone_from(&universe.sorts);
    block_ranges(&model, &universe, &mut learned.blocked);
    let undefined = universe.copies.missed();
    learned.add(known, undefined, &mut universe);
    replaced.map_err(|refusal| vec![Diagnostic::from(refusal)])?;
    let types = types_of(&model);
    let ordered = ordered_types(&model, &universe, &learned.blocked, !refused_properties.is_empty());
    let (notes, homes, sizes) = (model.notes, model.homes, model.sizes);
    Ok(Lowered { system, notes, refused_properties, types, homes, sizes, ordered, free_numbers: false })
}

/// Returns the index type that a type of the program is, if any.
fn types_of(model: &model::Model<'_>) -> BTreeMap<TypeId, IndexTypeId> {
    let types = (0..).map(TypeId).take(model.program.types.len());
    types.filter_map(|ty| model.index_type(ty).map(|index_type| (ty, index_type))).collect()
}

/// Returns the types of loops that depend on the order of their elements.
fn ordered_types(
    model: &model::Model<'_>,
    universe: &universe::Universe,
    blocked: &Blocked,
    properties_refused: bool,
) -> BTreeMap<TypeId, Origin> {
    let mut ordered = BTreeMap::new();
    for (ty, index_type) in types_of(model) {
        if let Some((_, span)) = universe.ordered.get(&index_type) {
            ordered.insert(ty, model.program.origin(*span));
        }
    }
    for (&ty, (blocker, origin)) in blocked {
        if *blocker == classes::Blocker::LoopOrder {
            ordered.insert(ty, origin.clone());
        }
    }
    for (ty, (_, span)) in order::stopped_early(model.program) {
        if model.index_type(ty).is_some() {
            ordered.entry(ty).or_insert_with(|| model.program.origin(span));
        }
    }
    if properties_refused {
        // The evaluation of these properties was not fully analyzed.
        for (ty, (_, span)) in order::ordered_by_properties(model.program) {
            ordered.entry(ty).or_insert_with(|| model.program.origin(span));
        }
    }
    ordered
}

/// Returns the ranges of loops that depend on the order of their elements. The elements of a scalarset have no order:
/// such a loop may run in any order.
fn block_ranges(model: &model::Model<'_>, universe: &universe::Universe, blocked: &mut Blocked) {
    for (ty, index_type) in types_of(model) {
        let is_range = matches!(model.program.types[ty.index()].kind, TypeKind::Range(..));
        if let Some((blocker, span)) = universe.ordered.get(&index_type)
            && is_range
        {
            blocked.insert(ty, (blocker.clone(), model.program.origin(*span)));
        }
    }
    for (&ty, &span) in &universe.added_twice {
        blocked.entry(ty).or_insert_with(|| (classes::Blocker::AddedTwice, model.program.origin(span)));
    }
}

/// The number of simplification steps for a program. Most programs need few; all of them take about a minute. Each attempt to lower the
/// program takes at most half of what is left.
const MOST_STEPS: u64 = 480_000_000;
/// The number of steps of an attempt after which wide rules stay as they are.
const STEPS_TO_NARROW: u64 = 60_000_000;
/// The number of steps for a rule, startstate or property.
const MOST_STEPS_OF_ONE: u64 = 4_000_000;

/// A rule with a case through which more ways lead is lowered by more cases: obligations multiply with them. The rules of FLASH
/// have at most 18.
const MOST_WAYS: u64 = 24;

/// The remaining steps. Steps are counted rather than timed, so that the same text is always refused at the same place.
struct Steps<'m> {
    left: u64,
    /// With so few left, wide rules stay as they are.
    few: u64,
    /// How many times as many steps there are for a rule each of whose branches is a case.
    by_path: u64,
    of_one: u64,
    /// Which branches are cases at first.
    splitting: Splitting,
    shared: &'m mut Shared,
}

/// What the attempts to lower a program share.
struct Shared {
    /// The remaining steps for all of them.
    left: u64,
    /// How earlier attempts went.
    modes: Modes,
}

/// For the rules and startstates with too many cases in an earlier attempt to lower the program, which branches are cases
/// at first.
type Modes = BTreeMap<Span, Splitting>;

impl Steps<'_> {
    /// Lowers a rule or startstate within the remaining steps. If there are too many cases, if they are too large or too
    /// wide, branches become cases of their own. `width` is the number of ways through the widest case.
    fn by_cases<T>(
        &mut self,
        universe: &mut universe::Universe,
        span: Span,
        width: impl Fn(&T) -> u64,
        mut lower: impl FnMut(&mut universe::Universe) -> Result<T, reason::Refusal>,
    ) -> Result<T, reason::Refusal> {
        universe.splitting = self.splitting.max(self.shared.modes.get(&span).copied().unwrap_or_default());
        universe.splits.clear();
        // The narrowest form so far, with the number of ways through it.
        let mut narrowest: Option<(T, u64)> = None;
        loop {
            let (known, splitting) = (universe.splits.len(), universe.splitting);
            let found = (universe.added_twice.clone(), universe.either);
            let (is_too_much, refusal) = match self.within(universe, span, &mut lower) {
                Ok(lowered) => {
                    let ways = width(&lowered);
                    if narrowest.as_ref().is_none_or(|(_, least)| ways < *least) {
                        narrowest = Some((lowered, ways));
                        self.shared.modes.insert(span, splitting);
                    } else {
                        (universe.added_twice, universe.either) = found;
                    }
                    (ways > MOST_WAYS && self.left > self.few, None)
                }
                Err(refusal) => {
                    let reason = &refusal.reason;
                    let is_too_much = matches!(
                        reason,
                        Reason::TooMuchWork
                            | Reason::TooManyCases { .. }
                            | Reason::TooManyWays { .. }
                            | Reason::TooManyDisjuncts { .. }
                    );
                    // What a form that is not used has met is of no matter.
                    if narrowest.is_some() {
                        (universe.added_twice, universe.either) = found;
                    }
                    (is_too_much || narrowest.is_some(), Some(refusal))
                }
            };
            let again = is_too_much && !universe.is_stopped() && self.left > 0;
            if again && splitting == Splitting::Some && universe.splits.len() > known {
                continue;
            }
            let next = splitting.next().filter(|_| again);
            universe.splitting = next.unwrap_or_default();
            match (next, narrowest.take(), refusal) {
                (Some(next), kept, _) => {
                    if kept.is_none() {
                        self.shared.modes.insert(span, next);
                    }
                    narrowest = kept;
                }
                (None, Some((lowered, _)), _) => return Ok(lowered),
                (None, None, Some(refusal)) => return Err(refusal),
                (None, None, None) => unreachable!("what is lowered is kept"),
            }
        }
    }

    /// Lowers a property within the remaining steps. If its negation has too many cubes, a monitor expresses it.
    fn express(
        &mut self,
        model: &mut model::Model<'_>,
        universe: &mut universe::Universe,
        system: &mut System,
        claim: &Claim,
    ) -> Result<Property, reason::Refusal> {
        let mut express =
            |form| self.within(universe, claim.span, |universe| never(model, universe, system, claim, form));
        match express(Form::Cubes) {
            Err(refusal) if matches!(refusal.reason, Reason::TooMuchWork | Reason::TooManyDisjuncts { .. }) => {
                express(Form::Monitor)
            }
            by_cubes => by_cubes,
        }
    }

    /// Lowers the item at this place within the remaining steps.
    fn within<T>(
        &mut self,
        universe: &mut universe::Universe,
        span: Span,
        lower: impl FnOnce(&mut universe::Universe) -> Result<T, reason::Refusal>,
    ) -> Result<T, reason::Refusal> {
        if universe.is_stopped() {
            self.left = 0;
        }
        let more = if universe.splitting == Splitting::All { self.by_path } else { 1 };
        let given = self.left.min(self.of_one.saturating_mul(more));
        universe.allow(given);
        let lowered = lower(universe);
        let spent = given - universe.allowance();
        self.left -= spent;
        self.shared.left -= spent;
        if universe.take_apart() && lowered.is_ok() {
            return Err(reason::Refusal { reason: Reason::Apart, span });
        }
        lowered
    }
}

/// Returns the place of a deadlock, which is none of a statement: that of the first rule.
pub(crate) fn deadlock_span(program: &Program) -> Span {
    program
        .rules
        .first()
        .map(|rule| rule.span)
        .or(program.startstates.first().map(|start| start.span))
        .unwrap_or_default()
}

/// Adds the properties to the system; returns those that are refused.
fn lower_properties(
    model: &mut model::Model<'_>,
    universe: &mut universe::Universe,
    system: &mut System,
    assertions: &[rules::FailedAssertion],
    deadlock: Option<Deadlock>,
    steps: &mut Steps<'_>,
) -> Vec<Diagnostic> {
    let mut refused = Vec::new();
    let mut properties = Vec::new();
    // The axioms so far are facts about types and constants, and need not be assumed.
    let facts = system.axioms.len();
    for property in &model.program.properties {
        let refusal = if property.kind == PropertyKind::Assume {
            let lower = |universe: &mut _| properties::lower_axiom(model, universe, system, property);
            steps.within(universe, property.span, lower).map(|axiom| system.axioms.push(axiom))
        } else {
            steps
                .within(universe, property.span, |universe| properties::of_property(model, universe, property))
                .and_then(|claim| steps.express(model, universe, system, &claim))
                .map(|property| properties.push(property))
        };
        if let Err(refusal) = refusal {
            refused.push((claim::stated(property), refusal));
        }
    }
    let assumed = system.axioms.len();
    for (name, span) in model.program.cover_statements() {
        let refusal = reason::Refusal { reason: reason::Reason::NotInvariant { kind: "cover" }, span };
        refused.push((claim::Stated::new("cover", name, span), refusal));
    }
    let mut by_source: BTreeMap<_, Vec<&rules::FailedAssertion>> = BTreeMap::new();
    for assertion in assertions {
        by_source.entry(assertion.assertion.clone()).or_default().push(assertion);
    }
    for failures in by_source.values() {
        let claim = steps.within(universe, failures[0].assertion.span, |universe| {
            properties::of_assertion(model, universe, system, failures)
        });
        match claim.and_then(|claim| steps.express(model, universe, system, &claim)) {
            Ok(property) => properties.push(property),
            Err(refusal) => refused.push((claim::asserted(&failures[0].assertion), refusal)),
        }
    }
    if let Some(deadlock) = deadlock {
        let span = deadlock_span(model.program);
        match steps
            .within(universe, span, |universe| properties::deadlock_property(model, universe, system, deadlock, span))
        {
            Ok(property) => properties.push(property),
            Err(refusal) => refused.push((claim::Stated::new("deadlock", Some(Deadlock::PROPERTY), span), refusal)),
        }
    }
    system.properties = properties;
    let immutable: Vec<bool> = system.axioms.iter().map(|axiom| system.is_immutable(&axiom.formula)).collect();
    for (axiom, immutable) in system.axioms.iter_mut().zip(immutable) {
        axiom.immutable = immutable;
    }
    system.claim.assumptions.extend(system.axioms[facts..assumed].iter().map(claim::assumed));
    let told = refused.into_iter().map(|(stated, refusal)| {
        let diagnostic = Diagnostic::from(refusal);
        system.claim.left_out.push(stated.left_out(model.program, &diagnostic));
        diagnostic
    });
    told.collect()
}
