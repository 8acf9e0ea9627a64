//! Normal form, entailment and subsumption of cubes.
//!
//! A cube is a conjunction of literals over index variables that denote pairwise distinct elements, distinct from all
//! named ones. [`Cube::normalize`] returns the one [`Cube`] that represents all equivalent ways to write the same
//! literals, or `None` if no state satisfies them. This module knows the sorts of a [`System`] but not its rules, and
//! must not use any invariant.
//!
//! The cubes are those of Ghilardi and Ranise, "Backward reachability of array-based systems by SMT solving", 2010,
//! section 3.2 ("differentiated" primitive formulas); subsumption is the embedding of Conchon et al., "Cubicle: a
//! parallel SMT-based model checker for parameterized systems", 2012, section 3.
//!
//! The normal form closes the literals under equality:
//!
//! - Reads that must be equal and have a known value are each equated with that value.
//! - Reads that must be equal and have no known value are each equated with the least of them.
//! - An inequation is dropped if an equation gives the same read another value.
//! - A read whose sort has no index type, and which can have only one constant as its value, is equated with that
//!   constant.

use std::collections::{BTreeMap, BTreeSet};

use crate::bounds::{Bounds, Constraint};
use crate::{
    Comparison, ConstantId, Cube, IndexTerm, IndexTypeId, IndexVariableId, Literal, Sort, System, Term, Universal,
};

/// The truth value of a literal, as far as it does not depend on the state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Decision {
    /// The literal holds in every state.
    True,
    /// The literal holds in no state.
    False,
    /// The literal depends on the state; this is its normal form.
    Open(Literal),
}

impl Decision {
    fn of(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl Literal {
    /// Returns the normal form of a single literal over index variables of the given types, or its truth value.
    ///
    /// Every [`IndexTerm::Variable`] must be a position in `variables`.
    pub fn decide(&self, system: &System, variables: &[IndexTypeId]) -> Decision {
        let scope = Scope { system, variables };
        if self.comparison.is_bound() {
            return self.decide_bound();
        }
        let (left, right) = match (&self.left, &self.right) {
            (Term::Read(..), Term::Read(..)) if self.left > self.right => (&self.right, &self.left),
            (Term::Constant(_) | Term::Index(_), Term::Read(..)) => (&self.right, &self.left),
            _ => (&self.left, &self.right),
        };
        if left == right {
            return Decision::of(self.comparison.is_equal());
        }
        let (left_range, right_range) = (scope.range(left), scope.range(right));
        let common = left_range.intersection(&right_range);
        if common.is_empty() {
            return Decision::of(!self.comparison.is_equal());
        }
        match (left_range.only(), right_range.only()) {
            (Some(a), Some(b)) => Decision::of(self.comparison.is_equal() == (a == b)),
            (Some(a), None) => scope.against_value(right, self.comparison, &a),
            (None, Some(b)) => scope.against_value(left, self.comparison, &b),
            (None, None) => {
                Decision::Open(Self { left: left.clone(), comparison: self.comparison, right: right.clone() })
            }
        }
    }

    fn decide_bound(&self) -> Decision {
        if self.left == self.right {
            return Decision::of(self.comparison.holds_of_numbers(0));
        }
        Decision::Open(oriented(self.clone()))
    }

    /// Returns the literal with each index variable replaced.
    #[must_use]
    pub fn substituted(&self, replace: &impl Fn(IndexVariableId) -> IndexTerm) -> Self {
        self.map(&mut |element| element.substituted(replace))
    }

    /// Returns the index variables that occur in the literal, from left to right.
    pub fn variables(&self) -> impl Iterator<Item = IndexVariableId> {
        let elements = self.left.elements().iter().chain(self.right.elements());
        elements.filter_map(|element| match element {
            IndexTerm::Variable(variable) => Some(*variable),
            IndexTerm::Named(_) => None,
        })
    }
}

impl Universal {
    /// Returns the universal part with each index variable replaced, those of its own included.
    #[must_use]
    pub fn substituted(&self, replace: &impl Fn(IndexVariableId) -> IndexTerm) -> Self {
        let literals = self.literals.iter().map(|literal| oriented(literal.substituted(replace))).collect();
        Self { variables: self.variables.clone(), literals }
    }
}

impl Term {
    /// Returns the term with each index variable replaced.
    #[must_use]
    pub fn substituted(&self, replace: &impl Fn(IndexVariableId) -> IndexTerm) -> Self {
        self.map(&mut |element| element.substituted(replace))
    }
}

impl IndexTerm {
    fn substituted(self, replace: &impl Fn(IndexVariableId) -> Self) -> Self {
        match self {
            Self::Variable(variable) => replace(variable),
            Self::Named(named) => Self::Named(named),
        }
    }
}

impl Cube {
    /// The largest number of variables in a cube that is only a candidate, those of a universal part included. The normal form
    /// takes a time that grows with the number of their orders, which is not worth it for what may be dropped.
    pub const MOST_IN_CANDIDATE: usize = 8;

    /// Returns the normal form of a conjunction of literals, or `None` if no state satisfies it.
    ///
    /// No variable is dropped, because a variable without a literal still requires one more element; see
    /// [`Cube::without_unused_variables`].
    #[must_use]
    pub fn normalize(system: &System, variables: &[IndexTypeId], literals: &[Literal]) -> Option<Self> {
        Self::normalize_with(system, variables, literals, &[])
    }

    /// Returns the normal form of a conjunction of literals and universal parts, or `None` if no state satisfies the
    /// literals. The variables of each universal part are numbered from `variables.len()`.
    ///
    /// A literal of a universal part that the literals of the cube decide, and that concerns no variable of the part, is
    /// evaluated. The parts and their literals are sorted, and the variables of a part are grouped by type, in the order
    /// that makes its literals the least.
    #[must_use]
    pub fn normalize_with(
        system: &System,
        variables: &[IndexTypeId],
        literals: &[Literal],
        universals: &[Universal],
    ) -> Option<Self> {
        let scope = Scope { system, variables };
        let closure = Closure::of(&scope, literals)?;
        let simplified = |universal: &Universal| simplified(&scope, literals, universal);
        let universals: Vec<Universal> = universals.iter().filter_map(simplified).collect();
        Some(least_numbering(variables, &closure.literals(), &universals))
    }

    /// Returns the cube without the variables that occur in no literal. More states may satisfy it, namely those that
    /// have too few elements for the original cube.
    #[must_use]
    pub fn without_unused_variables(&self) -> Self {
        let used = used_in(self.variables.len(), &self.literals, &self.universals);
        let kept: Vec<usize> = (0..self.variables.len()).filter(|&v| used[v]).collect();
        let renumber = |variable: IndexVariableId| {
            let position = match variable.index().checked_sub(self.variables.len()) {
                Some(own) => kept.len() + own,
                None => kept.iter().position(|&old| old == variable.index()).unwrap_or(0),
            };
            IndexTerm::Variable(variable_id(position))
        };
        Self {
            variables: kept.iter().map(|&old| self.variables[old]).collect(),
            literals: self.literals.iter().map(|l| l.substituted(&renumber)).collect(),
            universals: self.universals.iter().map(|universal| universal.substituted(&renumber)).collect(),
        }
    }

    /// Returns whether the literals of the cube imply `literal` without any invariant. Both must be in normal form.
    #[must_use]
    pub fn entails(&self, literal: &Literal) -> bool {
        if self.literals.binary_search(literal).is_ok() {
            return true;
        }
        if literal.comparison.is_bound() {
            let bounds = Bounds::of(bounds_among(&self.literals));
            return bounds.is_none_or(|bounds| bounds.entails(&literal.left, literal.comparison, &literal.right));
        }
        literal.comparison == Comparison::Different
            && !matches!(literal.right, Term::Read(..))
            && self.literals.iter().any(|own| {
                own.comparison == Comparison::Equal
                    && own.left == literal.left
                    && own.right != literal.right
                    && !matches!(own.right, Term::Read(..))
            })
    }

    /// Returns whether every state that satisfies `other` satisfies this cube, because some injective renaming of this
    /// cube's variables to those of `other` turns every literal into one that `other` entails, and every universal part
    /// into one of `other`. A universal part says less about more variables, so then both need as many. Both must be in
    /// normal form.
    #[must_use]
    pub fn subsumes(&self, other: &Self) -> bool {
        let (own, others) = (self.variables.len(), other.variables.len());
        (own == others || (own < others && self.universals.is_empty()))
            && self.embeds(other, &mut Vec::with_capacity(self.variables.len()))
    }

    /// Extends a renaming of the first variables to all variables.
    fn embeds(&self, other: &Self, renaming: &mut Vec<usize>) -> bool {
        let next = renaming.len();
        if !self.literals_hold(other, renaming) {
            return false;
        }
        let Some(index_type) = self.variables.get(next) else {
            return self.universals_hold(other, renaming);
        };
        for (target, target_type) in other.variables.iter().enumerate() {
            if target_type == index_type && !renaming.contains(&target) {
                renaming.push(target);
                let found = self.embeds(other, renaming);
                renaming.pop();
                if found {
                    return true;
                }
            }
        }
        false
    }

    /// Returns whether the renamed universal parts are among those of a cube with as many variables.
    fn universals_hold(&self, other: &Self, renaming: &[usize]) -> bool {
        let rename = |variable: IndexVariableId| {
            IndexTerm::Variable(renaming.get(variable.index()).map_or(variable, |&renamed| variable_id(renamed)))
        };
        self.universals.iter().all(|universal| {
            let mut renamed = universal.substituted(&rename);
            renamed.literals.sort();
            other.universals.contains(&renamed)
        })
    }

    /// Returns whether the other cube entails those renamed literals all of whose variables have been renamed.
    fn literals_hold(&self, other: &Self, renaming: &[usize]) -> bool {
        let known = |literal: &&Literal| {
            let below = |term: &IndexTerm| match term {
                IndexTerm::Variable(v) => v.index() < renaming.len(),
                IndexTerm::Named(_) => true,
            };
            literal.left.elements().iter().all(below) && literal.right.elements().iter().all(below)
        };
        self.literals.iter().filter(known).all(|literal| {
            let renamed = literal.substituted(&|variable| IndexTerm::Variable(variable_id(renaming[variable.index()])));
            other.entails(&oriented(renamed))
        })
    }
}

/// The types of the variables, and the system they belong to.
struct Scope<'a> {
    system: &'a System,
    variables: &'a [IndexTypeId],
}

impl Scope<'_> {
    fn type_of(&self, term: IndexTerm) -> IndexTypeId {
        match term {
            IndexTerm::Variable(variable) => self.variables[variable.index()],
            IndexTerm::Named(named) => self.system.named[named.index()].index_type,
        }
    }

    /// Returns the values that a term can have.
    fn range(&self, term: &Term) -> Range {
        match term {
            Term::Constant(constant) => Range::Value(Term::Constant(*constant), None),
            Term::Index(index) => Range::Value(Term::Index(*index), Some(self.type_of(*index))),
            Term::Read(variable, _) => Range::of_sort(self.system.sort_of(*variable)),
            // Numbers are compared by bounds alone.
            Term::Zero => Range::Set(BTreeSet::new(), BTreeSet::new()),
        }
    }

    /// Returns the literal between a read and a value of its sort.
    fn against_value(&self, read: &Term, comparison: Comparison, value: &Term) -> Decision {
        let range = self.range(read);
        let other = match &range {
            Range::Set(index_types, constants) if index_types.is_empty() && constants.len() == 2 => {
                constants.iter().map(|&constant| Term::Constant(constant)).find(|constant| constant != value)
            }
            Range::Set(..) | Range::Value(..) => None,
        };
        let (comparison, right) = match other {
            Some(other) if comparison == Comparison::Different => (Comparison::Equal, other),
            _ => (comparison, value.clone()),
        };
        Decision::Open(Literal { left: read.clone(), comparison, right })
    }
}

/// The possible values of a term, or of several equal terms.
#[derive(Clone, Debug)]
enum Range {
    /// One value, with its type if it is an element.
    Value(Term, Option<IndexTypeId>),
    /// Any element of these types, or any of these constants.
    Set(BTreeSet<IndexTypeId>, BTreeSet<ConstantId>),
}

impl Range {
    fn of_sort(sort: &Sort) -> Self {
        Self::Set(sort.index_types.iter().copied().collect(), sort.constants.iter().copied().collect())
    }

    fn intersection(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Set(types, constants), Self::Set(other_types, other_constants)) => Self::Set(
                types.intersection(other_types).copied().collect(),
                constants.intersection(other_constants).copied().collect(),
            ),
            (Self::Value(..), _) if other.contains(self) => self.clone(),
            (_, Self::Value(..)) if self.contains(other) => other.clone(),
            _ => Self::Set(BTreeSet::new(), BTreeSet::new()),
        }
    }

    /// Returns whether the single value `value` is one of the values of this range.
    fn contains(&self, value: &Self) -> bool {
        match (self, value) {
            (Self::Value(own, _), Self::Value(term, _)) => own == term,
            (Self::Set(_, constants), Self::Value(Term::Constant(constant), _)) => constants.contains(constant),
            (Self::Set(types, _), Self::Value(_, Some(index_type))) => types.contains(index_type),
            (_, Self::Set(..) | Self::Value(_, None)) => false,
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Self::Set(types, constants) if types.is_empty() && constants.is_empty())
    }

    /// Returns the value if there is exactly one, whatever the sizes of the index types.
    fn only(&self) -> Option<Term> {
        match self {
            Self::Value(term, _) => Some(term.clone()),
            Self::Set(types, constants) if types.is_empty() && constants.len() == 1 => {
                constants.first().map(|&constant| Term::Constant(constant))
            }
            Self::Set(..) => None,
        }
    }
}

/// Reads that must be equal, and what is known about their common value.
struct Class {
    members: BTreeSet<Term>,
    range: Range,
    excluded: BTreeSet<Term>,
}

/// The classes of equal reads, and the pairs of classes that must differ.
struct Closure {
    classes: Vec<Class>,
    different: BTreeSet<(usize, usize)>,
    bounds: Bounds<Term>,
}

impl Closure {
    /// Closes the literals under equality. Returns `None` if they contradict each other.
    fn of(scope: &Scope<'_>, literals: &[Literal]) -> Option<Self> {
        let mut open = Vec::with_capacity(literals.len());
        for literal in literals {
            match literal.decide(scope.system, scope.variables) {
                Decision::True => {}
                Decision::False => return None,
                Decision::Open(literal) => open.push(literal),
            }
        }
        let bounds = Bounds::of(bounds_among(&open))?;
        open.retain(|literal| !literal.comparison.is_bound());
        let mut closure = Self::classes_of(scope, &open, bounds);
        closure.read_values(scope, &open)?;
        while closure.propagate(scope)? {}
        Some(closure)
    }

    /// Puts equated reads into one class.
    fn classes_of(scope: &Scope<'_>, literals: &[Literal], bounds: Bounds<Term>) -> Self {
        let mut groups: Vec<BTreeSet<Term>> = Vec::new();
        for literal in literals {
            let mut joined: BTreeSet<Term> = BTreeSet::new();
            joined.insert(literal.left.clone());
            if literal.comparison == Comparison::Equal && matches!(literal.right, Term::Read(..)) {
                joined.insert(literal.right.clone());
            } else if matches!(literal.right, Term::Read(..)) {
                merge_group(&mut groups, BTreeSet::from([literal.right.clone()]));
            }
            merge_group(&mut groups, joined);
        }
        let classes = groups
            .into_iter()
            .map(|members| Class {
                range: members
                    .iter()
                    .map(|member| scope.range(member))
                    .reduce(|a, b| a.intersection(&b))
                    .unwrap_or_else(|| Range::Set(BTreeSet::new(), BTreeSet::new())),
                members,
                excluded: BTreeSet::new(),
            })
            .collect();
        Self { classes, different: BTreeSet::new(), bounds }
    }

    /// Enters the literals with values and the inequations between reads.
    fn read_values(&mut self, scope: &Scope<'_>, literals: &[Literal]) -> Option<()> {
        let class_of: BTreeMap<Term, usize> = self
            .classes
            .iter()
            .enumerate()
            .flat_map(|(at, class)| class.members.iter().map(move |m| (m.clone(), at)))
            .collect();
        for literal in literals {
            let left = class_of[&literal.left];
            match (class_of.get(&literal.right), literal.comparison) {
                (Some(&right), Comparison::Different) if right == left => return None,
                (Some(&right), Comparison::Different) => {
                    self.different.insert((left.min(right), left.max(right)));
                }
                (Some(_), Comparison::Equal) => {}
                (_, Comparison::AtMost(_) | Comparison::AtLeast(_)) => {}
                (None, Comparison::Equal) => {
                    let value = scope.range(&literal.right);
                    self.classes[left].range = self.classes[left].range.intersection(&value);
                }
                (None, Comparison::Different) => {
                    self.classes[left].excluded.insert(literal.right.clone());
                }
            }
        }
        Some(())
    }

    /// Runs one round of propagation. Returns whether anything changed, or `None` if the literals contradict each
    /// other.
    fn propagate(&mut self, scope: &Scope<'_>) -> Option<bool> {
        let mut changed = false;
        for class in &mut self.classes {
            changed |= class.exclude(scope)?;
        }
        for (left, right) in self.different.clone() {
            let (a, b) = (self.classes[left].range.only(), self.classes[right].range.only());
            let common = self.classes[left].range.intersection(&self.classes[right].range);
            match (a, b) {
                (Some(a), Some(b)) if a == b => return None,
                (Some(value), None) => {
                    self.classes[right].excluded.insert(value);
                }
                (None, Some(value)) => {
                    self.classes[left].excluded.insert(value);
                }
                (None, None) if !common.is_empty() => continue,
                (Some(_), Some(_)) | (None, None) => {}
            }
            self.different.remove(&(left, right));
            changed = true;
        }
        Some(changed)
    }

    /// Returns all literals, in no particular order, in a numbering of the variables that need not be the least.
    fn literals(&self) -> Vec<Template> {
        let mut all = Vec::new();
        for class in &self.classes {
            let members: Vec<Term> = class.members.iter().cloned().collect();
            match class.range.only() {
                Some(value) => all.push(Template::Value(members, value)),
                None => all.push(Template::Class(members, class.excluded.iter().cloned().collect())),
            }
        }
        for &(left, right) in &self.different {
            all.push(Template::Different(
                self.classes[left].members.iter().cloned().collect(),
                self.classes[right].members.iter().cloned().collect(),
            ));
        }
        all.push(Template::Bounds(self.bounds.reduced()));
        all
    }
}

impl Class {
    /// Removes excluded values from the range. Returns whether the range changed, or `None` if no value remains.
    fn exclude(&mut self, scope: &Scope<'_>) -> Option<bool> {
        let before = self.range.only();
        let range = &self.range;
        self.excluded.retain(|value| range.contains(&scope.range(value)));
        match &mut self.range {
            Range::Value(value, _) if self.excluded.contains(value) => return None,
            Range::Value(..) => self.excluded.clear(),
            Range::Set(types, constants) => {
                let excluded = |constant: &ConstantId| self.excluded.contains(&Term::Constant(*constant));
                // Without index types, the remaining inequations say exactly this; they are kept unless they leave a
                // single constant.
                let left: Vec<ConstantId> = constants.iter().copied().filter(|c| !excluded(c)).collect();
                match (types.is_empty(), left.as_slice()) {
                    (true, []) => return None,
                    (true, [only]) => self.range = Range::Value(Term::Constant(*only), None),
                    _ => {}
                }
            }
        }
        if self.range.is_empty() {
            return None;
        }
        if matches!(self.range, Range::Value(..)) {
            self.excluded.clear();
        }
        Some(self.range.only() != before)
    }
}

/// Adds a set of equal reads to the partition.
fn merge_group(groups: &mut Vec<BTreeSet<Term>>, mut joined: BTreeSet<Term>) {
    groups.retain_mut(|group| {
        let overlaps = !group.is_disjoint(&joined);
        if overlaps {
            joined.append(group);
        }
        !overlaps
    });
    groups.push(joined);
}

/// Literals whose form depends on which of several equal reads is the least.
enum Template {
    /// Equal reads with a known value.
    Value(Vec<Term>, Term),
    /// Equal reads without a known value, and the values that are excluded.
    Class(Vec<Term>, Vec<Term>),
    /// The members of two classes that must differ.
    Different(Vec<Term>, Vec<Term>),
    /// Bounds of numbers.
    Bounds(Vec<Constraint<Term>>),
}

impl Template {
    /// Writes the literals under a renaming of the variables.
    fn write(&self, rename: &impl Fn(IndexVariableId) -> IndexTerm, into: &mut Vec<Literal>) {
        let renamed = |terms: &[Term]| -> Vec<Term> { terms.iter().map(|t| t.substituted(rename)).collect() };
        match self {
            Self::Value(members, value) => {
                let right = value.substituted(rename);
                into.extend(renamed(members).into_iter().map(|left| Literal {
                    left,
                    comparison: Comparison::Equal,
                    right: right.clone(),
                }));
            }
            Self::Class(members, excluded) => {
                let mut members = renamed(members);
                members.sort();
                let least = members.remove(0);
                let comparison = members.into_iter().map(|member| (Comparison::Equal, member));
                let different = renamed(excluded).into_iter().map(|value| (Comparison::Different, value));
                into.extend(comparison.chain(different).map(|(comparison, right)| Literal {
                    left: least.clone(),
                    comparison,
                    right,
                }));
            }
            Self::Bounds(constraints) => {
                // Which number represents those at a fixed difference depends on the names of the variables.
                let rename = |term: &Term| term.substituted(rename);
                let renamed = constraints.iter().map(|(left, sum, right)| (rename(left), *sum, rename(right)));
                let reduced = Bounds::of(renamed).map(|bounds| bounds.reduced()).unwrap_or_default();
                into.extend(reduced.into_iter().map(|(left, comparison, right)| Literal { left, comparison, right }));
            }
            Self::Different(one, other) => {
                let least = |members: &[Term]| renamed(members).into_iter().min();
                if let (Some(left), Some(right)) = (least(one), least(other)) {
                    into.push(oriented(Literal { left, comparison: Comparison::Different, right }));
                }
            }
        }
    }
}

/// Returns the literal with the lesser read on the left if both sides are reads, and with 0 on the right.
fn oriented(literal: Literal) -> Literal {
    if matches!(literal.right, Term::Read(..)) && literal.right < literal.left {
        return Literal { left: literal.right, comparison: literal.comparison.mirrored(), right: literal.left };
    }
    literal
}

/// Returns the bounds among some literals.
fn bounds_among(literals: &[Literal]) -> impl Iterator<Item = Constraint<Term>> {
    let bounds = literals.iter().filter(|literal| literal.comparison.is_bound());
    bounds.map(|literal| (literal.left.clone(), literal.comparison, literal.right.clone()))
}

/// Returns a universal part without the literals that the cube's literals decide, or `None` if it always holds.
fn simplified(scope: &Scope<'_>, literals: &[Literal], universal: &Universal) -> Option<Universal> {
    let outer = scope.variables.len();
    let types = [scope.variables, &universal.variables].concat();
    let mut kept = Vec::new();
    for literal in &universal.literals {
        let literal = match literal.decide(scope.system, &types) {
            Decision::True => return None,
            Decision::False => continue,
            Decision::Open(literal) => literal,
        };
        let contradicts = |literal: Literal| Closure::of(scope, &[literals, &[literal]].concat()).is_none();
        if !literal.variables().any(|variable| variable.index() >= outer) {
            if contradicts(literal.negated()) {
                return None;
            }
            if contradicts(literal.clone()) {
                continue;
            }
        }
        kept.push(literal);
    }
    Some(Universal { variables: universal.variables.clone(), literals: kept })
}

/// Returns the cube in the numbering of the normal form: grouped by type, ascending, with the least sequence of
/// literals, and then of universal parts.
fn least_numbering(variables: &[IndexTypeId], templates: &[Template], universals: &[Universal]) -> Cube {
    let identity: Vec<usize> = (0..variables.len()).collect();
    let used = used_in(variables.len(), &written(templates, &identity), universals);
    // Unused variables follow the used ones of their type, because lesser numbers make lesser literals.
    let mut order = identity;
    order.sort_by_key(|&old| (variables[old], !used[old]));
    let free: Vec<bool> = order.iter().map(|&old| used[old]).collect();
    let types: Vec<IndexTypeId> = order.iter().map(|&old| variables[old]).collect();
    let mut best: Option<(Vec<Literal>, Vec<Universal>)> = None;
    permute(&mut order, 0, &types, &free, &mut |order| {
        let mut new_number = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            new_number[old] = new;
        }
        let literals = written(templates, &new_number);
        if best.as_ref().is_some_and(|best| literals > best.0) {
            return;
        }
        let found = (literals, written_universals(universals, &new_number));
        if best.as_ref().is_none_or(|best| found < *best) {
            best = Some(found);
        }
    });
    let (literals, universals) = best.unwrap_or_default();
    Cube { variables: types, literals, universals }
}

/// Returns the universal parts after renumbering, sorted, each with its least numbering.
fn written_universals(universals: &[Universal], new_number: &[usize]) -> Vec<Universal> {
    let outer = new_number.len();
    let least = |universal: &Universal| {
        let mut order: Vec<usize> = (0..universal.variables.len()).collect();
        order.sort_by_key(|&old| universal.variables[old]);
        let types: Vec<IndexTypeId> = order.iter().map(|&old| universal.variables[old]).collect();
        let mut best: Option<Vec<Literal>> = None;
        permute(&mut order, 0, &types, &vec![true; types.len()], &mut |order| {
            let renumber = |variable: IndexVariableId| {
                let position = match variable.index().checked_sub(outer) {
                    Some(own) => outer + order.iter().position(|&old| old == own).unwrap_or(own),
                    None => new_number[variable.index()],
                };
                IndexTerm::Variable(variable_id(position))
            };
            let renamed = universal.literals.iter().map(|literal| oriented(literal.substituted(&renumber)));
            let literals: Vec<Literal> = renamed.collect::<BTreeSet<_>>().into_iter().collect();
            if best.as_ref().is_none_or(|best| literals < *best) {
                best = Some(literals);
            }
        });
        Universal { variables: types, literals: best.unwrap_or_default() }
    };
    universals.iter().map(least).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Calls `visit` with every order that permutes the used variables of one type among each other.
fn permute(order: &mut [usize], at: usize, types: &[IndexTypeId], free: &[bool], visit: &mut impl FnMut(&[usize])) {
    if at == order.len() {
        visit(order);
        return;
    }
    let group_end =
        (at..order.len()).find(|&end| types[end] != types[at] || !free[end]).unwrap_or(order.len()).max(at + 1);
    for choice in at..group_end {
        order.swap(at, choice);
        permute(order, at + 1, types, free, visit);
        order.swap(at, choice);
    }
}

/// Returns the sorted literals after renumbering: `new_number` maps each old number to the new one.
fn written(templates: &[Template], new_number: &[usize]) -> Vec<Literal> {
    let mut literals = Vec::new();
    let rename = |old: IndexVariableId| IndexTerm::Variable(variable_id(new_number[old.index()]));
    for template in templates {
        template.write(&rename, &mut literals);
    }
    literals.sort();
    literals.dedup();
    literals
}

/// Returns which of the first `count` variables occur in a literal or a universal part.
fn used_in(count: usize, literals: &[Literal], universals: &[Universal]) -> Vec<bool> {
    let mut used = vec![false; count];
    for literal in literals.iter().chain(universals.iter().flat_map(|universal| &universal.literals)) {
        for variable in literal.variables() {
            if let Some(used) = used.get_mut(variable.index()) {
                *used = true;
            }
        }
    }
    used
}

fn variable_id(position: usize) -> IndexVariableId {
    IndexVariableId(u32::try_from(position).expect("a cube has fewer than 2^32 variables"))
}

#[cfg(test)]
mod tests;
