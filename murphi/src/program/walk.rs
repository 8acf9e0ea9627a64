//! Walks over a typed program.
//!
//! The visitors see each expression, outer ones first, in text order. Code that looks at all expressions does not have
//! to handle every kind of statement.

use std::collections::BTreeSet;

use super::{
    Around, Binder, Expression, ExpressionKind, FunctionId, Over, Program, Property, Span, Startstate, Statement,
    StatementKind, TypeKind, VariableKind,
};

impl Program {
    /// Calls the visitor with every statement list and then with every other expression of rules, startstates and
    /// properties.
    pub fn each_expression<'p>(&'p self, visit: &mut impl FnMut(&'p Expression)) {
        for function in &self.functions {
            each_in_statements(&function.body, visit);
        }
        for rule in &self.rules {
            each_around(&rule.around, visit);
            rule.guard.each(visit);
            each_in_statements(&rule.body, visit);
        }
        for startstate in &self.startstates {
            each_around(&startstate.around, visit);
            each_in_statements(&startstate.body, visit);
        }
        for property in &self.properties {
            each_around(&property.around, visit);
            property.condition.each(visit);
        }
    }
}

impl Program {
    /// Returns the statements of all functions, rules and startstates.
    pub fn bodies(&self) -> impl Iterator<Item = &[Statement]> {
        let functions = self.functions.iter().map(|function| function.body.as_slice());
        let rules = self.rules.iter().map(|rule| rule.body.as_slice());
        functions.chain(rules).chain(self.startstates.iter().map(|startstate| startstate.body.as_slice()))
    }

    /// Returns the `cover` statements: their names, if any, and their places.
    #[must_use]
    pub fn cover_statements(&self) -> Vec<(Option<&str>, Span)> {
        let mut found = Vec::new();
        for body in self.bodies() {
            each_statement(body, &mut |statement| {
                if let StatementKind::Cover(_, name) = &statement.kind {
                    found.push((name.as_deref(), statement.span));
                }
            });
        }
        found
    }
}

impl Program {
    /// Returns whether the value of an expression is read from a place that may be undefined: what is computed or bound has a
    /// value.
    #[must_use]
    pub fn may_be_undefined(&self, expression: &Expression) -> bool {
        let is_simple = !matches!(
            self.types[expression.ty.index()].kind,
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. }
        );
        is_simple && expression.root().is_some_and(|root| self.variables[root.index()].kind != VariableKind::Bound)
    }

    /// Calls the visitor with the expressions of a startstate, and of the functions that it calls, directly or through others.
    pub fn each_evaluated_at_start<'p>(&'p self, startstate: &'p Startstate, visit: &mut impl FnMut(&'p Expression)) {
        let mut calls = Vec::new();
        each_around(&startstate.around, &mut |expression| {
            visit(expression);
            calls.extend(callee(expression));
        });
        each_in_statements(&startstate.body, visit);
        calls.extend(calls_in(&startstate.body));
        self.each_called(calls, &mut |body| each_in_statements(body, visit));
    }

    /// Returns whether evaluating expressions may reach an `assert` or `error` statement.
    #[must_use]
    pub fn may_assert<'p>(&'p self, expressions: impl IntoIterator<Item = &'p Expression>) -> bool {
        let mut calls = Vec::new();
        for expression in expressions {
            expression.each(&mut |inner| calls.extend(callee(inner)));
        }
        let mut asserts = false;
        self.each_called(calls, &mut |body| {
            each_statement(body, &mut |statement| match statement.kind {
                // What is added has to be defined.
                StatementKind::Assert(..) | StatementKind::Error(_) | StatementKind::MultisetAdd(..) => asserts = true,
                StatementKind::Call(..)
                | StatementKind::If(..)
                | StatementKind::Switch(..)
                | StatementKind::For(..)
                | StatementKind::While(..)
                | StatementKind::Alias(..)
                | StatementKind::Assign(..)
                | StatementKind::Clear(_)
                | StatementKind::Undefine(_)
                | StatementKind::Assume(_)
                | StatementKind::Cover(..)
                | StatementKind::Put(_)
                | StatementKind::Return(_)
                | StatementKind::MultisetRemove(..)
                | StatementKind::MultisetRemoveIf(..) => {}
            });
        });
        asserts
    }

    /// Calls the visitor with the bodies of functions, and of those that they call, directly or through others.
    pub(crate) fn each_called<'p>(&'p self, mut open: Vec<FunctionId>, visit: &mut impl FnMut(&'p [Statement])) {
        let (mut called, mut at) = (BTreeSet::new(), 0);
        while let Some(&function) = open.get(at) {
            at += 1;
            if called.insert(function) {
                let body = &self.functions[function.index()].body;
                visit(body);
                open.extend(calls_in(body));
            }
        }
    }
}

impl Property {
    /// Returns the expressions that are evaluated in a state, including those in groups around the property.
    pub fn evaluated(&self) -> impl Iterator<Item = &Expression> {
        let around = self.around.iter().flat_map(|around| match around {
            Around::Parameter(binder) => bounds(binder),
            Around::Alias(_, place) | Around::Choose(_, place) => vec![place],
        });
        around.chain([&self.condition])
    }
}

/// Returns the functions that statements call, in statements and in expressions.
pub(crate) fn calls_in(statements: &[Statement]) -> Vec<FunctionId> {
    let mut calls = Vec::new();
    each_statement(statements, &mut |statement| {
        if let StatementKind::Call(function, _) = statement.kind {
            calls.push(function);
        }
    });
    each_in_statements(statements, &mut |expression| calls.extend(callee(expression)));
    calls
}

/// Returns the function that an expression calls, if it is a call.
fn callee(expression: &Expression) -> Option<FunctionId> {
    if let ExpressionKind::Call(function, _) = &expression.kind { Some(*function) } else { None }
}

impl Expression {
    /// Calls the visitor with this expression and all its subexpressions.
    pub fn each<'p>(&'p self, visit: &mut impl FnMut(&'p Self)) {
        visit(self);
        match &self.kind {
            ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Member(_)
            | ExpressionKind::Undefined
            | ExpressionKind::Variable(_) => {}
            ExpressionKind::Field(a, _)
            | ExpressionKind::Unary(_, a)
            | ExpressionKind::IsUndefined(a)
            | ExpressionKind::IsMember(a, _) => a.each(visit),
            ExpressionKind::Element(a, b)
            | ExpressionKind::Binary(_, a, b)
            | ExpressionKind::MultisetCount(_, a, b) => {
                a.each(visit);
                b.each(visit);
            }
            ExpressionKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| part.each(visit)),
            ExpressionKind::Forall(binder, body) | ExpressionKind::Exists(binder, body) => {
                each_in_binder(binder, visit);
                body.each(visit);
            }
            ExpressionKind::Call(_, arguments) => arguments.iter().for_each(|argument| argument.each(visit)),
        }
    }

    /// Returns the outermost step of a place, or `None` if the expression is not a place.
    #[must_use]
    pub fn place(&self) -> Option<Place<'_>> {
        match &self.kind {
            ExpressionKind::Variable(variable) => Some(Place::Variable(*variable)),
            ExpressionKind::Field(record, field) => Some(Place::Field(record, field)),
            ExpressionKind::Element(array, index) => Some(Place::Element(array, index)),
            ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Member(_)
            | ExpressionKind::Undefined
            | ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::Forall(..)
            | ExpressionKind::Exists(..)
            | ExpressionKind::Call(..)
            | ExpressionKind::IsUndefined(_)
            | ExpressionKind::IsMember(..)
            | ExpressionKind::MultisetCount(..) => None,
        }
    }

    /// Returns whether a function is called to evaluate it.
    #[must_use]
    pub fn calls(&self) -> bool {
        let mut calls = false;
        self.each(&mut |inner| calls |= callee(inner).is_some());
        calls
    }

    /// Returns the variable that this place is part of, or `None` if the expression is not a place.
    #[must_use]
    pub fn root(&self) -> Option<super::VarId> {
        match self.place()? {
            Place::Variable(variable) => Some(variable),
            Place::Field(inner, _) | Place::Element(inner, _) => inner.root(),
        }
    }
}

/// The outermost step of a place: a designator that can be assigned to.
#[derive(Clone, Copy, Debug)]
pub enum Place<'p> {
    /// A variable.
    Variable(super::VarId),
    /// A field of a record.
    Field(&'p Expression, &'p str),
    /// An element of an array, at an index.
    Element(&'p Expression, &'p Expression),
}

impl Statement {
    /// Calls the visitor with this statement and all statements inside.
    pub fn each<'p>(&'p self, visit: &mut impl FnMut(&'p Self)) {
        visit(self);
        self.blocks().into_iter().flatten().for_each(|statement| statement.each(visit));
    }

    /// Returns the lists of statements directly inside.
    #[must_use]
    pub fn blocks(&self) -> Vec<&[Self]> {
        let mut bodies: Vec<&[Self]> = Vec::new();
        match &self.kind {
            StatementKind::If(branches, otherwise) => {
                bodies.extend(branches.iter().map(|(_, body)| body.as_slice()));
                bodies.push(otherwise);
            }
            StatementKind::Switch(_, cases, otherwise) => {
                bodies.extend(cases.iter().map(|(_, body)| body.as_slice()));
                bodies.push(otherwise);
            }
            StatementKind::For(_, body) | StatementKind::While(_, body) | StatementKind::Alias(_, _, body) => {
                bodies.push(body);
            }
            StatementKind::Assign(..)
            | StatementKind::Call(..)
            | StatementKind::Clear(_)
            | StatementKind::Undefine(_)
            | StatementKind::Assert(..)
            | StatementKind::Assume(_)
            | StatementKind::Cover(..)
            | StatementKind::Error(_)
            | StatementKind::Put(_)
            | StatementKind::Return(_)
            | StatementKind::MultisetAdd(..)
            | StatementKind::MultisetRemove(..)
            | StatementKind::MultisetRemoveIf(..) => {}
        }
        bodies
    }

    /// Returns this statement's own expressions, without those of statements inside.
    #[must_use]
    pub fn own_expressions(&self) -> Vec<&Expression> {
        match &self.kind {
            StatementKind::Assign(a, b)
            | StatementKind::MultisetAdd(a, b)
            | StatementKind::MultisetRemove(a, b)
            | StatementKind::MultisetRemoveIf(_, a, b) => vec![a, b],
            StatementKind::If(branches, _) => branches.iter().map(|(condition, _)| condition).collect(),
            StatementKind::Switch(value, cases, _) => {
                std::iter::once(value).chain(cases.iter().flat_map(|(labels, _)| labels)).collect()
            }
            StatementKind::For(binder, _) => bounds(binder),
            StatementKind::While(a, _)
            | StatementKind::Alias(_, a, _)
            | StatementKind::Clear(a)
            | StatementKind::Undefine(a)
            | StatementKind::Assert(a, _)
            | StatementKind::Assume(a)
            | StatementKind::Cover(a, _) => vec![a],
            StatementKind::Call(_, arguments) => arguments.iter().collect(),
            StatementKind::Return(value) | StatementKind::Put(value) => value.iter().collect(),
            StatementKind::Error(_) => Vec::new(),
        }
    }
}

/// Calls the visitor with all statements and those inside them.
pub fn each_statement<'p>(body: &'p [Statement], visit: &mut impl FnMut(&'p Statement)) {
    body.iter().for_each(|statement| statement.each(visit));
}

/// Calls the visitor with all expressions in the statements.
pub fn each_in_statements<'p>(statements: &'p [Statement], visit: &mut impl FnMut(&'p Expression)) {
    for statement in statements {
        statement.each(&mut |inner| inner.own_expressions().into_iter().for_each(|expression| expression.each(visit)));
    }
}

fn each_around<'p>(around: &'p [Around], visit: &mut impl FnMut(&'p Expression)) {
    for part in around {
        match part {
            Around::Parameter(binder) => each_in_binder(binder, visit),
            Around::Alias(_, place) | Around::Choose(_, place) => place.each(visit),
        }
    }
}

fn each_in_binder<'p>(binder: &'p Binder, visit: &mut impl FnMut(&'p Expression)) {
    bounds(binder).into_iter().for_each(|bound| bound.each(visit));
}

fn bounds(binder: &Binder) -> Vec<&Expression> {
    match &binder.over {
        Over::Type(_) => Vec::new(),
        Over::Numbers { from, to, step } => vec![from.as_ref(), to.as_ref(), step.as_ref()],
    }
}
