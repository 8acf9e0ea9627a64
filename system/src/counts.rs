//! The numbers of elements in a state, as state variables.
//!
//! A protocol that counts acknowledgements or readers keeps a number that has to agree with the states of its nodes. No
//! invariant over finitely many nodes says so. For such protocols, [`add`] adds a state variable for the number of
//! elements `i` with `v[i] = c`, or of those without, which the rules keep up to date, and axioms that follow from what it
//! is: `k` different elements that are counted make it at least `k`, and `k` different ones that are not leave at most the
//! number of all elements minus `k`. With these, that two numbers agree is a bound like any other. (Such cardinalities are those of
//! Alberti, Ghilardi and Pagani, "Cardinality constraints for arrays", 2018.)
//!
//! What is counted is guessed from the rules: wherever it is known by how much a rule changes a number and how it changes
//! the elements, both agree. A guess that does not help only makes the system larger.

use std::collections::BTreeSet;

use crate::walk::Rewrite;
use crate::{
    Axiom, Comparison, ConstantId, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Literal,
    NamedId, Numbers, Origin, PathStep, Role, Sort, SortId, System, Term, Transition, Update, Value, Variable,
    VariableId,
};

/// The most elements that one axiom is about.
const MOST_ELEMENTS: usize = 3;

/// The most numbers that are added.
const MOST_COUNTS: usize = 4;

/// A condition on elements: a state variable with one argument has a constant as its value, or has another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Counted {
    variable: VariableId,
    constant: ConstantId,
    positive: bool,
}

impl Counted {
    fn counts(self, constant: ConstantId) -> bool {
        (constant == self.constant) == self.positive
    }
}

/// Adds the numbers of elements that rules seem to count, with their axioms.
pub fn add(system: &mut System) {
    let known: Vec<Counted> = system.variables.iter().filter_map(counted_by).collect();
    let counted = candidates(system).into_iter().filter(|counted| !known.contains(counted));
    let counted: Vec<Counted> = counted.take(MOST_COUNTS).collect();
    for one in counted {
        Adding { system, one }.add();
    }
    add_majorities(system);
}

/// Adds the axioms that two conditions that exclude each other do not both hold of more than half of the elements: not of
/// more than half and at least half.
fn add_majorities(system: &mut System) {
    let ids = || (0..).map(VariableId).zip(&system.variables);
    let counts: Vec<(VariableId, Counted)> = ids().filter_map(|(id, own)| Some((id, counted_by(own)?))).collect();
    let half_of = |whole: VariableId, more: i64| {
        ids().find(|(_, own)| own.path == [PathStep::Half(whole, more)]).map(|(id, _)| Term::Read(id, Vec::new()))
    };
    let mut axioms = Vec::new();
    // Half of the parameter is half of the elements only if it is their number.
    for size in system.sizes.iter().filter(|size| size.more == 0) {
        let Some((down, up)) = half_of(size.variable, 0).zip(half_of(size.variable, 1)) else { continue };
        // More than half of the elements, and at least half. Both together are more elements than there are.
        let (more, least) = ((&down, 1), (&up, 0));
        let is_over = |one: Counted| system.variables[one.variable.index()].arguments == [size.index_type];
        let counts: Vec<&(VariableId, Counted)> = counts.iter().filter(|(_, one)| is_over(*one)).collect();
        for (at, (one, first)) in counts.iter().enumerate() {
            let others = counts[at + 1..].iter().filter(|(_, second)| excludes(system, *first, *second));
            for (other, _) in others {
                let both = [(more, more), (more, least), (least, more)];
                axioms.extend(both.map(|(a, b)| majority(system, [(*one, a), (*other, b)])));
            }
        }
    }
    system.axioms.extend(axioms);
}

/// Returns whether no element satisfies both conditions.
fn excludes(system: &System, one: Counted, other: Counted) -> bool {
    let constants = &system.sort_of(one.variable).constants;
    one.variable == other.variable && !constants.iter().any(|constant| one.counts(*constant) && other.counts(*constant))
}

/// Returns the axiom that two numbers are not both at least a term plus a number each.
fn majority(system: &System, both: [(VariableId, (&Term, i64)); 2]) -> Axiom {
    let below =
        |(count, (term, sum)): (VariableId, (&Term, i64))| (Term::Read(count, Vec::new()), term.clone(), sum - 1);
    let below = both.map(below);
    let formula = Formula::Or(
        below.iter().map(|(left, right, sum)| Formula::AtMost(left.clone(), right.clone(), *sum)).collect(),
    );
    let violated =
        below.map(|(left, right, sum)| Literal { left, comparison: Comparison::AtMost(sum).negated(), right });
    let names = both.map(|(count, _)| system.variables[count.index()].name.as_str());
    Axiom {
        name: format!("not most are {} and most {}", names[0], names[1]),
        scope: Vec::new(),
        immutable: system.is_immutable(&formula),
        formula,
        bad: Cube::normalize(system, &[], &violated).into_iter().collect(),
        origin: system.variables[both[0].0.index()].origin.clone(),
    }
}

/// Adds the axioms of the numbers of elements that are state variables already and that the rules keep up to date.
pub fn constrain(system: &mut System) {
    let ids = (0..).map(VariableId).zip(&system.variables);
    let counts: Vec<(VariableId, Counted)> =
        ids.filter_map(|(id, variable)| Some((id, counted_by(variable)?))).collect();
    for (count, one) in counts {
        let variable = &system.variables[one.variable.index()];
        let (over, origin) = (variable.arguments[0], variable.origin.clone());
        Adding { system, one }.axioms(count, over, &origin);
    }
}

/// Returns what a state variable counts, if it is the number of some elements.
fn counted_by(variable: &Variable) -> Option<Counted> {
    match variable.path[..] {
        [PathStep::Count(variable, constant, positive)] => Some(Counted { variable, constant, positive }),
        _ => None,
    }
}

/// Returns the conditions of which some number seems to count the elements.
fn candidates(system: &System) -> BTreeSet<Counted> {
    let ids = || (0..).map(VariableId).zip(&system.variables);
    let numbers = ids().filter(|(id, own)| own.arguments.is_empty() && system.sort_of(*id).numbers.is_some());
    let numbers: Vec<VariableId> = numbers.map(|(id, _)| id).filter(|id| !system.is_choice(*id)).collect();
    let mut found = BTreeSet::new();
    for (variable, own) in ids().filter(|(id, own)| own.arguments.len() == 1 && system.sort_of(*id).is_finite()) {
        let constants = &system.sorts[own.sort.index()].constants;
        // Of two constants, the elements with one are those without the other.
        let constants = if constants.len() == 2 { &constants[1..] } else { constants };
        for (number, constant) in numbers.iter().flat_map(|number| constants.iter().map(move |own| (*number, *own))) {
            let with = |positive| Counted { variable, constant, positive };
            found.extend([true, false].map(with).into_iter().find(|counted| seems_to_count(system, number, *counted)));
        }
    }
    found
}

/// Returns whether a number changes as the number of elements does in every rule in which both are known, and somewhere
/// at all.
fn seems_to_count(system: &System, number: VariableId, counted: Counted) -> bool {
    let known = |rule: &Transition| Some((change_of(rule, number)?, change_of_count(system, rule, counted)?));
    let mut changes = system.rules.iter().filter_map(|rule| known(rule));
    changes.clone().any(|(number, _)| number != 0) && changes.all(|(number, count)| number == count)
}

/// Returns by how much a rule changes a number, if it adds to it.
fn change_of(rule: &Transition, number: VariableId) -> Option<i64> {
    match rule.update_of(number).map(|update| &update.value) {
        None => Some(0),
        Some(Value::Sum(Term::Read(read, _), sum)) if *read == number => Some(*sum),
        Some(Value::Sum(..) | Value::Term(_) | Value::Arbitrary | Value::If(..)) => None,
    }
}

/// Returns by how much a rule changes the number of elements that a condition holds of, if its guard and its update say so.
fn change_of_count(system: &System, rule: &Transition, counted: Counted) -> Option<i64> {
    let Some(update) = rule.update_of(counted.variable) else { return Some(0) };
    let changes = Changes::of(update)?;
    let ([(element, value)], Others::Kept) = (&changes.at[..], &changes.others) else { return None };
    let before = rule.guard.conjuncts().into_iter().find_map(|part| known(system, counted, part, *element))?;
    let Value::Term(after) = value else { return None };
    Some(i64::from(counted.counts(constant_of(after)?)) - i64::from(before))
}

/// Returns whether an element is counted before a rule, if a part of the guard says so.
fn known(system: &System, counted: Counted, part: &Formula, element: IndexTerm) -> Option<bool> {
    let read = Term::Read(counted.variable, vec![element]);
    let constants = &system.sort_of(counted.variable).constants;
    match part {
        Formula::Equal(left, Term::Constant(constant)) if *left == read => Some(counted.counts(*constant)),
        Formula::Not(part) => match &**part {
            Formula::Equal(left, Term::Constant(constant)) if *left == read && *constant == counted.constant => {
                Some(!counted.positive)
            }
            Formula::Equal(left, Term::Constant(_)) if *left == read && constants.len() == 2 => Some(counted.positive),
            Formula::Equal(..)
            | Formula::True
            | Formula::False
            | Formula::AtMost(..)
            | Formula::Not(_)
            | Formula::And(_)
            | Formula::Or(_)
            | Formula::Forall(..)
            | Formula::Exists(..) => None,
        },
        Formula::Equal(..)
        | Formula::True
        | Formula::False
        | Formula::AtMost(..)
        | Formula::And(_)
        | Formula::Or(_)
        | Formula::Forall(..)
        | Formula::Exists(..) => None,
    }
}

fn constant_of(term: &Term) -> Option<ConstantId> {
    match term {
        Term::Constant(constant) => Some(*constant),
        Term::Index(_) | Term::Read(..) | Term::Zero => None,
    }
}

/// The elements at which an update changes a state variable, each with its value, and what the others get.
struct Changes {
    at: Vec<(IndexTerm, Value)>,
    others: Others,
}

enum Others {
    /// They keep their values.
    Kept,
    /// They get this value.
    Get(Value),
}

impl Changes {
    fn of(update: &Update) -> Option<Self> {
        let [bound] = update.arguments[..] else { return None };
        let kept = Value::Term(Term::Read(update.variable, vec![IndexTerm::Variable(bound)]));
        let (at, rest) = listed(&update.value, bound);
        let (at, rest) = match rest {
            Value::If(..) => at_each(&update.value, bound)?,
            Value::Term(_) | Value::Sum(..) | Value::Arbitrary => (at, rest.clone()),
        };
        let others = if rest == kept { Others::Kept } else { Others::Get(rest) };
        Some(Self { at, others })
    }
}

/// Returns the elements that a value asks for one after the other, each with the value there, and what is left.
fn listed(mut value: &Value, bound: IndexVariableId) -> (Vec<(IndexTerm, Value)>, &Value) {
    let mut at = Vec::new();
    while let Value::If(condition, yes, no) = value {
        let Some(element) = other_element(condition, bound) else { break };
        at.push((element, (**yes).clone()));
        value = no;
    }
    (at, value)
}

/// Returns the elements that the conditions of a value ask for in any way, each with the value there, and the value at all
/// others.
fn at_each(value: &Value, bound: IndexVariableId) -> Option<(Vec<(IndexTerm, Value)>, Value)> {
    let mut elements: Vec<IndexTerm> = Vec::new();
    let mut conditions = Vec::new();
    conditions_of(value, &mut conditions);
    if conditions.iter().any(|condition| condition.has_quantifier()) {
        return None;
    }
    for condition in conditions {
        condition.visit(&mut |part| {
            let element = other_element(part, bound).filter(|element| !elements.contains(element));
            elements.extend(element);
        });
    }
    let elsewhere = decided(value, &|part| other_element(part, bound).map(|_| false));
    let there = |element: IndexTerm| {
        let Ok(value) = value.rewritten(&mut Place { bound, element });
        let is_same = |part: &Formula| {
            let Formula::Equal(Term::Index(left), Term::Index(right)) = part else { return None };
            (left == right).then_some(true)
        };
        (element, decided(&value, &is_same))
    };
    Some((elements.iter().copied().map(there).collect(), elsewhere))
}

fn conditions_of<'v>(value: &'v Value, found: &mut Vec<&'v Formula>) {
    if let Value::If(condition, yes, no) = value {
        found.push(condition);
        conditions_of(yes, found);
        conditions_of(no, found);
    }
}

/// Returns the element that a formula says the bound variable of an update is.
fn other_element(formula: &Formula, bound: IndexVariableId) -> Option<IndexTerm> {
    let Formula::Equal(Term::Index(left), Term::Index(right)) = formula else { return None };
    let own = IndexTerm::Variable(bound);
    match (*left == own, *right == own) {
        (true, false) => Some(*right),
        (false, true) => Some(*left),
        (true, true) | (false, false) => None,
    }
}

/// Returns a value without the conditions that are decided once it is known which formulas hold.
fn decided(value: &Value, known: &dyn Fn(&Formula) -> Option<bool>) -> Value {
    let Value::If(condition, yes, no) = value else { return value.clone() };
    let condition = truth(condition, known);
    if let Some(holds) = constant_truth(&condition) {
        return decided(if holds { yes } else { no }, known);
    }
    conditional(condition, decided(yes, known), decided(no, known))
}

/// Returns whether a formula is one of the two truth values, and which.
fn constant_truth(formula: &Formula) -> Option<bool> {
    (*formula == Formula::True).then_some(true).or_else(|| (*formula == Formula::False).then_some(false))
}

/// Returns what is left of a formula once it is known which of its parts hold.
fn truth(formula: &Formula, known: &dyn Fn(&Formula) -> Option<bool>) -> Formula {
    let constant = |holds| if holds { Formula::True } else { Formula::False };
    if let Some(holds) = known(formula) {
        return constant(holds);
    }
    let joined = |parts: &[Formula], ends: Formula, all: fn(Vec<Formula>) -> Formula| {
        let parts: Vec<Formula> = parts.iter().map(|part| truth(part, known)).collect();
        if parts.contains(&ends) {
            return ends;
        }
        let neutral = constant(ends == Formula::False);
        let mut left: Vec<Formula> = parts.into_iter().filter(|part| *part != neutral).collect();
        match left.len() {
            0 => neutral,
            1 => left.remove(0),
            _ => all(left),
        }
    };
    match formula {
        Formula::And(parts) => joined(parts, Formula::False, Formula::And),
        Formula::Or(parts) => joined(parts, Formula::True, Formula::Or),
        Formula::Not(part) => {
            let part = truth(part, known);
            constant_truth(&part).map_or_else(|| Formula::Not(Box::new(part)), |holds| constant(!holds))
        }
        Formula::True
        | Formula::False
        | Formula::Equal(..)
        | Formula::AtMost(..)
        | Formula::Forall(..)
        | Formula::Exists(..) => formula.clone(),
    }
}

/// One number that is being added.
struct Adding<'s> {
    system: &'s mut System,
    one: Counted,
}

impl Adding<'_> {
    fn add(&mut self) {
        let count = VariableId(u32::try_from(self.system.variables.len()).expect("the variables are few"));
        let variable = &self.system.variables[self.one.variable.index()];
        let (over, origin) = (variable.arguments[0], variable.origin.clone());
        let constant = &self.system.constants[self.one.constant.index()].name;
        let sign = if self.one.positive { "=" } else { "!=" };
        let name = format!("#{} {sign} {constant}", variable.name);
        let sort = self.sort(over);
        let path = vec![PathStep::Count(self.one.variable, self.one.constant, self.one.positive)];
        let rules: Vec<Option<Value>> = self.system.rules.iter().map(|rule| self.after(rule, count, over)).collect();
        let starts: Vec<Option<Value>> =
            self.system.startstates.iter().map(|start| Some(self.at_start(start))).collect();
        self.system.variables.push(Variable { name, arguments: Vec::new(), sort, path, origin: origin.clone() });
        let transitions = self.system.rules.iter_mut().map(|rule| &mut rule.transition);
        let transitions = transitions.chain(self.system.startstates.iter_mut().map(|start| &mut start.transition));
        for (transition, value) in transitions.zip(rules.into_iter().chain(starts)) {
            transition.updates.extend(value.map(|value| Update { variable: count, arguments: Vec::new(), value }));
        }
        self.axioms(count, over, &origin);
    }

    /// Returns the sort of numbers of elements of the type.
    fn sort(&mut self, over: IndexTypeId) -> SortId {
        let index_type = &self.system.index_types[over.index()];
        let name = format!("number of {}", index_type.name);
        let numbers = Some(Numbers { low: 0, high: i64::from(index_type.size) });
        let known = self.system.sorts.iter().position(|sort| sort.name == name);
        let at = known.unwrap_or_else(|| {
            self.system.sorts.push(Sort { name, index_types: Vec::new(), constants: Vec::new(), numbers });
            self.system.sorts.len() - 1
        });
        SortId(u32::try_from(at).expect("the sorts are few"))
    }

    /// Returns the number after a rule, or `None` if the rule does not change it.
    fn after(&self, rule: &Transition, count: VariableId, over: IndexTypeId) -> Option<Value> {
        let update = rule.update_of(self.one.variable)?;
        let Some(changes) = Changes::of(update) else { return Some(Value::Arbitrary) };
        match changes.others {
            Others::Kept => {
                let bound = update.arguments[0];
                Some(self.sum(rule, count, bound, &changes.at, 0, 0).unwrap_or(Value::Arbitrary))
            }
            Others::Get(Value::Term(Term::Constant(constant))) if changes.at.is_empty() => {
                Some(if self.one.counts(constant) { self.all(over) } else { Value::Term(Term::Zero) })
            }
            Others::Get(_) => Some(Value::Arbitrary),
        }
    }

    /// Returns the number of all elements.
    fn all(&self, over: IndexTypeId) -> Value {
        let size = self.system.sizes.iter().find(|size| size.index_type == over);
        size.map_or(Value::Arbitrary, |size| Value::Sum(Term::Read(size.variable, Vec::new()), size.more))
    }

    /// Returns the number after the changes from a position on, where those before it add `sum`.
    fn sum(
        &self,
        rule: &Transition,
        count: VariableId,
        bound: IndexVariableId,
        at: &[(IndexTerm, Value)],
        from: usize,
        sum: i64,
    ) -> Option<Value> {
        let Some((element, value)) = at.get(from) else {
            let read = Term::Read(count, Vec::new());
            return Some(if sum == 0 { Value::Term(read) } else { Value::Sum(read, sum) });
        };
        let rest = |sum| self.sum(rule, count, bound, at, from + 1, sum);
        let old = Formula::Equal(Term::Read(self.one.variable, vec![*element]), Term::Constant(self.one.constant));
        let was = rule.guard.conjuncts().into_iter().find_map(|part| known(self.system, self.one, part, *element));
        let after = |held| self.is_counted(value, (bound, *element), held);
        let (held, did_not) =
            (after(true)?.choose(rest(sum)?, rest(sum - 1)?), after(false)?.choose(rest(sum + 1)?, rest(sum)?));
        let changed = match was {
            Some(true) => held,
            Some(false) => did_not,
            None if self.one.positive => conditional(old, held, did_not),
            None => conditional(old, did_not, held),
        };
        let same = at[..from].iter().map(|(earlier, _)| Formula::Equal(Term::Index(*earlier), Term::Index(*element)));
        let same: Vec<Formula> = same.collect();
        Some(if same.is_empty() { changed } else { conditional(Formula::Or(same), rest(sum)?, changed) })
    }

    /// Returns whether an element is counted once it has a value, or `None` if that is arbitrary; `held` says whether it is
    /// counted before.
    fn is_counted(&self, value: &Value, at: (IndexVariableId, IndexTerm), held: bool) -> Option<Condition> {
        let (bound, element) = at;
        let mut place = Place { bound, element };
        Some(match value {
            Value::Term(Term::Constant(constant)) => Condition::Decided(self.one.counts(*constant)),
            Value::Term(term) => {
                let Ok(term) = place.term(term);
                // A read of a sort without the constant never has it.
                let Term::Read(variable, arguments) = &term else { return None };
                if *variable == self.one.variable && *arguments == [element] {
                    return Some(Condition::Decided(held));
                }
                if !self.system.sort_of(*variable).constants.contains(&self.one.constant) {
                    return Some(Condition::Decided(!self.one.positive));
                }
                let decided = |truth| Box::new(Condition::Decided(truth == self.one.positive));
                let is = Formula::Equal(term, Term::Constant(self.one.constant));
                Condition::If(is, decided(true), decided(false))
            }
            Value::Sum(..) | Value::Arbitrary => return None,
            Value::If(condition, yes, no) => {
                let Ok(condition) = condition.rewritten(&mut place);
                let condition = truth(&condition, &|part| self.follows(part, element, held));
                if let Some(holds) = constant_truth(&condition) {
                    return self.is_counted(if holds { yes } else { no }, at, held);
                }
                let (yes, no) = (self.is_counted(yes, at, held)?, self.is_counted(no, at, held)?);
                Condition::If(condition, Box::new(yes), Box::new(no))
            }
        })
    }

    /// Returns whether an equation holds, if this follows from whether an element is counted.
    fn follows(&self, equation: &Formula, element: IndexTerm, counted: bool) -> Option<bool> {
        let Formula::Equal(Term::Read(variable, arguments), Term::Constant(constant)) = equation else { return None };
        if *variable != self.one.variable || *arguments != [element] {
            return None;
        }
        let is_constant = counted == self.one.positive;
        // Only variables of finite sorts are counted.
        let is_one_of_two = self.system.sort_of(*variable).constants.len() == 2;
        match (is_constant, *constant == self.one.constant) {
            (true, same) => Some(same),
            (false, true) => Some(false),
            (false, false) => is_one_of_two.then_some(true),
        }
    }

    /// Returns the number in the states of a startstate.
    fn at_start(&self, start: &Transition) -> Value {
        let Some(changes) = start.update_of(self.one.variable).and_then(Changes::of) else { return Value::Arbitrary };
        let is_counted = |value: &Value| match value {
            Value::Term(Term::Constant(constant)) => Some(self.one.counts(*constant)),
            Value::Term(_) | Value::Sum(..) | Value::Arbitrary | Value::If(..) => None,
        };
        match (&changes.others, &changes.at[..]) {
            (Others::Get(others), at) if is_counted(others) == Some(false) => match at {
                [] => Value::Term(Term::Zero),
                [(_, value)] => match is_counted(value) {
                    Some(counted) => Value::Sum(Term::Zero, i64::from(counted)),
                    None => Value::Arbitrary,
                },
                _ => Value::Arbitrary,
            },
            (Others::Get(_) | Others::Kept, _) => Value::Arbitrary,
        }
    }

    /// Adds the axioms: how the number relates to some elements, and to the number of all elements.
    fn axioms(&mut self, count: VariableId, over: IndexTypeId, origin: &Origin) {
        let what = self.system.variables[count.index()].name.clone();
        let count = Term::Read(count, Vec::new());
        let size = self.system.sizes.iter().find(|size| size.index_type == over).copied();
        let size = size.map(|size| (Term::Read(size.variable, Vec::new()), size.more));
        for elements in 0..=MOST_ELEMENTS {
            let number = i64::try_from(elements).expect("the elements are few");
            self.axiom((&what, over), elements, true, (Term::Zero, count.clone(), -number), origin);
            if let Some((size, more)) = &size {
                self.axiom((&what, over), elements, false, (count.clone(), size.clone(), more - number), origin);
            }
        }
    }

    /// Adds the axiom that `left <= right + sum` if different elements are, or are not, counted.
    fn axiom(
        &mut self,
        (what, over): (&str, IndexTypeId),
        elements: usize,
        counted: bool,
        (left, right, sum): (Term, Term, i64),
        origin: &Origin,
    ) {
        let comparison = Comparison::equal_if(counted == self.one.positive);
        let id = |at: usize| IndexVariableId(u32::try_from(at).expect("the elements are few"));
        let literal = |element: IndexTerm| Literal {
            left: Term::Read(self.one.variable, vec![element]),
            comparison,
            right: Term::Constant(self.one.constant),
        };
        let variables: Vec<IndexTerm> = (0..elements).map(|at| IndexTerm::Variable(id(at))).collect();
        let mut parts = Vec::new();
        for (at, one) in variables.iter().enumerate() {
            parts.extend(variables[..at].iter().map(|other| Formula::Equal(Term::Index(*other), Term::Index(*one))));
            let Literal { left, right, .. } = literal(*one);
            let holds = Formula::Equal(left, right);
            parts.push(if comparison.is_equal() { Formula::Not(Box::new(holds)) } else { holds });
        }
        parts.push(Formula::AtMost(left.clone(), right.clone(), sum));
        let formula = (0..elements).rev().fold(Formula::Or(parts), |body, at| Formula::Forall(id(at), Box::new(body)));
        let scope =
            (0..elements).map(|at| IndexVariable { name: format!("e{at}"), index_type: over, role: Role::Bound });
        let violated = Literal { left, comparison: Comparison::AtMost(sum).negated(), right };
        let bad = self.places(over, elements).into_iter().filter_map(|(free, places)| {
            let literals: Vec<Literal> = places.into_iter().map(literal).chain([violated.clone()]).collect();
            Cube::normalize(self.system, &vec![over; free], &literals)
        });
        let (bad, scope) = (bad.collect(), scope.collect());
        let name = format!("{what}: {elements} that {} counted", if counted { "are" } else { "are not" });
        let immutable = self.system.is_immutable(&formula);
        let axiom = Axiom { name, scope, formula, bad, immutable, origin: origin.clone() };
        self.system.axioms.push(axiom);
    }

    /// Returns the choices of elements, named ones and variables of a cube, with the number of the latter.
    fn places(&self, over: IndexTypeId, elements: usize) -> Vec<(usize, Vec<IndexTerm>)> {
        let named = (0..).map(NamedId).zip(&self.system.named).filter(|(_, named)| named.index_type == over);
        let mut chosen: Vec<Vec<IndexTerm>> = vec![Vec::new()];
        for (named, _) in named {
            let with = |some: &Vec<IndexTerm>| some.iter().copied().chain([IndexTerm::Named(named)]).collect();
            let more: Vec<Vec<IndexTerm>> = chosen.iter().filter(|some| some.len() < elements).map(with).collect();
            chosen.extend(more);
        }
        let all = |mut some: Vec<IndexTerm>| {
            let free = elements - some.len();
            let variables = (0..).map(IndexVariableId).map(IndexTerm::Variable);
            some.extend(variables.take(free));
            (free, some)
        };
        chosen.into_iter().map(all).collect()
    }
}

/// A truth value that may depend on the state.
enum Condition {
    Decided(bool),
    If(Formula, Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Returns the first value where the condition holds, and the second one elsewhere.
    fn choose(&self, yes: Value, no: Value) -> Value {
        match self {
            Self::Decided(true) => yes,
            Self::Decided(false) => no,
            Self::If(condition, then, otherwise) => {
                conditional(condition.clone(), then.choose(yes.clone(), no.clone()), otherwise.choose(yes, no))
            }
        }
    }
}

fn conditional(condition: Formula, yes: Value, no: Value) -> Value {
    if yes == no { yes } else { Value::If(condition, Box::new(yes), Box::new(no)) }
}

/// Replaces the bound variable of an update by the element that it denotes.
struct Place {
    bound: IndexVariableId,
    element: IndexTerm,
}

impl Rewrite for Place {
    type Error = std::convert::Infallible;
    type Around = ();

    fn term(&mut self, term: &Term) -> Result<Term, Self::Error> {
        let own = IndexTerm::Variable(self.bound);
        Ok(term.map(&mut |element| if *element == own { self.element } else { *element }))
    }

    fn around(&mut self) {}

    fn enter(&mut self, variable: IndexVariableId) -> IndexVariableId {
        variable
    }

    fn leave(&mut self, (): ()) {}
}

#[cfg(test)]
mod tests;
