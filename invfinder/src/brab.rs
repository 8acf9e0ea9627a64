//! Backward reachability with approximations and backtracking.
//!
//! The search ends with a set of cubes that is closed under pre-images (each pre-image of a cube is included in a cube
//! of the set), includes every bad cube and meets no initial state; or with a chain from an initial state to a bad cube
//! without approximations; or at a limit.
//!
//! The algorithm is BRAB (Conchon, Goel, Krstić, Mebsout and Zaïdi, "Invariants for finite instances and beyond", FMCAD
//! 2013, algorithm 1), with these changes. A chain from an initial state to an approximation removes that approximation
//! and everything derived from it, and the search resumes there from the original cube. So does a chain from a state
//! that is known to be reachable; the states on the chain become known, so that the instance is explored more deeply
//! where it matters. A cube with more symbols than the bound undoes the approximation it was derived from: a property
//! that holds only together with ever more elements, such as the whole of a queue, is not a good generalization even if
//! it is true.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use system::System;
use system::{IndexTypeId, PathStep, PropertyId, RuleId};

use crate::approx::{Reachable, Refuted, Weakening, approximate, shared_literal, with_fewer_symbols, with_one_part};
use crate::fixpoint::Visited;
use crate::literal::{Comparison, Conj, Datum, Lit, Side, Space};
use crate::order::{in_order, in_two_cases};
use crate::pointed::Reduction;
use crate::pre::{Guards, intersects_initial, pre_images, simplify};
use crate::universal::{self, Consequences, Wanted, axioms, by_part, with_consequences, with_witnesses};

/// The predecessor of a cube in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    Property(PropertyId),
    PreImage { rule: RuleId, of: usize },
}

/// The current status of a cube in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Waiting,
    Visited,
    /// Included in another visited cube, or in two of them together.
    Subsumed(usize, usize),
    /// Derived from an approximation that was wrong.
    Dropped,
}

#[derive(Clone, Debug)]
struct Node {
    /// The pre-image itself.
    exact: Conj,
    /// The approximation that replaces it in the search.
    approximation: Option<Conj>,
    parent: Parent,
    children: Vec<usize>,
    fate: Fate,
}

impl Node {
    fn conj(&self) -> &Conj {
        self.approximation.as_ref().unwrap_or(&self.exact)
    }
}

/// A cube of the result.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) conj: Conj,
    pub(crate) parent: FoundParent,
}

/// The predecessor of a cube of the result, as a position in the result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FoundParent {
    Property(PropertyId),
    PreImage { rule: RuleId, of: usize },
}

/// How the search ended.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) enum Outcome {
    /// The cubes are closed under pre-images and meet no initial state.
    Closed(Vec<Found>),
    /// Exact pre-images lead from an initial state to the property's negation by these rules, from first to last.
    Chain(PropertyId, Vec<RuleId>),
    /// The search hit a limit.
    Stopped(Stop),
}

/// The limit that stopped the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Too many cubes were visited.
    Cubes,
    /// A cube needs more elements than the search can hold, or than the instance has.
    Elements,
    /// A pre-image has too many cases.
    Branches,
    /// The caller stopped the search.
    Interrupted,
}

/// Statistics of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The number of cubes visited, including those dropped later.
    pub visited: usize,
    /// The number of cubes still to be visited.
    pub waiting: usize,
    /// The number of approximations among the visited cubes.
    pub approximations: usize,
    /// The number of approximations that were undone.
    pub undone: usize,
    /// The number of cubes in the closed set, that is, of invariants before the unnecessary ones are dropped.
    pub closed: usize,
}

/// The limits of a search.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// The maximum number of cubes to visit.
    pub(crate) cubes: usize,
    /// For each index type, the maximum number of symbols in a visited cube. A cube with more elements than the oracle
    /// has cannot be approximated, so such cubes only multiply.
    pub(crate) symbols: Vec<usize>,
    /// The least and the greatest number of the instance.
    pub(crate) numbers: (i64, i64),
    /// How the search treats universal parts.
    pub(crate) mode: Mode,
    /// Which bounds of numbers approximations prefer.
    pub(crate) weakening: Weakening,
}

/// How a search treats universal parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Universal guards concern the elements of a cube only.
    Plain,
    /// Universal guards also concern the elements to which those of a cube point, and cubes say nothing about idle elements:
    /// see [`crate::pointed`].
    Pointed,
    /// Universal guards become universal parts of pre-images.
    Universal,
    /// As before, and the universal parts of approximations are weakened by further literals, as far as the oracle allows.
    /// The invariants are longer, and some exist only in this form.
    Weakened,
    /// As before, and universal parts concern the elements of a cube, too, at which they say the same as of the others. A cube
    /// of the result stands for several of a certificate.
    Whole,
}

impl Bounds {
    fn allow(&self, conj: &Conj) -> bool {
        let (low, high) = self.numbers;
        let within = |lit: &Lit| match (lit.comparison, lit.right) {
            (Comparison::AtMost(sum), Side::Zero) => i64::from(sum) >= low - 1,
            (Comparison::AtLeast(sum), Side::Zero) => i64::from(sum) <= high + 1,
            (Comparison::AtMost(sum) | Comparison::AtLeast(sum), _) => i64::from(sum).abs() <= high - low + 1,
            (Comparison::Equal | Comparison::Different, _) => true,
        };
        conj.lits.iter().all(within)
            && (0..).zip(&self.symbols).all(|(number, &most)| {
                conj.symbols.iter().filter(|&&index_type| index_type == IndexTypeId(number)).count() <= most
            })
    }
}

/// The largest number of cases by which elements are among those whose number is known.
const MOST_CASES: usize = 4;

/// The key of the axioms among the visited cubes.
const AXIOM: usize = usize::MAX;

/// The state of a search.
pub(crate) struct Search<'a> {
    system: &'a System,
    space: &'a Space,
    reachable: &'a dyn Reachable,
    nodes: Vec<Node>,
    queue: BinaryHeap<Reverse<(usize, usize, usize, usize)>>,
    visited: Visited<'a>,
    refuted: Refuted<'a>,
    axioms: Vec<Conj>,
    reduction: Reduction,
    /// Guesses by their numbers, without those that turned out to be wrong, and the guesses themselves.
    guesses: (Visited<'a>, &'a [Conj]),
    pub(crate) figures: Figures,
    bounds: Bounds,
}

impl<'a> Search<'a> {
    /// Creates a search that tries these guesses before all other approximations.
    pub(crate) fn new(
        system: &'a System,
        space: &'a Space,
        reachable: &'a dyn Reachable,
        guesses: &'a [Conj],
        bounds: Bounds,
    ) -> Self {
        let mut open = Visited::new(space);
        guesses.iter().enumerate().for_each(|(number, guess)| open.insert(number, guess));
        Self {
            system,
            space,
            reachable,
            nodes: Vec::new(),
            queue: BinaryHeap::new(),
            visited: Visited::new(space),
            refuted: Refuted::new(space),
            axioms: axioms(system, space),
            reduction: Reduction::new(system),
            guesses: (open, guesses),
            figures: Figures::default(),
            bounds,
        }
    }

    /// Runs the search to its end. `proceed` is called before each cube and returns whether to go on.
    pub(crate) fn run(&mut self, proceed: &mut dyn FnMut(&Figures) -> bool) -> Outcome {
        for axiom in self.axioms.clone() {
            self.visited.insert(AXIOM, &axiom);
        }
        for (number, property) in (0..).zip(&self.system.properties) {
            for cube in &property.bad {
                let conj = Conj::from_cube(cube, self.space).compact(self.space);
                match self.cases(conj) {
                    Ok(cases) => {
                        cases.into_iter().for_each(|conj| self.add(conj, Parent::Property(PropertyId(number))));
                    }
                    Err(stop) => return Outcome::Stopped(stop),
                }
            }
        }
        while let Some(Reverse((.., node))) = self.queue.pop() {
            if self.nodes[node].fate != Fate::Waiting {
                continue;
            }
            self.figures.waiting = self.queue.len();
            if self.figures.visited >= self.bounds.cubes {
                return Outcome::Stopped(Stop::Cubes);
            }
            if !proceed(&self.figures) {
                return Outcome::Stopped(Stop::Interrupted);
            }
            match self.visit(node) {
                Ok(Visit::Continue) => {}
                Ok(Visit::End(outcome)) => return outcome,
                Err(stop) => return Outcome::Stopped(stop),
            }
        }
        match about_others(&self.result(), self.space) {
            Ok(closed) => {
                self.figures.closed = closed.len();
                Outcome::Closed(closed)
            }
            Err(stop) => Outcome::Stopped(stop),
        }
    }

    /// Returns the cases of a pre-image that the search distinguishes.
    fn cases(&self, conj: Conj) -> Result<Vec<Conj>, Stop> {
        let cases = with_witnesses(conj, &self.axioms, self.wanted(), self.space)?;
        Ok(match self.bounds.weakening {
            Weakening::Weak | Weakening::Whole | Weakening::Backward | Weakening::Related => cases,
            Weakening::Counted => cases.into_iter().flat_map(|conj| self.by_counted(conj)).collect(),
            Weakening::InOrder => cases.into_iter().flat_map(|conj| in_order(conj, &self.axioms, self.space)).collect(),
        })
    }

    /// Returns the cases of a cube with bounds by whether its elements are among those whose number is a state variable: what a
    /// bound says about this number it says about them.
    fn by_counted(&self, conj: Conj) -> Vec<Conj> {
        if !conj.lits.iter().any(|lit| lit.comparison.is_bound()) {
            return vec![conj];
        }
        let types = conj.types(self.space);
        let counted = self.system.variables.iter().filter_map(|own| match own.path[..] {
            [PathStep::Count(variable, constant, _)] => Some((variable, constant)),
            _ => None,
        });
        let mut cases = vec![conj];
        for (variable, constant) in counted {
            for read in self.space.reads(variable, &types) {
                let is =
                    Lit { left: read, comparison: Comparison::Equal, right: Side::Value(Datum::constant(constant)) };
                if cases.len() >= MOST_CASES || cases.iter().any(|case| case.lits.iter().any(|lit| lit.left == read)) {
                    continue;
                }
                let with = |case: &Conj, lit: Lit| {
                    let mut lits = [case.lits.as_slice(), &[lit]].concat();
                    lits.sort_unstable();
                    simplify(self.space, &types, &lits, &case.universals)
                };
                let both = |case: &Conj| [is, self.space.negate(is)].map(|lit| with(case, lit));
                cases = cases.iter().flat_map(both).flatten().collect();
            }
        }
        cases
    }

    fn add(&mut self, exact: Conj, parent: Parent) {
        let exact = match self.bounds.mode {
            Mode::Pointed => self.reduction.reduced(exact, self.reachable, self.space),
            Mode::Plain | Mode::Universal | Mode::Weakened | Mode::Whole => exact,
        };
        let node = self.nodes.len();
        if let Parent::PreImage { of, .. } = parent {
            self.nodes[of].children.push(node);
        }
        self.nodes.push(Node { exact, approximation: None, parent, children: Vec::new(), fate: Fate::Waiting });
        self.enqueue(node);
    }

    /// Cubes with fewer symbols come first, then pre-images of approximations, then cubes with fewer literals.
    fn enqueue(&mut self, node: usize) {
        let entry = &self.nodes[node];
        let exact = match entry.parent {
            Parent::Property(_) => 0,
            Parent::PreImage { of, .. } => usize::from(self.nodes[of].approximation.is_none()),
        };
        self.queue.push(Reverse((entry.exact.symbols.len(), exact, entry.exact.lits.len(), node)));
    }

    fn visit(&mut self, node: usize) -> Result<Visit, Stop> {
        if self.space.has_numbers() {
            self.extend(node)?;
        }
        let exact = self.nodes[node].exact.clone();
        // No state satisfies what an axiom excludes, initial ones included.
        if !self.axioms.is_empty() && self.visited.subsumer(&exact) == Some(AXIOM) {
            self.nodes[node].fate = Fate::Subsumed(AXIOM, AXIOM);
            return Ok(Visit::Continue);
        }
        if self.meets_initial(&exact)? {
            return Ok(match self.undo(node) {
                Undone::Approximation => Visit::Continue,
                Undone::Nothing(property, rules) => Visit::End(Outcome::Chain(property, rules)),
            });
        }
        if let Some(subsumer) = self.visited.subsumer(&exact).or_else(|| self.subsumer_in_order(&exact)) {
            self.nodes[node].fate = Fate::Subsumed(subsumer, subsumer);
            return Ok(Visit::Continue);
        }
        if let Some((one, other)) = self.subsumers_of_cases(&exact) {
            self.nodes[node].fate = Fate::Subsumed(one, other);
            return Ok(Visit::Continue);
        }
        if self.leads_to_approximation(node) && matches!(self.undo(node), Undone::Approximation) {
            return Ok(Visit::Continue);
        }
        let approximation = if self.is_whole() {
            let Some(approximation) = self.whole_approximation(node)? else { return Ok(Visit::Continue) };
            if !self.bounds.allow(approximation.as_ref().unwrap_or(&self.nodes[node].exact)) {
                return self.with_too_many_symbols(node);
            }
            approximation
        } else if self.bounds.allow(&exact) {
            self.approximation(&exact)?
        } else {
            return self.with_too_many_symbols(node);
        };
        self.figures.visited += 1;
        self.figures.approximations += usize::from(approximation.is_some());
        self.nodes[node].approximation = approximation;
        self.nodes[node].fate = Fate::Visited;
        let conj = self.nodes[node].conj().clone();
        self.visited.insert(node, &conj);
        for (number, rule) in (0..).zip(&self.system.rules) {
            for pre in pre_images(rule, &conj, self.space, self.guards())? {
                for pre in self.cases(pre)? {
                    self.add(pre, Parent::PreImage { rule: RuleId(number), of: node });
                }
            }
        }
        Ok(Visit::Continue)
    }

    fn with_too_many_symbols(&mut self, node: usize) -> Result<Visit, Stop> {
        match self.undo(node) {
            Undone::Approximation => Ok(Visit::Continue),
            Undone::Nothing(..) => Err(Stop::Elements),
        }
    }

    /// Returns the approximation of a cube whose universal parts concern its own elements, too, if there is one. Returns `None` if
    /// other cubes take the place of this one.
    fn whole_approximation(&mut self, node: usize) -> Result<Option<Option<Conj>>, Stop> {
        let exact = self.nodes[node].exact.clone();
        let approximation = self.approximation(&exact)?;
        if approximation.is_none() && self.reachable.admits(&exact) {
            let cases = with_witnesses(exact.clone(), &self.axioms, Wanted::All, self.space)?;
            if cases[..] != [exact] {
                self.replace(node, cases);
                return Ok(None);
            }
        }
        let approximation = self.by_cases(node, approximation)?;
        let exact = &self.nodes[node].exact;
        if approximation.as_ref().unwrap_or(exact).universals.len() > 1
            && let Some(lit) = shared_literal(exact, self.space)
        {
            let with = |lit| [exact.lits.as_slice(), &[lit]].concat();
            let case = |lit| simplify(self.space, &exact.types(self.space), &with(lit), &exact.universals);
            let cases = [lit, self.space.negate(lit)].into_iter().filter_map(case).collect();
            self.replace(node, cases);
            return Ok(None);
        }
        if let Some(subsumer) = self.visited.subsumer(exact) {
            self.nodes[node].fate = Fate::Subsumed(subsumer, subsumer);
            return Ok(None);
        }
        Ok(Some(approximation))
    }

    /// Puts other cubes in the place of a cube.
    fn replace(&mut self, node: usize, cases: Vec<Conj>) {
        self.nodes[node].fate = Fate::Dropped;
        let parent = self.nodes[node].parent;
        cases.into_iter().for_each(|case| self.add(case, parent));
    }

    /// Returns an approximation with fewer symbols or shorter universal parts, if there is one. Then the cube is only what the
    /// approximation includes, and the rest of it becomes other cubes.
    fn by_cases(&mut self, node: usize, approximation: Option<Conj>) -> Result<Option<Conj>, Stop> {
        let mut found = approximation;
        loop {
            let exact = self.nodes[node].exact.clone();
            let mut whole = found.as_ref().unwrap_or(&exact);
            let mut shorter = with_fewer_symbols(whole, self.reachable, &self.refuted, self.space);
            let length: usize = whole.universals.iter().map(|part| part.lits.len()).sum();
            if shorter.is_none() && length > 1 {
                whole = &exact;
                shorter = with_one_part(whole, self.reachable, &self.refuted, self.space);
            }
            let Some((candidate, part)) = shorter else { return Ok(found) };
            if self.meets_initial(&candidate)? {
                self.refuted.insert(&candidate);
                continue;
            }
            let parent = self.nodes[node].parent;
            let (holds, cases) = by_part(whole, &part, self.space)?;
            cases.into_iter().for_each(|conj| self.add(conj, parent));
            if let Some(holds) = holds {
                self.nodes[node].exact = holds;
            }
            found = Some(candidate);
        }
    }

    /// Adds to a cube what follows from it and axioms about numbers of elements or the order of elements, if no initial
    /// state satisfies it then.
    fn extend(&mut self, node: usize) -> Result<(), Stop> {
        let exact = &self.nodes[node].exact;
        let extended = with_consequences(exact, &self.axioms, Consequences::OfOrder, self.space);
        if let Some(extended) = extended
            && extended != *exact
            && self.meets_initial(exact)?
            && !self.meets_initial(&extended)?
        {
            self.nodes[node].exact = extended;
        }
        Ok(())
    }

    /// Returns the key of a visited cube that includes this one, since different elements have different ranks.
    fn subsumer_in_order(&self, exact: &Conj) -> Option<usize> {
        if !self.space.has_numbers() {
            return None;
        }
        let extended = with_consequences(exact, &self.axioms, Consequences::OfOrder, self.space)?;
        if extended == *exact { None } else { self.visited.subsumer(&extended) }
    }

    /// Returns the keys of two visited cubes that include the cases of this one.
    fn subsumers_of_cases(&self, exact: &Conj) -> Option<(usize, usize)> {
        if self.bounds.weakening != Weakening::InOrder {
            return None;
        }
        let subsumers = |[one, other]: &[Conj; 2]| self.visited.subsumer(one).zip(self.visited.subsumer(other));
        in_two_cases(exact, &self.axioms, self.space).iter().find_map(subsumers)
    }

    /// Returns whether a known state leads through the cube to the nearest approximation on the way to the property.
    fn leads_to_approximation(&self, node: usize) -> bool {
        let mut path = Vec::new();
        let mut current = node;
        while let Parent::PreImage { rule, of } = self.nodes[current].parent {
            path.push((rule, self.nodes[of].conj()));
            if self.nodes[of].approximation.is_some() {
                return self.reachable.leads(&self.nodes[node].exact, &path);
            }
            current = of;
        }
        false
    }

    fn approximation(&mut self, exact: &Conj) -> Result<Option<Conj>, Stop> {
        let weaken = self.bounds.mode == Mode::Weakened;
        let extended = if self.space.counts() {
            with_consequences(exact, &self.axioms, Consequences::OfNumbers, self.space)
        } else {
            None
        };
        let whole = extended.as_ref().unwrap_or(exact);
        if let Some(guess) = self.guess(whole)? {
            return Ok(Some(guess));
        }
        let weakening = self.bounds.weakening;
        while let Some(candidate) = approximate(whole, self.reachable, &self.refuted, (weaken, weakening), self.space) {
            if !self.meets_initial(&candidate)? {
                return Ok(Some(candidate));
            }
            self.refuted.insert(&candidate);
        }
        Ok(None)
    }

    /// Returns a guess that includes the cube and that nothing refutes.
    fn guess(&mut self, whole: &Conj) -> Result<Option<Conj>, Stop> {
        while let Some(number) = self.guesses.0.subsumer(whole) {
            let guess = &self.guesses.1[number];
            let is_open = self.bounds.allow(guess) && !self.refuted.refutes(guess) && !self.reachable.admits(guess);
            if is_open && !self.meets_initial(guess)? {
                return Ok(Some(guess.clone()));
            }
            self.guesses.0.remove(&[number]);
        }
        Ok(None)
    }

    fn guards(&self) -> Guards<'a> {
        match self.bounds.mode {
            Mode::Plain => Guards::Dropped,
            Mode::Pointed => Guards::Pointed(self.reachable),
            Mode::Universal | Mode::Weakened => Guards::Kept,
            Mode::Whole => Guards::Whole,
        }
    }

    fn wanted(&self) -> Wanted {
        if self.is_whole() { Wanted::Two } else { Wanted::Kept }
    }

    fn is_whole(&self) -> bool {
        self.bounds.mode == Mode::Whole
    }

    fn meets_initial(&self, conj: &Conj) -> Result<bool, Stop> {
        for start in &self.system.startstates {
            if intersects_initial(start, conj, self.space)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Undoes the nearest approximation on the way to the property, because an initial state leads to the cube, so that
    /// the approximation is wrong, or because the cube has too many symbols, so that its pre-images would only
    /// multiply.
    fn undo(&mut self, from: usize) -> Undone {
        let mut rules = Vec::new();
        let mut node = from;
        loop {
            if let Some(wrong) = self.nodes[node].approximation.take() {
                self.figures.undone += 1;
                self.refuted.insert(&wrong);
                self.drop_below(node);
                return Undone::Approximation;
            }
            match self.nodes[node].parent {
                Parent::Property(property) => return Undone::Nothing(property, rules),
                Parent::PreImage { rule, of } => {
                    rules.push(rule);
                    node = of;
                }
            }
        }
    }

    /// Drops everything derived from the node, and puts the node and everything subsumed by what was dropped back into
    /// the queue.
    fn drop_below(&mut self, root: usize) {
        let mut gone = vec![root];
        let mut position = 0;
        while position < gone.len() {
            let children = std::mem::take(&mut self.nodes[gone[position]].children);
            gone.extend(children.into_iter().filter(|&child| self.nodes[child].fate != Fate::Dropped));
            position += 1;
        }
        for &node in &gone {
            self.nodes[node].fate = Fate::Dropped;
        }
        gone.sort_unstable();
        self.visited.remove(&gone);
        self.nodes[root].fate = Fate::Waiting;
        self.enqueue(root);
        for node in 0..self.nodes.len() {
            if let Fate::Subsumed(one, other) = self.nodes[node].fate
                && [one, other].iter().any(|by| gone.binary_search(by).is_ok())
            {
                self.nodes[node].fate = Fate::Waiting;
                self.enqueue(node);
            }
        }
    }

    fn result(&self) -> Vec<Found> {
        let visited: Vec<usize> =
            (0..self.nodes.len()).filter(|&node| self.nodes[node].fate == Fate::Visited).collect();
        let position: BTreeMap<usize, usize> = visited.iter().enumerate().map(|(p, &node)| (node, p)).collect();
        visited
            .iter()
            .map(|&node| {
                let parent = match self.nodes[node].parent {
                    Parent::Property(property) => FoundParent::Property(property),
                    Parent::PreImage { rule, of } => FoundParent::PreImage { rule, of: position[&of] },
                };
                Found { conj: self.nodes[node].conj().clone(), parent }
            })
            .collect()
    }
}

/// What was undone: the nearest approximation, or nothing if there is none between the property and the cube.
enum Undone {
    Approximation,
    Nothing(PropertyId, Vec<RuleId>),
}

enum Visit {
    Continue,
    End(Outcome),
}

/// Returns the cubes of a certificate for which the cubes of a search stand.
fn about_others(found: &[Found], space: &Space) -> Result<Vec<Found>, Stop> {
    let cases: Vec<Vec<Conj>> =
        found.iter().map(|found| universal::about_others(&found.conj, space)).collect::<Result<_, _>>()?;
    // The first of the cubes for which another one stands is as good a parent as any other.
    let mut first = Vec::new();
    let mut count = 0;
    for cases in &cases {
        first.push(count);
        count += cases.len();
    }
    let mut all = Vec::new();
    for (found, cases) in found.iter().zip(cases) {
        let parent = match found.parent {
            FoundParent::Property(property) => FoundParent::Property(property),
            FoundParent::PreImage { rule, of } => FoundParent::PreImage { rule, of: first[of] },
        };
        all.extend(cases.into_iter().map(|conj| Found { conj, parent }));
    }
    Ok(all)
}
