//! Arguments: why a context contradicts the invariants.
//!
//! A context consists of the closure of a branch's literals and the instances of its universal guards. The search for
//! an [`Argument`] first tries each single invariant that includes the context; then chains of instances, all but one
//! of whose literals hold (unit resolution); then a SAT solver selects the invariants that matter, and they are used to
//! build a case split on the values of reads.

use certificate::proof::{self, Argument, Instance, InvariantId, Split, SplitOn, Symbol};
use system::{Formula, IndexTypeId, NamedId};

use crate::closure::{Closure, Consistency};
use crate::fixpoint::Pattern;
use crate::literal::{Comparison, Conj, Datum, Element, Lit, Made, Read, Renaming, Side, Space};
use crate::pointed::pointers;
use crate::sat::Question;
use crate::universal::{placements, substitutions};
use crate::weakest_precondition::{Branch, Matched};

/// The limits of the search for an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The maximum nesting depth of splits.
    pub(crate) splits: usize,
    /// The maximum number of instances in a chain.
    pub(crate) chain: usize,
}

impl Effort {
    /// For a proof that must be found.
    pub(crate) const FULL: Self = Self { splits: 3, chain: usize::MAX };
    /// For an argument that a reader can follow at a glance.
    pub(crate) const SHORT: Self = Self { splits: 0, chain: 3 };
}

/// The maximum number of witnesses that an argument uses, one after the other.
const MOST_WITNESSES: usize = 2;

/// An invariant that can serve as a premise.
#[derive(Debug)]
pub(crate) struct Premise {
    pub(crate) id: InvariantId,
    pub(crate) conj: Conj,
    pub(crate) pattern: Pattern,
}

impl Premise {
    pub(crate) fn new(id: InvariantId, conj: &Conj, space: &Space) -> Self {
        Self { id, conj: conj.clone(), pattern: Pattern::new(conj, space) }
    }
}

/// How the certificate names the elements of an obligation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naming {
    pub(crate) named: usize,
    /// The number of symbols that are index variables of the invariant.
    pub(crate) variables: usize,
}

impl Naming {
    pub(crate) fn symbol(self, element: Element) -> Symbol {
        let element = usize::from(element);
        let number = |position: usize| u32::try_from(position).expect("the number of elements is bounded");
        if element < self.named {
            Symbol::Named(NamedId(number(element)))
        } else if element < self.named + self.variables {
            Symbol::Variable(number(element - self.named))
        } else {
            Symbol::Other(number(element - self.named - self.variables))
        }
    }

    /// Returns all elements in the order of [`Symbol`].
    fn in_order(self, elements: usize) -> impl Iterator<Item = Element> {
        (self.named..self.named + self.variables)
            .chain(0..self.named)
            .chain(self.named + self.variables..elements)
            .map(|element| Element::try_from(element).expect("the number of elements is bounded"))
    }
}

/// What a context knows about all elements: the universal guards, and the universal parts of the cube after the step.
#[derive(Clone, Copy)]
pub(crate) struct Universals<'m, 'a> {
    pub(crate) matched: &'m Matched<'a>,
    pub(crate) branch: &'m Branch<'a>,
    pub(crate) conj: &'m Conj,
}

impl Universals<'_, '_> {
    /// Returns the disjuncts of each instance of a universal part of the cube after the step, over all elements.
    fn others(&self, space: &Space, types: &[IndexTypeId]) -> Vec<Vec<Vec<Lit>>> {
        if self.conj.universals.is_empty() {
            return Vec::new();
        }
        let matched = self.matched.with_elements(&types[self.matched.types.len()..]);
        let symbols: Vec<Element> = (space.first_symbol()..).take(self.conj.symbols.len()).collect();
        let mut found = Vec::new();
        for part in &self.conj.universals {
            for place in placements(types, space.named.len(), &part.symbols, &symbols) {
                if place.new.is_empty() {
                    let own = self.conj.first_own(space);
                    let lits: Vec<Lit> = part.at(&Renaming::identity(), own, &place.elements).collect();
                    // An instance that is left out makes the context weaker.
                    found.extend(matched.disjunction_after(&lits));
                }
            }
        }
        found
    }
}

/// Searches for the arguments of one obligation.
pub(crate) struct Arguer<'c, 'a> {
    pub(crate) space: &'a Space,
    pub(crate) naming: Naming,
    pub(crate) universals: Option<Universals<'c, 'a>>,
    /// The premises in order of preference.
    pub(crate) premises: &'c [&'c Premise],
    pub(crate) effort: Effort,
}

impl Arguer<'_, '_> {
    /// Closes the facts under the universal guards.
    pub(crate) fn propagate(&self, facts: &mut Closure<'_>) -> Consistency {
        let Some(universals) = self.universals else {
            return facts.consistency();
        };
        let instances = universals.matched.instances(universals.branch, facts.types());
        let others = universals.others(self.space, facts.types());
        let mut progress = true;
        while progress && facts.consistency() == Consistency::Open {
            progress = false;
            for (formula, environment) in &instances {
                progress |= assume(universals.matched, formula, true, environment, facts);
            }
            for disjuncts in &others {
                progress |= assume_one(disjuncts, facts);
            }
        }
        facts.consistency()
    }

    /// Returns an argument for an open context that is closed under propagation.
    pub(crate) fn argue(&self, facts: &Closure<'_>) -> Option<Argument> {
        self.with_witnesses(facts, MOST_WITNESSES)
    }

    /// Returns an argument that uses at most so many witnesses, one after the other.
    fn with_witnesses(&self, facts: &Closure<'_>, witnesses: usize) -> Option<Argument> {
        if let Some(argument) = self.without_split(facts) {
            return Some(argument);
        }
        if self.effort.splits > 0
            && let Some(decisive) = self.decisive(facts)
            && let Some(argument) = (Arguer { premises: &decisive, ..*self }).argue_within(facts, self.effort.splits)
        {
            return Some(argument);
        }
        let fewer = witnesses.checked_sub(1)?;
        let promises = self.premises.iter().filter(|premise| !premise.conj.universals.is_empty());
        let witness = promises.into_iter().find_map(|premise| {
            let all = substitutions(&premise.conj.symbols, facts.types(), self.naming.named);
            all.iter().find_map(|substitution| self.witness(facts, premise, substitution, fewer))
        });
        witness
            .or_else(|| (self.effort.splits > 0).then(|| self.pointed(facts, fewer)).flatten())
            .or_else(|| self.towards_witness(facts, witnesses))
    }

    /// Returns the split on a read whose value decides whether an instance promises a witness, if each case has an argument.
    fn towards_witness(&self, facts: &Closure<'_>, witnesses: usize) -> Option<Argument> {
        let splits = self.effort.splits.checked_sub(1)?;
        let inner = Arguer { effort: Effort { splits, ..self.effort }, ..*self };
        let mut reads: Vec<Read> = Vec::new();
        for premise in self.premises.iter().filter(|premise| !premise.conj.universals.is_empty()) {
            for substitution in substitutions(&premise.conj.symbols, facts.types(), self.naming.named) {
                let map = self.renaming(&substitution);
                let lits = premise.conj.lits.iter().map(|lit| lit.rename(&map));
                let open: Vec<Lit> = lits.filter(|lit| !facts.entails(*lit)).collect();
                if let [only] = open[..]
                    && !facts.refutes(only)
                    && !only.comparison.is_bound()
                    && !reads.contains(&only.left)
                {
                    reads.push(only.left);
                }
            }
        }
        reads.into_iter().find_map(|read| self.split(facts, read, &|facts| inner.with_witnesses(facts, witnesses)))
    }

    /// Returns the split on the element to which a state variable points, at which the universal guards are taken, if each
    /// case has an argument. One split is better than several.
    fn pointed(&self, facts: &Closure<'_>, witnesses: usize) -> Option<Argument> {
        let Universals { matched, branch, .. } = self.universals?;
        let reads = pointers(matched, branch, facts.types(), self.space).into_iter().map(|(read, _)| read);
        let unknown: Vec<Read> = reads.filter(|read| facts.value(*read).is_none()).collect();
        let split = |read: &Read, fewer| self.split(facts, *read, &|inner| self.with_witnesses(inner, fewer));
        (0..=witnesses).find_map(|fewer| unknown.iter().find_map(|read| split(read, fewer)))
    }

    /// Returns the split on the witness of an instance, if its literals hold and each case has an argument.
    fn witness(
        &self,
        facts: &Closure<'_>,
        premise: &Premise,
        substitution: &[Element],
        witnesses: usize,
    ) -> Option<Argument> {
        let map = self.renaming(substitution);
        let moves = self.space.repeats()
            && premise.conj.universals.iter().flat_map(|part| &part.lits).any(|lit| self.space.is_about_repeated(*lit));
        if moves && !self.is_wanted(premise, &map) {
            return None;
        }
        let is_open = |facts: &Closure<'_>| premise.conj.lits.iter().any(|lit| !facts.entails(lit.rename(&map)));
        let mut premises = Vec::new();
        let mut wider = None;
        if is_open(facts) {
            let mut with_ranks = moves.then(|| facts.clone())?;
            premises = self.about_ranks(premise, &map, &mut with_ranks);
            if with_ranks.consistency() == Consistency::Contradiction || is_open(&with_ranks) {
                return None;
            }
            wider = Some(with_ranks);
        }
        let facts = wider.as_ref().unwrap_or(facts);
        let own = premise.conj.first_own(self.space);
        let mut contexts = Vec::new();
        for part in &premise.conj.universals {
            for place in placements(facts.types(), self.naming.named, &part.symbols, substitution) {
                let mut inner = facts.clone();
                place.new.iter().for_each(|index_type| inner.add_element(*index_type));
                let lits: Vec<Lit> = part.at(&map, own, &place.elements).map(|lit| self.space.negate(lit)).collect();
                if place.new.is_empty() && lits.iter().all(|lit| facts.entails(*lit)) {
                    // The witness is known, so the split would not help.
                    return None;
                }
                lits.into_iter().for_each(|lit| {
                    let _ = inner.assert(lit);
                });
                let _ = self.propagate(&mut inner);
                contexts.push(inner);
            }
        }
        let mut cases = Vec::new();
        for inner in &contexts {
            cases.push(match inner.consistency() {
                Consistency::Contradiction => Argument { premises: Vec::new(), split: None },
                Consistency::Open => self.with_witnesses(inner, witnesses)?,
            });
        }
        let on = SplitOn::Witness(self.instance(premise, substitution));
        Some(Argument { premises, split: Some(Box::new(Split { on, cases })) })
    }

    /// Returns whether something is known of the state variables that repeat others in a premise: a witness is the element at which
    /// they are repeated.
    fn is_wanted(&self, premise: &Premise, map: &Renaming) -> bool {
        let lits = premise.conj.universals.iter().flat_map(|part| &part.lits);
        let reads = lits.flat_map(|lit| [Some(lit.left), lit.right.read()]).flatten();
        let mut repeats = reads.filter(|read| self.space.repeated(*read).is_some()).map(|read| read.rename(map));
        let Some(Universals { branch, .. }) = self.universals else { return true };
        let said = |read: Read| branch.lits.iter().any(|lit| lit.left == read || lit.right == Side::Read(read));
        repeats.any(said)
    }

    /// Adds to the facts what premises of one literal say about the ranks in the open literals of a premise. Returns these premises.
    fn about_ranks(&self, premise: &Premise, map: &Renaming, facts: &mut Closure<'_>) -> Vec<Instance> {
        let missing = premise.conj.lits.iter().map(|lit| lit.rename(map)).filter(|lit| !facts.entails(*lit));
        let reads = missing.flat_map(|lit| [Some(lit.left), lit.right.read()]).flatten();
        let reads: Vec<Read> = reads.filter(|read| self.space.is_rank(*read)).collect();
        let mut used = Vec::new();
        for (_, premise) in self.plain() {
            let [only] = premise.conj.lits[..] else { continue };
            if !only.comparison.is_bound() {
                continue;
            }
            for substitution in substitutions(&premise.conj.symbols, facts.types(), self.naming.named) {
                let lit = only.rename(&self.renaming(&substitution));
                let negated = self.space.negate(lit);
                let is_open = !facts.entails(negated) && !facts.entails(lit);
                if is_open && reads.contains(&lit.left) && facts.assert(negated) == Consistency::Open {
                    used.push(self.instance(premise, &substitution));
                }
            }
        }
        used
    }

    /// Returns the premises without universal parts.
    fn plain(&self) -> impl Iterator<Item = (usize, &Premise)> {
        let all = self.premises.iter().copied().enumerate();
        all.filter(|(_, premise)| premise.conj.universals.is_empty())
    }

    /// Returns the premises that make the context inconsistent, or `None` if it is consistent with all premises.
    fn decisive(&self, facts: &Closure<'_>) -> Option<Vec<&Premise>> {
        let mut question = Question::new(self.space, facts);
        if let Some(universals) = self.universals {
            for (formula, environment) in universals.matched.instances(universals.branch, facts.types()) {
                question.assume(universals.matched, formula, &environment);
            }
            for disjuncts in universals.others(self.space, facts.types()) {
                question.assume_one(&disjuncts);
            }
        }
        let mut owners: Vec<usize> = Vec::new();
        for (position, premise) in self.plain() {
            for substitution in substitutions(&premise.conj.symbols, facts.types(), self.naming.named) {
                let map = self.renaming(&substitution);
                question.premise(premise.conj.lits.iter().map(|lit| lit.rename(&map)));
                owners.push(position);
            }
        }
        let mut positions: Vec<usize> = question.inconsistent()?.into_iter().map(|number| owners[number]).collect();
        positions.sort_unstable();
        positions.dedup();
        Some(positions.into_iter().map(|position| self.premises[position]).collect())
    }

    fn renaming(&self, substitution: &[Element]) -> Renaming {
        Renaming::onto(self.naming.named, substitution)
    }

    fn without_split(&self, facts: &Closure<'_>) -> Option<Argument> {
        if let Some(instance) = self.single(facts) {
            return Some(Argument { premises: vec![instance], split: None });
        }
        let premises = self.chain(facts).filter(|premises| premises.len() <= self.effort.chain)?;
        Some(Argument { premises, split: None })
    }

    fn argue_within(&self, facts: &Closure<'_>, splits: usize) -> Option<Argument> {
        if let Some(argument) = self.without_split(facts) {
            return Some(argument);
        }
        if splits == 0 {
            return None;
        }
        self.alternatives(facts).into_iter().find_map(|alternative| match alternative {
            Alternative::Value(read) => self.split(facts, read, &|inner| self.argue_within(inner, splits - 1)),
            Alternative::Bound(lit) => self.split_bound(facts, lit, splits),
        })
    }

    fn single(&self, facts: &Closure<'_>) -> Option<Instance> {
        self.plain().find_map(|(_, premise)| {
            let substitution = premise.pattern.embeds(facts, &[], self.space)?;
            Some(self.instance(premise, &substitution))
        })
    }

    fn instance(&self, premise: &Premise, substitution: &[Element]) -> Instance {
        Instance {
            invariant: premise.id,
            substitution: substitution.iter().map(|&element| self.naming.symbol(element)).collect(),
        }
    }

    /// Applies unit resolution with instances of the invariants until the context is contradictory.
    fn chain(&self, facts: &Closure<'_>) -> Option<Vec<Instance>> {
        let mut steps: Vec<(usize, Vec<Element>)> = Vec::new();
        let mut current = facts.clone();
        loop {
            let mut progress = false;
            for (position, premise) in self.plain() {
                for substitution in substitutions(&premise.conj.symbols, current.types(), self.naming.named) {
                    match self.resolve(premise, &substitution, &mut current) {
                        Resolved::Nothing => {}
                        Resolved::Unit => {
                            progress = true;
                            steps.push((position, substitution));
                        }
                        Resolved::End => {
                            steps.push((position, substitution));
                            return Some(self.needed(facts, steps));
                        }
                    }
                }
            }
            if !progress {
                return None;
            }
        }
    }

    fn resolve(&self, premise: &Premise, substitution: &[Element], facts: &mut Closure<'_>) -> Resolved {
        let map = self.renaming(substitution);
        let mut open: Option<Lit> = None;
        for lit in &premise.conj.lits {
            let lit = lit.rename(&map);
            if facts.entails(lit) {
                continue;
            }
            if facts.refutes(lit) || open.replace(lit).is_some() {
                return Resolved::Nothing;
            }
        }
        let Some(unit) = open else {
            return Resolved::End;
        };
        if facts.assert(self.space.negate(unit)) == Consistency::Contradiction
            || self.propagate(facts) == Consistency::Contradiction
        {
            return Resolved::End;
        }
        Resolved::Unit
    }

    /// Removes the steps that the last one does not need, starting with the latest.
    fn needed(&self, facts: &Closure<'_>, mut steps: Vec<(usize, Vec<Element>)>) -> Vec<Instance> {
        let mut position = steps.len() - 1;
        while position > 0 {
            position -= 1;
            let mut fewer = steps.clone();
            fewer.remove(position);
            if self.replays(facts, &fewer) {
                steps = fewer;
            }
        }
        steps.iter().map(|(position, substitution)| self.instance(self.premises[*position], substitution)).collect()
    }

    fn replays(&self, facts: &Closure<'_>, steps: &[(usize, Vec<Element>)]) -> bool {
        let mut facts = facts.clone();
        for (number, (position, substitution)) in steps.iter().enumerate() {
            match self.resolve(self.premises[*position], substitution, &mut facts) {
                Resolved::Nothing => return false,
                Resolved::Unit => {}
                Resolved::End => return number + 1 == steps.len(),
            }
        }
        false
    }

    /// Returns the reads without a known value, and the bounds that are not decided, that a clause of the universal
    /// guards or a premise mentions.
    fn alternatives(&self, facts: &Closure<'_>) -> Vec<Alternative> {
        let mut reads = Vec::new();
        let mut note = |lit: Lit| {
            if lit.comparison.is_bound() {
                let lit = at_most(lit);
                let is_open = !facts.entails(lit) && !facts.refutes(lit);
                if is_open && !reads.contains(&Alternative::Bound(lit)) {
                    reads.push(Alternative::Bound(lit));
                }
                return;
            }
            for read in [Some(lit.left), lit.right.read()].into_iter().flatten() {
                if facts.value(read).is_none() && !reads.contains(&Alternative::Value(read)) {
                    reads.push(Alternative::Value(read));
                }
            }
        };
        if let Some(universals) = self.universals {
            for (formula, environment) in universals.matched.instances(universals.branch, facts.types()) {
                literals(universals.matched, formula, &environment, facts.types(), &mut note);
            }
            universals.others(self.space, facts.types()).into_iter().flatten().flatten().for_each(&mut note);
        }
        for (_, premise) in self.plain() {
            for substitution in substitutions(&premise.conj.symbols, facts.types(), self.naming.named) {
                let map = self.renaming(&substitution);
                let open: Vec<Lit> =
                    premise.conj.lits.iter().map(|lit| lit.rename(&map)).filter(|lit| !facts.entails(*lit)).collect();
                if open.len() <= 2 && !open.iter().any(|lit| facts.refutes(*lit)) {
                    open.into_iter().for_each(&mut note);
                }
            }
        }
        reads
    }

    /// Returns the split on the value of a read, if each case has an argument. `argue` returns that of a case which is
    /// consistent.
    fn split(
        &self,
        facts: &Closure<'_>,
        read: Read,
        argue: &dyn Fn(&Closure<'_>) -> Option<Argument>,
    ) -> Option<Argument> {
        let case = |facts, value| {
            let lit = Lit { left: read, comparison: Comparison::Equal, right: Side::Value(value) };
            self.case(facts, lit, argue)
        };
        let domain = self.space.domain(read);
        let mut cases = Vec::new();
        for constant in &domain.constants {
            cases.push(case(facts.clone(), Datum::constant(*constant))?);
        }
        for index_type in &domain.index_types {
            for element in self.naming.in_order(facts.types().len()) {
                if facts.types()[usize::from(element)] == *index_type {
                    cases.push(case(facts.clone(), Datum::element(element))?);
                }
            }
            let mut wider = facts.clone();
            let fresh = Element::try_from(wider.types().len()).ok().filter(|&e| e < crate::literal::ANY_SYMBOL)?;
            wider.add_element(*index_type);
            cases.push(case(wider, Datum::element(fresh))?);
        }
        let arguments = read.arguments().map(|element| self.naming.symbol(element)).collect();
        let split = Split { on: SplitOn::Value(read.variable(), arguments), cases };
        Some(Argument { premises: Vec::new(), split: Some(Box::new(split)) })
    }

    fn split_bound(&self, facts: &Closure<'_>, lit: Lit, splits: usize) -> Option<Argument> {
        let Comparison::AtMost(sum) = lit.comparison else { return None };
        let cases = [lit, self.space.negate(lit)];
        let argue = |inner: &Closure<'_>| self.argue_within(inner, splits - 1);
        let cases = cases.into_iter().map(|lit| self.case(facts.clone(), lit, &argue)).collect::<Option<_>>()?;
        let read = |read: Read| proof::Read {
            variable: read.variable(),
            arguments: read.arguments().map(|element| self.naming.symbol(element)).collect(),
        };
        let on = SplitOn::Bound(read(lit.left), lit.right.read().map(read), i64::from(sum));
        Some(Argument { premises: Vec::new(), split: Some(Box::new(Split { on, cases })) })
    }

    fn case(
        &self,
        mut facts: Closure<'_>,
        lit: Lit,
        argue: &dyn Fn(&Closure<'_>) -> Option<Argument>,
    ) -> Option<Argument> {
        if facts.assert(lit) == Consistency::Contradiction || self.propagate(&mut facts) == Consistency::Contradiction {
            return Some(Argument { premises: Vec::new(), split: None });
        }
        argue(&facts)
    }
}

/// What a split can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alternative {
    /// The value of a read.
    Value(Read),
    /// Whether a number is at most another one plus a sum.
    Bound(Lit),
}

/// Returns the bound itself, or its negation, such that it is an upper one.
fn at_most(lit: Lit) -> Lit {
    match lit.comparison {
        Comparison::AtLeast(_) => Lit { comparison: lit.comparison.negated(), ..lit },
        Comparison::AtMost(_) | Comparison::Equal | Comparison::Different => lit,
    }
}

/// Returns the literal of an equation or a bound, or of its negation; `None` for any other formula.
pub(crate) fn atom(
    matched: &Matched<'_>,
    formula: &Formula,
    positive: bool,
    environment: &[Element],
    types: &[IndexTypeId],
) -> Option<Made> {
    let (left, comparison, right) = match formula {
        Formula::Equal(left, right) => (left, Comparison::equal_if(positive), right),
        Formula::AtMost(left, right, sum) => (left, Comparison::at_most(*sum, positive), right),
        Formula::True
        | Formula::False
        | Formula::Not(_)
        | Formula::And(_)
        | Formula::Or(_)
        | Formula::Forall(..)
        | Formula::Exists(..) => return None,
    };
    Some(matched.literal(left, comparison, right, environment, types))
}

enum Resolved {
    Nothing,
    Unit,
    End,
}

/// The truth value of a formula in a context.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Open,
}

fn evaluate(
    matched: &Matched<'_>,
    formula: &Formula,
    positive: bool,
    environment: &[Element],
    facts: &Closure<'_>,
) -> Truth {
    let all = |parts: &[Formula], neutral: Truth, decisive: Truth| {
        let mut result = neutral;
        for part in parts {
            match evaluate(matched, part, positive, environment, facts) {
                truth if truth == decisive => return decisive,
                Truth::Open => result = Truth::Open,
                Truth::True | Truth::False => {}
            }
        }
        result
    };
    match formula {
        Formula::True | Formula::False => {
            if (*formula == Formula::True) == positive {
                Truth::True
            } else {
                Truth::False
            }
        }
        Formula::Equal(..) | Formula::AtMost(..) => {
            match atom(matched, formula, positive, environment, facts.types()) {
                Some(Made::True) => Truth::True,
                Some(Made::False) => Truth::False,
                Some(Made::Lit(lit)) if facts.entails(lit) => Truth::True,
                Some(Made::Lit(lit)) if facts.refutes(lit) => Truth::False,
                Some(Made::Lit(_)) | None => Truth::Open,
            }
        }
        Formula::Not(inner) => evaluate(matched, inner, !positive, environment, facts),
        Formula::And(parts) if positive => all(parts, Truth::True, Truth::False),
        Formula::Or(parts) if !positive => all(parts, Truth::True, Truth::False),
        Formula::And(parts) | Formula::Or(parts) => all(parts, Truth::False, Truth::True),
        Formula::Forall(variable, body) if positive => {
            let mut instances = Vec::new();
            matched.instantiate(*variable, body, environment, facts.types(), &mut instances);
            let truths = instances.iter().map(|(body, inner)| evaluate(matched, body, positive, inner, facts));
            truths.fold(Truth::True, |all, truth| match (all, truth) {
                (Truth::False, _) | (_, Truth::False) => Truth::False,
                (Truth::Open, _) | (_, Truth::Open) => Truth::Open,
                (Truth::True, Truth::True) => Truth::True,
            })
        }
        Formula::Forall(..) | Formula::Exists(..) => Truth::Open,
    }
}

/// Adds the consequences of a true formula by unit propagation. Returns whether any of them was new.
fn assume(
    matched: &Matched<'_>,
    formula: &Formula,
    positive: bool,
    environment: &[Element],
    facts: &mut Closure<'_>,
) -> bool {
    if facts.consistency() == Consistency::Contradiction {
        return false;
    }
    match evaluate(matched, formula, positive, environment, facts) {
        Truth::True => return false,
        Truth::False => {
            facts.contradict();
            return true;
        }
        Truth::Open => {}
    }
    match formula {
        Formula::Forall(variable, body) if positive => {
            let mut instances = Vec::new();
            matched.instantiate(*variable, body, environment, facts.types(), &mut instances);
            let mut progress = false;
            for (body, inner) in instances {
                progress |= assume(matched, body, positive, &inner, facts);
            }
            progress
        }
        Formula::True | Formula::False | Formula::Forall(..) | Formula::Exists(..) => false,
        Formula::Equal(..) | Formula::AtMost(..) => {
            match atom(matched, formula, positive, environment, facts.types()) {
                Some(Made::Lit(lit)) => {
                    let _ = facts.assert(lit);
                    true
                }
                Some(Made::True | Made::False) | None => false,
            }
        }
        Formula::Not(inner) => assume(matched, inner, !positive, environment, facts),
        Formula::And(parts) | Formula::Or(parts) => {
            let conjunctive = matches!(formula, Formula::And(_)) == positive;
            if conjunctive {
                let mut progress = false;
                for part in parts {
                    progress |= assume(matched, part, positive, environment, facts);
                }
                return progress;
            }
            let mut open =
                parts.iter().filter(|part| evaluate(matched, part, positive, environment, facts) != Truth::False);
            match (open.next(), open.next()) {
                (Some(only), None) => assume(matched, only, positive, environment, facts),
                _ => false,
            }
        }
    }
}

/// Adds the consequences of a disjunction of conjunctions of which all but one are refuted. Returns whether any of them
/// was new.
fn assume_one(disjuncts: &[Vec<Lit>], facts: &mut Closure<'_>) -> bool {
    if facts.consistency() == Consistency::Contradiction
        || disjuncts.iter().any(|lits| lits.iter().all(|lit| facts.entails(*lit)))
    {
        return false;
    }
    let mut open = disjuncts.iter().filter(|lits| !lits.iter().any(|lit| facts.refutes(*lit)));
    match (open.next(), open.next()) {
        (None, _) => {
            facts.contradict();
            true
        }
        (Some(only), None) => {
            for lit in only {
                let _ = facts.assert(*lit);
            }
            true
        }
        (Some(_), Some(_)) => false,
    }
}

/// Calls the function with every literal of a formula without quantifiers.
fn literals(
    matched: &Matched<'_>,
    formula: &Formula,
    environment: &[Element],
    types: &[IndexTypeId],
    note: &mut dyn FnMut(Lit),
) {
    match formula {
        Formula::True | Formula::False | Formula::Forall(..) | Formula::Exists(..) => {}
        Formula::Equal(..) | Formula::AtMost(..) => {
            if let Some(Made::Lit(lit)) = atom(matched, formula, true, environment, types) {
                note(lit);
            }
        }
        Formula::Not(inner) => literals(matched, inner, environment, types, note),
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                literals(matched, part, environment, types, note);
            }
        }
    }
}
