//! What is known in a state of a proof: the literals after the rule, and the facts before it.
//!
//! Both are ground clauses; each fact comes with its clauses. This module must not decide what to split on.

use std::collections::BTreeSet;

use certificate::proof::{Argument, Instance, InvariantId, Match, Symbol};
use system::{Comparison, Formula, IndexTerm, IndexTypeId, IndexVariableId, Literal, Term, Value, VariableId};

use super::super::ground::{Clause, Frame, Ground, GroundLiteral, Part, Place, Truth};
use super::super::translate;
use super::{Fact, Pair, Split, State};

/// A pair in a state of its proof.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) pair: &'a Pair<'a>,
    pub(super) state: &'a State,
}

impl Frame for View<'_> {
    fn compare(&self, left: Place, right: Place) -> Truth {
        let (left, right) = (self.state.representative[left], self.state.representative[right]);
        let (one, other) = (self.state.elements[left], self.state.elements[right]);
        if left == right {
            Truth::Yes
        } else if one.index_type != other.index_type
            || (one.rigid && other.rigid)
            || self.state.differ.contains(&(left, right))
            || self.state.differ.contains(&(right, left))
        {
            Truth::No
        } else {
            Truth::Open
        }
    }

    fn is_truth_value(&self, variable: VariableId) -> bool {
        translate::is_truth_value(self.pair.system, variable)
    }
}

/// The elements that the variables of a rule's scope denote; of several for one variable, the last one counts.
#[derive(Clone, Debug)]
pub(super) struct Binding(Vec<(IndexVariableId, Place)>);

impl Binding {
    fn get(&self, variable: IndexVariableId) -> Option<Place> {
        self.0.iter().rev().find(|(own, _)| *own == variable).map(|(_, place)| *place)
    }

    fn with(&self, variable: IndexVariableId, place: Place) -> Self {
        Self([self.0.as_slice(), &[(variable, place)]].concat())
    }
}

impl View<'_> {
    pub(super) fn place(&self, place: Place) -> Place {
        self.state.representative[place]
    }

    fn parameters(&self) -> Binding {
        let parameters = (0..self.pair.rule.parameters).map(IndexVariableId).zip(0..);
        Binding(parameters.map(|(id, place)| (id, self.place(place))).collect())
    }

    pub(super) fn index(&self, index: IndexTerm, binding: &Binding) -> Place {
        match index {
            IndexTerm::Variable(variable) => self.place(binding.get(variable).unwrap_or_default()),
            IndexTerm::Named(named) => self.pair.named(named.index()),
        }
    }

    fn term(&self, term: &Term, binding: &Binding) -> Ground {
        term.map(&mut |element| self.index(*element, binding))
    }

    /// The literals of the cube in terms of the state before, as far as they are decided, and the first split that
    /// decides more of them.
    pub(super) fn after(&self) -> (Vec<Clause>, Option<Split>) {
        let mut clauses = Vec::new();
        let mut open = None;
        let binding = View::binding(&self.own_places());
        for literal in &self.pair.cube.literals {
            match self.after_literal(literal, &binding) {
                Ok(Some(literal)) => clauses.push(vec![Part::Literal(literal)]),
                Ok(None) => {}
                Err(split) => open = open.or(Some(split)),
            }
        }
        (clauses, open)
    }

    /// Returns `None` if a side is arbitrary.
    pub(super) fn after_literal(&self, literal: &Literal, binding: &Binding) -> Result<Option<GroundLiteral>, Split> {
        let (left, right) = (self.after_term(&literal.left, binding)?, self.after_term(&literal.right, binding)?);
        Ok(left.zip(right).map(|((left, less), (right, more))| {
            let comparison = match literal.comparison {
                Comparison::AtMost(sum) => Comparison::AtMost(sum + more - less),
                Comparison::AtLeast(sum) => Comparison::AtLeast(sum + more - less),
                equality @ (Comparison::Equal | Comparison::Different) => equality,
            };
            GroundLiteral { left, comparison, right }
        }))
    }

    pub(super) fn own_places(&self) -> Vec<Place> {
        (0..self.pair.cube.variables.len()).map(|position| self.pair.variable(position)).collect()
    }

    /// The variables of a cube (and of a universal part of it), in order.
    pub(super) fn binding(places: &[Place]) -> Binding {
        Binding((0_u32..).map(IndexVariableId).zip(places.iter().copied()).collect())
    }

    /// The value of a term after the rule: a term, and the number that is added to it.
    fn after_term(&self, term: &Term, binding: &Binding) -> Result<Option<(Ground, i64)>, Split> {
        let ground = self.term(term, binding);
        let Ground::Read(variable, places) = &ground else { return Ok(Some((ground, 0))) };
        let Some((value, bound)) = self.pair.rule.value_at(*variable, places) else {
            return Ok(Some((ground, 0)));
        };
        let mut scope = self.parameters();
        scope.0.extend(bound.map(|(variable, place)| (variable, *place)));
        self.value(value, &scope)
    }

    fn value(&self, value: &Value, binding: &Binding) -> Result<Option<(Ground, i64)>, Split> {
        match value {
            Value::Term(term) => Ok(Some((self.term(term, binding), 0))),
            Value::Sum(term, number) => Ok(Some((self.term(term, binding), *number))),
            Value::Arbitrary => Ok(None),
            Value::If(condition, yes, no) => {
                if self.condition(condition, binding)? {
                    self.value(yes, binding)
                } else {
                    self.value(no, binding)
                }
            }
        }
    }

    fn condition(&self, formula: &Formula, binding: &Binding) -> Result<bool, Split> {
        match formula {
            // Lowering leaves no quantifier in a condition.
            Formula::True | Formula::Forall(..) | Formula::Exists(..) => Ok(true),
            Formula::False => Ok(false),
            Formula::Not(inner) => Ok(!self.condition(inner, binding)?),
            Formula::And(parts) => self.all(parts, binding, true),
            Formula::Or(parts) => Ok(!self.all(parts, binding, false)?),
            Formula::Equal(left, right) => self.equation(self.term(left, binding), self.term(right, binding)),
            Formula::AtMost(left, right, sum) => {
                let (left, right) = (self.term(left, binding), self.term(right, binding));
                let literal = GroundLiteral { left, comparison: Comparison::AtMost(*sum), right };
                self.decided(&literal).ok_or(Split::Literal(literal))
            }
        }
    }

    /// Returns whether all parts have the given truth value.
    fn all(&self, parts: &[Formula], binding: &Binding, value: bool) -> Result<bool, Split> {
        let mut open = None;
        for part in parts {
            match self.condition(part, binding) {
                Ok(truth) if truth != value => return Ok(false),
                Ok(_) => {}
                Err(split) => open = open.or(Some(split)),
            }
        }
        open.map_or(Ok(true), Err)
    }

    fn equation(&self, left: Ground, right: Ground) -> Result<bool, Split> {
        if let (Ground::Index(left), Ground::Index(right)) = (&left, &right) {
            return match self.compare(*left, *right) {
                Truth::Yes => Ok(true),
                Truth::No => Ok(false),
                Truth::Open => Err(Split::Elements(*left, *right)),
            };
        }
        let literal = GroundLiteral { left, comparison: Comparison::Equal, right };
        self.decided(&literal).ok_or(Split::Literal(literal))
    }

    /// Returns whether a case split states explicitly that a literal holds or fails.
    pub(super) fn decided(&self, literal: &GroundLiteral) -> Option<bool> {
        if literal.left == literal.right {
            return literal.comparison.holds(true);
        }
        let negated = literal.negated();
        let is = |known: &GroundLiteral, literal: &GroundLiteral| {
            known == literal || (literal.comparison.is_bound() && *known == mirrored(literal))
        };
        self.state.literals.iter().find_map(|known| {
            if is(known, literal) {
                Some(true)
            } else if is(known, &negated) {
                Some(false)
            } else {
                None
            }
        })
    }
}

/// The same literal with its sides exchanged.
fn mirrored(literal: &GroundLiteral) -> GroundLiteral {
    let (left, right) = (literal.right.clone(), literal.left.clone());
    GroundLiteral { left, comparison: literal.comparison.mirrored(), right }
}

/// A fact and its clauses.
pub(super) type Known = (Fact, Vec<Clause>);

impl View<'_> {
    /// The facts before the rule: the guard, and those instances that the certificate names whose elements differ.
    pub(super) fn facts(&self) -> Vec<Known> {
        let mut facts = self.guard_facts();
        facts.extend(self.others().0);
        for instance in self.instances() {
            if self.distinct(&instance.1).is_none() {
                let clause = self.instance_clause(instance.0, &instance.1);
                let fact = (Fact::Invariant(instance.0, instance.1), vec![clause]);
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
        facts
    }

    fn guard_facts(&self) -> Vec<Known> {
        let mut facts = Vec::new();
        let binding = self.parameters();
        for (position, conjunct) in self.pair.guard.iter().enumerate() {
            if matches!(conjunct, Formula::Forall(..)) {
                self.universal(position, conjunct, &binding, Vec::new(), &mut facts);
            } else {
                facts.push((Fact::Guard(position), self.clauses(conjunct, &binding)));
            }
        }
        facts
    }

    /// Instantiates a universal conjunct with all combinations of elements.
    fn universal(&self, position: usize, formula: &Formula, binding: &Binding, at: Vec<Place>, facts: &mut Vec<Known>) {
        let Formula::Forall(variable, body) = formula else {
            facts.push((Fact::Instance(position, at), self.clauses(formula, binding)));
            return;
        };
        for place in self.places(self.pair.rule.scope[variable.index()].index_type) {
            let binding = binding.with(*variable, place);
            self.universal(position, body, &binding, at.iter().copied().chain([place]).collect(), facts);
        }
    }

    /// The elements of a type, one for each class of equal elements.
    pub(super) fn places(&self, index_type: IndexTypeId) -> Vec<Place> {
        let elements = (0..self.state.elements.len()).filter(|place| self.place(*place) == *place);
        elements.filter(|place| self.state.elements[*place].index_type == index_type).collect()
    }

    /// The clauses of a formula in conjunctive form; quantifiers range over all known elements.
    fn clauses(&self, formula: &Formula, binding: &Binding) -> Vec<Clause> {
        match formula {
            Formula::True | Formula::Exists(..) => Vec::new(),
            Formula::False => vec![Vec::new()],
            Formula::Equal(left, right) => self.literal_clauses(left, Comparison::Equal, right, binding),
            Formula::AtMost(left, right, sum) => self.literal_clauses(left, Comparison::AtMost(*sum), right, binding),
            // Guards are in negation normal form.
            Formula::Not(inner) => match inner.as_ref() {
                Formula::Equal(left, right) => self.literal_clauses(left, Comparison::Different, right, binding),
                Formula::AtMost(left, right, sum) => {
                    self.literal_clauses(left, Comparison::AtMost(*sum).negated(), right, binding)
                }
                Formula::True
                | Formula::False
                | Formula::Not(_)
                | Formula::And(_)
                | Formula::Or(_)
                | Formula::Forall(..)
                | Formula::Exists(..) => Vec::new(),
            },
            Formula::And(parts) => parts.iter().flat_map(|part| self.clauses(part, binding)).collect(),
            Formula::Or(parts) => disjunction(parts.iter().map(|part| self.clauses(part, binding)).collect()),
            Formula::Forall(variable, body) => {
                let places = self.places(self.pair.rule.scope[variable.index()].index_type).into_iter();
                places.flat_map(|place| self.clauses(body, &binding.with(*variable, place))).collect()
            }
        }
    }

    fn literal_clauses(&self, left: &Term, comparison: Comparison, right: &Term, binding: &Binding) -> Vec<Clause> {
        let (left, right) = (self.term(left, binding), self.term(right, binding));
        vec![vec![Part::Literal(GroundLiteral { left, comparison, right })]]
    }

    /// The instances that the certificate names for the matches that are still possible, and the invariant itself.
    pub(super) fn instances(&self) -> Vec<(InvariantId, Vec<Place>)> {
        let plain = |cube: &InvariantId| self.pair.cubes[cube.index()].universals.is_empty();
        let own = self.pair.invariant.filter(plain).map(|invariant| (invariant, self.own_places()));
        let given = self
            .pair
            .given
            .iter()
            .filter(|(cube, _)| plain(cube))
            .map(|(cube, places)| (*cube, places.iter().map(|place| self.place(*place)).collect::<Vec<_>>()));
        let mut instances = own.into_iter().chain(given).collect::<Vec<_>>();
        for (matching, arguments) in &self.pair.entries {
            if self.possible(matching) {
                for argument in arguments {
                    self.collect(matching, argument, &[], &mut instances);
                }
            }
        }
        instances
    }

    fn collect(
        &self,
        matching: &Match,
        argument: &Argument,
        path: &[Place],
        instances: &mut Vec<(InvariantId, Vec<Place>)>,
    ) {
        for Instance { invariant, substitution } in &argument.premises {
            let places = substitution.iter().map(|symbol| self.symbol(matching, *symbol, path));
            let places = places.collect::<Option<Vec<_>>>();
            if let Some(places) = places {
                instances.push((*invariant, places));
            }
        }
        for (case, path) in argument.split.iter().flat_map(|split| self.cases(matching, split, path)) {
            self.collect(matching, case, &path, instances);
        }
    }

    /// The element that a symbol of a match denotes; `None` for an element that a later case split introduces. The path
    /// has the elements that the case splits before have introduced, as far as it is known which they are.
    pub(super) fn symbol(&self, matching: &Match, symbol: Symbol, path: &[Place]) -> Option<Place> {
        match symbol {
            Symbol::Variable(position) => Some(self.pair.variable(usize::try_from(position).ok()?)),
            Symbol::Named(named) => Some(self.pair.named(named.index())),
            Symbol::Other(number) => match matching.0.iter().position(|other| *other == symbol) {
                Some(parameter) => Some(self.place(parameter)),
                None => {
                    let others = matching.0.iter().filter(|other| matches!(other, Symbol::Other(_)));
                    let known = others.collect::<BTreeSet<_>>().len();
                    let position = usize::try_from(number).ok()?.checked_sub(known)?;
                    path.get(position)
                        .map(|place| self.place(*place))
                        .or_else(|| self.state.fresh.get(position).copied())
                }
            },
        }
    }

    /// Returns whether what is decided about the rule's parameters agrees with a match.
    pub(super) fn possible(&self, matching: &Match) -> bool {
        let agrees = |left: Place, right: Place, equal: bool| match self.compare(left, right) {
            Truth::Open => true,
            Truth::Yes => equal,
            Truth::No => !equal,
        };
        matching.0.iter().enumerate().all(|(place, symbol)| {
            let others = matching.0.iter().enumerate().skip(place + 1);
            let mut same_as_parameters = others.map(|(other, another)| agrees(place, other, symbol == another));
            let variables = (0_u32..).zip(self.own_places());
            let mut same_as_variables =
                variables.map(|(number, variable)| agrees(place, variable, *symbol == Symbol::Variable(number)));
            let named = self.pair.system.named.iter().enumerate();
            let mut same_as_named = named.map(|(number, _)| {
                let named = matches!(symbol, Symbol::Named(named) if named.index() == number);
                agrees(place, self.pair.named(number), named)
            });
            same_as_parameters.all(|yes| yes) && same_as_variables.all(|yes| yes) && same_as_named.all(|yes| yes)
        })
    }

    /// The first two elements that an invariant requires to be distinct and that are not known to be.
    pub(super) fn distinct(&self, places: &[Place]) -> Option<(Place, Place)> {
        let mut pairs = Vec::new();
        for (position, place) in places.iter().enumerate() {
            pairs.extend(places.iter().skip(position + 1).map(|other| (*place, *other)));
            pairs.extend((0..self.pair.system.named.len()).map(|named| (*place, self.pair.named(named))));
        }
        pairs.into_iter().find(|(one, other)| self.compare(*one, *other) != Truth::No)
    }

    pub(super) fn instance_clause(&self, invariant: InvariantId, places: &[Place]) -> Clause {
        let cube = &self.pair.cubes[invariant.index()];
        let binding = View::binding(places);
        let negation = |literal: &Literal| {
            let (left, right) = (self.term(&literal.left, &binding), self.term(&literal.right, &binding));
            Part::Literal(GroundLiteral { left, comparison: literal.comparison.negated(), right })
        };
        cube.literals.iter().map(negation).collect()
    }
}

/// A disjunction of conjunctions has the product of their sizes as its clauses. More than these are not listed: it is one
/// clause then, with conjunctions as its parts.
const MOST_CLAUSES: usize = 64;

/// The clauses of a disjunction, each part of which is given by its clauses.
fn disjunction(parts: Vec<Vec<Clause>>) -> Vec<Clause> {
    let size = parts.iter().fold(1_usize, |size, part| size.saturating_mul(part.len()));
    if size > MOST_CLAUSES {
        return vec![parts.into_iter().flat_map(part).collect()];
    }
    parts.into_iter().fold(vec![Vec::new()], |product, part| {
        let both = |one: &Clause| {
            let one = one.clone();
            part.iter().map(move |other| one.iter().chain(other).cloned().collect()).collect::<Vec<_>>()
        };
        product.iter().flat_map(both).collect()
    })
}

/// A conjunction as parts of a disjunction: several where it is a disjunction itself.
fn part(mut clauses: Vec<Clause>) -> Clause {
    if clauses.len() == 1 { clauses.remove(0) } else { vec![Part::All(clauses)] }
}
