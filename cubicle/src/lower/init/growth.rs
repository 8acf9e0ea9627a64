//! Initial numbers that have limits but no known values.
//!
//! A startstate of a system cannot say that a number is positive. So such a number starts at its limit, and a rule that is
//! enabled only before all others makes it greater, or less. The states that it leads to are initial states of the model, and
//! they are all of them.

use system::front_end::Span;
use system::{
    Comparison, FALSE, Formula, IndexTerm, IndexVariableId, Literal, Rule, SortId, System, TRUE, Transition, Update,
    Value, Variable,
};

use super::super::formulas::{conditional, conjunction};
use super::super::{Lowering, Refusal, number, scope};
use super::{Bound, Initial, SUM, Start};
use crate::program::{BOOL, Process, Term, TypeId, Values, VariableId};

/// The least and the greatest initial value of a number, or of all elements of an array. There is one of them.
#[derive(Clone, Copy, Default)]
pub(super) struct Limits {
    low: Option<i64>,
    high: Option<i64>,
    span: Span,
}

/// A number, or an array of them, that a rule changes before all other rules.
pub(in super::super) struct Growing {
    variable: VariableId,
    limits: Limits,
}

impl Limits {
    /// Returns the value to start with.
    pub(super) fn start(&self) -> i64 {
        self.low.or(self.high).unwrap_or(0)
    }

    fn contain(&self, number: i64) -> bool {
        self.low.is_none_or(|low| low <= number) && self.high.is_none_or(|high| number <= high)
    }

    pub(super) fn growing(&self, variable: VariableId) -> Growing {
        Growing { variable, limits: *self }
    }
}

impl Start<'_> {
    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        self.lowering.program.types[ty.0].values == Values::Integers
    }

    /// Adds the value of a variable without indices. A real number other than 0 that occurs once is any number with its
    /// sign: only the order of real numbers matters, and it stays the same if all of them are multiplied.
    pub(super) fn known(&mut self, variable: VariableId, ty: TypeId, number: i64) -> Result<(), Refusal> {
        if self.is_integer(ty) || number == 0 {
            self.numbers.push((variable, number));
            return Ok(());
        }
        self.unique_real()?;
        let limits = self.limits.entry(variable).or_default();
        limits.span = self.lowering.program.variables[variable.0].span;
        if number > 0 {
            limits.low = limits.low.max(Some(1));
        } else {
            limits.high = Some(limits.high.map_or(-1, |high| high.min(-1)));
        }
        Ok(())
    }

    fn unique_real(&self) -> Result<(), Refusal> {
        let values = self.lowering.program.mentioned.values.iter();
        let others = values.filter(|(ty, number)| !self.is_integer(*ty) && *number != 0);
        if others.count() > 1 {
            return self.refused("it mentions a real number other than 0, and there is another one");
        }
        Ok(())
    }

    /// Adds a bound.
    pub(super) fn bound(&mut self, less: &Term, more: &Term, bound: Bound) -> Result<(), Refusal> {
        let strict = i64::from(bound.is_strict);
        match (less, more) {
            (Term::Number(_, less), Term::Number(_, more)) => self.is_empty |= *less > *more - strict,
            _ if self.is_fixed(less) && self.is_fixed(more) => {
                let literal = self.lowering.bound(less, more, bound.is_strict);
                self.fixed.push((literal.map_err(|fault| (fault, bound.span))?, bound.span));
            }
            (Term::Read(variable, indices), Term::Number(ty, number)) => {
                let limits = self.limits_of(*variable, indices, *ty, *number, bound.span)?;
                let high = number - strict;
                limits.high = Some(limits.high.map_or(high, |own| own.min(high)));
            }
            (Term::Number(ty, number), Term::Read(variable, indices)) => {
                let limits = self.limits_of(*variable, indices, *ty, *number, bound.span)?;
                limits.low = limits.low.max(Some(number + strict));
            }
            (Term::Sum(..), _) | (_, Term::Sum(..)) => return self.refused(SUM),
            _ => return self.refused("it compares numbers that rules change"),
        }
        Ok(())
    }

    /// Returns the limits of a variable, for all of its elements.
    fn limits_of(
        &mut self,
        variable: VariableId,
        indices: &[Process],
        ty: TypeId,
        number: i64,
        span: Span,
    ) -> Result<&mut Limits, Refusal> {
        let is_any = |(position, index): (usize, &Process)| {
            matches!(index, Process::Local(_)) && !indices[..position].contains(index)
        };
        if !indices.iter().enumerate().all(is_any) {
            return self.refused("it limits the number in some elements of an array");
        }
        if !self.is_integer(ty) && number != 0 {
            return self.refused("it limits a number by a real number other than 0");
        }
        let limits = self.limits.entry(variable).or_default();
        limits.span = span;
        Ok(limits)
    }

    /// Returns whether a term is a number, or one that no rule changes.
    fn is_fixed(&self, term: &Term) -> bool {
        let program = self.lowering.program;
        let is_assigned = |variable: VariableId| {
            program.transitions.iter().any(|own| own.updates.iter().any(|update| update.variable == variable))
        };
        match term {
            Term::Number(ty, number) => self.is_integer(*ty) || *number == 0,
            Term::Read(variable, indices) | Term::Sum(variable, indices, _) => {
                indices.is_empty() && !is_assigned(*variable)
            }
            Term::Value(..) | Term::Process(_) => false,
        }
    }

    /// Returns the known number that the variables of a class have.
    pub(super) fn number_in(&self, class: VariableId) -> Option<i64> {
        let mut known = self.numbers.iter().filter(|(variable, _)| self.classes.find(*variable) == class);
        known.next().map(|(_, number)| *number)
    }

    /// Compares known numbers with each other and with limits, and keeps the limits of the others.
    pub(super) fn settle(&mut self) -> Result<(), Refusal> {
        let in_class = |variable: VariableId| self.number_in(self.classes.find(variable));
        let mut is_empty = self.numbers.iter().any(|(variable, number)| in_class(*variable) != Some(*number));
        let mut limits = self.limits.clone();
        for (variable, own) in &self.limits {
            let elements = self.elements.get(variable).map_or([].as_slice(), Vec::as_slice);
            let numbers = elements.iter().map(|element| match element.value {
                Initial::Number(number) => Some(number),
                Initial::Of(scalar) => in_class(scalar),
                Initial::Constant(_) | Initial::Process(_) => None,
            });
            let known: Vec<Option<i64>> = numbers.chain(in_class(*variable).map(Some)).collect();
            if known.contains(&None) {
                return self.refused("it limits numbers that equal each other");
            }
            if let Some(Some(_)) = known.first() {
                is_empty |= known.iter().flatten().any(|number| !own.contain(*number));
                limits.remove(variable);
            }
            is_empty |= own.low.zip(own.high).is_some_and(|(low, high)| low > high);
        }
        self.limits = limits;
        self.is_empty |= is_empty || self.has_contradiction();
        match self.refusal.take() {
            Some(refusal) if !self.is_empty => Err(refusal),
            Some(_) | None => self.all_known(),
        }
    }

    /// Refuses numbers that are equal and not known.
    fn all_known(&self) -> Result<(), Refusal> {
        let program = self.lowering.program;
        let is_number = |variable: VariableId| program.types[program.variables[variable.0].ty.0].values.are_numbers();
        let all = (0..program.variables.len()).map(VariableId).filter(|variable| is_number(*variable));
        let mut with_others = all.filter(|variable| {
            let class = self.classes.find(*variable);
            let mut scalars = self.elements.values().flatten().filter_map(|element| match element.value {
                Initial::Of(scalar) => Some(self.classes.find(scalar)),
                Initial::Constant(_) | Initial::Process(_) | Initial::Number(_) => None,
            });
            let others = (0..program.variables.len()).filter(|other| self.classes.find(VariableId(*other)) == class);
            others.count() > 1 || scalars.any(|own| own == class)
        });
        if with_others.any(|variable| self.number_in(self.classes.find(variable)).is_none()) {
            return self.refused("numbers are equal that are not known");
        }
        Ok(())
    }
}

/// Adds the rules by which numbers grow before all other rules, and the variable that says whether they still do.
pub(in super::super) fn add(lowering: &Lowering<'_>, growing: &[Growing], system: &mut System) {
    let Some(first) = growing.first() else { return };
    let flag = system::VariableId(number(system.variables.len()));
    let is = |truth| Value::Term(system::Term::Constant(truth));
    let update = |truth| Update { variable: flag, arguments: Vec::new(), value: is(truth) };
    system.variables.push(Variable {
        name: "starting".to_owned(),
        arguments: Vec::new(),
        sort: SortId(number(BOOL.0)),
        path: Vec::new(),
        origin: lowering.program.origin(first.limits.span),
    });
    system.startstates.iter_mut().for_each(|start| start.transition.updates.push(update(TRUE)));
    system.rules.iter_mut().for_each(|rule| rule.transition.updates.push(update(FALSE)));
    let guard = Formula::Equal(system::Term::Read(flag, Vec::new()), system::Term::Constant(TRUE));
    let sources = number(lowering.program.transitions.len())..;
    system.rules.extend(growing.iter().zip(sources).map(|(own, source)| own.rule(lowering, guard.clone(), source)));
}

impl Growing {
    fn rule(&self, lowering: &Lowering<'_>, starting: Formula, source: u32) -> Rule {
        let declared = &lowering.program.variables[self.variable.0];
        let (id, count) = (system::VariableId(number(self.variable.0)), declared.indices);
        let index = |position: usize| IndexTerm::Variable(IndexVariableId(number(position)));
        let (elements, arguments) = ((0..count).map(index).collect(), (count..2 * count).map(index).collect());
        let (element, argument) = (system::Term::Read(id, elements), system::Term::Read(id, arguments));
        let (change, limit) = match (self.limits.low, self.limits.high) {
            (Some(_), high) => (1, high),
            (None, _) => (-1, None),
        };
        let mut guard = vec![starting];
        guard.extend(limit.map(|high| {
            let below =
                Literal { left: element.clone(), comparison: Comparison::AtMost(high - 1), right: system::Term::Zero };
            super::super::numbers::formula_of(below)
        }));
        let same = (0..count).map(|position| {
            let [one, other] = [position, count + position].map(|position| system::Term::Index(index(position)));
            Formula::Equal(one, other)
        });
        let value = conditional(conjunction(same.collect()), Value::Sum(element, change), Value::Term(argument));
        let names = [vec!["p".to_owned(); count], vec!["j".to_owned(); count]].concat();
        let arguments = (count..2 * count).map(|position| IndexVariableId(number(position))).collect();
        Rule {
            transition: Transition {
                name: "init".to_owned(),
                scope: scope(&names, count),
                parameters: number(count),
                guard: conjunction(guard),
                updates: vec![Update { variable: id, arguments, value }],
                origin: lowering.program.origin(self.limits.span),
            },
            case: format!("any {}", declared.name),
            source,
        }
    }
}
