//! The symbolic machine: the contents of every cell, as a function of the state before the step.
//!
//! Reads, writes, branches and choices happen in the order of the statements. The result is a [`Value`] for each cell
//! over its formal arguments, the conditions under which the run is possible, and the obligations of assertions. One
//! run follows one *case* of a rule: if the effect depends on a quantified condition, or on the kind of value that a
//! pointer of a union has, the machine consults its [`Script`] for which way to go, and the rule is run again for every
//! other way.
//!
//! This is the symbolic execution of King, "Symbolic execution and program testing", 1976, except that paths are joined
//! again after each branch, so that the result is one simultaneous update.

use std::collections::{BTreeMap, BTreeSet};

use super::folds::Extreme;
use super::logic::{
    Facts, Mark, Path, PathLength, and, choose, equal, mentions, not, or, same_up_to_bound, simplify, simplify_value,
    substitute, substitute_value,
};
use super::neighbours::Neighbour;
use super::reason::Reason;
use super::sums::Ranked;
use super::universe::{Universe, position};
use system::{
    ConstantId, FALSE, Formula, IndexTerm, IndexTypeId, IndexVariableId, NamedId, Role, TRUE, Term, Value, VariableId,
};

/// The ways taken at the choices of a run, and the number of ways at each.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    taken: Vec<usize>,
    arities: Vec<usize>,
    next: usize,
}

impl Script {
    /// Returns the script of the next run, if any remains.
    pub(super) fn advance(mut self) -> Option<Self> {
        while let (Some(way), Some(arity)) = (self.taken.pop(), self.arities.pop()) {
            if way + 1 < arity {
                self.taken.push(way + 1);
                self.arities.push(arity);
                self.next = 0;
                return Some(self);
            }
        }
        None
    }

    fn choose(&mut self, arity: usize) -> usize {
        if self.next == self.taken.len() {
            self.taken.push(0);
            self.arities.push(arity);
        }
        self.next += 1;
        self.taken[self.next - 1]
    }
}

/// The meaning of a failed assertion or a reached `error`: states in which the formula holds are bad.
#[derive(Clone, Debug)]
pub(super) struct Obligation<O> {
    pub(super) source: O,
    pub(super) bad: Formula,
    /// The number of assumptions made before it: later ones, such as those of a loop after it, do not constrain it.
    pub(super) assumptions: usize,
    /// The number of index variables created before it.
    pub(super) variables: usize,
    /// The number of pointers below quantifiers followed before it. Following others later, which may be an error, does
    /// not undo its failure.
    pub(super) pending: usize,
}

/// A path that the machine can return to.
#[derive(Clone, Debug)]
pub(super) struct SavedPath {
    length: PathLength,
    facts: Mark,
    assumed: usize,
}

/// The contents of cells; a state variable that is not listed is unchanged.
pub(super) type Store = BTreeMap<VariableId, Value>;

/// An answer to a quantified question, given once for the whole run.
#[derive(Clone, Debug)]
struct Answer {
    /// The question `exists variable. body`.
    question: Formula,
    wanted: Wanted,
    witness: Option<IndexVariableId>,
}

/// Which of the elements that satisfy a condition is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Whether there is one.
    Any,
    /// The one of the first iteration of the loop with this variable. Lowering knows no order: it may be any, but others are
    /// not the same one.
    First(IndexVariableId),
    /// The one of its last iteration.
    Last(IndexVariableId),
}

/// What a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An element.
    Element(IndexTerm),
    /// A constant of a union, or an integer.
    Constant(ConstantId),
}

/// A pointer followed below a quantifier.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    /// The new variable.
    pub(super) target: IndexVariableId,
    /// That the pointer points to it.
    pub(super) points: Formula,
    /// That the pointer is a constant, and on the current path is either followed as such or not followed, so that
    /// nothing depends on the variable.
    pub(super) idle: Formula,
}

/// Binds the variables of pointers that were followed.
pub(super) fn with_followed(formula: Formula, followed: &[Followed], universal: bool) -> Formula {
    followed.iter().rev().fold(formula, |inner, Followed { target, points, idle }| {
        let points = or([points.clone(), idle.clone()]);
        if universal {
            Formula::Forall(*target, Box::new(or([not(points), inner])))
        } else {
            Formula::Exists(*target, Box::new(and([points, inner])))
        }
    })
}

impl<O> Obligation<O> {
    /// Binds the variables of the pointers that were followed before it, except for the first ones.
    pub(super) fn close(&mut self, pending: &[Followed], first: usize) {
        let bad = std::mem::replace(&mut self.bad, Formula::False);
        self.bad = with_followed(bad, &pending[first..self.pending], false);
        self.pending = first;
    }
}

/// A symbolic run.
pub(super) struct SymbolicMachine<'u, O> {
    pub(super) universe: &'u mut Universe,
    pub(super) store: Store,
    formals: BTreeMap<VariableId, Vec<IndexVariableId>>,
    /// The condition of the current path.
    pub(super) path: Path,
    /// The facts known on the current path.
    pub(super) facts: Facts,
    /// The facts known on every path: the guard and the assumptions of this case.
    pub(super) everywhere: Facts,
    /// The assumptions of this case about the state before the step.
    pub(super) assumptions: Vec<Formula>,
    /// Conditions under which the run has an error, and so no successor.
    pub(super) errors: Vec<Formula>,
    /// The assertions reached.
    pub(super) obligations: Vec<Obligation<O>>,
    /// Descriptions of the ways taken.
    pub(super) labels: Vec<String>,
    pub(super) script: Script,
    answers: Vec<Answer>,
    targets: Vec<(Term, Target)>,
    /// The elements that offered a maximum or minimum.
    pub(super) extremes: Vec<Extreme>,
    /// Elements that were given by their ranks.
    pub(super) ranked: Vec<Ranked>,
    /// Elements that were given by the ranks of those for which loops run.
    pub(super) neighbours: Vec<Neighbour>,
    /// The numbers that the rule chooses.
    pub(super) choices: BTreeSet<VariableId>,
    /// Variables of the loops and quantifiers around the current place, outermost first.
    pub(super) binders: Vec<IndexVariableId>,
    /// Pointers followed below a quantifier.
    pub(super) pending: Vec<Followed>,
    /// Whether the current place is below a quantifier, where a pointer becomes a bound variable.
    pub(super) quantified: u32,
    /// Whether every pointer becomes a bound variable, as in a property.
    pub(super) closed: bool,
    /// Positive during the trial run of a loop, which finds the cells that it writes.
    pub(super) dry: u32,
    /// The cells written since the log was last taken.
    pub(super) written: BTreeSet<VariableId>,
    /// Whether a loop was run whose result is that of an arbitrary iteration, rather than the same for all.
    pub(super) order_matters: bool,
    /// Whether the next loop runs from the greatest rank to the least.
    pub(super) descends: bool,
    /// The number of `assume` statements reached.
    pub(super) assumed: usize,
}

impl<'u, O: Clone> SymbolicMachine<'u, O> {
    /// Creates a machine at the start of a run; every state variable has its value before the step.
    pub(super) fn new(universe: &'u mut Universe, script: Script) -> Self {
        Self {
            universe,
            store: Store::new(),
            formals: BTreeMap::new(),
            path: Path::default(),
            facts: Facts::default(),
            everywhere: Facts::default(),
            assumptions: Vec::new(),
            errors: Vec::new(),
            obligations: Vec::new(),
            labels: Vec::new(),
            script,
            answers: Vec::new(),
            targets: Vec::new(),
            extremes: Vec::new(),
            ranked: Vec::new(),
            neighbours: Vec::new(),
            choices: BTreeSet::new(),
            binders: Vec::new(),
            pending: Vec::new(),
            quantified: 0,
            closed: false,
            dry: 0,
            order_matters: false,
            descends: false,
            assumed: 0,
            written: BTreeSet::new(),
        }
    }

    /// Returns the formal arguments of a cell.
    pub(super) fn formals(&mut self, cell: VariableId) -> Vec<IndexVariableId> {
        if let Some(known) = self.formals.get(&cell) {
            return known.clone();
        }
        let types = self.universe.cells[cell.index()].arguments.clone();
        let formals: Vec<IndexVariableId> =
            types.into_iter().map(|t| self.universe.index_variable("", t, Role::Bound)).collect();
        self.formals.insert(cell, formals.clone());
        formals
    }

    /// Returns the value of a cell before the step, over its formal arguments.
    pub(super) fn unchanged(&mut self, cell: VariableId) -> Value {
        let arguments = self.formals(cell).into_iter().map(IndexTerm::Variable).collect();
        Value::Term(Term::Read(cell, arguments))
    }

    /// Returns the contents of a cell, over its formal arguments.
    pub(super) fn held(&mut self, cell: VariableId) -> Value {
        match self.store.get(&cell) {
            Some(value) => value.clone(),
            None => self.unchanged(cell),
        }
    }

    /// Returns the value of a cell at these arguments.
    pub(super) fn read(&mut self, cell: VariableId, arguments: &[IndexTerm]) -> Value {
        let held = self.held(cell);
        let formals = self.formals(cell);
        let value = substitute_value(self.universe, &held, &|v| match formals.iter().position(|&f| f == v) {
            Some(at) => arguments[at],
            None => IndexTerm::Variable(v),
        });
        simplify_value(self.universe, &mut self.facts, &value)
    }

    /// Writes a cell for all formal arguments that satisfy the condition.
    pub(super) fn write_where(&mut self, cell: VariableId, condition: Formula, value: Value) {
        let held = self.held(cell);
        let new = choose(condition, value, held);
        let new = simplify_value(self.universe, &mut self.facts, &new);
        self.written.insert(cell);
        self.store.insert(cell, new);
    }

    /// Writes a cell at these arguments, if the condition holds.
    pub(super) fn write(&mut self, cell: VariableId, arguments: &[IndexTerm], condition: &Formula, value: Value) {
        let formals = self.formals(cell);
        let here = formals.iter().zip(arguments).map(|(&formal, &argument)| {
            equal(self.universe, &Term::Index(IndexTerm::Variable(formal)), &Term::Index(argument))
        });
        let whole = and(here.chain([condition.clone()]));
        self.write_where(cell, whole, value);
    }

    /// Records that the run has an error if the condition holds on the current path.
    pub(super) fn error(&mut self, condition: Formula) {
        let condition = simplify(self.universe, &mut self.facts, &condition);
        if condition != Formula::False {
            // The run continues only if there is no error.
            self.facts.assume_formula(self.universe, &condition, false);
            self.errors.push(self.path.with(condition));
        }
    }

    /// Records an assertion that fails if the condition holds on the current path; the run ends there.
    pub(super) fn assertion(&mut self, source: O, fails: Formula) {
        let fails = simplify(self.universe, &mut self.facts, &fails);
        let bad = self.path.with(fails.clone());
        // An assertion is reached only if no earlier error has ended the run.
        let earlier = not(or(self.errors.clone()));
        self.oblige(source, and([earlier, bad]));
        self.error(fails);
    }

    /// Records that an assertion fails in these states.
    pub(super) fn oblige(&mut self, source: O, bad: Formula) {
        let (assumptions, variables) = (self.assumptions.len(), self.universe.scope.len());
        self.obligations.push(Obligation { source, bad, assumptions, variables, pending: self.pending.len() });
    }

    /// Runs `inside` under a further condition of the path.
    pub(super) fn under<T>(&mut self, condition: &Formula, truth: bool, inside: impl FnOnce(&mut Self) -> T) -> T {
        let saved = self.push_path(condition, truth);
        let result = inside(self);
        self.pop_path(saved);
        result
    }

    /// Adds a condition to the path.
    pub(super) fn push_path(&mut self, condition: &Formula, truth: bool) -> SavedPath {
        let saved = SavedPath { length: self.path.length(), facts: self.facts.mark(), assumed: self.assumptions.len() };
        // A long condition costs more than the simplifications that it enables save.
        if !self.universe.spend_on(condition) {
            return saved;
        }
        let condition = if truth { condition.clone() } else { not(condition.clone()) };
        self.facts.assume_formula(self.universe, &condition, true);
        self.path.add(condition);
        saved
    }

    /// Returns to an earlier path.
    pub(super) fn pop_path(&mut self, saved: SavedPath) {
        self.path.shorten(saved.length);
        self.facts.back_to(saved.facts);
        // The assumptions of the case hold on every path.
        for assumption in self.assumptions.iter().skip(saved.assumed) {
            self.facts.assume_formula(self.universe, assumption, true);
        }
    }

    /// Runs the two branches of a condition without quantifiers, and joins their results.
    #[cfg(test)]
    pub(super) fn branch<E>(
        &mut self,
        condition: &Formula,
        yes: impl FnOnce(&mut Self) -> Result<(), E>,
        no: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        match simplify(self.universe, &mut self.facts, condition) {
            Formula::True => return yes(self),
            Formula::False => return no(self),
            _ => {}
        }
        let before = self.store.clone();
        self.under(condition, true, yes)?;
        let after_yes = std::mem::replace(&mut self.store, before);
        self.under(condition, false, no)?;
        let after_no = std::mem::take(&mut self.store);
        self.store = self.joined(condition, after_yes, after_no);
        Ok(())
    }

    /// Forgets the contents of the cells from this one on. These were made for a statement or a call, which has ended: nothing
    /// reads them again, and each branch that follows would join them.
    pub(super) fn forget_from(&mut self, cells: usize) {
        self.store.split_off(&VariableId(position(cells)));
    }

    /// Returns the contents of the cells after a branch.
    pub(super) fn joined(&mut self, condition: &Formula, mut yes: Store, mut no: Store) -> Store {
        let cells: BTreeSet<VariableId> = yes.keys().chain(no.keys()).copied().collect();
        let mut store = Store::new();
        for cell in cells {
            let unchanged = self.unchanged(cell);
            let yes = yes.remove(&cell).unwrap_or_else(|| unchanged.clone());
            let no = no.remove(&cell).unwrap_or(unchanged);
            let joined = choose(condition.clone(), yes, no);
            store.insert(cell, simplify_value(self.universe, &mut self.facts, &joined));
        }
        store
    }

    /// Adds an assumption of this case.
    pub(super) fn assume(&mut self, assumption: Formula) {
        self.everywhere.assume_formula(self.universe, &assumption, true);
        self.facts.assume_formula(self.universe, &assumption, true);
        self.assumptions.push(assumption);
    }

    /// Adds the guard, which is an assumption of all cases.
    pub(super) fn given(&mut self, guard: &Formula) {
        self.everywhere.assume_formula(self.universe, guard, true);
        self.facts.assume_formula(self.universe, guard, true);
    }

    /// Chooses one of several ways to continue the run.
    pub(super) fn fork(&mut self, arity: usize) -> usize {
        if arity < 2 || self.dry > 0 {
            return 0;
        }
        self.script.choose(arity)
    }

    /// Returns the number of choices so far.
    pub(super) fn choices_made(&self) -> usize {
        self.script.next
    }

    /// Makes the two sides of a branch separate cases of the run; returns whether this one is the case in which the
    /// condition holds, or `None` if the answer depends on the iteration of a loop.
    pub(super) fn split(&mut self, condition: &Formula, label: impl FnOnce(bool) -> String) -> Option<bool> {
        if self.dry > 0 || self.quantified > 0 || self.closed || self.independent(condition).is_err() {
            return None;
        }
        let holds = self.fork(2) == 0;
        let assumption = if holds { condition.clone() } else { self.complement(condition) };
        let assumption = simplify(self.universe, &mut Facts::default(), &assumption);
        self.assume(assumption);
        self.labels.push(label(holds));
        Some(holds)
    }

    /// Returns an opaque condition, during the trial run of a loop.
    fn opaque(&mut self) -> Formula {
        let sort = self.universe.sort("boolean", vec![], vec![FALSE, TRUE]);
        let cell = self.universe.cell(sort, vec![]);
        Formula::Equal(Term::Read(cell, vec![]), Term::Constant(TRUE))
    }

    /// Decides whether some element satisfies the body: the run continues with a witness, or with none.
    ///
    /// # Errors
    /// Returns an error if the answer depends on the iteration of a loop.
    pub(super) fn exists(
        &mut self,
        variable: IndexVariableId,
        body: &Formula,
        wanted: Wanted,
    ) -> Result<Option<IndexTerm>, Reason> {
        let question = Formula::Exists(variable, Box::new(body.clone()));
        let same = |answer: &&Answer| same_up_to_bound(self.universe, &answer.question, &question);
        let known: Vec<&Answer> = self.answers.iter().filter(same).collect();
        let own =
            known.iter().find(|answer| wanted == Wanted::Any || answer.wanted == wanted || answer.witness.is_none());
        if let Some(answer) = own {
            return Ok(answer.witness.map(IndexTerm::Variable));
        }
        let is_known = !known.is_empty();
        if self.dry > 0 {
            return Ok(Some(IndexTerm::Variable(variable)));
        }
        self.independent(&question)?;
        let index_type = self.universe.scope[variable.index()].index_type;
        let certain = is_known || (*body == Formula::True && self.universe.is_inhabited(index_type));
        let way = if certain { 0 } else { self.fork(2) };
        let witness = if way == 0 {
            let name = self.universe.scope[variable.index()].name.clone();
            let role = if wanted == Wanted::Any { Role::Witness } else { Role::Choice };
            let witness = self.universe.index_variable(&name, index_type, role);
            let holds =
                substitute(self.universe, body, &|v| IndexTerm::Variable(if v == variable { witness } else { v }));
            self.assume(holds);
            Some(witness)
        } else {
            let none = Formula::Forall(variable, Box::new(self.complement(body)));
            let none = simplify(self.universe, &mut Facts::default(), &none);
            self.assume(none);
            None
        };
        if !certain {
            let name = self.universe.scope[variable.index()].name.clone();
            self.labels.push(if way == 0 { format!("some {name}") } else { format!("no {name}") });
        }
        self.answers.push(Answer { question, wanted, witness });
        Ok(witness.map(IndexTerm::Variable))
    }

    /// Returns what holds exactly if a formula does not. The negation of a boolean equation is the equation with the
    /// other value, which an undefined value does not satisfy either.
    fn complement(&self, formula: &Formula) -> Formula {
        match formula {
            Formula::Equal(read @ Term::Read(cell, _), Term::Constant(TRUE | FALSE)) => {
                let constants = &self.universe.sort_of(*cell).constants;
                let undefined = self.universe.undefined.filter(|undefined| constants.contains(undefined));
                let is_undefined = undefined.map(|undefined| equal(self.universe, read, &Term::Constant(undefined)));
                or([not(formula.clone())].into_iter().chain(is_undefined))
            }
            Formula::And(parts) => or(parts.iter().map(|part| self.complement(part))),
            Formula::Or(parts) => and(parts.iter().map(|part| self.complement(part))),
            Formula::Forall(variable, inner) => Formula::Exists(*variable, Box::new(self.complement(inner))),
            Formula::Exists(variable, inner) => Formula::Forall(*variable, Box::new(self.complement(inner))),
            Formula::Not(_) | Formula::Equal(..) | Formula::AtMost(..) | Formula::True | Formula::False => {
                not(formula.clone())
            }
        }
    }

    /// Refuses a question whose answer may differ between the iterations of a loop.
    pub(super) fn independent(&self, question: &Formula) -> Result<(), Reason> {
        for &binder in &self.binders {
            if mentions(question, IndexTerm::Variable(binder)) {
                let binder = &self.universe.scope[binder.index()];
                return Err(Reason::ChoiceInLoop { variable: binder.name.clone(), index_type: binder.index_type });
            }
        }
        let mut placeholder = false;
        question.visit_terms(&mut |term| {
            placeholder |= matches!(term, Term::Read(cell, _) if self.is_placeholder(*cell));
        });
        if placeholder {
            return Err(Reason::LoopCarried);
        }
        Ok(())
    }

    /// Returns whether a cell is not a state variable: finished formulas only read state variables.
    pub(super) fn is_placeholder(&self, cell: VariableId) -> bool {
        cell.index() >= self.universe.state_variables
    }

    /// Returns the condition without quantifiers: the run goes one way or the other for each of them.
    ///
    /// # Errors
    /// Returns an error if the answer depends on the iteration of a loop.
    pub(super) fn decided(&mut self, condition: &Formula) -> Result<Formula, Reason> {
        let mut condition = simplify(self.universe, &mut self.facts, condition);
        while let Some(quantified) = first_quantified(&condition) {
            if self.dry > 0 {
                return Ok(self.opaque());
            }
            let (question, negated) = match quantified.clone() {
                Formula::Forall(variable, body) => ((variable, not(*body)), true),
                Formula::Exists(variable, body) => ((variable, *body), false),
                _ => break,
            };
            let some = self.exists(question.0, &question.1, Wanted::Any)?.is_some();
            let truth = if some == negated { Formula::False } else { Formula::True };
            condition = replace_formula(self.universe, &condition, &quantified, &truth);
            condition = simplify(self.universe, &mut self.facts, &condition);
        }
        Ok(condition)
    }

    /// Decides what a read of index or union sort points to: from here on the run knows it, or has several cases below
    /// a quantifier. `followed` says which constants can be followed.
    ///
    /// # Errors
    /// Returns an error if the pointer depends on the iteration of a loop.
    pub(super) fn target(
        &mut self,
        read: &Term,
        followed: &impl Fn(&Universe, ConstantId) -> bool,
    ) -> Result<Vec<(Formula, Target)>, Reason> {
        let only = |target| Ok(vec![(Formula::True, target)]);
        if let Some(known) = self.facts.value_of(read) {
            return only(match known {
                Term::Constant(constant) => Target::Constant(constant),
                Term::Index(index) => Target::Element(index),
                Term::Read(..) | Term::Zero => return Err(Reason::LoopCarried),
            });
        }
        if let Some((_, known)) = self.targets.iter().find(|(pointer, _)| pointer == read) {
            return only(*known);
        }
        let Term::Read(cell, arguments) = read else {
            return Err(Reason::LoopCarried);
        };
        let sort = self.universe.sort_of(*cell).clone();
        let bound = arguments.iter().any(|a| self.binders.iter().any(|&b| *a == IndexTerm::Variable(b)));
        if self.dry > 0 || (self.quantified > 0 && (bound || self.closed)) {
            let known = self.universe.undefined;
            let to_constants: Vec<ConstantId> =
                sort.constants.iter().copied().filter(|&c| Some(c) != known && followed(self.universe, c)).collect();
            // The bound variable must have some value even if the pointer is a constant; otherwise it gets cases of its
            // own.
            let is_empty = sort.index_types.iter().any(|&index_type| !self.has_element(index_type));
            if self.dry > 0 || bound || to_constants.is_empty() || !is_empty {
                return self.bound_target(read, &sort.index_types, &sort.constants, to_constants);
            }
        }
        self.independent(&Formula::Equal(read.clone(), Term::Constant(TRUE)))?;
        // What this path excludes may hold on another path on which the run has a successor as well.
        let constants: Vec<ConstantId> = sort
            .constants
            .iter()
            .copied()
            .filter(|&c| self.everywhere.decide(self.universe, read, &Term::Constant(c)) != Some(false))
            .collect();
        let arity = sort.index_types.len() + constants.len();
        let way = self.fork(arity);
        let target = match sort.index_types.get(way) {
            Some(&index_type) => {
                let target = self.universe.index_variable("", index_type, Role::Target);
                Target::Element(IndexTerm::Variable(target))
            }
            None => Target::Constant(constants[way - sort.index_types.len()]),
        };
        let value = match target {
            Target::Element(element) => Term::Index(element),
            Target::Constant(constant) => Term::Constant(constant),
        };
        let assumption = equal(self.universe, read, &value);
        self.assume(assumption);
        self.targets.push((read.clone(), target));
        if arity > 1 {
            self.labels.push(match target {
                Target::Element(_) => "pointer to an element".to_owned(),
                Target::Constant(c) => {
                    format!("pointer is {}", self.universe.constants[c.index()].name)
                }
            });
        }
        only(target)
    }

    /// Follows a pointer that depends on a bound variable by a further bound variable, and to these constants.
    fn bound_target(
        &mut self,
        read: &Term,
        index_types: &[IndexTypeId],
        constants: &[ConstantId],
        to_constants: Vec<ConstantId>,
    ) -> Result<Vec<(Formula, Target)>, Reason> {
        let index_type = match (index_types, self.dry > 0) {
            ([only], _) | ([only, ..], true) => *only,
            ([], true) => {
                let first = constants.first().map_or(Target::Constant(FALSE), |&first| Target::Constant(first));
                return Ok(vec![(Formula::True, first)]);
            }
            _ => return Err(Reason::UnionPointerBelowQuantifier),
        };
        // The bound variable must have some value even if the pointer is a constant.
        if !to_constants.is_empty() && !self.has_element(index_type) {
            return Err(Reason::UnionPointerBelowQuantifier);
        }
        let is = |m: &Self, constant: ConstantId| equal(m.universe, read, &Term::Constant(constant));
        let others = constants.iter().filter(|constant| !to_constants.contains(constant));
        let outside = or(others.map(|&constant| is(self, constant)).collect::<Vec<_>>());
        let mut targets: Vec<(Formula, Target)> =
            to_constants.into_iter().map(|constant| (is(self, constant), Target::Constant(constant))).collect();
        let at_constant = or(targets.iter().map(|(is, _)| is.clone()));
        if self.dry == 0 || self.quantified > 0 {
            // If the pointer is a constant, it cannot be followed.
            self.error(outside.clone());
        }
        let target = self.universe.index_variable("", index_type, Role::Bound);
        if self.quantified > 0 {
            let idle = or([at_constant.clone(), and([outside, not(self.path.formula())])]);
            let points = equal(self.universe, read, &Term::Index(IndexTerm::Variable(target)));
            self.pending.push(Followed { target, points, idle });
            self.binders.push(target);
        }
        targets.push((not(at_constant), Target::Element(IndexTerm::Variable(target))));
        Ok(targets)
    }

    /// Returns whether the type has an element, in every state or because an available variable is one.
    fn has_element(&self, index_type: IndexTypeId) -> bool {
        let scope = &self.universe.scope;
        self.universe.is_inhabited(index_type)
            || self.binders.iter().any(|binder| scope[binder.index()].index_type == index_type)
            || scope.iter().any(|variable| variable.role == Role::Parameter && variable.index_type == index_type)
    }

    /// Returns whether a term is a named element.
    pub(super) fn is_named(&self, term: IndexTerm, named: NamedId) -> Formula {
        equal(self.universe, &Term::Index(term), &Term::Index(IndexTerm::Named(named)))
    }
}

/// Returns the first quantified part.
fn first_quantified(formula: &Formula) -> Option<Formula> {
    match formula {
        Formula::Forall(..) | Formula::Exists(..) => Some(formula.clone()),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().find_map(first_quantified),
        Formula::Not(inner) => first_quantified(inner),
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) => None,
    }
}

/// Replaces each occurrence of a part of the formula, up to bound names.
fn replace_formula(universe: &Universe, formula: &Formula, part: &Formula, by: &Formula) -> Formula {
    if same_up_to_bound(universe, formula, part) {
        return by.clone();
    }
    match formula {
        Formula::And(parts) => and(parts.iter().map(|p| replace_formula(universe, p, part, by))),
        Formula::Or(parts) => or(parts.iter().map(|p| replace_formula(universe, p, part, by))),
        Formula::Not(inner) => not(replace_formula(universe, inner, part, by)),
        other => other.clone(),
    }
}

#[cfg(test)]
#[path = "symbolic_tests.rs"]
mod tests;
