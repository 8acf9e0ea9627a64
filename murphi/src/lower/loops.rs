//! Turns loops over an index type into universal updates.
//!
//! The order in which Murphi runs the iterations must not matter for this; it is checked, and a loop for which it
//! matters is refused.
//!
//! The body is run once for a symbolic element `j`, where every cell that it writes starts as a placeholder for the
//! value of the cell at the start of the iteration. There are three kinds of cells:
//!
//! 1. *Owned*: at some position of its arguments, the body writes the cell at `j` only. Then the value after the loop
//!    at arguments `a` is the one that iteration `j := a[position]` leaves there.
//! 2. *Shared*, written with values that do not depend on the results of other iterations: the last iteration that
//!    writes wins, and which one that is depends on the order of the elements. Any element for which the body writes may
//!    be chosen: the rule has one case with such an element, and one without. If the model has no order (all elements
//!    are alike), this is exact; if an instance has one, it allows more.
//! 3. *Counted*: a number that every iteration for which a condition holds changes in the same way, as `n := n + 1`.
//!    The rule has one case for each number of elements that satisfy the condition.
//!
//! A maximum or minimum of numbers, which [`super::folds`] recognizes, does not depend on the order either.
//!
//! An iteration may read a placeholder only if no other iteration writes the cell. If the placeholder stands for
//! something undefined, reading it is an error even if the result does not depend on it. So until its value is known,
//! an iteration records for which placeholders it has this error, as an equation with [`UNSET`].

use std::collections::{BTreeMap, BTreeSet};

use super::folds::Fold;
use super::logic::{
    Facts, and, at_most, choose, equal, mentions, not, or, simplify, simplify_value, substitute, substitute_value,
};
use super::reason::Reason;
use super::sums::number;
use super::symbolic::{Obligation, SavedPath, Store, SymbolicMachine, Wanted};
use super::universe::UNSET;
use super::values::either;
use system::{Formula, IndexTerm, IndexTypeId, IndexVariableId, NamedId, Role, Term, Value, VariableId};

/// A loop being run.
pub(super) struct Loop {
    name: String,
    pub(super) variable: IndexVariableId,
    pub(super) index_type: IndexTypeId,
    /// Whether the iterations run from the greatest rank to the least.
    pub(super) descending: bool,
    /// Elements that the loop leaves out.
    except: Vec<NamedId>,
    /// A cell that is true if an iteration has ended the loop, as a `return` does.
    stopped: Option<VariableId>,
    /// For each cell that the body writes, its placeholder and its value before the loop.
    entry: BTreeMap<VariableId, Entry>,
    before: Before,
    errors: Vec<Formula>,
}

/// The state of the machine before the body.
#[derive(Default)]
struct Before {
    store: Store,
    path: Option<SavedPath>,
    assumptions: usize,
    errors: usize,
    obligations: usize,
    pending: usize,
    cells: usize,
    written: BTreeSet<VariableId>,
}

#[derive(Clone)]
pub(super) struct Entry {
    pub(super) placeholder: VariableId,
    pub(super) held: Value,
    /// The result of iteration `variable`, over the formal arguments.
    pub(super) left: Value,
}

impl<O: Clone> SymbolicMachine<'_, O> {
    /// Runs a loop over all elements of an index type except some named ones.
    ///
    /// # Errors
    /// Returns an error if the iterations depend on one another in a way that is not covered, or the body is refused.
    #[cfg(test)]
    pub(super) fn for_each<E: From<Reason>>(
        &mut self,
        name: &str,
        index_type: IndexTypeId,
        body: &mut impl FnMut(&mut Self, IndexTerm) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut work = self.loop_over(name, index_type, None);
        let tried = self.start_trying(&mut work);
        let result = body(self, tried);
        let goes_on = self.end_trying(&mut work);
        result?;
        if !goes_on {
            return Ok(());
        }
        let element = self.start_iteration(&mut work);
        let result = body(self, element);
        let ended = self.end_iteration(&mut work);
        result?;
        ended?;
        Ok(self.leave_loop(work)?)
    }

    /// Returns a loop over an index type.
    pub(super) fn loop_over(&mut self, name: &str, index_type: IndexTypeId, stopped: Option<VariableId>) -> Loop {
        Loop {
            name: name.to_owned(),
            variable: self.universe.index_variable(name, index_type, Role::Bound),
            index_type,
            descending: std::mem::take(&mut self.descends),
            except: Vec::new(),
            stopped,
            entry: BTreeMap::new(),
            before: Before::default(),
            errors: Vec::new(),
        }
    }

    fn snapshot(&mut self, path: SavedPath) -> Before {
        Before {
            store: self.store.clone(),
            path: Some(path),
            assumptions: self.assumptions.len(),
            errors: self.errors.len(),
            obligations: self.obligations.len(),
            pending: self.pending.len(),
            cells: self.universe.cells.len(),
            written: std::mem::take(&mut self.written),
        }
    }

    /// Starts a trial run of the body to find the cells that it writes; returns the element to run it for.
    pub(super) fn start_trying(&mut self, work: &mut Loop) -> IndexTerm {
        let path = self.push_path(&Formula::True, true);
        work.before = self.snapshot(path);
        self.dry += 1;
        let variable = self.universe.index_variable(&work.name, work.index_type, Role::Bound);
        IndexTerm::Variable(variable)
    }

    /// Ends the trial; returns whether the loop has to be run (and not only tried, as a part of another loop).
    pub(super) fn end_trying(&mut self, work: &mut Loop) -> bool {
        let before = std::mem::take(&mut work.before);
        self.dry -= 1;
        self.store = before.store;
        self.assumptions.truncate(before.assumptions);
        self.errors.truncate(before.errors);
        self.obligations.truncate(before.obligations);
        if let Some(path) = before.path {
            self.pop_path(path);
        }
        let cells = std::mem::replace(&mut self.written, before.written);
        // Cells that the body declares do not exist after it.
        let cells: Vec<VariableId> = cells.into_iter().filter(|cell| cell.index() < before.cells).collect();
        if self.dry > 0 {
            self.written.extend(cells);
            return false;
        }
        for cell in cells {
            let held = self.held(cell);
            let (sort, arguments) = {
                let cell = &self.universe.cells[cell.index()];
                (cell.sort, cell.arguments.clone())
            };
            let placeholder = self.universe.cell(sort, arguments);
            // If the model uses `isundefined`, undefined values are values like others.
            let sort = &self.universe.sorts[sort.index()];
            let tracked = self.universe.undefined.is_some_and(|undefined| sort.constants.contains(&undefined));
            self.universe.cells[placeholder.index()].unset = !tracked && work.stopped != Some(cell);
            let formals = self.formals(cell);
            let read = Value::Term(Term::Read(placeholder, formals.into_iter().map(IndexTerm::Variable).collect()));
            let entry = Entry { placeholder, held, left: read };
            work.entry.insert(cell, entry);
            self.written.insert(cell);
        }
        true
    }

    /// Starts the symbolic iteration, with placeholders in the body's cells; returns the element to run it for.
    pub(super) fn start_iteration(&mut self, work: &mut Loop) -> IndexTerm {
        let own = IndexTerm::Variable(work.variable);
        let inside = self.inside(work, own);
        let path = self.push_path(&inside, true);
        work.before = self.snapshot(path);
        for (cell, entry) in &work.entry {
            self.store.insert(*cell, entry.left.clone());
        }
        self.binders.push(work.variable);
        own
    }

    /// Ends the iteration and keeps its result.
    ///
    /// # Errors
    /// Returns an error if the body wrote something that it did not write in the trial.
    pub(super) fn end_iteration(&mut self, work: &mut Loop) -> Result<(), Reason> {
        for (cell, entry) in &mut work.entry {
            let held = self.held(*cell);
            entry.left = simplify_value(self.universe, &mut self.facts, &held);
        }
        self.binders.pop();
        let before = &mut work.before;
        if let Some(path) = before.path.take() {
            self.pop_path(path);
        }
        let inner = std::mem::replace(&mut self.written, std::mem::take(&mut before.written));
        let cells = before.cells;
        let unforeseen = inner.iter().any(|cell| cell.index() < cells && !work.entry.contains_key(cell));
        self.store = std::mem::take(&mut work.before.store);
        self.written.extend(inner);
        if unforeseen {
            return Err(Reason::OrderMatters);
        }
        Ok(())
    }

    /// Joins the iterations.
    ///
    /// # Errors
    /// Returns an error if they depend on one another in a way that is not covered.
    pub(super) fn leave_loop(&mut self, mut work: Loop) -> Result<(), Reason> {
        let mut obligations = self.obligations.split_off(work.before.obligations);
        for obligation in &mut obligations {
            obligation.close(&self.pending, work.before.pending);
        }
        work.errors = self.errors.split_off(work.before.errors);
        let defined = self.defined_cells(&work);
        for formula in work.errors.iter_mut().chain(obligations.iter_mut().map(|obligation| &mut obligation.bad)) {
            *formula = without_unset(formula, &defined);
        }
        work.errors = work.errors.iter().map(|error| self.with_neighbours(&work, error.clone())).collect();
        for obligation in &mut obligations {
            obligation.bad = self.with_neighbours(&work, obligation.bad.clone());
        }
        work.errors.retain(|error| *error != Formula::False);
        match work.stopped {
            Some(cell) if work.entry.contains_key(&cell) => self.leave_stopping(&work, cell, obligations),
            _ => self.leave(&work, obligations),
        }
    }

    /// Returns the placeholders that cannot be undefined, whatever the results of earlier iterations.
    fn defined_cells(&self, work: &Loop) -> BTreeSet<VariableId> {
        let mut defined: BTreeSet<VariableId> = work
            .entry
            .values()
            .filter(|entry| !self.may_be_undefined(&entry.held, &BTreeSet::new()))
            .map(|entry| entry.placeholder)
            .collect();
        loop {
            let kept =
                |entry: &&Entry| defined.contains(&entry.placeholder) && !self.may_be_undefined(&entry.left, &defined);
            let fewer: BTreeSet<_> = work.entry.values().filter(kept).map(|entry| entry.placeholder).collect();
            if fewer == defined {
                return defined;
            }
            defined = fewer;
        }
    }

    /// Returns whether the value may be undefined even though these cells are not.
    fn may_be_undefined(&self, value: &Value, defined: &BTreeSet<VariableId>) -> bool {
        match value {
            Value::Arbitrary => true,
            Value::Term(Term::Read(cell, _)) | Value::Sum(Term::Read(cell, _), _) => {
                self.universe.cells[cell.index()].unset && !defined.contains(cell)
            }
            Value::Term(_) | Value::Sum(..) => false,
            Value::If(_, yes, no) => self.may_be_undefined(yes, defined) || self.may_be_undefined(no, defined),
        }
    }

    /// Returns whether what an iteration leaves depends on a neighbour of its element.
    fn reads_neighbour(&self, work: &Loop, left: &Value) -> bool {
        let mut found = false;
        let own = self.neighbours_of(work);
        left.visit_terms(&mut |term| {
            found |= own.iter().any(|own| term.elements().contains(&IndexTerm::Variable(own.variable)));
        });
        found
    }

    fn choice_in(&self, work: &Loop) -> Reason {
        Reason::ChoiceInLoop { variable: work.name.clone(), index_type: work.index_type }
    }

    /// Returns the condition that the loop runs over an element.
    pub(super) fn inside(&self, work: &Loop, element: IndexTerm) -> Formula {
        and(work.except.iter().map(|&named| not(self.is_named(element, named))))
    }

    /// Joins the iterations.
    fn leave(&mut self, work: &Loop, obligations: Vec<Obligation<O>>) -> Result<(), Reason> {
        let errors = &work.errors;
        let counted = self.counted_cells(work);
        let folds = self.folds(work);
        for (cell, entry) in &work.entry {
            let is_kept = !counted.contains(cell) && !folds.contains_key(cell);
            if self.reads_neighbour(work, &entry.left) && !is_kept {
                return Err(self.choice_in(work));
            }
        }
        for (cell, entry) in &work.entry {
            match folds.get(cell) {
                Some(fold) => {
                    self.check_formula_reads(work, &fold.condition, None, &counted)?;
                    self.check_read(work, &fold.term, None, &counted)?;
                }
                None => self.check_reads(work, &entry.left, Some(*cell), &counted)?,
            }
        }
        for formula in errors.iter().chain(obligations.iter().map(|o| &o.bad)) {
            self.check_formula_reads(work, formula, None, &counted)?;
        }
        let reads_count = |formula: &Formula| {
            let mut reads = false;
            formula.visit_equations(&mut |left, right| {
                reads |= *right != Term::Constant(UNSET)
                    && [left, right].into_iter().any(|term| {
                        counted
                            .iter()
                            .any(|c| matches!(term, Term::Read(cell, _) if *cell == work.entry[c].placeholder))
                    });
            });
            reads
        };
        if obligations.iter().any(|obligation| reads_count(&obligation.bad)) {
            return Err(Reason::LoopCarried);
        }
        // They come before the cases of the results, whose assumptions may hold only if no later error ends the run.
        self.oblige_iterations(work, obligations)?;
        let mut results = Store::new();
        for (cell, entry) in &work.entry {
            let value = if let Some(fold) = folds.get(cell) {
                self.folded(work, fold, entry)?
            } else if counted.contains(cell) {
                self.count(work, *cell, entry, errors)?
            } else if let Some(place) = self.owned_position(work, *cell, entry) {
                self.owned(work, *cell, entry, place)?
            } else {
                self.shared(work, *cell, entry)?
            };
            results.insert(*cell, value);
        }
        // Conditions that depend on a count are decided where it is counted.
        for error in errors.iter().filter(|error| !reads_count(error)) {
            let error = self.resolved(work, error)?;
            let any = Formula::Exists(work.variable, Box::new(error));
            self.error_elsewhere(any);
        }
        self.store.extend(results);
        Ok(())
    }

    /// Returns the cells in which the loop computes a maximum or minimum.
    fn folds(&mut self, work: &Loop) -> BTreeMap<VariableId, Fold> {
        let folds = work.entry.iter().filter_map(|(cell, entry)| Some((*cell, self.fold(*cell, entry)?)));
        folds.collect()
    }

    /// Records the assertions that fail in some iteration.
    fn oblige_iterations(&mut self, work: &Loop, obligations: Vec<Obligation<O>>) -> Result<(), Reason> {
        for obligation in obligations {
            let bad = self.resolved(work, &obligation.bad)?;
            self.oblige(obligation.source, Formula::Exists(work.variable, Box::new(bad)));
            if let Some(last) = self.obligations.last_mut() {
                last.pending = obligation.pending;
            }
        }
        Ok(())
    }

    /// Records an error whose formula already includes the path condition.
    fn error_elsewhere(&mut self, error: Formula) {
        let error = simplify(self.universe, &mut Facts::default(), &error);
        if error != Formula::False {
            self.errors.push(error);
        }
    }

    /// Returns the position of the arguments at which the body only writes the cell at its own element, or at one neighbour of
    /// it, with the difference of the ranks.
    fn owned_position(&mut self, work: &Loop, cell: VariableId, entry: &Entry) -> Option<(usize, i64)> {
        let formals = self.formals(cell);
        let unchanged = placeholder_read(entry, &formals);
        let elements = self.own_elements(work);
        let places = (0..formals.len()).flat_map(|at| elements.iter().map(move |own| (at, *own)));
        let mut owned = places.filter(|&(at, (written, _))| {
            let own = IndexTerm::Variable(formals[at]);
            if self.universe.type_of(own) != work.index_type {
                return false;
            }
            let mut facts = self.facts.clone();
            facts.assume(self.universe, &Term::Index(own), &Term::Index(written), false);
            simplify_value(self.universe, &mut facts, &entry.left) == unchanged
        });
        owned.next().map(|(at, (_, by))| (at, by))
    }

    /// Computes the result for an owned cell.
    fn owned(&mut self, work: &Loop, cell: VariableId, entry: &Entry, place: (usize, i64)) -> Result<Value, Reason> {
        let formals = self.formals(cell);
        let (at, by) = place;
        let (value, exists, neighbours) = self.at_argument(work, &entry.left, (formals[at], by))?;
        // No type has elements that a loop leaves out and a rank.
        let inside = if by == 0 { self.inside(work, IndexTerm::Variable(formals[at])) } else { exists };
        let value = self.resolved_value(work, &value)?;
        let value = self.without_neighbours(&value, &neighbours).map_err(|_| self.choice_in(work))?;
        let value = choose(inside, value, entry.held.clone());
        Ok(simplify_value(self.universe, &mut self.facts, &value))
    }

    /// Computes the result for a cell that several iterations may write.
    fn shared(&mut self, work: &Loop, cell: VariableId, entry: &Entry) -> Result<Value, Reason> {
        let formals = self.formals(cell);
        let unchanged = placeholder_read(entry, &formals);
        if entry.left == unchanged {
            return Ok(entry.held.clone());
        }
        let (where_, iteration, written) =
            split_write(&entry.left, &unchanged, &formals).ok_or(Reason::OrderMatters)?;
        let own = IndexTerm::Variable(work.variable);
        // If an iteration may write its own element or another one, the last iteration does not determine the result.
        if mentions(&where_, own) {
            return Err(Reason::OrderMatters);
        }
        if self.reads_neighbour(work, &written) || self.reads_neighbour(work, &self.boolean(where_.clone())) {
            return Err(self.choice_in(work));
        }
        let iteration = self.with_neighbours(work, iteration);
        self.order_matters |= self.differs(work, &iteration, &[&written]);
        let inside = self.inside(work, own);
        let iteration = self.resolved(work, &and([inside, iteration]))?;
        let where_ = self.resolved(work, &where_)?;
        let written = self.resolved_value(work, &written)?;
        let witness = self.exists(work.variable, &iteration, Wanted::Last(work.variable))?;
        let Some(witness) = witness else {
            return Ok(entry.held.clone());
        };
        let value = substitute_value(self.universe, &written, &|v| {
            if v == work.variable { witness } else { IndexTerm::Variable(v) }
        });
        let value = choose(where_, value, entry.held.clone());
        Ok(simplify_value(self.universe, &mut self.facts, &value))
    }

    /// Returns whether two iterations for which the condition holds may have different values.
    fn differs(&mut self, work: &Loop, condition: &Formula, values: &[&Value]) -> bool {
        let own = IndexTerm::Variable(work.variable);
        let of_element = |value: &Value| {
            let mut found = false;
            value.visit_terms(&mut |term| found |= term.elements().contains(&own));
            found
        };
        if !values.iter().any(|value| of_element(value)) {
            return false;
        }
        let other = IndexTerm::Variable(self.universe.index_variable(&work.name, work.index_type, Role::Bound));
        let there = |v: IndexVariableId| if v == work.variable { other } else { IndexTerm::Variable(v) };
        let mut facts = self.facts.with(self.universe, condition, true);
        facts.assume_formula(self.universe, &substitute(self.universe, condition, &there), true);
        facts.assume(self.universe, &Term::Index(own), &Term::Index(other), false);
        if facts.is_contradictory() {
            return false;
        }
        let same = |value: &&Value| {
            let of_other = substitute_value(self.universe, value, &there);
            simplify_value(self.universe, &mut facts, value) == simplify_value(self.universe, &mut facts, &of_other)
        };
        !values.iter().all(same)
    }

    /// Returns the cells that every iteration for which a condition holds changes in the same way.
    fn counted_cells(&mut self, work: &Loop) -> Vec<VariableId> {
        let mut counted = Vec::new();
        for (cell, entry) in &work.entry {
            let formals = self.formals(*cell);
            let unchanged = placeholder_read(entry, &formals);
            let mut reads_itself = false;
            visit_conditions(&entry.left, &mut |term| {
                reads_itself |= matches!(term, Term::Read(c, _) if *c == entry.placeholder);
            });
            if formals.is_empty() && reads_itself && entry.left != unchanged && self.universe.sort_of(*cell).is_finite()
            {
                counted.push(*cell);
            }
        }
        counted
    }

    /// Computes the result for a counted cell: one case for each number of elements.
    fn count(&mut self, work: &Loop, cell: VariableId, entry: &Entry, errors: &[Formula]) -> Result<Value, Reason> {
        let steps = self.count_steps(cell, entry, errors)?;
        let own = IndexTerm::Variable(work.variable);
        let inside = self.inside(work, own);
        let condition = self.resolved(work, &and([inside, steps.condition.clone()]))?;
        let start = entry.held.clone();
        let most = steps.next.len() + 1;
        let number = self.exactly(work, &condition, most)?;
        if number == 0 {
            // It was not read, so it may be undefined.
            return Ok(start);
        }
        let starts = self.cases(&start)?;
        let mut results = Vec::new();
        for (start_condition, constant) in starts {
            let mut at = Some(constant);
            for _ in 0..number {
                at = at.and_then(|constant| steps.next.get(&constant).copied());
            }
            match at {
                Some(end) => results.push((start_condition, end)),
                None => self.error(start_condition),
            }
        }
        Ok(self.value_of_cases(results))
    }

    /// Chooses how many elements satisfy a condition: one distinct witness for each, and no other elements.
    fn exactly(&mut self, work: &Loop, condition: &Formula, most: usize) -> Result<usize, Reason> {
        self.independent(&Formula::Exists(work.variable, Box::new(condition.clone())))?;
        if most > 8 {
            return Err(Reason::TooManyCases { cases: most });
        }
        // With more elements, each of them leads to an error, so that the run has no successor, unless this path is not
        // taken.
        let ways = if self.path.is_true() { most } else { most + 1 };
        let number = self.fork(ways);
        let name = self.universe.scope[work.variable.index()].name.clone();
        let mut witnesses: Vec<IndexTerm> = Vec::new();
        for _ in 0..number {
            let witness = IndexTerm::Variable(self.universe.index_variable(&name, work.index_type, Role::Witness));
            for &other in &witnesses {
                let same = equal(self.universe, &Term::Index(witness), &Term::Index(other));
                self.assume(not(same));
            }
            let holds = substitute(self.universe, condition, &|v| {
                if v == work.variable { witness } else { IndexTerm::Variable(v) }
            });
            self.assume(holds);
            witnesses.push(witness);
        }
        if number == most {
            self.labels.push(format!("{number} {name} or more"));
            return Ok(number);
        }
        let own = Term::Index(IndexTerm::Variable(work.variable));
        let known: Vec<Formula> = witnesses.iter().map(|&w| equal(self.universe, &own, &Term::Index(w))).collect();
        let others = or([not(condition.clone()), or(known)]);
        self.assume(Formula::Forall(work.variable, Box::new(others)));
        self.labels.push(format!("{number} {name}"));
        Ok(number)
    }

    /// How a counted cell changes from one constant to the next, and for which elements.
    fn count_steps(&mut self, cell: VariableId, entry: &Entry, errors: &[Formula]) -> Result<Steps, Reason> {
        let mut next = BTreeMap::new();
        let mut condition: Option<Formula> = None;
        let read = Term::Read(entry.placeholder, vec![]);
        for constant in self.universe.sort_of(cell).constants.clone() {
            let mut facts = self.facts.clone();
            facts.assume(self.universe, &read, &Term::Constant(constant), true);
            let fails: Vec<Formula> = errors.iter().map(|error| simplify(self.universe, &mut facts, error)).collect();
            let fails = or(fails);
            let mut without_error = facts.with(self.universe, &fails, false);
            let left = simplify_value(self.universe, &mut without_error, &entry.left);
            let stays =
                |value: &Value| *value == Value::Term(read.clone()) || *value == Value::Term(Term::Constant(constant));
            // An undefined value marks where the iteration has an error.
            let goes = |value: &Value| match value {
                Value::Term(Term::Constant(to)) => Some(Some(*to)),
                Value::Arbitrary => Some(None),
                Value::Term(_) | Value::Sum(..) | Value::If(..) => None,
            };
            let (changes, to) = match &left {
                value if stays(value) => (Formula::False, Some(constant)),
                Value::If(when, yes, no) if stays(no) => (when.clone(), goes(yes).ok_or(Reason::OrderMatters)?),
                Value::If(when, yes, no) if stays(yes) => (not(when.clone()), goes(no).ok_or(Reason::OrderMatters)?),
                _ if without_error.is_contradictory() => (Formula::False, None),
                value => (Formula::True, goes(value).ok_or(Reason::OrderMatters)?),
            };
            let (changes, to) = match (changes, fails) {
                (changes, Formula::False) if to.is_some() => (changes, to),
                (Formula::False, fails) => (fails, None),
                (changes, fails) if self.equivalent(&changes, &fails) => (fails, None),
                _ => return Err(Reason::OrderMatters),
            };
            match &condition {
                _ if changes == Formula::False => return Err(Reason::OrderMatters),
                Some(known) if !self.equivalent(known, &changes) => return Err(Reason::OrderMatters),
                _ => condition = Some(changes),
            }
            if let Some(to) = to {
                next.insert(constant, to);
            }
        }
        let condition = condition.ok_or(Reason::OrderMatters)?;
        let mut reads_cell = false;
        condition.visit_terms(&mut |term| reads_cell |= *term == read);
        // A cell that never leaves its sort would need a case for every number of elements.
        if reads_cell || has_cycle(&next) {
            return Err(Reason::OrderMatters);
        }
        Ok(Steps { condition, next })
    }

    /// Returns whether two conditions can be shown to be equivalent.
    fn equivalent(&self, one: &Formula, other: &Formula) -> bool {
        let follows = |from: &Formula, truth: bool, to: &Formula| {
            let mut facts = self.facts.with(self.universe, from, truth);
            facts.is_contradictory()
                || simplify(self.universe, &mut facts, to) == if truth { Formula::True } else { Formula::False }
        };
        one == other
            || (follows(one, true, other) && (follows(one, false, other) || follows(other, true, one)))
            || (follows(other, false, one) && follows(one, false, other))
    }

    /// Returns the value where a condition is false: conditions from which it follows are false, too. As a fact, the negation of a
    /// conjunction says nothing.
    fn where_false(&self, condition: &Formula, value: &Value, facts: &mut Facts) -> Value {
        let Value::If(when, yes, no) = value else { return value.clone() };
        let before = facts.mark();
        facts.assume_formula(self.universe, when, true);
        let is_out = facts.is_contradictory() || simplify(self.universe, facts, condition) == Formula::True;
        let yes = if is_out { None } else { Some(self.where_false(condition, yes, facts)) };
        facts.back_to(before);
        let no = self.where_false(condition, no, facts);
        match yes {
            Some(yes) => choose(when.clone(), yes, no),
            None => no,
        }
    }

    /// Joins the iterations of a loop that an iteration may end. Only the iteration that ends it may have an effect.
    fn leave_stopping(
        &mut self,
        work: &Loop,
        stopped: VariableId,
        obligations: Vec<Obligation<O>>,
    ) -> Result<(), Reason> {
        if work.entry.values().any(|entry| self.reads_neighbour(work, &entry.left)) {
            return Err(self.choice_in(work));
        }
        let flag = &work.entry[&stopped];
        let running = |m: &mut Self, facts: &mut Facts| {
            let read = Term::Read(flag.placeholder, vec![]);
            facts.assume(m.universe, &read, &Term::Constant(system::FALSE), true);
        };
        let mut facts = self.facts.clone();
        running(self, &mut facts);
        let left = simplify_value(self.universe, &mut facts, &flag.left);
        let ends = self.truth(&left);
        let mut going_on = facts.with(self.universe, &ends, false);
        running(self, &mut going_on);
        for (cell, entry) in &work.entry {
            let formals = self.formals(*cell);
            let unchanged = placeholder_read(entry, &formals);
            let left = simplify_value(self.universe, &mut going_on, &entry.left);
            let left = self.where_false(&ends, &left, &mut going_on);
            let same_flag = *cell == stopped && left == Value::Term(Term::Constant(system::FALSE));
            if left != unchanged && !same_flag {
                return Err(Reason::OrderMatters);
            }
        }
        // Iterations before the one that ends the loop have no effect, so each may come first.
        self.oblige_iterations(work, obligations)?;
        let left: Vec<&Value> = work.entry.values().map(|entry| &entry.left).collect();
        self.order_matters |= self.differs(work, &ends, &left);
        let ends = self.resolved(work, &ends)?;
        let own = IndexTerm::Variable(work.variable);
        let inside = self.inside(work, own);
        let witness = self.exists(work.variable, &and([inside, ends]), Wanted::First(work.variable))?;
        for error in &work.errors {
            let error = self.resolved(work, error)?;
            let error = match witness {
                Some(witness) => substitute(self.universe, &error, &|v| {
                    if v == work.variable { witness } else { IndexTerm::Variable(v) }
                }),
                None => Formula::Exists(work.variable, Box::new(error)),
            };
            self.error_elsewhere(error);
        }
        let Some(witness) = witness else { return Ok(()) };
        for (cell, entry) in &work.entry {
            let left = simplify_value(self.universe, &mut facts, &entry.left);
            let left = substitute_value(self.universe, &left, &|v| {
                if v == work.variable { witness } else { IndexTerm::Variable(v) }
            });
            let left = self.resolved_value(work, &left)?;
            let left = simplify_value(self.universe, &mut self.facts, &left);
            self.store.insert(*cell, left);
        }
        Ok(())
    }

    /// Refuses reads of cells that another iteration may have written.
    fn check_reads(
        &mut self,
        work: &Loop,
        value: &Value,
        own: Option<VariableId>,
        counted: &[VariableId],
    ) -> Result<(), Reason> {
        match value {
            Value::Arbitrary => Ok(()),
            Value::Term(term) => {
                if let Some(cell) = own {
                    let formals = self.formals(cell);
                    if Value::Term(term.clone()) == placeholder_read(&work.entry[&cell], &formals) {
                        return Ok(());
                    }
                }
                self.check_read(work, term, own, counted)
            }
            Value::Sum(term, _) => self.check_read(work, term, own, counted),
            Value::If(condition, yes, no) => {
                self.check_formula_reads(work, condition, own, counted)?;
                self.check_reads(work, yes, own, counted)?;
                self.check_reads(work, no, own, counted)
            }
        }
    }

    fn check_formula_reads(
        &mut self,
        work: &Loop,
        formula: &Formula,
        own: Option<VariableId>,
        counted: &[VariableId],
    ) -> Result<(), Reason> {
        let mut equations = Vec::new();
        formula.visit(&mut |part| {
            if let Formula::Equal(left, right) | Formula::AtMost(left, right, _) = part {
                equations.push((left.clone(), right.clone()));
            }
        });
        equations.iter().try_for_each(|(left, right)| {
            if *right == Term::Constant(UNSET) {
                return self.check_read(work, left, own, counted).map_err(|_| Reason::UndefinedInLoop);
            }
            self.check_read(work, left, own, counted)?;
            self.check_read(work, right, own, counted)
        })
    }

    /// Returns whether the read gives the same value in whatever order the iterations run.
    fn check_read(
        &mut self,
        work: &Loop,
        term: &Term,
        own: Option<VariableId>,
        counted: &[VariableId],
    ) -> Result<(), Reason> {
        let Term::Read(read, arguments) = term else { return Ok(()) };
        let Some((cell, entry)) = work.entry.iter().find(|(_, e)| e.placeholder == *read) else {
            return Ok(());
        };
        if counted.contains(cell) && (own == Some(*cell) || own.is_none()) {
            return Ok(());
        }
        let formals = self.formals(*cell);
        let other = self.universe.index_variable("", work.index_type, Role::Bound);
        let neighbours = self.other_neighbours(work);
        let there = substitute_value(self.universe, &entry.left, &|v| {
            if v == work.variable {
                return IndexTerm::Variable(other);
            }
            if let Some((_, new, _)) = neighbours.iter().find(|(own, ..)| *own == v) {
                return IndexTerm::Variable(*new);
            }
            match formals.iter().position(|&f| f == v) {
                Some(at) => arguments[at],
                None => IndexTerm::Variable(v),
            }
        });
        let mut facts = self.facts.clone();
        facts.assume(
            self.universe,
            &Term::Index(IndexTerm::Variable(other)),
            &Term::Index(IndexTerm::Variable(work.variable)),
            false,
        );
        // Iterations run in the order of the elements, or in the opposite one.
        for (theirs, by) in std::iter::once((other, 0)).chain(neighbours.iter().map(|own| (own.1, own.2))) {
            for (own, more) in self.own_elements(work) {
                let is_apart = if work.descending { more <= by } else { more >= by };
                if is_apart {
                    facts.assume(self.universe, &Term::Index(IndexTerm::Variable(theirs)), &Term::Index(own), false);
                }
            }
        }
        let there = simplify_value(self.universe, &mut facts, &there);
        if there == Value::Term(term.clone()) {
            return Ok(());
        }
        Err(Reason::LoopCarried)
    }

    /// Replaces placeholders in a formula by the values of the cells before the loop.
    pub(super) fn resolved(&mut self, work: &Loop, formula: &Formula) -> Result<Formula, Reason> {
        Ok(match formula {
            Formula::True | Formula::False => formula.clone(),
            Formula::Equal(left, right) => {
                let (left, right) = (self.resolved_term(work, left), self.resolved_term(work, right));
                value_equality(self, &left, &right)
            }
            Formula::AtMost(left, right, sum) => {
                let (left, right) = (self.resolved_term(work, left), self.resolved_term(work, right));
                value_at_most(&left, &right, *sum)
            }
            Formula::Not(inner) => not(self.resolved(work, inner)?),
            Formula::And(parts) => and(self.resolved_all(work, parts)?),
            Formula::Or(parts) => or(self.resolved_all(work, parts)?),
            Formula::Forall(v, inner) => Formula::Forall(*v, Box::new(self.resolved(work, inner)?)),
            Formula::Exists(v, inner) => Formula::Exists(*v, Box::new(self.resolved(work, inner)?)),
        })
    }

    fn resolved_all(&mut self, work: &Loop, parts: &[Formula]) -> Result<Vec<Formula>, Reason> {
        parts.iter().map(|part| self.resolved(work, part)).collect()
    }

    pub(super) fn resolved_value(&mut self, work: &Loop, value: &Value) -> Result<Value, Reason> {
        Ok(match value {
            Value::Arbitrary => Value::Arbitrary,
            Value::Term(term) => self.resolved_term(work, term),
            Value::Sum(term, sum) => plus(self.resolved_term(work, term), *sum),
            Value::If(condition, yes, no) => {
                choose(self.resolved(work, condition)?, self.resolved_value(work, yes)?, self.resolved_value(work, no)?)
            }
        })
    }

    fn resolved_term(&mut self, work: &Loop, term: &Term) -> Value {
        let Term::Read(read, arguments) = term else {
            return Value::Term(term.clone());
        };
        let Some((cell, entry)) = work.entry.iter().find(|(_, e)| e.placeholder == *read) else {
            return Value::Term(term.clone());
        };
        let formals = self.formals(*cell);
        substitute_value(self.universe, &entry.held, &|v| match formals.iter().position(|&f| f == v) {
            Some(at) => arguments[at],
            None => IndexTerm::Variable(v),
        })
    }
}

/// Builds the equality of two values. If one is undefined, the run had an error earlier.
fn value_equality<O: Clone>(machine: &SymbolicMachine<'_, O>, left: &Value, right: &Value) -> Formula {
    match (left, right) {
        (Value::Arbitrary, other) | (other, Value::Arbitrary) => {
            if *other == Value::Term(Term::Constant(UNSET)) {
                Formula::True
            } else {
                Formula::False
            }
        }
        (Value::If(condition, yes, no), other) | (other, Value::If(condition, yes, no)) => {
            either(condition, value_equality(machine, yes, other), value_equality(machine, no, other))
        }
        // A number that is known is not undefined.
        (Value::Sum(..), Value::Term(Term::Constant(UNSET))) | (Value::Term(Term::Constant(UNSET)), Value::Sum(..)) => {
            Formula::False
        }
        (Value::Sum(..), _) | (_, Value::Sum(..)) => {
            and([value_at_most(left, right, 0), value_at_most(right, left, 0)])
        }
        (Value::Term(left), Value::Term(right)) => equal(machine.universe, left, right),
    }
}

/// Builds the condition that the first number is at most the second one plus a number. If one is undefined, the run had an
/// error earlier.
pub(super) fn value_at_most(left: &Value, right: &Value, sum: i64) -> Formula {
    match (left, right) {
        (Value::Arbitrary, _) | (_, Value::Arbitrary) => Formula::False,
        (Value::If(condition, yes, no), other) => {
            either(condition, value_at_most(yes, other, sum), value_at_most(no, other, sum))
        }
        (own, Value::If(condition, yes, no)) => {
            either(condition, value_at_most(own, yes, sum), value_at_most(own, no, sum))
        }
        (Value::Term(left), Value::Term(right)) => at_most(left, right, sum),
        (Value::Sum(left, plus), Value::Term(right)) => at_most(left, right, sum - plus),
        (Value::Term(left), Value::Sum(right, plus)) => at_most(left, right, sum + plus),
        (Value::Sum(left, plus), Value::Sum(right, more)) => at_most(left, right, sum + more - plus),
    }
}

/// Adds to a number.
fn plus(value: Value, sum: i64) -> Value {
    match value {
        Value::Arbitrary => Value::Arbitrary,
        Value::Term(term) => number(term, sum),
        Value::Sum(term, own) => number(term, own + sum),
        Value::If(condition, yes, no) => choose(condition, plus(*yes, sum), plus(*no, sum)),
    }
}

/// Returns the formula for placeholders that are not undefined.
fn without_unset(formula: &Formula, defined: &BTreeSet<VariableId>) -> Formula {
    match formula {
        Formula::Equal(Term::Read(cell, _), Term::Constant(UNSET)) if defined.contains(cell) => Formula::False,
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) => formula.clone(),
        Formula::Not(inner) => not(without_unset(inner, defined)),
        Formula::And(parts) => and(parts.iter().map(|part| without_unset(part, defined))),
        Formula::Or(parts) => or(parts.iter().map(|part| without_unset(part, defined))),
        Formula::Forall(v, inner) => Formula::Forall(*v, Box::new(without_unset(inner, defined))),
        Formula::Exists(v, inner) => Formula::Exists(*v, Box::new(without_unset(inner, defined))),
    }
}

/// How a counted cell changes.
struct Steps {
    condition: Formula,
    next: BTreeMap<system::ConstantId, system::ConstantId>,
}

fn has_cycle(next: &BTreeMap<system::ConstantId, system::ConstantId>) -> bool {
    next.keys().any(|&start| {
        let mut at = start;
        for _ in 0..=next.len() {
            match next.get(&at) {
                Some(&to) => at = to,
                None => return false,
            }
        }
        true
    })
}

fn placeholder_read(entry: &Entry, formals: &[IndexVariableId]) -> Value {
    Value::Term(Term::Read(entry.placeholder, formals.iter().map(|&f| IndexTerm::Variable(f)).collect()))
}

/// Decomposes `if where & iteration then written else unchanged`, where only `where` mentions the formal arguments.
fn split_write(value: &Value, unchanged: &Value, formals: &[IndexVariableId]) -> Option<(Formula, Formula, Value)> {
    let of_formals = |formula: &Formula| formals.iter().any(|&formal| mentions(formula, IndexTerm::Variable(formal)));
    let written_free = |written: &Value| {
        let mut free = true;
        written.visit_terms(&mut |term| {
            free &= !term.elements().iter().any(|t| formals.iter().any(|&f| *t == IndexTerm::Variable(f)));
        });
        free && !contains_leaf(written, unchanged)
    };
    match value {
        Value::If(condition, yes, no) if **no == *unchanged && written_free(yes) => {
            let parts = match condition {
                Formula::And(parts) => parts.clone(),
                other => vec![other.clone()],
            };
            let (where_, iteration): (Vec<_>, Vec<_>) = parts.into_iter().partition(of_formals);
            Some((and(where_), and(iteration), (**yes).clone()))
        }
        Value::If(condition, yes, no) if **yes == *unchanged && written_free(no) => {
            let flipped = Value::If(not(condition.clone()), no.clone(), yes.clone());
            split_write(&flipped, unchanged, formals)
        }
        Value::If(condition, yes, no) if formals.is_empty() => {
            // Without arguments, the conditions can be collected: at a leaf equal to `unchanged` nothing is written.
            let written = leaf_condition(value, unchanged);
            let inner = without_leaf(value, unchanged)?;
            let _ = (condition, yes, no);
            Some((Formula::True, written, inner))
        }
        written if written_free(written) => Some((Formula::True, Formula::True, written.clone())),
        _ => None,
    }
}

fn contains_leaf(value: &Value, leaf: &Value) -> bool {
    match value {
        Value::If(_, yes, no) => contains_leaf(yes, leaf) || contains_leaf(no, leaf),
        other => other == leaf,
    }
}

/// Returns the condition under which the value is not this leaf.
fn leaf_condition(value: &Value, leaf: &Value) -> Formula {
    match value {
        Value::If(condition, yes, no) => either(condition, leaf_condition(yes, leaf), leaf_condition(no, leaf)),
        other if other == leaf => Formula::False,
        _ => Formula::True,
    }
}

/// Returns the value where it is not this leaf.
fn without_leaf(value: &Value, leaf: &Value) -> Option<Value> {
    match value {
        Value::If(condition, yes, no) => match (without_leaf(yes, leaf), without_leaf(no, leaf)) {
            (Some(yes), Some(no)) => Some(choose(condition.clone(), yes, no)),
            (one, other) => one.or(other),
        },
        other if other == leaf => None,
        other => Some(other.clone()),
    }
}

fn visit_conditions(value: &Value, visit: &mut impl FnMut(&Term)) {
    if let Value::If(condition, yes, no) = value {
        condition.visit_terms(visit);
        visit_conditions(yes, visit);
        visit_conditions(no, visit);
    }
}
