//! The argument of an obligation, step by step, for a reader.
//!
//! In: a system, a certificate (which need not be a good one), a rule and an invariant. Out: for each match and branch what was
//! to be shown, what there was to start from, and what each step did, as text in the words of the model. It shows the
//! steps of the checker and decides nothing by itself.

use protocol::System;
use protocol::system::{Cube, RuleId};
use serde::Serialize;

use crate::branches::Branch;
use crate::clause::Clause;
use crate::fault::{Kind, Names, Refusal, Step};
use crate::ground::{Ground, Made, variables, well_formed};
use crate::obligations::{Obligation, Situation, Transition};
use crate::proof::{Certificate, Instance, InvariantId, Relation, RelationEntry};
use crate::relation::{check_relation, due_kind, replay};

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

/// What an instance or a case did to the context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    /// Where in the argument.
    pub(crate) at: Vec<Step>,
    /// The invariant and its literals, or the equation of a case.
    pub(crate) what: What,
    /// Whether the context is contradictory then.
    pub(crate) ends: bool,
}

/// An instance or a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// An instance: the literals that the context knows, and what joins it: the negation of the literal that is left,
    /// or falsehood where none is left.
    Premise { instance: Instance, known: Vec<Made>, new: Made },
    /// A case of a split.
    Case(Made),
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
    well_formed(system, cube).map_err(Refusal::Malformed)?;
    let own = system.rules.get(rule.index()).ok_or(Refusal::Malformed("there is no such rule"))?;
    let transition = Transition::of_rule(own)?;
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
        let due = due_kind(obligation);
        let mut explanation = Explanation {
            rule: rule.name.clone(),
            case: rule.case.clone(),
            line: rule.origin.line,
            invariant: self.invariant.0,
            cube: ground.instance(self.cube, &variables(self.cube))?.iter().map(|made| names.made(made)).collect(),
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
        if let Situation::Branch(branch, context) = &obligation.situation {
            explanation.facts = branch.facts.iter().map(|fact| names.made(&Made::Open(fact.clone()))).collect();
            explanation.instances = context.clauses().iter().flat_map(|clause| self.conjuncts(clause)).collect();
        }
        self.entry(obligation, &mut explanation);
        Ok(explanation)
    }

    fn names(&self) -> Names<'a> {
        Names { system: self.system }
    }

    fn after(&self, obligation: &Obligation<'_>) -> Result<Vec<Vec<Vec<String>>>, Refusal> {
        let Some(matching) = &obligation.matching else {
            return Ok(Vec::new());
        };
        let matched = self.transition.matched(self.system, self.cube, matching, &obligation.symbols);
        let show = |branch: &Branch<'_>| {
            branch.facts.iter().map(|fact| self.names().made(&Made::Open(fact.clone()))).collect()
        };
        let alternatives = |literal| Ok(matched.after(vec![Branch::default()], literal)?.iter().map(show).collect());
        self.cube.literals.iter().map(alternatives).collect()
    }

    /// What the certificate says, and what the checker says to that.
    fn entry(&self, obligation: &Obligation<'a>, explanation: &mut Explanation) {
        let invariants: Vec<Option<&Cube>> = self
            .certificate
            .invariants
            .iter()
            .map(|invariant| well_formed(self.system, &invariant.cube).is_ok().then_some(&invariant.cube))
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
        let problems = check_relation(obligation, &entry.relation, &invariants);
        explanation.problems = problems.iter().map(|problem| self.names().found(problem)).collect();
        if let (Relation::Implied(argument), Situation::Branch(_, context)) = (&entry.relation, &obligation.situation) {
            replay(context, argument, &invariants, &mut |used| explanation.steps.push(self.step(&used)));
        }
    }

    fn step(&self, used: &Used) -> ExplainedStep {
        let names = self.names();
        let case_of = |step: &Step| match step {
            Step::Case(number) => Some(*number),
            Step::Premise(_) => None,
        };
        let case = used.at.iter().filter_map(case_of).collect();
        match &used.what {
            What::Case(made) => {
                let new = Some(names.made(made));
                ExplainedStep { case, used: "case".to_owned(), known: Vec::new(), new, ends: used.ends }
            }
            What::Premise { instance, known, new } => {
                let symbols: Vec<String> = instance.substitution.iter().map(|symbol| names.symbol(*symbol)).collect();
                ExplainedStep {
                    case,
                    used: format!("invariant {} at [{}]", instance.invariant.0, symbols.join(", ")),
                    known: known.iter().map(|made| names.made(made)).collect(),
                    new: (*new != Made::False).then(|| names.made(new)),
                    ends: used.ends,
                }
            }
        }
    }

    fn conjuncts(&self, clause: &Clause) -> Vec<String> {
        match clause {
            Clause::All(parts) => parts.iter().flat_map(|part| self.conjuncts(part)).collect(),
            Clause::Fact(Made::True) => Vec::new(),
            Clause::Fact(_) | Clause::Any(_) => vec![self.clause(clause)],
        }
    }

    fn clause(&self, clause: &Clause) -> String {
        let join = |parts: &[Clause], sign: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.clause(part)).collect();
            format!("({})", parts.join(sign))
        };
        match clause {
            Clause::Fact(made) => self.names().made(made),
            Clause::All(parts) => join(parts, " & "),
            Clause::Any(parts) => join(parts, " | "),
        }
    }
}

fn reason(situation: &Situation<'_>, due: Kind) -> &'static str {
    match (situation, due) {
        (Situation::Apart, _) => "the rule writes nothing that the invariant reads",
        (Situation::Unchanged, _) => "under this match, everything that the invariant reads keeps its value",
        (Situation::NoBranch, _) => "the guard and the cube after the rule contradict each other at sight",
        (Situation::Branch(..), Kind::HoldsAfter) => {
            "the facts, with the instances of the guard's quantifiers, contradict each other"
        }
        (Situation::Branch(..), Kind::Unaffected) => "the cube held before the rule already",
        (Situation::Branch(..), Kind::Implied) => "the named instances of invariants have to contradict the facts",
    }
}
