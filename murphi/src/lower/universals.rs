//! Universal parts of cubes: what a negated property says about all elements.
//!
//! A formula here is a `forall` over a quantifier-free formula, below existential variables that denote distinct elements; it
//! becomes cubes. Its instances at the variables of the cube and at named elements are literals, or disjunctions that
//! split the cube. Its instances at all other elements are universal parts, one for each clause. A clause keeps literals that
//! are not about another element: either they hold, or the rest of the clause does. Nothing is approximated, and an index type
//! may be empty.

use std::collections::BTreeSet;

use super::logic::{and, not, or, substitute};
use super::normal::MOST_DISJUNCTS;
use super::reason::Reason;
use super::universe::{Universe, position};
use system::cube::Decision;
use system::{
    Comparison, Cube, Formula, IndexTerm, IndexTypeId, IndexVariableId, Literal, NamedId, Role, System, Term, Universal,
};

/// The largest number of universal parts that one formula becomes, and of variables in one of them.
const MOST_CLAUSES: usize = 256;
const MOST_UNIVERSAL_VARIABLES: usize = 4;

/// Returns formulas whose conjunction is `forall variable. body`, in which all quantifiers are in front.
///
/// # Errors
/// Returns an error if there is an `exists` below the `forall`.
pub(super) fn forall(
    universe: &mut Universe,
    variable: IndexVariableId,
    body: &Formula,
) -> Result<Vec<Formula>, Reason> {
    let close = |(variables, matrix): (Vec<IndexVariableId>, Formula)| {
        let all = [vec![variable], variables].concat().into_iter().rev();
        all.fold(matrix, |inner, variable| Formula::Forall(variable, Box::new(inner)))
    };
    Ok(prenex(universe, body)?.into_iter().map(close).collect())
}

/// Returns formulas without quantifiers whose conjunction, each below a `forall` over its variables, is the formula. A
/// quantifier cannot be moved to the front of a conjunction, since its index type may be empty.
fn prenex(universe: &mut Universe, formula: &Formula) -> Result<Vec<(Vec<IndexVariableId>, Formula)>, Reason> {
    if !universe.spend_on(formula) {
        return Err(Reason::TooMuchWork);
    }
    if !formula.has_quantifier() {
        return Ok(vec![(Vec::new(), formula.clone())]);
    }
    match formula {
        Formula::And(parts) => {
            let all: Result<Vec<_>, _> = parts.iter().map(|part| prenex(universe, part)).collect();
            Ok(all?.concat())
        }
        Formula::Or(parts) => {
            let mut all = vec![(Vec::new(), Formula::False)];
            for part in parts {
                let more = prenex(universe, part)?;
                let pairs = all.iter().flat_map(|one| more.iter().map(move |other| (one, other)));
                all = pairs
                    .map(|(one, other)| {
                        ([one.0.clone(), other.0.clone()].concat(), or([one.1.clone(), other.1.clone()]))
                    })
                    .collect();
                if all.len() > MOST_CLAUSES {
                    return Err(Reason::TooManyClauses);
                }
            }
            Ok(all)
        }
        Formula::Forall(variable, inner) => {
            // A formula may occur several times.
            let known = &universe.scope[variable.index()];
            let (name, index_type) = (known.name.clone(), known.index_type);
            let own = universe.index_variable(&name, index_type, Role::Bound);
            let inner = substitute(universe, inner, &|v| IndexTerm::Variable(if v == *variable { own } else { v }));
            let mut all = prenex(universe, &inner)?;
            all.iter_mut().for_each(|(variables, _)| variables.insert(0, own));
            Ok(all)
        }
        Formula::Exists(..) => Err(Reason::NotUniversal),
        Formula::Not(inner) => prenex(universe, &not((**inner).clone())),
        Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) => {
            Ok(vec![(Vec::new(), formula.clone())])
        }
    }
}

/// Returns the variables of the `forall`s in front of a formula, and the rest.
pub(super) fn prefix(formula: &Formula) -> (Vec<IndexVariableId>, &Formula) {
    let (mut variables, mut matrix) = (Vec::new(), formula);
    while let Formula::Forall(variable, inner) = matrix {
        variables.push(*variable);
        matrix = inner;
    }
    (variables, matrix)
}

/// A cube under construction.
pub(super) struct Under<'a> {
    pub(super) universe: &'a Universe,
    pub(super) system: &'a System,
    /// The types of the variables of the cube.
    pub(super) types: &'a [IndexTypeId],
    /// What each existential variable denotes: a variable of the cube or a named element.
    pub(super) places: &'a [(IndexVariableId, IndexTerm)],
}

/// What the instances of universal formulas require.
#[derive(Default)]
struct Required {
    /// Of each of these lists, one conjunction has to hold.
    conjunctions: Vec<Vec<Vec<Literal>>>,
    /// All of these have to hold.
    universals: Vec<Universal>,
}

impl Under<'_> {
    /// Adds the cubes of a conjunction of literals and universal formulas; see [`forall`] for their form.
    pub(super) fn cubes(
        &self,
        literals: &[Literal],
        universals: &[Formula],
        cubes: &mut BTreeSet<Cube>,
    ) -> Result<(), Reason> {
        let mut known = Vec::new();
        for literal in literals {
            match literal.decide(self.system, self.types) {
                Decision::True => {}
                Decision::False => return Ok(()),
                Decision::Open(literal) => known.push(literal),
            }
        }
        let mut required = Required::default();
        for formula in universals {
            let (variables, matrix) = prefix(formula);
            self.instances(&variables, matrix, &mut self.places.to_vec(), &mut Vec::new(), &mut required)?;
        }
        // Lists with few conjunctions decide others.
        required.conjunctions.sort_by_key(Vec::len);
        let parts = without_implied(&required.universals);
        self.choose(&required.conjunctions, &parts, &mut known, cubes)
    }

    /// Adds what must hold for each way in which the universal variables coincide with variables of the cube, with named
    /// elements and with one another. Each of the other elements has a type in `others`.
    fn instances(
        &self,
        variables: &[IndexVariableId],
        matrix: &Formula,
        places: &mut Vec<(IndexVariableId, IndexTerm)>,
        others: &mut Vec<IndexTypeId>,
        required: &mut Required,
    ) -> Result<(), Reason> {
        let Some((&variable, rest)) = variables.split_first() else {
            return self.instance(matrix, places, others, required);
        };
        let index_type = self.universe.scope[variable.index()].index_type;
        let known = [self.types, others].concat();
        let of_type = known.iter().enumerate().filter(|(_, own)| **own == index_type);
        let mut elements: Vec<IndexTerm> = of_type.map(|(at, _)| IndexTerm::Variable(id(at))).collect();
        let named = (0..).map(NamedId).zip(&self.universe.named).filter(|(_, named)| named.index_type == index_type);
        elements.extend(named.map(|(id, _)| IndexTerm::Named(id)));
        for element in elements {
            places.push((variable, element));
            self.instances(rest, matrix, places, others, required)?;
            places.pop();
        }
        places.push((variable, IndexTerm::Variable(id(known.len()))));
        others.push(index_type);
        if others.len() > MOST_UNIVERSAL_VARIABLES {
            return Err(Reason::TooManyClauses);
        }
        self.instances(rest, matrix, places, others, required)?;
        others.pop();
        places.pop();
        Ok(())
    }

    /// Adds what one instance requires.
    fn instance(
        &self,
        matrix: &Formula,
        places: &[(IndexVariableId, IndexTerm)],
        others: &[IndexTypeId],
        required: &mut Required,
    ) -> Result<(), Reason> {
        let types = [self.types, others].concat();
        let instance = self.decided(matrix, places, &types);
        if others.is_empty() {
            if instance != Formula::True {
                required.conjunctions.push(self.products(&instance, true, &types)?);
            }
            return Ok(());
        }
        let clauses = self.products(&instance, false, &types)?.into_iter();
        required.universals.extend(clauses.map(|literals| Universal { variables: others.to_vec(), literals }));
        Ok(())
    }

    /// Returns a quantifier-free formula about these elements, without what their distinctness decides.
    fn decided(&self, formula: &Formula, places: &[(IndexVariableId, IndexTerm)], types: &[IndexTypeId]) -> Formula {
        let place = |variable| {
            let known = places.iter().find(|(own, _)| *own == variable);
            known.map_or(IndexTerm::Variable(variable), |(_, element)| *element)
        };
        let literal = |left: &Term, right: &Term, comparison| {
            let literal = Literal { left: left.substituted(&place), comparison, right: right.substituted(&place) };
            match literal.decide(self.system, types) {
                Decision::True => Formula::True,
                Decision::False => Formula::False,
                Decision::Open(Literal { left, comparison, right }) => match comparison {
                    Comparison::Equal => Formula::Equal(left, right),
                    Comparison::Different => Formula::Not(Box::new(Formula::Equal(left, right))),
                    Comparison::AtMost(sum) => Formula::AtMost(left, right, sum),
                    Comparison::AtLeast(sum) => Formula::AtMost(right, left, -sum),
                },
            }
        };
        match formula {
            Formula::Equal(left, right) => literal(left, right, Comparison::Equal),
            Formula::AtMost(left, right, sum) => literal(left, right, Comparison::AtMost(*sum)),
            Formula::Not(inner) => match &**inner {
                Formula::Equal(left, right) => literal(left, right, Comparison::Different),
                other => self.decided(&not(other.clone()), places, types),
            },
            Formula::And(parts) => and(parts.iter().map(|part| self.decided(part, places, types))),
            Formula::Or(parts) => or(parts.iter().map(|part| self.decided(part, places, types))),
            Formula::True | Formula::False | Formula::Forall(..) | Formula::Exists(..) => formula.clone(),
        }
    }

    /// Returns the conjunctions of literals whose disjunction is the formula, or the clauses whose conjunction it is.
    fn products(
        &self,
        formula: &Formula,
        disjunctive: bool,
        types: &[IndexTypeId],
    ) -> Result<Vec<Vec<Literal>>, Reason> {
        let unit = |left: &Term, comparison, right: &Term| {
            let literal = Literal { left: left.clone(), comparison, right: right.clone() };
            match literal.decide(self.system, types) {
                Decision::Open(literal) => vec![vec![literal]],
                // The formula is free of literals that distinctness decides.
                Decision::True | Decision::False => vec![vec![literal]],
            }
        };
        Ok(match (formula, disjunctive) {
            (Formula::True, true) | (Formula::False, false) => vec![Vec::new()],
            (Formula::True, false) | (Formula::False, true) => Vec::new(),
            (Formula::Equal(left, right), _) => unit(left, Comparison::Equal, right),
            (Formula::AtMost(left, right, sum), _) => unit(left, Comparison::AtMost(*sum), right),
            (Formula::Not(inner), _) => match &**inner {
                Formula::Equal(left, right) => unit(left, Comparison::Different, right),
                _ => return Err(Reason::Unbound),
            },
            (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                let all: Result<Vec<_>, _> = parts.iter().map(|part| self.products(part, disjunctive, types)).collect();
                all?.concat()
            }
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let mut all = vec![Vec::new()];
                for part in parts {
                    let more = self.products(part, disjunctive, types)?;
                    if !self.universe.spend(u64::try_from(all.len() * more.len()).unwrap_or(u64::MAX)) {
                        return Err(Reason::TooMuchWork);
                    }
                    let pairs = all.iter().flat_map(|one| more.iter().map(move |other| (one, other)));
                    all = pairs.filter_map(|(one, other)| self.joined(one, other, disjunctive, types)).collect();
                    if all.len() > MOST_CLAUSES {
                        return Err(Reason::TooManyClauses);
                    }
                }
                all
            }
            // Formulas with quantifiers are refused before.
            (Formula::Forall(..) | Formula::Exists(..), _) => return Err(Reason::Unbound),
        })
    }

    /// Returns the literals of both conjunctions, or clauses, without redundant ones; `None` if they contradict each
    /// other, or if the clause always holds.
    fn joined(
        &self,
        one: &[Literal],
        other: &[Literal],
        conjunction: bool,
        types: &[IndexTypeId],
    ) -> Option<Vec<Literal>> {
        let opposed = |a: &Literal, b: &Literal| match conjunction {
            true => clash(a, b),
            false => clash(&self.negated(a, types), &self.negated(b, types)),
        };
        let implies = |a: &Literal, b: &Literal| clash(a, &self.negated(b, types));
        let covers = |a: &Literal, b: &Literal| if conjunction { implies(a, b) } else { implies(b, a) };
        let mut all = one.to_vec();
        for literal in other {
            if all.iter().any(|own| opposed(own, literal)) {
                return None;
            }
            if !all.iter().any(|own| covers(own, literal)) {
                all.retain(|own| !covers(literal, own));
                all.push(literal.clone());
            }
        }
        Some(all)
    }

    /// Returns the normal form of the negation of a literal in normal form.
    fn negated(&self, literal: &Literal, types: &[IndexTypeId]) -> Literal {
        match literal.negated().decide(self.system, types) {
            Decision::Open(literal) => literal,
            // Neither can be: the literal itself is not decided.
            Decision::True | Decision::False => literal.negated(),
        }
    }

    /// Adds the cubes for each choice of a conjunction from each list.
    fn choose(
        &self,
        required: &[Vec<Vec<Literal>>],
        universals: &[Universal],
        literals: &mut Vec<Literal>,
        cubes: &mut BTreeSet<Cube>,
    ) -> Result<(), Reason> {
        if !self.universe.spend(1 + u64::try_from(literals.len() + universals.len()).unwrap_or(u64::MAX)) {
            return Err(Reason::TooMuchWork);
        }
        let Some((conjunctions, rest)) = required.split_first() else {
            cubes.extend(Cube::normalize_with(self.system, self.types, literals, universals));
            return if cubes.len() > MOST_DISJUNCTS { Err(Reason::TooManyClauses) } else { Ok(()) };
        };
        if conjunctions.iter().any(|conjunction| conjunction.iter().all(|literal| literals.contains(literal))) {
            return self.choose(rest, universals, literals, cubes);
        }
        for conjunction in conjunctions {
            if !conjunction.iter().any(|literal| literals.iter().any(|own| clash(own, literal))) {
                let before = literals.len();
                literals.extend(conjunction.iter().cloned());
                self.choose(rest, universals, literals, cubes)?;
                literals.truncate(before);
            }
        }
        Ok(())
    }
}

/// Returns whether two literals in normal form are complementary, or equate one read with two values.
fn clash(one: &Literal, other: &Literal) -> bool {
    if one.left != other.left {
        return false;
    }
    let is_value = |term: &Term| !matches!(term, Term::Read(..));
    match (one.comparison, other.comparison) {
        (Comparison::Equal, Comparison::Equal) => {
            one.right != other.right && is_value(&one.right) && is_value(&other.right)
        }
        (Comparison::Equal, Comparison::Different) | (Comparison::Different, Comparison::Equal) => {
            one.right == other.right
        }
        (Comparison::AtMost(most), Comparison::AtLeast(least))
        | (Comparison::AtLeast(least), Comparison::AtMost(most)) => one.right == other.right && least > most,
        (Comparison::Different, Comparison::Different)
        | (Comparison::AtMost(_), Comparison::AtMost(_))
        | (Comparison::AtLeast(_), Comparison::AtLeast(_)) => false,
        // A number is compared by bounds alone.
        (Comparison::AtMost(_) | Comparison::AtLeast(_), Comparison::Equal | Comparison::Different)
        | (Comparison::Equal | Comparison::Different, Comparison::AtMost(_) | Comparison::AtLeast(_)) => false,
    }
}

/// Returns the universal parts that no other one implies.
fn without_implied(universals: &[Universal]) -> Vec<Universal> {
    let mut kept: Vec<Universal> = Vec::new();
    for universal in universals {
        if !kept.iter().any(|own| implies(own, universal)) {
            kept.retain(|own| !implies(universal, own));
            kept.push(universal.clone());
        }
    }
    kept
}

/// Returns whether the first universal part implies the second: if both concern the same elements, or it says that there
/// are not so many elements.
fn implies(one: &Universal, other: &Universal) -> bool {
    let count = |all: &[IndexTypeId], index_type| all.iter().filter(|own| **own == index_type).count();
    let fewer = |&own: &IndexTypeId| count(&one.variables, own) <= count(&other.variables, own);
    if one.literals.is_empty() {
        return one.variables.iter().all(fewer);
    }
    other.variables.starts_with(&one.variables) && one.literals.iter().all(|literal| other.literals.contains(literal))
}

fn id(at: usize) -> IndexVariableId {
    IndexVariableId(position(at))
}
