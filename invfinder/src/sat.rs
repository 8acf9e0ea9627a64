//! Uses a SAT solver to find the premises that decide a context.
//!
//! A context, the clauses of its universal guards and instances of invariants are either consistent, or the solver
//! returns the instances of an inconsistent subset. The encoding is the direct one for finite domains (one variable for
//! each read and value, exactly one of which is true); a pointer has one additional value, for an element that has no
//! name yet. Two reads with that value may be equal or not, and chains of such equations are not followed, so the
//! answer "consistent" may be wrong. That can miss an existing argument, but cannot affect soundness: the certificate
//! contains the case splits, not this answer.

use batsat::{BasicSolver, SolverInterface, lbool};
use rustc_hash::FxHashMap;
use system::bounds::{Bounds, Constraint};
use system::{Formula, IndexTypeId};

use crate::argument::atom;
use crate::closure::Closure;
use crate::literal::{Comparison, Datum, Element, Lit, Made, Read, Side, Space};
use crate::weakest_precondition::Matched;

/// A value of a read: one that the context can name, or an element without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Choice {
    Named(Datum),
    Fresh(IndexTypeId),
}

/// The encoding of a context.
pub(crate) struct Question<'a> {
    space: &'a Space,
    types: Vec<IndexTypeId>,
    solver: BasicSolver,
    choices: FxHashMap<(Read, Choice), batsat::Lit>,
    equations: FxHashMap<(Read, Read), batsat::Lit>,
    /// The variable of each upper bound.
    bounds: Vec<(Constraint<Side>, batsat::Lit)>,
    selectors: Vec<batsat::Lit>,
}

impl<'a> Question<'a> {
    pub(crate) fn new(space: &'a Space, facts: &Closure<'_>) -> Self {
        let mut question = Self {
            space,
            types: facts.types().to_vec(),
            solver: BasicSolver::default(),
            choices: FxHashMap::default(),
            equations: FxHashMap::default(),
            bounds: Vec::new(),
            selectors: Vec::new(),
        };
        for lit in facts.asserted() {
            let literal = question.literal(*lit);
            question.clause(vec![literal]);
        }
        question
    }

    /// Adds an instance of a universal guard.
    pub(crate) fn assume(&mut self, matched: &Matched<'_>, formula: &Formula, environment: &[Element]) {
        let truth = self.formula(matched, formula, true, environment);
        self.clause(vec![truth]);
    }

    /// Adds a disjunction of conjunctions.
    pub(crate) fn assume_one(&mut self, disjuncts: &[Vec<Lit>]) {
        let mut clause = Vec::new();
        for lits in disjuncts {
            let all = self.fresh();
            for lit in lits {
                let literal = self.literal(*lit);
                self.clause(vec![!all, literal]);
            }
            clause.push(all);
        }
        self.clause(clause);
    }

    /// Adds an instance of an invariant: its literals do not all hold.
    pub(crate) fn premise(&mut self, literals: impl Iterator<Item = Lit>) {
        let selector = self.fresh();
        let mut clause: Vec<batsat::Lit> = literals.map(|lit| !self.literal(lit)).collect();
        clause.push(!selector);
        self.clause(clause);
        self.selectors.push(selector);
    }

    /// Returns the numbers of the premises in an inconsistent subset, or `None` if everything is consistent.
    pub(crate) fn inconsistent(mut self) -> Option<Vec<usize>> {
        let selectors = self.selectors.clone();
        loop {
            if self.solver.solve_limited(&selectors) == lbool::FALSE {
                break;
            }
            // Bounds that are chosen and contradict each other are excluded, one cycle at a time.
            if !self.excludes_cycle() {
                return None;
            }
        }
        let core: Vec<usize> = selectors
            .iter()
            .enumerate()
            .filter(|(_, selector)| self.solver.unsat_core_contains_var(selector.var()))
            .map(|(number, _)| number)
            .collect();
        Some(core)
    }

    /// Excludes bounds that the last assignment chose although they contradict each other. Returns whether there were any.
    fn excludes_cycle(&mut self) -> bool {
        let chosen: Vec<(Constraint<Side>, batsat::Lit)> = self
            .bounds
            .iter()
            .map(|((left, comparison, right), literal)| {
                if self.solver.value_lit(*literal) == lbool::FALSE {
                    ((*left, comparison.negated(), *right), !*literal)
                } else {
                    ((*left, *comparison, *right), *literal)
                }
            })
            .collect();
        let constraints: Vec<Constraint<Side>> = chosen.iter().map(|(constraint, _)| *constraint).collect();
        let Some(cycle) = Bounds::contradiction(&constraints) else { return false };
        self.clause(cycle.into_iter().map(|number| !chosen[number].1).collect());
        true
    }

    /// Returns the literal of a bound.
    fn bound(&mut self, lit: Lit) -> batsat::Lit {
        let (comparison, positive) = match lit.comparison {
            Comparison::AtLeast(_) => (lit.comparison.negated(), false),
            Comparison::AtMost(_) | Comparison::Equal | Comparison::Different => (lit.comparison, true),
        };
        let constraint = (Side::Read(lit.left), comparison.into(), lit.right);
        let known = self.bounds.iter().find(|(own, _)| *own == constraint).map(|(_, literal)| *literal);
        let literal = known.unwrap_or_else(|| {
            let literal = self.fresh();
            self.bounds.push((constraint, literal));
            literal
        });
        if positive { literal } else { !literal }
    }

    fn fresh(&mut self) -> batsat::Lit {
        batsat::Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, mut literals: Vec<batsat::Lit>) {
        self.solver.add_clause_reuse(&mut literals);
    }

    fn domain(&self, read: Read) -> Vec<Choice> {
        let domain = self.space.domain(read);
        let constants = domain.constants.iter().map(|constant| Choice::Named(Datum::constant(*constant)));
        let elements = (0u8..)
            .zip(&self.types)
            .filter(|(_, ty)| domain.index_types.contains(ty))
            .map(|(element, _)| Choice::Named(Datum::element(element)));
        let fresh = domain.index_types.iter().map(|ty| Choice::Fresh(*ty));
        constants.chain(elements).chain(fresh).collect()
    }

    fn choice(&mut self, read: Read, choice: Choice) -> batsat::Lit {
        if let Some(literal) = self.choices.get(&(read, choice)) {
            return *literal;
        }
        let domain = self.domain(read);
        let literals: Vec<batsat::Lit> = domain.iter().map(|_| self.fresh()).collect();
        for (number, literal) in literals.iter().enumerate() {
            for other in &literals[number + 1..] {
                self.clause(vec![!*literal, !*other]);
            }
            self.choices.insert((read, domain[number]), *literal);
        }
        self.clause(literals);
        match self.choices.get(&(read, choice)) {
            Some(literal) => *literal,
            None => {
                // A value outside the sort is false.
                let literal = self.fresh();
                self.clause(vec![!literal]);
                self.choices.insert((read, choice), literal);
                literal
            }
        }
    }

    fn literal(&mut self, lit: Lit) -> batsat::Lit {
        if lit.comparison.is_bound() {
            return self.bound(lit);
        }
        let literal = match lit.right {
            Side::Zero => unreachable!("numbers are compared by bounds"),
            Side::Value(datum) => self.choice(lit.left, Choice::Named(datum)),
            Side::Read(read) => self.equation(lit.left, read),
        };
        if lit.comparison.is_equal() { literal } else { !literal }
    }

    fn equation(&mut self, left: Read, right: Read) -> batsat::Lit {
        if let Some(literal) = self.equations.get(&(left, right)) {
            return *literal;
        }
        let equal = self.fresh();
        self.equations.insert((left, right), equal);
        for (read, other) in [(left, right), (right, left)] {
            for choice in self.domain(read) {
                let (mine, theirs) = (self.choice(read, choice), self.choice(other, choice));
                self.clause(vec![!equal, !mine, theirs]);
                if matches!(choice, Choice::Named(_)) {
                    self.clause(vec![!mine, !theirs, equal]);
                }
            }
        }
        equal
    }

    fn formula(
        &mut self,
        matched: &Matched<'_>,
        formula: &Formula,
        positive: bool,
        environment: &[Element],
    ) -> batsat::Lit {
        match formula {
            Formula::True | Formula::False => self.constant((*formula == Formula::True) == positive),
            Formula::Equal(..) | Formula::AtMost(..) => {
                let types = self.types.clone();
                match atom(matched, formula, positive, environment, &types) {
                    Some(Made::True) | None => self.constant(true),
                    Some(Made::False) => self.constant(false),
                    Some(Made::Lit(lit)) => self.literal(lit),
                }
            }
            Formula::Not(inner) => self.formula(matched, inner, !positive, environment),
            Formula::And(parts) | Formula::Or(parts) => {
                let conjunctive = matches!(formula, Formula::And(_)) == positive;
                let parts: Vec<batsat::Lit> =
                    parts.iter().map(|part| self.formula(matched, part, positive, environment)).collect();
                self.connect(&parts, conjunctive)
            }
            // Quantifiers below a connective are ignored, which weakens the context.
            Formula::Forall(..) | Formula::Exists(..) => self.fresh(),
        }
    }

    /// Returns a literal that implies the conjunction or disjunction.
    fn connect(&mut self, parts: &[batsat::Lit], conjunctive: bool) -> batsat::Lit {
        let whole = self.fresh();
        if conjunctive {
            for part in parts {
                self.clause(vec![!whole, *part]);
            }
        } else {
            let mut clause = parts.to_vec();
            clause.push(!whole);
            self.clause(clause);
        }
        whole
    }

    fn constant(&mut self, truth: bool) -> batsat::Lit {
        let literal = self.fresh();
        self.clause(vec![if truth { literal } else { !literal }]);
        literal
    }
}
