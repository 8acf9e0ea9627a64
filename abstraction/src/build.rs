//! Builds a rule of the abstract model from an instance of a rule and the strengthenings in use.
//!
//! If shown state depends on hidden state, the hidden state becomes a parameter of the abstract rule, with any value of
//! its type. If the abstract state does not decide a condition, such as whether a pointer points to one of the others,
//! the truth of the condition becomes a parameter. This module must not guess.

use std::collections::{BTreeMap, BTreeSet};

use system::{IndexTypeId, VariableId};

use super::Refusal;
use super::candidates::{Candidate, Clause, Says};
use super::facts::negation;
use super::order::{Local, Statement, sequence};
use super::skeleton::{Block, Skeleton};
use super::space::Space;
use super::symbolic::{Condition, Datum, Element, Equation, Outcome, is_hidden};
use super::view::{Doubt, Over, View, conjunction};
use system::notation::{Expression, Quantifier};

/// A rule of the abstract model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Built {
    /// Names and types.
    pub(crate) parameters: Vec<(String, String)>,
    pub(crate) guard: Vec<Expression>,
    /// What is added to the guard, with the position of the candidate.
    pub(crate) strengthening: Vec<(Expression, usize)>,
    /// Values that take the place of hidden state, with the position of the candidate.
    pub(crate) values: Vec<usize>,
    pub(crate) locals: Vec<Local>,
    pub(crate) body: Vec<Statement>,
    /// The hidden state that is chosen.
    pub(crate) chosen: Vec<(String, String)>,
    /// What of the guard is dropped, for people.
    pub(crate) dropped: Vec<String>,
}

/// How guards ask for what may be undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caution {
    /// As the original does.
    AsOriginal,
    /// Always ask first.
    AskFirst,
}

/// Builds a rule. The candidates are those of this skeleton that are in use, with their positions.
pub(crate) fn build(
    space: &Space<'_>,
    skeleton: &Skeleton,
    used: &[(usize, &Candidate)],
    caution: Caution,
) -> Result<Built, Refusal> {
    let mut values: BTreeMap<usize, (&Datum, usize)> = BTreeMap::new();
    for (position, candidate) in used {
        if let Says::Value { leaf, datum } = &candidate.says {
            values.insert(*leaf, (datum, *position));
        }
    }
    let blocks = with_values(&skeleton.blocks, &values);
    let (view, choices) = with_choices(space, skeleton, &blocks)?;
    let doubt = match caution {
        Caution::AsOriginal => Doubt::Ask,
        Caution::AskFirst => Doubt::Deny,
    };
    let mut guard = Vec::new();
    let mut dropped = Vec::new();
    for part in skeleton.guard.conjuncts() {
        match view.condition(part, doubt) {
            Some(expression) => push_conjuncts(expression, &mut guard),
            None => dropped.push(told(space, part)),
        }
    }
    for (equation, choice) in &view.atoms {
        for (value, equation) in [("true", equation.clone()), ("false", Equation { equal: false, ..equation.clone() })]
        {
            let plain = View { atoms: BTreeMap::new(), ..view.clone() };
            if let Some(follows) = plain.guarded(&equation, Doubt::Deny) {
                let chosen = Expression::equation(Expression::name(choice), true, Expression::name(value));
                guard.push(Expression::implies(vec![chosen], follows));
            }
        }
    }
    let mut strengthening: Vec<(Expression, usize)> = Vec::new();
    for (position, candidate) in used {
        if let Says::Not(said) = &candidate.says
            && let Some(clause) = clause(&view, said, &skeleton.guard)
            && !guard.contains(&clause)
            && strengthening.iter().all(|(known, _)| *known != clause)
        {
            strengthening.push((clause, *position));
        }
    }
    let shown = skeleton.parameters.iter().filter_map(|(_, element, over)| match element {
        Element::Shown(name) => Some((name.clone(), space.type_of(*over).name.clone())),
        Element::Named(_) | Element::Other(..) | Element::Generic => None,
    });
    let mut parameters: Vec<(String, String)> = shown.collect();
    parameters.extend(choices.iter().map(|choice| (choice.name.clone(), choice.over.clone())));
    let (locals, body) = sequence(&view, &blocks, doubt, &skeleton.names);
    let chosen = choices.into_iter().map(|choice| (choice.name, choice.stands_for)).collect();
    let values = values.into_values().map(|(_, position)| position).collect();
    Ok(Built { parameters, guard, strengthening, values, locals, body, chosen, dropped })
}

/// Whether something can be said about the negation of an equation, when nothing hidden is replaced by a value.
pub(crate) fn expressible<'a>(
    space: &'a Space<'a>,
    skeleton: &Skeleton,
) -> Result<impl Fn(&Equation) -> bool + use<'a>, Refusal> {
    let (view, _) = with_choices(space, skeleton, &skeleton.blocks)?;
    Ok(move |equation: &Equation| match negation(view.space.system, &Condition::Equation(equation.clone())) {
        Condition::Equation(opposite) => view.equation(&opposite) != Over::Nothing,
        Condition::Known(_) | Condition::Same(..) | Condition::All(_) | Condition::Any(_) | Condition::Each(..) => {
            false
        }
    })
}

fn push_conjuncts(expression: Expression, guard: &mut Vec<Expression>) {
    let parts = match expression {
        Expression::And(parts) if !parts.is_empty() => parts,
        other => vec![other],
    };
    for part in parts {
        if !guard.contains(&part) {
            guard.push(part);
        }
    }
}

/// A part of a guard for people.
fn told(space: &Space<'_>, condition: &Condition) -> String {
    let all = |parts: &[Condition], sign: &str| {
        let parts: Vec<String> = parts.iter().map(|part| told(space, part)).collect();
        format!("({})", parts.join(sign))
    };
    match condition {
        Condition::Known(truth) => truth.to_string(),
        Condition::Equation(equation) => {
            let sign = if equation.equal { "=" } else { "!=" };
            format!("{} {sign} {}", space.told(&equation.left), space.told(&equation.right))
        }
        Condition::Same(one, equal, other) => {
            let sign = if *equal { "=" } else { "!=" };
            format!("{} {sign} {}", space.element(one), space.element(other))
        }
        Condition::All(parts) => all(parts, " & "),
        Condition::Any(parts) => all(parts, " | "),
        Condition::Each(name, over, body) => {
            format!("forall {name} : {} do {} end", space.type_of(*over).name, told(space, body))
        }
    }
}

/// The blocks with known values in place of hidden state.
fn with_values(blocks: &[Block], values: &BTreeMap<usize, (&Datum, usize)>) -> Vec<Block> {
    let mut leaf = 0;
    let replaced = |block: &Block, leaf: &mut usize| Block {
        outcome: replace_leaves(&block.outcome, values, leaf),
        ..block.clone()
    };
    blocks.iter().map(|block| replaced(block, &mut leaf)).collect()
}

fn replace_leaves(outcome: &Outcome, values: &BTreeMap<usize, (&Datum, usize)>, leaf: &mut usize) -> Outcome {
    match outcome {
        Outcome::Keep | Outcome::Arbitrary => outcome.clone(),
        Outcome::Datum(datum) => {
            if !is_hidden(datum) {
                return outcome.clone();
            }
            let value = values.get(leaf).map_or_else(|| datum.clone(), |(value, _)| (*value).clone());
            *leaf += 1;
            Outcome::Datum(value)
        }
        Outcome::If(condition, yes, no) => {
            let yes = replace_leaves(yes, values, leaf);
            let no = replace_leaves(no, values, leaf);
            Outcome::If(condition.clone(), Box::new(yes), Box::new(no))
        }
    }
}

struct Choice {
    name: String,
    over: String,
    stands_for: String,
}

/// Adds a choice for everything hidden that the blocks depend on.
fn with_choices<'a>(
    space: &'a Space<'a>,
    skeleton: &Skeleton,
    blocks: &[Block],
) -> Result<(View<'a>, Vec<Choice>), Refusal> {
    let mut view = View { space, reads: BTreeMap::new(), atoms: BTreeMap::new(), targets: skeleton.targets.clone() };
    let mut chooser = Chooser { space, skeleton, names: skeleton.names.clone(), choices: Vec::new() };
    for block in blocks {
        chooser.outcome(&mut view, block, &block.outcome)?;
    }
    Ok((view, chooser.choices))
}

struct Chooser<'a, 's> {
    space: &'a Space<'a>,
    skeleton: &'s Skeleton,
    names: BTreeSet<String>,
    choices: Vec<Choice>,
}

impl Chooser<'_, '_> {
    fn outcome(&mut self, view: &mut View<'_>, block: &Block, outcome: &Outcome) -> Result<(), Refusal> {
        match outcome {
            Outcome::Keep | Outcome::Arbitrary => Ok(()),
            Outcome::Datum(datum) => self.read(view, block, datum),
            Outcome::If(condition, yes, no) => {
                let mut equations = Vec::new();
                condition.visit(&mut |equation| equations.push(equation));
                for equation in equations {
                    self.read(view, block, &equation.left)?;
                    self.read(view, block, &equation.right)?;
                    self.atom(view, block, equation)?;
                }
                self.outcome(view, block, yes)?;
                self.outcome(view, block, no)
            }
        }
    }

    fn read(&mut self, view: &mut View<'_>, block: &Block, datum: &Datum) -> Result<(), Refusal> {
        let Datum::Read(variable, arguments) = datum else { return Ok(()) };
        if !is_hidden(datum) || view.reads.contains_key(datum) {
            return Ok(());
        }
        self.refuse_loops(block, arguments, datum)?;
        if self.space.tracks_undefined(*variable) {
            return Err(Refusal::ChoiceOfUndefined { rule: self.skeleton.name.clone(), term: self.space.told(datum) });
        }
        let over = self.space.choice_type_text(*variable);
        let name = self.enter(*variable, over, self.space.told(datum));
        view.reads.insert(datum.clone(), Expression::name(name));
        Ok(())
    }

    fn atom(&mut self, view: &mut View<'_>, block: &Block, equation: &Equation) -> Result<(), Refusal> {
        if matches!(view.equation(equation), Over::Exact(_)) {
            return Ok(());
        }
        for datum in [&equation.left, &equation.right] {
            if let Datum::Read(_, arguments) = datum {
                self.refuse_loops(block, arguments, datum)?;
            }
        }
        let positive = Equation { equal: true, ..equation.clone() };
        let Datum::Read(variable, _) = &positive.left else { return Ok(()) };
        let told = format!("{} = {}", self.space.told(&positive.left), self.space.told(&positive.right));
        let name = self.enter(*variable, "boolean".to_owned(), told);
        view.atoms.insert(positive, name);
        Ok(())
    }

    fn enter(&mut self, variable: VariableId, over: String, stands_for: String) -> String {
        let wanted = format!("any_{}", self.space.short_name(variable));
        let name = self.space.free_name(&wanted, &mut self.names);
        self.choices.push(Choice { name: name.clone(), over, stands_for });
        name
    }

    /// A choice for each element that is shown cannot be a parameter.
    fn refuse_loops(&self, block: &Block, arguments: &[Element], datum: &Datum) -> Result<(), Refusal> {
        let looped = block.loops.iter().any(|(name, _)| arguments.contains(&Element::Shown(name.clone())));
        if looped {
            return Err(Refusal::ChoicePerElement { rule: self.skeleton.name.clone(), term: self.space.told(datum) });
        }
        Ok(())
    }
}

/// A clause as an expression, where the guard holds; nothing where it says nothing.
pub(crate) fn clause(view: &View<'_>, clause: &Clause, guard: &Condition) -> Option<Expression> {
    let Clause { variables, fixed, equations } = clause;
    let all: Vec<(String, IndexTypeId)> = fixed.iter().chain(variables).cloned().collect();
    let known = |part: &&Condition, premise: &Expression| view.condition(part, Doubt::Deny).as_ref() == Some(premise);
    let mut premises = separation(view.space, &all);
    premises.retain(|premise| !guard.conjuncts().iter().any(|part| known(part, premise)));
    let mut conclusion = Vec::new();
    let system = view.space.system;
    for equation in equations {
        let Condition::Equation(opposite) = negation(system, &Condition::Equation(equation.clone())) else {
            return None;
        };
        match view.equation(&opposite) {
            Over::Nothing => return None,
            Over::Exact(_) => conclusion.push((opposite, true)),
            Over::Weak(_) => conclusion.push((opposite, false)),
        }
    }
    // What is weak is a conclusion; where nothing is, the last positive statement, the others are premises.
    let weak = conclusion.iter().any(|(_, exact)| !exact);
    let last = conclusion.iter().rposition(|(opposite, _)| opposite.equal).or(conclusion.len().checked_sub(1));
    let mut disjuncts = Vec::new();
    for (at, (opposite, exact)) in conclusion.iter().enumerate() {
        if !exact || !weak && Some(at) == last {
            disjuncts.push(view.guarded(opposite, Doubt::Allow)?);
        } else {
            let Condition::Equation(premise) = negation(system, &Condition::Equation(opposite.clone())) else {
                return None;
            };
            premises.push(view.guarded(&premise, Doubt::Deny)?);
        }
    }
    Some(closed(view.space, variables, premises, disjuncts))
}

/// No distinct shown elements satisfy all equations, as far as the abstract state tells: what may hold counts as holding.
pub(crate) fn claim(view: &View<'_>, variables: &[(String, IndexTypeId)], equations: &[Equation]) -> Expression {
    let system = view.space.system;
    let opposite = |equation: &Equation| match negation(system, &Condition::Equation(equation.clone())) {
        Condition::Equation(opposite) if matches!(view.equation(equation), Over::Exact(_)) => Some(opposite),
        _ => None,
    };
    let positive = |equation: &Equation| opposite(equation).is_some_and(|opposite| opposite.equal);
    let exact = |equation: &Equation| opposite(equation).is_some();
    let last = equations.iter().rposition(positive).or_else(|| equations.iter().rposition(exact));
    let mut premises = separation(view.space, variables);
    let mut conclusion = Vec::new();
    for (at, equation) in equations.iter().enumerate() {
        match opposite(equation) {
            Some(opposite) if Some(at) == last => {
                for (variable, read) in view.doubtful(equation) {
                    premises.push(view.space.defined_test(variable, read));
                }
                conclusion.extend(view.guarded(&opposite, Doubt::Ask));
            }
            Some(_) | None => premises.extend(view.guarded(equation, Doubt::Deny)),
        }
    }
    closed(view.space, variables, premises, conclusion)
}

fn closed(
    space: &Space<'_>,
    variables: &[(String, IndexTypeId)],
    premises: Vec<Expression>,
    conclusion: Vec<Expression>,
) -> Expression {
    let premises = if premises.is_empty() { premises } else { vec![conjunction(premises)] };
    let matrix = Expression::implies(premises, Expression::or(conclusion));
    variables.iter().rev().fold(matrix, |body, (name, over)| {
        let over = space.type_of(*over).name.clone();
        Expression::Quantified(Quantifier::Forall, name.clone(), over, Box::new(body))
    })
}

/// That variables are distinct, and distinct from named elements.
fn separation(space: &Space<'_>, variables: &[(String, IndexTypeId)]) -> Vec<Expression> {
    let mut parts = Vec::new();
    for (position, (name, over)) in variables.iter().enumerate() {
        let this = || Expression::name(name);
        for (earlier, _) in variables[..position].iter().filter(|(_, of)| of == over) {
            parts.push(Expression::equation(Expression::name(earlier), false, this()));
        }
        for named in &space.type_of(*over).named {
            parts.push(Expression::equation(this(), false, Expression::name(named)));
        }
    }
    parts
}
