//! Refuses recursive functions, whose bodies cannot be unfolded.

use std::collections::BTreeSet;

use super::Elaborator;
use super::fault::TypeFault;
use crate::program::walk::each_in_statements;
use crate::program::{ExpressionKind, Function, FunctionId, StatementKind};

impl Elaborator<'_> {
    pub(super) fn refuse_recursion(&mut self) {
        let calls: Vec<BTreeSet<FunctionId>> = self.program.functions.iter().map(calls_of).collect();
        for start in 0..calls.len() {
            let mut reached = BTreeSet::new();
            let mut waiting: Vec<FunctionId> = calls[start].iter().copied().collect();
            while let Some(next) = waiting.pop() {
                if reached.insert(next) {
                    waiting.extend(&calls[next.index()]);
                }
            }
            if reached.iter().any(|id| id.index() == start) {
                let function = &self.program.functions[start];
                let (name, span) = (function.name.clone(), function.span);
                self.error(&TypeFault::Recursion { name }, span);
            }
        }
    }
}

/// Returns the functions and procedures that a body calls.
fn calls_of(function: &Function) -> BTreeSet<FunctionId> {
    let mut calls = BTreeSet::new();
    each_in_statements(&function.body, &mut |expression| {
        if let ExpressionKind::Call(id, _) = expression.kind {
            calls.insert(id);
        }
    });
    for statement in &function.body {
        statement.each(&mut |inner| {
            if let StatementKind::Call(id, _) = inner.kind {
                calls.insert(id);
            }
        });
    }
    calls
}
