//! Recursive functions are refused: a body could not be unfolded.

use std::collections::BTreeSet;

use super::Elaborator;
use crate::diagnostics::Diagnostic;
use crate::program::{Binder, Expression, ExpressionKind, FunctionId, Over, Statement, StatementKind};

impl Elaborator<'_> {
    pub(super) fn refuse_recursion(&mut self) {
        let count = self.program.functions.len();
        let calls: Vec<BTreeSet<FunctionId>> = self
            .program
            .functions
            .iter()
            .map(|function| {
                let mut found = BTreeSet::new();
                in_statements(&function.body, &mut found);
                found
            })
            .collect();
        for start in 0..count {
            let mut reached = BTreeSet::new();
            let mut waiting: Vec<FunctionId> = calls[start].iter().copied().collect();
            while let Some(next) = waiting.pop() {
                if reached.insert(next) {
                    waiting.extend(&calls[next.index()]);
                }
            }
            if reached.iter().any(|id| id.index() == start) {
                let function = &self.program.functions[start];
                let message = format!("`{}` calls itself, directly or through others", function.name);
                let diagnostic = Diagnostic::error("E031", function.span, message)
                    .with_help("a recursive body cannot be turned into one simultaneous update; use a loop");
                self.errors.push(diagnostic);
            }
        }
    }
}

fn in_statements(statements: &[Statement], found: &mut BTreeSet<FunctionId>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(a, b)
            | StatementKind::MultisetAdd(a, b)
            | StatementKind::MultisetRemove(a, b)
            | StatementKind::MultisetRemoveIf(_, a, b) => {
                in_expression(a, found);
                in_expression(b, found);
            }
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    in_expression(condition, found);
                    in_statements(body, found);
                }
                in_statements(otherwise, found);
            }
            StatementKind::Switch(value, cases, otherwise) => {
                in_expression(value, found);
                for (labels, body) in cases {
                    labels.iter().for_each(|label| in_expression(label, found));
                    in_statements(body, found);
                }
                in_statements(otherwise, found);
            }
            StatementKind::For(binder, body) => {
                in_binder(binder, found);
                in_statements(body, found);
            }
            StatementKind::While(condition, body) | StatementKind::Alias(_, condition, body) => {
                in_expression(condition, found);
                in_statements(body, found);
            }
            StatementKind::Call(id, arguments) => {
                found.insert(*id);
                arguments.iter().for_each(|argument| in_expression(argument, found));
            }
            StatementKind::Clear(a) | StatementKind::Undefine(a) | StatementKind::Assert(a, _) => {
                in_expression(a, found);
            }
            StatementKind::Return(value) => value.iter().for_each(|value| in_expression(value, found)),
            StatementKind::Error(_) | StatementKind::Put => {}
        }
    }
}

fn in_binder(binder: &Binder, found: &mut BTreeSet<FunctionId>) {
    if let Over::Numbers { from, to, step } = &binder.over {
        [from, to, step].into_iter().for_each(|bound| in_expression(bound, found));
    }
}

fn in_expression(expression: &Expression, found: &mut BTreeSet<FunctionId>) {
    match &expression.kind {
        ExpressionKind::Boolean(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Member(_)
        | ExpressionKind::Undefined
        | ExpressionKind::Variable(_) => {}
        ExpressionKind::Field(a, _)
        | ExpressionKind::Unary(_, a)
        | ExpressionKind::IsUndefined(a)
        | ExpressionKind::IsMember(a, _) => in_expression(a, found),
        ExpressionKind::Element(a, b) | ExpressionKind::Binary(_, a, b) | ExpressionKind::MultisetCount(_, a, b) => {
            in_expression(a, found);
            in_expression(b, found);
        }
        ExpressionKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| in_expression(part, found)),
        ExpressionKind::Forall(binder, body) | ExpressionKind::Exists(binder, body) => {
            in_binder(binder, found);
            in_expression(body, found);
        }
        ExpressionKind::Call(id, arguments) => {
            found.insert(*id);
            arguments.iter().for_each(|argument| in_expression(argument, found));
        }
    }
}
