//! A small prover for the tests: given the invariants, finds the relation of each obligation by trying everything.

use std::collections::BTreeSet;

use certificate::Model;
use certificate::fault::Problem;
use certificate::kernel::argument::cases;
use certificate::kernel::clause::Clause;
use certificate::kernel::context::Context;
use certificate::kernel::ground::{Datum, Equation, Fact, Ground, Read, Side};
use certificate::proof::{
    Argument, Certificate, InitialEntry, Instance, Invariant, InvariantId, InvariantOrigin, PropertyEntry, Relation,
    RelationEntry, Split, SplitOn, Symbol,
};
use certificate::{Matched, Situation};
use system::System;
use system::{Comparison, Cube, IndexTypeId, PropertyId, RuleId, StartstateId};

pub(crate) fn model() -> Model {
    Model { digest: "00".repeat(32), settings: vec!["N=3".to_owned()] }
}

/// A certificate with these invariants; panics if one is not inductive.
pub(crate) fn certify(system: &System, cubes: &[Cube]) -> Certificate {
    try_certify(system, cubes).expect("the invariants are inductive and imply the properties")
}

/// A certificate with these invariants, if they are inductive and the system is well-formed.
pub(crate) fn try_certify(system: &System, cubes: &[Cube]) -> Option<Certificate> {
    let premises = cubes.iter().chain(system.axioms.iter().flat_map(|axiom| &axiom.bad)).collect();
    let prover = Prover { system, cubes, premises };
    let number = |position: usize| u32::try_from(position).unwrap();
    let starts = (0..system.startstates.len()).map(|start| prover.initial(StartstateId(number(start))));
    let initial = starts.collect::<Option<Vec<_>>>()?.concat();
    let rules = (0..system.rules.len()).map(|rule| prover.relations(RuleId(number(rule))));
    let relations = rules.collect::<Option<Vec<_>>>()?.concat();
    Some(Certificate {
        model_digest: model().digest,
        settings: model().settings,
        properties: prover.properties()?,
        invariants: cubes
            .iter()
            .map(|cube| Invariant { cube: cube.clone(), origin: InvariantOrigin::Property(PropertyId(0)) })
            .collect(),
        initial,
        relations,
    })
}

struct Prover<'a> {
    system: &'a System,
    cubes: &'a [Cube],
    /// The cubes, and those of the axioms.
    premises: Vec<&'a Cube>,
}

impl<'a> Prover<'a> {
    fn numbered(&self) -> impl Iterator<Item = (InvariantId, &'a Cube)> {
        (0..).map(InvariantId).zip(self.cubes)
    }

    fn properties(&self) -> Option<Vec<PropertyEntry>> {
        let mut all = Vec::new();
        for (property, own) in (0..).map(PropertyId).zip(&self.system.properties) {
            for (cube, bad) in (0..).zip(&own.bad) {
                let context = Context::of(self.system, bad).ok()?;
                let argument = self.argue(&context, 2)?;
                all.push(PropertyEntry { property, cube, argument });
            }
        }
        Some(all)
    }

    fn initial(&self, startstate: StartstateId) -> Option<Vec<InitialEntry>> {
        let mut all: Vec<InitialEntry> = Vec::new();
        for (invariant, cube) in self.numbered() {
            let own = &self.system.startstates[startstate.index()];
            for obligation in Matched::new(self.system, own, cube).obligations().ok()? {
                match &obligation.situation {
                    Situation::NoBranch => {}
                    Situation::Branch(context) if context.is_contradictory() => {}
                    Situation::Branch(_) | Situation::Unchanged => return None,
                }
                let entry = InitialEntry { startstate, invariant, matching: obligation.matching.unwrap() };
                if all.last() != Some(&entry) {
                    all.push(entry);
                }
            }
        }
        Some(all)
    }

    fn relations(&self, id: RuleId) -> Option<Vec<RelationEntry>> {
        let mut all = Vec::new();
        for (invariant, cube) in self.numbered() {
            for obligation in Matched::new(self.system, &self.system.rules[id.index()], cube).obligations().ok()? {
                let relation = match &obligation.situation {
                    Situation::Unchanged => Relation::Unaffected,
                    Situation::NoBranch => Relation::HoldsAfter,
                    Situation::Branch(context) => self.relation(context)?,
                };
                let (matching, branch) = (obligation.matching, obligation.branch);
                all.push(RelationEntry { rule: id, invariant, matching, branch, relation });
            }
        }
        Some(all)
    }

    fn relation(&self, context: &Context<'_>) -> Option<Relation> {
        if context.is_contradictory() {
            return Some(Relation::HoldsAfter);
        }
        if context.satisfies_cube() {
            return Some(Relation::Unaffected);
        }
        self.argue(context, 2).map(Relation::Implied)
    }

    fn argue(&self, context: &Context<'_>, splits: usize) -> Option<Argument> {
        if context.is_contradictory() {
            return Some(Argument { premises: vec![], split: None });
        }
        let mut chain = Vec::new();
        let mut current = context.clone();
        loop {
            let mut unit = None;
            for instance in self.instances(&current, false) {
                let open: Vec<Equation> =
                    self.literals(&current, &instance).into_iter().filter(|m| current.knows(m) != Some(true)).collect();
                match open.as_slice() {
                    [] => {
                        // One instance that suffices alone is preferred to the chain before it.
                        let alone =
                            self.literals(context, &instance).iter().all(|made| context.knows(made) == Some(true));
                        let premises = if alone { vec![instance] } else { [chain, vec![instance]].concat() };
                        return Some(Argument { premises, split: None });
                    }
                    [only] if current.knows(only).is_none() && unit.is_none() => {
                        unit = Some((instance, only.clone()));
                    }
                    _ => {}
                }
            }
            let Some((instance, only)) = unit else { break };
            let negation = current.ground().negation(&only);
            current.assume(&negation);
            chain.push(instance);
            if current.is_contradictory() {
                return Some(Argument { premises: chain, split: None });
            }
        }
        if splits == 0 {
            return None;
        }
        let witnesses = self.instances(context, true).into_iter();
        let mut useful = witnesses.filter(|instance| {
            self.literals(context, instance).iter().all(|literal| context.knows(literal) == Some(true))
        });
        useful.find_map(|instance| self.witness(context, &instance, splits - 1)).or_else(|| {
            let facts = self.facts(context);
            let reads = facts.iter().flat_map(|fact| [Some(fact.left.clone()), read_of(&fact.right)]).flatten();
            let reads: BTreeSet<Read> = reads.collect();
            let is_number = |read: &Read| self.system.sort_of(read.variable).numbers.is_some();
            let mut valueless = reads.iter().filter(|read| !is_number(read) && !has_value(context, read));
            let by_value = valueless.find_map(|read| self.split(context, read, splits - 1));
            by_value.or_else(|| facts.iter().find_map(|fact| self.bound(context, fact, splits - 1)))
        })
    }

    /// A split on an open bound.
    fn bound(&self, context: &Context<'_>, fact: &Fact, splits: usize) -> Option<Argument> {
        let sum = match fact.comparison {
            Comparison::AtMost(sum) => sum,
            Comparison::AtLeast(sum) => sum - 1,
            Comparison::Different | Comparison::Equal => return None,
        };
        let on = SplitOn::Bound(fact.left.clone(), read_of(&fact.right), sum);
        self.cases(context, on, splits)
    }

    /// A split on the witness of an instance, with an argument for each case.
    fn witness(&self, context: &Context<'_>, instance: &Instance, splits: usize) -> Option<Argument> {
        self.cases(context, SplitOn::Witness(instance.clone()), splits)
    }

    /// A split with an argument for each case.
    fn cases(&self, context: &Context<'_>, on: SplitOn, splits: usize) -> Option<Argument> {
        let invariants: Vec<Option<&Cube>> = self.premises.iter().copied().map(Some).collect();
        let nothing = Argument { premises: vec![], split: None };
        let mut split = Split { on, cases: vec![] };
        if let Err(Problem::Cases { due, .. }) = cases(context, &split, &invariants) {
            split.cases = vec![nothing; due];
        }
        let contexts = cases(context, &split, &invariants).ok()?;
        let arguments = contexts.iter().map(|(context, _)| self.argue(context, splits));
        split.cases = arguments.collect::<Option<_>>()?;
        Some(Argument { premises: vec![], split: Some(Box::new(split)) })
    }

    fn split(&self, context: &Context<'_>, read: &Read, splits: usize) -> Option<Argument> {
        self.cases(context, SplitOn::Value(read.variable, read.arguments.clone()), splits)
    }

    /// The open facts in clauses and instances.
    fn facts(&self, context: &Context<'_>) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut note = |made: &Equation| {
            if let Equation::Open(fact) = made
                && context.knows(made).is_none()
                && !facts.contains(fact)
            {
                facts.push(fact.clone());
            }
        };
        context.clauses().iter().for_each(|clause| each_fact(clause, &mut note));
        for instance in self.instances(context, false) {
            self.literals(context, &instance).iter().for_each(&mut note);
        }
        facts
    }

    fn literals(&self, context: &Context<'_>, instance: &Instance) -> Vec<Equation> {
        context.ground().literals(&self.premises[instance.invariant.index()].literals, &instance.substitution).unwrap()
    }

    /// The instances of the premises that promise a witness, or of the others.
    fn instances(&self, context: &Context<'_>, promising: bool) -> Vec<Instance> {
        let ground = context.ground();
        let mut all = Vec::new();
        let premises = (0..).map(InvariantId).zip(&self.premises);
        for (invariant, cube) in premises.filter(|(_, cube)| cube.universals.is_empty() != promising) {
            for substitution in substitutions(ground, &cube.variables) {
                all.push(Instance { invariant, substitution });
            }
        }
        all
    }
}

fn read_of(side: &Side) -> Option<Read> {
    match side {
        Side::Read(read) => Some(read.clone()),
        Side::Datum(_) => None,
    }
}

fn substitutions(ground: Ground<'_>, types: &[IndexTypeId]) -> Vec<Vec<Symbol>> {
    let mut all = vec![vec![]];
    for index_type in types {
        let symbols = ground.symbols_of(*index_type);
        let unnamed: Vec<Symbol> = symbols.into_iter().filter(|s| !matches!(s, Symbol::Named(_))).collect();
        all = all
            .iter()
            .flat_map(|partial: &Vec<Symbol>| {
                unnamed.iter().filter(|s| !partial.contains(s)).map(|s| [partial.clone(), vec![*s]].concat())
            })
            .collect();
    }
    all
}

/// Whether the value of a read is known.
fn has_value(context: &Context<'_>, read: &Read) -> bool {
    let ground = context.ground();
    let sort = ground.sort(read);
    let elements = sort.index_types.iter().flat_map(|own| ground.symbols_of(*own)).map(Datum::Element);
    let mut data = sort.constants.iter().copied().map(Datum::Constant).chain(elements);
    data.any(|datum| {
        let made = ground.comparison(Side::Read(read.clone()), Comparison::Equal, Side::Datum(datum));
        context.knows(&made) == Some(true)
    })
}

fn each_fact(clause: &Clause<'_>, note: &mut dyn FnMut(&Equation)) {
    match clause {
        Clause::Fact(made) => note(made),
        Clause::All(parts) | Clause::Any(parts) => parts.iter().for_each(|part| each_fact(part, note)),
        Clause::Each(_) | Clause::Some(_) => {}
    }
}
