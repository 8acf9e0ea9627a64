//! Invariants with 'there is': their proofs by contradiction, and the lemmas that give their witnesses.
//!
//! The negation of such an invariant says something of all other elements. A proof uses that at the elements that it
//! names, so the assumptions of the contradiction have names, too.

use minijinja::{Value as Json, context};
use system::Cube;

use super::definitions::Definitions;
use super::replay::Step;
use super::script::{Absurd, Steps};
use super::term::{Binder, Infix, Term};
use super::text;

impl Definitions<'_> {
    /// The proof that a cube with universal parts is absurd, over variables with the given names and in a given state.
    pub(super) fn absurd(
        &self,
        cube: &Cube,
        (names, state): (&[String], &str),
        negation: &Term,
        unfold: &str,
        steps: Steps<'_>,
        step: &Step,
    ) -> String {
        let own = [self.distinct(&cube.variables, names), self.cube(cube, names, state)].concat();
        let others = cube.universals.iter().map(|universal| self.universal(cube, universal, names, state)).collect();
        let first = if own.is_empty() { "" } else { "insert own" };
        let assumed = [("own", own), ("others", others)];
        Absurd { negation, unfold, assumed: &assumed }.proof(&steps.script(first, step))
    }

    /// The lemma that gives the elements that violate a universal part of a cube that is excluded; `None` if there is no
    /// such part. The fact with the given name follows from the given assumptions.
    pub(super) fn witness_lemma(
        &self,
        cube: &Cube,
        fact: &str,
        names: &[String],
        assumptions: Vec<String>,
    ) -> Option<Json> {
        let goal_name = self.words.variable("P", names);
        let goal = || Term::name(goal_name.as_str());
        let own = [self.distinct(&cube.variables, names), self.cube(cube, names, "s")].concat();
        let promise = (!own.is_empty()).then(|| {
            let fails = Term::negation(Term::conjunction(own));
            text::quoted(&Term::infix(Infix::Entails, fails, goal()), 8)
        });
        let cases = cube.universals.iter().map(|universal| {
            let other = self.other(cube, universal, names, "s", &[]);
            let negated = other.literals.into_iter().map(Term::negation);
            let premises = other.ranges.into_iter().chain(other.differ).chain(negated).collect();
            text::quoted(&Term::bind(Binder::All, other.names, Term::implication(Infix::Entails, premises, goal())), 8)
        });
        let by = (1..=assumptions.len()).map(|number| format!("assms({number})")).collect::<Vec<_>>().join(" ");
        let at = if names.is_empty() { String::new() } else { format!(", of {}", names.join(" ")) };
        let from = assumptions.len() + 1;
        let premises = promise.into_iter().chain(cases).collect::<Vec<_>>();
        let rest = (from..from + premises.len()).map(|number| format!("assms({number})")).collect::<Vec<_>>().join(" ");
        let promising = !cube.universals.is_empty();
        promising.then(|| {
            context! {
                name => format!("{fact}_witness"),
                assumptions => assumptions.into_iter().chain(premises).collect::<Vec<_>>(),
                fact => format!("{fact}[OF {by}{at}]"),
                rest,
                goal => goal_name,
            }
        })
    }
}
