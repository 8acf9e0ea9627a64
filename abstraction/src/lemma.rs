//! Noninterference lemmas: the strengthenings of a rule as an invariant of the original model.
//!
//! In a lemma the others are variables. A lemma is about the original model, and nothing in it is approximated.

use super::Abstraction;
use super::build::clause;
use super::candidates::{Clause, Says};
use super::skeleton::Skeleton;
use super::space::Space;
use super::symbolic::{Condition, Datum, Element, Equation};
use super::text;
use super::view::{Doubt, conjunction};
use super::view_of;
use system::notation::{Expression, Quantifier};

/// The lemma for one instance of a rule.
pub(super) fn lemma(
    space: &Space<'_>,
    skeleton: &Skeleton,
    name: &str,
    used: &[usize],
    abstraction: &Abstraction<'_>,
) -> String {
    let mut names = skeleton.names.clone();
    let others = skeleton.others();
    let shown: Vec<String> = others.iter().map(|_| space.free_name("q", &mut names)).collect();
    let rename = |element: &Element| match others.iter().position(|other| other == element) {
        Some(at) => Element::Shown(shown[at].clone()),
        None => element.clone(),
    };
    let view = view_of(space);
    let mut premises = Vec::new();
    let mut variables = Vec::new();
    for (at, other) in others.iter().enumerate() {
        let Element::Other(over, _) = other else { continue };
        for (earlier, _) in
            others[..at].iter().enumerate().filter(|(_, one)| matches!(one, Element::Other(of, _) if of == over))
        {
            premises.push(Expression::equation(Expression::name(&shown[earlier]), false, Expression::name(&shown[at])));
        }
        for named in &space.type_of(*over).named {
            premises.push(Expression::equation(Expression::name(&shown[at]), false, Expression::name(named)));
        }
        variables.push((shown[at].clone(), *over));
    }
    for (_, element, over) in &skeleton.parameters {
        if let Element::Shown(name) = element {
            for (other, _) in variables.iter().filter(|(other, of)| of == over && shown.contains(other)) {
                premises.push(Expression::equation(Expression::name(name), false, Expression::name(other)));
            }
            variables.push((name.clone(), *over));
        }
    }
    premises.extend(view.condition(&renamed(&skeleton.guard, &rename), Doubt::Deny));
    let conclusions = used.iter().filter_map(|&at| {
        let Says::Not(said) = &abstraction.candidates[at].says else { return None };
        let equations = said.equations.iter().map(|equation| in_equation(equation, &rename)).collect();
        let said = Clause { equations, ..said.clone() };
        clause(&view, &said, &skeleton.guard).map(|clause| apart(clause, &shown))
    });
    let matrix = Expression::implies(vec![conjunction(premises)], conjunction(conclusions.collect()));
    let whole = variables.iter().rev().fold(matrix, |body, (name, over)| {
        Expression::Quantified(Quantifier::Forall, name.clone(), space.type_of(*over).name.clone(), Box::new(body))
    });
    let mut lemma = String::new();
    text::invariant(&format!("Lemma {name}"), &whole, &mut lemma);
    lemma
}

/// The variables of a clause are elements other than those of the lemma.
fn apart(clause: Expression, shown: &[String]) -> Expression {
    let Expression::Quantified(quantifier, name, over, body) = clause else { return clause };
    let distinct = shown
        .iter()
        .map(|other| Expression::equation(Expression::name(&name), true, Expression::name(other)))
        .collect::<Vec<_>>();
    let body = Expression::or([distinct, vec![apart(*body, shown)]].concat());
    Expression::Quantified(quantifier, name, over, Box::new(body))
}

fn renamed(condition: &Condition, rename: &impl Fn(&Element) -> Element) -> Condition {
    let all = |parts: &[Condition]| parts.iter().map(|part| renamed(part, rename)).collect();
    match condition {
        Condition::Known(truth) => Condition::Known(*truth),
        Condition::Equation(equation) => Condition::Equation(in_equation(equation, rename)),
        Condition::Same(one, equal, other) => Condition::Same(rename(one), *equal, rename(other)),
        Condition::All(parts) => Condition::All(all(parts)),
        Condition::Any(parts) => Condition::Any(all(parts)),
        Condition::Each(name, over, body) => Condition::Each(name.clone(), *over, Box::new(renamed(body, rename))),
    }
}

fn in_equation(equation: &Equation, rename: &impl Fn(&Element) -> Element) -> Equation {
    let datum = |datum: &Datum| match datum {
        Datum::Constant(_) | Datum::Zero => datum.clone(),
        Datum::Index(element) => Datum::Index(rename(element)),
        Datum::Read(variable, arguments) => Datum::Read(*variable, arguments.iter().map(rename).collect()),
    };
    Equation { left: datum(&equation.left), equal: equation.equal, right: datum(&equation.right) }
}
