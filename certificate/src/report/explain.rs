//! The argument of an obligation, step by step, in the words of the model.
//!
//! An explanation shows, for each match and branch of a rule or startstate and an invariant, or for each cube of a
//! property, what there is to show, what there is to start from, and what each step does. The certificate need not be a
//! good one. The steps are those of the kernel; nothing is decided here.

use serde::Serialize;
use system::System;
use system::{Cube, PropertyId, RuleId, StartstateId};

use super::fault::Part;
use super::text::Names;
use crate::kernel::argument::{SPLIT_LIMIT, cases, use_premise};
use crate::kernel::branches::{Branch, Matched};
use crate::kernel::clause::Clause;
use crate::kernel::context::Context;
use crate::kernel::fault::{Kind, Problem, Refusal};
use crate::kernel::ground::{Equation, Ground, environment, variables, well_formed};
use crate::kernel::proof::{
    Argument, Certificate, Instance, InvariantId, PropertyEntry, Relation, RelationEntry, SymbolTypes,
};
use crate::kernel::{Invariants, Obligation, Situation, check_relation, due_kind, implied};

/// One obligation and how it is discharged. Symbols are shown as `i0` (a variable of the invariant), as `o0` (another
/// element), or by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The part of the certificate that discharges it: a relation, an entry about a startstate, or one about a
    /// property.
    pub place: Part,
    /// The rule, startstate or property.
    pub name: String,
    /// The case of the Murphi rule, if it was split into cases.
    pub case: String,
    /// The line of the rule, startstate or property.
    pub line: u32,
    /// The number of the invariant, or of the cube of the property.
    pub invariant: u32,
    /// The literals of its cube. No state satisfies all of them.
    pub cube: Vec<String>,
    /// The name of each parameter and what it denotes.
    #[serde(rename = "match")]
    pub matching: Option<Vec<(String, String)>>,
    /// The number of the branch.
    pub branch: Option<u32>,
    /// For each literal of the cube, the alternatives for it to hold after the rule. An empty list means "never", an
    /// empty alternative "always".
    pub after: Vec<Vec<Vec<String>>>,
    /// The facts of the branch. For a startstate, those of the first branch that remains.
    pub facts: Vec<String>,
    /// The instances of the quantified parts of the guard.
    pub instances: Vec<String>,
    /// The right kind of relation.
    pub due: Option<Kind>,
    /// The kind that the certificate has.
    pub kind: Option<Kind>,
    /// Why, in a sentence.
    pub reason: &'static str,
    /// The steps of the argument.
    pub steps: Vec<ExplainedStep>,
    /// What is wrong with the entry.
    pub problems: Vec<String>,
}

/// One step of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedStep {
    /// The case that it is in: its numbers, from the outermost split to the innermost.
    pub case: Vec<u32>,
    /// What is used: `invariant 3 at [i1]`, or `case`.
    pub used: String,
    /// The literals that the context contains.
    pub known: Vec<String>,
    /// The fact that joins the context.
    pub new: Option<String>,
    /// Whether the context is contradictory then, which ends the argument.
    pub ends: bool,
}

/// Explains all obligations of a rule and an invariant.
///
/// # Errors
/// If the obligations cannot be listed, or there is no such rule or invariant.
pub fn explain(
    system: &System,
    certificate: &Certificate,
    rule: RuleId,
    invariant: InvariantId,
) -> Result<Vec<Explanation>, Refusal> {
    let cube = cube_of(system, certificate, invariant)?;
    let own = system.rules.get(rule.index()).ok_or(Refusal::Malformed("there is no such rule"))?;
    let about = About { place: Part::Relation, name: &own.name, case: &own.case, line: own.origin.line };
    let explainer = Explainer { system, certificate, about, invariant: invariant.0, cube };
    let obligations = Matched::new(system, own, cube).obligations()?;
    obligations.iter().map(|obligation| explainer.relation(own, rule, obligation)).collect()
}

/// Explains why an invariant holds in the states of a startstate, match by match.
///
/// # Errors
/// If the matches cannot be listed, or there is no such startstate or invariant.
pub fn explain_startstate(
    system: &System,
    certificate: &Certificate,
    startstate: StartstateId,
    invariant: InvariantId,
) -> Result<Vec<Explanation>, Refusal> {
    let cube = cube_of(system, certificate, invariant)?;
    let own = system.startstates.get(startstate.index());
    let own = own.ok_or(Refusal::Malformed("there is no such startstate"))?;
    let about = About { place: Part::Initial, name: &own.name, case: "", line: own.origin.line };
    let explainer = Explainer { system, certificate, about, invariant: invariant.0, cube };
    let matches = Matched::new(system, own, cube).matches()?;
    matches.iter().map(|matched| explainer.initial(startstate, matched)).collect()
}

/// Explains why no reachable state satisfies a cube of a property, for each of its cubes.
///
/// # Errors
/// If a cube is not well-formed, or there is no such property.
pub fn explain_property(
    system: &System,
    certificate: &Certificate,
    property: PropertyId,
) -> Result<Vec<Explanation>, Refusal> {
    let own = system.properties.get(property.index()).ok_or(Refusal::Malformed("there is no such property"))?;
    let about = About { place: Part::Property, name: &own.name, case: "", line: own.origin.line };
    let explain = |(number, cube): (u32, &Cube)| {
        well_formed(system, cube).map_err(Refusal::Malformed)?;
        Explainer { system, certificate, about, invariant: number, cube }.property(property)
    };
    (0..).zip(&own.bad).map(explain).collect()
}

/// The cube of an invariant.
fn cube_of<'c>(system: &System, certificate: &'c Certificate, invariant: InvariantId) -> Result<&'c Cube, Refusal> {
    let own = certificate.invariants.get(invariant.index()).ok_or(Refusal::Malformed("there is no such invariant"))?;
    well_formed(system, &own.cube).map_err(Refusal::Malformed)?;
    Ok(&own.cube)
}

/// What is explained.
#[derive(Clone, Copy)]
struct About<'a> {
    place: Part,
    name: &'a str,
    case: &'a str,
    line: u32,
}

struct Explainer<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    about: About<'a>,
    /// The number of the invariant, or of the cube of a property.
    invariant: u32,
    cube: &'a Cube,
}

impl<'a> Explainer<'a> {
    fn relation(
        &self,
        transition: &'a system::Transition,
        rule: RuleId,
        obligation: &Obligation<'a>,
    ) -> Result<Explanation, Refusal> {
        let due = due_kind(obligation);
        let mut explanation = self.start(&obligation.symbols, reason(obligation, due))?;
        explanation.due = Some(due);
        explanation.branch = obligation.branch;
        if let Some(matching) = &obligation.matching {
            let (symbols, matching) = (obligation.symbols.clone(), matching.clone());
            let matched = Matched { symbols, matching, ..Matched::new(self.system, transition, self.cube) };
            self.matched(&matched, &mut explanation)?;
        }
        if let Situation::Branch(context) = &obligation.situation {
            explanation.instances = context.clauses().iter().flat_map(|clause| self.conjuncts(clause)).collect();
        }
        self.entry(rule, obligation, &mut explanation);
        Ok(explanation)
    }

    /// One match of a startstate.
    fn initial(&self, startstate: StartstateId, matched: &Matched<'_>) -> Result<Explanation, Refusal> {
        let reason = "the values that the startstate assigns and the cube contradict each other directly";
        let mut explanation = self.start(&matched.symbols, reason)?;
        self.matched(matched, &mut explanation)?;
        let place = (startstate, InvariantId(self.invariant), &matched.matching);
        if !self.certificate.initial.iter().any(|own| (own.startstate, own.invariant, &own.matching) == place) {
            self.problems(&[Problem::Missing], &mut explanation);
        }
        let branches = matched.branches()?.into_iter().zip(matched.contexts()?);
        if let Some((branch, _)) = branches.into_iter().find(|(_, context)| !context.is_contradictory()) {
            explanation.facts = self.facts(&branch);
            self.problems(&[Problem::InitialOpen], &mut explanation);
        }
        Ok(explanation)
    }

    /// One cube of a property.
    fn property(&self, property: PropertyId) -> Result<Explanation, Refusal> {
        let symbols = SymbolTypes { variables: self.cube.variables.clone(), others: Vec::new() };
        let reason = "the instances of invariants that the certificate names have to contradict the cube";
        let mut explanation = self.start(&symbols, reason)?;
        let context = Context::of(self.system, self.cube)?;
        let wanted = |entry: &&PropertyEntry| (entry.property, entry.cube) == (property, self.invariant);
        let problem = match self.certificate.properties.iter().find(wanted) {
            Some(entry) => self.argument(&context, &entry.argument, &mut explanation),
            None => Some(Problem::Missing),
        };
        self.problems(problem.as_slice(), &mut explanation);
        Ok(explanation)
    }

    /// The explanation without match, branch and entry.
    fn start(&self, symbols: &SymbolTypes, reason: &'static str) -> Result<Explanation, Refusal> {
        let ground = Ground { system: self.system, symbols };
        let cube = ground.literals(&self.cube.literals, &variables(self.cube))?;
        Ok(Explanation {
            place: self.about.place,
            name: self.about.name.to_owned(),
            case: self.about.case.to_owned(),
            line: self.about.line,
            invariant: self.invariant,
            cube: cube.iter().map(|equation| self.names().equation(equation)).collect(),
            matching: None,
            branch: None,
            after: Vec::new(),
            facts: Vec::new(),
            instances: Vec::new(),
            due: None,
            kind: None,
            reason,
            steps: Vec::new(),
            problems: Vec::new(),
        })
    }

    fn names(&self) -> Names<'a> {
        Names { system: self.system }
    }

    fn problems(&self, problems: &[Problem], explanation: &mut Explanation) {
        explanation.problems.extend(problems.iter().map(|problem| self.names().found(problem)));
    }

    fn facts(&self, branch: &Branch<'_>) -> Vec<String> {
        branch.facts.iter().map(|fact| self.names().equation(&Equation::Open(fact.clone()))).collect()
    }

    /// Adds what the parameters denote, and when each literal holds after the rule.
    fn matched(&self, matched: &Matched<'_>, explanation: &mut Explanation) -> Result<(), Refusal> {
        let parameters = (0..matched.rule.parameters).zip(&matched.rule.scope).map(|(_, own)| own.name.clone());
        explanation.matching = Some(parameters.zip(self.names().matching(&matched.matching)).collect());
        for literal in &self.cube.literals {
            let after = matched.after(literal, &environment(&variables(self.cube)))?;
            explanation.after.push(matched.normal_form(&after)?.iter().map(|branch| self.facts(branch)).collect());
        }
        let branch = explanation.branch.and_then(|number| usize::try_from(number).ok());
        if let Some(branch) = branch.and_then(|number| matched.branches().ok()?.into_iter().nth(number)) {
            explanation.facts = self.facts(&branch);
        }
        Ok(())
    }

    /// The cubes of the invariants; `None` for one that is not well-formed.
    fn invariants(&self) -> Vec<Option<&'a Cube>> {
        let cubes = self.certificate.invariants.iter().map(|invariant| &invariant.cube);
        let cubes = cubes.chain(self.system.axioms.iter().flat_map(|axiom| &axiom.bad));
        cubes.map(|cube| well_formed(self.system, cube).is_ok().then_some(cube)).collect()
    }

    /// Adds what the certificate says about a rule, and what the kernel finds.
    fn entry(&self, rule: RuleId, obligation: &Obligation<'a>, explanation: &mut Explanation) {
        let place = (rule, InvariantId(self.invariant), &obligation.matching, obligation.branch);
        let wanted = |entry: &&RelationEntry| (entry.rule, entry.invariant, &entry.matching, entry.branch) == place;
        let Some(entry) = self.certificate.relations.iter().find(wanted) else {
            self.problems(&[Problem::Missing], explanation);
            return;
        };
        explanation.kind = Some(Kind::of(&entry.relation));
        let problem = check_relation(obligation, &entry.relation, &self.invariants()).err();
        self.problems(problem.as_slice(), explanation);
        if let (Relation::Implied(argument), Situation::Branch(context)) = (&entry.relation, &obligation.situation) {
            self.argument(context, argument, explanation);
        }
    }

    /// Explains the steps of an argument, and returns the first problem with it.
    fn argument(&self, context: &Context<'_>, argument: &Argument, explanation: &mut Explanation) -> Option<Problem> {
        let invariants = self.invariants();
        self.steps(context.clone(), argument, &invariants, &mut Vec::new(), &mut explanation.steps);
        implied(context, argument, &invariants).err()
    }

    /// The steps up to the first wrong one, and those of each case of a split; `case` is the case that the argument is
    /// in.
    fn steps(
        &self,
        mut context: Context<'_>,
        argument: &Argument,
        invariants: &Invariants<'_>,
        case: &mut Vec<u32>,
        steps: &mut Vec<ExplainedStep>,
    ) {
        for premise in &argument.premises {
            let before = context.clone();
            let Ok(new) = use_premise(&mut context, premise, invariants) else {
                return;
            };
            steps.push(self.premise(
                &before,
                premise,
                invariants,
                ExplainedStep {
                    case: case.clone(),
                    used: String::new(),
                    known: Vec::new(),
                    new: (new != Equation::False).then(|| self.names().equation(&new)),
                    ends: context.is_contradictory(),
                },
            ));
        }
        let Some(split) = argument.split.as_ref().filter(|_| !context.is_contradictory() && case.len() < SPLIT_LIMIT)
        else {
            return;
        };
        let cases = cases(&context, split, invariants).unwrap_or_default();
        for ((number, (inner, equations)), argument) in (0..).zip(cases).zip(&split.cases) {
            case.push(number);
            let new: Vec<String> = equations.iter().map(|equation| self.names().equation(equation)).collect();
            let new = Some(new.join(" & "));
            let (used, ends) = ("case".to_owned(), inner.is_contradictory());
            steps.push(ExplainedStep { case: case.clone(), used, known: Vec::new(), new, ends });
            self.steps(inner, argument, invariants, case, steps);
            case.pop();
        }
    }

    /// Adds to a step which instance it uses, and which of its literals the context contained before.
    fn premise(
        &self,
        before: &Context<'_>,
        premise: &Instance,
        invariants: &Invariants<'_>,
        mut step: ExplainedStep,
    ) -> ExplainedStep {
        let names = self.names();
        let symbols: Vec<String> = premise.substitution.iter().map(|symbol| names.symbol(*symbol)).collect();
        step.used = format!("invariant {} at [{}]", premise.invariant.0, symbols.join(", "));
        let cube = invariants.get(premise.invariant.index()).copied().flatten();
        let literals = cube.and_then(|cube| before.ground().literals(&cube.literals, &premise.substitution).ok());
        let known = literals.into_iter().flatten().filter(|literal| before.knows(literal) == Some(true));
        step.known = known.map(|literal| names.equation(&literal)).collect();
        step
    }

    fn conjuncts(&self, clause: &Clause<'_>) -> Vec<String> {
        match clause {
            Clause::All(parts) => parts.iter().flat_map(|part| self.conjuncts(part)).collect(),
            Clause::Fact(Equation::True) => Vec::new(),
            Clause::Fact(_) | Clause::Any(_) | Clause::Each(_) | Clause::Some(_) => vec![self.clause(clause)],
        }
    }

    fn clause(&self, clause: &Clause<'_>) -> String {
        let join = |parts: &[Clause<'_>], sign: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.clause(part)).collect();
            format!("({})", parts.join(sign))
        };
        match clause {
            Clause::Fact(equation) => self.names().equation(equation),
            Clause::All(parts) => join(parts, " & "),
            Clause::Any(parts) => join(parts, " | "),
            Clause::Each(_) => "something for each element".to_owned(),
            Clause::Some(_) => "something for some element".to_owned(),
        }
    }
}

fn reason(obligation: &Obligation<'_>, due: Kind) -> &'static str {
    match (&obligation.situation, due) {
        (Situation::Unchanged, _) if obligation.matching.is_none() => {
            "the rule updates nothing that the invariant reads"
        }
        (Situation::Unchanged, _) => "under this match, everything that the invariant reads keeps its value",
        (Situation::NoBranch, _) => "the guard and the cube after the rule contradict each other directly",
        (Situation::Branch(_), Kind::HoldsAfter) => {
            "the facts, with the instances of the guard's quantifiers, contradict each other"
        }
        (Situation::Branch(_), Kind::Unaffected) => "the cube holds before the rule already",
        (Situation::Branch(_), Kind::Implied) => {
            "the instances of invariants that the certificate names have to contradict the facts"
        }
    }
}
