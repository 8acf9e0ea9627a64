//! The order of processes: a relation that no rule changes, and that the axioms of the system make a total order.
//!
//! A total order on finitely many elements is determined up to renaming, so the systems with such a relation are those in
//! which processes are numbered.

use system::front_end::Span;
use system::{
    AssumedAxiom, Assumption, Axiom, Comparison, Cube, FALSE, Formula, IndexTerm, IndexTypeId, IndexVariableId,
    Literal, Origin, SortId, System, TRUE, Term, Variable, VariableId,
};

use super::formulas::{disjunction, for_all_different};
use super::{Fault, Lowering, Refusal, number, scope};
use crate::program::{self, BOOL, Local, Process, Relation};

impl Lowering<'_> {
    /// Returns the relation, if the model compares processes.
    pub(super) fn order(&self) -> Option<Variable> {
        let span = self.program.order?;
        Some(Variable {
            name: "_<_[][]".to_owned(),
            arguments: vec![IndexTypeId(0); 2],
            sort: SortId(number(BOOL.0)),
            path: Vec::new(),
            origin: self.program.origin(span),
        })
    }

    /// Returns the id of the relation, which follows the variables of the model.
    pub(super) fn order_id(&self) -> Option<VariableId> {
        self.program.order.map(|_| VariableId(number(self.program.variables.len())))
    }

    /// Lowers a comparison of two processes, or its negation.
    pub(super) fn less(
        &self,
        left: &program::Term,
        right: &program::Term,
        positive: bool,
        span: Span,
    ) -> Result<Formula, Refusal> {
        if left == right {
            return Ok(if positive { Formula::False } else { Formula::True });
        }
        let literal = self.less_literal(left, right, positive).map_err(|fault| (fault, span))?;
        Ok(Formula::Equal(literal.left, literal.right))
    }

    /// Returns the literal that one process is less than another, or is not. Values of variables cannot be compared, since
    /// the relation takes elements only. Nor can process constants, which would have a place in the order.
    pub(super) fn less_literal(
        &self,
        left: &program::Term,
        right: &program::Term,
        positive: bool,
    ) -> Result<Literal, Fault> {
        match (self.order_id(), left, right) {
            (
                Some(order),
                program::Term::Process(Process::Local(one)),
                program::Term::Process(Process::Local(other)),
            ) if self.program.constants == 0 => {
                let element = |local: &Local| IndexTerm::Variable(super::variable_of(*local));
                Ok(is(order, element(one), element(other), positive))
            }
            _ => Err(Fault::Order),
        }
    }
}

/// Returns a formula in which each value of a process variable that a conjunct compares is the process that it is.
pub(super) fn with_targets(
    formula: &program::Formula,
    targets: &[(Local, program::Term)],
    span: Span,
) -> program::Formula {
    if targets.is_empty() {
        return formula.clone();
    }
    let process = |local: &Local| program::Term::Process(Process::Local(*local));
    let is_target = |(local, read): &(Local, program::Term)| {
        program::Formula::Compare(read.clone(), Relation::Equal, process(local), span)
    };
    let replaced = |term: &program::Term| {
        let target = targets.iter().find(|(_, read)| read == term);
        target.map_or_else(|| term.clone(), |(local, _)| process(local))
    };
    let mut parts: Vec<program::Formula> = targets.iter().map(is_target).collect();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formula {
            program::Formula::And(inner) => open.extend(inner.iter().rev()),
            program::Formula::Compare(left, relation @ (Relation::Less | Relation::LessEqual), right, span) => {
                parts.push(program::Formula::Compare(replaced(left), *relation, replaced(right), *span));
            }
            // Conjuncts with `>` are written with `<`, and none of them is a negation.
            program::Formula::Compare(_, Relation::Equal, _, _)
            | program::Formula::Constant(_)
            | program::Formula::Not(_)
            | program::Formula::Or(_)
            | program::Formula::Quantified(_) => parts.push(formula.clone()),
        }
    }
    program::Formula::And(parts)
}

/// Returns the literal that the relation has a truth value.
fn is(order: VariableId, left: IndexTerm, right: IndexTerm, truth: bool) -> Literal {
    let truth = Term::Constant(if truth { TRUE } else { FALSE });
    Literal { left: Term::Read(order, vec![left, right]), comparison: Comparison::Equal, right: truth }
}

/// Adds the axioms of total orders, if the model compares processes.
pub(super) fn add_axioms(lowering: &Lowering<'_>, system: &mut System) {
    let (Some(order), Some(span)) = (lowering.order_id(), lowering.program.order) else { return };
    let less = |one: u32, other: u32, truth: bool| {
        let element = |position| IndexTerm::Variable(IndexVariableId(position));
        is(order, element(one), element(other), truth)
    };
    let origin = lowering.program.origin(span);
    let axioms = [
        ("no process is less than itself", vec![vec![less(0, 0, true)]]),
        (
            "of two processes, one is less",
            vec![vec![less(0, 1, true), less(1, 0, true)], vec![less(0, 1, false), less(1, 0, false)]],
        ),
        ("what is less is ordered without cycles", vec![vec![less(0, 1, true), less(1, 2, true), less(2, 0, true)]]),
    ];
    for (position, (name, bad)) in axioms.into_iter().enumerate() {
        let axiom = axiom(system, name, position + 1, &bad, &origin);
        system.claim.assumptions.push(Assumption {
            origin: origin.clone(),
            axiom: Some(AssumedAxiom { name: axiom.name.clone(), immutable: true }),
        });
        system.axioms.push(axiom);
    }
}

/// Returns the axiom that so many different processes satisfy none of some conjunctions.
fn axiom(system: &System, name: &str, processes: usize, bad: &[Vec<Literal>], origin: &Origin) -> Axiom {
    let locals: Vec<Local> = (0..processes).map(Local).collect();
    let negated =
        |literal: &Literal| Formula::Not(Box::new(Formula::Equal(literal.left.clone(), literal.right.clone())));
    let clauses = bad.iter().map(|conjunction| disjunction(conjunction.iter().map(negated).collect()));
    let body = super::conjunction(clauses.collect());
    let cubes = bad.iter().filter_map(|literals| Cube::normalize(system, &vec![IndexTypeId(0); processes], literals));
    let mut bad: Vec<Cube> = cubes.collect();
    bad.sort();
    Axiom {
        name: name.to_owned(),
        scope: scope(&["x", "y", "z"].map(str::to_owned)[..processes], 0),
        formula: for_all_different(&locals, &[], body),
        bad,
        immutable: true,
        origin: origin.clone(),
    }
}
