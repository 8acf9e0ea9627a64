//! Numbers: comparisons become bounds, and what is added to a variable becomes part of a bound or of a value.
//!
//! Two things are not expressed as they are, but by more executions. What a rule assigns by adding a multiple of a constant
//! becomes *any* number that is greater, or less, or the same, as the sign of that multiple says. (Cubicle simplifies such
//! sums in the same way where the guard says that the constant is positive: `tick_pos` and `remove_tick_atom` in its file
//! `cube.ml`.) And real numbers become integers: rules only compare and copy them, or choose greater or lesser ones, so that
//! what matters of the finitely many numbers of an execution is their order, which the integers have room for. Any number
//! can be 0; each other one that rules or claims mention is a variable that no rule changes.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use system::front_end::Note;
use system::{
    Axiom, Cube, Formula, Literal, NUMBER_LIMIT, PathStep, SortId, Startstate, System, Term, Update, Value, Variable,
    VariableId,
};

use super::formulas::{conjunction, disjunction};
use super::{Fault, Lowering, Refusal, element, number};
use crate::program::{self, Added, Local, Process, Program, Relation, Transition, TypeId, Values};

/// The variables that lowering adds to those of the model. They follow them and the relation that orders processes.
pub(super) struct Extra {
    first: usize,
    /// The types of numbers that rules choose; each rule uses the first ones of a type.
    choices: Vec<TypeId>,
    /// The real numbers other than 0 that rules and claims mention, ascending.
    reals: Vec<i64>,
}

impl Extra {
    pub(super) fn new(program: &Program) -> Self {
        let mut choices = Vec::new();
        for ty in (0..program.types.len()).map(TypeId).filter(|ty| program.types[ty.0].values.are_numbers()) {
            let of_type = |term: &&program::Term| term.type_in(&program.variables) == ty;
            let count = |transition| chosen(program, transition).into_iter().filter(of_type).count();
            choices.extend(std::iter::repeat_n(ty, program.transitions.iter().map(count).max().unwrap_or(0)));
        }
        let mut reals = BTreeSet::new();
        let mut note = |term: &program::Term| match term {
            program::Term::Number(ty, number) if program.types[ty.0].values == Values::Reals && *number != 0 => {
                reals.insert(*number);
            }
            program::Term::Number(..)
            | program::Term::Value(..)
            | program::Term::Process(_)
            | program::Term::Read(..)
            | program::Term::Sum(..) => {}
        };
        program.unsafes.iter().for_each(|claim| claim.formula.visit_terms(&mut note));
        for transition in &program.transitions {
            transition.guard.visit_terms(&mut note);
            for (conditions, values) in transition.updates.iter().filter_map(program::Update::parts) {
                conditions.iter().for_each(|condition| condition.visit_terms(&mut note));
                values.into_iter().for_each(&mut note);
            }
        }
        let first = program.variables.len() + usize::from(program.order.is_some());
        Self { first, choices, reals: reals.into_iter().collect() }
    }

    /// Returns the number of variables.
    pub(super) fn count(&self) -> usize {
        self.choices.len() + self.reals.len()
    }

    /// Returns the ids of the variables.
    pub(super) fn ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (self.first..self.first + self.count()).map(|position| VariableId(number(position)))
    }

    fn choice(&self, position: usize) -> VariableId {
        VariableId(number(self.first + position))
    }

    fn real(&self, position: usize) -> VariableId {
        VariableId(number(self.first + self.choices.len() + position))
    }
}

/// Returns the sums whose values a transition chooses, without repetition.
fn chosen<'t>(program: &Program, transition: &'t Transition) -> Vec<&'t program::Term> {
    let mut found: Vec<&program::Term> = Vec::new();
    for (_, values) in transition.updates.iter().filter_map(program::Update::parts) {
        for value in values {
            if is_chosen(program, value) && !found.contains(&value) {
                found.push(value);
            }
        }
    }
    found
}

/// Returns whether a value is a sum that is not expressed as it is.
fn is_chosen(program: &Program, term: &program::Term) -> bool {
    match term {
        program::Term::Sum(_, _, Added::Constant(..)) => true,
        program::Term::Sum(variable, _, Added::Number(_)) => {
            program.types[program.variables[variable.0].ty.0].values == Values::Reals
        }
        program::Term::Value(..) | program::Term::Process(_) | program::Term::Read(..) | program::Term::Number(..) => {
            false
        }
    }
}

impl Lowering<'_> {
    /// Returns the variables that the model does not have.
    pub(super) fn extra_variables(&self) -> Vec<Variable> {
        let variable = |name: String, ty: TypeId, path: Vec<PathStep>| Variable {
            name,
            arguments: Vec::new(),
            sort: SortId(number(ty.0)),
            path,
            origin: system::Origin::default(),
        };
        let choice = |(position, ty): (usize, &TypeId)| {
            let name = if position == 0 { "number".to_owned() } else { format!("number{}", position + 1) };
            variable(name.clone(), *ty, vec![PathStep::Number(name)])
        };
        let choices = self.extra.choices.iter().enumerate().map(choice);
        let is_real = |ty: &TypeId| self.program.types[ty.0].values == Values::Reals;
        let reals = (0..self.program.types.len()).map(TypeId).find(is_real).map(|ty| {
            let of = move |real: &i64| variable(format!("{real}.0"), ty, Vec::new());
            self.extra.reals.iter().map(of).collect::<Vec<_>>()
        });
        choices.chain(reals.into_iter().flatten()).collect()
    }

    /// Returns a term without what is added to it, and the number that is.
    pub(super) fn summed(&self, term: &program::Term) -> Result<(Term, i64), Fault> {
        let only_assigned = Fault::Number { reason: "such a sum can only be assigned" };
        Ok(match term {
            program::Term::Number(ty, number) if self.program.types[ty.0].values == Values::Reals => {
                match self.extra.reals.iter().position(|own| own == number) {
                    Some(position) => (Term::Read(self.extra.real(position), Vec::new()), 0),
                    None if *number == 0 => (Term::Zero, 0),
                    None => return Err(Fault::Number { reason: "this real number cannot be used here" }),
                }
            }
            program::Term::Number(_, number) => (Term::Zero, *number),
            _ if is_chosen(self.program, term) => return Err(only_assigned),
            program::Term::Sum(variable, indices, Added::Number(number)) => (self.read(*variable, indices), *number),
            program::Term::Sum(_, _, Added::Constant(..)) => return Err(only_assigned),
            program::Term::Value(ty, position) => (Term::Constant(self.constant(*ty, *position)), 0),
            program::Term::Process(process) => (Term::Index(element(*process)), 0),
            program::Term::Read(variable, indices) => (self.read(*variable, indices), 0),
        })
    }

    fn read(&self, variable: program::VariableId, indices: &[Process]) -> Term {
        Term::Read(VariableId(number(variable.0)), indices.iter().map(|index| element(*index)).collect())
    }

    /// Lowers a comparison of two numbers, or its negation.
    pub(super) fn numeric(
        &self,
        left: &program::Term,
        relation: Relation,
        right: &program::Term,
        positive: bool,
    ) -> Result<Formula, Fault> {
        let both = |strict| {
            let one = formula_of(self.bound(left, right, strict)?);
            Ok(vec![one, formula_of(self.bound(right, left, strict)?)])
        };
        match (relation, positive) {
            (Relation::Equal, true) => both(false).map(conjunction),
            (Relation::Equal, false) => both(true).map(disjunction),
            (Relation::Less, _) => self.numeric_literal(left, right, true, positive).map(formula_of),
            (Relation::LessEqual, _) => self.numeric_literal(left, right, false, positive).map(formula_of),
        }
    }

    /// Returns the literal that one number is at most another, or is less.
    pub(super) fn bound(&self, left: &program::Term, right: &program::Term, strict: bool) -> Result<Literal, Fault> {
        let ((left, less), (right, more)) = (self.summed(left)?, self.summed(right)?);
        let sum = more - less - i64::from(strict);
        if sum.abs() > NUMBER_LIMIT {
            return Err(Fault::Number { reason: "it is too large" });
        }
        Ok(Literal { left, comparison: system::Comparison::AtMost(sum), right })
    }

    /// Returns the literal that one number is less than another, or at most, or the negation.
    pub(super) fn numeric_literal(
        &self,
        left: &program::Term,
        right: &program::Term,
        strict: bool,
        holds: bool,
    ) -> Result<Literal, Fault> {
        if holds { self.bound(left, right, strict) } else { self.bound(right, left, !strict) }
    }

    /// Lowers what a transition assigns.
    pub(super) fn value(&self, transition: &Transition, term: &program::Term) -> Result<Value, Refusal> {
        let chosen = chosen(self.program, transition).into_iter().position(|own| own == term);
        if let Some(position) = chosen {
            return Ok(Value::Term(Term::Read(self.choice_of(transition, position), Vec::new())));
        }
        Ok(match self.summed(term).map_err(|fault| (fault, transition.span))? {
            (term, 0) => Value::Term(term),
            (term, number) => Value::Sum(term, number),
        })
    }

    /// Returns the variable of a number that a transition chooses.
    fn choice_of(&self, transition: &Transition, position: usize) -> VariableId {
        let sums = chosen(self.program, transition);
        let ty = sums[position].type_in(&self.program.variables);
        let before = sums[..position].iter().filter(|own| own.type_in(&self.program.variables) == ty).count();
        let first = self.extra.choices.iter().position(|own| *own == ty).unwrap_or(0);
        self.extra.choice(first + before)
    }

    /// Returns what holds of the numbers that a transition chooses, and the updates by which they are chosen anew.
    pub(super) fn chosen_numbers(&self, transition: &Transition) -> Result<(Vec<Formula>, Vec<Update>), Refusal> {
        let (mut guard, mut updates) = (Vec::new(), Vec::new());
        for (position, sum) in chosen(self.program, transition).into_iter().enumerate() {
            let program::Term::Sum(variable, indices, added) = sum else { continue };
            let is_known = |index: &Process| match index {
                Process::Local(Local(local)) => *local < transition.parameters,
                Process::Constant(_) => true,
            };
            if !indices.iter().all(is_known) {
                let reason = "such a sum is assigned to one element only";
                return Err((Fault::Number { reason }, transition.span));
            }
            let choice = self.choice_of(transition, position);
            let (old, new) = (self.read(*variable, indices), Term::Read(choice, Vec::new()));
            guard.push(self.choice(&old, &new, *added, transition));
            updates.push(Update { variable: choice, arguments: Vec::new(), value: Value::Arbitrary });
        }
        updates.sort_by_key(|update| update.variable);
        Ok((guard, updates))
    }

    /// Returns how a new number relates to the old one to which something was added.
    fn choice(&self, old: &Term, new: &Term, added: Added, transition: &Transition) -> Formula {
        // The new number is greater by at least this much, or less.
        let change = |sign: Ordering, least: i64| match sign {
            Ordering::Greater => Formula::AtMost(old.clone(), new.clone(), -least),
            Ordering::Less => Formula::AtMost(new.clone(), old.clone(), -least),
            Ordering::Equal => Formula::And(vec![
                Formula::AtMost(old.clone(), new.clone(), 0),
                Formula::AtMost(new.clone(), old.clone(), 0),
            ]),
        };
        let (constant, times) = match added {
            Added::Number(number) => return change(number.cmp(&0), 1),
            Added::Constant(constant, times) => (constant, times),
        };
        let is_real = self.program.types[self.program.variables[constant.0].ty.0].values == Values::Reals;
        let least = if is_real { 1 } else { times.abs() };
        let signed = |sign: Ordering| change(if times < 0 { sign.reverse() } else { sign }, least);
        if let Some(sign) = self.sign(constant, transition) {
            return signed(sign);
        }
        let constant = || self.read(constant, &[]);
        let positive = || Formula::AtMost(Term::Zero, constant(), -1);
        let negative = || Formula::AtMost(constant(), Term::Zero, -1);
        let zero = || vec![Formula::AtMost(Term::Zero, constant(), 0), Formula::AtMost(constant(), Term::Zero, 0)];
        disjunction(vec![
            conjunction(vec![positive(), signed(Ordering::Greater)]),
            conjunction([zero(), vec![signed(Ordering::Equal)]].concat()),
            conjunction(vec![negative(), signed(Ordering::Less)]),
        ])
    }

    /// Returns the sign of a constant, if the guard or the initial condition says it.
    fn sign(&self, constant: program::VariableId, transition: &Transition) -> Option<Ordering> {
        let initial = self.program.init.formula.conjuncts();
        let conjuncts = transition.guard.conjuncts();
        conjuncts.into_iter().chain(initial).find_map(|conjunct| said_sign(conjunct, true, constant))
    }

    /// Returns notes about what is expressed by more executions.
    pub(super) fn notes_about_numbers(&self) -> Vec<Note> {
        let program = self.program;
        let chooses = |own: &&Transition| !chosen(program, own).is_empty();
        let sum = program.transitions.iter().find(chooses).map(|transition| Note {
            origin: Some(program.origin(transition.span)),
            text: "a sum of a number and a constant is taken for any number that is greater or less, as the constant \
                   is positive or negative"
                .to_owned(),
        });
        sum.into_iter().collect()
    }
}

/// Returns the sign of a constant that a formula, or its negation, says.
fn said_sign(formula: &program::Formula, holds: bool, constant: program::VariableId) -> Option<Ordering> {
    use program::Term::Number;
    let is_it = |term: &program::Term| matches!(term, program::Term::Read(own, _) if *own == constant);
    let (left, relation, right) = match formula {
        program::Formula::Not(inner) => return said_sign(inner, !holds, constant),
        program::Formula::Compare(left, relation, right, _) => (left, *relation, right),
        program::Formula::Constant(_)
        | program::Formula::And(_)
        | program::Formula::Or(_)
        | program::Formula::Quantified(_) => return None,
    };
    let (left, right, strict) = match (relation, holds) {
        (Relation::Equal, true) => {
            return match (left, right) {
                (Number(_, number), other) | (other, Number(_, number)) if is_it(other) => Some(number.cmp(&0)),
                _ => None,
            };
        }
        (Relation::Equal, false) => return None,
        (Relation::Less, true) => (left, right, true),
        (Relation::Less, false) => (right, left, false),
        (Relation::LessEqual, true) => (left, right, false),
        (Relation::LessEqual, false) => (right, left, true),
    };
    match (left, right) {
        (Number(_, number), other) if is_it(other) && *number >= i64::from(!strict) => Some(Ordering::Greater),
        (other, Number(_, number)) if is_it(other) && *number <= -i64::from(!strict) => Some(Ordering::Less),
        _ => None,
    }
}

/// Returns a literal that is a bound as a formula.
pub(super) fn formula_of(literal: Literal) -> Formula {
    let Literal { left, comparison, right } = literal;
    match comparison {
        system::Comparison::AtMost(sum) if left == right => {
            if sum >= 0 {
                Formula::True
            } else {
                Formula::False
            }
        }
        system::Comparison::AtMost(sum) => Formula::AtMost(left, right, sum),
        system::Comparison::AtLeast(sum) => {
            formula_of(Literal { left: right, comparison: system::Comparison::AtMost(-sum), right: left })
        }
        system::Comparison::Equal => Formula::Equal(left, right),
        system::Comparison::Different => Formula::Not(Box::new(Formula::Equal(left, right))),
    }
}

/// Makes numbers that nothing gives a value parameters of the system.
pub(super) fn leave_out_parameters(system: &mut System) {
    let is_open = |id: &VariableId| {
        let given = |start: &Startstate| start.update_of(*id).is_none_or(|update| update.value == Value::Arbitrary);
        system.sort_of(*id).numbers.is_some() && !system.is_written(*id) && system.startstates.iter().all(given)
    };
    let ids = (0..system.variables.len()).map(|position| VariableId(number(position)));
    let open: BTreeSet<VariableId> = ids.filter(is_open).collect();
    for start in &mut system.startstates {
        start.transition.updates.retain(|update| !open.contains(&update.variable));
    }
}

/// Adds the axioms that say in which order the real numbers are that rules and claims mention.
pub(super) fn add_axioms(lowering: &Lowering<'_>, system: &mut System) {
    let reals = lowering.extra.reals.iter().enumerate();
    let mut all: Vec<(i64, Term)> =
        reals.map(|(position, real)| (*real, Term::Read(lowering.extra.real(position), Vec::new()))).collect();
    all.push((0, Term::Zero));
    all.sort();
    for pair in all.windows(2) {
        let [(less, left), (greater, right)] = pair else { continue };
        let literal = Literal { left: left.clone(), comparison: system::Comparison::AtMost(-1), right: right.clone() };
        let axiom = axiom(system, format!("{less}.0 < {greater}.0"), &literal, system::Origin::default());
        system.axioms.push(axiom);
    }
}

/// Returns the axiom that a literal holds.
pub(super) fn axiom(system: &System, name: String, literal: &Literal, origin: system::Origin) -> Axiom {
    let bad = Cube::normalize(system, &[], &[literal.negated()]);
    let formula = formula_of(literal.clone());
    let immutable = system.is_immutable(&formula);
    Axiom { name, scope: Vec::new(), formula, bad: bad.into_iter().collect(), immutable, origin }
}
