//! The argument of an obligation, step by step, for a reader.
//!
//! In: a system, a certificate (which need not be a good one), and a rule and an invariant, a startstate and an invariant,
//! or a property. Out: for each match and branch, or each cube of the property, what was
//! to be shown, what there was to start from, and what each step did, as text in the words of the model. It shows the
//! steps of the checker and decides nothing by itself.

use serde::Serialize;
use system::System;
use system::{Cube, PropertyId, RuleId, StartstateId};

use crate::branches::Branch;
use crate::clause::Clause;
use crate::context::Context;
use crate::fault::{Kind, Names, Part, Problem, Refusal, Step};
use crate::ground::{Ground, Made, variables, well_formed};
use crate::obligations::{Obligation, Situation, Transition};
use crate::proof::{
    Argument, Certificate, Instance, InvariantId, Match, PropertyEntry, Relation, RelationEntry, SymbolTypes,
};
use crate::relation::{check_relation, due_kind, replay};

/// One obligation and how it is closed. Symbols are shown as `i0` (variable of the invariant), `o0` (another element),
/// or by their name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What part of the certificate closes it: a relation, an entry about a startstate, or one about a property.
    pub place: Part,
    /// The rule, startstate or property.
    pub name: String,
    /// What tells the cases of one Murphi rule apart.
    pub case: String,
    /// The line of the rule, startstate or property.
    pub line: u32,
    /// The number of the invariant, or of the cube of the property.
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
    /// The facts of the branch; of a startstate, those of the first branch that remains.
    pub facts: Vec<String>,
    /// The instances of the quantified parts of the guard.
    pub instances: Vec<String>,
    /// The one kind that is right, of a relation.
    pub due: Option<Kind>,
    /// What the certificate says, where it has a relation.
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
    let cube = cube_of(system, certificate, invariant)?;
    let own = system.rules.get(rule.index()).ok_or(Refusal::Malformed("there is no such rule"))?;
    let transition = Transition::of_rule(own)?;
    let about = About { place: Part::Relation, name: &own.name, case: &own.case, line: own.origin.line };
    let explainer = Explainer { system, certificate, about, invariant: invariant.0, cube };
    let obligations = transition.obligations(system, cube)?;
    obligations.iter().map(|obligation| explainer.relation(transition, rule, obligation)).collect()
}

/// Explains why an invariant holds in the states that a startstate makes, match by match.
///
/// # Errors
/// Where the matches cannot be listed, or there is no such startstate or invariant.
pub fn explain_startstate(
    system: &System,
    certificate: &Certificate,
    startstate: StartstateId,
    invariant: InvariantId,
) -> Result<Vec<Explanation>, Refusal> {
    let cube = cube_of(system, certificate, invariant)?;
    let own = system.startstates.get(startstate.index());
    let own = own.ok_or(Refusal::Malformed("there is no such startstate"))?;
    let transition = Transition::of_startstate(own)?;
    let about = About { place: Part::Initial, name: &own.name, case: "", line: own.origin.line };
    let explainer = Explainer { system, certificate, about, invariant: invariant.0, cube };
    let matches = transition.matches(system, cube)?;
    matches.iter().map(|(matching, symbols)| explainer.initial(transition, startstate, matching, symbols)).collect()
}

/// Explains why no reachable state satisfies a cube of a property, for each of its cubes.
///
/// # Errors
/// Where a cube is not well-formed, or there is no such property.
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
        transition: Transition<'a>,
        rule: RuleId,
        obligation: &Obligation<'a>,
    ) -> Result<Explanation, Refusal> {
        let due = due_kind(obligation);
        let mut explanation = self.start(&obligation.symbols, reason(&obligation.situation, due))?;
        explanation.due = Some(due);
        explanation.branch = obligation.branch;
        if let Some(matching) = &obligation.matching {
            self.matched(transition, matching, &obligation.symbols, &mut explanation)?;
        }
        if let Situation::Branch(branch, context) = &obligation.situation {
            explanation.facts = self.facts(branch);
            explanation.instances = context.clauses().iter().flat_map(|clause| self.conjuncts(clause)).collect();
        }
        self.entry(rule, obligation, &mut explanation);
        Ok(explanation)
    }

    /// One match of a startstate.
    fn initial(
        &self,
        transition: Transition<'_>,
        startstate: StartstateId,
        matching: &Match,
        symbols: &SymbolTypes,
    ) -> Result<Explanation, Refusal> {
        let reason = "the values that the startstate gives and the cube contradict each other at sight";
        let mut explanation = self.start(symbols, reason)?;
        self.matched(transition, matching, symbols, &mut explanation)?;
        let place = (startstate, InvariantId(self.invariant), matching);
        if !self.certificate.initial.iter().any(|own| (own.startstate, own.invariant, &own.matching) == place) {
            self.problems(&[Problem::Missing], &mut explanation);
        }
        if let Some(branch) = transition.matched(self.system, self.cube, matching, symbols).branches(self.cube)?.first()
        {
            explanation.facts = self.facts(branch);
            self.problems(&[Problem::InitialOpen], &mut explanation);
        }
        Ok(explanation)
    }

    /// One cube of a property.
    fn property(&self, property: PropertyId) -> Result<Explanation, Refusal> {
        let symbols = SymbolTypes { variables: self.cube.variables.clone(), others: Vec::new() };
        let reason = "the named instances of invariants have to contradict the cube";
        let mut explanation = self.start(&symbols, reason)?;
        let ground = Ground { system: self.system, symbols: &symbols };
        let context = Context::of(self.system, &symbols, &ground.instance(self.cube, &variables(self.cube))?)?;
        let wanted = |entry: &&PropertyEntry| (entry.property, entry.cube) == (property, self.invariant);
        let problems = match self.certificate.properties.iter().find(wanted) {
            Some(entry) => self.argument(&context, &entry.argument, &mut explanation),
            None => vec![Problem::Missing],
        };
        self.problems(&problems, &mut explanation);
        Ok(explanation)
    }

    /// What is known before a match, a branch or an entry is looked at.
    fn start(&self, symbols: &SymbolTypes, reason: &'static str) -> Result<Explanation, Refusal> {
        let ground = Ground { system: self.system, symbols };
        let cube = ground.instance(self.cube, &variables(self.cube))?;
        Ok(Explanation {
            place: self.about.place,
            name: self.about.name.to_owned(),
            case: self.about.case.to_owned(),
            line: self.about.line,
            invariant: self.invariant,
            cube: cube.iter().map(|made| self.names().made(made)).collect(),
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
        branch.facts.iter().map(|fact| self.names().made(&Made::Open(fact.clone()))).collect()
    }

    /// What the parameters are, and when each literal holds afterwards.
    fn matched(
        &self,
        transition: Transition<'_>,
        matching: &Match,
        symbols: &SymbolTypes,
        explanation: &mut Explanation,
    ) -> Result<(), Refusal> {
        let parameters = transition.parameters.iter().map(|parameter| parameter.name.clone());
        explanation.matching = Some(parameters.zip(self.names().matching(matching)).collect());
        let matched = transition.matched(self.system, self.cube, matching, symbols);
        for literal in &self.cube.literals {
            let alternatives = matched.after(vec![Branch::default()], literal)?;
            explanation.after.push(alternatives.iter().map(|branch| self.facts(branch)).collect());
        }
        Ok(())
    }

    /// The cubes of the invariants; none where one is not well-formed.
    fn invariants(&self) -> Vec<Option<&'a Cube>> {
        let cubes = self.certificate.invariants.iter().map(|invariant| &invariant.cube);
        cubes.map(|cube| well_formed(self.system, cube).is_ok().then_some(cube)).collect()
    }

    /// What the certificate says about a rule, and what the checker says to that.
    fn entry(&self, rule: RuleId, obligation: &Obligation<'a>, explanation: &mut Explanation) {
        let place = (rule, InvariantId(self.invariant), &obligation.matching, obligation.branch);
        let wanted = |entry: &&RelationEntry| (entry.rule, entry.invariant, &entry.matching, entry.branch) == place;
        let Some(entry) = self.certificate.relations.iter().find(wanted) else {
            self.problems(&[Problem::Missing], explanation);
            return;
        };
        explanation.kind = Some(Kind::of(&entry.relation));
        let problems = check_relation(obligation, &entry.relation, &self.invariants());
        self.problems(&problems, explanation);
        if let (Relation::Implied(argument), Situation::Branch(_, context)) = (&entry.relation, &obligation.situation) {
            self.argument(context, argument, explanation);
        }
    }

    /// The steps of an argument. Answers what is wrong with it.
    fn argument(&self, context: &Context<'_>, argument: &Argument, explanation: &mut Explanation) -> Vec<Problem> {
        replay(context, argument, &self.invariants(), &mut |used| explanation.steps.push(self.step(&used)))
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
