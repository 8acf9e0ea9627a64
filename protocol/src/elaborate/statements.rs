//! Statements.

use std::collections::BTreeMap;

use super::Elaborator;
use crate::program::{Expression, ExpressionKind, Statement, StatementKind, TypeKind, VariableKind};
use crate::syntax::tree::{Expr, ExprKind, Name, Quantifier, Stmt, StmtKind};

impl Elaborator<'_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) -> Vec<Statement> {
        statements.iter().flat_map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Statement> {
        let kind = match &statement.kind {
            StmtKind::Assign(place, value) => self.assign(place, value)?,
            StmtKind::If(branches, otherwise) => {
                let branches = branches
                    .iter()
                    .filter_map(|(condition, body)| {
                        let (condition, body) = (self.condition(condition), self.statements(body));
                        Some((condition?, body))
                    })
                    .collect();
                StatementKind::If(branches, self.statements(otherwise))
            }
            StmtKind::Switch(value, cases, otherwise) => self.switch(value, cases, otherwise)?,
            StmtKind::For(quantifiers, body) => return self.for_loop(quantifiers, body, statement),
            StmtKind::While(condition, body) => {
                let (condition, body) = (self.condition(condition), self.statements(body));
                StatementKind::While(condition?, body)
            }
            StmtKind::Alias(aliases, body) => return self.alias(aliases, body, statement),
            StmtKind::Call(name, arguments) => {
                let (id, arguments) = self.call(name, arguments)?;
                StatementKind::Call(id, arguments)
            }
            StmtKind::Clear(place) => StatementKind::Clear(self.place(place)?),
            StmtKind::Undefine(place) => StatementKind::Undefine(self.place(place)?),
            StmtKind::Assert(condition, text) => {
                StatementKind::Assert(self.condition(condition)?, text.clone().unwrap_or_default())
            }
            StmtKind::Property(..) => {
                self.error("P004", statement.span, "rumur's properties among statements are not supported");
                return None;
            }
            StmtKind::Error(text) => StatementKind::Error(text.clone()),
            StmtKind::Put(value) => {
                if !matches!(value.kind, ExprKind::Text(_)) {
                    self.expression(value)?;
                }
                StatementKind::Put
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), statement)?,
            StmtKind::MultisetAdd(value, place) => {
                let (value, place) = (self.expression(value), self.multiset(place));
                StatementKind::MultisetAdd(value?, place?)
            }
            StmtKind::MultisetRemove(position, place) => {
                let (position, place) = (self.expression(position), self.multiset(place));
                StatementKind::MultisetRemove(position?, place?)
            }
            StmtKind::MultisetRemoveIf(name, place, condition) => {
                self.scopes.push(BTreeMap::new());
                let bound = self.multiset_position(name, place);
                let condition = self.condition(condition);
                self.scopes.pop();
                let (variable, place) = bound?;
                StatementKind::MultisetRemoveIf(variable, place, condition?)
            }
        };
        Some(Statement { kind, span: statement.span })
    }

    fn place(&mut self, place: &Expr) -> Option<Expression> {
        let place = self.expression(place)?;
        self.check_place(&place);
        Some(place)
    }

    fn multiset(&mut self, place: &Expr) -> Option<Expression> {
        let place = self.place(place)?;
        if matches!(self.kind(place.ty), TypeKind::Multiset { .. }) {
            return Some(place);
        }
        let message = format!("a multiset is needed here, not {}", self.type_name(place.ty));
        self.error("E013", place.span, message);
        None
    }

    fn assign(&mut self, place: &Expr, value: &Expr) -> Option<StatementKind> {
        let target = self.place(place);
        if matches!(value.kind, ExprKind::Undefined) {
            let target = target?;
            let undefined = Expression { kind: ExpressionKind::Undefined, ty: target.ty, span: value.span };
            return Some(StatementKind::Assign(target, undefined));
        }
        let value = self.expression(value);
        let (target, value) = (target?, value?);
        if !self.compatible(target.ty, value.ty) {
            let message = format!("{} cannot be assigned to {}", self.type_name(value.ty), self.type_name(target.ty));
            self.error("E029", value.span, message);
            return None;
        }
        Some(StatementKind::Assign(target, value))
    }

    fn switch(&mut self, value: &Expr, cases: &[(Vec<Expr>, Vec<Stmt>)], otherwise: &[Stmt]) -> Option<StatementKind> {
        let value = self.expression(value);
        let mut found = Vec::new();
        for (labels, body) in cases {
            let labels: Vec<Expression> = labels.iter().filter_map(|label| self.expression(label)).collect();
            if let Some(value) = &value {
                for label in &labels {
                    if !self.compatible(value.ty, label.ty) {
                        let message = format!(
                            "{} cannot be compared with {}",
                            self.type_name(value.ty),
                            self.type_name(label.ty)
                        );
                        self.error("E026", label.span, message);
                    }
                }
            }
            found.push((labels, self.statements(body)));
        }
        let otherwise = self.statements(otherwise);
        Some(StatementKind::Switch(value?, found, otherwise))
    }

    fn for_loop(&mut self, quantifiers: &[Quantifier], body: &[Stmt], statement: &Stmt) -> Option<Statement> {
        self.scopes.push(BTreeMap::new());
        let binders: Vec<_> = quantifiers.iter().map(|quantifier| self.binder(quantifier)).collect();
        let mut body = self.statements(body);
        self.scopes.pop();
        for binder in binders.into_iter().collect::<Option<Vec<_>>>()?.into_iter().rev() {
            body = vec![Statement { kind: StatementKind::For(binder, body), span: statement.span }];
        }
        body.pop()
    }

    fn alias(&mut self, aliases: &[(Name, Expr)], body: &[Stmt], statement: &Stmt) -> Option<Statement> {
        self.scopes.push(BTreeMap::new());
        let mut bound = Vec::new();
        for (name, place) in aliases {
            let place = self.expression(place);
            bound.push(place.map(|place| (self.declare(name, place.ty, VariableKind::Alias), place)));
        }
        let mut body = self.statements(body);
        self.scopes.pop();
        if bound.is_empty() {
            let kind = StatementKind::If(Vec::new(), body);
            return Some(Statement { kind, span: statement.span });
        }
        for (variable, place) in bound.into_iter().collect::<Option<Vec<_>>>()?.into_iter().rev() {
            body = vec![Statement { kind: StatementKind::Alias(variable, place, body), span: statement.span }];
        }
        body.pop()
    }

    fn return_statement(&mut self, value: Option<&Expr>, statement: &Stmt) -> Option<StatementKind> {
        let value = match value {
            Some(value) => Some(self.expression(value)?),
            None => None,
        };
        match (self.result.filter(|_| self.in_function), &value) {
            (Some(wanted), Some(value)) if !self.compatible(wanted, value.ty) => {
                let message =
                    format!("the result is {}, but {} is needed", self.type_name(value.ty), self.type_name(wanted));
                self.error("E030", value.span, message);
            }
            (Some(_), None) => self.error("E030", statement.span, "this function must return a value"),
            (None, Some(value)) => self.error("E030", value.span, "only a function returns a value"),
            (Some(_), Some(_)) | (None, None) => {}
        }
        Some(StatementKind::Return(value))
    }
}
