//! Statements.

use super::constants::evaluate_number;
use super::declarations::Bounds;
use super::fault::TypeFault;
use super::{Elaborator, InFunction};
use crate::program::{Expression, ExpressionKind, PropertyKind, Span, Statement, StatementKind, TypeKind};
use crate::syntax::tree::{Expr, ExprKind, Name, Quantifier, Stmt, StmtKind};

impl Elaborator<'_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) -> Vec<Statement> {
        let mut found = Vec::new();
        for statement in statements {
            match &statement.kind {
                StmtKind::Alias(aliases, body) if aliases.is_empty() => found.extend(self.statements(body)),
                _ => found.extend(self.statement(statement)),
            }
        }
        found
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Statement> {
        let span = statement.span;
        let kind = match &statement.kind {
            StmtKind::Assign(place, value) => self.assign(place, value)?,
            StmtKind::If(branches, otherwise) => self.if_statement(branches, otherwise),
            StmtKind::Switch(value, cases, otherwise) => self.switch(value, cases, otherwise)?,
            StmtKind::For(quantifiers, body) => return self.for_loop(quantifiers, body, span),
            StmtKind::While(condition, body) => {
                let (condition, body) = (self.condition(condition), self.statements(body));
                StatementKind::While(condition?, body)
            }
            StmtKind::Alias(aliases, body) => return self.alias_statement(aliases, body, span),
            StmtKind::Call(name, arguments) => {
                let (id, arguments) = self.call(name, arguments)?;
                StatementKind::Call(id, arguments)
            }
            StmtKind::Clear(place) => StatementKind::Clear(self.place(place)?),
            StmtKind::Undefine(place) => StatementKind::Undefine(self.place(place)?),
            StmtKind::Assert(condition, text) => {
                StatementKind::Assert(self.condition(condition)?, text.clone().unwrap_or_default())
            }
            StmtKind::Property(kind, condition, text) => {
                let condition = self.condition(condition);
                match kind {
                    PropertyKind::Invariant => StatementKind::Assert(condition?, text.clone().unwrap_or_default()),
                    PropertyKind::Assume => StatementKind::Assume(condition?),
                    PropertyKind::Cover => StatementKind::Cover(condition?, text.clone()),
                    PropertyKind::Liveness => {
                        self.error(&TypeFault::LivenessStatement, span);
                        return None;
                    }
                }
            }
            StmtKind::Error(text) => StatementKind::Error(text.clone()),
            StmtKind::Put(value) => StatementKind::Put(Some(self.expression(value)?)),
            StmtKind::PutText(_) => StatementKind::Put(None),
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span)?,
            StmtKind::MultisetAdd(value, place) => self.multiset_add(value, place)?,
            StmtKind::MultisetRemove(position, place) => {
                let (position, place) = (self.expression(position), self.multiset_place(place));
                let (position, place) = (position?, place?);
                self.check_position(&position, place.ty)?;
                StatementKind::MultisetRemove(position, place)
            }
            StmtKind::MultisetRemoveIf(name, place, condition) => self.multiset_remove_if(name, place, condition)?,
        };
        Some(Statement { kind, span })
    }

    fn place(&mut self, place: &Expr) -> Option<Expression> {
        let place = self.expression(place)?;
        self.check_place(&place);
        Some(place)
    }

    fn multiset_place(&mut self, place: &Expr) -> Option<Expression> {
        let place = self.multiset(place)?;
        self.check_place(&place);
        Some(place)
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
            let (found, wanted) = (self.type_name(value.ty), self.type_name(target.ty));
            let text = format!("this is {wanted}");
            let fault = TypeFault::WrongValue { found: found.clone(), wanted };
            let diagnostic = fault.at(value.span).with_text(format!("this is {found}"));
            self.findings.push(diagnostic.with_label(target.span, text));
            return None;
        }
        self.warn_of_range(&target, &value);
        Some(StatementKind::Assign(target, value))
    }

    /// Assigning a constant outside of the target's range is an error whenever the statement executes.
    fn warn_of_range(&mut self, target: &Expression, value: &Expression) {
        if let (TypeKind::Range(first, last), Some(number)) = (self.kind(target.ty), evaluate_number(value))
            && !(*first..=*last).contains(&number)
        {
            let target = match &self.program.types[target.ty.index()].name {
                Some(name) => format!("`{name}`, which is {first}..{last}"),
                None => format!("{first}..{last}"),
            };
            self.error(&TypeFault::NeverInRange { value: number, target }, value.span);
        }
    }

    fn if_statement(&mut self, branches: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt]) -> StatementKind {
        let branches = branches
            .iter()
            .filter_map(|(condition, body)| {
                let (condition, body) = (self.condition(condition), self.statements(body));
                Some((condition?, body))
            })
            .collect();
        StatementKind::If(branches, self.statements(otherwise))
    }

    fn switch(&mut self, value: &Expr, cases: &[(Vec<Expr>, Vec<Stmt>)], otherwise: &[Stmt]) -> Option<StatementKind> {
        let value = self.simple(value);
        let mut found = Vec::new();
        for (labels, body) in cases {
            let labels: Vec<Expression> = labels.iter().filter_map(|label| self.simple(label)).collect();
            for label in &labels {
                if let Some(value) = &value
                    && !self.compatible(value.ty, label.ty)
                {
                    let (left, right) = (self.type_name(value.ty), self.type_name(label.ty));
                    self.error(&TypeFault::Incomparable { left, right }, label.span);
                }
            }
            found.push((labels, self.statements(body)));
        }
        let otherwise = self.statements(otherwise);
        let value = value?;
        let Some(defined) = self.is_defined(&value) else {
            return Some(StatementKind::Switch(value, found, otherwise));
        };
        let span = value.span;
        let switch = StatementKind::Switch(value, found, otherwise.clone());
        Some(StatementKind::If(vec![(defined, vec![Statement { kind: switch, span }])], otherwise))
    }

    fn for_loop(&mut self, quantifiers: &[Quantifier], body: &[Stmt], span: Span) -> Option<Statement> {
        self.scopes.open();
        let binders: Vec<_> = quantifiers.iter().map(|quantifier| self.binder(quantifier, Bounds::Any)).collect();
        let mut body = self.statements(body);
        self.scopes.close();
        for binder in binders.into_iter().collect::<Option<Vec<_>>>()?.into_iter().rev() {
            body = vec![Statement { kind: StatementKind::For(binder, body), span }];
        }
        body.pop()
    }

    fn alias_statement(&mut self, aliases: &[(Name, Expr)], body: &[Stmt], span: Span) -> Option<Statement> {
        self.scopes.open();
        let bound: Vec<_> = aliases.iter().map(|(name, place)| self.alias(name, place)).collect();
        let mut body = self.statements(body);
        self.scopes.close();
        for (variable, place) in bound.into_iter().collect::<Option<Vec<_>>>()?.into_iter().rev() {
            body = vec![Statement { kind: StatementKind::Alias(variable, place, body), span }];
        }
        body.pop()
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Option<StatementKind> {
        let value = match value {
            Some(value) => Some(self.expression(value)?),
            None => None,
        };
        match (self.function, &value) {
            (InFunction::Returns(wanted), Some(value)) if !self.compatible(wanted, value.ty) => {
                let (found, wanted) = (self.type_name(value.ty), self.type_name(wanted));
                self.error(&TypeFault::WrongReturn { found, wanted }, value.span);
            }
            (InFunction::Returns(_), None) => self.error(&TypeFault::EmptyReturn, span),
            (InFunction::No, Some(value)) => self.error(&TypeFault::ValueFromProcedure, value.span),
            _ => {}
        }
        Some(StatementKind::Return(value))
    }

    fn multiset_add(&mut self, value: &Expr, place: &Expr) -> Option<StatementKind> {
        let (value, place) = (self.expression(value), self.multiset_place(place));
        let (value, place) = (value?, place?);
        let TypeKind::Multiset { element, .. } = *self.kind(place.ty) else { return None };
        if !self.compatible(element, value.ty) {
            let (found, wanted) = (self.type_name(value.ty), self.type_name(element));
            self.error(&TypeFault::WrongValue { found, wanted }, value.span);
            return None;
        }
        Some(StatementKind::MultisetAdd(value, place))
    }

    fn multiset_remove_if(&mut self, name: &Name, place: &Expr, condition: &Expr) -> Option<StatementKind> {
        self.scopes.open();
        let bound = self.multiset_position(name, place);
        let condition = self.condition(condition);
        self.scopes.close();
        let (variable, place) = bound?;
        self.check_place(&place);
        Some(StatementKind::MultisetRemoveIf(variable, place, condition?))
    }
}
