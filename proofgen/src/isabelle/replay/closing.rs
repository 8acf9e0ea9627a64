//! Closes a case of a proof, or splits it further.
//!
//! A case is closed by facts that contradict each other; facts that are not needed are dropped one after the other.
//! Otherwise the next split is one of the certificate's, if it has one. This module must not invent instances.

use std::collections::BTreeSet;

use certificate::proof::{Argument, Match, SplitOn};
use system::{Comparison, Sort, VariableId};

use super::super::ground::{self, Clause, Frame, Ground, GroundLiteral, Part, Place, Problem, Truth};
use super::super::translate;
use super::view::{Known, View};
use super::{Fact, Split};

impl View<'_> {
    /// Returns the facts needed for a contradiction; `None` if there is no contradiction.
    pub(super) fn contradiction(&self, after: &[Clause], facts: &[Known]) -> Option<Vec<Fact>> {
        let assumed =
            self.state.literals.iter().map(|literal| vec![Part::Literal(literal.clone())]).collect::<Vec<_>>();
        let needed = |facts: &[&Known]| {
            let mut groups = vec![after, &assumed];
            groups.extend(facts.iter().map(|(_, clauses)| clauses.as_slice()));
            let always = groups.len() - facts.len();
            let problem = Problem::new(self, &groups);
            let mut kept = (0..groups.len()).collect::<Vec<_>>();
            let mut used = problem.refuted(&kept)?;
            for position in (always..groups.len()).rev() {
                let removed = kept.remove(position);
                // Without what was not used, it is the same contradiction.
                if used.contains(&removed) {
                    match problem.refuted(&kept) {
                        Some(others) => used = others,
                        None => kept.insert(position, removed),
                    }
                }
            }
            Some(kept.iter().skip(always).map(|group| facts[group - always].0.clone()).collect())
        };
        let known = facts.iter().collect::<Vec<_>>();
        needed(&known).or_else(|| {
            let types = self.types(after, facts);
            needed(&facts.iter().chain(&types).collect::<Vec<_>>())
        })
    }

    /// The types of all state variables that are read, except truth values and numbers.
    fn types(&self, after: &[Clause], facts: &[Known]) -> Vec<Known> {
        let mut literals = ground::literals(after);
        literals.extend(facts.iter().flat_map(|(_, clauses)| ground::literals(clauses)).chain(&self.state.literals));
        let terms = literals.iter().flat_map(|literal| [&literal.left, &literal.right]).collect::<BTreeSet<_>>();
        let mut types = Vec::new();
        for term in &terms {
            if let Ground::Read(variable, places) = term
                && translate::is_val(self.pair.system, *variable)
            {
                let clauses = self.type_clauses(term, self.pair.system.sort_of(*variable), &terms);
                types.push((Fact::Type(*variable, places.clone()), clauses));
            }
        }
        types
    }

    fn type_clauses(&self, read: &Ground, sort: &Sort, terms: &BTreeSet<&Ground>) -> Vec<Clause> {
        let literal = |comparison: Comparison, right: &Ground| {
            Part::Literal(GroundLiteral { left: read.clone(), comparison, right: right.clone() })
        };
        if sort.is_finite() {
            return vec![
                sort.constants.iter().map(|value| literal(Comparison::Equal, &Ground::Constant(*value))).collect(),
            ];
        }
        let outside = terms.iter().filter(|term| match term {
            Ground::Constant(constant) => !sort.constants.contains(constant),
            Ground::Index(place) => !sort.index_types.contains(&self.state.elements[*place].index_type),
            Ground::Read(..) | Ground::Zero => false,
        });
        outside.map(|term| vec![literal(Comparison::Different, term)]).collect()
    }

    /// The next split if the literals after the rule are all decided.
    pub(super) fn next_split(&self, after: &[Clause], facts: &[Known]) -> Option<Split> {
        let (_, open) = self.others();
        let (elements, literal) = match open {
            Some(Split::Elements(one, other)) => (Some(Split::Elements(one, other)), None),
            open => (None, open),
        };
        let named = self.instances().into_iter().chain(self.promises());
        let wanted = named.into_iter().find_map(|(_, places)| match self.distinct(&places) {
            Some((one, other)) if self.compare(one, other) == Truth::Open => Some(Split::Elements(one, other)),
            _ => None,
        });
        wanted
            .or_else(|| self.certificate_split())
            .or_else(|| self.next_promise())
            .or(elements)
            .or_else(|| self.match_split())
            .or_else(|| self.witness_match())
            .or_else(|| self.own_witness())
            .or(literal)
            .or_else(|| self.clause_split(after, facts))
    }

    /// The next split of the certificate on the value of a state variable.
    fn certificate_split(&self) -> Option<Split> {
        let mut entries = self.pair.entries.iter().filter(|(matching, _)| self.possible(matching));
        entries
            .find_map(|(matching, arguments)| arguments.iter().find_map(|argument| self.split(matching, argument, &[])))
    }

    pub(super) fn split(&self, matching: &Match, argument: &Argument, path: &[Place]) -> Option<Split> {
        let split = argument.split.as_ref()?;
        let own = match &split.on {
            SplitOn::Value(variable, arguments) => {
                let places = arguments.iter().map(|symbol| self.symbol(matching, *symbol, path));
                let places = places.collect::<Option<Vec<_>>>()?;
                let places = places.into_iter().map(|place| self.place(place)).collect::<Vec<_>>();
                self.value_split(*variable, &places)
            }
            SplitOn::Bound(left, right, sum) => {
                let literal = self.bound(matching, (left, right.as_ref(), *sum), path)?;
                self.decided(&literal).is_none().then_some(Split::Literal(literal))
            }
            SplitOn::Witness(instance) => return self.witness_split(matching, split, instance, path),
        };
        let below = || {
            let mut cases = self.cases(matching, split, path).into_iter();
            cases.find_map(|(case, path)| self.split(matching, case, &path))
        };
        own.or_else(below)
    }

    /// The next value of a state variable to split on; `None` if its value is known.
    fn value_split(&self, variable: VariableId, places: &[Place]) -> Option<Split> {
        let left = Ground::Read(variable, places.to_vec());
        if self.state.literals.iter().any(|literal| literal.comparison.is_equal() && literal.left == left) {
            return None;
        }
        let sort = self.pair.system.sort_of(variable);
        let constants = sort.constants.iter().map(|value| Ground::Constant(*value));
        let elements = sort.index_types.iter().flat_map(|kind| self.places(*kind)).map(Ground::Index);
        let mut literals = constants.chain(elements).map(|right| GroundLiteral {
            left: left.clone(),
            comparison: Comparison::Equal,
            right,
        });
        let open = literals.find(|literal| self.decided(literal).is_none()).map(Split::Literal);
        let fresh = || sort.index_types.first().map(|kind| Split::Fresh(variable, places.to_vec(), *kind));
        open.or_else(fresh)
    }

    /// The next split between matches that are not distinguished yet.
    fn match_split(&self) -> Option<Split> {
        let parameters = 0..self.pair.parameters();
        let others = |place: Place| place + 1..self.state.elements.len();
        let mut pairs = parameters.flat_map(|place| others(place).map(move |other| (place, other)));
        let open = pairs.find(|(one, other)| self.compare(*one, *other) == Truth::Open);
        open.map(|(one, other)| Split::Elements(self.place(one), self.place(other)))
    }

    /// The next split on an open part of a disjunction.
    fn clause_split(&self, after: &[Clause], facts: &[Known]) -> Option<Split> {
        let clauses = after.iter().chain(facts.iter().flat_map(|(_, clauses)| clauses));
        let clauses = clauses.filter(|clause| clause.len() > 1);
        clauses
            .flat_map(|clause| ground::literals(std::slice::from_ref(clause)))
            .find(|literal| {
                let elements = matches!((&literal.left, &literal.right), (Ground::Index(_), Ground::Index(_)));
                !elements && self.decided(literal).is_none()
            })
            .cloned()
            .map(Split::Literal)
    }
}
