//! An `unsafe` becomes the property that no state is one of its states.
//!
//! Its parameters and the variables of its quantifiers denote pairwise different processes, so each conjunction of literals
//! is one cube; process constants give several, since the variables of a cube differ from named elements.

use std::collections::{BTreeMap, BTreeSet};

use system::front_end::Diagnostic;
use system::{
    Comparison, Cube, IndexTerm, IndexTypeId, IndexVariableId, LeftOut, Literal, NamedId, Property, PropertyKind,
    System,
};

use super::formulas::{Allowed, for_all_different};
use super::{Fault, Lowering, Refusal, number, order, scope, variable_of};
use crate::program::{Claim, Formula, Local, Relation, Term};

/// More conjunctions are refused.
const MOST_CASES: usize = 1 << 12;

/// Adds the properties to a system, and returns those that cannot be expressed.
pub(super) fn add(lowering: &Lowering<'_>, system: &mut System) -> Vec<Diagnostic> {
    let program = lowering.program;
    let mut refused = Vec::new();
    for (position, claim) in program.unsafes.iter().enumerate() {
        let name = program.claim_name("unsafe", &program.unsafes, position);
        match property(lowering, system, claim, &name) {
            Ok(property) => system.properties.push(property),
            Err((fault, span)) => {
                system.claim.left_out.push(LeftOut {
                    kind: "unsafe".to_owned(),
                    name,
                    code: fault.code().to_owned(),
                    reason: fault.to_string(),
                    origin: program.origin(claim.span),
                });
                refused.push(fault.at(span));
            }
        }
    }
    refused
}

/// Returns the negations of the candidates, and those that cannot be expressed.
pub(super) fn candidates(lowering: &Lowering<'_>, system: &System) -> (Vec<Cube>, Vec<Diagnostic>) {
    let (mut cubes, mut left_out) = (Vec::new(), Vec::new());
    for claim in &lowering.program.candidates {
        if claim.parameters > Cube::MOST_IN_CANDIDATE {
            let reason = format!("it is about more than {} processes", Cube::MOST_IN_CANDIDATE);
            left_out.push(Fault::Candidate { reason }.at(claim.span));
            continue;
        }
        match property(lowering, system, claim, "") {
            Ok(stated) => cubes.extend(stated.bad),
            Err((fault, span)) => left_out.push(Fault::Candidate { reason: fault.to_string() }.at(span)),
        }
    }
    (cubes, left_out)
}

fn property(lowering: &Lowering<'_>, system: &System, claim: &Claim, name: &str) -> Result<Property, Refusal> {
    let parameters: Vec<Local> = (0..claim.parameters).map(Local).collect();
    let targets: Vec<Local> = claim.targets.iter().map(|(local, _)| *local).collect();
    let formula = order::with_targets(&claim.formula, &claim.targets, claim.span);
    let negated = lowering.formula(&formula, false, Allowed::Universal)?;
    let body = targets
        .iter()
        .rev()
        .fold(negated, |body, target| system::Formula::Forall(variable_of(*target), Box::new(body)));
    let cases = cases(lowering, &formula, true, &parameters).map_err(|refusal| refusal.or(claim.span))?;
    let mut bad = BTreeSet::new();
    for mut case in cases {
        case.variables.splice(0..0, parameters.iter().copied());
        cubes(lowering, system, (&case, &targets), &mut bad).map_err(|fault| (fault, claim.span))?;
    }
    let needed = |cube: &Cube| !bad.iter().any(|other| other != cube && other.subsumes(cube));
    Ok(Property {
        name: name.to_owned(),
        kind: PropertyKind::Invariant,
        scope: scope(&claim.scope, 0),
        formula: for_all_different(&parameters, &[], body),
        bad: bad.iter().filter(|cube| needed(cube)).cloned().collect(),
        origin: lowering.program.origin(claim.span),
    })
}

/// A conjunction of literals about different processes.
#[derive(Clone, Default)]
struct Case<'f> {
    variables: Vec<Local>,
    /// Comparisons, and whether each of them holds.
    literals: Vec<(&'f Term, Relation, bool, &'f Term)>,
}

/// Why there are no cases.
enum NoCases {
    TooMany(usize),
    At(Refusal),
}

impl NoCases {
    fn or(self, span: system::front_end::Span) -> Refusal {
        match self {
            Self::TooMany(count) => (Fault::TooMany { count, what: "cases", limit: MOST_CASES }, span),
            Self::At(refusal) => refusal,
        }
    }
}

/// Returns the disjuncts of a formula, or of its negation. The variables `known` denote processes already.
fn cases<'f>(
    lowering: &Lowering<'_>,
    formula: &'f Formula,
    positive: bool,
    known: &[Local],
) -> Result<Vec<Case<'f>>, NoCases> {
    match formula {
        Formula::Constant(truth) if *truth == positive => Ok(vec![Case::default()]),
        Formula::Constant(_) => Ok(Vec::new()),
        Formula::Compare(left, relation, right, _) => {
            let case = |literals| Case { variables: Vec::new(), literals };
            let is_equation = *relation == Relation::Equal && lowering.program.is_number(left);
            Ok(match (is_equation, positive) {
                (false, _) => vec![case(vec![(left, *relation, positive, right)])],
                (true, true) => {
                    vec![case(
                        [(left, right), (right, left)]
                            .map(|(one, other)| (one, Relation::LessEqual, true, other))
                            .to_vec(),
                    )]
                }
                (true, false) => [(left, right), (right, left)]
                    .map(|(one, other)| case(vec![(one, Relation::Less, true, other)]))
                    .to_vec(),
            })
        }
        Formula::Not(inner) => cases(lowering, inner, !positive, known),
        Formula::And(parts) if positive => product(lowering, parts, positive, known),
        Formula::Or(parts) if !positive => product(lowering, parts, positive, known),
        Formula::And(parts) | Formula::Or(parts) => {
            let all: Result<Vec<_>, _> = parts.iter().map(|part| cases(lowering, part, positive, known)).collect();
            Ok(all?.concat())
        }
        Formula::Quantified(own) => {
            if own.is_universal == positive {
                return Err(NoCases::At((Fault::Quantifier { what: own.keyword }, own.span)));
            }
            // Whether a variable may denote a process that is known already is not the same in all of Cubicle.
            if !known.iter().all(|local| own.apart_from.contains(local)) {
                return Err(NoCases::At((Fault::Ambiguous, own.span)));
            }
            let mut all = cases(lowering, &own.body, positive, &[known, &own.variables].concat())?;
            all.iter_mut().for_each(|case| case.variables.extend(&own.variables));
            Ok(all)
        }
    }
}

fn product<'f>(
    lowering: &Lowering<'_>,
    parts: &'f [Formula],
    positive: bool,
    known: &[Local],
) -> Result<Vec<Case<'f>>, NoCases> {
    let mut all = vec![Case::default()];
    for part in parts {
        let more = cases(lowering, part, positive, known)?;
        let mut both = Vec::new();
        for (one, other) in all.iter().flat_map(|one| more.iter().map(move |other| (one, other))) {
            if !one.variables.is_empty() && !other.variables.is_empty() {
                let span = part.quantifier().map(|own| own.span).unwrap_or_default();
                return Err(NoCases::At((Fault::Ambiguous, span)));
            }
            let variables = [one.variables.clone(), other.variables.clone()].concat();
            both.push(Case { variables, literals: [one.literals.clone(), other.literals.clone()].concat() });
        }
        all = both;
        if all.len() > MOST_CASES {
            return Err(NoCases::TooMany(all.len()));
        }
    }
    Ok(all)
}

/// Adds the cubes of a case: one for each way in which some of its variables denote named elements, and in which targets are
/// elements that others denote.
fn cubes(
    lowering: &Lowering<'_>,
    system: &System,
    (case, targets): (&Case<'_>, &[Local]),
    bad: &mut BTreeSet<Cube>,
) -> Result<(), Fault> {
    let mut ways = vec![Way::new()];
    for local in &case.variables {
        let variable = variable_of(*local);
        ways = ways.iter().flat_map(|way| extended(way, variable, lowering.program.constants)).collect();
    }
    for target in targets {
        let variable = variable_of(*target);
        let same = |way: &Way| {
            let terms: BTreeSet<IndexTerm> = way.values().copied().collect();
            terms.into_iter().map(|term| with(way, variable, term)).collect::<Vec<_>>()
        };
        let or_another = |way: &Way| [same(way), extended(way, variable, lowering.program.constants)].concat();
        ways = ways.iter().flat_map(or_another).collect();
    }
    for way in ways {
        let free = elements(&way);
        let mut literals = Vec::new();
        for (left, relation, holds, right) in &case.literals {
            let literal = match relation {
                Relation::Less if lowering.program.is_number(left) => {
                    lowering.numeric_literal(left, right, true, *holds)?
                }
                Relation::LessEqual if lowering.program.is_number(left) => {
                    lowering.numeric_literal(left, right, false, *holds)?
                }
                Relation::Equal => {
                    let ((left, _), (right, _)) = (lowering.summed(left)?, lowering.summed(right)?);
                    Literal { left, comparison: Comparison::equal_if(*holds), right }
                }
                Relation::Less => lowering.less_literal(left, right, *holds)?,
                Relation::LessEqual => lowering.less_literal(right, left, !*holds)?,
            };
            literals.push(literal.substituted(&|variable| way[&variable]));
        }
        bad.extend(Cube::normalize(system, &vec![IndexTypeId(0); free], &literals));
    }
    Ok(())
}

/// What variables denote.
type Way = BTreeMap<IndexVariableId, IndexTerm>;

/// Returns the ways to go on with one more variable, which denotes another process than those before.
fn extended(way: &Way, variable: IndexVariableId, constants: u32) -> Vec<Way> {
    let own = IndexTerm::Variable(IndexVariableId(number(elements(way))));
    let named = (0..constants).map(|position| IndexTerm::Named(NamedId(position)));
    let terms = named.filter(|term| !way.values().any(|other| other == term)).chain([own]);
    terms.map(|term| with(way, variable, term)).collect()
}

fn with(way: &Way, variable: IndexVariableId, term: IndexTerm) -> Way {
    way.iter().map(|(known, other)| (*known, *other)).chain([(variable, term)]).collect()
}

/// Returns how many elements without a name variables denote.
fn elements(way: &Way) -> usize {
    let elements: BTreeSet<&IndexTerm> = way.values().filter(|term| matches!(term, IndexTerm::Variable(_))).collect();
    elements.len()
}
