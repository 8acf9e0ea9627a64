//! From a rule and a cube to the branches of their obligations.
//!
//! A rule or startstate and a conjunction of literals have several matches of the rule's parameters with symbols. Each
//! match has branches: the disjuncts of guard and weakest precondition, as conjunctions of literals together with the
//! universal parts of the guard that remain. The list of obligations in [`certificate::kernel`] defines them; the order
//! and the pruning here follow it exactly.
//!
//! The pre-image of a cube under a rule (Ghilardi and Ranise 2010, section 3.2) is the union of all branches.

use std::cell::Cell;
use std::collections::BTreeSet;

use system::{Formula, IndexTerm, IndexTypeId, IndexVariableId, Term, Transition, Update, Value};

use crate::literal::{
    Comparison, Conj, Datum, Element, Elements, Lit, MAX_ELEMENTS, Made, Read, Renaming, Side, Space, Universal,
};
use crate::universal;

/// Returns whether a transition writes a state variable that the conjunction reads.
pub(crate) fn touches(transition: &Transition, conj: &Conj) -> bool {
    writes(transition, &conj.lits) || touches_others(transition, conj)
}

/// Returns whether a transition writes a state variable that a universal part of the conjunction reads.
pub(crate) fn touches_others(transition: &Transition, conj: &Conj) -> bool {
    conj.universals.iter().any(|universal| writes(transition, &universal.lits))
}

fn writes(transition: &Transition, lits: &[Lit]) -> bool {
    let writes = |read: Read| transition.update_of(read.variable()).is_some();
    lits.iter().any(|lit| lit.right.read().is_some_and(writes) || writes(lit.left))
}

/// The maximum number of steps spent on a normal form.
const MAX_STEPS: u32 = 300_000;

/// A step whose parameters are matched with elements of an obligation.
#[derive(Clone, Debug)]
pub(crate) struct Matched<'a> {
    /// The remaining steps for normal forms.
    budget: Cell<u32>,
    space: &'a Space,
    step: &'a Transition,
    /// The types of all elements: named ones, symbols of the conjunction, others.
    pub(crate) types: Vec<IndexTypeId>,
    /// The element of each variable of the scope; bound variables receive theirs when they are instantiated.
    environment: Vec<Element>,
    /// The elements of the parameters.
    pub(crate) parameters: Vec<Element>,
}

/// A disjunct of guard and weakest precondition.
#[derive(Clone, Debug)]
pub(crate) struct Branch<'a> {
    /// The literals, strictly ascending.
    pub(crate) lits: Vec<Lit>,
    /// The universal parts of the guard that belong to the disjunct: variable and body.
    pub(crate) universals: Vec<(IndexVariableId, &'a Formula)>,
}

/// The weakest precondition of a conjunction under a matched step.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) enum After<'a> {
    /// The step changes no literal.
    Unchanged,
    /// The disjuncts that remain.
    Branches(Vec<Branch<'a>>),
    /// The disjunctive normal form is too large.
    TooMany,
}

/// Returns all matches of the step's parameters with the elements of the conjunction and others, in the order of
/// certificates: symbols of the conjunction, named elements, others numbered by first occurrence.
pub(crate) fn matches<'a>(step: &'a Transition, conj: &Conj, space: &'a Space) -> Vec<Matched<'a>> {
    let mut found = Vec::new();
    let mut matched = Matched {
        budget: Cell::new(MAX_STEPS),
        space,
        step,
        types: conj.types(space),
        environment: vec![0; step.scope.len()],
        parameters: Vec::with_capacity(step.parameters().len()),
    };
    extend(&mut matched, conj.symbols.len(), &mut found);
    found
}

fn extend<'a>(matched: &mut Matched<'a>, symbols: usize, found: &mut Vec<Matched<'a>>) {
    let position = matched.parameters.len();
    if position == matched.step.parameters().len() {
        found.push(matched.clone());
        return;
    }
    let index_type = matched.step.scope[position].index_type;
    let named = usize::from(matched.space.first_symbol());
    let elements = matched.types.len();
    let order = (named..named + symbols).chain(0..named).chain(named + symbols..elements);
    for element in order {
        if matched.types[element] == index_type {
            choose(matched, position, element, symbols, found);
        }
    }
    matched.types.push(index_type);
    choose(matched, position, elements, symbols, found);
    matched.types.pop();
}

fn choose<'a>(
    matched: &mut Matched<'a>,
    position: usize,
    element: usize,
    symbols: usize,
    found: &mut Vec<Matched<'a>>,
) {
    let element = Element::try_from(element).expect("the number of elements is bounded");
    matched.environment[position] = element;
    matched.parameters.push(element);
    extend(matched, symbols, found);
    matched.parameters.pop();
}

/// The formulas that are still to be conjoined, as a linked list on the stack.
#[derive(Clone, Copy)]
enum Todo<'t, 'a> {
    Done,
    Formula(&'a Formula, bool, &'t [Element], &'t Todo<'t, 'a>),
    /// The formula of a literal after the step.
    Literal(Lit, &'t Todo<'t, 'a>),
    /// A literal whose left side has been replaced by its value, and whose right side is still to be replaced.
    Right(Option<Side>, Comparison, Side, &'t Todo<'t, 'a>),
    /// A conditional value to be compared with a side.
    Value(&'a Value, &'t [Element], Comparison, Other, &'t Todo<'t, 'a>),
}

/// The other side of a comparison with a conditional value.
#[derive(Clone, Copy)]
enum Other {
    /// A side in the state after the step.
    After(Side),
    /// A side in the state before the step.
    Before(Side),
}

impl<'a> Matched<'a> {
    /// Returns the weakest precondition of the conjunction.
    pub(crate) fn after(&self, conj: &Conj) -> After<'a> {
        if conj.lits.iter().all(|lit| self.is_unchanged(*lit)) && !touches_others(self.step, conj) {
            return After::Unchanged;
        }
        let mut branches: Vec<Branch<'a>> = Vec::new();
        let mut current = Branch { lits: Vec::new(), universals: Vec::new() };
        let guard_only = Todo::Done;
        self.with_literals(&conj.lits, &guard_only, &mut |todo| {
            let start = Todo::Formula(&self.step.guard, true, &self.environment, todo);
            self.expand(&start, &mut current, &mut branches);
        });
        if self.budget.get() == 0 { After::TooMany } else { After::Branches(branches) }
    }

    /// Returns the step.
    pub(crate) fn step(&self) -> &'a Transition {
        self.step
    }

    /// Returns the same match with more elements, of the given types.
    pub(crate) fn with_elements(&self, types: &[IndexTypeId]) -> Self {
        let mut wider = self.clone();
        wider.types.extend_from_slice(types);
        wider
    }

    /// Returns the disjuncts of a disjunction of literals after the step, or `None` if there are too many.
    pub(crate) fn disjunction_after(&self, lits: &[Lit]) -> Option<Vec<Vec<Lit>>> {
        self.budget.set(MAX_STEPS);
        let mut branches: Vec<Branch<'a>> = Vec::new();
        for lit in lits {
            let mut current = Branch { lits: Vec::new(), universals: Vec::new() };
            self.expand(&Todo::Literal(*lit, &Todo::Done), &mut current, &mut branches);
        }
        (self.budget.get() > 0).then(|| branches.into_iter().map(|branch| branch.lits).collect())
    }

    /// Returns the disjuncts of a formula of the step over the elements, or `None` if there are too many. Quantified parts
    /// of the formula are left out, which makes it weaker.
    fn disjuncts(&self, formula: &'a Formula, environment: &[Element]) -> Option<Vec<Vec<Lit>>> {
        self.budget.set(MAX_STEPS);
        let mut branches = Vec::new();
        let mut current = Branch { lits: Vec::new(), universals: Vec::new() };
        self.expand(&Todo::Formula(formula, true, environment, &Todo::Done), &mut current, &mut branches);
        (self.budget.get() > 0).then(|| branches.into_iter().map(|branch| branch.lits).collect())
    }

    /// Returns the universal parts that follow from those of the guard, about elements that are none of the known ones.
    pub(crate) fn universals_of(&self, branch: &Branch<'a>) -> Vec<Universal> {
        let mut found = Vec::new();
        for (variable, body) in &branch.universals {
            self.generalize(*variable, body, &self.environment, &[], &mut found);
        }
        found
    }

    /// Returns the universal parts that follow from those of the guard, about all elements at which these say the same, and
    /// the instances at the other elements.
    pub(crate) fn whole_universals_of(
        &self,
        branch: &Branch<'a>,
    ) -> (Vec<Universal>, Vec<(&'a Formula, Vec<Element>)>) {
        let (mut parts, mut instances) = (Vec::new(), Vec::new());
        for &(variable, body) in &branch.universals {
            let index_type = self.step.scope[variable.index()].index_type;
            let at = |element: Element| {
                let mut environment = self.environment.clone();
                environment[variable.index()] = element;
                environment
            };
            let general = if matches!(body, Formula::Forall(..)) {
                None
            } else {
                let wider = self.with_elements(&[index_type]);
                self.clauses_of_all(index_type, &|element| wider.disjuncts(body, &at(element)))
            };
            let Some((clauses, within)) = general else {
                self.generalize(variable, body, &self.environment, &[], &mut parts);
                self.instantiate(variable, body, &self.environment, &self.types, &mut instances);
                continue;
            };
            parts.extend(clauses.into_iter().map(|lits| Universal { symbols: vec![index_type], lits, within }));
            let others = (0u8..).zip(&self.types).filter(|(_, own)| **own == index_type);
            let others = others.map(|(element, _)| element).filter(|element| !within.contains(*element));
            instances.extend(others.map(|element| (body, at(element))));
        }
        (parts, instances)
    }

    /// Returns the clauses of what holds of a new element of the type, and the symbols of which the same holds, or `None`
    /// if there is too much to say.
    pub(crate) fn clauses_of_all(
        &self,
        index_type: IndexTypeId,
        disjuncts: &dyn Fn(Element) -> Option<Vec<Vec<Lit>>>,
    ) -> Option<(Vec<Vec<Lit>>, Elements)> {
        let fresh = Element::try_from(self.types.len()).ok().filter(|_| self.types.len() < MAX_ELEMENTS)?;
        let general = disjuncts(fresh)?;
        let is_alike = |element: &Element| {
            let map = Renaming::onto(usize::from(fresh), &[*element]);
            let rename = |lits: &Vec<Lit>| lits.iter().map(|lit| lit.rename(&map)).collect::<BTreeSet<Lit>>();
            let renamed: BTreeSet<BTreeSet<Lit>> = general.iter().map(rename).collect();
            let own: Option<Vec<Vec<Lit>>> = disjuncts(*element);
            let own: Option<BTreeSet<BTreeSet<Lit>>> =
                own.map(|own| own.into_iter().map(|lits| lits.into_iter().collect()).collect());
            own == Some(renamed)
        };
        let symbols = (0u8..).zip(&self.types).skip(self.space.named.len()).filter(|(_, own)| **own == index_type);
        let within = symbols.map(|(element, _)| element).filter(is_alike).collect();
        Some((universal::clauses(&general, self.space)?, within))
    }

    /// Adds the clauses of a universal formula with its variables placed on known elements and on new ones.
    fn generalize(
        &self,
        variable: IndexVariableId,
        body: &'a Formula,
        environment: &[Element],
        new: &[IndexTypeId],
        found: &mut Vec<Universal>,
    ) {
        let wanted = self.step.scope[variable.index()].index_type;
        let types = [self.types.as_slice(), new, &[wanted]].concat();
        for (element, _) in (0u8..).zip(&types).filter(|(_, index_type)| **index_type == wanted) {
            let mut inner = environment.to_vec();
            inner[variable.index()] = element;
            let wider = if usize::from(element) + 1 == types.len() { [new, &[wanted]].concat() } else { new.to_vec() };
            if self.types.len() + wider.len() > MAX_ELEMENTS {
                continue;
            }
            if let Formula::Forall(next, body) = body {
                self.generalize(*next, body, &inner, &wider, found);
            } else if !wider.is_empty()
                && let Some(disjuncts) = self.with_elements(&wider).disjuncts(body, &inner)
                && let Some(clauses) = universal::clauses(&disjuncts, self.space)
            {
                found.extend(clauses.into_iter().map(|lits| Universal::of_others(wider.clone(), lits)));
            }
        }
    }

    /// Calls `call` with the list of all literals, the first literal outermost.
    fn with_literals(&self, lits: &[Lit], rest: &Todo<'_, 'a>, call: &mut dyn FnMut(&Todo<'_, 'a>)) {
        match lits.split_last() {
            None => call(rest),
            Some((last, others)) => self.with_literals(others, &Todo::Literal(*last, rest), call),
        }
    }

    fn is_unchanged(&self, lit: Lit) -> bool {
        lit.right.read().is_none_or(|read| self.is_read_unchanged(read)) && self.is_read_unchanged(lit.left)
    }

    /// Returns whether the update gives the read its old value, with index equations decided.
    fn is_read_unchanged(&self, read: Read) -> bool {
        let Some(update) = self.step.update_of(read.variable()) else {
            return true;
        };
        let environment = self.bind(update, read);
        let mut value = &update.value;
        loop {
            match value {
                Value::Arbitrary | Value::Sum(..) => return false,
                Value::Term(term) => return self.side(term, &environment) == Side::Read(read),
                Value::If(condition, then, otherwise) => match self.decide(condition, &environment) {
                    Some(true) => value = then,
                    Some(false) => value = otherwise,
                    None => return false,
                },
            }
        }
    }

    /// Returns the environment in which the update's bound variables are the read's arguments.
    fn bind(&self, update: &Update, read: Read) -> Vec<Element> {
        let mut environment = self.environment.clone();
        for (bound, element) in update.arguments.iter().zip(read.arguments()) {
            environment[bound.index()] = element;
        }
        environment
    }

    /// Returns the truth value of a formula if index equations alone decide it.
    fn decide(&self, formula: &Formula, environment: &[Element]) -> Option<bool> {
        match formula {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Equal(left, right) => {
                match self.make(self.side(left, environment), Comparison::Equal, self.side(right, environment)) {
                    Made::True => Some(true),
                    Made::False => Some(false),
                    Made::Lit(_) => None,
                }
            }
            Formula::AtMost(left, right, sum) => {
                let (left, right) = (self.side(left, environment), self.side(right, environment));
                match self.make(left, Comparison::at_most(*sum, true), right) {
                    Made::True => Some(true),
                    Made::False => Some(false),
                    Made::Lit(_) => None,
                }
            }
            Formula::Not(inner) => self.decide(inner, environment).map(|truth| !truth),
            Formula::And(parts) => self.decide_all(parts, environment, true),
            Formula::Or(parts) => self.decide_all(parts, environment, false),
            Formula::Forall(..) | Formula::Exists(..) => None,
        }
    }

    fn decide_all(&self, parts: &[Formula], environment: &[Element], neutral: bool) -> Option<bool> {
        let mut open = false;
        for part in parts {
            match self.decide(part, environment) {
                Some(truth) if truth == neutral => {}
                Some(truth) => return Some(truth),
                None => open = true,
            }
        }
        (!open).then_some(neutral)
    }

    fn make(&self, left: Side, comparison: Comparison, right: Side) -> Made {
        self.space.make(left, comparison, right, &self.types)
    }

    fn side(&self, term: &Term, environment: &[Element]) -> Side {
        let element = |index: &IndexTerm| match index {
            IndexTerm::Variable(variable) => environment[variable.index()],
            IndexTerm::Named(named) => Element::try_from(named.0).expect("the number of named elements was checked"),
        };
        match term {
            Term::Constant(constant) => Side::Value(Datum::constant(*constant)),
            Term::Index(index) => Side::Value(Datum::element(element(index))),
            Term::Read(variable, arguments) => Side::Read(Read::new(*variable, arguments.iter().map(element))),
            Term::Zero => Side::Zero,
        }
    }

    fn expand(&self, todo: &Todo<'_, 'a>, current: &mut Branch<'a>, branches: &mut Vec<Branch<'a>>) {
        let left = self.budget.get();
        if left == 0 {
            return;
        }
        self.budget.set(left - 1);
        match *todo {
            Todo::Done => finish(current, branches),
            Todo::Formula(formula, positive, environment, rest) => {
                self.expand_formula(formula, positive, environment, rest, current, branches);
            }
            Todo::Literal(lit, rest) => {
                let (left, comparison, right) = lit.as_written(self.space);
                self.expand_read(left, comparison, Other::After(right), rest, current, branches);
            }
            Todo::Right(None, _, _, rest) => self.expand(rest, current, branches),
            Todo::Right(Some(left), comparison, right, rest) => match right {
                Side::Value(_) | Side::Zero => {
                    self.conjoin(self.make(left, comparison, right), rest, current, branches);
                }
                Side::Read(read) => {
                    self.expand_read(read, comparison, Other::Before(left), rest, current, branches);
                }
            },
            Todo::Value(value, environment, comparison, other, rest) => {
                self.expand_value(value, environment, comparison, other, rest, current, branches);
            }
        }
    }

    fn expand_read(
        &self,
        read: Read,
        comparison: Comparison,
        other: Other,
        rest: &Todo<'_, 'a>,
        current: &mut Branch<'a>,
        branches: &mut Vec<Branch<'a>>,
    ) {
        match self.step.update_of(read.variable()) {
            None => self.compare(Some(Side::Read(read)), comparison, other, rest, current, branches),
            Some(update) => {
                let environment = self.bind(update, read);
                let todo = Todo::Value(&update.value, &environment, comparison, other, rest);
                self.expand(&todo, current, branches);
            }
        }
    }

    /// Continues with the second side of a comparison whose first side has its value before the step (or is arbitrary).
    fn compare(
        &self,
        side: Option<Side>,
        comparison: Comparison,
        other: Other,
        rest: &Todo<'_, 'a>,
        current: &mut Branch<'a>,
        branches: &mut Vec<Branch<'a>>,
    ) {
        match (side, other) {
            (None, Other::Before(_)) => self.expand(rest, current, branches),
            (Some(side), Other::Before(left)) => {
                self.conjoin(self.make(left, comparison, side), rest, current, branches);
            }
            (None, Other::After(_)) => self.expand(rest, current, branches),
            (Some(side), Other::After(right)) => {
                self.expand(&Todo::Right(Some(side), comparison, right, rest), current, branches);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the state of an unfinished comparison")]
    fn expand_value(
        &self,
        value: &'a Value,
        environment: &[Element],
        comparison: Comparison,
        other: Other,
        rest: &Todo<'_, 'a>,
        current: &mut Branch<'a>,
        branches: &mut Vec<Branch<'a>>,
    ) {
        match value {
            Value::Arbitrary => self.compare(None, comparison, other, rest, current, branches),
            Value::Term(term) => {
                self.compare(Some(self.side(term, environment)), comparison, other, rest, current, branches);
            }
            Value::Sum(term, number) => {
                // What is added to one side is subtracted from the other.
                let by = match other {
                    Other::After(_) => -number,
                    Other::Before(_) => *number,
                };
                let side = self.side(term, environment);
                self.compare(Some(side), comparison.shifted(by), other, rest, current, branches);
            }
            Value::If(condition, then, otherwise) => {
                for (branch, truth) in [(then, true), (otherwise, false)] {
                    let value = Todo::Value(branch, environment, comparison, other, rest);
                    self.expand_formula(condition, truth, environment, &value, current, branches);
                }
            }
        }
    }

    fn expand_formula(
        &self,
        formula: &'a Formula,
        positive: bool,
        environment: &[Element],
        rest: &Todo<'_, 'a>,
        current: &mut Branch<'a>,
        branches: &mut Vec<Branch<'a>>,
    ) {
        match formula {
            Formula::True | Formula::False => {
                let made = if (*formula == Formula::True) == positive { Made::True } else { Made::False };
                self.conjoin(made, rest, current, branches);
            }
            Formula::Equal(left, right) => {
                let made = self.make(
                    self.side(left, environment),
                    Comparison::equal_if(positive),
                    self.side(right, environment),
                );
                self.conjoin(made, rest, current, branches);
            }
            Formula::AtMost(left, right, sum) => {
                let (left, right) = (self.side(left, environment), self.side(right, environment));
                let made = self.make(left, Comparison::at_most(*sum, positive), right);
                self.conjoin(made, rest, current, branches);
            }
            Formula::Not(inner) => self.expand_formula(inner, !positive, environment, rest, current, branches),
            Formula::And(parts) if positive => {
                self.expand_all(parts, positive, environment, rest, current, branches);
            }
            Formula::Or(parts) if !positive => {
                self.expand_all(parts, positive, environment, rest, current, branches);
            }
            Formula::And(parts) | Formula::Or(parts) => {
                for part in parts {
                    self.expand_formula(part, positive, environment, rest, current, branches);
                }
            }
            Formula::Forall(variable, body) | Formula::Exists(variable, body) => {
                // Guards are in negation normal form without `Exists`, and conditions have no quantifiers.
                current.universals.push((*variable, body));
                self.expand(rest, current, branches);
                current.universals.pop();
            }
        }
    }

    fn expand_all(
        &self,
        parts: &'a [Formula],
        positive: bool,
        environment: &[Element],
        rest: &Todo<'_, 'a>,
        current: &mut Branch<'a>,
        branches: &mut Vec<Branch<'a>>,
    ) {
        match parts.split_first() {
            None => self.expand(rest, current, branches),
            Some((first, [])) => self.expand_formula(first, positive, environment, rest, current, branches),
            Some((first, others)) => {
                self.with_formulas(others, positive, environment, rest, &mut |todo| {
                    self.expand_formula(first, positive, environment, todo, current, branches);
                });
            }
        }
    }

    /// Calls `call` with the list of all parts, the first outermost.
    fn with_formulas(
        &self,
        parts: &'a [Formula],
        positive: bool,
        environment: &[Element],
        rest: &Todo<'_, 'a>,
        call: &mut dyn FnMut(&Todo<'_, 'a>),
    ) {
        match parts.split_last() {
            None => call(rest),
            Some((last, others)) => {
                let todo = Todo::Formula(last, positive, environment, rest);
                self.with_formulas(others, positive, environment, &todo, call);
            }
        }
    }

    fn conjoin(&self, made: Made, rest: &Todo<'_, 'a>, current: &mut Branch<'a>, branches: &mut Vec<Branch<'a>>) {
        match made {
            Made::False => {}
            Made::True => self.expand(rest, current, branches),
            Made::Lit(lit) => match current.lits.binary_search(&lit) {
                Ok(_) => self.expand(rest, current, branches),
                Err(_) if current.lits.iter().any(|other| clash(self.space, *other, lit)) => {}
                Err(position) => {
                    current.lits.insert(position, lit);
                    self.expand(rest, current, branches);
                    let position = current.lits.binary_search(&lit).expect("it was just inserted");
                    current.lits.remove(position);
                }
            },
        }
    }

    /// Returns the instances of the universal parts of a branch over all elements, as formulas with their environments.
    pub(crate) fn instances(&self, branch: &Branch<'a>, types: &[IndexTypeId]) -> Vec<(&'a Formula, Vec<Element>)> {
        let mut found = Vec::new();
        for (variable, body) in &branch.universals {
            self.instantiate(*variable, body, &self.environment, types, &mut found);
        }
        found
    }

    /// Returns the instances of a universal formula over all elements.
    pub(crate) fn instantiate<'f>(
        &self,
        variable: IndexVariableId,
        body: &'f Formula,
        environment: &[Element],
        types: &[IndexTypeId],
        found: &mut Vec<(&'f Formula, Vec<Element>)>,
    ) {
        let wanted = self.step.scope[variable.index()].index_type;
        for (element, index_type) in (0u8..).zip(types) {
            if *index_type != wanted {
                continue;
            }
            let mut inner = environment.to_vec();
            inner[variable.index()] = element;
            match body {
                Formula::Forall(next, body) => self.instantiate(*next, body, &inner, types, found),
                Formula::True
                | Formula::False
                | Formula::Equal(..)
                | Formula::AtMost(..)
                | Formula::Not(_)
                | Formula::And(_)
                | Formula::Or(_)
                | Formula::Exists(..) => found.push((body, inner)),
            }
        }
    }

    /// Returns the literal of an equation in an environment, where `types` are the types of all elements so far.
    pub(crate) fn literal(
        &self,
        left: &Term,
        comparison: Comparison,
        right: &Term,
        environment: &[Element],
        types: &[IndexTypeId],
    ) -> Made {
        self.space.make(self.side(left, environment), comparison, self.side(right, environment), types)
    }

    /// Returns the disjuncts of the branch together with instances of its universal parts, or `None` if there are too
    /// many.
    pub(crate) fn strengthen(
        &self,
        branch: &Branch<'a>,
        instances: &[(&'a Formula, Vec<Element>)],
    ) -> Option<Vec<Vec<Lit>>> {
        let mut branches = Vec::new();
        let mut current = branch.clone();
        current.universals.clear();
        let done = Todo::Done;
        self.with_instances(instances, &done, &mut |todo| self.expand(todo, &mut current, &mut branches));
        (self.budget.get() > 0).then(|| branches.into_iter().map(|branch| branch.lits).collect())
    }

    fn with_instances(
        &self,
        instances: &[(&'a Formula, Vec<Element>)],
        rest: &Todo<'_, 'a>,
        call: &mut dyn FnMut(&Todo<'_, 'a>),
    ) {
        match instances.split_last() {
            None => call(rest),
            Some(((formula, environment), others)) => {
                self.with_instances(others, &Todo::Formula(formula, true, environment, rest), call);
            }
        }
    }
}

fn finish<'a>(current: &Branch<'a>, branches: &mut Vec<Branch<'a>>) {
    let known = branches.iter().any(|other| other.lits == current.lits && other.universals == current.universals);
    if !known {
        branches.push(current.clone());
    }
}

/// Returns whether two literals are complementary or equate one read with two values.
fn clash(space: &Space, a: Lit, b: Lit) -> bool {
    if a.left != b.left {
        return false;
    }
    match (a.right, b.right) {
        (Side::Value(x), Side::Value(y)) if a.comparison.is_equal() && b.comparison.is_equal() => x != y,
        _ => space.negate(a) == b,
    }
}
