//! From the relations of a certificate to the steps of one lemma.
//!
//! In: a rule, an invariant, and what the certificate says about the two. Out: a tree of [`Step`]s: case splits on
//! equations, and leaves that name the facts that contradict each other there. Index equations are split only where
//! the argument depends on them, so one leaf may stand for many matches of the certificate. Instances of invariants
//! are those of the certificate and no others: nothing is searched for but the order of the splits.
//!
//! Nothing here is trusted: Isabelle checks every leaf.

use std::collections::{BTreeMap, BTreeSet};

use certificate::proof::{Argument, Instance, InvariantId, Match, Relation, RelationEntry, Symbol};
use protocol::system::{
    Cube, Formula, IndexTerm, IndexTypeId, IndexVariableId, Literal, Rule, Sort, System, Term, Value, VariableId,
};

use super::ground::{self, Clause, Frame, Ground, GroundLiteral, Place, Truth};
use super::translate;

/// A proof by cases that an invariant holds after a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Two elements are equal or not.
    Elements(Place, Place, Box<Step>, Box<Step>),
    /// A literal holds or not.
    Literal(GroundLiteral, Box<Step>, Box<Step>),
    /// A state variable's value is an element that is none of those in sight; it gets the next place.
    Fresh(VariableId, Vec<Place>, Box<Step>),
    /// These facts contradict what the case assumes.
    Close(Vec<Fact>),
}

/// A fact that holds before the rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A conjunct of the guard.
    Guard(usize),
    /// A universal conjunct of the guard, at elements.
    Instance(usize, Vec<Place>),
    /// An invariant, at elements.
    Invariant(InvariantId, Vec<Place>),
    /// The type of a state variable, at elements.
    Type(VariableId, Vec<Place>),
}

/// No argument was found with what the certificate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the certificate's argument cannot be replayed")]
pub struct Stuck;

/// What an element is: its type, and whether it is known to differ from all other elements that are so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Element {
    index_type: IndexTypeId,
    rigid: bool,
}

/// A rule and an invariant.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    system: &'a System,
    rule: &'a Rule,
    cube: &'a Cube,
    /// The invariant, where it is one and may be used.
    invariant: Option<InvariantId>,
    cubes: &'a [Cube],
    entries: Vec<(&'a Match, Vec<&'a Argument>)>,
    elements: Vec<Element>,
    guard: Vec<&'a Formula>,
}

impl<'a> Pair<'a> {
    /// Collects what belongs to the pair. The elements are the rule's parameters, the invariant's variables and
    /// the named elements, in this order.
    #[must_use]
    pub fn new(
        system: &'a System,
        rule: &'a Rule,
        cubes: &'a [Cube],
        invariant: InvariantId,
        entries: &'a [RelationEntry],
    ) -> Self {
        let mut arguments: BTreeMap<&Match, Vec<&Argument>> = BTreeMap::new();
        for entry in entries {
            let Some(matching) = &entry.matching else { continue };
            let known = arguments.entry(matching).or_default();
            if let Relation::Implied(argument) = &entry.relation {
                known.push(argument);
            }
        }
        Self::with(system, rule, &cubes[invariant.index()], cubes, Some(invariant), arguments.into_iter().collect())
    }

    /// A cube that the invariants exclude, by an argument. The rule does nothing and has no parameters.
    #[must_use]
    pub fn of_cube(
        system: &'a System,
        nothing: &'a Rule,
        cube: &'a Cube,
        cubes: &'a [Cube],
        argument: (&'a Match, &'a Argument),
    ) -> Self {
        Self::with(system, nothing, cube, cubes, None, vec![(argument.0, vec![argument.1])])
    }

    fn with(
        system: &'a System,
        rule: &'a Rule,
        cube: &'a Cube,
        cubes: &'a [Cube],
        invariant: Option<InvariantId>,
        entries: Vec<(&'a Match, Vec<&'a Argument>)>,
    ) -> Self {
        let parameters = rule.scope.iter().take(rule.parameters as usize);
        let parameters = parameters.map(|parameter| Element { index_type: parameter.index_type, rigid: false });
        let variables = cube.variables.iter().map(|kind| Element { index_type: *kind, rigid: true });
        let named = system.named.iter().map(|named| Element { index_type: named.index_type, rigid: true });
        Self {
            system,
            rule,
            cube,
            invariant,
            cubes,
            entries,
            elements: parameters.chain(variables).chain(named).collect(),
            guard: conjuncts(&rule.guard),
        }
    }

    /// The proof.
    ///
    /// # Errors
    /// Where the certificate's argument does not do; a checked certificate's does.
    pub fn prove(&self) -> Result<Step, Stuck> {
        self.step(&State::new(&self.elements))
    }

    fn parameters(&self) -> usize {
        self.rule.parameters as usize
    }

    fn variable(&self, position: usize) -> Place {
        self.parameters() + position
    }

    fn named(&self, position: usize) -> Place {
        self.parameters() + self.cube.variables.len() + position
    }

    fn step(&self, state: &State) -> Result<Step, Stuck> {
        let view = View { pair: self, state };
        let (after, open) = view.after();
        let facts = view.facts();
        if let Some(facts) = view.contradiction(&after, &facts) {
            return Ok(Step::Close(facts));
        }
        match open.or_else(|| view.next_split(&after, &facts)).ok_or(Stuck)? {
            Split::Elements(left, right) => {
                let equal = self.step(&state.with_elements(left, right, true))?;
                let differ = self.step(&state.with_elements(left, right, false))?;
                Ok(Step::Elements(left, right, Box::new(equal), Box::new(differ)))
            }
            Split::Literal(literal) => {
                let holds = self.step(&state.with_literal(literal.clone()))?;
                let fails = self.step(&state.with_literal(literal.negated()))?;
                Ok(Step::Literal(literal, Box::new(holds), Box::new(fails)))
            }
            Split::Fresh(variable, places, index_type) => {
                let rest = self.step(&state.with_fresh(variable, &places, index_type))?;
                Ok(Step::Fresh(variable, places, Box::new(rest)))
            }
        }
    }
}

/// The conjuncts of a formula; the text of a rule's guard lists the same.
#[must_use]
pub fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        Formula::True => Vec::new(),
        Formula::False
        | Formula::Equal(..)
        | Formula::Not(_)
        | Formula::Or(_)
        | Formula::Forall(..)
        | Formula::Exists(..) => vec![formula],
    }
}

enum Split {
    Elements(Place, Place),
    Literal(GroundLiteral),
    Fresh(VariableId, Vec<Place>, IndexTypeId),
}

/// What the case splits so far have decided.
#[derive(Clone, Debug)]
struct State {
    elements: Vec<Element>,
    /// For each element, the one that stands for all that are equal to it.
    representative: Vec<Place>,
    differ: BTreeSet<(Place, Place)>,
    literals: Vec<GroundLiteral>,
    /// Elements that case splits have brought in.
    fresh: Vec<Place>,
}

impl State {
    fn new(elements: &[Element]) -> Self {
        Self {
            elements: elements.to_vec(),
            representative: (0..elements.len()).collect(),
            differ: BTreeSet::new(),
            literals: Vec::new(),
            fresh: Vec::new(),
        }
    }

    fn with_elements(&self, left: Place, right: Place, equal: bool) -> Self {
        let mut next = self.clone();
        let (left, right) = (self.representative[left], self.representative[right]);
        if equal {
            let (stays, goes) = if self.elements[left].rigid { (left, right) } else { (right, left) };
            let replace = |place: Place| if place == goes { stays } else { place };
            next.representative.iter_mut().for_each(|place| *place = replace(*place));
            next.differ = self.differ.iter().map(|(one, other)| (replace(*one), replace(*other))).collect();
            for literal in &mut next.literals {
                rename(&mut literal.left, &replace);
                rename(&mut literal.right, &replace);
            }
        } else {
            next.differ.insert((left, right));
        }
        next
    }

    fn with_literal(&self, literal: GroundLiteral) -> Self {
        let mut next = self.clone();
        next.literals.push(literal);
        next
    }

    fn with_fresh(&self, variable: VariableId, places: &[Place], index_type: IndexTypeId) -> Self {
        let mut next = self.clone();
        let place = self.elements.len();
        let others = (0..place).filter(|other| self.elements[*other].index_type == index_type);
        next.differ.extend(others.map(|other| (self.representative[other], place)));
        next.elements.push(Element { index_type, rigid: false });
        next.representative.push(place);
        next.fresh.push(place);
        let left = Ground::Read(variable, places.to_vec());
        next.literals.push(GroundLiteral { left, equal: true, right: Ground::Element(place) });
        next
    }
}

fn rename(term: &mut Ground, replace: &dyn Fn(Place) -> Place) {
    match term {
        Ground::Constant(_) => {}
        Ground::Element(place) => *place = replace(*place),
        Ground::Read(_, places) => places.iter_mut().for_each(|place| *place = replace(*place)),
    }
}

/// A pair in a state of its proof.
#[derive(Clone, Copy)]
struct View<'a> {
    pair: &'a Pair<'a>,
    state: &'a State,
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

/// The elements that the variables of a rule's scope stand for.
type Binding = BTreeMap<IndexVariableId, Place>;

impl View<'_> {
    fn place(&self, place: Place) -> Place {
        self.state.representative[place]
    }

    fn parameters(&self) -> Binding {
        (0..self.pair.rule.parameters)
            .map(IndexVariableId)
            .zip(0..)
            .map(|(id, place)| (id, self.place(place)))
            .collect()
    }

    fn index(&self, index: IndexTerm, binding: &Binding) -> Place {
        match index {
            IndexTerm::Variable(variable) => self.place(binding.get(&variable).copied().unwrap_or_default()),
            IndexTerm::Named(named) => self.pair.named(named.index()),
        }
    }

    fn term(&self, term: &Term, binding: &Binding) -> Ground {
        match term {
            Term::Constant(constant) => Ground::Constant(*constant),
            Term::Index(index) => Ground::Element(self.index(*index, binding)),
            Term::Read(variable, arguments) => {
                Ground::Read(*variable, arguments.iter().map(|argument| self.index(*argument, binding)).collect())
            }
        }
    }

    /// The literals of the cube in terms of the state before, as far as they are decided, and the first split
    /// that decides more.
    fn after(&self) -> (Vec<Clause>, Option<Split>) {
        let mut clauses = Vec::new();
        let mut open = None;
        for literal in &self.pair.cube.literals {
            match self.after_literal(literal) {
                Ok(Some(literal)) => clauses.push(vec![literal]),
                Ok(None) => {}
                Err(split) => open = open.or(Some(split)),
            }
        }
        (clauses, open)
    }

    /// `None` where a side is arbitrary.
    fn after_literal(&self, literal: &Literal) -> Result<Option<GroundLiteral>, Split> {
        let binding = self.cube_binding(self.pair.cube, &self.own_places());
        let (left, right) = (self.after_term(&literal.left, &binding)?, self.after_term(&literal.right, &binding)?);
        Ok(left.zip(right).map(|(left, right)| GroundLiteral { left, equal: literal.equal, right }))
    }

    fn own_places(&self) -> Vec<Place> {
        (0..self.pair.cube.variables.len()).map(|position| self.pair.variable(position)).collect()
    }

    fn cube_binding(&self, cube: &Cube, places: &[Place]) -> Binding {
        (0_u32..).map(IndexVariableId).zip(places.iter().copied()).take(cube.variables.len()).collect()
    }

    fn after_term(&self, term: &Term, binding: &Binding) -> Result<Option<Ground>, Split> {
        let ground = self.term(term, binding);
        let Ground::Read(variable, places) = &ground else { return Ok(Some(ground)) };
        let Some(update) = self.pair.rule.updates.iter().find(|update| update.variable == *variable) else {
            return Ok(Some(ground));
        };
        let mut scope = self.parameters();
        scope.extend(update.arguments.iter().copied().zip(places.iter().copied()));
        self.value(&update.value, &scope)
    }

    fn value(&self, value: &Value, binding: &Binding) -> Result<Option<Ground>, Split> {
        match value {
            Value::Term(term) => Ok(Some(self.term(term, binding))),
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
        }
    }

    /// Whether all parts have the truth value.
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
        if let (Ground::Element(left), Ground::Element(right)) = (&left, &right) {
            return match self.compare(*left, *right) {
                Truth::Yes => Ok(true),
                Truth::No => Ok(false),
                Truth::Open => Err(Split::Elements(*left, *right)),
            };
        }
        let literal = GroundLiteral { left, equal: true, right };
        self.decided(&literal).ok_or(Split::Literal(literal))
    }

    /// Whether a case split or the guard says outright that a literal holds or fails.
    fn decided(&self, literal: &GroundLiteral) -> Option<bool> {
        if literal.left == literal.right {
            return Some(literal.equal);
        }
        let negated = literal.negated();
        self.state.literals.iter().find_map(|known| {
            if known == literal {
                Some(true)
            } else if *known == negated {
                Some(false)
            } else {
                None
            }
        })
    }
}

/// A fact and the clauses that it amounts to.
type Known = (Fact, Vec<Clause>);

impl View<'_> {
    /// What holds before: the guard, and the instances that the certificate names where their elements differ.
    fn facts(&self) -> Vec<Known> {
        let mut facts = self.guard_facts();
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

    /// A universal conjunct at all combinations of elements.
    fn universal(&self, position: usize, formula: &Formula, binding: &Binding, at: Vec<Place>, facts: &mut Vec<Known>) {
        let Formula::Forall(variable, body) = formula else {
            facts.push((Fact::Instance(position, at), self.clauses(formula, binding)));
            return;
        };
        for place in self.places(self.pair.rule.scope[variable.index()].index_type) {
            let mut binding = binding.clone();
            binding.insert(*variable, place);
            self.universal(position, body, &binding, at.iter().copied().chain([place]).collect(), facts);
        }
    }

    /// The elements of a type, without those that are equal to another.
    fn places(&self, index_type: IndexTypeId) -> Vec<Place> {
        let elements = (0..self.state.elements.len()).filter(|place| self.place(*place) == *place);
        elements.filter(|place| self.state.elements[*place].index_type == index_type).collect()
    }

    /// The clauses of a formula in conjunctive form; quantifiers range over all elements in sight.
    fn clauses(&self, formula: &Formula, binding: &Binding) -> Vec<Clause> {
        match formula {
            Formula::True | Formula::Exists(..) => Vec::new(),
            Formula::False => vec![Vec::new()],
            Formula::Equal(left, right) => self.equation_clauses(left, right, true, binding),
            // Guards are in negation normal form.
            Formula::Not(inner) => {
                if let Formula::Equal(left, right) = inner.as_ref() {
                    self.equation_clauses(left, right, false, binding)
                } else {
                    Vec::new()
                }
            }
            Formula::And(parts) => parts.iter().flat_map(|part| self.clauses(part, binding)).collect(),
            Formula::Or(parts) => parts.iter().fold(vec![Vec::new()], |product, part| {
                let clauses = self.clauses(part, binding);
                let both = |one: &Clause| {
                    let one = one.clone();
                    clauses.iter().map(move |other| one.iter().chain(other).cloned().collect()).collect::<Vec<_>>()
                };
                product.iter().flat_map(both).collect()
            }),
            Formula::Forall(variable, body) => {
                let places = self.places(self.pair.rule.scope[variable.index()].index_type).into_iter();
                places
                    .flat_map(|place| {
                        let mut binding = binding.clone();
                        binding.insert(*variable, place);
                        self.clauses(body, &binding)
                    })
                    .collect()
            }
        }
    }

    fn equation_clauses(&self, left: &Term, right: &Term, equal: bool, binding: &Binding) -> Vec<Clause> {
        vec![vec![GroundLiteral { left: self.term(left, binding), equal, right: self.term(right, binding) }]]
    }

    /// The instances that the certificate names for the matches that are still possible, and the invariant itself.
    fn instances(&self) -> Vec<(InvariantId, Vec<Place>)> {
        let own = self.pair.invariant.map(|invariant| (invariant, self.own_places()));
        let mut instances = own.into_iter().collect::<Vec<_>>();
        for (matching, arguments) in &self.pair.entries {
            if self.possible(matching) {
                for argument in arguments {
                    self.collect(matching, argument, &mut instances);
                }
            }
        }
        instances
    }

    fn collect(&self, matching: &Match, argument: &Argument, instances: &mut Vec<(InvariantId, Vec<Place>)>) {
        for Instance { invariant, substitution } in &argument.premises {
            let places = substitution.iter().map(|symbol| self.symbol(matching, *symbol)).collect::<Option<Vec<_>>>();
            if let Some(places) = places {
                instances.push((*invariant, places));
            }
        }
        for case in argument.split.iter().flat_map(|split| &split.cases) {
            self.collect(matching, case, instances);
        }
    }

    /// The element that a symbol of a match denotes; none for an element that only a case split brings in.
    fn symbol(&self, matching: &Match, symbol: Symbol) -> Option<Place> {
        match symbol {
            Symbol::Variable(position) => Some(self.pair.variable(usize::try_from(position).ok()?)),
            Symbol::Named(named) => Some(self.pair.named(named.index())),
            Symbol::Other(number) => match matching.0.iter().position(|other| *other == symbol) {
                Some(parameter) => Some(self.place(parameter)),
                None => {
                    let others = matching.0.iter().filter(|other| matches!(other, Symbol::Other(_)));
                    let known = others.collect::<BTreeSet<_>>().len();
                    self.state.fresh.get(usize::try_from(number).ok()?.checked_sub(known)?).copied()
                }
            },
        }
    }

    /// Whether what is decided about the rule's parameters agrees with a match.
    fn possible(&self, matching: &Match) -> bool {
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

    /// The first two elements that an invariant wants distinct and that are not known to be.
    fn distinct(&self, places: &[Place]) -> Option<(Place, Place)> {
        let mut pairs = Vec::new();
        for (position, place) in places.iter().enumerate() {
            pairs.extend(places.iter().skip(position + 1).map(|other| (*place, *other)));
            pairs.extend((0..self.pair.system.named.len()).map(|named| (*place, self.pair.named(named))));
        }
        pairs.into_iter().find(|(one, other)| self.compare(*one, *other) != Truth::No)
    }

    fn instance_clause(&self, invariant: InvariantId, places: &[Place]) -> Clause {
        let cube = &self.pair.cubes[invariant.index()];
        let binding = self.cube_binding(cube, places);
        let negation = |literal: &Literal| GroundLiteral {
            left: self.term(&literal.left, &binding),
            equal: !literal.equal,
            right: self.term(&literal.right, &binding),
        };
        cube.literals.iter().map(negation).collect()
    }
}

impl View<'_> {
    /// The facts that are needed for a contradiction, if there is one.
    fn contradiction(&self, after: &[Clause], facts: &[Known]) -> Option<Vec<Fact>> {
        let assumed = self.state.literals.iter().map(|literal| vec![literal.clone()]).collect::<Vec<_>>();
        let refuted = |facts: &[&Known]| {
            let clauses = facts.iter().flat_map(|(_, clauses)| clauses);
            ground::refuted(self, after.iter().chain(&assumed).chain(clauses))
        };
        let mut needed = facts.iter().collect::<Vec<_>>();
        let types;
        if !refuted(&needed) {
            types = self.types(after, facts);
            needed.extend(&types);
            if !refuted(&needed) {
                return None;
            }
        }
        let mut position = needed.len();
        while position > 0 {
            position -= 1;
            let removed = needed.remove(position);
            if !refuted(&needed) {
                needed.insert(position, removed);
            }
        }
        Some(needed.into_iter().map(|(fact, _)| fact.clone()).collect())
    }

    /// The types of all state variables that are read, where a type says anything.
    fn types(&self, after: &[Clause], facts: &[Known]) -> Vec<Known> {
        let literals = after.iter().chain(facts.iter().flat_map(|(_, clauses)| clauses)).flatten();
        let literals = literals.chain(&self.state.literals).collect::<Vec<_>>();
        let terms = literals.iter().flat_map(|literal| [&literal.left, &literal.right]).collect::<BTreeSet<_>>();
        let mut types = Vec::new();
        for term in &terms {
            if let Ground::Read(variable, places) = term
                && !self.is_truth_value(*variable)
            {
                let clauses = self.type_clauses(term, self.pair.system.sort_of(*variable), &terms);
                types.push((Fact::Type(*variable, places.clone()), clauses));
            }
        }
        types
    }

    fn type_clauses(&self, read: &Ground, sort: &Sort, terms: &BTreeSet<&Ground>) -> Vec<Clause> {
        let literal = |equal: bool, right: &Ground| GroundLiteral { left: read.clone(), equal, right: right.clone() };
        if sort.is_finite() {
            return vec![sort.constants.iter().map(|value| literal(true, &Ground::Constant(*value))).collect()];
        }
        let outside = terms.iter().filter(|term| match term {
            Ground::Constant(constant) => !sort.constants.contains(constant),
            Ground::Element(place) => !sort.index_types.contains(&self.state.elements[*place].index_type),
            Ground::Read(..) => false,
        });
        outside.map(|term| vec![literal(false, term)]).collect()
    }

    /// The split that comes next where the literals after the rule are all decided.
    fn next_split(&self, after: &[Clause], facts: &[Known]) -> Option<Split> {
        let wanted = self.instances().into_iter().find_map(|(_, places)| match self.distinct(&places) {
            Some((one, other)) if self.compare(one, other) == Truth::Open => Some(Split::Elements(one, other)),
            _ => None,
        });
        wanted
            .or_else(|| self.certificate_split())
            .or_else(|| self.match_split())
            .or_else(|| self.clause_split(after, facts))
    }

    /// The certificate splits on the value of a state variable.
    fn certificate_split(&self) -> Option<Split> {
        let mut entries = self.pair.entries.iter().filter(|(matching, _)| self.possible(matching));
        entries.find_map(|(matching, arguments)| arguments.iter().find_map(|argument| self.split(matching, argument)))
    }

    fn split(&self, matching: &Match, argument: &Argument) -> Option<Split> {
        let split = argument.split.as_ref()?;
        let places = split.arguments.iter().map(|symbol| self.symbol(matching, *symbol)).collect::<Option<Vec<_>>>()?;
        let places = places.into_iter().map(|place| self.place(place)).collect::<Vec<_>>();
        self.value_split(split.variable, &places)
            .or_else(|| split.cases.iter().find_map(|case| self.split(matching, case)))
    }

    /// The next value of a state variable to split on; none where its value is known.
    fn value_split(&self, variable: VariableId, places: &[Place]) -> Option<Split> {
        let left = Ground::Read(variable, places.to_vec());
        if self.state.literals.iter().any(|literal| literal.equal && literal.left == left) {
            return None;
        }
        let sort = self.pair.system.sort_of(variable);
        let constants = sort.constants.iter().map(|value| Ground::Constant(*value));
        let elements = sort.index_types.iter().flat_map(|kind| self.places(*kind)).map(Ground::Element);
        let mut literals =
            constants.chain(elements).map(|right| GroundLiteral { left: left.clone(), equal: true, right });
        let open = literals.find(|literal| self.decided(literal).is_none()).map(Split::Literal);
        let fresh = || sort.index_types.first().map(|kind| Split::Fresh(variable, places.to_vec(), *kind));
        open.or_else(fresh)
    }

    /// The certificate distinguishes matches that are not distinguished yet.
    fn match_split(&self) -> Option<Split> {
        let parameters = 0..self.pair.parameters();
        let others = |place: Place| place + 1..self.state.elements.len();
        let mut pairs = parameters.flat_map(|place| others(place).map(move |other| (place, other)));
        let open = pairs.find(|(one, other)| self.compare(*one, *other) == Truth::Open);
        open.map(|(one, other)| Split::Elements(self.place(one), self.place(other)))
    }

    /// A disjunction of which more than one part is open.
    fn clause_split(&self, after: &[Clause], facts: &[Known]) -> Option<Split> {
        let clauses = after.iter().chain(facts.iter().flat_map(|(_, clauses)| clauses));
        let mut literals = clauses.filter(|clause| clause.len() > 1).flatten();
        literals
            .find(|literal| {
                let elements = matches!((&literal.left, &literal.right), (Ground::Element(_), Ground::Element(_)));
                !elements && self.decided(literal).is_none()
            })
            .cloned()
            .map(Split::Literal)
    }
}
