//! The argument of an obligation, step by step, for a reader.
//!
//! In: a system, a certificate (which need not be a good one), a rule and an invariant. Out: for each match and branch what was
//! to be shown, what there was to start from, and what each step did, as text in the words of the model. It shows the
//! steps of the checker and decides nothing by itself.

use protocol::System;
use protocol::system::{Cube, Literal, RuleId};
use serde::Serialize;

use crate::branches::{Disjunct, Disjuncts};
use crate::clause::Clause;
use crate::context::Context;
use crate::fault::{Kind, Names, Step};
use crate::ground::{Ground, Made};
use crate::obligations::{Obligation, Refusal, Situation, Transition};
use crate::proof::{Certificate, InvariantId, Relation, RelationEntry};
use crate::relation::{Used, What, check_relation, context_of, due_kind, replay};

/// One obligation and how it is closed. Symbols are shown as `i0` (variable of the invariant), `o0` (another element),
/// or by their name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The rule.
    pub rule: String,
    /// What tells the cases of one Murphi rule apart.
    pub case: String,
    /// The line of the rule.
    pub line: u32,
    /// The number of the invariant.
    pub invariant: u32,
    /// The literals of its cube: no state satisfies all of them.
    pub cube: Vec<String>,
    /// For each parameter, its name and what it is.
    #[serde(rename = "match")]
    pub matching: Option<Vec<(String, String)>>,
    /// The number of the branch.
    pub branch: Option<u32>,
    /// For each literal of the cube, the alternatives for it to hold after the rule; an empty list is "never", an empty
    /// alternative "always".
    pub after: Vec<Vec<Vec<String>>>,
    /// The facts of the branch.
    pub facts: Vec<String>,
    /// The instances of the quantified parts of the guard.
    pub instances: Vec<String>,
    /// The one kind that is right.
    pub due: Kind,
    /// What the certificate says, where it has an entry.
    pub kind: Option<Kind>,
    /// Why, in a sentence.
    pub reason: &'static str,
    /// The steps of the argument.
    pub steps: Vec<ExplainedStep>,
    /// What is wrong with the entry, where something is.
    pub problems: Vec<String>,
}

/// One step of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedStep {
    /// The case that it is in: numbers from the outermost split to the innermost.
    pub case: Vec<u32>,
    /// What is used: `invariant 3 with i0 := i1`, or the equation of a case.
    pub used: String,
    /// The literals that the context knows.
    pub known: Vec<String>,
    /// The fact that joins the context.
    pub new: Option<String>,
    /// Whether the context is contradictory then.
    pub ends: bool,
}

/// Explains all obligations of a rule and an invariant.
///
/// # Errors
/// Where the obligations cannot be listed, or there is no such rule or invariant.
pub fn explain(
    system: &System,
    certificate: &Certificate,
    rule: RuleId,
    invariant: InvariantId,
) -> Result<Vec<Explanation>, Refusal> {
    let cube = certificate.invariants.get(invariant.index()).map(|invariant| &invariant.cube);
    let cube = cube.ok_or(Refusal::Malformed("there is no such invariant"))?;
    crate::system_check::cube(system, cube).map_err(Refusal::Malformed)?;
    let own = system.rules.get(rule.index()).ok_or(Refusal::Malformed("there is no such rule"))?;
    let transition = Transition::new(&own.scope, own.parameters, &own.guard, &own.updates)?;
    let explainer = Explainer { system, certificate, transition, rule, invariant, cube };
    transition.obligations(system, cube)?.iter().map(|obligation| explainer.explain(obligation)).collect()
}

struct Explainer<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    transition: Transition<'a>,
    rule: RuleId,
    invariant: InvariantId,
    cube: &'a Cube,
}

impl<'a> Explainer<'a> {
    fn explain(&self, obligation: &Obligation<'a>) -> Result<Explanation, Refusal> {
        let names = self.names();
        let ground = Ground { system: self.system, symbols: &obligation.symbols };
        let rule = &self.system.rules[self.rule.index()];
        let context = context_of(self.system, &self.transition, obligation)?;
        let due = due_kind(self.system, self.cube, obligation, context.as_ref());
        let mut explanation = Explanation {
            rule: rule.name.clone(),
            case: rule.case.clone(),
            line: rule.origin.line,
            invariant: self.invariant.0,
            cube: self.cube.literals.iter().map(|literal| self.literal(ground, literal)).collect(),
            matching: obligation.matching.as_ref().map(|matching| {
                let parameters = self.transition.parameters.iter().map(|parameter| parameter.name.clone());
                parameters.zip(names.matching(matching)).collect()
            }),
            branch: obligation.branch,
            after: self.after(obligation)?,
            facts: Vec::new(),
            instances: Vec::new(),
            due,
            kind: None,
            reason: reason(&obligation.situation, due),
            steps: Vec::new(),
            problems: Vec::new(),
        };
        if let Situation::Branch(branch) = &obligation.situation {
            explanation.facts = branch.facts.iter().map(|fact| names.made(&Made::Open(fact.clone()))).collect();
        }
        if let Some(context) = &context {
            explanation.instances = context.clauses().iter().flat_map(|clause| self.conjuncts(clause)).collect();
        }
        self.entry(obligation, context, &mut explanation);
        Ok(explanation)
    }

    fn names(&self) -> Names<'a> {
        Names { system: self.system }
    }

    fn literal(&self, ground: Ground<'_>, literal: &Literal) -> String {
        ground.cube_literal(literal).map_or_else(|_| "?".to_owned(), |made| self.names().made(&made))
    }

    fn after(&self, obligation: &Obligation<'_>) -> Result<Vec<Vec<Vec<String>>>, Refusal> {
        let Some(matching) = &obligation.matching else {
            return Ok(Vec::new());
        };
        let environment = self.transition.environment(matching);
        let ground = Ground { system: self.system, symbols: &obligation.symbols };
        let expansion = Disjuncts { ground, transition: self.transition, environment: &environment };
        let show = |disjunct: &Disjunct<'_>| {
            disjunct.facts.iter().map(|fact| self.names().made(&Made::Open(fact.clone()))).collect()
        };
        let alternatives = |literal| Ok(expansion.after(literal)?.iter().map(show).collect());
        self.cube.literals.iter().map(alternatives).collect()
    }

    /// What the certificate says, and what the checker says to that.
    fn entry(&self, obligation: &Obligation<'a>, context: Option<Context<'_>>, explanation: &mut Explanation) {
        let invariants: Vec<Option<&Cube>> = self
            .certificate
            .invariants
            .iter()
            .map(|invariant| crate::system_check::cube(self.system, &invariant.cube).is_ok().then_some(&invariant.cube))
            .collect();
        let wanted = |entry: &&RelationEntry| {
            (entry.rule, entry.invariant, &entry.matching, entry.branch)
                == (self.rule, self.invariant, &obligation.matching, obligation.branch)
        };
        let Some(entry) = self.certificate.relations.iter().find(wanted) else {
            explanation.problems.push("there is no entry for this obligation".to_owned());
            return;
        };
        explanation.kind = Some(Kind::of(&entry.relation));
        let problems =
            check_relation(self.system, &self.transition, self.cube, obligation, &entry.relation, &invariants);
        explanation.problems = problems.iter().map(ToString::to_string).collect();
        if let (Relation::Implied(argument), Some(context)) = (&entry.relation, context) {
            let used = replay(context, argument, &invariants, Some(Vec::new())).1;
            explanation.steps = self.steps(&used);
        }
    }

    fn steps(&self, used: &[Used]) -> Vec<ExplainedStep> {
        let names = self.names();
        used.iter()
            .map(|used| {
                let case = used
                    .at
                    .iter()
                    .filter_map(|step| match step {
                        Step::Case(number) => Some(*number),
                        Step::Premise(_) => None,
                    })
                    .collect();
                match &used.what {
                    What::Case(made) => {
                        let new = Some(names.made(made));
                        ExplainedStep { case, used: "case".to_owned(), known: Vec::new(), new, ends: used.ends }
                    }
                    What::Premise { instance, known, new } => {
                        let symbols: Vec<String> =
                            instance.substitution.iter().map(|symbol| names.symbol(*symbol)).collect();
                        ExplainedStep {
                            case,
                            used: format!("invariant {} at [{}]", instance.invariant.0, symbols.join(", ")),
                            known: known.iter().map(|made| names.made(made)).collect(),
                            new: new.as_ref().map(|made| names.made(made)),
                            ends: used.ends,
                        }
                    }
                }
            })
            .collect()
    }

    fn conjuncts(&self, clause: &Clause<'_>) -> Vec<String> {
        match clause {
            Clause::All(parts) => parts.iter().flat_map(|part| self.conjuncts(part)).collect(),
            Clause::Fact(Made::True) => Vec::new(),
            Clause::Fact(_) | Clause::Any(_) | Clause::Forall(_) => vec![self.clause(clause)],
        }
    }

    fn clause(&self, clause: &Clause<'_>) -> String {
        let join = |parts: &[Clause<'_>], sign: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.clause(part)).collect();
            format!("({})", parts.join(sign))
        };
        match clause {
            Clause::Fact(made) => self.names().made(made),
            Clause::All(parts) => join(parts, " & "),
            Clause::Any(parts) => join(parts, " | "),
            Clause::Forall(_) => "forall ...".to_owned(),
        }
    }
}

fn reason(situation: &Situation<'_>, due: Kind) -> &'static str {
    match (situation, due) {
        (Situation::Apart, _) => "the rule writes nothing that the invariant reads",
        (Situation::Unchanged, _) => "under this match, everything that the invariant reads keeps its value",
        (Situation::NoBranch, _) => "the guard and the cube after the rule contradict each other at sight",
        (Situation::Branch(_), Kind::HoldsAfter) => {
            "the facts, with the instances of the guard's quantifiers, contradict each other"
        }
        (Situation::Branch(_), Kind::Unaffected) => "the cube held before the rule already",
        (Situation::Branch(_), Kind::Implied) => "the named instances of invariants contradict the facts",
    }
}
