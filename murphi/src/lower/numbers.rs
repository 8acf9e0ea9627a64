//! Decides which ranges are numbers that may be any integer, which index types are ordered, and which constants are
//! numbers.
//!
//! A range whose bounds depend on a constant keeps that constant at its value, unless the range becomes a sort of
//! numbers: all integers. Its values are then only assigned, compared and moved by constants. What leaves the range is a
//! run-time error, which has no successor: this stays so at a bound that is known, and a bound that depends on a constant
//! is dropped, which only adds behaviour. A range that indexes arrays and whose elements are also compared by their order
//! becomes an index type with a rank: a number for each element, of which axioms say what is known. A constant that
//! bounds such a range and is also used as a value becomes a number that no rule changes.

use std::collections::{BTreeMap, BTreeSet};

use super::classes::{Blocker, Class, ClassId, Classes, Extent};
use super::logic::{and, at_most, equal, not};
use super::model::LARGEST_RANGE;
use super::monitors::Violation;
use super::normal::Purpose;
use super::properties::{Negated, negated};
use super::reason::Reason;
use super::sizes::ConstantUses;
use super::universe::{Limit, Limits, Universe};
use crate::program::{Affine, ExpressionKind, Program, Span, TypeId};
use system::{
    Axiom, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Numbers, Origin, Role, System, Term,
    VariableId,
};

/// A range with at most this many values stays finite if no constant determines its bounds.
pub(super) const MOST_FINITE: i64 = 64;
/// The same where computing with ranges that stay finite has too many cases.
pub(super) const FEW_FINITE: i64 = 8;

/// How much of a program may be lowered to numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freedom {
    /// Ranges are numbers, index types may be ordered, and constants are numbers.
    Constants,
    /// Ranges are numbers, and index types may be ordered.
    Order,
    /// Ranges are numbers.
    Numbers,
    /// Everything is finite that is not symmetric.
    None,
}

/// What an attempt to lower a program may make of its ranges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    pub(super) freedom: Freedom,
    /// A range with more values is numbers even if no constant determines its bounds.
    pub(super) most_finite: i64,
}

/// The classes of types that are numbers or ordered, and the constants that are numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Free {
    pub(super) numbers: BTreeSet<ClassId>,
    pub(super) ordered: BTreeSet<ClassId>,
    pub(super) constants: BTreeSet<String>,
}

impl Free {
    /// Returns whether nothing is free.
    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.ordered.is_empty()
    }

    /// Decides among the classes that are not symmetric; these are in `broken`, each with the reason if it has one.
    pub(super) fn new(
        program: &Program,
        classes: &Classes,
        of_type: &BTreeMap<TypeId, ClassId>,
        uses: &ConstantUses<'_>,
        broken: &BTreeMap<ClassId, Option<(Blocker, Origin)>>,
        allowance: Allowance,
    ) -> Self {
        let mut free = Self::default();
        if allowance.freedom == Freedom::None {
            return free;
        }
        let is_kept = |why: &Option<(Blocker, Origin)>| {
            matches!(why, Some((Blocker::Forbidden | Blocker::SizeIsValue { .. }, _)))
        };
        for (&id, _) in broken.iter().filter(|(_, why)| !is_kept(why)) {
            let class = classes.get(id);
            // A range that is too large to be finite is refused where it is used for more.
            let only = class.extent.size() > LARGEST_RANGE && !class.indexes;
            if (class.number || only) && is_worth_it(class, allowance.most_finite) {
                free.numbers.insert(id);
            } else if allowance.freedom != Freedom::Numbers && class.indexes && class.is_ordered() {
                free.ordered.insert(id);
            }
        }
        while free.drop_one(program, classes, of_type, uses, broken, allowance) {}
        free
    }

    /// Decides on the constants, and drops a class that gains nothing by them. Returns whether there was one.
    fn drop_one(
        &mut self,
        program: &Program,
        classes: &Classes,
        of_type: &BTreeMap<TypeId, ClassId>,
        uses: &ConstantUses<'_>,
        broken: &BTreeMap<ClassId, Option<(Blocker, Origin)>>,
        allowance: Allowance,
    ) -> bool {
        let is_free = |ty: TypeId| {
            let class = of_type.get(&ty).map(|class| classes.find(*class));
            let known = |class: &ClassId| self.numbers.contains(class) || self.ordered.contains(class);
            class.is_some_and(|class| !broken.contains_key(&class) || known(&class))
                || super::multisets::is_multiset(program, ty)
        };
        let bounding: BTreeSet<&str> =
            self.numbers.iter().chain(&self.ordered).flat_map(|class| classes.get(*class).constants()).collect();
        let is_value = |constant: &str| uses.value(constant, &is_free).is_some();
        // The capacity of a multiset is no number.
        let sizes_type = |constant: &str| {
            program.bounds.iter().any(|(ty, (_, size))| {
                super::multisets::is_multiset(program, *ty) && size.factors.contains_key(constant)
            })
        };
        // A constant that is written for an element of a symmetric type is that element, whatever the number.
        let is_element = |constant: &str| {
            let symmetric = classes.representatives().into_iter().filter(|class| !broken.contains_key(class));
            let written = uses.mentions(constant);
            symmetric.flat_map(|class| &classes.get(class).written).any(|name| written.contains_key(name.as_str()))
        };
        let as_number = |constant: &str| {
            allowance.freedom == Freedom::Constants
                && !sizes_type(constant)
                && !is_element(constant)
                && is_value(constant)
                && uses.besides_expressions(constant, &is_free).is_none()
                && is_visible(program, uses, constant)
        };
        let constants: BTreeSet<String> =
            bounding.iter().filter(|constant| as_number(constant)).map(|constant| (*constant).to_owned()).collect();
        let is_fixed = |constant: &str| is_value(constant) && !constants.contains(constant);
        let fixed = |class: &ClassId| classes.get(*class).constants().into_iter().any(is_fixed);
        let points_elsewhere = |class: &ClassId| {
            let arrays = classes.get(*class).points_into.iter().map(|array| classes.find(*array));
            arrays.into_iter().any(|array| !self.ordered.contains(&array))
        };
        let is_large = |class: &ClassId| classes.get(*class).extent.size() > allowance.most_finite;
        let number =
            self.numbers.iter().find(|class| points_elsewhere(class) || (fixed(class) && !is_large(class))).copied();
        let ordered = self.ordered.iter().find(|class| fixed(class)).copied();
        self.constants = constants;
        match (number, ordered) {
            (Some(class), _) => self.numbers.remove(&class),
            (None, Some(class)) => self.ordered.remove(&class),
            (None, None) => false,
        }
    }
}

/// Returns whether a range is finite or numbers depending on how many values a finite one may have.
pub(super) fn has_medium_range(program: &Program) -> bool {
    let classes = super::infer::infer(program, &BTreeSet::new()).classes;
    let is_medium = |class: &Class| {
        class.number && is_worth_it(class, FEW_FINITE) && (FEW_FINITE + 1..=MOST_FINITE).contains(&class.extent.size())
    };
    classes.representatives().into_iter().any(|id| is_medium(classes.get(id)))
}

/// Returns whether a range is better as numbers than as constants: a constant determines its bounds, or it is large.
fn is_worth_it(class: &Class, most_finite: i64) -> bool {
    let is_range = matches!(class.extent, Extent::Range { .. });
    is_range && class.bounds.is_some() && (!class.constants().is_empty() || class.extent.size() > most_finite)
}

/// Returns whether lowering sees each place where a value depends on the constant, as a number that is the constant plus
/// another number. The value of an alias, for instance, is known as a number only.
fn is_visible(program: &Program, uses: &ConstantUses<'_>, constant: &str) -> bool {
    let mut integers: BTreeSet<Span> = BTreeSet::new();
    program.each_expression(&mut |expression| {
        if let ExpressionKind::Integer(_) = expression.kind {
            integers.insert(expression.span);
        }
    });
    uses.mentions(constant).into_iter().all(|(name, places)| {
        let form = program.forms.get(name);
        // What is computed in another way is another constant.
        let is_sum = form.is_some_and(|form| form.factors.iter().all(|(own, factor)| own == constant && *factor == 1));
        places.is_empty() || (is_sum && places.iter().all(|place| integers.contains(place)))
    })
}

/// Returns the limits of a range, as far as they are known: numbers, and constants that are numbers.
pub(super) fn limits(bounds: &(Affine, Affine), constants: &BTreeMap<String, VariableId>) -> Limits {
    let limit = |bound: &Affine| -> Option<Limit> { sum(bound, constants) };
    Limits { low: limit(&bounds.0), high: limit(&bounds.1) }
}

/// Returns a number in terms of constants as a term plus a number, if it is one.
pub(super) fn sum(form: &Affine, constants: &BTreeMap<String, VariableId>) -> Option<Limit> {
    let mut factors = form.factors.iter();
    match (factors.next(), factors.next()) {
        (None, _) => Some((Term::Zero, form.offset)),
        (Some((name, 1)), None) => Some((Term::Read(*constants.get(name)?, Vec::new()), form.offset)),
        (Some(_), _) => None,
    }
}

/// Returns the least value that the types that are written allow for a constant: none of them is empty.
fn least(program: &Program, constant: &str) -> Option<i64> {
    let of_type = |(first, last): &(Affine, Affine)| {
        let is_only = last.factors.len() == 1 && last.factors.get(constant) == Some(&1);
        (first.factors.is_empty() && is_only).then_some(first.offset - last.offset)
    };
    let is_inhabited = |ty: &TypeId| program.is_inhabited(*ty);
    program.bounds.iter().filter(|(ty, _)| is_inhabited(ty)).filter_map(|(_, bounds)| of_type(bounds)).max()
}

/// Returns the numbers that an instance explores for a constant.
pub(super) fn explored(program: &Program, constant: &str) -> Numbers {
    let value = program.constants.iter().find(|(name, _)| name == constant).map_or(0, |(_, value)| *value);
    Numbers { low: least(program, constant).unwrap_or(value).min(value), high: value.saturating_add(2) }
}

/// Returns what is known about ranks and about constants that are numbers.
///
/// # Errors
/// Returns an error if a fact cannot be written as cubes, which is a bug.
pub(super) fn facts(program: &Program, universe: &mut Universe, system: &System) -> Result<Vec<Axiom>, Reason> {
    let mut facts = Vec::new();
    for (constant, variable) in universe.sizes.clone() {
        if let Some(least) = least(program, &constant) {
            let bad = at_most(&Term::Read(variable, Vec::new()), &Term::Zero, least - 1);
            let place = program.constant_uses.iter().find(|mention| mention.name == constant);
            let origin = program.origin(place.map_or(Span { start: 0, end: 0 }, |place| place.span));
            facts.push(fact(universe, system, format!("{constant} is at least {least}"), Vec::new(), bad, origin)?);
        }
    }
    for (whole, halves) in universe.halves.clone() {
        let [down, up] = halves.map(|half| Term::Read(half, Vec::new()));
        let (name, origin) = (&system.variables[whole.index()].name, &system.variables[whole.index()].origin);
        let whole = Term::Read(whole, Vec::new());
        let known = [
            (format!("{name} / 2 is rounded down"), at_most(&up, &down, -1)),
            (format!("({name} + 1) / 2 is at most 1 more"), at_most(&down, &up, -2)),
            (
                format!("{name} / 2 is less than {name}"),
                and([at_most(&Term::Zero, &whole, -1), at_most(&whole, &down, 0)]),
            ),
            (
                format!("{name} / 2 is not negative"),
                and([at_most(&Term::Zero, &whole, 0), at_most(&down, &Term::Zero, -1)]),
            ),
        ];
        for (name, bad) in known {
            facts.push(fact(universe, system, name, Vec::new(), bad, origin.clone())?);
        }
    }
    for (index_type, rank) in universe.ranks.clone() {
        let name = system.written_type(index_type);
        let origin = system.index_types[index_type.index()].origin.clone();
        let element = |at: u32| IndexTerm::Variable(IndexVariableId(at));
        let ranked = |at: u32| Term::Read(rank, vec![element(at)]);
        let equal = equal(universe_of(universe, index_type, 2), &Term::Index(element(0)), &Term::Index(element(1)));
        let bad = and([not(equal), at_most(&ranked(0), &ranked(1), 0), at_most(&ranked(1), &ranked(0), 0)]);
        let scope = vec![bound("x", index_type), bound("y", index_type)];
        facts.push(fact(universe, system, format!("{name} is ordered"), scope, bad, origin.clone())?);
        let limits = universe.limits_of(rank);
        let below =
            limits.low.map(|(term, sum)| (format!("{name} has a first number"), at_most(&ranked(0), &term, sum - 1)));
        let above =
            limits.high.map(|(term, sum)| (format!("{name} has a last number"), at_most(&term, &ranked(0), -sum - 1)));
        for (name, bad) in below.into_iter().chain(above) {
            facts.push(fact(universe, system, name, vec![bound("x", index_type)], bad, origin.clone())?);
        }
        for at in 0..universe.named.len() {
            let named = &universe.named[at];
            if named.index_type != index_type {
                continue;
            }
            let number = system.index_types[index_type.index()].first + i64::from(named.position);
            let own = Term::Read(rank, vec![IndexTerm::Named(system::NamedId(super::universe::position(at)))]);
            let is = and([at_most(&own, &Term::Zero, number), at_most(&Term::Zero, &own, -number)]);
            let name = format!("{} is {number}", named.name);
            facts.push(fact(universe, system, name, Vec::new(), not(is), origin.clone())?);
        }
    }
    let mut alike: BTreeMap<Alike, Vec<(VariableId, VariableId)>> = BTreeMap::new();
    for (&(of, at, by), &repeat) in &universe.repeats {
        let arguments = universe.cells[of.index()].arguments.clone();
        alike.entry((arguments, at, by)).or_default().push((of, repeat));
    }
    for ((arguments, at, by), repeats) in alike {
        facts.push(repeat_fact(universe, system, &arguments, (at, by), &repeats)?);
    }
    Ok(facts)
}

/// What state variables that repeat others in the same way have in common: the types of the arguments, the position of the one whose
/// rank is another one, and the difference of the ranks.
type Alike = (Vec<IndexTypeId>, u32, i64);

/// Returns what is known of the state variables that repeat others in this way: for each element for which there is one with
/// the other rank, they have the values that these have there.
fn repeat_fact(
    universe: &mut Universe,
    system: &System,
    arguments: &[IndexTypeId],
    (at, by): (u32, i64),
    repeats: &[(VariableId, VariableId)],
) -> Result<Axiom, Reason> {
    let moved = arguments[at as usize];
    let rank = universe.ranks[&moved];
    let scope: Vec<IndexVariable> = arguments.iter().chain([&moved]).map(|over| bound("x", *over)).collect();
    universe.scope.clone_from(&scope);
    let own: Vec<IndexTerm> = (0..arguments.len())
        .map(|number| IndexTerm::Variable(IndexVariableId(super::universe::position(number))))
        .collect();
    let next = IndexVariableId(super::universe::position(arguments.len()));
    let mut there = own.clone();
    there[at as usize] = IndexTerm::Variable(next);
    let own_rank = Term::Read(rank, vec![own[at as usize]]);
    let mut same = vec![universe.has_rank(IndexTerm::Variable(next), &(own_rank.clone(), by))];
    for &(of, repeat) in repeats {
        let (here, there) = (Term::Read(repeat, own.clone()), Term::Read(of, there.clone()));
        same.push(if universe.sort_of(of).numbers.is_some() {
            and([at_most(&here, &there, 0), at_most(&there, &here, 0)])
        } else {
            equal(universe, &here, &there)
        });
    }
    let limits = universe.limits_of(rank);
    // Only where the ranks are known lowering repeats a variable.
    let limit = |limit: Option<Limit>| limit.ok_or(Reason::AnyNumber);
    let ((low, least), (high, greatest)) = (limit(limits.low)?, limit(limits.high)?);
    // The other limit is that of the rank of every element.
    let exists = if by > 0 { at_most(&own_rank, &high, greatest - by) } else { at_most(&low, &own_rank, by - least) };
    let bad = and([exists, Formula::Forall(next, Box::new(not(and(same))))]);
    let free = (0..arguments.len()).map(|number| IndexVariableId(super::universe::position(number))).collect();
    let Negated { scope, formula, bad } = negated(universe, system, &[Violation { scope, free, bad }], Purpose::Axiom)?;
    let first = repeats.first().map(|(of, _)| &system.variables[of.index()]);
    let name = first.map(|of| format!("{} is repeated", of.name)).unwrap_or_default();
    let origin = first.map(|of| of.origin.clone()).unwrap_or_default();
    Ok(Axiom { name, scope, formula, bad, immutable: false, origin })
}

/// Returns the universe with a scope of variables of one type.
fn universe_of(universe: &mut Universe, index_type: IndexTypeId, count: usize) -> &Universe {
    universe.scope = vec![bound("", index_type); count];
    universe
}

fn bound(name: &str, index_type: IndexTypeId) -> IndexVariable {
    IndexVariable { name: name.to_owned(), index_type, role: Role::Bound }
}

/// Returns the axiom that no elements are bad.
fn fact(
    universe: &mut Universe,
    system: &System,
    name: String,
    scope: Vec<IndexVariable>,
    bad: Formula,
    origin: Origin,
) -> Result<Axiom, Reason> {
    let free = (0..scope.len()).map(|at| IndexVariableId(super::universe::position(at))).collect();
    let negated = negated(universe, system, &[Violation { scope, free, bad }], Purpose::Axiom)?;
    Ok(Axiom { name, scope: negated.scope, formula: negated.formula, bad: negated.bad, immutable: true, origin })
}
