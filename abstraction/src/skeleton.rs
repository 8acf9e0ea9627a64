//! The abstract instances of a rule.
//!
//! There is an instance for each way in which the parameters can be shown elements or others. It has the guard over
//! these elements and the updates of the shown state. Guards stay complete here; a later step decides what of them the
//! abstract state expresses. Instances that update no shown state are left out, since they leave the abstract state as
//! it is.

use std::collections::BTreeSet;

use system::{
    Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Role, Rule, Startstate, Term, Update, Value,
};

use super::Refusal;
use super::facts::Facts;
use super::space::Space;
use super::symbolic::{Condition, Datum, Element, Outcome, Resolver, is_hidden};

/// More instances of one rule than this are not written out.
const MOST_INSTANCES: usize = 4096;
/// More cases of one guard than this are not written out.
const MOST_CASES: usize = 64;

/// What is written to one state variable at some arguments, or at all shown elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) target: Datum,
    /// Loops over elements that are shown, outermost first.
    pub(crate) loops: Vec<(String, IndexTypeId)>,
    pub(crate) outcome: Outcome,
}

/// A rule or startstate with some parameters among the others.
#[derive(Clone, Debug)]
pub(crate) struct Skeleton {
    /// The position among rules or startstates.
    pub(crate) source: usize,
    pub(crate) name: String,
    /// What the parameters are, with their names in the original.
    pub(crate) parameters: Vec<(String, Element, IndexTypeId)>,
    pub(crate) guard: Condition,
    pub(crate) facts: Facts,
    pub(crate) blocks: Vec<Block>,
    pub(crate) targets: BTreeSet<Element>,
    /// All names in it.
    pub(crate) names: BTreeSet<String>,
}

impl Skeleton {
    /// The others among the parameters.
    pub(crate) fn others(&self) -> Vec<Element> {
        let others: BTreeSet<&Element> =
            self.parameters.iter().map(|(_, element, _)| element).filter(|element| element.is_other()).collect();
        others.into_iter().cloned().collect()
    }
}

/// The instances of a rule.
pub(crate) fn of_rule(space: &Space<'_>, source: usize, rule: &Rule) -> Result<Vec<Skeleton>, Refusal> {
    let parts = Parts {
        source,
        name: &rule.name,
        scope: &rule.scope,
        parameters: rule.parameters,
        guard: &rule.guard,
        updates: &rule.updates,
    };
    instances(space, &parts)
}

/// The instances of a startstate.
pub(crate) fn of_startstate(
    space: &Space<'_>,
    source: usize,
    startstate: &Startstate,
) -> Result<Vec<Skeleton>, Refusal> {
    let parts = Parts {
        source,
        name: &startstate.name,
        scope: &startstate.scope,
        parameters: startstate.parameters,
        guard: &startstate.guard,
        updates: &startstate.updates,
    };
    instances(space, &parts)
}

struct Parts<'a> {
    source: usize,
    name: &'a str,
    scope: &'a [IndexVariable],
    parameters: u32,
    guard: &'a Formula,
    updates: &'a [Update],
}

fn instances(space: &Space<'_>, parts: &Parts<'_>) -> Result<Vec<Skeleton>, Refusal> {
    let mut used = BTreeSet::new();
    let names: Vec<String> = parts.scope.iter().map(|known| space.free_name(&known.name, &mut used)).collect();
    let count = usize::try_from(parts.parameters).expect("a position in a list fits");
    let mut found = Vec::new();
    for elements in assignments(space, &parts.scope[..count], &names)? {
        let others: BTreeSet<Element> = elements.iter().filter(|element| element.is_other()).cloned().collect();
        let mut known: Vec<Option<Element>> = elements.iter().cloned().map(Some).collect();
        known.resize(parts.scope.len(), None);
        let mut resolver = Resolver {
            system: space.system,
            scope: parts.scope,
            names: &names,
            elements: known,
            others: others.into_iter().collect(),
        };
        let guard = resolver.condition(parts.guard, true);
        if guard == Condition::Known(false) {
            continue;
        }
        let mut blocks = Vec::new();
        for update in parts.updates {
            peel(&mut resolver, update, 0, &mut Vec::new(), &mut blocks);
        }
        let targets = parts.scope[..count]
            .iter()
            .zip(&elements)
            .filter(|(known, _)| known.role == Role::Target)
            .map(|(_, element)| element.clone())
            .collect();
        let parameters = parts.scope[..count].iter().zip(&elements);
        let parameters =
            parameters.map(|(known, element)| (known.name.clone(), element.clone(), known.index_type)).collect();
        let skeleton = Skeleton {
            source: parts.source,
            name: parts.name.to_owned(),
            parameters,
            guard: Condition::Known(true),
            facts: Facts::default(),
            blocks,
            targets,
            names: used.clone(),
        };
        for guard in cases(&guard)? {
            found.push(skeleton.with_guard(space, guard));
        }
        if found.len() > MOST_INSTANCES {
            return Err(Refusal::TooManyInstances { rule: parts.name.to_owned(), instances: found.len() });
        }
    }
    found.retain(|skeleton| skeleton.guard != Condition::Known(false));
    Ok(found)
}

impl Skeleton {
    fn with_guard(&self, space: &Space<'_>, guard: Condition) -> Self {
        let facts = Facts::of(&guard);
        let simplified =
            |block: &Block| Block { outcome: facts.simplify_outcome(space.system, &block.outcome), ..block.clone() };
        let blocks: Vec<Block> = self.blocks.iter().map(simplified).collect();
        let blocks = blocks.into_iter().filter(|block| block.outcome != Outcome::Keep).collect();
        Self { guard, facts, blocks, ..self.clone() }
    }
}

/// The ways in which parameters can be elements that are shown or others; others may be equal or not.
fn assignments(
    space: &Space<'_>,
    parameters: &[IndexVariable],
    names: &[String],
) -> Result<Vec<Vec<Element>>, Refusal> {
    let mut found: Vec<Vec<Element>> = vec![Vec::new()];
    for (position, known) in parameters.iter().enumerate() {
        let mut next = Vec::new();
        for elements in found {
            let mut with = |element: Element| {
                let mut longer = elements.clone();
                longer.push(element);
                next.push(longer);
            };
            with(Element::Shown(names[position].clone()));
            if !space.type_of(known.index_type).abstracted {
                continue;
            }
            let numbers = elements.iter().filter_map(|element| match element {
                Element::Other(over, number) if *over == known.index_type => Some(*number),
                Element::Other(..) | Element::Named(_) | Element::Shown(_) | Element::Generic => None,
            });
            let new = numbers.max().map_or(0, |most| most + 1);
            (0..=new).for_each(|number| with(Element::Other(known.index_type, number)));
        }
        found = next;
        if found.len() > MOST_INSTANCES {
            let rule = parameters.iter().map(|known| known.name.clone()).collect::<Vec<_>>().join(", ");
            return Err(Refusal::TooManyInstances { rule, instances: found.len() });
        }
    }
    Ok(found)
}

/// Splits a guard at disjunctions that speak of the state of others, of which nothing would be left otherwise.
fn cases(guard: &Condition) -> Result<Vec<Condition>, Refusal> {
    let mut done = Vec::new();
    let mut open = vec![guard.clone()];
    while let Some(guard) = open.pop() {
        let parts = guard.conjuncts();
        let Some(at) = parts.iter().position(|part| matches!(part, Condition::Any(_)) && speaks_of_others(part)) else {
            done.push(guard);
            continue;
        };
        let Condition::Any(disjuncts) = parts[at] else { unreachable!("it was found as a disjunction") };
        for disjunct in disjuncts.iter().rev() {
            let mut parts: Vec<Condition> = parts.iter().map(|part| (*part).clone()).collect();
            parts[at] = disjunct.clone();
            open.push(Condition::all(parts));
        }
        if open.len() > MOST_CASES {
            return Ok(vec![guard]);
        }
    }
    Ok(done)
}

fn speaks_of_others(condition: &Condition) -> bool {
    let mut speaks = false;
    condition.visit(&mut |equation| {
        let other = matches!(&equation.right, Datum::Index(element) if element.is_other());
        speaks |= other || is_hidden(&equation.left) || is_hidden(&equation.right);
    });
    speaks
}

/// Takes an update apart into writes at single elements and loops. An argument that is only compared with some elements
/// is one of these or keeps its value.
fn peel(
    resolver: &mut Resolver<'_>,
    update: &Update,
    at: usize,
    loops: &mut Vec<(String, IndexTypeId)>,
    blocks: &mut Vec<Block>,
) {
    let Some(&argument) = update.arguments.get(at) else {
        let own = own(resolver, update);
        let outcome = resolver.outcome(&own, &update.value);
        if outcome != Outcome::Keep {
            blocks.push(Block { target: own, loops: loops.clone(), outcome });
        }
        return;
    };
    let name = resolver.names[argument.index()].clone();
    let index_type = resolver.scope[argument.index()].index_type;
    for later in &update.arguments[at + 1..] {
        resolver.elements[later.index()] = Some(Element::Shown(resolver.names[later.index()].clone()));
    }
    resolver.elements[argument.index()] = Some(Element::Generic);
    let generic = resolver.outcome(&own(resolver, update), &update.value);
    let points = compared(resolver, argument, &update.value);
    let later: Vec<Element> =
        update.arguments[at + 1..].iter().map(|later| Element::Shown(resolver.names[later.index()].clone())).collect();
    if generic == Outcome::Keep && points.iter().all(|point| !later.contains(point)) {
        for point in points {
            if !point.is_other() {
                resolver.elements[argument.index()] = Some(point);
                peel(resolver, update, at + 1, loops, blocks);
            }
        }
    } else {
        resolver.elements[argument.index()] = Some(Element::Shown(name.clone()));
        loops.push((name, index_type));
        peel(resolver, update, at + 1, loops, blocks);
        loops.pop();
    }
    resolver.elements[argument.index()] = None;
}

fn own(resolver: &Resolver<'_>, update: &Update) -> Datum {
    let arguments = update.arguments.iter().map(|argument| IndexTerm::Variable(*argument)).collect();
    resolver.datum(&Term::Read(update.variable, arguments))
}

/// The elements that an argument is compared with.
fn compared(resolver: &Resolver<'_>, argument: IndexVariableId, value: &Value) -> BTreeSet<Element> {
    let mut found = BTreeSet::new();
    let mut open = vec![value];
    let own = Term::Index(IndexTerm::Variable(argument));
    while let Some(value) = open.pop() {
        let Value::If(condition, yes, no) = value else { continue };
        open.extend([&**yes, &**no]);
        let mut formulas = vec![condition];
        while let Some(formula) = formulas.pop() {
            match formula {
                Formula::Equal(left, right) => {
                    for (one, other) in [(left, right), (right, left)] {
                        if *one == own
                            && let Datum::Index(element) = resolver.datum(other)
                        {
                            found.insert(element);
                        }
                    }
                }
                Formula::Not(part) | Formula::Forall(_, part) | Formula::Exists(_, part) => formulas.push(part),
                Formula::And(parts) | Formula::Or(parts) => formulas.extend(parts),
                Formula::True | Formula::False | Formula::AtMost(..) => {}
            }
        }
    }
    found
}
