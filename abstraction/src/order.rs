//! Turns simultaneous updates into a sequence of statements.
//!
//! All blocks refer to the state before the step. The order of the statements overwrites as little as possible before
//! it is read; what is overwritten nevertheless is copied first.

use std::collections::BTreeSet;

use system::{IndexTypeId, VariableId};

use super::skeleton::Block;
use super::symbolic::{Datum, Element, Outcome, is_hidden};
use super::view::{Doubt, View};
use system::notation::Expression;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    Assign(Expression, Expression),
    Undefine(Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    For(String, String, Vec<Statement>),
}

/// A local variable and its type.
pub(crate) type Local = (String, String);

/// The statements for all blocks.
pub(crate) fn sequence(
    view: &View<'_>,
    blocks: &[Block],
    doubt: Doubt,
    names: &BTreeSet<String>,
) -> (Vec<Local>, Vec<Statement>) {
    let blocks = ordered(blocks);
    let mut view = view.clone();
    let mut names = names.clone();
    let (mut locals, mut copies, mut body) = (Vec::new(), Vec::new(), Vec::new());
    for (position, block) in blocks.iter().enumerate() {
        for read in reads(&block.outcome) {
            if !view.reads.contains_key(read) && must_copy(read, block, &blocks[..position]) {
                copy(&mut view, block, read, &mut names, &mut locals, &mut copies);
            }
        }
        body.extend(statements(&view, block, doubt));
    }
    copies.extend(merged(body));
    (locals, copies)
}

/// Puts together what stands under the same condition. What a condition reads is the state before the step wherever it is
/// written the same, so that it has not changed in between.
fn merged(statements: Vec<Statement>) -> Vec<Statement> {
    let mut done: Vec<Statement> = Vec::new();
    for statement in statements {
        match (done.last_mut(), statement) {
            (Some(Statement::If(known, yes, no)), Statement::If(condition, more, less)) if *known == condition => {
                yes.extend(more);
                no.extend(less);
            }
            (_, statement) => done.push(statement),
        }
    }
    let inner = |statement| match statement {
        Statement::If(condition, yes, no) => Statement::If(condition, merged(yes), merged(no)),
        Statement::For(name, over, body) => Statement::For(name, over, merged(body)),
        other @ (Statement::Assign(..) | Statement::Undefine(_)) => other,
    };
    done.into_iter().map(inner).collect()
}

/// Puts loops over the same elements into one. It is for startstates, where no statement reads what another one writes.
pub(crate) fn merged_loops(statements: Vec<Statement>) -> Vec<Statement> {
    let mut done: Vec<Statement> = Vec::new();
    for statement in statements {
        let Statement::For(name, over, body) = statement else {
            done.push(statement);
            continue;
        };
        let same = done.iter_mut().find_map(|known| match known {
            Statement::For(known, of, all) if *of == over => Some((known.clone(), all)),
            Statement::For(..) | Statement::Assign(..) | Statement::Undefine(_) | Statement::If(..) => None,
        });
        match same {
            Some((known, all)) => all.extend(body.into_iter().map(|inner| renamed(inner, &name, &known))),
            None => done.push(Statement::For(name, over, body)),
        }
    }
    let inner = |statement| match statement {
        Statement::For(name, over, body) => Statement::For(name, over, merged_loops(body)),
        other @ (Statement::Assign(..) | Statement::Undefine(_) | Statement::If(..)) => other,
    };
    done.into_iter().map(inner).collect()
}

fn renamed(statement: Statement, from: &str, to: &str) -> Statement {
    let all = |body: Vec<Statement>| body.into_iter().map(|inner| renamed(inner, from, to)).collect();
    match statement {
        Statement::Assign(target, value) => Statement::Assign(target.renamed(from, to), value.renamed(from, to)),
        Statement::Undefine(target) => Statement::Undefine(target.renamed(from, to)),
        Statement::If(condition, yes, no) => Statement::If(condition.renamed(from, to), all(yes), all(no)),
        Statement::For(name, over, body) => Statement::For(name, over, all(body)),
    }
}

/// Blocks whose variable others still read come late.
fn ordered(blocks: &[Block]) -> Vec<&Block> {
    let mut open: Vec<&Block> = blocks.iter().collect();
    let mut done = Vec::new();
    while !open.is_empty() {
        let free = open.iter().position(|block| {
            let variable = variable_of(&block.target);
            let read_by = |other: &&&Block| {
                !std::ptr::eq(**other, *block) && reads(&other.outcome).iter().any(|read| variable_of(read) == variable)
            };
            !open.iter().any(|other| read_by(&other))
        });
        done.push(open.remove(free.unwrap_or(0)));
    }
    done
}

fn variable_of(datum: &Datum) -> Option<VariableId> {
    match datum {
        Datum::Read(variable, _) => Some(*variable),
        Datum::Constant(_) | Datum::Index(_) | Datum::Zero => None,
    }
}

/// The shown state that a value depends on.
fn reads(outcome: &Outcome) -> Vec<&Datum> {
    let mut found = Vec::new();
    collect(outcome, &mut found);
    found.retain(|datum| variable_of(datum).is_some() && !is_hidden(datum));
    found
}

fn collect<'o>(outcome: &'o Outcome, found: &mut Vec<&'o Datum>) {
    match outcome {
        Outcome::Keep | Outcome::Arbitrary => {}
        Outcome::Datum(datum) => found.push(datum),
        Outcome::If(condition, yes, no) => {
            condition.visit(&mut |equation| found.extend([&equation.left, &equation.right]));
            collect(yes, found);
            collect(no, found);
        }
    }
}

/// Whether what is read may be overwritten by then.
fn must_copy(read: &Datum, block: &Block, before: &[&Block]) -> bool {
    let within = !block.loops.is_empty() && *read != block.target && may_be_same(read, &block.target);
    within || before.iter().any(|earlier| may_be_same(read, &earlier.target))
}

fn may_be_same(one: &Datum, other: &Datum) -> bool {
    let (Datum::Read(one, first), Datum::Read(other, second)) = (one, other) else { return false };
    one == other
        && first.iter().zip(second).all(|pair| match pair {
            (Element::Named(one), Element::Named(other)) => one == other,
            (Element::Other(..), Element::Shown(_) | Element::Named(_))
            | (Element::Shown(_) | Element::Named(_), Element::Other(..)) => false,
            _ => true,
        })
}

/// Copies what is read into a local variable, for each element where a loop reads it for each.
fn copy(
    view: &mut View<'_>,
    block: &Block,
    read: &Datum,
    names: &mut BTreeSet<String>,
    locals: &mut Vec<Local>,
    copies: &mut Vec<Statement>,
) {
    let Datum::Read(variable, arguments) = read else { return };
    let space = view.space;
    let name = space.free_name(&format!("old_{}", space.short_name(*variable)), names);
    let looped: Vec<&(String, IndexTypeId)> =
        block.loops.iter().filter(|(name, _)| arguments.contains(&Element::Shown(name.clone()))).collect();
    let mut over = space.value_type_text(*variable);
    let mut place = Expression::name(&name);
    for (index, _) in &looped {
        place = Expression::Element(Box::new(place), Box::new(Expression::name(index)));
    }
    for (_, index_type) in looped.iter().rev() {
        over = format!("array [{}] of {over}", space.type_of(*index_type).name);
    }
    let original = space.read(*variable, arguments);
    let mut statement = Statement::Assign(place.clone(), original.clone());
    let doubtful = space.may_be_undefined(*variable) || space.tracks_undefined(*variable);
    if doubtful && space.nobody(*variable).is_none() {
        let defined = space.defined_test(*variable, original);
        statement = Statement::If(defined, vec![statement], Vec::new());
    }
    for (index, index_type) in looped.iter().rev() {
        statement = Statement::For(index.clone(), space.type_of(*index_type).name.clone(), vec![statement]);
    }
    copies.push(statement);
    locals.push((name, over));
    view.reads.insert(read.clone(), place);
}

fn statements(view: &View<'_>, block: &Block, doubt: Doubt) -> Vec<Statement> {
    let Datum::Read(variable, arguments) = &block.target else { return Vec::new() };
    let target = view.space.read(*variable, arguments);
    let mut body = outcome(view, *variable, &target, &block.outcome, doubt);
    for (name, over) in block.loops.iter().rev() {
        let over = view.space.type_of(*over).name.clone();
        body = vec![Statement::For(name.clone(), over, body)];
    }
    body
}

fn undefine(view: &View<'_>, variable: VariableId, target: &Expression) -> Statement {
    match view.space.nobody(variable) {
        Some(nobody) => Statement::Assign(target.clone(), Expression::name(nobody)),
        None => Statement::Undefine(target.clone()),
    }
}

fn outcome(
    view: &View<'_>,
    variable: VariableId,
    target: &Expression,
    value: &Outcome,
    doubt: Doubt,
) -> Vec<Statement> {
    match value {
        Outcome::Keep => Vec::new(),
        Outcome::Arbitrary => vec![undefine(view, variable, target)],
        Outcome::Datum(datum) if view.space.is_undefined(datum) => vec![undefine(view, variable, target)],
        Outcome::Datum(datum) => {
            let value = view.datum(datum).expect("there is a choice for everything hidden that is read");
            vec![Statement::Assign(target.clone(), value)]
        }
        Outcome::If(condition, yes, no) => {
            let yes = outcome(view, variable, target, yes, doubt);
            let no = outcome(view, variable, target, no, doubt);
            let condition = view.condition(condition, doubt).unwrap_or(Expression::And(Vec::new()));
            if yes.is_empty() {
                return vec![Statement::If(Expression::Not(Box::new(condition)), no, Vec::new())];
            }
            vec![Statement::If(condition, yes, no)]
        }
    }
}
