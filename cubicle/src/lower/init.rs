//! The initial states: a formula becomes startstates, each of which gives every variable a value of its own.
//!
//! A startstate of a system says for each variable which value it has, or that it has any. So the formula has to be a
//! conjunction of equations for arrays, and of anything without quantified processes for the other variables. Variables
//! that are compared with each other get a common value, which is a parameter of the startstate or a case of its own. What
//! does not have this form is refused. The parameters of `init` may denote equal processes.

mod choices;
mod growth;

use std::collections::BTreeMap;

use system::front_end::Span;
use system::{Formula, IndexTerm, IndexVariable, IndexVariableId, Literal, Startstate, Transition, Update, Value};

use super::formulas::{conditional, conjunction};
use super::{Fault, Lowering, Refusal, element, number, scope};
use crate::program::{self, Local, Process, Relation, Term, VariableId};
use choices::{Choice, Classes};
pub(super) use growth::add as add_growth;
use growth::{Growing, Limits};

/// Why a condition is refused.
const SUM: &str = "it computes with numbers";
/// More startstates are refused.
const MOST_STARTSTATES: usize = 64;

/// How two terms compare.
#[derive(Clone, Copy)]
enum Condition<'f> {
    /// Whether they are equal.
    Equation(&'f Term, bool, &'f Term),
    /// The first number is less than the second, or at most, unless it has to be less.
    Bound(&'f Term, &'f Term, Bound),
}

#[derive(Clone, Copy)]
struct Bound {
    is_strict: bool,
    span: Span,
}

/// The initial states.
#[derive(Default)]
pub(super) struct Initially {
    pub(super) startstates: Vec<Startstate>,
    /// What holds of numbers that no rule changes.
    pub(super) axioms: Vec<(Literal, Span)>,
    pub(super) growing: Vec<Growing>,
}

/// Returns the startstates, and what else there is to the initial states.
pub(super) fn initially(lowering: &Lowering<'_>) -> Result<Initially, Refusal> {
    let init = &lowering.program.init;
    let mut disjuncts: Vec<Vec<Condition<'_>>> = vec![Vec::new()];
    for conjunct in init.formula.conjuncts() {
        let cases = cases(lowering, conjunct, true)?;
        if cases.len() > 1 && cases.iter().flatten().any(|condition| locals(condition).next().is_some()) {
            return Err(refused("a condition about all processes has several cases", init.span));
        }
        let with =
            |disjunct: &Vec<_>| cases.iter().map(|case| [disjunct.as_slice(), case].concat()).collect::<Vec<_>>();
        disjuncts = disjuncts.iter().flat_map(with).collect();
        limited(disjuncts.len(), init.span)?;
    }
    let (mut all, mut needs_a_process) = (Initially::default(), false);
    let is_only = disjuncts.len() == 1;
    for disjunct in disjuncts {
        let start = Start::new(lowering, &disjunct)?;
        let has_limits = !start.limits.is_empty() || !start.fixed.is_empty();
        if has_limits && !is_only {
            return Err(refused("it limits numbers in one of several cases", init.span));
        }
        needs_a_process |= start.has_contradiction();
        let own = start.initially()?;
        all.startstates.extend(own.startstates);
        all.axioms.extend(own.axioms);
        all.growing.extend(own.growing);
        limited(all.startstates.len(), init.span)?;
    }
    // Without processes, the conditions about all of them hold.
    let says_something = lowering.program.unsafes.iter().any(|claim| claim.parameters == 0);
    if all.startstates.is_empty() && needs_a_process && says_something {
        return Err(refused("no state satisfies the condition if there is a process", init.span));
    }
    Ok(all)
}

fn limited(count: usize, span: Span) -> Result<(), Refusal> {
    let (what, limit) = ("startstates", MOST_STARTSTATES);
    if count > limit { Err((Fault::TooMany { count, what, limit }, span)) } else { Ok(()) }
}

fn refused(reason: &'static str, span: Span) -> Refusal {
    (Fault::Initial { reason }, span)
}

/// Returns the disjuncts of a formula without quantifiers, or of its negation.
fn cases<'f>(
    lowering: &Lowering<'_>,
    formula: &'f program::Formula,
    positive: bool,
) -> Result<Vec<Vec<Condition<'f>>>, Refusal> {
    match formula {
        program::Formula::Constant(truth) if *truth == positive => Ok(vec![Vec::new()]),
        program::Formula::Constant(_) => Ok(Vec::new()),
        program::Formula::Compare(left, relation, right, span) if lowering.program.is_number(left) => {
            Ok(numeric(left, *relation, right, positive, *span))
        }
        program::Formula::Compare(left, Relation::Equal, right, _) => {
            Ok(vec![vec![Condition::Equation(left, positive, right)]])
        }
        program::Formula::Compare(_, Relation::Less | Relation::LessEqual, _, span) => Err((Fault::Order, *span)),
        program::Formula::Not(inner) => cases(lowering, inner, !positive),
        program::Formula::Quantified(own) => Err((Fault::Quantifier { what: own.keyword }, own.span)),
        program::Formula::And(parts) if positive => product(lowering, parts, positive),
        program::Formula::Or(parts) if !positive => product(lowering, parts, positive),
        program::Formula::And(parts) | program::Formula::Or(parts) => {
            let all: Result<Vec<_>, _> = parts.iter().map(|part| cases(lowering, part, positive)).collect();
            Ok(all?.concat())
        }
    }
}

fn product<'f>(
    lowering: &Lowering<'_>,
    parts: &'f [program::Formula],
    positive: bool,
) -> Result<Vec<Vec<Condition<'f>>>, Refusal> {
    let mut all = vec![Vec::new()];
    for part in parts {
        let more = cases(lowering, part, positive)?;
        all = all.iter().flat_map(|one| more.iter().map(move |other| [one.as_slice(), other].concat())).collect();
        limited(all.len(), Span::default())?;
    }
    Ok(all)
}

/// Returns the disjuncts of a comparison of two numbers, or of its negation.
fn numeric<'f>(
    left: &'f Term,
    relation: Relation,
    right: &'f Term,
    positive: bool,
    span: Span,
) -> Vec<Vec<Condition<'f>>> {
    let bound = |less, more, is_strict| vec![Condition::Bound(less, more, Bound { is_strict, span })];
    match (relation, positive) {
        (Relation::Equal, true) => vec![vec![Condition::Equation(left, true, right)]],
        (Relation::Equal, false) => vec![bound(left, right, true), bound(right, left, true)],
        (Relation::Less, true) => vec![bound(left, right, true)],
        (Relation::Less, false) => vec![bound(right, left, false)],
        (Relation::LessEqual, true) => vec![bound(left, right, false)],
        (Relation::LessEqual, false) => vec![bound(right, left, true)],
    }
}

/// Returns the variables that denote all processes in a condition.
fn locals<'f>(condition: &Condition<'f>) -> impl Iterator<Item = Local> + use<'f> {
    let (Condition::Equation(left, _, right) | Condition::Bound(left, right, _)) = *condition;
    let of = |term: &'f Term| match term {
        Term::Value(..) | Term::Number(..) => [].as_slice(),
        Term::Process(process) => std::slice::from_ref(process),
        Term::Read(_, indices) | Term::Sum(_, indices, _) => indices.as_slice(),
    };
    of(left).iter().chain(of(right)).filter_map(|process| match process {
        Process::Local(local) => Some(*local),
        Process::Constant(_) => None,
    })
}

/// A value that an array has in the elements with certain indices.
struct Element {
    indices: Vec<Process>,
    value: Initial,
}

/// An initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Initial {
    /// A value of a type with named values, or something that is no process.
    Constant(system::ConstantId),
    /// A process constant, or a process that is an index of the element.
    Process(Process),
    /// The value of a variable without indices.
    Of(VariableId),
    Number(i64),
}

/// The conditions of one disjunct, sorted by what they concern.
struct Start<'l> {
    lowering: &'l Lowering<'l>,
    /// The variables without indices.
    classes: Classes,
    elements: BTreeMap<VariableId, Vec<Element>>,
    /// The known values of variables without indices that are numbers.
    numbers: Vec<(VariableId, i64)>,
    /// The numbers that have limits but no known values.
    limits: BTreeMap<VariableId, Limits>,
    /// Bounds of numbers that no rule changes.
    fixed: Vec<(Literal, Span)>,
    /// What cannot be expressed, unless no state satisfies the disjunct.
    refusal: Option<Refusal>,
    /// Whether no state satisfies the disjunct.
    is_empty: bool,
}

impl<'l> Start<'l> {
    fn new(lowering: &'l Lowering<'l>, conditions: &[Condition<'_>]) -> Result<Self, Refusal> {
        let classes = Classes::new(lowering.program.variables.len());
        let mut start = Self {
            lowering,
            classes,
            elements: BTreeMap::new(),
            numbers: Vec::new(),
            limits: BTreeMap::new(),
            fixed: Vec::new(),
            refusal: None,
            is_empty: false,
        };
        for condition in conditions {
            let (left, equal, right) = match *condition {
                Condition::Bound(left, right, bound) => {
                    start.bound(left, right, bound)?;
                    continue;
                }
                Condition::Equation(left, equal, right) => (left, equal, right),
            };
            match (left, right) {
                (Term::Read(variable, indices), other) | (other, Term::Read(variable, indices))
                    if !indices.is_empty() =>
                {
                    start.element(*variable, indices, equal, other)?;
                }
                (Term::Read(variable, _), other) | (other, Term::Read(variable, _)) => {
                    start.scalar(*variable, equal, other)?;
                }
                (one, other) => start.constants(one, equal, other)?,
            }
        }
        start.settle()?;
        Ok(start)
    }

    fn refused<T>(&self, reason: &'static str) -> Result<T, Refusal> {
        Err(refused(reason, self.lowering.program.init.span))
    }

    /// Adds a condition that reads no variable.
    fn constants(&mut self, one: &Term, equal: bool, other: &Term) -> Result<(), Refusal> {
        let is_local = |term: &Term| matches!(term, Term::Process(Process::Local(_)));
        if one != other && (is_local(one) || is_local(other)) {
            return self.refused("it compares processes with each other");
        }
        self.is_empty |= (one == other) != equal;
        Ok(())
    }

    /// Adds a condition about a variable without indices.
    fn scalar(&mut self, variable: VariableId, equal: bool, other: &Term) -> Result<(), Refusal> {
        match (other, equal) {
            (Term::Read(other, _), _) => self.classes.relate(variable, equal, *other),
            (Term::Value(ty, position), _) => {
                let constant = Initial::Constant(self.lowering.constant(*ty, *position));
                self.classes.compare(variable, equal, constant);
            }
            (Term::Process(process @ Process::Constant(_)), _) => {
                self.classes.compare(variable, equal, Initial::Process(*process));
            }
            (Term::Process(Process::Local(_)), false) => self.classes.compare(variable, true, self.outside()?),
            (Term::Process(Process::Local(_)), true) => {
                return self.refused("a variable equals every process");
            }
            (Term::Number(ty, number), _) => self.known(variable, *ty, *number)?,
            (Term::Sum(..), _) => return self.refused(SUM),
        }
        Ok(())
    }

    fn outside(&self) -> Result<Initial, Refusal> {
        match self.lowering.outside {
            Some(outside) => Ok(Initial::Constant(outside)),
            None => self.refused("a variable differs from every process, in one of several cases"),
        }
    }

    /// Adds a condition about an element of an array, or about all of them.
    fn element(&mut self, variable: VariableId, indices: &[Process], equal: bool, other: &Term) -> Result<(), Refusal> {
        let value = match (other, equal) {
            (Term::Value(ty, position), true) => Initial::Constant(self.lowering.constant(*ty, *position)),
            (Term::Value(ty, position), false) if self.lowering.values(*ty) == 2 => {
                Initial::Constant(self.lowering.constant(*ty, 1 - position))
            }
            (Term::Process(process @ Process::Constant(_)), true) => Initial::Process(*process),
            (Term::Process(process @ Process::Local(_)), true) if indices.contains(process) => {
                Initial::Process(*process)
            }
            (Term::Process(process @ Process::Local(_)), false) if !indices.contains(process) => self.outside()?,
            (Term::Process(Process::Local(_)), true) => return self.refused("an element equals every process"),
            (Term::Read(scalar, none), true) if none.is_empty() => {
                self.classes.choose(*scalar);
                Initial::Of(*scalar)
            }
            (Term::Read(..), true) => return self.refused("it compares elements of arrays with each other"),
            (Term::Number(ty, number), true) => {
                if *number != 0 && !self.is_integer(*ty) {
                    let refusal = self.refused::<()>("an element of an array is a real number other than 0");
                    self.refusal = self.refusal.take().or(refusal.err());
                }
                Initial::Number(*number)
            }
            (Term::Sum(..), _) => return self.refused(SUM),
            (Term::Value(..) | Term::Process(_) | Term::Read(..) | Term::Number(..), false) => {
                return self.refused("it says what an element of an array is not");
            }
        };
        self.elements.entry(variable).or_default().push(Element { indices: indices.to_vec(), value });
        Ok(())
    }

    /// Returns whether conditions about all processes give an element of an array two values, if there is a process.
    fn has_contradiction(&self) -> bool {
        let is_about_all = |own: &&Element| own.indices.iter().all(|index| matches!(index, Process::Local(_)));
        self.elements.values().any(|all| {
            let mut known = all.iter().filter(is_about_all).map(|own| own.value).filter(|value| value.is_known());
            known.next().is_some_and(|first| known.any(|value| value != first))
        })
    }

    /// Returns the initial states of the disjunct.
    fn initially(self) -> Result<Initially, Refusal> {
        let startstates = self.startstates()?;
        if startstates.is_empty() {
            return Ok(Initially::default());
        }
        let growing = self.limits.iter().map(|(variable, limits)| limits.growing(*variable));
        Ok(Initially { startstates, growing: growing.collect(), axioms: self.fixed })
    }

    /// Returns the startstates: one for each choice of common values.
    fn startstates(&self) -> Result<Vec<Startstate>, Refusal> {
        if self.is_empty {
            return Ok(Vec::new());
        }
        let Some(choices) = self.classes.choices(self.lowering, MOST_STARTSTATES) else {
            return Err((
                Fault::TooMany { count: MOST_STARTSTATES + 1, what: "startstates", limit: MOST_STARTSTATES },
                self.lowering.program.init.span,
            ));
        };
        choices.iter().map(|choice| self.startstate(choice)).collect()
    }

    fn startstate(&self, choice: &Choice) -> Result<Startstate, Refusal> {
        let program = self.lowering.program;
        let mut variables = choice.parameters.clone();
        let parameters = number(variables.len());
        let mut updates = Vec::new();
        for (position, variable) in program.variables.iter().enumerate() {
            let id = VariableId(position);
            let arguments: Vec<IndexVariableId> =
                (0..variable.indices).map(|offset| IndexVariableId(number(variables.len() + offset))).collect();
            variables.extend(scope(&vec!["j".to_owned(); variable.indices], 0));
            let value = if let Some(limits) = self.limits.get(&id) {
                number_of(limits.start())
            } else if variable.indices == 0 {
                self.scalar_value(id, choice)
            } else {
                self.array(id, &arguments, choice)?
            };
            updates.push(Update { variable: system::VariableId(number(position)), arguments, value });
        }
        if let Some(order) = self.lowering.order_id() {
            let arguments = (0..2).map(|offset| IndexVariableId(number(variables.len() + offset))).collect();
            variables.extend(scope(&vec!["j".to_owned(); 2], 0));
            updates.push(Update { variable: order, arguments, value: Value::Arbitrary });
        }
        let extra = self.lowering.extra.ids();
        updates.extend(extra.map(|variable| Update { variable, arguments: Vec::new(), value: Value::Arbitrary }));
        let names: Vec<String> = variables.iter().map(|variable| variable.name.clone()).collect();
        let named = scope(&names, 0).into_iter().zip(variables);
        let scope: Vec<IndexVariable> =
            named.map(|(unique, variable)| IndexVariable { name: unique.name, ..variable }).collect();
        let transition = Transition {
            name: "init".to_owned(),
            scope,
            parameters,
            guard: conjunction(choice.guard.clone()),
            updates,
            origin: program.origin(program.init.span),
        };
        Ok(Startstate { transition })
    }

    /// Returns the value of an array at the given arguments.
    fn array(&self, variable: VariableId, arguments: &[IndexVariableId], choice: &Choice) -> Result<Value, Refusal> {
        let mut value = Value::Arbitrary;
        let elements = self.elements.get(&variable).map_or([].as_slice(), Vec::as_slice);
        for (position, own) in elements.iter().enumerate().rev() {
            if elements[..position].iter().any(|other| may_overlap(own, other) && own.value != other.value) {
                return self.refused("several conditions concern the same element of an array");
            }
            let then = self.initial(own, arguments, choice);
            value = conditional(at(&own.indices, arguments), then, value);
        }
        Ok(value)
    }

    fn initial(&self, own: &Element, arguments: &[IndexVariableId], choice: &Choice) -> Value {
        match own.value {
            Initial::Constant(constant) => Value::Term(system::Term::Constant(constant)),
            Initial::Process(process) => {
                let is_it = own.indices.iter().zip(arguments).find(|(index, _)| **index == process);
                let element = is_it.map_or_else(|| element(process), |(_, argument)| IndexTerm::Variable(*argument));
                Value::Term(system::Term::Index(element))
            }
            Initial::Of(scalar) => self.scalar_value(scalar, choice),
            Initial::Number(number) => number_of(number),
        }
    }

    /// Returns the value of a variable without indices.
    fn scalar_value(&self, scalar: VariableId, choice: &Choice) -> Value {
        let class = self.classes.find(scalar);
        match self.number_in(class) {
            Some(number) => number_of(number),
            None => choice.value_of(class).unwrap_or(Value::Arbitrary),
        }
    }
}

/// Returns a number as a value.
fn number_of(number: i64) -> Value {
    match number {
        0 => Value::Term(system::Term::Zero),
        _ => Value::Sum(system::Term::Zero, number),
    }
}

/// Returns the condition under which arguments have the form of these indices.
fn at(indices: &[Process], arguments: &[IndexVariableId]) -> Formula {
    let index = |variable: IndexVariableId| system::Term::Index(IndexTerm::Variable(variable));
    let mut parts = Vec::new();
    for (position, (process, argument)) in indices.iter().zip(arguments).enumerate() {
        let same = match process {
            Process::Constant(_) => Some(system::Term::Index(element(*process))),
            Process::Local(_) => {
                let first = indices[..position].iter().position(|other| other == process);
                first.map(|first| index(arguments[first]))
            }
        };
        parts.extend(same.map(|same| Formula::Equal(index(*argument), same)));
    }
    conjunction(parts)
}

/// Returns whether two conditions may concern the same element: unless different process constants tell them apart.
fn may_overlap(one: &Element, other: &Element) -> bool {
    let differ = |(a, b): (&Process, &Process)| matches!((a, b), (Process::Constant(one), Process::Constant(other)) if one != other);
    !one.indices.iter().zip(&other.indices).any(differ)
}
