//! What holds of all other elements: the universal parts of the cube after the rule, and the elements that violate the
//! universal parts of a cube before it.
//!
//! A universal part is used at known elements only. An element that violates one is introduced by a step of its own, and
//! then is compared with the known elements like any other. This module must not invent instances.

use certificate::kernel::ground::Read;
use certificate::proof::{Argument, Instance, InvariantId, Match, Split as Given, SplitOn, Symbol};
use system::{Comparison, Cube, IndexTypeId, Literal};

use super::super::ground::{Clause, Frame, Ground, GroundLiteral, Part, Place, Truth};
use super::view::{Known, View};
use super::{Element, Fact, Split, State, Witnessed};

/// An instance of a cube with universal parts.
pub(super) type Promise = (InvariantId, Vec<Place>);

/// A way to choose symbols for the elements of a universal part, the elements that are new symbols, and whether it is
/// possible.
type Choice = (Vec<Symbol>, Vec<Place>, bool);

impl View<'_> {
    /// The universal parts of the cube after the rule, at known elements, and the first split that makes more of them
    /// usable.
    pub(super) fn others(&self) -> (Vec<Known>, Option<Split>) {
        let mut facts = Vec::new();
        let mut open = None;
        for (number, universal) in self.pair.cube.universals.iter().enumerate() {
            for places in self.chosen(&universal.variables) {
                let all = [self.own_places(), places.clone()].concat();
                if self.distinct(&all).is_some() {
                    continue;
                }
                match self.after_clause(&universal.literals, &all) {
                    Ok(Some(clause)) => facts.push((Fact::Others(number, places), vec![clause])),
                    Ok(None) => {}
                    Err(split) => open = open.or(Some(split)),
                }
            }
        }
        (facts, open)
    }

    /// A disjunction of literals in terms of the state before; `None` if one is arbitrary.
    fn after_clause(&self, literals: &[Literal], places: &[Place]) -> Result<Option<Clause>, Split> {
        let binding = View::binding(places);
        let mut clause = Clause::new();
        for literal in literals {
            match self.after_literal(literal, &binding)? {
                Some(literal) => clause.push(Part::Literal(literal)),
                None => return Ok(None),
            }
        }
        Ok(Some(clause))
    }

    /// All choices of known elements of these types.
    fn chosen(&self, types: &[IndexTypeId]) -> Vec<Vec<Place>> {
        types.iter().fold(vec![Vec::new()], |chosen, kind| {
            let places = self.places(*kind);
            let longer = chosen.iter().flat_map(|chosen: &Vec<Place>| {
                places.iter().map(move |place| chosen.iter().copied().chain([*place]).collect())
            });
            longer.collect()
        })
    }

    /// The instances with universal parts that are given or that the certificate names for the matches that are still
    /// possible.
    pub(super) fn promises(&self) -> Vec<Promise> {
        let given = self.pair.given.iter().filter(|(cube, _)| !self.pair.cubes[cube.index()].universals.is_empty());
        let mut promises = given.map(|(cube, places)| (*cube, self.current(places))).collect::<Vec<_>>();
        for (matching, arguments) in &self.pair.entries {
            if self.possible(matching) {
                arguments.iter().for_each(|argument| self.promised(matching, argument, &[], &mut promises));
            }
        }
        promises
    }

    fn promised(&self, matching: &Match, argument: &Argument, path: &[Place], promises: &mut Vec<Promise>) {
        let Some(split) = &argument.split else { return };
        if let SplitOn::Witness(instance) = &split.on {
            promises.extend(self.resolved(matching, instance, path));
        }
        for (case, path) in self.cases(matching, split, path) {
            self.promised(matching, case, &path, promises);
        }
    }

    /// The invariant itself before the rule, if it has universal parts.
    fn own_promise(&self) -> Option<Promise> {
        let own = self.pair.invariant.filter(|_| !self.pair.cube.universals.is_empty());
        own.map(|invariant| (invariant, self.own_places()))
    }

    /// The next split on a given witness, or on that of the invariant itself: `unaffected` says that nothing else is
    /// used in the matches that are still possible.
    pub(super) fn next_promise(&self) -> Option<Split> {
        let mut possible = self.pair.entries.iter().filter(|(matching, _)| self.possible(matching));
        let unaffected = possible.all(|(_, arguments)| arguments.is_empty());
        let given =
            self.promises().into_iter().filter(|promise| self.pair.given.iter().any(|(cube, _)| *cube == promise.0));
        let own = self.own_promise().filter(|_| unaffected);
        given.chain(own).find_map(|promise| self.witness(promise))
    }

    /// The split on the witness of the invariant itself.
    pub(super) fn own_witness(&self) -> Option<Split> {
        self.own_promise().and_then(|promise| self.witness(promise))
    }

    /// The split on a witness, if it is new and what it is promised under is known.
    pub(super) fn witness(&self, (invariant, places): Promise) -> Option<Split> {
        let new = self.witnessed(invariant, &places).is_none() && self.distinct(&places).is_none();
        new.then_some(())?;
        let cube = &self.pair.cubes[invariant.index()];
        let promise = if cube.variables.is_empty() && cube.literals.is_empty() {
            None
        } else {
            let (mut assumed, _) = self.after();
            assumed.push(self.instance_clause(invariant, &places));
            Some(self.contradiction(&assumed, &self.facts())?)
        };
        Some(Split::Witness((invariant, places), promise))
    }

    fn witnessed(&self, invariant: InvariantId, places: &[Place]) -> Option<&Witnessed> {
        let mut all = self.state.witnessed.iter();
        all.find(|known| known.invariant == invariant && self.current(&known.places) == places)
    }

    fn current(&self, places: &[Place]) -> Vec<Place> {
        places.iter().map(|place| self.place(*place)).collect()
    }

    fn resolved(&self, matching: &Match, instance: &Instance, path: &[Place]) -> Option<Promise> {
        let places = instance.substitution.iter().map(|symbol| self.symbol(matching, *symbol, path));
        let places = places.collect::<Option<Vec<_>>>()?;
        Some((instance.invariant, self.current(&places)))
    }

    /// The next split on a witness that the certificate names, or the first below it.
    pub(super) fn witness_split(
        &self,
        matching: &Match,
        split: &Given,
        instance: &Instance,
        path: &[Place],
    ) -> Option<Split> {
        let promise = self.resolved(matching, instance, path)?;
        if self.witnessed(promise.0, &promise.1).is_none() {
            return self.witness(promise);
        }
        self.cases(matching, split, path).into_iter().find_map(|(case, path)| self.split(matching, case, &path))
    }

    /// The cases of a split that are possible, each with the elements that are new symbols in it.
    pub(super) fn cases<'g>(
        &self,
        matching: &Match,
        split: &'g Given,
        path: &[Place],
    ) -> Vec<(&'g Argument, Vec<Place>)> {
        match &split.on {
            SplitOn::Value(variable, arguments) => {
                let fresh = self.fresh_value(matching, *variable, arguments, path);
                let last = split.cases.len().saturating_sub(1);
                let longer = |number: usize| if number == last { fresh } else { None };
                let with = |number: usize| path.iter().copied().chain(longer(number)).collect();
                split.cases.iter().enumerate().map(|(number, case)| (case, with(number))).collect()
            }
            SplitOn::Bound(left, right, sum) => {
                let bound = self.bound(matching, (left, right.as_ref(), *sum), path);
                let decided = bound.and_then(|bound| self.decided(&bound));
                let cases = [true, false].into_iter().zip(&split.cases);
                let possible = cases.filter(|(holds, _)| decided.is_none_or(|truth| truth == *holds));
                possible.map(|(_, case)| (case, path.to_vec())).collect()
            }
            SplitOn::Witness(instance) => {
                let known = self.resolved(matching, instance, path);
                let Some(witnessed) = known.and_then(|(invariant, places)| self.witnessed(invariant, &places)) else {
                    return Vec::new();
                };
                let cube = &self.pair.cubes[instance.invariant.index()];
                let choices = self.choices(matching, cube, instance, witnessed, path);
                let cases = choices.into_iter().zip(&split.cases);
                cases.filter_map(|((_, path, possible), case)| possible.then_some((case, path))).collect()
            }
        }
    }

    /// The bound that the cases of a split distinguish.
    pub(super) fn bound(
        &self,
        matching: &Match,
        (left, right, sum): (&Read, Option<&Read>, i64),
        path: &[Place],
    ) -> Option<GroundLiteral> {
        let read = |read: &Read| {
            let places = read.arguments.iter().map(|symbol| self.symbol(matching, *symbol, path));
            Some(Ground::Read(read.variable, self.current(&places.collect::<Option<Vec<_>>>()?)))
        };
        let right = right.map_or(Some(Ground::Zero), read)?;
        Some(GroundLiteral { left: read(left)?, comparison: Comparison::AtMost(sum), right })
    }

    /// The element without a name that is the value of a state variable.
    fn fresh_value(
        &self,
        matching: &Match,
        variable: system::VariableId,
        arguments: &[Symbol],
        path: &[Place],
    ) -> Option<Place> {
        let places = arguments.iter().map(|symbol| self.symbol(matching, *symbol, path));
        let left = Ground::Read(variable, self.current(&places.collect::<Option<Vec<_>>>()?));
        self.state.literals.iter().find_map(|literal| match literal.right {
            Ground::Index(place) if literal.left == left && self.state.fresh.contains(&place) => Some(place),
            Ground::Index(_) | Ground::Constant(_) | Ground::Read(..) | Ground::Zero => None,
        })
    }

    /// All cases of a split on a witness, in the order of the certificate.
    fn choices(
        &self,
        matching: &Match,
        cube: &Cube,
        instance: &Instance,
        witnessed: &Witnessed,
        path: &[Place],
    ) -> Vec<Choice> {
        let mut all = Vec::new();
        for (number, universal) in cube.universals.iter().enumerate() {
            let own = number == witnessed.universal;
            let mut choices = vec![(instance.substitution.clone(), path.to_vec(), own)];
            for (position, kind) in universal.variables.iter().enumerate() {
                let element = witnessed.elements.get(position).copied().filter(|_| own).unwrap_or_default();
                let longer = choices.iter().flat_map(|choice| self.longer(matching, choice, *kind, element));
                choices = longer.collect();
            }
            all.extend(choices);
        }
        all
    }

    /// The ways to choose one more symbol, which denotes the element if the choice is possible.
    fn longer(&self, matching: &Match, choice: &Choice, kind: IndexTypeId, element: Place) -> Vec<Choice> {
        let (chosen, path, possible) = choice;
        let known = self.symbols(matching, path);
        let of_kind = known.iter().filter(|(_, place)| self.state.elements[*place].index_type == kind);
        let free = of_kind.filter(|(symbol, _)| !chosen.contains(symbol)).copied().collect::<Vec<_>>();
        let with = |symbol: Symbol| chosen.iter().copied().chain([symbol]).collect::<Vec<_>>();
        let mut all = Vec::new();
        for (symbol, place) in &free {
            let possible = *possible && self.compare(element, *place) != Truth::No;
            all.push((with(*symbol), path.clone(), possible));
        }
        let possible = *possible && free.iter().all(|(_, place)| self.compare(element, *place) != Truth::Yes);
        let number = known.iter().filter(|(symbol, _)| matches!(symbol, Symbol::Other(_))).count();
        let fresh = Symbol::Other(u32::try_from(number).unwrap_or(u32::MAX));
        all.push((with(fresh), path.iter().copied().chain([element]).collect(), possible));
        all
    }

    /// The symbols of the obligation that are not named, with the elements that they denote.
    fn symbols(&self, matching: &Match, path: &[Place]) -> Vec<(Symbol, Place)> {
        let variables = (0_u32..).map(Symbol::Variable).zip(self.own_places());
        let mut symbols = variables.collect::<Vec<_>>();
        let mut others = matching.0.iter().filter(|symbol| matches!(symbol, Symbol::Other(_))).collect::<Vec<_>>();
        others.sort();
        others.dedup();
        symbols.extend(others.iter().filter_map(|other| Some((**other, self.symbol(matching, **other, path)?))));
        let first = u32::try_from(others.len()).unwrap_or(u32::MAX);
        symbols.extend((first..).map(Symbol::Other).zip(path.iter().map(|place| self.place(*place))));
        symbols
    }

    /// The state in which elements violate a universal part of an instance.
    pub(super) fn with_witness(&self, promise: &Promise, number: usize) -> State {
        let mut next = self.state.clone();
        let cube = &self.pair.cubes[promise.0.index()];
        let universal = &cube.universals[number];
        let named = (0..self.pair.system.named.len()).map(|position| self.pair.named(position));
        let mut others = promise.1.iter().copied().chain(named).collect::<Vec<_>>();
        let first = next.elements.len();
        for kind in &universal.variables {
            let place = next.elements.len();
            next.differ.extend(others.iter().map(|other| (*other, place)));
            next.elements.push(Element { index_type: *kind, rigid: false });
            next.representative.push(place);
            others.push(place);
        }
        let elements = (first..next.elements.len()).collect::<Vec<_>>();
        let binding = View::binding(&[promise.1.as_slice(), &elements].concat());
        let view = View { pair: self.pair, state: &next };
        let negated = |literal: &Literal| literal.map(&mut |element| view.index(*element, &binding)).negated();
        let literals = universal.literals.iter().map(negated).collect::<Vec<_>>();
        next.literals.extend(literals);
        next.witnessed.push(Witnessed { invariant: promise.0, places: promise.1.clone(), universal: number, elements });
        next
    }

    /// The next split between a witness and another element.
    pub(super) fn witness_match(&self) -> Option<Split> {
        let witnesses = self.state.witnessed.iter().flat_map(|witnessed| &witnessed.elements);
        let mut pairs = witnesses.flat_map(|place| (0..*place).map(move |other| (other, *place)));
        let open = pairs.find(|(one, other)| self.compare(*one, *other) == Truth::Open);
        open.map(|(one, other)| Split::Elements(self.place(one), self.place(other)))
    }
}
